// cylinder.c - a circular cylinder along z, with flat ends.
#include "shape/check.h"
#include "shape/kinds.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_check_positive(def->radius, "radius", message) &&
         rg_check_positive(def->half_length, "half_length", message);
}

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

const rgShapeInfo rg_shape_info_cylinder = {
    .kind = RG_SHAPE_CYLINDER,
    .name = "cylinder",
    .summary = "circular cylinder along z with flat ends",
    .solid = true,
    .convex = true,
    .check = check,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
};
