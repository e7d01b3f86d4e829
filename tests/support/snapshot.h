// snapshot.h - a saved world, for tests that continue or compare it. The test frees the data.
#ifndef SUPPORT_SNAPSHOT_H
#define SUPPORT_SNAPSHOT_H

#include "test.h"

#include <rigor/world.h>
#include <stdlib.h>

typedef struct Snapshot {
  unsigned char* data;
  size_t size;
} Snapshot;

static inline Snapshot save(const rgWorld* world) {
  Snapshot snapshot = {.size = rg_world_save_size(world)};
  snapshot.data = malloc(snapshot.size);
  REQUIRE(snapshot.data);
  REQUIRE(rg_world_save(world, snapshot.data, snapshot.size) == RG_OK);
  return snapshot;
}

#endif
