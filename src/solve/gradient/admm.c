// admm.c - proximal alternating direction method of multipliers with over-relaxation.
//
// Problem: the discrete contact problem of problem.h with every cone, with bodies and rows or in
// local form without rows. With De Saxce's offset s = mu |u_T| held, the laws r in K, u + s n in
// K*, both perpendicular, are the optimality conditions of the convex problem
//
//     min  f(p) + g(z),  p = z,     f(p) = p'(W + C) p / 2 + p'(q + s n),    g = indicator of K,
//
// W = J J' in the motion space of newton_model.h, C the compliance of soft rows, q the free
// velocity. A row has its interval for K, a polygon s = mu max_j (-d_j u_T) over its corners.
//
// Method. Penalties rho E, E the inverse effective mass of each term, so that rho has no unit; a
// proximal term eta E on p; sigma, the multiplier of p = z, is a velocity:
//
//     1. p:      (W + C + (rho + eta) E) dp = -(u(p) + s n - sigma + rho E (p - z)),  p += dp
//     2. relax:  a = alpha p + (1 - alpha) z - sigma / (rho E)
//     3. z:      z = P_K(a),   sigma = rho E (z - a)
//     4. offset:  s = mu |sigma_T|
//
// By Moreau's decomposition z lies in K, sigma in K*, and they are perpendicular after each
// iteration; a contact that sticks has sigma = 0 and no offset. What is missed is p = z and u(p) +
// s n = sigma.
//
// Linear systems. D = C + (rho + eta) E is diagonal, and (J J' + D) dp = b is solved by
//
//     (I + J' D^-1 J) dx = J' D^-1 b,     dp = D^-1 (b - J dx).
//
// The matrix has one block row per body however many contacts there are, is positive definite
// whatever the rank of J, and is factored only when rho changes (block_ldl.h). In local form W + D
// itself is factored (block_lu.h). Rows without bounds need no z: they have rho = 0, and each
// iteration solves them but for eta, whatever the length of a chain.
//
// Penalty. Small ones suit contacts that stick, large ones those that open. rho follows the
// curvatures of f and g along the way since the last look (Xu, Figueiredo, Goldstein 2017), by the
// step lengths of Barzilai and Borwein: the mean of the two, or the one whose gradients follow its
// points. Where neither does, as along a slow mode, the mean of the least curvature of f and of the
// rho that balances |p - z| and rho |dz| (Boyd et al. 2011, section 3.4.1). Looks become rarer.
//
// Differences to the papers: Carpentier, Le Lidec, Montaut 2024 factor W + D for bodies, too, and
// take rho from the extreme eigenvalues of W; Tasora et al. 2021 split velocities from the cone.
// Own measure: the natural map of the law [m/s] at p, and before it ends at z, which is the answer.
// Cost: per iteration one solve with the factor and two passes over the contacts; tens of
// iterations at rest, up to thousands in sliding. A W that is given must be monotone.
#include "base/message.h"
#include "math/block_lu.h"
#include "math/lorentz.h"
#include "problem/cone.h"
#include "problem/operator.h"
#include "solve/newton/newton_model.h"
#include "solve/one/generators.h"

#include <math.h>
#include <string.h>

enum {
  BODIES_MAX = 4096,    // beyond, the factor of a heap has more blocks than there is room for
  CONTACTS_MAX = 2048,  // the same for the local form
  BLOCKS_PER_NODE = 64, // room for fill
  FIRST_LOOK = 5,       // iterations before the penalty is looked at,
  LOOK_EVERY = 10,      // from one look to the next, besides one in LOOK_PART of all iterations
  LOOK_PART = 20,
  BLIND_LOOKS = 2,     // in a row without a curvature, before residuals are looked at
  REFRESH = 50,        // iterations after which velocities are summed afresh
  PATIENCE = 200,      // iterations in which a measure below the target must halve,
  LONG_PATIENCE = 1000 // and one above it, besides as many as it took so far
};

