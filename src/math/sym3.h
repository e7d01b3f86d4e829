// sym3.h - eigenvalues, eigenvectors and root of a symmetric 3 x 3 matrix.
#ifndef MATH_SYM3_H
#define MATH_SYM3_H

#include "math/vec.h"

// A = Q diag(values) Q' with values ascending and Q (eigenvectors in its columns) a proper
// rotation. Only the upper triangle of `a` is read; its entries must be finite. A diagonal matrix
// gives exact results: its entries, and columns that are unit vectors up to sign.
void rg_sym3_eigen(const rgMat3* a, rgVec3* values, rgMat3* vectors);

// Lower triangular L (row-major) with A = L L', for a positive semidefinite A: a zero pivot gives a
// zero column.
void rg_sym3_root(const rgMat3* a, double l[9]);

// (R diag(p) R' + K)^-1 for a rotation R, p > 0 and a positive semidefinite K:
// positive semidefinite to rounding, however far apart the numbers of p are. R diag(p) R' itself
// would have lost the small ones.
rgMat3 rg_sym3_inverse_above(const rgMat3* r, rgVec3 p, const rgMat3* k);

// A symmetric 3 x 3 matrix by its six numbers.
typedef struct rgSix {
  double xx, yy, zz, xy, xz, yz;
} rgSix;

static inline rgSix six_from(const rgMat3* a) {
  return (rgSix){a->m[0][0], a->m[1][1], a->m[2][2], a->m[0][1], a->m[0][2], a->m[1][2]};
}
static inline rgVec3 six_apply(const rgSix* a, rgVec3 x) {
  return v3(a->xx * x.x + a->xy * x.y + a->xz * x.z, a->xy * x.x + a->yy * x.y + a->yz * x.z,
            a->xz * x.x + a->yz * x.y + a->zz * x.z);
}

#endif
