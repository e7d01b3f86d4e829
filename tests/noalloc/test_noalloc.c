// No allocation while stepping once a world is warm, and no harm when memory runs out before.
//
// Memory is watched twice: at the world's allocator, and at the C library's heap itself, whose
// functions this program puts its own counting ones in front of (not under sanitizers, which do the
// same).
#include "test.h"

#include "base/memory.h"
#include "problem/matrices.h"
#include "support/variety.h"

#include <errno.h>
#include <stdatomic.h>

// --- the heap -----------------------------------------------------------------------------------

static atomic_int heap_calls;

#if defined(__GLIBC__) && !TEST_SANITIZED
#define HEAP_IS_WATCHED 1
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  atomic_fetch_add(&heap_calls, 1);
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  atomic_fetch_add(&heap_calls, 1);
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  atomic_fetch_add(&heap_calls, 1);
  return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  atomic_fetch_add(&heap_calls, 1);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  atomic_fetch_add(&heap_calls, 1);
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
#else
#define HEAP_IS_WATCHED 0
#endif

TEST(the_heap_is_watched) {
  if (!HEAP_IS_WATCHED)
    SKIP("the heap cannot be watched in this build");
  int before = atomic_load(&heap_calls);
  rgAllocator heap = rg_allocator_default();
  void* memory = rg_allocate(&heap, 100);
  void* volatile other = malloc(10);
  CHECK_INT(atomic_load(&heap_calls) - before, 2);
  free(other);
  rg_release(&heap, memory, 100);
}

// --- an allocator that counts and fails ---------------------------------------------------------

typedef struct Books {
  int calls;      // of allocate, failed ones included
  int fail_from;  // calls from this number on fail; INT32_MAX = none
  int fail_count; // how many of them do
  int live;       // blocks that are out
  size_t bytes;   // in them
} Books;

static Books books_that_never_fail(void) {
  return (Books){.fail_from = INT32_MAX, .fail_count = INT32_MAX};
}

static void* take(size_t size, void* context) {
  Books* books = context;
  int call = books->calls++;
  if (call >= books->fail_from && call - books->fail_from < books->fail_count)
    return NULL;
  rgAllocator heap = rg_allocator_default();
  void* memory = heap.allocate(size, heap.context);
  if (memory) {
    ++books->live;
    books->bytes += size;
  }
  return memory;
}

