// fault_mesh.c - surfaces of triangles with holes, or that face inwards.
//
// Points at equal coordinates are one. Triangles that face opposite sides are refused by the reader. Edges of
// one triangle form rims. A rim bounds a hole or the surface itself: the outer rim of a terrain, the
// opening of a bin or of a pipe. With the vector area a = 1/2 sum p x q over its edges (p, q), |a| is the
// area of the missing patch, to be compared with the area S of the mesh:
//
//     |a| / (S + |a|) > 0.3              the rim of a sheet: as large as the sheet itself
//     in a plane at the end of the mesh,  an opening: no point of the mesh is beyond the plane, and all points
//     not a triangle, and more than 5 %   in it are on the rim (a face that is left out as a whole), or it has
//     or of 8 edges and more              as many edges as a circle
//
// All other rims are holes. A closed surface with a negative volume is inside out, unless it is a room: then
// something that moves is inside.
#include "cli/doctor/doctor.h"

#include <math.h>
#include <stdlib.h>

static const double SHEET = 0.3, OPENING = 0.05; // parts of the area
static const double FLAT = 1e-6;                 // of the diagonal
enum { ROUND = 8 };                              // edges of a rim that stands for a circle

typedef struct Edge {
  int low, high;
  bool forward; // from low to high
} Edge;

typedef struct Mesh {
  rgVec3* points;
  int* index; // by corner: the point
  int corners, point_count;
  Edge* edges; // one per corner, sorted
  int* rim;    // by point: root of its rim, -1 when it is on none
  double diagonal, area, volume;
  int single; // edges of one triangle
} Mesh;

// --- points and edges ----------------------------------------------------------------------------------

typedef struct Corner {
  rgVec3 p;
  int place;
} Corner;

static int compare_corners(const void* left, const void* right) {
  const rgVec3 *a = &((const Corner*)left)->p, *b = &((const Corner*)right)->p;
  if (a->x != b->x)
    return a->x < b->x ? -1 : 1;
  if (a->y != b->y)
    return a->y < b->y ? -1 : 1;
  return (a->z > b->z) - (a->z < b->z);
}

static int compare_edges(const void* left, const void* right) {
  const Edge *a = left, *b = right;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

static void free_mesh(Mesh* mesh) {
  free(mesh->points);
  free(mesh->index);
  free(mesh->edges);
  free(mesh->rim);
}

// Points at the same place become one.
static bool weld(const rgVec3* corners, Mesh* mesh) {
  Corner* sorted = calloc((size_t)mesh->corners + 1, sizeof *sorted);
  if (!sorted)
    return false;
  for (int i = 0; i < mesh->corners; ++i)
    sorted[i] = (Corner){corners[i], i};
  qsort(sorted, (size_t)mesh->corners, sizeof *sorted, compare_corners);
  for (int i = 0; i < mesh->corners; ++i) {
    if (i == 0 || compare_corners(&sorted[i - 1], &sorted[i]) != 0)
      mesh->points[mesh->point_count++] = sorted[i].p;
    mesh->index[sorted[i].place] = mesh->point_count - 1;
  }
  free(sorted);
  return true;
}

static void measure(Mesh* mesh) {
  rgVec3 lower = mesh->points[0], upper = lower;
  for (int i = 0; i < mesh->point_count; ++i) {
    rgVec3 p = mesh->points[i];
    lower = rg_vec3(fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z));
    upper = rg_vec3(fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z));
  }
  mesh->diagonal = rg_vec3_norm(rg_vec3_sub(upper, lower));
  for (int i = 0; i + 2 < mesh->corners; i += 3) {
    rgVec3 a = rg_vec3_sub(mesh->points[mesh->index[i]], lower),
           b = rg_vec3_sub(mesh->points[mesh->index[i + 1]], lower),
           c = rg_vec3_sub(mesh->points[mesh->index[i + 2]], lower);
    rgVec3 n = rg_vec3_cross(rg_vec3_sub(b, a), rg_vec3_sub(c, a));
    mesh->area += 0.5 * rg_vec3_norm(n);
    mesh->volume += rg_vec3_dot(a, rg_vec3_cross(b, c)) / 6;
  }
}

