// broad_pairs.c - finding the pairs of boxes that overlap, and putting them into their order.
//
// Order: pairs are found as ranks among the sorted user values, distributed by their first member, and each short run is
// sorted by its second: p.
//
// Threads: the descent of the moving tree begins with pairs of nodes of one level, of which each thread takes some. It
// writes what it finds into pieces of a common room, which are then distributed to blocks of ranks, and each block is
// sorted by itself. No two pairs are equal, so that the order does not depend on who has found them.
#include "base/task.h"
#include "collide/broad/broad_state.h"

// Visits of a descent that take as long as one entry takes on one level of a rebuild: measured.
static const double REBUILD_COST = 0.75;

enum { SORT_SMALL = 2048 }; // ranks that are sorted in one go

// --- Order ---------------------------------------------------------------------------------------

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

// Pairs whose first members are `ranks` ranks from `first` on, in block `block`: by first member, then each short run
// by the second; then ranks become users.
static void sort_block(const rgBroad* broad, rgBroadPair* pairs, int count, int block, int first,
                       int ranks) {
  int *start = (int*)broad->starts.items + first + block,
      *cursor = (int*)broad->cursors.items + first;
  const uint32_t* users = broad->users.items;
  distribute(pairs, count, 0, first, ranks, start, cursor);
  for (int k = 0; k < ranks; k++)
    sort_run(pairs + start[k], start[k + 1] - start[k]);
  for (int i = 0; i < count; i++)
    pairs[i] = (rgBroadPair){users[pairs[i].a], users[pairs[i].b]};
}

// Large sets are first cut into blocks of ranks, so that the rest of the work stays within the
// cache.
typedef struct Blocks {
  int ranks, bits, count;
  int start[RG_BROAD_BLOCKS + 1]; // of their pairs
} Blocks;

static Blocks cut_blocks(const rgBroad* broad) {
  Blocks blocks = {.ranks = broad->live[0] + broad->live[1]};
  int most = blocks.ranks > SORT_SMALL ? RG_BROAD_BLOCKS : 1;
  while ((blocks.ranks - 1) >> blocks.bits >= most)
    blocks.bits++;
  blocks.count = ((blocks.ranks - 1) >> blocks.bits) + 1;
  return blocks;
}

static void sort_in_block(const rgBroad* broad, rgBroadPair* pairs, const Blocks* blocks, int k) {
  int first = k << blocks->bits, most = 1 << blocks->bits, left = blocks->ranks - first;
  sort_block(broad, pairs + blocks->start[k], blocks->start[k + 1] - blocks->start[k], k, first,
             left < most ? left : most);
}

static void sort_pairs(const rgBroad* broad, rgBroadPair* pairs, int count) {
  Blocks blocks = cut_blocks(broad);
  int cursor[RG_BROAD_BLOCKS];
  blocks.start[1] = count;
  if (blocks.count > 1)
    distribute(pairs, count, blocks.bits, 0, blocks.count, blocks.start, cursor);
  for (int k = 0; k < blocks.count; k++)
    sort_in_block(broad, pairs, &blocks, k);
}

// --- Pairs ---------------------------------------------------------------------------------------

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
  const rgTree* list = &broad->sets[RG_BROAD_UNBOUNDED].tree;
  for (int i = 0; i < list->count; i++) {
    const rgTreeEntry* e = &list->entries[i];
    if (e->proxy < 0)
      continue;
    bool moving = rg_broad_proxy(broad, e->proxy)->moving;
    for (int s = RG_BROAD_MOVING; s <= (moving ? RG_BROAD_FIXED : RG_BROAD_MOVING); s++) {
      Unbounded u = {&broad->sets[s].tree, list->ranks[i], out};
      rg_tree_query(u.tree, e->box, collect_one, &u);
    }
    for (int j = i + 1; j < list->count; j++) {
      const rgTreeEntry* other = &list->entries[j];
      if (other->proxy < 0 || !(moving || rg_broad_proxy(broad, other->proxy)->moving))
        continue;
      if (bounds_overlap(e->box, other->box))
        rg_tree_emit(out, list->ranks[i], list->ranks[j]);
    }
  }
}

