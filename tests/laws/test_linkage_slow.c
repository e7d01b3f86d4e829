// Closed loops with a hinge at every corner, redundant in space: a four-bar linkage and a leg of
// Jansen's, driven by a motor for 60 s, and the four-bar linkage let go. They must not lock, drift
// apart or gain energy.
#include "math/vec.h"
#include "test.h"
#include <rigor/rigor.h>

static rgWorld* build(const char* name, bool motor) {
  rgScene* scene;
  rgWorld* world;
  rgMessage message;
  REQUIRE_MSG(rg_scene_read(test_scene(name), &scene, &message) == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  rg_scene_free(scene);
  if (motor)
    return world;
  rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0];
  REQUIRE_INT(rg_joint_set_axis(world, rg_world_find_joint(world, "drive"), 0, &axis), RG_OK);
  return world;
}

static double crank(const rgWorld* world) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, rg_world_find_joint(world, "drive"), &state), RG_OK);
  return state.coordinate[0];
}

static void run_driven(const char* name, int redundant) {
  rgWorld* world = build(name, true);
  double error = 0, made = 0, most = 0;
  for (int i = 0; i < 60000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    error = fmax(error, certificate.joint_error);
    made += certificate.energy;
    most = fmax(most, fabs(rg_world_energy(world).potential));
  }
  CONTEXT("%s", name);
  CHECK_MSG(error < 1e-8, "%g m", error);
  // 3 rad/s for 60 s but for the start, in which the motor is at its bound
  CHECK_NEAR(crank(world), 180, 0.5);
  CHECK_MSG(fabs(made) < 1e-8 * most, "%g of %g J made from nothing", made, most);
  CHECK_INT(rg_world_counts(world).redundant, redundant);
  rg_world_destroy(world);
}

// Three rows of each loop say what the others say already.
TEST(driven_four_bar_linkage) { run_driven("four_bar.json", 3); }
TEST(driven_leg) { run_driven("jansen.json", 9); }

TEST(free_four_bar_linkage_keeps_its_energy) {
  rgWorld* world = build("four_bar.json", false);
  rgEnergy start = rg_world_energy(world);
  double drift = 0, kinetic = 0, error = 0, low = 0, high = 0;
  for (int i = 0; i < 60000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    rgEnergy now = rg_world_energy(world);
    drift = fmax(drift, fabs(now.kinetic + now.potential - start.kinetic - start.potential));
    kinetic = fmax(kinetic, now.kinetic);
    error = fmax(error, certificate.joint_error);
    double angle = crank(world);
    low = fmin(low, angle);
    high = fmax(high, angle);
  }
  CHECK_MSG(error < 1e-8, "%g m", error);
  CHECK_MSG(drift < 1e-6 * kinetic, "%g of %g J", drift, kinetic);
  CHECK_MSG(high - low > 1, "swings over %g rad only", high - low);
  if (getenv("RIGOR_VERBOSE"))
    printf("error %.2g m, drift %.2g of %.3g J, swing %.3g rad\n", error, drift, kinetic,
           high - low);
  rg_world_destroy(world);
}