// Added to W relative to the diagonal: far below the eigenvalues of long chains and of a mass ratio
// of a million, far above rounding.
static const double PROXIMAL = 1e-8;
// The gradients of a function follow its points when the cosine of their changes is above this.
static const double CORRELATED = 0.2;
// A new penalty is worth a factorization above the first change; a look changes it by the second.
static const double WORTH_FACTOR = 2, MOST_CHANGE = 10, LEAST_PENALTY = 1e-8, MOST_PENALTY = 1e4;

enum { RELAXATION, PENALTY }; // indices of the options
static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(relaxation, 1.6, 1, 1.9, false,
                     "over-relaxation; 1 is the plain method, 1.5 to 1.8 are fastest"),
    RG_SOLVER_OPTION(penalty, 0.3, 1e-6, 1e6, false,
                     "first penalty, relative to the inverse effective mass of each contact"),
    {.name = NULL},
};

// What the method keeps of a term besides the p, u (with the compliance) and offset of its
// rgNewtonTerm.
typedef struct Split {
  const rgGenerators* polygon; // NULL: a circular cone or a row
  double penalty;              // [1/kg] rho E; 0 for rows without bounds
  double slope;                // [1/kg] (rho + eta) E
  double diagonal;             // [1/kg] D
  double weight;               // turns a miss of the law into [m/s]
  double z[RG_TERM_MAX];       // impulse within the cone or the bounds
  double sigma[RG_TERM_MAX];   // velocity within the dual cone
  double step[RG_TERM_MAX];    // right-hand side of the system, then dp
  // at the last look at the penalty, u with its offset
  double seen_p[RG_TERM_MAX], seen_u[RG_TERM_MAX], seen_z[RG_TERM_MAX], seen_sigma[RG_TERM_MAX];
} Split;

typedef struct Admm {
  rgNewtonModel model;
  Split* splits;
  rgGenerators* generators;
  rgBlockLu lu;         // of the local form, and
  double* vector;       // its impulses, or its right-hand side
  double rho;           // [-] penalty
  bool ready;           // to go on
  int next_look, blind; // iteration; looks in a row at which no curvature showed
  double apart, move;   // |p - z|^2 and |change of z|^2 in units of E, of the last iteration
  double halved;        // measure that is to be halved,
  int halved_iteration; // and when it last was
} Admm;

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  int count = problem->local ? problem->contact_count : problem->body_count;
  int most = problem->local ? CONTACTS_MAX : BODIES_MAX;
  if (count > most)
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "admm takes at most %d %s, the problem has %d",
                   most, problem->local ? "contacts in local form" : "bodies", count);
  if (problem->local && problem->row_count > 0)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "admm takes rows with bodies only, the problem in local form has %d rows",
                   problem->row_count);
  return RG_OK;
}

static int block_limit(int nodes) {
  long long n = nodes, all = n * (n - 1) / 2 + 1, some = BLOCKS_PER_NODE * n;
  return (int)(all < some ? all : some);
}

static Admm* carve(Admm* admm, const rgProblem* problem, rgCarver* carver) {
  Admm* place = rg_carve(carver, 1, sizeof *admm);
  size_t contacts = (size_t)problem->contact_count, terms = contacts + (size_t)problem->row_count;
  int scalars;
  memset(admm, 0, sizeof *admm);
  rg_newton_model_carve(&admm->model, problem, block_limit(problem->body_count), carver);
  admm->splits = rg_carve(carver, terms, sizeof *admm->splits);
  admm->generators = rg_generators_make(problem, carver, &scalars);
  if (!problem->local)
    return place;
  admm->vector = rg_carve(carver, 4 * contacts, sizeof(double));
  rg_block_lu_carve(&admm->lu, problem->local->block, problem->contact_count,
                    block_limit(problem->contact_count), carver);
  rg_block_lu_carve_order(&admm->lu, problem->local->row_start[contacts], carver);
  return place;
}

