// joint_work.c - what the rows of joints have done: impulses back to the joints, work, and rotors.
//
// A row does the work lambda G v~ over the step on its bodies (joint.c), of which those that are moved from outside take
// their part. What drives axes brings energy in; springs and rotors keep theirs, which is not that of bodies; what
// holds does none unless something is moved from outside. Each rate is found once, by the account before the movement.
#include "problem/operator.h"
#include "step/coupling/coupling.h"
#include "step/energy/energy.h"
#include "step/scheme/scheme.h"
#include "step/tree/tree.h"
#include "world/couple/couple.h"

#include <string.h>

// Of the rows that it has: there are no others.
static void clear_impulses(rgJoint* joint) {
  for (int k = 0; k < joint->row_count; k++)
    joint->impulse[k] = 0;
}

void rg_fill_keep_joint_impulses(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < step->world->joint_slots; i++) {
    rgJoint* joint = &step->world->joints[i];
    const rgJointStep* scratch = &step->joints[i];
    if (!joint->alive)
      continue;
    clear_impulses(joint);
    for (int k = 0; k < scratch->row_count; k++)
      joint->impulse[scratch->rows[k]] = set->lambda[scratch->problem_row + k];
  }
}

static rgTwist velocity_of(const rgSide* side) {
  return side->body ? side->body->velocity : (rgTwist){v3_zero(), v3_zero()};
}

static bool acts_along_axis(rgRowUse use) {
  return use.kind != RG_ROW_FIXED && use.kind != RG_ROW_HELD;
}

// Work of friction over its impulse that is a gain and no rounding of the solve, as a part of the
// velocities of the island's problem: this many times what the solve may leave.
static const double GAIN_SEEN = 100;

// G v~ of a row with all of its bodies.
static double mean_rate(const rgProblemRow* row, const rgSide* a, const rgSide* b, double theta) {
  rgTwist end_a = velocity_of(a), end_b = velocity_of(b);
  double rate = twist_dot(row->g_a, a->drift) + twist_dot(row->g_b, b->drift);
  if (a->dynamic)
    rate += twist_dot(row->g_a, end_a);
  if (b->dynamic)
    rate += twist_dot(row->g_b, end_b);
  return theta * rate;
}

static int end_gains_of(rgStep* step, int slot, const rgProblem* problem, int first,
                        const rgJointRule* rule, double least) {
  const rgJoint* joint = &step->world->joints[slot];
  rgJointStep* scratch = &step->joints[slot];
  rgSide a = rg_side_of(step, joint->body_a, rule), b = rg_side_of(step, joint->body_b, rule);
  int ended = 0;
  for (int i = 0; i < scratch->row_count; i++) {
    rgRowUse use = joint->rows[scratch->rows[i]];
    if (use.kind != RG_ROW_FRICTION || scratch->mean_friction >> use.index & 1)
      continue;
    const rgProblemRow* row = &problem->rows[first + i];
    double impulse = step->velocity.lambda[scratch->problem_row + i],
           rate = mean_rate(row, &a, &b, rule->theta);
    if (!(impulse * rate > 0 && fabs(rate) * rg_row_weight(problem, row) > least))
      continue;
    scratch->mean_friction |= (uint8_t)(1 << use.index);
    ended++;
  }
  return ended;
}

int rg_fill_end_joint_gains(rgStep* step, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  int ended = 0;
  for (int k = 0; k < set->island_count && rule->theta < 1; k++) {
    const rgIsland* island = &set->islands[k];
    double least = GAIN_SEEN * step->world->options.tolerance * island->report.certificate.scale;
    rgProblem problem = rg_island_problem(set, island);
    int end = island->plain ? 0 : island->row_start + island->row_count;
    for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
      int slot = set->row_joint[i];
      ended += end_gains_of(step, slot, &problem, i - island->row_start, rule, least);
      i += step->joints[slot].row_count;
    }
  }
  return ended;
}

