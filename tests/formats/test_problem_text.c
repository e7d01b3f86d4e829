// Problems in the text format of Siconos: small files by hand with known entries, the files of the
// collection, round trips to the bit, and messages with their place for what is wrong.
#include "test.h"

#include "support/problem_files.h"
#include "support/random.h"
#include <rigor/rigor.h>

#include <math.h>
#include <stdlib.h>

// --- reading -------------------------------------------------------------------------------------

// W is given column by column: its second number is row 1, column 0.
TEST(dense_matrices_are_read_by_columns) {
  rgProblem* p = parse_problem("2 1 0 2 2 2 2  1 2 3 4  -5 6  0.5");
  CHECK_INT(p->dimension, 2);
  CHECK_INT(p->contact_count, 1);
  CHECK_INT(p->local->block, 2);
  const double w[4] = {1, 3, 2, 4}; // by rows
  for (int i = 0; i < 4; i++)
    CHECK_BITS(p->local->values[i], w[i]);
  CHECK_BITS(p->contacts[0].bias[0], -5.0);
  CHECK_BITS(p->contacts[0].bias[1], 6.0);
  CHECK_BITS(p->contacts[0].mu, 0.5);
  CHECK_INT(p->contacts[0].cone, RG_CONE_DISK);
  free_problem(p);
}

// Two contacts; W = [A B; 0 C] by blocks, the absent block is not stored.
static const char by_blocks[] = "2 2\n1 4 4\n3 2 2\n2 4\n2 4\n3 3\n0 2 3\n0 1 1\n"
                                "0\n1 2 3 4\n1\n5 6 7 8\n2\n9 10 11 12\n"
                                "-1 0 -2 0\n0.3 0\n1\n";

TEST(sparse_blocks_are_read) {
  rgProblem* p = parse_problem(by_blocks);
  const int starts[3] = {0, 2, 3}, columns[3] = {0, 1, 1};
  const double w[12] = {1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12};
  for (int i = 0; i < 3; i++)
    CHECK_INT(p->local->row_start[i], starts[i]);
  for (int i = 0; i < 3; i++)
    CHECK_INT(p->local->column[i], columns[i]);
  for (int i = 0; i < 12; i++)
    CHECK_BITS(p->local->values[i], w[i]);
  CHECK_INT(p->contacts[0].cone, RG_CONE_DISK);
  CHECK_INT(p->contacts[1].cone, RG_CONE_FRICTIONLESS); // mu = 0
  free_problem(p);
}

TEST(triplets_and_compressed_columns_give_the_same_matrix) {
  rgProblem* blocks = parse_problem(by_blocks);
  rgProblem* triplets =
      parse_problem("2 2 2 4 4 0\nCSparse Version 3.1.4\ntriplet: 4-by-4, nzmax: 20 nnz: 12\n"
                    "0 0 : 1\n1 0 : 2\n0 1 : 3\n1 1 : 4\n0 2 : 5\n1 2 : 6\n0 3 : 7\n1 3 : 8\n"
                    "2 2 : 9\n3 2 : 10\n2 3 : 11\n3 3 : 12\n-1 0 -2 0 0.3 0");
  rgProblem* columns = parse_problem(
      "2 2 2 4 4 1\nany words here\n4-by-4, nzmax: 12 nnz: 12, 1-norm: 19\n"
      "  col 0 : locations 0 to 1\n 0 : 1\n 1 : 2\n  col 1 : locations 2 to 3\n 0 : 3\n 1 : 4\n"
      "  col 2 : locations 4 to 7\n 0 : 5\n 1 : 6\n 2 : 9\n 3 : 10\n"
      "  col 3 : locations 8 to 11\n 0 : 7\n 1 : 8\n 2 : 11\n 3 : 12\n-1 0 -2 0 0.3 0");
  check_same_problem(triplets, blocks);
  check_same_problem(columns, blocks);
  free_problem(blocks);
  free_problem(triplets);
  free_problem(columns);
}

