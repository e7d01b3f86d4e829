// Bookkeeping of a world: which slots are reused, what ends with a body, names, pairs that do not
// collide, contacts of removed bodies; and that none of it costs more in a larger world.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"
#include "world/books/slots.h"

#include <rigor/joint.h>

// --- the set of slots ----------------------------------------------------------------------------

enum { SET_SIZE = 700 };

static void check_set(const rgSlots* slots, const bool* used) {
  int count = 0, lowest = 0;
  while (lowest < SET_SIZE && used[lowest])
    lowest++;
  if (lowest < SET_SIZE)
    CHECK_INT(rg_slots_lowest_free(slots), lowest);
  for (int i = 0; i < SET_SIZE; i++) {
    CHECK_INT(rg_slots_used(slots, i), used[i]);
    CHECK_INT(rg_slots_rank(slots, i), count);
    if (used[i])
      CHECK_INT(rg_slots_nth(slots, count++), i);
  }
}

TEST(a_set_of_slots_agrees_with_an_array_of_flags) {
  rgAllocator heap = rg_allocator_default();
  rgSlots slots = {0};
  bool used[SET_SIZE] = {false};
  CHECK_INT(rg_slots_lowest_free(&slots), 0);
  uint64_t seed = 1;
  for (int limit = 1; limit <= SET_SIZE; limit += 37) { // the tree grows while it is in use
    REQUIRE(rg_slots_reserve(&heap, &slots, SET_SIZE < limit + 37 ? SET_SIZE : limit));
    for (int k = 0; k < 200; k++) {
      int i = (int)(rg_random_unit(&seed) * limit);
      if (used[i])
        rg_slots_give(&slots, i);
      else
        rg_slots_take(&slots, i);
      used[i] = !used[i];
    }
  }
  REQUIRE(rg_slots_reserve(&heap, &slots, SET_SIZE));
  check_set(&slots, used);
  for (int count = 0; count <= SET_SIZE; count += count % 64 ? 23 : 41) { // and whole words

    rg_slots_fill(&slots, count);
    for (int i = 0; i < SET_SIZE; i++)
      used[i] = i < count;
    check_set(&slots, used);
  }
  rg_slots_release(&heap, &slots);
}

// --- random histories against a plain model ------------------------------------------------------

enum { BODIES = 40, THINGS = 60, NAMES = 12 };

// What a world should hold, kept in the plainest way.
typedef struct Model {
  rgWorld* world;
  uint64_t seed;
  bool body_lives[BODIES], force_lives[THINGS], joint_lives[THINGS]; // by index, as slots are
  rgBodyId body[BODIES];
  int body_name[BODIES];
  rgForceId force[THINGS];
  rgJointId joint[THINGS];
  int force_ends[THINGS][2], joint_ends[THINGS][2]; // indices of bodies, -1 for the ground
  int joint_name[THINGS];
  rgBodyId gone_body; // the last ones that were removed
  rgForceId gone_force;
  rgJointId gone_joint;
} Model;

static int pick(Model* m, int count) { return (int)(rg_random_unit(&m->seed) * count); }

static int lowest_free(const bool* lives, int count) {
  int i = 0;
  while (i < count && lives[i])
    i++;
  return i;
}

static const char* name_of(int number, char* text) {
  snprintf(text, 16, number == 0 ? "" : "name %d", number); // 0: without a name
  return text;
}

static int some_body(Model* m) {
  int i = pick(m, BODIES);
  return m->body_lives[i] ? i : -1;
}

static void add_body(Model* m) {
  int index = lowest_free(m->body_lives, BODIES);
  if (index == BODIES)
    return;
  char name[16];
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(3 * pick(m, 10), 3 * pick(m, 10), 0.5));
  m->body_name[index] = pick(m, NAMES);
  def.name = name_of(m->body_name[index], name);
  m->body[index] = build_body(m->world, &def, shape_sphere(0.5));
  m->body_lives[index] = true;
  CHECK_INT(m->body[index].index, index);
}

