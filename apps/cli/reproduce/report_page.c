// report_page.c - a report, and the index of all reports, as pages.
#include "cli/reproduce/reproduce.h"
#include "cli/text/page.h"

#include <math.h>

static void write_row(CliPage* page, const Reproduction* made, const ExperimentRow* row) {
  char published[32], measured[32];
  reproduction_number(row->published, published, sizeof published);
  reproduction_number(row->measured, measured, sizeof measured);
  const char* tone = row->checked ? "" : "soft";
  cli_page_cell(page, row->quantity, tone);
  cli_page_cell(page, isnan(row->published) ? "" : published, tone);
  cli_page_cell(page, measured, tone);
  cli_page_cell(page, row->unit, tone);
  cli_page_cell(page,
                !row->checked ? ""
                : row->pass   ? "pass"
                              : "FAIL",
                !row->checked ? ""
                : row->pass   ? "good"
                              : "bad");
  cli_page_cell(page, row->rule, "soft");
  cli_page_cell(page, reproduction_source(made, row), "soft");
}

static void write_rows(CliPage* page, const Reproduction* made, bool checked) {
  static const char* const checked_headings[] = {"quantity", ">published", ">measured", "unit",
                                                 "verdict",  "rule",       "source"};
  static const char* const shown_headings[] = {
      "quantity", ">published", ">measured", "unit", "", "why it is not checked", "source"};
  const ExperimentReport* report = &made->report;
  ExperimentCounts counts = experiment_counts(report);
  if ((checked ? counts.checked : counts.shown) == 0)
    return;
  cli_page_heading(page, checked ? "Checked" : "Shown, without a verdict");
  cli_page_records(page, checked ? checked_headings : shown_headings,
                   sizeof shown_headings / sizeof shown_headings[0]);
  for (int i = 0; i < report->row_count; ++i)
    if (report->rows[i].checked == checked)
      write_row(page, made, &report->rows[i]);
  cli_page_table_end(page);
}

static void write_parameters(CliPage* page, const ExperimentReport* report) {
  static const char* const headings[] = {"parameter", "value", "origin"};
  if (report->parameter_count == 0)
    return;
  cli_page_heading(page, "Parameters");
  cli_page_records(page, headings, sizeof headings / sizeof headings[0]);
  for (int i = 0; i < report->parameter_count; ++i) {
    const ExperimentParameter* parameter = &report->parameters[i];
    cli_page_cell(page, parameter->name, "");
    cli_page_cell(page, parameter->value, "");
    cli_page_cell(page, parameter->given ? "given by the paper" : "chosen here",
                  parameter->given ? "" : "soft");
  }
  cli_page_table_end(page);
}

static void write_head(CliPage* page, const Reproduction* made) {
  const Experiment* experiment = made->experiment;
  const ExperimentReport* report = &made->report;
  char text[EXPERIMENT_NOTE + 64];
  if (experiment->work) {
    snprintf(text, sizeof text, "%s: %s. %s.", experiment->work->authors, experiment->work->title,
             experiment->work->place);
    cli_page_paragraph(page, text);
  }
  cli_page_paragraph(page, experiment->paper);
  cli_page_paragraph(page, experiment->summary);
  if (made->overrides[0]) {
    snprintf(text, sizeof text, "Not as published: made with%s.", made->overrides);
    cli_page_warning(page, text);
  }
  if (report->disagreement_count > 0)
    cli_page_heading(page, "Where this differs from the paper");
  for (int i = 0; i < report->disagreement_count; ++i)
    cli_page_warning(page, report->disagreements[i]);
  reproduction_headline(report, text, sizeof text);
  cli_page_verdict(page, experiment_passed(report), text);
}

void reproduction_page(const Reproduction* made, FILE* stream) {
  const ExperimentReport* report = &made->report;
  CliPage page;
  char text[EXPERIMENT_NOTE];
  cli_page_open(&page, stream, made->experiment->name);
  write_head(&page, made);
  reproduction_picture(made->experiment, stream);
  for (int i = 0; i < report->plot_count; ++i)
    cli_page_plot(&page, report->plots[i]);
  write_rows(&page, made, true);
  write_parameters(&page, report);
  if (report->note_count > 0)
    cli_page_heading(&page, "Notes");
  for (int i = 0; i < report->note_count; ++i)
    cli_page_paragraph(&page, report->notes[i]);
  write_rows(&page, made, false);
  cli_page_heading(&page, "Make it again");
  reproduction_command(made, text, sizeof text);
  cli_page_command(&page, "This report:", text);
  reproduction_view(made, text, sizeof text);
  if (text[0])
    cli_page_command(&page, "Watch the scene:", text);
  cli_page_close(&page);
}

static void index_row(CliPage* page, const Reproduction* made) {
  ExperimentCounts counts = experiment_counts(&made->report);
  char text[EXPERIMENT_TEXT];
  snprintf(text, sizeof text, "%s.html", made->experiment->name);
  cli_page_link(page, made->experiment->name, text);
  cli_page_cell(page, made->experiment->paper, "");
  snprintf(text, sizeof text, "%d", counts.checked);
  cli_page_cell(page, text, "");
  snprintf(text, sizeof text, "%d", counts.passed);
  cli_page_cell(page, text, experiment_passed(&made->report) ? "good" : "bad");
  snprintf(text, sizeof text, "%d", counts.shown);
  cli_page_cell(page, text, "soft");
  snprintf(text, sizeof text, "%.1f", made->seconds);
  cli_page_cell(page, text, "soft");
}

void reproduction_index(const Reproduction* made, int count, FILE* stream) {
  static const char* const headings[] = {"experiment", "paper",  ">checked",
                                         ">pass",      ">shown", ">CPU time [s]"};
  CliPage page;
  ExperimentCounts counts;
  char text[EXPERIMENT_NOTE + EXPERIMENT_TEXT];
  bool pass = reproduction_total(made, count, &counts);
  cli_page_open(&page, stream, "Published experiments, made again");
  cli_page_paragraph(&page,
                     "A checked row compares with a published or derived number or a bound, names "
                     "its source, and passes or fails. A shown row has no verdict.");
  snprintf(text, sizeof text, "%d experiments: %d checked, %d pass; %d shown.", count,
           counts.checked, counts.passed, counts.shown);
  cli_page_verdict(&page, pass, text);
  cli_page_records(&page, headings, sizeof headings / sizeof headings[0]);
  for (int i = 0; i < count; ++i)
    index_row(&page, &made[i]);
  cli_page_table_end(&page);
  cli_page_heading(&page, "Where results differ from the papers");
  for (int i = 0; i < count; ++i) {
    const ExperimentReport* report = &made[i].report;
    if (report->failure[0]) {
      snprintf(text, sizeof text, "%s could not be made: %s.", made[i].experiment->name,
               report->failure);
      cli_page_warning(&page, text);
    }
    for (int k = 0; k < report->disagreement_count; ++k) {
      snprintf(text, sizeof text, "%s: %s", made[i].experiment->name, report->disagreements[k]);
      cli_page_warning(&page, text);
    }
  }
  cli_page_command(&page, "Made by", "rigor reproduce all --html index.html");
  cli_page_close(&page);
}
