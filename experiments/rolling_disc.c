// rolling_disc.c - a disc that rolls, smooth and as polygons (Chakraborty et al. 2007, section I and
// example 1, figure 1).
//
// A disc that rolls without slip goes on for ever. As a regular polygon under Stewart and Trinkle's step
// it loses energy at every corner that strikes the ground; with more corners less, down to a limit that
// the step sets, and with smaller steps less, down to a limit that the corners set. With the contact at
// the end of the step the smooth disc loses nothing.
//
// The limit for small steps. A corner that strikes takes over as the pivot: angular momentum about it
// stays, so that with the moment of inertia m r^2 / 2 and t = 2 pi / n the spin becomes (1/2 + cos t) /
// (3/2) of what it was, the energy 1 - 2 t^2 / 3 of it. There are w / t strikes in a second, and
//
//     E(T) = E(0) / (1 + t w(0) T / 3)^2.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <stdlib.h>
#include <string.h>

static const double speed = 3, duration = 5; // [m/s] [s]
static const double start_energy = 6.75;     // [J] 1/2 m v^2 + 1/2 I w^2
static const double gravity = 9.81;          // [m/s2]
static const double PI = 3.14159265358979323846;

// A wheel on the ground: a disc, or a polygon of so many corners that stands on a side.
static rgWorld* make_wheel(ExperimentReport* report, int corners, double h, const char* stepper,
                           const char* solver) {
  rgWorldDef def = rg_world_def();
  def.dimension = 2;
  def.options.step = h;
  def.options.gravity = rg_vec3(0, -gravity, 0);
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  snprintf(def.options.solver, sizeof def.options.solver, "%s", solver);
  if (corners > 0) // in the plane a polygonal cone is the exact one, and lemke asks for it
    snprintf(def.options.cone, sizeof def.options.cone, "inner");
  rgWorld* world = experiment_empty_world(report, def, 0.4);
  if (!world)
    return NULL;
  rgBodyDef ground = rg_body_def(), wheel = rg_body_def();
  rgShapeDef segment = rg_shape_def(RG_SHAPE_SEGMENT);
  rgShapeDef shape = rg_shape_def(corners > 0 ? RG_SHAPE_POLYGON : RG_SHAPE_CIRCLE);
  const rgVec3 ends[2] = {{-100, 0, 0}, {100, 0, 0}};
  rgVec3* points = corners > 0 ? malloc((size_t)corners * sizeof *points) : NULL;
  segment.points = ends;
  segment.point_count = 2;
  for (int i = 0; i < corners && points; ++i) {
    double angle = 2 * PI * (i - 0.5) / corners - 0.5 * PI;
    points[i] = rg_vec3(cos(angle), sin(angle), 0);
  }
  shape.radius = 1;
  shape.points = points;
  shape.point_count = corners;
  ground.kind = RG_BODY_STATIC;
  wheel.name = "wheel";
  wheel.mass = 1;
  wheel.inertia_given = true;
  wheel.inertia = rg_mat3_diag(0.5, 0.5, 0.5);
  wheel.pose.position = rg_vec3(0, corners > 0 ? cos(PI / corners) : 1, 0);
  wheel.velocity = (rgTwist){{-speed, 0, 0}, {0, 0, speed}};
  rgBodyId id;
  rgStatus status = rg_world_add_body(world, &ground, &segment, 1, &id);
  if (status == RG_OK)
    status = rg_world_add_body(world, &wheel, &shape, 1, &id);
  free(points);
  if (experiment_good(report, world, status))
    return world;
  rg_world_destroy(world);
  return NULL;
}

typedef struct Outcome {
  double kinetic;  // [J] at the end
  double farthest; // [J] from the start's, at any time
  int not_met;
} Outcome;

static bool roll(ExperimentReport* report, rgWorld* world, CliSeries* series, Outcome* out) {
  *out = (Outcome){0};
  if (!world)
    return false;
  bool going = true;
  double h = rg_world_options(world)->step;
  int steps = (int)(duration / h + 0.5), every = steps / 100 > 0 ? steps / 100 : 1;
  cli_series_point(series, 0, start_energy);
  for (int i = 0; i < steps && going; ++i) {
    rgCertificate certificate;
    going = experiment_good(report, world, rg_world_step(world, &certificate));
    out->not_met += going && !certificate.met;
    out->kinetic = rg_world_energy(world).kinetic;
    out->farthest = fmax(out->farthest, fabs(out->kinetic - start_energy));
    if ((i + 1) % every == 0)
      cli_series_point(series, (i + 1) * h, out->kinetic);
  }
  rg_world_destroy(world);
  return going;
}

// A polygon and a step, and what the wheel keeps.
typedef struct Case {
  int corners;
  double h;    // [s]
  double kept; // [J] kinetic energy at the end
} Case;

