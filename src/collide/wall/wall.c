// wall.c - any convex shape against a smooth wall: tube, bowl, torus, ring.
//
// Problem. phi(x) is the distance of x to the surface, positive on the free side, with gradient n of
// unit length. The shape A stays on the free side while phi >= 0 on all of it, so that every local
// minimum of phi over A is a contact, with gap phi and the normal n of the surface at its foot.
//
// Where the free side is convex (tube, bowl) phi is concave and has its minima over a polyhedron at
// vertices (at the balls about them when it is rounded), over a capsule at those of its ends, over a cylinder on its two rims. Where it is
// not (torus, towards its axis) edges and axes may have minima between their ends as well, but faces
// cannot: one curvature of the surface is hollow everywhere. Smooth shapes: wall_smooth.c.
//
// All vertices within reach are taken, not minima alone: each is a point that must not pass the
// wall, and a body that lies on four of them needs them all. A ball in a tube not much wider than it
// may reach the opposite side within a step and has a contact there too.
//
// Rims. A wall ends at its rims, and there is nothing behind it: a foot beyond a rim is no contact,
// and a point behind the surface counts only when the way to it from the middle of A leads through
// the surface and not over a rim. A rim itself is an edge that A may touch (wall_rim.c).
//
// Cost: linear in the vertices; a few hundred distances for curved shapes near the wall.
#include "collide/wall/wall.h"

#include "collide/pair/pairs.h"

// Normals this close (squared sine) share a manifold: rounding of a minimum next to a flat face.
static const double SAME_NORMAL2 = 1e-16;
// Contacts this close, in extents of the shape, with normals this close (cosine) are one: the end of
// a face is also a minimum.
static const double SAME_PLACE = 1e-9;
// Of the radius of a wall: what rounding leaves of a foot.
static const double ROUNDING = 1e-12;
// Steps of the search for the place where a way passes the surface.
enum { PASSING_STEPS = 60 };

// --- Collecting ----------------------------------------------------------------------------------

// Keeps `limit` contacts: the deepest, then each time the one farthest from those chosen.
static void thin(rgWallJob* job, int limit) {
  double nearest[RG_WALL_CONTACTS_MAX];
  bool kept[RG_WALL_CONTACTS_MAX] = {false};
  int chosen = 0, count = 0;
  for (int i = 0; i < job->count; i++) {
    nearest[i] = HUGE_VAL;
    chosen = job->contacts[i].gap < job->contacts[chosen].gap ? i : chosen;
  }
  for (int n = 0; n < limit && chosen >= 0; n++) {
    kept[chosen] = true;
    int next = -1;
    for (int i = 0; i < job->count; i++) {
      double d2 = v3_norm2(v3_sub(job->contacts[i].point_a, job->contacts[chosen].point_a));
      nearest[i] = d2 < nearest[i] ? d2 : nearest[i];
      if (!kept[i] && (next < 0 || nearest[i] > nearest[next]))
        next = i;
    }
    chosen = next;
  }
  for (int i = 0; i < job->count; i++)
    if (kept[i])
      job->contacts[count++] = job->contacts[i];
  job->count = count;
}

void rg_wall_add(rgWallJob* job, rgWallContact contact) {
  if (!(contact.gap <= job->reach))
    return;
  double same = SAME_PLACE * job->shape->extent;
  for (int i = 0; i < job->count; i++)
    if (v3_norm2(v3_sub(job->contacts[i].point_b, contact.point_b)) <= same * same &&
        v3_dot(job->contacts[i].normal, contact.normal) >= 1 - SAME_PLACE)
      return;
  if (job->count == RG_WALL_CONTACTS_MAX)
    thin(job, RG_WALL_CONTACTS_MAX / 2);
  job->contacts[job->count++] = contact;
}

// Whether a point of the surface is there, or beyond a rim.
static bool is_there(const rgWallJob* job, rgVec3 x) {
  for (int i = 0; i < job->rim_count; i++)
    if (job->rims[i].sense * (x.z - job->rims[i].height) > 0)
      return false;
  return true;
}

// Whether x, which is behind the surface, came there through it.
static bool passed_through(const rgWallJob* job, rgVec3 x) {
  if (job->rim_count == 0)
    return true;
  double inside = 0, outside = 1;
  for (int i = 0; i < PASSING_STEPS; i++) {
    double s = 0.5 * (inside + outside);
    *(job->wall->foot(job->surface, v3_lerp(job->center, x, s)).distance > 0 ? &inside : &outside) =
        s;
  }
  return is_there(job, v3_lerp(job->center, x, outside));
}

void rg_wall_add_point(rgWallJob* job, rgVec3 x, double radius, uint32_t feature) {
  rgFoot foot = job->wall->foot(job->surface, x);
  double gap = foot.distance - radius;
  if (!(gap <= job->reach) || !is_there(job, foot.point))
    return;
  if (foot.distance < 0 && !passed_through(job, x))
    return;
  rg_wall_add(job, (rgWallContact){v3_axpy(x, -radius, foot.normal), foot.point, foot.normal, gap,
                                   feature});
}

// --- Balls and polyhedra -------------------------------------------------------------------------

