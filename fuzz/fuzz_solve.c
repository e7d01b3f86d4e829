// fuzz_solve.c - any bytes as a problem, solved by every solver that takes it. Masses, arms, biases,
// friction and bounds are of ordinary sizes, with some that are extreme; contacts and rows repeat, so
// that the problem is singular. Whatever it is:
//
//   - a solver refuses it with a reason, or its answer is certified: the certificate, computed anew,
//     is the one in the report, the velocities are those of the impulses, and a status of success
//     means that the tolerance is met;
//   - an answer is not much worse than its start;
//   - the workspace is as large as was said, and a second solve gives the same bits.
//
// Where numbers are so far apart that squares overflow or vanish, certificates of different sums
// differ: there only the last point holds, and that success means a residual within the tolerance.
#include "calls.h"
#include "checks.h"
#include <rigor/problem.h>
#include <rigor/solver.h>
#include <rigor/vec_math.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { BODIES = 5, CONTACTS = 8, ROWS = 5, SHIFT = 8 };

typedef struct Made {
  rgProblemBody bodies[BODIES];
  rgProblemContact contacts[CONTACTS];
  rgProblemRow rows[ROWS];
  rgProblem problem;
} Made;

typedef struct Answer {
  double v[6 * BODIES + 4 * CONTACTS + ROWS], r[4 * CONTACTS], lambda[ROWS];
} Answer;

// --- the problem ------------------------------------------------------------------------------------

static bool wild; // the problem has numbers whose squares overflow or vanish

// Mostly in [-2, 2]; some are far from it.
static double next_real(Input* in) {
  static const double FAR[] = {0, 1e-300, 1e-12, 1e-6, 1e3, 1e6, 1e12, -1e12, 1e100, -1e155};
  int choice = next_byte(in), count = sizeof FAR / sizeof *FAR;
  double number = choice < count ? FAR[choice] : (choice - 128) / 64.0;
  wild = wild || fabs(number) > 1e50 || (number != 0 && fabs(number) < 1e-50);
  return number;
}

static rgVec3 next_real_vector(Input* in) {
  double x = next_real(in), y = next_real(in), z = next_real(in);
  return (rgVec3){x, y, z};
}

static rgProblemBody make_body(Input* in) {
  rgProblemBody body = {.inverse_mass = fabs(next_real(in))};
  double inertia[3];
  for (int k = 0; k < 3; k++)
    inertia[k] = fabs(next_real(in));
  for (int k = 0; k < 3; k++)
    body.inverse_inertia.m[k][k] = inertia[k];
  body.v_free = (rgTwist){next_real_vector(in), next_real_vector(in)};
  return body;
}

static int next_index(Input* in, int count) { return next_byte(in) % (count + 1) - 1; }

// Another one than `index`, or the problem is refused.
static int next_other_index(Input* in, int count, int index) {
  return (index + 1 + 1 + next_byte(in) % count) % (count + 1) - 1;
}

static rgProblemContact make_contact(Input* in, int bodies, int dimension) {
  rgProblemContact contact = {.body_a = next_index(in, bodies)};
  contact.body_b = next_other_index(in, bodies, contact.body_a);
  rgQuat turn = next_turn(in);
  if (dimension == 2)
    turn = (rgQuat){1, 0, 0, 0};
  contact.n = rg_quat_rotate(turn, (rgVec3){0, 1, 0});
  contact.t = rg_quat_rotate(turn, (rgVec3){-1, 0, 0});
  contact.o = rg_quat_rotate(turn, (rgVec3){0, 0, 1});
  contact.arm_a = next_real_vector(in);
  contact.arm_b = next_real_vector(in);
  for (int k = 0; k < 4; k++)
    contact.bias[k] = next_real(in);
  contact.cone = (rgConeKind)(next_byte(in) % RG_CONE_KIND_COUNT);
  contact.facets = 3 + next_byte(in) % 14;
  contact.mu = fabs(next_real(in));
  contact.e_t = fabs(next_real(in));
  contact.e_o = fabs(next_real(in));
  contact.e_tau = fabs(next_real(in));
  return contact;
}

static rgProblemRow make_row(Input* in, int bodies) {
  rgProblemRow row = {.body_a = next_index(in, bodies), .body_b = next_index(in, bodies)};
  uint8_t choice = next_byte(in);
  row.g_a = (rgTwist){next_real_vector(in), next_real_vector(in)};
  row.g_b = (rgTwist){next_real_vector(in), next_real_vector(in)};
  row.bias = next_real(in);
  row.lower = choice & 1 ? -HUGE_VAL : -fabs(next_real(in));
  bool held = choice & 4 && isfinite(row.lower);
  row.upper = choice & 2 ? HUGE_VAL : held ? row.lower : fabs(next_real(in));
  row.compliance = choice & 8 ? fabs(next_real(in)) : 0;
  return row;
}

