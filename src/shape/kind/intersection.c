// intersection.c - what several convex shapes have in common.
//
// The members are placed by their poses; a box counts as six half-spaces. An intersection of half-spaces
// alone is made as the hull of its corners (meet_polytope.c). Curved ones are known by their functions
// (meet.h): contacts by the general algorithms, mass by integration with a stated error.
#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/meet/meet_make.h"
#include "shape/parameters.h"

static const rgShapeParameter members = {
    "members", RG_PARAMETER_MEMBERS,
    .help = "convex shapes with positions and orientations in the frame of this one: what all of "
            "them have in "
            "common. Half-spaces, boxes with sharp edges, spheres, ellipsoids, superellipsoids, "
            "cylinders, cones "
            "and lenses"};

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_meet_check_members(def, message);
}

static size_t scratch_size(const rgShapeDef* def) {
  (void)def;
  return rg_align(sizeof(rgMeet)) + rg_align(RG_MEET_MEMBERS_MAX * sizeof(rgShape));
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  rgMeet* meet = scratch;
  rgShape* list = (rgShape*)(void*)((char*)scratch + rg_align(sizeof(rgMeet)));
  *extra_size = scratch_size(def);
  return rg_meet_make(def, meet, list, message);
}

const rgShapeInfo rg_shape_info_intersection = {
    .kind = RG_SHAPE_INTERSECTION,
    .name = "intersection",
    .summary = "what several convex shapes have in common",
    .parameters = {&members},
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
    .pieces = {0, rg_meet_piece, rg_meet_piece_tip},
    .ray = rg_meet_ray,
};
