// impending_motion.c - three answers to "which way does this start to move" (Baraff and Mattikalli
// 1993).
//
// Bodies at rest, in contact without friction, under gravity Q. With J the contact normals:
//
// 1. Contact forces (eq. 16, 20): lambda >= 0, J a >= 0, perpendicular, a = M^-1 (Q + J' lambda).
//    Solved in contact space by pivoting on J M^-1 J' (lemke).
// 2. Gauss' least constraint (eq. 39): a is nearest to M^-1 Q in the kinetic norm among all with
//    J a >= 0. Solved in motion space as a nearest-point problem (wilhelmsen).
// 3. Steepest legal descent (eq. 52): the direction d with J d >= 0 and |d|_M = 1 that lowers the
//    potential energy fastest, Q'd largest. For every lambda >= 0 and every legal d
//        Q'd = (Q + J' lambda)'d - lambda' J d <= |Q + J' lambda|_(M^-1),
//    so the smallest kinetic norm of the net force bounds the rate, and the direction of that net
//    force attains it. The least norm is sought by conjugate gradients (cpg), and what it gives is
//    judged by eq. 52 itself: legal, and its rate equal to the bound. Assemblies of up to 12 bodies
//    are also solved as stated, in the unknown d alone (steepest.c).
//
// The paper proves that all three give one direction; 1 and 2 also one magnitude.
#include "experiments/assembly.h"
#include "experiments/experiment.h"
#include "experiments/steepest.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_COUNT = 240, BODIES_LEAST = 2, BODIES_MOST = 30 };
// Part of gravity below which an acceleration is the rounding of a sum of forces, and is cut to 0.
static const double rest = 1e-11;

typedef struct Answer {
  double a[6 * ASSEMBLY_BODIES];
  double r[4 * ASSEMBLY_CONTACTS];
  bool solved;
} Answer;

static void solve(const Assembly* assembly, const char* solver, double tolerance, Answer* answer) {
  const rgProblem* problem = &assembly->problem;
  memset(answer, 0, sizeof *answer);
  size_t size = rg_solve_work_size(problem, solver);
  void* work = malloc(size);
  if (!work)
    return;
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 200000;
  rgSolution solution = {answer->a, answer->r, NULL};
  rgSolveReport report;
  answer->solved = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, NULL) == RG_OK;
  free(work);
}

static double norm(const Assembly* assembly, const double* a) {
  return sqrt(assembly_product(assembly, a, a));
}

// |a - b| / |gravity|, all in the kinetic norm.
static double difference(const Assembly* assembly, const double* a, const double* b) {
  double d[6 * ASSEMBLY_BODIES], free_fall[6 * ASSEMBLY_BODIES] = {0};
  for (int i = 0; i < assembly->problem.body_count; i++) {
    free_fall[6 * i + 2] = -assembly_gravity;
    for (int k = 0; k < 6; k++)
      d[6 * i + k] = a[6 * i + k] - b[6 * i + k];
  }
  return norm(assembly, d) / norm(assembly, free_fall);
}

static double size_of(const Assembly* assembly, const double* a) {
  double zero[6 * ASSEMBLY_BODIES] = {0};
  return difference(assembly, a, zero);
}

// Q'd: gravity's power along d.
static double rate(const Assembly* assembly, const double* d) {
  double sum = 0;
  for (int i = 0; i < assembly->problem.body_count; i++)
    sum -= assembly->masses[i] * assembly_gravity * d[6 * i + 2];
  return sum;
}

// The largest part of a velocity along a contact normal into the contact, over the largest
// velocity.
static double illegal(const Assembly* assembly, const double* d) {
  double into = 0, largest = 0;
  for (int i = 0; i < assembly->problem.contact_count; i++) {
    const rgProblemContact* contact = &assembly->contacts[i];
    rgVec3 u = rg_vec3_zero();
    for (int side = 0; side < 2; side++) {
      int body = side ? contact->body_b : contact->body_a;
      if (body < 0)
        continue;
      const double* v = d + 6 * body;
      rgVec3 arm = side ? contact->arm_b : contact->arm_a;
      rgVec3 at =
          rg_vec3_add(rg_vec3(v[0], v[1], v[2]), rg_vec3_cross(rg_vec3(v[3], v[4], v[5]), arm));
      largest = fmax(largest, rg_vec3_norm(at));
      u = side ? rg_vec3_sub(u, at) : rg_vec3_add(u, at);
    }
    into = fmax(into, -rg_vec3_dot(contact->n, u));
  }
  return largest > 0 ? into / largest : 0;
}

typedef struct Verdict {
  bool solved;       // by all three
  double size;       // of the acceleration, over gravity; 0 when at rest
  double difference; // of the first two formulations, over gravity
  double angle;      // [rad] of the third to the first, in the kinetic norm
  double gap;        // of the third's rate to the bound, over the bound
  double illegal;    // of the third
} Verdict;

