// wall_curve.c - minima along a curve, and the curves of a shape: its circular edges, its straight
// edges and its axis.
//
// A function of one variable with its slope is looked at in equal steps. Between two places where
// the slope goes from falling to rising is a minimum, which is bracketed by secants (the Illinois
// rule) and every third time a bisection. A kink is found as well as a smooth minimum: the two ends
// of the bracket then have different slopes. Two minima within one step may be taken for none or one.
#include "collide/wall/wall.h"

#include "math/trig.h"
#include "shape/kinds.h"
#include "shape/smooth/rim.h"

enum { BRACKET_STEPS = 120 };

// --- Minima --------------------------------------------------------------------------------------

// Narrows a bracket with slopes < 0 and >= 0.
static rgWallValley narrow(rgWallFunction* f, void* context, rgWallSpot low, rgWallSpot high) {
  double f_low = low.slope, f_high = high.slope;
  int last = 0; // which end moved: -1 low, 1 high
  for (int i = 0; i < BRACKET_STEPS && high.slope != 0; i++) {
    double width = high.s - low.s, s = low.s + width * (f_low / (f_low - f_high));
    if (i % 3 == 2 || !(s > low.s && s < high.s))
      s = low.s + 0.5 * width;
    if (!(s > low.s && s < high.s))
      break;
    rgWallSpot spot = f(context, s);
    if (spot.slope < 0) {
      low = spot;
      f_low = spot.slope;
      f_high = last == -1 ? 0.5 * f_high : f_high;
      last = -1;
    } else {
      high = spot;
      f_high = spot.slope;
      f_low = last == 1 ? 0.5 * f_low : f_low;
      last = 1;
    }
  }
  return high.slope == 0 ? (rgWallValley){high, high} : (rgWallValley){low, high};
}

int rg_wall_valleys(rgWallFunction* f, void* context, double from, double to,
                    rgWallValley valleys[RG_WALL_SAMPLES], double* spread) {
  rgWallSpot last = f(context, from);
  double least = last.value, most = last.value;
  int count = 0;
  for (int i = 1; i <= RG_WALL_SAMPLES; i++) {
    rgWallSpot here = f(context, from + (to - from) * i / RG_WALL_SAMPLES);
    if (last.slope < 0 && here.slope >= 0)
      valleys[count++] = narrow(f, context, last, here);
    least = fmin(least, here.value);
    most = fmax(most, here.value);
    last = here;
  }
  *spread = most - least;
  return count;
}

// --- Circular edges of the shape -----------------------------------------------------------------

typedef struct Curve {
  rgWallJob* job;
  rgVec3 center, t, o; // circle: center + cos(s) t + sin(s) o; line: center + s t
  bool straight;
} Curve;

static rgVec3 curve_point(const Curve* c, double s) {
  if (c->straight)
    return v3_axpy(c->center, s, c->t);
  return v3_axpy(v3_axpy(c->center, rg_cos(s), c->t), rg_sin(s), c->o);
}

static rgWallSpot curve_distance(void* context, double s) {
  const Curve* c = context;
  rgFoot foot = c->job->wall->foot(c->job->surface, curve_point(c, s));
  rgVec3 along = c->straight ? c->t : v3_axpy(v3_scale(c->t, -rg_sin(s)), rg_cos(s), c->o);
  return (rgWallSpot){s, foot.distance, v3_dot(foot.normal, along)};
}

// A circle that lies nearly level over the surface needs fixed points as well as its lowest one, as
// the end of a cylinder on a plane does.
static void add_circle(rgWallJob* job, rgRim rim, uint32_t feature) {
  double spread;
  Curve curve = {job, pose_apply(job->pose, v3(0, 0, rim.height)),
                 quat_rotate(job->pose.orientation, v3(rim.radius, 0, 0)),
                 quat_rotate(job->pose.orientation, v3(0, rim.radius, 0)), false};
  rgWallValley valleys[RG_WALL_SAMPLES];
  int count = rg_wall_valleys(curve_distance, &curve, 0, 2 * RG_PI, valleys, &spread);
  bool level = spread <= RG_RIM_TILT * rim.radius;
  for (int i = 0; i < count && !level; i++)
    rg_wall_add_point(job, curve_point(&curve, valleys[i].low.s), 0,
                      feature + RG_RIM_POINTS + (uint32_t)i);
  if (spread > RG_FEATURE_TILT * rim.radius)
    return;
  for (int k = 0; k < RG_RIM_POINTS; k++) {
    rgVec3 e = rg_rim_direction(k);
    bool taken = false;
    for (int i = 0; i < count && !level; i++)
      taken =
          taken || e.x * rg_cos(valleys[i].low.s) + e.y * rg_sin(valleys[i].low.s) >= RG_RIM_SAME;
    rgVec3 x = v3_axpy(v3_axpy(curve.center, e.x, curve.t), e.y, curve.o);
    if (!taken)
      rg_wall_add_point(job, x, 0, feature + (uint32_t)k);
  }
}

void rg_wall_circles(rgWallJob* job) {
  add_circle(job, job->info->rim(job->shape, v3(0, 0, -1)), RG_WALL_CIRCLE);
  add_circle(job, job->info->rim(job->shape, v3(0, 0, 1)), RG_WALL_CIRCLE + (1 << 16));
}

// --- Straight edges and axes ---------------------------------------------------------------------

// Minima between the ends of the segment from p to q with a radius around it.
static void add_line(rgWallJob* job, rgVec3 p, rgVec3 q, double radius, uint32_t feature) {
  double spread;
  Curve curve = {job, p, v3_sub(q, p), v3_zero(), true};
  rgWallValley valleys[RG_WALL_SAMPLES];
  int count = rg_wall_valleys(curve_distance, &curve, 0, 1, valleys, &spread);
  for (int i = 0; i < count; i++)
    rg_wall_add_point(job, curve_point(&curve, valleys[i].low.s), radius,
                      RG_WALL_EDGE + RG_WALL_SAMPLES * feature + (uint32_t)i);
}

// A side that is straight and as wide below as above.
static bool has_even_side(const rgWallJob* job) {
  return job->info->rim && job->info->rim(job->shape, v3(0, 0, -1)).radius ==
                               job->info->rim(job->shape, v3(0, 0, 1)).radius;
}

// The side of a cylinder touches where its axis is nearest to the surface: there the normal is
// across the axis and meets it. That of a cone is found like any other surface.
void rg_wall_edges(rgWallJob* job) {
  const rgPolyhedron* solid = job->shape->polyhedron;
  if (job->info->rim && !has_even_side(job))
    rg_wall_smooth(job);
  if (job->info->core == RG_CORE_AXIS || has_even_side(job)) {
    rgVec3 end = v3(0, 0, job->shape->half_length);
    add_line(job, pose_apply(job->pose, v3_neg(end)), pose_apply(job->pose, end),
             job->shape->radius, 0);
  }
  for (int i = 0; solid && i < solid->edge_count; i++) {
    rgVec3 p = pose_apply(job->pose, solid->vertices[solid->edges[i][0]]);
    rgVec3 q = pose_apply(job->pose, solid->vertices[solid->edges[i][1]]);
    // No point of the edge is nearer to the surface than its middle by more than half its length.
    rgFoot middle = job->wall->foot(job->surface, v3_lerp(p, q, 0.5));
    if (middle.distance - 0.5 * v3_norm(v3_sub(q, p)) <= job->reach + job->shape->radius)
      add_line(job, p, q, job->shape->radius, (uint32_t)i);
  }
}
