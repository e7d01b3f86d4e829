// Impacts one after the other: Newton's cradle, rows against an oracle in one dimension, and no
// energy from nothing.
#include "test.h"

#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"

enum { MOST = 10 };

static void set_impacts(rgWorld* world, const char* law, double theta) {
  rgOptions options = *rg_world_options(world);
  snprintf(options.impacts, sizeof options.impacts, "%s", law);
  options.theta = theta;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// A row of balls along x with given masses; the first `moving` fly at the speed v.
typedef struct Row {
  rgWorld* world;
  rgBodyId balls[MOST];
  double mass[MOST];
  int count;
} Row;

static Row make_row(const char* preset, const char* law, double theta, int count, int moving,
                    double v, double gap, double lead, double e, bool equal) {
  Row row = {.world = build_still(preset), .count = count};
  build_set_default_material(row.world, 0, e);
  set_impacts(row.world, law, theta);
  for (int i = 0; i < count; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(i * (0.2 + gap) - (i < moving ? lead : 0), 0, 0));
    def.mass = row.mass[i] = equal ? 1 : random_between(0.2, 5);
    def.velocity.linear = v3(i < moving ? v : 0, 0, 0);
    row.balls[i] = build_body(row.world, &def, shape_sphere(0.1));
  }
  return row;
}

static double speed_of(const Row* row, int i) {
  return rg_body_velocity(row->world, row->balls[i]).linear.x;
}

// n balls in, n balls out, whether they touch or are a nanometre apart.
TEST(newtons_cradle) {
  static const double gaps[] = {0, 1e-12, 1e-9, 1e-7};
  static const char* const presets[] = {"default", "reference", "realtime"};
  int cases = 0;
  for (int count = 2; count <= 7; count++)
    for (int moving = 1; moving < count; moving++)
      for (int g = 0; g < 4; g++, cases++) {
        double theta = cases % 2 ? 0.5 : 1, v = 1 + cases % 5;
        const char* preset = presets[cases % 3];
        CONTEXT("%d of %d balls, gap %g, %s, theta %g", moving, count, gaps[g], preset, theta);
        double lead = cases % 4 ? 0.0123 : 0; // the moving ones come from a distance
        Row row = make_row(preset, "sequential", theta, count, moving, v, gaps[g], lead, 1, true);
        rgCertificate worst = {.met = true};
        for (int i = 0; i < 20; i++) {
          rgCertificate step;
          REQUIRE(rg_world_step(row.world, &step) == RG_OK);
          rg_certificate_worst(&worst, &step);
        }
        CHECK(worst.met);
        CHECK(worst.stages[RG_STAGE_IMPACTS].count > 0);
        // Each of at most count^2 impacts of two balls may miss by the tolerance.
        double error = count * count * rg_world_options(row.world)->tolerance * v + 1e-12;
        for (int i = 0; i < count; i++)
          CHECK_NEAR(speed_of(&row, i), i >= count - moving ? v : 0, error);
        rg_world_destroy(row.world);
      }
}

// The simultaneous law gives another answer where balls touch, with the same momentum and energy:
// the two are different laws, not different accuracies.
TEST(the_simultaneous_law_is_another_one) {
  for (int count = 3; count <= 7; count++) {
    CONTEXT("%d balls", count);
    Row row = make_row("reference", "simultaneous", 0.5, count, 1, 1, 0, 0, 1, true);
    run_steps(row.world, 20);
    double momentum = 0, energy = 0;
    for (int i = 0; i < count; i++) {
      momentum += speed_of(&row, i);
      energy += speed_of(&row, i) * speed_of(&row, i);
    }
    CHECK_NEAR(momentum, 1, 1e-8);
    CHECK_NEAR(energy, 1, 1e-8);
    CHECK_MSG(speed_of(&row, 0) < -0.1, "the first ball has %g m/s", speed_of(&row, 0));
    rg_world_destroy(row.world);
  }
}

static double approach(const double* v, int count, int i) {
  return i < 0 || i + 1 >= count ? 0 : fmax(0, v[i] - v[i + 1]);
}

// Pairs in one dimension: in each pass those that approach faster than both of their neighbours, the
// first of equal ones.
static void collide_in_order(double* v, const double* mass, int count, double e) {
  for (int k = 0; k < 1000; k++) {
    double before[MOST];
    memcpy(before, v, sizeof before);
    bool any = false;
    for (int i = 0; i + 1 < count; i++) {
      double u = approach(before, count, i);
      if (u < 1e-8 || u <= approach(before, count, i - 1) || u < approach(before, count, i + 1))
        continue;
      double a = mass[i], b = mass[i + 1], r = (1 + e) * u / (1 / a + 1 / b);
      v[i] -= r / a;
      v[i + 1] += r / b;
      any = true;
    }
    if (!any)
      return;
  }
}

