// The summary of a run says in plain words which stage of its steps missed what was asked.
#include "test.h"

#include "cli/run/summary.c"
#include "cli/run/summary_text.c"
#include "cli/text/remedy.c"
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

TEST(energy_is_told_by_its_causes) {
  static const struct {
    double parts[CLI_CAUSE_COUNT];
    const char* text;
  } cases[] = {{{0, 0, 0, 0}, ""},
               {{0, 0, -10.5, 0}, "integration -10.5 J"}, // nothing was touched
               {{-12.25, 0, -1e-12, 0.003}, "contacts -12.2 J, projection +0.003 J"},
               {{0, -2, 0.5, 0}, "joints and springs -2 J, integration +0.5 J"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CliSummary summary = {0};
    memcpy(summary.energy_causes, cases[i].parts, sizeof summary.energy_causes);
    char text[256];
    cli_summary_causes(&summary, text, sizeof text);
    CHECK_STR(text, cases[i].text);
  }
}

TEST(a_summary_adds_the_causes_of_its_steps) {
  CliSummary summary = {0};
  rgCertificate step = {.energy = -7,
                        .energy_contacts = -1,
                        .energy_joints = -2,
                        .energy_integration = -3,
                        .energy_projection = -1};
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE(rg_world_create(&def, &world, NULL) == RG_OK);
  for (int i = 0; i < 3; i++)
    cli_summary_step(&summary, world, &step, 0.25 * (i + 1));
  char text[256];
  cli_summary_causes(&summary, text, sizeof text);
  CHECK_STR(text, "contacts -3 J, joints and springs -6 J, integration -9 J, projection -3 J");
  CHECK_BITS(summary.cpu, 1.5);
  CHECK_BITS(summary.slowest, 0.75);
  CHECK_INT(summary.slowest_step, 3);
  rg_world_destroy(world);
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

TEST(a_run_that_misses_gets_the_remedy_of_its_stage_and_the_way_to_the_doctor) {
  CliSummary summary = run(12);
  char text[1024];
  summary.scene = "tower.json";
  summary.options.step = 0.01;
  cli_summary_advice(&summary, text, sizeof text);
  CHECK_MSG(strstr(text, "separate bodies that overlap") && strstr(text, "--step 0.005"), "%s",
            text);
  CHECK_MSG(strstr(text, "'rigor doctor tower.json'"), "%s", text);
  summary = run(0);
  summary.scene = "tower.json";
  cli_summary_advice(&summary, text, sizeof text);
  CHECK_STR(text, "");
  for (int i = 0; i < RG_STAGE_COUNT; i++)
    CHECK(cli_stage_remedy((rgStage)i)[0]);
}

// Times are those of the wall clock: 100 steps of 10 ms are a second.
TEST(a_run_that_is_slower_than_the_clock_is_told_what_is_faster) {
  static const struct {
    double wall; // [s]
    bool slower;
  } cases[] = {{0.5, false}, {0.999, false}, {1.001, true}, {30, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CliSummary summary = run(0);
    char text[1024];
    summary.options.step = 0.01;
    summary.options.tolerance = 1e-6;
    summary.wall = cases[i].wall;
    cli_summary_advice(&summary, text, sizeof text);
    if (cases[i].slower)
      CHECK_STR(text, "Slower than the clock: --preset realtime bounds the work of a step, "
                      "--tolerance 1e-05 asks for less.");
    else
      CHECK_STR(text, "");
  }
}
