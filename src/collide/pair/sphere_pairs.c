// sphere_pairs.c - a sphere against each convex shape.
//
// The distance of a sphere of radius r from a shape is that of its centre, less r; so each pair
// needs only the foot of the centre on the other shape (foot.h), and is exact both apart and in
// overlap. One contact, feature 0.
#include "collide/contact.h"
#include "collide/convex/foot.h"

static void emit_foot(const rgShape* sphere, rgVec3 center, rgPose pose, rgFoot foot, double reach,
                      rgManifoldList* out) {
  rgVec3 normal = quat_rotate(pose.orientation, foot.normal);
  rgVec3 on_other = pose_apply(pose, foot.point);
  rgVec3 on_sphere = v3_axpy(center, -sphere->radius, normal);
  rg_emit_point(out, normal, on_sphere, on_other, foot.distance - sphere->radius, reach, 0);
}

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

void rg_pair_sphere_box(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                        double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgFoot foot = rg_foot_box(b->half, pose_unapply(pose_b, pose_a.position));
  emit_foot(a, pose_a.position, pose_b, foot, reach, out);
}

void rg_pair_sphere_capsule(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                            double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgFoot foot = rg_foot_capsule(b->radius, b->half_length, pose_unapply(pose_b, pose_a.position));
  emit_foot(a, pose_a.position, pose_b, foot, reach, out);
}

void rg_pair_sphere_cylinder(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                             double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgFoot foot = rg_foot_cylinder(b->radius, b->half_length, pose_unapply(pose_b, pose_a.position));
  emit_foot(a, pose_a.position, pose_b, foot, reach, out);
}

void rg_pair_sphere_ellipsoid(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgFoot foot = rg_foot_ellipsoid(b->half, pose_unapply(pose_b, pose_a.position));
  emit_foot(a, pose_a.position, pose_b, foot, reach, out);
}

void rg_pair_sphere_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                         double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgVec3 center = pose_unapply(pose_b, pose_a.position);
  rgFoot foot = rg_foot_polyhedron(b->polyhedron, center, a->radius + reach);
  emit_foot(a, pose_a.position, pose_b, foot, reach, out);
}

void rg_pair_sphere_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b, (void)hint;
  rgVec3 n = rg_halfspace_normal(pose_b);
  double height = rg_halfspace_height(pose_b, n, pose_a.position);
  rg_emit_point(out, n, v3_axpy(pose_a.position, -a->radius, n),
                v3_axpy(pose_a.position, -height, n), height - a->radius, reach, 0);
}
