// joint.c - from joints to rows of the discrete problem.
//
// A step moves a body by h v~, with v~ = theta v+ + (1 - theta) v; of the angular velocity, h v~ is
// the Cayley vector of the turn (free_motion.c). Of a row G the rate that matters is
//
//     G v~ = theta (G v+ + G d),
//
// where the drift d of a body is what its mean velocity has besides theta v+, over theta; a body
// that is moved from outside has its velocity there, over theta. With x the coordinate of a free
// axis, each row reads w = G v+ + bias + compliance lambda:
//
//     fixed, held   G v~ = -stabilization e
//     limits        x + h G v~ within the range, with the same care as for a closing gap (theta.c)
//     motor         G v+ = speed, |lambda| <= h force
//     friction      G v+ = 0, |lambda| <= h friction
//     servo         lambda = -h (k (x - target + theta h G v~) + c (G v~ - speed)), bounded
//     soft          lambda = -h (k (x - rest + theta h G v~) + c G v~) - a (rate+ - rate): spring,
//                   damper and rotor; implicit, and at theta = 1/2 the energy of spring and rotor
//                   is kept
//     effort        lambda = h effort
//     coupled       X v~ = s Y v~ - stabilization c of an axis that follows another one (coupling.h)
//
// so that joints and springs do work lambda G v~, which is none where G v~ = 0. Limits that are far
// are left out (limits.c).
//
// Rotors. A rotor of the inertia a (armature) is a body of one degree of freedom that is geared to its
// axis: it moves over the step as the axis does, at the rate G v~, and as of every body its rates at
// start and end make up that of the step,
//
//     theta rate+ + (1 - theta) rate = G v~,     so that     rate+ - rate = (G v~ - rate) / theta,
//
// and the axis gets the opposite of what changes its momentum, lambda = -a (rate+ - rate). The work
// on axis and rotor together is then
//
//     lambda G v~ + a (rate+^2 - rate^2) / 2 = -(theta - 1/2) a (rate+ - rate)^2,
//
// exactly, whatever G is at start and end: none at theta = 1/2, and a loss above, as of bodies. The
// rate is state. It differs from that of the axis by the velocities of the bodies at the end, G+ v+,
// by O(h^2), since G v~ is a mean over the step and not of its ends: read off the bodies at the start
// of each step it would take h / 6 a x''^2 of power from smooth movement, in the first order of h.
// As of joints the difference may ring at theta < 1 (suiting.c), and where it does half of the sum of
// both ends is left of it.
//
// Friction and energy. As of contacts (closing.c): the law of the end of the step makes lambda G v+
// <= 0, but at theta < 1 the work lambda G v~ can be positive where other impulses turn the axis
// back within the step. The friction of such an axis gets the law of the whole step, G v~ = 0,
// which never gains; as a rule it would let what sticks change the sign of its rate in each step.
#include "problem/operator.h"
#include "step/coupling/coupling.h"
#include "step/energy/energy.h"
#include "step/scheme/scheme.h"
#include "world/couple/couple.h"

#include <string.h>

static rgPose end_pose(const rgStep* step, int slot) {
  if (slot < 0)
    return pose_identity();
  const rgBody* body = &step->world->bodies[slot];
  return body->kind == RG_BODY_STATIC ? (rgPose){body->position, body->orientation}
                                      : step->ends[slot].pose;
}

rgPose rg_fill_reached_pose(const rgStep* step, int slot) {
  if (slot >= 0 && step->ends[slot].known)
    return step->ends[slot].pose;
  if (slot < 0 || step->world->bodies[slot].kind != RG_BODY_DYNAMIC)
    return end_pose(step, slot);
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 shift, turn;
  rg_step_movement(step, slot, &shift, &turn);
  return (rgPose){v3_add(body->position, shift),
                  quat_unit(quat_mul(quat_cayley(turn), body->orientation))};
}

// What all rows of a joint are made of.
typedef struct Model {
  const rgStep* step;
  const rgJoint* joint;
  const rgJointStep* start;
  const rgJointRule* rule;
  rgSide a, b;
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  const rgJointPlace* place; // with which they are made
  bool drifts;               // a body does
} Model;

