// The stepper implicit-geometry at theta = 1/2: gaps are closed at the end of every step while bodies slide, land, rebound and
// roll on joints, by multipliers of positions that change no velocity.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"

static const double G = 9.81, TOLERANCE = 1e-9;

static rgWorld* start(double h, rgVec3 gravity, double mu, double e) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "implicit-geometry");
  def.options.theta = 0.5;
  def.options.step = h;
  def.options.tolerance = TOLERANCE;
  def.options.gravity = gravity;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, mu, e);
  return world;
}

static rgContact contact_of(const rgWorld* world, int index) {
  rgContact contact;
  REQUIRE_INT(rg_world_contact(world, index, &contact), RG_OK);
  return contact;
}

static double push_of(const rgContact* contact) {
  return v3_dot(contact->impulse, contact->normal);
}

// [m] The largest gap of contacts that push.
static double largest_gap(const rgWorld* world) {
  double gap = 0;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact = contact_of(world, i);
    if (push_of(&contact) > 0)
      gap = fmax(gap, fabs(contact.gap));
  }
  return gap;
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

// A ball thrown along a plane slides with the deceleration mu g until t = 2 v / (7 mu g): forces are
// constant, which a step of second order integrates exactly, whatever its length.
TEST(a_ball_slides_as_coulomb_says_with_a_closed_gap) {
  random_state = 4;
  for (int i = 0; i < 8; i++) {
    double mu = random_between(0.1, 0.6), speed = random_between(1, 5), radius = 0.1;
    double h = random_between(0.002, 0.02);
    rgWorld* world = start(h, v3(0, 0, -G), mu, 0);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius));
    def.velocity.linear.x = speed;
    rgBodyId ball = build_body(
        world, &def, i % 2 ? shape_ellipsoid(v3(radius, radius, radius)) : shape_sphere(radius));
    for (int k = 1; k * h < 2 * speed / (7 * mu * G); k++) {
      run_met_step(world, k);
      double t = k * h, x = speed * t - 0.5 * mu * G * t * t;
      CHECK_NEAR(rg_body_center(world, ball).x, x, 1e-7);       // 700 steps at 1e-9 of g h
      CHECK_NEAR(rg_body_center(world, ball).z, radius, 1e-11); // h times 1e-9 of g h
    }
    rg_world_destroy(world);
  }
}

// Without weight a ball that hits a wall leaves with e times its speed. With e = 0 it stays, and touches after two steps
// at the latest; nothing is left of the overlap of up to h u / 2 that the mean velocity of the step leads to. What
// rebounds is not lifted out of it if it leaves in the next step: in the step in which it hits it goes h (e - 1) u / 2.
TEST(what_lands_touches_and_what_rebounds_keeps_its_speed) {
  enum { STEPS = 8 };
  int rebounds = 0;
  random_state = 9;
  for (int i = 0; i < 24; i++) {
    double e = i % 2 ? random_between(0.1, 1) : 0, h = random_between(0.002, 0.02);
    double speed = random_between(0.2, 4), way = random_between(1, 5) * speed * h;
    rgWorld* world = start(h, v3_zero(), 0, e);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.2 + way));
    def.velocity.linear.z = -speed;
    rgBodyId ball = build_body(world, &def, shape_ellipsoid(v3(0.2, 0.3, 0.2)));
    double before = energy_of(world);
    for (int k = 0; k < STEPS; k++) {
      run_met_step(world, k);
      CHECK(energy_of(world) <= before * (1 + 1e-12)); // rounding
    }
    double leaves = rg_body_velocity(world, ball).linear.z, height = rg_body_center(world, ball).z;
    CHECK_NEAR(leaves, e * speed, 1e-8 * speed); // ten times the tolerance
    if (e == 0)
      CHECK_NEAR(height, 0.2, h * speed * TOLERANCE + 1e-14);
    else
      CHECK(height > 0.2 - 1e-14);
    double flown = floor(way / (speed * h)), gap = way - h * speed * (flown + 0.5 * (1 - e));
    if (e > 0 && gap + h * e * speed > 0) {
      CHECK_NEAR(height, 0.2 + gap + (STEPS - 1 - flown) * h * e * speed, 1e-9); // the tolerance
      rebounds++;
    }
    rg_world_destroy(world);
  }
  CHECK(rebounds >= 4);
}

