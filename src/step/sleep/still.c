// still.c - worlds in which nothing happens: the step is not made again.
//
// A step is a function of the state of the world, of what it is built of, of its options and, where a force or a motion asks
// for it, of time. One that ends with the state that it began with, to the last bit, is therefore followed
// by steps that do the same, with the same problems, the same answers and the same certificate, until something is set
// from outside. Where all bodies sleep that is what a step does (asleep.c): from then on a step only counts
// itself. Nothing is assumed about what leaves the state as it is; it is compared.
//
// What could change without a trace in the state ends it: forces and motions that depend on time, or on a callback
// that may have a state of its own. What is set from outside is seen by what it leaves for the next
// step: the search for contacts or the options are to be checked, problems are of another state, edits and commands
// were counted.
//
// Cost: one pass over the state after a step in which all bodies sleep.
#include "step/scheme/scheme.h"
#include "step/sleep/sleep.h"

#include <string.h>

#define SAME(a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)

static bool is_same_body(const rgBody* body, const rgBodyState* before) {
  return SAME(body->position, before->position) && SAME(body->orientation, before->orientation) &&
         SAME(body->velocity, before->velocity) && SAME(body->momentum, before->momentum) &&
         SAME(body->momentum_of, before->momentum_of) && SAME(body->applied, before->applied) &&
         body->travel == before->travel && body->shift == before->shift &&
         body->thrust == before->thrust && body->iterated == before->iterated &&
         body->anew == before->anew && body->quiet == before->quiet &&
         body->unchosen == before->unchosen;
}

// First the bodies: while one of them is awake nothing else is looked at.
static bool bodies_sleep(const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->alive && body->kind == RG_BODY_DYNAMIC && body->quiet < RG_QUIET_MOST)
      return false;
    if (body->alive && body->motion)
      return false;
  }
  return true;
}

static bool bodies_are_same(const rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && !is_same_body(&world->bodies[i], &step->bodies[i].before))
      return false;
  return true;
}

// What of it was not noted was not changed (fill/trail.c).
static bool is_same_trail(const rgTrail* trail, const rgTrail* kept, int noted) {
  if (noted & RG_NOTED && (trail->step != kept->step || trail->count != kept->count))
    return false;
  for (int side = 0; side < 2; side++)
    if (noted >> side & 1 && !SAME(trail->change[side], kept->change[side]))
      return false;
  return true;
}

static bool joints_are_same(const rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    const rgJointKept* kept = &step->kept.joints[i];
    size_t rows = (size_t)joint->row_count * sizeof *joint->impulse;
    if (joint->alive && (!is_same_trail(&joint->trail, &kept->trail, step->joints[i].noted) ||
                         !SAME(joint->reaction, kept->reaction) ||
                         memcmp(joint->impulse, kept->impulse, rows) != 0 ||
                         !SAME(joint->coordinate, kept->coordinate) ||
                         !SAME(joint->force, kept->force) || !SAME(joint->rotor, kept->rotor)))
      return false;
  }
  return world->joints_stale == step->kept.joints_stale &&
         world->rotors_stale == step->kept.rotors_stale;
}

// But for the thread that found its contacts.
static bool is_same_pair(const rgPair* a, const rgPair* b) {
  return a->a == b->a && a->b == b->b && a->contact_start == b->contact_start &&
         a->contact_count == b->contact_count && SAME(a->reach, b->reach) &&
         SAME(a->drift, b->drift) && SAME(a->hint, b->hint);
}

static bool contacts_are_same(const rgStep* step) {
  const rgWorld* world = step->world;
  const rgKept* kept = &step->kept;
  if (world->contact_count != kept->contact_count || world->search.pair_count != kept->pair_count)
    return false;
  size_t size = offsetof(rgWorldContact, ball_b) + sizeof(bool); // without padding
  for (int i = 0; i < world->contact_count; i++)
    if (memcmp(&world->contacts[i], &kept->contacts[i], size) != 0)
      return false;
  for (int i = 0; i < world->search.pair_count; i++)
    if (!is_same_pair(&world->search.pairs[i], &world->search.old_pairs[i]))
      return false;
  return true;
}

static bool depends_on_time(const rgForceDef* def) {
  return def->kind == RG_FORCE_TABLE || def->kind == RG_FORCE_CALLBACK || def->times;
}

static bool forces_are_constant(const rgWorld* world) {
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive && depends_on_time(&world->forces[i].def))
      return false;
  return true;
}

void rg_sleep_note(rgStep* step) {
  const rgWorld* world = step->world;
  step->past.still = bodies_sleep(world) && bodies_are_same(step) && joints_are_same(step) &&
                     forces_are_constant(world) && contacts_are_same(step);
  step->past.edits = world->ids.edits;
  step->past.commands = world->user.commands;
}

bool rg_sleep_is_still(const rgWorld* world) {
  const rgStep* step = world->step;
  bool cancelled = world->user.cancel && *world->user.cancel;
  return step && step->past.still && world->options.sleeping && rg_step_goes_on(world) &&
         !world->unchecked && step->past.edits == world->ids.edits &&
         step->past.commands == world->user.commands && !cancelled;
}

void rg_sleep_go_on(rgWorld* world) {
  world->time = rg_step_time_after(world->time, world->steps, world->options.step);
  world->steps++;
}
