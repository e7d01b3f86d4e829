// Every stepper with every stabilizer: what all of them must hold to, and what each promises.
#include "support/laws.h"

#include "support/builder.h"
#include <rigor/rigor.h>

static const double G = 9.81;

static bool is(const char* a, const char* b) { return strcmp(a, b) == 0; }

static void name(char* field, const char* value) { snprintf(field, RG_NAME_MAX, "%s", value); }

// Options of a stepper and a stabilizer; without friction where there is none.
static rgOptions options_of(const char* stepper, const char* stabilizer, double h) {
  rgOptions options = law_options("default", h);
  options.theta = 1;
  options.tolerance = 1e-8;
  name(options.stepper, stepper);
  name(options.stabilizer, stabilizer);
  if (is(stepper, "gauss"))
    name(options.cone, "frictionless");
  // As printed, it goes without a correction of positions.
  if (is(stepper, "signorini") && strncmp(stabilizer, "post", 4) == 0)
    name(options.stabilizer, "none");
  options.baumgarte_rate = 0.2 / h;
  return options;
}

// Runs a scene and holds it to what every combination must: steps are met, energy is not made, and
// nothing overlaps by more than `overlap` [m].
static void run_quietly(Scene* scene, const rgOptions* options, int steps, double overlap) {
  Law law = {.scene = *scene};
  law_begin(&law, options, SCENE_SI);
  double start = law_energy(&law), gained = 0, deepest = 0;
  for (int i = 0; i < steps; i++) {
    law_run(&law, 1);
    const rgCertificate* certificate = rg_world_certificate(law.world);
    gained += fmax(certificate->energy, 0);
    deepest = fmax(deepest, certificate->penetration);
  }
  CHECK_INT(law.not_met, 0);
  // Baumgarte's velocities are an energy of their own; without it what is gained is the solver's
  // tolerance and the second order of rotation.
  if (!is(options->stabilizer, "baumgarte"))
    CHECK_MSG(gained <= 1e-5 * fabs(start), "gained %g J of %g J", gained, start);
  CHECK_MSG(deepest <= overlap, "overlap %g m, %g m allowed", deepest, overlap);
  CHECK(isfinite(law_energy(&law)));
  CHECK(law_energy(&law) < 1.001 * fabs(start));
  *scene = law.scene;
  law_end(&law);
}

// A stack that stands, a slab that slides, a ball that falls: each h g h at most off its gap. What
// signorini does not predict goes through by 4 h g h: a block is above four that go through as well.
TEST(all_combinations_stand_slide_and_fall) {
  double h = 1.0 / 200;
  for (int i = 0; rg_stepper_name(i); i++)
    for (int k = 0; rg_stabilizer_name(k); k++) {
      CONTEXT("%s, %s", rg_stepper_name(i), rg_stabilizer_name(k));
      rgOptions options = options_of(rg_stepper_name(i), rg_stabilizer_name(k), h);
      double overlap = is(options.stepper, "signorini") ? 4 * h * h * G : 1e-6;
      Scene scene;
      scene_stack(&scene, 5, 0.02, 1);
      run_quietly(&scene, &options, 200, overlap);
      scene_slab(&scene, v3(1, 0.5, 0), 0.3);
      run_quietly(&scene, &options, 200, overlap);
      scene_ball(&scene, false, 0.1, 0.3, v3(0.5, 0, 2), v3(0, 3, 0));
      run_quietly(&scene, &options, 200, overlap);
    }
}

// Coulomb's angle: 0.5 degrees below it the slab stays to the micron, above it the acceleration is
// g (sin - mu cos). Velocities of these schemes are exact for a constant acceleration, positions
// are a x h / 2 t ahead.
TEST(incline_sticks_and_slips) {
  const char* steppers[] = {"anitescu-potra", "stewart-trinkle", "halving"};
  double mu = 0.4, limit = atan(mu), h = 1e-3;
  for (int i = 0; i < 3; i++)
    for (int over = 0; over < 2; over++) {
      CONTEXT("%s, %s", steppers[i], over ? "above" : "below");
      double angle = limit + radians(over ? 0.5 : -0.5);
      rgOptions options = options_of(steppers[i], "post", h);
      Law law;
      scene_incline(&law.scene, SCENE_INCLINE_HALFSPACE, angle, mu);
      law_begin(&law, &options, SCENE_SI);
      law_run(&law, 1000);
      double a = over ? G * (sin(angle) - mu * cos(angle)) : 0;
      rgVec3 down = scene_incline_down(SCENE_INCLINE_HALFSPACE, angle);
      CHECK_NEAR(v3_dot(law_velocity(&law, 1).linear, down), a, 1e-6);
      CHECK_NEAR(v3_dot(law_moved(&law, 1), down), a * (1 + h) / 2, 1e-6);
      CHECK_INT(law.not_met, 0);
      law_end(&law);
    }
}

