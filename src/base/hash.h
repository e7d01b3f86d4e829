// hash.h - a 64-bit hash of bytes, for golden values and snapshots (FNV-1a; it does not resist
// attackers).
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define RG_HASH_START 0xcbf29ce484222325u

static inline uint64_t rg_hash_bytes(uint64_t hash, const void* data, size_t size) {
  const unsigned char* bytes = data;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

#endif
