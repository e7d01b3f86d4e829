// asleep.c - which islands sleep, and their answer.
//
// Problem: an island at rest is solved again in every step, for velocities that mean nothing: they are what the
// impulses leave over within the tolerance,
//
//     v = v_free + W r,      |v| <= tolerance * scale,
//
// and move its bodies by next to nothing.
//
// Definition. An island may sleep where (0, r), zero velocity with the impulses that it has, answers the discrete
// problem of the step. The certificate judges that as it judges any answer, with the same measures, scale and
// tolerance: |v_free + W r - 0| in the balance of momentum, contact laws and rows at v = 0. The velocities of the
// start are in v_free: what moves by more than the tolerance does not pass. Sleeping is this answer in place
// of the solver's. A solver's answer that misses the tolerance is never replaced.
//
// How long it has to be quiet. A relative imbalance b of its impulses adds b to the velocity over the scale in each step, so
// that an island that is about to move passes at first. The steps of a run leave an imbalance of up to a fiftieth of
// the tolerance alone, as a warm start that is good enough (solve_islands.c): after 50 steps, what is larger than
// that has become visible. An island sleeps when it has passed for so many steps in a row. This is a number of
// steps because the imbalance is one of impulses, of which each step adds one; neither a length nor a velocity
// enters but those of the certificate, and units do not matter.
//
// Asleep. Its velocities are zero, its bodies do not move by a bit, and its impulses stay as they are where
// the start needed no solve. What is lost is the kinetic energy that it had, and nothing is gained. The next step has
// the problem of the same configuration, with the imbalance of one step alone, and is judged again: the
// certificate of each step is one of all islands. An island wakes as a whole in the step in which this judgement fails,
// for whatever reason: a body that comes within the reach of contacts at a velocity above the tolerance, a force,
// a motor, gravity, a support that is gone. Where something about a body was changed but not enough to fail it,
// velocity, place or the force on it, the count begins anew.
//
// State. Each body has the number of steps for which it was quiet (rgBody.quiet), in snapshots as well. An island has
// the least of its bodies, which all get that: who joins an island that sleeps wakes it.
//
// A body that no contact and no row touches sleeps when it is at rest and nothing moves it: in space without gravity.
//
// Cost while awake: one look at velocities per step, and a certificate once they are small. An island that sleeps is judged
// before it would be solved, which takes the place of the judgement of a warm start, or not at all (kept.c).
#include "solve/solver.h"
#include "step/sleep/sleep.h"

#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

// Whether the velocities of an island are small enough to be looked at: the balance of momentum misses at least that
// of the fastest body, as the answer of a solver has none left.
static bool is_slow(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  double most = step->world->options.tolerance * island->report.certificate.scale;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    const double* v = &set->v[6 * (size_t)i];
    double fastest = larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(fastest <= most))
      return false;
  }
  return true;
}

// Whether zero velocity with the impulses that it has answers the problem of an island.
static bool is_quiet(const rgStep* step, const rgIsland* island, rgCertificate* certificate) {
  if (!island->report.certificate.met || island->plain || !is_slow(step, island))
    return false;
  rgProblem problem = rg_island_problem(&step->velocity, island);
  rgSolution solution = rg_island_solution(&step->velocity, island);
  solution.v = step->scratch.zeros;
  rg_problem_certify(&problem, &solution, step->world->options.tolerance, certificate);
  return certificate->met;
}

// For how many steps all bodies of an island have been quiet.
static int quiet_before(const rgStep* step, const rgIsland* island) {
  int least = RG_QUIET_MOST;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int quiet = step->world->bodies[step->velocity.body_order[i]].quiet;
    least = quiet < least ? quiet : least;
  }
  return least;
}

// One step more. As it falls asleep an island may have to be solved once more before its impulses are kept; when it has
// to be solved later, its problem has become another one.
static int quiet_after(int before, bool solved) {
  if (solved && before > RG_QUIET_STEPS)
    return 0;
  if (solved && before == RG_QUIET_STEPS)
    return RG_QUIET_STEPS;
  return before < RG_QUIET_MOST ? before + 1 : RG_QUIET_MOST;
}

static void put_to_rest(rgStep* step, int slot) {
  rgBody* body = &step->world->bodies[slot];
  rgTwist zero = {{0, 0, 0}, {0, 0, 0}};
  body->velocity = zero;
  step->bodies[slot].sleeps = true;
  step->bodies[slot].work = 0;
}

// The impulses of its contacts to the last bit: through the frames of the problem they would be rounded in each step.
static void keep_impulses(rgStep* step, const rgIsland* island) {
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    int index = step->velocity.contact_order[i];
    if (index >= step->kept.contact_count)
      continue;
    step->world->contacts[index].impulse = step->kept.contacts[index].impulse;
    step->world->contacts[index].torsion = step->kept.contacts[index].torsion;
  }
}

