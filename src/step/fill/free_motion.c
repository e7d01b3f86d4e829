// free_motion.c - where bodies would go if nothing touched them.
//
// Translation (Renouf, Acary, Dumont 2005, eq. 21):  v_free = v + h (g + F / m).
//
// Rotation. With W the angular velocity and T the torque in the principal frame R, J = diag of
// moments and W~ = theta W+ + (1 - theta) W, the orientation moves by the Cayley map, R+ = R cay(h
// W~), and the angular momentum in world axes changes by the torque alone, R+ J W+ = R (J W + h T).
// Multiplying by R+' and by I + S/2 with S = [h W~]x,
//
//     J W+ - P + (h/2) W~ x (J W+ + P) = 0,     P = J W + h T.
//
// Without torque the momentum is conserved whatever theta is; the product with W~ gives
// E+ - E = -(theta - 1/2) |W+ - W|_J^2, so that theta = 1/2 conserves the energy too and larger
// ones never add any. Second order at theta = 1/2. Solved by Newton's method to rounding, usually
// in 3 steps. Where h |W| is so large that it does not converge, the step is cut in half, and so on: a
// turn is made of parts that all conserve the energy. Beyond that the body turns about its momentum,
// which then stays what it is in body axes: both are still conserved, and it is the turn that fast
// precession leaves on average.
//
// A body that nothing is near turns with theta = 1/2 whatever the theta of the step is: damped, a
// body that spins about its long axis would tumble in flight. Near others it turns with the theta of
// the step, for which contacts foresee how their gaps change.
//
// A body that joints hold at the mean of the step gets a free motion anew with the guess of its end (ends.c), before
// anything is solved. Where no contact and no torque of its own is about it, nothing reads the first one but bounds on
// how far it may go: there it is thought to keep its angular velocity, and the turn is not found.
//
// A kinematic body is not moved by the Cayley map: it turns by the angle |w| h about w, and its w
// along a given motion is the angle from pose to pose over h.
#include "base/prefetch.h"
#include "math/sym3.h"
#include "math/trig.h"
#include "step/fill/fill.h"

// Newton steps before giving up, and the residual, relative to |P|, that is as good as rounding
// allows.
enum { NEWTON_STEPS = 12 };
// How often a step is cut in half for a turn.
enum { HALVINGS = 5 };
static const double NEWTON_ROUNDING = 4e-16;
// Above this it has not converged at all.
static const double NEWTON_FAILED = 1e-9;

// Of bodies in flight.
static const double FLIGHT_THETA = 0.5;

static rgVec3 weighted(double theta, rgVec3 end, rgVec3 start) {
  return v3_add(v3_scale(end, theta), v3_scale(start, 1 - theta));
}

static rgVec3 residual(rgVec3 moment, rgVec3 p, rgVec3 mean, double h, rgVec3 end, rgVec3* sum) {
  rgVec3 jw = v3_mul(moment, end);
  *sum = v3_add(jw, p);
  return v3_axpy(v3_sub(jw, p), 0.5 * h, v3_cross(mean, *sum));
}

// d residual / d W+ = J + (h/2) ([W~]x J - theta [J W+ + P]x)
static rgMat3 jacobian(rgVec3 moment, rgVec3 mean, rgVec3 sum, double h, double theta) {
  rgMat3 j = m3_diag(moment.x, moment.y, moment.z), cross = m3_skew(mean);
  rgMat3 a = m3_mul(&cross, &j), b = m3_skew(v3_scale(sum, -theta));
  a = m3_add(&a, &b);
  a = m3_scale(&a, 0.5 * h);
  return m3_add(&j, &a);
}

static rgVec3 turn_in_halves(const rgBody* body, rgVec3 start, rgVec3 torque, double h,
                             double theta, int halvings);

// The part of h W along the momentum p.
static rgVec3 turn_about_momentum(rgVec3 p, rgVec3 start, double h) {
  return v3_scale(p, h * v3_dot(start, p) / v3_norm2(p));
}

