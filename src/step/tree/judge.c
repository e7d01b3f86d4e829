// judge.c - the certificate of an answer in the rates of trees, link by link.
//
// Problem: velocities v of all bodies, impulses of contacts and of the rows along axes, and for each link the wrench w
// of its joint's implied rows. What does the answer miss of the discrete problem (problem.h), whose implied rows
// are not written?
//
// Rows. With the arms r of link and parent, the implied rows of a joint that holds a point say that v + w x r is the
// same on both, and that the angular velocities differ by a sum of the axes a alone: what is left of the first
// difference, and of the second one across the axes, is what they miss. A direction counts with the size of the joint
// as its lever, as rows do.
//
// Dynamics. The wrenches are the balance of momentum itself, from the leaves to the roots: M (v - v_free) less what
// contacts and other rows do. What a joint can not give is a moment along its axes: that part of w is missed by the
// balance of its two bodies, and does M^-1 of it to each. So does what M and M^-1 lack to be inverses of each other.
//
// Contacts and rows along axes are judged as everywhere (problem/certificate.c).
//
// All of it is of the size of rounding where the answer is one: velocities below VELOCITY_ROUNDING of those that they
// are the difference of count as zero, as everywhere.
#include "problem/operator.h"
#include "step/tree/tree.h"

#include <string.h>

static const double VELOCITY_ROUNDING = 16 * 2.2e-16;

static double worse(double a, double b) { return b <= a ? a : b > a ? b : HUGE_VAL; }

// The part of x across the axes of a joint: of one axis, all but along it; of two, along what is across both.
static rgVec3 across_axes(const rgProblemLink* link, rgVec3 x) {
  if (link->axis_count == 0)
    return x;
  rgVec3 a = link->axis[0].angular;
  if (link->axis_count == 1)
    return v3_axpy(x, -v3_dot(a, x) / v3_norm2(a), a);
  rgVec3 n = v3_cross(a, link->axis[1].angular);
  return link->axis_count == 2 ? v3_scale(n, v3_dot(n, x) / v3_norm2(n)) : v3_zero();
}

static double sum_of(rgVec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

// The largest of three numbers that are differences of such of this size; 0 for rounding.
static double seen(rgVec3 x, double size) {
  double most = worse(worse(fabs(x.x), fabs(x.y)), fabs(x.z));
  return most <= VELOCITY_ROUNDING * size && size < HUGE_VAL ? 0 : most;
}

// [m/s] what the implied rows of a link miss.
static double missed_by_link(const rgReduced* reduced, int body, double size) {
  const rgProblemLink* link = &reduced->problem->links[body];
  rgTwist own = rg_body_twist(reduced->v, body), given = rg_body_twist(reduced->v, link->parent);
  rgVec3 arm = v3_add(link->arm, link->from_parent);
  rgVec3 turn = v3_cross(own.angular, link->arm), other = v3_cross(given.angular, arm);
  rgVec3 apart = v3_sub(v3_add(own.linear, turn), v3_add(given.linear, other));
  double linear = sum_of(own.linear) + sum_of(turn) + sum_of(given.linear) + sum_of(other),
         angular = sum_of(own.angular) + sum_of(given.angular);
  rgVec3 turned = across_axes(link, v3_sub(own.angular, given.angular));
  return worse(seen(apart, linear), size * seen(turned, angular));
}

// [m/s] of a body's velocity at its joints: M^-1 of a moment that is not balanced.
static double unbalanced(const rgProblem* problem, int body, rgVec3 moment, double size) {
  if (body < 0)
    return 0;
  return v3_norm(rg_mass_response(problem, body, (rgTwist){v3_zero(), moment}).angular) * size;
}

// [m/s] what the wrench of a link's joint has along its axes.
static double missed_by_wrench(const rgReduced* reduced, int body, const double* size) {
  const rgProblemLink* link = &reduced->problem->links[body];
  rgTwist w = rg_body_twist(reduced->wrench, body);
  rgVec3 moment = v3_sub(w.angular, v3_cross(link->arm, w.linear)),
         along = v3_sub(moment, across_axes(link, moment));
  double parent = link->parent < 0 ? 0 : size[link->parent];
  return worse(unbalanced(reduced->problem, body, along, size[body]),
               unbalanced(reduced->problem, link->parent, along, parent));
}

// [m/s] what M (v - v_free) lacks of leading back to v.
static double missed_by_mass(const rgReduced* reduced, int body, double size) {
  rgVec3 w = rg_body_twist(reduced->v, body).angular,
         free = rg_body_free(reduced->problem, body).angular, gained = v3_sub(w, free);
  rgTwist p = {v3_zero(), six_apply(&reduced->masses[body].inertia, gained)};
  rgVec3 back = rg_mass_response(reduced->problem, body, p).angular;
  return size * seen(v3_sub(back, gained), sum_of(w) + sum_of(free));
}

// A row without bounds whose velocity is the rounding of what it is the sum of.
static bool surely_holds(const rgProblemRow* row, double lambda, const double* v) {
  double w = rg_row_relative(row, v), soft = row->compliance * lambda;
  return row->lower == -HUGE_VAL && row->upper == HUGE_VAL && !row->far &&
         fabs(w + row->bias + soft) <= VELOCITY_ROUNDING * (fabs(row->bias) + fabs(soft));
}

// [m/s] what the rows that are written miss.
static double missed_by_rows(const rgReduced* reduced, const rgSolution* solution) {
  rgProblem part = *reduced->problem;
  rgCertificate certificate;
  double most = 0;
  part.contact_count = 0;
  part.row_count = 1;
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    part.rows = reduced->problem->rows + i;
    if (surely_holds(part.rows, solution->lambda[i], solution->v))
      continue;
    rgSolution own = {.v = solution->v, .r = solution->r, .lambda = solution->lambda + i};
    rg_problem_laws(&part, &own, &certificate);
    most = worse(most, certificate.joint);
  }
  return most;
}

void rg_tree_judge(const rgReduced* reduced, const rgSolution* solution, const double* size,
                   double scale, double tolerance, rgCertificate* certificate) {
  const rgProblem* problem = reduced->problem;
  memset(certificate, 0, sizeof *certificate);
  if (problem->contact_count > 0) {
    rgProblem contacts = *problem;
    contacts.row_count = 0;
    rg_problem_laws(&contacts, solution, certificate);
  }
  double joint = missed_by_rows(reduced, solution), dynamics = 0;
  for (int i = 0; i < problem->body_count; i++) {
    dynamics = worse(dynamics, missed_by_mass(reduced, i, size[i]));
    if (problem->links[i].row < 0)
      continue;
    joint = worse(joint, missed_by_link(reduced, i, size[i]));
    dynamics = worse(dynamics, missed_by_wrench(reduced, i, size));
  }
  certificate->joint = joint;
  certificate->dynamics = dynamics;
  certificate->scale = scale;
  rg_problem_rate(certificate, tolerance);
}
