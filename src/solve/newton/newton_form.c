// newton_form.c - terms in scaled variables, their velocities and their linear systems.
#include "solve/newton/newton_form.h"
#include "problem/cone.h"
#include "problem/operator.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Regularization of equations, relative to the diagonal of W: below the least eigenvalue of the
// rows of thousands of links, above rounding.
static const double EQUATION = 1e-10;
// Room for fill of joints, for each block of bodies and for each joint.
enum { JOINT_FILL = 2, JOINT_BLOCKS = 4 };
// Least determinant of a root of the inverse inertia, relative to its size: below, the body does
// not turn about some axis.
static const double LOCKED = 1e-6;

static bool is_equation(double lower, double upper) {
  return lower == -HUGE_VAL && upper == HUGE_VAL;
}

// A joint in the making: a run of equations on the same two bodies.
typedef struct Joint {
  int body_a, body_b, size;
} Joint;

// Takes an equation on these bodies into the joint, or begins the next. True when it begins one.
static bool extend(Joint* joint, int body_a, int body_b) {
  bool next = joint->size == 0 || joint->size == RG_BLOCK || joint->body_a != body_a ||
              joint->body_b != body_b;
  *joint = (Joint){body_a, body_b, next ? 1 : joint->size + 1};
  return next;
}

// Terms make no more of them, as they are some of the rows.
int rg_newton_form_joints(const rgProblem* problem) {
  int count = 0;
  Joint joint = {0};
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    if (is_equation(row->lower, row->upper))
      count += extend(&joint, row->body_a, row->body_b);
  }
  return count;
}

void rg_newton_form_carve(rgNewtonForm* form, const rgProblem* problem, int block_limit,
                          rgCarver* carver) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count,
         bodies = (size_t)problem->body_count, numbers = RG_TERM_MAX * contacts + rows;
  int joints = rg_newton_form_joints(problem), nodes = problem->body_count + joints;
  long long blocks = joints > 0
                         ? (1LL + JOINT_FILL) * block_limit + (long long)JOINT_BLOCKS * joints
                         : block_limit;
  memset(form, 0, sizeof *form);
  form->terms = rg_carve(carver, contacts + rows, sizeof(rgNewtonFormTerm));
  form->x = rg_carve(carver, numbers, sizeof(double));
  form->y = rg_carve(carver, numbers, sizeof(double));
  form->best = rg_carve(carver, numbers, sizeof(double));
  form->xi = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  form->change = rg_carve(carver, RG_BLOCK * (size_t)nodes, sizeof(double));
  form->row_start = rg_carve(carver, (size_t)nodes + 1, sizeof(int));
  form->column = rg_carve(carver, 2 * (contacts + rows + (size_t)joints), sizeof(int));
  form->sequence = rg_carve(carver, (size_t)nodes, sizeof(int));
  form->first_joint = rg_carve(carver, bodies, sizeof(int));
  form->next_joint = rg_carve(carver, 2 * (size_t)joints, sizeof(int));
  form->joint_body = rg_carve(carver, 2 * (size_t)joints, sizeof(int));
  rg_block_lu_carve(&form->lu, RG_BLOCK, nodes, (int)(blocks < INT_MAX ? blocks : INT_MAX), carver);
  if (joints == 0)
    rg_block_lu_carve_order(&form->lu, 2 * (int)(contacts + rows), carver);
}

void rg_newton_form_build(rgNewtonForm* form, rgNewtonModel* model) {
  form->model = model;
  form->count = 0;
  form->node_count = model->problem->body_count;
  Joint joint = {0};
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    rgNewtonFormTerm* own = &form->terms[i];
    memset(own, 0, sizeof *own);
    own->at = (int)form->count;
    form->count += (size_t)term->m;
    own->root = sqrt(term->mass);
    own->node = -1;
    if (term->row) {
      own->length = rg_row_length(model->problem, &model->problem->rows[term->source]);
      own->softness = term->compliance * term->mass;
    }
    if (term->row && is_equation(term->lower, term->upper)) {
      form->node_count += extend(&joint, term->body_a, term->body_b);
      own->node = form->node_count - 1;
      own->place = joint.size - 1;
    }
  }
}

// -------------------------------------------------------------------------------------------------
// Order of elimination
// -------------------------------------------------------------------------------------------------

// The edges of the graph that a term brings: between its bodies, or from a joint, whose first
// equation brings them, to its bodies. Returns how many.
static int edges_of(const rgNewtonForm* form, int index, int edges[2][2]) {
  const rgNewtonTerm* term = &form->model->terms[index];
  const rgNewtonFormTerm* own = &form->terms[index];
  int a = term->body_a, b = term->body_b, count = 0;
  if (own->node < 0) {
    edges[0][0] = a;
    edges[0][1] = b;
    return a >= 0 && b >= 0 && a != b ? 1 : 0;
  }
  for (int side = 0; side < 2 && own->place == 0; side++)
    if ((side == 0 ? a : b) >= 0) {
      edges[count][0] = own->node;
      edges[count++][1] = side == 0 ? a : b;
    }
  return count;
}

