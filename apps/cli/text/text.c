// text.c - output for people: colour where it is wanted, wrapped help, numbers with units.
#include "cli/text/text.h"

#include <rigor/util.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

rgStatus cli_fail(rgMessage* message, rgStatus status, const char* format, ...) {
  if (message) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

bool cli_is_terminal(FILE* stream) {
  const char* terminal = getenv("TERM");
  return isatty(fileno(stream)) && terminal && strcmp(terminal, "dumb") != 0;
}

CliStyle cli_style(FILE* stream) {
  const char* refused = getenv("NO_COLOR");
  if (!cli_is_terminal(stream) || (refused && refused[0]))
    return (CliStyle){"", "", "", "", ""};
  return (CliStyle){"\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[0m"};
}

void cli_wrap(FILE* stream, const char* text, int column, int indent) {
  bool at_start = true; // of a line: no space before the word
  while (*text) {
    int length = (int)strcspn(text, " \n");
    if (!at_start && column + 1 + length > CLI_LINE) {
      fprintf(stream, "\n%*s", indent, "");
      column = indent;
      at_start = true;
    }
    column += fprintf(stream, "%s%.*s", at_start ? "" : " ", length, text);
    at_start = false;
    text += length;
    if (*text == '\n' && text[1]) {
      fprintf(stream, "\n%*s", indent, "");
      column = indent;
      at_start = true;
    }
    if (*text)
      ++text;
  }
  fputc('\n', stream);
}

void cli_clean(const char* from, char* text, size_t size) {
  snprintf(text, size, "%s", from);
  rg_utf8_clean(text);
}

void cli_clock_text(double seconds, char* text, size_t size) {
  if (seconds < 1e-3)
    snprintf(text, size, "%.3g us", seconds * 1e6);
  else if (seconds < 1)
    snprintf(text, size, "%.3g ms", seconds * 1e3);
  else if (seconds < 100)
    snprintf(text, size, "%.3g s", seconds);
  else if (seconds < 6000)
    snprintf(text, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
  else
    snprintf(text, size, "%.0f h %02d min", (seconds - (double)((long)seconds % 3600)) / 3600,
             (int)((long)seconds % 3600 / 60));
}

void cli_measure_text(double value, const char* unit, char* text, size_t size) {
  static const struct {
    const char* prefix;
    double factor;
  } scales[] = {{"", 1}, {"m", 1e3}, {"u", 1e6}, {"n", 1e9}};
  int scale = 0;
  // Only units that begin with the metre have prefixes; counts have none.
  if (unit[0] == 'm' && isfinite(value) && value != 0)
    while (scale < 3 && fabs(value) * scales[scale].factor < 0.1)
      ++scale;
  snprintf(text, size, "%.3g%s%s%s", value * scales[scale].factor, unit[0] ? " " : "",
           scales[scale].prefix, unit);
}

void cli_bytes_text(size_t bytes, char* text, size_t size) {
  static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  snprintf(text, size, value < 100 ? "%.3g %s" : "%.0f %s", value, units[unit]);
}
