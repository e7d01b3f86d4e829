// Every solver on every problem it takes: the collection of others, the problems of tests/problems,
// and larger ones made here. The certificate is below 1e-8, or the pair stands in one table with
// the reason; solvers that solve a problem agree on what it determines.
#include "problem/operator.h"
#include "support/chains.h"
#include "sweep/problems.h"
#include "test.h"

#include <dirent.h>

static const double wanted = 1e-8;

// --- what is known not to work -------------------------------------------------------------------

// Pairs that do not meet the tolerance within the default budget, each with its reason. A pair that
// starts to pass must leave the table.
static const struct {
  const char *solver, *problem, *reason;
} exceptions[] = {
    {"nsgs", "OneObject-i100000-499.hdf5.dat", "sweeps stall: 24 contacts on few bodies, rank 49"},
    {"newton", "lcp_tobenna.dat",
     "M is not monotone: the proximal steps have no solution to go to"},
    {"nsgs", "two-bodies.json", "sweeps pass a mass ratio of 1e6 on in 1e6 iterations"},
    {"nsgs", "heavy on light", "sweeps pass a mass ratio of 1e6 on in 1e6 iterations"},
    {"hold", "OneObject-i100000-499.hdf5.dat", "the sweeps of nsgs, which stall"},
    {"hold", "two-bodies.json", "never near rest: the sweeps of nsgs"},
    {"hold", "heavy on light", "never near rest: the sweeps of nsgs"},
    {"cpg", "Capsules-i101-404.dat", "W is singular and symmetric to 6e-4 only: no function falls"},
    {"cpg", "Capsules-i125-1213.hdf5", "W is singular and symmetric to 1e-3 only"},
    {"cpg", "two-bodies.json", "changing shifts restart the slow mode of a mass ratio of 1e6"},
    {"cpg", "wall pushed", "linear convergence while bricks slide: 1.3e-8 after 10000 iterations"},
    {"admm", "lcp_CPS_3.dat", "M is not monotone, which the method asks for"},
    {"admm", "lcp_tobenna.dat", "M is not monotone"},
    {NULL, NULL, NULL},
};

static const char* find_exception(const char* solver, const char* problem) {
  for (int i = 0; exceptions[i].solver; i++)
    if (strcmp(exceptions[i].solver, solver) == 0 && strcmp(exceptions[i].problem, problem) == 0)
      return exceptions[i].reason;
  return NULL;
}

// Problems with more than one velocity: where redundant contacts slide, the split of the normal
// impulses is free, and with it the friction. Shown by two certified answers that differ.
static const char* const ambiguous[] = {
    "lcp_CPS_3.dat", // a game with several equilibria
    "spheres.json",
    "table.json",
    "table-local.dat",
    "wall pushed", // answers with residuals of 1e-13 differ by as much as those of 1e-10
    NULL,
};

static bool is_ambiguous(const char* problem) {
  for (int i = 0; ambiguous[i]; i++)
    if (strcmp(ambiguous[i], problem) == 0)
      return true;
  return false;
}

// --- problems made here --------------------------------------------------------------------------

// A wall of ten rows of ten bricks, each row shifted by half a brick, the upper half pushed along
// the wall and out of it.
static Made wall(double mu, double push) {
  Made m = made(mu);
  const double length = 0.25, height = 0.1, depth = 0.12, mass = 6;
  for (int row = 0; row < 10; row++)
    for (int i = 0; i < 10; i++) {
      double x = length * (i + 0.5 * (row % 2)), z = height * row, half = 0.5 * length;
      int box = made_box(&m, v3(x, 0, z + 0.5 * height), length, depth, height, mass);
      double y = 0.5 * depth;
      if (row >= 5)
        m.bodies[box].v_free.linear = v3_add(m.bodies[box].v_free.linear, v3(push, 0.5 * push, 0));
      if (row == 0) {
        made_face(&m, box, -1, x - half, x + half, -y, y, z);
        continue;
      }
      int left = row % 2 ? i : i - 1, below = box - 10 - i; // below: first brick of the row below
      if (left >= 0)
        made_face(&m, box, below + left, x - half, x, -y, y, z);
      if (left + 1 < 10)
        made_face(&m, box, below + left + 1, x, x + half, -y, y, z);
    }
  return m;
}

static Made wall_at_rest(void) { return wall(0.7, 0); }
static Made wall_pushed(void) { return wall(0.4, 0.3); }
static Made table_at_rest(void) { return made_table(20, 0.5); }
static Made heavy_on_light(void) { return made_stack(2, 1e6, 0.5); }
static Made smooth_pile(void) { return made_pile(5, 5, 5, 0); }
static Made chain(void) { return chain_line(50, 3, 1, true); }

// The chain of fifty rods lying on the ground with its last twenty, hung up at the other end.
static Made chain_on_ground(void) {
  Made m = chain_line(50, 3, 10, true);
  m.mu = 0.5;
  for (int i = 30; i < 50; i++) {
    made_contact(&m, i, -1, v3(i + 0.2, 0, -0.05), v3(0, 0, 1));
    made_contact(&m, i, -1, v3(i + 0.8, 0, -0.05), v3(0, 0, 1));
  }
  return m;
}

