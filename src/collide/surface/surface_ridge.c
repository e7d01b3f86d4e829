// surface_ridge.c - contacts on the ridges and corners of a surface.
//
// Normal cones: on a face the surface pushes along its normal; on a convex edge along the arc
// between the two face normals; at a corner along the directions from which it falls away along
// every edge that meets there; on a flat or hollow edge along nothing but the face normals. A
// border edge counts as a ridge whose other face goes straight down.
//
// Contacts: curved bodies try their exact normals to each ridge (`line_normals`) and corner
// (`foot`), within the cone, and keep the one that is least deep. Where a ridge is deeper in a body than half
// of its width there, the nearest way out leads to the far side, which no cone has: then the least deep normal
// of the arc itself is searched for. Bodies with flat or straight sides take the closest points of body and
// triangle from the general algorithm, which is exact for them, and ask whether the cone has their normal;
// where they overlap and it has not, the arc is searched as well.
#include "collide/convex/gjk.h"
#include "collide/surface/surface.h"
#include "shape/smooth/curved.h"
#include "shape/smooth/foot.h"

// A witness point this near to its edge, relative to body and edge, is on it.
static const double ON_EDGE = 1e-9;

// --- Normal cones --------------------------------------------------------------------------------

bool rg_surface_ridge(const rgTriangle* t, int edge) {
  return t->convex_edge[edge] || v3_norm2(t->neighbour_normal[edge]) == 0;
}

static rgVec3 corner_after(const rgTriangle* t, int i) { return t->corner[i == 2 ? 0 : i + 1]; }

// Whether n, which is across the edge, lies between the normals of the two faces there.
static bool in_edge_arc(const rgTriangle* t, int edge, rgVec3 n) {
  if (!rg_surface_ridge(t, edge))
    return false;
  rgVec3 along = v3_sub(corner_after(t, edge), t->corner[edge]);
  rgVec3 outward = v3_cross(along, t->normal), other = t->neighbour_normal[edge];
  double slack = RG_SURFACE_ANGLE * v3_norm(along);
  if (v3_norm2(other) == 0)
    return v3_dot(n, outward) >= -slack && v3_dot(n, t->normal) >= -RG_SURFACE_ANGLE;
  rgVec3 inward = v3_cross(along, other); // from the edge into the neighbour, across its normal
  return v3_dot(n, outward) >= -slack && v3_dot(n, inward) <= slack;
}

typedef struct Corner {
  const rgShape* surface;
  rgVec3 point, n;
  bool allowed, ridge;
} Corner;

static void check_corner(void* context, int index) {
  Corner* c = context;
  rgTriangle t;
  rg_shape_triangle(c->surface, index, &t);
  for (int i = 0; i < 3; i++) {
    if (v3_norm2(v3_sub(t.corner[i], c->point)) != 0)
      continue;
    int before = i == 0 ? 2 : i - 1;
    rgVec3 next = v3_sub(corner_after(&t, i), c->point), last = v3_sub(t.corner[before], c->point);
    bool falls = v3_dot(next, c->n) <= RG_SURFACE_ANGLE * v3_norm(next) &&
                 v3_dot(last, c->n) <= RG_SURFACE_ANGLE * v3_norm(last);
    c->allowed = c->allowed && falls;
    c->ridge = c->ridge || rg_surface_ridge(&t, i) || rg_surface_ridge(&t, before);
  }
}

// Whether the surface falls away from n along every edge that meets at the corner.
static bool in_corner_cone(const rgShape* surface, rgVec3 point, rgVec3 n) {
  Corner corner = {surface, point, n, true, false};
  rg_shape_triangles(surface, (rgBounds){point, point}, check_corner, &corner);
  return corner.allowed && corner.ridge;
}

bool rg_surface_allows(const rgShape* surface, const rgTriangle* t, rgVec3 point, rgVec3 n) {
  if (v3_dot(n, t->normal) >= 1 - 0.5 * RG_SURFACE_ANGLE * RG_SURFACE_ANGLE)
    return true;
  double width = fmax(v3_norm(v3_sub(t->corner[1], t->corner[0])),
                      v3_norm(v3_sub(t->corner[2], t->corner[0])));
  double near = RG_SURFACE_NEAR * width;
  for (int i = 0; i < 3; i++)
    if (v3_norm2(v3_sub(point, t->corner[i])) <= near * near) {
      // A real corner has ridges: of the triangles there, those with one speak for it.
      bool ridge = rg_surface_ridge(t, i) || rg_surface_ridge(t, i == 0 ? 2 : i - 1);
      return ridge && in_corner_cone(surface, t->corner[i], n);
    }
  for (int i = 0; i < 3; i++) {
    rgVec3 along = v3_sub(corner_after(t, i), t->corner[i]);
    rgVec3 offset = v3_cross(v3_sub(point, t->corner[i]), along);
    if (v3_norm2(offset) <= near * near * v3_norm2(along) && in_edge_arc(t, i, n))
      return true;
  }
  return false;
}

