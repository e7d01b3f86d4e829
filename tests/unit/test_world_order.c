// Large worlds are put into spatial order in memory: ids, names, joints, forces, filters, contacts
// and snapshots do not show it.
#include "test.h"

#include "base/hash.h"
#include "support/builder.h"
#include "support/scenes.h"
#include "support/snapshot.h"
#include "world/world.h"
#include <rigor/view.h>

// Pillars of two cubes, one on the other: bodies enough for an order, and small islands.
enum { ROWS = 40, COLUMNS = 54, PILLARS = ROWS * COLUMNS, CUBES = 2 * PILLARS };
static const double HALF = 0.2, APART = 1; // [m]
// How far a cube that stands may be from where it was put [m]: contacts give way by 1e-6 and less.
static const double STANDING = 1e-4;

// The place of a cube: pillar and floor. Adding goes through the places by steps of `stride`.
static rgVec3 place_of(int cube) {
  int pillar = cube / 2;
  return v3(APART * (pillar % COLUMNS), APART * (pillar / COLUMNS), HALF * (1 + 2 * (cube % 2)));
}

// All different, and given by the place.
static double mass_of(int cube) { return 1 + cube / (double)CUBES; }

static rgShapeDef cube_shape(int cube) {
  static const rgVec3 corners[8] = {{-0.2, -0.2, -0.2}, {0.2, -0.2, -0.2}, {-0.2, 0.2, -0.2},
                                    {0.2, 0.2, -0.2},   {-0.2, -0.2, 0.2}, {0.2, -0.2, 0.2},
                                    {-0.2, 0.2, 0.2},   {0.2, 0.2, 0.2}};
  rgShapeDef shape = shape_box(v3(HALF, HALF, HALF));
  if (cube % 7 == 0) {
    shape = rg_shape_def(RG_SHAPE_HULL);
    shape.points = corners;
    shape.point_count = 8;
  }
  return shape;
}

typedef struct Field {
  rgWorld* world;
  rgBodyId ground, cube[CUBES]; // by the place
} Field;

static rgBodyId add_cube(rgWorld* world, int cube) {
  char name[32];
  snprintf(name, sizeof name, "cube %d", cube);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place_of(cube));
  def.mass = mass_of(cube);
  def.name = name;
  return build_body(world, &def, cube_shape(cube));
}

// Odd numbers without the factors of CUBES go through all places.
enum { STRIDE = 1237, OTHER_STRIDE = 2603, NO_STRIDE = 1 };

static Field build_field_of(const rgWorldDef* def, int stride) {
  Field field = {.world = build_world_of(def)};
  field.ground = build_floor(field.world);
  for (int i = 0; i < CUBES; ++i) {
    int cube = (int)((long long)i * stride % CUBES);
    field.cube[cube] = add_cube(field.world, cube);
  }
  return field;
}

static Field build_field(int stride) {
  rgWorldDef def = rg_world_def();
  return build_field_of(&def, stride);
}

// Mean distance of bodies that follow each other in memory [m].
static double spread(const rgWorld* world) {
  double sum = 0;
  for (int i = 2; i < world->body_slots; ++i)
    sum += distance(world->bodies[i].position, world->bodies[i - 1].position);
  return sum / (world->body_slots - 2);
}

static int cube_of_name(const rgWorld* world, rgBodyId id) {
  int cube = -1;
  return sscanf(rg_body_name(world, id), "cube %d", &cube) == 1 ? cube : -1;
}

TEST(bodies_lie_in_memory_as_they_stand_in_space) {
  Field field = build_field(STRIDE);
  CHECK(spread(field.world) > 10 * APART);
  run_steps(field.world, 1);
  // Up the pillar, on to the next one, and from the end of one row to the start of the next.
  CHECK(spread(field.world) < 0.5 * (2 * HALF + 1.1 * APART) + APART * COLUMNS * ROWS / CUBES);
  const rgWorld* world = field.world;
  for (int i = 0; i < world->shape_slots; ++i)
    CHECK_INT(world->shapes[i].body, i);
  rg_world_destroy(field.world);
}

TEST(small_worlds_are_left_alone) {
  rgWorld* world = build_world("default");
  for (int i = 0; i < 200; ++i)
    build_sphere(world, 0.1, v3(i * 37 % 200, 0, 0));
  run_steps(world, 1);
  for (int i = 0; i < world->body_slots; ++i)
    CHECK_INT(world->bodies[i].index, i);
  rg_world_destroy(world);
}

