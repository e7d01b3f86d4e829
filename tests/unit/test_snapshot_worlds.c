// Which worlds a snapshot fits: those with the same living things, whatever was tried, added and
// removed on the way; no world in which a step would read anything else.
#include "base/hash.h"
#include "math/trig.h"
#include "support/heap.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include "test.h"

#include <rigor/joint.h>

// --- a world with one of everything, in which one thing can be different -------------------------

typedef enum Difference {
  NONE,
  DIMENSIONLESS, // names and densities of static bodies are read by no step
  HEIGHT,
  MESH_POINT,
  MESH_TRIANGLE,
  SHAPE_SIZE,
  SHAPE_BODY,
  SHAPE_POSE,
  SHAPE_GROUP,
  SHAPE_MATERIAL,
  MASS,
  LOCKED,
  MASSLESS,
  MATERIAL,
  PAIR_MATERIAL,
  NO_COLLISION,
  NO_COLLISION_OTHER,
  MOTION,
  NO_MOTION,
  CONSTANT_FORCE,
  FORCE_POINT,
  TABLE_ROW,
  TABLE_TIME,
  SPRING,
  SPRING_REST,
  SPRING_BODY,
  DRAG,
  ATTRACTOR_RANGE,
  ATTRACTOR_PATH,
  ONE_FORCE_LESS,
  JOINT_KIND,
  JOINT_FRAME,
  JOINT_PARAMETER,
  JOINT_COLLIDE,
  DIFFERENCES
} Difference;

static rgPose swing(double time, void* context) {
  double size = *(const double*)context;
  return (rgPose){v3(6 + size * rg_sin(3 * time), 0, 0.5), quat_identity()};
}

static double small_swing = 0.1, large_swing = 0.2;

static void add_surfaces(rgWorld* world, Difference d) {
  double heights[9] = {0, 0.1, 0, 0.1, 0, 0.1, 0, 0.1, d == HEIGHT ? 0.11 : 0.1};
  rgShapeDef field = rg_shape_def(RG_SHAPE_FIELD);
  field.heights = heights;
  field.rows = field.columns = 3;
  field.spacing_x = field.spacing_y = 5;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3(0, 0, -1));
  build_body(world, &def, field);
  const rgVec3 points[5] = {
      {-9, -9, -2}, {9, -9, -2}, {9, 9, -2}, {-9, 9, -2}, {0, 0, d == MESH_POINT ? -1.9 : -1.8}};
  const int triangles[4][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  rgShapeDef mesh = rg_shape_def(RG_SHAPE_MESH);
  mesh.points = points;
  mesh.point_count = 5;
  mesh.triangles = triangles[0];
  mesh.triangle_count = d == MESH_TRIANGLE ? 3 : 4;
  build_body(world, &def, mesh);
}

typedef struct Bodies {
  rgBodyId a, b, c, moving;
} Bodies;

