// sequential.c - impacts one after the other, the option `impacts` = "sequential" or "routh".
//
// Where several contacts take part in an impact, Newton's law of restitution has two readings. All at
// once (simultaneous): every contact that approaches leaves with e times its approach, in one problem.
// One after the other (sequential): as if tiny gaps parted the bodies, each pair collides alone, the
// next one with what the first has left, until no pair approaches. A ball that hits a row of equal
// ones that touch stops in the second reading, and one ball leaves; in the first, momentum and energy
// are kept as well, but the row moves on. Which one nature follows depends on the speed of waves in
// the bodies; real cradles follow the second.
//
// Method. Before the rounds of a step, with the velocities v of its start: a contact with e > 0 is a
// candidate if it approaches and touches, or closes its gap in the step. In each pass the pairs of
// bodies collide that have the strongest approach of all candidates about either body, so that no two
// of them share one; each is a problem of its own with all candidates between the two bodies,
//
//     M (v+ - v) = H r,   u_n+ + e u_n >= 0,  r_n >= 0, one of them zero, Coulomb's law in u_T+.
//
// So the strongest approach goes first about each body, and what happens far away has no part in the
// order. A pair whose friction would gain energy (Kane's paradox) follows the mean slip of the impact
// instead (closing.c), so that r . (u+ + u) / 2 <= 0 for all; of an answer that gains nevertheless, because its solve
// has missed, the part is taken that does not: no pass adds energy. Equal approaches
// are taken in the order of contacts. The step goes on from the velocities that the last pass leaves;
// its own law finds no approach any more. Bodies on joints take part in the simultaneous law only:
// their impulses run through the joints.
//
// Cost: a grouping of the bodies per pass, and the solves of pairs. Ends when candidates approach by
// less than a part of the first approach, or when the passes run out, which the stage `impacts` of the
// certificate reports; what is left follows the simultaneous law.
#include "step/fill/fill.h"
#include "step/loads.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include <string.h>

// A light ball between two heavy ones hits them about pi sqrt(M / m) / 2 times: this many passes are
// enough for ratios of some hundred thousand.
enum { PASSES = 1000 };
// An approach is none below this part of the first one, and below this part of the largest speed,
// which is rounding.
static const double REST = 1e-9, ROUNDING = 1e-12;
// Part of the energy in an impact below which a gain is what the solve left.
static const double GAIN_SEEN = 100;
// Part of the velocities below which a gain of an impact is rounding: passes may be a thousand.
static const double HARMLESS = 1e-9;

bool rg_fill_impacts_are_sequential(const rgStep* step) { return step->round.sequential; }

// Impacts of one contact, where the option asks for it (routh.c).
static void follow_slips(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool routh = strcmp(step->world->options.impacts, "routh") == 0;
  for (int k = 0; k < set->island_count && routh; k++)
    rg_fill_routh(step, &set->islands[k]);
}

static bool is_dynamic(const rgStep* step, int slot) {
  return step->world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

// What forces add to the normal velocity of a contact in the step [m/s].
static double forced(const rgStep* step, const rgWorldContact* contact) {
  rgVec3 sum = v3_zero();
  for (int side = 0; side < 2; side++) {
    int slot = side ? contact->body_b : contact->body_a;
    const rgBody* body = &step->world->bodies[slot];
    if (!is_dynamic(step, slot))
      continue;
    rgVec3 a = rg_body_acceleration(body, step->world->options.gravity);
    sum = v3_axpy(sum, side ? -1 : 1, a);
  }
  return step->h * v3_dot(contact->normal, sum);
}

// The speed at which a candidate approaches, 0 for what is none.
static double approach(const rgStep* step, int index, double least) {
  const rgWorldContact* contact = &step->world->contacts[index];
  if (step->bodies[contact->body_a].jointed || step->bodies[contact->body_b].jointed ||
      rg_fill_restitution(step->world, contact) == 0)
    return 0;
  double u = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  if (!(u < -least))
    return 0;
  bool touches = contact->gap <= rg_stabilizer_allowed_overlap(step->world, contact);
  double way = step->h * (u + step->theta * forced(step, contact));
  return touches || contact->gap + way <= 0 ? -u : 0;
}

static void note_strongest(rgBodyStep* body, double speed, int index) {
  if (speed > body->approach) {
    body->approach = speed;
    body->strongest = index;
  }
}

static bool same_pair(const rgWorldContact* a, const rgWorldContact* b) {
  return a->body_a == b->body_a && a->body_b == b->body_b;
}

// Whether a candidate belongs to a pair that collides in this pass.
static bool collides(const rgStep* step, int index) {
  const rgWorldContact* contact = &step->world->contacts[index];
  for (int side = 0; side < 2; side++) {
    int slot = side ? contact->body_b : contact->body_a;
    if (is_dynamic(step, slot) &&
        !same_pair(contact, &step->world->contacts[step->bodies[slot].strongest]))
      return false;
  }
  return true;
}

// Marks the contacts that collide in this pass; returns the strongest approach of all candidates,
// and how many candidates there are.
static double choose(rgStep* step, double least, int* candidates) {
  const rgWorld* world = step->world;
  double strongest = 0;
  *candidates = 0;
  for (int i = 0; i < world->body_slots; i++)
    step->bodies[i].approach = 0;
  for (int i = 0; i < world->contact_count; i++) {
    double speed = approach(step, i, least);
    step->contacts[i].mark = speed > 0 ? RG_MARK_IMPACT : RG_MARK_OUT;
    *candidates += speed > 0;
    strongest = fmax(strongest, speed);
    if (speed == 0)
      continue;
    note_strongest(&step->bodies[world->contacts[i].body_a], speed, i);
    note_strongest(&step->bodies[world->contacts[i].body_b], speed, i);
  }
  for (int i = 0; i < world->contact_count; i++)
    if (step->contacts[i].mark == RG_MARK_IMPACT && !collides(step, i))
      step->contacts[i].mark = RG_MARK_OUT;
  return strongest;
}

// Bodies as they are, and nothing but contacts in the problem.
static void begin_pass(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    rgBodyStep* scratch = &step->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    scratch->start_velocity = scratch->v_free = body->velocity;
    rgMat3 r = m3_from_quat(quat_mul(body->orientation, body->principal_axes));
    scratch->inverse_inertia =
        body->rotation_locked ? m3_zero() : m3_congruence(&r, body->inverse_principal);
  }
  for (int i = 0; i < world->force_slots; i++)
    step->forces[i].mark = RG_MARK_OUT;
  for (int i = 0; i < world->joint_slots; i++)
    step->joints[i].mark = RG_MARK_OUT;
  for (int i = 0; i < world->contact_count; i++)
    step->contacts[i].slip_part = 0;
}