TEST(ids_name_the_same_bodies_before_and_after) {
  Field field = build_field(STRIDE);
  rgWorld* world = field.world;
  rgBodyId listed[3] = {rg_world_body(world, 0), rg_world_body(world, 1234),
                        rg_world_body(world, CUBES)};
  run_steps(world, 3);
  CHECK_INT(rg_body_kind(world, field.ground), RG_BODY_STATIC);
  for (int i = 0; i < CUBES; ++i) {
    REQUIRE(rg_body_valid(world, field.cube[i]));
    CHECK_INT(cube_of_name(world, field.cube[i]), i);
    CHECK_REL(rg_body_mass(world, field.cube[i]).mass, mass_of(i), 1e-15);
    CHECK(distance(rg_body_pose(world, field.cube[i]).position, place_of(i)) < STANDING);
  }
  CHECK_INT(rg_world_find_body(world, "cube 777").index, field.cube[777].index);
  for (int i = 1; i <= CUBES; ++i)
    CHECK(rg_world_body(world, i).index > rg_world_body(world, i - 1).index);
  CHECK_INT(rg_world_body(world, 0).generation, listed[0].generation);
  CHECK_INT(rg_world_body(world, 1234).generation, listed[1].generation);
  CHECK_INT(rg_world_body(world, CUBES).generation, listed[2].generation);
  rg_world_destroy(world);
}

// Shapes are listed in the order in which they were added, each with the body that it was added to.
TEST(shapes_are_listed_as_they_were_added) {
  static rgShapeId before[CUBES + 1], after[CUBES + 1];
  Field field = build_field(STRIDE);
  REQUIRE_INT(rg_world_shapes(field.world, before, CUBES + 1), CUBES + 1);
  REQUIRE_INT(rg_world_find_contacts(field.world), RG_OK);
  REQUIRE_INT(rg_world_shapes(field.world, after, CUBES + 1), CUBES + 1);
  int moved = memcmp(before, after, sizeof before) != 0;
  for (int i = 1; i <= CUBES; ++i) {
    rgShapeView view;
    int cube = (int)((long long)(i - 1) * STRIDE % CUBES);
    REQUIRE_INT(rg_shape_view(field.world, after[i], &view), RG_OK);
    moved += view.body.index != field.cube[cube].index;
  }
  CHECK_INT(moved, 0);
  rg_world_destroy(field.world);
}

TEST(contacts_name_the_bodies_and_shapes_that_touch) {
  Field field = build_field(STRIDE);
  rgWorld* world = field.world;
  run_steps(world, 2);
  CHECK(rg_world_contact_count(world) >= 3 * CUBES);
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    int a = cube_of_name(world, contact.body_a), b = cube_of_name(world, contact.body_b);
    int low = a < 0 || (b >= 0 && b < a) ? b : a, high = low == a ? b : a;
    CHECK(low >= 0 && (high < 0 ? low % 2 == 0 : low % 2 == 0 && high == low + 1));
    rgVec3 center = place_of(low);
    CHECK(fabs(contact.point.x - center.x) < HALF + STANDING);
    CHECK(fabs(contact.point.y - center.y) < HALF + STANDING);
    CHECK_NEAR(contact.point.z, high < 0 ? 0 : 2 * HALF, STANDING);
    rgBodyId owner = a < 0 ? contact.body_b : contact.body_a;
    rgShapeId shape = a < 0 ? contact.shape_b : contact.shape_a;
    const rgWorldShape* slot = &world->shapes[world->ids.slot_of_shape[shape.index]];
    CHECK_INT(slot->generation, shape.generation);
    CHECK_INT(world->bodies[slot->body].index, owner.index);
  }
  rg_world_destroy(world);
}

// The order is that of places: all that follows has the same bits.
TEST(the_order_of_adding_does_not_matter) {
  rgWorldDef def = rg_world_def();
  Field one = build_field_of(&def, STRIDE), other = build_field_of(&def, NO_STRIDE);
  def.options.threads = 2;
  Field third = build_field_of(&def, OTHER_STRIDE);
  run_steps(one.world, 5);
  run_steps(other.world, 5);
  run_steps(third.world, 5);
  for (int i = 0; i < CUBES; ++i) {
    rgPose a = rg_body_pose(one.world, one.cube[i]), b = rg_body_pose(other.world, other.cube[i]),
           c = rg_body_pose(third.world, third.cube[i]);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK(memcmp(&a, &c, sizeof a) == 0);
  }
  rg_world_destroy(one.world);
  rg_world_destroy(other.world);
  rg_world_destroy(third.world);
}

