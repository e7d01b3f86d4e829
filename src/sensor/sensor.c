// sensor.c - the sensors of a world: adding them, and measuring at the start and the end of a step.
//
// A world knows of sensors only an array of numbers, which is state, and two functions that a step calls
// (rgSensing in world.h). They are set as the first sensor is added.
#include "sensor/sensor.h"

#include "base/memory.h"

#include <string.h>

struct rgSensors {
  RG_ARRAY(rgSensor, items);
  int count;
};

// -------------------------------------------------------------------------------------------------
// Kinds
// -------------------------------------------------------------------------------------------------

static const rgSensorInfo* const kinds[RG_SENSOR_KIND_COUNT] = {
#define RG_SENSOR_ROW(NAME, name, word) [RG_SENSOR_##NAME] = &rg_sensor_info_##name,
    RG_SENSOR_KINDS(RG_SENSOR_ROW)
#undef RG_SENSOR_ROW
};

const rgSensorInfo* rg_sensor_info(rgSensorKind kind) {
  return (unsigned)kind < RG_SENSOR_KIND_COUNT ? kinds[kind] : NULL;
}

const char* rg_sensor_kind_name(rgSensorKind kind) {
  return rg_sensor_info(kind) ? rg_sensor_info(kind)->name : NULL;
}

const char* rg_sensor_kind_summary(rgSensorKind kind) {
  return rg_sensor_info(kind) ? rg_sensor_info(kind)->summary : NULL;
}

rgSensorDef rg_sensor_def(rgSensorKind kind) {
  return (rgSensorDef){.kind = kind, .frame = pose_identity(), .length = HUGE_VAL};
}

// -------------------------------------------------------------------------------------------------
// Places
// -------------------------------------------------------------------------------------------------

bool rg_sensor_pose(const rgWorld* world, const rgSensor* sensor, rgPose* pose) {
  const rgBody* body = rg_world_body_slot(world, sensor->def.body);
  if (body)
    *pose = pose_mul(rg_body_frame(body), sensor->def.frame);
  return body != NULL;
}

bool rg_sensor_twist(const rgWorld* world, const rgSensor* sensor, rgTwist* twist) {
  const rgBody* body = rg_world_body_slot(world, sensor->def.body);
  rgPose pose;
  if (!rg_sensor_pose(world, sensor, &pose))
    return false;
  rgVec3 arm = v3_sub(pose.position, body->position);
  *twist = (rgTwist){v3_add(body->velocity.linear, v3_cross(body->velocity.angular, arm)),
                     body->velocity.angular};
  return true;
}

rgQuat rg_sensor_halfway(rgQuat a, rgQuat b) {
  double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  rgQuat sum = {a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z};
  return quat_unit(sum);
}

// -------------------------------------------------------------------------------------------------
// Measuring
// -------------------------------------------------------------------------------------------------

static void measure(rgWorld* world, bool of_step) {
  rgSensing* sensing = &world->user.sensing;
  for (int i = 0; i < sensing->sensors->count; i++) {
    const rgSensor* sensor = &sensing->sensors->items[i];
    double* values = sensing->values + sensor->value_start;
    if (sensor->info->of_step && !of_step)
      continue;
    if (!sensor->info->measure(world, sensor, values))
      for (int k = 0; k < sensor->value_count; k++)
        values[k] = (double)NAN;
  }
}

// Before a step: what means over it are measured from.
static void begin(rgWorld* world) {
  struct rgSensors* sensors = world->user.sensing.sensors;
  for (int i = 0; i < sensors->count; i++) {
    rgSensor* sensor = &sensors->items[i];
    rgTwist twist;
    if (!rg_sensor_twist(world, sensor, &twist))
      continue;
    sensor->start = rg_body_frame(rg_world_body_slot(world, sensor->def.body));
    sensor->start_velocity = twist.linear;
  }
}

static void end(rgWorld* world) { measure(world, true); }

void rg_world_measure(rgWorld* world) {
  if (world->user.sensing.sensors)
    measure(world, false);
}

// -------------------------------------------------------------------------------------------------
// Adding
// -------------------------------------------------------------------------------------------------

static void release(rgWorld* world) {
  rgSensing* sensing = &world->user.sensing;
  struct rgSensors* sensors = sensing->sensors;
  rg_release(&world->allocator, sensors->items,
             (size_t)sensors->items_capacity * sizeof *sensors->items);
  rg_release(&world->allocator, sensing->values,
             (size_t)sensing->values_capacity * sizeof *sensing->values);
  rg_release(&world->allocator, sensors, sizeof *sensors);
  *sensing = (rgSensing){0};
}

static int value_count(const rgWorld* world, const rgSensorInfo* info, const rgSensorDef* def) {
  return info->of_axes ? rg_world_joint_slot(world, def->joint)->info->axis_count : info->count;
}

