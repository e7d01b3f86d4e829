// one.h - exact solvers of the contact problem of one contact.
//
// Given the velocity u of a contact under its present impulse r and its block W, find r' such that
// r' and u' = u + W (r' - r) satisfy the contact law. All components are those in use, n first,
// scaled so that an exact cone is circular (see rg_contact_axes).
#ifndef SOLVE_ONE_ONE_H
#define SOLVE_ONE_ONE_H

#include "problem/cone.h"

// The block with the normal eliminated: w = W_Tn / W_nn, S = W_TT - W_Tn W_nT / W_nn.
typedef struct rgOneBlock {
  int m;              // tangential components in use, 0 .. 3
  double mu;          // 0 for frictionless
  double inverse_wnn; // 0 when both bodies are held along n: the contact keeps r = 0
  double w[3];
  double s[3][3];
} rgOneBlock;

// Reduces a block of m + 1 components. A singular S (bodies that can only turn) gets a small
// multiple of the identity, which acts like friction against the previous iterate: it leaves the
// fixed point where it is.
void rg_one_reduce(double w[4][4], int m, double mu, rgOneBlock* block);

// True when the slip equation may have several roots, mu |W_Tn| >= W_nn (Painleve's condition).
bool rg_one_is_prone(const rgOneBlock* block);

// The exact cone. r has m + 1 components: present impulse on entry, solution on return. *alpha is
// the friction coefficient of the slip (u_T = -alpha r_T), zero when sticking; on entry a guess.
void rg_one_cone(const rgOneBlock* block, const double u[4], double r[4], double* alpha);

// One Newton step on the slip from *alpha > 0 in place of the whole solution: for sweeps, where the
// others move on in any case; repeated, it comes to the same point. False, with nothing changed,
// when *alpha is no good start: the contact opens, sticks or slips quite differently.
bool rg_one_cone_near(const rgOneBlock* block, const double u[4], double r[4], double* alpha);

// The slip or stick part alone: x of (S + alpha) x = -b with |x| <= mu (c - w x), alpha >= 0,
// complementary. c > 0 is the normal impulse without friction.
void rg_one_slip(const rgOneBlock* block, const double b[3], double c, double* alpha, double x[3]);

// A polygonal section with corners d_0 .. d_(k-1), counter-clockwise, in two tangential components;
// with one, the two ends of the interval in corners[0][0] < corners[1][0]. W is the full block, u
// the velocity under r.
void rg_one_polygon(double w[4][4], int m, double mu, int corner_count, const double (*corners)[2],
                    const double u[4], double r[4]);

static inline bool rg_one_is_polygon(const rgProblemContact* contact) {
  return contact->cone == RG_CONE_INNER || contact->cone == RG_CONE_OUTER;
}
// One table of corners serves each run of contacts with the same polygon: true where a run begins.
bool rg_one_polygon_starts(const rgProblem* problem, int index);
// Writes the corners of a contact's polygon (`facets` of them at most); in two dimensions the two
// ends of the interval.
void rg_one_polygon_corners(const rgProblem* problem, const rgProblemContact* contact,
                            double (*corners)[2]);

#endif
