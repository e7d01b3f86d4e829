// inverse_tree.c - the recursion of Newton and Euler, from the leaves to the root.
//
// A leaf touches its tree through one joint, which must supply all the wrench w that the leaf needs:
// with G_b the side of the leaf in the rows of the joint, G_b' x = w is six equations for the six
// multipliers x of J and H together (Cline 2002, eq. 5.5: their rank is 6). The parent gets G_a' x, so
// that it needs w_a - G_a' x from its own joint, and is a leaf of what is left. Equivalent to the
// backward pass of Luh, Walker and Paul 1980 with accelerations of bodies in place of those of joints.
// At the root of a tree that nothing holds, what is still needed is missing.
//
// A solve with 6 x 6 numbers per joint.
#include "articulated/inverse.h"

#include "base/message.h"

enum { SIX = 6 };

// Gaussian elimination with pivots by column; false when the rows do not span.
static bool solve_six(double a[SIX][SIX + 1], double* x) {
  for (int k = 0; k < SIX; k++) {
    int pivot = k;
    for (int i = k + 1; i < SIX; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    if (!(fabs(a[pivot][k]) > 0))
      return false;
    for (int j = k; j <= SIX && pivot != k; j++) {
      double held = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = held;
    }
    for (int i = k + 1; i < SIX; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k + 1; j <= SIX; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  for (int k = SIX - 1; k >= 0; k--) {
    x[k] = a[k][SIX];
    for (int j = k + 1; j < SIX; j++)
      x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return true;
}

rgStatus rg_inverse_solve_tree(rgInverse* inverse) {
  for (int i = inverse->link_count - 1; i >= 0; i--) {
    const rgInverseLink* link = &inverse->links[i];
    if (link->joint < 0)
      continue;
    const rgInverseRows* rows = &inverse->joints[link->joint];
    const rgWrench* w = &inverse->needed[i];
    double system[SIX][SIX + 1];
    for (int k = 0; k < SIX; k++) {
      rgTwist g = link->side ? rows->rows[k].g_b : rows->rows[k].g_a;
      for (int c = 0; c < 3; c++) {
        system[c][k] = v3_get(g.linear, c);
        system[c + 3][k] = v3_get(g.angular, c);
      }
    }
    for (int c = 0; c < 3; c++) {
      system[c][SIX] = v3_get(w->force, c);
      system[c + 3][SIX] = v3_get(w->torque, c);
    }
    double* x = &inverse->multipliers[RG_INVERSE_ROW_MAX * link->joint];
    if (!solve_six(system, x))
      return rg_world_fail(inverse->world, RG_ERROR_INPUT,
                           "the joint in slot %d is singular where the motion puts it",
                           link->joint);
    inverse->needed[i] = (rgWrench){v3_zero(), v3_zero()};
    for (int k = 0; k < SIX && link->parent >= 0; k++)
      rg_inverse_add_row(&inverse->needed[link->parent],
                         link->side ? rows->rows[k].g_a : rows->rows[k].g_b, -x[k]);
  }
  return RG_OK;
}