// --- Smooth bodies -------------------------------------------------------------------------------

typedef struct Ridge {
  const rgSurfaceJob* job;
  const rgTriangle* triangle;
  rgRidgeContacts* out;
} Ridge;

static rgVec3 support(const rgSurfaceJob* job, rgVec3 d) {
  rgVec3 own = quat_unrotate(job->pose.orientation, d);
  return pose_apply(job->pose, rg_shape_info(job->shape->kind)->support(job->shape, own));
}

static rgFoot foot_on_body(const rgSurfaceJob* job, rgVec3 x) {
  return rg_shape_info(job->shape->kind)->foot(job->shape, pose_unapply(job->pose, x), HUGE_VAL);
}

// Point x of an edge and its foot on the body, when they are `gap` apart along n.
static bool foot_witness(const rgSurfaceJob* job, rgVec3 x, rgVec3 n, double gap, double slack,
                         rgManifoldPoint* out) {
  rgFoot foot = foot_on_body(job, x);
  *out = (rgManifoldPoint){pose_apply(job->pose, foot.point), x, gap, 0};
  return v3_norm(v3_axpy(v3_sub(out->point_a, x), -gap, n)) <= slack;
}

// The one pair of points of body and edge that are `gap` apart along n: at the lowest point of the
// body; or, where a cap or a side is level and that point is not the only one, at the point of the
// edge nearest to its middle; or, where the body is so flat that its lowest point moves far for the
// least turn of n, at the point of the edge nearest to it.
static bool witness(const rgSurfaceJob* job, rgVec3 n, rgVec3 low, double gap, rgVec3 p, rgVec3 q,
                    rgManifoldPoint* out) {
  double s, slack = ON_EDGE * (job->shape->extent + v3_norm(v3_sub(q, p)));
  rgVec3 below = v3_axpy(low, -gap, n), nearest = rg_foot_on_segment(p, q, below, &s);
  *out = (rgManifoldPoint){low, below, gap, 0};
  if (v3_norm(v3_sub(below, nearest)) <= slack)
    return true;
  rgVec3 middle = rg_foot_on_segment(p, q, job->pose.position, &s);
  return foot_witness(job, middle, n, gap, slack, out) ||
         foot_witness(job, nearest, n, gap, slack, out);
}

// Whether contacts along n at p would be in reach and less deep than those there are; *low is the
// lowest point of the body along n.
static bool promising(const Ridge* ridge, rgVec3 n, rgVec3 p, rgVec3* low) {
  const rgSurfaceJob* job = ridge->job;
  *low = support(job, v3_neg(n));
  double gap = v3_dot(n, v3_sub(*low, p));
  // As for faces: what is farther behind is on the far side.
  bool behind = v3_dot(n, v3_sub(job->center, p)) < -job->shape->size;
  return gap <= job->reach && !behind && (ridge->out->count == 0 || gap > ridge->out->gap);
}

// Takes the contacts along n between the body and the edge from p to q (a corner when they are
// equal), if they really touch there.
static void take(Ridge* ridge, rgVec3 n, rgVec3 low, rgVec3 p, rgVec3 q) {
  const rgSurfaceJob* job = ridge->job;
  double gap = v3_dot(n, v3_sub(low, p));
  rgManifoldPoint points[RG_CONTACTS_MAX + 1];
  rgFeature facing, triangle;
  rg_shape_feature(job->shape, job->pose, v3_neg(n), &facing);
  rg_feature_of_polygon(ridge->triangle->corner, 3, ridge->triangle->normal, n, &triangle);
  int count = rg_feature_contacts(&facing, &triangle, n, job->reach, points);
  double slack = RG_SURFACE_CERTAIN * job->shape->extent;
  if (!(rg_surface_deepest(points, count) <= gap + slack)) {
    if (!witness(job, n, low, gap, p, q, &points[count]))
      return;
    count++;
  }
  ridge->out->normal = n;
  ridge->out->gap = gap;
  ridge->out->count = count;
  for (int i = 0; i < count; i++)
    ridge->out->points[i] = points[i];
}

static void try_edge(Ridge* ridge, int edge, rgVec3 n) {
  const rgTriangle* t = ridge->triangle;
  rgVec3 low;
  if (v3_norm2(n) > 0 && in_edge_arc(t, edge, n) && promising(ridge, n, t->corner[edge], &low))
    take(ridge, n, low, t->corner[edge], corner_after(t, edge));
}

// An edge, and the sense in which its arc is run through.
typedef struct Arc {
  const rgSurfaceJob* job;
  rgVec3 point, about; // `about` along the edge, so that normals go from one face to the other
} Arc;

// Derivative of the gap at n as n turns.
static double arc_slope(const void* context, rgVec3 n) {
  const Arc* arc = context;
  return v3_dot(v3_cross(arc->about, n), v3_sub(support(arc->job, v3_neg(n)), arc->point));
}

