// implicit_ncp.c - the mixed complementarity problem of a step (Chakraborty et al. 2007, eq. 10, 11).
//
// Unknowns: v+ (6), and for each contact the closest points a1 on the ball and a2 on the fixed body,
// the impulses p_t, p_o, p_r, p_n and the slip sigma: 6 + 11 per contact, as the paper counts. With f
// and g the functions of the ball at the end of the step and of the fixed body, n the outward normal
// of g, and (t, o) across it,
//
//     M (v+ - v) = h F + (n; r x n) p_n + (t; r x t) p_t + (o; r x o) p_o + (0; n) p_r
//     (1 - n_f n_f') (a1 - a2) = 0,   n_f + n_g = 0     two components each       (eq. 9)
//     f(a1) = 0,   g(a2) = 0
//     e_k^2 mu p_n u_k + p_k sigma = 0                  k = t, o, r               (eq. 5)
//     0 <= p_n perpendicular to f(a2) >= 0                                        (eq. 6)
//     0 <= sigma perpendicular to mu^2 p_n^2 - sum (p_k / e_k)^2 >= 0
//
// The first equation of the points is the paper's without |a1 - a2|, whose slope does not exist where
// bodies touch; which of the two solutions it is, touching or crossing, the normals say as before. Of
// vectors across a normal the two components across the normal at the start of the step are kept.
// Solved by rg_mcp_solve with slopes by central differences.
#include "experiments/implicit_ncp.h"

#include <math.h>
#include <rigor/vec_math.h>
#include <stdlib.h>
#include <string.h>

// What is known before the step.
typedef struct Frame {
  rgVec3 t[NCP_CONTACTS], o[NCP_CONTACTS]; // across the normals of the start
} Frame;

typedef struct Problem {
  const Ncp* ncp;
  Frame frame;
  bool open[NCP_CONTACTS]; // has no impulse
} Problem;

static rgVec3 unit_or(rgVec3 x, rgVec3 other) {
  double length = rg_vec3_norm(x);
  return length > 0 ? rg_vec3_scale(x, 1 / length) : other;
}

static rgVec3 vector_at(const double* z) { return (rgVec3){z[0], z[1], z[2]}; }

// Value of |x - c|^2 / r^2 - 1.
static double ball(rgVec3 x, rgVec3 center, double radius) {
  return rg_vec3_norm2(rg_vec3_sub(x, center)) / (radius * radius) - 1;
}

static void evaluate_contact(const Problem* problem, int k, rgVec3 position, const double* z,
                             rgTwist v, rgTwist* wrench, double* f) {
  const Ncp* ncp = problem->ncp;
  rgVec3 a1 = vector_at(z), a2 = vector_at(z + 3);
  double p_t = z[6], p_o = z[7], p_r = z[8], p_n = z[9], sigma = z[10];
  rgVec3 n_f = unit_or(rg_vec3_sub(a1, position), (rgVec3){0, 0, 1});
  rgVec3 n = unit_or(rg_vec3_sub(a2, ncp->center[k]), (rgVec3){0, 0, 1});
  rgVec3 t = unit_or(rg_vec3_axpy(problem->frame.t[k], -rg_vec3_dot(problem->frame.t[k], n), n),
                     problem->frame.t[k]);
  rgVec3 o = rg_vec3_cross(n, t), arm = rg_vec3_sub(a1, position), between = rg_vec3_sub(a1, a2);
  rgVec3 across = rg_vec3_axpy(between, -rg_vec3_dot(n_f, between), n_f), sum = rg_vec3_add(n_f, n);
  rgVec3 u = rg_vec3_add(v.linear, rg_vec3_cross(v.angular, arm));
  rgVec3 p = rg_vec3_axpy(rg_vec3_axpy(rg_vec3_scale(n, p_n), p_t, t), p_o, o);
  rgVec3 moment = rg_vec3_axpy(rg_vec3_cross(arm, p), p_r, n);
  wrench->linear = rg_vec3_add(wrench->linear, p);
  wrench->angular = rg_vec3_add(wrench->angular, moment);
  f[0] = rg_vec3_dot(problem->frame.t[k], across);
  f[1] = rg_vec3_dot(problem->frame.o[k], across);
  f[2] = rg_vec3_dot(problem->frame.t[k], sum);
  f[3] = rg_vec3_dot(problem->frame.o[k], sum);
  f[4] = ball(a1, position, ncp->radius);
  f[5] = ball(a2, ncp->center[k], ncp->radii[k]);
  if (problem->open[k]) { // of 0 = 0 every slip is a solution: impulses and slip are set to zero
    memcpy(f + 6, z + 6, 5 * sizeof *f);
    return;
  }
  f[6] = ncp->e_t * ncp->e_t * ncp->mu * p_n * rg_vec3_dot(t, u) + p_t * sigma;
  f[7] = ncp->e_o * ncp->e_o * ncp->mu * p_n * rg_vec3_dot(o, u) + p_o * sigma;
  f[8] = ncp->e_r * ncp->e_r * ncp->mu * p_n * rg_vec3_dot(n, v.angular) + p_r * sigma;
  f[9] = ball(a2, position, ncp->radius);
  f[10] = ncp->mu * ncp->mu * p_n * p_n - p_t * p_t / (ncp->e_t * ncp->e_t) -
          p_o * p_o / (ncp->e_o * ncp->e_o) - p_r * p_r / (ncp->e_r * ncp->e_r);
}

