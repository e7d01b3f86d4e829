// segment.c - a line between two points, for 2D worlds: ground and walls.
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/outline.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_points(def, 2, 2, message))
    return false;
  for (int i = 0; i < 2; i++)
    if (def->points[i].z != 0) {
      rg_fail(message, RG_ERROR_INPUT, "points[%d] has z = %.9g, must be 0 in a 2D world", i,
              def->points[i].z);
      return false;
    }
  if (v3_norm2(v3_sub(def->points[1], def->points[0])) > 0)
    return true;
  rg_fail(message, RG_ERROR_INPUT, "both points are the same, must be apart");
  return false;
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)def, (void)scratch, (void)message;
  *extra_size = rg_outline_size(2);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  rg_outline_build(shape, def->points, 2, memory);
}

const rgShapeInfo rg_shape_info_segment = {
    .kind = RG_SHAPE_SEGMENT,
    .name = "segment",
    .summary = "line between two points of a 2D world, with both sides; for bodies that do not "
               "move freely",
    .parameters = {&rg_parameter_points},
    .convex = true,
    .planar = true,
    .check = check,
    .prepare = prepare,
    .build = build,
    .bounds = rg_outline_bounds,
    .support = rg_outline_support,
    .ray = rg_ray_outline,
};
