// inverse_world.c - what inverse dynamics reads of a world: its state, and what acted in a step.
#include "articulated/inverse.h"

#include "step/step.h"

#include <string.h>

void rg_inverse_state(const rgWorld* world, rgBodyMotion* motion) {
  for (int i = 0; i < world->body_count; i++) {
    rgBodyId id = rg_world_body(world, i);
    motion[i] =
        (rgBodyMotion){.pose = rg_body_pose(world, id), .velocity = rg_body_velocity(world, id)};
  }
}

// The wrench on a body of an island, -1: none.
static rgWrench* wrench_on(const rgWorld* world, const int* slots, int body, rgWrench* applied) {
  if (body < 0)
    return NULL;
  return &applied[rg_slots_rank(&world->books.bodies, world->bodies[slots[body]].index)];
}

// An impulse at an arm, with a moment beside it, over h.
static void push(rgWrench* wrench, rgVec3 impulse, rgVec3 moment, rgVec3 arm, double per_h) {
  if (!wrench)
    return;
  wrench->force = v3_axpy(wrench->force, per_h, impulse);
  wrench->torque = v3_axpy(wrench->torque, per_h, v3_add(v3_cross(arm, impulse), moment));
}

static void add_island(const rgWorld* world, const rgIsland* island, rgWrench* applied) {
  const rgStep* step = world->step;
  const rgProblemSet* set = &step->velocity;
  const int* slots = &set->body_order[island->body_start];
  double per_h = 1 / step->h;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgProblemContact* c = &set->contacts[i];
    const double* r = &set->r[4 * i];
    rgVec3 impulse = v3_axpy(v3_axpy(v3_scale(c->n, r[0]), r[1], c->t), r[2], c->o);
    rgVec3 moment = v3_scale(c->n, r[3]);
    push(wrench_on(world, slots, c->body_a, applied), impulse, moment, c->arm_a, per_h);
    push(wrench_on(world, slots, c->body_b, applied), v3_neg(impulse), v3_neg(moment), c->arm_b,
         per_h);
  }
  for (int i = island->row_start; i < island->row_start + island->row_count; i++) {
    const rgProblemRow* row = &set->rows[i];
    rgWrench* a = wrench_on(world, slots, row->body_a, applied);
    rgWrench* b = wrench_on(world, slots, row->body_b, applied);
    if (set->row_joint[i] >= 0)
      continue; // of a joint, which is what is asked for
    if (a)
      rg_inverse_add_row(a, row->g_a, set->lambda[i] * per_h);
    if (b)
      rg_inverse_add_row(b, row->g_b, set->lambda[i] * per_h);
  }
}

rgStatus rg_inverse_applied(rgWorld* world, rgWrench* applied) {
  if (!world->problems_valid)
    return rg_world_fail(
        world, RG_ERROR_INPUT,
        "the forces of the last step are not known: no step was made, or bodies or "
        "joints were changed after it");
  memset(applied, 0, (size_t)world->body_count * sizeof *applied);
  for (int i = 0; i < world->body_count; i++) {
    const rgBody* body = rg_world_body_slot(world, rg_world_body(world, i));
    if (body->kind == RG_BODY_DYNAMIC)
      applied[i] = body->applied;
  }
  for (int k = 0; k < world->step->velocity.island_count; k++)
    add_island(world, &world->step->velocity.islands[k], applied);
  return RG_OK;
}
