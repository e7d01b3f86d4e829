// Sleeping (the option `sleeping`): bodies at rest stay where they are to the last bit, every step is certified as
// before, and whatever changes for an island wakes it.
#include "support/arbitrary.h"
#include "support/builder.h"
#include "support/scenes.h"
#include "support/snapshot.h"
#include "test.h"

enum { BODIES = 128, QUIET = 50, SETTLE = 1500 };

typedef struct Nap {
  rgWorld* world;
  rgBodyId ids[BODIES];
  int dynamic;
} Nap;

// --- scenes at rest, or nearly ---

static void stack(Scene* scene) { scene_stack(scene, 8, 1e-3, 3); }
static void pyramid(Scene* scene) { scene_pyramid(scene, 5); }
static void balls(Scene* scene) { scene_ball_pyramid(scene, 0.1, 0.6, 0.6); }
static void overhang(Scene* scene) { scene_overhang(scene, 4, 0.4); }
static void slab(Scene* scene) { scene_slab(scene, (rgVec3){1, 0.5, 0}, 0.4); }
static void ball(Scene* scene) {
  scene_ball(scene, true, 0.2, 0.5, (rgVec3){0, 0, 0}, (rgVec3){0, 0, 0});
}
static void arch(Scene* scene) { scene_arch(scene, 9); }

typedef struct Family {
  const char* name;
  void (*make)(Scene* scene);
} Family;
static const Family families[] = {{"stack", stack},       {"pyramid", pyramid}, {"balls", balls},
                                  {"overhang", overhang}, {"slab", slab},       {"ball", ball},
                                  {"arch", arch}};
enum { FAMILIES = sizeof families / sizeof *families };

static rgOptions options_of(const char* preset, bool sleeping) {
  rgOptions options;
  REQUIRE(rg_options_preset(preset, &options));
  options.sleeping = sleeping;
  return options;
}

static Nap begin(const Family* family, const rgOptions* options, SceneUnits units) {
  Nap nap = {0};
  Scene scene;
  rgMessage message;
  family->make(&scene);
  REQUIRE(scene.body_count <= BODIES);
  for (int i = 0; i < scene.body_count; i++)
    nap.dynamic += scene.bodies[i].def.kind == RG_BODY_DYNAMIC;
  REQUIRE_MSG(scene_world(&scene, options, units, nap.ids, &nap.world, &message) == RG_OK, "%s",
              message.text);
  scene_end(&scene);
  return nap;
}

static int asleep(const rgWorld* world) { return rg_world_counts(world).asleep; }

// Steps until so many bodies sleep.
static void fall_asleep(rgWorld* world, int bodies) {
  for (int i = 0; i < SETTLE && asleep(world) < bodies; i++)
    run_steps(world, 1);
  REQUIRE_INT(asleep(world), bodies);
}

static uint64_t bits_of_poses(const rgWorld* world) {
  uint64_t hash = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgPose pose = rg_body_pose(world, rg_world_body(world, i));
    uint64_t words[7];
    memcpy(words, &pose, sizeof words);
    for (int k = 0; k < 7; k++)
      hash = (hash ^ words[k]) * 0x100000001b3u;
  }
  return hash;
}

// --- what sleeping says ---

