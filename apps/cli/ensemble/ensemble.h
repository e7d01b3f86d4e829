// ensemble.h - many runs whose results are rows of one table: who makes which run, what is kept on
// the disk while they are made, when they are enough.
//
// A run is a function of its number alone. Runs are made in any order, on threads or elsewhere, and
// the table is the same to the byte: what is decided on the way (CliUntil) is decided on the runs
// 0 .. n - 1 in their order, whoever is ahead.
//
// While runs are made, each finished one is a line of a journal beside the output (out.csv.part),
// which outlives whatever ends the process. The output itself is written when the runs are done.
#ifndef CLI_ENSEMBLE_H
#define CLI_ENSEMBLE_H

#include "cli/command.h"
#include "cli/run/progress.h"

#include <pthread.h>

enum { CLI_COLUMN_MAX = 128, CLI_COLUMN_NAME = 96, CLI_CLASS_MAX = 256, CLI_ABOUT_MAX = 16384 };

typedef enum CliFinish {
  CLI_FINISH_NONE,    // not made yet, or given up at an interrupt
  CLI_FINISH_MET,     // every step met the tolerance
  CLI_FINISH_NOT_MET, // some step did not
  CLI_FINISH_FAILED,  // a step could not be made; quantities are NaN
  CLI_FINISH_REFUSED, // the scene with these numbers is no valid scene; quantities are NaN
  CLI_FINISH_COUNT
} CliFinish;
const char* cli_finish_name(CliFinish finish); // "met", "not-met", ...

typedef enum CliColumnKind {
  CLI_COLUMN_VARIED, // a number that was put in
  CLI_COLUMN_NUMBER, // its mean is of interest
  CLI_COLUMN_SHARE,  // 0 or 1
  CLI_COLUMN_CLASS,  // a whole number from 0 on
} CliColumnKind;

typedef struct CliColumn {
  char name[CLI_COLUMN_NAME];
  const char* unit; // "" for pure numbers
  CliColumnKind kind;
  int class_count;
  const char* (*class_name)(const void* context, int index); // of CLI_COLUMN_CLASS
} CliColumn;

typedef struct CliEnsemble CliEnsemble;

// Makes the run `index` and fills `row`, a number for each column. Called from several threads.
typedef CliFinish CliMakeRun(const CliEnsemble* ensemble, int64_t index, double* row,
                             rgMessage* message);

// Ends the runs when the interval of a column is at most this wide.
typedef struct CliUntil {
  int column; // -1: all runs are made
  double width;
} CliUntil;

// What is known of a column over the first runs in their order.
typedef struct CliTallied {
  rgMoments moments;              // of values that are numbers
  int64_t missing;                // runs without a value
  int64_t classes[CLI_CLASS_MAX]; // of shares: [1] counts the ones
} CliTallied;

// What the threads of this process did with their time.
typedef struct CliSpent {
  int threads;
  double wall;   // [s] from the first run to the last
  double runs;   // [s] of the processor, of all threads, inside of runs
  double waited; // [s] that threads waited for a processor that others had; NaN: not known
} CliSpent;

struct CliEnsemble {
  const CliCommand* command;
  const void* context; // of `make` and of class names
  CliMakeRun* make;
  int64_t count;         // runs of the whole ensemble
  int64_t shard, shards; // of them, those with index % shards == shard are made here
  CliColumn columns[CLI_COLUMN_MAX];
  int column_count;
  char about[CLI_ABOUT_MAX]; // all that results depend on, one line without its end
  double confidence;
  CliUntil until;
  int threads;
  // results
  unsigned char* finish; // CliFinish of each run
  bool* taken;           // is being made
  double* rows;          // column_count for each run
  int64_t limit;         // runs from here on are not wanted: `count`, or less where `until` holds
  int64_t next;          // all runs before it are taken
  int64_t done, kept;    // finished here; of these, found on the disk
  int64_t prefix;        // runs 0 .. prefix - 1 are finished and in `tallied`
  CliTallied* tallied;   // for each column
  rgMessage trouble;     // of the first run that failed or was refused
  int64_t trouble_run;
  bool until_met;
  bool broken; // the journal could not be written; `trouble` says why
  CliSpent spent;
  // on the way
  FILE* journal;
  char journal_path[CLI_PATH_MAX];
  double journal_written; // [s] on the clock
  CliProgress progress;
  pthread_mutex_t lock;
};

