// gauss.c - accelerations by Gauss' principle, impacts as events (Redon, Kheddar, Coquillart 2002;
// Baraff, Mattikalli 1993; Cline 2002, 4.1).
//
// Between events the acceleration is the possible one nearest to the unconstrained one,
//
//     minimize 1/2 |a - a_u|_M^2   such that   J a + c >= 0 for what touches and does not part,
//                                              G a + c  = 0 for joints              (Redon et al. eq. 4)
//
// with the curvature c of gauss_contacts.c and gauss_rows.c (eq. 3), and the movement follows it
// by the method of Runge and Kutta (gauss_part.c). A part of a step that gains energy is too long for
// how fast bodies turn, and is made anew with half its length. One that ends in overlap is
// halved until it does not (Cline 2002, 4.1 step 6); halving goes on between the last time that is
// free and the first that is not, until a contact lies within the tolerance of touching, the
// overlap that projections leave alone. Touching contacts that approach are an impact, which takes
// no time:
//
//     minimize 1/2 |v+ - v|_M^2   such that   J v+ >= -e min(J v, 0),   G v+ = 0    (eq. 5, 6)
//
// The paper has -e J v for contacts that part as well, which would let them approach again at once.
//
// Sequences of Zeno end by two rules. An impact whose rebound, e u, would not lift the contact out
// of the tolerance against the acceleration of either body is without rebound, e = 0, and so is
// every impact of a step beyond the first IMPACTS_MAX. The same rule tells what rests: a contact
// that touches and parts so slowly that it would return before it leaves the tolerance.
//
// No friction: eq. 4 need not have a solution with it (Cline 2002, 2.7.3). Fourth order between
// events; an event is located to the tolerance. Costs four solves and a dozen narrow phases per
// contact and part: a scheme for few bodies and accurate answers.
#include "step/gauss/gauss.h"
#include "base/message.h"
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

enum {
  IMPACTS_MAX = 100,
  // Halvings for one event: 2^-40 of a step moves nothing by more than rounding.
  HALVINGS_MAX = 40,
  // Parts of a step after which events are no longer looked for. Each event may need as many parts
  // as halvings.
  PARTS_MAX = 5 * IMPACTS_MAX
};
// A part that gains more than this part of the energy at hand is not resolved: (h w)^5 at 0.4 rad
// (energy.c).
static const double RESOLVED = 0.01;
// Rounding of a relative velocity, as a part of the velocities it is the difference of.
static const double RATE_ROUNDING = 1e-13;

typedef struct Gauss {
  rgStep* step;
  rgWorld* world;        // of the step
  double h, elapsed, dt; // [s]
  double until; // [s] a time of the step at which there is overlap; infinite when none is known
  double scale; // [m/s] of the velocities that accelerations make at contacts and joints
  int impacts, halvings, parts;
  double work;    // [J]
  double longest; // [s] a part that is known to be resolved
} Gauss;

static bool touches(const rgWorld* world, const rgWorldContact* contact) {
  return contact->gap <= rg_stabilizer_allowed_overlap(world, contact);
}

// [m/s2] How fast a gap may bend: what unconstrained accelerations do to it on either side, and the
// curvature. Not their difference, which is nothing within a stack.
static double bending(const Gauss* gauss, const rgWorldContact* contact) {
  return rg_gauss_gap_push(gauss->step, contact) / gauss->h +
         fabs(rg_gauss_curvature(gauss->step, contact));
}

// Whether a contact that parts at a speed may be back before it leaves the tolerance.
static bool stays(const Gauss* gauss, const rgWorldContact* contact, double speed, double bend) {
  return speed <= 0 ||
         speed * speed <= 2 * bend * rg_stabilizer_allowed_overlap(gauss->world, contact);
}

static double point_speed(const rgBody* body, rgVec3 point) {
  return v3_norm(body->velocity.linear) +
         v3_norm(body->velocity.angular) * v3_norm(v3_sub(point, body->position));
}

// Approach that is no more than rounding and the tolerance of solves.
static double noise(const Gauss* gauss, const rgWorldContact* contact, double bend) {
  const rgWorld* world = gauss->world;
  double speed = point_speed(&world->bodies[contact->body_a], contact->point_a) +
                 point_speed(&world->bodies[contact->body_b], contact->point_b);
  return world->options.tolerance * gauss->h * bend + RATE_ROUNDING * speed;
}

// -------------------------------------------------------------------------------------------------
// Solves
// -------------------------------------------------------------------------------------------------

