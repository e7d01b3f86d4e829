// polyhedron.c - convex polyhedra: making, farthest vertex, mass.
//
// Farthest vertex: all vertices are visited up to CLIMB_ABOVE of them; when the polyhedron has
// clusters, these tell (clusters.h); in between, and while it is made, one climbs along
// edges of the triangulated hull from a vertex that is right for the signs of the direction. On a
// convex polyhedron a vertex that no neighbour beats is the farthest. The triangulated hull is
// convex to the last digit, the merged faces only to those of the coordinates; so the points that
// merging dropped stay in the graph, behind the vertices, and when one of them wins all vertices
// are visited.
//
// Mass: each face is a fan of triangles (a, b, c), each triangle with a reference point o a
// tetrahedron of signed volume V = a . (b x c) / 6 (coordinates from o), first moment
// V (a + b + c) / 4 and second moment
//
//     int x x' dV = V / 20 (a a' + b b' + c c' + s s'),   s = a + b + c.
//
// With o inside the polyhedron all V are positive and nothing cancels, wherever the frame is.
#include "shape/solid/polyhedron.h"
#include "base/memory.h"
#include "shape/solid/clusters.h"
#include "shape/solid/facing.h"

enum { CLIMB_ABOVE = 40 }; // vertices; below, visiting all is faster (measured)

// The arrays of a polyhedron while they are filled.
typedef struct Parts {
  rgPolyhedron* polyhedron;
  rgVec3* vertices;
  rgVec3* normals;
  double* offsets;
  int* face_start;
  int* face_loop;
  int (*edges)[4];
  int* neighbour_start;
  int* neighbours;
  rgClusters* clusters; // NULL where there are few faces
} Parts;

static size_t layout(const rgFaces* faces, const rgHullSurface* surface, void* memory,
                     Parts* parts) {
  rgCarver carver = {memory, 0};
  bool climb = faces->vertex_count > CLIMB_ABOVE;
  size_t vertices = (size_t)(climb ? faces->hull_count : faces->vertex_count);
  size_t face_count = (size_t)faces->face_count, edges = (size_t)faces->edge_count;
  size_t ways = 3 * (size_t)surface->triangle_count;
  parts->polyhedron = rg_carve(&carver, 1, sizeof(rgPolyhedron));
  parts->vertices = rg_carve(&carver, vertices, sizeof(rgVec3));
  parts->normals = rg_carve(&carver, face_count, sizeof(rgVec3));
  parts->offsets = rg_carve(&carver, face_count, sizeof(double));
  parts->face_start = rg_carve(&carver, face_count + 1, sizeof(int));
  parts->face_loop = rg_carve(&carver, 2 * edges, sizeof(int));
  parts->edges = rg_carve(&carver, edges, sizeof(*parts->edges));
  parts->neighbour_start = climb ? rg_carve(&carver, vertices + 1, sizeof(int)) : NULL;
  parts->neighbours = climb ? rg_carve(&carver, ways, sizeof(int)) : NULL;
  parts->clusters =
      rg_clusters_carve(&carver, faces->face_count, faces->edge_count, faces->vertex_count);
  return carver.used;
}

size_t rg_polyhedron_size(const rgFaces* faces, const rgHullSurface* surface) {
  Parts parts;
  return layout(faces, surface, NULL, &parts);
}

// Twice the vector area of a face loop. Its direction is the normal of the plane that fits best
// when the corners are not quite in one.
static rgVec3 vector_area(const rgVec3* vertices, const int* loop, int count) {
  rgVec3 sum = v3_zero();
  for (int i = 1; i + 1 < count; i++)
    sum = v3_add(sum, rg_twice_area(vertices[loop[0]], vertices[loop[i]], vertices[loop[i + 1]]));
  return sum;
}

// Normal of a face; that of its largest triangle when the loop has no area to tell one.
static rgVec3 face_normal(const Parts* parts, int face, rgVec3 fallback) {
  int start = parts->face_start[face];
  rgVec3 area =
      vector_area(parts->vertices, parts->face_loop + start, parts->face_start[face + 1] - start);
  double length = v3_norm(area);
  if (!(length > 0 && isfinite(length) && v3_dot(area, fallback) > 0))
    return fallback;
  return v3(area.x / length, area.y / length, area.z / length); // exact along an axis
}

