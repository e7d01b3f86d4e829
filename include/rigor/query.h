// query.h - questions about the geometry of a world: rays, overlaps, distances and closest points.
//
//     rgRay ray = {.origin = {0, 0, 2}, .direction = {0, 0, -1}, .length = HUGE_VAL};
//     rgRayHit hit;
//     if (rg_world_ray(world, &ray, NULL, &hit, NULL) == RG_OK)
//       printf("%s is %g m below\n", rg_body_name(world, hit.body), hit.distance);
//
// Queries see bodies where they stand now, also after an edit. They change nothing that a step reads,
// allocate nothing, and give the same bits on every machine. A ray costs the logarithm of the number of
// shapes; between an edit and the next step, or rg_world_find_contacts, it costs as much as all shapes,
// because the tree of the last step is out of date then. A world of dimension 2 takes rays and poses in its plane.
//
// Solids (sphere, box, capsule, cylinder, ellipsoid, superellipsoid, hull, half-space, ring, flat shapes)
// are hit from outside; a ray that starts inside one hits it at once. Meshes, fields and the walls
// tube, bowl and torus are surfaces: a ray hits them from either side, and never starts inside.
//
// On failure the message says what is wrong and what would be right; `message` may be NULL everywhere.
#ifndef RIGOR_QUERY_H
#define RIGOR_QUERY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which shapes a query looks at. NULL instead of a filter: all.
typedef struct rgQueryFilter {
  uint32_t mask;   // shapes of which a bit of rgShapeDef.group is in here
  rgBodyId ignore; // not the shapes of this body; generation 0 = none
  // Not those for which this returns false; NULL = none. It must not change the world.
  bool (*accept)(rgBodyId body, rgShapeId shape, void* context);
  void* context;
} rgQueryFilter;
RG_API rgQueryFilter rg_query_filter(void); // all shapes

typedef struct rgRay {
  rgVec3 origin;    // [m]
  rgVec3 direction; // any length but zero
  double length;    // [m] >= 0 along the ray; HUGE_VAL = endless
} rgRay;

typedef struct rgRayHit {
  rgBodyId body;
  rgShapeId shape;
  rgVec3 point;    // [m]
  rgVec3 normal;   // unit, of the surface, against the ray; where it starts inside: -direction
  double distance; // [m] from the origin
  bool inside;     // the ray starts inside a solid: distance 0
  int triangle;    // of a mesh or a field; otherwise 0
} rgRayHit;

// The first shape along a ray; of several at the same distance the one whose id has the lowest index.
// RG_ERROR_NOT_FOUND, without a message, when there is none.
RG_API rgStatus rg_world_ray(const rgWorld* world, const rgRay* ray, const rgQueryFilter* filter,
                             rgRayHit* hit, rgMessage* message);
// Every shape along a ray, each where the ray meets it first, by distance and then by index. Writes the
// nearest `capacity` of them; `count` receives how many there are.
RG_API rgStatus rg_world_ray_all(const rgWorld* world, const rgRay* ray,
                                 const rgQueryFilter* filter, rgRayHit* hits, int capacity,
                                 int* count, rgMessage* message);

// How far two shapes are apart, and where.
typedef struct rgClosest {
  rgShapeId shape_a, shape_b; // generation 0: the probe
  rgVec3 point_a, point_b;    // [m] on the surfaces; distance = dot(point_a - point_b, normal)
  rgVec3 normal;              // unit, from B to A
  double distance; // [m] negative where they intersect: how far A has to go along the normal to be
                   // clear. With meshes, fields and walls: of the surface, or of the triangle that
                   // is passed farthest
} rgClosest;

// The closest points of two shapes. RG_ERROR_UNSUPPORTED where neither is a convex solid of finite size:
// half-spaces, meshes, fields and walls against each other.
RG_API rgStatus rg_shape_distance(const rgWorld* world, rgShapeId a, rgShapeId b,
                                  rgClosest* closest, rgMessage* message);
// The same for the shapes of two bodies that are closest. RG_ERROR_NOT_FOUND when a body has no shapes,
// RG_ERROR_UNSUPPORTED when no pair of shapes can be answered.
RG_API rgStatus rg_body_distance(const rgWorld* world, rgBodyId a, rgBodyId b, rgClosest* closest,
                                 rgMessage* message);

// A shape that is not in a world, made once to be asked about many times.
typedef struct rgProbe rgProbe; // opaque
// `dimension` is that of the worlds that will be asked: 3 or 2. Poses of the definition are kept.
RG_API rgStatus rg_probe_create(const rgShapeDef* def, int dimension, rgProbe** probe,
                                rgMessage* message);
RG_API void rg_probe_destroy(rgProbe* probe); // NULL is allowed

typedef struct rgOverlap {
  rgBodyId body;
  rgClosest closest; // A is the probe, B the shape of the body
} rgOverlap;
// The shapes of the world that are closer than `reach` [m] to a probe whose frame is at `pose`, in the
// order of the indices of their ids; with a reach of 0 those that touch or intersect it. Writes at most
// `capacity` of them; `count` receives how many there are. Shapes that cannot be answered
// (rg_shape_distance) are not listed.
RG_API rgStatus rg_world_overlap(const rgWorld* world, const rgProbe* probe, rgPose pose,
                                 double reach, const rgQueryFilter* filter, rgOverlap* overlaps,
                                 int capacity, int* count, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
