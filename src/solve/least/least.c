// least.c - of all impulses that solve a problem, those of contacts that yield alike.
//
// Problem: where contacts are redundant, W = H' M^-1 H is singular and the law of problem.h has many
// solutions. Those with one velocity v differ by impulses in the null space of H, which bodies do
// not feel but users read as forces. Where contacts slide even v differs: the normal impulses may
// be shared out in many ways, and with their shares turns the resultant of friction.
//
// Law: the solution is the limit, for e -> 0, of contacts that are compliant, all alike,
//
//     u = H' v + bias + e D r,      D = diag(d_c) > 0,                                         (1)
//
// with the law of friction as it is. What this makes of the limit: let v = v0 + e v1 + ... A contact
// that presses and slides at v0 has u_n = 0 in both orders, so that
//
//     r_n = -(H_n' v1) / d,      r_T = -mu r_n u_T / |u_T|;
//
// one that presses and sticks has r = -(H' v1) / d inside its cone, and Coulomb's law for the slip
// v1 on its boundary. So r is D^-1 H' y for one y per body, y = -v1: the normal impulses of what
// slides, and all those of what sticks within its cone, have the least norm r' D r among those with
// the same resultants. The pressure under a face is linear in the place and equal for symmetric
// points; a table of four legs has no friction at rest. For fixed slips (1) is the equation of a
// convex problem, a Tikhonov regularization, whose limit is the solution of least norm (Tikhonov
// and Arsenin 1977); with v' M (v - v_free) = sum r (u - bias) - e r' D r it has a solution for
// every e > 0, as impulses are bounded and continuous in v.
//
// Method. From the answer of a solver, least_model.c finds what touches, what slides, and a motion
// at which everything that rests does so exactly. Where nothing slides the choice is a convex
// problem, min r' D r, which least_stick.c solves; this also decides about contacts that stick with
// friction at its limit. Where something slides least_slide.c solves (1) for an e that is small, by
// Newton's method with the full derivative of Coulomb's law, and removes e step by step. Impulses of
// rows do not count: joints that are redundant together with contacts carry what these leave.
//
// The certificate judges the answer without e, for the problem as it was. If it comes out worse, the
// solver's answer stays.
//
// D: e d r is a velocity. All contacts of a problem have the same d, unless weights are given: a
// step gives each of the n points of a patch d = n, so that patches yield alike, however many points
// stand for them.
//
// Cost: where nothing slides and no friction is at its limit, one assembly and one factorization;
// otherwise some of each. The matrix is one block row of six per body, however many contacts there
// are. Fails where Newton's method does not converge, and refuses what is too expensive to factor.
#include "solve/least/least.h"
#include "problem/operator.h"
#include "solve/least/least_model.h"

#include <math.h>
#include <string.h>

enum { MANY_BODIES = 1024 };
// What is missed of the law in the end, relative to the scale, is at most this where rounding allows.
static const double FINE = 1e-13;
// A residual that is at most this part of the tolerance is good: more was not asked for.
static const double GOOD_PART = 0.5;
// Residuals that differ by less than this factor are the same.
static const double NOT_WORSE = 2;
// A contact slides that is faster than this many residuals, and than this part of the scale.
static const double SLIDES = 10, SLIDES_PART = 1e-9;

bool rg_least_takes(const rgProblem* problem) {
  if (problem->local || problem->contact_count == 0 || problem->body_count > MANY_BODIES ||
      rg_problem_has_far(problem))
    return false;
  for (int i = 0; i < problem->contact_count; i++) {
    rgConeKind cone = problem->contacts[i].cone;
    if (cone == RG_CONE_INNER || cone == RG_CONE_OUTER)
      return false;
  }
  return true;
}

// By a count of unknowns and freedoms, except that pairs of bodies with several contacts always are,
// and that in islands of one or two bodies a ball between two plates is looked for as well.
bool rg_least_is_redundant(const rgProblem* problem) {
  if (problem->contact_count == 0 || rg_problem_has_far(problem))
    return false; // impulses of rows are no matter of choice, and the choice knows two bodies of a row
  if (problem->body_count <= 2 && problem->contact_count > 1)
    return true;
  int unknowns = problem->row_count;
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (i > 0 && contact->body_a == contact[-1].body_a && contact->body_b == contact[-1].body_b)
      return true;
    unknowns += contact->cone == RG_CONE_FRICTIONLESS ? 1 : problem->dimension == 2 ? 2 : 3;
  }
  return unknowns > (problem->dimension == 2 ? 3 : 6) * problem->body_count;
}

// -------------------------------------------------------------------------------------------------
// The choice
// -------------------------------------------------------------------------------------------------

static void copy_impulses(const rgProblem* problem, rgSolution* solution, double* kept, bool keep) {
  size_t contacts = 4 * (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  if (keep) {
    memcpy(kept, solution->r, contacts * sizeof(double));
    if (rows)
      memcpy(kept + contacts, solution->lambda, rows * sizeof(double));
    return;
  }
  memcpy(solution->r, kept, contacts * sizeof(double));
  if (rows)
    memcpy(solution->lambda, kept + contacts, rows * sizeof(double));
}

// Stores what was found; false when it is certified worse than what was there.
static bool take(rgLeastModel* least, rgSolution* solution, rgCertificate* certificate) {
  const rgProblem* problem = least->model.problem;
  copy_impulses(problem, solution, least->before, true);
  memset(solution->r, 0, 4 * (size_t)problem->contact_count * sizeof(double));
  if (least->slides)
    rg_newton_form_store(&least->form, solution);
  else
    rg_newton_model_store(&least->model, solution);
  rg_problem_velocity(problem, solution);
  rgCertificate chosen = *certificate;
  rg_problem_laws(problem, solution, &chosen);
  rg_problem_rate(&chosen, certificate->tolerance);
  double enough = fmax(NOT_WORSE * certificate->residual, GOOD_PART * certificate->tolerance);
  if (chosen.met && chosen.residual <= enough) {
    *certificate = chosen;
    return true;
  }
  copy_impulses(problem, solution, least->before, false);
  rg_problem_velocity(problem, solution);
  return false;
}

size_t rg_solve_choice_size(const rgProblem* problem) {
  return rg_least_takes(problem) ? rg_least_model_size(problem) : 0;
}

double rg_least_slip(const rgCertificate* certificate) {
  return fmax(SLIDES * certificate->residual, SLIDES_PART) * certificate->scale;
}

bool rg_least_choose(const rgProblem* problem, const double* weights, rgSolution* solution,
                     void* work, rgCertificate* certificate) {
  if (!rg_least_takes(problem) || !(certificate->scale > 0))
    return false;
  double slip = rg_least_slip(certificate), goal = FINE * certificate->scale;
  rgLeastModel* least = rg_least_model_build(problem, weights, solution, slip, work);
  if (!least)
    return false;
  bool found = least->slides ? rg_least_slide(least, solution, goal) : rg_least_stick(least, goal);
  certificate->factorizations += least->factorizations;
  return found && take(least, solution, certificate);
}

bool rg_solve_choose(const rgProblem* problem, rgSolution* solution, void* work,
                     rgCertificate* certificate) {
  return rg_least_choose(problem, NULL, solution, work, certificate);
}
