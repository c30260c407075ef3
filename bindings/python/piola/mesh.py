"""Meshes, materials and assets: what a body is made of."""
import os

import numpy as np

from ._interface import ffi, lib
from ._runtime import block, check, check_io, fill, result


def material(**values):
    """A material: `young` (Pa), `poisson`, `density` (kg/m^3), `model` and the other members of piola_material. Cloth
    needs a `thickness` (m); without one its density is kg/m^2, its moduli are N/m, and `bend` (N m) must be given. What is
    not given is soft rubber's."""
    return fill(ffi.new('piola_material *', lib.piola_material_default()), values, 'material')


def _array(values, kind, width, what):
    array = np.ascontiguousarray(values, dtype=kind)
    if array.size and (array.ndim != 2 or array.shape[1] != width):
        raise ValueError(f'{what}: rows of {width} are needed, and the shape is {array.shape}')
    return array


class Mesh:
    """Vertices (m) and elements of a body. Take one from a file (`read`), a maker (`box`, `ball`, `capsule`, `sheet`)
    or your own arrays: `Mesh(vertices, tetrahedra=...)`, `Mesh(vertices, triangles=...)`, `Mesh(vertices, links=...)`."""

    def __init__(self, vertices, tetrahedra=(), triangles=(), bends=None, links=()):
        self._io = None
        self.vertices = _array(vertices, '<f8', 3, 'vertices')
        self.tetrahedra = _array(tetrahedra, '<u4', 4, 'tetrahedra')
        self.triangles = _array(triangles, '<u4', 3, 'triangles')
        self.links = _array(links, '<u4', 2, 'links')
        self.bends = _array(self._inner_edges() if bends is None else bends, '<u4', 4, 'bends')

    def _inner_edges(self):
        """A bend over each inner edge of the triangles."""
        count = len(self.triangles)
        if not count or self.tetrahedra.size:
            return ()
        size = lib.piola_mesh_bends_size(count)
        _, memory = block(size)
        found, error = ffi.new('piola_bends *'), ffi.new('piola_error *')
        check(lib.piola_mesh_bends(ffi.cast('const uint32_t *', self.triangles.ctypes.data), count,
                                   ffi.cast('uint32_t *', memory), size, found, error), 'Mesh', error)
        view = np.frombuffer(ffi.buffer(found.bends, 16 * found.count), dtype='<u4') if found.count else np.zeros(0)
        return view.reshape(-1, 4).copy()

    @classmethod
    def _own(cls, memory, where):
        self = cls.__new__(cls)
        self._io = ffi.gc(memory[0], lib.piola_io_mesh_free)
        arrays = lib.piola_io_mesh_contents(self._io)

        def view(pointer, count, width, kind):
            if pointer == ffi.NULL or not count:
                return np.zeros((0, width), dtype=kind)
            array = np.frombuffer(ffi.buffer(pointer, count * width * np.dtype(kind).itemsize), dtype=kind)
            array = array.reshape(count, width)
            array.flags.writeable = False
            return array

        self.vertices = view(arrays.vertices, arrays.vertex_count, 3, '<f8')
        self.tetrahedra = view(arrays.tetrahedra, arrays.tetrahedron_count, 4, '<u4')
        self.triangles = view(arrays.triangles, arrays.triangle_count, 3, '<u4')
        self.bends = view(arrays.bends, arrays.bend_count, 4, '<u4')
        self.links = view(arrays.links, arrays.link_count, 2, '<u4')
        return self

    @classmethod
    def _made(cls, call, desc, options, where):
        memory, error = ffi.new('piola_io_mesh **'), ffi.new('piola_io_error *')
        check_io(call(desc, _options(options), memory, error), where, error)
        return cls._own(memory, where)

    @classmethod
    def read(cls, path, **options):
        """A file of one of the `formats()`; options are `scale`, `offset` (of 3 numbers) and `bends`."""
        memory, error = ffi.new('piola_io_mesh **'), ffi.new('piola_io_error *')
        check_io(lib.piola_io_mesh_read(os.fsencode(path), _options(options), memory, error), 'Mesh.read', error)
        return cls._own(memory, 'Mesh.read')

    @classmethod
    def box(cls, size=(1, 1, 1), cells=(4, 4, 4), **options):
        """Tetrahedra; the lower corner is the origin."""
        desc = fill(ffi.new('piola_io_box_desc *', lib.piola_io_box_desc_default()), dict(size=size, cells=cells), 'box')
        return cls._made(lib.piola_io_make_box, desc, options, 'Mesh.box')

    @classmethod
    def ball(cls, radius=0.5, tetrahedra=2000, **options):
        """Tetrahedra about the origin."""
        desc = fill(ffi.new('piola_io_ball_desc *', lib.piola_io_ball_desc_default()),
                    dict(radius=radius, tetrahedra=tetrahedra), 'ball')
        return cls._made(lib.piola_io_make_ball, desc, options, 'Mesh.ball')

    @classmethod
    def capsule(cls, length=1, radius=0.25, tetrahedra=2000, **options):
        """A round bar with round ends along x, of tetrahedra."""
        desc = fill(ffi.new('piola_io_capsule_desc *', lib.piola_io_capsule_desc_default()),
                    dict(length=length, radius=radius, tetrahedra=tetrahedra), 'capsule')
        return cls._made(lib.piola_io_make_capsule, desc, options, 'Mesh.capsule')

    @classmethod
    def sheet(cls, size=(1, 1), cells=(16, 16), **options):
        """Cloth in the xz plane; its corner is the origin."""
        desc = fill(ffi.new('piola_io_sheet_desc *', lib.piola_io_sheet_desc_default()), dict(size=size, cells=cells),
                    'sheet')
        return cls._made(lib.piola_io_make_sheet, desc, options, 'Mesh.sheet')

    def _as_io(self, where):
        if self._io is None:
            raise TypeError(f'{where} needs a mesh that was read or made; write your arrays to a file and read it')
        return self._io

    def fill(self, tetrahedra=4000, **options):
        """The solid inside of this surface, whether it is closed or not."""
        desc = fill(ffi.new('piola_io_fill_desc *', lib.piola_io_fill_desc_default()), dict(tetrahedra=tetrahedra), 'fill')
        memory, error = ffi.new('piola_io_mesh **'), ffi.new('piola_io_error *')
        check_io(lib.piola_io_mesh_fill(self._as_io('Mesh.fill'), desc, _options(options), memory, ffi.NULL, error),
                 'Mesh.fill', error)
        return Mesh._own(memory, 'Mesh.fill')

    def write(self, path):
        """Whole or not at all; the extension names the format."""
        error = ffi.new('piola_io_error *')
        check_io(lib.piola_io_mesh_write(self._as_io('Mesh.write'), os.fsencode(path), error), 'Mesh.write', error)

    def inspect(self):
        """Box, volume, area, quality: piola_io_mesh_facts."""
        facts, error = ffi.new('piola_io_mesh_facts *'), ffi.new('piola_io_error *')
        check_io(lib.piola_io_mesh_inspect(self._as_io('Mesh.inspect'), facts, error), 'Mesh.inspect', error)
        return result(facts, 'piola_io_mesh_facts', 0)

    def _describe(self):
        desc = ffi.new('piola_mesh_desc *', lib.piola_mesh_desc_default())
        for name, one in (('vertices', 'vertex'), ('tetrahedra', 'tetrahedron'), ('triangles', 'triangle'),
                          ('bends', 'bend'), ('links', 'link')):
            array = getattr(self, name)
            if len(array):
                kind = 'const double *' if name == 'vertices' else 'const uint32_t *'
                setattr(desc, name, ffi.cast(kind, array.ctypes.data))
                setattr(desc, one + '_count', len(array))
        return desc