// The pile at rest at first meets its certificate in every step asleep, with the same largest residual and
// penetration, and nothing moves or gains energy.
TEST(each_step_asleep_has_the_certificate_of_the_first) {
  static const char* const presets[] = {"default", "realtime", "reference"};
  for (int i = 0; i < FAMILIES * 3; i++)
    for (int unit = 0; unit < 2; unit++) {
      const Family* family = &families[i / 3];
      CONTEXT("%s, %s, units %d", family->name, presets[i % 3], unit);
      rgOptions options = options_of(presets[i % 3], true);
      Nap nap = begin(family, &options, unit ? SCENE_MILLI : SCENE_SI);
      fall_asleep(nap.world, nap.dynamic);
      run_steps(nap.world,
                4); // impulses of an answer that was just found are kept from the next step on
      rgCertificate first = *rg_world_certificate(nap.world), now;
      uint64_t poses = bits_of_poses(nap.world);
      rgEnergy energy = rg_world_energy(nap.world);
      CHECK(energy.kinetic == 0);
      for (int k = 0; k < 60; k++) {
        REQUIRE_INT(rg_world_step(nap.world, &now), RG_OK);
        CHECK(now.met);
        CHECK_BITS(now.residual, first.residual);
        CHECK_BITS(now.penetration, first.penetration);
        CHECK_BITS(now.energy, 0);
        CHECK_INT(now.contacts, first.contacts);
      }
      CHECK_INT(asleep(nap.world), nap.dynamic);
      CHECK_HEX(bits_of_poses(nap.world), poses);
      CHECK_BITS(rg_world_energy(nap.world).potential, energy.potential);
      rg_world_destroy(nap.world);
    }
}

// Something that moves, far from what sleeps.
static void add_a_mover(rgWorld* world) {
  rgBodyId id = build_sphere(world, 0.1, v3(90, 0, 0.3));
  REQUIRE_INT(rg_body_set_velocity(world, id, twist(v3(1, 0, 0), v3(0, 3, 0))), RG_OK);
}

// A world that goes on from a snapshot makes every step; one that sleeps counts it. Both say the same.
static void check_as_if_made(rgWorld* one, rgWorld* two, int steps) {
  for (int k = 0; k < steps; k++) {
    rgCertificate a, b;
    Snapshot snapshot = save(two);
    REQUIRE_INT(rg_world_load(two, snapshot.data, snapshot.size), RG_OK);
    free(snapshot.data);
    REQUIRE_INT(rg_world_step(one, &a), RG_OK);
    REQUIRE_INT(rg_world_step(two, &b), RG_OK);
    CHECK_HEX(rg_world_hash(one), rg_world_hash(two));
    CHECK_BITS(a.residual, b.residual);
    CHECK_BITS(a.scale, b.scale);
    CHECK_BITS(a.penetration, b.penetration);
    CHECK_BITS(a.energy, b.energy);
    CHECK_INT(a.met, b.met);
    CHECK_INT(asleep(one), asleep(two));
    CHECK_BITS(rg_world_time(one), rg_world_time(two));
  }
}

TEST(a_step_that_is_not_made_again_is_the_one_that_would_be_made) {
  for (int i = 0; i < FAMILIES; i++)
    for (int half = 0; half < 2; half++) {
      CONTEXT("%s, %s", families[i].name, half ? "theta 1/2" : "theta 1");
      rgOptions options = options_of("realtime", true);
      options.theta = half ? 0.5 : 1;
      Nap one = begin(&families[i], &options, SCENE_SI),
          two = begin(&families[i], &options, SCENE_SI);
      check_as_if_made(one.world, two.world, 260);
      CHECK_INT(asleep(one.world), one.dynamic);
      add_a_mover(one.world), add_a_mover(two.world);
      check_as_if_made(one.world, two.world, 40);
      CHECK_INT(asleep(one.world), one.dynamic);
      rg_world_destroy(one.world), rg_world_destroy(two.world);
    }
}

// A random scene in which bodies may sleep; NULL where there is none of this seed.
static rgWorld* random_world(uint64_t seed) {
  Arbitrary scene = arbitrary_wide_scene(seed);
  if (!scene.world)
    return NULL;
  rgOptions options = *rg_world_options(scene.world);
  options.sleeping = true;
  if (strcmp(options.solver, "direct") == 0) // takes no contacts
    snprintf(options.solver, sizeof options.solver, "auto");
  options.iteration_limit = options.iteration_limit < 100 ? options.iteration_limit : 100;
  if (rg_world_set_options(scene.world, &options) == RG_OK && rg_world_check(scene.world) == RG_OK)
    return scene.world;
  rg_world_destroy(scene.world);
  return NULL;
}

