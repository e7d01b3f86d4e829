// progress.c - one line on the terminal that says how far a run is.
#include "cli/run/progress.h"
#include "cli/system/clock.h"
#include "cli/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double DRAW_INTERVAL = 0.1; // [s] faster is not seen
enum { BAR_MIN = 8, BAR_MAX = 30, FALLBACK_WIDTH = 80 };

static bool has_unicode(void) {
  static const char* const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; ++i) {
    const char* value = getenv(variables[i]);
    if (value && value[0])
      return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
  }
  return false;
}

static int terminal_width(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return FALLBACK_WIDTH;
}

CliProgress cli_progress_start(bool wanted) {
  return (CliProgress){
      .on = wanted && cli_is_terminal(stderr),
      .unicode = has_unicode(),
      .started = cli_wall_clock(),
  };
}

bool cli_progress_due(const CliProgress* progress, double wall) {
  return progress->on && wall - progress->drawn >= DRAW_INTERVAL;
}

static void eta_text(double seconds, char* text, size_t size) {
  long rest = seconds < 360000 ? (long)(seconds + 0.5) : 360000; // 100 hours are "long" anyway
  if (rest < 3600)
    snprintf(text, size, "ETA %ld:%02ld", rest / 60, rest % 60);
  else
    snprintf(text, size, "ETA %ld:%02ld h", rest / 3600, rest % 3600 / 60);
}

static void draw_bar(const CliProgress* progress, int width, double fraction,
                     const CliStyle* style) {
  int filled = (int)(fraction * width + 0.5);
  fputs(style->good, stderr);
  for (int i = 0; i < width; ++i) {
    if (i == filled)
      fprintf(stderr, "%s%s", style->plain, style->dim);
    if (progress->unicode)
      fputs(i < filled ? "\u2501" : "\u2500", stderr);
    else
      fputc(i < filled ? '#' : '.', stderr);
  }
  fputs(style->plain, stderr);
}

void cli_progress_draw(CliProgress* progress, double wall, const CliProgressState* state) {
  if (!progress->on)
    return;
  progress->drawn = wall;
  CliStyle style = cli_style(stderr);

  // From most to least wanted; a narrow terminal leaves out the last ones.
  enum { PARTS = 6, PART_SIZE = 64, RESIDUAL = 3, BRIEF = 3 };
  char part[PARTS][PART_SIZE];
  double elapsed = wall - progress->started;
  double rest = state->fraction > 0 ? elapsed * (1 / state->fraction - 1) : 0;
  snprintf(part[0], PART_SIZE, "%s", state->what ? state->what : "");
  snprintf(part[1], PART_SIZE, "%.2f s", state->simulated);
  eta_text(rest, part[2], PART_SIZE);
  snprintf(part[RESIDUAL], PART_SIZE, state->residual > 0 ? "residual %.0e" : "residual %g",
           state->residual);
  snprintf(part[4], PART_SIZE, state->real_time < 10 ? "%.2gx real time" : "%.0fx real time",
           state->real_time);
  snprintf(part[5], PART_SIZE, "%d contacts", state->contacts);

  int room =
      terminal_width() - 1 - 6 - BAR_MIN; // the last column, the percentage, the shortest bar
  int first = part[0][0] ? 0 : 1, shown = first, parts = state->brief ? BRIEF : PARTS;
  for (; shown < parts && (int)strlen(part[shown]) + 2 <= room; ++shown)
    room -= (int)strlen(part[shown]) + 2;
  int bar = BAR_MIN + (room < 0 ? 0 : room);
  bar = bar < BAR_MAX ? bar : BAR_MAX;

  fprintf(stderr, "\r%3d %% ", (int)(100 * state->fraction));
  draw_bar(progress, bar, state->fraction, &style);
  for (int i = first; i < shown; ++i) {
    bool alarm = i == RESIDUAL && !state->met;
    fprintf(stderr, "  %s%s%s", alarm ? style.bad : "", part[i], alarm ? style.plain : "");
  }
  fputs("\033[K", stderr);
  fflush(stderr);
}

void cli_progress_clear(const CliProgress* progress) {
  if (!progress->on)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}
