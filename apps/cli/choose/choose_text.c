// choose_text.c - what `rigor choose` found, for people and for machines.
#include "cli/choose/choose.h"
#include "cli/run/summary.h"
#include "cli/settings.h"
#include "cli/text/json.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The value as text that is read back to the same bits.
static void show_exactly(const rgOption* option, const rgOptions* options, char* text,
                         size_t size) {
  cli_setting_show(option, options, text, size);
  if (option->type != RG_OPTION_REAL)
    return;
  char number[RG_NUMBER_SIZE];
  double value;
  memcpy(&value, (const char*)options + option->offset, sizeof value);
  rg_number_format(value, number);
  snprintf(text, size, "%s", number);
}

void cli_choose_flags(const CliChoosing* choosing, const CliTrial* trial, char* text, size_t size) {
  const rgOption* option;
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; (option = rg_option(i)) && used < size; ++i) {
    char own[CLI_TEXT_MAX], scene[CLI_TEXT_MAX], flag[CLI_TEXT_MAX];
    show_exactly(option, &trial->options, own, sizeof own);
    show_exactly(option, &choosing->options, scene, sizeof scene);
    cli_setting_flag(option, flag, sizeof flag);
    if (strcmp(own, scene) != 0)
      used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? " " : "", flag, own);
  }
}

static const char* fate_name(const CliTrial* trial) {
  static const char* const names[] = {
      [CLI_TRIAL_RAN] = "misses",
      [CLI_TRIAL_SLOW] = "slow",
      [CLI_TRIAL_REFUSED] = "refused",
      [CLI_TRIAL_FAILED] = "failed",
  };
  return trial->holds ? "holds" : names[trial->fate];
}

static void geometry_text(const CliTrial* trial, char* text, size_t size) {
  if (trial->facets > 0)
    snprintf(text, size, "%d facets", trial->facets);
  else
    snprintf(text, size, "as given");
}

static void print_trial(const CliChoosing* choosing, int index, const CliStyle* style) {
  const CliTrial* trial = &choosing->trials[index];
  const rgOptions* options = &trial->options;
  char geometry[32], cone[RG_NAME_MAX + 16], error[CLI_TEXT_MAX] = "-", cpu[CLI_TEXT_MAX] = "-",
                                             slowest[CLI_TEXT_MAX] = "-", theta[16] = "-";
  geometry_text(trial, geometry, sizeof geometry);
  bool polygon = strcmp(options->cone, "inner") == 0 || strcmp(options->cone, "outer") == 0;
  snprintf(cone, sizeof cone, polygon ? "%s %d" : "%s", options->cone, options->facets);
  if (cli_choose_reads_theta(options->stepper))
    snprintf(theta, sizeof theta, "%g", options->theta);
  if (trial->fate == CLI_TRIAL_RAN) {
    cli_measure_text(trial->error, "m", error, sizeof error);
    cli_clock_text(trial->slowest, slowest, sizeof slowest);
  }
  if (trial->fate == CLI_TRIAL_RAN || trial->fate == CLI_TRIAL_SLOW)
    cli_clock_text(trial->cpu, cpu, sizeof cpu);
  printf("%s%-17s %5s %9.3g  %-11s %-9s %-10s %7.0e %10s %9s %9s  %s%s%s\n",
         index == choosing->best ? style->bold : "", options->stepper, theta, options->step,
         geometry, cone, options->solver, options->tolerance, error, cpu, slowest,
         trial->holds ? style->good : "", fate_name(trial), style->plain);
}

