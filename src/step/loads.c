// loads.c - what acted on bodies in the last step.
//
// The problems of a step stay until the next one, and with them impulses, frames and arms of all
// contacts and rows. What the problems do not know, the shapes of their contacts and the gaps, is
// noted at the end of the step, before the contacts of its end take their place. Sequential impacts
// have problems of their own, one after the other, which are noted whole.
//
//     m (v+ - v) = h applied + H r + G' lambda + m correction
//
// follows from the problem, M (v~ - v_free) = H r + G' lambda, with the correction
// v+ - v~ + (v_start - v): what was done to the velocity after its problem and before it. It is
// measured there, not found from what is missing.
#include "step/loads.h"
#include "step/scheme/scheme.h"
#include "step/tree/tree.h"
#include <rigor/load.h>

#include <string.h>

void rg_loads_begin(rgStep* step) {
  step->acted.impact_count = 0;
  step->acted.impact_work = 0;
  step->acted.suited = false;
  step->acted.parts = false;
}

bool rg_loads_kept_by(const char* stepper) {
  const rgStepper* found = rg_stepper_find(stepper);
  return found && found != &rg_stepper_gauss && !found->cuts;
}

static rgStatus fail_memory(rgStep* step) {
  return rg_world_fail(step->world, RG_ERROR_MEMORY,
                       "not enough memory for the contacts of a step");
}

static rgContactOrigin origin_of(const rgStep* step, int index) {
  const rgWorldContact* contact = &step->world->contacts[step->velocity.contact_order[index]];
  return (rgContactOrigin){rg_shape_id(step->world, contact->shape_a),
                           rg_shape_id(step->world, contact->shape_b), contact->body_a,
                           contact->body_b, contact->gap};
}

// Which rows are those of a joint, and what its drives gave: later edits may list other rows.
static void note_joint(rgStep* step, int slot, int row) {
  const rgJoint* joint = &step->world->joints[slot];
  rgJointStep* scratch = &step->joints[slot];
  scratch->acted_row = row;
  scratch->acted_count = scratch->row_count;
  int first = scratch->row_count; // of the rows along axes, which come last
  while (first > 0 && scratch->rows[first - 1] >= joint->constraint_count)
    first--;
  for (int i = first; i < scratch->row_count; i++) {
    rgRowUse use = joint->rows[scratch->rows[i]];
    if (use.kind == RG_ROW_MOTOR || use.kind == RG_ROW_SERVO || use.kind == RG_ROW_EFFORT)
      scratch->drive[use.index] += step->velocity.lambda[row + i] / step->h;
  }
}

static void note_joints(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < step->world->joint_slots; i++) {
    step->joints[i].acted_count = 0;
    memset(step->joints[i].drive, 0, sizeof step->joints[i].drive);
  }
  for (int i = 0; i < set->row_count;) {
    int slot = set->row_joint[i];
    if (slot >= 0)
      note_joint(step, slot, i);
    i += slot >= 0 ? step->joints[slot].row_count : 1;
  }
}

static void note_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++)
    step->acted.origins[i] = origin_of(step, i);
}

rgStatus rg_loads_note(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  if (!RG_SET_RESERVE(step->world, &step->acted, origins, set->contact_count))
    return fail_memory(step);
  rg_tasks_ranges(step->world->threads.tasks, set->contact_count, note_range, step);
  note_joints(step);
  return RG_OK;
}

static rgVec3 impulse_of(const rgProblemSet* set, int i) {
  const rgProblemContact* in = &set->contacts[i];
  const double* r = &set->r[4 * i];
  return v3_axpy(v3_axpy(v3_scale(in->n, r[0]), r[1], in->t), r[2], in->o);
}

static rgActedContact acted_contact(const rgProblemSet* set, int i, rgContactOrigin origin) {
  const rgProblemContact* in = &set->contacts[i];
  return (rgActedContact){.origin = origin,
                          .normal = in->n,
                          .arm_a = in->arm_a,
                          .arm_b = in->arm_b,
                          .impulse = impulse_of(set, i),
                          .torsion = set->r[4 * i + 3]};
}