static void make_problem(Input* in, Made* made) {
  rgProblem* problem = &made->problem;
  memset(made, 0, sizeof *made);
  uint8_t choice = next_byte(in), sizes = next_byte(in);
  problem->dimension = choice & 1 ? 2 : 3;
  problem->body_count = 1 + sizes % BODIES;
  problem->contact_count = (sizes >> 3) % (CONTACTS + 1);
  problem->row_count = (choice >> 1) % (ROWS + 1);
  for (int i = 0; i < problem->body_count; i++)
    made->bodies[i] = make_body(in);
  // One that repeats the one before it makes the problem singular.
  for (int i = 0; i < problem->contact_count; i++)
    made->contacts[i] = i > 0 && next_byte(in) % 4 == 0
                            ? made->contacts[i - 1]
                            : make_contact(in, problem->body_count, problem->dimension);
  for (int i = 0; i < problem->row_count; i++)
    made->rows[i] =
        i > 0 && next_byte(in) % 4 == 0 ? made->rows[i - 1] : make_row(in, problem->body_count);
  problem->bodies = made->bodies;
  problem->contacts = made->contacts;
  problem->rows = made->rows;
}

// --- the answer -------------------------------------------------------------------------------------

static bool is_same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void check_answer(const rgProblem* problem, const rgSolution* solution, const rgStop* stop,
                         const rgSolveReport* report) {
  rgCertificate judged;
  const rgCertificate* said = &report->certificate;
  require((report->status == RG_OK) == said->met);
  require(!said->met || said->residual <= stop->tolerance);
  if (wild)
    return;
  rg_problem_certify(problem, solution, stop->tolerance, &judged);
  require(is_same_number(judged.residual, said->residual));
  require(judged.met == said->met);
  require(!(judged.residual > 20 * report->start_residual));
  Answer again;
  size_t count = rg_problem_velocity_count(problem);
  rgSolution by_impulses = {again.v, solution->r, solution->lambda};
  rg_problem_velocity(problem, &by_impulses);
  for (size_t i = 0; i < count; i++)
    require(is_same_number(again.v[i], solution->v[i]));
}

// False when the solver does not take such problems.
static bool solve_once(const rgProblem* problem, const char* solver, const char* options,
                       const rgStop* stop, size_t shift, Answer* answer) {
  memset(answer, 0, sizeof *answer);
  rgSolution solution = {answer->v, answer->r, answer->lambda};
  rgSolveReport report;
  rgMessage message = {""};
  // As large as was said, and not aligned.
  size_t size = rg_solve_work_size(problem, solver);
  char* work = malloc(size + shift);
  require(work != NULL);
  rgStatus status =
      rg_solve(problem, solver, options, stop, &solution, work + shift, &report, &message);
  free(work);
  require(status == report.status && (status == RG_OK || message.text[0]));
  if (status == RG_ERROR_UNSUPPORTED)
    return false;
  check_answer(problem, &solution, stop, &report);
  return true;
}

// The choice among solutions keeps what holds, and its measure is one.
static void choose(const rgProblem* problem, const rgStop* stop, Answer* answer) {
  size_t size = rg_solve_choice_size(problem);
  rgSolution solution = {answer->v, answer->r, answer->lambda};
  rgCertificate certificate, judged;
  double freedom[CONTACTS];
  void* work = size ? malloc(size) : NULL;
  if (!work)
    return;
  rg_problem_certify(problem, &solution, stop->tolerance, &certificate);
  bool met = certificate.met;
  rg_solve_choose(problem, &solution, work, &certificate);
  rg_problem_certify(problem, &solution, stop->tolerance, &judged);
  require(wild || (is_same_number(judged.residual, certificate.residual) && (judged.met || !met)));
  if (rg_solve_freedom(problem, &solution, work, freedom))
    for (int i = 0; i < problem->contact_count; i++)
      require(freedom[i] >= 0);
  free(work);
}

// An option that the solver has, at an end of its range, or none.
static const char* option_of(int solver, uint8_t choice) {
  static const char* const OPTIONS[] = {
      "incremental=0", "sparse=0", "first=1",      "momentum=0",   "horizon=5",  "omega=1.9",
      "associated=1",  "sweeps=0", "relaxation=1", "penalty=1e-6", "penalty=1e6"};
  const char* known;
  const char* option = OPTIONS[(choice >> 4) % (sizeof OPTIONS / sizeof *OPTIONS)];
  for (int i = 0; (known = rg_solver_option(solver, i)); i++)
    if (strncmp(known, option, strcspn(option, "=")) == 0)
      return option;
  return NULL;
}

static void solve_by_all(const rgProblem* problem, uint8_t choice) {
  rgStop stop = rg_stop_default();
  stop.iteration_limit = choice & 1 ? ITERATIONS : 300;
  stop.tolerance = choice & 2 ? 1e-4 : 1e-10;
  for (int i = 0; rg_solver_name(i); i++) {
    Answer first, second;
    const char *solver = rg_solver_name(i), *options = option_of(i, choice);
    bool taken = solve_once(problem, solver, options, &stop, 0, &first);
    require(solve_once(problem, solver, options, &stop, SHIFT, &second) == taken);
    require(memcmp(&first, &second, sizeof first) == 0);
    if (taken && choice & 4)
      choose(problem, &stop, &first);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input in = {data, size, 0};
  uint8_t choice = next_byte(&in);
  Made made;
  rgMessage message = {""};
  wild = false;
  make_problem(&in, &made);
  if (rg_problem_check(&made.problem, &message) != RG_OK) {
    require(message.text[0]);
    return 0;
  }
  rgProblem* local = NULL;
  if (choice & 8 && rg_problem_to_local(&made.problem, NULL, &local, &message) != RG_OK) {
    require(message.text[0]);
    return 0;
  }
  solve_by_all(local ? local : &made.problem, choice);
  rg_problem_free(local, NULL);
  return 0;
}