// All but the place and what is made with it.
static void begin_model(const rgStep* step, int slot, const rgJointRule* rule, Model* model) {
  const rgJoint* joint = &step->world->joints[slot];
  model->step = step;
  model->joint = joint;
  model->rule = rule;
  model->a = rg_side_of(step, joint->body_a, rule);
  model->b = rg_side_of(step, joint->body_b, rule);
  bool may_drift = rule->theta != 1 || step->world->kinematic_count > 0;
  model->drifts = may_drift && (rg_side_drifts(&model->a) || rg_side_drifts(&model->b));
  model->start = &step->joints[slot];
}

// The placement, the mean of start and end in `mean` where it is that one.
static void place_model(const rgStep* step, Model* model, rgJointPlace* mean) {
  const rgJoint* joint = model->joint;
  model->place = &model->start->place;
  if (model->rule->mean) {
    rg_world_joint_row_place(joint, &model->start->frames,
                             rg_fill_reached_pose(step, joint->body_a),
                             rg_fill_reached_pose(step, joint->body_b), mean);
    rg_joint_mean_place(joint->info, model->place, rg_world_joint_needs_points(joint), mean);
    model->place = mean;
  }
}

static void make_model(const rgStep* step, int slot, const rgJointRule* rule, Model* model,
                       rgJointPlace* mean) {
  begin_model(step, slot, rule, model);
  place_model(step, model, mean);
  rg_world_joint_rows(step->world, model->joint, model->place, model->fixed, model->axes);
}

// G times the drifts of both bodies.
static double drift(const Model* model, const rgJointRow* row) {
  if (!model->drifts)
    return 0;
  return twist_dot(row->g_a, model->a.drift) + twist_dot(row->g_b, model->b.drift);
}

// G times the velocities of bodies that are moved from outside.
static double outside(const Model* model, const rgJointRow* row) {
  double sum = 0;
  if (model->a.body && model->a.body->kind == RG_BODY_KINEMATIC)
    sum += twist_dot(row->g_a, model->a.body->velocity);
  if (model->b.body && model->b.body->kind == RG_BODY_KINEMATIC)
    sum += twist_dot(row->g_b, model->b.body->velocity);
  return sum;
}

static double start_rate(const Model* model, const rgJointRow* row) {
  return rg_side_start_rate(&model->a, &model->b, row);
}

double rg_fill_limit_touching(const rgStep* step, int slot, int axis) {
  bool angle = step->world->joints[slot].info->axes[axis].angle;
  return step->world->options.projection_tolerance * (angle ? 1 : step->joints[slot].size);
}

double rg_fill_limit_gap(const rgStep* step, int slot, rgRowUse use) {
  const rgJointAxis* axis = &step->world->joints[slot].def.axes[use.index];
  double x = step->joints[slot].values.axes[use.index];
  return use.kind == RG_ROW_LOWER ? x - axis->lower : axis->upper - x;
}

static double limit_bias(const Model* model, const rgJointRow* row, rgRowUse use) {
  double theta = model->rule->theta;
  int slot = (int)(model->joint - model->step->world->joints);
  double touching = rg_fill_limit_touching(model->step, slot, use.index),
         gap = rg_fill_limit_gap(model->step, slot, use);
  double landing = gap > touching ? gap / model->step->h : 0;
  double start = start_rate(model, row);
  double bias = (landing + (1 - theta) * start) / theta;
  if (start <= 0 && bias > landing)
    bias = landing;
  return (bias > 0 ? bias : 0) + outside(model, row);
}

static void negate(rgJointRow* row) {
  row->g_a = (rgTwist){v3_neg(row->g_a.linear), v3_neg(row->g_a.angular)};
  row->g_b = (rgTwist){v3_neg(row->g_b.linear), v3_neg(row->g_b.angular)};
}

// lambda = -h (force + (h theta k + c) theta (G v+ + drift)), with the force [N] at the coordinate of
// the start and the slope h theta k + c [N s/m] of it.
static void fill_implicit(const Model* model, double force, double slope, rgProblemRow* out) {
  double theta = model->rule->theta, h = model->step->h;
  out->bias += force / (theta * slope);
  out->compliance = 1 / (h * theta * slope);
}

