// foot.c - the nearest point of a surface to a given point.
//
// Polyhedron: x is outside exactly when it is above some face; then the foot lies on a face that x
// is above, and the nearest of those faces' polygons has it. Inside, the foot is on the face with
// the least depth.
//
// Ellipsoid with semi-axes e_i: the foot f of x satisfies x - f = t E^-2 f with sum (f_i / e_i)^2 =
// 1, hence
//   f_i = e_i^2 x_i / (t + e_i^2),   S(t) = sum p_i^2 = 1   with   p_i = e_i x_i / (t + e_i^2),
// and t > -e_min^2 for the nearest of the solutions. With s = t + e_min^2 and d_i = e_i^2 - e_min^2
// the denominators s + d_i carry no cancellation. The function S^(-1/2) - 1 rises, is concave, and
// is linear when S has one term (as in the secular equation of trust regions), so Newton's method
// from the left converges from below without safeguards, in 3 to 6 steps. There is no solution with
// s > 0 when x lies in the plane across the shortest axis and near the middle; then s = 0 and f
// leaves the plane along that axis.
#include "shape/smooth/foot.h"

// Newton's method gains digits quadratically; this is far beyond need and only bounds the loop.
enum { FOOT_ITERATIONS = 60 };
// A point nearer to an edge than this part of the polyhedron's size gets the face normal: the
// difference of the two points would be rounding error.
static const double EDGE_TOLERANCE = 1e-13;

rgVec3 rg_foot_on_segment(rgVec3 p, rgVec3 q, rgVec3 x, double* s) {
  rgVec3 d = v3_sub(q, p);
  double along = v3_dot(v3_sub(x, p), d), length2 = v3_norm2(d);
  *s = along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
  return *s == 1 ? q : v3_axpy(p, *s, d);
}

static double sign(double x) { return x < 0 ? -1 : 1; }

// --- Ellipsoid -----------------------------------------------------------------------------------

// p_i; zero when x_i and the denominator both vanish.
static double secular_term(double e, double y, double denominator) {
  return y > 0 ? e * y / denominator : 0;
}

// The root s of S = 1, or 0 with *rest = 1 - S(0) > 0 when there is none.
static double secular_root(rgVec3 e, rgVec3 d, rgVec3 y, double* rest) {
  *rest = 0;
  double s = e.x * y.x - d.x;
  s = e.y * y.y - d.y > s ? e.y * y.y - d.y : s;
  s = e.z * y.z - d.z > s ? e.z * y.z - d.z : s;
  s = s > 0 ? s : 0; // here some p_i is 1 or s is 0: left of the root
  for (int i = 0; i < FOOT_ITERATIONS; i++) {
    rgVec3 p = v3(secular_term(e.x, y.x, s + d.x), secular_term(e.y, y.y, s + d.y),
                  secular_term(e.z, y.z, s + d.z));
    double sum = v3_norm2(p);
    if (sum <= 1) {
      if (s == 0)
        *rest = 1 - sum;
      return s;
    }
    double slope = (p.x > 0 ? p.x * p.x / (s + d.x) : 0) + (p.y > 0 ? p.y * p.y / (s + d.y) : 0) +
                   (p.z > 0 ? p.z * p.z / (s + d.z) : 0);
    double next = s + sum * (sqrt(sum) - 1) / slope;
    if (!(next > s))
      return s;
    s = next;
  }
  return s;
}

rgFoot rg_foot_ellipsoid(rgVec3 e, rgVec3 x) {
  double least = e.x < e.y ? e.x : e.y;
  least = e.z < least ? e.z : least;
  rgVec3 d = v3((e.x - least) * (e.x + least), (e.y - least) * (e.y + least),
                (e.z - least) * (e.z + least));
  rgVec3 y = v3_abs(x);
  double rest;
  double s = secular_root(e, d, y, &rest);
  // E^-2 f, up to the sign of each part.
  rgVec3 m = v3(y.x > 0 ? y.x / (s + d.x) : 0, y.y > 0 ? y.y / (s + d.y) : 0,
                y.z > 0 ? y.z / (s + d.z) : 0);
  if (rest > 0) {
    double missing = sqrt(rest) / least;
    if (e.x == least)
      m.x = missing;
    else if (e.y == least)
      m.y = missing;
    else
      m.z = missing;
  }
  m = v3(sign(x.x) * m.x, sign(x.y) * m.y, sign(x.z) * m.z);
  double length = v3_norm(m);
  rgVec3 point = v3(e.x * e.x * m.x, e.y * e.y * m.y, e.z * e.z * m.z);
  return (rgFoot){(s - least * least) * length, v3_scale(m, 1 / length), point};
}

// --- Polyhedron ----------------------------------------------------------------------------------

// Nearest point of face f to x, which lies above its plane by `height`. True when it is the foot on
// the plane.
static bool nearest_on_face(const rgPolyhedron* h, int f, rgVec3 x, double height,
                            rgVec3* nearest) {
  int first = h->face_start[f], count = h->face_start[f + 1] - first;
  const int* loop = h->face_loop + first;
  rgVec3 n = h->normals[f];
  double best = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    rgVec3 p = h->vertices[loop[i]], q = h->vertices[loop[i + 1 < count ? i + 1 : 0]];
    if (v3_dot(v3_cross(v3_sub(q, p), n), v3_sub(x, p)) <= 0)
      continue;
    double s;
    rgVec3 candidate = rg_foot_on_segment(p, q, x, &s);
    double distance2 = v3_norm2(v3_sub(x, candidate));
    if (distance2 < best) {
      best = distance2;
      *nearest = candidate;
    }
  }
  if (best < HUGE_VAL)
    return false;
  *nearest = v3_axpy(x, -height, n);
  return true;
}

rgFoot rg_foot_polyhedron(const rgPolyhedron* h, rgVec3 x, double reach) {
  double highest = -HUGE_VAL;
  int top = 0;
  for (int f = 0; f < h->face_count; f++) {
    double height = v3_dot(h->normals[f], x) - h->offsets[f];
    if (height > highest) {
      highest = height;
      top = f;
    }
  }
  rgFoot foot = {highest, h->normals[top], v3_axpy(x, -highest, h->normals[top])};
  if (highest <= 0 || highest > reach || nearest_on_face(h, top, x, highest, &foot.point))
    return foot;

  double best = v3_norm2(v3_sub(x, foot.point));
  for (int f = 0; f < h->face_count; f++) {
    double height = v3_dot(h->normals[f], x) - h->offsets[f];
    if (f == top || height <= 0 || height * height >= best)
      continue;
    rgVec3 candidate;
    nearest_on_face(h, f, x, height, &candidate);
    double distance2 = v3_norm2(v3_sub(x, candidate));
    if (distance2 < best) {
      best = distance2;
      foot.point = candidate;
    }
  }
  double distance = sqrt(best), size = v3_max_abs(v3_sub(foot.point, h->center));
  if (distance > EDGE_TOLERANCE * size) {
    foot.normal = v3_scale(v3_sub(x, foot.point), 1 / distance);
    foot.distance = distance;
  }
  return foot;
}
