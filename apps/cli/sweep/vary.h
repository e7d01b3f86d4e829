// vary.h - what --vary says: a number of the scene, and which values it has in which run.
#ifndef CLI_VARY_H
#define CLI_VARY_H

#include "cli/command.h"

enum { CLI_VARY_MAX = 32, CLI_LEVELS_MAX = 4096 };

typedef enum CliVaryKind {
  CLI_VARY_UNIFORM, // in [a, b)
  CLI_VARY_NORMAL,  // mean a, deviation b
  CLI_VARY_LIST,    // each of some values
  CLI_VARY_GRID,    // `level_count` values from a to b
} CliVaryKind;

typedef struct CliVary {
  char path[256];   // of the number in the scene
  const char* text; // as given; the caller's
  CliVaryKind kind;
  double a, b;
  double* levels; // of a list
  int level_count;
} CliVary;

// Reads "PATH=uniform(a,b)" and the like. False with a message that says what is wrong and where.
bool cli_vary_parse(const char* text, CliVary* vary, rgMessage* message);
void cli_vary_free(CliVary* vary);

// How many combinations of values of lists and grids there are; 0 without lists and grids.
double cli_vary_combinations(const CliVary* varied, int count);
// The values of all numbers in a run. Lists and grids go through all their combinations, the last
// one fastest, and begin anew; the others depend on the seed, the run, and their place.
void cli_vary_values(const CliVary* varied, int count, uint64_t seed, int64_t run, double* values);

#endif
