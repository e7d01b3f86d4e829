// meet_make.c - making intersections and functions of the user.
#include "shape/meet/meet_make.h"

#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/parameters.h"
#include "shape/smooth/pieces.h"

#include <string.h>

static const rgShapeKind allowed[] = {RG_SHAPE_HALFSPACE,      RG_SHAPE_BOX,      RG_SHAPE_SPHERE,
                                      RG_SHAPE_ELLIPSOID,      RG_SHAPE_CYLINDER, RG_SHAPE_CONE,
                                      RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_LENS};

static bool is_allowed(const rgShapeDef* member) {
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    if (member->kind == allowed[i])
      return true;
  return false;
}

static bool check_member(const rgShapeDef* member, rgMessage* message) {
  if (!rg_check_common(member, message))
    return false;
  const rgShapeInfo* info = rg_shape_info(member->kind);
  if (!is_allowed(member)) {
    rg_fail(message, RG_ERROR_INPUT,
            "a %s cannot be a member, must be a halfspace, box, sphere, ellipsoid, superellipsoid, "
            "cylinder, cone or lens",
            info->name);
    return false;
  }
  if (member->rounding != 0) {
    rg_fail(message, RG_ERROR_INPUT, "rounding is %.9g, must be 0 for a member", member->rounding);
    return false;
  }
  return (!info->check || info->check(member, message)) &&
         rg_shape_check_parameters(info, member, message);
}

bool rg_meet_check_members(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_count(def->member_count, 1, RG_MEET_MEMBERS_MAX, "member_count", message) ||
      !rg_check_given(def->members, "members", message))
    return false;
  int count = 0;
  for (int i = 0; i < def->member_count; i++) {
    rgMessage why = {""};
    if (!check_member(&def->members[i], &why)) {
      rg_fail(message, RG_ERROR_INPUT, "members[%d]: %s", i, why.text);
      return false;
    }
    count += def->members[i].kind == RG_SHAPE_BOX ? RG_MEET_BOX_FACES : 1;
  }
  if (count > RG_MEET_MEMBERS_MAX && !rg_meet_is_polytope(def)) {
    rg_fail(message, RG_ERROR_INPUT, "members are %d, each box as six, must be at most %d", count,
            RG_MEET_MEMBERS_MAX);
    return false;
  }
  return true;
}

bool rg_meet_is_polytope(const rgShapeDef* def) {
  for (int i = 0; i < def->member_count; i++)
    if (def->members[i].kind != RG_SHAPE_HALFSPACE && def->members[i].kind != RG_SHAPE_BOX)
      return false;
  return true;
}

int rg_meet_faces_of(const rgShapeDef* member, rgVec3 normals[RG_MEET_BOX_FACES],
                     double offsets[RG_MEET_BOX_FACES]) {
  rgQuat q = quat_unit(member->pose.orientation);
  if (member->kind == RG_SHAPE_HALFSPACE) {
    normals[0] = quat_rotate(q, v3(0, 0, 1));
    offsets[0] = v3_dot(normals[0], member->pose.position);
    return 1;
  }
  for (int i = 0; i < RG_MEET_BOX_FACES; i++) {
    double s = i % 2 ? -1 : 1;
    normals[i] = quat_rotate(q, v3(i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0));
    offsets[i] = v3_dot(normals[i], member->pose.position) + v3_get(member->half, i / 2);
  }
  return RG_MEET_BOX_FACES;
}

// --- Members and pieces --------------------------------------------------------------------------

static void add_pieces(rgMeet* meet, const rgShape* member) {
  int count = member->kind == RG_SHAPE_HALFSPACE || member->kind == RG_SHAPE_SPHERE
                  ? 1
                  : rg_pieces_count(member);
  for (int i = 0; i < count && meet->piece_count < RG_MEET_PIECES_MAX; i++) {
    if (member->kind == RG_SHAPE_CONE && i == 2 && !(member->parameters[0] > 0))
      continue; // at a tip there is no upper end
    bool ends = (member->kind == RG_SHAPE_CYLINDER || member->kind == RG_SHAPE_CONE) && i > 0;
    bool cap = member->kind == RG_SHAPE_LENS && !(member->parameters[i] > 0);
    bool value = member->kind == RG_SHAPE_ELLIPSOID || member->kind == RG_SHAPE_SUPERELLIPSOID;
    meet->pieces[meet->piece_count++] =
        (rgMeetPiece){.member = (int)(member - meet->members),
                      .index = i,
                      .flat = member->kind == RG_SHAPE_HALFSPACE || ends || cap,
                      .scale = value ? member->size : 1};
  }
}

