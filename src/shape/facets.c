// facets.c - from a triangulated hull to polygon faces.
//
// Problem:  coordinates come with 6 or 7 digits, so that the corners of a pentagon lie in one plane
//           only to that many. The exact hull of such points has three triangles there, and
//           slivers of any direction along its edges. Contact needs one pentagon.
//
// Method:   faces grow from the triangles in order of falling area. A triangle joins its neighbour's
//           face when its corners lie within `tolerance` below the plane of the first triangle
//           (nothing lies above: the plane supports the hull) and its normal is within 60 degrees
//           of the first one's; a sliver between two faces at up to 120 degrees thus joins one of
//           them. Over the grown face the surface is the graph of a concave function with values in
//           [-tolerance, 0], so that faces have no holes. Vertices that are left with two faces lie
//           on an edge between them and vanish, those with one lie inside a face.
//
//           The result is then checked: one loop per face, at least three vertices in each loop and
//           three faces at each vertex, loops convex and vanished vertices near their edge to a few
//           tolerances. If a check fails (tolerance and details are of one size) everything is
//           done again with a tenth of the tolerance, at last with exact coplanarity on the grid of
//           the hull, for which all of this holds without rounding.
//
// Cost:     linear in triangles but for one sort; 0.2 kB of scratch per point.
#include "shape/facets.h"
#include "base/memory.h"

// [-] Distance from a common plane, relative to the largest half-width: 6-digit coordinates leave up
// to 5e-7 each, a few times that after extrapolation over a polygon.
static const double planar_tolerance = 1e-5;
// [-] No more than this part of the thickness, so that a thin plate keeps its two sides.
static const double thickness_tolerance = 1e-3;
// [-] Below this, relative to the largest half-width, the grid of the hull decides.
static const double exact_below = 1e-11;
// cos 60 degrees
static const double turn_limit = 0.5;
// [-] Corners of a face lie within one tolerance of their plane, hence a vertex on the edge of two
// faces within a small multiple of the edge unless the two are nearly parallel.
static const double edge_slack = 8;

enum { NONE = -1 };

typedef struct Work {
  const rgVec3* points;
  const rgHullTriangle* triangles;
  int point_count, triangle_count;
  double tolerance;     // [m] 0 = exact
  int* order;           // triangles by falling area
  int* sort_space;      // for sorting
  int* queue;           // triangles of the growing face
  int* face_of;         // by triangle
  int* ways;            // by point: face borders that leave it
  int* number;          // by point: vertex, or NONE
  int* edge_count_of;   // by face: border edges
} Work;

static size_t layout(int point_count, void* scratch, Work* work, rgFacets* out) {
  rgCarver carver = {scratch, 0};
  size_t n = (size_t)point_count, triangles = 2 * n;
  work->order = rg_carve(&carver, triangles, sizeof(int));
  work->sort_space = rg_carve(&carver, triangles, sizeof(int));
  work->queue = rg_carve(&carver, triangles, sizeof(int));
  work->face_of = rg_carve(&carver, triangles, sizeof(int));
  work->edge_count_of = rg_carve(&carver, triangles, sizeof(int));
  work->ways = rg_carve(&carver, n, sizeof(int));
  work->number = rg_carve(&carver, n, sizeof(int));
  out->points = rg_carve(&carver, n, sizeof(int));
  out->face_start = rg_carve(&carver, triangles + 1, sizeof(int));
  out->face_seed = rg_carve(&carver, triangles, sizeof(int));
  out->face_loop = rg_carve(&carver, 3 * triangles, sizeof(int));
  out->edges = rg_carve(&carver, 3 * n, sizeof(*out->edges));
  return carver.used;
}

size_t rg_facets_scratch(int point_count) {
  Work work;
  rgFacets out;
  return layout(point_count, NULL, &work, &out);
}

// --- growing faces -------------------------------------------------------------------------------

// Merge sort: stable, so that equal areas keep the order of the triangles.
static void sort_by_area(Work* work) {
  int n = work->triangle_count;
  for (int i = 0; i < n; i++)
    work->order[i] = i;
  for (int width = 1; width < n; width *= 2) {
    for (int start = 0; start < n; start += 2 * width) {
      int middle = start + width < n ? start + width : n;
      int end = start + 2 * width < n ? start + 2 * width : n;
      int i = start, j = middle;
      for (int k = start; k < end; k++) {
        bool take_right = i == middle || (j < end && work->triangles[work->order[j]].area >
                                                         work->triangles[work->order[i]].area);
        work->sort_space[k] = work->order[take_right ? j++ : i++];
      }
    }
    int* swap = work->order;
    work->order = work->sort_space;
    work->sort_space = swap;
  }
}

