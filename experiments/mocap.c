// mocap.c - clips for the experiments with captured motion, and runs of them.
#include "experiments/mocap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The clip that is a part of the program, scenes/experiments/figure.bvh, is in metres.
static rgClip* own_clip(ExperimentReport* report, CliPlayDef* def) {
  const ExperimentScene* found = experiment_scenes;
  while (found->name && strcmp(found->name, "figure") != 0)
    ++found;
  rgClip* clip = NULL;
  rgMessage message = {0};
  def->figure.scale = 1;
  if (!found->name)
    experiment_fail(report, "there is no clip figure");
  else if (rg_clip_parse(found->text, found->length, "figure.bvh", &clip, &message) != RG_OK)
    experiment_fail(report, "%s", message.text);
  return clip;
}

rgClip* mocap_clip(ExperimentReport* report, const char* name, CliPlayDef* def, bool* recorded) {
  char path[EXPERIMENT_NOTE];
  snprintf(path, sizeof path, "%s/%s", report->data ? report->data : ".", name);
  FILE* file = fopen(path, "r");
  *recorded = file != NULL;
  if (!file) {
    experiment_note(
        report,
        "There is no %s: the movement is that of scenes/experiments/figure.bvh, which is "
        "made by formulas. Name the folder of recorded clips with --data.",
        path);
    return own_clip(report, def);
  }
  fclose(file);
  rgClip* clip;
  rgMessage message = {0};
  if (rg_clip_read(path, &clip, &message) != RG_OK)
    experiment_fail(report, "%s", message.text);
  else
    experiment_note(report, "The movement is that of %s.", path);
  return clip;
}

bool mocap_play(ExperimentReport* report, const rgClip* clip, const CliPlayDef* def, CliPlay* play,
                CliSeries* series) {
  rgMessage message = {0};
  if (cli_play_open(play, clip, def, &message) != RG_OK) {
    experiment_fail(report, "%s", message.text);
    return false;
  }
  while (play->steps < play->planned) {
    if (cli_play_step(play, &message) != RG_OK) {
      experiment_fail(report, "%s", message.text);
      break;
    }
    double done = (double)play->steps / play->planned;
    cli_series_point(series, rg_character_time(play->character),
                     1e3 * play->deviation[play->steps - 1]);
    if (!experiment_goes_on(report, done, "a thrown ball"))
      break;
  }
  return play->steps == play->planned;
}

void mocap_parameters(ExperimentReport* report) {
  experiment_given(report, "figure",
                   "rigid segments on ball joints, its root on the recorded path");
  experiment_given(report, "control", "torques of inverse dynamics, and feedback of eq. 5.7");
  experiment_chosen(report, "ball", "0.5 kg at 5 m/s");
  experiment_chosen(report, "feedback", "gain 10 1/rad, damping 1 s/rad, floor 2 N m");
  experiment_chosen(report, "step", "1/240 s");
}

void mocap_rows(ExperimentReport* report, const CliPlay* play, int index) {
  const CliThrow* it = &play->def.throws[index];
  CliReaction reaction = cli_play_reaction(play, index);
  char text[EXPERIMENT_TEXT];
  experiment_source(report,
                    "section 5.1: the figure returns to its movement; bounds chosen here, since "
                    "the thesis shows pictures");
  snprintf(text, sizeof text, "%s: deviation before the hit", it->link);
  experiment_at_most(report, text, "mm", 1e3 * reaction.before,
                     fmax(1, 0.05 * 1e3 * reaction.peak));
  snprintf(text, sizeof text, "%s: deviation at its peak", it->link);
  experiment_row(report, text, "mm", (double)NAN, 1e3 * reaction.peak,
                 reaction.peak > 10 * reaction.before, "over 10 times that before");
  snprintf(text, sizeof text, "%s: largest deviation from 1 s after on", it->link);
  experiment_at_most(report, text, "mm", 1e3 * reaction.after, 1e3 * 0.05 * reaction.peak);
  snprintf(text, sizeof text, "%s: back within 5 %% of the peak", it->link);
  experiment_at_most(report, text, "s", reaction.back, 1);
}
