// No step makes energy from nothing, whatever the scene, the stepper and the solver are, and whatever
// the solver has missed. RIGOR_ENERGY_SCENES=2000 runs that many random scenes instead of a few,
// RIGOR_ENERGY_SEED=600 from that seed on, and RIGOR_ENERGY_SHOW=1 names each of them with its time.
#include "math/vec.h"
#include "support/arbitrary.h"
#include "support/random.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { SCENES = 20, SCENES_FAST = 6, STEPS = 500, BODIES = 64 };

static int scene_count(void) {
  const char* given = getenv("RIGOR_ENERGY_SCENES");
  return given ? atoi(given) : test_fast() ? SCENES_FAST : SCENES;
}

static int first_seed(void) {
  const char* given = getenv("RIGOR_ENERGY_SEED");
  return given ? atoi(given) : 0;
}

// What the bound of a step is made of, from the outside.
typedef struct Look {
  double kinetic, mass, turn; // [J], [kg]; [rad] of the fastest body in a step
  double height;              // [J] sizes of the potential energies
  rgVec3 velocities[BODIES];
} Look;

static Look look_at(const rgWorld* world) {
  Look look = {.kinetic = rg_world_energy(world).kinetic};
  const rgOptions* options = rg_world_options(world);
  int count = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    double mass = rg_body_mass(world, id).mass;
    rgTwist v = rg_body_velocity(world, id);
    look.mass += mass;
    look.turn = fmax(look.turn, options->step * v3_norm(v.angular));
    look.height += mass * v3_norm(options->gravity) * v3_norm(rg_body_pose(world, id).position);
    REQUIRE(count < BODIES);
    look.velocities[count++] = v3_scale(v.linear, mass);
  }
  return look;
}

// What steppers with gaps in their law push with where nothing corrects positions [J]: errors are undone
// in one step, by impulses that pass through each body no more than what the energy at hand and the push
// itself allow. What baumgarte adds to rows and contacts depends on impulses that are not seen from here.
static double pushed(const rgWorld* world, double mass, double hand, double error) {
  const rgOptions* options = rg_world_options(world);
  if (strcmp(options->stabilizer, "baumgarte") == 0)
    return HUGE_VAL;
  bool gaps = strcmp(options->stabilizer, "none") == 0 && strcmp(options->stepper, "theta") != 0;
  double speed = gaps ? error / options->step : 0;
  return rg_world_body_count(world) * speed * (2 * sqrt(2 * mass * hand) + mass * speed);
}

// The most that a right step gains [J]; energy.c and pay.c in src/step/energy derive it. Impacts at theta >
// 1/2 borrow (theta - 1/2) h F . (v+ - v); a solve leaves its tolerance of the energy at hand, per body;
// joints ring to and fro by a thousandth; gauss is of order 4; and bodies without kinetic energy are
// lifted by the way of the step back and by errors that were there.
static double most(const rgWorld* world, const Look* before, const Look* after, double error) {
  const rgOptions* options = rg_world_options(world);
  double g = v3_norm(options->gravity), h = options->step;
  int count = rg_world_body_count(world);
  double late = strcmp(options->stepper, "theta") == 0 ? options->theta - 0.5 : 0.5;
  double change = 0, kinetic = fmax(before->kinetic, after->kinetic);
  for (int i = 0; i < count && i < BODIES; i++)
    change += v3_norm(v3_sub(after->velocities[i], before->velocities[i]));
  double hand = kinetic + 0.5 * before->mass * g * g * h * h;
  double borrowed = late * h * g * change;
  double left = 4 * options->tolerance * count * hand;
  double turn = fmin(0.4, before->turn), order4 = turn * turn * turn * turn * turn * kinetic;
  double ringing = 1e-3 * kinetic;
  // Islands may have their energy at the start or at the end, each at its own; what was gained on the way
  // and paid is no longer there: up to a tenth of the energy at hand per body (harmless.c), in gauss up to a
  // hundredth in each of 500 parts.
  bool gauss = strcmp(options->stepper, "gauss") == 0;
  double on_the_way = before->kinetic + after->kinetic + (gauss ? 500 * 0.01 : 0.1 * count) * hand;
  double lift = g * sqrt(before->mass) * h * sqrt(2 * on_the_way) +
                before->mass * g * count * (options->projection_tolerance + error);
  return borrowed + left + lift + pushed(world, before->mass, hand, error) + (gauss ? order4 : 0) +
         (rg_world_joint_count(world) > 0 ? ringing : 0) + 1e-12 * (hand + before->height);
}

