// plot_svg.c - draws a plot as one <svg> element.
//
// Each axis is a map from numbers to pixels: linear, or of the decimal logarithm. Ticks are at 1, 2
// or 5 times a power of ten, on logarithmic axes at the powers themselves, thinned out when there
// are many. Lines skip points that would fall on the same spot. Colours are classes, whose values
// differ between light and dark pages; the style is part of the element, so that it also stands
// alone.
#include "cli/text/page.h"
#include "cli/text/plot_data.h"

#include <math.h>
#include <string.h>

enum {
  PANEL_WIDTH = 440, // [px] with its labels
  PANEL_HEIGHT = 300,
  LEFT = 68, // margins of the axes within a panel
  RIGHT = 14,
  TOP = 28,
  BOTTOM = 46,
  LEGEND_LINE = 18,
  COLUMNS = 2,
  COLOURS = 8,
};
static const double LETTER = 6.4;     // [px] mean width of a letter in the legend, on the safe side
static const double SAME_SPOT = 0.35; // [px] nearer points of a line are one
static const double ROOM = 0.04;      // of the range, left free beyond the outermost points

// One axis of a panel.
typedef struct Axis {
  bool log;
  double lower, upper; // in numbers, of the logarithm when `log`
  double from, to;     // pixels
} Axis;

static double scaled(const Axis* axis, double x) {
  if (!axis->log)
    return x;
  return x > 0 ? log10(x) : (double)NAN;
}

static double pixel(const Axis* axis, double x) {
  double part = (scaled(axis, x) - axis->lower) / (axis->upper - axis->lower);
  return axis->from + part * (axis->to - axis->from);
}

// Range of the points, or the fixed one.
static void find_range(const CliPanel* panel, Axis* axis, bool y, const double fixed[2]) {
  axis->lower = HUGE_VAL;
  axis->upper = -HUGE_VAL;
  for (int s = 0; s < panel->series_count; ++s)
    for (int i = 0; i < panel->series[s]->count; ++i) {
      const CliPoint* point = &panel->series[s]->points[i];
      double value = scaled(axis, y ? point->y : point->x);
      if (!isfinite(value))
        continue;
      axis->lower = fmin(axis->lower, value);
      axis->upper = fmax(axis->upper, value);
    }
  if (!(axis->lower <= axis->upper)) {
    axis->lower = 0;
    axis->upper = 1;
  }
  // a constant is drawn in the middle of a range of its own size
  double least = axis->log ? 0.1 : 1e-12 * fmax(fabs(axis->lower), fabs(axis->upper));
  if (axis->upper - axis->lower <= least) {
    double half = axis->log ? 0.5 : axis->lower != 0 ? 0.1 * fabs(axis->lower) : 1;
    axis->lower -= half;
    axis->upper += half;
  }
  double room = ROOM * (axis->upper - axis->lower);
  axis->lower -= room;
  axis->upper += room;
  if (isfinite(fixed[0]))
    axis->lower = scaled(axis, fixed[0]);
  if (isfinite(fixed[1]))
    axis->upper = scaled(axis, fixed[1]);
}

// Widens the narrower axis about its middle until both have the same scale.
static void make_equal(Axis* x, Axis* y) {
  double of_x = (x->upper - x->lower) / fabs(x->to - x->from),
         of_y = (y->upper - y->lower) / fabs(y->to - y->from);
  Axis* axis = of_x < of_y ? x : y;
  double middle = 0.5 * (axis->lower + axis->upper);
  double half = 0.5 * fmax(of_x, of_y) * fabs(axis->to - axis->from);
  axis->lower = middle - half;
  axis->upper = middle + half;
}

// --- ticks -------------------------------------------------------------------------------------

