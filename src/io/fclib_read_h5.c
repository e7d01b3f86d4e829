// fclib_read_h5.c - contact problems in the HDF5 files of the friction contact library (FCLIB).
//
//     fclib_local  {spacedim, W, vectors/{q, mu}}
//     fclib_global {spacedim, M, H, vectors/{f, w, mu}}, and G, vectors/b: two-sided constraints
//     matrix {m, n, nzmax, nz, p, i, x}: nz >= 0 triplets (i row, p column), -1 compressed columns,
//     -2 compressed rows
//
// No size in the file is believed before the file is known to hold that much.
#include "io/problem_file.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  NAME_SIZE = 128,
  REASON_SIZE = 200,
  COMPRESSION_MAX = 1100 // how many times deflate can shrink zeros, at most 1032
};

enum { COLUMNS = -1, ROWS = -2 }; // what nz says about the storage, unless it counts triplets

typedef struct Reader {
  hid_t file;
  const char* path;
  hsize_t file_size;
  rgPool* pool;
  rgMessage* message;
  rgStatus status;
} Reader;

static bool fail(Reader* reader, const char* name, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(Reader* reader, const char* name, const char* format, ...) {
  char text[sizeof reader->message->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  reader->status = rg_fail(reader->message, RG_ERROR_INPUT, "%s: %s %s", reader->path, name, text);
  return false;
}

static bool no_memory(Reader* reader) {
  reader->status = rg_fail(reader->message, RG_ERROR_MEMORY, "%s: not enough memory", reader->path);
  return false;
}

// -------------------------------------------------------------------------------------------------
// Datasets
// -------------------------------------------------------------------------------------------------

// Whether the path exists, group by group: the library refuses a path with a missing middle.
static bool exists(hid_t file, const char* name) {
  char part[NAME_SIZE];
  for (const char* end = name; *end;) {
    end += strcspn(end + 1, "/") + 1;
    snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
    if (H5Lexists(file, part, H5P_DEFAULT) <= 0)
      return false;
  }
  return true;
}

// How many numbers a dataset has, after a check that the file can hold them.
static bool count_numbers(Reader* reader, hid_t dataset, const char* name, H5T_class_t wanted,
                          hsize_t* count) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hid_t layout = H5Dget_create_plist(dataset);
  H5T_class_t class = H5Tget_class(type);
  hssize_t points = H5Sget_simple_extent_npoints(space);
  hsize_t size = H5Tget_size(type);
  bool packed = H5Pget_nfilters(layout) > 0;
  H5Pclose(layout);
  H5Sclose(space);
  H5Tclose(type);
  hsize_t most = reader->file_size / (size ? size : 1) * (packed ? COMPRESSION_MAX : 1);
  if (class != wanted)
    return fail(reader, name, "does not hold %s", wanted == H5T_INTEGER ? "integers" : "reals");
  if (points < 0 || (hsize_t)points > most || points > INT_MAX)
    return fail(reader, name, "has %lld numbers, more than the file can hold", (long long)points);
  *count = (hsize_t)points;
  return true;
}

// Reads a dataset with `least` numbers or more into the pool.
static bool read_dataset(Reader* reader, const char* name, H5T_class_t class, size_t least,
                         void** numbers) {
  if (!exists(reader->file, name))
    return fail(reader, name, "is missing");
  hid_t dataset = H5Dopen2(reader->file, name, H5P_DEFAULT);
  if (dataset < 0)
    return fail(reader, name, "is not a dataset that can be read");
  bool integer = class == H5T_INTEGER, good = false;
  hsize_t count = 0;
  if (count_numbers(reader, dataset, name, class, &count)) {
    *numbers = rg_pool_take(reader->pool, (size_t)count, integer ? sizeof(int) : sizeof(double));
    hid_t type = integer ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    if (count < least)
      fail(reader, name, "has %llu numbers, must have %llu", (unsigned long long)count,
           (unsigned long long)least);
    else if (!*numbers)
      no_memory(reader);
    else if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *numbers) < 0)
      fail(reader, name, "cannot be read: the file is damaged");
    else
      good = true;
  }
  H5Dclose(dataset);
  return good;
}

static bool read_ints(Reader* reader, const char* name, size_t count, int lower, int upper,
                      int** numbers) {
  void* read;
  if (!read_dataset(reader, name, H5T_INTEGER, count, &read))
    return false;
  *numbers = read;
  for (size_t i = 0; i < count; i++)
    if ((*numbers)[i] < lower || (*numbers)[i] > upper)
      return fail(reader, name, "has %d at place %zu, must be %d .. %d", (*numbers)[i], i, lower,
                  upper);
  return true;
}

static bool read_int(Reader* reader, const char* name, int lower, int upper, int* number) {
  int* numbers;
  if (!read_ints(reader, name, 1, INT_MIN, INT_MAX, &numbers))
    return false;
  *number = numbers[0];
  return (*number >= lower && *number <= upper) ||
         fail(reader, name, "is %d, must be %d .. %d", *number, lower, upper);
}