static void take_any_solver(rgWorld* world) {
  rgOptions options = *rg_world_options(world);
  snprintf(options.solver, sizeof options.solver, "auto");
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// One step of a scene: false when the world says that it cannot go on.
static bool check_step(rgWorld* world, int index, double* error) {
  Look before = look_at(world);
  rgEnergy start = rg_world_energy(world);
  rgCertificate certificate;
  rgStatus status = rg_world_step(world, &certificate);
  if (status == RG_ERROR_UNSUPPORTED) { // the solver takes no contacts, or no joints
    take_any_solver(world);
    status = rg_world_step(world, &certificate);
  }
  if (status != RG_OK)
    return false;
  Look after = look_at(world);
  rgEnergy end = rg_world_energy(world);
  double asked = certificate.stages[RG_STAGE_ENERGY].asked, bound;
  bool massless = strcmp(rg_world_options(world)->stepper, "first-order") == 0;
  double gain = end.potential - start.potential + (massless ? 0 : end.kinetic - start.kinetic);
  bound = most(world, &before, &after, *error);
  CHECK_NEAR(certificate.energy, gain, 1e-12 * (before.kinetic + after.kinetic + after.height));
  CHECK_MSG(certificate.energy <= asked, "step %d gains %g J, asked %g J", index,
            certificate.energy, asked);
  CHECK_MSG(asked <= bound, "step %d may gain %g J, at most %g J", index, asked, bound);
  *error = fmax(certificate.penetration, certificate.joint_error);
  return true;
}

// False when stepper, solver and cone of the scene do not go together.
static bool check_scene(int seed) {
  Arbitrary scene = arbitrary_wide_scene((uint64_t)seed);
  if (!scene.world)
    return false;
  CONTEXT("%s", scene.name);
  double error = 0;
  int failures = test_state.failures;
  clock_t start = clock();
  int steps = 0;
  while (steps < STEPS && test_state.failures == failures && check_step(scene.world, steps, &error))
    steps++;
  if (getenv("RIGOR_ENERGY_SHOW"))
    printf("%d steps, %.1f s: %s\n", steps, (double)(clock() - start) / CLOCKS_PER_SEC, scene.name);
  rg_world_destroy(scene.world);
  return true;
}

TEST(no_step_of_a_random_scene_gains_energy) {
  for (int seed = first_seed(), made = 0; made < scene_count(); seed++)
    made += check_scene(seed);
}

// Rotors that pay, trees whose projection was stopped, curved contacts without a stabilizer.
TEST(no_step_of_a_scene_that_once_gained_does) {
  static const int seeds[] = {106, 166, 174};
  for (int i = 0; i < (int)(sizeof seeds / sizeof *seeds); i++)
    CHECK(check_scene(seeds[i]));
}

// -------------------------------------------------------------------------------------------------

// Discs without friction in a narrow silo, more than the sweeps of an interactive step can carry.
typedef struct Silo {
  int count;
  double width, radius; // [m]
  double apart;         // [-] distance of neighbours in diameters
  double mu;
} Silo;

static rgWorld* build_silo(const Silo* silo, uint64_t seed) {
  double width = silo->width, apart = 2 * silo->radius * silo->apart;
  random_state = seed;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("realtime", &def.options));
  def.options.gravity = v3(0, -9.81, 0);
  def.dimension = 2;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, silo->mu, 0);
  const rgVec3 walls[3][2] = {
      {{0, 0, 0}, {width, 0, 0}}, {{0, 0, 0}, {0, 99, 0}}, {{width, 0, 0}, {width, 99, 0}}};
  for (int i = 0; i < 3; i++) {
    rgBodyDef body = body_at(RG_BODY_STATIC, v3_zero());
    rgShapeDef wall = rg_shape_def(RG_SHAPE_SEGMENT);
    wall.points = walls[i];
    wall.point_count = 2;
    build_body(world, &body, wall);
  }
  int wide = (int)(width / apart);
  for (int i = 0; i < silo->count; i++) {
    double x = apart * (0.5 + i % wide) + random_between(0, 0.05) * silo->radius;
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(x, silo->radius + apart * (i / wide), 0));
    rgShapeDef disc = rg_shape_def(RG_SHAPE_CIRCLE);
    disc.radius = silo->radius;
    build_body(world, &body, disc);
  }
  return world;
}

