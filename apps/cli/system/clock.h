// clock.h - time on the wall and time of the processor.
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

double cli_wall_clock(void);   // [s] monotonic, from an arbitrary start
double cli_cpu_clock(void);    // [s] used by all threads of this process
double cli_thread_clock(void); // [s] of the processor used by the calling thread
// [s] for which the calling thread was ready to run and the processors were with others; NaN where the
// system does not say (it is Linux that does).
double cli_thread_waited(void);

#endif
