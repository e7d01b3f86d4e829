// operator.c - the operators of a problem: blocks, and the velocity that follows from the impulses.
#include "problem/operator.h"
#include "problem/local_row.h"

#include <stdint.h>
#include <string.h>

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
  double mass =
      rg_inverse_mass(problem, contact->body_a) + rg_inverse_mass(problem, contact->body_b);
  double inverse_rho = mass + trace / count;
  return inverse_rho > 0 ? inverse_rho : 0;
}

double rg_row_block(const rgProblem* problem, const rgProblemRow* row) {
  double linear = rg_inverse_mass(problem, row->body_a) * v3_norm2(row->g_a.linear) +
                  rg_inverse_mass(problem, row->body_b) * v3_norm2(row->g_b.linear);
  double angular =
      rg_inverse_inertia_form(problem, row->body_a, row->g_a.angular, row->g_a.angular) +
      rg_inverse_inertia_form(problem, row->body_b, row->g_b.angular, row->g_b.angular);
  return linear + angular;
}

double rg_row_length(const rgProblem* problem, const rgProblemRow* row) {
  if (v3_norm2(row->g_a.linear) + v3_norm2(row->g_b.linear) > 0)
    return 1;
  double mass = rg_inverse_mass(problem, row->body_a) + rg_inverse_mass(problem, row->body_b);
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
    const rgProblemBody* body = &problem->bodies[i];
    double* b = v + 6 * (size_t)i;
    rgVec3 angular = m3_apply(&body->inverse_inertia, v3(b[3], b[4], b[5]));
    for (int k = 0; k < 3; k++)
      b[k] *= body->inverse_mass;
    b[3] = angular.x;
    b[4] = angular.y;
    b[5] = angular.z;
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
    const rgProblemBody* body = &problem->bodies[i];
    double* v = solution->v + 6 * (size_t)i;
    rgVec3 linear = v3_axpy(body->v_free.linear, body->inverse_mass, v3(v[0], v[1], v[2]));
    rgVec3 angular =
        v3_add(body->v_free.angular, m3_apply(&body->inverse_inertia, v3(v[3], v[4], v[5])));
    v[0] = linear.x;
    v[1] = linear.y;
    v[2] = linear.z;
    v[3] = angular.x;
    v[4] = angular.y;
    v[5] = angular.z;
  }
}
