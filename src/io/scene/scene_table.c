// scene_table.c - the scene format: every object, key, type, unit, range and help of it.
//
// Reading, writing, checking, docs/scene.md and docs/scene.schema.json all come from here. Options
// are taken from the world's own table of options.
#include "io/scene/scene_types.h"

#include "math/vec.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const rgRange unit_interval = {0, 1, false};
static const rgRange at_least_one = {1, HUGE_VAL, false};
static const rgRange format_version = {1, 1, false};
static const rgRange dimensions = {2, 3, false};

// -------------------------------------------------------------------------------------------------
// Words
// -------------------------------------------------------------------------------------------------

static const char* body_word(int index) {
  return index < RG_BODY_KIND_COUNT ? rg_body_kind_name((rgBodyKind)index) : NULL;
}

// Callbacks are for programs.
static const char* force_word(int index) {
  return index < RG_FORCE_CALLBACK ? rg_force_kind_name((rgForceKind)index) : NULL;
}

static const char* motion_word(int index) {
  static const char* const words[] = {"table", "harmonic"};
  return index < COUNT(words) ? words[index] : NULL;
}

// -------------------------------------------------------------------------------------------------
// Options: the world's table
// -------------------------------------------------------------------------------------------------

static void default_options(void* item, const void* context) {
  const rgScene* scene = context;
  rgOptions* options = item;
  rg_options_preset(scene ? rg_preset_name(scene->preset) : "default", options);
  if (scene && scene->dimension == 2)
    options->gravity = v3(0, options->gravity.z, 0);
}

static bool option_field(int index, rgSchemaField* field) {
  static const rgFieldType types[] = {
      [RG_OPTION_BOOL] = RG_FIELD_BOOL, [RG_OPTION_INT] = RG_FIELD_INT,
      [RG_OPTION_REAL] = RG_FIELD_REAL, [RG_OPTION_VEC3] = RG_FIELD_TUPLE,
      [RG_OPTION_NAME] = RG_FIELD_NAME,
  };
  const rgOption* option = rg_option(index);
  if (!option)
    return false;
  bool number = option->type == RG_OPTION_INT || option->type == RG_OPTION_REAL;
  bool open_end = option->upper >= (option->type == RG_OPTION_INT ? INT_MAX : DBL_MAX);
  *field = (rgSchemaField){
      .key = option->name,
      .type = types[option->type],
      .offset = option->offset,
      .count = option->type == RG_OPTION_VEC3 ? 3 : 0,
      .planar = option->type == RG_OPTION_VEC3,
      .word = option->names,
      .made_range = {option->lower, open_end ? HUGE_VAL : option->upper, option->lower_open},
      .range = number ? &field->made_range : NULL,
      .unit = option->unit,
      .help = option->help,
  };
  return true;
}

static const rgSchemaObject options_object = {
    .name = "options",
    .label = "the options",
    .size = sizeof(rgOptions),
    .field_at = option_field,
    .defaults = default_options,
    .help = "How to simulate. An option that is not given has its value in the scene's `preset`; "
            "the defaults below are those of the preset `default`. The command line takes the "
            "same names.",
};

// -------------------------------------------------------------------------------------------------
// Materials
// -------------------------------------------------------------------------------------------------

// clang-format off
static const rgSchemaField material_fields[] = {
    {.key = "name", .type = RG_FIELD_TEXT, AT(rgSceneMaterial, name), .needed = RG_VARIANT_ALL,
     .help = "name by which shapes and pairs refer to it; the material `default` is that of shapes "
             "without a `material`"},
    {.key = "mu", .type = RG_FIELD_REAL, AT(rgSceneMaterial, material.mu),
     .range = &rg_range_not_negative,
     .help = "coefficient of friction"},
    {.key = "restitution", .type = RG_FIELD_REAL, AT(rgSceneMaterial, material.restitution),
     .range = &unit_interval,
     .help = "ratio of the normal speeds after and before an impact"},
    {.key = "e_t", .type = RG_FIELD_REAL, AT(rgSceneMaterial, material.e_t),
     .range = &rg_range_positive,
     .help = "factor on `mu` along `direction`"},
    {.key = "e_o", .type = RG_FIELD_REAL, AT(rgSceneMaterial, material.e_o),
     .range = &rg_range_positive,
     .help = "factor on `mu` across `direction`"},
    {.key = "e_tau", .type = RG_FIELD_REAL, AT(rgSceneMaterial, material.e_tau),
     .range = &rg_range_not_negative, .unit = "m",
     .help = "torsional length: the largest friction torque about the normal is `mu` `e_tau` "
             "times the normal force"},
    {.key = "direction", .type = RG_FIELD_TUPLE, AT(rgSceneMaterial, material.direction),
     .count = 3,
     .help = "direction of `e_t`, in the body's frame; [0, 0, 0]: friction is the same in all "
             "directions"},
};
// clang-format on

