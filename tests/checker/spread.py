"""How forces are shared at the contacts of assemblies that stand, against closed forms and linear programs.

A force is unique when its least and its largest value over all equilibria within the cones agree. Both are
linear programs where the cones have flat sides. In the plane and without friction they do; else polygons
inside and outside the disk bound them from both sides. The forces of least norm are compared with closed
forms: pressures that are linear in the place.
"""
import math
import random
import tempfile

import numpy as np

import stand

try:
    from scipy.optimize import linprog
except ImportError:
    linprog = None

FACETS = 48
EQUAL = 1e-6    # of the whole load: rounding of two programs
CERTAIN = 1e-3  # of the whole load: a range that is wider is one; the command's own limit is 1e-4 of a contact's load
LOOSE = 1e-3    # of the whole load: the command gives bounds, which are proved at some distance from curved cones


# --- assemblies --------------------------------------------------------------------------------------

def table(legs, centre, mu):
    """A plate whose mass is at `centre`, on balls at `legs`; and what it weighs."""
    shapes = [{"shape": "sphere", "radius": 0.05, "position": [x, y, -0.5]} for x, y in legs]
    body = {"name": "table", "position": [0, 0, 0.55], "shapes": shapes, "mass": 10.0,
            "center": [*centre, 0.0], "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    return stand.scene([stand.GROUND, body], mu)


def slope(degrees, mu):
    angle = math.radians(degrees)
    side = [math.cos(angle / 2), 0, math.sin(angle / 2), 0]
    ramp = {"name": "ramp", "kind": "static", "orientation": side,
            "shapes": [{"shape": "box", "half": [5, 5, 0.5], "position": [0, 0, -0.5]}]}
    place = [0.3 * math.sin(angle), 0, 0.3 * math.cos(angle)]
    block = {"name": "block", "position": place, "orientation": side, "shapes": [{"shape": "box", "half": [0.5, 0.4, 0.3]}]}
    return stand.scene([ramp, block], mu)


def beam(left, right, mu):
    """A beam of length 4 on two round supports."""
    supports = [{"name": name, "kind": "static", "position": [x, -0.1], "shapes": [{"shape": "circle", "radius": 0.1}]}
                for name, x in (("left", left), ("right", right))]
    bar = {"name": "beam", "position": [0, 0.1], "shapes": [{"shape": "polygon", "points": [[-2, -0.1], [2, -0.1], [2, 0.1], [-2, 0.1]]}]}
    return stand.scene(supports + [bar], mu, dimension=2)


def smooth_ladder(degrees):
    """A ladder against a wall without friction, and the force of the wall over the weight."""
    assembly, _ = stand.ladder(degrees)
    assembly["materials"].append({"name": "ice", "mu": 0})
    assembly["bodies"][1]["shapes"][0]["material"] = "ice"
    corners = np.array(assembly["bodies"][2]["shapes"][0]["points"])
    floor, wall = corners[0], corners[1]
    return assembly, -floor[0] / (wall[1] - floor[1])


# --- linear programs ---------------------------------------------------------------------------------

def generators(problem, index, outer):
    """Forces that span the cone of a contact, as columns of (n, t, o, torsion)."""
    contact = problem.contacts[index]
    mu = contact.get("mu", 0) if contact["cone"] != "frictionless" else 0
    if mu == 0:
        return np.array([[1.0, 0, 0, 0]]).T
    if problem.dimension == 2:
        return np.array([[1, mu, 0, 0], [1, -mu, 0, 0]], float).T
    angles = 2 * math.pi * (np.arange(FACETS) + (0.5 if outer else 0)) / FACETS
    radius = mu / math.cos(math.pi / FACETS) if outer else mu
    return np.stack([np.ones(FACETS), radius * np.cos(angles), radius * np.sin(angles), np.zeros(FACETS)])


class Equilibria:
    """The equilibria of a problem without rows, with loads that add up to 1."""

    def __init__(self, problem, outer):
        self.problem = problem
        bodies = len(problem.bodies)
        load = np.concatenate([np.linalg.pinv(m) @ v for m, v in zip(problem.inverse_mass, problem.free)])
        self.whole = np.linalg.norm(load.reshape(bodies, 6)[:, :3], axis=1).sum()
        columns, self.spans = [], []
        for i, parts in enumerate(problem.columns):
            span = generators(problem, i, outer)
            block = np.zeros((6 * bodies, 4))
            for body, part, _ in parts:
                if body >= 0:
                    block[6 * body:6 * body + 6] += part
            columns.append(block @ span)
            self.spans.append(span)
        matrix = np.concatenate(columns, axis=1)
        used = np.abs(matrix).max(axis=1) > 0
        self.matrix, self.load = matrix[used], -(load / self.whole)[used]

    def ends(self, contacts, direction, flipped):
        """Least and largest force along a direction of all these contacts together; None where there is no bound."""
        cost = []
        for i, span in enumerate(self.spans):
            contact = self.problem.contacts[i]
            frame = np.array([contact[axis] for axis in "nto"], float)
            sign = -1.0 if i in flipped else 1.0
            cost.append(sign * (frame @ direction) @ span[:3] if i in contacts else np.zeros(span.shape[1]))
        cost, found = np.concatenate(cost), []
        for sign in (1, -1):
            result = linprog(sign * cost, A_eq=self.matrix, b_eq=self.load, method="highs")
            if result.status not in (0, 3):
                raise ValueError(result.message)
            found.append(sign * result.fun if result.status == 0 else None)
        return found


def compare(name, said, inner, outer, unique, whole):
    """A range that the command gives, between those of the two programs."""
    found = []
    for side, (mine, less, more) in enumerate(zip(said, inner, outer)):
        sign = -1 if side == 0 else 1
        if mine is None or less is None:
            if not (mine is None and (less is None or more is None)):
                found.append(f"{name}: bound {mine}, the program has {less}, {more}")
            continue
        if sign * (mine / whole - less) < -EQUAL or (more is not None and sign * (mine / whole - more) > LOOSE):
            found.append(f"{name}: bound {mine / whole:.8f} is not between {less:.8f} and {more:.8f}")
    wide = inner[0] is None or inner[1] is None or inner[1] - inner[0] > CERTAIN
    narrow = None not in outer and outer[1] - outer[0] < EQUAL
    if (wide and unique) or (narrow and not unique):
        found.append(f"{name}: unique {unique}, the range is {inner}")
    return found


def range_errors(answer, problem):
    """What the command says of unique normal forces and their ranges, against linear programs."""
    programs, found = [Equilibria(problem, outer) for outer in (False, True)], []
    contacts = answer["distribution"]["contacts"]
    whole = programs[0].whole * 9.81 / np.linalg.norm(problem.free[:, :3], axis=1).max()
    for contact in contacts:
        ends = [p.ends({contact["index"]}, np.array(contact["normal"]), set()) for p in programs]
        found += compare(f"contact {contact['index']}", contact["range"], *ends, contact["unique_normal"], whole)
    for pair in answer["distribution"]["pairs"]:
        name = (pair["a"], pair["b"])
        own = {c["index"] for c in contacts if (c["a"], c["b"]) == name}
        turned = {c["index"] for c in contacts if (c["b"], c["a"]) == name}
        ends = [p.ends(own | turned, np.array(pair["normal"]), turned) for p in programs]
        found += compare(f"{name[0]} and {name[1]}", pair["range"], *ends, pair["unique_normal"], whole)
    return found


# --- checks ------------------------------------------------------------------------------------------

def ask(rigor, folder, assembly):
    """The answer with ranges, what is wrong with its forces, and the problem."""
    answer, found = stand.ask(rigor, folder, assembly, "--quick", "--ranges")
    if "distribution" not in answer:
        return None, [f"{answer['verdict']}: no forces"], None
    return answer, found, stand.certificate.Problem(f"{folder}/problem.json")


def balance_errors(answer, problem):
    """The forces of the answer themselves must balance every load, within the cones."""
    r = np.zeros((len(problem.contacts), 4))
    for contact in answer["distribution"]["contacts"]:
        law = problem.contacts[contact["index"]]
        frame = np.array([law[axis] for axis in "nto"], float)
        r[contact["index"], :3] = frame @ np.array(contact["force"])
    step = np.linalg.norm(problem.free[:, :3], axis=1).max() / 9.81
    proof = {"verdict": "stands", "v": np.zeros(6 * len(problem.bodies)), "r": step * r}
    return stand.proof_errors(problem, proof)


def check_one(rigor, folder, assembly, expected):
    """`expected` takes the answer and says what is wrong with it."""
    answer, found, problem = ask(rigor, folder, assembly)
    if answer is None:
        return found
    found += balance_errors(answer, problem) + expected(answer)
    if linprog:
        found += range_errors(answer, problem)
    return found


def normals(answer):
    return [c["normal_force"] for c in sorted(answer["distribution"]["contacts"], key=lambda c: c["index"])]


def expect(names, measured, wanted, scale):
    return [f"{name} is {m}, should be {w}" for name, m, w in zip(names, measured, wanted) if not abs(m - w) < 1e-6 * scale]


def four_legs(a, b, x, y):
    weight = 98.1

    def expected(answer):
        places = [c["point"] for c in sorted(answer["distribution"]["contacts"], key=lambda c: c["index"])]
        wanted = [weight / 4 * (1 + x * p[0] / a ** 2 + y * p[1] / b ** 2) for p in places]
        found = expect(("leg 1", "leg 2", "leg 3", "leg 4"), normals(answer), wanted, weight)
        return found + ([] if answer["distribution"]["dimensions"] == 1 else ["not one dimension"])

    return table([(a, b), (-a, b), (a, -b), (-a, -b)], (x, y), 0), expected


def three_legs(legs, centre, mu):
    weights = np.linalg.solve(np.array([[1, 1, 1], *np.array(legs).T]), [1, *centre])

    def expected(answer):
        contacts = answer["distribution"]["contacts"]
        found = [] if all(c["unique_normal"] for c in contacts) else ["normal forces are not unique"]
        for contact in contacts:
            leg = np.argmin([math.dist(contact["point"][:2], leg) for leg in legs])
            found += expect((f"leg {leg}",), (contact["normal_force"],), (98.1 * weights[leg],), 98.1)
        if answer["distribution"]["dimensions"] != (0 if mu == 0 else 3):
            found.append(f"{answer['distribution']['dimensions']} dimensions")
        return found

    return table(legs, centre, mu), expected


def on_slope(degrees):
    def expected(answer):
        pair = answer["distribution"]["pairs"][0]
        weight = 1000 * 1 * 0.8 * 0.6 * 9.81  # of a box at 1,000 kg/m3
        found = expect(("normal force",), (abs(pair["normal_force"]),), (weight * math.cos(math.radians(degrees)),), weight)
        found += expect(("force",), (np.linalg.norm(pair["force"]),), (weight,), weight)
        if not (pair["unique_force"] and pair["unique_moment"]) or any(c["unique"] for c in answer["distribution"]["contacts"]):
            found.append("the resultant is unique, its parts are not")
        return found

    return slope(degrees, 1.5), expected


def on_two_supports(left, right, mu):
    def expected(answer):
        weight = 0.8 * 1000 * 9.81
        wanted = {"left": weight * right / (right - left), "right": -weight * left / (right - left)}
        found = []
        for pair in answer["distribution"]["pairs"]:
            name = pair["a"] if pair["a"] in wanted else pair["b"]
            found += expect((name,), (abs(pair["normal_force"]),), (wanted[name],), weight)
            if not pair["unique_normal"] or pair["unique_force"] != (mu == 0):
                found.append(f"{name}: unique {pair['unique_normal']}, {pair['unique_force']}")
        return found

    return beam(left, right, mu), expected


def on_ice(degrees):
    assembly, push = smooth_ladder(degrees)

    def expected(answer):
        weight = 2 * 0.02 * 1000 * 9.81
        found = [] if answer["distribution"]["dimensions"] == 0 else ["not unique"]
        for pair in answer["distribution"]["pairs"]:
            wall = "wall" in (pair["a"], pair["b"])
            found += expect(("wall" if wall else "floor",), (abs(pair["normal_force"]),), (weight * push if wall else weight,), weight)
        return found

    return assembly, expected


def some_unique(count, of):
    """Of the pairs, so many have unique normal forces."""
    def expected(answer):
        pairs = answer["distribution"]["pairs"]
        unique = sum(pair["unique_normal"] for pair in pairs)
        return [] if (unique, len(pairs)) == (count, of) else [f"unique normal forces of {unique} of {len(pairs)} pairs"]
    return expected


def cases():
    numbers = random.Random(7)
    for _ in range(3):
        a, b = numbers.uniform(0.2, 1), numbers.uniform(0.2, 1)
        yield "four legs", *four_legs(a, b, numbers.uniform(-0.4, 0.4) * a, numbers.uniform(-0.4, 0.4) * b)
    for mu in (0, 0.5):
        turn = numbers.uniform(0, 2)
        legs = [(0.5 * math.cos(turn + k * 2.1), 0.5 * math.sin(turn + k * 2.1)) for k in range(3)]
        yield f"three legs, mu {mu}", *three_legs(legs, (numbers.uniform(-0.1, 0.1), numbers.uniform(-0.1, 0.1)), mu)
    for degrees in (10, 40):
        yield f"slope of {degrees} degrees", *on_slope(degrees)
    for mu in (0, 0.3):
        yield f"two supports, mu {mu}", *on_two_supports(-numbers.uniform(0.5, 1.8), numbers.uniform(0.3, 1.8), mu)
    for degrees in (50, 70):
        yield f"ladder at {degrees} degrees on ice", *on_ice(degrees)
    yield "balls, 2D", stand.balls(2)[0], some_unique(2, 5)
    yield "balls, 3D", stand.balls(3)[0], some_unique(3, 9)
    yield "arch of 3", stand.arch(3, 0.4), some_unique(0, 4)


def check(tally, rigor):
    note = "" if linprog else "without linear programs: SciPy is not there"
    with tempfile.TemporaryDirectory() as folder:
        for name, assembly, expected in cases():
            tally.add(f"forces: {name}", check_one(rigor, folder, assembly, expected), note)
