"""The balance of momentum of every body in every step of a recorded run, from its files alone.

    m (v+ - v) = h (applied + sum of contact forces + sum of joint reactions) + m correction

Forces are those of docs/command.md ("What a trajectory holds"): on A of a contact and the opposite on B,
on B of a joint and the opposite on A. The tolerance is 1e-10 of the momenta and impulses in the sum, weight
and all forces of the world counted apart, since their sum is recorded with the rounding of each. The correction is what the step did to a velocity beside all forces; how large it is, is told."""
import csv
import json

import h5py
import numpy as np

TOLERANCE = 1e-10


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        names = next(reader)
        rows = [row for row in reader]
    texts = {i for i, name in enumerate(names) if name == "name" or name.endswith("_name")}
    columns = {}
    for i, name in enumerate(names):
        if i not in texts:
            columns[name] = np.array([float(row[i]) for row in rows])
    return columns


def vectors(columns, name):
    return np.stack([columns[f"{name}_{axis}"] for axis in "xyz"], axis=1)


def per_step(columns):
    """Rows of each step, as a slice."""
    steps, starts = np.unique(columns["step"], return_index=True)
    ends = np.append(starts[1:], len(columns["step"]))
    return {int(s): slice(a, b) for s, a, b in zip(steps, starts, ends)}


def h5_tables(path):
    """The same tables out of an .h5 file, in which frames have `count` rows each."""
    with h5py.File(path) as file:
        frames, bodies = len(file["time"]), len(file["index"])
        step, time = file["step"][:], file["time"][:]
        parts = {}
        for name in ("contacts", "joints", "forces"):
            group = file[name]
            columns = {"step": np.repeat(step, group["count"][:])}
            for key, data in group.items():
                if key != "count" and data.ndim == 1:
                    columns[key] = data[:]
                elif key != "count":
                    columns.update({f"{key}_{axis}": data[:, i] for i, axis in enumerate("xyz")})
            lengths = {len(column) for column in columns.values()}
            assert len(lengths) == 1, f"{name}: columns of different lengths {lengths}"
            parts[name] = columns
        velocity = file["velocity"][:].reshape(frames * bodies, 3)
        parts["bodies"] = {"step": np.repeat(step, bodies), "time": np.repeat(time, bodies),
                           "body": np.tile(file["index"][:], frames),
                           **{k: velocity[:, i] for i, k in enumerate(("vx", "vy", "vz"))}}
        return parts, json.loads(file["scene"][()])


def csv_tables(path):
    parts = {n: table(path.replace(".csv", f".{n}.csv")) for n in ("contacts", "joints", "forces")}
    with open(path.replace(".csv", ".scene.json"), encoding="utf-8") as file:
        return {**parts, "bodies": table(path)}, json.load(file)


class Recording:
    def __init__(self, path):
        parts, scene = h5_tables(path) if path.endswith(".h5") else csv_tables(path)
        self.gravity = np.linalg.norm(scene.get("options", {}).get("gravity", [0, 0, -9.81]))
        self.bodies = parts["bodies"]
        self.contacts, self.joints, self.forces = parts["contacts"], parts["joints"], parts["forces"]
        self.velocity = np.stack([self.bodies[k] for k in ("vx", "vy", "vz")], axis=1)
        self.rows = {n: per_step(t) for n, t in parts.items()}
        self.contact_force = vectors(self.contacts, "force")
        self.reaction = vectors(self.joints, "reaction")
        self.applied, self.correction = vectors(self.forces, "applied_force"), vectors(self.forces, "correction")

    def steps(self):
        return sorted(self.rows["bodies"])

    def sum_on(self, step, count, sums, sizes):
        """Adds contact forces and reactions on the bodies 0 .. count - 1."""
        def add(who, force, sign):
            inside = who >= 0
            np.add.at(sums, who[inside].astype(int), sign * force[inside])
            np.add.at(sizes, who[inside].astype(int), np.linalg.norm(force[inside], axis=1))

        at = self.rows["contacts"].get(step)
        if at is not None:
            force = self.contact_force[at]
            add(self.contacts["body_a"][at], force, 1)
            add(self.contacts["body_b"][at], force, -1)
        at = self.rows["joints"].get(step)
        if at is not None:
            once = self.joints["axis"][at] <= 0  # the reaction is that of the whole joint
            force = self.reaction[at][once]
            add(self.joints["body_b"][at][once], force, 1)
            add(self.joints["body_a"][at][once], force, -1)


def disagreements(path):
    """What does not balance, and the largest part of a step's momentum that is a correction."""
    run, found, largest, last = Recording(path), [], 0.0, None
    for step in run.steps():
        bodies, forces = run.rows["bodies"][step], run.rows["forces"][step]
        index = run.bodies["body"][bodies].astype(int)
        velocity, time = run.velocity[bodies], run.bodies["time"][bodies][0]
        if last is not None and last[0] == step - 1:
            h, before = time - last[1], last[2]
            mass = run.forces["mass"][forces]
            count = index.max() + 1
            sums, sizes = np.zeros((count, 3)), np.zeros(count)
            run.sum_on(step, count, sums, sizes)
            applied, correction = run.applied[forces], mass[:, None] * run.correction[forces]
            change = mass[:, None] * (velocity - before)
            missing = change - correction - h * (applied + sums[index])
            size = mass * (np.linalg.norm(velocity, axis=1) + np.linalg.norm(before, axis=1))
            size += h * (np.linalg.norm(applied, axis=1) + 2 * mass * run.gravity + sizes[index])
            error = np.linalg.norm(missing, axis=1)
            for k in np.flatnonzero((mass > 0) & ~(error <= TOLERANCE * size)):
                found.append(f"step {step}, body {index[k]}: {error[k]:.3g} N s of {size[k]:.3g} missing")
            with np.errstate(invalid="ignore", divide="ignore"):
                part = np.linalg.norm(correction, axis=1) / size
            largest = max(largest, float(np.nanmax(np.where(mass > 0, part, 0), initial=0.0)))
        last = (step, time, velocity)
    return found, largest
