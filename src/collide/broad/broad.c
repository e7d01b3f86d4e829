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
// Order: pairs are found as ranks among the sorted user values, distributed in place by their first
// member, and each short run sorted by its second: p.
//
// Cost: n log n + p. Memory: about 230 bytes per proxy, all of it reserved when proxies are added.
#include "collide/broad/broad.h"

#include "base/memory.h"
#include "base/prefetch.h"
#include "collide/broad/tree.h"

enum { SET_MOVING, SET_FIXED, SET_UNBOUNDED, SET_COUNT, SET_NONE };

// Visits of a descent that take as long as one entry takes on one level of a rebuild: measured.
static const double REBUILD_COST = 0.75;

// Ranks that are sorted in one go, and blocks into which larger sets are cut.
enum { SORT_SMALL = 2048, SORT_BLOCKS = 256 };

typedef struct Proxy {
  uint32_t user;
  int32_t entry; // entry in its set, or the next free proxy
  uint8_t set;
  bool moving;
} Proxy;

// An array with its capacity; grows only in rg_broad_add.
typedef struct Array {
  void* items;
  int capacity;
} Array;

typedef struct Set {
  rgTree tree;                 // uses the arrays below
  Array entries, nodes, ranks; // rgTreeEntry, rgTreeNode, uint32_t
  int holes;                   // entries that were removed
  bool moved;                  // boxes are newer than the nodes
  bool stale;                  // entries are newer than the tree
} Set;

struct rgBroad {
  rgAllocator allocator;
  Array proxies;          // Proxy
  Array users;            // uint32_t: user value by rank
  Array starts, cursors;  // int, live + 1 and live: runs of pairs with the same first member
  Array keys, keys_other; // uint64_t: user and proxy, for sorting the users
  int proxy_count;        // includes free ones
  int live[2];            // fixed, moving
  int free_proxy;         // head of the list of free ones, -1 at its end
  Set sets[SET_COUNT];
  bool ranks_stale;
  bool worn;         // the next rg_broad_pairs rebuilds the moving tree
  bool fresh;        // the moving tree was rebuilt and has not been descended since
  double fresh_rate; // visits per proxy and pair of the fresh tree
  double excess;     // visits wasted since then
};

rgBroad* rg_broad_create(const rgAllocator* allocator) {
  rgBroad* broad = rg_allocate(allocator, sizeof *broad);
  if (!broad)
    return NULL;
  broad->allocator = *allocator;
  broad->free_proxy = -1;
  return broad;
}

static void release_array(rgBroad* broad, Array* array, size_t item_size) {
  rg_release(&broad->allocator, array->items, (size_t)array->capacity * item_size);
}

void rg_broad_destroy(rgBroad* broad) {
  if (!broad)
    return;
  for (int s = 0; s < SET_COUNT; s++) {
    release_array(broad, &broad->sets[s].entries, sizeof(rgTreeEntry));
    release_array(broad, &broad->sets[s].nodes, sizeof(rgTreeNode));
    release_array(broad, &broad->sets[s].ranks, sizeof(uint32_t));
  }
  release_array(broad, &broad->proxies, sizeof(Proxy));
  release_array(broad, &broad->users, sizeof(uint32_t));
  release_array(broad, &broad->starts, sizeof(int));
  release_array(broad, &broad->cursors, sizeof(int));
  release_array(broad, &broad->keys, sizeof(uint64_t));
  release_array(broad, &broad->keys_other, sizeof(uint64_t));
  rgAllocator allocator = broad->allocator;
  rg_release(&allocator, broad, sizeof *broad);
}

// --- Members -------------------------------------------------------------------------------------

static bool reserve(rgBroad* broad, Array* array, int count, size_t item_size) {
  return rg_reserve(&broad->allocator, &array->items, &array->capacity, count, item_size);
}

static bool reserve_set(rgBroad* broad, Set* set, int count) {
  bool ok = reserve(broad, &set->entries, count, sizeof(rgTreeEntry)) &&
            reserve(broad, &set->ranks, set->entries.capacity, sizeof(uint32_t));
  set->tree.entries = set->entries.items;
  set->tree.ranks = set->ranks.items;
  return ok;
}

