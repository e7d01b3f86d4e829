// draw.c - random numbers by counter.
//
// A draw is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", 2011, section 3.3) of the counter (run, draw, 0) under the key (seed): ten rounds, each of two
// products of 32 x 32 bits whose halves change places, the key growing by constants from round to
// round. It has no state: equal arguments give equal numbers, in whatever order they are asked for.
//
// Normal numbers are those of Box and Muller (1958) from the two halves of one block; rotations those
// of Shoemake (1992): three uniform numbers give a quaternion that is uniform on the sphere of S^3.
#include "math/statistics/draw.h"

#include "math/power.h"
#include <rigor/ensemble.h>
#include <rigor/util.h>

#include <math.h>

enum { ROUNDS = 10 };
static const uint32_t FACTOR[2] = {0xD2511F53u, 0xCD9E8D57u}; // table 2 of the paper
static const uint32_t WEYL[2] = {0x9E3779B9u, 0xBB67AE85u};   // golden ratio, sqrt 3 - 1

void rg_draw_block(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]) {
  uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]};
  uint32_t k[2] = {key[0], key[1]};
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t a = (uint64_t)FACTOR[0] * x[0], b = (uint64_t)FACTOR[1] * x[2];
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k[0], (uint32_t)b,
                        (uint32_t)(a >> 32) ^ x[3] ^ k[1], (uint32_t)a};
    for (int i = 0; i < 4; i++)
      x[i] = next[i];
    k[0] += WEYL[0];
    k[1] += WEYL[1];
  }
  for (int i = 0; i < 4; i++)
    block[i] = x[i];
}

// Two numbers of 53 bits, uniform in [0, 1).
static void draw_two(uint64_t seed, uint64_t run, uint32_t draw, double unit[2]) {
  uint32_t counter[4] = {(uint32_t)run, (uint32_t)(run >> 32), draw, 0};
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, block[4];
  rg_draw_block(counter, key, block);
  for (int i = 0; i < 2; i++)
    unit[i] = (double)(((uint64_t)block[2 * i] << 32 | block[2 * i + 1]) >> 11) * 0x1p-53;
}

double rg_draw_unit(uint64_t seed, uint64_t run, uint32_t draw) {
  double unit[2];
  draw_two(seed, run, draw, unit);
  return unit[0];
}

double rg_draw_normal(uint64_t seed, uint64_t run, uint32_t draw) {
  double unit[2];
  draw_two(seed, run, draw, unit);
  return sqrt(-2 * rg_log(1 - unit[0])) * rg_cos(2 * RG_PI * unit[1]); // 1 - unit is in (0, 1]
}

rgQuat rg_draw_rotation(uint64_t seed, uint64_t run, uint32_t draw) {
  double u = rg_draw_unit(seed, run, draw);
  double a = 2 * RG_PI * rg_draw_unit(seed, run, draw + 1);
  double b = 2 * RG_PI * rg_draw_unit(seed, run, draw + 2);
  double s = sqrt(1 - u), c = sqrt(u);
  return (rgQuat){.w = c * rg_cos(b), .x = s * rg_sin(a), .y = s * rg_cos(a), .z = c * rg_sin(b)};
}
