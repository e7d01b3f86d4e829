// operator.c - the operators of a problem: M^-1 of a body, blocks of W, and the velocity that
// follows from the impulses.
#include "problem/operator.h"

#include "base/message.h"

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

rgRigidMatrix rg_mass_exact(const rgProblem* problem, int body) {
  const rgProblemBody* b = &problem->bodies[body];
  rgMat3 inertia = m3_inverse(&b->inverse_inertia);
  return (rgRigidMatrix){1 / b->inverse_mass, six_from(&inertia)};
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

rgLocalNode rg_local_node(const rgProblem* problem, int node) {
  const rgLocalMatrix* local = problem->local;
  int start = local->row_start[node], all = local->row_start[node + 1] - start, contacts = all;
  if (problem->row_count > 0) { // the columns ascend: bisection finds the first row
    int low = 0, high = all;
    while (low < high) {
      int middle = (low + high) / 2;
      if (local->column[start + middle] < problem->contact_count)
        low = middle + 1;
      else
        high = middle;
    }
    contacts = low;
  }
  int width = node < problem->contact_count ? local->block : 1;
  const double* values = local->values + rg_local_value_start(problem, node);
  return (rgLocalNode){{values, local->column + start, contacts},
                       {values + (size_t)contacts * (size_t)(width * local->block),
                        local->column + start + contacts, all - contacts}};
}

const double* rg_local_diagonal(const rgProblem* problem, int node) {
  rgLocalNode at = rg_local_node(problem, node);
  bool contact = node < problem->contact_count;
  rgLocalRow row = contact ? at.contacts : at.rows;
  int size = contact ? problem->local->block * problem->local->block : 1;
  for (int k = 0; k < row.count; k++)
    if (row.column[k] == node)
      return row.values + (size_t)k * (size_t)size;
  return NULL; // refused by rg_problem_check
}

double rg_local_row_response(const rgProblem* problem, int row, const double* r, int stride,
                             const double* lambda) {
  int block = problem->local->block;
  rgLocalNode node = rg_local_node(problem, problem->contact_count + row);
  double sum = 0;
  for (int k = 0; k < node.contacts.count; k++)
    for (int a = 0; a < block; a++)
      sum += node.contacts.values[k * block + a] *
             r[(size_t)node.contacts.column[k] * (size_t)stride + (size_t)a];
  for (int k = 0; k < node.rows.count; k++)
    sum += node.rows.values[k] * lambda[node.rows.column[k] - problem->contact_count];
  return sum;
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
  double largest = 0;
  for (size_t k = rg_local_value_start(problem, row); k < rg_local_value_start(problem, row + 1);
       k++)
    largest = fmax(largest, fabs(problem->local->values[k]));
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

// The number of a row on the diagonal of the local form. Not inlined: the body form, which steps
// ask for, should not pay for it.
static __attribute__((noinline)) double local_row_block(const rgProblem* problem,
                                                        const rgProblemRow* row) {
  return *rg_local_diagonal(problem, problem->contact_count + (int)(row - problem->rows));
}

static __attribute__((noinline)) double local_row_length(const rgProblem* problem,
                                                         const rgProblemRow* row) {
  return problem->local->length ? problem->local->length[row - problem->rows] : 1;
}

double rg_row_far_relative(const rgProblemRow* row, const double* v) {
  const rgProblemFar* far = row->far;
  return twist_dot(far->g_a, rg_body_twist(v, far->body_a)) +
         twist_dot(far->g_b, rg_body_twist(v, far->body_b));
}

double rg_row_free(const rgProblem* problem, const rgProblemRow* row) {
  const rgProblemFar* far = row->far;
  double w = rg_row_relative_of(row, rg_body_free(problem, row->body_a),
                                rg_body_free(problem, row->body_b));
  return far ? w + (twist_dot(far->g_a, rg_body_free(problem, far->body_a)) +
                    twist_dot(far->g_b, rg_body_free(problem, far->body_b)))
             : w;
}

void rg_row_add_far(const rgProblemRow* row, double lambda, double* v) {
  const rgProblemFar* far = row->far;
  rg_body_add(v, far->body_a, lambda, far->g_a.linear, far->g_a.angular);
  rg_body_add(v, far->body_b, lambda, far->g_b.linear, far->g_b.angular);
}

bool rg_problem_has_far(const rgProblem* problem) {
  for (int i = 0; i < problem->row_count && !problem->local; i++)
    if (problem->rows[i].far)
      return true;
  return false;
}

// G M^-1 G' of a row with far bodies: coefficients on the same body are added up first.
static double far_block(const rgProblem* problem, const rgProblemRow* row) {
  const rgProblemFar* far = row->far;
  int body[4] = {row->body_a, row->body_b, far->body_a, far->body_b};
  rgTwist g[4] = {row->g_a, row->g_b, far->g_a, far->g_b};
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    for (int k = i + 1; k < 4 && body[i] >= 0; k++) {
      if (body[k] != body[i])
        continue;
      g[i] = (rgTwist){v3_add(g[i].linear, g[k].linear), v3_add(g[i].angular, g[k].angular)};
      body[k] = -1;
    }
    sum += inverse_mass(problem, body[i]) * v3_norm2(g[i].linear) +
           inverse_inertia_about(problem, body[i], g[i].angular);
  }
  return sum;
}

double rg_row_block(const rgProblem* problem, const rgProblemRow* row) {
  if (problem->local)
    return local_row_block(problem, row);
  double linear = inverse_mass(problem, row->body_a) * v3_norm2(row->g_a.linear) +
                  inverse_mass(problem, row->body_b) * v3_norm2(row->g_b.linear);
  double angular = inverse_inertia_about(problem, row->body_a, row->g_a.angular) +
                   inverse_inertia_about(problem, row->body_b, row->g_b.angular);
  return row->far ? far_block(problem, row) : linear + angular;
}

static bool has_length(rgVec3 v) { return v.x * v.x > 0 || v.y * v.y > 0 || v.z * v.z > 0; }

static bool is_angular(const rgProblemRow* row) {
  return !has_length(row->g_b.linear) && !has_length(row->g_a.linear);
}

// The radius of gyration, with G M^-1 G' known.
static double gyration(const rgProblem* problem, const rgProblemRow* row, double block) {
  double mass = inverse_mass(problem, row->body_a) + inverse_mass(problem, row->body_b);
  return mass > 0 && block > 0 ? sqrt(mass / block) : 1;
}

double rg_row_length(const rgProblem* problem, const rgProblemRow* row) {
  if (problem->local)
    return local_row_length(problem, row);
  return is_angular(row) ? gyration(problem, row, rg_row_block(problem, row)) : 1;
}

double rg_row_weight_of(const rgProblem* problem, const rgProblemRow* row, double block) {
  double length = problem->local ? local_row_length(problem, row)
                                 : (is_angular(row) ? gyration(problem, row, block) : 1);
  return row->compliance == 0 || !(block > 0) ? length
                                              : length * (block / (block + row->compliance));
}

// x' J x by the upper half of J.
static double half_form(const rgProblem* problem, int body, rgVec3 x) {
  if (body < 0)
    return 0;
  const rgMat3* j = &problem->bodies[body].inverse_inertia;
  double across = x.x * (x.y * j->m[0][1] + x.z * j->m[0][2]) + x.y * x.z * j->m[1][2];
  return x.x * x.x * j->m[0][0] + x.y * x.y * j->m[1][1] + x.z * x.z * j->m[2][2] + 2 * across;
}

double rg_row_weight(const rgProblem* problem, const rgProblemRow* row) {
  if (problem->local)
    return rg_row_weight_of(problem, row, rg_row_block(problem, row));
  bool angular = is_angular(row);
  if (!angular && row->compliance == 0)
    return 1; // and nothing of its bodies need be known
  double block = angular && !row->far ? half_form(problem, row->body_a, row->g_a.angular) +
                                            half_form(problem, row->body_b, row->g_b.angular)
                                      : rg_row_block(problem, row);
  double length = angular ? gyration(problem, row, block) : 1;
  return row->compliance == 0 || !(block > 0) ? length
                                              : length * (block / (block + row->compliance));
}

// Adds G' lambda + H r to v as six numbers per body: impulse and moment of impulse.
static void add_wrenches(const rgProblem* problem, const double* r, const double* lambda,
                         double* v) {
  for (int i = 0; i < problem->row_count; i++)
    rg_row_add(&problem->rows[i], lambda[i], v);
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rgVec3 force, torque_a, torque_b;
    rg_prefetch_velocities(problem, i, v);
    rg_contact_wrench(contact, r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    rg_body_add(v, contact->body_a, 1, force, torque_a);
    rg_body_add(v, contact->body_b, -1, force, torque_b);
  }
}

void rg_problem_add_wrenches(const rgProblem* problem, const rgSolution* solution, double* v) {
  add_wrenches(problem, solution->r, solution->lambda, v);
}

static void add_moment(double* v, int body, double s, rgVec3 angular) {
  if (body < 0)
    return;
  double* b = v + 6 * (size_t)body + 3;
  b[0] += s * angular.x;
  b[1] += s * angular.y;
  b[2] += s * angular.z;
}

void rg_problem_add_moments(const rgProblem* problem, const rgSolution* solution, double* v) {
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double lambda = solution->lambda[i];
    add_moment(v, row->body_a, lambda, row->g_a.angular);
    add_moment(v, row->body_b, lambda, row->g_b.angular);
    if (!row->far)
      continue;
    add_moment(v, row->far->body_a, lambda, row->far->g_a.angular);
    add_moment(v, row->far->body_b, lambda, row->far->g_b.angular);
  }
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rgVec3 force, torque_a, torque_b;
    rg_prefetch_velocities(problem, i, v);
    rg_contact_wrench(contact, solution->r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    add_moment(v, contact->body_a, 1, torque_a);
    add_moment(v, contact->body_b, -1, torque_b);
  }
}

