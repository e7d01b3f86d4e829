// No step makes energy from nothing, whatever the scene, the stepper and the solver are, and whatever
// the solver has missed. RIGOR_ENERGY_SCENES=2000 runs that many random scenes instead of a few (make
// energy), RIGOR_ENERGY_SEED=600 from that seed on. RIGOR_ENERGY_SHOW=1 names each of them when it is done, with its
// steps, its time and the largest part of the bound that a step was allowed and that a step gained.
// RIGOR_ENERGY_SECONDS=20 leaves a scene after so much time of the processor.
#include "math/vec.h"
#include "problem/operator.h"
#include "support/arbitrary.h"
#include "support/random.h"
#include "test.h"

#include <rigor/load.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES = 20, SCENES_FAST = 3, STEPS = 500 };
// [rad] Largest turn in a step that a method of order 4 resolves (energy.c).
static const double RESOLVED = 0.4;
// Rounding of sums over bodies, several times, each of 1e-13 of the sum of the sizes (energy.c, pay.c).
static const double ROUNDING = 1e-12;

static int scene_count(void) {
  const char* given = getenv("RIGOR_ENERGY_SCENES");
  return given ? atoi(given) : test_fast() ? SCENES_FAST : SCENES;
}

static double seconds_of_a_scene(void) {
  const char* given = getenv("RIGOR_ENERGY_SECONDS");
  return given ? atof(given) : HUGE_VAL;
}

static int first_seed(void) {
  const char* given = getenv("RIGOR_ENERGY_SEED");
  return given ? atoi(given) : 0;
}

// What the bound of a step is made of, from the outside.
typedef struct Look {
  double kinetic, mass; // [J], [kg]
  double order4;        // [J] sum of (h |w|)^5 times the kinetic energy of a body
  double height;        // [J] sizes of the potential energies
  int count;            // of bodies that move
} Look;

static double kinetic_of(const rgWorld* world, rgBodyId id) {
  rgMassProperties mass = rg_body_mass(world, id);
  rgTwist v = rg_body_velocity(world, id);
  rgVec3 w = quat_unrotate(rg_body_pose(world, id).orientation, v.angular);
  return 0.5 * mass.mass * v3_norm2(v.linear) + 0.5 * v3_dot(w, m3_apply(&mass.inertia, w));
}

static Look look_at(const rgWorld* world) {
  Look look = {.kinetic = rg_world_energy(world).kinetic};
  const rgOptions* options = rg_world_options(world);
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    double mass = rg_body_mass(world, id).mass;
    double turn = fmin(RESOLVED, options->step * v3_norm(rg_body_velocity(world, id).angular));
    look.mass += mass;
    look.order4 += turn * turn * turn * turn * turn * kinetic_of(world, id);
    look.height += mass * v3_norm(options->gravity) * v3_norm(rg_body_pose(world, id).position);
    look.count++;
  }
  return look;
}

// [N s] The impulses of an island, those about axes over the radius of gyration.
static double impulses_of(const rgProblem* problem, const rgSolution* solution) {
  double sum = 0;
  for (int i = 0; i < problem->contact_count; i++)
    sum += v3_norm(v3(solution->r[4 * i], solution->r[4 * i + 1], solution->r[4 * i + 2]));
  for (int i = 0; i < problem->row_count; i++)
    sum += fabs(solution->lambda[i]) / rg_row_weight(problem, &problem->rows[i]);
  return sum;
}

// Q = K + 1/2 m (g h)^2, and what solves leave and stabilizers push of it.
typedef struct Solved {
  double hand, left, pushed; // [J]
} Solved;

// Velocities alone are in the law, and the movement is that of theta.
static bool acts_at_mean(const rgOptions* options) {
  return strcmp(options->stepper, "theta") == 0 ||
         (strcmp(options->stepper, "implicit-geometry") == 0 && options->theta < 1);
}

static Solved solved_of(const rgWorld* world, const Look* before, double error) {
  const rgOptions* options = rg_world_options(world);
  double g = v3_norm(options->gravity), h = options->step, tolerance = options->tolerance;
  Solved out = {.hand = before->kinetic + 0.5 * before->mass * g * g * h * h};
  bool corrects = strcmp(options->stabilizer, "post") == 0;
  bool gaps = !corrects && !acts_at_mean(options);
  bool rate = strcmp(options->stabilizer, "baumgarte") == 0;
  double push = fmax(gaps ? error / h : 0, rate ? error * options->baumgarte_rate : 0);
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    REQUIRE(rg_world_island(world, i, &problem, &solution, &certificate) == RG_OK);
    double impulses = impulses_of(&problem, &solution);
    out.left +=
        tolerance * fmin(2 * certificate.scale * impulses, 4 * problem.body_count * out.hand);
    out.pushed += push * impulses;
  }
  return out;
}

