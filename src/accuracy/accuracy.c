// accuracy.c - a run whose step follows from its error.
//
// Given: a world, a length E, a time T. Wanted: steps with which no body is farther than E from the
// motion that the world has in the limit of short steps, up to T, and a bound of that distance.
//
// Two runs. The world F makes two steps of h/2 where a second run C makes one of h, over the same
// intervals. Neither is ever set to the state of the other, so that their distance d(t) (measure.c)
// holds all that errors have grown to, by whatever the motion amplifies them. With a step of order
// p the error of C is 2^p that of F, to leading order, and the error of F is d / (2^p - 1): at most
// d for p >= 1. The bound is
//
//     e(t) = 3 (max d(s) + r(t)) + z(t),      s <= t,                                          (1)
//
// three times because the leading order is not all, and C, whose events are not where F has cut its
// steps, may be off by less than 2^p times F; the largest d so far because two runs that differ in
// phase cross each other.
//
// Impacts. A step sees an impact at an end of it, so that its time is off by up to h/2 in F and h
// in C, each in its own way: by chance both may agree although neither is right, and a rule that
// cuts steps until they agree finds such chances. So the second part of (1) does not ask C. With
// velocities v0, v1, v2 at the ends of the two half steps, a jump J between them leaves open when
// it happened, and with it the positions by |J| h:
//
//     r = sum of h |v2 - 2 v1 + v0|.                                                          (2)
//
// A velocity that is off by g h after an impact, as at theta = 1, shifts the next one by as much
// once more, which the factor 3 holds. In smooth motion the bracket is h^2 / 4 times the third
// derivative of the position, and r is of second order: the same formula serves both, and nothing
// has to be classified. In an infinite sequence of bounces (Zeno) |J| h falls with the bounces:
// once it is below the tolerance of a step, bounces are no longer resolved, and what they leave is
// in r. z is what the certificates say: the largest overlap or joint error, and the sum of h times
// the residual velocity of the solves.
//
// The step. From the state of F, a step of h (the probe, also made by the shadow) is compared with
// the two half steps. The interval is taken when for every body
//
//     distance + h |difference of velocities| + h |v2 - 2 v1 + v0| <= tau.                    (3)
//
// (A difference of velocities need not last: at theta = 1 joints leave the velocity of the middle
// of the step, which is off by h/2 times the acceleration at the end of every one.) Otherwise h is
// halved, twice or more where (3) is missed by far; it is doubled after an interval that has an
// eighth of tau. Equal shares of error per interval cost least. h is H / 2^k on the grid of these
// numbers, H being the step of the options: all intervals end together at multiples of H.
//
// Passes. What tau has to be depends on how errors grow until T, which nobody knows beforehand. So
// tau begins as E / 4; when e outgrows E at some time, the run begins anew with a smaller tau: by
// the square of the factor by which e would be too large at T if it grew linearly (the error of a
// first-order step goes with h, the left side of (3) with h^2), from the largest that an interval
// had. A scene that amplifies errors exponentially gains a constant time per pass: when passes gain
// too little to reach T, the last one goes on and says from when on the bound is lost. So does one
// that has used its effort; its steps are then not cut any more.
//
// Cost: four steps of a world for two of F. Fails to see: errors that F and C share, such as those
// of a mesh that stands for a smooth surface, of a polygonal cone, or a decision (stick or slip,
// this side or that) that both take wrongly.
#include "accuracy/accuracy.h"
#include "base/message.h"
#include "world/world.h"

#include <stddef.h>

static const double SAFETY = 3;         // [-] in (1)
static const double FIRST_SHARE = 0.25; // [-] tau over E in the first pass
static const double ROOM = 1.0 / 8;     // [-] of tau, below which the step is doubled
// [-] by which a pass makes steps shorter than the last, where the error goes with the step.
static const double LEAST_CUT = 0.5, MOST_CUT = 1.0 / 32;
enum { PASSES = 6, CUT_MAX = 4, UNIT = 1 << RG_ACCURACY_LEVELS };

// -------------------------------------------------------------------------------------------------
// Making one
// -------------------------------------------------------------------------------------------------

rgAccuracyDef rg_accuracy_def(void) {
  rgOptions options = {0};
  rg_options_preset("default", &options);
  return (rgAccuracyDef){.length = 1e-3, .end = 1, .effort = options.effort};
}

