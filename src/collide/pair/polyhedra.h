// polyhedra.h - contacts of two convex polyhedra of any kind.
#ifndef COLLIDE_PAIR_POLYHEDRA_H
#define COLLIDE_PAIR_POLYHEDRA_H

#include "collide/collide.h"

// A segment of each body, in the frame that `normal` is in; unit normal from B to A.
typedef struct rgEdgePair {
  rgVec3 start_a, along_a; // [m]
  rgVec3 start_b, along_b; // [m]
  rgVec3 normal;
  uint32_t edge_a, edge_b; // names
} rgEdgePair;

// Contacts of two edges that touch or pass each other, in world coordinates: the point where they
// come nearest and, when they are parallel within `angle` [rad], the ends of the stretch they
// share. All with the given normal. Adds nothing when all gaps exceed `reach`.
void rg_edge_contacts(const rgEdgePair* edges, double angle, double reach, rgManifoldList* out);

// Where the lines of the edges come nearest, as parts of `along`; false when they are parallel.
bool rg_edge_nearest(const rgEdgePair* edges, double* part_a, double* part_b);

#endif
