// interrupt.h - Ctrl-C as a request: the work in hand is finished, files are closed.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

// From now on SIGINT, SIGTERM and SIGHUP only raise a flag. A second signal of the same kind ends
// the process at once, for a step that takes too long.
void cli_interrupt_watch(void);
bool cli_interrupted(void);
const volatile int* cli_interrupt_flag(void); // not zero once it is raised

#endif
