"""Contact problems: build, read, solve, certify, write."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rigor import _core
from rigor._certificate import Certificate

Array = npt.NDArray[np.float64]


class Solution(NamedTuple):
    """What a solver came to. In local form v has u of the contacts, 4 each, then w of the rows."""

    v: Array  #: (bodies, 6) velocities
    r: Array  #: (contacts, 4) impulses: normal, tangent, tangent, torsion
    lambda_: Array  #: (rows,) impulses of the rows
    status: str  #: "ok" or "not converged", ...
    iterations: int
    solver: str  #: that gave the answer
    certificate: Certificate


def _frames(normals: Array) -> tuple[Array, Array]:
    """Two directions across each normal, so that n, t, o are right-handed."""
    helper = np.where(np.abs(normals[:, :1]) < 0.6, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    t = np.cross(normals, helper)
    t /= np.linalg.norm(t, axis=1, keepdims=True)
    return t, np.cross(normals, t)


def _rows(value: npt.ArrayLike, count: int, *shape: int) -> Array:
    return np.broadcast_to(np.asarray(value, dtype=np.float64), (count, *shape))


class Problem:
    """A discrete contact problem (docs/problem.md)."""

    def __init__(self, core: _core.Problem) -> None:
        self._core = core
        self.dimension, self.bodies, self.contacts, self.rows = core.counts()

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Problem:
        """Reads a problem of any format, which is known by its content."""
        return Problem(_core.read_problem(os.fspath(path)))

    @staticmethod
    def parse(problem: str | dict[str, Any], name: str = "problem") -> Problem:
        """A problem as text, or as a dictionary in the form of docs/problem.md."""
        return Problem(_core.parse_problem(problem if isinstance(problem, str) else json.dumps(problem), name))

    @staticmethod
    def build(
        inverse_mass: npt.ArrayLike,
        inverse_inertia: npt.ArrayLike,
        v_free: npt.ArrayLike,
        *,
        body_a: npt.ArrayLike,
        body_b: npt.ArrayLike,
        normal: npt.ArrayLike,
        arm_a: npt.ArrayLike,
        arm_b: npt.ArrayLike = 0.0,
        mu: npt.ArrayLike = 0.5,
        bias: npt.ArrayLike = 0.0,
    ) -> Problem:
        """A problem of bodies (n) and contacts (m) with exact Coulomb friction.

        inverse_mass (n,), inverse_inertia (n, 3, 3) in world axes, v_free (n, 6); of contacts the bodies
        (-1: the ground), normals from B to A (m, 3), arms from the centres of mass (m, 3), mu (m,), bias (m, 4).
        Values may be given once for all.
        """
        a = np.asarray(body_a, dtype=np.int64)
        masses = np.atleast_1d(np.asarray(inverse_mass, dtype=np.float64))
        n, m = len(masses), len(a)
        normals = np.array(_rows(normal, m, 3))
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        t, o = _frames(normals)
        inertia, free = _rows(inverse_inertia, n, 3, 3), _rows(v_free, n, 6)
        b, arms_a, arms_b = np.broadcast_to(np.asarray(body_b), (m,)), _rows(arm_a, m, 3), _rows(arm_b, m, 3)
        friction, biases = _rows(mu, m), _rows(bias, m, 4)
        bodies = [
            {"inverse_mass": masses[i], "inverse_inertia": inertia[i].tolist(), "v_free": free[i].tolist()}
            for i in range(n)
        ]
        contacts = [
            {
                "body_a": int(a[i]), "body_b": int(b[i]), "n": normals[i].tolist(), "t": t[i].tolist(),
                "o": o[i].tolist(), "arm_a": arms_a[i].tolist(), "arm_b": arms_b[i].tolist(),
                "bias": biases[i].tolist(), "cone": "disk" if friction[i] > 0 else "frictionless", "mu": friction[i],
            }
            for i in range(m)
        ]  # fmt: skip
        return Problem.parse({"rigor_problem": 1, "dimension": 3, "bodies": bodies, "contacts": contacts})

    @staticmethod
    def local(w: Any, bias: npt.ArrayLike, mu: npt.ArrayLike = 0.0) -> Problem:
        """The local form u = W r + bias, of three numbers per contact (normal, tangent, tangent), or with mu = 0
        the linear complementarity problem of one. W may be dense or sparse (SciPy)."""
        dense = np.asarray(w.toarray() if hasattr(w, "toarray") else w, dtype=np.float64)
        q = np.asarray(bias, dtype=np.float64)
        friction = np.atleast_1d(np.asarray(mu, dtype=np.float64))
        block = 3 if np.any(friction > 0) else 1
        count = len(q) // block
        if dense.shape != (len(q), len(q)) or count * block != len(q):
            raise ValueError(f"W has the shape {dense.shape} and bias {len(q)} numbers, {block} for each contact")
        friction = np.broadcast_to(friction, (count,))
        blocks = []
        for i in range(count):
            for j in range(count):
                part = dense[block * i : block * i + block, block * j : block * j + block]
                if i == j or np.any(part != 0):
                    blocks.append({"row": i, "column": j, "w": part.ravel().tolist()})
        contacts = [
            {"bias": [*q[block * i : block * i + block].tolist(), *[0.0] * (4 - block)],
             "cone": "disk" if friction[i] > 0 else "frictionless", "mu": friction[i]}
            for i in range(count)
        ]  # fmt: skip
        form = {"block": block, "contacts": contacts, "blocks": blocks}
        return Problem.parse({"rigor_problem": 1, "dimension": 3, "local": form})

    def solve(
        self,
        solver: str = "auto",
        *,
        options: str | None = None,
        tolerance: float = 1e-8,
        iteration_limit: int = 10000,
        start: Solution | None = None,
    ) -> Solution:
        """Solves the problem, from a start if one is given. The certificate says how well."""
        r = None if start is None else np.ascontiguousarray(start.r)
        rows = None if start is None else np.ascontiguousarray(start.lambda_)
        v, r_out, lam, status, iterations, used, certificate = self._core.solve(
            solver, options, tolerance, iteration_limit, r, rows
        )
        velocities: Array = np.asarray(v)
        if self.bodies > 0:
            velocities = velocities.reshape(self.bodies, 6)
        return Solution(velocities, np.asarray(r_out), np.asarray(lam), status, iterations, used,
                        Certificate(*certificate))  # fmt: skip

    def certify(
        self,
        r: npt.ArrayLike,
        lambda_: npt.ArrayLike | None = None,
        v: npt.ArrayLike | None = None,
        *,
        tolerance: float = 1e-8,
    ) -> Certificate:
        """Judges impulses, with the velocities that belong to them or with given ones."""

        def numbers(values: npt.ArrayLike | None) -> Array | None:
            return None if values is None else np.ascontiguousarray(values, dtype=np.float64)

        return Certificate(*self._core.certify(numbers(v), numbers(r), numbers(lambda_), tolerance))

    def delassus(self) -> tuple[Array, Array]:
        """W = H' M^-1 H, dense, and the bias H' v_free + bias: the numbers of all contacts (3 each; 2 in two
        dimensions, 4 with torsion), then the rows."""
        w, bias, _ = self._core.delassus()
        return np.asarray(w), np.asarray(bias)

    def write(self, path: str | os.PathLike[str], format: str = "json") -> None:
        """Writes the problem: json, text, fclib, text-global or fclib-global."""
        self._core.write(os.fspath(path), format)
