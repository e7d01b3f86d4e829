// reproduce.h - reports of reproduced experiments as text, as JSON and as pages.
#ifndef CLI_REPRODUCE_H
#define CLI_REPRODUCE_H

#include "cli/text/json.h"
#include "experiments/experiment.h"

// One experiment that was made.
typedef struct Reproduction {
  const Experiment* experiment;
  ExperimentReport report;
  double seconds;        // CPU time
  const char* overrides; // options that the user laid over those of the scene; "" when none
} Reproduction;

// "48 checked, 47 pass; 90 shown."
void reproduction_headline(const ExperimentReport* report, char* text, size_t size);
// A number of a row; "-" when there is none.
void reproduction_number(double value, char* text, size_t size);
// The command that makes this report, and the one that shows its scene, "" when it has none.
void reproduction_command(const Reproduction* made, char* text, size_t size);
void reproduction_view(const Reproduction* made, char* text, size_t size);
// The source of a row: what the experiment says, or the section of the paper.
const char* reproduction_source(const Reproduction* made, const ExperimentRow* row);

void reproduction_print(const Reproduction* made);
void reproduction_json(const Reproduction* made, CliJson* json);
void reproduction_page(const Reproduction* made, FILE* stream);
// A table of all, with links to the pages NAME.html beside it.
void reproduction_index(const Reproduction* made, int count, FILE* stream);
void reproduction_print_all(const Reproduction* made, int count);
void reproduction_json_all(const Reproduction* made, int count);
// Sums over all of them; `counts` may be NULL. True when all pass.
bool reproduction_total(const Reproduction* made, int count, ExperimentCounts* counts);

// The scene of the experiment where it begins, as one <svg> element; nothing when it has none.
void reproduction_picture(const Experiment* experiment, FILE* stream);

#endif