// M = diag(2, [4 1; 1 3]), one contact in dimension 2 with H = [1 0; 0 1; 1 0]:
// M^-1 = diag(1/2, [3 -1; -1 4]/11), so W = H' M^-1 H = [1/2 + 4/11, -1/11; -1/11, 3/11].
TEST(global_problems_are_reduced) {
  rgProblem* p = parse_problem("2 1\n0 3 3 3 3  2 0 0  0 4 1  0 1 3\n0 3 2 3 2  1 0 1  0 1 0\n"
                               "2 11 22\n0.25 -0.5\n0.7");
  CHECK_INT(p->body_count, 0);
  const double w[4] = {0.5 + 4 / 11.0, -1 / 11.0, -1 / 11.0, 3 / 11.0};
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(p->local->values[i], w[i], 4e-16);
  // M^-1 f = (1, 1, 7)
  CHECK_NEAR(p->contacts[0].bias[0], 1 + 7 + 0.25, 4e-15);
  CHECK_NEAR(p->contacts[0].bias[1], 1 - 0.5, 4e-15);
  free_problem(p);
}

TEST(linear_complementarity_problems_are_read) {
  rgProblem* p = parse_problem("2\n0\n2\n2\n2 2\n1 2\n3 4\n-5 -6\nsome comment");
  CHECK_INT(p->local->block, 1);
  CHECK_INT(p->contact_count, 2);
  const double m[4] = {1, 3, 2, 4};
  for (int i = 0; i < 4; i++)
    CHECK_BITS(p->local->values[i], m[i]);
  CHECK_BITS(p->contacts[1].bias[0], -6.0);
  CHECK_INT(p->contacts[1].cone, RG_CONE_FRICTIONLESS);
  free_problem(p);
}

// The first words of a linear complementarity problem of size 2 or 3 read like those of a contact
// problem.
TEST(small_lcp_are_not_taken_for_contacts) {
  static const char* const texts[] = {
      "2 1 2 2 2 2 2  1 2  1 2  3 2  0 1 2  0 1  0 5  1 6  -1 -1",
      "3 0 3 3 3 3  1 0 0 0 1 0 0 0 1  -1 -1 -1",
      "2 2 2 2 0\nwords\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 5\n1 1 : 6\n-1 -1",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    CONTEXT("%s", texts[i]);
    rgProblem* p = parse_problem(texts[i]);
    CHECK_INT(p->local->block, 1);
    free_problem(p);
  }
  rgProblem* contact = parse_problem(
      "2 1 2 2 2 0\nwords\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 5\n1 1 : 6\n-1 -1 0.5");
  CHECK_INT(contact->local->block, 2);
  free_problem(contact);
}

TEST(numbers_may_be_written_in_the_ways_of_c) {
  rgProblem* p = parse_problem("2 1 0 2 2 2 2 +1. .5 1.e-1 007 -.25 -0 1E0");
  CHECK_BITS(p->local->values[0], 1.0);
  CHECK_BITS(p->local->values[2], 0.5);
  CHECK_BITS(p->local->values[1], 0.1);
  CHECK_BITS(p->local->values[3], 7.0);
  CHECK_BITS(p->contacts[0].bias[0], -0.25);
  CHECK_BITS(p->contacts[0].bias[1], -0.0);
  CHECK_BITS(p->contacts[0].mu, 1.0);
  free_problem(p);
}

// --- the collection ------------------------------------------------------------------------------

