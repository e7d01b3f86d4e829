// stiff_spring.c - a spring far stiffer than the step resolves (Cline 2002 eq. 2.52-2.55).
//
// A mass hangs on a spring of stiffness k with (w h)^2 = 1e6, w = sqrt(k / m). An explicit step
// multiplies errors by about (w h)^2; the linearly implicit one, theta = 1, damps what it cannot
// resolve and goes to the equilibrium m g / k. On a soft spring both converge to the analytic
// motion as the step goes to zero: of first order at theta = 1, of second at theta = 1/2.
//
// The same with the paper's own stepper, anitescu-potra, and with the spring as a function that the
// library knows nothing about: its gradients are found by differences, as the paper's are (section
// 2.7.4, last paragraph). There the body takes the stretch of each step from
//
//     (m + h^2 k) v+ = m v + h (m g - k s),      s+ = s + h v+,
//
// which is iterated apart (eq. 2.52 with one unknown).
//
// And with a function of the state of three bodies: a chain of them, whose gradient couples neighbours, and
// a bending stiffness, whose force depends on all three at once. The chain is iterated apart as well; of the
// bend of a free chain, which has no stiffness against being drawn out, the rate of drawing out stays.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/rigor.h>
#include <rigor/vec_math.h>

// As in the scene, scenes/experiments/stiff_spring.json, which has both springs side by side.
static const double mass = 1, gravity = 9.81, step = 0.01; // [kg], [m/s2], [s]
static const double stiff = 1e10;                          // [N/m] (w h)^2 = 1e6
static const double soft = 100;                            // [N/m] w = 10 / s

// A world with one of the two.
static rgWorld* make_world(rgScene* scene, bool is_stiff, double h, double theta, bool implicit,
                           ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  options->step = h;
  options->theta = theta;
  options->implicit_forces = implicit;
  snprintf(options->stepper, sizeof options->stepper, "theta");
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return NULL;
  rgBodyId other = rg_world_find_body(world, is_stiff ? "soft" : "stiff");
  if (experiment_good(report, world, rg_world_remove_body(world, other)))
    return world;
  rg_world_destroy(world);
  return NULL;
}

