// Painleve's rod: a slender rod slides on its lower end, which runs ahead of the centre. Beyond a
// critical friction there is no finite contact force; the discrete problem has a solution all the
// same, an impulse that stops the tip ("jam").
//
// Rod of mass 1 and half length 1, I = 1/3; the tip is at (c, -s) from the centre, tan = s / c = 2.
// Impulses (n, t) change the velocity of the tip by W = [1 + 3 c^2, 3 c s; 3 c s, 1 + 3 s^2] =
// [1.6, 1.2; 1.2, 3.4]. Sliding forwards, t = -mu n, gives u_n = -g h + (1.6 - 1.2 mu) n, which
// cannot reach zero when mu >= 4/3. Sticking, W (n, t) = (g h, -1), gives n = 0.3 + 0.85 g h and t
// = -0.4 - 0.3 g h; |t| / n < 4/3, so it is in the cone.
#include "support/laws.h"

static const double G = 9.81;

// Only the tip has a shape: a small ball whose lowest point is the end of the rod.
static void begin(Law* law, double mu, double step) {
  const double tip = 0.01, c = 1 / sqrt(5), s = 2 / sqrt(5);
  scene_begin(&law->scene, "rod", mu);
  scene_add_floor(&law->scene);
  int rod = scene_add_sphere(&law->scene, tip, v3(0, 0, s));
  SceneBody* body = &law->scene.bodies[rod];
  body->shape.pose.position = v3(c, 0, tip - s);
  body->def.mass = 1;
  body->def.inertia_given = true;
  body->def.inertia = m3_diag(1.0 / 3, 1.0 / 3, 1.0 / 3);
  body->def.velocity.linear = v3(1, 0, 0);
  rgOptions options = law_options("reference", step);
  law_begin(law, &options, SCENE_SI);
}

TEST(jam_beyond_the_critical_friction) {
  const double friction[] = {4.0 / 3 + 1e-3, 1.4, 2};
  const double steps[] = {1e-3, 1e-9};
  for (int i = 0; i < 6; ++i) {
    double mu = friction[i / 2], h = steps[i % 2];
    CONTEXT("mu %g, h = %g s", mu, h);
    Law law;
    begin(&law, mu, h);
    law_run(&law, 1);
    rgTwist v = law_velocity(&law, 1);
    // One solve: the error is the solver's tolerance of 1e-10 times a condition of W of about 4.
    double t = v.linear.x - 1, n = v.linear.z + G * h;
    CHECK_NEAR(t, -0.4 - 0.3 * G * h, 1e-8);
    CHECK_NEAR(n, 0.3 + 0.85 * G * h, 1e-8);
    CHECK_NEAR(v.linear.y, 0, 1e-12);
    CHECK_INT(law.not_met, 0);
    // The contact's own account of the impulse is the same.
    rgContact contact;
    REQUIRE_INT(rg_world_contact_count(law.world), 1);
    REQUIRE_INT(rg_world_contact(law.world, 0, &contact), RG_OK);
    double sign = contact.body_a.index == law.ids[1].index ? 1 : -1;
    CHECK_NEAR(sign * contact.impulse.x, t, 1e-9);
    CHECK_NEAR(sign * contact.impulse.z, n, 1e-9);
    law_end(&law);
  }
}

// Below it the tip slides on: n = g h / (1.6 - 1.2 mu).
TEST(no_jam_below_the_critical_friction) {
  const double friction[] = {0.5, 1, 1.3}, h = 1e-4;
  for (int i = 0; i < 3; ++i) {
    double mu = friction[i], n = G * h / (1.6 - 1.2 * mu);
    CONTEXT("mu %g", mu);
    Law law;
    begin(&law, mu, h);
    law_run(&law, 1);
    rgTwist v = law_velocity(&law, 1);
    CHECK_NEAR(v.linear.x, 1 - mu * n, 1e-8);
    CHECK_NEAR(v.linear.z, n - G * h, 1e-8);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}
