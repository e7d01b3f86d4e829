// The choice among solutions: least norm where nothing slides, the limit of equal compliances where
// something does, and which impulses the problem determines.
#include "math/vec.h"
#include "problem/operator.h"
#include "support/problem_files.h"
#include "sweep/problems.h"
#include "test.h"

static const double TOLERANCE = 1e-10;

// Solves with a solver, and chooses. The certificate must not suffer.
static bool solve_and_choose(Made* m, const char* solver, rgCertificate* certificate) {
  made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = TOLERANCE;
  stop.iteration_limit = 1000000;
  rgSolveReport report;
  CHECK_INT(rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, NULL),
            RG_OK);
  void* work = malloc(rg_solve_choice_size(&m->problem));
  *certificate = report.certificate;
  bool chosen = rg_solve_choose(&m->problem, &m->solution, work, certificate);
  CHECK(certificate->residual <= TOLERANCE);
  rgCertificate again;
  rg_problem_certify(&m->problem, &m->solution, TOLERANCE, &again);
  CHECK(again.residual <= TOLERANCE);
  free(work);
  return chosen;
}

static double norm2(const Made* m) {
  double sum = 0;
  for (int i = 0; i < 4 * m->problem.contact_count; i++)
    sum += m->solution.r[i] * m->solution.r[i];
  return sum;
}

static double largest_difference(const double* a, const double* b, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

// --- least norm ---------------------------------------------------------------------------------

static double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

// The largest part of r in impulses that no body feels: those that are left of a unit impulse when
// the wrenches of all others are taken out of it, found by Gram and Schmidt on the columns of H'.
static double largest_idle_part(const Made* m) {
  int n = 4 * m->problem.contact_count, k = 6 * m->problem.body_count, count = 0;
  double* basis = calloc((size_t)(n * k), sizeof(double));
  for (int j = 0; j < k; j++) {
    double *row = basis + (size_t)count * (size_t)n, *v = calloc((size_t)k, sizeof(double));
    v[j] = 1;
    for (int c = 0; c < m->problem.contact_count; c++) {
      const rgProblemContact* contact = &m->problem.contacts[c];
      rg_contact_relative(contact, rg_body_twist(v, contact->body_a),
                          rg_body_twist(v, contact->body_b), row + 4 * c);
      row[4 * c + 3] = 0; // disks have no torsion
    }
    free(v);
    double before = sqrt(dot(row, row, n));
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < count; i++) {
        const double* other = basis + (size_t)i * (size_t)n;
        double part = dot(row, other, n);
        for (int l = 0; l < n; l++)
          row[l] -= part * other[l];
      }
    double after = sqrt(dot(row, row, n));
    if (after <= 1e-10 * before)
      continue;
    for (int l = 0; l < n; l++)
      row[l] /= after;
    count++;
  }
  double* rest = malloc((size_t)n * sizeof(double));
  memcpy(rest, m->solution.r, (size_t)n * sizeof(double));
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count; i++) {
      const double* row = basis + (size_t)i * (size_t)n;
      double part = dot(rest, row, n);
      for (int l = 0; l < n; l++)
        rest[l] -= part * row[l];
    }
  double idle = sqrt(dot(rest, rest, n) / dot(m->solution.r, m->solution.r, n));
  free(rest);
  free(basis);
  return idle;
}

// Every solver finds the same answer, and no impulse in it is idle.
static void check_least(const char* what, Made (*make)(int), int count) {
  static const char* const solvers[] = {"auto", "nsgs", "newton"};
  for (int k = 1; k <= count; k++) {
    double first = 0;
    for (int s = 0; s < 3; s++) {
      CONTEXT("%s %d, %s", what, k, solvers[s]);
      Made m = make(k);
      rgCertificate certificate;
      CHECK(solve_and_choose(&m, solvers[s], &certificate));
      CHECK_NEAR(largest_idle_part(&m), 0, 1e-10); // rounding of soft modes
      if (s == 0)
        first = norm2(&m);
      CHECK_REL(norm2(&m), first, 1e-9);
      made_free(&m);
    }
  }
}

static Made table(int k) { return made_table(10 * k, 0.2 * k); }
static Made stack(int k) { return made_stack(2 * k, k, 0.5); }
static Made pyramid(int k) { return made_pyramid(1 + k, 0.6); }