// What a row does over the step: the work on the bodies with all of G v~, and what bodies that are
// moved from outside take of it.
static double row_work(const rgProblemRow* row, const rgSide* a, const rgSide* b, double theta,
                       double* taken) {
  double mean = 0;
  *taken = 0;
  if (a->dynamic)
    mean += theta * (twist_dot(row->g_a, velocity_of(a)) + twist_dot(row->g_a, a->drift));
  else
    *taken += twist_dot(row->g_a, a->given);
  if (b->dynamic)
    mean += theta * (twist_dot(row->g_b, velocity_of(b)) + twist_dot(row->g_b, b->drift));
  else
    *taken += twist_dot(row->g_b, b->given);
  return mean;
}

// What of lambda is not the rotor's, at the rate s over the step.
static double spring_impulse(const rgStep* step, int slot, int index, double theta, double s) {
  const rgJointAxis* axis = &step->world->joints[slot].def.axes[index];
  double stretch = step->joints[slot].values.axes[index] - axis->rest + theta * step->h * s;
  return -step->h * (axis->stiffness * stretch + axis->damping * s);
}

static const double UNSEEN_GAIN = 1e-6;

// The rate with which a rotor ends the step, in which its axis has the rate s. The impulse of a solve belongs to it
// up to the tolerance, or not at all where that was missed: the rotor gains no more than it is given, and than a
// part of its energy that is below all that a step may gain.
static double rotor_end(const rgStep* step, int slot, int index, double impulse, double theta,
                        double s) {
  const rgJoint* joint = &step->world->joints[slot];
  double start = joint->rotor[index], a = joint->def.axes[index].armature;
  double end = (s - (1 - theta) * start) / theta;
  double own = impulse - spring_impulse(step, slot, index, theta, s);
  double most2 = fmax(0, start * start - 2 * own * s / a);
  return end * end <= most2 + UNSEEN_GAIN * start * start ? end : copysign(sqrt(most2), end);
}

// Whether a row does work that an account of energy asks for: what holds bodies that nothing moves from
// outside does none. What couplings hold may be moved at their far ends.
static bool counts(rgRowKind kind, bool given) {
  return rg_fill_is_driven(kind) || kind == RG_ROW_SOFT || kind == RG_ROW_COUPLED || given;
}

// Both bodies of a joint, made when they are first asked for: of most joints nobody asks.
typedef struct Sides {
  const rgStep* step;
  const rgJoint* joint;
  const rgJointRule* rule;
  bool given; // one of them is moved from outside
  bool made;
  rgSide a, b;
} Sides;

static bool is_moved_from_outside(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_KINEMATIC;
}

static void begin_sides(const rgStep* step, int slot, const rgJointRule* rule, Sides* sides) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  sides->step = step;
  sides->joint = joint;
  sides->rule = rule;
  sides->made = false;
  sides->given = world->kinematic_count > 0 && (is_moved_from_outside(world, joint->body_a) ||
                                                is_moved_from_outside(world, joint->body_b));
}

static rgTwist dynamic_velocity(const rgWorld* world, int slot) {
  bool dynamic = slot >= 0 && world->bodies[slot].kind == RG_BODY_DYNAMIC;
  return dynamic ? world->bodies[slot].velocity : (rgTwist){v3_zero(), v3_zero()};
}

static rgAxisRate rate_of(Sides* sides, const rgProblemRow* row) {
  if (sides->rule->theta == 1 && !sides->given) { // then there are no drifts
    const rgWorld* world = sides->step->world;
    return (rgAxisRate){.mean = twist_dot(row->g_a, dynamic_velocity(world, sides->joint->body_a)) +
                                twist_dot(row->g_b, dynamic_velocity(world, sides->joint->body_b))};
  }
  if (!sides->made) {
    sides->a = rg_side_of(sides->step, sides->joint->body_a, sides->rule);
    sides->b = rg_side_of(sides->step, sides->joint->body_b, sides->rule);
    sides->made = true;
  }
  rgAxisRate rate;
  rate.mean = row_work(row, &sides->a, &sides->b, sides->rule->theta, &rate.taken);
  return rate;
}