static void take_velocities(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < set->body_count; i++) {
    const double* v = &set->v[6 * i];
    step->world->bodies[set->body_order[i]].velocity =
        (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }
}

static rgVec3 impulse_of(const rgProblemSet* set, int i) {
  const rgProblemContact* in = &set->contacts[i];
  const double* r = &set->r[4 * i];
  return v3_axpy(v3_axpy(v3_scale(in->n, r[0]), r[1], in->t), r[2], in->o);
}

// [J] Work of an impulse of the solution at the mean velocity of the impact.
static double work_of(const rgStep* step, int i) {
  const rgWorldContact* contact = &step->world->contacts[step->velocity.contact_order[i]];
  rgVec3 u = v3_add(rg_fill_contact_velocity(step, contact, RG_VELOCITY_START),
                    rg_fill_contact_velocity(step, contact, RG_VELOCITY_NOW));
  double spin = rg_fill_contact_spin(step, contact, RG_VELOCITY_START) +
                rg_fill_contact_spin(step, contact, RG_VELOCITY_NOW);
  return 0.5 * (v3_dot(impulse_of(&step->velocity, i), u) + step->velocity.r[4 * i + 3] * spin);
}

// Gives pairs that gained energy the law of the mean slip, and settles the others. True when there
// are any.
static bool correct_gains(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool any = false;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    double gain = 0, size = 0;
    for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
      gain += work_of(step, i);
      size += v3_norm(impulse_of(set, i));
    }
    double seen = GAIN_SEEN * step->world->options.tolerance * island->report.certificate.scale;
    island->settled = !(gain > seen * size);
    for (int i = 0; i < island->contact_count && !island->settled; i++)
      step->contacts[set->contact_order[island->contact_start + i]].slip_part = 1;
    any = any || !island->settled;
  }
  return any;
}

// Leaves the part of an answer that gains nothing: with the work b of all impulses at the start, that of the
// part s is b s + a s^2 / 2, a = 2 (gain - b), which is none at s = b / (b - gain) (energy/harmless.c).
static void make_harmless(rgStep* step, const rgIsland* island) {
  rgProblemSet* set = &step->velocity;
  double gain = 0, start = 0, size = 0;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[set->contact_order[i]];
    rgVec3 r = impulse_of(set, i);
    gain += work_of(step, i);
    start += v3_dot(r, rg_fill_contact_velocity(step, contact, RG_VELOCITY_START)) +
             set->r[4 * i + 3] * rg_fill_contact_spin(step, contact, RG_VELOCITY_START);
    size += v3_norm(r);
  }
  if (!(gain > HARMLESS * island->report.certificate.scale * size))
    return;
  double part = start < 0 ? start / (start - gain) : 0;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++)
    for (int k = 0; k < 4; k++)
      set->r[4 * i + k] *= part;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    const rgTwist* before = &step->bodies[slot].start_velocity;
    rgTwist* now = &step->world->bodies[slot].velocity;
    now->linear = v3_axpy(before->linear, part, v3_sub(now->linear, before->linear));
    now->angular = v3_axpy(before->angular, part, v3_sub(now->angular, before->angular));
  }
}

static rgStatus solve_pairs(rgStep* step) {
  const rgOptions* options = &step->world->options;
  rgStop stop = {.tolerance = options->tolerance,
                 .iteration_limit = options->iteration_limit,
                 .time_limit = options->time_limit};
  rgStatus status = rg_islands_solve(step, &step->velocity, options->solver, &stop);
  if (status == RG_OK)
    take_velocities(step);
  return status;
}

