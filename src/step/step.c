// step.c - one step of the world, whatever the stepper: contacts before, certificate after.
//
// The order of a step: contacts of the present configuration; the stepper, which finds the movement
// and moves the bodies; contacts of the new configuration; the stabilizer, which takes errors of
// position out of it; the balance of energy. Until the stepper has moved the bodies, a failure
// leaves the world as it was.
#include "step/step.h"
#include "step/energy/energy.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static double largest_overlap(const rgWorld* world) {
  double overlap = 0; // not by fmax, which may make -0 of 0 and of a gap of 0
  for (int i = 0; i < world->contact_count; i++)
    if (-world->contacts[i].gap > overlap)
      overlap = -world->contacts[i].gap;
  return overlap;
}

static rgStatus choose(rgWorld* world, const rgStepper** stepper, const rgStabilizer** stabilizer) {
  const rgOptions* options = &world->options;
  *stepper = rg_stepper_find(options->stepper);
  *stabilizer = rg_stabilizer_find(options->stabilizer);
  if (!*stepper)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stepper \"%s\"", options->stepper);
  if (!*stabilizer)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stabilizer \"%s\"",
                         options->stabilizer);
  return RG_OK;
}

// The state at the end of the step is not a state: it is taken back.
static rgStatus fail_out_of_range(rgStep* step, double start) {
  step->world->time = start;
  step->world->steps--;
  rgStatus status = rg_step_out_of_range(step);
  rg_step_take_back(step);
  return status;
}

// A stepper without inertia has no kinetic energy in its balance, but the bodies have velocities.
static double change(rgEnergy from, rgEnergy to, bool inertia) {
  return to.potential - from.potential + (inertia ? to.kinetic - from.kinetic : 0);
}

// Takes back what the step has made from nothing and completes its certificate. `moved` is the energy
// before positions were corrected. False when the balance is not finite.
static bool settle(rgStep* step, const rgStepper* stepper, rgEnergy before, rgEnergy moved) {
  const rgWorld* world = step->world;
  rgCertificate* result = &step->certificate;
  bool inertia = !stepper->no_inertia, held = world->contact_count > 0 || world->joint_count > 0;
  rgEnergy after = held ? rg_world_energy(world) : moved;
  if (rg_energy_pay(step, change(before, after, inertia) - step->work))
    after = rg_world_energy(world);
  result->penetration = largest_overlap(world);
  result->joint_error = rg_world_joint_error(world);
  rg_causes_balance(step, inertia, change(before, after, inertia) - step->work,
                    change(moved, after, inertia));
  rg_report_stage(step, RG_STAGE_ENERGY, rg_energy_bound(step, result->energy), result->energy);
  return isfinite(result->energy) && isfinite(after.kinetic) && isfinite(after.potential);
}

rgStatus rg_world_step(rgWorld* world, rgCertificate* certificate) {
  const rgStepper* stepper;
  const rgStabilizer* stabilizer;
  double h = world->options.step, start = world->time;
  bool fresh = world->search.stale;
  rgStatus status = choose(world, &stepper, &stabilizer);
  if (status == RG_OK && world->search.stale) {
    status = rg_world_check(world);
    if (status == RG_OK)
      status = rg_world_detect(world, h, 0);
  }
  rgStep* step;
  if (status == RG_OK)
    status = rg_step_begin(world, h, &step);
  if (status != RG_OK)
    return status;
  rgEnergy before = rg_world_energy(world);
  world->problems_valid = false;
  rg_step_keep(step);
  double joint_error = fresh ? rg_world_joint_error(world) : world->certificate.joint_error;
  rg_energy_begin(step, fmax(largest_overlap(world), joint_error));
  rg_report_begin(step);
  status = stepper->step(step);
  if (status != RG_OK) {
    rg_step_take_back(step);
    return status;
  }
  world->time += h;
  world->steps++;
  world->problems_valid = true;

  // From here on the step is done: should memory run out while the new contacts are found, the next
  // step finds them again and reports it before anything moves.
  status = rg_step_detect(step, h);
  rgEnergy moved = rg_world_energy(world);
  if (status == RG_OK && stabilizer->correct)
    status = stabilizer->correct(step);
  if (status != RG_OK) {
    world->search.stale = true;
    rg_report_stage(step, RG_STAGE_PROJECTION, 0, HUGE_VAL);
  }
  if (!settle(step, stepper, before, moved))
    return fail_out_of_range(step, start);
  world->certificate = step->certificate;
  if (certificate)
    *certificate = step->certificate;
  return RG_OK;
}
