// The exact one-contact solvers: residual of the law, agreement with a method of another kind,
// special cases.
#include "solve/one/one.h"
#include "sweep/problems.h"
#include "test.h"

typedef struct Block {
  int m;
  double mu, w[4][4], q[4];
} Block;

// Symmetric positive definite: A A' of a random A, plus a little; axes may be stretched to make it
// ill-conditioned.
static Block random_block(uint64_t* seed, int m, double stretch) {
  Block block = {.m = m};
  double a[4][4];
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= m; j++)
      a[i][j] = (2 * made_random(seed) - 1) * (j == 0 ? stretch : 1);
  for (int i = 0; i <= m; i++) {
    for (int j = 0; j <= m; j++)
      for (int k = 0; k <= m; k++)
        block.w[i][j] += a[i][k] * a[j][k];
    block.w[i][i] += 0.05;
    block.q[i] = 2 * made_random(seed) - 1;
  }
  block.mu = 2 * made_random(seed);
  return block;
}

static void velocity(const Block* block, const double r[4], double u[4]) {
  for (int i = 0; i <= block->m; i++) {
    u[i] = block->q[i];
    for (int j = 0; j <= block->m; j++)
      u[i] += block->w[i][j] * r[j];
  }
}

static double norm(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

// Largest violation of Coulomb's law written out: signs, complementarity, cone, direction; in
// velocities relative to q.
static double coulomb_violation(const Block* block, const double r[4]) {
  double u[4] = {0}, size = norm(block->q, block->m + 1), worst, trace = 0;
  velocity(block, r, u);
  for (int i = 0; i <= block->m; i++)
    trace += block->w[i][i];
  worst = fmax(-u[0], -r[0] * trace);
  worst = fmax(worst, fabs(fmin(u[0], r[0] * trace)));
  double slide = norm(u + 1, block->m), tangent = norm(r + 1, block->m),
         room = block->mu * r[0] - tangent;
  worst = fmax(worst, -room * trace);
  worst = fmax(worst, fmin(slide, room * trace));    // sliding inside the cone
  for (int i = 1; i <= block->m && tangent > 0; i++) // u_T = -|u_T| r_T / |r_T|
    worst =
        fmax(worst, fabs(u[i] + slide * r[i] / tangent) * (block->mu * r[0] * trace > size * 1e-9));
  return worst / size;
}

static void solve_cone(Block* block, double r[4]) {
  rgOneBlock one;
  double alpha = 0, zero[4] = {0};
  rg_one_reduce(block->w, block->m, block->mu, &one);
  memcpy(r, zero, sizeof zero);
  rg_one_cone(&one, block->q, r, &alpha);
}

TEST(random_blocks_satisfy_the_law) {
  uint64_t seed = 11;
  int count = test_fast() ? 20000 : 100000, states[3] = {0};
  for (int trial = 0; trial < count; trial++) {
    double stretch = trial % 3 == 0 ? 10 : 1;
    Block block = random_block(&seed, 1 + trial % 3, stretch);
    double r[4];
    solve_cone(&block, r);
    double condition =
        stretch * stretch * 20; // w + 0.05: rounding of the block enters by its condition
    CHECK_MSG(coulomb_violation(&block, r) <= 1e-14 * condition * 10, "m %d mu %g violation %g",
              block.m, block.mu, coulomb_violation(&block, r));
    states[r[0] == 0 ? 0 : norm(r + 1, block.m) < block.mu * r[0] * (1 - 1e-9) ? 1 : 2]++;
  }
  for (int i = 0; i < 3; i++)
    CHECK(states[i] > count / 20); // apart, sticking, slipping all occur
}

// Starting from another impulse, with the velocity that goes with it, gives the same answer: the
// solver sees only q.
TEST(answer_does_not_depend_on_the_present_impulse) {
  uint64_t seed = 12;
  for (int trial = 0; trial < 2000; trial++) {
    Block block = random_block(&seed, 2, 1);
    rgOneBlock one;
    rg_one_reduce(block.w, 2, block.mu, &one);
    if (rg_one_is_prone(&one))
      continue;
    rgVec3 start = made_vector(&seed);
    double r[4], again[4] = {start.x, start.y, -start.z}, u[4], alpha = 1;
    solve_cone(&block, r);
    velocity(&block, again, u);
    rg_one_cone(&one, u, again, &alpha);
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(again[i], r[i], 1e-10);
  }
}

// An independent method: the fixed point of r = P_K(r - rho (u + mu |u_T| n)) by many small steps.
static void fixed_point(const Block* block, double rho, int steps, double r[4]) {
  double u[4];
  memset(r, 0, 4 * sizeof(double));
  for (int k = 0; k < steps; k++) {
    velocity(block, r, u);
    u[0] += block->mu * norm(u + 1, block->m);
    for (int i = 0; i <= block->m; i++)
      r[i] -= rho * u[i];
    rg_cone_project_circular(r, block->m, block->mu);
  }
}

TEST(agrees_with_projected_iteration) {
  uint64_t seed = 13;
  int compared = 0;
  for (int trial = 0; trial < 300; trial++) {
    Block block = random_block(&seed, 1 + trial % 3, 1);
    block.mu *= 0.3; // the iteration needs little friction to contract
    double r[4], slow[4];
    fixed_point(&block, 0.1, 20000, slow);
    if (coulomb_violation(&block, slow) > 1e-9)
      continue;
    solve_cone(&block, r);
    for (int i = 0; i <= block.m; i++)
      CHECK_NEAR(r[i], slow[i], 1e-6);
    compared++;
  }
  CHECK(compared > 250);
}

// A rod leaning so that pushing down its tip drags it along: for mu > 4/3 sliding has no solution
// without an impact.
TEST(painleve_rod_sticks) {
  for (double mu = 1.4; mu < 3; mu += 0.3) {
    Block block = {.m = 1, .mu = mu, .w = {{1.6, 1.2}, {1.2, 3.4}}, .q = {-1e-12, 1}};
    double r[4];
    solve_cone(&block, r);
    CHECK_NEAR(r[0], 0.3, 1e-9);
    CHECK_NEAR(r[1], -0.4, 1e-9);
  }
  Block block = {.m = 1, .mu = 1.2, .w = {{1.6, 1.2}, {1.2, 3.4}}, .q = {-1e-12, 1}};
  double r[4];
  solve_cone(&block, r); // below: slides, and hardly presses
  CHECK(r[0] < 1e-10);
  CHECK(coulomb_violation(&block, r) < 1e-14);
}

TEST(special_cases) {
  Block block = {
      .m = 2, .w = {{2, 0.1, 0.2}, {0.1, 1, 0.3}, {0.2, 0.3, 1.5}}, .q = {-1, 0.5, -0.25}};
  double r[4];
  block.mu = 0;
  solve_cone(&block, r);
  CHECK_NEAR(r[0], 0.5, 1e-15);
  CHECK(r[1] == 0 && r[2] == 0);
  block.mu = 1e9; // sticks: W r = -q
  solve_cone(&block, r);
  double u[4];
  velocity(&block, r, u);
  CHECK_NEAR(norm(u, 3), 0, 1e-15);
  block.mu = 0.5;
  block.q[0] = 0; // touches without pressing
  solve_cone(&block, r);
  CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
  block.q[0] = -1e-300; // presses with next to nothing
  solve_cone(&block, r);
  CHECK(coulomb_violation(&block, r) < 1e-15);
  block.q[0] = -1;
  block.q[1] = block.q[2] = 0; // nothing to slide for but the coupling
  solve_cone(&block, r);
  CHECK(coulomb_violation(&block, r) < 1e-15);
}

// Spheres: S is a multiple of the identity and w = 0, where r_T = -q_T min(1/S, mu r_n/|q_T|).
TEST(isotropic_block_has_a_closed_form) {
  uint64_t seed = 14;
  for (int trial = 0; trial < 1000; trial++) {
    Block block = {.m = 2, .mu = made_random(&seed), .w = {{1.5, 0, 0}, {0, 4, 0}, {0, 0, 4}}};
    block.q[0] = -made_random(&seed);
    block.q[1] = made_random(&seed) - 0.5;
    block.q[2] = made_random(&seed) - 0.5;
    double r[4], normal = -block.q[0] / 1.5, slide = norm(block.q + 1, 2);
    double factor = fmin(1 / 4.0, block.mu * normal / slide);
    solve_cone(&block, r);
    CHECK_NEAR(r[0], normal, 1e-15);
    CHECK_NEAR(r[1], -factor * block.q[1], 1e-15);
    CHECK_NEAR(r[2], -factor * block.q[2], 1e-15);
  }
}

// A body that can only turn: W has rank 2. The contact still stops (W r = -q on the range), found
// by repetition.
TEST(singular_block_settles) {
  Block block = {.m = 2, .mu = 5, .w = {{1, 0, 0.5}, {0, 1, 0.25}, {0.5, 0.25, 0.3125}}}; // rank 2
  block.q[0] = -1;
  block.q[1] = 0.4;
  block.q[2] = 0.5 * block.q[0] + 0.25 * block.q[1]; // in the range
  rgOneBlock one;
  rg_one_reduce(block.w, 2, block.mu, &one);
  double r[4] = {0}, u[4], alpha = 0;
  for (int k = 0; k < 5; k++) {
    velocity(&block, r, u);
    rg_one_cone(&one, u, r, &alpha);
  }
  velocity(&block, r, u);
  CHECK_NEAR(norm(u, 3), 0, 1e-12);
}

TEST(held_body_takes_no_impulse) {
  double w[4][4] = {{0}};
  rgOneBlock one;
  rg_one_reduce(w, 2, 0.5, &one);
  double r[4] = {1, 1, 1}, u[4] = {-1, 0, 0}, alpha = 0;
  rg_one_cone(&one, u, r, &alpha);
  CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
}

// --- polygons ---

static int fill_corners(rgConeKind kind, int facets, int m, double (*corners)[2]) {
  rgPolygon polygon = rg_polygon(kind, facets);
  if (m == 1) {
    corners[0][1] = corners[1][1] = 0;
    rg_polygon_interval(&polygon, &corners[0][0], &corners[1][0]);
    return 2;
  }
  for (int i = 0; i < facets; i++)
    rg_polygon_corner(&polygon, i, corners[i]);
  return facets;
}

// Signorini, membership, and maximum dissipation: no corner of the section dissipates more than r_T
// does.
static double polygon_violation(const Block* block, int count, const double (*corners)[2],
                                const double r[4]) {
  double u[4] = {0}, size = norm(block->q, 3), worst,
         trace = block->w[0][0] + block->w[1][1] + block->w[2][2];
  velocity(block, r, u);
  worst = fabs(fmin(u[0], r[0] * trace));
  double own = -(u[1] * r[1] + u[2] * r[2]), most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, -block->mu * r[0] * (u[1] * corners[i][0] + u[2] * corners[i][1]));
  worst = fmax(worst, (most - own) * trace / size);
  for (int i = 0; i < count && block->m == 2; i++) {
    const double *d = corners[i], *e = corners[(i + 1) % count];
    double x = r[1] - block->mu * r[0] * d[0], y = r[2] - block->mu * r[0] * d[1];
    worst = fmax(worst, ((e[1] - d[1]) * x - (e[0] - d[0]) * y) * trace);
  }
  if (block->m == 1)
    worst = fmax(worst, fmax(r[1] - block->mu * r[0] * corners[1][0],
                             block->mu * r[0] * corners[0][0] - r[1]) *
                            trace);
  return worst / size;
}

