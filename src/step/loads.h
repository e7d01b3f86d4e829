// loads.h - notes of what acted in a step, from which loads are told until the next one.
#ifndef STEP_LOADS_H
#define STEP_LOADS_H

#include "step/step.h"

// Whether a stepper keeps what acted in a step: not one that cuts its steps into parts.
bool rg_loads_kept_by(const char* stepper);
// Forgets the notes of the last step.
void rg_loads_begin(rgStep* step);
// Notes the contacts and joints of the velocity problem, while the world has the contacts that it was
// made of.
rgStatus rg_loads_note(rgStep* step);
// Notes the contacts of the velocity problem, which is that of a sequential impact, with impulses.
rgStatus rg_loads_note_impacts(rgStep* step);

#endif
