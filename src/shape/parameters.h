// parameters.h - the parameters that kinds of shapes share.
#ifndef SHAPE_PARAMETERS_H
#define SHAPE_PARAMETERS_H

#include "shape/shape.h"

extern const rgShapeParameter rg_parameter_radius;
extern const rgShapeParameter rg_parameter_half_length;
extern const rgShapeParameter rg_parameter_half;
extern const rgShapeParameter rg_parameter_points;
extern const rgShapeParameter rg_parameter_triangles;
extern const rgShapeParameter rg_parameter_heights;
extern const rgShapeParameter rg_parameter_rows;
extern const rgShapeParameter rg_parameter_columns;
extern const rgShapeParameter rg_parameter_spacing;
extern const rgShapeParameter rg_parameter_rounding;
extern const rgShapeParameter rg_parameter_ring_radius;

// True when shapes of this kind have the parameter.
bool rg_shape_has(const rgShapeInfo* info, const rgShapeParameter* parameter);
// The parameters of all kinds together, each once, in the order of the table of kinds, with bit k
// of `kinds` set when kind k has it. Returns their number.
enum { RG_PARAMETERS_MAX = 20 };
typedef struct rgParameterUse {
  const rgShapeParameter* parameter;
  uint32_t kinds;
  uint32_t optional; // those of `kinds` that may leave it out
} rgParameterUse;
int rg_shape_parameters(rgParameterUse uses[RG_PARAMETERS_MAX]);
// Whether the numbers of `def` lie in the ranges of its kind's parameters; a message when not.
bool rg_shape_check_parameters(const rgShapeInfo* info, const rgShapeDef* def, rgMessage* message);

#endif
