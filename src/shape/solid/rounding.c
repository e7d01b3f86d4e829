// rounding.c - mass of a polyhedron with a radius around it.
//
// The sum of a polyhedron P and a ball of radius r falls apart (Steiner) into P, a prism of height r
// on each face, a sector of a cylinder along each edge and a sector of the ball at each vertex. With
// n the outward unit vector at a point x = y + s n, 0 <= s <= r, and y in the part of P:
//
//   face    y over the polygon, n its normal
//   edge    y over the segment, n over the arc of angle t between the normals a, c of its faces:
//             int n = tan(t/2) (a + c),
//             int n n' = t/2 (m m' + k k') + sin(t)/2 (m m' - k k'),  m along a + c, k across
//   vertex  y fixed, n over the spherical polygon of the normals there, with area w. The fields
//           e_i - n_i n and (e_i - n_i n) n_j have the divergences -2 n_i and d_ij - 3 n_i n_j on the
//           sphere. Its sides are the arcs of the edges, and the outward normal of a side is the
//           unit vector u of the edge away from the vertex:
//             int n    = -1/2 sum t u,
//             int n n' = 1/3 (w 1 - sum u int_arc n'),
//             w        = 2 pi - sum of the angles of the faces at the vertex (Gauss and Bonnet).
//
// The moments are int s^k ds = r^(k+1) / (k+1) times these, k = 0, 1, 2 being the dimension that n
// has there. All are taken about the centre of P, so that nothing cancels.
#include "shape/solid/rounding.h"

#include "math/trig.h"
#include "shape/solid/polyhedron.h"

// Volume, first and second moment.
typedef struct Moments {
  double volume;
  rgVec3 first;
  rgMat3 second;
} Moments;

// sum += s (a b' + b a') / 2
static void add_outer(rgMat3* sum, double s, rgVec3 a, rgVec3 b) {
  const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum->m[i][j] += 0.5 * s * (x[i] * y[j] + y[i] * x[j]);
}

static void add_diagonal(rgMat3* sum, double s) {
  for (int i = 0; i < 3; i++)
    sum->m[i][i] += s;
}

