// robot_joint.c - joints of a scene from the joints of a robot, alone or in series.
//
// A joint's frame F has its origin at the anchor and x along the axis, in the frame of the link in
// the reference configuration; F is fixed to both sides. The coordinate in that configuration is to
// be the model's reference r: the frame on B is F turned by r, that on A is F moved back by r; of a
// universal joint, whose first axis is fixed to A, the frame on A is turned back by the first r.
//
// Joints of one link act in series. Some series are kinds of their own:
//
//     slide, slide, hinge, all perpendicular    planar
//     slide and hinge along one axis            cylindrical
//     hinge, hinge, through one point and perpendicular            universal
//     three hinges through one point on which nothing acts         ball
//
// Others need a body between two joints, which has no mass. What stands in for it within a step
// (free_motion.c) is a part of the link's mass and of its least moment of inertia, at the anchor of the joint behind it.
#include "io/robot/robot.h"

#include "joint/joint.h"
#include "math/sym3.h"
#include "math/trig.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

// What stands in for the mass of a body between two joints, as a part of the link's: in full coordinates a round of
// the step leaves about this part of what the last one missed, and amplifies changes of its rows by the inverse.
static const double between_part = 1e-2;
// How far axes may miss each other or the right angle, relative to 1 and to the model's size.
static const double aligned = 1e-6;

typedef struct Piece {
  rgJointKind kind;
  int count; // joints of the robot
  const char* axis[3];
} Piece;

// -------------------------------------------------------------------------------------------------
// Which kind
// -------------------------------------------------------------------------------------------------

static rgVec3 unit_axis(const rgRobotJoint* joint) { return v3_unit_or(joint->axis, v3(0, 0, 1)); }

static bool perpendicular(const rgRobotJoint* a, const rgRobotJoint* b) {
  return fabs(v3_dot(unit_axis(a), unit_axis(b))) < aligned;
}

// Where two axes that are not parallel come closest to each other; false when they miss.
static bool meeting_point(const rgRobotJoint* a, const rgRobotJoint* b, rgVec3* point) {
  rgVec3 u = unit_axis(a), v = unit_axis(b), between = v3_sub(b->point, a->point);
  double c = v3_dot(u, v), d = 1 - c * c;
  if (d < aligned)
    return false;
  double s = (v3_dot(between, u) - c * v3_dot(between, v)) / d,
         t = (c * v3_dot(between, u) - v3_dot(between, v)) / d;
  rgVec3 p = v3_axpy(a->point, s, u), q = v3_axpy(b->point, t, v);
  *point = p;
  return v3_norm(v3_sub(p, q)) <= aligned * (1e-3 + v3_norm(between));
}

static bool acts(const rgRobotJoint* joint) {
  const rgJointAxis* v = &joint->axis_values;
  return isfinite(v->lower) || isfinite(v->upper) || v->friction > 0 || v->stiffness > 0 ||
         v->damping > 0 || joint->armature > 0 || joint->driven;
}

static bool is_planar(const rgRobotJoint* j, int left) {
  return left >= 3 && j[0].kind == RG_ROBOT_SLIDE && j[1].kind == RG_ROBOT_SLIDE &&
         j[2].kind == RG_ROBOT_HINGE && perpendicular(&j[0], &j[1]) &&
         perpendicular(&j[1], &j[2]) && perpendicular(&j[0], &j[2]);
}

static bool is_ball(const rgRobotJoint* j, int left) {
  rgVec3 p, q;
  for (int i = 0; i < 3; i++)
    if (left < 3 || j[i].kind != RG_ROBOT_HINGE || acts(&j[i]) || j[i].reference != 0)
      return false;
  return meeting_point(&j[0], &j[1], &p) && meeting_point(&j[1], &j[2], &q) &&
         v3_norm(v3_sub(p, q)) <= aligned * (1e-3 + v3_norm(p)) &&
         fabs(v3_dot(unit_axis(&j[0]), v3_cross(unit_axis(&j[1]), unit_axis(&j[2])))) > aligned;
}

static bool is_cylindrical(const rgRobotJoint* j, int left) {
  return left >= 2 && j[0].kind + j[1].kind == RG_ROBOT_SLIDE + RG_ROBOT_HINGE &&
         j[0].kind != j[1].kind && v3_dot(unit_axis(&j[0]), unit_axis(&j[1])) > 1 - aligned;
}

