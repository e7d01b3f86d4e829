// cpg_model.c - a problem as a quadratic function over a product of simple sets; see cpg_model.h.
#include "solve/gradient/cpg_model.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

// A point this near to the surface of its cone, relative to its size, is on it.
static const double surface_rounding = 1e-12;

rgCpgModel* rg_cpg_carve(const rgProblem* problem, rgCarver* carver, rgCpgModel* model) {
  rgCpgModel* place = rg_carve(carver, 1, sizeof *model);
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  *model = (rgCpgModel){.problem = problem};
  int scalars;
  model->generators = rg_generators_make(problem, carver, &scalars);
  model->terms = rg_carve(carver, contacts + rows, sizeof *model->terms);
  size_t count = 4 * contacts + (size_t)scalars + rows;
  double** const arrays[] = {&model->scale, &model->lower, &model->upper, &model->x,
                             &model->g,     &model->p,     &model->wp,    &model->w,
                             &model->trial, &model->d,     &model->wd};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = rg_carve(carver, count, sizeof(double));
  model->u = rg_carve(carver, 4 * contacts, sizeof(double));
  model->du = rg_carve(carver, 4 * contacts, sizeof(double));
  model->r = rg_carve(carver, 4 * contacts, sizeof(double));
  model->row_w = rg_carve(carver, rows, sizeof(double));
  model->drow = rg_carve(carver, rows, sizeof(double));
  model->lambda = rg_carve(carver, rows, sizeof(double));
  model->v = rg_carve(carver, problem->local ? 4 * contacts : 6 * (size_t)problem->body_count,
                      sizeof(double));
  return place;
}

// -------------------------------------------------------------------------------------------------
// Terms
// -------------------------------------------------------------------------------------------------

static rgCpgTerm* add_term(rgCpgModel* model, rgCpgKind kind, int contact, int row, int count) {
  rgCpgTerm* term = &model->terms[model->term_count++];
  *term = (rgCpgTerm){
      .kind = kind, .contact = contact, .row = row, .first = model->count, .count = count};
  model->count += count;
  return term;
}

static void add_cone(rgCpgModel* model, int index, const double e[4], double inverse_rho) {
  const rgProblemContact* contact = &model->problem->contacts[index];
  int part[4], count = 0;
  for (int k = 0; k < 4; k++)
    if (e[k] > 0)
      part[count++] = k;
  rgCpgTerm* term = add_term(model, RG_CPG_CONE, index, -1, count);
  term->mu = contact->mu;
  term->inverse_rho = inverse_rho;
  for (int k = 0; k < count; k++) {
    term->part[k] = part[k];
    term->factor[k] = e[part[k]] / sqrt(inverse_rho);
  }
}

static void set_bounds(rgCpgModel* model, int index, double diagonal, double lower, double upper) {
  double scale = 1 / sqrt(diagonal);
  model->scale[index] = scale;
  model->lower[index] = lower / scale;
  model->upper[index] = upper / scale;
}

static void add_generators(rgCpgModel* model, int index, double inverse_rho) {
  const rgProblem* problem = model->problem;
  const rgGenerators* generators = &model->generators[index];
  rgCpgTerm* term = add_term(model, RG_CPG_BOUNDS, index, -1, generators->count);
  term->mu = generators->mu;
  term->inverse_rho = inverse_rho;
  double w[4][4];
  rg_contact_block(problem, &problem->contacts[index], w);
  for (int j = 0; j < generators->count; j++) {
    double g[3], diagonal = 0;
    rg_generator(generators, j, g);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        diagonal += g[a] * w[a][b] * g[b];
    set_bounds(model, term->first + j, diagonal > 0 ? diagonal : inverse_rho, 0, HUGE_VAL);
  }
}

