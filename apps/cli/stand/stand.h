// stand.h - an answer of `rigor stand`, for people, for machines and as a page.
#ifndef CLI_STAND_H
#define CLI_STAND_H

#include "cli/stand/distribution.h"
#include "cli/stand/margin.h"

typedef struct CliStand {
  const char* path;
  CliAssembly assembly;
  CliStatics verdict;
  int decides;      // the island that falls, else the one of most contacts; -1: none
  double largest;   // [N] of the contact forces of the proof
  double* motion;   // of the island that falls: 6 per body; NULL: none
  bool distributed; // the forces of an assembly that stands were asked for
  CliDistribution distribution;
  bool margins; // these were asked for
  CliMargin friction, shaking, forces;
} CliStand;

// "stands", "falls", "undecided"
const char* cli_stand_verdict(const CliStand* stand);
// The name of a body, or "body 7".
void cli_stand_name(const CliStand* stand, rgBodyId id, char* text, size_t size);

// stand_text.c: sentences without a line break, and all of them; `all_forces` adds a table of pairs.
void cli_stand_say_verdict(const CliStand* stand, char* text, size_t size);
void cli_stand_say_friction(const CliStand* stand, char* text, size_t size);
void cli_stand_say_shaking(const CliStand* stand, char* text, size_t size);
void cli_stand_say_forces(const CliStand* stand, char* text, size_t size);       // factor on them
void cli_stand_say_distribution(const CliStand* stand, char* text, size_t size); // at the contacts
void cli_stand_print(const CliStand* stand, bool all_forces);
void cli_stand_json(const CliStand* stand); // stand_json.c
// stand_page.c: a picture when the path ends in .svg, else a page with it.
bool cli_stand_page_takes(const char* path);
rgStatus cli_stand_page(const CliStand* stand, const char* path, rgMessage* message);

#endif
