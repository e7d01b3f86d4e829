// too_many_contacts.c - a highly tessellated ball is hit by a bat (Cline 2002, section 4.5).
//
// Cline's collision detector returns a contact for every vertex and face, and every two edges, that are
// within the contact tolerance eps of each other: "we really only need one contact point", but get many,
// the more the finer the ball and the larger eps, and the LCP becomes slow. The thesis leaves it unsolved.
//
// Here a ball of N corners touches the flat of a bat. Of corners evenly spread over a sphere of radius R
// those within eps of the face are a cap of the area 2 pi R eps: N eps / (2 R) contacts by the rule of the
// thesis. Rigor takes the feature that faces the bat, a corner, an edge or a triangle, and of what shares a
// normal only points that are not inside others that are as deep: at most three here, whatever N and eps.
// The impact of the ball, which also slides and spins, is solved with both sets by Lemke's algorithm, and
// compared with the impact of a sphere in closed form: e along the normal, mu (1 + e) u_n of friction.
// Contacts of the first set that are open by up to eps take part in the impact as if they touched, and
// change its outcome.
#include "experiments/experiment.h"
#include "experiments/tessellation.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// As in the scene, scenes/experiments/too_many_contacts.json.
static const double radius = 0.0366, mass = 0.145;         // [m], [kg]
static const double mu = 0.05, bounce = 0.55;              // [-]
static const rgTwist thrown = {{20, 0, -40}, {0, 100, 0}}; // of the ball [m/s], [rad/s]

// [s] in which the ball moves by less than the gaps of the corners around the one that touches.
static const double short_step = 1e-7;

enum { SIZES = 3, WIDTHS = 3, CONTACTS = 256, FACETS = 4 };
static const int corners[SIZES] = {100, 400, 1600};
static const double widths[WIDTHS] = {0.01, 0.04, 0.16}; // eps / R

typedef struct Impact {
  rgProblem problem;
  rgProblemBody body;
  rgProblemContact contacts[CONTACTS];
} Impact;

typedef struct Outcome {
  bool met;
  int pivots;
  double time; // [s] of the processor
  rgTwist v;
} Outcome;

static void begin(Impact* impact) {
  double inverse = 1 / (0.4 * mass * radius * radius);
  impact->body = (rgProblemBody){.inverse_mass = 1 / mass,
                                 .inverse_inertia = rg_mat3_diag(inverse, inverse, inverse),
                                 .v_free = thrown};
  impact->problem = (rgProblem){
      .dimension = 3, .body_count = 1, .bodies = &impact->body, .contacts = impact->contacts};
}

