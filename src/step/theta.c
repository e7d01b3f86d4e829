// theta.c - Moreau-Jean time stepping (003, section 4).
//
//     M (v+ - v) = h F + H r,      q+ = q + h (theta v+ + (1 - theta) v) (003 eq. 18, 20)
//
// with the contact law at the end of the step (eq. 22, 23). The law in the normal direction, u
// being the relative normal velocity and g the gap at the start of the step, is u+ + bias >= 0, r_n
// >= 0, one of them zero, where
//
// 1. a contact that the free motion would close in this step, that approaches (u < 0) and has
//    e > 0, is an impact: bias = e u (eq. 16). At theta = 1/2 and e = 1 it does exactly no work.
//
// 2. a contact that approaches, has e > 0 and stays open is left out; should the motion that comes
//    out of the solve close it after all, it becomes an impact and the step is solved again. Each
//    round adds impacts, so this ends.
//
// 3. every other contact may come to touch at the end of the step but not pass,
//    g + h (theta u+ + (1 - theta) u) >= 0: bias = (g / h + (1 - theta) u) / theta, held, for what
//    approaches, between 0 and g / h, so that it lands without overshooting. With theta = 1 this
//    is g / h.
//
// Gaps within what the projection leaves alone, and all overlaps, count as touching, g = 0: at rest
// the problem is then the same in every step and its warm start stays good. Were errors of a solve
// that contracts a mode by the factor rho per step fed back through positions in full, that mode
// would obey (1 - rho) z^3 + rho (z - 1)^3 = 0 from step to step, which has roots outside the unit
// circle for rho > 1/2; without it, z^2 - 2 rho z + rho = 0, which has none. Overlaps are left to
// the stabilizer. But for what baumgarte asks for, every bias is >= 0, so that rest is always among
// the possible motions, even where things are jammed. In discrete terms the work of the normal
// impulse is r_n (u+ + u) / 2 <= 0 in every case above. Friction takes energy too, but for one case
// that is Newton's law of restitution's own: at theta < 1 an impact with e > 0 that reverses the
// slip can gain some.
#include "step/step.h"

enum { IMPACT_ROUNDS = 16 };
// A closing gap smaller than this part of the motion in the step is rounding.
static const double CLOSED_ROUNDING = 1e-12;

static double restitution(const rgWorld* world, const rgWorldContact* contact) {
  return rg_world_law(world, contact->shape_a, contact->shape_b)->material.restitution;
}

static double normal_velocity(const rgWorld* world, const rgWorldContact* contact,
                              rgVelocityKind kind) {
  return v3_dot(contact->normal, rg_world_contact_velocity(world, contact, kind));
}

// The gap at the end of the step if it ended with the given kind of velocity.
static bool closes(const rgWorld* world, const rgWorldContact* contact, double start,
                   rgVelocityKind end_kind, double h) {
  double theta = world->options.theta, end = normal_velocity(world, contact, end_kind);
  double motion = h * (theta * end + (1 - theta) * start);
  return contact->gap + motion <= -CLOSED_ROUNDING * fabs(motion);
}

static double normal_bias(const rgWorld* world, const rgWorldContact* contact, double h) {
  double theta = world->options.theta;
  double landing = contact->gap > rg_allowed_overlap(world, contact) ? contact->gap / h : 0;
  if (!contact->impact && contact->gap < 0) {
    double push = rg_stabilizer_contact_bias(world, contact);
    if (push < 0)
      return push;
  }
  if (theta == 1 && !contact->impact)
    return landing;
  double start = normal_velocity(world, contact, RG_VELOCITY_START);
  if (contact->impact)
    return restitution(world, contact) * start;
  double bias = (landing + (1 - theta) * start) / theta;
  if (start <= 0 && bias > landing)
    bias = landing;
  return bias > 0 ? bias : 0;
}

// Marks which contacts are in the problem and which are impacts. False when some were left out.
static bool select_contacts(rgWorld* world, double h) {
  bool all = true;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    contact->problem_contact = 0;
    contact->impact = false;
    if (restitution(world, contact) == 0)
      continue;
    double start = normal_velocity(world, contact, RG_VELOCITY_START);
    if (start >= 0)
      continue;
    contact->impact = closes(world, contact, start, RG_VELOCITY_FREE, h);
    if (contact->impact)
      continue;
    contact->problem_contact = -1;
    all = false;
  }
  return all;
}

// Of the contacts left out, those that the solved motion closes become impacts. True when there
// were any.
static bool add_impacts(rgWorld* world, double h) {
  bool any = false;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact >= 0)
      continue;
    double start = normal_velocity(world, contact, RG_VELOCITY_START);
    if (!closes(world, contact, start, RG_VELOCITY_NOW, h))
      continue;
    contact->impact = true;
    contact->problem_contact = 0;
    any = true;
  }
  return any;
}

