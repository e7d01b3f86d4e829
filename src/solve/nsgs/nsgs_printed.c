// nsgs_printed.c - block Gauss-Seidel with the local resolutions as they are printed.
//
// Problem: that of nsgs.c.
//
// Method (Renouf et al. 2005, section 6.2, "Explicit local resolution"): at each contact, with b the
// velocity that all others leave it,
//
//     1. b_n >= 0 (in our signs): r = 0;   2. r = -W_cc^-1 b;   3. |r_T| <= mu r_n: it sticks;
//     4. otherwise r_T is scaled back to mu r_n.
//
// Where W_cc is isotropic without coupling of n and T, as for spheres, that is the law. Elsewhere step 4
// keeps the direction in which the contact would have to be pushed to stick, which is not that of its
// slip, and the normal velocity is not zero any more: the fixed point sticks as it should but slides in
// a direction of its own, and the certificate says so. For the same reason r_n of a sliding contact is
// taken with the r_T of step 2.
//
// With the diagonal of W_cc alone (the paper: "erratic behavior") each component of r follows its own
// velocity, and a block sees the coupling of n and T through its sweeps only: these converge slowly,
// or not at all where a contact off the centre turns its body.
//
// Differences to the paper: none in exact cones; polygons are solved exactly (those with more corners
// than there is room for make the whole problem one for the exact resolution), and rows
// (joints) are visited before the contacts. Sweeps go forth only, without momentum.
//
// Cost: no memory besides the solution; the block of a contact is made in every visit, which makes a
// sweep several times as long as one of nsgs. For comparisons.
#include "problem/local_row.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs.h"

#include <math.h>

