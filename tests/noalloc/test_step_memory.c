// Memory runs out within a step of joints and contacts at theta = 1/2: the step that fails leaves
// poses, velocities and time as they were, and the run goes on when there is memory again.
//
// Such a step does more than others: velocities set from outside are made to suit the joints before
// it, rounds of joints and contacts are solved in it, and ringing is taken out after it. Each part
// has memory of its own, and each of its allocations fails here once.
#include "support/builder.h"
#include "test.h"

typedef struct Books {
  int calls, fail_from, fail_count;
  int live;
} Books;

static void* take(size_t size, void* context) {
  Books* books = context;
  int call = books->calls++;
  if (call >= books->fail_from && call - books->fail_from < books->fail_count)
    return NULL;
  books->live++;
  rgAllocator heap = rg_allocator_default();
  return heap.allocate(size, heap.context);
}

static void give_back(void* memory, size_t size, void* context) {
  Books* books = context;
  books->live--;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

// --- scenes -------------------------------------------------------------------------------------

static rgBodyId add_link(rgWorld* world, rgVec3 at, rgVec3 half, rgBodyId last, rgJointKind kind,
                         rgVec3 point) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
  def.mass = 1;
  rgBodyId id = build_body(world, &def, shape_box(half));
  rgJointDef joint = rg_joint_def(kind);
  joint.body_a = last;
  joint.body_b = id;
  joint.point = point;
  joint.axis = v3(0.6, 0.8, 0);
  rgJointId made;
  if (last.generation || point.z > 0)
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &made) == RG_OK, "%s", rg_world_message(world));
  return id;
}

// Two slender rods with a hinge, spinning, that hit the floor: the hit makes the hinge ring.
static void add_thrown(rgWorld* world) {
  rgVec3 half = v3(0.5, 0.05, 0.04), spin = v3(1, 4, 2);
  rgBodyId a = add_link(world, v3(-0.5, 0, 0.3), half, (rgBodyId){0, 0}, RG_JOINT_HINGE, v3_zero());
  rgBodyId b = add_link(world, v3(0.5, 0, 0.3), half, a, RG_JOINT_HINGE, v3(0, 0, 0.3));
  rgBodyId ids[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    rgVec3 arm = v3(i ? 0.5 : -0.5, 0, 0);
    rgTwist v = twist(v3_add(v3(0, 0, -8), v3_cross(spin, arm)), spin);
    REQUIRE(rg_body_set_velocity(world, ids[i], v) == RG_OK);
  }
}

// A chain that hangs from the ground beside a box that it swings into.
static void add_hanging(rgWorld* world) {
  rgBodyId last = {0, 0};
  for (int i = 0; i < 4; i++)
    last = add_link(world, v3(3.2 + 0.4 * i, 0, 1.5), v3(0.18, 0.05, 0.05), last, RG_JOINT_BALL,
                    v3(3 + 0.4 * i, 0, 1.5));
  build_box(world, v3(0.2, 0.2, 0.2), v3(4, 0, 0.2));
  REQUIRE(rg_body_set_velocity(world, last, twist(v3(0, 1, -5), v3(0, 10, 0))) == RG_OK);
}

static rgWorld* make_world(Books* books) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  def.options.theta = 0.5;
  def.options.step = 0.01;
  def.allocator = (rgAllocator){take, give_back, books};
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.3, 0.5);
  build_floor(world);
  add_thrown(world);
  add_hanging(world);
  build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2));
  return world;
}

// What a user does between two steps: a push, and more bodies with a joint.
static void disturb(rgWorld* world, int step) {
  rgBodyId id = rg_world_body(world, 1 + step % 3);
  if (step % 4 == 1)
    REQUIRE(rg_body_set_velocity(world, id, twist(v3(1, 0, 1), v3(0, 3, 0))) == RG_OK);
  if (step % 5 == 3)
    REQUIRE(rg_body_apply_impulse(world, id, v3(0, 0.5, 0), v3(0, 0, 1)) == RG_OK);
  if (step % 6 == 4)
    add_thrown(world);
}

// --- the promise --------------------------------------------------------------------------------

typedef struct State {
  rgPose pose;
  rgTwist velocity;
} State;

enum { MOST = 64, STEPS = 14 };
typedef struct Sight {
  int count;
  double time;
  int64_t steps;
  State states[MOST];
} Sight;