// h W~ in the principal frame.
static rgVec3 turn_freely(const rgBody* body, rgVec3 start, rgVec3 torque, double h, double theta,
                          int halvings) {
  rgVec3 moment = body->principal;
  rgVec3 p = v3_axpy(v3_mul(moment, start), h, torque);
  rgVec3 guess = v3_mul(body->inverse_principal, p);
  double scale = v3_norm(p);
  if (body->isotropic || scale == 0)
    return v3_scale(weighted(theta, guess, start), h);

  // The residual is driven down until rounding stops it; the best point is kept.
  rgVec3 end = guess, best = guess;
  double best_error = HUGE_VAL;
  for (int i = 0; i < NEWTON_STEPS; i++) {
    rgVec3 sum, mean = weighted(theta, end, start);
    rgVec3 f = residual(moment, p, mean, h, end, &sum);
    double error = v3_norm(f);
    if (!(error < best_error))
      break;
    best = end;
    best_error = error;
    if (error <= NEWTON_ROUNDING * scale)
      break;
    rgMat3 slope = jacobian(moment, mean, sum, h, theta), inverse = m3_inverse(&slope);
    end = v3_sub(end, m3_apply(&inverse, f));
  }
  if (best_error <= NEWTON_FAILED * scale)
    return v3_scale(weighted(theta, best, start), h);
  return halvings > 0 ? turn_in_halves(body, start, torque, h, theta, halvings - 1)
                      : turn_about_momentum(p, start, h);
}

// The turn of two steps of h / 2, as one Cayley vector in the principal frame.
static rgVec3 turn_in_halves(const rgBody* body, rgVec3 start, rgVec3 torque, double h,
                             double theta, int halvings) {
  rgQuat first = quat_cayley(turn_freely(body, start, torque, 0.5 * h, theta, halvings));
  rgVec3 momentum = v3_axpy(v3_mul(body->principal, start), 0.5 * h, torque);
  rgVec3 middle = v3_mul(body->inverse_principal, quat_unrotate_exactly(first, momentum));
  rgVec3 rest =
      turn_freely(body, middle, quat_unrotate_exactly(first, torque), 0.5 * h, theta, halvings);
  rgQuat whole = quat_mul(first, quat_cayley(rest));
  return whole.w != 0 ? v3_scale(v3(whole.x, whole.y, whole.z), 2 / whole.w)
                      : turn_about_momentum(momentum, start, h);
}

// After a turn, given in principal axes: the angular velocity in world axes of a body with this
// momentum, and the inverse inertia there.
static rgVec3 end_of_turn(const rgBody* body, rgQuat axes, rgVec3 turn, rgVec3 momentum,
                          rgMat3* inverse_inertia) {
  rgQuat end = quat_mul(axes, quat_cayley(turn));
  rgMat3 r = m3_from_quat(end);
  *inverse_inertia = m3_congruence(&r, body->inverse_principal);
  return quat_rotate_exactly(end,
                             v3_mul(body->inverse_principal, quat_unrotate_exactly(end, momentum)));
}

// The momentum is that of the velocity, unless someone has changed the velocity since the last step.
static void see_momentum(rgBody* body, rgQuat axes, rgVec3 start) {
  if (!v3_equal(body->momentum_of, body->velocity.angular))
    body->momentum = quat_rotate_exactly(axes, v3_mul(body->principal, start));
}

// Whether the turn of a body is found with its end.
static bool turns_later(const rgBody* body, const rgBodyStep* out) {
  return out->held && !body->isotropic && !body->massless && !body->rotation_locked &&
         v3_equal(body->applied.torque, v3_zero());
}

static void keep_turning(const rgStep* step, rgBody* body, rgBodyStep* out) {
  rgVec3 w = body->velocity.angular;
  if (!v3_equal(body->momentum_of, w)) {
    rgQuat axes = quat_mul(body->orientation, body->principal_axes);
    see_momentum(body, axes, quat_unrotate_exactly(axes, w));
    body->momentum_of = w;
  }
  out->v_free.angular = w;
  out->turn_free = v3_scale(w, step->h);
}

static void move_freely(const rgStep* step, rgBody* body, rgBodyStep* out) {
  double h = step->h, theta = out->flies ? FLIGHT_THETA : step->theta;
  rgVec3 acceleration = rg_body_acceleration(body, step->world->options.gravity);
  out->v_free.linear = v3_axpy(body->velocity.linear, h, acceleration);
  out->inverse_inertia = m3_zero();
  if (body->rotation_locked) {
    out->v_free.angular = body->velocity.angular = out->start_velocity.angular = out->turn_free =
        v3_zero();
    return;
  }
  if (turns_later(body, out)) {
    keep_turning(step, body, out);
    return;
  }
  rgQuat axes = quat_mul(body->orientation, body->principal_axes);
  if (body->isotropic) {
    double inverse = body->inverse_principal.x;
    out->v_free.angular = v3_axpy(body->velocity.angular, h * inverse, body->applied.torque);
    out->turn_free = v3_scale(weighted(theta, out->v_free.angular, body->velocity.angular), h);
    out->inverse_inertia = m3_diag(inverse, inverse, inverse);
    return;
  }
  rgVec3 start = quat_unrotate_exactly(axes, body->velocity.angular);
  rgVec3 turn = turn_freely(body, start, quat_unrotate_exactly(axes, body->applied.torque), h,
                            theta, HALVINGS);
  // The velocity is read off the momentum, whose own rounding does not add up; Newton's would.
  see_momentum(body, axes, start);
  body->momentum = v3_axpy(body->momentum, h, body->applied.torque);
  out->v_free.angular = end_of_turn(body, axes, turn, body->momentum, &out->inverse_inertia);
  body->momentum_of = out->v_free.angular;
  out->turn_free = quat_rotate_exactly(axes, turn);
}

