// Closest points of random pairs of convex solids of all kinds, in all pairs of kinds.
//
// Equation 9 of Chakraborty, Berard, Akella and Trinkle (2007): the outward normals at the closest points
// are opposite and along the line between them. For points a of A and b of B with n = (a - b)/|a - b| that
// is the case exactly when no point of A is lower along n than a and none of B higher than b (the normal
// cones of convex sets). Membership and heights come from solids.h, which shares nothing with the library,
// so that |a - b| is proved to be the distance: h(n) = |a - b| from below, a and b from above.
//
// Fine polytopes: the hull of points of A, drawn without looking at the answer, is inside A. The distance of
// two of them is not below that of the solids, and above it by 2 R sin(theta) at most for each, where every
// direction is within theta of one of those drawn (more for intersections: solid_missed).
#include "test.h"

#include "collide/convex/gjk.h"
#include "collide/distance.h"
#include "support/random.h"
#include "support/shape.h"
#include "support/solids.h"

#include <stdlib.h>
#include <string.h>

// [m] of bodies of size 1, apart or crossing: rounding (axis_pieces.c: 1e-11 of the size at most) and room
// for surfaces that the oracle knows by first order alone.
static const double TOLERANCE = 1e-10;

// --- Polytopes -----------------------------------------------------------------------------------

// Directions on a cube with PARTS lines to a side: none is farther from one of them than
// THETA, the angle between neighbours on the middle of a side over the root of two.
enum { PARTS = 8, DIRECTIONS = 6 * (PARTS + 1) * (PARTS + 1) };
static const double THETA = 1.4142135623730951 / PARTS;

static rgVec3 cube_direction(int index) {
  int side = index / ((PARTS + 1) * (PARTS + 1)), place = index % ((PARTS + 1) * (PARTS + 1));
  double u = 2.0 * (place / (PARTS + 1)) / PARTS - 1, v = 2.0 * (place % (PARTS + 1)) / PARTS - 1;
  double w = side % 2 ? -1 : 1;
  rgVec3 d = side < 2 ? v3(w, u, v) : side < 4 ? v3(u, w, v) : v3(u, v, w);
  return v3_scale(d, 1 / v3_norm(d));
}

// Intersections and functions take some 30 ms each to make, for their masses: a few of each are made, and
// placed at random again and again.
enum { KEPT_MAX = 64 };
typedef struct Kept {
  Solid solid;
  rgShape* shape;
} Kept;

typedef struct Body {
  const Solid* solid;
  const rgShape* shape;
  Kept own;
  rgPose pose;
  rgVec3 points[DIRECTIONS]; // world
  double radius;             // of a ball about the origin of its frame around the points
} Body;

static bool is_costly(int kind) {
  return strcmp(solid_name(kind), "intersection") == 0 || strcmp(solid_name(kind), "function") == 0;
}

// The same whatever was made before.
static Kept* kept_of(Kept* kept, int count, int kind) {
  int index = (int)(random_unit() * count) * solid_kinds() + kind;
  Kept* one = &kept[index];
  uint64_t state = random_state;
  if (!one->shape) {
    random_state = 1000 + (uint64_t)index;
    solid_make(&one->solid, kind, random_unit);
    one->shape = make_shape(one->solid.def);
  }
  random_state = state;
  return one;
}

static void make_body(Body* body, Kept* kept, int kept_count, int kind, bool polytope) {
  Kept* one = is_costly(kind) ? kept_of(kept, kept_count, kind) : &body->own;
  if (!is_costly(kind)) {
    solid_make(&one->solid, kind, random_unit);
    one->shape = make_shape(one->solid.def);
  }
  body->solid = &one->solid;
  body->shape = one->shape;
  rgVec3 place = v3_scale(random_direction(), random_between(0, 4));
  body->pose = (rgPose){place, random_rotation()};
  body->radius = 0;
  for (int i = 0; i < DIRECTIONS && polytope; i++) {
    rgVec3 p = solid_point(body->solid, cube_direction(i));
    body->radius = fmax(body->radius, v3_norm(p));
    body->points[i] = pose_apply(body->pose, p);
  }
}

// --- The conditions ------------------------------------------------------------------------------

// How far equation 9 and membership are from being met [m].
static double violation(const Body* body, rgVec3 x, rgVec3 outward) {
  rgVec3 own = pose_unapply(body->pose, x), d = quat_unrotate(body->pose.orientation, outward);
  double below = solid_reach(body->solid, d, own) - v3_dot(d, own);
  double outside =
      body->solid->def.kind == RG_SHAPE_HULL ? -below : solid_outside(body->solid, own);
  return fmax(fabs(below), outside);
}

static void check_polytopes(const Body* a, const Body* b, double distance) {
  rgConvexPoints set_a = {a->points, DIRECTIONS}, set_b = {b->points, DIRECTIONS};
  rgConvex hull_a = rg_convex_of_points(&set_a, 0), hull_b = rg_convex_of_points(&set_b, 0);
  rgDistance found;
  rgSeparation apart = rg_convex_separation(&hull_a, &hull_b, HUGE_VAL, v3_zero(), &found);
  double polytopes = apart == RG_SEPARATION_NONE ? 0 : found.distance;
  CHECK(polytopes >= distance - 1e-9); // the polytopes are inside
  double error =
      solid_missed(a->solid, THETA, a->radius) + solid_missed(b->solid, THETA, b->radius);
  CHECK(polytopes <= fmax(distance, 0) + error);
}

static void check_pair(Kept* kept, int kept_count, int trial, int kind_a, int kind_b) {
  Body a, b;
  bool polytope = trial % 4 == 0;
  make_body(&a, kept, kept_count, kind_a, polytope);
  make_body(&b, kept, kept_count, kind_b, polytope);
  rgDistance d;
  CONTEXT("trial %d, %s and %s", trial, solid_name(kind_a), solid_name(kind_b));
  bool found = rg_collide_distance(a.shape, a.pose, b.shape, b.pose, HUGE_VAL, &d);
  CHECK(found);
  rgVec3 line = v3_sub(d.point_a, d.point_b);
  double turned = v3_norm(v3_sub(line, v3_scale(d.normal, d.distance)));
  double wrong = fmax(
      turned, fmax(violation(&a, d.point_a, v3_neg(d.normal)), violation(&b, d.point_b, d.normal)));
  CHECK_MSG(wrong <= TOLERANCE, "distance %.9g m, equation 9 is missed by %.2g m", d.distance,
            wrong);
  if (polytope)
    check_polytopes(&a, &b, d.distance);
  if (!is_costly(kind_a))
    free_shape(a.own.shape);
  if (!is_costly(kind_b))
    free_shape(b.own.shape);
}

TEST(closest_points_satisfy_equation_9_and_lie_between_polytopes) {
  const char* many = getenv("RIGOR_PAIRS");
  int count = many ? atoi(many) : test_fast() ? 500 : 4000, kinds = solid_kinds();
  int kept_count = many ? KEPT_MAX : test_fast() ? 2 : 8;
  Kept* kept = calloc((size_t)(KEPT_MAX * kinds), sizeof *kept);
  REQUIRE(kept);
  for (int i = 0; i < count; i++) {
    random_state = 1 + (uint64_t)i;
    for (int k = 0; k < 4; k++)
      random_unit();
    check_pair(kept, kept_count, i, i % kinds, i / kinds % kinds);
  }
  for (int i = 0; i < KEPT_MAX * kinds; i++)
    if (kept[i].shape)
      free_shape(kept[i].shape);
  free(kept);
}
