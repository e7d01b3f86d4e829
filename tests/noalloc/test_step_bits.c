// A step that fails for want of memory, wherever it does, changes no bit of what follows: repeated
// when there is memory again, the run ends in the same bytes of a snapshot as one that never lacked
// any.
//
// Each allocation that the steps of a scene make fails once, and with it, in a second run, the next
// few, so that a step fails several times in a row. Worlds are new, so that arrays grow in every
// part of a step; bodies are thrown in on the way, so that they grow again.
#include "support/heap.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include "test.h"

enum { STEPS = 10 };

typedef rgWorld* Build(const rgAllocator* allocator);

// A lattice of bodies that overlap at the start, or fall: `spacing` [m].
static rgWorld* build_heap(const rgAllocator* allocator, rgShapeDef (*shape)(int), double spacing) {
  rgWorldDef def = rg_world_def();
  def.allocator = *allocator;
  def.options.step = 1.0 / 60;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  random_state = 23;
  for (int i = 0; i < 27; i++) {
    rgVec3 at = v3(i % 3, i / 3 % 3, i / 9 + 0.6);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_scale(at, spacing));
    body.pose.orientation = random_rotation();
    build_body(world, &body, shape(i));
  }
  return world;
}

static rgShapeDef smooth_shape(int i) {
  return i % 2 ? shape_cylinder(0.1 + 0.01 * (i % 3), 0.12) : shape_ellipsoid(v3(0.1, 0.13, 0.16));
}
static rgShapeDef any_shape(int i) {
  return i % 3 == 0   ? shape_box(v3(0.1, 0.12, 0.14))
         : i % 3 == 1 ? shape_capsule(0.08, 0.08)
                      : shape_sphere(0.12);
}
static rgWorld* smooth_overlapping(const rgAllocator* a) {
  return build_heap(a, smooth_shape, 0.2);
}
static rgWorld* any_overlapping(const rgAllocator* a) { return build_heap(a, any_shape, 0.2); }
// Thrown at the floor and at each other: steps in parts, each of which may fail.
static rgWorld* thrown_in_parts(const rgAllocator* allocator) {
  rgWorldDef def = rg_world_def();
  def.allocator = *allocator;
  def.options.step = 1.0 / 60;
  snprintf(def.options.stepper, sizeof def.options.stepper, "halving");
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.3, 0.5);
  build_floor(world);
  for (int i = 0; i < 6; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.3 * (i % 3), 0.3 * (i / 3), 0.3 + 0.07 * i));
    body.velocity = twist(v3(0.5 - 0.3 * i, 0, -4), v3(1, 2, 0.5 * i));
    build_body(world, &body, any_shape(i));
  }
  return world;
}
static Build* const heaps[] = {smooth_overlapping, any_overlapping, thrown_in_parts};
enum { HEAPS = sizeof heaps / sizeof *heaps };

static rgWorld* build_scene(int scene, const rgAllocator* allocator) {
  return scene < HEAPS ? heaps[scene](allocator)
                       : variety_build(variety(scene - HEAPS), 1, allocator);
}

static const char* scene_name(int scene) {
  return scene == 0   ? "overlapping cylinders and ellipsoids"
         : scene == 1 ? "overlapping boxes, capsules and spheres"
         : scene == 2 ? "boxes, capsules and spheres, thrown, in parts"
                      : variety(scene - HEAPS)->name;
}

// What happens between steps; there is memory for it.
static void disturb(rgWorld* world, int step) {
  bool plane = rg_world_dimension(world) == 2;
  if (step == 3 && !plane)
    build_box(world, v3(0.1, 0.1, 0.1), v3(0.1, 0.05, 1));
  rgBodyId id = rg_world_body(world, rg_world_body_count(world) - 1);
  if (step == 6 && rg_body_kind(world, id) == RG_BODY_DYNAMIC)
    REQUIRE(rg_body_set_velocity(world, id, twist(v3(1, -1, 0), v3_zero())) == RG_OK);
}

