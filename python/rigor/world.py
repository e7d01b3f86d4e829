"""Worlds that are stepped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rigor import _core
from rigor._certificate import Certificate

Array = npt.NDArray[np.float64]


class Contacts(NamedTuple):
    """The contacts that acted in the last step, one row each; forces are means over the step."""

    body_a: npt.NDArray[np.int64]  #: place in World.bodies
    body_b: npt.NDArray[np.int64]
    point: Array  #: [m] (n, 3)
    normal: Array  #: (n, 3) from B to A
    gap: Array  #: [m] (n,) at the start of the step
    force: Array  #: [N] (n, 3) on A, the opposite on B; world axes
    torsion: Array  #: [N m] (n,) on A about the normal


class Loads(NamedTuple):
    """What acted on bodies in the last step, as means over it: forces [N], torques about the centre of mass
    [N m]. m (v+ - v) / h = applied + contacts + joints + m correction / h."""

    applied_force: Array
    applied_torque: Array
    contact_force: Array
    contact_torque: Array
    joint_force: Array
    joint_torque: Array
    correction: Array  #: [m/s]


class Axis(NamedTuple):
    """A free axis of a joint: a number of qpos, of qvel and of ctrl."""

    joint: str
    name: str
    unit: str  #: "m" or "rad"
    drive: str  #: what ctrl sets: the target of a "servo", the speed of a "motor", or the "effort"


class Hits(NamedTuple):
    """What rays hit first, one row each."""

    body: npt.NDArray[np.int64]  #: (n,) place in World.bodies; -1: nothing
    distance: Array  #: [m] (n,) infinite when nothing is hit
    point: Array  #: [m] (n, 3)
    normal: Array  #: (n, 3) of the surface, against the ray
    inside: npt.NDArray[np.bool_]  #: (n,) the ray starts inside a solid


class Closest(NamedTuple):
    """How far two bodies are apart, and where."""

    distance: float  #: [m] negative where they intersect
    point_a: Array  #: [m] (3,)
    point_b: Array
    normal: Array  #: (3,) from B to A


class Overlaps(NamedTuple):
    """What is near a probe, one row for each shape."""

    body: npt.NDArray[np.int64]  #: (n,) place in World.bodies
    distance: Array  #: [m] (n,) negative where they intersect
    point: Array  #: [m] (n, 3) on the probe
    body_point: Array  #: [m] (n, 3) on the body
    normal: Array  #: (n, 3) from the body to the probe


class Probe:
    """A shape that is in no world, to be asked about many times; the keys are those of a shape of a scene."""

    def __init__(self, shape: Mapping[str, Any], *, dimension: int = 3) -> None:
        scene = {"rigor": 1, "dimension": dimension, "bodies": [{"kind": "static", "shapes": [dict(shape)]}]}
        self._core = _core.probe(json.dumps(scene, default=lambda value: np.asarray(value).tolist()))


class Sensors(Mapping[str, Array]):
    """What the sensors show, by their names: views without copies, live, that can only be read."""

    def __init__(self, core: _core.World) -> None:
        #: All values, one sensor after the other.
        self.array: Array = np.asarray(core.sensors)
        self._views: dict[str, Array] = {}
        #: Kind of each sensor, and (name, unit) of its values.
        self.kinds: dict[str, str] = {}
        self.units: dict[str, tuple[tuple[str, str], ...]] = {}
        for name, kind, start, values in core.sensor_list():
            self._views[name] = self.array[start : start + len(values)]
            self.kinds[name] = kind
            self.units[name] = tuple(values)

    def __getitem__(self, name: str) -> Array:
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)


class World:
    """Bodies, joints and forces that can be stepped. Used by one thread at a time.

    qpos, qvel and ctrl are live: they show the present state, and what is written into them holds from the
    next step on (or from `settle`). qpos has position and quaternion of each root, then the joint
    coordinates; qvel linear and angular velocity of each root, then the joint rates; ctrl one number for each
    joint coordinate."""

    def __init__(self, core: _core.World) -> None:
        self._core = core
        #: step(count=1): makes steps; whether all of them were met.
        self.step: Callable[..., bool] = core.step
        self.bodies: tuple[str, ...] = tuple(core.body_names())
        self.axes: tuple[Axis, ...] = tuple(Axis(*axis) for axis in core.axes())
        self._qpos: Array | None = None
        self._qvel: Array | None = None
        self._ctrl: Array | None = None
        self._sensors: Sensors | None = None

    @property
    def qpos(self) -> Array:
        if self._qpos is None:
            self._qpos = np.asarray(self._core.qpos)
        return self._qpos

    @property
    def qvel(self) -> Array:
        if self._qvel is None:
            self._qvel = np.asarray(self._core.qvel)
        return self._qvel

    @property
    def ctrl(self) -> Array:
        if self._ctrl is None:
            self._ctrl = np.asarray(self._core.ctrl)
        return self._ctrl

    @property
    def sensors(self) -> Sensors:
        """What the sensors of the model show (docs/sensors.md): sensors["imu"] is a live array."""
        if self._sensors is None:
            self._sensors = Sensors(self._core)
        return self._sensors

    def rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, *, length: float = np.inf, ignore: str | None = None
    ) -> Hits:
        """What rays hit first: origins (n, 3) or (3,), directions (n, 3) or (3,) of any length but zero; `length`
        [m] is how far they go, `ignore` a body that they pass."""
        both = np.broadcast_arrays(np.atleast_2d(np.asarray(origins, float)), np.atleast_2d(np.asarray(directions, float)))
        rays = np.ascontiguousarray(np.hstack(both))
        if rays.ndim != 2 or rays.shape[1] != 6:
            raise ValueError(f"origins and directions have {rays.shape[1]} numbers together, must have 3 each")
        ignored = -1 if ignore is None else self.body(ignore)
        table: Array = np.asarray(self._core.rays(rays, len(rays), float(length), ignored))
        return Hits(
            table[:, 0].astype(np.int64), table[:, 1], table[:, 2:5], table[:, 5:8], table[:, 8].astype(np.bool_)
        )  # fmt: skip

    def ray(
        self, origin: npt.ArrayLike, direction: npt.ArrayLike, *, length: float = np.inf, ignore: str | None = None
    ) -> tuple[str, float] | None:
        """Name and distance [m] of the first body along a ray; None when there is none."""
        hits = self.rays(origin, direction, length=length, ignore=ignore)
        return None if hits.body[0] < 0 else (self.bodies[hits.body[0]], float(hits.distance[0]))

    def distance(self, a: str, b: str) -> Closest:
        """Distance and closest points of two bodies."""
        row: Array = np.asarray(self._core.distance(self.body(a), self.body(b)))
        return Closest(float(row[0]), row[1:4], row[4:7], row[7:10])

    def overlap(
        self,
        probe: Probe,
        position: npt.ArrayLike = (0, 0, 0),
        orientation: npt.ArrayLike = (1, 0, 0, 0),
        *,
        reach: float = 0,
        ignore: str | None = None,
    ) -> Overlaps:
        """The shapes that touch a probe at a pose, or are within `reach` [m] of it."""
        pose = np.concatenate([np.asarray(position, float).ravel(), np.asarray(orientation, float).ravel()])
        ignored = -1 if ignore is None else self.body(ignore)
        table: Array = np.asarray(self._core.overlap(probe._core, pose, float(reach), ignored))
        return Overlaps(table[:, 0].astype(np.int64), table[:, 1], table[:, 2:5], table[:, 5:8], table[:, 8:11])

    def measure(self) -> None:
        """Measures the sensors that are of the state alone once more, after qpos or qvel were set."""
        self._core.measure()

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time

    @property
    def steps(self) -> int:
        """Made so far."""
        return self._core.steps

    @property
    def hash(self) -> int:
        """Of poses, velocities and time: equal bits give equal hashes."""
        return self._core.hash

    @property
    def certificate(self) -> Certificate:
        """How well the last step was solved."""
        return Certificate(*self._core.certificate())

    @property
    def energy(self) -> tuple[float, float]:
        """[J] kinetic and potential."""
        return self._core.energy()

    @property
    def positions(self) -> Array:
        """[m] (bodies, 3) of body frames; a copy."""
        return np.asarray(self._core.poses())[:, :3]

    @property
    def orientations(self) -> Array:
        """(bodies, 4) quaternions of body frames; a copy."""
        return np.asarray(self._core.poses())[:, 3:]

    @property
    def velocities(self) -> Array:
        """[m/s] [rad/s] (bodies, 6) linear of the centre of mass, then angular; a copy."""
        return np.asarray(self._core.velocities())

    @property
    def contacts(self) -> Contacts:
        table: Array = np.asarray(self._core.contacts())
        return Contacts(
            table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2:5], table[:, 5:8], table[:, 8],
            table[:, 9:12], table[:, 12],
        )  # fmt: skip

    @property
    def loads(self) -> Loads:
        table: Array = np.asarray(self._core.loads())
        return Loads(*(table[:, 3 * i : 3 * i + 3] for i in range(7)))

    def body(self, name: str) -> int:
        """The place of a body in all arrays of bodies."""
        return self.bodies.index(name)

    def settle(self) -> None:
        """Sets what was written into qpos, qvel and ctrl now, and finds the contacts there."""
        self._core.settle()

    def problems(self) -> list[Any]:
        """The contact problems of the last step, one for each island, as rigor.Problem."""
        from rigor.problem import Problem

        return [Problem(core) for core in self._core.islands()]

    def save(self) -> bytes:
        """The whole state; a world of the same model goes on from it with the same bits."""
        return self._core.save()

    def load(self, state: bytes) -> None:
        self._core.load(state)

    def save_state(self) -> object:
        """A copy of the whole state within this process, far cheaper than `save`."""
        return self._core.save_state()

    def load_state(self, state: object) -> None:
        """Goes back to a copy of this world, or of another one of the same model, with the same bits."""
        self._core.load_state(state)

    def option(self, name: str) -> Any:
        return self._core.option(name)

    def set_option(self, name: str, value: Any) -> None:
        """Sets an option from the next step on (rigor.options() names them)."""
        self._core.set_option(name, value)


class Rollout(NamedTuple):
    """What worlds did: configurations and rates after each step, and whether the step was met."""

    qpos: Array  #: (worlds, steps, nq)
    qvel: Array  #: (worlds, steps, nv)
    met: npt.NDArray[np.bool_]  #: (worlds, steps)


def rollout(
    worlds: Sequence[World],
    steps: int | None = None,
    *,
    controls: npt.ArrayLike | None = None,
    threads: int = 1,
) -> Rollout:
    """Steps many worlds, each alone, on some threads: the same bits for any number of threads.

    controls: (worlds, steps, nu), set before each step; steps may be left out then.
    """
    given = None if controls is None else np.ascontiguousarray(controls, dtype=np.float64)
    if given is not None:
        if given.ndim != 3 or given.shape[0] != len(worlds):
            raise ValueError(f"controls have the shape {given.shape}, must be ({len(worlds)}, steps, controls)")
        if steps is not None and steps != given.shape[1]:
            raise ValueError(f"steps is {steps}, and there are controls for {given.shape[1]}")
        steps = given.shape[1]
    if steps is None:
        raise ValueError("steps or controls must be given")
    qpos, qvel, met = _core.rollout([world._core for world in worlds], given, steps, threads)
    return Rollout(np.asarray(qpos), np.asarray(qvel), np.asarray(met))
