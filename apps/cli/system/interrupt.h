// interrupt.h - Ctrl-C as a request: the work in hand is finished, files are closed.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

// From now on SIGINT, SIGTERM and SIGHUP only raise flags: the first signal one, the second another,
// for a step that takes too long. The third ends the process at once.
void cli_interrupt_watch(void);
bool cli_interrupted(void);
const volatile int* cli_interrupt_flag(void);   // not zero once a signal came
const volatile int* cli_interrupt_urgent(void); // not zero once a second one came

#endif
