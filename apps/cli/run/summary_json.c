// summary_json.c - the summary of a run for machines: one JSON object on stdout.
//
// Units are SI as in the scene; docs/command.md lists the members.
#include "cli/run/summary.h"
#include "cli/settings.h"

#include <inttypes.h>
#include <math.h>

static void write_vec3(CliJson* json, const char* key, rgVec3 v) {
  cli_json_open(json, key, '[');
  cli_json_real(json, NULL, v.x);
  cli_json_real(json, NULL, v.y);
  cli_json_real(json, NULL, v.z);
  cli_json_close(json, ']');
}

static void write_option(CliJson* json, const rgOption* option, const rgOptions* options) {
  const void* field = (const char*)options + option->offset;
  switch (option->type) {
  case RG_OPTION_BOOL:
    cli_json_bool(json, option->name, *(const bool*)field);
    break;
  case RG_OPTION_INT:
    cli_json_count(json, option->name, *(const int*)field);
    break;
  case RG_OPTION_REAL:
    cli_json_real(json, option->name, *(const double*)field);
    break;
  case RG_OPTION_VEC3:
    write_vec3(json, option->name, *(const rgVec3*)field);
    break;
  case RG_OPTION_NAME:
    cli_json_text(json, option->name, field);
    break;
  }
}

void cli_summary_json_options(CliJson* json, const rgOptions* options) {
  const rgOption* option;
  cli_json_open(json, "options", '{');
  for (int i = 0; (option = rg_option(i)); ++i)
    write_option(json, option, options);
  cli_json_close(json, '}');
}

static void write_bodies(CliJson* json, const CliSummary* summary) {
  cli_json_open(json, "bodies", '{');
  for (int kind = 0; kind < RG_BODY_KIND_COUNT; ++kind)
    cli_json_count(json, rg_body_kind_name((rgBodyKind)kind), summary->bodies[kind]);
  cli_json_close(json, '}');
}

static void write_counts(CliJson* json, const char* key, int64_t sum, int most, int64_t steps) {
  cli_json_open(json, key, '{');
  cli_json_real(json, "mean", steps > 0 ? (double)sum / (double)steps : 0);
  cli_json_count(json, "max", most);
  cli_json_close(json, '}');
}

static void write_work(CliJson* json, const CliSummary* summary) {
  cli_json_count(json, "steps", summary->steps);
  cli_json_count(json, "steps_planned", summary->planned);
  cli_json_count(json, "implicit_geometry_steps", summary->implicit_steps);
  cli_json_real(json, "time_start", summary->start);
  cli_json_real(json, "time_end", summary->end);
  write_counts(json, "contacts", summary->contact_sum, summary->contact_max, summary->steps);
  cli_json_count(json, "undetermined_contacts", summary->undetermined);
  write_counts(json, "iterations", summary->iteration_sum, summary->iteration_max, summary->steps);
  write_counts(json, "sweeps", summary->sweep_sum, summary->sweep_max, summary->steps);
  write_counts(json, "factorizations", summary->factorization_sum, summary->factorization_max,
               summary->steps);
  cli_json_open(json, "solves", '{');
  cli_json_count(json, "islands", summary->islands);
  cli_json_count(json, "skipped_by_warm_start", summary->warm);
  cli_json_close(json, '}');
  if (summary->options.sleeping) {
    cli_json_open(json, "asleep", '{');
    cli_json_real(json, "mean", (double)summary->asleep_sum / fmax((double)summary->steps, 1));
    cli_json_count(json, "end", summary->asleep);
    cli_json_close(json, '}');
  }
  cli_json_real(json, "cpu_time", summary->cpu);
  cli_json_open(json, "slowest_step", '{');
  cli_json_count(json, "step", summary->slowest_step);
  cli_json_real(json, "cpu_time", summary->slowest);
  cli_json_close(json, '}');
  cli_json_real(json, "wall_time", summary->wall);
  cli_json_real(json, "real_time_factor", cli_summary_real_time(summary));
  cli_json_count(json, "memory", (int64_t)summary->memory);
}

// For each stage that some step needed: what was asked and reached where it was missed by most.
static void write_stages(CliJson* json, const rgCertificate* worst) {
  cli_json_open(json, "stages", '{');
  for (int i = 0; i < RG_STAGE_COUNT; ++i) {
    const rgStageReport* stage = &worst->stages[i];
    if (stage->count == 0)
      continue;
    cli_json_open(json, rg_stage_name((rgStage)i), '{');
    cli_json_real(json, "asked", stage->asked);
    cli_json_real(json, "reached", stage->reached);
    cli_json_count(json, "steps_needed", stage->count);
    cli_json_count(json, "steps_missed", stage->missed);
    cli_json_close(json, '}');
  }
  cli_json_close(json, '}');
}

