// coupling.c - rows of axes that follow others (see coupling.h).
#include "step/coupling/coupling.h"

#include "world/couple/couple.h"

// A coordinate over the step: its row, and what it is at the start and, where rows are those of the mean, at
// the end.
typedef struct Coordinate {
  rgJointRow row;
  double start, end; // [m] or [rad]
} Coordinate;

static Coordinate coordinate_of(const rgStep* step, int slot, int axis, const rgJointRule* rule) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* start = &step->joints[slot];
  Coordinate out = {.start = start->values.axes[axis], .end = start->values.axes[axis]};
  if (!rule->mean) {
    out.row = rg_couple_row(step->world, joint, axis, &start->place, NULL);
    return out;
  }
  rgJointPlace end;
  rg_world_joint_row_place(joint, &start->frames, rg_fill_reached_pose(step, joint->body_a),
                           rg_fill_reached_pose(step, joint->body_b), &end);
  out.row = rg_couple_row(step->world, joint, axis, &start->place, &end);
  out.end = rg_world_joint_values(joint, &end).axes[axis];
  return out;
}

static rgTwist scaled(rgTwist g, double s) {
  return (rgTwist){v3_scale(g.linear, s), v3_scale(g.angular, s)};
}

// G times the drifts of both bodies.
static double drift(const rgSide* a, const rgSide* b, const rgJointRow* row) {
  bool any = rg_side_drifts(a) || rg_side_drifts(b);
  return any ? twist_dot(row->g_a, a->drift) + twist_dot(row->g_b, b->drift) : 0;
}

double rg_coupling_fill(const rgCoupled* own, int body_start, rgProblemRow* out,
                        rgProblemFar* far) {
  const rgStep* step = own->step;
  const rgJointLead* lead = &step->world->joints[own->joint].leads[own->axis];
  const rgJoint* leader = &step->world->joints[lead->joint];
  rgSide a = rg_side_of(step, leader->body_a, own->rule),
         b = rg_side_of(step, leader->body_b, own->rule);
  Coordinate x = coordinate_of(step, own->joint, own->axis, own->rule),
             y = coordinate_of(step, lead->joint, lead->axis, own->rule);
  double slope = rg_couple_slope(lead, y.start, y.end);
  double error = x.start - rg_couple_value(lead, y.start);
  rgJointRow row = {scaled(y.row.g_a, -slope), scaled(y.row.g_b, -slope)};
  *far = (rgProblemFar){rg_side_index(&a, body_start), rg_side_index(&b, body_start), row.g_a,
                        row.g_b};
  *out = (rgProblemRow){.g_a = x.row.g_a,
                        .g_b = x.row.g_b,
                        .lower = -HUGE_VAL,
                        .upper = HUGE_VAL,
                        .bias = drift(own->a, own->b, &x.row) + drift(&a, &b, &row) +
                                own->rule->stabilization * error / own->rule->theta,
                        .far = far};
  return rg_side_start_rate(own->a, own->b, &x.row) + rg_side_start_rate(&a, &b, &row);
}

double rg_coupling_taken(const rgStep* step, const rgJoint* joint, rgRowUse use,
                         const rgProblemRow* row, const rgJointRule* rule) {
  if (!row->far)
    return 0;
  const rgJoint* leader = &step->world->joints[joint->leads[use.index].joint];
  rgSide a = rg_side_of(step, leader->body_a, rule), b = rg_side_of(step, leader->body_b, rule);
  return twist_dot(row->far->g_a, a.given) + twist_dot(row->far->g_b, b.given);
}

void rg_coupling_take(rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  for (int i = 0; i < scratch->row_count && joint->coupled; i++) {
    const rgProblemRow* row = &step->velocity.rows[scratch->problem_row + i];
    rgRowUse use = joint->rows[scratch->rows[i]];
    if (use.kind != RG_ROW_COUPLED)
      continue;
    const rgJointLead* lead = &joint->leads[use.index];
    rgJoint* leader = &step->world->joints[lead->joint];
    double force = step->velocity.lambda[scratch->problem_row + i] / step->h;
    rgTwist g = row->far->g_b;
    rgVec3 moment = v3_sub(g.angular, v3_cross(step->joints[lead->joint].arm, g.linear));
    leader->reaction.force = v3_axpy(leader->reaction.force, force, g.linear);
    leader->reaction.torque = v3_axpy(leader->reaction.torque, force, moment);
    double y = step->joints[lead->joint].values.axes[lead->axis];
    leader->force[lead->axis] -= force * rg_couple_slope(lead, y, y);
  }
}
