// mocap_arm.c - a ball hits the forearm of a moving arm (Cline 2002, figure 5.2).
//
// The thesis shows six pictures and no number: the arm reacts to the ball and returns to the path of
// the recorded movement. Here the ball has 0.5 kg and 5 m/s, and "returns" is that within a second the
// farthest part of the figure is within 5 % of its largest deviation, and stays there.
#include "experiments/mocap.h"

static void run(ExperimentReport* report) {
  CliPlayDef def = cli_play_def();
  bool recorded;
  rgClip* clip = mocap_clip(report, "124_01.bvh", &def, &recorded);
  if (!clip)
    return;
  def.throws[0] = (CliThrow){
      .link = "RightForeArm", .time = recorded ? 1.2 : 2.6, .speed = 5, .mass = 0.5, .heading = 0};
  def.throw_count = 1;
  def.to = recorded ? 3 : 4;
  CliPlot* plot = experiment_plot(report, "A ball on the forearm",
                                  "Distance of the farthest part of the figure from where the "
                                  "recorded movement has it.");
  CliPanel* panel = cli_plot_panel(plot, "deviation", "time [s]", "distance [mm]", 0);
  CliPlay play = {0};
  if (mocap_play(report, clip, &def, &play, cli_panel_series(panel, "simulated", CLI_MARK_LINE, 0)))
    mocap_rows(report, &play, 0);
  cli_play_close(&play);
  rg_clip_free(clip);
  mocap_parameters(report);
  experiment_note(report, "The thesis shows pictures without numbers.");
}

const Experiment experiment_mocap_arm = {
    .name = "mocap-arm",
    .paper = "Cline 2002, figure 5.2",
    .work = &experiment_work_cline,
    .summary = "A ball hits the forearm of a moving arm, which reacts and returns to its recorded "
               "movement.",
    .data = "mocap",
    .run = run,
};
