// Stacks stand for a minute without sleeping: no box sinks into another and none drifts, by more
// than a millionth of its size. The default preset with its own step; the tolerance follows from
// the task: what a solve may leave, tolerance times g h = 0.04 m/s, must not move a box by 1e-6 m
// in 60 s.
#include "support/laws.h"

static void check_stack(int boxes, double offset, double ratio) {
  Law law;
  scene_stack(&law.scene, boxes, offset, ratio);
  rgOptions options;
  REQUIRE(rg_options_preset("default", &options));
  options.tolerance = 1e-8;
  law_begin(&law, &options, SCENE_SI);
  double overlap = 0, drift = 0;
  int second = (int)lround(1 / options.step);
  for (int i = 0; i < 60; ++i) {
    law_run(&law, second);
    overlap = fmax(overlap, law_overlap(&law).depth);
    drift = fmax(drift, law_displacement(&law));
  }
  CHECK_MSG(overlap < 1e-6, "overlap %g m", overlap);
  CHECK_MSG(drift < 1e-6, "drift %g m", drift);
  CHECK_MSG(law.not_met == 0, "%d steps not met, worst residual %g", law.not_met, law.residual);
  law_end(&law);
}

TEST(stack_of_20_boxes) { check_stack(20, 0, 1); }

// No box stands exactly over another: what holds only by symmetry falls.
TEST(stack_of_20_boxes_with_offsets_of_a_millimetre) { check_stack(20, 1e-3, 1); }

TEST(ten_boxes_under_one_that_is_1000_times_heavier) { check_stack(11, 0, 1000); }
