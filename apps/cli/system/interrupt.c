// interrupt.c - Ctrl-C as a request: the work in hand is finished, files are closed.
#include "cli/system/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t raised; // a signal handler has nothing else to write to

static void note(int signal_number) {
  (void)signal_number;
  raised = 1;
}

void cli_interrupt_watch(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = note, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
    struct sigaction before;
    // What the caller ignores (nohup) stays ignored.
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
  }
}

bool cli_interrupted(void) { return raised != 0; }

_Static_assert(sizeof raised == sizeof(int), "a solve reads the flag as an int");
const volatile int* cli_interrupt_flag(void) { return (const volatile int*)&raised; }
