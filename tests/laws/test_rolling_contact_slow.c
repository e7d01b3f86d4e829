// Smooth bodies in rolling contact with the stepper implicit-geometry: an ellipsoid that rocks, wheels
// that roll far, and a wheel that a motor drives over a mesh of a smooth road.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static rgWorld* start(const char* stepper, double theta, double h, double tolerance) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  def.options.theta = theta;
  def.options.step = h;
  def.options.tolerance = tolerance;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.9, 0);
  return world;
}

// [rad/s] Frequency of small swings, from the times at which the rate changes its sign.
static double rocking(const char* stepper, double theta, double h, rgVec3 half) {
  const double rate = 0.01; // [rad/s]: the amplitude is 1e-3 rad, its square changes nothing here
  rgWorld* world = start(stepper, theta, h, 1e-10);
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, half.z));
  def.velocity = twist(v3(rate * half.z, 0, 0), v3(0, rate, 0));
  rgBodyId body = build_body(world, &def, shape_ellipsoid(half));
  double last = rate, first = -1, end = 0;
  int half_swings = -1;
  for (int k = 0; k * h < 2; k++) {
    run_met_step(world, k);
    double now = rg_body_velocity(world, body).angular.y;
    if ((now > 0) != (last > 0)) {
      end = h * (k + last / (last - now));
      first = half_swings++ < 0 ? end : first;
    }
    last = now;
  }
  rg_world_destroy(world);
  return PI * half_swings / (end - first);
}

// Rolling on the semi-axis c with the other ones a, b, about y: the inertia about the point of contact is
// m (a^2 + c^2) / 5 + m c^2, and the centre is R - c below the centre of curvature, R = a^2 / c.
static double rocking_frequency(rgVec3 half) {
  double a2 = half.x * half.x, c = half.z;
  return sqrt(G * (a2 / c - c) / ((a2 + c * c) / 5 + c * c));
}

TEST(ellipsoids_rock_at_the_frequency_of_their_curvature_slow) {
  random_state = 8;
  for (int i = 0; i < 3; i++) {
    rgVec3 half =
        i == 0 ? v3(0.2, 0.2, 0.1) : v3(random_between(0.15, 0.4), random_between(0.1, 0.4), 0.1);
    double exact = rocking_frequency(half);
    if (i == 0)
      CHECK_NEAR(exact, 12.130539971, 1e-9);
    // (w h)^2 / 3 of the frequency, which is 1e-4 at most, and half that for theta = 1/2.
    CHECK_NEAR(rocking("implicit-geometry", 1, 1e-3, half), exact, 1e-3);
    CHECK_NEAR(rocking("implicit-geometry", 0.5, 1e-3, half), exact, 1e-3);
    CHECK_NEAR(rocking("theta", 0.5, 1e-3, half), exact, 1e-3);
  }
}

static rgShapeDef wheel_shape(double radius, double width, double exponent) {
  if (exponent == 0)
    return shape_cylinder(radius, width);
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  shape.half = v3(radius, radius, width);
  shape.parameters[0] = 2;
  shape.parameters[1] = exponent;
  return shape;
}

// [N s] of all contacts, along their normals.
static double push_of(const rgWorld* world) {
  double push = 0;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    push += fabs(v3_dot(contact.impulse, contact.normal));
  }
  return push;
}

// A wheel about its z axis, which lies along y of the world.
static rgBodyDef wheel_at(rgVec3 position, double speed, double radius) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, position);
  def.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * PI);
  def.velocity = twist(v3(speed, 0, 0), v3(0, speed / radius, 0));
  return def;
}

// 100 m: the force stays the weight, on the line of a cylinder or the point of a superellipsoid. At theta = 1/2 the place of
// contact is no unknown of the rounds: superellipsoids that are flatter there have no place known well enough.
TEST(wheels_roll_a_hundred_metres_with_a_constant_force_slow) {
  const double radius = 0.3, speed = 3, h = 0.005, distance = 100;
  const double exponents[] = {0, 2.5, 4, 8, 20};
  for (int i = 0; i < 7; i++) {
    double exponent = i < 5 ? exponents[i] : exponents[i - 5], theta = i < 5 ? 1 : 0.5;
    CONTEXT("exponent %g, theta %g", exponent, theta);
    rgWorld* world = start("implicit-geometry", theta, h, 1e-8);
    build_floor(world);
    rgBodyDef def = wheel_at(v3(0, 0, radius), speed, radius);
    rgBodyId wheel = build_body(world, &def, wheel_shape(radius, 0.1, exponent));
    double weight = rg_body_mass(world, wheel).mass * G * h;
    double before = rg_world_energy(world).kinetic, worst = 0;
    for (int k = 0; rg_body_center(world, wheel).x < distance; k++) {
      REQUIRE(k < 2 * distance / (speed * h));
      run_met_step(world, k);
      REQUIRE_INT(rg_world_contact_count(world), exponent == 0 ? 2 : 1);
      worst = fmax(worst, fabs(push_of(world) / weight - 1));
    }
    CHECK_MSG(worst < 1e-6, "%g", worst);                         // 100 times the tolerance
    CHECK_NEAR(rg_world_energy(world).kinetic / before, 1, 1e-9); // 7,000 steps at 1e-8 of g h
    rg_world_destroy(world);
  }
}