static void collect_reports(rgWorld* world, rgCertificate* sum) {
  const rgProblemSet* set = &world->velocity;
  rgStepCounts* counts = &world->counts;
  *sum = (rgCertificate){.tolerance = world->options.tolerance, .met = true};
  counts->islands = set->island_count;
  counts->solved = counts->warm = counts->not_met = 0;
  for (int i = 0; i < set->island_count; i++) {
    const rgCertificate* part = &set->islands[i].report.certificate;
    sum->dynamics = fmax(sum->dynamics, part->dynamics);
    sum->joint = fmax(sum->joint, part->joint);
    sum->signorini = fmax(sum->signorini, part->signorini);
    sum->coulomb = fmax(sum->coulomb, part->coulomb);
    sum->scale = fmax(sum->scale, part->scale);
    sum->residual = fmax(sum->residual, part->residual);
    sum->contacts += set->islands[i].contact_count;
    int iterations = set->islands[i].report.iterations;
    if (iterations > sum->iterations)
      sum->iterations = iterations;
    if (iterations > 0)
      counts->solved++;
    else
      counts->warm++;
    if (!part->met)
      counts->not_met++, sum->met = false;
  }
}

static rgStatus solve(rgWorld* world, double h, rgCertificate* certificate) {
  rgStop stop = {.tolerance = world->options.tolerance,
                 .iteration_limit = world->options.iteration_limit,
                 .time_limit = world->options.time_limit};
  bool complete = select_contacts(world, h);
  for (int round = 0;; round++) {
    rgStatus status = rg_world_build_islands(world, &world->velocity);
    if (status != RG_OK)
      return status;
    rg_contact_problem(world, h, normal_bias);
    status = rg_world_solve_islands(world, &world->velocity, world->options.solver, &stop);
    if (status != RG_OK)
      return status;
    rg_contact_result(world);
    if (complete || round == IMPACT_ROUNDS || !add_impacts(world, h))
      break;
  }
  collect_reports(world, certificate);
  return RG_OK;
}

static bool finite(const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->alive && !(v3_finite(body->velocity.linear) && v3_finite(body->velocity.angular)))
      return false;
  }
  return true;
}

static void restore_velocities(rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    body->velocity = body->before.velocity;
    body->momentum = body->before.momentum;
    body->momentum_of = body->before.momentum_of;
  }
}

// Work that moving ground does through contacts.
static double ground_work(const rgWorld* world) {
  double work = 0;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact < 0)
      continue;
    for (int side = 0; side < 2; side++) {
      const rgBody* body = &world->bodies[side == 0 ? contact->body_a : contact->body_b];
      rgVec3 point = side == 0 ? contact->point_a : contact->point_b;
      if (body->kind != RG_BODY_KINEMATIC)
        continue;
      rgVec3 v = v3_add(body->velocity.linear,
                        v3_cross(body->velocity.angular, v3_sub(point, body->position)));
      double power = v3_dot(contact->impulse, v) +
                     contact->torsion * v3_dot(contact->normal, body->velocity.angular);
      work += side == 0 ? -power : power;
    }
  }
  return work;
}

// Moves a body by the weighted velocity and returns the work of the forces on it.
static double move(rgBody* body, double h, double theta) {
  if (body->kind == RG_BODY_STATIC)
    return 0;
  rgVec3 shift = v3_scale(body->start_velocity.linear, h * (1 - theta));
  shift = v3_axpy(shift, h * theta, body->velocity.linear);
  rgVec3 turn =
      v3_axpy(body->turn_free, h * theta, v3_sub(body->velocity.angular, body->v_free.angular));
  body->position = v3_add(body->position, shift);
  if (v3_norm2(turn) > 0)
    body->orientation = quat_unit(quat_mul(quat_cayley(turn), body->orientation));
  return v3_dot(body->applied.force, shift) + v3_dot(body->applied.torque, turn);
}

static rgStatus step(rgWorld* world, double h, rgCertificate* certificate, double* work) {
  double theta = world->options.theta;
  rg_free_motion(world, h, theta);
  rgStatus status = RG_OK;
  if (rg_free_motion_outran_contacts(world, h))
    status = rg_world_detect(world, h);
  if (status == RG_OK)
    status = solve(world, h, certificate);
  if (status == RG_OK && !finite(world))
    status = rg_world_fail(world, RG_ERROR_INPUT,
                           "a velocity is not finite: a force, a motion or a mass is out of range");
  if (status != RG_OK) {
    restore_velocities(world);
    return status;
  }
  *work = ground_work(world);
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive)
      *work += move(&world->bodies[i], h, theta);
  return RG_OK;
}

const rgStepper rg_stepper_theta = {
    .name = "theta",
    .summary = "Moreau-Jean: velocity-level contact law with gap prediction and restitution, theta "
               "in [1/2, 1]",
    .reference = "Renouf, Acary, Dumont 2005, section 4",
    .step = step,
};
