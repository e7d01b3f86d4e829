// bench.h - what the parts of the bench program share.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "engine.h"
#include "tests/support/overlap.h"

enum { BENCH_ENGINES_MAX = 8, BENCH_SCALING_MAX = 8 };

extern const double BENCH_STEP; // [s]

// A scene to compare engines on; the table is in scenes.c.
typedef struct BenchScene {
  const char* name;
  const char* summary;
  void (*build)(Scene* scene);
  int steps, quick_steps; // full and short run
  int measure_every;      // [steps] between two looks at the overlap
  bool built;             // a building: it should stay as it was put up
  double goal;            // of the preset realtime: its time over Bullet's
  double step;            // [s], 0 = BENCH_STEP
} BenchScene;

double bench_step(const BenchScene* scene); // [s]

const BenchScene* bench_scene(int index); // NULL past the end

// What one engine did with one scene.
typedef struct BenchRow {
  const EngineInfo* engine;
  bool done;                   // it did not give up
  int steps;                   // that it did: fewer than asked for when its time was up
  double cpu_median, cpu_mean; // [s] of a step
  double ratio;                // of its time to Bullet's for the same steps; 0 without Bullet
  int contacts;                // in the last step
  Overlap end, worst;          // at the end, and the largest over the run
  double displacement;         // [m] largest at the end
  double joint_gap;            // [m] largest over the run
  double residual;             // [-] certificate: largest over the run
  int not_met;                 // steps above the tolerance
  double iterations_mean;
  int iterations_most;
  size_t memory; // [bytes]
} BenchRow;

// The preset realtime on one scene, for the table of goals.
typedef struct BenchGoal {
  const BenchScene* scene;
  BenchRow row;
} BenchGoal;

// How the cost grows with the number of bodies, for one engine.
typedef struct BenchScaling {
  int bodies;
  double contacts;      // mean over the measured steps
  double cpu;           // [s] median of a step
  double per_contact;   // [s] of a step, median
  double iterations;    // mean
  double per_iteration; // [s] for a contact in an iteration, median
  int not_met;
  size_t memory; // [bytes]
} BenchScaling;

// A family of beds of growing size.
typedef struct BenchBed {
  const char* name;
  void (*build)(Scene* scene, int count);
} BenchBed;

const BenchBed* bench_bed(int index); // NULL past the end

double bench_cpu(void); // [s] CPU time of this process

typedef struct BenchLimits {
  int steps;     // 0 = the scene's own number
  bool quick;    // its short number
  double budget; // [s] CPU time after which an engine stops before the last step
} BenchLimits;

// Runs all engines on one scene, a few steps of each in turn, so that what disturbs the machine
// disturbs all alike. Fills one row per engine.
void bench_run(const BenchScene* scene, const EngineInfo* const* engines, int engine_count,
               BenchLimits limits, BenchRow* rows);
// Runs beds of all sizes in the same way. Fills one row per size.
void bench_scaling(const BenchBed* bed, const EngineInfo* engine, const int* sizes, int count,
                   bool quick, BenchScaling* rows);

// Chains and trees of joints of growing size, run and printed (elements of a list when JSON).
void bench_chains(bool json);
// A heap of hulls of growing numbers of corners, run and printed likewise.
void bench_hulls(bool json);
// Cost of adding, finding and removing single objects as a world grows, run and printed likewise.
void bench_bookkeeping(bool json);
// One heap on several threads, run and printed likewise.
void bench_threads(bool json);

// Output, as a table or as JSON; `first` starts a list.
void print_begin(bool json);
void print_scene(bool json, const BenchScene* scene, const BenchRow* rows, int count, bool first);
void print_scaling(bool json, const BenchBed* bed, const EngineInfo* engine,
                   const BenchScaling* rows, int count, bool first);
// What realtime reached of its goals, scene by scene.
void print_goals(const BenchGoal* goals, int count);
void print_between(bool json, const char* list); // to the next list of results
void print_end(bool json);

#endif
