"""Overlaps from poses, for spheres, capsules, boxes and half-spaces: the shortest translation that parts
two shapes, by closed forms and by separating axes, against the certificate's `penetration`.

A sphere or capsule is a core (point, segment) with a radius. Where a core is outside a box, the overlap is
the radius less the distance; where it is inside, separating axes of core and box give the depth, which the
radius adds to. Both are exact, because a translation that parts convex polytopes with the shortest way is
along a face normal or a product of two edges.

After a projection the reported value may be of first order in the displacement (accuracy.md, "What the
certificate does not say"): each of its PASSES may add FIRST_ORDER of the penetration that it leaves alone, for
each of the two bodies. Steps without a projection are compared to rounding."""
import numpy as np

from scene import orientation

FIRST_ORDER, PASSES = 0.01, 12
KNOWN = ("sphere", "capsule", "box", "halfspace")


class Solid:
    def __init__(self, body, shape, frame, index):
        turn, kind = frame.turn[index], shape["shape"]
        self.body, self.shape, self.kind = index, shape, kind
        self.center = frame.position[index] + turn @ np.array(shape.get("position", [0, 0, 0]), float)
        self.axes = turn @ orientation(shape.get("orientation"))
        self.radius = shape.get("radius", 0.0)
        half = {"box": shape.get("half"), "capsule": [0, 0, shape.get("half_length", 0)]}.get(kind)
        self.half = np.array(half if half else [0, 0, 0], float)
        self.reach = np.inf if kind == "halfspace" else np.linalg.norm(self.half) + self.radius
        self.still = body.kind != "dynamic"

    def corners(self):
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        return self.center + (signs * self.half) @ self.axes.T


def box_distance(box, point):
    local = box.axes.T @ (point - box.center)
    return np.linalg.norm(np.maximum(np.abs(local) - box.half, 0))


def box_to_segment(box, core):
    """Distance of a segment from a box: convex along the segment, so that thirds find it."""
    way = core.half[2] * core.axes[:, 2]
    low, high = -1.0, 1.0
    for _ in range(100):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if box_distance(box, core.center + a * way) <= box_distance(box, core.center + b * way):
            high = b
        else:
            low = a
    return box_distance(box, core.center + (low + high) / 2 * way)


def segment_distance(a, b):
    """Distance of two segments (points where half = 0): the least of the inner one and of the ends."""
    p, q = a.half[2] * a.axes[:, 2], b.half[2] * b.axes[:, 2]
    d = a.center - b.center

    def to_segment(point, other, way):
        length2 = way @ way
        s = np.clip((point - other) @ way / length2, -1, 1) if length2 > 0 else 0.0
        return np.linalg.norm(point - other - s * way)

    best = min(*(to_segment(a.center + s * p, b.center, q) for s in (-1, 1)),
               *(to_segment(b.center + s * q, a.center, p) for s in (-1, 1)))
    m = np.array([[p @ p, -(p @ q)], [-(p @ q), q @ q]])
    if np.linalg.det(m) > 1e-12 * (p @ p) * (q @ q) > 0:
        s, t = np.linalg.solve(m, [-(d @ p), d @ q])
        if abs(s) <= 1 and abs(t) <= 1:
            best = min(best, np.linalg.norm(d + s * p - t * q))
    return best


def separating_axes(a, b):
    """The least overlap of two cores over face normals and products of edges; negative: parted."""
    d = b.center - a.center
    axes = [x.axes[:, k] for x in (a, b) if x.kind == "box" for k in range(3)]
    axes += [np.cross(a.axes[:, i], b.axes[:, j]) for i in range(3) for j in range(3)
             if a.half[i] > 0 and b.half[j] > 0]
    best = np.inf
    for axis in axes:
        size = np.linalg.norm(axis)
        if size < 1e-7:
            continue
        axis = axis / size
        widths = sum(np.abs(x.half * (x.axes.T @ axis)).sum() for x in (a, b))
        best = min(best, widths - abs(d @ axis))
    return best


def overlap(a, b):
    """Depth of penetration of two solids; negative or zero: apart."""
    if b.kind == "halfspace":
        a, b = b, a
    if a.kind == "halfspace":
        up = a.axes[:, 2]
        points = b.corners() if b.kind != "sphere" else b.center[None]
        return b.radius - ((points - a.center) @ up).min()
    radius = a.radius + b.radius
    if a.kind == "box" and b.kind == "box":
        return separating_axes(a, b)
    if "box" in (a.kind, b.kind):
        box, core = (a, b) if a.kind == "box" else (b, a)
        distance = box_to_segment(box, core)
        return radius - distance if distance > 0 else radius + separating_axes(box, core)
    return radius - segment_distance(a, b)


def parted(scene):
    """Pairs of names of bodies that do not collide: listed, or joined."""
    def names(word):
        return [b.name for b in scene.bodies if b.name == word or b.name.startswith(f"{word}[")]

    pairs = set()
    listed = [tuple(x) for x in scene.data.get("no_collision", [])]
    listed += [(j["a"], j["b"]) for j in scene.data.get("joints", []) if "a" in j and not j.get("collide")]
    for a, b in listed:
        pairs.update((x, y) for x in names(a) for y in names(b))
    return pairs | {(b, a) for a, b in pairs}


def collide(scene, a, b, apart):
    if a.body == b.body or (a.still and b.still):
        return False
    x, y = a.shape, b.shape
    if not (x.get("group", 1) & y.get("mask", 0xFFFFFFFF) and y.get("group", 1) & x.get("mask", 0xFFFFFFFF)):
        return False
    return (scene.bodies[a.body].name, scene.bodies[b.body].name) not in apart


def deepest(scene, frame, apart):
    """The largest overlap, its pair, and whether every shape was looked at."""
    solids = [Solid(b, s, frame, i) for i, b in enumerate(scene.bodies) for s in b.shapes if s["shape"] in KNOWN]
    whole = sum(len(b.shapes) for b in scene.bodies) == len(solids)
    centers = np.array([s.center for s in solids]).reshape(-1, 3)
    reach = np.array([s.reach for s in solids])
    best, pair = 0.0, None
    for i, a in enumerate(solids):
        near = np.linalg.norm(centers[i + 1:] - a.center, axis=1) < reach[i + 1:] + a.reach
        for j in np.nonzero(near)[0]:
            b = solids[i + 1 + j]
            if collide(scene, a, b, apart):
                depth = overlap(a, b)
                if depth > best:
                    best, pair = depth, (scene.bodies[a.body].name, scene.bodies[b.body].name)
    return best, pair, whole


def left_alone(scene, options):
    """No less than the penetration that the projection leaves: its tolerance times a half-width."""
    widths = [max(*s.get("half", [0, 0]), s.get("radius", 0) + s.get("half_length", 0))
              for b in scene.bodies for s in b.shapes]
    return options["projection_tolerance"] * max(widths, default=0)


def disagreements(scene, frames, every, options):
    found, apart = [], parted(scene)
    size = max((np.abs(f.position).max() for f in frames), default=1.0) + 1
    for k in range(1, len(frames), every):
        best, pair, whole = deepest(scene, frames[k], apart)
        said = frames[k].certificate["penetration"]
        room = 1e-10 * size + 1e-6 * best
        if frames[k].certificate["projection_asked"] > 0:
            room += 2 * PASSES * FIRST_ORDER * left_alone(scene, options)
        if best > said + room or (whole and said > best + room):
            found.append(f"frame {k}: penetration: Rigor {said:.9g}, checker {best:.9g} of {pair}")
    return found
