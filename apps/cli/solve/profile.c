// profile.c - performance profiles as a table and as an SVG picture.
#include "cli/solve/profile.h"

#include "cli/text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double cli_profile_ratios[CLI_PROFILE_MARKS] = {1, 2, 5, 10, 100, 1000, 10000, HUGE_VAL};

// -------------------------------------------------------------------------------------------------
// Ratios
// -------------------------------------------------------------------------------------------------

static double time_of(const CliProblem* problem, int index) {
  bool there = index < problem->solve_count && cli_solved(&problem->solves[index]);
  return there ? problem->solves[index].cpu : HUGE_VAL;
}

static double best_time(const CliProblem* problem) {
  double best = HUGE_VAL;
  for (int i = 0; i < problem->solve_count; i++)
    best = fmin(best, time_of(problem, i));
  return best;
}

// HUGE_VAL where it was not solved.
static double ratio_of(const CliProblem* problem, int index) {
  double best = best_time(problem), time = time_of(problem, index);
  return time == HUGE_VAL ? HUGE_VAL : best > 0 ? time / best : 1;
}

int cli_profile_problems(const CliSolveRun* run) {
  int count = 0;
  for (int i = 0; i < run->problem_count; i++)
    count += best_time(&run->problems[i]) < HUGE_VAL;
  return count;
}

double cli_profile_fraction(const CliSolveRun* run, int index, double ratio) {
  int within = 0, all = cli_profile_problems(run);
  for (int i = 0; i < run->problem_count; i++) {
    double own = ratio_of(&run->problems[i], index);
    within += own < HUGE_VAL && own <= ratio;
  }
  return all > 0 ? (double)within / all : 0;
}

double cli_profile_largest(const CliSolveRun* run) {
  double largest = 1;
  for (int i = 0; i < run->problem_count; i++)
    for (int s = 0; s < run->solver_count; s++) {
      double ratio = ratio_of(&run->problems[i], s);
      if (ratio < HUGE_VAL && ratio > largest)
        largest = ratio;
    }
  return largest;
}

// A solver that took none of the problems has no curve.
static bool took_any(const CliSolveRun* run, int index) {
  for (int i = 0; i < run->problem_count; i++)
    if (index < run->problems[i].solve_count && run->problems[i].solves[index].accepted)
      return true;
  return false;
}

// -------------------------------------------------------------------------------------------------
// Table
// -------------------------------------------------------------------------------------------------

void cli_profile_print(const CliSolveRun* run) {
  CliStyle style = cli_style(stdout);
  printf("\n%sPerformance profile%s, fraction of the %d solvable problems within a factor of the "
         "best CPU time\n\n  %-12s",
         style.bold, style.plain, cli_profile_problems(run), "");
  for (int k = 0; k < CLI_PROFILE_MARKS; k++) {
    char label[16];
    snprintf(label, sizeof label, cli_profile_ratios[k] < HUGE_VAL ? "%g" : "any",
             cli_profile_ratios[k]);
    printf(" %s%6s%s", style.dim, label, style.plain);
  }
  putchar('\n');
  for (int s = 0; s < run->solver_count; s++) {
    if (!took_any(run, s))
      continue;
    printf("  %-12s", run->solvers[s]);
    for (int k = 0; k < CLI_PROFILE_MARKS; k++)
      printf(" %6.2f", cli_profile_fraction(run, s, cli_profile_ratios[k]));
    putchar('\n');
  }
}

// -------------------------------------------------------------------------------------------------
// Picture
// -------------------------------------------------------------------------------------------------

// [px]
enum {
  WIDTH = 760,
  HEIGHT = 460,
  LEFT = 64,
  TOP = 48,
  PLOT_WIDTH = 520,
  PLOT_HEIGHT = 340,
  LEGEND_LINE = 22
};

// Told apart without colour as well, by their dashes (Okabe & Ito's palette).
static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
static const char* const dashes[] = {"", "7 3", "2 3", "9 3 2 3"};
enum { COLOURS = sizeof colours / sizeof *colours, DASHES = sizeof dashes / sizeof *dashes };

typedef struct Axis {
  double decades; // the axis goes from 1 to 10^decades
} Axis;