static bool is_universal(const rgRobotJoint* j, int left) {
  rgVec3 point;
  return left >= 2 && j[0].kind == RG_ROBOT_HINGE && j[1].kind == RG_ROBOT_HINGE &&
         perpendicular(&j[0], &j[1]) && meeting_point(&j[0], &j[1], &point);
}

// The longest series at the beginning that one joint of a scene stands for.
static Piece first_piece(const rgRobotJoint* j, int left) {
  if (is_planar(j, left)) {
    bool right = v3_dot(v3_cross(unit_axis(&j[2]), unit_axis(&j[0])), unit_axis(&j[1])) > 0;
    return (Piece){
        RG_JOINT_PLANAR, 3, {right ? "slide_y" : "slide_z", right ? "slide_z" : "slide_y", "turn"}};
  }
  if (is_ball(j, left))
    return (Piece){RG_JOINT_BALL, 3, {NULL, NULL, NULL}};
  if (is_cylindrical(j, left)) {
    bool slide = j[0].kind == RG_ROBOT_SLIDE;
    return (Piece){RG_JOINT_CYLINDRICAL, 2, {slide ? "slide" : "turn", slide ? "turn" : "slide"}};
  }
  if (is_universal(j, left))
    return (Piece){RG_JOINT_UNIVERSAL, 2, {"turn_a", "turn_b"}};
  switch (j->kind) {
  case RG_ROBOT_HINGE:
    return (Piece){RG_JOINT_HINGE, 1, {"turn"}};
  case RG_ROBOT_SLIDE:
    return (Piece){RG_JOINT_SLIDER, 1, {"slide"}};
  default:
    return (Piece){RG_JOINT_BALL, 1, {NULL}};
  }
}

// -------------------------------------------------------------------------------------------------
// Frames
// -------------------------------------------------------------------------------------------------

// x along one direction, y near another one.
static rgQuat axes_along(rgVec3 x, rgVec3 y) {
  rgVec3 z = v3_cross(x, y), t, o;
  v3_frame(x, &t, &o);
  z = v3_unit_or(v3_norm(z) > aligned ? z : o, o);
  return rg_robot_from_axes(x, v3_cross(z, x), z);
}

// The frames of a piece on both sides.
static void piece_frames(const Piece* piece, const rgRobotJoint* j, rgPose* on_a, rgPose* on_b) {
  rgVec3 x = unit_axis(&j[0]), y = v3_zero(), point = j[0].point;
  double turn = 0, turn_y = 0;
  rgVec3 back = v3_zero();
  for (int i = 0; i < piece->count; i++) {
    if (j[i].kind == RG_ROBOT_SLIDE)
      back = v3_axpy(back, -j[i].reference, unit_axis(&j[i]));
    if (j[i].kind == RG_ROBOT_HINGE) {
      turn_y = i == 1 && piece->kind == RG_JOINT_UNIVERSAL ? j[i].reference : turn_y;
      turn = i == 1 && piece->kind == RG_JOINT_UNIVERSAL ? turn : j[i].reference;
      if (piece->kind == RG_JOINT_CYLINDRICAL)
        point = j[i].point;
    }
  }
  if (piece->kind == RG_JOINT_PLANAR) {
    x = unit_axis(&j[2]);
    y = strcmp(piece->axis[0], "slide_y") == 0 ? unit_axis(&j[0]) : unit_axis(&j[1]);
    point = j[2].point;
  } else if (piece->kind == RG_JOINT_UNIVERSAL) {
    y = unit_axis(&j[1]);
    meeting_point(&j[0], &j[1], &point);
  } else if (piece->kind == RG_JOINT_BALL && piece->count == 3) {
    meeting_point(&j[0], &j[1], &point);
  } else if (piece->kind == RG_JOINT_BALL) {
    x = v3(1, 0, 0);
    y = v3(0, 1, 0);
  }
  rgPose frame = {point, axes_along(x, y)};
  bool universal = piece->kind == RG_JOINT_UNIVERSAL;
  rgQuat on_x = rg_robot_turn(v3(1, 0, 0), universal ? -turn : turn);
  *on_a = (rgPose){v3_add(point, back), frame.orientation};
  *on_b = frame;
  if (universal)
    on_a->orientation = quat_mul(frame.orientation, on_x);
  rgQuat turned = universal ? rg_robot_turn(v3(0, 1, 0), turn_y) : on_x;
  on_b->orientation = quat_mul(frame.orientation, turned);
}

// -------------------------------------------------------------------------------------------------
// What acts along the axes
// -------------------------------------------------------------------------------------------------

