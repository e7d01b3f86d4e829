// couple.h - axes of joints that follow axes of other joints.
//
// The coordinate x of a follower is a polynomial of that of its leader, y:
//
//     c = x - f(y) = 0,   f(y) = p_0 + p_1 y + ... + p_4 y^4.
//
// With rows whose rates over a step are exactly the changes of x and y over h (rg_couple_row), and the divided
// difference s = (f(y+) - f(y)) / (y+ - y) in place of the slope of f,
//
//     c+ - c = h (X v~ - s Y v~),
//
// whatever the size of the step: a step that asks for X v~ = s Y v~ keeps c, and the impulses X' lambda on the
// follower and -s Y' lambda on the leader do no work together.
#ifndef WORLD_COUPLE_COUPLE_H
#define WORLD_COUPLE_COUPLE_H

#include "world/world.h"

// The row of a coordinate at a placement; with an `end`, the exact one of the movement from `place` to there
// (joint.h).
rgJointRow rg_couple_row(const rgWorld* world, const rgJoint* joint, int axis,
                         const rgJointPlace* place, const rgJointPlace* end);
// f(y), and the divided difference between two coordinates of the leader: the slope where they are equal.
double rg_couple_value(const rgJointLead* lead, double y);
double rg_couple_slope(const rgJointLead* lead, double y, double other);
double rg_couple_bend(const rgJointLead* lead, double y); // the second derivative of f
// [m] or [rad] c of a coupled axis where the bodies are now, and the largest of a joint in [m]: angles times
// the size of the joint.
double rg_couple_error(const rgWorld* world, const rgJoint* joint, int axis);
double rg_couple_largest_error(const rgWorld* world, const rgJoint* joint);
// Ends all couplings of a joint that is about to be removed.
void rg_couple_end_all(rgWorld* world, rgJoint* joint);

static inline bool rg_couple_has(const rgJoint* joint, int axis) {
  return joint->coupled >> axis & 1;
}

#endif
