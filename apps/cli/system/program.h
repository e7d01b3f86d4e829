// program.h - other programs that a command needs: found, started, fed and ended.
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/system/place.h"

#include <rigor/base.h>
#include <sys/types.h>

// The first of the names, ended by NULL, that PATH leads to. False when there is none.
bool cli_program_find(const char* const* names, char path[CLI_PATH_MAX]);

// Which of the program's files are ours.
typedef struct CliProgram {
  pid_t process; // 0: none
  int to, from;  // our ends of the pipes; -1: none
} CliProgram;

// Starts the program with these arguments, ended by NULL, in a process group of its own, so that Ctrl-C is
// ours alone. It reads from the file descriptor `reads`; it writes to `writes`, if that is not -1. What
// else it says goes to the file `log`.
rgStatus cli_program_start(CliProgram* program, char* const* arguments, int reads, int writes,
                           const char* log, rgMessage* message);
// Waits for its end, for at most so many seconds; then its exit status, or -1 when it goes on or was
// killed.
int cli_program_wait(CliProgram* program, double seconds);
// Closes the pipes; kills the program and those that it started when it still runs.
void cli_program_end(CliProgram* program);
// The last line of what it said; "" when it said nothing.
void cli_program_last(const char* log, char* text, size_t size);

#endif
