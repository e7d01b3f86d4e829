// newton.c - proximal semismooth Newton method in motion space.
//
// Problem: the discrete problem of problem.h with exact cones (frictionless, disk, ellipsoid) and
// rows.
//
// Method. Augmented Lagrangian (proximal point on the impulses): for multipliers y and offsets s,
// minimize the convex function phi of newton_model.c over x by Newton's method with a line search,
// then
//
//     y <- P_K(y - rho (u + s n)),     s <- mu |u_T|.
//
// At a fixed point y and u satisfy De Saxce's form of the contact law. Nothing has to be unique:
// when contacts are redundant, y converges to one of the solutions, and the Hessian I + J' (rho DP)
// J is positive definite whatever the rank of J. After an outer iteration the velocities miss the
// law by |y - y_last| / rho, so a large penalty makes them few; it is kept below what the
// conditioning of the Hessian allows, and rounding is removed by the outer iterations themselves.
// The Hessian is factored by sparse 6 x 6 blocks in a minimum-degree order.
//
// Difference to the Newton methods of Renouf et al. 2005 and Chakraborty et al. 2007 (PATH):
// globalized by a convex merit function instead of a path search, and the non-associated part of
// the law enters through s only, a fixed point that contracts fast where little slides. Where much
// slides it is slow or does not contract, so two methods stand beside it that have the full,
// unsymmetric derivative of the law in their matrix: one that descends from a good start
// (newton_proximal.c, newton_path.c) and one that needs none and settles hundreds of contacts at
// once, an interior-point method (newton_interior.c). A start that is near goes to the first, then
// for some steps to the second; every other and what they leave to the interior-point method, whose
// last digits the second adds. Whoever knows that the problem is hard asks for the interior-point
// method at once (option interior): near solutions where hundreds of contacts are about to slip,
// the other two spend their steps in vain.
//
// Rows without bounds are a penalty to the first method, and the longer a chain of joints, the more
// outer iterations it takes. The second has them as equations (newton_form.h), for which length
// does not matter. So with such rows it begins, from the start as it is, which suits the rows but
// for what the contacts change, and goes on alone: a start from nothing costs more than it gains.
//
// The local form is solved by that second method alone (newton_local.c).
//
// Cost: per Newton step one assembly (linear in contacts) and one factorization, linear in bodies
// for chains and stacks, growing like n^1.5 for walls and n^2 for heaps. Refuses problems whose
// factor would be too large. Reference: Rockafellar 1976; Qi, Sun 1993; Acary, Cadoux, Lemarechal,
// Malick 2011.
#include "base/message.h"
#include "solve/newton/newton_convex.h"
#include "solve/newton/newton_interior.h"
#include "solve/newton/newton_local.h"
#include "solve/newton/newton_model.h"
#include "solve/newton/newton_proximal.h"

#include <math.h>
#include <string.h>

enum {
  MANY_BODIES = 4096,   // more than these only when few of them touch each other,
  FEW_COUPLINGS = 3,    // at most so many couplings for two bodies: chains, trees, stacks
  BLOCKS_PER_BODY = 48, // room for fill
  FEW_BLOCKS = 12,      // the same where couplings are few,
  FEW_FORM_BLOCKS = 4,  // and in the second method, which needs 1 to 3 of them there
  STALLED_LIMIT = 8,  // outer iterations without halving the measure: leave it to the second method
  CONVEX_STEPS = 40,  // after these it comes to the second method, too
  CONVEX_CALLS = 2,   // calls that begin with the first method: one more than rounding asks for
  DESCENT_STEPS = 60, // of the second method from a start that is near
  POLISH_STEPS = 4,   // of the second method after the interior-point method
  INTERIOR_STEPS = 30 // fewer are of no use to the interior-point method
};

// Penalty, relative to the effective mass of each contact. The first makes statuses settle, the
// last is what double precision still bears.
static const double FIRST_PENALTY = 1e3, LAST_PENALTY = 1e9, PENALTY_GROWTH = 10;
// The gradient that ends an outer iteration, relative to the measure of the one before.
static const double INNER_PART = 0.05;
// 6 x 6 products per term and body: one of them takes about as long as two contacts take in a
// sweep.
static const double EXPENSIVE = 60;
// The driver lowers the goal when a solver's own measure flatters; the one of this solver does so
// by less than this.
static const double LEAST_GOAL = 0.05;
// A start that misses the law by less than this part of the free velocity is near; it is worth
// descending from when it misses the target by less than this factor.
static const double NEAR = 0.01, WORTH_DESCENT = 100;
// Contacts without impulse are left out that separate faster than this part of what a warm start is moved inside.
static const double APART = 0.3;
// Part of the goal that is tried for once the goal is reached.
static const double POLISHED = 1e-3;

