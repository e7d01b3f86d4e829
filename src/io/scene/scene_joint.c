// scene_joint.c - joints of a scene: their keys, what these must satisfy, and what is made of them.
#include "io/scene/scene_types.h"

#include "base/message.h"
#include "joint/joint.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const char* joint_word(int index) {
  return index < RG_JOINT_KIND_COUNT ? rg_joint_kind_name((rgJointKind)index) : NULL;
}

// -------------------------------------------------------------------------------------------------
// What acts along a free axis
// -------------------------------------------------------------------------------------------------

static bool finish_axis(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgSceneJointAxis* axis = item;
  if (axis->values.lower > axis->values.upper)
    return rg_reader_fail(reader, node, "has the lower limit %g above the upper limit %g",
                          axis->values.lower, axis->values.upper);
  if (rg_json_member(node, "motor_speed") && !rg_json_member(node, "motor_force"))
    return rg_reader_fail(reader, node,
                          "has a motor without a bound: \"motor_speed\" needs \"motor_force\"");
  static const char* const follow[] = {"follow_axis", "polynomial"};
  for (int i = 0; i < COUNT(follow) && !axis->follow[0]; i++)
    if (rg_json_member(node, follow[i]))
      return rg_reader_fail(reader, node, "has \"%s\" without \"follow\"", follow[i]);
  static const char* const servo[] = {"servo_target", "servo_speed", "servo_stiffness",
                                      "servo_damping", "servo_force"};
  for (int i = 0; i < COUNT(servo) && !axis->values.servo; i++)
    if (rg_json_member(node, servo[i]))
      return rg_reader_fail(reader, node, "has \"%s\" without a servo: it needs \"servo\": true",
                            servo[i]);
  if (axis->values.servo && !(axis->values.servo_stiffness > 0) &&
      !(axis->values.servo_damping > 0))
    return rg_reader_fail(reader, node,
                          "has a servo that does nothing: \"servo_stiffness\" or "
                          "\"servo_damping\" must be > 0");
  return true;
}

