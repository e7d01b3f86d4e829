// callback.c - a wrench computed by the caller's function from time and state.
//
// A stiff force is integrated implicitly (Cline 2002, eq. 2.52-2.54). Its gradients K = -df/dp and
// D = -df/dv are 6 x 6 matrices with respect to the displacement and velocity of the centre of mass
// and to the rotation and spin; they are computed by central differences. Elimination with pivots
// writes the symmetric part of each as a sum of terms k l l'. This is a congruence, so that lengths
// and angles never mix. What is not positive definite in them stays in the explicit force.
#include "base/message.h"
#include "force/force.h"

#include <string.h>

// The difference step, as a fraction of the body's size and of a radian: the cube root of the
// rounding unit, where the error of central differences is smallest.
static const double NUDGE = 6e-6;
// Pivots below this fraction of their original diagonal entry are rounding errors of the
// differences.
static const double PIVOT_ROUNDING = 1e-7;

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!def->callback)
    return rg_fail(message, RG_ERROR_INPUT, "a callback force has no callback");
  return RG_OK;
}

static rgWrench call(const rgForceDef* def, double time, const rgForceSide* side) {
  return def->callback(time, side->frame, side->velocity, def->context);
}

static rgWrench evaluate(const rgForceDef* def, const rgForceView* view) {
  return call(def, view->time, &view->a);
}

// The body translated along one axis, or rotated about it, by `size`, in position or in velocity.
static rgForceSide nudged(const rgForceSide* side, int axis, double size, bool position) {
  rgForceSide moved = *side;
  rgVec3 step = v3_scale(v3(axis % 3 == 0, axis % 3 == 1, axis % 3 == 2), size);
  if (!position) {
    rgVec3* v = axis < 3 ? &moved.velocity.linear : &moved.velocity.angular;
    *v = v3_add(*v, step);
    return moved;
  }
  if (axis < 3) {
    moved.frame.position = v3_add(moved.frame.position, step);
    return moved;
  }
  rgQuat turn = quat_cayley(step); // about the centre of mass
  rgVec3 offset = v3_sub(side->frame.position, side->center);
  moved.frame.position = v3_add(side->center, quat_rotate(turn, offset));
  moved.frame.orientation = quat_unit(quat_mul(turn, side->frame.orientation));
  return moved;
}

// The symmetric part of the negative gradient.
static void gradient(const rgForceDef* def, const rgForceView* view, bool position,
                     double matrix[6][6]) {
  double size = view->a.extent > 0 ? view->a.extent : 1;
  double columns[6][6];
  for (int j = 0; j < 6; j++) {
    double step = NUDGE * (j < 3 ? size : 1) * (position ? 1 : 1 / view->h);
    rgForceSide up = nudged(&view->a, j, step, position),
                down = nudged(&view->a, j, -step, position);
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

// Extracts rank-one terms from the matrix while it has positive pivots. Returns their number.
static int split(double a[6][6], double rows[6][6], double weights[6]) {
  double start[6];
  bool used[6] = {false};
  for (int i = 0; i < 6; i++)
    start[i] = fabs(a[i][i]);
  int count = 0;
  for (;;) {
    int best = -1;
    double most = PIVOT_ROUNDING;
    for (int i = 0; i < 6; i++)
      if (!used[i] && start[i] > 0 && a[i][i] / start[i] > most) {
        most = a[i][i] / start[i];
        best = i;
      }
    if (best < 0)
      return count;
    double pivot = a[best][best], row[6];
    for (int j = 0; j < 6; j++)
      row[j] = a[best][j] / pivot;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        a[i][j] -= pivot * row[i] * row[j];
    memcpy(rows[count], row, sizeof row);
    weights[count++] = pivot;
    used[best] = true;
  }
}

static rgTwist twist_of(const double row[6]) {
  return (rgTwist){v3(row[0], row[1], row[2]), v3(row[3], row[4], row[5])};
}

static int terms(const rgForce* force, const rgForceView* view, rgForceTerm* out) {
  if (!force->def.stiff || view->h == 0)
    return 0;
  int total = 0;
  for (int position = 0; position < 2; position++) {
    double matrix[6][6], rows[6][6], weights[6];
    gradient(&force->def, view, position, matrix);
    int count = split(matrix, rows, weights);
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
    .summary = "force and torque from a function of time, pose and velocity (C interface)",
    .check = check,
    .evaluate = evaluate,
    .terms = terms,
    .term_max = RG_FORCE_TERM_MAX,
};
