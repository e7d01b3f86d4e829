// suiting.c - velocities that suit the joints: G v = 0 at the nodes of a step.
//
// Ringing. Of the rate c = G v at the nodes the step says only that c+ = -c + s, s of order h^2: in
// smooth movement c stays at s / 2, but whatever else is in it changes its sign in each step for
// ever, and fast movement adds to it. Half the sum of both ends, (c + c+) / 2, is free of it; the
// end velocity is brought there by impulses of the joints. In smooth movement this changes c by
// O(h^3) and the energy by the change of c^2, which does not add up. Joints to bodies on a given
// motion are left out: their velocity over the step is not the one at its ends. Velocities that
// someone has set from outside are made to suit the joints, c = 0, before the step; with rotors, which
// have the rates of their axes then, by rows that resist a change of the rate, lambda = -a (G v+ - G v):
// of all velocities that suit they are the nearest to those that were set, and have less energy.
//
// What taking ringing out may add is what was left alone of it, the square of RINGING_POINTS of the kinetic
// energy, and nothing in an island that owes energy already (energy/pay.c).
//
// A solve that misses what is asked is used only where it leaves the rates smaller than they were;
// the certificate has a line for either use.
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/report.h"
#include "world/couple/couple.h"

// How well velocities are made to suit the joints, as a part of what they miss: the rest is below
// rounding where they were suited a step ago.
static const double SUITED = 1e-6;
// Ringing that is left alone, as a part of the velocities in the island. Of points it is harmless
// while it is small, and taking it out would cost energy in fast movement; of angles it is not, in
// slender bodies it grows by itself.
static const double RINGING_POINTS = 0.03, RINGING_ANGLES = 1e-6;
// Part of the kinetic energy that taking ringing out may add: that of the ringing which is left alone.
// More comes from impulses that rounding has made, in bodies of next to no mass.
static const double RINGING_ENERGY = 1e-3; // >= RINGING_POINTS^2

// Of rows: what rates miss, of points and of angles, and the velocities that they are the
// difference of, with what the coming step adds to them.
typedef struct Rates {
  double point, angle, reference; // [m/s]
} Rates;

static double row_rate(rgTwist g, const rgBody* body) { return twist_dot(g, body->velocity); }

static double row_reference(const rgWorld* world, rgTwist g, const rgBody* body, double h) {
  double fall = body->kind == RG_BODY_DYNAMIC ? h * v3_norm(world->options.gravity) : 0;
  return v3_norm(g.linear) * (v3_norm(body->velocity.linear) + fall) +
         v3_norm(g.angular) * v3_norm(body->velocity.angular);
}

static bool follows_motion(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_KINEMATIC && world->bodies[slot].motion;
}

// What a use of this file asks for.
typedef enum Use { OUTSIDE, RINGING } Use;

// The rate of a row, the velocities that it is the difference of, and what is known of it from
// bodies outside the problem.
static void add_side(const rgStep* step, int slot, rgTwist g, int body_start, int* index,
                     double* rate, double* reference, double* bias) {
  *index = -1;
  if (slot < 0)
    return;
  const rgBody* body = &step->world->bodies[slot];
  *rate += row_rate(g, body);
  *reference += row_reference(step->world, g, body, step->h);
  if (body->kind == RG_BODY_DYNAMIC)
    *index = step->bodies[slot].problem_body - body_start;
  else
    *bias += row_rate(g, body);
}

// The far bodies of a row of an axis that follows another one.
static void add_far(rgStep* step, const rgJointLead* lead, int body_start, rgProblemRow* out,
                    rgProblemFar* far, double* rate, double* reference) {
  const rgWorld* world = step->world;
  const rgJoint* leader = &world->joints[lead->joint];
  rgJointPlace place = rg_world_joint_place_now(world, leader);
  rgJointRow row = rg_couple_row(world, leader, lead->axis, &place, NULL);
  double y = rg_world_joint_values(leader, &place).axes[lead->axis];
  double slope = -rg_couple_slope(lead, y, y);
  far->g_a = (rgTwist){v3_scale(row.g_a.linear, slope), v3_scale(row.g_a.angular, slope)};
  far->g_b = (rgTwist){v3_scale(row.g_b.linear, slope), v3_scale(row.g_b.angular, slope)};
  add_side(step, leader->body_a, far->g_a, body_start, &far->body_a, rate, reference, &out->bias);
  add_side(step, leader->body_b, far->g_b, body_start, &far->body_b, rate, reference, &out->bias);
  out->far = far;
}

