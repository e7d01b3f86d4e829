// accelerometer.c - proper acceleration of a place on a body, mean over the step.
//
// With v_s the velocity of the place, at the start and at the end of the step,
//
//     a = (v_s+ - v_s) / h - g,
//
// in the axes of the sensor half-way through the step. This is the exact mean of the step's movement:
// impacts and corrections of velocity are in it. Of a body that turns evenly with w at the distance r,
// v_s+ - v_s is the chord of an arc: along the radius half-way, so that no part of the mean is off it, and
// w^2 r h long up to (w h)^2 / 24 of it, or (w h)^2 / 8 where a step turns bodies by 2 atan(w h / 2).
#include "sensor/sensor.h"

static bool measure(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  rgTwist twist;
  if (!rg_sensor_pose(world, sensor, &pose) || !rg_sensor_twist(world, sensor, &twist))
    return false;
  rgVec3 change = v3_sub(twist.linear, sensor->start_velocity);
  rgVec3 a = v3_sub(v3_scale(change, 1 / world->options.step), world->options.gravity);
  rgQuat start = quat_mul(sensor->start.orientation, sensor->def.frame.orientation);
  rg_sensor_write(quat_unrotate(rg_sensor_halfway(start, pose.orientation), a), values);
  return true;
}

const rgSensorInfo rg_sensor_info_accelerometer = {
    .name = "accelerometer",
    .summary = "proper acceleration of the place of the sensor, in sensor axes: +g upwards at rest",
    .needs = RG_SENSOR_NEEDS_BODY | RG_SENSOR_TAKES_FRAME,
    .of_step = true,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"m/s2", "m/s2", "m/s2"},
    .measure = measure,
};
