// place.c - where a sensor is and how it moves: of the state alone.
#include "sensor/sensor.h"

static bool position(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  if (!rg_sensor_pose(world, sensor, &pose))
    return false;
  rg_sensor_write(pose.position, values);
  return true;
}

static bool orientation(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  if (!rg_sensor_pose(world, sensor, &pose))
    return false;
  rgQuat q = pose.orientation;
  values[0] = q.w, values[1] = q.x, values[2] = q.y, values[3] = q.z;
  return true;
}

static bool velocity(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgTwist twist;
  if (!rg_sensor_twist(world, sensor, &twist))
    return false;
  rg_sensor_write(twist.linear, values);
  return true;
}

static bool velocimeter(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  rgTwist twist;
  if (!rg_sensor_pose(world, sensor, &pose) || !rg_sensor_twist(world, sensor, &twist))
    return false;
  rg_sensor_write(quat_unrotate(pose.orientation, twist.linear), values);
  return true;
}

static bool gyro(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  rgTwist twist;
  if (!rg_sensor_pose(world, sensor, &pose) || !rg_sensor_twist(world, sensor, &twist))
    return false;
  rg_sensor_write(quat_unrotate(pose.orientation, twist.angular), values);
  return true;
}

#define ON_BODY (RG_SENSOR_NEEDS_BODY | RG_SENSOR_TAKES_FRAME)

const rgSensorInfo rg_sensor_info_position = {
    .name = "position",
    .summary = "position of the sensor in the world",
    .needs = ON_BODY,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"m", "m", "m"},
    .measure = position,
};

const rgSensorInfo rg_sensor_info_orientation = {
    .name = "orientation",
    .summary = "orientation of the sensor in the world, as a unit quaternion",
    .needs = ON_BODY,
    .count = 4,
    .values = {"w", "x", "y", "z"},
    .units = {"", "", "", ""},
    .measure = orientation,
};

const rgSensorInfo rg_sensor_info_velocity = {
    .name = "velocity",
    .summary = "velocity of the place of the sensor, in world axes",
    .needs = ON_BODY,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"m/s", "m/s", "m/s"},
    .measure = velocity,
};

const rgSensorInfo rg_sensor_info_velocimeter = {
    .name = "velocimeter",
    .summary = "velocity of the place of the sensor, in sensor axes",
    .needs = ON_BODY,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"m/s", "m/s", "m/s"},
    .measure = velocimeter,
};

const rgSensorInfo rg_sensor_info_gyro = {
    .name = "gyro",
    .summary = "angular velocity of the body, in sensor axes",
    .needs = ON_BODY,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"rad/s", "rad/s", "rad/s"},
    .measure = gyro,
};
