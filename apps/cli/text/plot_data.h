// plot_data.h - what a plot holds; shared by plot.c, which fills it, and plot_svg.c, which draws
// it.
#ifndef CLI_PLOT_DATA_H
#define CLI_PLOT_DATA_H

#include "cli/text/plot.h"

enum { CLI_PLOT_TEXT = 256, CLI_CAPTION_TEXT = 1024, CLI_PANEL_MAX = 12, CLI_SERIES_MAX = 24 };

typedef struct CliPoint {
  double x, y;
} CliPoint;

struct CliSeries {
  CliPanel* panel;
  char label[CLI_PLOT_TEXT];
  CliMark mark;
  int colour;
  CliPoint* points;
  int count, room;
};

struct CliPanel {
  CliPlot* plot;
  char title[CLI_PLOT_TEXT];
  char label[2][CLI_PLOT_TEXT];  // of the x axis and of the y axis
  int axes;                      // CliAxes, added
  double fixed_x[2], fixed_y[2]; // NaN: from the points
  CliSeries* series[CLI_SERIES_MAX];
  int series_count;
};

struct CliPlot {
  char title[CLI_PLOT_TEXT], caption[CLI_CAPTION_TEXT];
  CliPanel* panels[CLI_PANEL_MAX];
  int panel_count;
  bool shared_legend;
  bool cut; // something did not fit
};

#endif
