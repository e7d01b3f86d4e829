// Bodies in tubes, bowls and rings: what is known of them in closed form, and that they come to
// rest.
//
// A ball of radius b that rolls without slip on the inside of a wall of radius R, with a = R - b:
//   bowl, small oscillation: 7/5 m a^2 phi'' = -m g a phi, period 2 pi sqrt(7 a / (5 g));
//   without friction 2 pi sqrt(a / g);
//   vertical tube: the rate of turning w about the axis is constant, and the height oscillates with
//   the rate sqrt(2/7) w, however heavy gravity is (the ball does not fall out).
#include "test.h"

#include "support/builder.h"
#include "support/random.h"

static const double G = 9.81;

static rgShapeDef wall_shape(rgShapeKind kind, double radius, double number) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.parameters[0] = number;
  return def;
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static rgWorld* wall_world(double step, double mu, rgShapeDef wall) {
  rgWorld* world = build_world("reference");
  build_set_step(world, step, 0.5);
  build_set_default_material(world, mu, 0);
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, wall);
  return world;
}

// Upward passages of a value through zero, timed by linear interpolation.
typedef struct Passage {
  double last, time;
  int count;
} Passage;

static bool passes(Passage* p, double value, double time, double step) {
  bool up = p->last < 0 && value >= 0;
  if (up)
    p->time = time - step * value / (value - p->last);
  p->count += up;
  p->last = value;
  return up;
}

// --- Tube ----------------------------------------------------------------------------------------

typedef struct Tube {
  double radius, ball; // [m]
  double rate;         // [1/s] about the axis
} Tube;

// Rate of the height over the rate about the axis, over two periods.
static double tube_ratio(Tube tube, double h) {
  double a = tube.radius - tube.ball, w = tube.rate;
  rgWorld* world = wall_world(h, 5, wall_shape(RG_SHAPE_TUBE, tube.radius, 0));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(a, 0, 0));
  // Rolling along a level circle: the point of contact is at rest.
  def.velocity = twist(v3(0, w * a, 0), v3(0, 0, -w * a / tube.ball));
  rgBodyId ball = build_body(world, &def, shape_sphere(tube.ball));
  Passage p = {0, 0, 0};
  // z'' + 2/7 w^2 z = -5/7 g: the middle of the oscillation.
  double middle = -2.5 * G / (w * w), angle = 0, last = 0, first = 0, now = 0;
  for (int i = 0; p.count < 3; i++) {
    run_met_step(world, i);
    rgVec3 x = rg_body_pose(world, ball).position;
    double at = rg_atan2(x.y, x.x), turn = at - last < -RG_PI ? at - last + 2 * RG_PI : at - last;
    last = at;
    angle += turn;
    if (passes(&p, x.z - middle, (i + 1) * h, h)) {
      now = angle - turn * ((i + 1) - p.time / h); // where it was when it passed
      first = p.count == 1 ? now : first;
    }
  }
  rg_world_destroy(world);
  return 2 * 2 * RG_PI / (now - first);
}

// Contacts act where they are at the mean of the start and the end of the step: the error falls with
// the square of h.
TEST(a_ball_in_a_vertical_tube_goes_up_and_down_at_the_root_of_two_sevenths) {
  const Tube tubes[] = {{1, 0.1, 6}, {0.3, 0.1, 9}, {2, 0.5, 4}, {0.05, 0.01, 40}};
  for (int k = 0; k < 4; k++) {
    double exact = sqrt(2.0 / 7), h = 5e-3 / tubes[k].rate;
    CONTEXT("R %g, r %g", tubes[k].radius, tubes[k].ball);
    double coarse = tube_ratio(tubes[k], 4 * h) - exact, fine = tube_ratio(tubes[k], h) - exact;
    CHECK_MSG(fabs(fine) <= fabs(coarse) / 12 + 1e-8, "errors %g, %g", coarse, fine);
    CHECK_NEAR(fine, 0, 1e-5); // h^2 w^2 = 2.5e-5, of which a part
  }
}

// --- Bowl ----------------------------------------------------------------------------------------