static bool reserve_tree(rgBroad* broad, Set* set, int count) {
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
  return reserve(broad, &broad->proxies, broad->proxy_count + 1, sizeof(Proxy)) &&
         reserve(broad, &broad->users, count, sizeof(uint32_t)) &&
         reserve(broad, &broad->starts, count + 1, sizeof(int)) &&
         reserve(broad, &broad->cursors, count, sizeof(int)) &&
         reserve(broad, &broad->keys, count, sizeof(uint64_t)) &&
         reserve(broad, &broad->keys_other, count, sizeof(uint64_t)) &&
         reserve_tree(broad, &broad->sets[moving ? SET_MOVING : SET_FIXED],
                      broad->live[moving] + broad->live[moving] / 8 + 1) &&
         reserve_set(broad, &broad->sets[SET_UNBOUNDED], count);
}

static Proxy* proxy_at(const rgBroad* broad, int index) {
  return (Proxy*)broad->proxies.items + index;
}

// NaN counts as unbounded: it overlaps nothing and must not reach the median search.
static int set_for(rgBounds bounds, bool moving) {
  if (!v3_finite(bounds.lower) || !v3_finite(bounds.upper))
    return SET_UNBOUNDED;
  return moving ? SET_MOVING : SET_FIXED;
}

// Closes the holes. The order of the rest stays, so a tree that was good stays nearly so, but its
// nodes do not.
static void compact(rgBroad* broad, Set* set) {
  rgTreeEntry* e = set->tree.entries;
  int kept = 0;
  for (int i = 0; i < set->tree.count; i++) {
    if (e[i].proxy < 0)
      continue;
    proxy_at(broad, e[i].proxy)->entry = kept;
    e[kept++] = e[i];
  }
  set->tree.count = kept;
  set->holes = 0;
  set->stale = true;
}

// Capacity is at least the number of proxies that may live here, so closing the holes always makes
// room.
static void enter_set(rgBroad* broad, int index, int wanted, rgBounds bounds) {
  Set* set = &broad->sets[wanted];
  if (set->tree.count == set->entries.capacity)
    compact(broad, set);
  Proxy* proxy = proxy_at(broad, index);
  proxy->set = (uint8_t)wanted;
  proxy->entry = set->tree.count;
  set->tree.entries[set->tree.count++] = (rgTreeEntry){bounds, index};
  set->stale = true;
  broad->ranks_stale = true;
}

static void leave_set(rgBroad* broad, int index) {
  Proxy* proxy = proxy_at(broad, index);
  Set* set = &broad->sets[proxy->set];
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
    broad->free_proxy = proxy_at(broad, index)->entry;
  else
    index = broad->proxy_count++;
  proxy_at(broad, index)->user = user;
  proxy_at(broad, index)->moving = moving;
  broad->live[moving]++;
  enter_set(broad, index, set_for(bounds, moving), bounds);
  return index;
}

void rg_broad_remove(rgBroad* broad, int index) {
  leave_set(broad, index);
  Proxy* proxy = proxy_at(broad, index);
  broad->live[proxy->moving]--;
  broad->ranks_stale = true;
  proxy->set = SET_NONE;
  proxy->entry = broad->free_proxy;
  broad->free_proxy = index;
}

bool rg_broad_try_move(rgBroad* broad, int index, rgBounds bounds) {
  Proxy* proxy = proxy_at(broad, index);
  int wanted = set_for(bounds, proxy->moving);
  if (wanted != proxy->set)
    return false;
  broad->sets[wanted].tree.entries[proxy->entry].box = bounds;
  return true;
}

void rg_broad_note_moved(rgBroad* broad) {
  broad->sets[SET_MOVING].moved = broad->sets[SET_UNBOUNDED].moved = true;
}

void rg_broad_move(rgBroad* broad, int index, rgBounds bounds) {
  Proxy* proxy = proxy_at(broad, index);
  if (rg_broad_try_move(broad, index, bounds)) {
    broad->sets[proxy->set].moved = true;
    return;
  }
  leave_set(broad, index);
  enter_set(broad, index, set_for(bounds, proxy->moving), bounds);
}

rgBounds rg_broad_bounds(const rgBroad* broad, int index) {
  const Proxy* proxy = proxy_at(broad, index);
  return broad->sets[proxy->set].tree.entries[proxy->entry].box;
}