static rgStatus check(rgWorld* world, rgWorld* shadow, const rgAccuracyDef* def,
                      rgMessage* message) {
  if (!(def->length > 0) || !isfinite(def->length))
    return rg_fail(message, RG_ERROR_INPUT, "the accuracy is %g m, must be finite and > 0",
                   def->length);
  if (!(def->end > world->time) || !isfinite(def->end))
    return rg_fail(message, RG_ERROR_INPUT,
                   "the end is %g s, must be finite and > %g s, the time of the world", def->end,
                   world->time);
  if (!(def->effort >= 8) || !isfinite(def->effort))
    return rg_fail(message, RG_ERROR_INPUT, "the effort is %g, must be finite and >= 8",
                   def->effort);
  if (world == shadow || world->body_count != shadow->body_count ||
      rg_world_fingerprint(world) != rg_world_fingerprint(shadow))
    return rg_fail(message, RG_ERROR_INPUT,
                   "the shadow is not a second world built by the same calls as the world");
  return RG_OK;
}

static void know_bodies(rgAccuracy* accuracy) {
  for (int i = 0; i < accuracy->body_count; i++) {
    rgBodyId id = rg_world_body(accuracy->world, i);
    rgMassProperties mass = rg_body_mass(accuracy->world, id);
    bool dynamic = rg_body_kind(accuracy->world, id) == RG_BODY_DYNAMIC;
    accuracy->bodies[i] = (rgAccuracyBody){
        .dynamic = dynamic,
        .id = id,
        .gyration = mass.mass > 0 ? m3_scale(&mass.inertia, 1 / mass.mass) : m3_zero(),
    };
  }
}

// Before the first interval of a pass; both runs are at the start.
static void begin_pass(rgAccuracy* accuracy, double tolerance) {
  rgAccuracyReport last = accuracy->pass.report;
  accuracy->pass = (rgAccuracyPass){
      .report = {.holds = true,
                 .held_until = accuracy->start,
                 .passes = last.passes + 1,
                 .tolerance = tolerance,
                 .total_steps = last.total_steps,
                 .spent = last.spent},
      .last_until = last.held_until,
  };
  for (int i = 0; i < accuracy->body_count; i++)
    accuracy->bodies[i].apart = accuracy->bodies[i].rough = 0;
}

static rgStatus begin(rgAccuracy* accuracy) {
  rgStatus status = rg_accuracy_keep(accuracy, accuracy->world, &accuracy->first);
  if (status == RG_OK)
    status = rg_accuracy_put(&accuracy->first, accuracy->shadow);
  if (status == RG_OK)
    status = rg_accuracy_keep(accuracy, accuracy->shadow, &accuracy->along);
  if (status == RG_OK)
    status = rg_accuracy_keep(accuracy, accuracy->world, &accuracy->fine);
  begin_pass(accuracy, FIRST_SHARE * accuracy->def.length);
  accuracy->pass.last_until = accuracy->start;
  return status;
}

int64_t rg_accuracy_limit(const rgAccuracyDef* def, double start, double step) {
  double intervals = ceil((def->end - start) / step);
  return (int64_t)fmin(def->effort * intervals, 1e18);
}

rgStatus rg_accuracy_create(rgWorld* world, rgWorld* shadow, const rgAccuracyDef* def,
                            rgAccuracy** accuracy, rgMessage* message) {
  *accuracy = NULL;
  rgStatus status = check(world, shadow, def, message);
  if (status != RG_OK)
    return status;
  rgAccuracy* made = rg_allocate(&world->memory.user, sizeof *made);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a run with an accuracy");
  double step = world->options.step;
  *made = (rgAccuracy){
      .world = world,
      .shadow = shadow,
      .allocator = world->memory.user,
      .def = *def,
      .step = step,
      .start = world->time,
      .limit = rg_accuracy_limit(def, world->time, step),
      .body_count = world->body_count,
  };
  made->bodies =
      rg_allocate(&made->allocator, ((size_t)made->body_count + 1) * sizeof *made->bodies);
  status = made->bodies ? RG_OK : RG_ERROR_MEMORY;
  if (status == RG_OK) {
    know_bodies(made);
    status = begin(made);
  }
  if (status != RG_OK) {
    rg_accuracy_destroy(made);
    return rg_fail(message, status, "not enough memory for a run with an accuracy");
  }
  *accuracy = made;
  return RG_OK;
}

