// tradeoffs.c - error against CPU time for ways to describe bodies, friction and contact: the study that
// Chakraborty et al. 2007 name as future work (section VI).
//
// Two motions. A ball is thrown along the floor, slips and rolls: with the speed v0 it slips until
// t1 = 2 v0 / (7 mu g), decelerating by mu g, and rolls on with 5/7 of its speed. Its surface is a sphere, an
// ellipsoid, a superellipsoid, or a polytope of more and more corners; the cone of friction is exact or a
// polygon inside it of more and more sides. An ellipsoid rolls on an ellipsoid (ellipsoids.c): contact
// frozen at the start of the step, at its end, or at the mean of both, which at theta = 1/2 is of second
// order.
//
// What the rows say is independent of the machine: which errors fall with the step and how fast, and which
// stay because geometry or the cone has them. Times are shown, not judged.
#include "experiments/experiment.h"
#include "experiments/tessellation.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <string.h>
#include <time.h>

static const double gravity = 9.81;                  // [m/s2]
static const double radius = 0.1, mu = 0.2;          // [m] [-]
static const double speed = 2, heading = 0.3;        // [m/s] [rad] between facets
static const double throw_time = 1, roll_time = 0.8; // [s]
static const double first_step = 0.02;               // [s]
enum { STEPS = 6, REPEATS = 3 };

// A way to simulate: what is varied.
typedef struct Way {
  const char *label, *stepper;
  double theta;
  rgShapeKind kind; // of the ball
  int corners;      // > 0: a polytope
  int sides;        // > 0: a polygon inside the cone
  bool rolls;       // the ellipsoid on an ellipsoid
} Way;

typedef struct Curve {
  double error[STEPS], cpu[STEPS]; // [m] [s] per simulated second
} Curve;

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool add_thrown(ExperimentReport* report, rgWorld* world, const Way* way) {
  static rgVec3 points[TESSELLATION_MAX]; // of one world at a time
  rgBodyDef floor = rg_body_def(), ball = rg_body_def();
  rgShapeDef plane = rg_shape_def(RG_SHAPE_HALFSPACE), shape = rg_shape_def(way->kind);
  rgBodyId id;
  floor.kind = RG_BODY_STATIC;
  ball.name = "body";
  ball.pose.position = rg_vec3(0, 0, radius);
  ball.velocity.linear = rg_vec3(speed * cos(heading), speed * sin(heading), 0);
  shape.radius = radius;
  shape.half = rg_vec3(radius, radius, radius);
  shape.parameters[0] = shape.parameters[1] = 2;
  rgStatus status = rg_world_add_body(world, &floor, &plane, 1, &id);
  if (status == RG_OK)
    status = rg_world_add_body(world, &ball, &shape, 1, &id);
  if (status == RG_OK && way->corners > 0)
    status = tessellate_body(world, "body", way->corners, radius, points);
  return experiment_good(report, world, status);
}

static bool add_rolling(ExperimentReport* report, rgWorld* world) {
  const rgVec3 half = rg_vec3(1, 1.3, 0.8), turn = rg_vec3(0.9, 0.6, 0.3);
  rgBodyDef ground = rg_body_def(), body = rg_body_def();
  rgShapeDef large = rg_shape_def(RG_SHAPE_ELLIPSOID), small = large;
  rgBodyId id;
  large.half = rg_vec3_scale(half, 3);
  small.half = half;
  ground.kind = RG_BODY_STATIC;
  body.name = "body";
  body.pose.position = rg_vec3(0, 0, 4 * half.z);
  body.velocity = (rgTwist){rg_vec3_cross(turn, rg_vec3(0, 0, half.z)), turn};
  rgStatus status = rg_world_add_body(world, &ground, &large, 1, &id);
  if (status == RG_OK)
    status = rg_world_add_body(world, &body, &small, 1, &id);
  return experiment_good(report, world, status);
}

static rgWorld* make_world(ExperimentReport* report, const Way* way, double h) {
  rgWorldDef def = rg_world_def();
  def.options.step = h;
  def.options.theta = way->theta;
  def.options.tolerance = 1e-9;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", way->stepper);
  if (way->sides > 0) {
    snprintf(def.options.cone, sizeof def.options.cone, "inner");
    def.options.facets = way->sides;
  }
  rgWorld* world = experiment_empty_world(report, def, way->rolls ? 0.8 : mu);
  bool made = world && (way->rolls ? add_rolling(report, world) : add_thrown(report, world, way));
  if (world && !made) {
    rg_world_destroy(world);
    return NULL;
  }
  return world;
}

