// overlap.c - largest overlap of the bodies of a scene.
//
// Pairs are found by sweeping over the bounds sorted along x: fast enough for ten thousand bodies
// and too simple to be wrong. The depth of a pair is the least distance by which one must move to
// be clear of the other. For two boxes that distance is the least overlap of their projections over
// the 15 directions of the separating-axis theorem (3 + 3 face normals, 9 products of edges), as
// the Minkowski difference of two boxes has no other face normals. Hulls likewise, with the normals
// of all their faces and the products of all their edges, both found by trying all pairs and triples of
// points.
#include "overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec.h"

enum { HULL_POINTS = 16, HULL_NORMALS = 2 * HULL_POINTS, HULL_EDGES = 3 * HULL_POINTS };

// A convex hull in its own frame: corners, and directions of faces and edges without repetition.
typedef struct Hull {
  int point_count, normal_count, edge_count;
  rgVec3 points[HULL_POINTS], normals[HULL_NORMALS], edges[HULL_EDGES];
} Hull;

typedef struct Item {
  int index;
  bool fixed;
  const rgShapeDef* shape;
  rgVec3 center;
  rgMat3 axes; // columns are the box's axes in the world; of a half-space the third is its normal
  rgBounds bounds;
  double half_width;
  Hull* hull; // boxes and hulls of scenes with hulls: in world axes about `center`; else NULL
} Item;

// -------------------------------------------------------------------------------------------------
// Hulls
// -------------------------------------------------------------------------------------------------

static const double SAME = 1e-7; // [-] sine of the angle of two directions that count as one

static bool put_direction(rgVec3* list, int* count, int most, rgVec3 d) {
  double length = v3_norm(d);
  if (length == 0)
    return true;
  d = v3_scale(d, 1 / length);
  for (int i = 0; i < *count; ++i)
    if (v3_norm(v3_cross(list[i], d)) < SAME)
      return true;
  if (*count == most)
    return false;
  list[(*count)++] = d;
  return true;
}

// Whether all points lie on one side of the plane through three of them.
static bool is_face(const rgShapeDef* def, int i, int j, int k, rgVec3* normal) {
  const rgVec3* p = def->points;
  rgVec3 n = v3_cross(v3_sub(p[j], p[i]), v3_sub(p[k], p[i]));
  double length = v3_norm(n), size = v3_norm(v3_sub(p[j], p[i])), low = 0, high = 0;
  if (length <= SAME * size * size)
    return false;
  *normal = v3_scale(n, 1 / length);
  for (int m = 0; m < def->point_count; ++m) {
    double height = v3_dot(*normal, v3_sub(p[m], p[i]));
    low = fmin(low, height);
    high = fmax(high, height);
  }
  return low > -SAME * size || high < SAME * size;
}

// The directions of a hull. Edges are among the sides of the triangles that faces are made of; that some
// of those cross a face does no harm: the depth along them is never below the true one.
static void find_directions(const rgShapeDef* def, Hull* hull) {
  hull->point_count = def->point_count;
  bool room = def->point_count <= HULL_POINTS;
  for (int i = 0; i < def->point_count && room; ++i)
    hull->points[i] = def->points[i];
  for (int i = 0; i < def->point_count && room; ++i)
    for (int j = i + 1; j < def->point_count; ++j)
      for (int k = j + 1; k < def->point_count; ++k) {
        rgVec3 n, *p = hull->points;
        if (!is_face(def, i, j, k, &n))
          continue;
        room = put_direction(hull->normals, &hull->normal_count, HULL_NORMALS, n) &&
               put_direction(hull->edges, &hull->edge_count, HULL_EDGES, v3_sub(p[j], p[i])) &&
               put_direction(hull->edges, &hull->edge_count, HULL_EDGES, v3_sub(p[k], p[i])) &&
               put_direction(hull->edges, &hull->edge_count, HULL_EDGES, v3_sub(p[k], p[j])) &&
               room;
      }
  if (!room) {
    fprintf(stderr, "overlap: a hull has too many points\n");
    abort();
  }
}