static void add_force(Model* m) {
  int slot = lowest_free(m->force_lives, THINGS), a = some_body(m), b = some_body(m);
  if (slot == THINGS || a < 0 || a == b)
    return;
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.stiffness = 1;
  def.body = m->body[a];
  def.other = b < 0 ? (rgBodyId){0, 0} : m->body[b];
  REQUIRE(rg_world_add_force(m->world, &def, &m->force[slot]) == RG_OK);
  CHECK_INT(m->force[slot].index, slot);
  m->force_lives[slot] = true;
  m->force_ends[slot][0] = a;
  m->force_ends[slot][1] = b;
}

static void add_joint(Model* m) {
  int slot = lowest_free(m->joint_lives, THINGS), a = some_body(m), b = some_body(m);
  if (slot == THINGS || b < 0 || a == b)
    return;
  char name[16];
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = a < 0 ? (rgBodyId){0, 0} : m->body[a];
  def.body_b = m->body[b];
  def.collide = pick(m, 2) == 0;
  m->joint_name[slot] = pick(m, NAMES);
  def.name = name_of(m->joint_name[slot], name);
  REQUIRE(rg_world_add_joint(m->world, &def, &m->joint[slot]) == RG_OK);
  CHECK_INT(m->joint[slot].index, slot);
  m->joint_lives[slot] = true;
  m->joint_ends[slot][0] = a;
  m->joint_ends[slot][1] = b;
}

static void remove_body(Model* m) {
  int index = some_body(m);
  if (index < 0)
    return;
  REQUIRE(rg_world_remove_body(m->world, m->body[index]) == RG_OK);
  m->body_lives[index] = false;
  m->gone_body = m->body[index];
  for (int i = 0; i < THINGS; i++) {
    if (m->force_ends[i][0] == index || m->force_ends[i][1] == index)
      m->force_lives[i] = false;
    if (m->joint_ends[i][0] == index || m->joint_ends[i][1] == index)
      m->joint_lives[i] = false;
  }
}

static void remove_force(Model* m) {
  int slot = pick(m, THINGS);
  if (!m->force_lives[slot])
    return;
  REQUIRE(rg_world_remove_force(m->world, m->force[slot]) == RG_OK);
  m->force_lives[slot] = false;
  m->gone_force = m->force[slot];
}

static void remove_joint(Model* m) {
  int slot = pick(m, THINGS);
  if (!m->joint_lives[slot])
    return;
  REQUIRE(rg_world_remove_joint(m->world, m->joint[slot]) == RG_OK);
  m->joint_lives[slot] = false;
  m->gone_joint = m->joint[slot];
}

static void check_lists(const Model* m) {
  int bodies = 0, joints = 0;
  for (int i = 0; i < BODIES; i++)
    if (m->body_lives[i]) {
      rgBodyId id = rg_world_body(m->world, bodies++);
      CHECK(id.index == m->body[i].index && id.generation == m->body[i].generation);
    }
  for (int i = 0; i < THINGS; i++)
    if (m->joint_lives[i]) {
      rgJointId id = rg_world_joint(m->world, joints++);
      CHECK(id.index == m->joint[i].index && id.generation == m->joint[i].generation);
    }
  CHECK_INT(rg_world_body_count(m->world), bodies);
  CHECK_INT(rg_world_joint_count(m->world), joints);
  CHECK_INT(rg_world_body(m->world, bodies).generation, 0);
  CHECK_INT(rg_world_joint(m->world, joints).generation, 0);
}

// Of several with a name the one with the lowest index is found.
static void check_names(const Model* m) {
  for (int name = 0; name < NAMES; name++) {
    char text[16];
    rgBodyId body = {0, 0};
    rgJointId joint = {0, 0};
    for (int i = BODIES - 1; i >= 0 && name > 0; i--)
      if (m->body_lives[i] && m->body_name[i] == name)
        body = m->body[i];
    for (int i = THINGS - 1; i >= 0 && name > 0; i--)
      if (m->joint_lives[i] && m->joint_name[i] == name)
        joint = m->joint[i];
    rgBodyId found = rg_world_find_body(m->world, name_of(name, text));
    rgJointId found_joint = rg_world_find_joint(m->world, text);
    CHECK(found.index == body.index && found.generation == body.generation);
    CHECK(found_joint.index == joint.index && found_joint.generation == joint.generation);
  }
}