// A thrown and spinning body without contacts: all second-order schemes agree with the parabola to
// first order in h at worst.
TEST(free_flight) {
  const double steps[] = {0.01, 0.0025};
  for (int i = 0; rg_stepper_name(i); i++) {
    if (is(rg_stepper_name(i), "first-order"))
      continue;
    CONTEXT("%s", rg_stepper_name(i));
    double error[2];
    for (int k = 0; k < 2; k++) {
      rgOptions options = options_of(rg_stepper_name(i), "post", steps[k]);
      Law law;
      scene_ball(&law.scene, false, 0.1, 0, v3(1, 0, 10), v3(1, 2, 3));
      law_begin(&law, &options, SCENE_SI);
      law_run(&law, (int)(0.5 / steps[k] + 0.5));
      rgVec3 moved = law_moved(&law, 1);
      error[k] = v3_norm(v3_sub(moved, v3(0.5, 0, 5 - G * 0.125)));
      CHECK_NEAR(v3_norm(v3_sub(law_velocity(&law, 1).angular, v3(1, 2, 3))), 0, 1e-9);
      law_end(&law);
    }
    CHECK_MSG(error[0] <= 1.01 * G * 0.5 * 0.01 / 2, "off by %g m at h = 10 ms", error[0]);
    CHECK_MSG(error[1] <= 0.26 * error[0] + 1e-9, "%g m at a fourth of the step", error[1]);
  }
}

// Sliding to rest in v0 / (mu g): positions of all schemes with friction tend to theta's.
TEST(schemes_come_together_as_the_step_goes_to_zero) {
  const char* steppers[] = {"anitescu-potra", "stewart-trinkle", "halving"};
  double distance = 4 / (2 * 0.4 * G);
  for (int i = 0; i < 3; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      double h = k == 0 ? 4e-3 : 1e-3;
      CONTEXT("%s, h = %g", steppers[i], h);
      rgOptions options = options_of(steppers[i], "post", h);
      Law law;
      scene_slab(&law.scene, v3(2, 0, 0), 0.4);
      law_begin(&law, &options, SCENE_SI);
      law_run(&law, (int)(0.6 / h + 0.5));
      error[k] = fabs(law_moved(&law, 1).x - distance);
      CHECK_NEAR(law_velocity(&law, 1).linear.x, 0, 1e-9);
      law_end(&law);
    }
    CHECK_MSG(error[0] < 4e-3 * 2 && error[1] < 0.3 * error[0], "%g m, then %g m", error[0],
              error[1]);
  }
}

// Newton's law of restitution in both schemes: the velocity after the bounce is e times before.
TEST(bounces_keep_their_part) {
  const char* steppers[] = {"anitescu-potra", "stewart-trinkle", "theta"};
  for (int i = 0; i < 3; i++) {
    CONTEXT("%s", steppers[i]);
    rgWorldDef def = rg_world_def();
    def.options = options_of(steppers[i], "post", 1e-3);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0.2, 0.6);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.6));
    double before = 0, after = 0;
    for (int k = 0; k < 500 && after <= 0; k++) {
      before = after;
      run_steps(world, 1);
      after = rg_body_velocity(world, ball).linear.z;
    }
    CHECK_NEAR(after, -0.6 * before, 1e-9);
    CHECK_MSG(after > 1.8, "%g m/s: it does not bounce", after); // 0.6 sqrt(2 g 0.5) = 1.88
    rg_world_destroy(world);
  }
}

// What lands without rebound under anitescu-potra rests at a gap of at most g h^2, never below.
TEST(anitescu_potra_rests_above_the_floor) {
  double h = 0.01;
  rgWorldDef def = rg_world_def();
  def.options = options_of("anitescu-potra", "post", h);
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.3));
  run_steps(world, 200);
  double gap = rg_body_center(world, ball).z - 0.1;
  CHECK_MSG(gap >= -1e-9 && gap <= G * h * h, "rests at a gap of %g m", gap);
  CHECK_NEAR(v3_norm(rg_body_velocity(world, ball).linear), 0, 1e-9);
  rg_world_destroy(world);
}

static rgWorld* first_order_world(double tau, rgVec3 gravity) {
  rgWorldDef def = rg_world_def();
  def.options = options_of("first-order", "post", 0.01);
  def.options.damping_time = tau;
  def.options.gravity = gravity;
  return build_world_of(&def);
}

