// gauss_part.c - the movement between events: the classical method of Runge and Kutta.
//
// The state (x, q, v, w) of a body obeys x' = v, q' = (0, w) q / 2, v' = a, w' = alpha, with the
// constrained accelerations of the state. Four substages with the weights 1/6, 1/3, 1/3, 1/6; the
// quaternion is advanced in its four numbers and normalized at the end. Fourth order while the
// contacts stay the same; energy and momentum of free rotation are kept to that order only. A
// kinematic body keeps the velocity of the step and is where that leads at each substage.
#include "step/fill/fill.h"
#include "step/gauss/gauss.h"

enum { SUBSTAGES = 4 };
static const double substage_time[SUBSTAGES] = {0, 0.5, 0.5, 1};
static const double substage_weight[SUBSTAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

static rgGaussState state_of(const rgBody* body) {
  return (rgGaussState){body->position, body->orientation, body->velocity};
}

static void put(rgBody* body, const rgGaussState* state) {
  body->position = state->position;
  body->orientation = state->orientation;
  body->velocity = state->velocity;
}

static bool moves(const rgBody* body) { return body->alive && body->kind != RG_BODY_STATIC; }

static rgGauss* make(rgStep* step) {
  rgAllocator* allocator = &step->world->allocator;
  if (!step->gauss)
    step->gauss = rg_allocate(allocator, sizeof *step->gauss);
  return step->gauss;
}

void rg_gauss_release(rgStep* step) {
  rgAllocator* allocator = &step->world->allocator;
  rgGauss* gauss = step->gauss;
  if (!gauss)
    return;
  rg_release(allocator, gauss->bodies, (size_t)gauss->bodies_capacity * sizeof *gauss->bodies);
  rg_release(allocator, gauss->manifolds,
             (size_t)gauss->manifolds_capacity * sizeof *gauss->manifolds);
  rg_release(allocator, gauss, sizeof *gauss);
}

rgStatus rg_gauss_begin(rgStep* step) {
  rgWorld* world = step->world;
  rgGauss* gauss = make(step);
  if (!gauss || !RG_SET_RESERVE(world, gauss, bodies, world->body_slots) ||
      !RG_SET_RESERVE(world, gauss, manifolds, RG_GAUSS_MANIFOLDS))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the states of a step");
  for (int i = 0; i < world->body_slots; i++)
    gauss->bodies[i].step = state_of(&world->bodies[i]);
  return RG_OK;
}

void rg_gauss_mark(rgStep* step) {
  for (int i = 0; i < step->world->body_slots; i++)
    step->gauss->bodies[i].part = state_of(&step->world->bodies[i]);
}

void rg_gauss_return(rgStep* step) {
  for (int i = 0; i < step->world->body_slots; i++)
    if (moves(&step->world->bodies[i]))
      put(&step->world->bodies[i], &step->gauss->bodies[i].part);
}

void rg_gauss_free(rgStep* step) {
  const rgWorld* world = step->world;
  double h = step->h;
  rg_fill_gather_forces(step, 0, 1, false);
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    rgBodyStep* out = &step->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    out->start_velocity = body->velocity;
    rgVec3 a = rg_body_acceleration(body, world->options.gravity);
    out->v_free = (rgTwist){v3_scale(a, h), v3_zero()};
    out->inverse_inertia = m3_zero();
    if (body->rotation_locked)
      continue;
    out->inverse_inertia = rg_body_inverse_inertia(body, body->orientation);
    rgVec3 gyroscopic = v3_cross(body->velocity.angular, rg_body_angular_momentum(body));
    rgVec3 torque = v3_sub(body->applied.torque, gyroscopic);
    out->v_free.angular = v3_scale(m3_apply(&out->inverse_inertia, torque), h);
  }
}

static rgQuat quat_rate(rgVec3 w, rgQuat q) {
  return quat_mul((rgQuat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z}, q);
}

