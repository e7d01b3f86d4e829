// kinds.h - the rows of the table of shapes, each defined in the file of its kind.
#ifndef SHAPE_KINDS_H
#define SHAPE_KINDS_H

#include "shape/shape.h"

static const double RG_PI = 3.14159265358979323846;

extern const rgShapeInfo rg_shape_info_sphere;
extern const rgShapeInfo rg_shape_info_box;
extern const rgShapeInfo rg_shape_info_capsule;
extern const rgShapeInfo rg_shape_info_cylinder;
extern const rgShapeInfo rg_shape_info_ellipsoid;
extern const rgShapeInfo rg_shape_info_hull;
extern const rgShapeInfo rg_shape_info_halfspace;
extern const rgShapeInfo rg_shape_info_mesh;
extern const rgShapeInfo rg_shape_info_field;
extern const rgShapeInfo rg_shape_info_circle;
extern const rgShapeInfo rg_shape_info_polygon;
extern const rgShapeInfo rg_shape_info_segment;

// Bounds centred on `center` [m] with half-widths `half` [m].
static inline rgBounds rg_bounds_about(rgVec3 center, rgVec3 half) {
  return (rgBounds){v3_sub(center, half), v3_add(center, half)};
}

// Bounds of an axis-aligned box after it was moved to `pose`.
rgBounds rg_bounds_placed(rgBounds box, rgPose pose);

// [m] `size` of a surface with these bounds. A surface has no thickness: a penetration is measured
// against half of its second largest width, which does not depend on how flat it is.
double rg_surface_size(rgBounds bounds);

#endif