// x of A x = b, A symmetric with m <= 3 rows, by elimination. S of a block is positive definite.
static void solve_small(double a[3][3], int m, double* b) {
  for (int p = 0; p < m; p++)
    for (int i = p + 1; i < m; i++) {
      double factor = a[i][p] / a[p][p];
      for (int j = p; j < m; j++)
        a[i][j] -= factor * a[p][j];
      b[i] -= factor * b[p];
    }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

// Steps 3 and 4.
static void scale_back(const rgOneBlock* block, double r[4]) {
  double size = 0;
  for (int k = 1; k <= block->m; k++)
    size += r[k] * r[k];
  size = sqrt(size);
  double most = block->mu * r[0];
  for (int k = 1; k <= block->m && size > most; k++)
    r[k] *= most / size;
}

// y: impulse of a circular cone, present on entry; w: velocity under it.
static void resolve(const rgOneBlock* block, const double w[4], double y[4]) {
  if (!(block->inverse_wnn > 0))
    return;
  double lean = 0;
  for (int k = 0; k < block->m; k++)
    lean += block->w[k] * y[k + 1];
  bool closes = w[0] * block->inverse_wnn < y[0] + lean; // b_n < 0
  double s[3][3], step[3] = {0};
  for (int i = 0; i < block->m; i++) {
    step[i] = -(w[i + 1] - block->w[i] * w[0]);
    for (int j = 0; j < block->m; j++)
      s[i][j] = block->s[i][j];
  }
  solve_small(s, block->m, step);
  y[0] -= w[0] * block->inverse_wnn;
  for (int k = 0; k < block->m; k++) {
    y[k + 1] += step[k];
    y[0] -= block->w[k] * step[k];
  }
  if (!closes || y[0] < 0)
    for (int k = 0; k <= block->m; k++)
      y[k] = 0;
  scale_back(block, y);
}

// The same with the diagonal of the block alone.
static void resolve_diagonal(const rgOneBlock* block, const double w[4], double y[4]) {
  if (!(block->inverse_wnn > 0))
    return;
  y[0] = fmax(0, y[0] - w[0] * block->inverse_wnn);
  for (int k = 0; k < block->m; k++) {
    double diagonal = block->s[k][k] + block->w[k] * block->w[k] / block->inverse_wnn;
    y[k + 1] = y[0] > 0 ? y[k + 1] - w[k + 1] / diagonal : 0;
  }
  scale_back(block, y);
}

typedef struct Printed {
  rgSolve* run;
  bool diagonal;
} Printed;

// Updates r of a contact with the velocity u; returns the squared change, as a velocity.
static double visit(const Printed* printed, int index, const double u[4], double change[4]) {
  const rgProblem* problem = printed->run->problem;
  rgNsgsGeneral general;
  rg_nsgs_general_make(problem, index, &general);
  double* r = printed->run->solution->r + 4 * (size_t)index;
  if (general.corner_count > 0) {
    double corners[RG_NSGS_CORNERS][2];
    rg_one_polygon_corners(problem, &problem->contacts[index], corners);
    return rg_nsgs_general_solve(&general, (const double(*)[2])corners, u, r, change);
  }
  double y[4] = {0}, w[4] = {0}, size = 0;
  for (int k = 0; k <= general.m; k++) {
    y[k] = r[general.part[k]] / general.axis[k];
    w[k] = u[general.part[k]] * general.axis[k];
  }
  if (printed->diagonal)
    resolve_diagonal(&general.block, w, y);
  else
    resolve(&general.block, w, y);
  for (int k = 0; k <= general.m; k++) {
    int part = general.part[k];
    double next = y[k] * general.axis[k];
    change[part] = next - r[part];
    r[part] = next;
    size += change[part] * change[part] / (general.axis[k] * general.axis[k]);
  }
  return size * general.weight;
}

static void push(const Printed* printed, int body, double sign, rgVec3 force, rgVec3 torque) {
  if (body < 0)
    return;
  rgTwist step = rg_mass_response(printed->run->problem, body,
                                  (rgTwist){v3_scale(force, sign), v3_scale(torque, sign)});
  double* v = printed->run->solution->v + 6 * (size_t)body;
  v[0] += step.linear.x, v[1] += step.linear.y, v[2] += step.linear.z;
  v[3] += step.angular.x, v[4] += step.angular.y, v[5] += step.angular.z;
}

static double visit_with_bodies(const Printed* printed, int index) {
  const rgProblemContact* contact = &printed->run->problem->contacts[index];
  double u[4], change[4] = {0};
  rg_contact_velocity(contact, printed->run->solution->v, u);
  double size = visit(printed, index, u, change);
  rgVec3 force, torque_a, torque_b;
  rg_contact_wrench(contact, change, &force, &torque_a, &torque_b);
  push(printed, contact->body_a, 1, force, torque_a);
  push(printed, contact->body_b, -1, force, torque_b);
  return size;
}

static double visit_local(const Printed* printed, int index) {
  const rgProblem* problem = printed->run->problem;
  const rgSolution* solution = printed->run->solution;
  const rgLocalMatrix* matrix = problem->local;
  int block = matrix->block, start = matrix->row_start[index];
  const double* bias = problem->contacts[index].bias;
  double u[4] = {bias[0], bias[1], bias[2], bias[3]}, change[4] = {0};
  rgLocalRow row = {matrix->values + (size_t)start * (size_t)(block * block),
                    matrix->column + start, matrix->row_start[index + 1] - start};
  if (problem->row_count > 0) {
    rgLocalNode node = rg_local_node(problem, index);
    rg_local_add_rows(problem, node.rows, solution->lambda, u);
    row = node.contacts;
  }
  rg_local_row_add(row, block, solution->r, 4, u);
  return visit(printed, index, u, change);
}

static double visit_row(const Printed* printed, int index) {
  const rgProblem* problem = printed->run->problem;
  const rgProblemRow* row = &problem->rows[index];
  rgSolution* solution = printed->run->solution;
  double block = rg_row_block(problem, row) + row->compliance, *lambda = &solution->lambda[index];
  if (!(block > 0))
    return 0;
  double w =
      problem->local
          ? rg_local_row_response(problem, index, solution->r, 4, solution->lambda) + row->bias
          : rg_row_velocity(row, solution->v);
  double next = *lambda - (w + row->compliance * *lambda) / block;
  next = fmin(fmax(next, row->lower), row->upper);
  double change = next - *lambda;
  *lambda = next;
  if (!problem->local) {
    push(printed, row->body_a, change, row->g_a.linear, row->g_a.angular);
    push(printed, row->body_b, change, row->g_b.linear, row->g_b.angular);
  }
  double velocity = change * block * rg_row_weight(problem, row);
  return velocity * velocity;
}

static double sweep(const Printed* printed) {
  const rgProblem* problem = printed->run->problem;
  double worst = 0;
  for (int i = 0; i < problem->row_count; i++)
    worst = fmax(worst, visit_row(printed, i));
  for (int i = 0; i < problem->contact_count; i++)
    worst = fmax(worst, problem->local ? visit_local(printed, i) : visit_with_bodies(printed, i));
  return worst;
}

bool rg_nsgs_printed_takes(const rgProblem* problem) {
  for (int i = 0; i < problem->contact_count; i++)
    if (rg_one_is_polygon(&problem->contacts[i]) && problem->contacts[i].facets > RG_NSGS_CORNERS)
      return false;
  return true;
}

void rg_nsgs_printed_solve(rgSolve* run, bool diagonal) {
  Printed printed = {run, diagonal};
  double worst = HUGE_VAL;
  rg_problem_velocity(run->problem, run->solution);
  while (!(worst <= run->goal * run->goal) && !rg_solve_is_over(run)) {
    worst = sweep(&printed);
    run->iterations++;
    rg_solve_count_sweep(run);
    rg_solve_record(run, sqrt(worst));
  }
  run->measure = sqrt(worst);
}
