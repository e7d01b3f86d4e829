// plot.h - line and point plots as SVG: panels side by side, axes, ticks, logarithms, a legend.
//
// A plot owns its panels, a panel its series, a series its points. Memory that runs out makes a
// plot incomplete, never wrong: what does not fit is not drawn, and cli_plot_whole says so.
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct CliPlot CliPlot;
typedef struct CliPanel CliPanel;
typedef struct CliSeries CliSeries;

// How a series is drawn.
typedef enum CliMark {
  CLI_MARK_LINE,
  CLI_MARK_DASHED, // a line for what is expected or published
  CLI_MARK_POINTS, // filled: measured
  CLI_MARK_RINGS,  // open: published
} CliMark;

// How a panel's axes are scaled.
typedef enum CliAxes {
  CLI_AXES_LINEAR = 0,
  CLI_AXES_LOG_X = 1,
  CLI_AXES_LOG_Y = 2,
  CLI_AXES_EQUAL = 4, // one unit is as long along x as along y
} CliAxes;

// `caption` is printed below the plot. NULL when memory ran out.
CliPlot* cli_plot_new(const char* title, const char* caption);
void cli_plot_free(CliPlot* plot); // NULL is allowed
bool cli_plot_whole(const CliPlot* plot);
const char* cli_plot_title(const CliPlot* plot);
const char* cli_plot_caption(const CliPlot* plot);

// Texts are copied; a NULL plot, panel or series is passed through, so that a caller need not check
// each. An empty label keeps a series out of the legend. `colour` counts through the palette:
// series of one colour belong together, such as measured and published.
CliPanel* cli_plot_panel(CliPlot* plot, const char* title, const char* x_label, const char* y_label,
                         int axes);
CliSeries* cli_panel_series(CliPanel* panel, const char* label, CliMark mark, int colour);
void cli_series_point(CliSeries* series, double x, double y);
// A point that is not finite, or not positive on a logarithmic axis, is left out and breaks a line.
void cli_series_break(CliSeries* series);
// Adds all points of one series to another.
void cli_series_copy(const CliSeries* from, CliSeries* to);
// Fixes the range of an axis instead of taking it from the points.
void cli_panel_range_x(CliPanel* panel, double lower, double upper);
void cli_panel_range_y(CliPanel* panel, double lower, double upper);
// The legend of the first panel stands below the whole plot and counts for all panels, instead of
// one below each.
void cli_plot_share_legend(CliPlot* plot);

// Writes one <svg> element. `number` keeps names apart when several plots are in one page.
void cli_plot_write(const CliPlot* plot, FILE* stream, int number);

#endif
