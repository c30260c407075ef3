"""The world, and what lives in it."""
import numpy as np

from . import _interface as calls
from ._interface import ENUMS, LAYOUTS, ffi, lib
from ._runtime import Error, block, check, enum, fill, given, result, rows, text, vector
from .mesh import Asset
from .shape import Shape


class _Thing:
    """Something that a handle names. It stays valid, and says so, after what it names is gone."""

    def __init__(self, world, handle):
        self.world, self._world, self._handle = world, world._world, handle

    def __eq__(self, other):
        return (type(self) is type(other) and self._world == other._world and self._handle.index == other._handle.index and
                self._handle.generation == other._handle.generation)

    def __hash__(self):
        return hash((type(self), self._handle.index, self._handle.generation))

    def __repr__(self):
        state = '' if self.alive() else ', gone'
        return f'<{type(self).__name__} {self._handle.index}{state}>'


class Body(_Thing, calls.BodyCalls):
    """A deformable body. Arrays of it are in the order of its mesh's vertices."""

    @property
    def asset(self):
        return self.world._asset_of(self._handle)

    def _vertices(self):
        return int(self.inspect().vertices)

    def _tetrahedra(self):
        return int(self.asset.inspect().tetrahedra)

    def _triangles(self):
        return int(self.asset.inspect().triangles)

    def pins(self, vertices, positions=None):
        """Pins several vertices, where they are or at the positions given."""
        vertices = np.asarray(vertices).reshape(-1)
        positions = self.positions()[vertices] if positions is None else np.asarray(positions)
        for vertex, position in zip(vertices, positions):
            self.pin(int(vertex), position)

    def destroy(self):
        check(lib.piola_body_destroy(self._world, self._handle), 'body.destroy')
        self.world._bodies.pop((self._handle.index, self._handle.generation), None)


class Collider(_Thing, calls.ColliderCalls):
    """What bodies cannot enter: fixed, or moved by you."""


class Rigid(_Thing, calls.RigidCalls):
    """A rigid body."""


class Attachment(_Thing, calls.AttachmentCalls):
    """A point of a body held at another, or at a place."""


class Traction(_Thing, calls.TractionCalls):
    """A load on a part of a body's surface."""

    def destroy(self):
        check(lib.piola_traction_destroy(self._world, self._handle), 'traction.destroy')


_THINGS = {'piola_body': Body, 'piola_collider': Collider, 'piola_rigid': Rigid, 'piola_attachment': Attachment,
           'piola_traction': Traction}


class Snapshot:
    """A world's state, which `World.restore` takes back; `bytes(snapshot)` and `Snapshot(bytes)` store it."""

    def __init__(self, data, bodies=None):
        self._array, self._start = block(len(data))
        self._array[:] = np.frombuffer(data, dtype=np.uint8)
        self._bodies = dict(bodies or {})

    def __bytes__(self):
        return self._array.tobytes()

    def __len__(self):
        return len(self._array)


