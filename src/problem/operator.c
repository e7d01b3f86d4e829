// operator.c - the operators of a problem: M^-1 of a body, blocks of W, and the velocity that
// follows from the impulses.
#include "problem/operator.h"

#include "base/message.h"
#include "problem/local_row.h"

#include <stdint.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// M^-1 and M of a body
// -------------------------------------------------------------------------------------------------

// An inverse inertia turned to world axes is symmetric but for rounding; the bound leaves room for
// numbers read from files in single precision.
static const double symmetry_tolerance = 1e-6;

rgStatus rg_mass_check(const rgProblem* problem, int body, rgMessage* message) {
  const rgProblemBody* b = &problem->bodies[body];
  if (!(b->inverse_mass >= 0) || !isfinite(b->inverse_mass))
    return rg_fail(message, RG_ERROR_INPUT,
                   "bodies[%d].inverse_mass is %g, must be finite and >= 0", body, b->inverse_mass);
  const rgMat3* j = &b->inverse_inertia;
  for (int k = 0; k < 3; k++) {
    if (!v3_finite(m3_row(j, k)))
      return rg_fail(message, RG_ERROR_INPUT, "bodies[%d].inverse_inertia is not finite", body);
    if (j->m[k][k] < 0)
      return rg_fail(message, RG_ERROR_INPUT,
                     "bodies[%d].inverse_inertia[%d][%d] is %g, must be >= 0", body, k, k,
                     j->m[k][k]);
  }
  double size = j->m[0][0] + j->m[1][1] + j->m[2][2];
  double skew =
      fabs(j->m[0][1] - j->m[1][0]) + fabs(j->m[0][2] - j->m[2][0]) + fabs(j->m[1][2] - j->m[2][1]);
  if (skew > symmetry_tolerance * size)
    return rg_fail(message, RG_ERROR_INPUT, "bodies[%d].inverse_inertia is not symmetric", body);
  return RG_OK;
}

static double inverse_mass(const rgProblem* problem, int body) {
  return body < 0 ? 0 : problem->bodies[body].inverse_mass;
}

// x' J x with J the inverse inertia, zero for the body -1.
static double inverse_inertia_about(const rgProblem* problem, int body, rgVec3 x) {
  return body < 0 ? 0 : v3_dot(x, m3_apply(&problem->bodies[body].inverse_inertia, x));
}

rgRigidMatrix rg_mass_metric(const rgProblem* problem, int body) {
  const double held = 1e-9; // of the trace
  const rgProblemBody* b = &problem->bodies[body];
  rgMat3 j = b->inverse_inertia;
  double trace = j.m[0][0] + j.m[1][1] + j.m[2][2];
  for (int k = 0; k < 3; k++)
    j.m[k][k] += held * trace;
  rgMat3 inertia = trace > 0 ? m3_inverse(&j) : m3_zero();
  return (rgRigidMatrix){b->inverse_mass > 0 ? 1 / b->inverse_mass : 0, six_from(&inertia)};
}

rgMassRoot rg_mass_root(const rgProblem* problem, int body) {
  rgMassRoot root = {.linear = sqrt(problem->bodies[body].inverse_mass)};
  rg_sym3_root(&problem->bodies[body].inverse_inertia, root.angular);
  return root;
}

bool rg_mass_root_is_regular(const rgMassRoot* root, double tolerance) {
  const double* l = root->angular;
  double size = 0, det = l[0] * (l[4] * l[8] - l[5] * l[7]) - l[1] * (l[3] * l[8] - l[5] * l[6]) +
                         l[2] * (l[3] * l[7] - l[4] * l[6]);
  for (int k = 0; k < 9; k++)
    size += l[k] * l[k];
  return root->linear > 0 && fabs(det) > tolerance * size * sqrt(size);
}

bool rg_mass_exists(const rgProblem* problem, int body, double tolerance) {
  const rgMat3* j = &problem->bodies[body].inverse_inertia;
  double mean = (j->m[0][0] + j->m[1][1] + j->m[2][2]) / 3;
  return problem->bodies[body].inverse_mass > 0 && m3_det(j) > tolerance * mean * mean * mean;
}