static size_t work_size(const rgProblem* problem) {
  if (accepts(problem, NULL) != RG_OK)
    return RG_ALIGNMENT;
  Admm admm;
  rgCarver carver = {NULL, 0};
  carve(&admm, problem, &carver);
  return carver.used;
}

// False when the factor has no room. In local form the term of a contact has its index.
static bool build(Admm* admm) {
  const rgProblem* problem = admm->model.problem;
  if (!rg_newton_model_build(&admm->model))
    return false;
  for (int i = 0; i < admm->model.term_count; i++) {
    const rgNewtonTerm* term = &admm->model.terms[i];
    Split* split = &admm->splits[i];
    memset(split, 0, sizeof *split);
    split->weight = term->row ? rg_row_weight(problem, &problem->rows[term->source]) : 1;
    if (!term->row && admm->generators[term->source].corners)
      split->polygon = &admm->generators[term->source];
  }
  return !problem->local || rg_block_lu_order(&admm->lu, problem->contact_count,
                                              problem->local->row_start, problem->local->column, 0);
}

static bool is_equation(const rgNewtonTerm* term) { // a row without bounds
  return term->row && term->lower == -HUGE_VAL && term->upper == HUGE_VAL;
}

// The two neighbouring corners that x_T lies between; in two dimensions there are but two.
static void find_facet(const rgGenerators* polygon, const double* x, double g[3], double h[3]) {
  int first = 0, next = 1;
  for (int j = 0; j < polygon->count && polygon->count > 2; j++) {
    first = j;
    next = j + 1 < polygon->count ? j + 1 : 0;
    const double *d = polygon->corners[first], *e = polygon->corners[next];
    if (d[0] * x[2] - d[1] * x[1] >= 0 && x[1] * e[1] - x[2] * e[0] >= 0)
      break;
  }
  rg_generator(polygon, first, g);
  rg_generator(polygon, next, h);
}

// Nearest point of the cone of a polygon. The cone is regular, so that the point lies in the sector
// of x: on the facet between the generators g and h, on one of them, or at the tip.
static void project_polygon(const rgGenerators* polygon, int m, double* x) {
  double g[3], h[3];
  find_facet(polygon, x, g, h);
  double outward[3] = {g[2] * h[1] - g[1] * h[2], g[0] * h[2] - g[2] * h[0],
                       g[1] * h[0] - g[0] * h[1]};
  if (m == 3 && lorentz_dot(outward, x, 3) <= 0)
    return; // within the cone
  double gg = lorentz_dot(g, g, m), gh = lorentz_dot(g, h, m), hh = lorentz_dot(h, h, m);
  double gx = lorentz_dot(g, x, m), hx = lorentz_dot(h, x, m), det = gg * hh - gh * gh;
  double a = (hh * gx - gh * hx) / det, b = (gg * hx - gh * gx) / det;
  if (a < 0 || b < 0) {
    bool first = gx / sqrt(gg) >= hx / sqrt(hh);
    a = first && gx > 0 ? gx / gg : 0;
    b = !first && hx > 0 ? hx / hh : 0;
  }
  for (int k = 0; k < m; k++)
    x[k] = a * g[k] + b * h[k];
}

static void project(const rgNewtonTerm* term, const Split* split, double* x) {
  if (term->row)
    x[0] = x[0] < term->lower ? term->lower : x[0] > term->upper ? term->upper : x[0];
  else if (split->polygon)
    project_polygon(split->polygon, term->m, x);
  else
    rg_cone_project_circular(x, term->m - 1, term->mu);
}

// De Saxce's offset at the velocity u.
static double offset_of(const rgNewtonTerm* term, const Split* split, const double* u) {
  if (term->row || term->m == 1)
    return 0;
  if (!split->polygon)
    return term->mu * sqrt(lorentz_dot(u + 1, u + 1, term->m - 1));
  double all[4] = {0, u[1], term->m > 2 ? u[2] : 0};
  return term->mu * rg_generators_slip(split->polygon, all);
}