TEST(polygons_satisfy_their_law) {
  uint64_t seed = 15;
  const int sides[] = {3, 4, 8};
  for (int trial = 0; trial < 30000; trial++) {
    rgConeKind kind = trial % 2 ? RG_CONE_INNER : RG_CONE_OUTER;
    int facets = sides[trial % 3], m = trial % 5 == 0 ? 1 : 2;
    Block block = random_block(&seed, m, 1);
    double corners[8][2], r[4] = {0};
    int count = fill_corners(kind, facets, m, corners);
    rg_one_polygon(block.w, m, block.mu, count, (const double(*)[2])corners, block.q, r);
    CHECK_MSG(polygon_violation(&block, count, (const double(*)[2])corners, r) <= 1e-11,
              "%s %d m %d violation %g", rg_cone_kind_name(kind), facets, m,
              polygon_violation(&block, count, (const double(*)[2])corners, r));
  }
}

// With many sides the polygons close in on the disk from both sides.
TEST(polygons_approach_the_disk) {
  uint64_t seed = 16;
  for (int trial = 0; trial < 200; trial++) {
    Block block = random_block(&seed, 2, 1);
    block.mu *= 0.3;
    double exact[4];
    solve_cone(&block, exact);
    for (int kind = RG_CONE_INNER; kind <= RG_CONE_OUTER; kind++) {
      double corners[256][2], r[4] = {0};
      int count = fill_corners((rgConeKind)kind, 256, 2, corners);
      rg_one_polygon(block.w, 2, block.mu, count, (const double(*)[2])corners, block.q, r);
      // the direction of friction is off by at most half a side, 2 pi / 512
      for (int i = 0; i < 3; i++)
        CHECK_NEAR(r[i], exact[i], 0.02 * fmax(exact[0], 1));
    }
  }
}
