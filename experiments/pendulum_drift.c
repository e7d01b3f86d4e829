// pendulum_drift.c - a pendulum leaves its circle without stabilization (Cline 2002, figure 3.1).
//
// One body on one hinge, in a plane, with the paper's first-order stepper. Without stabilization
// its anchor drifts and the centre of mass falls farther and farther from the circle; ten times
// smaller steps make the local error a hundredth and the drift a tenth (Cline 2002, section 3.1);
// with post-stabilization there is no drift.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/rigor.h>

// The scene: scenes/experiments/pendulum_drift.json.
static const double length = 1;   // [m] from the anchor to the centre of mass, as in the scene
static const double duration = 4; // [s]

// Runs and returns how far the anchor is off at the end [m].
static double drift_of(rgScene* scene, double step, const char* stabilizer, CliSeries* path,
                       CliSeries* error, ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  options->step = step;
  snprintf(options->stabilizer, sizeof options->stabilizer, "%s", stabilizer);
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return (double)NAN;
  rgBodyId body = rg_world_find_body(world, "bob");
  double off = 0;
  int steps = (int)(duration / step + 0.5), every = (steps + 399) / 400;
  for (int i = 1; i <= steps; ++i) {
    if (rg_world_step(world, NULL) != RG_OK) {
      experiment_fail(report, "%s", rg_world_message(world));
      break;
    }
    rgJointState state;
    if (rg_joint_state(world, rg_world_joint(world, 0), &state) == RG_OK)
      off = state.gap;
    if (i % every)
      continue;
    rgVec3 x = rg_body_center(world, body);
    cli_series_point(path, x.x, x.y);
    cli_series_point(error, i * step, off);
  }
  rg_world_destroy(world);
  return off;
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot = experiment_plot(report, "A pendulum that leaves its circle",
                                  "Centre of mass, and distance of the anchor from its point.");
  CliPanel* where = cli_plot_panel(plot, "path", "x [m]", "y [m]", CLI_AXES_EQUAL);
  CliPanel* off = cli_plot_panel(plot, "anchor", "time [s]", "error [m]", CLI_AXES_LOG_Y);
  CliSeries* circle = cli_panel_series(where, "circle", CLI_MARK_DASHED, 3);
  for (int i = 0; i <= 180; ++i) {
    double angle = -3.14159265358979323846 * i / 180;
    cli_series_point(circle, length * cos(angle), length * sin(angle));
  }
  CliSeries *path = cli_panel_series(where, "none, h = 20 ms", CLI_MARK_LINE, 0),
            *error = cli_panel_series(off, "none, h = 20 ms", CLI_MARK_LINE, 0);
  double coarse = drift_of(scene, 0.02, "none", path, error, report);
  if (!experiment_goes_on(report, 0.3, "none, h = 20 ms"))
    return;
  error = cli_panel_series(off, "none, h = 2 ms", CLI_MARK_LINE, 1);
  double fine = drift_of(scene, 0.002, "none", NULL, error, report);
  if (!experiment_goes_on(report, 0.6, "none, h = 2 ms"))
    return;
  path = cli_panel_series(where, "post, h = 20 ms", CLI_MARK_LINE, 2);
  error = cli_panel_series(off, "post, h = 20 ms", CLI_MARK_LINE, 2);
  double held = drift_of(scene, 0.02, "post", path, error, report);

  experiment_source(report, "figure 3.1: the drift is seen at the scale of the pendulum");
  experiment_at_least(report, "none, h = 20 ms: anchor off after 4 s", "m", coarse, 0.1 * length);
  experiment_source(report,
                    "section 3.1: a tenth of the step makes a hundredth of the local error, "
                    "so a tenth of the drift");
  experiment_row(report, "drift with h over drift with h / 10", "", 10, coarse / fine,
                 coarse / fine > 5 && coarse / fine < 20, "within a factor of 2");
  experiment_source(report, "section 3.3: corrected to the manifold after every step; the bound is "
                            "rounding");
  experiment_at_most(report, "post, h = 20 ms: anchor off after 4 s", "m", held, 1e-9 * length);
  experiment_given(report, "system", "one body on one hinge in a plane, gravity alone");
  experiment_given(report, "stepper", "of first order (anitescu-potra)");
  experiment_chosen(report, "length", "%g m from the anchor to the centre of mass", length);
  experiment_chosen(report, "start", "at rest, horizontal");
  experiment_chosen(report, "steps, duration", "20 ms and 2 ms, %g s", duration);
  experiment_note(report, "The paper shows a picture without numbers.");
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_pendulum_drift);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_pendulum_drift = {
    .name = "pendulum-drift",
    .paper = "Cline 2002, figure 3.1",
    .work = &experiment_work_cline,
    .summary = "A pendulum on a hinge falls away from its circle without stabilization, in "
               "proportion to the step, and stays on it with post-stabilization.",
    .scene = "pendulum_drift",
    .run = run,
};
