// convex_pairs.c - contacts of any two convex shapes of finite size, by their properties alone.
//
// For pairs without a function of their own. The normals of flat faces come first; then GJK and EPA
// find the common normal and the closest points (gjk.h), exact for polytopes and to some 1e-8 of
// the size for smooth shapes; then the normals that the shapes know exactly are tried near what was
// found (axis.h says why any number of candidates may be):
//   smooth, smooth       Newton's method (axis_smooth.h), where both have `value`
//   curved, polyhedron   the edges and corners near the witness points (axis_edge.h)
//   curved, sphere       the foot of its centre
//   curved, capsule      its axis as an edge, the ends of the axis as corners
//   curved, rim          the axis as an edge for the side, and the rim (axis_smooth.h)
//   any, any             Newton's method on the conditions of closest points (axis_pieces.h), where the
//                        best of all these is not seen to meet them
// where "curved" is a shape with `line_normals` and `foot`. The features of both shapes that face
// along the normal give the manifold, so that flat parts rest on all their corners.
#include "collide/convex/axis_edge.h"
#include "collide/convex/axis_pieces.h"
#include "collide/convex/axis_smooth.h"

// Of the size of the pair: rounding of h.
static const double ROUNDING = 4e-16;

static void try_axis(rgAxisSearch* s, bool curved_is_a, double half_length) {
  rgPose pose = curved_is_a ? s->pose_b : s->pose_a;
  rgVec3 u = quat_rotate(pose.orientation, v3(0, 0, 1)), end = v3_scale(u, half_length);
  rg_axis_try_edge(s, curved_is_a, pose.position, u);
  if (half_length > 0) {
    rg_axis_try_corner(s, curved_is_a, v3_sub(pose.position, end));
    rg_axis_try_corner(s, curved_is_a, v3_add(pose.position, end));
  }
}

// The exact normals between a curved shape and the parts of the other.
static void refine_curved(rgAxisSearch* s, bool curved_is_a, const rgDistance* found) {
  const rgShape* other = curved_is_a ? s->b : s->a;
  const rgShapeInfo* info = rg_shape_info(other->kind);
  if (other->polyhedron) {
    rg_axis_try_polyhedron(s, curved_is_a, found);
  } else if (info->core == RG_CORE_POINT) {
    rg_axis_try_corner(s, curved_is_a, (curved_is_a ? s->pose_b : s->pose_a).position);
  } else if (info->core == RG_CORE_AXIS) {
    try_axis(s, curved_is_a, other->half_length);
  } else if (info->rim) {
    try_axis(s, curved_is_a, 0);
    rg_axis_try_rim(s, curved_is_a, found);
  }
}

void rg_pair_convex_refine(rgAxisSearch* s, const rgDistance* found) {
  const rgShapeInfo *a = rg_shape_info(s->a->kind), *b = rg_shape_info(s->b->kind);
  s->slack = ROUNDING * (s->a->extent + s->b->extent);
  if (a->value && b->value && a->core == RG_CORE_NONE && b->core == RG_CORE_NONE)
    rg_axis_try_smooth(s, found);
  if (a->line_normals && a->foot)
    refine_curved(s, true, found);
  if (b->line_normals && b->foot)
    refine_curved(s, false, found);
  if (!rg_axis_is_solved(s)) {
    rgDistance solved = *found;
    rg_axis_try_pieces(s, &solved);
  }
}

void rg_pair_convex_convex(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, rg_pair_convex_refine, hint, out);
}
