// eliminate.c - Gaussian elimination with complete pivoting.
#include "shape/smooth/eliminate.h"

#include <math.h>

static void swap(double* a, double* b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

// The largest element of what is left.
static double find_pivot(double matrix[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX], const int* column,
                         int n, int rank, int* row, int* at) {
  double most = 0;
  for (int i = rank; i < n; i++)
    for (int j = rank; j < n; j++)
      if (fabs(matrix[i][column[j]]) > most) {
        most = fabs(matrix[i][column[j]]);
        *row = i, *at = j;
      }
  return most;
}

void rg_eliminate(double matrix[RG_ELIMINATE_MAX][RG_ELIMINATE_MAX], int n, double* right,
                  double least, double* x) {
  int column[RG_ELIMINATE_MAX], rank = 0;
  double first = 0;
  for (int i = 0; i < n; i++)
    column[i] = i, x[i] = 0;
  for (; rank < n; rank++) {
    int row = rank, at = rank;
    double most = find_pivot(matrix, column, n, rank, &row, &at);
    first = rank == 0 ? most : first;
    if (!(most > least * first))
      break;
    int c = column[at];
    column[at] = column[rank];
    column[rank] = c;
    for (int j = 0; j < n && row != rank; j++)
      swap(&matrix[row][j], &matrix[rank][j]);
    swap(&right[row], &right[rank]);
    for (int i = rank + 1; i < n; i++) {
      double factor = matrix[i][c] / matrix[rank][c];
      for (int j = rank; j < n && factor != 0; j++)
        matrix[i][column[j]] -= factor * matrix[rank][column[j]];
      right[i] -= factor * right[rank];
    }
  }
  for (int i = rank - 1; i >= 0; i--) {
    double sum = right[i];
    for (int j = i + 1; j < rank; j++)
      sum -= matrix[i][column[j]] * x[column[j]];
    x[column[i]] = sum / matrix[i][column[i]];
  }
}
