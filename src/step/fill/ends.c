// ends.c - bodies in a step that is of second order and keeps energy, momentum and joints.
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
// G and the turns depend on the end of the step, so that the step is solved in rounds: the movement
// with the velocities found last, the rows that belong to it, impulses and velocities anew. A round
// gains a factor of about h |w|; the first starts from the impulses of the last step, which is
// already of second order. joint_client.c says when an island is settled. Contacts at theta < 1 have
// the same need, and get it in the same way: contact_ends.c.
#include "problem/operator.h"
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/tree/tree.h"

#include <string.h>

// Bodies moved from outside end where their motion takes them.
static void end_of_kinematic(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_KINEMATIC)
      continue;
    rgPose* end = &step->ends[i].pose;
    step->ends[i].turn = step->bodies[i].turn_free;
    end->position = v3_axpy(body->position, step->h, body->velocity.linear);
    end->orientation = rg_body_turned(body, body->orientation, step->h);
  }
}

// Adds s (1 - u u') to the stiffness of a body, u being a unit vector.
static void add_across(rgStep* step, int slot, rgVec3 unit, double s) {
  rgVec3 u = unit;
  rgMat3* k = &step->ends[slot].stiffness;
  double xy = -(u.x * u.y) * s, xz = -(u.x * u.z) * s, yz = -(u.y * u.z) * s;
  k->m[0][0] += (1 - u.x * u.x) * s;
  k->m[1][1] += (1 - u.y * u.y) * s;
  k->m[2][2] += (1 - u.z * u.z) * s;
  k->m[0][1] += xy, k->m[1][0] += xy;
  k->m[0][2] += xz, k->m[2][0] += xz;
  k->m[1][2] += yz, k->m[2][1] += yz;
}

// A force F at the arm r of a body that turns has the moment (r + r+) / 2 x F over the step. Where
// F pulls outward, a further turn takes from it: h theta / 2 (F . r) (1 - r r' / r^2) per angular
// velocity. Left out, rounds would diverge where a light body carries a heavy one, at h^2 F / (m r)
// beyond 1. Where F pushes, nothing is taken into account: the inertia must stay positive.
static void add_stiffness(rgStep* step, int slot, rgVec3 force, rgVec3 arm, double factor) {
  double pull = v3_dot(force, arm), length2 = v3_norm2(arm);
  if (slot >= 0 && pull > 0)
    add_across(step, slot, v3_scale(arm, 1 / sqrt(length2)), factor * pull);
}

// The impulses of a joint on its two bodies, by the multipliers of its rows from `row` on, or as they were
// in the last step.
static void joint_impulses(const rgStep* step, int slot, int row, bool last, rgVec3* on_a,
                           rgVec3* on_b) {
  const rgProblemSet* set = &step->velocity;
  *on_b = last ? v3_scale(step->world->joints[slot].reaction.force, step->h) : v3_zero();
  *on_a = v3_neg(*on_b);
  int end = last ? row : row + step->joints[slot].row_count;
  for (int i = row; i < end; i++) {
    *on_a = v3_axpy(*on_a, set->lambda[i], set->rows[i].g_a.linear);
    *on_b = v3_axpy(*on_b, set->lambda[i], set->rows[i].g_b.linear);
  }
}

static void collect_stiffness(rgStep* step, const rgIsland* island, bool last) {
  const rgProblemSet* set = &step->velocity;
  double factor = 0.5 * step->h * step->theta;
  for (int i = 0; i < island->body_count; i++) {
    rgEnd* end = &step->ends[set->body_order[island->body_start + i]];
    end->stiffness = m3_zero();
    end->pull = v3_zero();
  }
  int rows_end = island->row_start + island->row_count;
  for (int i = island->row_start; i < rows_end && set->row_joint[i] >= 0;) {
    int slot = set->row_joint[i];
    const rgJoint* joint = &step->world->joints[slot];
    const rgJointPlace* place = &step->joints[slot].place;
    int later = rg_step_prefetch_rows(step, i, rows_end);
    if (later >= 0) {
      rg_prefetch_line(&step->world->joints[later].reaction);
      rg_prefetch(&step->joints[later].place, offsetof(rgJointPlace, between));
    }
    rgVec3 on_a, on_b;
    joint_impulses(step, slot, i, last, &on_a, &on_b);
    add_stiffness(step, joint->body_a, on_a, place->arm_a, factor);
    add_stiffness(step, joint->body_b, on_b, place->arm_b, factor);
    i += step->joints[slot].row_count;
  }
}

