// harmless.c - answers that miss, made unable to gain energy.
//
// An iteration that is stopped, or a law that does not know of the other impulses of its island, may
// leave impulses that do work on the bodies. Along the part s of all impulses of an island its energy
// changes by (energy.c)
//
//     dE(s) = dE(0) + b s + a s^2 / 2,      a = P . M^-1 P,
//
// where dE(0) <= 0 is that of the free motion. With X of what dE(1) is beyond what is allowed, at most
// s times that much is gained beyond dE(0) at the part
//
//     s = 1 - 2 X / a,
//
// so that an answer that is nearly right is nearly kept, momentum is kept, and impulses stay inside
// their cones. Without inertia (first_order.c) there is no kinetic energy, and dE is linear in s: s = 1 -
// X / b with b = -h F . M^-1 P. With turning bodies this is not exact: the movement is made on trial and measured,
// and after a few such cuts the island moves freely.
//
// An answer whose gain can be taken out of the kinetic energy it leads to (energy.c) is kept, unless it
// gains so much that it is none: less support lets piles sink, less speed does not.
//
// Islands are looked at that could gain: that missed their tolerance, that took the plain step, and
// those with impacts at theta > 1/2, whose laws hold each by itself.
#include "problem/operator.h"
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/sum.h"
#include "step/tree/tree.h"

#include <string.h>

enum { CUTS = 4 };
// What is gained beyond this part of the energy that impulses may pass on is not near an answer.
static const double SANE = 0.1;

static bool may_harm(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  if (!island->report.certificate.met || island->plain)
    return true;
  int end = step->theta > 0.5 ? island->contact_start + island->contact_count : 0;
  for (int i = island->contact_start; i < end; i++)
    if (step->contacts[set->contact_order[i]].mark == RG_MARK_IMPACT)
      return true;
  return false;
}

static rgBodyState state_of(const rgBody* body) {
  return (rgBodyState){.position = body->position,
                       .orientation = body->orientation,
                       .velocity = body->velocity,
                       .momentum = body->momentum,
                       .momentum_of = body->momentum_of};
}

static void put_back(const rgBodyState* kept, rgBody* body) {
  body->position = kept->position;
  body->orientation = kept->orientation;
  body->velocity = kept->velocity;
  body->momentum = kept->momentum;
  body->momentum_of = kept->momentum_of;
}

static void keep(rgStep* step, const rgIsland* island) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = step->velocity.body_order[i];
    step->scratch.trial[slot] = state_of(&step->world->bodies[slot]);
  }
}

static void take_back(rgStep* step, const rgIsland* island) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = step->velocity.body_order[i];
    put_back(&step->scratch.trial[slot], &step->world->bodies[slot]);
  }
}

// A body that is moved there and back: what it gains, has then, and what stands in for its mass has.
static void write_trials(const rgStep* step, const void* context, int first, int end,
                         double* terms) {
  const rgIsland* island = context;
  const int* slots = &step->velocity.body_order[island->body_start];
  for (int i = first; i < end; i++, terms += 3) {
    int ahead = slots[rg_ahead(i, RG_SLOTS_AHEAD, island->body_count)];
    rgBody* body = &step->world->bodies[slots[i]];
    rg_prefetch(&step->world->bodies[ahead], sizeof *body);
    rg_prefetch(&step->bodies[ahead], sizeof *step->bodies);
    rgBodyState kept = state_of(body);
    rg_step_move_body(step, slots[i]);
    terms[1] = rg_energy_of_body(body);
    terms[0] = rg_energy_gain_of_body(step, slots[i], terms[1]);
    terms[2] = rg_energy_of_stand_in(body, body->velocity);
    put_back(&kept, body);
  }
}

// An island that is held, of bodies that move each for itself, is tried body by body: its memory is gone through once.
static double try_bodies(const rgStep* step, rgIsland* island) {
  double sums[3] = {-island->outside, 0, 0};
  rg_step_sum(step, island->body_count, 3, write_trials, island, sums);
  double stand_ins = rg_energy_has_strayed(island) ? sums[2] : 0;
  double kinetic = sums[1] + rg_energy_of_rotors(step, island) + stand_ins;
  island->kinetic = step->account.massless ? 0 : fmax(0, kinetic);
  return sums[0] + fmax(0, stand_ins - rg_energy_stand_ins_had(step, island));
}

