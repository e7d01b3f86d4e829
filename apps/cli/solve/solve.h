// solve.h - what `rigor solve` measures: one record per problem and one per solve of it.
#ifndef CLI_SOLVE_H
#define CLI_SOLVE_H

#include <rigor/rigor.h>

enum { CLI_SOLVER_MAX = 32 }; // more than the table of solvers has

// One problem solved by one solver.
typedef struct CliSolve {
  const char* solver; // that was asked for
  bool accepted;      // false: the solver does not take this problem, and `message` says why
  rgSolveReport report;
  rgContactError error;
  double cpu;  // [s] of one solve
  int repeats; // solves that were timed
  rgMessage message;
  // Against the solve of the problem with the smallest residual: the largest difference of a
  // velocity over the largest velocity, and the difference of the impulses in the kinetic norm over
  // their own. NaN when either is not solved; zero for that solve itself.
  double difference_u, difference_kinetic;
  double* history; // residual per iteration; NULL unless asked for
  rgSolution solution;
} CliSolve;

typedef struct CliProblem {
  const char* file;
  rgMessage error; // of reading; empty when it was read
  int block;       // numbers per contact in local form; 0 = with bodies
  int dimension, bodies, contacts, rows;
  int unknowns, rank; // impulses, and how many are determined; -1 = not computed
  int solve_count;
  int best; // index of the solve with the smallest residual, -1 when none was made
  CliSolve* solves;
} CliProblem;

typedef struct CliSolveRun {
  const char* solvers[CLI_SOLVER_MAX];
  int solver_count;
  bool all;            // solvers were not named: one that does not take a problem is no failure
  const char* options; // of the solver; NULL for none
  rgStop stop;
  bool history;
  bool write_solution;
  CliProblem* problems;
  int problem_count;
} CliSolveRun;

static inline bool cli_solved(const CliSolve* solve) {
  return solve->accepted && solve->report.certificate.met;
}

// Reads the file and solves its problem with every solver. The record keeps what it needs; the
// problem is given back. RG_OK unless the file cannot be read; `write_status` says how the writing
// of the solution went.
rgStatus cli_solve_file(const CliSolveRun* run, const char* file, CliProblem* problem,
                        rgStatus* write_status);
void cli_problem_free(CliProblem* problem);

// The results, on stdout.
void cli_solve_print(const CliSolveRun* run);
void cli_solve_print_csv(const CliSolveRun* run);
void cli_solve_print_json(const CliSolveRun* run);

#endif
