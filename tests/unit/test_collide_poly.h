// Shapes, poses and checks shared by the tests of polyhedral contact.
#ifndef TEST_COLLIDE_POLY_H
#define TEST_COLLIDE_POLY_H

#include "collide/convex/gjk.h"
#include "collide/pair/pairs.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

static inline rgQuat turn(rgVec3 axis, double angle) {
  rgVec3 u = v3_scale(axis, sin(angle / 2) / v3_norm(axis));
  return (rgQuat){cos(angle / 2), u.x, u.y, u.z};
}

static inline rgQuat random_turn(void) {
  rgVec3 axis = random_direction();
  return turn(axis, random_between(-3.1, 3.1));
}

static inline rgPose pose_at(double x, double y, double z) {
  return (rgPose){v3(x, y, z), quat_identity()};
}

// --- shapes -------------------------------------------------------------------------------------

static inline rgShape* make_box(double x, double y, double z) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  def.half = v3(x, y, z);
  return make_shape(def);
}

static inline rgShape* make_hull(const rgVec3* points, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  return make_shape(def);
}

// A hull with the vertices of a box.
static inline rgShape* make_block(double x, double y, double z) {
  rgVec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  return make_hull(points, 8);
}

static inline rgShape* make_halfspace(void) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HALFSPACE);
  return make_shape(def);
}

static inline rgShape* make_sphere(double radius) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_SPHERE);
  def.radius = radius;
  return make_shape(def);
}

static inline rgShape* make_round(rgShapeKind kind, double radius, double half_length) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.half_length = half_length;
  return make_shape(def);
}

static inline rgShape* make_ellipsoid(double x, double y, double z) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_ELLIPSOID);
  def.half = v3(x, y, z);
  return make_shape(def);
}

// Hull of random points on a stretched sphere: no two faces parallel, no symmetry.
static inline rgShape* make_pebble(int count, rgVec3 stretch) {
  rgVec3 points[128];
  for (int i = 0; i < count; i++)
    points[i] = v3_mul(random_direction(), stretch);
  return make_hull(points, count);
}

// --- collisions ---------------------------------------------------------------------------------

enum { LIST = 4 };

typedef struct Result {
  rgManifold items[LIST];
  rgManifoldList list;
} Result;

// The only manifold of a pair, or NULL when there is none.
static inline const rgManifold* collide_with(rgPairFunction* pair, const rgShape* a, rgPose pose_a,
                                             const rgShape* b, rgPose pose_b, double reach,
                                             rgPairHint hint, Result* result) {
  result->list = (rgManifoldList){.items = result->items, .capacity = LIST};
  pair(a, pose_a, b, pose_b, reach, &hint, &result->list);
  CHECK(result->list.count <= 1);
  return result->list.count > 0 ? &result->items[0] : NULL;
}

static inline const rgManifold* collide(rgPairFunction* pair, const rgShape* a, rgPose pose_a,
                                        const rgShape* b, rgPose pose_b, double reach,
                                        Result* result) {
  return collide_with(pair, a, pose_a, b, pose_b, reach, (rgPairHint){v3_zero()}, result);
}

static inline double least_gap(const rgManifold* manifold) {
  double least = HUGE_VAL;
  for (int i = 0; i < manifold->count; i++)
    least = fmin(least, manifold->points[i].gap);
  return least;
}

static inline void check_vector(rgVec3 a, rgVec3 b, double tolerance) {
  CHECK_NEAR(a.x, b.x, tolerance);
  CHECK_NEAR(a.y, b.y, tolerance);
  CHECK_NEAR(a.z, b.z, tolerance);
}

// True when one of the points has point_b at x.
static inline bool has_point(const rgManifold* manifold, rgVec3 x, double tolerance) {
  for (int i = 0; i < manifold->count; i++)
    if (v3_norm(v3_sub(manifold->points[i].point_b, x)) <= tolerance)
      return true;
  return false;
}

// --- what vertices alone can tell ---------------------------------------------------------------

static inline double highest_along(const rgShape* shape, rgPose pose, rgVec3 d) {
  double height = -HUGE_VAL;
  for (int i = 0; i < shape->polyhedron->vertex_count; i++)
    height = fmax(height, v3_dot(d, pose_apply(pose, shape->polyhedron->vertices[i])));
  return height;
}