static void box_directions(rgVec3 half, Hull* hull) {
  *hull = (Hull){.point_count = 8, .normal_count = 3, .edge_count = 3};
  for (int i = 0; i < 8; ++i)
    hull->points[i] =
        v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  hull->normals[0] = hull->edges[0] = v3(1, 0, 0);
  hull->normals[1] = hull->edges[1] = v3(0, 1, 0);
  hull->normals[2] = hull->edges[2] = v3(0, 0, 1);
}

static void turn_all(const rgMat3* axes, rgVec3* list, int count) {
  for (int i = 0; i < count; ++i)
    list[i] = m3_apply(axes, list[i]);
}

// Half of the smallest width between two parallel planes along a face normal.
static double hull_half_width(const Hull* hull) {
  double least = HUGE_VAL;
  for (int i = 0; i < hull->normal_count; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < hull->point_count; ++k) {
      double x = v3_dot(hull->normals[i], hull->points[k]);
      low = fmin(low, x);
      high = fmax(high, x);
    }
    least = fmin(least, 0.5 * (high - low));
  }
  return least;
}

// By how much B must go along d or against it to be clear of A; `least` where that is less.
static double depth_along(const Item* a, const Item* b, rgVec3 d, double least) {
  double length = v3_norm(d), low_a = HUGE_VAL, high_a = -HUGE_VAL, low_b = HUGE_VAL,
         high_b = -HUGE_VAL;
  if (length < 1e-6) // products of nearly parallel edges: the face normals stand in for them
    return least;
  for (int i = 0; i < a->hull->point_count; ++i) {
    double x = v3_dot(d, a->hull->points[i]);
    low_a = fmin(low_a, x);
    high_a = fmax(high_a, x);
  }
  for (int i = 0; i < b->hull->point_count; ++i) {
    double x = v3_dot(d, b->hull->points[i]);
    low_b = fmin(low_b, x);
    high_b = fmax(high_b, x);
  }
  double between = v3_dot(d, v3_sub(b->center, a->center));
  double up = high_a - low_b - between, down = high_b - low_a + between;
  return fmin(least, fmin(up, down) / length);
}

static double hull_hull(const Item* a, const Item* b) {
  double least = HUGE_VAL;
  for (int i = 0; i < a->hull->normal_count && least > 0; ++i)
    least = depth_along(a, b, a->hull->normals[i], least);
  for (int i = 0; i < b->hull->normal_count && least > 0; ++i)
    least = depth_along(a, b, b->hull->normals[i], least);
  for (int i = 0; i < a->hull->edge_count; ++i)
    for (int k = 0; k < b->hull->edge_count && least > 0; ++k)
      least = depth_along(a, b, v3_cross(a->hull->edges[i], b->hull->edges[k]), least);
  return least;
}

// -------------------------------------------------------------------------------------------------
// All kinds
// -------------------------------------------------------------------------------------------------

// The hull of an item, and the bounds and width that follow from it.
static rgBounds place_hull(Item* item, Hull* hull) {
  *hull = (Hull){0};
  if (item->shape->kind == RG_SHAPE_HULL)
    find_directions(item->shape, hull);
  else
    box_directions(item->shape->half, hull);
  turn_all(&item->axes, hull->points, hull->point_count);
  turn_all(&item->axes, hull->normals, hull->normal_count);
  turn_all(&item->axes, hull->edges, hull->edge_count);
  item->hull = hull;
  item->half_width = hull_half_width(hull);
  rgVec3 first = v3_add(item->center, hull->points[0]);
  rgBounds bounds = {first, first};
  for (int i = 0; i < hull->point_count; ++i) {
    rgVec3 p = v3_add(item->center, hull->points[i]);
    bounds = (rgBounds){v3_min(bounds.lower, p), v3_max(bounds.upper, p)};
  }
  return bounds;
}

