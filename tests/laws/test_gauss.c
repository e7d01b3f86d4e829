// The event-driven stepper against closed forms, and against theta as h goes to zero.
#include "test.h"

#include "support/builder.h"
#include <rigor/rigor.h>

static const double G = 9.81;

static rgWorld* make_world(const char* stepper, double h, rgVec3 gravity) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = gravity;
  def.options.step = h;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
  return build_world_of(&def);
}

static void step_all(rgWorld* world, int steps) {
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    REQUIRE_MSG(certificate.met, "step %d: residual %g", i, certificate.residual);
  }
}

static rgVec3 velocity(const rgWorld* world, rgBodyId id) {
  return rg_body_velocity(world, id).linear;
}

// A block that slides down an incline for a second, from rest; along the incline and away from it.
typedef struct Slide {
  rgVec3 center, velocity;
} Slide;
static const double INCLINE = 0.5, BLOCK_HEIGHT = 0.05; // [rad], [m] half of it

static Slide slide(const char* stepper, double theta, double h) {
  rgVec3 gravity = v3(G * sin(INCLINE), 0, -G * cos(INCLINE));
  rgWorld* world = make_world(stepper, h, gravity);
  rgOptions options = *rg_world_options(world);
  options.theta = theta;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_floor(world);
  rgBodyId box = build_box(world, v3(0.2, 0.1, BLOCK_HEIGHT), v3(0, 0, BLOCK_HEIGHT));
  step_all(world, (int)(1 / h + 0.5));
  Slide end = {rg_body_center(world, box), velocity(world, box)};
  rg_world_destroy(world);
  return end;
}

// s = g sin(a) t^2 / 2, whatever h is: the acceleration is constant.
TEST(block_on_an_incline) {
  Slide end = slide("gauss", 0.5, 0.02);
  CHECK_NEAR(end.center.x, G * sin(INCLINE) / 2, 1e-9);
  CHECK_NEAR(end.center.z, BLOCK_HEIGHT, 1e-9);
  CHECK_NEAR(end.velocity.x, G * sin(INCLINE), 1e-9);
}

// theta at 1/2 integrates a constant acceleration exactly as well. At theta = 1 a step goes
// g sin(a) h^2 / 2 too far: in a second the block is ahead of gauss by g sin(a) h / 2, which goes
// to zero with h.
TEST(theta_comes_to_gauss_on_an_incline) {
  Slide exact = slide("gauss", 0.5, 0.02), mean = slide("theta", 0.5, 0.02);
  CHECK_NEAR(distance(mean.center, exact.center), 0, 1e-9);
  CHECK_NEAR(distance(mean.velocity, exact.velocity), 0, 1e-9);
  const double steps[] = {0.02, 0.005, 0.00125};
  for (int i = 0; i < 3; i++) {
    CONTEXT("h = %g s", steps[i]);
    Slide end = slide("theta", 1, steps[i]);
    CHECK_NEAR(end.center.x - exact.center.x, G * sin(INCLINE) * steps[i] / 2, 1e-8);
    CHECK_NEAR(end.center.z, exact.center.z, 1e-8);
    CHECK_NEAR(distance(end.velocity, exact.velocity), 0, 1e-8);
  }
}

// A particle on a fixed sphere, kicked at the top with v0: with L the sum of the radii it leaves
// where L w^2 = g cos, and energy gives cos = 2/3 + v0^2 / (3 g L).
typedef struct Leaving {
  double cosine, step; // where the force ended; change of the angle in one step
  rgVec3 at;           // after 0.9 s
} Leaving;

static Leaving leave_sphere(const char* stepper, double h) {
  double radius = 1, small = 0.05, length = radius + small, kick = 0.4;
  rgWorld* world = make_world(stepper, h, v3(0, 0, -G));
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, shape_sphere(radius));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, length));
  def.rotation_locked = true;
  def.velocity.linear.x = kick;
  rgBodyId ball = build_body(world, &def, shape_sphere(small));
  Leaving leaving = {0};
  bool left = false;
  for (int i = 0; i < (int)(0.9 / h + 0.5); i++) {
    step_all(world, 1);
    rgContact contact;
    bool pressed = rg_world_contact_count(world) > 0 &&
                   rg_world_contact(world, 0, &contact) == RG_OK && v3_norm(contact.impulse) > 0;
    if (pressed || left)
      continue;
    left = true;
    rgVec3 center = rg_body_center(world, ball);
    leaving.cosine = center.z / v3_norm(center);
    leaving.step = h * v3_norm(velocity(world, ball)) / length;
  }
  CHECK(left);
  leaving.at = rg_body_center(world, ball);
  rg_world_destroy(world);
  return leaving;
}