// Stretch of the spring [m] after each step; the last one is returned.
static double stretch_of(rgScene* scene, bool is_stiff, double h, double theta, bool implicit,
                         int steps, CliSeries* series, ExperimentReport* report) {
  rgWorld* world = make_world(scene, is_stiff, h, theta, implicit, report);
  if (!world)
    return (double)NAN;
  rgBodyId body = rg_world_body(world, 0);
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
static double soft_error(rgScene* scene, double h, double theta, ExperimentReport* report) {
  double w = sqrt(soft / mass), exact = mass * gravity / soft * (1 - cos(w));
  return fabs(stretch_of(scene, false, h, theta, true, (int)(1 / h + 0.5), NULL, report) - exact);
}

// --- gradients by differences ------------------------------------------------------------------

// The stiff spring as a function: unstretched at z = -1.
static rgWrench pull(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time;
  (void)velocity;
  (void)context;
  return (rgWrench){.force = {0, 0, stiff * (-1 - pose.position.z)}};
}

// A world in which the function holds the body in place of the scene's spring.
static rgWorld* make_called(rgScene* scene, ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  snprintf(options->stepper, sizeof options->stepper, "anitescu-potra");
  options->step = step;
  options->implicit_forces = true;
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return NULL;
  rgForceId ids[2];
  int count = rg_world_forces(world, ids, 2);
  bool good = count == 2;
  for (int i = 0; i < count && good; ++i)
    good = experiment_good(report, world, rg_world_remove_force(world, ids[i]));
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_CALLBACK;
  def.body = rg_world_find_body(world, "stiff");
  def.callback = pull;
  def.stiff = true;
  if (good && experiment_good(report, world, rg_world_add_force(world, &def, &ids[0])))
    return world;
  rg_world_destroy(world);
  return NULL;
}

static void report_called(rgScene* scene, ExperimentReport* report) {
  enum { STEPS = 20 };
  rgWorld* world = make_called(scene, report);
  if (!world)
    return;
  rgBodyId body = rg_world_find_body(world, "stiff");
  double rest = mass * gravity / stiff, s = 0, v = 0, worst = 0;
  for (int i = 0; i < STEPS; ++i) {
    if (!experiment_good(report, world, rg_world_step(world, NULL)))
      break;
    v = (mass * v + step * (mass * gravity - stiff * s)) / (mass + step * step * stiff);
    s += step * v;
    worst = fmax(worst, fabs(-1 - rg_body_center(world, body).z - s) / rest);
  }
  double end = -1 - rg_body_center(world, body).z;
  rg_world_destroy(world);
  experiment_source(report, "derived: equilibrium m g / k; positions of 1 m are rounded to 1e-7 of "
                            "the stretch");
  experiment_near(report, "gradients by differences, anitescu-potra: stretch over equilibrium", "",
                  1, end / rest, 1e-3);
  experiment_source(report, "eq. 2.52 of one unknown, iterated apart; differences lose a third of "
                            "the digits");
  experiment_at_most(report,
                     "gradients by differences, anitescu-potra: largest difference of a "
                     "step from eq. 2.52",
                     "of the equilibrium", worst, 1e-4);
}

// --- several bodies ----------------------------------------------------------------------------

enum { SEVERAL = 3 };
static const double apart = 0.3; // [m]

// Each holds the next one, and the first hangs on the origin.
static void pull_chain(double time, int count, const rgPose* poses, const rgTwist* velocities,
                       rgWrench* wrenches, void* context) {
  (void)time;
  (void)velocities;
  (void)context;
  for (int i = 0; i < count; ++i) {
    rgVec3 upper = i > 0 ? poses[i - 1].position : rg_vec3_zero();
    rgVec3 stretch = rg_vec3_sub(rg_vec3_sub(poses[i].position, upper), rg_vec3(0, 0, -apart));
    wrenches[i].force = rg_vec3_sub(wrenches[i].force, rg_vec3_scale(stretch, stiff));
    if (i > 0)
      wrenches[i - 1].force = rg_vec3_add(wrenches[i - 1].force, rg_vec3_scale(stretch, stiff));
  }
}

// Straightens three: energy 1/2 k |x0 - 2 x1 + x2|^2.
static void straighten(double time, int count, const rgPose* poses, const rgTwist* velocities,
                       rgWrench* wrenches, void* context) {
  (void)time;
  (void)count;
  (void)velocities;
  (void)context;
  rgVec3 ends = rg_vec3_add(poses[0].position, poses[2].position);
  rgVec3 bend = rg_vec3_sub(ends, rg_vec3_scale(poses[1].position, 2));
  wrenches[0].force = wrenches[2].force = rg_vec3_scale(bend, -stiff);
  wrenches[1].force = rg_vec3_scale(bend, 2 * stiff);
}

// A world with three bodies and one force on all of them; `bend` [m] out of the line.
static rgWorld* make_several(rgScene* scene, rgForceSystem* system, double bend, rgBodyId* bodies,
                             ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  rgVec3 weight = options->gravity;
  snprintf(options->stepper, sizeof options->stepper, "anitescu-potra");
  options->step = step;
  options->implicit_forces = true;
  if (bend != 0)
    options->gravity = rg_vec3_zero();
  rgWorld* world = experiment_world(report, scene);
  options->gravity = weight;
  if (!world)
    return NULL;
  bool good = experiment_good(report, world,
                              rg_world_remove_body(world, rg_world_find_body(world, "stiff"))) &&
              experiment_good(report, world,
                              rg_world_remove_body(world, rg_world_find_body(world, "soft")));
  for (int i = 0; i < SEVERAL && good; ++i) {
    rgBodyDef def = rg_body_def();
    rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
    shape.radius = 0.1;
    def.mass = mass;
    def.pose.position = rg_vec3(i == 1 ? bend : 0, 0, -apart * (i + 1));
    good = experiment_good(report, world, rg_world_add_body(world, &def, &shape, 1, &bodies[i]));
  }
  rgForceDef force = rg_force_def();
  rgForceId id;
  force.kind = RG_FORCE_CALLBACK;
  force.system = system;
  force.bodies = bodies;
  force.body_count = SEVERAL;
  force.stiff = true;
  if (good && experiment_good(report, world, rg_world_add_force(world, &force, &id)))
    return world;
  rg_world_destroy(world);
  return NULL;
}

// One step of eq. 2.52 for the chain: stretches s of the bodies against their rest, velocities v.
static void step_chain(double* s, double* v) {
  double a[SEVERAL], b[SEVERAL], off = -step * step * stiff;
  for (int i = 0; i < SEVERAL; ++i) {
    bool last = i == SEVERAL - 1;
    double pull = stiff * ((i > 0 ? s[i - 1] : 0) - s[i]) + (last ? 0 : stiff * (s[i + 1] - s[i]));
    a[i] = mass + step * step * stiff * (last ? 1 : 2);
    b[i] = mass * v[i] + step * (mass * gravity + pull);
  }
  for (int i = 1; i < SEVERAL; ++i) {
    b[i] -= off / a[i - 1] * b[i - 1];
    a[i] -= off / a[i - 1] * off;
  }
  for (int i = SEVERAL - 1; i >= 0; --i) {
    v[i] = (b[i] - (i < SEVERAL - 1 ? off * v[i + 1] : 0)) / a[i];
    s[i] += step * v[i];
  }
}

static void report_chain(rgScene* scene, ExperimentReport* report) {
  enum { STEPS = 20 };
  rgBodyId bodies[SEVERAL];
  rgWorld* world = make_several(scene, pull_chain, 0, bodies, report);
  if (!world)
    return;
  double s[SEVERAL] = {0}, v[SEVERAL] = {0}, worst = 0, end = (double)NAN;
  double rest = (3 + 2 + 1) * mass * gravity / stiff; // of the lowest
  for (int i = 0; i < STEPS; ++i) {
    if (!experiment_good(report, world, rg_world_step(world, NULL)))
      break;
    step_chain(s, v);
    for (int k = 0; k < SEVERAL; ++k) {
      end = -apart * (k + 1) - rg_body_center(world, bodies[k]).z;
      worst = fmax(worst, fabs(end - s[k]) / rest);
    }
  }
  rg_world_destroy(world);
  experiment_source(report, "derived: equilibrium of a chain of three, 6 m g / k");
  experiment_near(report,
                  "force on three bodies, anitescu-potra: stretch of the lowest over equilibrium",
                  "", 1, end / rest, 1e-3);
  experiment_source(report,
                    "eq. 2.52 of three unknowns, iterated apart; differences lose a third of "
                    "the digits");
  experiment_at_most(report, "force on three bodies: largest difference of a step from eq. 2.52",
                     "of the equilibrium", worst, 1e-4);
}

static void report_bend(rgScene* scene, ExperimentReport* report) {
  enum { STEPS = 20 };
  const double bend = 0.01, drawn = 0.2; // [m], [m/s]
  rgBodyId bodies[SEVERAL];
  rgWorld* world = make_several(scene, straighten, bend, bodies, report);
  if (!world)
    return;
  bool good = true;
  for (int i = 0; i < SEVERAL && good; i += 2) {
    rgTwist away = {{0, 0, i == 0 ? drawn : -drawn}, {0, 0, 0}};
    good = experiment_good(report, world, rg_body_set_velocity(world, bodies[i], away));
  }
  for (int i = 0; i < STEPS && good; ++i)
    good = experiment_good(report, world, rg_world_step(world, NULL));
  rgVec3 x[SEVERAL];
  for (int i = 0; i < SEVERAL; ++i)
    x[i] = rg_body_center(world, bodies[i]);
  double left = rg_vec3_norm(rg_vec3_sub(rg_vec3_add(x[0], x[2]), rg_vec3_scale(x[1], 2)));
  double rate = rg_body_velocity(world, bodies[0]).linear.z;
  rg_world_destroy(world);
  if (!good)
    return;
  experiment_source(report,
                    "derived: a stiff bend goes to zero; explicit steps multiply it by 1e6 each");
  experiment_at_most(report, "bending stiffness of three bodies: bend left after 20 steps",
                     "of the start's", left / (2 * bend), 1e-3);
  experiment_source(report, "derived: a bending stiffness does not resist being drawn out");
  experiment_near(report, "bending stiffness of three bodies: rate of drawing out", "m/s", drawn,
                  rate, 1e-6);
}

static void report_parameters(ExperimentReport* report) {
  experiment_given(report, "step", "linearly implicit, eq. 2.52 to 2.55; theta = 1 here");
  experiment_given(report, "gradients", "by differences; analytic ones for springs are ours");
  experiment_chosen(report, "mass, g, h", "%g kg, %g m/s2, %g s", mass, gravity, step);
  experiment_chosen(report, "stiff spring", "%g N/m: (w h)^2 = %g", stiff,
                    stiff / mass * step * step);
  experiment_chosen(report, "soft spring", "%g N/m", soft);
  experiment_chosen(report, "three bodies", "in a line %g m apart, of the stiff spring's stiffness",
                    apart);
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot = experiment_plot(
      report, "A spring stiffer than the step resolves",
      "Stretch of a hanging spring, and the error on a soft spring against the step.");
  CliPanel* wild = cli_plot_panel(plot, "(w h)^2 = 1e6", "time [s]", "stretch [m]", CLI_AXES_LOG_Y);
  CliPanel* fine = cli_plot_panel(plot, "w = 10 / s, after 1 s", "step [s]", "error [m]",
                                  CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  double rest = mass * gravity / stiff;
  double explicit_end = stretch_of(scene, true, step, 1, false, 20,
                                   cli_panel_series(wild, "explicit", CLI_MARK_POINTS, 0), report);
  double implicit_end =
      stretch_of(scene, true, step, 1, true, 20,
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
      errors[half][i] = soft_error(scene, h, half ? 0.5 : 1, report);
      cli_series_point(series[half], h, errors[half][i]);
    }
  experiment_source(report, "derived: an explicit step multiplies errors by (w h)^2 - 2, 1e6 here; "
                            "two such steps");
  experiment_at_least(report, "explicit: stretch over equilibrium", "", fabs(explicit_end) / rest,
                      1e12);
  experiment_source(report, "derived: equilibrium m g / k");
  experiment_near(report, "implicit: stretch over equilibrium", "", 1, implicit_end / rest, 1e-3);
  experiment_source(report, "derived: (m g / k) (1 - cos w t), order 1 at theta = 1");
  experiment_near(report, "theta = 1: error with h over that with h / 2", "", 2,
                  errors[0][2] / errors[0][3], 0.2);
  experiment_source(report, "derived: (m g / k) (1 - cos w t), order 2 at theta = 1/2");
  experiment_near(report, "theta = 1/2: error with h over that with h / 2", "", 4,
                  errors[1][2] / errors[1][3], 0.4);
  report_called(scene, report);
  report_chain(scene, report);
  report_bend(scene, report);
  report_parameters(report);
  experiment_note(report, "The paper derives the linearly implicit step and reports no numbers for "
                          "it: published values here are those of the analytic solution.");
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_stiff_spring);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_stiff_spring = {
    .name = "stiff-spring",
    .paper = "Cline 2002, eq. 2.52 to 2.55",
    .work = &experiment_work_cline,
    .summary = "A spring a million times stiffer than the step resolves: explicit forces blow up, "
               "linearly implicit ones go to equilibrium; soft springs converge.",
    .scene = "stiff_spring",
    .run = run,
};
