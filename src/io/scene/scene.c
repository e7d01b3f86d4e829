// scene.c - scenes in and out.
#include "io/scene/scene_types.h"

#include "base/memory.h"
#include "io/robot/robot.h"
#include "io/text/file.h"

#include <string.h>

static rgScene* create_scene(const char* name) {
  rgAllocator allocator = rg_allocator_default();
  rgScene* scene = rg_allocate(&allocator, sizeof *scene);
  if (!scene)
    return NULL;
  scene->pool = (rgPool){allocator, NULL};
  scene->material_names.pool = scene->body_names.pool = &scene->pool;
  scene->file_name = rg_pool_text(&scene->pool, name);
  if (!scene->file_name) {
    rg_scene_free(scene);
    return NULL;
  }
  return scene;
}

void rg_scene_free(rgScene* scene) {
  if (!scene)
    return;
  rgAllocator allocator = scene->pool.allocator;
  rg_pool_free(&scene->pool);
  rg_release(&allocator, scene, sizeof *scene);
}

// `faults` is NULL when the first fault is enough.
static rgStatus parse_json(const char* text, size_t length, rgScene* scene, rgFaults* faults,
                           rgMessage* message) {
  rgJson* json;
  const char* name = scene->file_name;
  rgStatus status = rg_json_parse(text, length, name, &scene->pool.allocator, &json, message);
  if (status != RG_OK)
    return status;
  const rgJsonNode* root = rg_json_root(json);
  const rgJsonNode* dimension =
      root->type == RG_JSON_OBJECT ? rg_json_member(root, "dimension") : NULL;
  bool planar = dimension && dimension->type == RG_JSON_NUMBER && dimension->value.number == 2;
  rgReader reader = {.name = name,
                     .root = "the scene",
                     .pool = &scene->pool,
                     .context = scene,
                     .planar = planar,
                     .status = RG_OK,
                     .message = message,
                     .faults = faults};
  if (!rg_read_object(&reader, &rg_scene_object, root, scene))
    status = reader.status;
  rg_json_free(json);
  if (status == RG_ERROR_INPUT && faults && faults->count > 0)
    message->text[0] = 0; // all were told
  return status;
}

// `folder` is NULL for a text without a file.
static rgStatus parse(const char* text, size_t length, const char* name, const char* folder,
                      const rgModelOptions* options, rgFaults* faults, rgScene** out,
                      rgMessage* message) {
  *out = NULL;
  rgScene* scene = create_scene(name);
  if (!scene)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  scene->folder = folder;
  rgStatus status = rg_xml_looks_like(text, length)
                        ? rg_robot_read(text, length, folder, options, scene, message)
                        : parse_json(text, length, scene, faults, message);
  scene->folder = NULL; // only needed, and only valid, while reading
  if (status != RG_OK)
    rg_scene_free(scene);
  else
    *out = scene;
  return status;
}

enum { HULL_POINTS = 100 }; // above it, contacts of hulls cost more than the rest of a step

rgModelOptions rg_scene_model_options(void) { return (rgModelOptions){.hull_points = HULL_POINTS}; }

rgStatus rg_scene_parse(const char* text, size_t length, const char* name, rgScene** scene,
                        rgMessage* message) {
  rgModelOptions options = rg_scene_model_options();
  return parse(text, length, name, NULL, &options, NULL, scene, message);
}

rgStatus rg_scene_parse_in(const char* text, size_t length, const char* name, const char* folder,
                           rgScene** scene, rgMessage* message) {
  rgModelOptions options = rg_scene_model_options();
  return parse(text, length, name, folder, &options, NULL, scene, message);
}

static rgStatus read_file(const char* path, const rgModelOptions* options, rgFaults* faults,
                          rgScene** scene, rgMessage* message) {
  *scene = NULL;
  if (options->hull_points < 8)
    return rg_fail(message, RG_ERROR_INPUT, "%s: hull_points is %d, must be >= 8", path,
                   options->hull_points);
  rgAllocator allocator = rg_allocator_default();
  char* text;
  size_t length, size;
  rgStatus status = rg_file_read(path, &allocator, &text, &length, &size, message);
  if (status != RG_OK)
    return status;
  // The folder with its slash; empty for a file in the present one.
  const char* slash = strrchr(path, '/');
  size_t folder_length = slash ? (size_t)(slash - path) + 1 : 0;
  char* folder = rg_allocate(&allocator, folder_length + 1);
  if (folder) {
    memcpy(folder, path, folder_length);
    status = parse(text, length, path, folder, options, faults, scene, message);
  } else {
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  }
  rg_release(&allocator, folder, folder_length + 1);
  rg_release(&allocator, text, size);
  return status;
}

rgStatus rg_scene_read_model(const char* path, const rgModelOptions* options, rgScene** scene,
                             rgMessage* message) {
  return read_file(path, options, NULL, scene, message);
}

rgStatus rg_scene_faults(const char* path, rgSceneFault* fault, void* context) {
  rgModelOptions options = rg_scene_model_options();
  rgFaults faults = {.take = fault, .context = context};
  rgMessage message = {""};
  rgScene* scene;
  rgStatus status = read_file(path, &options, &faults, &scene, &message);
  rg_scene_free(scene);
  if (status != RG_OK && message.text[0])
    fault(context, message.text);
  return status;
}

rgStatus rg_scene_read(const char* path, rgScene** scene, rgMessage* message) {
  rgModelOptions options = rg_scene_model_options();
  return rg_scene_read_model(path, &options, scene, message);
}

bool rg_scene_note(const rgScene* scene, int index, const char** place, const char** text) {
  if (index < 0 || index >= scene->notes.count)
    return false;
  const rgSceneNote* note = (const rgSceneNote*)scene->notes.items + index;
  *place = note->place;
  *text = note->text;
  return true;
}

size_t rg_scene_write(const rgScene* scene, char* text, size_t capacity) {
  rgText out = {.text = text, .capacity = capacity};
  rgWriter writer = {&out, scene};
  rg_write_object(&writer, &rg_scene_object, scene, 0);
  rg_text_add(&out, "\n");
  return rg_text_end(&out);
}

const char* rg_scene_title(const rgScene* scene) { return scene->title; }

double rg_scene_time(const rgScene* scene) { return scene->time; }

rgOptions* rg_scene_options(rgScene* scene) { return &scene->options; }

int rg_scene_body_count(const rgScene* scene) { return scene->body_count; }

const char* rg_scene_file(const rgScene* scene, int index) {
  const rgSceneFile* file = scene->files;
  for (; file && index > 0; index--)
    file = file->next;
  return file ? file->path : NULL;
}
