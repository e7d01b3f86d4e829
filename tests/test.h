// Test harness. A test file is one executable:
//
//   #include "test.h"
//
//   TEST(dot_product_is_symmetric) {
//     CHECK_NEAR(v3_dot(a, b), v3_dot(b, a), 0);
//   }
//
// CHECK* report a failure and go on, REQUIRE* end the test; SKIP("why") ends it as skipped. All of
// them may be used in helper functions, evaluate their arguments once, and CHECK* have the value
// true on success. In a sweep, CONTEXT("solver %s, problem %s", ...) is printed with each failure
// that follows.
//
// Run one with names or parts of names to select tests, or with --list. Files in tests/support/
// that use CHECK are compiled with TEST_NO_MAIN.
#ifndef RIGOR_TEST_H
#define RIGOR_TEST_H

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// --- writing tests -------------------------------------------------------------------------------

#define TEST(name)                                                                                 \
  static void test_body_##name(void);                                                              \
  __attribute__((constructor)) static void test_register_##name(void) {                            \
    static TestCase test_case = {#name, test_body_##name, NULL};                                   \
    test_register(&test_case);                                                                     \
  }                                                                                                \
  static void test_body_##name(void)

#define CHECK(cond) test_check((cond) ? true : false, TEST_HERE("CHECK", #cond), NULL)

