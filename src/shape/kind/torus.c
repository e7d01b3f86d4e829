// torus.c - the inside of a tube that is bent to a ring about z.
//
// Towards the axis the surface is a saddle: hollow around the tube, and bulging into it along the
// ring.
#include "shape/parameters.h"
#include "shape/smooth/ring.h"

static rgFoot foot(const rgShape* shape, rgVec3 x) {
  double across = sqrt(x.x * x.x + x.y * x.y), r = shape->radius;
  rgVec3 side = across > 0 ? v3(x.x / across, x.y / across, 0) : v3(1, 0, 0);
  rgVec3 middle = v3_scale(side, rg_ring_radius(shape)), d = v3_sub(x, middle);
  double distance = v3_norm(d);
  rgVec3 out = distance > 0 ? v3_scale(d, 1 / distance) : v3(0, 0, -1);
  return (rgFoot){r - distance, v3_neg(out), v3_axpy(middle, r, out)};
}

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  (void)shape, (void)out;
  return 0;
}

static const rgWall wall = {.foot = foot, .rims = rims, .saddle = true, .place = rg_ring_place};

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  double distance;
  rgVec3 normal;
  return rg_ray_torus(ray, rg_ring_radius(shape), shape->radius, &distance, &normal) &&
         rg_ray_surface(ray, distance, normal, out);
}

const rgShapeInfo rg_shape_info_torus = {
    .kind = RG_SHAPE_TORUS,
    .name = "torus",
    .summary =
        "inside of a tube that is bent to a ring about z; for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rg_parameter_ring_radius},
    .check = rg_ring_check,
    .build = rg_ring_build,
    .bounds = rg_ring_bounds,
    .wall = &wall,
    .ray = ray,
};