static void give_back(void* memory, size_t size, void* context) {
  Books* books = context;
  --books->live;
  books->bytes -= size;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

static rgAllocator with_books(Books* books) { return (rgAllocator){take, give_back, books}; }

static void refuse_all(Books* books) {
  books->fail_from = 0;
  books->fail_count = INT32_MAX;
  books->calls = 0;
}

// --- no allocation ------------------------------------------------------------------------------

// Steps with an allocator that only refuses, and checks that nobody asked: neither it nor the heap.
static void check_steps(rgWorld* world, Books* books, int steps) {
  refuse_all(books);
  int heap_before = atomic_load(&heap_calls), wrong = 0;
  for (int i = 0; i < steps; ++i)
    wrong += rg_world_step(world, NULL) != RG_OK;
  int heap_after = atomic_load(&heap_calls);
  CHECK_INT(wrong, 0);
  CHECK_INT(books->calls, 0);
  if (HEAP_IS_WATCHED)
    CHECK_INT(heap_after - heap_before, 0);
}

// A scene is run once, which makes all the room it needs, put back to its start and run again: the
// same motion, without a single allocation.
static void check_second_run(const Variety* scene, int threads) {
  const int steps = test_fast() ? 40 : 120;
  Books books = books_that_never_fail();
  rgAllocator allocator = with_books(&books);
  rgWorld* world = variety_build(scene, threads, &allocator);
  size_t size = rg_world_save_size(world);
  void* start = malloc(size);
  REQUIRE(start);
  REQUIRE(rg_world_save(world, start, size) == RG_OK);
  run_steps(world, steps);
  uint64_t hash = rg_world_hash(world);
  REQUIRE(rg_world_load(world, start, size) == RG_OK);
  CONTEXT("%s, %d threads", scene->name, threads);
  check_steps(world, &books, steps);
  CHECK_HEX(rg_world_hash(world), hash);
  free(start);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
  CHECK_INT(books.bytes, 0);
}

TEST(a_second_run_of_the_same_motion_allocates_nothing) {
  for (int i = 0; variety(i); ++i)
    check_second_run(variety(i), 1);
}

TEST(a_second_run_with_two_threads_allocates_nothing) {
  for (int i = 0; variety(i); ++i)
    check_second_run(variety(i), 2);
}

// `count` boxes in pairs, one on the other, after a few steps.
static void check_settled(int count, int threads, int steps) {
  Books books = books_that_never_fail();
  rgAllocator allocator = with_books(&books);
  rgWorldDef def = rg_world_def();
  def.allocator = allocator;
  def.options.threads = threads;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  for (int i = 0; i < count; ++i)
    build_box(world, v3(0.5, 0.5, 0.5), v3(2 * (i / 2 % 20), 2 * (i / 40), 0.5 + i % 2));
  run_steps(world, 10);
  CONTEXT("%d boxes, %d threads", count, threads);
  check_steps(world, &books, steps);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
}

TEST(a_settled_scene_allocates_nothing) { check_settled(30, 1, 200); }

// Which thread does what differs from step to step; the room that each has must not depend on it.
TEST(a_large_settled_scene_with_two_threads_allocates_nothing) {
  check_settled(400, 2, test_fast() ? 30 : 200);
}

// What changes a world between steps without adding anything needs no memory either.
TEST(changing_states_allocates_nothing) {
  Books books = books_that_never_fail();
  rgAllocator allocator = with_books(&books);
  rgWorldDef def = rg_world_def();
  def.allocator = allocator;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  rgBodyId ball = build_sphere(world, 0.5, v3(0, 0, 0.5)),
           box = build_box(world, v3(1, 1, 1), v3(5, 0, 1));
  run_steps(world, 20);
  refuse_all(&books);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(rg_body_set_pose(world, ball, pose_at(v3(0.01 * i, 0, 0.5))) == RG_OK);
    REQUIRE(rg_body_set_velocity(world, ball, twist(v3(0, 0.1, 0), v3_zero())) == RG_OK);
    REQUIRE(rg_body_apply_impulse(world, box, v3(10, 0, 0), v3(5, 0, 1)) == RG_OK);
    REQUIRE(rg_world_step(world, NULL) == RG_OK);
  }
  CHECK_INT(books.calls, 0);
  rg_world_destroy(world);
}

TEST(the_world_counts_its_memory) {
  Books books = books_that_never_fail();
  rgAllocator allocator = with_books(&books);
  rgWorld* world = variety_build(variety_find("mixed"), 1, &allocator);
  run_steps(world, 30);
  size_t counted = rg_world_counts(world).memory;
  CHECK_MSG(counted <= books.bytes && counted >= books.bytes / 2,
            "%zu bytes counted, %zu bytes held", counted, books.bytes);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
}

// A problem in global form, with as many bodies as contacts: whatever its reduction takes is asked of the allocator.
TEST(problems_are_reduced_in_memory_of_their_allocator) {
  if (!HEAP_IS_WATCHED)
    SKIP("the heap cannot be watched in this build");
  enum { MOST = 20 };
  rgTriplet mass[3 * MOST], directions[3 * MOST];
  double zeros[3 * MOST] = {0};
  for (int n = 1; n <= MOST; n += 3) {
    for (int i = 0; i < 3 * n; i++) {
      mass[i] = (rgTriplet){i, i, 1 + i};
      directions[i] = (rgTriplet){i, i, 1};
    }
    rgProblemData data = {.dimension = 3,
                          .contact_count = n,
                          .global = true,
                          .matrix = {3 * n, 3 * n, 3 * n, 3 * n, mass},
                          .h = {3 * n, 3 * n, 3 * n, 3 * n, directions},
                          .g = {.rows = 3 * n},
                          .f = zeros,
                          .q = zeros,
                          .mu = zeros};
    Books books = books_that_never_fail();
    rgAllocator allocator = with_books(&books);
    rgProblem* problem;
    rgMessage message = {""};
    CONTEXT("%d contacts", n);
    int before = atomic_load(&heap_calls);
    rgStatus status = rg_problem_from_data(&data, "case", &allocator, &problem, &message);
    int calls = atomic_load(&heap_calls) - before;
    REQUIRE_MSG(status == RG_OK, "%s", message.text);
    CHECK(books.calls > 0);
    CHECK_INT(calls, books.calls);
    rg_problem_free(problem, &allocator);
    CHECK_INT(books.live, 0);
  }
}

