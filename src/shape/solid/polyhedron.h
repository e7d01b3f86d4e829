// polyhedron.h - convex polyhedra: making, farthest vertex, mass.
#ifndef SHAPE_SOLID_POLYHEDRON_H
#define SHAPE_SOLID_POLYHEDRON_H

#include "shape/shape.h"
#include "shape/solid/faces.h"

// Bytes for a polyhedron with these features, aligned to 64 bytes.
size_t rg_polyhedron_size(const rgFaces* faces, const rgHullSurface* surface);
// Fills `memory` of that size.
rgPolyhedron* rg_polyhedron_make(const rgFaces* faces, const rgHullSurface* surface,
                                 const rgVec3* points, void* memory);

// Vertex farthest in direction d.
int rg_polyhedron_farthest(const rgPolyhedron* polyhedron, rgVec3 d);
// [m] Least half-width across a face.
double rg_polyhedron_half_width(const rgPolyhedron* polyhedron);
// Mass properties for density 1 in the frame of the vertices.
void rg_polyhedron_mass(const rgPolyhedron* polyhedron, rgMassProperties* out);

#endif