// Rows of the present placement for what is fixed or held, with the rate they are to have.
static Rates fill_rows(rgStep* step, int slot, int body_start, Use use_of) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  rgJointPlace place;
  rg_world_joint_row_place_now(world, joint, &place);
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rg_world_joint_rows(world, joint, &place, fixed, axes);
  double size = rg_world_joint_size(world, joint, &place);
  Rates worst = {0, 0, 0};
  bool outside = use_of == OUTSIDE;
  bool driven = follows_motion(world, joint->body_a) || follows_motion(world, joint->body_b);
  for (int i = 0; i < joint->held_count; i++) {
    rgRowUse use = joint->rows[i];
    rgJointRow row = use.kind == RG_ROW_FIXED ? fixed[use.index] : axes[use.index];
    bool idle = driven && !outside;
    double bound = idle ? 0 : HUGE_VAL, rate = 0, reference = 0;
    rgProblemRow* out = &step->suiting.rows[scratch->problem_row + i];
    *out = (rgProblemRow){.g_a = row.g_a, .g_b = row.g_b, .lower = -bound, .upper = bound};
    add_side(step, joint->body_a, row.g_a, body_start, &out->body_a, &rate, &reference, &out->bias);
    add_side(step, joint->body_b, row.g_b, body_start, &out->body_b, &rate, &reference, &out->bias);
    if (use.kind == RG_ROW_COUPLED)
      add_far(step, &joint->leads[use.index], body_start, out,
              &step->suiting.fars[scratch->problem_row + i], &rate, &reference);
    double wanted = outside || scratch->plain ? 0 : 0.5 * (rate + scratch->start_rate[i]);
    out->bias -= wanted;
    step->suiting.lambda[scratch->problem_row + i] = 0;
    bool angle = v3_norm2(row.g_b.linear) == 0;
    double missed = fabs(rate - wanted) * (angle ? size : 1);
    double* largest = angle ? &worst.angle : &worst.point;
    if (!idle)
      *largest = fmax(*largest, missed);
    worst.reference = fmax(worst.reference, reference * (angle ? size : 1));
  }
  return worst;
}

// Rows of rotors, behind those of the joint.
static void fill_rotors(rgStep* step, int slot, int body_start) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  rgJointPlace place;
  rg_world_joint_row_place_now(world, joint, &place);
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rg_world_joint_rows(world, joint, &place, fixed, axes);
  int at = step->joints[slot].problem_row + joint->held_count;
  for (int i = joint->constraint_count; i < joint->row_count; i++) {
    rgRowUse use = joint->rows[i];
    double armature = joint->def.axes[use.index].armature, rate = 0, reference = 0;
    if (use.kind != RG_ROW_SOFT || !(armature > 0))
      continue;
    rgJointRow row = axes[use.index];
    rgProblemRow* out = &step->suiting.rows[at];
    *out = (rgProblemRow){.g_a = row.g_a,
                          .g_b = row.g_b,
                          .lower = -HUGE_VAL,
                          .upper = HUGE_VAL,
                          .compliance = 1 / armature};
    add_side(step, joint->body_a, row.g_a, body_start, &out->body_a, &rate, &reference, &out->bias);
    add_side(step, joint->body_b, row.g_b, body_start, &out->body_b, &rate, &reference, &out->bias);
    out->bias -= rate;
    step->suiting.lambda[at++] = 0;
  }
}

// Fills the rows of an island; whether its velocities do not suit.
static bool fill_island(rgStep* step, const rgIsland* island, Use use) {
  const rgProblemSet* set = &step->suiting;
  Rates worst = {0, 0, 0};
  bool strict = use == OUTSIDE;
  for (int i = island->row_start; i < island->row_start + island->row_count;) {
    int slot = set->row_joint[i];
    Rates rates = fill_rows(step, slot, island->body_start, use);
    worst.point = fmax(worst.point, rates.point);
    worst.angle = fmax(worst.angle, rates.angle);
    worst.reference = fmax(worst.reference, rates.reference);
    strict = strict || step->joints[slot].plain;
    const rgJoint* joint = &step->world->joints[slot];
    if (use == OUTSIDE && joint->rotors > 0)
      fill_rotors(step, slot, island->body_start);
    i += joint->held_count + (use == OUTSIDE ? joint->rotors : 0);
  }
  double tolerance = step->world->options.tolerance;
  double points = strict ? tolerance : RINGING_POINTS, angles = strict ? tolerance : RINGING_ANGLES;
  return worst.point > points * worst.reference || worst.angle > angles * worst.reference;
}