static int rim_root(const Mesh* mesh, int point) {
  while (mesh->rim[point] != point)
    point = mesh->rim[point];
  return point;
}

// Sorts the edges and joins those of one triangle to rims.
static void find_rims(Mesh* mesh) {
  for (int i = 0; i < mesh->corners; ++i) {
    int next = i % 3 == 2 ? i - 2 : i + 1, p = mesh->index[i], q = mesh->index[next];
    mesh->edges[i] = (Edge){p < q ? p : q, p < q ? q : p, p < q};
  }
  qsort(mesh->edges, (size_t)mesh->corners, sizeof *mesh->edges, compare_edges);
  for (int i = 0; i < mesh->point_count; ++i)
    mesh->rim[i] = -1;
  for (int i = 0, end, kept = 0; i < mesh->corners; i = end) {
    for (end = i + 1; end < mesh->corners; ++end)
      if (compare_edges(&mesh->edges[i], &mesh->edges[end]) != 0)
        break;
    if (mesh->edges[i].low == mesh->edges[i].high)
      continue; // a triangle without area
    if (end - i > 1)
      continue;
    Edge edge = mesh->edges[i];
    const int ends[] = {edge.low, edge.high};
    for (int k = 0; k < 2; ++k)
      if (mesh->rim[ends[k]] < 0)
        mesh->rim[ends[k]] = ends[k];
    mesh->rim[rim_root(mesh, edge.low)] = rim_root(mesh, edge.high);
    mesh->edges[kept++] = edge; // those of rims first; what is overwritten was looked at
    mesh->single = kept;
  }
}

static bool read_mesh(const CliDoctor* doctor, rgShapeId id, int corner_count, Mesh* mesh) {
  size_t size = (size_t)corner_count + 1;
  rgVec3* corners = calloc(size, sizeof *corners);
  *mesh = (Mesh){.points = calloc(size, sizeof(rgVec3)),
                 .index = calloc(size, sizeof(int)),
                 .edges = calloc(size, sizeof(Edge)),
                 .rim = calloc(size, sizeof(int)),
                 .corners = corner_count};
  bool good = corners && mesh->points && mesh->index && mesh->edges && mesh->rim;
  if (good)
    rg_shape_corners(doctor->start, id, corners, corner_count);
  good = good && weld(corners, mesh);
  if (good) {
    measure(mesh);
    find_rims(mesh);
  }
  free(corners);
  return good;
}

// --- rims ----------------------------------------------------------------------------------------------

typedef struct Rim {
  int edges;
  rgVec3 area;  // vector area of the missing patch
  rgVec3 point; // on it
} Rim;

static Rim measure_rim(const Mesh* mesh, int root) {
  Rim rim = {.point = mesh->points[root]};
  for (int i = 0; i < mesh->single; ++i) {
    const Edge* edge = &mesh->edges[i];
    if (rim_root(mesh, edge->low) != root)
      continue;
    rgVec3 p = rg_vec3_sub(mesh->points[edge->forward ? edge->low : edge->high], rim.point),
           q = rg_vec3_sub(mesh->points[edge->forward ? edge->high : edge->low], rim.point);
    rim.area = rg_vec3_axpy(rim.area, 0.5, rg_vec3_cross(p, q));
    ++rim.edges;
  }
  return rim;
}

// Whether a rim is an opening: see above.
static bool is_opening(const Mesh* mesh, const Rim* rim, int root, double part) {
  double size = rg_vec3_norm(rim->area), most = 0, least = 0;
  bool whole = true;
  if (rim->edges < 4 || !(size > 0))
    return false;
  rgVec3 n = rg_vec3_scale(rim->area, 1 / size);
  for (int i = 0; i < mesh->point_count; ++i) {
    double away = rg_vec3_dot(rg_vec3_sub(mesh->points[i], rim->point), n);
    bool on_rim = mesh->rim[i] >= 0 && rim_root(mesh, i) == root;
    if (on_rim && fabs(away) > FLAT * mesh->diagonal)
      return false;
    whole = whole && (on_rim || fabs(away) > FLAT * mesh->diagonal);
    most = fmax(most, away);
    least = fmin(least, away);
  }
  bool at_end = most <= FLAT * mesh->diagonal || least >= -FLAT * mesh->diagonal;
  return at_end && whole && (part > OPENING || rim->edges >= ROUND);
}

