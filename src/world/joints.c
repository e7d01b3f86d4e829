// joints.c - adding, removing, changing and finding joints.
#include "base/memory.h"
#include "base/message.h"
#include "world/couple/couple.h"

#include <stdio.h>
#include <string.h>

rgJoint* rg_world_joint_slot(const rgWorld* world, rgJointId id) {
  if (id.index >= (uint32_t)world->joint_slots)
    return NULL;
  rgJoint* joint = &world->joints[id.index];
  return joint->alive && joint->generation == id.generation ? joint : NULL;
}

static rgStatus no_joint(rgWorld* world, rgJointId id) {
  return rg_world_fail(world, RG_ERROR_NOT_FOUND,
                       "there is no joint with index %u and generation %u", (unsigned)id.index,
                       (unsigned)id.generation);
}

// -------------------------------------------------------------------------------------------------
// Rows
// -------------------------------------------------------------------------------------------------

static void add_row(rgJoint* joint, rgRowKind kind, int index) {
  joint->rows[joint->row_count++] = (rgRowUse){(uint8_t)kind, (uint8_t)index};
}

// The rows of a joint that act in the plane of a 2D world: all in any other. Which they are does
// not change as bodies turn about z.
typedef struct PlaneRows {
  bool fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
} PlaneRows;

static PlaneRows rows_in_plane(const rgWorld* world, const rgJoint* joint) {
  PlaneRows in;
  memset(&in, true, sizeof in);
  if (world->dimension == 3)
    return in;
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  joint->info->rows(&place, joint->def.parameters, fixed, axes);
  for (int i = 0; i < joint->info->fixed_count; i++)
    in.fixed[i] = rg_plane_row(&fixed[i]);
  for (int i = 0; i < joint->info->axis_count; i++)
    in.axes[i] = rg_plane_row(&axes[i]);
  return in;
}

static bool is_held(const rgJointAxis* axis) { return axis->lower == axis->upper; }

// Fixed and held rows, then limits.
static void list_constraints(rgJoint* joint, const PlaneRows* in) {
  for (int i = 0; i < joint->info->fixed_count; i++)
    if (in->fixed[i])
      add_row(joint, RG_ROW_FIXED, i);
  for (int i = 0; i < joint->info->axis_count; i++)
    if (in->axes[i] && is_held(&joint->def.axes[i]))
      add_row(joint, RG_ROW_HELD, i);
  for (int i = 0; i < joint->info->axis_count; i++)
    if (in->axes[i] && rg_couple_has(joint, i))
      add_row(joint, RG_ROW_COUPLED, i);
  joint->held_count = joint->row_count;
  for (int i = 0; i < joint->info->axis_count; i++) {
    const rgJointAxis* axis = &joint->def.axes[i];
    if (!in->axes[i] || is_held(axis))
      continue;
    if (isfinite(axis->lower))
      add_row(joint, RG_ROW_LOWER, i);
    if (isfinite(axis->upper))
      add_row(joint, RG_ROW_UPPER, i);
  }
  joint->constraint_count = joint->row_count;
}

// The row of the effort is there although it may be zero: a control loop that changes it changes no row.
static void list_axis(rgJoint* joint, int index) {
  const rgJointAxis* axis = &joint->def.axes[index];
  if (axis->motor)
    add_row(joint, RG_ROW_MOTOR, index);
  if (axis->friction > 0)
    add_row(joint, RG_ROW_FRICTION, index);
  if (axis->servo)
    add_row(joint, RG_ROW_SERVO, index);
  if (axis->stiffness > 0 || axis->damping > 0 || axis->armature > 0)
    add_row(joint, RG_ROW_SOFT, index);
  if (joint->info->axes[index].takes & RG_JOINT_FORCES)
    add_row(joint, RG_ROW_EFFORT, index);
  joint->rotors = (int8_t)(joint->rotors + (axis->armature > 0));
}

void rg_world_see_joint_rows(rgJoint* joint) {
  joint->axis_rows = false;
  joint->idle = 0;
  for (int i = 0; i < joint->row_count; i++) {
    rgRowUse use = joint->rows[i];
    bool idle = use.kind == RG_ROW_EFFORT && joint->def.axes[use.index].effort == 0;
    joint->idle |= (uint32_t)idle << i;
    joint->axis_rows = joint->axis_rows || (use.kind != RG_ROW_FIXED && !idle);
  }
  joint->watched = joint->axis_rows || joint->followers > 0;
  for (int i = 0; i < joint->info->axis_count; i++)
    joint->watched = joint->watched || joint->info->axes[i].turns;
}

static bool is_limited(const rgJoint* joint) {
  bool any = false;
  for (int i = 0; i < joint->info->axis_count; i++)
    any = any || joint->def.axes[i].lower > -HUGE_VAL || joint->def.axes[i].upper < HUGE_VAL;
  return any;
}

