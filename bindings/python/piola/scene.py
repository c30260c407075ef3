"""Scenes: the files of the `piola` command, or the same as a dict."""
import json
import os

import numpy as np

from ._interface import ffi, lib
from ._runtime import check_io, fill, result
from .mesh import Asset
from .world import Body, Collider, World


class Scene:
    """`Scene('demo.json')`, or `Scene({...})` with the keys of docs/reference/scene-keys.md. Keywords overrule it:
    threads, iterations, substeps, solver. `world`, `bodies` (by name) and `colliders` are ready to use."""

    def __init__(self, source, path=None, **values):
        desc = fill(ffi.new('piola_io_scene_desc *', lib.piola_io_scene_desc_default()), values, 'Scene')
        made, error = ffi.new('piola_io_scene **'), ffi.new('piola_io_error *')
        if isinstance(source, dict):
            text = json.dumps(source).encode()
            name = os.fsencode(path or os.path.join(os.getcwd(), 'scene.json'))
            check_io(lib.piola_io_scene_parse(text, len(text), name, desc, made, error), 'Scene', error)
        else:
            check_io(lib.piola_io_scene_open(os.fsencode(source), desc, made, error), 'Scene', error)
        self._scene = ffi.gc(made[0], lib.piola_io_scene_close)
        facts = lib.piola_io_scene_inspect(self._scene)
        self.description = ffi.string(facts.description).decode() if facts.description != ffi.NULL else ''
        self.seconds, self.dt, self.threads = facts.seconds, facts.dt, facts.threads
        self.world = World._borrowed(facts.world, facts.tasks, facts.dt, self)
        self.steps = 0
        self._name_things(facts)

    def _name_things(self, facts):
        self.bodies, self.colliders = {}, {}
        body, collider = ffi.new('piola_io_scene_body *'), ffi.new('piola_io_scene_collider *')
        for i in range(facts.body_count):
            lib.piola_io_scene_body_at(self._scene, i, body)
            thing = Body(self.world, ffi.new('piola_body *', body.handle)[0])
            key = (body.handle.index, body.handle.generation)
            self.world._bodies[key] = Asset._borrowed(body.asset, self)
            self.bodies[ffi.string(body.name).decode()] = thing
        for i in range(facts.collider_count):
            lib.piola_io_scene_collider_at(self._scene, i, collider)
            name = ffi.string(collider.name).decode() if collider.name != ffi.NULL else f'collider {i}'
            self.colliders[name] = Collider(self.world, ffi.new('piola_collider *', collider.handle)[0])

    def step(self, count=1):
        """Steps, with all that the scene moves in time; the report of the last one."""
        error = ffi.new('piola_io_error *')
        for _ in range(count):
            check_io(lib.piola_io_scene_step(self._scene, self.steps + 1, self.world._report, error), 'Scene.step', error)
            self.steps += 1
        return self.world.report

    def run(self, seconds=None):
        """Steps for so long, or as long as the scene is meant to run."""
        return self.step(max(0, round((self.seconds if seconds is None else seconds) / self.dt)))

    def snapshot(self):
        """The world's state and the number of the step."""
        made = self.world.snapshot()
        made.steps = self.steps
        return made

    def restore(self, snapshot):
        self.world.restore(snapshot)
        self.steps = snapshot.steps