void rg_fill_free_motion_anew(rgStep* step, int slot) {
  rgBody* body = &step->world->bodies[slot];
  const rgBodyState* before = &step->bodies[slot].before;
  rgTwist now = body->velocity;
  body->velocity = step->bodies[slot].start_velocity;
  body->momentum = before->momentum;
  body->momentum_of = before->momentum_of;
  step->bodies[slot].held = false;
  move_freely(step, body, &step->bodies[slot]);
  body->velocity = now;
}

rgVec3 rg_fill_free_spin(const rgStep* step, int slot, double theta) {
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 start = step->bodies[slot].start_velocity.angular;
  if (body->isotropic)
    return v3_axpy(start, step->h * body->inverse_principal.x, body->applied.torque);
  rgQuat axes = quat_mul(body->orientation, body->principal_axes);
  rgVec3 turn =
      turn_freely(body, quat_unrotate_exactly(axes, start),
                  quat_unrotate_exactly(axes, body->applied.torque), step->h, theta, HALVINGS);
  rgQuat end = quat_mul(axes, quat_cayley(turn));
  rgVec3 momentum = quat_unrotate_exactly(end, body->momentum);
  return quat_rotate_exactly(axes, v3_mul(body->inverse_principal, momentum));
}

// The free motion was that of the applied forces alone. Beside an impulse the turn is not linear in
// its moment. It is written as the one of a velocity w* at the end of the step, turn = h (theta w*
// + (1 - theta) w), which stands for the end velocity in the problem: it is the end velocity turned
// back by the turn, the same to second order. A movement with a given w* needs the moment m that
// makes up the change of momentum, R+ J R' w* = R J R' w + h T + m; and in principal axes, from the
// equation above with W* for W+ and P + m for P,
//
//     dW* / dm = (R_m J R_m')^-1 (1 + O(h^2 |W~|^2)) + an antisymmetric part of O(h |W~|) / J_max,
//
// R_m being half of the turn: the inertia halfway is the one to use, however slender the body. The
// free motion is then written anew, w_free = w* - I^-1 m, so that the model of the step, w = w_free
// + I^-1 (moment), meets the true movement at w*.
//
// A massless body changes no momentum: the moment that a movement needs is -h T, and the force -h F, whatever
// the movement is. Written anew the same way, with what stands in for its mass as M, its free motion is the
// guessed velocity, and the rounds end where the velocity found is the one guessed, up to the tolerance e. What is left of
// the balance is M e. A round gains the ratio of M to the inertia that the joints hand on to it: it is what the rounds of
// a proximal point method gain (Rockafellar 1976), and M no mass but its penalty.
//
// The end alone; returns the turn of a body that may turn.
static inline __attribute__((always_inline)) rgQuat
find_end(const rgStep* step, int slot, rgTwist velocity, double theta, rgEnd* end) {
  const rgBody* body = &step->world->bodies[slot];
  const rgTwist* start = &step->bodies[slot].start_velocity;
  rgVec3 mean = weighted(theta, velocity.linear, start->linear);
  end->pose.position = v3_axpy(body->position, step->h, mean);
  end->velocity = end->guess = velocity;
  end->pose.orientation = body->orientation;
  end->turn = v3_zero();
  if (body->rotation_locked)
    return quat_identity();
  end->turn = v3_scale(weighted(theta, velocity.angular, start->angular), step->h);
  rgQuat turned = quat_cayley(end->turn);
  if (!body->isotropic && step->contacts_at != RG_CONTACTS_START) // else nobody reads it
    end->velocity.angular = quat_rotate_exactly(turned, velocity.angular);
  end->pose.orientation = quat_unit(quat_mul(turned, body->orientation));
  return turned;
}

void rg_fill_end_at(const rgStep* step, int slot, rgTwist velocity, double theta, rgEnd* end) {
  find_end(step, slot, velocity, theta, end);
}

