// Sliding on level ground: friction is mu m g against the velocity whatever its direction, so a
// body stops after v0^2 / (2 mu g) on a straight line, and the ground never pushes it up.
#include "support/builder.h"
#include "support/laws.h"

static const double G = 9.81, MU = 0.4, SPEED = 2;

typedef struct Stop {
  double along, sideways; // [m]
} Stop;

static rgVec3 direction(double degrees) {
  return v3(cos(radians(degrees)), sin(radians(degrees)), 0);
}

static Stop stop_of(Law* law, const rgOptions* options, double degrees, int steps) {
  law_begin(law, options, SCENE_SI);
  law_run(law, steps);
  CHECK_NEAR(v3_norm(law_velocity(law, 1).linear), 0, 1e-9);
  CHECK_INT(law->not_met, 0);
  rgVec3 heading = direction(degrees), moved = law_moved(law, 1);
  Stop stop = {v3_dot(moved, heading), v3_dot(moved, v3_cross(v3(0, 0, 1), heading))};
  law_end(law);
  return stop;
}

// Constant deceleration, theta = 1/2: exact but for the last step, in which the slab stops between
// two instants. There the trapezoid rule gives at most mu g h^2 / 8 too much: 1e-6 of the distance
// at h = 1 ms.
TEST(stopping_distance_is_the_same_for_all_headings) {
  double distance = SPEED * SPEED / (2 * MU * G);
  CHECK_NEAR(distance, 0.50968, 5e-6);
  rgOptions options = law_options("reference", 1e-3);
  double first = 0;
  for (int degrees = 0; degrees < 360; degrees += test_fast() ? 30 : 1) {
    CONTEXT("heading %d degrees", degrees);
    Law law;
    scene_slab(&law.scene, v3_scale(direction(degrees), SPEED), MU);
    Stop stop = stop_of(&law, &options, degrees, 520);
    if (degrees == 0)
      first = stop.along;
    CHECK_REL(stop.along, distance, 1e-4);
    CHECK_NEAR(stop.along, first, 1e-9);
    CHECK_NEAR(stop.sideways, 0, 1e-9);
  }
}

// A point that slides: a ball that cannot turn.
static double largest_deviation(const char* cone, int facets) {
  rgOptions options = law_options("reference", 5e-3);
  snprintf(options.cone, sizeof options.cone, "%s", cone);
  options.facets = facets;
  double largest = 0;
  for (double degrees = 0; degrees < 90; degrees += 7.5) {
    CONTEXT("%s cone, %d facets, heading %g degrees", cone, facets, degrees);
    Law law;
    scene_ball(&law.scene, false, 0.1, MU, v3_scale(direction(degrees), SPEED), v3_zero());
    law.scene.bodies[1].def.rotation_locked = true;
    largest = fmax(largest, fabs(stop_of(&law, &options, degrees, 300).sideways));
  }
  return largest;
}

// With a square cone (|t| + |o| <= mu n) friction acts along one axis until both components of the
// velocity are equal. From a heading of 22.5 degrees, v = 2 (cos, sin) = (1.848, 0.765): x slows
// down alone at mu g until it is 0.765, then both slow down at mu g / 2; the body stops at (0.510,
// 0.360), 0.137 m off its line. The exact cone has no such preference.
TEST(square_cone_bends_the_path_and_the_exact_cone_does_not) {
  double square = largest_deviation("inner", 4);
  double fine = largest_deviation("inner", 64);
  CHECK_MSG(square > 0.1 && square < 0.2, "the square cone bends the path by %g m", square);
  CHECK_MSG(fine < square / 5, "64 facets bend the path by %g m", fine);
  CHECK_NEAR(largest_deviation("exact", 4), 0, 1e-9);
}

// Friction at the foot of the slab tips it by mu m g times 0.05 m, the weight holds it with 0.5 m:
// it stays flat. Convex relaxations of the contact law lift what slides, by about mu v h; the exact
// law by nothing, so 1e-9 m is rounding and the solver's tolerance.
TEST(what_slides_does_not_lift) {
  const double speeds[] = {1, 3, 9};
  for (int i = 0; i < 3; ++i) {
    CONTEXT("kicked at %g m/s", speeds[i]);
    Law law;
    scene_slab(&law.scene, v3(speeds[i], 0, 0), 0.5);
    rgOptions options = law_options("reference", 1e-3);
    law_begin(&law, &options, SCENE_SI);
    double lift = 0, sink = 0;
    int steps = (int)(speeds[i] / (0.5 * G) / options.step) + 100;
    for (int k = 0; k < steps; ++k) {
      law_run(&law, 1);
      double z = law_moved(&law, 1).z;
      lift = fmax(lift, z);
      sink = fmin(sink, z);
    }
    CHECK_NEAR(lift, 0, 1e-9);
    CHECK_NEAR(sink, 0, 1e-9);
    CHECK_NEAR(v3_norm(law_velocity(&law, 1).linear), 0, 1e-9);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

// --- which body comes first -----------------------------------------------------------------------

// Where a puck that cannot turn is after half a second on a plate, which lies on nothing and is a
// hundred times as heavy, or on the ground; the puck is added first or last. There is no gravity: a force
// presses them together.
static rgVec3 slid(const char* cone, int facets, double degrees, bool plate_moves,
                   bool puck_first) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = plate_moves ? v3_zero() : v3(0, 0, -G);
  def.options.step = 5e-3;
  snprintf(def.options.cone, sizeof def.options.cone, "%s", cone);
  def.options.facets = facets;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, MU, 0);
  rgBodyId puck = {0};
  for (int i = 0; i < 2; i++) {
    bool is_puck = puck_first == (i == 0);
    rgBodyDef body = body_at(is_puck || plate_moves ? RG_BODY_DYNAMIC : RG_BODY_STATIC,
                             v3(0, 0, is_puck ? 0.1 : -0.5));
    body.rotation_locked = body.kind == RG_BODY_DYNAMIC;
    body.mass = is_puck ? 1 : 100;
    if (is_puck)
      body.velocity.linear = v3_scale(direction(degrees), SPEED);
    rgBodyId id = build_body(world, &body, is_puck ? shape_sphere(0.1) : shape_box(v3(5, 5, 0.5)));
    if (is_puck)
      puck = id;
    if (!plate_moves)
      continue;
    rgForceDef press = rg_force_def();
    press.body = id;
    press.wrench.force = v3(0, 0, is_puck ? -G : G);
    rgForceId force;
    REQUIRE(rg_world_add_force(world, &press, &force) == RG_OK);
  }
  run_steps(world, 100);
  rgVec3 at = rg_body_center(world, puck);
  rg_world_destroy(world);
  return at;
}

// A polygon with an odd number of corners holds more along a direction than against it. Along which one
// must not depend on the order of the bodies.
TEST(friction_of_polygons_does_not_depend_on_the_order_of_the_bodies) {
  static const char* const cones[] = {"inner", "outer"};
  for (int facets = 3; facets <= 9; facets++)
    for (int k = 0; k < 2; k++)
      for (int moves = 0; moves < 2; moves++)
        for (double degrees = 0; degrees < 360; degrees += test_fast() ? 77 : 33) {
          CONTEXT("%s, %d facets, %g degrees, plate %s", cones[k], facets, degrees,
                  moves ? "moves" : "is the ground");
          rgVec3 first = slid(cones[k], facets, degrees, moves, true),
                 last = slid(cones[k], facets, degrees, moves, false);
          CHECK_MSG(v3_norm(v3_sub(first, last)) < 1e-9, "apart by %g m",
                    v3_norm(v3_sub(first, last)));
        }
}