// What sleeps stays where it is, at zero velocity.
static void check_sleepers(rgWorld* world) {
  rgPose before[BODIES];
  int count = rg_world_body_count(world) < BODIES ? rg_world_body_count(world) : BODIES;
  for (int i = 0; i < count; i++)
    before[i] = rg_body_pose(world, rg_world_body(world, i));
  bool slept[BODIES] = {false};
  for (int i = 0; i < count; i++)
    slept[i] = rg_body_is_asleep(world, rg_world_body(world, i));
  run_steps(world, 1);
  for (int i = 0; i < count; i++) {
    rgBodyId id = rg_world_body(world, i);
    rgPose now = rg_body_pose(world, id);
    if (!slept[i] || !rg_body_is_asleep(world, id))
      continue;
    CHECK(memcmp(&now, &before[i], sizeof now) == 0);
    rgTwist velocity = rg_body_velocity(world, id);
    CHECK(v3_norm(velocity.linear) == 0 && v3_norm(velocity.angular) == 0);
  }
}

TEST(random_scenes_sleep_as_if_every_step_were_made) {
  int slept = 0;
  for (int seed = 1; seed <= 40; seed += test_fast() ? 17 : 1) {
    CONTEXT("seed %d", seed);
    rgWorld *one = random_world((uint64_t)seed), *two = random_world((uint64_t)seed);
    if (one && two) {
      for (int k = 0; k < 60; k++)
        check_sleepers(one);
      run_steps(two, 60);
      check_as_if_made(one, two, 140);
      slept += asleep(one) > 0;
    }
    rg_world_destroy(one), rg_world_destroy(two);
  }
  CHECK_MSG(slept > 0, "none slept"); // 18 and 35 do, which the short run has as well
}

// A step moves what rests by h times what the tolerance leaves of the velocity of free fall, h g, so that two runs
// of n steps differ by twice n of these at most, in stacks for each body below as well.
TEST(piles_end_where_they_end_without_sleeping) {
  for (int i = 0; i < FAMILIES; i++) {
    CONTEXT("%s", families[i].name);
    rgOptions options = options_of("default", true);
    Nap one = begin(&families[i], &options, SCENE_SI);
    options.sleeping = false;
    Nap two = begin(&families[i], &options, SCENE_SI);
    enum { STEPS = 600 };
    run_steps(one.world, STEPS), run_steps(two.world, STEPS);
    CHECK_INT(asleep(two.world), 0);
    CHECK_INT(asleep(one.world), one.dynamic);
    double h = options.step, bound = 2 * STEPS * h * options.tolerance * h * 9.81 * one.dynamic;
    for (int k = 0; k < rg_world_body_count(one.world); k++) {
      double apart = distance(rg_body_pose(one.world, one.ids[k]).position,
                              rg_body_pose(two.world, two.ids[k]).position);
      CHECK_MSG(apart <= bound, "%g m apart, at most %g", apart, bound);
    }
    rg_world_destroy(one.world), rg_world_destroy(two.world);
  }
}

TEST(sleeping_has_the_same_bits_for_any_number_of_threads) {
  for (int i = 0; i < FAMILIES; i++) {
    uint64_t hash = 0;
    for (int threads = 1; threads <= 3; threads++) {
      CONTEXT("%s, %d threads", families[i].name, threads);
      rgOptions options = options_of("realtime", true);
      options.threads = threads;
      Nap nap = begin(&families[i], &options, SCENE_SI);
      run_steps(nap.world, 200);
      add_a_mover(nap.world);
      run_steps(nap.world, 40); // it has fallen where there is a floor
      size_t memory = rg_world_counts(nap.world).memory;
      run_steps(nap.world, 40);
      CHECK_INT(rg_world_counts(nap.world).memory, memory);
      if (threads > 1)
        CHECK_HEX(rg_world_hash(nap.world), hash);
      hash = rg_world_hash(nap.world);
      rg_world_destroy(nap.world);
    }
  }
}