static void evaluate(void* context, const double* z, double* f) {
  const Problem* problem = context;
  const Ncp* ncp = problem->ncp;
  rgTwist v = {vector_at(z), vector_at(z + 3)}, wrench = {rg_vec3_zero(), rg_vec3_zero()};
  rgVec3 position = rg_vec3_axpy(ncp->position, ncp->h, v.linear);
  for (int k = 0; k < NCP_CONTACTS; ++k)
    evaluate_contact(problem, k, position, z + 6 + 11 * k, v, &wrench, f + 6 + 11 * k);
  rgVec3 linear = rg_vec3_scale(rg_vec3_sub(v.linear, ncp->velocity.linear), ncp->mass);
  linear = rg_vec3_sub(rg_vec3_axpy(linear, -ncp->h, ncp->force), wrench.linear);
  rgVec3 angular = rg_vec3_scale(rg_vec3_sub(v.angular, ncp->velocity.angular), ncp->inertia);
  angular = rg_vec3_sub(angular, wrench.angular);
  const double balance[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  memcpy(f, balance, sizeof balance);
}

static void slopes(void* context, const double* z, double* values) {
  const double step = 1e-7;
  double at[NCP_UNKNOWNS], above[NCP_UNKNOWNS], below[NCP_UNKNOWNS];
  memcpy(at, z, sizeof at);
  for (int j = 0; j < NCP_UNKNOWNS; ++j) {
    at[j] = z[j] + step;
    evaluate(context, at, above);
    at[j] = z[j] - step;
    evaluate(context, at, below);
    at[j] = z[j];
    for (int i = 0; i < NCP_UNKNOWNS; ++i)
      values[j * NCP_UNKNOWNS + i] = (above[i] - below[i]) / (2 * step);
  }
}

static rgVec3 normal_at(const Ncp* ncp, int k) {
  return unit_or(rg_vec3_sub(ncp->position, ncp->center[k]), (rgVec3){0, 0, 1});
}

// Puts the closest points where they are when the ball is at `position`, as a guess.
static void place_points(const Ncp* ncp, rgVec3 position, double* z) {
  for (int k = 0; k < NCP_CONTACTS; ++k) {
    rgVec3 n = unit_or(rg_vec3_sub(position, ncp->center[k]), (rgVec3){0, 0, 1});
    rgVec3 a1 = rg_vec3_axpy(position, -ncp->radius, n),
           a2 = rg_vec3_axpy(ncp->center[k], ncp->radii[k], n);
    const double points[6] = {a1.x, a1.y, a1.z, a2.x, a2.y, a2.z};
    memcpy(z + 6 + 11 * k, points, sizeof points);
  }
}

void ncp_begin(Ncp* ncp) {
  memset(ncp->z, 0, sizeof ncp->z);
  for (int k = 0; k < NCP_CONTACTS; ++k)
    ncp->z[6 + 11 * k + 9] = ncp->h; // some push, so that friction has a slope
}

static void take(Ncp* ncp) {
  const double* z = ncp->z;
  ncp->velocity = (rgTwist){vector_at(z), vector_at(z + 3)};
  ncp->position = rg_vec3_axpy(ncp->position, ncp->h, ncp->velocity.linear);
  for (int k = 0; k < NCP_CONTACTS; ++k) {
    const double* own = z + 6 + 11 * k;
    rgVec3 n = normal_at(ncp, k), arm = rg_vec3_scale(n, -ncp->radius);
    rgVec3 u = rg_vec3_add(ncp->velocity.linear, rg_vec3_cross(ncp->velocity.angular, arm));
    ncp->normal[k] = own[9];
    ncp->friction[k] = hypot(hypot(own[6] / ncp->e_t, own[7] / ncp->e_o), own[8] / ncp->e_r);
    ncp->slip[k] = rg_vec3_norm(rg_vec3_axpy(u, -rg_vec3_dot(u, n), n));
    ncp->gap[k] =
        rg_vec3_norm(rg_vec3_sub(ncp->position, ncp->center[k])) - ncp->radius - ncp->radii[k];
  }
}

// Starts of a solve: the last step, or pushes of ever smaller parts of the force, without friction. A
// contact that is open has no impulse.
enum { STARTS = 8 };
static void guess(const Problem* problem, int start, double* z) {
  const Ncp* ncp = problem->ncp;
  memcpy(z, ncp->z, sizeof ncp->z);
  place_points(ncp, rg_vec3_axpy(ncp->position, ncp->h, vector_at(z)), z);
  double push = ncp->h * rg_vec3_norm(ncp->force);
  for (int i = 1; i < start; ++i)
    push *= 0.3;
  for (int k = 0; k < NCP_CONTACTS; ++k) {
    double* impulses = z + 6 + 11 * k + 6;
    if (problem->open[k])
      memset(impulses, 0, 5 * sizeof *z);
    else if (start > 0)
      memcpy(impulses, (double[]){0, 0, 0, push, ncp->slip[k]}, 5 * sizeof *z);
  }
}

// Equations of closest points also hold for farthest ones, where a solve may end far from its start.
static bool is_outside(const Ncp* ncp, const double* z) {
  rgVec3 position = rg_vec3_axpy(ncp->position, ncp->h, vector_at(z));
  for (int k = 0; k < NCP_CONTACTS; ++k) {
    double between = rg_vec3_norm(rg_vec3_sub(position, ncp->center[k]));
    if (between < (ncp->radius + ncp->radii[k]) * (1 - 1e-9))
      return false;
  }
  return true;
}

static void choose_frames(const Ncp* ncp, Frame* frame) {
  for (int k = 0; k < NCP_CONTACTS; ++k) {
    rgVec3 n = normal_at(ncp, k), x = {1, 0, 0};
    frame->t[k] = unit_or(rg_vec3_axpy(x, -rg_vec3_dot(x, n), n), (rgVec3){0, 1, 0});
    frame->o[k] = rg_vec3_cross(n, frame->t[k]);
  }
}

static bool solve(Problem* context, int start, void* work, double* z, rgMcpReport* report) {
  double lower[NCP_UNKNOWNS], upper[NCP_UNKNOWNS];
  for (int i = 0; i < NCP_UNKNOWNS; ++i) {
    bool complementary = i >= 6 && (i - 6) % 11 >= 9 && !context->open[(i - 6) / 11];
    lower[i] = complementary ? 0 : -HUGE_VAL;
    upper[i] = HUGE_VAL;
  }
  rgMcp problem = {.count = NCP_UNKNOWNS,
                   .lower = lower,
                   .upper = upper,
                   .context = context,
                   .function = evaluate,
                   .jacobian = slopes};
  rgMcpStop stop = rg_mcp_stop_default();
  stop.tolerance = 1e-13;
  guess(context, start, z);
  return rg_mcp_solve(&problem, &stop, z, work, report, NULL) == RG_OK &&
         is_outside(context->ncp, z);
}

bool ncp_step(Ncp* ncp, rgMcpReport* report) {
  Problem context = {.ncp = ncp};
  rgMcp size = {.count = NCP_UNKNOWNS};
  void* work = malloc(rg_mcp_work_size(&size));
  double z[NCP_UNKNOWNS];
  bool solved = false;
  choose_frames(ncp, &context.frame);
  // First with all contacts; where one separates, its equations of friction determine nothing any
  // more, and it is taken out.
  for (int open = 0; work && !solved && open < 1 << NCP_CONTACTS; ++open) {
    for (int k = 0; k < NCP_CONTACTS; ++k)
      context.open[k] = open >> k & 1;
    for (int start = 0; start < STARTS && !solved; ++start)
      solved = solve(&context, start, work, z, report);
  }
  free(work);
  if (!solved)
    return false;
  memcpy(ncp->z, z, sizeof z);
  for (int k = 0; k < NCP_CONTACTS; ++k)
    if (!(ncp->z[6 + 11 * k + 9] > 0))
      ncp->z[6 + 11 * k + 9] = 0;
  take(ncp);
  return true;
}
