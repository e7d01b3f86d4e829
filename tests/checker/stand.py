"""Assemblies whose limits are known in closed form, put to `rigor stand`, and its proofs checked.

Overhangs, ladders, pyramids of balls, arches: the limit is computed here from the equilibrium of rigid
bodies alone. The command must say that they stand just on one side of it and fall just on the other, and
what it writes as a proof must be one: forces within the cones that balance every load, or a motion that
opens every contact while the loads do work (Livesley 1978; Baraff and Mattikalli 1993).
"""
import json
import math
import os
import resource
import subprocess
import tempfile
import time

import numpy as np

import certificate

NEAR = 1e-3  # relative distance from the limit on either side
LOOP_TIME = 0.67  # [s] of loop_time on the processor whose seconds are meant
GROUND = {"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace"}]}


def scene(bodies, mu, **more):
    return {"rigor": 1, "title": "assembly", "materials": [{"name": "default", "mu": mu}],
            "bodies": bodies, **more}


def bisect(low, high, fails):
    """The value between low, which fails, and high, which does not."""
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if fails(middle) else (low, middle)
    return high


def loop_time():
    """[s] of CPU time that a loop takes now: what else shares a processor makes all of it slower."""
    start, total = time.process_time(), 0
    for i in range(20_000_000):
        total += i
    return time.process_time() - start


# --- assemblies --------------------------------------------------------------------------------------

def overhang(count, part):
    """Blocks of length 1, each moved out by `part` of what the ones above it allow: 1/2, 1/4, 1/6, ..."""
    place, bodies = 0.0, []
    for k in range(count, 0, -1):
        place += part / (2 * k)
        bodies.append({"name": f"block {count - k + 1}", "position": [place - 0.5, 0, 0.1 + 0.2 * (count - k)],
                       "shapes": [{"shape": "box", "half": [0.5, 0.3, 0.1]}]})
    table = {"name": "table", "kind": "static", "shapes": [{"shape": "box", "half": [2, 1, 0.5], "position": [-2, 0, -0.5]}]}
    return scene([table] + bodies, 0.5)


