// axis_pieces.h - the common normal of any two convex solids, from the functions they are made of.
#ifndef COLLIDE_CONVEX_AXIS_PIECES_H
#define COLLIDE_CONVEX_AXIS_PIECES_H

#include "collide/convex/axis.h"

// Whether the best normal is a common one to rounding: one point of each shape faces the other along it,
// and they lie over one another. False where it is not known.
bool rg_axis_is_solved(const rgAxisSearch* search);

// Tries the normals that solve the conditions of closest points near what the general distance
// algorithm found. True when they are met to rounding: then `found` is what solves them.
bool rg_axis_try_pieces(rgAxisSearch* search, rgDistance* found);

#endif
