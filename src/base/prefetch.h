// prefetch.h - asking for memory ahead of its use.
//
// In worlds that no cache holds, a loop that reaches for the bodies of one contact after the other
// waits for memory most of the time, each wait as long as hundreds of operations. Asking for what
// the loop comes to some turns later lets the waits overlap. It never changes a result.
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>

enum { RG_CACHE_LINE = 64 }; // [bytes]

// All lines of a record that begins at a multiple of 8 bytes.
static inline void rg_prefetch(const void* record, size_t size) {
  const char* at = record;
  for (size_t i = 0; i < size; i += RG_CACHE_LINE)
    __builtin_prefetch(at + i);
  __builtin_prefetch(at + size - 1);
}

// The item that a loop over `count` of them comes to `ahead` turns after the i-th, or its last.
static inline int rg_ahead(int i, int ahead, int count) {
  return i + ahead < count ? i + ahead : count - 1;
}

#endif