TEST(snapshots_and_states_hold_how_long_bodies_were_at_rest) {
  for (int start = 10; start < 130; start += 13) {
    CONTEXT("saved at step %d", start);
    rgOptions options = options_of("realtime", true);
    Nap one = begin(&families[1], &options, SCENE_SI),
        two = begin(&families[1], &options, SCENE_SI),
        three = begin(&families[1], &options, SCENE_SI);
    rgState* state;
    REQUIRE_INT(rg_state_create(&state), RG_OK);
    run_steps(one.world, start), run_steps(two.world, 3), run_steps(three.world, 300);
    Snapshot snapshot = save(one.world);
    REQUIRE_INT(rg_world_load(two.world, snapshot.data, snapshot.size), RG_OK);
    REQUIRE_INT(rg_world_save_state(one.world, state), RG_OK);
    REQUIRE_INT(rg_world_load_state(three.world, state), RG_OK);
    for (int k = 0; k < 60; k++) {
      run_steps(one.world, 1), run_steps(two.world, 1), run_steps(three.world, 1);
      CHECK_HEX(rg_world_hash(one.world), rg_world_hash(two.world));
      CHECK_HEX(rg_world_hash(one.world), rg_world_hash(three.world));
      CHECK_INT(asleep(one.world), asleep(two.world));
      CHECK_INT(asleep(one.world), asleep(three.world));
    }
    free(snapshot.data);
    rg_state_destroy(state);
    rg_world_destroy(one.world), rg_world_destroy(two.world), rg_world_destroy(three.world);
  }
}

// --- who sleeps ---

// The excess of gravity over friction that a step can tell is its tolerance: a ten times larger one keeps the slab
// awake, which then makes the same bits as without the option.
TEST(a_slab_below_the_angle_of_friction_sleeps_and_one_that_creeps_never_does) {
  static const char* const presets[] = {"default", "realtime", "reference"};
  for (int i = 0; i < 3 * SCENE_INCLINE_COUNT; i++) {
    const char* preset = presets[i % 3];
    rgOptions options = options_of(preset, true);
    double mu = 0.5, excess = fmax(10 * options.tolerance, 1e-8);
    CONTEXT("%s, incline %d", preset, i / 3);
    for (int above = 0; above < 2; above++) {
      double angle = atan(mu * (above ? 1 + excess : 1 - excess));
      Scene scene;
      rgWorld *world, *awake;
      rgBodyId ids[BODIES], others[BODIES];
      scene_incline(&scene, (SceneIncline)(i / 3), angle, mu);
      REQUIRE_INT(scene_world(&scene, &options, SCENE_SI, ids, &world, NULL), RG_OK);
      options.sleeping = false;
      REQUIRE_INT(scene_world(&scene, &options, SCENE_SI, others, &awake, NULL), RG_OK);
      options.sleeping = true;
      bool slept = false;
      for (int k = 0; k < 400; k++) {
        run_steps(world, 1), run_steps(awake, 1);
        slept = slept || rg_body_is_asleep(world, ids[1]);
      }
      CHECK_INT(slept, !above);
      if (above)
        CHECK_HEX(rg_world_hash(world), rg_world_hash(awake));
      scene_end(&scene);
      rg_world_destroy(world), rg_world_destroy(awake);
    }
  }
}

// At the turning points of its motion a body is slow, but forces are not balanced there.
TEST(what_swings_never_sleeps) {
  rgWorld* world = build_world("default");
  rgBodyId bob = build_sphere(world, 0.1, v3(1, 0, 0));
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = bob;
  rgJointId joint;
  REQUIRE_MSG(rg_world_add_joint(world, &def, &joint) == RG_OK, "%s", rg_world_message(world));
  rgOptions options = *rg_world_options(world);
  options.sleeping = true;
  options.theta = 0.5;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  for (int i = 0; i < 1000; i++) {
    run_steps(world, 1);
    CHECK_INT(asleep(world), 0);
  }
  rg_world_destroy(world);
}