// Adds W (r, lambda) of one contact to u.
static void add_local_response(const rgProblem* problem, int contact, const double* r,
                               const double* lambda, double u[4]) {
  rgLocalNode node = rg_local_node(problem, contact);
  switch (problem->local->block) { // compiled once for each size
  case 1:
    rg_local_row_add(node.contacts, 1, r, 4, u);
    break;
  case 2:
    rg_local_row_add(node.contacts, 2, r, 4, u);
    break;
  case 3:
    rg_local_row_add(node.contacts, 3, r, 4, u);
    break;
  default:
    rg_local_row_add(node.contacts, 4, r, 4, u);
    break;
  }
  rg_local_add_rows(problem, node.rows, lambda, u);
}

void rg_local_velocity(const rgProblem* problem, int contact, const double* r, const double* lambda,
                       double u[4]) {
  memcpy(u, problem->contacts[contact].bias, 4 * sizeof *u);
  add_local_response(problem, contact, r, lambda, u);
}

// v = W (r, lambda), plus the bias where `biased`.
static void put_local_velocity(const rgProblem* problem, const double* r, const double* lambda,
                               bool biased, double* v) {
  int contacts = problem->contact_count;
  for (int i = 0; i < contacts; i++) {
    double* u = v + 4 * (size_t)i;
    if (biased) {
      rg_local_velocity(problem, i, r, lambda, u);
      continue;
    }
    memset(u, 0, 4 * sizeof *u);
    add_local_response(problem, i, r, lambda, u);
  }
  for (int i = 0; i < problem->row_count; i++)
    v[4 * (size_t)contacts + (size_t)i] =
        rg_local_row_response(problem, i, r, 4, lambda) + (biased ? problem->rows[i].bias : 0);
}