// A row that the joint has no more has no impulse that a later one could begin with.
static void list_rows(const rgWorld* world, rgJoint* joint) {
  PlaneRows in = rows_in_plane(world, joint);
  joint->row_count = 0;
  joint->rotors = 0;
  joint->limited = is_limited(joint);
  list_constraints(joint, &in);
  for (int i = 0; i < joint->info->axis_count; i++)
    if (in.axes[i] && !is_held(&joint->def.axes[i])) // nothing else can act on what does not move
      list_axis(joint, i);
  for (int i = joint->row_count; i < RG_JOINT_ROW_MAX; i++)
    joint->impulse[i] = 0;
  rg_world_see_joint_rows(joint);
}

void rg_world_list_joint_rows(rgWorld* world) {
  for (int i = 0; i < world->joint_slots; i++)
    if (world->joints[i].alive)
      list_rows(world, &world->joints[i]);
}

// -------------------------------------------------------------------------------------------------
// Bodies that do not collide because they are joined
// -------------------------------------------------------------------------------------------------

static bool keeps_apart(const rgJoint* joint) {
  return !joint->def.collide && joint->body_a >= 0 && joint->body_b >= 0;
}

// Room must have been made.
static void add_joined(rgWorld* world, const rgJoint* joint) {
  rg_world_pair_off(world, joint->body_a, joint->body_b)->joints++;
}

static void remove_joined(rgWorld* world, const rgJoint* joint) {
  rg_world_find_pair_off(world, joint->body_a, joint->body_b)->joints--;
}

// -------------------------------------------------------------------------------------------------
// Adding and removing
// -------------------------------------------------------------------------------------------------

static rgStatus find_bodies(rgWorld* world, const rgJointDef* def, int slots[2]) {
  const rgBodyId ids[2] = {def->body_a, def->body_b};
  bool dynamic = false;
  for (int side = 0; side < 2; side++) {
    slots[side] = -1;
    if (ids[side].generation == 0)
      continue;
    const rgBody* body = rg_world_body_slot(world, ids[side]);
    if (!body)
      return rg_world_fail(world, RG_ERROR_NOT_FOUND, "body_%c of the joint does not exist",
                           'a' + side);
    slots[side] = rg_slot_of(world, body);
    dynamic = dynamic || body->kind == RG_BODY_DYNAMIC;
  }
  if (slots[0] >= 0 && slots[0] == slots[1])
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "the joint joins a body to itself, must join two bodies");
  if (!dynamic)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "neither body of the joint is dynamic, one must be");
  return RG_OK;
}

static rgPose body_frame(const rgWorld* world, int slot) {
  return slot < 0 ? pose_identity() : rg_body_frame(&world->bodies[slot]);
}

static void place_frames(const rgWorld* world, rgJoint* joint) {
  const rgJointDef* def = &joint->def;
  if (def->frames_given) {
    joint->frame_a = def->frame_a;
    joint->frame_b = def->frame_b;
  } else {
    joint->frame_a =
        pose_mul(pose_inverse(body_frame(world, joint->body_a)), rg_joint_world_frame(def, 0));
    joint->frame_b =
        pose_mul(pose_inverse(body_frame(world, joint->body_b)), rg_joint_world_frame(def, 1));
  }
  joint->frame_a.orientation = quat_unit(joint->frame_a.orientation);
  joint->frame_b.orientation = quat_unit(joint->frame_b.orientation);
}

// Makes room for the joints in the slots 0 .. limit - 1, and for a pair that does not collide.
static bool reserve_joint(rgWorld* world, int limit) {
  return RG_WORLD_RESERVE(world, joints, limit) && rg_world_reserve_pair_off(world) &&
         rg_slots_reserve(&world->allocator, &world->books.joints, limit) &&
         rg_name_table_reserve(&world->allocator, &world->books.joint_names, limit) &&
         rg_links_reserve(&world->allocator, &world->books.joint_links, limit);
}

// Head of the list of joints of a body of the joint, NULL for the ground.
static int* list_of(rgWorld* world, const rgJoint* joint, int side) {
  int slot = side == 0 ? joint->body_a : joint->body_b;
  return slot < 0 ? NULL : &world->ids.body_records[world->bodies[slot].index].first_joint;
}

// Room must have been made.
static void enter_joint(rgWorld* world, int slot, const rgJoint* joint) {
  world->joints[slot] = *joint;
  world->joint_count++;
  if (slot == world->joint_slots)
    world->joint_slots++;
  rg_slots_take(&world->books.joints, slot);
  rg_name_table_add(&world->books.joint_names, slot, joint->name);
  for (int side = 0; side < 2; side++) {
    int* head = list_of(world, joint, side);
    if (head)
      rg_links_add(&world->books.joint_links, head, 2 * slot + side);
  }
  if (keeps_apart(joint))
    add_joined(world, joint);
  world->problems_valid = false; // they have no room for it
  world->search.stale = world->joints_stale = world->rotors_stale = true;
}

