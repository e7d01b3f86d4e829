// axis_smooth.c - exact normals between smooth surfaces, and between a smooth surface and a rim.
//
// Two surfaces: points a and b with outward normals n_a and n_b belong to a common normal when
//   r1 = tangential part of a - b = 0   and   r2 = tangential part of n_a + n_b = 0.
// With curvatures K_a, K_b (n turns by K times the displacement) and g = n_b.(a - b), Newton's
// method moves b by s_b and a by s_a = (1 + g K_b) s_b - r1, where
//   (K_a (1 + g K_b) + K_b) s_b = K_a r1 - r2
// is a 2 x 2 system in the tangent plane. It is regular at touching, where the squared distance of
// two points has no regular Hessian, and singular only where both surfaces are flat. Steps are
// halved until the residuals fall. The method starts from what the general distance algorithm found,
// so that it has only the last digits to add.
//
// Rim: for each point of the circle the nearest point of the surface is known (`foot`); the circle
// is nearest where the normal there is across the tangent of the circle, a root on an arc.
#include "collide/convex/axis_smooth.h"

#include "shape/smooth/curved.h"

enum { ITERATIONS = 40, HALVINGS = 12 };
// Of the size of the shapes: rounding.
static const double RESIDUAL = 1e-15;
// [rad] about half: how far from the witness point the rim is searched.
static const double ARC = 0.5;

typedef struct Place {
  const rgShape* shape;
  rgPose pose;
  rgSpot spot; // in the frame of the shape
  rgVec3 point, normal;
} Place;

static void put_at(Place* place, rgVec3 x) {
  place->spot = rg_curved_spot(place->shape, pose_unapply(place->pose, x));
  place->point = pose_apply(place->pose, place->spot.point);
  place->normal = quat_rotate(place->pose.orientation, place->spot.normal);
}

// Curvature in the plane of the unit vectors t, o (world).
typedef struct Bend {
  double tt, to, oo;
} Bend;

static Bend bend_of(const Place* place, rgVec3 t, rgVec3 o) {
  rgVec3 t_own = quat_unrotate(place->pose.orientation, t);
  rgVec3 o_own = quat_unrotate(place->pose.orientation, o);
  rgVec3 bt = m3_apply(&place->spot.bend, t_own), bo = m3_apply(&place->spot.bend, o_own);
  return (Bend){v3_dot(t_own, bt), v3_dot(o_own, bt), v3_dot(o_own, bo)};
}

// Residuals of a pair of places in the tangent frame of b; `size` makes lengths of angles.
typedef struct Residual {
  rgVec3 t, o;
  double r1t, r1o, r2t, r2o, merit;
} Residual;

static Residual residual_of(const Place* a, const Place* b, double size) {
  Residual r;
  v3_frame(b->normal, &r.t, &r.o);
  rgVec3 apart = v3_sub(a->point, b->point), sum = v3_add(a->normal, b->normal);
  r.r1t = v3_dot(apart, r.t), r.r1o = v3_dot(apart, r.o);
  r.r2t = v3_dot(sum, r.t), r.r2o = v3_dot(sum, r.o);
  r.merit = r.r1t * r.r1t + r.r1o * r.r1o + size * size * (r.r2t * r.r2t + r.r2o * r.r2o);
  return r;
}

// The Newton step; false where the system is singular.
static bool newton_step(const Place* a, const Place* b, const Residual* r, rgVec3* step_a,
                        rgVec3* step_b) {
  Bend ka = bend_of(a, r->t, r->o), kb = bend_of(b, r->t, r->o);
  double g = v3_dot(b->normal, v3_sub(a->point, b->point));
  double tt = 1 + g * kb.tt, to = g * kb.to, oo = 1 + g * kb.oo; // 1 + g K_b
  double m11 = ka.tt * tt + ka.to * to + kb.tt, m12 = ka.tt * to + ka.to * oo + kb.to;
  double m21 = ka.to * tt + ka.oo * to + kb.to, m22 = ka.to * to + ka.oo * oo + kb.oo;
  double y1 = ka.tt * r->r1t + ka.to * r->r1o - r->r2t;
  double y2 = ka.to * r->r1t + ka.oo * r->r1o - r->r2o;
  double determinant = m11 * m22 - m12 * m21;
  if (!(fabs(determinant) > 0))
    return false;
  double bt = (m22 * y1 - m12 * y2) / determinant, bo = (m11 * y2 - m21 * y1) / determinant;
  double at = tt * bt + to * bo - r->r1t, ao = to * bt + oo * bo - r->r1o;
  *step_b = v3_axpy(v3_scale(r->t, bt), bo, r->o);
  *step_a = v3_axpy(v3_scale(r->t, at), ao, r->o);
  return v3_finite(*step_a) && v3_finite(*step_b);
}

