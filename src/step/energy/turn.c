// turn.c - the angular velocity of a body that has moved.
//
// The velocity of a step is that of its problem, whose inertia I belongs to the orientation at which the free
// motion ends. Impulses turn the body beyond that, by a turn d. The momentum L = I w+ is what it was plus what the
// impulses gave. So it stays in world axes and the angular velocity follows it, w = (R I R')^-1 L with
// the rotation R of d. Turned with the body instead, w = R w+, the momentum would change by d x L, a moment that nothing
// exerts: of first order in h, it lays tops down that stand.
//
// But the momentum has another energy there than w+ . I w+ / 2, which the problem has solved for; where it comes to lie
// across a slender body, far more: cheap spin about its axis would become expensive spin across it, and the step
// make energy from nothing. There are two ways to have the energy that was solved for: the momentum keeps its direction and
// changes its size, or keeps its size and turns with the body. The step takes that which changes it less.
#include "step/energy/energy.h"

// Momenta in principal axes: as solved, and kept in world axes while the body turned.
static rgVec3 spin_after(const rgBody* body, rgVec3 solved, rgVec3 kept) {
  rgVec3 solved_spin = v3_mul(body->inverse_principal, solved);
  rgVec3 kept_spin = v3_mul(body->inverse_principal, kept);
  double energy = v3_dot(solved, solved_spin), there = v3_dot(kept, kept_spin);
  double part = there > 0 ? sqrt(energy / there) : 1;
  bool shorter = fabs(1 - part) * v3_norm(kept) < v3_norm(v3_sub(kept, solved));
  return shorter ? v3_scale(kept_spin, part) : solved_spin;
}

rgVec3 rg_energy_turned_spin(const rgBody* body, const rgBodyStep* scratch, rgVec3 turn) {
  rgVec3 w = body->velocity.angular;
  if (body->isotropic || v3_equal(turn, scratch->turn_free))
    return w;
  rgQuat start = quat_mul(body->orientation, body->principal_axes);
  rgQuat axes = quat_unit(quat_mul(quat_cayley(scratch->turn_free), start));
  rgQuat end = quat_unit(quat_mul(quat_cayley(turn), start));
  rgVec3 solved = v3_mul(body->principal, quat_unrotate_exactly(axes, w));
  rgVec3 kept = quat_unrotate_exactly(end, quat_rotate_exactly(axes, solved));
  return quat_rotate_exactly(end, spin_after(body, solved, kept));
}
