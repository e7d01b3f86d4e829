// equilibrium.c - see equilibrium.h.
#include "cli/stand/equilibrium.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-10; // a pivot below this, of a diagonal of ones, is rounding
static const double EXPENSIVE = 2e10;  // multiplications
enum { PASSES = 3 }; // of a projection: each takes out what rounding left of the one before

// --- columns -----------------------------------------------------------------------------------

bool cli_equilibrium_open(CliEquilibrium* e, int body_count, int columns) {
  size_t bodies = (size_t)body_count;
  *e = (CliEquilibrium){.body_count = body_count, .room = columns};
  e->columns = calloc((size_t)columns + 1, sizeof *e->columns);
  e->place = calloc(bodies + 1, sizeof *e->place);
  e->first = calloc(6 * bodies + 1, sizeof *e->first);
  e->start = calloc(6 * bodies + 2, sizeof *e->start);
  e->y = calloc(6 * bodies + 1, sizeof *e->y);
  return e->columns && e->place && e->first && e->start && e->y;
}

void cli_equilibrium_free(CliEquilibrium* e) {
  free(e->columns);
  free(e->place);
  free(e->first);
  free(e->start);
  free(e->y);
  free(e->factor);
  *e = (CliEquilibrium){0};
}

static void set_numbers(double* g, double sign, rgVec3 force, rgVec3 torque) {
  const double numbers[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  for (int k = 0; k < 6; ++k)
    g[k] = sign * numbers[k];
}

void cli_equilibrium_contact(CliEquilibrium* e, const rgProblemContact* contact, int index,
                             rgVec3 force, rgVec3 torque) {
  if (e->count == e->room)
    return;
  CliColumn* column = &e->columns[e->count++];
  *column = (CliColumn){index, force, torque, {contact->body_a, contact->body_b}, {{0}}};
  set_numbers(column->g[0], 1, force, rg_vec3_add(rg_vec3_cross(contact->arm_a, force), torque));
  set_numbers(column->g[1], -1, force, rg_vec3_add(rg_vec3_cross(contact->arm_b, force), torque));
}

void cli_equilibrium_row(CliEquilibrium* e, const rgProblemRow* row) {
  if (e->count == e->room)
    return;
  CliColumn* column = &e->columns[e->count++];
  *column = (CliColumn){.contact = -1, .body = {row->body_a, row->body_b}};
  set_numbers(column->g[0], 1, row->g_a.linear, row->g_a.angular);
  set_numbers(column->g[1], 1, row->g_b.linear, row->g_b.angular);
}

// --- order of elimination ------------------------------------------------------------------------

// Neighbours of bodies, compressed; a neighbour may come several times.
typedef struct Graph {
  int *start, *neighbour;
} Graph;

static bool make_graph(const CliEquilibrium* e, Graph* graph) {
  int bodies = e->body_count;
  graph->start = calloc((size_t)bodies + 2, sizeof *graph->start);
  graph->neighbour = malloc((2 * (size_t)e->count + 1) * sizeof *graph->neighbour);
  if (!graph->start || !graph->neighbour)
    return false;
  int* next = graph->start + 1; // while it is filled, next[i] is where the next one of body i goes
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < e->count; ++k) {
      const int* body = e->columns[k].body;
      for (int side = 0; side < 2 && body[0] >= 0 && body[1] >= 0 && body[0] != body[1]; ++side)
        if (pass == 0)
          graph->start[body[side] + 2]++;
        else
          graph->neighbour[next[body[side]]++] = body[1 - side];
    }
    for (int i = 1; pass == 0 && i <= bodies; ++i)
      next[i] += next[i - 1];
  }
  return true;
}

// Breadth-first from the bodies of fewest neighbours, then backwards.
static bool order_bodies(CliEquilibrium* e) {
  Graph graph = {0};
  int bodies = e->body_count, done = 0;
  int* queue = calloc((size_t)bodies + 1, sizeof *queue);
  bool made = make_graph(e, &graph) && queue;
  for (int i = 0; made && i < bodies; ++i)
    e->place[i] = -1;
  while (made && done < bodies) {
    int root = -1, least = 0;
    for (int i = 0; i < bodies; ++i) {
      int degree = graph.start[i + 1] - graph.start[i];
      if (e->place[i] < 0 && (root < 0 || degree < least))
        root = i, least = degree;
    }
    int head = done;
    queue[done] = root;
    e->place[root] = done++;
    for (; head < done; ++head)
      for (int k = graph.start[queue[head]]; k < graph.start[queue[head] + 1]; ++k)
        if (e->place[graph.neighbour[k]] < 0) {
          queue[done] = graph.neighbour[k];
          e->place[graph.neighbour[k]] = done++;
        }
  }
  for (int i = 0; made && i < bodies; ++i)
    e->place[i] = bodies - 1 - e->place[i];
  free(graph.start);
  free(graph.neighbour);
  free(queue);
  return made;
}

// --- the factor ----------------------------------------------------------------------------------

