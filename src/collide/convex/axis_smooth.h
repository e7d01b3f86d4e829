// axis_smooth.h - exact normals between smooth surfaces, and between a smooth surface and a rim.
#ifndef COLLIDE_CONVEX_AXIS_SMOOTH_H
#define COLLIDE_CONVEX_AXIS_SMOOTH_H

#include "collide/convex/axis.h"

// Tries the common normal of two shapes that both have `value`, found by Newton's method from the
// witness points and from the support points along the normal found.
void rg_axis_try_smooth(rgAxisSearch* search, const rgDistance* found);
// Tries the normal between `smooth` (A or B of the search, with `foot`) and the rim of the other
// shape that is near the witness points.
void rg_axis_try_rim(rgAxisSearch* search, bool smooth_is_a, const rgDistance* found);

#endif
