// The global form without its velocities: W and q against what they are defined by, for matrices M that
// fall into parts, are not symmetric, need pivots and have entries given in pieces.
#include "problem/matrices.h"
#include "support/heap.h"
#include "support/random.h"
#include "test.h"

#include <rigor/base.h>

enum { UNKNOWNS_MAX = 24, CONTACTS_MAX = 6, COLUMNS_MAX = 3 * CONTACTS_MAX, ENTRIES = 2000 };

// A problem with dense copies of its matrices.
typedef struct Case {
  rgProblemData data;
  int n, columns, constraints;
  double m[UNKNOWNS_MAX][UNKNOWNS_MAX], h[UNKNOWNS_MAX][COLUMNS_MAX], g[UNKNOWNS_MAX][2];
  double f[UNKNOWNS_MAX], b[2], q[COLUMNS_MAX], mu[CONTACTS_MAX];
  rgTriplet items[3][ENTRIES];
} Case;

static Case made;

static void put(rgTriplets* to, int row, int column, double value) {
  REQUIRE(to->count < ENTRIES);
  to->items[to->count++] = (rgTriplet){row, column, value};
}

// Adds an entry, often in two pieces, sometimes beside an explicit zero that leads elsewhere.
static void add(rgTriplets* to, int row, int column, double value) {
  double first = random_unit() < 0.3 ? random_between(-1, 1) : 0;
  put(to, row, column, value - first);
  if (first != 0)
    put(to, row, column, first);
  if (random_unit() < 0.1)
    put(to, row, (int)(random_unit() * to->columns), 0);
}

// Unknowns of a part are not neighbours: part p has all i with i % parts == p.
static void make_matrices(Case* c, int parts) {
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < c->n; j++) {
      if (i % parts != j % parts)
        continue;
      // The first two of a part have nothing on their diagonal, so that rows have to be exchanged.
      bool swap = c->n / parts >= 2 && i / parts < 2 && j / parts < 2;
      double large = swap ? (i != j ? 3 : 0) : i == j ? 4 : 0;
      c->m[i][j] = swap && i == j ? 0 : large + random_between(-0.5, 0.5);
      if (c->m[i][j] != 0)
        add(&c->data.matrix, i, j, c->m[i][j]);
    }
  for (int j = 0; j < c->columns; j++)
    for (int i = 0; i < c->n; i++)
      if (random_unit() < 0.4) {
        c->h[i][j] = random_between(-1, 1);
        add(&c->data.h, i, j, c->h[i][j]);
      }
  for (int j = 0; j < c->constraints; j++)
    for (int i = 0; i < c->n; i++) {
      c->g[i][j] = random_between(-1, 1);
      add(&c->data.g, i, j, c->g[i][j]);
    }
}

static void make_case(Case* c, uint64_t seed, int constraints) {
  *c = (Case){0};
  random_state = seed;
  int dimension = 1 + (int)(3 * random_unit()), contacts = 1 + (int)(CONTACTS_MAX * random_unit());
  int parts = 1 + (int)(4 * random_unit());
  c->n = parts * (2 + (int)(4 * random_unit()));
  c->columns = dimension * contacts;
  c->constraints = constraints;
  c->data = (rgProblemData){.dimension = dimension,
                            .contact_count = contacts,
                            .global = true,
                            .matrix = {c->n, c->n, 0, ENTRIES, c->items[0]},
                            .h = {c->n, c->columns, 0, ENTRIES, c->items[1]},
                            .g = {c->n, constraints, 0, ENTRIES, c->items[2]},
                            .f = c->f,
                            .b = c->b,
                            .q = c->q,
                            .mu = c->mu};
  make_matrices(c, parts);
  for (int i = 0; i < c->n; i++)
    c->f[i] = random_between(-1, 1);
  for (int i = 0; i < c->columns; i++)
    c->q[i] = random_between(-1, 1);
  for (int i = 0; i < constraints; i++)
    c->b[i] = random_between(-1, 1);
}

// u = W r + q of the local form that was made.
static void apply_local(const rgProblem* problem, int dimension, const double* r, double* u) {
  const rgLocalMatrix* local = problem->local;
  for (int i = 0; i < problem->contact_count; i++)
    for (int a = 0; a < dimension; a++) {
      double sum = problem->contacts[i].bias[a];
      for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++)
        for (int b = 0; b < dimension; b++)
          sum += local->values[(k * dimension + a) * dimension + b] *
                 r[local->column[k] * dimension + b];
      u[i * dimension + a] = sum;
    }
}

// What v misses of M v = f + H r + G lambda in row i, G lambda left out.
static double missed(const Case* c, const double* r, const double* v, int i) {
  double sum = c->f[i];
  for (int j = 0; j < c->columns; j++)
    sum += c->h[i][j] * r[j];
  for (int j = 0; j < c->n; j++)
    sum -= c->m[i][j] * v[j];
  return sum;
}

