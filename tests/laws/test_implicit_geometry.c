// The stepper implicit-geometry: contacts hold at the end of the step, where the bodies are then, at theta = 1 and at 1/2.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <string.h>

static void set_stepper(rgWorld* world, double theta, double step, double tolerance) {
  rgOptions options = *rg_world_options(world);
  strcpy(options.stepper, "implicit-geometry");
  options.theta = theta;
  options.step = step;
  options.tolerance = tolerance;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
}

static double kinetic(const rgWorld* world) { return rg_world_energy(world).kinetic; }

// A wheel rolls on with the speed it has, whatever its radius, speed and step: Chakraborty et al. 2007,
// example 1, in three dimensions. A line of contact has two points throughout, a round rim one.
TEST(wheels_keep_rolling) {
  random_state = 11;
  for (int i = 0; i < 12; i++) {
    double radius = random_between(0.1, 1), speed = random_between(0.5, 8);
    double h = random_between(0.001, 0.02);
    rgWorld* world = build_world("default");
    set_stepper(world, i % 4 < 2 ? 1 : 0.5, h, 1e-8);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius));
    def.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * 3.14159265358979323846);
    def.velocity = twist(v3(speed, 0, 0), v3(0, speed / radius, 0));
    bool cylinder = i % 2 == 0;
    rgBodyId wheel = build_body(world, &def,
                                cylinder ? shape_cylinder(radius, 0.3 * radius)
                                         : shape_ellipsoid(v3(radius, radius, 0.5 * radius)));
    double before = kinetic(world), weight = rg_body_mass(world, wheel).mass * 9.81 * h;
    for (int k = 0; k < 400; k++) {
      run_met_step(world, k);
      REQUIRE_INT(rg_world_contact_count(world), cylinder ? 2 : 1);
      double push = 0;
      for (int c = 0; c < rg_world_contact_count(world); c++) {
        rgContact contact;
        REQUIRE_INT(rg_world_contact(world, c, &contact), RG_OK);
        push += v3_dot(contact.impulse, contact.normal);
      }
      CHECK_NEAR(push / weight, 1, 1e-6); // what the tolerance allows of g h, with room
    }
    CHECK_NEAR(kinetic(world) / before, 1, 1e-9); // 400 steps within 1e-8 of g h each
    rg_world_destroy(world);
  }
}

// An ellipsoid on fixed ellipsoids, pulled along: every contact that pushes is closed at the end of the
// step, to what the tolerance leaves of it, however far it moved. The stepper that freezes geometry
// leaves gaps of the second order, v^2 h^2 / 2R.
TEST(gaps_are_closed_at_the_end_of_the_step) {
  random_state = 5;
  double worst = 0, frozen = 0;
  for (int i = 0; i < 10; i++)
    for (int variant = 0; variant < 2; variant++) {
      uint64_t seed = random_state;
      rgWorld* world = build_world("default");
      set_stepper(world, i % 2 ? 0.5 : 1, 0.01, 1e-9);
      rgOptions options = *rg_world_options(world);
      if (variant == 1)
        strcpy(options.stepper, "stewart-trinkle");
      REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
      build_set_default_material(world, random_between(0.1, 0.6), 0);
      rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
      build_body(world, &ground, shape_ellipsoid(v3(4, random_between(3, 5), 3)));
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 3));
      rgVec3 half = v3(random_between(0.3, 0.5), random_between(0.2, 0.4), 0.25);
      def.pose.position.z += half.z;
      def.velocity = twist(v3(random_between(0.5, 1.5), random_between(-1, 1), 0), v3_zero());
      build_body(world, &def, shape_ellipsoid(half));
      for (int k = 0; k < 60; k++) {
        rgCertificate certificate = run_met_step(world, k);
        for (int c = 0; c < rg_world_contact_count(world); c++) {
          rgContact contact;
          REQUIRE_INT(rg_world_contact(world, c, &contact), RG_OK);
          if (!(v3_norm(contact.impulse) > 0))
            continue;
          double* most = variant == 0 ? &worst : &frozen;
          *most = fmax(*most, fabs(contact.gap));
        }
        CHECK_INT(certificate.stages[RG_STAGE_GAP].count > 0, variant == 0);
        CHECK_INT(certificate.stages[RG_STAGE_ALIGNMENT].missed, 0);
      }
      rg_world_destroy(world);
      if (variant == 0)
        random_state = seed; // the same world for both
    }
  CHECK(worst < 1e-11); // h times the tolerance of 1e-9 times velocities of 0.1 m/s, and rounding
  CHECK(frozen > 1e-6);
}

// Ellipsoids thrown onto the ground and each other: every step is met, its contacts included, nothing
// gains energy, and nothing overlaps by more than h times the velocity that the tolerance allows.
TEST(thrown_ellipsoids_meet_every_step) {
  random_state = 21;
  for (int i = 0; i < (test_fast() ? 1 : 4); i++) {
    rgWorld* world = build_world("default");
    set_stepper(world, i % 2 ? 0.5 : 1, 0.005, 1e-6);
    build_set_default_material(world, random_between(0.1, 0.7), 0);
    build_floor(world);
    for (int k = 0; k < 9; k++) {
      rgBodyDef def =
          body_at(RG_BODY_DYNAMIC, v3(0.45 * (k % 3), 0.45 * (k / 3), random_between(0.3, 0.6)));
      def.pose.orientation = turn_about(random_direction(), random_between(0, 3));
      def.velocity = twist(random_within(-1, 1), random_within(-4, 4));
      build_body(world, &def, shape_ellipsoid(random_within(0.1, 0.2)));
    }
    for (int k = 0; k < 300; k++) {
      rgCertificate certificate = run_met_step(world, k);
      double allowed = 0.005 * certificate.tolerance * certificate.scale; // and rounding
      CHECK_MSG(certificate.penetration <= allowed + 1e-14, "step %d", k);
      CHECK_MSG(certificate.energy <= certificate.stages[RG_STAGE_ENERGY].asked, "step %d", k);
    }
    rg_world_destroy(world);
  }
}

// A sphere that spins on a plane is braked by torsion at a constant rate and stops in the step in which
// it comes to rest: Chakraborty et al. 2007, example 2, with other numbers as well.
TEST(torsion_brakes_a_spinning_sphere) {
  random_state = 3;
  for (int i = 0; i < 8; i++) {
    double arm = i == 0 ? 0.4 : random_between(0.05, 0.5),
           mu = i == 0 ? 0.2 : random_between(0.1, 1);
    double spin = i == 0 ? 1.962 : random_between(0.5, 5),
           h = i == 0 ? 0.07 : random_between(0.002, 0.05);
    rgWorld* world = build_world("default");
    set_stepper(world, i % 2 ? 0.5 : 1, h, 1e-10);
    rgMaterial material = rg_material_default();
    material.mu = mu;
    material.e_tau = arm;
    REQUIRE_INT(rg_world_set_material(world, 0, &material), RG_OK);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
    def.velocity.angular.z = spin;
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = m3_diag(0.4, 0.4, 0.4);
    rgBodyId ball = build_body(world, &def, shape_ellipsoid(v3(1, 1, 1)));
    double rate = mu * arm * 9.81 / 0.4;
    for (int k = 1; k <= 20; k++) {
      run_met_step(world, k);
      double left = fmax(0, spin - rate * k * h);
      CHECK_NEAR(rg_body_velocity(world, ball).angular.z, left, 1e-9); // 20 steps at 1e-10
    }
    rg_world_destroy(world);
  }
}
