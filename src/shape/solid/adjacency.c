// adjacency.c - which triangles of a surface share an edge.
//
// Points are sorted by position, equal ones get one number; edges are sorted by the numbers of
// their ends, equal ones then stand side by side. Merge sort with comparisons that end at the
// index, so that the order is total. O(n log n).
#include "shape/solid/adjacency.h"
#include "base/memory.h"
#include "base/message.h"
#include "shape/solid/sort.h"

enum { NONE = -1 };

typedef struct EdgeKey {
  int low, high; // numbers of the ends
} EdgeKey;

typedef struct Work {
  const rgVec3* points;
  EdgeKey* edges;  // 3 per triangle
  int* weld;       // by point: the lowest index of a point at the same place
  int* order;      // of points, then of edges
  int* sort_space; // as long
} Work;

static size_t layout(int point_count, int triangle_count, void* scratch, Work* work) {
  rgCarver carver = {scratch, 0};
  size_t edges = 3 * (size_t)triangle_count;
  size_t longest = edges > (size_t)point_count ? edges : (size_t)point_count;
  work->edges = rg_carve(&carver, edges, sizeof(EdgeKey));
  work->weld = rg_carve(&carver, (size_t)point_count, sizeof(int));
  work->order = rg_carve(&carver, longest, sizeof(int));
  work->sort_space = rg_carve(&carver, longest, sizeof(int));
  return carver.used;
}

size_t rg_adjacency_scratch(int point_count, int triangle_count) {
  Work work;
  return layout(point_count, triangle_count, NULL, &work);
}

static bool point_before(const void* context, int a, int b) {
  const Work* work = context;
  rgVec3 p = work->points[a], q = work->points[b];
  if (p.x != q.x)
    return p.x < q.x;
  return p.y != q.y ? p.y < q.y : p.z < q.z;
}

static bool edge_before(const void* context, int a, int b) {
  const Work* work = context;
  EdgeKey p = work->edges[a], q = work->edges[b];
  return p.low != q.low ? p.low < q.low : p.high < q.high;
}

static void weld_points(Work* work, int point_count) {
  const int* order = rg_sort(point_count, point_before, work, work->order, work->sort_space);
  for (int i = 0; i < point_count; i++) {
    bool same = i > 0 && !point_before(work, order[i - 1], order[i]);
    work->weld[order[i]] = same ? work->weld[order[i - 1]] : order[i];
  }
}

static int tail_of(const Work* work, const int* triangles, int edge) {
  return work->weld[triangles[edge]];
}

rgStatus rg_adjacency(const rgVec3* points, int point_count, const int* triangles,
                      int triangle_count, void* scratch, int* neighbours, rgMessage* message) {
  Work work = {.points = points};
  layout(point_count, triangle_count, scratch, &work);
  weld_points(&work, point_count);

  int edge_count = 3 * triangle_count;
  for (int e = 0; e < edge_count; e++) {
    int a = tail_of(&work, triangles, e);
    int b = tail_of(&work, triangles, e % 3 == 2 ? e - 2 : e + 1);
    work.edges[e] = a < b ? (EdgeKey){a, b} : (EdgeKey){b, a};
    neighbours[e] = NONE;
  }
  const int* order = rg_sort(edge_count, edge_before, &work, work.order, work.sort_space);
  for (int i = 0, end; i < edge_count; i = end) {
    for (end = i + 1; end < edge_count; end++)
      if (edge_before(&work, order[i], order[end]))
        break;
    if (end - i != 2)
      continue;
    int e = order[i], f = order[i + 1];
    if (tail_of(&work, triangles, e) == tail_of(&work, triangles, f))
      return rg_fail(message, RG_ERROR_INPUT,
                     "triangles[%d] and triangles[%d] run the same way along the edge from point "
                     "%d to %d, one of them must be reversed",
                     e / 3, f / 3, triangles[e], triangles[e % 3 == 2 ? e - 2 : e + 1]);
    neighbours[e] = f / 3;
    neighbours[f] = e / 3;
  }
  return RG_OK;
}
