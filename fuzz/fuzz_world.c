// fuzz_world.c - any bytes as a history of calls, with an allocator that fails when the input says
// so. Whatever happens:
//
//   - a call that fails for want of memory has changed no byte of a snapshot, and does what it says
//     when there is memory again;
//   - a step that is made leaves poses that are poses, and hands out problems whose certificate,
//     computed anew, is the one that was reported;
//   - rays and distances between bodies are numbers, agree with each other and change nothing;
//   - a snapshot is taken by the world that made it and gives the same bytes again, and the steps
//     after it the same bits, for as long as nothing is edited; so does a copy of the state;
//   - all memory is given back.
#include "calls.h"
#include "checks.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STEPS_MAX = 60, EXPECTED_MAX = 8 };

typedef struct Run {
  Input in;
  Memory memory;
  rgWorld* world;
  rgForceId force; // the last that was added
  int steps;
  Saved saved;
  rgState* state; // of the same moment, if a state could be taken then
  bool has_state;
  // Hashes after the steps that followed the snapshot, until an edit.
  uint64_t expected[EXPECTED_MAX];
  int expected_count;
  int since; // steps since the snapshot was taken or loaded; -1 after an edit
} Run;

static rgStatus call_step(Run* run) {
  if (run->steps >= STEPS_MAX)
    return RG_OK;
  rgStatus status = rg_world_step(run->world, NULL);
  if (status != RG_OK)
    return status;
  run->steps++;
  check_poses(run->world);
  check_islands(run->world);
  check_queries(run->world);
  if (run->since < 0 || run->since >= EXPECTED_MAX)
    return RG_OK;
  uint64_t hash = rg_world_hash(run->world);
  if (run->since < run->expected_count)
    require(hash == run->expected[run->since]);
  else
    run->expected[run->expected_count++] = hash;
  run->since++;
  return RG_OK;
}

// --- snapshots --------------------------------------------------------------------------------------

static rgStatus call_save(Run* run) {
  free(run->saved.data);
  run->saved = save_world(run->world);
  // Not while contacts of removed bodies are left.
  run->has_state = rg_world_save_state(run->world, run->state) == RG_OK;
  run->since = run->expected_count = 0;
  return RG_OK;
}

static rgStatus call_load(Run* run) {
  if (!run->saved.data)
    return RG_OK;
  rgStatus status = rg_world_load(run->world, run->saved.data, run->saved.size);
  if (status != RG_OK)
    return status; // after an edit
  Saved again = save_world(run->world);
  require(run->since < 0 || is_same(&again, &run->saved));
  free(again.data);
  if (run->since >= 0 && run->has_state) {
    require(rg_world_load_state(run->world, run->state) == RG_OK);
    again = save_world(run->world);
    require(is_same(&again, &run->saved));
    free(again.data);
  }
  // After edits that were undone the world may have other options: the steps are not the same.
  run->since = run->since < 0 ? -1 : 0;
  return RG_OK;
}

// --- calls ------------------------------------------------------------------------------------------

static rgStatus remove_one(Run* run, uint8_t choice) {
  rgWorld* world = run->world;
  int bodies = rg_world_body_count(world), joints = rg_world_joint_count(world);
  rgShapeId shapes[64];
  int shape_count = rg_world_shapes(world, shapes, 64);
  switch (choice % 4) {
  case 0:
    return bodies > 0 ? rg_world_remove_body(world, rg_world_body(world, choice % bodies)) : RG_OK;
  case 1:
    return joints > 0 ? rg_world_remove_joint(world, rg_world_joint(world, choice % joints))
                      : RG_OK;
  case 2:
    shape_count = shape_count < 64 ? shape_count : 64;
    return shape_count > 0 ? rg_world_remove_shape(world, shapes[choice % shape_count]) : RG_OK;
  default:
    return rg_world_remove_force(world, run->force);
  }
}

static rgStatus make_edit(Run* run, int kind) {
  run->since = -1;
  Input* in = &run->in;
  switch (kind) {
  case 0:
  case 1:
    return call_add_body(in, run->world);
  case 2:
    return remove_one(run, next_byte(in));
  case 3:
    return call_add_joint(in, run->world);
  case 4:
    return call_add_force(in, run->world, &run->force);
  case 5:
    return call_set_material(in, run->world);
  case 6:
    return call_set_options(in, run->world);
  case 7:
    return call_set_axis(in, run->world);
  case 8: {
    rgShapeDef shape = next_shape(in, run->world);
    rgShapeId id;
    return rg_world_add_shape(run->world, next_body(in, run->world), &shape, &id);
  }
  default:
    return call_set_state(in, run->world);
  }
}

static rgStatus make_call(Run* run, int kind) {
  return kind < 10   ? make_edit(run, kind)
         : kind < 14 ? call_step(run)
         : kind < 15 ? call_save(run)
                     : call_load(run);
}

// Makes a call while its allocations fail, one after the other, as far as the input says.
static void call_without_memory(Run* run, int kind, int failures) {
  size_t start = run->in.at;
  for (int k = 0; k <= failures; k++) {
    Saved before = save_world(run->world);
    int since = run->since;
    uint64_t hash = rg_world_hash(run->world);
    run->in.at = start;
    run->memory.until_failure = k;
    rgStatus status = make_call(run, kind);
    run->memory.until_failure = -1;
    require(status != RG_ERROR_MEMORY || rg_world_hash(run->world) == hash);
    // The contacts that a step seeks before it moves anything are found for good.
    if (status == RG_ERROR_MEMORY && (kind < 10 || kind >= 14)) {
      Saved after = save_world(run->world);
      require(is_same(&before, &after));
      free(after.data);
    }
    free(before.data);
    if (status != RG_ERROR_MEMORY)
      return;
    require(rg_world_message(run->world)[0] != 0);
    run->since = since;
  }
  run->in.at = start;
  make_call(run, kind);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Run run = {.in = {data, size, 0}, .memory = {.until_failure = -1}, .since = -1};
  rgAllocator allocator = {memory_take, memory_give, &run.memory};
  run.world = make_world(&run.in, &allocator);
  require(rg_state_create(&run.state) == RG_OK);
  while (run.world && !is_empty(&run.in)) {
    uint8_t call = next_byte(&run.in);
    if (call & 128)
      call_without_memory(&run, call & 15, 1 + (call >> 4 & 7));
    else
      make_call(&run, call & 15);
  }
  free(run.saved.data);
  rg_state_destroy(run.state);
  rg_world_destroy(run.world);
  require(run.memory.live == 0);
  return 0;
}
