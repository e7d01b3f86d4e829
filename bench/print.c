// print.c - the results as tables for people or as JSON for programs.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A building counts as standing while no box has moved by more than half its width.
static const double STANDING = 0.5; // [m] for unit boxes

static const BenchRow* find_row(const BenchRow* rows, int count, const char* engine) {
  for (int i = 0; i < count; ++i)
    if (strcmp(rows[i].engine->name, engine) == 0 && rows[i].done)
      return &rows[i];
  return NULL;
}

// --- table
// -----------------------------------------------------------------------------------------------

static bool bodies_joined(const BenchScene* scene) {
  Scene bodies;
  scene->build(&bodies);
  bool joined = bodies.joint_count > 0;
  scene_end(&bodies);
  return joined;
}

static void table_row(const BenchRow* row, const BenchScene* scene, int bodies, int steps) {
  printf("%-16s", row->engine->name);
  if (!row->done) {
    printf(" gave up after %d steps\n", row->steps);
    return;
  }
  printf(" %9.3f %9.3f", 1e3 * row->cpu_median, 1e3 * row->cpu_mean);
  if (row->ratio > 0)
    printf(" %7.2f", row->ratio);
  else
    printf(" %7s", "-");
  printf(" %8d  %9.3g %9.3g %9.3g", row->contacts, 1e3 * row->end.depth, 100 * row->end.relative,
         100 * row->worst.relative);
  if (scene->built)
    printf("  %9.2g %-6s", row->displacement, row->displacement < STANDING ? "stands" : "fallen");
  if (row->engine->report) {
    printf("  %8.1e %5d %6.1f %6d", row->residual, row->not_met, row->iterations_mean,
           row->iterations_most);
    printf(" %7.0f %7.0f", (double)row->memory / bodies,
           (double)row->memory / fmax(row->contacts, 1));
  }
  if (bodies_joined(scene))
    printf("  joint gap %.2g m", row->joint_gap);
  if (row->steps < steps)
    printf("  stopped after %d steps: its time was up", row->steps);
  printf("\n");
}

// The project's first goal, engine by engine: Bullet's time and a tenth of its overlap. The worst
// overlap over the run counts: what has fallen down overlaps little at the end.
static void table_goal(const BenchRow* row, const BenchRow* bullet) {
  if (!(bullet->worst.relative > 0))
    return; // nothing to compare with
  bool fast = row->ratio <= 1;
  bool exact = 10 * row->worst.relative <= bullet->worst.relative;
  printf(
      "%-16s %s; worst overlap over the run is %.3g of Bullet's, goal 0.1 %s (at the end %.3g)\n",
      row->engine->name, fast ? "no slower than Bullet" : "SLOWER than Bullet",
      row->worst.relative / bullet->worst.relative, exact ? "reached" : "MISSED",
      row->end.relative / bullet->end.relative);
}

static void table_scene(const BenchScene* scene, const BenchRow* rows, int count) {
  Scene bodies;
  scene->build(&bodies);
  const BenchRow* bullet = find_row(rows, count, "bullet");
  int steps = 0;
  for (int i = 0; i < count; ++i)
    steps = rows[i].steps > steps ? rows[i].steps : steps;
  printf("\n%s: %s, %d steps of %.4g ms\n", scene->name, scene->summary, steps,
         1e3 * bench_step(scene));
  printf("%-16s %9s %9s %7s %8s  %9s %9s %9s", "", "CPU [ms]", "of a step", "to", "contacts",
         "overlap", "%", "% worst");
  printf(scene->built ? "  %9s %-6s" : "%s%s", scene->built ? "moved" : "", "");
  printf("  %8s %5s %6s %6s %7s %7s\n", "worst", "not", "iter.", "most", "bytes/", "bytes/");
  printf("%-16s %9s %9s %7s %8s  %9s %9s %9s", "engine", "median", "mean", "Bullet", "at end",
         "end [mm]", "at end", "over run");
  printf(scene->built ? "  %9s %-6s" : "%s%s", scene->built ? "[m]" : "", "");
  printf("  %8s %5s %6s %6s %7s %7s\n", "residual", "met", "mean", "", "body", "contact");
  for (int i = 0; i < count; ++i)
    table_row(&rows[i], scene, bodies.body_count, steps);
  for (int i = 0; bullet && i < count; ++i)
    if (rows[i].engine->report && rows[i].done)
      table_goal(&rows[i], bullet);
  scene_end(&bodies);
}

static void table_scaling(const BenchBed* bed, const EngineInfo* engine, const BenchScaling* rows,
                          int count) {
  printf("\nbeds of %s, ten layers deep, %s\n", bed->name, engine->name);
  printf("%8s %9s %11s %13s %7s %15s %7s %11s %14s\n", "bodies", "contacts", "CPU [ms]",
         "per contact", "iter.", "per contact and", "not met", "bytes/body", "bytes/contact");
  printf("%8s %9s %11s %13s %7s %15s\n", "", "", "of a step", "[us]", "mean", "iteration [ns]");
  for (int i = 0; i < count; ++i) {
    const BenchScaling* row = &rows[i];
    printf("%8d %9.0f %11.3f %13.3f %7.1f %15.1f %7d %11.0f %14.0f\n", row->bodies, row->contacts,
           1e3 * row->cpu, 1e6 * row->per_contact, row->iterations, 1e9 * row->per_iteration,
           row->not_met, (double)row->memory / row->bodies, (double)row->memory / row->contacts);
  }
  double growth = rows[count - 1].per_contact / rows[0].per_contact;
  printf("cost of a contact grows %.2f times from %d to %d bodies, goal 1.5 %s\n", growth,
         rows[0].bodies, rows[count - 1].bodies, growth <= 1.5 ? "reached" : "MISSED");
}

