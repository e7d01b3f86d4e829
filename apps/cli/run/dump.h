// dump.h - the contact problems of a run as files, one per step and island.
#ifndef CLI_DUMP_H
#define CLI_DUMP_H

#include <rigor/rigor.h>

typedef struct CliDump {
  const char* folder; // NULL: nothing is written
  rgProblemFormat format;
  int64_t every; // steps
  int digits;    // of the number of a step, so that names sort
  int64_t files;
} CliDump;

extern const char CLI_DUMP_START[]; // of the names of the files

// The format of that name; false with a list of all when there is none.
bool cli_dump_format(const char* name, rgProblemFormat* format, rgMessage* message);

// True, with a message, when another output has the name of such a file.
bool cli_dump_clash(const CliDump* dump, const char* path, rgMessage* message);

// Makes the folder if need be. `steps` are planned.
rgStatus cli_dump_open(CliDump* dump, int64_t steps, rgMessage* message);
// After step number `step` (from 1): writes folder/step-0012-island-003.json and so on. A file that
// cannot be written whole is not there.
rgStatus cli_dump_step(CliDump* dump, const rgWorld* world, int64_t step, rgMessage* message);

#endif
