// sleep.h - islands at rest that sleep: the option `sleeping`.
#ifndef STEP_SLEEP_SLEEP_H
#define STEP_SLEEP_SLEEP_H

#include "step/step.h"

// asleep.c: before islands are solved. Those that slept and that zero velocity still answers are settled.
rgStatus rg_sleep_settle(rgStep* step);
// After islands were built, kept.c: those that are what they were in the last step are settled, and not filled.
void rg_sleep_take_kept(rgStep* step);
// After they were answered: keeps them for the next step.
rgStatus rg_sleep_keep(rgStep* step);
// After the rounds. Judges of each island whether zero velocity answers it, counts for how many steps
// it did, and gives this answer to the islands that sleep.
void rg_sleep_answer(rgStep* step);
// After a step: wakes bodies that it has moved all the same.
void rg_sleep_check(rgStep* step);

// still.c: after a step that has ended well. Notes whether it has left the whole state as it was, so that the next
// one would do the same.
void rg_sleep_note(rgStep* step);
// Whether the next step is the last one again, because the state is as that one has left it and nothing was set.
bool rg_sleep_is_still(const rgWorld* world);
// Makes this step.
void rg_sleep_go_on(rgWorld* world);

#endif
