// joint_motion.c - joints in a step that is of second order and keeps energy, momentum and joints.
//
// The step asks of a joint that its error e does not change, and gets it by rows G taken at the
// mean of start and end (joint.h): e+ - e = G (shift, turn) = h G v~ = 0. With
//
//     M (v+ - v) = h F + G' lambda,
//
// taken as a change of angular momentum for rotations (free_motion.c), and theta = 1/2, where v~ is
// the mean velocity, the joint does the work lambda G v~ = 0, and its forces act on both bodies at
// the mean of where the joint is at start and end: energy, momentum and angular momentum are kept
// exactly and the joint does not drift. At theta > 1/2 energy is lost, by (theta - 1/2) |v+ -
// v|_M^2; the joint does not drift either (Gonzalez 1999 for the idea of such gradients).
//
// G and the turns depend on the end of the step, so that the step is solved in rounds: the motion
// with the velocities found last, the rows that belong to it, impulses and velocities anew. A round
// gains a factor of about h |w|; the first starts from the impulses of the last step, which is
// already of second order. An island is settled when the impulses it has meet the tolerance for the
// rows that belong to them.
//
// Ringing. Of the rate c = G v at the nodes the step says only that c+ = -c + s, s of order h^2: in
// smooth motion c stays at s / 2, but whatever else is in it changes its sign in each step for
// ever, and fast motion adds to it. Half the sum of both ends, (c + c+) / 2, is free of it; the end
// velocity is brought there by impulses of the joints. In smooth motion this changes c by O(h^3)
// and the energy by the change of c^2, which does not add up. Joints to bodies on a given motion
// are left out: their velocity over the step is not the one at its ends. Velocities that someone
// has set from outside are made to suit the joints, c = 0, before the step.
#include "problem/operator.h"
#include "step/step.h"

#include <string.h>

// How well velocities are made to suit the joints, as a part of what they miss: the rest is below
// rounding where they were suited a step ago.
static const double SUITED = 1e-6;
// Ringing that is left alone, as a part of the velocities in the island. Of points it is harmless
// while it is small, and taking it out would cost energy in fast motion; of angles it is not, in
// slender bodies it grows by itself.
static const double RINGING_POINTS = 0.03, RINGING_ANGLES = 1e-6;

rgStatus rg_joint_motion_prepare(rgWorld* world) {
  if (world->joint_count > 0 && !RG_WORLD_RESERVE(world, ends, world->body_slots))
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for joints");
  for (int i = 0; i < world->body_slots && world->joint_count > 0; i++)
    world->ends[i].known = false;
  return RG_OK;
}

// Bodies moved from outside end where their motion takes them.
static void end_of_kinematic(rgWorld* world, double h) {
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_KINEMATIC)
      continue;
    rgPose* end = &world->ends[i].pose;
    end->position = v3_axpy(body->position, h, body->velocity.linear);
    end->orientation = quat_unit(quat_mul(quat_cayley(body->turn_free), body->orientation));
  }
}

// A force F at the arm r of a body that turns has the moment (r + r+) / 2 x F over the step. Where
// F pulls outward, a further turn takes from it: h theta / 2 (F . r) (1 - r r' / r^2) per angular
// velocity. Left out, rounds would diverge where a light body carries a heavy one, at h^2 F / (m r)
// beyond 1. Where F pushes, nothing is taken into account: the inertia must stay positive.
static void add_stiffness(rgWorld* world, int slot, rgVec3 force, rgVec3 arm, double factor) {
  double pull = v3_dot(force, arm), length2 = v3_norm2(arm);
  if (slot < 0 || !(pull > 0))
    return;
  rgMat3 one = m3_diag(1, 1, 1), along = m3_zero();
  rgVec3 unit = v3_scale(arm, 1 / sqrt(length2));
  double u[3] = {unit.x, unit.y, unit.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      along.m[i][j] = -u[i] * u[j];
  one = m3_add(&one, &along);
  one = m3_scale(&one, factor * pull);
  world->ends[slot].stiffness = m3_add(&world->ends[slot].stiffness, &one);
}

static void collect_stiffness(rgWorld* world, const rgIsland* island, double factor) {
  const rgProblemSet* set = &world->velocity;
  for (int i = 0; i < island->body_count; i++)
    world->ends[set->body_order[island->body_start + i]].stiffness = m3_zero();
  int rows_end = island->row_start + island->row_count;
  for (int i = island->row_start; i < rows_end && set->row_joint[i] >= 0;) {
    const rgJoint* joint = &world->joints[set->row_joint[i]];
    rgVec3 force_a = v3_zero(), force_b = v3_zero();
    for (int k = 0; k < joint->row_count; k++, i++) {
      force_a = v3_axpy(force_a, set->lambda[i], set->rows[i].g_a.linear);
      force_b = v3_axpy(force_b, set->lambda[i], set->rows[i].g_b.linear);
    }
    const rgJointPlace* place = &world->joint_starts[joint - world->joints].place;
    add_stiffness(world, joint->body_a, force_a, place->arm_a, factor);
    add_stiffness(world, joint->body_b, force_b, place->arm_b, factor);
  }
}

static rgTwist twist_at(const double* v) {
  return (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

void rg_joint_motion_body(rgWorld* world, int index, double h, double theta) {
  rgProblemSet* set = &world->velocity;
  int slot = set->body_order[index];
  rgBody* body = &world->bodies[slot];
  rg_free_motion_at(body, twist_at(&set->v[6 * index]), h, theta, &world->ends[slot]);
  world->ends[slot].known = true;
  set->bodies[index] = (rgProblemBody){body->inverse_mass, body->inverse_inertia, body->v_free};
}

static void move_island(rgWorld* world, const rgIsland* island, double h, double theta) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    rg_joint_motion_body(world, i, h, theta);
}

void rg_joint_motion(rgWorld* world, double h, double theta) {
  const rgProblemSet* set = &world->velocity;
  end_of_kinematic(world, h);
  for (int k = 0; k < set->island_count; k++)
    if (rg_island_has_joints(set, &set->islands[k]) && !set->islands[k].settled) {
      collect_stiffness(world, &set->islands[k], 0.5 * h * theta);
      move_island(world, &set->islands[k], h, theta);
    }
}

void rg_joint_motion_start(rgWorld* world, double h, double theta) {
  const rgProblemSet* set = &world->velocity;
  end_of_kinematic(world, h);
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    if (!rg_island_has_joints(set, island))
      continue;
    for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
      rgTwist start = world->bodies[set->body_order[i]].start_velocity;
      double v[6] = {start.linear.x,  start.linear.y,  start.linear.z,
                     start.angular.x, start.angular.y, start.angular.z};
      memcpy(&set->v[6 * i], v, sizeof v);
    }
    collect_stiffness(world, island, 0.5 * h * theta);
    move_island(world, island, h, theta);
    rgProblem problem = rg_island_problem(set, island);
    rgSolution solution = rg_island_solution(set, island);
    rg_problem_velocity(&problem, &solution);
    move_island(world, island, h, theta);
  }
}

