"""An environment in the form that Gymnasium gives them, without depending on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rigor.model import Model
from rigor.world import World

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """A space of arrays between two bounds."""

    low: Array
    high: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.low.shape

    def sample(self, rng: np.random.Generator) -> Array:
        low, high = np.maximum(self.low, -1e3), np.minimum(self.high, 1e3)
        return rng.uniform(low, high)

    def contains(self, x: Any) -> bool:
        return np.shape(x) == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


def _observe(world: World) -> Array:
    return np.concatenate([world.qpos, world.qvel])


def _no_reward(world: World, action: Array) -> float:
    return 0.0


def _never(world: World) -> bool:
    return False


class Env:
    """A model with a reward: reset and step as Gymnasium's environments have them.

    An action is the array ctrl; it acts for `frame_skip` steps. An episode is cut off after `episode_steps`
    of them. `noise` is the size of the random changes of the joint coordinates at a reset [m] or [rad]."""

    def __init__(
        self,
        model: Model,
        *,
        reward: Callable[[World, Array], float] = _no_reward,
        terminated: Callable[[World], bool] = _never,
        observe: Callable[[World], Array] = _observe,
        frame_skip: int = 1,
        episode_steps: int = 1000,
        action_bound: float = 1.0,
        noise: float = 0.0,
    ) -> None:
        self.world = model.world()
        self._reward, self._terminated, self._observe = reward, terminated, observe
        self.frame_skip, self.episode_steps, self.noise = frame_skip, episode_steps, noise
        self._start = self.world.save()
        self._made = 0
        self.np_random = np.random.default_rng()
        bound = np.full(len(self.world.ctrl), action_bound)
        self.action_space = Box(-bound, bound)
        wide = np.full(len(observe(self.world)), np.inf)
        self.observation_space = Box(-wide, wide)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        self.world.load(self._start)
        self._made = 0
        if self.noise > 0 and self.world.axes:
            count = len(self.world.axes)
            self.world.qpos[-count:] += self.np_random.uniform(-self.noise, self.noise, count)
            self.world.settle()
        return self._observe(self.world).copy(), {}

    def step(self, action: npt.ArrayLike) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        chosen = np.asarray(action, dtype=np.float64)
        self.world.ctrl[:] = chosen
        met = self.world.step(self.frame_skip)
        self._made += 1
        ended, cut = self._terminated(self.world), self._made >= self.episode_steps
        info = {"met": met, "time": self.world.time}
        return self._observe(self.world).copy(), self._reward(self.world, chosen), ended, cut, info

    def close(self) -> None:
        """Nothing is left open."""
