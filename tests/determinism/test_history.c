// Results are a function of the state: calls that change nothing leave a run as it is, and equal
// histories of edits end in equal bits, whatever the number of threads and however often the world
// is saved and restored on the way.
#include "support/heaps.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include "test.h"

static int draw(int count) { return (int)(random_unit() * count); }

static void set_threads(rgWorld* world, int threads) {
  rgOptions options = *rg_world_options(world);
  options.threads = threads;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// --- calls that change nothing ------------------------------------------------------------------

static void check_idle_calls(const char* name, rgWorld* plain, rgWorld* called, int steps) {
  for (int step = 0; step < steps; step++) {
    const rgOptions options = *rg_world_options(called);
    int call = draw(4);
    if (call == 0) // the same options, once or twice
      REQUIRE(rg_world_set_options(called, &options) == RG_OK);
    else if (call == 1)
      set_threads(called, 1 + draw(7));
    else if (call == 2) {
      Snapshot snapshot = save(called);
      free(snapshot.data);
    } else { // a body that cannot be
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
      rgBodyId id;
      CHECK_INT(rg_world_add_body(called, &def, NULL, 0, &id), RG_ERROR_INPUT);
    }
    run_steps(plain, 1);
    run_steps(called, 1);
    CONTEXT("%s, step %d after call %d", name, step, call);
    if (!CHECK_HEX(rg_world_hash(called), rg_world_hash(plain)))
      break;
  }
  rg_world_destroy(plain);
  rg_world_destroy(called);
}

TEST(calls_that_change_nothing_leave_a_run_as_it_is) {
  for (int i = 0; heap_scene(i); i += test_fast() ? 6 : 1) {
    rgWorld *plain = heap_build(heap_scene(i), 4, 2, 1),
            *called = heap_build(heap_scene(i), 4, 2, 1);
    check_idle_calls(heap_scene(i)->name, plain, called, 24);
  }
  for (int i = 0; variety(i); i += test_fast() ? 4 : 1) {
    rgWorld *plain = variety_build(variety(i), 1, NULL),
            *called = variety_build(variety(i), 1, NULL);
    check_idle_calls(variety(i)->name, plain, called, 24);
  }
}

// Options that contacts do not depend on act from the next step on and change nothing else: a world
// that has them set is one that was restored into a world with these options.
TEST(options_act_on_a_state_whatever_the_way_to_it) {
  for (int i = 0; variety(i); i++) {
    rgWorld *world = variety_build(variety(i), 1, NULL),
            *other = variety_build(variety(i), 1, NULL);
    run_steps(world, 10);
    Snapshot snapshot = save(world);
    rgOptions options = *rg_world_options(world);
    options.tolerance *= i % 2 ? 0.1 : 10;
    options.iteration_limit /= 2;
    options.step *= i % 3 ? 1 : 0.5;
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    REQUIRE(rg_world_set_options(other, &options) == RG_OK);
    REQUIRE(rg_world_load(other, snapshot.data, snapshot.size) == RG_OK);
    run_steps(world, 10);
    run_steps(other, 10);
    CONTEXT("%s", variety(i)->name);
    CHECK_HEX(rg_world_hash(other), rg_world_hash(world));
    free(snapshot.data);
    rg_world_destroy(world);
    rg_world_destroy(other);
  }
}

// Whatever edit it was that made the world seek its contacts anew, the state after it is the same:
// a far body that comes and goes, and a pair that is kept from colliding and let again.
TEST(edits_that_are_undone_leave_the_same_state) {
  for (int i = 0; heap_scene(i); i += test_fast() ? 6 : 1) {
    rgWorld* worlds[2];
    for (int k = 0; k < 2; k++)
      worlds[k] = heap_build(heap_scene(i), 4, 2, 1 + k);
    for (int step = 0; step < 20; step++) {
      rgBodyId a = rg_world_body(worlds[0], 1), b = rg_world_body(worlds[0], 2);
      if (step % 5 == 4) {
        rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(500, 700, 0));
        rgBodyId far = build_body(worlds[0], &def, heap_scene(i)->shape(step));
        REQUIRE(rg_world_remove_body(worlds[0], far) == RG_OK);
        REQUIRE(rg_world_set_pair_collision(worlds[1], a, b, false) == RG_OK);
        REQUIRE(rg_world_set_pair_collision(worlds[1], a, b, true) == RG_OK);
      }
      run_steps(worlds[0], 1);
      run_steps(worlds[1], 1);
      CONTEXT("%s, step %d", heap_scene(i)->name, step);
      if (!CHECK_HEX(rg_world_hash(worlds[1]), rg_world_hash(worlds[0])))
        break;
    }
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}

// --- histories of edits -------------------------------------------------------------------------

typedef struct Edit {
  int kind, chosen, other;
  rgVec3 place, velocity;
} Edit;

static Edit draw_edit(void) {
  Edit edit = {.kind = draw(8), .chosen = draw(1000), .other = draw(1000)};
  edit.place = v3_scale(random_vector(), 0.6);
  edit.place.z += 1.2;
  edit.velocity = random_vector();
  return edit;
}

static void make_edit(rgWorld* world, const HeapScene* scene, const Edit* edit) {
  bool plane = scene->dimension == 2;
  rgVec3 place = plane ? v3(edit->place.x, edit->place.z, 0) : edit->place;
  rgVec3 velocity = plane ? v3(edit->velocity.x, edit->velocity.y, 0) : edit->velocity;
  int count = rg_world_body_count(world);
  rgBodyId id = rg_world_body(world, 1 + edit->chosen % (count - 1)),
           other = rg_world_body(world, 1 + edit->other % (count - 1));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  rgShapeDef shape = scene->shape(edit->chosen);
  rgShapeId added;
  switch (edit->kind) {
  case 0:
  case 1:
    build_body(world, &def, shape);
    break;
  case 2:
    if (count > 10)
      REQUIRE(rg_world_remove_body(world, id) == RG_OK);
    break;
  case 3:
    REQUIRE(rg_body_set_velocity(world, id, twist(velocity, v3_zero())) == RG_OK);
    break;
  case 4:
    REQUIRE(rg_body_set_pose(world, id, pose_at(place)) == RG_OK);
    break;
  case 5:
    REQUIRE(rg_world_set_pair_collision(world, id, other, edit->chosen % 2) == RG_OK);
    break;
  case 6:
    shape.pose.position = v3(0.1, 0, 0);
    REQUIRE(rg_world_add_shape(world, id, &shape, &added) == RG_OK);
    break;
  default:
    build_set_default_material(world, 0.1 + 0.01 * (edit->chosen % 50), 0.2);
  }
}

// The second world has another number of threads in each step, and is saved and restored now and
// then: into itself, after it has gone on for some steps.
static void check_history(const HeapScene* scene, uint64_t seed) {
  rgWorld *plain = heap_build(scene, 3, 2, 1), *other = heap_build(scene, 3, 2, 2);
  random_state = seed;
  for (int step = 0; step < 40; step++) {
    if (draw(3) == 0) {
      Edit edit = draw_edit();
      make_edit(plain, scene, &edit);
      make_edit(other, scene, &edit);
    }
    set_threads(other, (const int[]){1, 2, 3, 7}[draw(4)]);
    if (draw(6) == 0) {
      Snapshot snapshot = save(other);
      run_steps(other, 1 + draw(3));
      REQUIRE_MSG(rg_world_load(other, snapshot.data, snapshot.size) == RG_OK, "%s",
                  rg_world_message(other));
      free(snapshot.data);
    }
    run_steps(plain, 1);
    run_steps(other, 1);
    CONTEXT("%s, history %d, step %d", scene->name, (int)seed, step);
    if (!CHECK_HEX(rg_world_hash(other), rg_world_hash(plain)))
      break;
  }
  rg_world_destroy(plain);
  rg_world_destroy(other);
}

TEST(equal_histories_of_edits_end_in_equal_bits) {
  for (int i = 0; heap_scene(i); i += test_fast() ? 8 : 1)
    for (int seed = 1; seed <= (test_fast() ? 1 : test_thorough() ? 8 : 2); seed++)
      check_history(heap_scene(i), (uint64_t)(100 * i + seed));
}