void rg_joint_motion_plain(rgWorld* world, double h) {
  rgProblemSet* set = &world->velocity;
  rgMotionEnd end = {.stiffness = m3_zero()};
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    if (island->settled)
      continue;
    island->rough = true;
    for (int i = 0; i < island->body_count; i++) {
      rgBody* body = &world->bodies[set->body_order[island->body_start + i]];
      rg_free_motion_at(body, body->start_velocity, h, 1, &end);
    }
  }
}

// Moves a body to the end of its step. The momentum is that of the impulses, not of the velocity,
// so that no rounding adds up. Returns the work of the applied forces.
static double finish_body(rgBody* body, const rgMotionEnd* end, rgVec3 moment, bool rough) {
  double work = v3_dot(body->applied.force, v3_sub(end->pose.position, body->position)) +
                v3_dot(body->applied.torque, end->turn);
  body->position = end->pose.position;
  body->orientation = end->pose.orientation;
  body->velocity = end->velocity;
  if (body->isotropic || body->rotation_locked || rough)
    return work;
  body->momentum = v3_add(body->momentum, moment);
  body->velocity.angular = body->momentum_of =
      rg_end_velocity(body, body->orientation, body->momentum);
  return work;
}

double rg_joint_motion_finish(rgWorld* world, double h, double theta) {
  rgProblemSet* set = &world->velocity;
  double work = 0;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    if (!rg_island_has_joints(set, island))
      continue;
    int rows_end = island->row_start + island->row_count;
    for (int i = island->row_start; i < rows_end && set->row_joint[i] >= 0; i++)
      world->joints[set->row_joint[i]].asks = island->rough;
    move_island(world, island, h, island->rough ? 1 : theta);
    rgProblem problem = rg_island_problem(set, island);
    rgSolution solution = rg_island_solution(set, island);
    memset(solution.v, 0, 6 * (size_t)island->body_count * sizeof(double));
    rg_problem_add_wrenches(&problem, &solution, solution.v);
    for (int i = 0; i < island->body_count; i++) {
      int slot = set->body_order[island->body_start + i];
      rgVec3 moment = twist_at(&solution.v[6 * i]).angular;
      work += finish_body(&world->bodies[slot], &world->ends[slot], moment, island->rough);
    }
    rg_problem_velocity(&problem, &solution); // as it was
  }
  return work;
}

// -------------------------------------------------------------------------------------------------
// Velocities that suit the joints
// -------------------------------------------------------------------------------------------------

// Of rows: what rates miss, of points and of angles, and the velocities that they are the
// difference of, with what the coming step adds to them.
typedef struct Rates {
  double point, angle, reference; // [m/s]
} Rates;

static double row_rate(rgTwist g, const rgBody* body) {
  return v3_dot(g.linear, body->velocity.linear) + v3_dot(g.angular, body->velocity.angular);
}

static double row_reference(const rgWorld* world, rgTwist g, const rgBody* body, double h) {
  double fall = body->kind == RG_BODY_DYNAMIC ? h * v3_norm(world->options.gravity) : 0;
  return v3_norm(g.linear) * (v3_norm(body->velocity.linear) + fall) +
         v3_norm(g.angular) * v3_norm(body->velocity.angular);
}

