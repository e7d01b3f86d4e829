// curved.c - feet and normals of any smooth convex surface.
//
// Foot of x: the point y of the surface that makes |x - y|^2 least, by Newton's method along the
// surface. With n the outward normal at y, d = n.(x - y) and K the curvature (the change of n), the
// gradient is minus the tangential part r of x - y and the Hessian is 1 + d K; the step solves
//   (1 + d K) s = r
// in the tangent plane, and y + s is brought back to the surface along the ray from the origin.
// Outside, d > 0 and there is one minimum. Inside, the Hessian may be indefinite, and is
// regularized, and there may be several minima: the nearest of those reached from the ray through x
// and from the three axes is taken, which is not proved to be the nearest of all. Steps are halved
// until the distance falls. Quadratic convergence.
//
// Line: with n across the line, h(n) = n.x - support(n) is how far the line is outside along n; its
// derivative along the circle of such n is (u x n).(x - p), p the support point. The best of eight
// directions starts, and a root of the derivative is bracketed and found to rounding. This asks for
// no curvature, which vanishes or is infinite in places on some surfaces.
#include "shape/smooth/curved.h"

enum { RAY_ITERATIONS = 30, FOOT_ITERATIONS = 60, HALVINGS = 30, ROOT_ITERATIONS = 100 };
// Rounding level: of f, and of lengths relative to |x - y| and the size of the shape.
static const double ROUNDING = 4e-16;
// Squared distances that differ by this part are the same to rounding.
static const double SAME = 4e-15;
// Of the sum of the curvatures: below this the 2 x 2 system is regularized.
static const double LEAST_CURVATURE = 1e-8;

rgSpot rg_curved_spot(const rgShape* shape, rgVec3 x) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  rgVec3 gradient, y = x;
  rgMat3 hessian;
  // Along the ray f is convex and negative at the origin: Newton's method ends from outside.
  for (int i = 0; i < RAY_ITERATIONS; i++) {
    double f = info->value(shape, y, &gradient, &hessian), slope = v3_dot(gradient, y);
    if (!(slope > 0)) { // near the centre of a function that is flat there
      y = v3_scale(y, 2);
      continue;
    }
    double scale = 1 - f / slope;
    if (fabs(1 - scale) <= ROUNDING)
      break;
    y = v3_scale(y, scale > 0 ? scale : 2);
  }
  double length = v3_norm(gradient);
  rgMat3 bend = m3_scale(&hessian, 1 / length);
  return (rgSpot){y, v3_scale(gradient, 1 / length), bend};
}

// --- Foot ----------------------------------------------------------------------------------------

// Solves the 2 x 2 system of the tangent plane; the matrix is regularized until it is safely
// positive.
static void tangent_step(double tt, double to, double oo, double rt, double ro, double* st,
                         double* so) {
  double mean = 0.5 * (tt + oo), difference = 0.5 * (tt - oo);
  double radius = sqrt(difference * difference + to * to), least = mean - radius;
  double wanted = LEAST_CURVATURE * (fabs(mean) + radius + 1);
  if (least < wanted) { // a negative curvature is reversed, so that the step keeps its length
    double added = least < -wanted ? -2 * least : wanted - least;
    tt += added;
    oo += added;
  }
  double determinant = tt * oo - to * to;
  *st = (oo * rt - to * ro) / determinant;
  *so = (tt * ro - to * rt) / determinant;
}

// Whether `trial` is better than `spot`: nearer to x, or as near to rounding and with x more along
// its normal.
static bool is_better(rgVec3 x, const rgSpot* trial, const rgSpot* spot) {
  rgVec3 now = v3_sub(x, spot->point), then = v3_sub(x, trial->point);
  double now2 = v3_norm2(now), then2 = v3_norm2(then);
  if (then2 < (1 - SAME) * now2)
    return true;
  return then2 <= (1 + SAME) * now2 &&
         v3_norm2(v3_cross(then, trial->normal)) < v3_norm2(v3_cross(now, spot->normal));
}

// Walks from the spot to the nearest point of its neighbourhood.
static void walk_to_foot(const rgShape* shape, rgVec3 x, rgSpot* spot) {
  for (int i = 0; i < FOOT_ITERATIONS; i++) {
    rgVec3 t, o, e = v3_sub(x, spot->point);
    v3_frame(spot->normal, &t, &o);
    double d = v3_dot(e, spot->normal), rt = v3_dot(e, t), ro = v3_dot(e, o);
    if (rt * rt + ro * ro <= ROUNDING * ROUNDING * (v3_norm2(e) + shape->size * shape->size))
      return;
    rgVec3 bt = m3_apply(&spot->bend, t), bo = m3_apply(&spot->bend, o);
    double st, so, part = 1;
    tangent_step(1 + d * v3_dot(t, bt), d * v3_dot(o, bt), 1 + d * v3_dot(o, bo), rt, ro, &st, &so);
    rgVec3 step = v3_axpy(v3_scale(t, st), so, o);
    bool better = false;
    for (int k = 0; k < HALVINGS && !better; k++, part *= 0.5) {
      rgSpot trial = rg_curved_spot(shape, v3_axpy(spot->point, part, step));
      better = is_better(x, &trial, spot);
      if (better)
        *spot = trial;
    }
    if (!better)
      return;
  }
}

