// sat.c - the axis along which two polyhedra are farthest apart, or overlap least.
//
// Problem. s(n) = min_B n.x - max_A n.x for unit n. Overlapping polyhedra are freed by the least
// displacement -max s(n); the maximum is at the normal of a face of the Minkowski difference: a
// face of A, a face of B, or an edge of A with an edge of B.
//
// Method. Faces: the support of the other body, where one of its vertices does not tell that others
// are better. Edge pairs: only those that make a face of the difference count, which are the pairs whose arcs on the Gauss map (from face normal to face
// normal over the edge) cross (Gregorius, The separating axis test between convex polyhedra, 2013).
// For these the separation is that of the two lines; a pair that would win is asked for its true
// separation, since rounding may let arcs cross that only touch.
//
// Culling. Let m be the best face axis and f = s(m). If edges with s(n) >= f touch in points a and
// q = a + s n, then along m a is not more than |s| <= max(|f|, apart) below the lowest point of B,
// and q not more than that above the highest of A. Of resting bodies only the edges about the
// contact are left.
//
// Of large polyhedra fewer are asked. Let x be the lowest vertex of B along m, w = x - a, l and r
// the normals of the faces at the edge. n is a positive multiple, not below 1, of a point between l
// and r, so that s(n) <= n.w <= max(l.w, r.w) where that is negative: one of the two faces has x no
// deeper below it than |f|. Likewise for B.
//
// Faces, edges and vertices of large polyhedra are found by their clusters (clusters.h), in the
// order of a visit of all and with the same bits.
//
// Cost O(faces that may be best x log vertices) and O(edges left of A x edges left of B).
#include "collide/convex/sat.h"
#include "shape/solid/clusters.h"

// Part of the size by which an edge pair must beat the faces.
static const double EDGE_BIAS = 1e-9;
// Squared sine below which edges are parallel: they make no face of the difference.
static const double PARALLEL_SINE2 = 1e-16;
// Cosine by which a later face must be more along a direction: equal faces keep their order under
// rounding.
static const double FACE_BIAS = 1e-9;

enum { CHUNK = 32 }; // edges of B held at a time

rgPolyhedra rg_sat_turned(const rgPolyhedra* pair) {
  return (rgPolyhedra){pair->b, pair->a, m3_transpose(&pair->rotation),
                       v3_neg(m3_apply_transposed(&pair->rotation, pair->offset)), pair->size};
}

int rg_sat_face_along(const rgPolyhedron* polyhedron, rgVec3 d) {
  return rg_clusters_face_along(polyhedron, d, FACE_BIAS);
}

// Least height of b along d (frame of a).
static double lowest_of_b(const rgPolyhedra* pair, rgVec3 d) {
  rgVec3 down = v3_neg(m3_apply_transposed(&pair->rotation, d));
  return v3_dot(d, pair->offset) - rg_clusters_height(pair->b, down);
}

enum {
  CUTS = 16,
  CLIMB_MOST = 64, // faces on the way to the best; from there on the search is as good
};

// What a face has to beat, and vertices of b (frame of a) that tell faces which cannot: the support
// is not farther out than any vertex, s <= n.x - offset. The best face's vertex is x[0].
typedef struct Bound {
  double least;   // [m]
  rgVec3 x[CUTS]; // [m]
  int count, next;
} Bound;

static void add_cut(Bound* bound, rgVec3 x, bool best) {
  if (best && bound->count > 0) {
    rgVec3 old = bound->x[0];
    bound->x[0] = x;
    x = old;
  }
  if (bound->count < CUTS) {
    bound->x[bound->count++] = x;
    return;
  }
  bound->next = bound->next + 1 < CUTS ? bound->next + 1 : 1;
  bound->x[bound->next] = x;
}

static bool cut_off(const rgPolyhedron* a, int face, const Bound* bound, double margin) {
  double height = a->offsets[face] + bound->least - margin;
  for (int i = 0; i < bound->count; i++)
    if (v3_dot(a->normals[face], bound->x[i]) < height)
      return true;
  return false;
}

static double face_separation(const rgPolyhedra* pair, int face, Bound* bound) {
  rgVec3 n = pair->a->normals[face], down = v3_neg(m3_apply_transposed(&pair->rotation, n));
  const rgPolyhedron* b = pair->b;
  int lowest = rg_clusters_highest(b, down);
  double height = v3_dot(b->vertices[lowest], down);
  double separation = v3_dot(n, pair->offset) - height - pair->a->offsets[face];
  bool best = separation >= bound->least;
  bound->least = best ? separation : bound->least;
  add_cut(bound, v3_add(pair->offset, m3_apply(&pair->rotation, b->vertices[lowest])), best);
  return separation;
}

