// simulate.h - a run of a scene that is made only to be shown.
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include <rigor/rigor.h>

// Simulates up to the time `end` [s] and gives the table of a run (view_run.h), with the last step at or
// before each time k / rate, and that at the end; to be freed. `not_met` counts the steps that missed the
// tolerance. Shows its progress.
rgStatus cli_simulate(const rgScene* scene, double end, double rate, char** table, int64_t* not_met,
                      rgMessage* message);

#endif
