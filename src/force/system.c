// system.c - a force on several bodies, by the caller's function of time and of the state of all.
//
// A stiff one is integrated implicitly (Cline 2002, eq. 2.50-2.55): with the gradients K = -df/dp and
// D = -df/dv, which couple all bodies, of 6 n x 6 n numbers by central differences,
//
//     (M + h^2 K + h D) v+ = M v + h f + h D v.
//
// Rows of a problem are about two bodies at most, so K and D are written as sums of such terms. Of a pair
// i, j the block K_ij, with its parts a, b, c, d of translation and rotation, is taken as that of a force
// between the two that does not change when both are moved alike: in the relative translation
// rho = v_j - v_i and the spins of both it is the form
//
//     rho' S rho + 2 rho' (c' w_i - b w_j),      S = -a,
//
// completed in the spins by what elimination of rho needs; what d has beyond that resists the relative
// rotation. What the blocks on the diagonal have beyond the pairs holds a body to the ground. Elimination
// with pivots writes each as a sum of k l l', and keeps what is positive (gradient.c). For springs and
// dampers between points of bodies, or of bodies and the ground, the sums K~ and D~ are K and D. For others,
// such as a bending stiffness of three bodies, they are more. The step is
//
//     (M + h^2 K~ + h D~) v+ = M v + h f + h D~ v + h^2 (K~ - K) v,
//
// eq. 2.51 with the rest of the gradient at the velocity of the start. Of a linear force that is
//
//     (M + h^2 (K~ - K) + h (D~ - D)) (v+ - v) = h f(p + h v+, v+),
//
// the implicit step of Euler with a larger mass: of first order, and stable. K in K~ - K is the positive part
// of the gradient, and of the difference the positive part is taken: what is negative in a gradient, as that of a
// compressed spring across its length, stays in the explicit force.
//
// Costs 24 n + 1 calls of the function per step.
#include "force/force.h"

#include <string.h>

enum { SIZE = 6 * RG_FORCE_BODIES_MAX };

typedef double Matrix[SIZE][SIZE];

// The terms are more than the gradient where they differ by this part of it. Less is what springs under load
// leave: which part of a gradient is positive depends on the order of the elimination.
static const double EXCESS_PART = 0.01;

void rg_force_system_wrenches(const rgForceDef* def, const rgForceSystemView* view,
                              rgWrench* wrenches) {
  rgPose poses[RG_FORCE_BODIES_MAX];
  rgTwist velocities[RG_FORCE_BODIES_MAX];
  for (int i = 0; i < view->count; i++) {
    poses[i] = view->sides[i].frame;
    velocities[i] = view->sides[i].velocity;
    wrenches[i] = (rgWrench){v3_zero(), v3_zero()};
  }
  def->system(view->time, view->count, poses, velocities, wrenches, def->context);
}

// One column of the negative gradient: axis 0 .. 5 of a body.
static void find_column(const rgForceDef* def, const rgForceSystemView* view, int body, int axis,
                        bool position, Matrix out) {
  rgWrench high[RG_FORCE_BODIES_MAX], low[RG_FORCE_BODIES_MAX];
  rgForceSystemView moved = *view;
  const rgForceSide* side = &view->sides[body];
  double step = rg_force_difference(side, axis, position, view->h);
  moved.sides[body] = rg_force_nudged(side, axis, step, position);
  rg_force_system_wrenches(def, &moved, high);
  moved.sides[body] = rg_force_nudged(side, axis, -step, position);
  rg_force_system_wrenches(def, &moved, low);
  for (int i = 0; i < view->count; i++)
    for (int k = 0; k < 3; k++) {
      double force = v3_get(low[i].force, k) - v3_get(high[i].force, k);
      double torque = v3_get(low[i].torque, k) - v3_get(high[i].torque, k);
      out[6 * i + k][6 * body + axis] = 0.5 / step * force;
      out[6 * i + k + 3][6 * body + axis] = 0.5 / step * torque;
    }
}

// -------------------------------------------------------------------------------------------------
// Terms
// -------------------------------------------------------------------------------------------------

typedef struct Terms {
  const rgForce* force;
  const rgForceSystemView* view;
  rgForceTerm* out;
  int count;
  bool position;
  Matrix full; // the gradient
  Matrix made; // the sum of the terms
} Terms;

static void spread(const rgTwist* g, double out[6]) {
  for (int k = 0; k < 3; k++) {
    out[k] = v3_get(g->linear, k);
    out[k + 3] = v3_get(g->angular, k);
  }
}

