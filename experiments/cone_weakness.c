// cone_weakness.c - what a pyramid does to friction (Renouf et al. 2005, section 8.2).
//
// A body that cannot turn lies on a plane. A horizontal force of constant size, a little more than
// friction can hold, pushes it for 5 s along each of three directions 120 degrees apart (Renouf et
// al. 2005 eq. 37, times 1.02: with the factor 1 of the paper it does not move, which is a row of
// its own). Coulomb friction opposes the motion with the same strength in every direction, so the
// body runs around an equilateral triangle. A polygon in place of the disk holds more along some
// directions than along others, and pulls sideways on what does not slide along one of its axes: the
// path is bent and does not close.
//
// The first cycle starts at rest, every other with the speed of the last leg, which friction has to
// turn back first. The measured cycle is the third: by then its legs are one leg, turned.
//
// Where the exact cone should lead is computed apart from the simulator: the plane motion under
// Coulomb's law,
//
//     dv/dt = F(t) / m - mu g v / |v|,
//
// by the method of Runge and Kutta with steps a fiftieth as long.
//
// C_nu is the inner polygon of Renouf et al. 2005 eq. 31 and figure 1 b with 2 nu corners, the first
// on the x axis. Figure 4 a has the exact cone and C_2 by NSGS, figure 4 b C_2, C_3, C_4, C_6 and
// C_8 by Lemke's method.
#include "experiments/experiment.h"
#include <rigor/vec_math.h>

#include <rigor/rigor.h>
#include <stdlib.h>

// As in the scene, scenes/experiments/cone_weakness.json. Its load turns within a step.
static const double mu = 0.5, gravity = 9.81;    // [], [m/s2]
static const double overload = 1.02;             // force over friction
static const double step = 0.005;                // [s]
enum { LEGS = 3, CYCLES = 3, LEG_STEPS = 1000 }; // of a leg of 5 s
enum { FINE = 8 };                               // parts of a step, where the order is measured

typedef struct Law {
  const char* name;
  int nu; // of the polygon C_nu; 0: the exact cone
  const char* solver;
} Law;

static const Law laws[] = {{"exact cone, nsgs", 0, "nsgs"}, {"C_2, nsgs", 2, "nsgs"},
                           {"C_2, lemke", 2, "lemke"},      {"C_3, lemke", 3, "lemke"},
                           {"C_4, lemke", 4, "lemke"},      {"C_6, lemke", 6, "lemke"},
                           {"C_8, lemke", 8, "lemke"}};
enum { EXACT, C2_NSGS, C2, C3, C4, C6, C8, LAW_COUNT };

// A world whose steps are `parts` times shorter.
static rgWorld* make_world(rgScene* scene, const Law* law, int parts, ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  options->step = step / parts;
  snprintf(options->cone, sizeof options->cone, "%s", law->nu ? "inner" : "exact");
  snprintf(options->solver, sizeof options->solver, "%s", law->solver);
  if (law->nu)
    options->facets = 2 * law->nu;
  return experiment_world(report, scene);
}

typedef struct Path {
  rgVec3 corner[CYCLES * LEGS + 1]; // where the force turns, and the two ends
  int not_met;                      // steps above the tolerance
} Path;

