// rim.c - the points that stand for the surface of a cylinder seen along a direction.
#include "collide/rim.h"

rgVec3 rg_rim_direction(int i) {
  static const double half = 0.70710678118654752440; // sqrt(1/2)
  static const double x[RG_RIM_POINTS] = {1, half, 0, -half, -1, -half, 0, half};
  static const double y[RG_RIM_POINTS] = {0, half, 1, half, 0, -half, -1, -half};
  return v3(x[i], y[i], 0);
}

int rg_rim_points(const rgShape* cylinder, rgVec3 d, rgRimPoint* out) {
  double r = cylinder->radius, h = cylinder->half_length;
  double across = sqrt(d.x * d.x + d.y * d.y);
  int count = 0;
  if (fabs(d.z) >= across) { // a cap faces d
    uint32_t upper = d.z > 0;
    for (int i = 0; i < RG_RIM_POINTS; i++) {
      rgVec3 c = rg_rim_direction(i);
      out[count++] = (rgRimPoint){v3(r * c.x, r * c.y, upper ? h : -h), (uint32_t)i + RG_RIM_POINTS * upper};
    }
  }
  if (across <= RG_RIM_TILT)
    return count;
  rgVec3 c = v3(d.x / across, d.y / across, 0);
  out[count++] = (rgRimPoint){v3(r * c.x, r * c.y, -h), RG_RIM_LOWEST};
  out[count++] = (rgRimPoint){v3(r * c.x, r * c.y, h), RG_RIM_LOWEST + 1};
  return count;
}