// The normal inside the arc of an edge along which the body is least deep, if there is one.
static void try_arc(Ridge* ridge, int edge, rgVec3 direction) {
  const rgTriangle* t = ridge->triangle;
  rgVec3 outward = v3_cross(direction, t->normal), other = t->neighbour_normal[edge];
  if (v3_norm2(other) == 0)
    other = outward;
  double sense = v3_dot(v3_cross(direction, t->normal), other) > 0 ? 1 : -1;
  Arc arc = {ridge->job, t->corner[edge], v3_scale(direction, sense)};
  double first = arc_slope(&arc, t->normal), last = arc_slope(&arc, other);
  if (first > 0 && last < 0)
    try_edge(ridge, edge, rg_curved_arc_root(arc_slope, &arc, t->normal, first, other, last));
}

static rgVec3 edge_direction(const rgTriangle* t, int edge) {
  return v3_unit_or(v3_sub(corner_after(t, edge), t->corner[edge]), v3(0, 0, 1));
}

static void smooth_edge(Ridge* ridge, int edge) {
  const rgSurfaceJob* job = ridge->job;
  int before = ridge->out->count;
  const rgShapeInfo* info = rg_shape_info(job->shape->kind);
  rgVec3 p = ridge->triangle->corner[edge];
  rgVec3 direction = edge_direction(ridge->triangle, edge);
  rgLineNormals found;
  info->line_normals(job->shape, job->pose, p, direction, &found);
  for (int i = 0; i < found.both_count; i++) {
    rgVec3 n = v3_unit_or(found.normals[i], v3_zero());
    try_edge(ridge, edge, n);
    try_edge(ridge, edge, v3_neg(n));
  }
  for (int i = found.both_count; i < found.count; i++)
    try_edge(ridge, edge, v3_neg(found.normals[i]));
  rgVec3 axis = quat_rotate(job->pose.orientation, info->flat_axis); // a flat end across the edge
  try_edge(ridge, edge, v3_neg(axis));
  try_edge(ridge, edge, axis);
  if (before == 0 && ridge->out->count == 0)
    try_arc(ridge, edge, direction);
}

static void smooth_corner(Ridge* ridge, rgVec3 corner) {
  const rgSurfaceJob* job = ridge->job;
  rgVec3 n = v3_neg(quat_rotate(job->pose.orientation, foot_on_body(job, corner).normal)), low;
  if (promising(ridge, n, corner, &low) && in_corner_cone(job->surface, corner, n))
    take(ridge, n, low, corner, corner);
}

// --- Straight bodies -----------------------------------------------------------------------------

// False when the closest points say nothing: the nearest way out of an overlap leads along the triangle or
// behind it.
static bool straight_contacts(Ridge* ridge) {
  const rgSurfaceJob* job = ridge->job;
  const rgTriangle* t = ridge->triangle;
  rgRidgeContacts* out = ridge->out;
  rgConvexPoints set = {t->corner, 3};
  rgConvex a = rg_convex_of_shape(job->shape, job->pose), b = rg_convex_of_points(&set, 0);
  rgDistance found;
  if (!rg_convex_distance(&a, &b, job->reach, t->normal, &found) || !(found.distance <= job->reach))
    return true;
  if (!rg_surface_allows(job->surface, t, found.point_b, found.normal))
    return found.distance > 0;
  out->normal = found.normal;
  out->gap = found.distance;
  rgFeature facing, triangle;
  rg_shape_feature(job->shape, job->pose, v3_neg(out->normal), &facing);
  rg_feature_of_polygon(t->corner, 3, t->normal, out->normal, &triangle);
  out->count = rg_feature_contacts(&facing, &triangle, out->normal, job->reach, out->points);
  if (!(rg_surface_deepest(out->points, out->count) <=
        out->gap + RG_SURFACE_CERTAIN * job->shape->extent))
    out->points[out->count++] = (rgManifoldPoint){found.point_a, found.point_b, out->gap, 0};
  return true;
}

static bool edge_near(const rgSurfaceJob* job, rgVec3 p, rgVec3 q) {
  return bounds_overlap((rgBounds){v3_min(p, q), v3_max(p, q)}, job->near);
}

void rg_surface_ridge_contacts(const rgSurfaceJob* job, const rgTriangle* t, rgRidgeContacts* out) {
  out->count = 0;
  Ridge ridge = {job, t, out};
  bool near[3], any = false;
  for (int i = 0; i < 3; i++) {
    near[i] = rg_surface_ridge(t, i) && edge_near(job, t->corner[i], corner_after(t, i));
    any = any || near[i];
  }
  if (!any)
    return;
  if (!rg_shape_info(job->shape->kind)->line_normals) {
    bool known = straight_contacts(&ridge);
    for (int i = 0; i < 3 && !known; i++)
      if (near[i])
        try_arc(&ridge, i, edge_direction(t, i));
    return;
  }
  for (int i = 0; i < 3; i++) {
    if (near[i])
      smooth_edge(&ridge, i);
    if (near[i] || near[i == 0 ? 2 : i - 1])
      smooth_corner(&ridge, t->corner[i]);
  }
}
