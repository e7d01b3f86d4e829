// meet_solve.c - the extreme and the nearest point of an intersection of convex functions.
//
// Problem. With phi(y) = pull/2 |y - x|^2 - d.y,   minimize phi(y) subject to f_i(y) <= 0.
// Conditions (Karush, Kuhn, Tucker): grad phi + sum l_i grad f_i = 0, l_i >= 0, l_i f_i = 0.
//
// Method. A primal-dual interior point (Boyd and Vandenberghe 2004, section 11.7) from a point well inside:
// with s_i = -f_i and mu = 0.1 of the mean of l_i s_i, or of the slope that is left, each step solves the 3 x 3 system
//   (pull + sum l_i H_i + sum l_i/s_i g_i g_i') dy = -(grad phi + mu sum g_i / s_i)
// and keeps s, l > 0. It ends in the middle of a flat part, not at its border. The last digits come from
// Newton's method on the conditions with the active i (l_i > s_i in lengths) as equations, taken when its
// point is in the set to rounding and not worse. Where d is all but the normal of a flat part, the force at
// its border is too small to be seen: what the active ones leave of the slope leads to the border, whose
// function is added. One that would pull is dropped.
//
// Certificate. By convexity f_i(z) >= f_i(y) + g_i.(z - y); so for all z of the set, with r = grad phi + sum l g,
//   phi(z) >= phi(y) - sum l_i s_i - |r| |z - y|.
//
// Tips, where a cone has no gradient: the method comes as near as rounding allows, and the tip itself is
// taken where it is in the set and not worse.
//
// Cost: some 15 steps, each one evaluation of all functions. Fails to be exact, with a gap that says so, where
// functions are flat to a high order at the solution. NaN of a user's function ends it with a NaN gap.
#include "shape/meet/meet.h"
#include "shape/smooth/eliminate.h"

enum {
  ITERATIONS = 80,
  HALVINGS = 40,
  LAST_DIGITS = 6,
  MORE_DIGITS = 12,
  ROUNDS = 4,
  ACTIVE_MAX = 3
};
// Part of the way to the boundary that a step goes; of the mean product that is aimed at.
static const double NEARLY = 0.99, CENTERING = 0.1;
// The products l_i s_i that are aimed at are not less than this part of what is left of the slope, over the
// extent. Otherwise y comes so close to a curved function, far from the solution, that steps along it end there.
static const double SLOPE_FIRST = 0.1;
// Of extent times the size of the gradient: gap at which the interior point is left.
static const double NARROW = 1e-13;
// Of the extent: rounding of a few operations.
static const double ROUNDING = 4e-16;
// Of the slope: what the chosen functions may leave; over the extent it is rounding of the height.
static const double UNCARRIED = 1e-14;
// Pivots below this part of the largest leave their unknown as it is.
static const double FREE = 1e-13;

typedef struct Point {
  rgVec3 y;
  int count;
  bool bent; // somewhere before
  double f[RG_MEET_PIECES_MAX], force[RG_MEET_PIECES_MAX];
  rgVec3 g[RG_MEET_PIECES_MAX];
  rgMat3 h[RG_MEET_PIECES_MAX];
} Point;

// False when a value is not a number, or not below zero.
static bool put_at(const rgMeet* meet, rgVec3 y, Point* p) {
  p->y = y;
  p->count = meet->piece_count;
  bool inside = true;
  for (int i = 0; i < p->count; i++) {
    p->f[i] = rg_meet_value(meet, i, y, &p->g[i], &p->h[i]);
    inside = inside && p->f[i] < 0;
  }
  return inside;
}

// Whether a user's function is above its tangent plane of p at q, and of q at p, as a convex one is.
static bool is_bent(const rgMeet* meet, const Point* p, const Point* q, double extent) {
  if (!meet->function)
    return false;
  rgVec3 d = v3_sub(q->y, p->y);
  double noise = RG_MEET_NOISE *
                 (fabs(p->f[0]) + fabs(q->f[0]) + (v3_norm(p->g[0]) + v3_norm(q->g[0])) * extent),
         change = q->f[0] - p->f[0];
  return change < v3_dot(p->g[0], d) - noise || change > v3_dot(q->g[0], d) + noise;
}