static void fill_servo(const Model* model, const rgJointAxis* axis, double x, rgProblemRow* out) {
  double theta = model->rule->theta, h = model->step->h;
  double force =
      axis->servo_stiffness * (x - axis->servo_target) - axis->servo_damping * axis->servo_speed;
  fill_implicit(model, force, h * theta * axis->servo_stiffness + axis->servo_damping, out);
  out->upper = h * axis->servo_force;
  out->lower = -out->upper;
}

// The rotor is a damper of a / (h theta) against its rate / theta. Where nothing has inertia it is one
// against the ground, as masses are (first_order.c).
static void fill_soft(const Model* model, int index, double x, rgProblemRow* out) {
  const rgJointAxis* axis = &model->joint->def.axes[index];
  double theta = model->rule->theta, h = model->step->h, mobility = model->step->scheme->mobility;
  double force = axis->stiffness * (x - axis->rest),
         slope = h * theta * axis->stiffness + axis->damping;
  if (axis->armature > 0 && mobility > 0) {
    slope += axis->armature / (h * theta * mobility);
  } else if (axis->armature > 0) {
    double drag = axis->armature / (h * theta);
    slope += drag;
    force -= drag * model->joint->rotor[index];
  }
  fill_implicit(model, force, slope, out);
}

static void fill_row(const Model* model, rgRowUse use, rgProblemRow* out) {
  const rgJoint* joint = model->joint;
  bool fixed = use.kind == RG_ROW_FIXED;
  const rgJointAxis* axis = &joint->def.axes[fixed ? 0 : use.index];
  double x = model->start->values.axes[fixed ? 0 : use.index];
  double stabilization = model->rule->stabilization;
  rgJointRow row = fixed ? model->fixed[use.index] : model->axes[use.index];
  out->bias = out->compliance = 0; // one by one: zeroing all of it first takes longer than the rest
  out->lower = -HUGE_VAL;
  out->upper = HUGE_VAL;
  out->far = NULL;
  switch ((rgRowKind)use.kind) {
  case RG_ROW_FIXED:
    out->bias = drift(model, &row);
    if (model->start->child < 0) // those of trees are closed
      out->bias += stabilization * model->start->values.fixed[use.index] / model->rule->theta;
    break;
  case RG_ROW_HELD:
    out->bias = drift(model, &row) + stabilization * (x - axis->lower) / model->rule->theta;
    break;
  case RG_ROW_LOWER:
  case RG_ROW_UPPER:
    if (use.kind == RG_ROW_UPPER)
      negate(&row);
    out->lower = 0;
    out->bias = limit_bias(model, &row, use);
    break;
  case RG_ROW_MOTOR:
    out->bias = outside(model, &row) - axis->motor_speed;
    out->upper = model->step->h * axis->motor_force;
    out->lower = -out->upper;
    break;
  case RG_ROW_FRICTION:
    out->bias =
        model->start->mean_friction >> use.index & 1 ? drift(model, &row) : outside(model, &row);
    out->upper = model->step->h * axis->friction;
    out->lower = -out->upper;
    break;
  case RG_ROW_SERVO:
    out->bias = drift(model, &row);
    fill_servo(model, axis, x, out);
    break;
  case RG_ROW_SOFT:
    out->bias = drift(model, &row);
    fill_soft(model, use.index, x, out);
    break;
  case RG_ROW_EFFORT:
    out->lower = out->upper = model->step->h * axis->effort;
    break;
  case RG_ROW_COUPLED: // rg_coupling_fill
    break;
  }
  out->g_a = row.g_a;
  out->g_b = row.g_b;
}

rgJointRule rg_fill_joint_rule(const rgStep* step) {
  return (rgJointRule){.theta = step->theta,
                       .mean = step->scheme->mean_rows,
                       .stabilization = step->round.stabilization};
}

void rg_fill_select_joints(rgStep* step) {
  for (int i = 0; i < step->world->joint_slots; i++)
    step->joints[i].mark = step->world->joints[i].alive ? RG_MARK_IN : RG_MARK_OUT;
}

