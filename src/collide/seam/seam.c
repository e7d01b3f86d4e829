// seam.c - contacts where flush convex shapes make up one surface.
//
// Problem. Convex shapes S_1, S_2, ... that move as one make up the solid U. A pair function sees
// one of them alone and finds the distance of a body A from S_i, at the point p of S_i with the
// normal n. Where shapes lie side by side, p may be on an edge or a face of S_i that is no edge or
// face of U, and n a direction along which U does not push: bodies that roll or slide over the seam
// hop, or lose speed.
//
// Principle. Let N_j(p) be the normal cone of S_j at p, empty where p is not in S_j. The normals of
// U at p are those that all shapes there have in common, since n is normal to a union exactly when
// it is normal to each of its members:
//
//     N_U(p) = intersection of N_j(p) over all j with p in S_j.
//
// A is nearest to U at p only along such a normal: if q in S_j stands out beyond the plane through
// p, (q - p) . n > 0, then points of S_j near p, towards q, are closer to A than p is, and the
// contact with S_j is the one that counts. So n is tested against every neighbour that has p: it is
// in N_j(p) when S_j does not rise above the plane through p across n.
//
//     edge between flush boxes  the two quarter circles of their edges have one direction in
//                               common, the normal of their tops: the seam is flat
//     ridge                     the arc between the two faces: a real edge stays one
//     inner face                no direction in common: nobody is pushed along it
//
// Hollow corners, such as wall and floor, have no normal in this sense, although a body in the
// corner is pushed along both. There the limit counts: n is allowed at p when it is a normal of U at
// points of S_i arbitrarily near p. These lie on the feature of S_i that faces n (elsewhere n is no
// normal of S_i), so it is enough that some direction within that feature leads out of all
// neighbours that do not have n (`surface_leads_out`, `edge_leads_out`). A manifold stands when one
// of its points is allowed.
//
// What replaces a manifold that falls: the contacts along the normal m of a flat face of S_i that is
// exposed there, the one against which A is least deep.
//   1. Where A lies over the face, they are contacts with it.
//   2. Where a neighbour rises above the plane of the face, the corner between them is hollow and
//      the plane runs on inside the neighbour: as far as it does, A may not pass it either.
//   3. Otherwise there are none: what is flush with the face beyond the seam holds A there.
//
// Tolerance. Shapes within rg_seam_tolerance of touching are flush; steps and gaps above it are
// real. Faces are grown by it, so that a body over the rounding-sized gap between two faces is held
// by one of them.
//
// Limits. Curved shapes have no faces to turn to: a wrong normal on them is dropped. Triangles of
// meshes and fields have their own rules (surface.c) and are no neighbours here.
//
// Cost. A test per contact and neighbour that has the point; all else is for seams alone.
#include "collide/seam/seam.h"

#include "collide/convex/feature.h"
#include "collide/pair/pairs.h"
#include "shape/smooth/foot.h"

// Part of the smaller half-width within which shapes are flush: well above the rounding of places
// that are computed or written with some ten digits, well below ledges that stop anything.
static const double FLUSH = 1e-6;
// Sine up to which a normal is that of a face.
static const double FACING = 1e-6;
// Slope against the normal up to which an edge is level: as for lines of contact (feature.h).
static const double LEVEL = 1e-3;
// Directions are followed for this many tolerances.
static const double FOLLOWED = 16;
// Part of its half-width by which a body that is held in a hollow corner may have sunk into a side.
static const double SUNK = 0.1;
// Out of a curved shape it may be farther than to its tangent plane, by this factor.
static const double CURVED = 1.5;
// Sine between two faces below which one does not lead out of the other's solid.
static const double STEEP = 1e-3;
// On a face, up to rounding of the contact point: part of the tolerance.
static const double ON_FACE = 0.25;
// Faces tried before a contact is given up, the least deep first.
enum { FACES_TRIED = 4 };
enum { BLOCKERS_MAX = 8 };
// Key of a manifold that replaces another: its features are not those of the pair function.
enum { REPLACED = 1 };

double rg_seam_tolerance(const rgShape* a, const rgShape* b) {
  return FLUSH * (a->size < b->size ? a->size : b->size);
}

// Neighbours that have the point and do not have the normal.
typedef struct Blockers {
  int count;
  rgPlaced solids[BLOCKERS_MAX];
  double tolerances[BLOCKERS_MAX]; // [m]
  double tolerance;                // [m] the largest
} Blockers;

