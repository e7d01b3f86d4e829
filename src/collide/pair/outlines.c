// outlines.c - contacts of two flat shapes: cores (a point, a segment or a convex polygon) with a
// radius around them.
//
// Method. The normal first.
//   1. Cores well apart: it is the direction between their closest points, found by trying every
//      corner against every side.
//   2. Cores touching, so that rounding would decide that direction, or overlapping: the side that
//   separates them most (overlaps least).
// Then the points.
//   3. When a side of A or B faces along the normal, the side of the other that faces it is cut to
//      its width; the one or two points that remain are the contacts, with the exact normal of the
//      side. A's side is taken when both fit, so that names stay the same.
//   4. Otherwise two corners meet: one contact.
//   5. Sides that share no width, and corners that pass each other nearly along a side, get no
//      contact while they are apart: a block that slides over flush blocks must not stop at their
//      joints (the rule of polyhedra.c). Should they meet all the same, they overlap in the next
//      step.
//
// Cost O(n_a + n_b) for n corners beyond those of small outlines: as the sides of one turn about it, the
// corner of the other that is nearest to them turns about the other. Coordinates are relative to the
// position of A.
#include "collide/pair/pairs.h"
#include "shape/solid/outline.h"

// Angles up to which a side faces along a normal: to rounding; and where corners only pass by.
static const double FACING = 1e-6, PASSING = 1e-3;
// Part of the smaller half-width that counts as nothing: shared widths, overlaps at joints.
static const double FLUSH = 1e-6;
// Part of the smaller half-width up to which the direction between closest points is rounding.
static const double TOUCHING = 1e-8;

// Outlines of up to this many corners are small: they are copied to where they are.
enum { SMALL = 64 };

// A placed outline.
typedef struct Placed {
  int count, sides;
  double radius;
  const rgOutline* outline;
  rgPose pose;
  rgVec3 corners[SMALL], normals[SMALL]; // of a small one
} Placed;

static void place(const rgShape* shape, rgPose pose, rgVec3 origin, Placed* out) {
  const rgOutline* outline = shape->outline;
  rgPose relative = {v3_sub(pose.position, origin), pose.orientation};
  out->count = outline->count;
  out->sides = outline->count > 1 ? outline->count : 0;
  out->radius = shape->radius;
  out->outline = outline;
  out->pose = relative;
  for (int i = 0; i < outline->count && outline->count <= SMALL; i++) {
    out->corners[i] = pose_apply(relative, outline->corners[i]);
    out->normals[i] = quat_rotate(pose.orientation, outline->normals[i]);
  }
}

static rgVec3 corner(const Placed* p, int i) {
  i = i < p->count ? i : 0;
  return p->count <= SMALL ? p->corners[i] : pose_apply(p->pose, p->outline->corners[i]);
}

static rgVec3 normal(const Placed* p, int i) {
  return p->count <= SMALL ? p->normals[i]
                           : quat_rotate(p->pose.orientation, p->outline->normals[i]);
}

// The corners of an outline that may be nearest to the sides of another, side by side: all of a small
// one; of a large one those from the nearest along the normal of the last side to the nearest along
// that of this side.
typedef struct Walk {
  const Placed *sides, *corners;
  int at; // nearest to the last side
} Walk;

static double height(const Walk* walk, int side, int i) {
  return v3_dot(normal(walk->sides, side), corner(walk->corners, i));
}

static Walk begin_walk(const Placed* sides, const Placed* corners) {
  Walk walk = {sides, corners, 0};
  if (corners->count <= SMALL || sides->sides == 0)
    return walk;
  for (int i = 1; i < corners->count; i++)
    if (height(&walk, sides->sides - 1, i) < height(&walk, sides->sides - 1, walk.at))
      walk.at = i;
  return walk;
}

// The first of the corners for this side; returns how many there are, which follow each other.
static int walk_to(Walk* walk, int side, int* first) {
  int count = walk->corners->count, passed = 1;
  *first = 0;
  if (count <= SMALL || walk->sides->sides == 0)
    return count;
  *first = walk->at;
  for (double now = height(walk, side, walk->at); passed < count; passed++) {
    int next = walk->at + 1 < count ? walk->at + 1 : 0;
    double then = height(walk, side, next);
    if (!(then < now))
      break;
    walk->at = next;
    now = then;
  }
  return passed;
}

static int wrapped(const Placed* p, int i) { return i < p->count ? i : i - p->count; }

// -------------------------------------------------------------------------------------------------
// The normal
// -------------------------------------------------------------------------------------------------