static rgPose rising(double time, void* context) {
  (void)context;
  return pose_at(v3(-5, 0, 3 + time));
}

TEST(joints_forces_motions_and_filters_keep_their_bodies) {
  Field field = build_field(STRIDE);
  rgWorld* world = field.world;
  enum { JOINED = 400, SPRUNG = 1200, GHOST = 2400, PUSHED = 3001 };
  // The upper cubes of two pillars held together: no contact between the halves of the first.
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_a = field.cube[JOINED];
  joint.body_b = field.cube[JOINED + 1];
  joint.point = v3_add(place_of(JOINED), v3(0, 0, HALF));
  rgJointId ball;
  REQUIRE(rg_world_add_joint(world, &joint, &ball) == RG_OK);
  rgForceDef force = rg_force_def();
  rgForceId id;
  force.kind = RG_FORCE_SPRING;
  force.body = field.cube[SPRUNG + 1];
  force.other = field.cube[SPRUNG];
  force.stiffness = 100;
  force.rest = 0.1; // pulls them together
  REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
  force = rg_force_def();
  force.body = field.cube[PUSHED];
  force.wrench.force = v3(0, 0, 20 * mass_of(PUSHED));
  REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, field.cube[GHOST + 1], field.cube[GHOST], false) ==
          RG_OK);
  rgBodyDef lift = body_at(RG_BODY_KINEMATIC, v3_zero());
  lift.motion = rising;
  lift.name = "lift";
  rgBodyId platform = build_body(world, &lift, shape_box(v3(1, 1, 0.1)));

  enum { STEPS = 6 };
  run_steps(world, STEPS);
  double h = rg_world_options(world)->step, t = STEPS * h;
  rgJointState state;
  REQUIRE(rg_joint_state(world, ball, &state) == RG_OK);
  CHECK_INT(state.body_a.index, field.cube[JOINED].index);
  CHECK_INT(state.body_b.index, field.cube[JOINED + 1].index);
  CHECK(state.error < STANDING);
  CHECK(distance(state.frame_a.position, joint.point) < STANDING);
  CHECK_NEAR(rg_body_pose(world, platform).position.z, 3 + t, 1e-12);
  CHECK_STR(rg_body_name(world, platform), "lift");
  // Free fall through the cube below it; the surplus of the push; nobody else moved.
  double fall = 0.5 * 9.81 * t * t, rise = 0.5 * (20 - 9.81) * t * t;
  CHECK_REL(place_of(GHOST + 1).z - rg_body_pose(world, field.cube[GHOST + 1]).position.z, fall,
            0.2); // first order in h
  CHECK_REL(rg_body_pose(world, field.cube[PUSHED]).position.z - place_of(PUSHED).z, rise, 0.2);
  double load = 0; // of the spring and the weight, on the lower cube
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    int a = cube_of_name(world, contact.body_a), b = cube_of_name(world, contact.body_b);
    bool between = a >= 0 && b >= 0 && a / 2 == b / 2;
    CHECK(!between || (a / 2 != JOINED / 2 && a / 2 != GHOST / 2));
    if (between && a / 2 == SPRUNG / 2)
      load += fabs(contact.impulse.z) / h;
  }
  CHECK_REL(load, 9.81 * mass_of(SPRUNG + 1) + 100 * (2 * HALF - 0.1), 1e-3);
  for (int i = 0; i < CUBES; ++i)
    if (i != GHOST + 1 && i != PUSHED)
      CHECK(distance(rg_body_pose(world, field.cube[i]).position, place_of(i)) < STANDING);
  rg_world_destroy(world);
}

// Each body has one shape, and no two of them the same.
static void check_shape_ids(const rgWorld* world) {
  int count = rg_world_shapes(world, NULL, 0), listed = 0;
  bool* seen = calloc((size_t)count, sizeof *seen);
  rgShapeId* ids = calloc((size_t)count, sizeof *ids);
  REQUIRE(seen && ids);
  CHECK_INT(rg_world_shapes(world, ids, count), count);
  for (int i = 0; i < count; ++i) {
    rgShapeView view;
    if (!CHECK_INT(rg_shape_view(world, ids[i], &view), RG_OK))
      break;
    bool fresh = (int)view.body.index < count && !seen[view.body.index];
    seen[fresh ? view.body.index : 0] = true;
    listed += fresh && rg_body_valid(world, view.body);
  }
  CHECK_INT(listed, count);
  free(seen);
  free(ids);
}

