// accurate.h - a run with an accuracy: the library's rgAccuracy with the second world that it needs.
#ifndef CLI_ACCURATE_H
#define CLI_ACCURATE_H

#include <rigor/rigor.h>

typedef struct CliAccurate {
  rgWorld* shadow;
  rgAccuracy* accuracy; // NULL: steps are what the options say
} CliAccurate;

// Brings the world of the scene to the state in the file `load` (NULL: its start), and where its
// options ask for an accuracy, prepares a run for `duration` [s] from there (negative: to the time
// that the scene names). Nothing is prepared where no time is left.
rgStatus cli_accurate_open(CliAccurate* accurate, const rgScene* scene, rgWorld* world,
                           const char* load, double duration, rgMessage* message);
void cli_accurate_close(CliAccurate* accurate);

#endif
