// Copies of states: a world that goes back makes the same steps to the bit, in itself and in a twin, as one
// that goes on from a snapshot; worlds that were built differently refuse it.
#include "support/builder.h"
#include "support/variety.h"
#include "test.h"

static rgState* new_state(void) {
  rgState* state;
  REQUIRE_INT(rg_state_create(&state), RG_OK);
  return state;
}

static void* snapshot_of(const rgWorld* world, size_t* size) {
  *size = rg_world_save_size(world);
  void* data = malloc(*size);
  REQUIRE_INT(rg_world_save(world, data, *size), RG_OK);
  return data;
}

// Everything that a snapshot holds, not poses alone.
static bool same_snapshots(const rgWorld* a, const rgWorld* b) {
  size_t size_a, size_b;
  void *one = snapshot_of(a, &size_a), *two = snapshot_of(b, &size_b);
  bool same = size_a == size_b && memcmp(one, two, size_a) == 0;
  free(one), free(two);
  return same;
}

TEST(steps_after_a_state_are_those_after_the_save) {
  for (int i = 0; variety(i); i++) {
    CONTEXT("%s", variety(i)->name);
    rgWorld *one = variety_build(variety(i), 1, NULL), *two = variety_build(variety(i), 1, NULL),
            *three = variety_build(variety(i), 1, NULL);
    rgState* state = new_state();
    run_steps(one, 12);
    run_steps(two, 3); // somewhere else
    REQUIRE_INT(rg_world_save_state(one, state), RG_OK);
    size_t size;
    void* snapshot = snapshot_of(one, &size);
    for (int pass = 0; pass < 2; pass++) { // the second time from far ahead
      REQUIRE_MSG(rg_world_load_state(two, state) == RG_OK, "%s", rg_world_message(two));
      REQUIRE_INT(rg_world_load(three, snapshot, size), RG_OK);
      CHECK(same_snapshots(two, three));
      for (int k = 0; k < 8; k++) {
        run_steps(two, 1);
        run_steps(three, 1);
        CHECK_HEX(rg_world_hash(two), rg_world_hash(three));
      }
      CHECK(same_snapshots(two, three));
    }
    run_steps(one, 8); // as if nothing had been saved
    CHECK(same_snapshots(one, two));
    REQUIRE_INT(rg_world_load_state(one, state), RG_OK); // back in itself
    run_steps(one, 8);
    CHECK(same_snapshots(one, two));
    free(snapshot);
    rg_state_destroy(state);
    rg_world_destroy(one), rg_world_destroy(two), rg_world_destroy(three);
  }
}

TEST(a_state_before_the_first_step_leads_to_the_same_steps) {
  for (int i = 0; variety(i); i++) {
    CONTEXT("%s", variety(i)->name);
    rgWorld *one = variety_build(variety(i), 1, NULL), *two = variety_build(variety(i), 1, NULL);
    rgState* state = new_state();
    REQUIRE_INT(rg_world_save_state(one, state), RG_OK);
    run_steps(one, 6);
    run_steps(two, 6);
    REQUIRE_INT(rg_world_load_state(one, state), RG_OK);
    run_steps(one, 6);
    CHECK_HEX(rg_world_hash(one), rg_world_hash(two));
    rg_state_destroy(state);
    rg_world_destroy(one), rg_world_destroy(two);
  }
}

// Controls, targets and limits are state, as they are in a snapshot.
TEST(settings_of_axes_go_back_too) {
  rgWorld *one = build_world("default"), *two = build_world("default");
  rgWorld* worlds[2] = {one, two};
  rgJointId joints[2];
  for (int i = 0; i < 2; i++) {
    rgBodyId arm = build_box(worlds[i], v3(0.5, 0.1, 0.1), v3(0.5, 0, 0));
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    def.body_b = arm;
    def.axis = v3(0, 1, 0);
    REQUIRE_INT(rg_world_add_joint(worlds[i], &def, &joints[i]), RG_OK);
    run_steps(worlds[i], 3);
  }
  rgState* state = new_state();
  REQUIRE_INT(rg_world_save_state(one, state), RG_OK);
  rgJointAxis axis;
  REQUIRE_INT(rg_joint_axis(one, joints[0], 0, &axis), RG_OK);
  axis.servo = true; // other rows than before
  axis.servo_stiffness = 100;
  axis.servo_target = 1;
  REQUIRE_INT(rg_joint_set_axis(one, joints[0], 0, &axis), RG_OK);
  run_steps(one, 10);
  REQUIRE_INT(rg_world_load_state(one, state), RG_OK);
  REQUIRE_INT(rg_joint_axis(one, joints[0], 0, &axis), RG_OK);
  CHECK(!axis.servo);
  run_steps(one, 20);
  run_steps(two, 20);
  CHECK(same_snapshots(one, two));
  rg_state_destroy(state);
  rg_world_destroy(one), rg_world_destroy(two);
}

