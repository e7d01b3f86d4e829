// feature_contacts.c - where two features lie over one another along a normal.
//
// Seen along n, features are points, segments and convex polygons of the plane. Their intersection
// is found by cutting one with the sides of the other; its corners are the contacts, each lifted
// along n to the surfaces of both. So both points of a contact lie on the surfaces and gap =
// dot(point_a - point_b, n) exactly.
//
//   polygon, polygon   the corners of the common polygon (Sutherland and Hodgman's cut, side by
//   side) segment, polygon   the ends of the part inside segment, segment   where they cross; the
//   two ends of the common part when they are parallel a point            over a polygon or a
//   segment: that point; over another point: none
//
// Features: each side of a polygon has a number, and a corner is named by its two sides, so that a
// corner keeps its name while the same sides make it.
#include "collide/convex/feature.h"

// Segments that diverge across n by less than this part of their common length touch along a line.
// Their gap differs from that of crossing segments only in second order.
static const double PARALLEL = 1e-3;
// Points and segments may be outside a side by this part of its length: a line along the edge of a
// face is over it.
static const double BORDER = 1e-10;
// A point is over a segment when it is this near to it, in lengths of the segment: rounding.
static const double OVER = 1e-12;

enum {
  SIDES_OF_B = 128,
  END_OF_SEGMENT = 256
}; // names: offset of the sides of b; of the ends of segments

// Room for a cut polygon: every cut adds at most one corner.
enum { POLYGON_MAX = RG_CONTACTS_MAX };

// Point of the plane of `polygon` that lies over or under p along n.
static rgVec3 lift(const rgFeature* polygon, rgVec3 p, rgVec3 n) {
  double along = v3_dot(polygon->normal, n);
  return v3_axpy(p, -v3_dot(polygon->normal, v3_sub(p, polygon->points[0])) / along, n);
}

// Outward normal of side i seen along n; `sense` is +1 for a polygon that is counter-clockwise
// about n.
static rgVec3 side_normal(const rgFeature* polygon, int i, rgVec3 n, double sense) {
  rgVec3 p = polygon->points[i], q = polygon->points[i + 1 < polygon->count ? i + 1 : 0];
  return v3_scale(v3_cross(v3_sub(q, p), n), sense);
}

static int add(rgManifoldPoint* points, int count, rgVec3 a, rgVec3 b, rgVec3 n, double reach,
               uint32_t feature) {
  double gap = v3_dot(v3_sub(a, b), n);
  if (!(gap <= reach) || count == RG_CONTACTS_MAX)
    return count;
  points[count] = (rgManifoldPoint){a, b, gap, feature};
  return count + 1;
}

// --- Polygon, polygon ----------------------------------------------------------------------------

typedef struct Cut {
  int count;
  rgVec3 points[POLYGON_MAX];
  uint8_t sides[POLYGON_MAX]; // name of the side that leaves each corner
} Cut;

static void cut(const Cut* in, rgVec3 on_side, rgVec3 outward, uint8_t name, Cut* out) {
  out->count = 0;
  for (int i = 0; i < in->count; i++) {
    int j = i + 1 < in->count ? i + 1 : 0;
    double here = v3_dot(outward, v3_sub(in->points[i], on_side));
    double next = v3_dot(outward, v3_sub(in->points[j], on_side));
    if (here <= 0 && out->count < POLYGON_MAX) {
      out->points[out->count] = in->points[i];
      out->sides[out->count++] = in->sides[i];
    }
    if ((here <= 0) != (next <= 0) && out->count < POLYGON_MAX) {
      out->points[out->count] = v3_lerp(in->points[i], in->points[j], here / (here - next));
      out->sides[out->count++] = here <= 0 ? name : in->sides[i];
    }
  }
}

static int polygon_polygon(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                           rgManifoldPoint* points) {
  Cut cuts[2], *now = &cuts[0], *next = &cuts[1];
  now->count = a->count;
  for (int i = 0; i < a->count; i++) {
    now->points[i] = a->points[i];
    now->sides[i] = (uint8_t)i;
  }
  for (int j = 0; j < b->count && now->count > 0; j++) {
    cut(now, b->points[j], side_normal(b, j, n, 1), (uint8_t)(SIDES_OF_B + j), next);
    Cut* swap = now;
    now = next;
    next = swap;
  }
  int count = 0;
  for (int i = 0; i < now->count; i++) {
    uint32_t before = now->sides[i > 0 ? i - 1 : now->count - 1];
    count = add(points, count, now->points[i], lift(b, now->points[i], n), n, reach,
                before << 8 | now->sides[i]);
  }
  return count;
}

