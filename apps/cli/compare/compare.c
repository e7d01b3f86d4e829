// compare.c - `rigor compare`: steppers, solvers and stabilizers side by side on one scene.
#include "cli/compare/compare.h"
#include "cli/command.h"
#include "cli/run/plan.h"
#include "cli/suggest.h"
#include "cli/system/clash.h"
#include "cli/system/interrupt.h"
#include "cli/text/faults.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct CompareValues {
  const char* lists[CLI_CHOICE_COUNT]; // NULL: the one of the scene
  double duration;                     // [s] negative = as the scene says
  const char* html;
  bool json;
} CompareValues;

#define AT(member) .offset = offsetof(CompareValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "steppers", .type = CLI_TEXT, .value = "NAMES", AT(lists[CLI_CHOICE_STEPPER]),
     .help = "steppers to compare, with commas between them, or 'all' ('rigor list steppers'). "
             "Default: that of the scene"},
    {.name = "solvers", .type = CLI_TEXT, .value = "NAMES", AT(lists[CLI_CHOICE_SOLVER]),
     .help = "the same for solvers ('rigor list solvers')"},
    {.name = "stabilizers", .type = CLI_TEXT, .value = "NAMES", AT(lists[CLI_CHOICE_STABILIZER]),
     .help = "the same for stabilizers ('rigor list stabilizers')"},
    {.name = "time", .type = CLI_REAL, .value = "T", AT(duration), .range = {0, HUGE_VAL, false},
     .help = "simulated time of each run [s]. Default: the time that the scene names"},
    {.name = "html", .type = CLI_TEXT, .value = "FILE", AT(html),
     .help = "write a page with the table and plots; it needs nothing but itself"},
    {.name = "json", .type = CLI_FLAG, AT(json),
     .help = "results as one JSON object"},
    {0},
};
// clang-format on

// Where the names of the choices come from.
static const char* (*const tables[CLI_CHOICE_COUNT])(int index) = {
    [CLI_CHOICE_STEPPER] = rg_stepper_name,
    [CLI_CHOICE_SOLVER] = rg_solver_name,
    [CLI_CHOICE_STABILIZER] = rg_stabilizer_name,
};

static const char* const lists_here[] = {"stepper",  "solver", "stabilizer",
                                         "accuracy", "effort", NULL};

// --- words -------------------------------------------------------------------------------------

const char* cli_combination_outcome(const CliCombination* combination) {
  static const char* const names[] = {
      [CLI_FATE_WAITING] = "not-run",         [CLI_FATE_REFUSED] = "refused", [CLI_FATE_RAN] = "ok",
      [CLI_FATE_INTERRUPTED] = "interrupted", [CLI_FATE_FAILED] = "failed",
  };
  bool doubtful = combination->fate == CLI_FATE_RAN && combination->summary.not_met > 0;
  return doubtful ? "not-met" : names[combination->fate];
}

void cli_combination_remark(const CliComparison* comparison, const CliCombination* combination,
                            char* text, size_t size) {
  const CliSummary* summary = &combination->summary;
  char when[CLI_TEXT_MAX] = "";
  if (summary->steps > 0)
    snprintf(when, sizeof when, " after %" PRId64 " of %" PRId64 " steps, t = %g s", summary->steps,
             comparison->planned, summary->end);
  if (combination->fate == CLI_FATE_RAN)
    text[0] = '\0';
  else if (combination->fate == CLI_FATE_WAITING)
    snprintf(text, size, "not run");
  else
    snprintf(text, size, "%s%s", cli_combination_outcome(combination), when);
}

void cli_combination_label(const CliCombination* combination, const bool* shown, char* text,
                           size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int c = 0; c < CLI_CHOICE_COUNT && used < size; ++c)
    if (shown[c])
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                               combination->name[c]);
}

