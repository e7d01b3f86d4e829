// islands.c - groups of bodies that act on each other in a problem.
//
// Union-find over the contacts, joints and implicit forces that are in the problem; static and
// kinematic bodies do not join islands. Islands are numbered by their lowest body slot, bodies
// inside by slot, contacts in the order in which they were found, rows in the order of joints, then
// of forces: the order depends on the scene alone.
#include "step/islands.h"

#include "base/forest.h"
#include "step/step.h"

// Whether a body can be in an island: asked of the forest, which is small, instead of the bodies.
static bool joins(const rgStep* step, int slot) { return step->forest.parent[slot] >= 0; }

// The dynamic body that decides which island a contact belongs to.
static int contact_owner(const rgStep* step, const rgWorldContact* contact) {
  return joins(step, contact->body_a) ? contact->body_a : contact->body_b;
}

// What puts rows into the problem: first the joints, then the forces that are taken implicitly.
typedef struct RowOwner {
  int body_a, body_b; // slots; -1: the ground
  int row_count;
  const int* several;     // all bodies of a force on several, which are dynamic
  int several_count;      // 0 for all else
  const rgJoint* coupled; // the joint itself where its axes follow others
} RowOwner;

static int row_owner_count(const rgWorld* world) { return world->joint_slots + world->force_slots; }

static int joint_row_count(const rgStep* step, const rgProblemSet* set, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  switch (set->joint_rows) {
  case RG_ROWS_CONSTRAINTS:
    return joint->constraint_count;
  case RG_ROWS_HELD:
    return joint->held_count;
  case RG_ROWS_SUITED:
    return joint->held_count + joint->rotors;
  default:
    return step->joints[slot].row_count;
  }
}

// False when the owner at this index is not in the problem of the set.
static bool row_owner(const rgStep* step, const rgProblemSet* set, int index, RowOwner* out) {
  const rgWorld* world = step->world;
  if (index < world->joint_slots) {
    const rgJoint* joint = &world->joints[index];
    rg_step_prefetch_joint(step, index);
    *out = (RowOwner){.body_a = joint->body_a,
                      .body_b = joint->body_b,
                      .row_count = joint_row_count(step, set, index),
                      .coupled = joint->coupled ? joint : NULL};
    return joint->alive && step->joints[index].mark != RG_MARK_OUT && out->row_count > 0;
  }
  if (set->joint_rows != RG_ROWS_ACTING)
    return false;
  int slot = index - world->joint_slots;
  const rgForce* force = &world->forces[slot];
  *out = (RowOwner){.body_a = force->body,
                    .body_b = force->other,
                    .row_count = step->forces[slot].term_count,
                    .several = force->bodies,
                    .several_count = force->body_count};
  return force->alive && step->forces[slot].mark != RG_MARK_OUT && out->row_count > 0;
}

static bool joins_if_any(const rgStep* step, int slot) { return slot >= 0 && joins(step, slot); }

// The dynamic body that decides which island the rows belong to.
static int rows_body(const rgStep* step, const RowOwner* owner) {
  return joins_if_any(step, owner->body_a) ? owner->body_a : owner->body_b;
}

// Joins what an axis that follows another one acts on.
static void join_leaders(const rgStep* step, const RowOwner* owner, int* parent) {
  const rgJoint* joint = owner->coupled;
  int own = rows_body(step, owner);
  for (int i = 0; joint && i < joint->info->axis_count; i++) {
    if (!(joint->coupled >> i & 1))
      continue;
    const rgJoint* leader = &step->world->joints[joint->leads[i].joint];
    if (joins_if_any(step, leader->body_a))
      rg_forest_join(parent, own, leader->body_a);
    if (joins_if_any(step, leader->body_b))
      rg_forest_join(parent, own, leader->body_b);
  }
}

// Adds to a number that is -1 where there is nothing.
static void count_more(int* count, int more) { *count = (*count < 0 ? 0 : *count) + more; }

