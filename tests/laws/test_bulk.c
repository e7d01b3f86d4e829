// Configurations and controls as arrays, and rollouts: what is set is there, controls do what the calls
// for single joints do, and the bits of many worlds do not depend on the number of threads.
#include "test.h"

#include <rigor/rigor.h>

#include <math.h>

static rgScene* read_scene(const char* name) {
  char path[1024];
  rgMessage message = {""};
  rgScene* scene;
  snprintf(path, sizeof path, "%s/scenes/%s", TEST_ROOT, name);
  REQUIRE_MSG(rg_scene_read(path, &scene, &message) == RG_OK, "%s", message.text);
  return scene;
}

static rgWorld* build(const rgScene* scene) {
  rgMessage message = {""};
  rgWorld* world;
  REQUIRE_MSG(rg_scene_build(scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  return world;
}

enum { NUMBERS = 256 };

TEST(a_configuration_that_is_set_is_there) {
  static const char* const names[] = {"humanoid.json", "pendulum.json", "stack.json", "screw.json"};
  for (int n = 0; n < 4; n++) {
    CONTEXT("%s", names[n]);
    rgScene* scene = read_scene(names[n]);
    rgWorld* world = build(scene);
    double q[NUMBERS], v[NUMBERS], q2[NUMBERS], v2[NUMBERS];
    int positions = rg_world_position_count(world), rates = rg_world_rate_count(world);
    REQUIRE(positions <= NUMBERS && rates <= NUMBERS);
    int roots = rg_world_root_count(world), coordinates = rg_world_coordinate_count(world);
    CHECK_INT(positions, 7 * roots + coordinates);
    CHECK_INT(rates, 6 * roots + coordinates);
    for (int i = 0; i < 40; i++)
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    rg_world_get_configuration(world, q, v);
    // Another world is put there, and stands and moves as the first one.
    rgWorld* other = build(scene);
    REQUIRE_INT(rg_world_set_configuration(other, q, v), RG_OK);
    rg_world_get_configuration(other, q2, v2);
    for (int i = 0; i < positions; i++)
      CHECK_NEAR(q2[i], q[i], 1e-12 * (1 + fabs(q[i])));
    for (int i = 0; i < rates; i++)
      CHECK_NEAR(v2[i], v[i], 1e-9 * (1 + fabs(v[i])));
    rgEnergy a = rg_world_energy(world), b = rg_world_energy(other);
    CHECK_NEAR(b.potential, a.potential, 1e-9 * fabs(a.potential) + 1e-9);
    for (int i = 0; i < rg_world_body_count(world); i++) {
      rgVec3 p = rg_body_pose(world, rg_world_body(world, i)).position,
             r = rg_body_pose(other, rg_world_body(other, i)).position;
      CHECK_NEAR(r.x, p.x, 1e-9);
      CHECK_NEAR(r.z, p.z, 1e-9);
    }
    // One number that is none, at any place: nothing is set.
    uint64_t hash = rg_world_hash(other);
    for (int i = 0; i < positions + rates; i++) {
      double* number = i < positions ? &q2[i] : &v2[i - positions];
      memcpy(q2, q, sizeof q2);
      memcpy(v2, v, sizeof v2);
      for (int k = 0; k < roots; k++)
        q2[7 * k] += 1;
      *number = NAN;
      CHECK_INT(rg_world_set_configuration(other, q2, v2), RG_ERROR_INPUT);
      CHECK_HEX(rg_world_hash(other), hash);
    }
    // NULL: the same place, at rest.
    REQUIRE_INT(rg_world_set_configuration(other, NULL, NULL), RG_OK);
    rg_world_get_configuration(other, q2, v2);
    for (int i = 0; i < positions; i++)
      CHECK_NEAR(q2[i], q[i], 1e-9 * (1 + fabs(q[i])));
    for (int i = 0; i < rates; i++)
      CHECK_NEAR(v2[i], 0, 1e-12);
    rg_world_destroy(world);
    rg_world_destroy(other);
    rg_scene_free(scene);
  }
}

static const char arm_text[] =
    "{\"rigor\": 1, \"bodies\": ["
    "{\"name\": \"one\", \"position\": [0.5, 0, 0], \"shapes\": [{\"shape\": \"box\", \"half\": "
    "[0.5, 0.05, 0.05]}]},"
    "{\"name\": \"two\", \"position\": [1.5, 0, 0], \"shapes\": [{\"shape\": \"box\", \"half\": "
    "[0.5, 0.05, 0.05]}]},"
    "{\"name\": \"three\", \"position\": [2.5, 0, 0], \"shapes\": [{\"shape\": \"box\", \"half\": "
    "[0.5, 0.05, 0.05]}]}],"
    "\"joints\": ["
    "{\"kind\": \"hinge\", \"b\": \"one\", \"point\": [0, 0, 0], \"axis\": [0, 1, 0], \"axes\": "
    "[{\"axis\": \"turn\", \"servo\": true, \"servo_stiffness\": 1000, \"servo_damping\": 100}]},"
    "{\"kind\": \"hinge\", \"a\": \"one\", \"b\": \"two\", \"point\": [1, 0, 0], \"axis\": [0, 1, "
    "0], "
    "\"axes\": [{\"axis\": \"turn\", \"motor_speed\": 0, \"motor_force\": 100}]},"
    "{\"kind\": \"hinge\", \"a\": \"two\", \"b\": \"three\", \"point\": [2, 0, 0], \"axis\": [0, "
    "1, "
    "0]}]}";

static rgScene* parse_arm(void) {
  rgScene* scene;
  rgMessage message = {""};
  REQUIRE_MSG(rg_scene_parse(arm_text, strlen(arm_text), "arm", &scene, &message) == RG_OK, "%s",
              message.text);
  return scene;
}

// Servo target, motor speed, effort: the same bits as by the calls for one axis.
TEST(controls_are_those_of_single_axes) {
  rgScene* scene = parse_arm();
  rgWorld *one = build(scene), *other = build(scene);
  for (int i = 0; i < 50; i++) {
    double t = 0.01 * i;
    const double controls[3] = {0.3 * t, 0.5 - t, 20 * t};
    REQUIRE_INT(rg_world_set_controls(one, controls), RG_OK);
    REQUIRE_INT(rg_joint_set_servo(other, rg_world_joint(other, 0), 0, controls[0], 0), RG_OK);
    REQUIRE_INT(rg_joint_set_motor(other, rg_world_joint(other, 1), 0, controls[1]), RG_OK);
    REQUIRE_INT(rg_joint_set_effort(other, rg_world_joint(other, 2), 0, controls[2]), RG_OK);
    double present[3];
    rg_world_get_controls(other, present);
    for (int k = 0; k < 3; k++)
      CHECK_BITS(present[k], controls[k]);
    REQUIRE_INT(rg_world_step(one, NULL), RG_OK);
    REQUIRE_INT(rg_world_step(other, NULL), RG_OK);
    CHECK(rg_world_hash(one) == rg_world_hash(other));
  }
  const double bad[3] = {1, NAN, 0};
  CHECK_INT(rg_world_set_controls(one, bad), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(one), "control 1 is nan, must be finite");
  double present[3];
  rg_world_get_controls(one, present);
  CHECK(present[0] != 1); // nothing was set
  CHECK_INT(rg_joint_set_motor(one, rg_world_joint(one, 0), 0, 1), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(one), "axis 0 has no motor");
  rgJointAxis axis;
  CHECK_INT(rg_joint_axis(one, rg_world_joint(one, 0), 1, &axis), RG_ERROR_NOT_FOUND);
  rg_world_destroy(one);
  rg_world_destroy(other);
  rg_scene_free(scene);
}

// An axis takes a control in bulk where it takes an effort by itself: what is set can be saved and loaded.
TEST(controls_are_refused_where_single_axes_refuse_an_effort) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    rgWorldDef def = rg_world_def();
    rgWorld* world;
    REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
    rgBodyDef body = rg_body_def();
    rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
    ball.radius = 0.1;
    rgJointDef joint = rg_joint_def((rgJointKind)kind);
    REQUIRE_INT(rg_world_add_body(world, &body, &ball, 1, &joint.body_b), RG_OK);
    joint.point_b = (rgVec3){0, 0, 1};
    joint.axis_2 = (rgVec3){0, 1, 0};
    if (kind == RG_JOINT_SCREW)
      REQUIRE_INT(rg_joint_def_set(&joint, "lead", 0.1), RG_OK);
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    for (int axis = 0; axis < rg_joint_axis_count((rgJointKind)kind); axis++) {
      CONTEXT("%s, axis %d", rg_joint_kind_name((rgJointKind)kind), axis);
      double controls[RG_JOINT_AXIS_MAX] = {0}, present[RG_JOINT_AXIS_MAX];
      controls[axis] = 1;
      rgStatus status = rg_world_set_controls(world, controls);
      rg_world_get_controls(world, present);
      CHECK_BITS(present[axis], status == RG_OK ? 1.0 : 0.0);
      CHECK_INT(status, rg_joint_set_effort(world, id, axis, 1));
      size_t size = rg_world_save_size(world);
      void* data = malloc(size);
      REQUIRE(data);
      REQUIRE_INT(rg_world_save(world, data, size), RG_OK);
      CHECK_INT(rg_world_load(world, data, size), RG_OK);
      free(data);
      controls[axis] = 0;
      CHECK_INT(rg_world_set_controls(world, controls), RG_OK);
    }
    rg_world_destroy(world);
  }
}

