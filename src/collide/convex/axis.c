// axis.c - finding the common normal of two convex shapes among candidates.
//
// Method: the candidates that cost little come first: face normals and cylinder axes. The best of
// them is the answer when the features that face each other along it really lie over one another
// (feature.h), for then some pair of points is as close as the lower bound h. This settles bodies
// at rest on faces, exactly and without iteration. Otherwise the closest features are edges, rims
// or corners; rg_convex_distance finds them to some digits and the pair adds the exact normals of
// the features found.
//
// In overlap the same test makes n a locally best direction. Shallow ones are taken as they are;
// deeper ones are compared with what the general algorithm finds.
#include "collide/convex/axis.h"

#include "collide/convex/feature.h"

// A contact as close as h, relative to the size of the shapes.
static const double CERTAIN = 1e-10;
// Slope up to which an edge of a face is level: as for lines of contact (feature_contacts.c).
static const double LEVEL = 1e-3;
// Sine up to which a face faces a normal.
static const double FACING = 1e-6;
// Overlaps deeper than this part of the smaller size may have a shallower way out elsewhere.
static const double DEEP = 0.05;

rgAxisSearch rg_axis_search(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b) {
  return (rgAxisSearch){a, b, pose_a, pose_b, v3_zero(), -HUGE_VAL, true, 0};
}

static rgVec3 support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return pose_apply(pose,
                    rg_shape_info(shape->kind)->support(shape, quat_unrotate(pose.orientation, d)));
}

static void keep(rgAxisSearch* search, rgVec3 n, double gap) {
  if (gap > search->gap - search->slack) {
    search->gap = gap;
    search->normal = n;
  }
}

void rg_axis_try(rgAxisSearch* s, rgVec3 n) {
  if (!(v3_norm2(n) > 0))
    return;
  rgVec3 low = support(s->a, s->pose_a, v3_neg(n)), high = support(s->b, s->pose_b, n);
  keep(s, n, v3_dot(n, v3_sub(low, high)));
}

void rg_axis_try_line(rgAxisSearch* search, rgVec3 n) {
  rgVec3 unit = v3_unit_or(n, v3_zero());
  rg_axis_try(search, unit);
  rg_axis_try(search, v3_neg(unit));
}

// Faces of `own` against the support of the other shape; `sign` turns outward normals into
// candidates.
static void try_faces(rgAxisSearch* s, const rgShape* own, rgPose pose, const rgShape* other,
                      rgPose other_pose, double sign) {
  const rgPolyhedron* h = own->polyhedron;
  for (int f = 0; f < h->face_count; f++) {
    rgVec3 outward = quat_rotate(pose.orientation, h->normals[f]);
    rgVec3 low = support(other, other_pose, v3_neg(outward));
    double gap = v3_dot(outward, v3_sub(low, pose.position)) - h->offsets[f] - own->radius;
    keep(s, v3_scale(outward, sign), gap);
  }
}

void rg_axis_try_own(rgAxisSearch* s, bool of_a) {
  const rgShape *own = of_a ? s->a : s->b, *other = of_a ? s->b : s->a;
  rgPose pose = of_a ? s->pose_a : s->pose_b, other_pose = of_a ? s->pose_b : s->pose_a;
  if (own->polyhedron)
    try_faces(s, own, pose, other, other_pose, of_a ? -1 : 1);
  rgVec3 flat_axis = rg_shape_info(own->kind)->flat_axis;
  if (v3_norm2(flat_axis) > 0)
    rg_axis_try_line(s, quat_rotate(pose.orientation, flat_axis));
}

// --- Contacts ------------------------------------------------------------------------------------

typedef struct Contacts {
  rgManifoldPoint points[RG_CONTACTS_MAX + 1];
  int count;
  bool certain; // one of them is as close as h says
} Contacts;

static void overlap(const rgAxisSearch* s, const rgFeature* a, const rgFeature* b, double reach,
                    Contacts* c) {
  c->count = rg_feature_contacts(a, b, s->normal, reach, c->points);
  double limit = s->gap + CERTAIN * (s->a->extent + s->b->extent);
  c->certain = false;
  for (int i = 0; i < c->count; i++)
    c->certain = c->certain || c->points[i].gap <= limit;
}

// Makes a polygon that is tilted against d its edge that is highest along d. False when the polygon
// faces d, or that edge is not level.
static bool narrow(rgFeature* polygon, rgVec3 d) {
  if (v3_norm2(v3_cross(polygon->normal, d)) <= FACING * FACING)
    return false;
  int edge = 0;
  double best = -HUGE_VAL;
  for (int i = 0; i < polygon->count; i++) {
    double here = v3_dot(polygon->points[i], d),
           next = v3_dot(polygon->points[i + 1 < polygon->count ? i + 1 : 0], d);
    double lower = here < next ? here : next;
    if (lower > best) {
      best = lower;
      edge = i;
    }
  }
  rgVec3 p = polygon->points[edge], q = polygon->points[edge + 1 < polygon->count ? edge + 1 : 0];
  if (fabs(v3_dot(v3_sub(q, p), d)) > LEVEL * v3_norm(v3_sub(q, p)))
    return false;
  rg_feature_segment(polygon, p, q);
  return true;
}

