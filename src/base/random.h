// random.h - reproducible numbers for starts, tests and experiments: Knuth's linear congruential
// generator (MMIX), of which the high bits are used. Not meant for statistics or cryptography.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

// Advances to the next state and returns it.
static inline uint64_t rg_random_bits(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state;
}

// Uniform in [0, 1).
static inline double rg_random_unit(uint64_t* state) {
  return (double)(rg_random_bits(state) >> 11) * 0x1p-53;
}

#endif
