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
//     spring        lambda = -h (k (x - rest + theta h G v~) + c G v~): implicit, and at
//                   theta = 1/2 the spring's energy is kept
//
// so that joints and springs do work lambda G v~, which is none where G v~ = 0.
//
// Friction and energy. As of contacts (closing.c): the law of the end of the step makes lambda G v+
// <= 0, but at theta < 1 the work lambda G v~ can be positive where other impulses turn the axis
// back within the step. The friction of such an axis gets the law of the whole step, G v~ = 0,
// which never gains; as a rule it would let what sticks change the sign of its rate in each step.
#include "problem/operator.h"
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include <string.h>

// A body as rows see it.
typedef struct Side {
  const rgBody* body; // NULL: the ground
  const rgBodyStep* scratch;
  bool dynamic;
  rgTwist drift;
  rgTwist given; // v~ of a body that is moved from outside
} Side;

static Side side_of(const rgStep* step, int slot, const rgJointRule* rule) {
  Side side = {.drift = {v3_zero(), v3_zero()}, .given = {v3_zero(), v3_zero()}};
  if (slot < 0)
    return side;
  const rgBody* body = side.body = &step->world->bodies[slot];
  side.scratch = &step->bodies[slot];
  side.dynamic = body->kind == RG_BODY_DYNAMIC;
  double theta = rule->theta;
  if (body->kind == RG_BODY_KINEMATIC) {
    side.given = (rgTwist){body->velocity.linear, v3_scale(side.scratch->turn_free, 1 / step->h)};
    side.drift.linear = v3_scale(side.given.linear, 1 / theta);
    side.drift.angular = v3_scale(side.given.angular, 1 / theta);
  } else if (side.dynamic) {
    const rgTwist* start = &side.scratch->start_velocity;
    side.drift.linear = v3_scale(start->linear, (1 - theta) / theta);
    side.drift.angular = v3_scale(start->angular, (1 - theta) / theta);
  }
  return side;
}

static rgPose end_pose(const rgStep* step, int slot) {
  if (slot < 0)
    return pose_identity();
  const rgBody* body = &step->world->bodies[slot];
  return body->kind == RG_BODY_STATIC ? (rgPose){body->position, body->orientation}
                                      : step->ends[slot].pose;
}

// What all rows of a joint are made of.
typedef struct Model {
  const rgStep* step;
  const rgJoint* joint;
  const rgJointStep* start;
  const rgJointRule* rule;
  Side a, b;
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rgVec3 arm; // [m] of B
} Model;

static void make_model(rgStep* step, int slot, const rgJointRule* rule, Model* model) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  model->step = step;
  model->joint = joint;
  model->rule = rule;
  model->a = side_of(step, joint->body_a, rule);
  model->b = side_of(step, joint->body_b, rule);
  model->start = &step->joints[slot];
  const rgJointPlace* place = &model->start->place;
  rgJointPlace mean;
  if (rule->mean) {
    mean = rg_world_joint_row_place(world, joint, end_pose(step, joint->body_a),
                                    end_pose(step, joint->body_b));
    rg_joint_mean_place(joint->info, place, rg_world_joint_needs_points(joint), &mean);
    place = &mean;
  }
  model->arm = place->arm_b;
  if (model->start->child >= 0)
    rg_fill_link(step, slot, place, model->a.drift, model->b.drift);
  rg_world_joint_rows(world, joint, place, model->fixed, model->axes);
}

// G times the drifts of both bodies.
static double drift(const Model* model, const rgJointRow* row) {
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
  double sum = 0;
  if (model->a.body)
    sum += twist_dot(row->g_a, model->a.scratch->start_velocity);
  if (model->b.body)
    sum += twist_dot(row->g_b, model->b.scratch->start_velocity);
  return sum;
}

