// Lemke's method on plain linear complementarity problems: 0 <= z, M z + q >= 0, both
// perpendicular. Random problems are made such that it is known beforehand whether there is a
// solution.
#include "solve/pivot/lcp.h"
#include "sweep/problems.h"
#include "test.h"

enum { N_MAX = 40 };

typedef struct Lcp {
  int n;
  double m[N_MAX * N_MAX]; // by columns
  double q[N_MAX];
} Lcp;

static double at(const Lcp* lcp, int i, int j) { return lcp->m[j * lcp->n + i]; }

// Largest component of min(z, w) in units in which the diagonal is one, over the largest violation
// of q.
static double residual(const Lcp* lcp, const double* z) {
  double worst = 0, size = 0;
  for (int i = 0; i < lcp->n; i++) {
    double w = lcp->q[i], scale = 0;
    for (int j = 0; j < lcp->n; j++) {
      w += at(lcp, i, j) * z[j];
      scale = fmax(scale, fabs(at(lcp, i, j)));
    }
    scale = at(lcp, i, i) > 0 ? at(lcp, i, i) : scale > 0 ? scale : 1;
    worst = fmax(worst, fabs(fmin(z[i] * sqrt(scale), w / sqrt(scale))));
    size = fmax(size, -lcp->q[i] / sqrt(scale));
  }
  return size > 0 ? worst / size : worst;
}

static rgLcpReport run(const Lcp* lcp, double* z) {
  static _Alignas(64) char work[1 << 17];
  REQUIRE(rg_lcp_lemke_size(lcp->n) <= sizeof work);
  rgLcpReport report;
  rg_lcp_lemke(lcp->n, lcp->m, lcp->q, z, 1000 * (lcp->n + 1), work, &report);
  return report;
}

static double number(uint64_t* seed) { return 2 * made_random(seed) - 1; }

// A' A with A of `rank` rows, plus a skew part: positive semidefinite, so copositive-plus.
static void fill_semidefinite(Lcp* lcp, int rank, double skew, bool integers, uint64_t* seed) {
  double a[N_MAX * N_MAX];
  int n = lcp->n;
  for (int i = 0; i < rank * n; i++) {
    double x = number(seed);
    a[i] = integers ? floor(3 * x + 0.5) : x;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0, s = i == j ? 0 : skew * number(seed);
      if (integers)
        s = floor(s);
      for (int k = 0; k < rank; k++)
        sum += a[k * n + i] * a[k * n + j];
      lcp->m[j * n + i] = sum + s;
      lcp->m[i * n + j] = sum - s;
    }
}

// q = w - M z with z and w complementary: there is a solution. `ties` leaves many of both zero.
static void fill_solvable(Lcp* lcp, bool ties, uint64_t* seed) {
  double z[N_MAX];
  for (int i = 0; i < lcp->n; i++) {
    double x = number(seed), y = made_random(seed);
    lcp->q[i] = x < 0 ? -x : 0;
    z[i] = x > 0 ? x : 0;
    if (ties) {
      lcp->q[i] = y < 0.5 ? 0 : x < 0;
      z[i] = y < 0.5 ? 0 : x > 0;
    }
  }
  for (int j = 0; j < lcp->n; j++)
    for (int i = 0; i < lcp->n; i++)
      lcp->q[i] -= at(lcp, i, j) * z[j];
}

static void check_solved(const Lcp* lcp) {
  double z[N_MAX];
  rgLcpReport report = run(lcp, z);
  CHECK_MSG(report.status == RG_OK, "%s after %d pivots", rg_status_name(report.status),
            report.pivots);
  // rounding, times the condition of the worst basis among thousands
  CHECK_MSG(residual(lcp, z) <= 1e-9, "residual %g after %d pivots", residual(lcp, z),
            report.pivots);
}

TEST(positive_definite_problems_are_solved) {
  uint64_t seed = 1;
  Lcp lcp;
  for (int k = 0; k < 3000; k++) {
    lcp.n = 1 + k % 20;
    fill_semidefinite(&lcp, lcp.n, k % 3 ? 0.5 : 0, false, &seed);
    for (int i = 0; i < lcp.n; i++) {
      lcp.m[i * lcp.n + i] += 0.01;
      lcp.q[i] = number(&seed);
    }
    CONTEXT("problem %d, n = %d", k, lcp.n);
    check_solved(&lcp);
  }
}

TEST(semidefinite_problems_with_a_solution_are_solved) {
  uint64_t seed = 2;
  Lcp lcp;
  for (int k = 0; k < 2000; k++) {
    lcp.n = 2 + k % 19;
    fill_semidefinite(&lcp, 1 + k % lcp.n, k % 3 ? 0.3 : 0, false, &seed);
    fill_solvable(&lcp, false, &seed);
    CONTEXT("problem %d, n = %d", k, lcp.n);
    check_solved(&lcp);
  }
}

