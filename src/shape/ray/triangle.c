// triangle.c - a ray against a triangle, without gaps between triangles that share an edge (Woop,
// Benthin and Wald 2013).
//
// The corners are sheared so that the ray becomes the z axis. The side of an edge on which the axis lies
// is the sign of a product of its two ends, which is the same number with the other sign for the triangle
// across the edge: rounding cannot put the ray beside both. On an edge it hits both.
#include "shape/ray/ray.h"

rgRayShear rg_ray_shear(rgVec3 d) {
  rgVec3 a = v3_abs(d);
  int z = a.x > a.y ? (a.x > a.z ? 0 : 2) : (a.y > a.z ? 1 : 2);
  int x = (z + 1) % 3, y = (z + 2) % 3;
  double along = v3_get(d, z);
  return (rgRayShear){x, y, z, v3_get(d, x) / along, v3_get(d, y) / along, 1 / along};
}

double rg_ray_triangle(const rgRay* ray, const rgRayShear* s, const rgVec3 corner[3]) {
  double x[3], y[3], z[3];
  for (int i = 0; i < 3; i++) {
    rgVec3 p = v3_sub(corner[i], ray->origin);
    double height = v3_get(p, s->z);
    x[i] = v3_get(p, s->x) - s->sx * height;
    y[i] = v3_get(p, s->y) - s->sy * height;
    z[i] = s->sz * height;
  }
  double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2],
         w = x[1] * y[0] - y[1] * x[0];
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
    return -1;
  double sum = u + v + w;
  if (sum == 0) // the ray is in the plane of the triangle
    return -1;
  return (u * z[0] + v * z[1] + w * z[2]) / sum;
}
