// sphere.c - a ball about the origin of its frame.
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/feature.h"

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  shape->radius = def->radius;
  shape->extent = def->radius;
  shape->size = def->radius;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  double r = shape->radius;
  double m = 4.0 / 3.0 * RG_PI * r * r * r;
  double i = 0.4 * m * r * r;
  *out = (rgMassProperties){m, v3_zero(), m3_diag(i, i, i)};
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  return rg_bounds_about(pose.position, v3(shape->radius, shape->radius, shape->radius));
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  return v3_scale(d, shape->radius / v3_norm(d));
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rg_feature_point(out, v3_axpy(pose.position, shape->radius, d));
}

static bool single(const rgShape* shape, rgVec3 d) {
  (void)shape, (void)d;
  return true;
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  double distance = v3_norm(x);
  rgVec3 n = distance > 0 ? v3_scale(x, 1 / distance) : v3(0, 0, 1);
  return (rgFoot){distance - shape->radius, n, v3_scale(n, shape->radius)};
}

// f = |x|^2 / r^2 - 1.
static double value(const rgShape* shape, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  double scale = 1 / (shape->radius * shape->radius);
  *gradient = v3_scale(x, 2 * scale);
  *hessian = m3_diag(2 * scale, 2 * scale, 2 * scale);
  return v3_norm2(x) * scale - 1;
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  return rg_ray_solid(ray, rg_ray_ball(ray, v3_zero(), shape->radius), out);
}

const rgShapeInfo rg_shape_info_sphere = {
    .kind = RG_SHAPE_SPHERE,
    .name = "sphere",
    .summary = "ball of a radius",
    .parameters = {&rg_parameter_radius},
    .solid = true,
    .convex = true,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = foot,
    .value = value,
    .core = RG_CORE_POINT,
    .ray = ray,
};
