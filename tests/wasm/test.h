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

#define CHECK_MSG(cond, ...) test_require(cond)
#define REQUIRE(cond) test_require(cond)
#define REQUIRE_MSG(cond, ...) test_require(cond)
#define FAIL(...) test_require(false)

#endif
