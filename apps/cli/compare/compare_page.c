// compare_page.c - the results of `rigor compare` as a page: plots over time and the table.
//
// A plot has four panels with a line per combination. More lines than there are colours are split:
// a plot for each stepper, and if that is still too much, for each stepper and stabilizer.
#include "cli/compare/compare.h"
#include "cli/text/page.h"
#include "cli/text/text.h"

#include <math.h>
#include <stddef.h>

enum { LINES_MAX = 8 }; // colours of a plot

static bool is_drawn(const CliCombination* combination) {
  return combination->sample_count > 1 && combination->fate != CLI_FATE_REFUSED;
}

// Which combinations a plot shows: those with the given names; NULL stands for any.
typedef struct Filter {
  const char* name[CLI_CHOICE_COUNT];
} Filter;

static bool passes(const Filter* filter, const CliCombination* combination) {
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    if (filter->name[c] && filter->name[c] != combination->name[c])
      return false;
  return is_drawn(combination);
}

static int count_lines(const CliComparison* comparison, const Filter* filter) {
  int count = 0;
  for (int i = 0; i < comparison->count; ++i)
    count += passes(filter, &comparison->combinations[i]);
  return count;
}

// --- plots -------------------------------------------------------------------------------------

typedef struct Panel {
  const char *title, *label;
  const char* nothing; // said instead of a panel that would be empty
  size_t offset;       // in CliSample
  int axes;
} Panel;

static const Panel panels[] = {
    {"Energy since the start", "E - E(0) [J]", "", offsetof(CliSample, energy), CLI_AXES_LINEAR},
    {"Residual", "residual [-]", "Every residual is zero", offsetof(CliSample, worst.residual),
     CLI_AXES_LOG_Y},
    {"Penetration", "overlap [m]", "Nothing overlaps", offsetof(CliSample, worst.penetration),
     CLI_AXES_LOG_Y},
    {"Joint error", "error [m]", "No joint is off its place",
     offsetof(CliSample, worst.joint_error), CLI_AXES_LOG_Y},
};
enum { PANEL_COUNT = sizeof panels / sizeof panels[0] };

static double value_of(const Panel* panel, const CliSample* sample) {
  return *(const double*)(const void*)((const char*)sample + panel->offset);
}

// Whether a panel has anything to show: a logarithm shows nothing of zeros.
static bool has_values(const CliComparison* comparison, const Filter* filter, const Panel* panel) {
  bool log = panel->axes & CLI_AXES_LOG_Y;
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    for (int k = 0; passes(filter, combination) && k < combination->sample_count; ++k)
      if (!log || value_of(panel, &combination->samples[k]) > 0)
        return true;
  }
  return false;
}

// The names that differ between combinations of the plot; all when none does.
static void find_shown(const CliComparison* comparison, const Filter* filter, bool* shown) {
  const CliCombination* first = NULL;
  bool any = false;
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    shown[c] = false;
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    if (!passes(filter, combination))
      continue;
    first = first ? first : combination;
    for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
      any = (shown[c] = shown[c] || combination->name[c] != first->name[c]) || any;
  }
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    shown[c] = shown[c] || !any;
}

static void add_panel(CliPlot* plot, const CliComparison* comparison, const Filter* filter,
                      const Panel* about) {
  bool shown[CLI_CHOICE_COUNT];
  int line = 0;
  find_shown(comparison, filter, shown);
  CliPanel* panel = cli_plot_panel(plot, about->title, "t [s]", about->label, about->axes);
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    if (!passes(filter, combination))
      continue;
    char label[CLI_TEXT_MAX];
    cli_combination_label(combination, shown, label, sizeof label);
    CliMark mark = line < LINES_MAX ? CLI_MARK_LINE : CLI_MARK_DASHED;
    CliSeries* series = cli_panel_series(panel, label, mark, line++);
    for (int k = 0; k < combination->sample_count; ++k) {
      const CliSample* sample = &combination->samples[k];
      cli_series_point(series, sample->time, value_of(about, sample));
    }
  }
}

// Says what is not drawn because it is zero throughout.
static void write_caption(const bool* empty, char* text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "%s",
                                 "Where a run has more steps than the plot has room for, a point "
                                 "is the worst of a few. Lines that agree lie over each other.");
  for (int p = 0; p < PANEL_COUNT && used < size; ++p)
    if (empty[p])
      used += (size_t)snprintf(text + used, size - used, " %s.", panels[p].nothing);
}

static bool add_plot(CliPage* page, const CliComparison* comparison, const Filter* filter) {
  char title[CLI_TEXT_MAX] = "Over time", caption[CLI_TEXT_MAX];
  bool empty[PANEL_COUNT];
  size_t used = 0;
  if (count_lines(comparison, filter) == 0)
    return true;
  for (int p = 0; p < PANEL_COUNT; ++p)
    empty[p] = !has_values(comparison, filter, &panels[p]);
  for (int c = 0; c < CLI_CHOICE_COUNT && used < sizeof title; ++c)
    if (filter->name[c])
      used += (size_t)snprintf(title + used, sizeof title - used, "%s%s %s", used > 0 ? ", " : "",
                               cli_choice_name[c], filter->name[c]);
  write_caption(empty, caption, sizeof caption);
  CliPlot* plot = cli_plot_new(title, caption);
  cli_plot_share_legend(plot);
  for (int p = 0; p < PANEL_COUNT; ++p)
    if (!empty[p])
      add_panel(plot, comparison, filter, &panels[p]);
  bool whole = cli_plot_whole(plot);
  if (plot)
    cli_page_plot(page, plot);
  cli_plot_free(plot);
  return whole;
}