// What drives an axis, and its spring, have the same row but for bounds and bias: its rates are found once, by the
// account of energy before the movement (rg_fill_joint_outside_work).
static rgAxisRate known_rate_of(Sides* sides, const rgJointStep* scratch, rgRowUse use,
                                const rgProblemRow* row) {
  bool along = rg_fill_is_driven(use.kind) || use.kind == RG_ROW_SOFT;
  return along && scratch->rates_known >> use.index & 1 ? scratch->rates[use.index]
                                                        : rate_of(sides, row);
}

static double take_joint(rgStep* step, int slot, const rgJointRule* rule, int first) {
  const rgProblemSet* set = &step->velocity;
  rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  Sides sides;
  begin_sides(step, slot, rule, &sides);
  double work = 0, h = step->h;
  for (int i = first; i < scratch->row_count; i++) {
    const rgProblemRow* row = &set->rows[scratch->problem_row + i];
    rgRowUse use = joint->rows[scratch->rows[i]];
    double impulse = joint->impulse[scratch->rows[i]] = set->lambda[scratch->problem_row + i];
    joint->reaction.force = v3_axpy(joint->reaction.force, impulse / h, row->g_b.linear);
    joint->reaction.torque = v3_axpy(joint->reaction.torque, impulse / h, row->g_b.angular);
    if (acts_along_axis(use))
      joint->force[use.index] += (use.kind == RG_ROW_UPPER ? -impulse : impulse) / h;
    if (!counts(use.kind, sides.given))
      continue;
    rgAxisRate rate = known_rate_of(&sides, scratch, use, row);
    work -= impulse * (rate.taken + rg_coupling_taken(step, joint, use, row, rule));
    if (rg_fill_is_driven(use.kind))
      work += impulse * (rate.mean + rate.taken);
    if (use.kind == RG_ROW_SOFT && joint->def.axes[use.index].armature > 0)
      joint->rotor[use.index] =
          rotor_end(step, slot, use.index, impulse, rule->theta, rate.mean + rate.taken);
  }
  // The moment about the centre of B becomes the one about the joint.
  joint->reaction.torque =
      v3_sub(joint->reaction.torque, v3_cross(scratch->arm, joint->reaction.force));
  if (first == 0)
    return work;
  rgWrench held = rg_tree_reaction(step, slot);
  joint->reaction.force = v3_add(joint->reaction.force, held.force);
  joint->reaction.torque = v3_add(joint->reaction.torque, held.torque);
  return work;
}

// The most that the spring and the rotor of an axis can give in a step: what they have; and a servo,
// whose force F - D s falls with the rate s of the step.
static double most_given(const rgStep* step, int slot, rgRowUse use, double theta) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointAxis* axis = &joint->def.axes[use.index];
  double x = step->joints[slot].values.axes[use.index], rate = joint->rotor[use.index];
  if (use.kind == RG_ROW_SOFT)
    return 0.5 * axis->stiffness * (x - axis->rest) * (x - axis->rest) +
           0.5 * axis->armature * rate * rate;
  if (use.kind != RG_ROW_SERVO)
    return HUGE_VAL;
  double force =
      axis->servo_stiffness * (axis->servo_target - x) + axis->servo_damping * axis->servo_speed;
  double slope = axis->servo_stiffness * theta * step->h + axis->servo_damping;
  return step->h * force * force / (4 * slope);
}

