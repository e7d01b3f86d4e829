// doctor_report.c - what was found, for people and as JSON.
#include "cli/doctor/doctor.h"
#include "cli/text/json.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { INDENT = 2, DEEPER = 10 };

// --- for people --------------------------------------------------------------------------------------

static void print_finding(const CliStyle* style, const CliFinding* finding) {
  char place[CLI_TEXT_MAX], line[2 * CLI_TEXT_MAX + CLI_SENTENCE_SIZE];
  cli_where_text(&finding->where, place, sizeof place);
  const char* colour = finding->severity == CLI_WRONG   ? style->bad
                       : finding->severity == CLI_RISKY ? style->bold
                                                        : style->dim;
  printf("\n%s%s%s %s", colour, cli_severity_name(finding->severity), style->plain,
         finding->fault->name);
  if (place[0])
    printf("  %s%s%s", style->bold, place, style->plain);
  if (finding->where.file)
    printf("  %s%s:%d:%d%s", style->dim, finding->where.file, finding->where.line,
           finding->where.column, style->plain);
  putchar('\n');
  snprintf(line, sizeof line, "%*s%s", INDENT, "", finding->text);
  cli_wrap(stdout, line, 0, INDENT);
  if (!finding->remedy[0])
    return;
  snprintf(line, sizeof line, "%*s-> %s", INDENT, "", finding->remedy);
  cli_wrap(stdout, line, 0, INDENT + 3);
}

// The first few of each kind and severity; the rest are counted.
static void print_findings(const CliDoctor* doctor, const CliStyle* style) {
  for (int i = 0, end; i < doctor->count; i = end) {
    const CliFinding* first = &doctor->findings[i];
    for (end = i + 1; end < doctor->count; ++end)
      if (doctor->findings[end].fault != first->fault ||
          doctor->findings[end].severity != first->severity)
        break;
    int shown = end - i <= CLI_FINDINGS_SHOWN ? end - i : CLI_FINDINGS_SHOWN;
    for (int k = i; k < i + shown; ++k)
      print_finding(style, &doctor->findings[k]);
    if (end - i > shown)
      printf("\n%*sand %d more findings of the kind %s (--json has them all)\n", INDENT, "",
             end - i - shown, first->fault->name);
  }
}

// Where the time went: the phases in percent, the largest first.
static void print_time(const CliDoctor* doctor, const CliStyle* style) {
  const CliWatch* watch = &doctor->watch;
  bool told[RG_PHASE_COUNT] = {false};
  double sum = 0;
  for (int i = 0; i < RG_PHASE_COUNT; ++i)
    sum += watch->phases[i];
  if (watch->steps == 0 || !(sum > 0))
    return;
  char per_step[CLI_TEXT_MAX];
  cli_clock_text(sum / (double)watch->steps, per_step, sizeof per_step);
  printf("\n%sTime%s  %s per step, %.3g times real time:", style->bold, style->plain, per_step,
         watch->duration / sum);
  for (int n = 0; n < RG_PHASE_COUNT; ++n) {
    int most = -1;
    for (int i = 0; i < RG_PHASE_COUNT; ++i)
      if (!told[i] && (most < 0 || watch->phases[i] > watch->phases[most]))
        most = i;
    told[most] = true;
    printf("%s %s %.0f %%", n ? "," : "", rg_phase_name((rgPhase)most),
           100 * watch->phases[most] / sum);
  }
  putchar('\n');
}

static void print_verdict(const CliDoctor* doctor, const CliStyle* style) {
  int wrong = cli_doctor_count(doctor, CLI_WRONG), risky = cli_doctor_count(doctor, CLI_RISKY);
  const CliWatch* watch = &doctor->watch;
  char scene[CLI_TEXT_MAX];
  cli_clean(doctor->path, scene, sizeof scene);
  printf("\n%s%s%s: ", style->bold, scene, style->plain);
  if (wrong + risky == 0)
    printf("%shealthy%s", style->good, style->plain);
  else
    printf("%s%d wrong, %d risky%s", style->bad, wrong, risky, style->plain);
  printf(" in %" PRId64 " step%s, %.3g s%s", watch->steps, watch->steps == 1 ? "" : "s",
         watch->duration, watch->cut ? " (cut: it takes long; --time says how far)" : "");
  if (watch->interrupted)
    printf(" (interrupted)");
  if (watch->not_met > 0)
    printf("; %" PRId64 " not met", watch->not_met);
  putchar('\n');
}

void cli_doctor_print(const CliDoctor* doctor) {
  CliStyle style = cli_style(stdout);
  char title[CLI_TEXT_MAX];
  cli_clean(rg_scene_title(doctor->scene), title, sizeof title);
  if (title[0])
    printf("%s%s%s\n", style.bold, title, style.plain);
  print_findings(doctor, &style);
  print_time(doctor, &style);
  print_verdict(doctor, &style);
}

// --- for programs ------------------------------------------------------------------------------------

static void write_place(CliJson* json, const CliWhere* where) {
  cli_json_text(json, "place", where->path);
  cli_json_text(json, "name", where->name[0] ? where->name : NULL);
  cli_json_text(json, "file", where->file);
  if (where->file) {
    cli_json_count(json, "line", where->line);
    cli_json_count(json, "column", where->column);
  } else {
    cli_json_null(json, "line");
    cli_json_null(json, "column");
  }
}

static void write_findings(CliJson* json, const CliDoctor* doctor, const char* key, bool notes) {
  cli_json_open(json, key, '[');
  for (int i = 0; i < doctor->count; ++i) {
    const CliFinding* finding = &doctor->findings[i];
    if ((finding->severity == CLI_NOTE) != notes)
      continue;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "kind", finding->fault->name);
    cli_json_text(json, "severity", cli_severity_name(finding->severity));
    write_place(json, &finding->where);
    cli_json_text(json, "text", finding->text);
    cli_json_text(json, "remedy", finding->remedy);
    cli_json_real(json, "value", finding->value);
    cli_json_real(json, "allowed", finding->allowed);
    cli_json_text(json, "unit", finding->unit);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
}

static void write_run(CliJson* json, const CliDoctor* doctor) {
  const CliWatch* watch = &doctor->watch;
  cli_json_open(json, "run", '{');
  cli_json_count(json, "steps", watch->steps);
  cli_json_count(json, "not_met", watch->not_met);
  cli_json_real(json, "time", watch->duration);
  cli_json_bool(json, "cut", watch->cut);
  cli_json_text(json, "failed", watch->failed ? watch->reason.text : NULL);
  cli_json_real(json, "cpu", watch->cpu);
  cli_json_open(json, "phases", '{');
  for (int i = 0; i < RG_PHASE_COUNT; ++i)
    cli_json_real(json, rg_phase_name((rgPhase)i), watch->phases[i]);
  cli_json_close(json, '}');
  cli_json_close(json, '}');
}

void cli_doctor_print_json(const CliDoctor* doctor) {
  CliJson json = {.stream = stdout};
  int wrong = cli_doctor_count(doctor, CLI_WRONG), risky = cli_doctor_count(doctor, CLI_RISKY);
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_text(&json, "scene", doctor->path);
  cli_json_bool(&json, "healthy", wrong + risky == 0);
  cli_json_count(&json, "wrong", wrong);
  cli_json_count(&json, "risky", risky);
  write_findings(&json, doctor, "findings", false);
  write_findings(&json, doctor, "notes", true);
  write_run(&json, doctor);
  cli_json_close(&json, '}');
}
