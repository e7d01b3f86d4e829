// Problem files: the same bits after writing and reading, and messages for what is wrong.
#include "test.h"

#include <rigor/problem.h>

static rgProblemBody body(double seed) {
  return (rgProblemBody){
      .inverse_mass = 1 / (3 + seed),
      .inverse_inertia = {{{1 / 7.0, -0.0, 1e-300}, {0, 0.1, 0}, {1e-300, 0, 5e-324}}},
      .v_free = {{seed / 3, -1e-17, 1e300}, {0.1, 0.2, 0.3}}};
}

static rgProblemContact contact(rgConeKind cone, int a, int b) {
  return (rgProblemContact){.body_a = a,
                            .body_b = b,
                            .n = {0, 0.6, 0.8},
                            .t = {1, 0, 0},
                            .o = {0, 0.8, -0.6},
                            .arm_a = {0.1, 1.0 / 3, 0},
                            .arm_b = {-0.1, 2.0 / 3, 0},
                            .bias = {-0.25, 1e-12, -0.0, 0},
                            .cone = cone,
                            .facets = 5,
                            .mu = 0.7,
                            .e_t = 1,
                            .e_o = 0.5,
                            .e_tau = 0.01};
}

static const rgProblemRow rows[] = {
    {.body_a = 0,
     .body_b = 1,
     .g_a = {{1, 0, 0}, {0, 0, 1.0 / 3}},
     .g_b = {{-1, 0, 0}, {0, 0, 0}},
     .bias = 0.1,
     .lower = -HUGE_VAL,
     .upper = HUGE_VAL},
    {.body_a = 1, .body_b = -1, .g_a = {{0, 1, 0}, {0, 0, 0}}, .lower = 0, .upper = HUGE_VAL},
    {.body_a = 1, .body_b = -1, .g_a = {{0, 1, 0}, {0, 0, 0}}, .lower = -2, .upper = 3},
};

static bool same_bits(const void* a, const void* b, size_t count, size_t size) {
  return count == 0 || memcmp(a, b, count * size) == 0;
}

static void round_trip(const rgProblem* problem) {
  const char* path = test_temporary("problem.json");
  rgAllocator allocator = rg_allocator_default();
  rgMessage message = {""};
  rgProblem* again = NULL;
  rgStatus status = rg_problem_write(problem, path, &message);
  CHECK_MSG(status == RG_OK, "%s", message.text);
  status = rg_problem_read(path, &allocator, &again, &message);
  remove(path);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  CHECK_INT(again->dimension, problem->dimension);
  REQUIRE_INT(again->body_count, problem->body_count);
  REQUIRE_INT(again->contact_count, problem->contact_count);
  REQUIRE_INT(again->row_count, problem->row_count);
  CHECK(same_bits(again->bodies, problem->bodies, (size_t)problem->body_count,
                  sizeof *problem->bodies));
  CHECK(same_bits(again->contacts, problem->contacts, (size_t)problem->contact_count,
                  sizeof *problem->contacts));
  CHECK(same_bits(again->rows, problem->rows, (size_t)problem->row_count, sizeof *problem->rows));
  rg_problem_free(again, &allocator);
}

TEST(a_problem_survives_to_the_bit) {
  rgProblemBody bodies[2] = {body(1), body(2)};
  rgProblemContact contacts[RG_CONE_KIND_COUNT];
  for (int i = 0; i < RG_CONE_KIND_COUNT; i++)
    contacts[i] = contact((rgConeKind)i, i % 2, i % 2 - 1);
  rgProblem problem = {.dimension = 3,
                       .body_count = 2,
                       .contact_count = RG_CONE_KIND_COUNT,
                       .row_count = 3,
                       .bodies = bodies,
                       .contacts = contacts,
                       .rows = rows};
  round_trip(&problem);
}

TEST(an_empty_problem_survives) {
  rgProblem problem = {.dimension = 2};
  round_trip(&problem);
}

