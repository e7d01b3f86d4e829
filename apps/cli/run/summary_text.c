// summary_text.c - the summary of a run for people: a table on stdout.
#include "cli/run/summary.h"
#include "cli/text/remedy.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum { LABEL_WIDTH = 14 };

__attribute__((format(printf, 3, 4))) static void row(const CliStyle* style, const char* label,
                                                      const char* format, ...) {
  printf("  %s%-*s%s", style->dim, LABEL_WIDTH, label, style->plain);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

// A row that begins with the name of a file, which may be anything.
static void file_row(const CliStyle* style, const char* label, const char* path, int64_t count,
                     const char* what) {
  char name[CLI_TEXT_MAX];
  cli_clean(path, name, sizeof name);
  if (what)
    row(style, label, "%s, %" PRId64 " %s", name, count, what);
  else
    row(style, label, "%s", name);
}

static void heading(const CliStyle* style, const char* text, const char* remark) {
  printf("\n%s%s%s%s%s\n", style->bold, text, style->plain, remark[0] ? ", " : "", remark);
}

// One line of the certificate: value in its own column, so that exponents stand below each other.
static void measure(const CliStyle* style, const char* label, double value, const char* unit,
                    const char* meaning) {
  row(style, label, "%-9.3g %-4s  %s%s%s", value, unit, style->dim, meaning, style->plain);
}

static void print_bodies(const CliStyle* style, const CliSummary* summary) {
  char text[CLI_TEXT_MAX] = "";
  int total = 0;
  size_t used = 0;
  for (int kind = 0; kind < RG_BODY_KIND_COUNT; ++kind) {
    int count = summary->bodies[kind];
    total += count;
    if (count > 0)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%d %s", used ? ", " : "", count,
                               rg_body_kind_name((rgBodyKind)kind));
  }
  if (total == 0)
    row(style, "bodies", "none");
  else
    row(style, "bodies", "%d: %s", total, text);
}

void cli_summary_stepper(const CliSummary* summary, char* text, size_t size) {
  const char* stepper = summary->options.stepper;
  if (strcmp(stepper, "auto") == 0)
    snprintf(text, size, "auto (implicit-geometry in %" PRId64 " of %" PRId64 " steps)",
             summary->implicit_steps, summary->steps);
  else
    snprintf(text, size, "%s", stepper);
}

static void print_work(const CliStyle* style, const CliSummary* summary) {
  const rgOptions* options = &summary->options;
  char cpu[CLI_TEXT_MAX], per_step[CLI_TEXT_MAX], slowest[CLI_TEXT_MAX], memory[CLI_TEXT_MAX];
  double steps = summary->steps > 0 ? (double)summary->steps : 1;
  cli_clock_text(summary->cpu, cpu, sizeof cpu);
  cli_clock_text(summary->cpu / steps, per_step, sizeof per_step);
  cli_clock_text(summary->slowest, slowest, sizeof slowest);
  cli_bytes_text(summary->memory, memory, sizeof memory);

  char stepper[CLI_TEXT_MAX];
  cli_summary_stepper(summary, stepper, sizeof stepper);
  row(style, "method", "%s, theta %g; %s impacts; %s, tolerance %g", stepper, options->theta,
      options->impacts, options->solver, options->tolerance);
  row(style, "simulated", "%g s in %" PRId64 " step%s of %g s", summary->end - summary->start,
      summary->steps, summary->steps == 1 ? "" : "s", options->step);
  row(style, "contacts", "%.1f mean, %d most", (double)summary->contact_sum / steps,
      summary->contact_max);
  row(style, "iterations", "%.1f mean, %d most", (double)summary->iteration_sum / steps,
      summary->iteration_max);
  row(style, "sweeps", "%.1f mean, %d most", (double)summary->sweep_sum / steps,
      summary->sweep_max);
  row(style, "factored", "%.1f matrices mean, %d most", (double)summary->factorization_sum / steps,
      summary->factorization_max);
  row(style, "warm starts", "%" PRId64 " of %" PRId64 " solves skipped", summary->warm,
      summary->islands);
  if (summary->options.sleeping)
    row(style, "asleep", "%.1f bodies mean, %d at the end", (double)summary->asleep_sum / steps,
        summary->asleep);
  row(style, "CPU time", "%s, %s per step, %s in step %" PRId64, cpu, per_step, slowest,
      summary->slowest_step);
  double speed = cli_summary_real_time(summary);
  if (speed > 0)
    row(style, "speed", speed < 100 ? "%.2g times real time" : "%.0f times real time", speed);
  row(style, "memory", "%s", memory);
}

