// configuration.c - where a world stands and what drives its joints, as arrays.
#include "world/world.h"
#include <rigor/bulk.h>

#include <string.h>

enum { ROOT_POSITIONS = 7, ROOT_RATES = 6 };

// -------------------------------------------------------------------------------------------------
// Roots
// -------------------------------------------------------------------------------------------------

static bool is_root(const rgWorld* world, int index) {
  const rgBody* body = &world->bodies[world->ids.slot_of_body[index]];
  if (!body->alive || body->kind != RG_BODY_DYNAMIC)
    return false;
  // Links are 2 * joint + side; side 1 is B.
  const rgLink* links = world->books.joint_links.items;
  for (int link = world->ids.body_records[index].first_joint; link >= 0; link = links[link].next)
    if (link % 2 == 1)
      return false;
  return true;
}

// The next root from this index on; -1 when there is none.
static int next_root(const rgWorld* world, int index) {
  for (; index < world->body_slots; index++)
    if (is_root(world, index))
      return index;
  return -1;
}

int rg_world_root_count(const rgWorld* world) {
  int count = 0;
  for (int i = next_root(world, 0); i >= 0; i = next_root(world, i + 1))
    count++;
  return count;
}

rgBodyId rg_world_root(const rgWorld* world, int index) {
  for (int i = next_root(world, 0); i >= 0 && index >= 0; i = next_root(world, i + 1))
    if (index-- == 0)
      return rg_body_id(world, world->ids.slot_of_body[i]);
  return (rgBodyId){0, 0};
}

int rg_world_position_count(const rgWorld* world) {
  return ROOT_POSITIONS * rg_world_root_count(world) + rg_world_coordinate_count(world);
}

int rg_world_rate_count(const rgWorld* world) {
  return ROOT_RATES * rg_world_root_count(world) + rg_world_coordinate_count(world);
}

// -------------------------------------------------------------------------------------------------
// Configurations
// -------------------------------------------------------------------------------------------------

static void put_pose(rgPose pose, double* at) {
  const rgVec3 p = pose.position;
  const rgQuat q = pose.orientation;
  const double numbers[ROOT_POSITIONS] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
  memcpy(at, numbers, sizeof numbers);
}

static rgPose pose_at(const double* at) {
  return (rgPose){{at[0], at[1], at[2]}, {at[3], at[4], at[5], at[6]}};
}

static void put_twist(rgTwist twist, double* at) {
  const rgVec3 v = twist.linear, w = twist.angular;
  const double numbers[ROOT_RATES] = {v.x, v.y, v.z, w.x, w.y, w.z};
  memcpy(at, numbers, sizeof numbers);
}