// A road of facets of this length [m], z = amplitude sin^4(pi x / wave), flat before x = 0: its third
// derivative is continuous.
static void build_road(rgWorld* world, double facet, double amplitude, double wave) {
  enum { MOST = 7000 };
  const double first = -1, length = 13;
  int count = (int)(length / facet);
  REQUIRE(count <= MOST);
  static rgVec3 points[2 * (MOST + 1)];
  static int triangles[6 * MOST];
  for (int i = 0; i <= count; i++) {
    double x = first + i * facet, s = x > 0 ? rg_sin(PI * x / wave) : 0;
    points[2 * i] = v3(x, -1, amplitude * s * s * s * s);
    points[2 * i + 1] = v3(x, 1, amplitude * s * s * s * s);
  }
  for (int i = 0; i < count; i++) {
    int a = 2 * i, two[6] = {a, a + 2, a + 1, a + 1, a + 2, a + 3};
    memcpy(&triangles[6 * i], two, sizeof two);
  }
  rgShapeDef road = rg_shape_def(RG_SHAPE_MESH);
  road.points = points;
  road.point_count = 2 * (count + 1);
  road.triangles = triangles;
  road.triangle_count = 2 * count;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &def, road);
}

typedef struct Drive {
  double flicker; // [-] of the weight: mean over the steps
  double worst;   // the largest
  int not_met;
} Drive;

// A wheel with a chassis that hangs from its axle, and a motor between them. The force is what the
// momentum of both gains in a step beyond their weight. Flicker is the size of its fourth difference over
// 16: that of a force that alternates by +- a is a, that of a smooth one h^4 times a derivative.
static Drive drive(const char* stepper, double h, double facet, double speed) {
  const double radius = 0.3;
  rgWorld* world = start(stepper, 1, h, 1e-8);
  build_road(world, facet, 0.1, 6);
  rgBodyDef def = wheel_at(v3(-0.5, 0, radius), speed, radius);
  rgBodyId parts[2] = {build_body(world, &def, shape_cylinder(radius, 0.1))};
  rgBodyDef hanging = body_at(RG_BODY_DYNAMIC, v3(-0.5, 0, radius - 0.1));
  hanging.velocity = twist(v3(speed, 0, 0), v3_zero());
  parts[1] = build_body(world, &hanging, shape_sphere(0.1));
  rgJointDef axle = rg_joint_def(RG_JOINT_HINGE);
  axle.body_a = parts[1];
  axle.body_b = parts[0];
  axle.point = v3(-0.5, 0, radius);
  axle.axis = v3(0, 1, 0);
  axle.axes[0].motor = true;
  axle.axes[0].motor_speed = 10 * speed / radius; // not reached: it drives with all its force
  axle.axes[0].motor_force = 1;
  rgJointId joint;
  REQUIRE_INT(rg_world_add_joint(world, &axle, &joint), RG_OK);
  double mass[2] = {rg_body_mass(world, parts[0]).mass, rg_body_mass(world, parts[1]).mass};
  Drive out = {0};
  rgVec3 before = v3(speed * (mass[0] + mass[1]), 0, 0), last[5] = {0};
  int steps = (int)(11 / (speed * h));
  for (int k = 0; k < steps; k++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    out.not_met += !certificate.met;
    rgVec3 now = v3_scale(rg_body_velocity(world, parts[0]).linear, mass[0]);
    now = v3_axpy(now, mass[1], rg_body_velocity(world, parts[1]).linear);
    rgVec3 force = v3_scale(v3_sub(now, before), 1 / (h * G * (mass[0] + mass[1])));
    before = now;
    memmove(&last[1], &last[0], 4 * sizeof *last);
    last[0] = force;
    rgVec3 fourth = v3_axpy(v3_add(last[0], last[4]), -4, v3_add(last[1], last[3]));
    double off = v3_norm(v3_axpy(fourth, 6, last[2])) / 16;
    out.flicker += k > 3 ? off / (steps - 4) : 0;
    out.worst = k > 3 ? fmax(out.worst, off) : 0;
  }
  rg_world_destroy(world);
  return out;
}

// The wheel that feels the geometry of the start of a step follows the normal of a facet, which is off
// by up to k L / 2 for facets of length L on a road of curvature k: forces change by m v k L / h. At the end of
// the step the wheel is on the road within k L^2 / 8, the depth of a facet, and forces change by that times
// m / h^2: less by 8 v h / L, the number of facets that pass in a step. Facets that are longer than a step are
// felt by both, and rightly.
TEST(a_driven_wheel_feels_a_mesh_as_the_road_that_it_was_drawn_from_slow) {
  const struct {
    double speed, facet;                            // [m/s], [m]
  } cases[] = {{8, 0.004}, {6, 0.002}, {8, 0.002}}; // 20 to 40 facets in a step
  for (int i = 0; i < 3; i++) {
    Drive implicit = drive("implicit-geometry", 0.01, cases[i].facet, cases[i].speed),
          frozen = drive("theta", 0.01, cases[i].facet, cases[i].speed);
    CHECK_INT(implicit.not_met, 0);
    CHECK_MSG(frozen.flicker >= 100 * implicit.flicker, "case %d: %g of the weight, %g with theta",
              i, implicit.flicker, frozen.flicker);
    CHECK_MSG(implicit.worst < 1e-3, "case %d: %g", i, implicit.worst); // 4 x k L^2 / (8 g h^2)
  }
}
