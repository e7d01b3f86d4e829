// gjk.c - distance of two convex sets by the Gilbert-Johnson-Keerthi iteration.
//
// Problem. A and B convex, known by their support functions; C = A - B. Find the point v of C
// nearest to the origin: |v| is the distance, v / |v| the normal from B to A.
//
// Method. v is the nearest point of a simplex of points of C. The farthest point w of C against v
// either shows that v is the answer, or improves the simplex. Since x.v >= w.v for all x in C,
// w.v / |v| is a lower bound of the distance; |v| is an upper bound. Ends when
//   1. the bounds meet, |v|^2 - w.v <= RELATIVE_ERROR |v|^2. This bounds the error of v itself,
//      since |v - v*|^2 <= |v|^2 - w.v;
//   2. rounding stops progress: w is in the simplex already, or |v| does not fall;
//   3. the lower bound exceeds the reach asked for;
//   4. the origin is in the simplex, or so near that the direction of v would be rounding: epa.c
//      takes over.
// Gilbert, Johnson, Keerthi, IEEE J. Robotics and Automation 4 (1988); the error bound is van den
// Bergen's (1999).
//
// Cost. Polytopes: some 3 to 8 iterations, fewer with a good guess. Smooth sets: linear
// convergence, some tens. A rounding margin is added after the iteration on the cores.
#include "collide/convex/simplex.h"

#include "shape/solid/polyhedron.h"
#include "shape/solid/rounding.h"

// Ends the iteration: |v - v*| / |v| is at most its root, 1e-7, and the distance is far better than
// that.
static const double RELATIVE_ERROR = 1e-14;
// Part of the sets' size below which a distance is left to EPA: here rounding turns v by some 1e-7.
static const double TOUCHING = 1e-9;
// Rounding of w.v, relative to |w| |v|: a few units in the last place.
static const double ROUNDING = 1e-15;

enum { ITERATION_MAX = 256 }; // never met by polytopes; smooth sets are then known to some 1e-8

// --- cores --------------------------------------------------------------------------------------

static rgVec3 support_point(const void* core, rgVec3 d) {
  (void)core;
  (void)d;
  return v3_zero();
}

static rgVec3 support_axis(const void* core, rgVec3 d) {
  const rgShape* shape = core;
  return v3(0, 0, d.z < 0 ? -shape->half_length : shape->half_length);
}

static rgVec3 support_shape(const void* core, rgVec3 d) {
  const rgShape* shape = core;
  return rg_shape_info(shape->kind)->support(shape, d);
}

static rgVec3 support_vertices(const void* core, rgVec3 d) {
  const rgPolyhedron* polyhedron = ((const rgShape*)core)->polyhedron;
  return polyhedron->vertices[rg_polyhedron_farthest(polyhedron, d)];
}

static rgVec3 support_set(const void* core, rgVec3 d) {
  const rgConvexPoints* set = core;
  int best = 0;
  double height = v3_dot(set->points[0], d);
  for (int i = 1; i < set->count; i++) {
    double h = v3_dot(set->points[i], d);
    if (h > height) {
      height = h;
      best = i;
    }
  }
  return set->points[best];
}

rgConvex rg_convex_of_shape(const rgShape* shape, rgPose pose) {
  rgConvex convex = {.core = shape,
                     .support = support_shape,
                     .rotation = m3_from_quat(pose.orientation),
                     .position = pose.position};
  rgCore core = rg_shape_info(shape->kind)->core;
  if (core != RG_CORE_NONE) {
    convex.support = core == RG_CORE_POINT ? support_point : support_axis;
    convex.margin = shape->radius;
  } else if (rg_rounding_is(shape)) {
    convex.support = support_vertices;
    convex.margin = shape->radius;
  }
  return convex;
}

rgConvex rg_convex_of_points(const rgConvexPoints* set, double margin) {
  return (rgConvex){.core = set,
                    .support = support_set,
                    .margin = margin,
                    .rotation = m3_identity(),
                    .position = v3_zero()};
}

// --- iteration ----------------------------------------------------------------------------------

static bool holds(const rgSimplex* simplex, rgVec3 w) {
  for (int i = 0; i < simplex->count; i++) {
    rgVec3 p = simplex->points[i].w;
    if (p.x == w.x && p.y == w.y && p.z == w.z)
      return true;
  }
  return false;
}