static void plant_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    const rgBody* body = &step->world->bodies[i];
    step->forest.parent[i] = body->alive && body->kind == RG_BODY_DYNAMIC ? i : -1;
    step->forest.island_of[i] = -1;
  }
}

// What one thread needs of the contacts to join bodies: of large records a few numbers.
static void find_ends_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    const rgWorldContact* contact = &step->world->contacts[i];
    rgContactStep* scratch = &step->contacts[i];
    if (scratch->mark == RG_MARK_OUT)
      continue;
    bool both = joins(step, contact->body_a) && joins(step, contact->body_b);
    scratch->problem_contact = contact_owner(step, contact); // until fill_contacts
    scratch->joined = both ? contact->body_b : -1;
  }
}

// Makes the forest, and counts the contacts of each root: -1 where it has no contact and no row.
static void join_bodies(rgStep* step, const rgProblemSet* set) {
  const rgWorld* world = step->world;
  int *parent = step->forest.parent, *count = step->forest.island_of;
  rg_tasks_ranges(world->threads.tasks, world->body_slots, plant_range, step);
  rg_tasks_ranges(world->threads.tasks, world->contact_count, find_ends_range, step);
  for (int i = 0; i < world->contact_count; i++) {
    const rgContactStep* scratch = &step->contacts[i];
    if (scratch->mark == RG_MARK_OUT)
      continue;
    count_more(&count[scratch->problem_contact], 1);
    if (scratch->joined >= 0 && parent[scratch->problem_contact] != parent[scratch->joined])
      rg_forest_join(parent, scratch->problem_contact, scratch->joined);
  }
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++) {
    if (!row_owner(step, set, i, &owner))
      continue;
    count_more(&count[rows_body(step, &owner)], 0);
    if (joins_if_any(step, owner.body_a) && joins_if_any(step, owner.body_b))
      rg_forest_join(parent, owner.body_a, owner.body_b);
    for (int k = 2; k < owner.several_count; k++)
      rg_forest_join(parent, owner.body_a, owner.several[k]);
    join_leaders(step, &owner, parent);
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

static int island_of_body(const rgStep* step, int slot) {
  return step->forest.island_of[step->forest.parent[slot]];
}

// Rows per island, and their ranges.
static void lay_out_rows(rgStep* step, rgProblemSet* set) {
  RowOwner owner;
  for (int i = 0; i < row_owner_count(step->world); i++)
    if (row_owner(step, set, i, &owner))
      set->islands[island_of_body(step, rows_body(step, &owner))].row_count += owner.row_count;
  int rows = 0;
  for (int i = 0; i < set->island_count; i++) {
    set->islands[i].row_start = rows;
    rows += set->islands[i].row_count;
    set->islands[i].row_count = 0;
  }
  set->row_count = rows;
}

// Numbers the islands that have contacts or a joint, and lays out their ranges.
static rgStatus number_islands(rgStep* step, rgProblemSet* set) {
  int* island_of = step->forest.island_of; // at first the counts of join_bodies
  set->island_count = 0;
  int contacts = 0;
  for (int i = 0; i < step->world->body_slots; i++) {
    if (step->forest.parent[i] != i)
      continue;
    int count = island_of[i];
    island_of[i] = -1;
    if (count < 0)
      continue;
    if (!RG_SET_RESERVE(step->world, set, islands, set->island_count + 1))
      return rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for islands");
    set->islands[set->island_count] = (rgIsland){.contact_start = contacts};
    island_of[i] = set->island_count++;
    contacts += count;
  }
  set->contact_count = contacts;
  return RG_OK;
}

static void fill_rows(rgStep* step, rgProblemSet* set) {
  const rgWorld* world = step->world;
  lay_out_rows(step, set);
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++) {
    if (!row_owner(step, set, i, &owner))
      continue;
    int number = island_of_body(step, rows_body(step, &owner));
    rgIsland* island = &set->islands[number];
    int first = island->row_start + island->row_count;
    island->row_count += owner.row_count;
    bool joint = i < world->joint_slots;
    for (int k = 0; k < owner.row_count; k++) {
      set->row_joint[first + k] = joint ? i : -1;
      set->rows[first + k].far = NULL; // which implied rows never have, see tree/tree.h
    }
    if (joint) {
      step->joints[i].problem_row = first;
    } else {
      step->forces[i - world->joint_slots].problem_row = first;
      step->forces[i - world->joint_slots].island = number;
    }
  }
}

