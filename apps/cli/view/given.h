// given.h - what a command is to show: a scene, a recorded run with its scene, or both.
#ifndef CLI_GIVEN_H
#define CLI_GIVEN_H

#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/view/view_run.h"

typedef struct CliGiven {
  const CliCommand* command; // complains
  const CliParsed* parsed;   // its operand is a scene or a trajectory
  const char* preset;        // NULL: none
  const char* run_path;      // of a trajectory that is named beside a scene; NULL: none
  const char* scene_path;    // NULL: the scene is that of the run
  CliViewRun run;            // its table is NULL where there is none
  rgScene* scene;
} CliGiven;

// Reads both, from the command, the operand, the preset and the path of the run that are set. Returns an
// exit code; what was read is to be closed in any case.
int cli_given_open(CliGiven* given);
void cli_given_close(CliGiven* given);
// The files that were read.
void cli_given_uses(const CliGiven* given, CliUses* uses);

int cli_given_exit(rgStatus status); // the exit code of a failure to read

#endif
