// scaling.c - cost of a contact as beds of constant depth grow wider.
//
// Beds of all sizes are run side by side, some steps of each in turn, so that what disturbs the
// machine disturbs all alike. A small bed is run again and again, each time from the start, so that
// all sizes are measured for a time of one order and in the same state. Costs are medians over
// steps.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const BenchBed BEDS[] = {
    {"spheres", scene_sphere_bed},
    {"boxes", scene_box_bed},
};

const BenchBed* bench_bed(int index) {
  int count = sizeof BEDS / sizeof *BEDS;
  return index >= 0 && index < count ? &BEDS[index] : NULL;
}

enum {
  TURNS = 10,
  MANY_BODIES = 10000, // smaller beds are repeated as often as they fit into this
  STEPS_MAX = 512      // measured, in all runs of a bed
};

// A bed on its way through its runs.
typedef struct Run {
  const BenchBed* bed;
  const EngineInfo* engine;
  int bodies, runs;
  int settle, steps; // of one run: not measured, and measured after them
  void* world;       // of the present run, NULL between two
  int step;          // in it
  bool given_up;
  // Of the measured steps.
  int count, not_met;
  double cpu[STEPS_MAX], per_contact[STEPS_MAX], per_iteration[STEPS_MAX];
  double contacts, iterations; // sums
  size_t memory;
} Run;

static bool begin(Run* run) {
  Scene scene;
  run->bed->build(&scene, run->bodies);
  run->world = run->engine->create(&scene, BENCH_STEP, run->engine->preset);
  run->step = 0;
  scene_end(&scene);
  return run->world != NULL;
}

static void end(Run* run) {
  if (run->world)
    run->engine->destroy(run->world);
  run->world = NULL;
}

static void measure(Run* run, double time) {
  EngineReport report = {.met = true};
  if (run->engine->report)
    run->engine->report(run->world, &report);
  double contacts = run->engine->contacts(run->world), work = contacts * report.iterations;
  run->cpu[run->count] = time;
  run->per_contact[run->count] = contacts > 0 ? time / contacts : 0;
  run->per_iteration[run->count] = work > 0 ? time / work : 0;
  run->count++;
  run->contacts += contacts;
  run->iterations += report.iterations;
  run->not_met += !report.met;
  run->memory = report.memory;
}

// Goes on until `count` steps have been measured in all.
static void advance(Run* run, int count) {
  while (run->count < count && !run->given_up) {
    if (!run->world && !begin(run)) {
      run->given_up = true;
      break;
    }
    double start = bench_cpu();
    run->given_up = !run->engine->step(run->world);
    double time = bench_cpu() - start;
    if (run->step++ >= run->settle && !run->given_up)
      measure(run, time);
    if (run->step == run->settle + run->steps)
      end(run);
  }
}

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return count > 0 ? 0.5 * (values[(count - 1) / 2] + values[count / 2]) : 0;
}

void bench_scaling(const BenchBed* bed, const EngineInfo* engine, const int* sizes, int count,
                   bool quick, BenchScaling* rows) {
  Run* runs = calloc((size_t)count, sizeof *runs);
  for (int k = 0; k < count; ++k) {
    runs[k] = (Run){.bed = bed, .engine = engine, .bodies = sizes[k], .runs = 1};
    // The bed first settles, so that all sizes are measured in the same state.
    runs[k].settle = quick ? 30 : 60;
    runs[k].steps = quick ? 10 : 30;
    if (sizes[k] < MANY_BODIES && !quick)
      runs[k].runs = MANY_BODIES / sizes[k];
  }
  for (int turn = 1; turn <= TURNS; ++turn)
    for (int k = 0; k < count; ++k) {
      if (isatty(2))
        fprintf(stderr, "\rbeds of %s: turn %d of %d, %d bodies\033[K", bed->name, turn, TURNS,
                sizes[k]);
      advance(&runs[k], runs[k].runs * runs[k].steps * turn / TURNS);
    }
  if (isatty(2))
    fprintf(stderr, "\r\033[K");
  for (int k = 0; k < count; ++k) {
    Run* run = &runs[k];
    end(run);
    int steps = run->count > 0 ? run->count : 1;
    rows[k] = (BenchScaling){.bodies = run->bodies,
                             .memory = run->memory,
                             .not_met = run->not_met / run->runs,
                             .cpu = median(run->cpu, run->count),
                             .contacts = run->contacts / steps,
                             .iterations = run->iterations / steps,
                             .per_contact = median(run->per_contact, run->count),
                             .per_iteration = median(run->per_iteration, run->count)};
  }
  free(runs);
}
