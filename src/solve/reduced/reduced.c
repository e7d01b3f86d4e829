// reduced.c - contacts and bounded rows of trees of joints, by their dense W.
//
// Problem: the discrete problem of problem.h whose links say that rows form trees.
//
// Method: the local form over contacts and rows that the trees do not satisfy by themselves
// (reduced_model.c), solved by newton (reduced_newton.c), and the impulses of all other rows from the
// balance of momentum. Nothing to iterate on is left where there are neither contacts nor such rows.
//
// The driver judges the answer by all rows and contacts of the problem, with velocities from
// impulses and the masses of single bodies: it knows nothing of trees.
//
// Reference: Featherstone 1983; Cline 2002, 6.1, which wishes for it. Cost: reduced_model.c. Gives up where
// W would be large, where newton does not reach the goal, and where masses are singular.
#include "solve/reduced/reduced.h"

#include <math.h>
#include <string.h>

enum {
  PASSES = 8
}; // in which contacts and limits enter; beyond these the driver sees what is left

size_t rg_reduced_work_size(const rgProblem* problem) {
  if (!rg_reduced_takes(problem))
    return 0;
  rgReduced reduced;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof reduced);
  rg_reduced_carve(&reduced, problem, &carver);
  return carver.used;
}

// Solves the local form, and again with what the answer violates.
static void solve_nodes(rgSolve* run, rgReduced* reduced) {
  for (int pass = 0; pass < PASSES; pass++) {
    if (pass > 0 || run->call == 0)
      rg_reduced_fill(reduced, run->solution);
    if (reduced->contact_count + reduced->row_count > 0)
      rg_reduced_newton(reduced, run);
    rg_reduced_velocity(reduced);
    rg_reduced_store(reduced, run->solution);
    if (rg_reduced_add_violated(reduced, run->goal) == 0)
      break;
  }
  rg_reduced_react(reduced, run->solution);
  rg_reduced_complete(reduced, run->solution);
}

bool rg_reduced_solve(rgSolve* run, void* work) {
  const rgProblem* problem = run->problem;
  rgCarver carver = {work, 0};
  rgReduced* reduced = rg_carve(&carver, 1, sizeof *reduced);
  int before = run->iterations;
  if (run->call == 0) {
    rg_reduced_carve(reduced, problem, &carver);
    if (!rg_reduced_build(reduced, run->solution))
      return false;
    rg_solve_count_factorization(run, problem->body_count);
  } else if (reduced->contact_count + reduced->row_count == 0) {
    return false; // it is as good as rounding allows
  }
  run->measure = 0;
  solve_nodes(run, reduced);
  if (run->iterations == before) { // the trees have moved, whatever newton has found to do
    run->iterations++;
    rg_solve_record(run, run->measure);
  }
  return true;
}
