// part.h - parts that come to rest on a flat surface: their hulls, the faces on which they can stand,
// and how likely each is when the part is put down without speed.
//
//     rgPart* part;
//     if (rg_part_read("bracket.stl", &part, &message) != RG_OK)
//       return fail(message.text);
//     rgRestingFace faces[64];
//     int count = rg_resting_faces(triangles, triangle_count, part->mass.center, faces, 64);
//
// `triangles` are those of the hull of part->points, as rg_shape_corners gives them.
#ifndef RIGOR_PART_H
#define RIGOR_PART_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// A solid as far as a flat surface can tell: it touches with the corners of its hull alone.
typedef struct rgPart {
  int point_count;
  const rgVec3* points;  // [m] corners of the hull, at most 100
  double dropped;        // [m] how far the farthest point is outside these corners' hull
  bool closed;           // the surface encloses a volume, whose mass is taken; otherwise the hull's
  rgMassProperties mass; // of density 1000 kg/m3, in the frame of the file
} rgPart;

// Reads a surface of triangles (.stl, .obj, .off, .dae; metres). On failure *part is NULL, and the
// message begins with the file.
RG_API rgStatus rg_part_read(const char* path, rgPart** part, rgMessage* message);
RG_API void rg_part_free(rgPart* part); // NULL is allowed

// A face of a hull.
typedef struct rgRestingFace {
  rgVec3 normal; // outwards
  double height; // [m] of the centre of mass above the face
  double margin; // [m] from the foot of the centre to the nearest edge; < 0: outside, it tips over
  double angle;  // [sr] that the face takes up as seen from the centre
  int next;      // face onto which it tips; itself when it is stable
  int end;       // stable face in which tipping ends
  double likelihood; // quasi-static estimate that the part ends on this face; 0 unless stable
} rgRestingFace;

// The faces of a convex hull given by its triangles (three corners each, counter-clockwise seen from
// outside), in the order of their first triangles. Triangles whose normals differ by less than 1e-4
// are one face. Writes at most `capacity` faces and returns how many there are, or -1 when memory ran
// out; fields are complete only when all fit.
//
// The estimate (Goldberg, Mirtich, Zhuang, Craig, Carlisle and Canny 1999, section 4, after
// Boothroyd): a direction of gravity that is uniform in the frame of the part leads from the centre of
// mass through a face; the part is put down on it and tips, face by face, over the edge beyond which
// its centre is, until it is stable.
RG_API int rg_resting_faces(const rgVec3* triangles, int triangle_count, rgVec3 center,
                            rgRestingFace* faces, int capacity);

#ifdef __cplusplus
}
#endif
#endif
