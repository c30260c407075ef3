#!/usr/bin/env python3
"""Writes piola.hpp from piola.hpp.in and the interface list: a method for each call of a handle or the world.

Usage: bindings/cpp/generate.py [API_JSON] OUTPUT.
"""
import pathlib
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import interface  # noqa: E402

# Written by hand in piola.hpp.in.
BY_HAND = {'piola_world_step', 'piola_world_destroy', 'piola_world_move'}


def title(handle):
    return handle.capitalize()


def comment(text, indent):
    lines = textwrap.wrap(text, 118 - len(indent))
    return ''.join(f"{indent}{'/* ' if i == 0 else ' * '}{line}{' */' if i == len(lines) - 1 else ''}\n"
                   for i, line in enumerate(lines))


def value_type(kind):
    """Of a parameter that is written: the C++ type of what is returned."""
    base, _ = interface.pointed(kind)
    count = interface.dimension(kind)
    handle = base.replace('piola_', '')
    if handle in interface.HANDLES:
        return title(handle)
    return f'std::array<{base}, {count}>' if count else base


def asked(role, p):
    """(C++ parameter, C argument) of an input."""
    name, kind = p['name'], p['type']
    if role == 'vector':
        base, _ = interface.pointed(kind)
        count = interface.dimension(kind)
        alias = {('float', 3): 'Vec3', ('float', 4): 'Quat'}.get((base, count), f'std::array<{base}, {count}>')
        return f'const {alias} &{name}', f'{name}.data()'
    if role == 'text':
        base, _ = interface.pointed(kind)
        if base in ('piola_asset', 'piola_shape_data', 'void'):
            return f'{kind}{name}', name
        return f'const {base} &{name}', f'&{name}'
    handle = kind.replace('piola_', '')
    if handle in interface.HANDLES:
        return f'{title(handle)} {name}', f'{name}.handle'
    return f'{kind} {name}', name


def lists(function, p, own, constant, others, names):
    """An array and how many there are: asked for twice."""
    base, _ = interface.pointed(p['type'])
    handle = base.replace('piola_', '')
    count = next(q['type'] for q in function['parameters'] if q['name'] == 'count').replace(' *', '')
    inside = ''.join(', ' + c for _, c in others)
    error = ', &error' if any(q['name'] == 'error' for q in function['parameters']) else ''
    kind = title(handle) if handle in interface.HANDLES else base
    verb, call = interface.verb(function), function['name']
    text = f"    std::vector<{kind}> {verb}({', '.join(n for n, _ in others)}){constant}\n    {{\n"
    text += f'        {count} count = 0;\n'
    if error:
        text += '        piola_error error = {};\n'
    tail = f', "{names}"' + (', &error' if error else '')
    text += f'        check({call}({own}{inside}, nullptr, 0, &count{error}){tail});\n'
    text += f'        std::vector<{base}> found(count);\n'
    text += f'        check({call}({own}{inside}, found.data(), count, &count{error}){tail});\n'
    if handle in interface.HANDLES:
        text += (f'        std::vector<{kind}> things;\n        for (const {base} &one : found)\n'
                 '            things.emplace_back(world, one);\n        return things;\n    }\n')
    else:
        text += '        return found;\n    }\n'
    return text


def arrays(function, role, p, own, constant, names, error):
    """`first`, `count` and an array of the caller's."""
    base, _ = interface.pointed(p['type'])
    width = 3 if base == 'float' else 1
    const = 'const ' if role == 'given' else ''
    roles = interface.roles(function)
    total = [q for r, q in roles if r == 'result']
    extra = ', &total' if total else ''
    verb, call = interface.verb(function), function['name']
    text = comment(f"{p['name']}: {'3 numbers a vertex, ' if width == 3 else ''}as many as fit, from `first` on.", '    ')
    text += f"    {'uint32_t' if total else 'void'} {verb}(Span<{const}{base}> {p['name']}, uint32_t first = 0){constant}\n    {{\n"
    if total:
        text += '        uint32_t total = 0;\n'
    if error:
        text += '        piola_error error = {};\n'
    size = f"{p['name']}.size / 3" if width == 3 else f"{p['name']}.size"
    text += (f"        check({call}({own}, first, static_cast<uint32_t>({size}), {p['name']}.data{extra}"
             f"{', &error' if error else ''}), \"{names}\"{', &error' if error else ''});\n")
    return text + ('        return total;\n' if total else '') + '    }\n'


