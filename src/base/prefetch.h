// prefetch.h - requests memory ahead of its use.
//
// In worlds larger than the caches, a loop that reads the bodies of one contact after the other
// waits for memory most of the time, each wait as long as hundreds of operations. Prefetching what
// the loop reads a few iterations later lets the waits overlap. It never changes a result.
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>

enum { RG_CACHE_LINE = 64 }; // [bytes]

// Prefetches the cache line of an address. To gcc a function that does nothing but prefetch has no effect, and it
// removes calls of it before it inlines them; the empty statement is an effect.
static inline void rg_prefetch_line(const void* at) {
  __builtin_prefetch(at);
  __asm__ volatile("");
}

// Prefetches all cache lines of a record whose address is a multiple of 8 bytes.
static inline void rg_prefetch(const void* record, size_t size) {
  const char* at = record;
  for (size_t i = 0; i < size; i += RG_CACHE_LINE)
    rg_prefetch_line(at + i);
  rg_prefetch_line(at + size - 1);
}

// Index of the item that a loop over `count` items reads `ahead` iterations after the i-th; the
// last one if the loop ends before that.
static inline int rg_ahead(int i, int ahead, int count) {
  return i + ahead < count ? i + ahead : count - 1;
}

#endif