void cli_summary_json_certificate(CliJson* json, const CliSummary* summary) {
  const rgCertificate* worst = &summary->worst;
  const rgCertificateField* field;
  cli_json_open(json, "certificate", '{');
  for (int i = 0; (field = rg_certificate_field(i)); ++i)
    if (field->largest && field->stage == RG_STAGE_COUNT)
      cli_json_real(json, field->name, rg_certificate_value(worst, field));
  cli_json_real(json, "energy_gain", summary->energy_gain);
  cli_json_real(json, "energy_loss", fabs(summary->energy_loss));
  cli_json_real(json, "energy_sum", summary->energy_sum);
  for (int i = 0; i < CLI_CAUSE_COUNT; ++i)
    cli_json_real(json, cli_causes[i].field, summary->energy_causes[i]);
  cli_json_real(json, "tolerance", worst->tolerance);
  cli_json_bool(json, "met", summary->not_met == 0);
  cli_json_count(json, "steps_not_met", summary->not_met);
  cli_json_count(json, "steps_above_tolerance", summary->above);
  cli_json_count(json, "worst_step", summary->worst_step);
  cli_json_real(json, "worst_time", summary->worst_time);
  write_stages(json, worst);
  cli_json_close(json, '}');
}

// What is known of the error of positions; null where no accuracy was asked for.
static void write_accuracy(CliJson* json, const CliSummary* summary) {
  if (!summary->accuracy) {
    cli_json_text(json, "accuracy", NULL);
    return;
  }
  rgAccuracyReport report = rg_accuracy_report(summary->accuracy);
  cli_json_open(json, "accuracy", '{');
  cli_json_real(json, "asked", summary->options.accuracy);
  cli_json_real(json, "estimate", report.estimate);
  cli_json_bool(json, "holds", report.holds);
  cli_json_real(json, "held_until", report.held_until);
  cli_json_count(json, "passes", report.passes);
  cli_json_real(json, "tolerance", report.tolerance);
  cli_json_count(json, "steps", report.steps);
  cli_json_count(json, "steps_cut", report.cut);
  cli_json_count(json, "steps_in_all", report.total_steps);
  cli_json_real(json, "shortest_step", report.shortest);
  cli_json_real(json, "longest_step", report.longest);
  cli_json_bool(json, "effort_spent", report.spent);
  cli_json_open(json, "bodies", '[');
  for (int i = 0; i < rg_world_body_count(summary->world); ++i) {
    rgBodyId body = rg_world_body(summary->world, i);
    if (rg_body_kind(summary->world, body) != RG_BODY_DYNAMIC)
      continue;
    cli_json_open(json, NULL, '{');
    cli_json_count(json, "body", body.index);
    cli_json_text(json, "name", rg_body_name(summary->world, body));
    cli_json_real(json, "error", rg_accuracy_error(summary->accuracy, body));
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

static void write_energy(CliJson* json, const char* key, rgEnergy energy) {
  cli_json_open(json, key, '{');
  cli_json_real(json, "kinetic", energy.kinetic);
  cli_json_real(json, "potential", energy.potential);
  cli_json_close(json, '}');
}

void cli_summary_print_json(const CliSummary* summary) {
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64, summary->hash);
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_text(&json, "scene", summary->scene);
  cli_json_text(&json, "title", summary->title);
  cli_json_text(&json, "outcome", cli_outcome_name(summary->outcome));
  cli_json_text(&json, "reason", summary->outcome == CLI_FAILED ? summary->reason.text : NULL);
  cli_summary_json_options(&json, &summary->options);
  write_bodies(&json, summary);
  write_work(&json, summary);
  cli_summary_json_certificate(&json, summary);
  write_accuracy(&json, summary);
  write_energy(&json, "energy_start", summary->energy_start);
  write_energy(&json, "energy_end", summary->energy_end);
  cli_json_text(&json, "state", hash);
  cli_json_text(&json, "trajectory", summary->trajectory);
  cli_json_count(&json, "frames", summary->frames);
  cli_json_open(&json, "frame_steps", '{');
  cli_json_count(&json, "least", summary->frame_steps.least);
  cli_json_count(&json, "most", summary->frame_steps.most);
  cli_json_close(&json, '}');
  cli_json_text(&json, "snapshot", summary->snapshot);
  cli_json_text(&json, "problem_folder", summary->problem_folder);
  cli_json_count(&json, "problems", summary->problems);
  cli_json_close(&json, '}');
}
