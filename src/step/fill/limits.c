// limits.c - which rows of joints are in the problem of a step.
//
// Fixed and held rows, motors, friction, servos and springs always are. A limit need not be: most are
// far away, and a row that carries no impulse costs as much as one that does. The law of a limit is
// (joint.c)
//
//     w = G v+ + bias >= 0,   lambda >= 0,   lambda w = 0,
//
// so that a solution of the problem without the row, with w >= 0, is one of the problem with it: what
// is left out changes nothing, as long as every limit with w < 0 enters and the step is solved again.
// Each round lets in all that are missed and none leaves, so that the rounds end.
//
// Which limits enter at once only decides how many rounds are needed. With u the rate towards the
// limit at the start and f that at the end of the free motion, the movement without impulses is
// h (theta f + (1 - theta) u) <= h max(u, f). Other impulses add to it; in smooth movement they change
// rates by as much as forces do in a step, f - u, and those that hold what turns or hangs, whose rate
// the free motion alone would change, by about as much again. So a limit at the gap g is near where
//
//     g <= h (REACH max(u, f, 0) + |f - u|),
//
// where it touches, and where it carried an impulse in the last step.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"

#include <string.h>

// Twice what goes on unchanged: an impact elsewhere in a mechanism seldom does more.
static const double REACH = 2;

static bool is_limit(rgRowUse use) { return use.kind == RG_ROW_LOWER || use.kind == RG_ROW_UPPER; }

static bool is_idle(const rgJoint* joint, int row) { return joint->idle >> row & 1; }

// Rates of an axis at the start of the step and at the end of the free motion.
typedef struct Rates {
  double start, free; // [m/s] or [rad/s]
} Rates;

static void add_rates(const rgStep* step, int slot, rgTwist g, Rates* rates) {
  if (slot < 0)
    return;
  const rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  bool dynamic = body->kind == RG_BODY_DYNAMIC;
  rates->start += twist_dot(g, dynamic ? scratch->start_velocity : body->velocity);
  rates->free += twist_dot(g, dynamic ? scratch->v_free : body->velocity);
}

static bool is_near(const rgStep* step, int slot, int row, const rgJointRow* axes) {
  const rgJoint* joint = &step->world->joints[slot];
  rgRowUse use = joint->rows[row];
  if (joint->impulse[row] != 0)
    return true;
  double gap = rg_fill_limit_gap(step, slot, use);
  if (gap <= rg_fill_limit_touching(step, slot, use.index))
    return true;
  Rates rates = {0, 0};
  add_rates(step, joint->body_a, axes[use.index].g_a, &rates);
  add_rates(step, joint->body_b, axes[use.index].g_b, &rates);
  double sign = use.kind == RG_ROW_LOWER ? -1 : 1;
  double towards = fmax(0, fmax(sign * rates.start, sign * rates.free));
  return gap <= step->h * (REACH * towards + fabs(rates.free - rates.start));
}

// [rad/s] more than an axis of a body turns at the start or at the end of the free motion.
static double most_turning(const rgStep* step, int slot) {
  if (slot < 0)
    return 0;
  const rgBody* body = &step->world->bodies[slot];
  bool dynamic = body->kind == RG_BODY_DYNAMIC;
  rgVec3 start = dynamic ? step->bodies[slot].start_velocity.angular : body->velocity.angular,
         free = dynamic ? step->bodies[slot].v_free.angular : body->velocity.angular;
  return fabs(start.x) + fabs(start.y) + fabs(start.z) + fabs(free.x) + fabs(free.y) + fabs(free.z);
}

// Whether the limits of a joint are those of one angle, on which nothing turns.
static bool has_one_angle(const rgJoint* joint) {
  return joint->info->axis_count == 1 && joint->info->axes[0].angle && !joint->info->slides;
}

// Whether no limit of a joint is near by a bound on the rates of its bodies, without its rows: towards and change
// (is_near) are at most the sum of all rates each.
static bool is_out_of_reach(const rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  if (!has_one_angle(joint))
    return false;
  for (int k = joint->held_count; k < joint->constraint_count; k++)
    if (joint->impulse[k] != 0)
      return false;
  double lower = rg_fill_limit_gap(step, slot, (rgRowUse){.kind = RG_ROW_LOWER, .index = 0}),
         upper = rg_fill_limit_gap(step, slot, (rgRowUse){.kind = RG_ROW_UPPER, .index = 0});
  double rates = most_turning(step, joint->body_a) + most_turning(step, joint->body_b);
  double reach = fmax(rg_fill_limit_touching(step, slot, 0), (REACH + 1) * step->h * rates);
  return fmin(lower, upper) > 2 * reach; // twice: far more than rounding
}