// Part of the size that is more than rounding of a height.
static const double ROUNDING = 1e-12;

typedef struct Faces {
  Bound bound;
  double margin; // [m]
  int best;
  double separation; // [m] of the best
} Faces;

// Its separation, and whether it is the best so far; of equals the first is.
static double ask_face(const rgPolyhedra* pair, int f, Faces* faces) {
  double separation = face_separation(pair, f, &faces->bound);
  if (separation > faces->separation || (separation == faces->separation && f < faces->best)) {
    faces->separation = separation;
    faces->best = f;
  }
  return separation;
}

static void try_face(const rgPolyhedra* pair, int f, Faces* faces) {
  if (!cut_off(pair->a, f, &faces->bound, faces->margin))
    ask_face(pair, f, faces);
}

// Goes from face to face over the edges while the separation grows.
static void climb(const rgPolyhedra* pair, int face, Faces* faces) {
  const rgPolyhedron* a = pair->a;
  ask_face(pair, face, faces);
  for (int n = 0, from = -1; from != faces->best && n < CLIMB_MOST; n++) {
    from = faces->best;
    for (int i = a->face_start[from]; i < a->face_start[from + 1]; i++) {
      const int* edge = a->edges[a->clusters->face_edges[i]];
      try_face(pair, edge[2] == from ? edge[3] : edge[2], faces);
    }
  }
}

// Best axis among the faces of a, the first of several. The face towards b comes first, that along
// the guess, or one to which these lead: of all others few can be better, which vertices of b tell.
static rgAxis face_axis(const rgPolyhedra* pair, rgVec3 guess) {
  const rgPolyhedron* a = pair->a;
  const rgClusters* clusters = a->clusters;
  Faces faces = {.bound.least = -HUGE_VAL, .best = a->face_count, .separation = -HUGE_VAL};
  faces.margin = ROUNDING * (pair->size + v3_norm(pair->offset));
  rgVec3 towards = v3_add(pair->offset, m3_apply(&pair->rotation, pair->b->center));
  int first = rg_sat_face_along(a, v3_sub(towards, a->center));
  if (!clusters) {
    face_separation(pair, first, &faces.bound);
    for (int f = 0; f < a->face_count; f++)
      try_face(pair, f, &faces);
  } else {
    ask_face(pair, first, &faces);
    climb(pair, v3_norm2(guess) > 0 ? rg_sat_face_along(a, guess) : first, &faces);
    for (int k = 0;; k++) {
      k = rg_clusters_below(clusters, k, faces.bound.x, faces.bound.count,
                            faces.bound.least - faces.margin);
      if (k == clusters->count)
        break;
      for (int i = clusters->list[k].faces; i < clusters->list[k].faces_end; i++)
        try_face(pair, clusters->faces[i], &faces);
    }
  }
  if (faces.best == a->face_count)
    return (rgAxis){v3_zero(), -HUGE_VAL, -1, -1};
  return (rgAxis){a->normals[faces.best], faces.separation, -1, -1};
}

// An edge in the frame of a with its arc on the Gauss map; for edges of b the normals are
// reversed.
typedef struct Edge {
  rgVec3 start, along; // [m]
  rgVec3 left, right;  // ends of the arc
  rgVec3 pole;         // right x left
  int index;
} Edge;

static Edge edge_of_a(const rgPolyhedron* a, int index) {
  const int* e = a->edges[index];
  Edge edge = {a->vertices[e[0]], v3_sub(a->vertices[e[1]], a->vertices[e[0]]),
               a->normals[e[2]],  a->normals[e[3]],
               v3_zero(),         index};
  edge.pole = v3_cross(edge.right, edge.left);
  return edge;
}

static Edge edge_of_b(const rgPolyhedra* pair, int index) {
  Edge edge = edge_of_a(pair->b, index);
  const rgMat3* r = &pair->rotation;
  edge.start = v3_add(pair->offset, m3_apply(r, edge.start));
  edge.along = m3_apply(r, edge.along);
  edge.left = v3_neg(m3_apply(r, edge.left));
  edge.right = v3_neg(m3_apply(r, edge.right));
  edge.pole = m3_apply(r, edge.pole);
  return edge;
}

// True when the arcs cross, so that the edges make a face of the Minkowski difference.
static bool arcs_cross(const Edge* a, const Edge* b) {
  double b_left = v3_dot(b->left, a->pole), b_right = v3_dot(b->right, a->pole);
  double a_left = v3_dot(a->left, b->pole), a_right = v3_dot(a->right, b->pole);
  return b_left * b_right < 0 && a_left * a_right < 0 && b_left * a_right > 0;
}

