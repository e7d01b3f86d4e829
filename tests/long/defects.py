"""defects.py RIGOR: what once went wrong with every step met, as families of scenes for the command alone.

The tests of each (docs/reliability.md, "Motion") call the library, and their calls change with it. These
scenes and options are those of version 0.1.0, so that they can be put to any version:

    python3 tests/long/defects.py /path/to/rigor

Version 0.1.0 fails every family. Energies are computed here, from the recorded poses and velocities and the
closed forms of the inertias. A run that ends with 1 has said itself that it cannot be trusted, and is not
counted against the command, unless the law holds in every case that the family has.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile

RIGOR = os.path.abspath(sys.argv[1])
G = 9.81
GROUND = {"name": "ground", "kind": "static", "shapes": [{"shape": "halfspace"}]}
passed = failed = 0


def verdict(family, faults, cases):
    """Counts one family: `faults` has a line for each case in which its law does not hold."""
    global passed, failed
    if faults:
        failed += 1
        print(f"FAIL  {family}: {len(faults)} of {cases}")
        for fault in faults[:4]:
            print(f"    | {fault}")
    else:
        passed += 1
        print(f"ok    {family}: {cases} cases", flush=True)


class Refused(Exception):
    """The command takes a scene or an option for wrong input."""


def call(*words):
    """The exit code and the standard output of the command."""
    done = subprocess.run([RIGOR, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    return done.returncode, done.stdout


def run(scene, *options):
    """Runs a scene. The exit code, the summary, and for each frame a dict from names to rows."""
    with open("scene.json", "w") as file:
        json.dump({"rigor": 1, **scene}, file)
    code, text = call("run", "scene.json", "-o", "run.csv", "--json", *options)
    if code not in (0, 1):
        return code, {}, []
    frames, last = [], None
    with open("run.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["step"] != last:
                frames.append({})
                last = row["step"]
            name = row.pop("name") + ":" + row["body"]
            frames[-1][name] = {key: float(value) for key, value in row.items()}
    return code, json.loads(text), frames


def moments(shape, mass):
    """Principal moments of a solid about its own axes."""
    kind = shape["shape"]
    if kind == "box":
        x, y, z = shape["half"]
        return [mass / 3 * (y * y + z * z), mass / 3 * (x * x + z * z), mass / 3 * (x * x + y * y)]
    if kind == "cylinder":
        r, l = shape["radius"], 2 * shape["half_length"]
        return [mass * (3 * r * r + l * l) / 12] * 2 + [mass * r * r / 2]
    if kind == "ellipsoid":
        x, y, z = shape["half"]
        return [mass / 5 * (y * y + z * z), mass / 5 * (x * x + z * z), mass / 5 * (x * x + y * y)]
    raise ValueError(kind)


def turned_back(row, vector):
    """A vector of the world in the axes of the body."""
    w, x, y, z = (row["q" + c] for c in "wxyz")
    matrix = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
              [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
              [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [sum(matrix[i][j] * vector[i] for i in range(3)) for j in range(3)]


def energy(row, shape, mass, height="pz"):
    spin = turned_back(row, [row["w" + c] for c in "xyz"])
    kinetic = 0.5 * mass * sum(row["v" + c] ** 2 for c in "xyz")
    return kinetic + 0.5 * sum(i * w * w for i, w in zip(moments(shape, mass), spin)) + mass * G * row[height]


def quaternion(draw):
    q = [draw.gauss(0, 1) for _ in range(4)]
    size = math.sqrt(sum(x * x for x in q))
    return [x / size for x in q]


def the_body(frame):
    return next(row for name, row in frame.items() if name.startswith("body"))


# --- 0 ---------------------------------------------------------------------------------------------
def slender():
    """Rods thrown at the ground, restitution at most 1: the energy of the start is an upper bound. A scheme of first
    order may exceed it by a part that vanishes with h; a twentieth is far above that and far below a factor."""
    faults, cases = [], 0
    for seed in range(24):
        draw = random.Random(seed)
        aspect, thick = draw.uniform(8, 50), draw.uniform(0.005, 0.02)
        shape = draw.choice([{"shape": "box", "half": [thick * aspect, thick, thick]},
                             {"shape": "cylinder", "radius": thick, "half_length": thick * aspect},
                             {"shape": "ellipsoid", "half": [thick * aspect, thick, thick]}])
        scene = {"time": 2, "materials": [{"name": "m", "mu": 0.5, "restitution": 0.5}],
                 "bodies": [{**GROUND, "shapes": [{"shape": "halfspace", "material": "m"}]},
                            {"name": "body", "mass": 0.25, "position": [0, 0, 1.5], "orientation": quaternion(draw),
                             "velocity": [draw.uniform(-3, 3), 0, -10],
                             "shapes": [{**shape, "material": "m"}]}]}
        code, _, frames = run(scene, "--preset", ["default", "reference"][seed % 2])
        cases += 1
        if code != 0:
            continue
        values = [energy(the_body(frame), shape, 0.25) for frame in frames]
        if max(values) > 1.05 * values[0]:
            faults.append(f"seed {seed}: {values[0]:.3g} J became {max(values):.3g} J, exit code 0")
    verdict("0  slender bodies in contact make no energy", faults, cases)


# --- 1 ---------------------------------------------------------------------------------------------
def silo():
    """Discs without friction fall into a slot: their energy cannot rise above that of the start, met or not."""
    faults, cases = [], 0
    for count, width, radius, apart in ((400, 0.2, 0.01, 1.02), (300, 0.2, 0.01, 1.02), (400, 0.15, 0.01, 1.02),
                                        (200, 0.25, 0.1, 1.1), (300, 0.5, 0.1, 1.1)):
        slot = [[[0, 0], [width, 0]], [[0, 0], [0, 99]], [[width, 0], [width, 99]]]
        bodies = [{"name": "slot", "kind": "static", "shapes": [{"shape": "segment", "points": ends} for ends in slot]}]
        draw, between = random.Random(count), 2 * radius * apart
        wide = int(width / between)
        for i in range(count):
            bodies.append({"name": f"disc{i}", "mass": 1, "shapes": [{"shape": "circle", "radius": radius}],
                           "position": [between * (0.5 + i % wide) + draw.uniform(0, 0.05) * radius, radius + between * (i // wide)]})
        scene = {"dimension": 2, "time": 5, "materials": [{"name": "default", "mu": 0}], "bodies": bodies}
        code, _, frames = run(scene, "--preset", "realtime", "--every", 5)
        cases += 1
        values = [sum(0.5 * (r["vx"] ** 2 + r["vy"] ** 2) + 0.25 * radius ** 2 * r["wz"] ** 2 + G * r["py"]
                      for name, r in frame.items() if name.startswith("disc")) for frame in frames]
        if not values or not max(values) <= 1.001 * values[0]:
            faults.append(f"{count} discs in {width} m: exit code {code}, {values[0] if values else math.nan:.3g} J became "
                          f"{max(values, default=math.nan):.3g} J")
    verdict("1  an interactive step makes no energy, whatever it misses", faults, cases)


# --- 2 ---------------------------------------------------------------------------------------------
def flight():
    """Free rotation about the long axis, slightly disturbed, keeps the kinetic energy; a millionth for rounding and
    the order of the scheme."""
    faults, cases = [], 0
    for spin in (20, 50, 80):
        for shape in ({"shape": "cylinder", "radius": 0.05, "half_length": 0.3},
                      {"shape": "box", "half": [0.05, 0.04, 0.3]}):
            scene = {"time": 20, "options": {"gravity": [0, 0, 0]}, "bodies": [
                {"name": "body", "mass": 1, "shapes": [shape], "angular_velocity": [0.01 * spin, 0, spin]}]}
            _, _, frames = run(scene, "--every", 240)
            cases += 1
            first, last = (energy(the_body(frames[i]), shape, 1) for i in (0, -1))
            if abs(last - first) > 1e-6 * first:
                faults.append(f"{shape['shape']} at {spin} rad/s: {first:.4g} J became {last:.4g} J")
    verdict("2  a body in flight keeps its energy of rotation", faults, cases)


# --- 3 ---------------------------------------------------------------------------------------------
def seams():
    """Round bodies roll over boxes that lie flush side by side: nothing is there to stop them or to lift them. On one
    plane they keep their speed to rounding; a thousandth of the speed and a hundredth of a millimetre are far below a hop."""
    faults, cases = [], 0
    shapes = [{"shape": "sphere", "radius": 0.1}, {"shape": "capsule", "radius": 0.1, "half_length": 0.2},
              {"shape": "cylinder", "radius": 0.1, "half_length": 0.2}]
    for preset in ("default", "realtime", "reference"):
        for shape in shapes:
            for speed in (0.7, 1.9):
                boxes = [{"name": f"slab{x}", "kind": "static", "position": [x, 0, -0.5],
                          "shapes": [{"shape": "box", "half": [0.25, 1, 0.5]}]} for x in (0, 0.5, 1.0, 1.5)]
                turn = {} if shape["shape"] == "sphere" else {"orientation": {"axis": [1, 0, 0], "degrees": 90}}
                body = {"name": "body", "mass": 1, "position": [0, 0, 0.1], "velocity": [speed, 0, 0],
                        "angular_velocity": [0, speed / 0.1, 0], "shapes": [shape], **turn}
                code, _, frames = run({"time": 1.5 / speed, "bodies": [*boxes, body]}, "--preset", preset)
                cases += 1
                rows = [the_body(frame) for frame in frames]
                slowest = min(row["vx"] for row in rows) / speed
                lift = max(abs(row["pz"] - 0.1) for row in rows)
                if abs(slowest - 1) > 1e-3 or lift > 1e-5:
                    faults.append(f"{preset}, {shape['shape']} at {speed} m/s: down to {slowest:.4f} of its speed, "
                                  f"off its height by {1e3 * lift:.3g} mm, exit code {code}")
    verdict("3  flush shapes side by side are one surface", faults, cases)


# --- 4 ---------------------------------------------------------------------------------------------
def disc_on_ground():
    """A flat disc that slides along x and spins. Its weight rests evenly on its face but for the moment of friction about
    its centre, which shifts the pressure forwards by a part of the order of height / radius, here 1/200, and makes a disc
    that spins drift by less than that part of its way."""
    faults, cases = [], 0
    for spin in (3, 8, 20):
        for speed in (0.5, 1.0):
            scene = {"time": 1, "materials": [{"name": "default", "mu": 0.3}],
                     "bodies": [GROUND, {"name": "body", "mass": 1, "position": [0, 0, 0.0005], "velocity": [speed, 0, 0],
                                         "angular_velocity": [0, 0, spin],
                                         "shapes": [{"shape": "cylinder", "radius": 0.1, "half_length": 0.0005}]}]}
            _, _, frames = run(scene)
            cases += 1
            way, aside = the_body(frames[-1])["px"], abs(the_body(frames[-1])["py"])
            if aside > 0.005 * way:
                faults.append(f"{speed} m/s, {spin} rad/s: {1e3 * aside:.3g} mm aside on {1e3 * way:.3g} mm")
    verdict("4  a disc that slides and spins goes straight", faults, cases)


# --- 5 ---------------------------------------------------------------------------------------------
def stopped():
    """A box that slid on the ground and has stopped by friction stays at rest at theta = 1/2, to what the tolerance of 1e-10
    leaves."""
    faults, cases = [], 0
    for seed in range(16):
        draw = random.Random(seed)
        half = [draw.uniform(0.05, 0.2) for _ in range(3)]
        scene = {"time": 1.5, "materials": [{"name": "default", "mu": 0.5}],
                 "bodies": [GROUND, {"name": "body", "mass": 1, "position": [0, 0, half[2]],
                                     "orientation": {"axis": [0, 0, 1], "degrees": draw.uniform(0, 90)},
                                     "velocity": [draw.uniform(0.2, 1), draw.uniform(-0.5, 0.5), 0],
                                     "angular_velocity": [0, 0, draw.uniform(-2, 2)],
                                     "shapes": [{"shape": "box", "half": half}]}]}
        _, _, frames = run(scene, "--preset", "reference")
        cases += 1
        speed = max(abs(the_body(frame)["v" + c]) for frame in frames[-100:] for c in "xyz")
        if speed > 1e-7:
            faults.append(f"seed {seed}: {1e3 * speed:.3g} mm/s at the end")
    verdict("5  what has stopped stays at rest at theta = 1/2", faults, cases)


# --- 6 ---------------------------------------------------------------------------------------------
def rocking():
    """Ellipsoids rock on the ground without slip or loss: the energy above that of rest keeps its size at theta = 1/2. A
    twentieth of it in 10 s is allowed, where 0.1.0 doubled it."""
    faults, cases = [], 0
    for half in ([0.2, 0.2, 0.1], [0.3, 0.1, 0.1], [0.25, 0.2, 0.12]):
        shape = {"shape": "ellipsoid", "half": half}
        scene = {"time": 10, "materials": [{"name": "default", "mu": 1}],
                 "bodies": [GROUND, {"name": "body", "mass": 1, "position": [0, 0, half[2]], "angular_velocity": [0.2, 1.0, 0],
                                     "velocity": [half[2] * 1.0, -half[2] * 0.2, 0], "shapes": [shape]}]}
        code, _, frames = run(scene, "--preset", "reference", "--every", 10)
        cases += 1
        values = [energy(the_body(frame), shape, 1) - G * half[2] for frame in frames]
        if max(values) > 1.05 * values[0]:
            faults.append(f"{half}: {values[0]:.4g} J became {max(values):.4g} J, exit code {code}")
    verdict("6  rocking gains nothing at theta = 1/2", faults, cases)


# --- 7 ---------------------------------------------------------------------------------------------
def light_links():
    """Links of 1e-6 kg between bodies of 1 kg at a tolerance of 1e-10: falling by the length of the train gives at most
    m g l; a hundredth of it is far above what ringing adds."""
    faults, cases = [], 0
    for ratio in (1e-2, 1e-4, 1e-6):
        for step in (1e-3, 4e-3):
            bodies = [{"name": f"link{i}", "mass": ratio if i % 2 else 1, "position": [0.2 * i + 0.1, 0, 0],
                       "shapes": [{"shape": "box", "half": [0.09, 0.01, 0.02]}]} for i in range(5)]
            joints = [{"kind": "hinge", "a": f"link{i - 1}", "b": f"link{i}", "point": [0.2 * i, 0, 0], "axis": [0, 1, 0]}
                      if i else {"kind": "hinge", "b": "link0", "point": [0, 0, 0], "axis": [0, 1, 0]} for i in range(5)]
            code, _, frames = run({"time": 0.5, "bodies": bodies, "joints": joints},
                                  "--preset", "reference", "--step", step, "--tolerance", 1e-10)
            cases += 1
            values = [sum(energy(row, bodies[int(name[4])]["shapes"][0], bodies[int(name[4])]["mass"])
                          for name, row in frame.items()) for frame in frames]
            scale = 3 * G
            if not values or max(values) - values[0] > 0.01 * scale:
                faults.append(f"ratio {ratio:g}, h {step:g}: {max(values, default=math.nan) - (values or [0])[0]:.3g} J "
                              f"from nothing, exit code {code}")
    verdict("7  light links between heavy bodies gain nothing", faults, cases)


# --- 8 ---------------------------------------------------------------------------------------------
def standing():
    """A row of blocks and balls that touch up to rounding, pressed against a wall, stands."""
    faults, cases = [], 0
    for seed in range(30):
        draw = random.Random(seed)
        part, x, count = draw.choice([0, 1e-16, 1e-15, 1e-12]), 0, draw.randint(2, 5)
        bodies = [{"name": "wall", "kind": "static", "position": [-0.5, 0, 0], "shapes": [{"shape": "box", "half": [0.5, 1, 1]}]}]
        for i in range(count):
            half = draw.uniform(0.05, 0.35)
            x += half + part * 0.05 * draw.random()
            shape = draw.choice([{"shape": "box", "half": [half, 0.2, 0.2]}, {"shape": "sphere", "radius": half}])
            bodies.append({"name": f"b{i}", "position": [x, 0, 0], "shapes": [shape]})
            x += half
        load = {"kind": "constant", "body": f"b{count - 1}", "force": [-5, 0, 0]}
        with open("scene.json", "w") as file:
            json.dump({"rigor": 1, "time": 1, "options": {"gravity": [0, 0, 0]}, "bodies": bodies, "forces": [load]}, file)
        told = json.loads(call("motion", "scene.json", "--json")[1])["friction"]["verdict"]
        cases += 1
        if told != "stands":
            faults.append(f"{count} bodies with gaps of {part:g}: {told}")
    verdict("8  what touches up to rounding touches, for `motion` too", faults, cases)


# --- 9 ---------------------------------------------------------------------------------------------
def cradle():
    """Newton's cradle with the sequential law has one answer for balls that touch and balls 1 nm apart: the last ball leaves
    with the speed of the first."""
    faults, cases = [], 0
    for count in (3, 5):
        for gap in (0, 1e-9):
            balls = [{"name": f"ball{i}", "mass": 1, "position": [(0.2 + gap) * i + (-0.05 if i == 0 else 0), 0, 0],
                      "velocity": [1 if i == 0 else 0, 0, 0], "shapes": [{"shape": "sphere", "radius": 0.1}]} for i in range(count)]
            scene = {"time": 0.2, "options": {"gravity": [0, 0, 0]}, "bodies": balls,
                     "materials": [{"name": "default", "mu": 0, "restitution": 1}]}
            code, _, frames = run(scene, "--impacts", "sequential")
            cases += 1
            last = list(frames[-1].values())[-1]["vx"] if frames else math.nan
            if not abs(last - 1) < 1e-6:
                faults.append(f"{count} balls, gap {gap:g} m: exit code {code}, the last leaves with {last:.6g} m/s")
    verdict("9  impacts one after the other can be asked for", faults, cases)


# --- 10 --------------------------------------------------------------------------------------------
def tunnelling():
    """Thin bodies thrown at a thin slab or a mesh end on the side that they came from, or the run says that a step missed."""
    faults, cases = [], 0
    square = {"shape": "mesh", "points": [[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]], "triangles": [[0, 1, 2], [0, 2, 3]]}
    slab = {"shape": "box", "half": [5, 5, 0.01], "position": [0, 0, -0.01]}
    for seed in range(60):
        draw = random.Random(seed)
        thick = draw.uniform(0.005, 0.01)
        shape = draw.choice([{"shape": "box", "half": [0.3, thick, thick]}, {"shape": "box", "half": [0.2, 0.2, thick]},
                             {"shape": "cylinder", "radius": 0.2, "half_length": thick},
                             {"shape": "ellipsoid", "half": [0.25, 2 * thick, thick]}])
        scene = {"time": 0.5, "bodies": [
            {"name": "ground", "kind": "static", "shapes": [[slab, square][seed % 2]]},
            {"name": "body", "mass": 1, "position": [0, 0, 0.6], "orientation": quaternion(draw), "shapes": [shape],
             "velocity": [draw.uniform(-1, 1), 0, -draw.uniform(3, 40)],
             "angular_velocity": [draw.uniform(-40, 40) for _ in range(3)]}]}
        code, _, frames = run(scene, "--step", [1 / 60, 1 / 240][seed // 2 % 2])
        cases += 1
        lowest = min(the_body(frame)["pz"] for frame in frames) if frames else 0
        if code == 0 and lowest < 0:
            faults.append(f"seed {seed}: a {shape['shape']} went to z = {lowest:.3g} m, exit code 0")
    verdict("10 nobody passes a thin surface in silence", faults, cases)


# --- 11 --------------------------------------------------------------------------------------------
def squeezed():
    """A box between walls that leave less room than it needs is not carried away: no step moves it by more than its
    width, the diagonal of the box."""
    faults, cases = [], 0
    for width in (0.13, 0.176, 0.188, 0.196):
        for degrees in (0, 0.05, 0.5):
            walls = [{"name": f"wall{side}", "kind": "static", "position": [side * (0.5 + width / 2), 0, 0],
                      "orientation": {"axis": [0, 0, 1], "degrees": side * degrees},
                      "shapes": [{"shape": "box", "half": [0.5, 2, 2]}]} for side in (-1, 1)]
            body = {"name": "body", "mass": 1, "position": [0.003, 0, 0], "orientation": {"axis": [0.2, 1, 0.1], "degrees": 9},
                    "shapes": [{"shape": "box", "half": [0.1, 0.1, 0.1]}]}
            _, _, frames = run({"time": 0.25, "bodies": [*walls, body]})
            cases += 1
            rows = [the_body(frame) for frame in frames]
            jump = max((math.dist([a["p" + c] for c in "xyz"], [b["p" + c] for c in "xyz"])
                        for a, b in zip(rows, rows[1:])), default=math.inf)
            if jump > 0.2 * math.sqrt(3):
                faults.append(f"slot of {width} m, {degrees} degrees: moved {jump:.3g} m in a step")
    verdict("11 the projection carries nobody away", faults, cases)


# --- 12 --------------------------------------------------------------------------------------------
def effort():
    """The summary counts what a solve really does, sweeps and factorizations beside iterations."""
    _, summary, _ = run({"time": 0.2, "bodies": [GROUND, {"name": "body", "mass": 1, "position": [0, 0, 0.1],
                                                          "shapes": [{"shape": "box", "half": [0.1, 0.1, 0.1]}]}]},
                        "--preset", "reference")
    missing = [name for name in ("sweeps", "factorizations", "slowest_step") if name not in summary]
    verdict("12 effort is told as it is", [f"no '{name}' in the summary" for name in missing], 3)


FAMILIES = [slender, silo, flight, seams, disc_on_ground, stopped, rocking, light_links, standing, cradle, tunnelling,
            squeezed, effort]

if __name__ == "__main__":
    wanted = {int(word) for word in sys.argv[2:]}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, family in enumerate(FAMILIES):
            if not wanted or number in wanted:
                try:
                    family()
                except Refused as message:
                    verdict(f"{number:<2} {family.__name__}", [message], 1)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)