// clang-format off
static const rgSchemaField axis_fields[] = {
    {.key = "axis", .type = RG_FIELD_TEXT, AT(rgSceneJointAxis, name),
     .help = "which free axis, see the kinds; a joint with a single one need not say it"},
    {.key = "lower", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.lower), .keep = true,
     .unit = "rad or m",
     .help = "least coordinate; default: no limit"},
    {.key = "upper", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.upper), .keep = true,
     .unit = "rad or m",
     .help = "greatest coordinate; default: no limit; equal to `lower`: the axis is held there"},
    {.key = "motor_speed", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.motor_speed),
     .keep = true, .unit = "rad/s or m/s",
     .help = "rate that a motor drives the coordinate at"},
    {.key = "motor_force", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.motor_force),
     .range = &rg_range_positive, .keep = true, .unit = "N m or N",
     .help = "its largest torque or force"},
    {.key = "friction", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.friction),
     .range = &rg_range_not_negative, .unit = "N m or N",
     .help = "largest torque or force of dry friction"},
    {.key = "stiffness", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.stiffness),
     .range = &rg_range_not_negative, .unit = "N m/rad or N/m",
     .help = "of a spring"},
    {.key = "rest", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.rest),
     .unit = "rad or m",
     .help = "coordinate at which the spring is at rest"},
    {.key = "damping", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.damping),
     .range = &rg_range_not_negative, .unit = "N m s/rad or N s/m",
     .help = "of a damper"},
    {.key = "armature", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.armature),
     .range = &rg_range_not_negative, .unit = "kg m2 or kg",
     .help = "inertia of a rotor that turns with the axis"},
    {.key = "effort", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.effort),
     .unit = "N m or N",
     .help = "torque or force given from outside, on `b` and the opposite on `a`"},
    {.key = "servo", .type = RG_FIELD_BOOL, AT(rgSceneJointAxis, values.servo),
     .help = "true: a servo acts with the torque or force `servo_stiffness` (`servo_target` - "
             "coordinate) + `servo_damping` (`servo_speed` - rate)"},
    {.key = "servo_target", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.servo_target),
     .unit = "rad or m",
     .help = "coordinate that it drives towards"},
    {.key = "servo_speed", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.servo_speed),
     .unit = "rad/s or m/s",
     .help = "rate that it drives towards"},
    {.key = "servo_stiffness", .type = RG_FIELD_REAL,
     AT(rgSceneJointAxis, values.servo_stiffness),
     .range = &rg_range_not_negative, .unit = "N m/rad or N/m",
     .help = "torque or force per distance from the target"},
    {.key = "servo_damping", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.servo_damping),
     .range = &rg_range_not_negative, .unit = "N m s/rad or N s/m",
     .help = "torque or force per deviation from the speed"},
    {.key = "servo_force", .type = RG_FIELD_REAL, AT(rgSceneJointAxis, values.servo_force),
     .range = &rg_range_positive, .keep = true, .unit = "N m or N",
     .help = "its largest torque or force; default: any"},
    {.key = "follow", .type = RG_FIELD_TEXT, AT(rgSceneJointAxis, follow),
     .help = "`name` of another joint whose coordinate this one follows exactly, as gears do; how, "
             "`polynomial` says"},
    {.key = "follow_axis", .type = RG_FIELD_TEXT, AT(rgSceneJointAxis, follow_axis),
     .help = "which axis of that joint; one with a single axis need not say it"},
    {.key = "polynomial", .type = RG_FIELD_REALS, AT(rgSceneJointAxis, polynomial),
     .maximum = RG_COUPLING_TERMS,
     .help = "how it follows: numbers [c0, c1, c2, ...], at most five, for the coordinate "
             "c0 + c1 x + c2 x^2 + ... where x is that of the joint it follows [rad or m]. [0, -2]: "
             "gears of ratio 1:2 that turn in opposite senses. Default: [0, 1], the same coordinate"},
};
// clang-format on

static void default_axis(void* item, const void* context) {
  (void)context;
  rgSceneJointAxis* axis = item;
  axis->name = axis->follow = axis->follow_axis = "";
  axis->values.lower = -HUGE_VAL;
  axis->values.upper = HUGE_VAL;
  axis->values.servo_force = HUGE_VAL;
}

const rgSchemaObject rg_scene_joint_axis_object = {
    .name = "joint axis",
    .label = "an axis of a joint",
    .size = sizeof(rgSceneJointAxis),
    .head = true,
    .fields = axis_fields,
    .field_count = COUNT(axis_fields),
    .defaults = default_axis,
    .finish = finish_axis,
    .help = "What acts along one free axis of a joint: limits, a motor, dry friction, a spring, a "
            "damper, "
            "the inertia of a rotor, a given effort, a servo, or another axis that it follows. The "
            "coordinate "
            "of the axis is 0 in the initial state; of a distance joint it is the distance, and "
            "with frames on both bodies "
            "it is what these say. An angle is in radians, positive by the right-hand rule about "
            "the axis, and counts on "
            "past a full turn (2 pi = 6.283).",
};

// -------------------------------------------------------------------------------------------------
// Joints
// -------------------------------------------------------------------------------------------------

// The index of a free axis by name; -1 when there is none.
static int find_axis(rgJointKind kind, const char* name) {
  if (!name[0])
    return rg_joint_axis_count(kind) == 1 ? 0 : -1;
  for (int i = 0; i < rg_joint_axis_count(kind); i++)
    if (strcmp(rg_joint_axis_name(kind, i), name) == 0)
      return i;
  return -1;
}