static double limit_bias(const Model* model, const rgJointRow* row, double gap, bool angle) {
  double theta = model->rule->theta;
  double touching =
      model->step->world->options.projection_tolerance * (angle ? 1 : model->start->size);
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

static void fill_spring(const Model* model, const rgJointAxis* axis, double stretch,
                        rgProblemRow* out) {
  double theta = model->rule->theta, h = model->step->h;
  double slope = h * theta * axis->stiffness + axis->damping;
  out->bias += axis->stiffness * stretch / (theta * slope);
  out->compliance = 1 / (h * theta * slope);
}

static void fill_row(const Model* model, rgRowUse use, rgProblemRow* out) {
  const rgJoint* joint = model->joint;
  bool fixed = use.kind == RG_ROW_FIXED;
  const rgJointAxis* axis = &joint->def.axes[fixed ? 0 : use.index];
  double x = model->start->values.axes[fixed ? 0 : use.index];
  double stabilization = model->rule->stabilization;
  rgJointRow row = fixed ? model->fixed[use.index] : model->axes[use.index];
  *out = (rgProblemRow){.lower = -HUGE_VAL, .upper = HUGE_VAL};
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
    out->bias =
        limit_bias(model, &row, use.kind == RG_ROW_LOWER ? x - axis->lower : axis->upper - x,
                   joint->info->axes[use.index].angle);
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
  case RG_ROW_SPRING:
    out->bias = drift(model, &row);
    fill_spring(model, axis, x - axis->rest, out);
    break;
  }
  out->g_a = row.g_a;
  out->g_b = row.g_b;
}

rgJointRule rg_fill_joint_rule(const rgStep* step) {
  return (rgJointRule){.theta = step->theta,
                       .mean = step->scheme->mean_rows,
                       .stabilization = rg_stabilizer_rate(step->world)};
}

void rg_fill_select_joints(rgStep* step) {
  for (int i = 0; i < step->world->joint_slots; i++)
    step->joints[i].mark = step->world->joints[i].alive ? RG_MARK_IN : RG_MARK_OUT;
}

// A body of an island: its index there, or -1.
static int problem_index(const Side* side, int body_start) {
  return side->dynamic ? side->scratch->problem_body - body_start : -1;
}

void rg_fill_joint_rows(rgStep* step, int slot, int body_start, const rgJointRule* rule) {
  Model model;
  make_model(step, slot, rule, &model);
  const rgJoint* joint = model.joint;
  rgJointStep* scratch = &step->joints[slot];
  scratch->arm = model.arm;
  rgProblemRow* rows = step->velocity.rows + scratch->problem_row;
  for (int i = 0; i < joint->row_count; i++) {
    fill_row(&model, joint->rows[i], &rows[i]);
    rows[i].body_a = problem_index(&model.a, body_start);
    rows[i].body_b = problem_index(&model.b, body_start);
    rgJointRow row = {rows[i].g_a, rows[i].g_b};
    if (!rule->mean && i < joint->constraint_count)
      scratch->start_rate[i] = start_rate(&model, &row);
  }
}

void rg_fill_joint_starts(rgStep* step) {
  rgWorld* world = step->world;
  for (int i = 0; i < world->joint_slots; i++) {
    rgJoint* joint = &world->joints[i];
    rgJointStep* start = &step->joints[i];
    if (!joint->alive)
      continue;
    start->place = rg_world_joint_row_place_now(world, joint);
    start->values = rg_world_joint_row_values(joint, &start->place);
    start->size = rg_world_joint_size(world, joint, &start->place);
    if (joint->watched)
      memcpy(joint->coordinate, start->values.axes, sizeof joint->coordinate);
  }
}

void rg_fill_joints(rgStep* step, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    int end = island->settled ? 0 : island->row_start + island->row_count;
    for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
      int slot = set->row_joint[i];
      const rgJoint* joint = &step->world->joints[slot];
      rg_fill_joint_rows(step, slot, island->body_start, rule);
      for (int r = 0; r < joint->row_count; r++, i++)
        set->lambda[i] = joint->impulse[r];
    }
  }
}

