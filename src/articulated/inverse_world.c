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

// v+ of shift = h (theta v+ + (1 - theta) v).
static rgVec3 end_velocity(rgVec3 shift, rgVec3 start, double h, double theta) {
  return v3_scale(v3_axpy(v3_scale(shift, 1 / h), theta - 1, start), 1 / theta);
}

// The turn of a step is the Cayley vector of such a velocity w*, which then turns with the body
// (fill/free_motion.c); that of a body with equal moments stays.
void rg_inverse_reached(const rgWorld* world, double h, double theta, const rgBodyMotion* start,
                        rgBodyMotion* end) {
  for (int i = 0; i < world->body_count; i++) {
    const rgBody* body = rg_world_body_slot(world, rg_world_body(world, i));
    if (body->kind != RG_BODY_DYNAMIC)
      continue;
    rgVec3 shift =
        v3_sub(pose_apply(end[i].pose, body->center), pose_apply(start[i].pose, body->center));
    end[i].velocity.linear = end_velocity(shift, start[i].velocity.linear, h, theta);
    rgQuat turn = quat_mul(end[i].pose.orientation, quat_conj(start[i].pose.orientation));
    if (body->rotation_locked || turn.w == 0)
      continue;
    rgVec3 cayley = v3_scale(v3(turn.x, turn.y, turn.z), 2 / turn.w);
    rgVec3 w = end_velocity(cayley, start[i].velocity.angular, h, theta);
    end[i].velocity.angular = body->isotropic ? w : quat_rotate_exactly(turn, w);
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
    if (set->row_joint[i] >= 0)
      continue; // of a joint, which is what is asked for
    rgWrench* a = wrench_on(world, slots, row->body_a, applied);
    rgWrench* b = wrench_on(world, slots, row->body_b, applied);
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
