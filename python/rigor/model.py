"""Scenes and robots as data."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from rigor import _core
from rigor.world import World


class Model:
    """What a scene or model file says. Worlds are made of it, as many as there are threads to step them."""

    def __init__(self, core: _core.Model, options: Mapping[str, Any]) -> None:
        self._core = core
        options = dict(options)
        preset = options.pop("preset", None)
        if preset is not None:
            core.set_preset(preset)
        for name, value in options.items():
            core.set_option(name, value)

    @property
    def title(self) -> str:
        return self._core.title

    @property
    def duration(self) -> float:
        """[s] How long a run is meant to be."""
        return self._core.duration

    @property
    def notes(self) -> list[tuple[str, str]]:
        """Place and text of what the reader of a robot has ignored, repaired or approximated."""
        return self._core.notes()

    def option(self, name: str) -> Any:
        return self._core.option(name)

    def set_option(self, name: str, value: Any) -> None:
        """Sets an option of the worlds that are made from now on (rigor.options() names them)."""
        self._core.set_option(name, value)

    def world(self) -> World:
        """A new world in the state that the file gives."""
        return World(self._core.world())

    def scene(self) -> dict[str, Any]:
        """The model as a scene (docs/scene.md)."""
        scene: dict[str, Any] = json.loads(self._core.to_json())
        return scene

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a scene file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._core.to_json())


def load(
    path: str | os.PathLike[str],
    *,
    ground: bool = False,
    fixed_base: bool = False,
    strict: bool = False,
    key: str | None = None,
    packages: Mapping[str, str] | None = None,
    **options: Any,
) -> Model:
    """Reads a scene (JSON), or a robot (MJCF, URDF) with its meshes.

    ground, fixed_base, strict, key and packages are those of `rigor import`; further names are options
    (`rigor.options()`), and `preset` is a named set of them.
    """
    folders = tuple(f"{name}={folder}" for name, folder in (packages or {}).items())
    return Model(_core.load(os.fspath(path), ground, fixed_base, strict, key, folders), options)


def loads(scene: str | Mapping[str, Any], *, name: str = "scene", **options: Any) -> Model:
    """A model of a scene given as text or as a dictionary in the form of docs/scene.md."""
    text = scene if isinstance(scene, str) else json.dumps(scene)
    return Model(_core.parse(text, name), options)
