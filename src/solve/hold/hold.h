// hold.h - stopping what rests: one sparse solve for the impulses of contacts that stick (hold.c).
#ifndef SOLVE_HOLD_HOLD_H
#define SOLVE_HOLD_HOLD_H

#include "solve/solver.h"

// Bytes of workspace; 0 for problems of which it holds nothing.
size_t rg_hold_size(const rgProblem* problem);
// Takes the left-over velocity of what rests out of the present solution, all of it or as much as
// the friction cones allow; counts as one iteration, and leaves in run->measure what is left of the
// warm start's. True when that may be all that is asked for. Does nothing (but for impulses that
// are outside of their cones) where nothing rests or the solve would be too expensive.
bool rg_hold(rgSolve* run, void* work);

#endif
