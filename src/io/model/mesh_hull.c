// mesh_hull.c - the convex hull of a mesh, with a bound on its corners.
//
// Where the hull has more corners than wanted, some are chosen: the extreme points along the axes
// and diagonals first, then, round after round, for every face of the hull of those chosen the
// point farthest outside it. A round that would exceed the bound takes the farthest ones. The
// error is the largest distance of a point left out from the hull of the chosen ones, by the
// closest point on its triangles (Ericson 2005, section 5.1.5).
#include "io/model/mesh.h"

#include "math/vec.h"
#include "shape/solid/quickhull.h"

#include <stdlib.h>
#include <string.h>

typedef struct Hull {
  rgHullTriangle* triangles;
  int count;
} Hull;

static rgStatus make_hull(const rgVec3* points, int count, rgPool* scratch, Hull* hull,
                          rgMessage* message) {
  // Scratch is aligned to 64 bytes.
  char* room = rg_pool_take(scratch, rg_quickhull_scratch(count) + 64, 1);
  if (!room)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory");
  room += (64 - (uintptr_t)room % 64) % 64;
  rgHullSurface surface;
  rgStatus status = rg_quickhull(points, count, room, &surface, message);
  *hull = (Hull){surface.triangles, status == RG_OK ? surface.triangle_count : 0};
  return status;
}

// Points that triangles use, each once, in their order.
static rgStatus corners_of(const Hull* hull, const rgVec3* points, int count, rgPool* scratch,
                           rgVec3** corners, int* corner_count) {
  char* used = rg_pool_take(scratch, (size_t)count, 1);
  *corners = rg_pool_take(scratch, (size_t)count, sizeof **corners);
  if (!used || !*corners)
    return RG_ERROR_MEMORY;
  for (int i = 0; i < hull->count; i++)
    for (int j = 0; j < 3; j++)
      used[hull->triangles[i].vertex[j]] = 1;
  *corner_count = 0;
  for (int i = 0; i < count; i++)
    if (used[i])
      (*corners)[(*corner_count)++] = points[i];
  return RG_OK;
}

static rgVec3 closest_on_triangle(rgVec3 p, rgVec3 a, rgVec3 b, rgVec3 c) {
  rgVec3 ab = v3_sub(b, a), ac = v3_sub(c, a), ap = v3_sub(p, a);
  double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap);
  if (d1 <= 0 && d2 <= 0)
    return a;
  rgVec3 bp = v3_sub(p, b);
  double d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
  if (d3 >= 0 && d4 <= d3)
    return b;
  double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0)
    return v3_axpy(a, d1 / (d1 - d3), ab);
  rgVec3 cp = v3_sub(p, c);
  double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
  if (d6 >= 0 && d5 <= d6)
    return c;
  double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0)
    return v3_axpy(a, d2 / (d2 - d6), ac);
  double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return v3_axpy(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), v3_sub(c, b));
  double s = 1 / (va + vb + vc);
  return v3_add(v3_axpy(a, vb * s, ab), v3_scale(ac, vc * s));
}

static double height_above(const rgHullTriangle* face, const rgVec3* chosen, rgVec3 p) {
  return v3_dot(face->normal, v3_sub(p, chosen[face->vertex[0]]));
}

// The largest distance from the hull of points outside it.
static double largest_distance(const Hull* hull, const rgVec3* chosen, const rgVec3* points,
                               int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) {
    double least = HUGE_VAL;
    bool outside = false;
    for (int j = 0; j < hull->count && least > largest; j++) {
      const rgHullTriangle* face = &hull->triangles[j];
      outside = outside || height_above(face, chosen, points[i]) > 0;
      rgVec3 on = closest_on_triangle(points[i], chosen[face->vertex[0]], chosen[face->vertex[1]],
                                      chosen[face->vertex[2]]);
      least = fmin(least, v3_norm(v3_sub(points[i], on)));
    }
    if (outside && least > largest)
      largest = least;
  }
  return largest;
}

typedef struct Farthest {
  double height;
  int point;
} Farthest;

static int by_height(const void* a, const void* b) {
  const Farthest *one = a, *other = b;
  if (one->height != other->height)
    return one->height > other->height ? -1 : 1;
  return one->point - other->point;
}

typedef struct Choice {
  const rgVec3* points; // the corners of the whole hull
  int count;
  char* taken;
  rgVec3* chosen;
  int chosen_count, most;
} Choice;