static void massless_motion_at(const rgStep* step, const rgBody* body, rgTwist velocity,
                               double theta, const rgEnd* end, rgBodyStep* out) {
  double h = step->h, moment = 1 / body->inverse_principal.x;
  rgMat3 axes = m3_identity();
  out->inverse_inertia = rg_sym3_inverse_above(&axes, v3(moment, moment, moment), &end->stiffness);
  rgVec3 torque = v3_axpy(end->pull, h, body->applied.torque);
  rgVec3 part = m3_apply(&out->inverse_inertia, torque);
  out->v_free.linear = v3_axpy(velocity.linear, h * body->inverse_mass, body->applied.force);
  out->v_free.angular = v3_add(velocity.angular, part);
  out->turn_free = v3_axpy(end->turn, h * theta, part);
}

void rg_fill_free_motion_at(rgStep* step, int slot, rgTwist velocity, double theta, rgEnd* end) {
  const rgBody* body = &step->world->bodies[slot];
  rgBodyStep* out = &step->bodies[slot];
  double h = step->h;
  rgQuat turned = find_end(step, slot, velocity, theta, end);
  if (body->rotation_locked)
    return;
  if (body->massless) {
    massless_motion_at(step, body, velocity, theta, end, out);
    return;
  }
  rgVec3 start = out->start_velocity.angular, moment, turn = end->turn;
  rgMat3 halfway_axes = m3_identity();
  if (body->isotropic) {
    double inertia_scalar = body->principal.x;
    moment = v3_axpy(v3_scale(v3_sub(velocity.angular, start), inertia_scalar), -h,
                     body->applied.torque);
  } else {
    rgQuat axes = quat_mul(body->orientation, body->principal_axes);
    rgVec3 momentum = v3_mul(body->principal, quat_unrotate_exactly(axes, velocity.angular));
    rgQuat end_axes = quat_mul(turned, axes);
    moment = v3_sub(quat_rotate_exactly(end_axes, momentum), body->momentum);
    // The half of a turn with the quaternion (1, d) is that with 1 + sqrt(1 + d^2) in place of 1.
    rgVec3 half = v3_scale(turn, 0.5);
    double scalar = 1 + sqrt(1 + v3_norm2(half));
    rgQuat halfway = quat_unit((rgQuat){scalar, half.x, half.y, half.z});
    halfway_axes = m3_from_quat(quat_mul(halfway, axes));
  }
  out->inverse_inertia = rg_sym3_inverse_above(&halfway_axes, body->principal, &end->stiffness);
  rgVec3 part = m3_apply(&out->inverse_inertia, v3_sub(moment, end->pull));
  out->v_free.angular = v3_sub(velocity.angular, part);
  out->turn_free = v3_axpy(turn, -h * theta, part);
}

rgVec3 rg_fill_end_velocity(const rgBody* body, rgQuat orientation, rgVec3 momentum) {
  rgQuat axes = quat_mul(orientation, body->principal_axes);
  return quat_rotate_exactly(
      axes, v3_mul(body->inverse_principal, quat_unrotate_exactly(axes, momentum)));
}

// The mean velocity that carries a kinematic body along its motion for the time dt.
static rgTwist given_velocity(const rgWorld* world, const rgBody* body, double dt) {
  rgPose next = rg_plane_flatten(world, body->motion(world->time + dt, body->motion_context));
  rgQuat turn = quat_mul(next.orientation, quat_conj(body->orientation));
  rgVec3 axis = v3(turn.x, turn.y, turn.z);
  double sine = v3_norm(axis), angle = 2 * rg_atan2(sine, fabs(turn.w)); // the shorter way round
  double factor = sine > 0 ? copysign(angle, turn.w) / (sine * dt) : 0;
  return (rgTwist){v3_scale(v3_sub(next.position, body->position), 1 / dt), v3_scale(axis, factor)};
}

// The velocity now, to second order, from the means over half a step and the whole.
void rg_fill_start_motions(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots && world->kinematic_count > 0; i++) {
    rgBody* body = &world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_KINEMATIC || !body->motion)
      continue;
    rgTwist half = given_velocity(world, body, 0.5 * step->h),
            whole = given_velocity(world, body, step->h);
    body->velocity.linear = v3_sub(v3_scale(half.linear, 2), whole.linear);
    body->velocity.angular = v3_sub(v3_scale(half.angular, 2), whole.angular);
  }
}