// Where the body is in the end, and the CPU time of its steps per simulated second.
static bool simulate(ExperimentReport* report, const Way* way, double h, rgVec3* end, double* cpu) {
  double duration = way->rolls ? roll_time : throw_time;
  int steps = (int)(duration / h + 0.5);
  *cpu = HUGE_VAL;
  for (int i = 0; i < REPEATS; ++i) { // what else the machine did made the others slower
    rgWorld* world = make_world(report, way, h);
    bool going = world != NULL;
    double start = cpu_time();
    for (int k = 0; k < steps && going; ++k)
      going = experiment_good(report, world, rg_world_step(world, NULL));
    *cpu = fmin(*cpu, (cpu_time() - start) / duration);
    if (going)
      *end = rg_body_center(world, rg_world_find_body(world, "body"));
    rg_world_destroy(world);
    if (!going)
      return false;
  }
  return true;
}

// The closed form of the throw.
static rgVec3 thrown_end(void) {
  double a = mu * gravity, t1 = 2 * speed / (7 * a);
  double way = speed * t1 - 0.5 * a * t1 * t1 + 5.0 / 7 * speed * (throw_time - t1);
  return rg_vec3(way * cos(heading), way * sin(heading), radius);
}

static bool measure(ExperimentReport* report, const Way* way, rgVec3 exact, CliSeries* series,
                    Curve* out) {
  double h = first_step;
  for (int i = 0; i < STEPS; ++i, h /= 2) {
    rgVec3 end;
    if (!simulate(report, way, h, &end, &out->cpu[i]))
      return false;
    out->error[i] = rg_vec3_norm(rg_vec3_sub(end, exact));
    cli_series_point(series, out->cpu[i], out->error[i]);
  }
  return true;
}

// --- the ways ----------------------------------------------------------------------------------

enum {
  SPHERE,
  ELLIPSOID,
  SUPERELLIPSOID,
  POLYTOPE,
  POLYTOPES = 3,
  SURFACES = POLYTOPE + POLYTOPES,
  CONE = SURFACES,
  CONES = 3,
  FROZEN = CONE + CONES,
  AT_END,
  AT_MEAN,
  WAYS
};

// clang-format off
static const Way ways[WAYS] = {
    [SPHERE] = {"sphere", "theta", 1, .kind = RG_SHAPE_SPHERE},
    [ELLIPSOID] = {"ellipsoid", "theta", 1, .kind = RG_SHAPE_ELLIPSOID},
    [SUPERELLIPSOID] = {"superellipsoid", "theta", 1, .kind = RG_SHAPE_SUPERELLIPSOID},
    [POLYTOPE] = {"32 corners", "theta", 1, .kind = RG_SHAPE_SPHERE, .corners = 32},
    [POLYTOPE + 1] = {"128 corners", "theta", 1, .kind = RG_SHAPE_SPHERE, .corners = 128},
    [POLYTOPE + 2] = {"512 corners", "theta", 1, .kind = RG_SHAPE_SPHERE, .corners = 512},
    [CONE] = {"4 sides", "theta", 1, .kind = RG_SHAPE_SPHERE, .sides = 4},
    [CONE + 1] = {"8 sides", "theta", 1, .kind = RG_SHAPE_SPHERE, .sides = 8},
    [CONE + 2] = {"16 sides", "theta", 1, .kind = RG_SHAPE_SPHERE, .sides = 16},
    [FROZEN] = {"at the start of the step", "theta", 1, .rolls = true},
    [AT_END] = {"at its end", "implicit-geometry", 1, .rolls = true},
    [AT_MEAN] = {"at the mean, theta 1/2", "theta", 0.5, .rolls = true},
};
// clang-format on

// The mean order of the error over all steps.
static double order(const Curve* curve) {
  return log2(curve->error[0] / curve->error[STEPS - 1]) / (STEPS - 1);
}

static void judge_surfaces(ExperimentReport* report, const Curve* curves) {
  const double smooth = curves[SPHERE].error[STEPS - 1];
  experiment_source(report, "derived: the end of the slip is known to a step");
  experiment_near(report, "ball, sphere: order of the error in the step", "", 1,
                  order(&curves[SPHERE]), 0.25);
  experiment_source(report,
                    "derived: one body in three descriptions; tolerance of the solves, 1 s");
  for (int i = ELLIPSOID; i <= SUPERELLIPSOID; ++i) {
    double apart = 0;
    for (int k = 0; k < STEPS; ++k)
      apart = fmax(apart, fabs(curves[i].error[k] - curves[SPHERE].error[k]));
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "ball, %s: error beside that of the sphere", ways[i].label);
    experiment_at_most(report, text, "m", apart, 1e-7);
  }
  experiment_source(report, "section I: corners strike the floor, whatever the step");
  for (int i = 0; i < POLYTOPES; ++i) {
    const Curve* curve = &curves[POLYTOPE + i];
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "ball, %s: error at the smallest step over that of the sphere",
             ways[POLYTOPE + i].label);
    experiment_at_least(report, text, "", curve->error[STEPS - 1] / smooth, 3);
  }
  experiment_source(report, "section I: more edges lose less");
  experiment_at_least(report, "ball, error of 32 over 512 corners at the smallest step", "",
                      curves[POLYTOPE].error[STEPS - 1] / curves[POLYTOPE + 2].error[STEPS - 1], 2);
}

