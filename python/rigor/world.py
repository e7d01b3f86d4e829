"""Worlds that are stepped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