TEST(bodies_are_removed_and_added_after_the_ordering) {
  Field field = build_field(STRIDE);
  rgWorld* world = field.world;
  run_steps(world, 2);
  // Every fiftieth pillar goes and comes back in another order, with one pillar more.
  uint32_t lowest = UINT32_MAX;
  for (int i = 0; i < CUBES; i += 100)
    for (int k = 0; k < 2; ++k) {
      lowest = field.cube[i + k].index < lowest ? field.cube[i + k].index : lowest;
      rgBodyId gone = field.cube[i + k];
      REQUIRE(rg_world_remove_body(world, gone) == RG_OK);
      CHECK(!rg_body_valid(world, gone));
    }
  run_steps(world, 1);
  uint32_t first = 0;
  for (int i = 0; i < CUBES; i += 100)
    for (int k = 1; k >= 0; --k) {
      field.cube[i + k] = add_cube(world, i + k);
      first = i == 0 && k == 1 ? field.cube[i + k].index : first;
    }
  CHECK_INT(first, lowest);
  check_shape_ids(world);
  rgBodyId last = build_sphere(world, 0.1, v3(-3, 0, 0.1));
  CHECK_INT(last.index, CUBES + 1);
  rgShapeDef extra = shape_sphere(0.05);
  extra.pose.position = v3(0, 0, 0.1);
  rgShapeId shape;
  REQUIRE(rg_world_add_shape(world, field.cube[5], &extra, &shape) == RG_OK);
  run_steps(world, 2);
  REQUIRE(rg_world_remove_shape(world, shape) == RG_OK);
  CHECK_INT(rg_world_remove_shape(world, shape), RG_ERROR_NOT_FOUND);
  run_steps(world, 1);
  CHECK_INT(rg_world_body_count(world), CUBES + 2);
  for (int i = 0; i < CUBES; ++i) {
    CHECK_INT(cube_of_name(world, field.cube[i]), i);
    CHECK(distance(rg_body_pose(world, field.cube[i]).position, place_of(i)) < STANDING);
  }
  CHECK(distance(rg_body_pose(world, last).position, v3(-3, 0, 0.1)) < STANDING);
  rg_world_destroy(world);
}

// --- friction -----------------------------------------------------------------------------------

// Where both bodies have a direction of friction, that of the body added first counts.
TEST(the_direction_of_friction_is_that_of_the_first_body) {
  rgWorld* world = build_world("default");
  rgMaterial material = rg_material_default();
  material.e_t = 0.5;
  int along[2];
  for (int i = 0; i < 2; ++i) {
    material.direction = i == 0 ? v3(1, 0, 0) : v3(0, 1, 0);
    REQUIRE(rg_world_add_material(world, &material, &along[i]) == RG_OK);
  }
  build_floor(world);
  for (int i = 0; i < CUBES; ++i) {
    int cube = (int)((long long)i * STRIDE % CUBES);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, place_of(cube));
    rgShapeDef shape = shape_box(v3(HALF, HALF, HALF));
    shape.material = along[cube % 2];
    build_body(world, &def, shape);
  }
  run_steps(world, 1);
  int turned = 0;
  for (int i = 0; i < world->contact_count; ++i) {
    const rgWorldContact* contact = &world->contacts[i];
    rgContact seen;
    REQUIRE(rg_world_contact(world, i, &seen) == RG_OK);
    if (contact->material_a == contact->material_b || contact->material_a == 0 ||
        contact->material_b == 0)
      continue;
    bool a_first = seen.body_a.index < seen.body_b.index;
    int first = a_first ? contact->material_a : contact->material_b;
    rgVec3 direction = rg_world_friction_direction(world, contact, rg_world_law(world, contact));
    CHECK_NEAR(fabs(first == along[0] ? direction.x : direction.y), 1, 1e-6);
    turned += !a_first;
  }
  CHECK(turned > PILLARS); // of four contacts per pillar
  rg_world_destroy(world);
}

// --- snapshots ----------------------------------------------------------------------------------

