// matrices.c - from sparse matrices to the block rows of the local form.
//
// Entries are dealt out to block rows (one counting sort), each block row finds its columns with a
// marker per contact and sorts them. Cost: linear in the entries, but for the sort of a row's
// columns.
#include "problem/matrices.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "problem/storage.h"

#include <limits.h>
#include <string.h>

bool rg_triplets_add(rgTriplets* triplets, const rgAllocator* allocator, int row, int column,
                     double value) {
  void* items = triplets->items;
  if (triplets->count == INT_MAX || !rg_reserve(allocator, &items, &triplets->capacity,
                                                triplets->count + 1, sizeof *triplets->items))
    return false;
  triplets->items = items;
  triplets->items[triplets->count++] = (rgTriplet){row, column, value};
  return true;
}

void rg_triplets_free(rgTriplets* triplets, const rgAllocator* allocator) {
  rg_release(allocator, triplets->items, (size_t)triplets->capacity * sizeof *triplets->items);
  *triplets = (rgTriplets){0};
}

// -------------------------------------------------------------------------------------------------
// Block rows
// -------------------------------------------------------------------------------------------------

typedef struct Rows {
  int* start;  // contact_count + 1
  int* order;  // entries by block row
  int* seen;   // per contact: the row that used it last, plus 1
  int* column; // of one row
  int* place;  // per contact: its block in the present row
} Rows;

static bool deal_out(const rgTriplets* w, int block, int contacts, rgPool* pool, Rows* rows) {
  rows->start = rg_pool_take(pool, (size_t)contacts + 2, sizeof *rows->start);
  rows->order = rg_pool_take(pool, (size_t)w->count, sizeof *rows->order);
  rows->seen = rg_pool_take(pool, (size_t)contacts, sizeof *rows->seen);
  rows->column = rg_pool_take(pool, (size_t)contacts, sizeof *rows->column);
  rows->place = rg_pool_take(pool, (size_t)contacts, sizeof *rows->place);
  if (!rows->start || !rows->order || !rows->seen || !rows->column || !rows->place)
    return false;
  // counts stand two places ahead, so that they become starts while entries are dealt out
  for (int k = 0; k < w->count; k++)
    rows->start[w->items[k].row / block + 2]++;
  for (int i = 2; i <= contacts; i++)
    rows->start[i] += rows->start[i - 1];
  for (int k = 0; k < w->count; k++)
    rows->order[rows->start[w->items[k].row / block + 1]++] = k;
  return true;
}

// The block columns of a row in ascending order, its diagonal among them.
static int row_columns(const rgTriplets* w, int block, Rows* rows, int row) {
  int count = 0;
  rows->seen[row] = row + 1;
  rows->column[count++] = row;
  for (int k = rows->start[row]; k < rows->start[row + 1]; k++) {
    int column = w->items[rows->order[k]].column / block;
    if (rows->seen[column] != row + 1) {
      rows->seen[column] = row + 1;
      rows->column[count++] = column;
    }
  }
  rg_sort_ints(rows->column, count);
  return count;
}

bool rg_triplets_compress(const rgTriplets* triplets, rgPool* pool, rgCompressed* compressed) {
  Rows rows;
  int n = triplets->rows, used = 0;
  size_t most = (size_t)triplets->count + (size_t)n;
  compressed->start = rg_pool_take(pool, (size_t)n + 1, sizeof(int));
  compressed->column = rg_pool_take(pool, most, sizeof(int));
  compressed->value = rg_pool_take(pool, most, sizeof(double));
  if (!compressed->start || !compressed->column || !compressed->value ||
      !deal_out(triplets, 1, n, pool, &rows))
    return false;
  for (int i = 0; i < n; i++) {
    int count = row_columns(triplets, 1, &rows, i);
    for (int k = 0; k < count; k++, used++) {
      compressed->column[used] = rows.column[k];
      rows.place[rows.column[k]] = used;
    }
    compressed->start[i + 1] = used;
    for (int k = rows.start[i]; k < rows.start[i + 1]; k++) {
      const rgTriplet* entry = &triplets->items[rows.order[k]];
      double* value = &compressed->value[rows.place[entry->column]];
      *value = *value == 0 ? entry->value : *value + entry->value;
    }
  }
  return true;
}

static void fill_row(const rgTriplets* w, Rows* rows, int row, int block, const rgProblem* made) {
  const rgLocalMatrix* local = made->local;
  int* row_start = rg_mutable(local->row_start);
  int count = row_columns(w, block, rows, row), start = row_start[row];
  double* values = rg_mutable(local->values);
  int* columns = rg_mutable(local->column);
  for (int k = 0; k < count; k++) {
    columns[start + k] = rows->column[k];
    rows->place[rows->column[k]] = start + k;
  }
  row_start[row + 1] = start + count;
  size_t size = (size_t)(block * block);
  for (int k = rows->start[row]; k < rows->start[row + 1]; k++) {
    const rgTriplet* entry = &w->items[rows->order[k]];
    size_t at = (size_t)rows->place[entry->column / block] * size;
    at += (size_t)(entry->row % block * block + entry->column % block);
    values[at] = values[at] == 0 ? entry->value : values[at] + entry->value;
  }
}