static Bodies add_bodies(rgWorld* world, Difference d) {
  int rough = build_material(world, d == MATERIAL ? 0.7 : 0.8, 0),
      smooth = build_material(world, 0.1, 0);
  rgMaterial pair = rg_material_default();
  pair.mu = d == PAIR_MATERIAL ? 0.33 : 0.3;
  REQUIRE(rg_world_set_pair_material(world, rough, smooth, &pair) == RG_OK);
  Bodies ids;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.6));
  def.mass = d == MASS ? 1.01 : 1;
  def.name = d == DIMENSIONLESS ? "another" : "name";
  rgShapeDef box = shape_box(v3(0.5, 0.5, d == SHAPE_SIZE ? 0.51 : 0.5));
  box.material = d == SHAPE_MATERIAL ? smooth : rough;
  ids.a = build_body(world, &def, box);
  def = body_at(RG_BODY_DYNAMIC, v3(2, 0, 0.6));
  def.mass = 1;
  def.rotation_locked = d == LOCKED;
  rgShapeDef ball = shape_sphere(0.5);
  ball.material = smooth;
  ball.group = d == SHAPE_GROUP ? 3 : 1;
  ids.b = build_body(world, &def, ball);
  def = body_at(RG_BODY_DYNAMIC, v3(4, 0, 0.6));
  def.mass = 1;
  def.inertia_given = true;
  def.inertia = m3_diag(1, 1, 1);
  def.massless = d == MASSLESS;
  ids.c = build_body(world, &def, shape_sphere(0.5));
  def = body_at(RG_BODY_KINEMATIC, v3(6, 0, 0.5));
  def.motion = d == NO_MOTION ? NULL : swing;
  def.motion_context = d == MOTION ? &large_swing : &small_swing;
  ids.moving = build_body(world, &def, shape_box(v3(0.5, 0.5, 0.5)));
  rgShapeDef knob = shape_sphere(0.1);
  knob.density = 1e-6;
  knob.pose.position = v3(0, 0, d == SHAPE_POSE ? 0.61 : 0.6);
  rgShapeId shape;
  // on a body whose mass is given whole, so that nothing else differs
  REQUIRE(rg_world_add_shape(world, d == SHAPE_BODY ? ids.moving : ids.c, &knob, &shape) == RG_OK);
  rgBodyId off = d == NO_COLLISION_OTHER ? ids.c : ids.b;
  if (d != NO_COLLISION)
    REQUIRE(rg_world_set_pair_collision(world, ids.a, off, false) == RG_OK);
  return ids;
}

static void add_force(rgWorld* world, const rgForceDef* def) {
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(world, def, &id) == RG_OK, "%s", rg_world_message(world));
}

static void add_forces(rgWorld* world, const Bodies* ids, Difference d) {
  rgForceDef def = rg_force_def();
  def.body = ids->a;
  def.wrench.force = v3(d == CONSTANT_FORCE ? 0.1 : 0.2, 0, 0);
  def.at_point = true;
  def.point = v3(0, 0, d == FORCE_POINT ? 0.1 : 0);
  add_force(world, &def);
  const double times[3] = {0, 1, d == TABLE_TIME ? 2.5 : 2};
  const rgWrench rows[3] = {{{1, 0, 0}, {0, 0, 0}},
                            {{d == TABLE_ROW ? 0.9 : 1, 1, 0}, {0, 0, 0}},
                            {{0, 0, 1}, {0, 0, 0}}};
  def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.body = ids->b;
  def.times = times;
  def.wrenches = rows;
  def.row_count = 3;
  add_force(world, &def);
  def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = ids->b;
  def.other = d == SPRING_BODY ? ids->a : ids->c;
  def.stiffness = d == SPRING ? 11 : 10;
  def.rest = d == SPRING_REST ? 1.9 : 2;
  add_force(world, &def);
  def.kind = RG_FORCE_DRAG;
  def.drag = d == DRAG ? 0.2 : 0.1;
  add_force(world, &def);
  const rgVec3 path[3] = {{0, 0, 5}, {1, 0, 5}, {d == ATTRACTOR_PATH ? 3 : 2, 0, 5}};
  def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.strength = 1;
  def.range = d == ATTRACTOR_RANGE ? 2 : 1;
  def.times = times;
  def.path = path;
  def.row_count = 3;
  if (d != ONE_FORCE_LESS)
    add_force(world, &def);
}

