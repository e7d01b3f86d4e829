// convex_pairs.c - contacts of any two convex shapes of finite size, by support functions alone.
//
// For pairs without a function of their own. GJK and EPA find the common normal and the closest
// points (gjk.h), exact for polytopes and to some 1e-8 of the size for smooth shapes; the features
// of both shapes that face along the normal then give the rest of the manifold, so that flat parts
// rest on all their corners.
#include "collide/convex/feature.h"
#include "collide/convex/gjk.h"
#include "collide/pair/pairs.h"

// Part of the smaller shape: features this much above the distance found do not explain it.
static const double DEPTH_TOLERANCE = 1e-6;

static double least_gap(const rgManifoldPoint* points, int count) {
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++)
    least = points[i].gap < least ? points[i].gap : least;
  return least;
}

void rg_pair_convex_convex(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  rgConvex convex_a = rg_convex_of_shape(a, pose_a), convex_b = rg_convex_of_shape(b, pose_b);
  if (rg_convex_apart_along(&convex_a, &convex_b, reach, hint->axis))
    return;
  rgDistance nearest;
  bool near = rg_convex_distance(&convex_a, &convex_b, reach, v3_zero(), &nearest);
  hint->axis = nearest.normal;
  rgManifold* manifold = near ? rg_manifold_begin(out, nearest.normal, 0) : NULL;
  if (!manifold)
    return;

  rgFeature facing_a, facing_b;
  rgManifoldPoint points[RG_CONTACTS_MAX];
  rg_shape_feature(a, pose_a, v3_neg(nearest.normal), &facing_a);
  rg_shape_feature(b, pose_b, nearest.normal, &facing_b);
  int count = rg_feature_contacts(&facing_a, &facing_b, nearest.normal, reach, points);
  double tolerance = DEPTH_TOLERANCE * (a->size < b->size ? a->size : b->size);
  if (least_gap(points, count) > nearest.distance + tolerance) {
    rg_manifold_add(manifold, nearest.point_a, nearest.point_b, nearest.distance, 0);
    return;
  }
  manifold->count = rg_manifold_reduce_points(nearest.normal, points, count, RG_MANIFOLD_MAX);
  for (int i = 0; i < manifold->count; i++)
    manifold->points[i] = points[i];
}
