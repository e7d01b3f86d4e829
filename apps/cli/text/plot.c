// plot.c - the data of a plot: panels, series, points. How it is drawn is in plot_svg.c.
#include "cli/text/plot_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void copy_text(char* to, const char* from) {
  snprintf(to, CLI_PLOT_TEXT, "%s", from ? from : "");
}

CliPlot* cli_plot_new(const char* title, const char* caption) {
  CliPlot* plot = calloc(1, sizeof *plot);
  if (!plot)
    return NULL;
  copy_text(plot->title, title);
  snprintf(plot->caption, sizeof plot->caption, "%s", caption ? caption : "");
  return plot;
}

void cli_plot_free(CliPlot* plot) {
  if (!plot)
    return;
  for (int p = 0; p < plot->panel_count; ++p) {
    for (int s = 0; s < plot->panels[p]->series_count; ++s) {
      free(plot->panels[p]->series[s]->points);
      free(plot->panels[p]->series[s]);
    }
    free(plot->panels[p]);
  }
  free(plot);
}

bool cli_plot_whole(const CliPlot* plot) { return plot && !plot->cut; }
const char* cli_plot_title(const CliPlot* plot) { return plot->title; }
const char* cli_plot_caption(const CliPlot* plot) { return plot->caption; }

CliPanel* cli_plot_panel(CliPlot* plot, const char* title, const char* x_label, const char* y_label,
                         int axes) {
  if (!plot)
    return NULL;
  CliPanel* panel = plot->panel_count < CLI_PANEL_MAX ? calloc(1, sizeof *panel) : NULL;
  if (!panel) {
    plot->cut = true;
    return NULL;
  }
  panel->plot = plot;
  panel->axes = axes;
  panel->fixed_x[0] = panel->fixed_x[1] = panel->fixed_y[0] = panel->fixed_y[1] = (double)NAN;
  copy_text(panel->title, title);
  copy_text(panel->label[0], x_label);
  copy_text(panel->label[1], y_label);
  plot->panels[plot->panel_count++] = panel;
  return panel;
}

CliSeries* cli_panel_series(CliPanel* panel, const char* label, CliMark mark, int colour) {
  if (!panel)
    return NULL;
  CliSeries* series = panel->series_count < CLI_SERIES_MAX ? calloc(1, sizeof *series) : NULL;
  if (!series) {
    panel->plot->cut = true;
    return NULL;
  }
  series->panel = panel;
  series->mark = mark;
  series->colour = colour;
  copy_text(series->label, label);
  panel->series[panel->series_count++] = series;
  return series;
}

void cli_series_point(CliSeries* series, double x, double y) {
  if (!series)
    return;
  if (series->count == series->room) {
    int room = 2 * series->room + 64;
    CliPoint* points = realloc(series->points, (size_t)room * sizeof *points);
    if (!points) {
      series->panel->plot->cut = true;
      return;
    }
    series->points = points;
    series->room = room;
  }
  series->points[series->count++] = (CliPoint){x, y};
}

void cli_series_break(CliSeries* series) { cli_series_point(series, (double)NAN, (double)NAN); }

void cli_series_copy(const CliSeries* from, CliSeries* to) {
  for (int i = 0; from && i < from->count; ++i)
    cli_series_point(to, from->points[i].x, from->points[i].y);
}

void cli_panel_range_x(CliPanel* panel, double lower, double upper) {
  if (panel) {
    panel->fixed_x[0] = lower;
    panel->fixed_x[1] = upper;
  }
}

void cli_panel_range_y(CliPanel* panel, double lower, double upper) {
  if (panel) {
    panel->fixed_y[0] = lower;
    panel->fixed_y[1] = upper;
  }
}

void cli_plot_share_legend(CliPlot* plot) {
  if (plot)
    plot->shared_legend = true;
}