static void try_edges(const rgPolyhedra* pair, const Edge* a, const Edge* b, rgAxis* best) {
  if (!arcs_cross(a, b))
    return;
  rgVec3 n = v3_cross(a->along, b->along);
  double n2 = v3_norm2(n), sides2 = v3_norm2(a->along) * v3_norm2(b->along);
  if (!(n2 > PARALLEL_SINE2 * sides2))
    return;
  double flip = v3_dot(n, v3_add(a->left, a->right)) < 0 ? -1 : 1;
  double height = flip * v3_dot(n, v3_sub(b->start, a->start));
  double length = sqrt(n2),
         target = best->separation + (best->edge_a < 0 ? EDGE_BIAS * pair->size : 0);
  if (!(height > target * length))
    return;
  // The arcs of nearly parallel faces may cross by rounding, and then the edges support nothing:
  // ask the bodies.
  n = v3_scale(n, flip / length);
  double separation = lowest_of_b(pair, n) - rg_clusters_height(pair->a, n);
  if (separation > target)
    *best = (rgAxis){n, separation, a->index, b->index};
}

// What is left of the edges after culling along m: edges of a above `floor`, edges of b below
// `ceiling`.
typedef struct Cull {
  rgVec3 m;
  double floor, ceiling; // [m]
} Cull;

// Collects up to CHUNK edges of b, of those selected from *next on.
static int collect_b(const rgPolyhedra* pair, const Cull* cull, const rgSelection* selected,
                     int* next, Edge* edges) {
  const rgPolyhedron* b = pair->b;
  rgVec3 m = m3_apply_transposed(&pair->rotation, cull->m);
  double ceiling = cull->ceiling - v3_dot(cull->m, pair->offset);
  int count = 0;
  for (; *next < selected->count && count < CHUNK; ++*next) {
    int index = rg_selected(selected, *next);
    const int* e = b->edges[index];
    if (v3_dot(m, b->vertices[e[0]]) <= ceiling || v3_dot(m, b->vertices[e[1]]) <= ceiling)
      edges[count++] = edge_of_b(pair, index);
  }
  return count;
}

// Edges of a that may make a face as good as f, see above.
static void select_edges(const rgPolyhedra* pair, rgVec3 m, double f, rgSelection* out) {
  const rgPolyhedron *a = pair->a, *b = pair->b;
  rgVec3 down = v3_neg(m3_apply_transposed(&pair->rotation, m));
  rgVec3 lowest = b->vertices[rg_clusters_highest(b, down)];
  rgVec3 x = v3_add(pair->offset, m3_apply(&pair->rotation, lowest));
  double margin = EDGE_BIAS * pair->size + (a->clusters ? a->clusters->uneven : 0);
  rg_clusters_edges_below(a, x, fmin(f, 0) - margin, out);
}

static void try_all_edges(const rgPolyhedra* pair, const Cull* cull, rgAxis* best) {
  const rgPolyhedron* a = pair->a;
  rgPolyhedra turned = rg_sat_turned(pair);
  rgVec3 up = v3_neg(m3_apply_transposed(&pair->rotation, cull->m));
  rgSelection of_a, of_b;
  select_edges(pair, cull->m, best->separation, &of_a);
  select_edges(&turned, up, best->separation, &of_b);
  for (int next = 0; next < of_b.count;) {
    Edge chunk[CHUNK];
    int count = collect_b(pair, cull, &of_b, &next, chunk);
    for (int i = 0; i < of_a.count; i++) {
      int index = rg_selected(&of_a, i);
      const int* e = a->edges[index];
      if (v3_dot(cull->m, a->vertices[e[0]]) < cull->floor &&
          v3_dot(cull->m, a->vertices[e[1]]) < cull->floor)
        continue;
      Edge edge = edge_of_a(a, index);
      for (int j = 0; j < count; j++)
        try_edges(pair, &edge, &chunk[j], best);
    }
  }
}

rgAxis rg_sat_face_axis(const rgPolyhedra* pair, rgVec3 guess) {
  rgPolyhedra turned = rg_sat_turned(pair);
  rgVec3 guess_b = v3_neg(m3_apply_transposed(&pair->rotation, guess));
  rgAxis best = face_axis(pair, guess), other = face_axis(&turned, guess_b);
  if (other.separation > best.separation) {
    best.separation = other.separation;
    best.normal = v3_neg(m3_apply(&pair->rotation, other.normal));
  }
  return best;
}

rgAxis rg_sat_axis(const rgPolyhedra* pair, rgAxis faces, double apart) {
  double margin = fmax(fabs(faces.separation), apart) + EDGE_BIAS * pair->size;
  Cull cull = {faces.normal, lowest_of_b(pair, faces.normal) - margin,
               rg_clusters_height(pair->a, faces.normal) + margin};
  try_all_edges(pair, &cull, &faces);
  return faces;
}
