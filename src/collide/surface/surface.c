// surface.c - any convex shape against a mesh or a height field.
//
// Problem: the surface is made of triangles, but sliding over it must feel like sliding over what
// they make up: flat and hollow edges between triangles must not catch, real ridges must.
//
// Method: the solid lies behind the triangles, so a contact normal is right only when it is in the
// normal cone of the surface where it touches (surface_ridge.c). For each triangle whose plane is
// in reach:
//   1. contacts along the face normal N, where the part of A that faces it lies over the triangle
//      (feature.h); certain when one of them is as close as the lowest point of A above the plane;
//   2. otherwise, and only when a ridge of the triangle is near, the contacts on it are asked for:
//      they are taken when there are any and they are less deep; else those of 1 stand.
// Depth: a shape whose centre is less than its own size behind the plane is still pushed out along
// N. Deep overlaps near a ridge take the direction of least depth out of those allowed, so nothing
// is pushed far sideways.
//
// Manifolds: contacts with the same normal are merged into one, whatever triangles they came from,
// and then reduced; so a box on a flat mesh has its four corners. The key is the normal rounded to
// a coarse grid, not a triangle, so that it stays while the shape slides over many of them; the
// features of corners of A are those of A alone.
//
// Cost: linear in the triangles near A; iteration only near ridges.
#include "collide/surface/surface.h"

#include "collide/pair/pairs.h"

// Depth, as part of the size of A, up to which contacts along N are taken without asking for a
// shallower way out.
static const double SHALLOW = 0.01;
// Points closer than this part of the extent of A are one.
static const double SAME_POINT = 1e-9;
// Grid for keys; odd multiples of half a cell are no natural directions.
static const double KEY_GRID = 8;
// Bits of a key that hold the cell of the grid.
static const uint32_t CELL_BITS = 0x1f1f1f;

// --- Merging -------------------------------------------------------------------------------------

// Of manifold number `again` among those in one cell of the grid: three coordinates below 32, a byte each,
// and the number in the bits that they leave free.
static uint32_t key_of(uint32_t cell, uint32_t again) {
  return cell | (again & 0xff) << 24 | (again >> 8 & 7) << 21 | (again >> 11 & 7) << 13 |
         (again >> 14 & 7) << 5;
}

static uint32_t cell_of(rgVec3 n) {
  double x = floor(n.x * KEY_GRID + 0.5), y = floor(n.y * KEY_GRID + 0.5),
         z = floor(n.z * KEY_GRID + 0.5);
  return (uint32_t)(x + KEY_GRID) << 16 | (uint32_t)(y + KEY_GRID) << 8 | (uint32_t)(z + KEY_GRID);
}

// The first manifold from number *at on with this normal (world), NULL when there is none.
static rgManifold* next_along(const rgSurfaceJob* job, rgVec3 world, int* at) {
  for (; *at < job->out->count; ++*at) {
    rgManifold* m = &job->out->items[*at];
    if (v3_dot(m->normal, world) > 0 &&
        v3_norm2(v3_cross(m->normal, world)) <= RG_SURFACE_ANGLE * RG_SURFACE_ANGLE)
      return m;
  }
  return NULL;
}

static rgManifold* begin(rgSurfaceJob* job, rgVec3 n, rgVec3 world) {
  uint32_t cell = cell_of(n), again = 0;
  for (int i = job->first; i < job->out->count; i++)
    again += (job->out->items[i].key & CELL_BITS) == cell;
  return rg_manifold_begin(job->out, world, key_of(cell, again));
}

// Points on an edge are found from both sides of it: the same place is the same contact.
static bool is_known(const rgSurfaceJob* job, rgManifold* manifold, rgManifoldPoint point) {
  double same = SAME_POINT * job->shape->extent;
  for (int i = 0; i < manifold->count; i++) {
    rgManifoldPoint* old = &manifold->points[i];
    if (v3_norm2(v3_sub(old->point_a, point.point_a)) > same * same)
      continue;
    if (point.gap < old->gap)
      *old = point;
    return true;
  }
  return false;
}

// Into the first manifold that takes it, from number `first` on, or into a new one. Most surfaces need one
// for each normal, and the others are not looked for.
static void add_once(rgSurfaceJob* job, rgVec3 world, int first, rgManifoldPoint point) {
  rgManifold* manifold;
  for (int i = first; (manifold = next_along(job, world, &i)); i++) {
    if (is_known(job, manifold, point))
      return;
    if (!job->split)
      break;
  }
  for (int i = first; (manifold = next_along(job, world, &i)); i++)
    if (rg_manifold_try(manifold, point))
      return;
  manifold = rg_manifold_begin(job->out, world, job->out->items[first].key);
  job->split = true;
  if (manifold)
    rg_manifold_try(manifold, point);
}

