// polyhedra.c - contacts of two convex polyhedra: hulls, boxes, or one of each.
//
// Method.
//   1. The face that separates the bodies most, or overlaps least (sat.h). When the bodies touch or
//      nearly so and the polygon that this face shares with the face opposite (clip.h) reaches that
//      separation, it is the contact.
//   2. GJK tells whether the bodies are apart (gjk.h). Apart, the direction of least distance is
//      the contact normal: any other would bar bodies from passing each other that do not meet.
//   3. Overlapping, the axis of least overlap is, of faces and pairs of edges.
//   4. When the normal of step 2 or 3 is that of a face of A or B, to within what the bodies may
//      turn in the step (rg_face_angle), the contact is again a polygon, with the exact normal of
//      the face. A face is taken only if the polygon reaches the depth that was found.
//   5. Otherwise edges: crossing in a point or, when parallel, sharing a stretch; or the two
//      closest points.
//   6. Bodies that would only graze each other get no contact: faces that share no more than a
//      line, corners that are about to slide over a face. A step sees the start of the movement
//      only, and such a contact would stop a block at every joint of the pavement it slides on.
//      Should they meet all the same, they do so in the next step, with the normal of least overlap.
//
// The hint's axis serves to reject the pair at once, and the search for the face begins at it, which
// has no part in its answer. GJK does not start from it, so that the bits of the contacts depend on
// the poses alone.
#include "collide/pair/polyhedra.h"
#include "collide/convex/clip.h"
#include "collide/convex/gjk.h"
#include "collide/convex/sat.h"
#include "collide/pair/pairs.h"
#include "shape/solid/clusters.h"

// Part of the size of the smaller body: vertices this close to the outline of a face are on it.
// Above what a solver leaves of a flush stack's alignment, so that corners stay corners.
static const double CLIP_TOLERANCE = 1e-7;
// Part of the size of the smaller body: a polygon this much above the depth found does not explain
// it. Faces of hulls are flat only to some 1e-7, since nearly coplanar triangles are merged.
static const double DEPTH_TOLERANCE = 1e-6;
// Part of the size of the smaller body: a face that overlaps less is not beaten by edges by more
// than this.
static const double SHALLOW = 1e-6;
// Part of the distances involved up to which GJK may report bodies as touching.
static const double TOUCHING = 1e-8;
// Angle up to which faces are parallel: then the face of A is the reference, whatever rounding
// says.
static const double PARALLEL_ANGLE = 1e-6;

// Part of the half-width of the smaller body: of corners of a polygon that are nearer, the deepest
// stays, if a body has many faces. Polygons of neighbouring small faces have corners as near as
// chance will have it, and contacts that are nearly one make a problem hard. In a step in which the
// bodies turn by reach / extent, one that is left out sinks by no more than this part of the reach.
static const double NEAR = 0.02;

typedef struct Contact {
  const rgShape *a, *b;
  rgMat3 rotation_a, rotation_b;
  rgVec3 position_a, position_b;
  rgPolyhedra from_a, from_b; // the pair in the frame of either body
  double reach, angle;
  double width; // [m] least half-width of both
} Contact;

static Contact contact_of(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          double reach) {
  Contact c = {
      .a = a, .b = b, .position_a = pose_a.position, .position_b = pose_b.position, .reach = reach};
  c.rotation_a = m3_from_quat(pose_a.orientation);
  c.rotation_b = m3_from_quat(pose_b.orientation);
  rgMat3 inverse_a = m3_transpose(&c.rotation_a);
  double extent = a->extent < b->extent ? a->extent : b->extent;
  c.from_a = (rgPolyhedra){a->polyhedron, b->polyhedron, m3_mul(&inverse_a, &c.rotation_b),
                           m3_apply(&inverse_a, v3_sub(pose_b.position, pose_a.position)), extent};
  c.from_b = rg_sat_turned(&c.from_a);
  c.angle = rg_face_angle(reach, extent);
  c.width = a->size < b->size ? a->size : b->size;
  return c;
}

