// range.c - a step whose state leaves the range of numbers is taken back, and says why.
//
// Movements that a step cannot resolve, such as a spring of frequency w taken explicitly with w h >
// 2, grow by a factor in each step, and end where numbers end: the energy first, as a square, at
// velocities of about 1e154. Nothing that follows means anything, so the step fails. The world
// is what it was before the step.
#include "step/step.h"

#include <stdio.h>
#include <string.h>

static double kinetic_energy(const rgBody* body) {
  return 0.5 * (body->mass * v3_norm2(body->velocity.linear) +
                v3_dot(rg_body_angular_momentum(body), body->velocity.angular));
}

static bool is_finite_velocity(rgTwist v) { return v3_finite(v.linear) && v3_finite(v.angular); }

static bool is_finite_body(const rgBody* body) {
  return is_finite_velocity(body->velocity) && v3_finite(body->position) &&
         isfinite(quat_norm2(body->orientation));
}

static const char* lost_part(const rgBody* body) {
  return is_finite_body(body)                 ? "energy"
         : is_finite_velocity(body->velocity) ? "position"
                                              : "velocity";
}

// Its name, or which of the living bodies it is.
static void describe_body(const rgWorld* world, int slot, char* text, size_t size) {
  int index = world->bodies[slot].index, rank = rg_slots_rank(&world->books.bodies, index);
  const char* name = rg_body_record_name(&world->ids.body_records[index]);
  if (name[0])
    snprintf(text, size, "\"%s\"", name);
  else
    snprintf(text, size, "%d", rank);
}

// Largest component of the velocity before the step [m/s]: its square may be out of range.
static double speed_before(const rgStep* step, int slot) {
  rgVec3 v = step->bodies[slot].before.velocity.linear;
  return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

// The body that was the fastest before the step, -1 when all were at rest.
static int find_fastest(const rgStep* step) {
  int fastest = -1;
  for (int i = 0; i < step->world->body_slots; i++) {
    double best = fastest < 0 ? 0 : speed_before(step, fastest);
    if (step->world->bodies[i].alive && speed_before(step, i) > best)
      fastest = i;
  }
  return fastest;
}

// The first body with a number that is not finite, else the fastest.
static int find_lost(const rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    bool moves = body->alive && body->kind != RG_BODY_STATIC;
    if (moves && (!is_finite_body(body) ||
                  (body->kind == RG_BODY_DYNAMIC && !isfinite(kinetic_energy(body)))))
      return i;
  }
  return find_fastest(step);
}

static bool has_explicit_forces(const rgWorld* world) {
  if (world->options.implicit_forces)
    return false;
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive)
      return true;
  return false;
}

rgStatus rg_step_out_of_range(rgStep* step) {
  rgWorld* world = step->world;
  enum { BODY_SIZE = RG_BODY_NAME_SIZE + 16 };
  int slot = find_lost(step), fastest = find_fastest(step);
  char body[BODY_SIZE] = "", other[BODY_SIZE] = "", speed[BODY_SIZE + 64] = "";
  if (slot >= 0)
    describe_body(world, slot, body, sizeof body);
  if (fastest >= 0 && fastest != slot) {
    describe_body(world, fastest, other, sizeof other);
    snprintf(speed, sizeof speed, ", before which body %s was the fastest with %.3g m/s", other,
             speed_before(step, fastest));
  }
  const char* part = slot >= 0 ? lost_part(&world->bodies[slot]) : "energy";
  const char* springs =
      has_explicit_forces(world) ? ", take springs implicitly (implicit_forces)" : "";
  return rg_world_fail(world, RG_ERROR_INPUT,
                       "the %s of body %s is not finite after the step to t = %g s%s; the step is "
                       "taken back. Choose a smaller step than %g s%s, or look for a force, a "
                       "motion or a mass that is out of range",
                       part, body, step->kept.time + step->h, speed, step->h, springs);
}

static bool loses_velocity(void* context, int first, int end) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++)
    if (world->bodies[i].alive && !is_finite_velocity(world->bodies[i].velocity))
      return true;
  return false;
}

bool rg_step_velocities_finite(const rgStep* step) {
  rgWorld* world = step->world;
  return !rg_tasks_any(world->threads.tasks, world->body_slots, loses_velocity, world);
}

static bool loses_pose(void* context, int first, int end) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++) {
    const rgBody* body = &world->bodies[i];
    rg_body_prefetch_state(world->bodies, i, world->body_slots);
    rgQuat q = body->orientation;
    double sum = body->position.x + body->position.y + body->position.z + q.w + q.x + q.y + q.z;
    if (body->alive && !isfinite(sum) && !is_finite_body(body))
      return true;
  }
  return false;
}

bool rg_step_poses_finite(const rgStep* step) {
  rgWorld* world = step->world;
  return !rg_tasks_any(world->threads.tasks, world->body_slots, loses_pose, world);
}
