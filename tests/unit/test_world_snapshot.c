// Snapshots: running on after a restore gives the same bits as never stopping; what is damaged or
// belongs elsewhere is refused and changes nothing.
#include "test.h"

#include "base/hash.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include "world/world.h"

static uint64_t run_and_hash(rgWorld* world, int steps) {
  run_steps(world, steps);
  return rg_world_hash(world);
}

// Every scene: saved in the middle of things, run on, restored, run on again; then the same in a
// new world.
static void check_scene(const Variety* scene, int before, int after) {
  CONTEXT("%s", scene->name);
  rgWorld* world = variety_build(scene, 1, NULL);
  run_steps(world, before);
  Snapshot snapshot = save(world);
  uint64_t at_save = rg_world_hash(world);
  uint64_t expected = run_and_hash(world, after);
  CHECK(expected != at_save);

  REQUIRE(rg_world_load(world, snapshot.data, snapshot.size) == RG_OK);
  CHECK_HEX(rg_world_hash(world), at_save);
  CHECK_INT(rg_world_steps(world), before);
  CHECK_HEX(run_and_hash(world, after), expected);
  rg_world_destroy(world);

  rgWorld* twin = variety_build(scene, 2, NULL);
  REQUIRE(rg_world_load(twin, snapshot.data, snapshot.size) == RG_OK);
  CHECK_HEX(rg_world_hash(twin), at_save);
  CHECK_HEX(run_and_hash(twin, after), expected);
  rg_world_destroy(twin);
  free(snapshot.data);
}

TEST(running_on_after_a_restore_gives_the_same_bits) {
  for (int i = 0; variety(i); ++i)
    check_scene(variety(i), test_fast() ? 30 : 60, test_fast() ? 20 : 120);
}

TEST(running_on_for_long_after_a_restore_gives_the_same_bits) {
  check_scene(variety_find("tumble"), 100, 200);
}

TEST(a_snapshot_can_be_taken_before_the_first_step) {
  const Variety* scene = variety_find("mixed");
  rgWorld* world = variety_build(scene, 1, NULL);
  Snapshot snapshot = save(world);
  uint64_t expected = run_and_hash(world, 60);
  REQUIRE(rg_world_load(world, snapshot.data, snapshot.size) == RG_OK);
  CHECK_HEX(run_and_hash(world, 60), expected);
  free(snapshot.data);
  rg_world_destroy(world);
}

TEST(saving_changes_nothing_and_gives_the_same_bytes_again) {
  rgWorld* world = variety_build(variety_find("mixed"), 1, NULL);
  run_steps(world, 50);
  Snapshot first = save(world), second = save(world);
  CHECK_INT(first.size, second.size);
  CHECK(memcmp(first.data, second.data, first.size) == 0);
  REQUIRE(rg_world_load(world, first.data, first.size) == RG_OK);
  Snapshot third = save(world);
  CHECK_INT(first.size, third.size);
  CHECK(memcmp(first.data, third.data, first.size) == 0);
  free(first.data);
  free(second.data);
  free(third.data);
  rg_world_destroy(world);
}

TEST(a_buffer_that_is_too_small_is_refused) {
  rgWorld* world = variety_build(variety_find("stack"), 1, NULL);
  run_steps(world, 5);
  unsigned char* data = malloc(rg_world_save_size(world));
  REQUIRE(data);
  CHECK_INT(rg_world_save(world, data, rg_world_save_size(world) - 1), RG_ERROR_INPUT);
  CHECK_INT(rg_world_save(world, data, 0), RG_ERROR_INPUT);
  free(data);
  rg_world_destroy(world);
}

// --- damage -------------------------------------------------------------------------------------

static const char REFUSED[] =
    "the snapshot is damaged, or belongs to a world that was built differently";

// A ball and a box on the floor, in contact.
static rgWorld* build_small(void) {
  rgWorld* world = build_world("default");
  build_floor(world);
  build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
  build_sphere(world, 0.3, v3(0, 0, 1.3));
  run_steps(world, 20);
  return world;
}

