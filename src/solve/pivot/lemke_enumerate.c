// lemke_enumerate.c - small linear complementarity problems by all of their complementary sets.
//
// Problem: 0 <= z, w = M z + q >= 0, z' w = 0, M any matrix.
//
// Method: for each set S of unknowns that may be positive, M_SS z_S = -q_S; a solution where z_S >= 0
// and w >= 0 elsewhere. Of all sets the one that misses least is taken. Lemke's path may end on a ray
// although there is a solution (Cottle, Pang, Stone 1992, example 4.4.23, a bimatrix game); this
// does not.
//
// Cost: 2^n systems, so for n <= RG_LEMKE_ENUMERABLE only: some milliseconds. Fails where each set that
// solves the problem has a singular matrix.
#include "solve/pivot/lcp.h"

#include <math.h>
#include <string.h>

enum { MOST = RG_LEMKE_ENUMERABLE };
// A pivot below this part of the largest number of its matrix is zero.
static const double singular = 1e-12;
// What a solution may miss its signs by, relative to q and z.
static const double missed_most = 1e-10;

typedef struct Set {
  int count, member[MOST];
  double z[MOST]; // of the members
} Set;

// Gauss with row exchanges on the members' system. False when it is singular.
static bool solve_set(const rgLemke* lemke, Set* set) {
  int k = set->count, n = lemke->n;
  double a[MOST][MOST + 1], largest = 0;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      a[i][j] = lemke->m[(size_t)set->member[j] * (size_t)n + (size_t)set->member[i]];
      largest = fmax(largest, fabs(a[i][j]));
    }
    a[i][k] = -lemke->q[set->member[i]];
  }
  for (int p = 0; p < k; p++) {
    int best = p;
    for (int i = p + 1; i < k; i++)
      if (fabs(a[i][p]) > fabs(a[best][p]))
        best = i;
    if (!(fabs(a[best][p]) > singular * largest))
      return false;
    for (int j = p; j <= k; j++) {
      double kept = a[p][j];
      a[p][j] = a[best][j];
      a[best][j] = kept;
    }
    for (int i = p + 1; i < k; i++) {
      double factor = a[i][p] / a[p][p];
      for (int j = p; j <= k; j++)
        a[i][j] -= factor * a[p][j];
    }
  }
  for (int i = k - 1; i >= 0; i--) {
    double sum = a[i][k];
    for (int j = i + 1; j < k; j++)
      sum -= a[i][j] * set->z[j];
    set->z[i] = sum / a[i][i];
  }
  return true;
}

// The most that a z or a w is below zero, relative to the numbers that make it.
static double missed_by(const rgLemke* lemke, const Set* set) {
  int n = lemke->n;
  double missed = 0;
  double size = 0;
  for (int k = 0; k < set->count; k++)
    size = fmax(size, fabs(set->z[k]));
  for (int k = 0; k < set->count; k++)
    missed = fmax(missed, -set->z[k] / size);
  for (int i = 0; i < n; i++) {
    double w = lemke->q[i], most = fabs(w);
    for (int k = 0; k < set->count; k++) {
      double part = lemke->m[(size_t)set->member[k] * (size_t)n + (size_t)i] * set->z[k];
      w += part;
      most = fmax(most, fabs(part));
    }
    if (most > 0)
      missed = fmax(missed, -w / most);
  }
  return missed;
}

bool rg_lemke_enumerate(rgLemke* lemke) {
  int n = lemke->n;
  if (n > MOST || lemke->free)
    return false;
  double least = HUGE_VAL;
  for (unsigned chosen = 0; chosen < 1U << n; chosen++) {
    Set set = {0};
    for (int i = 0; i < n; i++)
      if (chosen >> i & 1)
        set.member[set.count++] = i;
    if (!solve_set(lemke, &set))
      continue;
    double missed = missed_by(lemke, &set);
    if (!(missed < least))
      continue;
    least = missed;
    memset(lemke->z, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < set.count; k++)
      lemke->z[set.member[k]] = fmax(set.z[k], 0);
  }
  return least <= missed_most;
}
