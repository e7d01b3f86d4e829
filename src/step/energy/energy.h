// energy.h - the energy that a step makes from nothing: measured island by island, bounded, and
// taken back where it is more than a right step may gain.
#ifndef STEP_ENERGY_H
#define STEP_ENERGY_H

#include "step/step.h"

// Begins the account of a step, and of each body with its kinetic energy. `error` [m] is the largest overlap
// or error of a joint.
void rg_energy_begin(rgStep* step, double error);
void rg_energy_begin_body(rgStep* step, int slot);
// After velocities at the start were changed, to suit the joints or by sequential impacts, which have a
// balance of their own: the account of the step begins with them.
void rg_energy_suited(rgStep* step);
// Present energy of all bodies, without joints, rotors and forces [J]. `as_moved`: nothing but the step itself has
// changed velocities since its account, which has found it.
rgEnergy rg_energy_of_bodies(const rgStep* step, bool as_moved);
// Present kinetic energy of a body and of all bodies [J].
double rg_energy_of_body(const rgBody* body);
// [J] That which stands in for the mass of a massless body would have at this velocity; 0 for others.
double rg_energy_of_stand_in(const rgBody* body, rgTwist velocity);
// Whether the solve of an island has missed by far.
bool rg_energy_has_strayed(const rgIsland* island);
// [J] The same of such an island, at the end and at the start of the step; 0 for others.
double rg_energy_of_stand_ins(const rgStep* step, const rgIsland* island);
double rg_energy_stand_ins_had(const rgStep* step, const rgIsland* island);
double rg_energy_of_motion(const rgStep* step);
// Present kinetic energy of the rotors of an island [J]; makes their rates smaller by a factor.
double rg_energy_of_rotors(const rgStep* step, const rgIsland* island);
void rg_energy_slow_rotors(const rgStep* step, const rgIsland* island, double part);
// Before bodies move: the work that will be done on an island from outside, and what its movement
// may gain. Bodies have the velocities of the solution.
void rg_energy_foresee(rgStep* step, rgIsland* island);
// [J] What an island may gain: without what its solve leaves to its rows unless that is found already, and with it.
double rg_energy_surely_may_gain(const rgIsland* island);
double rg_energy_may_gain(const rgStep* step, rgIsland* island);
// What a body has gained [J], but for what comes from outside through contacts and joints; `kinetic` is its energy now.
double rg_energy_gain_of_body(const rgStep* step, int slot, double kinetic);
// After bodies have moved: what the island has gained [J].
double rg_energy_gain(const rgStep* step, const rgIsland* island);
// Gains of all islands after the movement of the step.
void rg_energy_account(rgStep* step);
// Whether the island of a body has gained more than it may.
bool rg_energy_owes(const rgStep* step, int slot);
// [J] The most that a right step gains, and the rounding of its balance: for the certificate of a step
// that has gained so much. Where a step gains no more without what solves leave to rows, that is left out.
double rg_energy_bound(const rgStep* step, double gain);

// pay.c: takes out of the kinetic energy what islands have gained beyond that, with what the
// projection has lifted against gravity. `gain` [J] is that of the whole world. True when it changed
// velocities.
bool rg_energy_pay(rgStep* step, double gain);
// The kinetic energy of an island that can be taken: what it does not need for its momentum [J].
double rg_energy_payable(const rgStep* step, rgIsland* island);
// The part of the lifts that are asked for bodies (rgBodyStep.asked) for which there is room; charges
// the bodies with a part of them.
double rg_energy_lift_part(rgStep* step, const int* slots, int count);
void rg_energy_charge_lift(rgStep* step, const int* slots, int count, double part);

// harmless.c: scales the impulses of islands that would gain more than they may. True when it did.
bool rg_energy_make_harmless(rgStep* step);

// --- turn.c --------------------------------------------------------------------------------------

// The angular velocity of a body, which has that of the problem, after a turn beyond that of its free motion.
rgVec3 rg_energy_turned_spin(const rgBody* body, const rgBodyStep* scratch, rgVec3 turn);

#endif
