// psor.c - projected successive over-relaxation.
//
// Problem: 0 <= z, M z + q >= 0, both perpendicular (Renouf et al. 2005, eq. 25), and rows with
// bounds. Frictionless contacts are this as they stand; polygonal cones are, with one scalar for
// each corner and a right-hand side that follows the slip (generators.h).
//
// Method (Renouf et al. 2005, section 6.1, eq. 34), with the splitting B = L + D / omega:
//     z_i = max(0, z_i - omega (M z + q)_i / M_ii),   newest values throughout,
// and for a row the projection on [lower, upper]. omega = 1 is projected Gauss-Seidel; above 1 long
// chains converge faster, and rough problems not at all.
//
// Matrix-free in body form: M z + q of a scalar is read from the velocities of its two bodies,
// and its change is added to them. The scalars of one contact share its block of W, so velocities
// are written once per contact. In local form the row of W is multiplied once per contact.
//
// Own measure: the largest change of an impulse over its effective mass, and over omega, in a
// sweep.
//
// Cost: linear in contacts times corners per sweep. The number of sweeps grows like that of every
// relaxation: with the square of the length of a chain of contacts, and with the ratio of masses.
#include "base/message.h"
#include "problem/operator.h"
#include "solve/one/generators.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

enum { OMEGA }; // index of the option
static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(omega, 1, 0.001, 1.999, false, "relaxation, 1 is Gauss-Seidel"),
    {.name = NULL},
};

typedef struct Contact {
  double w[3][3];     // block of W
  double inverse_rho; // [1/kg]
} Contact;

typedef struct Row {
  double inverse_block; // 0: both bodies are held
  double inverse_rho;   // block times the length that makes it a velocity
} Row;

typedef struct Psor {
  const rgProblem* problem;
  rgSolution* solution; // r, lambda; v in body form: the velocity that follows, all along
  rgGenerators* generators;
  Contact* contacts;
  Row* rows;
  double* a; // scalars of the contacts
  double omega;
} Psor;

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (contact->cone != RG_CONE_FRICTIONLESS && contact->mu > 0 && !rg_one_is_polygon(contact))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "psor takes frictionless and polygonal contacts, contact %d has the cone %s",
                     i, rg_cone_kind_name(contact->cone));
    double w[4][4];
    if (problem->local)
      rg_contact_block(problem, contact, w);
    if (problem->local && !(w[0][0] > 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "psor needs a positive diagonal, W_nn of contact %d is %g", i, w[0][0]);
  }
  return RG_OK;
}

static Psor* carve(const rgProblem* problem, rgCarver* carver, Psor* psor) {
  int scalars;
  Psor* place = rg_carve(carver, 1, sizeof *psor);
  psor->problem = problem;
  psor->generators = rg_generators_make(problem, carver, &scalars);
  psor->contacts = rg_carve(carver, (size_t)problem->contact_count, sizeof *psor->contacts);
  psor->rows = rg_carve(carver, (size_t)problem->row_count, sizeof *psor->rows);
  psor->a = rg_carve(carver, (size_t)scalars, sizeof *psor->a);
  return place;
}

static size_t work_size(const rgProblem* problem) {
  Psor psor;
  rgCarver carver = {NULL, 0};
  carve(problem, &carver, &psor);
  return carver.used;
}

static Psor* make(const rgProblem* problem, void* work) {
  Psor psor = {0};
  rgCarver carver = {work, 0};
  Psor* place = carve(problem, &carver, &psor);
  for (int i = 0; i < problem->contact_count; i++) {
    double w[4][4], e[4];
    rg_contact_block(problem, &problem->contacts[i], w);
    rg_contact_axes(problem, &problem->contacts[i], e);
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        psor.contacts[i].w[k][j] = w[k][j];
    psor.contacts[i].inverse_rho = rg_contact_inverse_rho(problem, &problem->contacts[i], e);
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double block = rg_row_block(problem, row) + row->compliance;
    psor.rows[i] = (Row){block > 0 ? 1 / block : 0, block * rg_row_length(problem, row)};
  }
  *place = psor;
  return place;
}

static void load(Psor* psor) {
  for (int i = 0; i < psor->problem->contact_count; i++) {
    const rgGenerators* contact = &psor->generators[i];
    double* r = psor->solution->r + 4 * (size_t)i;
    rg_generators_split(contact, r, psor->a + contact->first);
    rg_generators_join(contact, psor->a + contact->first, r);
  }
  rg_problem_velocity(psor->problem, psor->solution);
}

// Adds M^-1 (force, torque) of a body to its velocity.
static void push(const rgProblem* problem, double* v, int body, double sign, rgVec3 force,
                 rgVec3 torque) {
  if (body < 0)
    return;
  rgTwist change = rg_mass_response(problem, body, (rgTwist){force, torque});
  rg_body_add(v, body, sign, change.linear, change.angular);
}

