// distance.c - distance and closest points of two shapes.
//
// Contacts (matrix.c) are made for the step: they are limited by the reach, take whole faces for nearly
// parallel ones and leave out what slides past. A query wants the two closest points alone, at any
// distance. It takes what the shapes answer, in this order:
//
//   ball, convex           the foot of its centre: exact, inside as well
//   convex, convex         GJK and EPA (gjk.h), then the exact normals near what they found (axis.h): the
//                          lower bound h of the distance along any normal makes every candidate safe; where
//                          none is seen to be a common normal, the equations of closest points
//                          (axis_pieces.h)
//   convex, half-space     the point farthest along the normal
//   convex, triangles      the least over the triangles, each by GJK. Where the shape crosses a triangle,
//                          it has to leave on the outer side: the depth is that of EPA if its normal
//                          is one of the surface there, otherwise that below the plane
//   convex, wall           the deepest contact (wall.c), which knows the wall from its free side
//   flat, flat             GJK on the cores; cores that overlap by the normals of their sides, since
//                          the difference of two polygons has no others
//
// Triangles are looked up in a box that is doubled until the least distance is inside it.
//
// Cost: some 10 support evaluations for convex shapes; linear in the triangles within twice the distance.
#include "collide/distance.h"

#include "collide/collide.h"
#include "collide/convex/axis_pieces.h"
#include "shape/solid/outline.h"

// --- Convex solids -------------------------------------------------------------------------------

static rgVec3 support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return pose_apply(pose,
                    rg_shape_info(shape->kind)->support(shape, quat_unrotate(pose.orientation, d)));
}

static bool is_single(const rgShape* shape, rgPose pose, rgVec3 d) {
  return rg_shape_info(shape->kind)->single(shape, quat_unrotate(pose.orientation, d));
}

// The same seen from the other shape.
static rgDistance turned(rgDistance d) {
  return (rgDistance){d.distance, v3_neg(d.normal), d.point_b, d.point_a, d.iterations};
}

// A ball A against a convex B.
static rgDistance ball_convex(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b) {
  rgVec3 center = pose_unapply(pose_b, pose_a.position);
  rgFoot foot = rg_shape_info(b->kind)->foot(b, center, HUGE_VAL);
  rgVec3 n = quat_rotate(pose_b.orientation, foot.normal);
  return (rgDistance){foot.distance - a->radius, n, v3_axpy(pose_a.position, -a->radius, n),
                      pose_apply(pose_b, foot.point), 1};
}

// Puts the closest points where they are along the best normal: where one point alone faces along it,
// that point.
static void locate(const rgAxisSearch* s, rgDistance* d) {
  d->normal = s->normal;
  d->distance = s->gap;
  if (is_single(s->a, s->pose_a, v3_neg(s->normal)))
    d->point_a = support(s->a, s->pose_a, v3_neg(s->normal));
  else if (is_single(s->b, s->pose_b, s->normal))
    d->point_a = v3_axpy(support(s->b, s->pose_b, s->normal), s->gap, s->normal);
  d->point_b = v3_axpy(d->point_a, -s->gap, s->normal);
}

static bool convex_convex(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          double reach, rgDistance* out) {
  rgConvex set_a = rg_convex_of_shape(a, pose_a), set_b = rg_convex_of_shape(b, pose_b);
  if (!rg_convex_distance(&set_a, &set_b, reach, v3_zero(), out))
    return false;
  rgAxisSearch search = rg_axis_search(a, pose_a, b, pose_b);
  rg_axis_try(&search, out->normal);
  rg_axis_try_own(&search, true);
  rg_axis_try_own(&search, false);
  rg_pair_convex_refine(&search, out);
  rgDistance solved = *out;
  if (!rg_axis_is_solved(&search) && rg_axis_try_pieces(&search, &solved))
    *out = solved;
  else
    locate(&search, out);
  return out->distance <= reach;
}

static bool convex_halfspace(const rgShape* a, rgPose pose_a, rgPose pose_b, double reach,
                             rgDistance* out) {
  rgVec3 n = quat_rotate(pose_b.orientation, v3(0, 0, 1)), low = support(a, pose_a, v3_neg(n));
  double gap = v3_dot(n, v3_sub(low, pose_b.position));
  *out = (rgDistance){gap, n, low, v3_axpy(low, -gap, n), 1};
  return gap <= reach;
}

// --- Surfaces of triangles -----------------------------------------------------------------------

// Sine up to which a normal counts as not leaning over an edge: the rounding of EPA.
static const double SIDEWAYS = 1e-7;

