// solve_json.c - the results of `rigor solve` as one JSON object.
#include "cli/solve/profile.h"
#include "cli/solve/solve.h"
#include "cli/text/json.h"

#include <math.h>

static void write_certificate(CliJson* json, const rgCertificate* certificate) {
  const rgCertificateField* field;
  cli_json_open(json, "certificate", '{');
  for (int i = 0; (field = rg_certificate_field(i)); ++i) {
    if (!field->of_problem)
      continue;
    double value = rg_certificate_value(certificate, field);
    if (field->type == RG_CERTIFICATE_BOOL)
      cli_json_bool(json, field->name, value != 0);
    else
      cli_json_real(json, field->name, value);
  }
  cli_json_close(json, '}');
}

static void write_history(CliJson* json, const CliSolve* solve) {
  if (!solve->history)
    return;
  cli_json_open(json, "history", '[');
  for (int i = 0; i < solve->report.history_count; i++)
    cli_json_real(json, NULL, solve->history[i]);
  cli_json_close(json, ']');
}

static void write_solve(CliJson* json, const CliSolve* solve) {
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "solver", solve->solver);
  cli_json_text(json, "answer_of", solve->report.solver);
  cli_json_text(json, "status",
                solve->accepted ? rg_status_name(solve->report.status) : "unsupported");
  cli_json_bool(json, "solved", cli_solved(solve));
  cli_json_text(json, "message", solve->message.text[0] ? solve->message.text : NULL);
  if (solve->accepted) {
    cli_json_count(json, "iterations", solve->report.iterations);
    cli_json_real(json, "residual", solve->report.certificate.residual);
    write_certificate(json, &solve->report.certificate);
    cli_json_real(json, "error", solve->error.plain);
    cli_json_real(json, "error_scaled", solve->error.invariant);
    cli_json_real(json, "difference_kinetic", solve->difference_kinetic);
    cli_json_real(json, "difference_u", solve->difference_u);
    cli_json_real(json, "cpu_time", solve->cpu);
    cli_json_count(json, "repeats", solve->repeats);
    write_history(json, solve);
  }
  cli_json_close(json, '}');
}

static void write_count(CliJson* json, const char* key, int value) {
  if (value < 0)
    cli_json_null(json, key);
  else
    cli_json_count(json, key, value);
}

static void write_problem(CliJson* json, const CliProblem* problem) {
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "file", problem->file);
  cli_json_text(json, "error", problem->error.text[0] ? problem->error.text : NULL);
  if (problem->solve_count > 0) {
    cli_json_text(json, "form", problem->block > 0 ? "local" : "bodies");
    cli_json_count(json, "dimension", problem->dimension);
    write_count(json, "block", problem->block > 0 ? problem->block : -1);
    cli_json_count(json, "bodies", problem->bodies);
    cli_json_count(json, "contacts", problem->contacts);
    cli_json_count(json, "rows", problem->rows);
    write_count(json, "unknowns", problem->unknowns);
    write_count(json, "rank", problem->rank);
    write_count(json, "rank_deficiency",
                problem->rank < 0 ? -1 : problem->unknowns - problem->rank);
  }
  cli_json_open(json, "solves", '[');
  for (int s = 0; s < problem->solve_count; s++)
    write_solve(json, &problem->solves[s]);
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

static void write_profile(CliJson* json, const CliSolveRun* run) {
  cli_json_open(json, "profile", '[');
  for (int s = 0; s < run->solver_count; s++) {
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "solver", run->solvers[s]);
    cli_json_real(json, "solved", cli_profile_fraction(run, s, HUGE_VAL));
    cli_json_open(json, "within", '[');
    for (int k = 0; k < CLI_PROFILE_MARKS - 1; k++) {
      cli_json_open(json, NULL, '{');
      cli_json_real(json, "ratio", cli_profile_ratios[k]);
      cli_json_real(json, "fraction", cli_profile_fraction(run, s, cli_profile_ratios[k]));
      cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

void cli_solve_print_json(const CliSolveRun* run) {
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_real(&json, "tolerance", run->stop.tolerance);
  cli_json_count(&json, "iteration_limit", run->stop.iteration_limit);
  cli_json_real(&json, "time_limit", run->stop.time_limit);
  cli_json_open(&json, "problems", '[');
  for (int i = 0; i < run->problem_count; i++)
    write_problem(&json, &run->problems[i]);
  cli_json_close(&json, ']');
  write_profile(&json, run);
  cli_json_close(&json, '}');
}
