// project_trees.c - corrections of islands of trees, in the rates of their joints.
//
// Problem: the one of project.c for an island whose joints form trees.
//
// Method: that of solve/reduced, without what a certificate of impulses needs. What is asked of a correction is the
// displacement alone, and what it has led to is measured where the bodies are then: neither the impulses of the rows that
// hold joints are found, nor what all rows make of no correction and of this one, which together took as long as the
// solve. Where newton does not meet what is asked, the island is left to the driver as it was.
#include "solve/reduced/reduced.h"
#include "step/stabilize/project.h"

#include <string.h>

enum {
  PASSES = 8 // in which contacts and limits enter
};
// What is aimed at, as a part of what is asked.
static const double GOAL = 0.1;

typedef struct Trees {
  rgStep* step;
  const rgStop* stop;
  double target; // [m]
} Trees;

// Solves the laws of contacts and limits, and again with what the answer violates. False when it does not get there.
static bool solve_nodes(rgReduced* reduced, rgSolve* run) {
  for (int pass = 0; pass < PASSES; pass++) {
    rg_reduced_fill(reduced, run->solution);
    if (reduced->contact_count + reduced->row_count > 0)
      rg_reduced_newton(reduced, run);
    rg_reduced_velocity(reduced);
    if (rg_reduced_add_violated(reduced, run->goal) == 0)
      return run->measure <= run->target;
    rg_reduced_store(reduced, run->solution);
  }
  return false;
}

static void forget(const rgProblem* problem, rgSolution* solution) {
  for (int i = 0; i < 4 * problem->contact_count; i++)
    solution->r[i] = 0;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = 0;
}

static void solve_island(void* context, int item, int worker) {
  (void)worker;
  const Trees* trees = context;
  rgStep* step = trees->step;
  rgProblemSet* set = &step->position;
  rgIsland* island = &set->islands[item];
  if (!island->settles)
    return;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  rgReduced reduced;
  rgCarver carver = {(char*)step->factors + island->factor_start, 0};
  rg_reduced_carve(&reduced, &problem, &carver);
  rgSolve run = {.problem = &problem,
                 .solution = &solution,
                 .stop = trees->stop,
                 .target = trees->target,
                 .goal = GOAL * trees->target,
                 .iteration_limit = trees->stop->iteration_limit,
                 .deadline = HUGE_VAL,
                 .scale = trees->target / trees->stop->tolerance,
                 .work_limit = HUGE_VAL};
  island->settled = rg_reduced_build(&reduced, &solution) && solve_nodes(&reduced, &run);
  island->report = (rgSolveReport){.factorizations = 1 + run.effort.factorizations,
                                   .certificate.met = island->settled};
  if (island->settled)
    memcpy(solution.v, reduced.v, 6 * (size_t)problem.body_count * sizeof(double));
  else
    forget(&problem, &solution);
}

rgStatus rg_project_solve_trees(rgStep* step, const rgStop* stop, double largest, bool* all) {
  rgWorld* world = step->world;
  rgProblemSet* set = &step->position;
  size_t used = 0;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    rgProblem problem = rg_island_problem(set, island);
    island->settles = island->trees && rg_reduced_takes(&problem);
    if (!island->settles)
      continue;
    rgReduced reduced;
    rgCarver counter = {NULL, 0};
    rg_reduced_carve(&reduced, &problem, &counter);
    island->factor_start = used;
    used += counter.used;
  }
  *all = false;
  if (used == 0)
    return RG_OK;
  if (!rg_reserve(&world->allocator, &step->factors, &step->factors_capacity,
                  (int)(used / RG_ALIGNMENT), RG_ALIGNMENT))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for trees of joints");
  Trees trees = {step, stop, stop->tolerance * largest};
  rg_tasks_run(world->threads.tasks, set->island_count, solve_island, &trees);
  *all = true;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    if (island->settles)
      step->certificate.factorizations += island->report.factorizations;
    *all = *all && island->settled;
  }
  return RG_OK;
}
