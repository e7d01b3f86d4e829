// scene_values.c - values of a scene with types of their own: orientations, inertia, names of
// things, files.
#include "io/scene/scene_types.h"

#include "base/memory.h"
#include "io/model/off.h"
#include "io/text/file.h"
#include "math/trig.h"
#include "math/vec.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

// A quaternion may be off unit length by what six written digits leave; it is then made unit. Below
// the second limit, what normalising itself leaves, it is kept to the bit.
static const double length_tolerance = 1e-6;
static const double rounding_tolerance = 8 * DBL_EPSILON;

// -------------------------------------------------------------------------------------------------
// Orientation
// -------------------------------------------------------------------------------------------------

typedef struct AxisAngle {
  double axis[3];
  double degrees;
} AxisAngle;

static const rgSchemaField axis_fields[] = {
    {.key = "axis",
     .type = RG_FIELD_TUPLE,
     .offset = offsetof(AxisAngle, axis),
     .count = 3,
     .needed = RG_VARIANT_ALL},
    {.key = "degrees",
     .type = RG_FIELD_REAL,
     .offset = offsetof(AxisAngle, degrees),
     .needed = RG_VARIANT_ALL},
};

static const rgSchemaObject axis_object = {
    .name = "rotation",
    .label = "a rotation",
    .size = sizeof(AxisAngle),
    .fields = axis_fields,
    .field_count = 2,
};

static bool read_axis_angle(rgReader* reader, const rgJsonNode* node, rgQuat* q) {
  AxisAngle rotation;
  if (!rg_read_object(reader, &axis_object, node, &rotation))
    return false;
  rgVec3 axis = v3(rotation.axis[0], rotation.axis[1], rotation.axis[2]);
  double largest = v3_max_abs(axis);
  if (!(largest > 0))
    return rg_reader_fail(reader, node, "has the axis [0, 0, 0], must not be zero");
  axis =
      v3_unit_or(v3_scale(axis, 1 / largest), v3_zero()); // scaled first: squares cannot overflow
  double half = fmod(rotation.degrees, 720) * (RG_PI / 360);
  axis = v3_scale(axis, rg_sin(half));
  *q = quat_unit((rgQuat){rg_cos(half), axis.x, axis.y, axis.z});
  return true;
}

// In a plane one angle says it all.
static bool read_angle(rgReader* reader, const rgJsonNode* node, rgQuat* q) {
  double degrees = 0;
  if (!rg_read_number(reader, node, NULL, &degrees))
    return false;
  double half = fmod(degrees, 720) * (RG_PI / 360);
  *q = quat_unit((rgQuat){rg_cos(half), 0, 0, rg_sin(half)});
  return true;
}

static bool read_orientation(rgReader* reader, const rgJsonNode* node, void* place) {
  if (reader->planar && node->type == RG_JSON_NUMBER)
    return read_angle(reader, node, place);
  if (node->type == RG_JSON_OBJECT)
    return read_axis_angle(reader, node, place);
  if (node->type != RG_JSON_ARRAY || node->count != 4)
    return rg_reader_fail(
        reader, node, "must be a quaternion [w, x, y, z] or {\"axis\": [x, y, z], \"degrees\": a}");
  double q[4];
  if (!rg_read_tuple(reader, node, 4, NULL, q))
    return false;
  rgQuat quat = {q[0], q[1], q[2], q[3]};
  double norm2 = quat_norm2(quat);
  if (!(fabs(norm2 - 1) <= 2 * length_tolerance))
    return rg_reader_fail(reader, node, "has length %.9g, must be a unit quaternion [w, x, y, z]",
                          sqrt(norm2));
  *(rgQuat*)place = fabs(norm2 - 1) <= rounding_tolerance ? quat : quat_unit(quat);
  return true;
}

static void write_orientation(rgWriter* writer, const void* place) {
  const rgQuat* q = place;
  rg_write_tuple(writer, 4, (const double[]){q->w, q->x, q->y, q->z});
}

static bool equal_orientation(const void* a, const void* b) {
  return memcmp(a, b, sizeof(rgQuat)) == 0;
}

#define ORIENTATION_SCHEMA                                                                         \
  "\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"type\": \"number\"}, "  \
  "\"minItems\": 4, "                                                                              \
  "\"maxItems\": 4}, "                                                                             \
  "{\"type\": \"object\", \"properties\": {\"axis\": {\"type\": \"array\", \"items\": {\"type\": " \
  "\"number\"}, \"minItems\": 3, \"maxItems\": 3}, \"degrees\": {\"type\": \"number\"}}, "         \
  "\"required\": "                                                                                 \
  "[\"axis\", \"degrees\"], \"additionalProperties\": false}]"

