// The stepper halving: steps are cut where bodies touch, with friction and restitution.
#include "support/laws.h"

#include "support/arbitrary.h"
#include "support/builder.h"
#include "support/random.h"
#include <rigor/rigor.h>

static rgOptions halving_options(double h) {
  rgOptions options = law_options("default", h);
  options.theta = 1;
  options.tolerance = 1e-10;
  snprintf(options.stepper, sizeof options.stepper, "halving");
  return options;
}

typedef struct Throw {
  double mu, e, across, along, distance, radius, h;
} Throw;

static Throw random_throw(void) {
  Throw t;
  t.mu = random_between(0, 0.4);
  t.e = random_between(0, 1);
  t.across = random_between(0.5, 30);
  t.along = random_between(-5, 5);
  t.distance = random_between(0.05, 0.5);
  t.radius = random_between(0.02, 0.3);
  t.h = random_between(0.002, 0.02);
  return t;
}

// A ball without weight against a wall: where it is after the impact, in closed form. Friction slides
// unless less of it makes the point of contact stick: 2/7 of the slip.
TEST(a_thrown_ball_is_where_the_impact_in_closed_form_puts_it) {
  for (int i = 0; i < 60; i++) {
    Throw t = random_throw();
    CONTEXT("throw %d: mu %g, e %g, %g m/s, h %g", i, t.mu, t.e, t.across, t.h);
    rgWorldDef def = rg_world_def();
    def.options = halving_options(t.h);
    def.options.gravity = v3_zero();
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, t.mu, t.e);
    build_floor(world);
    rgBodyId ball = build_sphere(world, t.radius, v3(0, 0, t.radius + t.distance));
    rgTwist start = {v3(t.along, 0, -t.across), v3_zero()};
    REQUIRE(rg_body_set_velocity(world, ball, start) == RG_OK);
    double hit = t.distance / t.across;
    int steps = (int)(hit / t.h) + 5;
    int touching_steps = 0;
    for (int k = 0; k < steps; k++)
      touching_steps += run_met_step(world, k).contacts > 0;
    CHECK_INT(touching_steps, 1); // that of the impact
    double slide = t.mu * (1 + t.e) * t.across, stick = 2.0 / 7 * fabs(t.along);
    double change = fmin(slide, stick) * (t.along > 0 ? -1 : 1), rest = steps * t.h - hit;
    rgVec3 exact =
        v3(t.along * hit + (t.along + change) * rest, 0, t.radius + t.e * t.across * rest);
    double touching = def.options.projection_tolerance * t.radius;
    double off = distance(rg_body_center(world, ball), exact);
    double bound = (1 + t.e + fabs(change) / t.across) * touching + 1e-9 * t.across;
    CHECK_MSG(off <= bound, "off by %g m, %g m allowed", off, bound);
    CHECK_NEAR(rg_body_velocity(world, ball).linear.z, t.e * t.across, 1e-8 * t.across);
    CHECK_NEAR(rg_body_velocity(world, ball).linear.x, t.along + change, 1e-8 * t.across);
    CHECK_NEAR(rg_world_time(world), steps * t.h, 1e-12);
    CHECK_INT(rg_world_steps(world), steps);
    rg_world_destroy(world);
  }
}

// However fast: a bullet and a plate that it would pass ten times over in one step.
TEST(nothing_fast_is_passed) {
  for (int turned = 0; turned < 2; turned++) {
    rgWorldDef def = rg_world_def();
    def.options = halving_options(0.01);
    rgWorld* world = build_world_of(&def);
    rgBodyDef plate = body_at(RG_BODY_STATIC, v3(0, 0, 0));
    if (turned)
      plate.pose.orientation = turn_about(v3(0, 1, 0), 0.4);
    build_body(world, &plate, shape_box(v3(0.5, 0.5, 0.01)));
    rgBodyId bullet = build_sphere(world, 0.01, v3(0, 0, 0.4));
    rgTwist start = {v3(0, 0, -500), v3_zero()};
    REQUIRE(rg_body_set_velocity(world, bullet, start) == RG_OK);
    CONTEXT("%s", turned ? "turned" : "flat");
    for (int i = 0; i < 5; i++) {
      run_steps(world, 1);
      rgVec3 at = rg_body_center(world, bullet);
      if (turned)
        at = quat_unrotate(plate.pose.orientation, at);
      CHECK_MSG(at.z > 0.0199 || fabs(at.x) > 0.4, "passed: %g m", at.z);
    }
    rg_world_destroy(world);
  }
}

