// wall_flat.c - a flat shape against the bowl of a 2D world.
//
// The free side is convex, so that the distance to the circle is least at a corner of the core; each
// corner is the centre of a disk of the shape's radius. The rim is two points: a point is a flat
// shape too, and contacts with it are those of outlines that do not push back into the arc.
#include "collide/pair/pairs.h"
#include "shape/solid/outline.h"

// Normals may leave the cone of a rim by this much [rad], for rounding.
static const double CONE_SLACK = 1e-9;

typedef struct Flat {
  const rgShape *shape, *bowl;
  rgPose pose; // of the shape in the frame of the bowl
  rgPose bowl_pose;
  rgVec3 center;
  double reach, rim; // [m]
  rgManifoldList* out;
} Flat;

static rgFoot foot_of(const Flat* flat, rgVec3 x) {
  return rg_shape_info(flat->bowl->kind)->wall->foot(flat->bowl, x);
}

// Whether x, which is behind the circle, came there through it and not over a rim: whether the line
// from the centre of the shape meets the circle below the rim.
static bool passed_through(const Flat* flat, rgVec3 x) {
  double r = flat->bowl->radius;
  rgVec3 c = flat->center, d = v3_sub(x, c);
  if (flat->rim >= r)
    return true;
  // |c + s d|^2 = r^2, the positive root.
  double a = v3_norm2(d), b = v3_dot(c, d), e = r * r - v3_norm2(c);
  double root = sqrt(b * b + a * e), s = b > 0 ? e / (b + root) : (root - b) / a;
  return v3_axpy(c, s, d).y <= flat->rim;
}

static void add_corner(const Flat* flat, int i) {
  rgVec3 x = pose_apply(flat->pose, flat->shape->outline->corners[i]);
  rgFoot foot = foot_of(flat, x);
  double radius = flat->shape->radius, gap = foot.distance - radius;
  if (!(gap <= flat->reach) || foot.point.y > flat->rim ||
      (foot.distance < 0 && !passed_through(flat, x)))
    return;
  rgVec3 n = quat_rotate(flat->bowl_pose.orientation, foot.normal);
  rgVec3 a = v3_axpy(pose_apply(flat->bowl_pose, x), -radius, n);
  rgManifold* manifold = rg_manifold_begin(flat->out, n, 0);
  if (manifold)
    rg_manifold_add(manifold, a, pose_apply(flat->bowl_pose, foot.point), gap, (uint32_t)i);
}

static void add_rim_point(const Flat* flat, rgVec3 p, uint32_t key) {
  rgVec3 none = v3_zero();
  rgOutline dot = {1, &p, &none};
  rgShape point = {.kind = RG_SHAPE_CIRCLE, .outline = &dot};
  rgPairHint hint = {v3_zero()};
  int first = flat->out->count;
  rgPose pose = pose_mul(flat->bowl_pose, flat->pose);
  rg_pair_outlines(flat->shape, pose, &point, flat->bowl_pose, flat->reach, &hint, flat->out);
  rgVec3 inner = foot_of(flat, p).normal, on = v3(inner.y, -inner.x, 0);
  on = on.y < 0 ? v3_neg(on) : on;
  int kept = first;
  for (int i = first; i < flat->out->count; i++) {
    rgVec3 n = quat_unrotate(flat->bowl_pose.orientation, flat->out->items[i].normal);
    if (v3_dot(n, on) < -CONE_SLACK)
      continue;
    flat->out->items[i].key = key;
    flat->out->items[kept++] = flat->out->items[i];
  }
  flat->out->count = kept;
}

void rg_wall_flat_pair(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                       double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  Flat flat = {
      a,  b, pose_mul(pose_inverse(pose_b), pose_a), pose_b, v3_zero(), reach, b->parameters[0],
      out};
  const rgOutline* outline = a->outline;
  for (int i = 0; i < outline->count; i++)
    flat.center = v3_axpy(flat.center, 1.0 / outline->count, outline->corners[i]);
  flat.center = pose_apply(flat.pose, flat.center);
  // As in space (wall.c).
  double r = b->radius, deepest = flat.rim < r ? 0 : -a->size;
  bool behind = foot_of(&flat, flat.center).distance < deepest;
  for (int i = 0; i < outline->count && !behind; i++)
    add_corner(&flat, i);
  if (flat.rim >= r)
    return;
  double across = sqrt((r - flat.rim) * (r + flat.rim));
  add_rim_point(&flat, v3(-across, flat.rim, 0), 1);
  add_rim_point(&flat, v3(across, flat.rim, 0), 2);
}