TEST(particle_leaves_a_sphere_at_the_analytic_angle) {
  double cosine = 2.0 / 3 + 0.4 * 0.4 / (3 * G * 1.05);
  const double steps[] = {0.01, 0.002};
  for (int i = 0; i < 2; i++) {
    CONTEXT("h = %g s", steps[i]);
    Leaving leaving = leave_sphere("gauss", steps[i]);
    CHECK_NEAR(acos(leaving.cosine), acos(cosine), leaving.step);
  }
}

// In flight theta at 1/2 is exact, on the sphere of first order, and gauss is exact to the step in
// which the particle leaves: the difference falls with h.
TEST(theta_comes_to_gauss_as_the_step_goes_to_zero) {
  rgVec3 exact = leave_sphere("gauss", 1e-3).at;
  double coarse = distance(leave_sphere("theta", 2e-3).at, exact);
  double fine = distance(leave_sphere("theta", 5e-4).at, exact);
  CHECK_MSG(coarse < 0.02, "%g m at h = 2 ms", coarse);
  CHECK_MSG(fine < 0.4 * coarse, "%g m at h = 0.5 ms against %g m at 2 ms", fine, coarse);
}

// Masses 1 and 3, 2 m/s against rest, after 0.3 s. There are no forces: with e = 0 they fly on
// together, and what is left between them is rounding.
typedef struct Collision {
  double first, second, apart; // [m/s] velocities, [m] distance of the centres
} Collision;

static Collision collide(const char* stepper, double restitution, double h) {
  rgWorld* world = make_world(stepper, h, v3_zero());
  build_set_default_material(world, 0, restitution);
  rgBodyDef first = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0)),
            second = body_at(RG_BODY_DYNAMIC, v3(0.5, 0, 0));
  first.mass = 1;
  second.mass = 3;
  first.velocity.linear.x = 2;
  rgBodyId a = build_body(world, &first, shape_box(v3(0.1, 0.1, 0.1)));
  rgBodyId b = build_body(world, &second, shape_box(v3(0.1, 0.1, 0.1)));
  step_all(world, (int)(0.3 / h + 0.5));
  Collision end = {velocity(world, a).x, velocity(world, b).x,
                   rg_body_center(world, b).x - rg_body_center(world, a).x};
  rg_world_destroy(world);
  return end;
}

static const double RESTITUTIONS[] = {0, 0.5, 1};

// v = (m1 v1 + m2 v2 -+ e m v1) / (m1 + m2).
TEST(two_blocks_collide) {
  for (int i = 0; i < 3; i++) {
    double e = RESTITUTIONS[i];
    CONTEXT("e = %g", e);
    Collision end = collide("gauss", e, 0.01);
    CHECK_NEAR(end.first, (2 - 3 * e * 2) / 4, 1e-8);
    CHECK_NEAR(end.second, (2 + e * 2) / 4, 1e-8);
    // They meet after 0.15 s. The event is located to the tolerance of touching over the speed.
    CHECK_NEAR(end.apart, 0.2 + e * 2 * 0.15, 1e-8);
  }
}

// theta does not find the time of the impact within its step: velocities are the same afterwards,
// and positions differ by less than the change of the relative velocity over one step. The steps
// divide 0.3 s but not the time of the impact.
TEST(theta_comes_to_gauss_when_blocks_collide) {
  const double steps[] = {0.3 / 31, 0.3 / 125, 0.3 / 501};
  for (int i = 0; i < 3; i++) {
    double e = RESTITUTIONS[i];
    Collision exact = collide("gauss", e, 0.01);
    for (int k = 0; k < 3; k++) {
      CONTEXT("e = %g, h = %g s", e, steps[k]);
      Collision end = collide("theta", e, steps[k]);
      CHECK_NEAR(end.first, exact.first, 1e-8);
      CHECK_NEAR(end.second, exact.second, 1e-8);
      CHECK_NEAR(end.apart, exact.apart, (1 + e) * 2 * steps[k]);
    }
  }
}