// What the island gains by its present answer, measured by moving it there and back.
static double try_movement(rgStep* step, rgIsland* island) {
  rg_energy_foresee(step, island);
  if (island->grounded && !island->follows)
    return try_bodies(step, island);
  keep(step, island);
  rg_step_move_island(step, island);
  double gain = rg_energy_gain(step, island);
  island->kinetic = rg_energy_payable(step, island);
  take_back(step, island);
  return gain;
}

// -h F . (v - v_free) of bodies whose velocities hold no energy.
static double impulse_lift(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  rgProblem problem = rg_island_problem(set, island);
  double lift = 0;
  for (int i = 0; i < island->body_count; i++) {
    const rgBody* body = &step->world->bodies[set->body_order[island->body_start + i]];
    const rgTwist* free = &problem.bodies[i].v_free;
    rgVec3 force = v3_axpy(body->applied.force, body->mass, step->world->options.gravity);
    lift -= v3_dot(force, v3_sub(body->velocity.linear, free->linear)) +
            v3_dot(body->applied.torque, v3_sub(body->velocity.angular, free->angular));
  }
  return step->h * lift;
}

// P . M^-1 P
static double impulse_size(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  memset(solution.v, 0, 6 * (size_t)island->body_count * sizeof(double));
  rg_problem_add_wrenches(&problem, &solution, solution.v);
  double size = 0;
  for (int i = 0; i < island->body_count; i++) {
    const double* p = &solution.v[6 * i];
    const rgTwist *v = &step->world->bodies[set->body_order[island->body_start + i]].velocity,
                  *free = &problem.bodies[i].v_free;
    size += v3_dot(v3(p[0], p[1], p[2]), v3_sub(v->linear, free->linear)) +
            v3_dot(v3(p[3], p[4], p[5]), v3_sub(v->angular, free->angular));
  }
  rg_problem_velocity(&problem, &solution); // as it was
  return size;
}

// Leaves the part of the impulses of an island, with the velocities that belong to it.
static void leave_part(rgStep* step, rgIsland* island, double part) {
  const rgProblemSet* set = &step->velocity;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  for (int i = 0; i < 4 * island->contact_count; i++)
    solution.r[i] = part > 0 ? part * solution.r[i] : 0;
  for (int i = 0; i < island->row_count; i++)
    solution.lambda[i] = part > 0 ? part * solution.lambda[i] : 0;
  rg_problem_velocity(&problem, &solution);
  for (int i = 0; i < island->body_count; i++) {
    const double* v = &solution.v[6 * i];
    step->world->bodies[set->body_order[island->body_start + i]].velocity =
        (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
  rg_fill_take_island_impulses(step, island);
}

static bool make_harmless(rgStep* step, rgIsland* island) {
  bool cut = false;
  for (int k = 0; k <= CUTS; k++) {
    double excess = try_movement(step, island) - rg_energy_may_gain(step, island);
    double payable = fmin(island->kinetic, SANE * island->body_count * island->at_hand);
    if (excess <= payable)
      break;
    rg_tree_end_bare(step, island);
    double size =
        step->account.massless ? impulse_lift(step, island) : 0.5 * impulse_size(step, island);
    double part = k < CUTS ? 1 - excess / size : 0;
    leave_part(step, island, part);
    cut = true;
  }
  if (cut)
    rg_energy_foresee(step, island);
  return cut;
}

static void certify(rgStep* step, rgIsland* island) {
  rgProblem problem = rg_island_problem(&step->velocity, island);
  rgSolution solution = rg_island_solution(&step->velocity, island);
  rgCertificate* certificate = &island->report.certificate;
  int iterations = certificate->iterations;
  rg_problem_certify(&problem, &solution, step->world->options.tolerance, certificate);
  certificate->iterations = iterations;
}

static void foresee_island(void* context, rgIsland* island) {
  rgStep* step = context;
  island->harms = may_harm(step, island);
  if (!island->harms)
    rg_energy_foresee(step, island);
}

bool rg_energy_make_harmless(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool any = false;
  rg_islands_each(step, set, foresee_island, step);
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    if (island->harms && make_harmless(step, island)) {
      certify(step, island);
      any = true;
    }
  }
  return any;
}
