// chains.h - problems of joints alone, made by hand: chains, trees, loops.
//
// Bodies are rods of mass 1 and length 1; a joint is a run of rows on two bodies. All of them are
// one step under gravity along -z from rest, as in sweep/problems.h.
#ifndef SUPPORT_CHAINS_H
#define SUPPORT_CHAINS_H

#include "sweep/problems.h"

// Rows of a joint at a point between bodies a and b (or -1): the first `locked` of: velocities of
// the point along x, y, z, angular velocities about x, y, z. 3 is a ball, 5 a hinge about z, 6 a
// weld.
static inline void chain_joint(Made* m, int a, int b, rgVec3 point, int locked) {
  const rgVec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int k = 0; k < locked; k++) {
    rgProblemRow* row = made_row(m, a, b);
    rgVec3 axis = axes[k % 3];
    const int bodies[2] = {a, b};
    rgTwist* sides[2] = {&row->g_a, &row->g_b};
    for (int s = 0; s < 2; s++) {
      if (bodies[s] < 0)
        continue;
      rgVec3 arm = v3_sub(point, m->centers[bodies[s]]), d = s == 0 ? axis : v3_neg(axis);
      *sides[s] = k < 3 ? (rgTwist){d, v3_cross(arm, d)} : (rgTwist){v3_zero(), d};
    }
  }
}

static inline int chain_rod(Made* m, rgVec3 center, double mass) {
  return made_body(m, center, mass, 0.01 * mass, mass / 12, mass / 12);
}

// `links` rods along x, joined end to end, the first hung up at the origin (`hung`) or all falling.
// Every other one is `ratio` times as heavy.
static inline Made chain_line(int links, int locked, double ratio, bool hung) {
  Made m = made(0);
  for (int i = 0; i < links; i++) {
    chain_rod(&m, v3(i + 0.5, 0, 0), i % 2 ? ratio : 1);
    if (i > 0 || hung)
      chain_joint(&m, i, i - 1, v3(i, 0, 0), locked);
  }
  return m;
}

// A tree: rod i hangs at the end of rod (i - 1) / branches, turned this way and that.
static inline Made chain_tree(int links, int branches, int locked) {
  Made m = made(0);
  uint64_t seed = 77;
  for (int i = 0; i < links; i++) {
    int parent = i == 0 ? -1 : (i - 1) / branches;
    rgVec3 joint = i == 0 ? v3_zero() : v3_add(m.centers[parent], v3(0.5, 0, 0));
    rgVec3 turn = v3_sub(made_vector(&seed), v3(0.5, 0.5, 0.5));
    chain_rod(&m, v3_add(joint, turn), 1 + made_random(&seed));
    chain_joint(&m, i, parent, joint, locked);
  }
  return m;
}

#endif