// Rows of unequal balls with any restitution end as the oracle says.
TEST(rows_of_unequal_balls_follow_the_order_of_their_impacts) {
  random_state = 12;
  for (int k = 0; k < (test_fast() ? 12 : 60); k++) {
    int count = 2 + k % 6, moving = 1 + k % (count - 1);
    double e = k % 4 == 0 ? 1 : random_between(0.3, 1), theta = k % 2 ? 0.5 : 1;
    Row row = make_row("reference", "sequential", theta, count, moving, 2, 0, 0, e, false);
    CONTEXT("case %d: %d of %d balls, e %g", k, moving, count, e);
    double v[MOST];
    for (int i = 0; i < count; i++)
      v[i] = i < moving ? 2 : 0;
    collide_in_order(v, row.mass, count, e);
    // One step: balls that part by little may meet again later, when there are gaps.
    REQUIRE(rg_world_step(row.world, NULL) == RG_OK);
    for (int i = 0; i < count; i++)
      CHECK_NEAR(speed_of(&row, i), v[i], 1e-6);
    rg_world_destroy(row.world);
  }
}

// Clusters of boxes and balls that fly into each other: momentum stays, energy does not grow.
TEST(sequential_impacts_never_gain) {
  random_state = 13;
  for (int k = 0; k < 40; k++) {
    rgWorld* world = build_still(k % 2 ? "default" : "reference");
    double e = random_between(0.2, 1), mu = k % 3 ? random_between(0, 1) : 0;
    CONTEXT("case %d: e %g, mu %g", k, e, mu);
    build_set_default_material(world, mu, e);
    set_impacts(world, "sequential", k % 4 < 2 ? 0.5 : 1);
    for (int i = 0; i < 8; i++) {
      rgVec3 place = v3(0.21 * (i % 2), 0.21 * (i / 2 % 2), 0.21 * (i / 4)); // apart by 1 cm
      rgBodyId id =
          i % 2 ? build_sphere(world, 0.1, place) : build_box(world, v3(0.1, 0.1, 0.1), place);
      rgVec3 in = v3_scale(v3_sub(v3(0.105, 0.105, 0.105), place), random_between(5, 15));
      REQUIRE(rg_body_set_velocity(world, id, twist(in, random_vector())) == RG_OK);
    }
    rgTwist before = rg_world_momentum(world);
    double start = rg_world_energy(world).kinetic, most = start;
    for (int i = 0; i < 60; i++) {
      rgCertificate c;
      REQUIRE(rg_world_step(world, &c) == RG_OK);
      double now = rg_world_energy(world).kinetic;
      // Solves miss velocities by the tolerance; some tens of impacts in a step.
      double left = 20 * rg_world_options(world)->tolerance * start;
      CHECK_MSG(now <= most + left, "step %d: %g J of %g J", i, now, most);
      most = now;
    }
    rgTwist after = rg_world_momentum(world);
    CHECK_NEAR(distance(after.linear, before.linear), 0, 1e-10 * (1 + v3_norm(before.linear)));
    rg_world_destroy(world);
  }
}

// A light ball between a wall and a heavy one hits them more often than there are passes: the step
// says so, and gains nothing.
TEST(passes_that_run_out_are_reported) {
  for (int k = 0; k < 3; k++) {
    rgWorld* world = build_still("default");
    build_set_default_material(world, 0, 1);
    set_impacts(world, "sequential", 0.5);
    build_block(world, v3(0.1, 1, 1), v3(-0.1, 0, 0));
    rgBodyDef light = body_at(RG_BODY_DYNAMIC, v3(0.1, 0, 0)),
              heavy = body_at(RG_BODY_DYNAMIC, v3(0.3, 0, 0));
    light.mass = k == 0 ? 1e-8 : k == 1 ? 1e-9 : 1e-2;
    heavy.mass = 1;
    heavy.velocity.linear = v3(-1, 0, 0);
    build_body(world, &light, shape_sphere(0.1));
    build_body(world, &heavy, shape_sphere(0.1));
    rgCertificate c;
    REQUIRE(rg_world_step(world, &c) == RG_OK);
    CONTEXT("light ball of %g kg", light.mass);
    CHECK_INT(c.stages[RG_STAGE_IMPACTS].missed > 0, k < 2);
    CHECK_INT(c.met, k == 2);
    CHECK(rg_world_energy(world).kinetic <= 0.5 * (1 + 1e-3)); // 1,000 impacts, 1e-6 each
    rg_world_destroy(world);
  }
}

