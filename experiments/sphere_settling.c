// sphere_settling.c - spheres settle in a box with friction (Renouf et al. 2005, section 8.3, table 1
// and figure 6).
//
// The paper lets 80, 160 and 320 spheres fall into a box, with steps of 0.02 and 0.04 s, and gives the
// number of contacts, the largest interpenetration and the ratio S_p of simulated to CPU time. It does
// not say how large spheres and box are, how they start, how much friction there is, nor how long
// it simulates; the phases of figure 6 b end at t = 15 and 35, which are taken for seconds.
#include "experiments/experiment.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double duration = 35;          // [s]
static const double radius = 0.1, mu = 0.3; // [m], []
static const double allowed_overlap = 1e-3; // [radii]
enum { SIDE = 5 };                          // spheres along a side of the box
enum { SWEEPS = 199 }; // at most, in a solve: the most that counts as interactive

typedef struct Sample {
  int spheres, contacts; // published
  double h, speed, overlap;
} Sample;

static const Sample samples[] = {{80, 271, 0.02, 1.24, 0.3},   {80, 267, 0.04, 2.28, 1.2},
                                 {160, 587, 0.02, 0.95, 0.5},  {160, 584, 0.04, 1.50, 1.8},
                                 {320, 1218, 0.02, 0.50, 0.6}, {320, 1275, 0.04, 0.75, 2.2}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static double cpu_time(void) { return (double)clock() / (double)CLOCKS_PER_SEC; }

static rgStatus add_walls(rgWorld* world, double half) {
  const double root = 0.70710678118654752440;
  // Half-spaces all z <= 0 of their frames: the floor, and four walls that look inwards.
  const rgPose poses[5] = {{{0, 0, 0}, {1, 0, 0, 0}},
                           {{-half, 0, 0}, {root, 0, root, 0}},
                           {{half, 0, 0}, {root, 0, -root, 0}},
                           {{0, -half, 0}, {root, -root, 0, 0}},
                           {{0, half, 0}, {root, root, 0, 0}}};
  rgStatus status = RG_OK;
  for (int i = 0; i < 5 && status == RG_OK; ++i) {
    rgBodyDef def = rg_body_def();
    rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
    rgBodyId id;
    def.kind = RG_BODY_STATIC;
    def.pose = poses[i];
    status = rg_world_add_body(world, &def, &shape, 1, &id);
  }
  return status;
}

// Spheres in layers, each a little off its place, so that none stands on another.
static rgStatus add_spheres(rgWorld* world, int count, double pitch) {
  uint64_t seed = 1;
  rgStatus status = RG_OK;
  for (int i = 0; i < count && status == RG_OK; ++i) {
    rgBodyDef def = rg_body_def();
    rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
    rgBodyId id;
    double off[3];
    for (int k = 0; k < 3; ++k)
      off[k] = 0.1 * radius * (2 * rg_random_unit(&seed) - 1);
    int layer = i / (SIDE * SIDE), place = i % (SIDE * SIDE);
    def.pose.position =
        rg_vec3(pitch * (place % SIDE - 0.5 * (SIDE - 1)) + off[0],
                pitch * (place / SIDE - 0.5 * (SIDE - 1)) + off[1], pitch * (layer + 1) + off[2]);
    shape.radius = radius;
    status = rg_world_add_body(world, &def, &shape, 1, &id);
  }
  return status;
}

static rgWorld* make_world(ExperimentReport* report, int count, double h) {
  rgWorldDef def = rg_world_def();
  const double pitch = 2.3 * radius;
  rg_options_preset("realtime", &def.options);
  def.options.step = h;
  def.options.iteration_limit = SWEEPS;
  def.options.projection_tolerance = 0.5 * allowed_overlap;
  rgWorld* world = experiment_empty_world(report, def, mu);
  if (!world)
    return NULL;
  rgStatus status = add_walls(world, 0.5 * SIDE * pitch);
  if (status == RG_OK)
    status = add_spheres(world, count, pitch);
  if (experiment_good(report, world, status))
    return world;
  rg_world_destroy(world);
  return NULL;
}

typedef struct Outcome {
  int contacts;   // at the end
  double overlap; // [radii] largest at any time
  double missed;  // part of the steps that are above the tolerance
  double speed;   // simulated over CPU time
  double settled; // [s] when the kinetic energy is last above a thousandth of its largest value
} Outcome;

// Contacts that touch, up to what the projection leaves.
static int count_touching(const rgWorld* world) {
  int count = 0;
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    count +=
        rg_world_contact(world, i, &contact) == RG_OK && contact.gap <= allowed_overlap * radius;
  }
  return count;
}

typedef struct Lines {
  CliSeries *contacts, *iterations;
} Lines;

