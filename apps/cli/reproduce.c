// reproduce.c - `rigor reproduce`: a published experiment, with what was published beside what is
// measured.
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/system/clash.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/json.h"
#include "cli/text/page.h"
#include "cli/text/text.h"
#include "experiments/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ReproduceValues {
  bool list, json;
  const char *html, *data;
} ReproduceValues;

// clang-format off
static const CliOption options[] = {
    {.name = "list", .type = CLI_FLAG, .offset = offsetof(ReproduceValues, list),
     .help = "name all experiments"},
    {.name = "html", .type = CLI_TEXT, .value = "FILE", .offset = offsetof(ReproduceValues, html),
     .help = "write a page with tables and plots; it needs nothing but itself"},
    {.name = "data", .type = CLI_TEXT, .value = "DIR", .offset = offsetof(ReproduceValues, data),
     .help = "folder of the measurements, of experiments that have any. Default: their folder in "
             "data/ of the folder that RIGOR_SHARED names, or of ../shared"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(ReproduceValues, json),
     .help = "the rows as one JSON object"},
    {0},
};
// clang-format on

// --- progress ----------------------------------------------------------------------------------

typedef struct Progress {
  bool on; // stderr is a terminal
  double drawn;
} Progress;

static const double DRAW_INTERVAL = 0.1; // [s] faster is not seen

static bool show_progress(void* context, double fraction, const char* what) {
  Progress* progress = context;
  double now = cli_wall_clock();
  if (progress->on && now - progress->drawn >= DRAW_INTERVAL) {
    progress->drawn = now;
    fprintf(stderr, "\r%3d %%  %.70s\033[K", (int)(100 * fraction), what);
    fflush(stderr);
  }
  return !cli_interrupted();
}

static void clear_progress(const Progress* progress) {
  if (!progress->on)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}

// --- the report --------------------------------------------------------------------------------

static void number_text(double value, char* text, size_t size) {
  if (isnan(value))
    snprintf(text, size, "-");
  else
    snprintf(text, size, "%.6g", value);
}

static void verdict_text(const ExperimentReport* report, char* text, size_t size) {
  int failed = 0;
  for (int i = 0; i < report->row_count; ++i)
    failed += !report->rows[i].pass;
  if (report->failure[0])
    snprintf(text, size, "Could not be made: %s.", report->failure);
  else if (report->out_of_memory)
    snprintf(text, size, "Not enough memory: the report is not complete.");
  else if (failed == 0)
    snprintf(text, size, "All %d rows pass.", report->row_count);
  else
    snprintf(text, size, "%d of %d rows do NOT pass.", failed, report->row_count);
}

static int longest(const ExperimentReport* report, bool unit) {
  int width = unit ? 4 : 8;
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    int length = (int)strlen(unit ? row->unit : row->quantity);
    width = length > width ? length : width;
  }
  return width;
}

static void print_report(const Experiment* experiment, const ExperimentReport* report) {
  CliStyle style = cli_style(stdout);
  printf("%s%s%s  %s%s%s\n", style.bold, experiment->name, style.plain, style.dim,
         experiment->paper, style.plain);
  cli_wrap(stdout, experiment->summary, 0, 0);
  int quantity = longest(report, false), unit = longest(report, true);
  printf("\n  %s%-*s  %-*s  %12s  %12s%s\n", style.dim, quantity, "quantity", unit, "unit",
         "published", "measured", style.plain);
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    char published[32], measured[32];
    number_text(row->published, published, sizeof published);
    number_text(row->measured, measured, sizeof measured);
    printf("  %-*s  %-*s  %12s  %12s  %s%s%s  %s%s%s\n", quantity, row->quantity, unit, row->unit,
           published, measured, row->pass ? style.good : style.bad, row->pass ? "pass" : "FAIL",
           style.plain, style.dim, row->rule, style.plain);
  }
  putchar('\n');
  for (int i = 0; i < report->note_count; ++i)
    cli_wrap(stdout, report->notes[i], 0, 0);
  if (report->note_count > 0)
    putchar('\n');
  char verdict[EXPERIMENT_NOTE + 64];
  verdict_text(report, verdict, sizeof verdict);
  fputs(experiment_passed(report) ? style.good : style.bad, stdout);
  cli_wrap(stdout, verdict, 0, 0);
  fputs(style.plain, stdout);
}