// The time to fall from the angle `start` to the bottom of a circle of a length, by quadrature:
// with sin(a/2) = sin(start/2) sin(u) the integral is smooth.
static double fall_time(double start, double length) {
  double k = sin(start / 2), sum = 0;
  enum { N = 1000 };
  for (int i = 0; i < N; i++) {
    double u = (i + 0.5) / N * (3.14159265358979323846 / 2), s = k * sin(u);
    sum += 1 / sqrt(1 - s * s);
  }
  return sum / N * (3.14159265358979323846 / 2) * sqrt(length / G);
}

// A ball that does not turn slides in a trough of flat strips along a circle. At each edge between
// strips that meet under the angle d the speed is multiplied by cos d: over one radian by 1 - d /
// 2, which delays the fall by less than that part.
static double bowl_time(const char* stepper, double h, double* strip) {
  enum { STRIPS = 160 };
  double radius = 1, small = 0.02, widest = 1, start = 0.6;
  static rgVec3 vertices[2 * (STRIPS + 1)];
  static int triangles[6 * STRIPS];
  for (int i = 0; i <= STRIPS; i++) {
    double angle = -widest + 2 * widest * i / STRIPS;
    for (int side = 0; side < 2; side++)
      vertices[2 * i + side] =
          v3(radius * sin(angle), side == 0 ? -0.2 : 0.2, -radius * cos(angle));
  }
  for (int i = 0; i < STRIPS; i++) {
    const int strips[6] = {2 * i, 2 * i + 2, 2 * i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3};
    memcpy(&triangles[6 * i], strips, sizeof strips);
  }
  *strip = 2 * widest / STRIPS;
  rgWorld* world = make_world(stepper, h, v3(0, 0, -G));
  rgShapeDef mesh = rg_shape_def(RG_SHAPE_MESH);
  mesh.points = vertices;
  mesh.point_count = 2 * (STRIPS + 1);
  mesh.triangles = triangles;
  mesh.triangle_count = 2 * STRIPS;
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, mesh);
  // On the middle of a strip, touching it.
  double place = *strip * (floor(start / *strip) + 0.5), inner = radius * cos(*strip / 2) - small;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(inner * sin(place), 0.03, -inner * cos(place)));
  def.rotation_locked = true;
  rgBodyId ball = build_body(world, &def, shape_sphere(small));
  double last = rg_body_center(world, ball).x, time = 0;
  for (int i = 0; i < 2000 && time == 0; i++) {
    step_all(world, 1);
    double x = rg_body_center(world, ball).x;
    if (x <= 0)
      time = h * (i + last / (last - x));
    last = x;
  }
  rg_world_destroy(world);
  REQUIRE(time > 0);
  return time / fall_time(place, inner);
}

TEST(particle_in_a_bowl) {
  double strip, gauss = bowl_time("gauss", 4e-3, &strip), theta = bowl_time("theta", 5e-4, &strip);
  CHECK_MSG(gauss > 1 - 1e-4 && gauss < 1 + strip / 2, "gauss falls in %g of the time", gauss);
  CHECK_NEAR(theta, gauss, strip / 4);
}

// Bounces from the height H end after (1 + e) / (1 - e) falls.
TEST(bounces_come_to_an_end) {
  double e = 0.5, height = 0.5, radius = 0.1;
  rgWorld* world = make_world("gauss", 0.01, v3(0, 0, -G));
  build_set_default_material(world, 0, e);
  build_floor(world);
  rgBodyId ball = build_sphere(world, radius, v3(0, 0, radius + height));
  double fall = sqrt(2 * height / G), end = fall * (1 + e) / (1 - e);
  // The top of the second flight: at 2 falls, e^2 of the height.
  double highest = 0;
  for (int i = 0; i < (int)(end / 0.01) + 2; i++) {
    step_all(world, 1);
    double z = rg_body_center(world, ball).z - radius;
    if (rg_world_time(world) > 1.5 * fall)
      highest = fmax(highest, z);
  }
  CHECK_NEAR(highest, e * e * height, G * 0.005 * 0.005 / 2); // seen half a step off at most
  CHECK_NEAR(rg_body_center(world, ball).z, radius, 2e-9 * radius);
  CHECK_NEAR(velocity(world, ball).z, 0, 1e-9);
  rg_world_destroy(world);
}