static void check_gone(const Model* m) {
  CHECK(!rg_body_valid(m->world, m->gone_body));
  CHECK(!rg_joint_valid(m->world, m->gone_joint));
  CHECK_INT(rg_world_remove_body(m->world, m->gone_body), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_remove_force(m->world, m->gone_force), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_remove_joint(m->world, m->gone_joint), RG_ERROR_NOT_FOUND);
}

static void edit(Model* m, int trial) {
  // Growing and shrinking alternate, so that both ends of the range are met.
  bool growing = trial / 200 % 2 == 0;
  int kind = pick(m, 10);
  if (kind < (growing ? 4 : 1))
    add_body(m);
  else if (kind < 5)
    remove_body(m);
  else if (kind < 7)
    add_force(m);
  else if (kind < 8)
    add_joint(m);
  else if (kind < 9)
    remove_force(m);
  else
    remove_joint(m);
}

TEST(random_edits_agree_with_a_plain_model) {
  for (int run = 0; run < 4; run++) {
    Model m = {.world = build_still("default"), .seed = (uint64_t)(7 + run)};
    for (int trial = 0; trial < 2000; trial++) {
      CONTEXT("run %d, trial %d", run, trial);
      edit(&m, trial);
      if (trial % 10 == 0) {
        check_lists(&m);
        check_names(&m);
        check_gone(&m);
      }
      if (trial % 250 == 0)
        run_steps(m.world, 1);
    }
    for (int i = 0; i < THINGS; i++) // exactly those that live can be removed
      CHECK_INT(rg_world_remove_force(m.world, m.force[i]),
                m.force_lives[i] ? RG_OK : RG_ERROR_NOT_FOUND);
    rg_world_destroy(m.world);
  }
}

// --- pairs that do not collide -------------------------------------------------------------------

static int contacts_after_a_step(rgWorld* world) {
  run_steps(world, 1);
  return rg_world_contact_count(world);
}

TEST(a_new_body_in_a_reused_slot_collides_with_all) {
  rgWorld* world = build_still("default");
  rgBodyId a = build_sphere(world, 1, v3_zero()), b = build_sphere(world, 1, v3(1.9, 0, 0));
  REQUIRE(rg_world_set_pair_collision(world, a, b, false) == RG_OK);
  CHECK_INT(contacts_after_a_step(world), 0);
  REQUIRE(rg_world_remove_body(world, b) == RG_OK);
  rgBodyId c = build_sphere(world, 1, v3(1.9, 0, 0));
  CHECK_INT(c.index, b.index);
  CHECK_INT(contacts_after_a_step(world), 1);
  rg_world_destroy(world);
}

TEST(a_pair_is_off_for_as_long_as_the_user_or_a_joint_says_so) {
  rgWorld* world = build_still("default");
  rgBodyId a = build_sphere(world, 1, v3_zero()), b = build_sphere(world, 1, v3(1.9, 0, 0));
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = a;
  def.body_b = b;
  rgJointId first, second;
  REQUIRE(rg_world_add_joint(world, &def, &first) == RG_OK);
  REQUIRE(rg_world_add_joint(world, &def, &second) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, b, a, false) == RG_OK);
  CHECK_INT(contacts_after_a_step(world), 0);
  REQUIRE(rg_world_remove_joint(world, first) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, a, b, true) == RG_OK);
  CHECK_INT(contacts_after_a_step(world), 0); // the second joint is there
  REQUIRE(rg_world_remove_joint(world, second) == RG_OK);
  CHECK_INT(contacts_after_a_step(world), 1);
  CHECK_INT(rg_world_set_pair_collision(world, a, a, false), RG_OK); // says nothing new
  CHECK_INT(contacts_after_a_step(world), 1);
  rg_world_destroy(world);
}

