// theta.c - Moreau-Jean time stepping (Renouf, Acary, Dumont 2005, section 4).
//
//     M (v+ - v) = h F + H r,      q+ = q + h (theta v+ + (1 - theta) v) (eq. 18, 20)
//
// with the contact law at the end of the step (eq. 22, 23). The law in the normal direction, u
// being the relative normal velocity and g the gap at the start of the step, is u+ + bias >= 0, r_n
// >= 0, one of them zero, where
//
// 1. a contact that touches or that the free motion would close in this step, that approaches
//    (u < 0) and has e > 0, is an impact: bias = e u (eq. 16). At theta = 1/2 and e = 1 it does
//    exactly no work.
//
// 2. a contact that approaches, has e > 0 and stays open is left out; should the movement that
//    comes out of the solve close it after all, it becomes an impact and the step is solved again.
//    Each round adds impacts, so this ends.
//
// 3. every other contact may come to touch at the end of the step but not pass,
//    g + h (theta u+ + (1 - theta) u) >= 0: bias = (g / h + (1 - theta) u) / theta, held, for what
//    approaches, between 0 and g / h, so that it lands without overshooting. With theta = 1 this
//    is g / h. One that does not approach (u >= 0) and is thrown back within the step by an impact
//    elsewhere would lose r_n g / h in landing; by the part e it is reversed instead, bias = u,
//    which at theta = 1/2 takes no work, and lands in a later step as an impact.
//
// A corner of a patch that has contacts inside (world/patches.c) may come deeper by a part of what the
// projection leaves alone, and is out of the problem until the movement makes it: the points inside
// carry the body while they can, and friction is theirs.
//
// Gaps within what the projection leaves alone, and all overlaps, count as touching, g = 0: at rest
// the problem is then the same in every step and its warm start stays good. Were errors of a solve
// that contracts a mode by the factor rho per step fed back through positions in full, that mode
// would obey (1 - rho) z^3 + rho (z - 1)^3 = 0 from step to step, which has roots outside the unit
// circle for rho > 1/2; without it, z^2 - 2 rho z + rho = 0, which has none. Overlaps are left to
// the stabilizer. But for what baumgarte asks for, every bias is >= 0, so that rest is always among
// the possible movements, even where things are jammed. In discrete terms the work of the normal
// impulse is r_n (u+ + u) / 2 <= 0 in every case above. Friction takes energy too: where the law at
// the end of the step would gain some, at theta < 1 and a slip that reverses, it follows the mean
// slip of the step (closing.c).
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

// The speed [m/s] with which a contact may close.
static double landing_speed(const rgStep* step, const rgWorldContact* contact) {
  double slack = rg_fill_corner_slack(step->world, contact);
  bool open = contact->gap > rg_stabilizer_allowed_overlap(step->world, contact);
  return open || slack > 0 ? (contact->gap + slack) / step->h : 0;
}

// Frame and arms of the contact are those of the problem.
static double normal_bias(const rgStep* step, int index, const rgProblemContact* problem) {
  const rgWorld* world = step->world;
  const rgWorldContact* contact = &world->contacts[index];
  bool impact = step->contacts[index].mark == RG_MARK_IMPACT;
  double theta = step->theta, landing = landing_speed(step, contact);
  if (!impact && contact->gap < 0) {
    double push = rg_stabilizer_contact_bias(world, contact);
    if (push < 0)
      return push;
  }
  if (theta == 1 && !impact)
    return landing;
  double start = v3_dot(problem->n, rg_fill_velocity_at(step, contact, RG_VELOCITY_START,
                                                        problem->arm_a, problem->arm_b));
  if (impact)
    return rg_fill_restitution(world, contact) * start;
  double back = (1 - theta) / theta * start, bias = landing / theta + back;
  if (start <= 0)
    bias = fmin(bias, landing);
  if (start >= 0)
    bias -= rg_fill_restitution(world, contact) * fmax(bias - start, 0);
  // What a surface that curves towards the body asks for, where that is no gain (contact_ends.c).
  double least = 0;
  if (rg_fill_knows_contact_end(step, index))
    least = fmin(0, fmax(back, v3_dot(problem->n, step->contact_ends[index].lag)));
  return fmax(bias, least);
}

void rg_stepper_theta_contact(const rgStep* step, int index, rgProblemContact* out) {
  out->bias[0] = normal_bias(step, index, out);
}

static rgStatus step_theta(rgStep* step) {
  static const rgScheme scheme = {.free_motion = rg_fill_free_motion,
                                  .select = rg_fill_select_impacts,
                                  .contact = rg_stepper_theta_contact,
                                  .sequential = true,
                                  .mean_rows = true};
  return rg_step_advance(step, &scheme);
}

const rgStepper rg_stepper_theta = {
    .name = "theta",
    .summary = "Moreau-Jean: velocity-level contact law with gap prediction and restitution, theta "
               "in [1/2, 1]",
    .reference = "Renouf, Acary, Dumont 2005, section 4",
    .sequential = true,
    .sleeps = true,
    .step = step_theta,
};