// Small integers and many zeros: ties in almost every ratio test.
TEST(degenerate_problems_are_solved_without_cycling) {
  uint64_t seed = 3;
  Lcp lcp;
  for (int k = 0; k < 2500; k++) {
    lcp.n = 2 + k % 19;
    fill_semidefinite(&lcp, 1 + k % lcp.n, k % 2, true, &seed);
    fill_solvable(&lcp, true, &seed);
    CONTEXT("problem %d, n = %d", k, lcp.n);
    check_solved(&lcp);
  }
}

// Numbers >= 0 with a positive diagonal: strictly copositive, solvable for every q; not
// semidefinite.
TEST(copositive_problems_are_solved) {
  uint64_t seed = 4;
  Lcp lcp;
  for (int k = 0; k < 1500; k++) {
    lcp.n = 1 + k % 20;
    for (int i = 0; i < lcp.n * lcp.n; i++)
      lcp.m[i] = k % 2 ? 2 * made_random(&seed) : floor(3 * made_random(&seed));
    for (int i = 0; i < lcp.n; i++) {
      lcp.m[i * lcp.n + i] += 0.5;
      lcp.q[i] = k % 2 ? number(&seed) : floor(3 * number(&seed));
    }
    CONTEXT("problem %d, n = %d", k, lcp.n);
    check_solved(&lcp);
  }
}

// M v = 0 for some v > 0 and q' v < 0: then v' (M z + q) < 0 for every z, and M z + q >= 0 cannot
// be.
TEST(problems_without_a_solution_end_in_a_ray) {
  uint64_t seed = 5;
  Lcp lcp;
  for (int k = 0; k < 1000; k++) {
    int n = lcp.n = 2 + k % 15, rank = 1 + k % (n - 1);
    double a[N_MAX * N_MAX], v[N_MAX], norm2 = 0, product = 0;
    for (int i = 0; i < n; i++) {
      v[i] = 0.1 + made_random(&seed);
      norm2 += v[i] * v[i];
    }
    for (int r = 0; r < rank; r++) {
      double along = 0;
      for (int i = 0; i < n; i++) {
        a[r * n + i] = number(&seed);
        along += a[r * n + i] * v[i];
      }
      for (int i = 0; i < n; i++)
        a[r * n + i] -= along / norm2 * v[i];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        lcp.m[j * n + i] = 0;
        for (int r = 0; r < rank; r++)
          lcp.m[j * n + i] += a[r * n + i] * a[r * n + j];
      }
    for (int i = 0; i < n; i++) {
      lcp.q[i] = number(&seed);
      product += lcp.q[i] * v[i];
    }
    for (int i = 0; i < n; i++) // now q' v = -norm2 / 2
      lcp.q[i] -= (product + 0.5 * norm2) / norm2 * v[i];
    double z[N_MAX];
    CONTEXT("problem %d, n = %d", k, n);
    CHECK_STR(rg_status_name(run(&lcp, z).status), rg_status_name(RG_NO_SOLUTION));
  }
}

// Three equal ratios at every pivot: without a rule for ties the pivots repeat after six
// (Kostreva 1979).
TEST(the_cyclic_problem_of_kostreva_is_solved) {
  Lcp lcp = {.n = 3, .m = {1, 0, 2, 2, 1, 0, 0, 2, 1}, .q = {-1, -1, -1}};
  double z[N_MAX];
  rgLcpReport report = run(&lcp, z);
  CHECK_INT(report.status, RG_OK);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(z[i], 1.0 / 3, 1e-15);
}

// An answer does not depend on the units of unknowns and velocities.
TEST(scaled_problems_have_scaled_answers) {
  uint64_t seed = 6;
  for (int k = 0; k < 100; k++) {
    Lcp a = {.n = 12}, b = {.n = 12};
    fill_semidefinite(&a, 12, 0.2, false, &seed);
    double scale[N_MAX], z[N_MAX], y[N_MAX];
    for (int i = 0; i < a.n; i++) {
      a.q[i] = number(&seed);
      scale[i] = exp(7 * number(&seed)); // six orders of magnitude
    }
    for (int i = 0; i < a.n; i++) {
      b.q[i] = 1e-5 * scale[i] * a.q[i];
      for (int j = 0; j < a.n; j++)
        b.m[j * a.n + i] = scale[i] * at(&a, i, j) * scale[j];
    }
    b.n = a.n;
    CHECK_INT(run(&a, z).status, RG_OK);
    CHECK_INT(run(&b, y).status, RG_OK);
    for (int i = 0; i < a.n; i++)
      CHECK_NEAR(y[i] * scale[i] * 1e5, z[i], 1e-9 * (1 + fabs(z[i])));
  }
}