static rgTwist twist_at(const double* at) {
  return (rgTwist){{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
}

void rg_world_get_configuration(const rgWorld* world, double* positions, double* rates) {
  for (int i = next_root(world, 0); i >= 0; i = next_root(world, i + 1)) {
    const rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    if (positions)
      put_pose(rg_body_frame(body), positions), positions += ROOT_POSITIONS;
    if (rates)
      put_twist(body->velocity, rates), rates += ROOT_RATES;
  }
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    if (!joint->alive || joint->info->axis_count == 0)
      continue;
    int count = joint->info->axis_count;
    if (positions) {
      rgJointPlace place = rg_world_joint_place_now(world, joint);
      rgJointValues values = rg_world_joint_values(joint, &place);
      memcpy(positions, values.axes, (size_t)count * sizeof *positions);
      positions += count;
    }
    if (rates) {
      double own[RG_JOINT_AXIS_MAX];
      rg_world_joint_rates(world, joint, own);
      memcpy(rates, own, (size_t)count * sizeof *rates);
      rates += count;
    }
  }
}

// The roots first: joints are then placed from them on.
static rgStatus set_roots(rgWorld* world, const double* positions, const double* rates) {
  rgStatus status = RG_OK;
  const rgTwist still = {{0, 0, 0}, {0, 0, 0}};
  for (int i = next_root(world, 0); i >= 0 && status == RG_OK; i = next_root(world, i + 1)) {
    rgBodyId id = rg_body_id(world, world->ids.slot_of_body[i]);
    if (positions)
      status = rg_body_set_pose(world, id, pose_at(positions)), positions += ROOT_POSITIONS;
    if (status == RG_OK)
      status = rg_body_set_velocity(world, id, rates ? twist_at(rates) : still);
    rates = rates ? rates + ROOT_RATES : NULL;
  }
  return status;
}

static rgStatus set_all(rgWorld* world, const double* positions, const double* rates) {
  int roots = rg_world_root_count(world), coordinates = rg_world_coordinate_count(world);
  rgStatus status = set_roots(world, positions, rates);
  if (status != RG_OK || coordinates == 0)
    return status;
  const double* axis_rates = rates ? rates + ROOT_RATES * roots : NULL;
  if (positions)
    return rg_world_set_coordinates(world, positions + ROOT_POSITIONS * roots, axis_rates);
  int count = ROOT_POSITIONS * roots + coordinates;
  size_t size = (size_t)count * sizeof(double);
  double* present = rg_allocate(&world->allocator, size);
  if (!present)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory to set a configuration");
  rg_world_get_configuration(world, present, NULL);
  status = rg_world_set_coordinates(world, present + ROOT_POSITIONS * roots, axis_rates);
  rg_release(&world->allocator, present, size);
  return status;
}

// What is refused leaves the roots as they were, to the last bit, and all that is known of joints, rotors and the last step;
// joints are checked before the first is set.
rgStatus rg_world_set_configuration(rgWorld* world, const double* positions, const double* rates) {
  size_t size = (size_t)(rg_world_root_count(world) + 1) * sizeof(rgBody);
  rgBody* before = rg_allocate(&world->allocator, size);
  if (!before)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory to set a configuration");
  int count = 0;
  for (int i = next_root(world, 0); i >= 0; i = next_root(world, i + 1))
    before[count++] = world->bodies[world->ids.slot_of_body[i]];
  bool valid = world->problems_valid, joints = world->joints_stale, rotors = world->rotors_stale,
       search = world->search.stale;
  rgStatus status = set_all(world, positions, rates);
  if (status != RG_OK) {
    world->problems_valid = valid;
    world->joints_stale = joints;
    world->rotors_stale = rotors;
    world->search.stale = search;
  }
  count = 0;
  for (int i = next_root(world, 0); i >= 0 && status != RG_OK; i = next_root(world, i + 1))
    world->bodies[world->ids.slot_of_body[i]] = before[count++];
  rg_release(&world->allocator, before, size);
  return status;
}

// -------------------------------------------------------------------------------------------------
// Controls
// -------------------------------------------------------------------------------------------------

// The number of an axis that a control sets.
static double* control_of(rgJointAxis* axis) {
  return axis->servo ? &axis->servo_target : axis->motor ? &axis->motor_speed : &axis->effort;
}

// An axis that takes limits only, as the swing of a ball joint, has nothing that a control could set.
static rgStatus check_control(rgWorld* world, const rgJointAxisInfo* axis, int index,
                              double control) {
  if (!isfinite(control))
    return rg_world_fail(world, RG_ERROR_INPUT, "control %d is %g, must be finite", index, control);
  if (control != 0 && !(axis->takes & RG_JOINT_FORCES))
    return rg_world_fail(world, RG_ERROR_INPUT, "control %d is %g, must be 0: %s takes limits only",
                         index, control, axis->name);
  return RG_OK;
}

static rgStatus check_controls(rgWorld* world, const double* controls) {
  rgStatus status = RG_OK;
  int index = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    for (int k = 0; joint->alive && k < joint->info->axis_count && status == RG_OK; k++, index++)
      status = check_control(world, &joint->info->axes[k], index, controls[index]);
  }
  return status;
}

rgStatus rg_world_set_controls(rgWorld* world, const double* controls) {
  rgStatus status = check_controls(world, controls);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < world->joint_slots; i++) {
    rgJoint* joint = &world->joints[i];
    for (int k = 0; joint->alive && k < joint->info->axis_count; k++)
      *control_of(&joint->def.axes[k]) = *controls++;
    if (joint->alive)
      rg_world_see_joint_rows(joint);
  }
  return RG_OK;
}

void rg_world_get_controls(const rgWorld* world, double* controls) {
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    for (int k = 0; joint->alive && k < joint->info->axis_count; k++) {
      rgJointAxis axis = joint->def.axes[k];
      *controls++ = *control_of(&axis);
    }
  }
}
