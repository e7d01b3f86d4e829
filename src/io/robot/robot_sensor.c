// robot_sensor.c - sensors of a scene from those of a robot.
//
// A sensor on a link is one on the body of its root. Force and torque are those of the joint that holds
// the body; of links that move as one with their parents, and of bodies that no joint holds, nobody knows
// them. A joint of the file may be one axis of several of a joint of the scene: then its sensor would show
// more than was asked for, and is left out.
#include "io/robot/robot.h"

#include "math/vec.h"
#include "sensor/sensor.h"

#include <stdio.h>
#include <string.h>

static bool leave_out(rgRobot* robot, const rgRobotSensor* from, const char* why) {
  char key[80];
  snprintf(key, sizeof key, "sensor %.60s", from->what);
  rg_robot_remark(robot, from->place, key, "<%s> is left out: %s", from->what, why);
  return true;
}

static rgSceneJoint* scene_joint(rgRobot* robot, int index) {
  return (rgSceneJoint*)robot->scene->joints.items + index;
}

// Sensors name joints: one without a name gets one.
static const char* name_joint(rgRobot* robot, int index) {
  rgSceneJoint* joint = scene_joint(robot, index);
  if (!joint->name[0])
    joint->name = rg_robot_text(robot, "joint%d", index);
  return joint->name;
}

static bool name_is_taken(const rgRobot* robot, const char* name) {
  const rgSceneSensor* sensors = robot->scene->sensors.items;
  for (int i = 0; i < robot->scene->sensors.count; i++)
    if (strncmp(sensors[i].name, name, RG_SCENE_NAME_MAX) == 0)
      return true;
  return false;
}

static rgSceneSensor* append(rgRobot* robot, const rgRobotSensor* from) {
  const char* name = from->name[0]
                         ? from->name
                         : rg_robot_text(robot, "%s%d", from->what, robot->scene->sensors.count);
  if (name_is_taken(robot, name))
    name = rg_robot_text(robot, "%.30s#%d", name, robot->scene->sensors.count);
  rgSceneSensor* sensor =
      rg_robot_append(robot, &robot->scene->sensors, &rg_scene_sensor_object, from->place);
  sensor->kind = (int)from->kind;
  sensor->name = name;
  rg_robot_give(&rg_scene_sensor_object, sensor, "kind");
  rg_robot_give(&rg_scene_sensor_object, sensor, "name");
  return sensor;
}

static void give_frame(rgSceneSensor* sensor, rgPose frame) {
  sensor->frame = frame;
  rg_robot_give(&rg_scene_sensor_object, sensor, "position");
  rg_robot_give(&rg_scene_sensor_object, sensor, "orientation");
}

static bool add_on_body(rgRobot* robot, const rgRobotSensor* from) {
  const rgRobotLink* link = &robot->links[from->link];
  int body = robot->links[link->root].body;
  if (body < 0)
    return leave_out(robot, from, "it sits on the world, which has no shapes and is no body");
  rgSceneSensor* sensor = append(robot, from);
  sensor->body = (rgSceneBodyRef){body, -1};
  rg_robot_give(&rg_scene_sensor_object, sensor, "body");
  if (rg_sensor_info(from->kind)->needs & RG_SENSOR_TAKES_FRAME)
    give_frame(sensor, pose_mul(link->in_root, from->pose));
  return true;
}

static bool add_wrench(rgRobot* robot, const rgRobotSensor* from) {
  const rgRobotLink* link = &robot->links[from->link];
  const rgRobotJoint* joint =
      link->joint_count > 0 ? &robot->joints[link->first_joint + link->joint_count - 1] : NULL;
  if (link->root != from->link)
    return leave_out(robot, from,
                     "its body moves as one with its parent, and the force between "
                     "them is not known");
  if (!joint || joint->scene_joint < 0)
    return leave_out(robot, from, "no joint holds its body");
  const rgSceneJoint* held = scene_joint(robot, joint->scene_joint);
  rgPose frame = pose_mul(pose_inverse(held->frame_b), from->pose);
  rgSceneSensor* sensor = append(robot, from);
  sensor->joint = name_joint(robot, joint->scene_joint);
  rg_robot_give(&rg_scene_sensor_object, sensor, "joint");
  give_frame(sensor, frame);
  return true;
}

static bool add_on_joint(rgRobot* robot, const rgRobotSensor* from) {
  int index = robot->joints[from->joint].scene_joint;
  if (index < 0)
    return leave_out(robot, from, "its joint leaves the body free");
  if (rg_joint_axis_count((rgJointKind)scene_joint(robot, index)->kind) != 1)
    return leave_out(robot, from, "its joint is one axis of a joint with several");
  rgSceneSensor* sensor = append(robot, from);
  sensor->joint = name_joint(robot, index);
  rg_robot_give(&rg_scene_sensor_object, sensor, "joint");
  return true;
}

bool rg_robot_build_sensors(rgRobot* robot) {
  if (!rg_robot_room(robot, &robot->scene->sensors, &rg_scene_sensor_object, robot->sensor_count))
    return false;
  for (int i = 0; i < robot->sensor_count; i++) {
    const rgRobotSensor* from = &robot->sensors[i];
    bool good = from->kind == RG_SENSOR_FORCE_TORQUE ? add_wrench(robot, from)
                : from->joint >= 0                   ? add_on_joint(robot, from)
                                                     : add_on_body(robot, from);
    if (!good || robot->status != RG_OK)
      return false;
  }
  return true;
}
