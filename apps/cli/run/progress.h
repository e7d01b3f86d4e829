// progress.h - one line on the terminal that says how far a run is.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

typedef struct CliProgress {
  bool on;        // stderr is a terminal and progress is wanted
  bool unicode;   // the terminal's character set has block characters
  double started; // [s] on the wall clock
  double drawn;   // [s] when the line was last drawn
} CliProgress;

// What the line shows.
typedef struct CliProgressState {
  const char* what; // is done at present; NULL when there is one thing only
  double fraction;  // of the run, 0 .. 1
  double simulated; // [s]
  double real_time; // simulated time over time on the wall
  int contacts;     // in the last step
  double residual;  // worst so far
  bool met;         // the tolerance, so far in every step
  bool brief;       // what, time and rest alone
} CliProgressState;

CliProgress cli_progress_start(bool wanted);
// Whether the line should be drawn again: at most ten times a second.
bool cli_progress_due(const CliProgress* progress, double wall);
void cli_progress_draw(CliProgress* progress, double wall, const CliProgressState* state);
void cli_progress_clear(const CliProgress* progress);

#endif