void cli_comparison_sentence(const CliComparison* comparison, char* text, size_t size) {
  CliTally tally = cli_comparison_tally(comparison);
  char refused[CLI_TEXT_MAX] = "";
  if (tally.refused > 0)
    snprintf(refused, sizeof refused, " %d %s refused.", tally.refused,
             tally.refused == 1 ? "is" : "are");
  if (tally.waiting + tally.interrupted > 0)
    snprintf(text, size, "INTERRUPTED: %d of %d combinations ran to the end.%s", tally.ran,
             comparison->count, refused);
  else if (tally.failed > 0)
    snprintf(text, size, "%d of %d combinations could NOT go on to the end.%s", tally.failed,
             comparison->count, refused);
  else if (tally.ran == 0)
    snprintf(text, size, "Nothing was run: every combination is refused.");
  else if (tally.not_met > 0)
    snprintf(text, size, "The tolerance %g was NOT met in every step by %d of %d combinations.%s",
             comparison->options.tolerance, tally.not_met, tally.ran, refused);
  else
    snprintf(text, size, "The tolerance %g was met in every step by %s (%d of %d).%s",
             comparison->options.tolerance,
             tally.refused > 0 ? "all combinations that are possible" : "every combination",
             tally.ran, comparison->count, refused);
}

// --- names -------------------------------------------------------------------------------------

static const char* find_name(CliChoice choice, const char* word, size_t length) {
  const char* name;
  for (int i = 0; (name = tables[choice](i)); ++i)
    if (strlen(name) == length && memcmp(name, word, length) == 0)
      return name;
  return NULL;
}

static int refuse_name(CliChoice choice, const char* word, size_t length) {
  char text[CLI_TEXT_MAX], known[CLI_TEXT_MAX] = "";
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  CliSuggestion suggestion = cli_suggest_start(text);
  const char* name;
  size_t used = 0;
  for (int i = 0; (name = tables[choice](i)) && used < sizeof known; ++i) {
    cli_suggest_offer(&suggestion, name);
    used += (size_t)snprintf(known + used, sizeof known - used, ", %s", name);
  }
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    return cli_complain(&cli_compare, "there is no %s '%s'; did you mean '%s'?",
                        cli_choice_name[choice], text, best);
  return cli_complain(&cli_compare, "there is no %s '%s', must be of: all%s",
                      cli_choice_name[choice], text, known);
}

static void add_name(CliComparison* comparison, CliChoice choice, const char* name) {
  int* count = &comparison->name_count[choice];
  const char** names = comparison->names[choice];
  for (int i = 0; i < *count; ++i)
    if (strcmp(names[i], name) == 0)
      return;
  if (*count < CLI_NAMES_MAX)
    names[(*count)++] = name;
}

// The names of a list; NULL: the one that the scene has.
static int choose_names(CliComparison* comparison, CliChoice choice, const char* list,
                        const char* own) {
  const char* name;
  if (!list) {
    add_name(comparison, choice, own);
    return CLI_EXIT_OK;
  }
  if (strcmp(list, "all") == 0) {
    for (int i = 0; (name = tables[choice](i)); ++i)
      add_name(comparison, choice, name);
    return CLI_EXIT_OK;
  }
  for (const char* word = list;; ++word) {
    size_t length = strcspn(word, ",");
    name = find_name(choice, word, length);
    if (!name)
      return refuse_name(choice, word, length);
    add_name(comparison, choice, name);
    word += length;
    if (!*word)
      return CLI_EXIT_OK;
  }
}

// --- the command -------------------------------------------------------------------------------

static int exit_for(rgStatus status) {
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int read_scene(CliComparison* comparison, const CliParsed* parsed,
                      const CompareValues* values) {
  rgMessage message = {0};
  comparison->scene_path = parsed->operand[0];
  rgStatus status = rg_scene_read(comparison->scene_path, &comparison->scene, &message);
  if (status != RG_OK) {
    cli_print_faults(comparison->scene_path, message.text);
    return exit_for(status);
  }
  rgOptions* shared = &comparison->options;
  *shared = *rg_scene_options(comparison->scene);
  cli_settings_apply(&parsed->settings, shared);
  const char* const own[] = {shared->stepper, shared->solver, shared->stabilizer};
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c) {
    int bad = choose_names(comparison, (CliChoice)c, values->lists[c], own[c]);
    if (bad)
      return bad;
  }
  comparison->time = values->duration < 0 ? rg_scene_time(comparison->scene) : values->duration;
  double planned = cli_steps_between(0, comparison->time, shared->step);
  if (!(planned <= (double)CLI_COUNT_MAX))
    return cli_complain(&cli_compare, "%g s in steps of %g s are too many steps", comparison->time,
                        shared->step);
  comparison->planned = (int64_t)planned;
  return CLI_EXIT_OK;
}