double rg_fill_joint_outside_work(const rgStep* step, int slot, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  const rgJoint* joint = &step->world->joints[slot];
  rgJointStep* scratch = &step->joints[slot];
  int first = scratch->problem_row;
  Sides sides;
  begin_sides(step, slot, rule, &sides);
  double work = 0;
  scratch->rates_known = 0;
  bool held = sides.given || joint->coupled; // else rows that hold do no work
  for (int i = held ? 0 : joint->held_count; i < scratch->row_count; i++) {
    rgRowUse use = joint->rows[scratch->rows[i]];
    if (!counts(use.kind, sides.given))
      continue;
    rgAxisRate rate = known_rate_of(&sides, scratch, use, &set->rows[first + i]);
    double impulse = set->lambda[first + i],
           taken = rate.taken + rg_coupling_taken(step, joint, use, &set->rows[first + i], rule);
    bool acts = rg_fill_is_driven(use.kind) || use.kind == RG_ROW_SOFT;
    if (acts) {
      scratch->rates[use.index] = rate;
      scratch->rates_known |= (uint8_t)(1 << use.index);
    }
    // Impulses that a solve has missed may be anything: they bring no more than there is to give.
    work +=
        acts ? fmin(impulse * rate.mean, most_given(step, slot, use, rule->theta) - impulse * taken)
             : -impulse * taken;
  }
  return work;
}

static void forget_last_step(rgJoint* joint) {
  clear_impulses(joint);
  memset(joint->force, 0, sizeof joint->force);
  joint->reaction = (rgWrench){v3_zero(), v3_zero()};
}

double rg_fill_take_joints(rgStep* step, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  double work = 0;
  bool coupled = false; // an axis follows another one
  for (int i = 0; i < step->world->joint_slots; i++) {
    if (i + RG_SLOTS_AHEAD < step->world->joint_slots) {
      rgJoint* later = &step->world->joints[i + RG_SLOTS_AHEAD];
      rg_prefetch_line(later);
      rg_prefetch(&later->reaction, offsetof(rgJoint, trail) - offsetof(rgJoint, reaction));
    }
    if (!step->world->joints[i].alive)
      continue;
    forget_last_step(&step->world->joints[i]);
    coupled = coupled || step->world->joints[i].coupled;
  }
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    rgJointRule own = *rule;
    if (island->plain)
      own.theta = 1;
    int end = island->row_start + island->row_count;
    for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
      int slot = set->row_joint[i];
      rg_step_prefetch_rows(step, i, end);
      int first = island->bare ? set->links[step->joints[slot].child].row_count : 0;
      work += take_joint(step, slot, &own, first);
      i += step->joints[slot].row_count;
    }
  }
  for (int k = 0; k < set->row_count && coupled; k++)
    if (set->row_joint[k] >= 0 && (k == 0 || set->row_joint[k - 1] != set->row_joint[k]))
      rg_coupling_take(step, set->row_joint[k]);
  return work;
}

// -------------------------------------------------------------------------------------------------
// Ringing of rotors
// -------------------------------------------------------------------------------------------------

// Ringing that is left alone, as a part of the rates: as of points (suiting.c).
static const double RINGING_ROTORS = 0.03;

static void end_ringing_of(rgJoint* joint, const rgJointStep* start, const double* rates) {
  for (int i = 0; i < joint->info->axis_count; i++) {
    double lag = joint->rotor[i] - rates[i], half = 0.5 * (start->lag[i] + lag);
    double seen = RINGING_ROTORS * (fabs(joint->rotor[i]) + fabs(rates[i]));
    if (joint->def.axes[i].armature > 0 && fabs(lag - half) > seen &&
        fabs(rates[i] + half) < fabs(joint->rotor[i]))
      joint->rotor[i] = rates[i] + half;
  }
}

void rg_fill_end_rotor_ringing(rgStep* step) {
  for (int i = 0; i < step->world->joint_slots; i++) {
    rgJoint* joint = &step->world->joints[i];
    double rates[RG_JOINT_AXIS_MAX];
    if (!joint->alive || !joint->rotors || step->joints[i].plain)
      continue;
    rg_world_joint_rates(step->world, joint, rates);
    end_ringing_of(joint, &step->joints[i], rates);
  }
}
