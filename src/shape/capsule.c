// capsule.c - all points within a radius of a segment along z.
#include "shape/check.h"
#include "shape/kinds.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_check_positive(def->radius, "radius", message) &&
         rg_check_positive(def->half_length, "half_length", message);
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  shape->radius = def->radius;
  shape->half_length = def->half_length;
  shape->extent = def->radius + def->half_length;
  shape->size = def->radius;
}

// Cylinder and two half-balls. A half-ball has its centre 3/8 r from its flat side and, about the
// centre of that side, the inertia of a ball of its mass; moving it out by h adds m (h^2 + 3/4 r h)
// across the axis.
static void mass(const rgShape* shape, rgMassProperties* out) {
  double r = shape->radius, h = shape->half_length;
  double cylinder = 2 * RG_PI * r * r * h;
  double ball = 4.0 / 3.0 * RG_PI * r * r * r;
  double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
  double across =
      cylinder * (0.25 * r * r + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
  *out = (rgMassProperties){cylinder + ball, v3_zero(), m3_diag(across, across, along)};
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgVec3 axis = v3_abs(quat_rotate(pose.orientation, v3(0, 0, shape->half_length)));
  rgVec3 half = v3_add(axis, v3(shape->radius, shape->radius, shape->radius));
  return rg_bounds_about(pose.position, half);
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 point = v3_scale(d, shape->radius / v3_norm(d));
  point.z += d.z < 0 ? -shape->half_length : shape->half_length;
  return point;
}

const rgShapeInfo rg_shape_info_capsule = {
    .kind = RG_SHAPE_CAPSULE,
    .name = "capsule",
    .summary = "cylinder along z with half-balls on both ends",
    .solid = true,
    .convex = true,
    .check = check,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
};
