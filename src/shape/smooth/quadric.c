// quadric.c - common normals of ellipsoids.
//
// Problem: with d = center_a - center_b and the support functions s(n) = sqrt(n' S n), S = E E',
// maximize over unit n
//   h(n) = n.d - s_a(n) - s_b(n).
// The largest h is the distance when it is positive and minus the least penetration depth
// otherwise; at a stationary point the support points p_a, p_b satisfy p_a - p_b = h n, so n is
// normal to both surfaces.
//
// Method: Newton's method on the sphere. With v = S n, the gradient is g = d - v_a/s_a - v_b/s_b =
// p_a - p_b, h = g.n, its tangential part is the residual r, and the step d_n in the tangent plane
// solves
//   (C + h) d_n = r,   C = sum over both of (S/s - v v'/s^3) restricted to the tangent plane,
// where C holds the radii of curvature. Apart, C + h is positive definite and h is concave in the
// sense that there is one maximum; in overlap it may be indefinite and is regularized. Steps are
// halved until h rises enough. Quadratic convergence.
//
// Which maximum: a ball of radius rho_a + rho_b (the least radii of curvature) rolls inside the
// Minkowski sum (Blaschke), so a stationary point with h >= -(rho_a + rho_b) is the
// largest of all. Deeper overlaps are climbed from several fixed directions and the best is taken;
// that is not proved to be the global maximum.
//
// Line: n is across the line, so the shadow of the ellipsoid along the line, an ellipse, is met by
// a point: foot.h in the plane.
#include "shape/smooth/quadric.h"

#include "shape/smooth/foot.h"

enum { CLIMB_ITERATIONS = 60, HALVINGS = 40 };
// Of |d| + s_a + s_b: rounding level.
static const double RESIDUAL = 1e-15;
// Part of the predicted rise that a step must bring (Armijo).
static const double SUFFICIENT = 1e-4;
// Of the sum of the curvatures: below this the 2 x 2 system is regularized.
static const double LEAST_CURVATURE = 1e-8;
// Shadows narrower than this part of their length are widened to it.
static const double THIN = 1e-12;

rgQuadric rg_quadric(rgVec3 e, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation);
  double least = e.x < e.y ? e.x : e.y, most = e.x > e.y ? e.x : e.y;
  least = e.z < least ? e.z : least;
  most = e.z > most ? e.z : most;
  return (rgQuadric){m3_congruence(&r, v3_mul(e, e)), pose.position, least * least / most};
}

static double support_height(const rgQuadric* q, rgVec3 n) {
  double s2 = v3_dot(n, m3_apply(&q->square, n));
  return s2 > 0 ? sqrt(s2) : 0;
}

double rg_quadric_gap(const rgQuadric* a, const rgQuadric* b, rgVec3 n) {
  return v3_dot(n, v3_sub(a->center, b->center)) - support_height(a, n) - support_height(b, n);
}

rgVec3 rg_quadric_support(const rgQuadric* q, rgVec3 n) {
  rgVec3 v = m3_apply(&q->square, n);
  double s2 = v3_dot(n, v);
  return s2 > 0 ? v3_axpy(q->center, 1 / sqrt(s2), v) : q->center;
}

// Gradient and curvature of h at n, in the tangent frame (t, o).
typedef struct Slope {
  double h, scale;   // scale: |d| + s_a + s_b
  double rt, ro;     // residual
  double tt, to, oo; // C + h
} Slope;

static void subtract_support(const rgQuadric* q, rgVec3 n, rgVec3 t, rgVec3 o, rgVec3* g,
                             Slope* slope) {
  rgVec3 v = m3_apply(&q->square, n);
  double s2 = v3_dot(n, v);
  if (!(s2 > 0)) // a disc seen along its axis: its support point may be any, take the centre
    return;
  double s = sqrt(s2), inverse = 1 / s;
  rgVec3 p = v3_scale(v, inverse), st = m3_apply(&q->square, t);
  double pt = v3_dot(p, t), po = v3_dot(p, o);
  *g = v3_sub(*g, p);
  slope->scale += s;
  slope->tt += (v3_dot(t, st) - pt * pt) * inverse;
  slope->to += (v3_dot(o, st) - pt * po) * inverse;
  slope->oo += (v3_dot(o, m3_apply(&q->square, o)) - po * po) * inverse;
}

static Slope slope_at(const rgQuadric* a, const rgQuadric* b, rgVec3 n, rgVec3 t, rgVec3 o) {
  Slope slope = {0};
  rgVec3 g = v3_sub(a->center, b->center);
  slope.scale = v3_norm(g);
  subtract_support(a, n, t, o, &g, &slope);
  subtract_support(b, n, t, o, &g, &slope);
  slope.h = v3_dot(g, n);
  slope.rt = v3_dot(g, t);
  slope.ro = v3_dot(g, o);
  slope.tt += slope.h;
  slope.oo += slope.h;
  return slope;
}

// Newton step in the tangent plane; the matrix is regularized until it is safely positive.
static void newton_step(const Slope* c, double* dt, double* d_o) {
  double tt = c->tt, oo = c->oo, to = c->to;
  double mean = 0.5 * (tt + oo), difference = 0.5 * (tt - oo);
  double radius = sqrt(difference * difference + to * to);
  double least = mean - radius, wanted = LEAST_CURVATURE * (fabs(mean) + radius + fabs(c->h));
  if (least < wanted) {
    // A negative curvature is reversed, so that the step keeps its natural length.
    double added = (least < -wanted ? -2 * least : wanted - least);
    tt += added;
    oo += added;
  }
  double determinant = tt * oo - to * to;
  *dt = (oo * c->rt - to * c->ro) / determinant;
  *d_o = (tt * c->ro - to * c->rt) / determinant;
}

