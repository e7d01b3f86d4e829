// The parallel-for: each item runs once, on a worker that has no other item at the time.
#include "test.h"

#include "base/memory.h"
#include "base/task.h"
#include "base/team.h"

#include <stdatomic.h>

enum { MOST_THREADS = 8, MOST_ITEMS = 3000 };

typedef struct Job {
  atomic_int runs[MOST_ITEMS];
  atomic_int inside[MOST_THREADS]; // items that a worker has in hand
  atomic_int mistakes;
  int threads, count;
  double result[MOST_ITEMS];
} Job;

static void work(void* context, int item, int worker) {
  Job* job = context;
  if (item < 0 || item >= job->count || worker < 0 || worker >= job->threads) {
    atomic_fetch_add(&job->mistakes, 1);
    return;
  }
  if (atomic_fetch_add(&job->inside[worker], 1) != 0)
    atomic_fetch_add(&job->mistakes, 1);
  atomic_fetch_add(&job->runs[item], 1);
  job->result[item] = 1.0 / (1 + item);
  atomic_fetch_sub(&job->inside[worker], 1);
}

static rgTasks* create(int threads) {
  rgAllocator allocator = rg_allocator_default();
  rgTasks* tasks = rg_tasks_create(&allocator, threads);
  REQUIRE(tasks);
  return tasks;
}

static void destroy(rgTasks* tasks) {
  rgAllocator allocator = rg_allocator_default();
  rg_tasks_destroy(tasks, &allocator);
}

// Runs `count` items and checks that each ran exactly once.
static void check_run(rgTasks* tasks, int count) {
  static Job job;
  memset(&job, 0, sizeof job);
  job.threads = rg_tasks_threads(tasks);
  job.count = count;
  rg_tasks_run(tasks, count, work, &job);
  int wrong = 0;
  for (int i = 0; i < MOST_ITEMS; ++i)
    wrong += atomic_load(&job.runs[i]) != (i < count) ||
             job.result[i] != (i < count ? 1.0 / (1 + i) : 0);
  CHECK_INT(wrong, 0);
  CHECK_INT(atomic_load(&job.mistakes), 0);
}

TEST(each_item_runs_once_for_one_to_eight_threads) {
  const int counts[] = {0, 1, 2, 3, 7, 8, 9, 100, MOST_ITEMS};
  for (int threads = 1; threads <= MOST_THREADS; ++threads) {
    rgTasks* tasks = create(threads);
    CHECK_INT(rg_tasks_threads(tasks), threads);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
      CONTEXT("%d threads, %d items", threads, counts[i]);
      check_run(tasks, counts[i]);
    }
    destroy(tasks);
  }
}

static void work_range(void* context, int first, int end) {
  for (int i = first; i < end; ++i)
    atomic_fetch_add(&((Job*)context)->runs[i], 1);
  atomic_fetch_add(&((Job*)context)->mistakes, first > end);
}

TEST(ranges_together_are_all_items) {
  const int counts[] = {0, 1, 1023, 1024, 2047, 2048, 2049, MOST_ITEMS};
  static Job job;
  for (int threads = 1; threads <= MOST_THREADS; threads += 3) {
    rgTasks* tasks = create(threads);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
      CONTEXT("%d threads, %d items", threads, counts[k]);
      memset(&job, 0, sizeof job);
      rg_tasks_ranges(tasks, counts[k], work_range, &job);
      int wrong = 0;
      for (int i = 0; i < MOST_ITEMS; ++i)
        wrong += atomic_load(&job.runs[i]) != (i < counts[k]);
      CHECK_INT(wrong, 0);
      CHECK_INT(atomic_load(&job.mistakes), 0);
    }
    destroy(tasks);
  }
}

TEST(many_short_jobs_follow_each_other) {
  // Workers that are late for one job must not run the next one twice or miss it.
  rgTasks* tasks = create(4);
  for (int i = 0; i < (test_fast() ? 500 : 5000); ++i) {
    CONTEXT("job %d", i);
    check_run(tasks, 2 + i % 5);
  }
  destroy(tasks);
}

TEST(two_pools_do_not_disturb_each_other) {
  rgTasks *first = create(3), *second = create(2);
  for (int i = 0; i < 50; ++i) {
    check_run(first, 64);
    check_run(second, 65);
  }
  destroy(first);
  check_run(second, 10);
  destroy(second);
}