static void print_json(const Experiment* experiment, const ExperimentReport* report) {
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "experiment", experiment->name);
  cli_json_text(&json, "paper", experiment->paper);
  cli_json_text(&json, "summary", experiment->summary);
  cli_json_open(&json, "rows", '[');
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "quantity", row->quantity);
    cli_json_text(&json, "unit", row->unit);
    cli_json_real(&json, "published", row->published);
    cli_json_real(&json, "measured", row->measured);
    cli_json_text(&json, "rule", row->rule);
    cli_json_bool(&json, "pass", row->pass);
    cli_json_close(&json, '}');
  }
  cli_json_close(&json, ']');
  cli_json_open(&json, "notes", '[');
  for (int i = 0; i < report->note_count; ++i)
    cli_json_text(&json, NULL, report->notes[i]);
  cli_json_close(&json, ']');
  cli_json_text(&json, "failure", report->failure[0] ? report->failure : NULL);
  cli_json_bool(&json, "pass", experiment_passed(report));
  cli_json_close(&json, '}');
}

static void write_rows(CliPage* page, const ExperimentReport* report) {
  static const char* const headings[] = {"quantity", "unit", ">published", ">measured", "", "rule"};
  cli_page_table(page, headings, sizeof headings / sizeof headings[0]);
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    char published[32], measured[32];
    number_text(row->published, published, sizeof published);
    number_text(row->measured, measured, sizeof measured);
    cli_page_cell(page, row->quantity, "");
    cli_page_cell(page, row->unit, "");
    cli_page_cell(page, published, "");
    cli_page_cell(page, measured, "");
    cli_page_cell(page, row->pass ? "pass" : "FAIL", row->pass ? "good" : "bad");
    cli_page_cell(page, row->rule, "");
  }
  cli_page_table_end(page);
}

static void write_page(FILE* stream, const Experiment* experiment, const ExperimentReport* report) {
  CliPage page;
  char verdict[EXPERIMENT_NOTE + 64];
  verdict_text(report, verdict, sizeof verdict);
  cli_page_open(&page, stream, experiment->name);
  cli_page_paragraph(&page, experiment->paper);
  cli_page_paragraph(&page, experiment->summary);
  cli_page_verdict(&page, experiment_passed(report), verdict);
  for (int i = 0; i < report->plot_count; ++i)
    cli_page_plot(&page, report->plots[i]);
  cli_page_heading(&page, "Published and measured");
  write_rows(&page, report);
  for (int i = 0; i < report->note_count; ++i)
    cli_page_paragraph(&page, report->notes[i]);
  cli_page_close(&page);
}

// --- the command -------------------------------------------------------------------------------

static void print_list(bool as_json) {
  const Experiment* experiment;
  CliJson json = {.stream = stdout};
  CliStyle style = cli_style(stdout);
  if (as_json)
    cli_json_open(&json, NULL, '[');
  for (int i = 0; (experiment = experiment_at(i)); ++i) {
    if (as_json) {
      cli_json_open(&json, NULL, '{');
      cli_json_text(&json, "name", experiment->name);
      cli_json_text(&json, "summary", experiment->summary);
      cli_json_text(&json, "paper", experiment->paper);
      cli_json_close(&json, '}');
      continue;
    }
    printf("%s%s%s  %s%s%s\n    ", style.bold, experiment->name, style.plain, style.dim,
           experiment->paper, style.plain);
    cli_wrap(stdout, experiment->summary, 4, 4);
  }
  if (as_json)
    cli_json_close(&json, ']');
}

