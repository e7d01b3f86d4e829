// callback.c - a wrench computed by the caller's function from time and state.
//
// A stiff force is integrated implicitly (Cline 2002, eq. 2.52-2.54). Its gradients K = -df/dp and
// D = -df/dv are 6 x 6 matrices with respect to the displacement and velocity of the centre of mass
// and to the rotation and spin; they are computed by central differences. Elimination with pivots
// writes the symmetric part of each as a sum of terms k l l'. This is a congruence, so that lengths
// and angles never mix. What is not positive definite in them stays in the explicit force.
//
// A force on several bodies is in system.c.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!def->callback && !def->system)
    return rg_fail(message, RG_ERROR_INPUT, "a callback force has no callback");
  if (def->callback && def->system)
    return rg_fail(message, RG_ERROR_INPUT,
                   "a callback force has a callback for one body and one for several: give one");
  if (def->system && (def->body_count < 2 || def->body_count > RG_FORCE_BODIES_MAX || !def->bodies))
    return rg_fail(message, RG_ERROR_INPUT, "a force on several bodies has %d, must be 2 to %d",
                   def->bodies ? def->body_count : 0, (int)RG_FORCE_BODIES_MAX);
  return RG_OK;
}

static rgWrench call(const rgForceDef* def, double time, const rgForceSide* side) {
  return def->callback(time, side->frame, side->velocity, def->context);
}

static rgWrench evaluate(const rgForceDef* def, const rgForceView* view) {
  return call(def, view->time, &view->a);
}

// The symmetric part of the negative gradient.
static void gradient(const rgForceDef* def, const rgForceView* view, bool position,
                     double matrix[6][6]) {
  double columns[6][6];
  for (int j = 0; j < 6; j++) {
    double step = rg_force_difference(&view->a, j, position, view->h);
    rgForceSide up = rg_force_nudged(&view->a, j, step, position),
                down = rg_force_nudged(&view->a, j, -step, position);
    rgWrench high = call(def, view->time, &up), low = call(def, view->time, &down);
    rgVec3 force = v3_scale(v3_sub(low.force, high.force), 0.5 / step),
           torque = v3_scale(v3_sub(low.torque, high.torque), 0.5 / step);
    for (int i = 0; i < 3; i++) {
      columns[j][i] = v3_get(force, i);
      columns[j][i + 3] = v3_get(torque, i);
    }
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      matrix[i][j] = 0.5 * (columns[j][i] + columns[i][j]);
}

static rgTwist twist_of(const double row[6]) {
  return (rgTwist){v3(row[0], row[1], row[2]), v3(row[3], row[4], row[5])};
}

static int terms(const rgForce* force, const rgForceView* view, rgForceTerm* out) {
  if (!force->def.stiff || view->h == 0 || force->body_count > 0)
    return 0;
  int total = 0;
  for (int position = 0; position < 2; position++) {
    double matrix[6][6], rows[6][6], weights[6];
    gradient(&force->def, view, position, matrix);
    double sizes[6];
    for (int i = 0; i < 6; i++)
      sizes[i] = fabs(matrix[i][i]);
    int count = rg_force_split(matrix, sizes, rows, weights);
    for (int i = 0; i < count; i++) {
      rgForceTerm* term = &out[total++];
      rgTwist g = twist_of(rows[i]), v = view->a.velocity;
      *term = (rgForceTerm){.g_a = g};
      if (position)
        term->stiffness = weights[i];
      else
        term->damping = weights[i];
      // the force already contains what the damper does at the current velocity
      term->rate = position ? 0 : v3_dot(g.linear, v.linear) + v3_dot(g.angular, v.angular);
    }
  }
  return total;
}

const rgForceInfo rg_force_callback = {
    .name = "callback",
    .summary =
        "force and torque from a function of time, pose and velocity of one body or of several "
        "(C interface)",
    .check = check,
    .evaluate = evaluate,
    .terms = terms,
    .linearizes = true,
    .term_max = RG_FORCE_TERM_MAX,
};