TEST(worlds_that_were_built_differently_refuse_a_state) {
  rgWorld *one = build_world("default"), *two = build_world("default");
  rgState* state = new_state();
  CHECK_INT(rg_world_load_state(one, state), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(one), "nothing was saved in the state");
  build_box(one, v3(1, 1, 1), v3(0, 0, 0));
  build_box(two, v3(1, 1, 2), v3(0, 0, 0));
  REQUIRE_INT(rg_world_save_state(one, state), RG_OK);
  run_steps(two, 1);
  uint64_t before = rg_world_hash(two);
  CHECK_INT(rg_world_load_state(two, state), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(two), "the state belongs to a world that was built differently");
  CHECK_HEX(rg_world_hash(two), before);
  run_steps(one, 2);
  CHECK_INT(rg_world_load_state(one, state), RG_OK);
  build_set_default_material(one, 0.7, 0); // an edit: another world
  CHECK_INT(rg_world_load_state(one, state), RG_ERROR_INPUT);
  build_set_default_material(one, 0.5, 0); // and undone
  CHECK_INT(rg_world_load_state(one, state), RG_OK);
  rg_state_destroy(state);
  rg_state_destroy(NULL);
  rg_world_destroy(one), rg_world_destroy(two);
}

// What was added and removed again between save and load leaves places that nobody sees, of whatever kind it was:
// the state is that of the save.
TEST(what_came_and_went_since_the_save_does_not_matter) {
  for (int kind = 0; kind < 2; kind++) {
    const Variety* scene = variety_find("mixed");
    rgWorld *one = variety_build(scene, 1, NULL), *two = variety_build(scene, 1, NULL);
    rgWorld* both[2] = {one, two};
    rgForceDef first = rg_force_def(), second = rg_force_def();
    rgForceId id;
    first.kind = kind ? RG_FORCE_ATTRACTOR : RG_FORCE_CONSTANT;
    second.kind = kind ? RG_FORCE_CONSTANT : RG_FORCE_ATTRACTOR;
    second.strength = first.strength = 1;
    second.range = first.range = 1;
    for (int i = 0; i < rg_world_body_count(one); i++)
      if (rg_body_kind(one, rg_world_body(one, i)) == RG_BODY_DYNAMIC)
        first.body = second.body = rg_world_body(one, i);
    for (int i = 0; i < 2; i++) { // each has a place without a force
      run_steps(both[i], 10);
      REQUIRE_MSG(rg_world_add_force(both[i], &first, &id) == RG_OK, "%s",
                  rg_world_message(both[i]));
      REQUIRE_INT(rg_world_remove_force(both[i], id), RG_OK);
    }
    rgState* state = new_state();
    REQUIRE_INT(rg_world_save_state(one, state), RG_OK);
    REQUIRE_INT(rg_world_add_force(one, &second, &id), RG_OK);
    run_steps(one, 3);
    REQUIRE_INT(rg_world_remove_force(one, id), RG_OK);
    REQUIRE_MSG(rg_world_load_state(one, state) == RG_OK, "%s", rg_world_message(one));
    run_steps(one, 8);
    run_steps(two, 8);
    CHECK(same_snapshots(one, two));
    rg_state_destroy(state);
    rg_world_destroy(one), rg_world_destroy(two);
  }
}

// Balls whose boxes overlap and that do not touch are pairs without contacts. Others take the slots of some before the
// next step, far away or where those were: what was known of the pairs is not of them.
TEST(a_state_of_bodies_in_places_of_others_is_that_of_its_snapshot) {
  for (int far = 0; far < 2; far++)
    for (int left = 0; left < 3; left++) { // balls that stay
      CONTEXT("far %d, left %d", far, left);
      rgWorld* world = build_world("default");
      rgBodyId balls[3];
      for (int i = 0; i < 3; i++)
        balls[i] = build_sphere(world, 0.1, v3(0.15 * i, 0.15 * i, 1));
      run_steps(world, 2);
      for (int i = left; i < 3; i++)
        REQUIRE_INT(rg_world_remove_body(world, balls[i]), RG_OK);
      for (int i = left; i < 3; i++)
        build_sphere(world, 0.1, v3((0.15 + 10 * far) * i, 0.15 * i, 1));
      rgState* state = new_state();
      size_t size, again_size;
      void* snapshot = snapshot_of(world, &size);
      REQUIRE_INT(rg_world_save_state(world, state), RG_OK);
      REQUIRE_INT(rg_world_load_state(world, state), RG_OK);
      void* again = snapshot_of(world, &again_size);
      CHECK(size == again_size && memcmp(snapshot, again, size) == 0);
      run_steps(world, 5);
      uint64_t hash = rg_world_hash(world);
      REQUIRE_INT(rg_world_load(world, snapshot, size), RG_OK);
      run_steps(world, 5);
      CHECK_HEX(rg_world_hash(world), hash);
      free(snapshot), free(again);
      rg_state_destroy(state);
      rg_world_destroy(world);
    }
}
