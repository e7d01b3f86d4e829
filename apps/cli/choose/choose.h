// choose.h - trials of `rigor choose`: options and geometry, each with the error and the time it took.
#ifndef CLI_CHOOSE_H
#define CLI_CHOOSE_H

#include "cli/run/progress.h"
#include <rigor/rigor.h>

typedef enum CliTrialFate {
  CLI_TRIAL_RAN,
  CLI_TRIAL_SLOW,    // ended: it took many times as long as the best
  CLI_TRIAL_REFUSED, // the options do not suit the scene
  CLI_TRIAL_FAILED,  // a step could not be made
} CliTrialFate;

typedef struct CliTrial {
  rgOptions options;
  int facets; // polytopes in the place of smooth shapes; 0 = the shapes as they are
  CliTrialFate fate;
  rgMessage reason; // when it did not run
  double error;     // [m] largest distance of a body from the reference
  double cpu;       // [s] of all steps
  double slowest;   // [s] of one of them
  int64_t steps, not_met;
  bool holds; // what was asked for
} CliTrial;

enum { CLI_TRIALS_MAX = 128 };

typedef struct CliChoosing {
  const char* path;
  rgScene* scene;
  rgOptions options; // of the scene and the command line
  double accuracy;   // [m]
  bool realtime;     // the slowest step must be faster than the clock
  double time;       // [s] that is looked at
  double frame;      // [s] between places that are compared: the longest step
  int frame_count;

  rgPose* places; // [frame][body] of the reference: centre and orientation
  int body_count;
  double reference_error; // [m]
  double reference_cpu;   // [s]
  bool shortened;         // the reference is not known to the end that was asked for
  CliTrial trials[CLI_TRIALS_MAX];
  int count, best; // -1: none holds
  CliProgress* progress;
} CliChoosing;

// Makes the reference, then the trials. RG_CANCELLED after an interruption.
rgStatus cli_choose_reference(CliChoosing* choosing, rgMessage* message);
rgStatus cli_choose_search(CliChoosing* choosing, rgMessage* message);
// One trial, appended; NULL when there is no room for more.
bool cli_choose_reads_theta(const char* stepper); // whether the option theta is one of this stepper
CliTrial* cli_choose_try(CliChoosing* choosing, const rgOptions* options, int facets);
void cli_choose_free(CliChoosing* choosing);

void cli_choose_print(const CliChoosing* choosing);      // tables for people, stdout
void cli_choose_print_json(const CliChoosing* choosing); // one object, stdout
// The options of a trial that differ from those of the scene, as on the command line.
void cli_choose_flags(const CliChoosing* choosing, const CliTrial* trial, char* text, size_t size);

#endif