static bool equal(Snapshot a, Snapshot b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

TEST(a_snapshot_of_one_order_loads_into_a_world_of_another) {
  Field field = build_field(STRIDE), fresh = build_field(STRIDE);
  Snapshot start = save(field.world);
  run_steps(field.world, 3);
  Snapshot middle = save(field.world);
  run_steps(field.world, 3);
  Snapshot end = save(field.world);

  REQUIRE(rg_world_load(fresh.world, middle.data, middle.size) == RG_OK);
  Snapshot again = save(fresh.world);
  CHECK(equal(again, middle));
  for (int i = 0; i < CUBES; ++i)
    CHECK_INT(cube_of_name(fresh.world, fresh.cube[i]), i);
  run_steps(fresh.world, 3);
  Snapshot twin = save(fresh.world);
  CHECK(equal(twin, end));

  // Back to before the first step, which orders the world once more.
  REQUIRE(rg_world_load(fresh.world, start.data, start.size) == RG_OK);
  CHECK(spread(fresh.world) > 10 * APART);
  run_steps(fresh.world, 6);
  Snapshot whole = save(fresh.world);
  CHECK(equal(whole, end));
  free(start.data);
  free(middle.data);
  free(end.data);
  free(again.data);
  free(twin.data);
  free(whole.data);
  rg_world_destroy(field.world);
  rg_world_destroy(fresh.world);
}

TEST(an_order_that_names_a_body_twice_is_refused) {
  Field field = build_field(STRIDE);
  Snapshot start = save(field.world);
  run_steps(field.world, 2);
  Snapshot snapshot = save(field.world);
  uint64_t before = rg_world_hash(field.world);
  // The order stands behind magic, four numbers, time, steps, flags and two counts.
  size_t at = 8 + 4 * 8 + 8 + 8 + 1 + 2 * 4;
  memcpy(start.data + at, start.data + at + 3 * sizeof(int), sizeof(int));
  size_t size = start.size - sizeof(uint64_t);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, start.data, size);
  memcpy(start.data + size, &hash, sizeof hash);
  CHECK_INT(rg_world_load(field.world, start.data, start.size), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(field.world), "the snapshot is damaged");
  CHECK_HEX(rg_world_hash(field.world), before);
  Snapshot after = save(field.world);
  CHECK(equal(snapshot, after));
  free(start.data);
  free(snapshot.data);
  free(after.data);
  rg_world_destroy(field.world);
}

// --- memory and range ---------------------------------------------------------------------------

// Gives out so many blocks more.
typedef struct Ration {
  rgAllocator heap;
  int left;
} Ration;

static void* take(size_t size, void* context) {
  Ration* ration = context;
  return ration->left-- > 0 ? ration->heap.allocate(size, ration->heap.context) : NULL;
}

static void give_back(void* memory, size_t size, void* context) {
  Ration* ration = context;
  ration->heap.release(memory, size, ration->heap.context);
}

TEST(a_step_without_memory_for_the_order_changes_nothing) {
  Ration ration = {rg_allocator_default(), INT32_MAX};
  rgWorldDef def = rg_world_def();
  def.allocator = (rgAllocator){take, give_back, &ration};
  Field field = build_field_of(&def, STRIDE);
  size_t memory = rg_world_counts(field.world).memory;
  uint64_t before = rg_world_hash(field.world);
  const int rations[] = {0, 1, 2, 3, 4, 5, 6, 7, 60, 700, CUBES};
  for (size_t i = 0; i < sizeof rations / sizeof *rations; ++i) {
    ration.left = rations[i];
    CHECK_INT(rg_world_step(field.world, NULL), RG_ERROR_MEMORY);
    CHECK_CONTAINS(rg_world_message(field.world), "not enough memory");
    CHECK_INT(rg_world_counts(field.world).memory, memory);
    CHECK_HEX(rg_world_hash(field.world), before);
  }
  ration.left = INT32_MAX;
  run_steps(field.world, 2);
  Field twin = build_field(STRIDE);
  run_steps(twin.world, 2);
  CHECK_HEX(rg_world_hash(field.world), rg_world_hash(twin.world));
  rg_world_destroy(field.world);
  rg_world_destroy(twin.world);
}

