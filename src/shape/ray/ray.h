// ray.h - where a ray first meets a shape.
//
// Every kind answers for itself (`ray` of rgShapeInfo) in its own frame, for a unit direction; what kinds
// share is here. A ray x = o + t d enters a convex solid and leaves it once, so that for these a span
// [enter, leave] says everything; a union of spans of parts that together are convex is again a span.
#ifndef SHAPE_RAY_RAY_H
#define SHAPE_RAY_RAY_H

#include "math/vec.h"
#include <rigor/query.h>

struct rgShape;
struct rgPolyhedron;

typedef struct rgRayTouch {
  double distance; // [m]
  rgVec3 normal;   // unit, against the ray
  bool inside;     // the ray starts inside a solid
  int triangle;    // of surfaces of triangles
} rgRayTouch;

// The part of the ray that is inside a solid, with the outward normal where it enters. Empty when
// enter > leave.
typedef struct rgRaySpan {
  double enter, leave; // [m]
  rgVec3 normal;
} rgRaySpan;

static inline rgRaySpan rg_ray_nothing(void) { return (rgRaySpan){HUGE_VAL, -HUGE_VAL, v3_zero()}; }

// The first place along the ray, in the frame of the shape, with `direction` of unit length. Returns
// false when there is none within ray->length.
typedef bool rgRayFunction(const struct rgShape* shape, const rgRay* ray, rgRayTouch* out);

// The same for a shape placed at `pose` and a ray in the world, whose direction has unit length.
bool rg_ray_shape(const struct rgShape* shape, rgPose pose, const rgRay* ray, rgRayTouch* out);

// What the span of a solid, or a place on a surface with a normal of either sign, means for the ray.
bool rg_ray_solid(const rgRay* ray, rgRaySpan span, rgRayTouch* out);
bool rg_ray_surface(const rgRay* ray, double distance, rgVec3 normal, rgRayTouch* out);

// Spans, span.c.
rgRaySpan rg_ray_ball(const rgRay* ray, rgVec3 center, double radius);
rgRaySpan rg_ray_pipe(const rgRay* ray, double radius); // endless cylinder about z
// Between the planes normal . x = -half and half.
rgRaySpan rg_ray_slab(const rgRay* ray, rgVec3 normal, double half);
rgRaySpan rg_ray_halfspace(const rgRay* ray, rgVec3 normal, double offset); // normal . x <= offset
rgRaySpan rg_ray_common(rgRaySpan a, rgRaySpan b);                          // intersection
rgRaySpan rg_ray_hull_of(rgRaySpan a, rgRaySpan b); // smallest span that holds both
rgRaySpan rg_ray_polyhedron(const rgRay* ray, const struct rgPolyhedron* polyhedron);

// Convex solids that are known by a convex function along the ray, newton.c: their foot, or their value.
bool rg_ray_by_foot(const struct rgShape* shape, const rgRay* ray, rgRayTouch* out);
bool rg_ray_by_value(const struct rgShape* shape, const rgRay* ray, rgRayTouch* out);

rgRayFunction rg_ray_outline; // flat shapes, outline.c
// The first place where the ray meets the torus about z, with the outward normal of the bar: roots.c.
bool rg_ray_torus(const rgRay* ray, double ring, double radius, double* distance, rgVec3* normal);

// Triangles, triangle.c. What is the same for all triangles of a ray.
typedef struct rgRayShear {
  int x, y, z;       // axes, z being that of the largest component of the direction
  double sx, sy, sz; // shear that turns the direction into the z axis
} rgRayShear;
rgRayShear rg_ray_shear(rgVec3 direction);
// The distance [m] to a triangle, from either side; negative when the ray misses it.
double rg_ray_triangle(const rgRay* ray, const rgRayShear* shear, const rgVec3 corner[3]);

// The least t in [0, limit] at which the ray is in a box; negative when it is nowhere. A little less than
// exact, never more: rounding of the slabs is allowed for.
double rg_ray_bounds(const rgRay* ray, const rgBounds* box, double limit);

#endif