static void default_material(void* item, const void* context) {
  (void)context;
  ((rgSceneMaterial*)item)->material = rg_material_default();
}

static const rgSchemaObject material_object = {
    .name = "material",
    .label = "a material",
    .size = sizeof(rgSceneMaterial),
    .head = true,
    .fields = material_fields,
    .field_count = COUNT(material_fields),
    .defaults = default_material,
    .finish = rg_scene_finish_material,
    .help = "Surface properties. Where two materials touch, `mu`, `restitution`, `e_t`, `e_o` and "
            "`e_tau` are the geometric means of their two values. `pairs` state exceptions.",
};

// clang-format off
static const rgSchemaField pair_fields[] = {
    {.key = "a", .type = RG_FIELD_CUSTOM, AT(rgScenePair, a), .custom = &rg_scene_material_ref,
     .needed = RG_VARIANT_ALL,
     .help = "one material"},
    {.key = "b", .type = RG_FIELD_CUSTOM, AT(rgScenePair, b), .custom = &rg_scene_material_ref,
     .needed = RG_VARIANT_ALL,
     .help = "the other material; may be the same"},
};
// clang-format on

// Its own keys, then those of a material without the name.
static bool pair_field(int index, rgSchemaField* field) {
  int own = COUNT(pair_fields), rest = index - own + 1;
  if (rest >= COUNT(material_fields))
    return false;
  *field = index < own ? pair_fields[index] : material_fields[rest];
  if (index >= own) {
    field->offset =
        field->offset - offsetof(rgSceneMaterial, material) + offsetof(rgScenePair, material);
    field->keep = true;
  }
  return true;
}

static void default_pair(void* item, const void* context) {
  (void)context;
  rgScenePair* pair = item;
  pair->a = pair->b = RG_SCENE_DEFAULT_MATERIAL;
  pair->material = rg_material_default();
}

const rgSchemaObject rg_scene_pair_object = {
    .name = "pair",
    .label = "a pair",
    .size = sizeof(rgScenePair),
    .head = true,
    .field_at = pair_field,
    .defaults = default_pair,
    .finish = rg_scene_finish_pair,
    .help = "Values for two materials in contact, instead of the geometric means. A key that is "
            "not given has the geometric mean. A `direction` refers to the body with material "
            "`a`.",
};

#define BIT(kind) ((uint32_t)1 << (kind))

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

// clang-format off
static const rgSchemaField repeat_fields[] = {
    {.key = "count", .type = RG_FIELD_COUNTS, AT(rgSceneRepeat, count), .count = 3,
     .range = &at_least_one,
     .help = "number of copies along x, y and z"},
    {.key = "spacing", .type = RG_FIELD_TUPLE, AT(rgSceneRepeat, spacing), .count = 3, .planar = true,
     .unit = "m",
     .help = "distance from one copy to the next along x, y and z"},
};
// clang-format on

static void default_repeat(void* item, const void* context) {
  (void)context;
  rgSceneRepeat* repeat = item;
  for (int i = 0; i < 3; i++)
    repeat->count[i] = 1;
}

static const rgSchemaObject repeat_object = {
    .name = "repeat",
    .label = "a repeat",
    .size = sizeof(rgSceneRepeat),
    .head = true,
    .fields = repeat_fields,
    .field_count = COUNT(repeat_fields),
    .defaults = default_repeat,
    .help = "Makes a grid of copies of a body, along the axes of the world. The copies of a "
            "body named `box` are called `box[0]`, `box[1]`, ...: first along x, then y, then "
            "z. The name `box` alone means all of them.",
};

#define TABLE BIT(RG_SCENE_MOTION_TABLE)
#define HARMONIC BIT(RG_SCENE_MOTION_HARMONIC)

