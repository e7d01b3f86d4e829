// tables_h5.h - the tables of a trajectory in an HDF5 file.
#ifndef IO_TRAJECTORY_TABLES_H5_H
#define IO_TRAJECTORY_TABLES_H5_H

#include "io/trajectory/tables.h"

#include <hdf5.h>

// One table: a group with the dataset `count`, the rows of each frame, and one for each column.
typedef struct rgTableH5 {
  bool recorded;
  hid_t count, column[RG_TABLE_COLUMN_MAX]; // < 0: none
  hsize_t written;                          // rows in the file
  rgTableRows rows;                         // of the frames that are gathered
  double* counts;                           // rows of each of these
  int counts_capacity;
} rgTableH5;

// Nothing is recorded yet.
void rg_tables_h5_begin(rgTableH5* tables, const rgAllocator* allocator);
// Makes the groups of the kinds, and the names of joints. Negative on failure, as all below.
int rg_tables_h5_add(rgTableH5* tables, hid_t file, unsigned kinds, const rgWorld* world);
// Gathers the rows of frame number `frame` since the last flush; false when memory ran out.
bool rg_tables_h5_append(rgTableH5* tables, const rgWorld* world, int frame);
size_t rg_tables_h5_size(const rgTableH5* tables); // [bytes] gathered
// Writes the rows of `frames` gathered frames after the `start` ones of the file.
int rg_tables_h5_write(rgTableH5* tables, hsize_t start, int frames);
void rg_tables_h5_close(rgTableH5* tables);

#endif
