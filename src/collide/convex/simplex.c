// simplex.c - the subproblem of GJK: the point nearest to the origin of a segment, triangle or
// tetrahedron.
//
// Method. The nearest point of a face lies either above the face's inside, found from the
// barycentric coordinates of the origin's projection, or on an edge across which the projection
// lies outside; likewise for the tetrahedron and its triangles. All faces that may hold the nearest
// point are tried and the least distance wins, so that rounding on a region's border costs nothing.
// Flat simplices have no meaningful inside: all their sides are tried.
#include "collide/convex/simplex.h"

// Squared sine below which a corner counts as flat: a few roundings of the cross product.
static const double FLAT_SINE2 = 1e-28;

typedef struct Candidate {
  int count;
  int index[3];
  double weight[3];
  rgVec3 nearest;
  double norm2;
} Candidate;

static void offer(Candidate* best, Candidate candidate) {
  candidate.norm2 = v3_norm2(candidate.nearest);
  if (best->count == 0 || candidate.norm2 < best->norm2)
    *best = candidate;
}

static void try_segment(const rgSimplex* s, int i, int j, Candidate* best) {
  rgVec3 a = s->points[i].w, b = s->points[j].w;
  rgVec3 ab = v3_sub(b, a);
  double along = -v3_dot(a, ab), length2 = v3_norm2(ab);
  if (along <= 0 || !(length2 > 0)) {
    offer(best, (Candidate){1, {i}, {1}, a, 0});
  } else if (along >= length2) {
    offer(best, (Candidate){1, {j}, {1}, b, 0});
  } else {
    // Start from the nearer end: the smaller weight keeps the digits.
    double t = along / length2;
    rgVec3 nearest = t <= 0.5 ? v3_axpy(a, t, ab) : v3_axpy(b, t - 1, ab);
    offer(best, (Candidate){2, {i, j}, {1 - t, t}, nearest, 0});
  }
}

static void try_triangle(const rgSimplex* s, int i, int j, int k, Candidate* best) {
  rgVec3 a = s->points[i].w, b = s->points[j].w, c = s->points[k].w;
  rgVec3 ab = v3_sub(b, a), ac = v3_sub(c, a);
  rgVec3 n = v3_cross(ab, ac);
  double n2 = v3_norm2(n);
  bool flat = !(n2 > FLAT_SINE2 * v3_norm2(ab) * v3_norm2(ac));
  double u = v3_dot(n, v3_cross(b, c)), v = v3_dot(n, v3_cross(c, a)),
         w = v3_dot(n, v3_cross(a, b));
  if (!flat && u > 0 && v > 0 && w > 0) {
    double sum = u + v + w;
    rgVec3 nearest = v3_scale(n, v3_dot(n, a) / n2);
    offer(best, (Candidate){3, {i, j, k}, {u / sum, v / sum, w / sum}, nearest, 0});
    return;
  }
  if (flat || u <= 0)
    try_segment(s, j, k, best);
  if (flat || v <= 0)
    try_segment(s, k, i, best);
  if (flat || w <= 0)
    try_segment(s, i, j, best);
}

// True when the origin is not strictly on the side of triangle ijk on which vertex l is, or when l
// lies in its plane.
static bool outside(const rgSimplex* s, int i, int j, int k, int l) {
  rgVec3 a = s->points[i].w;
  rgVec3 n = v3_cross(v3_sub(s->points[j].w, a), v3_sub(s->points[k].w, a));
  rgVec3 d = v3_sub(s->points[l].w, a);
  double height = v3_dot(n, d);
  bool flat = height * height <= FLAT_SINE2 * v3_norm2(n) * v3_norm2(d);
  return flat || !(-v3_dot(n, a) * height > 0);
}

static void try_tetrahedron(const rgSimplex* s, bool all, Candidate* best) {
  if (all || outside(s, 0, 1, 2, 3))
    try_triangle(s, 0, 1, 2, best);
  if (all || outside(s, 0, 1, 3, 2))
    try_triangle(s, 0, 1, 3, best);
  if (all || outside(s, 0, 2, 3, 1))
    try_triangle(s, 0, 2, 3, best);
  if (all || outside(s, 1, 2, 3, 0))
    try_triangle(s, 1, 2, 3, best);
}

rgVec3 rg_simplex_nearest(rgSimplex* simplex, bool origin_outside) {
  Candidate best = {0};
  switch (simplex->count) {
  case 1:
    simplex->weights[0] = 1;
    return simplex->points[0].w;
  case 2:
    try_segment(simplex, 0, 1, &best);
    break;
  case 3:
    try_triangle(simplex, 0, 1, 2, &best);
    break;
  default:
    try_tetrahedron(simplex, false, &best);
    if (best.count == 0 && origin_outside)
      try_tetrahedron(simplex, true, &best);
    if (best.count == 0)
      return v3_zero(); // inside
    break;
  }
  rgSimplex reduced = {.count = best.count};
  for (int i = 0; i < best.count; i++) {
    reduced.points[i] = simplex->points[best.index[i]];
    reduced.weights[i] = best.weight[i];
  }
  *simplex = reduced;
  return best.nearest;
}

rgVec3 rg_simplex_point_a(const rgSimplex* simplex) {
  rgVec3 point = v3_zero();
  for (int i = 0; i < simplex->count; i++)
    point = v3_axpy(point, simplex->weights[i], simplex->points[i].a);
  return point;
}

rgDifferencePoint rg_simplex_support(rgDifference* difference, rgVec3 d) {
  const rgConvex *a = difference->a, *b = difference->b;
  rgVec3 on_a = m3_apply(&a->rotation, a->support(a->core, m3_apply_transposed(&a->rotation, d)));
  rgVec3 on_b =
      m3_apply(&b->rotation, b->support(b->core, m3_apply_transposed(&b->rotation, v3_neg(d))));
  difference->evaluations++;
  return (rgDifferencePoint){v3_sub(v3_sub(on_a, on_b), difference->offset), on_a};
}
