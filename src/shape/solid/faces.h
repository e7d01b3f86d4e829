// faces.h - from a triangulated hull to polygon faces.
#ifndef SHAPE_SOLID_FACES_H
#define SHAPE_SOLID_FACES_H

#include "shape/solid/quickhull.h"

// Vertices, faces and edges of a convex polyhedron by index, not yet placed in its own memory.
typedef struct rgFaces {
  int vertex_count, face_count, edge_count;
  int hull_count;  // corners of triangles: the vertices, and those that merging dropped
  int* points;     // index of the given point for each vertex, ascending, then for each dropped one
  int* index_of;   // the inverse: by point, -1 for points that are not on the hull
  int* face_start; // face_count + 1
  int* face_loop;  // vertices, counter-clockwise from outside, the lowest first
  int* face_seed;  // the largest triangle of each face
  int* face_of;    // the face of each triangle
  int (*edges)[4]; // vertex, vertex, left face, right face
} rgFaces;

// Bytes of scratch for rg_faces, aligned to 64 bytes.
size_t rg_faces_scratch(int point_count);

// Merges the triangles that lie in one plane. The result lives in `scratch`.
void rg_faces(const rgHullSurface* surface, const rgVec3* points, int point_count, void* scratch,
              rgFaces* out);

#endif
