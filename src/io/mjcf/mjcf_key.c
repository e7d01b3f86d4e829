// mjcf_key.c - the initial configuration: a <key> of <keyframe>.
#include "io/mjcf/mjcf.h"

#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

static const int position_counts[] = {
    [RG_ROBOT_HINGE] = 1, [RG_ROBOT_SLIDE] = 1, [RG_ROBOT_BALL] = 4, [RG_ROBOT_FREE] = 7};
static const int rate_counts[] = {
    [RG_ROBOT_HINGE] = 1, [RG_ROBOT_SLIDE] = 1, [RG_ROBOT_BALL] = 3, [RG_ROBOT_FREE] = 6};

// The key that is asked for by its name or number; the first one by default.
static const rgXmlElement* find_key(rgMjcf* m, bool* none) {
  const char* wanted = m->robot->options->key;
  const rgXmlElement* last = NULL;
  int number = 0;
  *none = wanted && strcmp(wanted, "none") == 0;
  for (const rgXmlElement* section = m->root->child; section && !*none; section = section->next)
    for (const rgXmlElement* e = strcmp(section->name, "keyframe") == 0 ? section->child : NULL; e;
         e = e->next, number++) {
      last = e;
      char* end;
      long index = wanted ? strtol(wanted, &end, 10) : 0;
      bool numbered = !wanted || (*wanted && !*end);
      if ((numbered && index == number) ||
          (wanted && strcmp(rg_robot_string(e, "name", ""), wanted) == 0))
        return e;
    }
  if (wanted && !*none)
    rg_robot_fail(m->robot, rg_robot_place(last ? last : m->root),
                  "no <key> has the name or number \"%.60s\"; the file has %d", wanted, number);
  return NULL;
}

// Numbers of a key: as many as wanted, or NULL when it has none.
static bool read_list(rgMjcf* m, const rgXmlElement* key, const char* name, int count,
                      double** values) {
  int found;
  *values = NULL;
  if (!rg_xml_attribute(key, name))
    return true;
  double* room = rg_pool_take(&m->robot->scratch, (size_t)count, sizeof *room);
  if (!room)
    return rg_robot_no_memory(m->robot);
  if (!rg_robot_reals(m->robot, key, name, count, count, room, &found))
    return false;
  *values = count > 0 ? room : NULL;
  return true;
}

static bool place_carried(rgMjcf* m, const rgXmlElement* key) {
  rgRobot* robot = m->robot;
  int count = 0;
  for (int i = 0; i < robot->link_count; i++)
    count += robot->links[i].carried;
  double *positions, *quats;
  if (!read_list(m, key, "mpos", 3 * count, &positions) ||
      !read_list(m, key, "mquat", 4 * count, &quats))
    return false;
  for (int i = 0, n = 0; i < robot->link_count; i++) {
    rgPose* pose = &robot->links[i].pose;
    if (!robot->links[i].carried)
      continue;
    if (positions)
      pose->position = v3(positions[3 * n], positions[3 * n + 1], positions[3 * n + 2]);
    rgQuat q = quats ? (rgQuat){quats[4 * n], quats[4 * n + 1], quats[4 * n + 2], quats[4 * n + 3]}
                     : pose->orientation;
    if (!(quat_norm2(q) > 0))
      return rg_robot_fail(robot, rg_robot_place(key), "mquat of <key> is zero");
    pose->orientation = quat_unit(q);
    n++;
  }
  return true;
}

static bool set_joint(rgMjcf* m, const rgXmlElement* key, rgRobotJoint* joint,
                      const double* position, const double* rate) {
  if (position)
    memcpy(joint->position, position, (size_t)position_counts[joint->kind] * sizeof *position);
  if (rate)
    memcpy(joint->rate, rate, (size_t)rate_counts[joint->kind] * sizeof *rate);
  const double* q = joint->kind == RG_ROBOT_FREE   ? joint->position + 3
                    : joint->kind == RG_ROBOT_BALL ? joint->position
                                                   : NULL;
  if (q && !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0))
    return rg_robot_fail(m->robot, rg_robot_place(key), "qpos of <key> has a quaternion of zero");
  if (joint->kind == RG_ROBOT_HINGE && fabs(joint->position[0]) > RG_PI)
    rg_robot_remark(m->robot, rg_robot_place(key), "turns",
                    "a hinge stands at %g rad; it is taken within half a turn of 0",
                    joint->position[0]);
  return true;
}

bool rg_mjcf_read_key(rgMjcf* m) {
  rgRobot* robot = m->robot;
  bool none;
  const rgXmlElement* key = find_key(m, &none);
  if (!key)
    return robot->status == RG_OK;
  int positions = 0, rates = 0;
  for (int i = 0; i < robot->joint_count; i++) {
    positions += position_counts[robot->joints[i].kind];
    rates += rate_counts[robot->joints[i].kind];
  }
  double *qpos, *qvel, *ctrl;
  if (!read_list(m, key, "qpos", positions, &qpos) || !read_list(m, key, "qvel", rates, &qvel) ||
      !read_list(m, key, "ctrl", m->control_count, &ctrl) || !place_carried(m, key))
    return false;
  for (int i = 0; i < robot->joint_count; i++) {
    rgRobotJoint* joint = &robot->joints[i];
    if (!set_joint(m, key, joint, qpos, qvel))
      return false;
    qpos = qpos ? qpos + position_counts[joint->kind] : NULL;
    qvel = qvel ? qvel + rate_counts[joint->kind] : NULL;
  }
  rg_mjcf_set_controls(m, ctrl);
  return true;
}
