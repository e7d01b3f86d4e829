// cone.c - Euclidean projections on the cones of contact laws and on their sections.
//
// Circular cone K = { |y| <= mu s }: a point (s, y) with |y| <= mu s stays; one with mu |y| <= -s
// is in the polar cone and goes to the apex; any other goes to the nearest point of the ray along
// (1, mu y / |y|), which is
//
//     (s + mu |y|) / (1 + mu^2) (1, mu y / |y|).
//
// Polygon: seen from the centre a point lies in the sector of one side. In a regular polygon that
// is the side with the largest signed distance from the point, and the nearest point of the polygon
// is the nearest one of that side, a corner included. A search over the k sides, free of inverse
// trigonometric functions.
#include "problem/cone.h"

#include "math/trig.h"
#include <math.h>

void rg_cone_project_circular(double* x, int m, double mu) {
  double norm2 = 0;
  for (int i = 1; i <= m; i++)
    norm2 += x[i] * x[i];
  double limit = mu * x[0];
  if (x[0] >= 0 && norm2 <= limit * limit)
    return;
  double norm = sqrt(norm2);
  double along = x[0] + mu * norm;
  if (!(along > 0))
    along = 0;
  x[0] = along / (1 + mu * mu);
  double factor = norm > 0 ? mu * x[0] / norm : 0;
  for (int i = 1; i <= m; i++)
    x[i] *= factor;
}

rgPolygon rg_polygon(rgConeKind kind, int facets) {
  double half = RG_PI / facets;
  if (kind == RG_CONE_OUTER)
    return (rgPolygon){facets, 1 / rg_cos(half), half};
  return (rgPolygon){facets, 1, 0};
}

void rg_polygon_corner(const rgPolygon* polygon, int index, double corner[2]) {
  int i = index % polygon->facets;
  if (i < 0)
    i += polygon->facets;
  double angle = polygon->phase + 2 * RG_PI * i / polygon->facets;
  corner[0] = polygon->radius * rg_cos(angle);
  corner[1] = polygon->radius * rg_sin(angle);
}

void rg_polygon_interval(const rgPolygon* polygon, double* lower, double* upper) {
  double half = RG_PI / polygon->facets;
  double apothem = polygon->radius * rg_cos(half);
  bool even = polygon->facets % 2 == 0;
  bool corner_first = polygon->phase == 0;
  *upper = corner_first ? polygon->radius : apothem;
  *lower = corner_first == even ? -polygon->radius : -apothem;
}

void rg_polygon_project(const rgPolygon* polygon, double size, double x[2]) {
  double outside = 0, nearest[2] = {x[0], x[1]};
  double from[2], to[2];
  rg_polygon_corner(polygon, 0, from);
  for (int i = 0; i < polygon->facets; i++, from[0] = to[0], from[1] = to[1]) {
    rg_polygon_corner(polygon, i + 1, to);
    double edge[2] = {to[0] - from[0], to[1] - from[1]};
    double length2 = edge[0] * edge[0] + edge[1] * edge[1];
    double p[2] = {x[0] - size * from[0], x[1] - size * from[1]};
    double distance =
        (edge[1] * p[0] - edge[0] * p[1]) / sqrt(length2); // outward normal (e_y, -e_x)
    if (!(distance > outside))
      continue;
    double s = (edge[0] * p[0] + edge[1] * p[1]) / length2;
    s = s < 0 ? 0 : s > size ? size : s;
    outside = distance;
    nearest[0] = size * from[0] + s * edge[0];
    nearest[1] = size * from[1] + s * edge[1];
  }
  x[0] = nearest[0];
  x[1] = nearest[1];
}
