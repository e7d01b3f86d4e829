// islands.c - groups of bodies that act on each other in this step, and solving them.
//
// Union-find over the contacts, joints and implicit forces that are in the problem; static and
// kinematic bodies do not join islands. Islands are numbered by their lowest body slot, bodies
// inside by slot, contacts in the order in which they were found, rows in the order of joints, then
// of forces: the order depends on the scene alone.
#include "base/memory.h"
#include "solve/solver.h"
#include "world/world.h"

#include <string.h>

static int find_root(int* parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

// Whether a body can be in an island: asked of the forest, which is small, instead of the bodies.
static bool joins(const rgWorld* world, int slot) { return world->parent[slot] >= 0; }

// The dynamic body that decides which island a contact belongs to.
static int contact_owner(const rgWorld* world, const rgWorldContact* contact) {
  return joins(world, contact->body_a) ? contact->body_a : contact->body_b;
}

// What puts rows into the problem: first the joints, then the forces that are taken implicitly.
typedef struct RowOwner {
  int body_a, body_b; // slots; -1: the ground
  int row_count;
} RowOwner;

static int row_owner_count(const rgWorld* world) { return world->joint_slots + world->force_slots; }

// False when the owner at this index is not in the problem of the set.
static bool row_owner(const rgWorld* world, const rgProblemSet* set, int index, RowOwner* out) {
  if (index < world->joint_slots) {
    const rgJoint* joint = &world->joints[index];
    *out = (RowOwner){joint->body_a, joint->body_b, rg_joint_row_count(set, joint)};
    return joint->alive && joint->problem_row >= 0 && out->row_count > 0;
  }
  const rgForce* force = &world->forces[index - world->joint_slots];
  *out = (RowOwner){force->body, force->other, force->term_count};
  return force->alive && force->problem_row >= 0 && !set->constraints_only && out->row_count > 0;
}

static bool moves(const rgWorld* world, int slot) { return slot >= 0 && joins(world, slot); }

// The dynamic body that decides which island the rows belong to.
static int rows_body(const rgWorld* world, const RowOwner* owner) {
  return moves(world, owner->body_a) ? owner->body_a : owner->body_b;
}

static void join(int* parent, int one, int other) {
  int a = find_root(parent, one), b = find_root(parent, other);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

// Adds to a number that is -1 where there is nothing.
static void count_more(int* count, int more) { *count = (*count < 0 ? 0 : *count) + more; }

// Makes the forest, and counts the contacts of each root: -1 where it has no contact and no row.
static void join_bodies(rgWorld* world, const rgProblemSet* set) {
  int *parent = world->parent, *count = world->island_of;
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    parent[i] = body->alive && body->kind == RG_BODY_DYNAMIC ? i : -1;
    count[i] = -1;
  }
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact < 0)
      continue;
    count_more(&count[contact_owner(world, contact)], 1);
    if (joins(world, contact->body_a) && joins(world, contact->body_b))
      join(parent, contact->body_a, contact->body_b);
  }
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++) {
    if (!row_owner(world, set, i, &owner))
      continue;
    count_more(&count[rows_body(world, &owner)], 0);
    if (moves(world, owner.body_a) && moves(world, owner.body_b))
      join(parent, owner.body_a, owner.body_b);
  }
  // A parent is lower than its children: in this order all come to point at their roots.
  for (int i = 0; i < world->body_slots; i++) {
    if (parent[i] < 0)
      continue;
    parent[i] = parent[parent[i]];
    if (parent[i] != i && count[i] >= 0)
      count_more(&count[parent[i]], count[i]);
  }
}

static int island_of_body(const rgWorld* world, int slot) {
  return world->island_of[world->parent[slot]];
}

// Rows per island, and their ranges.
static void lay_out_rows(rgWorld* world, rgProblemSet* set) {
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++)
    if (row_owner(world, set, i, &owner))
      set->islands[island_of_body(world, rows_body(world, &owner))].row_count += owner.row_count;
  int rows = 0;
  for (int i = 0; i < set->island_count; i++) {
    set->islands[i].row_start = rows;
    rows += set->islands[i].row_count;
    set->islands[i].row_count = 0;
  }
  set->row_count = rows;
}