static void choose(Choice* c, int point) {
  if (c->taken[point] || c->chosen_count >= c->most)
    return;
  c->taken[point] = 1;
  c->chosen[c->chosen_count++] = c->points[point];
}

static void choose_extreme(Choice* c, rgVec3 along) {
  int best = 0;
  for (int i = 1; i < c->count; i++)
    if (v3_dot(along, c->points[i]) > v3_dot(along, c->points[best]))
      best = i;
  choose(c, best);
}

// Extreme points along the axes, and along the diagonals while these leave half of the room.
static void choose_extremes(Choice* c) {
  for (int i = 0; i < 6; i++) {
    double way = i < 3 ? 1 : -1;
    choose_extreme(c, v3(i % 3 == 0 ? way : 0, i % 3 == 1 ? way : 0, i % 3 == 2 ? way : 0));
  }
  for (int i = 0; i < 8 && 2 * c->chosen_count < c->most; i++)
    choose_extreme(c, v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
}

// The farthest point outside each face; false when there is none.
static bool choose_outside(Choice* c, const Hull* hull, Farthest* farthest) {
  int found = 0;
  for (int j = 0; j < hull->count; j++) {
    Farthest best = {0, -1};
    for (int i = 0; i < c->count; i++) {
      double height = c->taken[i] ? 0 : height_above(&hull->triangles[j], c->chosen, c->points[i]);
      if (height > best.height)
        best = (Farthest){height, i};
    }
    if (best.point >= 0)
      farthest[found++] = best;
  }
  qsort(farthest, (size_t)found, sizeof *farthest, by_height);
  for (int i = 0; i < found && 2 * farthest[i].height >= farthest[0].height; i++)
    choose(c, farthest[i].point);
  return found > 0;
}

static rgStatus reduce(Choice* c, rgPool* scratch, double* dropped, rgMessage* message) {
  c->taken = rg_pool_take(scratch, (size_t)c->count, 1);
  c->chosen = rg_pool_take(scratch, (size_t)c->most, sizeof *c->chosen);
  Farthest* farthest = rg_pool_take(scratch, 2 * (size_t)c->most, sizeof *farthest);
  if (!c->taken || !c->chosen || !farthest)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory");
  choose_extremes(c);
  // Flat choices of a thin hull: more points until they span a volume.
  for (int i = 0; i < c->count && c->chosen_count < 4; i++)
    choose(c, i);
  Hull hull = {NULL, 0};
  rgStatus status = make_hull(c->chosen, c->chosen_count, scratch, &hull, message);
  for (int i = 0; status != RG_OK && i < c->count && c->chosen_count < c->most; i++) {
    choose(c, i);
    status = make_hull(c->chosen, c->chosen_count, scratch, &hull, message);
  }
  while (status == RG_OK && c->chosen_count < c->most && choose_outside(c, &hull, farthest))
    status = make_hull(c->chosen, c->chosen_count, scratch, &hull, message);
  if (status == RG_OK)
    *dropped = largest_distance(&hull, c->chosen, c->points, c->count);
  return status;
}

rgStatus rg_mesh_hull(const rgVec3* points, int count, int most, rgPool* scratch, rgPool* pool,
                      rgList* corners, double* dropped, rgMessage* message) {
  *dropped = 0;
  *corners = (rgList){NULL, 0};
  if (count < 4)
    return rg_fail(message, RG_ERROR_INPUT, "it has %d points, a hull needs at least 4", count);
  Hull hull = {NULL, 0};
  rgStatus status = make_hull(points, count, scratch, &hull, message);
  if (status != RG_OK)
    return status;
  rgVec3* all;
  int all_count;
  if (corners_of(&hull, points, count, scratch, &all, &all_count) != RG_OK)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory");
  Choice choice = {.points = all, .count = all_count, .chosen = all, .chosen_count = all_count};
  if (all_count > most) {
    choice.most = most;
    choice.chosen_count = 0;
    status = reduce(&choice, scratch, dropped, message);
    if (status != RG_OK)
      return status;
  }
  corners->items = rg_pool_take(pool, (size_t)choice.chosen_count, sizeof(rgVec3));
  corners->count = choice.chosen_count;
  if (!corners->items)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory");
  memcpy(corners->items, choice.chosen, (size_t)choice.chosen_count * sizeof(rgVec3));
  return RG_OK;
}
