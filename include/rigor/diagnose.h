// diagnose.h - how the last step was made: who solved each island, whose its rows are, where the time went.
//
// What a program needs that looks for the reason of a step that was slow or not met; see also load.h for
// what acted, and rg_world_island in world.h for the problems themselves.
#ifndef RIGOR_DIAGNOSE_H
#define RIGOR_DIAGNOSE_H

#include "joint.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

// How an island of the last step was solved: by which solver, in how many iterations, with which residual.
// RG_ERROR_NOT_FOUND when there is no such island (rg_world_island_count).
RG_API rgStatus rg_world_island_report(const rgWorld* world, int island, rgSolveReport* report);
// Whether no round of the step settled it, so that it took the plain step; false when there is no such
// island.
RG_API bool rg_world_island_is_plain(const rgWorld* world, int island);
// The joint that a row of an island's problem belongs to; generation 0 for rows of forces and when there
// is no such row.
RG_API rgJointId rg_world_row_joint(const rgWorld* world, int island, int row);

// The parts of a step by which its time is told.
typedef enum rgPhase {
  RG_PHASE_CONTACTS, // the search for contacts: broad and narrow phase
  RG_PHASE_PROBLEM, // free motion, forces, islands, filling the problems, the rounds around the solves
  RG_PHASE_SOLVE,    // the solvers, with the certificates of their answers
  RG_PHASE_POSITION, // the stabilizer: overlaps and joints are corrected, contacts sought again
  RG_PHASE_ENERGY,   // energy, momentum, the certificate of the step
  RG_PHASE_COUNT
} rgPhase;
RG_API const char* rg_phase_name(rgPhase phase);    // "contacts", ...; NULL past the end
RG_API const char* rg_phase_summary(rgPhase phase); // a phrase; NULL past the end

// From now on steps add the time of their phases, by a clock [s] of the caller; NULL: no longer. The
// library has no clock of its own, and none changes what a step does. The sums begin at zero.
RG_API void rg_world_set_clock(rgWorld* world, double (*clock)(void));
RG_API double rg_world_phase_time(const rgWorld* world, rgPhase phase); // [s]

#ifdef __cplusplus
}
#endif
#endif