static const struct {
  const char* file;
  int dimension, contacts, block;
  double mu; // of the first contact
} collection[] = {
    {"Rover4613.dat", 3, 5, 3, 0.7},
    {"NESpheres_30_1.dat", 3, 44, 3, 0.8},
    {"OneObject-i100000-499.hdf5.dat", 3, 24, 3, 0.3},
    {"BoxesStack1-i100000-32.hdf5.dat", 3, 52, 3, 0.7},
    {"Confeti-ex03-Fc3D-SBM.dat", 3, 54, 3, 0.4},
    {"Capsules-i101-404.dat", 3, 225, 3, 0.7},
    {"GFC3D_TwoRods1.dat", 3, 3, 3, 0.1},
    {"FrictionContactProblem00071.dat", 2, 89, 2, 0.9},
    {"FrictionContactProblem00237.dat", 2, 376, 2, 0.9},
    {"lcp/lcp_CPS_3.dat", 3, 4, 1, 0},
    {"lcp/lcp_exp_murty.dat", 3, 6, 1, 0},
    {"lcp/lcp_mmc.dat", 3, 26, 1, 0},
    {"lcp/lcp_ortiz.dat", 3, 4, 1, 0},
    {"lcp/lcp_tobenna.dat", 3, 40, 1, 0},
};

static rgProblem* read_shared(const char* name) {
  char path[256];
  snprintf(path, sizeof path, "data/problems/%s", name);
  return read_problem(test_shared(path));
}

TEST(the_collection_is_read) {
  for (size_t i = 0; i < sizeof collection / sizeof *collection; i++) {
    CONTEXT("%s", collection[i].file);
    test_state.path_count = 0;
    rgProblem* p = read_shared(collection[i].file);
    CHECK_INT(p->dimension, collection[i].dimension);
    CHECK_INT(p->contact_count, collection[i].contacts);
    CHECK_INT(p->local->block, collection[i].block);
    CHECK_NEAR(p->contacts[0].mu, collection[i].mu, 1e-16);
    free_problem(p);
  }
}

// Whole numbers of a matrix that its file shows row by row are its columns.
TEST(the_bimatrix_game_has_its_matrix) {
  rgProblem* p = read_shared("lcp/lcp_CPS_3.dat");
  CHECK_BITS(matrix_entry(p, 2, 0), 10.0);
  CHECK_BITS(matrix_entry(p, 3, 0), 30.0);
  CHECK_BITS(matrix_entry(p, 3, 1), 15.0);
  CHECK_BITS(matrix_entry(p, 0, 0), 0.0);
  free_problem(p);
}

// --- mixed and relay problems ---------------------------------------------------------------------

enum { MIXED_MAX = 12 };

// A problem with a known solution: x of any sign with w = 0 for the first n unknowns, z or w zero for
// the m others, or with bounds. M is far from symmetric, with positive principal minors.
typedef struct Known {
  int n, m;
  double matrix[MIXED_MAX][MIXED_MAX], q[MIXED_MAX], x[MIXED_MAX];
  double lower[MIXED_MAX], upper[MIXED_MAX]; // of a relay problem
} Known;

static Known make_known(int n, int m, bool relay) {
  Known k = {.n = n, .m = m};
  int count = n + m;
  double w[MIXED_MAX];
  for (int i = 0; i < count; i++) {
    double sum = 0;
    for (int j = 0; j < count; j++) {
      k.matrix[i][j] = i == j ? 0 : random_between(-1, 1);
      sum += fabs(k.matrix[i][j]);
    }
    k.matrix[i][i] = sum + 0.5;
    k.lower[i] = random_between(-2, -1);
    k.upper[i] = random_between(1, 2);
    int state = i % 3; // at the lower bound, between, at the upper bound of a relay
    w[i] = i < n || state == 1 ? 0 : state == 0 || !relay ? random_between(0.1, 1) : -1;
    k.x[i] = i < n || (relay && state == 1) ? random_between(-0.9, 0.9) : 0;
    if (!relay && i >= n)
      k.x[i] = w[i] == 0 ? random_between(0.1, 1) : 0;
    else if (relay && state != 1)
      k.x[i] = state == 0 ? k.lower[i] : k.upper[i];
  }
  for (int i = 0; i < count; i++) {
    k.q[i] = w[i];
    for (int j = 0; j < count; j++)
      k.q[i] -= k.matrix[i][j] * k.x[j];
  }
  return k;
}

