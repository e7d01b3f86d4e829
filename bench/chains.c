// chains.c - cost of a link as chains and trees of joints grow longer.
//
// Whole steps of a world: bodies without shapes joined by balls, theta with the post stabilizer.
// Chains of all sizes are measured over the same time of their motion, short ones many times over
// with other random numbers: what a step costs depends on how fast links turn. What disturbs the
// machine only ever adds time, so that the least of several repetitions counts.
#include "bench.h"

#include "base/random.h"
#include "math/vec.h"
#include <rigor/joint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  CHAIN_REPEATS = 5,
  CHAIN_LINKS = 10000,  // in all worlds of a size together,
  CHAIN_WORLDS = 100,   // of which there are at most these
  CHAIN_WARM_STEPS = 4, // not measured: memory is taken
  CHAIN_STEPS = 20
};

static const double CHAIN_STEP = 1e-3;  // [s]
static const double CHAIN_LENGTH = 0.1; // [m] of a link
static const double CHAIN_GROWTH = 1.5; // largest cost of a link over the least: what linear means

typedef struct ChainKind {
  const char* name;
  bool hung;    // the first link at the ground
  int branches; // links at the end of each
} ChainKind;

static const ChainKind KINDS[] = {
    {"hanging chain", true, 1}, {"falling chain", false, 1}, {"hanging tree", true, 2}};
static const int SIZES[] = {10, 100, 1000, 10000};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

typedef struct ChainRow {
  int links;
  double cpu;      // [s] of a step
  double residual; // largest
  double error;    // [m] largest of a joint at the end
  int not_met;
} ChainRow;

// Reproducible numbers in [-1, 1).
static double next_random(uint64_t* state) { return 2 * rg_random_unit(state) - 1; }

static bool add_link(rgWorld* world, const ChainKind* kind, int index, rgBodyId* ids, rgVec3* ends,
                     uint64_t* seed) {
  int parent = index == 0 ? -1 : (index - 1) / kind->branches;
  rgVec3 start = parent < 0 ? v3_zero() : ends[parent];
  double y = next_random(seed), z = next_random(seed);
  rgVec3 along = v3_scale(v3_unit_or(v3(1, 0.3 * y, 0.3 * z), v3(1, 0, 0)), CHAIN_LENGTH);
  rgBodyDef def = rg_body_def();
  def.pose.position = v3_axpy(start, 0.5, along);
  def.mass = 0.1;
  def.inertia_given = true;
  double across = def.mass * CHAIN_LENGTH * CHAIN_LENGTH / 12;
  def.inertia = m3_diag(across, across, across);
  // a falling chain that moved as one would ask nothing of its joints
  if (!kind->hung)
    def.velocity.linear = v3(0, next_random(seed), next_random(seed));
  ends[index] = v3_add(start, along);
  if (rg_world_add_body(world, &def, NULL, 0, &ids[index]) != RG_OK)
    return false;
  if (parent < 0 && !kind->hung)
    return true;
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  if (parent >= 0)
    joint.body_a = ids[parent];
  joint.body_b = ids[index];
  joint.point = start;
  rgJointId id;
  return rg_world_add_joint(world, &joint, &id) == RG_OK;
}

static rgWorld* make_chain(const ChainKind* kind, int links, uint64_t seed) {
  rgWorldDef def = rg_world_def();
  def.options.step = CHAIN_STEP;
  rgWorld* world = NULL;
  rgMessage message;
  if (rg_world_create(&def, &world, &message) != RG_OK)
    return NULL;
  rgBodyId* ids = calloc((size_t)links, sizeof *ids);
  rgVec3* ends = calloc((size_t)links, sizeof *ends);
  bool made = ids && ends;
  for (int i = 0; made && i < links; i++)
    made = add_link(world, kind, i, ids, ends, &seed);
  free(ids);
  free(ends);
  if (made)
    return world;
  rg_world_destroy(world);
  return NULL;
}