static void add_block(Terms* terms, int i, int j, double weight, const rgTwist* g_i,
                      const rgTwist* g_j) {
  double a[6], b[6];
  spread(g_i, a);
  spread(g_j, b);
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++)
      terms->made[6 * i + k][6 * j + l] += weight * a[k] * b[l];
}

// A term on body i and, where j >= 0, on j.
static void add_term(Terms* terms, int i, int j, double weight, rgTwist g_i, rgTwist g_j) {
  const rgForceSide* sides = terms->view->sides;
  rgForceTerm* term = &terms->out[terms->count++];
  *term = (rgForceTerm){.body_a = terms->force->bodies[i],
                        .body_b = j < 0 ? -1 : terms->force->bodies[j],
                        .g_a = g_i,
                        .g_b = g_j};
  add_block(terms, i, i, weight, &g_i, &g_i);
  if (j >= 0) {
    add_block(terms, i, j, weight, &g_i, &g_j);
    add_block(terms, j, i, weight, &g_j, &g_i);
    add_block(terms, j, j, weight, &g_j, &g_j);
  }
  if (terms->position) {
    term->stiffness = weight;
    return;
  }
  term->damping = weight;
  // the force already contains what the damper does at the current velocity
  term->rate = twist_dot(g_i, sides[i].velocity) + (j < 0 ? 0 : twist_dot(g_j, sides[j].velocity));
}

static rgTwist twist_of(const double row[6]) {
  return (rgTwist){v3(row[0], row[1], row[2]), v3(row[3], row[4], row[5])};
}

// The block of a pair, from the mean of it and of its transpose.
static void pair_block(const Terms* terms, int i, int j, double out[6][6]) {
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++)
      out[k][l] = 0.5 * (terms->full[6 * i + k][6 * j + l] + terms->full[6 * j + l][6 * i + k]);
}

// Entries of the bodies themselves, by which rounding of the differences is judged.
static double own_size(const Terms* terms, int i, int j, int k) {
  return fmin(fabs(terms->full[6 * i + k][6 * i + k]), fabs(terms->full[6 * j + k][6 * j + k]));
}

// The form of a pair: three rows of rho with the columns of rho, w_i and w_j.
enum { RHO = 0, SPIN_I = 3, SPIN_J = 6, COLUMNS = 9 };

static void make_form(double block[6][6], double form[3][COLUMNS]) {
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) {
      form[k][RHO + l] = -0.5 * (block[k][l] + block[l][k]);
      form[k][SPIN_I + l] = block[l + 3][k];
      form[k][SPIN_J + l] = -block[k][l + 3];
    }
}

// Terms against relative translation. What they say of the spins is taken out of d in the block.
static void split_translation(Terms* terms, int i, int j, double block[6][6]) {
  double form[3][COLUMNS], sizes[3];
  bool used[3] = {false};
  make_form(block, form);
  for (int k = 0; k < 3; k++)
    sizes[k] = fmax(fabs(form[k][k]), own_size(terms, i, j, k));
  for (int p = rg_force_pivot(3, &form[0][0], COLUMNS, sizes, used); p >= 0;
       p = rg_force_pivot(3, &form[0][0], COLUMNS, sizes, used)) {
    double pivot = form[p][p], row[COLUMNS];
    used[p] = true;
    for (int c = 0; c < COLUMNS; c++)
      row[c] = form[p][c] / pivot;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < COLUMNS; c++)
        form[r][c] -= pivot * row[r] * row[c];
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        block[k + 3][l + 3] -= pivot * row[SPIN_I + k] * row[SPIN_J + l];
    rgVec3 along = v3(row[0], row[1], row[2]);
    add_term(terms, i, j, pivot,
             (rgTwist){v3_neg(along), v3(row[SPIN_I], row[SPIN_I + 1], row[SPIN_I + 2])},
             (rgTwist){along, v3(row[SPIN_J], row[SPIN_J + 1], row[SPIN_J + 2])});
  }
}

static void split_pair(Terms* terms, int i, int j) {
  double block[6][6], turn[6][6] = {{0}}, sizes[6] = {0}, rows[6][6], weights[6];
  pair_block(terms, i, j, block);
  split_translation(terms, i, j, block);
  for (int k = 3; k < 6; k++) {
    sizes[k] = own_size(terms, i, j, k);
    for (int l = 3; l < 6; l++)
      turn[k][l] = -0.5 * (block[k][l] + block[l][k]);
  }
  int count = rg_force_split(turn, sizes, rows, weights);
  for (int k = 0; k < count; k++) {
    rgTwist on_j = twist_of(rows[k]);
    add_term(terms, i, j, weights[k], (rgTwist){v3_zero(), v3_neg(on_j.angular)}, on_j);
  }
}

