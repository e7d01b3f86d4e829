// scene_sensor.c - sensors of a scene: their keys, and what is made of them.
#include "io/scene/scene_types.h"

#include "math/vec.h"
#include "sensor/sensor.h"

#include <stdio.h>

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const char* sensor_word(int index) {
  return index < RG_SENSOR_KIND_COUNT ? rg_sensor_kind_name((rgSensorKind)index) : NULL;
}

// clang-format off
static const rgSchemaField kind_field = {
    .key = "kind", .type = RG_FIELD_WORD, AT(rgSceneSensor, kind), .word = sensor_word,
    .needed = RG_VARIANT_ALL,
    .help = "what it measures",
};

// In `only` and `needed` of the table below stands what a kind needs or takes (rgSensorNeeds).
static const rgSchemaField sensor_fields[] = {
    {.key = "name", .type = RG_FIELD_TEXT, AT(rgSceneSensor, name), .needed = RG_VARIANT_ALL,
     .help = "unique name, by which recordings and programs know it"},
    {.key = "body", .type = RG_FIELD_CUSTOM, AT(rgSceneSensor, body), .custom = &rg_scene_body_ref,
     .only = RG_SENSOR_NEEDS_BODY, .needed = RG_SENSOR_NEEDS_BODY, .keep = true,
     .help = "name of the body that it sits on; of a repeated body, each copy gets one"},
    {.key = "other", .type = RG_FIELD_CUSTOM, AT(rgSceneSensor, other),
     .custom = &rg_scene_body_ref, .only = RG_SENSOR_TAKES_OTHER, .keep = true,
     .help = "name of a body: forces by this one alone. Default: by all"},
    {.key = "joint", .type = RG_FIELD_TEXT, AT(rgSceneSensor, joint),
     .only = RG_SENSOR_NEEDS_JOINT, .needed = RG_SENSOR_NEEDS_JOINT,
     .help = "name of the joint that it measures"},
    {.key = "position", .type = RG_FIELD_TUPLE, AT(rgSceneSensor, frame.position), .count = 3,
     .planar = true, .only = RG_SENSOR_TAKES_FRAME, .unit = "m",
     .help = "where it sits in the frame of the body; `force-torque`: of the joint on `b`"},
    {.key = "orientation", .type = RG_FIELD_CUSTOM, AT(rgSceneSensor, frame.orientation),
     .custom = &rg_scene_orientation, .only = RG_SENSOR_TAKES_FRAME,
     .help = "orientation of its axes in that frame"},
    {.key = "length", .type = RG_FIELD_REAL, AT(rgSceneSensor, length),
     .range = &rg_range_positive, .only = RG_SENSOR_TAKES_LENGTH, .keep = true, .unit = "m",
     .help = "how far it sees; default: any distance"},
};
// clang-format on

static uint32_t kinds_with(uint32_t needs) {
  uint32_t bits = 0;
  for (int i = 0; i < RG_SENSOR_KIND_COUNT; i++)
    bits |= (uint32_t)((rg_sensor_info((rgSensorKind)i)->needs & needs) != 0) << i;
  return bits;
}

static bool sensor_field(int index, rgSchemaField* field) {
  if (index >= COUNT(sensor_fields))
    return false;
  *field = sensor_fields[index];
  if (field->only) {
    field->needed = field->needed ? kinds_with(field->needed) : 0;
    field->only = kinds_with(field->only);
  }
  return true;
}

// A table of the kinds with their values.
static void describe_kinds(rgText* text) {
  rg_text_add(text, "\n\n| kind | what it shows | values |\n| --- | --- | --- |\n");
  for (int k = 0; k < RG_SENSOR_KIND_COUNT; k++) {
    const rgSensorInfo* info = rg_sensor_info((rgSensorKind)k);
    rg_text_format(text, "| `%s` | %s | ", info->name, info->summary);
    if (info->of_axes)
      rg_text_format(text, "one for each free axis [%s or %s]", info->units[0], info->units[1]);
    for (int i = 0; i < info->count; i++)
      rg_text_format(text, "%s`%s`%s%s%s", i ? ", " : "", info->values[i],
                     info->units[i][0] ? " [" : "", info->units[i], info->units[i][0] ? "]" : "");
    rg_text_format(text, "%s |", info->of_step ? "; mean over the step" : "");
    rg_text_add(text, k + 1 < RG_SENSOR_KIND_COUNT ? "\n" : "");
  }
}