// The side of `p` that separates it most from `other`; returns that separation (-inf: no sides).
static double widest_side(const Placed* p, const Placed* other, int* side) {
  double widest = -HUGE_VAL;
  Walk walk = begin_walk(p, other);
  for (int i = 0; i < p->sides; i++) {
    double nearest = HUGE_VAL;
    rgVec3 n = normal(p, i), start = corner(p, i);
    int first, count = walk_to(&walk, i, &first);
    for (int j = 0; j < count; j++)
      nearest = fmin(nearest, v3_dot(n, v3_sub(corner(other, wrapped(other, first + j)), start)));
    if (nearest > widest) {
      widest = nearest;
      *side = i;
    }
  }
  return widest;
}

typedef struct Closest {
  double distance2;
  rgVec3 from, to; // on the outline with the sides; the corner of the other
} Closest;

// The corner of `other` closest to a side (or the only corner) of `p`.
static Closest closest(const Placed* p, const Placed* other) {
  Closest best = {HUGE_VAL, v3_zero(), v3_zero()};
  Walk walk = begin_walk(p, other);
  for (int i = 0; i < p->count; i++) {
    rgVec3 a = corner(p, i), side = v3_sub(corner(p, i + 1), a);
    double length2 = v3_norm2(side);
    int first, count = walk_to(&walk, i, &first);
    for (int j = 0; j < count; j++) {
      rgVec3 to = corner(other, wrapped(other, first + j));
      double t = length2 > 0 ? v3_dot(side, v3_sub(to, a)) / length2 : 0;
      rgVec3 from = v3_axpy(a, t < 0 ? 0 : t > 1 ? 1 : t, side);
      double distance2 = v3_norm2(v3_sub(to, from));
      if (distance2 < best.distance2)
        best = (Closest){distance2, from, to};
    }
  }
  return best;
}

typedef struct Axis {
  rgVec3 normal;           // from B to A
  double core;             // [m] separation of the cores along it
  rgVec3 point_a, point_b; // [m] of the cores, when apart
  bool apart;
} Axis;

static Axis find_axis(const Placed* a, const Placed* b, double width) {
  int side_a = 0, side_b = 0;
  double wide_a = widest_side(a, b, &side_a), wide_b = widest_side(b, a, &side_b);
  bool apart = fmax(wide_a, wide_b) > TOUCHING * width;
  if (apart || (a->sides == 0 && b->sides == 0)) {
    Closest on_a = closest(a, b), on_b = closest(b, a);
    bool use_b = on_b.distance2 < on_a.distance2;
    rgVec3 point_a = use_b ? on_b.to : on_a.from, point_b = use_b ? on_b.from : on_a.to;
    rgVec3 d = v3_sub(point_a, point_b);
    return (Axis){v3_unit_or(d, v3(0, 1, 0)), v3_norm(d), point_a, point_b, true};
  }
  if (wide_b > wide_a)
    return (Axis){normal(b, side_b), wide_b, v3_zero(), v3_zero(), false};
  return (Axis){v3_neg(normal(a, side_a)), wide_a, v3_zero(), v3_zero(), false};
}

// -------------------------------------------------------------------------------------------------
// The points
// -------------------------------------------------------------------------------------------------

// The side of `p` whose normal is nearest to `direction`; returns the sine of the angle between
// them (2 when it points away or there is none).
static double facing_side(const Placed* p, rgVec3 direction, int* side) {
  double best = -HUGE_VAL;
  for (int i = 0; i < p->sides; i++) {
    double along = v3_dot(normal(p, i), direction);
    if (along > best) {
      best = along;
      *side = i;
    }
  }
  if (!(best > 0))
    return 2;
  rgVec3 n = normal(p, *side);
  return fabs(n.x * direction.y - n.y * direction.x);
}

typedef struct Face {
  const Placed *own, *other;
  int side;
  bool of_a;
  double low, high; // [m] the shared part along the side, from its first corner
  rgVec3 points[2]; // of the other's core, at low and high
  uint32_t names[2];
} Face;

