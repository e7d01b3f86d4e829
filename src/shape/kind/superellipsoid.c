// superellipsoid.c - an ellipsoid with exponents of its own: rounder than a box, fuller than an
// ellipsoid.
//
// With half = (a, b, c) and the exponents p (across z) and r (along z) it is the set g(x) <= 1 of
//   m = (|x/a|^p + |y/b|^p)^(1/p),   g = (m^r + |z/c|^r)^(1/r),
// the superquadric of Barr (1981), whose exponents are 2/p and 2/r, and with p = r the surface
// |x/a|^p + |y/b|^p + |z/c|^p = 1 of Chakraborty et al. (2007). g is a norm for p, r >= 1, so the
// body is convex; below 2 its curvature is infinite along ridges, and such exponents are refused, as
// are those above 20, whose faces are flat and whose edges are sharp to rounding: that is a box.
//
// Support: the dual norm, with q = p/(p - 1), s = r/(r - 1),
//   k = ((a |nx|)^q + (b |ny|)^q)^(1/q),   h(n) = (k^s + (c |nz|)^s)^(1/s),   point = gradient of h.
//
// Mass: slices across z are alike, and Dirichlet's integral
//   int u^(i-1) v^(j-1) over u^p + v^p <= 1, u, v >= 0   =   G(i/p) G(j/p) / (p^2 G((i+j)/p + 1))
// gives their area and second moments; along z, with t = z/c,
//   int_0^1 t^(i-1) (1 - t^r)^(k/r) dt   =   G(i/r) G(k/r + 1) / (r G((i+k)/r + 1)).
#include "math/power.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/curved.h"
#include "shape/solid/feature.h"

#include <stddef.h>

static const rgShapeParameter exponents = {
    "exponents",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters),
    .count = 2,
    .lower = 2,
    .upper = 20,
    .help =
        "p across z and r along z: with `half` = [a, b, c] the body is m^r + abs(z/c)^r <= 1, "
        "where m^p = abs(x/a)^p + abs(y/b)^p; [2, 2] is an ellipsoid, large ones tend to a box"};

static double exponent_across(const rgShape* shape) { return shape->parameters[0]; }
static double exponent_along(const rgShape* shape) { return shape->parameters[1]; }

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  rgVec3 h = def->half;
  shape->half = h;
  shape->extent = v3_norm(h); // of the box around it
  shape->size = h.x < h.y ? h.x : h.y;
  shape->size = h.z < shape->size ? h.z : shape->size;
}

// --- Mass ----------------------------------------------------------------------------------------

static double slice_integral(double p, double i, double j) {
  return rg_gamma(i / p) * rg_gamma(j / p) / (p * p * rg_gamma((i + j) / p + 1));
}

static double height_integral(double r, double i, double k) {
  return rg_gamma(i / r) * rg_gamma(k / r + 1) / (r * rg_gamma((i + k) / r + 1));
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  rgVec3 h = shape->half;
  double p = exponent_across(shape), r = exponent_along(shape), box = 8 * h.x * h.y * h.z;
  double area = slice_integral(p, 1, 1), second = slice_integral(p, 3, 1);
  double m = box * area * height_integral(r, 1, 2);
  double across = box * second * height_integral(r, 1, 4); // int x^2 = a^2 times this
  double xx = across * h.x * h.x, yy = across * h.y * h.y;
  double zz = box * area * height_integral(r, 3, 2) * h.z * h.z;
  *out = (rgMassProperties){m, v3_zero(), m3_diag(yy + zz, zz + xx, xx + yy)};
}

// --- Support -------------------------------------------------------------------------------------

// The norm (u^q + v^q)^(1/q), u, v >= 0, with its gradient; 1/q = 1 - 1/p.
static double dual_norm(double p, double u, double v, double* du, double* dv) {
  double most = u > v ? u : v, least = u > v ? v : u;
  *du = *dv = 0;
  if (!(most > 0))
    return 0;
  // With t = least/most and e = t^(q-1): sum = 1 + t e, norm = most * sum * sum^(-1/p).
  double t = least / most, e = rg_pow(t, 1 / (p - 1)), sum = 1 + t * e, f = rg_pow(sum, -1 / p);
  *(u > v ? du : dv) = f;
  *(u > v ? dv : du) = e * f;
  return most * sum * f;
}