static rgFoot foot_from(const rgShape* shape, rgVec3 x, rgVec3 start) {
  rgSpot spot = rg_curved_spot(shape, start);
  walk_to_foot(shape, x, &spot);
  return (rgFoot){v3_dot(v3_sub(x, spot.point), spot.normal), spot.normal, spot.point};
}

rgFoot rg_curved_foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  rgVec3 gradient;
  rgMat3 hessian;
  double f = rg_shape_info(shape->kind)->value(shape, x, &gradient, &hessian);
  bool centre = !(v3_norm2(x) > 0);
  rgFoot best = foot_from(shape, x, centre ? v3(0, 0, shape->size) : x);
  const double axes[3] = {x.x < 0 ? -1 : 1, x.y < 0 ? -1 : 1, x.z < 0 ? -1 : 1};
  for (int i = 0; i < 3 && f < 0; i++) {
    rgVec3 start = v3_scale(v3(i == 0, i == 1, i == 2), axes[i] * shape->size);
    rgFoot foot = foot_from(shape, x, start);
    best = foot.distance > best.distance ? foot : best;
  }
  return best;
}

// --- Line ----------------------------------------------------------------------------------------

rgVec3 rg_curved_arc_root(rgArcFunction* f, const void* context, rgVec3 p, double f_p, rgVec3 q,
                          double f_q) {
  // The arc is run through by unit(p + s (q - p)): secants with the Illinois rule, and every third
  // time a bisection.
  double low = 0, high = 1, f_low = f_p, f_high = f_q;
  rgVec3 e = fabs(f_p) < fabs(f_q) ? p : q;
  int last = 0; // which end moved: -1 low, 1 high
  for (int i = 0; i < ROOT_ITERATIONS; i++) {
    double width = high - low, s = low + width * (f_low / (f_low - f_high));
    if (i % 3 == 2 || !(s > low && s < high))
      s = low + 0.5 * width;
    if (!(s > low && s < high))
      break;
    e = v3_lerp(p, q, s);
    e = v3_scale(e, 1 / v3_norm(e));
    double value = f(context, e);
    if (value == 0)
      break;
    if ((value > 0) == (f_low > 0)) {
      low = s;
      f_low = value;
      f_high = last == -1 ? 0.5 * f_high : f_high;
      last = -1;
    } else {
      high = s;
      f_high = value;
      f_low = last == 1 ? 0.5 * f_low : f_low;
      last = 1;
    }
  }
  return e;
}

typedef struct Line {
  const rgShape* shape;
  rgVec3 x, direction; // in the frame of the shape
} Line;

static double line_gap(const Line* line, rgVec3 n) {
  return v3_dot(n, v3_sub(line->x, rg_shape_info(line->shape->kind)->support(line->shape, n)));
}

// Derivative of the gap as n turns about the direction.
static double line_slope(const void* context, rgVec3 n) {
  const Line* line = context;
  rgVec3 p = rg_shape_info(line->shape->kind)->support(line->shape, n);
  return v3_dot(v3_cross(line->direction, n), v3_sub(line->x, p));
}

void rg_curved_line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                            rgLineNormals* out) {
  Line line = {shape, pose_unapply(pose, x), quat_unrotate(pose.orientation, direction)};
  rgVec3 t, o, best = v3_zero();
  v3_frame(line.direction, &t, &o); // o = direction x t: angles count from t towards o
  double gap = -HUGE_VAL;
  const double half = 0.70710678118654752440;
  const double c[8] = {1, half, 0, -half, -1, -half, 0, half};
  int k = 0;
  for (int i = 0; i < 8; i++) {
    rgVec3 n = v3_axpy(v3_scale(t, c[i]), c[(i + 6) % 8], o);
    double own = line_gap(&line, n);
    if (own > gap) {
      gap = own;
      best = n;
      k = i;
    }
  }
  double slope = line_slope(&line, best);
  int beside = slope > 0 ? (k + 1) % 8 : (k + 7) % 8;
  rgVec3 next = v3_axpy(v3_scale(t, c[beside]), c[(beside + 6) % 8], o);
  double next_slope = line_slope(&line, next);
  if ((slope > 0) != (next_slope > 0) && slope != 0)
    best = rg_curved_arc_root(line_slope, &line, best, slope, next, next_slope);
  *out = (rgLineNormals){1, 0, {quat_rotate(pose.orientation, best)}};
}
