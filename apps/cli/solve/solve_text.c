// solve_text.c - the results of `rigor solve` as a table and as comma separated values.
#include "cli/solve/profile.h"
#include "cli/solve/rank.h"
#include "cli/solve/solve.h"
#include "cli/text/text.h"

#include <rigor/util.h>

#include <math.h>
#include <string.h>

static const char* status_text(const CliSolve* solve) {
  return cli_solved(solve) ? "solved"
         : solve->accepted ? rg_status_name(solve->report.status)
                           : "refused";
}

// Small numbers for people; a dash for what is not known.
static void print_measure(const char* style, double value, const char* plain) {
  char text[32];
  if (isnan(value))
    snprintf(text, sizeof text, "-");
  else if (value == 0)
    snprintf(text, sizeof text, "0");
  else
    snprintf(text, sizeof text, "%.1e", value);
  printf(" %s%8s%s", style, text, plain);
}

// -------------------------------------------------------------------------------------------------
// Table
// -------------------------------------------------------------------------------------------------

static void print_problem_line(const CliProblem* problem, const CliStyle* style) {
  char name[CLI_TEXT_MAX];
  cli_clean(problem->file, name, sizeof name);
  printf("\n%s%s%s  ", style->bold, name, style->plain);
  if (problem->block == 1)
    printf("%scomplementarity problem, ", problem->contacts == 0 ? "mixed " : "");
  else
    printf("%s, dimension %d, ", problem->block > 0 ? "local form" : "with bodies",
           problem->dimension);
  if (problem->block == 0)
    printf("%d bodies, ", problem->bodies);
  if (problem->rows > 0)
    printf("%d rows, ", problem->rows);
  printf("%d contacts; ", problem->contacts);
  if (problem->rank < 0)
    printf("rank not computed (more than %d impulses)\n", CLI_RANK_MAX);
  else if (problem->rank == problem->unknowns)
    printf("full rank %d\n", problem->rank);
  else
    printf("rank %d of %d\n", problem->rank, problem->unknowns);
}

static void print_head(const CliStyle* style) {
  printf("  %s%-12s %-12s %-13s %10s %8s %8s %8s %8s %8s %10s%s\n", style->dim, "solver",
         "answer of", "status", "iterations", "residual", "error", "scaled", "d kin", "d u",
         "CPU time", style->plain);
}

static void print_solve(const CliSolve* solve, const CliStyle* style) {
  const char* colour = cli_solved(solve) ? style->good : solve->accepted ? style->bad : style->dim;
  const char* used = solve->report.solver && strcmp(solve->report.solver, solve->solver) != 0
                         ? solve->report.solver
                         : "";
  printf("  %-12s %-12s %s%-13s%s", solve->solver, used, colour, status_text(solve), style->plain);
  if (!solve->accepted) {
    char why[sizeof solve->message.text];
    cli_clean(solve->message.text, why, sizeof why);
    printf(" %s%s%s\n", style->dim, why, style->plain);
    return;
  }
  char time[CLI_TEXT_MAX];
  cli_clock_text(solve->cpu, time, sizeof time);
  printf(" %10d", solve->report.iterations);
  print_measure(colour, solve->report.certificate.residual, style->plain);
  print_measure("", solve->error.plain, "");
  print_measure("", solve->error.invariant, "");
  print_measure("", solve->difference_kinetic, "");
  print_measure("", solve->difference_u, "");
  printf(" %10s\n", time);
}

// The certificate of what was not solved.
static void print_failures(const CliSolveRun* run) {
  for (int i = 0; i < run->problem_count; i++)
    for (int s = 0; s < run->problems[i].solve_count; s++) {
      const CliSolve* solve = &run->problems[i].solves[s];
      const rgCertificate* c = &solve->report.certificate;
      if (!solve->accepted || cli_solved(solve))
        continue;
      char name[CLI_TEXT_MAX];
      cli_clean(run->problems[i].file, name, sizeof name);
      printf("\n%s, %s: not solved (%s): %s\n", name, solve->solver,
             rg_status_name(solve->report.status), solve->message.text);
      printf("  certificate: dynamics %.3g, joint %.3g, signorini %.3g, coulomb %.3g m/s against a "
             "scale of %.3g m/s\n",
             c->dynamics, c->joint, c->signorini, c->coulomb, c->scale);
    }
}

void cli_solve_print(const CliSolveRun* run) {
  CliStyle style = cli_style(stdout);
  int solved = 0, accepted = 0;
  for (int i = 0; i < run->problem_count; i++) {
    const CliProblem* problem = &run->problems[i];
    if (problem->solve_count == 0)
      continue;
    print_problem_line(problem, &style);
    print_head(&style);
    for (int s = 0; s < problem->solve_count; s++) {
      print_solve(&problem->solves[s], &style);
      solved += cli_solved(&problem->solves[s]);
      accepted += problem->solves[s].accepted;
    }
  }
  if (accepted > 0)
    printf(
        "\n%sresidual: the certificate, tolerance %g. error: |F| / max(|q|, |r|, |u|); scaled: the "
        "same without units.\nd kin, d u: against the best answer, impulses in the kinetic norm "
        "and velocities.\nCPU time: of one cold solve; short ones are repeated for 20 ms and "
        "averaged.%s\n",
        style.dim, run->stop.tolerance, style.plain);
  print_failures(run);
  if (run->problem_count > 1 && run->solver_count > 1 && cli_profile_problems(run) > 0)
    cli_profile_print(run);
  if (accepted > 0)
    printf("\n%d of %d solves met the tolerance\n", solved, accepted);
}

// -------------------------------------------------------------------------------------------------
// Comma separated values
// -------------------------------------------------------------------------------------------------

static void csv_text(const char* text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"')
      putchar('"');
    putchar(*text);
  }
  putchar('"');
}

static void csv_number(double value) {
  char text[RG_NUMBER_SIZE] = "";
  if (isfinite(value))
    rg_number_format(value, text);
  printf(",%s", text);
}

static void csv_solve(const CliProblem* problem, const CliSolve* solve) {
  csv_text(problem->file);
  printf(",%s,%d,%d,%d,%d,", problem->block > 0 ? "local" : "bodies", problem->dimension,
         problem->bodies, problem->contacts, problem->rows);
  if (problem->rank >= 0)
    printf("%d,%d", problem->unknowns, problem->rank);
  else
    printf("%d,", problem->unknowns);
  printf(",%s,%s,%s,", solve->solver, solve->report.solver ? solve->report.solver : "",
         status_text(solve));
  if (solve->accepted)
    printf("%d", solve->report.iterations);
  csv_number(solve->accepted ? solve->report.certificate.residual : (double)NAN);
  csv_number(solve->error.plain);
  csv_number(solve->error.invariant);
  csv_number(solve->difference_kinetic);
  csv_number(solve->difference_u);
  csv_number(solve->accepted ? solve->cpu : (double)NAN);
  printf(",%d\n", solve->repeats);
}

void cli_solve_print_csv(const CliSolveRun* run) {
  printf(
      "file,form,dimension,bodies,contacts,rows,unknowns,rank,solver,answer_of,status,iterations,"
      "residual,error,error_scaled,difference_kinetic,difference_u,cpu_time,repeats\n");
  for (int i = 0; i < run->problem_count; i++)
    for (int s = 0; s < run->problems[i].solve_count; s++)
      csv_solve(&run->problems[i], &run->problems[i].solves[s]);
}
