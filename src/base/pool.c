// pool.c - memory that is allocated piece by piece and freed all at once.
#include "base/pool.h"

#include "base/memory.h"

#include <string.h>

enum { CHUNK_SIZE = 16 * 1024, PIECE_ALIGNMENT = 16 }; // [bytes]

struct rgPoolChunk {
  rgPoolChunk* older;
  size_t size, used; // [bytes] with this header
};

static const size_t header_size =
    (sizeof(rgPoolChunk) + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;

void* rg_pool_take(rgPool* pool, size_t count, size_t item_size) {
  if (count > SIZE_MAX / 4 / item_size)
    return NULL;
  size_t size = (count * item_size / PIECE_ALIGNMENT + 1) * PIECE_ALIGNMENT;
  rgPoolChunk* chunk = pool->chunk;
  if (!chunk || chunk->size - chunk->used < size) {
    size_t chunk_size = header_size + (size > CHUNK_SIZE ? size : CHUNK_SIZE);
    rgPoolChunk* fresh = rg_allocate(&pool->allocator, chunk_size);
    if (!fresh)
      return NULL;
    *fresh = (rgPoolChunk){.older = chunk, .size = chunk_size, .used = header_size};
    pool->chunk = chunk = fresh;
  }
  char* piece = (char*)chunk + chunk->used;
  chunk->used += size;
  return piece;
}

char* rg_pool_text(rgPool* pool, const char* text) {
  size_t size = strlen(text) + 1;
  char* copy = rg_pool_take(pool, size, 1);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

void rg_pool_free(rgPool* pool) {
  while (pool->chunk) {
    rgPoolChunk* chunk = pool->chunk;
    pool->chunk = chunk->older;
    rg_release(&pool->allocator, chunk, chunk->size);
  }
}