static rgStatus build(Gauss* gauss, rgGaussLevel level) {
  rgStep* step = gauss->step;
  rg_fill_select_joints(step);
  rg_fill_select_all_rows(step);
  rgStatus status = rg_islands_build(step, &step->velocity);
  if (status != RG_OK)
    return status;
  rg_fill_bodies(step);
  rg_fill_contacts(step);
  rg_gauss_rows(step, level, gauss->dt);
  for (int i = 0; i < step->velocity.contact_count; i++)
    if (step->velocity.contacts[i].cone != RG_CONE_FRICTIONLESS)
      return rg_world_fail(step->world, RG_ERROR_UNSUPPORTED,
                           "stepper gauss has no friction, and a contact has mu = %g: set cone to "
                           "frictionless or choose another stepper",
                           step->velocity.contacts[i].mu);
  return RG_OK;
}

static rgStatus solve(Gauss* gauss, double tolerance, double scale) {
  rgWorld* world = gauss->world;
  rgStop stop = {.tolerance = tolerance,
                 .iteration_limit = world->options.iteration_limit,
                 .time_limit = world->options.time_limit};
  rgStatus status =
      rg_islands_solve(gauss->step, &gauss->step->velocity, world->options.solver, &stop);
  if (status == RG_OK)
    rg_report_add(gauss->step, scale);
  return status;
}

// h c, what the stabilizer asks of an overlap, and what a contact that parts may lose of its speed.
static double acceleration_bias(const Gauss* gauss, const rgWorldContact* contact) {
  const rgWorld* world = gauss->world;
  double rate = rg_gauss_gap_rate(gauss->step, contact), alpha = rg_stabilizer_rate(world);
  double bias = gauss->h * rg_gauss_curvature(gauss->step, contact);
  double push = rg_stabilizer_contact_bias(world, contact); // alpha times the overlap
  if (push < 0)
    return bias + gauss->h * alpha * (2 * rate + push);
  return bias + (rate > 0 ? gauss->h / gauss->dt * rate : 0);
}

// The constrained acceleration of the present state, times h, into v_free.
static rgStatus accelerate(rgStep* step, void* context, double* work) {
  Gauss* gauss = context;
  rgWorld* world = step->world;
  rgProblemSet* set = &step->velocity;
  rgStatus status = build(gauss, RG_GAUSS_ACCELERATION);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < set->contact_count; i++)
    set->contacts[i].bias[0] = acceleration_bias(gauss, &world->contacts[set->contact_order[i]]);
  status = solve(gauss, world->options.tolerance, 0);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < set->body_count; i++) {
    const double* v = &set->v[6 * i];
    step->bodies[set->body_order[i]].v_free = (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
  rg_fill_take_impulses(step);
  // Forces ask for the mean velocity of the step: at a substage it is the present one.
  for (int i = 0; i < world->body_slots; i++)
    step->bodies[i].turn_free = v3_scale(step->bodies[i].v_free.angular, gauss->h);
  rgJointRule joints = {.theta = 1};
  *work =
      rg_report_ground_work(step) + rg_fill_take_joints(step, &joints) + rg_fill_force_work(step);
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Impacts
// -------------------------------------------------------------------------------------------------

// Marks touching contacts, and those that rebound. Returns the largest approach beyond noise [m/s].
static double find_impacts(Gauss* gauss) {
  const rgWorld* world = gauss->world;
  double largest = 0;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    rgMark* mark = &gauss->step->contacts[i].mark;
    *mark = RG_MARK_OUT;
    if (!touches(world, contact))
      continue;
    double rate = rg_gauss_gap_rate(gauss->step, contact), bend = bending(gauss, contact);
    gauss->scale = fmax(gauss->scale, gauss->h * bend);
    if (rate < -noise(gauss, contact, bend))
      largest = fmax(largest, -rate);
    double rebound = -rg_fill_restitution(world, contact) * rate;
    bool rebounds = gauss->impacts < IMPACTS_MAX && !stays(gauss, contact, rebound, bend);
    *mark = rebounds ? RG_MARK_IMPACT : RG_MARK_IN;
  }
  return largest;
}

static rgStatus resolve_impacts(Gauss* gauss) {
  rgWorld* world = gauss->world;
  rgStep* step = gauss->step;
  rgProblemSet* set = &step->velocity;
  gauss->scale = 0;
  double approach = find_impacts(gauss), violation, scale;
  rg_gauss_joint_rates(step, &violation, &scale);
  gauss->scale = fmax(gauss->scale, scale);
  bool drifted = violation > world->options.tolerance * gauss->scale;
  if (approach == 0 && !drifted)
    return RG_OK;
  gauss->impacts += approach > 0;
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC)
      step->bodies[i].v_free = world->bodies[i].velocity;
  rgStatus status = build(gauss, RG_GAUSS_IMPACT);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < set->contact_count; i++) {
    int index = set->contact_order[i];
    const rgWorldContact* contact = &world->contacts[index];
    if (step->contacts[index].mark == RG_MARK_IMPACT)
      set->contacts[i].bias[0] +=
          rg_fill_restitution(world, contact) * rg_gauss_gap_rate(gauss->step, contact);
  }
  // What is smaller than accelerations make in a step need not be solved to more digits than they.
  double worst = fmax(approach, violation), tolerance = world->options.tolerance;
  if (gauss->scale > worst)
    tolerance = fmin(tolerance * gauss->scale / worst, 1);
  status = solve(gauss, tolerance, gauss->scale);
  if (status != RG_OK)
    return status;
  rg_fill_take_solution(step);
  rgJointRule joints = {.theta = 1};
  gauss->work += rg_report_ground_work(step) + rg_fill_take_joints(step, &joints);
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Parts of a step
// -------------------------------------------------------------------------------------------------

