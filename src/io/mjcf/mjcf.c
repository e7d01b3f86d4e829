// mjcf.c - a model file as a whole: included files, passes, attached models.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

enum {
  INCLUDE_DEPTH = 20,
  ATTACH_DEPTH = 8,
};

// -------------------------------------------------------------------------------------------------
// Included files
// -------------------------------------------------------------------------------------------------

static bool expand(rgMjcf* m, rgXmlElement* element, int depth);

// The children of the root of a file take the place of an <include>.
static bool replace_include(rgMjcf* m, rgXmlElement** link, int depth) {
  rgXmlElement* include = *link;
  rgRobotPlace place = rg_robot_place(include);
  const rgXmlAttribute* file = rg_xml_attribute(include, "file");
  if (!file)
    return rg_robot_fail(m->robot, place, "<include> has no file");
  if (depth >= INCLUDE_DEPTH)
    return rg_robot_fail(m->robot, place, "files include each other more than %d times",
                         INCLUDE_DEPTH);
  rgXmlElement* root = rg_robot_read_xml(m->robot, place, m->folder, file->value);
  if (!root)
    return false;
  if (strcmp(root->name, "mujoco") != 0 && strcmp(root->name, "mujocoinclude") != 0)
    return rg_robot_fail(m->robot, rg_robot_place(root),
                         "an included file begins with <mujoco> or <mujocoinclude>, not <%.40s>",
                         root->name);
  if (!expand(m, root, depth + 1))
    return false;
  rgXmlElement** end = link;
  *link = root->child;
  for (; *end; end = &(*end)->next)
    (*end)->parent = include->parent;
  *end = include->next;
  return true;
}

