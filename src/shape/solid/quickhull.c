// quickhull.c - triangulated convex hull of points, exact on a fine grid.
//
// Problem:  the boundary of conv{x_1, .., x_n} as triangles (a, b, c), counter-clockwise from
//           outside, no point strictly outside any of them.
//
// Method:   Quickhull (Barber, Dobkin, Huhdanpaa 1996, section 2). From a first tetrahedron on,
//           take the farthest of the points outside a face; remove the faces that see it, which
//           form a disk; close the hole with the triangles between its rim and the point; hand
//           the points of the removed faces over to the new ones.
//
// Signs     are exact. Points are rounded to a grid with 2^39 to 2^40 steps per half-width (2e-12
//           of it; the returned indices still mean the given points). A point p is outside
//           (a, b, c) when det(b - a, c - a, p - a) > 0: differences need 42 bits, the normal 84,
//           the sum 127, so that 128-bit integers decide it without error; a floating-point bound
//           answers first in nearly all cases. With exact signs the faces that see a point
//           (coplanar ones do not) are whole faces of a true polytope: their rim is one simple
//           loop, no new triangle is degenerate, and the hull grows until no point is outside.
//           Nothing depends on a tolerance.
//
// Cost:     O(n log n) expected, O(n^2) at worst; 0.5 kB of scratch per point.
//
// Fails     only when the points lie in a plane, on a line or at one place, to `flatness`.
#include "shape/solid/quickhull.h"
#include "base/memory.h"
#include "base/message.h"

__extension__ typedef __int128 Wide; // up to 127 bits and sign

// [-] Hulls thinner than this fraction of their width are refused: the directions of their side
// faces would have lost half the digits that the grid has.
static const double flatness = 1e-7;

enum { GRID_BITS = 40, NONE = -1 };

typedef struct Cell {
  int64_t x[3]; // at most 2^GRID_BITS in size
} Cell;

typedef struct Face {
  int vertex[3];
  int neighbour[3];  // across the edge vertex[i] -> vertex[i + 1]
  int first_outside; // list of the points this face is the conflict of, through next_point
  int farthest;      // of these
  double farthest_height;
  int mark;  // the insertion that last looked at this face; NONE for a free entry
  bool seen; // by the point of that insertion
  Wide normal[3];
  double normal_near[3]; // the same, rounded
  double normal_length;
} Face;

// An edge on the rim of the hole, seen from the face that stays.
typedef struct RimEdge {
  int face, edge;
} RimEdge;

typedef struct Hull {
  int point_count;
  Cell* cells;
  int* next_point; // in the outside list
  int* owner;      // face in whose list a point is, or NONE
  int* rim_face;   // by vertex: the new face whose rim edge starts there
  Face* faces;
  int face_used; // entries; some of them may be free
  int* free_faces;
  int free_count;
  int* stack;     // faces: work list of the search, then those that close the hole
  int* seen_list; // faces that the point sees
  RimEdge* rim;
  int insertions;
  rgHullTriangle* triangles; // the result
} Hull;

static size_t layout(int point_count, void* scratch, Hull* hull) {
  rgCarver carver = {scratch, 0};
  size_t n = (size_t)point_count, faces = 2 * n; // 2 V - 4 at most
  hull->point_count = point_count;
  hull->cells = rg_carve(&carver, n, sizeof(Cell));
  hull->next_point = rg_carve(&carver, n, sizeof(int));
  hull->owner = rg_carve(&carver, n, sizeof(int));
  hull->rim_face = rg_carve(&carver, n, sizeof(int));
  hull->faces = rg_carve(&carver, faces, sizeof(Face));
  hull->free_faces = rg_carve(&carver, faces, sizeof(int));
  hull->stack = rg_carve(&carver, faces, sizeof(int));
  hull->seen_list = rg_carve(&carver, faces, sizeof(int));
  hull->rim = rg_carve(&carver, faces, sizeof(RimEdge));
  hull->triangles = rg_carve(&carver, faces, sizeof(rgHullTriangle));
  return carver.used;
}

size_t rg_quickhull_scratch(int point_count) {
  Hull hull;
  return layout(point_count, NULL, &hull);
}

// --- exact geometry on the grid ------------------------------------------------------------------

