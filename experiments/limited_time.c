// limited_time.c - approximate results under hard time constraints (Cline 2002, section 6.1).
//
// The thesis names it as future work: where a frame rate must be kept, "it is better for the collision
// detector to be able to return approximate results than no results at all", by "a hierarchy of
// successively finer approximations to the real shape", with a fixed budget for detection and response.
// What it asks for can be stated and measured:
//
// 1. Levels of a shape. A ball is replaced by hulls of N corners on it. The ball lands on a corner: at rest
//    its centre is lower than that of the ball by the height of the cap under the face that it comes to lie on.
//    A face of N corners has the area 4 pi R^2 / (2 N) and a circumscribed circle of about the radius rho with
//    rho^2 = 4 / (3 sqrt 3) of that for an equilateral triangle, and the cap the height rho^2 / (2 R): so the
//    error is about 2.42 R / N, and a level with four times the corners is four times better.
//
// 2. A budget of the response. Blocks fall on a heap with at most k iterations per solve. Every step is
//    made, its certificate says by what residual it misses, the residual falls with k, and no step makes
//    energy: approximate results, and known to be so. The option `time_limit` bounds the processor time of
//    a solve in the same way; it is not used here because its results are not repeatable.
#include "experiments/experiment.h"
#include "experiments/tessellation.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const double radius = 0.1; // [m] as in the scene, scenes/experiments/limited_time.json
enum { LEVELS = 4, LIMITS = 4, STEPS = 200 };
static const int corners[LEVELS] = {32, 128, 512, 2048};
static const int limits[LIMITS] = {1, 4, 16, 10000};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Removes the blocks, or the ball.
static bool leave(rgWorld* world, bool ball, ExperimentReport* report) {
  rgBodyId ids[64];
  int count = rg_world_bodies(world, ids, 64);
  bool good = true;
  for (int i = 0; i < count && good; ++i) {
    rgBodyId ball_id = rg_world_find_body(world, "ball");
    bool is_ball = ids[i].index == ball_id.index && ids[i].generation == ball_id.generation;
    if (rg_body_kind(world, ids[i]) == RG_BODY_DYNAMIC && is_ball != ball)
      good = experiment_good(report, world, rg_world_remove_body(world, ids[i]));
  }
  return good;
}

// --- levels of a shape -------------------------------------------------------------------------

// [m] How much lower than the ball a level comes to rest; *cost [s] of a search for contacts.
static double level_error(rgScene* scene, int count, rgVec3* points, double* cost,
                          ExperimentReport* report) {
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return (double)NAN;
  bool good = leave(world, true, report) &&
              experiment_good(report, world, tessellate_body(world, "ball", count, radius, points));
  rgBodyId ball = rg_world_find_body(world, "ball");
  rgPose above = {rg_vec3(0, 0, 1.02 * radius), {0.8, 0.4, 0.4, 0.2}};
  good = good && experiment_good(report, world, rg_body_set_pose(world, ball, above));
  rgTwist still = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 2 * STEPS && good; ++i)
    good = experiment_good(report, world, rg_world_step(world, NULL));
  // Let it settle on a face: what still rolls is stopped and released again.
  for (int i = 0; i < 2 * STEPS && good; ++i)
    good = experiment_good(report, world, rg_body_set_velocity(world, ball, still)) &&
           experiment_good(report, world, rg_world_step(world, NULL));
  double start = seconds();
  enum { SEARCHES = 100 };
  for (int i = 0; i < SEARCHES && good; ++i)
    good = experiment_good(report, world, rg_world_find_contacts(world));
  *cost = (seconds() - start) / SEARCHES;
  double error = radius - rg_body_center(world, ball).z;
  rg_world_destroy(world);
  return good ? error : (double)NAN;
}