TEST(impulses_of_what_rests_have_the_least_norm) {
  check_least("table", table, 4);
  check_least("stack", stack, 5);
  check_least("pyramid", pyramid, 4);
}

// A box that is pushed against a wall with little friction cannot do without contacts at the limit of
// their cones. The least norm is unique there, too.
static Made wedged(uint64_t seed) {
  uint64_t state = seed;
  Made m = made(0.12 + 0.1 * made_random(&state));
  int box = made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 1 + made_random(&state));
  double lean = 0.02 * made_random(&state);
  made_face(&m, box, -1, -0.5, 0.5, -0.5, 0.5, 0);
  m.bodies[box].v_free.linear.x = made_gravity * made_step * (0.05 + lean);
  for (int i = 0; i < 4; i++)
    made_contact(&m, box, -1, v3(0.5, i % 2 ? 0.5 : -0.5, i / 2 ? 0.9 : 0.1), v3(-1, 0, 0));
  return m;
}

TEST(answers_agree_where_friction_is_at_its_limit) {
  int limits = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    CONTEXT("seed %d", (int)seed);
    double norms[2];
    static const char* const solvers[] = {"newton", "nsgs"};
    for (int s = 0; s < 2; s++) {
      Made m = wedged(seed);
      rgCertificate certificate;
      CHECK(solve_and_choose(&m, solvers[s], &certificate));
      norms[s] = norm2(&m);
      for (int i = 0; i < m.problem.contact_count; i++) {
        const double* r = m.solution.r + 4 * i;
        limits += r[0] > 0 && sqrt(r[1] * r[1] + r[2] * r[2]) > 0.999 * m.contacts[i].mu * r[0];
      }
      made_free(&m);
    }
    CHECK_REL(norms[0], norms[1], 1e-7);
  }
  CHECK(limits > 0); // the family has such contacts
}

// --- what slides --------------------------------------------------------------------------------

// A box pushed and spun on its face: normal impulses are linear in the place, which with four
// corners means that those of the diagonals have the same sum.
TEST(normal_impulses_of_what_slides_have_the_least_norm) {
  uint64_t state = 7;
  for (int k = 0; k < 30; k++) {
    Made m = made(0.1 + 0.3 * made_random(&state));
    double a = 0.3 + made_random(&state), b = 0.3 + made_random(&state),
           c = 0.1 + 0.1 * made_random(&state);
    CONTEXT("case %d", k);
    int box = made_box(&m, v3(0, 0, c / 2), a, b, c, 1);
    made_face(&m, box, -1, -a / 2, a / 2, -b / 2, b / 2, 0);
    m.bodies[box].v_free.linear.x = 1;
    m.bodies[box].v_free.linear.y = made_random(&state);
    m.bodies[box].v_free.angular.z = 4 * made_random(&state) - 2;
    rgCertificate certificate;
    CHECK(solve_and_choose(&m, k % 2 ? "auto" : "nsgs", &certificate));
    double sums[2] = {0};
    for (int i = 0; i < 4; i++) {
      rgVec3 arm = m.contacts[i].arm_a;
      sums[arm.x * arm.y > 0] += m.solution.r[4 * i];
    }
    CHECK_REL(sums[0], sums[1], 1e-9);
    made_free(&m);
  }
}

// Solves a problem from a start with normal impulses `start` or 0 by turns, and chooses. Leaves the
// velocities before and after in v, 6 per body each. Returns the scale.
static double solve_from(const rgProblem* problem, double start, double* v) {
  size_t count = 6 * (size_t)problem->body_count;
  Made m = {.problem = *problem};
  made_ready(&m, "auto");
  for (int i = 0; i < problem->contact_count; i += 2)
    m.solution.r[4 * i] = start;
  rgStop stop = rg_stop_default();
  stop.tolerance = TOLERANCE;
  rgSolveReport report;
  CHECK_INT(rg_solve(problem, "auto", NULL, &stop, &m.solution, m.work, &report, NULL), RG_OK);
  memcpy(v, m.solution.v, count * sizeof *v);
  void* work = malloc(rg_solve_choice_size(problem));
  CHECK(rg_solve_choose(problem, &m.solution, work, &report.certificate));
  memcpy(v + count, m.solution.v, count * sizeof *v);
  free(work);
  made_free(&m);
  return report.certificate.scale;
}