// --- faces --------------------------------------------------------------------------------------

// The face of b that lies opposite to face `reference` of a, in the coordinates of that face.
static void incident_polygon(const rgPolyhedra* pair, int reference, rgVec3 axis_u, rgVec3 axis_v,
                             rgPolygon* polygon) {
  const rgPolyhedron* b = pair->b;
  rgVec3 n = pair->a->normals[reference];
  int face = rg_sat_face_along(b, v3_neg(m3_apply_transposed(&pair->rotation, n)));
  int begin = b->face_start[face], sides = b->face_start[face + 1] - begin;
  int stride = (sides + RG_FACE_MAX - 1) / RG_FACE_MAX;
  polygon->count = 0;
  for (int i = 0; i < sides; i += stride) {
    int vertex = b->face_loop[begin + i];
    rgVec3 x = v3_add(pair->offset, m3_apply(&pair->rotation, b->vertices[vertex]));
    polygon->vertices[polygon->count++] = (rgPolygonVertex){
        v3_dot(axis_u, x), v3_dot(axis_v, x), v3_dot(n, x) - pair->a->offsets[reference],
        (uint32_t)vertex & RG_SIDE_VERTEX};
  }
}

// Cuts the polygon along the sides of face `reference` of a.
static void cut_to_face(const rgPolyhedra* pair, int reference, rgVec3 axis_u, rgVec3 axis_v,
                        rgPolygon* polygon) {
  const rgPolyhedron* a = pair->a;
  int begin = a->face_start[reference], sides = a->face_start[reference + 1] - begin;
  int stride = (sides + RG_FACE_MAX - 1) / RG_FACE_MAX;
  for (int i = 0; i < sides && polygon->count > 0; i += stride) {
    int vertex = a->face_loop[begin + i];
    rgVec3 p = a->vertices[vertex];
    rgVec3 along =
        v3_sub(a->vertices[a->face_loop[begin + (i + stride < sides ? i + stride : 0)]], p);
    double du = v3_dot(axis_u, along), dv = v3_dot(axis_v, along);
    double length = sqrt(du * du + dv * dv);
    double n_u = dv / length, n_v = -du / length;
    double offset = n_u * v3_dot(axis_u, p) + n_v * v3_dot(axis_v, p);
    rg_clip_cut(polygon, n_u, n_v, offset, CLIP_TOLERANCE * pair->size,
                RG_SIDE_REFERENCE | ((uint32_t)vertex & RG_SIDE_VERTEX));
  }
}

// Drops points that are near to a deeper one that stays.
static void drop_near(rgManifold* manifold, double distance) {
  enum { UNSEEN, STAYS, GOES } state[RG_MANIFOLD_MAX] = {UNSEEN};
  rgManifoldPoint* points = manifold->points;
  for (int n = 0; n < manifold->count; n++) {
    int i = -1; // the deepest that is left
    for (int k = 0; k < manifold->count; k++)
      if (state[k] == UNSEEN && (i < 0 || points[k].gap < points[i].gap))
        i = k;
    state[i] = STAYS;
    for (int k = 0; k < manifold->count; k++)
      if (k != i && state[k] == STAYS &&
          v3_norm2(v3_sub(points[k].point_a, points[i].point_a)) < distance * distance)
        state[i] = GOES;
  }
  int kept = 0;
  for (int i = 0; i < manifold->count; i++)
    if (state[i] == STAYS)
      points[kept++] = points[i];
  manifold->count = kept;
}