static void add_core(Moments* sum, const rgPolyhedron* p) {
  rgMassProperties core;
  rg_polyhedron_mass(p, &core);
  sum->volume += core.mass; // about its own centre: no first moment
  double trace = core.inertia.m[0][0] + core.inertia.m[1][1] + core.inertia.m[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum->second.m[i][j] += (i == j ? 0.5 * trace : 0) - core.inertia.m[i][j];
}

// The prism over a triangle of a face with the normal n.
static void add_prism(Moments* sum, rgVec3 p, rgVec3 q, rgVec3 s, rgVec3 n, double r) {
  double area = 0.5 * v3_dot(n, v3_cross(v3_sub(q, p), v3_sub(s, p)));
  rgVec3 corners = v3_add(v3_add(p, q), s), middle = v3_scale(corners, 1.0 / 3);
  sum->volume += area * r;
  sum->first = v3_axpy(sum->first, area * r, v3_axpy(middle, 0.5 * r, n));
  add_outer(&sum->second, area * r / 12, p, p);
  add_outer(&sum->second, area * r / 12, q, q);
  add_outer(&sum->second, area * r / 12, s, s);
  add_outer(&sum->second, area * r / 12, corners, corners);
  add_outer(&sum->second, area * r * r, middle, n);
  add_outer(&sum->second, area * r * r * r / 3, n, n);
}

static void add_faces(Moments* sum, const rgPolyhedron* p, rgVec3 o, double r) {
  for (int f = 0; f < p->face_count; f++) {
    const int* loop = p->face_loop + p->face_start[f];
    int count = p->face_start[f + 1] - p->face_start[f];
    for (int i = 2; i < count; i++)
      add_prism(sum, v3_sub(p->vertices[loop[0]], o), v3_sub(p->vertices[loop[i - 1]], o),
                v3_sub(p->vertices[loop[i]], o), p->normals[f], r);
  }
}

// The arc between the normals of the faces of an edge.
typedef struct Arc {
  double angle; // [rad]
  rgVec3 sum;   // int n
} Arc;

static Arc arc_of(rgVec3 a, rgVec3 c) {
  double sine = v3_norm(v3_cross(a, c)), cosine = v3_dot(a, c);
  return (Arc){rg_atan2(sine, cosine), v3_scale(v3_add(a, c), sine / (1 + cosine))};
}

// A ball at the vertex v, cut by the plane across the edge that leaves it along u: what the edge
// contributes to its sector.
static void add_side(Moments* sum, rgVec3 v, rgVec3 u, Arc arc, double r) {
  double r4 = r * r * r * r / 4, r5 = r * r * r * r * r / 5;
  rgVec3 first = v3_scale(u, -0.5 * arc.angle);
  sum->first = v3_axpy(sum->first, r4, first);
  add_outer(&sum->second, 2 * r4, v, first);
  add_outer(&sum->second, -r5 / 3, u, arc.sum);
}

static void add_edges(Moments* sum, const rgPolyhedron* h, rgVec3 o, double r) {
  for (int e = 0; e < h->edge_count; e++) {
    rgVec3 p = v3_sub(h->vertices[h->edges[e][0]], o), q = v3_sub(h->vertices[h->edges[e][1]], o);
    rgVec3 a = h->normals[h->edges[e][2]], c = h->normals[h->edges[e][3]];
    double length = v3_norm(v3_sub(q, p));
    rgVec3 u = v3_scale(v3_sub(q, p), 1 / length), middle = v3_lerp(p, q, 0.5);
    Arc arc = arc_of(a, c);
    rgVec3 m = v3_unit_or(v3_add(a, c), v3_zero()), k = v3_cross(u, m);
    double sector = 0.5 * arc.angle * r * r, r3 = r * r * r / 3, r4 = r * r * r * r / 4;
    double half = 0.5 * arc.angle, sine = 0.5 * v3_norm(v3_cross(a, c));
    sum->volume += length * sector;
    sum->first = v3_axpy(sum->first, length * sector, middle);
    sum->first = v3_axpy(sum->first, length * r3, arc.sum);
    add_outer(&sum->second, length * sector, middle, middle);
    add_outer(&sum->second, length * length * length * sector / 12, u, u);
    add_outer(&sum->second, 2 * length * r3, middle, arc.sum);
    add_outer(&sum->second, length * r4 * (half + sine), m, m);
    add_outer(&sum->second, length * r4 * (half - sine), k, k);
    add_side(sum, p, u, arc, r);
    add_side(sum, q, v3_neg(u), arc, r);
  }
}

// What the area w of the spherical polygon at v contributes to the sector of the ball there.
static void add_area(Moments* sum, rgVec3 v, double w, double r) {
  double r3 = r * r * r / 3, r5 = r * r * r * r * r / 5;
  sum->volume += w * r3;
  sum->first = v3_axpy(sum->first, w * r3, v);
  add_outer(&sum->second, w * r3, v, v);
  add_diagonal(&sum->second, r5 * w / 3);
}

// Every vertex has 2 pi less the angles of the faces that meet there.
static void add_vertices(Moments* sum, const rgPolyhedron* h, rgVec3 o, double r) {
  for (int v = 0; v < h->vertex_count; v++)
    add_area(sum, v3_sub(h->vertices[v], o), 2 * RG_PI, r);
  for (int f = 0; f < h->face_count; f++) {
    const int* loop = h->face_loop + h->face_start[f];
    int count = h->face_start[f + 1] - h->face_start[f];
    for (int i = 0; i < count; i++) {
      rgVec3 v = h->vertices[loop[i]];
      rgVec3 next = v3_sub(h->vertices[loop[(i + 1) % count]], v);
      rgVec3 last = v3_sub(h->vertices[loop[(i + count - 1) % count]], v);
      double angle = rg_atan2(v3_norm(v3_cross(next, last)), v3_dot(next, last));
      add_area(sum, v3_sub(v, o), -angle, r);
    }
  }
}

void rg_rounding_mass(const rgPolyhedron* polyhedron, double r, rgMassProperties* out) {
  rgMassProperties core;
  rg_polyhedron_mass(polyhedron, &core);
  rgVec3 o = core.center;
  Moments sum = {0};
  add_core(&sum, polyhedron);
  add_faces(&sum, polyhedron, o, r);
  add_edges(&sum, polyhedron, o, r);
  add_vertices(&sum, polyhedron, o, r);
  rgVec3 c = v3_scale(sum.first, 1 / sum.volume);
  add_outer(&sum.second, -sum.volume, c, c);
  double trace = sum.second.m[0][0] + sum.second.m[1][1] + sum.second.m[2][2];
  out->mass = sum.volume;
  out->center = v3_add(o, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out->inertia.m[i][j] = (i == j ? trace : 0) - sum.second.m[i][j];
}
