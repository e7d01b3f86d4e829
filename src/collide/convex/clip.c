// clip.c - contact of two flat faces: one polygon cut to the outline of the other.
//
// Method. Sutherland and Hodgman's cutting of a convex polygon by one half-plane after the other,
// in the coordinates of the reference face. A new vertex is set onto the line to the last bit, so
// that the corners of aligned boxes come out exactly. Cost O(sides of one face times sides of the
// other).
#include "collide/convex/clip.h"
#include "collide/pair/pairs.h"

// The point of side a b on the line, for signed distances d_a and d_b of different signs.
static rgPolygonVertex crossing(rgPolygonVertex a, double d_a, rgPolygonVertex b, double d_b,
                                double n_u, double n_v, double offset) {
  double s = d_a / (d_a - d_b);
  rgPolygonVertex x = {a.u + s * (b.u - a.u), a.v + s * (b.v - a.v), a.w + s * (b.w - a.w), a.side};
  double miss = n_u * x.u + n_v * x.v - offset;
  x.u -= miss * n_u;
  x.v -= miss * n_v;
  return x;
}

void rg_clip_cut(rgPolygon* polygon, double n_u, double n_v, double offset, double tolerance,
                 uint32_t side) {
  double distance[RG_POLYGON_MAX];
  int count = polygon->count, inside = 0;
  for (int i = 0; i < count; i++) {
    distance[i] = n_u * polygon->vertices[i].u + n_v * polygon->vertices[i].v - offset;
    inside += distance[i] <= tolerance;
  }
  if (inside == count)
    return;
  if (inside == 0) {
    polygon->count = 0;
    return;
  }

  // Copy what is inside, beginning with the first vertex after the part that is cut off.
  int first = 0;
  while (!(distance[first] <= tolerance) || distance[(first + count - 1) % count] <= tolerance)
    first++;
  rgPolygon old;
  for (int i = 0; i < count; i++)
    old.vertices[i] = polygon->vertices[i];
  int before = (first + count - 1) % count, last = first, kept = 0;
  for (int i = first; distance[i] <= tolerance; i = (i + 1) % count) {
    polygon->vertices[1 + kept++] = old.vertices[i];
    last = i;
  }

  // The cut runs from the side that leaves to the side that comes back; a vertex on the line ends
  // it by itself.
  int after = (last + 1) % count;
  if (distance[last] < -tolerance)
    polygon->vertices[1 + kept++] = crossing(
        old.vertices[last], distance[last], old.vertices[after], distance[after], n_u, n_v, offset);
  polygon->vertices[kept].side = side;
  if (distance[first] < -tolerance) {
    polygon->vertices[0] = crossing(old.vertices[before], distance[before], old.vertices[first],
                                    distance[first], n_u, n_v, offset);
    polygon->count = kept + 1;
    return;
  }
  for (int i = 0; i < kept; i++)
    polygon->vertices[i] = polygon->vertices[i + 1];
  polygon->count = kept;
}

double rg_clip_least_gap(const rgPolygon* polygon) {
  double least = HUGE_VAL;
  for (int i = 0; i < polygon->count; i++)
    least = polygon->vertices[i].w < least ? polygon->vertices[i].w : least;
  return least;
}

bool rg_clip_grazes(const rgPolygon* polygon, double gap, double width) {
  const double flush = 1e-6 * width, slope = 1e-3;
  if (gap < -flush)
    return false;
  double area = 0, around = 0; // twice the area, and the length of the outline
  rgPolygonVertex origin = polygon->vertices[0], last = polygon->vertices[polygon->count - 1];
  for (int i = 0; i < polygon->count; i++) {
    rgPolygonVertex p = polygon->vertices[i];
    area += (last.u - origin.u) * (p.v - origin.v) - (last.v - origin.v) * (p.u - origin.u);
    around += fabs(p.u - last.u) + fabs(p.v - last.v);
    last = p;
  }
  double between = gap < width ? gap : width;
  double narrow = slope * between > flush ? slope * between : flush;
  return fabs(area) <= narrow * around; // a strip has width area / (around / 2)
}

// The name of the vertex between sides `in` and `out`. The polygon runs around the incident face,
// against the sense of the reference face: a corner of the incident face starts `out`, one of the
// reference face starts `in`.
static uint32_t vertex_feature(const rgFaceFrame* frame, uint32_t in, uint32_t out) {
  bool in_reference = in & RG_SIDE_REFERENCE, out_reference = out & RG_SIDE_REFERENCE;
  if (in_reference == out_reference) {
    bool of_a = in_reference == frame->of_a;
    uint32_t vertex = in_reference ? in : out;
    return of_a ? rg_feature(RG_FEATURE_VERTEX_A, vertex, 0)
                : rg_feature(RG_FEATURE_VERTEX_B, 0, vertex);
  }
  rgFeatureKind kind = in_reference ? RG_FEATURE_CROSSING_BACK : RG_FEATURE_CROSSING;
  return in_reference == frame->of_a ? rg_feature(kind, in, out) : rg_feature(kind, out, in);
}

static bool is_crossing(uint32_t in, uint32_t out) {
  return (in & RG_SIDE_REFERENCE) != (out & RG_SIDE_REFERENCE);
}

// True when p is within `coarseness` of the line from a to b, across it and along the normal, so
// that a and b can carry what p carries.
static bool in_line(rgPolygonVertex a, rgPolygonVertex p, rgPolygonVertex b, double coarseness) {
  double u = b.u - a.u, v = b.v - a.v, p_u = p.u - a.u, p_v = p.v - a.v;
  double length2 = u * u + v * v, along = u * p_u + v * p_v, area = u * p_v - v * p_u;
  if (!(along > 0 && along < length2) || area * area > coarseness * coarseness * length2)
    return false;
  return p.w + coarseness >= a.w + (b.w - a.w) * (along / length2);
}

void rg_clip_contacts(const rgPolygon* polygon, const rgFaceFrame* frame, double reach,
                      rgManifoldList* out) {
  rgVec3 normal = frame->of_a ? v3_neg(frame->normal) : frame->normal;
  rgManifold* manifold = polygon->count > 0 ? rg_manifold_begin(out, normal, 0) : NULL;
  if (!manifold)
    return;
  rgManifoldPoint many[RG_POLYGON_MAX];
  rgManifoldPoint* points = polygon->count <= RG_MANIFOLD_MAX ? manifold->points : many;
  int count = 0, left = polygon->count;
  rgPolygonVertex before = polygon->vertices[polygon->count - 1];
  uint32_t in = before.side;
  for (int i = 0; i < polygon->count; i++) {
    rgPolygonVertex p = polygon->vertices[i];
    rgPolygonVertex next = polygon->vertices[i + 1 < polygon->count ? i + 1 : 0];
    bool dropped = left > 3 && is_crossing(in, p.side) && in_line(before, p, next, out->coarseness);
    if (dropped)
      left--;
    else
      before = p;
    if (p.w <= reach && !dropped) {
      rgVec3 on_face = v3_axpy(v3_axpy(frame->origin, p.u, frame->axis_u), p.v, frame->axis_v);
      rgVec3 on_other = v3_axpy(on_face, p.w, frame->normal);
      uint32_t feature = vertex_feature(frame, in, p.side);
      points[count++] = frame->of_a ? (rgManifoldPoint){on_face, on_other, p.w, feature}
                                    : (rgManifoldPoint){on_other, on_face, p.w, feature};
    }
    in = p.side;
  }
  count = rg_manifold_reduce_points(normal, points, count, count);
  manifold->count = count;
  if (points == many) {
    out->count--;
    rg_manifold_write(out, normal, many, count);
  }
}