static rgVec3 slope_of(const rgMeetGoal* goal, rgVec3 y) {
  return v3_sub(v3_scale(v3_sub(y, goal->x), goal->pull), goal->d);
}

static double goal_at(const rgMeetGoal* goal, rgVec3 y) {
  return 0.5 * goal->pull * v3_norm2(v3_sub(y, goal->x)) - v3_dot(goal->d, y);
}

static rgVec3 residual_of(const rgMeetGoal* goal, const Point* p) {
  rgVec3 r = slope_of(goal, p->y);
  for (int i = 0; i < p->count; i++)
    r = v3_axpy(r, p->force[i], p->g[i]);
  return r;
}

static double product_of(const Point* p) {
  double sum = 0;
  for (int i = 0; i < p->count; i++)
    sum -= p->force[i] * p->f[i];
  return sum;
}

static void add_square(rgMat3* m, double s, rgVec3 g) {
  double a[3] = {g.x, g.y, g.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m->m[i][j] += s * a[i] * a[j];
}

// The step of y; symmetric and positive to rounding.
static rgVec3 step_of(const rgMeetGoal* goal, const Point* p, double mu) {
  rgMat3 m = m3_diag(goal->pull, goal->pull, goal->pull);
  rgVec3 right = v3_neg(slope_of(goal, p->y));
  for (int i = 0; i < p->count; i++) {
    rgMat3 h = m3_scale(&p->h[i], p->force[i]);
    m = m3_add(&m, &h);
    add_square(&m, -p->force[i] / p->f[i], p->g[i]);
    right = v3_axpy(right, mu / p->f[i], p->g[i]);
  }
  double matrix[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX], b[3] = {right.x, right.y, right.z}, x[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      matrix[i][j] = m.m[i][j];
  rg_eliminate(matrix, 3, b, 0, x);
  return v3(x[0], x[1], x[2]);
}

// How far the conditions of the step are from being met: Newton's direction makes it fall.
static double merit_of(const rgMeetGoal* goal, const Point* p, double mu, double extent) {
  double sum = v3_norm2(residual_of(goal, p)) * extent * extent;
  for (int i = 0; i < p->count; i++) {
    double miss = -p->force[i] * p->f[i] - mu;
    sum += miss * miss;
  }
  return sqrt(sum);
}

// One step; false when none goes on.
static bool advance(const rgMeet* meet, const rgMeetGoal* goal, double extent, Point* p,
                    Point* trial) {
  double left = SLOPE_FIRST * v3_norm(residual_of(goal, p)) * extent;
  double mu = fmax(CENTERING * product_of(p), left) / p->count, part = 1,
         change[RG_MEET_PIECES_MAX];
  rgVec3 step = step_of(goal, p, mu);
  if (!v3_finite(step))
    return false;
  for (int i = 0; i < p->count; i++) {
    change[i] = -p->force[i] - (mu + p->force[i] * v3_dot(p->g[i], step)) / p->f[i];
    if (change[i] < 0 && -NEARLY * p->force[i] / change[i] < part)
      part = -NEARLY * p->force[i] / change[i];
  }
  double before = merit_of(goal, p, mu, extent);
  for (int k = 0; k < HALVINGS; k++, part *= 0.5) {
    bool inside = put_at(meet, v3_axpy(p->y, part, step), trial);
    trial->bent = p->bent = p->bent || is_bent(meet, p, trial, extent);
    if (!inside)
      continue;
    for (int i = 0; i < p->count; i++)
      trial->force[i] = p->force[i] + part * change[i];
    if (merit_of(goal, trial, mu, extent) <= (1 - 0.01 * part) * before) {
      *p = *trial;
      return true;
    }
  }
  return false;
}

// --- The last digits -----------------------------------------------------------------------------

typedef struct Chosen {
  int count, piece[ACTIVE_MAX];
  double force[ACTIVE_MAX];
} Chosen;

// Those with a force larger than their distance, both as parts of the whole; the largest three.
static Chosen choose(const Point* p, double extent, double strength) {
  Chosen c = {.count = 0};
  for (int i = 0; i < p->count; i++) {
    double length = v3_norm(p->g[i]), force = p->force[i] * length / strength;
    if (!(force > -p->f[i] / (length * extent)))
      continue;
    int k = c.count < ACTIVE_MAX ? c.count++ : ACTIVE_MAX;
    for (; k > 0; k--) {
      double other = c.force[k - 1] * v3_norm(p->g[c.piece[k - 1]]) / strength;
      if (other >= force)
        break;
      if (k < ACTIVE_MAX)
        c.piece[k] = c.piece[k - 1], c.force[k] = c.force[k - 1];
    }
    if (k < ACTIVE_MAX)
      c.piece[k] = i, c.force[k] = p->force[i];
  }
  return c;
}

// One Newton step on grad phi + sum l g = 0, f = 0 of the chosen.
static rgVec3 newton(const rgMeet* meet, const rgMeetGoal* goal, rgVec3 y, Chosen* c) {
  double m[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX] = {{0}}, right[RG_ELIMINATE_MAX],
         x[RG_ELIMINATE_MAX];
  rgVec3 r = slope_of(goal, y);
  for (int k = 0; k < 3; k++)
    m[k][k] = goal->pull;
  for (int i = 0; i < c->count; i++) {
    rgVec3 g;
    rgMat3 h;
    right[3 + i] = -rg_meet_value(meet, c->piece[i], y, &g, &h);
    r = v3_axpy(r, c->force[i], g);
    for (int k = 0; k < 3; k++) {
      m[3 + i][k] = m[k][3 + i] = v3_get(g, k);
      for (int l = 0; l < 3; l++)
        m[k][l] += c->force[i] * h.m[k][l];
    }
  }
  for (int k = 0; k < 3; k++)
    right[k] = -v3_get(r, k);
  rg_eliminate(m, 3 + c->count, right, FREE, x);
  for (int i = 0; i < c->count; i++)
    c->force[i] += x[3 + i];
  return v3_add(y, v3(x[0], x[1], x[2]));
}

// Whether y is in the set, to rounding.
static bool is_in(const rgMeet* meet, rgVec3 y, double extent) {
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 g;
    rgMat3 h;
    double f = rg_meet_value(meet, i, y, &g, &h);
    if (!(f <= 8 * ROUNDING * extent * v3_norm(g)))
      return false;
  }
  return true;
}

// From beyond the last root Newton's method falls monotonously, since f is convex along the ray.
static double piece_exit(const rgMeet* meet, int i, rgVec3 x, rgVec3 d, double limit) {
  rgVec3 g;
  rgMat3 h;
  double t = limit;
  for (int k = 0; k < 100; k++) {
    double f = rg_meet_value(meet, i, v3_axpy(x, t, d), &g, &h), slope = v3_dot(g, d);
    if (!(f > 0) || !(slope > 0))
      return t;
    double next = t - f / slope;
    if (!(next < t) || !(next > 0))
      return next > 0 ? t : 0;
    t = next;
  }
  return t;
}

static void drop(Chosen* c, int at) {
  c->count--;
  for (int i = at; i < c->count; i++)
    c->piece[i] = c->piece[i + 1], c->force[i] = c->force[i + 1];
}

static bool is_chosen(const Chosen* c, int piece) {
  for (int i = 0; i < c->count; i++)
    if (c->piece[i] == piece)
      return true;
  return false;
}

// Where the slope r is not carried by the chosen: goes against it to the piece that stops this, and adds it.
// False when nothing is left to carry or to add.
static bool lean(const rgMeet* meet, const rgMeetGoal* goal, double extent, double strength,
                 rgVec3* y, Chosen* c) {
  rgVec3 r = slope_of(goal, *y), g;
  rgMat3 h;
  for (int i = 0; i < c->count; i++) {
    rg_meet_value(meet, c->piece[i], *y, &g, &h);
    r = v3_axpy(r, c->force[i], g);
  }
  double left = v3_norm(r), t = 4 * extent;
  if (!(left > UNCARRIED * strength) || c->count == ACTIVE_MAX)
    return false;
  int stop = -1;
  rgVec3 u = v3_scale(r, -1 / left);
  for (int i = 0; i < meet->piece_count; i++) {
    double own = is_chosen(c, i) ? t : piece_exit(meet, i, *y, u, t);
    if (own < t)
      t = own, stop = i;
  }
  if (stop < 0)
    return false;
  *y = v3_axpy(*y, t, u);
  rg_meet_value(meet, stop, *y, &g, &h);
  c->piece[c->count] = stop;
  c->force[c->count++] = left / v3_norm(g);
  return true;
}

static void refine(const rgMeet* meet, const rgMeetGoal* goal, const Point* p, double extent,
                   rgMeetBest* best) {
  double strength = v3_norm(slope_of(goal, p->y));
  strength = strength > 0 ? strength : 1;
  Chosen c = choose(p, extent, strength);
  rgVec3 y = p->y;
  bool pushing = c.count > 0;
  for (int round = 0; round < ROUNDS && c.count > 0; round++) {
    for (int i = 0; i < (round == 0 ? LAST_DIGITS : MORE_DIGITS); i++)
      y = newton(meet, goal, y, &c);
    int pulling = -1;
    for (int i = 0; i < c.count; i++)
      pulling = c.force[i] >= 0 ? pulling : i;
    pushing = pulling < 0 && v3_finite(y);
    if (!pushing && c.count > 1) {
      y = p->y;
      drop(&c, pulling >= 0 ? pulling : c.count - 1);
    } else if (!pushing || !lean(meet, goal, extent, strength, &y, &c)) {
      break;
    }
  }
  if (pushing && is_in(meet, y, extent) &&
      goal_at(goal, y) <= goal_at(goal, best->point) + ROUNDING * extent * strength)
    best->point = y;
}

static void try_tips(const rgMeet* meet, const rgMeetGoal* goal, double extent, rgMeetBest* best) {
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 tip;
    if (rg_meet_tip(meet, i, &tip) && goal_at(goal, tip) <= goal_at(goal, best->point) &&
        is_in(meet, tip, extent))
      best->point = tip;
  }
}