class World(calls.WorldCalls):
    """Bodies, colliders and what holds them, stepped together.

    `World(assets)` has room for one body of each asset; `assets` may be {asset: how many}. Keywords are the members of
    piola_world_desc: dt, substeps, iterations, solver ('descent', 'energy', 'compliant'), gravity, max_colliders,
    max_contacts and so on. `threads` step it; its results do not depend on how many.
    """

    def __init__(self, assets=(), threads=1, **values):
        desc = fill(ffi.new('piola_world_desc *', lib.piola_world_desc_default()), values, 'World')
        assets = dict(assets) if isinstance(assets, dict) else {a: 1 for a in assets}
        error = ffi.new('piola_error *')
        if assets:
            array = ffi.new('const piola_asset *[]', [a._asset for a in assets])
            counts = ffi.new('uint32_t[]', list(assets.values()))
            check(lib.piola_world_desc_fit(desc, array, counts, len(assets), error), 'World', error)
            fill(desc, {k: v for k, v in values.items() if k.startswith('max_')}, 'World')
        size = ffi.new('size_t *')
        check(lib.piola_world_size(desc, size, error), 'World', error)
        memory, start = block(size[0])
        made = ffi.new('piola_world **')
        check(lib.piola_world_create(desc, start, size[0], made, error), 'World', error)
        self._world = ffi.gc(made[0], lambda world: lib.piola_world_destroy(world) and memory)  # which lives until then
        self.dt = desc.dt
        self._begin(threads)

    def _begin(self, threads):
        self._bodies, self._assets, self._shapes, self._kept = {}, {}, [], []
        self._report = ffi.new('piola_report *')
        self._workers, self._tasks, self.threads = None, ffi.NULL, threads
        if threads == 1:
            return
        desc = ffi.new('piola_workers_desc *', lib.piola_workers_desc_default())
        desc.threads = threads
        size, error, made = ffi.new('size_t *'), ffi.new('piola_error *'), ffi.new('piola_workers **')
        check(lib.piola_workers_size(desc, size, error), 'World(threads)', error)
        memory, start = block(size[0])
        check(lib.piola_workers_create(desc, start, size[0], made, error), 'World(threads)', error)
        self._workers = ffi.gc(made[0], lambda workers: lib.piola_workers_destroy(workers) and memory)
        self._tasks = lib.piola_workers_tasks(self._workers)

    @classmethod
    def _borrowed(cls, world, tasks, dt, owner):
        self = cls.__new__(cls)
        self._world, self.dt, self._owner = world, dt, owner
        self._begin(1)
        self._tasks = tasks
        return self

    def _object(self, kind, handle):
        return _THINGS[kind](self, ffi.new(kind + ' *', handle)[0])

    def _asset_of(self, handle):
        found = self._bodies.get((handle.index, handle.generation))
        if found is None:
            raise Error('body.asset: this body was not made by this World object', 0)
        return found

    # --- What comes and goes. Between steps only. ---

    def body(self, asset, **values):
        """A body of the asset: position, rotation (quaternion x, y, z, w), velocity, friction_kinetic, pressure and the
        other members of piola_body_desc."""
        known = self._assets.get(asset)
        if known is None:
            status = lib.piola_world_add_asset(self._world, asset._asset)
            check(status, 'world.body')
            self._assets[asset] = True
        desc = fill(ffi.new('piola_body_desc *', lib.piola_body_desc_default()), values, 'world.body')
        desc.asset = asset._asset
        handle, error = ffi.new('piola_body *'), ffi.new('piola_error *')
        check(lib.piola_body_create(self._world, desc, handle, error), 'world.body', error)
        self._bodies[(handle[0].index, handle[0].generation)] = asset
        return self._object('piola_body', handle[0])

    def _shaped(self, kind, shape, values):
        if not isinstance(shape, Shape):
            raise TypeError(f'world.{kind} needs a Shape, like Shape.sphere(0.1)')
        if shape._data is not None and shape not in self._shapes:
            check(lib.piola_world_add_shape(self._world, shape._data), f'world.{kind}')
            self._shapes.append(shape)
        desc = fill(ffi.new(f'piola_{kind}_desc *', getattr(lib, f'piola_{kind}_desc_default')()), values, f'world.{kind}')
        desc.shape = shape._shape
        handle, error = ffi.new(f'piola_{kind} *'), ffi.new('piola_error *')
        check(getattr(lib, f'piola_{kind}_create')(self._world, desc, handle, error), f'world.{kind}', error)
        return self._object(f'piola_{kind}', handle[0])

    def collider(self, shape, **values):
        """A collider: position, rotation, friction_kinetic, restitution and the other members of piola_collider_desc."""
        return self._shaped('collider', shape, values)

    def rigid(self, shape, **values):
        """A rigid body: position, rotation, velocity, mass and the other members of piola_rigid_desc."""
        return self._shaped('rigid', shape, values)

    def attach(self, body, vertices, weights=None, to=None, to_vertices=None, to_weights=None, target=None, **values):
        """Holds a point of `body` (one vertex, or the weighted mean of up to four) at a point of the body `to`, or at
        the place `target`; compliance (m/N) and damping (N s/m) are keywords."""
        desc = fill(ffi.new('piola_attachment_desc *', lib.piola_attachment_desc_default()), values, 'world.attach')
        self._point(desc.point, body, vertices, weights)
        if to is not None:
            self._point(desc.other, to, to_vertices, to_weights)
        elif target is not None:
            desc.target = vector(target, 3, 'target')
        else:
            desc.target = vector(self._place(body, vertices, weights), 3, 'target')
        handle, error = ffi.new('piola_attachment *'), ffi.new('piola_error *')
        check(lib.piola_attachment_create(self._world, desc, handle, error), 'world.attach', error)
        return self._object('piola_attachment', handle[0])

    @staticmethod
    def _weights(vertices, weights):
        vertices = np.atleast_1d(vertices)
        weights = np.full(len(vertices), 1 / len(vertices)) if weights is None else np.atleast_1d(weights)
        if not 1 <= len(vertices) <= 4 or len(weights) != len(vertices):
            raise ValueError('world.attach: a point is of 1 to 4 vertices, with a weight each')
        return vertices, weights

    def _point(self, point, body, vertices, weights):
        vertices, weights = self._weights(vertices, weights)
        point.body, point.count = body._handle, len(vertices)
        for i, (v, w) in enumerate(zip(vertices, weights)):
            point.vertices[i], point.weights[i] = int(v), float(w)

    def _place(self, body, vertices, weights):
        vertices, weights = self._weights(vertices, weights)
        return weights @ body.positions()[vertices]

    def traction(self, body, triangles, **values):
        """A load on triangles of the body's surface (their numbers): traction (Pa, 3 numbers), pressure (Pa)."""
        desc = fill(ffi.new('piola_traction_desc *', lib.piola_traction_desc_default()), values, 'world.traction')
        array = np.ascontiguousarray(triangles, dtype='<u4').reshape(-1)
        desc.body, desc.triangles = body._handle, ffi.cast('const uint32_t *', array.ctypes.data)
        desc.triangle_count = array.size
        handle, error = ffi.new('piola_traction *'), ffi.new('piola_error *')
        check(lib.piola_traction_create(self._world, desc, handle, error), 'world.traction', error)
        return self._object('piola_traction', handle[0])

    # --- Time. ---

    def step(self, count=1):
        """Steps; the report of the last one. Other Python threads run meanwhile."""
        for _ in range(count):
            check(lib.piola_world_step(self._world, self._tasks, self._report), 'world.step')
        return self.report

    @property
    def report(self):
        return result(self._report, 'piola_report', 0)

    def snapshot(self):
        """The state now, to be given to `restore`."""
        size = lib.piola_snapshot_size(self._world)
        made = Snapshot.__new__(Snapshot)
        made._array, made._start = block(size)
        check(lib.piola_snapshot_save(self._world, made._start, size), 'world.snapshot')
        made._bodies = dict(self._bodies)
        return made

    def restore(self, snapshot):
        """Takes a state back; from there the same inputs give the same bits."""
        check(lib.piola_snapshot_restore(self._world, snapshot._start, len(snapshot)), 'world.restore')
        self._bodies = dict(snapshot._bodies) or self._bodies

    # --- What one can ask. ---

    def contact_points(self, body):
        """What touches the body: records of piola_contact_point."""
        count = ffi.new('uint64_t *')
        check(lib.piola_world_contact_points(self._world, body._handle, ffi.NULL, 0, count), 'world.contact_points')
        found = np.zeros(count[0], dtype=LAYOUTS['piola_contact_point'])
        memory = ffi.cast('piola_contact_point *', found.ctypes.data)
        if len(found):
            check(lib.piola_world_contact_points(self._world, body._handle, memory, len(found), count),
                  'world.contact_points')
        return found.view(np.recarray)

    def contact_events(self):
        """What began, went on and ended in the last step: records of piola_contact_event."""
        total = ffi.new('uint32_t *')
        check(lib.piola_world_contact_events(self._world, 0, 0, ffi.NULL, total), 'world.contact_events')
        found = np.zeros(total[0], dtype=LAYOUTS['piola_contact_event'])
        if len(found):
            memory = ffi.cast('piola_contact_event *', found.ctypes.data)
            check(lib.piola_world_contact_events(self._world, 0, len(found), memory, total), 'world.contact_events')
        return found.view(np.recarray)

    def _asked(self, kind, call, values, missed):
        desc = fill(ffi.new(f'piola_{kind} *', getattr(lib, f'piola_{kind}_default')()), values, f'world.{call}')
        hit, error = ffi.new('piola_hit *'), ffi.new('piola_error *')
        status = getattr(lib, f'piola_world_{call}')(self._world, desc, hit, error)
        if status == missed:
            return None
        check(status, f'world.{call}', error)
        found = result(hit, 'piola_hit', 0)
        return found if found.body.index or found.collider.index or found.rigid.index else None

    def ray(self, origin, direction, **values):
        """The first surface on the way, as a piola_hit, or None."""
        return self._asked('ray', 'ray', dict(values, origin=origin, direction=direction), None)

    def closest(self, point, **values):
        """The surface nearest to a point, as a piola_hit, or None."""
        return self._asked('probe', 'closest', dict(values, point=point), None)

    def capacities(self):
        """{name: (capacity, used, most, dropped)} of all that has a limit."""
        return self._entries('capacity', 'piola_capacity', ('capacity', 'used', 'most', 'dropped'))

    def memory(self):
        """{name: bytes}."""
        return {name: values[0] for name, values in self._entries('memory', 'piola_memory_entry', ('bytes',)).items()}

    def _entries(self, call, kind, members):
        found, index, one = {}, 0, ffi.new(kind + ' *')
        while getattr(lib, f'piola_world_{call}')(self._world, index, one) == 0:
            found[ffi.string(one.name).decode()] = tuple(getattr(one, m) for m in members)
            index += 1
        return found