// The step of a world; its contacts are sought anew when it changes.
static rgStatus set_step(rgWorld* world, double step) {
  if (world->options.step == step)
    return RG_OK;
  rgOptions options = world->options;
  options.step = step;
  return rg_world_set_options(world, &options);
}

void rg_accuracy_destroy(rgAccuracy* accuracy) {
  if (!accuracy)
    return;
  rgAllocator allocator = accuracy->allocator;
  rgAccuracyBlock* blocks[] = {&accuracy->first, &accuracy->fine, &accuracy->along};
  for (int i = 0; i < 3; i++)
    rg_release(&allocator, blocks[i]->data, blocks[i]->capacity);
  rg_release(&allocator, accuracy->bodies,
             ((size_t)accuracy->body_count + 1) * sizeof *accuracy->bodies);
  set_step(accuracy->world, accuracy->step);
  set_step(accuracy->shadow, accuracy->step);
  rg_release(&allocator, accuracy, sizeof *accuracy);
}

// -------------------------------------------------------------------------------------------------
// One interval
// -------------------------------------------------------------------------------------------------

// What an interval has come to before it is taken.
typedef struct Interval {
  double h;                     // [s] its length; the world makes steps of h / 2
  rgCertificate certificate[2]; // of these
  double miss;                  // [m] the left side of (3), the largest of all bodies
} Interval;

#define STATE(name) offsetof(rgAccuracyBody, name)

static rgStatus make_step(rgAccuracy* accuracy, rgWorld* world, rgCertificate* certificate) {
  accuracy->pass.report.total_steps++;
  return rg_world_step(world, certificate);
}

// One step of h of the shadow, from the state in the block.
static rgStatus shadow_step(rgAccuracy* accuracy, const rgAccuracyBlock* from, double h) {
  rgStatus status = set_step(accuracy->shadow, h);
  if (status == RG_OK)
    status = rg_accuracy_put(from, accuracy->shadow);
  return status == RG_OK ? make_step(accuracy, accuracy->shadow, NULL) : status;
}

static double roughness(const rgAccuracyBody* body, double h) {
  rgTwist later = rg_accuracy_twist_sub(body->after.velocity, body->middle.velocity);
  rgTwist sooner = rg_accuracy_twist_sub(body->middle.velocity, body->before.velocity);
  return h * rg_accuracy_speed(body, rg_accuracy_twist_sub(later, sooner));
}

static double largest_miss(const rgAccuracy* accuracy, double h) {
  double largest = 0;
  for (int i = 0; i < accuracy->body_count; i++) {
    const rgAccuracyBody* body = &accuracy->bodies[i];
    if (!body->dynamic)
      continue;
    rgTwist difference = rg_accuracy_twist_sub(body->probe.velocity, body->after.velocity);
    double miss = rg_accuracy_distance(body, &body->probe, &body->after) +
                  h * rg_accuracy_speed(body, difference) + roughness(body, h);
    if (!(miss <= largest)) // a NaN is as far as can be
      largest = miss >= 0 ? miss : (double)INFINITY;
  }
  return largest;
}

// The probe and the two half steps, with what they differ by.
static rgStatus compare(rgAccuracy* accuracy, Interval* interval) {
  rgWorld* world = accuracy->world;
  rgStatus status = shadow_step(accuracy, &accuracy->fine, interval->h);
  if (status != RG_OK)
    return rg_world_fail(world, status, "%s", rg_world_message(accuracy->shadow));
  rg_accuracy_read(accuracy, accuracy->shadow, STATE(probe));
  status = set_step(world, interval->h / 2);
  rg_accuracy_read(accuracy, world, STATE(before));
  if (status == RG_OK)
    status = make_step(accuracy, world, &interval->certificate[0]);
  rg_accuracy_read(accuracy, world, STATE(middle));
  if (status == RG_OK)
    status = make_step(accuracy, world, &interval->certificate[1]);
  rg_accuracy_read(accuracy, world, STATE(after));
  interval->miss = largest_miss(accuracy, interval->h);
  return status;
}