void cli_summary_stage(const CliSummary* summary, int stage, char* text, size_t size) {
  const rgStageReport* report = &summary->worst.stages[stage];
  const rgStageInfo* info = rg_stage_info(stage);
  text[0] = '\0';
  if (report->missed == 0)
    return;
  char reached[CLI_TEXT_MAX], asked[CLI_TEXT_MAX];
  cli_measure_text(report->reached, info->unit, reached, sizeof reached);
  cli_measure_text(report->asked, info->unit, asked, sizeof asked);
  snprintf(text, size, "%d step%s %s, worst %s (asked %s)", report->missed,
           report->missed == 1 ? "" : "s", info->missed, reached, asked);
}

// Stages that some step missed: why a step is not met although its residual is small.
static void print_stages(const CliStyle* style, const CliSummary* summary) {
  char text[3 * CLI_TEXT_MAX];
  for (int i = 0; i < RG_STAGE_COUNT; ++i) {
    cli_summary_stage(summary, i, text, sizeof text);
    if (!text[0])
      continue;
    printf("  %s%-*s%s%s", style->dim, LABEL_WIDTH, rg_stage_name((rgStage)i), style->plain,
           style->bad);
    cli_wrap(stdout, text, LABEL_WIDTH + 2, LABEL_WIDTH + 2);
    fputs(style->plain, stdout);
  }
}

void cli_summary_causes(const CliSummary* summary, char* text, size_t size) {
  static const double seen = 1e-9; // of the largest cause: below it is rounding
  double largest = 0;
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < CLI_CAUSE_COUNT; ++i)
    largest = fmax(largest, fabs(summary->energy_causes[i]));
  for (int i = 0; i < CLI_CAUSE_COUNT && used < size; ++i) {
    double energy = summary->energy_causes[i];
    if (fabs(energy) > seen * largest)
      used += (size_t)snprintf(text + used, size - used, "%s%s %+.3g J", used ? ", " : "",
                               cli_causes[i].name, energy);
  }
}

static void print_certificate(const CliStyle* style, const CliSummary* summary) {
  const rgCertificate* worst = &summary->worst;
  char place[CLI_TEXT_MAX];
  snprintf(place, sizeof place, "%g was asked for; worst at step %" PRId64 ", t = %g s",
           worst->tolerance, summary->worst_step, summary->worst_time);
  heading(style, "Certificate", "largest values over all steps");
  const rgCertificateField* field;
  for (int i = 0; (field = rg_certificate_field(i)); ++i) {
    if (!field->largest || field->stage != RG_STAGE_COUNT)
      continue;
    char label[CLI_TEXT_MAX];
    snprintf(label, sizeof label, "%s", field->name);
    for (char* c = label; *c; ++c)
      *c = *c == '_' ? ' ' : *c;
    bool judged = field->offset == offsetof(rgCertificate, residual);
    measure(style, label, rg_certificate_value(worst, field), field->unit,
            judged ? place : field->summary);
  }
  measure(style, "energy gain", summary->energy_gain, "J", "made from nothing in one step");
  measure(style, "energy loss", fabs(summary->energy_loss), "J", "lost in one step");
  char causes[CLI_TEXT_MAX];
  cli_summary_causes(summary, causes, sizeof causes);
  if (causes[0])
    row(style, "energy by", "%s%s, in all steps%s", causes, style->dim, style->plain);
  print_stages(style, summary);
}

// The dynamic body with the largest error; its name as text.
static double worst_body(const CliSummary* summary, char* name, size_t size) {
  double largest = -1;
  for (int i = 0; i < rg_world_body_count(summary->world); ++i) {
    rgBodyId body = rg_world_body(summary->world, i);
    double error = rg_accuracy_error(summary->accuracy, body);
    if (rg_body_kind(summary->world, body) != RG_BODY_DYNAMIC || error <= largest)
      continue;
    largest = error;
    const char* own = rg_body_name(summary->world, body);
    if (own[0])
      cli_clean(own, name, size);
    else
      snprintf(name, size, "body %" PRIu32, body.index);
  }
  return largest;
}

