"""How calls reach the library: loading it, numbers and arrays across the border, and what a failed call says."""
import ctypes.util
import difflib
import os
import pathlib

import cffi
import numpy as np

ffi = cffi.FFI()
lib = None
io = None
_layouts, _enums = {}, {}


class Error(Exception):
    """A call that the engine refused. `status` is its piola_status or piola_io_status; nothing was changed."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def _candidates(name):
    for folder in (os.environ.get('PIOLA_LIBRARY_PATH'), pathlib.Path(__file__).parent / 'lib'):
        if folder:
            yield str(pathlib.Path(folder) / f'lib{name}.so')
    found = ctypes.util.find_library(name)
    if found:
        yield found


def _open(name):
    tried = []
    for path in _candidates(name):
        if path.startswith('/') and not os.path.exists(path):
            tried.append(path)
            continue
        try:
            return ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_GLOBAL)
        except OSError as error:
            tried.append(f'{path} ({error})')
    raise ImportError(f"lib{name}.so is not found; tried {', '.join(tried) or 'the system'}. Build it with "
                      '`./dev python`, or set PIOLA_LIBRARY_PATH to the folder that holds it.')


class _Library:
    """Both libraries as one: a name that begins with piola_io_ is of the second."""

    def __init__(self, engine, extra):
        self._engine, self._extra = engine, extra

    def __getattr__(self, name):
        found = getattr(self._extra if name.startswith('piola_io_') else self._engine, name)
        setattr(self, name, found)
        return found


def bind(declarations, layouts, enums, interface):
    global lib
    ffi.cdef(declarations)
    engine = _open('piola')
    lib = _Library(engine, _open('piola_io'))
    _layouts.update({name: np.dtype(layout) for name, layout in layouts.items()})
    for name in layouts:
        layouts[name] = _layouts[name]
    _enums.update(enums)
    version = ffi.string(engine.piola_version()).decode()
    if version.split('.')[:2] != interface.split('.')[:2]:
        raise ImportError(f'this package is of Piola {interface}, and the library found is {version}')
    return ffi, lib


def text(status, error=None):
    if error is not None and error.field != ffi.NULL:
        room = ffi.new('char[512]')
        lib.piola_error_format(error, room, 512)
        return ffi.string(room).decode()
    return ffi.string(lib.piola_status_text(status)).decode()


def check(status, where, error=None):
    if status:
        raise Error(f'{where}: {text(status, error)}', status)


def check_io(status, where, error):
    if status:
        said = ffi.string(error.text).decode(errors='replace') or ffi.string(lib.piola_io_status_text(status)).decode()
        raise Error(f'{where}: {said}', status)


def number(value, kind):
    if kind in ('float', 'double'):
        return float(value)
    return bool(value) if kind == 'bool' else int(value)


def enum(value, kind):
    """A value of an enumeration by its short name in small letters ('descent'), or as a number."""
    values = _enums[kind]
    if not isinstance(value, str):
        return int(value)
    stem = os.path.commonprefix([n for n in values if not n.endswith('_COUNT')] or list(values))
    stem = stem[:stem.rfind('_') + 1]
    short = {name[len(stem):].lower(): v for name, v in values.items() if not name.endswith('_COUNT')}
    if value.lower() not in short:
        raise ValueError(f"{value!r} is no {kind}; one of {', '.join(short)}")
    return short[value.lower()]


def vector(value, count, name='the value'):
    """`count` floats, from any sequence of as many numbers."""
    array = np.asarray(value, dtype='<f4')
    if array.shape != (count,):
        raise ValueError(f'{name} needs {count} numbers, and has the shape {array.shape}')
    return ffi.new(f'float[{count}]', array.tolist())


def result(memory, kind, count):
    """What a call wrote: a number, an array of numbers, or a record with the struct's members."""
    if kind in _layouts:
        raw = np.frombuffer(ffi.buffer(memory), dtype=_layouts[kind])[0:1].copy()
        return raw.view(np.recarray)[0]
    if count:
        return np.array(list(memory))
    return memory[0]


def rows(call, owner, form, width, first, count, total, out, where):
    """An array that a call fills: `out` itself, which it writes straight into, or a new one."""
    count = total - first if count is None else count
    shape = (count, width) if width else (count,)
    if out is None:
        out = np.zeros(shape, dtype=form)
    elif out.dtype != np.dtype(form) or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f'{where}: out must be a writable, contiguous array of {np.dtype(form)} with the shape {shape}')
    kind = ffi.typeof(call).args[4]
    check(call(owner._world, owner._handle, first, count, ffi.cast(kind, out.ctypes.data)), where)
    return out if width else out.view(np.recarray)


def given(call, owner, values, first, has_error, where):
    """An array that a call reads: `values` itself where it has that form."""
    array = np.ascontiguousarray(values, dtype='<f4')
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f'{where}: needs an array of rows of 3 numbers, and has the shape {array.shape}')
    error = ffi.new('piola_error *')
    tail = [error] if has_error else []
    memory = ffi.cast('const float *', array.ctypes.data)
    check(call(owner._world, owner._handle, first, len(array), memory, *tail), where, error if has_error else None)


def listed(call, world, kind, where):
    """Handles of all that is in the world, as objects."""
    count = ffi.new('uint32_t *')
    check(call(world._world, ffi.NULL, 0, count), where)
    found = ffi.new(f'{kind}[{max(1, count[0])}]')
    check(call(world._world, found, count[0], count), where)
    return [world._object(kind, found[i]) for i in range(count[0])]


def fill(desc, values, where):
    """Writes keyword arguments into a description; a name that it does not have is an error with a suggestion."""
    fields = {name: field.type for name, field in ffi.typeof(desc).item.fields if not name.endswith('cookie_')}
    for name, value in values.items():
        if name not in fields:
            near = difflib.get_close_matches(name, fields, 1)
            raise TypeError(f'{where} has no {name!r}' + (f'; did you mean {near[0]!r}?' if near else ''))
        kind = fields[name]
        if kind.kind == 'enum':
            value = enum(value, kind.cname)
        elif kind.kind == 'array':
            value = np.asarray(value, dtype=float).tolist()
            if not isinstance(value, list) or len(value) != kind.length:
                raise ValueError(f'{where}: {name} needs {kind.length} numbers')
            if kind.item.kind == 'primitive' and 'int' in kind.item.cname:
                value = [int(v) for v in value]
        elif kind.kind == 'primitive' and kind.cname in ('float', 'double'):
            value = float(value)
        try:
            setattr(desc, name, value)
        except (TypeError, OverflowError) as error:
            raise type(error)(f'{where}: {name}: {error}') from None
    return desc


def block(size):
    """(array, pointer) of `size` bytes at a multiple of PIOLA_ALIGNMENT."""
    raw = np.zeros(size + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    array = raw[start:start + size]
    return array, ffi.cast('void *', array.ctypes.data)
