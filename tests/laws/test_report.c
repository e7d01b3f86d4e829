// The certificate of a step is that of its parts: the worst of its islands, the sum of what took its energy,
// the deepest of the contacts and the most open of the joints that can be read after it.
#include "support/arbitrary.h"
#include "test.h"

typedef struct Worst {
  double dynamics, joint, signorini, coulomb, scale, residual;
  int contacts, missed, islands;
} Worst;

static Worst worst_of(const rgWorld* world) {
  Worst worst = {0};
  worst.islands = rg_world_island_count(world);
  for (int i = 0; i < worst.islands; i++) {
    rgProblem problem;
    rgCertificate part;
    REQUIRE_INT(rg_world_island(world, i, &problem, NULL, &part), RG_OK);
    worst.dynamics = fmax(worst.dynamics, part.dynamics);
    worst.joint = fmax(worst.joint, part.joint);
    worst.signorini = fmax(worst.signorini, part.signorini);
    worst.coulomb = fmax(worst.coulomb, part.coulomb);
    worst.scale = fmax(worst.scale, part.scale);
    worst.residual = fmax(worst.residual, part.residual);
    worst.contacts += problem.contact_count;
    worst.missed += !(part.residual <= rg_world_options(world)->tolerance);
  }
  return worst;
}

// A stepper that solves once more in a step adds the reports of all its solves.
static void check_islands(const rgWorld* world, const rgCertificate* certificate) {
  Worst worst = worst_of(world);
  rgStepCounts counts = rg_world_counts(world);
  CHECK_BITS(certificate->dynamics, worst.dynamics);
  CHECK_BITS(certificate->joint, worst.joint);
  CHECK_BITS(certificate->signorini, worst.signorini);
  CHECK_BITS(certificate->coulomb, worst.coulomb);
  CHECK_BITS(certificate->scale, worst.scale);
  CHECK_BITS(certificate->residual, worst.residual);
  CHECK_INT(certificate->contacts, worst.contacts);
  CHECK_INT(counts.islands, worst.islands);
  CHECK_INT(counts.solved + counts.warm, worst.islands);
  CHECK_INT(counts.not_met, worst.missed);
}

static void check_geometry(const rgWorld* world, const rgCertificate* certificate) {
  double deepest = 0, error = 0;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    deepest = fmax(deepest, -contact.gap);
  }
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, rg_world_joint(world, i), &state), RG_OK);
    error = fmax(error, state.error);
  }
  CHECK_NEAR(certificate->penetration, deepest, 1e-15);
  CHECK_NEAR(certificate->joint_error, error, 1e-12);
}

TEST(the_certificate_of_a_step_is_that_of_its_parts) {
  int steps = 0, contacts = 0, missed = 0, joints = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Arbitrary scene = arbitrary_scene(seed);
    if (!scene.world)
      continue;
    const rgOptions* options = rg_world_options(scene.world);
    bool once =
        strcmp(options->stepper, "gauss") != 0 && strcmp(options->impacts, "simultaneous") == 0;
    joints += scene.joints;
    for (int step = 0; step < 12; step++) {
      rgEnergy before = rg_world_energy(scene.world);
      rgCertificate c;
      if (rg_world_step(scene.world, &c) != RG_OK)
        break;
      rgEnergy after = rg_world_energy(scene.world);
      CONTEXT("%s, step %d", scene.name, step);
      double size = before.kinetic + after.kinetic + fabs(before.potential) + fabs(after.potential);
      bool inertia = strcmp(options->stepper, "first-order") != 0;
      double gain =
          after.potential - before.potential + (inertia ? after.kinetic - before.kinetic : 0);
      // nothing drives these scenes
      CHECK_NEAR(c.energy, gain, 1e-12 * size);
      CHECK_NEAR(c.energy_contacts + c.energy_joints + c.energy_integration + c.energy_projection,
                 c.energy, 1e-12 * size);
      CHECK_BITS(c.stages[RG_STAGE_ENERGY].reached, c.energy);
      check_geometry(scene.world, &c);
      if (once)
        check_islands(scene.world, &c);
      steps++;
      contacts += c.contacts;
      missed += !c.met;
    }
    rg_world_destroy(scene.world);
  }
  CHECK_MSG(steps > 300 && contacts > 500 && missed > 10 && joints > 20,
            "%d steps, %d contacts, %d missed, %d joints", steps, contacts, missed, joints);
}
