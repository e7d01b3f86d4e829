// fclib_read_h5.c - contact problems in the HDF5 files of the friction contact library (FCLIB).
//
//     fclib_local  {spacedim, W, vectors/{q, mu}}
//     fclib_global {spacedim, M, H, vectors/{f, w, mu}}, and G, vectors/b: two-sided constraints
//     matrix {m, n, nzmax, nz, p, i, x}, where nz >= 0: triplets (i row, p column)
//                                              nz = -1: compressed columns
//                                              nz = -2: compressed rows
//
// No size in the file is trusted before the file is known to hold that much.
#include "io/problem/problem_file.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include "io/text/read_h5.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { NAME_SIZE = 128 };

enum { COLUMNS = -1, ROWS = -2 }; // what nz says about the storage, unless it counts triplets

// -------------------------------------------------------------------------------------------------
// Numbers
// -------------------------------------------------------------------------------------------------

// Reads a dataset with `least` numbers or more.
static bool read_numbers(rgH5Reader* reader, const char* name, hid_t native, size_t least,
                         void** numbers) {
  hsize_t count;
  if (!rg_h5_numbers(reader, name, native, 0, &count, numbers))
    return false;
  return count >= least || rg_h5_fail(reader, name, "has %llu numbers, must have %llu",
                                      (unsigned long long)count, (unsigned long long)least);
}

static bool read_ints(rgH5Reader* reader, const char* name, size_t count, int lower, int upper,
                      int** numbers) {
  void* read;
  if (!read_numbers(reader, name, H5T_NATIVE_INT, count, &read))
    return false;
  *numbers = read;
  for (size_t i = 0; i < count; i++)
    if ((*numbers)[i] < lower || (*numbers)[i] > upper)
      return rg_h5_fail(reader, name, "has %d at place %zu, must be %d .. %d", (*numbers)[i], i,
                        lower, upper);
  return true;
}

static bool read_int(rgH5Reader* reader, const char* name, int lower, int upper, int* number) {
  int* numbers;
  if (!read_ints(reader, name, 1, INT_MIN, INT_MAX, &numbers))
    return false;
  *number = numbers[0];
  return (*number >= lower && *number <= upper) ||
         rg_h5_fail(reader, name, "is %d, must be %d .. %d", *number, lower, upper);
}

static bool read_reals(rgH5Reader* reader, const char* name, size_t count, double lower,
                       double** numbers) {
  void* read;
  if (!read_numbers(reader, name, H5T_NATIVE_DOUBLE, count, &read))
    return false;
  *numbers = read;
  for (size_t i = 0; i < count; i++) {
    double value = (*numbers)[i];
    if (!isfinite(value))
      return rg_h5_fail(reader, name, "has %g at place %zu, must be finite", value, i);
    if (value < lower)
      return rg_h5_fail(reader, name, "has %g at place %zu, must be >= %g", value, i, lower);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Matrices
// -------------------------------------------------------------------------------------------------

typedef struct Stored {
  int count; // entries
  int *p, *i;
  double* x;
} Stored;

static bool read_member_ints(rgH5Reader* reader, const char* group, const char* member,
                             size_t count, int lower, int upper, int** numbers) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/%s", group, member);
  return read_ints(reader, name, count, lower, upper, numbers);
}

static bool read_member_int(rgH5Reader* reader, const char* group, const char* member, int lower,
                            int upper, int* number) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/%s", group, member);
  return read_int(reader, name, lower, upper, number);
}

// Compressed by rows or columns: the starts `p` of `lines`, ascending from 0.
static bool read_starts(rgH5Reader* reader, const char* group, int lines, int room,
                        Stored* stored) {
  if (!read_member_ints(reader, group, "p", (size_t)lines + 1, 0, room, &stored->p))
    return false;
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/p", group);
  for (int k = 0; k <= lines; k++) {
    int least = k > 0 ? stored->p[k - 1] : 0, most = k > 0 ? room : 0;
    if (stored->p[k] < least || stored->p[k] > most)
      return rg_h5_fail(reader, name, "has %d at place %d, must be %d .. %d", stored->p[k], k,
                        least, most);
  }
  stored->count = stored->p[lines];
  return true;
}

static bool read_entries(rgH5Reader* reader, const char* group, int nz, int room,
                         const rgTriplets* matrix, Stored* stored) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/x", group);
  int inner = nz == ROWS ? matrix->columns : matrix->rows;
  stored->count = nz;
  bool good =
      nz >= 0
          ? read_member_ints(reader, group, "p", (size_t)nz, 0, matrix->columns - 1, &stored->p)
          : read_starts(reader, group, nz == ROWS ? matrix->rows : matrix->columns, room, stored);
  return good &&
         read_member_ints(reader, group, "i", (size_t)stored->count, 0, inner - 1, &stored->i) &&
         read_reals(reader, name, (size_t)stored->count, -HUGE_VAL, &stored->x);
}

static bool fill_triplets(rgH5Reader* reader, int nz, const Stored* stored, rgTriplets* matrix) {
  matrix->items = rg_pool_take(reader->pool, (size_t)stored->count, sizeof *matrix->items);
  if (!matrix->items)
    return rg_h5_no_memory(reader);
  matrix->count = stored->count;
  for (int k = 0; nz >= 0 && k < stored->count; k++)
    matrix->items[k] = (rgTriplet){stored->i[k], stored->p[k], stored->x[k]};
  int lines = nz == ROWS ? matrix->rows : matrix->columns;
  for (int line = 0; nz < 0 && line < lines; line++)
    for (int k = stored->p[line]; k < stored->p[line + 1]; k++)
      matrix->items[k] = nz == ROWS ? (rgTriplet){line, stored->i[k], stored->x[k]}
                                    : (rgTriplet){stored->i[k], line, stored->x[k]};
  return true;
}

