"""The certificate of a contact problem, computed from docs/accuracy.md ("The certificate") and
include/rigor/problem.h, in plain dense NumPy. Nothing is skipped or bounded: every contact and every
row is judged, where Rigor leaves out those that cannot be the worst.

    M (v - v_free) = G' lambda + H r,   u = H' v + bias,   w = G v + bias + compliance lambda
"""
import json
import math

import numpy as np

# A velocity below this part of the sum of what it is the difference of is rounding (accuracy.md).
ROUNDING = 16 * 2.2e-16
FIELDS = ("dynamics", "joint", "signorini", "coulomb", "scale", "residual")


class Problem:
    """A problem file: columns D of contacts (4 each) and rows (1 each), so that u, w = D' v + bias."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.dimension = data.get("dimension", 3)
        self.local = data.get("local")
        source = self.local or data
        self.bodies = data.get("bodies", [])
        self.contacts = source.get("contacts", [])
        self.rows = source.get("rows", [])
        self.free = np.array([b["v_free"] for b in self.bodies], float).reshape(-1, 6)
        self.inverse_mass = [np.zeros((6, 6)) for _ in self.bodies]
        for matrix, body in zip(self.inverse_mass, self.bodies):
            matrix[:3, :3] = body["inverse_mass"] * np.eye(3)
            matrix[3:, 3:] = body["inverse_inertia"]
        self.columns = [self.contact_columns(c) for c in self.contacts] if not self.local else []
        self.row_columns = [self.columns_of_row(row) for row in self.rows] if not self.local else []

    def contact_columns(self, contact):
        """[(body, 6 x 4 block of H, arm)]: impulses act on A with their sign, on B with the opposite."""
        parts = []
        frame = np.array([contact[axis] for axis in "nto"], float).T
        for side, sign in (("a", 1.0), ("b", -1.0)):
            x, y, z = contact.get("arm_" + side, (0, 0, 0))
            block = np.zeros((6, 4))
            block[:3, :3] = frame
            block[3:, :3] = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], float) @ frame
            block[3:, 3] = frame[:, 0]
            parts.append((contact["body_" + side], sign * block, math.hypot(x, y, z)))
        return parts

    @staticmethod
    def columns_of_row(row):
        return [(row["body_" + s], np.array(row.get("g_" + s, [0] * 6), float)) for s in "ab"]

    def axes(self, contact):
        cone, e = contact["cone"], np.zeros(4)
        e[0] = 1
        if cone != "frictionless":
            e[1], e[2] = 1, 1
        if cone == "ellipsoid":
            e[1], e[2], e[3] = contact.get("e_t", 1), contact.get("e_o", 1), contact.get("e_tau", 0)
        if self.dimension == 2:
            e[2] = e[3] = 0
        return e

    def block(self, i, j):
        """The stored block of the local form of nodes i and j, or None."""
        size = [self.local["block"] if k < len(self.contacts) else 1 for k in (i, j)]
        for block in self.local["blocks"]:
            if block["row"] == i and block["column"] == j:
                return np.array(block["w"], float).reshape(size)
        return None


def project_cone(s, y, mu):
    """The nearest point of |y| <= mu s."""
    size = np.linalg.norm(y)
    if s >= 0 and size <= mu * s:
        return s, y
    if mu * size <= -s:
        return 0.0, 0 * y
    height = (s + mu * size) / (1 + mu * mu)
    return height, y * (mu * height / size if size > 0 else 0)


def polygon(cone, facets):
    angles = 2 * math.pi * np.arange(facets) / facets
    radius = 1.0
    if cone == "outer":
        angles = angles + math.pi / facets
        radius = 1 / math.cos(math.pi / facets)
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def project_polygon(corners, x):
    """The nearest point of a convex polygon: itself when inside, else the nearest over all sides."""
    if not corners.any():
        return np.zeros(2)
    following = np.roll(corners, -1, axis=0)
    edges, to_x = following - corners, x - corners
    if np.all(edges[:, 0] * to_x[:, 1] - edges[:, 1] * to_x[:, 0] >= 0):
        return x
    length2 = np.maximum(np.sum(edges * edges, axis=1), 1e-300)
    s = np.clip(np.sum(edges * to_x, axis=1) / length2, 0, 1)
    points = corners + s[:, None] * edges
    return points[np.argmin(np.sum((points - x) ** 2, axis=1))]


def contact_map(problem, contact, r, u, rho):
    """|F| of the contact law."""
    e, mu, cone = problem.axes(contact), contact.get("mu", 0), contact["cone"]
    length = max(np.linalg.norm(contact.get("arm_" + k, [0, 0, 0])) for k in "ab") or 1.0
    if cone in ("inner", "outer"):
        normal = r[0] - max(0.0, r[0] - rho * u[0])
        corners = mu * max(r[0], 0.0) * polygon(cone, contact["facets"])
        x = r[1:3] - rho * u[1:3]
        if problem.dimension == 2:
            nearest = np.array([np.clip(x[0], corners[:, 0].min(), corners[:, 0].max()), 0])
        else:
            nearest = project_polygon(corners, x)
        return math.hypot(normal, *(r[1:3] - nearest), r[3] / length)
    mu = 0 if cone == "frictionless" else mu
    used = np.array([i for i in (1, 2, 3) if e[i] > 0], int)
    y, w = r[used] / e[used], e[used] * u[used]
    s, z = project_cone(r[0] - rho * (u[0] + mu * np.linalg.norm(w)), y - rho * w, mu)
    idle = [r[i] / (length if i == 3 else 1) for i in (1, 2, 3) if not e[i] > 0]
    return math.sqrt((r[0] - s) ** 2 + np.sum((y - z) ** 2) + sum(x * x for x in idle))


def speeds(v):
    """Of each body |linear| and |angular|."""
    return [(math.hypot(*x[:3]), math.hypot(*x[3:])) for x in v.tolist()]


class Judge:
    """Judges one solution (v, r, lambda) of a problem."""

    def __init__(self, problem, v, r, lam):
        self.p = problem
        self.r = np.array(r, float).reshape(-1, 4)
        self.lam = np.array(lam, float)
        v = np.array(v, float)
        if problem.local:
            self.u = v[:4 * len(problem.contacts)].reshape(-1, 4)
            self.w = v[4 * len(problem.contacts):]
            self.v = np.zeros((0, 6))
        else:
            self.v = v.reshape(-1, 6)
        self.inverse = [self.inverse_rho(i) for i in range(len(problem.contacts))]
        self.row_masses = [self.row_mass(i) for i in range(len(problem.rows))]
        self.speeds, self.free_speeds = speeds(self.v), speeds(problem.free)

    # --- velocities ------------------------------------------------------------------------------

    def contact_velocity(self, i, v):
        u = np.array(self.p.contacts[i].get("bias", [0] * 4), float)
        for body, block, _ in self.p.columns[i]:
            if body >= 0:
                u = u + block.T @ v[body]
        return u

    def contact_size(self, i, sizes):
        """The sum of the sizes of the velocities that u_n is the difference of."""
        size = abs(self.p.contacts[i].get("bias", [0])[0])
        for body, _, arm in self.p.columns[i]:
            if body >= 0:
                size += sizes[body][0] + arm * sizes[body][1]
        return size

    def approaches(self, i, sizes, normal):
        if self.p.local:
            return normal < 0
        return normal < -ROUNDING * self.contact_size(i, sizes)

    def row_velocity(self, i, v, soft=0.0):
        """w and the sum of the sizes of what it adds up."""
        terms = [self.p.rows[i].get("bias", 0), soft]
        for body, g in self.p.row_columns[i]:
            if body >= 0:
                terms += (g * v[body]).tolist()
        return sum(terms), sum(map(abs, terms))

    # --- effective masses ------------------------------------------------------------------------

    def inverse_rho(self, i):
        p, contact = self.p, self.p.contacts[i]
        used = [k for k in range(3) if p.axes(contact)[k] > 0]
        if p.local:
            given = p.block(i, i)
            used = [k for k in used if k < p.local["block"]]
            trace = sum(given[k, k] for k in used)
            if trace > 0:
                return trace / len(used)
            return max(abs(x) for b in p.local["blocks"] if b["row"] == i for x in b["w"]) or 1.0
        trace = 0.0
        for body, block, _ in p.columns[i]:
            if body >= 0:
                trace += np.sum(block[:, used] * (p.inverse_mass[body] @ block[:, used]))
        return trace / len(used)

    def row_mass(self, i):
        """G M^-1 G' and the length by which the velocity of the row counts."""
        p, row = self.p, self.p.rows[i]
        if p.local:
            k = len(p.contacts) + i
            return p.block(k, k)[0, 0], row.get("length", 1.0)
        block, masses, linear = 0.0, 0.0, 0.0
        for body, g in p.row_columns[i]:
            linear += g[:3] @ g[:3]
            if body >= 0:
                block += g @ p.inverse_mass[body] @ g
                masses += p.bodies[body]["inverse_mass"]
        if linear > 0:
            return block, 1.0
        return block, math.sqrt(masses / block) if masses > 0 and block > 0 else 1.0

    def row_weight(self, i):
        block, length = self.row_masses[i]
        compliance = self.p.rows[i].get("compliance", 0)
        return length * (block / (block + compliance) if compliance > 0 and block > 0 else 1.0)

    # --- residuals -------------------------------------------------------------------------------

    def contacts_missed(self):
        signorini = coulomb = 0.0
        for i, contact in enumerate(self.p.contacts):
            r = self.r[i]
            u = self.u[i] if self.p.local else self.contact_velocity(i, self.v)
            if not r.any() and not self.approaches(i, self.speeds, u[0]):
                continue
            inverse = self.inverse[i]
            if inverse > 0:
                missed = abs(min(u[0], r[0] * inverse))
                law = contact_map(self.p, contact, r, u, 1 / inverse) * inverse
            else:
                missed = law = max(0.0, -u[0])
            signorini, coulomb = max(signorini, missed), max(coulomb, law)
        return signorini, coulomb

    def row_missed(self, i):
        row, lam = self.p.rows[i], self.lam[i]
        lower, upper = row.get("lower", -math.inf), row.get("upper", math.inf)
        compliance = row.get("compliance", 0)
        if self.p.local:
            w, size = self.w[i] + compliance * lam, 0.0
        else:
            w, size = self.row_velocity(i, self.v, compliance * lam)
        if abs(w) <= ROUNDING * size:
            w = 0.0
        inverse = self.row_masses[i][0] + compliance
        if inverse > 0:
            missed = abs(lam - min(max(lam - w / inverse, lower), upper)) * inverse
        else:
            missed = max(0.0, -w) if lam <= lower else max(0.0, w) if lam >= upper else abs(w)
        return missed * self.row_weight(i)

    def rows_missed(self):
        worst = max((self.row_missed(i) for i in range(len(self.p.rows))), default=0.0)
        if not self.p.local and not self.p.contacts and len(self.v):
            fastest = max(np.linalg.norm(v[:3]) for v in self.v)
            if worst <= ROUNDING * fastest:
                return 0.0
        return worst

    def local_dynamics(self):
        p, count, size = self.p, len(self.p.contacts), self.p.local["block"]
        want = [np.array(c.get("bias", [0] * 4), float) for c in p.contacts]
        want += [np.array([row.get("bias", 0)], float) for row in p.rows]
        for item in p.local["blocks"]:
            i, j = item["row"], item["column"]
            m, n = (size if k < count else 1 for k in (i, j))
            impulse = self.r[j][:n] if j < count else self.lam[j - count:j - count + 1]
            want[i][:m] += np.array(item["w"], float).reshape(m, n) @ impulse
        worst = max((np.linalg.norm(self.u[i] - want[i]) for i in range(count)), default=0.0)
        for i, row in enumerate(p.rows):
            worst = max(worst, abs(self.w[i] - want[count + i][0]) * row.get("length", 1.0))
        return worst

    def dynamics(self):
        p = self.p
        if p.local:
            return self.local_dynamics()
        wrench, arms = np.zeros_like(self.v), np.zeros(len(p.bodies))
        for i in range(len(p.contacts)):
            for body, block, arm in p.columns[i]:
                if body >= 0:
                    wrench[body] += block @ self.r[i]
                    arms[body] = max(arms[body], arm)
        for i in range(len(p.rows)):
            for body, g in p.row_columns[i]:
                if body >= 0:
                    linear = math.hypot(*g[:3])
                    arm = math.hypot(*g[3:]) / linear if linear > 0 else self.row_masses[i][1]
                    wrench[body] += g * self.lam[i]
                    arms[body] = max(arms[body], arm)
        worst = 0.0
        for k in range(len(p.bodies)):
            d = self.v[k] - p.free[k] - p.inverse_mass[k] @ wrench[k]
            missed = math.hypot(np.linalg.norm(d[:3]), arms[k] * np.linalg.norm(d[3:]))
            size = np.linalg.norm(self.v[k][:3]) + arms[k] * np.linalg.norm(self.v[k][3:])
            if missed > ROUNDING * size:
                worst = max(worst, missed)
        return worst

    def scale(self):
        p, worst = self.p, 0.0
        for i, contact in enumerate(p.contacts):
            if p.local:
                u = np.array(contact.get("bias", [0] * 4), float)
            else:
                u = self.contact_velocity(i, p.free)
            if self.approaches(i, self.free_speeds, u[0]):
                e = p.axes(contact)
                factors = np.array([1, e[1] > 0, e[2] > 0, e[3]], float)
                worst = max(worst, np.linalg.norm(factors * u))
        for i, row in enumerate(p.rows):
            worst = max(worst, self.row_scale(i, row))
        return worst

    def row_scale(self, i, row):
        lower, upper = row.get("lower", -math.inf), row.get("upper", math.inf)
        if self.p.local:
            w, size = row.get("bias", 0.0), 0.0
        else:
            w, size = self.row_velocity(i, self.p.free)
        if (lower == 0 and w >= 0) or (upper == 0 and w <= 0):
            return 0.0
        least = max(lower, -upper, 0.0)
        if least == 0 and abs(w) <= ROUNDING * size:
            return 0.0
        inverse = self.row_masses[i][0] + row.get("compliance", 0)
        # bounds are the most that a row can do; an impulse that is given has no velocity to reach
        most = max(abs(lower), abs(upper))
        reach = most * inverse if math.isfinite(most) else math.inf
        asked = 0.0 if lower == upper else min(abs(w), reach)
        return (asked + least * inverse) * self.row_weight(i)

    def sizes(self):
        """The largest velocity and impulse-made velocity: what rounding of the residuals goes by."""
        p, size = self.p, 1e-300
        for k, v in enumerate(self.v):
            size = max(size, *np.abs(v[:3]), *np.abs(p.free[k][:3]))
        for i, contact in enumerate(p.contacts):
            u = self.u[i] if p.local else [self.contact_size(i, self.speeds),
                                           self.contact_size(i, self.free_speeds)]
            size = max(size, *map(abs, u), np.abs(self.r[i]).max() * self.inverse[i])
        for i, row in enumerate(p.rows):
            block, length = self.row_masses[i]
            lam = abs(self.lam[i]) * (block + row.get("compliance", 0))
            w = abs(self.w[i]) if p.local else max(self.row_velocity(i, self.v)[1],
                                                   self.row_velocity(i, p.free)[1])
            size = max(size, lam * length, w * length)
        return size

    def certificate(self):
        signorini, coulomb = self.contacts_missed()
        result = dict(dynamics=self.dynamics(), joint=self.rows_missed(), signorini=signorini,
                      coulomb=coulomb, scale=self.scale())
        largest = max(result[k] for k in FIELDS[:4])
        result["residual"] = 0.0 if largest == 0 else \
            largest / result["scale"] if result["scale"] > 0 else math.inf
        return result


def disagreements(problem, solution):
    """What the reported certificate and ours differ in, as texts. Velocities may differ by rounding:
    1e-12 of the largest velocity that enters, or 1e-9 of the value itself."""
    judge = Judge(problem, solution["v"], solution["r"], solution["lambda"])
    ours, theirs = judge.certificate(), solution["certificate"]
    slack = 1e-12 * judge.sizes()
    found = []
    for name in FIELDS[:5]:
        a, b = ours[name], theirs[name]
        if not abs(a - b) <= slack + 1e-9 * abs(a):
            found.append(f"{name}: Rigor {b:.9g}, checker {a:.9g} (rounding {slack:.1g})")
    a, b = ours["residual"], theirs["residual"]
    room = slack / theirs["scale"] if theirs["scale"] > 0 else math.inf
    if not (a == b or abs(a - b) <= 2 * room + 1e-8 * abs(a)):
        found.append(f"residual: Rigor {b:.9g}, checker {a:.9g} (rounding {room:.1g})")
    return found