// clang-format off
static const rgSchemaField motion_fields[] = {
    {.key = "kind", .type = RG_FIELD_WORD, AT(rgSceneMotion, kind), .word = motion_word,
     .help = "kind of motion"},
    {.key = "times", .type = RG_FIELD_REALS, AT(rgSceneMotion, times), .minimum = 1,
     .only = TABLE, .needed = TABLE, .unit = "s",
     .help = "times of the table, increasing"},
    {.key = "positions", .type = RG_FIELD_TUPLES, AT(rgSceneMotion, positions), .count = 3, .planar = true,
     .only = TABLE, .unit = "m",
     .help = "positions at `times`, linear between them. Default: the body's `position`"},
    {.key = "orientations", .type = RG_FIELD_CUSTOM, AT(rgSceneMotion, orientations),
     .custom = &rg_scene_orientations, .only = TABLE,
     .help = "orientations at `times`, between them by normalized linear interpolation along the "
             "shorter arc. Default: the body's `orientation`"},
    {.key = "amplitude", .type = RG_FIELD_TUPLE, AT(rgSceneMotion, amplitude), .count = 3, .planar = true,
     .only = HARMONIC, .unit = "m",
     .help = "position = initial position + `amplitude` sin(2 pi `frequency` t + `phase`)"},
    {.key = "swing", .type = RG_FIELD_TUPLE, AT(rgSceneMotion, swing), .count = 3,
     .only = HARMONIC, .unit = "rad",
     .help = "rotation vector (axis times angle, in world axes) that is applied to the initial "
             "orientation, times the same sine"},
    {.key = "frequency", .type = RG_FIELD_REAL, AT(rgSceneMotion, frequency),
     .range = &rg_range_positive, .only = HARMONIC, .needed = HARMONIC, .unit = "Hz",
     .help = "oscillations per second"},
    {.key = "phase", .type = RG_FIELD_REAL, AT(rgSceneMotion, phase), .only = HARMONIC,
     .unit = "rad",
     .help = "phase of the sine at t = 0"},
};
// clang-format on

const rgSchemaObject rg_scene_motion_object = {
    .name = "motion",
    .label = "a motion",
    .size = sizeof(rgSceneMotion),
    .head = true,
    .fields = motion_fields,
    .field_count = COUNT(motion_fields),
    .variant = "kind",
    .finish = rg_scene_finish_motion,
    .help = "The given path of a kinematic body. Before the first and after the last time of a "
            "table the body does not move.",
};

#define MOVING (BIT(RG_BODY_DYNAMIC) | BIT(RG_BODY_KINEMATIC))

// clang-format off
static const rgSchemaField body_fields[] = {
    {.key = "name", .type = RG_FIELD_TEXT, AT(rgSceneBody, name),
     .help = "unique name of at most 48 bytes, without brackets"},
    {.key = "kind", .type = RG_FIELD_WORD, AT(rgSceneBody, kind), .word = body_word,
     .help = "`dynamic`: moved by forces and contacts; `static`: never moves; `kinematic`: "
             "follows its `motion`"},
    {.key = "position", .type = RG_FIELD_TUPLE, AT(rgSceneBody, pose.position), .count = 3, .planar = true,
     .unit = "m",
     .help = "position of the body's frame in the world"},
    {.key = "orientation", .type = RG_FIELD_CUSTOM, AT(rgSceneBody, pose.orientation),
     .custom = &rg_scene_orientation,
     .help = "orientation of the body's frame in the world"},
    {.key = "velocity", .type = RG_FIELD_TUPLE, AT(rgSceneBody, velocity.linear), .count = 3, .planar = true,
     .only = MOVING, .unit = "m/s",
     .help = "initial velocity of the centre of mass; a kinematic body without `motion` keeps it"},
    {.key = "angular_velocity", .type = RG_FIELD_TUPLE, AT(rgSceneBody, velocity.angular),
     .count = 3, .only = MOVING, .unit = "rad/s",
     .help = "initial angular velocity in world axes; a kinematic body without `motion` keeps it"},
    {.key = "mass", .type = RG_FIELD_REAL, AT(rgSceneBody, mass), .range = &rg_range_positive,
     .unit = "kg",
     .help = "mass of the body. Default: from the densities of its shapes. If `mass` is given "
             "and `inertia` is not, the densities are scaled to it. Static and kinematic bodies "
             "ignore it"},
    {.key = "center", .type = RG_FIELD_TUPLE, AT(rgSceneBody, center), .count = 3, .planar = true, .unit = "m",
     .help = "centre of mass in the body's frame; requires `inertia`. Default: from the shapes"},
    {.key = "inertia", .type = RG_FIELD_CUSTOM, AT(rgSceneBody, inertia),
     .custom = &rg_scene_inertia, .unit = "kg m2",
     .help = "inertia about the centre of mass, in the body's axes; requires `mass`. In 2D the "
             "moment about z alone counts and is given as one number. Default: from the shapes"},
    {.key = "rotation_locked", .type = RG_FIELD_BOOL, AT(rgSceneBody, rotation_locked),
     .help = "true: the body translates but never rotates"},
    {.key = "massless", .type = RG_FIELD_BOOL, AT(rgSceneBody, massless),
     .help = "true: a part of a mechanism without mass, held by joints on both sides. It has neither "
             "weight, momentum nor energy; `mass` and `inertia` stand in for it inside a step, and are to be small "
             "parts of those of its neighbours"},
    {.key = "shapes", .type = RG_FIELD_OBJECTS, AT(rgSceneBody, shapes),
     .object = &rg_scene_shape_object,
     .help = "the shapes that make up the body"},
    {.key = "repeat", .type = RG_FIELD_OBJECT, AT(rgSceneBody, repeat), .object = &repeat_object,
     .help = "copies of the body on a grid"},
    {.key = "motion", .type = RG_FIELD_OBJECT, AT(rgSceneBody, motion),
     .object = &rg_scene_motion_object, .only = BIT(RG_BODY_KINEMATIC),
     .help = "its given path. Default: constant velocity"},
};
// clang-format on

