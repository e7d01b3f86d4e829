// faces.c - from a triangulated hull to polygon faces.
//
// Problem:  coordinates come with 6 or 7 digits, so that the corners of a pentagon lie in one plane
//           only to that many. The exact hull of such points has three triangles there, and
//           slivers of any direction along its edges. Contact needs one pentagon.
//
// Method:   faces grow from the triangles in order of falling area. A triangle joins its
//           neighbour's face when its corners lie within `tolerance` below the plane of the first
//           triangle (nothing lies above: the plane supports the hull) and it faces the same side.
//           A sliver between two faces faces the side of one of them at least and joins it. Over
//           the grown face the surface is the graph of a concave function with values in
//           [-tolerance, 0], so that faces have no holes. Vertices that are left with two faces
//           lie on an edge between them and vanish, those with one lie inside a face.
//
//           The result is then checked: one loop per face, at least three vertices in each loop and
//           three faces at each vertex, loops convex and vanished vertices near their edge to a few
//           tolerances. If a check fails (tolerance and details are of one size) everything is
//           done again with a tenth of the tolerance, at last with exact coplanarity on the grid of
//           the hull, for which all of this holds without rounding.
//
// Cost:     linear in triangles but for one sort; 0.2 kB of scratch per point.
#include "shape/solid/faces.h"
#include "base/memory.h"
#include "shape/solid/sort.h"

// [-] Distance from a common plane, relative to the largest half-width: 6-digit coordinates leave
// up to 5e-7 each, a few times that after extrapolation over a polygon.
static const double planar_tolerance = 1e-5;
// [-] No more than this part of the thickness, so that a thin plate keeps its two sides.
static const double thickness_tolerance = 1e-3;
// [-] Below this, relative to the largest half-width, the grid of the hull decides.
static const double exact_below = 1e-11;
// [-] Corners of a face lie within one tolerance of their plane, hence a vertex on the edge of two
// faces within a small multiple of the edge unless the two are nearly parallel.
static const double edge_slack = 4;

enum { NONE = -1 };

// A directed edge of a triangle.
typedef struct Edge {
  int triangle, side;
} Edge;

typedef struct Work {
  const rgVec3* points;
  const rgHullTriangle* triangles;
  int point_count, triangle_count;
  double tolerance;   // [m] 0 = exact
  int* order;         // triangles by falling area
  int* sort_space;    // for sorting
  int* queue;         // triangles of the growing face
  int* face_of;       // by triangle
  int* ways;          // by point: face borders that leave it
  int* number;        // by point: vertex, or NONE
  int* last_face;     // by vertex: the last face whose loop came through
  int* border_count;  // by face: triangle edges on its border
  Edge* first_border; // by face: the border edge that starts at its lowest vertex
} Work;

static size_t layout(int point_count, void* scratch, Work* work, rgFaces* out) {
  rgCarver carver = {scratch, 0};
  size_t n = (size_t)point_count, triangles = 2 * n;
  work->order = rg_carve(&carver, triangles, sizeof(int));
  work->sort_space = rg_carve(&carver, triangles, sizeof(int));
  work->queue = rg_carve(&carver, triangles, sizeof(int));
  out->face_of = rg_carve(&carver, triangles, sizeof(int));
  work->face_of = out->face_of;
  work->border_count = rg_carve(&carver, triangles, sizeof(int));
  work->first_border = rg_carve(&carver, triangles, sizeof(Edge));
  work->ways = rg_carve(&carver, n, sizeof(int));
  work->number = rg_carve(&carver, n, sizeof(int));
  work->last_face = rg_carve(&carver, n, sizeof(int));
  out->points = rg_carve(&carver, n, sizeof(int));
  out->index_of = rg_carve(&carver, n, sizeof(int));
  out->face_start = rg_carve(&carver, triangles + 1, sizeof(int));
  out->face_seed = rg_carve(&carver, triangles, sizeof(int));
  out->face_loop = rg_carve(&carver, 3 * triangles, sizeof(int));
  out->edges = rg_carve(&carver, 3 * n, sizeof(*out->edges));
  return carver.used;
}

size_t rg_faces_scratch(int point_count) {
  Work work;
  rgFaces out;
  return layout(point_count, NULL, &work, &out);
}

// --- growing faces -------------------------------------------------------------------------------

static bool larger(const void* triangles, int a, int b) {
  return ((const rgHullTriangle*)triangles)[a].area > ((const rgHullTriangle*)triangles)[b].area;
}

