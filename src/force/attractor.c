// attractor.c - a point that attracts or repels bodies, as the mouse of Cline 2002, section 4.7.
//
// The force on the centre of mass of a body at distance d is strength / (1 + (d / range)^2) along
// the line to the point: it grows as the body comes nearer and never exceeds `strength`. At the
// point itself the direction is undefined and the force is zero.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!isfinite(def->strength))
    return rg_fail(message, RG_ERROR_INPUT, "strength is %g, must be finite", def->strength);
  if (!(def->range > 0 && isfinite(def->range)))
    return rg_fail(message, RG_ERROR_INPUT, "range is %g, must be finite and > 0", def->range);
  if (!v3_finite(def->center))
    return rg_fail(message, RG_ERROR_INPUT, "center of an attractor is not finite");
  if (!def->path)
    return RG_OK;
  return rg_force_check_table(def, (const double*)(const void*)def->path, 3, "path", message);
}

rgVec3 rg_attractor_center(const rgForceDef* def, double time) {
  if (!def->path)
    return def->center;
  double part;
  int row = rg_force_table_row(def, time, &part);
  return part == 0 ? def->path[row] : v3_lerp(def->path[row], def->path[row + 1], part);
}

static rgWrench evaluate(const rgForceDef* def, const rgForceView* view) {
  rgVec3 d = v3_sub(rg_attractor_center(def, view->time), view->a.center);
  double near = 1 + v3_norm2(d) / (def->range * def->range);
  rgVec3 u = v3_unit_or(d, v3_zero());
  return (rgWrench){v3_scale(u, def->strength / near), v3_zero()};
}

const rgForceInfo rg_force_attractor = {
    .name = "attractor",
    .summary = "attracts bodies to a point or repels them, more strongly the nearer they are",
    .everywhere = true,
    .check = check,
    .evaluate = evaluate,
};
