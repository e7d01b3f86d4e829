// chain_stabilization.c - joints of a falling chain drift apart, or do not (Cline 2002, section
// 5.2.1).
//
// Six links of 100 mm, hinged to each other and to a fixed point, fall from the horizontal for 0.6
// s with h = 1 ms and the paper's own stepper. The error is the largest component of the distances
// between points that a hinge should hold together. The paper compares no stabilization,
// Baumgarte's with three constants, and post-stabilization, and gives the errors in words and
// figures 5.6 to 5.10. Post-stabilization is made twice: by one linear step (post-once), as printed,
// and repeated and bounded (post). The error before it, of figure 5.9, is that of a second world
// without stabilization, which starts every step where the first one is.
//
// At the rate 2000 the product with the step is 2: to first order an error e becomes -e in the next
// step, neither smaller nor larger. How large it is then depends on what comes in at the second
// order, and changes within one per cent of the rate.
//
// The paper does not say how strong gravity is in its units. At 9.81 m/s2 a chain of 0.6 m makes
// less than one swing in 0.6 s, but figure 5.6 shows the steps of several: gravity is stronger
// there. It is the one number that is fitted, to three published errors together; all are then
// compared. The run at 9.81 m/s2 is shown beside it.
#include "experiments/experiment.h"
#include <rigor/vec_math.h>

#include <rigor/rigor.h>
#include <string.h>

// As in the scene, scenes/experiments/chain_stabilization.json.
static const double thickness = 0.01; // [m] of a link
static const double step = 1e-3;      // [s]
static const double earth = 9.81;     // [m/s2]
static const double FIT_RATIO = 1.05; // of neighbouring values of gravity
enum { STEPS = 600, FIT_STEPS = 60 };

typedef struct Case {
  const char* stabilizer;
  double rate; // [1/s] of baumgarte
  const char* label;
} Case;

static const Case cases[] = {
    {"none", 0, "none"},
    {"baumgarte", 50, "Baumgarte, 50/s"},
    {"baumgarte", 200, "Baumgarte, 200/s"},
    {"baumgarte", 2000, "Baumgarte, 2000/s"},
    {"post", 0, "post, after"},
    {"post-once", 0, "post-once, after"},
};
enum { NONE, RATE_50, RATE_200, RATE_2000, POST, POST_ONCE, CASES };

static rgWorld* make_world(rgScene* scene, const Case* c, double gravity,
                           ExperimentReport* report) {
  rgOptions* options = rg_scene_options(scene);
  options->gravity = rg_vec3(0, -gravity, 0);
  options->baumgarte_rate = c->rate;
  snprintf(options->stabilizer, sizeof options->stabilizer, "%s", c->stabilizer);
  return experiment_world(report, scene);
}

static double largest_component(rgVec3 v) { return fmax(fabs(v.x), fabs(v.y)); }

// The largest component of the constraint functions, as the paper measures it [m].
static double joint_error(const rgWorld* world) {
  double error = 0;
  for (int i = 0; i < rg_world_joint_count(world); ++i) {
    rgJointState state;
    if (rg_joint_state(world, rg_world_joint(world, i), &state) == RG_OK)
      error = fmax(error,
                   largest_component(rg_vec3_sub(state.frame_a.position, state.frame_b.position)));
  }
  return error;
}

typedef struct Outcome {
  double largest, last; // [mm] of the error
  double jagged; // part of the steps in which the error turns from growing to falling or back
} Outcome;

// The error [mm] before the correction of each step: that of a world without stabilization which
// starts the step in the same state. Returns the largest.
static double error_before(rgScene* scene, const Case* c, double gravity, CliSeries* series,
                           ExperimentReport* report) {
  rgWorld *world = make_world(scene, c, gravity, report),
          *probe = make_world(scene, &cases[NONE], gravity, report);
  double largest = 0;
  bool good = world && probe;
  for (int i = 0; i < STEPS && good; ++i) {
    for (int k = 0; k < rg_world_body_count(world) && good; ++k) {
      rgBodyId from = rg_world_body(world, k), to = rg_world_body(probe, k);
      good =
          experiment_good(report, probe, rg_body_set_pose(probe, to, rg_body_pose(world, from))) &&
          experiment_good(report, probe,
                          rg_body_set_velocity(probe, to, rg_body_velocity(world, from)));
    }
    good = good && experiment_good(report, probe, rg_world_step(probe, NULL)) &&
           experiment_good(report, world, rg_world_step(world, NULL));
    double error = 1e3 * joint_error(probe);
    largest = fmax(largest, error);
    cli_series_point(series, (i + 1) * step, error);
  }
  rg_world_destroy(world);
  rg_world_destroy(probe);
  return largest;
}