// Contacts and rows between bodies that cannot move are left out: nothing changes them.
void rg_cpg_build(rgCpgModel* model) {
  const rgProblem* problem = model->problem;
  model->term_count = model->count = 0;
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double block = rg_row_block(problem, row) + row->compliance;
    if (!(block > 0))
      continue;
    rgCpgTerm* term = add_term(model, RG_CPG_BOUNDS, -1, i, 1);
    term->inverse_rho = block * rg_row_length(problem, row);
    set_bounds(model, term->first, block, row->lower, row->upper);
  }
  for (int i = 0; i < problem->contact_count; i++) {
    double e[4];
    rg_contact_axes(problem, &problem->contacts[i], e);
    double inverse_rho = rg_contact_inverse_rho(problem, &problem->contacts[i], e);
    if (!(inverse_rho > 0))
      continue;
    if (model->generators[i].count > 0)
      add_generators(model, i, inverse_rho);
    else
      add_cone(model, i, e, inverse_rho);
  }
}

// -------------------------------------------------------------------------------------------------
// Between variables and impulses
// -------------------------------------------------------------------------------------------------

static void load_generators(rgCpgModel* model, const rgCpgTerm* term, const double* r) {
  double* x = model->x + term->first;
  rg_generators_split(&model->generators[term->contact], r, x);
  for (int j = 0; j < term->count; j++)
    x[j] /= model->scale[term->first + j];
}

void rg_cpg_load(rgCpgModel* model, const rgSolution* solution) {
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    double* x = model->x + term->first;
    if (term->row >= 0)
      x[0] = solution->lambda[term->row] / model->scale[term->first];
    else if (term->kind == RG_CPG_BOUNDS)
      load_generators(model, term, solution->r + 4 * (size_t)term->contact);
    for (int k = 0; k < term->count && term->kind == RG_CPG_CONE; k++)
      x[k] = solution->r[4 * (size_t)term->contact + (size_t)term->part[k]] / term->factor[k];
  }
  rg_cpg_project(model, model->x);
}

static void spread(const rgCpgModel* model, const double* x, double* r, double* lambda) {
  memset(r, 0, 4 * (size_t)model->problem->contact_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    if (term->row >= 0) {
      lambda[term->row] = model->scale[term->first] * x[term->first];
      continue;
    }
    double* to = r + 4 * (size_t)term->contact;
    for (int k = 0; k < term->count; k++) {
      double value = x[term->first + k], g[3];
      if (term->kind == RG_CPG_CONE) {
        to[term->part[k]] = term->factor[k] * value;
        continue;
      }
      rg_generator(&model->generators[term->contact], k, g);
      for (int a = 0; a < 3; a++)
        to[a] += model->scale[term->first + k] * value * g[a];
    }
  }
}

void rg_cpg_store(const rgCpgModel* model, const double* x, rgSolution* solution) {
  spread(model, x, solution->r, solution->lambda);
}

// The transpose of spread.
static void gather(const rgCpgModel* model, const double* u, const double* row_w, double* out) {
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    double* to = out + term->first;
    if (term->row >= 0) {
      to[0] = model->scale[term->first] * row_w[term->row];
      continue;
    }
    const double* from = u + 4 * (size_t)term->contact;
    for (int k = 0; k < term->count; k++) {
      double g[3];
      if (term->kind == RG_CPG_CONE) {
        to[k] = term->factor[k] * from[term->part[k]];
        continue;
      }
      rg_generator(&model->generators[term->contact], k, g);
      to[k] = model->scale[term->first + k] * (g[0] * from[0] + g[1] * from[1] + g[2] * from[2]);
    }
  }
}

void rg_cpg_evaluate(rgCpgModel* model, rgSolution* solution) {
  const rgProblem* problem = model->problem;
  rg_cpg_store(model, model->x, solution);
  rg_problem_velocity(problem, solution);
  if (problem->local)
    memcpy(model->u, solution->v, 4 * (size_t)problem->contact_count * sizeof(double));
  for (int i = 0; i < problem->contact_count && !problem->local; i++)
    rg_contact_velocity(&problem->contacts[i], solution->v, model->u + 4 * (size_t)i);
  for (int i = 0; i < problem->row_count; i++)
    model->row_w[i] = rg_row_velocity(&problem->rows[i], solution->v) +
                      problem->rows[i].compliance * solution->lambda[i];
}

