// memory.c - allocation through an rgAllocator, and arrays that only grow.
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void* heap_allocate(size_t size, void* context) {
  (void)context;
  return size > SIZE_MAX - RG_ALIGNMENT ? NULL : aligned_alloc(RG_ALIGNMENT, rg_align(size));
}

static void heap_release(void* memory, size_t size, void* context) {
  (void)size;
  (void)context;
  free(memory);
}

rgAllocator rg_allocator_default(void) { return (rgAllocator){heap_allocate, heap_release, NULL}; }

void* rg_allocate(const rgAllocator* allocator, size_t size) {
  if (size == 0)
    size = RG_ALIGNMENT;
  void* memory = allocator->allocate(size, allocator->context);
  if (memory)
    memset(memory, 0, size);
  return memory;
}

void rg_release(const rgAllocator* allocator, void* memory, size_t size) {
  if (memory)
    allocator->release(memory, size == 0 ? RG_ALIGNMENT : size, allocator->context);
}

bool rg_reserve(const rgAllocator* allocator, void** items, int* capacity, int count,
                size_t item_size) {
  if (count <= *capacity)
    return true;
  long long wanted = *capacity + *capacity / 2LL + 16;
  if (wanted < count)
    wanted = count;
  if (wanted > INT_MAX)
    wanted = INT_MAX;
  if ((unsigned long long)wanted > SIZE_MAX / 2 / item_size)
    return false;
  void* grown = rg_allocate(allocator, (size_t)wanted * item_size);
  if (!grown)
    return false;
  if (*items)
    memcpy(grown, *items, (size_t)*capacity * item_size);
  rg_release(allocator, *items, (size_t)*capacity * item_size);
  *items = grown;
  *capacity = (int)wanted;
  return true;
}

void* rg_carve(rgCarver* carver, size_t count, size_t item_size) {
  size_t size = rg_align(count * item_size);
  void* piece = carver->base ? carver->base + carver->used : NULL;
  carver->used += size;
  return piece;
}
