// runs_h5.c - the table of an ensemble as an HDF5 file.
//
// The file is made in memory by the core driver of the library and then written as a whole, so that it
// is never half there (rigor/util.h). Times of creation are left out: equal tables have equal bytes.
#include "base/message.h"
#include <rigor/ensemble.h>
#include <rigor/util.h>

#ifdef RIGOR_HDF5

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 1 << 20 }; // [bytes] by which the file grows in memory

static hid_t text_type(size_t length) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length > 0 ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD); // no room for a final zero
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static bool add_text(hid_t place, const char* name, const char* text) {
  hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

// A dataset of `count` values, without the time of its creation.
static hid_t add_dataset(hid_t file, const char* name, hid_t type, int64_t count,
                         const void* values) {
  hsize_t size = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(how, false);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    H5Dclose(dataset);
    dataset = -1;
  }
  H5Pclose(how);
  H5Sclose(space);
  return dataset;
}

static bool add_column(hid_t file, const rgRunTable* table, int column, double* values) {
  for (int64_t i = 0; i < table->run_count; i++)
    values[i] = table->values[(size_t)i * (size_t)table->column_count + (size_t)column];
  hid_t dataset =
      add_dataset(file, table->names[column], H5T_NATIVE_DOUBLE, table->run_count, values);
  bool good = dataset >= 0 && add_text(dataset, "unit", table->units[column]);
  if (dataset >= 0)
    H5Dclose(dataset);
  return good;
}

// The words of all runs, in one block of equal lengths.
static bool add_outcomes(hid_t file, const rgRunTable* table) {
  size_t longest = 1;
  for (int64_t i = 0; i < table->run_count; i++) {
    size_t length = strlen(table->outcomes[i]);
    longest = length > longest ? length : longest;
  }
  char* words = calloc((size_t)table->run_count + 1, longest);
  if (!words)
    return false;
  for (int64_t i = 0; i < table->run_count; i++)
    memcpy(words + (size_t)i * longest, table->outcomes[i], strlen(table->outcomes[i]));
  hid_t type = text_type(longest);
  hid_t dataset = add_dataset(file, "outcome", type, table->run_count, words);
  H5Tclose(type);
  free(words);
  if (dataset >= 0)
    H5Dclose(dataset);
  return dataset >= 0;
}

static bool fill(hid_t file, const rgRunTable* table) {
  double* values = malloc(((size_t)table->run_count + 1) * sizeof *values);
  bool good = values && add_text(file, "about", table->about) && add_outcomes(file, table);
  hid_t runs =
      good ? add_dataset(file, "run", H5T_NATIVE_INT64, table->run_count, table->runs) : -1;
  if (runs >= 0)
    H5Dclose(runs);
  good = good && runs >= 0;
  for (int c = 0; c < table->column_count && good; c++)
    good = add_column(file, table, c, values);
  free(values);
  return good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
}

static bool write_image(hid_t file, rgOutput* output) {
  ssize_t size = H5Fget_file_image(file, NULL, 0);
  char* image = size > 0 ? malloc((size_t)size) : NULL;
  bool good = image && H5Fget_file_image(file, image, (size_t)size) == size &&
              fwrite(image, 1, (size_t)size, rg_output_stream(output)) == (size_t)size;
  free(image);
  return good;
}

rgStatus rg_runs_write_h5(const char* path, const rgRunTable* table, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, message);
  if (status != RG_OK)
    return status;
  bool good = false;
  H5E_BEGIN_TRY {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, GROWTH, false);
    hid_t file = H5Fcreate("runs", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    good = file >= 0 && fill(file, table) && write_image(file, output);
    if (file >= 0)
      H5Fclose(file);
    H5Pclose(access);
  }
  H5E_END_TRY
  if (good)
    return rg_output_commit(output, message);
  rg_output_abandon(output);
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: not enough memory, or the disk is full",
                 path);
}

#else

rgStatus rg_runs_write_h5(const char* path, const rgRunTable* table, rgMessage* message) {
  (void)table;
  return rg_fail(message, RG_ERROR_UNSUPPORTED,
                 "%s: this build has no HDF5; write a .csv file instead", path);
}

#endif