static void judge_cones(ExperimentReport* report, const Curve* curves) {
  experiment_source(report,
                    "derived: a polygon's friction is off by up to pi / sides, and smaller by "
                    "up to cos(pi / sides), whatever the step");
  for (int i = 0; i < CONES; ++i) {
    const Curve *curve = &curves[CONE + i], *finer = i + 1 < CONES ? curve + 1 : &curves[SPHERE];
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "cone of %s: error at the smallest step over that of %s",
             ways[CONE + i].label, i + 1 < CONES ? ways[CONE + i + 1].label : "the exact cone");
    experiment_at_least(report, text, "", curve->error[STEPS - 1] / finer->error[STEPS - 1], 1.5);
  }
}

static void judge_geometry(ExperimentReport* report, const Curve* curves) {
  static const double orders[] = {1, 1, 2};
  experiment_source(report, "derived: schemes of first and of second order");
  for (int i = 0; i < 3; ++i) {
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "ellipsoid, contact %s: order of the error in the step",
             ways[FROZEN + i].label);
    experiment_near(report, text, "", orders[i], order(&curves[FROZEN + i]), 0.25);
  }
  experiment_source(report, "derived: the error of second order is the smallest at every step");
  double least = HUGE_VAL;
  for (int k = 0; k < STEPS; ++k)
    least = fmin(least,
                 fmin(curves[FROZEN].error[k], curves[AT_END].error[k]) / curves[AT_MEAN].error[k]);
  experiment_at_least(report, "ellipsoid, least error of the others over that at the mean", "",
                      least, 3);
}

static void show_costs(ExperimentReport* report, const Curve* curves) {
  for (int i = 0; i < WAYS; ++i) {
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "%s %s: CPU time per simulated second at h = %g s, error %.2g m",
             ways[i].rolls ? "ellipsoid, contact" : "ball,", ways[i].label,
             first_step / (1 << (STEPS - 1)), curves[i].error[STEPS - 1]);
    experiment_shown(report, text, "ms", (double)NAN, 1e3 * curves[i].cpu[STEPS - 1]);
  }
}

static void name_parameters(ExperimentReport* report) {
  experiment_chosen(report, "ball", "radius 0.1 m, 2 m/s at 0.3 rad from an axis, mu 0.2, 1 s");
  experiment_chosen(report, "ellipsoid",
                    "semi-axes 1, 1.3, 0.8 m on one three times as large, mu 0.8, 0.8 s");
  experiment_chosen(report, "steps", "20 ms to 0.625 ms, tolerance 1e-9");
}

static CliPanel* add_panel(CliPlot* plot, const char* title) {
  return cli_plot_panel(plot, title, "CPU time per simulated second [s]", "error [m]",
                        CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
}

static void run(ExperimentReport* report) {
  static Curve curves[WAYS]; // of one run of the command
  static const char* const titles[] = {"Surface of the ball", "Cone of friction",
                                       "Geometry of contact"};
  static const char* const captions[] = {
      "A ball that slips and rolls, against its closed form: steps from 20 ms (left) to 0.625 ms.",
      "The same ball; the polygons are inside the exact cone.",
      "An ellipsoid that rolls on an ellipsoid, against theta = 1/2 in steps of 0.1 ms."};
  const int first[] = {SPHERE, CONE, FROZEN, WAYS};
  rgVec3 reference;
  double cpu;
  name_parameters(report);
  if (!experiment_goes_on(report, 0, "reference") ||
      !simulate(report, &ways[AT_MEAN], 1e-4, &reference, &cpu))
    return;
  for (int p = 0; p < 3; ++p) {
    CliPlot* plot = experiment_plot(report, titles[p], captions[p]);
    CliPanel* panel = add_panel(plot, "");
    int colour = 0;
    for (int i = first[p]; i < first[p + 1]; ++i) {
      CliSeries* series = cli_panel_series(panel, ways[i].label, CLI_MARK_POINTS, colour++);
      if (!experiment_goes_on(report, 0.1 + 0.9 * i / WAYS, ways[i].label) ||
          !measure(report, &ways[i], ways[i].rolls ? reference : thrown_end(), series, &curves[i]))
        return;
    }
    if (p == 1) {
      CliSeries* series = cli_panel_series(panel, "exact", CLI_MARK_POINTS, colour);
      for (int k = 0; k < STEPS; ++k)
        cli_series_point(series, curves[SPHERE].cpu[k], curves[SPHERE].error[k]);
    }
  }
  judge_surfaces(report, curves);
  judge_cones(report, curves);
  judge_geometry(report, curves);
  show_costs(report, curves);
}

const Experiment experiment_tradeoffs = {
    .name = "tradeoffs",
    .paper = "Chakraborty et al. 2007, section VI: named there as future work",
    .work = &experiment_work_chakraborty,
    .summary =
        "Error against CPU time for smooth surfaces and polytopes, exact and polygonal cones, "
        "contact at the start, the mean and the end of the step.",
    .run = run,
};
