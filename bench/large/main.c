// main.c - rigor-bench-large: what one large scene on many machines would cost, and what one machine does.
//
//     rigor-bench-large divide [BALLS]          residual against exchanges, for 1 to 16 parts
//     rigor-bench-large step [BALLS [PRESET]]   time, memory and certificate of steps on this machine
//
// The first splits the contact problem of a settled packing and sweeps the parts with what the others do
// frozen (divide.c). The certificate of the whole problem judges after every exchange; whatever the parts
// measure themselves is not asked. docs/large.md has the tables.
#include "large.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE = 300, SWEEPS_MAX = 1000 };
static const double LEVELS[] = {1e-1, 5e-2, 2e-2};
enum { LEVEL_COUNT = 3 };

// --- divided -------------------------------------------------------------------------------------

static const LargeWay WAYS[] = {
    {"mass split, 1 sweep", LARGE_SPLIT, 1, 1, false},
    {"mass split, 5 sweeps", LARGE_SPLIT, 1, 5, false},
    {"mass split, 20 sweeps", LARGE_SPLIT, 1, 20, false},
    {"mass split, 20 accelerated", LARGE_SPLIT, 1, 20, true},
    {"mass split, 100 accelerated", LARGE_SPLIT, 1, 100, true},
    {"whole mass, 1 sweep", LARGE_PLAIN, 1, 1, false},
    {"whole mass, 1 sweep, 0.75", LARGE_PLAIN, 0.75, 1, false},
    {"whole mass, 5 sweeps, 0.75", LARGE_PLAIN, 0.75, 5, false},
};

static double residual_of(const LargeDivision* division) {
  rgCertificate certificate;
  rg_problem_certify(division->whole, &division->solution, 1, &certificate);
  return certificate.residual;
}

// One way for one number of parts: how many exchanges and sweeps it takes to each level.
static bool try_way(const LargeProblem* large, int parts, const LargeWay* way) {
  LargeDivision division;
  if (!large_divide(large, parts, &division)) {
    large_division_free(&division);
    return false;
  }
  int exchanges[LEVEL_COUNT] = {0}, sweeps[LEVEL_COUNT] = {0}, made = 0, level = 0, count = 0;
  double residual = HUGE_VAL;
  while (level < LEVEL_COUNT && made < SWEEPS_MAX) {
    made += large_exchange(&division, way);
    count++;
    residual = residual_of(&division);
    if (!(residual < 1e6))
      break;
    for (; level < LEVEL_COUNT && residual <= LEVELS[level]; ++level)
      exchanges[level] = count, sweeps[level] = made;
  }
  printf("%5d  %-27s %6d %6d %9.1f ", parts, way->name, division.shared, division.bordering,
         (double)division.bytes / 1024);
  for (int k = 0; k < LEVEL_COUNT; ++k)
    if (k < level)
      printf("  %5d (%5d)", exchanges[k], sweeps[k]);
    else
      printf("  %13s", "-");
  printf("  %9.1e after %d\n", residual, made);
  fflush(stdout);
  large_division_free(&division);
  return true;
}

// Without parts and without pauses: what the library does on one machine.
static void try_whole(const LargeProblem* large) {
  static const int limits[] = {100, 300, 1000};
  size_t bodies = (size_t)large->problem.body_count,
         contacts = (size_t)large->problem.contact_count;
  double* v = calloc(6 * bodies + 4 * contacts + 1, sizeof(double));
  void* work = malloc(rg_solve_work_size(&large->problem, "nsgs") + 1);
  rgSolution solution = {v, v ? v + 6 * bodies : NULL, NULL};
  for (int k = 0; v && work && k < 3; ++k) {
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    memset(solution.r, 0, 4 * contacts * sizeof(double));
    stop.tolerance = 1e-15;
    stop.iteration_limit = limits[k];
    double begin = large_cpu();
    rg_solve(&large->problem, "nsgs", NULL, &stop, &solution, work, &report, NULL);
    printf("undivided, accelerated: residual %.1e after %d sweeps, %.3f s of CPU time\n",
           report.certificate.residual, report.sweeps, large_cpu() - begin);
  }
  fflush(stdout);
  free(v);
  free(work);
}