// --- what wakes ---

// Two heaps, far from each other, and what things may happen to the first of them.
typedef struct Heaps {
  rgWorld* world;
  rgBodyId support, first[4], second[4];
  rgForceId attractor;
} Heaps;

static Heaps heaps_asleep(void) {
  Heaps heaps;
  rgWorld* world = heaps.world = build_world("realtime");
  build_floor(world);
  heaps.support = build_block(world, v3(1, 1, 0.5), v3(0, 0, 0.5));
  for (int i = 0; i < 4; i++) {
    heaps.first[i] = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 1.5 + i));
    heaps.second[i] = build_box(world, v3(0.5, 0.5, 0.5), v3(30, 0, 0.5 + i));
  }
  rgForceDef pull = rg_force_def();
  pull.kind = RG_FORCE_ATTRACTOR;
  pull.body = heaps.first[3];
  pull.range = 1;
  REQUIRE_MSG(rg_world_add_force(world, &pull, &heaps.attractor) == RG_OK, "%s",
              rg_world_message(world));
  rgOptions options = *rg_world_options(world);
  options.sleeping = true;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  fall_asleep(world, 8);
  run_steps(world, 5);
  return heaps;
}

static void drop_a_ball(Heaps* heaps) {
  rgBodyId id = build_sphere(heaps->world, 0.2, v3(0.1, 0, 5.21));
  REQUIRE_INT(rg_body_set_velocity(heaps->world, id, twist(v3(0, 0, -2), v3_zero())), RG_OK);
}
static void set_velocity(Heaps* heaps) {
  REQUIRE_INT(rg_body_set_velocity(heaps->world, heaps->first[1], twist(v3(1e-9, 0, 0), v3_zero())),
              RG_OK);
}
static void set_pose(Heaps* heaps) {
  rgPose pose = rg_body_pose(heaps->world, heaps->first[3]);
  pose.position.x += 1e-9;
  REQUIRE_INT(rg_body_set_pose(heaps->world, heaps->first[3], pose), RG_OK);
}
static void give_impulse(Heaps* heaps) {
  REQUIRE_INT(rg_body_apply_impulse(heaps->world, heaps->first[3], v3(0, 300, 0), v3(0, 0, 4.5)),
              RG_OK);
}
static void add_force(Heaps* heaps) {
  rgForceDef def = rg_force_def();
  rgForceId id;
  def.body = heaps->first[2];
  def.wrench.force = v3(1e-6, 0, 0); // far below the tolerance
  REQUIRE_INT(rg_world_add_force(heaps->world, &def, &id), RG_OK);
}
static void attract(Heaps* heaps) {
  REQUIRE_INT(rg_force_set_attractor(heaps->world, heaps->attractor, v3(9, 0, 9), 1e4), RG_OK);
}
static void remove_support(Heaps* heaps) {
  REQUIRE_INT(rg_world_remove_body(heaps->world, heaps->support), RG_OK);
}
static void remove_one(Heaps* heaps) {
  REQUIRE_INT(rg_world_remove_body(heaps->world, heaps->first[1]), RG_OK);
  heaps->first[1] = heaps->first[0];
}
static void fasten(Heaps* heaps) {
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  rgJointId id;
  def.body_a = heaps->first[3];
  def.point = rg_body_pose(heaps->world, heaps->first[3]).position;
  def.axes[0].motor = true;
  def.axes[0].motor_speed = 1;
  def.axes[0].motor_force = 1e6;
  REQUIRE_MSG(rg_world_add_joint(heaps->world, &def, &id) == RG_OK, "%s",
              rg_world_message(heaps->world));
}

