// problem_files.c - what tests of problem files share.
#include "support/problem_files.h"

#include "io/problem/problem_file.h"
#include "problem/operator.h"
#include "test.h"
#include <rigor/solver.h>

static rgAllocator heap(void) { return rg_allocator_default(); }

rgProblem* parse_problem(const char* text) {
  rgAllocator allocator = heap();
  rgProblem* problem;
  rgMessage message = {""};
  rgStatus status =
      rg_problem_parse(text, strlen(text), "text.dat", &allocator, &problem, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return problem;
}

rgProblem* read_problem(const char* path) {
  rgAllocator allocator = heap();
  rgProblem* problem;
  rgMessage message = {""};
  rgStatus status = rg_problem_read(path, &allocator, &problem, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return problem;
}

rgProblem* rewrite_problem(const rgProblem* problem, rgProblemFormat format) {
  const char* path = test_temporary("again");
  rgMessage message = {""};
  rgStatus status = rg_problem_write_as(problem, format, path, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rgProblem* again = read_problem(path);
  remove(path);
  return again;
}

void free_problem(rgProblem* problem) {
  rgAllocator allocator = heap();
  rg_problem_free(problem, &allocator);
}

double matrix_entry(const rgProblem* problem, int i, int j) {
  const rgLocalMatrix* w = problem->local;
  for (int k = w->row_start[i / w->block]; k < w->row_start[i / w->block + 1]; k++)
    if (w->column[k] == j / w->block)
      return w->values[k * w->block * w->block + i % w->block * w->block + j % w->block];
  return 0;
}

void check_same_problem(const rgProblem* a, const rgProblem* b) {
  const rgLocalMatrix *v = a->local, *w = b->local;
  REQUIRE(v && w);
  REQUIRE_INT(a->contact_count, b->contact_count);
  REQUIRE_INT(v->block, w->block);
  CHECK_INT(a->dimension, b->dimension);
  REQUIRE_INT(a->row_count, b->row_count);
  int n = a->contact_count, nodes = n + a->row_count;
  REQUIRE(memcmp(v->row_start, w->row_start, (size_t)(nodes + 1) * sizeof(int)) == 0);
  size_t blocks = (size_t)v->row_start[nodes], numbers = rg_local_number_count(a);
  REQUIRE(numbers == rg_local_number_count(b));
  CHECK(memcmp(v->column, w->column, blocks * sizeof(int)) == 0);
  CHECK(memcmp(v->values, w->values, numbers * sizeof(double)) == 0);
  for (int i = 0; i < n; i++) {
    CHECK(memcmp(a->contacts[i].bias, b->contacts[i].bias, sizeof a->contacts[i].bias) == 0);
    CHECK_BITS(a->contacts[i].mu, b->contacts[i].mu);
    CHECK_INT(a->contacts[i].cone, b->contacts[i].cone);
  }
}

rgProblem* sample_problem(void) {
  rgAllocator allocator = heap();
  rgProblemSize size = {.bodies = 2, .contacts = 4};
  rgProblem* problem = rg_problem_allocate(&size, &allocator);
  REQUIRE(problem != NULL);
  rgProblemBody* body = rg_mutable(problem->bodies);
  body[0] = (rgProblemBody){0.5, m3_diag(0.3, 0.4, 0.5), {{0.7, -0.2, -0.5}, {0.1, 0.3, -0.4}}};
  body[1] = (rgProblemBody){4, m3_diag(9, 9, 9), {{-0.3, 0.4, -1.5}, {2, -1, 0.5}}};
  body[0].inverse_inertia.m[0][1] = body[0].inverse_inertia.m[1][0] = 0.05;
  rgProblemContact* contact = rg_mutable(problem->contacts);
  for (int i = 0; i < 4; i++) {
    bool foot = i < 3;
    double x = i == 0 ? 0.5 : -0.5, y = 0.4 * (i - 1);
    contact[i] = (rgProblemContact){.body_a = foot ? 0 : 1,
                                    .body_b = foot ? -1 : 0,
                                    .n = {0, 0, 1},
                                    .t = {0.6, 0.8, 0},
                                    .o = {-0.8, 0.6, 0},
                                    .arm_a = foot ? v3(x, y, -0.3) : v3(0, 0, -0.2),
                                    .arm_b = foot ? v3_zero() : v3(0.1, -0.05, 0.3),
                                    .bias = {foot ? 0 : 0.1, 0.02, -0.01, 0},
                                    .cone = RG_CONE_DISK,
                                    .mu = 0.2 + 0.05 * i,
                                    .e_t = 1,
                                    .e_o = 1};
  }
  return problem;
}

typedef struct Answer {
  double *v, *r, *u, *lambda; // u has 4 per contact
  rgCertificate certificate;
} Answer;

static Answer solve(const rgProblem* problem) {
  size_t contacts = (size_t)problem->contact_count;
  Answer answer = {.v = calloc(6 * (contacts + (size_t)problem->body_count) + 1, sizeof(double)),
                   .r = calloc(4 * contacts + 1, sizeof(double)),
                   .u = calloc(4 * contacts + 1, sizeof(double)),
                   .lambda = calloc((size_t)problem->row_count + 1, sizeof(double))};
  rgSolution solution = {answer.v, answer.r, answer.lambda};
  rgStop stop = rg_stop_default();
  stop.tolerance = 1e-11;
  void* work = malloc(rg_solve_work_size(problem, "auto"));
  rgSolveReport report;
  rgMessage message = {""};
  rgStatus status = rg_solve(problem, "auto", NULL, &stop, &solution, work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s", message.text);
  answer.certificate = report.certificate;
  for (size_t i = 0; i < contacts; i++)
    if (problem->local)
      memcpy(answer.u + 4 * i, answer.v + 4 * i, 4 * sizeof(double));
    else
      rg_contact_velocity(&problem->contacts[i], answer.v, answer.u + 4 * i);
  free(work);
  return answer;
}

static void drop(Answer* answer) {
  free(answer->v);
  free(answer->r);
  free(answer->u);
  free(answer->lambda);
}

void check_exported_solution(const rgProblem* with_bodies, rgProblemFormat format) {
  rgProblem* without = rewrite_problem(with_bodies, format);
  REQUIRE(without->local != NULL);
  REQUIRE_INT(without->contact_count, with_bodies->contact_count);
  CONTEXT("%s", rg_problem_format_name(format));
  Answer a = solve(with_bodies), b = solve(without);
  // The same problem in other words: the scale of the certificate agrees to rounding, u to the
  // tolerance of both solves over the condition of the problem.
  if (with_bodies->row_count == 0) // rows have a part in it
    CHECK_REL(a.certificate.scale, b.certificate.scale, 1e-13);
  for (int i = 0; i < 4 * with_bodies->contact_count; i++)
    if (i % 4 < 3)
      CHECK_NEAR(a.u[i], b.u[i], 1e-9);
  // Impulses solve the other problem as well.
  rgSolution other = {b.v, a.r, NULL};
  rgCertificate certificate;
  rg_problem_velocity(without, &other);
  rg_problem_certify(without, &other, 1e-10, &certificate);
  CHECK_MSG(certificate.met, "residual %g", certificate.residual);
  drop(&a);
  drop(&b);
  free_problem(without);
}

void check_exported_solutions(rgProblemFormat format) {
  rgProblem* sample = sample_problem();
  check_exported_solution(sample, format);
  free_problem(sample);
}

static void check_refused(const rgProblem* problem, rgProblemFormat format, const char* part) {
  const char* path = test_temporary("refused");
  rgMessage message = {""};
  CHECK_INT(rg_problem_write_as(problem, format, path, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, part);
  FILE* left = fopen(path, "rb");
  CHECK(left == NULL); // nothing was begun
  if (left)
    fclose(left);
}

void check_export_refusals(rgProblemFormat format) {
  rgProblem* problem = sample_problem();
  rgProblemContact* contact = rg_mutable(problem->contacts);
  contact[3].cone = RG_CONE_ELLIPSOID;
  contact[3].e_tau = 0.1;
  check_refused(problem, format, "contacts[3].cone is \"ellipsoid\"");
  contact[3].cone = RG_CONE_OUTER;
  contact[3].facets = 8;
  check_refused(problem, format, "contacts[3].cone is \"outer\"");
  contact[3].cone = RG_CONE_DISK;
  rgProblemRow row = {.body_a = 0, .body_b = 1, .lower = 0, .upper = 1};
  rgProblem joined = *problem;
  joined.rows = &row;
  joined.row_count = 1;
  check_refused(&joined, format, "1 rows (joints)");
  free_problem(problem);
}