static bool run_law(rgScene* scene, const Law* law, int index, int parts, Path* path,
                    CliSeries* line, ExperimentReport* report) {
  *path = (Path){0};
  rgWorld* world = make_world(scene, law, parts, report);
  if (!world)
    return false;
  rgBodyId body = rg_world_find_body(world, "point");
  path->corner[0] = rg_body_center(world, body);
  bool going = true;
  for (int leg = 0; leg < CYCLES * LEGS && going; ++leg) {
    for (int i = 0; i < LEG_STEPS * parts && going; ++i) {
      rgCertificate certificate;
      if (rg_world_step(world, &certificate) != RG_OK)
        experiment_fail(report, "%s: %s", law->name, rg_world_message(world));
      path->not_met += !certificate.met;
      rgVec3 at = rg_body_center(world, body);
      if (i % 10 == 0)
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

// --- the motion under Coulomb's law, apart from the simulator ----------------------------------

static rgVec3 load(int leg) {
  static const double half = 0.5, root = 0.866025403784438647;
  double size = overload * mu * gravity;
  return leg % LEGS == 0   ? rg_vec3(half * size, root * size, 0)
         : leg % LEGS == 1 ? rg_vec3(-size, 0, 0)
                           : rg_vec3(half * size, -root * size, 0);
}

static rgVec3 acceleration(rgVec3 force, rgVec3 v) {
  double speed = rg_vec3_norm(v);
  rgVec3 against =
      speed > 0 ? rg_vec3_scale(v, 1 / speed) : rg_vec3_scale(force, 1 / rg_vec3_norm(force));
  return rg_vec3_sub(force, rg_vec3_scale(against, mu * gravity));
}

// Corners from rest at `start`. The load of the scene turns 2.5 ms late, in the middle of a step.
static void reference_path(rgVec3 start, Path* path) {
  enum { PARTS = 50 };
  const double h = step / PARTS;
  rgVec3 x = start, v = rg_vec3_zero();
  path->corner[0] = x;
  for (int i = 0; i < CYCLES * LEGS * LEG_STEPS * PARTS; ++i) {
    int late = i - PARTS / 2, leg = late < 0 ? 0 : late / (LEG_STEPS * PARTS);
    rgVec3 force = load(leg), k[4];
    k[0] = acceleration(force, v);
    k[1] = acceleration(force, rg_vec3_add(v, rg_vec3_scale(k[0], h / 2)));
    k[2] = acceleration(force, rg_vec3_add(v, rg_vec3_scale(k[1], h / 2)));
    k[3] = acceleration(force, rg_vec3_add(v, rg_vec3_scale(k[2], h)));
    rgVec3 mean = rg_vec3_scale(
        rg_vec3_add(rg_vec3_add(k[0], k[3]), rg_vec3_scale(rg_vec3_add(k[1], k[2]), 2)), h / 6);
    x = rg_vec3_add(x, rg_vec3_scale(rg_vec3_add(v, rg_vec3_scale(mean, 0.5)), h));
    v = rg_vec3_add(v, mean);
    if ((i + 1) % (LEG_STEPS * PARTS) == 0)
      path->corner[(i + 1) / (LEG_STEPS * PARTS)] = x;
  }
}

// --- the report --------------------------------------------------------------------------------

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

// The largest distance of a corner from where another path has it.
static double path_error(const Path* path, const Path* other) {
  double error = 0;
  for (int i = 0; i <= CYCLES * LEGS; ++i)
    error = fmax(error, rg_vec3_norm(rg_vec3_sub(path->corner[i], other->corner[i])));
  return error;
}

static void report_exact(ExperimentReport* report, const Path* path) {
  Triangle t = measure(path);
  experiment_source(report, "section 8.2: \"must match with an equilateral triangle\"");
  for (int i = 0; i < LEGS; ++i) {
    char quantity[EXPERIMENT_TEXT];
    snprintf(quantity, sizeof quantity, "exact cone: corner %d", i + 1);
    experiment_near(report, quantity, "degree", 60, t.angle[i], 0.5);
  }
  experiment_source(report, "section 8.2: \"the initial and the final point of a cycle coincide\"");
  experiment_row(report, "exact cone: closing error", "% of a side", 0, 100 * t.closing / t.side,
                 t.closing <= 0.01 * t.side, "at most 1");
  experiment_source(report, "every step must meet the tolerance");
  experiment_at_most(report, "exact cone: steps above the tolerance", "", path->not_met, 0);
}

// Against the motion under Coulomb's law that is integrated apart, with the step and with a part of
// it: turning back takes 14 steps only.
static bool report_convergence(rgScene* scene, const Path* path, ExperimentReport* report) {
  Path reference, fine;
  if (!run_law(scene, &laws[EXACT], 0, FINE, &fine, NULL, report))
    return false;
  reference_path(path->corner[0], &reference);
  Triangle t = measure(&fine), expected = measure(&reference);
  double coarse_error = path_error(path, &reference), fine_error = path_error(&fine, &reference);
  experiment_source(report, "derived: the motion under Coulomb's law, integrated apart");
  experiment_near(report, "exact cone, h / 8: side", "m", expected.side, t.side,
                  0.005 * expected.side);
  experiment_near(report, "exact cone, h / 8: closing error of the cycle from rest", "% of a side",
                  100 * expected.closing_first / expected.side, 100 * t.closing_first / t.side,
                  0.5);
  experiment_at_most(report, "exact cone, h / 8: distance of a corner from the integrated path",
                     "% of a side", 100 * fine_error / expected.side, 0.5);
  experiment_source(report, "derived: friction of a step acts at its end, an error of first order");
  experiment_near(report, "exact cone: error with h over that with h / 8", "", FINE,
                  coarse_error / fine_error, 1.5);
  return true;
}

static void report_polygons(ExperimentReport* report, const Path paths[LAW_COUNT]) {
  char quantity[EXPERIMENT_TEXT];
  double error[LAW_COUNT], side = measure(&paths[EXACT]).side;
  int not_met = 0;
  experiment_source(report, "section 8.2: approximations \"can lead to unrealistic behavior\"; "
                            "less than a hundredth of a side could not be seen in figure 4");
  for (int i = C2_NSGS; i < LAW_COUNT; ++i) {
    error[i] = path_error(&paths[i], &paths[EXACT]);
    not_met += paths[i].not_met;
    snprintf(quantity, sizeof quantity, "%s: distance of a corner from the exact cone's",
             laws[i].name);
    experiment_at_least(report, quantity, "% of a side", 100 * error[i] / side, 1);
  }
  experiment_source(report, "figures 4 a and b: one polygon, one path; both solvers are asked for "
                            "the same tolerance");
  experiment_at_most(report, "C_2: distance of lemke's path from that of nsgs", "% of a side",
                     100 * path_error(&paths[C2], &paths[C2_NSGS]) / side, 0.01);
  experiment_source(report, "section 8.2: \"to approach the solution we must use a high order\"; "
                            "polygons with twice the corners");
  experiment_row(report, "error of C_4 over that of C_2", "", (double)NAN, error[C4] / error[C2],
                 error[C4] < error[C2], "below 1");
  experiment_row(report, "error of C_8 over that of C_4", "", (double)NAN, error[C8] / error[C4],
                 error[C8] < error[C4], "below 1");
  experiment_row(report, "error of C_6 over that of C_3", "", (double)NAN, error[C6] / error[C3],
                 error[C6] < error[C3], "below 1");
  experiment_source(report, "every step must meet the tolerance");
  experiment_at_most(report, "polygons: steps above the tolerance", "", not_met, 0);
}

// The load as printed: friction can just hold it.
static void report_printed_load(rgScene* scene, ExperimentReport* report) {
  rgWorld* world = make_world(scene, &laws[EXACT], 1, report);
  if (!world)
    return;
  rgBodyId body = rg_world_find_body(world, "point");
  rgVec3 start = rg_body_center(world, body);
  rgForceId id;
  rg_world_forces(world, &id, 1);
  double farthest = 0;
  bool good = experiment_good(report, world, rg_world_remove_force(world, id));
  for (int leg = 0; leg < LEGS && good; ++leg) {
    rgForceDef def = rg_force_def();
    def.body = body;
    def.wrench.force = rg_vec3_scale(load(leg), 1 / overload);
    good = experiment_good(report, world, rg_world_add_force(world, &def, &id));
    for (int i = 0; i < LEG_STEPS && good; ++i) {
      good = experiment_good(report, world, rg_world_step(world, NULL));
      farthest = fmax(farthest, rg_vec3_norm(rg_vec3_sub(rg_body_center(world, body), start)));
    }
    good = good && experiment_good(report, world, rg_world_remove_force(world, id));
  }
  experiment_source(report, "derived: a force of mu m g is held by Coulomb's law; the bound is the "
                            "tolerance of the solver over a cycle");
  experiment_at_most(report, "load as printed, factor 1: farthest from the start", "m", farthest,
                     1e-3);
  rg_world_destroy(world);
}

// Which panel shows a law, beside the exact cone: those that run equally far share one.
static const int panel_of[LAW_COUNT] = {0, 0, 1, 2, 1, 2, 3};
static const char* const panel_titles[] = {"a: NSGS, C_2", "b: Lemke, C_2 and C_4",
                                           "b: Lemke, C_3 and C_6", "b: Lemke, C_8"};
enum { PANELS = sizeof panel_titles / sizeof panel_titles[0] };

static void report_parameters(ExperimentReport* report) {
  experiment_given(report, "load", "mu m g along 60, 180 and -60 degrees, 5 s each (eq. 37)");
  experiment_chosen(report, "load over friction",
                    "%g; with 1, as printed, the body stays where it is", overload);
  experiment_chosen(report, "rotation",
                    "locked: a ball that may turn would roll, and friction would "
                    "not decide its path");
  experiment_given(report, "polygons", "C_nu with 2 nu corners on the disk (figure 1 b)");
  experiment_chosen(report, "direction of the first corner", "x axis");
  experiment_chosen(report, "mu, g, m", "%g, %g m/s2, 1 kg", mu, gravity);
  experiment_chosen(report, "step, theta", "%g s, 1/2", step);
  experiment_chosen(report, "measured cycle", "the third, whose legs are one leg, turned");
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot = experiment_plot(
      report, "Path of the body, as in figure 4",
      "Three cycles of 15 s from rest; note the scales. The exact cone goes around a triangle that "
      "its second and third cycle share.");
  CliPanel* panels[PANELS];
  CliSeries* exact[PANELS];
  for (int i = 0; i < PANELS; ++i) {
    panels[i] = cli_plot_panel(plot, panel_titles[i], "x [m]", "y [m]", CLI_AXES_EQUAL);
    exact[i] = cli_panel_series(panels[i], "exact cone", CLI_MARK_LINE, 0);
  }
  Path paths[LAW_COUNT];
  for (int i = 0; i < LAW_COUNT; ++i) {
    CliSeries* line =
        i == 0 ? exact[0] : cli_panel_series(panels[panel_of[i]], laws[i].name, CLI_MARK_LINE, i);
    if (!run_law(scene, &laws[i], i, 1, &paths[i], line, report))
      return;
  }
  for (int i = 1; i < PANELS; ++i)
    cli_series_copy(exact[0], exact[i]);
  report_exact(report, &paths[EXACT]);
  if (!report_convergence(scene, &paths[EXACT], report))
    return;
  report_polygons(report, paths);
  report_printed_load(scene, report);
  report_parameters(report);
  experiment_disagrees(
      report,
      "The paper pushes a ball with the friction limit itself, mu m g, and says that it "
      "slides. Coulomb's law holds that load: here the body does not move under it (last "
      "row). The triangle is drawn with a load of %g times the limit, by a body that cannot "
      "turn, because a ball that may turn would roll.",
      overload);
  experiment_note(report, "The paper plots paths and gives no numbers.");
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
    .work = &experiment_work_renouf,
    .summary =
        "A body pushed around on a plane draws an equilateral triangle under Coulomb's cone, "
        "and something else under polygons of 4, 6, 8, 12 and 16 corners.",
    .scene = "cone_weakness",
    .run = run,
};
