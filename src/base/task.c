// task.c - one parallel-for over a fixed set of threads.
//
// Workers sleep on a condition variable between calls. A call publishes the job under the lock,
// every worker takes items from one atomic counter, and the caller waits until the last worker has
// left the job, so that the job may live on the caller's stack. Without threads (WebAssembly) the
// caller runs the loop itself.
#include "base/task.h"

#include "base/memory.h"

#ifdef __wasm__

struct rgTasks {
  int threads;
};

rgTasks* rg_tasks_create(const rgAllocator* allocator, int threads) {
  (void)threads;
  rgTasks* tasks = rg_allocate(allocator, sizeof *tasks);
  if (tasks)
    tasks->threads = 1;
  return tasks;
}

void rg_tasks_destroy(rgTasks* tasks, const rgAllocator* allocator) {
  rg_release(allocator, tasks, sizeof *tasks);
}

int rg_tasks_threads(const rgTasks* tasks) { return tasks->threads; }

void rg_tasks_run(rgTasks* tasks, int count, rgTaskFunction* function, void* context) {
  (void)tasks;
  for (int item = 0; item < count; item++)
    function(context, item, 0);
}

#else

#include <pthread.h>
#include <stdatomic.h>

struct rgTasks {
  int threads;
  int started;
  pthread_t thread[RG_TASK_THREADS];
  pthread_mutex_t lock;
  pthread_cond_t work_ready, work_done;
  uint64_t job; // number of the call, so that no worker runs a call twice
  int busy;     // workers that have not finished the current job
  bool quit;
  rgTaskFunction* function;
  void* context;
  int count;
  atomic_int next;
  atomic_int seat; // hands out worker numbers to starting threads
};

static void run_items(rgTasks* tasks, int worker) {
  for (;;) {
    int item = atomic_fetch_add_explicit(&tasks->next, 1, memory_order_relaxed);
    if (item >= tasks->count)
      return;
    tasks->function(tasks->context, item, worker);
  }
}

static void* worker_main(void* argument) {
  rgTasks* tasks = argument;
  int worker = atomic_fetch_add(&tasks->seat, 1);
  uint64_t seen = 0;
  pthread_mutex_lock(&tasks->lock);
  for (;;) {
    while (tasks->job == seen && !tasks->quit)
      pthread_cond_wait(&tasks->work_ready, &tasks->lock);
    if (tasks->quit)
      break;
    seen = tasks->job;
    pthread_mutex_unlock(&tasks->lock);
    run_items(tasks, worker);
    pthread_mutex_lock(&tasks->lock);
    if (--tasks->busy == 0)
      pthread_cond_signal(&tasks->work_done);
  }
  pthread_mutex_unlock(&tasks->lock);
  return NULL;
}

static void stop_workers(rgTasks* tasks) {
  pthread_mutex_lock(&tasks->lock);
  tasks->quit = true;
  pthread_cond_broadcast(&tasks->work_ready);
  pthread_mutex_unlock(&tasks->lock);
  for (int i = 0; i < tasks->started; i++)
    pthread_join(tasks->thread[i], NULL);
}

rgTasks* rg_tasks_create(const rgAllocator* allocator, int threads) {
  rgTasks* tasks = rg_allocate(allocator, sizeof *tasks);
  if (!tasks)
    return NULL;
  tasks->threads = threads < 1 ? 1 : threads > RG_TASK_THREADS ? RG_TASK_THREADS : threads;
  atomic_init(&tasks->next, 0);
  atomic_init(&tasks->seat, 1);
  pthread_mutex_init(&tasks->lock, NULL);
  pthread_cond_init(&tasks->work_ready, NULL);
  pthread_cond_init(&tasks->work_done, NULL);
  for (int i = 0; i < tasks->threads - 1; i++) {
    if (pthread_create(&tasks->thread[i], NULL, worker_main, tasks) != 0) {
      rg_tasks_destroy(tasks, allocator);
      return NULL;
    }
    tasks->started++;
  }
  return tasks;
}