// Where redundant contacts slide, two certified answers may have different velocities. After the
// choice they have not.
TEST(velocities_of_what_slides_agree_after_the_choice) {
  static const char* const names[] = {"table.json", "arch.json"};
  double apart = 0;
  for (int k = 0; k < 2; k++) {
    CONTEXT("%s", names[k]);
    char path[1024];
    const char* root = getenv("RIGOR_ROOT");
    snprintf(path, sizeof path, "%s/tests/problems/%s", root ? root : ".", names[k]);
    rgProblem* problem = read_problem(path);
    size_t count = 6 * (size_t)problem->body_count;
    double *one = malloc(2 * count * sizeof *one), *other = malloc(2 * count * sizeof *other);
    double scale = solve_from(problem, 0, one);
    solve_from(problem, 1, other);
    apart = fmax(apart, largest_difference(one, other, count) / scale);
    CHECK_NEAR(largest_difference(one + count, other + count, count) / scale, 0, 1e-8);
    free(one);
    free(other);
    free_problem(problem);
  }
  CHECK_MSG(apart > 1e-6, "before it they differ by %g", apart);
}

// --- freedom ------------------------------------------------------------------------------------

static void freedom_of(Made* m, double* freedom) {
  rgCertificate certificate;
  solve_and_choose(m, "auto", &certificate);
  void* work = malloc(rg_solve_choice_size(&m->problem));
  CHECK(rg_solve_freedom(&m->problem, &m->solution, work, freedom));
  free(work);
}

// A slab on feet at the corners of a regular polygon.
static void add_slab(Made* m, int feet, double x, double turn) {
  int slab = made_box(m, v3(x, 0, 0.5), 1, 1, 0.2, 3);
  for (int i = 0; i < feet; i++)
    made_contact(m, slab, -1,
                 v3(x + 0.4 * rg_cos(turn + 2 * RG_PI * i / feet),
                    0.4 * rg_sin(turn + 2 * RG_PI * i / feet), 0),
                 v3(0, 0, 1));
}

TEST(forces_of_three_legs_without_friction_are_determined) {
  for (int feet = 3; feet <= 8; feet++) {
    CONTEXT("%d feet", feet);
    Made m = made(0);
    add_slab(&m, feet, 0, 0.3 * feet);
    double freedom[8];
    freedom_of(&m, freedom);
    for (int i = 0; i < feet; i++)
      CHECK((freedom[i] > RG_FREEDOM_SEEN) == (feet > 3));
    made_free(&m);
  }
}

// Friction between the feet of one body is a matter of choice; that of a ball on the ground is not.
TEST(freedom_is_told_contact_by_contact) {
  Made m = made(0.5);
  add_slab(&m, 3, 0, 0.1);
  int ball = made_sphere(&m, v3(5, 0, 0.2), 0.2, 1);
  made_contact(&m, ball, -1, v3(5, 0, 0), v3(0, 0, 1));
  m.bodies[ball].v_free.linear.x = 0.01;
  double freedom[4];
  freedom_of(&m, freedom);
  for (int i = 0; i < 4; i++)
    CHECK_MSG((freedom[i] > RG_FREEDOM_SEEN) == (i < 3), "contact %d has the freedom %g", i,
              freedom[i]);
  made_free(&m);
}

// Four corners that slide: how they share the weight is a matter of choice, whatever they slide.
TEST(shares_of_four_sliding_corners_are_a_matter_of_choice) {
  for (int corners = 3; corners <= 5; corners++) {
    CONTEXT("%d corners", corners);
    Made m = made(0.2);
    add_slab(&m, corners, 0, 0.2);
    m.bodies[0].v_free.linear.x = 2;
    m.bodies[0].v_free.angular.z = 3;
    double freedom[8];
    freedom_of(&m, freedom);
    for (int i = 0; i < corners; i++)
      CHECK((freedom[i] > RG_FREEDOM_SEEN) == (corners > 3));
    made_free(&m);
  }
}

// What separates has no impulses at all: each is determined.
TEST(contacts_without_impulses_are_determined) {
  Made m = made(0.5);
  add_slab(&m, 4, 0, 0.2);
  m.bodies[0].v_free.linear.z = 1;
  double freedom[4];
  freedom_of(&m, freedom);
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(freedom[i], 0, 0);
  made_free(&m);
}
