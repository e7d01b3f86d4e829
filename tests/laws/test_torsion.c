// A ball spinning about the vertical on a contact that resists it: the moment is mu e_tau m g, the
// inertia 2/5 m r^2. With m = r = 1, mu = 0.2, e_tau = 0.4 the spin decays at 0.7848 / 0.4 = 1.962
// rad/s^2.
#include "support/laws.h"

static void begin(Law* law, double spin, double step) {
  scene_ball(&law->scene, false, 1, 0.2, v3_zero(), v3(0, 0, spin));
  law->scene.materials[0].e_tau = 0.4;
  law->scene.bodies[1].def.mass = 1;
  rgOptions options = law_options("reference", step);
  law_begin(law, &options, SCENE_SI);
}

// The moment is constant: the decay is linear to rounding and the solver's tolerance, in every
// step.
TEST(spin_decays_linearly_and_ends_after_one_second) {
  const double steps[] = {0.01, 0.007}; // the second does not divide a second
  for (int i = 0; i < 4; ++i) {
    double step = steps[i / 2], sign = i % 2 ? -1 : 1;
    CONTEXT("h = %g s, %s", step, sign > 0 ? "left" : "right");
    Law law;
    begin(&law, 1.962 * sign, step);
    while (law_time(&law) < 1 + 0.5 * step) {
      law_run(&law, 1);
      double expected = 1.962 * fmax(0, 1 - law_time(&law));
      CHECK_NEAR(law_velocity(&law, 1).angular.z, sign * expected, 1e-9);
    }
    law_run(&law, 100);
    CHECK_NEAR(v3_norm(law_velocity(&law, 1).angular), 0, 1e-12);
    CHECK_NEAR(law_displacement(&law), 0, 1e-9);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

// Torsion and sliding share one cone: |(r_t, r_tau / e_tau)| <= mu r_n. A ball that slides and
// spins therefore decelerates less than one that only slides.
TEST(spin_takes_part_of_the_friction_from_sliding) {
  double speed[2];
  for (int i = 0; i < 2; ++i) {
    Law law;
    scene_ball(&law.scene, false, 1, 0.2, v3(3, 0, 0), v3(0, 0, i ? 8 : 0));
    law.scene.materials[0].e_tau = 0.4;
    rgOptions options = law_options("reference", 1e-3);
    law_begin(&law, &options, SCENE_SI);
    law_run(&law, 100);
    speed[i] = law_velocity(&law, 1).linear.x;
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
  // Alone, sliding takes mu g t = 0.1962 m/s in 0.1 s. With the spin, e_tau w = 3.2 m/s against 3
  // m/s of sliding leave it 3 / |(3, 3.2)| = 0.68 of that.
  CHECK_NEAR(speed[0], 3 - 0.1962, 1e-8);
  CHECK_MSG(speed[1] > speed[0] + 0.04, "%g m/s with spin, %g without", speed[1], speed[0]);
}

// A ball at rest on the axis of a turntable: the surface under it does not slide, only its spin is
// felt. The moment is that of above, so the ball spins up by 1.962 rad/s^2 until it turns with the
// table, and then keeps its spin. The table gives the moment times its own spin; what the ball does
// not get of it is lost where the two spins differ, and that is the balance of energy of a step.
TEST(a_turntable_spins_a_ball_up_to_its_own_spin) {
  const double spins[] = {0.5, -0.5, 1.962, -1.962}; // [rad/s] of the table
  for (int i = 0; i < 8; ++i) {
    double spin = spins[i / 2];
    bool block = i % 2;
    CONTEXT("%g rad/s, on a %s", spin, block ? "block" : "half-space");
    Law law;
    scene_ball(&law.scene, block, 1, 0.2, v3_zero(), v3_zero());
    law.scene.materials[0].e_tau = 0.4;
    law.scene.bodies[0].def.kind = RG_BODY_KINEMATIC;
    law.scene.bodies[0].def.velocity.angular = v3(0, 0, spin);
    law.scene.bodies[1].def.mass = 1;
    rgOptions options = law_options("reference", 0.01);
    law_begin(&law, &options, SCENE_SI);
    double expected = 0;
    while (law_time(&law) < 1.2) {
      law_run(&law, 1);
      double last = expected;
      expected = fmin(1.962 * law_time(&law), fabs(spin));
      double moment = 0.4 * (expected - last), slip = fabs(spin) - 0.5 * (expected + last);
      CHECK_NEAR(rg_world_certificate(law.world)->energy, -moment * slip, 1e-9);
      CHECK_NEAR(law_velocity(&law, 1).angular.z, spin < 0 ? -expected : expected, 1e-9);
    }
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}