// The page is opened before anything runs, so that a path that cannot be written to is found out at
// once.
static int open_page(const CompareValues* values, const CliComparison* comparison,
                     rgOutput** page) {
  rgMessage message = {0};
  CliUses uses = {0};
  cli_uses_read_scene(&uses, comparison->scene_path, comparison->scene);
  cli_uses_write(&uses, "--html", values->html);
  if (cli_uses_clash(&uses, &message) ||
      (values->html && rg_output_open(values->html, page, &message) != RG_OK))
    return cli_complain(&cli_compare, "%s", message.text);
  return CLI_EXIT_OK;
}

static int exit_for_tally(const CliTally* tally) {
  return tally->interrupted + tally->waiting > 0 ? CLI_EXIT_INTERRUPTED
         : tally->failed > 0                     ? CLI_EXIT_FAILED
         : tally->ran == 0                       ? CLI_EXIT_INPUT
         : tally->not_met > 0                    ? CLI_EXIT_DOUBT
                                                 : CLI_EXIT_OK;
}

static int report(const CliComparison* comparison, const CompareValues* values, rgOutput* page) {
  CliTally tally = cli_comparison_tally(comparison);
  int exit_code = exit_for_tally(&tally);
  if (values->json)
    cli_comparison_print_json(comparison);
  else
    cli_comparison_print(comparison);
  if (!page)
    return exit_code;
  rgMessage message = {0};
  cli_comparison_page(comparison, rg_output_stream(page));
  if (rg_output_commit(page, &message) != RG_OK) {
    cli_complain(&cli_compare, "%s", message.text);
    exit_code = CLI_EXIT_FAILED;
  }
  return exit_code;
}

static int compare(CliComparison* comparison, const CompareValues* values) {
  rgOutput* page = NULL;
  int bad = open_page(values, comparison, &page);
  if (bad)
    return bad;
  cli_interrupt_watch();
  CliProgress progress = cli_progress_start(true);
  comparison->progress = &progress;
  comparison->sampled = page != NULL;
  rgMessage message = {0};
  rgStatus status = cli_comparison_run(comparison, &message);
  cli_progress_clear(&progress);
  if (status == RG_OK)
    return report(comparison, values, page);
  rg_output_abandon(page);
  fprintf(stderr, "%s\n", message.text);
  return exit_for(status);
}

static int compare_command(int argc, char** argv) {
  CompareValues values = {.duration = -1};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_compare, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  CliComparison comparison = {0};
  exit_code = read_scene(&comparison, &parsed, &values);
  if (!exit_code)
    exit_code = compare(&comparison, &values);
  cli_comparison_free(&comparison);
  return exit_code;
}

const CliCommand cli_compare = {
    .name = "compare",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "run steppers, solvers and stabilizers side by side",
    .details =
        "Simulates the scene with every combination of the steppers, solvers and stabilizers that "
        "are named, each from the start, and prints a table: CPU time, certificate, penetration, "
        "error of joints, energy, and how far the last state is from that of the first.\n"
        "A combination that makes no sense for the scene is shown as refused, with the reason.\n"
        "Ctrl-C finishes the step in hand and shows what was done; a second one gives up that "
        "step, a "
        "third one ends at once.\n"
        "Exit code: 0 when every run met the tolerance in every step, 1 when some did not, 2 for "
        "wrong input or when every combination is refused, 3 when a run could not go on, 130 when "
        "it was interrupted.",
    .examples = "rigor compare stack --solvers all\tall solvers on one scene\n"
                "rigor compare arch --steppers all --html c.html\ttables and plots as a page",
    .options = options,
    .scenes = true,
    .settings = true,
    .not_settings = lists_here,
    .run = compare_command,
};
