// stiff_spring.c - a spring far stiffer than the step resolves (001 eq. 2.52-2.55).
//
// A mass hangs on a spring of stiffness k with (w h)^2 = 1e6, w = sqrt(k / m). An explicit step
// multiplies errors by about (w h)^2; the linearly implicit one, theta = 1, damps what it cannot
// resolve and goes to the equilibrium m g / k. On a soft spring both converge to the analytic
// motion as the step goes to zero: of first order at theta = 1, of second at theta = 1/2.
#include "experiments/experiment.h"
#include "math/vec.h"

#include <rigor/rigor.h>

static const double mass = 1, gravity = 9.81, step = 0.01; // [kg], [m/s2], [s]
static const double stiff = 1e6 * 1 / (0.01 * 0.01);       // [N/m] (w h)^2 = 1e6
static const double soft = 100;                            // [N/m] w = 10 / s

static rgWorld* make_world(double stiffness, double h, double theta, bool implicit, rgBodyId* body,
                           ExperimentReport* report) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.step = h;
  def.options.theta = theta;
  def.options.implicit_forces = implicit;
  def.options.gravity = v3(0, 0, -gravity);
  rgWorld* world = NULL;
  rgMessage message = {0};
  rgStatus status = rg_world_create(&def, &world, &message);
  rgBodyDef bob = rg_body_def();
  bob.mass = mass;
  bob.rotation_locked = true;
  bob.pose.position = v3(0, 0, -1);
  if (status == RG_OK)
    status = rg_world_add_body(world, &bob, NULL, 0, body);
  rgForceDef spring = rg_force_def();
  spring.kind = RG_FORCE_SPRING;
  spring.body = *body;
  spring.stiffness = stiffness;
  spring.rest = 1;
  rgForceId id;
  if (status == RG_OK)
    status = rg_world_add_force(world, &spring, &id);
  return experiment_world(report, world, status, &message);
}

// Stretch of the spring [m] after each step; the last one is returned.
static double stretch_of(double stiffness, double h, double theta, bool implicit, int steps,
                         CliSeries* series, ExperimentReport* report) {
  rgBodyId body = {0, 0};
  rgWorld* world = make_world(stiffness, h, theta, implicit, &body, report);
  if (!world)
    return (double)NAN;
  double stretch = 0;
  for (int i = 1; i <= steps && fabs(stretch) < 1e100; ++i) {
    if (rg_world_step(world, NULL) != RG_OK)
      break; // not finite any more: that is the result
    stretch = -1 - rg_body_center(world, body).z;
    cli_series_point(series, i * h, fabs(stretch));
  }
  rg_world_destroy(world);
  return stretch;
}

// Error of the stretch at 1 s on the soft spring: (m g / k) (1 - cos w t).
static double soft_error(double h, double theta, ExperimentReport* report) {
  double w = sqrt(soft / mass), exact = mass * gravity / soft * (1 - cos(w));
  return fabs(stretch_of(soft, h, theta, true, (int)(1 / h + 0.5), NULL, report) - exact);
}

static void run(ExperimentReport* report) {
  CliPlot* plot = experiment_plot(
      report, "A spring stiffer than the step resolves",
      "Stretch of a hanging spring, and the error on a soft spring against the step.");
  CliPanel* wild = cli_plot_panel(plot, "(w h)^2 = 1e6", "time [s]", "stretch [m]", CLI_AXES_LOG_Y);
  CliPanel* fine = cli_plot_panel(plot, "w = 10 / s, after 1 s", "step [s]", "error [m]",
                                  CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  double rest = mass * gravity / stiff;
  double explicit_end = stretch_of(stiff, step, 1, false, 20,
                                   cli_panel_series(wild, "explicit", CLI_MARK_POINTS, 0), report);
  double implicit_end =
      stretch_of(stiff, step, 1, true, 20,
                 cli_panel_series(wild, "linearly implicit", CLI_MARK_POINTS, 1), report);
  CliSeries* exact = cli_panel_series(wild, "equilibrium", CLI_MARK_DASHED, 1);
  cli_series_point(exact, 0, rest);
  cli_series_point(exact, 20 * step, rest);
  if (!experiment_goes_on(report, 0.3, "soft spring"))
    return;
  CliSeries* series[2] = {cli_panel_series(fine, "theta = 1", CLI_MARK_POINTS, 2),
                          cli_panel_series(fine, "theta = 1/2", CLI_MARK_POINTS, 3)};
  double errors[2][4];
  for (int i = 0; i < 4; ++i)
    for (int half = 0; half < 2; ++half) {
      double h = 0.004 / (1 << i);
      errors[half][i] = soft_error(h, half ? 0.5 : 1, report);
      cli_series_point(series[half], h, errors[half][i]);
    }
  experiment_at_least(report, "explicit: stretch over equilibrium", "", fabs(explicit_end) / rest,
                      1e12);
  experiment_near(report, "implicit: stretch over equilibrium", "", 1, implicit_end / rest, 1e-3);
  experiment_near(report, "theta = 1: error with h over that with h / 2", "", 2,
                  errors[0][2] / errors[0][3], 0.2);
  experiment_near(report, "theta = 1/2: error with h over that with h / 2", "", 4,
                  errors[1][2] / errors[1][3], 0.4);
  experiment_note(report, "The paper derives the linearly implicit step and reports no numbers for "
                          "it: published values here are those of the analytic solution.");
}

const Experiment experiment_stiff_spring = {
    .name = "stiff-spring",
    .paper = "Cline 2002, eq. 2.52 to 2.55",
    .summary = "A spring a million times stiffer than the step resolves: explicit forces blow up, "
               "linearly implicit ones go to equilibrium; soft springs converge.",
    .run = run,
};
