// The sparse block LU solves what a dense elimination with pivoting solves: unsymmetric values, any
// block size, any graph, any part of the nodes left out.
#include "base/random.h"
#include "math/block_lu.h"
#include "test.h"

enum { NODES = 20, NUMBERS = NODES * RG_LU_SIZE_MAX };

typedef struct System {
  rgBlockLu lu;
  void* memory;
  int row_start[NODES + 1], column[NODES * NODES];
  double dense[NUMBERS][NUMBERS];
} System;

static double uniform(uint64_t* state) { return rg_random_unit(state) - 0.5; }

// A random graph with about three neighbours per node, each edge named on one side only.
static void build(System* system, int size, uint64_t* seed) {
  memset(system, 0, sizeof *system);
  rgCarver carver = {NULL, 0};
  rg_block_lu_carve(&system->lu, size, NODES, NODES * NODES, &carver);
  rg_block_lu_carve_order(&system->lu, NODES * NODES, &carver);
  system->memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  REQUIRE(system->memory != NULL);
  memset(system->memory, 0xff, carver.used);
  carver = (rgCarver){system->memory, 0};
  rg_block_lu_carve(&system->lu, size, NODES, NODES * NODES, &carver);
  rg_block_lu_carve_order(&system->lu, NODES * NODES, &carver);
  int entries = 0;
  for (int i = 0; i < NODES; i++) {
    system->row_start[i] = entries;
    for (int j = i; j < NODES; j++)
      if (i == j || uniform(seed) > 0.35)
        system->column[entries++] = 100 + j;
  }
  system->row_start[NODES] = entries;
  REQUIRE(rg_block_lu_order(&system->lu, NODES, system->row_start, system->column, 100));
}

static void fill_block(System* system, int i, int j, uint64_t* seed) {
  int n = system->lu.size;
  double* block = rg_block_lu_at(&system->lu, i, j);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double value = uniform(seed) + (i == j && a == b ? 4 : 0);
      block[a * n + b] = value;
      system->dense[i * n + a][j * n + b] = value;
    }
}

static void fill(System* system, uint64_t* seed) {
  rg_block_lu_clear(&system->lu);
  memset(system->dense, 0, sizeof system->dense);
  for (int i = 0; i < NODES; i++)
    for (int k = system->row_start[i]; k < system->row_start[i + 1]; k++) {
      int j = system->column[k] - 100;
      fill_block(system, i, j, seed);
      if (i != j)
        fill_block(system, j, i, seed);
    }
}