// How the wrench on body i changes when all bodies are translated: nothing, unless it is held to the ground.
static double held(const Terms* terms, int r, int column) {
  double sum = 0;
  for (int j = 0; j < terms->view->count; j++)
    sum += terms->full[r][6 * j + column];
  return sum;
}

// What holds a body to the ground, as a matrix. Rounding is nothing: it would give momentum to bodies that only
// act on each other.
static void own_stiffness(const Terms* terms, int i, const double sizes[6], double out[6][6]) {
  for (int k = 0; k < 6; k++)
    for (int l = 0; l < 6; l++) {
      int r = 6 * i + k, c = 6 * i + l;
      double turn = 0.5 * (terms->full[r][c] + terms->full[c][r]) - terms->made[r][c];
      double entry = k < 3 && l < 3 ? 0.5 * (held(terms, r, l) + held(terms, c, k))
                     : l < 3        ? held(terms, r, l)
                     : k < 3        ? held(terms, c, k)
                                    : turn;
      out[k][l] = rg_force_is_rounding(entry, sqrt(sizes[k] * sizes[l])) ? 0 : entry;
    }
}

static void split_own(Terms* terms, int i) {
  double rest[6][6], sizes[6], rows[6][6], weights[6];
  for (int k = 0; k < 6; k++)
    sizes[k] = fmax(fabs(terms->full[6 * i + k][6 * i + k]), terms->made[6 * i + k][6 * i + k]);
  own_stiffness(terms, i, sizes, rest);
  int count = rg_force_split(rest, sizes, rows, weights);
  for (int k = 0; k < count; k++)
    add_term(terms, i, -1, weights[k], twist_of(rows[k]), (rgTwist){v3_zero(), v3_zero()});
}

static void spread_all(const rgWrench* wrenches, int count, double* out) {
  for (int i = 0; i < count; i++) {
    rgTwist as_twist = {wrenches[i].force, wrenches[i].torque};
    spread(&as_twist, &out[6 * i]);
  }
}

// Replaces a symmetric matrix by the sum of its positive pivots above this part of `sizes`.
static void keep_positive(Matrix a, int size, const double* sizes, double least) {
  Matrix sum;
  bool used[SIZE] = {false};
  memset(sum, 0, sizeof sum);
  for (int p; (p = rg_force_pivot(size, &a[0][0], SIZE, sizes, used)) >= 0;) {
    double pivot = a[p][p], row[SIZE];
    if (pivot <= least * sizes[p]) // the largest of all that are left
      break;
    used[p] = true;
    for (int c = 0; c < size; c++)
      row[c] = a[p][c] / pivot;
    for (int r = 0; r < size; r++)
      for (int c = 0; c < size; c++) {
        double part = pivot * row[r] * row[c];
        a[r][c] -= part;
        sum[r][c] += part;
      }
  }
  memcpy(a, sum, sizeof sum);
}

// What the terms are more than the positive part of the gradient.
static void find_excess(const Terms* terms, Matrix out) {
  int size = 6 * terms->view->count;
  double sizes[SIZE];
  for (int r = 0; r < size; r++) {
    sizes[r] = fmax(fabs(terms->full[r][r]), terms->made[r][r]);
    for (int c = 0; c < size; c++)
      out[r][c] = 0.5 * (terms->full[r][c] + terms->full[c][r]);
  }
  keep_positive(out, size, sizes, 0);
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++)
      out[r][c] = terms->made[r][c] - out[r][c];
  keep_positive(out, size, sizes, EXCESS_PART);
}

// Adds `weight` (K~ - K) v.
static void add_rest(const Terms* terms, double weight, rgWrench* wrenches) {
  int size = 6 * terms->view->count;
  double v[SIZE], sum[SIZE];
  Matrix excess;
  find_excess(terms, excess);
  for (int i = 0; i < terms->view->count; i++)
    spread(&terms->view->sides[i].velocity, &v[6 * i]);
  for (int r = 0; r < size; r++) {
    sum[r] = 0;
    for (int c = 0; c < size; c++)
      sum[r] += weight * excess[r][c] * v[c];
  }
  for (int i = 0; i < terms->view->count; i++) {
    rgTwist added = twist_of(&sum[6 * i]);
    wrenches[i].force = v3_add(wrenches[i].force, added.linear);
    wrenches[i].torque = v3_add(wrenches[i].torque, added.angular);
  }
}

