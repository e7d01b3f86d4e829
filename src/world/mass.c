// mass.c - mass of a body from its definition and its shapes.
//
// Shapes add up by the parallel-axis theorem. A given inertia is checked for physical possibility:
// finite, symmetric, positive definite, and its principal moments obey the triangle inequality a +
// b >= c, which every mass distribution does.
#include "world/mass.h"

#include "base/message.h"
#include "math/sym3.h"

// Rounding allowed in symmetry and in the triangle inequality, relative to the largest moment:
// numbers in files have often been printed with few digits.
static const double INERTIA_SLACK = 1e-6;

// m (|d|^2 I - d d')
static rgMat3 point_inertia(double mass, rgVec3 d) {
  double a[3] = {d.x, d.y, d.z}, d2 = v3_norm2(d);
  rgMat3 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.m[i][j] = mass * ((i == j ? d2 : 0) - a[i] * a[j]);
  return out;
}

static rgMassProperties add_up(const rgMassProperties* solids, int count) {
  rgMassProperties sum = {0};
  for (int i = 0; i < count; i++) {
    sum.mass += solids[i].mass;
    sum.center = v3_axpy(sum.center, solids[i].mass, solids[i].center);
  }
  if (sum.mass > 0)
    sum.center = v3_scale(sum.center, 1 / sum.mass);
  for (int i = 0; i < count; i++) {
    rgMat3 moved = point_inertia(solids[i].mass, v3_sub(solids[i].center, sum.center));
    sum.inertia = m3_add(&sum.inertia, &solids[i].inertia);
    sum.inertia = m3_add(&sum.inertia, &moved);
  }
  return sum;
}

static rgStatus check_inertia(const rgMat3* inertia, rgMessage* message) {
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (!isfinite(inertia->m[i][j]))
        return rg_fail(message, RG_ERROR_INPUT, "inertia is not finite");
      largest = fmax(largest, fabs(inertia->m[i][j]));
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      if (fabs(inertia->m[i][j] - inertia->m[j][i]) > INERTIA_SLACK * largest)
        return rg_fail(message, RG_ERROR_INPUT,
                       "inertia is not symmetric: entries (%d,%d) and (%d,%d) are %g and %g", i, j,
                       j, i, inertia->m[i][j], inertia->m[j][i]);
  rgVec3 moments;
  rgMat3 axes;
  rg_sym3_eigen(inertia, &moments, &axes);
  if (!(moments.x > 0))
    return rg_fail(message, RG_ERROR_INPUT, "inertia has the principal moment %g, must be > 0",
                   moments.x);
  if (moments.x + moments.y < moments.z * (1 - INERTIA_SLACK))
    return rg_fail(message, RG_ERROR_INPUT,
                   "inertia is impossible: principal moments %g, %g, %g; the sum of two must not "
                   "be less than the third",
                   moments.x, moments.y, moments.z);
  return RG_OK;
}

rgStatus rg_body_mass_combine(const rgBodyDef* def, const rgMassProperties* solids, int solid_count,
                              rgMassProperties* out, rgMessage* message) {
  *out = (rgMassProperties){0};
  if (def->kind != RG_BODY_DYNAMIC)
    return RG_OK;
  if (!isfinite(def->mass) || def->mass < 0)
    return rg_fail(message, RG_ERROR_INPUT,
                   "mass is %g, must be > 0, or 0 to take it from the density", def->mass);
  *out = add_up(solids, solid_count);
  if (def->mass > 0 && out->mass > 0) {
    double factor = def->mass / out->mass;
    out->inertia = m3_scale(&out->inertia, factor);
  }
  if (def->mass > 0)
    out->mass = def->mass;
  if (!(out->mass > 0))
    return rg_fail(message, RG_ERROR_INPUT,
                   "a dynamic body needs a mass > 0 or a solid shape with density > 0");
  if (def->inertia_given) {
    rgStatus status = check_inertia(&def->inertia, message);
    if (status != RG_OK)
      return status;
    if (!v3_finite(def->center))
      return rg_fail(message, RG_ERROR_INPUT, "center is not finite");
    out->center = def->center;
    out->inertia = def->inertia;
  } else if (solid_count == 0 && !def->rotation_locked) {
    return rg_fail(message, RG_ERROR_INPUT,
                   "a dynamic body without solid shapes needs an inertia or rotation_locked");
  }
  if (!isfinite(out->mass) || !v3_finite(out->center))
    return rg_fail(message, RG_ERROR_INPUT, "the mass of the body is not finite");
  if (def->massless && def->rotation_locked)
    return rg_fail(message, RG_ERROR_INPUT, "a massless body turns: rotation_locked must be false");
  return RG_OK;
}