// With a printf-style explanation of the values involved.
#define CHECK_MSG(cond, ...)                                                                       \
  test_check((cond) ? true : false, TEST_HERE("CHECK", #cond), __VA_ARGS__)

// |a - b| <= tol. NaN is never near; equal infinities are.
#define CHECK_NEAR(a, b, tol)                                                                      \
  test_check_near((double)(a), (double)(b), (double)(tol), false,                                  \
                  TEST_HERE("CHECK_NEAR", #a ", " #b ", " #tol))

// |a - b| <= rel * max(|a|, |b|)
#define CHECK_REL(a, b, rel)                                                                       \
  test_check_near((double)(a), (double)(b), (double)(rel), true,                                   \
                  TEST_HERE("CHECK_REL", #a ", " #b ", " #rel))

// The same bits, so that -0 and 0 differ and a NaN equals itself.
#define CHECK_BITS(a, b) test_check_bits((a), (b), TEST_HERE("CHECK_BITS", #a ", " #b))

// Integers, characters, enums, bools; `| 0` refuses floating point and pointers at compile time.
#define CHECK_INT(a, b)                                                                            \
  test_check_int((long long)((a) | 0), (long long)((b) | 0), TEST_HERE("CHECK_INT", #a ", " #b))

// 64-bit values shown in hexadecimal, such as hashes.
#define CHECK_HEX(a, b)                                                                            \
  test_check_hex((uint64_t)((a) | 0), (uint64_t)((b) | 0), TEST_HERE("CHECK_HEX", #a ", " #b))

#define CHECK_STR(a, b) test_check_str((a), (b), TEST_HERE("CHECK_STR", #a ", " #b))

#define CHECK_CONTAINS(text, part)                                                                 \
  test_check_contains((text), (part), TEST_HERE("CHECK_CONTAINS", #text ", " #part))

#define REQUIRE(cond) test_require(CHECK(cond))
#define REQUIRE_MSG(cond, ...) test_require(CHECK_MSG(cond, __VA_ARGS__))
#define REQUIRE_INT(a, b) test_require(CHECK_INT(a, b))
#define REQUIRE_STR(a, b) test_require(CHECK_STR(a, b))

#define FAIL(...) test_check(false, TEST_HERE("FAIL", ""), __VA_ARGS__)
#define SKIP(...) test_skip(__VA_ARGS__)
#define CONTEXT(...) snprintf(test_state.context, sizeof test_state.context, __VA_ARGS__)

// True in short runs (the sanitizer builds): a test may then do less work. Tests, and whole files,
// whose names end in _slow are left out of them.
static inline bool test_fast(void);
// True in `make soak` (RIGOR_THOROUGH=1), which repeats some tests with all of their cases.
static inline bool test_thorough(void);

// Paths of files: a scene of the project; shared data, which ends the test as skipped when it is
// not on this machine; the command under test. The text lasts until the end of the test.
static inline const char* test_scene(const char* name);
static inline const char* test_shared(const char* name);
static inline const char* test_command(void);

// Path for a file that the test writes, in a folder that only this process can use and that is
// removed with all that is in it at the end.
static inline const char* test_temporary(const char* name);
// Writes such a file, below folders that are made for it; returns its path.
static inline const char* test_write(const char* name, const char* text, size_t length);

// --- how it works --------------------------------------------------------------------------------

enum { TEST_MAX_REPORTS = 20, TEST_TEXT = 1024, TEST_PATHS = 8 };

typedef struct TestCase {
  const char* name;
  void (*body)(void);
  struct TestCase* next;
} TestCase;

typedef struct TestState {
  TestCase *first, *last; // in the order of the file
  const char* running;
  int failures; // of the running test
  bool quiet;   // do not print failures (for tests of the harness itself)
  char context[TEST_TEXT];
  char skipped[TEST_TEXT];
  char path[TEST_PATHS][TEST_TEXT];
  int path_count;
  char folder[TEST_TEXT]; // for temporary files, when there is one
  pid_t owner;            // the process that removes it
  jmp_buf leave;
  int passed_count, failed_count, skipped_count;
} TestState;

extern TestState test_state;
static inline const char* test_write(const char* name, const char* text, size_t length) {
  const char* path = test_temporary(name);
  char folder[TEST_TEXT];
  for (const char* end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
    snprintf(folder, TEST_TEXT, "%s/%.*s", test_state.folder, (int)(end - name), name);
    mkdir(folder, 0700);
  }
  FILE* file = fopen(path, "wb");
  bool written = file && fwrite(text, 1, length, file) == length;
  if (!file || fclose(file) != 0 || !written) {
    perror(path);
    exit(1);
  }
  return path;
}

#ifndef TEST_NO_MAIN
TestState test_state;
#endif

typedef struct TestPlace {
  const char* file;
  int line;
  const char *macro, *arguments;
} TestPlace;

#define TEST_HERE(macro, arguments) ((TestPlace){__FILE__, __LINE__, (macro), (arguments)})
#define TEST_PRINTF(text, first) __attribute__((format(printf, text, first)))

static inline void test_register(TestCase* test) {
  if (test_state.last)
    test_state.last->next = test;
  else
    test_state.first = test;
  test_state.last = test;
}

// Counts a failure; true if it should be printed.
static inline bool test_fail(TestPlace place) {
  ++test_state.failures;
  if (test_state.quiet)
    return false;
  if (test_state.failures > TEST_MAX_REPORTS)
    return false;
  printf("%s:%d: %s(%s) failed\n", place.file, place.line, place.macro, place.arguments);
  if (test_state.context[0])
    printf("    in %s\n", test_state.context);
  return true;
}

TEST_PRINTF(3, 4)
static inline bool test_check(bool ok, TestPlace place, const char* format, ...) {
  if (ok)
    return true;
  if (test_fail(place) && format) {
    va_list arguments;
    va_start(arguments, format);
    printf("    ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
  }
  return false;
}

static inline bool test_check_near(double a, double b, double tolerance, bool relative,
                                   TestPlace place) {
  double allowed = relative ? tolerance * fmax(fabs(a), fabs(b)) : tolerance;
  double difference = fabs(a - b);
  if (a == b || difference <= allowed)
    return true;
  if (test_fail(place))
    printf("    %.17g against %.17g: difference %.3g, allowed %.3g\n", a, b, difference, allowed);
  return false;
}

static inline bool test_check_bits(double a, double b, TestPlace place) {
  uint64_t a_bits, b_bits;
  memcpy(&a_bits, &a, sizeof a);
  memcpy(&b_bits, &b, sizeof b);
  if (a_bits == b_bits)
    return true;
  if (test_fail(place))
    printf("    %.17g (%a) against %.17g (%a)\n", a, a, b, b);
  return false;
}

static inline bool test_check_int(long long a, long long b, TestPlace place) {
  if (a == b)
    return true;
  if (test_fail(place))
    printf("    %lld against %lld\n", a, b);
  return false;
}

static inline bool test_check_hex(uint64_t a, uint64_t b, TestPlace place) {
  if (a == b)
    return true;
  if (test_fail(place))
    printf("    0x%016llx against 0x%016llx\n", (unsigned long long)a, (unsigned long long)b);
  return false;
}

static inline void test_print_text(const char* label, const char* text) {
  if (text)
    printf("    %s \"%s\"\n", label, text);
  else
    printf("    %s NULL\n", label);
}

static inline bool test_check_str(const char* a, const char* b, TestPlace place) {
  if (a == b || (a && b && strcmp(a, b) == 0))
    return true;
  if (test_fail(place)) {
    test_print_text("       ", a);
    test_print_text("against", b);
  }
  return false;
}

static inline bool test_check_contains(const char* text, const char* part, TestPlace place) {
  if (text && part && strstr(text, part))
    return true;
  if (test_fail(place)) {
    test_print_text("         ", text);
    test_print_text("should contain", part);
  }
  return false;
}

static inline void test_require(bool ok) {
  if (!ok)
    longjmp(test_state.leave, 1);
}

TEST_PRINTF(1, 2)
static inline void test_skip(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(test_state.skipped, sizeof test_state.skipped, format, arguments);
  va_end(arguments);
  longjmp(test_state.leave, 1);
}

static inline const char* test_environment(const char* name, const char* otherwise) {
  const char* value = getenv(name);
  return value && value[0] ? value : otherwise;
}

static inline bool test_fast(void) { return test_environment("RIGOR_FAST", NULL) != NULL; }

static inline bool test_thorough(void) { return test_environment("RIGOR_THOROUGH", NULL) != NULL; }

static inline const char* test_command(void) { return test_environment("RIGOR_BIN", TEST_BIN); }

static inline char* test_path(const char* folder, const char* name) {
  char* path = test_state.path[test_state.path_count++ % TEST_PATHS];
  snprintf(path, TEST_TEXT, "%s/%s", folder, name);
  return path;
}

static inline const char* test_scene(const char* name) {
  return test_path(test_environment("RIGOR_SCENES", TEST_ROOT "/scenes"), name);
}

static inline const char* test_shared(const char* name) {
  const char* path = test_path(test_environment("RIGOR_SHARED", TEST_ROOT "/../shared"), name);
  FILE* file = fopen(path, "r"); // opens folders too
  if (!file)
    test_skip("no shared data %s (set RIGOR_SHARED to the folder that holds it)", name);
  fclose(file);
  return path;
}

static inline double test_clock(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A link is removed, never what it leads to.
static inline void test_remove(const char* path) {
  if (remove(path) == 0)
    return;                     // a file, a link or an empty folder
  DIR* entries = opendir(path); // NULL for a file
  for (struct dirent* entry; entries && (entry = readdir(entries));) {
    char inside[TEST_TEXT];
    snprintf(inside, TEST_TEXT, "%s/%s", path, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      test_remove(inside);
  }
  if (entries)
    closedir(entries);
  remove(path);
}

static inline void test_remove_folder(void) {
  if (test_state.owner == getpid())
    test_remove(test_state.folder);
}

static inline const char* test_temporary(const char* name) {
  if (!test_state.folder[0]) {
    snprintf(test_state.folder, TEST_TEXT, "%s/rigor-XXXXXX", test_environment("TMPDIR", "/tmp"));
    if (!mkdtemp(test_state.folder)) {
      perror(test_state.folder);
      exit(1);
    }
    test_state.owner = getpid();
    atexit(test_remove_folder);
  }
  return test_path(test_state.folder, name);
}

#ifndef TEST_NO_MAIN

static void test_print_totals(void) {
  printf("%d passed, %d failed", test_state.passed_count, test_state.failed_count);
  if (test_state.skipped_count)
    printf(", %d skipped", test_state.skipped_count);
  printf("\n");
}

static bool test_is_slow(const char* name) {
  const char* end = strrchr(name, '_');
  return end && strcmp(end, "_slow") == 0;
}

static void test_run(TestCase* test) {
  test_state.running = test->name;
  test_state.failures = 0;
  test_state.context[0] = test_state.skipped[0] = '\0';

  double start = test_clock();
  if (setjmp(test_state.leave) == 0) {
    if (test_fast() && test_is_slow(test->name))
      test_skip("slow, left out of short runs");
    test->body();
  }
  double seconds = test_clock() - start;

  test_state.running = NULL;
  if (test_state.failures > TEST_MAX_REPORTS)
    printf("... and %d failures more\n", test_state.failures - TEST_MAX_REPORTS);
  if (test_state.failures) {
    ++test_state.failed_count;
    printf("FAIL  %-60s %8.3f s\n", test->name, seconds);
  } else if (test_state.skipped[0]) {
    ++test_state.skipped_count;
    printf("skip  %s: %s\n", test->name, test_state.skipped);
  } else {
    ++test_state.passed_count;
    printf("ok    %-60s %8.3f s\n", test->name, seconds);
  }
  fflush(stdout);
}

static bool test_selected(const TestCase* test, int count, char** parts) {
  for (int i = 0; i < count; ++i)
    if (strstr(test->name, parts[i]))
      return true;
  return count == 0;
}

// Sanitizers report crashes themselves, and better; of them we only want to be told.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#define TEST_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TEST_SANITIZED 0
#endif

// A crash is a failed test; the tests after it do not run.
static void test_died(const char* why) {
  ++test_state.failed_count;
  printf("FAIL  %s: %s\n", test_state.running ? test_state.running : "(after the tests)", why);
  test_print_totals();
  fflush(stdout);
}

static void test_stopped_by_sanitizer(void) { test_died("stopped by a sanitizer"); }

static void test_crashed(int sig) {
  signal(sig, SIG_DFL);
  test_died(sig == SIGSEGV   ? "invalid memory access"
            : sig == SIGABRT ? "aborted"
            : sig == SIGFPE  ? "arithmetic exception"
                             : "illegal instruction");
  raise(sig);
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (TestCase* test = test_state.first; test; test = test->next)
      printf("%s\n", test->name);
    return 0;
  }

  signal(SIGABRT, test_crashed);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(test_stopped_by_sanitizer);
  if (!TEST_SANITIZED) {
    signal(SIGSEGV, test_crashed);
    signal(SIGFPE, test_crashed);
    signal(SIGILL, test_crashed);
  }
  for (TestCase* test = test_state.first; test; test = test->next)
    if (test_selected(test, argc - 1, argv + 1))
      test_run(test);
  test_print_totals();

  if (test_state.failed_count)
    return 1;
  if (test_state.passed_count + test_state.skipped_count == 0)
    return argc > 1; // a filter that selects nothing is a mistake
  return test_state.passed_count ? 0 : 77;
}

#endif // TEST_NO_MAIN
#endif // RIGOR_TEST_H
