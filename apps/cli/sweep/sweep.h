// sweep.h - one sweep: what is varied, what is reported, and how a run is made of it.
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/ensemble/drive.h"
#include "cli/sweep/probe.h"
#include "cli/sweep/vary.h"

typedef struct CliSweepValues {
  CliTexts vary, report;
  int64_t count; // 0: from lists and grids
  int64_t seed, threads;
  double duration;   // [s] negative = as the scene says
  double rest_speed; // [m/s] 0 = from the scene
  double confidence; // [%]
  const char *output, *html, *shard, *until;
  bool resume, merge, json, quiet;
} CliSweepValues;

typedef struct CliSweep {
  const CliSweepValues* values;
  const CliParsed* parsed;
  const char* scene_path;
  CliVary varied[CLI_VARY_MAX];
  int varied_count;
  CliQuantity quantities[CLI_QUANTITY_MAX];
  int quantity_count;
  rgSceneTemplate* scenes;
  char title[512];
  uint64_t hash; // of the scene with all that its file refers to
  CliEnsemble ensemble;
} CliSweep;

// The command with a maker of runs.
int cli_sweep_main(int argc, char** argv, CliMaker* maker, bool helper);

// Makes a run of a sweep; a CliMakeRun whose context is a CliSweep.
CliFinish cli_sweep_make(const CliEnsemble* ensemble, int64_t index, double* row,
                         rgMessage* message);
// Reads --vary and --report against the scene.
int cli_sweep_plan(CliSweep* sweep);

#endif