// The natural map: to = P_K(p - mass (u + s n)) with the offset of u.
static void map_naturally(const rgNewtonTerm* term, const Split* split, double* to) {
  for (int k = 0; k < term->m; k++)
    to[k] = term->p[k] - term->mass * term->u[k];
  to[0] -= term->mass * offset_of(term, split, term->u);
  project(term, split, to);
}

// Largest miss of the law [m/s] at p; NaN when a number is not finite.
static double measure_of(const Admm* admm) {
  double worst = 0;
  for (int i = 0; i < admm->model.term_count; i++) {
    const rgNewtonTerm* term = &admm->model.terms[i];
    double y[RG_TERM_MAX], sum = 0;
    map_naturally(term, &admm->splits[i], y);
    for (int k = 0; k < term->m; k++)
      sum += (term->p[k] - y[k]) * (term->p[k] - y[k]);
    double missed = admm->splits[i].weight * sqrt(sum) / term->mass;
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

// to += s J' y
static void add_transposed(const rgNewtonTerm* term, double s, const double* y, double* to) {
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    for (int k = 0; k < term->m && body >= 0; k++)
      for (int j = 0; j < RG_BLOCK; j++)
        to[RG_BLOCK * body + j] += s * y[k] * term->j[k][RG_BLOCK * side + j];
  }
}

// u += s J x
static void add_product(const rgNewtonTerm* term, double s, const double* x, double* u) {
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    for (int k = 0; k < term->m && body >= 0; k++)
      for (int j = 0; j < RG_BLOCK; j++)
        u[k] += s * term->j[k][RG_BLOCK * side + j] * x[RG_BLOCK * body + j];
  }
}

static void sum_local_velocities(Admm* admm) {
  rgNewtonModel* model = &admm->model;
  rg_newton_model_store(model, &(rgSolution){.r = admm->vector});
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    double u[4];
    rg_local_velocity(model->problem, i, admm->vector, NULL, u);
    for (int k = 0; k < term->m; k++)
      term->u[k] = term->axis[k] * u[term->component[k]];
  }
}

// The velocities u of p, summed afresh.
static void sum_velocities(Admm* admm) {
  rgNewtonModel* model = &admm->model;
  if (model->problem->local) {
    sum_local_velocities(admm);
    return;
  }
  memset(model->x, 0, (size_t)model->problem->body_count * RG_BLOCK * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    add_transposed(&model->terms[i], 1, model->terms[i].p, model->x);
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    memcpy(term->u, term->free, sizeof term->u);
    add_product(term, 1, model->x, term->u);
    term->u[0] += term->compliance * term->p[0];
  }
}

// Adds s J_left' J_right to a block of `blocks`.
static void add_block(double* blocks, int index, const rgNewtonTerm* term, int left, int right,
                      double s) {
  double* out = blocks + (size_t)index * RG_BLOCK_AREA;
  for (int k = 0; k < term->m; k++)
    for (int i = 0; i < RG_BLOCK; i++)
      for (int j = 0; j < RG_BLOCK; j++)
        out[i * RG_BLOCK + j] += s * term->j[k][left + i] * term->j[k][right + j];
}

// I + J' D^-1 J
static bool factor_bodies(Admm* admm) {
  rgBlockMatrix* matrix = &admm->model.matrix;
  rg_block_ldl_clear(matrix);
  for (int i = 0; i < matrix->count; i++)
    for (int k = 0; k < RG_BLOCK; k++)
      matrix->diagonal[(size_t)i * RG_BLOCK_AREA + (size_t)k * (RG_BLOCK + 1)] = 1;
  for (int i = 0, a = 0, b = RG_BLOCK; i < admm->model.term_count; i++) {
    const rgNewtonTerm* term = &admm->model.terms[i];
    double s = 1 / admm->splits[i].diagonal;
    if (term->body_a >= 0)
      add_block(matrix->diagonal, matrix->position[term->body_a], term, a, a, s);
    if (term->body_b >= 0)
      add_block(matrix->diagonal, matrix->position[term->body_b], term, b, b, s);
    if (term->block >= 0)
      add_block(matrix->lower, term->block, term, term->transposed ? b : a,
                term->transposed ? a : b, s);
  }
  return rg_block_ldl_factor(matrix);
}