TEST(other_steppers_refuse_sequential_impacts) {
  for (int i = 0; rg_stepper_name(i); i++) {
    rgOptions options;
    REQUIRE(rg_options_preset("default", &options));
    snprintf(options.impacts, sizeof options.impacts, "sequential");
    snprintf(options.stepper, sizeof options.stepper, "%s", rg_stepper_name(i));
    bool theta = strcmp(rg_stepper_name(i), "theta") == 0;
    rgMessage message;
    CHECK_INT(rg_options_combine(&options, false, &message), theta ? RG_OK : RG_ERROR_UNSUPPORTED);
  }
}

// A plate that moves does work in the impact; the contact takes (1 - e^2) of the energy of approach.
TEST(a_moving_plate_gives_energy_by_its_work) {
  random_state = 14;
  for (int k = 0; k < 12; k++) {
    double e = k % 3 ? random_between(0.1, 1) : 1, up = random_between(1, 5);
    CONTEXT("case %d: e %g, plate at %g m/s", k, e, up);
    rgWorld* world = build_still("reference");
    build_set_default_material(world, 0, e);
    set_impacts(world, "sequential", k % 2 ? 0.5 : 1);
    rgBodyDef plate = body_at(RG_BODY_KINEMATIC, v3_zero());
    plate.velocity.linear = v3(0, 0, up);
    build_body(world, &plate, shape_box(v3(1, 1, 0.1)));
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.2));
    double m = rg_body_mass(world, ball).mass;
    rgCertificate c;
    REQUIRE(rg_world_step(world, &c) == RG_OK);
    double v = rg_body_velocity(world, ball).linear.z, lost = 0.5 * m * up * up * (1 - e * e);
    CHECK_NEAR(v, (1 + e) * up, 1e-8 * up);
    CHECK_NEAR(c.energy, -lost, 1e-8 * m * up * up);
    CHECK_NEAR(c.energy_contacts, -lost, 1e-8 * m * up * up);
    rg_world_destroy(world);
  }
}

// On one contact the two laws are the same: a ball that bounces keeps its energy at theta = 1/2.
TEST(single_bounces_are_those_of_the_simultaneous_law) {
  for (int k = 0; k < 6; k++) {
    double e = 1 - 0.1 * (k / 2);
    rgWorld* world = build_world("reference");
    build_set_default_material(world, 0, e);
    set_impacts(world, k % 2 ? "sequential" : "simultaneous", 0.5);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.6));
    double start = rg_world_energy(world).potential, g = 9.81, h = 1e-3;
    double m = rg_body_mass(world, ball).mass, rest = m * g * 0.1;
    CONTEXT("%s, e %g", rg_world_options(world)->impacts, e);
    // From 0.5 m the first bounce is at 0.319 s, the second at least 0.5 s later.
    run_steps(world, 500);
    rgEnergy now = rg_world_energy(world);
    double left = (now.kinetic + now.potential - rest) / (start - rest);
    // The impact is that of a step in which gravity adds g h to the approach, sqrt(2 g 0.5).
    CHECK_NEAR(left, e * e, 2 * (1 - e) * g * h / sqrt(g) + 1e-9);
    rg_world_destroy(world);
  }
}