void rg_cpg_product(rgCpgModel* model, const double* d, double* wd) {
  const rgProblem* problem = model->problem;
  memset(model->lambda, 0, (size_t)problem->row_count * sizeof(double));
  spread(model, d, model->r, model->lambda);
  double* v = problem->local ? model->du : model->v;
  rg_problem_response(problem, model->r, model->lambda, v);
  for (int i = 0; i < problem->contact_count && !problem->local; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rg_contact_relative(contact, rg_body_twist(v, contact->body_a),
                        rg_body_twist(v, contact->body_b), model->du + 4 * (size_t)i);
  }
  for (int i = 0; i < problem->row_count; i++)
    model->drow[i] =
        rg_row_relative(&problem->rows[i], v) + problem->rows[i].compliance * model->lambda[i];
  gather(model, model->du, model->drow, wd);
}

void rg_cpg_gradient(rgCpgModel* model) {
  gather(model, model->u, model->row_w, model->g);
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    double* g = model->g + term->first;
    if (term->kind == RG_CPG_CONE)
      g[0] += term->factor[0] * term->offset;
    else if (term->contact >= 0)
      for (int j = 0; j < term->count; j++)
        g[j] += model->scale[term->first + j] * term->offset;
  }
}

// -------------------------------------------------------------------------------------------------
// Offsets
// -------------------------------------------------------------------------------------------------

static double tangent_norm(const double* x, int count) {
  double sum = 0;
  for (int k = 1; k < count; k++)
    sum += x[k] * x[k];
  return sqrt(sum);
}

// mu |u_T|. Strictly inside the cone a contact sticks, and what is left of u_T is only error: made
// into offsets, it would contradict itself on redundant contacts.
static double slip(const rgCpgModel* model, const rgCpgTerm* term) {
  const double* u = model->u + 4 * (size_t)term->contact;
  const double* x = model->x + term->first;
  if (term->kind == RG_CPG_BOUNDS) {
    bool inside = term->count > 1;
    for (int j = 0; j < term->count; j++)
      inside = inside && x[j] > 0;
    return inside ? 0 : term->mu * rg_generators_slip(&model->generators[term->contact], u);
  }
  if (tangent_norm(x, term->count) < (1 - surface_rounding) * term->mu * x[0])
    return 0;
  double sum = 0, rate = sqrt(term->inverse_rho);
  for (int k = 1; k < term->count; k++) {
    double w = rate * term->factor[k] * u[term->part[k]]; // e u
    sum += w * w;
  }
  return term->mu * sqrt(sum);
}

double rg_cpg_offset(rgCpgModel* model, bool apply) {
  double largest = 0;
  for (int i = 0; i < model->term_count; i++) {
    rgCpgTerm* term = &model->terms[i];
    if (term->contact < 0)
      continue;
    double offset = slip(model, term);
    largest = fmax(largest, fabs(offset - term->offset));
    if (apply)
      term->offset = offset;
  }
  return largest;
}

// -------------------------------------------------------------------------------------------------
// Sets
// -------------------------------------------------------------------------------------------------

static bool project_bounds(const rgCpgModel* model, const rgCpgTerm* term, double* x) {
  bool outside = false;
  for (int k = term->first; k < term->first + term->count; k++) {
    double value = x[k], nearest = fmin(fmax(value, model->lower[k]), model->upper[k]);
    outside = outside || nearest != value;
    x[k] = nearest;
  }
  return outside;
}

bool rg_cpg_project(const rgCpgModel* model, double* x) {
  bool outside = false;
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    if (term->kind == RG_CPG_BOUNDS) {
      outside = project_bounds(model, term, x) || outside;
      continue;
    }
    double* y = x + term->first;
    double size = tangent_norm(y, term->count);
    if (y[0] >= 0 && size <= term->mu * y[0])
      continue;
    rg_cone_project_circular(y, term->count - 1, term->mu);
    outside = true;
  }
  return outside;
}

// Preconditions w across the generators of the cone's surface, where the bend may add far more to W
// than its diagonal of 1.
static void soften(const rgCpgTerm* term, double* w) {
  double along = 0;
  for (int k = 1; k < term->count; k++)
    along += term->radial[k] * w[k];
  for (int k = 1; k < term->count; k++) {
    double across = w[k] - along * term->radial[k];
    w[k] -= across * term->curvature / (1 + term->curvature);
  }
}

