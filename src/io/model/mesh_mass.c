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

typedef struct Moments {
  double volume;
  rgVec3 first;
  rgMat3 second;
} Moments;

// Of the tetrahedra between a point and the triangles, seen from that point.
static Moments moments_from(const rgVec3* points, const int* triangles, int count, rgVec3 apex,
                            bool absolute) {
  Moments sum = {0};
  for (int i = 0; i < count; i++) {
    rgVec3 a = v3_sub(points[triangles[3 * i]], apex),
           b = v3_sub(points[triangles[3 * i + 1]], apex),
           c = v3_sub(points[triangles[3 * i + 2]], apex);
    double part = v3_dot(a, v3_cross(b, c)) / 6;
    part = absolute ? fabs(part) : part;
    sum.volume += part;
    sum.first = v3_axpy(sum.first, part / 4, v3_add(a, v3_add(b, c)));
    add_moments(&sum.second, part, a, b, c);
  }
  return sum;
}

bool rg_mesh_mass(const rgVec3* points, const int* triangles, int count, bool absolute,
                  rgMassProperties* mass) {
  rgVec3 apex = surface_centre(points, triangles, count);
  Moments m = moments_from(points, triangles, count, apex, absolute);
  *mass = (rgMassProperties){.mass = m.volume};
  if (!(m.volume > 0) || !isfinite(m.volume))
    return false;
  // Seen from the centre of mass the first moments vanish; without signs the volume depends on the
  // point, and this is the one that counts.
  mass->center = v3_axpy(apex, 1 / m.volume, m.first);
  m = moments_from(points, triangles, count, mass->center, absolute);
  mass->mass = m.volume;
  // I = tr(S) 1 - S
  double trace = m.second.m[0][0] + m.second.m[1][1] + m.second.m[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      mass->inertia.m[i][j] = (i == j ? trace : 0) - m.second.m[i][j];
  return m.volume > 0;
}
