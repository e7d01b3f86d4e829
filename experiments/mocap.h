// mocap.h - clips for the experiments with captured motion, and runs of them.
#ifndef EXPERIMENTS_MOCAP_H
#define EXPERIMENTS_MOCAP_H

#include "cli/character/play.h"
#include "experiments/experiment.h"

// The recorded clip of that file name in the folder of measurements, or, where there is none, the small
// one that is a part of the program. NULL, with a failure, when it cannot be read. `def` gets the length
// of its unit.
rgClip* mocap_clip(ExperimentReport* report, const char* name, CliPlayDef* def, bool* recorded);

// Plays a clip to its end, or as far as it goes; draws the deviation of the farthest link. False, with a
// failure, when the run could not be made.
bool mocap_play(ExperimentReport* report, const rgClip* clip, const CliPlayDef* def, CliPlay* play,
                CliSeries* series);

// What the experiments with figures have in common: given by the thesis, or chosen.
void mocap_parameters(ExperimentReport* report);
// Rows for a throw: deviation before, at the peak and after it, and when the figure is back.
void mocap_rows(ExperimentReport* report, const CliPlay* play, int index);

#endif
