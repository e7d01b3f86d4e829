// robot.c - memory, failures and remarks of a robot, and which reader a file is for.
#include "io/robot/robot.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// Failures and remarks
// -------------------------------------------------------------------------------------------------

bool rg_robot_fail(rgRobot* robot, rgRobotPlace place, const char* format, ...) {
  if (robot->status != RG_OK)
    return false;
  char text[sizeof robot->message->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  robot->status = rg_fail(robot->message, RG_ERROR_INPUT, "%s:%lu:%lu: %s", place.file,
                          (unsigned long)place.line, (unsigned long)place.column, text);
  return false;
}

bool rg_robot_no_memory(rgRobot* robot) {
  if (robot->status == RG_OK)
    robot->status = rg_fail(robot->message, RG_ERROR_MEMORY, "%s: not enough memory", robot->name);
  return false;
}

bool rg_robot_pass(rgRobot* robot, rgStatus status, const char* text) {
  if (robot->status == RG_OK)
    robot->status = rg_fail(robot->message, status, "%s", text);
  return false;
}

const char* rg_robot_text(rgRobot* robot, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char* kept = rg_pool_text(robot->pool, text);
  if (!kept)
    rg_robot_no_memory(robot);
  return kept ? kept : "";
}

void rg_robot_remark(rgRobot* robot, rgRobotPlace place, const char* key, const char* format, ...) {
  for (rgRobotRemark* r = robot->first_remark; r; r = r->next)
    if (strcmp(r->key, key) == 0 && strcmp(r->place.file, place.file) == 0) {
      r->count++;
      return;
    }
  char text[sizeof robot->message->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  rgRobotRemark* remark = rg_pool_take(&robot->scratch, 1, sizeof *remark);
  const char* kept_key = rg_pool_text(&robot->scratch, key);
  const char* kept = rg_pool_text(&robot->scratch, text);
  if (!remark || !kept_key || !kept) {
    rg_robot_no_memory(robot);
    return;
  }
  *remark = (rgRobotRemark){.place = place, .key = kept_key, .text = kept, .count = 1};
  if (robot->last_remark)
    robot->last_remark->next = remark;
  else
    robot->first_remark = remark;
  robot->last_remark = remark;
}

// -------------------------------------------------------------------------------------------------
// Lists
// -------------------------------------------------------------------------------------------------

// One more item of a list; NULL when memory ran out.
static void* add(rgRobot* robot, void** items, int* count, int* capacity, size_t size) {
  if (!rg_reserve(&robot->scratch.allocator, items, capacity, *count + 1, size)) {
    rg_robot_no_memory(robot);
    return NULL;
  }
  void* item = (char*)*items + (size_t)(*count)++ * size;
  memset(item, 0, size);
  return item;
}

#define ADD(robot, list, one)                                                                      \
  add(robot, (void**)&(robot)->list, &(robot)->one##_count, &(robot)->one##_capacity,              \
      sizeof *(robot)->list)

rgRobotLink* rg_robot_add_link(rgRobot* robot, rgRobotPlace place, const char* name, int parent) {
  if (robot->link_count >= RG_ROBOT_LINKS_MAX) {
    rg_robot_fail(robot, place, "is one link too many, at most %d are read", RG_ROBOT_LINKS_MAX);
    return NULL;
  }
  rgRobotLink* link = ADD(robot, links, link);
  if (link)
    *link = (rgRobotLink){.place = place,
                          .name = name,
                          .parent = parent,
                          .pose = pose_identity(),
                          .first_joint = robot->joint_count,
                          .body = -1};
  return link;
}

rgRobotJoint* rg_robot_add_joint(rgRobot* robot, rgRobotPlace place, const char* name, int link,
                                 rgRobotJointKind kind) {
  rgRobotJoint* joint = ADD(robot, joints, joint);
  if (!joint)
    return NULL;
  *joint = (rgRobotJoint){.place = place,
                          .name = name,
                          .kind = kind,
                          .link = link,
                          .axis = v3(0, 0, 1),
                          .axis_values = {.lower = -HUGE_VAL, .upper = HUGE_VAL},
                          .drive = {.bound = HUGE_VAL},
                          .scene_joint = -1};
  robot->links[link].joint_count++;
  return joint;
}

rgRobotShape* rg_robot_add_shape(rgRobot* robot, rgRobotPlace place, const char* name, int link) {
  rgRobotShape* shape = ADD(robot, shapes, shape);
  if (shape)
    *shape = (rgRobotShape){.place = place, .name = name, .link = link, .dimension = 3};
  return shape;
}

rgRobotPair* rg_robot_add_pair(rgRobot* robot, rgRobotPlace place, int a, int b) {
  rgRobotPair* pair = ADD(robot, pairs, pair);
  if (pair)
    *pair = (rgRobotPair){.place = place, .a = a, .b = b};
  return pair;
}

rgRobotPair* rg_robot_add_excluded(rgRobot* robot, rgRobotPlace place, int a, int b) {
  rgRobotPair* pair = ADD(robot, excluded, excluded);
  if (pair)
    *pair = (rgRobotPair){.place = place, .a = a, .b = b};
  return pair;
}

rgRobotLoop* rg_robot_add_loop(rgRobot* robot, rgRobotPlace place, int a, int b) {
  rgRobotLoop* loop = ADD(robot, loops, loop);
  if (loop)
    *loop = (rgRobotLoop){.place = place,
                          .name = "",
                          .a = a,
                          .b = b,
                          .frame_a = pose_identity(),
                          .frame_b = pose_identity()};
  return loop;
}

rgRobotCoupling* rg_robot_add_coupling(rgRobot* robot, rgRobotPlace place, int joint, int follows) {
  rgRobotCoupling* coupling = ADD(robot, couplings, coupling);
  if (coupling)
    *coupling =
        (rgRobotCoupling){.place = place, .joint = joint, .follows = follows, .polynomial = {0, 1}};
  return coupling;
}

rgRobotSensor* rg_robot_add_sensor(rgRobot* robot, rgRobotPlace place, const char* name,
                                   rgSensorKind kind) {
  rgRobotSensor* sensor = ADD(robot, sensors, sensor);
  if (sensor)
    *sensor = (rgRobotSensor){.place = place,
                              .name = name,
                              .kind = kind,
                              .link = -1,
                              .joint = -1,
                              .pose = pose_identity()};
  return sensor;
}

static void free_lists(rgRobot* robot) {
  const rgAllocator* allocator = &robot->scratch.allocator;
#define FREE(list, one)                                                                            \
  rg_release(allocator, robot->list, (size_t)robot->one##_capacity * sizeof *robot->list)
  FREE(links, link);
  FREE(joints, joint);
  FREE(shapes, shape);
  FREE(pairs, pair);
  FREE(excluded, excluded);
  FREE(loops, loop);
  FREE(couplings, coupling);
  FREE(sensors, sensor);
#undef FREE
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

#ifdef RIGOR_EXPAT

// Puts the remarks into the scene, or makes the first one a failure.
static bool keep_remarks(rgRobot* robot) {
  const rgRobotRemark* first = robot->first_remark;
  if (first && robot->options->strict)
    return rg_robot_fail(robot, first->place, "%s (a remark, which is an error with strict)",
                         first->text);
  int count = 0;
  for (const rgRobotRemark* r = first; r; r = r->next)
    count++;
  rgSceneNote* notes = rg_pool_take(robot->pool, (size_t)count, sizeof *notes);
  if (!notes)
    return rg_robot_no_memory(robot);
  int i = 0;
  for (const rgRobotRemark* r = first; r; r = r->next, i++) {
    notes[i].place = rg_robot_text(robot, "%s:%lu:%lu", r->place.file, (unsigned long)r->place.line,
                                   (unsigned long)r->place.column);
    notes[i].text = r->count > 1
                        ? rg_robot_text(robot, "%s (%d times in this file)", r->text, r->count)
                        : rg_robot_text(robot, "%s", r->text);
  }
  robot->scene->notes = (rgList){notes, count};
  return robot->status == RG_OK;
}

static bool read_root(rgRobot* robot, rgXmlElement* root) {
  if (strcmp(root->name, "mujoco") == 0)
    return rg_mjcf_read(robot, root);
  if (strcmp(root->name, "robot") == 0)
    return rg_urdf_read(robot, root);
  return rg_robot_fail(
      robot, rg_robot_place(root),
      "the file begins with <%.40s>; a model begins with <mujoco> (MJCF) or <robot> (URDF)",
      root->name);
}

static void read_model(rgRobot* robot, rgXmlElement* root) {
  if (read_root(robot, root) && rg_robot_build(robot))
    keep_remarks(robot);
}

#else

// Without an XML library no file gets this far.
static void read_model(rgRobot* robot, rgXmlElement* root) {
  (void)robot;
  (void)root;
}

#endif

rgStatus rg_robot_read(const char* text, size_t length, const char* folder,
                       const rgModelOptions* options, rgScene* scene, rgMessage* message) {
  rgRobot robot = {.pool = &scene->pool,
                   .scratch = {scene->pool.allocator, NULL},
                   .name = scene->file_name,
                   .folder = folder,
                   .scene = scene,
                   .options = options,
                   .title = "",
                   .gravity = {0, 0, -9.81},
                   .message = message};
  rgXmlElement* root;
  robot.status = rg_xml_parse(text, length, robot.name, &robot.scratch, &root, message);
  if (robot.status == RG_OK)
    read_model(&robot, root);
  free_lists(&robot);
  rg_pool_free(&robot.scratch);
  return robot.status;
}