TEST(number_of_threads_is_kept_in_range) {
  rgTasks* tasks = create(0);
  CHECK_INT(rg_tasks_threads(tasks), 1);
  check_run(tasks, 5);
  destroy(tasks);
}

static void* no_memory(size_t size, void* context) {
  (void)size;
  (void)context;
  return NULL;
}

static void release_nothing(void* memory, size_t size, void* context) {
  (void)memory;
  (void)size;
  (void)context;
  FAIL("nothing was allocated, so nothing may be released");
}

TEST(without_memory_there_is_no_pool) {
  rgAllocator allocator = {no_memory, release_nothing, NULL};
  CHECK(rg_tasks_create(&allocator, 2) == NULL);
  rg_tasks_destroy(NULL, &allocator);
}

// The largest of some numbers, and of these with their signs changed.
static void look(void* context, int first, int end, double largest[2]) {
  const double* x = context;
  for (int i = first; i < end; i++) {
    largest[0] = x[i] > largest[0] ? x[i] : largest[0];
    largest[1] = -x[i] > largest[1] ? -x[i] : largest[1];
  }
}

TEST(a_pass_finds_the_largest_numbers) {
  double x[MOST_ITEMS];
  for (int i = 0; i < MOST_ITEMS; i++)
    x[i] = (i * 7919) % MOST_ITEMS - 1000;
  for (int threads = 1; threads <= 8; threads++) {
    CONTEXT("%d threads", threads);
    rgTasks* tasks = create(threads);
    for (int count = 0; count <= MOST_ITEMS; count += 1000) {
      double found[2] = {-5, 3}, expected[2] = {-5, 3};
      look(x, 0, count, expected);
      rg_tasks_measure(tasks, count, look, x, found);
      CHECK(found[0] == expected[0] && found[1] == expected[1]);
    }
    destroy(tasks);
  }
}

// Whether 17 is among some numbers.
static bool has_17(void* context, int first, int end) {
  const double* x = context;
  for (int i = first; i < end; i++)
    if (x[i] == 17)
      return true;
  return false;
}

TEST(a_pass_finds_one_of_many) {
  double x[MOST_ITEMS] = {0};
  for (int threads = 1; threads <= 8; threads++) {
    CONTEXT("%d threads", threads);
    rgTasks* tasks = create(threads);
    for (int place = 0; place < MOST_ITEMS; place += 999) {
      x[place] = 17;
      CHECK(rg_tasks_any(tasks, MOST_ITEMS, has_17, x));
      CHECK(!rg_tasks_any(tasks, place, has_17, x));
      x[place] = 0;
    }
    CHECK(!rg_tasks_any(tasks, MOST_ITEMS, has_17, x));
    CHECK_INT(rg_tasks_cut(tasks, MOST_ITEMS), threads > 1);
    CHECK(!rg_tasks_cut(tasks, 1));
    destroy(tasks);
  }
  CHECK(!rg_tasks_cut(NULL, MOST_ITEMS));
}

// What the members of a team write between two waits.
typedef struct Stages {
  int stage[16];
  int wrong[16];
  int size[16];
} Stages;
enum { STAGES = 100 };

// Each member writes the number of the stage, and after the wait sees that of all others.
static void run_stages(void* context, rgTeam* team, int member) {
  Stages* stages = context;
  stages->size[member] = rg_team_size(team);
  for (int stage = 1; stage <= STAGES; stage++) {
    stages->stage[member] = stage;
    rg_team_post(team, member, 2 * (unsigned)stage - 1);
    rg_team_await_others(team, member, 2 * (unsigned)stage - 1);
    for (int i = 0; i < rg_team_size(team); i++)
      stages->wrong[member] += stages->stage[i] != stage;
    rg_team_post(team, member, 2 * (unsigned)stage);
    rg_team_await_others(team, member, 2 * (unsigned)stage);
  }
}

TEST(members_of_a_team_go_from_stage_to_stage_together) {
  for (int threads = 1; threads <= 8; threads++) {
    CONTEXT("%d threads", threads);
    rgTasks* tasks = create(threads);
    for (int again = 0; again < 3; again++) {
      Stages stages = {{0}, {0}, {0}};
      rg_team_run(tasks, run_stages, &stages);
      for (int i = 0; i < threads; i++) {
        CHECK_INT(stages.size[i], threads);
        CHECK_INT(stages.stage[i], STAGES);
        CHECK_INT(stages.wrong[i], 0);
      }
    }
    destroy(tasks);
  }
}