static size_t add_number(char* text, size_t used, double x) {
  return used + (size_t)sprintf(text + used, "%.17g ", x);
}

// M, dense and by columns.
static size_t add_matrix(const Known* k, char* text, size_t used) {
  int count = k->n + k->m;
  used += (size_t)sprintf(text + used, "0 %d %d %d %d ", count, count, count, count);
  for (int j = 0; j < count; j++)
    for (int i = 0; i < count; i++)
      used = add_number(text, used, k->matrix[i][j]);
  return used;
}

static size_t add_part(const Known* k, char* text, size_t used, int row, int rows, int column,
                       int columns) {
  for (int i = row; i < row + rows; i++)
    for (int j = column; j < column + columns; j++)
      used = add_number(text, used, k->matrix[i][j]);
  return used;
}

static void write_mixed(const Known* k, bool first_form, char* text) {
  int n = k->n, m = k->m;
  size_t used = (size_t)sprintf(text, "%d %d\n%d %d\n", first_form, !first_form, n, m);
  if (first_form) {
    used += (size_t)sprintf(text + used, "0 %d %d\n0 1\n", n, n + m);
    used = add_matrix(k, text, used);
  } else {
    used = add_part(k, text, used, 0, n, 0, n);
    used = add_part(k, text, used, n, m, n, m);
    used = add_part(k, text, used, 0, n, n, m);
    used = add_part(k, text, used, n, m, 0, n);
  }
  for (int i = 0; i < n + m; i++)
    used = add_number(text, used, k->q[i]);
}

static void write_relay(const Known* k, char* text) {
  size_t used = (size_t)sprintf(text, "%d ", k->m);
  used = add_matrix(k, text, used);
  const double* vectors[3] = {k->q, k->lower, k->upper};
  for (int v = 0; v < 3; v++)
    for (int i = 0; i < k->m; i++)
      used = add_number(text, used, vectors[v][i]);
}

static void check_known(const char* text, const Known* k, const char* solver) {
  rgProblem* problem = parse_problem(text);
  int count = k->n + k->m;
  CHECK_INT(problem->contact_count, 0);
  CHECK_INT(problem->row_count, count);
  double v[MIXED_MAX] = {0}, r[4] = {0}, lambda[MIXED_MAX] = {0};
  rgSolution solution = {v, r, lambda};
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message = {""};
  void* work = malloc(rg_solve_work_size(problem, solver));
  rgStatus status = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s: %s %s", solver, rg_status_name(status), message.text);
  for (int i = 0; i < count; i++)
    CHECK_NEAR(lambda[i], k->x[i], strcmp(solver, "mixed") == 0 ? 1e-11 : 1e-6);
  free(work);
  free_problem(problem);
}

// Both forms of mixed problems and relay problems are read as rows with bounds, whose solution is the
// one that the problem was made with: pivoting finds it to rounding.
TEST(mixed_and_relay_problems_have_their_solutions) {
  static const char* const solvers[] = {"mixed", "auto"};
  static char text[1 << 14];
  random_state = 11;
  for (int round = 0; round < 60; round++)
    for (int s = 0; s < 2; s++) {
      int n = round % 5, m = 1 + round % 7;
      CONTEXT("round %d, %d equations, %d complementary, %s", round, n, m, solvers[s]);
      Known k = make_known(n, m, false);
      write_mixed(&k, true, text);
      check_known(text, &k, solvers[s]);
      write_mixed(&k, false, text);
      check_known(text, &k, solvers[s]);
      k = make_known(0, 2 + round % 9, true);
      write_relay(&k, text);
      check_known(text, &k, solvers[s]);
    }
}

