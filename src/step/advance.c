// advance.c - the step of all schemes whose unknown is the velocity at the end of the step.
//
//     M (v+ - v) = h F + G' lambda + H r,      q+ = q + h (theta v+ + (1 - theta) v)
//
// with the contact law at the end of the step. What a scheme decides is which contacts are in the
// problem and with which bias in the normal direction; all else is here and in the rounds: the free
// motion, the certificate, the work of forces and of moving ground, and the movement.
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/fill/passing.h"
#include "step/loads.h"
#include "step/report.h"
#include "step/rounds.h"
#include "step/scheme/scheme.h"
#include "step/sleep/sleep.h"
#include "step/stabilize/stabilizer.h"
#include "step/sum.h"

static void turn_body(rgBody* body, const rgBodyStep* scratch, rgVec3 turn) {
  rgVec3 spin = rg_energy_turned_spin(body, scratch, turn);
  body->orientation = quat_unit(quat_mul(quat_cayley(turn), body->orientation));
  body->velocity.angular = spin;
}

// Moves a body by the weighted velocity and returns the work of the forces on it.
static double move(const rgStep* step, int slot) {
  rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  if (body->kind == RG_BODY_STATIC || scratch->sleeps)
    return 0;
  if (body->kind == RG_BODY_KINEMATIC) { // exactly as it is told to
    body->position = v3_axpy(body->position, step->h, body->velocity.linear);
    body->orientation = rg_body_turned(body, body->orientation, step->h);
    return 0;
  }
  rgVec3 shift, turn;
  rg_step_movement(step, slot, &shift, &turn);
  bool cut = step->look.watched && scratch->part < 1;
  if (cut)
    rg_fill_cut_movement(step, slot, &shift, &turn);
  body->position = v3_add(body->position, shift);
  if (v3_norm2(turn) > 0 || cut)
    turn_body(body, scratch, turn);
  return v3_dot(body->applied.force, shift) + v3_dot(body->applied.torque, turn);
}

void rg_step_move_body(const rgStep* step, int slot) { step->bodies[slot].work = move(step, slot); }

void rg_step_move_island(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  if (island->follows) {
    rg_fill_finish_island(step, island);
    return;
  }
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    rg_step_move_body(step, set->body_order[i]);
}

static bool is_moved_with_ends(const rgStep* step, int slot) {
  return rg_rounds_follow_ends(step) && step->ends[slot].known;
}

static void move_range(void* context, int first, int end) {
  rgStep* step = context;
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    int ahead = rg_ahead(i, RG_SLOTS_AHEAD, world->body_slots);
    rg_prefetch(&world->bodies[ahead], offsetof(rgBody, thin));
    rg_prefetch(&step->bodies[ahead], offsetof(rgBodyStep, inverse_inertia));
    if (world->bodies[i].alive && !is_moved_with_ends(step, i))
      rg_step_move_body(step, i);
  }
}

static void write_body_works(const rgStep* step, const void* context, int first, int end,
                             double* terms) {
  (void)context;
  for (int i = first; i < end; i++) {
    bool moved = step->world->bodies[i].alive && !is_moved_with_ends(step, i);
    terms[i - first] = moved ? step->bodies[i].work : 0;
  }
}

// Moves all bodies to the end of the step; adds the work of forces and of moving ground.
static void move_bodies(rgStep* step) {
  const rgWorld* world = step->world;
  rgJointRule joints = rg_fill_joint_rule(step);
  step->work =
      rg_report_ground_work(step) + rg_fill_take_joints(step, &joints) + rg_fill_force_work(step);
  if (rg_rounds_follow_ends(step))
    step->work += rg_fill_finish_ends(step);
  rg_tasks_ranges(world->threads.tasks, world->body_slots, move_range, step);
  rg_step_sum(step, world->body_slots, 1, write_body_works, NULL, &step->work);
}

// What the rounds have left: islands with joints are solved for the ends that they lead to, or took
// the plain step.
static void report_rounds(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  int plain = 0, jointed = 0;
  for (int k = 0; k < set->island_count && rg_rounds_follow_ends(step); k++) {
    const rgIsland* island = &set->islands[k];
    if (!rg_island_has_joints(set, island))
      continue;
    jointed++;
    plain += island->plain;
    if (!island->plain)
      rg_report_stage(step, RG_STAGE_ROUNDS, step->certificate.tolerance,
                      island->report.certificate.residual);
  }
  if (jointed > 0)
    rg_report_stage(step, RG_STAGE_PLAIN, 0, plain);
}

static rgStatus suit(rgStep* step) {
  rg_fill_start_motions(step); // what is driven has its velocity before others suit it
  rgStatus status = rg_fill_suit_velocities(step);
  rg_energy_suited(step);
  step->acted.suited = true;
  return status;
}

static void take_scheme(rgStep* step, const rgScheme* scheme) {
  step->scheme = scheme;
  step->mean_rows = scheme->mean_rows;
  step->theta = scheme->theta > 0 ? scheme->theta : step->world->options.theta;
  step->contacts_at = scheme->end_contacts ? RG_CONTACTS_END
                      : step->theta < 1    ? RG_CONTACTS_MEAN
                                           : RG_CONTACTS_START;
  step->round.closes = scheme->closes;
  step->round.stabilization = rg_stabilizer_rate(step->world);
  step->account.massless = scheme->mobility > 0;
}

rgStatus rg_step_advance(rgStep* step, const rgScheme* scheme) {
  rgWorld* world = step->world;
  take_scheme(step, scheme);
  rg_loads_begin(step);
  rgStatus status = RG_OK;
  bool rings = scheme->mean_rows && world->joint_count > 0 && step->theta < 1;
  if (rings && world->joints_stale)
    status = suit(step);
  if (status != RG_OK)
    return status;
  rg_world_sync_rotors(world);
  scheme->free_motion(step);
  if (rg_fill_outran_contacts(step))
    status = rg_step_detect(step, step->h);
  bool sequential = scheme->sequential && rg_fill_impacts_are_sequential(step);
  if (status == RG_OK && sequential) {
    status = rg_fill_sequential_impacts(step);
    rg_energy_suited(step);
  }
  if (status == RG_OK)
    status = rg_rounds_run(step);
  if (status == RG_OK && !rg_step_velocities_finite(step))
    status = rg_step_out_of_range(step);
  if (status == RG_OK && world->options.sleeping) {
    rg_sleep_answer(step);
    status = rg_sleep_keep(step);
  }
  if (status != RG_OK) {
    rg_fill_forget_late_contacts(step);
    return status;
  }
  bool changed = rg_energy_make_harmless(step);
  rg_report_add(step, 0);
  if (scheme->mobility == 0)
    rg_causes_find(step);
  if (sequential)
    rg_fill_add_impacts(step);
  report_rounds(step);
  status = rg_fill_cut_passing(step, changed);
  if (status == RG_OK)
    move_bodies(step);
  if (status == RG_OK && (scheme->end_contacts || scheme->closes))
    rg_fill_judge_ends(step);
  if (status == RG_OK)
    status = rg_loads_note(step);
  rg_fill_forget_late_contacts(step);
  if (status != RG_OK)
    return status;
  rg_energy_account(step);
  world->rotors_stale = step->account.massless; // velocities are those of the step alone
  if (!rings)
    return RG_OK;
  step->account.slowed = true;
  double before = rg_energy_of_motion(step);
  status = rg_fill_end_ringing(step);
  rg_fill_end_rotor_ringing(step);
  step->account.rung = rg_energy_of_motion(step) - before;
  return status;
}
