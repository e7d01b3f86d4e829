// elimination.c - sparse factorization of the rows of joints.
//
// Problem: the mixed complementarity problem of Cline 2002, eq. 2.40 with P = G M^-1 G' + C of the
// rows without bounds. They are always in the basis (2.7.2), so they are eliminated once before the
// pivoting (4.8.2): W - Q' P^-1 Q takes the place of W.
//
// Method: P = L D L', row by row along the elimination tree (Davis 2005). The order is a breadth
// first search over rows that share a body, reversed: on chains and trees of joints each row then
// only meets rows that already meet each other, and L has no fill. A pivot that is nothing but
// rounding belongs to a row that follows from those before it: it is dropped, its impulse is zero.
//
// Cost: linear in rows for chains and trees.
#include "solve/direct/elimination.h"

#include "problem/operator.h"

#include <math.h>
#include <string.h>

// A pivot below this part of its diagonal is rounding.
static const double redundant = 1e-12;

void rg_elimination_carve(rgElimination* elimination, int count, int body_count, rgCarver* carver) {
  size_t n = (size_t)count, below = n * (n > 0 ? n - 1 : 0) / 2;
  memset(elimination, 0, sizeof *elimination);
  elimination->count = count;
  elimination->directions = rg_carve(carver, n, sizeof(rgDirection));
  elimination->compliance = rg_carve(carver, n, sizeof(double));
  rg_incidence_carve(&elimination->on, body_count, count, carver);
  elimination->order = rg_carve(carver, n, sizeof(int));
  elimination->position = rg_carve(carver, n, sizeof(int));
  elimination->column_start = rg_carve(carver, n + 1, sizeof(int));
  elimination->column_count = rg_carve(carver, n, sizeof(int));
  elimination->parent = rg_carve(carver, n, sizeof(int));
  elimination->mark = rg_carve(carver, n, sizeof(int));
  elimination->stack = rg_carve(carver, 2 * n, sizeof(int));
  elimination->inverse_d = rg_carve(carver, n, sizeof(double));
  elimination->work = rg_carve(carver, n, sizeof(double));
  elimination->row = rg_carve(carver, below, sizeof(int));
  elimination->lower = rg_carve(carver, below, sizeof(double));
}

// Appends to the queue all rows on a body that are not in it.
static int enqueue_body(rgElimination* elimination, int body, int* queue, int end) {
  if (body < 0)
    return end;
  for (int k = elimination->on.start[body]; k < elimination->on.start[body + 1]; k++) {
    int row = elimination->on.entry[k] >> 1;
    if (elimination->mark[row])
      continue;
    elimination->mark[row] = 1;
    queue[end++] = row;
  }
  return end;
}

// Breadth first from `start`; returns the new end of the queue.
static int search(rgElimination* elimination, int start, int* queue, int end) {
  int next = end;
  elimination->mark[start] = 1;
  queue[end++] = start;
  for (; next < end; next++) {
    const rgDirection* direction = &elimination->directions[queue[next]];
    end = enqueue_body(elimination, direction->body_a, queue, end);
    end = enqueue_body(elimination, direction->body_b, queue, end);
  }
  return end;
}

static void find_order(rgElimination* elimination) {
  int n = elimination->count, end = 0, *queue = elimination->stack;
  memset(elimination->mark, 0, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++)
    if (!elimination->mark[i])
      end = search(elimination, i, queue, end);
  for (int k = 0; k < n; k++) {
    elimination->order[k] = queue[n - 1 - k];
    elimination->position[elimination->order[k]] = k;
  }
}