static bool report_levels(rgScene* scene, rgVec3* points, ExperimentReport* report) {
  char quantity[EXPERIMENT_TEXT];
  double error[LEVELS], cost[LEVELS];
  CliPlot* plot = experiment_plot(report, "Levels of a shape",
                                  "How much lower than a ball hulls of N corners come to rest.");
  CliPanel* panel =
      cli_plot_panel(plot, "", "corners", "error [m]", CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  CliSeries* line = cli_panel_series(panel, "measured", CLI_MARK_POINTS, 0);
  CliSeries* guess = cli_panel_series(panel, "2.42 R / N", CLI_MARK_DASHED, 0);
  for (int i = 0; i < LEVELS; ++i) {
    error[i] = level_error(scene, corners[i], points, &cost[i], report);
    cli_series_point(line, corners[i], error[i]);
    cli_series_point(guess, corners[i], 2.42 * radius / corners[i]);
    experiment_source(report,
                      "derived: the cap under a face of N evenly spread corners, 2.42 R / N; "
                      "faces are not all alike");
    snprintf(quantity, sizeof quantity, "hull of %d corners at rest: lower than the ball",
             corners[i]);
    double expected = 2.42 * radius / corners[i];
    experiment_row(report, quantity, "m", expected, error[i],
                   error[i] > 0.4 * expected && error[i] < 2 * expected, "by a factor of 0.4 to 2");
    snprintf(quantity, sizeof quantity, "hull of %d corners: time of a search for contacts",
             corners[i]);
    experiment_shown(report, quantity, "s", (double)NAN, cost[i]);
    if (!experiment_goes_on(report, 0.1 * (i + 1), "levels"))
      return false;
  }
  return true;
}

// --- a budget of the response ------------------------------------------------------------------

typedef struct Outcome {
  double residual; // largest
  double highest;  // [-] energy after a step, over the energy at the start
  double made;     // steps that made more energy than a right step may
  double unmet;    // steps that missed their tolerance
  double untold;   // steps that missed and did not say so
  double deepest;  // [m] overlap
} Outcome;

static Outcome run_limit(rgScene* scene, int limit, ExperimentReport* report) {
  Outcome outcome = {0};
  rgOptions* options = rg_scene_options(scene);
  int all = options->iteration_limit;
  options->iteration_limit = limit;
  rgWorld* world = experiment_world(report, scene);
  options->iteration_limit = all;
  if (!world)
    return outcome;
  bool good = leave(world, false, report);
  rgEnergy start = rg_world_energy(world);
  for (int i = 0; i < STEPS && good; ++i) {
    rgCertificate certificate;
    good = experiment_good(report, world, rg_world_step(world, &certificate));
    bool missed = certificate.residual > certificate.tolerance;
    outcome.residual = fmax(outcome.residual, certificate.residual);
    rgEnergy now = rg_world_energy(world);
    outcome.highest =
        fmax(outcome.highest, (now.potential + now.kinetic) / (start.potential + start.kinetic));
    outcome.made += certificate.stages[RG_STAGE_ENERGY].missed > 0;
    outcome.unmet += !certificate.met;
    outcome.untold += missed && certificate.met;
    outcome.deepest = fmax(outcome.deepest, certificate.penetration);
  }
  rg_world_destroy(world);
  return outcome;
}

static void report_limits(rgScene* scene, ExperimentReport* report) {
  char quantity[EXPERIMENT_TEXT];
  Outcome outcome[LIMITS];
  for (int i = 0; i < LIMITS; ++i) {
    outcome[i] = run_limit(scene, limits[i], report);
    experiment_source(report,
                      "derived: contacts take energy or leave it, whatever a solve has missed");
    snprintf(quantity, sizeof quantity, "at most %d iterations: highest energy after a step",
             limits[i]);
    experiment_at_most(report, quantity, "of the start's", outcome[i].highest, 1);
    snprintf(quantity, sizeof quantity,
             "at most %d iterations: steps that made more energy than a right one may", limits[i]);
    experiment_near(report, quantity, "", 0, outcome[i].made, 0);
    experiment_source(report, "section 6.1: approximate results; they must be known to be so");
    snprintf(quantity, sizeof quantity, "at most %d iterations: steps that miss and do not say so",
             limits[i]);
    experiment_near(report, quantity, "", 0, outcome[i].untold, 0);
    snprintf(quantity, sizeof quantity, "at most %d iterations: steps that miss, of %d", limits[i],
             (int)STEPS);
    experiment_shown(report, quantity, "", (double)NAN, outcome[i].unmet);
    snprintf(quantity, sizeof quantity, "at most %d iterations: largest residual", limits[i]);
    experiment_shown(report, quantity, "", (double)NAN, outcome[i].residual);
    snprintf(quantity, sizeof quantity, "at most %d iterations: largest overlap", limits[i]);
    experiment_shown(report, quantity, "m", (double)NAN, outcome[i].deepest);
    if (!experiment_goes_on(report, 0.4 + 0.15 * i, "limits"))
      return;
  }
  experiment_source(report,
                    "section 6.1: \"successively finer\": a larger budget gives a better answer");
  experiment_row(report, "largest residual with 16 iterations over that with 1", "", (double)NAN,
                 outcome[2].residual / outcome[0].residual,
                 outcome[2].residual < outcome[0].residual, "below 1");
  experiment_source(report, "with no limit that binds all steps meet their tolerance");
  experiment_near(report, "no limit that binds: steps that miss", "", 0, outcome[LIMITS - 1].unmet,
                  0);
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_limited_time);
  rgVec3* points = malloc(TESSELLATION_MAX * sizeof *points);
  if (!points)
    report->out_of_memory = true;
  else if (scene && report_levels(scene, points, report))
    report_limits(scene, report);
  experiment_given(report, "wish",
                   "approximate results by a hierarchy of shapes, under a fixed budget");
  experiment_chosen(report, "hierarchy",
                    "hulls of 32, 128, 512 and 2048 corners of a ball of radius %g m", radius);
  experiment_chosen(report, "budget",
                    "iterations of a solve: 1, 4, 16, and a limit that does not bind");
  experiment_chosen(report, "blocks", "36 that fall on each other, %d steps", (int)STEPS);
  experiment_note(report,
                  "The thesis names this as future work and describes no method or result of its "
                  "own: the problem is stated here with what Rigor does about it. Its search for "
                  "contacts has no budget of its own; a scene chooses the level of its shapes.");
  free(points);
  rg_scene_free(scene);
}

const Experiment experiment_limited_time = {
    .name = "limited-time",
    .paper = "Cline 2002, section 6.1",
    .work = &experiment_work_cline,
    .summary =
        "Graceful degradation: levels of a ball's shape, and steps of a falling heap under hard "
        "limits on the solver.",
    .scene = "limited_time",
    .run = run,
};