// Marks the contacts that rest, and the overlaps that are there.
static void find_resting(Gauss* gauss) {
  const rgWorld* world = gauss->world;
  rgGaussBody* bodies = gauss->step->gauss->bodies;
  for (int i = 0; i < world->body_slots; i++)
    bodies[i].overlap = 0;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    gauss->step->contacts[i].mark = RG_MARK_OUT;
    if (!touches(world, contact))
      continue;
    rgGaussBody *a = &bodies[contact->body_a], *b = &bodies[contact->body_b];
    a->overlap = fmax(a->overlap, -contact->gap);
    b->overlap = fmax(b->overlap, -contact->gap);
    double rate = rg_gauss_gap_rate(gauss->step, contact), bend = bending(gauss, contact);
    if (stays(gauss, contact, rate - noise(gauss, contact, bend), bend))
      gauss->step->contacts[i].mark = RG_MARK_IN;
  }
}

// Overlap that a body had at the start of the part; what is not dynamic does not count.
static double overlap_before(const rgStep* step, int slot) {
  bool dynamic = step->world->bodies[slot].kind == RG_BODY_DYNAMIC;
  return dynamic ? step->gauss->bodies[slot].overlap : HUGE_VAL;
}

// Whether the same features rested on each other at the start of the part. What they overlap is
// then no event but the error of the integration. The contacts of the start are the world's old
// ones, and the marks are still theirs.
static bool rested(const rgStep* step, int old_count, const rgWorldContact* contact) {
  for (int i = 0; i < old_count; i++) {
    const rgWorldContact* old = &step->world->search.old_contacts[i];
    if (step->contacts[i].mark != RG_MARK_OUT && old->shape_a == contact->shape_a &&
        old->shape_b == contact->shape_b && old->key == contact->key &&
        old->feature == contact->feature)
      return true;
  }
  return false;
}

// Whether the part has gone through something.
static bool overlaps(const rgStep* step, int old_count) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    double before =
        fmin(overlap_before(step, contact->body_a), overlap_before(step, contact->body_b));
    if (-contact->gap > rg_stabilizer_allowed_overlap(world, contact) + before &&
        !rested(step, old_count, contact))
      return true;
  }
  return rg_gauss_limit_passed(step);
}

// Whether the part has made more energy than the method leaves, beyond the work of outside: of the
// kinetic energy at its start and of what the weights may add to it. Turns are then too fast for it,
// or an answer has missed. Springs that are too stiff for the step gain energy, too, and let it fail:
// where there are forces, nothing is judged.
static bool is_resolved(const Gauss* gauss, rgEnergy before, double work) {
  const rgWorld* world = gauss->world;
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive)
      return true;
  double fall = gauss->dt * v3_norm(world->options.gravity), at_hand = before.kinetic + fabs(work);
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC)
      at_hand += 0.5 * world->bodies[i].mass * fall * fall;
  rgEnergy after = rg_world_energy(world);
  double gain = after.kinetic + after.potential - before.kinetic - before.potential - work;
  return gain <= RESOLVED * at_hand;
}

static int count_dynamic(const rgWorld* world) {
  int count = 0;
  for (int i = 0; i < world->body_slots; i++)
    count += world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC;
  return count;
}