// `hull`: memory for scenes with hulls, else NULL.
static Item item_of(const SceneBody* body, int index, rgPose pose, Hull* hull) {
  Item item = {.index = index, .fixed = body->def.kind != RG_BODY_DYNAMIC, .shape = &body->shape};
  pose = pose_mul(pose, body->shape.pose);
  item.center = pose.position;
  item.axes = m3_from_quat(pose.orientation);
  rgVec3 reach = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
  item.half_width = HUGE_VAL;
  if (body->shape.kind == RG_SHAPE_SPHERE) {
    double r = body->shape.radius;
    reach = v3(r, r, r);
    item.half_width = r;
  } else if (body->shape.kind == RG_SHAPE_BOX) {
    rgVec3 half = body->shape.half;
    reach =
        v3(v3_dot(v3_abs(m3_row(&item.axes, 0)), half), v3_dot(v3_abs(m3_row(&item.axes, 1)), half),
           v3_dot(v3_abs(m3_row(&item.axes, 2)), half));
    item.half_width = fmin(half.x, fmin(half.y, half.z));
  }
  item.bounds = (rgBounds){v3_sub(item.center, reach), v3_add(item.center, reach)};
  bool flat = body->shape.kind == RG_SHAPE_BOX || body->shape.kind == RG_SHAPE_HULL;
  if (hull && flat)
    item.bounds = place_hull(&item, hull);
  return item;
}

// Half the length of the projection of a box on direction d.
static double box_radius(const Item* box, rgVec3 d) {
  return v3_dot(v3_abs(m3_apply_transposed(&box->axes, d)), box->shape->half);
}

static double box_box(const Item* a, const Item* b) {
  // Products of nearly parallel edges have no direction; the face normals stand in for them.
  const double parallel = 1e-6;
  rgVec3 between = v3_sub(b->center, a->center);
  double least = HUGE_VAL;
  for (int i = 0; i < 15; ++i) {
    rgVec3 d = i < 3 ? m3_column(&a->axes, i)
               : i < 6
                   ? m3_column(&b->axes, i - 3)
                   : v3_cross(m3_column(&a->axes, (i - 6) / 3), m3_column(&b->axes, (i - 6) % 3));
    double length = v3_norm(d);
    if (length < parallel)
      continue;
    double overlap = box_radius(a, d) + box_radius(b, d) - fabs(v3_dot(between, d));
    least = fmin(least, overlap / length);
  }
  return least;
}

static double sphere_box(const Item* sphere, const Item* box) {
  rgVec3 p = v3_abs(m3_apply_transposed(&box->axes, v3_sub(sphere->center, box->center)));
  rgVec3 outside = v3_sub(p, box->shape->half);
  double inside = fmax(outside.x, fmax(outside.y, outside.z));
  if (inside <= 0)
    return sphere->shape->radius - inside;
  return sphere->shape->radius - v3_norm(v3_max(outside, v3_zero()));
}

static double below_plane(const Item* plane, const Item* other) {
  rgVec3 normal = m3_column(&plane->axes, 2);
  double height = v3_dot(normal, v3_sub(other->center, plane->center));
  double radius =
      other->shape->kind == RG_SHAPE_SPHERE ? other->shape->radius : box_radius(other, normal);
  return radius - height;
}

static double pair_depth(const Item* a, const Item* b) {
  if (a->hull && b->hull)
    return hull_hull(a, b);
  if (a->shape->kind == RG_SHAPE_HULL || b->shape->kind == RG_SHAPE_HULL) {
    fprintf(stderr, "overlap: a hull against something round is not measured\n");
    abort();
  }
  if (a->shape->kind > b->shape->kind) {
    const Item* swap = a;
    a = b;
    b = swap;
  }
  // Kinds are in the order sphere, box, half-space.
  if (b->shape->kind == RG_SHAPE_HALFSPACE)
    return below_plane(b, a);
  if (b->shape->kind == RG_SHAPE_BOX)
    return a->shape->kind == RG_SHAPE_BOX ? box_box(a, b) : sphere_box(a, b);
  return a->shape->radius + b->shape->radius - v3_norm(v3_sub(a->center, b->center));
}

