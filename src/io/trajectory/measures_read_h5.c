// measures_read_h5.c - energies and certificates of a recorded run out of an HDF5 file.
//
// As with contacts nothing in the file is trusted: each column must have the frames of time, and its
// numbers must be finite; only the residual of a step that failed may be infinite.
#include "io/trajectory/trajectory.h"

#ifdef RIGOR_HDF5

#include "io/trajectory/measures_read_h5.h"

#include <math.h>
#include <stddef.h>

// The columns of reals, and where their numbers go.
static const struct {
  const char* name;
  size_t offset; // in rgRecordedMeasure
  bool infinite; // allowed
} columns[] = {
    {"energy/kinetic", offsetof(rgRecordedMeasure, kinetic), false},
    {"energy/potential", offsetof(rgRecordedMeasure, potential), false},
    {"certificate/energy", offsetof(rgRecordedMeasure, change), false},
    {"certificate/residual", offsetof(rgRecordedMeasure, residual), true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool read_contacts(rgH5Reader* reader, int frames, rgRecordedMeasure* measures) {
  static const char name[] = "certificate/contacts";
  hsize_t size = 0;
  void* data;
  if (!rg_h5_numbers(reader, name, H5T_NATIVE_INT64, 1, &size, &data))
    return false;
  if (size < (hsize_t)frames)
    return rg_h5_fail(reader, name, "does not have the frames of time");
  const int64_t* numbers = data;
  for (int i = 0; i < frames; i++)
    measures[i].contacts = numbers[i];
  return true;
}

static bool read_column(rgH5Reader* reader, int column, int frames, rgRecordedMeasure* measures) {
  const char* name = columns[column].name;
  hsize_t size = 0;
  void* data;
  if (!rg_h5_numbers(reader, name, H5T_NATIVE_DOUBLE, 1, &size, &data))
    return false;
  if (size < (hsize_t)frames)
    return rg_h5_fail(reader, name, "does not have the frames of time");
  const double* numbers = data;
  for (int i = 0; i < frames; i++) {
    if (isnan(numbers[i]) || (isinf(numbers[i]) && !columns[column].infinite))
      return rg_h5_fail(reader, name, "is no number in frame %d", i);
    *(double*)(void*)((char*)&measures[i] + columns[column].offset) = numbers[i];
  }
  return true;
}

bool rg_measures_read_h5(rgH5Reader* reader, rgTrajectoryPoses* poses) {
  if (!rg_h5_exists(reader, "energy") || !rg_h5_exists(reader, "certificate"))
    return true;
  rgRecordedMeasure* measures =
      rg_pool_take(reader->pool, (size_t)poses->frame_count + 1, sizeof *measures);
  if (!measures)
    return rg_h5_no_memory(reader);
  for (int i = 0; i < COLUMNS; i++)
    if (!read_column(reader, i, poses->frame_count, measures))
      return false;
  if (!read_contacts(reader, poses->frame_count, measures))
    return false;
  poses->measures = measures;
  return true;
}

#endif
