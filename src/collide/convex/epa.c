// epa.c - least penetration depth of two convex cores by the expanding polytope method.
//
// Problem. The origin lies in C = A - B (or outside by rounding only). Find the boundary point of C
// nearest to it: its distance is the depth, and A moved by minus that vector just touches B.
//
// Method. A polytope with vertices on the boundary of C grows from a tetrahedron. Its face nearest
// to the origin, at signed distance f, is a lower bound; the support of C along the face's normal,
// at distance g >= f, an upper one. While they differ the support point is added: faces that see it
// go, its horizon is joined to it by new ones. Distances are signed, so an origin just outside the
// first tetrahedron is as good as one inside. Van den Bergen, Proximity queries and penetration
// depth computation on 3D game objects (2001).
//
// Polytopes end with the exact face. On smooth sets the error of the depth falls as the square of
// the triangles, which are refined to SMOOTH_WIDTH: smaller ones have no usable normal. The depth
// reported is always that of the support along the normal reported, so it never understates what
// the normal needs. A flat C (two crossing segments, coinciding points) has depth zero along its
// normal; with the margins of capsules and spheres that is the exact answer.
//
// Cost. Each addition scans the distances of all faces: some microseconds for boxes, tens of them
// for smooth sets. All on the stack, some 40 kB.
#include "collide/convex/simplex.h"

enum { VERTEX_MAX = 192, FACE_MAX = 2 * VERTEX_MAX };

// Bounds closer than this part of the size of C have met. A few hundred roundings.
static const double DEPTH_TOLERANCE = 1e-13;
// Width of a triangle, as part of the size of C, at which a smooth surface is resolved: the depth
// to some 1e-9.
static const double SMOOTH_WIDTH = 3e-5;
// Triangles whose planes are this close, as part of the size of C, belong to one face.
static const double FACE_TOLERANCE = 1e-12;
// A face sees a point that is above its plane by more than this part of the size of C.
static const double SIGHT_TOLERANCE = 1e-14;
// Squared sine of a corner that counts as flat, for the first tetrahedron and for the normals of
// faces.
static const double FLAT_SINE2 = 1e-20;

typedef struct Face {
  rgVec3 normal; // outward
  int16_t vertex[3];
  int16_t across[3]; // face over the edge vertex[i], vertex[i + 1]
  bool seen;
} Face;

typedef struct Polytope {
  rgDifference* difference;
  double size; // [m] largest |w|
  int vertex_count, face_count, free_count;
  rgDifferencePoint vertices[VERTEX_MAX];
  Face faces[FACE_MAX];
  // [m] of the plane of a face from the origin, negative when the origin is outside; HUGE_VAL for a
  // face that is no longer in use. Apart from the faces because every iteration scans all of them.
  double distance[FACE_MAX];
  int16_t free[FACE_MAX];
  int16_t joined[VERTEX_MAX]; // new face whose horizon edge starts at this vertex
} Polytope;

// --- first tetrahedron --------------------------------------------------------------------------

static double spread2(const rgSimplex* s) {
  return v3_norm2(v3_sub(s->points[1].w, s->points[0].w));
}

static rgVec3 triangle_normal(const rgSimplex* s) {
  rgVec3 a = s->points[0].w;
  return v3_cross(v3_sub(s->points[1].w, a), v3_sub(s->points[2].w, a));
}

static bool proper_segment(const rgSimplex* s) {
  double largest = fmax(v3_norm2(s->points[0].w), v3_norm2(s->points[1].w));
  return spread2(s) > FLAT_SINE2 * largest;
}

static bool proper_triangle(const rgSimplex* s) {
  double side2 = v3_norm2(v3_sub(s->points[2].w, s->points[0].w));
  return v3_norm2(triangle_normal(s)) > FLAT_SINE2 * spread2(s) * fmax(spread2(s), side2);
}

static bool proper_tetrahedron(const rgSimplex* s) {
  rgVec3 n = triangle_normal(s);
  rgVec3 d = v3_sub(s->points[3].w, s->points[0].w);
  double height = v3_dot(n, d);
  return height * height > FLAT_SINE2 * v3_norm2(n) * fmax(spread2(s), v3_norm2(d));
}

// Tries to add a support point in one of the directions, accepted when `proper`.
static bool grow(rgDifference* difference, rgSimplex* s, const rgVec3* directions, int count,
                 bool (*proper)(const rgSimplex*)) {
  for (int i = 0; i < count; i++) {
    s->points[s->count] = rg_simplex_support(difference, directions[i]);
    if (proper(s)) {
      s->count++;
      return true;
    }
  }
  return false;
}

