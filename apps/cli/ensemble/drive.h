// drive.h - an ensemble from its plan to its files and its results, as every command on ensembles
// does it.
#ifndef CLI_DRIVE_H
#define CLI_DRIVE_H

#include "cli/ensemble/ensemble.h"
#include "cli/text/json.h"
#include "cli/text/page.h"

// Who makes the runs of an ensemble: threads of this process (cli_ensemble_make), or other processes.
typedef rgStatus CliMaker(CliEnsemble* ensemble, rgMessage* message);

typedef struct CliDrive {
  CliEnsemble* ensemble;
  CliMaker* maker;
  // A helper makes runs for another process: it plans the same ensemble, then hands over to the
  // maker, and neither writes nor prints.
  bool helper;
  const char *input, *title; // file that runs are made of, title of the page
  const char *output, *html; // NULL: none
  bool resume, json, quiet;
  int64_t seed;
  // What a command adds to the results; NULL: nothing.
  void (*print)(const CliEnsemble* ensemble, const CliTallied* tallied);
  void (*print_json)(const CliEnsemble* ensemble, const CliTallied* tallied, CliJson* json);
  void (*page)(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page);
} CliDrive;

// Returns the exit code.
int cli_drive(const CliDrive* drive);

// Whether files can be written as asked for; explained when not. Returns the exit code.
int cli_drive_output(const CliCommand* command, const char* output, bool resume, bool shard);
// "I/N", or NULL for the whole. False, explained, when it is no shard.
bool cli_drive_shard(CliEnsemble* ensemble, const char* text);
// The number of threads that was asked for, or that of the processors for 0.
int cli_drive_threads(int64_t wanted);

#endif