static void check_refused(rgWorld* world, uint64_t before, const void* data, size_t size) {
  CHECK_INT(rg_world_load(world, data, size), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), REFUSED);
  CHECK_HEX(rg_world_hash(world), before);
}

TEST(every_flipped_byte_is_noticed) {
  rgWorld *world = build_small(), *twin = build_small();
  Snapshot snapshot = save(world);
  run_steps(world, 7);
  run_steps(twin, 7);
  uint64_t before = rg_world_hash(world);
  for (size_t i = 0; i < snapshot.size; ++i) {
    CONTEXT("byte %d of %d", (int)i, (int)snapshot.size);
    snapshot.data[i] ^= (unsigned char)(1u << i % 8);
    check_refused(world, before, snapshot.data, snapshot.size);
    snapshot.data[i] ^= (unsigned char)(1u << i % 8);
  }
  // None of it left a trace: not in the state, and not in what the next steps do.
  CHECK_HEX(run_and_hash(world, 30), run_and_hash(twin, 30));
  REQUIRE(rg_world_load(world, snapshot.data, snapshot.size) == RG_OK);
  free(snapshot.data);
  rg_world_destroy(world);
  rg_world_destroy(twin);
}

// The last eight bytes are the hash of the others; here it is made to fit, so that only the meaning
// of the bytes can give the damage away. Whatever is taken must leave a world that works.
TEST(damage_with_a_fitting_hash_never_breaks_the_world) {
  rgWorld* world = build_small();
  Snapshot snapshot = save(world);
  size_t body = snapshot.size - sizeof(uint64_t);
  unsigned char* damaged = malloc(snapshot.size);
  REQUIRE(damaged);
  int refused = 0;
  for (size_t i = 0; i < body; i += test_fast() ? 5 : 1) {
    memcpy(damaged, snapshot.data, snapshot.size);
    damaged[i] = (unsigned char)(damaged[i] ^ 0xff);
    uint64_t hash = rg_hash_bytes(RG_HASH_START, damaged, body);
    memcpy(damaged + body, &hash, sizeof hash);
    CONTEXT("byte %d of %d", (int)i, (int)body);
    rgStatus status = rg_world_load(world, damaged, snapshot.size);
    CHECK(status == RG_OK || status == RG_ERROR_INPUT || status == RG_ERROR_MEMORY);
    refused += status != RG_OK;
    rgStatus step = rg_world_step(world, NULL);
    CHECK(step == RG_OK || step == RG_ERROR_INPUT);
    REQUIRE(rg_world_load(world, snapshot.data, snapshot.size) == RG_OK);
  }
  CHECK_MSG(refused > 0, "counts and indices out of range are noticed");
  run_steps(world, 10);
  free(damaged);
  free(snapshot.data);
  rg_world_destroy(world);
}

TEST(every_truncation_is_noticed) {
  rgWorld* world = build_small();
  Snapshot snapshot = save(world);
  uint64_t before = run_and_hash(world, 3);
  for (size_t size = 0; size < snapshot.size; ++size) {
    // A copy of just that size, so that the sanitizer sees reads beyond its end.
    unsigned char* part = malloc(size ? size : 1);
    REQUIRE(part);
    memcpy(part, snapshot.data, size);
    CONTEXT("%d of %d bytes", (int)size, (int)snapshot.size);
    check_refused(world, before, part, size);
    free(part);
  }
  unsigned char* longer = calloc(1, snapshot.size + 8);
  REQUIRE(longer);
  memcpy(longer, snapshot.data, snapshot.size);
  check_refused(world, before, longer, snapshot.size + 8);
  free(longer);
  free(snapshot.data);
  rg_world_destroy(world);
}

// --- other worlds -------------------------------------------------------------------------------

typedef void Change(rgWorld* world, rgBodyId box);