static Verdict judge(const Assembly* assembly, Answer* force, Answer* gauss, Answer* descent) {
  solve(assembly, "lemke", 1e-12, force);
  solve(assembly, "wilhelmsen", 1e-12, gauss);
  solve(assembly, "cpg", 1e-13, descent);
  Verdict verdict = {.solved = force->solved && gauss->solved && descent->solved};
  verdict.size = size_of(assembly, force->a);
  verdict.difference = difference(assembly, force->a, gauss->a);
  double length = norm(assembly, descent->a);
  if (verdict.size <= rest && size_of(assembly, gauss->a) <= rest) {
    verdict.size = 0; // at rest: no direction to compare
    return verdict;
  }
  double unit[6 * ASSEMBLY_BODIES], across[6 * ASSEMBLY_BODIES];
  double size = norm(assembly, force->a);
  for (int i = 0; i < 6 * assembly->problem.body_count; i++) {
    unit[i] = descent->a[i] / length;
    across[i] = unit[i] - force->a[i] / size;
  }
  verdict.angle = norm(assembly, across); // of two unit vectors
  // the net force of the first formulation bounds every rate
  verdict.gap = fabs(rate(assembly, unit) / size - 1);
  verdict.illegal = illegal(assembly, unit);
  return verdict;
}

// --- eq. 52 as stated --------------------------------------------------------------------------

typedef struct Stated {
  int made, failed, closed;
  double gap, angle, illegal; // worst; the rate below its bound, the angle to the first answer
} Stated;

// Solves eq. 52 in d alone and compares with the acceleration of the first formulation.
static void state(const Assembly* assembly, const Answer* force, Stated* worst) {
  double d[6 * ASSEMBLY_BODIES] = {0}, across[6 * ASSEMBLY_BODIES];
  SteepestEnd end = steepest_descent(assembly, d);
  worst->made += end != STEEPEST_CLOSED;
  worst->closed += end == STEEPEST_CLOSED;
  worst->failed += end == STEEPEST_FAILED;
  if (end != STEEPEST_FOUND)
    return;
  double length = norm(assembly, d), size = norm(assembly, force->a);
  for (int i = 0; i < 6 * assembly->problem.body_count; i++)
    across[i] = d[i] / length - force->a[i] / size;
  worst->gap = fmax(worst->gap, fabs(rate(assembly, d) / length / size - 1));
  worst->angle = fmax(worst->angle, norm(assembly, across));
  worst->illegal = fmax(worst->illegal, illegal(assembly, d));
}

static void report_stated(ExperimentReport* report, const Stated* worst) {
  experiment_source(report,
                    "section 5: problem (52) has the acceleration's direction; the barrier ends "
                    "1e-9 below the largest rate");
  experiment_at_least(report, "eq. 52 as stated: assemblies", "", worst->made, 90);
  experiment_at_most(report, "eq. 52 as stated: assemblies without an answer", "", worst->failed,
                     0);
  experiment_at_most(report, "eq. 52 as stated: rate off its bound by", "of the rate", worst->gap,
                     2e-8);
  experiment_source(report, "derived: a rate off by 2e-8 is an angle of sqrt(4e-8)");
  experiment_at_most(report, "eq. 52 as stated: angle to the acceleration", "rad", worst->angle,
                     2e-4);
  experiment_source(report, "eq. 51: legal");
  experiment_at_most(report, "eq. 52 as stated: enters contacts by", "of its speed", worst->illegal,
                     1e-9);
  experiment_note(
      report,
      "Eq. 52 was solved as stated, by a barrier method in the displacement alone, "
      "for %d assemblies of up to %d bodies; %d others leave no direction that opens all "
      "contacts, which the method asks for.",
      worst->made, (int)STEEPEST_BODIES, worst->closed);
}

// --- figure 2: what "steepest" means -------------------------------------------------------------

// A body in the plane that touches a slope with one point: x, y, angle. The steepest legal direction
// under the norm d'A d, A diagonal: A^-1 (Q + lambda J'), lambda >= 0 such that J d >= 0.
static void steepest_under(const double a[3], const double q[3], const double j[3], double d[3]) {
  double jq = 0, jj = 0;
  for (int k = 0; k < 3; k++) {
    jq += j[k] * q[k] / a[k];
    jj += j[k] * j[k] / a[k];
  }
  double lambda = fmax(0, -jq / jj);
  for (int k = 0; k < 3; k++)
    d[k] = (q[k] + lambda * j[k]) / a[k];
}

// Turn per metre of fall.
static double turn_per_fall(const double d[3]) { return d[2] / -d[1]; }

