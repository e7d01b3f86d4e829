// project_joints.c - the joints' part in the projection of positions: which ask, and their rows.
#include "step/stabilize/project.h"

#include "step/fill/fill.h"
#include "world/couple/couple.h"

// Error of a joint that is left alone: a part of its size, and of the coordinates that it is the
// difference of, which is what rounding may come to.
static const double TOLERANCE = 1e-10, ROUNDING = 4e-16;
// The same of an axis that follows another one, for which nothing but rounding is left.
static const double COUPLED_TOLERANCE = 5e-13;

// [m] error of a constraint that is left alone.
static double allowed_error(const rgWorld* world, const rgJoint* joint, const rgJointStep* shape) {
  double extent = shape->size;
  if (joint->body_a >= 0)
    extent = v3_larger(extent, v3_max_abs(world->bodies[joint->body_a].position));
  if (joint->body_b >= 0)
    extent = v3_larger(extent, v3_max_abs(world->bodies[joint->body_b].position));
  return TOLERANCE * shape->size + ROUNDING * extent;
}

static bool is_angle(const rgJoint* joint, rgRowUse use) {
  return use.kind == RG_ROW_FIXED ? use.index >= joint->info->point_rows
                                  : joint->info->axes[use.index].angle;
}

// Error of a fixed or held row, or the gap of a limit; [m] or [rad].
static double row_value(const rgWorld* world, const rgJoint* joint, rgRowUse use,
                        const rgJointStep* shape) {
  if (use.kind == RG_ROW_FIXED)
    return shape->values.fixed[use.index];
  if (use.kind == RG_ROW_COUPLED)
    return rg_couple_error(world, joint, use.index);
  const rgJointAxis* axis = &joint->def.axes[use.index];
  double x = shape->values.axes[use.index];
  return use.kind == RG_ROW_UPPER ? axis->upper - x : x - axis->lower;
}

static bool is_limit(rgRowUse use) { return use.kind == RG_ROW_LOWER || use.kind == RG_ROW_UPPER; }

// Overlap of a limit that is left alone; [m] or [rad].
static double allowed_overlap(const rgWorld* world, bool angle, const rgJointStep* shape) {
  return world->options.projection_tolerance * (angle ? 1 : shape->size);
}

// Whether no row of a joint whose largest error is `error` [m] asks or is worse than what was judged before: of most
// joints nothing else need be known.
static bool is_unseen(const rgWorld* world, const rgJoint* joint, const rgJointStep* shape,
                      double allowed, double error, const rgProjection* asked) {
  double promised = world->options.projection_tolerance * shape->size; // and the overlap of limits
  return !joint->coupled && error <= allowed && error <= promised && asked->worst > 0 &&
         error * asked->promised <= asked->worst * promised;
}

static void mark_joint(rgStep* step, int slot, rgProjection* asked) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  rg_fill_see_joint(step, slot);
  const rgJointStep* shape = &step->joints[slot];
  double allowed = allowed_error(world, joint, shape);
  double error_now = rg_world_joint_error_of(joint, &shape->values, shape->size);
  step->account.joint_error = v3_larger(step->account.joint_error, error_now);
  step->joints[slot].mark = RG_MARK_IN;
  if (is_unseen(world, joint, shape, allowed, error_now, asked))
    return;
  for (int i = 0; i < joint->constraint_count; i++) {
    rgRowUse use = joint->rows[i];
    bool angle = is_angle(joint, use);
    double length = angle ? shape->size : 1, value = length * row_value(world, joint, use, shape);
    double error = fabs(value), limit = allowed;
    if (is_limit(use)) {
      error = -value;
      limit = length * allowed_overlap(world, angle, shape);
    }
    if (use.kind == RG_ROW_COUPLED)
      limit = COUPLED_TOLERANCE * shape->size;
    double promised = world->options.projection_tolerance * shape->size;
    rg_project_judge(asked, v3_larger(limit, promised), error);
    if (!(error > limit))
      continue;
    step->joints[slot].mark = RG_MARK_ASKS;
    asked->allowed = fmin(asked->allowed, limit);
    asked->deepest = v3_larger(asked->deepest, error);
    if (is_limit(use))
      asked->overlaps = true;
    else
      asked->joint_error = v3_larger(asked->joint_error, error);
  }
}

void rg_project_mark_joints(rgStep* step, rgProjection* asked) {
  step->account.judged = true;
  step->account.joint_error = 0;
  for (int i = 0; i < step->world->joint_slots; i++) {
    rg_joint_prefetch(step->world->joints, i, step->world->joint_slots);
    __builtin_prefetch(&step->joints[rg_ahead(i, RG_SLOTS_AHEAD, step->world->joint_slots)], 1);
    step->joints[i].mark = RG_MARK_OUT;
    if (step->world->joints[i].alive)
      mark_joint(step, i, asked);
  }
}