static void add_a_body(rgWorld* world, rgBodyId box) {
  (void)box;
  build_sphere(world, 0.1, v3(5, 0, 1));
}

static void remove_a_body(rgWorld* world, rgBodyId box) {
  REQUIRE(rg_world_remove_body(world, box) == RG_OK);
}

static void replace_a_body(rgWorld* world, rgBodyId box) {
  REQUIRE(rg_world_remove_body(world, box) == RG_OK);
  build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
}

static void add_a_shape(rgWorld* world, rgBodyId box) {
  rgShapeDef shape = shape_sphere(0.1);
  rgShapeId id;
  REQUIRE(rg_world_add_shape(world, box, &shape, &id) == RG_OK);
}

TEST(a_snapshot_of_a_different_world_is_refused) {
  Change* changes[] = {add_a_body, remove_a_body, replace_a_body, add_a_shape};
  const char* names[] = {"a body more", "a body less", "a body replaced", "a shape more"};
  for (int i = 0; i < 4; ++i) {
    rgWorld* world = build_small();
    Snapshot snapshot = save(world);
    changes[i](world, rg_world_body(world, 1));
    uint64_t before = rg_world_hash(world);
    CONTEXT("%s", names[i]);
    check_refused(world, before, snapshot.data, snapshot.size);
    run_steps(world, 5);
    free(snapshot.data);
    rg_world_destroy(world);
  }
}

TEST(an_equal_count_of_different_bodies_is_refused) {
  // As many bodies and shapes in the same slots, but a ball where the box is.
  rgWorld* world = build_small();
  Snapshot snapshot = save(world);
  rgWorld* other = build_world("default");
  build_floor(other);
  build_sphere(other, 0.5, v3(0, 0, 0.5));
  build_sphere(other, 0.3, v3(0, 0, 1.3));
  uint64_t before = run_and_hash(other, 20);
  check_refused(other, before, snapshot.data, snapshot.size);
  free(snapshot.data);
  rg_world_destroy(world);
  rg_world_destroy(other);
}

// Bodies of many shapes: a world may have far more of these than bodies, and far fewer.
TEST(worlds_with_many_shapes_on_few_bodies_go_on_from_a_snapshot) {
  static const int counts[] = {0, 1, 30, 150};
  for (int i = 0; i < 4; i++) {
    CONTEXT("%d shapes more than bodies", counts[i]);
    rgWorld* world = build_world("default");
    rgBodyId ground = build_block(world, v3(0.5, 0.5, 0.5), v3(0, 0, -0.5));
    for (int k = 0; k < counts[i]; k++) {
      rgShapeDef bump = shape_sphere(0.1);
      rgShapeId id;
      bump.pose.position = v3(0.05 * (k % 15) - 0.35, 0.05 * (k / 15) - 0.25, 0.42);
      REQUIRE(rg_world_add_shape(world, ground, &bump, &id) == RG_OK);
    }
    for (int k = 0; k < 3; k++)
      build_sphere(world, 0.1, v3(0.3 * k - 0.3, 0.01 * k, 0.3));
    run_steps(world, 60);
    Snapshot snapshot = save(world);
    run_steps(world, 20);
    uint64_t end = rg_world_hash(world);
    CHECK_INT(rg_world_load(world, snapshot.data, snapshot.size), RG_OK);
    run_steps(world, 20);
    CHECK_HEX(rg_world_hash(world), end);
    free(snapshot.data);
    rg_world_destroy(world);
  }
}

