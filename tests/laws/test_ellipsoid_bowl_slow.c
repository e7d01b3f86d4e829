// 100 ellipsoids fall into a bowl that is an ellipsoid, with contact at the end of every step: every step
// is certified, and nothing overlaps by more than 1e-9 of the size of the smaller body.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double STEP = 1.0 / 240; // [s]

static rgWorld* start(rgVec3 factors, double rim) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "implicit-geometry");
  def.options.step = STEP;
  def.options.projection_tolerance = 1e-10; // overlaps are left to the step up to this of the size
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.3, 0);
  rgShapeDef bowl = rg_shape_def(RG_SHAPE_BOWL);
  bowl.radius = 1;
  bowl.parameters[0] = rim;
  bowl.parameters[1] = factors.x;
  bowl.parameters[2] = factors.y;
  bowl.parameters[3] = factors.z;
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, bowl);
  return world;
}

static void fill(rgWorld* world, int count, double lowest) {
  for (int i = 0; i < count; i++) {
    rgVec3 at = v3(0.25 * (i % 5 - 2), 0.25 * (i / 5 % 5 - 2), lowest + 0.28 * (i / 25));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
    def.pose.orientation = turn_about(random_direction(), random_between(0, 3));
    build_body(world, &def, shape_ellipsoid(random_within(0.05, 0.1)));
  }
}

// [m] The least gap of all contacts, as the geometry of the present placement has it.
static double least_gap(const rgWorld* world) {
  double least = HUGE_VAL;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    least = fmin(least, contact.gap);
  }
  return least;
}

static void check_fall(rgWorld* world, double time) {
  for (int k = 0; k * STEP < time; k++) {
    run_met_step(world, k);
    CHECK_MSG(least_gap(world) > -1e-9 * 0.05, "step %d: %g", k, least_gap(world));
  }
  for (int i = 0; i < rg_world_body_count(world); i++) { // nobody is outside
    rgVec3 x = rg_body_center(world, rg_world_body(world, i));
    CHECK(v3_norm(x) < 1.5);
  }
}

TEST(ellipsoids_fall_into_a_bowl_that_is_an_ellipsoid_slow) {
  random_state = 5;
  rgWorld* world = start(v3(1, 1, 0.6), 0.2);
  fill(world, 100, -0.1);
  check_fall(world, 0.7); // all have landed on the bowl or on each other
  CHECK(rg_world_contact_count(world) > 200);
  rg_world_destroy(world);
}

// Three different axes: a closed ellipsoid.
TEST(ellipsoids_fall_in_a_hollow_ellipsoid_slow) {
  random_state = 9;
  rgWorld* world = start(v3(1, 0.9, 0.7), 1);
  fill(world, 25, 0);
  check_fall(world, 0.8);
  CHECK(rg_world_contact_count(world) > 25);
  rg_world_destroy(world);
}
