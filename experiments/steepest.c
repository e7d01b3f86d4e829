// steepest.c - steepest legal descent as it is stated (Baraff and Mattikalli 1993, eq. 52).
//
// Problem: minimize -Q'd subject to J d >= 0 and |d|_M = 1. Where something moves the norm is 1 at the
// solution of the convex problem with |d|_M <= 1, which is solved here in the unknown d itself: no
// contact force and no acceleration is computed, so that the answer owes nothing to the other two
// formulations.
//
// Method: the barrier function t Q'd + sum log(J_i d) + log(1 - d'M d), maximized by Newton's method
// for t growing from 1 (Boyd, Vandenberghe 2004, section 11.3). At the end the rate is below its
// maximum by at most (contacts + 2) / t. The start, a direction that opens all contacts, is found in the
// same way: with a further unknown s, maximize s subject to J_i d - s >= 0. Where contacts leave no
// such direction the method does not apply.
#include "experiments/steepest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS = 6 * STEEPEST_BODIES + 1, NEWTON_STEPS = 200 };
static const double growth = 8;

typedef struct Barrier {
  int n, m;
  double j[ASSEMBLY_CONTACTS][UNKNOWNS]; // rows of J
  double q[UNKNOWNS];                    // gravity
  double mass[UNKNOWNS][UNKNOWNS];
  double t;
} Barrier;

static void fill_row(const Assembly* assembly, int index, double* row) {
  const rgProblemContact* contact = &assembly->contacts[index];
  for (int side = 0; side < 2; side++) {
    int body = side ? contact->body_b : contact->body_a;
    if (body < 0)
      continue;
    double sign = side ? -1 : 1;
    rgVec3 n = rg_vec3_scale(contact->n, sign),
           turn = rg_vec3_cross(side ? contact->arm_b : contact->arm_a, n);
    const double six[6] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++)
      row[6 * body + k] += six[k];
  }
}

static void fill(const Assembly* assembly, Barrier* b) {
  memset(b, 0, sizeof *b);
  b->n = 6 * assembly->problem.body_count;
  b->m = assembly->problem.contact_count;
  for (int i = 0; i < b->m; i++)
    fill_row(assembly, i, b->j[i]);
  for (int i = 0; i < assembly->problem.body_count; i++) {
    for (int k = 0; k < 3; k++) {
      b->mass[6 * i + k][6 * i + k] = assembly->masses[i];
      for (int l = 0; l < 3; l++)
        b->mass[6 * i + 3 + k][6 * i + 3 + l] = assembly->inertias[i].m[k][l];
    }
    b->q[6 * i + 2] = -assembly->masses[i] * assembly_gravity;
  }
}

static double dot(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

// -infinity outside.
static double value(const Barrier* b, const double* d) {
  double sum = b->t * dot(b->q, d, b->n), norm = 0;
  for (int i = 0; i < b->n; i++)
    norm += d[i] * dot(b->mass[i], d, b->n);
  if (!(norm < 1))
    return -HUGE_VAL;
  sum += log(1 - norm);
  for (int i = 0; i < b->m; i++) {
    double room = dot(b->j[i], d, b->n);
    if (!(room > 0))
      return -HUGE_VAL;
    sum += log(room);
  }
  return sum;
}

// Gradient g and minus the Hessian h at d.
static void derive(const Barrier* b, const double* d, double* g, double h[UNKNOWNS][UNKNOWNS]) {
  double md[UNKNOWNS], norm = 0;
  for (int i = 0; i < b->n; i++) {
    md[i] = dot(b->mass[i], d, b->n);
    norm += d[i] * md[i];
  }
  double room = 1 - norm;
  for (int i = 0; i < b->n; i++) {
    g[i] = b->t * b->q[i] - 2 * md[i] / room;
    for (int k = 0; k < b->n; k++)
      h[i][k] = 2 * b->mass[i][k] / room + 4 * md[i] * md[k] / (room * room);
  }
  for (int c = 0; c < b->m; c++) {
    double s = dot(b->j[c], d, b->n);
    for (int i = 0; i < b->n; i++) {
      if (b->j[c][i] == 0)
        continue;
      g[i] += b->j[c][i] / s;
      for (int k = 0; k < b->n; k++)
        h[i][k] += b->j[c][i] * b->j[c][k] / (s * s);
    }
  }
}

// x of h x = g by Cholesky; h is overwritten. False when it is not positive definite.
static bool solve(double h[UNKNOWNS][UNKNOWNS], int n, double* g) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double sum = h[i][k] - dot(h[i], h[k], k);
      if (i == k && !(sum > 0))
        return false;
      h[i][k] = i == k ? sqrt(sum) : sum / h[k][k];
    }
    g[i] = (g[i] - dot(h[i], g, i)) / h[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      g[i] -= h[k][i] * g[k];
    g[i] /= h[i][i];
  }
  return true;
}

