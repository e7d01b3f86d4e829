// sym3.c - eigenvalues and eigenvectors of a symmetric 3 x 3 matrix.
//
// Problem:  A = Q diag(l) Q',  l1 <= l2 <= l3,  Q' Q = I,  det Q = 1.
//
// Method:   cyclic Jacobi. A plane rotation J(p, q) zeroes a_pq; the sum of squares off the
//           diagonal falls by 2 a_pq^2 each time and, once small, quadratically per sweep. The
//           rotation is the smaller of the two possible ones (|angle| <= pi/4), through
//           t = tan(angle), the root of t^2 + 2 tau t - 1 = 0 nearest to zero with
//           tau = (a_qq - a_pp) / (2 a_pq).
//           Reference: Golub, Van Loan, Matrix Computations, 4th ed., section 8.5.
//
// Why:      backward stable; Q is orthogonal to rounding even when eigenvalues coincide; no
//           function is needed but the square root, so that the bits are the same everywhere.
//           Closed forms by the cubic lose half the digits at (nearly) equal eigenvalues,
//           which is the common case for inertias.
//
// Cost:     three rotations a sweep, 4 to 7 sweeps.
#include "math/sym3.h"

#include <string.h>

// Convergence is quadratic: seven sweeps take any matrix to off-diagonals that underflow. The bound
// only makes the loop finite by construction.
enum { SWEEP_LIMIT = 32 };

// A <- J' A J, Q <- Q J for the rotation that zeroes A[p][q]; r is the third index.
static void rotate(double a[3][3], double q_matrix[3][3], int p, int q, int r) {
  double a_pq = a[p][q];
  if (a_pq == 0)
    return;
  double tau = (a[q][q] - a[p][p]) / (2 * a_pq);
  double t = 1 / (fabs(tau) + sqrt(tau * tau + 1)); // 0 when tau overflows
  t = tau < 0 ? -t : t;
  double c = 1 / sqrt(t * t + 1);
  double s = t * c;

  a[p][p] -= t * a_pq;
  a[q][q] += t * a_pq;
  a[p][q] = a[q][p] = 0;
  double a_rp = a[r][p], a_rq = a[r][q];
  a[r][p] = a[p][r] = c * a_rp - s * a_rq;
  a[r][q] = a[q][r] = s * a_rp + c * a_rq;
  for (int i = 0; i < 3; i++) {
    double v_p = q_matrix[i][p], v_q = q_matrix[i][q];
    q_matrix[i][p] = c * v_p - s * v_q;
    q_matrix[i][q] = s * v_p + c * v_q;
  }
}

static void order_pair(int* i, int* j, const double* value, bool* odd) {
  if (value[*i] <= value[*j])
    return;
  int k = *i;
  *i = *j;
  *j = k;
  *odd = !*odd;
}

void rg_sym3_eigen(const rgMat3* a, rgVec3* values, rgMat3* vectors) {
  // Scaling by a power of two is exact and keeps squares from overflow and underflow.
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      largest = fabs(a->m[i][j]) > largest ? fabs(a->m[i][j]) : largest;
  int exponent = 0;
  frexp(largest, &exponent);

  double work[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      work[i][j] = work[j][i] = ldexp(a->m[i][j], -exponent);
  double q[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < SWEEP_LIMIT; sweep++) {
    if (work[0][1] == 0 && work[0][2] == 0 && work[1][2] == 0)
      break;
    rotate(work, q, 0, 1, 2);
    rotate(work, q, 0, 2, 1);
    rotate(work, q, 1, 2, 0);
  }

  double value[3] = {work[0][0], work[1][1], work[2][2]};
  int order[3] = {0, 1, 2};
  bool odd = false; // parity of the permutation: an odd one turns the frame into a left-handed one
  order_pair(&order[0], &order[1], value, &odd);
  order_pair(&order[1], &order[2], value, &odd);
  order_pair(&order[0], &order[1], value, &odd);
  for (int i = 0; i < 3; i++) {
    vectors->m[i][0] = q[i][order[0]];
    vectors->m[i][1] = q[i][order[1]];
    vectors->m[i][2] = odd ? -q[i][order[2]] : q[i][order[2]];
  }
  *values = v3(ldexp(value[order[0]], exponent), ldexp(value[order[1]], exponent),
               ldexp(value[order[2]], exponent));
}

void rg_sym3_root(const rgMat3* a, double l[9]) {
  const double rounding = 1e-14; // of a pivot, relative to the largest number
  double largest = fmax(a->m[0][0], fmax(a->m[1][1], a->m[2][2]));
  memset(l, 0, 9 * sizeof(double));
  for (int j = 0; j < 3; j++) {
    double pivot = a->m[j][j];
    for (int k = 0; k < j; k++)
      pivot -= l[3 * j + k] * l[3 * j + k];
    if (!(pivot > rounding * largest))
      continue;
    double root = sqrt(pivot);
    l[3 * j + j] = root;
    for (int i = j + 1; i < 3; i++) {
      double sum = a->m[i][j];
      for (int k = 0; k < j; k++)
        sum -= l[3 * i + k] * l[3 * j + k];
      l[3 * i + j] = sum / root;
    }
  }
}

// Adds s u u'.
static void add_square(rgMat3* sum, double s, rgVec3 u) {
  const double x[3] = {u.x, u.y, u.z};
  for (int m = 0; m < 3; m++)
    for (int n = m; n < 3; n++) {
      sum->m[m][n] += s * x[m] * x[n];
      sum->m[n][m] = sum->m[m][n];
    }
}

// In the axes of R the matrix is A = diag(p) + R' K R = L D L', with the largest of what is left of
// the diagonal as the next pivot, so that no multiplier is above 1. A pivot is the least of x' A x
// over all x with x_i = 1 that are free in what was eliminated before and 0 in the rest, and K only
// adds to x' diag(p) x >= p_i: a pivot below p_i is rounding of R' K R, and p_i takes its place. The
// inverse is the sum of u_i u_i' / D_i, u_i being R times row i of L^-1: a sum of squares.
rgMat3 rg_sym3_inverse_above(const rgMat3* r, rgVec3 p, const rgMat3* k) {
  const double least[3] = {p.x, p.y, p.z};
  rgMat3 kr = m3_mul(k, r), transposed = m3_transpose(r), a = m3_mul(&transposed, &kr);
  rgMat3 inverse = m3_zero();
  double rows[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // of L^-1
  bool left[3] = {true, true, true};
  for (int i = 0; i < 3; i++)
    a.m[i][i] += least[i];
  for (int step = 0; step < 3; step++) {
    int i = left[0] ? 0 : left[1] ? 1 : 2;
    for (int m = i + 1; m < 3; m++)
      i = left[m] && a.m[m][m] > a.m[i][i] ? m : i;
    left[i] = false;
    double pivot = a.m[i][i] > least[i] ? a.m[i][i] : least[i];
    rgVec3 u = m3_apply(r, v3(rows[i][0], rows[i][1], rows[i][2]));
    add_square(&inverse, 1 / pivot, u);
    for (int m = 0; m < 3; m++) {
      if (!left[m] || a.m[m][i] == 0)
        continue;
      double factor = a.m[m][i] / pivot;
      for (int n = 0; n < 3; n++) {
        rows[m][n] -= factor * rows[i][n];
        a.m[m][n] -= left[n] ? factor * a.m[i][n] : 0;
      }
    }
  }
  return inverse;
}