const rgSchemaCustom rg_scene_orientation = {
    .type = "orientation",
    .schema = ORIENTATION_SCHEMA,
    .read = read_orientation,
    .write = write_orientation,
    .equal = equal_orientation,
};

static bool orientation_item(rgReader* reader, const void* context, const rgJsonNode* node,
                             void* item) {
  (void)context;
  return read_orientation(reader, node, item);
}

static bool read_orientations(rgReader* reader, const rgJsonNode* node, void* place) {
  return rg_read_list(reader, node, sizeof(rgQuat), orientation_item, NULL, place);
}

static void write_orientations(rgWriter* writer, const void* place) {
  const rgList* list = place;
  rg_text_add(writer->text, "[");
  for (int i = 0; i < list->count; i++) {
    rg_text_add(writer->text, i ? ", " : "");
    write_orientation(writer, (const rgQuat*)list->items + i);
  }
  rg_text_add(writer->text, "]");
}

// Of lists, only the empty one is a default.
static bool equal_lists(const void* a, const void* b) {
  return ((const rgList*)a)->count == 0 && ((const rgList*)b)->count == 0;
}

const rgSchemaCustom rg_scene_orientations = {
    .type = "list of orientations",
    .schema = "\"type\": \"array\", \"items\": {" ORIENTATION_SCHEMA "}",
    .read = read_orientations,
    .write = write_orientations,
    .equal = equal_lists,
};

// -------------------------------------------------------------------------------------------------
// Inertia
// -------------------------------------------------------------------------------------------------

// In a scene of dimension 2 the moment about z alone counts (plane.c), and stands in all three places.
static bool read_inertia(rgReader* reader, const rgJsonNode* node, void* place) {
  rgMat3* inertia = place;
  bool array = node->type == RG_JSON_ARRAY && node->count == 3;
  if (reader->planar && node->type == RG_JSON_NUMBER) {
    double moment;
    if (!rg_read_number(reader, node, &rg_range_positive, &moment))
      return false;
    *inertia = m3_diag(moment, moment, moment);
    return true;
  }
  if (!array)
    return rg_reader_fail(reader, node,
                          reader->planar
                              ? "must be a number, the moment about z [kg m2]"
                              : "must be [Ixx, Iyy, Izz] or three rows of three numbers");
  if (rg_json_first(node)->type == RG_JSON_NUMBER) {
    double d[3];
    if (!rg_read_tuple(reader, node, 3, &rg_range_positive, d))
      return false;
    *inertia = m3_diag(d[0], d[1], d[2]);
    return true;
  }
  for (int i = 0; i < 3; i++) {
    rgPathPart part;
    const rgJsonNode* row = rg_reader_enter(reader, &part, node, i);
    if (!rg_read_tuple(reader, row, 3, NULL, inertia->m[i]))
      return false;
    reader->path = part.parent;
  }
  return true;
}

static void write_inertia(rgWriter* writer, const void* place) {
  const rgMat3* a = place;
  rgMat3 diagonal = m3_diag(a->m[0][0], a->m[1][1], a->m[2][2]);
  if (memcmp(a, &diagonal, sizeof diagonal) == 0) {
    rg_write_tuple(writer, 3, (const double[]){a->m[0][0], a->m[1][1], a->m[2][2]});
    return;
  }
  for (int i = 0; i < 3; i++) {
    rg_text_add(writer->text, i ? ", " : "[");
    rg_write_tuple(writer, 3, a->m[i]);
  }
  rg_text_add(writer->text, "]");
}

static bool equal_inertia(const void* a, const void* b) {
  return memcmp(a, b, sizeof(rgMat3)) == 0;
}

const rgSchemaCustom rg_scene_inertia = {
    .type = "[Ixx, Iyy, Izz] or 3 rows; 2D: a number",
    .schema = "\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
              "[{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"type\": \"number\"}, "
              "\"minItems\": 3, \"maxItems\": 3}]}, \"minItems\": 3, \"maxItems\": 3}]",
    .read = read_inertia,
    .write = write_inertia,
    .equal = equal_inertia,
    .no_default = true,
};

// -------------------------------------------------------------------------------------------------
// Names of materials and bodies
// -------------------------------------------------------------------------------------------------

