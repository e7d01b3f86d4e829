// mesh_mass.c - mass properties of what a surface of triangles encloses.
//
// The tetrahedron (o, a, b, c) has the volume V = (a-o) . ((b-o) x (c-o)) / 6, its centroid at the
// mean of its corners, and with corners taken from o the second moments
//     integral x_i x_j = V / 20 (sum over corners of a_i a_j  +  s_i s_j),   s = a + b + c,
// (the corner o being zero). Sums over all triangles give those of the solid.
#include "io/model/mesh.h"

#include "math/vec.h"

// Mean of the triangles' centroids, weighted by area.
static rgVec3 surface_centre(const rgVec3* points, const int* triangles, int count) {
  rgVec3 sum = v3_zero();
  double area = 0;
  for (int i = 0; i < count; i++) {
    rgVec3 a = points[triangles[3 * i]], b = points[triangles[3 * i + 1]],
           c = points[triangles[3 * i + 2]];
    double twice = v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    sum = v3_axpy(sum, twice / 3, v3_add(a, v3_add(b, c)));
    area += twice;
  }
  return area > 0 ? v3_scale(sum, 1 / area) : v3_zero();
}

static void add_moments(rgMat3* second, double volume, rgVec3 a, rgVec3 b, rgVec3 c) {
  rgVec3 s = v3_add(a, v3_add(b, c));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      second->m[i][j] += volume / 20 *
                         (v3_get(a, i) * v3_get(a, j) + v3_get(b, i) * v3_get(b, j) +
                          v3_get(c, i) * v3_get(c, j) + v3_get(s, i) * v3_get(s, j));
}

bool rg_mesh_mass(const rgVec3* points, const int* triangles, int count, bool absolute,
                  rgMassProperties* mass) {
  rgVec3 centre = surface_centre(points, triangles, count), first = v3_zero();
  rgMat3 second = m3_zero();
  double volume = 0;
  for (int i = 0; i < count; i++) {
    rgVec3 a = v3_sub(points[triangles[3 * i]], centre),
           b = v3_sub(points[triangles[3 * i + 1]], centre),
           c = v3_sub(points[triangles[3 * i + 2]], centre);
    double part = v3_dot(a, v3_cross(b, c)) / 6;
    part = absolute ? fabs(part) : part;
    volume += part;
    first = v3_axpy(first, part / 4, v3_add(a, v3_add(b, c)));
    add_moments(&second, part, a, b, c);
  }
  *mass = (rgMassProperties){.mass = volume};
  if (!(volume > 0) || !isfinite(volume))
    return false;
  rgVec3 shift = v3_scale(first, 1 / volume);
  mass->center = v3_add(centre, shift);
  // About the centre of mass: I = tr(S) 1 - S.
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      second.m[i][j] -= volume * v3_get(shift, i) * v3_get(shift, j);
  double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      mass->inertia.m[i][j] = (i == j ? trace : 0) - second.m[i][j];
  return true;
}
