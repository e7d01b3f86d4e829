// least_slide.c - the limit of equal compliances, where something slides.
//
// The Newton steps of newton_proximal.c, which have the full derivative of Coulomb's law, solve (1)
// of least.c with their centre at zero. Then the centre follows: with e D (r - c) in place of e D r
// and c the last answer, each step makes the error of a mode with the eigenvalue l of W e / (l + e)
// of what it was. Normal impulses inside their bounds stay of the form D^-1 H_n' y throughout.
//
// Bounded rows keep the solver's impulse as their first centre; rows without bounds are equations.
//
// Fails where Newton's method does not converge from the solver's answer.
#include "solve/least/least_model.h"

#include <math.h>
#include <string.h>

enum {
  STEPS = 12,        // of Newton's method with the centre at zero,
  REFINED_STEPS = 3, // and at each further centre
  CENTRES = 10,
  LINE_STEPS = 6 // halvings
};
// |F| that is solved, relative to |x|, and what rounding may leave of it.
static const double SOLVED = 1e-13, NEARLY_SOLVED = 1e-8;
// |F|^2 that the first step may lead to, relative to |x|^2: along the null space it goes far.
static const double JUMP = 1e-2;
// A matrix serves for another step that brought |F|^2 down to this part.
static const double SERVES = 1e-4;
// A centre that leaves more than this part of what was missed is the last.
static const double GAIN = 0.5;

static double squared_norm(const double* x, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += x[k] * x[k];
  return sum;
}

// Moves x by the longest of 1, 1/2, 1/4 ... of the step that brings |F|^2 / 2 below the limit.
// Returns the new value, or infinity when there is none.
static double search_line(rgNewtonPath* path, double limit) {
  double part = 1;
  for (int i = 0; i < LINE_STEPS; i++, part *= 0.5) {
    for (size_t k = 0; k < path->count; k++)
      path->trial[k] = path->x[k] + part * path->step[k];
    path->velocity(path->context, path->trial, path->trial_y);
    double value = path->evaluate(path->context, path->trial, path->trial_y, RG_LEAST_COMPLIANCE);
    if (value < limit) {
      memcpy(path->x, path->trial, path->count * sizeof(double));
      memcpy(path->y, path->trial_y, path->count * sizeof(double));
      return value;
    }
  }
  return HUGE_VAL;
}

// Newton's step, with the matrix of an earlier one where that served well. False when the matrix is
// singular.
static bool find_step(rgLeastModel* least) {
  if (least->factored) {
    rg_newton_proximal_step_again(&least->proximal);
    return true;
  }
  least->factorizations++;
  least->factored = least->path.solve(least->path.context, RG_LEAST_COMPLIANCE);
  return least->factored;
}

// Solves (1) with the present centre. False when Newton's method does not get there.
static bool converge(rgLeastModel* least, int steps, double jump) {
  rgNewtonPath* path = &least->path;
  double value = path->evaluate(path->context, path->x, path->y, RG_LEAST_COMPLIANCE);
  double size = squared_norm(path->x, path->count), last = fmax(value, jump * size);
  for (int k = 0; k < steps && value > SOLVED * SOLVED * size; k++) {
    bool old = least->factored;
    if (!find_step(least))
      return false;
    double next = search_line(path, fmax(last, value));
    least->factored = next <= SERVES * value;
    if (!(next < HUGE_VAL)) {
      if (!old)
        break; // rounding, or too far away
      path->evaluate(path->context, path->x, path->y, RG_LEAST_COMPLIANCE);
      continue;
    }
    last = value;
    value = next;
    size = squared_norm(path->x, path->count);
  }
  return value <= NEARLY_SOLVED * NEARLY_SOLVED * size;
}

// Contacts have their centre at zero, rows at what the solver found.
static void clear_centre(rgLeastModel* least) {
  for (int i = 0; i < least->model.term_count; i++) {
    int at = least->form.terms[i].at;
    bool row = least->model.terms[i].row;
    for (int k = 0; k < least->model.terms[i].m; k++)
      least->path.centre[at + k] = row ? least->path.x[at + k] : 0;
  }
}

bool rg_least_slide(rgLeastModel* least, const rgSolution* solution, double goal) {
  if (!rg_least_model_prepare_slide(least))
    return false;
  rgNewtonPath* path = &least->path;
  rg_newton_form_load(&least->form, solution);
  clear_centre(least);
  path->velocity(path->context, path->x, path->y);
  if (!converge(least, STEPS, JUMP))
    return false;
  double missed = path->measure(path->context, path->x, path->y);
  for (int i = 0; i < CENTRES && missed > goal; i++) {
    memcpy(path->centre, path->x, path->count * sizeof(double));
    if (!converge(least, REFINED_STEPS, 0))
      return false;
    double last = missed;
    missed = path->measure(path->context, path->x, path->y);
    if (!(missed <= GAIN * last))
      break;
  }
  return isfinite(missed);
}