static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(sweeps, 5, 0, 1000000, true,
                     "local form: sweeps of Gauss-Seidel before the first step"),
    RG_SOLVER_OPTION(
        associated, 0, 0, 1, true,
        "bodies: leave the offsets out (1): least net force over the cones, for statics"),
    RG_SOLVER_OPTION(interior, 0, 0, 1000, false,
                     "bodies: begin with the interior-point method, its impulses and velocities so "
                     "many times those of the free motion; 0: begin by how near the start is"),
    RG_SOLVER_OPTION(
        seed, 0, 0, 1000000, true,
        "bodies: the interior-point method begins with other impulses at each contact, "
        "drawn by this number; 0: with the same at all"),
    RG_SOLVER_OPTION(
        warm, 0, 0, 1000, false,
        "bodies: begin with the interior-point method at the given impulses, moved inside the "
        "cones by so many free velocities, without those that clearly separate; 0: as above"),
    {.name = NULL},
};

// Runs of contacts or rows that couple two moving bodies. Each pair is one run as worlds make them.
static long long count_couplings(const rgProblem* problem) {
  long long count = 0;
  int a = -1, b = -1;
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    count += contact->body_a >= 0 && contact->body_b >= 0 &&
             (contact->body_a != a || contact->body_b != b);
    a = contact->body_a;
    b = contact->body_b;
  }
  a = b = -1;
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    count += row->body_a >= 0 && row->body_b >= 0 && (row->body_a != a || row->body_b != b);
    a = row->body_a;
    b = row->body_b;
  }
  return count;
}

static bool has_few_couplings(const rgProblem* problem) {
  return 2 * count_couplings(problem) <= FEW_COUPLINGS * (long long)problem->body_count;
}

// A factor with more blocks is too expensive anyway: n columns of m blocks take n m^2 / 2 products.
static int block_limit(const rgProblem* problem) {
  double n = problem->body_count, terms = (double)problem->contact_count + problem->row_count;
  double all = n * (n - 1) / 2 + 1, most = sqrt(2 * EXPENSIVE * n * (n + terms));
  double some = (n > MANY_BODIES ? FEW_BLOCKS : BLOCKS_PER_BODY) * n;
  return (int)fmin(all, fmin(most, some));
}

static bool is_too_large(const rgProblem* problem) {
  return problem->body_count > MANY_BODIES && !has_few_couplings(problem);
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  if (problem->local)
    return rg_newton_local_accepts(problem, message);
  if (is_too_large(problem))
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "newton takes more than %d bodies only where few touch each other, the problem "
                   "has %d bodies",
                   (int)MANY_BODIES, problem->body_count);
  for (int i = 0; i < problem->contact_count; i++) {
    rgConeKind cone = problem->contacts[i].cone;
    if (cone == RG_CONE_INNER || cone == RG_CONE_OUTER)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "newton takes exact cones only, contact %d has a polygon", i);
  }
  return RG_OK;
}

// Its room is too expensive for many bodies that the first method does as well.
static bool has_second_method(const rgProblem* problem) {
  return problem->body_count <= MANY_BODIES ||
         (problem->contact_count > 0 && rg_newton_form_joints(problem) > 0);
}

typedef struct Newton {
  rgNewtonModel model;
  rgNewtonForm form;
  rgNewtonInterior interior;
  rgNewtonProximal proximal;
} Newton;

static Newton* carve(Newton* newton, const rgProblem* problem, rgCarver* carver) {
  Newton* place = rg_carve(carver, 1, sizeof *newton);
  int limit = block_limit(problem);
  memset(newton, 0, sizeof *newton);
  rg_newton_model_carve(&newton->model, problem, limit, carver);
  if (has_second_method(problem)) {
    bool many = problem->body_count > MANY_BODIES;
    rg_newton_form_carve(&newton->form, problem,
                         many ? FEW_FORM_BLOCKS * problem->body_count : limit, carver);
    rg_newton_proximal_carve(&newton->proximal, problem, carver);
    if (rg_newton_form_joints(problem) == 0)
      rg_newton_interior_carve(&newton->interior, problem, carver);
  }
  return place;
}

