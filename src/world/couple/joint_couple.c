// joint_couple.c - coupling axes of joints, and what the couplings ask for.
//
// An axis follows one other axis at most, and no axis follows itself by way of others: couplings never
// contradict each other.
#include "world/couple/couple.h"

#include <string.h>

double rg_couple_value(const rgJointLead* lead, double y) {
  double sum = 0;
  for (int i = RG_COUPLING_TERMS - 1; i >= 0; i--)
    sum = sum * y + lead->polynomial[i];
  return sum;
}

// Of y^n it is the sum of y^k other^(n-1-k), k = 0 .. n-1: no difference is formed.
double rg_couple_slope(const rgJointLead* lead, double y, double other) {
  double sum = 0, terms = 1, power = 1;
  for (int n = 1; n < RG_COUPLING_TERMS; n++) {
    sum += lead->polynomial[n] * terms;
    power *= other;
    terms = terms * y + power;
  }
  return sum;
}

double rg_couple_bend(const rgJointLead* lead, double y) {
  double sum = 0;
  for (int n = RG_COUPLING_TERMS - 1; n >= 2; n--)
    sum = sum * y + n * (n - 1) * lead->polynomial[n];
  return sum;
}

rgJointRow rg_couple_row(const rgWorld* world, const rgJoint* joint, int axis,
                         const rgJointPlace* place, const rgJointPlace* end) {
  rgJointRow axes[RG_JOINT_AXIS_MAX];
  rgJointPlace mean = *place;
  bool turn = end && joint->info->axes[axis].angle;
  if (end) {
    mean = *end;
    rg_joint_mean_place(joint->info, place, rg_world_joint_needs_points(joint), &mean);
  }
  joint->info->rows(&mean, joint->def.parameters, NULL, axes);
  if (turn) {
    mean.turn = rg_joint_mean_turn(place, end);
    axes[axis] = rg_joint_turn_row(&mean);
  }
  rg_plane_flatten_rows(world, joint, NULL, axes);
  return axes[axis];
}

static double coordinate_now(const rgWorld* world, const rgJoint* joint, int axis) {
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  return rg_world_joint_values(joint, &place).axes[axis];
}

double rg_couple_error(const rgWorld* world, const rgJoint* joint, int axis) {
  const rgJointLead* lead = &joint->leads[axis];
  double y = coordinate_now(world, &world->joints[lead->joint], lead->axis);
  return coordinate_now(world, joint, axis) - rg_couple_value(lead, y);
}

double rg_couple_largest_error(const rgWorld* world, const rgJoint* joint) {
  double largest = 0;
  for (int i = 0; i < joint->info->axis_count; i++) {
    if (!rg_couple_has(joint, i))
      continue;
    rgJointPlace place = rg_world_joint_place_now(world, joint);
    double length = joint->info->axes[i].angle ? rg_world_joint_size(world, joint, &place) : 1;
    largest = fmax(largest, length * fabs(rg_couple_error(world, joint, i)));
  }
  return largest;
}

// -------------------------------------------------------------------------------------------------
// Coupling
// -------------------------------------------------------------------------------------------------

static rgStatus no_joint(rgWorld* world, const char* which, rgJointId id) {
  return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no %s with index %u and generation %u",
                       which, (unsigned)id.index, (unsigned)id.generation);
}

// Whether a joint has such an axis, of a kind whose changes have exact rows.
static rgStatus check_axis(rgWorld* world, const rgJoint* joint, int axis, const char* which) {
  const rgJointInfo* info = joint->info;
  if (info->axis_count == 0)
    return rg_world_fail(world, RG_ERROR_INPUT, "axis %d of the %s does not exist: %s has none",
                         axis, which, info->name);
  if (axis < 0 || axis >= info->axis_count)
    return rg_world_fail(world, RG_ERROR_INPUT, "axis %d of the %s does not exist, must be 0 .. %d",
                         axis, which, info->axis_count - 1);
  if (!(info->axes[axis].takes & RG_JOINT_COUPLINGS))
    return rg_world_fail(world, RG_ERROR_INPUT, "%s of a %s joint cannot be coupled, as %s",
                         info->axes[axis].name, info->name, which);
  return RG_OK;
}

static rgStatus check_polynomial(rgWorld* world, const double* polynomial) {
  bool follows = false;
  for (int i = 0; i < RG_COUPLING_TERMS; i++) {
    if (!isfinite(polynomial[i]))
      return rg_world_fail(world, RG_ERROR_INPUT,
                           "coefficient %d of the coupling is %g, must be finite", i,
                           polynomial[i]);
    follows = follows || (i > 0 && polynomial[i] != 0);
  }
  return follows ? RG_OK
                 : rg_world_fail(world, RG_ERROR_INPUT,
                                 "the coupling does not depend on its leader: equal limits hold an "
                                 "axis where it is");
}

