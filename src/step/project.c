// project.c - removing overlaps after a step.
//
// The smallest displacement d in the kinetic norm that opens the contacts,
//
//     minimize 1/2 d' M d   such that   g_c + n_c . (H_c' d) >= 0,
//
// is a frictionless contact problem in which displacements take the place of velocities: v_free =
// 0, bias = g. Only contacts that overlap by more than the tolerance and are not already separating
// fast enough to open in the next step ask for a correction; all others only must not be made
// worse. After each round the moved pairs are looked at anew, since normals turn. Velocities are
// not touched.
#include "step/step.h"

enum {
  PROJECTION_ROUNDS = 3,
  // A projection that has not converged by then is continued in the next step: a body wedged
  // between walls must not cost more than this.
  PROJECTION_SWEEPS = 200
};
// What may be left of the tolerance, so that the next round finds nothing to do.
static const double LEFT_OVER = 0.25;

double rg_allowed_overlap(const rgWorld* world, const rgWorldContact* contact) {
  double a = world->shapes[contact->shape_a].shape->size,
         b = world->shapes[contact->shape_b].shape->size;
  return world->options.projection_tolerance * (a < b ? a : b);
}

static bool asks_for_correction(const rgWorld* world, const rgWorldContact* contact, double h) {
  double allowed = rg_allowed_overlap(world, contact);
  if (contact->gap >= -allowed)
    return false;
  double opening =
      v3_dot(contact->normal, rg_world_contact_velocity(world, contact, RG_VELOCITY_NOW));
  return contact->gap + h * opening < -allowed;
}

// The overlap that the correction leaves alone, smallest over the asking contacts; 0 when none
// asks.
static double mark_contacts(rgWorld* world, double h) {
  double allowed = HUGE_VAL;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    contact->problem_contact = 0;
    contact->impact = asks_for_correction(world, contact, h);
    if (contact->impact)
      allowed = fmin(allowed, rg_allowed_overlap(world, contact));
  }
  return isfinite(allowed) ? allowed : 0;
}

// Fills the problem and returns the largest |gap| in it.
static double fill_problem(rgWorld* world) {
  rgProblemSet* set = &world->position;
  double largest = 0;
  for (int i = 0; i < set->body_count; i++) {
    const rgBody* body = &world->bodies[set->body_order[i]];
    set->bodies[i] =
        (rgProblemBody){.inverse_mass = body->inverse_mass,
                        .inverse_inertia = rg_body_inverse_inertia(body, body->orientation)};
  }
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
      const rgWorldContact* contact = &world->contacts[set->contact_order[i]];
      const rgBody *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
      rgProblemContact* out = &set->contacts[i];
      double gap = contact->impact || contact->gap > 0 ? contact->gap : 0;
      *out = (rgProblemContact){
          .body_a = a->problem_body < 0 ? -1 : a->problem_body - island->body_start,
          .body_b = b->problem_body < 0 ? -1 : b->problem_body - island->body_start,
          .n = contact->normal,
          .arm_a = v3_sub(contact->point_a, a->position),
          .arm_b = v3_sub(contact->point_b, b->position),
          .bias = {gap, 0, 0, 0},
          .cone = RG_CONE_FRICTIONLESS};
      v3_frame(out->n, &out->t, &out->o);
      for (int j = 0; j < 4; j++)
        set->r[4 * i + j] = 0;
      largest = fmax(largest, fabs(gap));
    }
  }
  return largest;
}

static void move_bodies(rgWorld* world) {
  const rgProblemSet* set = &world->position;
  for (int i = 0; i < set->body_count; i++) {
    const double* d = &set->v[6 * i];
    rgVec3 shift = v3(d[0], d[1], d[2]), turn = v3(d[3], d[4], d[5]);
    if (!(v3_norm2(shift) > 0 || v3_norm2(turn) > 0) || !v3_finite(shift) || !v3_finite(turn))
      continue;
    rgBody* body = &world->bodies[set->body_order[i]];
    body->position = v3_add(body->position, shift);
    if (v3_norm2(turn) > 0)
      body->orientation = quat_unit(quat_mul(quat_cayley(turn), body->orientation));
    body->moved = true;
  }
}

rgStatus rg_project_positions(rgWorld* world, double h) {
  for (int round = 0; round < PROJECTION_ROUNDS; round++) {
    double allowed = mark_contacts(world, h);
    if (allowed == 0)
      return RG_OK;
    rgStatus status = rg_world_build_islands(world, &world->position);
    if (status != RG_OK)
      return status;
    double largest = fill_problem(world);
    int sweeps = world->options.iteration_limit;
    rgStop stop = {.tolerance = fmin(LEFT_OVER * allowed / largest, LEFT_OVER),
                   .iteration_limit = sweeps < PROJECTION_SWEEPS ? sweeps : PROJECTION_SWEEPS};
    status = rg_world_solve_islands(world, &world->position, "nsgs", &stop);
    if (status != RG_OK)
      return status;
    move_bodies(world);
    status = rg_world_detect_moved(world);
    if (status != RG_OK)
      return status;
  }
  return RG_OK;
}