static void default_body(void* item, const void* context) {
  (void)context;
  rgSceneBody* body = item;
  rgBodyDef def = rg_body_def();
  body->kind = (int)def.kind;
  body->pose = def.pose;
  body->copies = 1;
}

const rgSchemaObject rg_scene_body_object = {
    .name = "body",
    .label = "a body",
    .size = sizeof(rgSceneBody),
    .head = true,
    .fields = body_fields,
    .field_count = COUNT(body_fields),
    .variant = "kind",
    .defaults = default_body,
    .finish = rg_scene_finish_body,
    .help = "A rigid body. Unless they are given, mass, centre of mass and inertia are computed "
            "exactly from the shapes and their densities.",
};

// -------------------------------------------------------------------------------------------------
// Forces
// -------------------------------------------------------------------------------------------------

#define FORCE_CONSTANT BIT(RG_FORCE_CONSTANT)
#define FORCE_TABLE BIT(RG_FORCE_TABLE)
#define FORCE_SPRING BIT(RG_FORCE_SPRING)
#define FORCE_TORSION BIT(RG_FORCE_TORSION)
#define FORCE_DRAG BIT(RG_FORCE_DRAG)
#define FORCE_ATTRACTOR BIT(RG_FORCE_ATTRACTOR)
#define FORCE_COUPLES (FORCE_SPRING | FORCE_TORSION)

