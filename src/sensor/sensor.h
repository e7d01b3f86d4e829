// sensor.h - a sensor as a world keeps it, and the descriptors of the kinds.
#ifndef SENSOR_SENSOR_H
#define SENSOR_SENSOR_H

#include "world/world.h"
#include <rigor/load.h>
#include <rigor/sensor.h>

typedef struct rgSensor rgSensor;

// What a kind asks of a definition.
typedef enum rgSensorNeeds {
  RG_SENSOR_NEEDS_BODY = 1,
  RG_SENSOR_NEEDS_JOINT = 2,
  RG_SENSOR_TAKES_OTHER = 4,
  RG_SENSOR_TAKES_FRAME = 8,
  RG_SENSOR_TAKES_LENGTH = 16,
} rgSensorNeeds;

typedef struct rgSensorInfo {
  const char *name, *summary;
  unsigned needs;
  bool of_step; // of the last step, not of the state alone
  bool of_axes; // a value for each free axis of the joint, named after it; otherwise as listed
  int count;
  const char* values[RG_SENSOR_VALUES_MAX];
  const char* units[RG_SENSOR_VALUES_MAX]; // of_axes: of a length, of an angle
  // What the sensor shows; false: not known.
  bool (*measure)(const rgWorld* world, const rgSensor* sensor, double* values);
} rgSensorInfo;

const rgSensorInfo* rg_sensor_info(rgSensorKind kind); // NULL past the end

#define RG_SENSOR_INFO_DECLARATION(NAME, name, word)                                               \
  extern const rgSensorInfo rg_sensor_info_##name;
RG_SENSOR_KINDS(RG_SENSOR_INFO_DECLARATION)
#undef RG_SENSOR_INFO_DECLARATION

enum { RG_SENSOR_NAME_SIZE = 64 };

struct rgSensor {
  const rgSensorInfo* info;
  rgSensorDef def;
  char name[RG_SENSOR_NAME_SIZE];
  int value_start, value_count;
  // At the start of the step that is being made, of sensors on bodies: the pose of the body frame and the
  // velocity of the sensor.
  rgPose start;
  rgVec3 start_velocity; // [m/s]
};

// Where the sensor is now in the world, and how its place moves. False when the body was removed.
bool rg_sensor_pose(const rgWorld* world, const rgSensor* sensor, rgPose* pose);
bool rg_sensor_twist(const rgWorld* world, const rgSensor* sensor, rgTwist* twist);
// The orientation half-way between two, along the shorter arc.
rgQuat rg_sensor_halfway(rgQuat a, rgQuat b);

static inline void rg_sensor_write(rgVec3 v, double* values) {
  values[0] = v.x, values[1] = v.y, values[2] = v.z;
}

#endif