void rg_fill_joint_rows(rgStep* step, int slot, int body_start, const rgJointRule* rule) {
  Model model;
  rgJointStep* scratch = &step->joints[slot];
  begin_model(step, slot, rule, &model);
  place_model(step, &model, &scratch->mean);
  const rgJoint* joint = model.joint;
  int first = rule->bare ? step->velocity.links[scratch->child].row_count : 0;
  if (scratch->row_count > first)
    rg_world_joint_rows(step->world, joint, model.place, first > 0 ? NULL : model.fixed,
                        model.axes);
  scratch->arm = model.place->arm_b;
  if (scratch->child >= 0)
    rg_fill_link(step, &step->velocity, slot, model.place, model.a.drift, model.b.drift);
  rgProblemRow* rows = step->velocity.rows + scratch->problem_row;
  for (int i = first; i < scratch->row_count; i++) {
    rgRowUse use = joint->rows[scratch->rows[i]];
    bool coupled = use.kind == RG_ROW_COUPLED;
    double rate = 0;
    if (coupled)
      rate = rg_coupling_fill(&(rgCoupled){step, slot, use.index, rule, &model.a, &model.b},
                              body_start, &rows[i], &step->velocity.fars[scratch->problem_row + i]);
    else
      fill_row(&model, use, &rows[i]);
    rows[i].body_a = rg_side_index(&model.a, body_start);
    rows[i].body_b = rg_side_index(&model.b, body_start);
    rgJointRow row = {rows[i].g_a, rows[i].g_b};
    if (!rule->mean && i < joint->held_count)
      scratch->start_rate[i] = coupled ? rate : start_rate(&model, &row);
  }
}

static void see_lags(rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  rgJointRule rule = {.theta = 1};
  Model model;
  make_model(step, slot, &rule, &model, NULL);
  for (int i = 0; i < joint->info->axis_count; i++)
    step->joints[slot].lag[i] = joint->rotor[i] - start_rate(&model, &model.axes[i]);
}

static rgPose pose_now(const rgWorld* world, int slot) {
  if (slot < 0)
    return pose_identity();
  return (rgPose){world->bodies[slot].position, world->bodies[slot].orientation};
}

// To the bit, so that a step depends on the poses alone.
static bool same_pose(const rgPose* a, const rgPose* b) { return memcmp(a, b, sizeof *a) == 0; }

void rg_fill_see_joint(rgStep* step, int slot) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  rgJointStep* out = &step->joints[slot];
  rgPose a = pose_now(world, joint->body_a), b = pose_now(world, joint->body_b);
  if (out->seen && out->seen_watched == joint->watched && same_pose(&a, &out->seen_a) &&
      same_pose(&b, &out->seen_b))
    return;
  if (!out->seen) // else the joint is the one that it was
    out->frames = rg_world_joint_frames(world, joint);
  rg_world_joint_row_place(joint, &out->frames, a, b, &out->place);
  out->values = rg_world_joint_row_values(joint, &out->place);
  out->size = rg_world_joint_size(world, joint, &out->place);
  out->seen_a = a;
  out->seen_b = b;
  out->seen = true;
  out->seen_watched = joint->watched;
}

double rg_fill_joint_error(rgStep* step) {
  const rgWorld* world = step->world;
  double error = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rg_joint_prefetch(world->joints, i, world->joint_slots);
    if (!joint->alive)
      continue;
    rg_fill_see_joint(step, i);
    const rgJointStep* seen = &step->joints[i];
    error = fmax(error, rg_world_joint_error_of(joint, &seen->values, seen->size));
    if (joint->coupled)
      error = fmax(error, rg_couple_largest_error(world, joint));
  }
  return error;
}

// With that of the bodies, what springs of joints have.
static rgEnergy whole_energy(rgStep* step) {
  const rgWorld* world = step->world;
  double springs = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rg_joint_prefetch_head(world->joints, i, world->joint_slots);
    if (!joint->alive || !rg_world_joint_has_spring(joint))
      continue;
    rg_fill_see_joint(step, i);
    springs = rg_world_joint_springs(joint, &step->joints[i].values, springs);
  }
  return rg_world_energy_with(world, step->past.body_energy, springs);
}

static rgEnergy energy_of(rgStep* step, bool as_moved) {
  step->past.body_energy = rg_energy_of_bodies(step, as_moved);
  step->past.gravity = step->world->options.gravity;
  return whole_energy(step);
}

rgEnergy rg_fill_energy(rgStep* step) { return energy_of(step, false); }

rgEnergy rg_fill_moved_energy(rgStep* step) { return energy_of(step, true); }

