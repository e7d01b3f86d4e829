// lookup.c - hash tables of a world: names, and pairs of bodies that do not collide.
//
// Both answer questions about single objects only. Nothing ever goes through a table in the order
// of its cells, so that hash values decide nothing that a step computes.
#include "world/books/lookup.h"

#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------
// Names
// -------------------------------------------------------------------------------------------------

static uint32_t hash_name(const char* name) {
  uint64_t hash = rg_hash_bytes(RG_HASH_START, name, strlen(name));
  return (uint32_t)(hash ^ hash >> 32);
}

static int* head_of(const rgNameTable* names, uint32_t hash) {
  return &names->heads[hash & (uint32_t)(names->chains - 1)];
}

static void link_name(rgNameTable* names, int index) {
  rgNameLink* link = &names->links[index];
  int* head = head_of(names, link->hash);
  link->previous = -1;
  link->next = *head;
  if (*head >= 0)
    names->links[*head].previous = index;
  *head = index;
}

bool rg_name_table_reserve(const rgAllocator* allocator, rgNameTable* names, int limit) {
  if (!rg_reserve(allocator, (void**)&names->links, &names->links_capacity, limit,
                  sizeof *names->links))
    return false;
  if (names->chains >= limit)
    return true;
  int chains = names->chains > 0 ? names->chains : 16;
  while (chains < limit)
    chains *= 2;
  if (!rg_reserve(allocator, (void**)&names->heads, &names->heads_capacity, chains,
                  sizeof *names->heads))
    return false;
  int before = names->chains;
  names->chains = chains;
  for (int i = 0; i < chains; i++)
    names->heads[i] = -1;
  for (int i = 0; i < before; i++) // no index was above the number of chains
    if (names->links[i].named)
      link_name(names, i);
  return true;
}

void rg_name_table_release(const rgAllocator* allocator, rgNameTable* names) {
  rg_release(allocator, names->links, (size_t)names->links_capacity * sizeof *names->links);
  rg_release(allocator, names->heads, (size_t)names->heads_capacity * sizeof *names->heads);
  *names = (rgNameTable){0};
}

void rg_name_table_add(rgNameTable* names, int index, const char* name) {
  names->links[index] = (rgNameLink){.hash = hash_name(name), .named = name[0] != 0};
  if (name[0])
    link_name(names, index);
}

void rg_name_table_remove(rgNameTable* names, int index) {
  rgNameLink* link = &names->links[index];
  if (!link->named)
    return;
  if (link->next >= 0)
    names->links[link->next].previous = link->previous;
  if (link->previous >= 0)
    names->links[link->previous].next = link->next;
  else
    *head_of(names, link->hash) = link->next;
  *link = (rgNameLink){0};
}

static int same_hash(const rgNameTable* names, int index, uint32_t hash) {
  while (index >= 0 && names->links[index].hash != hash)
    index = names->links[index].next;
  return index;
}

int rg_name_table_first(const rgNameTable* names, const char* name) {
  if (!name || !name[0] || names->chains == 0)
    return -1;
  uint32_t hash = hash_name(name);
  return same_hash(names, *head_of(names, hash), hash);
}

int rg_name_table_next(const rgNameTable* names, int index) {
  return same_hash(names, names->links[index].next, names->links[index].hash);
}

// -------------------------------------------------------------------------------------------------
// Pairs of bodies that do not collide
// -------------------------------------------------------------------------------------------------

static uint64_t key_of(const rgWorld* world, int a, int b) {
  uint64_t i = world->bodies[a].generation, k = world->bodies[b].generation;
  return i < k ? i << 32 | k : k << 32 | i;
}

