// summary.h - what a run came to: collected step by step, told to people and to machines.
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli/run/recorder.h"
#include "cli/text/json.h"
#include <rigor/rigor.h>

typedef enum CliOutcome {
  CLI_DONE,        // all steps were made and met the tolerance
  CLI_NOT_MET,     // all steps were made, some did not meet the tolerance
  CLI_INTERRUPTED, // ended by a signal after a whole step
  CLI_FAILED,      // could not go on; `reason` says why
} CliOutcome;

// What energy is lost to, or comes from: parts of rgCertificate.energy.
enum { CLI_CAUSE_COUNT = 4 };
typedef struct CliCause {
  const char* field; // of the certificate
  const char* name;  // in the summary
} CliCause;
extern const CliCause cli_causes[CLI_CAUSE_COUNT];

typedef struct CliSummary {
  const char *scene, *title;
  const char *trajectory, *snapshot, *problem_folder; // NULL when not asked for
  rgOptions options;
  int bodies[RG_BODY_KIND_COUNT];

  double start, end;      // [s] simulated
  int64_t planned, steps; // to be made, made
  double cpu, wall;       // [s] of stepping alone
  size_t memory;          // [bytes] held by the world
  int undetermined;       // contacts of the last step whose impulse is a matter of choice

  int64_t contact_sum, iteration_sum, sweep_sum, factorization_sum, asleep_sum;
  int asleep; // bodies that sleep at the end
  int contact_max, iteration_max, sweep_max, factorization_max;
  double slowest;         // [s] CPU time of the step that took the most
  int64_t slowest_step;   // counted from the start of the run
  int64_t implicit_steps; // of the stepper auto: those that implicit-geometry made
  int64_t islands, warm;  // island problems met, and those whose warm start was already good enough

  rgCertificate worst; // of rg_certificate_worst over the steps
  int64_t not_met;     // steps that were not met
  int64_t above;       // of these, steps whose residual is above the tolerance
  int64_t worst_step;  // the one with the largest residual, counted from the start of the run
  double worst_time;   // [s] at its end
  double energy_gain, energy_loss,
      energy_sum;                        // [J] of rgCertificate.energy: most, least (<= 0), total
  double energy_causes[CLI_CAUSE_COUNT]; // [J] the total by cause
  rgEnergy energy_start, energy_end;     // [J]

  int64_t frames; // in the trajectory
  double rate;    // [1/s] of frames that was asked for, 0 = by a number of steps
  CliFrameSteps frame_steps;
  int64_t problems; // files in their folder
  uint64_t hash;    // of the last state
  CliOutcome outcome;
  rgMessage reason;           // CLI_FAILED
  const rgAccuracy* accuracy; // NULL: none was asked for
  const rgWorld* world;       // with it: names of bodies
} CliSummary;

// Takes the counts and the energy of the world before its first step.
void cli_summary_start(CliSummary* summary, const rgWorld* world);
// A step that was made, with its CPU time [s].
void cli_summary_step(CliSummary* summary, const rgWorld* world, const rgCertificate* certificate,
                      double cpu);
void cli_summary_end(CliSummary* summary, const rgWorld* world);
// For the summary for machines: which contacts of the last step are undetermined.
void cli_summary_count_undetermined(CliSummary* summary, const rgWorld* world);

// "ok", "not-met", "interrupted", "failed"
const char* cli_outcome_name(CliOutcome outcome);
// Simulated time over time on the wall; 0 before anything was measured.
double cli_summary_real_time(const CliSummary* summary);

void cli_summary_print(const CliSummary* summary);      // for people, stdout
void cli_summary_print_json(const CliSummary* summary); // one object, stdout
// Members of that object: "options" and "certificate".
void cli_summary_json_options(CliJson* json, const rgOptions* options);
void cli_summary_json_certificate(CliJson* json, const CliSummary* summary);
// The stepper, and with auto which steps it took: "auto (implicit-geometry in 30 of 200 steps)".
void cli_summary_stepper(const CliSummary* summary, char* text, size_t size);
// What steps missed of a stage in plain words: "3 steps left overlaps ..., worst 10 mm (asked 0.1
// mm)"; empty when none missed it.
void cli_summary_stage(const CliSummary* summary, int stage, char* text, size_t size);
// What the energy of the run was lost to or came from: "contacts -12.3 J, integration -0.2 J"; causes
// too small to matter beside the largest are left out, and it is empty when there are none.
void cli_summary_causes(const CliSummary* summary, char* text, size_t size);
// What became of a rate of frames that the steps do not divide into; empty when they do.
void cli_summary_frames(const CliSummary* summary, char* text, size_t size);
// Whether the error of positions stays below what was asked for; empty when nothing was.
void cli_summary_accuracy(const CliSummary* summary, char* text, size_t size);
// What would help a run that missed the tolerance or was slower than the clock; empty when there is
// nothing to say.
void cli_summary_advice(const CliSummary* summary, char* text, size_t size);
// Who looks into a run that missed or failed: "'rigor doctor tower.json' says where, ..."
void cli_summary_doctor(const CliSummary* summary, char* text, size_t size);
// The outcome in one sentence, without the end of the line.
void cli_summary_sentence(const CliSummary* summary, char* text, size_t size);

#endif
