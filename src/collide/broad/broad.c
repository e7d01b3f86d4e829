// broad.c - which shapes may touch.
//
// Problem: of n boxes, m of them moving, list every pair that overlaps and has a moving member, in
// the order of the users' numbers.
//
// Method: three sets. Moving and fixed proxies with finite bounds are each in a tree (tree.h);
// those with infinite bounds (half-spaces) are few and asked one by one. Bounds are written
// straight into the leaves; rg_broad_pairs first refits the trees, which is one sweep through
// memory, then descends the moving tree against itself and against the fixed one. There are no
// fattened boxes to keep: an exact refit costs less than the false pairs of fat boxes.
//
// Rebuilding: as things move the tree wears and the descent visits more nodes. The tree is rebuilt
// once the visits in excess of what a fresh tree needed add up to the cost of a rebuild, which is
// at most twice as much work as the best schedule known in hindsight. No length enters that rule.
//
// Pairs are found and put into their order in broad_pairs.c.
//
// Cost: n log n + p. Memory: about 230 bytes per proxy, all of it reserved when proxies are added.
#include "collide/broad/broad.h"

#include "base/memory.h"
#include "base/prefetch.h"
#include "collide/broad/broad_state.h"

rgBroad* rg_broad_create(const rgAllocator* allocator) {
  rgBroad* broad = rg_allocate(allocator, sizeof *broad);
  if (!broad)
    return NULL;
  broad->allocator = *allocator;
  broad->free_proxy = -1;
  return broad;
}

static void release_array(rgBroad* broad, rgBroadArray* array, size_t item_size) {
  rg_release(&broad->allocator, array->items, (size_t)array->capacity * item_size);
}

void rg_broad_destroy(rgBroad* broad) {
  if (!broad)
    return;
  for (int s = 0; s < RG_BROAD_COUNT; s++) {
    release_array(broad, &broad->sets[s].entries, sizeof(rgTreeEntry));
    release_array(broad, &broad->sets[s].nodes, sizeof(rgTreeNode));
    release_array(broad, &broad->sets[s].ranks, sizeof(uint32_t));
  }
  release_array(broad, &broad->proxies, sizeof(rgBroadProxy));
  release_array(broad, &broad->users, sizeof(uint32_t));
  release_array(broad, &broad->starts, sizeof(int));
  release_array(broad, &broad->cursors, sizeof(int));
  release_array(broad, &broad->keys, sizeof(uint64_t));
  release_array(broad, &broad->keys_other, sizeof(uint64_t));
  rgAllocator allocator = broad->allocator;
  rg_release(&allocator, broad, sizeof *broad);
}

// --- Members -------------------------------------------------------------------------------------

static bool reserve(rgBroad* broad, rgBroadArray* array, int count, size_t item_size) {
  return rg_reserve(&broad->allocator, &array->items, &array->capacity, count, item_size);
}

static bool reserve_set(rgBroad* broad, rgBroadSet* set, int count) {
  bool ok = reserve(broad, &set->entries, count, sizeof(rgTreeEntry)) &&
            reserve(broad, &set->ranks, set->entries.capacity, sizeof(uint32_t));
  set->tree.entries = set->entries.items;
  set->tree.ranks = set->ranks.items;
  return ok;
}

static bool reserve_tree(rgBroad* broad, rgBroadSet* set, int count) {
  bool ok =
      reserve_set(broad, set, count) &&
      reserve(broad, &set->nodes, rg_tree_node_bound(set->entries.capacity), sizeof(rgTreeNode));
  set->tree.nodes = set->nodes.items;
  return ok;
}

// Room for one proxy more in every array that move and pairs may write. A tree has room for an
// eighth more than live in it: where proxies come and go, holes are closed, which goes through all
// entries, only once in so many of them.
static bool reserve_proxy(rgBroad* broad, bool moving) {
  int count = broad->live[0] + broad->live[1] + 1;
  return reserve(broad, &broad->proxies, broad->proxy_count + 1, sizeof(rgBroadProxy)) &&
         reserve(broad, &broad->users, count, sizeof(uint32_t)) &&
         reserve(broad, &broad->starts, count + RG_BROAD_BLOCKS, sizeof(int)) &&
         reserve(broad, &broad->cursors, count, sizeof(int)) &&
         reserve(broad, &broad->keys, count, sizeof(uint64_t)) &&
         reserve(broad, &broad->keys_other, count, sizeof(uint64_t)) &&
         reserve_tree(broad, &broad->sets[moving ? RG_BROAD_MOVING : RG_BROAD_FIXED],
                      broad->live[moving] + broad->live[moving] / 8 + 1) &&
         reserve_set(broad, &broad->sets[RG_BROAD_UNBOUNDED], count);
}

