// polyhedron_halfspace.c - contacts of a box or a hull with a half-space.
//
// A half-space is left by a polyhedron exactly when all vertices have left it: each vertex within
// reach is a contact, with the vertex's height as its gap, and no other is needed. Vertices above
// the polygon of others at least as deep add nothing and are dropped.
#include "collide/pair/pairs.h"
#include "shape/solid/clusters.h"

// Part of the size that is more than rounding of a height.
static const double ROUNDING = 1e-12;

enum { BATCH = 64 }; // contacts held before they are reduced

// Plane of the half-space in the frame of the other shape.
typedef struct Plane {
  rgVec3 world_normal, normal;
  double height; // [m] of the origin of the shape's frame above the plane
} Plane;

static Plane plane_in_frame(rgPose shape, rgPose halfspace) {
  Plane plane;
  plane.world_normal = quat_rotate(halfspace.orientation, v3(0, 0, 1));
  plane.normal = quat_unrotate(shape.orientation, plane.world_normal);
  plane.height = v3_dot(plane.world_normal, v3_sub(shape.position, halfspace.position));
  return plane;
}

static rgManifoldPoint vertex_contact(const Plane* plane, rgVec3 point, double gap, int vertex) {
  return (rgManifoldPoint){point, v3_axpy(point, -gap, plane->world_normal), gap, (uint32_t)vertex};
}

void rg_pair_box_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                           double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b;
  (void)hint;
  Plane plane = plane_in_frame(pose_a, pose_b);
  rgVec3 rise = v3_mul(plane.normal, a->half), up = v3_abs(rise);
  if (plane.height - (up.x + up.y + up.z) > reach)
    return;
  rgManifold* manifold = rg_manifold_begin(out, plane.world_normal, 0);
  if (!manifold)
    return;
  rgMat3 rotation = m3_from_quat(pose_a.orientation);
  rgVec3 x = v3_scale(m3_column(&rotation, 0), a->half.x);
  rgVec3 y = v3_scale(m3_column(&rotation, 1), a->half.y);
  rgVec3 z = v3_scale(m3_column(&rotation, 2), a->half.z);
  static const int order[8] = {0, 1, 3, 2, 6, 7, 5, 4}; // goes around every face
  for (int k = 0; k < 8; k++) {
    int i = order[k];
    double s_x = i & 1 ? 1 : -1, s_y = i & 2 ? 1 : -1, s_z = i & 4 ? 1 : -1;
    double gap = plane.height + (s_x * rise.x + s_y * rise.y + s_z * rise.z);
    if (gap > reach)
      continue;
    rgVec3 point = v3_axpy(v3_axpy(v3_axpy(pose_a.position, s_x, x), s_y, y), s_z, z);
    manifold->points[manifold->count++] = vertex_contact(&plane, point, gap, i);
  }
  rg_manifold_reduce(manifold);
  if (manifold->count ==
      0) // the sums of the test above and of the vertices may differ in their last bits
    out->count--;
}

void rg_pair_hull_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                            double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b;
  (void)hint;
  Plane plane = plane_in_frame(pose_a, pose_b);
  if (plane.height - a->extent > reach)
    return;
  rgMat3 rotation = m3_from_quat(pose_a.orientation);
  const rgPolyhedron* p = a->polyhedron;
  rgManifoldPoint points[BATCH];
  int count = 0;
  rgSelection low;
  double margin = ROUNDING * (a->extent + fabs(plane.height));
  rg_clusters_vertices_above(p, v3_neg(plane.normal), plane.height - reach - margin, &low);
  for (int k = 0; k < low.count; k++) {
    int i = rg_selected(&low, k);
    double gap = plane.height + v3_dot(plane.normal, p->vertices[i]);
    if (gap > reach)
      continue;
    if (count == BATCH)
      count = rg_manifold_reduce_points(plane.world_normal, points, count, BATCH / 2);
    rgVec3 point = v3_add(pose_a.position, m3_apply(&rotation, p->vertices[i]));
    points[count++] = vertex_contact(&plane, point, gap, i);
  }
  if (count == 0)
    return;
  rgManifold* manifold = rg_manifold_begin(out, plane.world_normal, 0);
  if (!manifold)
    return;
  manifold->count = rg_manifold_reduce_points(plane.world_normal, points, count, RG_MANIFOLD_MAX);
  for (int i = 0; i < manifold->count; i++)
    manifold->points[i] = points[i];
}
