// shape.h - the geometry that collision works on.
//
// An rgShape is immutable once made. Its own frame ("shape frame") is placed in the body by
// `pose`; every function below works in the shape frame, so callers compose poses once per step.
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include "math/vec.h"
#include "shape/ray/ray.h"
#include "shape/touch.h"
#include "shape/wall.h"
#include <rigor/shape.h>

// Convex polyhedron: vertices, faces as closed loops of vertices (counter-clockwise from outside),
// planes and edges. Coplanar triangles are merged, so that a cube has six faces. Indices are stable
// feature ids.
typedef struct rgPolyhedron {
  int vertex_count, face_count, edge_count;
  const rgVec3* vertices; // [m]
  const rgVec3* normals;  // outward unit normal of each face
  const double* offsets;  // [m] a point x is outside face f when dot(normals[f], x) > offsets[f]
  const int* face_start;  // face f has vertices face_loop[face_start[f] .. face_start[f + 1])
  const int* face_loop;
  const int (*edges)[4]; // vertex, vertex, left face (its loop runs along the edge), right face
  rgVec3 center;         // [m] a point well inside (the centroid)

  // For climbing to the farthest vertex, by rg_polyhedron_farthest alone; NULL where visiting all
  // vertices is faster. Vertex v has neighbours neighbours[neighbour_start[v] .. [v + 1]); indices
  // from vertex_count on are points of the hull that merging dropped.
  const int* neighbour_start;
  const int* neighbours;
  int climb_start[8]; // where to begin, by the signs of the direction (bit 0: x > 0, ...)
  const struct rgClusters* clusters; // of many faces, for clusters.h alone; NULL for few
} rgPolyhedron;

typedef struct rgMesh rgMesh;       // triangle surface with a static tree, see mesh.c
typedef struct rgField rgField;     // height field, see field.c
typedef struct rgMeet rgMeet;       // intersection of convex functions, see meet/meet.h
typedef struct rgOutline rgOutline; // core of a flat shape, see outline.h

// The numbers of the simple kinds come first, in one cache line.
typedef struct rgShape {
  rgShapeKind kind;
  int material;
  uint32_t group, mask;
  double radius;                  // [m]
  double half_length;             // [m]
  rgVec3 half;                    // [m]
  double size;                    // [m] smallest half-width: what a penetration is measured against
  rgPose pose;                    // shape frame in the body frame
  const rgPolyhedron* polyhedron; // box and hull
  const rgMesh* mesh;
  const rgField* field;
  const rgMeet* meet;                        // of intersections and functions
  const rgOutline* outline;                  // of flat shapes; NULL for all others
  double parameters[RG_SHAPE_PARAMETER_MAX]; // as in rgShapeDef; a kind may put more behind its own
  double extent;    // [m] radius of a ball about the origin that holds it; INFINITY for half-spaces
  uint64_t surface; // hash of the triangles of a mesh or field, 0 for all others
  bool planar;      // bowl: the flat one of a 2D world
  size_t memory_size; // bytes of the one block that holds this struct and all it points to
} rgShape;

// One triangle of a mesh or of a field: corners counter-clockwise from outside and, for each edge
// (corner i to i+1), the outward normal of the neighbouring face across it, or zero length when
// there is no neighbour (border).
typedef struct rgTriangle {
  rgVec3 corner[3];
  rgVec3 normal;
  rgVec3 neighbour_normal[3];
  bool convex_edge[3]; // a real convex ridge: contact normals may lie between the two face normals
} rgTriangle;
typedef void rgTriangleVisit(void* context, int triangle);

// A number or a list that describes shapes of some kinds: one member of rgShapeDef and one key of
// scene files. Kinds that share a parameter point to the same rgShapeParameter (parameters.h).
typedef enum rgParameterType {
  RG_PARAMETER_REALS,     // `count` doubles
  RG_PARAMETER_INT,       // an int
  RG_PARAMETER_POINTS,    // points, point_count
  RG_PARAMETER_TRIANGLES, // triangles, triangle_count
  RG_PARAMETER_MEMBERS,   // members, member_count
  RG_PARAMETER_HEIGHTS,   // heights, as many as rows and columns say
} rgParameterType;

// Smooth convex functions whose common set f_i <= 0 is the shape: function i with its gradient and its
// Hessian at x (shape frame).
typedef double rgPieceFunction(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient,
                               rgMat3* hessian);
typedef struct rgPieceList {
  int count; // 0: as many as the shape's own list has
  rgPieceFunction* value;
  // Whether function i has no gradient at one point of the surface, the tip of a cone; NULL: none has.
  bool (*tip)(const rgShape* shape, int i, rgVec3* tip);
} rgPieceList;

enum { RG_SHAPE_PARAMETERS_MAX = 6 }; // of one kind

typedef struct rgShapeParameter {
  const char* name;
  rgParameterType type;
  size_t offset;       // of the member in rgShapeDef; not for lists
  int count;           // numbers of RG_PARAMETER_REALS
  double lower, upper; // least and largest allowed number
  bool lower_open;     // `lower` itself is excluded
  const char* unit;    // NULL: none
  const char* help;    // for the reference of the scene format
} rgShapeParameter;