// Contacts over one face of one body; false when the face does not explain the separation found.
static bool face_contacts(const Contact* c, bool of_a, int face, double separation,
                          rgManifoldList* out) {
  const rgPolyhedra* pair = of_a ? &c->from_a : &c->from_b;
  const rgMat3* rotation = of_a ? &c->rotation_a : &c->rotation_b;
  rgVec3 n = pair->a->normals[face], axis_u, axis_v;
  v3_frame(n, &axis_u, &axis_v);
  rgPolygon polygon;
  incident_polygon(pair, face, axis_u, axis_v, &polygon);
  cut_to_face(pair, face, axis_u, axis_v, &polygon);

  double least = rg_clip_least_gap(&polygon);
  double tolerance = DEPTH_TOLERANCE * pair->size + c->angle * c->angle * fabs(separation);
  if (least > separation + tolerance)
    return false;
  if (least > c->reach || rg_clip_grazes(&polygon, least, c->width))
    return true;
  rgVec3 origin = m3_apply(rotation, v3_scale(n, pair->a->offsets[face]));
  rgFaceFrame frame = {.origin = v3_add(of_a ? c->position_a : c->position_b, origin),
                       .axis_u = m3_apply(rotation, axis_u),
                       .axis_v = m3_apply(rotation, axis_v),
                       .normal = m3_apply(rotation, n),
                       .of_a = of_a};
  int before = out->count;
  rg_clip_contacts(&polygon, &frame, c->reach, out);
  if (out->count > before && (c->a->polyhedron->clusters || c->b->polyhedron->clusters))
    drop_near(&out->items[before], NEAR * c->width);
  return true;
}

// Contacts over a face whose normal is along n (out of a, frame of a); false when there is no such
// face.
static bool flat_contacts(const Contact* c, rgVec3 n, double separation, rgManifoldList* out) {
  rgVec3 n_b = v3_neg(m3_apply_transposed(&c->from_a.rotation, n));
  int face_a = rg_sat_face_along(c->a->polyhedron, n);
  int face_b = rg_sat_face_along(c->b->polyhedron, n_b);
  double angle_a = v3_norm(v3_cross(c->a->polyhedron->normals[face_a], n));
  double angle_b = v3_norm(v3_cross(c->b->polyhedron->normals[face_b], n_b));
  bool a_first = angle_a <= PARALLEL_ANGLE || angle_a <= angle_b;
  for (int i = 0; i < 2; i++) {
    bool of_a = i == 0 ? a_first : !a_first;
    if ((of_a ? angle_a : angle_b) <= c->angle &&
        face_contacts(c, of_a, of_a ? face_a : face_b, separation, out))
      return true;
  }
  return false;
}

// --- edges and points ---------------------------------------------------------------------------

static rgEdgePair edge_pair(const Contact* c, int edge_a, int edge_b, rgVec3 normal) {
  const int *ea = c->a->polyhedron->edges[edge_a], *eb = c->b->polyhedron->edges[edge_b];
  const rgVec3 *va = c->a->polyhedron->vertices, *vb = c->b->polyhedron->vertices;
  return (rgEdgePair){.start_a = v3_add(c->position_a, m3_apply(&c->rotation_a, va[ea[0]])),
                      .along_a = m3_apply(&c->rotation_a, v3_sub(va[ea[1]], va[ea[0]])),
                      .start_b = v3_add(c->position_b, m3_apply(&c->rotation_b, vb[eb[0]])),
                      .along_b = m3_apply(&c->rotation_b, v3_sub(vb[eb[1]], vb[eb[0]])),
                      .normal = normal,
                      .edge_a = (uint32_t)edge_a,
                      .edge_b = (uint32_t)edge_b};
}

// Edges of one body that may support it along d.
typedef struct Supporting {
  const rgPolyhedron* p;
  rgVec3 d;
  double top;        // [m] of the body along d
  rgSelection edges; // among others
} Supporting;

static void find_supporting(const rgPolyhedron* p, rgVec3 d, double angle, Supporting* out) {
  out->p = p;
  out->d = d;
  out->top = rg_clusters_height(p, d);
  double slack = p->clusters ? angle * p->clusters->longest : 0;
  rg_clusters_edges_above(p, d, out->top - slack, &out->edges);
}

// True when both ends are as far along d as any vertex, to within `angle`.
static bool supports(const Supporting* s, int edge, double angle) {
  const rgPolyhedron* p = s->p;
  rgVec3 u = p->vertices[p->edges[edge][0]], v = p->vertices[p->edges[edge][1]];
  double slack = angle * v3_norm(v3_sub(v, u));
  return s->top - v3_dot(s->d, u) <= slack && s->top - v3_dot(s->d, v) <= slack;
}

