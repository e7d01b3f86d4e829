// step.c - one step of the world, whatever the stepper: contacts before, certificate after.
#include "step/step.h"

static double largest_overlap(const rgWorld* world) {
  double overlap = 0;
  for (int i = 0; i < world->contact_count; i++)
    overlap = fmax(overlap, -world->contacts[i].gap);
  return overlap;
}

rgStatus rg_world_step(rgWorld* world, rgCertificate* certificate) {
  double h = world->options.step;
  const rgStepper* stepper = rg_stepper_find(world->options.stepper);
  if (!stepper)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stepper \"%s\"",
                         world->options.stepper);
  const rgStabilizer* stabilizer = rg_stabilizer_find(world->options.stabilizer);
  if (!stabilizer)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is no stabilizer \"%s\"",
                         world->options.stabilizer);
  if (world->contacts_stale) {
    rgStatus status = rg_world_check(world);
    if (status == RG_OK)
      status = rg_world_detect(world, h);
    if (status != RG_OK)
      return status;
  }
  rgEnergy before = rg_world_energy(world);
  rgCertificate result = {0};
  double work = 0;
  rgStatus status = stepper->step(world, h, &result, &work);
  if (status != RG_OK)
    return status;
  double start = world->time;
  world->time += h;
  world->steps++;

  // From here on the step is done: should memory run out while the new contacts are sought, the
  // next step seeks them again and reports it before anything moves.
  status = rg_world_detect(world, h);
  if (status == RG_OK && stabilizer->correct)
    status = stabilizer->correct(world, h);
  if (status != RG_OK)
    world->contacts_stale = true;
  rgEnergy after = rg_world_energy(world);
  result.penetration = largest_overlap(world);
  result.joint_error = rg_world_joint_error(world);
  result.energy = after.potential - before.potential - work;
  if (!stepper->no_inertia)
    result.energy += after.kinetic - before.kinetic;
  // a stepper without inertia has no kinetic energy in its balance, but the bodies have velocities
  if (!isfinite(result.energy) || !isfinite(after.kinetic) || !isfinite(after.potential)) {
    world->time = start;
    world->steps--;
    status = rg_step_out_of_range(world, h);
    rg_step_take_back(world);
    return status;
  }
  world->certificate = result;
  if (certificate)
    *certificate = result;
  return RG_OK;
}