static bool finish_axes(rgReader* reader, const rgJsonNode* node, const rgSceneJoint* joint) {
  const rgSceneJointAxis* axes = joint->axes.items;
  rgJointKind kind = (rgJointKind)joint->kind;
  bool seen[RG_JOINT_AXIS_MAX] = {false};
  for (int i = 0; i < joint->axes.count; i++) {
    int found = find_axis(kind, axes[i].name);
    if (found >= 0 && !seen[found]) {
      seen[found] = true;
      continue;
    }
    char known[100] = "";
    for (int k = 0; k < rg_joint_axis_count(kind); k++) {
      size_t used = strlen(known);
      snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "",
               rg_joint_axis_name(kind, k));
    }
    rgPathPart list = {reader->path, "axes", 0}, part = {&list, NULL, i};
    reader->path = &part;
    const rgJsonNode* place = rg_json_member(node, "axes");
    if (found >= 0)
      return rg_reader_fail(reader, place, "names the axis \"%s\" a second time",
                            rg_joint_axis_name(kind, found));
    return rg_reader_fail(reader, place, "names the axis \"%.40s\"; those of a %s joint are: %s",
                          axes[i].name, rg_joint_kind_name(kind), known[0] ? known : "none");
  }
  return true;
}

// In a plane, turns are about z unless the axis must lie in it.
static bool axis_is_z(const rgScene* scene, int kind) {
  return scene->dimension == 2 && rg_joint_info((rgJointKind)kind)->plane != RG_JOINT_PLANE_WITHIN;
}

static bool frames_given(const rgSceneJoint* joint) {
  static const char* const keys[] = {"position_a", "orientation_a", "position_b", "orientation_b"};
  for (int i = 0; i < COUNT(keys); i++)
    if (rg_schema_given(&rg_scene_joint_object, joint, keys[i]))
      return true;
  return false;
}

static int copies_of(const rgScene* scene, rgSceneBodyRef ref) {
  return ref.copy < 0 ? rg_scene_body(scene, ref.body)->copies : 1;
}

// Which bodies may be joined: two, or one and the ground; of repeated ones as many of each, or one.
static bool finish_ends(rgReader* reader, const rgJsonNode* node, const rgSceneJoint* joint) {
  const rgScene* scene = reader->context;
  bool has_a = rg_json_member(node, "a") != NULL;
  rgPathPart part = {reader->path, "b", 0};
  if (!has_a)
    return true;
  bool same = joint->a.body == joint->b.body;
  int count_a = copies_of(scene, joint->a), count_b = copies_of(scene, joint->b);
  bool row = same && joint->a.copy < 0 && joint->b.copy < 0 && count_a > 1;
  if (row)
    return true;
  if (same && (joint->a.copy == joint->b.copy || count_a + count_b > 2 ||
               rg_scene_body(scene, joint->a.body)->copies == 1)) {
    reader->path = &part;
    return rg_reader_fail(reader, rg_json_member(node, "b"),
                          "is the body itself, must be another one than \"a\"");
  }
  if (count_a > 1 && count_b > 1 && count_a != count_b) {
    reader->path = &part;
    return rg_reader_fail(reader, rg_json_member(node, "b"),
                          "has %d copies and \"a\" has %d, must be as many or one", count_b,
                          count_a);
  }
  return true;
}

static bool finish_joint(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgScene* scene = reader->context;
  const rgSceneJoint* joint = item;
  if (!finish_ends(reader, node, joint) || !finish_axes(reader, node, joint))
    return false;
  if (rg_json_member(node, "axis") && v3_norm2(joint->axis) == 0) {
    rgPathPart part = {reader->path, "axis", 0};
    reader->path = &part;
    return rg_reader_fail(reader, rg_json_member(node, "axis"), "has the length 0, must be > 0");
  }
  bool frames = rg_json_member(node, "orientation_a") || rg_json_member(node, "orientation_b");
  bool needed =
      rg_joint_info((rgJointKind)joint->kind)->needs_axis && !axis_is_z(scene, joint->kind);
  if (needed && !rg_json_member(node, "axis") && !frames)
    return rg_reader_fail(reader, node, "has no \"axis\"; a %s joint needs it",
                          rg_joint_kind_name((rgJointKind)joint->kind));
  return true;
}