// Compressed rows of the graph of bodies and joints, each edge on both sides.
static void make_graph(rgNewtonForm* form) {
  int *start = form->row_start, *next = form->lu.node, edges[2][2]; // node is free as yet
  int count = form->node_count;
  memset(start, 0, ((size_t)count + 1) * sizeof(int));
  for (int i = 0; i < form->model->term_count; i++)
    for (int k = edges_of(form, i, edges); k > 0; k--) {
      start[edges[k - 1][0] + 1]++;
      start[edges[k - 1][1] + 1]++;
    }
  for (int i = 0; i < count; i++)
    start[i + 1] += start[i];
  memcpy(next, start, (size_t)count * sizeof(int));
  for (int i = 0; i < form->model->term_count; i++)
    for (int k = edges_of(form, i, edges); k > 0; k--) {
      int a = edges[k - 1][0], b = edges[k - 1][1];
      form->column[next[a]++] = b;
      form->column[next[b]++] = a;
    }
}

// The joints of each body, as lists: entry 2 * joint + side.
static void list_joints(rgNewtonForm* form) {
  const rgNewtonModel* model = form->model;
  int bodies = model->problem->body_count;
  for (int i = 0; i < bodies; i++)
    form->first_joint[i] = -1;
  for (int i = model->term_count - 1; i >= 0; i--) { // so that lists begin with the lowest
    const rgNewtonFormTerm* own = &form->terms[i];
    for (int side = 0; side < 2 && own->node >= 0 && own->place == 0; side++) {
      int body = side == 0 ? model->terms[i].body_a : model->terms[i].body_b,
          entry = 2 * (own->node - bodies) + side;
      form->joint_body[entry] = body;
      if (body < 0)
        continue;
      form->next_joint[entry] = form->first_joint[body];
      form->first_joint[body] = entry;
    }
  }
}

// Bodies in the order of the model's matrix, each followed by the joints whose pivots are regular
// from then on: its last one, if nothing else holds the body, or those with both bodies gone.
static void make_sequence(rgNewtonForm* form) {
  const rgNewtonModel* model = form->model;
  int bodies = model->problem->body_count, count = 0, *done = form->row_start; // by node
  list_joints(form);
  memset(done, 0, (size_t)form->node_count * sizeof(int));
  for (int k = 0; k < bodies; k++) {
    int body = model->matrix.node[k], left = 0;
    form->sequence[count++] = body;
    done[body] = true;
    for (int e = form->first_joint[body]; e >= 0; e = form->next_joint[e])
      left += !done[bodies + e / 2];
    bool last = left == 1 && rg_mass_root_is_regular(&model->root[body], LOCKED);
    for (int e = form->first_joint[body]; e >= 0; e = form->next_joint[e]) {
      int node = bodies + e / 2, other = form->joint_body[e ^ 1];
      if (done[node] || !(last || other < 0 || done[other]))
        continue;
      form->sequence[count++] = node;
      done[node] = true;
    }
  }
  for (int node = bodies; node < form->node_count; node++) // joints without bodies
    if (!done[node])
      form->sequence[count++] = node;
}

static void find_targets(rgNewtonForm* form) {
  const rgNewtonModel* model = form->model;
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    int a = term->body_a, b = term->body_b, node = form->terms[i].node;
    // rows and columns of the four blocks
    int row[4] = {a, b, a, b}, column[4] = {a, b, b, a};
    if (node >= 0) {
      row[0] = row[1] = column[2] = column[3] = node;
    }
    for (int k = 0; k < 4; k++)
      form->terms[i].target[k] =
          row[k] >= 0 && column[k] >= 0 ? rg_block_lu_at(&form->lu, row[k], column[k]) : NULL;
  }
}

bool rg_newton_form_order(rgNewtonForm* form) {
  int nodes = form->node_count;
  bool sought = form->lu.order.count_limit > 0, room; // where there are no joints
  if (!sought)
    make_sequence(form);
  make_graph(form);
  if (!sought)
    room = rg_block_lu_order_as(&form->lu, nodes, form->row_start, form->column, form->sequence);
  else
    room = rg_block_lu_order(&form->lu, nodes, form->row_start, form->column, 0);
  if (room)
    find_targets(form);
  return room;
}

// -------------------------------------------------------------------------------------------------
// Velocities and laws
// -------------------------------------------------------------------------------------------------

