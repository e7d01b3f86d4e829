// stiff_feedback.c - feedback that is taken explicitly throws the figure apart (Cline 2002, section
// 5.1.2).
//
// The thesis reports that without implicit integration the feedback could not be made stiff enough:
// "the links of the character's body go flying off". Here a figure follows its movement for half a second
// with feedback of growing gain, damping a tenth of it, taken at the start of the step and implicitly. A
// run is stable when every link stays within a tenth of a metre of its place.
#include "experiments/mocap.h"

#include <math.h>

static const double STABLE = 0.1; // [m]
static const double LENGTH = 0.5; // [s] of each run
static const double gains[] = {0.01, 0.1, 1, 10, 100, 1000, 10000};
enum { GAINS = sizeof gains / sizeof *gains };

// Largest deviation [m] of a run, infinite when it cannot go on.
static double deviation_of(ExperimentReport* report, const rgClip* clip, const CliPlayDef* def) {
  CliPlay play = {0};
  rgMessage message = {0};
  if (cli_play_open(&play, clip, def, &message) != RG_OK) {
    experiment_fail(report, "%s", message.text);
    return HUGE_VAL;
  }
  double largest = 0;
  while (play.steps < play.planned && largest < 10 * STABLE) {
    if (cli_play_step(&play, &message) != RG_OK)
      largest = HUGE_VAL;
    else
      largest = fmax(largest, play.deviation[play.steps - 1]);
  }
  cli_play_close(&play);
  return largest;
}

// Runs with all gains; returns the largest one up to which they are stable.
static double run_gains(ExperimentReport* report, const rgClip* clip, CliPlayDef def,
                        CliSeries* series) {
  double stable = 0;
  bool unstable = false;
  for (int i = 0; i < GAINS; i++) {
    def.character.gain = gains[i];
    def.character.damping = 0.1 * gains[i];
    double deviation = deviation_of(report, clip, &def);
    cli_series_point(series, gains[i], fmin(1e3 * deviation, 1e4));
    unstable = unstable || !(deviation <= STABLE);
    if (!unstable)
      stable = gains[i];
    if (!experiment_goes_on(report, (double)i / GAINS, "a gain"))
      break;
  }
  return stable;
}

static void run(ExperimentReport* report) {
  CliPlayDef def = cli_play_def();
  bool recorded;
  rgClip* clip = mocap_clip(report, "124_01.bvh", &def, &recorded);
  if (!clip)
    return;
  def.to = LENGTH;
  CliPlot* plot = experiment_plot(
      report, "Stiff feedback",
      "Largest deviation of a link in half a second; what is above 10 m is drawn there.");
  CliPanel* panel = cli_plot_panel(plot, "deviation", "gain [1/rad]", "distance [mm]",
                                   CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  double implicit = run_gains(report, clip, def,
                              cli_panel_series(panel, "implicit, h = 1/240 s", CLI_MARK_LINE, 0));
  def.character.explicit_feedback = true;
  double plain = run_gains(report, clip, def,
                           cli_panel_series(panel, "explicit, h = 1/240 s", CLI_MARK_LINE, 1));
  experiment_given(report, "feedback", "eq. 5.7, explicit and linearly implicit");
  experiment_chosen(report, "gains",
                    "0.01 to 10000 1/rad, damping a tenth of the gain, floor 2 N m");
  experiment_chosen(report, "step", "1/240 s");
  experiment_source(report,
                    "section 5.1.2: explicit feedback is unstable at gains that the implicit step "
                    "bears; bounds chosen here");
  experiment_at_least(report, "implicit: stable up to a gain of", "1/rad", implicit,
                      gains[GAINS - 1]);
  experiment_at_most(report, "explicit: stable up to a gain of", "1/rad", plain, 1);
  rg_clip_free(clip);
  experiment_note(report, "The characters of the other experiments have gain 10.");
}

const Experiment experiment_stiff_feedback = {
    .name = "stiff-feedback",
    .paper = "Cline 2002, section 5.1.2",
    .work = &experiment_work_cline,
    .summary =
        "Feedback of a character that is taken explicitly throws it apart at gains at which the "
        "linearly implicit step is stable.",
    .data = "mocap",
    .run = run,
};