TEST(numbers_that_json_cannot_hold_are_refused) {
  rgProblemBody bodies[1] = {body(1)};
  rgProblemContact contacts[1] = {contact(RG_CONE_FRICTIONLESS, 0, -1)};
  contacts[0].mu =
      (double)NAN; // a frictionless contact does not use it, but it could not be read back
  rgProblem problem = {
      .dimension = 3, .body_count = 1, .contact_count = 1, .bodies = bodies, .contacts = contacts};
  rgMessage message;
  CHECK_INT(rg_problem_write(&problem, "/nonexistent/p.json", &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "cannot write /nonexistent/p.json: contacts[0].mu is not finite");
  contacts[0].mu = 0;
  CHECK_INT(rg_problem_write(&problem, "/nonexistent/p.json", &message), RG_ERROR_IO);
  CHECK_STR(message.text, "cannot write /nonexistent/p.json: No such file or directory");
}

static void check_refused(const char* text, const char* expected) {
  const char* path = test_temporary("p.json");
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgMessage message = {""};
  CONTEXT("%s", text);
  CHECK_INT(rg_problem_read(path, &allocator, &problem, &message), RG_ERROR_INPUT);
  remove(path);
  CHECK(problem == NULL);
  CHECK(strncmp(message.text, path, strlen(path)) == 0);
  CHECK_STR(message.text + strlen(path), expected);
}

TEST(malformed_problems_have_messages) {
  check_refused("{}", ":1:1: the problem has no \"rigor_problem\"; a problem needs it");
  check_refused("{\"rigor_problem\": 1, \"dimension\": 4}",
                ":1:35: dimension is 4, must be >= 2 and <= 3");
  check_refused("{\"rigor_problem\": 1, \"bodies\": [{\"inverse_mass\": 1}]}",
                ":1:33: bodies[0] has no \"inverse_inertia\"; a body needs it");
  check_refused("{\"rigor_problem\": 1, \"contact\": []}",
                ":1:22: contact is not a key of a problem; did you mean \"contacts\"?");
  check_refused("{\"rigor_problem\": 1, \"contacts\": [{\"body_a\": 0, \"body_b\": -1, \"n\": [0, "
                "0, 1], \"t\": "
                "[1, 0, 0], \"o\": [0, 1, 0], \"cone\": \"disc\"}]}",
                ":1:119: contacts[0].cone is \"disc\"; did you mean \"disk\"?");
  check_refused("{\"rigor_problem\": 1, \"rows\": [{\"body_a\": 0.5}]}",
                ":1:42: rows[0].body_a is 0.5, must be a whole number");
}

TEST(a_problem_that_reads_well_is_still_checked) {
  const char* path = test_temporary("p.json");
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fputs("{\"rigor_problem\": 1, \"contacts\": [{\"body_a\": 7, \"body_b\": -1, \"n\": [0, 0, 1], "
        "\"t\": [1, 0, 0], "
        "\"o\": [0, 1, 0], \"cone\": \"disk\"}]}",
        file);
  fclose(file);
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgMessage message = {""};
  CHECK_INT(rg_problem_read(path, &allocator, &problem, &message), RG_ERROR_INPUT);
  remove(path);
  CHECK_CONTAINS(message.text, "contacts[0]");
  CHECK_CONTAINS(message.text, path);
}

TEST(no_allocator_means_the_standard_one) {
  const char* text = "{\"rigor_problem\": 1, \"bodies\": [], \"contacts\": []}";
  const char* path = test_temporary("standard.json");
  FILE* file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
  rgProblem* problem;
  rgMessage message = {""};
  CHECK_INT(rg_problem_read(path, NULL, &problem, &message), RG_OK);
  rg_problem_free(problem, NULL);
  CHECK_INT(rg_problem_parse(text, strlen(text), "text", NULL, &problem, &message), RG_OK);
  rg_problem_free(problem, NULL);
  remove(path);
}
