// cone.c - a circular cone along z with a flat base, and the frustum between two flat ends.
//
// With R_- = radius at z = -h, R_+ = the one above (0: a tip) at z = h, m = (R_- + R_+)/2 and
// k = (R_+ - R_-)/2h, the radius at height z is m + k z. The body is the common set of
//   f_1 = (rho - m - k z) c <= 0,  c = 1/sqrt(1 + k^2),   f_2 = -z - h <= 0,   f_3 = z - h <= 0
// (without f_3 where there is a tip), rho = sqrt(x^2 + y^2). f_1 has no gradient at the tip; there the
// normals fill a cone, and the tip answers as a corner.
//
// Mass, closed form: with the integrals over z of (m + kz)^2, (m + kz)^2 z, (m + kz)^2 z^2, (m + kz)^4,
//   M = pi (2 h m^2 + 2/3 h^3 k^2),                 M z_c = pi 4/3 h^3 m k,
//   I_zz = pi/2 (2 h m^4 + 4 h^3 m^2 k^2 + 2/5 h^5 k^4),
//   I_xx = I_zz / 2 + pi (2/3 h^3 m^2 + 2/5 h^5 k^2) - M z_c^2.
// All feet and supports are those of the trapezoid in the half-plane (rho, z).
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/foot.h"
#include "shape/smooth/pieces.h"
#include "shape/smooth/quadric.h"
#include "shape/smooth/rim.h"
#include "shape/solid/feature.h"

#include <stddef.h>

static const rgShapeParameter top_radius = {
    "top_radius",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters),
    .count = 1,
    .lower = 0,
    .upper = HUGE_VAL,
    .unit = "m",
    .help = "radius of a cone at its upper end, where it has `radius` at the lower; 0: a tip"};

static double radius_at(const rgShape* shape, int end) {
  return end > 0 ? shape->parameters[0] : shape->radius;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  double h = def->half_length, below = def->radius, above = def->parameters[0];
  double most = below > above ? below : above;
  shape->radius = below;
  shape->half_length = h;
  shape->extent = sqrt(most * most + h * h);
  // The ball about the middle of the axis that is inside.
  double slope = (above - below) / (2 * h);
  double side = 0.5 * (below + above) / sqrt(1 + slope * slope);
  shape->size = side < h ? side : h;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  double h = shape->half_length, m = 0.5 * (radius_at(shape, -1) + radius_at(shape, 1));
  double k = (radius_at(shape, 1) - radius_at(shape, -1)) / (2 * h);
  double h3 = h * h * h, h5 = h3 * h * h, m2 = m * m, k2 = k * k;
  double total = RG_PI * (2 * h * m2 + 2.0 / 3 * h3 * k2);
  double center = RG_PI * 4.0 / 3 * h3 * m * k / total;
  double about = 0.5 * RG_PI * (2 * h * m2 * m2 + 4 * h3 * m2 * k2 + 0.4 * h5 * k2 * k2);
  double along = RG_PI * (2.0 / 3 * h3 * m2 + 0.4 * h5 * k2);
  double across = 0.5 * about + along - total * center * center;
  *out = (rgMassProperties){total, v3(0, 0, center), m3_diag(across, across, about)};
}

// Of its two ends: a disk with unit normal a reaches r sqrt(1 - a_i^2) along axis i.
static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgVec3 a = quat_rotate(pose.orientation, v3(0, 0, 1));
  double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z, h = shape->half_length;
  rgVec3 disk = v3(sqrt(yy + zz), sqrt(zz + xx), sqrt(xx + yy));
  rgBounds below = rg_bounds_about(v3_axpy(pose.position, -h, a), v3_scale(disk, shape->radius));
  rgBounds above =
      rg_bounds_about(v3_axpy(pose.position, h, a), v3_scale(disk, radius_at(shape, 1)));
  return bounds_union(below, above);
}

static double across_of(rgVec3 d) { return sqrt(d.x * d.x + d.y * d.y); }