static void find_blockers(const rgSeam* seam, rgVec3 p, rgVec3 n, Blockers* out) {
  rgPlaced near;
  out->count = 0;
  out->tolerance = 0;
  for (int cursor = 0; out->count < BLOCKERS_MAX && seam->next(seam->context, p, &cursor, &near);) {
    double tolerance = rg_seam_tolerance(seam->solid.shape, near.shape);
    if (!(rg_solid_distance(&near, p, tolerance) <= tolerance))
      continue;
    if (rg_solid_rise(&near, p, n) <= 2 * tolerance) // p itself may be a tolerance below it
      continue;
    out->tolerance = tolerance > out->tolerance ? tolerance : out->tolerance;
    out->solids[out->count] = near;
    out->tolerances[out->count++] = tolerance;
  }
}

static bool is_covered(const Blockers* blockers, rgVec3 x) {
  for (int i = 0; i < blockers->count; i++) {
    double tolerance = blockers->tolerances[i];
    if (rg_solid_distance(&blockers->solids[i], x, tolerance) <= tolerance)
      return true;
  }
  return false;
}

// --- Exposure ------------------------------------------------------------------------------------

// A normal at a point of the solid, and what denies it.
typedef struct Claim {
  const rgSeam* seam;
  rgVec3 p, n;
  bool curved; // the surface is, at p
  Blockers blockers;
} Claim;

// Whether the solid has the normal just behind `distance` from p, and nothing denies it there. On a
// curved surface the point is set onto it and has a normal of its own.
static bool leads_out(const Claim* claim, rgVec3 direction, double distance) {
  const rgPlaced* solid = &claim->seam->solid;
  double tolerance = claim->blockers.tolerance, on = ON_FACE * tolerance;
  rgVec3 x = v3_axpy(claim->p, distance + FOLLOWED * tolerance, direction), n = claim->n;
  if (claim->curved) {
    n = rg_solid_outward(solid, x);
    x = v3_axpy(x, -rg_solid_distance(solid, x, HUGE_VAL), n);
    if (v3_norm2(v3_cross(n, claim->n)) > RG_FEATURE_TILT * RG_FEATURE_TILT)
      return false;
  } else if (!(rg_solid_distance(solid, x, on) <= on)) {
    return false;
  }
  Blockers there;
  find_blockers(claim->seam, x, n, &there);
  return there.count == 0;
}

static bool is_face_normal(const rgPlaced* solid, rgVec3 n) {
  for (int f = 0; f < rg_solid_face_count(solid->shape); f++) {
    double offset;
    rgVec3 m = rg_solid_face(solid, f, &offset);
    if (v3_dot(m, n) > 0 && v3_norm2(v3_cross(m, n)) <= FACING * FACING)
      return true;
  }
  return false;
}

// All around p within the face or the tangent plane.
static bool around_leads_out(const Claim* claim) {
  static const double around[8][2] = {{1, 0}, {2, 1},  {1, 1},  {1, 2},
                                      {0, 1}, {-1, 2}, {-1, 1}, {-2, 1}};
  rgVec3 n = claim->n, t, o;
  v3_frame(n, &t, &o);
  int count = 8;
  if (claim->seam->solid.shape->outline) { // in the plane
    t = v3(-n.y, n.x, 0);
    count = 1;
  }
  for (int i = 0; i < count; i++) {
    rgVec3 d = v3_axpy(v3_scale(t, around[i][0]), around[i][1], o);
    d = v3_scale(d, 1 / v3_norm(d));
    if (leads_out(claim, d, 0) || leads_out(claim, v3_neg(d), 0))
      return true;
  }
  return false;
}

// [m] How far the other shape is from a plane; negative when it has sunk into it.
static double separation(const rgSeam* seam, rgVec3 normal, double offset) {
  return -rg_solid_rise(&seam->other, v3_scale(normal, offset), v3_neg(normal));
}

