// ring.c - what the two sides of a torus share.
#include "shape/smooth/ring.h"

#include "base/message.h"
#include "math/trig.h"

bool rg_ring_check(const rgShapeDef* def, rgMessage* message) {
  if (!(def->radius > 0) || def->parameters[0] > def->radius)
    return true; // the range of the radius is checked for all kinds
  rg_fail(message, RG_ERROR_INPUT, "ring_radius is %.9g, must be > radius = %.9g",
          def->parameters[0], def->radius);
  return false;
}

void rg_ring_build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  shape->radius = shape->size = def->radius;
  shape->extent = def->radius + def->parameters[0];
}

// The circle reaches R sqrt(1 - a_i^2) along axis i, a being the axis of the torus.
rgBounds rg_ring_bounds(const rgShape* shape, rgPose pose) {
  rgVec3 a = quat_rotate(pose.orientation, v3(0, 0, 1));
  double ring = rg_ring_radius(shape), r = shape->radius;
  double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
  return rg_bounds_about(pose.position, v3(r + ring * sqrt(yy + zz), r + ring * sqrt(zz + xx),
                                           r + ring * sqrt(xx + yy)));
}

rgVec3 rg_ring_place(const rgShape* shape, double u, double v) {
  double around = 2 * RG_PI * u, turn = 2 * RG_PI * v, r = shape->radius;
  double across = rg_ring_radius(shape) + r * rg_cos(turn);
  return v3(across * rg_cos(around), across * rg_sin(around), r * rg_sin(turn));
}