void rg_mass_block(const rgProblem* problem, int body, double m[36]) {
  rgMat3 inertia = m3_inverse(&problem->bodies[body].inverse_inertia);
  memset(m, 0, 36 * sizeof *m);
  for (int k = 0; k < 3; k++) {
    m[7 * k] = 1 / problem->bodies[body].inverse_mass;
    for (int l = 0; l < 3; l++)
      m[6 * (3 + k) + 3 + l] = inertia.m[k][l];
  }
}

void rg_mass_add(const rgProblem* problem, int body, double s, double* m) {
  rgMat3 inertia = m3_inverse(&problem->bodies[body].inverse_inertia);
  for (int k = 0; k < 3; k++) {
    m[7 * k] += s / problem->bodies[body].inverse_mass;
    for (int l = 0; l < 3; l++)
      m[6 * (3 + k) + 3 + l] += s * inertia.m[k][l];
  }
}

double rg_mass_linear_trace(const rgProblem* problem, int body) {
  return 3 / problem->bodies[body].inverse_mass;
}

rgTwist rg_mass_momentum(const rgProblem* problem, int body, rgTwist v) {
  const rgProblemBody* b = &problem->bodies[body];
  rgMat3 inertia = m3_inverse(&b->inverse_inertia);
  return (rgTwist){v3_scale(v.linear, 1 / b->inverse_mass), m3_apply(&inertia, v.angular)};
}

// -------------------------------------------------------------------------------------------------
// Blocks of W
// -------------------------------------------------------------------------------------------------

void rg_contact_axes(const rgProblem* problem, const rgProblemContact* contact, double e[4]) {
  bool tangents = contact->cone != RG_CONE_FRICTIONLESS;
  bool ellipsoid = contact->cone == RG_CONE_ELLIPSOID;
  e[0] = 1;
  e[1] = !tangents ? 0 : ellipsoid ? contact->e_t : 1;
  e[2] = !tangents || problem->dimension == 2 ? 0 : ellipsoid ? contact->e_o : 1;
  e[3] = ellipsoid && problem->dimension == 3 ? contact->e_tau : 0;
}

// Adds the part of one body to the block: columns of H are (d, arm x d) for the directions and (0,
// n) for torsion.
static void add_block(const rgProblem* problem, int body, rgVec3 arm,
                      const rgProblemContact* contact, double w[4][4]) {
  if (body < 0)
    return;
  const rgProblemBody* b = &problem->bodies[body];
  const rgVec3 angular[4] = {v3_cross(arm, contact->n), v3_cross(arm, contact->t),
                             v3_cross(arm, contact->o), contact->n};
  for (int i = 0; i < 4; i++) {
    rgVec3 spin = m3_apply(&b->inverse_inertia, angular[i]);
    for (int j = 0; j <= i; j++)
      w[i][j] += v3_dot(spin, angular[j]);
    if (i < 3)
      w[i][i] += b->inverse_mass;
  }
}

const double* rg_local_diagonal(const rgProblem* problem, int row) {
  const rgLocalMatrix* local = problem->local;
  int size = local->block * local->block;
  for (int k = local->row_start[row]; k < local->row_start[row + 1]; k++)
    if (local->column[k] == row)
      return local->values + (size_t)k * (size_t)size;
  return NULL; // refused by rg_problem_check
}

void rg_contact_block(const rgProblem* problem, const rgProblemContact* contact, double w[4][4]) {
  memset(w, 0, 16 * sizeof w[0][0]);
  if (problem->local) {
    int block = problem->local->block;
    const double* given = rg_local_diagonal(problem, (int)(contact - problem->contacts));
    for (int i = 0; i < block; i++)
      for (int j = 0; j < block; j++)
        w[i][j] = given[i * block + j];
    return;
  }
  add_block(problem, contact->body_a, contact->arm_a, contact, w);
  add_block(problem, contact->body_b, contact->arm_b, contact, w);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      w[j][i] = w[i][j];
}

rgVec3 rg_contact_normal_response(const rgProblem* problem, const rgProblemContact* contact) {
  rgVec3 column = v3_scale(contact->n, inverse_mass(problem, contact->body_a) +
                                           inverse_mass(problem, contact->body_b));
  if (contact->body_a >= 0) {
    rgVec3 moment = v3_cross(contact->arm_a, contact->n);
    rgVec3 spin = m3_apply(&problem->bodies[contact->body_a].inverse_inertia, moment);
    column = v3_add(column, v3_cross(spin, contact->arm_a));
  }
  if (contact->body_b >= 0) {
    rgVec3 moment = v3_cross(contact->arm_b, contact->n);
    rgVec3 spin = m3_apply(&problem->bodies[contact->body_b].inverse_inertia, moment);
    column = v3_add(column, v3_cross(spin, contact->arm_b));
  }
  return column;
}