// Rounds the points to the grid about the middle of their bounds. Returns the width of a cell, or 0
// when all points are at one place; *extent is the largest half-width.
static double snap(const rgVec3* points, int count, Cell* cells, double* extent) {
  rgBounds box = {points[0], points[0]};
  for (int i = 1; i < count; i++) {
    box.lower = v3_min(box.lower, points[i]);
    box.upper = v3_max(box.upper, points[i]);
  }
  // Halves first: the sum and the difference of huge coordinates must not overflow.
  rgVec3 middle = v3_add(v3_scale(box.lower, 0.5), v3_scale(box.upper, 0.5));
  *extent = v3_max_abs(v3_sub(v3_scale(box.upper, 0.5), v3_scale(box.lower, 0.5)));
  if (!(*extent > 0))
    return 0;
  // A power of two keeps the scaling exact.
  int exponent;
  frexp(*extent, &exponent);
  int bits = GRID_BITS - exponent;
  for (int i = 0; i < count; i++) {
    rgVec3 p = v3_sub(points[i], middle);
    cells[i].x[0] = (int64_t)floor(ldexp(p.x, bits) + 0.5);
    cells[i].x[1] = (int64_t)floor(ldexp(p.y, bits) + 0.5);
    cells[i].x[2] = (int64_t)floor(ldexp(p.z, bits) + 0.5);
  }
  return ldexp(1, -bits);
}

static void difference(const Cell* a, const Cell* b, int64_t d[3]) {
  for (int i = 0; i < 3; i++)
    d[i] = a->x[i] - b->x[i];
}

static rgVec3 difference_near(const Cell* a, const Cell* b) {
  return v3((double)(a->x[0] - b->x[0]), (double)(a->x[1] - b->x[1]), (double)(a->x[2] - b->x[2]));
}

static void set_plane(const Hull* hull, Face* face) {
  int64_t u[3], v[3];
  const Cell* a = &hull->cells[face->vertex[0]];
  difference(&hull->cells[face->vertex[1]], a, u);
  difference(&hull->cells[face->vertex[2]], a, v);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    face->normal[i] = (Wide)u[j] * v[k] - (Wide)u[k] * v[j];
    face->normal_near[i] = (double)face->normal[i];
  }
  double* n = face->normal_near;
  face->normal_length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Sign of normal . (p - a); *height is its approximate value divided by |normal|.
static int side(const Hull* hull, const Face* face, int point, double* height) {
  int64_t d[3];
  difference(&hull->cells[point], &hull->cells[face->vertex[0]], d);
  const double* n = face->normal_near;
  double x = n[0] * (double)d[0], y = n[1] * (double)d[1], z = n[2] * (double)d[2];
  double sum = x + y + z;
  // The differences are exact; normal, products and two sums are rounded: 4 half-ulps of the sum of
  // absolute values at most, taken twice.
  const double bound = 0x1p-50;
  double error = bound * (fabs(x) + fabs(y) + fabs(z));
  *height = sum / face->normal_length;
  if (sum > error)
    return 1;
  if (sum < -error)
    return -1;
  Wide exact = face->normal[0] * d[0] + face->normal[1] * d[1] + face->normal[2] * d[2];
  return exact > 0 ? 1 : exact < 0 ? -1 : 0;
}

// --- faces and outside lists ---------------------------------------------------------------------

static int new_face(Hull* hull, int a, int b, int c) {
  int entry = hull->free_count > 0 ? hull->free_faces[--hull->free_count] : hull->face_used++;
  Face* face = &hull->faces[entry];
  *face = (Face){
      .vertex = {a, b, c},
      .neighbour = {NONE, NONE, NONE},
      .first_outside = NONE,
      .farthest = NONE,
      .mark = 0,
  };
  set_plane(hull, face);
  return entry;
}

// Makes `point` a conflict of the first of the faces that it is outside of, or of none.
static void hand_over(Hull* hull, int point, const int* entries, int count) {
  for (int i = 0; i < count; i++) {
    Face* face = &hull->faces[entries[i]];
    double height;
    if (side(hull, face, point, &height) <= 0)
      continue;
    hull->owner[point] = entries[i];
    hull->next_point[point] = face->first_outside;
    face->first_outside = point;
    if (face->farthest == NONE || height > face->farthest_height) {
      face->farthest = point;
      face->farthest_height = height;
    }
    return;
  }
  hull->owner[point] = NONE;
}