static double nice_step(double range, int wanted) {
  double rough = range / wanted, power = pow(10, floor(log10(rough)));
  double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void number_text(double value, double step, char* text, size_t size) {
  double largest = fmax(fabs(value), step);
  if (fabs(value) < 1e-9 * step) {
    snprintf(text, size, "0");
    return;
  }
  if (largest >= 1e5 || largest < 1e-3) {
    snprintf(text, size, "%.4g", value);
    return;
  }
  int digits = (int)ceil(-log10(step) - 1e-9);
  snprintf(text, size, "%.*f", digits < 0 ? 0 : digits, value);
}

// A tick with its grid line; `minor` ones have no label.
static void tick(FILE* stream, const Axis* axis, const Axis* other, bool y, double value,
                 const char* text) {
  double at = pixel(axis, value);
  if (at < fmin(axis->from, axis->to) - 0.5 || at > fmax(axis->from, axis->to) + 0.5)
    return;
  if (y) {
    fprintf(stream, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", other->from, at, other->to);
    fprintf(stream, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            other->from - 7, at + 3.6, text);
  } else {
    fprintf(stream, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", at, other->from, other->to);
    fprintf(stream, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
            at, other->from + 16, text);
  }
}

static void power_text(int power, char* text, size_t size) {
  if (power >= -2 && power <= 3)
    snprintf(text, size, "%g", pow(10, power));
  else
    snprintf(text, size, "10<tspan class=\"power\" dy=\"-4\">%d</tspan>", power);
}

static void draw_ticks(FILE* stream, const Axis* axis, const Axis* other, bool y) {
  char text[64];
  double range = axis->upper - axis->lower;
  int wanted = y ? 5 : 6;
  if (axis->log && range >= 1) {
    int every = (int)ceil(range / (wanted + 2));
    int first = (int)ceil(axis->lower / every - 1e-9);
    for (int k = first; k * every <= axis->upper + 1e-9; ++k) {
      power_text(k * every, text, sizeof text);
      tick(stream, axis, other, y, pow(10, k * every), text);
    }
    return;
  }
  // a logarithmic axis of less than a decade has linear ticks
  double lower = axis->log ? pow(10, axis->lower) : axis->lower,
         upper = axis->log ? pow(10, axis->upper) : axis->upper;
  double step = nice_step(upper - lower, wanted);
  for (double k = ceil(lower / step - 1e-9); k * step <= upper + 1e-9 * step; ++k) {
    number_text(k * step, step, text, sizeof text);
    tick(stream, axis, other, y, k * step, text);
  }
}

// --- series ------------------------------------------------------------------------------------

static void draw_line(FILE* stream, const CliSeries* series, const Axis* x, const Axis* y) {
  fprintf(stream, "<path class=\"line c%d%s\" d=\"", series->colour % COLOURS,
          series->mark == CLI_MARK_DASHED ? " dashed" : "");
  bool open = false;
  double last_x = 0, last_y = 0;
  for (int i = 0; i < series->count; ++i) {
    double px = pixel(x, series->points[i].x), py = pixel(y, series->points[i].y);
    if (!isfinite(px) || !isfinite(py)) {
      open = false;
      continue;
    }
    bool last = i + 1 == series->count;
    if (open && !last && fabs(px - last_x) < SAME_SPOT && fabs(py - last_y) < SAME_SPOT)
      continue;
    fprintf(stream, "%c%.1f %.1f", open ? 'L' : 'M', px, py);
    open = true;
    last_x = px;
    last_y = py;
  }
  fprintf(stream, "\"/>\n");
}

static void draw_mark(FILE* stream, CliMark mark, int colour, double x, double y) {
  fprintf(stream, "<circle class=\"%s c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>",
          mark == CLI_MARK_RINGS ? "ring" : "dot", colour % COLOURS, x, y,
          mark == CLI_MARK_RINGS ? "4.5" : "3");
}

static void draw_series(FILE* stream, const CliSeries* series, const Axis* x, const Axis* y) {
  if (series->mark == CLI_MARK_LINE || series->mark == CLI_MARK_DASHED) {
    draw_line(stream, series, x, y);
    return;
  }
  for (int i = 0; i < series->count; ++i) {
    double px = pixel(x, series->points[i].x), py = pixel(y, series->points[i].y);
    if (isfinite(px) && isfinite(py))
      draw_mark(stream, series->mark, series->colour, px, py);
  }
  fputc('\n', stream);
}

// --- legend ------------------------------------------------------------------------------------

// Walks over the legend of a panel in lines of `width`; draws when `stream` is not NULL. Returns
// the number of lines.
static int legend(const CliPanel* panel, double width, FILE* stream, double left, double top) {
  double at = LEFT, limit = width - RIGHT;
  int line = 0, shown = 0;
  for (int s = 0; s < panel->series_count; ++s) {
    const CliSeries* series = panel->series[s];
    if (!series->label[0])
      continue;
    double length = 38 + LETTER * (double)strlen(series->label);
    if (shown++ > 0 && at + length > limit) {
      at = LEFT;
      ++line;
    }
    double x = left + at, y = top + LEGEND_LINE * line;
    at += length;
    if (!stream)
      continue;
    if (series->mark == CLI_MARK_LINE || series->mark == CLI_MARK_DASHED)
      fprintf(stream, "<path class=\"line c%d%s\" d=\"M%.1f %.1fh18\"/>", series->colour % COLOURS,
              series->mark == CLI_MARK_DASHED ? " dashed" : "", x, y);
    else
      draw_mark(stream, series->mark, series->colour, x + 9, y);
    fprintf(stream, "<text class=\"key\" x=\"%.1f\" y=\"%.1f\">", x + 23, y + 3.8);
    cli_page_escape(stream, series->label);
    fprintf(stream, "</text>\n");
  }
  return shown > 0 ? line + 1 : 0;
}

// --- panels ------------------------------------------------------------------------------------

static void text(FILE* stream, const char* class, double x, double y, const char* more,
                 const char* content) {
  fprintf(stream, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" %s>", class, x, y, more);
  cli_page_escape(stream, content);
  fprintf(stream, "</text>\n");
}

static void draw_panel(const CliPanel* panel, FILE* stream, double left, double top, int number,
                       int index) {
  Axis x = {
      .log = panel->axes & CLI_AXES_LOG_X, .from = left + LEFT, .to = left + PANEL_WIDTH - RIGHT};
  Axis y = {
      .log = panel->axes & CLI_AXES_LOG_Y, .from = top + PANEL_HEIGHT - BOTTOM, .to = top + TOP};
  find_range(panel, &x, false, panel->fixed_x);
  find_range(panel, &y, true, panel->fixed_y);
  if (panel->axes & CLI_AXES_EQUAL)
    make_equal(&x, &y);
  fprintf(stream,
          "<clipPath id=\"clip%d-%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
          "height=\"%.1f\"/></clipPath>\n",
          number, index, x.from, y.to, x.to - x.from, y.from - y.to);
  draw_ticks(stream, &x, &y, false);
  draw_ticks(stream, &y, &x, true);
  fprintf(stream, "<path class=\"frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x.from, y.to, y.from,
          x.to);
  fprintf(stream, "<g clip-path=\"url(#clip%d-%d)\">\n", number, index);
  for (int s = 0; s < panel->series_count; ++s)
    draw_series(stream, panel->series[s], &x, &y);
  fprintf(stream, "</g>\n");

  double middle = 0.5 * (y.from + y.to);
  char turned[96];
  snprintf(turned, sizeof turned, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"",
           left + 14, middle);
  text(stream, "panel", x.from, top + 16, "", panel->title);
  text(stream, "label", 0.5 * (x.from + x.to), y.from + 34, "text-anchor=\"middle\"",
       panel->label[0]);
  text(stream, "label", left + 14, middle, turned, panel->label[1]);
  if (!panel->plot->shared_legend)
    legend(panel, PANEL_WIDTH, stream, left, top + PANEL_HEIGHT + 4);
}

static const char* const style =
    "<style>"
    ".plot{--ink:#222;--faint:#e3e3e3;--soft:#666;font:12px system-ui,sans-serif}"
    ".plot .c0{--c:#0b64a8}.plot .c1{--c:#c4540a}.plot .c2{--c:#11795b}.plot .c3{--c:#a8327e}"
    ".plot .c4{--c:#8a6d00}.plot .c5{--c:#5b4bb5}.plot .c6{--c:#6b6b6b}.plot .c7{--c:#b3261e}"
    "@media(prefers-color-scheme:dark){.plot{--ink:#e6e6e6;--faint:#383838;--soft:#a8a8a8}"
    ".plot .c0{--c:#6cb4f0}.plot .c1{--c:#ff9a56}.plot .c2{--c:#5fd0a8}.plot .c3{--c:#f08cc8}"
    ".plot .c4{--c:#e0c050}.plot .c5{--c:#b0a4ff}.plot .c6{--c:#b8b8b8}.plot .c7{--c:#ff8a80}}"
    ".plot text{fill:var(--ink)}.plot .tick{fill:var(--soft);font-size:11px}"
    ".plot .power{font-size:9px}.plot .label,.plot .key{fill:var(--soft)}"
    ".plot .panel{font-weight:600}.plot path{fill:none}"
    ".plot .grid{stroke:var(--faint)}.plot .frame{stroke:var(--soft)}"
    ".plot .line{stroke:var(--c);stroke-width:1.6;stroke-linejoin:round}"
    ".plot .dashed{stroke-dasharray:5 4;stroke-width:1.3}"
    ".plot .dot{fill:var(--c)}.plot .ring{fill:none;stroke:var(--c);stroke-width:1.6}"
    "</style>\n";

void cli_plot_write(const CliPlot* plot, FILE* stream, int number) {
  int columns = plot->panel_count < COLUMNS ? plot->panel_count : COLUMNS;
  columns = columns > 0 ? columns : 1;
  int rows = (plot->panel_count + columns - 1) / columns;
  int lines = 0, width = columns * PANEL_WIDTH;
  const CliPanel* shared = plot->shared_legend && plot->panel_count > 0 ? plot->panels[0] : NULL;
  for (int p = 0; !shared && p < plot->panel_count; ++p) {
    int needed = legend(plot->panels[p], PANEL_WIDTH, NULL, 0, 0);
    lines = needed > lines ? needed : lines;
  }
  int height = PANEL_HEIGHT + LEGEND_LINE * lines + 8, below = rows * height;
  if (shared)
    below += LEGEND_LINE * legend(shared, width, NULL, 0, 0) + 8;
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot%s\" viewBox=\"0 0 %d %d\" "
          "width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
          columns == 1 ? " single" : "", width, below, width, below);
  cli_page_escape(stream, plot->title);
  fprintf(stream, "\">\n%s", style);
  for (int p = 0; p < plot->panel_count; ++p)
    draw_panel(plot->panels[p], stream, (double)(p % columns) * PANEL_WIDTH,
               (double)(p / columns) * height, number, p);
  if (shared)
    legend(shared, width, stream, 0, (double)rows * height + 8);
  fprintf(stream, "</svg>\n");
}