def ladder(degrees, thick=0.02, length=2.0):
    """A bar against a wall, in the plane, and the friction that is just enough on floor and wall."""
    angle = math.radians(degrees)
    along, across = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    corners = [0.5 * (a * length * along + b * thick * across) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    floor, wall = corners[0], corners[1]  # the lowest and the foremost
    centre = np.array([-wall[0], -floor[1]])

    def slides(mu):
        down, side = 1 / (1 + mu * mu), mu / (1 + mu * mu)
        return floor[0] * down - floor[1] * mu * down + wall[0] * mu * side + wall[1] * side < 0

    bodies = [{"name": "ground", "kind": "static", "shapes": [{"shape": "segment", "points": [[-9, 0], [9, 0]]}]},
              {"name": "wall", "kind": "static", "shapes": [{"shape": "segment", "points": [[0, -1], [0, 9]]}]},
              {"name": "ladder", "position": centre.tolist(),
               "shapes": [{"shape": "polygon", "points": [c.tolist() for c in corners]}]}]
    return scene(bodies, 1.0, dimension=2), bisect(0, 20, slides)


def balls(dimension):
    """Two discs or three balls that touch, and one on top: tan(a / 2) with the steepness a of the contact."""
    if dimension == 2:
        low, high = [[-0.5, 0.5], [0.5, 0.5]], [0, 0.5 + math.sqrt(3) / 2]
        floor, shape = {"shape": "segment", "points": [[-9, 0], [9, 0]]}, {"shape": "circle", "radius": 0.5}
        steep = math.pi / 6
    else:
        corner = 1 / math.sqrt(3)
        low = [[corner * math.cos(a), corner * math.sin(a), 0.5] for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
        high, floor = [0, 0, 0.5 + math.sqrt(2 / 3)], {"shape": "halfspace"}
        shape, steep = {"shape": "sphere", "radius": 0.5}, math.asin(corner)
    bodies = [{"name": "ground", "kind": "static", "shapes": [floor]}]
    bodies += [{"name": f"ball {i}", "position": place, "shapes": [shape]} for i, place in enumerate(low + [high])]
    return scene(bodies, 1.0, dimension=dimension), math.tan(steep / 2)


def stones(count, thick):
    """Corners of the stones of a semicircular arch of mean radius 1, from the right foot on: (count, 4, 2)."""
    angles = math.pi * np.arange(count + 1) / count
    radial = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    inner, outer = (1 - thick / 2) * radial, (1 + thick / 2) * radial
    return np.stack([inner[:-1], outer[:-1], outer[1:], inner[1:]], axis=1)


def area_and_centre(corners):
    x, y = corners[:, 0], corners[:, 1]
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    return area, np.array([(x + np.roll(x, -1)) @ cross, (y + np.roll(y, -1)) @ cross]) / (6 * area)


def arch_falls(count, thick):
    """Whether no line of thrust fits: by symmetry a horizontal force H at the height y of the crown, so that
    the resultant at each joint is inside it: linear conditions on H and H y."""
    all_stones = stones(count, thick)
    weights = [area_and_centre(stone) for stone in all_stones]
    conditions = []  # a . (H, H y) <= b
    for joint in range(count // 2 + 1):
        inner, outer = all_stones[joint][0], all_stones[joint][1]  # of the joint before this stone
        above = [(w if c[0] > 1e-9 else w / 2, c[0] if c[0] > 1e-9 else None, k)
                 for k, (w, c) in enumerate(weights) if k >= joint and c[0] > -1e-9]
        for point, sign in ((inner, 1), (outer, -1)):
            moment = 0.0
            for w, x, k in above:
                if x is None:  # the right half of the keystone
                    right = all_stones[k].copy()
                    right[2, 0] = right[3, 0] = 0
                    right[2, 1], right[3, 1] = all_stones[k][1][1], all_stones[k][0][1]
                    w, centre = area_and_centre(right)
                    x = centre[0]
                moment += w * (point[0] - x)
            conditions.append((sign * point[1], -sign, -sign * moment))
    table = np.array(conditions)
    for i in range(len(table)):
        for k in range(i):
            matrix = table[[i, k], :2]
            if abs(np.linalg.det(matrix)) < 1e-12:
                continue
            corner = np.linalg.solve(matrix, table[[i, k], 2])
            if np.all(table[:, :2] @ corner <= table[:, 2] + 1e-12):
                return False
    return True


def arch(count, thick):
    bodies = [GROUND]
    for k, corners in enumerate(stones(count, thick)):
        points = [[x, y, z] for y in (-0.2, 0.2) for x, z in corners]
        bodies.append({"name": f"stone {k + 1}", "shapes": [{"shape": "hull", "points": points}]})
    return scene(bodies, 3.0)


def wall(rows, columns):
    bodies = [GROUND]
    for row in range(rows):
        for k in range(columns):
            bodies.append({"name": f"block {row} {k}", "position": [k + 0.5 * (row % 2), 0, 0.25 + 0.5 * row],
                           "shapes": [{"shape": "box", "half": [0.5, 0.25, 0.25]}]})
    return scene(bodies, 0.6)


# --- proofs ------------------------------------------------------------------------------------------

def proof_errors(problem, proof):
    """What is wrong with a proof, recomputed from the problem."""
    bodies, found = len(problem.bodies), []
    v = np.array(proof["v"], float).reshape(bodies, 6)
    r = np.array(proof["r"], float).reshape(-1, 4)
    size = np.abs(problem.free[:, :3]).max()
    net, u = problem.free.copy(), []
    for columns, force in zip(problem.columns, r):
        speed = np.zeros(4)
        for body, block, _ in columns:
            if body >= 0:
                net[body] += problem.inverse_mass[body] @ block @ force
                speed += block.T @ v[body]
        u.append(speed)
    for i, (contact, force, speed) in enumerate(zip(problem.contacts, r, u)):
        mu = contact.get("mu", 0) if contact["cone"] != "frictionless" else 0
        if proof["verdict"] == "stands" and np.linalg.norm(force[1:3]) > mu * force[0] * (1 + 1e-9) + 1e-12:
            found.append(f"force {i} is outside its cone")
        if proof["verdict"] == "falls" and speed[0] < mu * np.linalg.norm(speed[1:3]) - 1e-6 * np.abs(v).max():
            found.append(f"contact {i} is closed by the motion")
    if proof["verdict"] == "stands" and np.abs(net).max() > 1e-5 * size:
        found.append(f"{np.abs(net).max() / size:.3g} of the loads is not balanced")
    if proof["verdict"] == "falls":
        work = sum(v[b] @ np.linalg.pinv(problem.inverse_mass[b]) @ problem.free[b] for b in range(bodies))
        if not work > 0:
            found.append("the loads do no work in the motion")
    return found


def ask(rigor, folder, assembly, *options):
    """The answer of the command, and what is wrong with its proof."""
    path, problem, proof = (os.path.join(folder, name) for name in ("scene.json", "problem.json", "proof.json"))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(assembly, file)
    result = subprocess.run([rigor, "stand", path, "--json", "--problem", problem, "--proof", proof, *options],
                            capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        return {"verdict": result.stderr.strip()}, []
    with open(proof, encoding="utf-8") as file:
        return json.loads(result.stdout), proof_errors(certificate.Problem(problem), json.load(file))


def check_sides(rigor, folder, standing, falling):
    found = []
    for assembly, expected in ((standing, "stands"), (falling, "falls")):
        answer, errors = ask(rigor, folder, assembly, "--quick")
        found += errors
        if answer["verdict"] != expected:
            found.append(f"{answer['verdict']} where it {expected}")
    return found


def check_friction(rigor, folder, assembly, limit):
    answer, found = ask(rigor, folder, assembly)
    margin = answer.get("friction", {"stands": math.nan, "falls": math.nan})
    for side in ("stands", "falls"):
        if not abs(margin[side] / limit - 1) < NEAR:
            found.append(f"{side} with {margin[side]}, the limit is {limit}")
    return found, f"limit {limit:.5g}"


def check(tally, rigor):
    with tempfile.TemporaryDirectory() as folder:
        for count in range(1, 11):
            tally.add(f"stand: overhang of {count}",
                      check_sides(rigor, folder, overhang(count, 1 - NEAR), overhang(count, 1 + NEAR)))
        for degrees in (35, 50, 65, 80):
            tally.add(f"stand: ladder at {degrees} degrees", *check_friction(rigor, folder, *ladder(degrees)))
        for dimension in (2, 3):
            tally.add(f"stand: balls, {dimension}D", *check_friction(rigor, folder, *balls(dimension)))
        for count in (11, 12, 31, 101):
            limit = bisect(0.02, 0.3, lambda thick, n=count: arch_falls(n, thick))
            tally.add(f"stand: arch of {count}",
                      check_sides(rigor, folder, arch(count, (1 + NEAR) * limit), arch(count, (1 - NEAR) * limit)),
                      f"thickness {limit:.5f} of the radius")
        seconds = math.inf  # what disturbs a processor adds time: the least of some runs counts
        for _ in range(3):
            before, pace = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, loop_time()
            answer, found = ask(rigor, folder, wall(25, 40))  # verdict, unique and least-norm forces
            taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            seconds = min(seconds, taken * 2 * LOOP_TIME / (pace + loop_time()))
            if seconds <= 10:
                break
        if answer.get("distribution", {}).get("given") != "least-norm" or "shaking" in answer:
            found.append("forces of least norm without margins are expected")
        if answer["verdict"] != "stands" or seconds > 10:
            found.append(f"{answer['verdict']} after {seconds:.1f} s of CPU time")
        tally.add("stand: wall of 1,000 blocks", found, f"{seconds:.1f} s of CPU time")
