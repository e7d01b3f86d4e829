// phase.c - the time of a step by its parts.
#include "base/phase.h"

static const struct {
  const char *name, *summary;
} table[RG_PHASE_COUNT] = {
    [RG_PHASE_CONTACTS] = {"contacts", "search for contacts"},
    [RG_PHASE_PROBLEM] = {"problem", "forces, islands, filling the problems, rounds"},
    [RG_PHASE_SOLVE] = {"solve", "solvers and the certificates of their answers"},
    [RG_PHASE_POSITION] = {"position", "correction of overlaps and joints"},
    [RG_PHASE_ENERGY] = {"energy", "balance of energy, certificate of the step"},
};

const char* rg_phase_name(rgPhase phase) {
  return (unsigned)phase < RG_PHASE_COUNT ? table[phase].name : NULL;
}

const char* rg_phase_summary(rgPhase phase) {
  return (unsigned)phase < RG_PHASE_COUNT ? table[phase].summary : NULL;
}

// Adds the time since the last change to the present phase.
static void change(rgPhases* phases, rgPhase phase) {
  double now = phases->clock();
  if (phases->now < RG_PHASE_COUNT)
    phases->spent[phases->now] += now - phases->since;
  phases->since = now;
  phases->now = phase;
}

rgPhase rg_phase_begin(rgPhases* phases, rgPhase phase) {
  rgPhase before = phases->now;
  if (phases->clock && before != RG_PHASE_POSITION)
    change(phases, phase);
  return before;
}

void rg_phase_end(rgPhases* phases, rgPhase before) {
  if (phases->clock && phases->now != before)
    change(phases, before);
}
