// sphere_pairs.c - a sphere against each convex shape.
//
// The distance of a sphere of radius r from a shape is that of its centre, less r; so each pair
// needs only the foot of the centre on the other shape (`foot` of rgShapeInfo), and is exact both
// apart and in overlap. One contact, feature 0.
#include "collide/contact.h"

void rg_pair_sphere_sphere(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgVec3 d = v3_sub(pose_a.position, pose_b.position);
  double distance2 = v3_norm2(d), sum = a->radius + b->radius, far = sum + reach;
  if (distance2 > far * far)
    return;
  double distance = sqrt(distance2);
  rgVec3 n =
      distance > 0 ? v3_scale(d, 1 / distance) : quat_rotate(pose_b.orientation, v3(0, 0, 1));
  rg_emit_point(out, n, v3_axpy(pose_a.position, -a->radius, n),
                v3_axpy(pose_b.position, b->radius, n), distance - sum, reach, 0);
}

void rg_pair_sphere_convex(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgVec3 center = pose_unapply(pose_b, pose_a.position);
  rgFoot foot = rg_shape_info(b->kind)->foot(b, center, a->radius + reach);
  rgVec3 normal = quat_rotate(pose_b.orientation, foot.normal);
  rgVec3 on_b = pose_apply(pose_b, foot.point), on_a = v3_axpy(pose_a.position, -a->radius, normal);
  rg_emit_point(out, normal, on_a, on_b, foot.distance - a->radius, reach, 0);
}

void rg_pair_sphere_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b);
  double height = rg_halfspace_height(pose_b, n, pose_a.position);
  rg_emit_point(out, n, v3_axpy(pose_a.position, -a->radius, n),
                v3_axpy(pose_a.position, -height, n), height - a->radius, reach, 0);
}
