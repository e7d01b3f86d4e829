// The certificate of a step is that of its parts: the worst of its islands, the sum of what took its energy,
// the deepest of the contacts and the most open of the joints that can be read after it.
#include "support/arbitrary.h"
#include "test.h"

enum { SCENE_BODIES = 64 };

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

// Where bodies were before a step.
typedef struct Before {
  rgVec3 center[SCENE_BODIES];
  rgTwist velocity[SCENE_BODIES];
  int count;
} Before;

static Before see_before(const rgWorld* world) {
  Before before = {.count = rg_world_body_count(world)};
  REQUIRE(before.count <= SCENE_BODIES);
  for (int i = 0; i < before.count; i++) {
    rgBodyId id = rg_world_body(world, i);
    before.center[i] = rg_body_center(world, id);
    before.velocity[i] = rg_body_velocity(world, id);
  }
  return before;
}

// The weight of the end of the step in the movement.
static double theta_of(const rgOptions* options) {
  static const char* const own[] = {"theta", "signorini", "auto"};
  for (int i = 0; i < 3; i++)
    if (strcmp(options->stepper, own[i]) == 0)
      return options->theta;
  return 1;
}

// Centres of mass move by h (theta v+ + (1 - theta) v), with v+ = v + h g in flight and that of the problem
// otherwise, whose free velocity is v + h g. Not where positions were corrected or a movement was changed.
static int check_movement(const rgWorld* world, const Before* before, const rgCertificate* c) {
  const rgOptions* options = rg_world_options(world);
  double h = options->step, theta = theta_of(options);
  int islands[SCENE_BODIES], seen[SCENE_BODIES] = {0}, checked = 0;
  bool hastened = theta < 1 && c->contacts > 0; // where a contact would sink
  if (c->stages[RG_STAGE_PROJECTION].count > 0 || c->stages[RG_STAGE_PASSING].count > 0 ||
      c->stages[RG_STAGE_PLAIN].missed > 0 || c->stages[RG_STAGE_SUITING].count > 0 || hastened)
    return 0;
  rg_world_body_islands(world, islands, SCENE_BODIES);
  for (int i = 0; i < before->count; i++) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    rgVec3 v = before->velocity[i].linear, end = v3_axpy(v, h, options->gravity);
    if (islands[i] >= 0) {
      rgProblem problem;
      rgSolution solution;
      REQUIRE_INT(rg_world_island(world, islands[i], &problem, &solution, NULL), RG_OK);
      int at = seen[islands[i]]++; // bodies of an island are in the order of the world
      CHECK_NEAR(distance(problem.bodies[at].v_free.linear, end), 0, 1e-12 * (1 + v3_norm(v)));
      end = v3(solution.v[6 * at], solution.v[6 * at + 1], solution.v[6 * at + 2]);
    }
    rgVec3 way = v3_add(v3_scale(end, h * theta), v3_scale(v, h * (1 - theta)));
    rgVec3 due = v3_add(before->center[i], way);
    // links of trees are closed by what the tolerance leaves
    double close = rg_world_joint_count(world) > 0 ? 0.2 * options->tolerance : 0;
    CHECK_NEAR(distance(rg_body_center(world, id), due), 0,
               (1e-13 + close) * (1 + v3_norm(due) + v3_norm(way)));
    checked++;
  }
  return checked;
}

TEST(the_certificate_of_a_step_is_that_of_its_parts) {
  int steps = 0, contacts = 0, missed = 0, joints = 0, moved = 0;
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
      Before places = see_before(scene.world);
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
      if (once && inertia)
        moved += check_movement(scene.world, &places, &c);
      steps++;
      contacts += c.contacts;
      missed += !c.met;
    }
    rg_world_destroy(scene.world);
  }
  CHECK_MSG(steps > 300 && contacts > 500 && missed > 10 && joints > 20 && moved > 500,
            "%d steps, %d contacts, %d missed, %d joints, %d bodies", steps, contacts, missed,
            joints, moved);
}
