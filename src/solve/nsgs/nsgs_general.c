// nsgs_general.c - rows, and contacts that are visited one by one.
//
// Impulses are kept in the components of the problem; the one-contact solvers work in the
// components in use, scaled to a circular cone: y_i = r_i / e_i, w_i = e_i u_i.
#include "problem/operator.h"
#include "solve/nsgs/nsgs_pack.h"

#include <string.h>

// -------------------------------------------------------------------------------------------------
// One contact, in body form and in local form
// -------------------------------------------------------------------------------------------------

// The symmetric part of a contact's block in the components that are in use, scaled to a circular
// cone. A visit that changes nothing solves the law with the true velocity, so the symmetric part
// leaves the solution of an unsymmetric W where it is.
static void reduce(const rgProblem* problem, const rgProblemContact* contact,
                   rgNsgsGeneral* general, double block[4][4]) {
  double e[4], w[4][4];
  rg_contact_axes(problem, contact, e);
  rg_contact_block(problem, contact, w);
  int count = 0;
  for (int i = 0; i < 4; i++) {
    if (!(e[i] > 0))
      continue;
    general->part[count] = i;
    general->axis[count] = e[i];
    for (int j = 0; j <= count; j++) {
      int other = general->part[j];
      block[count][j] = block[j][count] =
          e[i] * general->axis[j] * (0.5 * (w[i][other] + w[other][i]));
    }
    count++;
  }
  general->m = count - 1;
  double inverse_rho = rg_contact_inverse_rho(problem, contact, e);
  general->weight = inverse_rho * inverse_rho;
}

// Gives a polygon's block the same small addition that rg_one_reduce makes where W is singular.
static void stiffen(double block[4][4], int m) {
  rgOneBlock one;
  rg_one_reduce(block, m, 0, &one);
  if (m == 0 || !(one.inverse_wnn > 0))
    return;
  double added = one.s[0][0] - (block[1][1] - one.w[0] * block[0][1]);
  for (int i = 1; i <= m; i++)
    block[i][i] += added;
}

void rg_nsgs_general_make(const rgProblem* problem, int index, rgNsgsGeneral* general) {
  const rgProblemContact* contact = &problem->contacts[index];
  double block[4][4] = {{0}};
  memset(general, 0, sizeof *general);
  reduce(problem, contact, general, block);
  general->contact = index;
  general->mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
  if (rg_one_is_polygon(contact)) {
    general->corner_count = general->m == 1 ? 2 : contact->facets;
    stiffen(block, general->m);
    memcpy(general->w, block, sizeof general->w);
  } else {
    rg_one_reduce(block, general->m, general->mu, &general->block);
  }
}

double rg_nsgs_general_solve(rgNsgsGeneral* general, const double (*corners)[2], const double* u,
                             double* r, double change[4]) {
  double y[4] = {0}, w[4] = {0};
  for (int i = 0; i <= general->m; i++) {
    y[i] = r[general->part[i]] / general->axis[i];
    w[i] = u[general->part[i]] * general->axis[i];
  }
  double before[4] = {y[0], y[1], y[2], y[3]};
  if (general->corner_count > 0)
    rg_one_polygon(general->w, general->m, general->mu, general->corner_count,
                   corners + general->first_corner, w, y);
  else
    rg_one_cone(&general->block, w, y, &general->alpha);

  double size = 0;
  for (int i = 0; i <= general->m; i++) {
    int part = general->part[i];
    double next = y[i] * general->axis[i];
    change[part] = next - r[part];
    r[part] = next;
    size += (y[i] - before[i]) * (y[i] - before[i]);
  }
  return size * general->weight;
}

// -------------------------------------------------------------------------------------------------
// Visits in body form
// -------------------------------------------------------------------------------------------------

static void push(const rgNsgs* nsgs, int body, double sign, rgVec3 force, rgVec3 torque) {
  if (body < 0)
    return;
  rgTwist wrench = {v3_scale(force, sign), v3_scale(torque, sign)};
  nsgs->form->add_twist(nsgs, body, rg_mass_response(nsgs->problem, body, wrench));
}

static double visit_general(rgNsgs* nsgs, int index) {
  rgNsgsGeneral* general = &nsgs->generals[index];
  const rgProblemContact* contact = &nsgs->problem->contacts[general->contact];
  double* r = nsgs->lone + 4 * (size_t)index;
  rgTwist a = nsgs->form->twist(nsgs, contact->body_a),
          b = nsgs->form->twist(nsgs, contact->body_b);
  double u[4], change[4] = {0};
  rg_contact_velocity_of(contact, a, b, u);
  double size = rg_nsgs_general_solve(general, (const double(*)[2])nsgs->corners, u, r, change);
  rgVec3 force, torque_a, torque_b;
  rg_contact_wrench(contact, change, &force, &torque_a, &torque_b);
  push(nsgs, contact->body_a, 1, force, torque_a);
  push(nsgs, contact->body_b, -1, force, torque_b);
  return size;
}

static void step(const rgNsgs* nsgs, int body, const rgTwist* unit, double change) {
  rgTwist twist = {v3_scale(unit->linear, change), v3_scale(unit->angular, change)};
  nsgs->form->add_twist(nsgs, body, twist);
}

static double visit_row(rgNsgs* nsgs, int index) {
  const rgProblemRow* row = &nsgs->problem->rows[index];
  const rgNsgsRow* packed = &nsgs->rows[index];
  double* lambda = nsgs->lone + nsgs->lone_count - nsgs->problem->row_count + index;
  rgTwist a = nsgs->form->twist(nsgs, row->body_a), b = nsgs->form->twist(nsgs, row->body_b);
  double w = rg_row_relative_of(row, a, b) + (row->bias + row->compliance * *lambda);
  double next = *lambda - w * packed->inverse_block;
  next = next < row->lower ? row->lower : next > row->upper ? row->upper : next;
  double change = next - *lambda;
  *lambda = next;
  step(nsgs, row->body_a, &packed->step_a, change);
  step(nsgs, row->body_b, &packed->step_b, change);
  return change * change * packed->weight;
}

double rg_nsgs_sweep_generals(rgNsgs* nsgs, bool backward) {
  double worst = 0;
  for (int k = 0; k < nsgs->general_count; k++) {
    double size = visit_general(nsgs, backward ? nsgs->general_count - 1 - k : k);
    if (size > worst)
      worst = size;
  }
  return worst;
}

double rg_nsgs_sweep_rows(rgNsgs* nsgs, bool backward) {
  double worst = 0;
  int count = nsgs->problem->row_count;
  for (int k = 0; k < count; k++) {
    double size = visit_row(nsgs, backward ? count - 1 - k : k);
    if (size > worst)
      worst = size;
  }
  return worst;
}