static void add_member(rgMeet* meet, rgShape* list, const rgShapeDef* def, rgPose pose) {
  rgShape* member = &list[meet->member_count++];
  *member = (rgShape){.kind = def->kind, .pose = {pose.position, quat_unit(pose.orientation)}};
  memcpy(member->parameters, def->parameters, sizeof member->parameters);
  rg_shape_info(def->kind)->build(def, NULL, member, NULL);
  add_pieces(meet, member);
}

// Half-spaces of a box: z of their frames is outward.
static void add_box(rgMeet* meet, rgShape* list, const rgShapeDef* def) {
  rgVec3 normals[RG_MEET_BOX_FACES];
  double offsets[RG_MEET_BOX_FACES];
  rgShapeDef plane = rg_shape_def(RG_SHAPE_HALFSPACE);
  static const double half = 0.70710678118654752440;
  static const rgQuat turns[RG_MEET_BOX_FACES] = {{half, 0, half, 0},  {half, 0, -half, 0},
                                                  {half, -half, 0, 0}, {half, half, 0, 0},
                                                  {1, 0, 0, 0},        {0, 1, 0, 0}};
  rg_meet_faces_of(def, normals, offsets);
  for (int i = 0; i < RG_MEET_BOX_FACES; i++) {
    rgVec3 at = v3_scale(v3(i == 0   ? 1
                            : i == 1 ? -1
                                     : 0,
                            i == 2   ? 1
                            : i == 3 ? -1
                                     : 0,
                            i == 4   ? 1
                            : i == 5 ? -1
                                     : 0),
                         v3_get(def->half, i / 2));
    rgPose own = {at, turns[i]};
    add_member(meet, list, &plane, pose_mul(def->pose, own));
  }
}

// --- What all have -------------------------------------------------------------------------------

// The box around the set, by its support; `radius` is of a ball about the origin that holds it.
static bool find_box(rgMeet* meet, double radius) {
  double bound[6];
  for (int i = 0; i < 6; i++) {
    double s = i % 2 ? -1 : 1;
    rgMeetGoal goal = {.d = v3(i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0)};
    rgMeetBest best = rg_meet_solve(meet, &goal, radius);
    if (!isfinite(best.gap))
      return false;
    // What the solver is uncertain by is added: the box holds the set.
    bound[i] = v3_dot(goal.d, best.point) + fmin(best.gap, 1e-9 * radius);
  }
  meet->box = (rgBounds){v3(-bound[1], -bound[3], -bound[5]), v3(bound[0], bound[2], bound[4])};
  return true;
}

static rgStatus finish(rgMeet* meet, double radius, rgMessage* message) {
  // Rays need a box that holds the set before the exact one is known.
  meet->box = (rgBounds){v3(-radius, -radius, -radius), v3(radius, radius, radius)};
  if (!find_box(meet, radius))
    return rg_fail(message, RG_ERROR_INPUT, "the function is not a number somewhere inside");
  rg_meet_find_faces(meet, radius);
  if (!(meet->function && meet->function->mass.mass > 0))
    rg_meet_find_mass(meet);
  return RG_OK;
}