// A contact at a point relative to the centre, on the face below.
static void add_contact(Impact* impact, rgVec3 arm) {
  rgVec3 u = rg_vec3_add(thrown.linear, rg_vec3_cross(thrown.angular, arm));
  impact->contacts[impact->problem.contact_count++] =
      (rgProblemContact){.body_b = -1,
                         .n = {0, 0, 1},
                         .t = {1, 0, 0},
                         .o = {0, 1, 0},
                         .arm_a = arm,
                         .bias = {bounce * fmin(u.z, 0)},
                         .cone = RG_CONE_INNER,
                         .facets = FACETS,
                         .mu = mu,
                         .e_t = 1,
                         .e_o = 1};
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Outcome solve(const Impact* impact) {
  Outcome outcome = {0};
  void* work = malloc(rg_solve_work_size(&impact->problem, "lemke"));
  double v[6], *r = calloc(4 * CONTACTS, sizeof *r);
  if (work && r) {
    rgStop stop = rg_stop_default();
    rgSolution solution = {v, r, NULL};
    rgSolveReport report;
    double start = seconds();
    rg_solve(&impact->problem, "lemke", NULL, &stop, &solution, work, &report, NULL);
    outcome = (Outcome){report.certificate.met,
                        report.iterations,
                        seconds() - start,
                        {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}};
  }
  free(work);
  free(r);
  return outcome;
}

// Velocity of a sphere after the impact; friction slides through it, mu (1 + e) u_n < 2/7 of the slip.
static rgTwist exact_impact(void) {
  double p = mass * (1 + bounce) * -thrown.linear.z,
         slip = thrown.linear.x - thrown.angular.y * radius;
  double friction = (slip > 0 ? -mu : mu) * p;
  rgTwist after = thrown;
  after.linear.z = -bounce * thrown.linear.z;
  after.linear.x += friction / mass;
  after.angular.y += -radius * friction / (0.4 * mass * radius * radius);
  return after;
}

// Difference of two velocities of the ball's surface, over the speed of the throw.
static double difference(rgTwist a, rgTwist b) {
  rgVec3 linear = rg_vec3_sub(a.linear, b.linear), spin = rg_vec3_sub(a.angular, b.angular);
  return (rg_vec3_norm(linear) + radius * rg_vec3_norm(spin)) / rg_vec3_norm(thrown.linear);
}

// All corners within eps of the face, the lowest corner touching it.
static void by_tolerance(Impact* impact, const rgVec3* points, int count, double eps) {
  begin(impact);
  for (int i = 0; i < count; ++i)
    if (points[i].z - points[0].z <= eps && impact->problem.contact_count < CONTACTS)
      add_contact(impact, points[i]);
}

// The contacts that a world finds; open ones do not take part in the impact. And the velocity after a step of
// the world itself.
static bool by_world(Impact* impact, rgScene* scene, int count, rgVec3* points, int* found,
                     rgTwist* stepped, ExperimentReport* report) {
  rg_scene_options(scene)->step = short_step;
  rgWorld* world = experiment_world(report, scene);
  if (!world)
    return false;
  begin(impact);
  *found = 0;
  bool good = experiment_good(report, world, tessellate_body(world, "ball", count, radius, points));
  rgBodyId ball = rg_world_find_body(world, "ball");
  rgPose touching = {rg_vec3(0, 0, radius), {1, 0, 0, 0}};
  good = good && experiment_good(report, world, rg_body_set_pose(world, ball, touching)) &&
         experiment_good(report, world, rg_world_find_contacts(world));
  for (int i = 0; i < rg_world_contact_count(world) && good; ++i) {
    rgContact contact;
    rg_world_contact(world, i, &contact);
    (*found)++;
    if (contact.gap <= 1e-9 && impact->problem.contact_count < CONTACTS)
      add_contact(impact, rg_vec3_sub(contact.point, touching.position));
  }
  good = good && experiment_good(report, world, rg_world_step(world, NULL));
  *stepped = rg_body_velocity(world, ball);
  rg_world_destroy(world);
  return good;
}

typedef struct Sums {
  int most_found, most_pivots, most_contacts;
  double worst, worst_step, largest_error, slowest, quickest;
  bool met;
} Sums;

static void report_width(ExperimentReport* report, Impact* impact, const rgVec3* points, int size,
                         int width, CliSeries* line, Sums* sums) {
  char quantity[EXPERIMENT_TEXT];
  int count = corners[size];
  double expected = count * widths[width] / 2;
  by_tolerance(impact, points, count, widths[width] * radius);
  int contacts = impact->problem.contact_count;
  Outcome outcome = solve(impact);
  sums->met = sums->met && outcome.met;
  sums->largest_error = fmax(sums->largest_error, difference(outcome.v, exact_impact()));
  cli_series_point(line, count, contacts);
  if (contacts > sums->most_contacts) {
    sums->most_contacts = contacts;
    sums->most_pivots = outcome.pivots;
    sums->slowest = outcome.time;
  }
  experiment_source(report, "derived: N eps / (2 R) corners in the cap, and the one that touches");
  snprintf(quantity, sizeof quantity, "%d corners, eps = %g R: contacts by the rule of the thesis",
           count, widths[width]);
  experiment_near(report, quantity, "", expected + 0.5, contacts, 1.5 + 0.1 * expected);
}

static bool report_size(ExperimentReport* report, rgScene* scene, Impact* impact, rgVec3* points,
                        int size, CliSeries** lines, Sums* sums) {
  char quantity[EXPERIMENT_TEXT];
  int found = 0;
  rgTwist stepped;
  if (!by_world(impact, scene, corners[size], points, &found, &stepped, report))
    return false;
  Outcome outcome = solve(impact);
  double error = difference(outcome.v, exact_impact());
  sums->met = sums->met && outcome.met;
  sums->worst = fmax(sums->worst, error);
  sums->worst_step = fmax(sums->worst_step, difference(stepped, exact_impact()));
  sums->quickest = outcome.time;
  cli_series_point(lines[WIDTHS], corners[size], found);
  experiment_source(report, "derived: the feature that faces the bat is a corner, an edge or a "
                            "triangle");
  snprintf(quantity, sizeof quantity, "%d corners: contacts that a world finds", corners[size]);
  experiment_at_most(report, quantity, "", found, 3);
  sums->most_found = found > sums->most_found ? found : sums->most_found;
  for (int width = 0; width < WIDTHS; ++width)
    report_width(report, impact, points, size, width, lines[width], sums);
  if (size == SIZES - 1) {
    experiment_source(report,
                      "section 4.5: \"will cause the LCP solver to run slowly\"; each pivot "
                      "brings one of the contacts in or out");
    experiment_at_least(report,
                        "most contacts: pivots of Lemke's algorithm over those of the world's", "",
                        (double)sums->most_pivots / outcome.pivots, 5);
    experiment_shown(report, "most contacts: time of the solve over that of the world's", "",
                     (double)NAN, sums->slowest / fmax(sums->quickest, 1e-9));
  }
  return experiment_goes_on(report, (size + 1.0) / SIZES, "balls");
}

static void run_scene(ExperimentReport* report, rgScene* scene, Impact* impact, rgVec3* points) {
  CliPlot* plot =
      experiment_plot(report, "Contacts of a tessellated ball on a bat",
                      "By the rule of the thesis for three contact tolerances, and as a "
                      "world of Rigor finds them.");
  CliPanel* panel =
      cli_plot_panel(plot, "", "corners of the ball", "contacts", CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  CliSeries* lines[WIDTHS + 1];
  static const char* const names[WIDTHS + 1] = {"eps = 0.01 R", "eps = 0.04 R", "eps = 0.16 R",
                                                "Rigor"};
  for (int i = 0; i <= WIDTHS; ++i)
    lines[i] = cli_panel_series(panel, names[i], CLI_MARK_POINTS, i);
  Sums sums = {.met = true};
  for (int size = 0; size < SIZES; ++size)
    if (!report_size(report, scene, impact, points, size, lines, &sums))
      return;
  experiment_source(report, "derived: impact of a sphere in closed form; one corner touches, below "
                            "the centre");
  experiment_at_most(report, "contacts of the world: velocity after the impact against a sphere's",
                     "of the throw", sums.worst, 1e-6);
  experiment_at_most(report, "step of the world: velocity after the impact against a sphere's",
                     "of the throw", sums.worst_step, 1e-6);
  experiment_source(report, "derived: contacts off the centre meet the spin at other speeds");
  experiment_row(report, "all contacts within eps: largest error of the velocity", "of the throw",
                 (double)NAN, sums.largest_error, sums.largest_error > 1e-3, "above 0.001");
  experiment_source(report, "all problems are solved");
  experiment_row(report, "all impacts solved", "", 1, sums.met, sums.met, "1");
  experiment_given(report, "contacts", "every vertex and face within eps (section 4.5)");
  experiment_chosen(report, "ball", "%g kg, radius %g m, %g m/s, %g rad/s", mass, radius,
                    rg_vec3_norm(thrown.linear), thrown.angular.y);
  experiment_chosen(report, "bat", "a flat face at rest: the frame of the bat");
  experiment_chosen(report, "law", "mu = %g with %d facets, e = %g", mu, (int)FACETS, bounce);
  experiment_note(report,
                  "The thesis says of this problem that it remains unsolved in its system and "
                  "gives no numbers.");
}

static void run(ExperimentReport* report) {
  rgScene* scene = experiment_scene(report, &experiment_too_many_contacts);
  Impact* impact = malloc(sizeof *impact);
  rgVec3* points = malloc(TESSELLATION_MAX * sizeof *points);
  if (!impact || !points)
    report->out_of_memory = true;
  else if (scene)
    run_scene(report, scene, impact, points);
  free(impact);
  free(points);
  rg_scene_free(scene);
}

const Experiment experiment_too_many_contacts = {
    .name = "too-many-contacts",
    .paper = "Cline 2002, section 4.5",
    .work = &experiment_work_cline,
    .summary =
        "A tessellated ball hit by a bat: contacts and pivots with every pair of features within "
        "the tolerance, and with those that are needed.",
    .scene = "too_many_contacts",
    .run = run,
};
