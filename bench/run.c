// run.c - engines side by side on one scene.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TURN = 10 }; // steps of one engine before it is the next one's turn

double bench_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// One engine at work.
typedef struct Runner {
  void* world;
  double* times; // [s] of each step
  double cpu;    // [s] of all of them
  double iterations;
  BenchRow* row;
} Runner;

static int compare_doubles(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static void measure(const Scene* scene, Runner* runner, rgPose* poses) {
  BenchRow* row = runner->row;
  for (int i = 0; i < scene->body_count; ++i)
    poses[i] = row->engine->pose(runner->world, i);
  row->end = overlap_of(scene, poses);
  if (row->end.depth > row->worst.depth) {
    row->worst.depth = row->end.depth;
    row->worst.body_a = row->end.body_a;
    row->worst.body_b = row->end.body_b;
  }
  row->worst.relative = fmax(row->worst.relative, row->end.relative);
  row->displacement = overlap_displacement(scene, poses);
  row->joint_gap = fmax(row->joint_gap, overlap_joint_gap(scene, poses));
}

static void collect_report(Runner* runner) {
  BenchRow* row = runner->row;
  if (!row->engine->report)
    return;
  EngineReport report;
  row->engine->report(runner->world, &report);
  row->residual = fmax(row->residual, report.residual);
  row->not_met += !report.met;
  row->memory = report.memory;
  runner->iterations += report.iterations;
  row->iterations_most =
      report.iterations > row->iterations_most ? report.iterations : row->iterations_most;
}

// Up to TURN steps, the clock running in the engine alone.
static void take_turn(const Scene* scene, Runner* runner, const BenchScene* bench, int last,
                      double budget, rgPose* poses) {
  BenchRow* row = runner->row;
  for (int i = 0; i < TURN && row->steps < last && row->done && runner->cpu < budget; ++i) {
    double start = bench_cpu();
    row->done = row->engine->step(runner->world);
    double time = bench_cpu() - start;
    if (!row->done)
      return;
    runner->times[row->steps++] = time;
    runner->cpu += time;
    collect_report(runner);
    if (row->steps % bench->measure_every == 0 || row->steps == last || runner->cpu >= budget)
      measure(scene, runner, poses);
  }
}

static double sum_of(const double* times, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += times[i];
  return sum;
}

// Means and the ratio to the peer, over the steps that both have done.
static void compare(Runner* runner, const Runner* peer) {
  BenchRow* row = runner->row;
  if (row->steps == 0)
    return;
  row->cpu_mean = runner->cpu / row->steps;
  row->iterations_mean = runner->iterations / row->steps;
  if (!peer)
    return;
  int common = row->steps < peer->row->steps ? row->steps : peer->row->steps;
  if (common > 0)
    row->ratio = sum_of(runner->times, common) / sum_of(peer->times, common);
}

static void finish(Runner* runner) {
  BenchRow* row = runner->row;
  if (row->steps > 0) {
    qsort(runner->times, (size_t)row->steps, sizeof *runner->times, compare_doubles);
    row->cpu_median = runner->times[row->steps / 2];
  }
  if (runner->world) {
    row->contacts = row->engine->contacts(runner->world);
    row->engine->destroy(runner->world);
  }
  free(runner->times);
}

static void show_progress(const char* name, int percent) {
  if (!isatty(2))
    return;
  if (percent < 100)
    fprintf(stderr, "\r%s: %3d %%\033[K", name, percent);
  else
    fprintf(stderr, "\r\033[K");
}

void bench_run(const BenchScene* bench, const EngineInfo* const* engines, int engine_count,
               BenchLimits limits, BenchRow* rows) {
  int steps = limits.steps > 0 ? limits.steps : limits.quick ? bench->quick_steps : bench->steps;
  Scene scene;
  bench->build(&scene);
  rgPose* poses = calloc((size_t)scene.body_count, sizeof *poses);

  Runner runners[BENCH_ENGINES_MAX] = {0};
  const Runner* peer = NULL;
  for (int i = 0; i < engine_count; ++i) {
    rows[i] = (BenchRow){.engine = engines[i]};
    runners[i].row = &rows[i];
    runners[i].times = calloc((size_t)steps, sizeof *runners[i].times);
    runners[i].world = engines[i]->create(&scene, bench_step(bench), engines[i]->preset);
    rows[i].done = runners[i].world != NULL;
    if (strcmp(engines[i]->name, "bullet") == 0)
      peer = &runners[i];
  }
  for (int first = 0; first < steps; first += TURN) {
    for (int i = 0; i < engine_count; ++i)
      take_turn(&scene, &runners[i], bench, steps, limits.budget, poses);
    show_progress(bench->name, 100 * first / steps);
  }
  show_progress(bench->name, 100);
  for (int i = 0; i < engine_count; ++i)
    compare(&runners[i], peer);
  for (int i = 0; i < engine_count; ++i)
    finish(&runners[i]);
  free(poses);
  scene_end(&scene);
}