// Sum of (arm x d)' I^-1 (arm x d) over the directions in use.
static double angular_trace(const rgProblem* problem, int body, rgVec3 arm,
                            const rgProblemContact* contact, const double e[4]) {
  if (body < 0)
    return 0;
  const rgMat3* j = &problem->bodies[body].inverse_inertia;
  if (e[1] > 0 && e[2] > 0) // all three: sum of (arm x d)(arm x d)' = |arm|^2 - arm arm'
    return v3_norm2(arm) * (j->m[0][0] + j->m[1][1] + j->m[2][2]) - v3_dot(arm, m3_apply(j, arm));
  rgVec3 x = v3_cross(arm, contact->n);
  double trace = v3_dot(x, m3_apply(j, x));
  if (e[1] > 0) {
    x = v3_cross(arm, contact->t);
    trace += v3_dot(x, m3_apply(j, x));
  }
  if (e[2] > 0) {
    x = v3_cross(arm, contact->o);
    trace += v3_dot(x, m3_apply(j, x));
  }
  return trace;
}

// A general complementarity problem may have no diagonal to go by: then the largest number of the
// row takes its place.
static double local_row_size(const rgProblem* problem, int row) {
  const rgLocalMatrix* local = problem->local;
  size_t size = (size_t)(local->block * local->block);
  double largest = 0;
  for (size_t k = (size_t)local->row_start[row] * size;
       k < (size_t)local->row_start[row + 1] * size; k++)
    largest = fmax(largest, fabs(local->values[k]));
  return largest > 0 ? largest : 1;
}

static double local_inverse_rho(const rgProblem* problem, const rgProblemContact* contact,
                                const double e[4]) {
  int block = problem->local->block, count = 0;
  const double* given = rg_local_diagonal(problem, (int)(contact - problem->contacts));
  double trace = 0;
  for (int i = 0; i < block && i < 3; i++)
    if (e[i] > 0) {
      trace += given[i * block + i];
      count++;
    }
  return trace > 0 ? trace / count : local_row_size(problem, (int)(contact - problem->contacts));
}

double rg_contact_inverse_rho(const rgProblem* problem, const rgProblemContact* contact,
                              const double e[4]) {
  if (problem->local)
    return local_inverse_rho(problem, contact, e);
  double trace = angular_trace(problem, contact->body_a, contact->arm_a, contact, e) +
                 angular_trace(problem, contact->body_b, contact->arm_b, contact, e);
  int count = 1 + (e[1] > 0) + (e[2] > 0);
  double mass = inverse_mass(problem, contact->body_a) + inverse_mass(problem, contact->body_b);
  double inverse_rho = mass + trace / count;
  return inverse_rho > 0 ? inverse_rho : 0;
}

double rg_row_block(const rgProblem* problem, const rgProblemRow* row) {
  double linear = inverse_mass(problem, row->body_a) * v3_norm2(row->g_a.linear) +
                  inverse_mass(problem, row->body_b) * v3_norm2(row->g_b.linear);
  double angular = inverse_inertia_about(problem, row->body_a, row->g_a.angular) +
                   inverse_inertia_about(problem, row->body_b, row->g_b.angular);
  return linear + angular;
}

double rg_row_length(const rgProblem* problem, const rgProblemRow* row) {
  if (v3_norm2(row->g_a.linear) + v3_norm2(row->g_b.linear) > 0)
    return 1;
  double mass = inverse_mass(problem, row->body_a) + inverse_mass(problem, row->body_b);
  double block = rg_row_block(problem, row);
  return mass > 0 && block > 0 ? sqrt(mass / block) : 1;
}

double rg_row_weight(const rgProblem* problem, const rgProblemRow* row) {
  double length = rg_row_length(problem, row);
  if (row->compliance == 0)
    return length;
  double block = rg_row_block(problem, row);
  return block > 0 ? length * (block / (block + row->compliance)) : length;
}