// For any r: the velocity solves the equations of the global form, and the local form has its
// velocities at the contacts.
TEST(the_local_form_has_the_velocities_of_the_global_one) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    CONTEXT("case %d", (int)seed);
    make_case(&made, seed, 0);
    rgAllocator allocator = rg_allocator_default();
    rgProblem* problem;
    rgMessage message = {""};
    REQUIRE_MSG(rg_problem_from_data(&made.data, "case", &allocator, &problem, &message) == RG_OK,
                "%s", message.text);
    double r[COLUMNS_MAX], u[COLUMNS_MAX], v[UNKNOWNS_MAX];
    for (int j = 0; j < made.columns; j++)
      r[j] = random_between(-1, 1);
    apply_local(problem, made.data.dimension, r, u);
    REQUIRE(rg_problem_global_velocity(&made.data, "case", &allocator, r, v, &message) == RG_OK);
    // Rounding of systems of at most 24 unknowns with a condition of about 10.
    for (int i = 0; i < made.n; i++)
      CHECK_NEAR(missed(&made, r, v, i), 0, 1e-12);
    for (int j = 0; j < made.columns; j++) {
      double expected = made.q[j];
      for (int i = 0; i < made.n; i++)
        expected += made.h[i][j] * v[i];
      CHECK_NEAR(u[j], expected, 1e-12);
    }
    rg_problem_free(problem, &allocator);
  }
}

// With constraints: the velocity of the bordered problem has G' v + b = 0 and misses the momentum
// balance by G lambda alone, lambda being its last unknowns.
TEST(constraints_hold_in_the_bordered_problem) {
  for (uint64_t seed = 101; seed <= 140; seed++) {
    CONTEXT("case %d", (int)seed);
    make_case(&made, seed, 2);
    rgAllocator allocator = rg_allocator_default();
    rgPool pool = {allocator, NULL};
    rgProblemData bordered;
    REQUIRE(rg_problem_bordered(&made.data, &pool, &bordered));
    rgMessage message = {""};
    rgProblem* problem;
    REQUIRE_MSG(rg_problem_from_data(&made.data, "case", &allocator, &problem, &message) == RG_OK,
                "%s", message.text);
    double r[COLUMNS_MAX], u[COLUMNS_MAX], v[UNKNOWNS_MAX + 2];
    for (int j = 0; j < made.columns; j++)
      r[j] = random_between(-1, 1);
    REQUIRE(rg_problem_global_velocity(&bordered, "case", &allocator, r, v, &message) == RG_OK);
    apply_local(problem, made.data.dimension, r, u);
    double size = 1;
    for (int i = 0; i < made.n + 2; i++)
      size = fmax(size, fabs(v[i]));
    for (int i = 0; i < made.n; i++) {
      double constrained = made.g[i][0] * v[made.n] + made.g[i][1] * v[made.n + 1];
      CHECK_NEAR(missed(&made, r, v, i) + constrained, 0, 1e-11 * size);
    }
    for (int k = 0; k < 2; k++) {
      double rate = made.b[k];
      for (int i = 0; i < made.n; i++)
        rate += made.g[i][k] * v[i];
      CHECK_NEAR(rate, 0, 1e-11 * size);
    }
    for (int j = 0; j < made.columns; j++) {
      double expected = made.q[j];
      for (int i = 0; i < made.n; i++)
        expected += made.h[i][j] * v[i];
      CHECK_NEAR(u[j], expected, 1e-11 * size);
    }
    rg_problem_free(problem, &allocator);
    rg_pool_free(&pool);
  }
}

// Whether two unknowns hang together through entries of M.
static bool hang_together(const Case* from, int one, int other) {
  bool reached[UNKNOWNS_MAX] = {false};
  reached[one] = true;
  for (int pass = 0; pass < from->n; pass++)
    for (int i = 0; i < from->n; i++)
      for (int k = 0; k < from->n; k++)
        if (reached[i] && (from->m[i][k] != 0 || from->m[k][i] != 0))
          reached[k] = true;
  return reached[other];
}

// A part of M with two rows that depend on each other is refused, wherever it is, and the message names a row of it.
TEST(a_singular_part_is_refused) {
  for (uint64_t seed = 201; seed <= 220; seed++) {
    make_case(&made, seed, 0);
    int victim = (int)(made.n * random_unit());
    // Row `victim` becomes twice that of another unknown of its part.
    int like = -1;
    for (int i = 0; i < made.n && like < 0; i++)
      like = i != victim && made.m[victim][i] != 0 ? i : -1;
    REQUIRE(like >= 0);
    rgTriplets* m = &made.data.matrix;
    int count = m->count;
    m->count = 0;
    for (int k = 0; k < count; k++)
      if (m->items[k].row != victim)
        m->items[m->count++] = m->items[k];
    for (int j = 0; j < made.n; j++)
      if (made.m[like][j] != 0)
        put(m, victim, j, 2 * made.m[like][j]);
    put(&made.data.h, victim, 0, 1); // parts that no contact acts on are not looked at
    rgAllocator allocator = rg_allocator_default();
    rgProblem* problem;
    rgMessage message = {""};
    CONTEXT("case %d: %s", (int)seed, message.text);
    CHECK_INT(rg_problem_from_data(&made.data, "case", &allocator, &problem, &message),
              RG_ERROR_INPUT);
    const char* named = strstr(message.text, "singular at row ");
    int row = -1;
    REQUIRE_MSG(named && sscanf(named, "singular at row %d", &row) == 1, "%s", message.text);
    CHECK_MSG(row >= 0 && row < made.n && hang_together(&made, victim, row), "row %d for %d", row,
              victim);
  }
}

