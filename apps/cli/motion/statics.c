// statics.c - can a system at rest stay at rest, with friction? See statics.h.
#include "cli/motion/statics.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>

// Both proofs hold up to this part of the free velocity.
static const double tolerance = 1e-7;
// What the minimization is asked for: well below.
static const double asked = 1e-10;

static rgTwist twist_of(const double* v, int body) {
  const double* b = v + 6 * (size_t)(body < 0 ? 0 : body);
  rgTwist twist = {{0, 0, 0}, {0, 0, 0}};
  if (body >= 0)
    twist = (rgTwist){{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
  return twist;
}

// |v + w x arm|
static double point_speed(rgTwist twist, rgVec3 arm) {
  return rg_vec3_norm(rg_vec3_add(twist.linear, rg_vec3_cross(twist.angular, arm)));
}

static double along(rgTwist g, rgTwist twist) {
  return rg_vec3_dot(g.linear, twist.linear) + rg_vec3_dot(g.angular, twist.angular);
}

// The largest velocity of a body's material points where something touches, over all contacts and
// rows: what residuals compare with.
static double contact_speed(const rgProblem* problem, const double* v) {
  double largest = 0;
  for (int i = 0; i < problem->contact_count; ++i) {
    const rgProblemContact* contact = &problem->contacts[i];
    largest = fmax(largest, point_speed(twist_of(v, contact->body_a), contact->arm_a));
    largest = fmax(largest, point_speed(twist_of(v, contact->body_b), contact->arm_b));
  }
  for (int i = 0; i < problem->body_count; ++i)
    largest = fmax(largest, rg_vec3_norm(twist_of(v, i).linear));
  return largest;
}

static double free_speed(const rgProblem* problem) {
  double largest = 0;
  for (int i = 0; i < problem->body_count; ++i)
    largest = fmax(largest, rg_vec3_norm(problem->bodies[i].v_free.linear));
  return largest;
}

double cli_statics_work(const rgProblem* problem, const double* v) {
  double sum = 0;
  for (int i = 0; i < problem->body_count; ++i) {
    const rgProblemBody* body = &problem->bodies[i];
    rgTwist twist = twist_of(v, i);
    if (body->inverse_mass > 0)
      sum += rg_vec3_dot(body->v_free.linear, twist.linear) / body->inverse_mass;
    const rgMat3* j = &body->inverse_inertia;
    if (rg_vec3_norm2(body->v_free.angular) > 0 && j->m[0][0] * j->m[1][1] * j->m[2][2] > 0) {
      rgMat3 inertia = rg_mat3_inverse(j);
      sum += rg_vec3_dot(body->v_free.angular, rg_mat3_apply(&inertia, twist.angular));
    }
  }
  return sum;
}

// Every contact opens or stays, seen from its cone; two-sided rows stay. Rows with finite bounds
// could do work either way: then nothing is shown.
static bool only_opens(const rgProblem* problem, const double* v, const double* all_u,
                       double limit) {
  for (int i = 0; i < problem->contact_count; ++i) {
    const rgProblemContact* contact = &problem->contacts[i];
    const double* u = all_u + 4 * (size_t)i;
    double e[4], slip = 0;
    rg_problem_axes(problem, i, e);
    for (int k = 1; k < 4; ++k)
      slip += e[k] * u[k] * e[k] * u[k];
    double mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
    if (!(u[0] - mu * sqrt(slip) >= -limit))
      return false;
  }
  for (int i = 0; i < problem->row_count; ++i) {
    const rgProblemRow* row = &problem->rows[i];
    double w =
        along(row->g_a, twist_of(v, row->body_a)) + along(row->g_b, twist_of(v, row->body_b));
    bool one_sided = row->lower == 0 && isinf(row->upper);
    bool two_sided = isinf(row->lower) && isinf(row->upper);
    bool kept = one_sided ? w >= -limit : two_sided && fabs(w) <= limit;
    if (!kept || row->compliance > 0)
      return false;
  }
  return true;
}

// What the solution shows.
static CliStatics judge(const rgProblem* problem, const rgSolution* solution, double* u) {
  double* w = u + 4 * (size_t)problem->contact_count;
  rg_problem_relative(problem, solution->v, u, w);
  double limit = tolerance * free_speed(problem), speed = contact_speed(problem, solution->v);
  if (speed <= limit)
    return CLI_STATICS_STANDS;
  if (cli_statics_work(problem, solution->v) > 0 &&
      only_opens(problem, solution->v, u, tolerance * speed))
    return CLI_STATICS_MOVES;
  return CLI_STATICS_UNDECIDED;
}

// The two ways to the least net force: the first settles assemblies of thousands of contacts in a
// few factorizations, the second takes what the first refuses.
static const char* const ways[] = {"newton", "cpg"};
static const int ITERATIONS[] = {1000, 100000};
enum { CALLS = 4 };

static size_t relative_size(const rgProblem* problem) {
  return (4 * (size_t)problem->contact_count + (size_t)problem->row_count + 1) * sizeof(double);
}

size_t cli_statics_work_size(const rgProblem* problem) {
  size_t most = relative_size(problem);
  for (int i = 0; i < 2; ++i) {
    size_t size = rg_solve_work_size(problem, ways[i]);
    most = size > most ? size : most;
  }
  return most;
}

CliStatics cli_statics_proof(const rgProblem* problem, rgSolution* solution, void* work) {
  rgStop stop = rg_stop_default();
  stop.tolerance = asked;
  CliStatics verdict = CLI_STATICS_UNDECIDED;
  bool taken = false;
  for (int i = 0; i < 2 && !taken; ++i) {
    stop.iteration_limit = ITERATIONS[i];
    // Near the limit the first call leaves it open; the next goes on from there.
    for (int call = 0; call < CALLS && verdict == CLI_STATICS_UNDECIDED; ++call) {
      rgSolveReport report;
      rgStatus status =
          rg_solve(problem, ways[i], "associated=1", &stop, solution, work, &report, NULL);
      if (status == RG_ERROR_UNSUPPORTED || status == RG_ERROR_INPUT)
        break;
      taken = taken || report.factorizations > 0;
      verdict = judge(problem, solution, work);
    }
  }
  return verdict;
}

rgStatus cli_statics(const rgProblem* problem, CliStatics* verdict) {
  size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count;
  double* v = calloc(6 * bodies + 4 * contacts + (size_t)problem->row_count + 1, sizeof(double));
  void* work = malloc(cli_statics_work_size(problem));
  *verdict = CLI_STATICS_UNDECIDED;
  rgStatus status = v && work ? RG_OK : RG_ERROR_MEMORY;
  if (status == RG_OK) {
    rgSolution solution = {v, v + 6 * bodies, v + 6 * bodies + 4 * contacts};
    *verdict = cli_statics_proof(problem, &solution, work);
  }
  free(v);
  free(work);
  return status;
}