static rgStatus make_pass(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  begin_pass(step);
  rgStatus status = rg_islands_build(step, set);
  if (status != RG_OK)
    return status;
  rg_fill_bodies(step);
  rg_fill_contacts(step);
  follow_slips(step);
  status = solve_pairs(step);
  if (status == RG_OK && correct_gains(step)) {
    rg_fill_contacts(step);
    status = solve_pairs(step);
  }
  if (status != RG_OK)
    return status;
  for (int k = 0; k < set->island_count; k++)
    make_harmless(step, &set->islands[k]);
  rg_report_add(step, 0);
  status = rg_loads_note_impacts(step);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < set->contact_count; i++) {
    rgGiven* given = &step->acted.given[set->contact_order[i]];
    given->impulse = v3_add(given->impulse, impulse_of(set, i));
    given->torsion += set->r[4 * i + 3];
    step->acted.impact_work += work_of(step, i);
  }
  return RG_OK;
}

static void find_jointed(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++)
    step->bodies[i].jointed = false;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    if (joint->alive && joint->body_a >= 0)
      step->bodies[joint->body_a].jointed = true;
    if (joint->alive && joint->body_b >= 0)
      step->bodies[joint->body_b].jointed = true;
  }
}

// The contacts of a pair of shapes stand together; none where the pair has none.
static rgWorldContact* contacts_of_pair(const rgWorld* world, const rgWorldContact* of,
                                        int* count) {
  int first = 0;
  while (first < world->contact_count && (world->contacts[first].shape_a != of->shape_a ||
                                          world->contacts[first].shape_b != of->shape_b))
    first++;
  int end = first;
  while (end < world->contact_count && world->contacts[end].shape_a == of->shape_a &&
         world->contacts[end].shape_b == of->shape_b)
    end++;
  *count = end - first;
  return world->contacts + first;
}

// What impacts gave goes from each contact before a search to one after it. The contacts before are of no
// more use, so that they carry it.
static void carry_impacts(rgStep* step, int old_count) {
  const rgWorld* world = step->world;
  rgWorldContact* old = world->search.old_contacts;
  for (int i = 0; i < old_count; i++) {
    old[i].impulse = step->acted.given[i].impulse;
    old[i].torsion = step->acted.given[i].torsion;
  }
  for (int i = 0; i < world->contact_count; i++)
    step->acted.given[i] = (rgGiven){0};
  for (int i = 0; i < old_count; i++) {
    if (v3_norm2(old[i].impulse) == 0)
      continue;
    int count;
    rgWorldContact* contacts = contacts_of_pair(world, &old[i], &count);
    const rgWorldContact* heir = rg_world_find_heir(contacts, count, &old[i]);
    if (!heir)
      continue;
    rgGiven* given = &step->acted.given[heir - world->contacts];
    given->impulse = v3_add(given->impulse, old[i].impulse);
    given->torsion += old[i].torsion;
  }
}

// The least speed that is an approach [m/s]: beside rounding, what the solve may leave of the velocity
// that gravity makes in a step.
static double least_approach(rgStep* step) {
  const rgWorld* world = step->world;
  double noise = world->options.tolerance * step->h * v3_norm(world->options.gravity);
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->alive)
      noise = fmax(noise, ROUNDING * (v3_norm(body->velocity.linear) +
                                      v3_norm(body->velocity.angular) * body->extent));
  }
  int candidates;
  return fmax(noise, REST * choose(step, noise, &candidates));
}

rgStatus rg_fill_sequential_impacts(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->contact_count; i++)
    step->acted.given[i] = (rgGiven){0};
  find_jointed(step);
  int candidates, passes = 0;
  double least = least_approach(step);
  for (choose(step, least, &candidates); candidates > 0 && passes < PASSES; passes++) {
    rgStatus status = make_pass(step);
    if (status == RG_OK && !rg_step_velocities_finite(step))
      status = rg_step_out_of_range(step);
    if (status != RG_OK)
      return status;
    choose(step, least, &candidates);
    if (candidates > 0)
      continue;
    // Faster bodies reach farther: what they meet in the step may be new.
    step->scheme->free_motion(step);
    int old_count = world->contact_count;
    if (!rg_fill_outran_contacts(step))
      break;
    status = rg_step_detect(step, step->h);
    if (status != RG_OK)
      return status;
    carry_impacts(step, old_count);
    choose(step, least, &candidates);
  }
  if (candidates > 0 && passes > 0)
    step->scheme->free_motion(step);
  if (passes > 0)
    rg_report_stage(step, RG_STAGE_IMPACTS, 0, candidates);
  return RG_OK;
}

void rg_fill_add_impacts(rgStep* step) {
  for (int i = 0; i < step->world->contact_count; i++) {
    rgWorldContact* contact = &step->world->contacts[i];
    contact->impulse = v3_add(contact->impulse, step->acted.given[i].impulse);
    contact->torsion += step->acted.given[i].torsion;
  }
  step->certificate.energy_contacts += step->acted.impact_work;
}