// (sqrt(Q_F) + sqrt(Q_F + S))^2, see below.
static double right_kinetic(double fall, double supply) {
  double root = sqrt(fall) + sqrt(fall + supply);
  return root * root;
}

// The most that a right step gains [J], from what is seen before it, from its impulses and from nothing that
// the step says of its energy. Per island of the step; sums over islands follow by the inequality of
// Cauchy and Schwarz. K is the kinetic energy at the start, Q_F = 1/2 m (g h)^2, Q = K + Q_F.
//
// Borrowed. An impact at theta > 1/2 gains at most (theta - 1/2) h F . (v - v+) (energy.c); h |F| =
// sqrt(2 Q_F) in the norm of M^-1, and both velocities have at most the energy Q: |v - v+| <= 2 sqrt(2 Q).
// Where no round settles an island it takes the plain step, at theta = 1.
//
// Left. A residual at the tolerance t leaves the velocity t s of the scale s to the work of an impulse, at
// both ends of the mean: 2 t s times the sum of the impulses. Impulses that missed may be anything; one that
// passes on all the energy through a body is p = sqrt(2 m Q), with s = sqrt(2 Q / m): 4 t Q for each of n bodies.
//
// Pushed. What velocities are to undo of an error d, at the rate of baumgarte or in one step by the gap in the
// law of the steppers with gaps, is the work d rate of each impulse.
//
// Lifted. What has no kinetic energy left to pay is lifted on the way back by no more than |F| |h v~| and, through all
// that carry it, by tolerance and error (pay.c). 1/2 |v~|^2 <= E, the larger kinetic energy of both ends. With the
// supply S = K + what the step may gain, E <= S + 2 sqrt(Q_F E), the work of the weights, so that E <=
// (sqrt(Q_F) + sqrt(Q_F + S))^2. |F| h |v~| <= 2 sqrt(Q_F E).
//
// Ringing of joints. What was left alone of it, 0.03 of the velocities, comes back: a thousandth of E.
//
// Gauss. A method of order 4 leaves (h |w|)^5 (energy.c), and its solves the tolerance.
static double most(const rgWorld* world, const Look* before, const Look* after, double error,
                   double extent) {
  const rgOptions* options = rg_world_options(world);
  const rgStageReport* plain = &rg_world_certificate(world)->stages[RG_STAGE_PLAIN];
  bool gauss = strcmp(options->stepper, "gauss") == 0;
  bool mean = acts_at_mean(options) && plain->count == 0;
  double g = v3_norm(options->gravity);
  Solved solved = solved_of(world, before, error);
  double fall = solved.hand - before->kinetic;
  double borrowed = (mean ? options->theta - 0.5 : 0.5) * 4 * sqrt(fall * solved.hand);
  double may = borrowed + solved.left + solved.pushed;
  if (gauss)
    may = before->order4 + options->tolerance * before->kinetic;
  double energy = right_kinetic(fall, before->kinetic + may);
  if (strcmp(options->stepper, "first-order") == 0) // velocities are those of the step alone
    energy = fmax(before->kinetic, after->kinetic);
  double lifted = 2 * sqrt(fall * energy) + before->mass * g * before->count *
                                                (options->projection_tolerance * extent + error);
  double ringing = !gauss && rg_world_joint_count(world) > 0 ? 1e-3 * energy : 0;
  double size = before->kinetic + after->kinetic + before->height + after->height;
  return may + lifted + ringing + ROUNDING * size;
}