static const rgJointParameter* find_parameter(int kind, const char* name) {
  const rgJointParameter* parameter;
  for (int i = 0; (parameter = rg_joint_parameter((rgJointKind)kind, i)); i++)
    if (strcmp(parameter->name, name) == 0)
      return parameter;
  return NULL;
}

// Parameters of all kinds, each name once, in the order of the kinds. Kinds that share a name share
// its meaning.
static const rgJointParameter* parameter_key(int index) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointParameter* parameter;
    for (int i = 0; (parameter = rg_joint_parameter((rgJointKind)kind, i)); i++) {
      bool known = false;
      for (int before = 0; before < kind && !known; before++)
        known = find_parameter(before, parameter->name) != NULL;
      if (!known && index-- == 0)
        return parameter;
    }
  }
  return NULL;
}

static void make_parameter_field(const rgJointParameter* parameter, int index,
                                 rgSchemaField* field) {
  bool bounded = parameter->lower > -HUGE_VAL || parameter->upper < HUGE_VAL;
  *field = (rgSchemaField){
      .key = parameter->name,
      .type = RG_FIELD_REAL,
      .offset = offsetof(rgSceneJoint, parameters) + (size_t)index * sizeof(double),
      .made_range = {parameter->lower, parameter->upper, parameter->lower_open},
      .range = bounded ? &field->made_range : NULL,
      .keep = true,
      .unit = parameter->unit,
      .help = parameter->help,
  };
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointParameter* own = find_parameter(kind, parameter->name);
    field->only |= (uint32_t)(own != NULL) << kind;
    field->needed |= (uint32_t)(own && isnan(own->initial)) << kind;
  }
}

// clang-format off
static const rgSchemaField kind_field = {
    .key = "kind", .type = RG_FIELD_WORD, AT(rgSceneJoint, kind), .word = joint_word,
    .needed = RG_VARIANT_ALL,
    .help = "how the bodies may move",
};

// In `only` of the table below: the kinds that two points place, and all others.
enum { BY_POINTS = 1, BY_AXES = 2 };

static const rgSchemaField joint_fields[] = {
    {.key = "name", .type = RG_FIELD_TEXT, AT(rgSceneJoint, name),
     .help = "by which `follow`, sensors and programs refer to it"},
    {.key = "a", .type = RG_FIELD_CUSTOM, AT(rgSceneJoint, a), .custom = &rg_scene_body_ref,
     .keep = true,
     .help = "name of a body; default: the ground"},
    {.key = "b", .type = RG_FIELD_CUSTOM, AT(rgSceneJoint, b), .custom = &rg_scene_body_ref,
     .needed = RG_VARIANT_ALL, .keep = true,
     .help = "name of the other body. Coordinates, rates and efforts of the joint are those of `b` relative to `a`"},
    {.key = "point", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, point), .count = 3, .planar = true,
     .unit = "m",
     .help = "where the joint is, in the world at the start"},
    {.key = "point_b", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, point_b), .count = 3,
     .planar = true, .only = BY_POINTS, .unit = "m",
     .help = "where it holds `b`; `point` is where it holds `a`"},
    {.key = "axis", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, axis), .count = 3, .planar = true,
     .only = BY_AXES, .keep = true,
     .help = "direction of the joint's axis in world coordinates in the initial state, of any "
             "length: the axis that it turns about or slides along; of a planar joint the normal "
             "of the plane; of a universal joint the axis fixed to `a`. Needed by all kinds but ball and "
             "fixed; in 2D scenes turns are about z and need none"},
    {.key = "axis_2", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, axis_2), .count = 3, .planar = true,
     .only = BY_AXES,
     .help = "second axis, perpendicular to `axis`, likewise: of a universal joint the axis fixed "
             "to `b`; of a planar joint the direction of `slide_y`. Default: some direction across `axis`"},
    {.key = "position_a", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, frame_a.position), .count = 3,
     .planar = true, .keep = true, .unit = "m",
     .help = "instead of `point` and axes, a frame on each body, whose x axis is the joint's axis and "
             "whose difference is its coordinate: origin of that on `a`, in the frame of `a` (of the ground: "
             "in the world)"},
    {.key = "orientation_a", .type = RG_FIELD_CUSTOM, AT(rgSceneJoint, frame_a.orientation),
     .custom = &rg_scene_orientation, .keep = true,
     .help = "orientation of that frame"},
    {.key = "position_b", .type = RG_FIELD_TUPLE, AT(rgSceneJoint, frame_b.position), .count = 3,
     .planar = true, .keep = true, .unit = "m",
     .help = "likewise on `b`"},
    {.key = "orientation_b", .type = RG_FIELD_CUSTOM, AT(rgSceneJoint, frame_b.orientation),
     .custom = &rg_scene_orientation, .keep = true,
     .help = "likewise on `b`"},
    {.key = "axes", .type = RG_FIELD_OBJECTS, AT(rgSceneJoint, axes), .object = &rg_scene_joint_axis_object,
     .maximum = RG_JOINT_AXIS_MAX,
     .help = "what acts along free axes"},
    {.key = "collide", .type = RG_FIELD_BOOL, AT(rgSceneJoint, collide),
     .help = "true: the two bodies may touch each other"},
};
// clang-format on

