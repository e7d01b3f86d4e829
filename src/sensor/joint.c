// joint.c - what a joint does: coordinates, rates and forces along its free axes, and the whole wrench
// that it hands on.
//
// Force-torque: the wrench w at the centre of mass c of B (or, where B is the ground, the opposite of that
// of A) is what all rows of the joint give, its drives included. At the sensor s it is
//
//     f = w.force,  m = w.torque + (c - s) x f,
//
// with c - s and the axes of the sensor half-way through the step, as its mean wants.
#include "sensor/sensor.h"
#include "step/step.h"

static bool joint_state(const rgWorld* world, const rgSensor* sensor, rgJointState* state) {
  return rg_joint_state(world, sensor->def.joint, state) == RG_OK;
}

static bool coordinate(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgJointState state;
  bool known = joint_state(world, sensor, &state);
  for (int i = 0; known && i < state.axis_count; i++)
    values[i] = state.coordinate[i];
  return known;
}

static bool rate(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgJointState state;
  bool known = joint_state(world, sensor, &state);
  for (int i = 0; known && i < state.axis_count; i++)
    values[i] = state.rate[i];
  return known;
}

static bool force(const rgWorld* world, const rgSensor* sensor, double* values) {
  rgJointState state;
  bool known = joint_state(world, sensor, &state);
  for (int i = 0; known && i < state.axis_count; i++)
    values[i] = state.force[i];
  return known;
}

// The pose of the centre of mass of a body, half-way through the step.
static rgPose halfway(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  const rgBodyState* before = &world->step->bodies[rg_slot_of(world, body)].before;
  return (rgPose){v3_scale(v3_add(before->position, body->position), 0.5),
                  rg_sensor_halfway(before->orientation, body->orientation)};
}

static bool force_torque(const rgWorld* world, const rgSensor* sensor, double* values) {
  const rgJoint* joint = rg_world_joint_slot(world, sensor->def.joint);
  rgJointLoad load;
  if (!joint || !rg_joint_load(world, sensor->def.joint, &load))
    return false;
  bool grounded = load.body_b.generation == 0;
  rgBodyId held = grounded ? load.body_a : load.body_b;
  rgWrench wrench = grounded ? load.on_a : load.on_b;
  rgPose center = halfway(world, held), site = pose_mul(joint->frame_b, sensor->def.frame);
  if (!grounded) { // the frame of the joint is in that of the body
    const rgBody* body = rg_world_body_slot(world, held);
    rgPose frame = {v3_sub(center.position, quat_rotate(center.orientation, body->center)),
                    center.orientation};
    site = pose_mul(frame, site);
  }
  double sign = grounded ? -1 : 1;
  rgVec3 arm = v3_sub(center.position, site.position);
  rgVec3 torque = v3_add(wrench.torque, v3_cross(arm, wrench.force));
  rg_sensor_write(v3_scale(quat_unrotate(site.orientation, wrench.force), sign), values);
  rg_sensor_write(v3_scale(quat_unrotate(site.orientation, torque), sign), values + 3);
  return true;
}

const rgSensorInfo rg_sensor_info_joint_coordinate = {
    .name = "joint-coordinate",
    .summary = "coordinate of each free axis of the joint",
    .needs = RG_SENSOR_NEEDS_JOINT,
    .of_axes = true,
    .units = {"m", "rad"},
    .measure = coordinate,
};

const rgSensorInfo rg_sensor_info_joint_rate = {
    .name = "joint-rate",
    .summary = "rate of each free axis of the joint",
    .needs = RG_SENSOR_NEEDS_JOINT,
    .of_axes = true,
    .units = {"m/s", "rad/s"},
    .measure = rate,
};

const rgSensorInfo rg_sensor_info_joint_force = {
    .name = "joint-force",
    .summary = "force on `b` along each free axis of the joint by all that acts along it: motor, "
               "servo, effort, spring, friction, limits, rotor",
    .needs = RG_SENSOR_NEEDS_JOINT,
    .of_step = true,
    .of_axes = true,
    .units = {"N", "N m"},
    .measure = force,
};

const rgSensorInfo rg_sensor_info_force_torque = {
    .name = "force-torque",
    .summary = "what `a` does to `b` through the joint: force, and torque about the sensor, in "
               "sensor axes",
    .needs = RG_SENSOR_NEEDS_JOINT | RG_SENSOR_TAKES_FRAME,
    .of_step = true,
    .count = 6,
    .values = {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"},
    .units = {"N", "N", "N", "N m", "N m", "N m"},
    .measure = force_torque,
};