// Normals, and planes as far out as the farthest corner of the triangles of a face.
static void set_planes(Parts* parts, const rgFaces* faces, const rgHullSurface* surface,
                       const rgVec3* points) {
  for (int face = 0; face < faces->face_count; face++) {
    rgVec3 fallback = surface->triangles[faces->face_seed[face]].normal;
    parts->normals[face] = face_normal(parts, face, fallback);
    parts->offsets[face] = -HUGE_VAL;
  }
  for (int t = 0; t < surface->triangle_count; t++) {
    int face = faces->face_of[t];
    for (int i = 0; i < 3; i++) {
      double height = v3_dot(parts->normals[face], points[surface->triangles[t].vertex[i]]);
      parts->offsets[face] = height > parts->offsets[face] ? height : parts->offsets[face];
    }
  }
}

// Moves the planes out until no vertex is above any; where faces are not quite planar, the fitted
// plane of one may cut the corner of another.
static void enclose_vertices(Parts* parts) {
  const rgPolyhedron* polyhedron = parts->polyhedron;
  for (int face = 0; face < polyhedron->face_count; face++) {
    rgVec3 n = parts->normals[face];
    double height = v3_dot(n, parts->vertices[rg_polyhedron_farthest(polyhedron, n)]);
    parts->offsets[face] = height > parts->offsets[face] ? height : parts->offsets[face];
  }
}