// Two uniform rods of length 1 and mass 1, both horizontal and at rest, g = 9.81. Angles from the
// vertical at t = 1, to the digits of an integration of the two equations of motion.
static void double_pendulum(double h, double angles[2]) {
  rgWorld* world = make_world("gauss", h, v3(0, 0, -G));
  rgBodyId rods[2];
  for (int i = 0; i < 2; i++) {
    rgBodyDef def = rg_body_def();
    def.pose.position = v3(i + 0.5, 0, 0);
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = m3_diag(1e-3, 1.0 / 12, 1.0 / 12);
    REQUIRE(rg_world_add_body(world, &def, NULL, 0, &rods[i]) == RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    if (i > 0)
      joint.body_a = rods[0];
    joint.body_b = rods[i];
    joint.point = v3(i, 0, 0);
    joint.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
  }
  step_all(world, (int)(1 / h + 0.5));
  for (int i = 0; i < 2; i++) {
    rgVec3 along = quat_rotate(rg_body_pose(world, rods[i]).orientation, v3(1, 0, 0));
    angles[i] = atan2(along.z, along.x) + 3.14159265358979323846 / 2;
  }
  rg_world_destroy(world);
}

TEST(double_pendulum_is_of_fourth_order) {
  const double exact[2] = {-1.207716238191, -0.814391023091};
  double coarse[2], fine[2];
  double_pendulum(0.02, coarse);
  double_pendulum(0.005, fine);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(fine[i], exact[i], 2e-7);
    double ratio = fabs(coarse[i] - exact[i]) / fabs(fine[i] - exact[i]);
    CHECK_MSG(ratio > 200, "a fourth of the step makes the error %g times smaller", ratio);
  }
}

// A box dropped on its edge falls over, lands on the next edge and clatters to rest: every landing
// is an event of its own, and none gives energy.
TEST(clattering_box_gains_no_energy) {
  rgWorld* world = make_world("gauss", 1.0 / 240, v3(0, 0, -G));
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.6));
  def.pose.orientation = turn_about(v3(0, 1, 0), 0.4);
  rgBodyId box = build_body(world, &def, shape_box(v3(0.3, 0.3, 0.2)));
  double start = rg_world_energy(world).potential, gained = 0;
  for (int i = 0; i < 240; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    gained = fmax(gained, certificate.energy);
  }
  // It turns by up to 9 rad/s: a step of fourth order is off by (w h)^5 = 7e-8 of the energy.
  CHECK_MSG(gained < 1e-7 * start, "gained %g J of %g J", gained, start);
  CHECK_NEAR(rg_body_center(world, box).z, 0.2, 1e-8);
  CHECK_NEAR(v3_norm(rg_body_velocity(world, box).linear), 0, 1e-6);
  rg_world_destroy(world);
}

TEST(friction_is_refused_with_the_way_out) {
  rgWorld* world = make_world("gauss", 0.01, v3(0, 0, -G));
  build_floor(world);
  build_box(world, v3(0.1, 0.1, 0.1), v3(0, 0, 0.1));
  rgOptions options = *rg_world_options(world);
  snprintf(options.cone, sizeof options.cone, "exact");
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  CHECK_INT(rg_world_step(world, NULL), RG_ERROR_UNSUPPORTED);
  CHECK_STR(rg_world_message(world), "stepper gauss has no friction, and this world has: set cone "
                                     "to frictionless or choose another stepper");
  rg_world_destroy(world);
}

// A floor that rises at constant speed carries a block: the work of the floor is the gain of
// energy.
TEST(moving_ground_does_work) {
  rgWorld* world = make_world("gauss", 0.01, v3(0, 0, -G));
  rgBodyDef lift = body_at(RG_BODY_KINEMATIC, v3(0, 0, -0.5));
  lift.velocity.linear.z = 1;
  build_body(world, &lift, shape_box(v3(1, 1, 0.5)));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.1));
  def.velocity.linear.z = 1;
  rgBodyId box = build_body(world, &def, shape_box(v3(0.1, 0.1, 0.1)));
  for (int i = 0; i < 50; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_NEAR(certificate.energy, 0, 1e-9 * rg_world_energy(world).kinetic);
  }
  CHECK_NEAR(rg_body_center(world, box).z, 0.6, 1e-9);
  rg_world_destroy(world);
}