static void add_joints(rgWorld* world, const Bodies* ids, Difference d) {
  rgJointDef def = rg_joint_def(d == JOINT_KIND ? RG_JOINT_BALL : RG_JOINT_HINGE);
  def.body_b = ids->a;
  def.point = v3(0, 0, d == JOINT_FRAME ? 3.1 : 3);
  def.collide = d == JOINT_COLLIDE;
  rgJointId id;
  REQUIRE(rg_world_add_joint(world, &def, &id) == RG_OK);
  def = rg_joint_def(RG_JOINT_SCREW);
  def.body_b = ids->c;
  def.body_a = ids->b;
  def.point = v3(4, 0, 0.6);
  def.collide = d == JOINT_COLLIDE;
  REQUIRE(rg_joint_def_set(&def, "lead", d == JOINT_PARAMETER ? 0.02 : 0.01) == RG_OK);
  REQUIRE_MSG(rg_world_add_joint(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
}

static rgWorld* build_one(Difference d) {
  rgWorld* world = build_world("default");
  add_surfaces(world, d);
  Bodies ids = add_bodies(world, d);
  add_forces(world, &ids, d);
  add_joints(world, &ids, d);
  return world;
}

TEST(a_world_in_which_a_step_reads_anything_else_refuses_a_snapshot) {
  rgWorld* world = build_one(NONE);
  run_steps(world, 12);
  Snapshot snapshot = save(world);
  run_steps(world, 20);
  uint64_t expected = rg_world_hash(world);
  for (int d = 0; d < DIFFERENCES; d++) {
    rgWorld* other = build_one((Difference)d);
    bool fits = d == NONE || d == DIMENSIONLESS;
    CONTEXT("difference %d", d);
    CHECK_INT(rg_world_load(other, snapshot.data, snapshot.size), fits ? RG_OK : RG_ERROR_INPUT);
    if (fits) {
      run_steps(other, 20);
      CHECK_HEX(rg_world_hash(other), expected);
    }
    rg_world_destroy(other);
  }
  free(snapshot.data);
  rg_world_destroy(world);
}

// --- what calls change without building -----------------------------------------------------------

TEST(motors_limits_and_attractors_are_restored) {
  rgWorld* worlds[2];
  rgJointId hinge = {0, 0};
  rgForceId pull = {0, 0};
  for (int i = 0; i < 2; i++) {
    rgWorld* world = worlds[i] = build_world("default");
    build_floor(world);
    rgBodyId box = build_box(world, v3(0.1, 0.1, 0.5), v3(0, 0, 2));
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    def.body_b = box;
    def.point = v3(0, 0, 2.5);
    REQUIRE(rg_world_add_joint(world, &def, &hinge) == RG_OK);
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_ATTRACTOR;
    force.strength = force.range = 1;
    REQUIRE(rg_world_add_force(world, &force, &pull) == RG_OK);
  }
  rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0], other = axis;
  axis.motor = true;
  axis.motor_speed = 3;
  axis.motor_force = 50;
  axis.upper = 0.4;
  other.stiffness = 5;
  REQUIRE(rg_joint_set_axis(worlds[0], hinge, 0, &axis) == RG_OK);
  REQUIRE(rg_force_set_attractor(worlds[0], pull, v3(3, 1, 2), 40) == RG_OK);
  run_steps(worlds[0], 10);
  Snapshot snapshot = save(worlds[0]);
  run_steps(worlds[0], 40);
  uint64_t expected = rg_world_hash(worlds[0]);
  // the same world after it was steered elsewhere, and a world that never was
  REQUIRE(rg_joint_set_axis(worlds[0], hinge, 0, &other) == RG_OK);
  REQUIRE(rg_force_set_attractor(worlds[0], pull, v3(-3, 1, 2), 10) == RG_OK);
  run_steps(worlds[0], 5);
  for (int i = 0; i < 2; i++) {
    CONTEXT("world %d", i);
    REQUIRE_MSG(rg_world_load(worlds[i], snapshot.data, snapshot.size) == RG_OK, "%s",
                rg_world_message(worlds[i]));
    run_steps(worlds[i], 40);
    CHECK_HEX(rg_world_hash(worlds[i]), expected);
    rg_world_destroy(worlds[i]);
  }
  free(snapshot.data);
}

// --- what comes and goes --------------------------------------------------------------------------

// Adds and removes again, with steps in between when asked: other shapes than all others.
static void come_and_go(rgWorld* world, bool step) {
  rgBodyId body = build_sphere(world, 0.1, v3(400, 0, 500));
  rgShapeDef shape = shape_box(v3(0.1, 0.1, 0.1));
  rgShapeId id;
  REQUIRE(rg_world_add_shape(world, body, &shape, &id) == RG_OK);
  if (step)
    run_steps(world, 2);
  REQUIRE(rg_world_remove_body(world, body) == RG_OK);
}

static rgWorld* build_at(const Variety* scene, Heap* heap) {
  rgAllocator allocator = heap_allocator(heap);
  return variety_build(scene, 1, &allocator);
}

// Free slots are no difference, in either direction.
TEST(a_body_that_came_and_went_is_no_difference) {
  for (int k = 0; variety(k); k++) {
    if (variety(k)->planar)
      continue;
    for (int step = 0; step < 2; step++) {
      CONTEXT("%s, %s", variety(k)->name, step ? "for some steps" : "at once");
      rgWorld *plain = variety_build(variety(k), 1, NULL),
              *edited = variety_build(variety(k), 1, NULL);
      run_steps(plain, 8);
      Snapshot snapshot = save(plain);
      run_steps(plain, 15);
      uint64_t expected = rg_world_hash(plain);
      run_steps(edited, 3);
      come_and_go(edited, step);
      REQUIRE_MSG(rg_world_load(edited, snapshot.data, snapshot.size) == RG_OK, "%s",
                  rg_world_message(edited));
      run_steps(edited, 15);
      CHECK_HEX(rg_world_hash(edited), expected);
      free(snapshot.data);

      come_and_go(edited, step);
      snapshot = save(edited);
      run_steps(edited, 15);
      REQUIRE_MSG(rg_world_load(plain, snapshot.data, snapshot.size) == RG_OK, "%s",
                  rg_world_message(plain));
      run_steps(plain, 15);
      CHECK_HEX(rg_world_hash(plain), rg_world_hash(edited));
      free(snapshot.data);
      rg_world_destroy(plain);
      rg_world_destroy(edited);
    }
  }
}

// One body after the other is removed, between steps: each time a snapshot goes on as the world does,
// in the world itself and in one that had the same taken away; shapes of the next body may take the
// slots of the last.
TEST(snapshots_after_removals_go_on_as_the_world_does) {
  for (int k = 0; variety(k); k++) {
    rgWorld *world = variety_build(variety(k), 1, NULL), *twin = variety_build(variety(k), 1, NULL);
    run_steps(world, 6);
    for (int removal = 0; removal < 4 && rg_world_body_count(world) > 3; removal++) {
      CONTEXT("%s, removal %d", variety(k)->name, removal);
      int index = (5 + 7 * removal) % rg_world_body_count(world);
      REQUIRE(rg_world_remove_body(world, rg_world_body(world, index)) == RG_OK);
      REQUIRE(rg_world_remove_body(twin, rg_world_body(twin, index)) == RG_OK);
      Snapshot snapshot = save(world);
      run_steps(world, 5);
      uint64_t expected = rg_world_hash(world);
      rgWorld* both[2] = {world, twin};
      for (int i = 0; i < 2; i++) {
        REQUIRE_MSG(rg_world_load(both[i], snapshot.data, snapshot.size) == RG_OK, "%s",
                    rg_world_message(both[i]));
        run_steps(both[i], 5);
        CHECK_HEX(rg_world_hash(both[i]), expected);
      }
      free(snapshot.data);
    }
    rg_world_destroy(world);
    rg_world_destroy(twin);
  }
}

// A shape of a removed body leaves its slot to one of the body beside it: pairs of the old one are
// not those of the new one.
TEST(a_shape_in_the_slot_of_a_removed_one_is_not_its_heir) {
  for (int kind = 0; kind < 3; kind++) {
    rgWorld* world = build_world("default");
    build_floor(world);
    rgBodyId gone = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
    rgBodyId stays = build_box(world, v3(0.5, 0.5, 0.5), v3(0.2, 0, 1.5));
    run_steps(world, 4);
    REQUIRE(rg_world_remove_body(world, gone) == RG_OK);
    rgShapeDef shape = kind == 0   ? shape_sphere(0.4)
                       : kind == 1 ? shape_cylinder(0.3, 0.4)
                                   : shape_box(v3(1, 1, 0.1));
    shape.pose.position = v3(0, 0, -0.6);
    rgShapeId id;
    REQUIRE(rg_world_add_shape(world, stays, &shape, &id) == RG_OK);
    Snapshot snapshot = save(world);
    run_steps(world, 20);
    uint64_t expected = rg_world_hash(world);
    CONTEXT("kind %d", kind);
    REQUIRE_MSG(rg_world_load(world, snapshot.data, snapshot.size) == RG_OK, "%s",
                rg_world_message(world));
    run_steps(world, 20);
    CHECK_HEX(rg_world_hash(world), expected);
    free(snapshot.data);
    rg_world_destroy(world);
  }
}

// --- what fails -----------------------------------------------------------------------------------

static rgStatus add_bad_body(rgWorld* world, int which) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 9));
  rgShapeDef shapes[3] = {shape_sphere(0.5), shape_box(v3(0.5, 0.5, 0.5)), shape_sphere(0.1)};
  if (which < 3)
    shapes[which].radius = shapes[which].half.x = -1;
  else if (which == 3)
    shapes[2].material = 99;
  else
    def.inertia_given = true; // which is not positive
  rgBodyId id;
  return rg_world_add_body(world, &def, shapes, 3, &id);
}

