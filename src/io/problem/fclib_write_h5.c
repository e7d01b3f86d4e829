// fclib_write_h5.c - contact problems and their solutions into HDF5 files of the friction contact
// library (FCLIB).
//
// Two-sided rigid rows become the constraints G of the global form. W is written by compressed
// rows, M and H as triplets, as in the collection of that library. A solution goes
// into a copy of the file of its problem, where datasets of the right size are overwritten and do not
// make the file grow; the copy takes the place of the file when it is whole.
#include "io/problem/problem_file.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include "io/text/file.h"
#include "io/text/output.h"
#include "io/text/read_h5.h"
#include "io/text/store_h5.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

// Everything returns false on failure.

static bool write_numbers(hid_t place, const char* name, hid_t stored, hid_t memory, size_t count,
                          const void* numbers) {
  hsize_t size = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t dataset = H5Dcreate2(place, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool good = dataset >= 0 && (count == 0 || H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL,
                                                      H5P_DEFAULT, numbers) >= 0);
  if (dataset >= 0)
    good = H5Dclose(dataset) >= 0 && good;
  H5Sclose(space);
  return good;
}

static bool write_ints(hid_t place, const char* name, size_t count, const int* numbers) {
  return write_numbers(place, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, numbers);
}

static bool write_int(hid_t place, const char* name, int number) {
  return write_ints(place, name, 1, &number);
}

static bool write_reals(hid_t place, const char* name, size_t count, const double* numbers) {
  return write_numbers(place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, numbers);
}