static size_t work_size(const rgProblem* problem) {
  if (problem->local)
    return rg_newton_local_work_size(problem);
  if (is_too_large(problem))
    return RG_ALIGNMENT;
  Newton newton;
  rgCarver carver = {NULL, 0};
  carve(&newton, problem, &carver);
  return carver.used;
}

// The offset mu |u_T|. A contact whose impulse is strictly inside the cone sticks, so its offset is
// zero: what is left of u_T there is only error, and offsets made of it would contradict each other
// on redundant contacts for ever.
static double slide(const rgNewtonTerm* term) {
  if (term->row || term->m == 1)
    return 0;
  double sum = 0, inside = 0;
  for (int k = 1; k < term->m; k++) {
    sum += term->u[k] * term->u[k];
    inside += term->z[k] * term->z[k];
  }
  return sqrt(inside) < term->mu * term->z[0] ? 0 : term->mu * sqrt(sum);
}

// Velocity by which an outer iteration missed the law [m/s].
typedef struct Missed {
  double impulse; // through the multipliers: falls faster with a larger penalty
  double offset;  // through the offsets: does not depend on the penalty
} Missed;

// Multipliers and offsets of the next outer iteration. The associated law has no offsets.
static Missed update(rgNewtonModel* model, double kappa, bool associated) {
  Missed missed = {0, 0};
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    double change2 = 0, offset = associated ? 0 : slide(term);
    for (int k = 0; k < term->m; k++) {
      double change = (term->p[k] - term->y[k]) / (kappa * term->mass);
      change2 += change * change;
      term->y[k] = term->p[k];
    }
    missed.impulse = fmax(missed.impulse, sqrt(change2));
    missed.offset = fmax(missed.offset, fabs(offset - term->offset));
    term->offset = offset;
  }
  return missed;
}

// A factorization that costs more than some hundred sweeps over the contacts is left to others. No
// room for the factor shows as no multiplications.
static bool too_dear(const rgNewtonModel* model) {
  return model->matrix.multiplications >
         EXPENSIVE * (model->term_count + model->problem->body_count);
}

// The convex method. True when its measure reached the goal; what it found is stored in any case.
static bool converge(rgNewtonModel* model, rgSolve* run, bool associated) {
  rg_newton_model_load(model, run->solution);
  double kappa = FIRST_PENALTY, measure = HUGE_VAL, best = HUGE_VAL;
  // Offsets of the start: those of the velocity that the warm start gives.
  rg_newton_model_evaluate(model, model->x, kappa, NULL);
  for (int i = 0; i < model->term_count; i++)
    model->terms[i].offset = associated ? 0 : slide(&model->terms[i]);

  // |gradient| is in mass-weighted units; the lightest effective mass turns the goal into them.
  double lightest = HUGE_VAL;
  for (int i = 0; i < model->term_count; i++)
    lightest = fmin(lightest, model->terms[i].mass);
  double unit = sqrt(lightest), goal = fmax(run->goal, LEAST_GOAL * run->target),
         noise = rg_newton_convex_rounding(model);
  int stalled = 0, last_step = run->iterations + CONVEX_STEPS;
  bool all = associated || !has_second_method(run->problem);
  while (measure > goal && stalled < STALLED_LIMIT && (all || run->iterations < last_step) &&
         !rg_solve_is_over(run)) {
    double wanted = fmax(goal, INNER_PART * fmin(measure, 1e3 * goal));
    rgNewtonOutcome outcome = rg_newton_convex_minimize(
        model, run, kappa, fmax(INNER_PART * unit * wanted, noise * kappa));
    if (outcome == RG_NEWTON_FAILED)
      break;
    double last = measure;
    Missed missed = update(model, kappa, associated);
    measure = missed.impulse + missed.offset;
    rg_solve_record(run, measure);
    stalled = measure < 0.5 * best ? 0 : stalled + 1;
    best = fmin(best, measure);
    if (measure <= 0.1 * last || missed.offset > 10 * missed.impulse)
      continue;
    // Slow outer iterations ask for a larger penalty; where that no longer helps, a small one
    // removes the rounding it brought.
    if (outcome == RG_NEWTON_STALLED || kappa == LAST_PENALTY)
      kappa = FIRST_PENALTY;
    else
      kappa = fmin(kappa * PENALTY_GROWTH, LAST_PENALTY);
  }
  run->measure = measure;
  rg_newton_model_store(model, run->solution);
  return measure <= goal;
}

// The second method for at most `steps` steps. True when its measure reached the goal.
static bool descend(Newton* newton, rgSolve* run, int steps) {
  int limit = run->iteration_limit;
  if (steps < limit - run->iterations)
    run->iteration_limit = run->iterations + steps;
  rg_newton_proximal_solve(&newton->proximal, run);
  run->iteration_limit = limit;
  return run->measure <= run->goal;
}