static void add_row(rgJointStep* joint, int row) { joint->rows[joint->row_count++] = (uint8_t)row; }

// All rows of a joint.
static void take_all_rows(const rgJoint* joint, rgJointStep* scratch) {
  static const uint8_t in_order[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
  _Static_assert(sizeof in_order == sizeof scratch->rows, "one number for each row");
  memcpy(scratch->rows, in_order, sizeof in_order);
  scratch->row_count = joint->row_count;
}

void rg_fill_select_rows(rgStep* step, int slot) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  rgJointStep* scratch = &step->joints[slot];
  rgJointRow axes[RG_JOINT_AXIS_MAX];
  if (joint->constraint_count == joint->held_count && !joint->idle) {
    take_all_rows(joint, scratch);
    return;
  }
  bool limits = joint->constraint_count > joint->held_count && !is_out_of_reach(step, slot);
  if (limits)
    rg_world_joint_rows(world, joint, &scratch->place, NULL, axes);
  scratch->row_count = 0;
  for (int i = 0; i < joint->row_count; i++)
    if (is_limit(joint->rows[i]) ? limits && is_near(step, slot, i, axes) : !is_idle(joint, i))
      add_row(scratch, i);
}

void rg_fill_select_all_rows(rgStep* step) {
  for (int i = 0; i < step->world->joint_slots; i++) {
    const rgJoint* joint = &step->world->joints[i];
    step->joints[i].row_count = 0;
    for (int k = 0; joint->alive && k < joint->row_count; k++)
      if (!is_idle(joint, k))
        add_row(&step->joints[i], k);
  }
}

// Puts a row in its place in the order of rgJoint.rows.
static void insert_row(rgJointStep* joint, int row) {
  int at = joint->row_count++;
  for (; at > 0 && joint->rows[at - 1] > row; at--)
    joint->rows[at] = joint->rows[at - 1];
  joint->rows[at] = (uint8_t)row;
}

// Bits of the limits that were left out.
static uint32_t limits_out(const rgJoint* joint, const rgJointStep* scratch) {
  uint32_t out = 0;
  for (int k = joint->held_count; k < joint->constraint_count; k++)
    out |= (uint32_t)1 << k;
  for (int i = 0; i < scratch->row_count; i++)
    out &= ~((uint32_t)1 << scratch->rows[i]);
  return out;
}

// [rad] more than a body turns in the step against its start.
static double turn_of(const rgStep* step, int slot) {
  if (slot < 0)
    return 0;
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 start = step->bodies[slot].start_velocity.angular;
  return body->kind == RG_BODY_STATIC
             ? 0
             : step->h * (v3_norm(start) + v3_norm(body->velocity.angular));
}

// Whether a joint of one angle is so far from its limits that the turns of its bodies cannot bring it
// there: its rate is at most the sum of theirs.
static bool is_far(const rgStep* step, int slot) {
  enum { SAFELY = 2 };
  const rgJoint* joint = &step->world->joints[slot];
  if (!has_one_angle(joint))
    return false;
  double lower = rg_fill_limit_gap(step, slot, (rgRowUse){.kind = RG_ROW_LOWER, .index = 0}),
         upper = rg_fill_limit_gap(step, slot, (rgRowUse){.kind = RG_ROW_UPPER, .index = 0});
  return fmin(lower, upper) >
         SAFELY * (turn_of(step, joint->body_a) + turn_of(step, joint->body_b));
}

int rg_fill_add_limits(rgStep* step) {
  int entered = 0;
  for (int i = 0; i < step->world->joint_slots; i++) {
    const rgJoint* joint = &step->world->joints[i];
    if (!joint->alive || joint->held_count == joint->constraint_count || is_far(step, i))
      continue;
    uint32_t out = limits_out(joint, &step->joints[i]);
    uint32_t passed = out ? rg_fill_passed_limits(step, i, out) : 0;
    for (int k = joint->held_count; k < joint->constraint_count; k++) {
      if (!(passed >> k & 1))
        continue;
      insert_row(&step->joints[i], k);
      entered++;
    }
  }
  return entered;
}
