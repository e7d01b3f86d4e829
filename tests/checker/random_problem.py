"""Random problems of every law and form, with random solutions that satisfy nothing, so that all
residuals are large and a wrong formula cannot hide below rounding."""
import json
import math

import numpy as np

CONES = ("frictionless", "disk", "ellipsoid", "inner", "outer")


def frame(rng):
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    t = np.cross(n, rng.normal(size=3))
    t /= np.linalg.norm(t)
    return [list(x) for x in (n, t, np.cross(n, t))]


def law(rng):
    cone = str(rng.choice(CONES))
    item = {"bias": list(rng.normal(size=4)), "cone": cone, "mu": float(rng.uniform(0, 1.5))}
    if cone == "ellipsoid":
        item.update(e_t=float(rng.uniform(0.2, 2)), e_o=float(rng.uniform(0.2, 2)),
                    e_tau=float(rng.choice([0, rng.uniform(0.01, 1)])))
    if cone in ("inner", "outer"):
        item["facets"] = int(rng.integers(3, 13))
    return item


def bounds(rng):
    kind, item = rng.integers(5), {"bias": float(rng.normal())}
    if kind == 1:
        item["lower"] = 0.0
    if kind == 2:
        item["upper"] = 0.0
    if kind == 3:
        item.update(lower=-float(rng.uniform(0, 2)), upper=float(rng.uniform(0, 2)))
    if kind == 4:
        item.update(lower=float(rng.uniform(0.1, 1)), upper=float(rng.uniform(1, 2)))
    if rng.random() < 0.4:
        item["compliance"] = float(10 ** rng.uniform(-3, 1))
    return item


def bodies_of(rng, count):
    items = []
    for _ in range(count):
        a = rng.normal(size=(3, 3))
        inertia = a @ a.T + 0.1 * np.eye(3)
        locked = rng.random() < 0.1
        items.append({"inverse_mass": float(rng.choice([0, 1], p=[0.1, 0.9]) * 10 ** rng.uniform(-2, 2)),
                      "inverse_inertia": (0 * inertia if locked else inertia).tolist(),
                      "v_free": list(rng.normal(size=6))})
    return items


def pair(rng, count):
    a = int(rng.integers(-1, count))
    b = int(rng.choice([k for k in range(-1, count) if k != a]))
    return {"body_a": a, "body_b": b}


def body_form(rng):
    count = int(rng.integers(1, 5))
    contacts, rows = [], []
    for _ in range(rng.integers(0, 6)):
        axes = dict(zip("nto", frame(rng)))
        arms = {"arm_" + s: list(rng.normal(size=3)) for s in "ab"}
        contacts.append({**pair(rng, count), **axes, **arms, **law(rng)})
    for _ in range(rng.integers(0 if contacts else 1, 5)):
        row = {**pair(rng, count), "g_a": list(rng.normal(size=6)), "g_b": list(rng.normal(size=6))}
        if rng.random() < 0.4:
            row["g_a"][:3] = row["g_b"][:3] = [0.0] * 3
        rows.append({**row, **bounds(rng)})
    problem = {"rigor_problem": 1, "dimension": int(rng.choice([2, 3])), "bodies": bodies_of(rng, count)}
    return dict(problem, contacts=contacts, rows=rows), 6 * count


def local_form(rng):
    dimension = int(rng.choice([2, 3]))
    block, contacts = (2 if dimension == 2 else int(rng.choice([3, 4]))), int(rng.integers(1, 5))
    nodes = contacts + int(rng.integers(0, 4))
    sizes = [block] * contacts + [1] * (nodes - contacts)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    a = rng.normal(size=(starts[-1], starts[-1]))
    w = a @ a.T + 0.1 * np.eye(starts[-1])
    blocks = []
    for i in range(nodes):
        for j in range(nodes):
            if i == j or rng.random() < 0.6:
                part = w[starts[i]:starts[i + 1], starts[j]:starts[j + 1]]
                blocks.append({"row": i, "column": j, "w": part.ravel().tolist()})
    laws = [law(rng) for _ in range(contacts)]
    for item in laws:
        if block < 4:
            item["bias"][block:] = [0.0] * (4 - block)
            if "e_tau" in item:
                item["e_tau"] = 0.0
    rows = [dict(bounds(rng), length=float(rng.uniform(0.1, 3))) for _ in range(nodes - contacts)]
    local = {"block": block, "contacts": laws, "rows": rows, "blocks": blocks}
    return {"rigor_problem": 1, "dimension": dimension, "local": local}, 4 * contacts + len(rows)


def solution(rng, problem, velocities):
    source = problem.get("local", problem)
    r = rng.normal(size=(len(source["contacts"]), 4))
    for one in r:
        if rng.random() < 0.3:
            one[:] = 0
        if rng.random() < 0.5:
            one[0] = abs(one[0]) * 10
            one[3] *= rng.integers(2)
    lam = rng.normal(size=len(source["rows"]))
    return [float(x) for x in rng.normal(size=velocities)], r.ravel().tolist(), lam.tolist()


def write(rng, path):
    """Writes a problem to `path` and a solution to `path`.numbers; returns v, r, lambda."""
    problem, velocities = local_form(rng) if rng.random() < 0.35 else body_form(rng)
    v, r, lam = solution(rng, problem, velocities)
    assert all(math.isfinite(x) for x in v + r + lam)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(problem, file)
    with open(path + ".numbers", "w", encoding="utf-8") as file:
        file.write("\n".join(repr(float(x)) for x in v + r + lam) + "\n")
    return v, r, lam
