// spring.c - a spring and a damper in parallel between two points.
//
// Let d be the vector from the point on the other body to the point on the body, and u = d / |d|.
// The stretch is s = |d| - rest, and its gradient G is (u, arm x u) on the body and the opposite on
// the other. The direction u is the one predicted for the middle of the step from the velocities at
// its start, which keeps a second-order step second order. Where the points coincide, the direction
// is undefined and the force is zero.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!v3_finite(def->point) || !v3_finite(def->other_point))
    return rg_fail(message, RG_ERROR_INPUT, "a point of the spring is not finite");
  if (!isfinite(def->rest))
    return rg_fail(message, RG_ERROR_INPUT, "rest of a spring is %g, must be finite", def->rest);
  return rg_force_check_spring(def, message);
}

// Where the point is now, and where it will be after `time`.
static rgVec3 point_at(const rgForceSide* side, rgVec3 point, double time, rgVec3* arm) {
  rgVec3 now = pose_apply(side->frame, point);
  *arm = v3_sub(now, side->center);
  rgVec3 v = v3_add(side->velocity.linear, v3_cross(side->velocity.angular, *arm));
  return v3_axpy(now, time, v);
}

static int terms(const rgForce* force, const rgForceView* view, rgForceTerm* out) {
  const rgForceDef* def = &force->def;
  rgVec3 arm_a, arm_b;
  rgVec3 now = v3_sub(point_at(&view->a, def->point, 0, &arm_a),
                      point_at(&view->b, def->other_point, 0, &arm_b));
  rgVec3 middle = v3_sub(point_at(&view->a, def->point, 0.5 * view->h, &arm_a),
                         point_at(&view->b, def->other_point, 0.5 * view->h, &arm_b));
  rgVec3 u = v3_unit_or(middle, v3_zero());
  rgVec3 back = v3_neg(u);
  *out = (rgForceTerm){.g_a = {u, v3_cross(arm_a, u)},
                       .g_b = {back, v3_cross(arm_b, back)},
                       .stretch = v3_norm(now) - def->rest,
                       .stiffness = def->stiffness,
                       .damping = def->damping};
  return v3_norm2(u) > 0 ? 1 : 0;
}

const rgForceInfo rg_force_spring = {
    .name = "spring",
    .summary = "spring and damper between two points",
    .couples = true,
    .check = check,
    .terms = terms,
    .term_max = 1,
};
