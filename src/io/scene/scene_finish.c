// scene_finish.c - what several keys of an object of a scene must satisfy together.
#include "io/scene/scene_types.h"

#include "math/sym3.h"
#include "math/vec.h"
#include "shape/parameters.h"

#include <limits.h>
#include <string.h>

// Principal moments may break the triangle inequality by what six written digits leave.
static const double inertia_tolerance = 1e-6;
static const double symmetry_tolerance = 1e-9; // of the largest entry

// Puts a key on the path for a message about it; the node is that key's value.
static const rgJsonNode* enter_key(rgReader* reader, rgPathPart* part, const rgJsonNode* node,
                                   const char* key) {
  *part = (rgPathPart){reader->path, key, 0};
  reader->path = part;
  const rgJsonNode* value = rg_json_member(node, key);
  return value ? value : node;
}

// -------------------------------------------------------------------------------------------------
// Materials
// -------------------------------------------------------------------------------------------------

bool rg_scene_finish_material(rgReader* reader, const rgJsonNode* node, void* item) {
  rgScene* scene = reader->context;
  rgSceneMaterial* material = item;
  rgPathPart part;
  if (!material->name[0])
    return rg_reader_fail(reader, enter_key(reader, &part, node, "name"),
                          "is empty, must have at least one letter");
  int other = rg_names_find(&scene->material_names, material->name, strlen(material->name));
  if (other >= 0)
    return rg_reader_fail(reader, enter_key(reader, &part, node, "name"),
                          "is \"%.60s\", the name of materials[%d]; names must be unique",
                          material->name, other);
  // While a list is read, the path ends with the element.
  return rg_names_add(&scene->material_names, material->name, reader->path->index)
             ? true
             : rg_reader_no_memory(reader);
}

