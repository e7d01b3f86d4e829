// joint_state.c - putting joints where their free axes have given coordinates and rates.
//
// Without the joint, its bodies and all that other joints hold to them fall into two sides. One of
// them moves as a rigid body, so that nothing changes within it: B's side, unless something holds that
// to what does not move freely. Joints are set one after the other, in any order. The rates are those
// of the rows at the new placement: with G_m of the body that moves and G_s of the other one, of the
// fixed rows and of the free axes, G_m v_m = (0, rates) - G_s v_s has one solution v_m, and the side
// gets the difference to what it has, as a rigid body. A distance joint has one row alone: its side
// gets a velocity along the line between the points.
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

enum { ROWS = 6 };
// The smallest pivot of a regular system of rows, as a part of the largest number in its row.
static const double SINGULAR = 1e-12;

// The bodies of a side.
typedef struct Side {
  bool* in;   // by body slot
  int* slots; // of those that are in
  int count;
} Side;

static bool moves_freely(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

// What a side leads to.
typedef enum Reach { FREE, HELD, LOOP } Reach;

// Collects the bodies that other joints hold to `from`; they stand on a stack of slots.
static Reach collect(const rgWorld* world, const rgJoint* joint, int from, int other, Side* side) {
  memset(side->in, 0, (size_t)world->body_slots * sizeof *side->in);
  side->count = 0;
  if (!moves_freely(world, from))
    return HELD;
  side->in[from] = true;
  side->slots[side->count++] = from;
  Reach reach = FREE;
  for (int i = 0; i < side->count; i++) {
    int slot = side->slots[i];
    int member = world->ids.body_records[world->bodies[slot].index].first_joint;
    for (; member >= 0; member = world->books.joint_links.items[member].next) {
      const rgJoint* at = &world->joints[member / 2];
      int next = member % 2 == 0 ? at->body_b : at->body_a;
      if (at == joint)
        continue;
      if (next == other && moves_freely(world, other))
        return LOOP;
      if (!moves_freely(world, next)) {
        reach = HELD;
      } else if (!side->in[next]) {
        side->in[next] = true;
        side->slots[side->count++] = next;
      }
    }
  }
  return reach;
}

// The side that moves: 0 for A's, 1 for B's; -1 with a message.
static int choose_side(rgWorld* world, const rgJoint* joint, Side* side) {
  Reach b = collect(world, joint, joint->body_b, joint->body_a, side);
  if (b == FREE)
    return 1;
  Reach a = b == LOOP ? LOOP : collect(world, joint, joint->body_a, joint->body_b, side);
  if (a == FREE)
    return 0;
  rg_world_fail(world, RG_ERROR_INPUT,
                "%s%s%s %s: its bodies cannot be moved against each other by this joint alone",
                joint->name[0] ? "joint \"" : "the joint", joint->name, joint->name[0] ? "\"" : "",
                a == LOOP ? "is part of a loop"
                          : "has bodies that other joints hold to the ground on both sides");
  return -1;
}

// -------------------------------------------------------------------------------------------------
// Poses
// -------------------------------------------------------------------------------------------------

static rgPose pose_of(const rgWorld* world, int slot) {
  if (slot < 0)
    return pose_identity();
  const rgBody* body = &world->bodies[slot];
  return (rgPose){v3_sub(body->position, quat_rotate(body->orientation, body->center)),
                  body->orientation};
}

// Moves a side as a rigid body, velocities included.
static void move_side(rgWorld* world, const Side* side, rgPose by) {
  for (int i = 0; i < side->count; i++) {
    rgBody* body = &world->bodies[side->slots[i]];
    rgPose pose = {pose_apply(by, body->position),
                   quat_unit(quat_mul(by.orientation, body->orientation))};
    pose = rg_plane_flatten(world, pose);
    body->position = pose.position;
    body->orientation = pose.orientation;
    body->velocity.linear = quat_rotate(by.orientation, body->velocity.linear);
    body->velocity.angular = quat_rotate(by.orientation, body->velocity.angular);
  }
}

static void set_coordinates(rgWorld* world, const rgJoint* joint, int moving, const Side* side,
                            const double* coordinates) {
  rgPose a = pose_mul(pose_of(world, joint->body_a), joint->frame_a),
         b = pose_mul(pose_of(world, joint->body_b), joint->frame_b);
  rgPose between = pose_mul(pose_inverse(a), b);
  joint->info->put(joint->def.parameters, coordinates, &between);
  rgPose from = moving == 1 ? b : a,
         to = moving == 1 ? pose_mul(a, between) : pose_mul(b, pose_inverse(between));
  move_side(world, side, pose_mul(to, pose_inverse(from)));
}

// -------------------------------------------------------------------------------------------------
// Rates
// -------------------------------------------------------------------------------------------------

// x = A^-1 x by elimination with row pivots; rows that depend on others are left out.
static void solve(double a[ROWS][ROWS], double x[ROWS]) {
  for (int k = 0; k < ROWS; k++) {
    int best = k;
    for (int i = k + 1; i < ROWS; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    for (int j = 0; j < ROWS && best != k; j++) {
      double swap = a[k][j];
      a[k][j] = a[best][j], a[best][j] = swap;
    }
    double swap = x[k];
    x[k] = x[best], x[best] = swap;
    for (int i = 0; i < ROWS; i++) {
      double factor = i == k || !(fabs(a[k][k]) > SINGULAR) ? 0 : a[i][k] / a[k][k];
      for (int j = k; j < ROWS; j++)
        a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < ROWS; k++)
    x[k] = fabs(a[k][k]) > SINGULAR ? x[k] / a[k][k] : 0;
}

static rgTwist velocity_of(const rgWorld* world, int slot) {
  return slot < 0 ? (rgTwist){v3_zero(), v3_zero()} : world->bodies[slot].velocity;
}

// The change of the moving body's velocity with which one row has a rate: along the row.
static rgTwist change_along(const rgJointRow* row, int moving, double missed) {
  rgVec3 g = moving == 1 ? row->g_b.linear : row->g_a.linear;
  return (rgTwist){v3_scale(g, missed / v3_norm2(g)), v3_zero()};
}

// The velocity of the moving body with which all rows have their rates, less what it has. Lengths
// are in units of `length` [m], so that pivots can be compared.
static rgTwist change_of(const rgJointRow* rows, int moving, const double* missed, double length) {
  double a[ROWS][ROWS], x[ROWS];
  for (int i = 0; i < ROWS; i++) {
    rgTwist g = moving == 1 ? rows[i].g_b : rows[i].g_a;
    double size = v3_norm2(g.linear) > 0 ? length : 1;
    double line[ROWS] = {g.linear.x,           g.linear.y,           g.linear.z,
                         g.angular.x / length, g.angular.y / length, g.angular.z / length};
    for (int k = 0; k < ROWS; k++)
      a[i][k] = line[k] * length / size;
    x[i] = missed[i] / size;
  }
  solve(a, x);
  return (rgTwist){v3_scale(v3(x[0], x[1], x[2]), length), v3(x[3], x[4], x[5])};
}

static void set_rates(rgWorld* world, const rgJoint* joint, int moving, const Side* side,
                      const double* rates) {
  const rgJointInfo* info = joint->info;
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  rgJointRow rows[RG_JOINT_FIXED_MAX + RG_JOINT_AXIS_MAX];
  info->rows(&place, joint->def.parameters, rows, rows + info->fixed_count);
  rgTwist a = velocity_of(world, joint->body_a), b = velocity_of(world, joint->body_b);
  double missed[RG_JOINT_FIXED_MAX + RG_JOINT_AXIS_MAX];
  int count = info->fixed_count + info->axis_count;
  for (int i = 0; i < count; i++) {
    double wanted = i < info->fixed_count ? 0 : rates[i - info->fixed_count];
    missed[i] = wanted - twist_dot(rows[i].g_a, a) - twist_dot(rows[i].g_b, b);
  }
  double size = rg_world_joint_size(world, joint, &place);
  rgTwist change = count < ROWS ? change_along(rows, moving, missed[0])
                                : change_of(rows, moving, missed, size > 0 ? size : 1);
  rgVec3 center = world->bodies[moving == 1 ? joint->body_b : joint->body_a].position;
  for (int i = 0; i < side->count; i++) {
    rgBody* body = &world->bodies[side->slots[i]];
    rgVec3 carried = v3_cross(change.angular, v3_sub(body->position, center));
    body->velocity.linear = v3_add(body->velocity.linear, v3_add(change.linear, carried));
    body->velocity.angular = v3_add(body->velocity.angular, change.angular);
    body->velocity = rg_plane_flatten_twist(world, body->velocity);
    body->quiet = 0;
  }
}

// -------------------------------------------------------------------------------------------------

static bool all_finite(const double* values, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

// Checks one joint and, where asked to, sets it; the arrays hold the numbers of its axes.
static rgStatus put_joint(rgWorld* world, rgJoint* joint, const double* coordinates,
                          const double* rates, bool set, Side* side) {
  static const double zeros[RG_JOINT_AXIS_MAX] = {0};
  int count = joint->info->axis_count;
  coordinates = coordinates ? coordinates : zeros;
  rates = rates ? rates : zeros;
  if (!all_finite(coordinates, count) || !all_finite(rates, count))
    return rg_world_fail(world, RG_ERROR_INPUT, "a coordinate or rate of the joint is not finite");
  int moving = choose_side(world, joint, side);
  if (moving < 0)
    return RG_ERROR_INPUT;
  if (!set)
    return RG_OK;
  set_coordinates(world, joint, moving, side, coordinates);
  memcpy(joint->coordinate, coordinates, (size_t)count * sizeof(double));
  set_rates(world, joint, moving, side, rates);
  world->problems_valid = false; // they are of another state
  world->search.stale = world->joints_stale = world->rotors_stale = true;
  return RG_OK;
}

static bool make_side(const rgWorld* world, Side* side) {
  size_t bodies = (size_t)world->body_slots;
  side->in = rg_allocate(&world->allocator, bodies * sizeof *side->in);
  side->slots = rg_allocate(&world->allocator, bodies * sizeof *side->slots);
  return side->in && side->slots;
}

static void free_side(const rgWorld* world, Side* side) {
  size_t bodies = (size_t)world->body_slots;
  rg_release(&world->allocator, side->in, bodies * sizeof *side->in);
  rg_release(&world->allocator, side->slots, bodies * sizeof *side->slots);
}

rgStatus rg_joint_set_state(rgWorld* world, rgJointId id, const double* coordinates,
                            const double* rates) {
  rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND,
                         "there is no joint with index %u and generation %u", (unsigned)id.index,
                         (unsigned)id.generation);
  Side side;
  rgStatus status = RG_ERROR_MEMORY;
  if (make_side(world, &side))
    status = put_joint(world, joint, coordinates, rates, true, &side);
  else
    rg_world_fail(world, status, "not enough memory to set a joint");
  free_side(world, &side);
  return status;
}

int rg_world_coordinate_count(const rgWorld* world) {
  int count = 0;
  for (int i = 0; i < world->joint_slots; i++)
    count += world->joints[i].alive ? world->joints[i].info->axis_count : 0;
  return count;
}

// All joints are checked before the first is set.
rgStatus rg_world_set_coordinates(rgWorld* world, const double* coordinates, const double* rates) {
  Side side;
  rgStatus status = RG_OK;
  if (!make_side(world, &side))
    status = rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory to set joints");
  for (int set = 0; set < 2; set++) {
    int at = 0;
    for (int i = 0; i < world->joint_slots && status == RG_OK; i++) {
      rgJoint* joint = &world->joints[i];
      if (!joint->alive)
        continue;
      status = put_joint(world, joint, coordinates ? coordinates + at : NULL,
                         rates ? rates + at : NULL, set == 1, &side);
      at += joint->info->axis_count;
    }
  }
  free_side(world, &side);
  return status;
}
