// function.c - the set f <= 0 of a convex function that the user of the C interface gives.
//
// A smooth surface without edges, known by value, gradient and Hessian. Checked when it is made at places
// within its bounds (meet_check.c), and where contacts stand on its answers (meet_audit.c): a step that meets
// a lie is not made.
#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/meet/meet_make.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_given(def->function, "function", message) ||
      !rg_check_given((const void*)(uintptr_t)def->function->value, "function.value", message))
    return false;
  rgBounds b = def->function->bounds;
  if (v3_finite(b.lower) && v3_finite(b.upper) && b.lower.x < b.upper.x && b.lower.y < b.upper.y &&
      b.lower.z < b.upper.z)
    return true;
  rg_fail(
      message, RG_ERROR_INPUT,
      "function.bounds is (%.9g, %.9g, %.9g) to (%.9g, %.9g, %.9g), must be finite and increasing",
      b.lower.x, b.lower.y, b.lower.z, b.upper.x, b.upper.y, b.upper.z);
  return false;
}

static size_t scratch_size(const rgShapeDef* def) {
  (void)def;
  return rg_align(sizeof(rgMeet)) + rg_align(sizeof(rgConvexFunction));
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  *extra_size = scratch_size(def);
  return rg_meet_make_function(def, scratch, message);
}

const rgShapeInfo rg_shape_info_function = {
    .kind = RG_SHAPE_FUNCTION,
    .name = "function",
    .summary = "a convex function f <= 0, through the C interface alone",
    .solid = true,
    .convex = true,
    .check = check,
    .scratch_size = scratch_size,
    .prepare = prepare,
    .build = rg_meet_build,
    .mass = rg_meet_mass,
    .bounds = rg_meet_bounds,
    .support = rg_meet_support,
    .feature = rg_meet_feature,
    .single = rg_meet_single,
    .foot = rg_meet_foot,
    .pieces = {1, rg_meet_piece, NULL},
    .ray = rg_meet_ray,
};