static void print_verdict(const CliChoosing* choosing, const CliStyle* style) {
  char text[4 * CLI_TEXT_MAX], flags[2 * CLI_TEXT_MAX], asked[CLI_TEXT_MAX];
  cli_measure_text(choosing->accuracy, "m", asked, sizeof asked);
  if (choosing->best < 0) {
    snprintf(text, sizeof text, "Nothing that was tried holds %s%s.", asked,
             choosing->realtime ? " in real time" : "");
    printf("\n%s", style->bad);
    cli_wrap(stdout, text, 0, 0);
    fputs(style->plain, stdout);
    return;
  }
  const CliTrial* best = &choosing->trials[choosing->best];
  cli_choose_flags(choosing, best, flags, sizeof flags);
  char cpu[CLI_TEXT_MAX];
  cli_clock_text(best->cpu / choosing->time, cpu, sizeof cpu);
  snprintf(text, sizeof text,
           "The cheapest that holds %s takes %s of CPU time per simulated second%s:", asked, cpu,
           best->facets > 0 ? ", with polytopes in the place of smooth shapes" : "");
  printf("\n%s", style->good);
  cli_wrap(stdout, text, 0, 0);
  fputs(style->plain, stdout);
  char path[CLI_TEXT_MAX];
  cli_clean(choosing->path, path, sizeof path);
  printf("  rigor run %s%s%s\n", path, flags[0] ? " " : "", flags);
}

void cli_choose_print(const CliChoosing* choosing) {
  CliStyle style = cli_style(stdout);
  char error[CLI_TEXT_MAX], cpu[CLI_TEXT_MAX];
  cli_measure_text(choosing->reference_error, "m", error, sizeof error);
  cli_clock_text(choosing->reference_cpu, cpu, sizeof cpu);
  printf("%g s%s against a reference with an error of %s, which took %s\n\n", choosing->time,
         choosing->shortened ? " (no reference is known for longer)" : "", error, cpu);
  printf("%s%-17s %5s %9s  %-11s %-9s %-10s %7s %10s %9s %9s%s\n", style.dim, "stepper", "theta",
         "step [s]", "geometry", "cone", "solver", "tol", "error", "CPU", "slowest", style.plain);
  for (int i = 0; i < choosing->count; ++i)
    print_trial(choosing, i, &style);
  print_verdict(choosing, &style);
}

static void write_trial(CliJson* json, const CliTrial* trial) {
  const rgOptions* options = &trial->options;
  bool ran = trial->fate == CLI_TRIAL_RAN;
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "stepper", options->stepper);
  cli_json_real(json, "theta", options->theta);
  cli_json_real(json, "step", options->step);
  cli_json_count(json, "geometry_facets", trial->facets);
  cli_json_text(json, "cone", options->cone);
  cli_json_count(json, "cone_facets", options->facets);
  cli_json_text(json, "solver", options->solver);
  cli_json_real(json, "tolerance", options->tolerance);
  cli_json_text(json, "outcome", fate_name(trial));
  cli_json_text(json, "reason", trial->reason.text[0] ? trial->reason.text : NULL);
  cli_json_real(json, "error", ran ? trial->error : (double)NAN);
  cli_json_real(json, "cpu_time", ran ? trial->cpu : (double)NAN);
  cli_json_real(json, "slowest_step", ran ? trial->slowest : (double)NAN);
  cli_json_count(json, "steps", trial->steps);
  cli_json_count(json, "steps_not_met", trial->not_met);
  cli_json_bool(json, "holds", trial->holds);
  cli_json_close(json, '}');
}

void cli_choose_print_json(const CliChoosing* choosing) {
  CliJson json = {.stream = stdout};
  const CliTrial* best = choosing->best < 0 ? NULL : &choosing->trials[choosing->best];
  char flags[2 * CLI_TEXT_MAX] = "";
  if (best)
    cli_choose_flags(choosing, best, flags, sizeof flags);
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_text(&json, "scene", choosing->path);
  cli_json_real(&json, "accuracy", choosing->accuracy);
  cli_json_bool(&json, "realtime", choosing->realtime);
  cli_json_real(&json, "time", choosing->time);
  cli_json_bool(&json, "shortened", choosing->shortened);
  cli_json_real(&json, "reference_error", choosing->reference_error);
  cli_json_real(&json, "reference_cpu_time", choosing->reference_cpu);
  cli_json_open(&json, "trials", '[');
  for (int i = 0; i < choosing->count; ++i)
    write_trial(&json, &choosing->trials[i]);
  cli_json_close(&json, ']');
  if (best) {
    cli_json_count(&json, "best", choosing->best);
    cli_summary_json_options(&json, &best->options);
    cli_json_text(&json, "flags", flags);
  } else {
    cli_json_null(&json, "best");
  }
  cli_json_close(&json, '}');
}