rgMeetBest rg_meet_solve(const rgMeet* meet, const rgMeetGoal* goal, double extent) {
  Point p, trial;
  rgMeetBest best = {meet->center, meet->center, (double)NAN, false};
  p.bent = false;
  if (!put_at(meet, meet->center, &p))
    return best;
  double strength = v3_norm(slope_of(goal, p.y));
  if (!(strength > 0))
    strength = goal->pull * extent;
  for (int i = 0; i < p.count; i++)
    p.force[i] = 0.1 * strength * extent / -p.f[i];
  double narrow = NARROW * extent * strength;
  for (int i = 0; i < ITERATIONS; i++)
    if ((product_of(&p) <= narrow && v3_norm(residual_of(goal, &p)) * extent <= narrow) ||
        !advance(meet, goal, extent, &p, &trial))
      break;
  best.point = best.inside = p.y;
  best.bent = p.bent;
  best.gap = product_of(&p) + 2 * extent * v3_norm(residual_of(goal, &p));
  refine(meet, goal, &p, extent, &best);
  try_tips(meet, goal, extent, &best);
  return best;
}

// --- A point inside ------------------------------------------------------------------------------

// Largest value, and its piece.
static double most_at(const rgMeet* meet, rgVec3 y, int* piece) {
  double most = -HUGE_VAL;
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 g;
    rgMat3 h;
    double f = rg_meet_value(meet, i, y, &g, &h);
    if (!(f <= most)) {
      most = f;
      *piece = i;
    }
  }
  return most;
}

