// halfspace_pairs.c - capsule, cylinder and ellipsoid on a plane: every contact point exact.
//
// With n the plane's normal in the frame of the shape, the lowest point is the support point along
// -n:
//   capsule    the lower end of the axis, lowered by r; and the other end of the line on the side
//              that faces the plane, which is at the same height when the capsule lies flat.
//   ellipsoid  p = -E^2 n / |E n|, the point that rolls.
//   cylinder   the lowest point of each rim, p = +-H z - R m / |m| with m the part of n across the
//              axis. Lying down, these two are the ends of the line of contact; tilted, one of
//              them is the exact lowest point. When a cap faces the plane (within 45 degrees),
//              points of its rim are added: RG_RIM_POINTS fixed in the body, so that their features
//              persist at rest. The inscribed octagon falls short of the circle by 1 - cos(pi/8)
//              = 7.6 % between two of its corners, but only while the cap lies flat to RG_RIM_TILT:
//              from there on the lowest rim point is a contact of its own, so the cylinder tips
//              over the circle.
#include "collide/contact.h"
#include "collide/convex/feature.h"
#include "shape/smooth/rim.h"

// Part of the extent of a shape by which its lowest point is below its feature: more than rounding.
static const double LOWEST = 1e-12;

void rg_pair_capsule_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                               double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b);
  rgVec3 axis = quat_rotate(pose_a.orientation, v3(0, 0, 1));
  double rise = v3_dot(axis, n), across = sqrt(rise < 1 && rise > -1 ? (1 - rise) * (1 + rise) : 0);
  uint32_t lower = rise > 0 ? 0 : 1; // end 0 is at -z
  rgManifold* manifold = NULL;
  for (uint32_t end = 0; end < 2; end++) {
    rgVec3 x = v3_axpy(pose_a.position, end ? a->half_length : -a->half_length, axis);
    if (end == lower || rise == 0)
      x = v3_axpy(x, -a->radius, n);
    else if (across > RG_RIM_TILT)
      x = v3_axpy(v3_axpy(x, -a->radius / across, n), a->radius * rise / across, axis);
    else
      continue; // upright: the other end is straight above
    double gap = rg_halfspace_height(pose_b, n, x);
    rg_emit_shared(out, &manifold, n, x, v3_axpy(x, -gap, n), gap, reach, end);
  }
}

void rg_pair_ellipsoid_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                 double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b);
  rgVec3 en = v3_mul(a->half, quat_unrotate(pose_a.orientation, n));
  double drop = v3_norm(en); // how far the surface reaches below the centre
  rgVec3 lowest = pose_apply(pose_a, v3_scale(v3_mul(a->half, en), -1 / drop));
  double gap = rg_halfspace_height(pose_b, n, pose_a.position) - drop;
  rg_emit_point(out, n, lowest, v3_axpy(lowest, -gap, n), gap, reach, 0);
}

void rg_pair_cylinder_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b);
  rgVec3 up = quat_unrotate(pose_a.orientation, n);
  rgRimPoint points[RG_RIM_MAX];
  int count = rg_rim_points(a, v3_neg(up), points);
  rgManifold* manifold = NULL;
  for (int i = 0; i < count; i++) {
    rgVec3 x = pose_apply(pose_a, points[i].point);
    double gap = rg_halfspace_height(pose_b, n, x);
    rg_emit_shared(out, &manifold, n, x, v3_axpy(x, -gap, n), gap, reach, points[i].feature);
  }
}

// The points of the feature that faces the plane, and the lowest point of all when it is not one of
// them.
void rg_pair_convex_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b), down = quat_unrotate(pose_a.orientation, v3_neg(n));
  rgVec3 low = pose_apply(pose_a, rg_shape_info(a->kind)->support(a, down));
  double lowest = rg_halfspace_height(pose_b, n, low), found = HUGE_VAL;
  if (!(lowest <= reach))
    return;
  rgFeature facing;
  rg_shape_feature(a, pose_a, v3_neg(n), &facing);
  rgManifoldPoint points[RG_FEATURE_MAX + 1];
  int count = 0;
  for (int i = 0; i < facing.count; i++) {
    rgVec3 x = facing.points[i];
    double gap = rg_halfspace_height(pose_b, n, x);
    found = gap < found ? gap : found;
    if (gap <= reach)
      points[count++] = (rgManifoldPoint){x, v3_axpy(x, -gap, n), gap, (uint32_t)i};
  }
  if (found > lowest + LOWEST * a->extent)
    points[count++] = (rgManifoldPoint){low, v3_axpy(low, -lowest, n), lowest, RG_FEATURE_MAX};
  rg_manifold_write(out, n, points, rg_manifold_reduce_points(n, points, count, count));
}