static uint32_t kinds_placed_by(uint32_t way) {
  uint32_t bits = 0;
  for (int i = 0; i < RG_JOINT_KIND_COUNT; i++)
    bits |= (uint32_t)(rg_joint_info((rgJointKind)i)->two_points == (way == BY_POINTS)) << i;
  return bits;
}

// The keys after the kind: those of the table, then the parameters of the kinds.
static bool joint_field(int index, rgSchemaField* field) {
  if (index < COUNT(joint_fields)) {
    *field = joint_fields[index];
    field->only = field->only ? kinds_placed_by(field->only) : 0;
    return true;
  }
  index -= COUNT(joint_fields);
  const rgJointParameter* parameter = parameter_key(index);
  if (!parameter || index >= RG_SCENE_JOINT_PARAMETER_MAX)
    return false;
  make_parameter_field(parameter, index, field);
  return true;
}

// A table of the kinds with their free axes and parameters.
static void describe_kinds(rgText* text) {
  rg_text_add(text, "\n\n| kind | how the bodies may move | free axes | keys of its own |\n"
                    "| --- | --- | --- | --- |\n");
  for (int k = 0; k < RG_JOINT_KIND_COUNT; k++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)k);
    rg_text_format(text, "| `%s` | %s | ", info->name, info->summary);
    for (int i = 0; i < info->axis_count; i++)
      rg_text_format(text, "%s`%s`%s", i ? ", " : "", info->axes[i].name,
                     info->axes[i].takes == RG_JOINT_LIMITS ? " (limits only)" : "");
    rg_text_add(text, " | ");
    for (int i = 0; i < info->parameter_count; i++)
      rg_text_format(text, "%s`%s`", i ? ", " : "", info->parameters[i].name);
    rg_text_add(text, " |");
    rg_text_add(text, k + 1 < RG_JOINT_KIND_COUNT ? "\n" : "");
  }
}

static void default_joint(void* item, const void* context) {
  (void)context;
  rgSceneJoint* joint = item;
  joint->name = "";
  joint->frame_a = joint->frame_b = pose_identity();
}

