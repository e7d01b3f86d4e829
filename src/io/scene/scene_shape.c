// scene_shape.c - shapes in scenes: the keys come from the parameters in the table of shapes.
#include "io/scene/scene_types.h"

#include "shape/parameters.h"

#define AT(type, member) .offset = offsetof(type, member)
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static const char* shape_word(int index) {
  return index < RG_SHAPE_KIND_COUNT ? rg_shape_kind_name((rgShapeKind)index) : NULL;
}

static const rgSchemaField shape_word_field = {
    .key = "shape",
    .type = RG_FIELD_WORD,
    AT(rgSceneShape, def.kind),
    .word = shape_word,
    .needed = RG_VARIANT_ALL,
    .help = "its kind",
};

// Keys of all kinds, behind their parameters. Which kinds `file` and `density` are for is filled in.
// clang-format off
static const rgSchemaField shape_fields[] = {
    {.key = "file", .type = RG_FIELD_CUSTOM, .custom = &rg_scene_off_file,
     .help = "OFF file with the points (and, for a mesh, the triangles), relative to the scene "
             "file; instead of `points`"},
    {.key = "position", .type = RG_FIELD_TUPLE, AT(rgSceneShape, def.pose.position), .count = 3, .planar = true,
     .unit = "m",
     .help = "of the shape's frame in the body's frame"},
    {.key = "orientation", .type = RG_FIELD_CUSTOM, AT(rgSceneShape, def.pose.orientation),
     .custom = &rg_scene_orientation,
     .help = "of the shape's frame in the body's frame"},
    {.key = "density", .type = RG_FIELD_REAL, AT(rgSceneShape, def.density),
     .range = &rg_range_positive, .unit = "kg/m3",
     .help = "(2D: kg/m2) gives mass, centre and inertia of the body; only ratios count when the body's "
             "`mass` is given"},
    {.key = "material", .type = RG_FIELD_CUSTOM, AT(rgSceneShape, material),
     .custom = &rg_scene_material_ref,
     .help = "name of a material"},
    {.key = "group", .type = RG_FIELD_BITS, AT(rgSceneShape, def.group),
     .help = "bits of the collision groups it is in"},
    {.key = "mask", .type = RG_FIELD_BITS, AT(rgSceneShape, def.mask),
     .help = "bits of the groups it collides with; a pair collides when each is in a group of "
             "the other's mask"},
};
// clang-format on

static uint32_t bit(int kind) { return (uint32_t)1 << kind; }

// Kinds whose points may come from a file: those of space.
static bool takes_file(const rgShapeInfo* info) {
  return !info->planar && rg_shape_has(info, &rg_parameter_points);
}

static bool is_solid(const rgShapeInfo* info) { return info->solid; }

static uint32_t kinds_that(bool (*holds)(const rgShapeInfo* info)) {
  uint32_t kinds = 0;
  for (int kind = 0; kind < RG_SHAPE_KIND_COUNT; kind++)
    if (holds(rg_shape_info((rgShapeKind)kind)))
      kinds |= bit(kind);
  return kinds;
}

// One key of the format from one parameter of the table of shapes.
static void parameter_field(const rgParameterUse* use, rgSchemaField* field) {
  const rgShapeParameter* parameter = use->parameter;
  uint32_t kinds = use->kinds;
  *field = (rgSchemaField){
      .key = parameter->name,
      .offset = offsetof(rgSceneShape, def) + parameter->offset,
      .count = parameter->count,
      .made_range = {parameter->lower, parameter->upper, parameter->lower_open},
      .only = kinds,
      .needed = kinds & ~use->optional,
      .unit = parameter->unit,
      .help = parameter->help,
  };
  switch (parameter->type) {
  case RG_PARAMETER_REALS:
    field->type = parameter->count == 1 ? RG_FIELD_REAL : RG_FIELD_TUPLE;
    if (isfinite(parameter->lower) || isfinite(parameter->upper))
      field->range = &field->made_range;
    break;
  case RG_PARAMETER_INT:
    field->type = RG_FIELD_INT;
    field->range = &field->made_range;
    break;
  case RG_PARAMETER_POINTS:
    field->type = RG_FIELD_TUPLES;
    field->offset = offsetof(rgSceneShape, points);
    field->count = 3;
    field->planar = true;
    field->needed = kinds & ~kinds_that(takes_file);
    break;
  case RG_PARAMETER_TRIANGLES:
    field->type = RG_FIELD_INDICES;
    field->offset = offsetof(rgSceneShape, triangles);
    field->count = 3;
    field->range = &rg_range_not_negative;
    field->needed = 0; // or from a file
    break;
  case RG_PARAMETER_MEMBERS:
    field->type = RG_FIELD_OBJECTS;
    field->offset = offsetof(rgSceneShape, members);
    field->object = &rg_scene_shape_object;
    break;
  case RG_PARAMETER_HEIGHTS:
    field->type = RG_FIELD_REALS;
    field->offset = offsetof(rgSceneShape, heights);
    break;
  }
}

// The kind, the parameters of all kinds, then what all kinds have.
static bool shape_field(int index, rgSchemaField* field) {
  if (index == 0) {
    *field = shape_word_field;
    return true;
  }
  rgParameterUse uses[RG_PARAMETERS_MAX];
  int count = rg_shape_parameters(uses);
  if (index <= count) {
    parameter_field(&uses[index - 1], field);
    return true;
  }
  index -= 1 + count;
  if (index >= COUNT(shape_fields))
    return false;
  *field = shape_fields[index];
  if (field->custom == &rg_scene_off_file)
    field->only = kinds_that(takes_file);
  else if (field->offset == offsetof(rgSceneShape, def.density))
    field->only = kinds_that(is_solid);
  return true;
}

// The numbers that are the same for all kinds come from the sphere.
static void default_shape(void* item, const void* context) {
  (void)context;
  rgSceneShape* shape = item;
  shape->def = rg_shape_def(RG_SHAPE_SPHERE);
  shape->material = RG_SCENE_DEFAULT_MATERIAL;
}

const rgSchemaObject rg_scene_shape_object = {
    .name = "shape",
    .label = "a shape",
    .size = sizeof(rgSceneShape),
    .head = true,
    .field_at = shape_field,
    .variant = "shape",
    .defaults = default_shape,
    .finish = rg_scene_finish_shape,
    .help = "Half-spaces (all z <= 0 of their frame), meshes, fields, segments, tubes, bowls, tori "
            "and rings have no volume and are for static and kinematic bodies. Tubes, bowls and "
            "tori are smooth sheets that push inwards only: a body whose centre is outside is "
            "touched by their rims at most. Circles, polygons and segments are for "
            "scenes of dimension 2, capsules and bowls for both, all others for dimension 3.",
};
