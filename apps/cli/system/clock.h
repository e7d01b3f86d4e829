// clock.h - time on the wall and time of the processor.
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

double cli_wall_clock(void); // [s] monotonic, from an arbitrary start
double cli_cpu_clock(void);  // [s] used by all threads of this process

#endif
