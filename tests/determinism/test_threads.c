// The same bits for one to eight threads: poses, velocities, and all that a snapshot holds.
//
// The scenes of support/variety.h are small; here are heaps whose pairs and islands are many more
// than what one thread takes at a time, of the shapes whose contacts are found by iterations that
// start where the last ones ended.
#include "support/heaps.h"
#include "support/random.h"
#include "support/variety.h"
#include "test.h"

enum { MOST_THREADS = 8 };

typedef rgWorld* Build(int threads);

static rgWorld* make_world(int threads, const char* stepper, double theta) {
  rgWorldDef def = rg_world_def();
  def.options.threads = threads;
  def.options.step = 1.0 / 60; // half a second in 32 steps: what falls comes to lie
  def.options.theta = theta;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  return build_world_of(&def);
}

// A loose lattice of bodies over a floor, each turned anyhow.
static void add_heap(rgWorld* world, rgShapeDef (*shape)(int), int side, int layers,
                     double spacing) {
  build_floor(world);
  random_state = 17;
  for (int i = 0; i < side * side * layers; i++) {
    rgVec3 at = v3(i % side, i / side % side, i / (side * side) + 1);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_scale(at, spacing));
    def.pose.orientation = random_rotation();
    build_body(world, &def, shape(i));
  }
}

static rgShapeDef cylinder(int i) { return shape_cylinder(0.1 + 0.01 * (i % 3), 0.12); }
static rgShapeDef ellipsoid(int i) { return shape_ellipsoid(v3(0.1, 0.13 + 0.01 * (i % 3), 0.16)); }
static rgShapeDef any_shape(int i) {
  switch (i % 5) {
  case 0:
    return shape_box(v3(0.1, 0.12, 0.14));
  case 1:
    return shape_sphere(0.12);
  case 2:
    return shape_capsule(0.08, 0.08);
  case 3:
    return cylinder(i);
  default:
    return ellipsoid(i);
  }
}

static rgWorld* cylinders(int threads) {
  rgWorld* world = make_world(threads, "theta", 1);
  add_heap(world, cylinder, 5, 3, 0.33);
  return world;
}

static rgWorld* ellipsoids(int threads) {
  rgWorld* world = make_world(threads, "theta", 1);
  add_heap(world, ellipsoid, 5, 3, 0.38);
  return world;
}

static rgWorld* mixture(int threads) {
  rgWorld* world = make_world(threads, "theta", 0.5);
  build_set_default_material(world, 0.4, 0.3);
  add_heap(world, any_shape, 5, 3, 0.35);
  return world;
}

// Chains of boxes that fall onto the floor and each other: several islands with joints and contacts.
static rgWorld* chains(int threads) {
  rgWorld* world = make_world(threads, "theta", 0.5);
  build_floor(world);
  for (int chain = 0; chain < 12; chain++) {
    rgBodyId last = {0, 0};
    for (int i = 0; i < 5; i++) {
      rgVec3 at = v3(0.45 * i + 0.1 * (chain % 3), 0.3 * (chain % 4), 0.3 + 0.3 * (chain / 4));
      rgBodyId id = build_box(world, v3(0.2, 0.1, 0.1), at);
      rgJointDef joint = rg_joint_def(i % 2 ? RG_JOINT_BALL : RG_JOINT_HINGE);
      joint.body_a = last;
      joint.body_b = id;
      joint.point = v3_sub(at, v3(0.225, 0, 0));
      joint.axis = v3(0, 1, 0);
      rgJointId made;
      if (i > 0)
        REQUIRE(rg_world_add_joint(world, &joint, &made) == RG_OK);
      last = id;
    }
  }
  return world;
}

static rgWorld* circles(int threads) {
  rgWorldDef def = rg_world_def_2d();
  def.options.threads = threads;
  def.options.step = 1.0 / 60;
  rgWorld* world = build_world_of(&def);
  const rgVec3 ground[2] = {{-20, 0, 0}, {20, 0, 0}},
               corner[3] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}};
  rgBodyDef floor = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SEGMENT);
  shape.points = ground;
  shape.point_count = 2;
  build_body(world, &floor, shape);
  for (int i = 0; i < 150; i++) {
    rgBodyDef body =
        body_at(RG_BODY_DYNAMIC, v3(0.27 * (i % 15) + 0.05 * (i % 2), 0.2 + 0.27 * (i / 15), 0));
    shape = rg_shape_def(i % 3 ? RG_SHAPE_CIRCLE : RG_SHAPE_POLYGON);
    shape.radius = 0.12;
    shape.points = corner;
    shape.point_count = 3;
    build_body(world, &body, shape);
  }
  return world;
}