static double* impulse_of(const rgNewtonTerm* term, const rgSolution* solution, int k) {
  return term->row ? &solution->lambda[term->source]
                   : &solution->r[4 * (size_t)term->source + (size_t)term->component[k]];
}

void rg_newton_form_load(rgNewtonForm* form, const rgSolution* solution) {
  const rgNewtonModel* model = form->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      form->x[form->terms[i].at + k] = *impulse_of(&model->terms[i], solution, k) /
                                       (model->terms[i].axis[k] * form->terms[i].root);
}

void rg_newton_form_store(const rgNewtonForm* form, rgSolution* solution) {
  const rgNewtonModel* model = form->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      *impulse_of(&model->terms[i], solution, k) =
          model->terms[i].axis[k] * form->terms[i].root * form->x[form->terms[i].at + k];
}

// Loops over the components of a term with a number that the compiler knows, for most terms.
#define FOR_COMPONENTS(m, call)                                                                    \
  switch (m) {                                                                                     \
  case 1:                                                                                          \
    call(1);                                                                                       \
    break;                                                                                         \
  case 3:                                                                                          \
    call(3);                                                                                       \
    break;                                                                                         \
  default:                                                                                         \
    call(m);                                                                                       \
  }

static inline void add_side(double* out, const rgNewtonTerm* term, int side, double root,
                            const double* x, int m) {
  for (int k = 0; k < m; k++)
    for (int j = 0; j < RG_BLOCK; j++)
      out[j] += term->j[k][RG_BLOCK * side + j] * root * x[k];
}

void rg_newton_form_add_impulse(const rgNewtonForm* form, int index, const double* x, double* to) {
  const rgNewtonTerm* term = &form->model->terms[index];
  double root = form->terms[index].root;
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    if (body < 0)
      continue;
    double* out = to + RG_BLOCK * body;
#define ADD_SIDE(m) add_side(out, term, side, root, x, m)
    FOR_COMPONENTS(term->m, ADD_SIDE)
#undef ADD_SIDE
  }
}

static inline void project_side(const rgNewtonTerm* term, int side, double root, const double* from,
                                double* out, int m) {
  for (int k = 0; k < m; k++)
    for (int j = 0; j < RG_BLOCK; j++)
      out[k] += root * term->j[k][RG_BLOCK * side + j] * from[j];
}

void rg_newton_form_project(const rgNewtonForm* form, int index, const double* xi, double* out) {
  const rgNewtonTerm* term = &form->model->terms[index];
  double root = form->terms[index].root;
  for (int k = 0; k < term->m; k++)
    out[k] = 0;
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    if (body < 0)
      continue;
    const double* from = xi + RG_BLOCK * body;
#define PROJECT_SIDE(m) project_side(term, side, root, from, out, m)
    FOR_COMPONENTS(term->m, PROJECT_SIDE)
#undef PROJECT_SIDE
  }
}

void rg_newton_form_term_velocity(const rgNewtonForm* form, int index, const double* xi,
                                  const double* x, double* y) {
  const rgNewtonTerm* term = &form->model->terms[index];
  const rgNewtonFormTerm* own = &form->terms[index];
  rg_newton_form_project(form, index, xi, y);
  for (int k = 0; k < term->m; k++)
    y[k] += own->root * term->free[k] + own->softness * x[k];
}

