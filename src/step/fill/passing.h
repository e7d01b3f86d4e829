// passing.h - bodies that would pass into or through others within a step.
//
// Contacts are found at the start of the step. Each keeps the material that is nearest there from
// passing along its normal, and while bodies do not turn, the normal separates them to the end. A
// body that turns brings other material to the place: a needle that is stopped at its tip swings
// about it, and the far end goes through a plate within the step. So does a body, turning or not,
// that an impact in the step throws at something that was out of the reach of the search.
//
// Three things are done about it. The rounds look along the solved movement, and what is passed
// there enters the problem as late contacts (late_contact.c). What is passed after the last look
// is cut short (cut.c): the bodies of the island stop on the way before they pass, keep their velocities,
// and lose the rest of the time. And the certificate counts these bodies (RG_STAGE_PASSING).
#ifndef STEP_FILL_PASSING_H
#define STEP_FILL_PASSING_H

#include "collide/sweep.h"
#include "step/step.h"

// --- passing.c -----------------------------------------------------------------------------------

// Decides for all bodies, under their present velocities, whether they are to be watched. False
// when none is: then nothing can be passed.
bool rg_fill_watch_bodies(rgStep* step);
// What one of the pairs that may be passed does on its way: shapes by slot, a < b.
typedef struct rgPassingPair {
  int a, b;
  rgSweep sweep;
  rgPassing passing;
  const rgManifoldList* list;       // manifolds at passing.part
  int contact_start, contact_count; // its contacts of the start of the step
} rgPassingPair;
// Calls `visit` for each pair that passes when bodies carry out their parts of the movement, in the
// order of slots. Returns how often it said true.
typedef bool rgPassingVisit(rgStep* step, const rgPassingPair* pair);
int rg_fill_visit_passing(rgStep* step, rgPassingVisit* visit);
// Where the pair passes, more closely. Its list is lost.
rgPassing rg_fill_refine_passing(rgStep* step, const rgPassingPair* pair);
// Whether memory was enough for all looks of the step.
rgStatus rg_fill_look_status(const rgStep* step);

// --- late_contact.c ------------------------------------------------------------------------------

// Takes the late contacts out of the world's contacts, after their impulses were used.
void rg_fill_forget_late_contacts(rgStep* step);

// --- cut.c ---------------------------------------------------------------------------------------

// Cuts the movement of islands that still pass something, and reports them. `changed` tells that
// velocities are not those at which the rounds have looked last.
rgStatus rg_fill_cut_passing(rgStep* step, bool changed);
// The movement of a body that is cut. Takes back what forces gave it on the way that it does not go.
void rg_fill_cut_movement(const rgStep* step, int slot, rgVec3* shift, rgVec3* turn);

#endif