static rgWorld* smooth_balls(int threads) {
  rgWorld* world = make_world(threads, "gauss", 1);
  build_set_default_material(world, 0, 0.5);
  build_floor(world);
  for (int i = 0; i < 60; i++)
    build_sphere(world, 0.1,
                 v3(0.21 * (i % 8) + 0.01 * (i / 8), 0.21 * (i / 8), 0.15 + 0.03 * (i % 5)));
  return world;
}

// Steps that are cut at every impact, with friction.
static rgWorld* thrown_in_parts(int threads) {
  rgWorld* world = make_world(threads, "halving", 1);
  build_set_default_material(world, 0.4, 0.3);
  add_heap(world, any_shape, 3, 2, 0.35);
  return world;
}

// A scene and how many steps of it.
static const struct {
  const char* name;
  Build* build;
  int steps;
} scenes[] = {
    {"cylinders", cylinders, 32},      {"ellipsoids", ellipsoids, 32},
    {"mixture", mixture, 32},          {"chains", chains, 32},
    {"circles", circles, 32},          {"smooth balls", smooth_balls, 32},
    {"in parts", thrown_in_parts, 32},
};

// All that a world knows of itself, at some points of a run.
enum { LOOKS = 4 };
typedef struct Run {
  uint64_t hash[LOOKS];
  uint64_t impulses[LOOKS];
} Run;

static uint64_t mix(uint64_t hash, const void* data, size_t size) {
  const unsigned char* bytes = data;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
  return hash;
}

static uint64_t hash_contacts(const rgWorld* world) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    const double values[] = {contact.point.x,   contact.point.y,   contact.point.z,  contact.gap,
                             contact.impulse.x, contact.impulse.y, contact.impulse.z};
    hash = mix(hash, values, sizeof values);
  }
  return hash;
}

static Run run(rgWorld* world, int steps) {
  Run run;
  for (int look = 0, step = 0; look < LOOKS; look++) {
    for (int end = steps * (look + 1) / LOOKS; step < end; step++)
      REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
    run.hash[look] = rg_world_hash(world);
    run.impulses[look] = hash_contacts(world);
  }
  rg_world_destroy(world);
  return run;
}

static void check_equal(const Run* one, const Run* more) {
  for (int look = 0; look < LOOKS; look++) {
    CHECK_HEX(more->hash[look], one->hash[look]);
    CHECK_HEX(more->impulses[look], one->impulses[look]);
  }
}

// The next number of threads that is tried: all, or the least, an odd, a prime and the most.
static int more_threads(int threads) {
  if (test_thorough())
    return threads + 1;
  if (test_fast())
    return threads + 3;
  return threads == 3 ? 7 : threads + 1;
}

static void check_scene(const char* name, Build* build, int steps) {
  steps = test_fast() ? steps / 4 : steps;
  Run one = run(build(1), steps);
  for (int threads = 2; threads <= MOST_THREADS; threads = more_threads(threads)) {
    CONTEXT("%s, %d threads", name, threads);
    Run more = run(build(threads), steps);
    check_equal(&one, &more);
  }
}

TEST(heaps_joints_planes_gauss_and_parts_give_the_same_bits_for_one_to_eight_threads) {
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    check_scene(scenes[i].name, scenes[i].build, scenes[i].steps);
}

// Bodies that overlap at the start have more contacts than any thread has room for: searches are
// repeated with more.
TEST(heaps_of_every_shape_and_such_that_overlap_give_the_same_bits_for_any_threads) {
  const int threads[] = {2, 3, 7};
  const int steps = test_fast() ? 4 : 8;
  for (int i = 0; heap_scene(i); i++) {
    Run one = run(heap_build(heap_scene(i), 4, 3, 1), steps);
    for (int k = 0; k < 3; k++)
      for (int again = 0; again < (test_thorough() ? 2 : 1); again++) {
        CONTEXT("%s, %d threads", heap_scene(i)->name, threads[k]);
        Run more = run(heap_build(heap_scene(i), 4, 3, threads[k]), steps);
        check_equal(&one, &more);
      }
  }
}