// A plate on four wheels in hinges, two of which are flat ellipsoids.
static rgWorld* build_cart(double h, double slope) {
  rgWorld* world = start(h, v3(G * sin(slope), 0, -G * cos(slope)), 0.8, 0);
  build_floor(world);
  rgBodyDef plate = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.2));
  rgBodyId body = build_body(world, &plate, shape_box(v3(0.4, 0.2, 0.05)));
  for (int i = 0; i < 4; i++) {
    rgVec3 at = v3(i % 2 ? 0.3 : -0.3, i / 2 ? 0.35 : -0.35, 0.2);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
    def.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * 3.14159265358979323846);
    rgShapeDef round = i < 2 ? shape_ellipsoid(v3(0.2, 0.2, 0.1)) : shape_sphere(0.2);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_a = body;
    joint.body_b = build_body(world, &def, round);
    joint.point = at;
    joint.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
  }
  return world;
}

// Wheels in hinges roll down a slope: after the time t the cart has the speed a t with
//     a = M g sin(slope) / (M + sum I / R^2),
// joints and gaps stay closed, and no energy is made or lost.
TEST(a_cart_rolls_down_a_slope_with_closed_joints_and_gaps) {
  const double h = 0.005, slope = 0.1;
  rgWorld* world = build_cart(h, slope);
  double mass = 0, rolling = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    mass += rg_body_mass(world, id).mass;
    rolling +=
        i >= 2 ? 0.4 * rg_body_mass(world, id).mass : 0; // wheels: I = 2/5 m R^2 about the axle
  }
  double before = energy_of(world), a = G * sin(slope) * mass / (mass + rolling);
  for (int k = 1; k <= 200; k++) {
    rgCertificate certificate = run_met_step(world, k);
    CHECK(certificate.joint_error < 1e-12);
    CHECK(largest_gap(world) < 1e-11);
    double speed = rg_body_velocity(world, rg_world_body(world, 1)).linear.x;
    CHECK_NEAR(speed, a * k * h, 1e-6); // 200 steps at 1e-9 of g h, in sums over five bodies
  }
  CHECK_NEAR(energy_of(world) - before, 0, 1e-6 * mass); // [m2/s2] times the same error of speed
  rg_world_destroy(world);
}

// A world that is saved in the middle of a run goes on as if nothing had happened, to the bit.
TEST(a_saved_run_goes_on_to_the_bit) {
  rgWorld *world = build_cart(0.004, 0.2), *other = build_cart(0.004, 0.2);
  for (int k = 0; k < 40; k++)
    run_met_step(world, k);
  Snapshot snapshot = save(world);
  REQUIRE_INT(rg_world_load(other, snapshot.data, snapshot.size), RG_OK);
  for (int k = 0; k < 40; k++) {
    run_met_step(world, k);
    run_met_step(other, k);
    CHECK_HEX(rg_world_hash(other), rg_world_hash(world));
  }
  free(snapshot.data);
  rg_world_destroy(world);
  rg_world_destroy(other);
}

// Ellipsoids that roll about in a bowl and on each other gain no energy in any step, are never in each other, and every
// step is met.
TEST(ellipsoids_in_a_bowl_gain_nothing) {
  random_state = 31;
  rgWorld* world = start(0.005, v3(0, 0, -G), 0.3, 0);
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef bowl = rg_shape_def(RG_SHAPE_BOWL);
  bowl.radius = 1.5;
  build_body(world, &ground, bowl);
  for (int i = 0; i < 5; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5 * (i % 3) - 0.5, 0.5 * (i / 3) - 0.25, -0.9));
    def.pose.orientation = turn_about(random_direction(), random_between(0, 3));
    def.velocity.angular = random_within(-2, 2);
    build_body(world, &def, shape_ellipsoid(random_within(0.12, 0.2)));
  }
  double energy = energy_of(world);
  for (int k = 0; k < (test_fast() ? 60 : 300); k++) {
    rgCertificate certificate = run_met_step(world, k);
    double now = energy_of(world), allowed = certificate.stages[RG_STAGE_ENERGY].asked;
    CHECK_MSG(now <= energy + allowed, "step %d gains %g J, of %g J allowed", k, now - energy,
              allowed);
    CHECK_MSG(certificate.penetration <= 0.005 * TOLERANCE * certificate.scale + 1e-13, // rounding
              "step %d: %g m", k, certificate.penetration);
    energy = now;
  }
  rg_world_destroy(world);
}
