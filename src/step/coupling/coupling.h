// coupling.h - rows of axes that follow others in the problem of a step.
//
// An axis x that follows another one, y, x = f(y), has the row
//
//     X v~ = s Y v~ - stabilization c,
//
// with the exact rows X and Y of their coordinates, the divided difference s of f over the step and the error
// c = x - f(y) (world/couple/couple.h; v~ and stabilization: fill/joint.c). The bodies of the row are those of the
// joint that follows, its far bodies those of the joint that leads.
#ifndef STEP_COUPLING_COUPLING_H
#define STEP_COUPLING_COUPLING_H

#include "step/coupling/side.h"

// An axis that follows another one, and the bodies of its joint.
typedef struct rgCoupled {
  const rgStep* step;
  int joint, axis; // slot
  const rgJointRule* rule;
  const rgSide *a, *b;
} rgCoupled;

// Fills the row and its far bodies, but for the indices of its own ones; returns its rate at the start of the
// step.
double rg_coupling_fill(const rgCoupled* own, int body_start, rgProblemRow* out, rgProblemFar* far);
// What bodies that are moved from outside take of a row through its far bodies.
double rg_coupling_taken(const rgStep* step, const rgJoint* joint, rgRowUse use,
                         const rgProblemRow* row, const rgJointRule* rule);
// What couplings of a joint do to the joints that lead, after all joints have their own.
void rg_coupling_take(rgStep* step, int joint);

#endif