static void try_from(rgAxisSearch* s, rgVec3 on_a, rgVec3 on_b) {
  Place a = {.shape = s->a, .pose = s->pose_a}, b = {.shape = s->b, .pose = s->pose_b};
  double size = s->a->extent < s->b->extent ? s->a->extent : s->b->extent;
  put_at(&a, on_a);
  put_at(&b, on_b);
  Residual r = residual_of(&a, &b, size);
  for (int i = 0; i < ITERATIONS && r.merit > RESIDUAL * RESIDUAL * size * size; i++) {
    rgVec3 step_a, step_b;
    if (!newton_step(&a, &b, &r, &step_a, &step_b))
      break;
    double longest = sqrt(fmax(v3_norm2(step_a), v3_norm2(step_b)));
    double part = longest > 0.25 * size ? 0.25 * size / longest : 1;
    bool better = false;
    for (int k = 0; k < HALVINGS && !better; k++, part *= 0.5) {
      Place trial_a = a, trial_b = b;
      put_at(&trial_a, v3_axpy(a.point, part, step_a));
      put_at(&trial_b, v3_axpy(b.point, part, step_b));
      Residual trial = residual_of(&trial_a, &trial_b, size);
      better = trial.merit < r.merit;
      if (better)
        a = trial_a, b = trial_b, r = trial;
    }
    if (!better)
      break;
  }
  rg_axis_try(s, v3_unit_or(v3_sub(b.normal, a.normal), v3_zero()));
}

static rgVec3 support(const rgShape* shape, rgPose pose, rgVec3 d) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  return pose_apply(pose, info->support(shape, quat_unrotate(pose.orientation, d)));
}

void rg_axis_try_smooth(rgAxisSearch* s, const rgDistance* found) {
  rgVec3 n = found->normal;
  try_from(s, support(s->a, s->pose_a, v3_neg(n)), support(s->b, s->pose_b, n));
  try_from(s, found->point_a, found->point_b);
}

// --- Rim -----------------------------------------------------------------------------------------

typedef struct Circle {
  const rgShape* smooth;
  rgPose pose; // of the smooth shape in the frame of the rim
  rgRim rim;
} Circle;

static rgFoot foot_of(const Circle* c, rgVec3 e) {
  rgVec3 x = v3(c->rim.radius * e.x, c->rim.radius * e.y, c->rim.height);
  rgFoot foot = rg_shape_info(c->smooth->kind)->foot(c->smooth, pose_unapply(c->pose, x), HUGE_VAL);
  foot.normal = quat_rotate(c->pose.orientation, foot.normal);
  return foot;
}

// Derivative of the distance as e turns about z, per length of arc.
static double slope_at(const void* context, rgVec3 e) {
  return v3_dot(foot_of(context, e).normal, v3(-e.y, e.x, 0));
}

void rg_axis_try_rim(rgAxisSearch* s, bool smooth_is_a, const rgDistance* found) {
  const rgShape *smooth = smooth_is_a ? s->a : s->b, *other = smooth_is_a ? s->b : s->a;
  rgPose pose = smooth_is_a ? s->pose_a : s->pose_b, frame = smooth_is_a ? s->pose_b : s->pose_a;
  rgVec3 outward = smooth_is_a ? found->normal : v3_neg(found->normal); // of the shape with the rim
  rgVec3 d = quat_unrotate(frame.orientation, outward);
  Circle circle = {smooth, pose_mul(pose_inverse(frame), pose),
                   rg_shape_info(other->kind)->rim(other, d)};
  rgVec3 x = pose_unapply(frame, smooth_is_a ? found->point_b : found->point_a);
  rgVec3 e = v3_unit_or(v3(x.x, x.y, 0), v3(1, 0, 0)), t = v3(-e.y, e.x, 0);
  rgVec3 p = v3_unit_or(v3_axpy(e, -ARC, t), e), q = v3_unit_or(v3_axpy(e, ARC, t), e);
  double at_p = slope_at(&circle, p), at_q = slope_at(&circle, q);
  if ((at_p > 0) != (at_q > 0) && at_p != 0)
    e = rg_curved_arc_root(slope_at, &circle, p, at_p, q, at_q);
  rgVec3 n = quat_rotate(frame.orientation, foot_of(&circle, e).normal);
  rg_axis_try(s, smooth_is_a ? v3_neg(n) : n);
}