static void take_zero(rgStep* step, rgIsland* island, const rgCertificate* zero) {
  rgProblemSet* set = &step->velocity;
  rgCertificate* certificate = &island->report.certificate;
  certificate->dynamics = zero->dynamics;
  certificate->joint = zero->joint;
  certificate->signorini = zero->signorini;
  certificate->coulomb = zero->coulomb;
  certificate->scale = zero->scale;
  certificate->residual = zero->residual;
  memset(&set->v[6 * (size_t)island->body_start], 0,
         6 * (size_t)island->body_count * sizeof *set->v);
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    put_to_rest(step, set->body_order[i]);
  if (island->report.iterations == 0)
    keep_impulses(step, island);
}

static void answer(void* context, rgIsland* island) {
  rgStep* step = context;
  rgCertificate zero;
  int before = quiet_before(step, island), quiet = 0;
  if (island->sleeps)
    zero = island->report.certificate;
  if (island->sleeps || is_quiet(step, island, &zero))
    quiet = quiet_after(before, island->report.iterations > 0);
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    step->world->bodies[step->velocity.body_order[i]].quiet = (uint8_t)quiet;
  island->sleeps = quiet >= RG_QUIET_STEPS;
  if (island->sleeps)
    take_zero(step, island, &zero);
}

static bool twist_is_zero(const rgTwist* twist) {
  return v3_equal(twist->linear, v3_zero()) && v3_equal(twist->angular, v3_zero());
}

// Bodies that are in no island.
static void answer_alone(rgStep* step, int slot) {
  rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  bool quiet = twist_is_zero(&scratch->start_velocity) && twist_is_zero(&scratch->v_free);
  body->quiet = (uint8_t)(quiet ? quiet_after(body->quiet, false) : 0);
  if (body->quiet >= RG_QUIET_STEPS)
    put_to_rest(step, slot);
}

// Velocities of an island at rest.
static rgStatus reserve_zeros(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  int most = 0, room = step->scratch.zeros_capacity;
  for (int k = 0; k < set->island_count; k++)
    most = set->islands[k].body_count > most ? set->islands[k].body_count : most;
  if (!RG_SET_RESERVE(step->world, &step->scratch, zeros, 6 * most))
    return rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for islands that sleep");
  if (step->scratch.zeros_capacity > room)
    memset(step->scratch.zeros, 0,
           (size_t)step->scratch.zeros_capacity * sizeof *step->scratch.zeros);
  return RG_OK;
}

static void settle(void* context, rgIsland* island) {
  rgStep* step = context;
  rgProblemSet* set = &step->velocity;
  if (island->settled || island->follows || quiet_before(step, island) <= RG_QUIET_STEPS)
    return;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  rgSolveReport* report = &island->report;
  solution.v = step->scratch.zeros;
  rg_problem_certify(&problem, &solution, step->world->options.tolerance, &report->certificate);
  island->settled = island->sleeps = report->certificate.met;
  if (!island->sleeps)
    return;
  report->status = RG_OK;
  report->solver = rg_solver_find(step->world->options.solver)->name;
  report->start_residual = report->certificate.residual;
  memset(&set->v[6 * (size_t)island->body_start], 0,
         6 * (size_t)island->body_count * sizeof *set->v);
}

rgStatus rg_sleep_settle(rgStep* step) {
  rgStatus status = reserve_zeros(step);
  if (status == RG_OK)
    rg_islands_each(step, &step->velocity, settle, step);
  return status;
}

void rg_sleep_answer(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC &&
        step->bodies[i].problem_body < 0)
      answer_alone(step, i);
  rg_islands_each(step, &step->velocity, answer, step);
}

// Whether a body ended the step where it began it, at rest and under the same force. In the step in which it falls
// asleep it may have been pushed by what it loses.
static bool has_rested(const rgBody* body, const rgBodyState* before) {
  return v3_equal(body->position, before->position) &&
         memcmp(&body->orientation, &before->orientation, sizeof body->orientation) == 0 &&
         twist_is_zero(&body->velocity) && v3_equal(body->applied.force, before->applied.force) &&
         v3_equal(body->applied.torque, before->applied.torque);
}

void rg_sleep_check(rgStep* step) {
  rgWorld* world = step->world;
  world->counts.asleep = 0;
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    if (!body->alive || body->quiet < RG_QUIET_STEPS)
      continue;
    if (body->quiet > RG_QUIET_STEPS && !has_rested(body, &step->bodies[i].before))
      body->quiet = 0;
    world->counts.asleep += body->quiet >= RG_QUIET_STEPS;
  }
}