// W + D in the scaled components; those without impulse are equations of their own.
static bool factor_local(Admm* admm) {
  const rgProblem* problem = admm->model.problem;
  const rgLocalMatrix* local = problem->local;
  int size = local->block;
  rg_block_lu_clear(&admm->lu);
  for (int i = 0; i < problem->contact_count; i++) {
    double e[4], f[4];
    rg_contact_axes(problem, &problem->contacts[i], e);
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++) {
      const double* w = local->values + (size_t)k * (size_t)(size * size);
      double* out = rg_block_lu_at(&admm->lu, i, local->column[k]);
      rg_contact_axes(problem, &problem->contacts[local->column[k]], f);
      for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
          out[a * size + b] = e[a] * w[a * size + b] * f[b];
    }
    double* out = rg_block_lu_at(&admm->lu, i, i);
    for (int a = 0; a < size; a++)
      out[a * (size + 1)] += e[a] > 0 ? admm->splits[i].diagonal : 1;
  }
  return rg_block_lu_factor(&admm->lu);
}

// Sets the penalty and factors. False when a pivot vanishes.
static bool set_penalty(Admm* admm, rgSolve* run, double rho) {
  admm->rho = rho;
  for (int i = 0; i < admm->model.term_count; i++) {
    const rgNewtonTerm* term = &admm->model.terms[i];
    Split* split = &admm->splits[i];
    split->penalty = is_equation(term) ? 0 : rho / term->mass;
    split->slope = split->penalty + PROXIMAL / term->mass;
    split->diagonal = split->slope + term->compliance;
  }
  bool local = admm->model.problem->local != NULL;
  rg_solve_count_factorization(run, local ? admm->lu.products : admm->model.matrix.multiplications);
  return local ? factor_local(admm) : factor_bodies(admm);
}

