// profile.h - where the time of a run goes: the phases of its steps as a table and as a picture.
#ifndef CLI_RUN_PROFILE_H
#define CLI_RUN_PROFILE_H

#include <rigor/rigor.h>

enum { CLI_PROFILE_PIECES = 256 }; // at most so many points along the picture

typedef struct CliProfile {
  const char* path; // of the picture; NULL: nobody asks
  int64_t steps, piece_steps;
  int pieces; // filled; each holds piece_steps steps but the last
  double time[CLI_PROFILE_PIECES][RG_PHASE_COUNT]; // [s] wall-clock, by phase
  double end[CLI_PROFILE_PIECES];                  // [s] simulated, at the end of the piece
  double before[RG_PHASE_COUNT];                   // [s] sums at the start of the step
} CliProfile;

// From here on steps of `world` are counted by their phases, where a path is given.
void cli_profile_start(CliProfile* profile, const char* path, rgWorld* world);
void cli_profile_step(CliProfile* profile, const rgWorld* world); // after each step
// The table, on stdout; nothing without a path or without steps.
void cli_profile_table(const CliProfile* profile);
// The picture: a page, or an SVG file by its ending. RG_OK without a path.
rgStatus cli_profile_write(const CliProfile* profile, const char* title, rgMessage* message);

#endif
