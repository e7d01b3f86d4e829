// newton_model.c - a problem in mass-weighted motion space, its augmented function, gradient and
// Hessian.
//
// For multipliers y, offsets s and penalties rho = kappa * (effective mass), the function is
//
//     phi(x) = 1/2 |x|^2 + sum_c psi_c(z_c),   z_c = y_c - rho_c (u_c(x) + s_c n),   u_c = free_c +
//     J_c x,
//
// psi being 1/(2 rho) |P_K z|^2 for a cone and 1/rho (z P z - (P z)^2 / 2) for an interval. It is
// convex and once differentiable: grad = x - sum J' P(z), and I + sum J' (rho DP) J is a
// generalized Hessian, positive definite.
//
// A soft row, w = u + c p, asks for p = clamp(y - rho (u + c p)). The right side falls with p, so
// there is one p, and it is p = clamp((y - rho u) / (1 + rho c)): the row of a rigid one with z and
// rho divided by 1 + rho c.
#include "solve/newton/newton_model.h"

#include "math/sym3.h"
#include "problem/cone.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

void rg_newton_model_carve(rgNewtonModel* model, const rgProblem* problem, int block_limit,
                           rgCarver* carver) {
  size_t bodies = (size_t)problem->body_count,
         terms = (size_t)problem->contact_count + (size_t)problem->row_count;
  model->problem = problem;
  model->terms = rg_carve(carver, terms, sizeof(rgNewtonTerm));
  model->root = rg_carve(carver, bodies, sizeof *model->root);
  model->x = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  model->gradient = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  model->direction = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  model->trial = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  model->scratch = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  rg_block_ldl_carve(&model->matrix, problem->body_count, (int)terms, block_limit, carver);
}

// -------------------------------------------------------------------------------------------------
// Set-up
// -------------------------------------------------------------------------------------------------

// One row of J for one body: g' L.
static void weight_row(const rgNewtonModel* model, int body, rgTwist g, double* out) {
  if (body < 0)
    memset(out, 0, RG_BLOCK * sizeof(double));
  else
    rg_mass_root_times(&model->root[body], g, out);
}

static void add_contact(rgNewtonModel* model, int index) {
  const rgProblemContact* contact = &model->problem->contacts[index];
  double e[4], u[4];
  rg_contact_axes(model->problem, contact, e);
  double inverse_rho = rg_contact_inverse_rho(model->problem, contact, e);
  if (!(inverse_rho > 0))
    return; // both bodies held: no impulse changes anything
  rgNewtonTerm* term = &model->terms[model->term_count++];
  memset(term, 0, sizeof *term);
  term->body_a = contact->body_a;
  term->body_b = contact->body_b;
  term->source = index;
  term->mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
  term->mass = 1 / inverse_rho;
  rg_contact_velocity_of(contact, rg_body_free(model->problem, contact->body_a),
                         rg_body_free(model->problem, contact->body_b), u);
  for (int i = 0; i < 4; i++) {
    if (!(e[i] > 0))
      continue;
    int k = term->m++;
    term->axis[k] = e[i];
    term->component[k] = i;
    term->free[k] = e[i] * u[i];
    rgVec3 d = i == 1 ? contact->t : i == 2 ? contact->o : contact->n;
    d = v3_scale(d, e[i]);
    rgVec3 linear = i < 3 ? d : v3_zero();
    rgVec3 spin_a = i < 3 ? v3_cross(contact->arm_a, d) : d,
           spin_b = i < 3 ? v3_cross(contact->arm_b, d) : d;
    weight_row(model, contact->body_a, (rgTwist){linear, spin_a}, term->j[k]);
    weight_row(model, contact->body_b, (rgTwist){v3_neg(linear), v3_neg(spin_b)},
               term->j[k] + RG_BLOCK);
  }
}

static void add_row(rgNewtonModel* model, int index) {
  const rgProblemRow* row = &model->problem->rows[index];
  double block = rg_row_block(model->problem, row) + row->compliance;
  if (!(block > 0))
    return;
  rgNewtonTerm* term = &model->terms[model->term_count++];
  memset(term, 0, sizeof *term);
  term->body_a = row->body_a;
  term->body_b = row->body_b;
  term->source = index;
  term->row = true;
  term->m = 1;
  term->mass = 1 / block;
  term->lower = row->lower;
  term->upper = row->upper;
  term->compliance = row->compliance;
  term->axis[0] = 1;
  weight_row(model, row->body_a, row->g_a, term->j[0]);
  weight_row(model, row->body_b, row->g_b, term->j[0] + RG_BLOCK);
  rgTwist a = rg_body_free(model->problem, row->body_a),
          b = rg_body_free(model->problem, row->body_b);
  term->free[0] = row->bias + twist_dot(row->g_a, a) + twist_dot(row->g_b, b);
}

// [m/s] with which a contact separates.
static double separation(const rgProblem* problem, int index, const rgSolution* solution) {
  double u[4];
  rg_contact_velocity(&problem->contacts[index], solution->v, u);
  return u[0];
}