// Out of a blocker through one of its faces, into which the other shape has sunk a little: in a
// hollow corner it then touches the one side below the surface of the other.
static bool depth_leads_out(const Claim* claim, const rgPlaced* blocker) {
  const rgSeam* seam = claim->seam;
  rgVec3 outward = rg_solid_outward(blocker, claim->p);
  if (rg_solid_is_curved(blocker, outward)) {
    double depth = -rg_solid_distance(blocker, claim->p, HUGE_VAL);
    rgVec3 d = v3_axpy(outward, -v3_dot(outward, claim->n), claim->n);
    double slope = v3_norm(d);
    return slope >= STEEP && depth <= SUNK * seam->other.shape->size &&
           leads_out(claim, v3_scale(d, 1 / slope), CURVED * depth / slope);
  }
  for (int f = 0; f < rg_solid_face_count(blocker->shape); f++) {
    double offset;
    rgVec3 m = rg_solid_face(blocker, f, &offset), d = v3_axpy(m, -v3_dot(m, claim->n), claim->n);
    double slope = v3_norm(d); // m.d for the unit vector d
    if (slope < STEEP || separation(seam, m, offset) < -SUNK * seam->other.shape->size)
      continue;
    double out = (offset - v3_dot(m, claim->p)) / slope;
    if (leads_out(claim, v3_scale(d, 1 / slope), out))
      return true;
  }
  return false;
}

static bool surface_leads_out(const Claim* claim) {
  if (around_leads_out(claim))
    return true;
  for (int i = 0; i < claim->blockers.count; i++)
    if (depth_leads_out(claim, &claim->blockers.solids[i]))
      return true;
  return false;
}

// The same along the edges, or the straight side, that face n.
static bool edge_leads_out(const Claim* claim) {
  rgFeature feature;
  rg_solid_feature(&claim->seam->solid, claim->n, &feature);
  int sides = feature.count > 2 ? feature.count : feature.count - 1;
  for (int i = 0; i < sides; i++) {
    rgVec3 side = v3_sub(feature.points[i + 1 < feature.count ? i + 1 : 0], feature.points[i]);
    rgVec3 d = v3_unit_or(side, v3_zero());
    if (v3_norm2(d) == 0 || fabs(v3_dot(d, claim->n)) > FACING)
      continue;
    if (leads_out(claim, d, 0) || leads_out(claim, v3_neg(d), 0))
      return true;
  }
  return false;
}

// Whether the union pushes along n, out of the solid, at its point p.
static bool allows(const rgSeam* seam, rgVec3 p, rgVec3 n) {
  Claim claim = {.seam = seam, .p = p, .n = n};
  find_blockers(seam, p, n, &claim.blockers);
  if (claim.blockers.count == 0)
    return true;
  claim.curved = rg_solid_is_curved(&seam->solid, n);
  bool tangent_plane = claim.curved || is_face_normal(&seam->solid, n);
  return tangent_plane ? surface_leads_out(&claim) : edge_leads_out(&claim);
}

// The point of the solid next to p that has n as a normal, where n belongs to no face. Contacts of
// one manifold share their normal, but on a face that is tilted against it only those on its highest
// edge or corner have it.
static rgVec3 settle(const rgPlaced* solid, rgVec3 p, rgVec3 n) {
  if (rg_solid_is_curved(solid, n)) {
    bool has = rg_solid_rise(solid, p, n) <= FLUSH * solid->shape->size;
    return has ? p : rg_solid_support(solid, n);
  }
  rgFeature f;
  rg_solid_feature(solid, n, &f);
  if (f.count == 1 || (f.count > 2 && f.disc_radius > 0))
    return rg_solid_support(solid, n);
  int top = 0;
  for (int i = 1; i < f.count; i++)
    if (v3_dot(n, f.points[i]) > v3_dot(n, f.points[top]))
      top = i;
  double slope = LEVEL;
  rgVec3 corner = f.points[top], found = corner;
  for (int i = 0; i < 2; i++) {
    int other = i == 0 ? (top + 1 < f.count ? top + 1 : 0) : (top > 0 ? top - 1 : f.count - 1);
    rgVec3 side = v3_sub(f.points[other], corner);
    double length = v3_norm(side), where;
    if (!(fabs(v3_dot(n, side)) < slope * length))
      continue;
    slope = fabs(v3_dot(n, side)) / length;
    found = rg_foot_on_segment(corner, f.points[other], p, &where);
  }
  return found;
}

// --- Replacement ---------------------------------------------------------------------------------

typedef struct Face {
  rgVec3 normal;
  double offset;     // [m]
  double separation; // [m] of the other shape
} Face;

static Face face_of(const rgSeam* seam, int index) {
  Face face;
  face.normal = rg_solid_face(&seam->solid, index, &face.offset);
  face.separation = separation(seam, face.normal, face.offset);
  return face;
}

