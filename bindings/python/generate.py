#!/usr/bin/env python3
"""Writes piola/_interface.py: the C declarations for cffi, the layouts of structs for numpy, and a method for each
call of a handle or the world.

Usage: bindings/python/generate.py [API_JSON] OUTPUT. What is not a call of a handle (assets, meshes, shapes, snapshots,
scenes) is written by hand in the package's other files.
"""
import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import interface  # noqa: E402

NUMPY = {'bool': '?', 'char': 'S1', 'float': '<f4', 'double': '<f8', 'int32_t': '<i4', 'uint8_t': '<u1', 'uint32_t': '<u4',
         'uint64_t': '<u8', 'size_t': '<u8'}
# Written by hand: they keep memory alive, take threads, or turn descriptions into structs.
BY_HAND = {'piola_world_push', 'piola_world_ray', 'piola_world_closest', 'piola_world_overlap', 'piola_world_add_shape',
           'piola_world_drop_shape', 'piola_world_set_wind_grid', 'piola_world_move', 'piola_world_destroy',
           'piola_world_add_asset', 'piola_world_drop_asset', 'piola_world_step', 'piola_world_contact_events',
           'piola_world_contact_points', 'piola_world_memory', 'piola_world_capacity', 'piola_world_isa',
           'piola_traction_destroy'}
ELEMENTS = {'piola_body_tetrahedron_states': 'tetrahedra', 'piola_body_triangle_states': 'triangles'}
CLASSES = {'world': 'WorldCalls', 'body': 'BodyCalls', 'collider': 'ColliderCalls', 'rigid': 'RigidCalls',
           'attachment': 'AttachmentCalls', 'traction': 'TractionCalls'}


def layout(members, api, constants):
    """(name, format, offset) of the members that numpy can hold; pointers are numbers."""
    known = {s['name']: s for s in api['structs']}
    enums = {e['name'] for e in api['enums']}
    for m in members:
        if 'kind' in m:
            continue
        base, _, dims = m['type'].partition('[') if '(*)' not in m['type'] else ('void *', '', '')
        shape = tuple(int(constants.get(d, d)) for d in dims.rstrip(']').split('][')) if dims else ()
        if '*' in base:
            form = '<u8'
        elif base in known:
            form = struct(known[base], api, constants)
        elif base in enums:
            form = '<i4'
        else:
            form = NUMPY[base]
        yield m['name'], (form, shape) if shape else form, m['offset']


def struct(entry, api, constants):
    rows = list(layout(entry['members'], api, constants))
    return {'names': [r[0] for r in rows], 'formats': [r[1] for r in rows], 'offsets': [r[2] for r in rows],
            'itemsize': entry['bytes']}


def quoted(text, indent):
    lines = textwrap.wrap(text or '', 116 - len(indent)) or ['']
    return f'{indent}r"""' + f'\n{indent}'.join(lines).replace('"""', "'''") + '"""\n'


def said(function):
    units = [f"{p['name']}: {p['unit']}" for p in function['parameters'] if 'unit' in p]
    return function['text'] + (f" ({'; '.join(units)})" if units else '')


def argument(role, p, structs):
    """(what a Python call names, the C argument)."""
    name = p['name']
    if role == 'number' and p['type'] == 'piola_body':
        return name, f'{name}._handle'
    if role == 'number':
        return name, f'number({name}, {p["type"]!r})' if not p['type'].startswith('piola_') else f'enum({name}, {p["type"]!r})'
    if role == 'vector':
        return name, f"vector({name}, {interface.dimension(p['type'])}, {name!r})"
    raise SystemExit(f'python: no rule for the role {role} of {name}')


def method(function, structs):
    noun, verb = interface.noun(function), interface.verb(function)
    own = 'self._world' if noun == 'world' else 'self._world, self._handle'
    roles = [r for r in interface.roles(function)]
    name, where = function['name'], f'{noun}.{verb}'
    kinds = [r for r, _ in roles]
    if kinds and kinds[0] == 'rows':
        base, _ = interface.pointed(roles[0][1]['type'])
        form = "'<f4', 3" if base == 'float' else f'LAYOUTS[{base!r}], 0'
        many = ELEMENTS.get(name, 'vertices')
        return (f'    def {verb}(self, first=0, count=None, out=None):\n' + quoted(said(function), ' ' * 8) +
                f'        return rows(lib.{name}, self, {form}, first, count, self._{many}(), out, {where!r})\n')
    if kinds and kinds[0] == 'given':
        error = ', True' if 'error' in kinds else ', False'
        return (f"    def {verb}(self, {roles[0][1]['name']}, first=0):\n" + quoted(said(function), ' ' * 8) +
                f"        given(lib.{name}, self, {roles[0][1]['name']}, first{error}, {where!r})\n")
    if kinds and kinds[0] == 'listed':
        base, _ = interface.pointed(roles[0][1]['type'])
        return (f'    def {verb}(self):\n' + quoted(said(function), ' ' * 8) +
                f'        return listed(lib.{name}, self, {base!r}, {where!r})\n')
    inputs = [argument(r, p, structs) for r, p in roles if r in ('number', 'vector')]
    outputs = [p for r, p in roles if r == 'result']
    asked = ', '.join(['self'] + [n for n, _ in inputs])
    text = f'    def {verb}({asked}):\n' + quoted(said(function), ' ' * 8)
    for p in outputs:
        base, _ = interface.pointed(p['type'])
        count = interface.dimension(p['type']) or 1
        text += f"        {p['name']}_ = ffi.new('{base}[{count}]')\n"
    call = ', '.join([own] + [c for _, c in inputs] + [f"{p['name']}_" for p in outputs])
    if function['returns'] != 'piola_status':
        return text + f'        return lib.{name}({call})\n'
    text += f'        check(lib.{name}({call}), {where!r})\n'
    if outputs:
        parts = [f"result({p['name']}_, {interface.pointed(p['type'])[0]!r}, {interface.dimension(p['type'])})"
                 for p in outputs]
        text += f"        return {', '.join(parts)}\n"
    return text


def write(api, output):
    constants = {c['name']: c['value'] for c in api['constants'] + [v for e in api['enums'] for v in e['values']]}
    structs = {s['name']: s for s in api['structs']}
    layouts = {s['name']: struct(s, api, constants) for s in api['structs'] if s['name'] != 'piola_command'}
    text = '"""Made by bindings/python/generate.py from include/piola/api.json: do not edit."""\n'
    text += 'from ._runtime import bind, check, enum, given, listed, number, result, rows, vector\n\n'
    text += f"INTERFACE = {api['interface']!r}\n"
    text += f'DECLARATIONS = r"""\n{interface.declarations(api)}"""\n'
    text += f'LAYOUTS = {layouts!r}\n'
    values = {e['name']: {v['name']: v['value'] for v in e['values']} for e in api['enums']}
    text += f'ENUMS = {values!r}\nffi, lib = bind(DECLARATIONS, LAYOUTS, ENUMS, INTERFACE)\n'
    for noun, title in CLASSES.items():
        text += f'\n\nclass {title}:\n'
        methods = [method(f, structs) for f in api['functions']
                   if interface.noun(f) == noun and f['name'] not in BY_HAND]
        text += '\n'.join(methods)
    pathlib.Path(output).write_text(text, encoding='utf-8')


if __name__ == '__main__':
    write(interface.load(sys.argv[1] if len(sys.argv) > 2 else None), sys.argv[-1])
