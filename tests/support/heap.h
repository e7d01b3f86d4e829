// heap.h - an allocator that keeps books: it fails when told to, knows each of its blocks, and sees
// a release of what it never gave, or with another size, and what was written past the end of a block. A block of whole pages can be made
// read-only.
#ifndef SUPPORT_HEAP_H
#define SUPPORT_HEAP_H

#include "test.h"

#include <limits.h>
#include <rigor/base.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef struct HeapBlock {
  void* memory;
  size_t size;
} HeapBlock;

typedef struct Heap {
  int calls;                 // allocations asked for so far
  int fail_from, fail_count; // which of them fail
  int wrong;                 // releases of what is not there, or was written past its end
  bool pages;                // blocks are whole pages, see heap_protect
  HeapBlock* blocks;
  int live, capacity;
} Heap;

// [bytes] Past the end of each block that is not of whole pages there are so many that nobody writes.
enum { HEAP_MARGIN = 64, HEAP_MARK = 0xa5 };

static inline size_t heap_pages(size_t size) { return (size + 4095) & ~(size_t)4095; }

static inline void* heap_take(size_t size, void* context) {
  Heap* heap = context;
  int call = heap->calls++;
  if (call >= heap->fail_from && call - heap->fail_from < heap->fail_count)
    return NULL;
  if (heap->live == heap->capacity) {
    heap->capacity = 2 * heap->capacity + 64;
    heap->blocks = realloc(heap->blocks, (size_t)heap->capacity * sizeof *heap->blocks);
    REQUIRE(heap->blocks);
  }
  rgAllocator from = rg_allocator_default();
  void* memory = heap->pages ? mmap(NULL, heap_pages(size), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | 0x20 /* MAP_ANONYMOUS */, -1, 0)
                             : from.allocate(size + HEAP_MARGIN, from.context);
  REQUIRE(memory && memory != MAP_FAILED);
  if (!heap->pages)
    memset((char*)memory + size, HEAP_MARK, HEAP_MARGIN);
  heap->blocks[heap->live++] = (HeapBlock){memory, size};
  return memory;
}

static inline bool heap_margin_is_clean(const HeapBlock* block) {
  for (int i = 0; i < HEAP_MARGIN; i++)
    if (((const unsigned char*)block->memory)[block->size + (size_t)i] != HEAP_MARK)
      return false;
  return true;
}

// Nothing was written past the end of a block.
static inline void heap_check_margins(const Heap* heap) {
  int written = 0;
  for (int i = 0; i < heap->live && !heap->pages; i++)
    written += !heap_margin_is_clean(&heap->blocks[i]);
  CHECK_INT(written, 0);
}

static inline void heap_give(void* memory, size_t size, void* context) {
  Heap* heap = context;
  int at = heap->live - 1;
  while (at >= 0 && heap->blocks[at].memory != memory)
    at--;
  if (at < 0 || heap->blocks[at].size != size) {
    heap->wrong++;
    return;
  }
  if (!heap->pages && !heap_margin_is_clean(&heap->blocks[at]))
    heap->wrong++;
  heap->blocks[at] = heap->blocks[--heap->live];
  rgAllocator from = rg_allocator_default();
  if (heap->pages)
    munmap(memory, heap_pages(size));
  else
    from.release(memory, size + HEAP_MARGIN, from.context);
}

static inline Heap heap_make(void) { return (Heap){.fail_from = INT_MAX, .fail_count = 1}; }

static inline rgAllocator heap_allocator(Heap* heap) {
  return (rgAllocator){heap_take, heap_give, heap};
}

// All blocks read-only, or writable again. Only with `pages`.
static inline void heap_protect(const Heap* heap, bool read_only) {
  for (int i = 0; i < heap->live; i++)
    REQUIRE(mprotect(heap->blocks[i].memory, heap_pages(heap->blocks[i].size),
                     read_only ? PROT_READ : PROT_READ | PROT_WRITE) == 0);
}

// Everything was given back, and nothing else.
static inline void heap_end(Heap* heap) {
  CHECK_INT(heap->live, 0);
  CHECK_INT(heap->wrong, 0);
  free(heap->blocks);
  heap->blocks = NULL;
}

#endif