static void set_contacts(const rgProblemData* data, const double* q, const rgProblem* made) {
  rgProblemContact* contacts = rg_mutable(made->contacts);
  for (int i = 0; i < data->contact_count; i++) {
    double mu = data->mu ? data->mu[i] : 0;
    contacts[i] = (rgProblemContact){.body_a = -1,
                                     .body_b = -1,
                                     .n = {1, 0, 0},
                                     .t = {0, 1, 0},
                                     .o = {0, 0, 1},
                                     .cone = mu > 0 ? RG_CONE_DISK : RG_CONE_FRICTIONLESS,
                                     .mu = mu,
                                     .e_t = 1,
                                     .e_o = 1};
    for (int k = 0; k < data->dimension; k++)
      contacts[i].bias[k] = q[(size_t)i * (size_t)data->dimension + (size_t)k];
  }
}

// The unknowns as rows, whose blocks have one number each.
static void set_rows(const rgProblemData* data, const double* q, const rgProblem* made) {
  rgProblemRow* rows = rg_mutable(made->rows);
  size_t* value_start = rg_mutable(made->local->value_start);
  double* length = rg_mutable(made->local->length);
  for (int i = 0; i < made->row_count; i++) {
    rows[i] = (rgProblemRow){
        .body_a = -1, .body_b = -1, .bias = q[i], .lower = data->lower[i], .upper = data->upper[i]};
    value_start[i] = (size_t)made->local->row_start[i];
    length[i] = 1;
  }
}

static rgStatus no_memory(const char* name, rgMessage* message) {
  return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
}

static rgStatus make_local(const rgProblemData* data, const rgTriplets* w, const double* q,
                           const char* name, const rgAllocator* allocator, rgProblem** problem,
                           rgMessage* message) {
  rgPool pool = {*allocator, NULL};
  Rows rows;
  int contacts = data->contact_count, block = data->dimension;
  rgProblem* made = NULL;
  long long blocks = 0;
  bool dealt = deal_out(w, block, contacts, &pool, &rows);
  for (int i = 0; dealt && i < contacts; i++)
    blocks += row_columns(w, block, &rows, i);
  if (dealt && blocks <= INT_MAX) {
    memset(rows.seen, 0, (size_t)contacts * sizeof *rows.seen);
    bool rows_only = data->lower != NULL;
    rgProblemSize size = {.contacts = rows_only ? 0 : contacts,
                          .rows = rows_only ? contacts : 0,
                          .block = block,
                          .blocks = (int)blocks,
                          .numbers = rows_only ? (size_t)blocks : 0};
    made = rg_problem_allocate(&size, allocator);
  }
  if (made) {
    made->dimension = block == 2 ? 2 : 3;
    for (int i = 0; i < contacts; i++)
      fill_row(w, &rows, i, block, made);
    if (data->lower)
      set_rows(data, q, made);
    else
      set_contacts(data, q, made);
  }
  rg_pool_free(&pool);
  return made ? rg_problem_accept(made, name, allocator, problem, message)
              : no_memory(name, message);
}

static void copy_entries(const rgTriplets* from, rgTriplets* to) {
  if (from->count > 0)
    memcpy(to->items + to->count, from->items, (size_t)from->count * sizeof *from->items);
  to->count += from->count;
}

bool rg_problem_bordered(const rgProblemData* data, rgPool* pool, rgProblemData* bordered) {
  *bordered = *data;
  int n = data->matrix.rows, p = data->g.columns;
  if (p == 0)
    return true;
  bordered->g = (rgTriplets){0};
  bordered->matrix = (rgTriplets){.rows = n + p, .columns = n + p};
  bordered->h.rows = n + p;
  size_t entries = (size_t)data->matrix.count + 2 * (size_t)data->g.count;
  rgTriplets* m = &bordered->matrix;
  m->items = rg_pool_take(pool, entries, sizeof *m->items);
  bordered->f = rg_pool_take(pool, (size_t)n + (size_t)p, sizeof *bordered->f);
  if (!m->items || !bordered->f || entries > INT_MAX)
    return false;
  copy_entries(&data->matrix, m);
  for (int k = 0; k < data->g.count; k++) {
    const rgTriplet* g = &data->g.items[k];
    m->items[m->count++] = (rgTriplet){g->row, n + g->column, -g->value};
    m->items[m->count++] = (rgTriplet){n + g->column, g->row, g->value};
  }
  memcpy(bordered->f, data->f, (size_t)n * sizeof *data->f);
  for (int i = 0; i < p; i++)
    bordered->f[n + i] = -data->b[i];
  return true;
}

static rgStatus make_global(const rgProblemData* data, const char* name,
                            const rgAllocator* allocator, rgPool* pool, rgProblem** problem,
                            rgMessage* message) {
  rgTriplets w = {0};
  rgProblemData bordered;
  double* q = rg_pool_take(pool, (size_t)data->contact_count * (size_t)data->dimension, sizeof *q);
  if (!q || !rg_problem_bordered(data, pool, &bordered))
    return no_memory(name, message);
  rgStatus status = rg_problem_reduce(&bordered, name, allocator, &w, q, message);
  if (status == RG_OK)
    status = make_local(data, &w, q, name, allocator, problem, message);
  rg_triplets_free(&w, allocator);
  return status;
}

rgStatus rg_problem_from_data(const rgProblemData* data, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message) {
  *problem = NULL;
  if (!data->global)
    return make_local(data, &data->matrix, data->q, name, allocator, problem, message);
  rgPool pool = {*allocator, NULL};
  rgStatus status = make_global(data, name, allocator, &pool, problem, message);
  rg_pool_free(&pool);
  return status;
}