// Edge of `face` that leads to `neighbour`.
static int edge_to(const Face* face, int neighbour) {
  return face->neighbour[0] == neighbour ? 0 : face->neighbour[1] == neighbour ? 1 : 2;
}

// --- insertion of a point ------------------------------------------------------------------------

// Faces that see `point`, by search from `start`, into seen_list; the rim around them into rim.
static void search_seen(Hull* hull, int point, int start, int* seen_count, int* rim_count) {
  int top = 0;
  *seen_count = *rim_count = 0;
  hull->faces[start].mark = hull->insertions;
  hull->faces[start].seen = true;
  hull->stack[top++] = start;
  while (top > 0) {
    int entry = hull->stack[--top];
    hull->seen_list[(*seen_count)++] = entry;
    for (int e = 0; e < 3; e++) {
      int other = hull->faces[entry].neighbour[e];
      Face* face = &hull->faces[other];
      if (face->mark != hull->insertions) {
        double height;
        face->mark = hull->insertions;
        face->seen = side(hull, face, point, &height) > 0;
        if (face->seen)
          hull->stack[top++] = other;
      }
      if (!face->seen)
        hull->rim[(*rim_count)++] = (RimEdge){other, edge_to(face, entry)};
    }
  }
}

// Frees the seen faces and chains their outside points, without `point`; returns the chain.
static int remove_seen(Hull* hull, int point, int seen_count) {
  int chain = NONE;
  for (int i = 0; i < seen_count; i++) {
    Face* face = &hull->faces[hull->seen_list[i]];
    for (int p = face->first_outside, next; p != NONE; p = next) {
      next = hull->next_point[p];
      if (p == point)
        continue;
      hull->next_point[p] = chain;
      chain = p;
    }
    face->mark = NONE;
    hull->free_faces[hull->free_count++] = hull->seen_list[i];
  }
  return chain;
}

// Triangles between the rim and `point`; their entries are left in stack.
static void close_hole(Hull* hull, int point, int rim_count) {
  for (int i = 0; i < rim_count; i++) {
    RimEdge rim = hull->rim[i];
    Face* outer = &hull->faces[rim.face];
    int tail = outer->vertex[(rim.edge + 1) % 3], head = outer->vertex[rim.edge];
    int entry = new_face(hull, tail, head, point);
    outer->neighbour[rim.edge] = entry;
    hull->faces[entry].neighbour[0] = rim.face;
    hull->rim_face[tail] = entry;
    hull->stack[i] = entry;
  }
  // The face that goes on where this one's rim edge ends is its neighbour across head -> point.
  for (int i = 0; i < rim_count; i++) {
    int entry = hull->stack[i];
    int next = hull->rim_face[hull->faces[entry].vertex[1]];
    hull->faces[entry].neighbour[1] = next;
    hull->faces[next].neighbour[2] = entry;
  }
}

static void insert(Hull* hull, int point) {
  int seen_count, rim_count;
  hull->insertions++;
  search_seen(hull, point, hull->owner[point], &seen_count, &rim_count);
  int chain = remove_seen(hull, point, seen_count);
  close_hole(hull, point, rim_count);
  hull->owner[point] = NONE;
  for (int p = chain, next; p != NONE; p = next) {
    next = hull->next_point[p];
    hand_over(hull, p, hull->stack, rim_count);
  }
}

// --- the first tetrahedron -----------------------------------------------------------------------