// A joint between the bodies where they are now, not yet part of the world.
static rgStatus make_joint(rgWorld* world, const rgJointDef* def, rgJoint* joint) {
  int slots[2];
  rgStatus status = rg_joint_check(def, &world->message);
  if (status == RG_OK)
    status = find_bodies(world, def, slots);
  if (status != RG_OK)
    return status;
  *joint = (rgJoint){.def = *def,
                     .info = rg_joint_info(def->kind),
                     .body_a = slots[0],
                     .body_b = slots[1],
                     .alive = true};
  snprintf(joint->name, sizeof joint->name, "%s", def->name ? def->name : "");
  joint->def.name = NULL;
  // In the plane the frame lies in it: then each row is either in the plane or out of it.
  if (world->dimension == 2 && v3_norm2(def->axis_2) == 0)
    joint->def.axis_2 = def->axis.z == 0 ? v3(-def->axis.y, def->axis.x, 0) : v3(1, 0, 0);
  place_frames(world, joint);
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  if (joint->info->begin)
    status = joint->info->begin(&place, &joint->def, joint->coordinate, &world->message);
  if (status == RG_OK)
    status = rg_plane_joint(world, joint, &world->message);
  if (status != RG_OK)
    return status;
  list_rows(world, joint);
  rgJointValues values = rg_world_joint_values(joint, &place);
  memcpy(joint->coordinate, values.axes, sizeof joint->coordinate);
  return RG_OK;
}

rgStatus rg_world_add_joint(rgWorld* world, const rgJointDef* def, rgJointId* id) {
  world->ids.edits++;
  rgJointId unwanted;
  id = id ? id : &unwanted;
  *id = (rgJointId){0, 0};
  rgJoint joint;
  rgStatus status = make_joint(world, def, &joint);
  if (status != RG_OK)
    return status;
  int slot = rg_slots_lowest_free(&world->books.joints);
  if (!reserve_joint(world, slot + 1))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a joint");
  joint.generation = world->ids.next_generation++;
  enter_joint(world, slot, &joint);
  *id = (rgJointId){(uint32_t)slot, joint.generation};
  return RG_OK;
}

static void end_joint(rgWorld* world, rgJoint* joint) {
  int slot = (int)(joint - world->joints);
  rg_couple_end_all(world, joint);
  if (keeps_apart(joint))
    remove_joined(world, joint);
  for (int side = 0; side < 2; side++) {
    int* head = list_of(world, joint, side);
    if (head)
      rg_links_remove(&world->books.joint_links, head, 2 * slot + side);
  }
  rg_name_table_remove(&world->books.joint_names, slot);
  rg_slots_give(&world->books.joints, slot);
  *joint = (rgJoint){0};
  world->joint_count--;
  world->problems_valid = false;
  world->search.stale = true;
}

rgStatus rg_world_remove_joint(rgWorld* world, rgJointId id) {
  world->ids.edits++;
  rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint)
    return no_joint(world, id);
  end_joint(world, joint);
  return RG_OK;
}

void rg_world_remove_joints_of(rgWorld* world, int body_slot) {
  const int* head = &world->ids.body_records[world->bodies[body_slot].index].first_joint;
  while (*head >= 0)
    end_joint(world, &world->joints[*head / 2]);
}

// Everything on every axis of a joint leaves no room for rows of couplings.
static bool leaves_room(const rgJoint* joint, int axis, const rgJointAxis* values) {
  int rows = joint->info->fixed_count;
  for (int i = 0; i < joint->info->axis_count; i++) {
    const rgJointAxis* at = i == axis ? values : &joint->def.axes[i];
    rows += (at->lower > -HUGE_VAL) + (at->upper < HUGE_VAL) + at->motor + (at->friction > 0) +
            at->servo + 1 + (at->stiffness > 0 || at->damping > 0 || at->armature > 0) +
            rg_couple_has(joint, i);
  }
  return joint->coupled == 0 || rows <= RG_JOINT_ROW_MAX;
}