static Made with_polygons(Made m, rgConeKind cone, int facets) {
  for (int i = 0; i < m.problem.contact_count; i++) {
    m.contacts[i].cone = cone;
    m.contacts[i].facets = facets;
  }
  return m;
}
static Made octagons(void) { return with_polygons(made_pyramid(4, 0.5), RG_CONE_OUTER, 8); }
static Made squares(void) { return with_polygons(made_pile(3, 3, 2, 0.3), RG_CONE_INNER, 4); }

static const struct {
  const char* name;
  Made (*make)(void);
} made_problems[] = {
    {"wall at rest", wall_at_rest},   {"wall pushed", wall_pushed},
    {"table at rest", table_at_rest}, {"heavy on light", heavy_on_light},
    {"smooth pile", smooth_pile},     {"chain", chain},
    {"outer octagons", octagons},     {"inner squares", squares},
};
enum { MADE_COUNT = sizeof made_problems / sizeof *made_problems };

// --- one problem ---------------------------------------------------------------------------------

typedef struct Answer {
  bool solved;
  double *v, *r, *lambda;
} Answer;

// `seed` 0 starts cold; any other makes normal impulses up to what stops the free motion.
static void warm_start(const rgProblem* problem, uint64_t seed, double* r) {
  double scale = rg_problem_scale(problem);
  for (int c = 0; seed && c < problem->contact_count; c++) {
    double e[4];
    rg_contact_axes(problem, &problem->contacts[c], e);
    double inverse_rho = rg_contact_inverse_rho(problem, &problem->contacts[c], e);
    if (inverse_rho > 0)
      r[4 * c] = made_random(&seed) * scale / inverse_rho;
  }
}

static void solve_from(const rgProblem* problem, const char* solver, double tolerance,
                       uint64_t seed, Answer* answer, rgStatus* status, rgMessage* message) {
  size_t contacts = (size_t)problem->contact_count;
  answer->v = calloc(6 * (size_t)problem->body_count + 4 * contacts + 1, sizeof(double));
  answer->r = calloc(4 * contacts + 1, sizeof(double));
  answer->lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
  warm_start(problem, seed, answer->r);
  rgSolution solution = {answer->v, answer->r, answer->lambda};
  void* work = malloc(rg_solve_work_size(problem, solver));
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  rgSolveReport report;
  *status = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, message);
  rgCertificate certificate = {0};
  if (*status != RG_ERROR_UNSUPPORTED)
    rg_problem_certify(problem, &solution, tolerance, &certificate);
  answer->solved = *status == RG_OK && certificate.met;
  free(work);
}

static void drop(Answer* answer) {
  free(answer->v);
  free(answer->r);
  free(answer->lambda);
}

static void contact_velocity(const rgProblem* problem, int c, const double* v, double u[4]) {
  if (problem->local)
    memcpy(u, v + 4 * (size_t)c, 4 * sizeof *u);
  else
    rg_contact_velocity(&problem->contacts[c], v, u);
}

// The largest difference of a velocity over the largest velocity, free ones included.
static double difference(const rgProblem* problem, const Answer* a, const Answer* b) {
  double largest = rg_problem_scale(problem), d = 0;
  for (int c = 0; c < problem->contact_count; c++) {
    double e[4], u_a[4], u_b[4];
    rg_contact_axes(problem, &problem->contacts[c], e);
    contact_velocity(problem, c, a->v, u_a);
    contact_velocity(problem, c, b->v, u_b);
    for (int k = 0; k < 3; k++)
      if (e[k] > 0) {
        d = fmax(d, fabs(u_a[k] - u_b[k]));
        largest = fmax(largest, fabs(u_a[k]));
      }
  }
  for (int i = 0; i < 6 * problem->body_count && !problem->contact_count; i++)
    d = fmax(d, fabs(a->v[i] - b->v[i])); // rows alone: the velocities of the bodies
  return d == 0 ? 0 : d / largest;
}

static void sweep(const rgProblem* problem, const char* name) {
  for (int s = 0; rg_solver_name(s); s++) {
    const char* solver = rg_solver_name(s);
    const char* reason = find_exception(solver, name);
    Answer answer;
    rgStatus status;
    rgMessage message = {""};
    double start = test_clock();
    solve_from(problem, solver, wanted, 0, &answer, &status, &message);
    double seconds = test_clock() - start;
    CONTEXT("solver %s, problem %s (%.2f s)", solver, name, seconds);
    if (getenv("RIGOR_PRINT_SWEEP"))
      printf("%s | %s | %s | %s | %.2f s\n", solver, name, rg_status_name(status), message.text,
             seconds);
    if (status != RG_ERROR_UNSUPPORTED && !reason)
      CHECK_MSG(answer.solved, "%s: %s", rg_status_name(status), message.text);
    if (reason)
      CHECK_MSG(!answer.solved && status != RG_ERROR_UNSUPPORTED,
                "is listed as not solved (%s), but is now %s: take it off the list", reason,
                answer.solved ? "solved" : "refused");
    drop(&answer);
  }
}