static void report_norms(ExperimentReport* report) {
  const double slope = 0.7, arm = 0.8, mass = 2, inertia = 0.3; // [rad], [m], [kg], [kg m2]
  const double q[3] = {0, -mass * assembly_gravity, 0},
               j[3] = {sin(slope), cos(slope), arm * cos(slope)};
  // Lengths in centimetres are 100 times as large, so that their squares weigh 1e4 times as much; a
  // kinetic energy is the same in both.
  const double metres[3] = {1, 1, 1}, centimetres[3] = {1e4, 1e4, 1},
               kinetic[3] = {mass, mass, inertia};
  double in_m[3], in_cm[3], natural[3], scaled[3];
  steepest_under(metres, q, j, in_m);
  steepest_under(centimetres, q, j, in_cm);
  steepest_under(kinetic, q, j, natural);
  // the kinetic norm in centimetres: mass / 1e4 for lengths, Q and J accordingly
  const double kinetic_cm[3] = {mass / 1e4, mass / 1e4, inertia}, q_cm[3] = {0, q[1] / 100, 0},
               j_cm[3] = {j[0] / 100, j[1] / 100, j[2]};
  steepest_under(kinetic_cm, q_cm, j_cm, scaled);
  scaled[0] /= 100, scaled[1] /= 100;
  Assembly* assembly = malloc(sizeof *assembly);
  Answer* answer = malloc(sizeof *answer);
  if (assembly && answer) {
    assembly_begin(assembly);
    assembly_box(assembly, rg_vec3(0, 0, 0), rg_vec3(1, 1, 1), mass, (rgQuat){1, 0, 0, 0});
    assembly->bodies[0].inverse_inertia.m[1][1] = 1 / inertia;
    assembly_contact(assembly, 0, -1, rg_vec3(-arm, 0, 0), rg_vec3(sin(slope), 0, cos(slope)));
    solve(assembly, "lemke", 1e-12, answer);
    experiment_source(report, "section 5, figure 2 b: the kinetic norm gives the acceleration");
    experiment_near(report, "kinetic norm: turn per metre of fall", "rad/m",
                    answer->a[4] / -answer->a[2], turn_per_fall(natural), 1e-9);
  }
  experiment_source(report, "note 2: \"does not depend on the units\"");
  experiment_near(report, "kinetic norm in centimetres: turn per metre of fall", "rad/m",
                  turn_per_fall(natural), turn_per_fall(scaled), 1e-12);
  experiment_source(report,
                    "section 5: with the two-norm the direction \"depends on the units\"; a "
                    "tenth would be seen");
  double off = fabs(turn_per_fall(in_cm) / turn_per_fall(in_m) - 1);
  experiment_at_least(report, "two-norm: direction in centimetres off that in metres by", "", off,
                      0.1);
  experiment_shown(report, "two-norm in metres: turn per metre of fall", "rad/m", (double)NAN,
                   turn_per_fall(in_m));
  experiment_shown(report, "two-norm in centimetres: turn per metre of fall", "rad/m", (double)NAN,
                   turn_per_fall(in_cm));
  free(assembly);
  free(answer);
}

// --- named assemblies --------------------------------------------------------------------------

static void report_named(ExperimentReport* report, const char* name, const Verdict* verdict) {
  char quantity[EXPERIMENT_TEXT];
  experiment_source(report,
                    "eq. 44: one acceleration; the bound is the tolerance, 1e-12, with room");
  snprintf(quantity, sizeof quantity, "%s: formulations differ by", name);
  experiment_at_most(report, quantity, "of g", verdict->difference, 1e-10);
}

static void named(ExperimentReport* report, Assembly* assembly, Answer answers[3]) {
  const double angle = 1, slope = 0.4; // [rad]
  assembly_leaning(assembly, angle);
  Verdict verdict = judge(assembly, &answers[0], &answers[1], &answers[2]);
  report_named(report, "leaning blocks", &verdict);
  experiment_source(report, "derived: a rod that leans without friction, 3 g cos(angle) / 2 L");
  // a rod leaning without friction: 3 g cos(angle) / (2 L), L = 2
  experiment_near(report, "leaning blocks: angular acceleration", "rad/s2",
                  3 * assembly_gravity * cos(angle) / 4, fabs(answers[1].a[4]), 1e-9);

  assembly_incline(assembly, slope);
  verdict = judge(assembly, &answers[0], &answers[1], &answers[2]);
  report_named(report, "block on a slope", &verdict);
  experiment_source(report, "derived: g sin(slope)");
  experiment_near(report, "block on a slope: acceleration", "m/s2", assembly_gravity * sin(slope),
                  rg_vec3_norm(rg_vec3(answers[1].a[0], answers[1].a[1], answers[1].a[2])), 1e-9);

  assembly_corner(assembly);
  verdict = judge(assembly, &answers[0], &answers[1], &answers[2]);
  experiment_source(report, "derived: at rest");
  experiment_row(report, "block in a corner: acceleration", "of g", 0, verdict.size,
                 verdict.solved && verdict.size == 0, "exactly 0");
  assembly_pile(assembly);
  verdict = judge(assembly, &answers[0], &answers[1], &answers[2]);
  experiment_row(report, "pile of ten blocks: acceleration", "of g", 0, verdict.size,
                 verdict.solved && verdict.size == 0, "exactly 0");
}

