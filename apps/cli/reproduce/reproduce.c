// reproduce.c - `rigor reproduce`: a published experiment, with what was published beside what is
// measured.
#include "cli/reproduce/reproduce.h"
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/system/clash.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

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
     .help = "write a page with tables, plots and the scene; it needs nothing but itself. With "
             "'all', an index, and the pages NAME.html beside it"},
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

// The options of the user, as on the command line.
static void show_overrides(const CliSettings* settings, char* text, size_t size) {
  size_t used = 0;
  const rgOption* option;
  text[0] = '\0';
  for (int i = 0; i < CLI_SETTING_MAX && (option = rg_option(i)) && used < size; ++i) {
    if (!settings->given[i])
      continue;
    char flag[CLI_TEXT_MAX], value[CLI_TEXT_MAX];
    cli_setting_flag(option, flag, sizeof flag);
    cli_setting_show(option, &settings->values, value, sizeof value);
    used += (size_t)snprintf(text + used, size - used, " %s %s", flag, value);
  }
}

static void adjust(const void* settings, rgOptions* values) {
  cli_settings_apply(settings, values);
}

// Everything that making and showing experiments needs.
typedef struct Session {
  const ReproduceValues* values;
  const CliSettings* settings;
  char overrides[EXPERIMENT_TEXT];
} Session;

static void make(const Experiment* experiment, const Session* session, Reproduction* made) {
  char data[EXPERIMENT_NOTE] = "";
  if (experiment->data)
    find_data(experiment, session->values, data, sizeof data);
  Progress progress = {.on = cli_is_terminal(stderr)};
  *made = (Reproduction){.experiment = experiment, .overrides = session->overrides};
  made->report = (ExperimentReport){.progress = show_progress, .context = &progress, .data = data};
  if (session->overrides[0]) {
    made->report.adjust = adjust;
    made->report.settings = session->settings;
  }
  double start = cli_cpu_clock();
  experiment->run(&made->report);
  made->seconds = cli_cpu_clock() - start;
  made->report.data = NULL;
  made->report.context = NULL;
  clear_progress(&progress);
  if (cli_interrupted())
    experiment_fail(&made->report, "interrupted");
}

static int exit_code_of(const Reproduction* made, int count) {
  int code = reproduction_total(made, count, NULL) ? CLI_EXIT_OK : CLI_EXIT_DOUBT;
  for (int i = 0; i < count; ++i)
    if (made[i].report.failure[0] || made[i].report.out_of_memory)
      code = CLI_EXIT_FAILED;
  return cli_interrupted() ? CLI_EXIT_INTERRUPTED : code;
}

static int commit(rgOutput* page, int exit_code) {
  rgMessage message = {0};
  if (!page || rg_output_commit(page, &message) == RG_OK)
    return exit_code;
  cli_complain(&cli_reproduce, "%s", message.text);
  return CLI_EXIT_FAILED;
}

static int reproduce(const Experiment* experiment, const Session* session) {
  const ReproduceValues* values = session->values;
  if (values->data && !experiment->data)
    return cli_complain(&cli_reproduce, "%s reads no measurements: --data is not for it",
                        experiment->name);
  if (session->overrides[0] && !experiment->scene)
    return cli_complain(&cli_reproduce, "%s has no scene:%s is not for it", experiment->name,
                        session->overrides);
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
  Reproduction made;
  make(experiment, session, &made);
  if (values->json) {
    CliJson json = {.stream = stdout};
    reproduction_json(&made, &json);
  } else {
    reproduction_print(&made);
  }
  if (page)
    reproduction_page(&made, rg_output_stream(page));
  int exit_code = commit(page, exit_code_of(&made, 1));
  experiment_release(&made.report);
  return exit_code;
}

// --- all of them -------------------------------------------------------------------------------

enum { EXPERIMENTS_MAX = 64 };

// The path of the page of an experiment, beside the index.
static void path_beside(const char* index, const Experiment* experiment, char* path, size_t size) {
  const char* slash = strrchr(index, '/');
  int folder = slash ? (int)(slash - index) + 1 : 0;
  snprintf(path, size, "%.*s%s.html", folder, index, experiment->name);
}