// Books the work of one descent and decides whether the trees have worn out.
static void account(rgBroad* broad, long long visits, int pair_count) {
  rgBroadSet* set = &broad->sets[RG_BROAD_MOVING];
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

static void begin_pairs(rgBroad* broad) {
  if (broad->worn)
    broad->sets[RG_BROAD_MOVING].stale = true;
  broad->worn = false;
  rg_broad_update(broad);
}

int rg_broad_pairs(rgBroad* broad, rgBroadPair* pairs, int capacity) {
  begin_pairs(broad);
  rgTreePairs found = {.items = pairs, .capacity = capacity};
  rgTree* moving = &broad->sets[RG_BROAD_MOVING].tree;
  long long before = moving->visits;
  rg_tree_self_pairs(moving, &found);
  rg_tree_cross_pairs(moving, &broad->sets[RG_BROAD_FIXED].tree, &found);
  account(broad, moving->visits - before, found.count + found.lost);
  collect_unbounded(broad, &found);
  if (found.count > 0 && found.lost == 0)
    sort_pairs(broad, pairs, found.count);
  return found.count + found.lost;
}

// --- Pairs by several threads ----------------------------------------------------------------------

// Entries from which on it is worth it, pairs of nodes at which threads begin, and how many a thread takes at a time.
enum { SHARED_LEAST = 2048, SEEDS = 4096, SEEDS_PER_TASK = 16, PARTS = 16 };
static const uint32_t NOBODY = UINT32_MAX; // the first member of what is no pair

// The common room, its pairs in parts, and the blocks that they go to.
typedef struct Shared {
  rgBroad* broad;
  rgBroadPair* pairs;
  rgTreeRoom room;
  rgBroadPair seeds[SEEDS];
  int seed_count, seed_level;
  struct {
    _Alignas(64) rgTreePairs found;
    long long visits;
  } worker[RG_TASK_THREADS];
  Blocks blocks;
  int used; // of the room
  int place[PARTS][RG_BROAD_BLOCKS];
} Shared;

// The first task has what does not come from the moving tree alone.
static void find_some(void* context, int item, int worker) {
  Shared* shared = context;
  rgTree* moving = &shared->broad->sets[RG_BROAD_MOVING].tree;
  rgTreePairs* found = &shared->worker[worker].found;
  if (item == 0) {
    rg_tree_cross_pairs(moving, &shared->broad->sets[RG_BROAD_FIXED].tree, found);
    collect_unbounded(shared->broad, found);
    return;
  }
  int first = (item - 1) * SEEDS_PER_TASK, end = first + SEEDS_PER_TASK;
  for (int i = first; i < end && i < shared->seed_count; i++)
    shared->worker[worker].visits +=
        rg_tree_seed_pairs(moving, shared->seed_level, shared->seeds[i], found);
}

static int part_bound(const Shared* shared, int part) {
  return (int)((int64_t)shared->used * part / PARTS);
}

// How many of a part go to each block.
static void count_part(void* context, int part, int worker) {
  (void)worker;
  Shared* shared = context;
  int* count = shared->place[part];
  for (int k = 0; k < shared->blocks.count; k++)
    count[k] = 0;
  for (int i = part_bound(shared, part); i < part_bound(shared, part + 1); i++)
    if (shared->room.items[i].a != NOBODY)
      count[shared->room.items[i].a >> shared->blocks.bits]++;
}

static void place_part(void* context, int part, int worker) {
  (void)worker;
  Shared* shared = context;
  for (int i = part_bound(shared, part); i < part_bound(shared, part + 1); i++)
    if (shared->room.items[i].a != NOBODY)
      shared->pairs[shared->place[part][shared->room.items[i].a >> shared->blocks.bits]++] =
          shared->room.items[i];
}

static void sort_some(void* context, int block, int worker) {
  (void)worker;
  const Shared* shared = context;
  sort_in_block(shared->broad, shared->pairs, &shared->blocks, block);
}

static void sort_shared(Shared* shared, rgTasks* tasks) {
  int total = 0;
  shared->blocks = cut_blocks(shared->broad);
  rg_tasks_run(tasks, PARTS, count_part, shared);
  for (int k = 0; k < shared->blocks.count; k++) {
    shared->blocks.start[k] = total;
    for (int part = 0; part < PARTS; part++) {
      int count = shared->place[part][k];
      shared->place[part][k] = total;
      total += count;
    }
  }
  shared->blocks.start[shared->blocks.count] = total;
  rg_tasks_run(tasks, PARTS, place_part, shared);
  rg_tasks_run(tasks, shared->blocks.count, sort_some, shared);
}

bool rg_broad_shares(const rgBroad* broad, const rgTasks* tasks) {
  return rg_tasks_threads(tasks) > 1 && broad->sets[RG_BROAD_MOVING].tree.count >= SHARED_LEAST;
}

int rg_broad_room(const rgTasks* tasks, int pairs) {
  return pairs + RG_TREE_PIECE * rg_tasks_threads(tasks);
}

// What no thread has written in the pieces of the room is marked.
static int end_pieces(Shared* shared, int threads, long long* visits, int* lost) {
  int count = 0;
  for (int k = 0; k < threads; k++) {
    rgTreePairs* found = &shared->worker[k].found;
    for (int i = found->count; i < found->capacity; i++)
      found->items[i].a = NOBODY;
    count += found->before + found->count;
    *lost += found->lost;
    *visits += shared->worker[k].visits;
  }
  return count;
}

int rg_broad_pairs_shared(rgBroad* broad, rgTasks* tasks, rgBroadPair* pairs, rgBroadPair* room,
                          int capacity) {
  Shared shared;
  int threads = rg_tasks_threads(tasks), lost = 0;
  begin_pairs(broad);
  rgTree* moving = &broad->sets[RG_BROAD_MOVING].tree;
  long long visits = -moving->visits;
  shared.broad = broad;
  shared.pairs = pairs;
  shared.room = (rgTreeRoom){.items = room, .capacity = capacity};
  for (int k = 0; k < threads; k++) {
    shared.worker[k].found = (rgTreePairs){.room = &shared.room};
    shared.worker[k].visits = 0;
  }
  shared.seed_count = rg_tree_seeds(moving, shared.seeds, SEEDS, &shared.seed_level);
  int tasks_of_seeds = (shared.seed_count + SEEDS_PER_TASK - 1) / SEEDS_PER_TASK;
  rg_tasks_run(tasks, 1 + tasks_of_seeds, find_some, &shared);
  visits += moving->visits;
  int count = end_pieces(&shared, threads, &visits, &lost);
  account(broad, visits, count + lost);
  shared.used = shared.room.used;
  if (lost == 0 && count > 0)
    sort_shared(&shared, tasks);
  return lost > 0 ? capacity + lost : count;
}
