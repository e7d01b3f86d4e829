// lemke.c - complementary pivoting on contacts with polyhedral cones, limits and joints.
//
// Problem: the discrete problem of problem.h with polyhedral cones, in body or local form, as a
// mixed linear complementarity problem (Cline 2002, eq. 2.49; Renouf et al. 2005, eq. 25-33;
// lemke_model.c).
//
// Method: joints are eliminated (elimination.c), the rest is solved by Lemke's method
// (lemke_pivot.c) from z = 0: a path of pivots has no use for a warm start. The covering vector is
// ones in the scaled unknowns. Should the path end in a ray, or the answer miss the certificate,
// other covering vectors are tried, drawn between one and two: for the matrices of contact a ray is
// nearly always rounding, and another path goes around it. A ray on every path is reported as such.
//
// One iteration is one pivot. Cost: n^2 per pivot, n to 3 n pivots, n = k + 2 per contact with k
// facets; memory 2 n^2 numbers. For hundreds of contacts other solvers are far faster.
#include "base/message.h"
#include "base/random.h"
#include "solve/pivot/lemke_model.h"
#include "solve/solver.h"

#include <string.h>

enum {
  UNKNOWNS_MAX = 3000, // 2 x 72 MB
  PATHS = 4            // covering vectors to try
};

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  int unknowns;
  rgStatus status = rg_lemke_count(problem, &unknowns, message);
  if (status == RG_OK && unknowns + problem->row_count > UNKNOWNS_MAX)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "lemke takes at most %d unknowns, the problem has %d and %d rows",
                   (int)UNKNOWNS_MAX, unknowns, problem->row_count);
  return status;
}

static size_t work_size(const rgProblem* problem) {
  if (accepts(problem, NULL) != RG_OK)
    return RG_ALIGNMENT;
  rgLemkeModel model;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof model);
  rg_lemke_model_carve(&model, problem, &carver);
  return carver.used;
}

// Before each pivot: z0 is what is left of the violation.
static bool proceed(void* context, double artificial) {
  rgSolve* run = context;
  rg_solve_record(run, artificial * run->scale);
  run->iterations++;
  return !rg_solve_is_over(run);
}

static rgLemkeModel* build(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  rgLemkeModel* model = rg_carve(&carver, 1, sizeof *model);
  rg_lemke_model_carve(model, run->problem, &carver);
  rg_lemke_model_build(model, run->solution);
  return model;
}

// Ones for the first path, then numbers between one and two.
static void choose_cover(rgLemke* lemke, int path) {
  uint64_t state = (uint64_t)path;
  for (int i = 0; i < lemke->n; i++) {
    double part = rg_random_unit(&state);
    lemke->cover[i] = path == 0 ? 1 : 1 + part;
  }
}

static void solve(rgSolve* run) {
  if (run->call >= PATHS)
    return;
  rgLemkeModel* model = run->call == 0 ? build(run) : run->work;
  rgLemke* lemke = &model->lemke;
  memcpy(lemke->q, model->q, (size_t)lemke->n * sizeof(double));
  choose_cover(lemke, run->call);
  lemke->proceed = proceed;
  lemke->context = run;
  int before = run->iterations;
  rg_lemke_run(lemke);
  if (run->iterations == before)
    run->iterations++; // nothing to pivot on is an answer too
  if (lemke->report.status == RG_NO_SOLUTION)
    run->status = RG_NO_SOLUTION;
  rg_lemke_model_store(model, run->solution);
  run->measure = 0;
}

static const rgSolverOption options[] = {{.name = NULL}};

const rgSolver rg_solver_lemke = {
    .name = "lemke",
    .summary = "complementary pivoting with the lexico-minimum ratio test; frictionless and "
               "polyhedral cones, limits, joints",
    .reference = "Cline 2002, 2.7 and 4.8; Renouf, Acary, Dumont 2005, section 5; Lemke 1965",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
