// experiment.c - filling a report: rows with their rules, notes, plots.
#include "experiments/experiment.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Room for one more item of an array that doubles. False when memory ran out.
static bool make_room(ExperimentReport* report, void** items, int* room, int count, size_t size) {
  if (count < *room)
    return true;
  int wanted = 2 * *room + 16;
  void* grown = realloc(*items, (size_t)wanted * size);
  if (!grown) {
    report->out_of_memory = true;
    return false;
  }
  *items = grown;
  *room = wanted;
  return true;
}

void experiment_source(ExperimentReport* report, const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(report->source, sizeof report->source, text, arguments);
  va_end(arguments);
}

static ExperimentRow* add_row(ExperimentReport* report, const char* quantity, const char* unit,
                              double published, double measured, const char* rule) {
  void* rows = report->rows;
  if (!make_room(report, &rows, &report->row_room, report->row_count, sizeof *report->rows))
    return NULL;
  report->rows = rows;
  ExperimentRow* row = &report->rows[report->row_count++];
  *row = (ExperimentRow){.published = published, .measured = measured};
  snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
  snprintf(row->unit, sizeof row->unit, "%s", unit);
  snprintf(row->rule, sizeof row->rule, "%s", rule);
  return row;
}

void experiment_row(ExperimentReport* report, const char* quantity, const char* unit,
                    double published, double measured, bool pass, const char* rule) {
  ExperimentRow* row = add_row(report, quantity, unit, published, measured, rule);
  if (!row)
    return;
  row->checked = true;
  row->pass = pass && isfinite(measured);
  snprintf(row->source, sizeof row->source, "%s", report->source);
}

void experiment_near(ExperimentReport* report, const char* quantity, const char* unit,
                     double published, double measured, double tolerance) {
  char rule[EXPERIMENT_TEXT];
  snprintf(rule, sizeof rule, "within %g", tolerance);
  experiment_row(report, quantity, unit, published, measured,
                 fabs(measured - published) <= tolerance, rule);
}

void experiment_at_most(ExperimentReport* report, const char* quantity, const char* unit,
                        double measured, double limit) {
  char rule[EXPERIMENT_TEXT];
  snprintf(rule, sizeof rule, "at most %g", limit);
  experiment_row(report, quantity, unit, (double)NAN, measured, measured <= limit, rule);
}

void experiment_at_least(ExperimentReport* report, const char* quantity, const char* unit,
                         double measured, double limit) {
  char rule[EXPERIMENT_TEXT];
  snprintf(rule, sizeof rule, "at least %g", limit);
  experiment_row(report, quantity, unit, (double)NAN, measured, measured >= limit, rule);
}

void experiment_shown(ExperimentReport* report, const char* quantity, const char* unit,
                      double published, double measured) {
  experiment_shown_why(report, quantity, unit, published, measured, "");
}

void experiment_shown_why(ExperimentReport* report, const char* quantity, const char* unit,
                          double published, double measured, const char* why) {
  ExperimentRow* row = add_row(report, quantity, unit, published, measured, why);
  if (row && !isnan(published))
    snprintf(row->source, sizeof row->source, "%s", report->source);
}

void experiment_disagrees(ExperimentReport* report, const char* text, ...) {
  if (report->disagreement_count == EXPERIMENT_DISAGREEMENTS) {
    experiment_fail(report, "more disagreements than a report has room for");
    return;
  }
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(report->disagreements[report->disagreement_count++], EXPERIMENT_NOTE, text, arguments);
  va_end(arguments);
}

static void add_parameter(ExperimentReport* report, const char* name, bool given, const char* text,
                          va_list arguments) {
  if (report->parameter_count == EXPERIMENT_PARAMETERS) {
    experiment_fail(report, "more parameters than a report has room for");
    return;
  }
  ExperimentParameter* parameter = &report->parameters[report->parameter_count++];
  parameter->given = given;
  snprintf(parameter->name, sizeof parameter->name, "%s", name);
  vsnprintf(parameter->value, sizeof parameter->value, text, arguments);
}

