// ellipsoids.c - an ellipsoid rolls on an ellipsoid, contact at the end of the step (Chakraborty et
// al. 2007, whose method takes bodies as convex functions).
//
// The body has the semi-axes 1, 1.3 and 0.8 m, the ground three times these. The body starts on top
// of the ground, rolling about a skew axis, and leaves the top faster and faster. There is no
// closed form: the motion is compared with that of another scheme, theta = 1/2 with contacts at the
// mean of the step, which is of second order, in steps of 0.5 ms. The scheme is of first order in
// time, so that errors halve with the step, while geometry has no error of its own: what pushes
// touches at the end of every step, whatever its length. With geometry of the start of the step the
// gap there is (h |w|)^2 / 2 times the radius of curvature.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <string.h>

static const double duration = 0.8;          // [s]
static const rgVec3 half = {1, 1.3, 0.8};    // [m]
static const double ground_size = 3;         // [-] of the body's
static const rgVec3 turn = {0.9, 0.6, 0.3};  // [rad/s] at the start
static const double first_step = 0.02;       // [s]
static const double reference_step = 0.0005; // [s]
enum { STEPS = 5 };

static rgWorld* make_world(ExperimentReport* report, const char* stepper, double theta, double h) {
  rgWorldDef def = rg_world_def();
  def.options.step = h;
  def.options.theta = theta;
  def.options.tolerance = 1e-9;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  if (strcmp(stepper, "stewart-trinkle") == 0) // what it leaves is to be seen
    snprintf(def.options.stabilizer, sizeof def.options.stabilizer, "none");
  rgWorld* world = experiment_empty_world(report, def, 0.8);
  if (!world)
    return NULL;
  rgBodyDef ground = rg_body_def(), body = rg_body_def();
  rgShapeDef large = rg_shape_def(RG_SHAPE_ELLIPSOID), small = large;
  large.half = rg_vec3_scale(half, ground_size);
  small.half = half;
  ground.kind = RG_BODY_STATIC;
  body.name = "ellipsoid";
  body.pose.position = rg_vec3(0, 0, (ground_size + 1) * half.z);
  body.velocity = (rgTwist){rg_vec3_cross(turn, rg_vec3(0, 0, half.z)), turn};
  rgBodyId id;
  rgStatus status = rg_world_add_body(world, &ground, &large, 1, &id);
  if (status == RG_OK)
    status = rg_world_add_body(world, &body, &small, 1, &id);
  if (experiment_good(report, world, status))
    return world;
  rg_world_destroy(world);
  return NULL;
}

typedef struct Outcome {
  rgVec3 center; // [m] at the end
  double gap;    // [m] largest at the end of a step, of contacts that push
  int not_met;
} Outcome;

static double pushing_gap(const rgWorld* world) {
  double gap = 0;
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    if (rg_world_contact(world, i, &contact) == RG_OK &&
        rg_vec3_dot(contact.impulse, contact.normal) > 0)
      gap = fmax(gap, fabs(contact.gap));
  }
  return gap;
}

static bool roll(ExperimentReport* report, const char* stepper, double theta, double h,
                 Outcome* out) {
  rgWorld* world = make_world(report, stepper, theta, h);
  bool going = world != NULL;
  int steps = (int)(duration / h + 0.5);
  *out = (Outcome){0};
  for (int i = 0; i < steps && going; ++i) {
    rgCertificate certificate;
    going = experiment_good(report, world, rg_world_step(world, &certificate));
    out->not_met += going && !certificate.met;
    out->gap = fmax(out->gap, going ? pushing_gap(world) : 0);
  }
  if (going)
    out->center = rg_body_center(world, rg_world_find_body(world, "ellipsoid"));
  rg_world_destroy(world);
  return going;
}

static void name_parameters(ExperimentReport* report) {
  experiment_given(report, "method", "contact at the end of the step, eq. 4 to 11");
  experiment_chosen(
      report, "body",
      "semi-axes 1, 1.3, 0.8 m, 1000 kg/m3, on top of a fixed ellipsoid three times as large");
  experiment_chosen(report, "start", "rolling, spin (%g, %g, %g) rad/s", turn.x, turn.y, turn.z);
  experiment_chosen(report, "friction", "mu 0.8, so that it does not slip");
}

static void run(ExperimentReport* report) {
  CliPlot* plot = experiment_plot(report, "Error of the position after 0.8 s",
                                  "Against theta = 1/2 in steps of 0.5 ms.");
  CliPanel* panel =
      cli_plot_panel(plot, "", "step [s]", "error [m]", CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  CliSeries* series = cli_panel_series(panel, "implicit-geometry", CLI_MARK_POINTS, 0);
  Outcome reference, frozen, last = {0};
  name_parameters(report);
  if (!experiment_goes_on(report, 0, "reference") ||
      !roll(report, "theta", 0.5, reference_step, &reference) ||
      !roll(report, "stewart-trinkle", 1, first_step, &frozen))
    return;
  double error = 0, ratio = 0, gap = 0, h = first_step;
  int not_met = 0;
  for (int i = 0; i < STEPS; ++i, h /= 2) {
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "h = %g s: error of the position after 0.8 s", h);
    if (!experiment_goes_on(report, 0.3 + 0.7 * i / STEPS, text) ||
        !roll(report, "implicit-geometry", 1, h, &last))
      return;
    double now = rg_vec3_norm(rg_vec3_sub(last.center, reference.center));
    ratio = now > 0 ? error / now : 0;
    error = now;
    gap = fmax(gap, last.gap);
    not_met += last.not_met;
    cli_series_point(series, h, now);
    experiment_shown(report, text, "m", (double)NAN, now);
  }
  experiment_source(report, "derived: a scheme of first order in time");
  experiment_near(report, "error over that with half the step, at the smallest", "", 2, ratio, 0.3);
  experiment_source(report,
                    "section IV: contact is closed at the end of the step; 1e-9 of the size");
  experiment_at_most(report, "largest gap at the end of a step", "m", gap, 1e-9);
  experiment_at_most(report, "steps that were not met", "", not_met, 0);
  experiment_source(report,
                    "derived: (h |w|)^2 / 2 times the curvature, with the geometry of the start");
  experiment_at_least(report, "stewart-trinkle, h = 0.02 s: largest gap", "m", frozen.gap, 1e-5);
}

const Experiment experiment_ellipsoids = {
    .name = "ellipsoids",
    .paper = "Chakraborty et al. 2007, sections III and IV",
    .work = &experiment_work_chakraborty,
    .summary =
        "An ellipsoid rolls on an ellipsoid: contact is closed at the end of every step, and "
        "the motion converges with the step.",
    .run = run,
};