static void check_others(const Heaps* heaps, bool others) {
  for (int i = 0; i < 4; i++)
    CHECK_INT(rg_body_is_asleep(heaps->world, heaps->second[i]), others);
}

TEST(what_happens_to_a_heap_wakes_all_of_it_and_no_other) {
  static const struct {
    const char* name;
    void (*happens)(Heaps* heaps);
  } events[] = {
      {"a ball", drop_a_ball},        {"a velocity", set_velocity}, {"a pose", set_pose},
      {"an impulse", give_impulse},   {"a tiny force", add_force},  {"an attractor", attract},
      {"no support", remove_support}, {"one gone", remove_one},     {"a motor", fasten}};
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
    CONTEXT("%s", events[i].name);
    Heaps heaps = heaps_asleep();
    rgPose before[4];
    for (int k = 0; k < 4; k++)
      before[k] = rg_body_pose(heaps.world, heaps.second[k]);
    events[i].happens(&heaps);
    int awake = 0;
    for (int k = 0; k < 40; k++) {
      run_steps(heaps.world, 1);
      bool all = true;
      for (int j = 0; j < 4; j++)
        all = all && !rg_body_is_asleep(heaps.world, heaps.first[j]);
      awake += all;
      check_others(&heaps, true);
    }
    CHECK_MSG(awake >= 38, "awake in %d steps of 40", awake); // the ball comes in the first
    for (int k = 0; k < 4; k++) {
      rgPose now = rg_body_pose(heaps.world, heaps.second[k]);
      CHECK(memcmp(&now, &before[k], sizeof now) == 0);
    }
    rg_world_destroy(heaps.world);
  }
}

TEST(gravity_materials_and_options_wake_all) {
  for (int i = 0; i < 3; i++) {
    CONTEXT("%d", i);
    Heaps heaps = heaps_asleep();
    rgOptions options = *rg_world_options(heaps.world);
    rgMaterial smooth = rg_material_default();
    smooth.mu = 0.1;
    options.gravity.x = i == 0 ? 1e-12 : 0;
    options.step *= i == 1 ? 1.001 : 1;
    REQUIRE_INT(i < 2 ? rg_world_set_options(heaps.world, &options)
                      : rg_world_set_material(heaps.world, 0, &smooth),
                RG_OK);
    run_steps(heaps.world, 1);
    CHECK_INT(asleep(heaps.world), 0);
    fall_asleep(heaps.world, 8);
    rg_world_destroy(heaps.world);
  }
}

// The motion of a lift that starts at a time.
static rgPose lift(double time, void* context) {
  double start = *(const double*)context, t = time > start ? time - start : 0;
  return pose_at(v3(0, 0, 0.5 + 0.5 * t * t));
}

TEST(what_stands_on_a_platform_wakes_when_it_starts) {
  double start = 3;
  rgWorld* world = build_world("realtime");
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(0, 0, 0.5));
  def.motion = lift;
  def.motion_context = &start;
  build_body(world, &def, shape_box(v3(1, 1, 0.5)));
  rgBodyId box = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 1.5));
  rgOptions options = *rg_world_options(world);
  options.sleeping = true;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  run_steps(world, 170); // to 2.83 s
  CHECK(rg_body_is_asleep(world, box));
  run_steps(world, 12); // to 3.03 s
  CHECK(!rg_body_is_asleep(world, box));
  run_steps(world, 60); // a second later it has come with it
  double time = rg_world_time(world) - start;
  CHECK_NEAR(rg_body_pose(world, box).position.z, 1.5 + 0.5 * time * time,
             0.02 * time); // h times the speed
  rg_world_destroy(world);
}

// --- together with what else there is ---

