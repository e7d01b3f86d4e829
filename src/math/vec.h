// vec.h - inline algebra on the value types of <rigor/vec.h>.
//
// Every function is a fixed sequence of IEEE additions, multiplications, divisions and square
// roots, so that results are the same bits for every compiler and target (contraction is off
// project-wide).
#ifndef MATH_VEC_H
#define MATH_VEC_H

#include <math.h>
#include <rigor/vec.h>

static inline rgVec3 v3(double x, double y, double z) { return (rgVec3){x, y, z}; }
static inline rgVec3 v3_zero(void) { return (rgVec3){0, 0, 0}; }
static inline rgVec3 v3_add(rgVec3 a, rgVec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline rgVec3 v3_sub(rgVec3 a, rgVec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline rgVec3 v3_neg(rgVec3 a) { return v3(-a.x, -a.y, -a.z); }
static inline rgVec3 v3_scale(rgVec3 a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline rgVec3 v3_mul(rgVec3 a, rgVec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
// a + s b
static inline rgVec3 v3_axpy(rgVec3 a, double s, rgVec3 b) {
  return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double v3_dot(rgVec3 a, rgVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline rgVec3 v3_cross(rgVec3 a, rgVec3 b) {
  return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double v3_norm2(rgVec3 a) { return v3_dot(a, a); }
static inline double v3_norm(rgVec3 a) { return sqrt(v3_dot(a, a)); }
static inline rgVec3 v3_lerp(rgVec3 a, rgVec3 b, double s) { return v3_axpy(a, s, v3_sub(b, a)); }
static inline rgVec3 v3_min(rgVec3 a, rgVec3 b) {
  return v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline rgVec3 v3_max(rgVec3 a, rgVec3 b) {
  return v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
static inline rgVec3 v3_abs(rgVec3 a) { return v3(fabs(a.x), fabs(a.y), fabs(a.z)); }
// fmax of numbers that are not zeros of different signs, without a call.
static inline double v3_larger(double a, double b) { return b <= a || b != b ? a : b; }
static inline double v3_max_abs(rgVec3 a) {
  return v3_larger(fabs(a.x), v3_larger(fabs(a.y), fabs(a.z)));
}
static inline double v3_get(rgVec3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
static inline bool v3_finite(rgVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
static inline bool v3_equal(rgVec3 a, rgVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
// a / |a|, or `fallback` when |a| is zero.
static inline rgVec3 v3_unit_or(rgVec3 a, rgVec3 fallback) {
  double n = v3_norm(a);
  return n > 0 ? v3_scale(a, 1 / n) : fallback;
}

// Two unit vectors that make (n, t, o) a right-handed frame; continuous in n except at one jump
// (sign of n.z).
static inline void v3_frame(rgVec3 n, rgVec3* t, rgVec3* o) {
  double s = n.z >= 0 ? 1.0 : -1.0;
  double a = -1.0 / (s + n.z);
  double b = n.x * n.y * a;
  *t = v3(1.0 + s * n.x * n.x * a, s * b, -s * n.x);
  *o = v3(b, s + n.y * n.y * a, -n.y);
}

static inline rgQuat quat_identity(void) { return (rgQuat){1, 0, 0, 0}; }
static inline rgQuat quat_mul(rgQuat a, rgQuat b) {
  return (rgQuat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
static inline rgQuat quat_conj(rgQuat q) { return (rgQuat){q.w, -q.x, -q.y, -q.z}; }
static inline double quat_norm2(rgQuat q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
static inline rgQuat quat_unit(rgQuat q) {
  double s = 1 / sqrt(quat_norm2(q));
  return (rgQuat){q.w * s, q.x * s, q.y * s, q.z * s};
}
static inline rgVec3 quat_rotate(rgQuat q, rgVec3 a) {
  rgVec3 u = v3(q.x, q.y, q.z);
  rgVec3 t = v3_scale(v3_cross(u, a), 2);
  return v3_add(v3_axpy(a, q.w, t), v3_cross(u, t));
}
static inline rgVec3 quat_unrotate(rgQuat q, rgVec3 a) { return quat_rotate(quat_conj(q), a); }
// The same, but orthogonal to rounding even where |q| differs from 1 by rounding: without this, the
// error in lengths accumulates over many steps.
static inline rgVec3 quat_rotate_exactly(rgQuat q, rgVec3 a) {
  rgVec3 u = v3(q.x, q.y, q.z);
  rgVec3 t = v3_scale(v3_cross(u, a), 2 / quat_norm2(q));
  return v3_add(v3_axpy(a, q.w, t), v3_cross(u, t));
}
static inline rgVec3 quat_unrotate_exactly(rgQuat q, rgVec3 a) {
  return quat_rotate_exactly(quat_conj(q), a);
}
// Cayley map: the rotation whose quaternion is parallel to (1, d/2); second-order equal to exp(d).
static inline rgQuat quat_cayley(rgVec3 d) {
  return quat_unit((rgQuat){1, 0.5 * d.x, 0.5 * d.y, 0.5 * d.z});
}

static inline rgMat3 m3_zero(void) { return (rgMat3){{{0}}}; }
static inline rgMat3 m3_diag(double a, double b, double c) {
  return (rgMat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}
static inline rgMat3 m3_identity(void) { return m3_diag(1, 1, 1); }
static inline rgVec3 m3_row(const rgMat3* a, int i) {
  return v3(a->m[i][0], a->m[i][1], a->m[i][2]);
}
static inline rgVec3 m3_column(const rgMat3* a, int j) {
  return v3(a->m[0][j], a->m[1][j], a->m[2][j]);
}
static inline rgVec3 m3_apply(const rgMat3* a, rgVec3 x) {
  return v3(a->m[0][0] * x.x + a->m[0][1] * x.y + a->m[0][2] * x.z,
            a->m[1][0] * x.x + a->m[1][1] * x.y + a->m[1][2] * x.z,
            a->m[2][0] * x.x + a->m[2][1] * x.y + a->m[2][2] * x.z);
}
static inline rgVec3 m3_apply_transposed(const rgMat3* a, rgVec3 x) {
  return v3(a->m[0][0] * x.x + a->m[1][0] * x.y + a->m[2][0] * x.z,
            a->m[0][1] * x.x + a->m[1][1] * x.y + a->m[2][1] * x.z,
            a->m[0][2] * x.x + a->m[1][2] * x.y + a->m[2][2] * x.z);
}
static inline rgMat3 m3_mul(const rgMat3* a, const rgMat3* b) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return c;
}
static inline rgMat3 m3_transpose(const rgMat3* a) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[j][i];
  return c;
}
static inline rgMat3 m3_add(const rgMat3* a, const rgMat3* b) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][j] + b->m[i][j];
  return c;
}
static inline rgMat3 m3_scale(const rgMat3* a, double s) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][j] * s;
  return c;
}
static inline double m3_det(const rgMat3* a) {
  return v3_dot(m3_row(a, 0), v3_cross(m3_row(a, 1), m3_row(a, 2)));
}
// Inverse by cofactors; the caller knows that the determinant is not zero.
static inline rgMat3 m3_inverse(const rgMat3* a) {
  rgVec3 r0 = m3_row(a, 0), r1 = m3_row(a, 1), r2 = m3_row(a, 2);
  rgVec3 c0 = v3_cross(r1, r2), c1 = v3_cross(r2, r0), c2 = v3_cross(r0, r1);
  double s = 1 / v3_dot(r0, c0);
  return (rgMat3){{{c0.x * s, c1.x * s, c2.x * s},
                   {c0.y * s, c1.y * s, c2.y * s},
                   {c0.z * s, c1.z * s, c2.z * s}}};
}
static inline rgMat3 m3_from_quat(rgQuat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (rgMat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
// Skew matrix: m3_apply(skew(a), b) = a x b.
static inline rgMat3 m3_skew(rgVec3 a) {
  return (rgMat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}
// R diag(d) R'
static inline rgMat3 m3_congruence(const rgMat3* r, rgVec3 d) {
  rgMat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double s = r->m[i][0] * d.x * r->m[j][0] + r->m[i][1] * d.y * r->m[j][1] +
                 r->m[i][2] * d.z * r->m[j][2];
      c.m[i][j] = s;
      c.m[j][i] = s;
    }
  return c;
}

// The rate g v of a row g at the velocity v.
static inline double twist_dot(rgTwist g, rgTwist v) {
  return v3_dot(g.linear, v.linear) + v3_dot(g.angular, v.angular);
}

static inline rgPose pose_identity(void) { return (rgPose){v3_zero(), quat_identity()}; }
static inline rgVec3 pose_apply(rgPose p, rgVec3 x) {
  return v3_add(p.position, quat_rotate(p.orientation, x));
}
static inline rgVec3 pose_unapply(rgPose p, rgVec3 x) {
  return quat_unrotate(p.orientation, v3_sub(x, p.position));
}
static inline rgPose pose_mul(rgPose a, rgPose b) {
  return (rgPose){pose_apply(a, b.position), quat_mul(a.orientation, b.orientation)};
}
static inline rgPose pose_inverse(rgPose p) {
  rgQuat c = quat_conj(p.orientation);
  return (rgPose){v3_neg(quat_rotate(c, p.position)), c};
}

static inline rgBounds bounds_union(rgBounds a, rgBounds b) {
  return (rgBounds){v3_min(a.lower, b.lower), v3_max(a.upper, b.upper)};
}
static inline rgBounds bounds_grow(rgBounds a, double s) {
  return (rgBounds){v3_sub(a.lower, v3(s, s, s)), v3_add(a.upper, v3(s, s, s))};
}
static inline bool bounds_overlap(rgBounds a, rgBounds b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

#endif