rgStatus rg_loads_note_impacts(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  rgActed* acted = &step->acted;
  if (!RG_SET_RESERVE(step->world, acted, impacts, acted->impact_count + set->contact_count))
    return fail_memory(step);
  for (int i = 0; i < set->contact_count; i++)
    acted->impacts[acted->impact_count++] = acted_contact(set, i, origin_of(step, i));
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Contacts
// -------------------------------------------------------------------------------------------------

bool rg_world_has_loads(const rgWorld* world) {
  return world->problems_valid && world->step->scheme && !world->step->acted.parts;
}

// Contacts first of the problems, then of the impacts before them.
static int contact_count(const rgWorld* world) {
  return world->step->velocity.contact_count + world->step->acted.impact_count;
}

static rgActedContact contact_at(const rgStep* step, int index) {
  int own = step->velocity.contact_count;
  return index < own ? acted_contact(&step->velocity, index, step->acted.origins[index])
                     : step->acted.impacts[index - own];
}

// Where the arm of a body begins: at the start of the step, or where its contacts are followed to.
static rgVec3 center_of(const rgStep* step, int slot) {
  const rgBodyStep* body = &step->bodies[slot];
  rgVec3 start = body->before.position, end = step->world->bodies[slot].position;
  bool follows = body->island >= 0 && step->velocity.islands[body->island].follows;
  if (!follows || step->contacts_at == RG_CONTACTS_START)
    return start;
  return step->contacts_at == RG_CONTACTS_END ? end : v3_scale(v3_add(start, end), 0.5);
}

// Middle of the two points where the arms end.
static rgVec3 point_of(const rgStep* step, const rgActedContact* contact, int a, int b) {
  rgVec3 on_a = v3_add(center_of(step, a), contact->arm_a),
         on_b = v3_add(center_of(step, b), contact->arm_b);
  return v3_scale(v3_add(on_a, on_b), 0.5);
}

static rgContactLoad contact_load(const rgStep* step, int index) {
  const rgWorld* world = step->world;
  rgActedContact contact = contact_at(step, index);
  int a = contact.origin.body_a, b = contact.origin.body_b;
  return (rgContactLoad){.body_a = rg_body_id(world, a),
                         .body_b = rg_body_id(world, b),
                         .shape_a = contact.origin.shape_a,
                         .shape_b = contact.origin.shape_b,
                         .point = point_of(step, &contact, a, b),
                         .normal = contact.normal,
                         .gap = contact.origin.gap,
                         .force = v3_scale(contact.impulse, 1 / step->h),
                         .torsion = contact.torsion / step->h,
                         .arm_a = contact.arm_a,
                         .arm_b = contact.arm_b};
}

int rg_world_contact_loads(const rgWorld* world, rgContactLoad* loads, int capacity) {
  int count = rg_world_has_loads(world) ? contact_count(world) : 0;
  for (int i = 0; i < count && i < capacity; i++)
    loads[i] = contact_load(world->step, i);
  return count;
}

static void add_wrench(rgWrench* sum, rgVec3 force, rgVec3 torque, double sign) {
  sum->force = v3_axpy(sum->force, sign, force);
  sum->torque = v3_axpy(sum->torque, sign, torque);
}

// Adds what a contact does to A (sign 1) or to B (sign -1).
static void add_contact(rgWrench* sum, const rgContactLoad* load, double sign) {
  rgVec3 moment = v3_cross(sign > 0 ? load->arm_a : load->arm_b, load->force);
  add_wrench(sum, load->force, v3_axpy(moment, load->torsion, load->normal), sign);
}

// 1 when a contact acts on a body as its A, -1 as its B, 0 when it does not, or not by the other body.
static double side_of(const rgContactLoad* load, rgBodyId body, rgBodyId other) {
  bool on_a = rg_body_equal(load->body_a, body), on_b = rg_body_equal(load->body_b, body);
  rgBodyId by = on_a ? load->body_b : load->body_a;
  if (!(on_a || on_b) || (other.generation != 0 && !rg_body_equal(by, other)))
    return 0;
  return on_a ? 1 : -1;
}

rgWrench rg_body_contact_force(const rgWorld* world, rgBodyId body, rgBodyId other) {
  rgWrench sum = {v3_zero(), v3_zero()};
  int count = rg_world_has_loads(world) ? contact_count(world) : 0;
  for (int i = 0; i < count; i++) {
    rgContactLoad load = contact_load(world->step, i);
    double side = side_of(&load, body, other);
    if (side != 0)
      add_contact(&sum, &load, side);
  }
  return sum;
}

double rg_body_normal_force(const rgWorld* world, rgBodyId body, rgBodyId other) {
  double sum = 0;
  int count = rg_world_has_loads(world) ? contact_count(world) : 0;
  for (int i = 0; i < count; i++) {
    rgContactLoad load = contact_load(world->step, i);
    if (side_of(&load, body, other) != 0)
      sum += v3_dot(load.normal, load.force);
  }
  return sum;
}

// -------------------------------------------------------------------------------------------------
// Joints
// -------------------------------------------------------------------------------------------------

static void add_row(const rgProblemSet* set, int row, double h, rgJointLoad* load) {
  const rgProblemRow* in = &set->rows[row];
  double force = set->lambda[row] / h;
  add_wrench(&load->on_a, in->g_a.linear, in->g_a.angular, force);
  add_wrench(&load->on_b, in->g_b.linear, in->g_b.angular, force);
}

// What axes that follow those of a joint do to it.
static void add_followers(const rgStep* step, int slot, rgJointLoad* load) {
  const rgWorld* world = step->world;
  for (int k = 0; k < world->joint_slots && world->joints[slot].followers > 0; k++) {
    const rgJoint* joint = &world->joints[k];
    const rgJointStep* scratch = &step->joints[k];
    for (int i = 0; i < scratch->acted_count && joint->alive && joint->coupled; i++) {
      const rgProblemRow* row = &step->velocity.rows[scratch->acted_row + i];
      double force = step->velocity.lambda[scratch->acted_row + i] / step->h;
      rgRowUse use = joint->rows[scratch->rows[i]]; // edits may have listed others
      if (!row->far || use.kind != RG_ROW_COUPLED || joint->leads[use.index].joint != slot)
        continue;
      add_wrench(&load->on_a, row->far->g_a.linear, row->far->g_a.angular, force);
      add_wrench(&load->on_b, row->far->g_b.linear, row->far->g_b.angular, force);
    }
  }
}

static rgJointLoad joint_load(const rgStep* step, int slot) {
  rg_tree_write_all_rows(step->world);
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  rgJointLoad load = {.joint = {(uint32_t)slot, joint->generation},
                      .body_a = rg_body_id(step->world, joint->body_a),
                      .body_b = rg_body_id(step->world, joint->body_b),
                      .axis_count = joint->info->axis_count};
  for (int i = 0; i < scratch->acted_count; i++)
    add_row(&step->velocity, scratch->acted_row + i, step->h, &load);
  add_followers(step, slot, &load);
  for (int i = 0; i < load.axis_count; i++)
    load.drive[i] = scratch->drive[i];
  return load;
}

bool rg_joint_load(const rgWorld* world, rgJointId id, rgJointLoad* load) {
  const rgJoint* joint = rg_world_joint_slot(world, id);
  bool known = joint && rg_world_has_loads(world);
  if (known)
    *load = joint_load(world->step, (int)id.index);
  return known;
}

int rg_world_joint_loads(const rgWorld* world, rgJointLoad* loads, int capacity) {
  int count = 0;
  for (int i = 0; i < world->joint_slots && rg_world_has_loads(world); i++) {
    if (!world->joints[i].alive)
      continue;
    if (count < capacity)
      loads[count] = joint_load(world->step, i);
    count++;
  }
  return count;
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

// Loads of bodies by their place in rg_world_body.
typedef struct Sums {
  const rgWorld* world;
  rgBodyLoad* loads;
  int capacity;
} Sums;

// NULL for the ground and for what has no room.
static rgBodyLoad* load_of(const Sums* sums, rgBodyId id) {
  int place = id.generation == 0 ? -1 : rg_step_body_place(sums->world, (int)id.index);
  return place >= 0 && place < sums->capacity ? &sums->loads[place] : NULL;
}

static rgBodyLoad* load_of_slot(const Sums* sums, int slot) {
  return load_of(sums, rg_body_id(sums->world, slot));
}

// What was done to the velocity of a body before its problem and after it, whose answer was `solved`.
static rgVec3 correction_of(const rgStep* step, int slot, rgVec3 solved) {
  const rgBodyStep* scratch = &step->bodies[slot];
  rgVec3 after = v3_sub(step->world->bodies[slot].velocity.linear, solved);
  if (!step->acted.suited)
    return after;
  return v3_add(after, v3_sub(scratch->start_velocity.linear, scratch->before.velocity.linear));
}

// Forces of the world without those that are rows, and the correction of a body in no problem.
static void begin_body(const Sums* sums, int slot) {
  const rgStep* step = sums->world->step;
  const rgBody* body = &sums->world->bodies[slot];
  rgBodyLoad* load = load_of_slot(sums, slot);
  if (!load)
    return;
  *load = (rgBodyLoad){0};
  if (body->kind != RG_BODY_DYNAMIC)
    return;
  load->applied.force = v3_axpy(body->applied.force, body->mass, sums->world->options.gravity);
  load->applied.torque = body->applied.torque;
  if (!step->account.massless)
    load->correction = correction_of(step, slot, step->bodies[slot].v_free.linear);
}

static void correct_solved(const Sums* sums) {
  const rgStep* step = sums->world->step;
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < set->body_count && !step->account.massless; i++) {
    rgBodyLoad* load = load_of_slot(sums, set->body_order[i]);
    const double* v = &set->v[6 * i];
    if (load)
      load->correction = correction_of(step, set->body_order[i], v3(v[0], v[1], v[2]));
  }
}

// Sequential impacts are between the two velocities by which suiting is measured.
static void take_out_impact(const Sums* sums, rgBodyLoad* load, rgBodyId id, rgVec3 force,
                            double sign) {
  const rgBody* body = rg_world_body_slot(sums->world, id);
  if (load && sums->world->step->acted.suited)
    load->correction =
        v3_axpy(load->correction, -sign * sums->world->step->h * body->inverse_mass, force);
}

static void add_contacts(const Sums* sums) {
  const rgStep* step = sums->world->step;
  for (int i = 0; i < contact_count(sums->world); i++) {
    rgContactLoad contact = contact_load(step, i);
    rgBodyLoad *a = load_of(sums, contact.body_a), *b = load_of(sums, contact.body_b);
    if (a)
      add_contact(&a->contacts, &contact, 1);
    if (b)
      add_contact(&b->contacts, &contact, -1);
    if (i < step->velocity.contact_count)
      continue;
    take_out_impact(sums, a, contact.body_a, contact.force, 1);
    take_out_impact(sums, b, contact.body_b, contact.force, -1);
  }
}

static void add_joints(const Sums* sums) {
  const rgWorld* world = sums->world;
  for (int i = 0; i < world->joint_slots; i++) {
    if (!world->joints[i].alive)
      continue;
    rgJointLoad joint = joint_load(world->step, i);
    rgBodyLoad *a = load_of(sums, joint.body_a), *b = load_of(sums, joint.body_b);
    if (a)
      add_wrench(&a->joints, joint.on_a.force, joint.on_a.torque, 1);
    if (b)
      add_wrench(&b->joints, joint.on_b.force, joint.on_b.torque, 1);
  }
}

// Springs, dampers and drag that are rows of the problem are forces of the world all the same.
static void add_force_rows(const Sums* sums) {
  const rgProblemSet* set = &sums->world->step->velocity;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    const int* slots = &set->body_order[island->body_start];
    for (int i = island->row_start; i < island->row_start + island->row_count; i++) {
      const rgProblemRow* row = &set->rows[i];
      double force = set->lambda[i] / sums->world->step->h;
      if (set->row_joint[i] >= 0)
        continue;
      rgBodyLoad* a = row->body_a < 0 ? NULL : load_of_slot(sums, slots[row->body_a]);
      rgBodyLoad* b = row->body_b < 0 ? NULL : load_of_slot(sums, slots[row->body_b]);
      if (a)
        add_wrench(&a->applied, row->g_a.linear, row->g_a.angular, force);
      if (b)
        add_wrench(&b->applied, row->g_b.linear, row->g_b.angular, force);
    }
  }
}

int rg_world_body_loads(const rgWorld* world, rgBodyLoad* loads, int capacity) {
  if (!rg_world_has_loads(world))
    return 0;
  Sums sums = {world, loads, capacity};
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive)
      begin_body(&sums, i);
  correct_solved(&sums);
  add_contacts(&sums);
  add_joints(&sums);
  add_force_rows(&sums);
  return rg_world_body_count(world);
}