static void solve_local(Admm* admm) {
  const rgNewtonModel* model = &admm->model;
  int size = model->problem->local->block;
  memset(admm->vector, 0, 4 * (size_t)model->problem->contact_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      admm->vector[size * i + model->terms[i].component[k]] = admm->splits[i].step[k];
  rg_block_lu_solve(&admm->lu, admm->vector);
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      admm->splits[i].step[k] = admm->vector[size * i + model->terms[i].component[k]];
}

// step = (W + D)^-1 step
static void solve_system(Admm* admm) {
  rgNewtonModel* model = &admm->model;
  if (model->problem->local) {
    solve_local(admm);
    return;
  }
  double* dx = model->direction;
  memset(dx, 0, (size_t)model->problem->body_count * RG_BLOCK * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    add_transposed(&model->terms[i], 1 / admm->splits[i].diagonal, admm->splits[i].step, dx);
  rg_block_ldl_solve(&model->matrix, dx, model->scratch);
  for (int i = 0; i < model->term_count; i++) {
    Split* split = &admm->splits[i];
    add_product(&model->terms[i], -1, dx, split->step);
    for (int k = 0; k < model->terms[i].m; k++)
      split->step[k] /= split->diagonal;
  }
}

// b = -(u + s n - sigma + rho E (p - z)) of one term and one component.
static double right_side(const rgNewtonTerm* term, const Split* split, int k) {
  double u = k == 0 ? term->u[0] + term->offset : term->u[k];
  return split->sigma[k] - u - split->penalty * (term->p[k] - split->z[k]);
}

// Step 1: p, and its velocities, which by the system itself change by (W + C) dp = b - slope dp.
static void move_impulses(Admm* admm) {
  rgNewtonModel* model = &admm->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      admm->splits[i].step[k] = right_side(&model->terms[i], &admm->splits[i], k);
  solve_system(admm);
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    const Split* split = &admm->splits[i];
    for (int k = 0; k < term->m; k++) {
      term->u[k] += right_side(term, split, k) - split->slope * split->step[k];
      term->p[k] += split->step[k];
    }
  }
}

// Steps 2 to 4 for one term.
static void split_term(Admm* admm, int index, double alpha) {
  rgNewtonTerm* term = &admm->model.terms[index];
  Split* split = &admm->splits[index];
  if (is_equation(term)) {
    split->z[0] = term->p[0];
    return;
  }
  double a[RG_TERM_MAX], z[RG_TERM_MAX];
  for (int k = 0; k < term->m; k++)
    z[k] = a[k] = alpha * term->p[k] + (1 - alpha) * split->z[k] - split->sigma[k] / split->penalty;
  project(term, split, z);
  for (int k = 0; k < term->m; k++) {
    double apart = term->p[k] - z[k], move = z[k] - split->z[k];
    admm->apart += apart * apart / term->mass;
    admm->move += move * move / term->mass;
    split->sigma[k] = split->penalty * (z[k] - a[k]);
    split->z[k] = z[k];
  }
  term->offset = offset_of(term, split, split->sigma);
}

// Makes z the point p, with its velocities. But for eta, the next p does not depend on the last.
static void go_to_cone(Admm* admm) {
  for (int i = 0; i < admm->model.term_count; i++)
    memcpy(admm->model.terms[i].p, admm->splits[i].z, sizeof admm->splits[i].z);
  sum_velocities(admm);
}

// Starts from the impulses of a solution and from the velocities in K* nearest to theirs.
static void load(Admm* admm, const rgSolution* solution) {
  rgNewtonModel* model = &admm->model;
  rg_newton_model_load(model, solution);
  for (int i = 0; i < model->term_count; i++) {
    memcpy(admm->splits[i].z, model->terms[i].y, sizeof admm->splits[i].z);
    project(&model->terms[i], &admm->splits[i], admm->splits[i].z);
  }
  go_to_cone(admm);
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    Split* split = &admm->splits[i];
    if (is_equation(term))
      continue;
    double z[RG_TERM_MAX], offset = offset_of(term, split, term->u);
    map_naturally(term, split, z);
    for (int k = 0; k < term->m; k++) // P(a) - a over the mass, a = z - mass (u + s n)
      split->sigma[k] = (z[k] - split->z[k]) / term->mass + term->u[k] + (k == 0 ? offset : 0);
    term->offset = offset_of(term, split, split->sigma);
  }
}

// Changes of the points and of the gradients of a function between two looks.
typedef struct Curve {
  double points, gradients, product; // dx'E dx, dg'E^-1 dg, dg'dx
} Curve;

static void add_change(Curve* curve, double dx, double dg, double mass) {
  curve->points += dx * dx / mass;
  curve->gradients += dg * dg * mass;
  curve->product += dx * dg;
}

// The curvature in units of E; 0 when the gradients do not follow the points.
static double curvature_of(const Curve* curve) {
  double most = sqrt(curve->points * curve->gradients);
  if (!(curve->product > CORRELATED * most))
    return 0;
  double steepest = curve->gradients / curve->product, least = curve->product / curve->points;
  return 2 * least > steepest ? least : steepest - 0.5 * least;
}