// Least share of steps that are met, and most penetration as a part of the half-width.
static const double MET_GOAL = 0.9, OVERLAP_GOAL = 0.01;

static const char* judged(bool reached) { return reached ? "" : " MISSED"; }

void print_goals(const BenchGoal* goals, int count) {
  printf("\nrealtime: its time over Bullet's, steps met at 1e-3, largest penetration over the run; "
         "goals in brackets\n");
  printf("%-10s %7s %-15s %7s %-15s %9s\n", "scene", "time", "", "met %", "", "overlap %");
  for (int i = 0; i < count; ++i) {
    const BenchRow* row = &goals[i].row;
    double met = 1 - (double)row->not_met / fmax(row->steps, 1), goal = goals[i].scene->goal;
    printf("%-10s %7.2f [%.2f]%-8s %7.1f [%.0f]%-10s %9.3g [%.0f]%s\n", goals[i].scene->name,
           row->ratio, goal, judged(row->ratio > 0 && row->ratio <= goal), 100 * met,
           100 * MET_GOAL, judged(met >= MET_GOAL), 100 * row->worst.relative, 100 * OVERLAP_GOAL,
           judged(row->worst.relative <= OVERLAP_GOAL));
  }
}

// --- JSON
// ------------------------------------------------------------------------------------------------

// JSON has no infinities.
static void json_number(const char* key, double value) {
  if (isfinite(value))
    printf(", \"%s\": %.6g", key, value);
  else
    printf(", \"%s\": null", key);
}

static void json_scene(const BenchScene* scene, const BenchRow* rows, int count, bool first) {
  printf("%s\n    {\"scene\": \"%s\", \"step_s\": %.17g, \"engines\": [", first ? "" : ",",
         scene->name, bench_step(scene));
  for (int i = 0; i < count; ++i) {
    const BenchRow* row = &rows[i];
    printf("%s\n      {\"engine\": \"%s\", \"settings\": \"%s\", \"done\": %s, \"steps\": %d",
           i ? "," : "", row->engine->name, row->engine->settings, row->done ? "true" : "false",
           row->steps);
    json_number("cpu_median_s", row->cpu_median);
    json_number("cpu_mean_s", row->cpu_mean);
    if (row->ratio > 0)
      json_number("ratio_to_bullet", row->ratio);
    printf(", \"contacts\": %d", row->contacts);
    json_number("overlap_end_m", row->end.depth);
    json_number("overlap_end_relative", row->end.relative);
    json_number("overlap_worst_m", row->worst.depth);
    json_number("overlap_worst_relative", row->worst.relative);
    json_number("displacement_m", row->displacement);
    json_number("joint_gap_m", row->joint_gap);
    if (scene->built)
      printf(", \"stands\": %s", row->displacement < STANDING ? "true" : "false");
    if (row->engine->report) {
      json_number("residual_worst", row->residual);
      printf(", \"steps_not_met\": %d", row->not_met);
      json_number("iterations_mean", row->iterations_mean);
      printf(", \"iterations_most\": %d, \"memory_bytes\": %zu", row->iterations_most, row->memory);
    }
    printf("}");
  }
  printf("]}");
}

static void json_scaling(const BenchBed* bed, const EngineInfo* engine, const BenchScaling* rows,
                         int count, bool first) {
  printf("%s\n    {\"bed\": \"%s\", \"engine\": \"%s\", \"sizes\": [", first ? "" : ",", bed->name,
         engine->name);
  for (int i = 0; i < count; ++i) {
    const BenchScaling* row = &rows[i];
    printf("%s\n      {\"bodies\": %d", i ? "," : "", row->bodies);
    json_number("contacts", row->contacts);
    json_number("cpu_median_s", row->cpu);
    json_number("cpu_per_contact_s", row->per_contact);
    json_number("iterations_mean", row->iterations);
    json_number("cpu_per_contact_and_iteration_s", row->per_iteration);
    printf(", \"steps_not_met\": %d, \"memory_bytes\": %zu}", row->not_met, row->memory);
  }
  printf("]}");
}

// --- both
// ------------------------------------------------------------------------------------------------

void print_begin(bool json) {
  if (json) {
    printf("{\"version\": \"%s\", \"scenes\": [", rg_version());
    return;
  }
  printf("Rigor %s and its peers: one thread, CPU time, sleeping off, defaults otherwise.\n",
         rg_version());
  printf("Overlap is measured from the poses alone, the same way for all; %% are of the smaller "
         "body's "
         "half-width.\n");
  for (int i = 0; engine_info(i); ++i)
    printf("  %-16s %s\n", engine_info(i)->name, engine_info(i)->settings);
}

void print_scene(bool json, const BenchScene* scene, const BenchRow* rows, int count, bool first) {
  if (json)
    json_scene(scene, rows, count, first);
  else
    table_scene(scene, rows, count);
  fflush(stdout);
}

void print_between(bool json, const char* list) {
  if (json)
    printf("],\n \"%s\": [", list);
}

void print_scaling(bool json, const BenchBed* bed, const EngineInfo* engine,
                   const BenchScaling* rows, int count, bool first) {
  if (json)
    json_scaling(bed, engine, rows, count, first);
  else
    table_scaling(bed, engine, rows, count);
  fflush(stdout);
}

void print_end(bool json) {
  if (json)
    printf("]}\n");
}
