// solve.c - `rigor solve`: contact problems from files, solved by one, some or all solvers.
#include "cli/solve/solve.h"

#include "cli/command.h"
#include "cli/solve/profile.h"
#include "cli/suggest.h"
#include "cli/system/clash.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct SolveValues {
  const char *solver, *solver_options;
  double tolerance, time_limit;
  int64_t iteration_limit;
  bool json, csv, history, write_solution, quiet;
  const char* profile;
} SolveValues;

#define AT(member) .offset = offsetof(SolveValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "solver", .type = CLI_TEXT, .value = "NAMES", AT(solver),
     .help = "one or more solvers, with commas between them, or 'all' ('rigor list solvers'). "
             "Default: auto"},
    {.name = "solver-options", .type = CLI_TEXT, .value = "TEXT", AT(solver_options),
     .help = "options of the one solver that is named, as name=value with commas between them "
             "('rigor list solvers')"},
    {.name = "tolerance", .type = CLI_REAL, .value = "E", AT(tolerance), .range = {0, HUGE_VAL, true},
     .help = "residual of the certificate that counts as solved [-]. Default: 1e-8"},
    {.name = "time-limit", .type = CLI_REAL, .value = "S", AT(time_limit),
     .range = {0, HUGE_VAL, false}, .help = "CPU time of one solve [s]; 0 = no limit. Default: 0"},
    {.name = "iteration-limit", .type = CLI_COUNT, .value = "N", AT(iteration_limit),
     .range = {1, INT_MAX, false}, .help = "iterations of one solve. Default: 10000"},
    {.name = "json", .type = CLI_FLAG, AT(json), .help = "results as one JSON object"},
    {.name = "csv", .type = CLI_FLAG, AT(csv), .help = "results as comma separated values"},
    {.name = "history", .type = CLI_FLAG, AT(history),
     .help = "with --json: the residual after each iteration, as the solver sees it"},
    {.name = "profile", .type = CLI_TEXT, .value = "FILE.svg", AT(profile),
     .help = "performance profile over all files as a picture"},
    {.name = "write-solution", .type = CLI_FLAG, AT(write_solution),
     .help = "write the best solution into the file (FCLIB only)"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, AT(quiet),
     .help = "no progress and no table; the exit code tells"},
    {0},
};
// clang-format on

// -------------------------------------------------------------------------------------------------
// Solvers
// -------------------------------------------------------------------------------------------------

static const char* find_solver(const char* word, size_t length) {
  const char* name;
  for (int i = 0; (name = rg_solver_name(i)); i++)
    if (strlen(name) == length && memcmp(name, word, length) == 0)
      return name;
  return NULL;
}

static int refuse_solver(const char* word, size_t length) {
  char text[CLI_TEXT_MAX], known[CLI_TEXT_MAX] = "";
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  CliSuggestion suggestion = cli_suggest_start(text);
  const char* name;
  size_t used = 0;
  for (int i = 0; (name = rg_solver_name(i)) && used < sizeof known; i++) {
    cli_suggest_offer(&suggestion, name);
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", name);
  }
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    return cli_complain(&cli_solve, "there is no solver '%s'; did you mean '%s'?", text, best);
  return cli_complain(&cli_solve, "there is no solver '%s', must be of: all, %s", text, known);
}

static int choose_solvers(const char* list, CliSolveRun* run) {
  run->all = strcmp(list, "all") == 0;
  const char* name;
  for (int i = 0; run->all && i < CLI_SOLVER_MAX && (name = rg_solver_name(i)); i++)
    run->solvers[run->solver_count++] = name;
  for (const char* word = list; !run->all && *word;) {
    size_t length = strcspn(word, ",");
    name = find_solver(word, length);
    if (!name)
      return refuse_solver(word, length);
    bool again = false;
    for (int i = 0; i < run->solver_count; i++)
      again = again || run->solvers[i] == name;
    if (!again)
      run->solvers[run->solver_count++] = name;
    word += length + (word[length] == ',');
  }
  return CLI_EXIT_OK;
}

// -------------------------------------------------------------------------------------------------
// Running
// -------------------------------------------------------------------------------------------------

static void show_progress(bool on, int index, int count, const char* file) {
  if (!on)
    return;
  const char* slash = strrchr(file, '/');
  char name[64];
  cli_clean(slash ? slash + 1 : file, name, sizeof name);
  fprintf(stderr, "\r%d of %d  %s\033[K", index + 1, count, name);
  fflush(stderr);
}

static int exit_for_writing(rgStatus status) {
  return status == RG_OK || status == RG_NOT_CONVERGED        ? CLI_EXIT_OK
         : status == RG_ERROR_IO || status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED
                                                              : CLI_EXIT_INPUT;
}

static void note(int* exit_code, int code) {
  if (code > *exit_code)
    *exit_code = code;
}