void rg_problem_response(const rgProblem* problem, const double* r, const double* lambda,
                         double* v) {
  if (problem->local) {
    put_local_velocity(problem, r, lambda, false, v);
    return;
  }
  memset(v, 0, 6 * (size_t)problem->body_count * sizeof(double));
  add_wrenches(problem, r, lambda, v);
  for (int i = 0; i < problem->body_count; i++)
    rg_body_put(v, i, rg_mass_response(problem, i, rg_body_twist(v, i)));
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

static void put_local_bias(const rgProblem* problem, double* v) {
  for (int i = 0; i < problem->contact_count; i++)
    memcpy(v + 4 * (size_t)i, problem->contacts[i].bias, 4 * sizeof(double));
  for (int i = 0; i < problem->row_count; i++)
    v[4 * (size_t)problem->contact_count + (size_t)i] = problem->rows[i].bias;
}

// Velocities of a part of the bodies. All contacts are looked at, in their order, and those that act on these
// bodies are added: the sum of a body does not depend on the parts.
typedef struct Summing {
  const rgProblem* problem;
  rgSolution* solution;
  int parts;
} Summing;

static int part_start(const Summing* sum, int part) {
  return (int)((long long)sum->problem->body_count * part / sum->parts);
}

static void sum_part(void* context, int part, int worker) {
  (void)worker;
  const Summing* sum = context;
  const rgProblem* problem = sum->problem;
  int first = part_start(sum, part), end = part_start(sum, part + 1);
  double* v = sum->solution->v;
  if (first < end)
    memset(v + 6 * (size_t)first, 0, 6 * (size_t)(end - first) * sizeof *v);
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    bool a = contact->body_a >= first && contact->body_a < end,
         b = contact->body_b >= first && contact->body_b < end;
    if (!a && !b)
      continue;
    rgVec3 force, torque_a, torque_b;
    rg_contact_wrench(contact, sum->solution->r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    if (a)
      rg_body_add(v, contact->body_a, 1, force, torque_a);
    if (b)
      rg_body_add(v, contact->body_b, -1, force, torque_b);
  }
  for (int i = first; i < end; i++)
    rg_body_put(v, i, rg_mass_velocity(problem, i, rg_body_twist(v, i)));
}

void rg_problem_velocity_shared(const rgProblem* problem, rgSolution* solution, rgTasks* tasks) {
  enum { PARTS_MAX = 4 }; // more parts look at all contacts for few bodies
  int threads = tasks ? rg_tasks_threads(tasks) : 1;
  if (threads == 1 || problem->local || problem->row_count > 0 ||
      is_zero(solution->r, 4 * (size_t)problem->contact_count)) {
    rg_problem_velocity(problem, solution);
    return;
  }
  Summing sum = {problem, solution, threads < PARTS_MAX ? threads : PARTS_MAX};
  rg_tasks_run(tasks, sum.parts, sum_part, &sum);
}

void rg_problem_velocity(const rgProblem* problem, rgSolution* solution) {
  bool cold = is_zero(solution->r, 4 * (size_t)problem->contact_count) &&
              is_zero(solution->lambda, (size_t)problem->row_count);
  if (problem->local) {
    if (cold)
      put_local_bias(problem, solution->v);
    else
      put_local_velocity(problem, solution->r, solution->lambda, true, solution->v);
    return;
  }
  memset(solution->v, 0, 6 * (size_t)problem->body_count * sizeof(double));
  if (!cold)
    add_wrenches(problem, solution->r, solution->lambda, solution->v);
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist p = rg_body_twist(solution->v, i);
    rg_body_put(solution->v, i, rg_mass_velocity(problem, i, p));
  }
}
