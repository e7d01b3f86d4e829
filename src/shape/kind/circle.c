// circle.c - a disk of a 2D world.
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/outline.h"

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)def, (void)scratch, (void)message;
  *extra_size = rg_outline_size(1);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  rgVec3 center = v3_zero();
  shape->radius = def->radius;
  rg_outline_build(shape, &center, 1, memory);
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  double area = RG_PI * shape->radius * shape->radius;
  *out = rg_outline_mass(area, v3_zero(), 0.5 * area * shape->radius * shape->radius);
}

const rgShapeInfo rg_shape_info_circle = {
    .kind = RG_SHAPE_CIRCLE,
    .name = "circle",
    .summary = "disk of a 2D world",
    .parameters = {&rg_parameter_radius},
    .solid = true,
    .convex = true,
    .planar = true,
    .prepare = prepare,
    .build = build,
    .mass = mass,
    .bounds = rg_outline_bounds,
    .support = rg_outline_support,
    .ray = rg_ray_outline,
};