// The turn by the angle |w| h as a Cayley vector, 2 tan(|w| h / 2) along w.
static rgVec3 exact_turn(rgVec3 w, double h) {
  double rate = v3_norm(w), cosine = rg_cos(0.5 * h * rate);
  return rate > 0 && cosine != 0 ? v3_scale(w, 2 * rg_sin(0.5 * h * rate) / (cosine * rate))
                                 : v3_zero();
}

static void follow_motion(const rgStep* step, rgBody* body, rgBodyStep* out) {
  if (body->motion)
    body->velocity = given_velocity(step->world, body, step->h);
  out->start_velocity = out->v_free = body->velocity;
  out->turn_free = exact_turn(body->velocity.angular, step->h);
}

static void fly_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    step->bodies[i].flies = true;
    step->bodies[i].held = false;
  }
}

// A body is in contacts of several threads, which all write the same.
static void clear(bool* mark) {
  if (__atomic_load_n(mark, __ATOMIC_RELAXED))
    __atomic_store_n(mark, false, __ATOMIC_RELAXED);
}

static void see_contact_of(rgStep* step, int slot) {
  clear(&step->bodies[slot].flies);
  clear(&step->bodies[slot].held);
}

static void see_contacts(void* context, int first, int end) {
  rgStep* step = context;
  enum { CONTACTS_AHEAD = 16, BODIES_AHEAD = 8 };
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    const rgWorldContact* near = &world->contacts[rg_ahead(i, BODIES_AHEAD, world->contact_count)];
    rg_prefetch_line(&world->contacts[rg_ahead(i, CONTACTS_AHEAD, world->contact_count)].body_a);
    __builtin_prefetch(&step->bodies[near->body_a].flies, 1);
    __builtin_prefetch(&step->bodies[near->body_b].flies, 1);
    see_contact_of(step, world->contacts[i].body_a);
    see_contact_of(step, world->contacts[i].body_b);
  }
}

static void see_joint_of(rgStep* step, int slot, bool holds) {
  if (slot < 0)
    return;
  step->bodies[slot].flies = false;
  step->bodies[slot].held = step->bodies[slot].held || holds;
}

// Marks the bodies that no contact and no joint is about, and those about which there are joints alone. Sequential
// impacts ask for all free motions.
static void find_flying(rgStep* step) {
  const rgWorld* world = step->world;
  bool ends = step->mean_rows && !rg_fill_impacts_are_sequential(step);
  rg_tasks_ranges(world->threads.tasks, world->body_slots, fly_range, step);
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rg_joint_prefetch_head(world->joints, i, world->joint_slots);
    if (!joint->alive)
      continue;
    see_joint_of(step, joint->body_a, ends && joint->held_count > 0);
    see_joint_of(step, joint->body_b, ends && joint->held_count > 0);
  }
  rg_tasks_ranges(world->threads.tasks, world->contact_count, see_contacts, step);
}

static void free_range(void* context, int first, int end) {
  rgStep* step = context;
  rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    rgBody* body = &world->bodies[i];
    rg_body_prefetch(world->bodies, i, world->body_slots);
    if (!body->alive)
      continue;
    step->bodies[i].start_velocity = step->bodies[i].v_free = body->velocity;
    if (body->kind == RG_BODY_DYNAMIC)
      move_freely(step, body, &step->bodies[i]);
    else if (body->kind == RG_BODY_KINEMATIC)
      follow_motion(step, body, &step->bodies[i]);
  }
}

void rg_fill_free_motion(rgStep* step) {
  rgWorld* world = step->world;
  find_flying(step);
  rg_fill_gather_forces(step, step->h, step->theta, world->options.implicit_forces);
  rg_tasks_ranges(world->threads.tasks, world->body_slots, free_range, step);
}

// Contacts reach as far as the forces of the step before take the bodies. A little more is
// harmless, since contacts also form one step later; what goes beyond this factor was pushed anew.
static const double TRAVEL_SLACK = 1.25;

static bool outruns_range(void* context, int first, int end) {
  const rgStep* step = context;
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    const rgBody* body = &world->bodies[i];
    const rgTwist* v = &step->bodies[i].v_free;
    if (!body->alive || body->kind != RG_BODY_DYNAMIC || body->first_shape < 0)
      continue;
    double travel = step->h * (v3_norm(v->linear) + v3_norm(v->angular) * body->extent);
    if (travel > TRAVEL_SLACK * body->travel)
      return true;
  }
  return false;
}

bool rg_fill_outran_contacts(rgStep* step) {
  return rg_tasks_any(step->world->threads.tasks, step->world->body_slots, outruns_range, step);
}
