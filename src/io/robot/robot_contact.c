// robot_contact.c - which shapes of a robot collide, and with which friction.
//
// Models say who collides by two sets of bits per shape, type and affinity: a pair collides when
// the type of one meets the affinity of the other. A scene has groups and masks, and asks for both
// ways. Shapes with equal bits form a class; each class gets a group of its own, and the mask of all
// classes that it collides with, so that the scene's rule says the same, for up to 32 classes.
//
// The friction of a pair is that of the shape with the higher priority, else the larger of the two
// for each direction (Todorov 2014), where a scene takes the geometric mean: pairs of materials that
// differ from it are written out.
#include "io/robot/robot.h"

#include "math/vec.h"

#include <string.h>

enum { CLASSES_MAX = 32, MATERIALS_MAX = 200, PAIRS_MAX = 1000 };

typedef struct Class {
  uint32_t type, affinity;
  int alone; // shape of a pair that is stated one by one; -1: none
} Class;

typedef struct Surface {
  double friction[3];
  int dimension, priority, alone;
} Surface;

typedef struct Contacts {
  Class classes[CLASSES_MAX];
  uint32_t masks[CLASSES_MAX];
  Surface surfaces[MATERIALS_MAX];
  int class_count, surface_count;
} Contacts;

static int alone_of(const rgRobot* robot, int shape) {
  for (int i = 0; i < robot->pair_count; i++)
    if (robot->pairs[i].a == shape || robot->pairs[i].b == shape)
      return shape;
  return -1;
}

static bool classify(rgRobot* robot, Contacts* c, int index) {
  rgRobotShape* shape = &robot->shapes[index];
  Class wanted = {shape->type, shape->affinity, alone_of(robot, index)};
  int i = 0;
  while (i < c->class_count &&
         (c->classes[i].type != wanted.type || c->classes[i].affinity != wanted.affinity ||
          c->classes[i].alone != wanted.alone))
    i++;
  if (i == CLASSES_MAX)
    return rg_robot_fail(robot, shape->place,
                         "needs a 33rd class of shapes that collide alike (contype, conaffinity, "
                         "<pair>); a scene has 32");
  if (i == c->class_count)
    c->classes[c->class_count++] = wanted;
  shape->class_index = i;
  return true;
}

static void make_masks(const rgRobot* robot, Contacts* c) {
  for (int i = 0; i < c->class_count; i++)
    for (int j = 0; j < c->class_count; j++) {
      const Class *a = &c->classes[i], *b = &c->classes[j];
      bool collide = (a->type & b->affinity) || (b->type & a->affinity);
      if (robot->no_contact)
        continue;
      for (int k = 0; k < robot->pair_count && !collide; k++) {
        const rgRobotPair* pair = &robot->pairs[k];
        collide = (pair->a == a->alone && pair->b == b->alone) ||
                  (pair->a == b->alone && pair->b == a->alone);
      }
      if (collide)
        c->masks[i] |= (uint32_t)1 << j;
    }
}

static bool same_surface(const Surface* a, const Surface* b) {
  return memcmp(a->friction, b->friction, sizeof a->friction) == 0 &&
         a->dimension == b->dimension && a->priority == b->priority && a->alone == b->alone;
}

static bool find_surface(rgRobot* robot, Contacts* c, int index) {
  rgRobotShape* shape = &robot->shapes[index];
  Surface wanted = {
      .dimension = shape->dimension, .priority = shape->priority, .alone = alone_of(robot, index)};
  memcpy(wanted.friction, shape->friction, sizeof wanted.friction);
  int i = 0;
  while (i < c->surface_count && !same_surface(&c->surfaces[i], &wanted))
    i++;
  if (i == MATERIALS_MAX)
    return rg_robot_fail(robot, shape->place, "needs more than %d different kinds of friction",
                         MATERIALS_MAX);
  if (i == c->surface_count)
    c->surfaces[c->surface_count++] = wanted;
  shape->material = i;
  return true;
}

// What two surfaces do together.
static Surface combine(const Surface* a, const Surface* b) {
  if (a->priority != b->priority)
    return a->priority > b->priority ? *a : *b;
  Surface both = *a;
  both.dimension = a->dimension > b->dimension ? a->dimension : b->dimension;
  for (int i = 0; i < 3; i++)
    both.friction[i] = fmax(a->friction[i], b->friction[i]);
  return both;
}

static double sliding(const Surface* s) { return s->dimension >= 3 ? s->friction[0] : 0; }

// Torsional length: the torque is at most mu e_tau times the normal force.
static double torsion(const Surface* s) {
  return s->dimension >= 4 && s->friction[0] > 0 ? s->friction[1] / s->friction[0] : 0;
}

static const rgSchemaObject material_room = {.size = sizeof(rgSceneMaterial)};