// What contacts tell of a step with impacts is what changed the momentum of their bodies, for each body,
// in the step of the impact and in those after it; and the loss is that of contacts.
TEST(contacts_tell_the_impulses_of_impacts) {
  random_state = 15;
  for (int k = 0; k < (test_fast() ? 5 : 20); k++) {
    int count = 2 + k % 5;
    double theta = k % 2 ? 0.5 : 1, e = random_between(0.3, 1), mu = k % 3 ? 0.5 : 0;
    Row row =
        make_row("reference", "sequential", theta, count, 1, random_between(1, 4), 0, 0, e, false);
    build_set_default_material(row.world, mu, e);
    rgTwist spin = rg_body_velocity(row.world, row.balls[0]);
    spin.angular = v3(0, 0, random_between(1, 9)); // rubs the next one aside
    REQUIRE(rg_body_set_velocity(row.world, row.balls[0], spin) == RG_OK);
    CONTEXT("case %d: %d balls, theta %g, e %g, mu %g", k, count, theta, e, mu);
    for (int step = 0; step < 3; step++) {
      rgVec3 given[MOST];
      for (int i = 0; i < count; i++)
        given[i] = v3_scale(rg_body_velocity(row.world, row.balls[i]).linear, row.mass[i]);
      double before = rg_world_energy(row.world).kinetic;
      rgCertificate c;
      REQUIRE(rg_world_step(row.world, &c) == RG_OK);
      for (int i = 0; i < rg_world_contact_count(row.world); i++) {
        rgContact contact;
        REQUIRE(rg_world_contact(row.world, i, &contact) == RG_OK);
        for (int b = 0; b < count; b++) {
          if (contact.body_a.index == row.balls[b].index)
            given[b] = v3_add(given[b], contact.impulse);
          if (contact.body_b.index == row.balls[b].index)
            given[b] = v3_sub(given[b], contact.impulse);
        }
      }
      for (int i = 0; i < count; i++) {
        rgVec3 has = v3_scale(rg_body_velocity(row.world, row.balls[i]).linear, row.mass[i]);
        CHECK_NEAR(distance(given[i], has), 0, 1e-9 * row.mass[i]);
      }
      double lost = rg_world_energy(row.world).kinetic - before;
      CHECK_NEAR(c.energy, lost, 1e-10 * before);
      CHECK_NEAR(c.energy_contacts, lost, 1e-8 * before);
    }
    rg_world_destroy(row.world);
  }
}

// Bodies that fall together meet as if they did not fall: two balls with a gap, under a gravity along their
// line that moves them farther in a step than the gap is, and without it.
TEST(what_falls_together_meets_as_at_rest) {
  random_state = 16;
  for (int k = 0; k < 40; k++) {
    uint64_t seed = random_state;
    const int count = 2;
    double theta = k % 2 ? 0.5 : 1, e = random_between(0.3, 1), v = random_between(1, 4);
    double lead = random_between(0, 0.01), pull = random_between(300, 3000);
    CONTEXT("case %d: theta %g, e %g, pull %g m/s2", k, theta, e, pull);
    Row rows[2];
    for (int i = 0; i < 2; i++) {
      random_state = seed + 1; // the same masses
      rows[i] = make_row("reference", "sequential", theta, count, 1, v, 1e-3, lead, e, false);
      rgOptions options = *rg_world_options(rows[i].world);
      options.gravity = v3(i ? pull : 0, 0, 0);
      REQUIRE(rg_world_set_options(rows[i].world, &options) == RG_OK);
    }
    for (int step = 1; step <= 15; step++) {
      double fallen = step * rg_world_options(rows[1].world)->step * pull, worst = 0;
      for (int i = 0; i < 2; i++)
        REQUIRE(rg_world_step(rows[i].world, NULL) == RG_OK);
      for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(speed_of(&rows[1], i) - fallen - speed_of(&rows[0], i)));
      if (!CHECK_MSG(worst <= 1e-7 * (v + fallen), "step %d: off by %g m/s", step, worst))
        break;
    }
    random_state = seed + 7;
    for (int i = 0; i < 2; i++)
      rg_world_destroy(rows[i].world);
  }
}

// The same of moments about the normal: what a contact tells of them is what turned its two balls.
TEST(contacts_tell_the_torsion_of_impacts) {
  random_state = 61;
  for (int k = 0; k < 12; k++) {
    rgWorld* world = build_still("reference");
    rgOptions options = *rg_world_options(world);
    snprintf(options.impacts, sizeof options.impacts, "sequential");
    options.theta = k % 2 ? 0.5 : 1;
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    rgMaterial rough = rg_material_default();
    rough.restitution = random_between(0.2, 1);
    rough.e_tau = random_between(0.02, 0.2);
    REQUIRE(rg_world_set_material(world, 0, &rough) == RG_OK);
    rgBodyId a = build_sphere(world, 0.1, v3(0, 0, 0)),
             b = build_sphere(world, 0.1, v3(0.201, 0, 0));
    double speed = random_between(2, 5), spin = random_between(5, 50);
    REQUIRE(rg_body_set_velocity(world, a, twist(v3(speed, 0, 0), v3(spin, 0, 0))) == RG_OK);
    double moment = rg_body_mass(world, a).inertia.m[0][0];
    run_steps(world, 1);
    rgContact contact;
    REQUIRE(rg_world_contact_count(world) == 1);
    REQUIRE(rg_world_contact(world, 0, &contact) == RG_OK);
    double sign = contact.body_a.index == a.index ? contact.normal.x : -contact.normal.x;
    CONTEXT("case %d: %g m/s, %g rad/s", k, speed, spin);
    CHECK(fabs(contact.torsion) > 0);
    CHECK_NEAR(sign * contact.torsion, moment * (rg_body_velocity(world, a).angular.x - spin),
               1e-9 * moment * spin);
    CHECK_NEAR(-sign * contact.torsion, moment * rg_body_velocity(world, b).angular.x,
               1e-9 * moment * spin);
    rg_world_destroy(world);
  }
}

