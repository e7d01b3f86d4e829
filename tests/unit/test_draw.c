// Random numbers by counter.
#include "test.h"

#include "math/statistics/draw.h"
#include <rigor/ensemble.h>

// The vectors that Salmon, Moraes, Dror and Shaw publish with their code (philox 4x32, 10 rounds).
TEST(blocks_are_those_of_the_authors) {
  static const struct {
    uint32_t counter[4], key[2], block[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (int i = 0; i < 3; i++) {
    uint32_t block[4];
    rg_draw_block(known[i].counter, known[i].key, block);
    for (int k = 0; k < 4; k++)
      CHECK_HEX(block[k], known[i].block[k]);
  }
}

enum { DRAWS = 40000 };

// The empirical distribution of n draws differs from the true one by more than 1.95 / sqrt n with a
// probability of 0.1 % (Kolmogorov); the seeds are fixed.
static double distance(double (*draw)(uint64_t seed, uint64_t run, uint32_t index),
                       double (*share_below)(double x), int way) {
  static double values[DRAWS];
  for (int i = 0; i < DRAWS; i++) // along the runs, along the draws of a run, along the seeds
    values[i] = way == 0   ? draw(7, (uint64_t)i, 3)
                : way == 1 ? draw(7, 11, (uint32_t)i)
                           : draw((uint64_t)i, 11, 3);
  double most = 0;
  for (int k = -40; k <= 40; k++) {
    double x = k / 10.0, below = 0;
    for (int i = 0; i < DRAWS; i++)
      below += values[i] < x;
    most = fmax(most, fabs(below / DRAWS - share_below(x)));
  }
  return most;
}

static double uniform_below(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static double normal_below(double x) { return 0.5 * erfc(-x / sqrt(2)); }

TEST(draws_are_uniform_and_normal_along_runs_draws_and_seeds) {
  for (int way = 0; way < 3; way++) {
    CHECK_NEAR(distance(rg_draw_unit, uniform_below, way), 0, 1.95 / sqrt(DRAWS));
    CHECK_NEAR(distance(rg_draw_normal, normal_below, way), 0, 1.95 / sqrt(DRAWS));
  }
}

// Where a rotation takes each axis is uniform on the sphere: all components of the matrix have the
// mean 0 and the mean square 1/3, with the deviation sqrt(4/45) of a square.
TEST(rotations_take_every_axis_everywhere) {
  double mean[9] = {0}, square[9] = {0};
  for (uint64_t i = 0; i < DRAWS; i++) {
    rgQuat q = rg_draw_rotation(5, i, 0);
    CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    double r[9] = {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                   2 * (q.x * q.z + q.w * q.y),     2 * (q.x * q.y + q.w * q.z),
                   1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x),
                   2 * (q.x * q.z - q.w * q.y),     2 * (q.y * q.z + q.w * q.x),
                   1 - 2 * (q.x * q.x + q.y * q.y)};
    for (int k = 0; k < 9; k++) {
      mean[k] += r[k] / DRAWS;
      square[k] += r[k] * r[k] / DRAWS;
    }
  }
  for (int k = 0; k < 9; k++) { // four deviations
    CHECK_NEAR(mean[k], 0, 4 * sqrt(1.0 / 3 / DRAWS));
    CHECK_NEAR(square[k], 1.0 / 3, 4 * sqrt(4.0 / 45 / DRAWS));
  }
}