// One row of the table in kinds.c, one file per kind. Functions that a kind does not need are NULL.
typedef struct rgShapeInfo {
  rgShapeKind kind;
  const char* name;
  const char* summary;
  bool solid;         // has a volume, may be put on a dynamic body
  bool convex;        // one manifold against any other convex shape
  bool planar;        // for 2D worlds only
  bool any_dimension; // for 2D worlds and in space
  const rgShapeParameter* parameters[RG_SHAPE_PARAMETERS_MAX]; // up to the first NULL
  uint32_t optional; // bit i: parameter i may be left out, which is the same as zero

  // Checks what the ranges of `parameters` do not say; false with a message ("point_count is 2,
  // must be at least 4") when wrong. NULL = nothing.
  bool (*check)(const rgShapeDef* def, rgMessage* message);
  // Bytes of working memory for `prepare` and `build`; NULL = none.
  size_t (*scratch_size)(const rgShapeDef* def);
  // Does the work that decides how many bytes the shape needs beyond the rgShape itself and leaves
  // its result in `scratch` (aligned to 64 bytes) for `build`; NULL = no bytes.
  rgStatus (*prepare)(const rgShapeDef* def, void* scratch, size_t* extra_size, rgMessage* message);
  // Fills `shape`; `memory` has extra_size bytes, aligned to 64. What is common to all kinds (kind,
  // pose, material, group, mask, memory_size) is already there.
  void (*build)(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory);

  // Mass properties in the shape frame for density 1; NULL when not solid.
  void (*mass)(const rgShape* shape, rgMassProperties* out);
  // Bounds in the world of the shape placed at `pose` (of the shape frame).
  rgBounds (*bounds)(const rgShape* shape, rgPose pose);

  // Where a ray first meets the shape (ray/ray.h).
  rgRayFunction* ray;

  // What contact asks of a convex shape of finite size. `support`, `feature` and `single` are
  // needed; the others make contacts exact where the general algorithm would be iterative. All are
  // NULL for half-spaces and surfaces.

  // Farthest point in direction d (any length, not zero), shape frame.
  rgVec3 (*support)(const rgShape* shape, rgVec3 d);
  // The part of the shape placed at `pose` that faces the unit vector d (world).
  void (*feature)(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out);
  // Whether one point alone is farthest along the unit vector d (shape frame): not where d is
  // normal to something straight or flat.
  bool (*single)(const rgShape* shape, rgVec3 d);
  // The foot of x (shape frame). May stop early, with a distance that is too small but above
  // `reach`, once x is known to be farther than that.
  rgFoot (*foot)(const rgShape* shape, rgVec3 x, double reach);
  // Normals between a curved surface, placed at `pose`, and the line through x along the unit
  // vector `direction` (world). NULL where all surfaces are flat or straight, or there is a core.
  void (*line_normals)(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                       rgLineNormals* out);
  // The circular edge that is farthest along d (shape frame).
  rgRim (*rim)(const rgShape* shape, rgVec3 d);
  // Value of a convex function f that is negative inside and zero on the surface, with its
  // gradient and its Hessian at x (shape frame). For surfaces without edges, where f has both.
  double (*value)(const rgShape* shape, rgVec3 x, rgVec3* gradient, rgMat3* hessian);
  // For shapes with curved surfaces and edges: the functions of which the largest is such an f. Asked by
  // pieces.h, which knows what polyhedra and smooth shapes are made of.
  rgPieceList pieces;
  rgVec3 flat_axis; // unit normal of flat ends, which lie on both sides; zero when there are none
  rgCore core;

  // Smooth surfaces for bodies that do not move freely; NULL for all others.
  const rgWall* wall;

  // Surfaces of triangles; NULL for all others. See rg_shape_triangles, rg_shape_triangle.
  void (*triangles)(const rgShape* shape, rgBounds box, rgTriangleVisit* visit, void* context);
  void (*triangle)(const rgShape* shape, int triangle, rgTriangle* out);
} rgShapeInfo;

const rgShapeInfo* rg_shape_info(rgShapeKind kind); // NULL when out of range

// Makes a shape in one block from `allocator`; NULL with status and message when it cannot be made.
rgShape* rg_shape_create(const rgShapeDef* def, const rgAllocator* allocator, rgStatus* status,
                         rgMessage* message);
// Mixes all that tells one shape from another into `hash`.
uint64_t rg_shape_hash(const rgShape* shape, uint64_t hash);
void rg_shape_destroy(rgShape* shape, const rgAllocator* allocator);
// The same shape in a block of its own; NULL when memory ran out. Not for meshes and fields.
rgShape* rg_shape_copy(const rgShape* shape, const rgAllocator* allocator);

// Mass properties of a solid shape in the frame of its body.
void rg_shape_mass_of(const rgShape* shape, double density, rgMassProperties* out);

// Triangles of a mesh or of a field whose bounds touch `box` (shape frame), in a fixed order.
// Calls `visit(context, triangle index)` for each. Nothing for other kinds.
void rg_shape_triangles(const rgShape* shape, rgBounds box, rgTriangleVisit* visit, void* context);
// One triangle of a mesh or of a field.
void rg_shape_triangle(const rgShape* shape, int triangle, rgTriangle* out);

#endif
