// compare.h - what `rigor compare` measures: one record per combination of stepper, solver and
// stabilizer on the same scene.
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/run/progress.h"
#include "cli/run/summary.h"

// What is chosen from, in the order in which combinations count: the last changes fastest.
typedef enum CliChoice {
  CLI_CHOICE_STEPPER,
  CLI_CHOICE_SOLVER,
  CLI_CHOICE_STABILIZER,
  CLI_CHOICE_COUNT
} CliChoice;

// How far a combination came.
typedef enum CliFate {
  CLI_FATE_WAITING,     // was not reached
  CLI_FATE_REFUSED,     // the world does not take it; summary.reason says why
  CLI_FATE_RAN,         // to the end
  CLI_FATE_INTERRUPTED, // ended by a signal after a whole step
  CLI_FATE_FAILED,      // could not go on; summary.reason says why
} CliFate;

// A stretch of a run, for plots: the state at its end and the worst of its steps.
typedef struct CliSample {
  double time;         // [s] at its end
  double energy;       // [J] kinetic and potential, at its end, less that of the start
  rgCertificate worst; // of its steps, by rg_certificate_worst
} CliSample;

typedef struct CliCombination {
  const char* name[CLI_CHOICE_COUNT];
  CliFate fate;
  CliSummary summary;                // of its run
  double energy_gained, energy_lost; // [J] sums of rgCertificate.energy over the steps that gained
                                     // and those that lost, both >= 0
  double difference;                 // [m] of the last state to that of the reference; NaN: none
  CliSample* samples;                // NULL unless there is to be a page
  int sample_count;
} CliCombination;

// Where the mass of a body is, for differences of states.
typedef struct CliPlace {
  rgVec3 center; // [m]
  rgQuat orientation;
} CliPlace;

enum { CLI_NAMES_MAX = 32 }; // more than any table of names has

typedef struct CliComparison {
  const char* scene_path;
  rgScene* scene;
  rgOptions options;     // shared by all but for the three names
  double time;           // [s] simulated
  int64_t planned;       // steps of each run
  bool sampled;          // for a page
  bool joints;           // the scene has any
  CliProgress* progress; // NULL: none is shown
  const char* names[CLI_CHOICE_COUNT][CLI_NAMES_MAX];
  int name_count[CLI_CHOICE_COUNT];
  CliCombination* combinations;
  int count;
  int reference;    // the first that ran to the end, -1 before
  CliPlace* places; // of its bodies at the end
  int place_count;
} CliComparison;

// How many ended in each way.
typedef struct CliTally {
  int waiting, refused, ran, interrupted, failed;
  int not_met; // of those that ran, were interrupted or failed: with a step above the tolerance
} CliTally;
CliTally cli_comparison_tally(const CliComparison* comparison);

// Simulates every combination, one after the other, until a signal ends it. RG_OK whatever became
// of the single ones; else the scene is wrong or memory ran out, and the message says so.
rgStatus cli_comparison_run(CliComparison* comparison, rgMessage* message);
void cli_comparison_free(CliComparison* comparison);

// "ok", "not-met", "refused", "interrupted", "failed", "not-run"
const char* cli_combination_outcome(const CliCombination* combination);
// Why it has no row of numbers: "refused", "failed after 12 of 80 steps, t = 0.12 s", "not run";
// empty when it has. The reason is in its summary.
void cli_combination_remark(const CliComparison* comparison, const CliCombination* combination,
                            char* text, size_t size);
// The names of those choices that have more than one, or of all: "theta nsgs post".
void cli_combination_label(const CliCombination* combination, const bool* shown, char* text,
                           size_t size);
// How it ended as a whole, in one sentence.
void cli_comparison_sentence(const CliComparison* comparison, char* text, size_t size);

// A column of numbers of a combination that ran to the end.
typedef struct CliCompareColumn {
  const char *head, *unit;
  int width; // in a table of letters, with the gap before it
  // Writes a cell. NULL for the largest value of the certificate's field `field`.
  void (*text)(const CliComparison* comparison, const CliCombination* combination, char* text,
               size_t size);
  const char* field;
  bool doubtful; // is bad news where the tolerance was not met
} CliCompareColumn;
// The first are of work and contacts, the rest of joints, energy and the state: a table each.
enum { CLI_COMPARE_FIRST = 5, CLI_COMPARE_COLUMNS = 10 };
const CliCompareColumn* cli_compare_column(int index);
void cli_compare_cell(const CliCompareColumn* column, const CliComparison* comparison,
                      const CliCombination* combination, char* text, size_t size);
// What the columns mean; there must be a reference.
void cli_comparison_legend(const CliComparison* comparison, char* text, size_t size);

extern const char* const cli_choice_name[CLI_CHOICE_COUNT]; // "stepper", "solver", "stabilizer"

void cli_comparison_print(const CliComparison* comparison);      // for people, stdout
void cli_comparison_print_json(const CliComparison* comparison); // one object, stdout
// A page with plots and the table; a failure of writing stays with the stream.
void cli_comparison_page(const CliComparison* comparison, FILE* stream);

#endif
