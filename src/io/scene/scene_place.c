// scene_place.c - where the bodies, joints, forces and materials of a world stand in the file of its scene.
//
// A world is built in the order of the file (scene_build.c), so that an index leads back by counting.
#include "io/scene/scene_types.h"

#include <stdio.h>
#include <string.h>

static int copies_of_body(const rgScene* scene, int index) {
  return rg_scene_body(scene, index)->copies;
}

static int copies_of_joint(const rgScene* scene, int index) {
  return rg_scene_joint_count(scene, (const rgSceneJoint*)scene->joints.items + index);
}

static int copies_of_force(const rgScene* scene, int index) {
  const rgSceneForce* force = (const rgSceneForce*)scene->forces.items + index;
  bool one = !rg_schema_given(&rg_scene_force_object, force, "body") || force->body.copy >= 0;
  return one ? 1 : copies_of_body(scene, force->body.body);
}

static const rgSchemaHead* head_of(const rgScene* scene, rgSceneList list, int item) {
  switch (list) {
  case RG_SCENE_BODIES:
    return &rg_scene_body(scene, item)->head;
  case RG_SCENE_JOINTS:
    return &((const rgSceneJoint*)scene->joints.items + item)->head;
  case RG_SCENE_FORCES:
    return &((const rgSceneForce*)scene->forces.items + item)->head;
  default:
    return &rg_scene_material(scene, item)->head;
  }
}

// The material of the scene that is material `index` of the world: "default" is 0, the others count on.
static int find_material(const rgScene* scene, int index) {
  int next = 1;
  for (int i = 0; i < scene->materials.count; i++) {
    bool is_default = strcmp(rg_scene_material(scene, i)->name, "default") == 0;
    if ((is_default ? 0 : next++) == index)
      return i;
  }
  return -1;
}

// The item of a list whose copies include the index-th; -1 when there is none.
static int find_item(const rgScene* scene, int count, int (*copies)(const rgScene*, int),
                     int index) {
  for (int i = 0; i < count && index >= 0; i++) {
    index -= copies(scene, i);
    if (index < 0)
      return i;
  }
  return -1;
}

bool rg_scene_place(const rgScene* scene, rgSceneList list, int index, rgScenePlace* place) {
  static const char* const names[] = {"bodies", "joints", "forces", "materials"};
  int item = -1;
  if (list == RG_SCENE_BODIES)
    item = find_item(scene, scene->bodies.count, copies_of_body, index);
  else if (list == RG_SCENE_JOINTS)
    item = find_item(scene, scene->joints.count, copies_of_joint, index);
  else if (list == RG_SCENE_FORCES)
    item = find_item(scene, scene->forces.count, copies_of_force, index);
  else if (list == RG_SCENE_MATERIALS && index >= 0)
    item = find_material(scene, index);
  if (item < 0)
    return false;
  const rgSchemaHead* head = head_of(scene, list, item);
  snprintf(place->path, sizeof place->path, "%s[%d]", names[list], item);
  place->file = rg_scene_file_of(scene, head);
  place->line = (int)head->line;
  place->column = (int)head->column;
  return true;
}