// A part that is not resolved is made anew, half as long. When there were too many parts, bodies stop
// on their way instead.
static rgStatus cut_part(Gauss* gauss) {
  rg_gauss_return(gauss->step);
  gauss->longest = 0.5 * gauss->dt;
  if (gauss->parts >= PARTS_MAX) {
    gauss->elapsed = gauss->h;
    rg_report_stage(gauss->step, RG_STAGE_PASSING, 0, count_dynamic(gauss->world));
  }
  return rg_step_detect(gauss->step, gauss->h);
}

// One part: what rests, the movement, and whether it may stand.
static rgStatus make_part(Gauss* gauss) {
  rgWorld* world = gauss->world;
  rgEnergy before = rg_world_energy(world);
  bool searching = isfinite(gauss->until);
  gauss->dt = searching ? 0.5 * (gauss->until - gauss->elapsed) : gauss->h - gauss->elapsed;
  bool few = gauss->parts < PARTS_MAX;
  if (few)
    gauss->dt = fmin(gauss->dt, gauss->longest);
  bool whole = !searching && gauss->elapsed + gauss->dt >= gauss->h;
  find_resting(gauss);
  rg_gauss_mark(gauss->step);
  rgGaussPart part = {
      .elapsed = gauss->elapsed, .dt = gauss->dt, .accelerate = accelerate, .context = gauss};
  double work;
  int old_count = world->contact_count;
  rgStatus status = rg_gauss_move(gauss->step, &part, &work);
  if (status == RG_OK && !is_resolved(gauss, before, work) &&
      (few || rg_step_velocities_finite(gauss->step)))
    return cut_part(gauss);
  if (status == RG_OK && !rg_step_velocities_finite(gauss->step))
    status = rg_step_out_of_range(gauss->step);
  if (status == RG_OK)
    status = rg_step_detect(gauss->step, gauss->h);
  if (status != RG_OK)
    return status;
  bool last = gauss->halvings >= HALVINGS_MAX || !few;
  if (!last && overlaps(gauss->step, old_count)) {
    gauss->until = gauss->elapsed + gauss->dt;
    gauss->halvings++;
    rg_gauss_return(gauss->step);
    return rg_step_detect(gauss->step, gauss->h);
  }
  gauss->work += work;
  gauss->elapsed = whole ? gauss->h : gauss->elapsed + gauss->dt;
  gauss->halvings += searching;
  if (last)
    gauss->until = HUGE_VAL, gauss->halvings = 0;
  return RG_OK;
}

static rgStatus make_step(Gauss* gauss) {
  rgWorld* world = gauss->world;
  rgStatus status = RG_OK;
  double start = world->time;
  while (gauss->elapsed < gauss->h && status == RG_OK) {
    world->time = start + gauss->elapsed;
    rg_gauss_free(gauss->step);
    int impacts = gauss->impacts;
    status = resolve_impacts(gauss);
    if (status != RG_OK)
      break;
    if (gauss->impacts > impacts && impacts < IMPACTS_MAX)
      gauss->until = HUGE_VAL, gauss->halvings = 0;
    rg_gauss_free(gauss->step);
    world->time = start;
    status = make_part(gauss);
    gauss->parts++;
  }
  world->time = start;
  return status;
}

static rgStatus step_gauss(rgStep* step) {
  Gauss gauss = {.step = step,
                 .world = step->world,
                 .h = step->h,
                 .dt = step->h,
                 .longest = step->h,
                 .until = HUGE_VAL};
  step->theta = 1;
  step->world->rotors_stale = true; // rotors have the rates of their axes
  rgStatus status = rg_gauss_begin(step);
  if (status != RG_OK)
    return status;
  rg_fill_free_motion(step); // for what moves along a given motion
  status = make_step(&gauss);
  step->work = gauss.work;
  return status;
}

static rgStatus accepts(bool friction, rgMessage* message) {
  if (!friction)
    return RG_OK;
  return rg_fail(message, RG_ERROR_UNSUPPORTED,
                 "stepper gauss has no friction, and this world has: set cone to frictionless or "
                 "choose another stepper");
}

const rgStepper rg_stepper_gauss = {
    .name = "gauss",
    .summary = "accelerations by Gauss' principle, impacts located as events; without friction",
    .reference = "Redon, Kheddar, Coquillart 2002, eq. 3-6; Cline 2002, section 4.1",
    .accepts = accepts,
    .step = step_gauss,
};
