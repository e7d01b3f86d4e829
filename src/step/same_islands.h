// same_islands.h - islands and trees of the last step, where they are those of this one.
#ifndef STEP_SAME_ISLANDS_H
#define STEP_SAME_ISLANDS_H

#include "step/step.h"

// After islands and trees of the velocity problem were built: what they follow from.
rgStatus rg_same_islands_note(rgStep* step);
// True where they would be built as the last step has left them, to the last index: they are made ready for this one.
bool rg_same_islands_take(rgStep* step);

#endif