static double bowl_period(double radius, double b, double mu, double h) {
  rgWorld* world = wall_world(h, mu, wall_shape(RG_SHAPE_BOWL, radius, 0));
  double a = radius - b, phi = 0.01;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(a * rg_sin(phi), 0, -a * rg_cos(phi)));
  rgBodyId ball = build_body(world, &def, shape_sphere(b));
  Passage p = {1, 0, 0};
  double from = 0, start = energy_of(world), swing = 1 - rg_cos(phi); // of the weight times a
  for (int i = 0; p.count < 4; i++) {
    run_met_step(world, i);
    if (passes(&p, rg_body_pose(world, ball).position.x, (i + 1) * h, h) && p.count == 1)
      from = p.time;
    CHECK(energy_of(world) <= start + 1e-4 * swing * fabs(start));
  }
  CHECK_NEAR(energy_of(world), start, 1e-3 * swing * fabs(start));
  rg_world_destroy(world);
  return (p.time - from) / 3;
}

TEST(a_ball_in_a_bowl_swings_with_the_period_of_its_rolling_pendulum) {
  const double radii[][2] = {{1, 0.1}, {0.2, 0.05}, {3, 1}, {1, 0.9}};
  for (int k = 0; k < 4; k++) {
    double a = radii[k][0] - radii[k][1], natural = sqrt(a / G), h = 2e-3 * natural;
    CONTEXT("R %g, r %g", radii[k][0], radii[k][1]);
    double rolls = bowl_period(radii[k][0], radii[k][1], 1, h),
           slides = bowl_period(radii[k][0], radii[k][1], 0, h);
    // The amplitude of 0.01 lengthens it by 6e-6, and the step, of second order, by as much.
    CHECK_REL(rolls, 2 * RG_PI * natural * sqrt(1.4), 2e-5);
    CHECK_REL(slides, 2 * RG_PI * natural, 2e-5);
  }
}

// --- A drum --------------------------------------------------------------------------------------

// In a drum that turns about its level axis with the rate w, a ball that spins with w R / r rolls on
// the spot: there is no slip and no force but its weight.
TEST(a_ball_rolls_on_the_spot_in_a_turning_drum) {
  const double drums[][3] = {{1, 0.1, 2}, {0.3, 0.1, -5}, {2, 0.5, 1}}; // R, r, w
  for (int k = 0; k < 6; k++) {
    double radius = drums[k / 2][0], b = drums[k / 2][1], w = drums[k / 2][2];
    CONTEXT("R %g, r %g, w %g, %s", radius, b, w, k % 2 ? "endless" : "open");
    rgWorld* world = build_world("default");
    rgBodyDef drum = body_at(RG_BODY_KINEMATIC, v3_zero());
    drum.pose.orientation = turn_about(v3(1, 0, 0), RG_PI / 2); // along y
    drum.velocity = twist(v3_zero(), v3(0, w, 0));
    rgShapeDef tube = wall_shape(RG_SHAPE_TUBE, radius, 0);
    tube.half_length = k % 2 ? 0 : radius;
    build_body(world, &drum, tube);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, b - radius));
    def.velocity = twist(v3_zero(), v3(0, w * radius / b, 0));
    rgBodyId ball = build_body(world, &def, shape_sphere(b));
    for (int i = 0; i < 480; i++)
      run_met_step(world, i);
    rgVec3 x = rg_body_pose(world, ball).position;
    CHECK_NEAR(v3_norm(v3_sub(x, def.pose.position)), 0, 1e-6);
    CHECK_REL(rg_body_velocity(world, ball).angular.y, w * radius / b, 1e-6);
    rg_world_destroy(world);
  }
}

// --- Rest ----------------------------------------------------------------------------------------

static const rgShapeKind convex_kinds[] = {
    RG_SHAPE_SPHERE,    RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,        RG_SHAPE_CYLINDER,
    RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_SUPERELLIPSOID,
};
enum { CONVEX_KINDS = sizeof convex_kinds / sizeof *convex_kinds, HULL_POINTS = 14 };