// Adds the couplings of the row at k with the earlier ones on one of its bodies to work, and
// pushes those rows that the elimination tree leads to. Without a problem: the pattern only.
static int gather_side(rgElimination* e, const rgProblem* problem, int k, int body, rgTwist g,
                       int top) {
  if (body < 0)
    return top;
  rgTwist h = problem ? rg_mass_response(problem, body, g) : g;
  int n = e->count;
  for (int s = e->on.start[body]; s < e->on.start[body + 1]; s++) {
    int row = e->on.entry[s] >> 1, i = e->position[row];
    if (i > k)
      continue;
    if (problem)
      e->work[i] +=
          rg_twist_dot(e->on.entry[s] & 1 ? e->directions[row].g_b : e->directions[row].g_a, h);
    int length = 0;
    for (; e->mark[i] != k; i = e->parent[i]) {
      if (e->parent[i] < 0)
        e->parent[i] = k;
      e->stack[n + length++] = i;
      e->mark[i] = k;
    }
    while (length > 0) // the path goes in front of those found earlier
      e->stack[--top] = e->stack[n + --length];
  }
  return top;
}

// The columns of row k of L are stack[top] .. stack[count - 1], each before those it leads to.
static int gather(rgElimination* e, const rgProblem* problem, int k) {
  const rgDirection* direction = &e->directions[e->order[k]];
  e->mark[k] = k;
  int top = gather_side(e, problem, k, direction->body_a, direction->g_a, e->count);
  return gather_side(e, problem, k, direction->body_b, direction->g_b, top);
}

static void lay_out(rgElimination* e) {
  int n = e->count;
  for (int k = 0; k < n; k++) {
    e->parent[k] = -1;
    e->mark[k] = -1;
    e->column_count[k] = 0;
  }
  for (int k = 0; k < n; k++)
    for (int top = gather(e, NULL, k); top < n; top++)
      e->column_count[e->stack[top]]++;
  e->column_start[0] = 0;
  for (int k = 0; k < n; k++) {
    e->column_start[k + 1] = e->column_start[k] + e->column_count[k];
    e->column_count[k] = 0;
    e->mark[k] = -1;
  }
}

void rg_elimination_factor(rgElimination* e, const rgProblem* problem) {
  int n = e->count;
  rg_incidence_build(&e->on, problem->body_count, e->directions, n);
  find_order(e);
  lay_out(e);
  memset(e->work, 0, (size_t)n * sizeof(double));
  e->dropped = 0;
  for (int k = 0; k < n; k++) {
    int top = gather(e, problem, k);
    double diagonal = e->work[k] + e->compliance[e->order[k]], pivot = diagonal;
    e->work[k] = 0;
    for (; top < n; top++) {
      int i = e->stack[top], end = e->column_start[i] + e->column_count[i];
      double y = e->work[i], l = y * e->inverse_d[i];
      e->work[i] = 0;
      for (int p = e->column_start[i]; p < end; p++)
        e->work[e->row[p]] -= e->lower[p] * y;
      pivot -= l * y;
      e->row[end] = k;
      e->lower[end] = l;
      e->column_count[i]++;
    }
    bool follows = !(pivot > redundant * diagonal);
    e->inverse_d[k] = follows ? 0 : 1 / pivot;
    e->dropped += follows;
  }
}

static void forward(rgElimination* e, double* x) {
  int n = e->count;
  for (int k = 0; k < n; k++)
    e->work[k] = x[e->order[k]];
  for (int k = 0; k < n; k++) {
    double y = e->work[k];
    if (y != 0)
      for (int p = e->column_start[k]; p < e->column_start[k + 1]; p++)
        e->work[e->row[p]] -= e->lower[p] * y;
  }
}

void rg_elimination_half(rgElimination* e, double* x) {
  forward(e, x);
  for (int k = 0; k < e->count; k++) {
    x[k] = e->work[k] * sqrt(e->inverse_d[k]);
    e->work[k] = 0;
  }
}

void rg_elimination_solve(rgElimination* e, double* x) {
  forward(e, x);
  for (int k = e->count - 1; k >= 0; k--) {
    double y = e->work[k] * e->inverse_d[k];
    for (int p = e->column_start[k]; p < e->column_start[k + 1]; p++)
      y -= e->lower[p] * e->work[e->row[p]];
    e->work[k] = e->inverse_d[k] > 0 ? y : 0;
  }
  for (int k = 0; k < e->count; k++) {
    x[e->order[k]] = e->work[k];
    e->work[k] = 0;
  }
}