TEST(pairs_of_removed_bodies_do_not_pile_up) {
  rgWorld* world = build_still("default");
  rgBodyId a = build_sphere(world, 1, v3_zero());
  size_t memory = 0;
  for (int i = 0; i < 5000; i++) {
    rgBodyId b = build_sphere(world, 1, v3(5, 0, 0));
    REQUIRE(rg_world_set_pair_collision(world, a, b, false) == RG_OK);
    REQUIRE(rg_world_remove_body(world, b) == RG_OK);
    if (i == 100)
      memory = rg_world_counts(world).memory;
  }
  CHECK_INT(rg_world_counts(world).memory, memory);
  rg_world_destroy(world);
}

// --- contacts of removed bodies ------------------------------------------------------------------

enum { TABLE = 6 };

// Boxes side by side on a floor, four contacts each.
static rgWorld* build_boxes(rgBodyId box[TABLE]) {
  rgWorld* world = build_world("default");
  build_floor(world);
  for (int i = 0; i < TABLE; i++)
    box[i] = build_box(world, v3(0.5, 0.5, 0.5), v3(3 * i, 0, 0.5));
  run_steps(world, 5);
  REQUIRE_INT(rg_world_contact_count(world), 4 * TABLE);
  return world;
}

static void check_contacts(const rgWorld* world, const rgBodyId* box, const bool* lives) {
  int count = 0;
  for (int i = 0; i < TABLE; i++)
    count += lives[i] ? 4 : 0;
  CHECK_INT(rg_world_contact_count(world), count);
  for (int k = 0; k < count; k++) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, k, &contact) == RG_OK);
    CHECK(rg_body_valid(world, contact.body_a) && rg_body_valid(world, contact.body_b));
    int named = 0;
    for (int i = 0; i < TABLE; i++)
      named += lives[i] &&
               (contact.body_a.index == box[i].index || contact.body_b.index == box[i].index);
    CHECK_INT(named, 1);
  }
  rgContact none;
  CHECK_INT(rg_world_contact(world, count, &none), RG_ERROR_NOT_FOUND);
}

TEST(contacts_end_with_their_body_and_the_others_are_listed_in_order) {
  rgBodyId box[TABLE];
  rgWorld* world = build_boxes(box);
  bool lives[TABLE] = {true, true, true, true, true, true};
  static const int order[] = {2, 5, 0, 4};
  for (int k = 0; k < 4; k++) {
    REQUIRE(rg_world_remove_body(world, box[order[k]]) == RG_OK);
    lives[order[k]] = false;
    check_contacts(world, box, lives);
    if (k == 1) { // what comes into the slot has no contacts before the next step, nor when it goes
      rgBodyId visitor = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 9, 0.5));
      check_contacts(world, box, lives);
      REQUIRE(rg_world_remove_body(world, visitor) == RG_OK);
      check_contacts(world, box, lives);
    }
  }
  run_steps(world, 1);
  check_contacts(world, box, lives);
  rg_world_destroy(world);
}

TEST(a_snapshot_between_a_removal_and_the_next_step_is_loaded_again) {
  rgBodyId box[TABLE];
  rgWorld* world = build_boxes(box);
  REQUIRE(rg_world_remove_body(world, box[2]) == RG_OK);
  size_t size = rg_world_save_size(world);
  void* snapshot = malloc(size);
  REQUIRE(snapshot && rg_world_save(world, snapshot, size) == RG_OK);
  run_steps(world, 20);
  uint64_t hash = rg_world_hash(world);
  REQUIRE_INT(rg_world_load(world, snapshot, size), RG_OK);
  bool lives[TABLE] = {true, true, false, true, true, true};
  check_contacts(world, box, lives);
  run_steps(world, 20);
  CHECK_HEX(rg_world_hash(world), hash);
  free(snapshot);
  rg_world_destroy(world);
}

// --- memory runs out -----------------------------------------------------------------------------

enum { EDITED = 70 };

// Memory that runs out after so many blocks.
static int blocks_left, blocks_out;

static void* take(size_t size, void* context) {
  (void)context;
  if (blocks_left == 0)
    return NULL;
  blocks_left--;
  blocks_out++;
  rgAllocator heap = rg_allocator_default();
  return heap.allocate(size, heap.context);
}