const rgSchemaObject rg_scene_joint_object = {
    .name = "joint",
    .label = "a joint",
    .size = sizeof(rgSceneJoint),
    .head = true,
    .fields = &kind_field,
    .field_count = 1,
    .field_at = joint_field,
    .variant = "kind",
    .defaults = default_joint,
    .finish = finish_joint,
    .help = "Joins two bodies, or a body and the ground. With repeated bodies, one entry makes "
            "many joints: "
            "if `a` and `b` have equally many copies, `a[0]` is joined to `b[0]`, `a[1]` to "
            "`b[1]`, and so on; if only "
            "one of them is repeated, each of its copies is joined to the other body. Give `point` "
            "for the first "
            "copy; for the others it is shifted by the spacing of the copies. If `a` and `b` are "
            "the same repeated "
            "body, each copy is joined to the next one: a chain.",
    .about = describe_kinds,
};

// -------------------------------------------------------------------------------------------------
// Building
// -------------------------------------------------------------------------------------------------

static void take_parameters(const rgSceneJoint* joint, rgJointDef* def) {
  const rgJointParameter* parameter;
  for (int i = 0; (parameter = parameter_key(i)); i++)
    if (rg_schema_given(&rg_scene_joint_object, joint, parameter->name))
      rg_joint_def_set(def, parameter->name, joint->parameters[i]);
}

static rgJointDef joint_def(const rgScene* scene, const rgSceneJoint* joint) {
  rgJointDef def = rg_joint_def((rgJointKind)joint->kind);
  def.point = joint->point;
  def.point_b = joint->point_b;
  if (rg_schema_given(&rg_scene_joint_object, joint, "axis"))
    def.axis = joint->axis;
  else if (axis_is_z(scene, joint->kind))
    def.axis = v3(0, 0, 1);
  def.axis_2 = joint->axis_2;
  // In a plane the free directions and those that are held lie in it, or across it.
  if (scene->dimension == 2 && v3_norm2(def.axis_2) == 0 && def.axis.z == 0)
    def.axis_2 = v3(0, 0, 1);
  def.frames_given = frames_given(joint);
  def.frame_a = joint->frame_a;
  def.frame_b = joint->frame_b;
  take_parameters(joint, &def);
  def.collide = joint->collide;
  const rgSceneJointAxis* axes = joint->axes.items;
  for (int i = 0; i < joint->axes.count; i++) {
    rgJointAxis* values = &def.axes[find_axis(def.kind, axes[i].name)];
    *values = axes[i].values;
    values->motor = values->motor_force > 0;
  }
  return def;
}

// Moves what is given in the world along with a copy.
static void move_along(rgJointDef* def, bool grounded, rgVec3 offset) {
  def->point = v3_add(def->point, offset);
  def->point_b = v3_add(def->point_b, offset);
  if (grounded)
    def->frame_a.position = v3_add(def->frame_a.position, offset);
}

// Whether each copy of a repeated body is joined to the next.
static bool makes_chain(const rgSceneJoint* joint) {
  return rg_schema_given(&rg_scene_joint_object, joint, "a") && joint->a.body == joint->b.body &&
         joint->a.copy < 0 && joint->b.copy < 0;
}

int rg_scene_joint_count(const rgScene* scene, const rgSceneJoint* joint) {
  bool has_a = rg_schema_given(&rg_scene_joint_object, joint, "a");
  int count_a = has_a ? copies_of(scene, joint->a) : 1, count_b = copies_of(scene, joint->b);
  return makes_chain(joint) ? count_a - 1 : count_a > count_b ? count_a : count_b;
}