static void index_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    step->bodies[i].problem_body = step->forest.index[i];
    step->bodies[i].plain = false;
  }
}

static void fill_bodies(rgStep* step, rgProblemSet* set) {
  int slots = step->world->body_slots, bodies = 0;
  for (int i = 0; i < slots; i++) {
    int island = joins(step, i) ? island_of_body(step, i) : -1;
    if (island >= 0)
      set->islands[island].body_count++;
  }
  for (int i = 0; i < set->island_count; i++) {
    set->islands[i].body_start = bodies;
    bodies += set->islands[i].body_count;
    set->islands[i].body_count = 0;
  }
  set->body_count = bodies;
  for (int i = 0; i < slots; i++) {
    int number = joins(step, i) ? island_of_body(step, i) : -1;
    rgIsland* island = number < 0 ? NULL : &set->islands[number];
    int index = island ? island->body_start + island->body_count++ : -1;
    step->forest.index[i] = index;
    if (island)
      set->body_order[index] = i;
  }
  rg_tasks_ranges(step->world->threads.tasks, slots, index_range, step);
}

static void fill_contacts(rgStep* step, rgProblemSet* set) {
  for (int i = 0; i < step->world->contact_count; i++) {
    if (step->contacts[i].mark == RG_MARK_OUT)
      continue;
    rgIsland* island = &set->islands[island_of_body(step, step->contacts[i].problem_contact)];
    int index = island->contact_start + island->contact_count++;
    step->contacts[i].problem_contact = index;
    set->contact_order[index] = i;
  }
}

// Contacts of a problem. That of positions is of no use any more when contacts are searched, and until then so are
// the contacts before the present ones: it has their memory. The next search exchanges both arrays of contacts, so that
// both get the room.
static bool reserve_contacts(rgStep* step, rgProblemSet* set, int count) {
  rgWorld* world = step->world;
  rgContactSearch* search = &world->search;
  if (set != &step->position)
    return RG_SET_RESERVE(world, set, contacts, count);
  size_t size = (size_t)count * sizeof *set->contacts + sizeof *world->contacts - 1;
  int items = (int)(size / sizeof *world->contacts);
  if (!RG_WORLD_RESERVE(world, contacts, items) ||
      !rg_reserve_anew(&world->allocator, (void**)&search->old_contacts,
                       &search->old_contacts_capacity, items, sizeof *search->old_contacts))
    return false;
  set->contacts = (void*)search->old_contacts;
  return true;
}

static bool make_room(rgStep* step, rgProblemSet* set) {
  rgWorld* world = step->world;
  int bodies = world->body_slots, contacts = world->contact_count, rows = 0;
  bool coupled = false;
  RowOwner owner;
  for (int i = 0; i < row_owner_count(world); i++) {
    if (i < world->joint_slots) { // limits that are far now have room for when they come
      rg_joint_prefetch_head(world->joints, i, world->joint_slots);
      rows += world->joints[i].alive ? world->joints[i].row_count : 0;
      coupled = coupled || world->joints[i].coupled;
    } else if (row_owner(step, set, i, &owner)) {
      rows += owner.row_count;
    }
  }
  return RG_SET_RESERVE(world, &step->forest, parent, bodies) &&
         RG_SET_RESERVE(world, &step->forest, island_of, bodies) &&
         RG_SET_RESERVE(world, &step->forest, index, bodies) &&
         RG_SET_RESERVE(world, set, body_order, bodies) &&
         RG_SET_RESERVE(world, set, contact_order, contacts) &&
         RG_SET_RESERVE(world, set, bodies, bodies) && reserve_contacts(step, set, contacts) &&
         RG_SET_RESERVE(world, set, v, 6 * bodies) && RG_SET_RESERVE(world, set, r, 4 * contacts) &&
         RG_SET_RESERVE(world, set, row_joint, rows) && RG_SET_RESERVE(world, set, rows, rows) &&
         RG_SET_RESERVE(world, set, fars, coupled ? rows : 0) &&
         RG_SET_RESERVE(world, set, lambda, rows) && RG_SET_RESERVE(world, set, dependent, rows);
}