static Outcome run_case(rgScene* scene, const Case* c, double gravity, CliSeries* series,
                        ExperimentReport* report) {
  Outcome outcome = {0, 0, 0};
  rgWorld* world = make_world(scene, c, gravity, report);
  if (!world)
    return outcome;
  double before = 0, change = 0;
  int turns = 0;
  for (int i = 0; i < STEPS; ++i) {
    if (rg_world_step(world, NULL) != RG_OK) {
      experiment_fail(report, "%s: %s", c->label, rg_world_message(world));
      break;
    }
    double error = 1e3 * joint_error(world);
    outcome.largest = fmax(outcome.largest, error);
    outcome.last = error;
    turns += (error - before) * change < 0;
    change = error - before;
    before = error;
    cli_series_point(series, (i + 1) * step, error);
  }
  outcome.jagged = (double)turns / STEPS;
  rg_world_destroy(world);
  return outcome;
}

// The published errors [mm] of the first three cases: at the end, largest, largest.
static const double published[3] = {20, 5, 3};

// How far the errors are from the published ones: sum of the squared logarithms of their ratios.
static double misfit(rgScene* scene, double gravity, ExperimentReport* report) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    Outcome outcome = run_case(scene, &cases[i], gravity, NULL, report);
    double ratio = log((i == 0 ? outcome.last : outcome.largest) / published[i]);
    sum += ratio * ratio;
  }
  return sum;
}

static double fit_gravity(rgScene* scene, ExperimentReport* report) {
  double best = earth, least = HUGE_VAL;
  for (int i = 0; i < FIT_STEPS; ++i) {
    double gravity = earth * pow(FIT_RATIO, i), miss = misfit(scene, gravity, report);
    if (miss < least) {
      least = miss;
      best = gravity;
    }
    if (!experiment_goes_on(report, 0.8 * i / FIT_STEPS, "fitting gravity"))
      break;
  }
  return best;
}

static void report_baumgarte(const Outcome outcome[CASES], double near_limit,
                             ExperimentReport* report) {
  experiment_source(report, "section 5.2.1: \"around 5 mm\"");
  experiment_near(report, "Baumgarte 50: largest error", "mm", published[1],
                  outcome[RATE_50].largest, 1);
  experiment_source(report, "section 5.2.1: \"never exceeding 3 mm\"");
  experiment_row(report, "Baumgarte 200: largest error", "mm", published[2],
                 outcome[RATE_200].largest, outcome[RATE_200].largest <= 3, "at most 3");
  experiment_source(report, "figure 5.8 and section 5.2.1: \"quite jagged\"");
  experiment_row(report, "Baumgarte 2000: steps in which the error turns, over those with 200", "",
                 (double)NAN, outcome[RATE_2000].jagged / outcome[RATE_200].jagged,
                 outcome[RATE_2000].jagged > 3 * outcome[RATE_200].jagged, "above 3: jagged");
  experiment_source(report, "section 5.2.1: \"not much worse than when a constant of 50 is used\"; "
                            "twice is not much");
  experiment_at_most(report, "Baumgarte 2000: largest error over that with 50", "",
                     outcome[RATE_2000].largest / outcome[RATE_50].largest, 2);
  experiment_shown(report, "Baumgarte 2000: largest error", "mm", (double)NAN,
                   outcome[RATE_2000].largest);
  experiment_shown(report, "Baumgarte 1990: largest error", "mm", (double)NAN, near_limit);
}

static void report_post(const Outcome outcome[CASES], double before, ExperimentReport* report) {
  experiment_source(report, "section 5.2.1: \"never goes above 0.01 mm\" (figure 5.10)");
  experiment_row(report, "post-once: largest error after the step", "mm", 0.01,
                 outcome[POST_ONCE].largest, outcome[POST_ONCE].largest <= 0.01, "at most 0.01");
  experiment_row(report, "post: largest error after the step", "mm", 0.01, outcome[POST].largest,
                 outcome[POST].largest <= 0.01, "at most 0.01");
  experiment_source(report, "figure 5.9: the scale is a tenth of that of figure 5.7, whose largest "
                            "error is 5 mm");
  experiment_row(report, "post-once: largest error before the correction", "mm", (double)NAN,
                 before, before < 1, "below 1: the range of the figure");
  experiment_source(report, "figure 5.9: \"barely perceptible\" beside the error before");
  experiment_at_most(report, "post-once: error after the correction over that before", "",
                     outcome[POST_ONCE].largest / before, 0.05);
}

static void report_parameters(double gravity, ExperimentReport* report) {
  experiment_given(report, "chain", "6 links of 100 mm, horizontal at the start");
  experiment_given(report, "step, duration", "%g s, %g s", step, STEPS * step);
  experiment_given(report, "stepper", "anitescu-potra, section 2.7.3");
  experiment_given(report, "constants of Baumgarte", "50, 200 and 2000 /s");
  experiment_chosen(report, "gravity",
                    "%.3g m/s2, fitted to the three published errors: at %g m/s2 "
                    "the chain makes less than one swing in the time in which "
                    "figure 5.6 shows several",
                    gravity, earth);
  experiment_chosen(report, "links",
                    "uniform rods %g mm thick in a 2D world, the first hinged to a "
                    "fixed point",
                    1e3 * thickness);
}

