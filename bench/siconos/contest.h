// contest.h - Rigor against the solvers of Siconos on the same problems (see main.c).
#ifndef BENCH_SICONOS_CONTEST_H
#define BENCH_SICONOS_CONTEST_H

#include <rigor/rigor.h>
#include <rigor/solver.h>

// A problem in local form, ready for both sides.
typedef struct Contest {
  const char* name;   // of the file, without folders
  rgProblem* problem; // local form
  bool global;        // the file holds M and H as text, which Siconos reads by itself
  const char* path;
} Contest;

// The two error measures of the literature for packed impulses r, `block` numbers per contact: F =
// r - P_K(r - rho (u + mu |u_T| n)), |F| / max(|r|, |u|, |q|) with rho = 1 as Siconos measures, and
// with rho_c = d / trace(W_cc), where all velocities are multiplied by it.
typedef struct Errors {
  double plain, scaled;
} Errors;
Errors measure_errors(const rgProblem* problem, const double* r);

typedef struct Result {
  double time; // [s] of CPU, the median of the repetitions
  Errors errors;
  int iterations;
  int status; // of the driver, 0 for success
} Result;

// Solvers of Siconos by index; NULL past the end.
const char* peer_name(int index);
bool peer_takes(int index, const Contest* contest);
// May exit, crash or run for ever: call it in a process of its own.
Result peer_solve(int index, const Contest* contest, double tolerance);

double cpu_time(void);
enum { REPETITIONS = 200 }; // at most
// Of the times of the repetitions; sorts them.
double median(double* times, int count);
static const double repeat_for = 0.03;  // [s]
static const double error_limit = 1e-8; // that a result must meet for its time to count

#endif
