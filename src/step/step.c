// step.c - one step of the world, whatever the stepper: contacts before, certificate after.
//
// The order of a step: contacts of the present configuration; the stepper, which finds the movement
// and moves the bodies; contacts of the new configuration; the stabilizer, which takes errors of
// position out of it; the balance of energy. A step that fails, wherever it does, leaves the world
// as it was before its movement, to the last bit: when there is memory again, the run goes on as if
// nothing had happened. A stepper that cuts its steps makes all of this for every part (parts.c).
#include "step/step.h"
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/parts.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/sleep/sleep.h"
#include "step/stabilize/close.h"
#include "step/stabilize/stabilizer.h"

static void measure_overlaps(void* context, int first, int end, double largest[2]) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++) // not by fmax, which may make -0 of 0 and of a gap of 0
    if (-world->contacts[i].gap > largest[0])
      largest[0] = -world->contacts[i].gap;
}

static double largest_overlap(rgWorld* world) {
  double overlap[2] = {0};
  rg_tasks_measure(world->threads.tasks, world->contact_count, measure_overlaps, world, overlap);
  return overlap[0];
}

static rgStatus choose(rgWorld* world, rgMethod* method) {
  const rgOptions* options = &world->options;
  method->stepper = rg_stepper_find(options->stepper);
  method->stabilizer = rg_stabilizer_find(options->stabilizer);
  if (!method->stepper)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stepper \"%s\"", options->stepper);
  if (!method->stabilizer)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stabilizer \"%s\"",
                         options->stabilizer);
  return RG_OK;
}

double rg_step_time_after(double time, int64_t steps, double h) {
  double count = (double)steps;
  return time == count * h ? (count + 1) * h : time + h;
}

// The movement, the contacts of its end, the corrections of the stabilizer; `moved` is the energy
// before these. A movement that passes something is not corrected.
static rgStatus advance(rgStep* step, const rgMethod* method, rgEnergy* moved) {
  rgWorld* world = step->world;
  const rgStabilizer* stabilizer = method->stabilizer;
  rgStatus status = method->stepper->step(step);
  if (status == RG_OK && !rg_step_poses_finite(step)) // before contacts are sought there
    status = rg_step_out_of_range(step);
  if (status != RG_OK)
    return status;
  world->time = rg_step_time_after(world->time, world->steps, step->h);
  world->steps++;
  status = rg_step_detect_end(step);
  if (status == RG_OK && method->end)
    *method->end = rg_parts_end(step);
  if (method->end && *method->end >= RG_PART_PASSES)
    return status;
  *moved = rg_fill_moved_energy(step);
  if (status != RG_OK || !(stabilizer->correct || step->round.closes))
    return status;
  rgPhase before = rg_phase_begin(&world->user.phases, RG_PHASE_POSITION);
  if (stabilizer->correct)
    status = stabilizer->correct(step);
  if (status == RG_OK && step->round.closes)
    status = rg_close_gaps(step);
  rg_phase_end(&world->user.phases, before);
  return status;
}

// A stepper without inertia has no kinetic energy in its balance, but the bodies have velocities.
static double change(rgEnergy from, rgEnergy to, bool inertia) {
  return to.potential - from.potential + (inertia ? to.kinetic - from.kinetic : 0);
}

// Where a solve that missed has made 1e16 times what there was, the first payment leaves its rounding.
enum { PAYMENTS = 3 };

// Takes back what the step has made from nothing and completes its certificate, `moved` being the
// energy before the stabilizer; fails when what the step has led to is no state.
static rgStatus judge(rgStep* step, bool inertia, rgEnergy before, rgEnergy moved) {
  rgWorld* world = step->world;
  rgEnergy after = step->account.corrected ? rg_fill_energy(step) : moved;
  rgCertificate* result = &step->certificate;
  for (int i = 0; i < PAYMENTS; i++) {
    if (!rg_energy_pay(step, change(before, after, inertia) - step->work))
      break;
    after = rg_fill_energy(step);
  }
  result->penetration = largest_overlap(world);
  result->joint_error =
      step->account.judged ? step->account.joint_error : rg_fill_joint_error(step);
  rg_causes_balance(step, inertia, change(before, after, inertia) - step->work,
                    change(moved, after, inertia));
  rg_report_stage(step, RG_STAGE_ENERGY, rg_energy_bound(step, result->energy), result->energy);
  bool finite = isfinite(result->energy) && isfinite(after.kinetic) && isfinite(after.potential);
  return finite ? RG_OK : rg_step_out_of_range(step);
}

rgStatus rg_step_make(rgWorld* world, const rgMethod* method, double h) {
  bool judged = rg_step_goes_on(world); // the certificate is of this state
  rgStep* step;
  rgStatus status = rg_step_begin(world, h, &step);
  if (status != RG_OK)
    return status;
  if (method->ahead > 0)
    step->part.ahead = method->ahead;
  world->unchecked = false;
  world->problems_valid = false;
  rgEnergy before = rg_fill_start_energy(step), moved;
  rg_step_keep(step);
  double joint_error = judged ? world->certificate.joint_error : rg_fill_joint_error(step);
  rg_energy_begin(step, fmax(largest_overlap(world), joint_error));
  rg_report_begin(step);
  step->stepper = method->stepper->name;
  rgPhase phase = rg_phase_begin(&world->user.phases, RG_PHASE_PROBLEM);
  status = advance(step, method, &moved);
  rg_phase_end(&world->user.phases, phase);
  bool passes = status == RG_OK && method->end && *method->end >= RG_PART_PASSES;
  if (status == RG_OK && !passes)
    status = judge(step, !method->stepper->no_inertia, before, moved);
  if (status != RG_OK || passes) {
    rg_step_take_back(step);
    return status;
  }
  world->problems_valid = true;
  world->certificate = step->certificate;
  if (world->options.sleeping) {
    rg_sleep_check(step);
    rg_sleep_note(step);
  }
  return RG_OK;
}

static rgStatus make_step(rgWorld* world, rgCertificate* certificate) {
  if (rg_sleep_is_still(world)) {
    rg_sleep_go_on(world);
    if (certificate)
      *certificate = world->certificate;
    return RG_OK;
  }
  rgMethod method = {0};
  double h = world->options.step;
  rgStatus status = choose(world, &method);
  if (status == RG_OK && (world->search.stale || world->unchecked))
    status = rg_world_check(world);
  rgPhase phase = rg_phase_begin(&world->user.phases, RG_PHASE_CONTACTS);
  if (status == RG_OK && world->search.stale)
    status = rg_world_detect(world, h);
  rg_phase_end(&world->user.phases, phase);
  if (status == RG_OK && !world->search.seams.known) // a snapshot has contacts, but no seams
    status = rg_world_find_seams(world);
  if (status == RG_OK)
    status =
        method.stepper->cuts ? rg_parts_make(world, &method, h) : rg_step_make(world, &method, h);
  if (status == RG_OK && certificate)
    *certificate = world->certificate;
  return status;
}

// What is in no other phase counts as its balance.
rgStatus rg_world_step(rgWorld* world, rgCertificate* certificate) {
  rgPhase before = rg_phase_begin(&world->user.phases, RG_PHASE_ENERGY);
  const rgSensing* sensing = &world->user.sensing;
  if (sensing->begin)
    sensing->begin(world);
  rgStatus status = make_step(world, certificate);
  if (status == RG_OK && sensing->end)
    sensing->end(world);
  rg_phase_end(&world->user.phases, before);
  return status;
}