// The number of multiplications, refactorizations included, per pivot and n^2.
TEST(work_grows_with_pivots_times_n_squared) {
  double per_pivot[5];
  int sizes[5] = {20, 40, 80, 160, 320};
  for (int s = 0; s < 5; s++) {
    uint64_t seed = 7;
    int n = sizes[s];
    double* m = calloc((size_t)n * (size_t)n, sizeof(double));
    double* q = calloc((size_t)n, sizeof(double));
    double* z = calloc((size_t)n, sizeof(double));
    void* work = malloc(rg_lcp_lemke_size(n));
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double x = number(&seed); // diagonally dominant: many pivots, none of them hard
        m[j * n + i] = m[i * n + j] = i == j ? n : x;
      }
    for (int i = 0; i < n; i++)
      q[i] = number(&seed);
    rgLcpReport report;
    CHECK_INT(rg_lcp_lemke(n, m, q, z, 100 * n, work, &report), RG_OK);
    CHECK(report.pivots >= n / 4);
    per_pivot[s] = report.operations / (report.pivots * (double)n * n);
    free(m);
    free(q);
    free(z);
    free(work);
  }
  // solve, residual, correction and update, n k each with k <= n/2 on average, and what the values
  // cost every eight pivots
  for (int s = 0; s < 5; s++)
    CHECK_MSG(per_pivot[s] < 3, "n = %d: %g n^2 per pivot", sizes[s], per_pivot[s]);
  CHECK_MSG(per_pivot[4] < 1.5 * per_pivot[0], "%g n^2 per pivot at n = 320, %g at n = 20",
            per_pivot[4], per_pivot[0]);
}

// n, then the matrix by columns, then q; what follows is comment.
static bool read_lcp(const char* path, Lcp* lcp) {
  FILE* file = fopen(path, "r");
  int storage, rows, columns, again[2];
  bool good = file && fscanf(file, "%d %d %d %d %d %d", &lcp->n, &storage, &rows, &columns,
                             &again[0], &again[1]) == 6;
  good = good && storage == 0 && rows == lcp->n && columns == lcp->n && lcp->n <= N_MAX;
  for (int i = 0; good && i < lcp->n * lcp->n; i++)
    good = fscanf(file, "%lf", &lcp->m[i]) == 1;
  for (int i = 0; good && i < lcp->n; i++)
    good = fscanf(file, "%lf", &lcp->q[i]) == 1;
  if (file)
    fclose(file);
  return good;
}

TEST(published_problems_are_solved) {
  const char* names[] = {"lcp_exp_murty", "lcp_mmc", "lcp_ortiz", "lcp_tobenna"};
  for (int k = 0; k < 4; k++) {
    char name[64];
    snprintf(name, sizeof name, "data/problems/lcp/%s.dat", names[k]);
    Lcp lcp;
    REQUIRE_MSG(read_lcp(test_shared(name), &lcp), "%s", name);
    CONTEXT("%s", name);
    check_solved(&lcp);
  }
}

// A bimatrix game (Cottle, Pang, Stone, example 4.4.23) has a solution, but M_ii = 0 and M >= 0:
// the first z to enter raises no w that is short, which is a ray whatever the covering vector.
TEST(a_bimatrix_game_is_reported_as_a_ray) {
  Lcp lcp;
  REQUIRE(read_lcp(test_shared("data/problems/lcp/lcp_CPS_3.dat"), &lcp));
  double z[N_MAX];
  rgLcpReport report = run(&lcp, z);
  CHECK_INT(report.status, RG_NO_SOLUTION);
  CHECK_INT(report.pivots, 1);
}

// A bimatrix game always has a solution (Nash). M = [0 A; B' 0] with A, B > 0 and q = -1.
TEST(small_bimatrix_games_are_solved_by_their_complementary_sets) {
  static _Alignas(64) char work[1 << 17];
  uint64_t seed = 3;
  for (int round = 0; round < 200; round++) {
    Lcp lcp = {.n = 2 * (1 + round % 6)};
    int half = lcp.n / 2;
    for (int i = 0; i < lcp.n; i++) {
      lcp.q[i] = -1;
      for (int j = 0; j < lcp.n; j++)
        if ((i < half) != (j < half))
          lcp.m[j * lcp.n + i] = 0.1 + made_random(&seed);
    }
    rgCarver carver = {work, 0};
    rgLemke lemke;
    rg_lemke_carve(&lemke, lcp.n, &carver);
    memcpy(lemke.m, lcp.m, (size_t)(lcp.n * lcp.n) * sizeof(double));
    memcpy(lemke.q, lcp.q, (size_t)lcp.n * sizeof(double));
    CONTEXT("round %d, %d unknowns", round, lcp.n);
    CHECK(rg_lemke_enumerate(&lemke));
    CHECK_MSG(residual(&lcp, lemke.z) < 1e-10, "residual %g", residual(&lcp, lemke.z));
  }
}

// z_1 >= 0, -z_1 - 1 >= 0 contradict each other, whatever else there is.
TEST(small_problems_without_a_solution_have_none_among_their_sets) {
  static _Alignas(64) char work[1 << 16];
  uint64_t seed = 5;
  for (int round = 0; round < 50; round++) {
    int n = 1 + round % 8;
    rgCarver carver = {work, 0};
    rgLemke lemke;
    rg_lemke_carve(&lemke, n, &carver);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        lemke.m[j * n + i] = i == 0 ? (j == 0 ? -1 : 0) : i == j ? 3 : number(&seed) / n;
    for (int i = 0; i < n; i++)
      lemke.q[i] = i == 0 ? -1 : number(&seed);
    CHECK(!rg_lemke_enumerate(&lemke));
  }
}
