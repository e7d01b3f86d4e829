// trees.h - the joints of a problem that form trees.
#ifndef STEP_TREES_H
#define STEP_TREES_H

#include "step/step.h"

// Finds the trees of all islands of a set, of velocities or of positions: rgIsland.trees, the links of the set but for their geometry, which
// comes with the rows of the joints (fill/link.c), and rgJointStep.child.
rgStatus rg_trees_build(rgStep* step, rgProblemSet* set);
// Whether the errors of a joint at the start of the step are those of one that a tree has closed.
bool rg_trees_is_closed(const rgStep* step, int joint);

#endif
