"""Piola: deformable solids, cloth and ropes in hard real time.

    import piola
    ball = piola.Asset(piola.Mesh.ball(0.2), piola.material(young=2e4))
    world = piola.World([ball], max_colliders=1)
    world.collider(piola.Shape.plane())
    jelly = world.body(ball, position=(0, 1, 0))
    world.step(200)
    print(jelly.positions().mean(axis=0))

Units are SI. Arrays are numpy's; the engine writes straight into the array given as `out`. A refused call raises
piola.Error and changes nothing. The names are those of the C interface without `piola_` and its noun: see
docs/reference and the methods' own texts.
"""
from ._interface import ENUMS, INTERFACE, ffi, lib
from ._runtime import Error
from .mesh import Asset, Mesh, formats, material
from .scene import Scene
from .shape import Shape
from .world import Attachment, Body, Collider, Rigid, Snapshot, Traction, World

__version__ = ffi.string(lib.piola_version()).decode()
__all__ = ['Asset', 'Attachment', 'Body', 'Collider', 'ENUMS', 'Error', 'INTERFACE', 'Mesh', 'Rigid', 'Scene', 'Shape',
           'Snapshot', 'Traction', 'World', 'formats', 'material']
