// team.c - all threads of a pool in one function at the same time.
//
// Each member has a counter of its own, in a cache line of its own, which the others read. Whoever waits for
// one watches it for some microseconds, and sleeps if it has not come far enough then, as where another
// program has the processor. Without threads (WebAssembly) a team has one member.
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

void rg_team_post(rgTeam* team, int member, unsigned stage) {
  (void)team;
  (void)member;
  (void)stage;
}

void rg_team_await(rgTeam* team, int other, unsigned stage) {
  (void)team;
  (void)other;
  (void)stage;
}

#else

#include <pthread.h>
#include <stdatomic.h>

struct rgTeam {
  int size;
  rgTeamFunction* function;
  void* context;
  atomic_int asleep;
  pthread_mutex_t lock;
  pthread_cond_t posted;
  struct {
    _Alignas(64) atomic_uint stage;
  } member[RG_TEAM_MAX];
};

// A member that waits for the others keeps its thread, so that each thread gets one.
static void run_member(void* context, int item, int worker) {
  (void)worker;
  rgTeam* team = context;
  team->function(team->context, team, item);
}

void rg_team_run(rgTasks* tasks, rgTeamFunction* function, void* context) {
  rgTeam team = {.size = rg_tasks_threads(tasks), .function = function, .context = context};
  for (int i = 0; i < team.size; i++)
    atomic_init(&team.member[i].stage, 0);
  atomic_init(&team.asleep, 0);
  pthread_mutex_init(&team.lock, NULL);
  pthread_cond_init(&team.posted, NULL);
  rg_tasks_run(tasks, team.size, run_member, &team);
  pthread_cond_destroy(&team.posted);
  pthread_mutex_destroy(&team.lock);
}

int rg_team_size(const rgTeam* team) { return team->size; }

static void rest_a_little(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Counters may wrap round.
static bool has_come(unsigned stage, unsigned goal) { return (int)(stage - goal) >= 0; }

static void sleep_until(rgTeam* team, int other, unsigned stage) {
  pthread_mutex_lock(&team->lock);
  atomic_fetch_add(&team->asleep, 1);
  while (!has_come(atomic_load(&team->member[other].stage), stage))
    pthread_cond_wait(&team->posted, &team->lock);
  atomic_fetch_sub(&team->asleep, 1);
  pthread_mutex_unlock(&team->lock);
}

// Whoever goes to sleep is counted before it looks at the counter for the last time, and a counter changes before
// sleepers are counted: all in one order, so that none is left asleep.
void rg_team_post(rgTeam* team, int member, unsigned stage) {
  atomic_store(&team->member[member].stage, stage);
  if (atomic_load(&team->asleep) == 0)
    return;
  pthread_mutex_lock(&team->lock);
  pthread_cond_broadcast(&team->posted);
  pthread_mutex_unlock(&team->lock);
}

void rg_team_await(rgTeam* team, int other, unsigned stage) {
  enum { LOOKS = 200 }; // some microseconds
  for (int look = 0; look < LOOKS; look++) {
    if (has_come(atomic_load_explicit(&team->member[other].stage, memory_order_acquire), stage))
      return;
    rest_a_little();
  }
  sleep_until(team, other, stage);
}

#endif

void rg_team_await_others(rgTeam* team, int member, unsigned stage) {
  for (int i = 0; i < rg_team_size(team); i++)
    if (i != member)
      rg_team_await(team, i, stage);
}