static void print_accuracy(const CliStyle* style, const CliSummary* summary) {
  if (!summary->accuracy)
    return;
  rgAccuracyReport report = rg_accuracy_report(summary->accuracy);
  char name[CLI_TEXT_MAX] = "", error[CLI_TEXT_MAX], asked[CLI_TEXT_MAX];
  cli_measure_text(worst_body(summary, name, sizeof name), "m", error, sizeof error);
  cli_measure_text(summary->options.accuracy, "m", asked, sizeof asked);
  heading(style, "Accuracy", "error of positions against steps ever shorter");
  row(style, "error", "at most %s, of %s; %s asked for", error, name[0] ? name : "no body", asked);
  row(style, "steps", "%" PRId64 " of %.3g to %.3g s; %" PRId64 " cut", report.steps,
      report.shortest, report.longest, report.cut);
  row(style, "cost", "%" PRId64 " steps in %d pass%s, comparisons included%s", report.total_steps,
      report.passes, report.passes == 1 ? "" : "es",
      report.spent ? "; the effort is spent (--effort)" : "");
}

void cli_summary_accuracy(const CliSummary* summary, char* text, size_t size) {
  text[0] = '\0';
  if (!summary->accuracy || summary->steps == 0)
    return;
  rgAccuracyReport report = rg_accuracy_report(summary->accuracy);
  char asked[CLI_TEXT_MAX], error[CLI_TEXT_MAX];
  cli_measure_text(summary->options.accuracy, "m", asked, sizeof asked);
  cli_measure_text(report.estimate, "m", error, sizeof error);
  if (report.holds)
    snprintf(text, size, " Positions are within %s as far as steps decide.", asked);
  else
    snprintf(text, size, " The accuracy %s is NOT held after t = %g s; the error may be %s.", asked,
             report.held_until, error);
}

void cli_summary_frames(const CliSummary* summary, char* text, size_t size) {
  const CliFrameSteps* apart = &summary->frame_steps;
  double rate = summary->rate, h = summary->options.step;
  text[0] = '\0';
  if (rate > 0 && apart->too_fast)
    snprintf(text, size,
             "%g per second are more than the steps (%g per second): every step has one", rate,
             1 / h);
  else if (rate > 0 && apart->least != apart->most)
    snprintf(text, size,
             "%g per second are one in %g steps: each is that of the first step at or after its "
             "time, %" PRId64 " or %" PRId64 " steps after the last",
             rate, 1 / (rate * h), apart->least, apart->most);
}

static void print_results(const CliStyle* style, const CliSummary* summary) {
  const rgEnergy *before = &summary->energy_start, *after = &summary->energy_end;
  heading(style, "Result", "");
  row(style, "energy", "%.6g J at the start, %.6g J at the end",
      before->kinetic + before->potential, after->kinetic + after->potential);
  row(style, "state hash", "%016" PRIx64, summary->hash);
  if (summary->trajectory)
    file_row(style, "trajectory", summary->trajectory, summary->frames, "frames");
  char frames[CLI_TEXT_MAX];
  cli_summary_frames(summary, frames, sizeof frames);
  if (summary->trajectory && frames[0]) {
    printf("  %s%-*s%s", style->dim, LABEL_WIDTH, "frames", style->plain);
    cli_wrap(stdout, frames, LABEL_WIDTH + 2, LABEL_WIDTH + 2);
  }
  if (summary->problem_folder)
    file_row(style, "problems", summary->problem_folder, summary->problems, "files");
  if (summary->snapshot)
    file_row(style, "snapshot", summary->snapshot, 0, NULL);
}