// --- Segment, polygon ----------------------------------------------------------------------------

// The same for a disc: where the line, lifted to its plane, is within its radius.
static bool cut_segment_disc(const rgFeature* segment, const rgFeature* disc, rgVec3 n,
                             double range[2], int sides[2]) {
  rgVec3 p = v3_sub(lift(disc, segment->line[0], n), disc->disc_center);
  rgVec3 v = v3_sub(v3_sub(lift(disc, segment->line[1], n), disc->disc_center), p);
  double vv = v3_norm2(v), pv = v3_dot(p, v),
         rest = v3_norm2(p) - disc->disc_radius * disc->disc_radius;
  double inner = pv * pv - vv * rest; // of the quadratic in s
  if (!(vv > 0) || inner < 0)
    return false;
  double half = sqrt(inner), s[2] = {(-pv - half) / vv, (-pv + half) / vv};
  range[0] = s[0] > 0 ? s[0] : 0;
  range[1] = s[1] < 1 ? s[1] : 1;
  sides[0] = s[0] > 0 ? 0 : -1;
  sides[1] = s[1] < 1 ? 0 : -1;
  return range[0] <= range[1];
}

// Part [from, to] of the line that lies within the polygon, with the sides that end it (-1: the
// segment's own end).
static bool cut_segment(const rgFeature* segment, const rgFeature* polygon, rgVec3 n, double sense,
                        double range[2], int sides[2]) {
  if (polygon->disc_radius > 0)
    return cut_segment_disc(segment, polygon, n, range, sides);
  range[0] = 0;
  range[1] = 1;
  sides[0] = sides[1] = -1;
  for (int j = 0; j < polygon->count; j++) {
    rgVec3 outward = side_normal(polygon, j, n, sense);
    double p = v3_dot(outward, v3_sub(segment->line[0], polygon->points[j]));
    double q = v3_dot(outward, v3_sub(segment->line[1], polygon->points[j])),
           slack = BORDER * v3_norm2(outward);
    if (p > slack && q > slack)
      return false;
    if (p <= slack && q <= slack)
      continue;
    int end = q > p;
    double s = p / (p - q); // beyond the segment by rounding at most
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    if (end ? s < range[1] : s > range[0]) {
      range[end] = s;
      sides[end] = j;
    }
  }
  return range[0] <= range[1];
}

static rgVec3 on_segment(const rgFeature* segment, double s) {
  return s == 0   ? segment->points[0]
         : s == 1 ? segment->points[1]
                  : v3_lerp(segment->line[0], segment->line[1], s);
}

static bool inside(const rgFeature* polygon, rgVec3 p, rgVec3 n, double sense) {
  if (polygon->disc_radius > 0)
    return v3_norm2(v3_sub(lift(polygon, p, n), polygon->disc_center)) <=
           polygon->disc_radius * polygon->disc_radius;
  for (int j = 0; j < polygon->count; j++) {
    rgVec3 outward = side_normal(polygon, j, n, sense);
    if (v3_dot(outward, v3_sub(p, polygon->points[j])) > BORDER * v3_norm2(outward))
      return false;
  }
  return true;
}

// `segment` belongs to A when `sense` is 1 and to B when it is -1.
static int add_over(rgManifoldPoint* points, int count, rgVec3 p, const rgFeature* polygon,
                    rgVec3 n, double sense, double reach, uint32_t feature) {
  rgVec3 q = lift(polygon, p, n);
  return sense > 0 ? add(points, count, p, q, n, reach, feature)
                   : add(points, count, q, p, n, reach, feature);
}

static int segment_polygon(const rgFeature* segment, const rgFeature* polygon, rgVec3 n,
                           double sense, double reach, rgManifoldPoint* points) {
  double range[2] = {0, 1};
  int sides[2] = {-1, -1}, count = 0;
  bool over = cut_segment(segment, polygon, n, sense, range, sides);
  for (uint32_t end = 0; end < 2; end++) {
    // The rounded end of a capsule reaches farther than the end of its line and may be over another
    // polygon.
    rgVec3 tip = segment->points[end], p = v3_lerp(segment->line[0], segment->line[1], range[end]);
    bool rounded = v3_norm2(v3_sub(tip, segment->line[end])) > 0;
    if (rounded && inside(polygon, tip, n, sense)) {
      count = add_over(points, count, tip, polygon, n, sense, reach, END_OF_SEGMENT + end);
      if (sides[end] < 0)
        continue;
    }
    if (over)
      count = add_over(points, count, p, polygon, n, sense, reach,
                       END_OF_SEGMENT + 2 * (uint32_t)(sides[end] + 2) + end);
  }
  return count;
}