// Newton's method for the present t; false when the Hessian is lost in rounding at the first step.
static bool center(Barrier* b, double* d, double h[UNKNOWNS][UNKNOWNS]) {
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double x[UNKNOWNS], g[UNKNOWNS], trial[UNKNOWNS];
    derive(b, d, g, h);
    memcpy(x, g, sizeof x);
    if (!solve(h, b->n, x))
      return step > 0;
    double decrement = dot(g, x, b->n), part = 1, now = value(b, d);
    if (!(decrement > 1e-6))
      return true;
    do {
      for (int i = 0; i < b->n; i++)
        trial[i] = d[i] + part * x[i];
      part *= 0.5;
    } while (!(value(b, trial) >= now + 0.1 * part * decrement) && part > 1e-12);
    if (part <= 1e-12)
      return true; // rounding
    memcpy(d, trial, sizeof trial);
  }
  return true; // as near as rounding allows: what is reached is judged by its rate
}

// A direction d that opens every contact by more than `least`. False when there is none.
static bool open_all(Barrier* b, double* d, double h[UNKNOWNS][UNKNOWNS]) {
  static const double least = 1e-4, largest_t = 1e7;
  Barrier* wider = malloc(sizeof *wider);
  if (!wider)
    return false;
  *wider = *b;
  int last = wider->n++;
  for (int i = 0; i < wider->m; i++)
    wider->j[i][last] = -1;
  memset(wider->q, 0, sizeof wider->q);
  wider->q[last] = 1;
  wider->mass[last][last] = 1;
  memset(d, 0, UNKNOWNS * sizeof *d);
  d[last] = -0.5;
  bool good = true;
  for (wider->t = 1; good && wider->t < largest_t && d[last] < least; wider->t *= growth)
    good = center(wider, d, h);
  good = good && d[last] >= least;
  d[last] = 0;
  free(wider);
  return good;
}

SteepestEnd steepest_descent(const Assembly* assembly, double* d) {
  static const double ends = 1e-9; // of the rate
  double x[UNKNOWNS];
  Barrier* b = malloc(sizeof *b);
  double(*h)[UNKNOWNS] = malloc(sizeof(double[UNKNOWNS][UNKNOWNS]));
  SteepestEnd end = STEEPEST_FAILED;
  if (b && h && assembly->problem.body_count <= STEEPEST_BODIES) {
    fill(assembly, b);
    end = open_all(b, x, h) ? STEEPEST_FOUND : STEEPEST_CLOSED;
    double rate = 1;
    for (b->t = 1; end == STEEPEST_FOUND && (b->m + 2) / b->t > ends * rate; b->t *= growth) {
      if (!center(b, x, h))
        end = STEEPEST_FAILED;
      rate = fmax(dot(b->q, x, b->n), 1e-6);
    }
    memcpy(d, x, (size_t)b->n * sizeof *d);
  }
  free(b);
  free(h);
  return end;
}
