// sensors_h5.h - the sensors of a trajectory in an HDF5 file: the group /sensors with a dataset for each.
#ifndef IO_TRAJECTORY_SENSORS_H5_H
#define IO_TRAJECTORY_SENSORS_H5_H

#include <rigor/sensor.h>

#include <hdf5.h>

typedef struct rgSensorsH5 {
  rgAllocator allocator;
  int count;       // sensors; 0: none are recorded
  hid_t* datasets; // of each; < 0: none
  int *start, *width;
  int datasets_capacity, start_capacity, width_capacity;
  int value_count;
  double* values; // of the frames that are gathered, one after the other
  int frames_capacity;
} rgSensorsH5;

// Makes the group. Negative on failure, as all below.
int rg_sensors_h5_add(rgSensorsH5* sensors, hid_t file, const rgWorld* world);
// Gathers the values of frame number `frame` since the last flush; false when memory ran out.
bool rg_sensors_h5_append(rgSensorsH5* sensors, const rgWorld* world, int frame);
size_t rg_sensors_h5_size(const rgSensorsH5* sensors, int frames); // [bytes] gathered
// Writes `frames` gathered frames after the `start` ones of the file.
int rg_sensors_h5_write(rgSensorsH5* sensors, hsize_t start, int frames);
void rg_sensors_h5_close(rgSensorsH5* sensors);

#endif