static void add_contacts(rgNewtonModel* model, rgSolution* solution, double apart) {
  for (int i = 0; i < model->problem->contact_count; i++) {
    double* r = solution ? solution->r + 4 * (size_t)i : NULL;
    if (r && !(r[0] > 0) && separation(model->problem, i, solution) > apart)
      memset(r, 0, 4 * sizeof *r);
    else
      add_contact(model, i);
  }
}

bool rg_newton_model_is_complete(const rgNewtonModel* model, const rgSolution* solution) {
  const rgProblem* problem = model->problem;
  int next = 0; // term
  while (next < model->term_count && model->terms[next].row)
    next++;
  for (int i = 0; i < problem->contact_count; i++) {
    bool has_term = next < model->term_count && model->terms[next].source == i;
    next += has_term;
    if (!has_term && separation(problem, i, solution) < 0)
      return false;
  }
  return true;
}

bool rg_newton_model_build(rgNewtonModel* model) {
  return rg_newton_model_build_near(model, NULL, HUGE_VAL);
}

bool rg_newton_model_build_near(rgNewtonModel* model, rgSolution* solution, double apart) {
  const rgProblem* problem = model->problem;
  for (int i = 0; i < problem->body_count; i++)
    model->root[i] = rg_mass_root(problem, i);
  model->term_count = 0;
  for (int i = 0; i < problem->row_count; i++)
    add_row(model, i);
  add_contacts(model, solution, apart);

  // Edges of the graph, in the room of the factor's own blocks (each term has at most one).
  int(*edges)[2] = (int(*)[2])(void*)model->matrix.lower;
  size_t room = (size_t)model->matrix.block_limit * RG_BLOCK_AREA * sizeof(double) / sizeof *edges;
  int edge_count = 0;
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    if (term->body_a < 0 || term->body_b < 0 || term->body_a == term->body_b)
      continue;
    if ((size_t)edge_count == room)
      return false;
    edges[edge_count][0] = term->body_a;
    edges[edge_count++][1] = term->body_b;
  }
  if (!rg_block_ldl_order(&model->matrix, (const int(*)[2])edges, edge_count))
    return false;
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    bool coupled = term->body_a >= 0 && term->body_b >= 0 && term->body_a != term->body_b;
    term->block =
        coupled ? rg_block_ldl_find(&model->matrix, term->body_a, term->body_b, &term->transposed)
                : -1;
  }
  return true;
}

void rg_newton_model_load(rgNewtonModel* model, const rgSolution* solution) {
  memset(model->x, 0, (size_t)model->problem->body_count * RG_BLOCK * sizeof(double));
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    for (int k = 0; k < term->m; k++)
      term->y[k] = term->row ? solution->lambda[term->source]
                             : solution->r[4 * (size_t)term->source + (size_t)term->component[k]] /
                                   term->axis[k];
    // x = L' (G' lambda + H r) = sum J' y
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < RG_BLOCK; j++) {
        if (term->body_a >= 0)
          model->x[RG_BLOCK * term->body_a + j] += term->j[k][j] * term->y[k];
        if (term->body_b >= 0)
          model->x[RG_BLOCK * term->body_b + j] += term->j[k][RG_BLOCK + j] * term->y[k];
      }
  }
}

void rg_newton_model_store(const rgNewtonModel* model, rgSolution* solution) {
  memset(solution->r, 0, 4 * (size_t)model->problem->contact_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    if (term->row)
      solution->lambda[term->source] = term->p[0];
    else
      for (int k = 0; k < term->m; k++)
        solution->r[4 * (size_t)term->source + (size_t)term->component[k]] =
            term->axis[k] * term->p[k];
  }
}

// -------------------------------------------------------------------------------------------------
// Evaluation
// -------------------------------------------------------------------------------------------------

static const double zero_block[RG_BLOCK];

static const double* part_of(const double* x, int body) {
  return body < 0 ? zero_block : x + RG_BLOCK * body;
}

// rho of a term: what a unit of velocity changes in z.
static double penalty(const rgNewtonTerm* term, double kappa) {
  double rho = kappa * term->mass;
  return rho / (1 + rho * term->compliance);
}

static double evaluate_term(rgNewtonTerm* term, const double* x, double kappa) {
  double rho = penalty(term, kappa), softness = 1 + kappa * term->mass * term->compliance;
  const double *a = part_of(x, term->body_a), *b = part_of(x, term->body_b);
  for (int k = 0; k < term->m; k++) {
    double u = term->free[k];
    for (int j = 0; j < RG_BLOCK; j++)
      u += term->j[k][j] * a[j] + term->j[k][RG_BLOCK + j] * b[j];
    term->u[k] = u;
    term->z[k] = term->y[k] / softness - rho * (k == 0 ? u + term->offset : u);
    term->p[k] = term->z[k];
  }
  if (term->row) {
    double z = term->z[0], p = z < term->lower ? term->lower : z > term->upper ? term->upper : z;
    term->p[0] = p;
    return (z * p - 0.5 * p * p) / rho;
  }
  rg_cone_project_circular(term->p, term->m - 1, term->mu);
  double sum = 0;
  for (int k = 0; k < term->m; k++)
    sum += term->p[k] * term->p[k];
  return 0.5 * sum / rho;
}