void rg_tasks_destroy(rgTasks* tasks, const rgAllocator* allocator) {
  if (!tasks)
    return;
  stop_workers(tasks);
  pthread_cond_destroy(&tasks->work_done);
  pthread_cond_destroy(&tasks->work_ready);
  pthread_mutex_destroy(&tasks->lock);
  rg_release(allocator, tasks, sizeof *tasks);
}

int rg_tasks_threads(const rgTasks* tasks) { return tasks->threads; }

void rg_tasks_run(rgTasks* tasks, int count, rgTaskFunction* function, void* context) {
  if (tasks->threads == 1 || count < 2) {
    for (int item = 0; item < count; item++)
      function(context, item, 0);
    return;
  }
  pthread_mutex_lock(&tasks->lock);
  tasks->function = function;
  tasks->context = context;
  tasks->count = count;
  atomic_store_explicit(&tasks->next, 0, memory_order_relaxed);
  tasks->busy = tasks->threads - 1;
  tasks->job++;
  pthread_cond_broadcast(&tasks->work_ready);
  pthread_mutex_unlock(&tasks->lock);
  run_items(tasks, 0);
  pthread_mutex_lock(&tasks->lock);
  while (tasks->busy > 0)
    pthread_cond_wait(&tasks->work_done, &tasks->lock);
  pthread_mutex_unlock(&tasks->lock);
}

#endif

// -------------------------------------------------------------------------------------------------
// Ranges
// -------------------------------------------------------------------------------------------------

// Items of a range: a pass over fewer takes less time than waking another thread.
enum { RANGE_ITEMS = 1024 };

typedef struct Ranges {
  rgRangeFunction* function;
  void* context;
  int count;
} Ranges;

static void run_range(void* context, int item, int worker) {
  (void)worker;
  const Ranges* ranges = context;
  int first = item * RANGE_ITEMS, left = ranges->count - first;
  ranges->function(ranges->context, first, first + (left < RANGE_ITEMS ? left : RANGE_ITEMS));
}

bool rg_tasks_cut(const rgTasks* tasks, int count) {
  return tasks && tasks->threads > 1 && count >= 2 * RANGE_ITEMS;
}

void rg_tasks_ranges(rgTasks* tasks, int count, rgRangeFunction* function, void* context) {
  if (!rg_tasks_cut(tasks, count)) {
    function(context, 0, count);
    return;
  }
  Ranges ranges = {function, context, count};
  rg_tasks_run(tasks, (count - 1) / RANGE_ITEMS + 1, run_range, &ranges);
}

typedef struct Measuring {
  rgRangeMeasure* function;
  void* context;
  struct {
    _Alignas(64) double largest[2];
  } worker[RG_TASK_THREADS];
  int count;
} Measuring;

static void measure_range(void* context, int item, int worker) {
  Measuring* measuring = context;
  int first = item * RANGE_ITEMS, left = measuring->count - first;
  measuring->function(measuring->context, first, first + (left < RANGE_ITEMS ? left : RANGE_ITEMS),
                      measuring->worker[worker].largest);
}

void rg_tasks_measure(rgTasks* tasks, int count, rgRangeMeasure* function, void* context,
                      double largest[2]) {
  if (!rg_tasks_cut(tasks, count)) {
    function(context, 0, count, largest);
    return;
  }
  Measuring measuring = {.function = function, .context = context, .count = count};
  for (int i = 0; i < tasks->threads; i++)
    for (int k = 0; k < 2; k++)
      measuring.worker[i].largest[k] = largest[k];
  rg_tasks_run(tasks, (count - 1) / RANGE_ITEMS + 1, measure_range, &measuring);
  for (int i = 0; i < tasks->threads; i++)
    for (int k = 0; k < 2; k++)
      if (measuring.worker[i].largest[k] > largest[k])
        largest[k] = measuring.worker[i].largest[k];
}

typedef struct Testing {
  rgRangeTest* test;
  void* context;
} Testing;

static void test_range(void* context, int first, int end, double largest[2]) {
  const Testing* testing = context;
  if (testing->test(testing->context, first, end))
    largest[0] = 1;
}

bool rg_tasks_any(rgTasks* tasks, int count, rgRangeTest* test, void* context) {
  Testing testing = {test, context};
  double found[2] = {0};
  rg_tasks_measure(tasks, count, test_range, &testing, found);
  return found[0] > 0;
}