def method(function):
    noun, verb = interface.noun(function), interface.verb(function)
    own = 'world' if noun == 'world' else 'world, handle'
    constant = ' const' if noun != 'world' or function['parameters'][0]['type'].startswith('const') else ''
    names, roles = f'{title(noun)}::{verb}', interface.roles(function)
    error = any(r == 'error' for r, _ in roles)
    text = comment(function['text'], '    ') if function['text'] else ''
    for role, p in roles:
        if role in ('rows', 'given'):
            return text + arrays(function, role, p, own, constant, names, error)
    others = [asked(r, p) for r, p in roles if r in ('number', 'vector', 'text')]
    for role, p in roles:
        if role == 'listed':
            return text + lists(function, p, own, constant, others, names)
    results = [p for r, p in roles if r == 'result']
    kinds = [value_type(p['type']) for p in results]
    call = ', '.join([own] + [c for _, c in others] +
                     [f"{p['name']}_.data()" if interface.dimension(p['type']) else f"&{p['name']}_" for p in results] +
                     (['&error'] if error else []))
    back = 'void' if not kinds else kinds[0] if len(kinds) == 1 else f"std::tuple<{', '.join(kinds)}>"
    plain = function['returns'] != 'piola_status'
    back = function['returns'] if plain else back
    text += f"    {back} {verb}({', '.join(n for n, _ in others)}){constant}\n    {{\n"
    if plain:
        return text + f"        return {function['name']}({call});\n    }}\n"
    if error:
        text += '        piola_error error = {};\n'
    for p, kind in zip(results, kinds):
        text += f"        {kind} {p['name']}_ = {{}};\n"
    text += f"        check({function['name']}({call}), \"{names}\"{', &error' if error else ''});\n"
    if results:
        inside = ', '.join(f"{p['name']}_" for p in results)
        text += f"        return {inside if len(results) == 1 else '{' + inside + '}'};\n"
    return text + '    }\n'


def handle_class(handle, functions):
    name = title(handle)
    methods = '\n'.join(method(f) for f in functions if interface.noun(f) == handle)
    return f"""class {name} {{
public:
    {name}() = default;
    {name}(piola_world *of, piola_{handle} named) : world(of), handle(named) {{}}
    bool operator==(const {name} &o) const
    {{
        return world == o.world && handle.index == o.handle.index && handle.generation == o.handle.generation;
    }}
    bool operator!=(const {name} &o) const {{ return !(*this == o); }}

{methods}
    piola_world *world = nullptr;
    piola_{handle} handle = {{}};
}};

"""


def maker(handle):
    name = title(handle)
    extra = ''
    if handle == 'body':
        extra = ('        if (piola_status status = piola_world_add_asset(world, desc.asset))\n'
                 '            refused(status, nullptr, "World::body");\n')
    return f"""    {name} {handle}(const piola_{handle}_desc &desc)
    {{
        piola_error error = {{}};
        piola_{handle} made = {{}};
{extra}        check(piola_{handle}_create(world, &desc, &made, &error), "World::{handle}", &error);
        return {name}(world, made);
    }}
"""


def write(api, output):
    functions = [f for f in api['functions'] if f['name'] not in BY_HAND]
    text = (HERE / 'piola.hpp.in').read_text(encoding='utf-8')
    text = text.replace('@HANDLES@', ''.join(handle_class(h, functions) for h in interface.HANDLES).rstrip('\n') + '\n')
    text = text.replace('@MAKERS@', ''.join(maker(h) for h in interface.HANDLES).rstrip('\n') + '\n')
    text = text.replace('@WORLD@', '\n'.join(method(f) for f in functions if interface.noun(f) == 'world').rstrip('\n') + '\n')
    pathlib.Path(output).write_text(text, encoding='utf-8')


if __name__ == '__main__':
    write(interface.load(sys.argv[1] if len(sys.argv) > 2 else None), sys.argv[-1])
