// two_spheres.c - a ball on two larger ones, which it leaves one after the other (Chakraborty et al.
// 2007, example 3, figures 5 to 8).
//
// Made twice: by the stepper implicit-geometry, whose rounds find contacts at the end of the step, and
// by the paper's own form, one complementarity problem of 28 unknowns per step (implicit_ncp.c). Both
// are fixed points of the same equations, so that positions, forces and times must agree to what the
// solves leave. All balls are ellipsoids with equal axes, as in the paper.
#include "experiments/experiment.h"
#include "experiments/implicit_ncp.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <string.h>

static const double step = 0.01; // [s]
enum { STEPS = 400, BODIES = 3 };
static const double SLIDES = 1e-3; // [m/s] slip from which a contact counts as sliding

// One step of either form: of both contacts.
typedef struct Moment {
  rgVec3 position, velocity;
  double normal[2], slip[2], gap[2];
  double friction[2]; // in the norm of the friction ellipsoid, torsion included
} Moment;

typedef struct Path {
  Moment moments[STEPS];
  int not_met;
} Path;

static const Ncp START = {.radius = 1,
                          .mass = 1,
                          .inertia = 0.4,
                          .mu = 0.2,
                          .e_t = 1,
                          .e_o = 1,
                          .e_r = 0.3,
                          .force = {1, 2.6, -9.81},
                          .h = 0.01,
                          .center = {{0, 0, 0}, {0, 11.4, 0}},
                          .radii = {10, 9},
                          .position = {0, 6.62105263157895, 8.78417110772903}};

static bool run_ncp(ExperimentReport* report, Path* path) {
  Ncp ncp = START;
  ncp_begin(&ncp);
  for (int i = 0; i < STEPS; ++i) {
    rgMcpReport solve;
    if (!ncp_step(&ncp, &solve)) {
      experiment_fail(report, "the complementarity problem of step %d was not solved (residual %g)",
                      i + 1, solve.residual);
      return false;
    }
    Moment* moment = &path->moments[i];
    moment->position = ncp.position;
    moment->velocity = ncp.velocity.linear;
    memcpy(moment->normal, ncp.normal, sizeof ncp.normal);
    memcpy(moment->friction, ncp.friction, sizeof ncp.friction);
    memcpy(moment->slip, ncp.slip, sizeof ncp.slip);
    memcpy(moment->gap, ncp.gap, sizeof ncp.gap);
  }
  return true;
}

// What the contacts of the ball have come to; those that are far have nothing.
static void read_contacts(const rgWorld* world, const rgBodyId* fixed, rgBodyId ball,
                          Moment* moment) {
  rgTwist v = rg_body_velocity(world, ball);
  moment->position = rg_body_center(world, ball);
  moment->velocity = v.linear;
  for (int k = 0; k < 2; ++k) {
    rgVec3 between = rg_vec3_sub(moment->position, START.center[k]);
    double distance = rg_vec3_norm(between);
    rgVec3 n = rg_vec3_scale(between, 1 / distance), arm = rg_vec3_scale(n, -START.radius);
    rgVec3 u = rg_vec3_add(v.linear, rg_vec3_cross(v.angular, arm));
    moment->slip[k] = rg_vec3_norm(rg_vec3_axpy(u, -rg_vec3_dot(u, n), n));
    moment->gap[k] = distance - START.radius - START.radii[k];
  }
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    if (rg_world_contact(world, i, &contact) != RG_OK)
      continue;
    for (int k = 0; k < 2; ++k) {
      bool here = contact.body_a.index == fixed[k].index || contact.body_b.index == fixed[k].index;
      double push = rg_vec3_dot(contact.impulse, contact.normal);
      if (!here)
        continue;
      moment->normal[k] = push;
      double across = rg_vec3_norm(rg_vec3_axpy(contact.impulse, -push, contact.normal));
      moment->friction[k] = hypot(across, contact.torsion / START.e_r);
    }
  }
}