TEST(the_order_is_the_same_in_other_units_and_for_all_compilers) {
  Scene scene;
  scene_sphere_bed(&scene, 4500);
  rgBodyId* ids = calloc((size_t)scene.body_count, sizeof *ids);
  REQUIRE(ids);
  rgOptions options;
  REQUIRE(rg_options_preset("realtime", &options));
  rgWorld *si, *binary;
  rgMessage message;
  REQUIRE(scene_world(&scene, &options, SCENE_SI, ids, &si, &message) == RG_OK);
  REQUIRE(scene_world(&scene, &options, SCENE_BINARY, ids, &binary, &message) == RG_OK);
  run_steps(si, 10);
  run_steps(binary, 10);
  uint64_t order = RG_HASH_START;
  for (int i = 0; i < scene.body_count; ++i) {
    order = rg_hash_bytes(order, &si->bodies[i].index, sizeof(int));
    CHECK_INT(si->bodies[i].index, binary->bodies[i].index);
    rgVec3 a = v3_scale(rg_body_center(si, ids[i]), SCENE_BINARY.length);
    rgVec3 b = rg_body_center(binary, ids[i]);
    CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
  }
  CHECK_HEX(order, 0xa052650ccaef1a62);
  rg_world_destroy(si);
  rg_world_destroy(binary);
  free(ids);
  scene_end(&scene);
}

// Without gravity, with bodies far out and bodies without shapes, and in the plane.
TEST(worlds_of_other_kinds_are_ordered) {
  enum { MANY = 4500 };
  for (int flat = 0; flat < 2; ++flat) {
    CONTEXT("dimension %d", flat ? 2 : 3);
    rgWorldDef def = flat ? rg_world_def_2d() : rg_world_def();
    if (!flat)
      def.options.gravity = v3_zero();
    rgWorld* world = build_world_of(&def);
    rgBodyDef point = body_at(RG_BODY_DYNAMIC, v3(3, 3, 0));
    point.mass = 1;
    point.rotation_locked = true;
    rgBodyId lone, far;
    REQUIRE(rg_world_add_body(world, &point, NULL, 0, &lone) == RG_OK);
    for (int i = 0; i < MANY; ++i) {
      int place = i * 1237 % MANY;
      rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(place % 300, place / 300, 0));
      rgShapeDef shape = rg_shape_def(flat ? RG_SHAPE_POLYGON : RG_SHAPE_CAPSULE);
      const rgVec3 corners[3] = {{-0.2, -0.2, 0}, {0.2, -0.2, 0}, {0, 0.3, 0}};
      shape.points = corners;
      shape.point_count = 3;
      shape.radius = 0.1;
      shape.half_length = 0.1;
      build_body(world, &body, shape);
    }
    point.pose.position = v3(1e200, -1e100, 0);
    REQUIRE(rg_world_add_body(world, &point, NULL, 0, &far) == RG_OK);
    run_steps(world, 2);
    CHECK(rg_body_pose(world, far).position.x == 1e200);
    CHECK_NEAR(rg_body_pose(world, lone).position.x, 3, 1e-12);
    int near = 0;
    for (int i = 1; i < world->body_slots; ++i)
      near += distance(world->bodies[i].position, world->bodies[i - 1].position) < 30;
    CHECK(near > MANY * 99 / 100);
    rg_world_destroy(world);
  }
}

// The i-th body gets i + 1 newtons along x.
static void push_each(double time, int count, const rgPose* poses, const rgTwist* velocities,
                      rgWrench* wrenches, void* context) {
  (void)time;
  (void)poses;
  (void)velocities;
  (void)context;
  for (int i = 0; i < count; i++)
    wrenches[i].force = v3(i + 1, 0, 0);
}

// A force on several bodies acts on those that it was given, in their order, wherever the world has put them.
TEST(a_force_on_several_bodies_stays_with_them) {
  enum { MANY = 4200, PUSHED = 5 };
  rgWorld* world = build_still("default");
  rgBodyId ids[MANY], pushed[PUSHED];
  for (int i = 0; i < MANY; i++) // in an order that is none of places
    ids[i] = build_sphere(world, 0.1, v3(i * 7919 % 20, i * 104729 % 10, i / 20.0));
  for (int i = 0; i < PUSHED; i++)
    pushed[i] = ids[(i * 613 + 17) % MANY];
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_CALLBACK;
  def.system = push_each;
  def.bodies = pushed;
  def.body_count = PUSHED;
  rgForceId force;
  REQUIRE(rg_world_add_force(world, &def, &force) == RG_OK);
  rgVec3 before = rg_world_momentum(world).linear;
  run_steps(world, 1);
  double h = rg_world_options(world)->step, sum = 0;
  for (int i = 0; i < PUSHED; i++) {
    double m = rg_body_mass(world, pushed[i]).mass;
    CHECK_REL(m * rg_body_velocity(world, pushed[i]).linear.x, (i + 1) * h, 1e-6);
    sum += (i + 1) * h;
  }
  CHECK_REL(rg_world_momentum(world).linear.x - before.x, sum, 1e-6);
  rg_world_destroy(world);
}
