// contact.c - forces of contacts on a body, by all others or by one: means over the step (load.h).
#include "sensor/sensor.h"

static bool contact_force(const rgWorld* world, const rgSensor* sensor, double* values) {
  if (!rg_world_has_loads(world) || !rg_world_body_slot(world, sensor->def.body))
    return false;
  rg_sensor_write(rg_body_contact_force(world, sensor->def.body, sensor->def.other).force, values);
  return true;
}

static bool touch(const rgWorld* world, const rgSensor* sensor, double* values) {
  if (!rg_world_has_loads(world) || !rg_world_body_slot(world, sensor->def.body))
    return false;
  values[0] = rg_body_normal_force(world, sensor->def.body, sensor->def.other);
  return true;
}

#define OF_CONTACTS (RG_SENSOR_NEEDS_BODY | RG_SENSOR_TAKES_OTHER)

const rgSensorInfo rg_sensor_info_contact_force = {
    .name = "contact-force",
    .summary = "sum of the contact forces on the body, by all others or by `other`, in world axes",
    .needs = OF_CONTACTS,
    .of_step = true,
    .count = 3,
    .values = {"x", "y", "z"},
    .units = {"N", "N", "N"},
    .measure = contact_force,
};

const rgSensorInfo rg_sensor_info_touch = {
    .name = "touch",
    .summary = "sum of the normal forces of all contacts of the body, or of those with `other`",
    .needs = OF_CONTACTS,
    .of_step = true,
    .count = 1,
    .values = {"force"},
    .units = {"N"},
    .measure = touch,
};