static void give_back(void* memory, size_t size, void* context) {
  (void)context;
  blocks_out--;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

// Adds one object: every third edit a body of two shapes, then a force with a table, then a joint,
// and in between a pair that does not collide.
static rgStatus add_something(rgWorld* world, int i, rgBodyId* body) {
  int row = i / 4;
  if (i % 4 == 0) {
    char name[16];
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(1.5 * row, 0, 1));
    snprintf(name, sizeof name, "body %d", row);
    def.name = name;
    rgShapeDef shapes[2] = {shape_sphere(0.5), shape_box(v3(0.4, 0.4, 0.4))};
    return rg_world_add_body(world, &def, shapes, 2, &body[row]);
  }
  if (i % 4 == 1) {
    static const double times[2] = {0, 1};
    static const rgWrench wrenches[2] = {{{1, 0, 0}, {0, 0, 0}}, {{0, 1, 0}, {0, 0, 0}}};
    rgForceDef def = rg_force_def();
    def.kind = RG_FORCE_TABLE;
    def.body = body[row];
    def.times = times;
    def.wrenches = wrenches;
    def.row_count = 2;
    rgForceId id;
    return rg_world_add_force(world, &def, &id);
  }
  if (i % 4 == 2) {
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    def.body_b = body[row];
    def.body_a = row % 2 == 1 ? body[row - 1] : (rgBodyId){0, 0};
    def.point = v3(1.5 * row, 0, 2);
    def.name = "joint";
    rgJointId id;
    return rg_world_add_joint(world, &def, &id);
  }
  return rg_world_set_pair_collision(world, body[row], body[row / 2], row == row / 2);
}

// The same edits, each tried with no block of memory, then with one, and so on until it succeeds.
static uint64_t hash_of_edited(bool scarce) {
  rgWorldDef def = rg_world_def();
  def.allocator = (rgAllocator){take, give_back, NULL};
  blocks_left = INT32_MAX;
  rgWorld* world = build_world_of(&def);
  rgBodyId body[EDITED];
  int refused = 0;
  for (int i = 0; i < 4 * EDITED; i++) {
    rgStatus status = RG_ERROR_MEMORY;
    for (int blocks = scarce ? 0 : INT32_MAX; status == RG_ERROR_MEMORY; blocks++) {
      uint64_t hash = rg_world_hash(world);
      int bodies = rg_world_body_count(world), joints = rg_world_joint_count(world);
      blocks_left = blocks;
      status = add_something(world, i, body);
      if (status == RG_OK)
        break;
      refused++;
      CHECK_INT(status, RG_ERROR_MEMORY);
      CHECK_HEX(rg_world_hash(world), hash);
      CHECK_INT(rg_world_body_count(world), bodies);
      CHECK_INT(rg_world_joint_count(world), joints);
      char name[16];
      snprintf(name, sizeof name, "body %d", i / 4);
      CHECK(i % 4 != 0 || rg_world_find_body(world, name).generation == 0);
    }
    CHECK(i % 4 != 0 || body[i / 4].index == (uint32_t)(i / 4));
  }
  CHECK(scarce == (refused > EDITED));
  blocks_left = INT32_MAX;
  run_steps(world, 2);
  blocks_left = scarce ? 0 : INT32_MAX; // removing needs none
  for (int i = 0; i < EDITED; i += 3)
    REQUIRE(rg_world_remove_body(world, body[i]) == RG_OK);
  blocks_left = INT32_MAX;
  run_steps(world, 10);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  CHECK_INT(blocks_out, 0);
  return hash;
}

TEST(an_edit_without_memory_changes_nothing_and_a_removal_needs_none) {
  CHECK_HEX(hash_of_edited(true), hash_of_edited(false));
}

// --- cost ----------------------------------------------------------------------------------------