static bool expand(rgMjcf* m, rgXmlElement* element, int depth) {
  rgXmlElement** link = &element->child;
  while (*link) {
    if (strcmp((*link)->name, "include") == 0) {
      if (!replace_include(m, link, depth))
        return false;
      continue;
    }
    if (!expand(m, *link, depth))
      return false;
    link = &(*link)->next;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Passes
// -------------------------------------------------------------------------------------------------

static void free_lists(rgMjcf* m) {
  const rgAllocator* allocator = &m->robot->scratch.allocator;
  rg_release(allocator, m->classes, (size_t)m->class_capacity * sizeof *m->classes);
  rg_release(allocator, m->meshes, (size_t)m->mesh_capacity * sizeof *m->meshes);
  rg_release(allocator, m->sites, (size_t)m->site_capacity * sizeof *m->sites);
  rg_release(allocator, m->tendons, (size_t)m->tendon_capacity * sizeof *m->tendons);
  rg_release(allocator, m->controls, (size_t)m->control_capacity * sizeof *m->controls);
}

static rgMjcf start(rgRobot* robot, rgXmlElement* root, const char* folder) {
  rgPool* scratch = &robot->scratch;
  rgMjcf m = {.robot = robot, .root = root, .folder = folder, .prefix = "", .suffix = ""};
  m.link_names.pool = m.joint_names.pool = m.shape_names.pool = scratch;
  m.site_names.pool = m.actuator_names.pool = scratch;
  return m;
}

static bool prepare(rgMjcf* m) {
  return expand(m, m->root, 0) && rg_mjcf_check(m, m->root) && rg_mjcf_read_settings(m) &&
         rg_mjcf_read_classes(m) && rg_mjcf_read_assets(m);
}

bool rg_mjcf_read_sections(rgMjcf* m) {
  return rg_mjcf_read_rest(m) && rg_mjcf_read_actuators(m) && rg_mjcf_read_sensors(m);
}

// The total mass that <compiler> may ask for.
static void scale_masses(rgMjcf* m) {
  double sum = 0;
  for (int i = 0; i < m->robot->link_count; i++)
    sum += m->robot->links[i].mass.mass;
  for (int i = 0; i < m->robot->link_count && m->settings.total_mass > 0 && sum > 0; i++) {
    rgMassProperties* mass = &m->robot->links[i].mass;
    mass->mass *= m->settings.total_mass / sum;
    mass->inertia = m3_scale(&mass->inertia, m->settings.total_mass / sum);
  }
}

static bool read_whole(rgMjcf* m) {
  rgRobot* robot = m->robot;
  robot->title = rg_robot_text(robot, "%s", rg_robot_string(m->root, "model", ""));
  if (!prepare(m) || !rg_mjcf_read_options(m))
    return false;
  rgRobotLink* world = rg_robot_add_link(robot, rg_robot_place(m->root), "world", -1);
  if (!world || !rg_names_add(&m->link_names, "world", 0))
    return rg_robot_no_memory(robot);
  for (const rgXmlElement* e = m->root->child; e; e = e->next)
    if (strcmp(e->name, "worldbody") == 0 && !rg_mjcf_read_bodies(m, e, 0, pose_identity(), 0))
      return false;
  if (robot->link_count == 1 && robot->shape_count == 0)
    return rg_robot_fail(robot, rg_robot_place(m->root), "<mujoco> has no bodies and no geoms");
  scale_masses(m);
  return rg_mjcf_read_sections(m) && rg_mjcf_read_key(m);
}

bool rg_mjcf_read(rgRobot* robot, rgXmlElement* root) {
  rgMjcf m = start(robot, root, robot->folder ? robot->folder : "");
  bool good = read_whole(&m);
  free_lists(&m);
  return good && robot->status == RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Attached models
// -------------------------------------------------------------------------------------------------

static const rgXmlElement* find_model(const rgMjcf* m, const char* name) {
  for (const rgXmlElement* asset = m->root->child; asset; asset = asset->next)
    for (const rgXmlElement* e = strcmp(asset->name, "asset") == 0 ? asset->child : NULL; e;
         e = e->next)
      if (strcmp(e->name, "model") == 0 && strcmp(rg_robot_string(e, "name", ""), name) == 0)
        return e;
  return NULL;
}

static const rgXmlElement* find_body(const rgXmlElement* element, const char* name) {
  for (const rgXmlElement* e = element->child; e; e = e->next) {
    if (strcmp(e->name, "body") == 0 && strcmp(rg_robot_string(e, "name", ""), name) == 0)
      return e;
    const rgXmlElement* inside = find_body(e, name);
    if (inside)
      return inside;
  }
  return NULL;
}

// An element that holds one child alone, so that a body is read like those of a tree.
static const rgXmlElement* wrap(rgMjcf* m, const rgXmlElement* body) {
  rgXmlElement* copies = rg_pool_take(&m->robot->scratch, 2, sizeof *copies);
  if (!copies) {
    rg_robot_no_memory(m->robot);
    return NULL;
  }
  copies[0] = *body->parent;
  copies[1] = *body;
  copies[1].next = NULL;
  copies[0].child = &copies[1];
  return copies;
}

static bool attach(rgMjcf* m, rgMjcf* other, const rgXmlElement* element, int link, rgPose frame) {
  const char* name = rg_robot_string(element, "body", "");
  if (!prepare(other))
    return false;
  const rgXmlElement* worldbody = rg_xml_child(other->root, "worldbody");
  const rgXmlElement* body = worldbody ? find_body(worldbody, name) : NULL;
  if (!body)
    return rg_robot_fail(m->robot, rg_robot_place(element),
                         "the model to attach has no body named \"%.60s\"", name);
  const rgXmlElement* alone = wrap(m, body);
  other->part = true;
  return alone && rg_mjcf_read_bodies(other, alone, link, frame, 0) && rg_mjcf_read_sections(other);
}

bool rg_mjcf_attach(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame) {
  rgRobot* robot = m->robot;
  rgRobotPlace place = rg_robot_place(element);
  const char* name = rg_robot_string(element, "model", "");
  const rgXmlElement* model = find_model(m, name);
  if (!model)
    return rg_robot_fail(robot, place, "no <model> of <asset> is named \"%.60s\"", name);
  if (m->attach_depth >= ATTACH_DEPTH)
    return rg_robot_fail(robot, place, "models attach each other more than %d times", ATTACH_DEPTH);
  rgXmlElement* root = rg_robot_read_xml(robot, rg_robot_place(model), m->folder,
                                         rg_robot_string(model, "file", ""));
  if (!root)
    return false;
  if (strcmp(root->name, "mujoco") != 0)
    return rg_robot_fail(robot, rg_robot_place(root), "a model begins with <mujoco>, not <%.40s>",
                         root->name);
  rgMjcf other = start(robot, root, m->folder);
  other.attach_depth = m->attach_depth + 1;
  other.prefix = rg_robot_text(robot, "%s%.60s", m->prefix, rg_robot_string(element, "prefix", ""));
  other.suffix = m->suffix;
  bool good = attach(m, &other, element, link, frame);
  free_lists(&other);
  return good;
}