// Length of the stretch that edges parallel within `angle` share; negative when they share none.
static double shared_length(const rgEdgePair* e, double angle) {
  double a = v3_norm(e->along_a), b = v3_norm(e->along_b);
  if (v3_norm(v3_cross(e->along_a, e->along_b)) > angle * a * b)
    return -1;
  double start = v3_dot(v3_sub(e->start_b, e->start_a), e->along_a) / a;
  double end = start + v3_dot(e->along_b, e->along_a) / a;
  double low = start < end ? start : end, high = start < end ? end : start;
  return (high < a ? high : a) - (low > 0 ? low : 0);
}

// The two parallel edges that are nearest along the normal (world, from B to A); false when there
// are none.
static bool parallel_edges(const Contact* c, rgVec3 normal, rgEdgePair* best) {
  rgVec3 da = v3_neg(m3_apply_transposed(&c->rotation_a, normal));
  rgVec3 db = m3_apply_transposed(&c->rotation_b, normal);
  Supporting of_a, of_b;
  find_supporting(c->a->polyhedron, da, c->angle, &of_a);
  find_supporting(c->b->polyhedron, db, c->angle, &of_b);
  double longest = 0;
  for (int i = 0; i < of_a.edges.count; i++) {
    int edge_a = rg_selected(&of_a.edges, i);
    if (!supports(&of_a, edge_a, c->angle))
      continue;
    for (int j = 0; j < of_b.edges.count; j++) {
      int edge_b = rg_selected(&of_b.edges, j);
      if (!supports(&of_b, edge_b, c->angle))
        continue;
      rgEdgePair edges = edge_pair(c, edge_a, edge_b, normal);
      double length = shared_length(&edges, c->angle);
      if (length > longest) {
        longest = length;
        *best = edges;
      }
    }
  }
  return longest > 0;
}

// True when x (world) is a vertex. Vertices that near are not lower along the outward normal (world).
static bool at_vertex(const rgPolyhedron* p, const rgMat3* rotation, rgVec3 normal, rgVec3 from,
                      double tolerance) {
  rgVec3 own = m3_apply_transposed(rotation, from), d = m3_apply_transposed(rotation, normal);
  rgSelection near;
  rg_clusters_vertices_above(p, d, v3_dot(d, own) - 2 * tolerance, &near);
  for (int i = 0; i < near.count; i++)
    if (v3_norm2(v3_sub(p->vertices[rg_selected(&near, i)], own)) <= tolerance * tolerance)
      return true;
  return false;
}

// True when a face of either body lies across n (out of a, frame of a) to within the angle of
// grazing.
static bool grazing(const Contact* c, rgVec3 n) {
  const rgPolyhedron *a = c->a->polyhedron, *b = c->b->polyhedron;
  rgVec3 n_b = v3_neg(m3_apply_transposed(&c->from_a.rotation, n));
  const rgVec3* face_a = &a->normals[rg_sat_face_along(a, n)];
  const rgVec3* face_b = &b->normals[rg_sat_face_along(b, n_b)];
  return v3_norm(v3_cross(*face_a, n)) < RG_GRAZING_ANGLE ||
         v3_norm(v3_cross(*face_b, n_b)) < RG_GRAZING_ANGLE;
}

static void point_contact(const Contact* c, const rgDistance* nearest, rgManifoldList* out) {
  rgManifold* manifold = rg_manifold_begin(out, nearest->normal, 0);
  if (!manifold)
    return;
  rgVec3 da = v3_neg(m3_apply_transposed(&c->rotation_a, nearest->normal));
  rgVec3 db = m3_apply_transposed(&c->rotation_b, nearest->normal);
  uint32_t feature =
      rg_feature(RG_FEATURE_CROSSING, (uint32_t)rg_clusters_highest(c->a->polyhedron, da),
                 (uint32_t)rg_clusters_highest(c->b->polyhedron, db));
  rg_manifold_add(manifold, nearest->point_a, nearest->point_b, nearest->distance, feature);
}