static bool joins(const Work* work, const rgHullTriangle* seed, const rgHullTriangle* triangle) {
  if (v3_dot(seed->normal, triangle->normal) <= 0)
    return false;
  rgVec3 origin = work->points[seed->vertex[0]];
  for (int i = 0; i < 3; i++) {
    double height = v3_dot(seed->normal, v3_sub(work->points[triangle->vertex[i]], origin));
    if (height < -work->tolerance)
      return false;
  }
  return true;
}

// Makes a face of a triangle and all that join it.
static void grow_face(Work* work, int seed, int face) {
  int count = 0;
  work->face_of[seed] = face;
  work->queue[count++] = seed;
  for (int k = 0; k < count; k++) {
    const rgHullTriangle* triangle = &work->triangles[work->queue[k]];
    for (int e = 0; e < 3; e++) {
      int next = triangle->neighbour[e];
      bool join = work->tolerance > 0 ? joins(work, &work->triangles[seed], &work->triangles[next])
                                      : triangle->flat[e];
      if (join && work->face_of[next] == NONE) {
        work->face_of[next] = face;
        work->queue[count++] = next;
      }
    }
  }
}

// Gives every triangle a face; returns the number of faces.
static int grow_faces(Work* work, rgFaces* out) {
  int faces = 0;
  for (int i = 0; i < work->triangle_count; i++)
    work->face_of[i] = NONE;
  for (int i = 0; i < work->triangle_count; i++) {
    int seed = work->order[i];
    if (work->face_of[seed] != NONE)
      continue;
    out->face_seed[faces] = seed;
    grow_face(work, seed, faces++);
  }
  return faces;
}

// --- loops ---------------------------------------------------------------------------------------

static Edge following(Edge edge) {
  return edge.side < 2 ? (Edge){edge.triangle, edge.side + 1} : (Edge){edge.triangle + 1, 0};
}
static const rgHullTriangle* triangle_of(const Work* work, Edge edge) {
  return &work->triangles[edge.triangle];
}
static int tail_of(const Work* work, Edge edge) {
  return triangle_of(work, edge)->vertex[edge.side];
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

// Numbers the vertices: points where three or more faces meet. Counts the borders of each face and
// finds the one that starts at its lowest vertex.
static void number_vertices(Work* work, rgFaces* out) {
  for (int i = 0; i < work->point_count; i++)
    work->ways[i] = 0;
  for (int i = 0; i < out->face_count; i++) {
    work->border_count[i] = 0;
    work->first_border[i].triangle = NONE;
  }
  for (Edge e = {0, 0}; e.triangle < work->triangle_count; e = following(e)) {
    if (!is_border(work, e))
      continue;
    work->ways[tail_of(work, e)]++;
    work->border_count[work->face_of[e.triangle]]++;
  }
  out->vertex_count = 0;
  for (int i = 0; i < work->point_count; i++) {
    work->number[i] = work->ways[i] >= 3 ? out->vertex_count : NONE;
    if (work->ways[i] >= 3)
      out->points[out->vertex_count++] = i;
  }
  for (Edge e = {0, 0}; e.triangle < work->triangle_count; e = following(e)) {
    int tail = work->number[tail_of(work, e)];
    Edge* first = &work->first_border[work->face_of[e.triangle]];
    if (tail == NONE || !is_border(work, e))
      continue;
    if (first->triangle == NONE || tail < work->number[tail_of(work, *first)])
      *first = e;
  }
}

// [m] Distance of b from the line ac.
static double distance_from_line(rgVec3 a, rgVec3 b, rgVec3 c) {
  rgVec3 ac = v3_sub(c, a);
  double length = v3_norm(ac);
  return length > 0 ? v3_norm(v3_cross(ac, v3_sub(b, a))) / length : v3_norm(v3_sub(b, a));
}

// Follows the border from vertex to vertex; returns the border edge that leaves the next vertex.
// Adds the number of border edges passed to *passed, and clears *good when a point passed is far
// from the straight edge.
static Edge next_vertex(const Work* work, Edge start, int* passed, bool* good) {
  Edge end = start;
  do {
    end = next_border(work, end);
    ++*passed;
  } while (work->number[tail_of(work, end)] == NONE);
  rgVec3 a = work->points[tail_of(work, start)], c = work->points[tail_of(work, end)];
  Edge between = next_border(work, start);
  while (work->number[tail_of(work, between)] == NONE) {
    rgVec3 b = work->points[tail_of(work, between)];
    if (work->tolerance > 0 && distance_from_line(a, b, c) > edge_slack * work->tolerance)
      *good = false;
    between = next_border(work, between);
  }
  return end;
}

// Writes the loop of a face behind those before it, and the edges to faces with higher numbers.
// False when the border is not one simple loop along straight edges.
static bool trace_face(Work* work, rgFaces* out, int face, int* loop_count) {
  Edge first = work->first_border[face];
  if (first.triangle == NONE)
    return false;
  bool good = true;
  int passed = 0;
  Edge edge = first;
  out->face_start[face] = *loop_count;
  do {
    Edge next = next_vertex(work, edge, &passed, &good);
    int tail = work->number[tail_of(work, edge)], head = work->number[tail_of(work, next)];
    int other = face_across(work, edge);
    if (work->last_face[tail] == face)
      return false; // the loop touches itself
    work->last_face[tail] = face;
    out->face_loop[(*loop_count)++] = tail;
    if (face < other) {
      int* e = out->edges[out->edge_count++];
      e[0] = tail, e[1] = head, e[2] = face, e[3] = other;
    }
    edge = next;
  } while (edge.triangle != first.triangle || edge.side != first.side);
  out->face_start[face + 1] = *loop_count;
  return good && passed == work->border_count[face] && *loop_count - out->face_start[face] >= 3;
}

// No corner of the loop turns the wrong way by more than a few tolerances. Faces that are exact on
// the grid are convex there; the given points may differ from that by the grid.
static bool loop_convex(const Work* work, const rgFaces* out, int face) {
  if (work->tolerance == 0)
    return true;
  const int* loop = out->face_loop + out->face_start[face];
  int count = out->face_start[face + 1] - out->face_start[face];
  rgVec3 n = work->triangles[out->face_seed[face]].normal;
  for (int i = 0; i < count; i++) {
    rgVec3 a = work->points[out->points[loop[i]]];
    rgVec3 b = work->points[out->points[loop[(i + 1) % count]]];
    rgVec3 c = work->points[out->points[loop[(i + 2) % count]]];
    double turn = v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, b)));
    if (turn < -edge_slack * work->tolerance * v3_norm(v3_sub(c, a)))
      return false;
  }
  return true;
}

