// team.c - all threads of a pool in one function at the same time.
//
// Members wait for each other thousands of times in a step, for some microseconds each time: they watch a
// counter for so long, and sleep if it has not changed then, as where another program has the processor of
// one of them. Without threads (WebAssembly) a team has one member.
#include "base/team.h"

#ifdef __wasm__

struct rgTeam {
  int size;
};

void rg_team_run(rgTasks* tasks, rgTeamFunction* function, void* context) {
  (void)tasks;
  rgTeam team = {1};
  function(context, &team, 0);
}

int rg_team_size(const rgTeam* team) { return team->size; }
void rg_team_wait(rgTeam* team) { (void)team; }

#else

#include <pthread.h>
#include <stdatomic.h>

struct rgTeam {
  int size;
  rgTeamFunction* function;
  void* context;
  atomic_int arrived;
  atomic_uint turn; // how often all have arrived
  atomic_int asleep;
  pthread_mutex_t lock;
  pthread_cond_t next_turn;
};

// A member that waits for the others keeps its thread, so that each thread gets one.
static void run_member(void* context, int item, int worker) {
  (void)worker;
  rgTeam* team = context;
  team->function(team->context, team, item);
}

void rg_team_run(rgTasks* tasks, rgTeamFunction* function, void* context) {
  rgTeam team = {.size = rg_tasks_threads(tasks), .function = function, .context = context};
  atomic_init(&team.arrived, 0);
  atomic_init(&team.turn, 0);
  atomic_init(&team.asleep, 0);
  pthread_mutex_init(&team.lock, NULL);
  pthread_cond_init(&team.next_turn, NULL);
  rg_tasks_run(tasks, team.size, run_member, &team);
  pthread_cond_destroy(&team.next_turn);
  pthread_mutex_destroy(&team.lock);
}

int rg_team_size(const rgTeam* team) { return team->size; }

static void rest_a_little(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void sleep_until_next(rgTeam* team, unsigned turn) {
  pthread_mutex_lock(&team->lock);
  atomic_fetch_add(&team->asleep, 1);
  while (atomic_load(&team->turn) == turn)
    pthread_cond_wait(&team->next_turn, &team->lock);
  atomic_fetch_sub(&team->asleep, 1);
  pthread_mutex_unlock(&team->lock);
}

// Whoever goes to sleep is counted before it looks at the turn for the last time, and the turn changes before
// sleepers are counted: all in one order, so that none is left asleep.
void rg_team_wait(rgTeam* team) {
  enum { LOOKS = 200 }; // some microseconds
  unsigned turn = atomic_load(&team->turn);
  if (atomic_fetch_add(&team->arrived, 1) + 1 == team->size) {
    atomic_store(&team->arrived, 0);
    atomic_store(&team->turn, turn + 1);
    if (atomic_load(&team->asleep) == 0)
      return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->next_turn);
    pthread_mutex_unlock(&team->lock);
    return;
  }
  for (int look = 0; look < LOOKS; look++) {
    if (atomic_load_explicit(&team->turn, memory_order_acquire) != turn)
      return;
    rest_a_little();
  }
  sleep_until_next(team, turn);
}

#endif
