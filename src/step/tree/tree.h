// tree.h - islands of trees: their rows, where these are not written, and where they go on to.
//
// Of the rows of a mechanism most hold its joints together: five of six of a hinge. In the rates of the free axes
// they hold by themselves, and a step needs none of them: velocities come from the links, each joint's impulse as one
// wrench from the balance of momentum, and what the rows would say of an answer is said link by link (judge.c). In a
// bare island (rgIsland.bare) they are not written before somebody asks for them, who gets what they would have been
// (rows.c). In all else its problem is that of other islands: contacts, and rows of limits, motors, springs and
// forces are there.
//
// An island is bare at theta = 1, where rows have no drifts, between bodies that have masses, where all of its joints
// are those of trees that hold a point. An answer that does not meet the tolerance by what judge.c finds makes it one
// like all others, with rows that a solver sees and a certificate of all of them.
#ifndef STEP_TREE_TREE_H
#define STEP_TREE_TREE_H

#include "solve/reduced/reduced.h"
#include "step/step.h"

// Whether an island of the velocity problem may be bare, by what it is built of.
bool rg_tree_may_be_bare(const rgStep* step, const rgProblemSet* set, const rgIsland* island);
// Whether it is, as the step is made.
bool rg_tree_is_bare(const rgStep* step, const rgIsland* island);
// The rows of an island that choose among redundant impulses (solve_islands.c) have to be there.
bool rg_tree_is_large(const rgIsland* island);

// Keeps the wrenches that links get from their joints, once they are found; NULL: they are zero.
void rg_tree_keep_wrenches(rgStep* step, const rgIsland* island, const rgReduced* reduced);
// Writes the implied rows of an island, and their impulses, where that was not done since its joints were placed last.
void rg_tree_write_rows(const rgStep* step, rgIsland* island);
void rg_tree_write_all_rows(const rgWorld* world); // of the last step
// Makes a bare island one like all others.
void rg_tree_end_bare(const rgStep* step, rgIsland* island);

// Adds the moments of all impulses of a bare island to the six numbers of each body.
void rg_tree_add_moments(const rgStep* step, const rgIsland* island, double* v);
// What a joint of a bare island does to its body B by its implied rows: force [N], moment about the joint [N m].
rgWrench rg_tree_reaction(const rgStep* step, int joint);

// The certificate of an answer in the rates of trees: `size` [m] of the joints of each body, `scale` [m/s].
void rg_tree_judge(const rgReduced* reduced, const rgSolution* solution, const double* size,
                   double scale, double tolerance, rgCertificate* certificate);

// trail.c: puts velocities where the last changes of velocities lead; notes the changes of a solved step.
void rg_tree_go_on(rgStep* step, const rgIsland* island);
void rg_tree_note_changes(rgStep* step, const rgIsland* island);
// Gives a joint the trail back that it had when the state was kept (rgKept).
void rg_tree_take_trail_back(rgStep* step, int joint);

#endif
