// The sparse block factorization solves what a dense elimination solves, in any order of nodes.
#include "base/random.h"
#include "math/block_ldl.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 24, SIZE = NODES * RG_BLOCK };

typedef struct System {
  rgBlockMatrix matrix;
  void* memory;
  double dense[SIZE][SIZE];
} System;

static double uniform(uint64_t* state) { return rg_random_unit(state) - 0.5; }

// J' J for a random J on the nodes a and b, added to the sparse and to the dense matrix.
static void add_coupling(System* system, int a, int b, uint64_t* state) {
  rgBlockMatrix* matrix = &system->matrix;
  double j[3][2 * RG_BLOCK];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2 * RG_BLOCK; k++)
      j[i][k] = uniform(state);
  bool transposed;
  double* block = matrix->lower + rg_block_ldl_find(matrix, a, b, &transposed) * RG_BLOCK_AREA;
  double* at_a = matrix->diagonal + matrix->position[a] * RG_BLOCK_AREA;
  double* at_b = matrix->diagonal + matrix->position[b] * RG_BLOCK_AREA;
  for (int row = 0; row < 2 * RG_BLOCK; row++)
    for (int column = 0; column < 2 * RG_BLOCK; column++) {
      double sum = 0;
      for (int i = 0; i < 3; i++)
        sum += j[i][row] * j[i][column];
      int r = row % RG_BLOCK, c = column % RG_BLOCK;
      bool row_a = row < RG_BLOCK, column_a = column < RG_BLOCK;
      system->dense[RG_BLOCK * (row_a ? a : b) + r][RG_BLOCK * (column_a ? a : b) + c] += sum;
      if (row_a && column_a)
        at_a[r * RG_BLOCK + c] += sum;
      else if (!row_a && !column_a)
        at_b[r * RG_BLOCK + c] += sum;
      else if (row_a != transposed) // the stored block is (a, b), or (b, a) when transposed
        block[r * RG_BLOCK + c] += sum;
    }
}

static void build(System* system, const int (*edges)[2], int edge_count, uint64_t seed) {
  memset(system, 0, sizeof *system);
  rgCarver carver = {NULL, 0};
  rg_block_ldl_carve(&system->matrix, NODES, 3 * NODES, NODES * NODES, &carver);
  system->memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  REQUIRE(system->memory != NULL);
  carver = (rgCarver){system->memory, 0};
  rg_block_ldl_carve(&system->matrix, NODES, 3 * NODES, NODES * NODES, &carver);
  REQUIRE(rg_block_ldl_order(&system->matrix, edges, edge_count));
  rg_block_ldl_clear(&system->matrix);
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < RG_BLOCK; k++) {
      system->matrix.diagonal[i * RG_BLOCK_AREA + k * (RG_BLOCK + 1)] = 1;
      system->dense[RG_BLOCK * i + k][RG_BLOCK * i + k] = 1;
    }
  for (int i = 0; i < edge_count; i++)
    add_coupling(system, edges[i][0], edges[i][1], &seed);
}

// The answer times the dense matrix must give the right-hand side back. The matrix is 1 plus a sum
// of squares of size about 1, so rounding stays near 1e-15.
static void check_solve(System* system, uint64_t seed) {
  double b[SIZE], x[SIZE], scratch[SIZE];
  for (int i = 0; i < SIZE; i++)
    b[i] = x[i] = uniform(&seed);
  REQUIRE(rg_block_ldl_factor(&system->matrix));
  rg_block_ldl_solve(&system->matrix, x, scratch);
  for (int i = 0; i < SIZE; i++) {
    double sum = 0;
    for (int k = 0; k < SIZE; k++)
      sum += system->dense[i][k] * x[k];
    CHECK_NEAR(sum, b[i], 1e-12);
  }
  free(system->memory);
}

TEST(chain_has_no_fill) {
  static System system;
  int edges[NODES - 1][2];
  for (int i = 0; i < NODES - 1; i++) { // a chain whose nodes are numbered out of order
    edges[i][0] = (7 * i) % NODES;
    edges[i][1] = (7 * (i + 1)) % NODES;
  }
  build(&system, (const int(*)[2])edges, NODES - 1, 1);
  CHECK_INT(system.matrix.block_count, NODES - 1);
  check_solve(&system, 2);
}

TEST(star_is_eliminated_from_its_ends) {
  static System system;
  int edges[NODES - 1][2];
  for (int i = 0; i < NODES - 1; i++) {
    edges[i][0] = 0;
    edges[i][1] = i + 1;
  }
  build(&system, (const int(*)[2])edges, NODES - 1, 3);
  CHECK_INT(system.matrix.block_count, NODES - 1);
  check_solve(&system, 4);
}

TEST(random_graphs_are_solved) {
  static System system;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    CONTEXT("seed %d", (int)seed);
    int edges[3 * NODES][2], count = 0;
    uint64_t state = seed;
    for (int i = 0; i < 3 * NODES; i++) {
      int a = (int)((uniform(&state) + 0.5) * NODES), b = (int)((uniform(&state) + 0.5) * NODES);
      if (a == b)
        continue;
      edges[count][0] = a;
      edges[count++][1] = b;
    }
    build(&system, (const int(*)[2])edges, count, seed);
    check_solve(&system, seed + 100);
  }
}

TEST(a_factor_without_room_is_refused) {
  rgBlockMatrix matrix;
  rgCarver carver = {NULL, 0};
  rg_block_ldl_carve(&matrix, 4, 6, 3, &carver);
  void* memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  REQUIRE(memory != NULL);
  carver = (rgCarver){memory, 0};
  rg_block_ldl_carve(&matrix, 4, 6, 3, &carver);
  int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}; // all six pairs
  CHECK(!rg_block_ldl_order(&matrix, (const int(*)[2])edges, 6));
  free(memory);
}

TEST(an_indefinite_matrix_is_refused) {
  static System system;
  int edges[1][2] = {{0, 1}};
  build(&system, (const int(*)[2])edges, 1, 5);
  system.matrix.diagonal[0] = -1;
  CHECK(!rg_block_ldl_factor(&system.matrix));
  free(system.memory);
}
