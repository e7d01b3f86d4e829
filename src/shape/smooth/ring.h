// ring.h - what the two sides of a torus share.
//
// The torus about z is all points within `radius` of the circle of radius `ring_radius` in the x-y
// plane. Its points are the circle's moved by `radius` in the plane of z and the point: the distance
// of x to the surface is that to the circle minus the radius.
#ifndef SHAPE_SMOOTH_RING_H
#define SHAPE_SMOOTH_RING_H

#include "shape/kinds.h"

static inline double rg_ring_radius(const rgShape* shape) { return shape->parameters[0]; }

bool rg_ring_check(const rgShapeDef* def, rgMessage* message);
void rg_ring_build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory);
rgBounds rg_ring_bounds(const rgShape* shape, rgPose pose);
// The point of the surface at u around the axis and v around the circle.
rgVec3 rg_ring_place(const rgShape* shape, double u, double v);

#endif
