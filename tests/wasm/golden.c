// golden.c - the table of golden hashes for a module of WebAssembly; see tests/wasm/run.mjs.
#include "support/golden.h"
#include "support/variety.h"
#include "test.h"

#define EXPORT(name) __attribute__((export_name(#name)))

int golden_count(void);
const char* golden_name(int index);
uint64_t golden_hash(int index);
uint64_t golden_run(int index);

EXPORT(golden_count) int golden_count(void) { return GOLDEN_COUNT; }
EXPORT(golden_name) const char* golden_name(int index) { return golden_table[index].name; }
// What the table says, and what this module computes.
EXPORT(golden_hash) uint64_t golden_hash(int index) { return golden_table[index].hash; }
EXPORT(golden_run) uint64_t golden_run(int index) {
  rgWorld* world = variety_build(variety_find(golden_table[index].name), 1, NULL);
  run_steps(world, golden_table[index].steps);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  return hash;
}