// clang-format off
static const rgSchemaField force_fields[] = {
    {.key = "kind", .type = RG_FIELD_WORD, AT(rgSceneForce, kind), .word = force_word,
     .help = "kind of force"},
    {.key = "body", .type = RG_FIELD_CUSTOM, AT(rgSceneForce, body),
     .custom = &rg_scene_body_ref, .needed = RG_VARIANT_ALL & ~FORCE_ATTRACTOR, .keep = true,
     .help = "name of the dynamic body that it acts on. Default for an attractor: all dynamic "
             "bodies"},
    {.key = "other", .type = RG_FIELD_CUSTOM, AT(rgSceneForce, other),
     .custom = &rg_scene_body_ref, .only = FORCE_COUPLES, .keep = true,
     .help = "name of the body at the other end. Default: the ground"},
    {.key = "force", .type = RG_FIELD_TUPLE, AT(rgSceneForce, force), .count = 3, .planar = true, .keep = true,
     .only = FORCE_CONSTANT, .unit = "N",
     .help = "force"},
    {.key = "torque", .type = RG_FIELD_TUPLE, AT(rgSceneForce, torque), .count = 3, .keep = true,
     .only = FORCE_CONSTANT, .unit = "N m",
     .help = "torque"},
    {.key = "times", .type = RG_FIELD_REALS, AT(rgSceneForce, times), .minimum = 1,
     .only = FORCE_TABLE | FORCE_ATTRACTOR, .needed = FORCE_TABLE, .unit = "s",
     .help = "times of the table, increasing"},
    {.key = "forces", .type = RG_FIELD_TUPLES, AT(rgSceneForce, forces), .count = 3, .planar = true,
     .only = FORCE_TABLE, .unit = "N",
     .help = "forces at `times`, linear between them, constant before and after"},
    {.key = "torques", .type = RG_FIELD_TUPLES, AT(rgSceneForce, torques), .count = 3,
     .only = FORCE_TABLE, .unit = "N m",
     .help = "torques at `times`, interpolated in the same way"},
    {.key = "point", .type = RG_FIELD_TUPLE, AT(rgSceneForce, point), .count = 3, .planar = true, .keep = true,
     .only = FORCE_CONSTANT | FORCE_TABLE | FORCE_SPRING, .unit = "m",
     .help = "point of application in the body's frame. Default: the centre of mass; for a "
             "spring the origin of the frame"},
    {.key = "other_point", .type = RG_FIELD_TUPLE, AT(rgSceneForce, other_point), .count = 3,
     .planar = true, .only = FORCE_SPRING, .unit = "m",
     .help = "where the spring is attached to the other body, in its frame; for the ground, a "
             "point in the world"},
    {.key = "stiffness", .type = RG_FIELD_REAL, AT(rgSceneForce, stiffness),
     .range = &rg_range_not_negative, .only = FORCE_COUPLES, .unit = "N/m, N m/rad",
     .help = "stiffness of the spring"},
    {.key = "damping", .type = RG_FIELD_REAL, AT(rgSceneForce, damping),
     .range = &rg_range_not_negative, .only = FORCE_COUPLES, .unit = "N s/m, N m s/rad",
     .help = "coefficient of the damper in parallel with the spring"},
    {.key = "rest", .type = RG_FIELD_REAL, AT(rgSceneForce, rest), .only = FORCE_SPRING,
     .unit = "m",
     .help = "rest length of the spring; negative: its length in the initial state"},
    {.key = "drag", .type = RG_FIELD_REAL, AT(rgSceneForce, drag),
     .range = &rg_range_not_negative, .only = FORCE_DRAG, .unit = "N s/m",
     .help = "drag force per velocity of the centre of mass"},
    {.key = "spin_drag", .type = RG_FIELD_REAL, AT(rgSceneForce, spin_drag),
     .range = &rg_range_not_negative, .only = FORCE_DRAG, .unit = "N m s/rad",
     .help = "drag torque per angular velocity"},
    {.key = "strength", .type = RG_FIELD_REAL, AT(rgSceneForce, strength),
     .only = FORCE_ATTRACTOR, .needed = FORCE_ATTRACTOR, .unit = "N",
     .help = "limit of the force near the centre; negative: it repels"},
    {.key = "range", .type = RG_FIELD_REAL, AT(rgSceneForce, range),
     .range = &rg_range_positive, .only = FORCE_ATTRACTOR, .needed = FORCE_ATTRACTOR, .unit = "m",
     .help = "distance at which the force is half of `strength`"},
    {.key = "center", .type = RG_FIELD_TUPLE, AT(rgSceneForce, center), .count = 3,
     .planar = true, .only = FORCE_ATTRACTOR, .unit = "m",
     .help = "position of the attractor"},
    {.key = "path", .type = RG_FIELD_TUPLES, AT(rgSceneForce, path), .count = 3,
     .planar = true, .only = FORCE_ATTRACTOR, .unit = "m",
     .help = "positions of the attractor at `times`, instead of `center`"},
    {.key = "body_axes", .type = RG_FIELD_BOOL, AT(rgSceneForce, body_axes),
     .only = FORCE_CONSTANT | FORCE_TABLE,
     .help = "true: force and torque are given in body axes and rotate with the body"},
};
// clang-format on

static void default_force(void* item, const void* context) {
  (void)context;
  ((rgSceneForce*)item)->rest = rg_force_def().rest;
}

const rgSchemaObject rg_scene_force_object = {
    .name = "force",
    .label = "a force",
    .size = sizeof(rgSceneForce),
    .head = true,
    .fields = force_fields,
    .field_count = COUNT(force_fields),
    .variant = "kind",
    .defaults = default_force,
    .finish = rg_scene_finish_force,
    .help =
        "A force in addition to gravity, on one body or on every copy of a repeated body. Springs, "
        "torsion and drag may be stiff: they are integrated implicitly (option `implicit_forces`).",
};