// A body that spins about no axis of its own keeps energy and angular momentum to fourth order.
TEST(a_tumbling_body_keeps_energy_and_angular_momentum) {
  double errors[2][2];
  for (int k = 0; k < 2; k++) {
    rgWorld* world = make_world("gauss", k ? 5e-3 : 1e-2, v3_zero());
    rgBodyId box = build_box(world, v3(0.1, 0.2, 0.35), v3_zero());
    REQUIRE(rg_body_set_velocity(world, box, twist(v3_zero(), v3(3, 1, 2))) == RG_OK);
    rgTwist momentum = rg_world_momentum(world);
    double energy = rg_world_energy(world).kinetic;
    step_all(world, k ? 400 : 200);
    rgVec3 now = rg_world_momentum(world).angular;
    errors[k][0] = distance(now, momentum.angular) / v3_norm(momentum.angular);
    errors[k][1] = fabs(rg_world_energy(world).kinetic - energy) / energy;
    rg_world_destroy(world);
  }
  for (int i = 0; i < 2; i++) {
    CHECK_MSG(errors[0][i] < 1e-6, "off by %g", errors[0][i]); // (h |w|)^4 of 200 steps
    CHECK_MSG(errors[1][i] <= errors[0][i] / 10 + 1e-12, "off by %g, by %g", errors[0][i],
              errors[1][i]);
  }
}

// A body on a slider that is carried along: where the limit is reached it goes with what carries it, whether
// the limit is called the upper or the lower one.
TEST(limits_take_along_what_is_carried) {
  for (int k = 0; k < 8; k++) {
    bool upper = k % 2;
    double speed = 0.5 + 0.3 * k, play = 0.01 + 0.005 * k;
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("reference", &def.options));
    snprintf(def.options.stepper, sizeof def.options.stepper, "gauss");
    snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
    def.options.gravity = v3_zero();
    rgWorld* world = build_world_of(&def);
    rgBodyDef cart = body_at(RG_BODY_KINEMATIC, v3_zero());
    cart.velocity.linear = v3(speed, 0, 0);
    rgBodyId id;
    REQUIRE(rg_world_add_body(world, &cart, NULL, 0, &id) == RG_OK);
    rgBodyId load = build_box(world, v3(0.1, 0.1, 0.1), v3(0, 1, 0));
    rgJointDef joint = rg_joint_def(RG_JOINT_SLIDER);
    joint.body_a = id;
    joint.body_b = load;
    joint.axis = v3(upper ? -1 : 1, 0, 0); // the load falls behind, against the axis or along it
    joint.axes[0].lower = upper ? -1 : -play;
    joint.axes[0].upper = upper ? play : 1;
    rgJointId at;
    REQUIRE(rg_world_add_joint(world, &joint, &at) == RG_OK);
    run_steps(world, (int)(2 * play / speed / def.options.step) + 20);
    CONTEXT("case %d: %g m/s, %s limit at %g m", k, speed, upper ? "upper" : "lower", play);
    CHECK_NEAR(rg_body_velocity(world, load).linear.x, speed, 1e-8 * speed);
    CHECK_NEAR(rg_body_center(world, load).x, speed * rg_world_time(world) - play, 1e-6 * play);
    rg_world_destroy(world);
  }
}

// Friction is what two shapes have with each other: worlds in which none meets with it are taken.
TEST(friction_that_no_two_shapes_have_is_none) {
  for (int k = 0; k < 4; k++) {
    rgWorldDef def = rg_world_def();
    snprintf(def.options.stepper, sizeof def.options.stepper, "gauss");
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0, 0);
    int rough = build_material(world, 0.5, 0), smooth = build_material(world, 0, 0);
    rgShapeDef ball = shape_sphere(0.1);
    ball.material = rough;
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
    build_body(world, &body, ball); // alone of its material
    if (k == 1)
      build_floor(world);
    body.pose.position.x = 1;
    ball.material = k == 2 ? rough : smooth;
    if (k >= 2)
      build_body(world, &body, ball);
    if (k == 3) {
      rgMaterial pair = rg_material_default();
      REQUIRE_INT(rg_world_set_pair_material(world, smooth, rough, &pair), RG_OK);
    }
    CONTEXT("world %d", k);
    CHECK_INT(rg_world_step(world, NULL), k < 2 ? RG_OK : RG_ERROR_UNSUPPORTED);
    rg_world_destroy(world);
  }
}

