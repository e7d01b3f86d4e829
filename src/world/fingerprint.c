// fingerprint.c - a hash of all that a step reads and a snapshot does not hold.
//
// A snapshot holds what changes as a world is stepped. What it was built of, bodies, shapes,
// materials, joints, forces, filters and motions, must be the same in the world that goes on from
// it: their hash is in the snapshot, and a world with another one refuses it. Living objects only,
// named by their indices: slots that are free, and the order of those that are used, decide nothing
// here. Not in it:
//
//   - the options, which belong to a run and not to a state;
//   - what a snapshot restores: the settings of joint axes, the place and strength of attractors;
//   - the address of a callback, which differs from process to process. A motion is a pure function
//     of time, so its poses at a few times stand for it. A force given by a callback need not be
//     one, and may read a state of its own: it is not called here, and who gives it must give the
//     same one.
#include "base/hash.h"
#include "world/world.h"

#define MIX(field) hash = rg_hash_bytes(hash, &(field), sizeof(field))

// Times at which the poses of a motion stand for all of it [s]: across what runs usually last, at
// distances that no period divides.
static const double MOTION_TIMES[] = {0, 0.0123, 0.097, 0.331, 0.77, 1.93, 4.71, 11.3, 37.1};

static uint64_t mix_motion(uint64_t hash, const rgBody* body) {
  bool given = body->motion && body->kind == RG_BODY_KINEMATIC;
  MIX(given);
  for (size_t i = 0; given && i < sizeof MOTION_TIMES / sizeof *MOTION_TIMES; i++) {
    rgPose pose = body->motion(MOTION_TIMES[i], body->motion_context);
    MIX(pose);
  }
  return hash;
}

static uint64_t mix_body(uint64_t hash, const rgBody* body) {
  MIX(body->index);
  MIX(body->generation);
  MIX(body->kind);
  MIX(body->rotation_locked);
  MIX(body->mass);
  MIX(body->principal);
  MIX(body->principal_axes);
  if (body->massless) { // what stands in for the mass
    MIX(body->inverse_mass);
    MIX(body->inverse_principal);
  }
  MIX(body->center);
  return mix_motion(hash, body);
}

static uint64_t mix_joint(uint64_t hash, const rgWorld* world, int slot) {
  const rgJoint* joint = &world->joints[slot];
  rgBodyId a = rg_body_id(world, joint->body_a), b = rg_body_id(world, joint->body_b);
  MIX(slot);
  MIX(joint->generation);
  MIX(joint->def.kind);
  MIX(a);
  MIX(b);
  MIX(joint->frame_a);
  MIX(joint->frame_b);
  if (joint->coupled) {
    MIX(joint->coupled);
    MIX(joint->leads);
  }
  return rg_joint_hash(hash, &joint->def);
}

static uint64_t mix_force(uint64_t hash, const rgWorld* world, int slot) {
  const rgForce* force = &world->forces[slot];
  const rgForceDef* def = &force->def;
  rgBodyId a = rg_body_id(world, force->body), b = rg_body_id(world, force->other);
  MIX(slot);
  MIX(force->generation);
  MIX(a);
  MIX(b);
  MIX(force->rest);
  MIX(def->kind);
  MIX(def->wrench);
  MIX(def->body_axes);
  MIX(def->at_point);
  MIX(def->point);
  MIX(def->other_point);
  MIX(def->stiffness);
  MIX(def->damping);
  MIX(def->rest);
  MIX(def->drag);
  MIX(def->spin_drag);
  MIX(def->range);
  MIX(def->stiff);
  MIX(def->row_count); // 0 unless there is a table or a path
  for (int i = 0; i < force->body_count; i++) {
    rgBodyId body = rg_body_id(world, force->bodies[i]);
    MIX(body);
  }
  size_t rows = (size_t)def->row_count;
  if (def->times)
    hash = rg_hash_bytes(hash, def->times, rows * sizeof *def->times);
  if (def->wrenches)
    hash = rg_hash_bytes(hash, def->wrenches, rows * sizeof *def->wrenches);
  if (def->path)
    hash = rg_hash_bytes(hash, def->path, rows * sizeof *def->path);
  return hash;
}

uint64_t rg_world_fingerprint(const rgWorld* world) {
  uint64_t hash = RG_HASH_START;
  MIX(world->dimension);
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    if (body->alive)
      hash = mix_body(hash, body);
  }
  for (int i = 0; i < world->shape_slots; i++) {
    const rgWorldShape* shape = &world->shapes[world->ids.slot_of_shape[i]];
    if (!shape->alive)
      continue;
    MIX(i);
    MIX(world->bodies[shape->body].index);
    hash = rg_shape_hash(shape->shape, hash);
  }
  for (int i = 0; i < world->laws.material_count * world->laws.material_count; i++)
    MIX(world->laws.table[i].material);
  for (int i = 0; i < world->joint_slots; i++)
    if (world->joints[i].alive)
      hash = mix_joint(hash, world, i);
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive)
      hash = mix_force(hash, world, i);
  uint64_t pairs = rg_world_hash_pairs_off(world);
  MIX(pairs);
  return hash;
}

uint64_t rg_world_search_hash(const rgWorld* world) {
  uint64_t hash = RG_HASH_START;
  MIX(world->options.step);
  MIX(world->options.gravity);
  MIX(world->options.projection_tolerance);
  return hash;
}