// What is left here of that which stands in for the mass of a massless body: its velocity costs nothing, and suits
// the joints by itself. Rounding over it is far below what is asked for.
static const double LIGHTER = 1e-4;

// Fills the problem and keeps the islands whose velocities do not suit.
static void fill_problem(rgStep* step, Use use) {
  rgProblemSet* set = &step->suiting;
  for (int i = 0; i < set->body_count; i++) {
    const rgBody* body = &step->world->bodies[set->body_order[i]];
    set->bodies[i] =
        (rgProblemBody){.inverse_mass = body->inverse_mass,
                        .inverse_inertia = rg_body_inverse_inertia(body, body->orientation),
                        .v_free = body->velocity};
    if (!body->massless)
      continue;
    set->bodies[i].inverse_mass /= LIGHTER;
    set->bodies[i].inverse_inertia = m3_scale(&set->bodies[i].inverse_inertia, 1 / LIGHTER);
  }
  int count = 0;
  for (int k = 0; k < set->island_count; k++)
    if (fill_island(step, &set->islands[k], use))
      set->islands[count++] = set->islands[k];
  set->island_count = count;
}

// [J] Of the bodies, and with that which stands in for massless ones: the square of the velocities in the norm
// of the problem.
typedef struct Kinetic {
  double energy, norm;
} Kinetic;

static Kinetic kinetic(const rgStep* step, const rgIsland* island) {
  Kinetic sum = {0, 0};
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    const rgBody* body = &step->world->bodies[step->suiting.body_order[i]];
    double energy = rg_energy_of_body(body);
    sum.energy += energy;
    sum.norm += energy + rg_energy_of_stand_in(body, body->velocity);
  }
  return sum;
}

static bool owes(const rgStep* step, const rgIsland* island) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    if (rg_energy_owes(step, step->suiting.body_order[i]))
      return true;
  return false;
}

// Exchanges the velocities of the bodies and those of the solution.
static void exchange_velocities(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->suiting;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    rgTwist* now = &step->world->bodies[set->body_order[i]].velocity;
    double* v = &set->v[6 * i];
    rgTwist other = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    v[0] = now->linear.x, v[1] = now->linear.y, v[2] = now->linear.z;
    v[3] = now->angular.x, v[4] = now->angular.y, v[5] = now->angular.z;
    *now = other;
  }
}

// Takes the velocities of an island that suit better than those it had; reports them.
static void take_velocities(rgStep* step, const rgIsland* island, Use use) {
  const rgSolveReport* report = &island->report;
  double scale = report->certificate.scale;
  rg_report_stage(step, use == OUTSIDE ? RG_STAGE_SUITING : RG_STAGE_RINGING, SUITED * scale,
                  report->certificate.residual * scale);
  if (!report->certificate.met && !(report->certificate.residual < report->start_residual))
    return;
  Kinetic before = kinetic(step, island);
  double added = 0;
  if (use == RINGING && report->certificate.met && !owes(step, island))
    added = RINGING_ENERGY;
  exchange_velocities(step, island);
  Kinetic after = kinetic(step, island);
  if (use == RINGING &&
      !(after.energy <= (1 + added) * before.energy && after.norm <= (1 + added) * before.norm))
    exchange_velocities(step, island);
}

static rgStatus suit_velocities(rgStep* step, Use use) {
  rgProblemSet* set = &step->suiting;
  set->joint_rows = use == OUTSIDE ? RG_ROWS_SUITED : RG_ROWS_HELD;
  rg_fill_select_joints(step);
  for (int i = 0; i < step->world->contact_count; i++)
    step->contacts[i].mark = RG_MARK_OUT;
  rgStatus status = rg_islands_build(step, set);
  if (status != RG_OK)
    return status;
  fill_problem(step, use);
  rgStop stop = {.tolerance = SUITED,
                 .start_tolerance = SUITED,
                 .iteration_limit = step->world->options.iteration_limit};
  status = rg_islands_solve(step, set, "auto", &stop);
  for (int k = 0; k < set->island_count && status == RG_OK; k++)
    take_velocities(step, &set->islands[k], use);
  return status;
}

rgStatus rg_fill_suit_velocities(rgStep* step) {
  rgStatus status = suit_velocities(step, OUTSIDE);
  if (status == RG_OK)
    step->world->joints_stale = false;
  return status;
}

rgStatus rg_fill_end_ringing(rgStep* step) { return suit_velocities(step, RINGING); }