// Runs a scene while allocations from the k-th of its steps on fail, `count` of them; false when
// there were fewer.
static bool run_without(int scene, int k, int count, Snapshot* end, int* failures) {
  Heap heap = heap_make();
  rgAllocator allocator = heap_allocator(&heap);
  rgWorld* world = build_scene(scene, &allocator);
  int in_steps = 0;
  heap.fail_count = count;
  for (int step = 0; step < STEPS; step++) {
    disturb(world, step);
    rgStatus status = RG_ERROR_MEMORY;
    for (int trial = 0; status == RG_ERROR_MEMORY && trial <= count; trial++) {
      int start = heap.calls;
      heap.fail_from = k < in_steps - count ? INT_MAX : start + k - in_steps;
      status = rg_world_step(world, NULL);
      heap.fail_from = INT_MAX;
      in_steps += heap.calls - start;
      *failures += status == RG_ERROR_MEMORY;
    }
    REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(world));
  }
  *end = save(world);
  rg_world_destroy(world);
  heap_end(&heap);
  return in_steps > k;
}

static int check_scene(int scene, int stride, int count) {
  Snapshot expected, end;
  int failures = 0, k = 0;
  run_without(scene, INT_MAX / 2, 1, &expected, &failures);
  CHECK_INT(failures, 0);
  for (bool reached = true; reached; k += stride) {
    CONTEXT("%s, allocations %d to %d of steps fail", scene_name(scene), k, k + count - 1);
    reached = run_without(scene, k, count, &end, &failures);
    CHECK_INT(end.size, expected.size);
    CHECK(end.size == expected.size && memcmp(end.data, expected.data, end.size) == 0);
    free(end.data);
  }
  free(expected.data);
  return failures;
}

TEST(a_run_goes_on_with_the_same_bits_after_any_failed_allocation) {
  for (int scene = 0; scene < HEAPS || variety(scene - HEAPS); scene += test_fast() ? 3 : 1) {
    int failures = check_scene(scene, test_fast() ? 9 : test_thorough() ? 2 : 4, 1);
    CHECK_MSG(failures > (test_thorough() ? 3 : 0), "%s: only %d steps failed", scene_name(scene),
              failures);
  }
}

TEST(a_run_goes_on_with_the_same_bits_after_several_failed_allocations) {
  for (int scene = 0; scene < HEAPS || variety(scene - HEAPS); scene += test_fast() ? 3 : 1)
    check_scene(scene, test_fast() ? 23 : test_thorough() ? 7 : 13, 4);
}

// Removing a body needs no memory: without any, contacts are dropped one by one in place of by lists. Which
// contacts are left, with which impulses, and all steps after it are the same.
TEST(a_body_is_removed_without_memory_as_with_it) {
  for (int removed = 0; removed < 27; removed += test_fast() ? 13 : 5) {
    Heap books[2] = {heap_make(), heap_make()};
    rgWorld* worlds[2];
    for (int i = 0; i < 2; i++) {
      rgAllocator allocator = heap_allocator(&books[i]);
      worlds[i] = any_overlapping(&allocator);
      run_steps(worlds[i], 2);
    }
    CONTEXT("body %d", removed);
    books[1].fail_from = books[1].calls; // all of them
    books[1].fail_count = INT_MAX;
    for (int i = 0; i < 2; i++)
      CHECK_INT(rg_world_remove_body(worlds[i], rg_world_body(worlds[i], 1 + removed)), RG_OK);
    books[1].fail_from = INT_MAX;
    int count = rg_world_contact_count(worlds[0]);
    CHECK(count > 20);
    CHECK_INT(rg_world_contact_count(worlds[1]), count);
    for (int k = 0; k < count; k++) {
      rgContact one, other;
      REQUIRE(rg_world_contact(worlds[0], k, &one) == RG_OK);
      REQUIRE(rg_world_contact(worlds[1], k, &other) == RG_OK);
      CHECK(rg_shape_equal(one.shape_a, other.shape_a) &&
            rg_shape_equal(one.shape_b, other.shape_b));
      CHECK_BITS(one.impulse.z, other.impulse.z);
      CHECK_BITS(one.gap, other.gap);
    }
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < 2; i++)
        run_steps(worlds[i], 1);
      CHECK_HEX(rg_world_hash(worlds[0]), rg_world_hash(worlds[1]));
    }
    for (int i = 0; i < 2; i++) {
      rg_world_destroy(worlds[i]);
      heap_end(&books[i]);
    }
  }
}