static bool run_rounds(ExperimentReport* report, rgScene* scene, Path* path) {
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return false;
  const rgBodyId fixed[2] = {rg_world_find_body(world, "ten"), rg_world_find_body(world, "nine")};
  rgBodyId ball = rg_world_find_body(world, "ball");
  bool going = true;
  for (int i = 0; i < STEPS && going; ++i) {
    rgCertificate certificate;
    going = experiment_good(report, world, rg_world_step(world, &certificate));
    path->not_met += going && !certificate.met;
    if (going)
      read_contacts(world, fixed, ball, &path->moments[i]);
  }
  rg_world_destroy(world);
  return going;
}

// [s] end of the last step in which the contact pushes.
static double last_push(const Path* path, int contact) {
  int last = 0;
  for (int i = 0; i < STEPS; ++i)
    if (path->moments[i].normal[contact] > 1e-9)
      last = i + 1;
  return last * step;
}

// [s] end of the first step with slip.
static double first_slip(const Path* path, int contact) {
  for (int i = 0; i < STEPS; ++i)
    if (path->moments[i].slip[contact] > SLIDES)
      return (i + 1) * step;
  return (double)NAN;
}

// Largest difference of the friction of a sliding contact from mu times its normal force, as a part of
// the weight.
static double off_cone(const Path* path, int contact) {
  double worst = 0;
  for (int i = 0; i < STEPS; ++i) {
    const Moment* moment = &path->moments[i];
    if (moment->normal[contact] > 0 && moment->slip[contact] > SLIDES) {
      double off = moment->friction[contact] - START.mu * moment->normal[contact];
      worst = fmax(worst, fabs(off) / (9.81 * step));
    }
  }
  return worst;
}

// The largest change of acceleration from step to step over the largest acceleration, after the first.
static double roughness(const Path* path) {
  double change = 0, largest = 0;
  rgVec3 last = rg_vec3_zero();
  for (int i = 1; i < STEPS; ++i) {
    rgVec3 a = rg_vec3_scale(rg_vec3_sub(path->moments[i].velocity, path->moments[i - 1].velocity),
                             1 / step);
    if (i > 1)
      change = fmax(change, rg_vec3_norm(rg_vec3_sub(a, last)));
    largest = fmax(largest, rg_vec3_norm(a));
    last = a;
  }
  return change / largest;
}

static void add_plots(ExperimentReport* report, const Path* path) {
  CliPlot* plot = experiment_plot(report, "Velocity of the ball", "Figure 6 of the paper.");
  CliPanel* panel = cli_plot_panel(plot, "", "time [s]", "velocity [m/s]", 0);
  static const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    CliSeries* series = cli_panel_series(panel, axes[k], CLI_MARK_LINE, k);
    for (int i = 0; i < STEPS; ++i) {
      rgVec3 v = path->moments[i].velocity;
      cli_series_point(series, (i + 1) * step, k == 0 ? v.x : k == 1 ? v.y : v.z);
    }
  }
  plot = experiment_plot(report, "Forces and slip", "Figures 7 and 8 of the paper.");
  for (int k = 0; k < 2; ++k) {
    panel = cli_plot_panel(plot, k == 0 ? "contact 1" : "contact 2", "time [s]", "[N], [m/s]", 0);
    CliSeries* normal = cli_panel_series(panel, "mu x normal force [N]", CLI_MARK_LINE, 0);
    CliSeries* friction = cli_panel_series(panel, "friction [N]", CLI_MARK_DASHED, 1);
    CliSeries* slip = cli_panel_series(panel, "slip [m/s]", CLI_MARK_LINE, 2);
    for (int i = 0; i < STEPS; ++i) {
      const Moment* moment = &path->moments[i];
      if (!(moment->normal[k] > 0))
        break;
      cli_series_point(normal, (i + 1) * step, START.mu * moment->normal[k] / step);
      cli_series_point(friction, (i + 1) * step, moment->friction[k] / step);
      cli_series_point(slip, (i + 1) * step, moment->slip[k]);
    }
  }
  cli_plot_share_legend(plot);
}

static void add_parameters(ExperimentReport* report) {
  experiment_given(report, "balls", "radius 1 m, mass 1 kg, on fixed ones of 10 m and 9 m");
  experiment_given(report, "force", "(1, 2.6, -9.81) N");
  experiment_given(report, "friction", "mu 0.2, e_t = e_o = 1, e_r = 0.3 m");
  experiment_given(report, "step", "0.01 s");
  experiment_chosen(report, "moment of inertia", "0.4 kg m2, of a homogeneous ball");
  experiment_chosen(report, "tolerance", "1e-10; the paper has 1e-6");
}