// Separation along unit n, from B to A: lowest point of A above the highest of B.
static inline double separation_along(const rgShape* a, rgPose pose_a, const rgShape* b,
                                      rgPose pose_b, rgVec3 n) {
  return -highest_along(a, pose_a, v3_neg(n)) - highest_along(b, pose_b, n);
}

static inline rgVec3 world_edge(const rgShape* shape, rgPose pose, int i) {
  const rgPolyhedron* p = shape->polyhedron;
  return quat_rotate(pose.orientation,
                     v3_sub(p->vertices[p->edges[i][1]], p->vertices[p->edges[i][0]]));
}

static inline double best_of_faces(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                   const rgShape* faces, rgPose pose, double sign, double best) {
  for (int f = 0; f < faces->polyhedron->face_count; f++) {
    rgVec3 n = v3_scale(quat_rotate(pose.orientation, faces->polyhedron->normals[f]), sign);
    best = fmax(best, separation_along(a, pose_a, b, pose_b, n));
  }
  return best;
}

// Greatest separation over every face normal and every cross product of edges, without culling:
// minus the least depth when the bodies overlap.
static inline double brute_separation(const rgShape* a, rgPose pose_a, const rgShape* b,
                                      rgPose pose_b) {
  double best = best_of_faces(a, pose_a, b, pose_b, a, pose_a, -1, -HUGE_VAL);
  best = best_of_faces(a, pose_a, b, pose_b, b, pose_b, 1, best);
  for (int i = 0; i < a->polyhedron->edge_count; i++) {
    for (int j = 0; j < b->polyhedron->edge_count; j++) {
      rgVec3 n = v3_cross(world_edge(a, pose_a, i), world_edge(b, pose_b, j));
      double length = v3_norm(n);
      if (length < 1e-7 * a->extent * b->extent)
        continue;
      n = v3_scale(n, 1 / length);
      best = fmax(best, separation_along(a, pose_a, b, pose_b, n));
      best = fmax(best, separation_along(a, pose_a, b, pose_b, v3_neg(n)));
    }
  }
  return best;
}

// Height of x above the surface of a polyhedron: the largest distance from a face plane.
static inline double surface_height(const rgShape* shape, rgPose pose, rgVec3 x) {
  rgVec3 local = pose_unapply(pose, x);
  double height = -HUGE_VAL;
  for (int f = 0; f < shape->polyhedron->face_count; f++)
    height =
        fmax(height, v3_dot(shape->polyhedron->normals[f], local) - shape->polyhedron->offsets[f]);
  return height;
}

// True when a face of the shape lies across unit n (world) to within 0.1 rad.
static inline bool across_a_face(const rgShape* shape, rgPose pose, rgVec3 n) {
  for (int f = 0; f < shape->polyhedron->face_count; f++)
    if (fabs(v3_dot(quat_rotate(pose.orientation, shape->polyhedron->normals[f]), n)) > cos(0.1))
      return true;
  return false;
}

// What holds for every manifold of two polyhedra.
static inline void check_manifold(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                                  double reach, const rgManifold* m) {
  double size = a->extent + b->extent;
  double rounding = 1e-14 * (size + v3_norm(pose_a.position) + v3_norm(pose_b.position));
  CHECK(m->count >= 1);
  CHECK_NEAR(v3_norm(m->normal), 1, 1e-14);
  for (int i = 0; i < m->count; i++) {
    rgManifoldPoint p = m->points[i];
    CHECK(v3_finite(p.point_a) && v3_finite(p.point_b));
    CHECK(p.gap <= reach);
    CHECK_NEAR(p.gap, v3_dot(m->normal, v3_sub(p.point_a, p.point_b)), rounding);
    // Corners within 1e-7 of the outline of a face count as on it, and hulls are as flat as that.
    CHECK_NEAR(surface_height(a, pose_a, p.point_a), 0, 5e-7 * size);
    CHECK_NEAR(surface_height(b, pose_b, p.point_b), 0, 5e-7 * size);
    for (int j = 0; j < i; j++)
      CHECK(m->points[j].feature != p.feature);
  }
}

#endif