bool rg_scene_finish_pair(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgScene* scene = reader->context;
  const rgScenePair *pair = item, *others = scene->pairs.items;
  for (int i = 0; i < reader->path->index; i++) {
    const rgScenePair* other = &others[i];
    if ((other->a == pair->a && other->b == pair->b) ||
        (other->a == pair->b && other->b == pair->a))
      return rg_reader_fail(reader, node, "has the same two materials as pairs[%d]", i);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

static bool check_triangles(rgReader* reader, const rgJsonNode* node, const rgSceneShape* shape) {
  const int* index = shape->triangles.items;
  for (int i = 0; i < 3 * shape->triangles.count; i++) {
    if (index[i] < shape->points.count)
      continue;
    rgPathPart key, row, column;
    const rgJsonNode* list = enter_key(reader, &key, node, "triangles");
    const rgJsonNode* triangle = rg_reader_enter(reader, &row, list, i / 3);
    const rgJsonNode* corner = rg_reader_enter(reader, &column, triangle, i % 3);
    return rg_reader_fail(reader, corner, "is %d, must be below %d, the number of points", index[i],
                          shape->points.count);
  }
  return true;
}

static bool check_points(rgReader* reader, const rgJsonNode* node, const rgSceneShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->def.kind);
  bool mesh = rg_shape_has(info, &rg_parameter_triangles);
  int least = mesh ? 3 : 4;
  rgPathPart part;
  if (shape->points.count == 0)
    return rg_reader_fail(reader, node,
                          "has no \"points\" and no \"file\"; a \"%s\" shape needs one of them",
                          info->name);
  if (shape->points.count < least)
    return rg_reader_fail(reader, enter_key(reader, &part, node, "points"),
                          "has %d entries, must have at least %d", shape->points.count, least);
  if (!mesh)
    return true;
  if (shape->triangles.count == 0)
    return rg_reader_fail(reader, node, "has no \"triangles\"; a \"%s\" shape needs them",
                          info->name);
  return rg_json_member(node, "triangles") ? check_triangles(reader, node, shape) : true;
}

static bool check_heights(rgReader* reader, const rgJsonNode* node, const rgSceneShape* shape) {
  double wanted = (double)shape->def.rows * shape->def.columns;
  rgPathPart part;
  if (shape->heights.count == wanted)
    return true;
  return rg_reader_fail(reader, enter_key(reader, &part, node, "heights"),
                        "has %d entries, must have %.0f (%d rows of %d columns)",
                        shape->heights.count, wanted, shape->def.rows, shape->def.columns);
}

// The definitions of the members in a row.
static bool take_members(rgReader* reader, rgSceneShape* shape) {
  const rgSceneShape* members = shape->members.items;
  int count = shape->members.count;
  rgShapeDef* defs = rg_pool_take(reader->pool, (size_t)count, sizeof *defs);
  if (!defs && count > 0)
    return rg_reader_no_memory(reader);
  for (int i = 0; i < count; i++)
    defs[i] = members[i].def;
  shape->def.members = defs;
  shape->def.member_count = count;
  return true;
}

bool rg_scene_finish_shape(rgReader* reader, const rgJsonNode* node, void* item) {
  rgSceneShape* shape = item;
  rgShapeDef* def = &shape->def;
  const rgShapeInfo* info = rg_shape_info(def->kind);
  bool mesh = rg_shape_has(info, &rg_parameter_triangles);
  if (!info->planar && rg_shape_has(info, &rg_parameter_points) &&
      !check_points(reader, node, shape))
    return false;
  if (rg_shape_has(info, &rg_parameter_heights) && !check_heights(reader, node, shape))
    return false;
  def->points = shape->points.items;
  def->point_count = shape->points.count;
  def->triangles = mesh ? shape->triangles.items : NULL;
  def->triangle_count = mesh ? shape->triangles.count : 0;
  def->heights = shape->heights.items;
  return take_members(reader, shape);
}

// -------------------------------------------------------------------------------------------------
// Tables in time
// -------------------------------------------------------------------------------------------------

static bool check_times(rgReader* reader, const rgJsonNode* node, const rgList* times) {
  const double* t = times->items;
  for (int i = 1; i < times->count; i++) {
    if (t[i] > t[i - 1])
      continue;
    rgPathPart key, row;
    const rgJsonNode* list = enter_key(reader, &key, node, "times");
    const rgJsonNode* time = rg_reader_enter(reader, &row, list, i);
    return rg_reader_fail(reader, time, "is %g, must be after %g", t[i], t[i - 1]);
  }
  return true;
}

static bool check_rows(rgReader* reader, const rgJsonNode* node, const rgList* times,
                       const rgList* rows, const char* key) {
  rgPathPart part;
  if (!rg_json_member(node, key) || rows->count == times->count)
    return true;
  return rg_reader_fail(reader, enter_key(reader, &part, node, key),
                        "has %d entries, must have %d, as many as \"times\"", rows->count,
                        times->count);
}

bool rg_scene_finish_motion(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgSceneMotion* motion = item;
  if (motion->kind == RG_SCENE_MOTION_HARMONIC)
    return true;
  if (motion->positions.count == 0 && motion->orientations.count == 0)
    return rg_reader_fail(reader, node, "has neither \"positions\" nor \"orientations\"");
  return check_times(reader, node, &motion->times) &&
         check_rows(reader, node, &motion->times, &motion->positions, "positions") &&
         check_rows(reader, node, &motion->times, &motion->orientations, "orientations");
}

static bool finish_table_force(rgReader* reader, const rgJsonNode* node, rgSceneForce* force) {
  if (force->forces.count == 0 && force->torques.count == 0)
    return rg_reader_fail(reader, node, "has neither \"forces\" nor \"torques\"");
  if (!check_times(reader, node, &force->times) ||
      !check_rows(reader, node, &force->times, &force->forces, "forces") ||
      !check_rows(reader, node, &force->times, &force->torques, "torques"))
    return false;
  force->wrenches = rg_pool_take(reader->pool, (size_t)force->times.count, sizeof *force->wrenches);
  if (!force->wrenches)
    return rg_reader_no_memory(reader);
  for (int i = 0; i < force->times.count; i++) {
    if (force->forces.count > 0)
      force->wrenches[i].force = ((const rgVec3*)force->forces.items)[i];
    if (force->torques.count > 0)
      force->wrenches[i].torque = ((const rgVec3*)force->torques.items)[i];
  }
  return true;
}

// The other end is one body, and not the body itself.
static bool finish_couple(rgReader* reader, const rgJsonNode* node, const rgSceneForce* force) {
  if (!rg_json_member(node, "other"))
    return true;
  const rgScene* scene = reader->context;
  const rgSceneBody* other = rg_scene_body(scene, force->other.body);
  rgPathPart part;
  const rgJsonNode* place = enter_key(reader, &part, node, "other");
  if (force->other.copy < 0 && other->copies > 1)
    return rg_reader_fail(reader, place, "is \"%s\", %d copies; must be one, as \"%s[0]\"",
                          other->name, other->copies, other->name);
  bool same = force->other.body == force->body.body &&
              (force->body.copy < 0 || force->body.copy == force->other.copy);
  if (same)
    return rg_reader_fail(reader, place, "is the same body as \"body\", must be another one");
  reader->path = part.parent;
  return true;
}

static bool finish_attractor(rgReader* reader, const rgJsonNode* node, const rgSceneForce* force) {
  if (rg_json_member(node, "path") && !rg_json_member(node, "times"))
    return rg_reader_fail(reader, node, "has a \"path\" and no \"times\"");
  if (rg_json_member(node, "times") && !rg_json_member(node, "path"))
    return rg_reader_fail(reader, node, "has \"times\" and no \"path\"");
  return check_times(reader, node, &force->times) &&
         check_rows(reader, node, &force->times, &force->path, "path");
}

bool rg_scene_finish_force(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgScene* scene = reader->context;
  rgSceneForce* force = item;
  if (force->kind == RG_FORCE_ATTRACTOR && !finish_attractor(reader, node, force))
    return false;
  if (!rg_json_member(node, "body"))
    return true; // only an attractor may lack it
  const rgSceneBody* body = rg_scene_body(scene, force->body.body);
  rgPathPart part;
  if (body->kind != RG_BODY_DYNAMIC)
    return rg_reader_fail(reader, enter_key(reader, &part, node, "body"),
                          "is \"%s\", a %s body; forces act on dynamic bodies only", body->name,
                          rg_body_kind_name((rgBodyKind)body->kind));
  if (force->kind == RG_FORCE_TABLE)
    return finish_table_force(reader, node, force);
  if (force->kind == RG_FORCE_SPRING || force->kind == RG_FORCE_TORSION)
    return finish_couple(reader, node, force);
  if (force->kind != RG_FORCE_CONSTANT)
    return true;
  if (!rg_json_member(node, "force") && !rg_json_member(node, "torque"))
    return rg_reader_fail(reader, node, "has neither \"force\" nor \"torque\"");
  return true;
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

static bool finish_name(rgReader* reader, const rgJsonNode* node, const rgSceneBody* body) {
  rgScene* scene = reader->context;
  int index = reader->path->index;
  rgPathPart part;
  if (!body->name)
    return true;
  const rgJsonNode* value = enter_key(reader, &part, node, "name");
  if (!body->name[0])
    return rg_reader_fail(reader, value, "is empty; remove it or give it at least one letter");
  if (strlen(body->name) > RG_SCENE_NAME_MAX)
    return rg_reader_fail(reader, value, "has %zu bytes, must have at most %d", strlen(body->name),
                          RG_SCENE_NAME_MAX);
  if (strpbrk(body->name, "[]"))
    return rg_reader_fail(reader, value,
                          "is \"%s\", must not contain [ or ]; they number the copies of a body",
                          body->name);
  int other = rg_names_find(&scene->body_names, body->name, strlen(body->name));
  if (other >= 0)
    return rg_reader_fail(reader, value, "is \"%s\", the name of bodies[%d]; names must be unique",
                          body->name, other);
  reader->path = part.parent;
  return rg_names_add(&scene->body_names, body->name, index) ? true : rg_reader_no_memory(reader);
}

// Inertia of a real body: symmetric, positive, and no principal moment above the sum of the other
// two.
static bool check_inertia(rgReader* reader, const rgJsonNode* node, rgSceneBody* body) {
  rgMat3* a = &body->inertia;
  rgPathPart part;
  const rgJsonNode* value = enter_key(reader, &part, node, "inertia");
  double largest = 0;
  for (int i = 0; i < 9; i++)
    largest = fmax(largest, fabs(a->m[i / 3][i % 3]));
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++)
      if (fabs(a->m[i][j] - a->m[j][i]) > symmetry_tolerance * largest)
        return rg_reader_fail(reader, value,
                              "is not symmetric: entry [%d][%d] is %g, entry [%d][%d] is %g", i, j,
                              a->m[i][j], j, i, a->m[j][i]);
  rgVec3 moment = v3_zero();
  rgMat3 axes, scaled = m3_scale(a, largest > 0 ? 1 / largest : 0);
  bool finite = largest > 0;
  for (int i = 0; i < 9; i++)
    finite = finite && isfinite(scaled.m[i / 3][i % 3]);
  if (finite)
    rg_sym3_eigen(&scaled, &moment, &axes);
  if (!(moment.x > 0))
    return rg_reader_fail(reader, value,
                          "has the principal moments %g, %g and %g, must be positive",
                          largest * moment.x, largest * moment.y, largest * moment.z);
  if (moment.z > (moment.x + moment.y) * (1 + inertia_tolerance))
    return rg_reader_fail(
        reader, value,
        "has the principal moments %g, %g and %g, which no body has: the largest must not exceed "
        "the sum of the other two",
        largest * moment.x, largest * moment.y, largest * moment.z);
  reader->path = part.parent;
  return true;
}

static bool check_mass(rgReader* reader, const rgJsonNode* node, rgSceneBody* body) {
  rgPathPart part;
  bool inertia = rg_json_member(node, "inertia") != NULL,
       mass = rg_json_member(node, "mass") != NULL;
  if (rg_json_member(node, "center") && !inertia)
    return rg_reader_fail(reader, enter_key(reader, &part, node, "center"), "requires \"inertia\"");
  if (inertia && !mass)
    return rg_reader_fail(reader, enter_key(reader, &part, node, "inertia"), "requires \"mass\"");
  if (inertia && !check_inertia(reader, node, body))
    return false;
  if (body->kind == RG_BODY_DYNAMIC && body->shapes.count == 0 &&
      !(mass && (inertia || body->rotation_locked)))
    return rg_reader_fail(reader, node,
                          "has no shapes; it needs \"mass\" and \"inertia\", or \"mass\" and "
                          "\"rotation_locked\": true");
  return true;
}

static bool check_shapes(rgReader* reader, const rgSceneBody* body) {
  const rgSceneShape* shapes = body->shapes.items;
  if (body->kind != RG_BODY_DYNAMIC)
    return true;
  for (int i = 0; i < body->shapes.count; i++) {
    const rgShapeInfo* info = rg_shape_info(shapes[i].def.kind);
    if (info->solid || info->planar)
      continue;
    rgPathPart key = {reader->path, "shapes", 0}, element = {&key, NULL, i};
    reader->path = &element;
    return rg_reader_fail_at(reader, shapes[i].head.line, shapes[i].head.column,
                             "is a %s, which has no volume; its body must be static or kinematic",
                             info->name);
  }
  return true;
}

// One mover per copy, for the motion callback.
static bool make_movers(rgReader* reader, const rgJsonNode* node, rgSceneBody* body) {
  static const char* const stated_twice[][2] = {{"position", "positions"},
                                                {"orientation", "orientations"}};
  const rgJsonNode* motion = rg_json_member(node, "motion");
  rgPathPart part;
  if (!motion)
    return true;
  for (int i = 0; i < 2; i++)
    if (rg_json_member(node, stated_twice[i][0]) && rg_json_member(motion, stated_twice[i][1]))
      return rg_reader_fail(reader, enter_key(reader, &part, node, stated_twice[i][0]),
                            "is given together with motion.%s; remove one of them",
                            stated_twice[i][1]);
  for (int i = 0; i < 2; i++) {
    const char* key = i == 0 ? "velocity" : "angular_velocity";
    if (rg_json_member(node, key))
      return rg_reader_fail(reader, enter_key(reader, &part, node, key),
                            "is given together with \"motion\"; remove one of them");
  }
  body->movers = rg_pool_take(reader->pool, (size_t)body->copies, sizeof *body->movers);
  if (!body->movers)
    return rg_reader_no_memory(reader);
  for (int i = 0; i < body->copies; i++) {
    rgVec3 offset = rg_scene_copy_offset(&body->repeat, i);
    rgPose start = {v3_add(body->pose.position, offset), body->pose.orientation};
    body->movers[i] = (rgSceneMover){&body->motion, start, offset};
  }
  return true;
}

bool rg_scene_finish_body(rgReader* reader, const rgJsonNode* node, void* item) {
  rgScene* scene = reader->context;
  rgSceneBody* body = item;
  const int* count = body->repeat.count;
  double copies = (double)count[0] * count[1] * count[2];
  if (scene->body_count + copies > RG_SCENE_BODIES_MAX)
    return rg_reader_fail(reader, node, "makes %.0f bodies in total, more than %d",
                          scene->body_count + copies, RG_SCENE_BODIES_MAX);
  body->first = scene->body_count;
  body->copies = (int)copies;
  scene->body_count += body->copies;
  return finish_name(reader, node, body) && check_mass(reader, node, body) &&
         check_shapes(reader, body) && make_movers(reader, node, body);
}