static int divide(int balls) {
  LargeProblem large;
  rgWorld* world = large_world(balls, "realtime", 1);
  for (int i = 0; world && i < SETTLE; ++i)
    if (rg_world_step(world, NULL) != RG_OK)
      return 1;
  if (!world || !large_problem_take(world, &large)) {
    fprintf(stderr, "no packing: not enough memory\n");
    return 1;
  }
  printf("%d balls, %d contacts in the largest island, after %d steps; from impulses of zero\n",
         large.problem.body_count, large.problem.contact_count, SETTLE);
  try_whole(&large);
  printf("exchanges (sweeps of each part) until the certificate of the whole is below a level\n");
  printf("%5s  %-27s %6s %6s %9s ", "parts", "way", "shared", "border", "KiB");
  for (int k = 0; k < LEVEL_COUNT; ++k)
    printf("  %13.0e", LEVELS[k]);
  printf("  %s\n", "at the end");
  for (int parts = 1; parts <= 16; parts *= 2)
    for (size_t k = 0; k < sizeof WAYS / sizeof *WAYS; ++k)
      if (parts > 1 || WAYS[k].rule == LARGE_SPLIT)
        if (!try_way(&large, parts, &WAYS[k]))
          return 1;
  large_problem_free(&large);
  rg_world_destroy(world);
  return 0;
}

// --- on one machine --------------------------------------------------------------------------------

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Steps of a packing at several times of its fall.
static int step(int balls, const char* preset) {
  enum { STEPS = 10, LOOKS = 4 };
  static const int at[LOOKS] = {0, 60, 120, 240};
  rgWorld* world = large_world(balls, preset, 2);
  if (!world)
    return 1;
  printf("%d balls, preset %s, medians of %d steps\n", balls, preset, STEPS);
  printf("%6s %10s %12s %12s %10s %12s %8s\n", "step", "contacts", "CPU [s]", "per contact",
         "memory", "residual", "met");
  int made = 0;
  for (int k = 0; k < LOOKS; ++k) {
    for (; made < at[k]; ++made)
      if (rg_world_step(world, NULL) != RG_OK)
        return 1;
    double times[STEPS], worst = 0;
    bool met = true;
    for (int i = 0; i < STEPS; ++i, ++made) {
      double begin = large_cpu();
      if (rg_world_step(world, NULL) != RG_OK)
        return 1;
      times[i] = large_cpu() - begin;
      const rgCertificate* certificate = rg_world_certificate(world);
      worst = fmax(worst, certificate->residual);
      met = met && certificate->met;
    }
    qsort(times, STEPS, sizeof *times, by_size);
    int contacts = rg_world_certificate(world)->contacts;
    printf("%6d %10d %12.3f %9.2f us %6.0f MiB %12.1e %8s\n", made, contacts, times[STEPS / 2],
           contacts > 0 ? 1e6 * times[STEPS / 2] / contacts : 0,
           (double)rg_world_counts(world).memory / 1048576, worst, met ? "yes" : "no");
    fflush(stdout);
  }
  rg_world_destroy(world);
  return 0;
}

int main(int argc, char** argv) {
  int balls = argc > 2 ? atoi(argv[2]) : 0;
  if (argc > 1 && strcmp(argv[1], "divide") == 0)
    return divide(balls > 0 ? balls : 3000);
  if (argc > 1 && strcmp(argv[1], "step") == 0)
    return step(balls > 0 ? balls : 100000, argc > 3 ? argv[3] : "realtime");
  fprintf(stderr, "usage: rigor-bench-large divide [BALLS] | step [BALLS [PRESET]]\n");
  return 2;
}