static bool joins(const Work* work, const rgHullTriangle* seed, const rgHullTriangle* triangle) {
  if (v3_dot(seed->normal, triangle->normal) < turn_limit)
    return false;
  rgVec3 origin = work->points[seed->vertex[0]];
  for (int i = 0; i < 3; i++) {
    double height = v3_dot(seed->normal, v3_sub(work->points[triangle->vertex[i]], origin));
    if (height < -work->tolerance)
      return false;
  }
  return true;
}

// Gives every triangle a face; returns the number of faces.
static int grow_faces(Work* work, rgFacets* out) {
  int faces = 0;
  for (int i = 0; i < work->triangle_count; i++)
    work->face_of[i] = NONE;
  for (int i = 0; i < work->triangle_count; i++) {
    int seed = work->order[i];
    if (work->face_of[seed] != NONE)
      continue;
    int count = 0;
    out->face_seed[faces] = seed;
    work->face_of[seed] = faces;
    work->queue[count++] = seed;
    for (int k = 0; k < count; k++) {
      const rgHullTriangle* triangle = &work->triangles[work->queue[k]];
      for (int e = 0; e < 3; e++) {
        int next = triangle->neighbour[e];
        if (work->face_of[next] != NONE)
          continue;
        if (triangle->flat[e] ||
            (work->tolerance > 0 && joins(work, &work->triangles[seed], &work->triangles[next]))) {
          work->face_of[next] = faces;
          work->queue[count++] = next;
        }
      }
    }
    faces++;
  }
  return faces;
}

// --- loops ---------------------------------------------------------------------------------------

// A directed edge of a triangle.
typedef struct Edge {
  int triangle, side;
} Edge;

static const rgHullTriangle* triangle_of(const Work* work, Edge edge) {
  return &work->triangles[edge.triangle];
}
static int tail_of(const Work* work, Edge edge) {
  return triangle_of(work, edge)->vertex[edge.side];
}
static int head_of(const Work* work, Edge edge) {
  return triangle_of(work, edge)->vertex[(edge.side + 1) % 3];
}
static int face_across(const Work* work, Edge edge) {
  return work->face_of[triangle_of(work, edge)->neighbour[edge.side]];
}
static bool is_border(const Work* work, Edge edge) {
  return face_across(work, edge) != work->face_of[edge.triangle];
}

// The border of the face that goes on where `edge`, a border of it, ends: turns about the head.
static Edge next_border(const Work* work, Edge edge) {
  Edge next = {edge.triangle, (edge.side + 1) % 3};
  while (!is_border(work, next)) {
    int other = triangle_of(work, next)->neighbour[next.side];
    const int* back = work->triangles[other].neighbour;
    int side = back[0] == next.triangle ? 0 : back[1] == next.triangle ? 1 : 2;
    next = (Edge){other, (side + 1) % 3};
  }
  return next;
}

// Counts borders and numbers the vertices: points where three or more faces meet. False when some
// face has fewer than three border edges.
static bool number_vertices(Work* work, rgFacets* out) {
  for (int i = 0; i < work->point_count; i++)
    work->ways[i] = 0;
  for (int i = 0; i < out->face_count; i++)
    work->edge_count_of[i] = 0;
  for (int t = 0; t < work->triangle_count; t++)
    for (int side = 0; side < 3; side++) {
      Edge edge = {t, side};
      if (!is_border(work, edge))
        continue;
      work->ways[tail_of(work, edge)]++;
      work->edge_count_of[work->face_of[t]]++;
    }
  out->vertex_count = 0;
  for (int i = 0; i < work->point_count; i++) {
    work->number[i] = work->ways[i] >= 3 ? out->vertex_count : NONE;
    if (work->ways[i] >= 3)
      out->points[out->vertex_count++] = i;
  }
  return out->vertex_count >= 4 && out->face_count >= 4;
}

// Some border edge of the face that starts at a vertex; triangle NONE when there is none.
static Edge first_border(const Work* work, int face, int seed) {
  // Walk out of the seed triangle: any border will do to begin with.
  for (int t = seed, count = 0; count < work->triangle_count; count++, t = (t + 1)) {
    if (t == work->triangle_count)
      t = 0;
    if (work->face_of[t] != face)
      continue;
    for (int side = 0; side < 3; side++) {
      Edge edge = {t, side};
      if (is_border(work, edge) && work->number[tail_of(work, edge)] != NONE)
        return edge;
    }
  }
  return (Edge){NONE, 0};
}