TEST(every_small_scene_gives_the_same_bits_for_one_to_eight_threads) {
  const int steps = test_fast() ? 8 : 40;
  for (int i = 0; variety(i); i++) {
    Run one = run(variety_build(variety(i), 1, NULL), steps);
    for (int threads = 2; threads <= MOST_THREADS; threads = more_threads(threads)) {
      CONTEXT("%s, %d threads", variety(i)->name, threads);
      Run more = run(variety_build(variety(i), threads, NULL), steps);
      check_equal(&one, &more);
    }
  }
}

// A lattice of touching bodies on the floor, all of them stirred: one island with thousands of contacts, of
// which `of_balls` are in closed form, so that its sweeps are shared by all threads.
static rgWorld* one_large_island(int threads, bool of_balls) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("realtime", &def.options));
  def.options.threads = threads;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  random_state = 23;
  int side = of_balls ? 11 : 9, layers = of_balls ? 8 : 6;
  for (int i = 0; i < side * side * layers; i++) {
    rgVec3 at = v3(i % side, i / side % side, i / (side * side) + 0.5);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_scale(at, 0.2));
    body.velocity.linear = v3(random_between(-1, 1), random_between(-1, 1), random_between(-1, 1));
    build_body(world, &body, of_balls ? shape_sphere(0.1) : shape_box(v3(0.1, 0.1, 0.1)));
  }
  return world;
}

TEST(one_large_island_gives_the_same_bits_for_any_threads) {
  const int threads[] = {2, 3, 7};
  const int steps = test_fast() ? 4 : 6;
  for (int of_balls = 0; of_balls < 2; of_balls++) {
    rgWorld* first = one_large_island(1, of_balls);
    run_steps(first, 1);
    CHECK(rg_world_contact_count(first) >= 2000); // else nothing is shared, and nothing tested
    rg_world_destroy(first);
    Run one = run(one_large_island(1, of_balls), steps);
    for (int k = 0; k < (test_fast() ? 2 : 3); k++) {
      CONTEXT("%s, %d threads", of_balls ? "balls" : "boxes", threads[k]);
      Run more = run(one_large_island(threads[k], of_balls), steps);
      check_equal(&one, &more);
    }
  }
}

// Pairs of bodies on each other all over the floor, so many that passes over them are shared, and a turntable
// above them.
static rgWorld* many_bodies(int threads, const char* stepper) {
  enum { SIDE = 34 };
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("realtime", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  def.options.threads = threads;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  random_state = 29;
  for (int i = 0; i < 2 * SIDE * SIDE; i++) {
    rgVec3 at = v3(i / 2 % SIDE * 0.3, i / 2 / SIDE * 0.3, 0.1 + 0.2 * (i % 2));
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, at);
    body.velocity.linear = v3(random_between(-1, 1), random_between(-1, 1), random_between(-1, 1));
    build_body(world, &body, i % 4 == 3 ? shape_sphere(0.1) : shape_box(v3(0.1, 0.1, 0.1)));
  }
  rgBodyDef turntable = body_at(RG_BODY_KINEMATIC, v3(5, 5, 0.5));
  turntable.velocity.angular = v3(0, 0, 2);
  build_body(world, &turntable, shape_box(v3(0.5, 0.5, 0.05)));
  return world;
}

TEST(many_bodies_give_the_same_bits_for_any_threads) {
  const char* const steppers[] = {"theta", "anitescu-potra", "implicit-geometry"};
  const int threads[] = {2, 3, 7}, steps = test_fast() ? 2 : 4;
  for (int i = 0; i < 3; i++) {
    Run one = run(many_bodies(1, steppers[i]), steps);
    for (int k = 0; k < (test_fast() ? 1 : 3); k++) {
      CONTEXT("%s, %d threads", steppers[i], threads[k]);
      Run more = run(many_bodies(threads[k], steppers[i]), steps);
      check_equal(&one, &more);
    }
  }
}

static void set_threads(rgWorld* world, int threads) {
  rgOptions options = *rg_world_options(world);
  options.threads = threads;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// Changing the number of threads in the middle of a run changes nothing but what setting options does
// with any.
TEST(threads_may_be_changed_within_a_run) {
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    rgWorld *one = scenes[i].build(1), *other = scenes[i].build(1);
    for (int step = 0; step < (test_fast() ? 8 : 24); step++) {
      int threads = 1 + step % MOST_THREADS;
      set_threads(one, 1);
      set_threads(other, threads);
      run_steps(one, 1);
      run_steps(other, 1);
      CONTEXT("%s, step %d, %d threads", scenes[i].name, step, threads);
      CHECK_HEX(rg_world_hash(other), rg_world_hash(one));
    }
    rg_world_destroy(one);
    rg_world_destroy(other);
  }
}