static void report_disagreements(double gravity, const Outcome outcome[CASES], double near_limit,
                                 ExperimentReport* report) {
  experiment_disagrees(
      report,
      "Gravity is not stated. With %g m/s2 the chain drifts apart by %.2g mm in the "
      "published time instead of 20, and swings less often than figure 5.6 shows; "
      "the published errors fit %.3g m/s2, which all rows but the last ones have.",
      earth, outcome[CASES].largest, gravity);
  experiment_disagrees(
      report,
      "Figure 5.8: with the constant 2000 the paper's error is a little larger than with 50; here "
      "it "
      "is %.2g times that. The constant times the step is 2, where an error changes its sign in "
      "every step and neither grows nor falls to first order; what it comes to is decided by terms "
      "of "
      "second order and by the initial state, which is not published. With 1990 it is %.2g times "
      "that "
      "with 50, and above 2000 errors grow, which this program refuses.",
      outcome[RATE_2000].largest / outcome[RATE_50].largest, near_limit / outcome[RATE_50].largest);
}

static void run_scene(rgScene* scene, ExperimentReport* report) {
  CliPlot* plot =
      experiment_plot(report, "Error of the joints of a falling chain",
                      "Largest component of the distances that hinges should make zero, "
                      "as in figures 5.6 to 5.10; rings are the paper's numbers.");
  CliPanel* panels[4] = {
      cli_plot_panel(plot, "figure 5.6: none", "time [s]", "error [mm]", 0),
      cli_plot_panel(plot, "figures 5.7, 5.8: Baumgarte", "time [s]", "error [mm]", 0),
      cli_plot_panel(plot, "figure 5.9: post-once", "time [s]", "error [mm]", 0),
      cli_plot_panel(plot, "figure 5.10: after", "time [s]", "error [mm]", CLI_AXES_LOG_Y),
  };
  static const int panel_of[CASES] = {0, 1, 1, 1, 3, 3};
  static const Case nearly = {"baumgarte", 1990, "Baumgarte, 1990/s"};
  Outcome weak[CASES], outcome[CASES + 1];
  double gravity = fit_gravity(scene, report);
  for (int i = 0; i < CASES; ++i) {
    if (!experiment_goes_on(report, 0.8 + 0.2 * i / CASES, cases[i].label))
      return;
    CliSeries* series = cli_panel_series(panels[panel_of[i]], cases[i].label, CLI_MARK_LINE, i);
    outcome[i] = run_case(scene, &cases[i], gravity, series, report);
    weak[i] = run_case(scene, &cases[i], earth, NULL, report);
  }
  outcome[CASES] = weak[NONE];
  double near_limit = run_case(scene, &nearly, gravity, NULL, report).largest;
  CliSeries* ring = cli_panel_series(panels[0], "published, end", CLI_MARK_RINGS, 0);
  cli_series_point(ring, STEPS * step, published[0]);
  double before = error_before(scene, &cases[POST_ONCE], gravity,
                               cli_panel_series(panels[2], "before", CLI_MARK_LINE, 4), report);
  run_case(scene, &cases[POST_ONCE], gravity,
           cli_panel_series(panels[2], "after", CLI_MARK_LINE, 5), report);

  experiment_source(report, "section 5.2.1: \"climbed to around 20 mm\" (figures 5.5, 5.6)");
  experiment_near(report, "none: error after 0.6 s", "mm", published[0], outcome[NONE].last, 4);
  report_baumgarte(outcome, near_limit, report);
  report_post(outcome, before, report);
  experiment_shown(report, "gravity, fitted to the first three rows", "m/s2", (double)NAN, gravity);
  for (int i = 0; i < CASES; ++i) {
    char text[EXPERIMENT_TEXT];
    snprintf(text, sizeof text, "at 9.81 m/s2, %s: largest error", cases[i].label);
    experiment_shown(report, text, "mm", (double)NAN, weak[i].largest);
  }
  report_parameters(gravity, report);
  report_disagreements(gravity, outcome, near_limit, report);
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_chain_stabilization);
  if (scene)
    run_scene(scene, report);
  rg_scene_free(scene);
}

const Experiment experiment_chain_stabilization = {
    .name = "chain-stabilization",
    .paper = "Cline 2002, section 5.2.1, figures 5.4 to 5.10",
    .work = &experiment_work_cline,
    .summary = "Six links fall from the horizontal: joints drift apart without stabilization, less "
               "with Baumgarte's, not at all with post-stabilization.",
    .scene = "chain_stabilization",
    .run = run,
};
