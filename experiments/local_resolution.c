// local_resolution.c - how the problem of one contact is solved in a sweep (Renouf et al. 2005, section
// 6.2).
//
// The paper resolves a contact explicitly: the impulse that makes it stick, scaled back to the cone. For
// spheres, whose block W_cc is diagonal, that is the law; for other bodies it uses the inverse of the
// full block, and reports "erratic behavior" with its diagonal alone, as on masonry. nsgs has both as
// its option local (1 and 2) beside the exact resolution (0).
//
// A wall of ten blocks rests on the ground with friction, after one step under gravity and a push to the
// side. The residual of the certificate is what a solve leaves. With the diagonal alone, a visit is a
// step of Jacobi's method on the block, which converges where the largest eigenvalue of D^-1 W_cc is
// below 2. Of a solid unit cube of unit mass at its corner, with moments of inertia 1/6,
//
//     W_nn = 1 + (1/4 + 1/4) 6 = 4,   W_nt = W_no = -(1/4) 6,     largest eigenvalue 1 + 2 (1.5 / 4) = 1.75,
//
// and with the mass at the centre, the moments going to zero, 1 + 2 / 2 = 2: the diagonal is slower, but
// never diverges on a block.
#include "experiments/assembly.h"
#include "experiments/experiment.h"

#include <math.h>
#include <stdlib.h>

enum { RESOLUTIONS = 3, LIMIT = 5000, FEW = 20 };
static const char* const resolutions[RESOLUTIONS] = {"exact", "explicit", "diagonal"};
static const char* const options[RESOLUTIONS] = {"momentum=0,local=0", "momentum=0,local=1",
                                                 "momentum=0,local=2"};
static const double mu = 0.7, tolerance = 1e-8, step = 0.01, push = 0.02; // [], [], [s], [m/s]

typedef struct Outcome {
  bool met;
  int sweeps;
  double residual;
} Outcome;

static void make_wall(Assembly* assembly) {
  assembly_pile(assembly);
  for (int i = 0; i < assembly->problem.body_count; i++) {
    rgProblemBody* body = &assembly->bodies[i];
    body->v_free.linear = rg_vec3(push, 0.4 * push, -assembly_gravity * step);
  }
  for (int i = 0; i < assembly->problem.contact_count; i++) {
    assembly->contacts[i].cone = RG_CONE_DISK;
    assembly->contacts[i].mu = mu;
    assembly->contacts[i].e_t = assembly->contacts[i].e_o = 1;
  }
}

// Spheres in a row on the ground, pushed against each other, some of them sliding.
static void make_spheres(Assembly* assembly) {
  enum { COUNT = 10 };
  const double radius = 0.5;
  assembly_begin(assembly);
  for (int i = 0; i < COUNT; i++) {
    int body =
        assembly_box(assembly, rg_vec3(i, 0, radius), rg_vec3(1, 1, 1), 1, (rgQuat){1, 0, 0, 0});
    assembly->bodies[body].v_free.linear =
        rg_vec3(0.3 * (i % 3 - 1), 0.1 * (i % 2), -assembly_gravity * step);
    assembly_contact(assembly, body, -1, rg_vec3(i, 0, 0), rg_vec3(0, 0, 1));
    if (i > 0)
      assembly_contact(assembly, i, i - 1, rg_vec3(i - radius, 0, radius), rg_vec3(1, 0, 0));
  }
  for (int i = 0; i < assembly->problem.contact_count; i++) {
    assembly->contacts[i].cone = RG_CONE_DISK;
    assembly->contacts[i].mu = 0.3;
    assembly->contacts[i].e_t = assembly->contacts[i].e_o = 1;
  }
}

static Outcome solve(const Assembly* assembly, int resolution, int limit) {
  Outcome outcome = {false, 0, (double)NAN};
  void* work = malloc(rg_solve_work_size(&assembly->problem, "nsgs"));
  double* memory = calloc(6 * ASSEMBLY_BODIES + 4 * ASSEMBLY_CONTACTS, sizeof *memory);
  if (work && memory) {
    rgStop stop = rg_stop_default();
    stop.tolerance = tolerance;
    stop.iteration_limit = limit;
    rgSolution solution = {memory, memory + 6 * ASSEMBLY_BODIES, NULL};
    rgSolveReport report;
    rg_solve(&assembly->problem, "nsgs", options[resolution], &stop, &solution, work, &report,
             NULL);
    outcome = (Outcome){report.certificate.met, report.iterations, report.certificate.residual};
  }
  free(work);
  free(memory);
  return outcome;
}

