// capsule_pairs.c - a capsule against a capsule, and against a polyhedron.
//
// Two capsules: their axes are segments, and the distance is that of the segments less both radii.
// The nearest points of two segments are the stationary point of a convex quadratic in (s, t) over
// a rectangle; it is found by clamping s of the lines' common perpendicular, then t for that s,
// then s for that t. When the axes are parallel any s will do. Axes that cross (distance zero) are
// parted along their common perpendicular.
//
// Manifold: where the axes run alongside, the two ends of the common part are contacts; else the
// nearest points are the one contact. Features tell the two ends apart.
#include "collide/contact.h"
#include "collide/convex/axis.h"
#include "collide/convex/feature.h"

// Axes nearer than this part of their lengths count as crossing: their difference is rounding.
static const double CROSSING = 1e-14;

typedef struct Segment {
  rgVec3 center, axis; // [m] center +- axis
} Segment;

static Segment segment_of(const rgShape* capsule, rgPose pose) {
  return (Segment){pose.position, quat_rotate(pose.orientation, v3(0, 0, capsule->half_length))};
}

static double clamp1(double x) { return x < -1 ? -1 : x > 1 ? 1 : x; }

// Parameters in [-1, 1] of the nearest points.
static void nearest_parameters(Segment a, Segment b, double* s, double* t) {
  rgVec3 d = v3_sub(a.center, b.center);
  double aa = v3_norm2(a.axis), bb = v3_norm2(b.axis), ab = v3_dot(a.axis, b.axis);
  double ad = v3_dot(a.axis, d), bd = v3_dot(b.axis, d);
  // |axis_a x axis_b|^2 by the cross product: aa bb - ab^2 would cancel.
  double cross2 = v3_norm2(v3_cross(a.axis, b.axis));
  *s = cross2 > CROSSING * CROSSING * aa * bb ? clamp1((ab * bd - bb * ad) / cross2) : 0;
  *t = bb > 0 ? clamp1((*s * ab + bd) / bb) : 0;
  *s = aa > 0 ? clamp1((*t * ab - ad) / aa) : 0;
}

// Some unit vector across both axes.
static rgVec3 across_both(Segment a, Segment b) {
  rgVec3 cross = v3_cross(a.axis, b.axis), t, o;
  double length = v3_norm(cross);
  if (length > CROSSING * v3_norm(a.axis) * v3_norm(b.axis))
    return v3_scale(cross, 1 / length);
  v3_frame(v3_unit_or(v3_norm2(a.axis) > 0 ? a.axis : b.axis, v3(0, 0, 1)), &t, &o);
  return t;
}

void rg_pair_capsule_capsule(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                             double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  Segment sa = segment_of(a, pose_a), sb = segment_of(b, pose_b);
  double s, t;
  nearest_parameters(sa, sb, &s, &t);
  rgVec3 on_a = v3_axpy(sa.center, s, sa.axis), on_b = v3_axpy(sb.center, t, sb.axis),
         d = v3_sub(on_a, on_b);
  double distance = v3_norm(d), gap = distance - a->radius - b->radius;
  if (gap > reach)
    return;
  bool crossing = distance <= CROSSING * (a->half_length + b->half_length);
  rgVec3 n = crossing ? across_both(sa, sb) : v3_scale(d, 1 / distance);
  rgFeature fa, fb;
  rg_shape_feature(a, pose_a, v3_neg(n), &fa);
  rg_shape_feature(b, pose_b, n, &fb);
  rgManifoldPoint points[RG_CONTACTS_MAX];
  int count = fa.count == 2 && fb.count == 2 ? rg_feature_contacts(&fa, &fb, n, reach, points) : 0;
  if (count < 2) {
    rg_emit_point(out, n, v3_axpy(on_a, -a->radius, n), v3_axpy(on_b, b->radius, n), gap, reach, 0);
    return;
  }
  rgManifold* manifold = NULL;
  for (int i = 0; i < count; i++)
    rg_emit_shared(out, &manifold, n, points[i].point_a, points[i].point_b, points[i].gap, reach,
                   points[i].feature);
}

// The core of a capsule is a segment, for which rg_convex_distance is exact: nothing to refine.
void rg_pair_box_capsule(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                         double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, NULL, hint, out);
}

void rg_pair_capsule_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, NULL, hint, out);
}
