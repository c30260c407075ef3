"""Shapes of colliders and rigid bodies."""
import numpy as np

from ._interface import ffi, lib
from ._runtime import block, check, fill, result, vector


class Shape:
    """`plane`, `sphere`, `capsule` and `box` are ready at once; `hull`, `mesh`, `wall`, `heights` and `distances` are
    compiled from arrays. One shape may serve many colliders and rigid bodies."""

    def __init__(self, shape, memory=None, data=None):
        self._shape, self._memory, self._data = shape, memory, data

    @classmethod
    def plane(cls):
        """All below y = 0 of its own frame."""
        return cls(lib.piola_shape_plane())

    @classmethod
    def sphere(cls, radius):
        return cls(lib.piola_shape_sphere(radius))

    @classmethod
    def capsule(cls, half_length, radius):
        return cls(lib.piola_shape_capsule(half_length, radius))

    @classmethod
    def box(cls, half, radius=0):
        """`half` its width along x, y, z, without the `radius` of its round edges."""
        return cls(lib.piola_shape_box(vector(half, 3, 'half'), radius))

    @classmethod
    def hull(cls, vertices):
        """The convex hull of the vertices."""
        return cls._compiled('hull', vertices=vertices)

    @classmethod
    def mesh(cls, vertices, triangles):
        """A closed surface of triangles."""
        return cls._compiled('mesh', vertices=vertices, triangles=triangles)

    @classmethod
    def wall(cls, vertices, triangles):
        """Open triangles, as thick on both sides as the collider's margin."""
        return cls._compiled('wall', vertices=vertices, triangles=triangles)

    @classmethod
    def heights(cls, samples, spacing, origin=(0, 0, 0)):
        """Ground that is samples[z][x] high (m), in steps of `spacing`."""
        return cls._compiled('heights', samples=np.asarray(samples)[:, np.newaxis, :], spacing=spacing, origin=origin)

    @classmethod
    def distances(cls, samples, spacing, origin=(0, 0, 0)):
        """Signed distances samples[z][y][x] (m, negative inside) at the nodes of a grid."""
        return cls._compiled('distances', samples=samples, spacing=spacing, origin=origin)

    @classmethod
    def _compiled(cls, kind, vertices=None, triangles=None, samples=None, **values):
        desc = ffi.new('piola_shape_desc *', lib.piola_shape_desc_default())
        kept = []
        for name, array, form, c, width in (('vertices', vertices, '<f8', 'const double *', 3),
                                            ('triangles', triangles, '<u4', 'const uint32_t *', 3),
                                            ('samples', samples, '<f4', 'const float *', 0)):
            if array is None:
                continue
            array = np.ascontiguousarray(array, dtype=form)
            if array.ndim != (2 if width else 3) or (width and array.shape[1] != width):
                raise ValueError(f'Shape.{kind}: {name} has the shape {array.shape}')
            kept.append(array)
            setattr(desc, name, ffi.cast(c, array.ctypes.data))
            if name == 'samples':
                desc.sample_count = [array.shape[2], array.shape[0], 1] if kind == 'heights' else list(array.shape[::-1])
            else:
                setattr(desc, {'vertices': 'vertex_count', 'triangles': 'triangle_count'}[name], len(array))
        fill(desc, dict(values, kind=kind), 'Shape.' + kind)
        size, scratch_size, error = ffi.new('size_t *'), ffi.new('size_t *'), ffi.new('piola_error *')
        check(lib.piola_shape_size(desc, size, scratch_size, error), 'Shape.' + kind, error)
        memory, start = block(size[0])
        scratch, scratch_start = block(scratch_size[0])
        data = ffi.new('const piola_shape_data **')
        check(lib.piola_shape_compile(desc, scratch_start, scratch_size[0], start, size[0], data, error), 'Shape.' + kind,
              error)
        return cls(lib.piola_shape_of(data[0]), memory, data[0])

    def inspect(self):
        """Of a compiled shape: piola_shape_stats."""
        if self._data is None:
            raise TypeError('Shape.inspect is for shapes that are compiled from arrays')
        stats = ffi.new('piola_shape_stats *')
        check(lib.piola_shape_inspect(self._data, stats), 'Shape.inspect')
        return result(stats, 'piola_shape_stats', 0)