static bool follows_motion(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_KINEMATIC && world->bodies[slot].motion;
}

// Rows of the present placement for what is fixed or held, with the rate they are to have; limits
// do not push.
static Rates fill_rows(rgWorld* world, const rgJoint* joint, int body_start, double h,
                       bool outside) {
  rgProblemSet* set = &world->position;
  rgJointPlace place = rg_joint_row_place_now(world, joint);
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rg_joint_rows(world, joint, &place, fixed, axes);
  double size = rg_joint_size(world, joint, &place);
  Rates worst = {0, 0, 0};
  bool driven = follows_motion(world, joint->body_a) || follows_motion(world, joint->body_b);
  for (int i = 0; i < joint->constraint_count; i++) {
    rgRowUse use = joint->rows[i];
    rgJointRow row = use.kind == RG_ROW_FIXED ? fixed[use.index] : axes[use.index];
    bool idle = use.kind == RG_ROW_LOWER || use.kind == RG_ROW_UPPER || (driven && !outside);
    double bound = idle ? 0 : HUGE_VAL, rate = 0, reference = 0;
    rgProblemRow* out = &set->rows[joint->problem_row + i];
    *out = (rgProblemRow){.g_a = row.g_a, .g_b = row.g_b, .lower = -bound, .upper = bound};
    for (int side = 0; side < 2; side++) {
      int slot = side == 0 ? joint->body_a : joint->body_b;
      int* index = side == 0 ? &out->body_a : &out->body_b;
      rgTwist g = side == 0 ? row.g_a : row.g_b;
      *index = -1;
      if (slot < 0)
        continue;
      const rgBody* body = &world->bodies[slot];
      rate += row_rate(g, body);
      reference += row_reference(world, g, body, h);
      if (body->kind == RG_BODY_DYNAMIC)
        *index = body->problem_body - body_start;
      else
        out->bias += row_rate(g, body);
    }
    double wanted = outside || joint->asks ? 0 : 0.5 * (rate + joint->start_rate[i]);
    out->bias -= wanted;
    set->lambda[joint->problem_row + i] = 0;
    bool angle = v3_norm2(row.g_b.linear) == 0;
    double missed = fabs(rate - wanted) * (angle ? size : 1);
    double* largest = angle ? &worst.angle : &worst.point;
    if (!idle)
      *largest = fmax(*largest, missed);
    worst.reference = fmax(worst.reference, reference * (angle ? size : 1));
  }
  return worst;
}

// Fills the problem and keeps the islands whose velocities do not suit.
static void fill_problem(rgWorld* world, double h, bool outside) {
  rgProblemSet* set = &world->position;
  for (int i = 0; i < set->body_count; i++) {
    const rgBody* body = &world->bodies[set->body_order[i]];
    set->bodies[i] =
        (rgProblemBody){.inverse_mass = body->inverse_mass,
                        .inverse_inertia = rg_body_inverse_inertia(body, body->orientation),
                        .v_free = body->velocity};
  }
  int count = 0;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    Rates worst = {0, 0, 0};
    bool strict = outside;
    for (int i = island->row_start; i < island->row_start + island->row_count;) {
      const rgJoint* joint = &world->joints[set->row_joint[i]];
      Rates rates = fill_rows(world, joint, island->body_start, h, outside);
      worst.point = fmax(worst.point, rates.point);
      worst.angle = fmax(worst.angle, rates.angle);
      worst.reference = fmax(worst.reference, rates.reference);
      strict = strict || joint->asks;
      i += joint->constraint_count;
    }
    double points = strict ? world->options.tolerance : RINGING_POINTS;
    double angles = strict ? world->options.tolerance : RINGING_ANGLES;
    if (worst.point > points * worst.reference || worst.angle > angles * worst.reference)
      set->islands[count++] = *island;
  }
  set->island_count = count;
}

static void take_velocities(rgWorld* world, const rgIsland* island) {
  const rgProblemSet* set = &world->position;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    const double* v = &set->v[6 * i];
    world->bodies[set->body_order[i]].velocity = (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
}

static rgStatus suit_velocities(rgWorld* world, double h, bool outside) {
  rgProblemSet* set = &world->position;
  set->constraints_only = true;
  rg_joint_select(world);
  for (int i = 0; i < world->contact_count; i++)
    world->contacts[i].problem_contact = -1;
  rgStatus status = rg_world_build_islands(world, set);
  if (status != RG_OK)
    return status;
  fill_problem(world, h, outside);
  rgStop stop = {.tolerance = SUITED,
                 .start_tolerance = SUITED,
                 .iteration_limit = world->options.iteration_limit};
  status = rg_world_solve_islands(world, set, "auto", &stop);
  for (int k = 0; k < set->island_count && status == RG_OK; k++)
    take_velocities(world, &set->islands[k]);
  return status;
}

rgStatus rg_joint_suit_velocities(rgWorld* world, double h) {
  rgStatus status = suit_velocities(world, h, true);
  if (status == RG_OK)
    world->joints_stale = false;
  return status;
}

rgStatus rg_joint_end_ringing(rgWorld* world, double h) { return suit_velocities(world, h, false); }