static void report_spheres(ExperimentReport* report, Assembly* assembly) {
  make_spheres(assembly);
  for (int k = 0; k < RESOLUTIONS; k++) {
    char quantity[EXPERIMENT_TEXT];
    Outcome outcome = solve(assembly, k, LIMIT);
    experiment_source(report, "section 6.2: \"for spherical bodies the block is diagonal\"");
    snprintf(quantity, sizeof quantity, "spheres, %s: residual", resolutions[k]);
    experiment_at_most(report, quantity, "", outcome.residual, tolerance);
    snprintf(quantity, sizeof quantity, "spheres, %s: sweeps", resolutions[k]);
    experiment_shown(report, quantity, "", (double)NAN, outcome.sweeps);
  }
}

static void report_wall(ExperimentReport* report, Assembly* assembly) {
  char quantity[EXPERIMENT_TEXT];
  Outcome outcome[RESOLUTIONS];
  make_wall(assembly);
  experiment_source(report,
                    "section 6.2: with the full block \"the stability is ensured\"; derived for "
                    "the diagonal: eigenvalue 1.75 < 2");
  for (int k = 0; k < RESOLUTIONS; k++) {
    outcome[k] = solve(assembly, k, LIMIT);
    snprintf(quantity, sizeof quantity, "wall, %s: residual", resolutions[k]);
    experiment_at_most(report, quantity, "", outcome[k].residual, tolerance);
  }
  experiment_source(report, "derived: the larger eigenvalue makes it slower");
  experiment_row(report, "wall: sweeps of diagonal over those of explicit", "", (double)NAN,
                 (double)outcome[2].sweeps / outcome[1].sweeps,
                 outcome[2].sweeps > outcome[1].sweeps, "above 1");
  for (int k = 0; k < RESOLUTIONS; k++) {
    snprintf(quantity, sizeof quantity, "wall, %s: sweeps", resolutions[k]);
    experiment_shown(report, quantity, "", (double)NAN, outcome[k].sweeps);
    snprintf(quantity, sizeof quantity, "wall, %s: residual after %d sweeps", resolutions[k],
             (int)FEW);
    experiment_shown(report, quantity, "", (double)NAN, solve(assembly, k, FEW).residual);
  }
  experiment_disagrees(report,
                       "The paper observes erratic behavior with the diagonal of the block alone. "
                       "On a wall of solid "
                       "blocks we do not: a visit is then a step of Jacobi's method on a block "
                       "whose largest eigenvalue, "
                       "over its diagonal, is 1.75, and below 2 for every mass distribution of a "
                       "cube, so that sweeps "
                       "converge, in %d instead of %d. Where the reported behavior comes from, few "
                       "sweeps in real time or "
                       "another form of the diagonal, is not said.",
                       outcome[2].sweeps, outcome[1].sweeps);
}

static void run(ExperimentReport* report) {
  Assembly* assembly = malloc(sizeof *assembly);
  if (!assembly) {
    report->out_of_memory = true;
    return;
  }
  report_spheres(report, assembly);
  report_wall(report, assembly);
  experiment_given(report, "local resolution",
                   "steps 1 to 4 of section 6.2; sweeps forth, no momentum");
  experiment_chosen(report, "wall", "ten unit cubes, mu = %g, one step of %g s, pushed with %g m/s",
                    mu, step, push);
  experiment_chosen(report, "spheres", "ten in a row on the ground, mu = 0.3");
  experiment_chosen(report, "tolerance, most sweeps", "%g, %d", tolerance, (int)LIMIT);
  free(assembly);
}

const Experiment experiment_local_resolution = {
    .name = "local-resolution",
    .paper = "Renouf et al. 2005, section 6.2",
    .work = &experiment_work_renouf,
    .summary =
        "Sweeps over spheres and a wall with the exact resolution of one contact, the explicit "
        "one of the paper, and its diagonal form.",
    .run = run,
};
