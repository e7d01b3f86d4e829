// choose_search.c - which trials `rigor choose` makes.
//
// Steppers with their thetas come first, each with the longest step that holds: from the scene's
// own step up while it holds, or down until it does. The cheapest of them is then varied in one
// thing after the other: polytopes in the place of smooth shapes, cones, solvers, tolerances; what
// holds and is cheaper is kept. Not every combination is tried, so that a cheaper one may be
// missed.
#include "cli/choose/choose.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_DOWN = 10, START = 2 }; // a frame over 2^k: from two doublings of the scene's step on

static void show_progress(const CliChoosing* choosing, const CliTrial* trial) {
  double wall = cli_wall_clock();
  if (!choosing->progress || !cli_progress_due(choosing->progress, wall))
    return;
  CliProgressState state = {
      .what = trial->options.stepper,
      .fraction = (double)choosing->count / CLI_TRIALS_MAX,
      .simulated = choosing->time,
      .met = true,
  };
  cli_progress_draw(choosing->progress, wall, &state);
}

static CliTrial* try_it(CliChoosing* choosing, const rgOptions* options, int facets) {
  CliTrial* trial = cli_interrupted() ? NULL : cli_choose_try(choosing, options, facets);
  if (trial)
    show_progress(choosing, trial);
  return trial;
}

static CliTrial* try_step(CliChoosing* choosing, rgOptions options, int facets, int level) {
  options.step = choosing->frame / (double)(1 << level);
  return try_it(choosing, &options, facets);
}

// The longest step that holds, by doubling or halving from the scene's.
static void search_step(CliChoosing* choosing, const rgOptions* options, int facets) {
  CliTrial* trial = try_step(choosing, *options, facets, START);
  if (trial && trial->holds) {
    for (int level = START - 1; level >= 0 && trial && trial->holds; --level)
      trial = try_step(choosing, *options, facets, level);
    return;
  }
  for (int level = START + 1; level <= STEPS_DOWN; ++level) {
    if (!trial || trial->holds || trial->fate == CLI_TRIAL_REFUSED || trial->fate == CLI_TRIAL_SLOW)
      return;
    trial = try_step(choosing, *options, facets, level);
  }
}

static rgOptions with_stepper(const CliChoosing* choosing, const char* stepper, double theta) {
  rgOptions options = choosing->options;
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  options.theta = theta;
  return options;
}

// Not what has no inertia, lets bodies overlap, or is one of the others anyway.
static bool is_candidate(const char* stepper) {
  static const char* const others[] = {"first-order", "signorini", "auto"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (strcmp(stepper, others[i]) == 0)
      return false;
  return true;
}

bool cli_choose_reads_theta(const char* stepper) {
  return strcmp(stepper, "theta") == 0 || strcmp(stepper, "implicit-geometry") == 0;
}

static void try_steppers(CliChoosing* choosing) {
  const char* stepper;
  for (int i = 0; (stepper = rg_stepper_name(i)); ++i) {
    if (!is_candidate(stepper))
      continue;
    bool thetas = cli_choose_reads_theta(stepper);
    rgOptions options = with_stepper(choosing, stepper, thetas ? 1 : choosing->options.theta);
    search_step(choosing, &options, 0);
    if (thetas) {
      options = with_stepper(choosing, stepper, 0.5);
      search_step(choosing, &options, 0);
    }
  }
}

// --- variations of the best --------------------------------------------------------------------

// The best trial's options, or the scene's when none holds.
static rgOptions best_options(const CliChoosing* choosing, int* facets) {
  *facets = choosing->best < 0 ? 0 : choosing->trials[choosing->best].facets;
  return choosing->best < 0 ? choosing->options : choosing->trials[choosing->best].options;
}

static void try_facets(CliChoosing* choosing) {
  static const int counts[] = {32, 200, 1000};
  if (!rg_scene_is_smooth(choosing->scene))
    return;
  int facets;
  rgOptions options = best_options(choosing, &facets);
  if (strcmp(options.stepper, "theta") != 0) // what a polytope gains nothing from
    options = with_stepper(choosing, "theta", choosing->options.theta);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    try_it(choosing, &options, counts[i]);
}

static void try_cones(CliChoosing* choosing) {
  static const char* const names[] = {"inner", "outer"};
  for (int i = 0; i < 2; ++i) {
    int facets;
    rgOptions options = best_options(choosing, &facets);
    snprintf(options.cone, sizeof options.cone, "%s", names[i]);
    try_it(choosing, &options, facets);
  }
}

static void try_solvers(CliChoosing* choosing) {
  const char* name;
  for (int i = 0; (name = rg_solver_name(i)); ++i) {
    int facets;
    rgOptions options = best_options(choosing, &facets);
    if (strcmp(options.solver, name) == 0)
      continue;
    snprintf(options.solver, sizeof options.solver, "%s", name);
    options.solver_options[0] = '\0';
    try_it(choosing, &options, facets);
  }
}

static void try_tolerances(CliChoosing* choosing) {
  static const double tolerances[] = {1e-5, 1e-4, 1e-3};
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
    int facets;
    rgOptions options = best_options(choosing, &facets);
    if (tolerances[i] <= options.tolerance)
      continue;
    options.tolerance = tolerances[i];
    try_it(choosing, &options, facets);
  }
}

rgStatus cli_choose_search(CliChoosing* choosing, rgMessage* message) {
  (void)message;
  choosing->best = -1;
  try_steppers(choosing);
  if (choosing->best >= 0) {
    try_facets(choosing);
    if (strcmp(choosing->options.cone, "exact") == 0)
      try_cones(choosing);
    try_solvers(choosing);
    try_tolerances(choosing);
  }
  return cli_interrupted() ? RG_CANCELLED : RG_OK;
}
