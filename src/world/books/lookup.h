// lookup.h - hash tables of a world: names, and pairs of bodies that do not collide.
#ifndef WORLD_BOOKS_LOOKUP_H
#define WORLD_BOOKS_LOOKUP_H

#include <rigor/base.h>

// -------------------------------------------------------------------------------------------------
// Names
// -------------------------------------------------------------------------------------------------

// Where a named object is in the chain of its hash value.
typedef struct rgNameLink {
  uint32_t hash;
  int next, previous; // in the chain; -1 at its ends
  bool named;         // it is in a chain
} rgNameLink;

// Objects by name. The table knows indices and hash values; the names stay with their owners, who
// compare them. Several objects may have one name.
typedef struct rgNameTable {
  rgNameLink* links; // by the index of the object
  int links_capacity;
  int* heads; // first of each chain, -1 when it is empty
  int heads_capacity;
  int chains; // a power of two, or 0
} rgNameTable;

// Makes room for the indices 0 .. limit - 1. False (nothing lost) when memory ran out.
bool rg_name_table_reserve(const rgAllocator* allocator, rgNameTable* names, int limit);
void rg_name_table_release(const rgAllocator* allocator, rgNameTable* names);
void rg_name_table_add(rgNameTable* names, int index,
                       const char* name); // an empty name is left out
void rg_name_table_remove(rgNameTable* names, int index);
// The objects whose names have the hash value of `name`, in no promised order: the first, and the
// one after `index`; -1 when there is none.
int rg_name_table_first(const rgNameTable* names, const char* name);
int rg_name_table_next(const rgNameTable* names, int index);

// -------------------------------------------------------------------------------------------------
// Pairs of bodies that do not collide
// -------------------------------------------------------------------------------------------------

// A pair of bodies. The key is made of their generations, which no other bodies ever have: what is
// said of a removed body is never found again and need not be looked for when it is removed.
typedef struct rgPairOff {
  uint64_t key;      // 0 in an empty cell
  uint32_t index[2]; // of the bodies
  int joints;        // that join both and keep them from colliding
  bool asked;        // switched off by the user
} rgPairOff;

// Open addressing with linear probing.
typedef struct rgPairsOff {
  rgPairOff* cells;
  int cells_capacity; // a power of two, or 0
  int filled;         // cells with a key, also of pairs that collide again or no longer exist
  bool orphaned;      // a body was removed: some of them may name it
} rgPairsOff;

struct rgWorld;

// Makes room for one pair more. False (nothing changed) when memory ran out.
bool rg_world_reserve_pair_off(struct rgWorld* world);
// The cell of the bodies in two slots, which is made when there is none: room must have been made.
rgPairOff* rg_world_pair_off(struct rgWorld* world, int body_a, int body_b);
// The same, NULL when there is none.
rgPairOff* rg_world_find_pair_off(const struct rgWorld* world, int body_a, int body_b);
// Whether the bodies are kept from colliding, by the user or by a joint.
bool rg_world_pair_is_off(const struct rgWorld* world, int body_a, int body_b);
// Hash of all pairs that are kept from colliding, whatever the order in which they came to be.
uint64_t rg_world_hash_pairs_off(const struct rgWorld* world);

#endif