static bool settle(ExperimentReport* report, rgWorld* world, double part, const Lines* lines,
                   Outcome* out) {
  double h = rg_world_options(world)->step, most = 0, cpu = 0;
  int steps = (int)(duration / h + 0.5);
  *out = (Outcome){0};
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    double start = cpu_time();
    if (!experiment_good(report, world, rg_world_step(world, &certificate)))
      return false;
    cpu += cpu_time() - start;
    double kinetic = rg_world_energy(world).kinetic;
    most = fmax(most, kinetic);
    if (kinetic > 1e-3 * most)
      out->settled = (i + 1) * h;
    out->overlap = fmax(out->overlap, certificate.penetration / radius);
    out->missed += !certificate.met ? 1.0 / steps : 0;
    cli_series_point(lines->contacts, (i + 1) * h, certificate.contacts);
    cli_series_point(lines->iterations, (i + 1) * h, certificate.iterations);
    if (i % 20 == 0 && !experiment_goes_on(report, part, "settling"))
      return false;
  }
  out->contacts = count_touching(world);
  out->speed = duration / cpu;
  return true;
}

static void report_sample(ExperimentReport* report, const Sample* sample, const Outcome* outcome) {
  char where[64], quantity[EXPERIMENT_TEXT];
  snprintf(where, sizeof where, "%d spheres, h = %g s", sample->spheres, sample->h);
  experiment_source(report,
                    "table 1: g_max %g %% of the radius; ours at most a tenth of a per cent",
                    sample->overlap);
  snprintf(quantity, sizeof quantity, "%s: largest penetration", where);
  experiment_row(report, quantity, "% of the radius", sample->overlap, 100 * outcome->overlap,
                 outcome->overlap <= allowed_overlap, "at most 0.1");
  snprintf(quantity, sizeof quantity, "%s: part of the steps that miss the tolerance", where);
  experiment_shown_why(report, quantity, "%", (double)NAN, 100 * outcome->missed,
                       "no bound: a solve ends after a number of sweeps");
  experiment_source(report, "table 1; section 8.3: the real-time constraint is S_p >= 1");
  snprintf(quantity, sizeof quantity, "%s: simulated time over CPU time", where);
  experiment_row(report, quantity, "", sample->speed, outcome->speed, outcome->speed >= 1,
                 "at least 1");
  experiment_source(report, "table 1");
  snprintf(quantity, sizeof quantity, "%s: contacts at the end", where);
  experiment_shown_why(report, quantity, "", sample->contacts, outcome->contacts,
                       "the paper does not say what counts as one, nor how the spheres lie");
  snprintf(quantity, sizeof quantity, "%s: settled after", where);
  experiment_shown(report, quantity, "s", (double)NAN, outcome->settled);
}

// --- figure 6 a: what so many iterations leave --------------------------------------------------

static const int counts[] = {1,  2,  3,   5,   7,   10,  15,  20,  30,
                             50, 70, 100, 150, 200, 300, 500, 700, 1000};
enum { COUNTS = sizeof counts / sizeof *counts, PUBLISHED_ITERATIONS = 10 };
static const double published_error = 0.1;
static const double seconds = 2; // [s] of CPU time for one solve

// The problem of the last step with the most contacts.
static bool largest_problem(const rgWorld* world, rgProblem* problem) {
  bool any = false;
  for (int i = 0; i < rg_world_island_count(world); ++i) {
    rgProblem island;
    if (rg_world_island(world, i, &island, NULL, NULL) != RG_OK ||
        (any && island.contact_count <= problem->contact_count))
      continue;
    *problem = island;
    any = true;
  }
  return any;
}

typedef struct Solver {
  const char* name;
  bool refused;
  double residual, error; // after PUBLISHED_ITERATIONS: of the certificate, and of the literature
  double least;           // smallest residual
} Solver;

// The certified residual after so many iterations from a cold start, and the error as the literature
// measures it, over all contacts instead of the worst; NaN when the solver refuses.
static double residual_after(const rgProblem* problem, const char* name, int iterations,
                             double* error, bool* ended) {
  size_t bodies = 6 * (size_t)problem->body_count, contacts = 4 * (size_t)problem->contact_count;
  double* memory = calloc(bodies + contacts + (size_t)problem->row_count + 1, sizeof *memory);
  void* work = malloc(rg_solve_work_size(problem, name));
  double residual = (double)NAN;
  if (memory && work) {
    rgStop stop = rg_stop_default();
    rgSolution solution = {memory, memory + bodies, memory + bodies + contacts};
    rgSolveReport report;
    stop.iteration_limit = iterations;
    stop.time_limit = seconds;
    rgStatus status = rg_solve(problem, name, NULL, &stop, &solution, work, &report, NULL);
    if (status == RG_OK || status == RG_NOT_CONVERGED)
      residual = report.certificate.residual;
    *error = rg_problem_contact_error(problem, &solution).invariant;
    *ended = status == RG_OK || report.iterations < iterations;
  }
  free(work);
  free(memory);
  return residual;
}