static int point_polygon(rgVec3 p, const rgFeature* polygon, rgVec3 n, double sense, double reach,
                         rgManifoldPoint* points) {
  return inside(polygon, p, n, sense) ? add_over(points, 0, p, polygon, n, sense, reach, 0) : 0;
}

// --- Segment, segment ----------------------------------------------------------------------------

static rgVec3 across(rgVec3 a, rgVec3 n) { return v3_axpy(a, -v3_dot(a, n), n); }

// Ends of the common part of two nearly parallel segments.
static int common_part(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                       rgManifoldPoint* points) {
  rgVec3 u = across(v3_sub(a->line[1], a->line[0]), n),
         v = across(v3_sub(b->line[1], b->line[0]), n);
  rgVec3 offset = across(v3_sub(b->line[0], a->line[0]), n);
  double uu = v3_norm2(u), vu = v3_dot(v, u);
  double s0 = v3_dot(offset, u) / uu, s1 = s0 + vu / uu; // of b's ends on a
  double from = s0 < s1 ? s0 : s1, to = s0 < s1 ? s1 : s0;
  double range[2] = {from > 0 ? from : 0, to < 1 ? to : 1};
  if (range[0] > range[1])
    return 0;
  double middle = 0.5 * (range[0] + range[1]);
  rgVec3 apart = v3_sub(v3_axpy(offset, (middle - s0) / (s1 - s0), v), v3_scale(u, middle));
  if (v3_norm2(apart) > PARALLEL * PARALLEL * (uu + v3_norm2(v)))
    return 0; // side by side, not over one another
  int count = 0;
  for (uint32_t end = 0; end < 2; end++) {
    double s = range[end], t = (s - s0) / (s1 - s0);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    count = add(points, count, on_segment(a, s), on_segment(b, t), n, reach, END_OF_SEGMENT + end);
  }
  return count;
}

static int segment_segment(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                           rgManifoldPoint* points) {
  rgVec3 u = across(v3_sub(a->line[1], a->line[0]), n),
         v = across(v3_sub(b->line[1], b->line[0]), n);
  double sense = v3_dot(v3_cross(u, v), n); // |u| |v| sin
  double uv = v3_norm(u) * v3_norm(v);
  if (!(uv > 0))
    return 0;
  if (fabs(sense) <= PARALLEL * uv)
    return common_part(a, b, n, reach, points);
  rgVec3 offset = v3_sub(b->line[0], a->line[0]);
  double s = v3_dot(v3_cross(offset, v), n) / sense, t = v3_dot(v3_cross(offset, u), n) / sense;
  if (s < 0 || s > 1 || t < 0 || t > 1)
    return 0;
  return add(points, 0, on_segment(a, s), on_segment(b, t), n, reach, 0);
}

// A point over a segment, to rounding.
static int point_segment(rgVec3 p, const rgFeature* segment, rgVec3 n, double sense, double reach,
                         rgManifoldPoint* points) {
  rgVec3 v = across(v3_sub(segment->line[1], segment->line[0]), n),
         d = across(v3_sub(p, segment->line[0]), n);
  double vv = v3_norm2(v), s = v3_dot(d, v) / vv;
  if (!(s >= 0 && s <= 1) || v3_norm2(v3_axpy(d, -s, v)) > OVER * OVER * vv)
    return 0;
  rgVec3 q = on_segment(segment, s);
  return sense > 0 ? add(points, 0, p, q, n, reach, 0) : add(points, 0, q, p, n, reach, 0);
}

int rg_feature_contacts(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                        rgManifoldPoint* points) {
  if (a->count > 2 && b->count > 2)
    return polygon_polygon(a, b, n, reach, points);
  if (a->count == 2 && b->count > 2)
    return segment_polygon(a, b, n, 1, reach, points);
  if (a->count > 2 && b->count == 2)
    return segment_polygon(b, a, n, -1, reach, points);
  if (a->count == 2 && b->count == 2)
    return segment_segment(a, b, n, reach, points);
  if (a->count == 1 && b->count > 2)
    return point_polygon(a->points[0], b, n, 1, reach, points);
  if (a->count > 2 && b->count == 1)
    return point_polygon(b->points[0], a, n, -1, reach, points);
  if (a->count == 1 && b->count == 2)
    return point_segment(a->points[0], b, n, 1, reach, points);
  if (a->count == 2 && b->count == 1)
    return point_segment(b->points[0], a, n, -1, reach, points);
  return 0;
}
