// phase.h - the time of a step by its parts, when somebody has given a clock.
#ifndef BASE_PHASE_H
#define BASE_PHASE_H

#include <rigor/diagnose.h>

typedef struct rgPhases {
  double (*clock)(void); // [s]; NULL: nobody asks
  double spent[RG_PHASE_COUNT];
  double since; // [s] when the present phase began
  rgPhase now;  // RG_PHASE_COUNT outside of steps
} rgPhases;

// Begins a phase, or RG_PHASE_COUNT for none, and returns the one that it interrupts, for the call that
// goes back to it. What the correction of positions calls belongs to it. Free when there is no clock.
rgPhase rg_phase_begin(rgPhases* phases, rgPhase phase);
void rg_phase_end(rgPhases* phases, rgPhase before);

#endif
