// task.h - one parallel-for over a fixed set of threads.
//
// Work is cut into items that write only their own output, so results never depend on which thread
// ran what.
#ifndef BASE_TASK_H
#define BASE_TASK_H

#include <rigor/base.h>

enum { RG_TASK_THREADS = 64 }; // at most

typedef struct rgTasks rgTasks;

// `item` in [0, count), `worker` in [0, rg_tasks_threads)
typedef void rgTaskFunction(void* context, int item, int worker);

// A pool of `threads` workers, one of which is the calling thread. NULL when it cannot be created.
rgTasks* rg_tasks_create(const rgAllocator* allocator, int threads);
void rg_tasks_destroy(rgTasks* tasks, const rgAllocator* allocator); // NULL is allowed
int rg_tasks_threads(const rgTasks* tasks);

// Runs `function` once for each item and returns when all are done.
void rg_tasks_run(rgTasks* tasks, int count, rgTaskFunction* function, void* context);

// Whether the following cut so many items into several ranges.
bool rg_tasks_cut(const rgTasks* tasks, int count);
// Runs `function` for ranges of items, from `first` to before `end`, which together are all `count`: for passes
// over arrays whose items do not depend on each other. One range where there are few items or one thread; `tasks` may be
// NULL.
typedef void rgRangeFunction(void* context, int first, int end);
void rg_tasks_ranges(rgTasks* tasks, int count, rgRangeFunction* function, void* context);
// The same for a pass that also looks for the largest of two numbers each, which have no order; `largest` is where
// they start.
typedef void rgRangeMeasure(void* context, int first, int end, double largest[2]);
void rg_tasks_measure(rgTasks* tasks, int count, rgRangeMeasure* function, void* context,
                      double largest[2]);
// Whether a pass finds what it looks for in any range. A range may end where it has, and others are still looked at.
typedef bool rgRangeTest(void* context, int first, int end);
bool rg_tasks_any(rgTasks* tasks, int count, rgRangeTest* test, void* context);

#endif