static bool fail_name(rgReader* reader, const rgJsonNode* node, const rgNames* names,
                      const char* base, const char* what) {
  if (rg_reader_knows_broken(reader, base)) { // which was told where it stands
    reader->status = RG_ERROR_INPUT;
    reader->message->text[0] = 0;
    return false;
  }
  rgGuess guess = {base, NULL, 0};
  rg_names_guess(names, &guess);
  if (guess.best)
    return rg_reader_fail(reader, node,
                          "is \"%.60s\", but there is no such %s; did you mean \"%s\"?",
                          node->value.text, what, guess.best);
  return rg_reader_fail(reader, node, "is \"%.60s\", but there is no %s with this name",
                        node->value.text, what);
}

static bool read_material_ref(rgReader* reader, const rgJsonNode* node, void* place) {
  const char* name;
  rgScene* scene = reader->context;
  if (!rg_read_string(reader, node, &name))
    return false;
  *(int*)place = RG_SCENE_DEFAULT_MATERIAL;
  if (strcmp(name, "default") == 0)
    return true;
  int index = rg_names_find(&scene->material_names, name, strlen(name));
  if (index < 0)
    return fail_name(reader, node, &scene->material_names, name, "material");
  ((rgSceneMaterial*)scene->materials.items)[index].used = true;
  *(int*)place = index;
  return true;
}

static void write_material_ref(rgWriter* writer, const void* place) {
  int index = *(const int*)place;
  const char* name = index < 0 ? "default" : rg_scene_material(writer->context, index)->name;
  rg_text_string(writer->text, name);
}

static bool equal_int(const void* a, const void* b) { return *(const int*)a == *(const int*)b; }

const rgSchemaCustom rg_scene_material_ref = {
    .type = "name of a material",
    .schema = "\"type\": \"string\"",
    .read = read_material_ref,
    .write = write_material_ref,
    .equal = equal_int,
};

// Cuts "name[7]" into the length of the name and 7; -1 when there is no such ending.
static int split_copy(const char* text, size_t* length) {
  *length = strlen(text);
  const char* open = strrchr(text, '[');
  size_t digits = open ? strspn(open + 1, "0123456789") : 0;
  if (digits == 0 || digits > 9 || strcmp(open + 1 + digits, "]") != 0)
    return -1;
  int copy = 0;
  for (size_t i = 1; i <= digits; i++)
    copy = 10 * copy + (open[i] - '0');
  *length = (size_t)(open - text);
  return copy;
}

static bool read_body_ref(rgReader* reader, const rgJsonNode* node, void* place) {
  rgScene* scene = reader->context;
  const char* name;
  if (!rg_read_string(reader, node, &name))
    return false;
  size_t length;
  int copy = split_copy(name, &length);
  int body = rg_names_find(&scene->body_names, name, length);
  if (body < 0) {
    char base[RG_SCENE_NAME_MAX + 1];
    snprintf(base, sizeof base, "%.*s", (int)(length < sizeof base ? length : sizeof base - 1),
             name);
    return fail_name(reader, node, &scene->body_names, base, "body");
  }
  int copies = rg_scene_body(scene, body)->copies;
  if (copy >= copies)
    return rg_reader_fail(reader, node, "is \"%.60s\", but \"%s\" has %d %s, counted from 0", name,
                          rg_scene_body(scene, body)->name, copies,
                          copies == 1 ? "copy" : "copies");
  *(rgSceneBodyRef*)place = (rgSceneBodyRef){body, copies == 1 ? -1 : copy};
  return true;
}

static void write_body_ref(rgWriter* writer, const void* place) {
  const rgSceneBodyRef* ref = place;
  const rgSceneBody* body = rg_scene_body(writer->context, ref->body);
  char name[RG_SCENE_NAME_MAX + 16];
  if (ref->copy < 0)
    snprintf(name, sizeof name, "%s", body->name);
  else
    rg_scene_copy_name(body, ref->copy, name, sizeof name);
  rg_text_string(writer->text, name);
}

// A reference that was given is kept (rgSchemaField.keep); one that was not has its first value.
static bool equal_ref(const void* a, const void* b) {
  const rgSceneBodyRef *one = a, *other = b;
  return one->body == other->body && one->copy == other->copy;
}

const rgSchemaCustom rg_scene_body_ref = {
    .type = "name of a body",
    .schema = "\"type\": \"string\"",
    .read = read_body_ref,
    .write = write_body_ref,
    .equal = equal_ref,
    .no_default = true,
};

static int ref_copies(const rgScene* scene, rgSceneBodyRef ref) {
  return ref.copy < 0 ? rg_scene_body(scene, ref.body)->copies : 1;
}