static void default_sensor(void* item, const void* context) {
  (void)context;
  rgSceneSensor* sensor = item;
  sensor->joint = "";
  sensor->frame = pose_identity();
  sensor->length = HUGE_VAL;
}

static bool finish_sensor(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgSceneSensor* sensor = item;
  return sensor->name[0] || rg_reader_fail(reader, node, "has an empty name");
}

const rgSchemaObject rg_scene_sensor_object = {
    .name = "sensor",
    .label = "a sensor",
    .size = sizeof(rgSceneSensor),
    .head = true,
    .fields = &kind_field,
    .field_count = 1,
    .field_at = sensor_field,
    .variant = "kind",
    .defaults = default_sensor,
    .finish = finish_sensor,
    .help = "Numbers that are measured in every step, recorded by `rigor run --record sensors` and "
            "read by programs ([sensors.md](sensors.md)).",
    .about = describe_kinds,
};

// -------------------------------------------------------------------------------------------------
// Building
// -------------------------------------------------------------------------------------------------

// What the sensor refers to by name; bodies are those of its first copy.
static rgStatus refer(const rgScene* scene, const rgSceneSensor* sensor, const rgBodyId* bodies,
                      const rgWorld* world, rgSensorDef* def, rgMessage* message) {
  unsigned needs = rg_sensor_info(def->kind)->needs;
  if (needs & RG_SENSOR_NEEDS_JOINT) {
    def->joint = rg_world_find_joint(world, sensor->joint);
    if (def->joint.generation == 0)
      return rg_fail(message, RG_ERROR_INPUT, "there is no joint \"%.60s\"", sensor->joint);
  }
  if (rg_schema_given(&rg_scene_sensor_object, sensor, "other")) {
    const rgSceneBody* other = rg_scene_body(scene, sensor->other.body);
    if (sensor->other.copy < 0 && other->copies > 1)
      return rg_fail(message, RG_ERROR_INPUT,
                     "other names all %d copies of \"%.40s\", must be one: \"%.40s[0]\"",
                     other->copies, other->name, other->name);
    def->other = bodies[other->first + (sensor->other.copy < 0 ? 0 : sensor->other.copy)];
  }
  return RG_OK;
}

rgStatus rg_scene_add_sensor(const rgScene* scene, const rgSceneSensor* sensor,
                             const rgBodyId* bodies, rgWorld* world, rgMessage* message) {
  rgSensorDef def = rg_sensor_def((rgSensorKind)sensor->kind);
  def.frame = sensor->frame;
  def.length = sensor->length;
  rgStatus status = refer(scene, sensor, bodies, world, &def, message);
  bool on_body = rg_sensor_info(def.kind)->needs & RG_SENSOR_NEEDS_BODY;
  const rgSceneBody* body = on_body ? rg_scene_body(scene, sensor->body.body) : NULL;
  int count = body && sensor->body.copy < 0 ? body->copies : 1;
  for (int i = 0; i < count && status == RG_OK; i++) {
    char name[RG_SCENE_NAME_MAX + 16];
    if (body)
      def.body = bodies[body->first + (sensor->body.copy < 0 ? i : sensor->body.copy)];
    snprintf(name, sizeof name, count > 1 ? "%.*s[%d]" : "%.*s", RG_SCENE_NAME_MAX, sensor->name,
             i);
    def.name = name;
    status = rg_world_add_sensor(world, &def, NULL);
    if (status != RG_OK)
      rg_fail(message, status, "%s", rg_world_message(world));
  }
  return status;
}
