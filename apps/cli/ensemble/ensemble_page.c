// ensemble_page.c - what an ensemble has given, as tables and plots of a page.
//
// A quantity has a histogram with about sqrt n bars of equal width, its mean with the interval over the
// number of runs, and a panel against each of the numbers that varied.
#include "cli/ensemble/ensemble.h"
#include "cli/text/page.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>

enum { BARS_MIN = 5, BARS_MAX = 40, POINTS_MAX = 2000, AGAINST_MAX = 3 };

static double value_at(const CliEnsemble* ensemble, int64_t run, int column) {
  return ensemble->rows[(size_t)run * (size_t)ensemble->column_count + (size_t)column];
}

static void label_of(const CliColumn* column, char* text, size_t size) {
  bool unit = column->unit[0] != '\0';
  snprintf(text, size, "%s%s%s%s", column->name, unit ? " [" : "", column->unit, unit ? "]" : "");
}

static void add_histogram(CliPlot* plot, const CliEnsemble* ensemble, const CliTallied* of,
                          int column) {
  char label[CLI_TEXT_MAX];
  int64_t counts[BARS_MAX] = {0};
  double least = of->moments.least, range = of->moments.largest - least;
  int bars = (int)sqrt((double)of->moments.count);
  bars = bars < BARS_MIN ? BARS_MIN : bars > BARS_MAX ? BARS_MAX : bars;
  if (!(range > 0))
    return; // all runs agree; the table says so
  for (int64_t i = 0; i < ensemble->limit; ++i) {
    double value = value_at(ensemble, i, column);
    if (!ensemble->finish[i] || !isfinite(value))
      continue;
    int bar = (int)((value - least) / range * bars);
    counts[bar < bars ? bar : bars - 1]++;
  }
  label_of(&ensemble->columns[column], label, sizeof label);
  CliPanel* panel = cli_plot_panel(plot, "Histogram", label, "runs", CLI_AXES_LINEAR);
  CliSeries* series = cli_panel_series(panel, "", CLI_MARK_LINE, 0);
  cli_series_point(series, least, 0);
  for (int b = 0; b < bars; ++b) {
    cli_series_point(series, least + range * b / bars, (double)counts[b]);
    cli_series_point(series, least + range * (b + 1) / bars, (double)counts[b]);
  }
  cli_series_point(series, of->moments.largest, 0);
}

// The mean of the first n runs with its interval, for n up to all.
static void add_narrowing(CliPlot* plot, const CliEnsemble* ensemble, int column) {
  char label[CLI_TEXT_MAX];
  label_of(&ensemble->columns[column], label, sizeof label);
  CliPanel* panel = cli_plot_panel(plot, "Mean and interval", "runs", label, CLI_AXES_LOG_X);
  CliSeries* series[] = {cli_panel_series(panel, "mean", CLI_MARK_LINE, 0),
                         cli_panel_series(panel, "interval", CLI_MARK_DASHED, 1),
                         cli_panel_series(panel, "", CLI_MARK_DASHED, 1)};
  rgMoments moments = {0};
  double due = 5;
  for (int64_t i = 0; i < ensemble->limit; ++i) {
    double value = value_at(ensemble, i, column);
    if (!ensemble->finish[i] || !isfinite(value))
      continue;
    rg_moments_add(&moments, value);
    if ((double)moments.count < due && i + 1 < ensemble->limit)
      continue;
    due = ceil((double)moments.count * 1.1);
    rgInterval interval = rg_moments_interval(&moments, ensemble->confidence);
    cli_series_point(series[0], (double)moments.count, moments.mean);
    cli_series_point(series[1], (double)moments.count, interval.lower);
    cli_series_point(series[2], (double)moments.count, interval.upper);
  }
}

static void add_against(CliPlot* plot, const CliEnsemble* ensemble, int varied, int column) {
  char x[CLI_TEXT_MAX], y[CLI_TEXT_MAX], title[2 * CLI_TEXT_MAX];
  label_of(&ensemble->columns[varied], x, sizeof x);
  label_of(&ensemble->columns[column], y, sizeof y);
  snprintf(title, sizeof title, "Against %s", ensemble->columns[varied].name);
  CliPanel* panel = cli_plot_panel(plot, title, x, y, CLI_AXES_LINEAR);
  CliSeries* series = cli_panel_series(panel, "", CLI_MARK_POINTS, 0);
  int64_t every = 1 + ensemble->limit / POINTS_MAX;
  for (int64_t i = 0; i < ensemble->limit; i += every)
    if (ensemble->finish[i])
      cli_series_point(series, value_at(ensemble, i, varied), value_at(ensemble, i, column));
}

