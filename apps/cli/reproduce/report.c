// report.c - what all forms of a report share, and the report as text.
#include "cli/reproduce/reproduce.h"
#include "cli/text/text.h"

#include <math.h>
#include <string.h>

void reproduction_number(double value, char* text, size_t size) {
  if (isnan(value))
    snprintf(text, size, "-");
  else
    snprintf(text, size, "%.6g", value);
}

void reproduction_headline(const ExperimentReport* report, char* text, size_t size) {
  ExperimentCounts counts = experiment_counts(report);
  if (report->failure[0])
    snprintf(text, size, "Could not be made: %s.", report->failure);
  else if (report->out_of_memory)
    snprintf(text, size, "Not enough memory: the report is not complete.");
  else
    snprintf(text, size, "%d checked, %d pass; %d shown.", counts.checked, counts.passed,
             counts.shown);
}

void reproduction_command(const Reproduction* made, char* text, size_t size) {
  snprintf(text, size, "rigor reproduce %s%s", made->experiment->name, made->overrides);
}

void reproduction_view(const Reproduction* made, char* text, size_t size) {
  text[0] = '\0';
  if (made->experiment->scene)
    snprintf(text, size, "rigor view scenes/experiments/%s.json -o scene.html",
             made->experiment->scene);
}

const char* reproduction_source(const Reproduction* made, const ExperimentRow* row) {
  bool needs = row->checked || !isnan(row->published);
  return row->source[0] ? row->source : needs ? made->experiment->paper : "";
}

bool reproduction_total(const Reproduction* made, int count, ExperimentCounts* counts) {
  bool pass = true;
  ExperimentCounts sum = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    ExperimentCounts one = experiment_counts(&made[i].report);
    sum.checked += one.checked;
    sum.passed += one.passed;
    sum.shown += one.shown;
    pass = pass && experiment_passed(&made[i].report);
  }
  if (counts)
    *counts = sum;
  return pass;
}

// --- text --------------------------------------------------------------------------------------

static int longest(const ExperimentReport* report, bool unit) {
  int width = unit ? 4 : 8;
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    int length = (int)strlen(unit ? row->unit : row->quantity);
    width = length > width ? length : width;
  }
  return width;
}

static void print_head(const Reproduction* made, const CliStyle* style) {
  const Experiment* experiment = made->experiment;
  const ExperimentReport* report = &made->report;
  printf("%s%s%s  %s%s%s\n", style->bold, experiment->name, style->plain, style->dim,
         experiment->paper, style->plain);
  if (experiment->work)
    printf("%s%s: %s%s\n", style->dim, experiment->work->authors, experiment->work->title,
           style->plain);
  cli_wrap(stdout, experiment->summary, 0, 0);
  if (made->overrides[0])
    printf("%sNot as published: made with%s.%s\n", style->bad, made->overrides, style->plain);
  for (int i = 0; i < report->disagreement_count; ++i) {
    printf("\n%sDiffers from the paper.%s ", style->bold, style->plain);
    cli_wrap(stdout, report->disagreements[i], 24, 2);
  }
}

static void print_rows(const Reproduction* made, const CliStyle* style) {
  const ExperimentReport* report = &made->report;
  int quantity = longest(report, false), unit = longest(report, true);
  printf("\n  %s%-*s  %-*s  %12s  %12s%s\n", style->dim, quantity, "quantity", unit, "unit",
         "published", "measured", style->plain);
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    const char* source = reproduction_source(made, row);
    char published[32], measured[32];
    reproduction_number(row->published, published, sizeof published);
    reproduction_number(row->measured, measured, sizeof measured);
    printf("  %-*s  %-*s  %12s  %12s  %s%-5s%s  %s%s%s%s%s%s\n", quantity, row->quantity, unit,
           row->unit, published, measured,
           !row->checked ? style->dim
           : row->pass   ? style->good
                         : style->bad,
           !row->checked ? "shown"
           : row->pass   ? "pass"
                         : "FAIL",
           style->plain, style->dim, row->rule, source[0] ? (row->rule[0] ? " (" : "(") : "",
           source, source[0] ? ")" : "", style->plain);
  }
}

static void print_parameters(const ExperimentReport* report, const CliStyle* style) {
  if (report->parameter_count > 0)
    printf("\n  %sparameters%s\n", style->dim, style->plain);
  for (int i = 0; i < report->parameter_count; ++i) {
    const ExperimentParameter* parameter = &report->parameters[i];
    int width = printf("  %-6s  %s: ", parameter->given ? "given" : "chosen", parameter->name);
    cli_wrap(stdout, parameter->value, width, 10);
  }
}

