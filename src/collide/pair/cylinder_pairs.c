// cylinder_pairs.c - a cylinder against capsules, cylinders and polyhedra.
//
// Candidates for the common normal (axis.h), with u the axis of the cylinder:
//   cap on anything            u
//   side on side, side on edge across both axes
//   anything on a face         the face normal
//   rim on an edge or side     the shadow of the rim along it (axis_edge.h)
//   rim or side on a corner    the foot of the corner
//   rim on rim                 Newton's method from the general distance algorithm
// Manifold: side along a face or a side gives the two ends of the line, a cap on a face or a cap
// the corners of the common polygon; the rim is stood in for by an octagon fixed in the body and
// the extreme point (rim.h), which falls short of the circle by up to 7.6 % of the radius between
// corners. A rim on anything else is one point.
#include "collide/contact.h"
#include "collide/convex/axis_edge.h"

static rgVec3 axis_of(rgPose pose) { return quat_rotate(pose.orientation, v3(0, 0, 1)); }

// Axes of two straight shapes: across both, and across the first towards the second where they run
// alongside.
static void try_sides(rgAxisSearch* s) {
  rgVec3 u = axis_of(s->pose_a), v = axis_of(s->pose_b),
         d = v3_sub(s->pose_a.position, s->pose_b.position);
  rg_axis_try_line(s, v3_cross(u, v));
  rgVec3 offset = v3_axpy(d, -v3_dot(d, v), v);
  rg_axis_try(s, v3_unit_or(offset, v3_zero()));
}

// --- Polyhedra -----------------------------------------------------------------------------------

static void refine_box_cylinder(rgAxisSearch* s, const rgDistance* found) {
  rg_axis_try_polyhedron(s, false, found);
}

static void refine_cylinder_hull(rgAxisSearch* s, const rgDistance* found) {
  rg_axis_try_polyhedron(s, true, found);
}

void rg_pair_box_cylinder(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, refine_box_cylinder, hint, out);
}

void rg_pair_cylinder_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_pair(&search, reach, refine_cylinder_hull, hint, out);
}

// --- Capsule -------------------------------------------------------------------------------------

static void refine_capsule_cylinder(rgAxisSearch* s, const rgDistance* found) {
  (void)found;
  rgVec3 u = axis_of(s->pose_a), end = v3_scale(u, s->a->half_length);
  rg_axis_try_edge(s, false, s->pose_a.position, u);
  rg_axis_try_corner(s, false, v3_sub(s->pose_a.position, end));
  rg_axis_try_corner(s, false, v3_add(s->pose_a.position, end));
}

void rg_pair_capsule_cylinder(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  try_sides(&search);
  rg_axis_pair(&search, reach, refine_capsule_cylinder, hint, out);
}

// --- Cylinder ------------------------------------------------------------------------------------

static void refine_cylinder_cylinder(rgAxisSearch* s, const rgDistance* found) {
  rg_axis_try_edge(s, true, s->pose_b.position, axis_of(s->pose_b));
  rg_axis_try_edge(s, false, s->pose_a.position, axis_of(s->pose_a));
  rg_axis_try_rims(s, found);
}

void rg_pair_cylinder_cylinder(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                               double reach, rgPairHint* hint, rgManifoldList* out) {
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  try_sides(&search);
  rg_axis_pair(&search, reach, refine_cylinder_cylinder, hint, out);
}
