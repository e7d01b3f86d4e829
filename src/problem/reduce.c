// reduce.c - the global form M v = f + H r, u = H' v + w without its velocities.
//
// Problem: W = H' M^-1 H and q = H' M^-1 f + w, for a sparse M that need not be symmetric.
//
// Method: M is nearly always block diagonal, a block per body. The connected parts of its pattern
// are found by union-find; each is gathered densely and factored by Gaussian elimination with row
// pivoting. A part with s unknowns that c contacts act on adds H_i' M^-1 H_j for its c^2 pairs of
// contacts.
//
// Cost: s^3 + s^2 d c + s d^2 c^2 per part. It fails when a part is singular, and is refused when a
// part is too large to be treated densely (finite elements).
#include "problem/matrices.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/message.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { PART_MAX = 4096 }; // unknowns in one part: its dense matrix takes 128 MiB

// A pivot smaller than this part of the largest entry of its row's part is taken for zero: M would
// have no correct digit left.
static const double pivot_tolerance = 1e-15;

typedef struct Parts {
  int count;
  int* part;      // of each unknown
  int* start;     // count + 1: unknowns by part
  int* unknown;   // in their order
  int* place;     // place of each unknown in its part
  int* m_start;   // count + 1: entries of M by part
  int* m_entry;   // in the order of the file
  int* h_start;   // entries of H by part
  int* h_entry;   //
  int largest;    // unknowns
  int* seen;      // per contact: 1 + its place among the contacts of the present part, or 0
  int* contact;   // of the present part
  double* matrix; // dense, row after row
  int* pivot;
} Parts;

// -------------------------------------------------------------------------------------------------
// Parts
// -------------------------------------------------------------------------------------------------

static void join(const rgTriplets* m, int* parent) {
  for (int i = 0; i < m->rows; i++)
    parent[i] = i;
  for (int k = 0; k < m->count; k++) {
    if (m->items[k].value == 0)
      continue;
    rg_forest_join(parent, m->items[k].row, m->items[k].column);
  }
}

// Sorts the entries of a matrix by the part of their row.
static void deal_out(const rgTriplets* entries, const Parts* parts, int* start, int* order) {
  memset(start, 0, ((size_t)parts->count + 1) * sizeof *start);
  for (int k = 0; k < entries->count; k++)
    start[parts->part[entries->items[k].row] + 1]++;
  for (int i = 0; i < parts->count; i++)
    start[i + 1] += start[i];
  for (int k = 0; k < entries->count; k++)
    order[start[parts->part[entries->items[k].row]]++] = k;
  memmove(start + 1, start, (size_t)parts->count * sizeof *start);
  start[0] = 0;
}

static void number_parts(Parts* parts, int unknowns, int* parent) {
  for (int i = 0; i < unknowns; i++) { // a root is the lowest of its part
    int root = rg_forest_root(parent, i);
    parts->part[i] = root == i ? parts->count++ : parts->part[root];
    parts->place[i] = parts->start[parts->part[i] + 1]++;
  }
  for (int i = 0; i < parts->count; i++) {
    if (parts->start[i + 1] > parts->largest)
      parts->largest = parts->start[i + 1];
    parts->start[i + 1] += parts->start[i];
  }
  for (int i = 0; i < unknowns; i++)
    parts->unknown[parts->start[parts->part[i]] + parts->place[i]] = i;
}

static rgStatus find_parts(const rgProblemData* data, const char* name, rgPool* pool, Parts* parts,
                           rgMessage* message) {
  *parts = (Parts){0};
  const rgTriplets *m = &data->matrix, *h = &data->h;
  size_t n = (size_t)m->rows;
  int* parent = rg_pool_take(pool, n, sizeof *parent);
  int** arrays[] = {&parts->part,    &parts->start,   &parts->unknown, &parts->place,
                    &parts->m_start, &parts->m_entry, &parts->h_start, &parts->h_entry,
                    &parts->seen,    &parts->contact, &parts->pivot};
  size_t contacts = (size_t)data->contact_count;
  size_t sizes[] = {n,        n + 1,    n, n, n + 1, (size_t)m->count, n + 1, (size_t)h->count,
                    contacts, contacts, n};
  bool enough = parent != NULL;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && enough; i++)
    enough = (*arrays[i] = rg_pool_take(pool, sizes[i], sizeof(int))) != NULL;
  if (enough) {
    join(m, parent);
    number_parts(parts, m->rows, parent);
    if (parts->largest > PART_MAX)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "%s: %d unknowns of M hang together, must be at most %d to be eliminated",
                     name, parts->largest, PART_MAX);
    deal_out(m, parts, parts->m_start, parts->m_entry);
    deal_out(h, parts, parts->h_start, parts->h_entry);
    size_t largest = (size_t)parts->largest;
    parts->matrix = rg_pool_take(pool, largest * largest, sizeof(double));
  }
  return parts->matrix ? RG_OK : rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
}

