// step_halving.c - steps that are cut in half until nothing overlaps (Cline 2002, section 4.1, step 6).
//
// A ball flies against a wall, without weight, at the speed u along the normal and w along the wall, from
// the distance d. It meets the wall at d / u, leaves it with e u, and friction, which slides, takes mu
// (1 + e) u from w. So its place at a later time T is known:
//
//     z = e u (T - d / u),      x = w d / u + (w - mu (1 + e) u) (T - d / u).
//
// d runs through one step's way. The stepper `halving` meets the wall at a gap within the overlap a that
// projections leave alone, on either side, so that z is off by (1 + e) a at most. `anitescu-potra` has a
// fixed step: it turns the ball round at the start of the step in which the wall would be passed, at a gap
// g in (0, h u), and is off by g (1 + e): (1 + e) h u / 2 in the mean. The paper describes the halving and
// measures nothing; the fixed step and the gap prediction of `theta` are ours.
//
// A slab that falls flat with e = 0 and slides: after it has come to rest, anitescu-potra leaves it at a gap
// of up to g h^2 (anitescu_potra.c), halving touching.
#include "experiments/experiment.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <string.h>

// As in the scene, scenes/experiments/step_halving.json.
static const double step = 0.01, end = 0.5;                // [s]
static const double radius = 0.1, across = 2, along = 1;   // [m], [m/s]
static const double mu = 0.05, bounce = 0.5, first = 0.29; // [-], [-], [m] least distance
enum { THROWS = 25 };

typedef struct Outcome {
  double mean, largest; // [m] error of the place after the impact
  double loss;          // [-] error of the energy that the impact takes, over it
} Outcome;

// The place and velocity of the ball at the end, exactly.
static rgVec3 exact_place(double distance) {
  double hit = distance / across, rest = end - hit;
  return rg_vec3(along * hit + (along - mu * (1 + bounce) * across) * rest, 0,
                 radius + bounce * across * rest);
}

// [J] of the ball of 1 kg: sliding friction takes p = mu (1 + e) u and gives the spin p r / I.
static double exact_energy(void) {
  double p = mu * (1 + bounce) * across, vx = along - p, vz = bounce * across;
  return 0.5 * (vx * vx + vz * vz) + 0.5 * p * p / 0.4;
}

static bool throw_ball(rgScene* scene, double distance, Outcome* outcome,
                       ExperimentReport* report) {
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return false;
  rgBodyId ball = rg_world_find_body(world, "ball");
  rgPose pose = {rg_vec3(0, 0, radius + distance), {1, 0, 0, 0}};
  bool good = experiment_good(report, world, rg_body_set_pose(world, ball, pose));
  rgEnergy start = rg_world_energy(world);
  for (int i = 0; i < (int)(end / step + 0.5) && good; ++i)
    good = experiment_good(report, world, rg_world_step(world, NULL));
  rgVec3 off = rg_vec3_sub(rg_body_center(world, ball), exact_place(distance));
  double error = rg_vec3_norm(off), exact = exact_energy();
  double loss = fabs(rg_world_energy(world).kinetic - exact) / (start.kinetic - exact);
  outcome->mean += error / THROWS;
  outcome->largest = fmax(outcome->largest, error);
  outcome->loss = fmax(outcome->loss, loss);
  rg_world_destroy(world);
  return good;
}

static Outcome run_throws(rgScene* scene, const char* stepper, double theta, CliSeries* series,
                          ExperimentReport* report) {
  Outcome outcome = {0};
  rgOptions* options = rg_scene_options(scene);
  snprintf(options->stepper, sizeof options->stepper, "%s", stepper);
  options->theta = theta;
  for (int i = 0; i < THROWS; ++i) {
    double before = outcome.mean, distance = first + step * across * (i + 0.5) / THROWS;
    if (!throw_ball(scene, distance, &outcome, report))
      break;
    cli_series_point(series, (i + 0.5) / THROWS, fmax((outcome.mean - before) * THROWS, 1e-12));
  }
  return outcome;
}