// Numbers the islands that have contacts or a joint, and lays out their ranges.
static rgStatus number_islands(rgWorld* world, rgProblemSet* set) {
  int* island_of = world->island_of; // at first the counts of join_bodies
  set->island_count = 0;
  int contacts = 0;
  for (int i = 0; i < world->body_slots; i++) {
    if (world->parent[i] != i)
      continue;
    int count = island_of[i];
    island_of[i] = -1;
    if (count < 0)
      continue;
    if (!RG_SET_RESERVE(world, set, islands, set->island_count + 1))
      return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for islands");
    set->islands[set->island_count] = (rgIsland){.contact_start = contacts};
    island_of[i] = set->island_count++;
    contacts += count;
  }
  set->contact_count = contacts;
  return RG_OK;
}

static void fill_rows(rgWorld* world, rgProblemSet* set) {
  lay_out_rows(world, set);
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++) {
    if (!row_owner(world, set, i, &owner))
      continue;
    rgIsland* island = &set->islands[island_of_body(world, rows_body(world, &owner))];
    int first = island->row_start + island->row_count;
    island->row_count += owner.row_count;
    bool joint = i < world->joint_slots;
    for (int k = 0; k < owner.row_count; k++)
      set->row_joint[first + k] = joint ? i : -1;
    if (joint)
      world->joints[i].problem_row = first;
    else
      world->forces[i - world->joint_slots].problem_row = first;
  }
}

static void fill_islands(rgWorld* world, rgProblemSet* set) {
  // Bodies: count, lay out, place.
  for (int i = 0; i < world->body_slots; i++) {
    int island = joins(world, i) ? island_of_body(world, i) : -1;
    if (island >= 0)
      set->islands[island].body_count++;
  }
  int bodies = 0;
  for (int i = 0; i < set->island_count; i++) {
    set->islands[i].body_start = bodies;
    bodies += set->islands[i].body_count;
    set->islands[i].body_count = 0;
  }
  set->body_count = bodies;
  for (int i = 0; i < world->body_slots; i++) {
    world->bodies[i].problem_body = -1;
    int number = joins(world, i) ? island_of_body(world, i) : -1;
    if (number < 0)
      continue;
    rgIsland* island = &set->islands[number];
    world->bodies[i].problem_body = island->body_start + island->body_count++;
    set->body_order[world->bodies[i].problem_body] = i;
  }
  // Contacts.
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact < 0)
      continue;
    rgIsland* island = &set->islands[island_of_body(world, contact_owner(world, contact))];
    contact->problem_contact = island->contact_start + island->contact_count++;
    set->contact_order[contact->problem_contact] = i;
  }
  fill_rows(world, set);
}

rgStatus rg_world_build_islands(rgWorld* world, rgProblemSet* set) {
  int bodies = world->body_slots, contacts = world->contact_count, rows = 0;
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++)
    if (row_owner(world, set, i, &owner))
      rows += owner.row_count;
  bool room =
      RG_WORLD_RESERVE(world, parent, bodies) && RG_WORLD_RESERVE(world, island_of, bodies) &&
      RG_SET_RESERVE(world, set, body_order, bodies) &&
      RG_SET_RESERVE(world, set, contact_order, contacts) &&
      RG_SET_RESERVE(world, set, bodies, bodies) &&
      RG_SET_RESERVE(world, set, contacts, contacts) && RG_SET_RESERVE(world, set, v, 6 * bodies) &&
      RG_SET_RESERVE(world, set, r, 4 * contacts) && RG_SET_RESERVE(world, set, row_joint, rows) &&
      RG_SET_RESERVE(world, set, rows, rows) && RG_SET_RESERVE(world, set, lambda, rows);
  if (!room)
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for the contact problem");
  set->dimension = world->dimension;
  join_bodies(world, set);
  rgStatus status = number_islands(world, set);
  if (status == RG_OK)
    fill_islands(world, set);
  return status;
}

rgProblem rg_island_problem(const rgProblemSet* set, const rgIsland* island) {
  return (rgProblem){.dimension = set->dimension,
                     .body_count = island->body_count,
                     .contact_count = island->contact_count,
                     .row_count = island->row_count,
                     .bodies = set->bodies + island->body_start,
                     .contacts =
                         island->contact_count ? set->contacts + island->contact_start : NULL,
                     .rows = island->row_count ? set->rows + island->row_start : NULL};
}

