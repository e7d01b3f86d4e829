// axis.h - finding the common normal of two convex shapes among candidates, and the contacts along
// it.
//
// For a unit vector n, h(n) = lowest point of A along n minus highest point of B along n is a lower
// bound of their distance, and the largest h of all is the distance, or minus the least depth. So
// candidates may be tried in any number: a wrong one is never preferred to a right one.
#ifndef COLLIDE_CONVEX_AXIS_H
#define COLLIDE_CONVEX_AXIS_H

#include "collide/convex/gjk.h"
#include "collide/pair/pairs.h"

typedef struct rgAxisSearch {
  const rgShape *a, *b;
  rgPose pose_a, pose_b;
  rgVec3 normal; // best so far
  double gap;    // [m] h of it
  bool located;  // the witness points given to `refine` are on the surfaces
  // [m] A candidate this much below the best one replaces it. Zero at first; candidates that are
  // exact stationary points then win over one that differs from them by rounding of h alone.
  double slack;
} rgAxisSearch;

rgAxisSearch rg_axis_search(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b);

// Tries the unit vector n; zero vectors and NaN are passed over.
void rg_axis_try(rgAxisSearch* search, rgVec3 n);
// Tries both n and -n after making it a unit vector, if it has a length.
void rg_axis_try_line(rgAxisSearch* search, rgVec3 n);
// Tries what one shape offers by itself: the normals of its flat faces.
void rg_axis_try_own(rgAxisSearch* search, bool of_a);

// The contacts along the best normal. When they show that it is the common normal, which is when
// one of them is as close as h says, they are written and true is returned. Otherwise nothing is
// written.
bool rg_axis_emit_certain(const rgAxisSearch* search, double reach, rgManifoldList* out);
// The contacts along the best normal, with the witness points of `found` when no contact is as
// close as h says.
void rg_axis_emit(const rgAxisSearch* search, const rgDistance* found, double reach,
                  rgManifoldList* out);

// The pair function of shapes with edges, rims or straight sides: own axes first, then the general
// distance algorithm, made exact by the axes that `refine` adds knowing its witness points.
typedef void rgAxisRefine(rgAxisSearch* search, const rgDistance* found);
// The one that knows shapes by their properties alone (convex_pairs.c).
rgAxisRefine rg_pair_convex_refine;
void rg_axis_pair(rgAxisSearch* search, double reach, rgAxisRefine* refine, rgPairHint* hint,
                  rgManifoldList* out);

#endif