void rg_fill_keep_joint_impulses(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < step->world->joint_slots; i++) {
    rgJoint* joint = &step->world->joints[i];
    for (int k = 0; joint->alive && k < joint->row_count; k++)
      joint->impulse[k] = set->lambda[step->joints[i].problem_row + k];
  }
}

static rgTwist velocity_of(const Side* side) {
  return side->body ? side->body->velocity : (rgTwist){v3_zero(), v3_zero()};
}

static bool acts_along_axis(rgRowUse use) {
  return use.kind != RG_ROW_FIXED && use.kind != RG_ROW_HELD;
}

// Work of friction over its impulse that is a gain and no rounding of the solve, as a part of the
// velocities of the island's problem: this many times what the solve may leave.
static const double GAIN_SEEN = 100;

// G v~ of a row with all of its bodies.
static double mean_rate(const rgProblemRow* row, const Side* a, const Side* b, double theta) {
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
  Side a = side_of(step, joint->body_a, rule), b = side_of(step, joint->body_b, rule);
  int ended = 0;
  for (int i = 0; i < joint->row_count; i++) {
    rgRowUse use = joint->rows[i];
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
      const rgJoint* joint = &step->world->joints[set->row_joint[i]];
      if (joint->bounded)
        ended +=
            end_gains_of(step, set->row_joint[i], &problem, i - island->row_start, rule, least);
      i += joint->row_count;
    }
  }
  return ended;
}

// What a row does over the step: the work on the bodies with all of G v~, and what bodies that are
// moved from outside take of it.
static double row_work(const rgProblemRow* row, const Side* a, const Side* b, double theta,
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

static double take_joint(rgStep* step, int slot, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  Side a = side_of(step, joint->body_a, rule), b = side_of(step, joint->body_b, rule);
  double work = 0, h = step->h;
  joint->reaction = (rgWrench){v3_zero(), v3_zero()};
  memset(joint->force, 0, sizeof joint->force);
  for (int i = 0; i < joint->row_count; i++) {
    const rgProblemRow* row = &set->rows[scratch->problem_row + i];
    rgRowUse use = joint->rows[i];
    double impulse = joint->impulse[i] = set->lambda[scratch->problem_row + i];
    joint->reaction.force = v3_axpy(joint->reaction.force, impulse / h, row->g_b.linear);
    joint->reaction.torque = v3_axpy(joint->reaction.torque, impulse / h, row->g_b.angular);
    if (acts_along_axis(use))
      joint->force[use.index] += (use.kind == RG_ROW_UPPER ? -impulse : impulse) / h;
    double taken, mean = row_work(row, &a, &b, rule->theta, &taken);
    work -= impulse * taken;
    if (use.kind == RG_ROW_MOTOR)
      work += impulse * (mean + taken);
  }
  // The moment about the centre of B becomes the one about the joint.
  joint->reaction.torque =
      v3_sub(joint->reaction.torque, v3_cross(scratch->arm, joint->reaction.force));
  return work;
}

double rg_fill_joint_outside_work(const rgStep* step, int slot, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  const rgJoint* joint = &step->world->joints[slot];
  int first = step->joints[slot].problem_row;
  Side a = side_of(step, joint->body_a, rule), b = side_of(step, joint->body_b, rule);
  double work = 0;
  for (int i = 0; i < joint->row_count; i++) {
    rgRowKind kind = joint->rows[i].kind;
    double taken, mean = row_work(&set->rows[first + i], &a, &b, rule->theta, &taken);
    bool acts = kind == RG_ROW_MOTOR || kind == RG_ROW_SPRING;
    work += set->lambda[first + i] * (acts ? mean : -taken);
  }
  return work;
}

double rg_fill_take_joints(rgStep* step, const rgJointRule* rule) {
  double work = 0;
  for (int i = 0; i < step->world->joint_slots; i++)
    if (step->world->joints[i].alive && step->joints[i].mark != RG_MARK_OUT)
      work += take_joint(step, i, rule);
  return work;
}