static bool add_plot(const CliEnsemble* ensemble, const CliTallied* of, int column, CliPage* page) {
  char caption[CLI_TEXT_MAX];
  if (of->moments.count < 2)
    return true;
  snprintf(caption, sizeof caption,
           "%" PRId64 " runs with a value. Student's interval of %g %% of the mean.",
           of->moments.count, 100 * ensemble->confidence);
  CliPlot* plot = cli_plot_new(ensemble->columns[column].name, caption);
  add_histogram(plot, ensemble, of, column);
  add_narrowing(plot, ensemble, column);
  int against = 0;
  for (int c = 0; c < ensemble->column_count && against < AGAINST_MAX; ++c)
    if (ensemble->columns[c].kind == CLI_COLUMN_VARIED && ++against)
      add_against(plot, ensemble, c, column);
  bool whole = cli_plot_whole(plot);
  if (plot)
    cli_page_plot(page, plot);
  cli_plot_free(plot);
  return whole;
}

// --- tables --------------------------------------------------------------------------------------

static void number_cell(CliPage* page, double value) {
  char text[CLI_TEXT_MAX];
  snprintf(text, sizeof text, "%.5g", value);
  cli_page_cell(page, text, "");
}

static void write_means(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page) {
  static const char* const headings[] = {"quantity", "unit",     ">mean",
                                         ">lower",   ">upper",   ">deviation",
                                         ">least",   ">largest", ">runs without"};
  cli_page_table(page, headings, 9);
  for (int c = 0; c < ensemble->column_count; ++c) {
    const CliColumn* column = &ensemble->columns[c];
    const rgMoments* moments = &tallied[c].moments;
    if (column->kind == CLI_COLUMN_SHARE || column->kind == CLI_COLUMN_CLASS)
      continue;
    rgInterval interval = rg_moments_interval(moments, ensemble->confidence);
    cli_page_cell(page, column->name, "");
    cli_page_cell(page, column->unit, "");
    number_cell(page, moments->mean);
    number_cell(page, interval.lower);
    number_cell(page, interval.upper);
    number_cell(page, rg_moments_deviation(moments));
    number_cell(page, moments->least);
    number_cell(page, moments->largest);
    number_cell(page, (double)tallied[c].missing);
  }
  cli_page_table_end(page);
}

static void write_shares(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page) {
  static const char* const headings[] = {"quantity", "class",    ">share %",
                                         ">lower %", ">upper %", ">runs"};
  cli_page_heading(page, "Shares");
  cli_page_table(page, headings, 6);
  for (int c = 0; c < ensemble->column_count; ++c) {
    const CliColumn* column = &ensemble->columns[c];
    const CliTallied* of = &tallied[c];
    bool share = column->kind == CLI_COLUMN_SHARE;
    if (!share && column->kind != CLI_COLUMN_CLASS)
      continue;
    for (int i = share ? 1 : 0; i < (share ? 2 : column->class_count); ++i) {
      rgInterval interval = cli_tally_class(ensemble, of, i);
      int64_t runs = of->moments.count + of->missing;
      cli_page_cell(page, column->name, "");
      cli_page_cell(page, share ? "yes" : column->class_name(ensemble->context, i), "");
      number_cell(page, runs > 0 ? 100.0 * (double)of->classes[i] / (double)runs : 0);
      number_cell(page, 100 * interval.lower);
      number_cell(page, 100 * interval.upper);
      number_cell(page, (double)of->classes[i]);
    }
  }
  cli_page_table_end(page);
}

static bool has_kind(const CliEnsemble* ensemble, CliColumnKind a, CliColumnKind b) {
  for (int c = 0; c < ensemble->column_count; ++c)
    if (ensemble->columns[c].kind == a || ensemble->columns[c].kind == b)
      return true;
  return false;
}

bool cli_ensemble_page(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page) {
  char text[CLI_TEXT_MAX];
  bool whole = true;
  cli_ensemble_sentence(ensemble, text, sizeof text);
  cli_page_verdict(page, cli_ensemble_exit(ensemble) == CLI_EXIT_OK, text);
  if (ensemble->trouble_run >= 0) {
    char trouble[2 * CLI_TEXT_MAX];
    snprintf(trouble, sizeof trouble, "Run %" PRId64 ": %s", ensemble->trouble_run,
             ensemble->trouble.text);
    cli_page_warning(page, trouble);
  }
  if (has_kind(ensemble, CLI_COLUMN_NUMBER, CLI_COLUMN_VARIED)) {
    cli_page_heading(page, "Means");
    write_means(ensemble, tallied, page);
  }
  if (has_kind(ensemble, CLI_COLUMN_SHARE, CLI_COLUMN_CLASS))
    write_shares(ensemble, tallied, page);
  snprintf(text, sizeof text,
           "Intervals of %g %%: Student's of means, Wilson's of shares. Runs that failed have no "
           "value for a mean, and count among the runs of a share.",
           100 * ensemble->confidence);
  cli_page_paragraph(page, text);
  for (int c = 0; c < ensemble->column_count; ++c)
    if (ensemble->columns[c].kind == CLI_COLUMN_NUMBER)
      whole = add_plot(ensemble, &tallied[c], c, page) && whole;
  return whole;
}
