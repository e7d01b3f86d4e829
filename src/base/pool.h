// pool.h - memory that is allocated piece by piece and freed all at once: scratch of conversions,
// and the contents of a file.
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <rigor/base.h>

typedef struct rgPoolChunk rgPoolChunk;

typedef struct rgPool {
  rgAllocator allocator;
  rgPoolChunk* chunk; // the newest; each links to the one before it
} rgPool;

// Zeroed room for `count` items (one byte at least), or NULL when memory ran out.
void* rg_pool_take(rgPool* pool, size_t count, size_t item_size);
// A copy of a text.
char* rg_pool_text(rgPool* pool, const char* text);
void rg_pool_free(rgPool* pool);

#endif
