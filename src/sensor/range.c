// range.c - distance along the z axis of the sensor, in a plane along its x axis, to the first shape of
// another body.
#include "sensor/sensor.h"
#include <rigor/query.h>

static bool measure(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgPose pose;
  if (!rg_sensor_pose(world, sensor, &pose))
    return false;
  rgVec3 axis = world->dimension == 2 ? v3(1, 0, 0) : v3(0, 0, 1);
  rgRay ray = {pose.position, quat_rotate(pose.orientation, axis), sensor->def.length};
  rgQueryFilter filter = rg_query_filter();
  filter.ignore = sensor->def.body;
  rgRayHit hit;
  rgStatus status = rg_world_ray(world, &ray, &filter, &hit, NULL);
  values[0] = status == RG_OK ? hit.distance : HUGE_VAL;
  return status != RG_ERROR_INPUT;
}

const rgSensorInfo rg_sensor_info_range = {
    .name = "range",
    .summary = "distance along z of the sensor (2D: along x) to the first shape of another body; "
               "infinite when there is none within `length`",
    .needs = RG_SENSOR_NEEDS_BODY | RG_SENSOR_TAKES_FRAME | RG_SENSOR_TAKES_LENGTH,
    .count = 1,
    .values = {"distance"},
    .units = {"m"},
    .measure = measure,
};
