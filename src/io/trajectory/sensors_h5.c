// sensors_h5.c - the sensors of a trajectory in an HDF5 file.
#include "io/trajectory/tables.h"

#ifdef RIGOR_HDF5

#include "base/memory.h"
#include "io/trajectory/sensors_h5.h"
#include "io/trajectory/series_h5.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK_FRAMES = 256, TEXT_SIZE = 256 };

// "x, y, z": what `text_of` says of each value; once where all are the same and `brief`.
static void list_values(const rgWorld* world, int sensor, bool brief, char text[TEXT_SIZE],
                        const char* (*text_of)(const rgWorld*, int, int)) {
  int count = rg_world_sensor(world, sensor).value_count;
  bool same = brief;
  for (int i = 1; i < count; i++)
    same = same && strcmp(text_of(world, sensor, i), text_of(world, sensor, 0)) == 0;
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < (same ? 1 : count) && used < TEXT_SIZE; i++)
    used += (size_t)snprintf(text + used, TEXT_SIZE - used, "%s%s", i ? ", " : "",
                             text_of(world, sensor, i));
}

static hid_t add_sensor(hid_t group, const rgWorld* world, int sensor) {
  char name[RG_TABLE_SENSOR_NAME], unit[TEXT_SIZE], values[TEXT_SIZE];
  rgSensorView view = rg_world_sensor(world, sensor);
  rg_tables_sensor_name(world, sensor, name);
  for (char* at = name; (at = strchr(at, '/'));) // would name a group
    *at = '_';
  list_values(world, sensor, true, unit, rg_sensor_value_unit);
  list_values(world, sensor, false, values, rg_sensor_value_name);
  hsize_t sizes[3] = {0, (hsize_t)view.value_count, 1};
  hid_t dataset = rg_series_add(group, name, H5T_IEEE_F64LE, unit, 2, sizes, CHUNK_FRAMES);
  if (dataset >= 0 &&
      (rg_series_add_text(dataset, "values", values) < 0 ||
       rg_series_add_text(dataset, "kind", rg_sensor_kind_name(view.def.kind)) < 0)) {
    H5Dclose(dataset);
    return -1;
  }
  return dataset;
}

static bool reserve(rgSensorsH5* sensors, int count) {
  return rg_reserve(&sensors->allocator, (void**)&sensors->datasets, &sensors->datasets_capacity,
                    count, sizeof *sensors->datasets) &&
         rg_reserve(&sensors->allocator, (void**)&sensors->start, &sensors->start_capacity, count,
                    sizeof *sensors->start) &&
         rg_reserve(&sensors->allocator, (void**)&sensors->width, &sensors->width_capacity, count,
                    sizeof *sensors->width);
}

int rg_sensors_h5_add(rgSensorsH5* sensors, hid_t file, const rgWorld* world) {
  int count = rg_world_sensor_count(world);
  if (!reserve(sensors, count))
    return -1;
  hid_t group = H5Gcreate2(file, "sensors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int result = group < 0 ? -1 : 0;
  sensors->value_count = rg_world_sensor_value_count(world);
  for (int i = 0; i < count && result >= 0; i++) {
    rgSensorView view = rg_world_sensor(world, i);
    sensors->start[i] = view.value_start;
    sensors->width[i] = view.value_count;
    sensors->datasets[i] = add_sensor(group, world, i);
    sensors->count = i + 1;
    result = sensors->datasets[i] < 0 ? -1 : 0;
  }
  if (group >= 0)
    H5Gclose(group);
  return result;
}

bool rg_sensors_h5_append(rgSensorsH5* sensors, const rgWorld* world, int frame) {
  size_t size = (size_t)sensors->value_count * sizeof *sensors->values;
  if (sensors->count == 0)
    return true;
  if (!rg_reserve(&sensors->allocator, (void**)&sensors->values, &sensors->frames_capacity,
                  frame + 1, size))
    return false;
  memcpy((char*)sensors->values + (size_t)frame * size, rg_world_sensor_values(world), size);
  return true;
}

size_t rg_sensors_h5_size(const rgSensorsH5* sensors, int frames) {
  return sensors->count == 0
             ? 0
             : (size_t)frames * (size_t)sensors->value_count * sizeof *sensors->values;
}

// Gathers a sensor out of the frames, which lie one after the other.
static int write_sensor(rgSensorsH5* sensors, int index, hsize_t start, int frames) {
  size_t width = (size_t)sensors->width[index], stride = (size_t)sensors->value_count;
  size_t size = (size_t)frames * width * sizeof(double);
  double* values = rg_allocate(&sensors->allocator, size);
  if (!values)
    return -1;
  for (size_t i = 0; i < (size_t)frames; i++)
    memcpy(values + i * width, sensors->values + i * stride + sensors->start[index],
           width * sizeof(double));
  hsize_t item[2] = {width, 1};
  int result = rg_series_extend(sensors->datasets[index], H5T_NATIVE_DOUBLE, 2, item, start,
                                (hsize_t)frames, values);
  rg_release(&sensors->allocator, values, size);
  return result;
}

int rg_sensors_h5_write(rgSensorsH5* sensors, hsize_t start, int frames) {
  int result = 0;
  for (int i = 0; i < sensors->count && result >= 0; i++)
    result = write_sensor(sensors, i, start, frames);
  return result;
}

void rg_sensors_h5_close(rgSensorsH5* sensors) {
  for (int i = 0; i < sensors->count; i++)
    if (sensors->datasets[i] >= 0)
      H5Dclose(sensors->datasets[i]);
  const rgAllocator* allocator = &sensors->allocator;
  rg_release(allocator, sensors->datasets,
             (size_t)sensors->datasets_capacity * sizeof *sensors->datasets);
  rg_release(allocator, sensors->start, (size_t)sensors->start_capacity * sizeof(int));
  rg_release(allocator, sensors->width, (size_t)sensors->width_capacity * sizeof(int));
  rg_release(allocator, sensors->values,
             (size_t)sensors->frames_capacity * (size_t)sensors->value_count * sizeof(double));
}

#endif
