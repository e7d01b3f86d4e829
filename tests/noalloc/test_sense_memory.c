// Sensors, queries and copies of states allocate nothing once they are there, and a sensor for which there is
// no memory leaves the world as it was.
#include "support/builder.h"
#include "test.h"

typedef struct Books {
  int calls, live;
  int fail_at; // call that returns NULL, and all after it; -1: none
} Books;

static void* take(size_t size, void* context) {
  Books* books = context;
  if (books->fail_at >= 0 && books->calls >= books->fail_at)
    return NULL;
  books->calls++;
  books->live++;
  return rg_allocator_default().allocate(size, NULL);
}

static void give(void* memory, size_t size, void* context) {
  ((Books*)context)->live--;
  rg_allocator_default().release(memory, size, NULL);
}

static rgWorld* some_world(Books* books) {
  rgWorldDef def = rg_world_def();
  def.allocator = (rgAllocator){take, give, books};
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  rgBodyId a = build_box(world, v3(0.2, 0.1, 0.1), v3(0, 0, 0.1)),
           b = build_box(world, v3(0.2, 0.1, 0.1), v3(0.5, 0, 0.1));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_a = a;
  hinge.body_b = b;
  hinge.point = v3(0.25, 0, 0.1);
  hinge.axis = v3(0, 1, 0);
  REQUIRE_INT(rg_world_add_joint(world, &hinge, NULL), RG_OK);
  return world;
}

static rgStatus add_all(rgWorld* world) {
  rgStatus status = RG_OK;
  for (int kind = 0; kind < RG_SENSOR_KIND_COUNT && status == RG_OK; kind++) {
    rgSensorDef def = rg_sensor_def((rgSensorKind)kind);
    def.body = rg_world_body(world, 1);
    def.joint = rg_world_joint(world, 0);
    status = rg_world_add_sensor(world, &def, NULL);
  }
  return status;
}

TEST(measuring_and_asking_allocate_nothing) {
  Books books = {.fail_at = -1};
  rgWorld* world = some_world(&books);
  REQUIRE_INT(add_all(world), RG_OK);
  run_steps(world, 20);
  rgShapeDef sphere = shape_sphere(0.3);
  rgProbe* probe;
  rgState* state;
  REQUIRE_INT(rg_probe_create(&sphere, 3, &probe, NULL), RG_OK);
  REQUIRE_INT(rg_state_create(&state), RG_OK);
  REQUIRE_INT(rg_world_save_state(world, state), RG_OK);
  int before = books.calls;
  books.fail_at = before; // whoever asks gets nothing
  for (int i = 0; i < 20; i++) {
    rgRay ray = {v3(0, 0, 3), v3(0.01 * i, 0, -1), HUGE_VAL};
    rgRayHit hits[4];
    rgClosest closest;
    rgOverlap overlaps[4];
    int count;
    CHECK_INT(rg_world_ray(world, &ray, NULL, hits, NULL), RG_OK);
    CHECK_INT(rg_world_ray_all(world, &ray, NULL, hits, 4, &count, NULL), RG_OK);
    CHECK_INT(
        rg_body_distance(world, rg_world_body(world, 0), rg_world_body(world, 2), &closest, NULL),
        RG_OK);
    CHECK_INT(rg_world_overlap(world, probe, pose_at(v3(0, 0, 0.2)), 0.1, NULL, overlaps, 4, &count,
                               NULL),
              RG_OK);
    CHECK(count > 1);
    rg_world_measure(world);
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    if (i % 5 == 4)
      REQUIRE_INT(rg_world_load_state(world, state), RG_OK);
  }
  CHECK_INT(books.calls, before);
  rg_state_destroy(state);
  rg_probe_destroy(probe);
  rg_world_destroy(world);
  CHECK_INT(books.live, 0);
}

TEST(every_allocation_of_a_sensor_can_fail) {
  bool made = false;
  for (int k = 0; k < 100 && !made; k++) {
    Books books = {.fail_at = -1};
    rgWorld* world = some_world(&books);
    books.fail_at = books.calls + k;
    rgStatus status = add_all(world);
    made = status == RG_OK;
    CHECK(made || status == RG_ERROR_MEMORY);
    books.fail_at = -1;
    int count = rg_world_sensor_count(world);
    run_steps(world, 2); // with those that were made
    CHECK(made ? count == RG_SENSOR_KIND_COUNT : count < RG_SENSOR_KIND_COUNT);
    rg_world_destroy(world);
    CHECK_INT(books.live, 0);
  }
  CHECK(made);
}