static Sight look(const rgWorld* world) {
  Sight sight = {.count = rg_world_body_count(world),
                 .time = rg_world_time(world),
                 .steps = rg_world_steps(world)};
  REQUIRE(sight.count <= MOST);
  for (int i = 0; i < sight.count; i++) {
    rgBodyId id = rg_world_body(world, i);
    sight.states[i].pose = rg_body_pose(world, id);
    sight.states[i].velocity = rg_body_velocity(world, id);
  }
  return sight;
}

static void check_same(const Sight* before, const Sight* after) {
  CHECK_INT(after->count, before->count);
  CHECK_BITS(after->time, before->time);
  CHECK_INT(after->steps, before->steps);
  int moved = 0;
  for (int i = 0; i < before->count; i++)
    moved += memcmp(&before->states[i], &after->states[i], sizeof *before->states) != 0;
  CHECK_MSG(moved == 0, "%d bodies are not where they were, or as fast", moved);
}

// Runs the scene while the allocations of steps from the k-th on fail, `count` of them; true when
// there were so many.
static bool check_failure(int k, int count) {
  Books books = {.fail_from = INT32_MAX};
  rgWorld* world = make_world(&books);
  int in_steps = 0; // allocations of steps so far
  bool reached = false;
  for (int step = 0; step < STEPS; step++) {
    disturb(world, step);
    Sight before = look(world);
    int start = books.calls;
    if (!reached) {
      books.fail_from = start + k - in_steps;
      books.fail_count = count;
    }
    rgStatus status = rg_world_step(world, NULL);
    bool failed = books.calls > books.fail_from;
    in_steps += books.calls - start;
    books.fail_from = INT32_MAX;
    CONTEXT("allocations %d to %d of steps fail, step %d", k, k + count - 1, step);
    if (failed && !reached && status == RG_ERROR_MEMORY) {
      Sight after = look(world);
      check_same(&before, &after);
      CHECK(rg_world_message(world)[0]);
      CHECK_INT(rg_world_step(world, NULL), RG_OK); // there is memory again
      CHECK_REL(rg_world_time(world), before.time + 0.01, 1e-12);
    } else {
      CHECK_INT(status, RG_OK);
    }
    reached = reached || failed;
  }
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
  return reached;
}

// A step may end well although memory failed in it: contacts of its end are sought again by the next
// one.
TEST(a_step_without_memory_leaves_the_world_as_it_was) {
  int k = 0;
  while (k < 2000 && check_failure(k, 1))
    k += test_fast() ? 5 : 1;
  CHECK_MSG(k > 40 && k < 2000, "%d allocations failed in turn", k);
}

TEST(steps_without_any_memory_leave_the_world_as_it_was) {
  int k = 0;
  while (k < 2000 && check_failure(k, INT32_MAX - 2000))
    k += test_fast() ? 15 : 3;
  CHECK_MSG(k > 40 && k < 2000, "%d allocations failed in turn", k);
}

// --- corrections of trees -------------------------------------------------------------------------

// A chain that lies in the floor, a little deeper than is left alone: the step corrects it, in the coordinates of
// its tree. Each allocation of the step fails once, and says so.
TEST(corrections_of_trees_need_memory) {
  bool made = false;
  for (int k = 0; !made && k < 1000; k++) {
    Books books = {.fail_from = INT32_MAX};
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("default", &def.options));
    snprintf(def.options.coordinates, sizeof def.options.coordinates, "reduced");
    def.allocator = (rgAllocator){take, give_back, &books};
    rgWorld* world = build_world_of(&def);
    build_floor(world);
    rgBodyId last = {0, 0};
    for (int i = 0; i < 4; i++)
      last = add_link(world, v3(0.4 * i, 0, 0.045), v3(0.18, 0.05, 0.05), last, RG_JOINT_BALL,
                      v3(0.4 * i - 0.2, 0, i > 0 ? 0.045 : 0));
    uint64_t before = rg_world_hash(world);
    books.fail_from = books.calls + k;
    books.fail_count = 1;
    rgStatus status = rg_world_step(world, NULL);
    made = books.calls <= books.fail_from;
    CONTEXT("allocation %d", k);
    CHECK_INT(status, made ? RG_OK : RG_ERROR_MEMORY);
    if (!made)
      CHECK_HEX(rg_world_hash(world), before);
    else
      CHECK(rg_world_certificate(world)->stages[RG_STAGE_PROJECTION].count > 0);
    rg_world_destroy(world);
    CHECK_INT(books.live, 0);
  }
  CHECK(made);
}
