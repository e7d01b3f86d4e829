// patch.h - the area of a disc that lies flat, as a few points of it.
#ifndef COLLIDE_PATCH_H
#define COLLIDE_PATCH_H

#include "math/vec.h"

enum { RG_PATCH_POINTS = 8 }; // of a rule, at most

typedef struct rgPatchPoint {
  double x, y;  // [m]
  double share; // part of the area, > 0; all together 1
  int place;    // its number, which changes little as the pole moves
} rgPatchPoint;

// Points for the friction of a disc that turns about the pole (x, y), its centre being the origin;
// returns how many.
int rg_patch_rule(double radius, double x, double y, rgPatchPoint* out);

#endif