static rgQuat quat_axpy(rgQuat a, double s, rgQuat b) {
  return (rgQuat){a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static rgTwist twist_axpy(rgTwist a, double s, rgTwist b) {
  return (rgTwist){v3_axpy(a.linear, s, b.linear), v3_axpy(a.angular, s, b.angular)};
}

// The state `s` seconds along the slopes of a substage.
static rgGaussState advance(const rgGaussState* from, double s, const rgGaussSlope* slope) {
  return (rgGaussState){v3_axpy(from->position, s, slope->velocity.linear),
                        quat_axpy(from->orientation, s, slope->turn),
                        twist_axpy(from->velocity, s, slope->acceleration)};
}

static rgGaussSlope slope_of(const rgBody* body, rgTwist v_free, double h) {
  return (rgGaussSlope){body->velocity,
                        quat_rate(body->velocity.angular, body->orientation),
                        {v3_scale(v_free.linear, 1 / h), v3_scale(v_free.angular, 1 / h)}};
}

static void put_kinematic(rgBody* body, const rgGaussState* start, double elapsed) {
  body->position = v3_axpy(start->position, elapsed, body->velocity.linear);
  body->orientation = rg_body_turned(body, start->orientation, elapsed);
}

// Puts all bodies where substage k begins.
static void put_substage(rgStep* step, const rgGaussPart* part, int k) {
  double s = substage_time[k] * part->dt;
  for (int i = 0; i < step->world->body_slots; i++) {
    rgBody* body = &step->world->bodies[i];
    if (!moves(body))
      continue;
    const rgGaussBody* record = &step->gauss->bodies[i];
    if (body->kind == RG_BODY_KINEMATIC) {
      put_kinematic(body, &record->step, part->elapsed + s);
      continue;
    }
    rgGaussState state = advance(&record->part, s, &record->slope);
    state.orientation = quat_unit(state.orientation);
    put(body, &state);
  }
}

// Takes the slopes of the present substage and the power of applied forces.
static double take_slopes(rgStep* step, double weight) {
  double power = 0;
  for (int i = 0; i < step->world->body_slots; i++) {
    rgBody* body = &step->world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    rgGaussBody* record = &step->gauss->bodies[i];
    record->slope = slope_of(body, step->bodies[i].v_free, step->h);
    rgGaussSlope* sum = &record->sum;
    sum->velocity = twist_axpy(sum->velocity, weight, record->slope.velocity);
    sum->turn = quat_axpy(sum->turn, weight, record->slope.turn);
    sum->acceleration = twist_axpy(sum->acceleration, weight, record->slope.acceleration);
    power += v3_dot(body->applied.force, body->velocity.linear) +
             v3_dot(body->applied.torque, body->velocity.angular);
  }
  return power;
}

static void put_end(rgStep* step, const rgGaussPart* part) {
  for (int i = 0; i < step->world->body_slots; i++) {
    rgBody* body = &step->world->bodies[i];
    if (!moves(body))
      continue;
    const rgGaussBody* record = &step->gauss->bodies[i];
    if (body->kind == RG_BODY_KINEMATIC) {
      put_kinematic(body, &record->step, part->elapsed + part->dt);
      continue;
    }
    rgGaussState state = advance(&record->part, part->dt, &record->sum);
    if (v3_norm2(state.velocity.angular) > 0 || v3_norm2(record->part.velocity.angular) > 0)
      state.orientation = quat_unit(state.orientation);
    else
      state.orientation = record->part.orientation;
    put(body, &state);
  }
}

rgStatus rg_gauss_move(rgStep* step, const rgGaussPart* part, double* work) {
  double start = step->world->time;
  for (int i = 0; i < step->world->body_slots; i++)
    step->gauss->bodies[i].sum = step->gauss->bodies[i].slope = (rgGaussSlope){0};
  rgStatus status = RG_OK;
  *work = 0;
  for (int k = 0; k < SUBSTAGES && status == RG_OK; k++) {
    step->world->time = start + part->elapsed + substage_time[k] * part->dt;
    if (k > 0) {
      put_substage(step, part, k);
      rg_gauss_follow(step);
    }
    rg_gauss_free(step);
    double outside = 0;
    status = part->accelerate(step, part->context, &outside);
    double power = take_slopes(step, substage_weight[k]);
    *work += part->dt * substage_weight[k] * (power + outside / step->h);
  }
  step->world->time = start;
  if (status == RG_OK)
    put_end(step, part);
  return status;
}