// Distance of the cores. On RG_SEPARATION_NEAR, *v is the nearest point of the difference and
// `simplex` carries it; on RG_SEPARATION_FAR *v is the separating direction.
static rgSeparation iterate(rgDifference* difference, double reach, rgVec3 guess,
                            rgSimplex* simplex, rgVec3* v) {
  rgDifferencePoint point = rg_simplex_support(difference, v3_neg(guess));
  double size2 = v3_norm2(point.w); // largest |w|^2 met
  *v = guess;
  if (v3_dot(point.w, guess) > reach * v3_norm(guess))
    return RG_SEPARATION_FAR;
  *simplex = (rgSimplex){1, {point}, {1}};
  *v = point.w;
  for (int i = 0; i < ITERATION_MAX; i++) {
    double v2 = v3_norm2(*v);
    if (!(v2 > TOUCHING * TOUCHING * size2))
      return RG_SEPARATION_NONE;
    point = rg_simplex_support(difference, v3_neg(*v));
    double w2 = v3_norm2(point.w);
    size2 = w2 > size2 ? w2 : size2;
    double bound = v3_dot(point.w, *v);
    if (bound > reach * sqrt(v2))
      return RG_SEPARATION_FAR;
    if (v2 - bound <= RELATIVE_ERROR * v2 + ROUNDING * sqrt(v2 * size2) || holds(simplex, point.w))
      return RG_SEPARATION_NEAR;

    rgSimplex next = *simplex;
    next.points[next.count++] = point;
    rgVec3 nearest = rg_simplex_nearest(&next, bound > 0);
    if (next.count == 4) {
      *simplex = next;
      return RG_SEPARATION_NONE;
    }
    if (v3_norm2(nearest) >= v2)
      return RG_SEPARATION_NEAR; // rounding: the old v stays the best known
    *simplex = next;
    *v = nearest;
  }
  return RG_SEPARATION_NEAR;
}

// Where to begin, when the caller has no guess: from centre to centre.
static rgVec3 usable(rgVec3 guess, rgVec3 offset) {
  if (v3_norm2(guess) > 0)
    return guess;
  return v3_norm2(offset) > 0 ? v3_neg(offset) : v3(0, 0, 1);
}

// From cores about the position of A to sets in the world.
static void add_margins(const rgConvex* a, const rgConvex* b, rgDistance* out) {
  out->distance -= a->margin + b->margin;
  out->point_a = v3_axpy(v3_add(a->position, out->point_a), -a->margin, out->normal);
  out->point_b = v3_axpy(v3_add(a->position, out->point_b), b->margin, out->normal);
}

static rgSeparation separation(rgDifference* difference, double reach, rgVec3 guess,
                               rgSimplex* simplex, rgDistance* out) {
  const rgConvex *a = difference->a, *b = difference->b;
  rgVec3 v;
  rgSeparation result = iterate(difference, reach + a->margin + b->margin, guess, simplex, &v);
  out->iterations = difference->evaluations;
  if (result == RG_SEPARATION_FAR) {
    out->normal = v3_unit_or(v, v3(0, 0, 1));
  } else if (result == RG_SEPARATION_NEAR) {
    out->distance = v3_norm(v);
    out->normal = v3_scale(v, 1 / out->distance);
    out->point_a = rg_simplex_point_a(simplex);
    out->point_b = v3_sub(out->point_a, v);
    add_margins(a, b, out);
    if (out->distance > reach)
      result = RG_SEPARATION_FAR;
  }
  return result;
}

rgSeparation rg_convex_separation(const rgConvex* a, const rgConvex* b, double reach, rgVec3 guess,
                                  rgDistance* out) {
  rgDifference difference = {a, b, v3_sub(b->position, a->position), 0};
  rgSimplex simplex;
  return separation(&difference, reach, usable(guess, difference.offset), &simplex, out);
}

bool rg_convex_distance(const rgConvex* a, const rgConvex* b, double reach, rgVec3 guess,
                        rgDistance* out) {
  rgDifference difference = {a, b, v3_sub(b->position, a->position), 0};
  rgSimplex simplex;
  guess = usable(guess, difference.offset);
  rgSeparation result = separation(&difference, reach, guess, &simplex, out);
  if (result != RG_SEPARATION_NONE)
    return result == RG_SEPARATION_NEAR;
  rg_epa(&difference, &simplex, guess, out);
  out->iterations = difference.evaluations;
  add_margins(a, b, out);
  return out->distance <= reach;
}

bool rg_convex_apart_along(const rgConvex* a, const rgConvex* b, double reach, rgVec3 axis) {
  rgDifference difference = {a, b, v3_sub(b->position, a->position), 0};
  rgVec3 w = rg_simplex_support(&difference, v3_neg(axis)).w;
  return v3_dot(w, axis) > (reach + a->margin + b->margin) * v3_norm2(axis);
}
