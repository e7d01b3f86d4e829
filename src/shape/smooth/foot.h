// foot.h - feet on the surfaces that several kinds of shapes share.
#ifndef SHAPE_SMOOTH_FOOT_H
#define SHAPE_SMOOTH_FOOT_H

#include "shape/shape.h"

rgFoot rg_foot_ellipsoid(rgVec3 semi_axes, rgVec3 x);
// Stops early, with a distance that is too small but above `reach`, once x is known to be farther
// than that.
rgFoot rg_foot_polyhedron(const rgPolyhedron* polyhedron, rgVec3 x, double reach);

// Nearest point of the segment from p to q; *s in [0, 1] is where it lies.
rgVec3 rg_foot_on_segment(rgVec3 p, rgVec3 q, rgVec3 x, double* s);

#endif