// --- the two cases ------------------------------------------------------------------------------

static void contacts_apart(const Contact* c, const rgDistance* nearest, rgManifoldList* out) {
  rgVec3 n = v3_neg(m3_apply_transposed(&c->rotation_a, nearest->normal));
  if (flat_contacts(c, n, nearest->distance, out))
    return;
  rgEdgePair edges;
  double tolerance = CLIP_TOLERANCE * c->from_a.size;
  bool parallel = parallel_edges(c, nearest->normal, &edges);
  bool corner = parallel ||
                at_vertex(c->a->polyhedron, &c->rotation_a, v3_neg(nearest->normal),
                          v3_sub(nearest->point_a, c->position_a), tolerance) ||
                at_vertex(c->b->polyhedron, &c->rotation_b, nearest->normal,
                          v3_sub(nearest->point_b, c->position_b), tolerance);
  if (corner && grazing(c, n))
    return;
  if (parallel)
    rg_edge_contacts(&edges, c->angle, c->reach, out);
  else
    point_contact(c, nearest, out);
}

// `faces` is the best axis among faces.
static bool contacts_overlapping(const Contact* c, rgAxis faces, rgVec3* normal,
                                 rgManifoldList* out) {
  double apart = TOUCHING * (c->a->extent + c->b->extent + v3_norm(c->from_a.offset));
  rgAxis axis = rg_sat_axis(&c->from_a, faces, apart);
  *normal = v3_neg(m3_apply(&c->rotation_a, axis.normal));
  if (axis.separation > c->reach || flat_contacts(c, axis.normal, axis.separation, out))
    return true;
  if (axis.edge_a < 0)
    return false;
  rgEdgePair edges = edge_pair(c, axis.edge_a, axis.edge_b, *normal);
  rg_edge_contacts(&edges, c->angle, c->reach, out);
  return true;
}

static void collide_polyhedra(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                              double reach, rgPairHint* hint, rgManifoldList* out) {
  rgConvex convex_a = rg_convex_of_shape(a, pose_a), convex_b = rg_convex_of_shape(b, pose_b);
  if (rg_convex_apart_along(&convex_a, &convex_b, reach, hint->axis))
    return;
  Contact c = contact_of(a, pose_a, b, pose_b, reach);
  rgVec3 guess = v3_neg(m3_apply_transposed(&c.rotation_a, hint->axis));
  rgAxis faces = rg_sat_face_axis(&c.from_a, guess);
  hint->axis = v3_neg(m3_apply(&c.rotation_a, faces.normal));
  bool shallow = faces.separation >= -SHALLOW * c.from_a.size;
  if (faces.separation > reach ||
      (shallow && flat_contacts(&c, faces.normal, faces.separation, out)))
    return;

  rgDistance nearest;
  rgSeparation separation = rg_convex_separation(&convex_a, &convex_b, reach, v3_zero(), &nearest);
  if (separation != RG_SEPARATION_NONE) {
    hint->axis = nearest.normal;
    if (separation == RG_SEPARATION_NEAR)
      contacts_apart(&c, &nearest, out);
    return;
  }
  if (contacts_overlapping(&c, faces, &hint->axis, out))
    return;
  // Rounding hid the face of least overlap: the general method still has the point.
  if (rg_convex_distance(&convex_a, &convex_b, reach, hint->axis, &nearest))
    point_contact(&c, &nearest, out);
}

void rg_pair_hull_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                       double reach, rgPairHint* hint, rgManifoldList* out) {
  collide_polyhedra(a, pose_a, b, pose_b, reach, hint, out);
}

void rg_pair_box_hull(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                      double reach, rgPairHint* hint, rgManifoldList* out) {
  collide_polyhedra(a, pose_a, b, pose_b, reach, hint, out);
}
