// profile.c - where the time of a run goes; see profile.h.
//
// Runs may have any number of steps: pieces of one step each are joined in pairs when there is no room for
// another, so that the picture has between half and all of its points.
#include "cli/run/profile.h"

#include "cli/system/clock.h"
#include "cli/system/files.h"
#include "cli/text/page.h"
#include "cli/text/text.h"

#include <stdio.h>
#include <string.h>

void cli_profile_start(CliProfile* profile, const char* path, rgWorld* world) {
  memset(profile, 0, sizeof *profile);
  profile->path = path;
  profile->piece_steps = 1;
  if (path)
    rg_world_set_clock(world, cli_wall_clock);
}

static void join_pairs(CliProfile* profile) {
  for (int i = 0; i < CLI_PROFILE_PIECES / 2; ++i) {
    for (int k = 0; k < RG_PHASE_COUNT; ++k)
      profile->time[i][k] = profile->time[2 * i][k] + profile->time[2 * i + 1][k];
    profile->end[i] = profile->end[2 * i + 1];
  }
  memset(profile->time[CLI_PROFILE_PIECES / 2], 0, sizeof profile->time / 2);
  profile->pieces = CLI_PROFILE_PIECES / 2;
  profile->piece_steps *= 2;
}

void cli_profile_step(CliProfile* profile, const rgWorld* world) {
  if (!profile->path)
    return;
  if (profile->steps % profile->piece_steps == 0) {
    if (profile->pieces == CLI_PROFILE_PIECES)
      join_pairs(profile);
    profile->pieces++;
  }
  int piece = profile->pieces - 1;
  for (int k = 0; k < RG_PHASE_COUNT; ++k) {
    double sum = rg_world_phase_time(world, (rgPhase)k);
    profile->time[piece][k] += sum - profile->before[k];
    profile->before[k] = sum;
  }
  profile->end[piece] = rg_world_time(world);
  profile->steps++;
}

// [s] of a phase, RG_PHASE_COUNT for all of them.
static double total(const CliProfile* profile, int phase) {
  double sum = 0;
  for (int i = 0; i < profile->pieces; ++i)
    for (int k = 0; k < RG_PHASE_COUNT; ++k)
      if (phase == RG_PHASE_COUNT || k == phase)
        sum += profile->time[i][k];
  return sum;
}

void cli_profile_table(const CliProfile* profile) {
  double all = total(profile, RG_PHASE_COUNT);
  if (!profile->path || !(all > 0))
    return;
  CliStyle style = cli_style(stdout);
  char text[CLI_TEXT_MAX];
  printf("\n%sProfile%s, wall-clock time of a step\n", style.bold, style.plain);
  for (int k = 0; k < RG_PHASE_COUNT; ++k) {
    double time = total(profile, k);
    cli_clock_text(time / (double)profile->steps, text, sizeof text);
    printf("  %s%-14s%s%-10s %5.1f %%  %s\n", style.dim, rg_phase_name((rgPhase)k), style.plain,
           text, 100 * time / all, rg_phase_summary((rgPhase)k));
  }
  cli_clock_text(all / (double)profile->steps, text, sizeof text);
  printf("  %s%-14s%s%-10s\n", style.dim, "all", style.plain, text);
}

// Time of a step along the run, phases on top of each other: the highest line is all of it.
static CliPlot* make_plot(const CliProfile* profile, const char* title) {
  CliPlot* plot =
      cli_plot_new(title, "Wall-clock time of a step. Each line is the sum of its phase and "
                          "of those named before it.");
  CliPanel* panel = cli_plot_panel(plot, "", "simulated time [s]", "time of a step [ms]", 0);
  for (int k = 0; k < RG_PHASE_COUNT; ++k) {
    CliSeries* series = cli_panel_series(panel, rg_phase_name((rgPhase)k), CLI_MARK_LINE, k);
    for (int i = 0; i < profile->pieces; ++i) {
      bool last = i == profile->pieces - 1;
      double sum = 0, steps = (double)profile->piece_steps;
      if (last)
        steps = (double)(profile->steps - i * profile->piece_steps);
      for (int below = 0; below <= k; ++below)
        sum += profile->time[i][below];
      cli_series_point(series, profile->end[i], 1e3 * sum / steps);
    }
  }
  return plot;
}

static void write_page(const CliProfile* profile, const char* title, const CliPlot* plot,
                       FILE* stream) {
  static const char* const headings[] = {"phase", ">time of a step", ">share", "what"};
  CliPage page;
  char text[CLI_TEXT_MAX];
  double all = total(profile, RG_PHASE_COUNT);
  cli_page_open(&page, stream, title);
  cli_page_plot(&page, plot);
  cli_page_table(&page, headings, 4);
  for (int k = 0; k < RG_PHASE_COUNT; ++k) {
    double time = total(profile, k);
    cli_page_cell(&page, rg_phase_name((rgPhase)k), "");
    cli_clock_text(profile->steps > 0 ? time / (double)profile->steps : 0, text, sizeof text);
    cli_page_cell(&page, text, "");
    snprintf(text, sizeof text, "%.1f %%", all > 0 ? 100 * time / all : 0);
    cli_page_cell(&page, text, "");
    cli_page_cell(&page, rg_phase_summary((rgPhase)k), "");
  }
  cli_page_table_end(&page);
  cli_page_close(&page);
}

rgStatus cli_profile_write(const CliProfile* profile, const char* title, rgMessage* message) {
  if (!profile->path)
    return RG_OK;
  rgOutput* output = NULL;
  CliPlot* plot = make_plot(profile, title);
  rgStatus status = rg_output_open(profile->path, &output, message);
  if (status == RG_OK) {
    FILE* stream = rg_output_stream(output);
    if (cli_ends_with(profile->path, ".svg"))
      cli_plot_write(plot, stream, 0);
    else
      write_page(profile, title, plot, stream);
    status = rg_output_commit(output, message);
  }
  cli_plot_free(plot);
  return status;
}