// Neighbours of each corner of the triangulated hull: where the edges that leave it lead.
static void set_neighbours(Parts* parts, const rgFaces* faces, const rgHullSurface* surface) {
  int* start = parts->neighbour_start;
  for (int t = 0; t < surface->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      start[faces->index_of[surface->triangles[t].vertex[i]] + 1]++;
  for (int v = 0; v < faces->hull_count; v++)
    start[v + 1] += start[v];
  // Filling moves each start to its end, which is the next one's start; then all move back by one.
  for (int t = 0; t < surface->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      const int* corner = surface->triangles[t].vertex;
      int from = faces->index_of[corner[i]], to = faces->index_of[corner[(i + 1) % 3]];
      parts->neighbours[start[from]++] = to;
    }
  for (int v = faces->hull_count; v > 0; v--)
    start[v] = start[v - 1];
  start[0] = 0;
}

static int farthest_of_all(const rgPolyhedron* polyhedron, rgVec3 d) {
  int best = 0;
  double best_height = v3_dot(d, polyhedron->vertices[0]);
  for (int i = 1; i < polyhedron->vertex_count; i++) {
    double height = v3_dot(d, polyhedron->vertices[i]);
    if (height > best_height) {
      best_height = height;
      best = i;
    }
  }
  return best;
}

static void prepare_climbing(Parts* parts, const rgFaces* faces, const rgHullSurface* surface,
                             const rgVec3* points) {
  rgPolyhedron* polyhedron = parts->polyhedron;
  for (int i = faces->vertex_count; i < faces->hull_count; i++)
    parts->vertices[i] = points[faces->points[i]];
  set_neighbours(parts, faces, surface);
  for (int i = 0; i < 8; i++) {
    rgVec3 d = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    polyhedron->climb_start[i] = farthest_of_all(polyhedron, d);
  }
  polyhedron->neighbour_start = parts->neighbour_start;
  polyhedron->neighbours = parts->neighbours;
}

rgPolyhedron* rg_polyhedron_make(const rgFaces* faces, const rgHullSurface* surface,
                                 const rgVec3* points, void* memory) {
  Parts parts;
  layout(faces, surface, memory, &parts);
  for (int i = 0; i < faces->vertex_count; i++)
    parts.vertices[i] = points[faces->points[i]];
  for (int i = 0; i <= faces->face_count; i++)
    parts.face_start[i] = faces->face_start[i];
  for (int i = 0; i < 2 * faces->edge_count; i++)
    parts.face_loop[i] = faces->face_loop[i];
  for (int i = 0; i < 4 * faces->edge_count; i++)
    parts.edges[i / 4][i % 4] = faces->edges[i / 4][i % 4];
  set_planes(&parts, faces, surface, points);
  *parts.polyhedron = (rgPolyhedron){
      .vertex_count = faces->vertex_count,
      .face_count = faces->face_count,
      .edge_count = faces->edge_count,
      .vertices = parts.vertices,
      .normals = parts.normals,
      .offsets = parts.offsets,
      .face_start = parts.face_start,
      .face_loop = parts.face_loop,
      .edges = (const int(*)[4])parts.edges,
  };
  if (parts.neighbours)
    prepare_climbing(&parts, faces, surface, points);
  enclose_vertices(&parts);
  rgMassProperties mass;
  rg_polyhedron_mass(parts.polyhedron, &mass);
  parts.polyhedron->center = mass.center;
  if (parts.clusters) {
    rg_clusters_make(parts.polyhedron, parts.clusters);
    parts.polyhedron->clusters = parts.clusters;
  }
  return parts.polyhedron;
}

// --- use -----------------------------------------------------------------------------------------

int rg_polyhedron_farthest(const rgPolyhedron* polyhedron, rgVec3 d) {
  if (polyhedron->clusters)
    return rg_clusters_highest(polyhedron, d);
  if (!polyhedron->neighbours)
    return farthest_of_all(polyhedron, d);
  int best = polyhedron->climb_start[(d.x > 0 ? 1 : 0) | (d.y > 0 ? 2 : 0) | (d.z > 0 ? 4 : 0)];
  double best_height = v3_dot(d, polyhedron->vertices[best]);
  for (int from = -1; from != best;) {
    from = best;
    for (int i = polyhedron->neighbour_start[from]; i < polyhedron->neighbour_start[from + 1];
         i++) {
      int next = polyhedron->neighbours[i];
      double height = v3_dot(d, polyhedron->vertices[next]);
      if (height > best_height) {
        best_height = height;
        best = next;
      }
    }
  }
  return best < polyhedron->vertex_count ? best : farthest_of_all(polyhedron, d);
}

double rg_polyhedron_half_width(const rgPolyhedron* polyhedron) {
  double least = HUGE_VAL;
  for (int face = 0; face < polyhedron->face_count; face++) {
    rgVec3 n = polyhedron->normals[face];
    rgVec3 lowest = polyhedron->vertices[rg_polyhedron_farthest(polyhedron, v3_neg(n))];
    double width = polyhedron->offsets[face] - v3_dot(n, lowest);
    least = width < least ? width : least;
  }
  return 0.5 * least;
}

// Sums over all tetrahedra: volume, first moment and second moment about the origin o.
typedef struct Moments {
  double volume;
  rgVec3 first;
  double xx, yy, zz, xy, xz, yz;
} Moments;

static void add_tetrahedron(Moments* sum, rgVec3 a, rgVec3 b, rgVec3 c) {
  double volume = v3_dot(a, v3_cross(b, c)) / 6;
  rgVec3 s = v3_add(v3_add(a, b), c);
  double w = volume / 20;
  sum->volume += volume;
  sum->first = v3_axpy(sum->first, volume / 4, s);
  sum->xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
  sum->yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
  sum->zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
  sum->xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
  sum->xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
  sum->yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

void rg_polyhedron_mass(const rgPolyhedron* polyhedron, rgMassProperties* out) {
  const rgVec3* x = polyhedron->vertices;
  rgVec3 o = v3_zero();
  for (int i = 0; i < polyhedron->vertex_count; i++)
    o = v3_axpy(o, 1.0 / polyhedron->vertex_count, x[i]);

  Moments sum = {0};
  for (int face = 0; face < polyhedron->face_count; face++) {
    const int* loop = polyhedron->face_loop + polyhedron->face_start[face];
    int count = polyhedron->face_start[face + 1] - polyhedron->face_start[face];
    rgVec3 a = v3_sub(x[loop[0]], o);
    for (int i = 1; i + 1 < count; i++)
      add_tetrahedron(&sum, a, v3_sub(x[loop[i]], o), v3_sub(x[loop[i + 1]], o));
  }

  // Second moments about the centre, then inertia = trace - matrix.
  rgVec3 c = v3_scale(sum.first, 1 / sum.volume);
  double m = sum.volume;
  double xx = sum.xx - m * c.x * c.x, yy = sum.yy - m * c.y * c.y, zz = sum.zz - m * c.z * c.z;
  double xy = sum.xy - m * c.x * c.y, xz = sum.xz - m * c.x * c.z, yz = sum.yz - m * c.y * c.z;
  out->mass = m;
  out->center = v3_add(o, c);
  out->inertia = (rgMat3){{{yy + zz, -xy, -xz}, {-xy, zz + xx, -yz}, {-xz, -yz, xx + yy}}};
}
