// parameters.c - the parameters that kinds of shapes share, and what is done with all of them.
#include "shape/parameters.h"

#include "base/message.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define POSITIVE .lower = 0, .upper = HUGE_VAL, .lower_open = true
#define AT(member) .offset = offsetof(rgShapeDef, member)

const rgShapeParameter rg_parameter_radius = {
    "radius", RG_PARAMETER_REALS, AT(radius), .count = 1, POSITIVE, .unit = "m", .help = "radius"};

const rgShapeParameter rg_parameter_half_length = {
    "half_length",
    RG_PARAMETER_REALS,
    AT(half_length),
    .count = 1,
    POSITIVE,
    .unit = "m",
    .help = "half of the length along z, from -`half_length` to +`half_length`. Cylinder, cone and "
            "tube: "
            "the whole length; a tube without it is endless. Capsule: the straight part, so that "
            "its whole "
            "length is 2 (`half_length` + `radius`); in 2D along x"};

const rgShapeParameter rg_parameter_half = {"half",
                                            RG_PARAMETER_REALS,
                                            AT(half),
                                            .count = 3,
                                            POSITIVE,
                                            .unit = "m",
                                            .help =
                                                "half extents of a box, semi-axes of an ellipsoid"};

const rgShapeParameter rg_parameter_points = {
    "points", RG_PARAMETER_POINTS, .unit = "m",
    .help = "corners; a hull or polygon is the smallest convex one around them; the two ends of "
            "a segment"};

const rgShapeParameter rg_parameter_triangles = {
    "triangles", RG_PARAMETER_TRIANGLES,
    .help = "three points each, counted from 0, counter-clockwise seen from outside"};

const rgShapeParameter rg_parameter_heights = {
    "heights", RG_PARAMETER_HEIGHTS, .unit = "m",
    .help = "z on the grid, row by row (x grows along a row, y from row to row)"};

const rgShapeParameter rg_parameter_rows = {
    "rows",     RG_PARAMETER_INT,  AT(rows),
    .lower = 2, .upper = HUGE_VAL, .help = "grid points along y"};

const rgShapeParameter rg_parameter_columns = {"columns",         RG_PARAMETER_INT,
                                               AT(columns),       .lower = 2,
                                               .upper = HUGE_VAL, .help = "grid points along x"};

const rgShapeParameter rg_parameter_spacing = {
    "spacing",
    RG_PARAMETER_REALS,
    AT(spacing_x), // and spacing_y behind it
    .count = 2,
    POSITIVE,
    .unit = "m",
    .help = "distance of grid points along x and y; the grid is centred on the shape's frame"};

_Static_assert(offsetof(rgShapeDef, spacing_y) == offsetof(rgShapeDef, spacing_x) + sizeof(double),
               "spacing is two numbers in a row");

const rgShapeParameter rg_parameter_rounding = {
    "rounding",
    RG_PARAMETER_REALS,
    AT(rounding),
    .count = 1,
    POSITIVE,
    .unit = "m",
    .help =
        "radius of the edges and corners. A box keeps its outer half extents `half`, all larger "
        "than this; a hull grows by it on all sides. Default: sharp"};

const rgShapeParameter rg_parameter_ring_radius = {
    "ring_radius",
    RG_PARAMETER_REALS,
    AT(parameters),
    .count = 1,
    POSITIVE,
    .unit = "m",
    .help = "radius of the circle about z along which the middle of the tube runs; larger than "
            "`radius`"};

bool rg_shape_has(const rgShapeInfo* info, const rgShapeParameter* parameter) {
  for (int i = 0; i < RG_SHAPE_PARAMETERS_MAX && info->parameters[i]; i++)
    if (info->parameters[i] == parameter)
      return true;
  return false;
}

int rg_shape_parameters(rgParameterUse uses[RG_PARAMETERS_MAX]) {
  int count = 0;
  for (int kind = 0; kind < RG_SHAPE_KIND_COUNT; kind++) {
    const rgShapeInfo* info = rg_shape_info((rgShapeKind)kind);
    for (int i = 0; i < RG_SHAPE_PARAMETERS_MAX && info->parameters[i]; i++) {
      int k = 0;
      while (k < count && uses[k].parameter != info->parameters[i])
        k++;
      if (k == count && count < RG_PARAMETERS_MAX)
        uses[count++] = (rgParameterUse){info->parameters[i], 0, 0};
      if (k < RG_PARAMETERS_MAX)
        uses[k].kinds |= (uint32_t)1 << kind;
      if (k < RG_PARAMETERS_MAX && info->optional >> i & 1)
        uses[k].optional |= (uint32_t)1 << kind;
    }
  }
  return count;
}

// "radius", "half.x", "exponents[1]".
static void put_name(const rgShapeParameter* parameter, int i, char* text, size_t size) {
  if (parameter->count == 1)
    snprintf(text, size, "%s", parameter->name);
  else if (parameter->count == 3)
    snprintf(text, size, "%s.%c", parameter->name, "xyz"[i]);
  else
    snprintf(text, size, "%s[%d]", parameter->name, i);
}

static bool check_number(const rgShapeParameter* p, int i, double x, rgMessage* message) {
  bool above = p->lower_open ? x > p->lower : x >= p->lower;
  if (above && x <= p->upper && isfinite(x))
    return true;
  char name[64];
  put_name(p, i, name, sizeof name);
  if (isfinite(p->upper))
    rg_fail(message, RG_ERROR_INPUT, "%s is %.9g, must be %s %.9g and <= %.9g", name, x,
            p->lower_open ? ">" : ">=", p->lower, p->upper);
  else if (above)
    rg_fail(message, RG_ERROR_INPUT, "%s is %.9g, must be finite", name, x);
  else
    rg_fail(message, RG_ERROR_INPUT, "%s is %.9g, must be %s %.9g", name, x,
            p->lower_open ? ">" : ">=", p->lower);
  return false;
}

bool rg_shape_check_parameters(const rgShapeInfo* info, const rgShapeDef* def, rgMessage* message) {
  for (int k = 0; k < RG_SHAPE_PARAMETERS_MAX && info->parameters[k]; k++) {
    const rgShapeParameter* p = info->parameters[k];
    const double* x = (const double*)(const void*)((const char*)def + p->offset);
    for (int i = 0; p->type == RG_PARAMETER_REALS && i < p->count; i++)
      if (!(info->optional >> k & 1 && x[i] == 0) && !check_number(p, i, x[i], message))
        return false;
  }
  return true;
}