// Answers of one problem, compared with the first of them.
typedef struct Comparison {
  Answer first;
  const char* of; // its solver; NULL = none yet
  double largest; // difference
} Comparison;

static void add_answer(const rgProblem* problem, const char* name, const char* solver,
                       uint64_t seed, Comparison* comparison) {
  Answer answer;
  rgStatus status;
  rgMessage message = {""};
  solve_from(problem, solver, 0.01 * wanted, seed, &answer, &status, &message);
  if (answer.solved && !comparison->of) {
    comparison->first = answer;
    comparison->of = solver;
    return;
  }
  if (answer.solved) {
    double d = difference(problem, &comparison->first, &answer);
    comparison->largest = fmax(comparison->largest, d);
    CONTEXT("%s and %s on %s, start %d", comparison->of, solver, name, (int)seed);
    if (getenv("RIGOR_PRINT_SWEEP"))
      printf("%s and %s on %s, start %d: %g\n", comparison->of, solver, name, (int)seed, d);
    if (!is_ambiguous(name))
      CHECK_MSG(d <= 1e-7, "velocities differ by %g", d);
  }
  drop(&answer);
}

// Solvers that meet a hundredth of the tolerance agree to 1e-7 of the largest velocity, and so does
// one of them from other starts, unless the problem is listed as ambiguous: then two answers differ
// by far more than their residuals.
static void compare(const rgProblem* problem, const char* name) {
  Comparison comparison = {0};
  for (int s = 0; rg_solver_name(s); s++)
    if (!find_exception(rg_solver_name(s), name))
      add_answer(problem, name, rg_solver_name(s), 0, &comparison);
  for (uint64_t seed = 1; seed <= 3 && !test_fast() && !find_exception("auto", name); seed++)
    add_answer(problem, name, "auto", seed, &comparison);
  if (is_ambiguous(name) && !test_fast())
    CHECK_MSG(comparison.largest > 1e-6, "%s is listed as ambiguous, but all answers agree to %g",
              name, comparison.largest);
  drop(&comparison.first);
}

// --- all problems --------------------------------------------------------------------------------

typedef void Visit(const rgProblem* problem, const char* name);

static int is_problem(const struct dirent* entry) {
  const char* ending = strrchr(entry->d_name, '.');
#ifdef RIGOR_HDF5
  if (ending && strcmp(ending, ".hdf5") == 0)
    return 1;
#endif
  return ending && (strcmp(ending, ".dat") == 0 || strcmp(ending, ".json") == 0);
}

static void visit_folder(const char* folder, Visit* visit) {
  struct dirent** entries;
  int count = scandir(folder, &entries, is_problem, alphasort);
  REQUIRE_MSG(count > 0, "%s has no problems", folder);
  rgAllocator allocator = rg_allocator_default();
  for (int i = 0; i < count; i++) {
    char path[TEST_TEXT];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    rgProblem* problem;
    rgMessage message = {""};
    CONTEXT("%s", path);
    rgStatus status = rg_problem_read(path, &allocator, &problem, &message);
    // Short runs take one of three.
    if (CHECK_MSG(status == RG_OK, "%s", message.text) && (!test_fast() || i % 12 == 0))
      visit(problem, entries[i]->d_name);
    rg_problem_free(problem, &allocator);
    free(entries[i]);
  }
  free(entries);
}

static void visit_made(Visit* visit) {
  for (int i = 0; i < MADE_COUNT; i++) {
    Made m = made_problems[i].make();
    visit(&m.problem, made_problems[i].name);
    made_free(&m);
  }
}

static const char own[] = TEST_ROOT "/tests/problems";

TEST(every_solver_on_the_collection) {
  visit_folder(test_shared("data/problems"), sweep);
  visit_folder(test_shared("data/problems/lcp"), sweep);
}

TEST(every_solver_on_our_own_files) { visit_folder(own, sweep); }

TEST(every_solver_on_problems_made_here) { visit_made(sweep); }

TEST(solvers_agree_on_the_collection) {
  visit_folder(test_shared("data/problems"), compare);
  visit_folder(test_shared("data/problems/lcp"), compare);
}

TEST(solvers_agree_on_our_own_files) { visit_folder(own, compare); }

TEST(solvers_agree_on_problems_made_here) { visit_made(compare); }

// The problems made here that tests/problems keeps as files.
TEST(write_problems) {
  const char* folder = getenv("RIGOR_WRITE_PROBLEMS");
  if (!folder)
    SKIP("writes tests/problems/chain.json again when RIGOR_WRITE_PROBLEMS names the folder");
  char path[TEST_TEXT];
  snprintf(path, sizeof path, "%s/chain.json", folder);
  Made m = chain_on_ground();
  rgMessage message = {""};
  CHECK_MSG(rg_problem_write(&m.problem, path, &message) == RG_OK, "%s", message.text);
  made_free(&m);
}
