// patch.h - the area that a flat patch stands for, as a few points of it.
#ifndef COLLIDE_PATCH_H
#define COLLIDE_PATCH_H

#include "math/vec.h"

enum {
  RG_PATCH_CORNERS = 10, // of an outline, at most
  RG_PATCH_POINTS = 10   // of a rule, at most
};

// The outline of a patch in two coordinates across its normal [m], its centre being the origin.
typedef struct rgPatchOutline {
  int count;                                       // of its corners, counter-clockwise
  double x[RG_PATCH_CORNERS], y[RG_PATCH_CORNERS]; // [m]
  double circle;                                   // [m] radius of the circle that it is, or 0
} rgPatchOutline;

typedef struct rgPatchPoint {
  double x, y;  // [m]
  double share; // part of the area, > 0; all together 1
  int place;    // its number, which changes little as the pole moves
} rgPatchPoint;

// Turns corners in any order into an outline about its centre, whose coordinates are returned in
// `x` and `y`. False when they enclose no area.
bool rg_patch_outline(rgPatchOutline* outline, double* x, double* y);
// Points for the friction of a patch that turns about the pole (x, y); returns how many.
int rg_patch_rule(const rgPatchOutline* outline, double x, double y, rgPatchPoint* out);

#endif
