// series_h5.c - datasets of HDF5 files that grow along their first dimension.
#include "io/trajectory/tables.h"

#ifdef RIGOR_HDF5

#include "io/trajectory/series_h5.h"

#include <math.h>
#include <string.h>

enum { CHUNK_SIZE = 1 << 16 }; // [bytes] of a chunk, when an item is smaller

hid_t rg_series_text_type(size_t length) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && (H5Tset_size(type, length + 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
    H5Tclose(type);
    return -1;
  }
  return type;
}

int rg_series_add_text(hid_t object, const char* name, const char* text) {
  hid_t type = rg_series_text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int result = attribute < 0 ? -1 : H5Awrite(attribute, type, text);
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return result;
}

// How chunks are kept: with a checksum each, and as NaN until they are written.
static hid_t series_layout(hid_t type, int rank, const hsize_t* chunk) {
  const double missing = (double)NAN;
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, rank, chunk);
  H5Pset_fletcher32(layout);
  if (H5Tget_class(type) == H5T_FLOAT)
    H5Pset_fill_value(layout, H5T_NATIVE_DOUBLE, &missing);
  return layout;
}

static hid_t with_unit(hid_t dataset, const char* unit) {
  if (dataset >= 0 && unit[0] && rg_series_add_text(dataset, "unit", unit) < 0) {
    H5Dclose(dataset);
    return -1;
  }
  return dataset;
}

hid_t rg_series_add(hid_t file, const char* name, hid_t type, const char* unit, int rank,
                    const hsize_t* sizes, hsize_t chunk_items) {
  hsize_t start[3] = {0, sizes[1], sizes[2]}, limit[3] = {H5S_UNLIMITED, sizes[1], sizes[2]};
  hsize_t chunk[3] = {chunk_items, sizes[1], sizes[2]};
  hsize_t item_size = sizeof(double) * (rank > 1 ? sizes[1] * sizes[2] : 1);
  if (chunk[0] * item_size > CHUNK_SIZE)
    chunk[0] = item_size < CHUNK_SIZE ? CHUNK_SIZE / item_size : 1;
  hid_t space = H5Screate_simple(rank, start, limit), layout = series_layout(type, rank, chunk);
  hid_t dataset =
      with_unit(H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT), unit);
  H5Pclose(layout);
  H5Sclose(space);
  return dataset;
}

int rg_series_extend(hid_t dataset, hid_t type, int rank, const hsize_t* item, hsize_t start_item,
                     hsize_t item_count, const void* values) {
  hsize_t all[3] = {start_item + item_count, item[0], item[1]};
  hsize_t start[3] = {start_item, 0, 0}, count[3] = {item_count, item[0], item[1]};
  if (H5Dset_extent(dataset, all) < 0)
    return -1;
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, count, NULL);
  int result = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (result >= 0)
    result = H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values);
  H5Sclose(memory);
  H5Sclose(space);
  return result;
}

int rg_series_add_fixed(hid_t file, const char* name, hid_t type, const char* unit, int rank,
                        const hsize_t* sizes, const double* values) {
  hid_t space = H5Screate_simple(rank, sizes, NULL), layout = series_layout(type, rank, sizes);
  hid_t dataset =
      with_unit(H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT), unit);
  int result = dataset < 0
                   ? -1
                   : H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Pclose(layout);
  H5Sclose(space);
  return result;
}

#endif
