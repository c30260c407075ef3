"""A jelly on a floor, a cape on two pins, and a rollback: run it with `./dev python bindings/python/examples/five_minutes.py`."""
import numpy as np

import piola

# A jelly: 2,000 tetrahedra of 20 kPa, 30 cm above a floor.
ball = piola.Asset(piola.Mesh.ball(radius=0.2, tetrahedra=2000), piola.material(young=2e4, damping=0.01))
# A cape: 40 x 40 squares of cotton, 0.2 kg/m^2 and 500 N/m.
cotton = piola.material(young=5e5, poisson=0.3, density=200, thickness=1e-3)
cape = piola.Asset(piola.Mesh.sheet(size=(1, 1), cells=(40, 40)), cotton)

world = piola.World([ball, cape], max_colliders=1, dt=1 / 200)
world.collider(piola.Shape.plane(), friction_kinetic=0.5)
jelly = world.body(ball, position=(0, 0.5, 0))
cloth = world.body(cape, position=(1, 1.5, 0))
cloth.pins([0, 40])  # two corners, where they are

positions = np.zeros((len(jelly.positions()), 3), dtype=np.float32)
for second in range(1, 4):
    report = world.step(200)
    jelly.positions(out=positions)  # straight into the array
    hem = cloth.positions()[:, 1].min()
    print(f'after {second} s the jelly is {np.ptp(positions[:, 1]):.3f} m high, and the hem hangs at {hem:.3f} m')

# Rollback: eight steps back, another input, on again; and without it the same bits.
before = world.snapshot()
world.step(8)
straight = world.hash()
world.restore(before)
jelly.impulse(0, (0, 5, 0))
world.step(8)
pushed = world.hash()
world.restore(before)
world.step(8)
print('the same inputs give the same bits:', world.hash() == straight, '- another input gives others:', pushed != straight)