void experiment_given(ExperimentReport* report, const char* name, const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  add_parameter(report, name, true, text, arguments);
  va_end(arguments);
}

void experiment_chosen(ExperimentReport* report, const char* name, const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  add_parameter(report, name, false, text, arguments);
  va_end(arguments);
}

void experiment_note(ExperimentReport* report, const char* format, ...) {
  void* notes = report->notes;
  if (!make_room(report, &notes, &report->note_room, report->note_count, sizeof *report->notes))
    return;
  report->notes = notes;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->notes[report->note_count++], EXPERIMENT_NOTE, format, arguments);
  va_end(arguments);
}

CliPlot* experiment_plot(ExperimentReport* report, const char* title, const char* caption) {
  CliPlot* plot = report->plot_count < EXPERIMENT_PLOTS ? cli_plot_new(title, caption) : NULL;
  if (plot)
    report->plots[report->plot_count++] = plot;
  else
    report->out_of_memory = true;
  return plot;
}

void experiment_fail(ExperimentReport* report, const char* format, ...) {
  if (report->failure[0])
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(report->failure, sizeof report->failure, format, arguments);
  va_end(arguments);
}

rgScene* experiment_scene(ExperimentReport* report, const Experiment* experiment) {
  const ExperimentScene* found = experiment_scenes;
  while (found->name && strcmp(found->name, experiment->scene) != 0)
    ++found;
  rgScene* scene = NULL;
  rgMessage message = {0};
  if (!found->name)
    experiment_fail(report, "there is no scene %s", experiment->scene);
  else if (rg_scene_parse(found->text, found->length, found->name, &scene, &message) != RG_OK)
    experiment_fail(report, "%s", message.text);
  return scene;
}

rgWorld* experiment_world(ExperimentReport* report, rgScene* scene) {
  rgWorld* world = NULL;
  rgMessage message = {0};
  rgOptions* options = rg_scene_options(scene);
  rgOptions own = *options;
  if (report->adjust)
    report->adjust(report->settings, options);
  if (rg_scene_build(scene, NULL, &world, &message) != RG_OK)
    experiment_fail(report, "%s", message.text);
  *options = own;
  return world;
}

rgWorld* experiment_empty_world(ExperimentReport* report, rgWorldDef def, double mu) {
  rgWorld* world = NULL;
  rgMessage message;
  rgMaterial material = rg_material_default();
  material.mu = mu;
  if (report->adjust)
    report->adjust(report->settings, &def.options);
  if (rg_world_create(&def, &world, &message) != RG_OK) {
    experiment_fail(report, "%s", message.text);
    return NULL;
  }
  if (experiment_good(report, world, rg_world_set_material(world, 0, &material)))
    return world;
  rg_world_destroy(world);
  return NULL;
}

bool experiment_good(ExperimentReport* report, const rgWorld* world, rgStatus status) {
  if (status != RG_OK)
    experiment_fail(report, "%s", rg_world_message(world));
  return status == RG_OK;
}

bool experiment_goes_on(ExperimentReport* report, double fraction, const char* what) {
  if (report->failure[0] || report->out_of_memory)
    return false;
  return !report->progress || report->progress(report->context, fraction, what);
}

ExperimentCounts experiment_counts(const ExperimentReport* report) {
  ExperimentCounts counts = {0, 0, 0};
  for (int i = 0; i < report->row_count; ++i) {
    const ExperimentRow* row = &report->rows[i];
    counts.checked += row->checked;
    counts.passed += row->checked && row->pass;
    counts.shown += !row->checked;
  }
  return counts;
}

bool experiment_passed(const ExperimentReport* report) {
  ExperimentCounts counts = experiment_counts(report);
  return counts.checked > 0 && counts.passed == counts.checked && !report->failure[0] &&
         !report->out_of_memory;
}

void experiment_release(ExperimentReport* report) {
  for (int i = 0; i < report->plot_count; ++i)
    cli_plot_free(report->plots[i]);
  free(report->rows);
  free(report->notes);
  *report = (ExperimentReport){0};
}
