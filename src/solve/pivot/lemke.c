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
// nearly always rounding, and another path goes around it. Where the path for every one of them ends in
// a ray, a problem of a few unknowns is decided by trying all complementary sets (lemke_enumerate.c). Of
// the others a ray is reported as "no solution" where it is a proof, which is where M is positive
// semidefinite (copositive-plus): problems with bodies and no friction.
//
// `mixed` is the same method on the mixed problem itself (Cline 2002, 2.7.2): free rows are unknowns
// that are basic from the beginning, instead of being eliminated. It is the form for free rows of the
// local form, whose matrix need not be symmetric, and a check of the elimination; with many joints it is
// slower. Where the matrix of the free rows is singular, as for redundant joints, it is lost.
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

static rgStatus accepts_as(const rgProblem* problem, const char* name, rgMessage* message) {
  int unknowns;
  rgStatus status = rg_lemke_count(problem, name, &unknowns, message);
  if (status == RG_OK && unknowns + problem->row_count > UNKNOWNS_MAX)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s takes at most %d unknowns, the problem has %d and %d rows", name,
                   (int)UNKNOWNS_MAX, unknowns, problem->row_count);
  return status;
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  return accepts_as(problem, "lemke", message);
}

static rgStatus accepts_mixed(const rgProblem* problem, rgMessage* message) {
  return accepts_as(problem, "mixed", message);
}

static size_t work_size_as(const rgProblem* problem, bool mixed) {
  if (accepts(problem, NULL) != RG_OK)
    return RG_ALIGNMENT;
  rgLemkeModel model;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof model);
  rg_lemke_model_carve(&model, problem, mixed, &carver);
  return carver.used;
}

static size_t work_size(const rgProblem* problem) { return work_size_as(problem, false); }
static size_t work_size_mixed(const rgProblem* problem) { return work_size_as(problem, true); }

// Before each pivot: z0 is what is left of the violation.
static bool proceed(void* context, double artificial) {
  rgSolve* run = context;
  rg_solve_record(run, artificial * run->scale);
  run->iterations++;
  return !rg_solve_is_over(run);
}

static rgLemkeModel* build(rgSolve* run, bool mixed) {
  rgCarver carver = {run->work, 0};
  rgLemkeModel* model = rg_carve(&carver, 1, sizeof *model);
  rg_lemke_model_carve(model, run->problem, mixed, &carver);
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

// True where a ray proves that there is no solution.
static bool ray_is_proof(const rgProblem* problem) {
  if (problem->local)
    return false;
  for (int i = 0; i < problem->contact_count; i++)
    if (problem->contacts[i].cone != RG_CONE_FRICTIONLESS && problem->contacts[i].mu > 0)
      return false;
  return true;
}

static void solve_path(rgSolve* run, bool mixed) {
  if (run->call >= PATHS)
    return;
  rgLemkeModel* model = run->call == 0 ? build(run, mixed) : run->work;
  rgLemke* lemke = &model->lemke;
  memcpy(lemke->q, model->q, (size_t)lemke->n * sizeof(double));
  choose_cover(lemke, run->call);
  lemke->proceed = proceed;
  lemke->context = run;
  int before = run->iterations;
  rg_lemke_run(lemke);
  if (run->iterations == before)
    run->iterations++; // nothing to pivot on is an answer too
  bool ray = lemke->report.status == RG_NO_SOLUTION;
  if (ray && lemke->n <= RG_LEMKE_ENUMERABLE) {
    memcpy(lemke->q, model->q, (size_t)lemke->n * sizeof(double));
    ray = !rg_lemke_enumerate(lemke);
  }
  if (ray && (ray_is_proof(run->problem) || lemke->n <= RG_LEMKE_ENUMERABLE))
    run->status = RG_NO_SOLUTION;
  rg_lemke_model_store(model, run->solution);
  run->measure = 0;
}

static void solve(rgSolve* run) { solve_path(run, false); }
static void solve_mixed(rgSolve* run) { solve_path(run, true); }

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

const rgSolver rg_solver_mixed = {
    .name = "mixed",
    .summary = "lemke on the mixed problem itself: joints are unknowns that stay basic instead of "
               "being eliminated; mixed complementarity problems of files",
    .reference = "Cline 2002, 2.7.2",
    .accepts = accepts_mixed,
    .options = options,
    .work_size = work_size_mixed,
    .solve = solve_mixed,
    .local_rows = true,
};
