// parts.c - a step that is cut into parts at its impacts (Cline 2002, 4.1 step 6).
//
// A step is tried as a whole, with the contacts that touch at its start. If bodies overlap at its end,
// it is made anew with half the length, until they do not; that is a part, from whose end the next one
// starts. Once a part was too long, the time at which bodies overlap is known, and the next part goes
// half of the way to it, not of the way to the end of the step: the same times as if each part were
// tried at full length first, without those that are known to overlap. It ends where something touches
// that did not before, within the overlap that projections leave alone on either side. The next part has
// that contact in its problem, with its restitution and friction.
//
// Each part is a step by itself: free motion, problem, solve, contacts, post-stabilization, certificate
// and balance of energy. Cline interpolates positions and keeps the velocities of the whole step, by
// which a body would have the weight of a time that it has not moved through; here the shorter part is
// solved, so that the balance of energy of every part holds.
//
// An impact gives a contact the velocity -e u at the end of its part, and so takes from it the weight of the whole part: a
// ball of mass m that bounces in a part of length dt gains m g e |u| dt. So a part that begins with an impact
// is made as short as 2^-20 of the step, and the next one flies.
//
// What overlaps with the same features that were in the problem is no event but the error of the
// movement along the tangent, and the stabilizer's. Bodies that start in overlap are not looked for
// deeper than they start. Between the two ends of a part nothing is looked at, as in the paper; a part
// that leads through a contact by more than half the width of the smaller shape counts as passing, so
// that nothing fast is missed.
//
// An event costs about log2(h u / tolerance) parts, each a solve and a search for contacts. A body that
// comes to rest by ever smaller bounces would need ever more: beyond PARTS_MAX parts the rest of the step
// is one step of anitescu-potra, in which contacts that close are in the problem from the start.
#include "step/parts.h"

#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

enum {
  // Halvings for one event: 2^-40 of a step moves nothing by more than rounding.
  HALVINGS_MAX = 40,
  PARTS_MAX = 200
};
// Movement through a contact, as a part of the half-width of the smaller shape, that counts as passing.
static const double LEAP_PART = 0.5;
// Length of a part with impacts, as a part of the step.
static const double STRIKE_PART = 0x1p-20;

// -------------------------------------------------------------------------------------------------
// Events
// -------------------------------------------------------------------------------------------------

// Whether a contact was in the problem of the part; otherwise the overlap [m] that its shapes had at
// the start. The contacts of the start are the world's old ones, and the marks are still theirs.
static bool was_held(const rgStep* step, const rgWorldContact* contact, double* overlap) {
  *overlap = 0;
  for (int i = 0; i < step->part.contact_count; i++) {
    const rgWorldContact* old = &step->world->search.old_contacts[i];
    if (old->shape_a != contact->shape_a || old->shape_b != contact->shape_b)
      continue;
    bool same = old->key == contact->key && old->feature == contact->feature;
    if (same && step->contacts[i].mark != RG_MARK_OUT)
      return true;
    *overlap = fmax(*overlap, -old->gap);
  }
  return false;
}

static bool strikes(const rgStep* step) {
  if (step->h <= STRIKE_PART * step->part.ahead)
    return false;
  for (int i = 0; i < step->part.contact_count; i++)
    if (step->contacts[i].mark == RG_MARK_IMPACT)
      return true;
  return false;
}

rgPartEnd rg_parts_end(const rgStep* step) {
  const rgWorld* world = step->world;
  if (strikes(step))
    return RG_PART_STRIKES;
  rgPartEnd end = step->part.leaps ? RG_PART_PASSES : RG_PART_FREE;
  for (int i = 0; i < world->contact_count && end != RG_PART_PASSES; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    double allowed = rg_stabilizer_allowed_overlap(world, contact), overlap;
    if (contact->gap > allowed || was_held(step, contact, &overlap))
      continue;
    end = -contact->gap > allowed + overlap ? RG_PART_PASSES : RG_PART_TOUCHES;
  }
  return end;
}

static rgVec3 point_velocity(const rgStep* step, int slot, rgVec3 point) {
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 arm = v3_sub(point, step->bodies[slot].before.position);
  return v3_add(body->velocity.linear, v3_cross(body->velocity.angular, arm));
}

bool rg_parts_leaps(const rgStep* step) {
  for (int i = 0; i < step->world->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[i];
    if (step->contacts[i].mark != RG_MARK_OUT)
      continue;
    rgVec3 u = v3_sub(point_velocity(step, contact->body_a, contact->point_a),
                      point_velocity(step, contact->body_b, contact->point_b));
    if (contact->gap + step->h * v3_dot(contact->normal, u) < -LEAP_PART * contact->size)
      return true;
  }
  return false;
}

