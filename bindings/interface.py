"""What every binding needs of include/piola/api.json: the C declarations, and what the parameters of a call mean.

A call is `piola_NOUN_VERB`. Its noun is a handle of a world (body, collider, rigid, attachment, traction) or the world.
What is written here is how Piola's headers are written (docs/method/house.md): a count before or behind an array, an
error last, results behind inputs. A call of another form is refused loudly by the generators' tests, not guessed at.
"""
import json
import pathlib
import re

HANDLES = ('body', 'attachment', 'traction', 'collider', 'rigid')


def load(path=None):
    path = path or pathlib.Path(__file__).resolve().parent.parent / 'include' / 'piola' / 'api.json'
    return json.loads(pathlib.Path(path).read_text(encoding='utf-8'))


def declared(kind, name):
    """`float[2][3]` and a name as C declares them, pointers to functions too."""
    if '(*)' in kind:
        return kind.replace('(*)', f'(*{name})', 1)
    base, _, dims = kind.partition('[')
    return f'{base} {name}' + (f'[{dims}' if dims else '')


def member_lines(members, indent='    '):
    for m in members:
        if 'kind' in m:
            yield f"{indent}{m['kind']} {{"
            yield from member_lines(m['members'], indent + '    ')
            yield f"{indent}}} {m['name']};"
        else:
            yield f"{indent}{declared(m['type'], m['name'])};"


def names_in(members):
    for m in members:
        if 'kind' in m:
            yield from names_in(m['members'])
        elif '*' not in m['type']:
            yield m['type'].partition('[')[0]


def ordered(structs):
    """Each struct behind those that it holds."""
    known, found = {s['name']: s for s in structs}, []

    def visit(s):
        if s in found:
            return
        for name in names_in(s['members']):
            if name in known:
                visit(known[name])
        found.append(s)

    for s in structs:
        visit(s)
    return found


def declarations(api):
    """All of the interface as plain C, without a preprocessor's lines but constants'."""
    lines = [f"#define {c['name']} {c['value']}" for c in api['constants']]
    for e in api['enums']:
        lines.append(f"typedef enum {e['name']} {{ " +
                     ', '.join(f"{v['name']} = {v['value']}" for v in e['values']) + f" }} {e['name']};")
    lines += [f"typedef struct {o['name']} {o['name']};" for o in api['opaque']]
    lines += [f"typedef struct {s['name']} {s['name']};" for s in api['structs']]
    for c in api['callbacks']:
        inside = ', '.join(declared(p['type'], p['name']) for p in c['parameters'])
        lines.append(f"typedef {c['returns']} {c['name']}({inside});")
    for s in ordered(api['structs']):
        lines += [f"struct {s['name']} {{", *member_lines(s['members']), '};']
    for f in api['functions']:
        inside = ', '.join(declared(p['type'], p['name']) for p in f['parameters']) or 'void'
        lines.append(f"{f['returns']} {f['name']}({inside});")
    return '\n'.join(lines) + '\n'


def noun(function):
    """'body', ..., 'world', or None: whose call it is."""
    parts, kinds = function['name'].split('_'), [p['type'] for p in function['parameters']]
    if len(kinds) > 1 and kinds[0].endswith('piola_world *'):
        for handle in HANDLES:
            if kinds[1] == 'piola_' + handle and parts[1] == handle:
                return handle
    if kinds and kinds[0].endswith('piola_world *') and parts[1] == 'world':
        return 'world'
    return None


def verb(function):
    return '_'.join(function['name'].split('_')[2:])


def pointed(kind):
    """What a pointer or an array is of, and whether it is an input."""
    return re.sub(r'^const |\s*\*.*$|\[.*$', '', kind), kind.startswith('const ')


def dimension(kind):
    found = re.search(r'\[(\d+)\]$', kind)
    return int(found[1]) if found else 0


def roles(function):
    """(role, parameter, ...) of each parameter behind the noun's own.

    number: an input; vector: an input of some floats; text: a description or a memory that a binding writes by hand;
    rows: `first`, `count` and an array that is filled; given: the same, that is read; listed: an array, its room and how
    many there are; result: one thing that is written; error: where the engine says what was wrong.
    """
    skip = 1 if noun(function) == 'world' else 2
    rest, found, i = function['parameters'][skip:], [], 0
    while i < len(rest):
        names, kinds = [p['name'] for p in rest[i:]], [p['type'] for p in rest[i:]]
        pointer = '*' in kinds[0]
        if names[:2] == ['first', 'count'] and len(kinds) > 2 and '*' in kinds[2]:
            found.append(('given' if kinds[2].startswith('const') else 'rows', rest[i + 2]))
            i += 3
            continue
        if len(names) > 2 and pointer and names[1:3] == ['capacity', 'count']:
            found.append(('listed', rest[i]))
            i += 3
            continue
        if names[0] == 'error':
            found.append(('error', rest[i]))
        elif dimension(kinds[0]):
            found.append(('vector' if kinds[0].startswith('const') else 'result', rest[i]))
        elif pointer:
            found.append(('text' if kinds[0].startswith('const') or 'void' in kinds[0] or kinds[0].count('*') > 1
                          else 'result', rest[i]))
        else:
            found.append(('number', rest[i]))
        i += 1
    return found
