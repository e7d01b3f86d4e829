// The summary of a run says in plain words which stage of its steps missed what was asked.
#include "test.h"

#include "cli/run/summary.c"
#include "cli/run/summary_text.c"
#include "cli/text/text.c"

// A run of 100 steps with small residuals, of which `missed` left an overlap of 10 mm.
static CliSummary run(int missed) {
  CliSummary summary = {.steps = 100, .planned = 100, .not_met = missed};
  summary.worst = (rgCertificate){.residual = 1e-9, .tolerance = 1e-4, .met = missed == 0};
  summary.worst.stages[RG_STAGE_PROJECTION] =
      (rgStageReport){.asked = 1e-4, .reached = 0.01, .count = 100, .missed = missed};
  return summary;
}

TEST(a_missed_stage_is_named_with_its_worst_step) {
  CliSummary summary = run(12);
  char text[1024];
  cli_summary_stage(&summary, RG_STAGE_PROJECTION, text, sizeof text);
  CHECK_STR(text, "12 steps left overlaps or joint errors above the tolerance, worst 10 mm (asked "
                  "0.1 mm)");
  cli_summary_stage(&summary, RG_STAGE_ROUNDS, text, sizeof text);
  CHECK_STR(text, "");
}

TEST(one_step_is_one_step) {
  CliSummary summary = run(1);
  char text[1024];
  cli_summary_stage(&summary, RG_STAGE_PROJECTION, text, sizeof text);
  CHECK(strncmp(text, "1 step left ", 12) == 0);
}

TEST(small_residuals_do_not_hide_a_missed_stage) {
  CliSummary summary = run(12);
  char text[1024];
  cli_summary_sentence(&summary, text, sizeof text);
  CHECK_STR(text,
            "The residual met the tolerance 0.0001 in every step, but 12 of 100 steps are NOT "
            "met: a stage of them missed what was asked.");
  summary = run(0);
  cli_summary_sentence(&summary, text, sizeof text);
  CHECK_STR(text, "The tolerance 0.0001 was met in every step (100).");
}

TEST(measures_have_units_that_suit_their_size) {
  static const struct {
    double value;
    const char *unit, *text;
  } cases[] = {{0.01, "m", "10 mm"},
               {2.5, "m", "2.5 m"},
               {3e-6, "m/s", "3 um/s"},
               {1e-13, "m", "0.0001 nm"},
               {3, "islands", "3 islands"},
               {0.0012, "", "0.0012"},
               {0, "m", "0 m"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[64];
    cli_measure_text(cases[i].value, cases[i].unit, text, sizeof text);
    CHECK_STR(text, cases[i].text);
  }
}