// --- memory runs out ----------------------------------------------------------------------------

// Whether the k-th allocation and `count` after it fail while a scene is built and run: it must say
// so, lose nothing, leave the state as it was, and go on when there is memory again. True when the
// run was long enough to reach allocation k.
static bool check_failure(const Variety* scene, int threads, int k, int count) {
  enum { STEPS = 12 };
  Books books = books_that_never_fail();
  books.fail_from = k;
  books.fail_count = count;
  rgAllocator allocator = with_books(&books);
  rgWorld* world = NULL;
  CONTEXT("%s, %d threads, allocations %d to %d fail", scene->name, threads, k, k + count - 1);
  rgStatus status = variety_try(scene, threads, &allocator, &world);
  if (books.calls > k) {
    CHECK_INT(status, RG_ERROR_MEMORY);
  } else {
    CHECK_INT(status, RG_OK);
  }
  for (int i = 0; i < STEPS && world; ++i) {
    uint64_t before = rg_world_hash(world);
    int64_t steps = rg_world_steps(world);
    status = rg_world_step(world, NULL);
    CHECK_MSG(status == RG_OK || status == RG_ERROR_MEMORY, "status %d: %s", (int)status,
              rg_world_message(world));
    if (status == RG_ERROR_MEMORY) {
      CHECK_HEX(rg_world_hash(world), before);
      CHECK_INT(rg_world_steps(world), steps);
      CHECK(rg_world_message(world)[0]);
    }
  }
  bool reached = books.calls > k;
  books.fail_from = INT32_MAX; // there is memory again
  for (int i = 0; i < 3 && world; ++i)
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
  CHECK_INT(books.bytes, 0);
  return reached;
}

static void check_every_failure(const char* name, int threads, int stride) {
  const Variety* scene = variety_find(name);
  const int most = 2000;
  int k = 0;
  while (k < most && check_failure(scene, threads, k, 1))
    k += stride;
  CHECK_MSG(k > 20 && k < most, "%d allocations failed in turn", k);
  // From one on, all.
  for (k = 0; k < most && check_failure(scene, threads, k, INT32_MAX - k); k += 7 * stride)
    continue;
}

TEST(every_allocation_can_fail) {
  check_every_failure("mixed", 1, test_fast() ? 5 : 1);
  check_every_failure("stack", 1, 1);
  check_every_failure("mesh", 1, test_fast() ? 5 : 1);
  check_every_failure("field", 1, test_fast() ? 5 : 1);
  check_every_failure("rotation", 1, 1);
}

TEST(every_allocation_can_fail_with_two_threads) {
  check_every_failure("shaker", 2, test_fast() ? 5 : 1);
}

// A failure in between costs no accuracy: the stack stands as it did.
TEST(a_stack_survives_a_lack_of_memory) {
  Books books = books_that_never_fail();
  rgAllocator allocator = with_books(&books);
  rgWorldDef def = rg_world_def();
  def.allocator = allocator;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  rgBodyId box[4];
  for (int i = 0; i < 4; ++i)
    box[i] = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5 + i));
  refuse_all(&books);
  for (int i = 0; i < 10; ++i)
    CHECK_INT(rg_world_step(world, NULL), RG_ERROR_MEMORY);
  CHECK_NEAR(rg_world_time(world), 0, 0);
  books.fail_from = INT32_MAX;
  run_steps(world, 100);
  for (int i = 0; i < 4; ++i)
    CHECK_NEAR(distance(rg_body_center(world, box[i]), v3(0, 0, 0.5 + i)), 0, 1e-6);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
}
