// memory.h - allocation through an rgAllocator, and arrays that only grow.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <rigor/base.h>

enum { RG_ALIGNMENT = 64 }; // [bytes] a cache line; also enough for every SIMD type

// Zeroed memory of at least `size` bytes, or NULL.
void* rg_allocate(const rgAllocator* allocator, size_t size);
void rg_release(const rgAllocator* allocator, void* memory, size_t size); // NULL is allowed

// Rounds up to the alignment.
static inline size_t rg_align(size_t size) {
  return (size + RG_ALIGNMENT - 1) & ~(size_t)(RG_ALIGNMENT - 1);
}

// Makes room for `count` items of `item_size` in *items with *capacity. Grows by half again at
// least, keeps the contents, zeroes the rest. False (nothing changed) when memory ran out.
bool rg_reserve(const rgAllocator* allocator, void** items, int* capacity, int count,
                size_t item_size);

// Carves aligned pieces out of one block; used for workspaces whose size was computed by a dry run
// with base == NULL.
typedef struct rgCarver {
  char* base;
  size_t used; // [bytes]
} rgCarver;
void* rg_carve(rgCarver* carver, size_t count, size_t item_size);

#endif