// A body that does not turn meets the ground as a point does, wherever it touches it.
TEST(locked_bodies_bounce_as_points_do) {
  random_state = 61;
  for (int i = 0; i < 40; i++) {
    rgWorld* world = build_still("reference");
    rgOptions options = *rg_world_options(world);
    snprintf(options.impacts, sizeof options.impacts, "%s", i % 2 ? "sequential" : "simultaneous");
    options.step = 1e-4;
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    double e = random_between(0.2, 1), mu = i % 3 ? random_between(0, 0.5) : 0;
    build_set_default_material(world, mu, e);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.pose.orientation = random_rotation();
    rgVec3 half = v3(0.3, 0.2, 0.1);
    double height = 0; // of the lowest corner
    for (int k = 0; k < 8; k++) {
      rgVec3 corner =
          v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      height = fmax(height, -quat_rotate(def.pose.orientation, corner).z);
    }
    def.pose.position.z = height;
    def.rotation_locked = true;
    def.mass = 2;
    double speed = random_between(1, 3), slip = random_between(0.1, 4);
    def.velocity.linear = v3(slip, 0, -speed);
    rgBodyId body = build_body(world, &def, shape_box(half));
    REQUIRE(rg_world_step(world, NULL) == RG_OK);
    rgTwist v = rg_body_velocity(world, body);
    CONTEXT("case %d: mu %g, e %g", i, mu, e);
    CHECK_NEAR(v.linear.z, e * speed, 1e-8);
    CHECK_NEAR(v.linear.x, fmax(0, slip - mu * (1 + e) * speed), 1e-8);
    CHECK_NEAR(v3_norm(v.angular), 0, 0);
    rg_world_destroy(world);
  }
}

// A rod that strikes the ground askew may gain energy by Newton's law with Coulomb's law at the end of the impact (Kane and
// Levinson 1985): friction then follows the mean slip. Restitution holds all the same, u+ = -e u, and nothing is
// gained. The step is so short that arms and orientation are those of the impact.
TEST(rods_that_would_gain_keep_their_restitution) {
  random_state = 29;
  for (int k = 0; k < 200; k++) {
    rgWorld* world = build_still("reference");
    double e = random_between(0.1, 0.9), mu = random_between(0.1, 1.2),
           angle = random_between(0.3, 1.3);
    const double radius = 0.02, length = 0.5, h = 1e-7;
    CONTEXT("case %d: e %g, mu %g, %g rad", k, e, mu, angle);
    build_set_default_material(world, mu, e);
    set_impacts(world, "sequential", 1);
    build_set_step(world, h, 1);
    build_floor(world);
    rgVec3 axis = v3(rg_cos(angle), 0, rg_sin(angle)); // of the rod, from its lower end
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_scale(axis, length));
    def.pose.position.z += radius;
    def.pose.orientation = turn_about(v3(0, 1, 0), 0.5 * 3.14159265358979323846 - angle);
    def.velocity = twist(v3(random_between(-2, 2), 0, -1), v3(0, random_between(-3, 3), 0));
    rgBodyId id = build_body(world, &def, shape_capsule(radius, length));
    rgVec3 arm = v3_sub(v3_scale(axis, -length), v3(0, 0, radius));
    double before = def.velocity.linear.z + v3_cross(def.velocity.angular, arm).z;
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    rgTwist v = rg_body_velocity(world, id);
    double after = v.linear.z + v3_cross(v.angular, arm).z;
    if (before < -0.1)                      // it strikes
      CHECK_NEAR(after, -e * before, 1e-5); // h times spins, and solves to 1e-10
    CHECK(certificate.energy <= 1e-9);
    rg_world_destroy(world);
  }
}