static Solver judge_solver(const rgProblem* problem, const char* name, CliSeries* line) {
  Solver solver = {.name = name, .residual = (double)NAN, .least = HUGE_VAL};
  bool ended = false;
  for (int i = 0; i < COUNTS && !ended; ++i) {
    double error, residual = residual_after(problem, name, counts[i], &error, &ended);
    if (isnan(residual)) {
      solver.refused = true;
      return solver;
    }
    cli_series_point(line, counts[i], error);
    solver.least = fmin(solver.least, residual);
    if (counts[i] > PUBLISHED_ITERATIONS)
      continue;
    solver.residual = residual;
    solver.error = error;
  }
  return solver;
}

static void report_solvers(ExperimentReport* report, const rgWorld* world) {
  rgProblem problem;
  char quantity[EXPERIMENT_TEXT];
  if (!largest_problem(world, &problem)) {
    experiment_fail(report, "no spheres touch");
    return;
  }
  CliPlot* plot = experiment_plot(report, "Convergence from a cold start, as in figure 6 a",
                                  "Error over all contacts against the limit on iterations, for "
                                  "all solvers that take the problem.");
  CliPanel* panel =
      cli_plot_panel(plot, "", "iterations", "error", CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  experiment_shown_why(report, "problem of figure 6 a: contacts", "", 600, problem.contact_count,
                       "the paper rounds the number of its own sample");
  for (int i = 0; rg_solver_name(i); ++i) {
    const char* name = rg_solver_name(i);
    CliSeries* line = cli_panel_series(panel, name, CLI_MARK_LINE, i);
    Solver solver = judge_solver(&problem, name, line);
    if (solver.refused || !experiment_goes_on(report, 0.9, name))
      continue;
    snprintf(quantity, sizeof quantity, "%s: error after %d iterations", name,
             (int)PUBLISHED_ITERATIONS);
    experiment_source(report,
                      "figure 6 a: \"an error of 10 %% is obtained in 10 iterations only\"");
    if (strcmp(name, "nsgs") == 0)
      experiment_at_most(report, quantity, "", solver.error, published_error);
    else
      experiment_shown(report, quantity, "", (double)NAN, solver.error);
    snprintf(quantity, sizeof quantity, "%s: residual after %d iterations", name,
             (int)PUBLISHED_ITERATIONS);
    experiment_shown(report, quantity, "", (double)NAN, solver.residual);
    snprintf(quantity, sizeof quantity, "%s: least residual", name);
    experiment_shown(report, quantity, "", (double)NAN, solver.least);
  }
}

// --- all of it ----------------------------------------------------------------------------------

enum { SHOWN = 2 }; // the sample of figure 6

static bool run_samples(ExperimentReport* report) {
  CliPlot* plot = experiment_plot(
      report, "Contacts and iterations while 160 spheres settle, as in figure 6 b", "h = 0.02 s.");
  CliPanel *contacts = cli_plot_panel(plot, "contacts", "t [s]", "", CLI_AXES_LINEAR),
           *iterations = cli_plot_panel(plot, "iterations", "t [s]", "", CLI_AXES_LINEAR);
  Lines shown = {cli_panel_series(contacts, "", CLI_MARK_LINE, 0),
                 cli_panel_series(iterations, "", CLI_MARK_LINE, 1)},
        none = {NULL, NULL};
  for (int i = 0; i < SAMPLES; ++i) {
    Outcome outcome;
    rgWorld* world = make_world(report, samples[i].spheres, samples[i].h);
    bool good =
        world && settle(report, world, (double)i / SAMPLES, i == SHOWN ? &shown : &none, &outcome);
    if (good)
      report_sample(report, &samples[i], &outcome);
    if (good && i == SHOWN)
      report_solvers(report, world);
    rg_world_destroy(world);
    if (!good)
      return false;
  }
  return true;
}

static void run(ExperimentReport* report) {
  if (!run_samples(report))
    return;
  experiment_given(report, "spheres, step", "80, 160, 320; 0.02 and 0.04 s (table 1)");
  experiment_given(report, "law", "friction; no restitution is mentioned");
  experiment_chosen(report, "radius, mu, density", "%g m, %g, 1000 kg/m3", radius, mu);
  experiment_chosen(report, "box", "%d spheres and 15 %% more along a side", (int)SIDE);
  experiment_chosen(report, "start",
                    "layers, each sphere off its place by up to a tenth of a radius");
  experiment_chosen(report, "duration", "%g s, the end of figure 6 b", duration);
  experiment_chosen(report, "options",
                    "preset realtime, tolerance 1e-3, at most %d sweeps a solve; "
                    "penetration left alone %g radii",
                    (int)SWEEPS, 0.5 * allowed_overlap);
}

const Experiment experiment_sphere_settling = {
    .name = "sphere-settling",
    .paper = "Renouf et al. 2005, section 8.3, table 1, figure 6",
    .work = &experiment_work_renouf,
    .summary = "80, 160 and 320 spheres settle in a box with friction: penetration, speed, and the "
               "convergence of all solvers.",
    .times = true,
    .run = run,
};
