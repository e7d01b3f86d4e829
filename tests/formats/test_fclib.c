// FCLIB files: those of the collection, round trips, solutions written back, and broken files, each
// with a message that names the dataset.
#include "test.h"

#include "base/random.h"
#include "problem/operator.h"
#include "support/chains.h"
#include "support/problem_files.h"
#include <rigor/solver.h>

#ifdef RIGOR_HDF5
static const bool with_hdf5 = true;
#else
static const bool with_hdf5 = false;
#endif

static void need_hdf5(void) {
  if (!with_hdf5)
    SKIP("this build has no HDF5");
}

static const char capsules[] = "data/problems/Capsules-i125-1213.hdf5";
static const char spheres[] = "data/problems/Spheres-i099-356-679.hdf5";

TEST(the_collection_is_read) {
  need_hdf5();
  rgProblem* local = read_problem(test_shared(capsules));
  CHECK_INT(local->dimension, 3);
  CHECK_INT(local->contact_count, 286);
  CHECK_INT(local->local->row_start[286] * 9, 11772); // all its blocks are full
  free_problem(local);
  rgProblem* global = read_problem(test_shared(spheres));
  CHECK_INT(global->contact_count, 356);
  CHECK_INT(global->local->block, 3);
  // M is diagonal and H is made of rotations: W is symmetric up to rounding
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      CHECK_NEAR(matrix_entry(global, i, j), matrix_entry(global, j, i),
                 1e-14 * matrix_entry(global, i, i));
  free_problem(global);
}

TEST(problems_survive_to_the_bit) {
  need_hdf5();
  rgProblem* problem = read_problem(test_shared(capsules));
  rgProblem* again = rewrite_problem(problem, RG_PROBLEM_FCLIB);
  check_same_problem(again, problem);
  free_problem(problem);
  free_problem(again);
  // the global one is kept in its reduced form
  problem = read_problem(test_shared(spheres));
  again = rewrite_problem(problem, RG_PROBLEM_FCLIB);
  check_same_problem(again, problem);
  free_problem(problem);
  free_problem(again);
}

TEST(problems_with_bodies_have_the_same_solution_in_local_and_global_form) {
  need_hdf5();
  check_exported_solutions(RG_PROBLEM_FCLIB);
  check_exported_solutions(RG_PROBLEM_FCLIB_GLOBAL);
}

// A chain of ten rods on ball joints that falls on two posts: thirty constraints.
static Made chain_on_posts(void) {
  Made m = chain_line(10, 3, 2, true);
  m.mu = 0.3;
  made_contact(&m, 4, -1, v3(4.5, 0, -0.1), v3(0, 0, 1));
  made_contact(&m, 8, -1, v3(8.3, 0, -0.1), v3(0, 0, 1));
  m.bodies[8].v_free.linear.y = 0.2;
  m.rows[5].bias = 0.01;
  return m;
}