static double x_of(const Axis* axis, double ratio) {
  return LEFT + PLOT_WIDTH * log10(ratio) / axis->decades;
}

static double y_of(double fraction) { return TOP + PLOT_HEIGHT * (1 - fraction); }

static void draw_grid(FILE* file, const Axis* axis) {
  for (int i = 0; i <= 5; i++) {
    double y = y_of(i / 5.0);
    fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, y,
            LEFT + PLOT_WIDTH, y);
    fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 8, y + 4,
            i / 5.0);
  }
  static const int steps[] = {1, 2, 5};
  for (int decade = 0; decade <= (int)axis->decades; decade++)
    for (int k = 0; k < 3; k++) {
      double ratio = steps[k] * pow(10, decade);
      if (log10(ratio) > axis->decades + 1e-9)
        continue;
      double x = x_of(axis, ratio);
      fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>\n", x, TOP,
              x, TOP + PLOT_HEIGHT, k == 0 ? "#ddd" : "#f2f2f2");
      if (k == 0 || axis->decades <= 2)
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x,
                TOP + PLOT_HEIGHT + 18, ratio);
    }
}

// The steps of one solver, from ratio 1 to the right edge: up at each of its ratios.
static void draw_curve(FILE* file, const CliSolveRun* run, int index, const Axis* axis) {
  double at = 1, fraction = cli_profile_fraction(run, index, 1);
  fprintf(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-dasharray=\"%s\" ",
          colours[index % COLOURS], dashes[index % DASHES]);
  fprintf(file, "d=\"M %.2f %.2f", x_of(axis, 1), y_of(fraction));
  for (;;) {
    double next = HUGE_VAL;
    for (int i = 0; i < run->problem_count; i++) {
      double ratio = ratio_of(&run->problems[i], index);
      if (ratio > at && ratio < next)
        next = ratio;
    }
    if (next == HUGE_VAL)
      break;
    at = next;
    fraction = cli_profile_fraction(run, index, at);
    fprintf(file, " H %.2f V %.2f", x_of(axis, at), y_of(fraction));
  }
  fprintf(file, " H %d\"/>\n", LEFT + PLOT_WIDTH);
}

static void draw_legend(FILE* file, const CliSolveRun* run) {
  int x = LEFT + PLOT_WIDTH + 16, line = 0;
  for (int s = 0; s < run->solver_count; s++) {
    if (!took_any(run, s))
      continue;
    int y = TOP + 10 + LEGEND_LINE * line++;
    fprintf(file,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2.2\" "
            "stroke-dasharray=\"%s\"/>\n",
            x, y, x + 30, y, colours[s % COLOURS], dashes[s % DASHES]);
    fprintf(file, "<text x=\"%d\" y=\"%d\">%s (%.0f %%)</text>\n", x + 38, y + 4, run->solvers[s],
            100 * cli_profile_fraction(run, s, HUGE_VAL));
  }
}

static void draw(FILE* file, const CliSolveRun* run) {
  double largest = cli_profile_largest(run);
  Axis axis = {fmax(1, ceil(log10(largest) - 1e-9))};
  int centre = LEFT + PLOT_WIDTH / 2;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
          "%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT);
  fprintf(file, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
  fprintf(file,
          "<text x=\"%d\" y=\"28\" text-anchor=\"middle\" font-size=\"15\">Performance profile: %d "
          "problems, residual below %g</text>\n",
          centre, cli_profile_problems(run), run->stop.tolerance);
  draw_grid(file, &axis);
  for (int s = 0; s < run->solver_count; s++)
    if (took_any(run, s))
      draw_curve(file, run, s, &axis);
  fprintf(file,
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n",
          LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT);
  fprintf(file,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">CPU time over that of the fastest "
          "solver</text>\n",
          centre, TOP + PLOT_HEIGHT + 44);
  fprintf(file,
          "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\">fraction of "
          "problems solved</text>\n",
          TOP + PLOT_HEIGHT / 2);
  draw_legend(file, run);
  fprintf(file, "</svg>\n");
}

rgStatus cli_profile_svg(const CliSolveRun* run, const char* path, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, message);
  if (status != RG_OK)
    return status;
  draw(rg_output_stream(output), run);
  return rg_output_commit(output, message);
}
