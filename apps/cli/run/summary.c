// summary.c - what a run came to, collected step by step.
#include "cli/run/summary.h"

#include <math.h>
#include <rigor/solver.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const CliCause cli_causes[CLI_CAUSE_COUNT] = {
    {"energy_contacts", "contacts"},
    {"energy_joints", "joints and springs"},
    {"energy_integration", "integration"},
    {"energy_projection", "projection"},
};

void cli_summary_start(CliSummary* summary, const rgWorld* world) {
  summary->start = summary->end = rg_world_time(world);
  summary->energy_start = summary->energy_end = rg_world_energy(world);
  summary->options = *rg_world_options(world);
  summary->worst.tolerance = summary->options.tolerance;
  summary->worst.met = true;
  int count = rg_world_body_count(world);
  for (int i = 0; i < count; ++i)
    ++summary->bodies[rg_body_kind(world, rg_world_body(world, i))];
}

// Larger of the two; a NaN wins, so that it cannot hide.
static double worse(double a, double b) { return b > a || isnan(b) ? b : a; }

static void collect_worst(CliSummary* summary, const rgCertificate* step, double time) {
  double before = summary->worst.residual;
  if (summary->steps == 1 || step->residual > before || isnan(step->residual)) {
    summary->worst_step = summary->steps;
    summary->worst_time = time;
  }
  rg_certificate_worst(&summary->worst, step);
  summary->not_met += !step->met;
  summary->above += !(step->residual <= step->tolerance);
}

static void add_count(int count, int64_t* sum, int* most) {
  *sum += count;
  *most = count > *most ? count : *most;
}

void cli_summary_step(CliSummary* summary, const rgWorld* world, const rgCertificate* certificate,
                      double cpu) {
  ++summary->steps;
  summary->cpu += cpu;
  if (cpu > summary->slowest || summary->steps == 1) {
    summary->slowest = cpu;
    summary->slowest_step = summary->steps;
  }
  collect_worst(summary, certificate, rg_world_time(world));

  double energy = certificate->energy;
  summary->energy_gain = worse(summary->energy_gain, energy);
  summary->energy_loss = energy < summary->energy_loss ? energy : summary->energy_loss;
  summary->energy_sum += energy;
  for (int i = 0; i < CLI_CAUSE_COUNT; ++i)
    summary->energy_causes[i] +=
        rg_certificate_value(certificate, rg_certificate_find(cli_causes[i].field));

  add_count(certificate->contacts, &summary->contact_sum, &summary->contact_max);
  add_count(certificate->iterations, &summary->iteration_sum, &summary->iteration_max);
  add_count(certificate->sweeps, &summary->sweep_sum, &summary->sweep_max);
  add_count(certificate->factorizations, &summary->factorization_sum, &summary->factorization_max);

  rgStepCounts counts = rg_world_counts(world);
  summary->implicit_steps += strcmp(rg_world_stepper(world), "implicit-geometry") == 0;
  summary->islands += counts.islands;
  summary->warm += counts.warm;
  summary->asleep_sum += counts.asleep;
  summary->asleep = counts.asleep;
}

void cli_summary_end(CliSummary* summary, const rgWorld* world) {
  summary->end = rg_world_time(world);
  summary->energy_end = rg_world_energy(world);
  summary->memory = rg_world_counts(world).memory;
  summary->hash = rg_world_hash(world);
}

// Contacts of an island whose impulse its problem does not determine; none where that is not known.
static int undetermined_in(const rgProblem* problem, const rgSolution* solution) {
  size_t size = rg_solve_choice_size(problem);
  void* work = size > 0 ? malloc(size) : NULL;
  double* freedom = calloc((size_t)problem->contact_count + 1, sizeof *freedom);
  int count = 0;
  if (work && freedom && rg_solve_freedom(problem, solution, work, freedom))
    for (int i = 0; i < problem->contact_count; i++)
      count += freedom[i] > RG_FREEDOM_SEEN;
  free(work);
  free(freedom);
  return count;
}

void cli_summary_count_undetermined(CliSummary* summary, const rgWorld* world) {
  summary->undetermined = 0;
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    if (rg_world_island(world, i, &problem, &solution, &certificate) == RG_OK)
      summary->undetermined += undetermined_in(&problem, &solution);
  }
}

double cli_summary_real_time(const CliSummary* summary) {
  double simulated = (double)summary->steps * summary->options.step;
  return summary->wall > 0 ? simulated / summary->wall : 0;
}

const char* cli_outcome_name(CliOutcome outcome) {
  static const char* const names[] = {
      [CLI_DONE] = "ok",
      [CLI_NOT_MET] = "not-met",
      [CLI_INTERRUPTED] = "interrupted",
      [CLI_FAILED] = "failed",
  };
  return names[outcome];
}