// What follows q in a linear complementarity problem: a comment, or a first guess of n numbers.
TEST(what_follows_a_complementarity_problem_does_not_make_it_a_relay_problem) {
  const char* ends[] = {"", "a comment of six words, of numbers", "0.5 0.5", "0 0 and 0 1"};
  for (int i = 0; i < 4; i++) {
    char text[128];
    snprintf(text, sizeof text, "2 0 2 2 2 2 2 0 0 2 -1 -1 %s", ends[i]);
    CONTEXT("%s", text);
    rgProblem* problem = parse_problem(text);
    CHECK_INT(problem->contact_count, 2);
    free_problem(problem);
  }
}

// --- round trips ---------------------------------------------------------------------------------

TEST(the_collection_survives_to_the_bit) {
  static const rgProblemFormat formats[] = {RG_PROBLEM_TEXT, RG_PROBLEM_JSON};
  for (size_t i = 0; i < sizeof collection / sizeof *collection; i++)
    for (int f = 0; f < 2; f++) {
      CONTEXT("%s as %s", collection[i].file, rg_problem_format_name(formats[f]));
      test_state.path_count = 0;
      rgProblem* p = read_shared(collection[i].file);
      rgProblem* again = rewrite_problem(p, formats[f]);
      check_same_problem(again, p);
      free_problem(p);
      free_problem(again);
    }
}

TEST(problems_with_bodies_have_the_same_solution_in_local_and_global_form) {
  check_exported_solutions(RG_PROBLEM_TEXT);
  check_exported_solutions(RG_PROBLEM_TEXT_GLOBAL);
}

TEST(what_the_format_cannot_hold_is_refused) { check_export_refusals(RG_PROBLEM_TEXT); }

// --- messages ------------------------------------------------------------------------------------

static void check_refused(const char* text, const char* expected) {
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgMessage message = {""};
  CONTEXT("%s", text);
  CHECK_INT(rg_problem_parse(text, strlen(text), "p.dat", &allocator, &problem, &message),
            RG_ERROR_INPUT);
  CHECK(problem == NULL);
  CHECK_STR(message.text, expected);
}

TEST(malformed_files_have_messages_with_their_place) {
  check_refused("", "p.dat:1:1: the file is empty, must be a problem: JSON, text or FCLIB");
  check_refused("4 1", "p.dat:1:1: the dimension is '4', must be a whole number from 2 to 3");
  check_refused("3", "p.dat:1:2: unexpected end of file, expected the number of contacts");
  check_refused("3\n-1", "p.dat:2:1: the number of contacts is '-1', must be a whole number from 0 "
                         "to 536870911");
  check_refused("3 1\n7 3 3", "p.dat:2:1: W: storage (0 dense, 1 blocks, 2 sparse) is '7', "
                              "must be a whole number from 0 to 2");
  check_refused("2 1 0 2 2 2 3", "p.dat:1:13: W: columns is '3', must be 2");
  check_refused("2 1 0 99999 99999 99999 99999 1",
                "p.dat:1:30: M has 9999800001 entries here, more than the rest of the file "
                "can hold");
  check_refused("2 1 0 2 2 2 2 1 2\n3 4 nan 6 1", "p.dat:2:5: q[0] is 'nan', must be a finite "
                                                  "number");
  check_refused("2 1 0 2 2 2 2 1 2\nx 4 5 6 1",
                "p.dat:2:1: W(0, 1) is 'x', must be a finite number");
  check_refused("2 1 0 2 2 2 2 1 2 3 4 5 6 -1", "p.dat:1:27: mu[0] is -1, must be >= 0");
  check_refused("2 1 0 2 2 2 2 1 2 3 4 5",
                "p.dat:1:22: q has 2 numbers, more than the rest of the file can hold");
  check_refused("2 1 0 2 2 2 2 1 2 3 4 5 66",
                "p.dat:1:27: mu has 1 numbers, more than the rest of the file can hold");
  check_refused("2 2 0 2 2 2 2 1 2 3 4 5 6 1",
                "p.dat:1:5: the matrix is 2 x 2, must be 4 x 4 (W), or square and followed by the "
                "matrix H (M)");
  check_refused("2 1\n0 1 1 1 1 0\n0 1 2 1 2 1 1\n1 1 1 0.5",
                "p.dat: M is singular at row 0, must be invertible");
}