void rg_newton_form_velocity(rgNewtonForm* form, const double* x, double* y) {
  const rgNewtonModel* model = form->model;
  memset(form->xi, 0, RG_BLOCK * (size_t)model->problem->body_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    rg_newton_form_add_impulse(form, i, x + form->terms[i].at, form->xi);
  for (int i = 0; i < model->term_count; i++) {
    int at = form->terms[i].at;
    rg_newton_form_term_velocity(form, i, form->xi, x + at, y + at);
  }
}

double rg_newton_form_clamp(const rgNewtonForm* form, int index, double x) {
  const rgNewtonTerm* term = &form->model->terms[index];
  double root = form->terms[index].root, lower = term->lower / root, upper = term->upper / root;
  return x < lower ? lower : x > upper ? upper : x;
}

static double missed_of(const rgNewtonForm* form, int index, const double* x, const double* y) {
  const rgNewtonTerm* term = &form->model->terms[index];
  const rgNewtonFormTerm* own = &form->terms[index];
  if (term->row)
    return fabs(x[0] - rg_newton_form_clamp(form, index, x[0] - y[0])) * own->length / own->root;
  double z[RG_TERM_MAX], slide2 = 0, missed2 = 0;
  for (int k = 1; k < term->m; k++)
    slide2 += y[k] * y[k];
  for (int k = 0; k < term->m; k++)
    z[k] = x[k] - y[k];
  z[0] -= term->mu * sqrt(slide2);
  rg_cone_project_circular(z, term->m - 1, term->mu);
  for (int k = 0; k < term->m; k++)
    missed2 += (x[k] - z[k]) * (x[k] - z[k]);
  return sqrt(missed2) / own->root;
}

double rg_newton_form_measure(const rgNewtonForm* form, const double* x, const double* y) {
  double worst = 0;
  for (int i = 0; i < form->model->term_count; i++) {
    double missed = missed_of(form, i, x + form->terms[i].at, y + form->terms[i].at);
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Linear system
// -------------------------------------------------------------------------------------------------

void rg_newton_form_clear(rgNewtonForm* form) {
  rg_block_lu_clear(&form->lu);
  for (int i = 0; i < form->node_count; i++) {
    double* block = rg_block_lu_at(&form->lu, i, i);
    for (int k = 0; k < RG_BLOCK; k++)
      block[k * (RG_BLOCK + 1)] = 1;
  }
  rg_newton_form_clear_change(form);
}

void rg_newton_form_clear_change(rgNewtonForm* form) {
  memset(form->change, 0, RG_BLOCK * (size_t)form->node_count * sizeof(double));
}

// out += mass J_left' B J_right, with mass B J of both bodies in bj.
static inline void add_block(double* out, const rgNewtonTerm* term,
                             const double (*bj)[2 * RG_BLOCK], int left, int right, int m) {
  if (!out)
    return;
  for (int row = 0; row < RG_BLOCK; row++)
    for (int j = 0; j < RG_BLOCK; j++) {
      double sum = out[row * RG_BLOCK + j];
      for (int i = 0; i < m; i++)
        sum += term->j[i][left + row] * bj[i][right + j];
      out[row * RG_BLOCK + j] = sum;
    }
}

static inline void add_blocks(const rgNewtonTerm* term, const rgNewtonFormTerm* own, int m) {
  double bj[RG_TERM_MAX][2 * RG_BLOCK];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 2 * RG_BLOCK; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++)
        sum += own->slope[i][k] * term->j[k][j];
      bj[i][j] = term->mass * sum;
    }
  const double(*known)[2 * RG_BLOCK] = (const double(*)[2 * RG_BLOCK]) bj;
  add_block(own->target[0], term, known, 0, 0, m);
  add_block(own->target[1], term, known, RG_BLOCK, RG_BLOCK, m);
  add_block(own->target[2], term, known, 0, RG_BLOCK, m);
  add_block(own->target[3], term, known, RG_BLOCK, 0, m);
}

static void add_equation(rgNewtonForm* form, const rgNewtonTerm* term,
                         const rgNewtonFormTerm* own) {
  int row = own->place * RG_BLOCK;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < RG_BLOCK && own->target[side]; k++) {
      double g = own->root * term->j[0][RG_BLOCK * side + k];
      own->target[side][row + k] += g;
      own->target[2 + side][k * RG_BLOCK + own->place] -= g;
    }
  rg_block_lu_at(&form->lu, own->node, own->node)[row + own->place] = own->softness + EQUATION;
}

void rg_newton_form_add_slope(rgNewtonForm* form, int index) {
  const rgNewtonTerm* term = &form->model->terms[index];
  const rgNewtonFormTerm* own = &form->terms[index];
  if (own->node >= 0) {
    add_equation(form, term, own);
    return;
  }
#define ADD_BLOCKS(m) add_blocks(term, own, m)
  FOR_COMPONENTS(term->m, ADD_BLOCKS)
#undef ADD_BLOCKS
}

bool rg_newton_form_invert(double a[RG_TERM_MAX][RG_TERM_MAX], int m,
                           double out[RG_TERM_MAX][RG_TERM_MAX]) {
  memset(out, 0, RG_TERM_MAX * sizeof *out);
  for (int i = 0; i < m; i++)
    out[i][i] = 1;
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    if (a[best][k] == 0)
      return false;
    for (int j = 0; j < m && best != k; j++) {
      double keep = a[k][j], other = out[k][j];
      a[k][j] = a[best][j];
      a[best][j] = keep;
      out[k][j] = out[best][j];
      out[best][j] = other;
    }
    double pivot = 1 / a[k][k];
    for (int j = 0; j < m; j++) {
      a[k][j] *= pivot;
      out[k][j] *= pivot;
    }
    for (int i = 0; i < m; i++) {
      double factor = a[i][k];
      for (int j = 0; j < m && i != k; j++) {
        a[i][j] -= factor * a[k][j];
        out[i][j] -= factor * out[k][j];
      }
    }
  }
  return true;
}