static double span2(const Contacts* c) {
  return c->count == 2 ? v3_norm2(v3_sub(c->points[1].point_a, c->points[0].point_a)) : 0;
}

// A line along the edge of a face that is tilted against the normal is over that edge, whatever
// part of it rounding puts over the face.
static void line_on_edge(const rgAxisSearch* s, rgFeature* a, rgFeature* b, double reach,
                         Contacts* c) {
  Contacts on_edge;
  if (!(a->count > 2 ? narrow(a, v3_neg(s->normal)) : narrow(b, s->normal)))
    return;
  overlap(s, a, b, reach, &on_edge);
  if (on_edge.certain && (!c->certain || span2(&on_edge) > span2(c)))
    *c = on_edge;
}

static void contacts_along(const rgAxisSearch* s, double reach, Contacts* c) {
  rgFeature a, b;
  rg_shape_feature(s->a, s->pose_a, v3_neg(s->normal), &a);
  rg_shape_feature(s->b, s->pose_b, s->normal, &b);
  overlap(s, &a, &b, reach, c);
  if ((a.count == 2 && b.count > 2) || (a.count > 2 && b.count == 2))
    line_on_edge(s, &a, &b, reach, c);
}

static void write(const rgAxisSearch* s, Contacts* c, rgManifoldList* out) {
  if (c->count > 2)
    c->count = rg_manifold_reduce_points(s->normal, c->points, c->count, c->count);
  rg_manifold_write(out, s->normal, c->points, c->count);
}

bool rg_axis_emit_certain(const rgAxisSearch* search, double reach, rgManifoldList* out) {
  Contacts c;
  contacts_along(search, reach, &c);
  if (c.certain)
    write(search, &c, out);
  return c.certain;
}

static bool single_support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return rg_shape_info(shape->kind)->single(shape, quat_unrotate(pose.orientation, d));
}

// In overlap the witness points found come from a polytope inside the shapes; where one point alone
// is farthest along n, it is the better one. False when there is no such point.
static bool locate(const rgAxisSearch* s, rgVec3 n, double gap, rgDistance* found) {
  if (single_support(s->a, s->pose_a, v3_neg(n))) {
    found->point_a = support(s->a, s->pose_a, v3_neg(n));
    found->point_b = v3_axpy(found->point_a, -gap, n);
    return true;
  }
  if (single_support(s->b, s->pose_b, n)) {
    found->point_b = support(s->b, s->pose_b, n);
    found->point_a = v3_axpy(found->point_b, gap, n);
    return true;
  }
  return false;
}

// The closest points along the best normal, when no features lie over one another there.
static rgManifoldPoint witness(const rgAxisSearch* s, const rgDistance* found) {
  rgDistance best = *found;
  if (s->slack > 0 || v3_norm2(v3_sub(s->normal, found->normal)) > 0)
    locate(s, s->normal, s->gap, &best);
  return (rgManifoldPoint){best.point_a, best.point_b,
                           v3_dot(v3_sub(best.point_a, best.point_b), s->normal), 0};
}

void rg_axis_emit(const rgAxisSearch* search, const rgDistance* found, double reach,
                  rgManifoldList* out) {
  Contacts c;
  contacts_along(search, reach, &c);
  if (!c.certain && search->gap <= reach)
    c.points[c.count++] = witness(search, found);
  write(search, &c, out);
}

void rg_axis_pair(rgAxisSearch* s, double reach, rgAxisRefine* refine, rgPairHint* hint,
                  rgManifoldList* out) {
  rg_axis_try_own(s, true);
  rg_axis_try_own(s, false);
  if (s->gap > reach)
    return;
  bool deep = s->gap < -DEEP * (s->a->size < s->b->size ? s->a->size : s->b->size);
  if (v3_norm2(s->normal) > 0 && !deep && rg_axis_emit_certain(s, reach, out)) {
    hint->axis = s->normal;
    return;
  }
  rgConvex a = rg_convex_of_shape(s->a, s->pose_a), b = rg_convex_of_shape(s->b, s->pose_b);
  rgDistance found;
  bool near = rg_convex_distance(&a, &b, reach, hint->axis, &found);
  hint->axis = found.normal;
  if (!near)
    return;
  rg_axis_try(s, found.normal);
  if (found.distance <= 0)
    s->located = locate(s, found.normal, found.distance, &found);
  if (refine)
    refine(s, &found);
  if (!(s->gap <= reach))
    return;
  hint->axis = s->normal;
  rg_axis_emit(s, &found, reach, out);
}