TEST(malformed_blocks_and_triplets_have_messages) {
  check_refused("2 2 1 4 4 3 2 2 2 5", "p.dat:1:19: W: end of block row[1] is '5', must be "
                                       "a whole number from 2 to 4");
  check_refused("2 2 1 4 4 3 2 2 2 3 2 4 3 3 0 2 3 0 1 1",
                "p.dat:1:20: W: the list of block rows ends with 3, must be 4");
  check_refused("2 2 1 4 4 3 2 2 2 4 2 4 3 3 0 2 3 0 2 1",
                "p.dat:1:37: W: index2[1] is '2', must be a whole number from 0 to 1");
  check_refused("2 2 1 4 4 3 2 2 2 4 2 4 3 3 0 2 1 0 1 1",
                "p.dat:1:33: W: index1[2] is '1', must be a whole number from 2 to 3");
  check_refused("2 2 1 4 4 1 2 2 2 4 2 4 2 1 0 1 0 7 1 2 3 4 5 6 7 8 1 1",
                "p.dat:1:35: W: number of the block is '7', must be 0");
  check_refused("2 1 2 2 2 0\nbanner\ntriplet: 2-by-3, nzmax: 1 nnz: 1\n0 0 : 1",
                "p.dat:3:10: W is 2 x 3 here and 2 x 2 above");
  check_refused("2 1 2 2 2 0\nbanner\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1",
                "p.dat:4:3: W: column is '2', must be a whole number from 0 to 1");
  check_refused("2 1 2 2 2 0\nbanner\ntriplet: 2-by-2, nzmax: 1 nnz: 2000000000\n0 1 : 1",
                "p.dat:4:1: W has 2000000000 entries here, more than the rest of the file "
                "can hold");
  check_refused("2 1 2 2 2 0\nbanner\n2-by-2, nzmax: 1 nnz: 1\ncol 0 : locations 0 to 1",
                "p.dat:4:24: W: last location is '1', must be a whole number from -1 to 0");
  check_refused("2 1 2 2 2 0\nbanner\nx", "p.dat:3:1: W: expected 'triplet: R-by-C,' or 'R-by-C,'");
}

TEST(malformed_mixed_and_relay_problems_have_messages) {
  check_refused("1 0 1 1 0 3",
                "p.dat:1:11: the end of block 0 of rows is '3', must be a whole number "
                "from 0 to 2");
  check_refused("1 0 1 1 0 1 2 0 2",
                "p.dat:1:17: the kind of block 1 is '2', must be a whole number "
                "from 0 to 1");
  check_refused("1 0 1 1 0 1 2 0 1 0 1 1 1 1 5 1", "p.dat:1:19: M is 1 x 1, must be 2 x 2");
  check_refused("0 1 1 1 1 2 3 4 5",
                "p.dat:1:18: b has 1 numbers, more than the rest of the file can hold");
  check_refused("1 0 1 1 1 1 4 -1 2 1",
                "p.dat:1:18: lower[0] is 2, must be <= upper[0], which is 1");
}

// Every beginning of a good file is refused with a message and nothing else happens.
TEST(truncated_files_are_refused) {
  rgAllocator allocator = rg_allocator_default();
  size_t whole = strlen(by_blocks) - strlen(" 0\n1\n"); // without the last mu and the flag
  for (size_t length = 0; length < whole; length++) {
    rgProblem* problem;
    rgMessage message = {""};
    CONTEXT("the first %zu bytes", length);
    CHECK_INT(rg_problem_parse(by_blocks, length, "p.dat", &allocator, &problem, &message),
              RG_ERROR_INPUT);
    CHECK(strncmp(message.text, "p.dat:", 6) == 0);
  }
}