// In the frame of the surface.
typedef struct Nearest {
  const rgShape *shape, *surface;
  rgPose pose;     // of the shape
  rgConvex convex; // the shape
  double limit;    // [m] least distance so far, or the reach
  bool found;
  rgDistance best;
} Nearest;

// Whether a normal is one of the surface at the triangle: its own, or one between it and that of the
// triangle across a ridge, or any outwards at a border. Over other edges nothing can be left sideways.
static bool is_normal(const rgTriangle* triangle, rgVec3 n) {
  double facing = v3_dot(n, triangle->normal);
  for (int i = 0; i < 3; i++) {
    rgVec3 edge = v3_sub(triangle->corner[(i + 1) % 3], triangle->corner[i]);
    rgVec3 out = v3_unit_or(v3_cross(edge, triangle->normal), v3_zero());
    rgVec3 beyond = triangle->neighbour_normal[i];
    if (v3_dot(n, out) <= SIDEWAYS || !(v3_norm2(beyond) > 0))
      continue;
    if (!triangle->convex_edge[i] || facing < v3_dot(beyond, triangle->normal) - SIDEWAYS)
      return false;
  }
  return facing >= 0;
}

// The shape crosses the triangle and must leave it on its outer side.
static void leave_outwards(const Nearest* nearest, const rgTriangle* triangle, rgDistance* d) {
  if (d->distance >= 0 || is_normal(triangle, d->normal))
    return;
  rgVec3 n = triangle->normal, low = support(nearest->shape, nearest->pose, v3_neg(n));
  double gap = v3_dot(n, v3_sub(low, triangle->corner[0]));
  *d = (rgDistance){gap, n, low, v3_axpy(low, -gap, n), d->iterations};
}

static void visit_triangle(void* context, int index) {
  Nearest* nearest = context;
  rgTriangle triangle;
  rg_shape_triangle(nearest->surface, index, &triangle);
  rgConvexPoints corners = {triangle.corner, 3};
  rgConvex set = rg_convex_of_points(&corners, 0);
  rgDistance d;
  double reach = nearest->limit > 0 ? nearest->limit : 0;
  if (!rg_convex_distance(&nearest->convex, &set, reach, v3_zero(), &d))
    return;
  leave_outwards(nearest, &triangle, &d);
  if (nearest->found && d.distance >= nearest->best.distance)
    return;
  nearest->found = true;
  nearest->best = d;
  nearest->limit = d.distance;
}

static bool convex_triangles(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                             double reach, rgDistance* out) {
  rgPose pose = pose_mul(pose_inverse(pose_b), pose_a);
  rgBounds box = rg_shape_info(a->kind)->bounds(a, pose);
  Nearest nearest = {a,
                     b,
                     pose,
                     rg_convex_of_shape(a, pose),
                     reach,
                     false,
                     {0, v3_zero(), v3_zero(), v3_zero(), 0}};
  double all = v3_norm(pose.position) + a->extent + b->extent, within = a->extent;
  while (true) {
    within = within < reach ? within : reach > 0 ? reach : 0;
    nearest.limit = nearest.found ? nearest.best.distance : reach;
    rg_shape_triangles(b, bounds_grow(box, within), visit_triangle, &nearest);
    if ((nearest.found && nearest.best.distance <= within) || within >= reach || within > all)
      break;
    within *= 2;
  }
  if (!nearest.found || nearest.best.distance > reach)
    return false;
  *out = nearest.best;
  out->normal = quat_rotate(pose_b.orientation, out->normal);
  out->point_a = pose_apply(pose_b, out->point_a);
  out->point_b = pose_apply(pose_b, out->point_b);
  return true;
}

// --- Walls ---------------------------------------------------------------------------------------

static bool convex_wall(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                        double reach, rgDistance* out) {
  rgManifold manifolds[RG_MANIFOLD_MAX];
  rgManifoldList list = {.items = manifolds, .capacity = RG_MANIFOLD_MAX};
  bool found = false;
  rg_collide(a, pose_a, b, pose_b, reach, NULL, &list);
  for (int m = 0; m < list.count; m++)
    for (int i = 0; i < manifolds[m].count; i++) {
      const rgManifoldPoint* p = &manifolds[m].points[i];
      if (found && p->gap >= out->distance)
        continue;
      found = true;
      *out = (rgDistance){p->gap, manifolds[m].normal, p->point_a, p->point_b, 1};
    }
  return found && out->distance <= reach;
}

