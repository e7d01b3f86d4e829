// facets.h - from a triangulated hull to polygon faces.
#ifndef SHAPE_SOLID_FACETS_H
#define SHAPE_SOLID_FACETS_H

#include "shape/solid/quickhull.h"

// Vertices, faces and edges of a convex polyhedron by index, not yet placed in its own memory.
typedef struct rgFacets {
  int vertex_count, face_count, edge_count;
  int hull_count;  // corners of triangles: the vertices, and those that merging dropped
  int* points;     // index of the given point for each vertex, ascending, then for each dropped one
  int* index_of;   // the inverse: by point, -1 for points that are not on the hull
  int* face_start; // face_count + 1
  int* face_loop;  // vertices, counter-clockwise from outside, the lowest first
  int* face_seed;  // the largest triangle of each face
  int* face_of;    // the face of each triangle
  int (*edges)[4]; // vertex, vertex, left face, right face
} rgFacets;

// Bytes of scratch for rg_facets, aligned to 64 bytes.
size_t rg_facets_scratch(int point_count);

// Merges the triangles that lie in one plane. The result lives in `scratch`.
void rg_facets(const rgHullSurface* surface, const rgVec3* points, int point_count, void* scratch,
               rgFacets* out);

#endif
