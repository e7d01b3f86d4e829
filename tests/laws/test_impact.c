// A ball bounces off the ground with Newton's restitution e and Coulomb friction.
//
// Normal impulse m (1 + e) vn. Sliding throughout: tangential impulse mu m (1 + e) vn, so v' = v -
// mu (1 + e) vn and w' = 5/2 mu (1 + e) vn / r. Sticking: the impulse that stops the lowest point
// is 2/7 m v, so v' = 5/7 v and w' = v'/r. It sticks when mu (1 + e) vn > 2/7 v.
#include "support/builder.h"
#include "support/laws.h"
#include "support/random.h"

static const double R = 0.1;

static void check_bounce(double mu, double tangential, double spin) {
  const double headings[] = {0, 37, 90, 211};
  for (int i = 0; i < 4; ++i) {
    CONTEXT("mu %g, heading %g degrees", mu, headings[i]);
    rgVec3 along = v3(cos(radians(headings[i])), sin(radians(headings[i])), 0);
    rgVec3 side = v3_cross(v3(0, 0, 1), along);
    Law law;
    scene_ball(&law.scene, false, R, mu, v3_axpy(v3(0, 0, -3), 2, along), v3_zero());
    law.scene.gravity = v3_zero();
    law.scene.materials[0].restitution = 0.8;
    law.scene.bodies[1].def.pose.position.z += 0.05;
    rgOptions options = law_options("reference", 1e-3);
    law_begin(&law, &options, SCENE_SI);
    law_run(&law, 50); // it touches after 16.7 ms
    rgTwist v = law_velocity(&law, 1);
    // One impulse, no forces: the only error is the solver's, 1e-10 of 3 m/s, times 1/r for the
    // spin.
    CHECK_NEAR(v.linear.z, 2.4, 1e-8);
    CHECK_NEAR(v3_dot(v.linear, along), tangential, 1e-8);
    CHECK_NEAR(v3_dot(v.linear, side), 0, 1e-8);
    CHECK_NEAR(v3_norm(v3_axpy(v.angular, -spin, side)), 0, 1e-7);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

TEST(oblique_bounce_that_slides) { check_bounce(0.05, 1.73, 6.75); }

TEST(oblique_bounce_that_sticks) { check_bounce(0.5, 10.0 / 7, 100.0 / 7); }

// At theta = 1/2 free fall conserves energy exactly, and an elastic impact reverses the velocity
// at an unchanged height; 1e-9 leaves room for the rounding of 1e5 steps only.
TEST(elastic_ball_keeps_its_energy_over_100_bounces) {
  Law law;
  scene_ball(&law.scene, false, R, 0, v3_zero(), v3_zero());
  law.scene.materials[0].restitution = 1;
  law.scene.bodies[1].def.pose.position.z = 10 + R;
  rgOptions options = law_options("reference", 2e-3);
  law_begin(&law, &options, SCENE_SI);
  double start = law_energy(&law), worst = 0, before = 0;
  int bounces = 0;
  while (bounces < 100 && law_time(&law) < 320) { // a bounce takes 2.86 s
    law_run(&law, 1);
    double now = law_velocity(&law, 1).linear.z;
    bounces += before < 0 && now > 0;
    before = now;
    worst = fmax(worst, fabs(law_energy(&law) - start));
  }
  CHECK_INT(bounces, 100);
  CHECK_NEAR(worst / start, 0, 1e-9);
  CHECK_INT(law.not_met, 0);
  law_end(&law);
}

// A ball falls on another at rest that is as heavy: an elastic impact hands all the velocity over.
TEST(elastic_impact_of_equal_balls_exchanges_velocities) {
  Law law;
  scene_begin(&law.scene, "two balls", 0.3);
  law.scene.gravity = v3_zero();
  law.scene.materials[0].restitution = 1;
  scene_add_sphere(&law.scene, R, v3(0, 0, 0));
  scene_add_sphere(&law.scene, R, v3(0.25, 0, 0));
  law.scene.bodies[0].def.velocity.linear = v3(2, 0, 0);
  rgOptions options = law_options("reference", 1e-3);
  law_begin(&law, &options, SCENE_SI);
  law_run(&law, 100);
  CHECK_NEAR(v3_norm(law_velocity(&law, 0).linear), 0, 1e-9);
  CHECK_NEAR(v3_norm(v3_sub(law_velocity(&law, 1).linear, v3(2, 0, 0))), 0, 1e-9);
  law_end(&law);
}

// In the step of an impact under gravity a body leaves with e times its approach, whatever theta is: what
// the step borrows by moving on with the new velocity is not taken out of the rebound.
TEST(a_rebound_under_gravity_is_whole) {
  random_state = 5;
  for (int k = 0; k < 40; k++) {
    double theta = k % 3 == 0 ? 0.5 : random_between(0.5, 1),
           e = k % 4 < 2 ? 1 : random_between(0.2, 1), height = random_between(0.02, 1);
    rgWorld* world = build_world(k % 2 ? "default" : "reference");
    build_set_step(world, 5e-3, k % 5 == 0 ? 1 : theta);
    build_set_default_material(world, 0.3, e);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.1 + height));
    CONTEXT("case %d: theta %g, e %g, from %g m", k, rg_world_options(world)->theta, e, height);
    double before = 0, after = 0;
    for (int i = 0; i < 1000 && after <= 0; i++) {
      before = rg_body_velocity(world, ball).linear.z;
      run_steps(world, 1);
      after = rg_body_velocity(world, ball).linear.z;
    }
    CHECK_NEAR(after, -e * before, 1e-5 * -before); // the tolerance of the solve
    rg_world_destroy(world);
  }
}

// Kinetic energy of the body of an island as its problem knows it [J].
static double energy_of_solution(const rgProblem* problem, const rgSolution* solution) {
  const double* v = solution->v;
  rgMat3 inertia = m3_inverse(&problem->bodies[0].inverse_inertia);
  rgVec3 linear = v3(v[0], v[1], v[2]), spin = v3(v[3], v[4], v[5]);
  return 0.5 * v3_norm2(linear) / problem->bodies[0].inverse_mass +
         0.5 * v3_dot(spin, m3_apply(&inertia, spin));
}

// At theta = 1 a body that turns in the step of an impact takes its spin along: it has the energy that the
// problem gave it, however slender it is, and however often the step was tried.
TEST(a_body_has_the_energy_that_its_problem_gave_it) {
  random_state = 6;
  int impacts = 0;
  for (int k = 0; k < 60; k++) {
    rgWorld* world = build_still(k % 2 ? "default" : "reference");
    rgOptions options = *rg_world_options(world);
    options.theta = 1;
    options.step = 0.01;
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    build_set_default_material(world, random_between(0, 0.5), random_between(0.1, 0.4));
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5));
    def.pose.orientation = random_rotation();
    def.velocity = twist(v3(0, 0, -random_between(3, 6)), v3_scale(random_vector(), 8));
    build_body(world, &def, shape_box(random_within(0.03, 0.4)));
    CONTEXT("case %d", k);
    for (int step = 0; step < 20; step++) {
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      rgProblem problem;
      rgSolution solution;
      if (rg_world_island(world, 0, &problem, &solution, NULL) != RG_OK || solution.r[0] == 0)
        continue;
      impacts++;
      double given = energy_of_solution(&problem, &solution);
      if (!CHECK_REL(rg_world_energy(world).kinetic, given, 1e-9))
        break;
    }
    rg_world_destroy(world);
  }
  CHECK(impacts > 60);
}