rgSolution rg_island_solution(const rgProblemSet* set, const rgIsland* island) {
  return (rgSolution){.v = set->v + 6 * island->body_start,
                      .r = island->contact_count ? set->r + 4 * island->contact_start : NULL,
                      .lambda = island->row_count ? set->lambda + island->row_start : NULL};
}

typedef struct Solve {
  rgWorld* world;
  rgProblemSet* set;
  const char* solver;
  const rgStop* stop;
} Solve;

// An answer found by iteration also cancels the velocity that the step before left over, and would
// leave as much again if it were kept: after it, a warm start counts as good only when it is much
// better than asked. At rest this ends after two steps, and the warm start holds from then on. Of a
// solve that used up its budget this would be asking too much.
static const double AFTER_ITERATION = 0.02;

static void solve_island(void* context, int item, int worker) {
  const Solve* solve = context;
  rgIsland* island = &solve->set->islands[item];
  if (island->settled)
    return;
  rgProblem problem = rg_island_problem(solve->set, island);
  rgSolution solution = rg_island_solution(solve->set, island);
  rgStop stop = *solve->stop;
  if (stop.start_tolerance > 0)
    stop.start_tolerance = fmax(stop.start_tolerance, island->start_tolerance);
  for (int i = 0; i < island->body_count && solve->stop->start_tolerance == 0 && !island->rounded;
       i++)
    if (solve->world->bodies[solve->set->body_order[island->body_start + i]].iterated)
      stop.start_tolerance = AFTER_ITERATION * stop.tolerance;
  if (!rg_island_has_joints(solve->set, island) || island->contact_count == 0)
    stop.start_part = 0; // not solved in rounds, or cheaply
  int before = island->report.iterations;
  rg_solve_checked(&problem, solve->solver, NULL, &stop, &solution,
                   solve->world->workers[worker].work, &island->report, NULL);
  island->last_iterations = island->report.iterations;
  if (island->report.redundant_rows > island->redundant_rows)
    island->redundant_rows = island->report.redundant_rows;
  island->report.iterations += before;
}

// A solver that does not take a problem says so before it does anything: it is asked once more for
// its reason.
static rgStatus check_supported(rgWorld* world, const rgProblemSet* set, const char* solver,
                                const rgStop* stop) {
  for (int i = 0; i < set->island_count; i++) {
    const rgIsland* island = &set->islands[i];
    if (island->report.status != RG_ERROR_UNSUPPORTED)
      continue;
    rgProblem problem = rg_island_problem(set, island);
    rgSolution solution = rg_island_solution(set, island);
    rgSolveReport report;
    rgMessage reason;
    rg_solve(&problem, solver, NULL, stop, &solution, world->workers[0].work, &report, &reason);
    return rg_world_fail(world, RG_ERROR_UNSUPPORTED, "%s", reason.text);
  }
  return RG_OK;
}

// A small limit on iterations is meant to bound the time of a step. What auto adds to hold, which
// is newton, costs as much as many sweeps for every small island: no matter in a step of few
// bodies, too much in one of hundreds of islands.
static const char* affordable(const rgProblemSet* set, const char* solver, const rgStop* stop) {
  enum { FEW_ITERATIONS = 200, FEW_BODIES = 64 };
  bool dear = stop->iteration_limit < FEW_ITERATIONS && set->body_count > FEW_BODIES;
  return dear && set->row_count == 0 && strcmp(solver, "auto") == 0 ? "hold" : solver;
}

rgStatus rg_world_solve_islands(rgWorld* world, rgProblemSet* set, const char* solver,
                                const rgStop* stop) {
  solver = affordable(set, solver, stop);
  size_t largest = 0;
  for (int i = 0; i < set->island_count; i++) {
    rgProblem problem = rg_island_problem(set, &set->islands[i]);
    size_t size = rg_solve_work_size(&problem, solver);
    if (size > largest)
      largest = size;
  }
  int lines = (int)(rg_align(largest) / RG_ALIGNMENT);
  for (int i = 0; i < rg_tasks_threads(world->tasks); i++)
    if (!rg_reserve(&world->allocator, &world->workers[i].work, &world->workers[i].work_capacity,
                    lines, RG_ALIGNMENT))
      return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for the solver");
  Solve solve = {world, set, solver, stop};
  rg_tasks_run(world->tasks, set->island_count, solve_island, &solve);
  return check_supported(world, set, solver, stop);
}
