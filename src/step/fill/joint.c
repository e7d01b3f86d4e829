// joint.c - from joints to rows of the discrete problem, and back.
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
#include "step/stabilize/stabilizer.h"
#include "step/tree/tree.h"
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
  model->drifts = rg_side_drifts(&model->a) || rg_side_drifts(&model->b);
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
    rg_world_joint_rows(step->world, joint, model.place, model.fixed, model.axes);
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

rgEnergy rg_fill_energy(rgStep* step) {
  step->past.body_energy = rg_energy_of_bodies(step);
  step->past.gravity = step->world->options.gravity;
  return whole_energy(step);
}

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
        __builtin_prefetch(step->world->joints[later].impulse);
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

static bool is_driven(rgRowKind kind) {
  return kind == RG_ROW_MOTOR || kind == RG_ROW_SERVO || kind == RG_ROW_EFFORT;
}

// Whether a row does work that an account of energy asks for: what holds bodies that nothing moves from
// outside does none. What couplings hold may be moved at their far ends.
static bool counts(rgRowKind kind, bool given) {
  return is_driven(kind) || kind == RG_ROW_SOFT || kind == RG_ROW_COUPLED || given;
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
  bool along = is_driven(use.kind) || use.kind == RG_ROW_SOFT;
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
    if (is_driven(use.kind))
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
    bool acts = is_driven(use.kind) || use.kind == RG_ROW_SOFT;
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
  for (int i = 0; i < step->world->joint_slots; i++) {
    if (i + RG_SLOTS_AHEAD < step->world->joint_slots) {
      rgJoint* later = &step->world->joints[i + RG_SLOTS_AHEAD];
      __builtin_prefetch(later);
      rg_prefetch(&later->reaction, offsetof(rgJoint, trail) - offsetof(rgJoint, reaction));
    }
    if (step->world->joints[i].alive)
      forget_last_step(&step->world->joints[i]);
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
  for (int k = 0; k < set->row_count; k++)
    if (set->row_joint[k] >= 0 && (k == 0 || set->row_joint[k - 1] != set->row_joint[k]))
      rg_coupling_take(step, set->row_joint[k]);
  return work;
}

// A law missed by less than this part of the rates in it is rounding.
static const double LAW_ROUNDING = 1e-12;

static bool is_passed(const Model* model, rgRowUse use) {
  rgProblemRow row;
  fill_row(model, use, &row);
  double a = model->a.dynamic ? twist_dot(row.g_a, velocity_of(&model->a)) : 0,
         b = model->b.dynamic ? twist_dot(row.g_b, velocity_of(&model->b)) : 0;
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
    if (!is_driven(use.kind) && use.kind != RG_ROW_SOFT && use.kind != RG_ROW_FRICTION)
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
