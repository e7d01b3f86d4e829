"""Scenes built in Python: the keys are those of docs/scene.md, checked when the model is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rigor.model import Model, loads


def _plain(value: Any) -> Any:
    """NumPy's arrays and numbers as JSON has them."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


class Scene:
    """Bodies, joints, forces, materials and sensors, of which a model is made.

        scene = rigor.Scene(step=1 / 500)
        scene.body("floor", kind="static", shapes=[{"shape": "halfspace"}])
        scene.body("arm", position=(0, 0, 1), shapes=[{"shape": "box", "half": (0.5, 0.05, 0.05)}])
        scene.joint("hinge", "shoulder", b="arm", point=(-0.5, 0, 1), axis=(0, 1, 0))
        world = scene.model().world()
    """

    def __init__(self, title: str = "", *, dimension: int = 3, time: float | None = None, **options: Any) -> None:
        self.data: dict[str, Any] = {"rigor": 1, "bodies": []}
        if title:
            self.data["title"] = title
        if dimension != 3:
            self.data["dimension"] = dimension
        if time is not None:
            self.data["time"] = time
        if options:
            self.data["options"] = _plain(options)

    def _add(self, where: str, item: dict[str, Any]) -> dict[str, Any]:
        plain: dict[str, Any] = _plain(item)
        self.data.setdefault(where, []).append(plain)
        return plain

    def material(self, name: str, **values: Any) -> dict[str, Any]:
        return self._add("materials", {"name": name, **values})

    def body(self, name: str = "", *, shapes: Sequence[Mapping[str, Any]] = (), **values: Any) -> dict[str, Any]:
        item: dict[str, Any] = {"name": name} if name else {}
        if shapes:
            item["shapes"] = list(shapes)
        return self._add("bodies", {**item, **values})

    def joint(self, kind: str, name: str = "", **values: Any) -> dict[str, Any]:
        return self._add("joints", {"kind": kind, **({"name": name} if name else {}), **values})

    def force(self, kind: str, **values: Any) -> dict[str, Any]:
        return self._add("forces", {"kind": kind, **values})

    def sensor(self, kind: str, name: str, **values: Any) -> dict[str, Any]:
        return self._add("sensors", {"kind": kind, "name": name, **values})

    def model(self, **options: Any) -> Model:
        """Checks the scene and makes a model; an error names the key, its value, and what would be right."""
        return loads(self.data, **options)