static bool add_materials(rgRobot* robot, const Contacts* c) {
  rgScene* scene = robot->scene;
  if (!rg_robot_room(robot, &scene->materials, &material_room, c->surface_count))
    return false;
  for (int i = 0; i < c->surface_count; i++) {
    rgSceneMaterial* m =
        rg_robot_append(robot, &scene->materials, &material_room, robot->links[0].place);
    m->name = rg_robot_text(robot, "surface-%d", i);
    m->material = rg_material_default();
    m->material.mu = sliding(&c->surfaces[i]);
    m->material.e_tau = torsion(&c->surfaces[i]);
    m->used = true;
    if (!rg_names_add(&scene->material_names, m->name, i))
      return rg_robot_no_memory(robot);
  }
  return robot->status == RG_OK;
}

// The friction that is stated for two shapes, if it is.
static const rgRobotPair* stated_pair(const rgRobot* robot, int a, int b) {
  for (int i = 0; i < robot->pair_count && a >= 0 && b >= 0; i++) {
    const rgRobotPair* pair = &robot->pairs[i];
    if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a))
      return pair;
  }
  return NULL;
}

static bool add_pair(rgRobot* robot, const Contacts* c, int i, int j) {
  rgScene* scene = robot->scene;
  Surface both = combine(&c->surfaces[i], &c->surfaces[j]);
  const rgRobotPair* stated = stated_pair(robot, c->surfaces[i].alone, c->surfaces[j].alone);
  if (stated) {
    both.dimension = stated->dimension;
    memcpy(both.friction, stated->friction, sizeof both.friction);
  }
  const rgMaterial *a = &rg_scene_material(scene, i)->material,
                   *b = &rg_scene_material(scene, j)->material;
  double mu = sqrt(a->mu * b->mu), e_tau = sqrt(a->e_tau * b->e_tau);
  if (a->mu == b->mu && a->e_tau == b->e_tau) {
    mu = a->mu;
    e_tau = a->e_tau;
  }
  if (mu == sliding(&both) && e_tau == torsion(&both))
    return true;
  if (scene->pairs.count == PAIRS_MAX)
    return rg_robot_fail(robot, robot->links[0].place,
                         "has more than %d pairs of surfaces with friction of their own",
                         PAIRS_MAX);
  rgScenePair* pair =
      rg_robot_append(robot, &scene->pairs, &rg_scene_pair_object, robot->links[0].place);
  pair->a = i;
  pair->b = j;
  pair->material.mu = sliding(&both);
  pair->material.e_tau = torsion(&both);
  rg_robot_give(&rg_scene_pair_object, pair, "a");
  rg_robot_give(&rg_scene_pair_object, pair, "b");
  rg_robot_give(&rg_scene_pair_object, pair, "mu");
  rg_robot_give(&rg_scene_pair_object, pair, "e_tau");
  return true;
}

// Pairs of bodies that do not collide.
static bool add_excluded(rgRobot* robot) {
  rgScene* scene = robot->scene;
  // A pair per joint besides: links that several joints in series part.
  scene->no_collision.items = rg_pool_take(
      robot->pool, (size_t)(robot->excluded_count + robot->joint_count), sizeof(rgSceneBodyPair));
  if (!scene->no_collision.items)
    return rg_robot_no_memory(robot);
  for (int i = 0; i < robot->excluded_count; i++) {
    int a = robot->links[robot->links[robot->excluded[i].a].root].body;
    int b = robot->links[robot->links[robot->excluded[i].b].root].body;
    if (a == b || a < 0 || b < 0)
      continue;
    rgSceneBodyPair* pair =
        (rgSceneBodyPair*)scene->no_collision.items + scene->no_collision.count++;
    *pair = (rgSceneBodyPair){{a, -1}, {b, -1}};
    scene->pair_count++;
  }
  return true;
}

static bool build(rgRobot* robot, Contacts* c) {
  for (int i = 0; i < robot->shape_count; i++)
    if (!classify(robot, c, i))
      return false;
  make_masks(robot, c);
  for (int i = 0; i < robot->shape_count; i++) {
    rgRobotShape* shape = &robot->shapes[i];
    shape->def.group = (uint32_t)1 << shape->class_index;
    shape->def.mask = c->masks[shape->class_index];
    if (shape->def.mask == 0)
      shape->class_index = -1; // touches nothing
    else if (!find_surface(robot, c, i))
      return false;
  }
  if (!add_materials(robot, c) ||
      !rg_robot_room(robot, &robot->scene->pairs, &rg_scene_pair_object, PAIRS_MAX))
    return false;
  for (int i = 0; i < c->surface_count; i++)
    for (int j = i; j < c->surface_count; j++)
      if (!add_pair(robot, c, i, j))
        return false;
  return add_excluded(robot);
}

bool rg_robot_build_contacts(rgRobot* robot) {
  Contacts* contacts = rg_pool_take(&robot->scratch, 1, sizeof *contacts);
  return contacts ? build(robot, contacts) : rg_robot_no_memory(robot);
}