static void take_any_solver(rgWorld* world) {
  rgOptions options = *rg_world_options(world);
  snprintf(options.solver, sizeof options.solver, "auto");
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// [m] The deepest overlap of the contacts that the step began with: at the start of a scene nothing else
// tells it.
static double deepest(const rgWorld* world) {
  int count = rg_world_contact_loads(world, NULL, 0);
  rgContactLoad* loads = malloc(((size_t)count + 1) * sizeof *loads);
  double depth = 0;
  REQUIRE(loads);
  rg_world_contact_loads(world, loads, count);
  for (int i = 0; i < count; i++)
    depth = fmax(depth, -loads[i].gap);
  free(loads);
  return depth;
}

// What is known of a scene so far.
typedef struct Worst {
  double error;           // [m] of positions after the last step
  double allowed, gained; // largest part of the bound in a step
} Worst;

// One step of a scene: false when the world says that it cannot go on.
static bool check_step(rgWorld* world, double extent, int index, Worst* worst) {
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
  bound = most(world, &before, &after, fmax(worst->error, deepest(world)), extent);
  CHECK_NEAR(certificate.energy, gain, ROUNDING * (before.kinetic + after.kinetic + after.height));
  CHECK_MSG(certificate.energy <= asked, "step %d gains %g J, asked %g J", index,
            certificate.energy, asked);
  CHECK_MSG(asked <= bound, "step %d may gain %g J, at most %g J", index, asked, bound);
  worst->error = fmax(certificate.penetration, certificate.joint_error);
  if (bound > 0) {
    worst->allowed = fmax(worst->allowed, asked / bound);
    worst->gained = fmax(worst->gained, certificate.energy / bound);
  }
  return true;
}

// False when stepper, solver and cone of the scene do not go together.
static bool check_scene(int seed) {
  Arbitrary scene = arbitrary_wide_scene((uint64_t)seed);
  if (!scene.world)
    return false;
  CONTEXT("%s", scene.name);
  Worst worst = {0};
  int failures = test_state.failures, steps = 0;
  clock_t start = clock();
  double seconds = 0, limit = seconds_of_a_scene();
  while (steps < STEPS && seconds < limit && test_state.failures == failures &&
         check_step(scene.world, scene.extent, steps, &worst)) {
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    steps++;
  }
  if (getenv("RIGOR_ENERGY_SHOW")) {
    printf("%d steps, %.1f s, %.2g allowed, %.2g gained: %s\n", steps, seconds, worst.allowed,
           worst.gained, scene.name);
    fflush(stdout);
  }
  rg_world_destroy(scene.world);
  return true;
}

TEST(no_step_of_a_random_scene_gains_energy) {
  for (int seed = first_seed(), made = 0; made < scene_count(); seed++)
    made += check_scene(seed);
}

// Rotors that pay, trees whose projection was stopped, curved contacts without a stabilizer, sequential
// impacts whose solves miss.
TEST(no_step_of_a_scene_that_once_gained_does) {
  static const int seeds[] = {106, 166, 174, 907, 1267};
  for (int i = 0; i < (int)(sizeof seeds / sizeof *seeds); i++)
    CHECK(check_scene(seeds[i]));
}

// Steppers that are there for comparisons, in the same scenes. Halving makes several steps of one, each with a bound of
// its own: the sum of these is in the certificate.
static bool check_comparison(const char* stepper, int seed) {
  enum { COMPARED = 100 };
  Arbitrary scene = arbitrary_wide_scene((uint64_t)seed);
  if (!scene.world)
    return false;
  rgOptions options = *rg_world_options(scene.world);
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  snprintf(options.impacts, sizeof options.impacts, "simultaneous");
  bool halving = strcmp(stepper, "halving") == 0,
       closes = strcmp(stepper, "implicit-geometry") == 0;
  if (closes)
    options.theta = 0.5;
  if (!halving && !closes)
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
  bool taken =
      rg_world_set_options(scene.world, &options) == RG_OK && rg_world_check(scene.world) == RG_OK;
  CONTEXT("%s instead: %s", stepper, scene.name);
  Worst worst = {0};
  for (int i = 0; i < COMPARED && taken; i++) {
    rgCertificate certificate;
    if (!(halving ? rg_world_step(scene.world, &certificate) == RG_OK
                  : check_step(scene.world, scene.extent, i, &worst)))
      break;
    if (halving)
      CHECK_MSG(certificate.energy <= certificate.stages[RG_STAGE_ENERGY].asked, "step %d", i);
  }
  rg_world_destroy(scene.world);
  return taken;
}

TEST(no_step_of_a_stepper_for_comparisons_gains_energy) {
  static const char* const steppers[] = {"signorini", "halving"};
  for (int k = 0; k < 2; k++)
    for (int seed = first_seed(), made = 0; made < scene_count() / 6; seed++)
      made += check_comparison(steppers[k], seed);
}

// Gaps that are closed at the end of the step, at theta = 1/2: bodies are lifted and pressed down.
TEST(no_step_that_closes_gaps_gains_energy) {
  for (int seed = first_seed(), made = 0; made < scene_count() / 2; seed++)
    made += check_comparison("implicit-geometry", seed);
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
  def.options.iteration_limit = 40; // too few
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

// Every step is within the bound, and the energy of the start is never reached again. Version 0.1.0 made
// 1e11 J of the 559 J of the first silo.
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
    double highest = 0, fastest = 0;
    Worst worst = {0};
    for (int k = 0; k < 300; k++) {
      REQUIRE(check_step(world, silo->radius, k, &worst));
      rgEnergy now = rg_world_energy(world);
      highest = fmax(highest, now.kinetic + now.potential);
      fastest = fmax(fastest, now.kinetic);
    }
    CHECK_MSG(highest <= start.kinetic + start.potential, "%g J of %g J", highest, start.potential);
    CHECK(fastest <= start.potential);
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
