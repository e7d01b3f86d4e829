// islands.h - groups of bodies that act on each other in a problem, and the problems of all of
// them.
#ifndef STEP_ISLANDS_H
#define STEP_ISLANDS_H

#include "world/world.h"

struct rgStep;

// [J] What an island may gain in a step, in parts (energy/energy.c).
typedef struct rgMayGain {
  double borrowed, push, rounding;
  double contacts, rows; // what the solve leaves to contacts and to rows,
  double most;           // both of which are no more than this
  bool rows_known;       // else `rows` is not found yet
} rgMayGain;

typedef struct rgIsland {
  int body_start, body_count, contact_start, contact_count, row_start, row_count;
  rgSolveReport report; // of the last solve; iterations of all solves of the step
  int last_iterations;  // of the last solve
  int redundant_rows;   // most found by a solve
  uint8_t unchosen;     // that of its bodies after the step, see solve_islands.c
  bool settled;         // not to be solved again
  bool stand_ins;       // it has bodies without mass, of which something stands in for it
  bool follows;         // solved for the ends that it leads to (fill/ends.c)
  bool closed;          // joint_newton.c has brought its impulses and its ends together
  bool plain;           // no round settled it: it took the plain step
  size_t factor_start;  // [bytes] where joint_newton.c keeps its factor
  // Rounds: what the impulses of the last two missed for the rows of the next one, what they may
  // miss where rounding allows no less, rounds in a row that gained too little, and whether these
  // were too many.
  double missed[2];
  double start_tolerance;
  int slow_rounds;
  int dependent_rows; // of loops, and whether these are left out (fill/dependent_rows.c)
  bool leaves_out;
  bool hopeless;
  bool trees;             // its problem has links
  bool may_be_bare, bare; // rows that its links imply need not be, are not written: see tree/tree.h
  bool written;           // a bare one's are, all the same
  bool settles;           // fill/tree_newton.c takes it
  bool waits;             // its start is not good enough and has to be solved, see solve_islands.c
  bool grounded;          // a contact or joint holds it to what is not in the problem
  bool harms;             // its answer may gain energy, see energy/harmless.c
  bool sleeps;            // its answer is zero velocity, see sleep/asleep.c
  // [J] See energy/energy.c: work from outside, energy at hand, kinetic energy that can be taken after a
  // trial, what the step may gain and what it gains.
  double outside, at_hand, kinetic, gain;
  rgMayGain may_gain;
  // [J] See energy/pay.c: room for what the projection lifts, and the lift that is asked for.
  double room, asked;
  bool room_known;
} rgIsland;

// Which rows of joints are in a problem.
typedef enum rgRowChoice {
  RG_ROWS_ACTING,      // those of rgJointStep, and rows of forces
  RG_ROWS_CONSTRAINTS, // fixed, held and limited ones
  RG_ROWS_HELD,        // without limits
  RG_ROWS_SUITED       // and rotors
} rgRowChoice;

// The problems of all islands, one after the other.
typedef struct rgProblemSet {
  int dimension;
  rgRowChoice joint_rows;
  RG_ARRAY(int, contact_order); // problem contact -> world contact
  RG_ARRAY(int, body_order);    // problem body -> body slot
  RG_ARRAY(rgIsland, islands);
  int island_count, body_count, contact_count, row_count;
  int room[3]; // most bodies, contacts and rows for which solvers had room
  RG_ARRAY(rgProblemBody, bodies);
  RG_ARRAY(rgProblemContact, contacts); // of positions until the next search: see islands.c
  RG_ARRAY(double, v);                  // 6 per body
  RG_ARRAY(double, r);                  // 4 per contact
  RG_ARRAY(int, row_joint); // row -> joint slot; the rows of a joint follow each other. Rows of
                            // forces come after them and have -1
  RG_ARRAY(rgProblemRow, rows);
  RG_ARRAY(rgProblemFar, fars);   // by row; where axes of joints are coupled
  RG_ARRAY(double, lambda);       // 1 per row
  RG_ARRAY(bool, dependent);      // of each row, in islands that leave some out
  RG_ARRAY(rgProblemLink, links); // by body; of islands with trees
  RG_ARRAY(int, link_order);      // within an island, see rgProblem
  RG_ARRAY(int, link_joint);      // by body: slot of the joint that holds it; -1: a free root
} rgProblemSet;

// Scratch of trees.c, by problem body; the last one stands for what does not move.
typedef struct rgTreeScratch {
  RG_ARRAY(int, root);    // union-find
  RG_ARRAY(int, start);   // of its joints in `edges`
  RG_ARRAY(int, edges);   // joint slots
  RG_ARRAY(bool, placed); // it has its place in the order
} rgTreeScratch;

// What the islands and trees of the velocity problem were built of, see same_islands.c.
typedef struct rgBuiltContact {
  int body_a, body_b; // slots; -1 where it was not in the problem
  int problem_contact;
} rgBuiltContact;
typedef struct rgBuilt {
  bool valid;                         // nothing else was built since
  bool mean_rows, full;               // of the step; coordinates
  uint64_t edits;                     // rgIds.edits
  RG_ARRAY(rgBuiltContact, contacts); // by contact of the world
  int contact_count;
} rgBuilt;

// Scratch of the grouping.
typedef struct rgForest {
  RG_ARRAY(int, parent);    // union-find over body slots; -1 for what does not join
  RG_ARRAY(int, island_of); // root slot -> island
  RG_ARRAY(int, index);     // body slot -> problem body; -1 for what is in none
  rgTreeScratch trees;
  rgBuilt built;
} rgForest;

// Groups what is marked as in the problem (not RG_MARK_OUT) and its bodies by island, in a fixed
// order: fills islands and orders of the set and the problem indices of contacts, joints, forces
// and bodies, and makes room in the other arrays of the set.
rgStatus rg_islands_build(struct rgStep* step, rgProblemSet* set);
void rg_islands_release(rgProblemSet* set, const rgAllocator* allocator);
// The problem and the solution of one island as views into the set.
rgProblem rg_island_problem(const rgProblemSet* set, const rgIsland* island);
rgSolution rg_island_solution(const rgProblemSet* set, const rgIsland* island);
// Rows of joints come before those of forces.
static inline bool rg_island_has_joints(const rgProblemSet* set, const rgIsland* island) {
  return island->row_count > 0 && set->row_joint[island->row_start] >= 0;
}

// Runs `function` for each island, which writes what belongs to the island alone: for small ones without rows side by
// side, for the others one after the other, so that their own passes are shared by all threads.
typedef void rgIslandFunction(void* context, rgIsland* island);
void rg_islands_each(struct rgStep* step, rgProblemSet* set, rgIslandFunction* function,
                     void* context);

// solve_islands.c: solves all islands that are not settled, in parallel; their reports hold the
// results. A solver that refuses an island makes it fail with the solver's reason.
rgStatus rg_islands_solve(struct rgStep* step, rgProblemSet* set, const char* solver,
                          const rgStop* stop);

#endif