// From `start` to `end` of the progress.
static bool run_cases(ExperimentReport* report, CliPanel* panel, Case* cases, int count,
                      double start, double end) {
  for (int i = 0; i < count; ++i) {
    char label[EXPERIMENT_TEXT], text[2 * EXPERIMENT_TEXT];
    snprintf(label, sizeof label, "%d edges, h = %g s", cases[i].corners, cases[i].h);
    snprintf(text, sizeof text, "%s: kinetic energy after 5 s", label);
    Outcome out;
    CliSeries* series = cli_panel_series(panel, label, CLI_MARK_LINE, i + 1);
    if (!experiment_goes_on(report, start + (end - start) * i / count, label) ||
        !roll(report, make_wheel(report, cases[i].corners, cases[i].h, "stewart-trinkle", "lemke"),
              series, &out))
      return false;
    cases[i].kept = out.kinetic;
    experiment_shown(report, text, "J", (double)NAN, out.kinetic);
  }
  return true;
}

static void run(ExperimentReport* report) {
  Case corners[] = {{10, 0.01, 0}, {30, 0.01, 0}, {100, 0.01, 0}, {300, 0.01, 0}, {1000, 0.01, 0}};
  Case steps[] = {{1000, 0.1, 0}, {1000, 0.005, 0}, {1000, 0.001, 0}, {1000, 0.0005, 0}};
  enum { CORNERS = sizeof corners / sizeof *corners, STEPS = sizeof steps / sizeof *steps };
  CliPlot* plot = experiment_plot(report, "Kinetic energy of the wheel", "Figure 1 of the paper.");
  CliPanel* left = cli_plot_panel(plot, "h = 0.01 s", "time [s]", "kinetic energy [J]", 0);
  CliPanel* right = cli_plot_panel(plot, "1000 edges", "time [s]", "kinetic energy [J]", 0);
  experiment_given(report, "disc", "radius 1 m, mass 1 kg, speed 3 m/s, spin 3 rad/s");
  experiment_given(report, "friction", "mu 0.4");
  experiment_given(report, "step", "0.01 s, and smaller with 1000 edges");
  experiment_chosen(report, "moment of inertia", "0.5 kg m2, of the disc, for polygons as well");
  experiment_chosen(report, "start", "polygons stand on a side");
  Outcome disc;
  if (!experiment_goes_on(report, 0, "disc") ||
      !roll(report, make_wheel(report, 0, 0.01, "implicit-geometry", "auto"),
            cli_panel_series(left, "smooth, at the end of the step", CLI_MARK_LINE, 0), &disc) ||
      !run_cases(report, left, corners, CORNERS, 0.1, 0.4) ||
      !run_cases(report, right, steps, STEPS, 0.4, 1))
    return;
  experiment_source(report, "section V.A: no loss within the tolerance of 1e-6");
  experiment_near(report, "disc: kinetic energy at any time", "J", start_energy,
                  start_energy + disc.farthest, 1e-6);
  experiment_at_most(report, "disc: steps that were not met", "", disc.not_met, 0);
  experiment_source(report, "figure 1 a: losses fall with the number of edges");
  bool rises = true;
  for (int i = 1; i < CORNERS; ++i)
    rises = rises && corners[i].kept > corners[i - 1].kept;
  experiment_row(report, "energy kept rises with the number of edges", "", (double)NAN,
                 corners[CORNERS - 1].kept - corners[0].kept, rises,
                 "each more than the one before");
  experiment_source(report, "figure 1 a: a limit below the disc, set by the step");
  experiment_at_most(report, "1000 edges, h = 0.01 s: kinetic energy", "J",
                     corners[CORNERS - 1].kept, start_energy - 0.1);
  experiment_source(report,
                    "figure 1 b: 0.001 s and less cannot be told apart, to 1 %% of the energy");
  experiment_at_most(report, "1000 edges: change from h = 0.001 s to 0.0005 s", "J",
                     fabs(steps[STEPS - 1].kept - steps[STEPS - 2].kept), 0.01 * start_energy);
  double strikes = 1 + 2 * PI / 1000 * speed * duration / 3;
  double limit = start_energy / (strikes * strikes);
  experiment_source(report, "derived: corners that strike, see above; within a tenth of the loss");
  experiment_near(report, "1000 edges, h = 0.0005 s: kinetic energy", "J", limit,
                  steps[STEPS - 1].kept, 0.1 * (start_energy - limit));
  experiment_disagrees(
      report,
      "The paper finds that with 1000 edges losses fall as the step falls from larger ones to "
      "0.001 "
      "s. Here they hardly depend on the step (%.2f J at 0.1 s, %.2f J at 0.01 s, %.2f J at 0.0005 "
      "s): "
      "what is lost are the strikes of the corners, which are %.2f J by themselves. Its step also "
      "makes impulses from gaps that it foresees along the tangent for one corner alone; here both "
      "corners of a side are in the problem.",
      start_energy - steps[0].kept, start_energy - corners[CORNERS - 1].kept,
      start_energy - steps[STEPS - 1].kept, start_energy - limit);
}

const Experiment experiment_rolling_disc = {
    .name = "rolling-disc",
    .paper = "Chakraborty et al. 2007, example 1, figure 1",
    .work = &experiment_work_chakraborty,
    .summary =
        "A disc rolls on without loss when contact is taken at the end of the step; as a polygon "
        "it loses energy, less with more edges and smaller steps, down to a limit.",
    .scene = "rolling_disc",
    .run = run,
};
