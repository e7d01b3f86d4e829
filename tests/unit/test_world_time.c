// The time of a world is n h, to the last bit, while h stays what it is; a change of h goes on from there.
#include "test.h"

#include <rigor/world.h>

static rgWorld* make(double step) {
  rgWorldDef def = rg_world_def();
  def.options.step = step;
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  return world;
}

TEST(time_is_the_number_of_steps_times_h) {
  static const double steps[] = {1.0 / 240, 0.001, 0.005, 1.0 / 60, 0.1, 1.0 / 3};
  for (int k = 0; k < 6; k++) {
    CONTEXT("h = %g", steps[k]);
    rgWorld* world = make(steps[k]);
    bool sum_differs = false;
    double sum = 0;
    for (int i = 1; i <= 5000; i++) {
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      sum += steps[k];
      CHECK_BITS(rg_world_time(world), i * steps[k]);
      sum_differs = sum_differs || sum != i * steps[k];
    }
    CHECK(sum_differs); // what is checked is not what a sum gives, too
    rg_world_destroy(world);
  }
}

TEST(another_h_goes_on_from_where_time_is) {
  rgWorld* world = make(0.1);
  for (int i = 0; i < 3; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  rgOptions options = *rg_world_options(world);
  options.step = 0.25;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  for (int i = 1; i <= 100; i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    CHECK_NEAR(rg_world_time(world), 0.3 + 0.25 * i, 1e-13 * i);
  }
  rg_world_destroy(world);
}
