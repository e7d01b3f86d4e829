// cone.h - Euclidean projections on the cones of contact laws and on their sections.
#ifndef PROBLEM_CONE_H
#define PROBLEM_CONE_H

#include <rigor/problem.h>

// Projects x = (x_0, x_1 .. x_m) on the circular cone { |(x_1 .. x_m)| <= mu x_0 }, m from 0 to 3.
void rg_cone_project_circular(double* x, int m, double mu);

// A regular polygon around the origin. Inner: corners on the unit circle, the first on the t axis
// (Renouf et al. 2005, eq. 31). Outer: sides tangent to the unit circle, the first facing the t
// axis (eq. 26).
typedef struct rgPolygon {
  int facets;
  double radius; // of the corners
  double phase;  // [rad] angle of corner 0
} rgPolygon;
rgPolygon rg_polygon(rgConeKind kind, int facets);
// Corner `index` (any integer, counted modulo the facets), counter-clockwise.
void rg_polygon_corner(const rgPolygon* polygon, int index, double corner[2]);
// The polygon's extent along the t axis: lower < 0 < upper. This is the section of a contact in two
// dimensions.
void rg_polygon_interval(const rgPolygon* polygon, double* lower, double* upper);
// Nearest point to x in `size` times the polygon, size >= 0.
void rg_polygon_project(const rgPolygon* polygon, double size, double x[2]);

#endif
