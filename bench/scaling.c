// scaling.c - cost of a contact as beds of constant depth grow wider.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const BenchBed BEDS[] = {
    {"spheres", scene_sphere_bed},
    {"boxes", scene_box_bed},
};

const BenchBed* bench_bed(int index) {
  int count = sizeof BEDS / sizeof *BEDS;
  return index >= 0 && index < count ? &BEDS[index] : NULL;
}

// Sums over the steps of one or more runs.
typedef struct Sums {
  int steps, not_met;
  double cpu, contacts, iterations, work;
  size_t memory;
} Sums;

static void run_bed(const BenchBed* bed, const EngineInfo* engine, int bodies, bool quick,
                    Sums* sums) {
  // The bed first settles, so that all sizes are measured in the same state.
  int settle = quick ? 30 : 60, steps = quick ? 10 : 30;
  Scene scene;
  bed->build(&scene, bodies);
  void* world = engine->create(&scene, BENCH_STEP, engine->preset);
  for (int i = 0; world && i < settle + steps; ++i) {
    double start = bench_cpu();
    if (!engine->step(world))
      break;
    double time = bench_cpu() - start;
    if (isatty(2))
      fprintf(stderr, "\rbed of %d %s: %3d %%\033[K", bodies, bed->name,
              100 * i / (settle + steps));
    if (i < settle)
      continue;
    EngineReport report = {.met = true};
    if (engine->report)
      engine->report(world, &report);
    sums->steps++;
    sums->cpu += time;
    sums->contacts += engine->contacts(world);
    sums->iterations += report.iterations;
    sums->work += (double)report.iterations * engine->contacts(world);
    sums->not_met += !report.met;
    sums->memory = report.memory;
  }
  if (isatty(2))
    fprintf(stderr, "\r\033[K");
  if (world)
    engine->destroy(world);
  scene_end(&scene);
}

void bench_scaling(const BenchBed* bed, const EngineInfo* engine, int bodies, bool quick,
                   BenchScaling* row) {
  // Small beds are run again and again, so that all sizes are measured for a time of one order: a
  // tenth of a second of a shared machine says little.
  enum { MANY_BODIES = 10000 };
  int runs = bodies < MANY_BODIES && !quick ? MANY_BODIES / bodies : 1;
  Sums sums = {0};
  for (int i = 0; i < runs; ++i)
    run_bed(bed, engine, bodies, quick, &sums);
  int steps = sums.steps > 0 ? sums.steps : 1;
  *row = (BenchScaling){.bodies = bodies,
                        .memory = sums.memory,
                        .not_met = sums.not_met / runs,
                        .cpu = sums.cpu / steps,
                        .contacts = sums.contacts / steps,
                        .iterations = sums.iterations / steps,
                        .per_contact = sums.contacts > 0 ? sums.cpu / sums.contacts : 0,
                        .per_iteration = sums.work > 0 ? sums.cpu / sums.work : 0};
}