// NaN counts as unbounded: it overlaps nothing and must not reach the median search.
static int set_for(rgBounds bounds, bool moving) {
  if (!v3_finite(bounds.lower) || !v3_finite(bounds.upper))
    return RG_BROAD_UNBOUNDED;
  return moving ? RG_BROAD_MOVING : RG_BROAD_FIXED;
}

// Closes the holes. The order of the rest stays, so a tree that was good stays nearly so, but its
// nodes do not.
static void compact(rgBroad* broad, rgBroadSet* set) {
  rgTreeEntry* e = set->tree.entries;
  int kept = 0;
  for (int i = 0; i < set->tree.count; i++) {
    if (e[i].proxy < 0)
      continue;
    rg_broad_proxy(broad, e[i].proxy)->entry = kept;
    e[kept++] = e[i];
  }
  set->tree.count = kept;
  set->holes = 0;
  set->stale = true;
}

// Capacity is at least the number of proxies that may live here, so closing the holes always makes
// room.
static void enter_set(rgBroad* broad, int index, int wanted, rgBounds bounds) {
  rgBroadSet* set = &broad->sets[wanted];
  if (set->tree.count == set->entries.capacity)
    compact(broad, set);
  rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  proxy->set = (uint8_t)wanted;
  proxy->entry = set->tree.count;
  set->tree.entries[set->tree.count++] = (rgTreeEntry){bounds, index};
  set->stale = true;
  broad->ranks_stale = true;
}

static void leave_set(rgBroad* broad, int index) {
  rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  rgBroadSet* set = &broad->sets[proxy->set];
  set->tree.entries[proxy->entry] = (rgTreeEntry){rg_tree_empty_box(), -1};
  set->holes++;
  set->moved = true;
  if (2 * set->holes > set->tree.count)
    set->stale = true;
}

int rg_broad_add(rgBroad* broad, rgBounds bounds, bool moving, uint32_t user) {
  if (!reserve_proxy(broad, moving))
    return -1;
  int index = broad->free_proxy;
  if (index >= 0)
    broad->free_proxy = rg_broad_proxy(broad, index)->entry;
  else
    index = broad->proxy_count++;
  rg_broad_proxy(broad, index)->user = user;
  rg_broad_proxy(broad, index)->moving = moving;
  broad->live[moving]++;
  enter_set(broad, index, set_for(bounds, moving), bounds);
  return index;
}

void rg_broad_remove(rgBroad* broad, int index) {
  leave_set(broad, index);
  rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  broad->live[proxy->moving]--;
  broad->ranks_stale = true;
  proxy->set = RG_BROAD_NONE;
  proxy->entry = broad->free_proxy;
  broad->free_proxy = index;
}

bool rg_broad_try_move(rgBroad* broad, int index, rgBounds bounds) {
  rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  int wanted = set_for(bounds, proxy->moving);
  if (wanted != proxy->set)
    return false;
  broad->sets[wanted].tree.entries[proxy->entry].box = bounds;
  return true;
}

void rg_broad_note_moved(rgBroad* broad) {
  broad->sets[RG_BROAD_MOVING].moved = broad->sets[RG_BROAD_UNBOUNDED].moved = true;
}

void rg_broad_move(rgBroad* broad, int index, rgBounds bounds) {
  rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  if (rg_broad_try_move(broad, index, bounds)) {
    broad->sets[proxy->set].moved = true;
    return;
  }
  leave_set(broad, index);
  enter_set(broad, index, set_for(bounds, proxy->moving), bounds);
}

rgBounds rg_broad_bounds(const rgBroad* broad, int index) {
  const rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  return broad->sets[proxy->set].tree.entries[proxy->entry].box;
}

void rg_broad_prefetch(const rgBroad* broad, int index) {
  const rgBroadProxy* proxy = rg_broad_proxy(broad, index);
  const rgTreeEntry* entry = &broad->sets[proxy->set].tree.entries[proxy->entry];
  rg_prefetch(entry, sizeof *entry);
}

// --- Order ---------------------------------------------------------------------------------------