// Plots of the combinations that pass, split by the choices from `order` on.
static bool add_plots(CliPage* page, const CliComparison* comparison, const Filter* filter,
                      const CliChoice* order, int choices_left) {
  if (count_lines(comparison, filter) <= LINES_MAX || choices_left == 0)
    return add_plot(page, comparison, filter);
  bool whole = true;
  for (int i = 0; i < comparison->name_count[order[0]]; ++i) {
    Filter part = *filter;
    part.name[order[0]] = comparison->names[order[0]][i];
    whole = add_plots(page, comparison, &part, order + 1, choices_left - 1) && whole;
  }
  return whole;
}

// --- the table ---------------------------------------------------------------------------------

static void write_names(CliPage* page, const CliCombination* combination) {
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    cli_page_cell(page, combination->name[c], "");
}

// Columns `first` to `first + count`.
static void write_table(CliPage* page, const CliComparison* comparison, int first, int count) {
  char text[CLI_COMPARE_COLUMNS][CLI_TEXT_MAX];
  const char* headings[CLI_CHOICE_COUNT + CLI_COMPARE_COLUMNS];
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    headings[c] = cli_choice_name[c];
  for (int k = 0; k < count; ++k) {
    const CliCompareColumn* column = cli_compare_column(first + k);
    bool unit = column->unit[0] && column->unit[0] != '-';
    snprintf(text[k], sizeof text[k], ">%s%s%s%s", column->head, unit ? " [" : "",
             unit ? column->unit : "", unit ? "]" : "");
    headings[CLI_CHOICE_COUNT + k] = text[k];
  }
  cli_page_table(page, headings, CLI_CHOICE_COUNT + count);
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    if (combination->fate != CLI_FATE_RAN)
      continue;
    write_names(page, combination);
    for (int k = first; k < first + count; ++k) {
      const CliCompareColumn* column = cli_compare_column(k);
      char cell[CLI_TEXT_MAX];
      bool bad = column->doubtful && combination->summary.not_met > 0;
      cli_compare_cell(column, comparison, combination, cell, sizeof cell);
      cli_page_cell(page, cell, bad ? "bad" : "");
    }
  }
  cli_page_table_end(page);
}

static void write_remarks(CliPage* page, const CliComparison* comparison) {
  const char* const headings[] = {cli_choice_name[0], cli_choice_name[1], cli_choice_name[2],
                                  "outcome", "why"};
  cli_page_heading(page, "Without a result");
  cli_page_table(page, headings, CLI_CHOICE_COUNT + 2);
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    char remark[CLI_TEXT_MAX];
    if (combination->fate == CLI_FATE_RAN)
      continue;
    cli_combination_remark(comparison, combination, remark, sizeof remark);
    write_names(page, combination);
    cli_page_cell(page, remark, combination->fate == CLI_FATE_FAILED ? "bad" : "");
    cli_page_cell(page, combination->summary.reason.text, "");
  }
  cli_page_table_end(page);
}

void cli_comparison_page(const CliComparison* comparison, FILE* stream) {
  static const CliChoice order[] = {CLI_CHOICE_STEPPER, CLI_CHOICE_STABILIZER};
  CliTally tally = cli_comparison_tally(comparison);
  CliPage page;
  char text[3 * CLI_TEXT_MAX];
  const char* title = rg_scene_title(comparison->scene);
  cli_page_open(&page, stream, title[0] ? title : comparison->scene_path);
  snprintf(text, sizeof text, "%s: %g s in steps of %g s, tolerance %g. %d combination%s.",
           comparison->scene_path, comparison->time, comparison->options.step,
           comparison->options.tolerance, comparison->count, comparison->count == 1 ? "" : "s");
  cli_page_paragraph(&page, text);
  cli_comparison_sentence(comparison, text, sizeof text);
  cli_page_verdict(
      &page, tally.ran > 0 && tally.not_met == 0 && tally.ran + tally.refused == comparison->count,
      text);
  bool whole = add_plots(&page, comparison, &(Filter){{NULL}}, order, 2);
  if (!whole)
    cli_page_verdict(&page, false, "Memory ran out: the plots are not complete.");
  if (tally.ran > 0) {
    cli_page_heading(&page, "Work and contacts");
    write_table(&page, comparison, 0, CLI_COMPARE_FIRST);
    cli_page_heading(&page, "Joints, energy and the last state");
    write_table(&page, comparison, CLI_COMPARE_FIRST, CLI_COMPARE_COLUMNS - CLI_COMPARE_FIRST);
    cli_comparison_legend(comparison, text, sizeof text);
    cli_page_paragraph(&page, text);
  }
  if (tally.ran < comparison->count)
    write_remarks(&page, comparison);
  cli_page_close(&page);
}
