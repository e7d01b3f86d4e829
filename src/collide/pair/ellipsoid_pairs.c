// ellipsoid_pairs.c - an ellipsoid against each convex shape but the sphere and the half-space.
//
// An ellipsoid touches in one point, so only the common normal n is to be found; the contact is the
// support point along n. With another ellipsoid: Newton's method on the sphere (quadric.h). With a
// capsule: the largest h of three normals, each exact: the feet of the two ends of the axis, and
// the line normal of the axis. With polyhedra and cylinders: faces, caps and sides directly, edges,
// corners and rims refined from the general distance algorithm.
#include "collide/contact.h"
#include "collide/convex/axis_edge.h"
#include "shape/smooth/foot.h"
#include "shape/smooth/quadric.h"

static rgVec3 axis_of(rgPose pose) { return quat_rotate(pose.orientation, v3(0, 0, 1)); }

void rg_pair_ellipsoid_ellipsoid(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                 double reach, rgPairHint* hint, rgManifoldList* out) {
  double most = a->extent + b->extent + reach;
  if (v3_norm2(v3_sub(pose_a.position, pose_b.position)) > most * most)
    return;
  rgQuadric qa = rg_quadric(a->half, pose_a), qb = rg_quadric(b->half, pose_b);
  rgVec3 n;
  rg_quadric_common_normal(&qa, &qb, hint->axis, &n);
  hint->axis = n;
  rgVec3 on_a = rg_quadric_support(&qa, v3_neg(n)), on_b = rg_quadric_support(&qb, n);
  rg_emit_point(out, n, on_a, on_b, v3_dot(n, v3_sub(on_a, on_b)), reach, 0);
}

// --- Capsule -------------------------------------------------------------------------------------

// The three normals are complete only while the axis is outside; deeper, the general algorithm may
// know better.
void rg_pair_capsule_ellipsoid(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                               double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rgVec3 u = axis_of(pose_a), end = v3_scale(u, a->half_length);
  rg_axis_try_edge(&search, false, pose_a.position, u);
  rg_axis_try_corner(&search, false, v3_sub(pose_a.position, end));
  rg_axis_try_corner(&search, false, v3_add(pose_a.position, end));
  if (search.gap < -a->radius) {
    rg_axis_pair(&search, reach, NULL, hint, out);
    return;
  }
  rgVec3 n = search.normal;
  rgQuadric q = rg_quadric(b->half, pose_b);
  rgVec3 on_b = rg_quadric_support(&q, n);
  rg_emit_point(out, n, v3_axpy(on_b, search.gap, n), on_b, search.gap, reach, 0);
}

// --- Polyhedra and cylinder ----------------------------------------------------------------------

static void refine_box_ellipsoid(rgAxisSearch* s, const rgDistance* found) {
  rg_axis_try_polyhedron(s, false, found);
}

static void refine_ellipsoid_hull(rgAxisSearch* s, const rgDistance* found) {
  rg_axis_try_polyhedron(s, true, found);
}

void rg_pair_box_ellipsoid(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, refine_box_ellipsoid, hint, out);
}

void rg_pair_ellipsoid_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                            double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, refine_ellipsoid_hull, hint, out);
}

void rg_pair_cylinder_ellipsoid(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_try_edge(&search, false, pose_a.position, axis_of(pose_a)); // the side
  rg_axis_pair(&search, reach, rg_axis_try_rims, hint, out);
}