TEST(a_body_that_is_refused_leaves_every_byte_of_a_snapshot) {
  for (int k = 0; variety(k); k++) {
    if (variety(k)->planar)
      continue;
    rgWorld *world = variety_build(variety(k), 1, NULL), *twin = variety_build(variety(k), 1, NULL);
    run_steps(world, 3);
    run_steps(twin, 3);
    Snapshot before = save(world);
    for (int which = 0; which < 5; which++) {
      CONTEXT("%s, way %d", variety(k)->name, which);
      CHECK_INT(add_bad_body(world, which), RG_ERROR_INPUT);
      Snapshot after = save(world);
      CHECK_INT(after.size, before.size);
      CHECK(after.size == before.size && memcmp(after.data, before.data, before.size) == 0);
      free(after.data);
      CHECK_INT(rg_world_load(world, before.data, before.size), RG_OK);
    }
    // also what is added later: it has the ids that it has in a world where nothing failed
    for (int i = 0; i < 2; i++)
      build_sphere(i ? twin : world, 0.2, v3(0, 0, 30));
    run_steps(twin, 5);
    Snapshot later = save(twin);
    CHECK_INT(rg_world_load(world, later.data, later.size), RG_OK);
    run_steps(world, 5);
    run_steps(twin, 5);
    CHECK_HEX(rg_world_hash(world), rg_world_hash(twin));
    free(later.data);
    free(before.data);
    rg_world_destroy(world);
    rg_world_destroy(twin);
  }
}