// Completes the simplex to a tetrahedron with a volume. When C is flat returns false and a normal
// of C.
static bool complete(rgDifference* difference, rgSimplex* s, rgVec3 guess, rgVec3* flat_normal) {
  *flat_normal = v3_unit_or(guess, v3(0, 0, 1));
  if (s->count == 4 && proper_tetrahedron(s))
    return true;
  // A longest chain of proper points, in the order in which GJK left them.
  if (s->count >= 2 && !proper_segment(s))
    s->count = 1;
  if (s->count >= 3)
    s->count = proper_triangle(s) ? 3 : 2;

  const rgVec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  if (s->count == 1 && !grow(difference, s, axes, 6, proper_segment))
    return false;

  rgVec3 along = v3_unit_or(v3_sub(s->points[1].w, s->points[0].w), v3(0, 0, 1));
  rgVec3 t, o;
  v3_frame(along, &t, &o);
  const rgVec3 around[4] = {t, o, v3_neg(t), v3_neg(o)};
  if (s->count == 2 && !grow(difference, s, around, 4, proper_triangle)) {
    // C is a segment: the guess, made perpendicular, is as good a normal as any.
    *flat_normal = v3_unit_or(v3_axpy(guess, -v3_dot(guess, along), along), t);
    return false;
  }
  rgVec3 n = v3_unit_or(triangle_normal(s), t);
  const rgVec3 both[2] = {n, v3_neg(n)};
  *flat_normal = v3_dot(n, guess) < 0 ? v3_neg(n) : n;
  return grow(difference, s, both, 2, proper_tetrahedron);
}

// --- polytope -----------------------------------------------------------------------------------

// Plane of a face. A face without area lies in the plane of its neighbour over the first edge.
static void set_plane(Polytope* p, int f, int neighbour) {
  Face* face = &p->faces[f];
  rgVec3 a = p->vertices[face->vertex[0]].w;
  rgVec3 ab = v3_sub(p->vertices[face->vertex[1]].w, a);
  rgVec3 ac = v3_sub(p->vertices[face->vertex[2]].w, a);
  rgVec3 n = v3_cross(ab, ac);
  double n2 = v3_norm2(n);
  if (neighbour >= 0 && !(n2 > FLAT_SINE2 * v3_norm2(ab) * v3_norm2(ac))) {
    face->normal = p->faces[neighbour].normal;
    p->distance[f] = p->distance[neighbour];
    return;
  }
  face->normal = v3_scale(n, 1 / sqrt(n2));
  p->distance[f] = v3_dot(face->normal, a);
}

static void start(Polytope* p, rgDifference* difference, const rgSimplex* s) {
  p->difference = difference;
  p->vertex_count = 4;
  p->face_count = 4;
  p->free_count = 0;
  double size2 = 0;
  for (int i = 0; i < 4; i++) {
    p->vertices[i] = s->points[i];
    size2 = fmax(size2, v3_norm2(s->points[i].w));
  }
  p->size = sqrt(size2);
  // Turn the base so that its normal points away from the fourth vertex.
  if (v3_dot(triangle_normal(s), v3_sub(s->points[3].w, s->points[0].w)) > 0) {
    p->vertices[1] = s->points[2];
    p->vertices[2] = s->points[1];
  }
  static const int16_t vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const int16_t across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; f++) {
    Face* face = &p->faces[f];
    face->seen = false;
    for (int i = 0; i < 3; i++) {
      face->vertex[i] = vertex[f][i];
      face->across[i] = across[f][i];
    }
    set_plane(p, f, -1);
  }
}

static bool resolved(const Polytope* p, int f) {
  const Face* face = &p->faces[f];
  rgVec3 a = p->vertices[face->vertex[0]].w, b = p->vertices[face->vertex[1]].w;
  rgVec3 c = p->vertices[face->vertex[2]].w;
  double width = SMOOTH_WIDTH * p->size;
  double longest2 =
      fmax(v3_norm2(v3_sub(a, b)), fmax(v3_norm2(v3_sub(b, c)), v3_norm2(v3_sub(c, a))));
  return longest2 <= width * width;
}

static int nearest_face(const Polytope* p) {
  int nearest = 0;
  double least = p->distance[0];
  for (int f = 1; f < p->face_count; f++) {
    if (p->distance[f] < least) {
      least = p->distance[f];
      nearest = f;
    }
  }
  return nearest;
}

// Marks the connected faces around `first` that see w, in list[0 .. result).
static int mark_seen(Polytope* p, int first, rgVec3 w, int16_t* list) {
  int count = 0;
  list[count++] = (int16_t)first;
  p->faces[first].seen = true;
  for (int i = 0; i < count; i++) {
    for (int e = 0; e < 3; e++) {
      int16_t other = p->faces[list[i]].across[e];
      Face* face = &p->faces[other];
      if (face->seen || !(v3_dot(face->normal, w) > p->distance[other] + SIGHT_TOLERANCE * p->size))
        continue;
      face->seen = true;
      list[count++] = other;
    }
  }
  return count;
}

static int free_face(Polytope* p) {
  if (p->free_count > 0)
    return p->free[--p->free_count];
  return p->face_count < FACE_MAX ? p->face_count++ : -1;
}

