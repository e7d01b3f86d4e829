// ring.c - a torus about z seen from outside: a ring to be threaded or landed on.
#include "shape/smooth/ring.h"
#include "shape/parameters.h"

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  out[0] = (rgWallRim){rg_ring_radius(shape), 0, shape->radius, 0};
  return 1;
}

static const rgWall wall = {.rims = rims, .place = rg_ring_place};

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgVec3 o = ray->origin, normal;
  double across = sqrt(o.x * o.x + o.y * o.y) - rg_ring_radius(shape), distance;
  if (sqrt(across * across + o.z * o.z) < shape->radius)
    return rg_ray_solid(ray, (rgRaySpan){-HUGE_VAL, HUGE_VAL, v3_zero()}, out);
  return rg_ray_torus(ray, rg_ring_radius(shape), shape->radius, &distance, &normal) &&
         rg_ray_surface(ray, distance, normal, out);
}

const rgShapeInfo rg_shape_info_ring = {
    .kind = RG_SHAPE_RING,
    .name = "ring",
    .summary = "round bar that is bent to a ring about z; for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rg_parameter_ring_radius},
    .check = rg_ring_check,
    .build = rg_ring_build,
    .bounds = rg_ring_bounds,
    .wall = &wall,
    .ray = ray,
};
