// polyhedron_halfspace.c - contacts of a box or a hull with a half-space.
//
// A half-space is left by a polyhedron exactly when all vertices have left it: each vertex within
// reach is a contact, with the vertex's height as its gap, and no other is needed. Vertices above
// the polygon of others at least as deep add nothing and are dropped. Of more than RG_MANIFOLD_MAX, all corners
// of the face that faces the plane stay, and as many of the others.
#include "collide/convex/sat.h"
#include "collide/pair/pairs.h"
#include "shape/solid/clusters.h"

// Part of the size that is more than rounding of a height.
static const double ROUNDING = 1e-12;

// Contacts held before they are reduced; corners of the face that faces the plane, of which more are thinned
// evenly to these.
enum { BATCH = 64, CORNERS_MAX = 256 };
// Of the extent: a vertex this far behind a face may be one of its corners.
static const double IN_FACE = 1e-9;

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

// A hull over the plane.
typedef struct Hull {
  const rgPolyhedron* p;
  rgPose pose;
  rgMat3 rotation;
  Plane plane;
  double extent, reach;
} Hull;

static bool contact_of(const Hull* hull, int vertex, rgManifoldPoint* out) {
  double gap = hull->plane.height + v3_dot(hull->plane.normal, hull->p->vertices[vertex]);
  rgVec3 x = v3_add(hull->pose.position, m3_apply(&hull->rotation, hull->p->vertices[vertex]));
  *out = vertex_contact(&hull->plane, x, gap, vertex);
  return gap <= hull->reach;
}

// The corners of a face within reach, in their order.
static int face_contacts(const Hull* hull, int face, rgManifoldPoint* points) {
  int begin = hull->p->face_start[face], sides = hull->p->face_start[face + 1] - begin, count = 0;
  int stride = (sides + CORNERS_MAX - 1) / CORNERS_MAX;
  for (int i = 0; i < sides; i += stride)
    count += contact_of(hull, hull->p->face_loop[begin + i], &points[count]);
  return count;
}

static bool is_corner(const Hull* hull, int face, int vertex) {
  const rgPolyhedron* p = hull->p;
  if (v3_dot(p->normals[face], p->vertices[vertex]) < p->offsets[face] - IN_FACE * hull->extent)
    return false;
  for (int i = p->face_start[face]; i < p->face_start[face + 1]; i++)
    if (p->face_loop[i] == vertex)
      return true;
  return false;
}

void rg_pair_hull_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                            double reach, rgPairHint* hint, rgManifoldList* out) {
  (void)b;
  (void)hint;
  Hull hull = {
      a->polyhedron, pose_a, m3_from_quat(pose_a.orientation), plane_in_frame(pose_a, pose_b),
      a->extent,     reach};
  if (hull.plane.height - a->extent > reach)
    return;
  rgManifoldPoint points[CORNERS_MAX + BATCH];
  int count = 0, fixed = 0, face = -1;
  rgSelection low;
  double margin = ROUNDING * (a->extent + fabs(hull.plane.height));
  rgVec3 down = v3_neg(hull.plane.normal), n = hull.plane.world_normal;
  rg_clusters_vertices_above(hull.p, down, hull.plane.height - reach - margin, &low);
  if (low.count > RG_MANIFOLD_MAX) {
    face = rg_sat_face_along(hull.p, down);
    count = fixed = face_contacts(&hull, face, points);
  }
  for (int k = 0; k < low.count; k++) {
    int i = rg_selected(&low, k);
    if (face >= 0 && is_corner(&hull, face, i))
      continue;
    if (count == fixed + BATCH)
      count = rg_manifold_reduce_beyond(n, points, fixed, count, BATCH / 2);
    count += contact_of(&hull, i, &points[count]);
  }
  count = rg_manifold_reduce_beyond(n, points, fixed, count, RG_MANIFOLD_MAX);
  rg_manifold_write(out, n, points, count);
}