static int edge_towards(const Face* face, int other) {
  return face->across[0] == other ? 0 : face->across[1] == other ? 1 : 2;
}

// Joins the horizon edge e of seen face `old` to the new vertex. Returns false when the horizon is
// not a simple loop.
static bool join(Polytope* p, int old, int e, int16_t apex, int16_t* new_faces, int* new_count) {
  int16_t from = p->faces[old].vertex[e], to = p->faces[old].vertex[(e + 1) % 3];
  int fresh = p->joined[from] >= 0 ? -1 : free_face(p); // a corner met twice: the rim is not a ring
  if (fresh < 0)
    return false;
  int16_t outer = p->faces[old].across[e];
  p->faces[fresh] = (Face){.vertex = {from, to, apex}, .across = {outer, -1, -1}};
  p->faces[outer].across[edge_towards(&p->faces[outer], old)] = (int16_t)fresh;
  set_plane(p, fresh, outer);
  p->joined[from] = (int16_t)fresh;
  new_faces[(*new_count)++] = (int16_t)fresh;
  return true;
}

// Replaces what sees `point` by a cone with that apex. False when rounding broke the surface or it
// is full.
static bool expand(Polytope* p, int nearest, rgDifferencePoint point) {
  if (p->vertex_count == VERTEX_MAX)
    return false;
  int16_t apex = (int16_t)p->vertex_count;
  p->vertices[p->vertex_count++] = point;
  for (int v = 0; v < p->vertex_count; v++)
    p->joined[v] = -1;

  int16_t seen[FACE_MAX], fresh[FACE_MAX];
  int fresh_count = 0;
  int seen_count = mark_seen(p, nearest, point.w, seen);
  for (int i = 0; i < seen_count; i++)
    for (int e = 0; e < 3; e++)
      if (!p->faces[p->faces[seen[i]].across[e]].seen &&
          !join(p, seen[i], e, apex, fresh, &fresh_count))
        return false;

  if (fresh_count < 3)
    return false;

  // Link the new faces to one another around the apex.
  for (int i = 0; i < fresh_count; i++) {
    Face* face = &p->faces[fresh[i]];
    int16_t next = p->joined[face->vertex[1]];
    if (next < 0)
      return false;
    face->across[1] = next;
    p->faces[next].across[2] = fresh[i];
  }
  for (int i = 0; i < seen_count; i++) {
    p->distance[seen[i]] = HUGE_VAL;
    p->free[p->free_count++] = seen[i];
  }
  return true;
}

// Among the triangles of the face at this distance, the point nearest to the origin.
static rgSimplex nearest_on_face(const Polytope* p, double distance) {
  rgSimplex best = {0};
  double best_norm2 = HUGE_VAL;
  for (int f = 0; f < p->face_count; f++) {
    if (p->distance[f] > distance + FACE_TOLERANCE * p->size)
      continue;
    rgSimplex s = {.count = 3};
    for (int i = 0; i < 3; i++)
      s.points[i] = p->vertices[p->faces[f].vertex[i]];
    double norm2 = v3_norm2(rg_simplex_nearest(&s, true));
    if (norm2 < best_norm2) {
      best_norm2 = norm2;
      best = s;
    }
  }
  return best;
}

// The best normal met, the distance of its face and that of the support along it.
typedef struct Best {
  rgVec3 normal;
  double distance, height; // [m]
} Best;

static void report(const Polytope* p, const Best* best, rgDistance* out) {
  rgSimplex s = nearest_on_face(p, best->distance);
  out->normal = v3_neg(best->normal);
  out->distance = -best->height;
  out->point_a = rg_simplex_point_a(&s);
  out->point_b = v3_axpy(out->point_a, -best->height, best->normal);
}

void rg_epa(rgDifference* difference, const rgSimplex* simplex, rgVec3 guess, rgDistance* out) {
  rgSimplex first = *simplex;
  rgVec3 flat_normal;
  if (!complete(difference, &first, guess, &flat_normal)) {
    out->normal = flat_normal;
    out->distance = 0;
    out->point_a = rg_simplex_point_a(simplex);
    out->point_b = out->point_a;
    return;
  }
  Polytope p;
  start(&p, difference, &first);
  Best best = {.height = HUGE_VAL};
  for (bool going = true; going;) {
    int nearest = nearest_face(&p);
    rgVec3 n = p.faces[nearest].normal;
    double distance = p.distance[nearest];
    rgDifferencePoint point = rg_simplex_support(difference, n);
    double height = v3_dot(n, point.w), norm = v3_norm(point.w);
    p.size = norm > p.size ? norm : p.size;
    if (height < best.height)
      best = (Best){n, distance, height};
    going = height - distance > DEPTH_TOLERANCE * p.size && !resolved(&p, nearest) &&
            expand(&p, nearest, point);
  }
  report(&p, &best, out);
}
