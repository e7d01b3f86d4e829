// edges.c - contacts of two edges.
//
// Crossing edges touch in one point. Parallel edges share a stretch, and both its ends are
// contacts: a block that leans with an edge against an edge must not turn about a single point.
#include "collide/convex/clip.h"
#include "collide/pair/pairs.h"
#include "collide/pair/polyhedra.h"

// Squared sine below which the point where lines cross is rounding.
static const double PARALLEL_SINE2 = 1e-16;

static double clamped(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

bool rg_edge_nearest(const rgEdgePair* edges, double* part_a, double* part_b) {
  // Across the normal the lines cross: start_a + part_a along_a = start_b + part_b along_b + gap n.
  rgVec3 c = v3_cross(edges->along_a, edges->along_b);
  double c2 = v3_norm2(c);
  if (!(c2 > PARALLEL_SINE2 * v3_norm2(edges->along_a) * v3_norm2(edges->along_b)))
    return false;
  rgVec3 d = v3_sub(edges->start_b, edges->start_a);
  *part_a = v3_dot(v3_cross(d, edges->along_b), c) / c2;
  *part_b = v3_dot(v3_cross(d, edges->along_a), c) / c2;
  return true;
}

static void add(const rgEdgePair* edges, double part_a, double part_b, double reach,
                uint32_t feature, rgManifold* manifold) {
  rgVec3 on_a = v3_axpy(edges->start_a, part_a, edges->along_a);
  rgVec3 on_b = v3_axpy(edges->start_b, part_b, edges->along_b);
  double gap = v3_dot(edges->normal, v3_sub(on_a, on_b));
  if (gap <= reach)
    rg_manifold_add(manifold, on_a, on_b, gap, feature);
}

// Both ends of the stretch that parallel edges share.
static void add_stretch(const rgEdgePair* edges, double reach, rgManifold* manifold) {
  double a2 = v3_norm2(edges->along_a), ab = v3_dot(edges->along_a, edges->along_b);
  double start = v3_dot(v3_sub(edges->start_b, edges->start_a), edges->along_a) / a2,
         slope = ab / a2;
  double end = start + slope;
  double low = clamped(start < end ? start : end), high = clamped(start < end ? end : start);
  add(edges, low, clamped((low - start) / slope), reach,
      rg_feature(RG_FEATURE_VERTEX_A, edges->edge_a, edges->edge_b), manifold);
  add(edges, high, clamped((high - start) / slope), reach,
      rg_feature(RG_FEATURE_VERTEX_B, edges->edge_a, edges->edge_b), manifold);
}

void rg_edge_contacts(const rgEdgePair* edges, double angle, double reach, rgManifoldList* out) {
  rgManifold* manifold = rg_manifold_begin(out, edges->normal, 0);
  if (!manifold)
    return;
  double part_a, part_b;
  rgVec3 c = v3_cross(edges->along_a, edges->along_b);
  double sides2 = v3_norm2(edges->along_a) * v3_norm2(edges->along_b);
  if (rg_edge_nearest(edges, &part_a, &part_b))
    add(edges, clamped(part_a), clamped(part_b), reach,
        rg_feature(RG_FEATURE_CROSSING, edges->edge_a, edges->edge_b), manifold);
  if (v3_norm2(c) <= angle * angle * sides2)
    add_stretch(edges, reach, manifold);
  rg_manifold_reduce(manifold);
  if (manifold->count == 0)
    out->count--;
}