// -------------------------------------------------------------------------------------------------
// The parts of a step
// -------------------------------------------------------------------------------------------------

typedef struct Parts {
  double h, elapsed; // [s]
  double until; // [s] a time of the step at which there is overlap; infinite when none is known
  int halvings, count;
  bool strikes;      // the next part begins with an impact
  rgCertificate sum; // of the parts that were made
} Parts;

// What solves have cost, also those of parts that were taken back.
static void add_cost(rgCertificate* sum, const rgCertificate* part) {
  sum->iterations += part->iterations;
  sum->sweeps += part->sweeps;
  sum->factorizations += part->factorizations;
}

// Residuals and stages: the worst. Balances: the sum. Overlap and errors of joints: those of the end.
static void add_part(rgCertificate* sum, const rgCertificate* part) {
  int iterations = sum->iterations, sweeps = sum->sweeps, factorizations = sum->factorizations;
  double energy = sum->energy, tolerance = part->tolerance;
  rgStageReport balance = sum->stages[RG_STAGE_ENERGY], *made = &sum->stages[RG_STAGE_ENERGY];
  rg_certificate_worst(sum, part);
  made->asked = balance.asked + part->stages[RG_STAGE_ENERGY].asked;
  made->reached = balance.reached + part->stages[RG_STAGE_ENERGY].reached;
  sum->iterations = iterations;
  sum->sweeps = sweeps;
  sum->factorizations = factorizations;
  add_cost(sum, part);
  sum->tolerance = tolerance;
  sum->energy = energy + part->energy;
  sum->energy_contacts += part->energy_contacts;
  sum->energy_joints += part->energy_joints;
  sum->energy_integration += part->energy_integration;
  sum->energy_projection += part->energy_projection;
  sum->contacts = part->contacts > sum->contacts ? part->contacts : sum->contacts;
  sum->scale = fmax(sum->scale, part->scale);
  sum->penetration = part->penetration;
  sum->joint_error = part->joint_error;
}

static rgStatus make_part(rgWorld* world, const rgMethod* method, Parts* parts) {
  bool searching = isfinite(parts->until), few = parts->count < PARTS_MAX;
  bool whole = (!searching || !few) && !parts->strikes;
  double dt = whole ? parts->h - parts->elapsed : 0.5 * (parts->until - parts->elapsed);
  if (parts->strikes)
    dt = fmin(STRIKE_PART * parts->h, parts->h - parts->elapsed);
  parts->strikes = false;
  bool last = !few || parts->halvings >= HALVINGS_MAX;
  rgPartEnd end = RG_PART_FREE;
  rgMethod of_part = *method;
  if (!few)
    of_part.stepper = &rg_stepper_anitescu_potra;
  of_part.end = last ? NULL : &end;
  of_part.ahead = parts->h;
  rgStatus status = rg_step_make(world, &of_part, dt);
  parts->count++;
  if (status != RG_OK)
    return status;
  if (end == RG_PART_STRIKES) {
    add_cost(&parts->sum, &world->step->certificate);
    parts->strikes = true;
    return RG_OK;
  }
  if (end == RG_PART_PASSES) {
    add_cost(&parts->sum, &world->step->certificate);
    parts->until = parts->elapsed + dt;
    parts->halvings++;
    return RG_OK;
  }
  add_part(&parts->sum, &world->step->certificate);
  parts->elapsed = whole ? parts->h : parts->elapsed + dt;
  parts->halvings += searching;
  if (end == RG_PART_TOUCHES || last)
    parts->until = HUGE_VAL, parts->halvings = 0;
  return RG_OK;
}

rgStatus rg_parts_make(rgWorld* world, const rgMethod* method, double h) {
  Parts parts = {.h = h, .until = HUGE_VAL, .sum = {.met = true}};
  int64_t steps = world->steps;
  double start = world->time;
  rgStep* step;
  rgStatus status = rg_step_begin(world, h, &step);
  if (status == RG_OK)
    status = rg_step_keep_whole(step);
  if (status != RG_OK)
    return status;
  while (parts.elapsed < h && status == RG_OK)
    status = make_part(world, method, &parts);
  if (status != RG_OK) {
    rg_step_take_back_whole(step);
    return status;
  }
  world->steps = steps + 1;
  world->time = rg_step_time_after(start, steps, h);
  world->step->acted.parts = true; // the problems are those of the last one
  world->certificate = step->certificate = parts.sum;
  return RG_OK;
}