void reproduction_print(const Reproduction* made) {
  const ExperimentReport* report = &made->report;
  CliStyle style = cli_style(stdout);
  print_head(made, &style);
  print_rows(made, &style);
  print_parameters(report, &style);
  putchar('\n');
  for (int i = 0; i < report->note_count; ++i)
    cli_wrap(stdout, report->notes[i], 0, 0);
  if (report->note_count > 0)
    putchar('\n');
  char text[EXPERIMENT_NOTE + 64];
  reproduction_view(made, text, sizeof text);
  if (text[0])
    printf("To watch the scene: %s\n", text);
  reproduction_headline(report, text, sizeof text);
  fputs(experiment_passed(report) ? style.good : style.bad, stdout);
  cli_wrap(stdout, text, 0, 0);
  fputs(style.plain, stdout);
}

void reproduction_print_all(const Reproduction* made, int count) {
  CliStyle style = cli_style(stdout);
  double seconds = 0;
  for (int i = 0; i < count; ++i) {
    char text[EXPERIMENT_NOTE + 64];
    reproduction_headline(&made[i].report, text, sizeof text);
    printf("%-24s  %6.1f s  %s%s%s\n", made[i].experiment->name, made[i].seconds,
           experiment_passed(&made[i].report) ? style.good : style.bad, text, style.plain);
    for (int k = 0; k < made[i].report.disagreement_count; ++k) {
      printf("    differs from the paper: ");
      cli_wrap(stdout, made[i].report.disagreements[k], 28, 4);
    }
    seconds += made[i].seconds;
  }
  ExperimentCounts counts;
  bool pass = reproduction_total(made, count, &counts);
  printf("%s%d experiments, %d checked, %d pass; %d shown.%s CPU time %.1f s.\n",
         pass ? style.good : style.bad, count, counts.checked, counts.passed, counts.shown,
         style.plain, seconds);
}

// --- JSON --------------------------------------------------------------------------------------

static void json_rows(const Reproduction* made, CliJson* json) {
  cli_json_open(json, "rows", '[');
  for (int i = 0; i < made->report.row_count; ++i) {
    const ExperimentRow* row = &made->report.rows[i];
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "quantity", row->quantity);
    cli_json_text(json, "unit", row->unit);
    cli_json_real(json, "published", row->published);
    cli_json_real(json, "measured", row->measured);
    cli_json_bool(json, "checked", row->checked);
    cli_json_text(json, row->checked ? "rule" : "why", row->rule);
    cli_json_text(json, "source", reproduction_source(made, row));
    if (row->checked)
      cli_json_bool(json, "pass", row->pass);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void json_parameters(const ExperimentReport* report, CliJson* json) {
  cli_json_open(json, "parameters", '[');
  for (int i = 0; i < report->parameter_count; ++i) {
    const ExperimentParameter* parameter = &report->parameters[i];
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", parameter->name);
    cli_json_text(json, "value", parameter->value);
    cli_json_text(json, "origin", parameter->given ? "given" : "chosen");
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void json_counts(CliJson* json, ExperimentCounts counts) {
  cli_json_count(json, "checked", counts.checked);
  cli_json_count(json, "passed", counts.passed);
  cli_json_count(json, "shown", counts.shown);
}

void reproduction_json(const Reproduction* made, CliJson* json) {
  const Experiment* experiment = made->experiment;
  const ExperimentReport* report = &made->report;
  char command[EXPERIMENT_NOTE];
  reproduction_command(made, command, sizeof command);
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "experiment", experiment->name);
  cli_json_text(json, "paper", experiment->paper);
  cli_json_text(json, "authors", experiment->work ? experiment->work->authors : NULL);
  cli_json_text(json, "title", experiment->work ? experiment->work->title : NULL);
  cli_json_text(json, "summary", experiment->summary);
  cli_json_text(json, "command", command);
  cli_json_text(json, "version", rg_version());
  cli_json_real(json, "seconds", made->seconds);
  cli_json_open(json, "disagreements", '[');
  for (int i = 0; i < report->disagreement_count; ++i)
    cli_json_text(json, NULL, report->disagreements[i]);
  cli_json_close(json, ']');
  json_counts(json, experiment_counts(report));
  json_rows(made, json);
  json_parameters(report, json);
  cli_json_open(json, "notes", '[');
  for (int i = 0; i < report->note_count; ++i)
    cli_json_text(json, NULL, report->notes[i]);
  cli_json_close(json, ']');
  cli_json_text(json, "failure", report->failure[0] ? report->failure : NULL);
  cli_json_bool(json, "pass", experiment_passed(report));
  cli_json_close(json, '}');
}

void reproduction_json_all(const Reproduction* made, int count) {
  CliJson json = {.stream = stdout};
  ExperimentCounts counts;
  bool pass = reproduction_total(made, count, &counts);
  cli_json_open(&json, NULL, '{');
  json_counts(&json, counts);
  cli_json_open(&json, "experiments", '[');
  for (int i = 0; i < count; ++i)
    reproduction_json(&made[i], &json);
  cli_json_close(&json, ']');
  cli_json_bool(&json, "pass", pass);
  cli_json_close(&json, '}');
}
