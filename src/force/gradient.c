// gradient.c - gradients of forces by differences (Cline 2002, section 2.7.4, last paragraph).
#include "force/force.h"

#include <string.h>

// The difference step, as a fraction of the body's size and of a radian: the cube root of the
// rounding unit, where the error of central differences is smallest.
static const double NUDGE = 6e-6;
// Pivots below this fraction of their original diagonal entry are rounding errors of the
// differences.
static const double PIVOT_ROUNDING = 1e-7;

double rg_force_difference(const rgForceSide* side, int axis, bool position, double h) {
  double size = side->extent > 0 ? side->extent : 1;
  return NUDGE * (axis < 3 ? size : 1) * (position ? 1 : 1 / h);
}

rgForceSide rg_force_nudged(const rgForceSide* side, int axis, double size, bool position) {
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

bool rg_force_is_rounding(double entry, double size) {
  return fabs(entry) <= PIVOT_ROUNDING * size;
}

int rg_force_pivot(int count, const double* matrix, int columns, const double* sizes,
                   const bool* used) {
  int best = -1;
  double most = PIVOT_ROUNDING;
  for (int i = 0; i < count; i++) {
    double entry = matrix[i * columns + i];
    if (!used[i] && sizes[i] > 0 && entry / sizes[i] > most) {
      most = entry / sizes[i];
      best = i;
    }
  }
  return best;
}

int rg_force_split(double a[6][6], const double sizes[6], double rows[6][6], double weights[6]) {
  bool used[6] = {false};
  int count = 0;
  for (;;) {
    int best = rg_force_pivot(6, &a[0][0], 6, sizes, used);
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
