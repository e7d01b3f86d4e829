// memory.c - allocation through an rgAllocator, and arrays that only grow.
#if defined(__linux__)
#define _DEFAULT_SOURCE 1 // madvise
#endif
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

// Blocks of this size and more begin at a large page and ask the system for large pages: in worlds
// of many thousands of bodies, half the cost of reading a body out of order is the lookup of its
// page. The remainder at the end of a block stays on small pages.
static const size_t LARGE_PAGE =
    (size_t)1 << 21; // [bytes] the large page of x86-64 and of most other processors

#if defined(MADV_HUGEPAGE)
// The system gives and takes back whole pages; this is a multiple of all small ones.
static size_t whole_pages(size_t size) {
  const size_t page = (size_t)1 << 16; // [bytes]
  return (size + page - 1) & ~(page - 1);
}

// From the system itself, to which they go back: arrays that grow would leave holes in a heap, which held half as much
// again as was in use.
static void* allocate_large(size_t size) {
  size_t whole = whole_pages(size), reserved = whole + LARGE_PAGE;
  char* start = mmap(NULL, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    return NULL;
  size_t before = (size_t) - (uintptr_t)start & (LARGE_PAGE - 1);
  char* memory = start + before;
  if (before > 0)
    munmap(start, before);
  munmap(memory + whole, LARGE_PAGE - before);
  madvise(memory, size & ~(LARGE_PAGE - 1),
          MADV_HUGEPAGE); // only a request: a refusal does no harm
  return memory;
}
#endif

static void* heap_allocate(size_t size, void* context) {
  (void)context;
  if (size > SIZE_MAX - 2 * LARGE_PAGE)
    return NULL;
#if defined(MADV_HUGEPAGE)
  if (size >= LARGE_PAGE)
    return allocate_large(size);
#endif
  return aligned_alloc(RG_ALIGNMENT, rg_align(size));
}

static void heap_release(void* memory, size_t size, void* context) {
  (void)context;
#if defined(MADV_HUGEPAGE)
  if (size >= LARGE_PAGE) {
    munmap(memory, whole_pages(size));
    return;
  }
#else
  (void)size;
#endif
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

// [bytes] from which on arrays grow by a quarter: there, room that is never used costs more than the
// copies that it saves, five for each item instead of three.
static const size_t LARGE_ARRAY = (size_t)1 << 16;

// The capacity that makes room for `count` items; 0 when there cannot be so many.
static int grown_capacity(int capacity, int count, size_t item_size) {
  bool large = (size_t)capacity > LARGE_ARRAY / item_size;
  long long wanted = capacity + capacity / (large ? 4LL : 2LL) + 16;
  if (wanted < count)
    wanted = count;
  if (wanted > INT_MAX)
    wanted = INT_MAX;
  return (unsigned long long)wanted > SIZE_MAX / 2 / item_size ? 0 : (int)wanted;
}

static bool grow(const rgAllocator* allocator, void** items, int* capacity, int count,
                 size_t item_size, bool keeps) {
  if (count <= *capacity)
    return true;
  int wanted = grown_capacity(*capacity, count, item_size);
  if (wanted == 0)
    return false;
  size_t size = (size_t)wanted * item_size, used = (size_t)*capacity * item_size;
  if (!keeps) {
    rg_release(allocator, *items, used);
    *items = NULL;
    *capacity = 0;
  }
  char* grown = allocator->allocate(size, allocator->context);
  if (!grown)
    return false;
  if (*items)
    memcpy(grown, *items, used);
  if (keeps) {
    memset(grown + used, 0, size - used);
    rg_release(allocator, *items, used);
  }
  *items = grown;
  *capacity = wanted;
  return true;
}

bool rg_memory_grow(const rgAllocator* allocator, void** items, int* capacity, int count,
                    size_t item_size) {
  return grow(allocator, items, capacity, count, item_size, true);
}

bool rg_reserve_anew(const rgAllocator* allocator, void** items, int* capacity, int count,
                     size_t item_size) {
  return grow(allocator, items, capacity, count, item_size, false);
}
