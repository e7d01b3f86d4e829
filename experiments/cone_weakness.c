// cone_weakness.c - what a pyramid does to friction (Renouf et al. 2005, section 8.2).
//
// A body that cannot turn lies on a plane. A horizontal force of constant size, a little more than
// friction can hold, pushes it for 5 s along each of three directions 120 degrees apart (Renouf et
// al. 2005 eq. 37, times 1.02: with the factor 1 of the paper it would only just not move). Coulomb
// friction opposes the motion with the same strength in every direction, so the body runs around an
// equilateral triangle. A polygon in place of the disk holds more along some directions than along
// others, and pulls sideways on what does not slide along one of its axes: the path is bent and
// does not close.
//
// The first cycle starts at rest, every other with the speed of the last leg, which friction has to
// turn back first. The measured cycle is the third: by then its legs are one leg, turned.
//
// Two facets are the segment between two opposite corners: friction along x alone, made as an
// ellipse with a vanishing axis. "3 .. 8 facets" are the inner polygons of Renouf et al. 2005 eq.
// 31 with the first corner on the x axis.
#include "experiments/experiment.h"
#include <rigor/vec_math.h>

#include <rigor/rigor.h>
#include <stdlib.h>

// As in the scene, scenes/experiments/cone_weakness.json. Its load turns within a step.
static const double mu = 0.5;
static const double overload = 1.02;             // force over friction
static const double step = 0.005;                // [s]
static const double segment = 1e-6;              // width of the ellipse that stands for two facets
enum { LEGS = 3, CYCLES = 3, LEG_STEPS = 1000 }; // of a leg of 5 s

typedef struct Law {
  const char* name;
  int facets; // 0: the exact cone
} Law;

static const Law laws[] = {{"exact cone", 0}, {"2 facets", 2}, {"3 facets", 3},
                           {"4 facets", 4},   {"6 facets", 6}, {"8 facets", 8}};
enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

// The scene has the load, and the material of the exact cone.
static rgWorld* make_world(rgScene* scene, const Law* law, ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  bool polygon = law->facets > 2;
  snprintf(options->cone, sizeof options->cone, "%s", polygon ? "inner" : "exact");
  if (polygon)
    options->facets = law->facets;
  rgWorld* world = experiment_world(report, scene);
  if (!world || law->facets != 2)
    return world;
  rgMaterial material = rg_material_default();
  material.mu = mu;
  material.direction = rg_vec3(1, 0, 0);
  material.e_o = segment;
  if (experiment_good(report, world, rg_world_set_material(world, 0, &material)))
    return world;
  rg_world_destroy(world);
  return NULL;
}

typedef struct Path {
  rgVec3 corner[CYCLES * LEGS + 1]; // where the force turns, and the two ends
  int not_met;                      // steps above the tolerance
} Path;

static bool run_law(rgScene* scene, const Law* law, int index, Path* path, CliSeries* line,
                    ExperimentReport* report) {
  *path = (Path){0};
  rgWorld* world = make_world(scene, law, report);
  if (!world)
    return false;
  rgBodyId body = rg_world_find_body(world, "point");
  bool going = true;
  for (int leg = 0; leg < CYCLES * LEGS && going; ++leg) {
    for (int i = 0; i < LEG_STEPS && going; ++i) {
      rgCertificate certificate;
      if (rg_world_step(world, &certificate) != RG_OK)
        experiment_fail(report, "%s: %s", law->name, rg_world_message(world));
      path->not_met += !certificate.met;
      rgVec3 at = rg_body_center(world, body);
      cli_series_point(line, at.x, at.y);
      if (i % 100 == 0)
        going = experiment_goes_on(report, (index + (double)leg / (CYCLES * LEGS)) / LAW_COUNT,
                                   law->name);
    }
    path->corner[leg + 1] = rg_body_center(world, body);
  }
  rg_world_destroy(world);
  return going;
}

static double angle_between(rgVec3 a, rgVec3 b) {
  return atan2(rg_vec3_norm(rg_vec3_cross(a, b)), rg_vec3_dot(a, b)) * 180 / 3.14159265358979324;
}

// Of the last cycle: corners A B C and the end D, which should be A.
typedef struct Triangle {
  double side, angle[LEGS], closing, closing_first;
} Triangle;