static double signed_as(double x, double sign) { return sign < 0 ? -x : x; }

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 h = shape->half, n = v3_abs(v3_mul(h, d));
  double du, dv, dk, dw;
  double k = dual_norm(exponent_across(shape), n.x, n.y, &du, &dv);
  dual_norm(exponent_along(shape), k, n.z, &dk, &dw);
  return v3(signed_as(h.x * dk * du, d.x), signed_as(h.y * dk * dv, d.y), signed_as(h.z * dw, d.z));
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation);
  rgVec3 x = m3_row(&r, 0), y = m3_row(&r, 1), z = m3_row(&r, 2);
  rgVec3 half =
      v3(v3_dot(x, support(shape, x)), v3_dot(y, support(shape, y)), v3_dot(z, support(shape, z)));
  return rg_bounds_about(pose.position, half);
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rg_feature_point(out, pose_apply(pose, support(shape, quat_unrotate(pose.orientation, d))));
}

static bool single(const rgShape* shape, rgVec3 d) {
  (void)shape, (void)d;
  return true;
}

// --- The norm g ----------------------------------------------------------------------------------

// The norm (u^p + v^p)^(1/p) of u, v >= 0, with gradient and, times the norm, its Hessian; u2 is (u /
// norm)^(p-2).
typedef struct Norm {
  double value, du, dv, duu, duv, dvv, u2;
} Norm;

// With a = least/most, sum = 1 + a^p and f = sum^(1/p) the norm is most f. Powers of s = u/norm and t =
// v/norm are then products: the one of the larger is 1/f, with (1/f)^(p-2) = f^2/sum, and the one of the
// smaller a times that.
static Norm norm_of(double p, double u, double v) {
  double most = u > v ? u : v, least = u > v ? v : u;
  double a = most > 0 ? least / most : 1; // where the direction does not matter, any will do
  double ap = rg_pow(a, p), sum = 1 + ap, f = rg_pow(sum, 1 / p), large = 1 / f, small = a * large;
  double large2 = f * f / sum, small2 = a > 0 ? ap / (a * a) * large2 : p > 2 ? 0 : large2;
  double s = u > v ? large : small, t = u > v ? small : large;
  double s2 = u > v ? large2 : small2, t2 = u > v ? small2 : large2, ds = s2 * s, dt = t2 * t;
  return (Norm){.value = most * f,
                .du = ds,
                .dv = dt,
                .duu = (p - 1) * s2 * dt * t,
                .duv = -(p - 1) * ds * dt,
                .dvv = (p - 1) * t2 * ds * s,
                .u2 = s2};
}

// f = g - 1.
static double value(const rgShape* shape, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  rgVec3 h = shape->half, y = v3(fabs(x.x) / h.x, fabs(x.y) / h.y, fabs(x.z) / h.z);
  double r = exponent_along(shape);
  Norm m = norm_of(exponent_across(shape), y.x, y.y), g = norm_of(r, m.value, y.z);
  double scale = g.value > 0 ? 1 / g.value : 0;
  // g_m m_uu = g_m / m times the Hessian above, with g_m / m = (m/g)^(r-2) / g.
  double inner = g.u2 * scale;
  rgVec3 i = v3(signed_as(1 / h.x, x.x), signed_as(1 / h.y, x.y), signed_as(1 / h.z, x.z));
  *gradient = v3_mul(i, v3(g.du * m.du, g.du * m.dv, g.dv));
  double xx = g.duu * scale * m.du * m.du + inner * m.duu;
  double xy = g.duu * scale * m.du * m.dv + inner * m.duv;
  double yy = g.duu * scale * m.dv * m.dv + inner * m.dvv;
  double xz = g.duv * scale * m.du, yz = g.duv * scale * m.dv, zz = g.dvv * scale;
  *hessian = (rgMat3){{{xx * i.x * i.x, xy * i.x * i.y, xz * i.x * i.z},
                       {xy * i.x * i.y, yy * i.y * i.y, yz * i.y * i.z},
                       {xz * i.x * i.z, yz * i.y * i.z, zz * i.z * i.z}}};
  return g.value - 1;
}

const rgShapeInfo rg_shape_info_superellipsoid = {
    .kind = RG_SHAPE_SUPERELLIPSOID,
    .name = "superellipsoid",
    .summary = "between ellipsoid and box, given by its semi-axes and two exponents",
    .parameters = {&rg_parameter_half, &exponents},
    .solid = true,
    .convex = true,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = rg_curved_foot,
    .line_normals = rg_curved_line_normals,
    .value = value,
    .ray = rg_ray_by_value,
};