static bool read_reals(Reader* reader, const char* name, size_t count, double lower,
                       double** numbers) {
  void* read;
  if (!read_dataset(reader, name, H5T_FLOAT, count, &read))
    return false;
  *numbers = read;
  for (size_t i = 0; i < count; i++) {
    double value = (*numbers)[i];
    if (!isfinite(value))
      return fail(reader, name, "has %g at place %zu, must be finite", value, i);
    if (value < lower)
      return fail(reader, name, "has %g at place %zu, must be >= %g", value, i, lower);
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

static bool read_member_ints(Reader* reader, const char* group, const char* member, size_t count,
                             int lower, int upper, int** numbers) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/%s", group, member);
  return read_ints(reader, name, count, lower, upper, numbers);
}

static bool read_member_int(Reader* reader, const char* group, const char* member, int lower,
                            int upper, int* number) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s/%s", group, member);
  return read_int(reader, name, lower, upper, number);
}

// Compressed by rows or columns: the starts `p` of `lines`, ascending from 0.
static bool read_starts(Reader* reader, const char* group, int lines, int room, Stored* stored) {
  if (!read_member_ints(reader, group, "p", (size_t)lines + 1, 0, room, &stored->p))
    return false;
  for (int k = 0; k <= lines; k++) {
    int least = k > 0 ? stored->p[k - 1] : 0, most = k > 0 ? room : 0;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s/p", group);
    if (stored->p[k] < least || stored->p[k] > most)
      return fail(reader, name, "has %d at place %d, must be %d .. %d", stored->p[k], k, least,
                  most);
  }
  stored->count = stored->p[lines];
  return true;
}

static bool read_entries(Reader* reader, const char* group, int nz, int room,
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

static bool fill_triplets(Reader* reader, int nz, const Stored* stored, rgTriplets* matrix) {
  matrix->items = rg_pool_take(reader->pool, (size_t)stored->count, sizeof *matrix->items);
  if (!matrix->items)
    return no_memory(reader);
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

static bool read_matrix(Reader* reader, const char* group, rgTriplets* matrix) {
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

static bool check_size(Reader* reader, const char* group, const rgTriplets* matrix, int rows,
                       int columns) {
  return (matrix->rows == rows && matrix->columns == columns) ||
         fail(reader, group, "is %d x %d, must be %d x %d", matrix->rows, matrix->columns, rows,
              columns);
}

// -------------------------------------------------------------------------------------------------
// Problems
// -------------------------------------------------------------------------------------------------

// The number of contacts is that of the rows of W or the columns of H.
static bool count_contacts(Reader* reader, const char* group, int size, rgProblemData* data) {
  if (size % data->dimension != 0)
    return fail(reader, group, "has %d numbers for contacts, must be a multiple of spacedim = %d",
                size, data->dimension);
  data->contact_count = size / data->dimension;
  return true;
}

// Two-sided constraints, which the form without velocities cannot keep apart from contacts.
static bool refuse_constraints(Reader* reader, const char* group) {
  if (!exists(reader->file, group))
    return true;
  fail(reader, group, "holds two-sided constraints, which are not supported; must be absent");
  reader->status = RG_ERROR_UNSUPPORTED;
  return false;
}

static bool read_local(Reader* reader, rgProblemData* data) {
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

static bool read_constraints(Reader* reader, rgProblemData* data) {
  static const char group[] = "fclib_global/G";
  if (!exists(reader->file, group))
    return true;
  return read_matrix(reader, group, &data->g) &&
         check_size(reader, group, &data->g, data->matrix.rows, data->g.columns) &&
         (data->g.columns == 0 || read_reals(reader, "fclib_global/vectors/b",
                                             (size_t)data->g.columns, -HUGE_VAL, &data->b));
}

static bool read_global(Reader* reader, rgProblemData* data) {
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

static herr_t first_reason(unsigned n, const H5E_error2_t* error, void* reason) {
  if (n == 0)
    snprintf(reason, REASON_SIZE, "%s", error->desc ? error->desc : "");
  return 0;
}

static bool read_any(Reader* reader, rgProblemData* data) {
  H5Fget_filesize(reader->file, &reader->file_size);
  if (exists(reader->file, "fclib_local"))
    return read_local(reader, data);
  if (exists(reader->file, "fclib_global"))
    return read_global(reader, data);
  return fail(reader, "fclib_local", "and fclib_global are missing, one of them must be there");
}

rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message) {
  rgMessage ignored;
  Reader reader = {.path = path, .pool = pool, .message = message ? message : &ignored};
  *data = (rgProblemData){0};
  H5E_BEGIN_TRY {
    reader.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (reader.file < 0) {
      char reason[REASON_SIZE] = "";
      H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first_reason, reason);
      reader.status =
          rg_fail(message, RG_ERROR_INPUT, "%s: not a whole HDF5 file: %s", path, reason);
    } else {
      read_any(&reader, data);
      H5Fclose(reader.file);
    }
  }
  H5E_END_TRY
  return reader.status;
}

#else

rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message) {
  (void)pool;
  (void)data;
  return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: this build has no HDF5", path);
}

#endif

rgStatus rg_problem_read_fclib(const char* path, const rgAllocator* allocator, rgProblem** problem,
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