// The same of contacts that are taken at the end of the step, whose arms wander as bodies turn
// (contact_ends.c): across the normal, by what earlier rounds have seen of it.
static void collect_contact_stiffness(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    int index = set->contact_order[i];
    const rgWorldContact* contact = &step->world->contacts[index];
    if (!rg_fill_knows_contact_end(step, index))
      continue;
    const rgContactEnd* end = &step->contact_ends[index];
    if (end->on_plane) {
      rgEnd* body = &step->ends[rg_fill_curved_body(step->world, contact)];
      body->stiffness = m3_add(&body->stiffness, &end->bending);
      body->pull = v3_add(body->pull, end->pull);
      continue;
    }
    add_across(step, contact->body_a, end->normal, end->stiffness_a);
    add_across(step, contact->body_b, end->normal, end->stiffness_b);
  }
}

static rgTwist twist_at(const double* v) {
  return (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

static void put_twist(double* v, rgTwist twist) {
  double numbers[6] = {twist.linear.x,  twist.linear.y,  twist.linear.z,
                       twist.angular.x, twist.angular.y, twist.angular.z};
  memcpy(v, numbers, sizeof numbers);
}

void rg_fill_follow_end(rgStep* step, int index, double theta) {
  rgProblemSet* set = &step->velocity;
  int slot = set->body_order[index];
  const rgBodyStep* body = &step->bodies[slot];
  rg_fill_free_motion_at(step, slot, twist_at(&set->v[6 * index]), theta, &step->ends[slot]);
  step->ends[slot].known = true;
  set->bodies[index] =
      (rgProblemBody){step->world->bodies[slot].inverse_mass, body->inverse_inertia, body->v_free};
}

// The ends alone: the problem stays the one that was certified.
static void find_ends(rgStep* step, const rgIsland* island, double theta) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    rg_fill_end_at(step, slot, twist_at(&set->v[6 * i]), theta, &step->ends[slot]);
    step->ends[slot].known = true;
  }
}

static void follow_island(rgStep* step, const rgIsland* island, double theta) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    rg_fill_follow_end(step, i, theta);
}

void rg_fill_follow_ends(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  end_of_kinematic(step);
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    bool guessed =
        island->settles && step->round.follows == 0; // its rows are filled by tree_newton.c
    if (!island->follows || island->settled || guessed)
      continue;
    collect_stiffness(step, island, false);
    if (step->contacts_at == RG_CONTACTS_END)
      collect_contact_stiffness(step, island);
    follow_island(step, island, step->theta);
  }
}

// Movements below this part of a body's extent change no geometry that could be seen.
static const double AT_REST = 1e-10;

static bool is_moving(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    const rgTwist* start = &step->bodies[slot].start_velocity;
    rgTwist end = twist_at(&set->v[6 * i]);
    double extent = step->world->bodies[slot].extent;
    double turn = step->h * (v3_norm(start->angular) + v3_norm(end.angular));
    double shift = step->h * (v3_norm(start->linear) + v3_norm(end.linear));
    if (turn > AT_REST || shift > AT_REST * extent)
      return true;
  }
  return false;
}

// Velocities of an island as at the start of the step.
static void start_island(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    put_twist(&set->v[6 * i], step->bodies[set->body_order[i]].start_velocity);
}

// With joints: twice, since the first rows are those of the start velocity. Trees need no more than these:
// tree_newton.c goes on from there.
static void guess_island(rgStep* step, rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  bool joints = rg_island_has_joints(set, island);
  if (joints)
    start_island(step, island);
  if (island->settles)
    rg_tree_go_on(step, island);
  collect_stiffness(step, island, island->settles);
  if (joints)
    follow_island(step, island, step->theta);
  island->follows = true;
  if (island->settles)
    return;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  rg_problem_velocity(&problem, &solution);
  island->follows = joints || is_moving(step, island);
  if (island->follows)
    follow_island(step, island, step->theta);
}

void rg_fill_guess_ends(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  end_of_kinematic(step);
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    island->follows = rg_island_has_joints(set, island) ||
                      (step->contacts_at != RG_CONTACTS_START && island->contact_count > 0);
    if (island->follows)
      guess_island(step, island);
  }
}

void rg_fill_forget_ends(rgStep* step, rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  island->follows = false;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    step->ends[slot].known = false;
    step->ends[slot].stiffness = m3_zero();
    rg_fill_free_motion_anew(step, slot);
  }
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++)
    step->contact_ends[set->contact_order[i]].known = false;
}

