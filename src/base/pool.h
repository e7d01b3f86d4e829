// pool.h - memory that is taken piece by piece and given back all at once: scratch of conversions,
// and what a file is read into.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <rigor/base.h>

typedef struct rgPoolChunk rgPoolChunk;

typedef struct rgPool {
  rgAllocator allocator;
  rgPoolChunk* chunk; // the newest; older ones hang from it
} rgPool;

// Zeroed room for `count` items (one byte at least), or NULL when memory ran out.
void* rg_pool_take(rgPool* pool, size_t count, size_t item_size);
// A copy of a text.
char* rg_pool_text(rgPool* pool, const char* text);
void rg_pool_free(rgPool* pool);

#endif