void rg_surface_add(rgSurfaceJob* job, rgVec3 n, const rgManifoldPoint* points, int count) {
  if (count == 0)
    return;
  int first = job->first;
  rgVec3 world = quat_rotate(job->surface_pose.orientation, n);
  rgManifold* manifold = next_along(job, world, &first);
  if (!manifold)
    manifold = begin(job, n, world);
  world = manifold ? manifold->normal : world;
  for (int i = 0; manifold && i < count; i++) {
    rgVec3 a = pose_apply(job->surface_pose, points[i].point_a),
           b = pose_apply(job->surface_pose, points[i].point_b);
    double gap = v3_dot(v3_sub(a, b), world);
    add_once(job, world, first, (rgManifoldPoint){a, b, gap, points[i].feature});
  }
}

// --- One triangle --------------------------------------------------------------------------------

double rg_surface_deepest(const rgManifoldPoint* points, int count) {
  double gap = HUGE_VAL;
  for (int i = 0; i < count; i++)
    gap = points[i].gap < gap ? points[i].gap : gap;
  return gap;
}

// A shape that has slipped behind a hollow edge may be over neither of its triangles: there the
// plane, which runs on inside the solid, holds it. Where it is over the other one, that holds it, however
// far the plane of this one runs on.
static int hollow_contact(const rgTriangle* t, rgVec3 low, rgManifoldPoint* points) {
  for (int i = 0; i < 3; i++) {
    rgVec3 side = v3_sub(t->corner[i == 2 ? 0 : i + 1], t->corner[i]);
    rgVec3 outward = v3_cross(side, t->normal), other = t->neighbour_normal[i];
    rgVec3 from = v3_sub(low, t->corner[i]);
    bool beyond = v3_dot(outward, from) > 0;
    bool hollow = v3_dot(other, outward) < 0;
    bool over_other = v3_dot(v3_cross(other, side), from) < -RG_SURFACE_NEAR * v3_norm2(side);
    if (beyond && (!hollow || over_other))
      return 0;
  }
  double gap = v3_dot(t->normal, v3_sub(low, t->corner[0]));
  points[0] = (rgManifoldPoint){low, v3_axpy(low, -gap, t->normal), gap, 0};
  return gap <= 0;
}

static void triangle_contacts(void* context, int index) {
  rgSurfaceJob* job = context;
  rgTriangle t;
  rg_shape_triangle(job->surface, index, &t);
  rgVec3 down = quat_unrotate(job->pose.orientation, v3_neg(t.normal));
  rgVec3 low = pose_apply(job->pose, rg_shape_info(job->shape->kind)->support(job->shape, down));
  double lowest = v3_dot(t.normal, v3_sub(low, t.corner[0]));
  double height = v3_dot(t.normal, v3_sub(job->center, t.corner[0]));
  if (!(lowest <= job->reach) || height < -job->shape->size)
    return;

  rgManifoldPoint points[RG_CONTACTS_MAX];
  rgFeature facing, triangle;
  rg_shape_feature(job->shape, job->pose, v3_neg(t.normal), &facing);
  rg_feature_of_polygon(t.corner, 3, t.normal, t.normal, &triangle);
  int count = rg_feature_contacts(&facing, &triangle, t.normal, job->reach, points);
  double gap = rg_surface_deepest(points, count);
  bool certain =
      gap <= lowest + RG_SURFACE_CERTAIN * job->shape->extent && gap >= -SHALLOW * job->shape->size;
  if (!certain) {
    rgRidgeContacts ridge;
    rg_surface_ridge_contacts(job, &t, &ridge);
    if (ridge.count > 0 && (count == 0 || ridge.gap > lowest)) {
      rg_surface_add(job, ridge.normal, ridge.points, ridge.count);
      return;
    }
  }
  if (count == 0)
    count = hollow_contact(&t, low, points);
  rg_surface_add(job, t.normal, points, count);
}

// --- Pairs ---------------------------------------------------------------------------------------

void rg_surface_pair(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                     rgPairHint* hint, rgManifoldList* out) {
  (void)hint;
  rgPose pose = pose_mul(pose_inverse(pose_b), pose_a);
  rgBounds near = bounds_grow(rg_shape_info(a->kind)->bounds(a, pose), reach);
  rgVec3 center = a->polyhedron ? pose_apply(pose, a->polyhedron->center) : pose.position;
  rgSurfaceJob job = {a, b, pose, pose_b, center, reach, near, out, out->count, false};
  bool ball = rg_shape_info(a->kind)->core == RG_CORE_POINT;
  rg_shape_triangles(b, near, ball ? rg_surface_sphere : triangle_contacts, &job);
  for (int i = job.first; i < out->count; i++)
    rg_manifold_reduce(&out->items[i]);
}