rgStatus rg_islands_build(rgStep* step, rgProblemSet* set) {
  if (!make_room(step, set))
    return rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for the contact problem");
  set->dimension = step->world->dimension;
  step->forest.built.valid = false;
  join_bodies(step, set);
  rgStatus status = number_islands(step, set);
  if (status != RG_OK)
    return status;
  fill_bodies(step, set);
  fill_contacts(step, set);
  fill_rows(step, set);
  return RG_OK;
}

typedef struct Each {
  rgProblemSet* set;
  rgIslandFunction* function;
  void* context;
  rgTasks* tasks;
} Each;
enum { ISLANDS_PER_TASK = 16 };

// Rows may ask functions of the user, which one thread calls.
static bool is_alone(const Each* each, const rgIsland* island) {
  return island->row_count > 0 || rg_tasks_cut(each->tasks, island->body_count) ||
         rg_tasks_cut(each->tasks, island->contact_count);
}

static void run_small(void* context, int item, int worker) {
  (void)worker;
  const Each* each = context;
  int first = item * ISLANDS_PER_TASK, end = first + ISLANDS_PER_TASK;
  for (int k = first; k < end && k < each->set->island_count; k++)
    if (!is_alone(each, &each->set->islands[k]))
      each->function(each->context, &each->set->islands[k]);
}

void rg_islands_each(rgStep* step, rgProblemSet* set, rgIslandFunction* function, void* context) {
  Each each = {set, function, context, step->world->threads.tasks};
  for (int k = 0; k < set->island_count; k++)
    if (is_alone(&each, &set->islands[k]))
      function(context, &set->islands[k]);
  rg_tasks_run(each.tasks, (set->island_count + ISLANDS_PER_TASK - 1) / ISLANDS_PER_TASK, run_small,
               &each);
}

void rg_islands_release(rgProblemSet* set, const rgAllocator* allocator) {
#define RELEASE(name)                                                                              \
  rg_release(allocator, set->name, (size_t)set->name##_capacity * sizeof *set->name)
  RELEASE(contact_order);
  RELEASE(body_order);
  RELEASE(islands);
  RELEASE(bodies);
  RELEASE(contacts);
  RELEASE(v);
  RELEASE(r);
  RELEASE(row_joint);
  RELEASE(rows);
  RELEASE(fars);
  RELEASE(lambda);
  RELEASE(dependent);
  RELEASE(links);
  RELEASE(link_order);
  RELEASE(link_joint);
#undef RELEASE
}

rgProblem rg_island_problem(const rgProblemSet* set, const rgIsland* island) {
  return (rgProblem){.dimension = set->dimension,
                     .body_count = island->body_count,
                     .contact_count = island->contact_count,
                     .row_count = island->row_count,
                     .bodies = set->bodies + island->body_start,
                     .contacts =
                         island->contact_count ? set->contacts + island->contact_start : NULL,
                     .rows = island->row_count ? set->rows + island->row_start : NULL,
                     .links = island->trees ? set->links + island->body_start : NULL,
                     .link_order = island->trees ? set->link_order + island->body_start : NULL};
}

rgSolution rg_island_solution(const rgProblemSet* set, const rgIsland* island) {
  return (rgSolution){.v = set->v + 6 * island->body_start,
                      .r = island->contact_count ? set->r + 4 * island->contact_start : NULL,
                      .lambda = island->row_count ? set->lambda + island->row_start : NULL};
}