double rg_quadric_climb(const rgQuadric* a, const rgQuadric* b, rgVec3* n) {
  double h = rg_quadric_gap(a, b, *n);
  for (int i = 0; i < CLIMB_ITERATIONS; i++) {
    rgVec3 t, o;
    v3_frame(*n, &t, &o);
    Slope c = slope_at(a, b, *n, t, o);
    if (sqrt(c.rt * c.rt + c.ro * c.ro) <= RESIDUAL * c.scale)
      break;
    double dt, d_o;
    newton_step(&c, &dt, &d_o);
    double rise = c.rt * dt + c.ro * d_o, part = 1;
    if (!(rise > 0))
      break;
    bool better = false;
    for (int k = 0; k < HALVINGS && !better; k++, part *= 0.5) {
      rgVec3 trial = v3_axpy(v3_axpy(*n, part * dt, t), part * d_o, o);
      trial = v3_scale(trial, 1 / v3_norm(trial));
      double h_trial = rg_quadric_gap(a, b, trial);
      // Near the top the rise drowns in rounding: then the full Newton step is right if h does not
      // fall.
      bool drowned = part * rise <= RESIDUAL * c.scale;
      better =
          h_trial >= h + SUFFICIENT * part * rise || (drowned && h_trial >= h - RESIDUAL * c.scale);
      if (better) {
        *n = trial;
        h = h_trial;
      }
      if (drowned && !better)
        return h;
    }
    if (!better)
      break;
  }
  return h;
}

// --- Which maximum -------------------------------------------------------------------------------

static void keep_better(const rgQuadric* a, const rgQuadric* b, rgVec3 direction, rgVec3* n,
                        double* h) {
  double length = v3_norm(direction);
  if (!(length > 0))
    return;
  rgVec3 unit = v3_scale(direction, 1 / length);
  double value = rg_quadric_gap(a, b, unit);
  if (value > *h) {
    *h = value;
    *n = unit;
  }
}

// A first direction: that in which the ellipsoids, grown from points at their centres, would meet.
static rgVec3 first_direction(const rgQuadric* a, const rgQuadric* b) {
  rgVec3 d = v3_sub(a->center, b->center), n = v3(0, 0, 1);
  double h = -HUGE_VAL;
  keep_better(a, b, d, &n, &h);
  rgMat3 sum = m3_add(&a->square, &b->square);
  if (m3_det(&sum) > 0) {
    rgMat3 inverse = m3_inverse(&sum);
    keep_better(a, b, m3_apply(&inverse, d), &n, &h);
  }
  return n;
}

// Directions spread over the half-sphere, from which deep overlaps are climbed: faces, edges and
// corners of a cube.
static const double STARTS[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
                                     {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
                                     {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static double deep_normal(const rgQuadric* a, const rgQuadric* b, double h, rgVec3* n) {
  rgVec3 d = v3_sub(a->center, b->center);
  for (int i = 0; i < 13; i++) {
    rgVec3 start = v3_unit_or(v3(STARTS[i][0], STARTS[i][1], STARTS[i][2]), v3(0, 0, 1));
    if (v3_dot(start, d) < 0)
      start = v3_neg(start);
    double value = rg_quadric_climb(a, b, &start);
    if (value > h) {
      h = value;
      *n = start;
    }
  }
  return h;
}

double rg_quadric_common_normal(const rgQuadric* a, const rgQuadric* b, rgVec3 guess, rgVec3* n) {
  double certain = -(a->least_curvature_radius + b->least_curvature_radius);
  *n = v3_norm2(guess) > 0 ? v3_unit_or(guess, v3(0, 0, 1)) : first_direction(a, b);
  double h = rg_quadric_climb(a, b, n);
  if (h >= certain)
    return h;
  *n = first_direction(a, b); // from here on nothing depends on the guess
  h = rg_quadric_climb(a, b, n);
  return h >= certain ? h : deep_normal(a, b, h, n);
}

// --- Line ----------------------------------------------------------------------------------------

rgVec3 rg_quadric_line_normal(const rgQuadric* q, rgVec3 x, rgVec3 direction) {
  rgVec3 t, o;
  v3_frame(direction, &t, &o);
  rgVec3 st = m3_apply(&q->square, t), so = m3_apply(&q->square, o);
  double tt = v3_dot(t, st), to = v3_dot(o, st), oo = v3_dot(o, so);
  // Principal axes of the shadow: one Jacobi rotation.
  double c = 1, s = 0;
  if (to != 0) {
    double theta = (oo - tt) / (2 * to);
    double tangent = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    c = 1 / sqrt(tangent * tangent + 1);
    s = tangent * c;
    tt -= tangent * to;
    oo += tangent * to;
  }
  rgVec3 first = v3_axpy(v3_scale(t, c), -s, o), second = v3_axpy(v3_scale(t, s), c, o);
  double most = tt > oo ? tt : oo, e1 = sqrt(tt > THIN * THIN * most ? tt : THIN * THIN * most);
  double e2 = sqrt(oo > THIN * THIN * most ? oo : THIN * THIN * most);
  rgVec3 offset = v3_sub(x, q->center);
  // The third semi-axis only has to be no shorter than the others for the foot to stay in the
  // plane.
  rgFoot foot = rg_foot_ellipsoid(v3(e1, e2, e1 > e2 ? e1 : e2),
                                  v3(v3_dot(offset, first), v3_dot(offset, second), 0));
  return v3_add(v3_scale(first, foot.normal.x), v3_scale(second, foot.normal.y));
}
