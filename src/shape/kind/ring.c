// ring.c - a torus about z seen from outside: a ring to be threaded or landed on.
#include "shape/smooth/ring.h"
#include "shape/parameters.h"

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  out[0] = (rgWallRim){rg_ring_radius(shape), 0, shape->radius, 0};
  return 1;
}

static const rgWall wall = {.rims = rims, .place = rg_ring_place};

const rgShapeInfo rg_shape_info_ring = {
    .kind = RG_SHAPE_RING,
    .name = "ring",
    .summary = "round bar that is bent to a ring about z; for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rg_parameter_ring_radius},
    .check = rg_ring_check,
    .build = rg_ring_build,
    .bounds = rg_ring_bounds,
    .wall = &wall,
};