// -------------------------------------------------------------------------------------------------
// Elimination of one part
// -------------------------------------------------------------------------------------------------

static void swap_rows(double* a, int n, int i, int j) {
  for (int k = 0; k < n && i != j; k++) {
    double value = a[i * n + k];
    a[i * n + k] = a[j * n + k];
    a[j * n + k] = value;
  }
}

// L U = P M of part p; false when it is singular, with the unknown in *bad.
static bool factor(const rgTriplets* m, Parts* parts, int p, int* bad) {
  int n = parts->start[p + 1] - parts->start[p];
  double *a = parts->matrix, largest = 0;
  memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
  for (int k = parts->m_start[p]; k < parts->m_start[p + 1]; k++) {
    const rgTriplet* entry = &m->items[parts->m_entry[k]];
    if (entry->value != 0) // an explicit zero may lead out of the part
      a[parts->place[entry->row] * n + parts->place[entry->column]] += entry->value;
  }
  for (int i = 0; i < n * n; i++)
    largest = fmax(largest, fabs(a[i]));
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;
    parts->pivot[k] = best;
    if (!(fabs(a[best * n + k]) > pivot_tolerance * largest)) {
      *bad = parts->unknown[parts->start[p] + k];
      return false;
    }
    swap_rows(a, n, k, best);
    for (int i = k + 1; i < n; i++) {
      double factor_i = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor_i;
      for (int j = k + 1; j < n && factor_i != 0; j++)
        a[i * n + j] -= factor_i * a[k * n + j];
    }
  }
  return true;
}

// x = M^-1 x of the part that was factored last.
static void solve(const Parts* parts, int n, double* x) {
  const double* a = parts->matrix;
  for (int k = 0; k < n; k++) {
    double value = x[parts->pivot[k]];
    x[parts->pivot[k]] = x[k];
    x[k] = value;
  }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}

static rgStatus singular(const char* name, int unknown, rgMessage* message) {
  return rg_fail(message, RG_ERROR_INPUT, "%s: M is singular at row %d, must be invertible", name,
                 unknown);
}

// -------------------------------------------------------------------------------------------------
// W and q
// -------------------------------------------------------------------------------------------------

// Columns of H and of M^-1 H that one part has, each of n numbers; the last one is M^-1 f.
typedef struct Columns {
  double *h, *x;
  size_t capacity; // numbers
} Columns;

static bool reserve_columns(Columns* columns, const rgAllocator* allocator, size_t numbers) {
  if (numbers > columns->capacity) {
    rg_release(allocator, columns->h, 2 * columns->capacity * sizeof(double));
    columns->h = rg_allocate(allocator, 2 * numbers * sizeof(double));
    columns->capacity = columns->h ? numbers : 0;
  }
  columns->x = columns->h + columns->capacity;
  return columns->h != NULL;
}

// Numbers the contacts that act on part p; returns how many.
static int gather_contacts(const rgProblemData* data, Parts* parts, int p) {
  int count = 0;
  for (int k = parts->h_start[p]; k < parts->h_start[p + 1]; k++) {
    int contact = data->h.items[parts->h_entry[k]].column / data->dimension;
    if (!parts->seen[contact]) {
      parts->contact[count++] = contact;
      parts->seen[contact] = count;
    }
  }
  return count;
}

static void gather_columns(const rgProblemData* data, Parts* parts, int p, int n, int width,
                           Columns* columns) {
  memset(columns->h, 0, (size_t)n * (size_t)width * sizeof(double));
  for (int k = parts->h_start[p]; k < parts->h_start[p + 1]; k++) {
    const rgTriplet* entry = &data->h.items[parts->h_entry[k]];
    int contact = entry->column / data->dimension;
    int column = (parts->seen[contact] - 1) * data->dimension + entry->column % data->dimension;
    columns->h[column * n + parts->place[entry->row]] += entry->value;
  }
  memcpy(columns->x, columns->h, (size_t)n * (size_t)width * sizeof(double));
  for (int i = 0; i < n; i++)
    columns->x[width * n + i] = data->f[parts->unknown[parts->start[p] + i]];
}