static bool body_pair_item(rgReader* reader, const void* context, const rgJsonNode* node,
                           void* item) {
  (void)context;
  rgScene* scene = reader->context;
  rgSceneBodyPair* pair = item;
  if (node->type != RG_JSON_ARRAY || node->count != 2)
    return rg_reader_fail(reader, node, "must be an array of two names of bodies");
  for (int i = 0; i < 2; i++) {
    rgPathPart part;
    const rgJsonNode* name = rg_reader_enter(reader, &part, node, i);
    if (!read_body_ref(reader, name, i == 0 ? &pair->a : &pair->b))
      return false;
    reader->path = part.parent;
  }
  bool same = pair->a.body == pair->b.body && pair->a.copy == pair->b.copy;
  if (same && ref_copies(scene, pair->a) == 1)
    return rg_reader_fail(reader, node,
                          "names the same body twice; a body never collides with itself");
  double pairs = (double)ref_copies(scene, pair->a) * ref_copies(scene, pair->b);
  if (scene->pair_count + pairs > RG_SCENE_PAIRS_MAX)
    return rg_reader_fail(reader, node,
                          "makes more than %d pairs; use \"group\" and \"mask\" of the shapes",
                          RG_SCENE_PAIRS_MAX);
  scene->pair_count += (int)pairs;
  return true;
}

static bool read_body_pairs(rgReader* reader, const rgJsonNode* node, void* place) {
  return rg_read_list(reader, node, sizeof(rgSceneBodyPair), body_pair_item, NULL, place);
}

static void write_body_pairs(rgWriter* writer, const void* place) {
  const rgList* list = place;
  rg_text_add(writer->text, "[");
  for (int i = 0; i < list->count; i++) {
    const rgSceneBodyPair* pair = (const rgSceneBodyPair*)list->items + i;
    rg_text_add(writer->text, i ? ", [" : "[");
    write_body_ref(writer, &pair->a);
    rg_text_add(writer->text, ", ");
    write_body_ref(writer, &pair->b);
    rg_text_add(writer->text, "]");
  }
  rg_text_add(writer->text, "]");
}

const rgSchemaCustom rg_scene_body_pairs = {
    .type = "list of [name, name]",
    .schema =
        "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
        "\"minItems\": 2, \"maxItems\": 2}",
    .read = read_body_pairs,
    .write = write_body_pairs,
    .equal = equal_lists,
};

// -------------------------------------------------------------------------------------------------
// Files of points
// -------------------------------------------------------------------------------------------------

// Keeps the path of a file that was read, once.
static bool note_file(rgScene* scene, const char* path) {
  for (const rgSceneFile* file = scene->files; file; file = file->next)
    if (strcmp(file->path, path) == 0)
      return true;
  rgSceneFile* file = rg_pool_take(&scene->pool, 1, sizeof *file);
  const char* copy = rg_pool_text(&scene->pool, path);
  if (!file || !copy)
    return false;
  *file = (rgSceneFile){copy, scene->files};
  scene->files = file;
  return true;
}

// `place` is the shape itself: the file fills its points and triangles.
static bool read_off_file(rgReader* reader, const rgJsonNode* node, void* place) {
  rgScene* scene = reader->context;
  rgSceneShape* shape = place;
  const char* name;
  if (!rg_read_string(reader, node, &name))
    return false;
  if (shape->points.count > 0 || shape->triangles.count > 0)
    return rg_reader_fail(reader, node,
                          "is given together with \"points\" or \"triangles\"; remove one of them");
  if (!scene->folder)
    return rg_reader_fail(
        reader, node,
        "is \"%.60s\", but only a scene that is read from a file can name other files", name);
  char path[4096], *text;
  size_t length, size;
  rgMessage message = {""};
  bool absolute = name[0] == '/';
  int wanted = snprintf(path, sizeof path, "%s%s", absolute ? "" : scene->folder, name);
  if (wanted >= (int)sizeof path || !note_file(scene, path))
    return rg_reader_fail(reader, node, "is too long a path, or memory ran out");
  rgStatus status =
      rg_file_read_regular(path, &reader->pool->allocator, &text, &length, &size, &message);
  if (status == RG_OK) {
    status =
        rg_off_parse(text, length, path, reader->pool, &shape->points, &shape->triangles, &message);
    rg_release(&reader->pool->allocator, text, size);
  }
  return status == RG_OK ? true : rg_reader_fail(reader, node, "cannot be used: %s", message.text);
}

const rgSchemaCustom rg_scene_off_file = {
    .type = "path",
    .schema = "\"type\": \"string\"",
    .read = read_off_file,
    .no_default = true,
};
