// compare_json.c - the results of `rigor compare` for machines: one JSON object on stdout.
//
// Units are SI as in the scene; docs/command.md lists the members.
#include "cli/compare/compare.h"

#include <inttypes.h>
#include <math.h>

static void write_energy(CliJson* json, const CliCombination* combination) {
  const CliSummary* summary = &combination->summary;
  cli_json_real(json, "energy_start",
                summary->energy_start.kinetic + summary->energy_start.potential);
  cli_json_real(json, "energy_end", summary->energy_end.kinetic + summary->energy_end.potential);
  cli_json_real(json, "energy_gained", combination->energy_gained);
  cli_json_real(json, "energy_lost", combination->energy_lost);
  cli_json_real(json, "energy_drift", summary->energy_sum);
}

static void write_combination(CliJson* json, const CliCombination* combination) {
  const CliSummary* summary = &combination->summary;
  bool stepped = combination->fate != CLI_FATE_WAITING && combination->fate != CLI_FATE_REFUSED;
  const char* reason = summary->reason.text;
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "stepper", combination->name[CLI_CHOICE_STEPPER]);
  cli_json_text(json, "solver", combination->name[CLI_CHOICE_SOLVER]);
  cli_json_text(json, "stabilizer", combination->name[CLI_CHOICE_STABILIZER]);
  cli_json_text(json, "outcome", cli_combination_outcome(combination));
  cli_json_text(json, "reason", reason[0] ? reason : NULL);
  cli_json_count(json, "steps", summary->steps);
  cli_json_real(json, "time_end", summary->end);
  if (stepped) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, summary->hash);
    double steps = summary->steps > 0 ? (double)summary->steps : (double)NAN;
    cli_json_real(json, "cpu_time", summary->cpu);
    cli_json_real(json, "cpu_time_per_step", summary->cpu / steps);
    cli_json_real(json, "contacts", (double)summary->contact_sum / steps);
    cli_json_real(json, "iterations", (double)summary->iteration_sum / steps);
    cli_summary_json_certificate(json, summary);
    write_energy(json, combination);
    cli_json_real(json, "difference", combination->difference);
    cli_json_text(json, "state", hash);
  }
  cli_json_close(json, '}');
}

void cli_comparison_print_json(const CliComparison* comparison) {
  CliTally tally = cli_comparison_tally(comparison);
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_text(&json, "scene", comparison->scene_path);
  cli_json_text(&json, "title", rg_scene_title(comparison->scene));
  cli_json_bool(&json, "interrupted", tally.waiting + tally.interrupted > 0);
  cli_json_bool(&json, "met", tally.ran > 0 && tally.not_met == 0);
  cli_json_real(&json, "time", comparison->time);
  cli_json_count(&json, "steps_planned", comparison->planned);
  cli_summary_json_options(&json, &comparison->options);
  if (comparison->reference < 0)
    cli_json_null(&json, "reference");
  else
    cli_json_count(&json, "reference", comparison->reference);
  cli_json_open(&json, "combinations", '[');
  for (int i = 0; i < comparison->count; ++i)
    write_combination(&json, &comparison->combinations[i]);
  cli_json_close(&json, ']');
  cli_json_close(&json, '}');
}