static double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static bool add_part(const rgProblemData* data, Parts* parts, int n, int contacts,
                     const Columns* columns, const rgAllocator* allocator, rgTriplets* w,
                     double* q) {
  int d = data->dimension, width = contacts * d;
  bool enough = true;
  for (int i = 0; i < width && enough; i++) {
    int row = parts->contact[i / d] * d + i % d;
    q[row] += dot(columns->h + i * n, columns->x + width * n, n);
    for (int j = 0; j < width && enough; j++)
      enough = rg_triplets_add(w, allocator, row, parts->contact[j / d] * d + j % d,
                               dot(columns->h + i * n, columns->x + j * n, n));
  }
  for (int i = 0; i < contacts; i++)
    parts->seen[parts->contact[i]] = 0;
  return enough;
}

static rgStatus reduce_part(const rgProblemData* data, Parts* parts, int p, const char* name,
                            const rgAllocator* allocator, Columns* columns, rgTriplets* w,
                            double* q, rgMessage* message) {
  int n = parts->start[p + 1] - parts->start[p], bad = 0;
  int contacts = gather_contacts(data, parts, p), width = contacts * data->dimension;
  if (contacts == 0)
    return RG_OK;
  bool enough = (long long)n * (width + 1) <= INT_MAX &&
                reserve_columns(columns, allocator, (size_t)n * ((size_t)width + 1));
  if (enough && !factor(&data->matrix, parts, p, &bad))
    return singular(name, bad, message);
  if (enough) {
    gather_columns(data, parts, p, n, width, columns);
    for (int j = 0; j <= width; j++)
      solve(parts, n, columns->x + j * n);
    enough = add_part(data, parts, n, contacts, columns, allocator, w, q);
  }
  return enough ? RG_OK : rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
}

rgStatus rg_problem_reduce(const rgProblemData* data, const char* name,
                           const rgAllocator* allocator, rgTriplets* w, double* q,
                           rgMessage* message) {
  rgPool pool = {*allocator, NULL};
  Parts parts;
  Columns columns = {0};
  int size = data->dimension * data->contact_count;
  w->rows = w->columns = size;
  for (int i = 0; i < size; i++)
    q[i] = 0;
  rgStatus status = find_parts(data, name, &pool, &parts, message);
  for (int p = 0; p < parts.count && status == RG_OK; p++)
    status = reduce_part(data, &parts, p, name, allocator, &columns, w, q, message);
  for (int i = 0; i < size; i++)
    q[i] += data->q[i];
  rg_release(allocator, columns.h, 2 * columns.capacity * sizeof(double));
  rg_pool_free(&pool);
  return status;
}

rgStatus rg_problem_global_velocity(const rgProblemData* data, const char* name,
                                    const rgAllocator* allocator, const double* r, double* v,
                                    rgMessage* message) {
  rgPool pool = {*allocator, NULL};
  Parts parts;
  rgStatus status = find_parts(data, name, &pool, &parts, message);
  double* x = rg_pool_take(&pool, (size_t)parts.largest, sizeof *x);
  if (status == RG_OK && !x)
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  if (status == RG_OK)
    memcpy(v, data->f, (size_t)data->matrix.rows * sizeof *v);
  for (int k = 0; k < data->h.count && status == RG_OK; k++)
    v[data->h.items[k].row] += data->h.items[k].value * r[data->h.items[k].column];
  for (int p = 0; p < parts.count && status == RG_OK; p++) {
    int n = parts.start[p + 1] - parts.start[p], bad = 0;
    const int* unknown = parts.unknown + parts.start[p];
    if (!factor(&data->matrix, &parts, p, &bad))
      status = singular(name, bad, message);
    for (int i = 0; i < n; i++)
      x[i] = v[unknown[i]];
    if (status == RG_OK)
      solve(&parts, n, x);
    for (int i = 0; i < n; i++)
      v[unknown[i]] = x[i];
  }
  rg_pool_free(&pool);
  return status;
}
