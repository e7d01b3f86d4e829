// hulls.c - cost of a step as the hulls in it have more corners.
//
// Six hulls fall onto the ground and onto each other: three, two, one. Corners lie on an ellipsoid,
// evenly along a spiral, so that hulls of all sizes are the same body but for the fineness of its
// surface and meet in the same places. What disturbs the machine only ever adds time, so that the
// least of several repetitions counts, all sizes in turn.
#include "bench.h"

#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  HULL_REPEATS = 5,
  HULL_BODIES = 6,
  HULL_WARM_STEPS = 20, // not measured: memory is taken, bodies come to touch
  HULL_STEPS = 60
};

static const double HULL_GROWTH = 3; // largest cost of a step over the least: the goal
static const int HULL_POINTS[] = {152, 802, 3000, 7000};
enum { HULL_SIZES = sizeof HULL_POINTS / sizeof *HULL_POINTS };

typedef struct HullRow {
  int points;
  double cpu;      // [s] of a step
  double contacts; // mean
  double residual; // largest
  int not_met;
} HullRow;

static void spiral(rgVec3* points, int count) {
  double turn = acos(-1) * (3 - sqrt(5));
  for (int i = 0; i < count; i++) {
    double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    points[i] = v3(0.5 * r * cos(turn * i), 0.4 * r * sin(turn * i), 0.3 * z);
  }
}

static bool add_hulls(rgWorld* world, const rgVec3* points, int count) {
  static const double places[HULL_BODIES][3] = {{-0.55, 0, 0.31}, {0.55, 0.1, 0.32},
                                                {0, 0.85, 0.31},  {-0.1, 0.25, 0.95},
                                                {0.3, 0.55, 1.6}, {-0.2, 0.3, 2.25}};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  shape.points = points;
  shape.point_count = count;
  bool added = true;
  for (int i = 0; i < HULL_BODIES; i++) {
    rgBodyDef body = rg_body_def();
    body.pose.position = v3(places[i][0], places[i][1], places[i][2]);
    body.pose.orientation = (rgQuat){cos(0.1 * i), 0, 0, sin(0.1 * i)};
    rgBodyId id;
    added = added && rg_world_add_body(world, &body, &shape, 1, &id) == RG_OK;
  }
  return added;
}

static rgWorld* make_heap(int count) {
  rgWorldDef def = rg_world_def();
  def.options.step = BENCH_STEP;
  rgWorld* world = NULL;
  rgMessage message;
  rgVec3* points = calloc((size_t)count, sizeof *points);
  if (!points || rg_world_create(&def, &world, &message) != RG_OK) {
    free(points);
    return NULL;
  }
  spiral(points, count);
  rgBodyDef ground = rg_body_def();
  ground.kind = RG_BODY_STATIC;
  rgShapeDef plane = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId id;
  bool made =
      rg_world_add_body(world, &ground, &plane, 1, &id) == RG_OK && add_hulls(world, points, count);
  free(points);
  if (made)
    return world;
  rg_world_destroy(world);
  return NULL;
}

static void run_heap(HullRow* row) {
  rgWorld* world = make_heap(row->points);
  if (!world)
    return; // its cost stays infinite
  double start = 0, contacts = 0;
  for (int i = 0; i < HULL_WARM_STEPS + HULL_STEPS; i++) {
    if (i == HULL_WARM_STEPS)
      start = bench_cpu();
    rgCertificate certificate;
    rg_world_step(world, &certificate);
    row->residual = fmax(row->residual, certificate.residual);
    row->not_met += !certificate.met;
    contacts += i < HULL_WARM_STEPS ? 0 : certificate.contacts;
  }
  row->cpu = fmin(row->cpu, (bench_cpu() - start) / HULL_STEPS);
  row->contacts = contacts / HULL_STEPS;
  rg_world_destroy(world);
}

static void print_table(const HullRow* rows, double growth) {
  printf("\nheap of %d hulls, preset default, h = %g s\n", HULL_BODIES, BENCH_STEP);
  printf("%8s %11s %8s %10s %10s %8s\n", "points", "CPU [ms]", "ratio", "contacts", "residual",
         "met [%]");
  printf("%8s %11s %8s %10s %10s %8s\n", "of each", "of a step", "to least", "mean", "largest",
         "of steps");
  double least = HUGE_VAL;
  for (int i = 0; i < HULL_SIZES; i++)
    least = fmin(least, rows[i].cpu);
  for (int i = 0; i < HULL_SIZES; i++)
    printf("%8d %11.3f %8.2f %10.1f %10.1e %8.1f\n", rows[i].points, 1e3 * rows[i].cpu,
           rows[i].cpu / least, rows[i].contacts, rows[i].residual,
           100 - 100.0 * rows[i].not_met / (HULL_REPEATS * (HULL_WARM_STEPS + HULL_STEPS)));
  printf("cost of a step differs %.2f times from %d to %d points, goal %g %s\n", growth,
         HULL_POINTS[0], HULL_POINTS[HULL_SIZES - 1], HULL_GROWTH,
         growth <= HULL_GROWTH ? "reached" : "MISSED");
}

static void print_json(const HullRow* rows, double growth) {
  printf("\n    {\"bodies\": %d, \"growth\": %.3f, \"sizes\": [", HULL_BODIES, growth);
  for (int i = 0; i < HULL_SIZES; i++)
    printf("%s\n      {\"points\": %d, \"cpu_s\": %.3e, \"contacts\": %.1f, \"residual\": %.3e, "
           "\"steps_not_met\": %d}",
           i ? "," : "", rows[i].points, rows[i].cpu, rows[i].contacts, rows[i].residual,
           rows[i].not_met);
  printf("]}");
}

void bench_hulls(bool json) {
  HullRow rows[HULL_SIZES];
  for (int i = 0; i < HULL_SIZES; i++)
    rows[i] = (HullRow){.points = HULL_POINTS[i], .cpu = HUGE_VAL};
  for (int repeat = 0; repeat < HULL_REPEATS; repeat++)
    for (int i = 0; i < HULL_SIZES; i++)
      run_heap(&rows[i]);
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < HULL_SIZES; i++) {
    least = fmin(least, rows[i].cpu);
    most = fmax(most, rows[i].cpu);
  }
  if (json)
    print_json(rows, most / least);
  else
    print_table(rows, most / least);
  fflush(stdout);
}