// A world that had bodies and shapes which are gone goes on in one that never had them, and that one's own snapshots
// are as good as any.
TEST(snapshots_pass_on_slots_of_what_is_gone) {
  for (int gone = 1; gone <= 40; gone += 13) {
    CONTEXT("%d bodies are gone", gone);
    rgWorld* worlds[2];
    for (int i = 0; i < 2; i++) {
      worlds[i] = build_world("default");
      build_floor(worlds[i]);
      for (int k = 0; k < 4; k++)
        build_box(worlds[i], v3(0.2, 0.2, 0.1), v3(0.01 * k, 0, 0.1 + 0.2 * k));
    }
    rgBodyId extra[40];
    for (int k = 0; k < gone; k++)
      extra[k] = build_sphere(worlds[0], 0.1, v3(5 + k, 0, 1));
    run_steps(worlds[0], 3);
    for (int k = gone - 1; k >= 0; k--)
      REQUIRE(rg_world_remove_body(worlds[0], extra[k]) == RG_OK);
    run_steps(worlds[0], 3);
    for (int pass = 0; pass < 3;
         pass++) { // from the one into the other, then from that into itself
      Snapshot snapshot = save(worlds[pass > 0]);
      rgStatus status = rg_world_load(worlds[1], snapshot.data, snapshot.size);
      CHECK_MSG(status == RG_OK, "pass %d: %s", pass, rg_world_message(worlds[1]));
      free(snapshot.data);
      for (int i = 0; i < 2; i++)
        run_steps(worlds[i], 2);
      CHECK_HEX(rg_world_hash(worlds[1]), rg_world_hash(worlds[0]));
    }
    for (int i = 0; i < 2; i++)
      rg_world_destroy(worlds[i]);
  }
}

// The first place of a number in a snapshot: that of a spin comes before that of the momentum that belongs to it.
static size_t find_number(const Snapshot* snapshot, double number) {
  size_t at = 0;
  while (at + sizeof number < snapshot->size &&
         memcmp(snapshot->data + at, &number, sizeof number) != 0)
    at++;
  REQUIRE_MSG(at + sizeof number < snapshot->size, "%g is not there", number);
  return at;
}

// Numbers that a body cannot have are refused though the hash fits: what is not finite where a state must be,
// ways that are negative.
TEST(numbers_that_no_body_has_are_refused) {
  rgWorld* world = build_world("default");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.123, 0.456, 7.89));
  def.velocity = twist(v3(1.01, 2.02, 3.03), v3(4.04, 5.05, 6.06));
  rgBodyId id = build_body(world, &def, shape_box(v3(0.1, 0.2, 0.3)));
  rgForceDef push = rg_force_def();
  rgForceId force;
  push.body = id;
  push.wrench = (rgWrench){v3(300.1, 20.2, 1.3), v3(0.11, 0.22, 0.33)};
  REQUIRE(rg_world_add_force(world, &push, &force) == RG_OK);
  run_steps(world, 3);
  uint64_t before = rg_world_hash(world);
  Snapshot snapshot = save(world);
  const rgBody* body = rg_world_body_slot(world, id);
  REQUIRE(body->travel > 0 && body->shift > 0 && body->thrust > 0);
  const struct {
    const char* name;
    double number, wrong;
  } cases[] = {{"travel", body->travel, -1},
               {"travel", body->travel, NAN},
               {"shift", body->shift, -1},
               {"thrust", body->thrust, -1},
               {"thrust", body->thrust, NAN},
               {"position", body->position.y, HUGE_VAL},
               {"velocity", body->velocity.linear.z, NAN},
               {"spin", body->velocity.angular.x, -HUGE_VAL},
               {"orientation", body->orientation.w, 2},
               {"force", body->applied.force.x, NAN},
               {"torque", body->applied.torque.y, HUGE_VAL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("%s %g", cases[i].name, cases[i].wrong);
    size_t at = find_number(&snapshot, cases[i].number), rest = snapshot.size - sizeof(uint64_t);
    memcpy(snapshot.data + at, &cases[i].wrong, sizeof(double));
    uint64_t hash = rg_hash_bytes(RG_HASH_START, snapshot.data, rest);
    memcpy(snapshot.data + rest, &hash, sizeof hash);
    check_refused(world, before, snapshot.data, snapshot.size);
    memcpy(snapshot.data + at, &cases[i].number, sizeof(double));
  }
  free(snapshot.data);
  rg_world_destroy(world);
}