// --- random assemblies -------------------------------------------------------------------------

static void random_ones(ExperimentReport* report, Assembly* assembly, Answer answers[3]) {
  CliPlot* plot =
      experiment_plot(report, "Random assemblies",
                      "Each point is one assembly. Differences are relative to gravity, "
                      "the angle is that of the third formulation, all in the kinetic "
                      "norm.");
  CliPanel* panels[2] = {cli_plot_panel(plot, "contact forces against least constraint", "bodies",
                                        "difference [of g]", CLI_AXES_LOG_Y),
                         cli_plot_panel(plot, "steepest descent against both", "bodies",
                                        "angle [rad]", CLI_AXES_LOG_Y)};
  CliSeries* points[2] = {cli_panel_series(panels[0], "", CLI_MARK_POINTS, 0),
                          cli_panel_series(panels[1], "", CLI_MARK_POINTS, 1)};
  uint64_t seed = 2002;
  Verdict worst = {0};
  Stated stated = {0};
  int unsolved = 0, moving = 0, redundant = 0;
  for (int i = 0; i < RANDOM_COUNT; i++) {
    if (!experiment_goes_on(report, (double)i / RANDOM_COUNT, "random assemblies"))
      return;
    int count = BODIES_LEAST + i % (BODIES_MOST - BODIES_LEAST + 1);
    assembly_random(assembly, count, &seed);
    Verdict verdict = judge(assembly, &answers[0], &answers[1], &answers[2]);
    if (count <= STEEPEST_BODIES && verdict.size > 0)
      state(assembly, &answers[0], &stated);
    unsolved += !verdict.solved;
    moving += verdict.size > 0;
    redundant += assembly->problem.contact_count > 6 * count;
    worst.difference = fmax(worst.difference, verdict.difference);
    worst.angle = fmax(worst.angle, verdict.angle);
    worst.gap = fmax(worst.gap, verdict.gap);
    worst.illegal = fmax(worst.illegal, verdict.illegal);
    // exact agreement is drawn at the rounding of a double
    cli_series_point(points[0], count, fmax(verdict.difference, 1e-17));
    cli_series_point(points[1], count, fmax(verdict.angle, 1e-17));
  }
  experiment_source(report, "sections 3 to 5: three formulations, one answer; the bound is the "
                            "tolerance of the solves, 1e-12, with room");
  experiment_at_most(report, "random: not solved to 1e-12", "", unsolved, 0);
  experiment_at_most(report, "random: accelerations differ by", "of g", worst.difference, 1e-10);
  experiment_at_most(report, "random: angle of steepest descent", "rad", worst.angle, 1e-10);
  experiment_at_most(report, "random: rate below its bound by", "of the rate", worst.gap, 1e-10);
  experiment_at_most(report, "random: steepest descent enters contacts by", "of its speed",
                     worst.illegal, 1e-10);
  report_stated(report, &stated);
  experiment_chosen(report, "random assemblies", "%d, of %d to %d bodies", (int)RANDOM_COUNT,
                    (int)BODIES_LEAST, (int)BODIES_MOST);
  experiment_chosen(report, "named assemblies", "leaning blocks, a slope, a corner, a pile");
  experiment_given(report, "system", "bodies at rest in contact without friction under gravity");
  experiment_note(report,
                  "%d of the %d random assemblies move, %d have more contacts than degrees of "
                  "freedom; many contacts are given twice. Accelerations below %g of gravity, the "
                  "rounding of the sum of forces, are cut to zero. The paper proves the equalities "
                  "and has no numbers; \"published\" are analytic values.",
                  moving, RANDOM_COUNT, redundant, rest);
}

static void run(ExperimentReport* report) {
  Assembly* assembly = malloc(sizeof *assembly);
  Answer* answers = malloc(3 * sizeof *answers);
  if (assembly && answers) {
    named(report, assembly, answers);
    report_norms(report);
    random_ones(report, assembly, answers);
  } else {
    report->out_of_memory = true;
  }
  free(assembly);
  free(answers);
}

const Experiment experiment_impending_motion = {
    .name = "impending-motion",
    .paper = "Baraff and Mattikalli 1993, eq. 20, 39 and 52, figure 2",
    .work = &experiment_work_baraff,
    .summary = "Contact forces, least constraint and steepest legal descent give one answer to "
               "which way an assembly at rest starts to move.",
    .run = run,
};
