// The stepper auto: implicit-geometry where smooth bodies roll, theta elsewhere, and it says which.
#include "support/builder.h"
#include "test.h"

static rgWorld* start(const char* stepper, double theta) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  def.options.theta = theta;
  def.options.step = 0.01;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  return world;
}

// An ellipsoid of revolution that rolls about its axis with the given slip [m/s].
static void add_roller(rgWorld* world, double slip) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.2));
  def.velocity = twist(v3(1 + slip, 0, 0), v3(0, 5, 0));
  build_body(world, &def, shape_ellipsoid(v3(0.2, 0.1, 0.2)));
}

static const char* taken_by(rgWorld* world) {
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  const char* stepper = rg_world_stepper(world);
  rg_world_destroy(world);
  return stepper;
}

TEST(what_rolls_takes_the_implicit_step_and_all_else_the_plain_one) {
  rgWorld* world = start("auto", 1);
  CHECK_STR(rg_world_stepper(world), "");
  add_roller(world, 0);
  CHECK_STR(taken_by(world), "implicit-geometry");
  world = start("auto", 1); // slips
  add_roller(world, 2);
  CHECK_STR(taken_by(world), "theta");
  world = start("auto", 0.5); // contacts at the mean of the step
  add_roller(world, 0);
  CHECK_STR(taken_by(world), "implicit-geometry");
  world = start("auto", 0.5);
  add_roller(world, 2);
  CHECK_STR(taken_by(world), "theta");
  world = start("auto", 1); // rests
  build_sphere(world, 0.1, v3(0, 0, 0.1));
  CHECK_STR(taken_by(world), "theta");
  world = start("auto", 1); // a box beside it
  add_roller(world, 0);
  build_box(world, v3(0.1, 0.1, 0.1), v3(2, 0, 0.1));
  CHECK_STR(taken_by(world), "theta");
  world = start("auto", 1); // in flight
  build_sphere(world, 0.1, v3(0, 0, 5));
  CHECK_STR(taken_by(world), "theta");
  world = start("stewart-trinkle", 1);
  CHECK_STR(taken_by(world), "stewart-trinkle");
}

TEST(a_rolling_run_is_that_of_implicit_geometry_to_the_bit) {
  rgWorld *chosen = start("auto", 1), *given = start("implicit-geometry", 1);
  add_roller(chosen, 0);
  add_roller(given, 0);
  for (int i = 0; i < 100; i++) {
    run_met_step(chosen, i);
    run_met_step(given, i);
    CHECK(rg_world_hash(chosen) == rg_world_hash(given));
  }
  rg_world_destroy(chosen);
  rg_world_destroy(given);
}