static double largest_error(rgWorld* world) {
  double error = 0;
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointState state;
    rg_joint_state(world, rg_world_joint(world, i), &state);
    error = fmax(error, state.error);
  }
  return error;
}

// CPU time [s] of the steps of one chain that are measured.
static double run_chain(rgWorld* world, ChainRow* row) {
  double start = 0;
  for (int i = 0; i < CHAIN_WARM_STEPS + CHAIN_STEPS; i++) {
    if (i == CHAIN_WARM_STEPS)
      start = bench_cpu();
    rgCertificate certificate;
    rg_world_step(world, &certificate);
    row->residual = fmax(row->residual, certificate.residual);
    row->not_met += !certificate.met;
  }
  double time = bench_cpu() - start;
  row->error = fmax(row->error, largest_error(world));
  return time;
}

// One repetition for all sizes in turn, so that what disturbs one of them disturbs the others.
static void measure(const ChainKind* kind, ChainRow* rows) {
  for (int k = 0; k < SIZE_COUNT; k++) {
    ChainRow* row = &rows[k];
    int worlds = CHAIN_LINKS / row->links < CHAIN_WORLDS ? CHAIN_LINKS / row->links : CHAIN_WORLDS;
    double time = 0;
    for (int i = 0; i < worlds; i++) {
      rgWorld* world = make_chain(kind, row->links, (uint64_t)(1 + i));
      time += world ? run_chain(world, row) : HUGE_VAL;
      rg_world_destroy(world);
    }
    row->cpu = fmin(row->cpu, time / (worlds * CHAIN_STEPS));
  }
}

static void print_table(const ChainKind* kind, const ChainRow* rows, double growth) {
  printf("\n%s of balls, theta and post, h = %g s\n", kind->name, CHAIN_STEP);
  printf("%8s %11s %10s %10s %8s %13s\n", "links", "CPU [ms]", "per link", "residual", "not met",
         "joint error");
  printf("%8s %11s %10s %10s %8s %13s\n", "", "of a step", "[us]", "largest", "", "[m]");
  for (int i = 0; i < SIZE_COUNT; i++)
    printf("%8d %11.3f %10.3f %10.1e %8d %13.1e\n", rows[i].links, 1e3 * rows[i].cpu,
           1e6 * rows[i].cpu / rows[i].links, rows[i].residual, rows[i].not_met, rows[i].error);
  printf("cost of a link differs %.2f times from %d to %d links, goal %g %s\n", growth, SIZES[0],
         SIZES[SIZE_COUNT - 1], CHAIN_GROWTH, growth <= CHAIN_GROWTH ? "reached" : "MISSED");
}

static void print_json(const ChainKind* kind, const ChainRow* rows, double growth, bool first) {
  printf("%s\n    {\"chain\": \"%s\", \"growth\": %.3f, \"sizes\": [", first ? "" : ",", kind->name,
         growth);
  for (int i = 0; i < SIZE_COUNT; i++)
    printf("%s\n      {\"links\": %d, \"cpu_s\": %.3e, \"residual\": %.3e, \"steps_not_met\": %d, "
           "\"joint_error_m\": %.3e}",
           i ? "," : "", rows[i].links, rows[i].cpu, rows[i].residual, rows[i].not_met,
           rows[i].error);
  printf("]}");
}

void bench_chains(bool json) {
  for (int k = 0; k < KIND_COUNT; k++) {
    ChainRow rows[SIZE_COUNT];
    for (int i = 0; i < SIZE_COUNT; i++)
      rows[i] = (ChainRow){.links = SIZES[i], .cpu = HUGE_VAL};
    for (int repeat = 0; repeat < CHAIN_REPEATS; repeat++)
      measure(&KINDS[k], rows);
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < SIZE_COUNT; i++) {
      least = fmin(least, rows[i].cpu / rows[i].links);
      most = fmax(most, rows[i].cpu / rows[i].links);
    }
    if (json)
      print_json(&KINDS[k], rows, most / least, k == 0);
    else
      print_table(&KINDS[k], rows, most / least);
    fflush(stdout);
  }
}
