// Broad phase: the pairs are those of the brute force, in order, whatever happened before.
#include "support/random.h"
#include "test.h"

#include "base/memory.h"
#include "collide/broad/broad.h"

enum { MOST = 600, PAIRS = 40000 };

static int random_index(int count) { return (int)(random_unit() * count); }

static rgBounds random_box(double world, double size) {
  rgVec3 c = v3(random_between(0, world), random_between(0, world), random_between(0, world));
  rgVec3 h = v3(random_between(0, size), random_between(0, size), random_between(0, size));
  return (rgBounds){v3_sub(c, h), v3_add(c, h)};
}

static rgBounds random_bounds(double world) {
  double kind = random_unit();
  if (kind < 0.02) { // a half-space: unbounded on five sides, or on all six when it is tilted
    double top = kind < 0.01 ? HUGE_VAL : random_between(0, 1);
    rgBounds b = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, top}};
    return b;
  }
  return random_box(world, kind < 0.1 ? 0.3 * world : 0.04 * world);
}

// What the broad phase should know, kept plainly.
typedef struct Model {
  rgBounds bounds[MOST];
  int proxy[MOST];
  bool moving[MOST], used[MOST];
} Model;

static uint32_t user_of(int i) {
  return (uint32_t)i * 2654435761u;
} // a permutation, far from dense

static int compare_pairs(const void* x, const void* y) {
  const rgBroadPair *a = x, *b = y;
  if (a->a != b->a)
    return a->a < b->a ? -1 : 1;
  return a->b < b->b ? -1 : a->b > b->b;
}

static int brute_force(const Model* m, rgBroadPair* pairs) {
  int count = 0;
  for (int i = 0; i < MOST; i++)
    for (int j = i + 1; j < MOST; j++) {
      if (!m->used[i] || !m->used[j] || !(m->moving[i] || m->moving[j]))
        continue;
      if (!bounds_overlap(m->bounds[i], m->bounds[j]))
        continue;
      uint32_t a = user_of(i), b = user_of(j);
      pairs[count++] = (rgBroadPair){a < b ? a : b, a < b ? b : a};
    }
  qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
  return count;
}

static bool is_bounded(rgBounds b) { return isfinite(b.lower.x) && isfinite(b.upper.x); }

static bool same_bounds(rgBounds a, rgBounds b) { return memcmp(&a, &b, sizeof a) == 0; }

// As threads do it: what comes to be bounded, or does so no more, is refused and stays as it was.
static void move_side_by_side(rgBroad* broad, int proxy, rgBounds bounds) {
  rgBounds before = rg_broad_bounds(broad, proxy);
  bool moved = rg_broad_try_move(broad, proxy, bounds);
  CHECK_INT(moved, is_bounded(before) == is_bounded(bounds));
  CHECK(same_bounds(rg_broad_bounds(broad, proxy), moved ? bounds : before));
  rg_broad_note_moved(broad);
  if (!moved)
    rg_broad_move(broad, proxy, bounds);
}

static void change(rgBroad* broad, Model* m, int i, double world) {
  if (!m->used[i]) {
    m->bounds[i] = random_bounds(world);
    m->moving[i] = random_unit() < 0.7;
    m->proxy[i] = rg_broad_add(broad, m->bounds[i], m->moving[i], user_of(i));
    m->used[i] = true;
    CHECK(m->proxy[i] >= 0);
  } else if (random_unit() < 0.2) {
    rg_broad_remove(broad, m->proxy[i]);
    m->used[i] = false;
  } else {
    m->bounds[i] = random_bounds(world);
    if (m->moving[i] && random_unit() < 0.5)
      move_side_by_side(broad, m->proxy[i], m->bounds[i]);
    else
      rg_broad_move(broad, m->proxy[i], m->bounds[i]);
  }
}

static rgBroadPair found[PAIRS], expected[PAIRS];

static void check_pairs(rgBroad* broad, const Model* m) {
  int count = rg_broad_pairs(broad, found, PAIRS);
  int truth = brute_force(m, expected);
  REQUIRE_INT(count, truth);
  CHECK(memcmp(found, expected, (size_t)count * sizeof *found) == 0);
}

