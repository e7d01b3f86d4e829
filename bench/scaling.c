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

void bench_scaling(const BenchBed* bed, const EngineInfo* engine, int bodies, bool quick,
                   BenchScaling* row) {
  // The bed first settles, so that all sizes are measured in the same state.
  int settle = quick ? 30 : 60, steps = quick ? 10 : 30;
  *row = (BenchScaling){.bodies = bodies};
  Scene scene;
  bed->build(&scene, bodies);
  void* world = engine->create(&scene, BENCH_STEP, engine->preset);
  double cpu = 0, contacts = 0, iterations = 0, work = 0;
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
    cpu += time;
    contacts += engine->contacts(world);
    iterations += report.iterations;
    work += (double)report.iterations * engine->contacts(world);
    row->not_met += !report.met;
    row->memory = report.memory;
  }
  if (isatty(2))
    fprintf(stderr, "\r\033[K");
  row->cpu = cpu / steps;
  row->contacts = contacts / steps;
  row->iterations = iterations / steps;
  row->per_contact = contacts > 0 ? cpu / contacts : 0;
  row->per_iteration = work > 0 ? cpu / work : 0;
  if (world)
    engine->destroy(world);
  scene_end(&scene);
}
