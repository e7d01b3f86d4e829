// seam.h - contacts on a shape whose neighbours touch it and move with it.
#ifndef COLLIDE_SEAM_SEAM_H
#define COLLIDE_SEAM_SEAM_H

#include "collide/collide.h"
#include "collide/seam/solid.h"

// Two shapes of the same rigid group are flush when they are closer than this [m].
double rg_seam_tolerance(const rgShape* a, const rgShape* b);

// The next neighbour, from *cursor on, that may reach the point; false when there is none.
typedef bool rgSeamNext(const void* context, rgVec3 point, int* cursor, rgPlaced* out);

// One side of a pair of shapes: the solid with neighbours, and what touches it.
typedef struct rgSeam {
  rgPlaced solid, other;
  bool solid_is_a;
  double reach; // [m] as in rg_collide
  rgSeamNext* next;
  const void* context;
} rgSeam;

// Replaces the manifolds of the pair whose normal the solid and its neighbours together do not
// have, and removes those for which nothing is left.
void rg_seam_correct(const rgSeam* seam, rgManifoldList* list);

#endif
