// spinning_sphere.c - a ball that spins in place is braked by torsional friction (Chakraborty et al.
// 2007, example 2, figures 3 and 4).
//
// The friction ellipsoid has the torsional axis e_r: the moment about the normal is at most mu e_r times
// the normal force. So the spin falls by mu e_r m g / I, and the last step, in which it would change its
// sign, has just the moment that stops it.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/vec_math.h>

// As in the scene, scenes/experiments/spinning_sphere.json.
static const double step = 0.07, spin = 1.962, inertia = 0.4; // [s] [rad/s] [kg m2]
enum { STEPS = 20 };

typedef struct Outcome {
  double slope;      // [rad/s2] mean over the steps before the last
  double stops;      // [s]
  double moment[2];  // [N m] in the steps before the last, and in the last
  double other;      // largest of all other velocities
  double tangential; // [N] largest tangential force
  int not_met;
} Outcome;

static void look(const rgWorld* world, rgBodyId ball, int i, double* last, Outcome* out) {
  rgTwist v = rg_body_velocity(world, ball);
  double now = v.angular.z, moment = 0;
  out->other = fmax(out->other, rg_vec3_norm(v.linear));
  out->other = fmax(out->other, fmax(fabs(v.angular.x), fabs(v.angular.y)));
  for (int k = 0; k < rg_world_contact_count(world); ++k) {
    rgContact contact;
    if (rg_world_contact(world, k, &contact) != RG_OK)
      continue;
    double push = rg_vec3_dot(contact.impulse, contact.normal);
    rgVec3 across = rg_vec3_axpy(contact.impulse, -push, contact.normal);
    out->tangential = fmax(out->tangential, rg_vec3_norm(across) / step);
    moment += fabs(contact.torsion) / step;
  }
  bool stopped = fabs(now) < 1e-9;
  if (stopped && out->stops == 0) {
    out->stops = (i + 1) * step;
    out->moment[1] = moment;
    out->slope = (*last - spin) / (i * step);
  } else if (!stopped) {
    out->moment[0] = moment;
  }
  *last = now;
}

static bool measure(ExperimentReport* report, rgScene* scene, CliSeries* series, Outcome* out) {
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return false;
  rgBodyId ball = rg_world_find_body(world, "ball");
  double last = spin;
  bool going = true;
  cli_series_point(series, 0, spin);
  for (int i = 0; i < STEPS && going; ++i) {
    rgCertificate certificate;
    going = experiment_good(report, world, rg_world_step(world, &certificate));
    if (!going)
      break;
    out->not_met += !certificate.met;
    look(world, ball, i, &last, out);
    cli_series_point(series, (i + 1) * step, last);
  }
  rg_world_destroy(world);
  return going;
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_spinning_sphere);
  CliPlot* plot = experiment_plot(report, "Spin of the ball", "Figure 3 of the paper.");
  CliPanel* panel = cli_plot_panel(plot, "", "time [s]", "spin [rad/s]", 0);
  Outcome out = {0};
  bool made = scene && experiment_goes_on(report, 0, "spinning") &&
              measure(report, scene, cli_panel_series(panel, "measured", CLI_MARK_POINTS, 0), &out);
  rg_scene_free(scene);
  if (!made)
    return;
  CliSeries* exact = cli_panel_series(panel, "exact", CLI_MARK_DASHED, 1);
  cli_series_point(exact, 0, spin);
  cli_series_point(exact, 1, 0);
  cli_series_point(exact, STEPS * step, 0);
  experiment_given(report, "ball", "radius 1 m, spin 1.962 rad/s about the normal");
  experiment_given(report, "friction", "mu 0.2, e_t = e_o = 1, e_r = 0.4 m");
  experiment_given(report, "step", "0.07 s");
  experiment_chosen(report, "mass, moment of inertia",
                    "1 kg, 0.4 kg m2: the slope that is published");
  experiment_source(report, "section V.B");
  experiment_near(report, "slope of the spin", "rad/s2", -1.962, out.slope, 1e-6);
  experiment_near(report, "end of the step in which it stops", "s", 1.05, out.stops, 1e-9);
  experiment_source(report, "section V.B: all other velocities are zero");
  experiment_at_most(report, "largest other velocity", "m/s, rad/s", out.other, 1e-9);
  experiment_at_most(report, "tangential force", "N", out.tangential, 1e-6);
  experiment_source(report, "derived: mu e_r m g while it slides");
  experiment_near(report, "torsional moment while it slides", "N m", 0.2 * 0.4 * 9.81,
                  out.moment[0], 1e-6);
  double left = spin - 1.962 * 14 * step; // [rad/s] before the last step
  experiment_source(report,
                    "derived: I w / h of what spin is left; the paper says that it is not zero");
  experiment_near(report, "torsional moment in the last step", "N m", inertia * left / step,
                  out.moment[1], 1e-6);
  experiment_at_most(report, "steps that were not met", "", out.not_met, 0);
}

const Experiment experiment_spinning_sphere = {
    .name = "spinning-sphere",
    .paper = "Chakraborty et al. 2007, example 2, figures 3 and 4",
    .work = &experiment_work_chakraborty,
    .summary =
        "A ball that spins in place is braked by torsional friction at a constant rate and stops "
        "within a step.",
    .scene = "spinning_sphere",
    .run = run,
};