TEST(joints_become_constraints_of_the_global_form) {
  need_hdf5();
  Made m = chain_on_posts();
  check_exported_solution(&m.problem, RG_PROBLEM_FCLIB_GLOBAL);
  const char* path = test_temporary("rows.hdf5");
  rgMessage message = {""};
  CHECK_INT(rg_problem_write_as(&m.problem, RG_PROBLEM_FCLIB, path, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "30 rows (joints), which only JSON and fclib-global can hold");
  m.rows[7].lower = 0;
  CHECK_INT(rg_problem_write_as(&m.problem, RG_PROBLEM_FCLIB_GLOBAL, path, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "rows[7] has bounds or a compliance, which only JSON can hold");
  made_free(&m);
}

TEST(what_the_format_cannot_hold_is_refused) {
  need_hdf5();
  check_export_refusals(RG_PROBLEM_FCLIB);
}

// --- broken files --------------------------------------------------------------------------------

// A small good file as bytes.
static unsigned char* good_file(rgProblemFormat format, size_t* size) {
  rgProblem* problem = sample_problem();
  const char* path = test_temporary("good.hdf5");
  rgMessage message = {""};
  REQUIRE_INT(rg_problem_write_as(problem, format, path, &message), RG_OK);
  free_problem(problem);
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  unsigned char* bytes = malloc(1 << 20);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  remove(path);
  return bytes;
}

static rgStatus read_bytes(const unsigned char* bytes, size_t size, rgMessage* message) {
  const char* path = test_temporary("broken.hdf5");
  test_state.path_count--;
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fwrite(bytes, 1, size, file);
  fclose(file);
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgStatus status = rg_problem_read(path, &allocator, &problem, message);
  if (status == RG_OK)
    free_problem(problem);
  else
    CHECK(problem == NULL);
  remove(path);
  return status;
}

TEST(truncated_files_are_refused) {
  need_hdf5();
  size_t size;
  unsigned char* bytes = good_file(RG_PROBLEM_FCLIB, &size);
  for (size_t length = 8; length < size; length += 97) {
    rgMessage message = {""};
    CONTEXT("the first %zu of %zu bytes", length, size);
    CHECK_INT(read_bytes(bytes, length, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, "broken.hdf5: not a whole HDF5 file: ");
  }
  free(bytes);
}

// The sample's contacts have mu = 0.2, 0.25, ...: the vector is found in the file by its bytes.
static unsigned char* find_doubles(unsigned char* bytes, size_t size, const double* values,
                                   size_t count) {
  for (size_t i = 0; i + count * sizeof *values <= size; i++)
    if (memcmp(bytes + i, values, count * sizeof *values) == 0)
      return bytes + i;
  REQUIRE(false);
  return NULL;
}

static void check_changed(const double* values, size_t count, double put, const char* expected) {
  size_t size;
  unsigned char* bytes = good_file(RG_PROBLEM_FCLIB, &size);
  memcpy(find_doubles(bytes, size, values, count), &put, sizeof put);
  rgMessage message = {""};
  CHECK_INT(read_bytes(bytes, size, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, expected);
  free(bytes);
}

TEST(numbers_that_cannot_be_are_refused) {
  need_hdf5();
  const double mu[2] = {0.2, 0.2 + 0.05};
  check_changed(mu, 2, -0.2,
                "broken.hdf5: fclib_local/vectors/mu has -0.2 at place 0, must be >= 0");
  check_changed(mu, 2, (double)NAN, "fclib_local/vectors/mu has nan at place 0, must be finite");
}

static void check_changed_ints(const int* values, size_t count, int put, const char* expected) {
  size_t size, wide = count * sizeof *values;
  unsigned char* bytes = good_file(RG_PROBLEM_FCLIB, &size);
  size_t at = 0;
  while (at + wide <= size && memcmp(bytes + at, values, wide) != 0)
    at++;
  REQUIRE(at + wide <= size);
  memcpy(bytes + at, &put, sizeof put);
  rgMessage message = {""};
  CHECK_INT(read_bytes(bytes, size, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, expected);
  free(bytes);
}

// Four contacts that share one body: W is full, 12 x 12, by rows.
TEST(indices_out_of_range_are_refused) {
  need_hdf5();
  const int starts[3] = {0, 12, 24}, columns[4] = {0, 1, 2, 3};
  check_changed_ints(starts, 3, 1, "fclib_local/W/p has 1 at place 0, must be 0 .. 0");
  check_changed_ints(starts + 1, 2, 99999,
                     "fclib_local/W/p has 99999 at place 1, must be 0 .. 144");
  check_changed_ints(columns, 4, 12, "fclib_local/W/i has 12 at place 0, must be 0 .. 11");
  check_changed_ints(columns, 4, -1, "fclib_local/W/i has -1 at place 0, must be 0 .. 11");
}

// On some damaged files the HDF5 library itself loses memory and says so when it ends. That is its
// own: leaks of everything else still count.
const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) { return "leak:libhdf5"; }

// Any byte may be wrong: an error or a problem, and never a crash. HDF5 itself is trusted with the
// file's own structure only as far as this goes.
TEST(flipped_bytes_never_crash) {
  need_hdf5();
  for (int f = 0; f < 2; f++) {
    size_t size;
    unsigned char* bytes = good_file(f ? RG_PROBLEM_FCLIB_GLOBAL : RG_PROBLEM_FCLIB, &size);
    uint64_t random = 12345;
    int tries = test_fast() ? 200 : 2000;
    for (int i = 0; i < tries; i++) {
      rg_random_bits(&random);
      size_t at = (size_t)(random >> 33) % size;
      unsigned char before = bytes[at];
      bytes[at] ^= (unsigned char)(1u << (random >> 30 & 7));
      rgMessage message = {""};
      rgStatus status = read_bytes(bytes, size, &message);
      CHECK(status == RG_OK || message.text[0]);
      bytes[at] = before;
    }
    free(bytes);
  }
}

// --- solutions -----------------------------------------------------------------------------------

// Whether `count` doubles in a row stand somewhere in the file, each to the tolerance.
static bool file_holds(const char* path, const double* values, size_t count, double tolerance) {
  static unsigned char bytes[1 << 20];
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  for (size_t at = 0; at + count * sizeof *values <= size; at++) {
    size_t same = 0;
    for (double value; same < count; same++) {
      memcpy(&value, bytes + at + same * sizeof value, sizeof value);
      if (!(fabs(value - values[same]) <= tolerance))
        break;
    }
    if (same == count)
      return true;
  }
  return false;
}

// Any impulses will do: u, r and v are written as they follow from them.
static void check_solution_written(rgProblemFormat format) {
  rgProblem* bodies = sample_problem();
  const char* path = test_temporary("solved.hdf5");
  rgMessage message = {""};
  REQUIRE_INT(rg_problem_write_as(bodies, format, path, &message), RG_OK);
  rgProblem* problem = read_problem(path);
  double v[16], r[16], motion[12], packed_u[12], packed_r[12];
  for (int i = 0; i < 16; i++)
    r[i] = i % 4 < 3 ? 0.125 * (1 + i) : 0;
  rgSolution solution = {v, r, NULL}, moving = {motion, r, NULL};
  rg_problem_velocity(problem, &solution);
  rg_problem_velocity(bodies, &moving);
  for (int i = 0; i < 12; i++) {
    packed_u[i] = v[i / 3 * 4 + i % 3];
    packed_r[i] = r[i / 3 * 4 + i % 3];
  }
  for (int twice = 0; twice < 2; twice++) { // made, then overwritten
    rgStatus status = rg_problem_write_solution(path, problem, &solution, &message);
    CHECK_MSG(status == RG_OK, "%s", message.text);
    CHECK(file_holds(path, packed_u, 12, 1e-12));
    CHECK(file_holds(path, packed_r, 12, 1e-12));
    if (format == RG_PROBLEM_FCLIB_GLOBAL)
      CHECK(file_holds(path, motion, 12, 1e-12));
  }
  rgProblem* again = read_problem(path); // the problem itself is untouched
  check_same_problem(again, problem);
  free_problem(again);
  free_problem(problem);
  free_problem(bodies);
  remove(path);
}

TEST(solutions_are_written_into_the_file) {
  need_hdf5();
  check_solution_written(RG_PROBLEM_FCLIB);
  check_solution_written(RG_PROBLEM_FCLIB_GLOBAL);
}

// The impulses of constraints follow from those of the contacts.
TEST(solutions_have_the_impulses_of_constraints) {
  need_hdf5();
  Made m = chain_on_posts();
  made_ready(&m, "auto");
  rgStop stop = rg_stop_default();
  stop.tolerance = 1e-12;
  rgSolveReport report;
  rgMessage message = {""};
  rgStatus status =
      rg_solve(&m.problem, "auto", NULL, &stop, &m.solution, m.work, &report, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  const char* path = test_temporary("constraints.hdf5");
  REQUIRE_INT(rg_problem_write_as(&m.problem, RG_PROBLEM_FCLIB_GLOBAL, path, &message), RG_OK);
  rgProblem* local = read_problem(path);
  double u[8];
  rgSolution solution = {u, m.solution.r, NULL};
  rg_problem_velocity(local, &solution);
  REQUIRE_INT(rg_problem_write_solution(path, local, &solution, &message), RG_OK);
  CHECK(file_holds(path, m.solution.lambda, 30, 1e-9));
  CHECK(file_holds(path, m.solution.v, 60, 1e-9));
  free_problem(local);
  remove(path);
  made_free(&m);
}

TEST(solutions_go_into_fclib_files_only) {
  need_hdf5();
  rgProblem* problem = parse_problem("2 1 0 2 2 2 2 1 0 0 1 -1 0 0.5");
  const char* path = test_temporary("solved.dat");
  rgMessage message = {""};
  REQUIRE_INT(rg_problem_write_as(problem, RG_PROBLEM_TEXT, path, &message), RG_OK);
  double v[4] = {0}, r[4] = {0};
  rgSolution solution = {v, r, NULL};
  CHECK_INT(rg_problem_write_solution(path, problem, &solution, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "only FCLIB files hold solutions");
  remove(path);
  free_problem(problem);
}
