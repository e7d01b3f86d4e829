// Small dense systems of 3 x 3 blocks: the answer satisfies the equations, singular pivots are
// noticed, and a smaller system after a larger one sees nothing of it.
#include "base/random.h"
#include "math/dense_lu.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 12, ROWS = 3 * LIMIT };

typedef struct Dense {
  rgDenseLu lu;
  void* memory;
} Dense;

static Dense dense_begin(void) {
  Dense dense = {.memory = NULL};
  rgCarver carver = {NULL, 0};
  rg_dense_lu_carve(&dense.lu, LIMIT, &carver);
  dense.memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  memset(dense.memory, 0x77, carver.used);
  carver = (rgCarver){dense.memory, 0};
  rg_dense_lu_carve(&dense.lu, LIMIT, &carver);
  return dense;
}

static double number(uint64_t* state) { return 2 * rg_random_unit(state) - 1; }

// Diagonally dominant by blocks, as (I - D) + D W is; returns the largest miss of an equation.
static double solve_random(rgDenseLu* lu, int count, uint64_t seed) {
  double a[ROWS][ROWS], b[ROWS], worst = 0;
  uint64_t state = seed;
  rg_dense_lu_start(lu, count);
  for (int i = 0; i < 3 * count; i++) {
    for (int j = 0; j < 3 * count; j++) {
      a[i][j] = number(&state) + (i == j ? 3 * count : 0);
      rg_dense_lu_at(lu, i / 3, j / 3)[(i % 3) * lu->width + j % 3] = a[i][j];
    }
    b[i] = number(&state);
    *rg_dense_lu_right(lu, i / 3, i % 3) = b[i];
  }
  CHECK(rg_dense_lu_solve(lu));
  for (int i = 0; i < 3 * count; i++) {
    double sum = -b[i];
    for (int j = 0; j < 3 * count; j++)
      sum += a[i][j] * *rg_dense_lu_right(lu, j / 3, j % 3);
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

// Rows are of size 3 n with answers of size 1/n: rounding is some 1e-16 times that.
TEST(answers_satisfy_the_equations) {
  Dense dense = dense_begin();
  for (int count = LIMIT; count >= 1; count--) {
    CONTEXT("%d blocks", count);
    CHECK_NEAR(solve_random(&dense.lu, count, (uint64_t)count), 0, 1e-14);
  }
  free(dense.memory);
}

// [0 1 0; 0 0 1; 1 0 0] needs row exchanges inside the block.
TEST(rows_are_exchanged_inside_a_pivot) {
  Dense dense = dense_begin();
  rg_dense_lu_start(&dense.lu, 1);
  double* block = rg_dense_lu_at(&dense.lu, 0, 0);
  block[1] = block[dense.lu.width + 2] = block[2 * dense.lu.width] = 1;
  for (int k = 0; k < 3; k++)
    *rg_dense_lu_right(&dense.lu, 0, k) = k + 1;
  CHECK(rg_dense_lu_solve(&dense.lu));
  CHECK_NEAR(*rg_dense_lu_right(&dense.lu, 0, 0), 3, 0);
  CHECK_NEAR(*rg_dense_lu_right(&dense.lu, 0, 1), 1, 0);
  CHECK_NEAR(*rg_dense_lu_right(&dense.lu, 0, 2), 2, 0);
  free(dense.memory);
}

TEST(singular_pivots_are_refused) {
  Dense dense = dense_begin();
  rg_dense_lu_start(&dense.lu, 2);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      rg_dense_lu_at(&dense.lu, i / 3, j / 3)[(i % 3) * dense.lu.width + j % 3] = 1;
  CHECK(!rg_dense_lu_solve(&dense.lu));
  free(dense.memory);
}

// No unknowns, as when every contact is open.
TEST(an_empty_system_is_solved) {
  Dense dense = dense_begin();
  rg_dense_lu_start(&dense.lu, 0);
  CHECK(rg_dense_lu_solve(&dense.lu));
  free(dense.memory);
}