// Newton's step for -sum log(t - f_i(y)) + weight |y - y0|^2 / 2 with respect to y, and the square of its
// decrement, twice what the step gains: near the middle alone it is below 1, however steep the functions are.
static rgVec3 level_step(const rgMeet* meet, rgVec3 y, double t, double size, double* decrement2) {
  double matrix[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX] = {{0}}, right[3] = {0, 0, 0}, x[3];
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 g;
    rgMat3 h;
    double s = t - rg_meet_value(meet, i, y, &g, &h);
    for (int k = 0; k < 3; k++) {
      right[k] -= v3_get(g, k) / s;
      for (int l = 0; l < 3; l++)
        matrix[k][l] += h.m[k][l] / s + v3_get(g, k) * v3_get(g, l) / (s * s);
    }
  }
  for (int k = 0; k < 3; k++)
    matrix[k][k] += 1e-6 / (size * size);
  const rgVec3 slope = v3(right[0], right[1], right[2]);
  rg_eliminate(matrix, 3, right, 0, x);
  *decrement2 = v3_dot(slope, v3(x[0], x[1], x[2]));
  return v3(x[0], x[1], x[2]);
}

// The barrier; infinite where a value is not below t.
static double level_barrier(const rgMeet* meet, rgVec3 y, double t) {
  double product = 1, sum = 0;
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 g;
    rgMat3 h;
    double s = t - rg_meet_value(meet, i, y, &g, &h);
    if (!(s > 0))
      return HUGE_VAL;
    int exponent;
    product *= frexp(s, &exponent);
    sum += exponent;
    product = frexp(product, &exponent);
    sum += exponent;
  }
  return -sum - 2 * (product - 1); // -log2 is monotonous in both: a bound is enough to compare
}

