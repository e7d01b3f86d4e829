// vec_math.h - inline algebra on the value types of vec.h. Not part of rigor.h: include it where it
// is wanted.
//
// Each function is a fixed sequence of IEEE additions, multiplications, divisions and square roots,
// the same as inside the library: where the compiler does not contract them (-ffp-contract=off),
// results have the same bits everywhere. To place a point of a body in the world:
//
//     rgPose pose = rg_body_pose(world, body);
//     rgVec3 tip = rg_pose_apply(pose, rg_vec3(0, 0, 0.5)); // [m]
#ifndef RIGOR_VEC_MATH_H
#define RIGOR_VEC_MATH_H

#include "vec.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------------
// Vectors
// -------------------------------------------------------------------------------------------------

static inline rgVec3 rg_vec3(double x, double y, double z) {
  rgVec3 v = {x, y, z};
  return v;
}
static inline rgVec3 rg_vec3_zero(void) { return rg_vec3(0, 0, 0); }
static inline rgVec3 rg_vec3_add(rgVec3 a, rgVec3 b) {
  return rg_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline rgVec3 rg_vec3_sub(rgVec3 a, rgVec3 b) {
  return rg_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline rgVec3 rg_vec3_neg(rgVec3 a) { return rg_vec3(-a.x, -a.y, -a.z); }
static inline rgVec3 rg_vec3_scale(rgVec3 a, double s) {
  return rg_vec3(a.x * s, a.y * s, a.z * s);
}
// Component by component.
static inline rgVec3 rg_vec3_mul(rgVec3 a, rgVec3 b) {
  return rg_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}
// a + s b
static inline rgVec3 rg_vec3_axpy(rgVec3 a, double s, rgVec3 b) {
  return rg_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double rg_vec3_dot(rgVec3 a, rgVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline rgVec3 rg_vec3_cross(rgVec3 a, rgVec3 b) {
  return rg_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double rg_vec3_norm2(rgVec3 a) { return rg_vec3_dot(a, a); } // |a|^2
static inline double rg_vec3_norm(rgVec3 a) { return sqrt(rg_vec3_dot(a, a)); }

// Two unit vectors that make (n, t, o) a right-handed frame, for a unit vector n. Continuous in n
// but for one jump, where n.z changes its sign.
static inline void rg_vec3_frame(rgVec3 n, rgVec3* t, rgVec3* o) {
  double s = n.z >= 0 ? 1.0 : -1.0;
  double a = -1.0 / (s + n.z);
  double b = n.x * n.y * a;
  *t = rg_vec3(1.0 + s * n.x * n.x * a, s * b, -s * n.x);
  *o = rg_vec3(b, s + n.y * n.y * a, -n.y);
}

// -------------------------------------------------------------------------------------------------
// Rotations and poses
// -------------------------------------------------------------------------------------------------

static inline rgQuat rg_quat_identity(void) {
  rgQuat q = {1, 0, 0, 0};
  return q;
}
// First b, then a.
static inline rgQuat rg_quat_mul(rgQuat a, rgQuat b) {
  rgQuat q = {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  return q;
}
static inline rgQuat rg_quat_conj(rgQuat q) { // the inverse of a unit quaternion
  rgQuat c = {q.w, -q.x, -q.y, -q.z};
  return c;
}
static inline rgVec3 rg_quat_rotate(rgQuat q, rgVec3 a) {
  rgVec3 u = rg_vec3(q.x, q.y, q.z);
  rgVec3 t = rg_vec3_scale(rg_vec3_cross(u, a), 2);
  return rg_vec3_add(rg_vec3_axpy(a, q.w, t), rg_vec3_cross(u, t));
}

static inline rgPose rg_pose_identity(void) {
  rgPose p = {{0, 0, 0}, {1, 0, 0, 0}};
  return p;
}
// From local coordinates to those of the world, and back.
static inline rgVec3 rg_pose_apply(rgPose p, rgVec3 local) {
  return rg_vec3_add(p.position, rg_quat_rotate(p.orientation, local));
}
static inline rgVec3 rg_pose_unapply(rgPose p, rgVec3 world) {
  return rg_quat_rotate(rg_quat_conj(p.orientation), rg_vec3_sub(world, p.position));
}
// The pose b, given in the frame of a, in the frame that a is given in.
static inline rgPose rg_pose_mul(rgPose a, rgPose b) {
  rgPose p = {rg_pose_apply(a, b.position), rg_quat_mul(a.orientation, b.orientation)};
  return p;
}

// -------------------------------------------------------------------------------------------------
// Matrices
// -------------------------------------------------------------------------------------------------

static inline rgMat3 rg_mat3_diag(double a, double b, double c) {
  rgMat3 m = {{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
  return m;
}
static inline rgVec3 rg_mat3_row(const rgMat3* a, int i) {
  return rg_vec3(a->m[i][0], a->m[i][1], a->m[i][2]);
}
// A x
static inline rgVec3 rg_mat3_apply(const rgMat3* a, rgVec3 x) {
  return rg_vec3(a->m[0][0] * x.x + a->m[0][1] * x.y + a->m[0][2] * x.z,
                 a->m[1][0] * x.x + a->m[1][1] * x.y + a->m[1][2] * x.z,
                 a->m[2][0] * x.x + a->m[2][1] * x.y + a->m[2][2] * x.z);
}
static inline rgMat3 rg_mat3_mul(const rgMat3* a, const rgMat3* b) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return c;
}
static inline rgMat3 rg_mat3_transpose(const rgMat3* a) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[j][i];
  return c;
}
// Inverse by cofactors; the determinant must not be zero.
static inline rgMat3 rg_mat3_inverse(const rgMat3* a) {
  rgVec3 r0 = rg_mat3_row(a, 0), r1 = rg_mat3_row(a, 1), r2 = rg_mat3_row(a, 2);
  rgVec3 c0 = rg_vec3_cross(r1, r2), c1 = rg_vec3_cross(r2, r0), c2 = rg_vec3_cross(r0, r1);
  double s = 1 / rg_vec3_dot(r0, c0);
  rgMat3 m = {{{c0.x * s, c1.x * s, c2.x * s},
               {c0.y * s, c1.y * s, c2.y * s},
               {c0.z * s, c1.z * s, c2.z * s}}};
  return m;
}

#ifdef __cplusplus
}
#endif
#endif