// Exit code of one problem by its solves alone.
static int exit_for_solves(const CliSolveRun* run, const CliProblem* problem) {
  int accepted = 0;
  bool unsolved = false;
  for (int s = 0; s < problem->solve_count; s++) {
    accepted += problem->solves[s].accepted;
    unsolved = unsolved ||
               (!cli_solved(&problem->solves[s]) && (problem->solves[s].accepted || !run->all));
  }
  return unsolved || accepted == 0 ? CLI_EXIT_DOUBT : CLI_EXIT_OK;
}

static int solve_files(CliSolveRun* run, const CliParsed* parsed, bool progress) {
  int exit_code = CLI_EXIT_OK;
  for (int i = 0; i < parsed->operand_count && !cli_interrupted(); i++) {
    CliProblem* problem = &run->problems[run->problem_count++];
    rgStatus written;
    show_progress(progress, i, parsed->operand_count, parsed->operand[i]);
    rgStatus status = cli_solve_file(run, parsed->operand[i], problem, &written);
    if (progress)
      fputs("\r\033[K", stderr);
    if (problem->error.text[0])
      fprintf(stderr, "%s\n", problem->error.text); // begins with the place
    if (status == RG_OK) {
      note(&exit_code, exit_for_solves(run, problem));
      note(&exit_code, exit_for_writing(written));
    } else {
      note(&exit_code, status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT);
    }
  }
  return cli_interrupted() ? CLI_EXIT_INTERRUPTED : exit_code;
}

static int check_values(const SolveValues* values, const CliParsed* parsed) {
  rgMessage message = {0};
  CliUses uses = {0};
  cli_uses_write(&uses, "--profile", values->profile);
  for (int i = 0; values->profile && i < parsed->operand_count; i++)
    cli_uses_read(&uses, "the problem", parsed->operand[i]);
  if (cli_uses_clash(&uses, &message))
    return cli_complain(&cli_solve, "%s", message.text);
  if (values->solver_options && (strchr(values->solver, ',') || strcmp(values->solver, "all") == 0))
    return cli_complain(&cli_solve, "--solver-options is for one solver; --solver names several");
  if (values->json && values->csv)
    return cli_complain(&cli_solve, "--json and --csv exclude each other; give one of them");
  if (values->history && !values->json)
    return cli_complain(&cli_solve, "--history is shown by --json only; give both");
  return CLI_EXIT_OK;
}

static int report(const CliSolveRun* run, const SolveValues* values, int exit_code) {
  if (values->json)
    cli_solve_print_json(run);
  else if (values->csv)
    cli_solve_print_csv(run);
  else if (!values->quiet)
    cli_solve_print(run);
  rgMessage message = {""};
  if (values->profile && cli_profile_svg(run, values->profile, &message) != RG_OK) {
    cli_complain(&cli_solve, "%s", message.text);
    note(&exit_code, CLI_EXIT_FAILED);
  }
  return exit_code;
}

static int solve_command(int argc, char** argv) {
  rgStop stop = rg_stop_default();
  SolveValues values = {
      .solver = "auto", .tolerance = stop.tolerance, .iteration_limit = stop.iteration_limit};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_solve, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  stop.tolerance = values.tolerance;
  stop.time_limit = values.time_limit;
  stop.iteration_limit = (int)values.iteration_limit;
  stop.cancel = cli_interrupt_flag();
  CliSolveRun run = {.stop = stop,
                     .options = values.solver_options,
                     .history = values.history,
                     .write_solution = values.write_solution};
  int bad = check_values(&values, &parsed);
  if (!bad)
    bad = choose_solvers(values.solver, &run);
  if (bad)
    return bad;
  run.problems = calloc((size_t)parsed.operand_count, sizeof *run.problems);
  if (!run.problems) {
    cli_complain(&cli_solve, "not enough memory");
    return CLI_EXIT_FAILED;
  }
  cli_interrupt_watch();
  exit_code = solve_files(&run, &parsed, !values.quiet && cli_is_terminal(stderr));
  exit_code = report(&run, &values, exit_code);
  for (int i = 0; i < run.problem_count; i++)
    cli_problem_free(&run.problems[i]);
  free(run.problems);
  return exit_code;
}

const CliCommand cli_solve = {
    .name = "solve",
    .operands = "FILE...",
    .operand_min = 1,
    .operand_max = CLI_OPERAND_MANY,
    .summary = "solve contact problems from files and compare solvers",
    .details =
        "Solves each problem with each solver from a cold start and prints a table: status, "
        "iterations, residual of the certificate, the error measure of the literature, CPU time, "
        "and how far the answers differ. Over several files it adds the performance profile.\n"
        "Files: JSON (also written by 'rigor run --dump-problems'), the text format of Siconos, "
        "linear, mixed linear complementarity and relay problems in that format, FCLIB. The format "
        "is known by the content.\n"
        "Exit code: 0 when every solve met the tolerance, 1 when some did not, 2 for wrong usage "
        "or "
        "a file that cannot be read, 3 when results could not be written, 130 when it was "
        "interrupted.",
    .examples = "rigor run heap --dump-problems p --every 20\twrite problems to files\n"
                "rigor solve p/*.json --solver all\tsolve them with every solver",
    .options = options,
    .run = solve_command,
};
