// torsion.c - a spring and a damper that restore the relative orientation of two bodies.
//
// Let q = (w, x) be the rotation from the orientation at rest to that of the body. Its rotation
// vector is e = 2 acos(w) x / |x|. The torque on the body is -(k e + c (omega_a - omega_b)),
// along the three world axes. |e| is the true angle up to half a turn.
#include "force/force.h"
#include "math/trig.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  return rg_force_check_spring(def, message);
}

static rgVec3 rotation_vector(rgQuat q) {
  rgVec3 x = v3(q.x, q.y, q.z);
  double sine = v3_norm(x), w = q.w;
  if (w < 0) { // the shorter way around
    x = v3_neg(x);
    w = -w;
  }
  return sine > 0 ? v3_scale(x, 2 * rg_atan2(sine, w) / sine) : v3_zero();
}

static int terms(const rgForce* force, const rgForceView* view, rgForceTerm* out) {
  const rgForceDef* def = &force->def;
  // `rest` is the orientation of the other relative to the body when the force was added, so that
  // the body is at rest at other * rest'.
  rgQuat wanted = quat_mul(view->b.frame.orientation, quat_conj(force->rest));
  rgVec3 e = rotation_vector(quat_mul(view->a.frame.orientation, quat_conj(wanted)));
  for (int i = 0; i < 3; i++) {
    rgVec3 axis = v3(i == 0, i == 1, i == 2);
    out[i] = (rgForceTerm){.g_a = {v3_zero(), axis},
                           .g_b = {v3_zero(), v3_neg(axis)},
                           .stretch = v3_get(e, i),
                           .stiffness = def->stiffness,
                           .damping = def->damping};
  }
  return 3;
}

const rgForceInfo rg_force_torsion = {
    .name = "torsion",
    .summary = "torsional spring and damper between two bodies",
    .couples = true,
    .check = check,
    .terms = terms,
    .term_max = 3,
};
