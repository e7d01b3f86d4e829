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

// s u u' added to the upper triangle.
static void add_square(rgMat3* sum, double s, rgVec3 u) {
  rgVec3 x = v3_scale(u, s);
  sum->m[0][0] += x.x * u.x, sum->m[0][1] += x.x * u.y, sum->m[0][2] += x.x * u.z;
  sum->m[1][1] += x.y * u.y, sum->m[1][2] += x.y * u.z;
  sum->m[2][2] += x.z * u.z;
}

static bool is_zero(const rgMat3* k) {
  return k->m[0][0] == 0 && k->m[1][1] == 0 && k->m[2][2] == 0 && k->m[0][1] == 0 &&
         k->m[0][2] == 0 && k->m[1][2] == 0;
}

// In the axes of R the matrix is A = diag(p) + R' K R = L D L', with the largest of what is left of
// the diagonal as the next pivot, so that no multiplier is above 1. A pivot is the least of x' A x
// over all x with x_i = 1 that are free in what was eliminated before and 0 in the rest, and K only
// adds to x' diag(p) x >= p_i: a pivot below p_i is rounding of R' K R, and p_i takes its place. The
// inverse is the sum of u_i u_i' / D_i, u_i being R times row i of L^-1: a sum of squares.
rgMat3 rg_sym3_inverse_above(const rgMat3* r, rgVec3 p, const rgMat3* k) {
  rgVec3 column[3] = {m3_column(r, 0), m3_column(r, 1), m3_column(r, 2)};
  double least[3] = {p.x, p.y, p.z}, a[3][3];
  rgMat3 inverse = m3_zero();
  if (is_zero(k)) {
    for (int i = 0; i < 3; i++)
      add_square(&inverse, 1 / least[i], column[i]);
  } else {
    for (int j = 0; j < 3; j++) {
      rgVec3 pushed = m3_apply(k, column[j]);
      for (int i = 0; i <= j; i++)
        a[i][j] = a[j][i] = v3_dot(column[i], pushed);
      a[j][j] += least[j];
    }
    int i = a[1][1] > a[0][0] ? 1 : 0;
    i = a[2][2] > a[i][i] ? 2 : i;
    int m = i == 0 ? 1 : 0, n = i == 2 ? 1 : 2;
    double first = a[i][i] > least[i] ? a[i][i] : least[i];
    double to_m = a[m][i] / first, to_n = a[n][i] / first;
    double left_m = a[m][m] - to_m * a[i][m], left_n = a[n][n] - to_n * a[i][n],
           across = a[n][m] - to_n * a[i][m];
    rgVec3 u = column[i], u_m = v3_axpy(column[m], -to_m, u), u_n = v3_axpy(column[n], -to_n, u);
    bool swap = left_n > left_m;
    int second_at = swap ? n : m, third_at = swap ? m : n;
    double second = swap ? left_n : left_m, third = swap ? left_m : left_n;
    second = second > least[second_at] ? second : least[second_at];
    double factor = across / second;
    third -= factor * across;
    third = third > least[third_at] ? third : least[third_at];
    rgVec3 v = swap ? u_n : u_m, w = v3_axpy(swap ? u_m : u_n, -factor, v);
    add_square(&inverse, 1 / first, u);
    add_square(&inverse, 1 / second, v);
    add_square(&inverse, 1 / third, w);
  }
  inverse.m[1][0] = inverse.m[0][1];
  inverse.m[2][0] = inverse.m[0][2];
  inverse.m[2][1] = inverse.m[1][2];
  return inverse;
}