def _options(values):
    return fill(ffi.new('piola_io_mesh_options *', lib.piola_io_mesh_options_default()), values, 'options of a mesh')


def formats():
    """{extension: (what it is, can be read, can be written)}."""
    found, one = {}, ffi.new('piola_io_format *')
    for i in range(lib.piola_io_format_count()):
        lib.piola_io_format_at(i, one)
        found[ffi.string(one.extension).decode()] = (ffi.string(one.what).decode(), one.reads, one.writes)
    return found


_OF_ELEMENTS = {'tetrahedron_materials': ('uint32_t', 1), 'triangle_materials': ('uint32_t', 1),
                'bend_materials': ('uint32_t', 1), 'link_materials': ('uint32_t', 1), 'tetrahedron_frames': ('float', 9),
                'triangle_patterns': ('double', 6), 'triangle_directions': ('float', 3), 'link_lengths': ('float', 1),
                'link_bounds': ('float', 2), 'link_compliances': ('float', 1), 'link_dampings': ('float', 1)}


class Asset:
    """A compiled mesh, which any number of bodies may be made of. `materials` is one, or a list of them that
    `tetrahedron_materials=` and its kin choose from; other members of piola_mesh_desc are keywords too."""

    def __init__(self, mesh, materials=None, **values):
        desc = mesh._describe()
        if materials is None:
            materials = [material()]
        elif not isinstance(materials, (list, tuple)):
            materials = [materials]
        kept = ffi.new('piola_material[]', [m[0] for m in materials])
        desc.materials, desc.material_count = kept, len(materials)
        arrays = []
        for name in [n for n in values if n in _OF_ELEMENTS or n == 'tether_anchors']:
            kind, width = _OF_ELEMENTS.get(name, ('uint32_t', 1))
            array = np.ascontiguousarray(values.pop(name), dtype={'uint32_t': '<u4', 'float': '<f4', 'double': '<f8'}[kind])
            self._fits(name, array, width, desc)
            arrays.append(array)
            setattr(desc, name, ffi.cast(f'const {kind} *', array.ctypes.data))
            if name == 'tether_anchors':
                desc.tether_anchor_count = array.size
        fill(desc, values, 'Asset')
        memory, error = ffi.new('const piola_asset **'), ffi.new('piola_io_error *')
        check_io(lib.piola_io_asset_make(desc, ffi.NULL, memory, error), 'Asset', error)
        self._asset = ffi.gc(memory[0], lambda asset: lib.piola_io_asset_free(asset, ffi.NULL))

    @staticmethod
    def _fits(name, array, width, desc):
        if name == 'tether_anchors':
            return
        count = getattr(desc, name.split('_')[0] + '_count') * width
        if array.size != count:
            raise ValueError(f'Asset: {name} needs {count} numbers, and has {array.size}')

    @classmethod
    def _borrowed(cls, asset, owner):
        self = cls.__new__(cls)
        self._asset, self._owner = asset, owner
        return self

    def inspect(self):
        """Counts, mass and volume: piola_asset_stats."""
        stats = ffi.new('piola_asset_stats *')
        check(lib.piola_asset_inspect(self._asset, stats), 'Asset.inspect')
        return result(stats, 'piola_asset_stats', 0)

    def hash(self):
        return lib.piola_asset_hash(self._asset)

    def surface(self):
        """The triangles of its surface, rows of 3 vertices."""
        count = ffi.new('uint32_t *')
        triangles = lib.piola_asset_surface(self._asset, count)
        if not count[0]:
            return np.zeros((0, 3), dtype='<u4')
        return np.frombuffer(ffi.buffer(triangles, 12 * count[0]), dtype='<u4').reshape(-1, 3).copy()