// The ball at an end of a core; `out` is the unit vector of the axis out of that end, zero for a
// ball alone. A wall across the axis is touched by the end of the side line, and one that would
// touch the ball on its inner half only by the other end.
static void add_ball(rgWallJob* job, rgVec3 x, rgVec3 out, uint32_t end) {
  double radius = job->shape->radius;
  rgFoot near = job->wall->foot(job->surface, x);
  double inwards = v3_dot(near.normal, out);
  if (inwards <= 0) {
    rg_wall_add_point(job, x, radius, RG_WALL_VERTEX + end);
  } else if (inwards <= RG_FEATURE_TILT) {
    rgVec3 side = v3_axpy(v3_neg(near.normal), inwards, out);
    rg_wall_add_point(job, v3_axpy(x, radius / v3_norm(side), side), 0, RG_WALL_VERTEX + end);
  }
  // Twice the radius of the wall along its normal is beyond the opposite side; in a narrow torus it
  // may also be across the axis, where x is not over the foot.
  double wall = job->surface->radius;
  rgFoot far = job->wall->foot(job->surface, v3_axpy(x, 2 * wall, near.normal));
  rgVec3 across = v3_cross(far.normal, v3_sub(x, far.point));
  double gap = v3_dot(far.normal, v3_sub(x, far.point)) - radius;
  if (near.distance > 0 && v3_norm2(across) <= ROUNDING * ROUNDING * wall * wall &&
      v3_dot(near.normal, far.normal) < 0 && v3_dot(far.normal, out) <= 0 &&
      is_there(job, far.point))
    rg_wall_add(job, (rgWallContact){v3_axpy(x, -radius, far.normal), far.point, far.normal, gap,
                                     RG_WALL_FARTHER + end});
}

static void add_core(rgWallJob* job) {
  if (job->info->core == RG_CORE_POINT) {
    add_ball(job, job->pose.position, v3_zero(), 0);
    return;
  }
  rgVec3 axis = quat_rotate(job->pose.orientation, v3(0, 0, 1));
  double h = job->shape->half_length;
  add_ball(job, v3_axpy(job->pose.position, -h, axis), v3_neg(axis), 0);
  add_ball(job, v3_axpy(job->pose.position, h, axis), axis, 1);
}

static void add_vertices(rgWallJob* job) {
  const rgPolyhedron* solid = job->shape->polyhedron;
  for (int i = 0; i < solid->vertex_count; i++)
    rg_wall_add_point(job, pose_apply(job->pose, solid->vertices[i]), job->shape->radius,
                      RG_WALL_VERTEX + (uint32_t)i);
}

// --- Pairs ---------------------------------------------------------------------------------------

static void add_surface(rgWallJob* job) {
  job->behind = job->wall->foot(job->surface, job->center);
  rgFoot middle = job->wall->foot(job->surface, job->pose.position);
  // As for meshes: what is farther behind is on the far side. What may have come over a rim is there
  // as soon as its middle is.
  double deepest = job->rim_count > 0 ? 0 : -job->shape->size;
  if (middle.distance - job->shape->extent > job->reach || !(job->behind.distance >= deepest))
    return;
  if (job->info->core != RG_CORE_NONE)
    add_core(job);
  else if (job->shape->polyhedron)
    add_vertices(job);
  else if (job->info->rim)
    rg_wall_circles(job);
  else
    rg_wall_smooth(job);
  if (job->wall->saddle)
    rg_wall_edges(job);
}

// Contacts with equal normals share a manifold.
static void emit(const rgWallJob* job, rgPose pose, rgManifoldList* out) {
  int first = out->count;
  for (int i = 0; i < job->count; i++) {
    const rgWallContact* c = &job->contacts[i];
    rgVec3 n = quat_rotate(pose.orientation, c->normal);
    rgManifold* manifold = NULL;
    for (int k = first; k < out->count && !manifold; k++)
      if (v3_dot(out->items[k].normal, n) > 0 &&
          v3_norm2(v3_cross(out->items[k].normal, n)) <= SAME_NORMAL2)
        manifold = &out->items[k];
    if (!manifold)
      manifold = rg_manifold_begin(out, n, 0);
    if (!manifold)
      return;
    rgVec3 a = pose_apply(pose, c->point_a), b = pose_apply(pose, c->point_b);
    rg_manifold_add(manifold, a, b, c->gap, c->feature);
  }
  for (int k = first; k < out->count; k++)
    rg_manifold_reduce(&out->items[k]);
}

void rg_wall_pair(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                  rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgWallJob job = {.shape = a,
                   .surface = b,
                   .info = rg_shape_info(a->kind),
                   .wall = rg_shape_info(b->kind)->wall,
                   .pose = pose_mul(pose_inverse(pose_b), pose_a),
                   .reach = reach};
  job.center = a->polyhedron ? pose_apply(job.pose, a->polyhedron->center) : job.pose.position;
  job.rim_count = job.wall->rims(b, job.rims);
  if (job.wall->foot)
    add_surface(&job);
  rg_wall_rim_contacts(&job);
  if (job.count > RG_MANIFOLD_MAX)
    thin(&job, RG_MANIFOLD_MAX);
  emit(&job, pose_b, out);
}