static int refuse_name(const char* name) {
  CliSuggestion suggestion = cli_suggest_start(name);
  for (int i = 0; experiment_at(i); ++i)
    cli_suggest_offer(&suggestion, experiment_at(i)->name);
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    return cli_complain(&cli_reproduce, "unknown experiment '%s'; did you mean '%s'?", name, best);
  return cli_complain(&cli_reproduce,
                      "unknown experiment '%s'; 'rigor reproduce --list' names them", name);
}

// Where the measurements of an experiment are.
static void find_data(const Experiment* experiment, const ReproduceValues* values, char* path,
                      size_t size) {
  const char* shared = getenv("RIGOR_SHARED");
  if (values->data)
    snprintf(path, size, "%s", values->data);
  else
    snprintf(path, size, "%s/data/%s", shared && shared[0] ? shared : "../shared",
             experiment->data);
}

static int reproduce(const Experiment* experiment, const ReproduceValues* values) {
  if (values->data && !experiment->data)
    return cli_complain(&cli_reproduce, "%s reads no measurements: --data is not for it",
                        experiment->name);
  char data[EXPERIMENT_NOTE] = "";
  if (experiment->data)
    find_data(experiment, values, data, sizeof data);
  // The page is opened before the experiment runs, so that a path that cannot be written to is found
  // out at once.
  rgOutput* page = NULL;
  rgMessage message = {0};
  CliUses uses = {0};
  cli_uses_read(&uses, "the measurements", experiment->data ? data : NULL);
  cli_uses_write(&uses, "--html", values->html);
  if (cli_uses_clash(&uses, &message) ||
      (values->html && rg_output_open(values->html, &page, &message) != RG_OK))
    return cli_complain(&cli_reproduce, "%s", message.text);
  cli_interrupt_watch();
  Progress progress = {.on = cli_is_terminal(stderr)};
  ExperimentReport report = {.progress = show_progress, .context = &progress, .data = data};
  experiment->run(&report);
  clear_progress(&progress);
  if (cli_interrupted())
    experiment_fail(&report, "interrupted");

  if (values->json)
    print_json(experiment, &report);
  else
    print_report(experiment, &report);
  int exit_code = cli_interrupted()                           ? CLI_EXIT_INTERRUPTED
                  : report.failure[0] || report.out_of_memory ? CLI_EXIT_FAILED
                  : experiment_passed(&report)                ? CLI_EXIT_OK
                                                              : CLI_EXIT_DOUBT;
  if (page)
    write_page(rg_output_stream(page), experiment, &report);
  if (page && rg_output_commit(page, &message) != RG_OK) {
    cli_complain(&cli_reproduce, "%s", message.text);
    exit_code = CLI_EXIT_FAILED;
  }
  experiment_release(&report);
  return exit_code;
}

static int reproduce_command(int argc, char** argv) {
  ReproduceValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_reproduce, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  if (values.list) {
    print_list(values.json);
    return CLI_EXIT_OK;
  }
  if (parsed.operand_count == 0)
    return cli_complain(&cli_reproduce, "NAME is missing; 'rigor reproduce --list' names the "
                                        "experiments");
  const Experiment* experiment = experiment_find(parsed.operand[0]);
  return experiment ? reproduce(experiment, &values) : refuse_name(parsed.operand[0]);
}

const CliCommand cli_reproduce = {
    .name = "reproduce",
    .operands = "NAME",
    .operand_max = 1,
    .summary = "make a published experiment and compare",
    .details = "Makes an experiment of the papers that the methods come from, and prints what was "
               "published beside what is measured. Each row says by what rule it passes; where the "
               "paper gives no number, the rule is the only judge.\n"
               "Exit code: 0 when every row passes, 1 when one does not, 3 when the experiment "
               "could not be made.",
    .examples = "rigor reproduce --list\twhat there is\n"
                "rigor reproduce cone-weakness --html r.html\ta report with plots",
    .options = options,
    .run = reproduce_command,
};
