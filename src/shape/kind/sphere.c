// sphere.c - a ball about the origin of its frame.
#include "shape/check.h"
#include "shape/kinds.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_check_positive(def->radius, "radius", message);
}

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

const rgShapeInfo rg_shape_info_sphere = {
    .kind = RG_SHAPE_SPHERE,
    .name = "sphere",
    .summary = "ball of a radius",
    .solid = true,
    .convex = true,
    .check = check,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
};
