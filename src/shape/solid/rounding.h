// rounding.h - polyhedra with rounded edges: all points within a radius of the polyhedron.
//
// A box or hull is rounded when its `radius` is positive; its polyhedron (and, of a box, `half`) is
// then the core. What faces a direction, what is farthest along it and the foot of a point are those
// of the core, moved by the radius.
#ifndef SHAPE_SOLID_ROUNDING_H
#define SHAPE_SOLID_ROUNDING_H

#include "shape/shape.h"

static inline bool rg_rounding_is(const rgShape* shape) {
  return shape->polyhedron && shape->radius > 0;
}

// The farthest point along d (any length) from that of the core.
static inline rgVec3 rg_rounding_support(const rgShape* shape, rgVec3 core, rgVec3 d) {
  return shape->radius > 0 ? v3_axpy(core, shape->radius / v3_norm(d), d) : core;
}

// The foot of a point from that on the core. Inside the core it stays exact: the nearest face is
// moved out by the radius with all others.
static inline rgFoot rg_rounding_foot(const rgShape* shape, rgFoot core) {
  if (shape->radius > 0) {
    core.distance -= shape->radius;
    core.point = v3_axpy(core.point, shape->radius, core.normal);
  }
  return core;
}

// Mass properties for density 1 of a polyhedron and all points within r [m] of it.
void rg_rounding_mass(const rgPolyhedron* polyhedron, double r, rgMassProperties* out);

#endif
