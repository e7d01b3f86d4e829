// pairs.c - which pairs of shapes are searched for contacts.
//
// Pairs come sorted by shape slots, so that carrying hints and places of contacts over from the last pairs is a merge:
// in place by one thread, and into another array by several, of which each has blocks of the new pairs.
#include "base/memory.h"
#include "world/world.h"

bool rg_world_shapes_collide(const rgWorld* world, const rgWorldShape* a, const rgWorldShape* b) {
  if (a->body == b->body)
    return false;
  bool dynamic = world->bodies[a->body].kind == RG_BODY_DYNAMIC ||
                 world->bodies[b->body].kind == RG_BODY_DYNAMIC;
  if (!dynamic)
    return false;
  if (!(a->shape->group & b->shape->mask) || !(b->shape->group & a->shape->mask))
    return false;
  return !rg_world_pair_is_off(world, a->body, b->body);
}

static bool may_touch(const rgWorld* world, const rgBroadPair* key) {
  return rg_world_shapes_collide(world, &world->shapes[key->a], &world->shapes[key->b]);
}

static bool same_key(const rgPair* pair, const rgBroadPair* key) {
  return pair->a == key->a && pair->b == key->b;
}

static bool is_before(const rgPair* pair, const rgBroadPair* key) {
  return pair->a < key->a || (pair->a == key->a && pair->b < key->b);
}

// A new pair starts without contacts.
static rgPair new_pair(const rgBroadPair* key) {
  return (rgPair){.a = key->a, .b = key->b, .worker = RG_PAIR_UNDONE, .drift = HUGE_VALF};
}

// Goes on through the last pairs to the first that is not before a key. True when it is that pair, and what collided in
// the last step does so still.
static bool seek(const rgWorld* world, const rgBroadPair* key, int* old) {
  const rgPair* last = world->search.pairs;
  while (*old < world->search.pair_count && is_before(&last[*old], key))
    ++*old;
  return *old < world->search.pair_count && same_key(&last[*old], key) &&
         (!world->search.stale ||
          (rg_world_pair_lives(world, &last[*old]) && may_touch(world, key)));
}

// Of the pairs that overlap keeps those that may touch, and of the last pairs those that are among
// them, both at the front of their arrays. Returns the number of either.
static void sift_pairs(rgWorld* world, int found, int* pair_count, int* known_count) {
  rgBroadPair* keys = world->search.broad_pairs;
  rgPair* last = world->search.pairs;
  int old = 0, pairs = 0, known = 0;
  for (int i = 0; i < found; i++) {
    rgBroadPair key = keys[i];
    bool is_known = seek(world, &key, &old);
    if (!is_known && !may_touch(world, &key))
      continue;
    keys[pairs++] = key;
    if (is_known && known++ != old)
      last[known - 1] = last[old];
  }
  *pair_count = pairs;
  *known_count = known;
}

// The pairs of bounds that overlap, with room for as many the next time. False when there was not enough memory.
static bool find_overlaps(rgWorld* world, bool shared, int* found) {
  rgContactSearch* search = &world->search;
  rgTasks* tasks = world->threads.tasks;
  for (;;) {
    int capacity = search->broad_pairs_capacity;
    if (shared && search->broad_room_capacity < capacity)
      capacity = search->broad_room_capacity;
    *found = shared ? rg_broad_pairs_shared(search->broad, tasks, search->broad_pairs,
                                            search->broad_room, capacity)
                    : rg_broad_pairs(search->broad, search->broad_pairs, capacity);
    int room = shared ? rg_broad_room(tasks, *found) : *found;
    if (!RG_SET_RESERVE(world, search, broad_pairs, room) ||
        !RG_SET_RESERVE(world, search, broad_room, shared ? room : 0))
      return false;
    if (*found <= capacity)
      return true;
  }
}

// The merge in the array of the last pairs: from the end, so that none is overwritten before it has moved.
static void merge_pairs(rgWorld* world, int found) {
  int count, known;
  sift_pairs(world, found, &count, &known);
  rgPair* pairs = world->search.pairs;
  for (int i = count - 1; i >= known; i--) {
    const rgBroadPair* key = &world->search.broad_pairs[i];
    pairs[i] = known > 0 && same_key(&pairs[known - 1], key) ? pairs[--known] : new_pair(key);
  }
  world->search.pair_count = count;
}

// -------------------------------------------------------------------------------------------------
// By several threads
// -------------------------------------------------------------------------------------------------

enum { BLOCKS = 64 };
typedef struct Merging {
  rgWorld* world;
  int found;
  int count[BLOCKS], start[BLOCKS]; // of the pairs that a block keeps
} Merging;

static int block_bound(const Merging* merging, int block) {
  return (int)((int64_t)merging->found * block / BLOCKS);
}

// The first of the last pairs that is not before a key.
static int lower_bound(const rgWorld* world, const rgBroadPair* key) {
  int low = 0, high = world->search.pair_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (is_before(&world->search.pairs[middle], key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Puts the pairs of a block that may touch to its front, and where they were among the last ones into the room beside
// them: the place + 1, 0 for new ones.
static void sift_block(void* context, int block, int worker) {
  (void)worker;
  Merging* merging = context;
  const rgWorld* world = merging->world;
  rgBroadPair* keys = world->search.broad_pairs;
  int first = block_bound(merging, block), end = block_bound(merging, block + 1), kept = first;
  int old = first < end ? lower_bound(world, &keys[first]) : 0;
  for (int i = first; i < end; i++) {
    rgBroadPair key = keys[i];
    bool known = seek(world, &key, &old);
    if (!known && !may_touch(world, &key))
      continue;
    keys[kept] = key;
    world->search.broad_room[kept++].a = known ? (uint32_t)old + 1 : 0;
  }
  merging->count[block] = kept - first;
}

static void merge_block(void* context, int block, int worker) {
  (void)worker;
  const Merging* merging = context;
  const rgContactSearch* search = &merging->world->search;
  int first = block_bound(merging, block);
  rgPair* out = search->next_pairs + merging->start[block];
  for (int i = first; i < first + merging->count[block]; i++) {
    uint32_t old = search->broad_room[i].a;
    *out++ = old > 0 ? search->pairs[old - 1] : new_pair(&search->broad_pairs[i]);
  }
}

// The merge into another array, block by block.
static void merge_blocks(rgWorld* world, int found) {
  rgContactSearch* search = &world->search;
  Merging merging = {.world = world, .found = found};
  int total = 0;
  rg_tasks_run(world->threads.tasks, BLOCKS, sift_block, &merging);
  for (int k = 0; k < BLOCKS; k++) {
    merging.start[k] = total;
    total += merging.count[k];
  }
  rg_tasks_run(world->threads.tasks, BLOCKS, merge_block, &merging);
  rgPair* last = search->pairs;
  int capacity = search->pairs_capacity;
  search->pairs = search->next_pairs;
  search->pairs_capacity = search->next_pairs_capacity;
  search->next_pairs = last;
  search->next_pairs_capacity = capacity;
  search->pair_count = total;
}

rgStatus rg_world_find_pairs(rgWorld* world) {
  rgContactSearch* search = &world->search;
  int found, last = search->pair_count; // which a search that fails puts back
  bool shared = rg_broad_shares(search->broad, world->threads.tasks);
  if (!find_overlaps(world, shared, &found) || !RG_SET_RESERVE(world, search, pairs, found) ||
      (shared && !RG_SET_RESERVE(world, search, next_pairs, found > last ? found : last)))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for pairs");
  if (shared)
    merge_blocks(world, found);
  else
    merge_pairs(world, found);
  return RG_OK;
}