// The interior-point method ends inside the cones: contacts that open keep a trace of impulse. A
// step or two from there leave none, and gain many digits.
static void polish(Newton* newton, rgSolve* run) {
  double goal = run->goal;
  run->goal *= POLISHED;
  descend(newton, run, POLISH_STEPS);
  run->goal = goal;
}

static bool has_equations(const Newton* newton) {
  return newton->form.node_count > newton->model.problem->body_count;
}

// There is none where the problem has equations, also if the model has left them all out: rows
// that move nothing.
static bool has_interior(const Newton* newton) { return newton->interior.terms != NULL; }

static bool has_room_for_interior(const rgSolve* run) {
  return run->iteration_limit - run->iterations >= INTERIOR_STEPS;
}

static bool asks_interior(const rgSolve* run) {
  return run->options[RG_NEWTON_INTERIOR] > 0 || run->options[RG_NEWTON_WARM] > 0;
}

// The methods with the full derivative of the law.
static void solve_sliding(Newton* newton, rgSolve* run) {
  if (run->call == 0 && !has_equations(newton)) {
    rgInteriorStart start = {.inside = run->options[RG_NEWTON_WARM],
                             .size = run->options[RG_NEWTON_INTERIOR],
                             .seed = (int)run->options[RG_NEWTON_SEED]};
    bool near = !asks_interior(run) && run->measure <= WORTH_DESCENT * run->target;
    if (near && descend(newton, run, DESCENT_STEPS))
      return;
    if (has_interior(newton) && has_room_for_interior(run) &&
        rg_newton_interior_solve(&newton->interior, &newton->form, start, run)) {
      polish(newton, run);
      return;
    }
    if (start.inside > 0 &&
        has_interior(newton)) // another start is worth more than steps from where it ended
      return;
  }
  if (!rg_solve_is_over(run))
    rg_newton_proximal_solve(&newton->proximal, run);
}

// False when there is no room for the factor.
static bool build(Newton* newton, rgSolve* run) {
  double apart = APART * run->options[RG_NEWTON_WARM] * run->scale;
  bool some = apart > 0;
  if (some)
    rg_problem_velocity(run->problem, run->solution);
  if (run->call > 0 && !(some && !rg_newton_model_is_complete(&newton->model, run->solution)))
    return true;
  if (some ? !rg_newton_model_build_near(&newton->model, run->solution, apart)
           : !rg_newton_model_build(&newton->model))
    return false;
  if (has_second_method(run->problem)) {
    rg_newton_form_build(&newton->form, &newton->model);
    rg_newton_proximal_build(&newton->proximal, &newton->form);
  }
  return true;
}

static void solve(rgSolve* run) {
  if (run->problem->local) {
    rg_newton_local_solve(run);
    return;
  }
  Newton* newton = run->work;
  if (run->call == 0) {
    rgCarver carver = {run->work, 0};
    Newton made;
    Newton* place = carve(&made, run->problem, &carver);
    *place = made;
  }
  if (!build(newton, run))
    return;
  if (newton->model.matrix.multiplications == 0 || too_dear(&newton->model))
    return;
  if (run->options[RG_NEWTON_ASSOCIATED] != 0) {
    converge(&newton->model, run, true);
    return;
  }
  bool second = has_second_method(run->problem);
  bool asked = asks_interior(run) && run->call == 0 && has_interior(newton);
  bool near = (!asked && run->measure <= NEAR * run->scale) || !has_room_for_interior(run);
  bool warm = run->options[RG_NEWTON_WARM] > 0;
  bool convex = second ? run->call < CONVEX_CALLS && near && !warm && !has_equations(newton) : true;
  if (run->call == 0)
    run->goal = fmax(run->goal, LEAST_GOAL * run->target);
  if (convex && converge(&newton->model, run, false))
    return;
  if (second && !rg_solve_is_over(run))
    solve_sliding(newton, run);
}

const rgSolver rg_solver_newton = {
    .name = "newton",
    .summary =
        "proximal semismooth Newton with a sparse factorization, in motion space or local form, "
        "exact cones, any rank",
    .reference = "Rockafellar 1976; Qi, Sun 1993; Acary, Cadoux, Lemarechal, Malick 2011; the part "
                 "of PATH in Renouf, Acary, Dumont 2005 and Chakraborty et al. 2007",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
    .local_rows = true,
};