static bool read_matrix(rgH5Reader* reader, const char* group, rgTriplets* matrix) {
  int nz, room;
  Stored stored = {0};
  *matrix = (rgTriplets){0};
  return read_member_int(reader, group, "m", 0, INT_MAX / 4, &matrix->rows) &&
         read_member_int(reader, group, "n", 0, INT_MAX / 4, &matrix->columns) &&
         read_member_int(reader, group, "nzmax", 0, INT_MAX / 4, &room) &&
         read_member_int(reader, group, "nz", ROWS, room, &nz) &&
         read_entries(reader, group, nz, room, matrix, &stored) &&
         fill_triplets(reader, nz, &stored, matrix);
}

static bool check_size(rgH5Reader* reader, const char* group, const rgTriplets* matrix, int rows,
                       int columns) {
  return (matrix->rows == rows && matrix->columns == columns) ||
         rg_h5_fail(reader, group, "is %d x %d, must be %d x %d", matrix->rows, matrix->columns,
                    rows, columns);
}

// -------------------------------------------------------------------------------------------------
// Problems
// -------------------------------------------------------------------------------------------------

// The number of contacts is that of the rows of W or the columns of H.
static bool count_contacts(rgH5Reader* reader, const char* group, int size, rgProblemData* data) {
  if (size % data->dimension != 0)
    return rg_h5_fail(reader, group,
                      "has %d numbers for contacts, must be a multiple of spacedim = %d", size,
                      data->dimension);
  data->contact_count = size / data->dimension;
  return true;
}

// Two-sided constraints, which the form without velocities cannot keep apart from contacts.
static bool refuse_constraints(rgH5Reader* reader, const char* group) {
  if (!rg_h5_exists(reader, group))
    return true;
  rg_h5_fail(reader, group, "holds two-sided constraints, which are not supported; must be absent");
  reader->status = RG_ERROR_UNSUPPORTED;
  return false;
}

static bool read_local(rgH5Reader* reader, rgProblemData* data) {
  if (!refuse_constraints(reader, "fclib_local/V") ||
      !refuse_constraints(reader, "fclib_local/R") ||
      !read_int(reader, "fclib_local/spacedim", 2, 3, &data->dimension) ||
      !read_matrix(reader, "fclib_local/W", &data->matrix) ||
      !count_contacts(reader, "fclib_local/W", data->matrix.rows, data))
    return false;
  int size = data->matrix.rows;
  return check_size(reader, "fclib_local/W", &data->matrix, size, size) &&
         read_reals(reader, "fclib_local/vectors/q", (size_t)size, -HUGE_VAL, &data->q) &&
         read_reals(reader, "fclib_local/vectors/mu", (size_t)data->contact_count, 0, &data->mu);
}

static bool read_constraints(rgH5Reader* reader, rgProblemData* data) {
  static const char group[] = "fclib_global/G";
  if (!rg_h5_exists(reader, group))
    return true;
  return read_matrix(reader, group, &data->g) &&
         check_size(reader, group, &data->g, data->matrix.rows, data->g.columns) &&
         (data->g.columns == 0 || read_reals(reader, "fclib_global/vectors/b",
                                             (size_t)data->g.columns, -HUGE_VAL, &data->b));
}

static bool read_global(rgH5Reader* reader, rgProblemData* data) {
  data->global = true;
  if (!read_int(reader, "fclib_global/spacedim", 2, 3, &data->dimension) ||
      !read_matrix(reader, "fclib_global/M", &data->matrix) ||
      !read_matrix(reader, "fclib_global/H", &data->h) ||
      !count_contacts(reader, "fclib_global/H", data->h.columns, data))
    return false;
  int rows = data->matrix.rows, size = data->h.columns;
  return check_size(reader, "fclib_global/M", &data->matrix, rows, rows) &&
         check_size(reader, "fclib_global/H", &data->h, rows, size) &&
         read_constraints(reader, data) &&
         read_reals(reader, "fclib_global/vectors/f", (size_t)rows, -HUGE_VAL, &data->f) &&
         read_reals(reader, "fclib_global/vectors/w", (size_t)size, -HUGE_VAL, &data->q) &&
         read_reals(reader, "fclib_global/vectors/mu", (size_t)data->contact_count, 0, &data->mu);
}

static bool read_any(rgH5Reader* reader, void* data) {
  if (rg_h5_exists(reader, "fclib_local"))
    return read_local(reader, data);
  if (rg_h5_exists(reader, "fclib_global"))
    return read_global(reader, data);
  return rg_h5_fail(reader, "fclib_local",
                    "and fclib_global are missing, one of them must be there");
}

rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message) {
  rgH5Reader reader = {.path = path, .pool = pool, .message = message};
  *data = (rgProblemData){0};
  rg_h5_read(&reader, read_any, data);
  return reader.file < 0 ? rg_fail(message, RG_ERROR_INPUT, "%s: not a whole HDF5 file: %s", path,
                                   reader.reason)
                         : reader.status;
}

#else

#include "io/text/hdf5.h"

rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message) {
  const rgHdf5* hdf5 = rg_hdf5_load();
  return hdf5 ? hdf5->fclib_data(path, pool, data, message)
              : rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: %s", path, rg_hdf5_missing());
}

#endif

rgStatus rg_fclib_read(const char* path, const rgAllocator* allocator, rgProblem** problem,
                       rgMessage* message) {
  *problem = NULL;
  rgPool pool = {*allocator, NULL};
  rgProblemData data;
  rgStatus status = rg_fclib_data(path, &pool, &data, message);
  if (status == RG_OK)
    status = rg_problem_from_data(&data, path, allocator, problem, message);
  rg_pool_free(&pool);
  return status;
}