// Which end is farther along d: where both are level, the upper one.
static int end_along(const rgShape* shape, rgVec3 d) {
  double across = across_of(d), h = shape->half_length;
  return radius_at(shape, 1) * across + h * d.z < shape->radius * across - h * d.z ? -1 : 1;
}

static rgVec3 rim_point(const rgShape* shape, int end, rgVec3 d) {
  double across = across_of(d), s = across > 0 ? radius_at(shape, end) / across : 0;
  return v3(s * d.x, s * d.y, end * shape->half_length);
}

// Straight up or down every point of the end is farthest: its centre is taken.
static rgVec3 support(const rgShape* shape, rgVec3 d) {
  return rim_point(shape, end_along(shape, d), d);
}

// Unit vector along the side upwards, in the half-plane (rho, z).
static void side_of(const rgShape* shape, double* rho, double* z) {
  double dr = radius_at(shape, 1) - radius_at(shape, -1), dz = 2 * shape->half_length;
  double length = sqrt(dr * dr + dz * dz);
  *rho = dr / length;
  *z = dz / length;
}

// Sine of the angle between the unit vector d and the side that faces it.
static double along_side(const rgShape* shape, rgVec3 d) {
  double rho, z;
  side_of(shape, &rho, &z);
  return across_of(d) * rho + d.z * z;
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 own = quat_unrotate(pose.orientation, d);
  double across = across_of(own);
  int end = own.z > 0 ? 1 : -1;
  if (across <= RG_FEATURE_TILT && radius_at(shape, end) > 0) {
    rg_rim_cap(pose, own, (rgRim){radius_at(shape, end), end * shape->half_length}, out);
    return;
  }
  if (across > RG_RIM_TILT && fabs(along_side(shape, own)) <= RG_FEATURE_TILT)
    rg_feature_segment(out, pose_apply(pose, rim_point(shape, -1, own)),
                       pose_apply(pose, rim_point(shape, 1, own)));
  else
    rg_feature_point(out, pose_apply(pose, support(shape, own)));
}

static bool single(const rgShape* shape, rgVec3 d) {
  bool end = across_of(d) <= RG_RIM_TILT && radius_at(shape, d.z > 0 ? 1 : -1) > 0;
  return !end && fabs(along_side(shape, d)) > RG_RIM_TILT;
}

// --- Foot ----------------------------------------------------------------------------------------

// The trapezoid is the polygon (0, -h), (R_-, -h), (R_+, h), (0, h) in the plane y = 0; x with rho >= 0.
static rgFoot foot_in_plane(const rgShape* shape, rgVec3 x) {
  double h = shape->half_length, rho, z;
  side_of(shape, &rho, &z);
  const rgVec3 corner[4] = {v3(0, 0, -h), v3(radius_at(shape, -1), 0, -h),
                            v3(radius_at(shape, 1), 0, h), v3(0, 0, h)};
  const rgVec3 normal[3] = {v3(0, 0, -1), v3(z, 0, -rho), v3(0, 0, 1)};
  int sides = radius_at(shape, 1) > 0 ? 3 : 2, best = 0;
  double height[3], nearest = HUGE_VAL;
  for (int i = 0; i < sides; i++) {
    height[i] = v3_dot(normal[i], v3_sub(x, corner[i + (i == 2)]));
    best = height[i] > height[best] ? i : best;
  }
  if (height[best] <= 0)
    return (rgFoot){height[best], normal[best], v3_axpy(x, -height[best], normal[best])};
  rgFoot foot = {0, normal[best], x};
  for (int i = 0; i < sides; i++) {
    double s;
    rgVec3 p = rg_foot_on_segment(corner[i], corner[i + 1], x, &s), d = v3_sub(x, p);
    double distance = s > 0 && s < 1 ? height[i] : v3_norm(d);
    if (height[i] <= 0 || distance >= nearest)
      continue;
    nearest = distance;
    bool inner = s > 0 && s < 1;
    foot = (rgFoot){distance, inner ? normal[i] : v3_unit_or(d, normal[i]), p};
  }
  return foot;
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  double rho = across_of(x);
  rgVec3 out = rho > 0 ? v3(x.x / rho, x.y / rho, 0) : v3(1, 0, 0);
  rgFoot flat = foot_in_plane(shape, v3(rho, 0, x.z));
  rgVec3 n = flat.normal, p = flat.point;
  return (rgFoot){flat.distance, v3(n.x * out.x, n.x * out.y, n.z),
                  v3(p.x * out.x, p.x * out.y, p.z)};
}

