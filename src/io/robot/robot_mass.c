// robot_mass.c - masses that are added, moved, checked and repaired.
#include "io/robot/robot.h"

#include "math/sym3.h"
#include "math/vec.h"

// Principal moments may break the triangle inequality by what six written digits leave.
static const double triangle_tolerance = 1e-6;

// m (|c|^2 1 - c c'): what a point mass at c adds.
static rgMat3 point_inertia(double mass, rgVec3 c) {
  rgMat3 a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      a.m[i][j] = mass * ((i == j ? v3_norm2(c) : 0) - v3_get(c, i) * v3_get(c, j));
  return a;
}

rgMassProperties rg_robot_mass_add(rgMassProperties a, rgMassProperties b) {
  double mass = a.mass + b.mass;
  if (mass == 0)
    return (rgMassProperties){.inertia = m3_add(&a.inertia, &b.inertia)};
  rgVec3 center =
      v3_scale(v3_add(v3_scale(a.center, a.mass), v3_scale(b.center, b.mass)), 1 / mass);
  rgMat3 from_a = point_inertia(a.mass, v3_sub(a.center, center)),
         from_b = point_inertia(b.mass, v3_sub(b.center, center));
  rgMat3 sum = m3_add(&a.inertia, &b.inertia);
  sum = m3_add(&sum, &from_a);
  sum = m3_add(&sum, &from_b);
  return (rgMassProperties){mass, center, sum};
}

rgMassProperties rg_robot_mass_move(rgMassProperties a, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation), rt = m3_transpose(&r);
  rgMat3 turned = m3_mul(&r, &a.inertia);
  turned = m3_mul(&turned, &rt);
  return (rgMassProperties){a.mass, pose_apply(pose, a.center), turned};
}

rgMat3 rg_robot_inertia(rgVec3 moments, rgQuat axes) {
  rgMat3 r = m3_from_quat(axes);
  return m3_congruence(&r, moments);
}

const char* rg_robot_inertia_fault(const rgMat3* inertia, rgVec3* moments) {
  rgMat3 axes;
  rg_sym3_eigen(inertia, moments, &axes);
  if (!(moments->x > 0))
    return "is not positive";
  if (moments->z > (moments->x + moments->y) * (1 + triangle_tolerance))
    return "no body has: the largest principal moment exceeds the sum of the other two";
  return NULL;
}

rgMat3 rg_robot_inertia_repaired(const rgMat3* inertia, double least) {
  rgVec3 moments;
  rgMat3 axes;
  rg_sym3_eigen(inertia, &moments, &axes);
  moments.x = fmax(moments.x, least);
  moments.y = fmax(moments.y, least);
  moments.z = fmax(moments.z, least);
  // The smaller two are raised alike, until the largest is within their sum.
  double missing = moments.z - moments.x - moments.y;
  if (missing > 0) {
    moments.x += missing / 2;
    moments.y += missing / 2;
  }
  return m3_congruence(&axes, moments);
}