static rgShapeDef random_shape(rgShapeKind kind, double size, rgVec3 points[HULL_POINTS]) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = size * random_between(0.2, 0.5);
  def.half_length = size * random_between(0.1, 0.5);
  def.half = v3_scale(random_within(0.2, 0.6), size);
  def.parameters[0] = random_between(2, 6);
  def.parameters[1] = random_between(2, 6);
  for (int i = 0; i < HULL_POINTS; i++)
    points[i] = v3_scale(random_vector(), 0.55 * size);
  def.points = points;
  def.point_count = HULL_POINTS;
  return def;
}

typedef struct Place {
  const char* name;
  rgShapeKind kind;
  double radius, half_length; // [m]
  double number;              // [m] rim or ring radius
  rgVec3 at;                  // [m] where the body begins
} Place;

// The world of a wall, with a random body at a place with a random velocity.
static rgWorld* random_world(const Place* place, rgShapeKind kind, double speed, rgBodyId* body) {
  rgWorld* world = build_world("default");
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef wall = wall_shape(place->kind, place->radius, place->number);
  wall.half_length = place->half_length;
  if (place->kind == RG_SHAPE_TUBE)
    ground.pose.orientation = turn_about(v3(0, 1, 0), RG_PI / 2);
  build_body(world, &ground, wall);
  rgVec3 points[HULL_POINTS];
  rgShapeDef shape = random_shape(kind, 0.5, points);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place->at);
  def.pose.orientation = random_rotation();
  rgVec3 linear = v3_scale(random_vector(), speed), angular = v3_scale(random_vector(), 3 * speed);
  def.velocity = twist(linear, angular);
  *body = build_body(world, &def, shape);
  return world;
}

// Runs a world with one body, whose steps must all be met and never have more energy than at the
// start, but for what the tolerance leaves of a body at rest: it may rise by 1e-6 g h^2 in a step.
static void run_falling(rgWorld* world, rgBodyId body, int steps) {
  double start = energy_of(world), h = rg_world_options(world)->step;
  double rise = 1e-6 * G * h * h * G * rg_body_mass(world, body).mass;
  for (int i = 0; i < steps; i++) {
    run_met_step(world, i);
    REQUIRE_MSG(energy_of(world) <= start + rise * (i + 1) + 1e-12 * fabs(start),
                "step %d: gains %g J of %g J", i, energy_of(world) - start, start);
  }
}

// A body with corners that hangs between two of them may swing about their line for long, as a
// pendulum does, but little is left of the energy that it had.
TEST(no_body_gains_energy_in_a_wall_and_those_with_corners_calm_down) {
  const Place places[] = {
      {"tube", RG_SHAPE_TUBE, 1, 0, 0, {0, 0, 0}},
      {"bowl", RG_SHAPE_BOWL, 1, 0, 0, {0.1, 0.2, 0}},
      {"whole sphere", RG_SHAPE_BOWL, 1, 0, 1, {0.1, 0.2, 0.3}},
      {"torus", RG_SHAPE_TORUS, 1, 0, 2, {0.2, 2, 0.2}},
  };
  random_state = 91;
  for (int w = 0; w < 4; w++)
    for (int k = 0; k < (test_fast() ? 1 : 2) * CONVEX_KINDS; k++) {
      rgShapeKind kind = convex_kinds[k % CONVEX_KINDS];
      CONTEXT("%s in a %s, %d", rg_shape_kind_name(kind), places[w].name, k);
      rgBodyId body;
      rgWorld* world = random_world(&places[w], kind, 1, &body);
      double start = energy_of(world);
      run_falling(world, body, 240 * 6);
      double lost = start - energy_of(world);
      if (kind == RG_SHAPE_BOX || kind == RG_SHAPE_HULL)
        CHECK(rg_world_energy(world).kinetic <= 1e-4 * lost);
      CHECK(rg_world_contact_count(world) > 0); // it has not fallen through
      rg_world_destroy(world);
    }
}