// Cuts the side of the other that faces side `side` of `own` to its width.
static void cut_face(Face* face) {
  const Placed *own = face->own, *other = face->other;
  rgVec3 start = corner(own, face->side), n = normal(own, face->side);
  rgVec3 along = v3(-n.y, n.x, 0);
  double length = v3_dot(along, v3_sub(corner(own, face->side + 1), start));
  int opposite = 0;
  if (other->sides == 0) {
    double at = v3_dot(along, v3_sub(corner(other, 0), start));
    face->low = face->high = at;
    face->points[0] = face->points[1] = corner(other, 0);
    face->names[0] = face->names[1] = 0;
    return;
  }
  facing_side(other, v3_neg(n), &opposite);
  int next = opposite + 1 < other->count ? opposite + 1 : 0;
  // Sides run the opposite way: the second corner of the other's side is at the low end.
  rgVec3 p = corner(other, next), q = corner(other, opposite);
  double from = v3_dot(along, v3_sub(p, start)), to = v3_dot(along, v3_sub(q, start));
  enum { OWN_END = RG_OUTLINE_MAX };
  face->low = from > 0 ? from : 0;
  face->high = to < length ? to : length;
  face->names[0] = from >= 0 ? (uint32_t)next : OWN_END;
  face->names[1] = to <= length ? (uint32_t)opposite : OWN_END + 1;
  double span = to - from, s = 0, t = 1;
  if (span > 0) {
    s = (face->low - from) / span;
    t = (face->high - from) / span;
  }
  s = s > 1 ? 1 : s;
  t = t < 0 ? 0 : t;
  face->points[0] = v3_axpy(p, s, v3_sub(q, p));
  face->points[1] = v3_axpy(p, t, v3_sub(q, p));
}

// Adds the points of a face within reach; `origin` puts them back into the world.
static void add_face(const Face* face, rgVec3 origin, double reach, rgManifoldList* out) {
  const Placed *own = face->own, *other = face->other;
  rgVec3 n = normal(own, face->side), start = corner(own, face->side);
  rgManifold* manifold = NULL;
  int count = other->sides == 0 || !(face->high > face->low) ? 1 : 2;
  for (int i = 0; i < count; i++) {
    rgVec3 p = v3_add(face->points[i], origin);
    double core = v3_dot(n, v3_sub(face->points[i], start));
    double gap = core - own->radius - other->radius;
    if (!(gap <= reach))
      continue;
    if (!manifold)
      manifold = rg_manifold_begin(out, face->of_a ? v3_neg(n) : n, 0);
    if (!manifold)
      return;
    rgVec3 on_own = v3_axpy(p, own->radius - core, n), on_other = v3_axpy(p, -other->radius, n);
    uint32_t name = (uint32_t)face->side << 13 | face->names[i] | (face->of_a ? 1u << 25 : 0);
    if (face->of_a)
      rg_manifold_add(manifold, on_own, on_other, gap, name);
    else
      rg_manifold_add(manifold, on_other, on_own, gap, name);
  }
}

// True when the face explains the axis: it is as near as the axis says, and shares some width, or
// overlaps so much that it cannot be a joint that is passed.
static bool face_holds(const Face* face, const Axis* axis, double width) {
  double shared = face->high - face->low, flush = FLUSH * width;
  if (face->other->sides == 0)
    return true;
  double between = axis->core < width ? axis->core : width;
  double narrow = fmax(PASSING * between, flush);
  return shared > narrow || axis->core < -flush;
}

static void add_corners(const Axis* axis, const Placed* a, const Placed* b, rgVec3 origin,
                        double reach, rgManifoldList* out) {
  double gap = axis->core - a->radius - b->radius;
  if (!(gap <= reach))
    return;
  rgManifold* manifold = rg_manifold_begin(out, axis->normal, 0);
  if (!manifold)
    return;
  rgVec3 point_a = v3_add(axis->point_a, origin), point_b = v3_add(axis->point_b, origin);
  rg_manifold_add(manifold, v3_axpy(point_a, -a->radius, axis->normal),
                  v3_axpy(point_b, b->radius, axis->normal), gap, 1u << 26);
}

void rg_pair_outlines(const rgShape* shape_a, rgPose pose_a, const rgShape* shape_b, rgPose pose_b,
                      double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgVec3 origin = pose_a.position;
  Placed a, b;
  place(shape_a, pose_a, origin, &a);
  place(shape_b, pose_b, origin, &b);
  double width = shape_a->size < shape_b->size ? shape_a->size : shape_b->size;
  Axis axis = find_axis(&a, &b, width);
  if (axis.core - a.radius - b.radius > reach)
    return;
  Face face_a = {.own = &a, .other = &b, .of_a = true}, face_b = {.own = &b, .other = &a};
  double off_a = facing_side(&a, v3_neg(axis.normal), &face_a.side),
         off_b = facing_side(&b, axis.normal, &face_b.side);
  bool rounded = a.radius > 0 || b.radius > 0;
  double passing = rounded ? FACING : PASSING; // rounded corners roll over joints by themselves
  bool use_a = off_a <= FACING || (off_a <= passing && off_a <= off_b);
  if (!use_a && off_b > passing) {
    add_corners(&axis, &a, &b, origin, reach, out);
    return;
  }
  Face* face = use_a ? &face_a : &face_b;
  cut_face(face);
  if (face_holds(face, &axis, width))
    add_face(face, origin, reach, out);
  else if (rounded && axis.apart)
    add_corners(&axis, &a, &b, origin, reach, out);
}