static void give_values(const rgRobotJoint* joint, rgSceneJointAxis* axis) {
  const rgSchemaObject* object = &rg_scene_joint_axis_object;
  const rgRobotDrive* drive = &joint->drive;
  axis->values = joint->axis_values;
  axis->values.armature = joint->armature;
  axis->values.servo_force = HUGE_VAL;
  if (isfinite(axis->values.lower))
    rg_robot_give(object, axis, "lower");
  if (isfinite(axis->values.upper))
    rg_robot_give(object, axis, "upper");
  if (!joint->driven)
    return;
  // Without a servo the bound is one on the effort.
  axis->values.effort = fmin(fmax(drive->effort, -drive->bound), drive->bound);
  if (!drive->servo || drive->bound == 0)
    return;
  axis->values.servo = true;
  axis->values.effort = drive->effort;
  axis->values.servo_target = drive->target;
  axis->values.servo_speed = drive->speed;
  axis->values.servo_stiffness = drive->stiffness;
  axis->values.servo_damping = drive->damping;
  axis->values.servo_force = drive->bound;
  if (isfinite(drive->bound))
    rg_robot_give(object, axis, "servo_force");
}

// One axis of the scene's joint for every joint of the robot that anything acts on.
static bool add_axes(rgRobot* robot, const Piece* piece, rgRobotJoint* j, rgSceneJoint* joint) {
  if (!rg_robot_room(robot, &joint->axes, &rg_scene_joint_axis_object, 3))
    return false;
  for (int i = 0; i < piece->count; i++) {
    j[i].scene_joint = robot->scene->joints.count - 1;
    j[i].scene_axis = piece->axis[i];
    if (!acts(&j[i]) || !piece->axis[i])
      continue;
    rgSceneJointAxis* axis =
        rg_robot_append(robot, &joint->axes, &rg_scene_joint_axis_object, j[i].place);
    axis->name = piece->axis[i];
    give_values(&j[i], axis);
  }
  return true;
}

// A ball joint: its limit bounds the angle of any turn, which the swing is for turns across x alone.
static bool add_ball_axes(rgRobot* robot, rgRobotJoint* j, rgSceneJoint* joint) {
  static const char* const turns[] = {"turn_x", "turn_y", "turn_z"};
  const rgJointAxis* values = &j->axis_values;
  if (!rg_robot_room(robot, &joint->axes, &rg_scene_joint_axis_object, 4))
    return false;
  j->scene_joint = robot->scene->joints.count - 1;
  bool acting = values->damping > 0 || values->stiffness > 0 || j->armature > 0;
  for (int i = 0; i < 3 && acting; i++) {
    rgSceneJointAxis* axis =
        rg_robot_append(robot, &joint->axes, &rg_scene_joint_axis_object, j->place);
    axis->name = turns[i];
    axis->values.damping = values->damping;
    axis->values.stiffness = values->stiffness;
    axis->values.armature = j->armature;
  }
  if (isfinite(values->upper)) {
    rgSceneJointAxis* axis =
        rg_robot_append(robot, &joint->axes, &rg_scene_joint_axis_object, j->place);
    axis->name = "swing";
    axis->values.upper = values->upper;
    rg_robot_give(&rg_scene_joint_axis_object, axis, "upper");
    rg_robot_remark(robot, j->place, "ball-limit",
                    "the limit of a ball joint bounds the tilt of its x axis; twists about that "
                    "axis stay free");
  }
  if (values->friction > 0 || j->driven)
    rg_robot_remark(robot, j->place, "ball-acts",
                    "dry friction and actuators of a ball joint are ignored");
  return true;
}

// -------------------------------------------------------------------------------------------------
// A link's joints
// -------------------------------------------------------------------------------------------------

