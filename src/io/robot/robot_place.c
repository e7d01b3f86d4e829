// robot_place.c - where links stand and how they move in the initial configuration.
//
// Going from parents to children: a link stands at its pose in the parent's frame, and each of its
// joints moves it on. A hinge with the anchor p (fixed in the link) turns R to R exp(a (q - q0)),
// and moves the origin so that p stays; a slide moves the origin along R a. Velocities add up in
// the same order: a joint contributes its own motion, and carries the origin of what is behind it
// along, which after all joints is seen from the last origin.
#include "io/robot/robot.h"

#include "math/vec.h"

// Turns the frame about a point of its own.
static void turn(rgPose* pose, rgVec3 point, rgQuat by) {
  rgVec3 anchor = pose_apply(*pose, point);
  pose->orientation = quat_unit(quat_mul(pose->orientation, by));
  pose->position = v3_sub(anchor, quat_rotate(pose->orientation, point));
}

static rgQuat quat_of(const double* q) { return (rgQuat){q[0], q[1], q[2], q[3]}; }

// The velocity of the frame's origin after it has moved from `from` to `to` on a rigid body.
static rgTwist carried(rgTwist v, rgVec3 from, rgVec3 to) {
  return (rgTwist){v3_add(v.linear, v3_cross(v.angular, v3_sub(to, from))), v.angular};
}

static void apply_joint(const rgRobotJoint* joint, rgPose* pose, rgTwist* velocity) {
  rgVec3 axis = v3_unit_or(joint->axis, v3(0, 0, 1)), before = pose->position;
  rgVec3 anchor = pose_apply(*pose, joint->point);
  double moved = joint->position[0] - joint->reference;
  rgTwist own = {v3_zero(), v3_zero()};
  switch (joint->kind) {
  case RG_ROBOT_HINGE:
    own.angular = v3_scale(quat_rotate(pose->orientation, axis), joint->rate[0]);
    turn(pose, joint->point, rg_robot_turn(axis, moved));
    break;
  case RG_ROBOT_SLIDE:
    own.linear = v3_scale(quat_rotate(pose->orientation, axis), joint->rate[0]);
    pose->position = v3_axpy(pose->position, moved, quat_rotate(pose->orientation, axis));
    break;
  case RG_ROBOT_BALL:
    turn(pose, joint->point, quat_unit(quat_of(joint->position)));
    own.angular =
        quat_rotate(pose->orientation, v3(joint->rate[0], joint->rate[1], joint->rate[2]));
    break;
  case RG_ROBOT_FREE:
    pose->position = v3(joint->position[0], joint->position[1], joint->position[2]);
    pose->orientation = quat_unit(quat_of(joint->position + 3));
    *velocity = (rgTwist){
        v3(joint->rate[0], joint->rate[1], joint->rate[2]),
        quat_rotate(pose->orientation, v3(joint->rate[3], joint->rate[4], joint->rate[5]))};
    return;
  }
  *velocity = carried(*velocity, before, pose->position);
  velocity->angular = v3_add(velocity->angular, own.angular);
  velocity->linear = v3_add(v3_add(velocity->linear, own.linear),
                            v3_cross(own.angular, v3_sub(pose->position, anchor)));
}

// A free link that carries others stands still when the base is to be fixed.
static bool is_fixed_base(const rgRobot* robot, int link) {
  if (!robot->options->fixed_base || robot->links[link].joint_count != 1 ||
      robot->joints[robot->links[link].first_joint].kind != RG_ROBOT_FREE)
    return false;
  for (int i = link + 1; i < robot->link_count; i++) {
    int parent = robot->links[i].parent;
    while (parent > link && robot->links[parent].joint_count == 0)
      parent = robot->links[parent].parent;
    if (parent == link && robot->links[i].joint_count > 0)
      return true;
  }
  return false;
}

void rg_robot_place_links(rgRobot* robot) {
  robot->links[0].placed = robot->links[0].in_root = pose_identity();
  for (int i = 1; i < robot->link_count; i++) {
    rgRobotLink* link = &robot->links[i];
    const rgRobotLink* parent = &robot->links[link->parent];
    rgPose pose = pose_mul(parent->placed, link->pose);
    pose.orientation = quat_unit(pose.orientation);
    rgTwist velocity = carried(parent->velocity, parent->placed.position, pose.position);
    for (int j = 0; j < link->joint_count; j++) {
      rgRobotJoint* joint = &robot->joints[link->first_joint + j];
      apply_joint(joint, &pose, &velocity);
      joint->after = pose;
      joint->after_velocity = velocity;
    }
    if (is_fixed_base(robot, i)) {
      link->pose = pose_mul(pose_inverse(parent->placed), pose);
      link->joint_count = 0;
      velocity = (rgTwist){v3_zero(), v3_zero()};
    }
    link->placed = pose;
    link->velocity = velocity;
    bool own = link->joint_count > 0 || link->carried;
    link->root = own ? i : parent->root;
    link->in_root = own ? pose_identity() : pose_mul(parent->in_root, link->pose);
  }
}