// --- Pieces --------------------------------------------------------------------------------------

// The side, the lower end, the upper end.
static double piece(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  double h = shape->half_length, rho, z;
  if (i > 0) {
    *gradient = v3(0, 0, i == 1 ? -1 : 1);
    *hessian = m3_zero();
    return x.z * gradient->z - h;
  }
  side_of(shape, &rho, &z);
  double least = 1e-12 * shape->extent, across = across_of(x), s = across > least ? across : least;
  double c = x.x / s, d = x.y / s, bend = z / s;
  *gradient = v3(c * z, d * z, -rho);
  *hessian =
      (rgMat3){{{bend * (1 - c * c), -bend * c * d, 0}, {-bend * c * d, bend * (1 - d * d), 0}}};
  double m = 0.5 * (radius_at(shape, -1) + radius_at(shape, 1));
  return (across - m) * z - rho * x.z;
}

static bool tip(const rgShape* shape, int i, rgVec3* tip) {
  *tip = v3(0, 0, shape->half_length);
  return i == 0 && !(radius_at(shape, 1) > 0);
}

// Two on the side, whose normals lean against the axis by a fixed angle, and the shadows of the rims.
static void line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                         rgLineNormals* out) {
  rgVec3 axis = quat_rotate(pose.orientation, v3(0, 0, 1));
  rgVec3 lean = v3_axpy(axis, -v3_dot(axis, direction), direction); // across the line
  double sine, cosine, lean2 = v3_norm2(lean);
  side_of(shape, &sine, &cosine); // n . axis = -sine
  *out = (rgLineNormals){4, 0, {v3_zero(), v3_zero(), v3_zero(), v3_zero()}};
  if (lean2 > 0 && lean2 >= sine * sine) {
    rgVec3 part = v3_scale(lean, -sine / lean2);
    double rest = sqrt(fmax(0, 1 - sine * sine / lean2) / lean2);
    rgVec3 other = v3_scale(v3_cross(axis, direction), rest);
    out->normals[0] = v3_unit_or(v3_add(part, other), v3_zero());
    out->normals[1] = v3_unit_or(v3_sub(part, other), v3_zero());
  }
  for (int i = 0; i < 2; i++) {
    int end = i == 0 ? -1 : 1;
    double r = radius_at(shape, end);
    rgVec3 center = v3_axpy(pose.position, end * shape->half_length, axis);
    rgVec3 apart = v3_sub(x, center);
    rgQuadric rim = rg_quadric(v3(r, r, 0), (rgPose){center, pose.orientation});
    out->normals[2 + i] =
        r > 0 ? rg_quadric_line_normal(&rim, x, direction)
              : v3_unit_or(v3_axpy(apart, -v3_dot(apart, direction), direction), v3_zero());
  }
}

static rgRim rim(const rgShape* shape, rgVec3 d) {
  int end = end_along(shape, d);
  return (rgRim){radius_at(shape, end), end * shape->half_length};
}

const rgShapeInfo rg_shape_info_cone = {
    .kind = RG_SHAPE_CONE,
    .name = "cone",
    .summary = "circular cone along z with a flat base, or the frustum between two radii",
    .parameters = {&rg_parameter_radius, &rg_parameter_half_length, &top_radius},
    .optional = 1u << 2,
    .solid = true,
    .convex = true,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = foot,
    .line_normals = line_normals,
    .pieces = {3, piece, tip},
    .rim = rim,
    .flat_axis = {0, 0, 1},
    .ray = rg_ray_by_foot,
};