// Compressed by rows, entries at the same place are summed and the diagonal is there.
TEST(compressed_rows_are_the_matrix) {
  for (uint64_t seed = 301; seed <= 320; seed++) {
    CONTEXT("case %d", (int)seed);
    make_case(&made, seed, 0);
    rgPool pool = {rg_allocator_default(), NULL};
    rgCompressed rows;
    REQUIRE(rg_triplets_compress(&made.data.matrix, &pool, &rows));
    for (int i = 0; i < made.n; i++) {
      double dense[UNKNOWNS_MAX] = {0};
      bool diagonal = false;
      for (int k = rows.start[i]; k < rows.start[i + 1]; k++) {
        CHECK(k == rows.start[i] || rows.column[k] > rows.column[k - 1]);
        dense[rows.column[k]] = rows.value[k];
        diagonal = diagonal || rows.column[k] == i;
      }
      CHECK(diagonal);
      for (int j = 0; j < made.n; j++)
        CHECK_NEAR(dense[j], made.m[i][j], 1e-15 * 8);
    }
    rg_pool_free(&pool);
  }
}

// Diagonals that are not given are there all the same, however many: a matrix of one entry beside its diagonal.
TEST(compressed_rows_have_diagonals_that_are_not_given) {
  for (int n = 2; n <= 2000; n *= 10) {
    rgTriplet entry = {.row = n - 1, .column = 0, .value = 7};
    rgTriplets matrix = {.items = &entry, .count = 1, .rows = n, .columns = n};
    rgPool pool = {rg_allocator_default(), NULL};
    rgCompressed rows;
    int wrong = 0;
    REQUIRE(rg_triplets_compress(&matrix, &pool, &rows));
    CONTEXT("%d rows", n);
    for (int i = 0; i < n - 1; i++)
      wrong += rows.start[i] != i || rows.column[i] != i || rows.value[i] != 0;
    CHECK_INT(wrong, 0);
    CHECK_INT(rows.start[n - 1], n - 1);
    CHECK_INT(rows.start[n], n + 1);
    CHECK_INT(rows.column[n - 1], 0);
    CHECK_NEAR(rows.value[n - 1], 7, 0);
    CHECK_INT(rows.column[n], n - 1);
    CHECK_NEAR(rows.value[n], 0, 0);
    rg_pool_free(&pool);
  }
}

// Whichever allocation fails: it is answered as such, by name, and everything is given back. With all of them the answer is
// there again, and a mass that is singular is refused by both ways to use it.
TEST(what_lacks_memory_gives_everything_back) {
  for (uint64_t seed = 201; seed <= 212; seed++) {
    make_case(&made, seed, 0);
    double r[COLUMNS_MAX] = {0}, v[UNKNOWNS_MAX];
    int failed = 0;
    for (int way = 0; way < 2; way++) {
      rgStatus status = RG_ERROR_MEMORY;
      for (int k = 0; status != RG_OK; k++) {
        Heap heap = heap_make();
        rgAllocator allocator = heap_allocator(&heap);
        rgMessage message = {""};
        rgProblem* problem = NULL;
        heap.fail_from = k;
        status = way ? rg_problem_from_data(&made.data, "case", &allocator, &problem, &message)
                     : rg_problem_global_velocity(&made.data, "case", &allocator, r, v, &message);
        CONTEXT("case %d, way %d, allocation %d", (int)seed, way, k);
        CHECK_INT(status, heap.calls > k ? RG_ERROR_MEMORY : RG_OK);
        CHECK(status == RG_OK || strncmp(message.text, "case: ", 6) == 0);
        failed += status != RG_OK;
        if (status == RG_OK && way)
          rg_problem_free(problem, &allocator);
        heap_end(&heap);
      }
    }
    CHECK(failed > 6); // each way makes several
    for (int k = 0; k < made.data.matrix.count; k++)
      made.data.matrix.items[k].value = 0;
    rgAllocator allocator = rg_allocator_default();
    rgProblem* problem;
    rgMessage message = {""};
    CHECK_INT(rg_problem_global_velocity(&made.data, "case", &allocator, r, v, &message),
              RG_ERROR_INPUT);
    CHECK(strstr(message.text, "singular") != NULL);
    CHECK_INT(rg_problem_from_data(&made.data, "case", &allocator, &problem, &message),
              RG_ERROR_INPUT);
  }
}
