// series_h5.h - datasets of HDF5 files that grow along their first dimension, with units.
//
// Each chunk has a checksum, and what was never written reads as NaN. Everything returns a negative
// number on failure, as the HDF5 library does.
#ifndef IO_TRAJECTORY_SERIES_H5_H
#define IO_TRAJECTORY_SERIES_H5_H

#include <hdf5.h>

// The type of texts of `length` bytes and a zero.
hid_t rg_series_text_type(size_t length);
// An attribute with a text.
int rg_series_add_text(hid_t object, const char* name, const char* text);
// A dataset [0, ...] of `rank` dimensions, the further ones being sizes[1] and sizes[2], in chunks of at
// most `chunk` items along the first.
hid_t rg_series_add(hid_t file, const char* name, hid_t type, const char* unit, int rank,
                    const hsize_t* sizes, hsize_t chunk);
// Appends `count` items to the `start` that the dataset has.
int rg_series_extend(hid_t dataset, hid_t type, int rank, const hsize_t* item, hsize_t start,
                     hsize_t count, const void* values);
// A dataset of numbers that does not grow; sizes as of the others, with the first one too.
int rg_series_add_fixed(hid_t file, const char* name, hid_t type, const char* unit, int rank,
                        const hsize_t* sizes, const double* values);

#endif