// In [s] of CPU time. All of this takes 0.7 s without sanitizers on a machine of 2020. A search
// through all objects at each edit took 89 s.
static const double COST_LIMIT = 8;
enum { MANY = 65536 };

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void add_many(rgWorld* world, rgBodyId* bodies, rgForceId* forces, rgJointId* joints) {
  for (int i = 0; i < MANY; i++) {
    char name[16];
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(3 * (i % 256), 3 * (i / 256), 0));
    snprintf(name, sizeof name, "body %d", i);
    def.name = name;
    bodies[i] = build_body(world, &def, shape_sphere(1));
  }
  for (int i = 0; i < MANY; i++) {
    int other = (i + MANY / 2) % MANY;
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_SPRING;
    force.stiffness = 1;
    force.body = bodies[i];
    force.other = bodies[other];
    REQUIRE(rg_world_add_force(world, &force, &forces[i]) == RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
    joint.body_a = bodies[i];
    joint.body_b = bodies[other];
    REQUIRE(rg_world_add_joint(world, &joint, &joints[i]) == RG_OK);
    REQUIRE(rg_world_set_pair_collision(world, bodies[i], bodies[other], false) == RG_OK);
    char name[16];
    snprintf(name, sizeof name, "body %d", other);
    CHECK_INT(rg_world_find_body(world, name).index, bodies[other].index);
    CHECK_INT(rg_world_body(world, i).index, bodies[i].index);
    CHECK_INT(rg_world_joint(world, i).index, joints[i].index);
  }
}

TEST(edits_of_a_large_world_do_not_search_it) {
  rgBodyId* bodies = calloc(MANY, sizeof *bodies);
  rgForceId* forces = calloc(MANY, sizeof *forces);
  rgJointId* joints = calloc(MANY, sizeof *joints);
  REQUIRE(bodies && forces && joints);
  double start = cpu();
  rgWorld* world = build_still("default");
  add_many(world, bodies, forces, joints);
  for (int i = 0; i < MANY; i += 2) { // from the end, so that what is sought is far away
    int at = MANY - 1 - i;
    REQUIRE(rg_world_remove_force(world, forces[at]) == RG_OK);
    REQUIRE(rg_world_remove_joint(world, joints[at]) == RG_OK);
  }
  for (int i = 0; i < MANY; i++) {
    int at = MANY - 1 - (i + MANY / 2) % MANY;
    REQUIRE(rg_world_remove_body(world, bodies[at]) == RG_OK);
    if (i % 2 == 0)
      bodies[at] = build_sphere(world, 1, v3(3 * (at % 256), 3 * (at / 256), 0));
  }
  CHECK_INT(rg_world_body_count(world), MANY / 2);
  CHECK_INT(rg_world_joint_count(world), 0);
  rg_world_destroy(world);
  double time = cpu() - start;
  CHECK_MSG(time < COST_LIMIT, "%g s of CPU time", time);
  free(bodies);
  free(forces);
  free(joints);
}

// Removing bodies with contacts, which are found by one step first.
TEST(removing_bodies_with_contacts_does_not_go_through_all_contacts) {
  enum { COUNT = 40000 };
  rgBodyId* bodies = calloc(COUNT, sizeof *bodies);
  REQUIRE(bodies);
  rgWorld* world = build_world("realtime");
  for (int i = 0; i < COUNT; i++) {
    rgVec3 place = v3(3 * (i / 2 % 100), 3 * (i / 200), 0);
    bodies[i] = i % 2 == 0 ? build_block(world, v3(1, 1, 1), place)
                           : build_box(world, v3(1, 1, 1), v3_add(place, v3(0, 0, 2)));
  }
  run_steps(world, 1);
  REQUIRE(rg_world_contact_count(world) >= COUNT / 2);
  double start = cpu();
  for (int i = 0; i < COUNT; i++)
    REQUIRE(rg_world_remove_body(world, bodies[i]) == RG_OK);
  double time = cpu() - start;
  // 0.05 s without sanitizers; 8 s or more when each removal goes through all pairs.
  CHECK_MSG(time < 1, "%g s of CPU time", time);
  CHECK_INT(rg_world_contact_count(world), 0);
  rg_world_destroy(world);
  free(bodies);
}
