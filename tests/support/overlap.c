// overlap.c - largest overlap of the bodies of a scene.
//
// Pairs are found by sweeping over the bounds sorted along x: fast enough for ten thousand bodies
// and too simple to be wrong. The depth of a pair is the least distance by which one must move to
// be clear of the other. For two boxes that distance is the least overlap of their projections over
// the 15 directions of the separating-axis theorem (3 + 3 face normals, 9 products of edges), as
// the Minkowski difference of two boxes has no other face normals.
#include "overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec.h"

typedef struct Item {
  int index;
  bool fixed;
  const rgShapeDef* shape;
  rgVec3 center;
  rgMat3 axes; // columns are the box's axes in the world; of a half-space the third is its normal
  rgBounds bounds;
  double half_width;
} Item;

static Item item_of(const SceneBody* body, int index, rgPose pose) {
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

Overlap overlap_of(const Scene* scene, const rgPose* poses) {
  Overlap result = {.body_a = -1, .body_b = -1};
  int count = scene->body_count;
  Item* items = malloc((size_t)count * sizeof *items);
  if (!items) {
    fprintf(stderr, "overlap: not enough memory for %d bodies\n", count);
    abort();
  }
  bool finite = true;
  for (int i = 0; i < count; ++i) {
    items[i] = item_of(&scene->bodies[i], i, poses[i]);
    finite = finite && v3_finite(items[i].center) && isfinite(m3_det(&items[i].axes));
  }
  if (!finite) {
    free(items);
    return (Overlap){HUGE_VAL, HUGE_VAL, -1, -1};
  }
  qsort(items, (size_t)count, sizeof *items, compare_items);

  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count && items[j].bounds.lower.x <= items[i].bounds.upper.x; ++j) {
      const Item *a = &items[i], *b = &items[j];
      if ((a->fixed && b->fixed) || !bounds_overlap(a->bounds, b->bounds))
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
  return result;
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
