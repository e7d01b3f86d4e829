// clip.h - contact of two flat faces: one polygon cut to the outline of the other.
//
// The reference face lies in the plane w = 0 of a frame (u, v, w) whose w axis is its outward
// normal; the polygon of the other body, the incident face, is given in that frame, so that w is
// its gap. Each side of the polygon remembers what it came from, and a vertex is named by the two
// sides that meet in it: the name stays the same when the two faces exchange their roles.
#ifndef COLLIDE_CONVEX_CLIP_H
#define COLLIDE_CONVEX_CLIP_H

#include "collide/collide.h"

enum {
  RG_POLYGON_MAX = 512,             // vertices of a polygon while it is cut
  RG_FACE_MAX = RG_POLYGON_MAX / 2, // sides of a face; a face with more is thinned out to these
};

// A side is named by the body it belongs to and by the vertex at which it starts, going around its
// own face.
enum { RG_SIDE_REFERENCE = 0x8000, RG_SIDE_VERTEX = 0x7fff };

typedef struct rgPolygonVertex {
  double u, v, w; // [m]
  uint32_t side;  // from this vertex to the next one
} rgPolygonVertex;

typedef struct rgPolygon {
  int count;
  rgPolygonVertex vertices[RG_POLYGON_MAX];
} rgPolygon;

// Cuts off what lies beyond the line n_u u + n_v v = offset, (n_u, n_v) of unit length. Vertices
// within `tolerance` of the line are on it and stay as they are.
void rg_clip_cut(rgPolygon* polygon, double n_u, double n_v, double offset, double tolerance,
                 uint32_t side);

// Least gap of the polygon; INFINITY when nothing is left of it.
double rg_clip_least_gap(const rgPolygon* polygon);

// True when bodies of half-width `width` [m] face each other over a strip so narrow that they do
// not meet but slide past: a block that moves over flush blocks must not be stopped by their edges.
// Narrow means a millionth of the width, or, of bodies `gap` apart, a thousandth of what lies
// between them. Never true for bodies that overlap by more than the former.
bool rg_clip_grazes(const rgPolygon* polygon, double gap, double width);

// The reference face in the world, and which body it belongs to.
typedef struct rgFaceFrame {
  rgVec3 origin;                 // [m] u = v = w = 0
  rgVec3 axis_u, axis_v, normal; // unit, right-handed
  bool of_a;
} rgFaceFrame;

// Adds a manifold, or several, with the vertices of the polygon whose gap is at most `reach`.
void rg_clip_contacts(const rgPolygon* polygon, const rgFaceFrame* frame, double reach,
                      rgManifoldList* out);

// Names for contacts by the index of a vertex, or by those of two sides or edges.
typedef enum rgFeatureKind {
  RG_FEATURE_VERTEX_A,      // corner of A over a face of B
  RG_FEATURE_VERTEX_B,      // corner of B over a face of A
  RG_FEATURE_CROSSING,      // side of a face of A, side of a face of B
  RG_FEATURE_CROSSING_BACK, // the same sides, crossed the other way around
} rgFeatureKind;

static inline uint32_t rg_feature(rgFeatureKind kind, uint32_t a, uint32_t b) {
  return (uint32_t)kind << 30 | (a & RG_SIDE_VERTEX) << 15 | (b & RG_SIDE_VERTEX);
}

// Largest angle between a contact normal and the normal of a face at which the whole face is taken
// as touching. Bodies that turn into each other within the step close a gap of `reach` over their
// extent; beyond that, or beyond the cap, the normal of the true closest points is kept. The floor
// is the noise of a resting stack.
static inline double rg_face_angle(double reach, double extent) {
  const double floor_angle = 1e-6, cap_angle = 0.02;
  double angle = reach / extent;
  return angle < floor_angle ? floor_angle : angle < cap_angle ? angle : cap_angle;
}

// Bodies whose nearest features are corners or parallel edges slide past each other when the normal
// is this close [rad] to the normal of a face: they have hardly to move across it to be clear, and
// a contact would bar their way.
#define RG_GRAZING_ANGLE 0.1

#endif