// Sorts `count` keys by their upper half, byte by byte; bytes that all keys share are skipped.
static uint64_t* sort_keys(uint64_t* keys, uint64_t* other, int count) {
  for (int bits = 32; bits < 64; bits += 8) {
    int start[257] = {0};
    for (int i = 0; i < count; i++)
      start[((keys[i] >> bits) & 255) + 1]++;
    if (start[((keys[0] >> bits) & 255) + 1] == count)
      continue;
    for (int d = 0; d < 256; d++)
      start[d + 1] += start[d];
    for (int i = 0; i < count; i++)
      other[start[(keys[i] >> bits) & 255]++] = keys[i];
    uint64_t* swap = keys;
    keys = other;
    other = swap;
  }
  return keys;
}

// Numbers the proxies in the order of their users.
static void update_ranks(rgBroad* broad) {
  uint64_t* keys = broad->keys.items;
  uint32_t* users = broad->users.items;
  int count = 0;
  for (int i = 0; i < broad->proxy_count; i++) {
    const rgBroadProxy* proxy = rg_broad_proxy(broad, i);
    if (proxy->set != RG_BROAD_NONE)
      keys[count++] = (uint64_t)proxy->user << 32 | (uint32_t)i;
  }
  if (count > 0)
    keys = sort_keys(keys, broad->keys_other.items, count);
  for (int i = 0; i < count; i++) {
    const rgBroadProxy* proxy = rg_broad_proxy(broad, (int)(uint32_t)keys[i]);
    users[i] = proxy->user;
    broad->sets[proxy->set].tree.ranks[proxy->entry] = (uint32_t)i;
  }
  broad->ranks_stale = false;
}

// --- Trees ---------------------------------------------------------------------------------------

static void rebuild(rgBroad* broad, int s) {
  rgTree* tree = &broad->sets[s].tree;
  rg_tree_build(tree);
  broad->ranks_stale = true; // entries have new places
  for (int i = 0; i < tree->count; i++)
    rg_broad_proxy(broad, tree->entries[i].proxy)->entry = i;
  if (s == RG_BROAD_MOVING)
    broad->fresh = true;
}

static void update_set(rgBroad* broad, int s) {
  rgBroadSet* set = &broad->sets[s];
  if (set->stale) {
    if (set->holes > 0)
      compact(broad, set);
    if (s != RG_BROAD_UNBOUNDED)
      rebuild(broad, s);
  } else if (set->moved && s != RG_BROAD_UNBOUNDED) {
    rg_tree_refit(&set->tree);
  }
  set->stale = set->moved = false;
}

void rg_broad_update(rgBroad* broad) {
  for (int s = 0; s < RG_BROAD_COUNT; s++)
    update_set(broad, s);
  if (broad->ranks_stale)
    update_ranks(broad);
}

typedef struct Query {
  const rgBroad* broad;
  const rgTree* tree;
  rgBroadVisit* visit;
  void* context;
} Query;

static void report(void* context, int entry) {
  const Query* q = context;
  q->visit(q->context, rg_broad_proxy(q->broad, q->tree->entries[entry].proxy)->user);
}

void rg_broad_query(rgBroad* broad, rgBounds box, rgBroadVisit* visit, void* context) {
  rg_broad_update(broad);
  for (int s = RG_BROAD_MOVING; s <= RG_BROAD_FIXED; s++) {
    Query q = {broad, &broad->sets[s].tree, visit, context};
    rg_tree_query(q.tree, box, report, &q);
  }
  const rgTree* list = &broad->sets[RG_BROAD_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++)
    if (list->entries[i].proxy >= 0 && bounds_overlap(list->entries[i].box, box))
      visit(context, rg_broad_proxy(broad, list->entries[i].proxy)->user);
}

void rg_broad_ray(rgBroad* broad, const rgRay* ray, const double* limit, rgBroadVisit* visit,
                  void* context) {
  rg_broad_update(broad);
  const rgTree* list = &broad->sets[RG_BROAD_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++)
    if (list->entries[i].proxy >= 0)
      visit(context, rg_broad_proxy(broad, list->entries[i].proxy)->user);
  for (int s = RG_BROAD_MOVING; s <= RG_BROAD_FIXED; s++) {
    Query q = {broad, &broad->sets[s].tree, visit, context};
    rg_tree_ray(q.tree, ray, limit, report, &q);
  }
}
