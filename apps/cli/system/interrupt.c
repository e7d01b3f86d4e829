// interrupt.c - Ctrl-C as a request: the work in hand is finished, files are closed.
#include "cli/system/interrupt.h"

#include <signal.h>
#include <stddef.h>

// A signal handler has nothing else to write to.
static volatile sig_atomic_t raised; // a signal came
static volatile sig_atomic_t urgent; // a second one

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static void set_handlers(void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < SIGNALS; ++i) {
    struct sigaction before;
    // What the caller ignores (nohup) stays ignored.
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
  }
}

static void note(int signal_number) {
  (void)signal_number;
  urgent = raised;
  raised = 1;
  if (urgent)
    set_handlers(SIG_DFL); // the third ends the process
}

void cli_interrupt_watch(void) { set_handlers(note); }

bool cli_interrupted(void) { return raised != 0; }

_Static_assert(sizeof raised == sizeof(int), "a solve reads the flags as int");
const volatile int* cli_interrupt_flag(void) { return (const volatile int*)&raised; }
const volatile int* cli_interrupt_urgent(void) { return (const volatile int*)&urgent; }