// -------------------------------------------------------------------------------------------------
// The scene
// -------------------------------------------------------------------------------------------------

// clang-format off
static const rgSchemaField scene_fields[] = {
    {.key = "rigor", .type = RG_FIELD_INT, AT(rgScene, version), .range = &format_version,
     .needed = RG_VARIANT_ALL,
     .help = "version of the format"},
    {.key = "$schema", .type = RG_FIELD_TEXT, AT(rgScene, schema),
     .help = "path of `scene.schema.json`, for editors; the program ignores it"},
    {.key = "title", .type = RG_FIELD_TEXT, AT(rgScene, title),
     .help = "title of the scene, one line"},
    {.key = "time", .type = RG_FIELD_REAL, AT(rgScene, time), .range = &rg_range_positive,
     .unit = "s",
     .help = "simulated time"},
    {.key = "dimension", .type = RG_FIELD_INT, AT(rgScene, dimension), .range = &dimensions,
     .help = "2: a scene in the x-y plane, with flat shapes, gravity along -y, vectors of two "
             "numbers [x, y] and orientations as one angle in degrees"},
    {.key = "preset", .type = RG_FIELD_WORD, AT(rgScene, preset), .word = rg_preset_name,
     .help = "named set of options, to which `options` are applied"},
    {.key = "options", .type = RG_FIELD_OBJECT, AT(rgScene, options), .object = &options_object,
     .help = "options that override those of the preset"},
    {.key = "camera", .type = RG_FIELD_OBJECT, AT(rgScene, camera), .object = &rg_scene_camera_object,
     .help = "how the browser page looks at the scene; the simulation does not depend on it"},
    {.key = "materials", .type = RG_FIELD_OBJECTS, AT(rgScene, materials),
     .object = &material_object, .maximum = 256,
     .help = "materials of the surfaces"},
    {.key = "pairs", .type = RG_FIELD_OBJECTS, AT(rgScene, pairs),
     .object = &rg_scene_pair_object, .maximum = 1024,
     .help = "pairs of materials that do not follow the rule of combination"},
    {.key = "bodies", .type = RG_FIELD_OBJECTS, AT(rgScene, bodies),
     .object = &rg_scene_body_object, .maximum = RG_SCENE_BODIES_MAX, .needed = RG_VARIANT_ALL,
     .help = "the bodies, in the order in which they are reported"},
    {.key = "no_collision", .type = RG_FIELD_CUSTOM, AT(rgScene, no_collision),
     .custom = &rg_scene_body_pairs,
     .help = "pairs of bodies that do not collide"},
    {.key = "forces", .type = RG_FIELD_OBJECTS, AT(rgScene, forces),
     .object = &rg_scene_force_object,
     .help = "forces besides gravity"},
    {.key = "joints", .type = RG_FIELD_OBJECTS, AT(rgScene, joints),
     .object = &rg_scene_joint_object, .maximum = RG_SCENE_BODIES_MAX,
     .help = "joints between bodies"},
    {.key = "sensors", .type = RG_FIELD_OBJECTS, AT(rgScene, sensors),
     .object = &rg_scene_sensor_object, .maximum = RG_SCENE_BODIES_MAX,
     .help = "what is measured in every step"},
};
// clang-format on

static void default_scene(void* item, const void* context) {
  rgScene* scene = item;
  scene->version = 1;
  scene->dimension = 3;
  scene->title = "";
  scene->time = 5;
  for (int i = 0; rg_preset_name(i); i++)
    if (strcmp(rg_preset_name(i), "default") == 0)
      scene->preset = i;
  rg_schema_defaults(&rg_scene_camera_object, &scene->camera, context);
}

const rgSchemaObject rg_scene_object = {
    .name = "scene",
    .label = "a scene",
    .size = offsetof(rgScene, body_count), // what follows is not in the file
    .head = true,
    .fields = scene_fields,
    .field_count = COUNT(scene_fields),
    .defaults = default_scene,
    .help = "The whole file.",
};

_Static_assert(sizeof(rgScene) <= RG_SCHEMA_ITEM_MAX && sizeof(rgSceneBody) <= RG_SCHEMA_ITEM_MAX &&
                   sizeof(rgSceneShape) <= RG_SCHEMA_ITEM_MAX,
               "rg_write_object keeps one default item on the stack");
