// faults.h - everything that is wrong in a scene, not only the first of it.
#ifndef CLI_FAULTS_H
#define CLI_FAULTS_H

// The message with which a scene was refused, and below it those of its other faults, on stderr; the first ten.
void cli_print_faults(const char* path, const char* message);

#endif