enum { WORLDS = 6, STEPS = 40 };

static uint64_t roll(const rgScene* scene, int threads, double* positions, double* rates,
                     unsigned char* met) {
  rgWorld* worlds[WORLDS];
  double controls[WORLDS * STEPS * 3];
  for (int i = 0; i < WORLDS; i++)
    worlds[i] = build(scene);
  for (int i = 0; i < WORLDS * STEPS * 3; i++)
    controls[i] = 0.1 * ((i * 7919) % 41 - 20);
  rgRollout rollout = {worlds, WORLDS, STEPS, threads, controls, positions, rates, met};
  rgMessage message = {""};
  REQUIRE_MSG(rg_rollout(&rollout, &message) == RG_OK, "%s", message.text);
  uint64_t hash = 0;
  for (int i = 0; i < WORLDS; i++) {
    hash = hash * 31 + rg_world_hash(worlds[i]);
    rg_world_destroy(worlds[i]);
  }
  return hash;
}

TEST(rollouts_give_the_same_bits_for_any_number_of_threads) {
  rgScene* scene = parse_arm();
  static double q[4][WORLDS * STEPS * 3], v[4][WORLDS * STEPS * 3];
  static unsigned char met[WORLDS * STEPS];
  uint64_t one = roll(scene, 1, q[0], v[0], met);
  for (int k = 1; k < 4; k++) {
    uint64_t many = roll(scene, k == 1 ? 2 : k == 2 ? 3 : 9, q[k], v[k], met);
    CHECK(many == one);
    CHECK(memcmp(q[k], q[0], sizeof q[0]) == 0);
    CHECK(memcmp(v[k], v[0], sizeof v[0]) == 0);
  }
  int good = 0;
  for (int i = 0; i < WORLDS * STEPS; i++)
    good += met[i];
  CHECK_INT(good, WORLDS * STEPS);
  // Worlds have different controls and end in different places.
  CHECK(q[0][STEPS * 3 - 1] != q[0][2 * STEPS * 3 - 1]);
  rg_scene_free(scene);
}

TEST(a_rollout_names_the_world_that_fails) {
  rgScene* scene = parse_arm();
  rgWorld* worlds[3] = {build(scene), build(scene), build(scene)};
  double controls[3 * 2 * 3] = {0};
  controls[2 * 3 + 4] = INFINITY; // the second world, its first step
  controls[6 + 1] = INFINITY;
  rgRollout rollout = {
      .worlds = worlds, .world_count = 3, .steps = 2, .threads = 2, .controls = controls};
  rgMessage message = {""};
  CHECK_INT(rg_rollout(&rollout, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "world 1: control 1 is inf, must be finite");
  CHECK_INT((int)rg_world_steps(worlds[0]), 2);
  CHECK_INT((int)rg_world_steps(worlds[1]), 0);
  rollout.threads = 0;
  CHECK_INT(rg_rollout(&rollout, &message), RG_ERROR_INPUT);
  rgScene* another = read_scene("pendulum.json");
  rg_world_destroy(worlds[2]);
  worlds[2] = build(another);
  rollout.threads = 1;
  CHECK_INT(rg_rollout(&rollout, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "all must have the same");
  for (int i = 0; i < 3; i++)
    rg_world_destroy(worlds[i]);
  rg_scene_free(scene);
  rg_scene_free(another);
}