// The cell with the key, or the empty one where it belongs. There is always an empty one.
static rgPairOff* cell_of(const rgPairsOff* table, uint64_t key) {
  uint32_t mask = (uint32_t)table->cells_capacity - 1;
  // Fibonacci hashing: the upper bits of a product depend on all bits of the key.
  uint32_t at = (uint32_t)((key ^ key >> 29) * 0x9e3779b97f4a7c15u >> 32) & mask;
  while (table->cells[at].key != 0 && table->cells[at].key != key)
    at = (at + 1) & mask;
  return &table->cells[at];
}

static bool is_off(const rgPairOff* cell) { return cell->asked || cell->joints > 0; }

// Whether the cell still says anything: not when the pair collides again or a body was removed.
static bool matters(const rgWorld* world, const rgPairOff* cell) {
  if (cell->key == 0 || !is_off(cell))
    return false;
  if (!world->books.pairs_off.orphaned)
    return true;
  const rgBody* a = &world->bodies[world->ids.slot_of_body[cell->index[0]]];
  const rgBody* b = &world->bodies[world->ids.slot_of_body[cell->index[1]]];
  return a->alive && b->alive &&
         key_of(world, rg_slot_of(world, a), rg_slot_of(world, b)) == cell->key;
}

// A sum, because the order of the cells depends on the size of the table.
uint64_t rg_world_hash_pairs_off(const rgWorld* world) {
  const rgPairsOff* table = &world->books.pairs_off;
  uint64_t sum = 0;
  for (int i = 0; i < table->cells_capacity; i++) {
    const rgPairOff* cell = &table->cells[i];
    uint32_t low = cell->index[0], high = cell->index[1];
    if (!matters(world, cell))
      continue;
    const uint32_t bodies[2] = {low < high ? low : high, low < high ? high : low};
    sum += rg_hash_bytes(RG_HASH_START, bodies, sizeof bodies);
  }
  return sum;
}

// A table of a size that fits what matters in this one: a quarter to a half of it is filled.
static bool rebuild(rgWorld* world, rgPairsOff* table) {
  int kept = 0, capacity = 16;
  for (int i = 0; i < table->cells_capacity; i++)
    kept += matters(world, &table->cells[i]);
  while (capacity / 2 < kept + 1) {
    if (capacity > INT32_MAX / 2)
      return false;
    capacity *= 2;
  }
  rgPairsOff fresh = {.cells_capacity = capacity, .filled = kept};
  fresh.cells = rg_allocate(&world->allocator, (size_t)capacity * sizeof *fresh.cells);
  if (!fresh.cells)
    return false;
  for (int i = 0; i < table->cells_capacity; i++)
    if (matters(world, &table->cells[i]))
      *cell_of(&fresh, table->cells[i].key) = table->cells[i];
  rg_release(&world->allocator, table->cells, (size_t)table->cells_capacity * sizeof *fresh.cells);
  *table = fresh;
  return true;
}

// At most three quarters are filled.
bool rg_world_reserve_pair_off(rgWorld* world) {
  rgPairsOff* table = &world->books.pairs_off;
  return table->filled + 1 <= table->cells_capacity / 4 * 3 || rebuild(world, table);
}

rgPairOff* rg_world_pair_off(rgWorld* world, int a, int b) {
  rgPairsOff* table = &world->books.pairs_off;
  uint64_t key = key_of(world, a, b);
  rgPairOff* cell = cell_of(table, key);
  if (cell->key == 0) {
    *cell = (rgPairOff){
        .key = key, .index = {(uint32_t)world->bodies[a].index, (uint32_t)world->bodies[b].index}};
    table->filled++;
  }
  return cell;
}

rgPairOff* rg_world_find_pair_off(const rgWorld* world, int a, int b) {
  const rgPairsOff* table = &world->books.pairs_off;
  if (table->filled == 0)
    return NULL;
  rgPairOff* cell = cell_of(table, key_of(world, a, b));
  return cell->key == 0 ? NULL : cell;
}

bool rg_world_pair_is_off(const rgWorld* world, int a, int b) {
  const rgPairOff* cell = rg_world_find_pair_off(world, a, b);
  return cell && is_off(cell);
}