// A force that grows with time goes on growing through the events of a step: across them the movement is the one
// without them, v = a t^2 / 2.
TEST(time_goes_on_through_events) {
  for (int i = 0; i < 6; i++) {
    rgWorldDef def = rg_world_def();
    snprintf(def.options.stepper, sizeof def.options.stepper, "gauss");
    snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
    def.options.step = 0.05;
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0, 0.8);
    build_floor(world);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.2 + 0.02 * i));
    body.mass = 2;
    rgBodyId ball = build_body(world, &body, shape_sphere(0.1));
    static const double times[2] = {0, 10};
    static const rgWrench rows[2] = {{{0, 0, 0}, {0, 0, 0}}, {{60, 0, 0}, {0, 0, 0}}};
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_TABLE;
    force.body = ball;
    force.times = times;
    force.wrenches = rows;
    force.row_count = 2;
    rgForceId id;
    REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
    for (int step = 1; step <= 16; step++) {
      REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
      double t = 0.05 * step, a = 3; // [m/s3]
      CONTEXT("ball %d, t = %g", i, t);
      CHECK_NEAR(rg_body_velocity(world, ball).linear.x, 0.5 * a * t * t, 1e-9);
      CHECK_NEAR(rg_body_center(world, ball).x, a * t * t * t / 6, 1e-9);
    }
    rg_world_destroy(world);
  }
}

// Ground that moves steadily is ground at rest, seen from a train: through impacts within steps, too, and whichever
// body is the first.
TEST(impacts_on_steady_ground_are_those_on_ground_at_rest) {
  for (int i = 0; i < 8; i++) {
    rgVec3 train = i < 4 ? v3_zero() : v3(0.7, -0.4, 0.9);
    static rgVec3 seen[4][40];
    rgWorldDef def = rg_world_def();
    snprintf(def.options.stepper, sizeof def.options.stepper, "gauss");
    snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
    def.options.step = 0.02;
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0, i % 4 == 3 ? 0 : 0.7);
    rgBodyDef ground = body_at(i < 4 ? RG_BODY_STATIC : RG_BODY_KINEMATIC, v3_zero()),
              ball = body_at(RG_BODY_DYNAMIC, v3(0.1, 0.05, 1.1 + 0.03 * (i % 4)));
    ground.velocity.linear = ball.velocity.linear = train;
    ball.velocity.angular = v3(1, 2, 3);
    rgBodyId id = {0, 0};
    for (int k = 0; k < 2; k++) // a ball on a ball, or on a plate
      if (k == i % 2)
        build_body(world, &ground, i / 2 % 2 ? shape_sphere(0.8) : shape_box(v3(2, 2, 0.8)));
      else
        id =
            build_body(world, &ball, i % 4 == 0 ? shape_box(v3(0.2, 0.1, 0.1)) : shape_sphere(0.1));
    for (int step = 0; step < 20; step++) {
      REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
      rgVec3 at = v3_axpy(rg_body_center(world, id), -0.02 * (step + 1), train);
      if (i < 4)
        seen[i % 4][step] = at;
      CONTEXT("case %d, step %d", i, step);
      CHECK_NEAR(distance(at, seen[i % 4][step]), 0, 1e-5);
    }
    rg_world_destroy(world);
  }
}

// A ball that slides and spins on a smooth floor stays on it with its weight, whichever way it spins and whichever body
// is the first: spin about its centre bends no gap.
TEST(spinning_balls_slide_with_their_weight) {
  for (int i = 0; i < 6; i++) {
    rgWorldDef def = rg_world_def();
    snprintf(def.options.stepper, sizeof def.options.stepper, "gauss");
    snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
    def.options.step = 5e-3;
    rgWorld* world = build_world_of(&def);
    bool first = i % 2;
    if (first)
      build_floor(world);
    rgBodyDef ball = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.1));
    ball.mass = 2;
    ball.velocity = twist(v3(1.5, 0.5, 0), v3(4, i < 3 ? 12 : -12, 1));
    rgBodyId id = build_body(world, &ball, shape_sphere(0.1));
    if (!first)
      build_floor(world);
    for (int step = 0; step < 20; step++) {
      REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
      rgContact contact;
      CONTEXT("ball %d, step %d", i, step);
      REQUIRE_INT(rg_world_contact_count(world), 1);
      REQUIRE(rg_world_contact(world, 0, &contact) == RG_OK);
      CHECK_NEAR(fabs(contact.impulse.z), 2 * 9.81 * 5e-3, 1e-6);
      CHECK_NEAR(rg_body_center(world, id).z, 0.1, 1e-6);
    }
    rg_world_destroy(world);
  }
}