static void compare(ExperimentReport* report, const Path* rounds, const Path* ncp) {
  double apart = 0, gap = 0;
  for (int i = 0; i < STEPS; ++i) {
    const Moment *a = &rounds->moments[i], *b = &ncp->moments[i];
    apart = fmax(apart, rg_vec3_norm(rg_vec3_sub(a->position, b->position)));
    for (int k = 0; k < 2; ++k)
      gap = a->normal[k] > 0 ? fmax(gap, fabs(a->gap[k])) : gap;
  }
  experiment_source(report, "section V.C, read off figures 7 and 8");
  experiment_near(report, "contact 1: last force", "s", 3.2, last_push(rounds, 0), 0.05);
  experiment_near(report, "contact 2: begins to slide", "s", 3, first_slip(rounds, 1), 0.05);
  experiment_near(report, "contact 2: last force", "s", 3.6, last_push(rounds, 1), 0.1);
  experiment_source(report, "section V.C: friction is mu times the normal force while sliding");
  for (int k = 0; k < 2; ++k)
    experiment_at_most(report,
                       k == 0 ? "contact 1: friction off the cone while it slides"
                              : "contact 2: friction off the cone while it slides",
                       "of the weight", off_cone(rounds, k), 1e-6);
  experiment_source(report, "section V.C: contact 1 slides from the start");
  experiment_near(report, "contact 1: begins to slide", "s", step, first_slip(rounds, 0), 1e-9);
  experiment_source(report,
                    "section V.C: \"smooth velocity profile\"; half of what one step of the "
                    "weight alone would make");
  experiment_at_most(report, "largest change of acceleration in a step", "of the acceleration",
                     roughness(rounds), 0.5);
  experiment_source(report, "section V.C");
  experiment_near(report, "unknowns of the paper's problem", "", 28, NCP_UNKNOWNS, 0);
  experiment_source(report,
                    "derived: both forms solve the same equations; a residual of 1e-13 leaves "
                    "1e-13 / (mu p_n) of slip, 2e-9 m/s where contact 1 ends, for 4 s");
  experiment_at_most(report, "largest distance of the two paths", "m", apart, 1e-8);
  experiment_near(report, "contact 1: last force, by the paper's form", "s", last_push(rounds, 0),
                  last_push(ncp, 0), 1e-9);
  experiment_near(report, "contact 2: last force, by the paper's form", "s", last_push(rounds, 1),
                  last_push(ncp, 1), 1e-9);
  experiment_source(report, "derived: h times the velocity that the tolerance allows");
  experiment_at_most(report, "largest gap of a contact that pushes", "m", gap, 1e-11);
  experiment_at_most(report, "steps that were not met", "", rounds->not_met, 0);
}

static void run(ExperimentReport* report) {
  static Path rounds, ncp; // of one run of the command
  rounds = ncp = (Path){0};
  rgScene* scene = experiment_scene(report, &experiment_two_spheres);
  add_parameters(report);
  bool made = scene && experiment_goes_on(report, 0, "in rounds") &&
              run_rounds(report, scene, &rounds) &&
              experiment_goes_on(report, 0.3, "as one problem") && run_ncp(report, &ncp);
  rg_scene_free(scene);
  if (!made)
    return;
  compare(report, &rounds, &ncp);
  add_plots(report, &rounds);
  experiment_note(
      report,
      "The paper gives times with \"approximately\" and reads them off figures; its solver "
      "stops at 1e-6. Of the times here, the last forces differ from a solution of the same "
      "equations by another method by less than a step.");
}

const Experiment experiment_two_spheres = {
    .name = "two-spheres",
    .paper = "Chakraborty et al. 2007, example 3, figures 5 to 8",
    .work = &experiment_work_chakraborty,
    .summary =
        "A ball rolls on one and slides on another larger ball, and leaves both: contact at the "
        "end of each step, in rounds and as the paper's one problem.",
    .scene = "two_spheres",
    .run = run,
};