static void add_transposed(const rgNewtonTerm* term, int body, int offset, double* out) {
  if (body < 0)
    return;
  double* g = out + RG_BLOCK * body;
  for (int k = 0; k < term->m; k++)
    for (int j = 0; j < RG_BLOCK; j++)
      g[j] -= term->j[k][offset + j] * term->p[k];
}

double rg_newton_model_evaluate(rgNewtonModel* model, const double* x, double kappa,
                                double* gradient) {
  size_t count = (size_t)model->problem->body_count * RG_BLOCK;
  double value = 0;
  for (size_t i = 0; i < count; i++)
    value += 0.5 * x[i] * x[i];
  if (gradient)
    memcpy(gradient, x, count * sizeof(double));
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    value += evaluate_term(term, x, kappa);
    if (!gradient)
      continue;
    add_transposed(term, term->body_a, 0, gradient);
    add_transposed(term, term->body_b, RG_BLOCK, gradient);
  }
  return value;
}

bool rg_newton_model_slope(const rgNewtonTerm* term, double d[RG_TERM_MAX][RG_TERM_MAX]) {
  memset(d, 0, RG_TERM_MAX * sizeof *d);
  if (term->row || term->m == 1) {
    bool inside = term->row ? term->z[0] > term->lower && term->z[0] < term->upper : term->z[0] > 0;
    d[0][0] = inside ? 1 : 0;
    return inside;
  }
  double norm2 = 0;
  for (int k = 1; k < term->m; k++)
    norm2 += term->z[k] * term->z[k];
  double norm = sqrt(norm2), mu = term->mu, along = term->z[0] + mu * norm;
  if (norm <= mu * term->z[0]) {
    for (int k = 0; k < term->m; k++)
      d[k][k] = 1;
    return true;
  }
  if (!(along > 0))
    return false;
  double inverse = 1 / (1 + mu * mu), t = along * inverse, n[RG_TERM_MAX] = {1};
  for (int k = 1; k < term->m; k++)
    n[k] = mu * term->z[k] / norm;
  double across = mu * t / norm, unit = mu > 0 ? 1 / (mu * mu) : 0;
  for (int i = 0; i < term->m; i++)
    for (int k = 0; k < term->m; k++) {
      d[i][k] = inverse * n[i] * n[k];
      if (i > 0 && k > 0)
        d[i][k] += across * ((i == k ? 1 : 0) - unit * n[i] * n[k]);
    }
  return true;
}

// out += rho Ja' D Jb
static void add_block(double* out, const rgNewtonTerm* term, int left, int right,
                      double d[RG_TERM_MAX][RG_TERM_MAX], double rho) {
  double dj[RG_TERM_MAX][RG_BLOCK];
  for (int i = 0; i < term->m; i++)
    for (int j = 0; j < RG_BLOCK; j++) {
      double sum = 0;
      for (int k = 0; k < term->m; k++)
        sum += d[i][k] * term->j[k][right + j];
      dj[i][j] = rho * sum;
    }
  for (int i = 0; i < term->m; i++)
    for (int row = 0; row < RG_BLOCK; row++)
      for (int j = 0; j < RG_BLOCK; j++)
        out[row * RG_BLOCK + j] += term->j[i][left + row] * dj[i][j];
}

void rg_newton_model_assemble(rgNewtonModel* model, double kappa) {
  rgBlockMatrix* matrix = &model->matrix;
  rg_block_ldl_clear(matrix);
  for (int i = 0; i < matrix->count; i++)
    for (int k = 0; k < RG_BLOCK; k++)
      matrix->diagonal[(size_t)i * RG_BLOCK_AREA + (size_t)k * (RG_BLOCK + 1)] = 1;
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    double d[RG_TERM_MAX][RG_TERM_MAX], rho = penalty(term, kappa);
    if (!rg_newton_model_slope(term, d))
      continue;
    if (term->body_a >= 0)
      add_block(matrix->diagonal + (size_t)matrix->position[term->body_a] * RG_BLOCK_AREA, term, 0,
                0, d, rho);
    if (term->body_b >= 0)
      add_block(matrix->diagonal + (size_t)matrix->position[term->body_b] * RG_BLOCK_AREA, term,
                RG_BLOCK, RG_BLOCK, d, rho);
    if (term->block < 0)
      continue;
    double* block = matrix->lower + (size_t)term->block * RG_BLOCK_AREA;
    if (term->transposed)
      add_block(block, term, RG_BLOCK, 0, d, rho);
    else
      add_block(block, term, 0, RG_BLOCK, d, rho);
  }
}