// At the tip the tangent cone is the cone itself, on the surface a half-space, inside everything.
static void cone_tangent(rgCpgModel* model, rgCpgTerm* term) {
  const double* x = model->x + term->first;
  double *w = model->w + term->first, *p = model->p + term->first;
  int m = term->count - 1;
  double size = tangent_norm(x, term->count), mu = term->mu;
  term->curvature = 0;
  if (!(x[0] > 0)) {
    rg_cone_project_circular(w, m, mu);
    if (!(w[0] > 0))
      memset(p, 0, (size_t)term->count * sizeof *p);
    return;
  }
  if (!(size > 0) || size < (1 - surface_rounding) * mu * x[0])
    return;
  double normal[4], norm = sqrt(1 + mu * mu), outward = 0, along = 0;
  normal[0] = -mu / norm;
  for (int k = 1; k <= m; k++) {
    term->radial[k] = x[k] / size;
    normal[k] = term->radial[k] / norm;
  }
  for (int k = 0; k <= m; k++) {
    outward += normal[k] * w[k];
    along += normal[k] * p[k];
  }
  if (!(outward > 0))
    return;
  for (int k = 0; k <= m; k++) {
    w[k] -= outward * normal[k];
    p[k] -= along * normal[k];
  }
  term->curvature = outward / (size * norm);
  soften(term, w);
}

void rg_cpg_tangent(rgCpgModel* model) {
  for (int i = 0; i < model->count; i++)
    model->w[i] = -model->g[i];
  for (int i = 0; i < model->term_count; i++) {
    rgCpgTerm* term = &model->terms[i];
    if (term->kind == RG_CPG_CONE) {
      cone_tangent(model, term);
      continue;
    }
    for (int k = term->first; k < term->first + term->count; k++) {
      bool stays = (model->x[k] <= model->lower[k] && model->w[k] <= 0) ||
                   (model->x[k] >= model->upper[k] && model->w[k] >= 0);
      if (stays)
        model->w[k] = model->p[k] = 0;
    }
  }
}

void rg_cpg_bend(const rgCpgModel* model, const double* p, double* wp) {
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    if (!(term->curvature > 0))
      continue;
    const double* from = p + term->first;
    double along = 0;
    for (int k = 1; k < term->count; k++)
      along += term->radial[k] * from[k];
    for (int k = 1; k < term->count; k++)
      wp[term->first + k] += term->curvature * (from[k] - along * term->radial[k]);
  }
}

// |x - P(x - g)| of one term as a velocity; `extra` is added to its offset.
static double natural_map(const rgCpgModel* model, const rgCpgTerm* term, double extra) {
  const double *x = model->x + term->first, *g = model->g + term->first;
  double sum = 0;
  if (term->kind == RG_CPG_CONE) {
    double z[4];
    for (int k = 0; k < term->count; k++)
      z[k] = x[k] - g[k];
    z[0] -= term->factor[0] * extra;
    rg_cone_project_circular(z, term->count - 1, term->mu);
    for (int k = 0; k < term->count; k++)
      sum += (x[k] - z[k]) * (x[k] - z[k]);
    return sqrt(sum * term->inverse_rho); // x is r / sqrt(rho)
  }
  for (int j = 0; j < term->count; j++) {
    double scale = model->scale[term->first + j];
    double z = x[j] - g[j] - (term->contact >= 0 ? scale * extra : 0);
    z = fmin(fmax(z, model->lower[term->first + j]), model->upper[term->first + j]);
    sum = fmax(sum, fabs(x[j] - z) * scale * term->inverse_rho);
  }
  return sum;
}

rgCpgMissed rg_cpg_missed(const rgCpgModel* model) {
  rgCpgMissed missed = {0, 0};
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    double held = natural_map(model, term, 0), whole = held;
    if (term->contact >= 0)
      whole = natural_map(model, term, slip(model, term) - term->offset);
    missed.held = fmax(missed.held, held);
    missed.whole = fmax(missed.whole, whole);
  }
  return missed;
}
