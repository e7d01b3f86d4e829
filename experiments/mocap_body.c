// mocap_body.c - two balls hit a whole figure (Cline 2002, figure 5.3).
//
// The thesis shows six pictures of a football player that is hit twice, and says that its software runs
// such characters at 30 frames per second. A frame here is 1/30 s of the movement, which is eight steps.
#include "experiments/mocap.h"

#include <math.h>
#include <string.h>

static const double FRAMES = 30; // [1/s] of the thesis

static void run(ExperimentReport* report) {
  CliPlayDef def = cli_play_def();
  bool recorded;
  rgClip* clip = mocap_clip(report, "143_22.bvh", &def, &recorded);
  if (!clip)
    return;
  def.throws[0] = (CliThrow){
      .link = "LeftForeArm", .time = recorded ? 3.4 : 1, .speed = 5, .mass = 0.5, .heading = 180};
  def.throws[1] = (CliThrow){
      .time = recorded ? 5.4 : 2.6, .speed = 5, .mass = 0.5, .heading = recorded ? 180 : 0};
  strcpy(def.throws[1].link, recorded ? "RightArm" : "RightForeArm");
  def.throw_count = 2;
  def.to = recorded ? 7 : 4;
  CliPlot* plot = experiment_plot(report, "Two balls on a figure",
                                  "Distance of the farthest part of the figure from where the "
                                  "recorded movement has it.");
  CliPanel* panel = cli_plot_panel(plot, "deviation", "time [s]", "distance [mm]", 0);
  CliPlay play = {0};
  if (mocap_play(report, clip, &def, &play,
                 cli_panel_series(panel, "simulated", CLI_MARK_LINE, 0))) {
    mocap_rows(report, &play, 0);
    mocap_rows(report, &play, 1);
    double speed = cli_play_speed(&play);
    experiment_source(report, "section 5.1: 30 frames per second");
    experiment_row(report, "frames of 1/30 s per second of one processor", "1/s", FRAMES,
                   FRAMES * speed, speed >= 1, "at least 30");
    experiment_shown(report, "speed, simulated over processor time", "", (double)NAN, speed);
    experiment_at_most(report, "steps that were not met", "", play.not_met, 0);
    experiment_at_most(report, "largest error of a joint", "mm", 1e3 * play.largest_gap, 1e-3);
  }
  cli_play_close(&play);
  rg_clip_free(clip);
  mocap_parameters(report);
  experiment_note(report, "The thesis shows pictures without numbers but for its 30 frames.");
}

const Experiment experiment_mocap_body = {
    .name = "mocap-body",
    .paper = "Cline 2002, figure 5.3",
    .work = &experiment_work_cline,
    .summary = "Two balls hit a whole figure one after the other; it reacts, and returns to its "
               "recorded movement, in real time.",
    .data = "mocap",
    .run = run,
};
