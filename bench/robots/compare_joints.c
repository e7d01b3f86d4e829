// compare_joints.c - what Rigor and MuJoCo make of the joints and actuators of the same model.
//
// Joints in series on one link may be one joint of Rigor's with several axes, called "a+b". What is compared is
// the axis: its coordinate and rate, limits, rotor, damping, spring and dry friction, and, with a random
// control in the key, the force that all actuators together put on it.
#include "bench/robots/compare.h"

#include <math.h>
#include <string.h>

// The axis of Rigor's that a joint of MuJoCo's is. False when there is none.
static bool find_axis(const rgWorld* world, const char* name, rgJointId* joint, int* axis) {
  size_t length = strlen(name);
  for (int i = 0; i < rg_world_joint_count(world) && length > 0; i++) {
    *joint = rg_world_joint(world, i);
    const char* at = rg_joint_name(world, *joint);
    for (*axis = 0; at; (*axis)++) {
      const char* end = strchr(at, '+');
      size_t part = end ? (size_t)(end - at) : strlen(at);
      if (part == length && strncmp(at, name, part) == 0)
        return true;
      at = end ? end + 1 : NULL;
    }
  }
  return false;
}

static double relative(double mine, double other) {
  if (mine == other)
    return 0; // infinite ones, too
  return fabs(mine - other) / fmax(fabs(mine), fabs(other));
}

static void compare_axis(const mjModel* m, int joint, int dof, const rgJointAxis* axis,
                         Difference* diff) {
  bool scalar = m->jnt_type[joint] != mjJNT_BALL;
  bool limited = m->jnt_limited[joint] && scalar;
  // Limits and rests of zero are numbers of the order of one, and rounding is as of these.
  double lower = limited ? m->jnt_range[2 * joint] : -HUGE_VAL,
         upper = limited ? m->jnt_range[2 * joint + 1] : HUGE_VAL;
  worse(&diff->limits, isfinite(lower) ? fabs(axis->lower - lower) : relative(axis->lower, lower));
  worse(&diff->limits, isfinite(upper) ? fabs(axis->upper - upper) : relative(axis->upper, upper));
  worse(&diff->passive, relative(axis->armature, m->dof_armature[dof]));
  worse(&diff->passive, relative(axis->damping, m->dof_damping[dof]));
  worse(&diff->passive, relative(axis->friction, m->dof_frictionloss[dof]));
  if (!scalar)
    return;
  worse(&diff->passive, relative(axis->stiffness, m->jnt_stiffness[joint]));
  if (axis->stiffness > 0)
    worse(&diff->passive, fabs(axis->rest - m->qpos_spring[m->jnt_qposadr[joint]]));
}

// What acts from outside along an axis, by the definition of rgJointAxis.
static double axis_force(const rgJointAxis* axis, double coordinate, double rate) {
  double force = axis->effort;
  if (axis->servo) {
    double servo = axis->servo_stiffness * (axis->servo_target - coordinate) +
                   axis->servo_damping * (axis->servo_speed - rate);
    force += fmin(fmax(servo, -axis->servo_force), axis->servo_force);
  }
  return force;
}

// Whether an actuator is one that the reader says it leaves out: along a tendon over several joints, or with
// a state of its own.
static bool is_left_out(const mjModel* m, int actuator) {
  int on = m->actuator_trnid[2 * actuator];
  bool joint = m->actuator_trntype[actuator] == mjTRN_JOINT ||
               m->actuator_trntype[actuator] == mjTRN_JOINTINPARENT;
  bool tendon = m->actuator_trntype[actuator] == mjTRN_TENDON && m->tendon_num[on] == 1;
  return !(joint || tendon) || m->actuator_dyntype[actuator] != mjDYN_NONE;
}

// Forces of MuJoCo's actuators on a degree of freedom, without those that are left out.
static double mujoco_force(const mjModel* m, const mjData* d, int dof) {
  double sum = 0;
  for (int i = 0; i < m->nu; i++)
    if (!is_left_out(m, i))
      sum += d->actuator_moment[i * m->nv + dof] * d->actuator_force[i];
  return sum;
}

void compare_joints(const rgWorld* world, const mjModel* m, const mjData* d, bool forces,
                    Difference* diff) {
  double largest = 0, off = 0;
  for (int i = 0; i < m->njnt; i++) {
    int count = m->jnt_type[i] == mjJNT_BALL ? 3 : 1, dof = m->jnt_dofadr[i], first;
    rgJointId id;
    rgJointState state;
    if (m->jnt_type[i] == mjJNT_FREE)
      continue;
    if (!find_axis(world, m->names + m->name_jntadr[i], &id, &first) ||
        rg_joint_state(world, id, &state) != RG_OK) {
      diff->unmatched++;
      continue;
    }
    diff->joints++;
    for (int k = 0; k < count; k++) {
      rgJointAxis axis;
      rg_joint_axis(world, id, first + k, &axis);
      compare_axis(m, i, dof + k, &axis, diff);
      if (count > 1)
        continue;
      worse(&diff->coordinate, fabs(state.coordinate[first] - d->qpos[m->jnt_qposadr[i]]));
      worse(&diff->coordinate, fabs(state.rate[first] - d->qvel[dof]));
      double mine = axis_force(&axis, state.coordinate[first], state.rate[first]),
             other = mujoco_force(m, d, dof);
      largest = fmax(largest, fabs(other));
      worse(&off, forces ? fabs(mine - other) : 0);
    }
  }
  if (largest > 0)
    worse(&diff->force, off / largest);
  diff->left_out = 0;
  for (int i = 0; i < m->nu; i++)
    diff->left_out += is_left_out(m, i);
}
