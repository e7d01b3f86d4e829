// bouncing_column.c - eight spheres bounce on each other without loss (Renouf et al. 2005, section
// 8.1).
//
// A column of spheres above the ground, e = 1, no friction. At theta = 1/2 the scheme conserves the
// energy in flight and through every impact, if each step's problem is solved: the total energy is
// a test of the solver. At theta = 1 it loses energy in flight (Renouf et al. 2005: "dissipative").
// The paper runs it with every solver it has, and so does this.
//
// The energy is measured above its lowest possible value, all spheres at rest on each other, so
// that "relative" means a part of what can move.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/rigor.h>
#include <string.h>

// As in the scene, scenes/experiments/bouncing_column.json.
static const double radius = 0.1, mass = 1, gravity = 9.81; // [m], [kg], [m/s2]
static const double duration = 10, step = 1e-3;             // [s]
enum { SPHERES = 8, SOLVER_MAX = 16 };

static double energy_above_rest(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  double rest = 0;
  for (int i = 0; i < SPHERES; ++i)
    rest += mass * gravity * radius * (2 * i + 1);
  return energy.kinetic + energy.potential - rest;
}

typedef struct Outcome {
  bool refused; // the solver does not take this problem
  double drift; // largest change of the energy over its start
  double final; // change at the end over the start
  int not_met;  // steps above the tolerance
  int impacts;  // steps with a contact
} Outcome;

// Runs one solver; `part` of `parts` for the progress. False when the experiment should end.
static bool run_solver(rgScene* scene, const char* solver, double theta, int part, int parts,
                       CliSeries* total, CliSeries* change, Outcome* outcome,
                       ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  options->theta = theta;
  snprintf(options->solver, sizeof options->solver, "%s", solver);
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return false;
  *outcome = (Outcome){0};
  double start = energy_above_rest(world), before = rg_world_energy(world).kinetic;
  int steps = (int)(duration / step + 0.5);
  bool going = true;
  for (int i = 0; i < steps && going; ++i) {
    rgCertificate certificate;
    rgStatus status = rg_world_step(world, &certificate);
    outcome->refused = status == RG_ERROR_UNSUPPORTED;
    if (status != RG_OK && !outcome->refused)
      experiment_fail(report, "%s: %s", solver, rg_world_message(world));
    if (status != RG_OK)
      break;
    double now = energy_above_rest(world), kinetic = rg_world_energy(world).kinetic;
    outcome->drift = fmax(outcome->drift, fabs(now / start - 1));
    outcome->final = now / start - 1;
    outcome->not_met += !certificate.met;
    outcome->impacts += certificate.contacts > 0;
    cli_series_point(total, (i + 1) * step, now);
    cli_series_point(change, (i + 1) * step, kinetic - before);
    before = kinetic;
    if (i % 100 == 0)
      going = experiment_goes_on(report, (part + (double)i / steps) / parts, solver);
  }
  rg_world_destroy(world);
  return going && !report->failure[0];
}

// Solvers that take contacts of a world: every one in the table.
static int solver_names(const char* names[SOLVER_MAX]) {
  int count = 0;
  for (int i = 0; rg_solver_name(i) && count < SOLVER_MAX; ++i)
    names[count++] = rg_solver_name(i);
  return count;
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  const char* names[SOLVER_MAX];
  int count = solver_names(names);
  CliPlot* plot = experiment_plot(
      report, "Energy of the column",
      "Total energy above rest, and the change of kinetic energy in each step, as in figure 3.");
  CliPanel* panels[2] = {
      cli_plot_panel(plot, "total energy", "time [s]", "energy above rest [J]", 0),
      cli_plot_panel(plot, "kinetic energy, theta = 1/2", "time [s]", "change in a step [J]", 0)};
  char text[EXPERIMENT_TEXT];
  Outcome outcome;
  for (int i = 0; i < count; ++i) {
    snprintf(text, sizeof text, "theta 1/2, %s", names[i]);
    CliSeries* total = cli_panel_series(panels[0], text, CLI_MARK_LINE, i);
    CliSeries* change = i == 0 ? cli_panel_series(panels[1], "", CLI_MARK_LINE, i) : NULL;
    if (!run_solver(scene, names[i], 0.5, i, count + 1, total, change, &outcome, report))
      return;
    if (outcome.refused) {
      experiment_note(report, "%s does not take contacts of this kind.", names[i]);
      continue;
    }
    snprintf(text, sizeof text, "%s: change of the total energy", names[i]);
    // Each impact may miss its velocities by the tolerance, and energies by twice that; misses of
    // either sign add up as the root of their number.
    double bound = 2 * rg_scene_options(scene)->tolerance * sqrt(outcome.impacts);
    char rule[EXPERIMENT_TEXT];
    snprintf(rule, sizeof rule, "at most %.2g: 2 tolerance sqrt(impacts)", bound);
    experiment_row(report, text, "of the energy", 0, outcome.drift, outcome.drift <= bound, rule);
    snprintf(text, sizeof text, "%s: steps above the tolerance", names[i]);
    experiment_at_most(report, text, "", outcome.not_met, 0);
  }
  CliSeries* lossy = cli_panel_series(panels[0], "theta 1", CLI_MARK_DASHED, count);
  if (!run_solver(scene, names[0], 1, count, count + 1, lossy, NULL, &outcome, report))
    return;
  experiment_row(report, "theta = 1: energy left after 10 s", "of the energy", (double)NAN,
                 1 + outcome.final, outcome.final < -0.01, "below 0.99: dissipative");
  experiment_note(report,
                  "The paper plots the energies without numbers; it says that the total energy is "
                  "constant for Lemke, PATH and NSGS, and that CPG loses some when it stops early. "
                  "%d spheres of %g m; h = %g s, %d steps with contact.",
                  SPHERES, radius, step, outcome.impacts);
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_bouncing_column);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_bouncing_column = {
    .name = "bouncing-column",
    .paper = "Renouf et al. 2005, section 8.1, figure 3",
    .summary = "Eight elastic spheres bounce on each other for 10 s; at theta = 1/2 the total "
               "energy stays, with every solver, and at theta = 1 it does not.",
    .scene = "bouncing_column",
    .run = run,
};
