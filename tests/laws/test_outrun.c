// Bodies that a sudden force drives farther than contacts were sought meet what is there within the step.
//
// Contacts are sought for the way that bodies can be expected to go. A force that sets in at once takes a plate
// that was at rest, d above the floor, h^2 F / m = 8 d down in one step if nothing stops it. Whatever the
// stepper, after the step no corner may be below the floor by more than what is allowed of overlap, and as each
// plate has four contacts of its own, all of them are found in the step: as many as there was no room for
// before it.
#include "support/builder.h"
#include "support/heap.h"
#include "test.h"

enum { PLATES_MAX = 9 };

static const double H = 0.01, HALF = 0.2, THICK = 0.01; // [s] [m] [m]

static rgWorld* make(const char* stepper, int plates, double apart, const rgAllocator* allocator) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  def.options.step = H;
  def.options.gravity = v3_zero();
  def.allocator = *allocator;
  if (rg_options_combine(&def.options, false, NULL) != RG_OK)
    return NULL;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0, 0);
  build_floor(world);
  for (int i = 0; i < plates; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(20.0 * i, 0, apart + THICK));
    body.mass = 1;
    build_body(world, &body, shape_box(v3(HALF, HALF, THICK)));
  }
  return world;
}

static void press(rgWorld* world, double force) {
  for (int i = 1; i < rg_world_body_count(world); i++) {
    rgForceDef def = rg_force_def();
    def.body = rg_world_body(world, i);
    def.wrench.force = v3(0, 0, -force);
    REQUIRE_INT(rg_world_add_force(world, &def, NULL), RG_OK);
  }
}

static double lowest(const rgWorld* world) {
  double z = HUGE_VAL;
  for (int i = 1; i < rg_world_body_count(world); i++) {
    rgPose pose = rg_body_pose(world, rg_world_body(world, i));
    for (int k = 0; k < 4; k++) {
      rgVec3 corner = v3(k & 1 ? HALF : -HALF, k & 2 ? HALF : -HALF, -THICK);
      z = fmin(z, pose_apply(pose, corner).z);
    }
  }
  return z;
}

static void check_stepper(const char* stepper, int plates, double apart) {
  Heap heap = heap_make();
  rgAllocator allocator = heap_allocator(&heap);
  rgWorld* world = make(stepper, plates, apart, &allocator);
  if (!world)
    return;
  CONTEXT("%s, %d plates %g m above", stepper, plates, apart);
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK); // at rest: memory is that of no contacts
  CHECK_INT(rg_world_contact_count(world), 0);
  press(world, 8 * apart / (H * H));
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  heap_check_margins(&heap);
  CHECK_INT(rg_world_contact_count(world), 4 * plates);
  // What is allowed of overlap; nothing moves along the normal but by the law of contact.
  double allowed = rg_world_options(world)->projection_tolerance;
  CHECK_MSG(lowest(world) >= -allowed, "lowest corner at %g m", lowest(world));
  rg_world_destroy(world);
  heap_end(&heap);
}

TEST(what_a_sudden_force_drives_down_stops_at_the_floor) {
  for (int i = 0; rg_stepper_name(i); i++)
    for (int plates = 1; plates <= PLATES_MAX; plates += 4)
      check_stepper(rg_stepper_name(i), plates, plates % 8 == 1 ? 0.05 : 0.3);
}