static int farthest_from_point(const Hull* hull, int a) {
  int best = a;
  double best_distance = 0;
  for (int i = 0; i < hull->point_count; i++) {
    double distance = v3_norm2(difference_near(&hull->cells[i], &hull->cells[a]));
    if (distance > best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

// The point farthest from the line ab; *distance in cells.
static int farthest_from_line(const Hull* hull, int a, int b, double* distance) {
  rgVec3 ab = difference_near(&hull->cells[b], &hull->cells[a]);
  int best = a;
  double best_cross = 0;
  for (int i = 0; i < hull->point_count; i++) {
    rgVec3 ai = difference_near(&hull->cells[i], &hull->cells[a]);
    double cross = v3_norm2(v3_cross(ab, ai));
    if (cross > best_cross) {
      best = i;
      best_cross = cross;
    }
  }
  *distance = sqrt(best_cross / v3_norm2(ab));
  return best;
}

// The point farthest from the plane of `face`; *height in cells, with its sign.
static int farthest_from_plane(const Hull* hull, const Face* face, double* height) {
  int best = face->vertex[0];
  *height = 0;
  for (int i = 0; i < hull->point_count; i++) {
    double h;
    side(hull, face, i, &h);
    if (fabs(h) > fabs(*height)) {
      best = i;
      *height = h;
    }
  }
  return best;
}

static rgStatus refuse(rgMessage* message, const char* where) {
  return rg_fail(message, RG_ERROR_INPUT,
                 "points lie %s (to %g of their width), must span a volume", where, flatness);
}

// Four points far apart. A point farthest from some point, the one farthest from that, from
// their line and from their plane: the heights fall, so that the last one tells how flat the set
// is.
static rgStatus first_tetrahedron(Hull* hull, double cell, rgHullSurface* surface,
                                  rgMessage* message) {
  int a = farthest_from_point(hull, 0);
  int b = farthest_from_point(hull, a);
  double limit = flatness * surface->extent / cell; // in cells
  double distance, height;
  int c = farthest_from_line(hull, a, b, &distance);
  if (!(distance > limit))
    return refuse(message, "on one line");
  Face base = {.vertex = {a, b, c}};
  set_plane(hull, &base);
  int d = farthest_from_plane(hull, &base, &height);
  if (!(fabs(height) > limit))
    return refuse(message, "in one plane");
  surface->thickness = fabs(height) * cell;
  if (height > 0) { // abc must look away from d
    int swap = b;
    b = c;
    c = swap;
  }

  int f[4] = {new_face(hull, a, b, c), new_face(hull, b, a, d), new_face(hull, c, b, d),
              new_face(hull, a, c, d)};
  const int neighbours[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  for (int i = 0; i < 4; i++)
    for (int e = 0; e < 3; e++)
      hull->faces[f[i]].neighbour[e] = f[neighbours[i][e]];
  for (int p = 0; p < hull->point_count; p++)
    hand_over(hull, p, f, 4);
  return RG_OK;
}

// --- the result ----------------------------------------------------------------------------------

// Living faces, renumbered without gaps.
static int gather(Hull* hull) {
  int count = 0;
  int* number = hull->stack;
  for (int i = 0; i < hull->face_used; i++)
    number[i] = hull->faces[i].mark == NONE ? NONE : count++;
  for (int i = 0; i < hull->face_used; i++) {
    if (number[i] == NONE)
      continue;
    const Face* face = &hull->faces[i];
    rgHullTriangle* triangle = &hull->triangles[number[i]];
    const double* n = face->normal_near;
    double length = face->normal_length;
    triangle->normal = v3(n[0] / length, n[1] / length, n[2] / length);
    triangle->area = 0.5 * length;
    for (int e = 0; e < 3; e++) {
      const Face* other = &hull->faces[face->neighbour[e]];
      int opposite = other->vertex[(edge_to(other, i) + 2) % 3];
      double height;
      triangle->vertex[e] = face->vertex[e];
      triangle->neighbour[e] = number[face->neighbour[e]];
      triangle->flat[e] = side(hull, face, opposite, &height) == 0;
    }
  }
  return count;
}

rgStatus rg_quickhull(const rgVec3* points, int point_count, void* scratch, rgHullSurface* surface,
                      rgMessage* message) {
  Hull hull = {0};
  layout(point_count, scratch, &hull);
  double cell = snap(points, point_count, hull.cells, &surface->extent);
  if (cell == 0)
    return refuse(message, "at one place");
  rgStatus status = first_tetrahedron(&hull, cell, surface, message);
  if (status != RG_OK)
    return status;
  // The farthest point of a face is taken before the others; each insertion removes its face.
  for (int p = 0; p < point_count; p++)
    while (hull.owner[p] != NONE)
      insert(&hull, hull.faces[hull.owner[p]].farthest);
  surface->triangles = hull.triangles;
  surface->triangle_count = gather(&hull);
  return RG_OK;
}
