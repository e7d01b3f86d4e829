// axis_edge.c - exact normals between a smooth shape and the edges and corners of another.
//
// Between a line and a curved surface the normal is across the line; the shape knows the candidates
// (`line_normals` of rgShapeInfo). Between a corner and the surface it is the normal at the foot of
// the corner. Between two rims, or a rim and an ellipsoid, Newton's method on the sphere has no
// closed form to stand in for it.
#include "collide/convex/axis_edge.h"

#include "shape/smooth/foot.h"
#include "shape/smooth/quadric.h"

// Edges and corners are tried when they are this near to the witness point, as part of the shape's
// extent: several digits more than the general distance algorithm is off by.
static const double NEAR = 1e-2;

static rgVec3 axis_of(rgPose pose) { return quat_rotate(pose.orientation, v3(0, 0, 1)); }

// Normals of the search run from B to A, those below from the smooth shape to the other.
static void try_from_smooth(rgAxisSearch* search, bool smooth_is_a, rgVec3 n) {
  rg_axis_try(search, smooth_is_a ? v3_neg(n) : n);
}

void rg_axis_try_edge(rgAxisSearch* s, bool smooth_is_a, rgVec3 x, rgVec3 direction) {
  const rgShape* smooth = smooth_is_a ? s->a : s->b;
  rgLineNormals found;
  rg_shape_info(smooth->kind)
      ->line_normals(smooth, smooth_is_a ? s->pose_a : s->pose_b, x, direction, &found);
  for (int i = 0; i < found.both_count; i++)
    rg_axis_try_line(s, found.normals[i]);
  for (int i = found.both_count; i < found.count; i++)
    try_from_smooth(s, smooth_is_a, found.normals[i]);
}

void rg_axis_try_corner(rgAxisSearch* s, bool smooth_is_a, rgVec3 x) {
  const rgShape* smooth = smooth_is_a ? s->a : s->b;
  rgPose pose = smooth_is_a ? s->pose_a : s->pose_b;
  rgFoot foot = rg_shape_info(smooth->kind)->foot(smooth, pose_unapply(pose, x), HUGE_VAL);
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
    if (v3_norm2(v3_sub(x, rg_foot_on_segment(p, q, x, &where))) > limit2)
      continue;
    rgVec3 direction = v3_unit_or(v3_sub(q, p), v3(0, 0, 1));
    rg_axis_try_edge(s, smooth_is_a, pose_apply(pose, p), quat_rotate(pose.orientation, direction));
  }
  for (int v = 0; v < h->vertex_count; v++)
    if (v3_norm2(v3_sub(x, h->vertices[v])) <= limit2)
      rg_axis_try_corner(s, smooth_is_a, pose_apply(pose, h->vertices[v]));
}

// The rim that is extreme along d; of a shape without rims, the ellipsoid that it is.
static rgQuadric extreme_quadric(const rgShape* shape, rgPose pose, rgVec3 d) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (!info->rim)
    return rg_quadric(shape->half, pose);
  rgVec3 axis = axis_of(pose);
  rgRim rim = info->rim(shape, v3(0, 0, v3_dot(axis, d)));
  rgPose cap = {v3_axpy(pose.position, rim.height, axis), pose.orientation};
  return rg_quadric(v3(rim.radius, rim.radius, 0), cap);
}

void rg_axis_try_rims(rgAxisSearch* s, const rgDistance* found) {
  rgVec3 n = found->normal;
  rgQuadric a = extreme_quadric(s->a, s->pose_a, v3_neg(n)),
            b = extreme_quadric(s->b, s->pose_b, n);
  rg_quadric_climb(&a, &b, &n);
  rg_axis_try(s, n);
}
