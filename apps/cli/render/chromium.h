// chromium.h - Chromium without a window, told what to do over a pipe.
#ifndef CLI_CHROMIUM_H
#define CLI_CHROMIUM_H

#include "cli/system/program.h"

typedef struct CliChromium {
  CliProgram program;
  char log[CLI_PATH_MAX]; // what it says, a file
  char session[128];      // of the page
  int calls;              // made so far
  char* buffer;           // answers that have come
  size_t used, capacity;
} CliChromium;

// Starts the program; `folder` is for its own files.
rgStatus cli_chromium_start(CliChromium* browser, const char* program, const char* folder,
                            rgMessage* message);
// Opens a file in a window of that size [pixels]. The script runs before anything of the file does; the
// policy of a page does not hold it back.
rgStatus cli_chromium_open(CliChromium* browser, const char* file, int width, int height,
                           const char* script, rgMessage* message);
// The text that an expression (JavaScript) has as its value, or that its promise gives; to be freed.
rgStatus cli_chromium_ask(CliChromium* browser, const char* expression, char** text,
                          rgMessage* message);
void cli_chromium_close(CliChromium* browser);

#endif