// A box on its four lower corners, at any turn in a bowl and along a tube, and an ellipsoid on its
// lowest point stay where they are.
TEST(boxes_and_ellipsoids_stay_at_rest_where_they_fit) {
  random_state = 95;
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    bool tube = i % 2;
    int what = i / 2 % 3; // box, rounded box, ellipsoid
    double radius = random_between(0.5, 2);
    rgVec3 h = v3_scale(random_within(0.1, 0.4), radius);
    CONTEXT("%d: R %g, half %g %g %g", i, radius, h.x, h.y, h.z);
    rgWorld* world = build_world("default");
    rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
    if (tube)
      ground.pose.orientation = turn_about(v3(0, 1, 0), RG_PI / 2);
    build_body(world, &ground, wall_shape(tube ? RG_SHAPE_TUBE : RG_SHAPE_BOWL, radius, 0));
    rgShapeDef shape = what == 2 ? shape_ellipsoid(h) : shape_box(h);
    double r = shape.rounding = what == 1 ? 0.05 * radius : 0;
    // The corners of the core are r from the wall. An ellipsoid must be more curved than the wall.
    double x = tube ? 0 : h.x - r, y = h.y - r, reach = radius - r;
    double z = -sqrt(reach * reach - x * x - y * y) + h.z - r;
    if (what == 2)
      z = h.z - radius;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, z));
    if (!tube)
      def.pose.orientation = turn_about(v3(0, 0, 1), random_between(-3, 3));
    rgBodyId body = build_body(world, &def, shape);
    bool curved = h.y * h.y < 0.9 * radius * h.z && (tube || h.x * h.x < 0.9 * radius * h.z);
    for (int k = 0; k < 240 && (what < 2 || curved); k++)
      run_met_step(world, k);
    CHECK_NEAR(v3_norm(v3_sub(rg_body_pose(world, body).position, def.pose.position)), 0, 1e-6);
    CHECK_NEAR(v3_norm(rg_body_velocity(world, body).angular), 0, 1e-6);
    rg_world_destroy(world);
  }
}

TEST(no_body_gains_energy_at_a_rim) {
  const Place places[] = {
      {"end of a tube", RG_SHAPE_TUBE, 0.6, 1, 0, {1, 0, 0}},
      {"end of a tube, from outside", RG_SHAPE_TUBE, 0.6, 1, 0, {1.6, 0, -0.3}},
      {"rim of a bowl", RG_SHAPE_BOWL, 1, 0, -0.3, {0.9, 0, 0.3}},
      {"narrow bowl", RG_SHAPE_BOWL, 0.3, 0, 0, {0.02, 0.01, 0.6}},
      {"ring", RG_SHAPE_RING, 0.1, 0, 0.3, {0.02, 0.01, 0.6}},
      {"side of a ring", RG_SHAPE_RING, 0.2, 0, 1, {1, 0.1, 0.8}},
  };
  random_state = 92;
  for (int w = 0; w < 6; w++)
    for (int k = 0; k < (test_fast() ? 1 : 4) * CONVEX_KINDS; k++) {
      rgShapeKind kind = convex_kinds[k % CONVEX_KINDS];
      CONTEXT("%s at the %s, %d", rg_shape_kind_name(kind), places[w].name, k);
      rgBodyId body;
      rgWorld* world = random_world(&places[w], kind, 2, &body);
      run_falling(world, body, 240);
      rg_world_destroy(world);
    }
}

// A plank of any width laid across a rim, a lid on it and a plate on a ring lie still: on the ends of
// the arcs under them, or all around.
TEST(flat_bodies_lie_still_across_rims_and_rings) {
  random_state = 94;
  for (int i = 0; i < 40; i += test_fast() ? 5 : 1) {
    CONTEXT("%d", i);
    rgWorld* world = build_world("default");
    bool ring = i % 2;
    double thickness = ring ? 0.1 : 0;
    rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
    build_body(world, &ground,
               wall_shape(ring ? RG_SHAPE_RING : RG_SHAPE_BOWL, ring ? 0.1 : 1, ring));
    rgVec3 half = v3(1.5, i % 4 < 2 ? random_between(0.02, 0.5) : 1.5, 0.05);
    rgVec3 at = random_flat_within(-0.01, 0.01);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(at.x, at.y, thickness + 0.05));
    def.pose.orientation = turn_about(v3(0, 0, 1), random_between(-3, 3));
    rgBodyId body = i % 8 == 7 ? build_body(world, &def, shape_cylinder(1.5, 0.05))
                               : build_body(world, &def, shape_box(half));
    run_falling(world, body, 480);
    rgPose now = rg_body_pose(world, body);
    CHECK_NEAR(v3_norm(v3_sub(now.position, def.pose.position)), 0, 1e-6);
    CHECK_NEAR(v3_norm(rg_body_velocity(world, body).angular), 0, 1e-6);
    rg_world_destroy(world);
  }
}