// The face with the largest separation below `limit` that is exposed next to p. A face into which
// the other has sunk by more than the smaller half-width is on the far side of the solid.
static bool next_face(const rgSeam* seam, rgVec3 p, double limit, Face* best) {
  double deepest = -fmin(seam->other.shape->size, seam->solid.shape->size);
  best->separation = -HUGE_VAL;
  for (int f = 0; f < rg_solid_face_count(seam->solid.shape); f++) {
    Face face = face_of(seam, f);
    if (face.separation >= limit || face.separation < deepest ||
        face.separation <= best->separation)
      continue;
    rgVec3 on_plane = v3_axpy(p, face.offset - v3_dot(face.normal, p), face.normal);
    if (allows(seam, on_plane, face.normal))
      *best = face;
  }
  return best->separation > -HUGE_VAL;
}

// Contacts of the other shape over the face, which faces n out of the solid.
static int contacts_over(const rgSeam* seam, const Face* face, const rgFeature* facing,
                         rgManifoldPoint* points) {
  rgFeature own;
  rg_solid_feature(&seam->solid, face->normal, &own);
  rg_solid_grow_feature(&own, FLUSH * seam->solid.shape->size);
  return seam->solid_is_a
             ? rg_feature_contacts(&own, facing, v3_neg(face->normal), seam->reach, points)
             : rg_feature_contacts(facing, &own, face->normal, seam->reach, points);
}

// Contacts with the plane of the face where it runs on inside neighbours that rise above it.
static int contacts_in_hollow(const rgSeam* seam, const Face* face, const rgFeature* facing,
                              rgVec3 p, rgManifoldPoint* points) {
  rgVec3 on_plane = v3_axpy(p, face->offset - v3_dot(face->normal, p), face->normal);
  Blockers rising;
  find_blockers(seam, on_plane, face->normal, &rising);
  int count = 0;
  for (int i = 0; i < facing->count && rising.count > 0; i++) {
    rgVec3 x = facing->points[i];
    double gap = v3_dot(face->normal, x) - face->offset;
    rgVec3 q = v3_axpy(x, -gap, face->normal);
    if (gap > seam->reach || !is_covered(&rising, q))
      continue;
    points[count++] = seam->solid_is_a ? (rgManifoldPoint){q, x, gap, (uint32_t)i}
                                       : (rgManifoldPoint){x, q, gap, (uint32_t)i};
  }
  return count;
}

// Writes what replaces a manifold that fell at p; false when there is nothing.
static bool replace(const rgSeam* seam, rgVec3 p, rgManifold* out) {
  rgManifoldPoint points[RG_CONTACTS_MAX];
  Face face;
  double limit = HUGE_VAL;
  for (int tried = 0; tried < FACES_TRIED && next_face(seam, p, limit, &face); tried++) {
    limit = face.separation;
    if (face.separation > seam->reach)
      return false;
    rgFeature facing;
    rg_solid_feature(&seam->other, v3_neg(face.normal), &facing);
    int count = contacts_over(seam, &face, &facing, points);
    if (count == 0)
      count = contacts_in_hollow(seam, &face, &facing, p, points);
    if (count == 0)
      continue;
    out->key = REPLACED;
    out->normal = seam->solid_is_a ? v3_neg(face.normal) : face.normal;
    out->count = rg_manifold_reduce_points(out->normal, points, count, RG_MANIFOLD_MAX);
    for (int i = 0; i < out->count; i++)
      out->points[i] = points[i];
    return true;
  }
  return false;
}

// Whether a manifold stands; *p is the deepest point on the solid.
static bool stands(const rgSeam* seam, const rgManifold* manifold, rgVec3* p) {
  rgVec3 n = seam->solid_is_a ? v3_neg(manifold->normal) : manifold->normal;
  bool facing = is_face_normal(&seam->solid, n);
  double deepest = HUGE_VAL;
  for (int i = 0; i < manifold->count; i++) {
    const rgManifoldPoint* point = &manifold->points[i];
    rgVec3 on_solid = seam->solid_is_a ? point->point_a : point->point_b;
    if (!facing)
      on_solid = settle(&seam->solid, on_solid, n);
    if (allows(seam, on_solid, n))
      return true;
    if (point->gap < deepest) {
      deepest = point->gap;
      *p = on_solid;
    }
  }
  return manifold->count == 0;
}

void rg_seam_correct(const rgSeam* seam, rgManifoldList* list) {
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    rgVec3 p = v3_zero();
    if (stands(seam, &list->items[i], &p) || replace(seam, p, &list->items[i])) {
      if (kept != i)
        list->items[kept] = list->items[i];
      kept++;
    }
  }
  list->count = kept;
}