static int problem_index(const rgStep* step, int slot, int body_start) {
  bool in = slot >= 0 && step->world->bodies[slot].kind == RG_BODY_DYNAMIC;
  return in ? step->bodies[slot].problem_body - body_start : -1;
}

static void fill_row(const rgWorld* world, const rgJoint* joint, rgRowUse use,
                     const rgJointStep* shape, const rgJointRow* row, rgProblemRow* out) {
  double value = row_value(world, joint, use, shape);
  out->bias = value; // one by one: see fill/joint.c
  out->lower = -HUGE_VAL;
  out->upper = HUGE_VAL;
  out->compliance = 0;
  out->far = NULL;
  out->g_a = row->g_a;
  out->g_b = row->g_b;
  if (!is_limit(use))
    return;
  double allowed = allowed_overlap(world, is_angle(joint, use), shape);
  out->lower = 0;
  out->bias = rg_project_bias(value, allowed, value < -allowed);
  if (use.kind != RG_ROW_UPPER)
    return;
  out->g_a = (rgTwist){v3_neg(row->g_a.linear), v3_neg(row->g_a.angular)};
  out->g_b = (rgTwist){v3_neg(row->g_b.linear), v3_neg(row->g_b.angular)};
}

// The far bodies of a row of an axis that follows another one.
static void fill_far(const rgStep* step, const rgIsland* island, const rgJointLead* lead,
                     rgProblemRow* out, rgProblemFar* far) {
  const rgWorld* world = step->world;
  const rgJoint* leader = &world->joints[lead->joint];
  rgJointPlace place = rg_world_joint_place_now(world, leader);
  rgJointRow row = rg_couple_row(world, leader, lead->axis, &place, NULL);
  double y = rg_world_joint_values(leader, &place).axes[lead->axis];
  double slope = -rg_couple_slope(lead, y, y);
  *far = (rgProblemFar){problem_index(step, leader->body_a, island->body_start),
                        problem_index(step, leader->body_b, island->body_start),
                        {v3_scale(row.g_a.linear, slope), v3_scale(row.g_a.angular, slope)},
                        {v3_scale(row.g_b.linear, slope), v3_scale(row.g_b.angular, slope)}};
  out->far = far;
}

// What closing the joint of a link changes of a row: its error, as the trees see it.
static double offset_rate(const rgStep* step, const rgProblemSet* set, int slot,
                          const rgProblemRow* row) {
  const rgJointStep* joint = &step->joints[slot];
  return twist_dot(joint->child_is_a ? row->g_a : row->g_b, set->links[joint->child].offset);
}

// A joint that does not ask is closed but for rounding, and stays as it is.
static void fill_link(rgStep* step, rgProblemSet* set, int slot, const rgJointPlace* place) {
  rgTwist none = {v3_zero(), v3_zero()};
  if (step->joints[slot].mark == RG_MARK_ASKS)
    rg_fill_open_link(step, set, slot, place);
  else
    rg_fill_link(step, set, slot, place, none, none);
}

static double fill_joint(rgStep* step, const rgIsland* island, int slot) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  rgProblemSet* set = &step->position;
  int first = step->joints[slot].problem_row;
  rg_fill_see_joint(step, slot);
  const rgJointStep* shape = &step->joints[slot];
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rg_world_joint_rows(world, joint, &shape->place, fixed, axes);
  bool in_tree = island->trees && step->joints[slot].child >= 0;
  if (in_tree)
    fill_link(step, set, slot, &shape->place);
  double largest = 0;
  for (int i = 0; i < joint->constraint_count; i++) {
    rgRowUse use = joint->rows[i];
    rgProblemRow* out = &set->rows[first + i];
    fill_row(world, joint, use, shape,
             use.kind == RG_ROW_FIXED ? &fixed[use.index] : &axes[use.index], out);
    if (use.kind == RG_ROW_COUPLED)
      fill_far(step, island, &joint->leads[use.index], out, &set->fars[first + i]);
    if (in_tree && use.kind == RG_ROW_FIXED)
      out->bias = -offset_rate(step, set, slot, out);
    out->body_a = problem_index(step, joint->body_a, island->body_start);
    out->body_b = problem_index(step, joint->body_b, island->body_start);
    set->lambda[first + i] = 0;
    if (!is_limit(use) || out->bias < 0)
      largest = v3_larger(largest, fabs(out->bias) * (is_angle(joint, use) ? shape->size : 1));
  }
  return largest;
}

double rg_project_fill_joints(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->position;
  double largest = 0;
  for (int i = island->row_start; i < island->row_start + island->row_count;) {
    int slot = set->row_joint[i];
    largest = v3_larger(largest, fill_joint(step, island, slot));
    i += step->world->joints[slot].constraint_count;
  }
  return largest;
}