// --- Flat shapes ---------------------------------------------------------------------------------

static rgVec3 support_outline(const void* core, rgVec3 d) {
  const rgOutline* outline = ((const rgShape*)core)->outline;
  int best = 0;
  for (int i = 1; i < outline->count; i++)
    if (v3_dot(outline->corners[i], d) > v3_dot(outline->corners[best], d))
      best = i;
  return outline->corners[best];
}

static rgConvex core_of(const rgShape* shape, rgPose pose) {
  return (rgConvex){.core = shape,
                    .support = support_outline,
                    .rotation = m3_from_quat(pose.orientation),
                    .position = pose.position};
}

static rgVec3 core_support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return pose_apply(pose, support_outline(shape, quat_unrotate(pose.orientation, d)));
}

// The sides of `own` against the other core; keeps the normal along which they overlap least.
static void try_sides(const rgShape* own, rgPose pose, const rgShape* other, rgPose other_pose,
                      bool of_a, rgDistance* best) {
  for (int i = 0; i < own->outline->count && own->outline->count > 1; i++) {
    rgVec3 n = quat_rotate(pose.orientation, own->outline->normals[i]);
    rgVec3 corner = pose_apply(pose, own->outline->corners[i]),
           low = core_support(other, other_pose, v3_neg(n));
    double gap = v3_dot(n, v3_sub(low, corner));
    if (gap <= best->distance)
      continue;
    rgVec3 on_own = v3_axpy(low, -gap, n);
    *best = (rgDistance){gap, of_a ? v3_neg(n) : n, of_a ? on_own : low, of_a ? low : on_own, 1};
  }
}

static bool flat_flat(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                      double reach, rgDistance* out) {
  double radii = a->radius + b->radius;
  rgConvex core_a = core_of(a, pose_a), core_b = core_of(b, pose_b);
  rgSeparation apart = rg_convex_separation(&core_a, &core_b, reach + radii, v3_zero(), out);
  if (apart == RG_SEPARATION_FAR)
    return false;
  if (apart == RG_SEPARATION_NONE) {
    rgVec3 x = core_support(a, pose_a, v3(0, 1, 0));
    *out = (rgDistance){-HUGE_VAL, v3(0, 1, 0), x, x, 1};
    try_sides(a, pose_a, b, pose_b, true, out);
    try_sides(b, pose_b, a, pose_a, false, out);
    if (!isfinite(out->distance)) // two points in one place
      out->distance = 0;
  }
  out->distance -= radii;
  out->point_a = v3_axpy(out->point_a, -a->radius, out->normal);
  out->point_b = v3_axpy(out->point_b, b->radius, out->normal);
  return out->distance <= reach;
}

// --- Pairs ---------------------------------------------------------------------------------------

static bool is_finite_convex(const rgShape* shape) {
  return shape->outline || rg_shape_info(shape->kind)->support;
}

bool rg_collide_has_distance(const rgShape* a, const rgShape* b) {
  bool flat = a->outline || b->outline;
  bool both_flat = (a->outline || a->planar) && (b->outline || b->planar);
  return (is_finite_convex(a) || is_finite_convex(b)) && (!flat || both_flat);
}

// With a convex A.
static bool distance_from(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          double reach, rgDistance* out) {
  const rgShapeInfo *info_a = rg_shape_info(a->kind), *info_b = rg_shape_info(b->kind);
  if (info_b->wall)
    return convex_wall(a, pose_a, b, pose_b, reach, out);
  if (a->outline)
    return flat_flat(a, pose_a, b, pose_b, reach, out);
  if (info_b->triangle)
    return convex_triangles(a, pose_a, b, pose_b, reach, out);
  if (!info_b->support)
    return convex_halfspace(a, pose_a, pose_b, reach, out);
  if (info_a->core == RG_CORE_POINT || info_b->core == RG_CORE_POINT) {
    bool swap = info_a->core != RG_CORE_POINT;
    *out = swap ? turned(ball_convex(b, pose_b, a, pose_a)) : ball_convex(a, pose_a, b, pose_b);
    return out->distance <= reach;
  }
  return convex_convex(a, pose_a, b, pose_b, reach, out);
}

bool rg_collide_distance(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                         double reach, rgDistance* out) {
  if (!rg_collide_has_distance(a, b))
    return false;
  if (is_finite_convex(a))
    return distance_from(a, pose_a, b, pose_b, reach, out);
  bool near = distance_from(b, pose_b, a, pose_a, reach, out);
  if (near)
    *out = turned(*out);
  return near;
}