TEST(pairs_equal_brute_force_under_random_changes) {
  static Model m;
  memset(&m, 0, sizeof m);
  random_state = 1;
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  REQUIRE(broad != NULL);
  for (int trial = 0; trial < 300; trial++) {
    CONTEXT("trial %d", trial);
    int changes = trial % 7 == 0 ? MOST : random_index(50);
    for (int k = 0; k < changes; k++)
      change(broad, &m, random_index(MOST), 1);
    check_pairs(broad, &m);
  }
  rg_broad_destroy(broad);
}

// Motion alone, far enough for the tree to wear out many times over.
TEST(pairs_stay_exact_while_the_tree_wears) {
  static Model m;
  memset(&m, 0, sizeof m);
  random_state = 2;
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  for (int i = 0; i < MOST; i++) {
    m.bounds[i] = random_box(1, 0.03);
    m.moving[i] = m.used[i] = true;
    m.proxy[i] = rg_broad_add(broad, m.bounds[i], true, user_of(i));
  }
  for (int trial = 0; trial < 200; trial++) {
    for (int i = 0; i < MOST; i++) {
      rgVec3 d =
          v3(random_between(-0.05, 0.05), random_between(-0.05, 0.05), random_between(-0.05, 0.05));
      m.bounds[i] = (rgBounds){v3_add(m.bounds[i].lower, d), v3_add(m.bounds[i].upper, d)};
      rg_broad_move(broad, m.proxy[i], m.bounds[i]);
    }
    check_pairs(broad, &m);
  }
  rg_broad_destroy(broad);
}

TEST(boxes_that_only_touch_are_a_pair) {
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  rg_broad_add(broad, (rgBounds){{0, 0, 0}, {1, 1, 1}}, true, 7);
  rg_broad_add(broad, (rgBounds){{1, 1, 1}, {2, 2, 2}}, false, 3);
  rg_broad_add(broad, (rgBounds){{2.0000001, 1, 1}, {3, 2, 2}}, true, 4);
  rgBroadPair pairs[4];
  REQUIRE_INT(rg_broad_pairs(broad, pairs, 4), 1);
  CHECK_INT(pairs[0].a, 3);
  CHECK_INT(pairs[0].b, 7);
  rg_broad_destroy(broad);
}

TEST(too_little_room_gives_the_number_needed) {
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  for (uint32_t i = 0; i < 10; i++)
    rg_broad_add(broad, (rgBounds){{0, 0, 0}, {1, 1, 1}}, true, i);
  CHECK_INT(rg_broad_pairs(broad, NULL, 0), 45);
  rgBroadPair pairs[45];
  CHECK_INT(rg_broad_pairs(broad, pairs, 45), 45);
  CHECK_INT(pairs[44].a, 8);
  CHECK_INT(pairs[44].b, 9);
  rg_broad_destroy(broad);
}

// The same pairs in the same order, and with too little room the same answer as from one thread.
static void check_shared(rgBroad* broad, int threads) {
  CONTEXT("%d threads", threads);
  static rgBroadPair room[PAIRS];
  rgAllocator heap = rg_allocator_default();
  rgTasks* tasks = rg_tasks_create(&heap, threads);
  int truth = rg_broad_pairs(broad, expected, PAIRS), most = rg_broad_room(tasks, truth);
  REQUIRE(truth > 0 && most <= PAIRS);
  CHECK(rg_broad_pairs_shared(broad, tasks, NULL, NULL, 0) >= truth);
  CHECK(rg_broad_pairs_shared(broad, tasks, found, room, truth / 2) > truth / 2);
  memset(found, 0, sizeof found);
  REQUIRE_INT(rg_broad_pairs_shared(broad, tasks, found, room, most), truth);
  CHECK(memcmp(found, expected, (size_t)truth * sizeof *found) == 0);
  rg_tasks_destroy(tasks, &heap);
}

TEST(threads_find_the_pairs_of_one) {
  enum { MANY = 6000 };
  static int proxies[MANY];
  random_state = 5;
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  rgTasks* two = rg_tasks_create(&heap, 2);
  for (int i = 0; i < MANY; i++) {
    proxies[i] = rg_broad_add(broad, i % 500 ? random_box(1, 0.02) : random_bounds(1), i % 5 != 0,
                              user_of(i));
    if (i == 1500)
      for (int threads = 2; threads <= 7; threads++)
        check_shared(broad, threads);
    CHECK(i > 2000 || !rg_broad_shares(broad, two));
  }
  CHECK(rg_broad_shares(broad, two));
  for (int trial = 0; trial < 10; trial++) {
    for (int i = trial; i < MANY; i += 2)
      rg_broad_move(broad, proxies[i], random_box(1, 0.02));
    check_shared(broad, 2 + trial % 6);
  }
  rg_tasks_destroy(two, &heap);
  rg_broad_destroy(broad);
}

