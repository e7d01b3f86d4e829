// side.h - a body of a joint as the joint's rows see it (fill/joint.c).
#ifndef STEP_COUPLING_SIDE_H
#define STEP_COUPLING_SIDE_H

#include "step/fill/fill.h"

// A body as rows see it.
typedef struct rgSide {
  const rgBody* body; // NULL: the ground
  const rgBodyStep* scratch;
  bool dynamic;
  rgTwist drift;
  rgTwist given; // v~ of a body that is moved from outside
} rgSide;

static inline rgSide rg_side_of(const rgStep* step, int slot, const rgJointRule* rule) {
  rgSide side = {.drift = {v3_zero(), v3_zero()}, .given = {v3_zero(), v3_zero()}};
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
  } else if (side.dynamic && theta != 1) {
    const rgTwist* start = &side.scratch->start_velocity;
    side.drift.linear = v3_scale(start->linear, (1 - theta) / theta);
    side.drift.angular = v3_scale(start->angular, (1 - theta) / theta);
  }
  return side;
}

// A body of an island: its index there, or -1.
static inline int rg_side_index(const rgSide* side, int body_start) {
  return side->dynamic ? side->scratch->problem_body - body_start : -1;
}

// Whether it has a drift.
static inline bool rg_side_drifts(const rgSide* side) {
  return !v3_equal(side->drift.linear, v3_zero()) || !v3_equal(side->drift.angular, v3_zero());
}

// G times the velocities of both bodies at the start of the step.
static inline double rg_side_start_rate(const rgSide* a, const rgSide* b, const rgJointRow* row) {
  double sum = 0;
  if (a->body)
    sum += twist_dot(row->g_a, a->scratch->start_velocity);
  if (b->body)
    sum += twist_dot(row->g_b, b->scratch->start_velocity);
  return sum;
}

#endif