void rg_broad_prefetch(const rgBroad* broad, int index) {
  const Proxy* proxy = proxy_at(broad, index);
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
    const Proxy* proxy = proxy_at(broad, i);
    if (proxy->set != SET_NONE)
      keys[count++] = (uint64_t)proxy->user << 32 | (uint32_t)i;
  }
  if (count > 0)
    keys = sort_keys(keys, broad->keys_other.items, count);
  for (int i = 0; i < count; i++) {
    const Proxy* proxy = proxy_at(broad, (int)(uint32_t)keys[i]);
    users[i] = proxy->user;
    broad->sets[proxy->set].tree.ranks[proxy->entry] = (uint32_t)i;
  }
  broad->ranks_stale = false;
}

// Puts pairs in the order of bucket (a >> bits) - first, in place: each pair is carried to the
// next free place of its bucket, and the one found there is carried on. Afterwards bucket k is
// [start[k], start[k + 1]).
static void distribute(rgBroadPair* pairs, int count, int bits, int first, int buckets, int* start,
                       int* cursor) {
  for (int k = 0; k <= buckets; k++)
    start[k] = 0;
  for (int i = 0; i < count; i++)
    start[(int)(pairs[i].a >> bits) - first + 1]++;
  for (int k = 0; k < buckets; k++) {
    cursor[k] = start[k];
    start[k + 1] += start[k];
  }
  for (int k = 0; k < buckets; k++) {
    while (cursor[k] < start[k + 1]) {
      rgBroadPair p = pairs[cursor[k]];
      for (int to = (int)(p.a >> bits) - first; to != k; to = (int)(p.a >> bits) - first) {
        rgBroadPair displaced = pairs[cursor[to]];
        pairs[cursor[to]++] = p;
        p = displaced;
      }
      pairs[cursor[k]++] = p;
    }
  }
}

static void sort_run(rgBroadPair* run, int count) {
  for (int i = 1; i < count; i++) {
    rgBroadPair p = run[i];
    int j = i;
    for (; j > 0 && run[j - 1].b > p.b; j--)
      run[j] = run[j - 1];
    run[j] = p;
  }
}

// Pairs whose first members are `ranks` ranks from `first` on: by first member, then each short run
// by the second; then ranks become users.
static void sort_block(rgBroad* broad, rgBroadPair* pairs, int count, int first, int ranks) {
  int* start = broad->starts.items;
  const uint32_t* users = broad->users.items;
  distribute(pairs, count, 0, first, ranks, start, broad->cursors.items);
  for (int k = 0; k < ranks; k++)
    sort_run(pairs + start[k], start[k + 1] - start[k]);
  for (int i = 0; i < count; i++)
    pairs[i] = (rgBroadPair){users[pairs[i].a], users[pairs[i].b]};
}

// Large sets are first cut into blocks of ranks, so that the rest of the work stays within the
// cache.
static void sort_pairs(rgBroad* broad, rgBroadPair* pairs, int count) {
  int ranks = broad->live[0] + broad->live[1], bits = 0;
  while (ranks >> bits > SORT_BLOCKS)
    bits++;
  if (ranks <= SORT_SMALL) {
    sort_block(broad, pairs, count, 0, ranks);
    return;
  }
  int start[SORT_BLOCKS + 2], cursor[SORT_BLOCKS + 1], blocks = ((ranks - 1) >> bits) + 1;
  distribute(pairs, count, bits, 0, blocks, start, cursor);
  for (int k = 0; k < blocks; k++) {
    int first = k << bits, last = ranks - first < 1 << bits ? ranks : first + (1 << bits);
    sort_block(broad, pairs + start[k], start[k + 1] - start[k], first, last - first);
  }
}

// --- Pairs ---------------------------------------------------------------------------------------

static void rebuild(rgBroad* broad, int s) {
  rgTree* tree = &broad->sets[s].tree;
  rg_tree_build(tree);
  broad->ranks_stale = true; // entries have new places
  for (int i = 0; i < tree->count; i++)
    proxy_at(broad, tree->entries[i].proxy)->entry = i;
  if (s == SET_MOVING)
    broad->fresh = true;
}

static void update_set(rgBroad* broad, int s) {
  Set* set = &broad->sets[s];
  if (set->stale) {
    if (set->holes > 0)
      compact(broad, set);
    if (s != SET_UNBOUNDED)
      rebuild(broad, s);
  } else if (set->moved && s != SET_UNBOUNDED) {
    rg_tree_refit(&set->tree);
  }
  set->stale = set->moved = false;
}

