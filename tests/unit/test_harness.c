// The harness itself: what passes, what fails, what is evaluated.
#include "test.h"

// Runs a body as a test would, silently, and returns its number of failures; -1 if it was skipped.
static int failures_of(void (*body)(void)) {
  TestState before;
  memcpy(&before, &test_state, sizeof before);
  test_state.quiet = true;
  test_state.failures = 0;
  if (setjmp(test_state.leave) == 0)
    body();
  int failures = test_state.skipped[0] ? -1 : test_state.failures;
  memcpy(&test_state, &before, sizeof before);
  return failures;
}

static void true_checks(void) {
  CHECK(1 < 2);
  CHECK(strchr("pointer", 'o'));
  CHECK_MSG(true, "value %d", 1);
  CHECK_NEAR(1, 1.0 + 1e-12, 1e-11);
  CHECK_NEAR(INFINITY, INFINITY, 0);
  CHECK_REL(1e20, 1.001e20, 1e-2);
  CHECK_REL(0, 0, 0);
  CHECK_BITS(0.1 + 0.2, 0.30000000000000004);
  CHECK_INT('a', 97);
  CHECK_INT(true, 1);
  CHECK_HEX(UINT64_MAX, 0xffffffffffffffffu);
  CHECK_STR("abc", "abc");
  CHECK_STR(NULL, NULL);
  CHECK_CONTAINS("scene.json:14:9", "14");
  REQUIRE(true);
  REQUIRE_INT(1, 1);
  REQUIRE_STR("", "");
}
TEST(true_checks_pass) { CHECK_INT(failures_of(true_checks), 0); }

static void false_checks(void) {
  CHECK(1 > 2);
  CHECK(NULL);
  CHECK_MSG(false, "value %d", 1);
  CHECK_NEAR(1, 1.1, 0.01);
  CHECK_NEAR(NAN, NAN, 1);
  CHECK_NEAR(1, NAN, INFINITY);
  CHECK_REL(1e-20, 1.1e-20, 1e-2);
  CHECK_BITS(0.0, -0.0);
  CHECK_INT(1, 2);
  CHECK_HEX(1u, 2u);
  CHECK_STR("abc", "abd");
  CHECK_STR("abc", NULL);
  CHECK_CONTAINS("abc", "d");
  CHECK_CONTAINS(NULL, "d");
  FAIL("always");
}
TEST(false_checks_fail_and_go_on) { CHECK_INT(failures_of(false_checks), 15); }

static void helper(void) { REQUIRE(false); }
static void requires_in_helper(void) {
  helper();
  CHECK(false);
}
TEST(require_ends_the_test_from_a_helper) { CHECK_INT(failures_of(requires_in_helper), 1); }

static void skips(void) {
  SKIP("because of %s", "a reason");
  CHECK(false);
}
TEST(skip_ends_the_test) { CHECK_INT(failures_of(skips), -1); }

static void misses_shared_data(void) {
  test_shared("data/no-such-file");
  CHECK(false);
}
TEST(absent_shared_data_skips) { CHECK_INT(failures_of(misses_shared_data), -1); }

// Slow tests are left out of short runs by name, so this one runs only when there is time.
TEST(runs_only_when_not_short_slow) { CHECK(!test_fast()); }

TEST(checks_have_a_value_and_evaluate_once) {
  int count = 0;
  CHECK(CHECK(++count));
  CHECK(CHECK_NEAR(++count, 2, 0));
  CHECK(CHECK_REL(++count, 3, 0));
  CHECK(CHECK_INT(++count, 4));
  CHECK_INT(count, 4);
}

TEST(paths) {
  CHECK_CONTAINS(test_scene("demo.json"), "scenes/demo.json");
  CHECK_CONTAINS(test_temporary("x.csv"), "x.csv");
  CHECK(strcmp(test_temporary("a"), test_temporary("b")) != 0);
}