// The penalty that the way since the last look asks for.
static double spectral_penalty(Admm* admm) {
  Curve f = {0}, g = {0};
  for (int i = 0; i < admm->model.term_count; i++) {
    const rgNewtonTerm* term = &admm->model.terms[i];
    Split* split = &admm->splits[i];
    for (int k = 0; k < term->m && !is_equation(term); k++) {
      double u = k == 0 ? term->u[0] + term->offset : term->u[k];
      add_change(&f, term->p[k] - split->seen_p[k], u - split->seen_u[k], term->mass);
      add_change(&g, split->z[k] - split->seen_z[k], split->seen_sigma[k] - split->sigma[k],
                 term->mass);
      split->seen_p[k] = term->p[k];
      split->seen_u[k] = u;
      split->seen_z[k] = split->z[k];
      split->seen_sigma[k] = split->sigma[k];
    }
  }
  double a = curvature_of(&f), b = curvature_of(&g);
  double rho = a > 0 && b > 0 ? sqrt(a * b) : a > 0 ? a : b > 0 ? b : admm->rho;
  admm->blind = a > 0 || b > 0 ? 0 : admm->blind + 1;
  if (admm->blind >= BLIND_LOOKS && admm->apart > 0 && admm->move > 0) {
    double balanced = sqrt(admm->apart / admm->move), least = f.product / f.points;
    rho = least > 0 ? sqrt(balanced * least) : balanced;
  }
  rho = fmin(fmax(rho, admm->rho / MOST_CHANGE), admm->rho * MOST_CHANGE);
  return fmin(fmax(rho, LEAST_PENALTY), MOST_PENALTY);
}

// False when the matrix of a new penalty cannot be factored.
static bool look_at_penalty(Admm* admm, rgSolve* run) {
  int iteration = run->iterations;
  if (iteration < admm->next_look)
    return true;
  admm->next_look = iteration + LOOK_EVERY + iteration / LOOK_PART;
  double rho = spectral_penalty(admm);
  bool near = rho <= WORTH_FACTOR * admm->rho && admm->rho <= WORTH_FACTOR * rho;
  return near || set_penalty(admm, run, rho);
}

static void start(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  Admm made, *admm = carve(&made, run->problem, &carver);
  *admm = made;
  admm->next_look = FIRST_LOOK;
  if (!build(admm))
    return;
  load(admm, run->solution);
  admm->ready = set_penalty(admm, run, run->options[PENALTY]);
}

// True when the measure no longer halves: below the target soon, above it after as many iterations
// again. Then, as with rows that contradict each other, or when it is not finite, no call goes on.
static bool is_spent(Admm* admm, const rgSolve* run) {
  if (run->measure <= 0.5 * admm->halved) {
    admm->halved = run->measure;
    admm->halved_iteration = run->iterations;
  }
  int waited = run->iterations - admm->halved_iteration;
  admm->ready = isfinite(run->measure) && waited <= LONG_PATIENCE + admm->halved_iteration;
  return !admm->ready || (waited > PATIENCE && run->measure <= run->target);
}

static void solve(rgSolve* run) {
  Admm* admm = run->work;
  if (run->call == 0)
    start(run);
  if (!admm->ready)
    return;
  admm->halved = HUGE_VAL;
  for (bool more = true; more && !rg_solve_is_over(run);) {
    move_impulses(admm);
    admm->apart = admm->move = 0;
    for (int i = 0; i < admm->model.term_count; i++)
      split_term(admm, i, run->options[RELAXATION]);
    run->iterations++;
    rg_solve_count_sweep(run);
    if (run->iterations % REFRESH == 0)
      sum_velocities(admm);
    run->measure = measure_of(admm);
    if (run->measure <= run->goal) { // at p; the answer is z
      go_to_cone(admm);
      run->measure = measure_of(admm);
    }
    rg_solve_record(run, run->measure);
    more = !(run->measure <= run->goal) && !is_spent(admm, run) && look_at_penalty(admm, run);
  }
  go_to_cone(admm);
  rg_newton_model_store(&admm->model, run->solution);
}

const rgSolver rg_solver_admm = {
    .name = "admm",
    .summary = "proximal ADMM with over-relaxation and a spectral penalty, every cone, one sparse "
               "factorization for many iterations",
    .reference = "Carpentier, Le Lidec, Montaut 2024; Boyd et al. 2011; Tasora et al. 2021; Xu, "
                 "Figueiredo, Goldstein 2017; De Saxce, Feng 1998",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
