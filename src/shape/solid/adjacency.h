// adjacency.h - which triangles of a surface share an edge.
#ifndef SHAPE_SOLID_ADJACENCY_H
#define SHAPE_SOLID_ADJACENCY_H

#include "math/vec.h"

// Bytes of scratch for rg_adjacency, aligned to 64 bytes.
size_t rg_adjacency_scratch(int point_count, int triangle_count);

// neighbours[3 t + i] becomes the triangle across the edge from corner i to i + 1 of triangle t, or
// -1 when there is none (border) or more than one. Points at exactly the same place count as
// one. RG_ERROR_INPUT with a message when two triangles that share an edge run along it in the same
// direction: one of them is inside out.
rgStatus rg_adjacency(const rgVec3* points, int point_count, const int* triangles,
                      int triangle_count, void* scratch, int* neighbours, rgMessage* message);

#endif