// Reading a world writes nothing to it: all of its memory may be read-only meanwhile.
TEST(measuring_and_saving_write_nothing_to_the_world) {
  for (int k = 0; variety(k); k++) {
    Heap heap = heap_make();
    heap.pages = true;
    CONTEXT("%s", variety(k)->name);
    rgWorld* world = build_at(variety(k), &heap);
    run_steps(world, 4);
    heap_protect(&heap, true);
    size_t size = rg_world_save_size(world);
    unsigned char* data = malloc(size);
    REQUIRE(data);
    CHECK_INT(rg_world_save(world, data, size), RG_OK);
    CHECK(rg_world_hash(world) != 0);
    heap_protect(&heap, false);
    CHECK_INT(rg_world_load(world, data, size), RG_OK);
    free(data);
    rg_world_destroy(world);
    heap_end(&heap);
  }
}

// --- forgeries ------------------------------------------------------------------------------------

// Where things are in a snapshot of a world with one pair, which is the last thing in it.
enum { HASH = 8, CONTACT = 128, PAIR = 44, FLAGS_AT = 48 };

static void check_forged(rgWorld* world, const Snapshot* real, size_t at, int value, size_t size) {
  Snapshot forged = {malloc(real->size), real->size};
  REQUIRE(forged.data);
  memcpy(forged.data, real->data, real->size);
  memcpy(forged.data + at, &value, size);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, forged.data, real->size - HASH);
  memcpy(forged.data + real->size - HASH, &hash, HASH);
  CONTEXT("%d at byte %d of %d", value, (int)at, (int)real->size);
  CHECK_INT(rg_world_load(world, forged.data, forged.size), RG_ERROR_INPUT);
  Snapshot after = save(world);
  CHECK(after.size == real->size && memcmp(after.data, real->data, real->size) == 0);
  free(after.data);
  free(forged.data);
}

