// cylinder.c - a circular cylinder along z, with flat ends.
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/pieces.h"
#include "shape/smooth/quadric.h"
#include "shape/smooth/rim.h"
#include "shape/solid/feature.h"

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  double r = def->radius, h = def->half_length;
  shape->radius = r;
  shape->half_length = h;
  shape->extent = sqrt(r * r + h * h);
  shape->size = r < h ? r : h;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  double r = shape->radius, h = shape->half_length;
  double m = 2 * RG_PI * r * r * h;
  double across = m * (0.25 * r * r + h * h / 3);
  *out = (rgMassProperties){m, v3_zero(), m3_diag(across, across, 0.5 * m * r * r)};
}

// A disk with unit normal a reaches r sqrt(1 - a_i^2) along axis i; 1 - a_i^2 is taken from the
// other two components, which stays exact when the cylinder is upright.
static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgVec3 a = quat_rotate(pose.orientation, v3(0, 0, 1));
  double r = shape->radius, h = shape->half_length;
  double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
  rgVec3 half = v3(h * fabs(a.x) + r * sqrt(yy + zz), h * fabs(a.y) + r * sqrt(zz + xx),
                   h * fabs(a.z) + r * sqrt(xx + yy));
  return rg_bounds_about(pose.position, half);
}

// Straight up or down every point of the end is farthest: its centre is taken.
static rgVec3 support(const rgShape* shape, rgVec3 d) {
  double across = sqrt(d.x * d.x + d.y * d.y);
  double s = across > 0 ? shape->radius / across : 0;
  return v3(s * d.x, s * d.y, d.z < 0 ? -shape->half_length : shape->half_length);
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 own = quat_unrotate(pose.orientation, d);
  double across = sqrt(own.x * own.x + own.y * own.y), r = shape->radius, h = shape->half_length;
  if (across <= RG_FEATURE_TILT) {
    rg_rim_cap(pose, own, (rgRim){r, own.z > 0 ? h : -h}, out);
    return;
  }
  rgVec3 side = v3(r * own.x / across, r * own.y / across, 0);
  if (fabs(own.z) <= RG_FEATURE_TILT)
    rg_feature_segment(out, pose_apply(pose, v3(side.x, side.y, -h)),
                       pose_apply(pose, v3(side.x, side.y, h)));
  else
    rg_feature_point(out, pose_apply(pose, v3(side.x, side.y, own.z > 0 ? h : -h)));
}

static bool single(const rgShape* shape, rgVec3 d) {
  (void)shape;
  return fabs(d.z) > RG_RIM_TILT && sqrt(d.x * d.x + d.y * d.y) > RG_RIM_TILT;
}

static double sign(double x) { return x < 0 ? -1 : 1; }

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  double radius = shape->radius, half_length = shape->half_length;
  double rho = sqrt(x.x * x.x + x.y * x.y);
  rgVec3 out = rho > 0 ? v3(x.x / rho, x.y / rho, 0) : v3(1, 0, 0);
  double beyond_side = rho - radius, beyond_cap = fabs(x.z) - half_length;
  rgVec3 cap = v3(0, 0, sign(x.z));
  if (beyond_side > 0 && beyond_cap > 0) { // the rim
    double distance = sqrt(beyond_side * beyond_side + beyond_cap * beyond_cap);
    rgVec3 n = v3_axpy(v3_scale(out, beyond_side / distance), beyond_cap / distance, cap);
    return (rgFoot){distance, n, v3(radius * out.x, radius * out.y, cap.z * half_length)};
  }
  if (beyond_side > beyond_cap)
    return (rgFoot){beyond_side, out, v3(radius * out.x, radius * out.y, x.z)};
  return (rgFoot){beyond_cap, cap, v3(x.x, x.y, cap.z * half_length)};
}

// The side and the two ends.
static double piece(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  if (i == 0)
    return rg_pieces_pipe(shape->radius, x, gradient, hessian);
  *gradient = v3(0, 0, i == 1 ? 1 : -1);
  *hessian = m3_zero();
  return x.z * gradient->z - shape->half_length;
}

// Across both axes for the side; the shadows of the rims along the line.
static void line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                         rgLineNormals* out) {
  rgVec3 axis = quat_rotate(pose.orientation, v3(0, 0, 1));
  *out = (rgLineNormals){3, 1, {v3_cross(axis, direction)}};
  for (int i = 0; i < 2; i++) {
    double end = i == 0 ? -1 : 1;
    rgPose cap = {v3_axpy(pose.position, end * shape->half_length, axis), pose.orientation};
    rgQuadric rim = rg_quadric(v3(shape->radius, shape->radius, 0), cap);
    out->normals[1 + i] = rg_quadric_line_normal(&rim, x, direction);
  }
}

static rgRim rim(const rgShape* shape, rgVec3 d) {
  return (rgRim){shape->radius, d.z < 0 ? -shape->half_length : shape->half_length};
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgRaySpan ends = rg_ray_slab(ray, v3(0, 0, 1), shape->half_length);
  return rg_ray_solid(ray, rg_ray_common(rg_ray_pipe(ray, shape->radius), ends), out);
}

const rgShapeInfo rg_shape_info_cylinder = {
    .kind = RG_SHAPE_CYLINDER,
    .name = "cylinder",
    .summary = "circular cylinder along z with flat ends",
    .parameters = {&rg_parameter_radius, &rg_parameter_half_length},
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
    .rim = rim,
    .flat_axis = {0, 0, 1},
    .pieces = {3, piece, NULL},
    .ray = ray,
};