// A ball that bounces to rest, by ever smaller bounces: every step is made, nothing overlaps by more
// than what counts as touching, and energy only falls.
TEST(bounces_come_to_an_end) {
  const double restitutions[] = {0.3, 0.7, 0.9};
  for (int i = 0; i < 3; i++) {
    rgWorldDef def = rg_world_def();
    def.options = halving_options(0.01);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0.3, restitutions[i]);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.35));
    rgEnergy last = rg_world_energy(world);
    double touching = 0.1 * def.options.projection_tolerance;
    CONTEXT("e = %g", restitutions[i]);
    for (int k = 0; k < 800; k++) {
      rgCertificate certificate = run_met_step(world, k);
      CHECK_MSG(certificate.penetration <= 1.001 * touching, "step %d: %g m", k,
                certificate.penetration);
      rgEnergy now = rg_world_energy(world);
      // An impact at theta = 1 borrows m g h e u / 2 at most, which the flight gives back.
      CHECK_MSG(now.kinetic + now.potential <= 1.02 * (last.kinetic + last.potential), "step %d",
                k);
      last = now;
    }
    if (i < 2)
      CHECK_NEAR(rg_body_center(world, ball).z, 0.1, 2e-3);
    rg_world_destroy(world);
  }
}

// Random scenes, of all shapes, joints, solvers and limits on them: no step makes more energy than it
// may, and the balance of its parts is that of the step.
TEST(no_step_in_parts_of_a_random_scene_gains_energy) {
  int made = 0;
  for (int seed = 1; made < (test_fast() ? 5 : 25); seed++) {
    Arbitrary scene = arbitrary_scene((uint64_t)seed);
    if (!scene.world)
      continue;
    CONTEXT("%s", scene.name);
    rgOptions options = *rg_world_options(scene.world);
    snprintf(options.stepper, sizeof options.stepper, "halving");
    snprintf(options.impacts, sizeof options.impacts, "simultaneous");
    snprintf(options.solver, sizeof options.solver, "auto");
    options.solver_options[0] = 0;
    REQUIRE(rg_world_set_options(scene.world, &options) == RG_OK);
    made++;
    int failures = test_state.failures;
    for (int i = 0; i < 40 && test_state.failures == failures; i++) {
      rgEnergy start = rg_world_energy(scene.world);
      rgCertificate certificate;
      if (rg_world_step(scene.world, &certificate) != RG_OK)
        break;
      rgEnergy end = rg_world_energy(scene.world);
      double change = end.kinetic + end.potential - start.kinetic - start.potential;
      double size = start.kinetic + end.kinetic + fabs(end.potential) + fabs(start.potential);
      rgStageReport stage = certificate.stages[RG_STAGE_ENERGY];
      CHECK_NEAR(certificate.energy, change, 1e-11 * size);
      CHECK_MSG(certificate.energy <= stage.asked, "step %d gains %g J, asked %g J", i,
                certificate.energy, stage.asked);
    }
    rg_world_destroy(scene.world);
  }
}

// A failure in a later part leaves the state before the first, to the last bit.
static rgWrench explode(double time, rgPose pose, rgTwist velocity, void* context) {
  bool touches = pose.position.z < 0.1 + 1e-6 && velocity.linear.z < 0;
  (void)time, (void)context;
  return (rgWrench){v3(0, 0, touches ? 1e308 : 0), v3_zero()};
}