// A box on a floor beside a wall, with a knob, after another box was removed. The pair of box and
// floor is given shapes that are not there, that cannot meet or that are out of order, and another
// number of contacts than there are; the state is said to be from before the first search.
TEST(a_snapshot_with_a_forged_pair_is_refused) {
  rgWorld* world = build_world("default");
  build_floor(world);                                                // shape 0
  rgBodyId box = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5)); // shape 1
  build_block(world, v3(0.5, 0.5, 0.5), v3(0, 9, 0.5));              // shape 2
  rgBodyId gone = build_box(world, v3(0.5, 0.5, 0.5), v3(9, 9, 9));  // shape 3
  rgShapeDef knob = shape_sphere(0.1);
  knob.pose.position = v3(0, 0, 0.5);
  rgShapeId id;
  REQUIRE(rg_world_add_shape(world, box, &knob, &id) == RG_OK); // shape 4
  REQUIRE(rg_world_remove_body(world, gone) == RG_OK);
  run_steps(world, 3);
  int contacts = rg_world_contact_count(world);
  REQUIRE_INT(rg_world_counts(world).pairs, 1);
  CHECK(contacts >= 3);
  Snapshot real = save(world);
  size_t a = real.size - HASH - (size_t)contacts * CONTACT - PAIR, b = a + 4, count = b + 4;
  int first, second, number;
  memcpy(&first, real.data + a, sizeof first);
  memcpy(&second, real.data + b, sizeof second);
  memcpy(&number, real.data + count, sizeof number);
  REQUIRE(first == 0 && second == 1 && number == contacts); // the layout is the one that is meant
  const int bad_first[] = {-1, 1, 2, 3, 4, 5, INT_MAX, INT_MIN};
  const int bad_second[] = {-1, 0, 2, 3, 5, INT_MAX, INT_MIN};
  const int bad_count[] = {-1, 0, contacts - 1, contacts + 1, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof bad_first / sizeof *bad_first; i++)
    check_forged(world, &real, a, bad_first[i], sizeof(int));
  for (size_t i = 0; i < sizeof bad_second / sizeof *bad_second; i++)
    check_forged(world, &real, b, bad_second[i], sizeof(int));
  for (size_t i = 0; i < sizeof bad_count / sizeof *bad_count; i++)
    check_forged(world, &real, count, bad_count[i], sizeof(int));
  CHECK_INT(real.data[FLAGS_AT], 4); // searched, and nothing stale
  for (int flags = 0; flags < 4; flags++)
    check_forged(world, &real, FLAGS_AT, flags, 1);
  check_forged(world, &real, FLAGS_AT, 8, 1);
  free(real.data);
  rg_world_destroy(world);
}

// A pair that was kept from colliding and collides again is one like any other.
TEST(a_pair_that_collides_again_does_not_count) {
  rgWorld* worlds[2];
  for (int k = 0; k < 2; k++) {
    worlds[k] = build_world("default");
    build_floor(worlds[k]);
    rgBodyId a = build_box(worlds[k], v3(0.1, 0.1, 0.1), v3(0, 0, 0.1)),
             b = build_box(worlds[k], v3(0.1, 0.1, 0.1), v3(0, 0, 0.3));
    for (int on = 0; on < 2 && k == 1; on++)
      REQUIRE(rg_world_set_pair_collision(worlds[k], a, b, on) == RG_OK);
  }
  for (int k = 0; k < 2; k++) {
    Snapshot snapshot = save(worlds[k]);
    CHECK_INT(rg_world_load(worlds[1 - k], snapshot.data, snapshot.size), RG_OK);
    free(snapshot.data);
  }
  for (int k = 0; k < 2; k++)
    rg_world_destroy(worlds[k]);
}
