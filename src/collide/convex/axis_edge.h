// axis_edge.h - exact normals between a smooth shape and the edges and corners of another.
#ifndef COLLIDE_CONVEX_AXIS_EDGE_H
#define COLLIDE_CONVEX_AXIS_EDGE_H

#include "collide/convex/axis.h"

// Tries the normals between `smooth` (A or B of the search, with `line_normals` and `foot`) and the
// line through x along the unit vector `direction`.
void rg_axis_try_edge(rgAxisSearch* search, bool smooth_is_a, rgVec3 x, rgVec3 direction);
// Tries the normal between `smooth` and the point x.
void rg_axis_try_corner(rgAxisSearch* search, bool smooth_is_a, rgVec3 x);
// Tries the edges and corners of the polyhedron that are close to its witness point, or all when
// that is not known.
void rg_axis_try_polyhedron(rgAxisSearch* search, bool smooth_is_a, const rgDistance* found);
// Tries two cylinders, or a cylinder and an ellipsoid, rim against rim or surface, starting from
// the normal found.
void rg_axis_try_rims(rgAxisSearch* search, const rgDistance* found);

#endif