// Whether an axis follows another one, directly or by way of others.
static bool follows(const rgWorld* world, const rgJoint* joint, int axis, const rgJoint* other,
                    int other_axis) {
  while (joint != other || axis != other_axis) {
    if (!rg_couple_has(joint, axis))
      return false;
    const rgJointLead* lead = &joint->leads[axis];
    joint = &world->joints[lead->joint];
    axis = lead->axis;
  }
  return true;
}

static void end(rgWorld* world, rgJoint* joint, int axis) {
  if (!rg_couple_has(joint, axis))
    return;
  world->joints[joint->leads[axis].joint].followers--;
  joint->coupled = (uint8_t)(joint->coupled & ~(1u << axis));
  memset(&joint->leads[axis], 0, sizeof joint->leads[axis]);
}

void rg_couple_end_all(rgWorld* world, rgJoint* joint) {
  int slot = (int)(joint - world->joints);
  for (int i = 0; i < RG_JOINT_AXIS_MAX; i++)
    end(world, joint, i);
  bool led = joint->followers > 0;
  for (int k = 0; k < world->joint_slots && led; k++)
    for (int i = 0; i < RG_JOINT_AXIS_MAX; i++)
      if (rg_couple_has(&world->joints[k], i) && world->joints[k].leads[i].joint == slot) {
        end(world, &world->joints[k], i);
        memset(world->joints[k].impulse, 0, sizeof world->joints[k].impulse);
      }
  if (led)
    rg_world_list_joint_rows(world);
}

// The rows that a joint may have leave room for one of a coupling but where everything acts.
static bool has_room(const rgJoint* joint, int axis) {
  return rg_couple_has(joint, axis) || joint->row_count < RG_JOINT_ROW_MAX;
}

static rgStatus check(rgWorld* world, const rgJoint* joint, int axis, const rgJoint* leader,
                      const rgJointCoupling* coupling) {
  rgStatus status = check_axis(world, leader, coupling->axis, "leader");
  if (status == RG_OK)
    status = check_polynomial(world, coupling->polynomial);
  if (status != RG_OK)
    return status;
  if (leader == joint && coupling->axis == axis)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "the axis is to follow itself, must follow another");
  if (follows(world, leader, coupling->axis, joint, axis))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "the leader of the coupling follows the axis that is to follow it: "
                         "couplings must not form a loop");
  if (!has_room(joint, axis))
    return rg_world_fail(world, RG_ERROR_INPUT, "too much acts along the axes of the joint");
  return RG_OK;
}

rgStatus rg_joint_couple(rgWorld* world, rgJointId id, int axis, const rgJointCoupling* coupling) {
  rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint)
    return no_joint(world, "joint", id);
  rgStatus status = check_axis(world, joint, axis, "follower");
  rgJoint* leader = coupling ? rg_world_joint_slot(world, coupling->leader) : NULL;
  if (status == RG_OK && coupling)
    status = leader ? check(world, joint, axis, leader, coupling)
                    : no_joint(world, "leader", coupling->leader);
  if (status != RG_OK)
    return status;
  world->ids.edits++;
  end(world, joint, axis);
  if (coupling) {
    rgJointLead* lead = &joint->leads[axis];
    lead->joint = (int)(leader - world->joints);
    lead->axis = coupling->axis;
    memcpy(lead->polynomial, coupling->polynomial, sizeof lead->polynomial);
    joint->coupled = (uint8_t)(joint->coupled | 1u << axis);
    leader->followers++;
  }
  memset(joint->impulse, 0, sizeof joint->impulse);
  rg_world_list_joint_rows(world);
  world->search.stale = world->joints_stale = world->rotors_stale = true;
  return RG_OK;
}

static double force_of(const rgWorld* world, const rgJoint* joint, int axis) {
  for (int i = 0; i < joint->held_count; i++)
    if (joint->rows[i].kind == RG_ROW_COUPLED && joint->rows[i].index == axis)
      return joint->impulse[i] / world->options.step;
  return 0;
}

rgStatus rg_joint_coupling(const rgWorld* world, rgJointId id, int axis, rgJointCoupling* coupling,
                           rgJointCouplingState* state) {
  const rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint || axis < 0 || axis >= joint->info->axis_count || !rg_couple_has(joint, axis))
    return RG_ERROR_NOT_FOUND;
  const rgJointLead* lead = &joint->leads[axis];
  if (coupling) {
    uint32_t generation = world->joints[lead->joint].generation;
    *coupling =
        (rgJointCoupling){.leader = {(uint32_t)lead->joint, generation}, .axis = lead->axis};
    memcpy(coupling->polynomial, lead->polynomial, sizeof coupling->polynomial);
  }
  if (state)
    *state = (rgJointCouplingState){.error = rg_couple_error(world, joint, axis),
                                    .force = force_of(world, joint, axis)};
  return RG_OK;
}