// Lowers t towards the largest value, with y kept in the middle of the level set.
bool rg_meet_find_center(rgMeet* meet, double size, double* most, int* piece) {
  rgVec3 y = meet->center;
  *piece = 0;
  *most = most_at(meet, y, piece);
  double t = *most + 0.1 * size;
  for (int i = 0; i < 60; i++) {
    for (int k = 0; k < 8; k++) {
      double decrement2;
      rgVec3 step = level_step(meet, y, t, size, &decrement2);
      double part = 1, now = level_barrier(meet, y, t);
      while (part > 1e-10 && !(level_barrier(meet, v3_axpy(y, part, step), t) < now))
        part *= 0.5;
      if (!(part > 1e-10) || !v3_finite(step))
        break;
      y = v3_axpy(y, part, step);
      if (v3_norm(step) <= 1e-3 * size && decrement2 <= 0.1)
        break;
    }
    double reached = most_at(meet, y, piece);
    if (!(reached < t) || !isfinite(reached))
      break;
    *most = reached;
    meet->center = y;
    if (t - reached <= 1e-9 * size || (i > 12 && reached < -1e-3 * size))
      break;
    t = reached + 0.5 * (t - reached);
  }
  return *most < -1e-9 * size;
}

// --- Rays ----------------------------------------------------------------------------------------

double rg_meet_exit(const rgMeet* meet, rgVec3 x, rgVec3 d, int without, int* piece) {
  rgVec3 wide = v3_sub(meet->box.upper, meet->box.lower);
  double t = 2 * v3_norm(wide) / v3_norm(d);
  for (int i = 0; i < meet->piece_count; i++) {
    double own = i == without ? t : piece_exit(meet, i, x, d, t);
    if (own < t) {
      t = own;
      *piece = i;
    }
  }
  return t;
}
