// golden.h - the golden hashes as a table; the numbers are in tests/determinism/golden_table.h.
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include <stdint.h>

typedef struct Golden {
  const char* name;
  int steps;
  uint64_t hash;
} Golden;

static const Golden golden_table[] = {
#define GOLDEN(scene, steps, hash) {#scene, (steps), (hash)},
#include "determinism/golden_table.h"
#undef GOLDEN
};
enum { GOLDEN_COUNT = sizeof golden_table / sizeof *golden_table };

#endif
