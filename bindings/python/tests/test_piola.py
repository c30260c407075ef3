"""The Python package against the interface list and the command. Run by `./dev test` and `./dev python --test`."""
import json
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import piola

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'bindings'))
import interface  # noqa: E402

API = interface.load()
COMMAND = os.environ.get('PIOLA_COMMAND', str(ROOT / 'build-release' / 'app' / 'piola'))
CUBE = {'description': 'a cube falls', 'meshes': {'cube': {'box': {'size': [0.2, 0.2, 0.2], 'cells': [3, 3, 3]}}},
        'materials': {'rubber': {'young': 2e4}},
        'bodies': [{'name': 'cube', 'mesh': 'cube', 'material': 'rubber', 'position': [0, 0.3, 0]}],
        'colliders': [{'name': 'floor', 'shape': 'plane'}],
        'world': {'dt': 0.005}, 'seconds': 0.5}


@pytest.fixture
def drop():
    """A cube of 20 kPa above a floor: world, body, collider."""
    asset = piola.Asset(piola.Mesh.box(size=(0.2, 0.2, 0.2), cells=(3, 3, 3)), piola.material(young=2e4))
    world = piola.World([asset], max_colliders=4, max_rigids=2, max_attachments=4, max_contact_events=16)
    floor = world.collider(piola.Shape.plane(), friction_kinetic=0.5)
    return world, world.body(asset, position=(0, 0.1, 0)), floor


def test_layouts_are_those_of_the_interface():
    for struct in API['structs']:
        assert piola.ffi.sizeof(struct['name']) == struct['bytes'], struct['name']
        for member in struct['members']:
            assert piola.ffi.offsetof(struct['name'], member['name']) == member['offset'], member
    for enum in API['enums']:
        for value in enum['values']:
            assert piola.ENUMS[enum['name']][value['name']] == value['value']


def test_every_call_of_a_handle_is_a_method():
    nouns = {'world': piola.World, 'body': piola.Body, 'collider': piola.Collider, 'rigid': piola.Rigid,
             'attachment': piola.Attachment, 'traction': piola.Traction}
    # Reached by other names, or not needed where Python keeps memory and threads.
    elsewhere = {'world.move', 'world.destroy', 'world.add_asset', 'world.drop_asset', 'world.add_shape', 'world.isa',
                 'world.drop_shape', 'world.push', 'world.capacity', 'world.set_wind_grid', 'world.drop_wind_grid',
                 'world.overlap'}
    missing = [f"{n}.{interface.verb(f)}" for f in API['functions'] for n in [interface.noun(f)]
               if n and not hasattr(nouns[n], interface.verb(f))]
    assert set(missing) <= elsewhere, set(missing) - elsewhere


def test_a_ball_comes_to_rest_on_the_floor(drop):
    world, cube, floor = drop
    world.step(600)
    force = np.array(floor.inspect().force)
    assert abs(force[1]) == pytest.approx(cube.inspect().mass * 9.81, rel=0.02)
    assert np.abs(cube.velocities()).max() < 5e-3
    assert -1e-3 < cube.positions()[:, 1].min() < 5e-3
    low, high = cube.bounds()
    assert low[1] == pytest.approx(cube.positions()[:, 1].min()) and high[1] < 0.2


def test_arrays_are_written_in_place_and_read(drop):
    world, cube, _ = drop
    out = np.zeros((64, 3), dtype=np.float32)
    assert cube.positions(out=out) is out and out.any()
    part = cube.positions(first=10, count=5)
    assert (part == out[10:15]).all()
    cube.set_positions(out + np.float32([0, 1, 0]))
    assert (cube.positions() == out + np.float32([0, 1, 0])).all()
    cube.set_velocities(np.tile([1, 2, 3], (64, 1)))
    assert (cube.velocities() == [1, 2, 3]).all()
    for wrong in (np.zeros((3, 3), np.float32), np.zeros((64, 3)), np.zeros((3, 64), np.float32).T):
        with pytest.raises(ValueError, match='out must be'):
            cube.positions(out=wrong)
    with pytest.raises(ValueError, match='rows of 3'):
        cube.set_positions(np.zeros(12))
    with pytest.raises(piola.Error, match='piola_body|vert|range'):
        cube.positions(first=60, count=10)