// Adds G' lambda + H r to v as six numbers per body: impulse and moment of impulse.
static void add_wrenches(const rgProblem* problem, const double* r, const double* lambda,
                         double* v) {
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    rg_body_add(v, row->body_a, lambda[i], row->g_a.linear, row->g_a.angular);
    rg_body_add(v, row->body_b, lambda[i], row->g_b.linear, row->g_b.angular);
  }
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rgVec3 force, torque_a, torque_b;
    rg_prefetch_velocities(problem, i, v);
    rg_contact_wrench(contact, r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    rg_body_add(v, contact->body_a, 1, force, torque_a);
    rg_body_add(v, contact->body_b, -1, force, torque_b);
  }
}

// W r of one contact plus `sum`, of as many components as blocks have; compiled once for each size.
static inline void add_response(const rgLocalMatrix* local, int contact, const double* r,
                                double* sum, int block) {
  int start = local->row_start[contact];
  rgLocalRow row = {local->values + (size_t)start * (size_t)(block * block), local->column + start,
                    local->row_start[contact + 1] - start};
  rg_local_row_add(row, block, r, 4, sum);
}

static void add_local_response(const rgLocalMatrix* local, int contact, const double* r,
                               double sum[4]) {
  switch (local->block) {
  case 1:
    add_response(local, contact, r, sum, 1);
    break;
  case 2:
    add_response(local, contact, r, sum, 2);
    break;
  case 3:
    add_response(local, contact, r, sum, 3);
    break;
  default:
    add_response(local, contact, r, sum, 4);
    break;
  }
}

void rg_problem_add_wrenches(const rgProblem* problem, const rgSolution* solution, double* v) {
  add_wrenches(problem, solution->r, solution->lambda, v);
}

void rg_local_velocity(const rgProblem* problem, int contact, const double* r, double u[4]) {
  memcpy(u, problem->contacts[contact].bias, 4 * sizeof *u);
  add_local_response(problem->local, contact, r, u);
}

void rg_problem_response(const rgProblem* problem, const double* r, const double* lambda,
                         double* v) {
  if (problem->local) {
    memset(v, 0, 4 * (size_t)problem->contact_count * sizeof *v);
    for (int i = 0; i < problem->contact_count; i++)
      add_local_response(problem->local, i, r, v + 4 * (size_t)i);
    return;
  }
  memset(v, 0, 6 * (size_t)problem->body_count * sizeof(double));
  add_wrenches(problem, r, lambda, v);
  for (int i = 0; i < problem->body_count; i++) {
    rg_body_put(v, i, rg_mass_response(problem, i, rg_body_twist(v, i)));
  }
}

// Without a branch per number; the sign of a zero does not count.
static bool is_zero(const double* x, size_t count) {
  enum { AT_ONCE = 64 }; // what is not zero is seen soon
  for (size_t first = 0; first < count; first += AT_ONCE) {
    uint64_t seen = 0;
    for (size_t i = first; i < count && i < first + AT_ONCE; i++) {
      uint64_t bits;
      memcpy(&bits, &x[i], sizeof bits);
      seen |= bits;
    }
    if (seen << 1 != 0)
      return false;
  }
  return true;
}

void rg_problem_velocity(const rgProblem* problem, rgSolution* solution) {
  if (problem->local && is_zero(solution->r, 4 * (size_t)problem->contact_count)) { // a cold start
    for (int i = 0; i < problem->contact_count; i++)
      memcpy(solution->v + 4 * (size_t)i, problem->contacts[i].bias, 4 * sizeof(double));
    return;
  }
  if (problem->local) {
    for (int i = 0; i < problem->contact_count; i++)
      rg_local_velocity(problem, i, solution->r, solution->v + 4 * (size_t)i);
    return;
  }
  memset(solution->v, 0, 6 * (size_t)problem->body_count * sizeof(double));
  bool cold = is_zero(solution->r, 4 * (size_t)problem->contact_count) &&
              is_zero(solution->lambda, (size_t)problem->row_count);
  if (!cold)
    add_wrenches(problem, solution->r, solution->lambda, solution->v);
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist p = rg_body_twist(solution->v, i);
    rg_body_put(solution->v, i, rg_mass_velocity(problem, i, p));
  }
}