static rgStatus check(rgWorld* world, const rgSensorDef* def) {
  const rgSensorInfo* info = rg_sensor_info(def->kind);
  if (!info)
    return rg_world_fail(world, RG_ERROR_INPUT, "kind is %d, must be one of rgSensorKind",
                         (int)def->kind);
  if (info->needs & RG_SENSOR_NEEDS_BODY && !rg_world_body_slot(world, def->body))
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "a %s sensor needs a body that is there",
                         info->name);
  if (info->needs & RG_SENSOR_NEEDS_JOINT && !rg_world_joint_slot(world, def->joint))
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "a %s sensor needs a joint that is there",
                         info->name);
  if (info->needs & RG_SENSOR_TAKES_OTHER && def->other.generation != 0 &&
      !rg_world_body_slot(world, def->other))
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "the other body of a %s sensor is not there",
                         info->name);
  if (!v3_finite(def->frame.position) || !(fabs(quat_norm2(def->frame.orientation) - 1) <= 1e-6))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "frame is not finite or its orientation is not of norm 1");
  if (!(def->length > 0))
    return rg_world_fail(world, RG_ERROR_INPUT, "length is %.9g, must be > 0", def->length);
  if (def->name && def->name[0] && rg_world_find_sensor(world, def->name) >= 0)
    return rg_world_fail(world, RG_ERROR_INPUT, "there is a sensor \"%.63s\" already", def->name);
  if (info->of_axes && value_count(world, info, def) == 0)
    return rg_world_fail(world, RG_ERROR_INPUT, "a %s sensor needs a joint with free axes",
                         info->name);
  return rg_plane_pose(world, def->frame, &world->message);
}

static bool reserve(rgWorld* world, int values) {
  rgSensing* sensing = &world->user.sensing;
  if (!sensing->sensors) {
    sensing->sensors = rg_allocate(&world->allocator, sizeof *sensing->sensors);
    if (!sensing->sensors)
      return false;
    sensing->begin = begin;
    sensing->end = end;
    sensing->release = release;
  }
  return RG_SET_RESERVE(world, sensing->sensors, items, sensing->sensors->count + 1) &&
         RG_SET_RESERVE(world, sensing, values, sensing->value_count + values);
}

rgStatus rg_world_add_sensor(rgWorld* world, const rgSensorDef* def, int* index) {
  rgStatus status = check(world, def);
  if (status != RG_OK)
    return status;
  const rgSensorInfo* info = rg_sensor_info(def->kind);
  int count = value_count(world, info, def);
  if (!reserve(world, count))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a sensor");
  rgSensing* sensing = &world->user.sensing;
  rgSensor* sensor = &sensing->sensors->items[sensing->sensors->count];
  *sensor = (rgSensor){
      .info = info, .def = *def, .value_start = sensing->value_count, .value_count = count};
  sensor->def.frame.orientation = quat_unit(def->frame.orientation);
  if (def->name)
    strncpy(sensor->name, def->name, sizeof sensor->name - 1);
  sensor->def.name = NULL;
  double* values = sensing->values + sensing->value_count;
  if (info->of_step || !info->measure(world, sensor, values))
    for (int i = 0; i < count; i++)
      values[i] = (double)NAN;
  sensing->value_count += count;
  if (index)
    *index = sensing->sensors->count;
  sensing->sensors->count++;
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

int rg_world_sensor_count(const rgWorld* world) {
  return world->user.sensing.sensors ? world->user.sensing.sensors->count : 0;
}

static const rgSensor* sensor_at(const rgWorld* world, int index) {
  bool there = index >= 0 && index < rg_world_sensor_count(world);
  return there ? &world->user.sensing.sensors->items[index] : NULL;
}

int rg_world_find_sensor(const rgWorld* world, const char* name) {
  for (int i = 0; name && name[0] && i < rg_world_sensor_count(world); i++)
    if (strncmp(sensor_at(world, i)->name, name, RG_SENSOR_NAME_SIZE - 1) == 0)
      return i;
  return -1;
}

rgSensorView rg_world_sensor(const rgWorld* world, int index) {
  const rgSensor* sensor = sensor_at(world, index);
  rgSensorView view = {.def = rg_sensor_def(RG_SENSOR_POSITION)};
  if (sensor)
    view = (rgSensorView){sensor->def, sensor->value_start, sensor->value_count};
  view.def.name = sensor ? sensor->name : "";
  return view;
}

// Past the end of the values NULL.
static const rgSensor* with_value(const rgWorld* world, int index, int value) {
  const rgSensor* sensor = sensor_at(world, index);
  return sensor && value >= 0 && value < sensor->value_count ? sensor : NULL;
}

const char* rg_sensor_value_name(const rgWorld* world, int index, int value) {
  const rgSensor* sensor = with_value(world, index, value);
  if (!sensor)
    return "";
  if (!sensor->info->of_axes)
    return sensor->info->values[value];
  const rgJoint* joint = rg_world_joint_slot(world, sensor->def.joint);
  return joint ? joint->info->axes[value].name : "";
}

const char* rg_sensor_value_unit(const rgWorld* world, int index, int value) {
  const rgSensor* sensor = with_value(world, index, value);
  if (!sensor)
    return "";
  if (!sensor->info->of_axes)
    return sensor->info->units[value];
  const rgJoint* joint = rg_world_joint_slot(world, sensor->def.joint);
  bool angle = joint && rg_joint_axis_is_angle(joint->def.kind, value);
  return joint ? sensor->info->units[angle] : "";
}

int rg_world_sensor_value_count(const rgWorld* world) { return world->user.sensing.value_count; }

const double* rg_world_sensor_values(const rgWorld* world) { return world->user.sensing.values; }
