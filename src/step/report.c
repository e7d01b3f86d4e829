// report.c - the certificate of a step, and the problems of the last step for those who ask.
#include "step/report.h"

#include "step/fill/fill.h"
#include "step/tree/tree.h"

void rg_report_begin(rgStep* step) {
  rgStepCounts* counts = &step->world->counts;
  step->certificate = (rgCertificate){.tolerance = step->world->options.tolerance, .met = true};
  counts->islands = counts->solved = counts->warm = counts->not_met = 0;
}

// Residuals of one island.
static void add_island(const rgIsland* island, double scale, rgStepCounts* counts,
                       rgCertificate* sum) {
  const rgCertificate* part = &island->report.certificate;
  double residual = part->residual;
  if (scale > part->scale)
    residual *= part->scale / scale;
  sum->dynamics = fmax(sum->dynamics, part->dynamics);
  sum->joint = fmax(sum->joint, part->joint);
  sum->signorini = fmax(sum->signorini, part->signorini);
  sum->coulomb = fmax(sum->coulomb, part->coulomb);
  sum->scale = fmax(sum->scale, part->scale);
  sum->residual = fmax(sum->residual, residual);
  if (island->report.iterations > 0)
    counts->solved++;
  else
    counts->warm++;
  if (!(residual <= sum->tolerance))
    counts->not_met++, sum->met = false;
}

void rg_report_add(rgStep* step, double scale) {
  const rgProblemSet* set = &step->velocity;
  rgStepCounts* counts = &step->world->counts;
  int contacts = 0, redundant = 0;
  bool looked = false;
  for (int i = 0; i < set->island_count; i++) {
    const rgIsland* island = &set->islands[i];
    redundant += island->redundant_rows;
    looked = looked || (island->row_count > 0 && island->report.iterations > 0);
    contacts += island->contact_count;
    add_island(island, scale, counts, &step->certificate);
  }
  counts->islands += set->island_count;
  if (looked)
    counts->redundant = redundant;
  if (contacts > step->certificate.contacts)
    step->certificate.contacts = contacts;
}

void rg_report_stage(rgStep* step, rgStage stage, double asked, double reached) {
  rgStageReport* line = &step->certificate.stages[stage];
  bool missed = !(reached <= asked);
  // Worse: farther beyond what was asked, as a multiple of it. NaN is, and stays.
  bool worse = line->count == 0 || !(reached * line->asked <= line->reached * asked) ||
               (asked == 0 && reached > line->reached);
  worse = worse && (line->count == 0 || line->reached == line->reached);
  line->count++;
  if (worse) {
    line->asked = asked;
    line->reached = reached;
  }
  if (missed) {
    line->missed++;
    step->certificate.met = false;
  }
}

// Work that a body moved from outside does through a contact on side 0 (A) or 1 (B).
static double ground_work_of(const rgStep* step, const rgWorldContact* contact, const rgBody* body,
                             int side) {
  if (body->kind != RG_BODY_KINEMATIC)
    return 0;
  rgVec3 arm[2], n = rg_fill_contact_normal(step, contact);
  rg_fill_contact_arms(step, contact, &arm[0], &arm[1]);
  rgVec3 v = v3_add(body->velocity.linear, v3_cross(body->velocity.angular, arm[side]));
  double power = v3_dot(contact->impulse, v) + contact->torsion * v3_dot(n, body->velocity.angular);
  return side == 0 ? -power : power;
}

double rg_report_contact_ground_work(const rgStep* step, int index) {
  const rgWorldContact* contact = &step->world->contacts[index];
  return ground_work_of(step, contact, &step->world->bodies[contact->body_a], 0) +
         ground_work_of(step, contact, &step->world->bodies[contact->body_b], 1);
}

double rg_report_ground_work(const rgStep* step) {
  const rgWorld* world = step->world;
  double work = 0;
  for (int i = 0; i < world->contact_count && world->kinematic_count > 0; i++)
    if (step->contacts[i].mark != RG_MARK_OUT)
      work += rg_report_contact_ground_work(step, i);
  return work;
}

int rg_world_island_count(const rgWorld* world) {
  return world->problems_valid ? world->step->velocity.island_count : 0;
}

rgStatus rg_world_island(const rgWorld* world, int index, rgProblem* problem, rgSolution* solution,
                         rgCertificate* certificate) {
  if (index < 0 || index >= rg_world_island_count(world))
    return RG_ERROR_NOT_FOUND;
  const rgProblemSet* set = &world->step->velocity;
  rgIsland* island = &set->islands[index];
  if (problem || solution)
    rg_tree_write_rows(world->step, island);
  if (problem)
    *problem = rg_island_problem(set, island);
  if (solution)
    *solution = rg_island_solution(set, island);
  if (certificate)
    *certificate = island->report.certificate;
  return RG_OK;
}

rgStatus rg_world_island_report(const rgWorld* world, int island, rgSolveReport* report) {
  if (island < 0 || island >= rg_world_island_count(world))
    return RG_ERROR_NOT_FOUND;
  *report = world->step->velocity.islands[island].report;
  return RG_OK;
}

bool rg_world_island_is_plain(const rgWorld* world, int island) {
  return island >= 0 && island < rg_world_island_count(world) &&
         world->step->velocity.islands[island].plain;
}

rgJointId rg_world_row_joint(const rgWorld* world, int island, int row) {
  rgJointId none = {0, 0};
  if (island < 0 || island >= rg_world_island_count(world))
    return none;
  const rgProblemSet* set = &world->step->velocity;
  const rgIsland* own = &set->islands[island];
  if (row < 0 || row >= own->row_count)
    return none;
  int slot = set->row_joint[own->row_start + row];
  bool there = slot >= 0 && slot < world->joint_slots && world->joints[slot].alive;
  return there ? (rgJointId){(uint32_t)slot, world->joints[slot].generation} : none;
}

const char* rg_world_stepper(const rgWorld* world) {
  return world->step && world->step->stepper ? world->step->stepper : "";
}