rgStatus rg_scene_add_joint(const rgScene* scene, const rgSceneJoint* joint, const rgBodyId* bodies,
                            rgWorld* world) {
  const rgSceneBody* body_b = rg_scene_body(scene, joint->b.body);
  bool has_a = rg_schema_given(&rg_scene_joint_object, joint, "a");
  const rgSceneBody* body_a = has_a ? rg_scene_body(scene, joint->a.body) : NULL;
  int count_a = has_a ? copies_of(scene, joint->a) : 1, count_b = copies_of(scene, joint->b);
  bool row = makes_chain(joint);
  int count = rg_scene_joint_count(scene, joint);
  rgStatus status = RG_OK;
  for (int i = 0; i < count && status == RG_OK; i++) {
    rgJointDef def = joint_def(scene, joint);
    int copy_a = joint->a.copy < 0 ? (count_a > 1 ? i : 0) : joint->a.copy;
    int copy_b = joint->b.copy < 0 ? (count_b > 1 ? i + row : 0) : joint->b.copy;
    if (has_a)
      def.body_a = bodies[body_a->first + copy_a];
    def.body_b = bodies[body_b->first + copy_b];
    const rgSceneBody* moving = count_b > 1 ? body_b : body_a;
    if (count > 1 && moving)
      move_along(&def, !has_a, rg_scene_copy_offset(&moving->repeat, i));
    char name[RG_SCENE_NAME_MAX + 16];
    if (count > 1 && joint->name[0])
      snprintf(name, sizeof name, "%.*s[%d]", RG_SCENE_NAME_MAX, joint->name, i);
    else
      snprintf(name, sizeof name, "%.*s", RG_SCENE_NAME_MAX, joint->name);
    def.name = name;
    rgJointId id;
    status = rg_world_add_joint(world, &def, &id);
  }
  return status;
}

// -------------------------------------------------------------------------------------------------
// Couplings
// -------------------------------------------------------------------------------------------------

// Of several copies the one with the same number, where the leader has copies, too.
static rgJointId find_copy(const rgWorld* world, const char* name, int copy, bool several) {
  char text[RG_SCENE_NAME_MAX + 16];
  snprintf(text, sizeof text, "%.*s[%d]", RG_SCENE_NAME_MAX, name, copy);
  rgJointId id = several ? rg_world_find_joint(world, text) : (rgJointId){0, 0};
  return id.generation ? id : rg_world_find_joint(world, name);
}

static rgStatus couple(const rgSceneJoint* joint, const rgSceneJointAxis* axis, int copy,
                       bool several, rgWorld* world, rgMessage* why) {
  rgJointCoupling coupling = {.leader = find_copy(world, axis->follow, copy, several),
                              .polynomial = {0, 1}};
  rgJointState leader;
  if (rg_joint_state(world, coupling.leader, &leader) != RG_OK)
    return rg_fail(why, RG_ERROR_INPUT, "follows \"%.60s\", which is no joint of the scene",
                   axis->follow);
  coupling.axis = find_axis(leader.kind, axis->follow_axis);
  if (coupling.axis < 0)
    return rg_fail(why, RG_ERROR_INPUT,
                   "follows the axis \"%.40s\" of \"%.60s\", a %s joint, which has no such axis",
                   axis->follow_axis, axis->follow, rg_joint_kind_name(leader.kind));
  const double* polynomial = axis->polynomial.items;
  if (axis->polynomial.count > 0)
    coupling.polynomial[1] = 0;
  for (int i = 0; i < axis->polynomial.count; i++)
    coupling.polynomial[i] = polynomial[i];
  rgStatus status = rg_joint_couple(world, find_copy(world, joint->name, copy, several),
                                    find_axis((rgJointKind)joint->kind, axis->name), &coupling);
  return status == RG_OK ? RG_OK : rg_fail(why, status, "%s", rg_world_message(world));
}

rgStatus rg_scene_couple_joint(const rgScene* scene, const rgSceneJoint* joint, rgWorld* world,
                               rgMessage* why) {
  const rgSceneJointAxis* axes = joint->axes.items;
  int copies = rg_scene_joint_count(scene, joint);
  for (int i = 0; i < joint->axes.count; i++) {
    if (!axes[i].follow[0])
      continue;
    if (!joint->name[0])
      return rg_fail(why, RG_ERROR_INPUT, "follows another joint and has no name: give it one");
    for (int k = 0; k < copies; k++) {
      rgStatus status = couple(joint, &axes[i], k, copies > 1, world, why);
      if (status != RG_OK)
        return status;
    }
  }
  return RG_OK;
}