// |A x - b| over the nodes that are in the system, with x of the others zero.
static double miss(const System* system, const bool* out, const double* x, const double* b) {
  int n = system->lu.size;
  double worst = 0;
  for (int i = 0; i < NODES * n; i++) {
    if (out[i / n])
      continue;
    double sum = -b[i];
    for (int j = 0; j < NODES * n; j++)
      sum += out[j / n] ? 0 : system->dense[i][j] * x[j];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

TEST(solves_unsymmetric_systems_of_every_block_size) {
  static System system;
  uint64_t seed = 1;
  const bool none[NODES] = {false};
  const int sizes[] = {1, 2, 3, 4, 6};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (int trial = 0; trial < 10; trial++) {
      int size = sizes[s];
      CONTEXT("size %d, trial %d", size, trial);
      build(&system, size, &seed);
      fill(&system, &seed);
      double x[NUMBERS], b[NUMBERS];
      for (int i = 0; i < NODES * size; i++)
        x[i] = b[i] = uniform(&seed);
      REQUIRE(rg_block_lu_factor(&system.lu));
      rg_block_lu_solve(&system.lu, x);
      CHECK_NEAR(miss(&system, none, x, b), 0, 1e-13); // diagonally dominant: rounding only
      free(system.memory);
    }
}

TEST(a_node_left_out_changes_nothing_but_itself) {
  static System system;
  uint64_t seed = 2;
  build(&system, 3, &seed);
  for (int trial = 0; trial < 10; trial++) {
    fill(&system, &seed);
    bool out[NODES];
    double x[NUMBERS], b[NUMBERS];
    for (int i = 0; i < NODES; i++) {
      out[i] = uniform(&seed) > 0;
      if (out[i])
        rg_block_lu_skip(&system.lu, i);
    }
    for (int i = 0; i < NODES * 3; i++)
      x[i] = b[i] = uniform(&seed);
    REQUIRE(rg_block_lu_factor(&system.lu));
    rg_block_lu_solve(&system.lu, x);
    CHECK_NEAR(miss(&system, out, x, b), 0, 1e-13);
    for (int i = 0; i < NODES * 3; i++)
      if (out[i / 3])
        CHECK_BITS(x[i], b[i]);
  }
  free(system.memory);
}

TEST(rows_are_exchanged_inside_a_pivot_block) {
  static System system;
  uint64_t seed = 3;
  build(&system, 2, &seed);
  fill(&system, &seed);
  const double swap[4] = {0, 1, 1, 0};
  double* block = rg_block_lu_at(&system.lu, 0, 0);
  memcpy(block, swap, sizeof swap);
  for (int i = 1; i < NODES; i++)
    rg_block_lu_skip(&system.lu, i);
  double x[NUMBERS] = {3, 5};
  REQUIRE(rg_block_lu_factor(&system.lu));
  rg_block_lu_solve(&system.lu, x);
  CHECK_NEAR(x[0], 5, 0);
  CHECK_NEAR(x[1], 3, 0);
  free(system.memory);
}

TEST(a_singular_pivot_and_a_lack_of_room_are_reported) {
  static System system;
  uint64_t seed = 4;
  build(&system, 3, &seed);
  rg_block_lu_clear(&system.lu);
  CHECK(!rg_block_lu_factor(&system.lu));
  system.lu.block_limit = 3;
  CHECK(!rg_block_lu_order(&system.lu, NODES, system.row_start, system.column, 100));
  free(system.memory);
}

// A chain has no fill: one later neighbour per node.
TEST(the_order_of_a_chain_makes_no_fill) {
  rgBlockLu lu;
  rgCarver carver = {NULL, 0};
  rg_block_lu_carve(&lu, 1, NODES, NODES, &carver);
  rg_block_lu_carve_order(&lu, NODES * NODES, &carver);
  void* memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  REQUIRE(memory != NULL);
  carver = (rgCarver){memory, 0};
  rg_block_lu_carve(&lu, 1, NODES, NODES, &carver);
  rg_block_lu_carve_order(&lu, NODES * NODES, &carver);
  int shuffled[NODES + 1], named[NODES], count = 0;
  for (int node = 0; node < NODES; node++) { // link i of the chain joins nodes 7 i and 7 i + 7
    shuffled[node] = count;
    for (int i = 0; i < NODES - 1; i++)
      if ((i * 7) % NODES == node)
        named[count++] = (i * 7 + 7) % NODES;
  }
  shuffled[NODES] = count;
  REQUIRE(rg_block_lu_order(&lu, NODES, shuffled, named, 0));
  CHECK_INT(lu.block_count, NODES - 1);
  free(memory);
}

// In the order that was found, the pattern that follows from the elimination tree is that of the
// elimination graph.
TEST(a_given_order_has_the_same_pattern) {
  static System found, given;
  for (uint64_t seed = 10; seed < 30; seed++) {
    uint64_t state = seed;
    build(&found, 1, &state);
    state = seed;
    build(&given, 1, &state);
    int start[NODES + 1] = {0}, both[2 * NODES * NODES], count = 0;
    for (int i = 0; i < NODES; i++) {
      start[i] = count;
      for (int j = 0; j < NODES; j++)
        for (int k = found.row_start[j < i ? j : i]; k < found.row_start[(j < i ? j : i) + 1]; k++)
          if (found.column[k] - 100 == (j < i ? i : j))
            both[count++] = j;
    }
    start[NODES] = count;
    REQUIRE(rg_block_lu_order_as(&given.lu, NODES, start, both, found.lu.node));
    CHECK_INT(given.lu.block_count, found.lu.block_count);
    CHECK_BITS(given.lu.products, found.lu.products);
    for (int k = 0; k <= NODES; k++)
      CHECK_INT(given.lu.start[k], found.lu.start[k]);
    for (int k = 0; k < NODES; k++)
      CHECK_INT(given.lu.position[k], found.lu.position[k]);
    for (int k = 0; k < found.lu.block_count; k++)
      CHECK_INT(given.lu.later[k], found.lu.later[k]);
    given.lu.block_limit = found.lu.block_count - 1;
    CHECK(!rg_block_lu_order_as(&given.lu, NODES, start, both, found.lu.node));
    free(found.memory);
    free(given.memory);
  }
}
