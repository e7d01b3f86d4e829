// mesh.h - surfaces of triangles from files: STL (binary and text), OBJ, OFF and COLLADA (DAE).
#ifndef IO_MODEL_MESH_H
#define IO_MODEL_MESH_H

#include "io/schema/schema.h"
#include <rigor/shape.h>

enum { RG_MESH_TRIANGLES_MAX = 20000000 };

// A surface. Groups are ranges of triangles: `groups` holds the first triangle of each, in order,
// the first one 0. A file without groups has one.
typedef struct rgMesh {
  rgList points;    // rgVec3 [in the file's unit]
  rgList triangles; // three ints each
  rgList groups;    // int
} rgMesh;

// Reads a file of `length` bytes. The kind follows from the ending of `name` (.stl, .obj, .off,
// .dae), and for STL from its contents. The message begins with "name:line: ", for binary files
// with "name: ".
rgStatus rg_mesh_parse(const char* text, size_t length, const char* name, rgPool* pool,
                       rgMesh* mesh, rgMessage* message);
// Whether a file of this name can be one.
bool rg_mesh_known(const char* name);

// The readers; each sets points and triangles, and groups where the format has them.
rgStatus rg_mesh_parse_stl(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message);
rgStatus rg_mesh_parse_obj(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message);
rgStatus rg_mesh_parse_dae(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message);

// Corners of the convex hull of points, at most `most` (>= 8) of them; *dropped is the distance of
// the farthest point that the hull of the corners leaves outside, 0 when all are kept. The work is
// done in `scratch`, the corners are put into `pool`.
rgStatus rg_mesh_hull(const rgVec3* points, int count, int most, rgPool* scratch, rgPool* pool,
                      rgList* corners, double* dropped, rgMessage* message);

// Volume, centre and inertia (density 1) of what a closed surface of triangles encloses, as the sum
// of the tetrahedra between a centre and the triangles (Eberly 2009 has the moments in closed
// form). `absolute` counts every tetrahedron as positive: the centre of mass is found as seen from
// the mean of the triangles' centroids (weighted by area), volume and inertia as seen from there. So
// MuJoCo does by default, and a surface with triangles of mixed sense keeps a mass. False when there
// is no volume.
bool rg_mesh_mass(const rgVec3* points, const int* triangles, int count, bool absolute,
                  rgMassProperties* mass);

#endif