// Scales the rows of H so that those of H H' that are not zero have ones on the diagonal.
static void scale_rows(CliEquilibrium* e) {
  double* size = e->y;
  memset(size, 0, 6 * (size_t)e->body_count * sizeof *size);
  for (int pass = 0; pass < 2; ++pass)
    for (int c = 0; c < e->count; ++c)
      for (int side = 0; side < 2; ++side) {
        int body = e->columns[c].body[side];
        double* g = e->columns[c].g[side];
        for (int k = 0; k < 6 && body >= 0; ++k)
          if (pass == 0)
            size[6 * body + k] += g[k] * g[k];
          else if (g[k] != 0)
            g[k] /= sqrt(size[6 * body + k]);
      }
}

// The profile: each row begins where the first body begins that shares a column with its own.
static bool find_profile(CliEquilibrium* e) {
  double cost = 0;
  for (int i = 0; i < 6 * e->body_count; ++i)
    e->first[i] = i - i % 6;
  for (int c = 0; c < e->count; ++c) {
    const int* body = e->columns[c].body;
    if (body[0] < 0 || body[1] < 0)
      continue;
    int a = e->place[body[0]], b = e->place[body[1]], low = a < b ? a : b, high = a < b ? b : a;
    for (int k = 0; k < 6 && 6 * low < e->first[6 * high]; ++k)
      e->first[6 * high + 5 - k] = 6 * low;
  }
  for (int i = 0; i < 6 * e->body_count; ++i) {
    double wide = i - e->first[i] + 1;
    cost += 0.5 * wide * wide;
    e->start[i + 1] = e->start[i] + (size_t)wide;
  }
  if (cost > EXPENSIVE)
    return false;
  e->factor = calloc(e->start[6 * e->body_count] + 1, sizeof *e->factor);
  return e->factor != NULL;
}

// Row i of the factor, so that number j is at [j].
static double* row_of(const CliEquilibrium* e, int i) {
  return e->factor + e->start[i] - e->first[i];
}

static void add_columns(CliEquilibrium* e) {
  for (int c = 0; c < e->count; ++c) {
    const CliColumn* column = &e->columns[c];
    for (int s = 0; s < 4; ++s) {
      int a = column->body[s / 2], b = column->body[s % 2];
      for (int k = 0; k < 36 && a >= 0 && b >= 0; ++k) {
        int i = 6 * e->place[a] + k / 6, j = 6 * e->place[b] + k % 6;
        if (j <= i)
          row_of(e, i)[j] += column->g[s / 2][k / 6] * column->g[s % 2][k % 6];
      }
    }
  }
}

static double product(const double* a, const double* b, int from, int to) {
  double sum[4] = {0, 0, 0, 0};
  int k = from;
  for (; k + 4 <= to; k += 4)
    for (int l = 0; l < 4; ++l)
      sum[l] += a[k + l] * b[k + l];
  for (; k < to; ++k)
    sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static int larger(int a, int b) { return a > b ? a : b; }

bool cli_equilibrium_factor(CliEquilibrium* e) {
  if (!order_bodies(e))
    return false;
  scale_rows(e);
  if (!find_profile(e))
    return false;
  add_columns(e);
  for (int i = 0; i < 6 * e->body_count; ++i) {
    double* row = row_of(e, i);
    for (int j = e->first[i]; j < i; ++j) {
      const double* other = row_of(e, j);
      double sum = row[j] - product(row, other, larger(e->first[i], e->first[j]), j);
      row[j] = other[j] > 0 ? sum / other[j] : 0;
    }
    double pivot = row[i] - product(row, row, e->first[i], i);
    row[i] = pivot > DEPENDENT ? sqrt(pivot) : 0;
    e->rank += row[i] > 0;
  }
  return true;
}

static void solve(CliEquilibrium* e, double* y) {
  int count = 6 * e->body_count;
  for (int i = 0; i < count; ++i) {
    const double* row = row_of(e, i);
    y[i] = row[i] > 0 ? (y[i] - product(row, y, e->first[i], i)) / row[i] : 0;
  }
  for (int i = count - 1; i >= 0; --i) {
    const double* row = row_of(e, i);
    y[i] = row[i] > 0 ? y[i] / row[i] : 0;
    for (int j = e->first[i]; j < i; ++j)
      y[j] -= row[j] * y[i];
  }
}

void cli_equilibrium_project(CliEquilibrium* e, double* z) {
  for (int pass = 0; pass < PASSES; ++pass) {
    memset(e->y, 0, 6 * (size_t)e->body_count * sizeof *e->y);
    for (int c = 0; c < e->count; ++c)
      for (int k = 0; k < 12; ++k)
        if (e->columns[c].body[k / 6] >= 0)
          e->y[6 * e->place[e->columns[c].body[k / 6]] + k % 6] +=
              e->columns[c].g[k / 6][k % 6] * z[c];
    solve(e, e->y);
    for (int c = 0; c < e->count; ++c)
      for (int k = 0; k < 12; ++k)
        if (e->columns[c].body[k / 6] >= 0)
          z[c] -=
              e->columns[c].g[k / 6][k % 6] * e->y[6 * e->place[e->columns[c].body[k / 6]] + k % 6];
  }
}