// --- Two dimensions ------------------------------------------------------------------------------

static rgWorld* flat_world(double step, double theta, double mu, double radius, double rim) {
  rgWorldDef def = rg_world_def_2d();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = v3(0, -G, 0);
  rgWorld* world = build_world_of(&def);
  build_set_step(world, step, theta);
  build_set_default_material(world, mu, 0);
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, wall_shape(RG_SHAPE_BOWL, radius, rim));
  return world;
}

// A disk has the moment m r^2 / 2: 3/2 m a^2 phi'' = -m g a phi.
TEST(a_disk_in_a_flat_bowl_swings_with_the_period_of_its_rolling_pendulum) {
  const double radii[][2] = {{1, 0.1}, {0.2, 0.05}, {3, 2}};
  for (int k = 0; k < 6; k++) {
    double radius = radii[k / 2][0], b = radii[k / 2][1], a = radius - b, phi = 0.01;
    double natural = sqrt(a / G), h = 2e-3 * natural, mu = k % 2;
    CONTEXT("R %g, r %g, mu %g", radius, b, mu);
    rgWorld* world = flat_world(h, 0.5, mu, radius, 0);
    rgShapeDef disk = rg_shape_def(RG_SHAPE_CIRCLE);
    disk.radius = b;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(a * rg_sin(phi), -a * rg_cos(phi), 0));
    rgBodyId body = build_body(world, &def, disk);
    Passage p = {1, 0, 0};
    double from = 0;
    for (int i = 0; p.count < 4; i++) {
      run_met_step(world, i);
      if (passes(&p, rg_body_pose(world, body).position.x, (i + 1) * h, h) && p.count == 1)
        from = p.time;
    }
    CHECK_REL((p.time - from) / 3, 2 * RG_PI * natural * sqrt(mu > 0 ? 1.5 : 1), 2e-5);
    rg_world_destroy(world);
  }
}

// Polygons come to rest on two corners in a flat bowl, on its rim, and in a whole circle; nothing
// gains energy.
TEST(flat_bodies_rest_in_a_circle_and_on_its_rim) {
  const rgVec3 starts[] = {{0.1, 0, 0}, {0.85, 0.9, 0}, {0, 0, 0}, {-0.3, 0.4, 0}};
  const double rims[] = {0, 0.3, 1, 0.99};
  random_state = 93;
  for (int i = 0; i < 48; i += test_fast() ? 5 : 1) {
    int place = i % 4, kind = i / 4 % 3;
    CONTEXT("%d", i);
    rgWorld* world = flat_world(1.0 / 240, 1, 0.6, 1, rims[place]);
    rgVec3 points[6];
    rgShapeDef shape = rg_shape_def(kind == 0   ? RG_SHAPE_POLYGON
                                    : kind == 1 ? RG_SHAPE_CAPSULE
                                                : RG_SHAPE_CIRCLE);
    shape.radius = random_between(0.05, 0.2);
    shape.half_length = random_between(0.05, 0.2);
    for (int k = 0; k < 6; k++)
      points[k] = random_flat_within(-0.3, 0.3);
    shape.points = points;
    shape.point_count = 6;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, starts[place]);
    def.pose.orientation = turn_about(v3(0, 0, 1), random_between(-3, 3));
    rgVec3 linear = random_flat_within(-1, 1);
    def.velocity = twist(linear, v3(0, 0, random_between(-3, 3)));
    rgBodyId body = build_body(world, &def, shape);
    run_falling(world, body, 240 * 5);
    rgTwist v = rg_body_velocity(world, body);
    bool inside = v3_norm(rg_body_center(world, body)) < 1;
    CHECK(inside || place == 1); // at the rim some fall out
    if (kind == 0 && inside)
      CHECK_NEAR(v3_norm(v.linear) + v3_norm(v.angular), 0, 1e-6);
    rg_world_destroy(world);
  }
}