static void update(rgBroad* broad) {
  for (int s = 0; s < SET_COUNT; s++)
    update_set(broad, s);
  if (broad->ranks_stale)
    update_ranks(broad);
}

typedef struct Unbounded {
  const rgTree* tree;
  uint32_t rank;
  rgTreePairs* out;
} Unbounded;

static void collect_one(void* context, int entry) {
  const Unbounded* u = context;
  rg_tree_emit(u->out, u->rank, u->tree->ranks[entry]);
}

// Unbounded proxies against everything: each pair of two of them once.
static void collect_unbounded(rgBroad* broad, rgTreePairs* out) {
  const rgTree* list = &broad->sets[SET_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++) {
    const rgTreeEntry* e = &list->entries[i];
    if (e->proxy < 0)
      continue;
    bool moving = proxy_at(broad, e->proxy)->moving;
    for (int s = SET_MOVING; s <= (moving ? SET_FIXED : SET_MOVING); s++) {
      Unbounded u = {&broad->sets[s].tree, list->ranks[i], out};
      rg_tree_query(u.tree, e->box, collect_one, &u);
    }
    for (int j = i + 1; j < list->count; j++) {
      const rgTreeEntry* other = &list->entries[j];
      if (other->proxy < 0 || !(moving || proxy_at(broad, other->proxy)->moving))
        continue;
      if (bounds_overlap(e->box, other->box))
        rg_tree_emit(out, list->ranks[i], list->ranks[j]);
    }
  }
}

// Books the work of one descent and decides whether the trees have worn out.
static void account(rgBroad* broad, long long visits, int pair_count) {
  Set* set = &broad->sets[SET_MOVING];
  double n = set->tree.count, size = n + pair_count;
  if (broad->fresh) {
    broad->fresh = false;
    broad->fresh_rate = size > 0 ? (double)visits / size : 0;
    broad->excess = 0;
    return;
  }
  double wasted = (double)visits - broad->fresh_rate * size;
  if (wasted > 0)
    broad->excess += wasted;
  if (broad->excess > REBUILD_COST * n * set->tree.level_count)
    broad->worn = true;
}

int rg_broad_pairs(rgBroad* broad, rgBroadPair* pairs, int capacity) {
  if (broad->worn)
    broad->sets[SET_MOVING].stale = true;
  broad->worn = false;
  update(broad);
  rgTreePairs found = {pairs, 0, capacity};
  rgTree* moving = &broad->sets[SET_MOVING].tree;
  long long before = moving->visits;
  rg_tree_self_pairs(moving, &found);
  rg_tree_cross_pairs(moving, &broad->sets[SET_FIXED].tree, &found);
  account(broad, moving->visits - before, found.count);
  collect_unbounded(broad, &found);
  if (found.count > 0 && found.count <= capacity)
    sort_pairs(broad, pairs, found.count);
  return found.count;
}

typedef struct Query {
  const rgBroad* broad;
  const rgTree* tree;
  rgBroadVisit* visit;
  void* context;
} Query;

static void report(void* context, int entry) {
  const Query* q = context;
  q->visit(q->context, proxy_at(q->broad, q->tree->entries[entry].proxy)->user);
}

void rg_broad_query(rgBroad* broad, rgBounds box, rgBroadVisit* visit, void* context) {
  update(broad);
  for (int s = SET_MOVING; s <= SET_FIXED; s++) {
    Query q = {broad, &broad->sets[s].tree, visit, context};
    rg_tree_query(q.tree, box, report, &q);
  }
  const rgTree* list = &broad->sets[SET_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++)
    if (list->entries[i].proxy >= 0 && bounds_overlap(list->entries[i].box, box))
      visit(context, proxy_at(broad, list->entries[i].proxy)->user);
}

void rg_broad_ray(rgBroad* broad, const rgRay* ray, const double* limit, rgBroadVisit* visit,
                  void* context) {
  update(broad);
  const rgTree* list = &broad->sets[SET_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++)
    if (list->entries[i].proxy >= 0)
      visit(context, proxy_at(broad, list->entries[i].proxy)->user);
  for (int s = SET_MOVING; s <= SET_FIXED; s++) {
    Query q = {broad, &broad->sets[s].tree, visit, context};
    rg_tree_ray(q.tree, ray, limit, report, &q);
  }
}