static int compare_items(const void* left, const void* right) {
  const Item *a = left, *b = right;
  if (a->bounds.lower.x != b->bounds.lower.x)
    return a->bounds.lower.x < b->bounds.lower.x ? -1 : 1;
  return a->index - b->index;
}

static bool are_joined(const Scene* scene, int a, int b) {
  for (int i = 0; i < scene->joint_count; ++i) {
    const SceneJoint* joint = &scene->joints[i];
    if ((joint->a == a && joint->b == b) || (joint->a == b && joint->b == a))
      return true;
  }
  return false;
}

Overlap overlap_of(const Scene* scene, const rgPose* poses) {
  Overlap result = {.body_a = -1, .body_b = -1};
  int count = scene->body_count;
  Item* items = malloc((size_t)count * sizeof *items);
  if (!items) {
    fprintf(stderr, "overlap: not enough memory for %d bodies\n", count);
    abort();
  }
  bool finite = true, hulls = false;
  for (int i = 0; i < count; ++i)
    hulls = hulls || scene->bodies[i].shape.kind == RG_SHAPE_HULL;
  Hull* memory = hulls ? malloc((size_t)count * sizeof *memory) : NULL;
  for (int i = 0; i < count; ++i) {
    items[i] = item_of(&scene->bodies[i], i, poses[i], hulls ? &memory[i] : NULL);
    finite = finite && v3_finite(items[i].center) && isfinite(m3_det(&items[i].axes));
  }
  if (!finite) {
    free(items);
    free(memory);
    return (Overlap){HUGE_VAL, HUGE_VAL, -1, -1};
  }
  qsort(items, (size_t)count, sizeof *items, compare_items);

  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count && items[j].bounds.lower.x <= items[i].bounds.upper.x; ++j) {
      const Item *a = &items[i], *b = &items[j];
      if ((a->fixed && b->fixed) || !bounds_overlap(a->bounds, b->bounds) ||
          are_joined(scene, a->index, b->index))
        continue;
      double depth = pair_depth(a, b);
      if (depth > result.depth) {
        result.depth = depth;
        result.body_a = a->index;
        result.body_b = b->index;
      }
      result.relative = fmax(result.relative, depth / fmin(a->half_width, b->half_width));
    }
  free(items);
  free(memory);
  return result;
}

static rgVec3 point_now(const Scene* scene, const rgPose* poses, int body, rgVec3 point) {
  if (body < 0)
    return point;
  rgPose start = scene->bodies[body].def.pose;
  rgVec3 local = quat_rotate(quat_conj(start.orientation), v3_sub(point, start.position));
  return pose_apply(poses[body], local);
}

double overlap_joint_gap(const Scene* scene, const rgPose* poses) {
  double largest = 0;
  for (int i = 0; i < scene->joint_count; ++i) {
    const SceneJoint* joint = &scene->joints[i];
    rgVec3 a = point_now(scene, poses, joint->a, joint->point),
           b = point_now(scene, poses, joint->b, joint->point);
    largest = fmax(largest, v3_norm(v3_sub(a, b)));
  }
  return largest;
}

double overlap_displacement(const Scene* scene, const rgPose* poses) {
  double largest = 0;
  for (int i = 0; i < scene->body_count; ++i) {
    rgVec3 start = scene->bodies[i].def.pose.position;
    if (scene->bodies[i].def.kind == RG_BODY_DYNAMIC)
      largest = fmax(largest, v3_norm(v3_sub(poses[i].position, start)));
  }
  return largest;
}
