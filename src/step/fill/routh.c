// routh.c - friction that follows the slip through an impact, the option `impacts` = "routh".
//
// Problem: the law of a step takes the friction of an impact against the slip at its end. A body that
// stops sliding, or slides back, in the middle of an impact has had friction the other way before.
// Routh (1860) follows the slip: with p the normal impulse so far, which grows from 0,
//
//     du / dp = W (1, -mu u_T / |u_T|),      W = H' M^-1 H of the one contact,               (1)
//
// while it slides, and u_T = 0 while friction within the cone can hold it there. The impact ends when
// the normal velocity is -e times that at the start (Newton), or before that when all the energy that
// compression took is given back: Newton's coefficient alone can gain some where the slip turns
// round (Kane and Levinson 1985). So no impact gains.
//
// Method: steps of p, the slip of each taken at its end,
//
//     u_T+ = u_T + W_Tn dp + W_TT d,      d = -mu dp u_T+ / |u_T+|,  or u_T+ = 0 with |d| <= mu dp,
//
// whose solution is d = -(W_TT + l I)^-1 (u_T + W_Tn dp) with the l >= 0 at which |d| = mu dp. Stick,
// slip and the turning round of a slip need no cases. Exact up to the turning points where the slip
// keeps its line: in the plane, and for balls; else of first order in dp. The last step is as long as
// the end of the impact needs. Work is that of the means, which is the change of kinetic energy.
//
// For one contact between two bodies with isotropic friction; other impacts follow the law of the
// problem. Fails, and leaves the impact to the problem as well, when STEPS do not end it.
#include "step/fill/fill.h"

#include "problem/operator.h"

#include <string.h>

enum { PARTS = 512, STEPS = 64 * PARTS, NEWTON_STEPS = 50, HALVINGS = 60 };
static const double SAME = 1e-14;

typedef struct Impact {
  double w[3][3]; // of normal and tangents
  double mu;
  bool flat; // one direction of friction
} Impact;

typedef struct Instant {
  double u[3], r[3];
  double work; // [J] so far
} Instant;

// x with (A + l I) x = b for the tangents.
static void solve_tangents(const Impact* impact, double l, const double b[2], double x[2]) {
  double a = impact->w[1][1] + l, c = impact->w[1][2], d = impact->w[2][2] + l;
  if (impact->flat) {
    x[0] = b[0] / a;
    x[1] = 0;
    return;
  }
  double det = a * d - c * c;
  x[0] = (d * b[0] - c * b[1]) / det;
  x[1] = (a * b[1] - c * b[0]) / det;
}

// The impulse of friction d of a step: Newton's method for 1 / |d| as a function of l, which comes to
// the solution from one side (Hebden 1973).
static void find_friction(const Impact* impact, const double c[2], double most, double d[2]) {
  double l = 0;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    double again[2];
    solve_tangents(impact, l, c, d);
    double length2 = d[0] * d[0] + d[1] * d[1], length = sqrt(length2);
    if (length <= most * (1 + SAME))
      break;
    solve_tangents(impact, l, d, again);
    l += length2 / (d[0] * again[0] + d[1] * again[1]) * (length - most) / most;
  }
  d[0] = -d[0];
  d[1] = -d[1];
}

static Instant advance(const Impact* impact, const Instant* from, double dp) {
  Instant to = *from;
  double c[2] = {from->u[1] + impact->w[1][0] * dp, from->u[2] + impact->w[2][0] * dp}, d[2];
  if (impact->flat)
    c[1] = 0;
  find_friction(impact, c, impact->mu * dp, d);
  const double added[3] = {dp, d[0], d[1]};
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++)
      to.u[k] += impact->w[k][l] * added[l];
    to.r[k] += added[k];
  }
  for (int k = 0; k < 3; k++)
    to.work += added[k] * (from->u[k] + to.u[k]) / 2;
  return to;
}

// How far beyond the end of the impact [m/s], at the normal velocity u with which it should end, or
// at no work at all.
static double beyond(const Instant* at, double u, double size) {
  double gain = at->u[0] > 0 && at->work > 0 ? at->work / size : 0;
  return fmax(at->u[0] - u, gain);
}

// Goes through the impact. False when it does not end.
static bool follow(const Impact* impact, double e, Instant* at) {
  double start = at->u[0], end = -e * start, dp = -(1 + e) * start / impact->w[0][0] / PARTS;
  double size = PARTS * dp; // [N s]
  for (int i = 0; i < STEPS; i++) {
    Instant next = advance(impact, at, dp);
    double over = beyond(&next, end, size);
    if (over < 0 || (over == 0 && next.u[0] < end)) {
      *at = next;
      continue;
    }
    double low = 0, high = dp;
    for (int k = 0; k < HALVINGS && high - low > SAME * dp; k++) {
      double middle = 0.5 * (low + high);
      next = advance(impact, at, middle);
      if (beyond(&next, end, size) > 0)
        high = middle;
      else
        low = middle;
    }
    *at = advance(impact, at, low);
    return true;
  }
  return false;
}

static void start_impact(const rgStep* step, const rgProblem* problem,
                         const rgWorldContact* contact, Impact* impact, Instant* at) {
  const rgProblemContact* in = problem->contacts;
  double w[4][4];
  rg_contact_block(problem, in, w);
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      impact->w[k][l] = w[k][l];
  impact->mu = in->mu;
  impact->flat = problem->dimension == 2;
  rgVec3 u = rg_fill_contact_velocity(step, contact, RG_VELOCITY_START);
  *at = (Instant){.u = {v3_dot(in->n, u), v3_dot(in->t, u), v3_dot(in->o, u)}};
}

bool rg_fill_routh(rgStep* step, rgIsland* island) {
  rgProblemSet* set = &step->velocity;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  if (problem.contact_count != 1 || problem.row_count != 0 ||
      problem.contacts->cone != RG_CONE_DISK)
    return false;
  const rgWorldContact* contact = &step->world->contacts[set->contact_order[island->contact_start]];
  Impact impact;
  Instant at;
  start_impact(step, &problem, contact, &impact, &at);
  double scale = fabs(at.u[0]);
  if (!(at.u[0] < 0) || !follow(&impact, rg_fill_restitution(step->world, contact), &at))
    return false;
  memcpy(solution.r, at.r, sizeof at.r);
  solution.r[3] = 0;
  rg_problem_velocity(&problem, &solution);
  island->report = (rgSolveReport){
      .status = RG_OK,
      .certificate = {.scale = scale, .tolerance = step->world->options.tolerance, .met = true}};
  island->settled = true;
  return true;
}