// Halvings that bring a miss below the tolerance if it falls with h^2; at least one.
static int halvings(double miss, double tolerance) {
  int count = 1;
  for (double rest = miss / 16; count < CUT_MAX && rest > tolerance; rest /= 4)
    count++;
  return count;
}

static bool can_cut(const rgAccuracy* accuracy) {
  return accuracy->pass.level < RG_ACCURACY_LEVELS && !accuracy->pass.report.spent;
}

static void cut(rgAccuracy* accuracy, int count) {
  int level = accuracy->pass.level + count;
  accuracy->pass.level = level < RG_ACCURACY_LEVELS ? level : RG_ACCURACY_LEVELS;
  accuracy->pass.report.cut++;
}

// The shadow's own run over the same interval. One that cannot go on leaves the error unknown.
static rgStatus follow(rgAccuracy* accuracy, double h) {
  rgAccuracyPass* pass = &accuracy->pass;
  if (pass->lost)
    return RG_OK;
  rgStatus status = shadow_step(accuracy, &accuracy->along, h);
  if (status == RG_ERROR_INPUT) {
    pass->lost = true;
    return RG_OK;
  }
  if (status == RG_OK)
    status = rg_accuracy_keep(accuracy, accuracy->shadow, &accuracy->along);
  if (status != RG_OK)
    return rg_world_fail(accuracy->world, status, "%s", rg_world_message(accuracy->shadow));
  rg_accuracy_read(accuracy, accuracy->shadow, STATE(probe));
  for (int i = 0; i < accuracy->body_count; i++) {
    rgAccuracyBody* body = &accuracy->bodies[i];
    if (!body->dynamic)
      continue;
    double apart = rg_accuracy_distance(body, &body->probe, &body->after);
    body->apart = apart > body->apart ? apart : body->apart;
    body->rough += roughness(body, h);
  }
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// What is known of the error
// -------------------------------------------------------------------------------------------------

static double error_of(const rgAccuracy* accuracy, const rgAccuracyBody* body) {
  if (!body->dynamic)
    return 0;
  if (accuracy->pass.lost)
    return (double)INFINITY;
  return SAFETY * (body->apart + body->rough) + accuracy->pass.slack;
}

double rg_accuracy_error(const rgAccuracy* accuracy, rgBodyId id) {
  int low = 0, high = accuracy->body_count; // bodies are in the order of the indices of their ids
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (accuracy->bodies[middle].id.index <= id.index)
      low = middle;
    else
      high = middle;
  }
  const rgAccuracyBody* body = &accuracy->bodies[low];
  bool known = high > 0 && body->id.index == id.index && body->id.generation == id.generation;
  return known ? error_of(accuracy, body) : 0;
}

static void judge(rgAccuracy* accuracy) {
  rgAccuracyReport* report = &accuracy->pass.report;
  for (int i = 0; i < accuracy->body_count; i++)
    report->estimate = fmax(report->estimate, error_of(accuracy, &accuracy->bodies[i]));
  report->holds = report->estimate <= accuracy->def.length;
  if (report->holds)
    report->held_until = accuracy->world->time;
}

// The certificate of an interval, added to that of several.
static void add_certificate(const rgCertificate* step, rgCertificate* sum) {
  rg_certificate_worst(sum, step);
  sum->tolerance = step->tolerance;
  sum->energy += step->energy;
  sum->energy_contacts += step->energy_contacts;
  sum->energy_joints += step->energy_joints;
  sum->energy_integration += step->energy_integration;
  sum->energy_projection += step->energy_projection;
  sum->iterations += step->iterations;
  sum->sweeps += step->sweeps;
  sum->factorizations += step->factorizations;
  sum->contacts = step->contacts > sum->contacts ? step->contacts : sum->contacts;
}

static void account(rgAccuracy* accuracy, const Interval* interval, rgCertificate* sum) {
  rgAccuracyPass* pass = &accuracy->pass;
  rgAccuracyReport* report = &pass->report;
  double open = 0, half = interval->h / 2;
  for (int i = 0; i < 2; i++) {
    const rgCertificate* step = &interval->certificate[i];
    pass->unsolved += half * step->residual * step->scale;
    open = fmax(open, fmax(step->penetration, step->joint_error));
    add_certificate(step, sum);
  }
  pass->slack = fmax(pass->slack, pass->unsolved + open);
  report->steps += 2;
  report->shortest = report->shortest > 0 ? fmin(report->shortest, half) : half;
  report->longest = fmax(report->longest, half);
  judge(accuracy);
}