TEST(threads_find_no_pairs_where_there_are_none) {
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  rgTasks* tasks = rg_tasks_create(&heap, 3);
  CHECK_INT(rg_broad_pairs_shared(broad, tasks, NULL, NULL, 0), 0);
  rg_broad_add(broad, (rgBounds){{0, 0, 0}, {1, 1, 1}}, true, 1);
  CHECK_INT(rg_broad_pairs_shared(broad, tasks, NULL, NULL, 0), 0);
  rg_tasks_destroy(tasks, &heap);
  rg_broad_destroy(broad);
}

TEST(bounds_that_are_not_numbers_pair_with_nothing) {
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  int bad = rg_broad_add(broad, (rgBounds){{(double)NAN, 0, 0}, {(double)NAN, 1, 1}}, true, 0);
  rg_broad_add(broad, (rgBounds){{0, 0, 0}, {1, 1, 1}}, true, 1);
  rgBroadPair pairs[4];
  CHECK_INT(rg_broad_pairs(broad, pairs, 4), 0);
  rg_broad_move(broad, bad, (rgBounds){{0, 0, 0}, {1, 1, 1}});
  CHECK_INT(rg_broad_pairs(broad, pairs, 4), 1);
  rg_broad_destroy(broad);
}

typedef struct Seen {
  int count[MOST];
} Seen;

static void see(void* context, uint32_t user) { ((Seen*)context)->count[user]++; }

TEST(query_finds_each_overlapping_proxy_once) {
  static Model m;
  random_state = 3;
  rgAllocator heap = rg_allocator_default();
  rgBroad* broad = rg_broad_create(&heap);
  for (int i = 0; i < MOST; i++) {
    m.bounds[i] = random_bounds(1);
    rg_broad_add(broad, m.bounds[i], random_unit() < 0.5, (uint32_t)i);
  }
  for (int trial = 0; trial < 200; trial++) {
    Seen seen = {{0}};
    rgBounds box = random_box(1, 0.2);
    rg_broad_query(broad, box, see, &seen);
    for (int i = 0; i < MOST; i++)
      CHECK_INT(seen.count[i], bounds_overlap(box, m.bounds[i]));
  }
  rg_broad_destroy(broad);
}

// An allocator that can be told to refuse.
typedef struct Gate {
  rgAllocator heap;
  bool closed;
  int refused;
} Gate;

static void* gate_allocate(size_t size, void* context) {
  Gate* gate = context;
  if (gate->closed) {
    gate->refused++;
    return NULL;
  }
  return gate->heap.allocate(size, gate->heap.context);
}

static void gate_release(void* memory, size_t size, void* context) {
  Gate* gate = context;
  gate->heap.release(memory, size, gate->heap.context);
}

TEST(moving_pairing_and_removing_never_allocate) {
  Gate gate = {rg_allocator_default(), false, 0};
  rgAllocator allocator = {gate_allocate, gate_release, &gate};
  static Model m;
  memset(&m, 0, sizeof m);
  random_state = 4;
  rgBroad* broad = rg_broad_create(&allocator);
  for (int i = 0; i < MOST; i++)
    change(broad, &m, i, 1);
  gate.closed = true;
  for (int trial = 0; trial < 50; trial++) {
    for (int i = 0; i < MOST; i++)
      if (m.used[i])
        change(broad, &m, i, 1);
    check_pairs(broad, &m);
  }
  CHECK_INT(gate.refused, 0);
  // Full arrays: adding fails cleanly, and what was there still works.
  int added = 0;
  while (rg_broad_add(broad, (rgBounds){{9, 9, 9}, {9, 9, 9}}, true,
                      4000000000u + (uint32_t)added) >= 0 &&
         added < 2 * MOST)
    added++;
  CHECK(gate.refused > 0);
  CHECK(rg_broad_pairs(broad, found, PAIRS) >= 0);
  rg_broad_destroy(broad);
}
