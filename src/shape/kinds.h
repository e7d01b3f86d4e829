// kinds.h - the rows of the table of shapes, each defined in the file of its kind.
#ifndef SHAPE_KINDS_H
#define SHAPE_KINDS_H

#include "math/trig.h"
#include "shape/shape.h"

#define RG_SHAPE_INFO_DECLARATION(NAME, name) extern const rgShapeInfo rg_shape_info_##name;
RG_SHAPE_KINDS(RG_SHAPE_INFO_DECLARATION)
#undef RG_SHAPE_INFO_DECLARATION

// Bounds centred on `center` [m] with half-widths `half` [m].
static inline rgBounds rg_bounds_about(rgVec3 center, rgVec3 half) {
  return (rgBounds){v3_sub(center, half), v3_add(center, half)};
}

// Bounds of an axis-aligned box after it was moved to `pose`.
rgBounds rg_shape_bounds_placed(rgBounds box, rgPose pose);

// [m] `size` of a surface with these bounds. A surface has no thickness: a penetration is measured
// against half of its second largest width, which does not depend on how flat it is.
double rg_shape_surface_size(rgBounds bounds);

#endif