// Faces for one tolerance; false when they do not make a sound polyhedron.
static bool try_tolerance(Work* work, rgFaces* out) {
  out->face_count = grow_faces(work, out);
  number_vertices(work, out);
  if (out->vertex_count < 4 || out->face_count < 4)
    return false;
  for (int i = 0; i < out->vertex_count; i++)
    work->last_face[i] = NONE;
  int loop_count = 0;
  out->edge_count = 0;
  for (int face = 0; face < out->face_count; face++)
    if (!trace_face(work, out, face, &loop_count) || !loop_convex(work, out, face))
      return false;
  return out->vertex_count - out->edge_count + out->face_count == 2;
}

// Numbers the corners of triangles: vertices first, those that were dropped behind them.
static void number_hull(const Work* work, rgFaces* out) {
  for (int i = 0; i < work->point_count; i++)
    out->index_of[i] = work->number[i];
  out->hull_count = out->vertex_count;
  for (Edge e = {0, 0}; e.triangle < work->triangle_count; e = following(e)) {
    int point = tail_of(work, e);
    if (out->index_of[point] != NONE)
      continue;
    out->index_of[point] = out->hull_count;
    out->points[out->hull_count++] = point;
  }
}

void rg_faces(const rgHullSurface* surface, const rgVec3* points, int point_count, void* scratch,
              rgFaces* out) {
  Work work = {
      .points = points,
      .triangles = surface->triangles,
      .point_count = point_count,
      .triangle_count = surface->triangle_count,
  };
  layout(point_count, scratch, &work, out);
  work.order = rg_sort(work.triangle_count, larger, work.triangles, work.order, work.sort_space);
  double planar = planar_tolerance * surface->extent;
  double thin = thickness_tolerance * surface->thickness;
  work.tolerance = planar < thin ? planar : thin;
  while (!try_tolerance(&work, out) && work.tolerance > 0) {
    work.tolerance *= 0.1;
    if (work.tolerance < exact_below * surface->extent)
      work.tolerance = 0;
  }
  number_hull(&work, out);
}