// -------------------------------------------------------------------------------------------------
// The run
// -------------------------------------------------------------------------------------------------

// Takes the interval: the next one begins where it ends, with a longer step where there is room.
static void take(rgAccuracy* accuracy, double miss) {
  rgAccuracyPass* pass = &accuracy->pass;
  pass->largest = fmax(pass->largest, miss);
  pass->at = (pass->at + (UNIT >> pass->level)) % UNIT;
  bool room = miss <= ROOM * pass->report.tolerance || pass->report.spent;
  bool aligned = pass->level > 0 && pass->at % (UNIT >> (pass->level - 1)) == 0;
  if (room && aligned)
    pass->level--;
}

static rgStatus try_interval(rgAccuracy* accuracy, rgCertificate* sum) {
  rgAccuracyPass* pass = &accuracy->pass;
  pass->report.spent = pass->report.spent || pass->report.total_steps >= accuracy->limit;
  Interval interval = {.h = accuracy->step / (double)(1 << pass->level)};
  if (rg_accuracy_keep(accuracy, accuracy->world, &accuracy->fine) != RG_OK)
    return rg_world_fail(accuracy->world, RG_ERROR_MEMORY, "not enough memory for a snapshot");
  rgStatus status = compare(accuracy, &interval);
  bool failed = status == RG_ERROR_INPUT; // a state that is not finite: a shorter step may do
  if (status == RG_OK && (interval.miss <= pass->report.tolerance || !can_cut(accuracy)))
    status = follow(accuracy, interval.h);
  else if ((status == RG_OK || failed) && can_cut(accuracy)) {
    cut(accuracy, failed ? 1 : halvings(interval.miss, pass->report.tolerance));
    return rg_accuracy_put(&accuracy->fine, accuracy->world);
  }
  if (status != RG_OK) {
    rgMessage reason = accuracy->world->message;
    rg_accuracy_put(&accuracy->fine, accuracy->world);
    return rg_world_fail(accuracy->world, status, "%s", reason.text);
  }
  account(accuracy, &interval, sum);
  take(accuracy, interval.miss);
  return RG_OK;
}

rgStatus rg_accuracy_step(rgAccuracy* accuracy, rgCertificate* certificate) {
  rgCertificate sum = {.met = true};
  rgStatus status;
  int64_t made = accuracy->pass.report.steps;
  do
    status = try_interval(accuracy, &sum);
  while (status == RG_OK && (accuracy->pass.at != 0 || accuracy->pass.report.steps == made));
  if (certificate)
    *certificate = sum;
  return status;
}

// Another pass has to get as much farther as is left, shared by the passes that may follow.
bool rg_accuracy_outgrown(const rgAccuracy* accuracy) {
  const rgAccuracyReport* report = &accuracy->pass.report;
  if (report->holds || report->spent || report->passes >= PASSES)
    return false;
  double gained = report->held_until - accuracy->pass.last_until;
  double left = accuracy->def.end - report->held_until;
  return report->passes == 1 || gained * (PASSES - report->passes) >= left;
}

rgStatus rg_accuracy_restart(rgAccuracy* accuracy) {
  const rgAccuracyReport* report = &accuracy->pass.report;
  double part = (report->held_until - accuracy->start) / (accuracy->def.end - accuracy->start);
  double factor = part * accuracy->def.length / report->estimate, largest = accuracy->pass.largest;
  factor = factor < MOST_CUT || !(factor >= 0) ? MOST_CUT : fmin(factor, LEAST_CUT);
  rgStatus status = set_step(accuracy->world, accuracy->step);
  if (status == RG_OK)
    status = rg_accuracy_put(&accuracy->first, accuracy->world);
  if (status == RG_OK)
    status = rg_accuracy_keep(accuracy, accuracy->world, &accuracy->along);
  if (status == RG_OK)
    begin_pass(accuracy, fmin(report->tolerance, largest) * factor * factor);
  return status;
}

rgAccuracyReport rg_accuracy_report(const rgAccuracy* accuracy) { return accuracy->pass.report; }
