// profile.h - performance profiles: for each solver, the fraction of problems that it solved within
// a factor of the time of the fastest (Dolan & More, Math. Program. 91, 2002).
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include "cli/solve/solve.h"

enum { CLI_PROFILE_MARKS = 8 }; // ratios at which the table shows the fractions
extern const double cli_profile_ratios[CLI_PROFILE_MARKS];

// Problems that at least one solver solved: what fractions refer to.
int cli_profile_problems(const CliSolveRun* run);
// The fraction of them that solver `index` solved within `ratio` times the best time.
double cli_profile_fraction(const CliSolveRun* run, int index, double ratio);
// The largest finite ratio of all.
double cli_profile_largest(const CliSolveRun* run);

void cli_profile_print(const CliSolveRun* run);
// Writes it as a picture.
rgStatus cli_profile_svg(const CliSolveRun* run, const char* path, rgMessage* message);

#endif
