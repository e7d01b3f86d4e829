// input.h - the standard input as a file.
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include <stdbool.h>

// The path of the standard input as a file that can be opened and read as often as others can; NULL when it cannot
// be kept, or has more than 1 GiB. What comes from a pipe is kept in a file without a name, which ends with the process.
const char* cli_standard_input(void);

#endif