rgStatus rg_meet_make(const rgShapeDef* def, rgMeet* meet, rgShape* list, rgMessage* message) {
  *meet = (rgMeet){.members = list};
  int source[RG_MEET_MEMBERS_MAX], piece = 0;
  double size = HUGE_VAL, radius = HUGE_VAL, most;
  rgVec3 sum = v3_zero();
  for (int i = 0; i < def->member_count; i++) {
    const rgShapeDef* member = &def->members[i];
    int first = meet->member_count;
    if (member->kind == RG_SHAPE_BOX)
      add_box(meet, list, member);
    else
      add_member(meet, list, member, member->pose);
    for (int k = first; k < meet->member_count; k++)
      source[k] = i;
    bool plane = member->kind == RG_SHAPE_HALFSPACE, box = member->kind == RG_SHAPE_BOX;
    double extent = box ? v3_norm(member->half) : list[first].extent;
    double own =
        box ? fmin(member->half.x, fmin(member->half.y, member->half.z)) : list[first].size;
    if (!plane && v3_norm(member->pose.position) + extent < radius) {
      radius = v3_norm(member->pose.position) + extent;
      sum = member->pose.position;
    }
    size = !plane && own < size ? own : size;
  }
  meet->center = sum;
  if (!rg_meet_find_center(meet, size, &most, &piece))
    return rg_fail(message, RG_ERROR_INPUT,
                   "the members have no common interior: members[%d] does not overlap the others",
                   source[meet->pieces[piece].member]);
  return finish(meet, radius, message);
}

rgStatus rg_meet_make_function(const rgShapeDef* def, rgMeet* meet, rgMessage* message) {
  *meet = (rgMeet){.function = def->function, .piece_count = 1};
  rgBounds box = def->function->bounds;
  double steep = 0;
  rgStatus status = rg_meet_check_function(def->function, &steep, message);
  if (status != RG_OK)
    return status;
  // Values become lengths without rounding: times a power of two, so that the largest gradient is about 1.
  int exponent;
  frexp(steep, &exponent);
  meet->pieces[0].scale = ldexp(1, -exponent);
  rgVec3 wide = v3_sub(box.upper, box.lower);
  double size = 0.5 * fmin(wide.x, fmin(wide.y, wide.z)), most;
  int piece;
  meet->center = v3_lerp(box.lower, box.upper, 0.5);
  bool found = rg_meet_find_center(meet, size, &most, &piece);
  rgVec3 c = meet->center;
  found = found && v3_equal(v3_min(v3_max(c, box.lower), box.upper), c); // within
  if (!found)
    return rg_fail(message, RG_ERROR_INPUT,
                   "the function is nowhere clearly below 0 within its bounds: it is %.9g at "
                   "(%.9g, %.9g, %.9g)",
                   most / meet->pieces[0].scale, meet->center.x, meet->center.y, meet->center.z);
  meet->mass = def->function->mass;
  rgVec3 g;
  rgMat3 h;
  meet->center_value = rg_meet_value(meet, 0, meet->center, &g, &h);
  return finish(meet, v3_norm(v3_max(v3_abs(box.lower), v3_abs(box.upper))), message);
}

static double half_width(const rgShape* shape, rgVec3 d) {
  rgVec3 up = rg_meet_support(shape, d), down = rg_meet_support(shape, v3_neg(d));
  return 0.5 * v3_dot(d, v3_sub(up, down)) / v3_norm(d);
}

void rg_meet_build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  rgMeet* meet = memory;
  char* behind = (char*)memory + rg_align(sizeof(rgMeet));
  *meet = *(const rgMeet*)scratch;
  if (meet->function) {
    memcpy(behind, def->function, sizeof *def->function);
    meet->function = (const rgConvexFunction*)(const void*)behind;
  } else {
    memcpy(behind, meet->members, (size_t)meet->member_count * sizeof(rgShape));
    meet->members = (const rgShape*)(const void*)behind;
  }
  shape->meet = meet;
  shape->extent = v3_norm(v3_max(v3_abs(meet->box.lower), v3_abs(meet->box.upper)));
  shape->size = HUGE_VAL;
  for (int i = 1; i < 27; i++) { // the axes and the diagonals between them
    rgVec3 d = v3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (v3_norm2(d) > 0)
      shape->size = fmin(shape->size, half_width(shape, d));
  }
  for (int i = 0; i < meet->face_count; i++)
    shape->size = fmin(shape->size, half_width(shape, meet->faces[i].normal));
}

double rg_meet_piece(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  return rg_meet_value(shape->meet, i, x, gradient, hessian);
}

bool rg_meet_piece_tip(const rgShape* shape, int i, rgVec3* tip) {
  return rg_meet_tip(shape->meet, i, tip);
}
