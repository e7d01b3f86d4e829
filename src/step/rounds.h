// rounds.h - the loop of a step: guess the ends, fill the problem, solve it, see what was missed.
//
// Two things of a step's problem depend on its solution. Which contacts are in it and which law
// they follow depends on the movement that comes out, and so do rows that are taken at the mean of
// start and end. A round solves the problem for what is known; its clients then say what they need:
// nothing more, a follow-up round for the ends that the solution leads to (the same islands), or a
// rebuild, because contacts enter or laws change. What rounds cannot settle gets the plain step,
// and the certificate says so.
#ifndef STEP_ROUNDS_H
#define STEP_ROUNDS_H

#include "step/step.h"

typedef enum rgRoundNeed { RG_ROUND_DONE, RG_ROUND_FOLLOW, RG_ROUND_REBUILD } rgRoundNeed;

// What takes part in rounds: contacts (fill/contact_client.c), joints (fill/joint_client.c), and
// what bodies would pass (fill/late_contact.c).
// Functions that a client does not need are NULL.
typedef struct rgRoundClient {
  const char* name;
  // Once per step: what is in the problem, and what its rows read of the start of the step.
  void (*begin)(rgStep* step);
  // Its part of the problem for a first guess of the ends: as at the start of the step.
  void (*guess)(rgStep* step);
  // Keeps of the solution what the next fill starts from.
  void (*keep)(rgStep* step);
  // What it reads of the ends that were guessed or followed.
  void (*ends)(rgStep* step);
  // Its part of the problem of all islands that are not settled, with the warm start.
  void (*fill)(rgStep* step);
  // Rounds of its own that are cheaper than a solve, after the first fill.
  rgStatus (*close)(rgStep* step);
  // Looks at the solution: whether its ends need another round. Settles islands that do not.
  bool (*moved)(rgStep* step);
  // Gives islands that no round settles the plain step: true when there are any, whose problems it
  // has prepared for one more solve.
  bool (*give_up)(rgStep* step);
  // Takes what the solved movement closes into the problem. Returns how many entered.
  int (*enters)(rgStep* step);
  // Changes laws under which the solved movement would gain energy. Returns how many.
  int (*gains)(rgStep* step);
} rgRoundClient;

// Finds impulses and velocities of the step in its velocity problem, and the ends of its bodies.
rgStatus rg_rounds_run(rgStep* step);
// Whether there may be islands that are solved for the ends they lead to.
bool rg_rounds_follow_ends(const rgStep* step);

#endif