static void add_change(Psor* psor, int index, const double change[4]) {
  for (int k = 0; k < 3; k++)
    psor->solution->r[4 * (size_t)index + (size_t)k] += change[k];
  if (psor->problem->local)
    return;
  const rgProblemContact* contact = &psor->problem->contacts[index];
  rgVec3 force, torque_a, torque_b;
  rg_contact_wrench(contact, change, &force, &torque_a, &torque_b);
  push(psor->problem, psor->solution->v, contact->body_a, 1, force, torque_a);
  push(psor->problem, psor->solution->v, contact->body_b, -1, force, torque_b);
}

// One scalar (Renouf et al. 2005, eq. 34): u and `change` follow.
static void relax(const Psor* psor, const Contact* contact, const rgGenerators* generators, int j,
                  double u[4], double change[4]) {
  double g[3], wg[3], diagonal = 0, *a = &psor->a[generators->first + j];
  rg_generator(generators, j, g);
  for (int k = 0; k < 3; k++)
    wg[k] = contact->w[k][0] * g[0] + contact->w[k][1] * g[1] + contact->w[k][2] * g[2];
  for (int k = 0; k < 3; k++)
    diagonal += g[k] * wg[k];
  if (!(diagonal > 0))
    return;
  double slip = generators->mu * rg_generators_slip(generators, u);
  double w = g[0] * u[0] + g[1] * u[1] + g[2] * u[2] + slip;
  double next = *a - psor->omega * w / diagonal;
  next = next > 0 ? next : 0;
  double step = next - *a;
  *a = next;
  for (int k = 0; k < 3; k++) {
    u[k] += wg[k] * step;
    change[k] += g[k] * step;
  }
}

// Returns the change, as a velocity.
static double visit_contact(Psor* psor, int index) {
  const rgProblem* problem = psor->problem;
  const Contact* contact = &psor->contacts[index];
  const rgGenerators* generators = &psor->generators[index];
  double u[4], change[4] = {0};
  if (problem->local)
    rg_local_velocity(problem, index, psor->solution->r, psor->solution->lambda, u);
  else
    rg_contact_velocity(&problem->contacts[index], psor->solution->v, u);
  for (int j = 0; j < generators->count; j++)
    relax(psor, contact, generators, j, u, change);
  add_change(psor, index, change);
  double size = change[0] * change[0] + change[1] * change[1] + change[2] * change[2];
  return sqrt(size) * contact->inverse_rho;
}

static double visit_row(Psor* psor, int index) {
  const rgProblemRow* row = &psor->problem->rows[index];
  double *lambda = &psor->solution->lambda[index], *v = psor->solution->v;
  double w = rg_row_velocity(row, v) + row->compliance * *lambda;
  double next = *lambda - psor->omega * w * psor->rows[index].inverse_block;
  next = next < row->lower ? row->lower : next > row->upper ? row->upper : next;
  double change = next - *lambda;
  *lambda = next;
  push(psor->problem, v, row->body_a, change, row->g_a.linear, row->g_a.angular);
  push(psor->problem, v, row->body_b, change, row->g_b.linear, row->g_b.angular);
  return fabs(change) * psor->rows[index].inverse_rho;
}

static double sweep(Psor* psor) {
  double worst = 0;
  for (int i = 0; i < psor->problem->row_count; i++)
    worst = fmax(worst, visit_row(psor, i));
  for (int i = 0; i < psor->problem->contact_count; i++)
    worst = fmax(worst, visit_contact(psor, i));
  return worst / psor->omega;
}

static void solve(rgSolve* run) {
  Psor* psor = run->call == 0 ? make(run->problem, run->work) : run->work;
  psor->solution = run->solution;
  psor->omega = run->options[OMEGA];
  load(psor);
  double worst = HUGE_VAL;
  while (!(worst <= run->goal) && !rg_solve_is_over(run)) {
    worst = sweep(psor);
    run->iterations++;
    rg_solve_count_sweep(run);
    rg_solve_record(run, worst);
  }
  run->measure = worst;
  // what scalars have gained by rounding
  for (int i = 0; i < run->problem->contact_count; i++)
    rg_generators_join(&psor->generators[i], psor->a + psor->generators[i].first,
                       run->solution->r + 4 * (size_t)i);
}

const rgSolver rg_solver_psor = {
    .name = "psor",
    .summary = "projected successive over-relaxation of scalars, frictionless and polygonal cones",
    .reference = "Renouf, Acary, Dumont 2005, section 6.1; Cottle, Pang, Stone 1992",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
