// robot_build.c - a scene from a robot: bodies, their masses and shapes, forces, the ground.
//
// All links that move as one become one body, whose frame is that of the first of them. What stands
// still is the body `world`.
#include "io/robot/robot.h"

#include "base/message.h"
#include "math/vec.h"
#include <rigor/view.h>

#include <stdio.h>
#include <string.h>

bool rg_robot_room(rgRobot* robot, rgList* list, const rgSchemaObject* object, int most) {
  *list = (rgList){rg_pool_take(robot->pool, (size_t)most, object->size), 0};
  return list->items ? true : rg_robot_no_memory(robot);
}

void* rg_robot_append(rgRobot* robot, rgList* list, const rgSchemaObject* object,
                      rgRobotPlace place) {
  void* item = (char*)list->items + (size_t)list->count++ * object->size;
  rg_schema_defaults(object, item, robot->scene);
  rgSchemaHead* head = item;
  *head = (rgSchemaHead){.line = place.line, .column = place.column, .file = place.file};
  return item;
}

void rg_robot_give(const rgSchemaObject* object, void* item, const char* key) {
  ((rgSchemaHead*)item)->given |= (uint32_t)1 << rg_schema_find(object, key);
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

// A name that a scene takes: short enough, without brackets, and no other body's.
static const char* fit_name(rgRobot* robot, rgRobotPlace place, const char* name) {
  rgScene* scene = robot->scene;
  char fit[RG_SCENE_NAME_MAX + 1], base[RG_SCENE_NAME_MAX + 1];
  int number = scene->bodies.count;
  if (name[0])
    snprintf(fit, sizeof fit, "%s", name);
  else
    snprintf(fit, sizeof fit, "body-%d", number);
  for (char* c = fit; *c; c++)
    if (*c == '[' || *c == ']')
      *c = '_';
  rg_utf8_clean(fit); // a character that was cut
  snprintf(base, sizeof base, "%.*s", RG_SCENE_NAME_MAX - 8, fit);
  rg_utf8_clean(base);
  while (rg_names_find(&scene->body_names, fit, strlen(fit)) >= 0)
    snprintf(fit, sizeof fit, "%s-%d", base, number++);
  if (name[0] && strcmp(fit, name) != 0)
    rg_robot_remark(robot, place, "name",
                    "the name \"%.60s\" is changed to \"%s\": names have at most %d bytes and no "
                    "brackets, and are unique",
                    name, fit, RG_SCENE_NAME_MAX);
  return rg_robot_text(robot, "%s", fit);
}

rgSceneBody* rg_robot_add_body(rgRobot* robot, rgRobotPlace place, const char* name,
                               rgBodyKind kind, rgPose pose) {
  rgScene* scene = robot->scene;
  int index = scene->bodies.count;
  const char* fit = fit_name(robot, place, name);
  rgSceneBody* body = rg_robot_append(robot, &scene->bodies, &rg_scene_body_object, place);
  body->name = fit;
  body->kind = (int)kind;
  body->pose = pose;
  body->first = scene->body_count++;
  for (int i = 0; i < 3; i++)
    body->repeat.count[i] = 1;
  if (!rg_names_add(&scene->body_names, fit, index))
    rg_robot_no_memory(robot);
  return body;
}

// Mass of all links of each body, in its frame, by the link that the body stands for.
static rgMassProperties* sum_masses(rgRobot* robot) {
  rgMassProperties* sums = rg_pool_take(&robot->scratch, (size_t)robot->link_count, sizeof *sums);
  for (int i = 1; sums && i < robot->link_count; i++) {
    const rgRobotLink* link = &robot->links[i];
    if (link->mass.mass > 0)
      sums[link->root] =
          rg_robot_mass_add(sums[link->root], rg_robot_mass_move(link->mass, link->in_root));
  }
  if (!sums)
    rg_robot_no_memory(robot);
  return sums;
}

// Checks the mass of a body that moves and gives it to the scene's body.
static bool give_mass(rgRobot* robot, const rgRobotLink* link, rgSceneBody* body,
                      rgMassProperties mass) {
  rgVec3 moments;
  if (!(mass.mass > 0))
    return rg_robot_fail(robot, link->place, "the link \"%.60s\" moves but has no mass",
                         link->name);
  const char* fault = rg_robot_inertia_fault(&mass.inertia, &moments);
  if (fault)
    return rg_robot_fail(robot, link->place,
                         "the link \"%.60s\" has an inertia that %s (principal moments %g, %g, %g)",
                         link->name, fault, moments.x, moments.y, moments.z);
  body->mass = mass.mass;
  body->center = mass.center;
  body->inertia = mass.inertia;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      body->inertia.m[i][j] = body->inertia.m[j][i];
  rg_robot_give(&rg_scene_body_object, body, "mass");
  rg_robot_give(&rg_scene_body_object, body, "center");
  rg_robot_give(&rg_scene_body_object, body, "inertia");
  return true;
}

// The centre of mass moves with the link's origin.
static void give_velocity(const rgRobotLink* link, rgSceneBody* body) {
  rgVec3 arm = quat_rotate(link->placed.orientation, body->center);
  body->velocity.angular = link->velocity.angular;
  body->velocity.linear = v3_add(link->velocity.linear, v3_cross(link->velocity.angular, arm));
}

static bool add_body(rgRobot* robot, int index, const rgMassProperties* mass) {
  rgRobotLink* link = &robot->links[index];
  bool moves = index > 0 && !link->carried;
  rgBodyKind kind = index == 0 ? RG_BODY_STATIC : moves ? RG_BODY_DYNAMIC : RG_BODY_KINEMATIC;
  rgSceneBody* body = rg_robot_add_body(robot, link->place, link->name, kind, link->placed);
  link->body = robot->scene->bodies.count - 1;
  if (moves) {
    if (!give_mass(robot, link, body, *mass))
      return false;
    give_velocity(link, body);
  }
  return robot->status == RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

static int body_of(const rgRobot* robot, const rgRobotShape* shape) {
  return shape->class_index < 0 ? -1 : robot->links[robot->links[shape->link].root].body;
}

static bool add_shapes(rgRobot* robot) {
  rgScene* scene = robot->scene;
  rgSceneBody* bodies = scene->bodies.items;
  int* counts = rg_pool_take(&robot->scratch, (size_t)scene->bodies.count, sizeof *counts);
  if (!counts)
    return rg_robot_no_memory(robot);
  for (int i = 0; i < robot->shape_count; i++)
    if (body_of(robot, &robot->shapes[i]) >= 0)
      counts[body_of(robot, &robot->shapes[i])]++;
  for (int b = 0; b < scene->bodies.count; b++)
    if (counts[b] > 0 &&
        !rg_robot_room(robot, &bodies[b].shapes, &rg_scene_shape_object, counts[b]))
      return false;
  for (int i = 0; i < robot->shape_count; i++) {
    const rgRobotShape* from = &robot->shapes[i];
    int b = body_of(robot, from);
    if (b < 0)
      continue;
    rgSceneShape* shape =
        rg_robot_append(robot, &bodies[b].shapes, &rg_scene_shape_object, from->place);
    shape->def = from->def;
    shape->def.pose = pose_mul(robot->links[from->link].in_root, from->def.pose);
    shape->def.pose.orientation = quat_unit(shape->def.pose.orientation);
    shape->points = (rgList){(void*)from->def.points, from->def.point_count};
    shape->heights = (rgList){(void*)from->def.heights, from->def.rows * from->def.columns};
    shape->material = from->material;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Forces, options, ground
// -------------------------------------------------------------------------------------------------

// A part of a link's weight that is held up.
static bool add_forces(rgRobot* robot) {
  rgScene* scene = robot->scene;
  if (!rg_robot_room(robot, &scene->forces, &rg_scene_force_object, robot->link_count))
    return false;
  for (int i = 1; i < robot->link_count; i++) {
    const rgRobotLink* link = &robot->links[i];
    int body = robot->links[link->root].body;
    if (link->weightless == 0 || link->mass.mass == 0 || link->root == 0)
      continue;
    rgSceneForce* force =
        rg_robot_append(robot, &scene->forces, &rg_scene_force_object, link->place);
    force->kind = RG_FORCE_CONSTANT;
    force->body = (rgSceneBodyRef){body, -1};
    force->force = v3_scale(robot->gravity, -link->weightless * link->mass.mass);
    force->point = pose_apply(link->in_root, link->mass.center);
    rg_robot_give(&rg_scene_force_object, force, "body");
    rg_robot_give(&rg_scene_force_object, force, "force");
    rg_robot_give(&rg_scene_force_object, force, "point");
  }
  return true;
}

static void set_options(rgRobot* robot) {
  rgScene* scene = robot->scene;
  rg_schema_defaults(&rg_scene_object, scene, scene);
  rg_options_preset(rg_preset_name(scene->preset), &scene->options);
  scene->title = robot->title;
  scene->options.gravity = robot->gravity;
  if (robot->step > 0)
    scene->options.step = robot->step;
}

// Height of the lowest point of all shapes.
static bool lowest_point(rgRobot* robot, double* lowest) {
  rgWorld* world;
  rgMessage why = {""};
  rgStatus status = rg_scene_build(robot->scene, NULL, &world, &why);
  if (status != RG_OK)
    return rg_robot_pass(robot, status, why.text);
  *lowest = HUGE_VAL;
  int count = rg_world_shapes(world, NULL, 0);
  rgShapeId* ids = rg_pool_take(&robot->scratch, (size_t)count, sizeof *ids);
  if (ids)
    rg_world_shapes(world, ids, count);
  for (int i = 0; ids && i < count; i++) {
    double z = rg_shape_bounds(world, ids[i]).lower.z;
    *lowest = isfinite(z) ? fmin(*lowest, z) : *lowest;
  }
  rg_world_destroy(world);
  return ids ? true : rg_robot_no_memory(robot);
}

// A plane under the lowest point, where the scene has no half-space yet.
static bool add_ground(rgRobot* robot) {
  for (int i = 0; i < robot->shape_count; i++)
    if (robot->shapes[i].def.kind == RG_SHAPE_HALFSPACE)
      return true;
  double lowest = 0;
  if (!lowest_point(robot, &lowest))
    return false;
  rgPose pose = {v3(0, 0, isfinite(lowest) ? lowest : 0), quat_identity()};
  rgSceneBody* body =
      rg_robot_add_body(robot, robot->links[0].place, "ground", RG_BODY_STATIC, pose);
  if (!rg_robot_room(robot, &body->shapes, &rg_scene_shape_object, 1))
    return false;
  rgSceneShape* shape =
      rg_robot_append(robot, &body->shapes, &rg_scene_shape_object, robot->links[0].place);
  shape->def = rg_shape_def(RG_SHAPE_HALFSPACE);
  shape->material = RG_SCENE_DEFAULT_MATERIAL;
  return robot->status == RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Links that overlap
// -------------------------------------------------------------------------------------------------

// Penetration that counts, of the extent of the smaller shape.
static const double overlap_limit = 1e-6;

static bool overlaps(const rgWorld* world, const rgContact* contact) {
  rgShapeView a, b;
  if (rg_shape_view(world, contact->shape_a, &a) != RG_OK ||
      rg_shape_view(world, contact->shape_b, &b) != RG_OK)
    return false;
  return contact->gap < -overlap_limit * fmin(a.extent, b.extent);
}

static bool is_parted(const rgScene* scene, int a, int b) {
  const rgSceneBodyPair* pairs = scene->no_collision.items;
  for (int i = 0; i < scene->no_collision.count; i++)
    if ((pairs[i].a.body == a && pairs[i].b.body == b) ||
        (pairs[i].a.body == b && pairs[i].b.body == a))
      return true;
  return false;
}

static rgRobotPlace place_of_body(const rgRobot* robot, int body) {
  const rgSchemaHead* head = &rg_scene_body(robot->scene, body)->head;
  return (rgRobotPlace){head->file, head->line, head->column};
}

// Adds a pair to those that do not collide, for which there is room.
static void part(rgRobot* robot, int a, int b, double depth) {
  rgScene* scene = robot->scene;
  rgSceneBodyPair* pair = (rgSceneBodyPair*)scene->no_collision.items + scene->no_collision.count++;
  *pair = (rgSceneBodyPair){{a, -1}, {b, -1}};
  scene->pair_count++;
  const char *name_a = rg_scene_body(scene, a)->name, *name_b = rg_scene_body(scene, b)->name;
  const char* key = rg_robot_text(robot, "overlap %.48s %.48s", name_a, name_b);
  rg_robot_remark(robot, place_of_body(robot, a), key,
                  "the links \"%s\" and \"%s\" overlap by %.3g m at the start: they do not "
                  "collide with each other",
                  name_a, name_b, depth);
}

static bool part_contacts(rgRobot* robot, rgWorld* world) {
  rgScene* scene = robot->scene;
  if (rg_world_find_contacts(world) != RG_OK)
    return rg_robot_no_memory(robot);
  int count = rg_world_contacts(world, NULL, 0), old = scene->no_collision.count;
  rgContact* contacts = rg_pool_take(&robot->scratch, (size_t)count, sizeof *contacts);
  rgSceneBodyPair* pairs = rg_pool_take(robot->pool, (size_t)(old + count), sizeof *pairs);
  if (!contacts || !pairs)
    return rg_robot_no_memory(robot);
  rg_world_contacts(world, contacts, count);
  if (old > 0)
    memcpy(pairs, scene->no_collision.items, (size_t)old * sizeof *pairs);
  scene->no_collision.items = pairs;
  for (int i = 0; i < count; i++) {
    // The bodies of a fresh world have the indices of the scene.
    int a = (int)contacts[i].body_a.index, b = (int)contacts[i].body_b.index;
    if (overlaps(world, &contacts[i]) && !is_parted(scene, a, b))
      part(robot, a, b, -contacts[i].gap);
  }
  return robot->status == RG_OK;
}

static bool part_overlaps(rgRobot* robot) {
  rgWorld* world;
  rgMessage why = {""};
  rgStatus status = rg_scene_build(robot->scene, NULL, &world, &why);
  if (status != RG_OK)
    return rg_robot_pass(robot, status, why.text);
  bool good = part_contacts(robot, world);
  rg_world_destroy(world);
  return good;
}

// -------------------------------------------------------------------------------------------------
// All of it
// -------------------------------------------------------------------------------------------------

static bool has_world_body(const rgRobot* robot) {
  for (int i = 0; i < robot->shape_count; i++)
    if (robot->links[robot->shapes[i].link].root == 0)
      return true;
  return robot->link_count == 1;
}

bool rg_robot_build(rgRobot* robot) {
  rgScene* scene = robot->scene;
  set_options(robot);
  rg_robot_place_links(robot);
  int most = 2 + robot->link_count + robot->joint_count; // with those between joints, and a ground
  if (!rg_robot_room(robot, &scene->bodies, &rg_scene_body_object, most))
    return false;
  const rgMassProperties* masses = sum_masses(robot);
  if (!masses || (has_world_body(robot) && !add_body(robot, 0, masses)))
    return false;
  for (int i = 1; i < robot->link_count; i++)
    if (robot->links[i].root == i && !add_body(robot, i, &masses[i]))
      return false;
  return rg_robot_build_contacts(robot) && rg_robot_build_joints(robot) &&
         rg_robot_build_sensors(robot) && add_shapes(robot) && add_forces(robot) &&
         (!robot->part_overlaps || part_overlaps(robot)) &&
         (!robot->options->ground || add_ground(robot));
}
