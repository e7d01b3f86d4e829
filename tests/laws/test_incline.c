// A slab on an incline: m x'' = m g sin(a) - friction, normal force m g cos(a). It holds while
// tan(a) <= mu; above that it slides with x'' = g (sin(a) - mu cos(a)). The incline is made in
// three ways (gravity turned, half-space turned, static box turned) that are the same physics.
#include "support/laws.h"

static const double G = 9.81;

static const char* const KINDS[] = {"turned gravity", "turned half-space", "turned box"};

// 0.1 degree inside the cone the slab moves less than 1e-9 m in 10 s. A creep by the tolerance of
// the solver, 1e-10 g h per step, would come to 1e-10 m.
TEST(slab_holds_below_the_critical_angle) {
  double angle = atan(0.5) - radians(0.1);
  for (int kind = 0; kind < SCENE_INCLINE_COUNT; ++kind) {
    CONTEXT("%s", KINDS[kind]);
    Law law;
    scene_incline(&law.scene, (SceneIncline)kind, angle, 0.5);
    rgOptions options = law_options("reference", 0.01);
    law_begin(&law, &options, SCENE_SI);
    law_run(&law, 1000);
    CHECK_NEAR(v3_norm(law_moved(&law, 1)), 0, 1e-9);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

// The force is constant, so the scheme has no error of its own at theta = 1/2: v = a t and x = a
// t^2 / 2 to rounding and the tolerance of the solver. The latter, 1e-10 of g h per step, is 5e-8
// of the smallest acceleration here; 1e-6 is asked.
static void check_slide(double angle, double mu, double time) {
  double a = G * (sin(angle) - mu * cos(angle));
  for (int kind = 0; kind < SCENE_INCLINE_COUNT; ++kind) {
    CONTEXT("%s, angle %g, mu %g", KINDS[kind], angle, mu);
    Law law;
    scene_incline(&law.scene, (SceneIncline)kind, angle, mu);
    rgOptions options = law_options("reference", 1e-3);
    law_begin(&law, &options, SCENE_SI);
    law_run(&law, (int)lround(time / options.step));
    rgVec3 down = scene_incline_down((SceneIncline)kind, angle);
    rgVec3 normal = scene_incline_normal((SceneIncline)kind, angle);
    CHECK_REL(v3_dot(law_velocity(&law, 1).linear, down) / time, a, 1e-6);
    CHECK_REL(v3_dot(law_moved(&law, 1), down), a * time * time / 2, 1e-6);
    CHECK_NEAR(v3_dot(law_moved(&law, 1), normal), 0, 1e-9);
    CHECK_NEAR(v3_norm(law_velocity(&law, 1).angular), 0, 1e-9);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

TEST(slab_slides_just_above_the_critical_angle) { check_slide(atan(0.5) + radians(0.1), 0.5, 2); }

TEST(slab_slides_well_above_the_critical_angle) { check_slide(radians(40), 0.5, 1); }

TEST(slab_at_30_degrees_with_mu_0_3) {
  // The published figure has five digits.
  CHECK_NEAR(G * (sin(radians(30)) - 0.3 * cos(radians(30))), 2.3563, 5e-5);
  check_slide(radians(30), 0.3, 1);
}
