// text.h - output for people: colour where it is wanted, wrapped help, numbers with units.
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <rigor/base.h>
#include <stdio.h>

enum { CLI_TEXT_MAX = 512, CLI_LINE = 96 }; // bytes of a text; columns that help is wrapped to

// Escape sequences, all empty when the stream is not a terminal or colour is not wanted (NO_COLOR,
// a dumb terminal).
typedef struct CliStyle {
  const char *bold, *dim, *good, *bad, *plain;
} CliStyle;
CliStyle cli_style(FILE* stream);

// Formats into `message`, which may be NULL, and returns `status`, so that a function that fails can
// end with `return cli_fail(message, RG_ERROR_INPUT, "...")`.
rgStatus cli_fail(rgMessage* message, rgStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// True for a terminal on which a line can be redrawn.
bool cli_is_terminal(FILE* stream);

// Prints words from column `column` on, wrapped to CLI_LINE with continuation lines indented by
// `indent`. A line break in the text starts a new line; ends with one.
void cli_wrap(FILE* stream, const char* text, int column, int indent);

// A copy fit for a terminal: rg_utf8_clean.
void cli_clean(const char* from, char* text, size_t size);

// Times on the clock, which may be far from a second: "0.66 ms", "12.3 s", "2 min 03 s".
void cli_clock_text(double seconds, char* text, size_t size);
// A measured value with a unit that suits its size: "10 mm", "3 islands", "0.0012".
void cli_measure_text(double value, const char* unit, char* text, size_t size);
// "1.4 MiB"
void cli_bytes_text(size_t bytes, char* text, size_t size);

#endif
