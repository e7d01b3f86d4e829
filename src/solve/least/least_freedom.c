// least_freedom.c - which impulses the problem determines, and which are a matter of choice.
//
// Linearized at a solution, contact impulses that satisfy the law as well are the null vectors of
// the derivative of the law (newton_proximal.c), in which contacts without impulse stay without it,
// what slides keeps sliding, and what sticks is free within its cone. The proximal step
//
//     law(x + dx) with y + e (dx - z) in place of y
//
// takes any z to e / (l + e) of it in a mode with the eigenvalue l, and leaves null vectors as they
// are. After a few of these, from z at random, dx is a null vector at random: zero, up to rounding,
// at contacts where all null vectors are zero, and with probability one nowhere else.
#include "base/random.h"
#include "problem/operator.h"
#include "solve/least/least.h"
#include "solve/least/least_model.h"

#include <math.h>
#include <string.h>

enum { STEPS = 4 }; // e^4 is rounding for every mode of the size of the diagonal of W

// z: random numbers of the size of x in every component.
static void set_start(rgLeastModel* least) {
  rgNewtonPath* path = &least->path;
  uint64_t state = 1;
  double sum = 0;
  for (size_t k = 0; k < path->count; k++)
    sum += path->x[k] * path->x[k];
  double size = sqrt(sum / (double)path->count);
  for (size_t k = 0; k < path->count; k++)
    path->best[k] = path->step[k] = size * (2 * rg_random_unit(&state) - 1);
}

static bool find_null_vector(rgLeastModel* least) {
  rgNewtonPath* path = &least->path;
  for (int i = 0; i < STEPS; i++) {
    for (size_t k = 0; k < path->count; k++)
      path->centre[k] = path->x[k] + path->step[k];
    path->evaluate(path->context, path->x, path->y, RG_LEAST_COMPLIANCE);
    if (i == 0 && !path->solve(path->context, RG_LEAST_COMPLIANCE))
      return false;
    if (i > 0)
      rg_newton_proximal_step_again(&least->proximal);
  }
  return true;
}

static double size_of(const double* x, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += x[k] * x[k];
  return sqrt(sum);
}

bool rg_solve_freedom(const rgProblem* problem, const rgSolution* solution, void* work,
                      double* freedom) {
  if (!rg_least_takes(problem))
    return false;
  rgCertificate certificate;
  rg_problem_certify(problem, solution, 1, &certificate);
  double slip = rg_least_slip(&certificate);
  rgLeastModel* least = rg_least_model_build(problem, NULL, solution, slip, work);
  if (!least || !rg_least_model_prepare_slide(least))
    return false;
  rgNewtonPath* path = &least->path;
  rg_newton_form_load(&least->form, solution);
  path->velocity(path->context, path->x, path->y);
  set_start(least);
  if (!find_null_vector(least))
    return false;
  memset(freedom, 0, (size_t)problem->contact_count * sizeof(double));
  bool known = true;
  for (int i = 0; i < least->model.term_count; i++) {
    const rgNewtonTerm* term = &least->model.terms[i];
    const rgNewtonFormTerm* own = &least->form.terms[i];
    double start = term->row ? 0 : size_of(path->best + own->at, term->m);
    if (start > 0) // zero where no contact has an impulse
      freedom[term->source] = size_of(path->step + own->at, term->m) / start;
    known = known && (term->row || isfinite(freedom[term->source]));
  }
  return known;
}
