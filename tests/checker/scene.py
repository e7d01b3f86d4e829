"""Scenes and recorded runs, read from docs/scene.md: bodies with mass properties from their shapes.
Shapes whose mass or geometry the checker does not know are named, never guessed."""
import csv
import json
import math

import numpy as np


def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def orientation(value):
    if value is None:
        return np.eye(3)
    if isinstance(value, dict):
        axis = np.array(value["axis"], float)
        half = math.radians(value["degrees"]) / 2
        return rotation([math.cos(half), *(math.sin(half) * axis / np.linalg.norm(axis))])
    q = np.array(value, float)
    return rotation(q / np.linalg.norm(q))


def volume_and_inertia(shape):
    """Volume, and inertia about the shape's own centre per density; None when not known here."""
    kind = shape["shape"]
    if kind in ("box", "ellipsoid"):
        a, b, c = shape["half"]
        full, part = (8.0, 3.0) if kind == "box" else (4 * math.pi / 3, 5.0)
        volume = full * a * b * c
        return volume, volume / part * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    if kind == "sphere":
        r = shape["radius"]
        volume = 4 * math.pi / 3 * r ** 3
        return volume, volume * 0.4 * r * r * np.eye(3)
    if kind in ("cylinder", "capsule"):
        r, l = shape["radius"], shape["half_length"]
        tube = 2 * math.pi * r * r * l
        ball = 4 * math.pi / 3 * r ** 3 if kind == "capsule" else 0.0
        # Half-balls have their centres 3 r / 8 beyond the ends of the axis.
        across = tube * (r * r / 4 + l * l / 3) + ball * (0.4 * r * r + l * l + 0.75 * l * r)
        along = tube * r * r / 2 + ball * 0.4 * r * r
        return tube + ball, np.diag([across, across, along])
    return None


class Body:
    def __init__(self, item, name):
        self.name, self.kind = name, item.get("kind", "dynamic")
        self.shapes, self.locked = item.get("shapes", []), item.get("rotation_locked", False)
        self.mass, self.center, self.inertia = item.get("mass"), np.zeros(3), None
        if self.kind == "dynamic":
            self.weigh(item)

    def weigh(self, item):
        if "inertia" in item:
            inertia = np.array(item["inertia"], float)
            self.inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
            self.center = np.array(item.get("center", [0, 0, 0]), float)
            return
        parts = []
        for shape in self.shapes:
            known = volume_and_inertia(shape)
            if known is None:
                return
            density, turn = shape.get("density", 1000.0), orientation(shape.get("orientation"))
            place = np.array(shape.get("position", [0, 0, 0]), float)
            parts.append((density * known[0], place, density * turn @ known[1] @ turn.T))
        total = sum(m for m, _, _ in parts)
        if not total > 0:
            return
        self.center = sum(m * x for m, x, _ in parts) / total
        self.inertia = np.zeros((3, 3))
        for m, x, inertia in parts:
            d = x - self.center
            self.inertia += inertia + m * (d @ d * np.eye(3) - np.outer(d, d))
        if self.mass is not None:
            self.inertia *= self.mass / total
        else:
            self.mass = total

    def known(self):
        return self.kind != "dynamic" or self.inertia is not None


class Scene:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        self.dimension = self.data.get("dimension", 3)
        self.bodies = []
        for index, item in enumerate(self.data["bodies"]):
            count = item.get("repeat", {}).get("count", [1, 1, 1]) if "repeat" in item else None
            name = item.get("name", f"body {index}")
            if count is None:
                self.bodies.append(Body(item, name))
            else:
                self.bodies += [Body(item, f"{name}[{k}]") for k in range(math.prod(count))]
        gravity = self.data.get("options", {}).get("gravity", [0, 0, -9.81])
        self.gravity = np.array(gravity, float)


class Frame:
    """Poses and velocities of all bodies after a step, with the certificate of the step."""

    def __init__(self, rows, certificate):
        table = np.array([[float(r[k]) for k in ("px", "py", "pz", "qw", "qx", "qy", "qz", "vx", "vy",
                                                 "vz", "wx", "wy", "wz")] for r in rows])
        self.position, self.quaternion = table[:, :3], table[:, 3:7]
        self.velocity, self.spin = table[:, 7:10], table[:, 10:]
        self.turn = [rotation(q) for q in self.quaternion]
        self.certificate = {k: float(x) for k, x in certificate.items()}


def read_run(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(path.replace(".csv", ".certificate.csv"), encoding="utf-8", newline="") as file:
        certificates = list(csv.DictReader(file))
    groups = {}
    for row in rows:
        groups.setdefault(row["step"], []).append(row)
    return [Frame(groups[c["step"]], c) for c in certificates]