rgStatus rg_joint_set_axis(rgWorld* world, rgJointId id, int axis, const rgJointAxis* values) {
  rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint)
    return no_joint(world, id);
  rgStatus status = rg_joint_check_axis(joint->def.kind, axis, values, &world->message);
  if (status != RG_OK)
    return status;
  if (!leaves_room(joint, axis, values))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "too much acts along the axes of a joint of which "
                         "some follow others");
  int rows = joint->row_count;
  rgRowUse before[RG_JOINT_ROW_MAX];
  memcpy(before, joint->rows, sizeof before);
  joint->def.axes[axis] = *values;
  rg_world_wake_body(world, joint->body_a);
  rg_world_wake_body(world, joint->body_b);
  list_rows(world, joint);
  bool same =
      rows == joint->row_count && memcmp(before, joint->rows, (size_t)rows * sizeof *before) == 0;
  if (!same)
    memset(joint->impulse, 0, sizeof joint->impulse);
  world->search.stale = world->joints_stale = world->rotors_stale = true;
  return RG_OK;
}

// The axis of a joint that a control loop sets; NULL, with a message, when there is none.
static rgJointAxis* driven_axis(rgWorld* world, rgJointId id, int axis, rgStatus* status) {
  rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint) {
    *status = no_joint(world, id);
    return NULL;
  }
  *status = rg_joint_has_axis(joint->info, axis, &world->message);
  return *status == RG_OK ? &joint->def.axes[axis] : NULL;
}

// Gives a drive what it is to do. What is set to what it was leaves bodies that sleep asleep.
static void command(rgWorld* world, const rgJoint* joint, double* place, double value) {
  bool same = memcmp(place, &value, sizeof value) == 0;
  *place = value;
  if (same)
    return;
  world->user.commands++;
  rg_world_wake_body(world, joint->body_a);
  rg_world_wake_body(world, joint->body_b);
}

rgStatus rg_joint_set_effort(rgWorld* world, rgJointId id, int axis, double effort) {
  rgStatus status;
  rgJointAxis* own = driven_axis(world, id, axis, &status);
  if (!own)
    return status;
  rgJointAxis values = *own;
  values.effort = effort;
  rgJoint* joint = rg_world_joint_slot(world, id);
  status = rg_joint_check_axis(joint->def.kind, axis, &values, &world->message);
  if (status != RG_OK)
    return status;
  command(world, joint, &own->effort, effort);
  rg_world_see_joint_rows(joint);
  return RG_OK;
}

rgStatus rg_joint_set_servo(rgWorld* world, rgJointId id, int axis, double target, double speed) {
  rgStatus status;
  rgJointAxis* own = driven_axis(world, id, axis, &status);
  if (!own)
    return status;
  if (!own->servo)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "axis %d has no servo: rg_joint_set_axis gives it one", axis);
  if (!isfinite(target) || !isfinite(speed))
    return rg_world_fail(world, RG_ERROR_INPUT, "the target or speed of the servo is not finite");
  command(world, rg_world_joint_slot(world, id), &own->servo_target, target);
  command(world, rg_world_joint_slot(world, id), &own->servo_speed, speed);
  return RG_OK;
}

rgStatus rg_joint_set_motor(rgWorld* world, rgJointId id, int axis, double speed) {
  rgStatus status;
  rgJointAxis* own = driven_axis(world, id, axis, &status);
  if (!own)
    return status;
  if (!own->motor)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "axis %d has no motor: rg_joint_set_axis gives it one", axis);
  if (!isfinite(speed))
    return rg_world_fail(world, RG_ERROR_INPUT, "the speed of the motor is not finite");
  command(world, rg_world_joint_slot(world, id), &own->motor_speed, speed);
  return RG_OK;
}

rgStatus rg_joint_axis(const rgWorld* world, rgJointId id, int axis, rgJointAxis* values) {
  const rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint || axis < 0 || axis >= joint->info->axis_count)
    return RG_ERROR_NOT_FOUND;
  *values = joint->def.axes[axis];
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Finding
// -------------------------------------------------------------------------------------------------

int rg_world_joint_count(const rgWorld* world) { return world->joint_count; }

rgJointId rg_world_joint(const rgWorld* world, int index) {
  if (index < 0 || index >= world->joint_count)
    return (rgJointId){0, 0};
  int slot = rg_slots_nth(&world->books.joints, index);
  return (rgJointId){(uint32_t)slot, world->joints[slot].generation};
}

rgJointId rg_world_find_joint(const rgWorld* world, const char* name) {
  const rgNameTable* names = &world->books.joint_names;
  int found = -1; // of several with this name the one in the lowest slot
  for (int i = rg_name_table_first(names, name); i >= 0; i = rg_name_table_next(names, i))
    if ((found < 0 || i < found) && strcmp(world->joints[i].name, name) == 0)
      found = i;
  return found < 0 ? (rgJointId){0, 0}
                   : (rgJointId){(uint32_t)found, world->joints[found].generation};
}

bool rg_joint_valid(const rgWorld* world, rgJointId id) {
  return rg_world_joint_slot(world, id) != NULL;
}

const char* rg_joint_name(const rgWorld* world, rgJointId id) {
  const rgJoint* joint = rg_world_joint_slot(world, id);
  return joint ? joint->name : "";
}