// A massless body between two joints.
static int add_between(rgRobot* robot, const rgRobotLink* link, const rgRobotJoint* last,
                       const rgRobotJoint* next) {
  rgScene* scene = robot->scene;
  const rgSceneBody* whole = rg_scene_body(scene, link->body);
  double mass = between_part * whole->mass;
  rgVec3 moments;
  rgMat3 axes;
  rg_sym3_eigen(&whole->inertia, &moments, &axes);
  double inertia = between_part * moments.x;
  const char* name = rg_robot_text(robot, "%.30s/%.14s", link->name, last->name);
  rgSceneBody* body = rg_robot_add_body(robot, last->place, name, RG_BODY_DYNAMIC, last->after);
  body->massless = true;
  body->mass = mass;
  body->center = next->point;
  body->inertia = m3_diag(inertia, inertia, inertia);
  body->velocity.angular = last->after_velocity.angular;
  rgVec3 arm = quat_rotate(last->after.orientation, body->center);
  body->velocity.linear =
      v3_add(last->after_velocity.linear, v3_cross(body->velocity.angular, arm));
  static const char* const keys[] = {"mass", "center", "inertia", "massless"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    rg_robot_give(&rg_scene_body_object, body, keys[i]);
  rg_robot_remark(robot, last->place, "between",
                  "joints in series: there is a massless body between them (\"%.48s\")",
                  body->name);
  return scene->bodies.count - 1;
}

static bool add_piece(rgRobot* robot, const Piece* piece, rgRobotJoint* j, int body_a, rgPose to_a,
                      int body_b) {
  rgScene* scene = robot->scene;
  rgPose on_a, on_b;
  piece_frames(piece, j, &on_a, &on_b);
  rgSceneJoint* joint = rg_robot_append(robot, &scene->joints, &rg_scene_joint_object, j[0].place);
  joint->kind = (int)piece->kind;
  joint->name = j[0].name;
  for (int i = 1; i < piece->count; i++)
    joint->name = rg_robot_text(robot, "%.40s+%.40s", joint->name, j[i].name);
  joint->frame_a = pose_mul(to_a, on_a);
  joint->frame_b = on_b;
  joint->b = (rgSceneBodyRef){body_b, -1};
  if (body_a >= 0) {
    joint->a = (rgSceneBodyRef){body_a, -1};
    rg_robot_give(&rg_scene_joint_object, joint, "a");
  }
  static const char* const keys[] = {"b", "position_a", "orientation_a", "position_b",
                                     "orientation_b"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    rg_robot_give(&rg_scene_joint_object, joint, keys[i]);
  if (piece->kind == RG_JOINT_BALL && piece->count == 1)
    return add_ball_axes(robot, j, joint);
  if (piece->kind == RG_JOINT_BALL)
    rg_robot_remark(robot, j[0].place, "ball",
                    "three hinges through one point are taken as a ball joint");
  return add_axes(robot, piece, j, joint);
}

// Bodies that several joints part do not collide, as neighbours do not.
static void part_neighbours(rgRobot* robot, int a, int b) {
  rgScene* scene = robot->scene;
  if (a < 0)
    return;
  rgSceneBodyPair* pair = (rgSceneBodyPair*)scene->no_collision.items + scene->no_collision.count++;
  *pair = (rgSceneBodyPair){{a, -1}, {b, -1}};
  scene->pair_count++;
}

static bool add_link_joints(rgRobot* robot, int index) {
  rgRobotLink* link = &robot->links[index];
  const rgRobotLink* parent = &robot->links[link->parent];
  rgRobotJoint* j = &robot->joints[link->first_joint];
  // What stands still is the ground, which a joint's body may touch.
  int parent_body = parent->root == 0 ? -1 : robot->links[parent->root].body;
  rgPose to_parent = parent->root == 0 ? pose_mul(parent->placed, link->pose)
                                       : pose_mul(parent->in_root, link->pose);
  int body_a = parent_body;
  rgPose to_a = to_parent;
  if (j->kind == RG_ROBOT_FREE)
    return true;
  for (int i = 0; i < link->joint_count;) {
    Piece piece = first_piece(&j[i], link->joint_count - i);
    bool last = i + piece.count == link->joint_count;
    int body_b =
        last ? link->body : add_between(robot, link, &j[i + piece.count - 1], &j[i + piece.count]);
    if (robot->status != RG_OK || !add_piece(robot, &piece, &j[i], body_a, to_a, body_b))
      return false;
    body_a = body_b;
    to_a = pose_identity();
    i += piece.count;
    if (last && i > piece.count)
      part_neighbours(robot, parent_body, link->body);
  }
  return true;
}

// A loop is closed by a joint of its own.
static bool add_loop(rgRobot* robot, const rgRobotLoop* loop) {
  rgScene* scene = robot->scene;
  const rgRobotLink *a = &robot->links[loop->a], *b = &robot->links[loop->b];
  rgPose frame_a = loop->frame_a, frame_b = loop->frame_b;
  if (a->root == b->root) {
    rg_robot_remark(robot, loop->place, "loop-of-one",
                    "holds links together that move as one already, and is ignored");
    return true;
  }
  if (b->root == 0) { // the ground is A
    const rgRobotLink* swap = a;
    a = b;
    b = swap;
    frame_a = loop->frame_b;
    frame_b = loop->frame_a;
  }
  rgSceneJoint* joint = rg_robot_append(robot, &scene->joints, &rg_scene_joint_object, loop->place);
  joint->kind = loop->fixed ? RG_JOINT_FIXED : RG_JOINT_BALL;
  joint->name = loop->name;
  joint->collide = true;
  joint->b = (rgSceneBodyRef){robot->links[b->root].body, -1};
  joint->frame_a = pose_mul(a->root == 0 ? a->placed : a->in_root, frame_a);
  joint->frame_b = pose_mul(b->in_root, frame_b);
  if (a->root != 0) {
    joint->a = (rgSceneBodyRef){robot->links[a->root].body, -1};
    rg_robot_give(&rg_scene_joint_object, joint, "a");
  }
  static const char* const keys[] = {"b", "position_a", "orientation_a", "position_b",
                                     "orientation_b"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    rg_robot_give(&rg_scene_joint_object, joint, keys[i]);
  return true;
}

// The joint of the scene that a joint of the robot is, or is an axis of; NULL where it has no axis there that
// could be coupled.
static rgSceneJoint* coupled_joint(const rgRobot* robot, const rgRobotJoint* joint) {
  if (joint->scene_joint < 0)
    return NULL;
  rgSceneJoint* own = (rgSceneJoint*)robot->scene->joints.items + joint->scene_joint;
  const rgJointInfo* info = rg_joint_info((rgJointKind)own->kind);
  for (int i = 0; i < info->axis_count && joint->scene_axis; i++)
    if (strcmp(info->axes[i].name, joint->scene_axis) == 0 &&
        info->axes[i].takes & RG_JOINT_COUPLINGS)
      return own;
  return NULL;
}

// The axis of a joint of the robot, made where nothing else acts along it.
static rgSceneJointAxis* coupled_axis(rgRobot* robot, const rgRobotJoint* from,
                                      rgSceneJoint* joint) {
  rgSceneJointAxis* axes = joint->axes.items;
  for (int i = 0; i < joint->axes.count; i++)
    if (strcmp(axes[i].name, from->scene_axis) == 0)
      return &axes[i];
  rgSceneJointAxis* axis =
      rg_robot_append(robot, &joint->axes, &rg_scene_joint_axis_object, from->place);
  axis->name = from->scene_axis;
  return axis;
}

static bool add_coupling(rgRobot* robot, const rgRobotCoupling* coupling) {
  const rgRobotJoint *from = &robot->joints[coupling->joint],
                     *lead = &robot->joints[coupling->follows];
  rgSceneJoint *joint = coupled_joint(robot, from), *leader = coupled_joint(robot, lead);
  if (!joint || !leader) {
    rg_robot_remark(robot, coupling->place, "coupling",
                    "axes of ball and universal joints cannot be coupled: this one is ignored");
    return true;
  }
  rgSceneJointAxis* axis = coupled_axis(robot, from, joint);
  if (axis->follow[0]) {
    rg_robot_remark(robot, coupling->place, "coupling-second",
                    "a joint follows one other only: what couples it once more is ignored");
    return true;
  }
  double* polynomial = rg_pool_take(robot->pool, RG_COUPLING_TERMS, sizeof *polynomial);
  if (!polynomial)
    return rg_robot_no_memory(robot);
  memcpy(polynomial, coupling->polynomial, sizeof coupling->polynomial);
  int count = RG_COUPLING_TERMS;
  while (count > 2 && polynomial[count - 1] == 0)
    count--;
  axis->follow = leader->name;
  axis->follow_axis = lead->scene_axis;
  axis->polynomial = (rgList){polynomial, count};
  static const char* const keys[] = {"follow", "follow_axis", "polynomial"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    rg_robot_give(&rg_scene_joint_axis_object, axis, keys[i]);
  return true;
}

bool rg_robot_build_joints(rgRobot* robot) {
  rgScene* scene = robot->scene;
  if (!rg_robot_room(robot, &scene->joints, &rg_scene_joint_object,
                     robot->joint_count + robot->loop_count))
    return false;
  for (int i = 1; i < robot->link_count; i++)
    if (robot->links[i].root == i && robot->links[i].joint_count > 0 && !add_link_joints(robot, i))
      return false;
  for (int i = 0; i < robot->loop_count; i++)
    if (!add_loop(robot, &robot->loops[i]))
      return false;
  for (int i = 0; i < robot->coupling_count; i++)
    if (!add_coupling(robot, &robot->couplings[i]))
      return false;
  return true;
}
