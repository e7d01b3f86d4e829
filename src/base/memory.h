// memory.h - allocation through an rgAllocator, and arrays that only grow.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <rigor/base.h>

enum { RG_ALIGNMENT = 64 }; // [bytes] a cache line; also enough for every SIMD type

// Zeroed memory of at least `size` bytes, or NULL.
void* rg_allocate(const rgAllocator* allocator, size_t size);
void rg_release(const rgAllocator* allocator, void* memory, size_t size); // NULL is allowed

// The next multiple of the alignment.
static inline size_t rg_align(size_t size) {
  return (size + RG_ALIGNMENT - 1) & ~(size_t)(RG_ALIGNMENT - 1);
}

// Makes room for `count` items of `item_size` bytes in *items, whose room is *capacity. The
// capacity grows by at least one half, that of a large array by a quarter; the contents are kept and
// the new items are zeroed. Returns false and changes nothing when memory runs out.
bool rg_memory_grow(const rgAllocator* allocator, void** items, int* capacity, int count,
                    size_t item_size);
static inline bool rg_reserve(const rgAllocator* allocator, void** items, int* capacity, int count,
                              size_t item_size) {
  return count <= *capacity || rg_memory_grow(allocator, items, capacity, count, item_size);
}
// The same without the contents: nothing is kept and nothing is zeroed, and the old memory and the new one
// are never there together. Returns false and leaves no room when memory runs out.
bool rg_reserve_anew(const rgAllocator* allocator, void** items, int* capacity, int count,
                     size_t item_size);

// Carves aligned pieces out of one block. A dry run with base == NULL computes the size that a
// workspace needs.
typedef struct rgCarver {
  char* base;
  size_t used; // [bytes]
} rgCarver;
static inline void* rg_carve(rgCarver* carver, size_t count, size_t item_size) {
  void* piece = carver->base ? carver->base + carver->used : NULL;
  carver->used += rg_align(count * item_size);
  return piece;
}

#endif
