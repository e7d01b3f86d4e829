// threads.c - one heap on several threads.
//
// The same heaps, settled for some steps, on 1, 2, 3 and 7 threads in turn: wall-clock time of a step, and CPU
// time of the thread that calls, which does everything that is not shared and its part of what is. On a
// machine that has other work, the wall clock tells little; the CPU time of the one thread over that of the
// calling one is the gain that balance and waiting leave. Results must be the same bits.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct Heap {
  const char* name;
  void (*build)(Scene* scene);
  int settle, steps;
} Heap;

static void build_spheres(Scene* scene) { scene_sphere_bed(scene, 10000); }
static void build_boxes(Scene* scene) { scene_boxes(scene, 20); }

static const Heap HEAPS[] = {{"10000 spheres", build_spheres, 40, 10},
                             {"8000 boxes", build_boxes, 60, 10}};
static const int THREADS[] = {1, 2, 3, 7};
enum { HEAP_COUNT = 2, THREAD_COUNT = 4 };

typedef struct Measured {
  double wall, cpu, all; // [s] of a step: CPU time of the calling thread, and of all
  uint64_t hash;
  bool done;
} Measured;

static double clock_of(clockid_t id) {
  struct timespec now;
  clock_gettime(id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool take_steps(rgWorld* world, int steps) {
  for (int i = 0; i < steps; ++i)
    if (rg_world_step(world, NULL) != RG_OK)
      return false;
  return true;
}

static Measured measure(const Heap* heap, int threads) {
  Measured measured = {0};
  Scene scene;
  heap->build(&scene);
  rgBodyId* ids = calloc((size_t)scene.body_count, sizeof *ids);
  rgOptions options;
  rgWorld* world = NULL;
  bool made = rg_options_preset("realtime", &options);
  options.threads = threads;
  made = made && scene_world(&scene, &options, SCENE_SI, ids, &world, NULL) == RG_OK;
  if (made && take_steps(world, heap->settle)) {
    double wall = clock_of(CLOCK_MONOTONIC), cpu = clock_of(CLOCK_THREAD_CPUTIME_ID),
           all = bench_cpu();
    measured.done = take_steps(world, heap->steps);
    measured.wall = (clock_of(CLOCK_MONOTONIC) - wall) / heap->steps;
    measured.cpu = (clock_of(CLOCK_THREAD_CPUTIME_ID) - cpu) / heap->steps;
    measured.all = (bench_cpu() - all) / heap->steps;
    measured.hash = rg_world_hash(world);
  }
  rg_world_destroy(world);
  free(ids);
  scene_end(&scene);
  return measured;
}

static void print_heap(bool json, const Heap* heap, const Measured* of, bool first) {
  if (json)
    printf("%s\n    {\"heap\": \"%s\", \"threads\": [", first ? "" : ",", heap->name);
  else
    printf("\n%s, preset realtime, %d steps of 1/60 s\n%8s %12s %14s %12s %10s %10s %s\n",
           heap->name, heap->steps, "threads", "wall [ms]", "caller [ms]", "all [ms]", "gain wall",
           "gain CPU", "bits");
  for (int k = 0; k < THREAD_COUNT; ++k) {
    const Measured* now = &of[k];
    double wall = of[0].wall / now->wall, cpu = of[0].cpu / now->cpu;
    bool same = now->done && now->hash == of[0].hash;
    if (json)
      printf(
          "%s\n      {\"threads\": %d, \"wall_s\": %.6g, \"caller_cpu_s\": %.6g, \"cpu_s\": %.6g, "
          "\"gain_wall\": %.4g, \"gain_cpu\": %.4g, \"same_bits\": %s}",
          k ? "," : "", THREADS[k], now->wall, now->cpu, now->all, wall, cpu,
          same ? "true" : "false");
    else
      printf("%8d %12.2f %14.2f %12.2f %10.2f %10.2f %s\n", THREADS[k], 1e3 * now->wall,
             1e3 * now->cpu, 1e3 * now->all, wall, cpu, same ? "same" : "DIFFERENT");
  }
  if (json)
    printf("]}");
  else
    printf("2 threads, by CPU time: goal 1.7 %s\n",
           of[0].cpu >= 1.7 * of[1].cpu ? "reached" : "MISSED");
  fflush(stdout);
}

void bench_threads(bool json) {
  for (int i = 0; i < HEAP_COUNT; ++i) {
    Measured measured[THREAD_COUNT];
    for (int k = 0; k < THREAD_COUNT; ++k)
      measured[k] = measure(&HEAPS[i], THREADS[k]);
    print_heap(json, &HEAPS[i], measured, i == 0);
  }
}
