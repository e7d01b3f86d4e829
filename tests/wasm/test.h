// test.h - the part of the harness that tests/support needs, for a module without jumps and
// signals: what fails traps, and the script that runs it reports the trap.
#ifndef WASM_TEST_H
#define WASM_TEST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline void test_require(bool holds) {
  if (!holds)
    __builtin_trap();
}

// The message goes nowhere, but what it names is used.
static inline void test_require_message(bool holds, const char* format, ...) {
  (void)format;
  test_require(holds);
}

#define CHECK_MSG(cond, ...) test_require_message(cond, __VA_ARGS__)
#define REQUIRE(cond) test_require(cond)
#define REQUIRE_MSG(cond, ...) test_require_message(cond, __VA_ARGS__)
#define FAIL(...) test_require_message(false, __VA_ARGS__)

#endif
