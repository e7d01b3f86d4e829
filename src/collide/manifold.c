// manifold.c - collecting contact points, and dropping those that add nothing.
//
// Problem. Points (x_i, gap_i) share a normal n; x_i is taken across n. Point p is redundant when
// x_p lies in the convex hull of the x_q with gap_q <= gap_p: along n the bodies move as planes, so
// while no q is penetrated p is not either, and every force that p can carry is carried by the q.
//
// Method. The corners of a convex polygon, given in order, are all needed: one pass around them
// tells. Otherwise points are examined from the shallowest to the deepest against those still
// there, so of two equal points one stays. For one point the wedge of directions towards the others
// is grown until it holds all of them (p is a corner or outside: keep) or no half-plane can (p is
// inside: drop). Cost O(n), else O(n^2); n is 4 or 8 as a rule.
//
// A manifold holds RG_MANIFOLD_MAX points. Faces with more corners take several with one normal, so that
// none is lost and small manifolds stay small. Where more than that many corners are not those of one flat
// face (a wall, the facets of a round hull), the deepest is kept and then those farthest from one another.
#include "collide/pair/pairs.h"

// Points closer than this part of the manifold's width count as one, and as on the line they are
// this close to. Above what a solver leaves of a flush stack's alignment, so that its contacts do
// not come and go; below any overhang that matters.
static const double MERGE_TOLERANCE = 1e-7;

enum { REDUCE_MAX = 512 }; // longest array examined at once; what is beyond it is thinned first

rgManifold* rg_manifold_begin(rgManifoldList* list, rgVec3 normal, uint32_t key) {
  if (list->count >= list->capacity) {
    list->overflow = true;
    return NULL;
  }
  rgManifold* manifold = &list->items[list->count++];
  manifold->normal = normal;
  manifold->count = 0;
  manifold->key = key;
  return manifold;
}

// Full: choose among the points there are and the new one. False when more than `limit` of them are needed.
static bool add_to_full(rgManifold* manifold, rgManifoldPoint point, int limit) {
  rgManifoldPoint all[RG_MANIFOLD_MAX + 1];
  for (int i = 0; i < RG_MANIFOLD_MAX; i++)
    all[i] = manifold->points[i];
  all[RG_MANIFOLD_MAX] = point;
  int count = rg_manifold_reduce_points(manifold->normal, all, RG_MANIFOLD_MAX + 1, limit);
  if (count > RG_MANIFOLD_MAX)
    return false;
  manifold->count = count;
  for (int i = 0; i < count; i++)
    manifold->points[i] = all[i];
  return true;
}

bool rg_manifold_try(rgManifold* manifold, rgManifoldPoint point) {
  if (manifold->count == RG_MANIFOLD_MAX)
    return add_to_full(manifold, point, RG_MANIFOLD_MAX + 1);
  manifold->points[manifold->count++] = point;
  return true;
}

void rg_manifold_add(rgManifold* manifold, rgVec3 point_a, rgVec3 point_b, double gap,
                     uint32_t feature) {
  rgManifoldPoint point = {point_a, point_b, gap, feature};
  if (!rg_manifold_try(manifold, point))
    add_to_full(manifold, point, RG_MANIFOLD_MAX);
}

void rg_manifold_write(rgManifoldList* list, rgVec3 normal, const rgManifoldPoint* points,
                       int count) {
  rgManifold* manifold = NULL;
  for (int i = 0; i < count; i++) {
    if (i % RG_MANIFOLD_MAX == 0)
      manifold = rg_manifold_begin(list, normal, 0);
    if (!manifold)
      return;
    manifold->points[manifold->count++] = points[i];
  }
}

typedef struct Planar {
  double x, y, gap;
  bool kept;
} Planar;

static double planar_cross(Planar a, Planar b) { return a.x * b.y - a.y * b.x; }
static double planar_dot(Planar a, Planar b) { return a.x * b.x + a.y * b.y; }
static double planar_distance2(Planar a, Planar b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// Two coordinates of the points moved along the normal into the plane of the first. Those are taken
// along which the normal is short, so that shapes are distorted by a factor of at most three.
// Returns the width of the set.
static double flatten(rgVec3 n, const rgManifoldPoint* points, int count, Planar* out) {
  rgVec3 m = v3_abs(n);
  int drop = m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2);
  double width = 0;
  for (int i = 0; i < count; i++) {
    rgVec3 d = v3_sub(points[i].point_a, points[0].point_a);
    d = v3_axpy(d, -v3_dot(n, d), n);
    double x = drop == 0 ? d.y : d.x, y = drop == 2 ? d.y : d.z;
    out[i] = (Planar){x, y, points[i].gap, true};
    double most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    width = most > width ? most : width;
  }
  return width;
}