static Triangle measure(const Path* path) {
  const rgVec3* c = path->corner + (CYCLES - 1) * LEGS;
  Triangle t = {.side = rg_vec3_norm(rg_vec3_sub(c[1], c[0])),
                .closing = rg_vec3_norm(rg_vec3_sub(c[3], c[0])),
                .closing_first = rg_vec3_norm(rg_vec3_sub(path->corner[LEGS], path->corner[0]))};
  t.angle[0] = angle_between(rg_vec3_sub(c[1], c[0]), rg_vec3_sub(c[2], c[3]));
  t.angle[1] = angle_between(rg_vec3_sub(c[0], c[1]), rg_vec3_sub(c[2], c[1]));
  t.angle[2] = angle_between(rg_vec3_sub(c[1], c[2]), rg_vec3_sub(c[3], c[2]));
  return t;
}

static void report_exact(ExperimentReport* report, const Path* path) {
  Triangle t = measure(path);
  for (int i = 0; i < LEGS; ++i) {
    char quantity[EXPERIMENT_TEXT];
    snprintf(quantity, sizeof quantity, "exact cone: corner %d", i + 1);
    experiment_near(report, quantity, "degree", 60, t.angle[i], 0.5);
  }
  experiment_row(report, "exact cone: closing error", "% of a side", 0, 100 * t.closing / t.side,
                 t.closing <= 0.01 * t.side, "at most 1");
  experiment_row(report, "exact cone: closing error of the cycle from rest", "% of a side", 0,
                 100 * t.closing_first / t.side, true, "shown");
  experiment_shown(report, "exact cone: side", "m", (double)NAN, t.side);
  experiment_at_most(report, "exact cone: steps above the tolerance", "", path->not_met, 0);
}

// The largest distance of a corner from where the exact cone has it.
static double path_error(const Path* path, const Path* exact) {
  double error = 0;
  for (int i = 0; i <= CYCLES * LEGS; ++i)
    error = fmax(error, rg_vec3_norm(rg_vec3_sub(path->corner[i], exact->corner[i])));
  return error;
}

static void report_facets(ExperimentReport* report, const Law* law, const Path* path,
                          const Path* exact) {
  char quantity[EXPERIMENT_TEXT];
  double side = measure(exact).side, error = path_error(path, exact);
  snprintf(quantity, sizeof quantity, "%s: error of the corners", law->name);
  // A pyramid that drew the triangle would contradict the paper's point.
  experiment_row(report, quantity, "% of a side", (double)NAN, 100 * error / side,
                 error >= 0.01 * side, "at least 1: a weakness");
}

// Which panel shows a law, beside the exact cone: those that run equally far share one.
static const int panel_of[LAW_COUNT] = {0, 3, 2, 2, 0, 1};
static const char* const panel_titles[] = {"6 facets", "8 facets", "3 and 4 facets", "2 facets"};
enum { PANELS = sizeof panel_titles / sizeof panel_titles[0] };

static void run_scene(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot = experiment_plot(
      report, "Path of the body",
      "Three cycles of 15 s from rest at the origin; note the scales. The exact cone goes around a "
      "triangle that its second and third cycle share.");
  CliPanel* panels[PANELS];
  CliSeries* exact[PANELS];
  for (int i = 0; i < PANELS; ++i) {
    panels[i] = cli_plot_panel(plot, panel_titles[i], "x [m]", "y [m]", CLI_AXES_EQUAL);
    exact[i] = cli_panel_series(panels[i], laws[0].name, CLI_MARK_LINE, 0);
  }
  Path paths[LAW_COUNT];
  for (int i = 0; i < LAW_COUNT; ++i) {
    CliSeries* line =
        i == 0 ? exact[0] : cli_panel_series(panels[panel_of[i]], laws[i].name, CLI_MARK_LINE, i);
    if (!run_law(scene, &laws[i], i, &paths[i], line, report))
      return;
  }
  for (int i = 1; i < PANELS; ++i)
    cli_series_copy(exact[0], exact[i]);
  report_exact(report, &paths[0]);
  for (int i = 1; i < LAW_COUNT; ++i)
    report_facets(report, &laws[i], &paths[i], &paths[0]);
  experiment_note(report,
                  "The paper plots paths and gives no numbers; \"published\" is its statement that "
                  "the exact cone draws an equilateral triangle that closes. Its load is the "
                  "friction limit itself; here it is %g times that. mu = %g, h = %g s, theta = "
                  "1/2, measured on the third cycle.",
                  overload, mu, step);
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_cone_weakness);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_cone_weakness = {
    .name = "cone-weakness",
    .paper = "Renouf et al. 2005, section 8.2, figure 4",
    .summary =
        "A body pushed around on a plane draws an equilateral triangle under Coulomb's cone, "
        "and something else under pyramids of 2, 3, 4, 6 and 8 facets.",
    .scene = "cone_weakness",
    .run = run,
};
