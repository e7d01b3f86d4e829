// What leaves no trace leaves none: of two worlds with the same history one is disturbed on the way, and both
// tell the same bits from the next step on.
//
// The promises: a step that fails, wherever it does, leaves the world as it was; a snapshot or a copy of
// the state that is loaded leads to the steps that followed the save; questions change nothing; a call that is
// refused changes nothing, and an allocation that fails is answered as such, whoever asked for it. The
// oracle is the twin, which is never disturbed. Histories are random (support/history.h), on scenes of the wide
// family, so that joints with rotors, servos, systems of forces, sensors, sequential impacts and cut steps are in the
// state that has to come back.
#include "test.h"

#include "base/hash.h"
#include "support/arbitrary.h"
#include "support/heap.h"
#include "support/history.h"
#include "support/snapshot.h"
#include <rigor/bulk.h>
#include <rigor/diagnose.h>
#include <rigor/view.h>

#include <stdio.h>

enum { SCENES = 70, STEPS = 8, MANY = 15, CALLS = 6, MEMORY_SCENES = 24, MEMORY_STEPS = 4 };

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

// A snapshot that is cut off or has a byte changed, with the sum that belongs to what is left. What is taken all the same,
// as a number may be another one, is taken back.
static void load_damaged(Told* told) {
  Snapshot good = save(told->world);
  unsigned char* bad = malloc(good.size);
  REQUIRE(bad);
  memcpy(bad, good.data, good.size);
  size_t size = good.size - sizeof(uint64_t);
  if (history_chance(0.5))
    size -= 4 * (size_t)(1 + history_draw(8)) % size;
  else
    bad[history_draw((int)size)] ^= (unsigned char)(1 << history_draw(8));
  uint64_t sum = rg_hash_bytes(RG_HASH_START, bad, size);
  memcpy(bad + size, &sum, sizeof sum);
  rgStatus status = rg_world_load(told->world, bad, size + sizeof sum);
  if (status != RG_OK)
    CHECK_INT(status, RG_ERROR_INPUT);
  else
    REQUIRE(rg_world_load(told->world, good.data, good.size) == RG_OK);
  free(bad);
  free(good.data);
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

// A call with something wrong. What is taken all the same, the twin takes too.
static void call_wrongly(Told* told, Told* twin) {
  for (int i = 0; i < CALLS; i++) {
    uint64_t place = history_place();
    Told own = *told, other = *twin;
    rgStatus status = history_spoil(&own);
    if (status != RG_OK) {
      CHECK_MSG(rg_world_message(told->world)[0], "refused without a word: %d", (int)status);
      continue;
    }
    history_go_to(place);
    CHECK_INT(history_spoil(&other), status);
  }
}

static const char* const disturbances[] = {"cancelled step",  "failed step", "snapshot",
                                           "state",           "questions",   "refused calls",
                                           "damaged snapshot"};

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
  case 5:
    call_wrongly(told, twin);
    break;
  case 6:
    load_damaged(told);
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

// -------------------------------------------------------------------------------------------------
// Memory
// -------------------------------------------------------------------------------------------------

// Lets the k-th allocation from now on fail.
static void let_fail(Heap* heap, int k) { heap->fail_from = heap->calls + k; }
static bool has_failed(const Heap* heap) { return heap->calls > heap->fail_from; }

// One edit of both; at first one allocation fails on the way, if it makes so many. What is removed is
// removed all the same, in another way.
static void edit_without_memory(Told* told, Told* twin, Heap* heap) {
  Told own = *told;
  let_fail(heap, history_draw(3));
  uint64_t place = history_place();
  rgStatus status = history_edit(&own);
  bool failed = has_failed(heap);
  heap->fail_from = INT_MAX;
  if (failed && status != RG_OK) {
    CHECK_INT(status, RG_ERROR_MEMORY);
    history_go_to(place);
    CHECK(history_edit(told) != RG_ERROR_MEMORY);
  }
  history_go_to(place);
  own = *twin;
  history_edit(&own);
}

// Steps that lack memory here and there, then one that does not.
static void step_without_memory(Told* told, Heap* heap) {
  rgStatus status = RG_ERROR_MEMORY;
  for (int k = history_draw(4); status == RG_ERROR_MEMORY; k += 1 + history_draw(6)) {
    let_fail(heap, k);
    status = rg_world_step(told->world, NULL);
    if (has_failed(heap))
      CHECK_INT(status, RG_ERROR_MEMORY);
    CONTEXT("allocation %d", k);
    heap_check_margins(heap);
  }
  heap->fail_from = INT_MAX;
}

// A snapshot comes back, or lacks memory and leaves the world as it is.
static void load_without_memory(Told* told, Heap* heap) {
  Snapshot before = save(told->world);
  let_fail(heap, history_draw(5));
  rgStatus status = rg_world_load(told->world, before.data, before.size);
  if (has_failed(heap))
    CHECK_INT(status, RG_ERROR_MEMORY);
  heap->fail_from = INT_MAX;
  heap_check_margins(heap);
  free(before.data);
}

static void tell_made_step(Told* told) {
  tell_state(told);
  tell_step(told);
}

static void check_memory(int seed) {
  Heap heaps[2] = {heap_make(), heap_make()};
  rgAllocator allocators[2] = {heap_allocator(&heaps[0]), heap_allocator(&heaps[1])};
  arbitrary_allocator = &allocators[0];
  Told told = begin(seed);
  arbitrary_allocator = &allocators[1];
  Told twin = begin(seed);
  arbitrary_allocator = NULL;
  bool same = told.world != NULL;
  for (int i = 0; i < MEMORY_STEPS && same; i++) {
    CONTEXT("seed %d, step %d", seed, i);
    for (int edits = history_draw(4); edits > 0; edits--)
      edit_without_memory(&told, &twin, &heaps[0]);
    if (history_chance(0.5))
      load_without_memory(&told, &heaps[0]);
    step_without_memory(&told, &heaps[0]);
    rg_world_step(twin.world, NULL);
    told.hash = twin.hash;
    tell_made_step(&told);
    tell_made_step(&twin);
    same = CHECK_HEX(told.hash, twin.hash);
  }
  rg_world_destroy(told.world);
  rg_world_destroy(twin.world);
  heap_end(&heaps[0]);
  heap_end(&heaps[1]);
}

TEST(what_lacks_memory_says_so_and_leaves_no_trace) {
  history_widen(true);
  for (int seed = 0; seed < MEMORY_SCENES; seed += test_fast() ? 6 : 1)
    check_memory(seed);
  history_widen(false);
}

TEST(what_leaves_no_trace_leaves_none) {
  history_widen(true);
  for (int seed = 0; seed < SCENES; seed += test_fast() ? 6 : 1)
    check_twins(seed);
  history_widen(false);
}