// Allocates the results. RG_ERROR_MEMORY when they do not fit.
rgStatus cli_ensemble_open(CliEnsemble* ensemble, rgMessage* message);
void cli_ensemble_free(CliEnsemble* ensemble);

// The number of a run to make now, or -1 when there is none or the work is to end. Thread-safe, as is
// putting its result. A run that finishes as CLI_FINISH_NONE counts as not made.
int64_t cli_ensemble_take(CliEnsemble* ensemble);
void cli_ensemble_put(CliEnsemble* ensemble, int64_t index, CliFinish finish, const double* row,
                      const rgMessage* message);
// Makes the runs on threads of this process.
rgStatus cli_ensemble_make(CliEnsemble* ensemble, rgMessage* message);
bool cli_ensemble_complete(const CliEnsemble* ensemble); // every run that is wanted here
int64_t cli_ensemble_wanted(const CliEnsemble* ensemble);
// Redraws the line on the terminal when it is time.
void cli_ensemble_show(CliEnsemble* ensemble);

// --- files (journal.c, merge.c) ------------------------------------------------------------------

// The path of the journal of an output; false when it is too long.
bool cli_journal_name(const char* output, char path[CLI_PATH_MAX]);
// Opens the journal beside `output`. With `resume`, runs that it or the output holds are kept.
rgStatus cli_journal_open(CliEnsemble* ensemble, const char* output, bool resume,
                          rgMessage* message);
bool cli_journal_put(CliEnsemble* ensemble, int64_t index); // false: could not be written
// Closes it; removes it when `finished`.
void cli_journal_close(CliEnsemble* ensemble, bool finished);
// The runs that are finished, in their order, as .csv.
void cli_ensemble_write_csv(const CliEnsemble* ensemble, FILE* stream);
// Puts the parts of an ensemble together.
rgStatus cli_merge(char* const* files, int count, const char* output, int64_t* runs,
                   rgMessage* message);

// --- results (tally.c, ensemble_text.c, ...) -----------------------------------------------------

// Adds a run to what is known of all columns.
void cli_tally_add(const CliEnsemble* ensemble, CliTallied* tallied, int64_t index);
// The interval of a column: of its mean, of its share, or the widest of its classes.
rgInterval cli_tally_interval(const CliEnsemble* ensemble, const CliTallied* tallied, int column);
rgInterval cli_tally_class(const CliEnsemble* ensemble, const CliTallied* tallied, int index);
// All finished runs, in their order; to be freed. NULL when memory ran out.
CliTallied* cli_tally_all(const CliEnsemble* ensemble);
void cli_tally_finishes(const CliEnsemble* ensemble, int64_t counts[CLI_FINISH_COUNT]);

// "997 of 1000 runs met the tolerance in every step, 2 did not, 1 failed."
void cli_ensemble_sentence(const CliEnsemble* ensemble, char* text, size_t size);
void cli_ensemble_print(const CliEnsemble* ensemble, const CliTallied* tallied);
struct CliJson;
void cli_ensemble_json(const CliEnsemble* ensemble, const CliTallied* tallied,
                       struct CliJson* json);
struct CliPage;
// Tables, histograms, and quantities against numbers that varied. False: memory ran out.
bool cli_ensemble_page(const CliEnsemble* ensemble, const CliTallied* tallied,
                       struct CliPage* page);
int cli_ensemble_exit(const CliEnsemble* ensemble);

#endif