// The displacement x from which the terms pull with a force, -K~ x, as far as they can. Eliminates in a copy of
// K~; what has no pivot stays at zero.
static void find_displacement(const Terms* terms, const double* force, double* x) {
  int size = 6 * terms->view->count, order[SIZE], count = 0;
  double a[SIZE][SIZE], b[SIZE], sizes[SIZE];
  bool used[SIZE] = {false};
  for (int r = 0; r < size; r++) {
    memcpy(a[r], terms->made[r], sizeof a[r]);
    b[r] = -force[r];
    sizes[r] = a[r][r];
    x[r] = 0;
  }
  for (int p; (p = rg_force_pivot(size, &a[0][0], SIZE, sizes, used)) >= 0;) {
    used[p] = true;
    order[count++] = p;
    for (int r = 0; r < size; r++) {
      double factor = used[r] ? 0 : a[r][p] / a[p][p];
      for (int c = 0; c < size && factor != 0; c++)
        a[r][c] -= factor * a[p][c];
      b[r] -= factor * b[p];
    }
  }
  while (count-- > 0) {
    int p = order[count];
    double sum = b[p];
    for (int c = 0; c < size; c++)
      sum -= c == p ? 0 : a[p][c] * x[c];
    x[p] = sum / a[p][p];
  }
}

static double along(const rgForce* force, const rgForceTerm* term, const double* x) {
  double sum = 0;
  for (int i = 0; i < force->body_count; i++) {
    rgTwist at = twist_of(&x[6 * i]);
    sum += force->bodies[i] == term->body_a ? twist_dot(term->g_a, at) : 0;
    sum += force->bodies[i] == term->body_b ? twist_dot(term->g_b, at) : 0;
  }
  return sum;
}

// Moves the force into the terms from `first` on, as the stretch of springs or the rate of dampers; what they
// cannot carry stays. Left outside, a large force with its large torque would turn the bodies of the free
// motion far from where the rows are taken.
static void carry(Terms* terms, int first, rgWrench* wrenches) {
  int size = 6 * terms->view->count;
  double force[SIZE], x[SIZE];
  if (terms->count == first)
    return;
  spread_all(wrenches, terms->view->count, force);
  find_displacement(terms, force, x);
  for (int k = first; k < terms->count; k++) {
    rgForceTerm* term = &terms->out[k];
    double stretch = along(terms->force, term, x);
    if (terms->position)
      term->stretch = stretch;
    else
      term->rate -= stretch;
  }
  for (int r = 0; r < size; r++)
    for (int c = 0; c < size; c++)
      force[r] += terms->made[r][c] * x[c];
  for (int i = 0; i < terms->view->count; i++) {
    rgTwist left = twist_of(&force[6 * i]);
    wrenches[i] = (rgWrench){left.linear, left.angular};
  }
}

static void make_terms(Terms* terms, bool position) {
  int count = terms->view->count;
  terms->position = position;
  for (int r = 0; r < 6 * count; r++)
    for (int c = 0; c < 6 * count; c++)
      terms->made[r][c] = 0;
  for (int i = 0; i < count; i++)
    for (int axis = 0; axis < 6; axis++)
      find_column(&terms->force->def, terms->view, i, axis, position, terms->full);
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      split_pair(terms, i, j);
  for (int i = 0; i < count; i++)
    split_own(terms, i);
}

int rg_force_system_terms(const rgForce* force, const rgForceSystemView* view, double theta,
                          rgForceTerm* out, rgWrench* wrenches) {
  Terms terms = {.force = force, .view = view, .out = out};
  make_terms(&terms, true);
  add_rest(&terms, theta * view->h, wrenches);
  carry(&terms, 0, wrenches);
  int dampers = terms.count;
  make_terms(&terms, false);
  carry(&terms, dampers, wrenches);
  return terms.count;
}

int rg_force_term_room(const rgForce* force) {
  int n = force->body_count;
  if (n == 0)
    return rg_force_info(force->def.kind)->term_max;
  return force->def.stiff ? n * (n + 1) / 2 * RG_FORCE_TERM_MAX : 0;
}