// True when the points are, in their order, the corners of a convex polygon, each more than
// `tolerance` outside the line of its neighbours.
static bool convex_polygon(const Planar* points, int count, double tolerance) {
  int changes = 0; // between going left and right: two when the outline goes around once
  double sense = 0;
  Planar last = points[count - 1], before = points[count - 2];
  double x = last.x - before.x, y = last.y - before.y;
  for (int i = 0; i < count; i++) {
    double next_x = points[i].x - last.x, next_y = points[i].y - last.y;
    double area = x * next_y - y * next_x;
    double allowed = tolerance * (fabs(x) + fabs(y) + fabs(next_x) + fabs(next_y));
    if (i == 0)
      sense = area > 0 ? 1 : -1;
    if (!(sense * area > allowed))
      return false;
    changes += (x < 0) != (next_x < 0);
    last = points[i];
    x = next_x;
    y = next_y;
  }
  return changes == 2;
}

// True when p lies within `tolerance` of the hull of the kept points at least as deep.
static bool redundant(const Planar* points, int count, int p, double tolerance) {
  Planar low = {0},
         high = {0}; // the wedge, counter-clockwise from low to high, less than a half turn
  bool empty = true;
  for (int i = 0; i < count; i++) {
    if (i == p || !points[i].kept || points[i].gap > points[p].gap + tolerance)
      continue;
    Planar d = {points[i].x - points[p].x, points[i].y - points[p].y, 0, true};
    if (planar_dot(d, d) <= tolerance * tolerance)
      return true;
    if (empty) {
      low = high = d;
      empty = false;
      continue;
    }
    double from_low = planar_cross(low, d), to_high = planar_cross(d, high);
    if (from_low < 0 && to_high < 0)
      return true;
    if ((from_low == 0 && planar_dot(low, d) < 0) || (to_high == 0 && planar_dot(d, high) < 0))
      return true;
    if (from_low < 0)
      low = d;
    else if (to_high < 0)
      high = d;
  }
  if (empty || planar_dot(low, high) >= 0)
    return false;
  return planar_cross(low, high) <= tolerance * sqrt(planar_distance2(low, high));
}

// Shallowest point not yet examined; of equals the last. Negative when all are done.
static int next_shallowest(const Planar* points, const bool* examined, int count) {
  int found = -1;
  for (int i = 0; i < count; i++)
    if (!examined[i] && (found < 0 || points[i].gap >= points[found].gap))
      found = i;
  return found;
}

// Keeps `limit` of the kept points: the deepest, then each time the one farthest from those chosen.
static void thin(Planar* points, int count, int limit) {
  double nearest[REDUCE_MAX]; // squared distance to the chosen points
  int chosen = -1;
  for (int i = 0; i < count; i++)
    if (points[i].kept && (chosen < 0 || points[i].gap < points[chosen].gap))
      chosen = i;
  for (int i = 0; i < count; i++)
    nearest[i] = points[i].kept ? HUGE_VAL : -1;
  for (int n = 0; n < limit && chosen >= 0; n++) {
    nearest[chosen] = -2; // taken
    int next = -1;
    for (int i = 0; i < count; i++) {
      if (nearest[i] < 0)
        continue;
      double d = planar_distance2(points[i], points[chosen]);
      nearest[i] = d < nearest[i] ? d : nearest[i];
      next = next < 0 || nearest[i] > nearest[next] ? i : next;
    }
    chosen = next;
  }
  for (int i = 0; i < count; i++)
    points[i].kept = nearest[i] == -2;
}

static int compact(rgManifoldPoint* points, const Planar* planar, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (planar[i].kept)
      points[kept++] = points[i];
  return kept;
}

// The first `fixed` points stay, whatever the limit, which is that of the others.
static int reduce_some(rgVec3 normal, rgManifoldPoint* points, int fixed, int count, int limit) {
  Planar planar[REDUCE_MAX];
  double tolerance = MERGE_TOLERANCE * flatten(normal, points, count, planar);
  if (count >= 3 && count <= fixed + limit && convex_polygon(planar, count, tolerance))
    return count;
  bool examined[REDUCE_MAX];
  for (int i = 0; i < count; i++)
    examined[i] = i < fixed;
  int kept = count;
  for (int i = fixed; i < count; i++) {
    int p = next_shallowest(planar, examined, count);
    examined[p] = true;
    if (redundant(planar, count, p, tolerance)) {
      planar[p].kept = false;
      kept--;
    }
  }
  if (kept - fixed > limit) {
    thin(planar + fixed, count - fixed, limit);
    kept = fixed + limit;
  }
  return kept == count ? count : compact(points, planar, count);
}

int rg_manifold_reduce_points(rgVec3 normal, rgManifoldPoint* points, int count, int limit) {
  while (count > REDUCE_MAX) { // fold the tail into the first points, a half buffer at a time
    int kept = reduce_some(normal, points, 0, REDUCE_MAX, REDUCE_MAX / 2);
    for (int i = REDUCE_MAX; i < count; i++)
      points[kept + i - REDUCE_MAX] = points[i];
    count += kept - REDUCE_MAX;
  }
  return count < 2 ? count : reduce_some(normal, points, 0, count, limit);
}

int rg_manifold_reduce_beyond(rgVec3 normal, rgManifoldPoint* points, int fixed, int count,
                              int limit) {
  return count < 2 ? count : reduce_some(normal, points, fixed, count, limit);
}

void rg_manifold_reduce(rgManifold* manifold) {
  manifold->count = rg_manifold_reduce_points(manifold->normal, manifold->points, manifold->count,
                                              RG_MANIFOLD_MAX);
}