// The rotation whose columns are the principal axes.
static rgQuat axes_to_quat(const rgMat3* r) {
  // Take the largest of the four squared components, so that the division is safe.
  double d0 = r->m[0][0], d1 = r->m[1][1], d2 = r->m[2][2];
  double w = 1 + d0 + d1 + d2, x = 1 + d0 - d1 - d2, y = 1 - d0 + d1 - d2, z = 1 - d0 - d1 + d2;
  rgQuat q;
  if (w >= x && w >= y && w >= z)
    q = (rgQuat){w, r->m[2][1] - r->m[1][2], r->m[0][2] - r->m[2][0], r->m[1][0] - r->m[0][1]};
  else if (x >= y && x >= z)
    q = (rgQuat){r->m[2][1] - r->m[1][2], x, r->m[1][0] + r->m[0][1], r->m[0][2] + r->m[2][0]};
  else if (y >= z)
    q = (rgQuat){r->m[0][2] - r->m[2][0], r->m[1][0] + r->m[0][1], y, r->m[2][1] + r->m[1][2]};
  else
    q = (rgQuat){r->m[1][0] - r->m[0][1], r->m[0][2] + r->m[2][0], r->m[2][1] + r->m[1][2], z};
  return quat_unit(q);
}

// What stands in for the mass stays in the inverses: the least moment, about all axes.
static void take_mass_away(rgBody* body) {
  rgVec3 p = body->principal;
  double inverse = 1 / fmin(p.x, fmin(p.y, p.z));
  body->mass = 0;
  body->principal = v3_zero();
  body->inverse_principal = v3(inverse, inverse, inverse);
  body->principal_axes = quat_identity();
  body->isotropic = true;
}

void rg_body_mass_apply(rgBody* body, const rgMassProperties* properties) {
  rgVec3 offset = quat_rotate(body->orientation, v3_sub(properties->center, body->center));
  body->position = v3_add(body->position, offset);
  body->velocity.linear = v3_add(body->velocity.linear, v3_cross(body->velocity.angular, offset));
  body->center = properties->center;
  body->mass = properties->mass;
  body->inverse_mass = properties->mass > 0 ? 1 / properties->mass : 0;
  body->principal = body->inverse_principal = v3_zero();
  body->principal_axes = quat_identity();
  body->isotropic = true;
  if (properties->mass <= 0 || body->rotation_locked)
    return;

  const rgMat3* inertia = &properties->inertia;
  bool diagonal = inertia->m[0][1] == 0 && inertia->m[0][2] == 0 && inertia->m[1][2] == 0;
  if (diagonal) {
    body->principal = v3(inertia->m[0][0], inertia->m[1][1], inertia->m[2][2]);
  } else {
    rgMat3 axes;
    rg_sym3_eigen(inertia, &body->principal, &axes);
    body->principal_axes = axes_to_quat(&axes);
  }
  rgVec3 p = body->principal;
  body->inverse_principal = v3(1 / p.x, 1 / p.y, 1 / p.z);
  body->isotropic = p.x == p.y && p.y == p.z;
  if (body->massless)
    take_mass_away(body);
}