// Nothing bounces, so that no impact borrows energy for a step: it falls, step by step, but for what
// missed steps have left. That is at most the tolerance of the preset, a thousandth, of the energy at
// hand in a step; while the discs fall and settle, for a few steps each, less than ten times that, and
// less than twenty times where 400 of them begin as one column of 30 layers. Version 0.1.0 made 1e11 J of
// the 559 J of the first silo.
TEST(silo_of_discs_gains_nothing_when_sweeps_are_too_few) {
  static const Silo silos[] = {
      {400, 0.2, 0.01, 1.02, 0}, {150, 0.25, 0.1, 1.1, 0.05}, {150, 0.5, 0.1, 1.1, 0},
      {300, 0.2, 0.01, 1.02, 0}, {400, 0.15, 0.01, 1.02, 0},  {150, 1, 0.1, 1.1, 0.05},
      {200, 0.25, 0.1, 1.1, 0},  {200, 0.5, 0.1, 1.1, 0},     {200, 1, 0.1, 1.1, 0},
      {300, 0.25, 0.1, 1.1, 0},  {300, 0.5, 0.1, 1.1, 0},     {300, 1, 0.1, 1.1, 0}};
  for (int i = 0; i < (test_fast() ? 2 : 12); i++) {
    const Silo* silo = &silos[i];
    CONTEXT("%d discs of %g m, %g m wide, mu %g", silo->count, silo->radius, silo->width, silo->mu);
    rgWorld* world = build_silo(silo, (uint64_t)i + 1);
    rgEnergy start = rg_world_energy(world);
    double highest = 0, speed = 0, gains = 0;
    for (int k = 0; k < 300; k++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      rgEnergy now = rg_world_energy(world);
      CHECK_MSG(certificate.energy <= certificate.stages[RG_STAGE_ENERGY].asked, "step %d", k);
      gains += fmax(0, certificate.energy);
      highest = fmax(highest, now.kinetic + now.potential);
      speed = fmax(speed, now.kinetic);
    }
    CHECK_MSG(highest <= start.kinetic + start.potential, "%g J of %g J", highest, start.potential);
    CHECK(speed <= start.potential);
    double part = silo->count < 400 ? 0.01 : 0.02;
    CHECK_MSG(gains <= part * start.potential, "%g J in all of %g J", gains, start.potential);
    rg_world_destroy(world);
  }
}

// A body that turns by radians in a step of its flight: the turn is made of parts that keep the energy,
// and where these would be too many it is one about the momentum.
TEST(bodies_that_turn_far_in_a_step_keep_their_energy) {
  for (int i = 0; i < 300; i++) {
    random_state = (uint64_t)i;
    double turn = i % 3 ? random_between(0.2, 12) : random_between(12, 2000), h = 1.0 / 60;
    CONTEXT("run %d, %g rad per step", i, turn);
    rgWorld* world = build_still(i % 2 ? "realtime" : "reference");
    build_set_step(world, h, i % 2 ? 1 : 0.5);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.pose.orientation = random_rotation();
    def.velocity.angular = v3_scale(random_direction(), turn / h);
    double a = random_between(0.05, 0.5), b = random_between(0.05, 0.5);
    build_body(world, &def, shape_box(v3(0.5, a, b)));
    double start = rg_world_energy(world).kinetic;
    for (int k = 0; k < 50; k++) {
      run_steps(world, 1);
      // Newton's method leaves 1e-9 of the momentum where it counts as converged.
      CHECK_REL(rg_world_energy(world).kinetic, start, 1e-7);
    }
    rg_world_destroy(world);
  }
}
