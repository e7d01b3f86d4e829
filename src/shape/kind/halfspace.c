// halfspace.c - everything below the xy plane of its frame.
#include "shape/kinds.h"

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)def, (void)scratch, (void)memory;
  shape->extent = HUGE_VAL;
  shape->size = HUGE_VAL;
}

// Infinite, except on the outer side of a plane whose normal is exactly along an axis: the least
// tilt makes the plane reach any height somewhere.
static rgBounds bounds(const rgShape* shape, rgPose pose) {
  (void)shape;
  rgBounds box = {v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL), v3(HUGE_VAL, HUGE_VAL, HUGE_VAL)};
  rgVec3 n = quat_rotate(pose.orientation, v3(0, 0, 1));
  if (n.y == 0 && n.z == 0)
    *(n.x > 0 ? &box.upper.x : &box.lower.x) = pose.position.x;
  else if (n.z == 0 && n.x == 0)
    *(n.y > 0 ? &box.upper.y : &box.lower.y) = pose.position.y;
  else if (n.x == 0 && n.y == 0)
    *(n.z > 0 ? &box.upper.z : &box.lower.z) = pose.position.z;
  return box;
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  (void)shape;
  return rg_ray_solid(ray, rg_ray_halfspace(ray, v3(0, 0, 1), 0), out);
}

const rgShapeInfo rg_shape_info_halfspace = {
    .kind = RG_SHAPE_HALFSPACE,
    .name = "halfspace",
    .summary = "everything below the xy plane of its frame; for bodies that do not move freely",
    .solid = false,
    .convex = true,
    .build = build,
    .bounds = bounds,
    .ray = ray,
};