// Velocity is tau g down a slope without friction, tau g (sin - mu cos) with it, and nothing below
// the angle of friction. It ends with the force.
TEST(first_order_velocity_follows_force) {
  double tau = 0.1, angle = 0.5;
  rgVec3 gravity = v3(G * sin(angle), 0, -G * cos(angle));
  const double mus[] = {0, 0.3, 0.6};
  for (int i = 0; i < 3; i++) {
    CONTEXT("mu = %g", mus[i]);
    rgWorld* world = first_order_world(tau, gravity);
    build_set_default_material(world, mus[i], 0.5);
    build_floor(world);
    rgBodyId box = build_box(world, v3(0.2, 0.2, 0.1), v3(0, 0, 0.1));
    double expected = fmax(0, tau * G * (sin(angle) - mus[i] * cos(angle)));
    run_steps(world, 100);
    CHECK_NEAR(rg_body_velocity(world, box).linear.x, expected, 1e-7);
    CHECK_NEAR(rg_body_center(world, box).x, expected, 1e-6);
    CHECK_NEAR(rg_body_center(world, box).z, 0.1, 1e-6);
    rgOptions options = *rg_world_options(world);
    options.gravity = v3_zero();
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    run_steps(world, 1);
    CHECK_NEAR(v3_norm(rg_body_velocity(world, box).linear), 0, 1e-12);
    rg_world_destroy(world);
  }
}

// A pendulum without inertia goes down like da/dt = -tau g sin(a) m L / (I / L + m L): with a point
// mass tan(a / 2) falls as exp(-tau g t / L).
TEST(first_order_pendulum_creeps_down) {
  double tau = 0.05, start = 1.2;
  rgWorld* world = first_order_world(tau, v3(0, 0, -G));
  rgBodyDef def = rg_body_def();
  def.pose.position = v3(sin(start), 0, -cos(start));
  def.mass = 2;
  def.inertia_given = true;
  def.inertia = m3_diag(1e-9, 1e-9, 1e-9);
  rgBodyId bob;
  REQUIRE(rg_world_add_body(world, &def, NULL, 0, &bob) == RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_b = bob;
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
  run_steps(world, 200);
  rgVec3 at = rg_body_center(world, bob);
  double expected = 2 * atan(tan(start / 2) * exp(-tau * G * 2));
  CHECK_NEAR(atan2(at.x, -at.z), expected, 5e-3); // first order: h tau g / 2 of the angle
  CHECK_NEAR(v3_norm(at), 1, 1e-9);
  rg_world_destroy(world);
}

// A frictionless slab slides the same in millimetres and grams.
TEST(units_do_not_matter) {
  for (int i = 0; rg_stepper_name(i); i++) {
    CONTEXT("%s", rg_stepper_name(i));
    rgOptions options = options_of(rg_stepper_name(i), "post", 2e-3);
    Law si, small;
    scene_incline(&si.scene, SCENE_INCLINE_HALFSPACE, 0.3, 0.1);
    scene_incline(&small.scene, SCENE_INCLINE_HALFSPACE, 0.3, 0.1);
    law_begin(&si, &options, SCENE_SI);
    rgOptions scaled = options;
    scaled.damping_time *= SCENE_MILLI.time;
    law_begin(&small, &scaled, SCENE_MILLI);
    law_run(&si, 200);
    law_run(&small, 200);
    CHECK_NEAR(v3_norm(v3_sub(law_position(&si, 1), law_position(&small, 1))), 0,
               1e-9 * v3_norm(law_moved(&si, 1)) + 1e-12);
    law_end(&si);
    law_end(&small);
  }
}

// Combinations that make no sense are refused with the reason and the way out.
TEST(senseless_combinations_are_refused) {
  const struct {
    const char *stepper, *stabilizer, *solver, *cone;
    double rate;
    const char* reason; // NULL = runs
  } cases[] = {
      {"gauss", "post", "auto", "exact", 0, "stepper gauss has no friction"},
      {"signorini", "post", "auto", "exact", 0, "stepper signorini lets bodies overlap"},
      {"signorini", "none", "auto", "exact", 0, NULL},
      {"gauss", "baumgarte", "auto", "frictionless", 10, NULL},
      {"theta", "post", "dantzig", "exact", 0, "solver dantzig does not take the friction"},
      {"theta", "post", "dantzig", "frictionless", 0, NULL},
      {"anitescu-potra", "none", "lemke", "exact", 0, "set cone to inner, outer or frictionless"},
      {"anitescu-potra", "none", "lemke", "inner", 0, NULL},
      {"theta", "baumgarte", "auto", "exact", 300, "baumgarte_rate times step is 3, must be <= 2"},
      {"stewart-trinkle", "baumgarte", "auto", "exact", 200, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("%s, %s, %s, %s", cases[i].stepper, cases[i].stabilizer, cases[i].solver,
            cases[i].cone);
    rgOptions options = options_of(cases[i].stepper, cases[i].stabilizer, 0.01);
    name(options.stabilizer, cases[i].stabilizer);
    name(options.solver, cases[i].solver);
    name(options.cone, cases[i].cone);
    options.baumgarte_rate = cases[i].rate;
    rgMessage message = {""};
    rgStatus status = rg_options_combine(&options, true, &message);
    if (cases[i].reason) {
      CHECK_INT(status, RG_ERROR_UNSUPPORTED);
      CHECK_MSG(strstr(message.text, cases[i].reason), "%s", message.text);
    } else {
      CHECK_MSG(status == RG_OK, "%s", message.text);
    }
    bool always = (is(cases[i].stabilizer, "baumgarte") && cases[i].rate > 200) ||
                  (is(cases[i].stepper, "signorini") && is(cases[i].stabilizer, "post"));
    CHECK_INT(rg_options_combine(&options, false, &message), always ? RG_ERROR_UNSUPPORTED : RG_OK);
  }
}

// Gap prediction: a ball that sinks or falls comes to lie on the floor, neither above it nor, in any
// step, in it, from heights that no step divides.
TEST(gaps_close_and_are_not_passed) {
  const char* steppers[] = {"theta", "stewart-trinkle", "first-order", "halving"};
  const double h = 0.01, radius = 0.1;
  for (int i = 0; i < 4; i++)
    for (int part = 1; part <= 10; part++) {
      rgWorldDef def = rg_world_def();
      def.options = options_of(steppers[i], "none", h);
      rgWorld* world = build_world_of(&def);
      build_set_default_material(world, 0.2, 0);
      build_floor(world);
      rgBodyId ball = build_sphere(world, radius, v3(0, 0, radius + 0.0137 * part));
      CONTEXT("%s, height %g", steppers[i], 0.0137 * part);
      double touching = radius * def.options.projection_tolerance;
      for (int step = 0; step < 40; step++) {
        double overlap = run_met_step(world, step).penetration;
        CHECK_MSG(overlap <= touching, "overlap of %g m in step %d", overlap, step);
      }
      CHECK_NEAR(rg_body_center(world, ball).z, radius, touching);
      rg_world_destroy(world);
    }
}

// Options and materials that are set in a running world are held against each other before the next step, which fails
// with the reason, changes nothing, and goes on when they fit again.
TEST(options_that_are_set_are_checked_before_the_next_step) {
  for (int k = 0; k < 3; k++) {
    rgWorldDef def = rg_world_def();
    def.options = options_of(k == 2 ? "gauss" : "theta", "post", 0.01);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, k == 2 ? 0 : 0.3, 0);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.1));
    run_steps(world, 2);
    rgOptions good = *rg_world_options(world), bad = good;
    if (k == 0)
      name(bad.solver, "dantzig");
    else if (k == 1)
      name(bad.stepper, "gauss");
    else
      name(bad.cone, "exact");
    if (k == 2)
      build_set_default_material(world, 0.3, 0);
    REQUIRE(rg_world_set_options(world, &bad) == RG_OK);
    double height = rg_body_center(world, ball).z;
    CONTEXT("case %d", k);
    CHECK_INT(rg_world_step(world, NULL), RG_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(rg_world_message(world), k == 0 ? "does not take the friction of this world"
                                                     : "gauss has no friction, and this world has"),
              "%s", rg_world_message(world));
    CHECK_BITS(rg_body_center(world, ball).z, height);
    REQUIRE(rg_world_set_options(world, &good) == RG_OK);
    if (k == 2)
      build_set_default_material(world, 0, 0);
    run_steps(world, 1);
    rg_world_destroy(world);
  }
}