static hid_t add_group(hid_t place, const char* name) {
  return H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

// -------------------------------------------------------------------------------------------------
// Problems
// -------------------------------------------------------------------------------------------------

static bool write_sizes(hid_t group, const rgTriplets* matrix, int entries, int nz) {
  return write_int(group, "nzmax", entries) && write_int(group, "m", matrix->rows) &&
         write_int(group, "n", matrix->columns) && write_int(group, "nz", nz);
}

static bool write_triplets(hid_t group, const rgTriplets* matrix, rgPool* pool) {
  size_t count = (size_t)matrix->count;
  int* i = rg_pool_take(pool, count, sizeof *i);
  int* p = rg_pool_take(pool, count, sizeof *p);
  double* x = rg_pool_take(pool, count, sizeof *x);
  if (!i || !p || !x)
    return false;
  for (size_t k = 0; k < count; k++) {
    i[k] = matrix->items[k].row;
    p[k] = matrix->items[k].column;
    x[k] = matrix->items[k].value;
  }
  return write_sizes(group, matrix, matrix->count, matrix->count) &&
         write_ints(group, "p", count, p) && write_ints(group, "i", count, i) &&
         write_reals(group, "x", count, x);
}

static bool write_rows(hid_t group, const rgTriplets* matrix, rgPool* pool) {
  rgCompressed rows;
  if (!rg_triplets_compress(matrix, pool, &rows))
    return false;
  int entries = rows.start[matrix->rows];
  return write_sizes(group, matrix, entries, -2) &&
         write_ints(group, "p", (size_t)matrix->rows + 1, rows.start) &&
         write_ints(group, "i", (size_t)entries, rows.column) &&
         write_reals(group, "x", (size_t)entries, rows.value);
}

static bool write_matrix(hid_t place, const char* name, const rgTriplets* matrix, bool triplets,
                         rgPool* pool) {
  hid_t group = add_group(place, name);
  if (group < 0)
    return false;
  bool good = triplets ? write_triplets(group, matrix, pool) : write_rows(group, matrix, pool);
  return H5Gclose(group) >= 0 && good;
}

static bool write_vectors(hid_t place, const rgProblemData* data) {
  hid_t group = add_group(place, "vectors");
  if (group < 0)
    return false;
  size_t contacts = (size_t)data->contact_count, size = contacts * (size_t)data->dimension;
  bool good = write_reals(group, data->global ? "w" : "q", size, data->q) &&
              write_reals(group, "mu", contacts, data->mu) &&
              (!data->global || write_reals(group, "f", (size_t)data->matrix.rows, data->f)) &&
              (data->g.columns == 0 || write_reals(group, "b", (size_t)data->g.columns, data->b));
  return H5Gclose(group) >= 0 && good;
}

static bool write_problem(hid_t file, const rgProblemData* data, rgPool* pool) {
  hid_t group = add_group(file, data->global ? "fclib_global" : "fclib_local");
  if (group < 0)
    return false;
  bool good = write_int(group, "spacedim", data->dimension) &&
              write_matrix(group, data->global ? "M" : "W", &data->matrix, data->global, pool) &&
              (!data->global || write_matrix(group, "H", &data->h, true, pool)) &&
              (data->g.columns == 0 || write_matrix(group, "G", &data->g, true, pool)) &&
              write_vectors(group, data);
  return H5Gclose(group) >= 0 && good;
}

// -------------------------------------------------------------------------------------------------
// Solutions
// -------------------------------------------------------------------------------------------------

// True when a dataset of that many reals was there and has been overwritten. One that lies in another
// file is not: only the file that was named is written.
static bool overwrite(hid_t group, const char* name, size_t count, const double* numbers) {
  hid_t dataset = rg_h5_is_inside(group, name) ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
  if (dataset < 0)
    return false;
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  bool good = rg_h5_is_stored_inside(dataset) &&
              H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
              H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == sizeof(double) &&
              H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
  return good;
}

static bool put_reals(hid_t group, const char* name, size_t count, const double* numbers) {
  if (overwrite(group, name, count, numbers))
    return true;
  H5Ldelete(group, name, H5P_DEFAULT);
  return write_reals(group, name, count, numbers);
}

static bool put_solution(hid_t file, const rgProblemData* data, const double* v, const double* u,
                         const double* r) {
  bool there = rg_h5_is_inside(file, "solution");
  if (!there)
    H5Ldelete(file, "solution", H5P_DEFAULT); // a link, if anything
  hid_t group = there ? H5Gopen2(file, "solution", H5P_DEFAULT) : add_group(file, "solution");
  if (group < 0)
    return false;
  size_t size = (size_t)data->contact_count * (size_t)data->dimension;
  bool good = put_reals(group, "u", size, u) && put_reals(group, "r", size, r) &&
              (!data->global || put_reals(group, "v", (size_t)data->matrix.rows, v)) &&
              (data->g.columns == 0 ||
               put_reals(group, "l", (size_t)data->g.columns, v + data->matrix.rows));
  return H5Gclose(group) >= 0 && good;
}

// -------------------------------------------------------------------------------------------------
// Files
// -------------------------------------------------------------------------------------------------

// What is written into an open file.
typedef struct Contents {
  const rgProblemData* data;
  rgPool* pool;
  const double *v, *u, *r; // of a solution; NULL for a problem
} Contents;

static bool write_store(rgH5Store* store, const char* path, const Contents* contents) {
  bool solution = contents->u != NULL;
  hid_t file = solution ? H5Fopen(path, H5F_ACC_RDWR, store->access)
                        : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, store->access);
  bool good = file >= 0 &&
              (solution ? put_solution(file, contents->data, contents->v, contents->u, contents->r)
                        : write_problem(file, contents->data, contents->pool));
  good = file >= 0 && H5Fclose(file) >= 0 && good;
  return good && rg_h5_store_commit(store);
}

// Through a store, because the HDF5 library does not recover from a full disk.
static rgStatus write_file(const char* path, rgOutput* output, const Contents* contents,
                           rgMessage* message) {
  rgH5Store store;
  bool good;
  H5E_BEGIN_TRY {
    good = rg_h5_store_open(&store, fileno(rg_output_stream(output))) &&
           write_store(&store, path, contents);
  }
  H5E_END_TRY
  int reason = store.error;
  rg_h5_store_close(&store);
  if (good)
    return rg_output_commit(output, message);
  rg_output_abandon(output);
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s", path,
                 reason ? strerror(reason) : "the HDF5 library refused");
}