TEST(every_stepper_sleeps_or_says_that_it_does_not) {
  for (int i = 0; rg_stepper_name(i); i++) {
    CONTEXT("%s", rg_stepper_name(i));
    rgOptions options = options_of("realtime", true);
    snprintf(options.stepper, sizeof options.stepper, "%s", rg_stepper_name(i));
    build_fit_options(&options);
    Nap nap = begin(&families[0], &options, SCENE_SI);
    if (rg_world_check(nap.world) == RG_OK) {
      fall_asleep(nap.world, nap.dynamic);
      run_met_step(nap.world, 0);
    } else if (strcmp(options.stepper, "gauss") != 0) { // which takes no friction either
      CHECK_CONTAINS(rg_world_message(nap.world), "lets no bodies sleep");
    }
    rg_world_destroy(nap.world);
  }
}

TEST(robots_at_rest_sleep_and_wake_by_their_motors) {
  for (int reduced = 0; reduced < 2; reduced++) {
    CONTEXT("%s", reduced ? "reduced" : "full");
    rgWorld* world = build_world("default");
    build_floor(world);
    rgBodyId base = build_box(world, v3(0.5, 0.5, 0.1), v3(0, 0, 0.1)),
             arm = build_box(world, v3(0.1, 0.1, 0.5), v3(0, 0, 0.71));
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    rgJointId joint;
    def.body_a = arm;
    def.body_b = base;
    def.point = v3(0, 0, 0.21);
    def.axes[0].motor = true;
    def.axes[0].motor_force = 100;
    REQUIRE_MSG(rg_world_add_joint(world, &def, &joint) == RG_OK, "%s", rg_world_message(world));
    rgOptions options = *rg_world_options(world);
    options.sleeping = true;
    snprintf(options.coordinates, sizeof options.coordinates, "%s", reduced ? "reduced" : "full");
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    fall_asleep(world, 2);
    for (int k = 0; k < 20; k++) { // the same command again changes nothing
      REQUIRE_INT(rg_joint_set_motor(world, joint, 0, 0), RG_OK);
      run_met_step(world, k);
      CHECK_INT(asleep(world), 2);
    }
    REQUIRE_INT(rg_joint_set_motor(world, joint, 0, 0.5), RG_OK);
    run_steps(world, 1);
    CHECK_INT(asleep(world), 0);
    rg_world_destroy(world);
  }
}

// In the plane: balls on a plate and a wall of bricks.
TEST(piles_in_the_plane_sleep) {
  static const rgVec3 brick[] = {{-0.2, -0.1, 0}, {0.2, -0.1, 0}, {0.2, 0.1, 0}, {-0.2, 0.1, 0}};
  static const rgVec3 plate[] = {{-5, -1, 0}, {5, -1, 0}, {5, 0, 0}, {-5, 0, 0}};
  for (int round = 0; round < 2; round++) {
    CONTEXT("%s", round ? "balls" : "bricks");
    rgWorldDef def = rg_world_def();
    def.dimension = 2;
    def.options = options_of("default", true);
    def.options.gravity = v3(0, -9.81, 0);
    rgWorld* world = build_world_of(&def);
    rgShapeDef ground = rg_shape_def(RG_SHAPE_POLYGON),
               shape = rg_shape_def(round ? RG_SHAPE_CIRCLE : RG_SHAPE_POLYGON);
    ground.points = plate, ground.point_count = 4;
    shape.points = brick, shape.point_count = 4;
    shape.radius = 0.1;
    rgBodyDef body = body_at(RG_BODY_STATIC, v3_zero());
    build_body(world, &body, ground);
    for (int k = 0; k < 9; k++) {
      int row = round ? 0 : k / 3;
      body = body_at(RG_BODY_DYNAMIC, v3(0.45 * k - 1.35 * row + 0.1 * row, 0.1 + 0.2 * row, 0));
      build_body(world, &body, shape);
    }
    fall_asleep(world, 9);
    run_met_step(world, 0);
    rg_world_destroy(world);
  }
}