// Whether the tolerance was met, and if not, by what it was missed.
static void tolerance_sentence(const CliSummary* summary, char* text, size_t size) {
  double tolerance = summary->worst.tolerance;
  if (summary->steps == 0)
    snprintf(text, size, "No step was made.");
  else if (summary->not_met == 0)
    snprintf(text, size, "The tolerance %g was met in every step (%" PRId64 ").", tolerance,
             summary->steps);
  else if (summary->above > 0)
    snprintf(text, size,
             "The tolerance %g was NOT met in %" PRId64 " of %" PRId64
             " steps; the worst is step %" PRId64 " at t = %g s with residual %.3g.",
             tolerance, summary->not_met, summary->steps, summary->worst_step, summary->worst_time,
             summary->worst.residual);
  else
    snprintf(text, size,
             "The residual met the tolerance %g in every step, but %" PRId64 " of %" PRId64
             " steps are NOT met: a stage of them missed what was asked.",
             tolerance, summary->not_met, summary->steps);
}

void cli_summary_sentence(const CliSummary* summary, char* text, size_t size) {
  char tolerance[CLI_TEXT_MAX];
  tolerance_sentence(summary, tolerance, sizeof tolerance);
  if (summary->outcome == CLI_INTERRUPTED)
    snprintf(text, size, "INTERRUPTED after %" PRId64 " of %" PRId64 " steps. %s", summary->steps,
             summary->planned, tolerance);
  else if (summary->outcome == CLI_FAILED)
    snprintf(text, size, "STOPPED after %" PRId64 " of %" PRId64 " steps: %s\n%s", summary->steps,
             summary->planned, summary->reason.text, tolerance);
  else
    snprintf(text, size, "%s", tolerance);
  size_t used = strlen(text);
  cli_summary_accuracy(summary, text + used, size - used);
}

// Of the stages that were missed, the one that most steps missed.
static int worst_stage(const CliSummary* summary) {
  const rgStageReport* stages = summary->worst.stages;
  int worst = 0;
  for (int i = 1; i < RG_STAGE_COUNT; ++i)
    if (stages[i].missed > stages[worst].missed)
      worst = i;
  return worst;
}

void cli_summary_doctor(const CliSummary* summary, char* text, size_t size) {
  char scene[CLI_TEXT_MAX];
  cli_clean(summary->scene, scene, sizeof scene);
  snprintf(text, size, "'rigor doctor %s' says where, why, and what to change.", scene);
}

void cli_summary_advice(const CliSummary* summary, char* text, size_t size) {
  bool missed = summary->not_met > 0, stages = missed && summary->above == 0;
  double speed = cli_summary_real_time(summary);
  size_t used = 0;
  text[0] = '\0';
  if (summary->outcome == CLI_FAILED)
    return; // it has its reason
  if (stages)
    used = (size_t)snprintf(text, size, "What as a rule helps: %s (--step %g). ",
                            cli_stage_remedy((rgStage)worst_stage(summary)),
                            summary->options.step / 2);
  else if (missed)
    used = (size_t)snprintf(
        text, size,
        "To meet it, allow more work (--iteration-limit %d) or ask for less (--tolerance %g). ",
        10 * summary->options.iteration_limit, 10 * summary->options.tolerance);
  if (missed && used < size)
    cli_summary_doctor(summary, text + used, size - used);
  else if (speed > 0 && speed < 1)
    snprintf(text, size,
             "Slower than the clock: --preset realtime bounds the work of a step, --tolerance %g "
             "asks for less.",
             10 * summary->options.tolerance);
}

void cli_summary_print(const CliSummary* summary) {
  CliStyle style = cli_style(stdout);
  char sentence[3 * CLI_TEXT_MAX];
  if (summary->title && summary->title[0]) {
    char title[CLI_TEXT_MAX];
    cli_clean(summary->title, title, sizeof title);
    printf("%s%s%s\n", style.bold, title, style.plain);
  }
  file_row(&style, "scene", summary->scene, 0, NULL);
  print_bodies(&style, summary);
  print_work(&style, summary);
  if (summary->steps > 0)
    print_certificate(&style, summary);
  print_accuracy(&style, summary);
  print_results(&style, summary);
  cli_summary_sentence(summary, sentence, sizeof sentence);
  printf("\n%s", summary->outcome == CLI_DONE ? style.good : style.bad);
  cli_wrap(stdout, sentence, 0, 0);
  fputs(style.plain, stdout);
  cli_summary_advice(summary, sentence, sizeof sentence);
  if (sentence[0])
    cli_wrap(stdout, sentence, 0, 0);
}