rgStatus rg_fclib_write(const rgProblem* problem, bool global, const char* path,
                        rgMessage* message) {
  rgPool pool = {rg_allocator_default(), NULL};
  rgProblemData data;
  rgStatus status =
      rg_problem_export_data(problem, (rgDataForm){global, global}, path, &pool, &data, message);
  if (status == RG_OK && data.dimension == 1)
    status = rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "cannot write %s: W has one number per contact, FCLIB needs 2 or 3; use text",
                     path);
  rgOutput* output;
  if (status == RG_OK)
    status = rg_output_open(path, &output, message);
  if (status == RG_OK)
    status = write_file(path, output, &(Contents){.data = &data, .pool = &pool}, message);
  rg_pool_free(&pool);
  return status;
}

static rgStatus write_solution(const char* path, const rgProblemData* data,
                               const rgSolution* solution, rgPool* pool, rgMessage* message) {
  size_t d = (size_t)data->dimension, contacts = (size_t)data->contact_count;
  double* u = rg_pool_take(pool, contacts * d, sizeof *u);
  double* r = rg_pool_take(pool, contacts * d, sizeof *r);
  rgProblemData bordered;
  bool enough = rg_problem_bordered(data, pool, &bordered);
  // v, then the impulses of the constraints
  double* v = rg_pool_take(pool, data->global ? (size_t)bordered.matrix.rows : 0, sizeof *v);
  if (!u || !r || !v || !enough)
    return rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
  for (size_t i = 0; i < contacts * d; i++) {
    u[i] = solution->v[i / d * 4 + i % d];
    r[i] = solution->r[i / d * 4 + i % d];
  }
  rgStatus status = RG_OK;
  if (data->global)
    status = rg_problem_global_velocity(&bordered, path, &pool->allocator, r, v, message);
  if (status != RG_OK)
    return status;
  // The solution goes into a copy, which takes the place of the file when it is whole.
  rgOutput* output;
  status = rg_output_open(path, &output, message);
  if (status == RG_OK)
    status = rg_file_copy(path, rg_output_stream(output), message);
  if (status == RG_OK)
    return write_file(path, output, &(Contents){data, pool, v, u, r}, message);
  rg_output_abandon(output);
  return status;
}

rgStatus rg_problem_write_solution(const char* path, const rgProblem* problem,
                                   const rgSolution* solution, rgMessage* message) {
  htri_t hdf5;
  H5E_BEGIN_TRY { hdf5 = H5Fis_hdf5(path); }
  H5E_END_TRY
  if (hdf5 <= 0)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "cannot write a solution into %s: only FCLIB files hold solutions", path);
  rgPool pool = {rg_allocator_default(), NULL};
  rgProblemData data;
  rgStatus status = rg_fclib_data(path, &pool, &data, message);
  if (status == RG_OK && (!problem->local || problem->local->block != data.dimension ||
                          problem->contact_count != data.contact_count))
    status =
        rg_fail(message, RG_ERROR_INPUT,
                "cannot write a solution into %s: it is not of the problem of this file", path);
  if (status == RG_OK)
    status = write_solution(path, &data, solution, &pool, message);
  rg_pool_free(&pool);
  return status;
}

#else

#include "io/text/hdf5.h"

rgStatus rg_fclib_write(const rgProblem* problem, bool global, const char* path,
                        rgMessage* message) {
  const rgHdf5* hdf5 = rg_hdf5_load();
  return hdf5 ? hdf5->fclib_write(problem, global, path, message)
              : rg_fail(message, RG_ERROR_UNSUPPORTED, "cannot write %s: %s", path,
                        rg_hdf5_missing());
}

rgStatus rg_problem_write_solution(const char* path, const rgProblem* problem,
                                   const rgSolution* solution, rgMessage* message) {
  const rgHdf5* hdf5 = rg_hdf5_load();
  return hdf5 ? hdf5->write_solution(path, problem, solution, message)
              : rg_fail(message, RG_ERROR_UNSUPPORTED, "cannot write a solution into %s: %s", path,
                        rg_hdf5_missing());
}

#endif