static int write_beside(const char* index, const Reproduction* made) {
  char path[EXPERIMENT_NOTE];
  path_beside(index, made->experiment, path, sizeof path);
  rgOutput* page = NULL;
  rgMessage message = {0};
  if (rg_output_open(path, &page, &message) != RG_OK)
    return cli_complain(&cli_reproduce, "%s", message.text);
  reproduction_page(made, rg_output_stream(page));
  return commit(page, CLI_EXIT_OK);
}

// Opens the index. False, after a complaint, when it cannot be written or is one of the pages.
static bool open_index(const char* path, rgOutput** index) {
  if (!path)
    return true;
  rgMessage message = {0};
  const Experiment* experiment;
  for (int i = 0; (experiment = experiment_at(i)); ++i) {
    char page[EXPERIMENT_NOTE];
    path_beside(path, experiment, page, sizeof page);
    if (cli_same_file(path, page)) {
      cli_complain(&cli_reproduce, "--html %s is the name of an experiment's own page", path);
      return false;
    }
  }
  if (rg_output_open(path, index, &message) == RG_OK)
    return true;
  cli_complain(&cli_reproduce, "%s", message.text);
  return false;
}

static int reproduce_all(const Session* session) {
  const ReproduceValues* values = session->values;
  rgOutput* index = NULL;
  if (values->data)
    return cli_complain(&cli_reproduce, "--data is for one experiment, not for all");
  if (!open_index(values->html, &index))
    return CLI_EXIT_INPUT;
  Reproduction* made = calloc(EXPERIMENTS_MAX, sizeof *made);
  if (!made) {
    rg_output_abandon(index);
    cli_complain(&cli_reproduce, "not enough memory");
    return CLI_EXIT_FAILED;
  }
  cli_interrupt_watch();
  int count = 0, written = CLI_EXIT_OK;
  const Experiment* experiment;
  for (; count < EXPERIMENTS_MAX && (experiment = experiment_at(count)) && !cli_interrupted();
       ++count) {
    make(experiment, session, &made[count]);
    if (values->html && written == CLI_EXIT_OK)
      written = write_beside(values->html, &made[count]);
  }
  if (values->json)
    reproduction_json_all(made, count);
  else
    reproduction_print_all(made, count);
  if (index)
    reproduction_index(made, count, rg_output_stream(index));
  int exit_code = exit_code_of(made, count);
  exit_code = commit(index, written == CLI_EXIT_OK ? exit_code : written);
  for (int i = 0; i < count; ++i)
    experiment_release(&made[i].report);
  free(made);
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
  Session session = {.values = &values, .settings = &parsed.settings};
  show_overrides(&parsed.settings, session.overrides, sizeof session.overrides);
  if (strcmp(parsed.operand[0], "all") == 0)
    return reproduce_all(&session);
  const Experiment* experiment = experiment_find(parsed.operand[0]);
  return experiment ? reproduce(experiment, &session) : refuse_name(parsed.operand[0]);
}

// The steps of these runs are given.
static const char* const not_here[] = {"accuracy", "effort", NULL};

const CliCommand cli_reproduce = {
    .name = "reproduce",
    .operands = "NAME|all",
    .operand_max = 1,
    .summary = "make a published experiment and compare",
    .details = "Makes an experiment of the papers that the methods come from, or all of them, and "
               "prints what was published beside what is measured. A checked row has a published "
               "or derived number or a bound, names its source, and passes or fails by the rule "
               "that it states. A shown row has no verdict. Where a result differs from the "
               "paper, that comes first.\n"
               "Options of the simulation are laid over those of every run of the experiment: a "
               "way to see what a result depends on, and that its rows can fail.\n"
               "Exit code: 0 when every checked row passes, 1 when one does not, 3 when an "
               "experiment could not be made.",
    .examples = "rigor reproduce --list\twhat there is\n"
                "rigor reproduce cone-weakness --html r.html\ta report with plots\n"
                "rigor reproduce all --html index.html\tall of them, with an index",
    .options = options,
    .settings = true,
    .not_settings = not_here,
    .run = reproduce_command,
};