// Spin follows torque as velocity follows force, w = tau I^-1 T, and the body turns by it.
TEST(first_order_spin_follows_torque) {
  for (int i = 0; i < 6; i++) {
    double tau = 0.05 * (i + 1);
    rgWorld* world = first_order_world(tau, v3_zero());
    rgBodyDef def = rg_body_def();
    def.mass = 2;
    def.inertia_given = true;
    def.inertia = m3_diag(0.1, 0.1, 0.1 + 0.02 * i);
    rgBodyId body;
    REQUIRE(rg_world_add_body(world, &def, NULL, 0, &body) == RG_OK);
    rgForceDef force = rg_force_def();
    force.body = body;
    force.wrench = (rgWrench){v3(0.5, 0, 0), v3(0, 0, 0.3)};
    rgForceId id;
    REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
    run_steps(world, 10);
    double h = rg_world_options(world)->step, w = tau * 0.3 / (0.1 + 0.02 * i);
    CONTEXT("tau %g", tau);
    CHECK_NEAR(rg_body_velocity(world, body).angular.z, w, 1e-9);
    CHECK_NEAR(rg_body_velocity(world, body).linear.x, tau * 0.25, 1e-9);
    rgQuat q = rg_body_pose(world, body).orientation;
    CHECK_NEAR(q.z / q.w, tan(10 * atan(0.5 * h * w)), 1e-9);
    rg_world_destroy(world);
  }
}