// The plain step is linear and loses energy, however slender a body is: its inertia is that of the
// start, and the end velocity turns with the body, so that its energy is the one that the problem
// knows, 1/2 v' M v. With rows G v = 0 the energy changes by lambda G (v + v_free) / 2 = -lambda G
// M^-1 G' lambda / 2 beyond that of the free motion, which loses energy too. With the inertia of any
// other orientation, cheap spin about a long axis would become expensive spin across it.
static void plain_free_motion(rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  rgBodyStep* out = &step->bodies[slot];
  if (body->rotation_locked)
    return;
  if (out->held)
    rg_fill_free_motion_anew(step, slot);
  out->inverse_inertia = rg_body_inverse_inertia(body, body->orientation);
  if (body->massless) // not that of the last guess
    out->v_free.linear =
        v3_axpy(out->start_velocity.linear, step->h * body->inverse_mass, body->applied.force);
  out->v_free.angular = rg_fill_free_spin(step, slot, 1);
  out->turn_free = v3_scale(out->v_free.angular, step->h);
}

void rg_fill_plain_step(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    if (island->settled)
      continue;
    island->plain = true;
    for (int i = 0; i < island->body_count; i++) {
      int slot = set->body_order[island->body_start + i];
      step->bodies[slot].plain = true;
      plain_free_motion(step, slot);
    }
  }
}

// Whether a body carries its angular momentum from step to step.
static bool carries(const rgBody* body) { return !body->isotropic && !body->rotation_locked; }

static bool carries_momentum(const rgStep* step, const rgIsland* island) {
  const int* slots = &step->velocity.body_order[island->body_start];
  for (int i = 0; i < island->body_count && !island->plain; i++)
    if (carries(&step->world->bodies[slots[i]]))
      return true;
  return false;
}

// Moves a body to the end of its step. The momentum is that of the impulses, not of the velocity,
// so that rounding does not add up. Returns the work of the applied forces.
static double finish_body(rgBody* body, const rgEnd* end, rgVec3 moment, bool plain) {
  double work = v3_dot(body->applied.force, v3_sub(end->pose.position, body->position)) +
                v3_dot(body->applied.torque, end->turn);
  body->position = end->pose.position;
  body->orientation = end->pose.orientation;
  body->velocity = end->guess;
  if (!carries(body))
    return work;
  if (plain) {
    body->velocity.angular = quat_rotate_exactly(quat_cayley(end->turn), end->guess.angular);
    return work;
  }
  body->momentum = v3_add(body->momentum, moment);
  body->velocity.angular = body->momentum_of =
      rg_fill_end_velocity(body, body->orientation, body->momentum);
  return work;
}

double rg_fill_finish_island(rgStep* step, const rgIsland* island) {
  rgProblemSet* set = &step->velocity;
  int rows_end = island->row_start + island->row_count;
  for (int i = island->row_start; i < rows_end && set->row_joint[i] >= 0;) {
    rgJointStep* joint = &step->joints[set->row_joint[i]];
    joint->plain = island->plain;
    i += joint->row_count;
  }
  find_ends(step, island, island->plain ? 1 : step->theta);
  if (island->trees)
    rg_fill_close_links(step, island);
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  bool moments = carries_momentum(step, island);
  if (moments) {
    memset(solution.v, 0, 6 * (size_t)island->body_count * sizeof(double));
    if (island->bare)
      rg_tree_add_moments(step, island, solution.v);
    else
      rg_problem_add_moments(&problem, &solution, solution.v);
  }
  double work = 0;
  for (int i = 0; i < island->body_count; i++) {
    int slot = set->body_order[island->body_start + i];
    rgVec3 moment = twist_at(&solution.v[6 * i]).angular;
    rgBodyStep* body = &step->bodies[slot];
    body->work = finish_body(&step->world->bodies[slot], &step->ends[slot], moment, island->plain);
    work += body->work;
  }
  for (int i = 0; i < island->body_count && moments; i++) // as it was
    put_twist(&solution.v[6 * i], step->ends[set->body_order[island->body_start + i]].guess);
  return work;
}

double rg_fill_finish_ends(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  double work = 0;
  for (int k = 0; k < set->island_count; k++)
    if (set->islands[k].follows) {
      rg_tree_note_changes(step, &set->islands[k]);
      work += set->islands[k].sleeps ? 0 : rg_fill_finish_island(step, &set->islands[k]);
    }
  return work;
}