TEST(a_failure_in_a_later_part_takes_back_the_whole_step) {
  rgWorldDef def = rg_world_def();
  def.options = halving_options(0.02);
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.3, 0.8);
  build_floor(world);
  rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.3));
  rgForceDef force = rg_force_def();
  force.kind = RG_FORCE_CALLBACK;
  force.callback = explode;
  force.body = ball;
  rgForceId id;
  REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
  rgStatus status = RG_OK;
  rgPose pose = {0};
  rgTwist velocity = {{0, 0, 0}, {0, 0, 0}};
  double time = 0;
  int steps = 0;
  for (; steps < 100 && status == RG_OK; steps++) {
    pose = rg_body_pose(world, ball);
    velocity = rg_body_velocity(world, ball);
    time = rg_world_time(world);
    status = rg_world_step(world, NULL);
  }
  CHECK_INT(status, RG_ERROR_INPUT);
  CHECK(pose.position.z > 0.1 + 1e-3); // it failed in the step of the impact, when it touched
  rgPose now = rg_body_pose(world, ball);
  rgTwist speed = rg_body_velocity(world, ball);
  CHECK(memcmp(&now, &pose, sizeof now) == 0);
  CHECK(memcmp(&speed, &velocity, sizeof speed) == 0);
  CHECK(rg_world_time(world) == time);
  CHECK_INT(rg_world_steps(world), steps - 1);
  rg_world_destroy(world);
}

// Two balls without weight strike the ground at once, a third one later in the same step: the last part has one
// contact, and the step tells the most that a part has.
TEST(a_step_tells_the_contacts_of_the_part_that_has_most) {
  for (int i = 0; i < 20; i++) {
    rgWorldDef def = rg_world_def();
    def.options = halving_options(0.01);
    def.options.gravity = v3_zero();
    double speed = random_between(1, 10), first = random_between(0.1, 0.4),
           second = random_between(0.6, 0.9);
    CONTEXT("%g m/s, impacts at %g and %g of the step", speed, first, second);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0, 1);
    build_floor(world);
    for (int k = 0; k < 3; k++) {
      double height = 0.1 + (k < 2 ? first : second) * 0.01 * speed;
      rgBodyDef ball = body_at(RG_BODY_DYNAMIC, v3(k, 0, height));
      ball.velocity.linear = v3(0, 0, -speed);
      build_body(world, &ball, shape_sphere(0.1));
    }
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_INT(certificate.contacts, 2);
    for (int k = 0; k < 3; k++)
      CHECK_REL(rg_body_velocity(world, rg_world_body(world, 1 + k)).linear.z, speed, 1e-9);
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_INT(certificate.contacts, 0);
    rg_world_destroy(world);
  }
}

// With weight, and steps longer than the time between bounces: an impact does not hold the ball up for the rest of its
// step, so that its energy never rises. The last of it goes in one step of many bounces, in which contacts hold.
TEST(a_ball_that_bounces_in_long_steps_gains_no_energy) {
  for (int i = 0; i < 40; i++) {
    rgWorldDef def = rg_world_def();
    double h = 1e-3 * (1 + i % 4 * 100), e = random_between(0.2, 1),
           fall = random_between(0.002, 0.1);
    CONTEXT("h %g, e %g, from %g m", h, e, fall);
    def.options = halving_options(h);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0.5, e);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.1 + fall));
    rgEnergy start = rg_world_energy(world);
    double last = start.kinetic + start.potential, weight = rg_body_mass(world, ball).mass * 9.81;
    for (int k = 0; k < 20; k++) {
      run_steps(world, 1);
      rgEnergy now = rg_world_energy(world);
      // What is left of the gain, m g e |u| 2^-20 h, at each of some ten bounces of a step, and of overlaps.
      double allowed = weight * (1e-5 * h * sqrt(2 * 9.81 * fall) + 1e-7);
      CHECK_MSG(now.kinetic + now.potential <= last + allowed, "step %d: %g J more", k,
                now.kinetic + now.potential - last);
      last = now.kinetic + now.potential;
    }
    rg_world_destroy(world);
  }
}
