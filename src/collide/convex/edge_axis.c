// edge_axis.c - exact normals between a smooth shape and the edges and corners of another.
//
// Between a line and an ellipsoid, or a line and the rim of a cylinder (a flat ellipsoid), the
// normal is across the line and comes from the shadow of the ellipsoid along it (quadric.h).
// Between a line and the side of a cylinder it is across both axes. Between a corner and either it
// is the normal at the foot of the corner (foot.h). Between two rims, or a rim and an ellipsoid,
// Newton's method on the sphere has no closed form to stand in for it.
#include "collide/convex/edge_axis.h"

#include "collide/convex/foot.h"
#include "collide/convex/quadric.h"

// Edges and corners are tried when they are this near to the witness point, as part of the shape's
// extent: several digits more than the general distance algorithm is off by.
static const double NEAR = 1e-2;

static rgVec3 axis_of(rgPose pose) { return quat_rotate(pose.orientation, v3(0, 0, 1)); }

// The rim of the cylinder at its upper (+1) or lower (-1) end.
static rgQuadric rim_of(const rgShape* cylinder, rgPose pose, double end) {
  rgPose cap = {v3_axpy(pose.position, end * cylinder->half_length, axis_of(pose)),
                pose.orientation};
  return rg_quadric(v3(cylinder->radius, cylinder->radius, 0), cap);
}

// Normals of the search run from B to A, those below from the smooth shape to the other.
static void try_from_smooth(rgAxisSearch* search, bool smooth_is_a, rgVec3 n) {
  rg_axis_try(search, smooth_is_a ? v3_neg(n) : n);
}

void rg_axis_try_edge(rgAxisSearch* s, bool smooth_is_a, rgVec3 x, rgVec3 direction) {
  const rgShape* smooth = smooth_is_a ? s->a : s->b;
  rgPose pose = smooth_is_a ? s->pose_a : s->pose_b;
  if (smooth->kind == RG_SHAPE_ELLIPSOID) {
    rgQuadric q = rg_quadric(smooth->half, pose);
    try_from_smooth(s, smooth_is_a, rg_quadric_line_normal(&q, x, direction));
    return;
  }
  rg_axis_try_line(s, v3_cross(axis_of(pose), direction));
  for (int end = -1; end <= 1; end += 2) {
    rgQuadric rim = rim_of(smooth, pose, end);
    try_from_smooth(s, smooth_is_a, rg_quadric_line_normal(&rim, x, direction));
  }
}

void rg_axis_try_corner(rgAxisSearch* s, bool smooth_is_a, rgVec3 x) {
  const rgShape* smooth = smooth_is_a ? s->a : s->b;
  rgPose pose = smooth_is_a ? s->pose_a : s->pose_b;
  rgVec3 local = pose_unapply(pose, x);
  rgFoot foot = smooth->kind == RG_SHAPE_ELLIPSOID
                    ? rg_foot_ellipsoid(smooth->half, local)
                    : rg_foot_cylinder(smooth->radius, smooth->half_length, local);
  try_from_smooth(s, smooth_is_a, quat_rotate(pose.orientation, foot.normal));
}

void rg_axis_try_polyhedron(rgAxisSearch* s, bool smooth_is_a, const rgDistance* found) {
  const rgShape* shape = smooth_is_a ? s->b : s->a;
  rgPose pose = smooth_is_a ? s->pose_b : s->pose_a;
  const rgPolyhedron* h = shape->polyhedron;
  rgVec3 x = pose_unapply(pose, smooth_is_a ? found->point_b : found->point_a);
  double limit2 = s->located ? NEAR * NEAR * shape->extent * shape->extent : HUGE_VAL;
  for (int e = 0; e < h->edge_count; e++) {
    rgVec3 p = h->vertices[h->edges[e][0]], q = h->vertices[h->edges[e][1]];
    double where;
    if (v3_norm2(v3_sub(x, rg_nearest_on_segment(p, q, x, &where))) > limit2)
      continue;
    rgVec3 direction = v3_unit_or(v3_sub(q, p), v3(0, 0, 1));
    rg_axis_try_edge(s, smooth_is_a, pose_apply(pose, p), quat_rotate(pose.orientation, direction));
  }
  for (int v = 0; v < h->vertex_count; v++)
    if (v3_norm2(v3_sub(x, h->vertices[v])) <= limit2)
      rg_axis_try_corner(s, smooth_is_a, pose_apply(pose, h->vertices[v]));
}

// The ellipsoid, or the rim of the cylinder that is extreme along d.
static rgQuadric extreme_quadric(const rgShape* shape, rgPose pose, rgVec3 d) {
  if (shape->kind == RG_SHAPE_ELLIPSOID)
    return rg_quadric(shape->half, pose);
  return rim_of(shape, pose, v3_dot(axis_of(pose), d) < 0 ? -1 : 1);
}

void rg_axis_try_rims(rgAxisSearch* s, const rgDistance* found) {
  rgVec3 n = found->normal;
  rgQuadric a = extreme_quadric(s->a, s->pose_a, v3_neg(n)),
            b = extreme_quadric(s->b, s->pose_b, n);
  rg_quadric_climb(&a, &b, &n);
  rg_axis_try(s, n);
}