def test_element_states_are_records(drop):
    world, cube, _ = drop
    world.step(100)
    states = cube.tetrahedron_states()
    assert len(states) == cube.asset.inspect().tetrahedra == 135
    assert states.energy.sum() == pytest.approx(cube.elastic_energy(), rel=1e-3)
    assert states.deformation.shape == (135, 9)


@pytest.mark.parametrize('threads', [1, 2])
def test_the_bits_are_the_command_s(tmp_path, threads):
    path = tmp_path / 'cube.json'
    path.write_text(json.dumps(CUBE))
    told = subprocess.run([COMMAND, 'run', str(path), '--hash'], check=True, capture_output=True, text=True).stdout
    for source in (CUBE, str(path)):
        scene = piola.Scene(source, threads=threads)
        scene.run()
        assert f'{scene.world.hash():016x}' == told.strip()
    assert list(scene.bodies) == ['cube'] and list(scene.colliders) == ['floor']
    assert scene.bodies['cube'].asset.inspect().tetrahedra == 135


def test_rollback_gives_the_same_bits(drop):
    world, cube, _ = drop
    world.step(20)
    before = world.snapshot()
    stored = piola.Snapshot(bytes(before))
    world.step(30)
    straight = world.hash()
    for snapshot in (before, stored):
        world.restore(snapshot)
        cube.impulse(0, (0, 1, 0))
        world.step(30)
        assert world.hash() != straight
        world.restore(snapshot)
        world.step(30)
        assert world.hash() == straight
    broken = bytearray(bytes(before))
    broken[len(broken) // 2] ^= 1
    with pytest.raises(piola.Error):
        world.restore(piola.Snapshot(bytes(broken)))
    assert world.hash() == straight


def test_what_comes_and_goes(drop):
    world, cube, floor = drop
    ball = world.rigid(piola.Shape.sphere(0.05), mass=1, position=(1, 1, 0))
    hull = world.collider(piola.Shape.hull(np.random.default_rng(1).normal(size=(20, 3))), position=(9, 9, 9))
    hold = world.attach(cube, [0, 1], compliance=1e-4)
    assert world.bodies() == [cube] and world.rigids() == [ball] and world.attachments() == [hold]
    assert set(world.colliders()) == {floor, hull}
    world.step(10)
    assert ball.inspect().velocity[1] == pytest.approx(-9.81 * 0.05, rel=1e-4)
    assert hold.inspect().compliance == pytest.approx(1e-4)
    for thing in (ball, hull, hold, cube):
        assert thing.alive()
        thing.destroy()
        assert not thing.alive() and 'gone' in repr(thing)
    with pytest.raises(piola.Error):
        cube.positions()
    assert world.bodies() == []


def test_questions(drop):
    world, cube, floor = drop
    hit = world.ray((0.1, 2, 0.1), (0, -1, 0))
    assert hit.body.index == 1 and hit.distance == pytest.approx(1.7, abs=1e-3)
    assert world.ray((5, 2, 5), (0, 1, 0)) is None
    assert world.closest((0.1, 1, 0.1), radius=5).point[1] == pytest.approx(0.3, abs=1e-3)
    world.step(400)
    points = world.contact_points(cube)
    assert len(points) >= 4 and points.normal_force.sum() == pytest.approx(cube.inspect().mass * 9.81, rel=0.02)
    assert len(world.contact_events()) == 1
    assert world.capacities()['max_bodies'][:2] == (1, 1)
    assert sum(world.memory().values()) > 10000


def test_your_own_arrays_and_files(tmp_path):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    tetrahedron = piola.Asset(piola.Mesh(corners, tetrahedra=[[1, 0, 2, 3]]), piola.material(density=600))
    assert tetrahedron.inspect().mass == pytest.approx(100)
    assert len(tetrahedron.surface()) == 4
    square = piola.Mesh([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], triangles=[[0, 1, 2], [2, 1, 3]])
    assert len(square.bends) == 1
    rope = piola.Asset(piola.Mesh(np.arange(30.).reshape(10, 3) / 30, links=[[i, i + 1] for i in range(9)]),
                       piola.material(density=0.1), link_compliances=np.zeros(9))
    assert rope.inspect().links == 9
    mesh = piola.Mesh.box(size=(1, 2, 3), cells=(2, 2, 2))
    for extension, (_, reads, writes) in piola.formats().items():
        if reads and writes and extension not in ('stl', 'ply', 'off', 'obj'):
            mesh.write(tmp_path / f'box.{extension}')
            again = piola.Mesh.read(tmp_path / f'box.{extension}')
            assert again.inspect().volume == pytest.approx(6, rel=1e-6), extension
    with pytest.raises(ValueError):
        mesh.vertices[0] = 1
    mesh.write(tmp_path / 'box.stl')
    filled = piola.Mesh.read(tmp_path / 'box.stl', scale=(0.1, 0.1, 0.1)).fill(tetrahedra=500)
    assert filled.inspect().volume == pytest.approx(0.006, rel=0.2)


@pytest.mark.parametrize('call, kind, message', [
    (lambda w, b: piola.World(iteratons=3), TypeError, "did you mean 'iterations'"),
    (lambda w, b: piola.World(dt=-1), piola.Error, 'piola_world_desc.dt'),
    (lambda w, b: piola.World(solver='descnt'), ValueError, 'one of descent'),
    (lambda w, b: piola.World(gravity=(1, 2)), ValueError, 'needs 3 numbers'),
    (lambda w, b: piola.World(max_bodies=-1), OverflowError, 'max_bodies'),
    (lambda w, b: piola.Mesh.read('nowhere.stl'), piola.Error, 'nowhere.stl.*cannot be opened'),
    (lambda w, b: piola.Mesh([[0, 0]]), ValueError, 'rows of 3'),
    (lambda w, b: piola.Asset(piola.Mesh.box(), piola.material(young=-1)), piola.Error, 'young'),
    (lambda w, b: piola.Asset(piola.Mesh.box(), tetrahedron_materials=[0]), ValueError, 'needs 320'),
    (lambda w, b: w.body(b.asset), piola.Error, 'bodies'),
    (lambda w, b: b.pin(0, (1, 2)), ValueError, 'needs 3 numbers'),
    (lambda w, b: w.collider('sphere'), TypeError, 'Shape.sphere'),
    (lambda w, b: w.attach(b, [0, 1, 2, 3, 4]), ValueError, '1 to 4'),
    (lambda w, b: piola.Scene(dict(CUBE, bodies=[{'mesh': 'nothing', 'material': 'rubber'}])), piola.Error, 'nothing'),
    (lambda w, b: piola.Scene('nowhere.json'), piola.Error, 'nowhere.json'),
])
def test_refusals_say_what_was_wrong(drop, call, kind, message):
    world, cube, _ = drop
    before = world.hash()
    with pytest.raises(kind, match=message):
        call(world, cube)
    assert world.hash() == before


def test_other_threads_run_during_a_step(drop):
    world, _, _ = drop
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        world.step(100)
    finally:
        done.set()
        thread.join()
    assert counted[0] > 0


def test_the_example_runs():
    told = subprocess.run([sys.executable, str(ROOT / 'bindings/python/examples/five_minutes.py')], check=True,
                          capture_output=True, text=True).stdout
    assert 'the same inputs give the same bits: True - another input gives others: True' in told
