// What leaves no trace leaves none: of two worlds with the same history one is disturbed on the way, and both
// tell the same bits from the next step on.
//
// The promises: a step that fails, wherever it does, leaves the world as it was; a snapshot or a copy of
// the state that is loaded leads to the steps that followed the save; questions change nothing. The
// oracle is the twin, which is never disturbed. Histories are random (support/history.h), on scenes of the wide
// family, so that joints with rotors, servos, systems of forces, sensors, sequential impacts and cut steps are in the
// state that has to come back.
#include "test.h"

#include "support/arbitrary.h"
#include "support/history.h"
#include "support/snapshot.h"
#include <rigor/bulk.h>
#include <rigor/diagnose.h>
#include <rigor/view.h>

#include <stdio.h>

enum { SCENES = 70, STEPS = 8, MANY = 15 };

// -------------------------------------------------------------------------------------------------
// Disturbances
// -------------------------------------------------------------------------------------------------

// A step is cancelled when its clock, which every phase asks, has been asked some times: at the first solve
// after that.
static volatile int cancel;
static int asked, patience;
static double impatient(void) {
  cancel = ++asked > patience;
  return 0;
}

// A step that fails; one that comes to its end all the same is taken back another way.
static void fail_step(Told* told) {
  Snapshot before = save(told->world);
  if (rg_world_step(told->world, NULL) == RG_OK)
    REQUIRE(rg_world_load(told->world, before.data, before.size) == RG_OK);
  free(before.data);
}

static void cancel_step(Told* told) {
  asked = 0;
  cancel = 0;
  patience = history_draw(12);
  rg_world_set_clock(told->world, impatient);
  rg_world_set_cancel(told->world, &cancel);
  fail_step(told);
  rg_world_set_clock(told->world, NULL);
  rg_world_set_cancel(told->world, NULL);
}

static void go_back_by_snapshot(Told* told) {
  Snapshot before = save(told->world);
  for (int i = history_draw(3); i >= 0; i--)
    rg_world_step(told->world, NULL);
  rgStatus status = rg_world_load(told->world, before.data, before.size);
  CHECK_MSG(status == RG_OK, "%s", rg_world_message(told->world));
  free(before.data);
}

static void go_back_by_state(Told* told) {
  rgState* state;
  REQUIRE(rg_state_create(&state) == RG_OK);
  if (rg_world_save_state(told->world, state) ==
      RG_OK) { // not after bodies with contacts were removed
    for (int i = history_draw(3); i >= 0; i--)
      rg_world_step(told->world, NULL);
    rgStatus status = rg_world_load_state(told->world, state);
    CHECK_MSG(status == RG_OK, "%s", rg_world_message(told->world));
  }
  rg_state_destroy(state);
}

static void ask(Told* told) {
  Told own = *told;
  history_ask(&own);
  tell_state(&own);
  tell_step(&own);
}

// The undisturbed twin has the velocities set as well, which does leave a trace.
static void set_out_of_range(Told* told, Told* twin) {
  rgBodyId id = history_body(told);
  rgTwist velocity = rg_body_velocity(told->world, id), fast = {{0, 0, 0}, {0, 0, 0}};
  fast.linear = history_vector(told, 1e170);
  Told* both[2] = {told, twin};
  for (int i = 0; i < 2; i++) {
    if (rg_body_set_velocity(both[i]->world, id, fast) != RG_OK)
      continue;
    rg_world_find_contacts(both[i]->world); // what a step does first stays
    if (i == 0)
      fail_step(told);
    REQUIRE(rg_body_set_velocity(both[i]->world, id, velocity) == RG_OK);
  }
}

static const char* const disturbances[] = {"cancelled step", "failed step", "snapshot", "state",
                                           "questions"};

static void disturb(int kind, Told* told, Told* twin) {
  switch (kind) {
  case 0:
    cancel_step(told);
    break;
  case 1:
    set_out_of_range(told, twin);
    break;
  case 2:
    go_back_by_snapshot(told);
    break;
  case 3:
    go_back_by_state(told);
    break;
  default:
    ask(told);
    break;
  }
}

// -------------------------------------------------------------------------------------------------
// Twins
// -------------------------------------------------------------------------------------------------

static Told begin(int seed) {
  Arbitrary scene = arbitrary_wide_scene((uint64_t)seed);
  if (scene.world && scene.bodies > MANY) { // would take most of the time
    rg_world_destroy(scene.world);
    scene.world = NULL;
  }
  Told told = told_begin(scene.world);
  if (!scene.world)
    return told;
  rgOptions options = *rg_world_options(scene.world);
  options.iteration_limit = options.iteration_limit < 30 ? options.iteration_limit : 30;
  if (strcmp(options.solver, "direct") == 0) // takes no contacts
    snprintf(options.solver, sizeof options.solver, "auto");
  REQUIRE(rg_world_set_options(scene.world, &options) == RG_OK);
  history_go_to(7000 + (uint64_t)seed);
  history_begin(&told);
  return told;
}

// The same edits of both: what is drawn depends on the world, too, which is the same.
static void edit_both(Told* told, Told* twin) {
  uint64_t place = history_place();
  Told* both[2] = {told, twin};
  for (int i = 0; i < 2; i++) {
    history_go_to(place);
    for (int edits = 1 + history_draw(3); edits > 0; edits--)
      history_edit(both[i]);
  }
}

static void check_twins(int seed) {
  Told told = begin(seed), twin = begin(seed);
  if (!told.world)
    return;
  bool same = true;
  for (int i = 0; i < STEPS && same; i++) {
    edit_both(&told, &twin);
    int kind = history_draw(sizeof disturbances / sizeof *disturbances);
    disturb(kind, &told, &twin);
    tell_next_step(&told);
    tell_next_step(&twin);
    CONTEXT("seed %d, step %d after: %s", seed, i, disturbances[kind]);
    same = CHECK_HEX(told.hash, twin.hash);
  }
  rg_world_destroy(told.world);
  rg_world_destroy(twin.world);
}

TEST(what_leaves_no_trace_leaves_none) {
  for (int seed = 0; seed < SCENES; seed += test_fast() ? 6 : 1)
    check_twins(seed);
}
