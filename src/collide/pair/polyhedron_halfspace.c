// polyhedron_halfspace.c - contacts of a box or a hull with a half-space.
//
// A half-space is left by a polyhedron exactly when all vertices have left it: each vertex within
// reach is a contact, with the vertex's height as its gap, and no other is needed. Vertices above
// the polygon of others at least as deep add nothing and are dropped.
//
// Hulls of many vertices. When more than RG_MANIFOLD_MAX are within reach, all corners of the face that
// faces the plane stay where it has more than COVER, and of the others some are chosen. In a step the body turns by an angle of about f = reach / extent. While a vertex q does not sink into
// the half-space, another one, p, sinks by at most
//
//     over(p) = gap_q - gap_p + f |p - q|,
//
// the least over all chosen q. First the deepest is chosen, then each time the one of the greatest
// over(p) [the farthest-point rule of Gonzalez 1985], first of those that are flush with the deepest,
// which may be the corners of one face, then of all until there are COVER. On a surface of radius R
// gap_p - gap_q is |p - q|^2 / (2 R), so that no vertex sinks by more than f^2 R / 2 for what is left
// out: the square of the reach, not the reach. What does sink is found at the end of the step.
// Cost O(vertices within reach).
#include "collide/convex/sat.h"
#include "collide/pair/pairs.h"
#include "shape/solid/clusters.h"

// Part of the size that is more than rounding of a height.
static const double ROUNDING = 1e-12;

enum {
  LOWS = 512,       // vertices held before some are chosen
  COVER = 4,        // vertices chosen where the surface is curved: a triangle about the deepest
  CORNERS_MAX = 256 // of the face that faces the plane; more are thinned evenly to these
};
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

// A vertex within reach.
typedef struct Low {
  int vertex;
  double gap;  // [m]
  double over; // [m] see above
} Low;

// The first `chosen` items are those chosen.
typedef struct Lows {
  const rgPolyhedron* p;
  double angle; // [rad]
  double flush; // [m] vertices this much above the deepest are flush with it
  int count, chosen;
  Low items[LOWS];
} Lows;

// Chooses item i. Items that cannot sink are left out.
static void choose(Lows* lows, int i) {
  Low q = lows->items[i];
  lows->items[i] = lows->items[lows->chosen];
  lows->items[lows->chosen++] = q;
  rgVec3 x = lows->p->vertices[q.vertex];
  int kept = lows->chosen;
  for (int k = lows->chosen; k < lows->count; k++) {
    Low low = lows->items[k];
    double arm = v3_norm(v3_sub(lows->p->vertices[low.vertex], x));
    low.over = fmin(low.over, q.gap - low.gap + lows->angle * arm);
    if (low.over > 0)
      lows->items[kept++] = low;
  }
  lows->count = kept;
}

// The item of the greatest over(p) not above `top`, of equals that of the lowest index; or -1.
static int next_low(const Lows* lows, double top) {
  int best = -1;
  for (int k = lows->chosen; k < lows->count; k++) {
    const Low *low = &lows->items[k], *other = best < 0 ? NULL : &lows->items[best];
    if (low->gap <= top && (!other || low->over > other->over ||
                            (low->over == other->over && low->vertex < other->vertex)))
      best = k;
  }
  return best;
}

static int deepest_of(const Lows* lows) {
  int best = 0;
  for (int k = 1; k < lows->count; k++) {
    const Low *low = &lows->items[k], *other = &lows->items[best];
    if (low->gap < other->gap || (low->gap == other->gap && low->vertex < other->vertex))
      best = k;
  }
  return best;
}

static void thin_lows(Lows* lows) {
  for (int k = 0; k < lows->count; k++)
    lows->items[k].over = HUGE_VAL;
  lows->chosen = 0;
  choose(lows, deepest_of(lows));
  double top = lows->items[0].gap + lows->flush;
  for (int i; lows->chosen < RG_MANIFOLD_MAX && (i = next_low(lows, top)) >= 0;)
    choose(lows, i);
  for (int i; lows->chosen < COVER && (i = next_low(lows, HUGE_VAL)) >= 0;)
    choose(lows, i);
  lows->count = lows->chosen;
}

// By rising index.
static void sort_lows(Lows* lows) {
  for (int k = 1; k < lows->count; k++) {
    Low low = lows->items[k];
    int j = k;
    for (; j > 0 && lows->items[j - 1].vertex > low.vertex; j--)
      lows->items[j] = lows->items[j - 1];
    lows->items[j] = low;
  }
}

// True when there are more than a manifold holds, so that some were chosen.
static bool find_lows(const Plane* plane, double extent, double reach, Lows* lows) {
  const rgPolyhedron* p = lows->p;
  rgVec3 down = v3_neg(plane->normal);
  rgSelection selected;
  double margin = ROUNDING * (extent + fabs(plane->height));
  double floor = plane->height - reach - margin;
  bool many = rg_clusters_more_above(p, down, floor, RG_MANIFOLD_MAX);
  if (many) // only those that may sink
    rg_clusters_vertices_about(p, down, floor, rg_clusters_highest(p, down), lows->angle,
                               &selected);
  else
    rg_clusters_vertices_above(p, down, floor, &selected);
  for (int k = 0; k < selected.count; k++) {
    int i = rg_selected(&selected, k);
    double gap = plane->height + v3_dot(plane->normal, p->vertices[i]);
    if (gap > reach)
      continue;
    if (lows->count == LOWS)
      thin_lows(lows);
    lows->items[lows->count++] = (Low){.vertex = i, .gap = gap};
  }
  if (lows->count > (many ? 0 : RG_MANIFOLD_MAX))
    thin_lows(lows);
  sort_lows(lows);
  return many;
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
  Lows lows;
  lows.p = a->polyhedron;
  lows.angle = reach / a->extent;
  lows.flush = out->coarseness;
  lows.count = lows.chosen = 0;
  bool many = find_lows(&hull.plane, a->extent, reach, &lows);
  rgManifoldPoint points[CORNERS_MAX + LOWS];
  int face = many ? rg_sat_face_along(hull.p, v3_neg(hull.plane.normal)) : 0;
  bool wide = many && hull.p->face_start[face + 1] - hull.p->face_start[face] > COVER;
  int fixed = wide ? face_contacts(&hull, face, points) : 0, count = fixed;
  for (int k = 0; k < lows.count; k++)
    if (!wide || !is_corner(&hull, face, lows.items[k].vertex))
      count += contact_of(&hull, lows.items[k].vertex, &points[count]);
  rgVec3 n = hull.plane.world_normal;
  count = rg_manifold_reduce_beyond(n, points, fixed, count, RG_MANIFOLD_MAX);
  rg_manifold_write(out, n, points, count);
}