// [m] The gap at which a slab rests that fell flat and slid.
static double rest_gap(rgScene* scene, const char* stepper, double* allowed,
                       ExperimentReport* report) {
  const double half = 0.05, mass = 2;
  rgOptions* options = rg_scene_options(scene);
  snprintf(options->stepper, sizeof options->stepper, "%s", stepper);
  options->theta = 1;
  options->gravity = rg_vec3(0, 0, -9.81);
  rgWorld* world = experiment_world(report, scene);
  options->gravity = rg_vec3_zero();
  if (!world)
    return (double)NAN;
  *allowed = options->projection_tolerance * half;
  rgBodyDef def = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  rgMaterial rough = rg_material_default(); // mu 0.5, e 0
  shape.half = rg_vec3(0.3, 0.3, half);
  def.mass = mass;
  def.pose.position = rg_vec3(0, 0, half + 0.1037);
  def.velocity.linear = rg_vec3(0.8, 0, 0);
  rgBodyId slab, ball = rg_world_find_body(world, "ball");
  bool good = experiment_good(report, world, rg_world_remove_body(world, ball)) &&
              experiment_good(report, world, rg_world_set_material(world, 0, &rough));
  good = good && experiment_good(report, world, rg_world_add_body(world, &def, &shape, 1, &slab));
  for (int i = 0; i < 100 && good; ++i)
    good = experiment_good(report, world, rg_world_step(world, NULL));
  double gap = good ? rg_body_center(world, slab).z - half : (double)NAN;
  rg_world_destroy(world);
  return gap;
}

static void report_throws(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot = experiment_plot(report, "A ball thrown against a wall",
                                  "Error of its place after the impact, against the part of the "
                                  "step at which it meets the wall.");
  CliPanel* panel = cli_plot_panel(plot, "", "part of the step", "error [m]", CLI_AXES_LOG_Y);
  static const char* const names[] = {"halving", "anitescu-potra", "theta"};
  Outcome outcome[3];
  for (int i = 0; i < 3; ++i) {
    CliSeries* series = cli_panel_series(panel, names[i], CLI_MARK_POINTS, i);
    outcome[i] = run_throws(scene, names[i], 0.5, series, report);
    if (!experiment_goes_on(report, 0.3 * (i + 1), names[i]))
      return;
  }
  double allowed = rg_scene_options(scene)->projection_tolerance * radius;
  experiment_source(report, "derived: (1 + e) times the overlap that counts as touching, and the "
                            "tolerance of the solver");
  experiment_at_most(report, "halving: largest error of the place after the impact", "m",
                     outcome[0].largest, (1 + bounce) * allowed * 1.1 + 1e-9);
  experiment_source(report, "derived: sliding friction and restitution of one impact");
  experiment_at_most(report, "halving: error of the energy that the impact takes", "of it",
                     outcome[0].loss, 1e-8);
  experiment_source(report, "derived: (1 + e) h u / 2");
  experiment_near(report, "anitescu-potra: mean error of the place after the impact", "m",
                  0.5 * (1 + bounce) * step * across, outcome[1].mean,
                  0.02 * (1 + bounce) * step * across);
  experiment_shown(report, "theta = 1/2: mean error of the place after the impact", "m",
                   (double)NAN, outcome[2].mean);
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  report_throws(scene, report);
  double allowed = 0;
  double halved = rest_gap(scene, "halving", &allowed, report),
         fixed = rest_gap(scene, "anitescu-potra", &allowed, report);
  experiment_source(report, "derived: what touches lies within the overlap that is left alone");
  experiment_at_most(report,
                     "slab at rest after a fall and a slide, halving: distance from touching", "m",
                     fabs(halved), 1.1 * allowed);
  experiment_source(report, "derived: a fixed step leaves at most g h^2");
  experiment_row(report, "slab at rest after a fall and a slide, anitescu-potra: gap", "m",
                 (double)NAN, fixed, fixed >= -1.1 * allowed && fixed <= 9.81 * step * step,
                 "between 0 and 0.000981");
  experiment_given(report, "step",
                   "halved until nothing overlaps; contacts that touch are in eq. 2.49");
  experiment_chosen(report, "ball", "radius %g m, %g m/s against the wall, %g m/s along it", radius,
                    across, along);
  experiment_chosen(report, "law", "mu = %g, e = %g; no weight", mu, bounce);
  experiment_chosen(report, "h, throws", "%g s, %d over one step's way", step, (int)THROWS);
  experiment_chosen(report, "velocities of a halved step",
                    "solved anew for the shorter step; the paper interpolates positions");
  experiment_note(report,
                  "The paper describes the halving (section 4.1, step 6) and reports no numbers "
                  "for it: expected values are those of the impact in closed form.");
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_step_halving);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_step_halving = {
    .name = "step-halving",
    .paper = "Cline 2002, section 4.1, step 6",
    .work = &experiment_work_cline,
    .summary = "A ball thrown against a wall with friction: the step is halved until it touches, "
               "against fixed steps.",
    .scene = "step_halving",
    .run = run,
};