rgEnergy rg_fill_start_energy(rgStep* step) {
  bool known = step->past.goes_on && v3_equal(step->past.gravity, step->world->options.gravity);
  return known ? whole_energy(step) : rg_fill_energy(step);
}

void rg_fill_joint_start(rgStep* step, int slot) {
  rgJoint* joint = &step->world->joints[slot];
  rgJointStep* start = &step->joints[slot];
  rg_fill_see_joint(step, slot);
  if (joint->watched)
    memcpy(joint->coordinate, start->values.axes, sizeof joint->coordinate);
  if (joint->rotors && step->theta < 1) // else they do not ring
    see_lags(step, slot);
}

void rg_fill_joints(rgStep* step, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    bool guessed = island->settles && !rule->mean && !island->plain; // from the start velocity
    rgJointRule own = *rule;
    own.bare = island->bare;
    int end = island->settled || guessed ? 0 : island->row_start + island->row_count;
    for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
      int slot = set->row_joint[i];
      const rgJoint* joint = &step->world->joints[slot];
      const rgJointStep* scratch = &step->joints[slot];
      int later = rg_step_prefetch_rows(step, i, end);
      if (later >= 0) {
        rg_prefetch_line(step->world->joints[later].impulse);
        rg_prefetch(&step->joints[later].frames,
                    offsetof(rgJointStep, place.a) - offsetof(rgJointStep, frames));
      }
      rg_fill_joint_rows(step, slot, island->body_start, &own);
      for (int r = own.bare ? set->links[scratch->child].row_count : 0; r < scratch->row_count; r++)
        set->lambda[i + r] = joint->impulse[scratch->rows[r]];
      i += scratch->row_count;
    }
  }
}

// A law missed by less than this part of the rates in it is rounding.
static const double LAW_ROUNDING = 1e-12;

static bool is_passed(const Model* model, rgRowUse use) {
  rgProblemRow row;
  fill_row(model, use, &row);
  double a = model->a.dynamic ? twist_dot(row.g_a, model->a.body->velocity) : 0,
         b = model->b.dynamic ? twist_dot(row.g_b, model->b.body->velocity) : 0;
  return a + b + row.bias < -LAW_ROUNDING * (fabs(a) + fabs(b) + fabs(row.bias));
}

// The rows of an axis differ by bounds, bias and sign: where the problem has one for each of the limits, which it has
// along all axes with springs, dampers or drives, they are taken from there. Those of trees belong to the present ends.
static bool take_axes(const rgStep* step, int slot, uint32_t limits, Model* model) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  uint32_t wanted = 0, found = 0;
  for (int k = joint->held_count; k < joint->constraint_count; k++)
    if (limits >> k & 1)
      wanted |= (uint32_t)1 << joint->rows[k].index;
  for (int i = 0; i < scratch->row_count; i++) {
    rgRowUse use = joint->rows[scratch->rows[i]];
    if (!rg_fill_is_driven(use.kind) && use.kind != RG_ROW_SOFT && use.kind != RG_ROW_FRICTION)
      continue;
    const rgProblemRow* row = &step->velocity.rows[scratch->problem_row + i];
    model->axes[use.index] = (rgJointRow){row->g_a, row->g_b};
    found |= (uint32_t)1 << use.index;
  }
  return scratch->child >= 0 && !joint->coupled && (wanted & ~found) == 0;
}

uint32_t rg_fill_passed_limits(const rgStep* step, int slot, uint32_t limits) {
  const rgJoint* joint = &step->world->joints[slot];
  rgJointRule rule = rg_fill_joint_rule(step);
  bool plain = (joint->body_a >= 0 && step->bodies[joint->body_a].plain) ||
               (joint->body_b >= 0 && step->bodies[joint->body_b].plain);
  if (plain) {
    rule.theta = 1;
    rule.mean = false;
  }
  Model model;
  rgJointPlace mean;
  begin_model(step, slot, &rule, &model);
  if (plain || !take_axes(step, slot, limits, &model))
    make_model(step, slot, &rule, &model, &mean);
  uint32_t passed = 0;
  for (int k = joint->held_count; k < joint->constraint_count; k++)
    if (limits >> k & 1 && is_passed(&model, joint->rows[k]))
      passed |= (uint32_t)1 << k;
  return passed;
}