static void look_rims(CliDoctor* doctor, const CliFault* fault, rgBodyId body, const Mesh* mesh) {
  int holes = 0;
  Rim widest = {0};
  double largest = 0;
  for (int i = 0; i < mesh->point_count && mesh->single > 0; ++i) {
    if (mesh->rim[i] != i)
      continue;
    Rim rim = measure_rim(mesh, i);
    double size = rg_vec3_norm(rim.area), part = size / (mesh->area + size);
    if (part > SHEET || is_opening(mesh, &rim, i, part))
      continue;
    ++holes;
    if (holes == 1 || size > largest) {
      widest = rim;
      largest = size;
    }
  }
  if (holes == 0)
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_body(doctor, body), holes, 0, "holes");
  cli_doctor_say(
      finding,
      "its mesh of %d triangles has %d hole%s; the widest has %d edges and %.3g m2, near "
      "(%.3g, %.3g, %.3g) of the mesh: bodies catch on its edges or fall through",
      mesh->corners / 3, holes, holes == 1 ? "" : "s", widest.edges, largest, widest.point.x,
      widest.point.y, widest.point.z);
  cli_doctor_advise(finding,
                    "close the mesh: add the missing triangles, and give points that should "
                    "be one the same coordinates");
}

// --- the kinds -----------------------------------------------------------------------------------------

typedef void Look(CliDoctor* doctor, const CliFault* fault, rgBodyId body, const Mesh* mesh);

static bool holds_a_body(const CliDoctor* doctor, rgBodyId body) {
  const rgBounds* box = &doctor->builds[body.index].box;
  for (int i = 0; i < doctor->body_count; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    rgVec3 c = rg_body_center(doctor->start, id);
    if (cli_doctor_dynamic(doctor, id) && c.x > box->lower.x && c.x < box->upper.x &&
        c.y > box->lower.y && c.y < box->upper.y && c.z > box->lower.z && c.z < box->upper.z)
      return true;
  }
  return false;
}

static void look_inside_out(CliDoctor* doctor, const CliFault* fault, rgBodyId body,
                            const Mesh* mesh) {
  if (mesh->single > 0 || mesh->volume >= 0 || holds_a_body(doctor, body))
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_body(doctor, body), -mesh->volume, 0, "m3");
  cli_doctor_say(
      finding,
      "its mesh is inside out: all triangles face inwards (volume %.3g m3), and bodies that "
      "come from outside are let in",
      mesh->volume);
  cli_doctor_advise(finding, "reverse the order of the corners of all triangles");
}

static void look_meshes(CliDoctor* doctor, const CliFault* fault, Look* look) {
  int count = rg_world_shapes(doctor->start, NULL, 0);
  rgShapeId* ids = calloc((size_t)count + 1, sizeof *ids);
  doctor->out_of_memory = doctor->out_of_memory || !ids;
  if (ids)
    rg_world_shapes(doctor->start, ids, count);
  for (int i = 0; ids && i < count; ++i) {
    rgShapeView view;
    Mesh mesh;
    if (rg_shape_view(doctor->start, ids[i], &view) != RG_OK || view.def.kind != RG_SHAPE_MESH ||
        view.corner_count < 3)
      continue;
    if (read_mesh(doctor, ids[i], view.corner_count, &mesh))
      look(doctor, fault, view.body, &mesh);
    else
      doctor->out_of_memory = true;
    free_mesh(&mesh);
  }
  free(ids);
}

static void look_holes(CliDoctor* doctor, const CliFault* fault) {
  look_meshes(doctor, fault, look_rims);
}
static void look_insides(CliDoctor* doctor, const CliFault* fault) {
  look_meshes(doctor, fault, look_inside_out);
}

const CliFault cli_faults_mesh[] = {
    {.name = "mesh-hole",
     .severity = CLI_RISKY,
     .summary = "A mesh has holes.",
     .look = look_holes},
    {.name = "mesh-inside-out",
     .severity = CLI_WRONG,
     .summary = "All triangles of a closed mesh face inwards.",
     .look = look_insides},
    {0},
};
