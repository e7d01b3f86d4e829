// block.c - states of worlds in memory that only grows.
#include "accuracy/accuracy.h"

#include <string.h>

bool rg_accuracy_reserve(rgAccuracy* accuracy, rgAccuracyBlock* block, size_t size) {
  if (size <= block->capacity)
    return true;
  size_t capacity = size + size / 2; // contacts come and go
  void* data = rg_allocate(&accuracy->allocator, capacity);
  if (!data)
    return false;
  if (block->size > 0)
    memcpy(data, block->data, block->size);
  rg_release(&accuracy->allocator, block->data, block->capacity);
  *block = (rgAccuracyBlock){data, block->size, capacity};
  return true;
}

rgStatus rg_accuracy_keep(rgAccuracy* accuracy, const rgWorld* world, rgAccuracyBlock* block) {
  size_t size = rg_world_save_size(world);
  if (!rg_accuracy_reserve(accuracy, block, size))
    return RG_ERROR_MEMORY;
  block->size = size;
  return rg_world_save(world, block->data, size);
}

rgStatus rg_accuracy_put(const rgAccuracyBlock* block, rgWorld* world) {
  return rg_world_load(world, block->data, block->size);
}
