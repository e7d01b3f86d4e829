// Sensors by physics: what they must show follows from Newton's laws and the geometry of the movement, or
// from the weight of what they carry.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static int add_sensor(rgWorld* world, rgSensorKind kind, rgBodyId body, rgPose frame) {
  rgSensorDef def = rg_sensor_def(kind);
  def.body = body;
  def.frame = frame;
  int index;
  REQUIRE_MSG(rg_world_add_sensor(world, &def, &index) == RG_OK, "%s", rg_world_message(world));
  return index;
}

static int add_joint_sensor(rgWorld* world, rgSensorKind kind, rgJointId joint, rgPose frame) {
  rgSensorDef def = rg_sensor_def(kind);
  def.joint = joint;
  def.frame = frame;
  int index;
  REQUIRE_MSG(rg_world_add_sensor(world, &def, &index) == RG_OK, "%s", rg_world_message(world));
  return index;
}

static const double* values_of(const rgWorld* world, int sensor) {
  return rg_world_sensor_values(world) + rg_world_sensor(world, sensor).value_start;
}

static rgVec3 vector_of(const rgWorld* world, int sensor) {
  const double* v = values_of(world, sensor);
  return v3(v[0], v[1], v[2]);
}

static void check_vector(rgVec3 a, rgVec3 b, double tolerance) {
  CHECK_NEAR(a.x, b.x, tolerance);
  CHECK_NEAR(a.y, b.y, tolerance);
  CHECK_NEAR(a.z, b.z, tolerance);
}

static rgPose some_frame(void) {
  rgVec3 x = v3_scale(random_vector(), 0.2);
  return (rgPose){x, random_rotation()};
}

TEST(an_accelerometer_at_rest_shows_g_upwards_in_its_own_axes) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId box = build_box(world, v3(0.2, 0.3, 0.1), v3(0, 0, 0.1));
  rgPose frames[8];
  int sensors[8];
  for (int i = 0; i < 8; i++) {
    frames[i] = some_frame();
    sensors[i] = add_sensor(world, RG_SENSOR_ACCELEROMETER, box, frames[i]);
    CHECK(isnan(values_of(world, sensors[i])[0])); // no step yet
  }
  run_steps(world, 5);
  for (int i = 0; i < 8; i++)
    check_vector(vector_of(world, sensors[i]), quat_unrotate(frames[i].orientation, v3(0, 0, 9.81)),
                 1e-6); // the step's tolerance
  rg_world_destroy(world);
}

// In free fall nothing is felt at the centre. At r from it a body that spins with w about a principal axis
// feels w x (w x r): towards the axis, of w^2 r. A step turns it by 2 atan(w h / 2), so that the mean is less
// by (w h)^2 / 8 of it.
TEST(an_accelerometer_in_free_fall_feels_the_spin_alone) {
  for (int trial = 0; trial < 20; trial++) {
    rgWorld* world = build_world("default");
    double h = rg_world_options(world)->step, spin = random_between(-20, 20);
    rgBodyId box = build_box(world, v3(0.2, 0.2, 0.1), v3(0, 0, 50));
    rg_body_set_velocity(world, box, twist(random_vector(), v3(0, 0, spin)));
    rgVec3 r = v3_scale(random_vector(), 0.3);
    int center = add_sensor(world, RG_SENSOR_ACCELEROMETER, box, pose_identity());
    int off = add_sensor(world, RG_SENSOR_ACCELEROMETER, box, (rgPose){r, quat_identity()});
    int gyro = add_sensor(world, RG_SENSOR_GYRO, box, some_frame());
    int speed = add_sensor(world, RG_SENSOR_VELOCITY, box, (rgPose){r, quat_identity()});
    for (int step = 0; step < 30; step++) {
      run_steps(world, 1);
      check_vector(vector_of(world, center), v3_zero(), 1e-9);
      rgVec3 felt = vector_of(world, off);
      double full = spin * spin, turn = spin * h; // |r| <= 0.3 along each axis
      // Radial to rounding: the chord of an arc lies along the radius half-way.
      check_vector(felt, v3(-full * r.x, -full * r.y, 0), full * 0.3 * (turn * turn / 8 + 1e-9));
      CHECK_NEAR(felt.x * r.y - felt.y * r.x, 0, 1e-9 * (1 + full));
      rgSensorView view = rg_world_sensor(world, gyro);
      check_vector(vector_of(world, gyro),
                   quat_unrotate(view.def.frame.orientation, v3(0, 0, spin)), 1e-9);
      rgPose pose = rg_body_pose(world, box);
      rgTwist v = rg_body_velocity(world, box);
      check_vector(vector_of(world, speed),
                   v3_add(v.linear, v3_cross(v.angular, quat_rotate(pose.orientation, r))), 1e-12);
    }
    rg_world_destroy(world);
  }
}

// A mass on a rod: along the rod it pulls with m (g cos a + l w^2), across it nothing but what turns the
// bob about its own centre, which here is a ball.
TEST(a_pendulum_pulls_at_its_joint_as_the_closed_form_says) {
  const double length = 0.7, mass = 2, radius = 0.05;
  rgWorld* world = build_world("default");
  build_set_step(world, 1e-4, 0.5);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(length, 0, 0));
  def.mass = mass;
  rgBodyId bob = build_body(world, &def, shape_sphere(radius));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_b = bob;
  hinge.axis = v3(0, 1, 0);
  rgJointId joint;
  REQUIRE_INT(rg_world_add_joint(world, &hinge, &joint), RG_OK);
  int wrench = add_joint_sensor(world, RG_SENSOR_FORCE_TORQUE, joint, pose_identity());
  int angle = add_joint_sensor(world, RG_SENSOR_JOINT_COORDINATE, joint, pose_identity());
  int rate = add_joint_sensor(world, RG_SENSOR_JOINT_RATE, joint, pose_identity());
  CHECK_STR(rg_sensor_value_unit(world, rate, 0), "rad/s");
  CHECK_STR(rg_sensor_value_name(world, angle, 0), "turn");
  double inertia = 0.4 * mass * radius * radius + mass * length * length;
  rgVec3 before = v3(length, 0, 0);
  for (int step = 0; step < 4000; step++) {
    run_steps(world, 1);
    rgVec3 x = rg_body_pose(world, bob).position, mean = v3_scale(v3_add(before, x), 0.5);
    before = x;
    if (step % 100 != 99)
      continue;
    // Released level: 1/2 I w^2 = m g (-z). At the middle of the step, where the mean belongs.
    double w2 = 2 * mass * 9.81 * -mean.z / inertia, alpha = mass * 9.81 * mean.x / inertia;
    rgVec3 radial = v3_unit_or(mean, v3_zero()), forward = v3_cross(v3(0, 1, 0), radial);
    rgVec3 acceleration = v3_add(v3_scale(radial, -w2 * length), v3_scale(forward, alpha * length));
    rgVec3 expected = v3_scale(v3_sub(acceleration, v3(0, 0, -9.81)), mass);
    // The sensor's axes are those of the joint on B, which turn with it.
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, joint, &state), RG_OK);
    const double* v = values_of(world, wrench);
    rgVec3 force = quat_rotate(state.frame_b.orientation, v3(v[0], v[1], v[2]));
    check_vector(force, expected, 0.02); // of 60 N; axes turn by w h / 2 = 4e-4 until the end
    CHECK_NEAR(v[3], 0, 1e-9);           // no torque about a hinge that turns freely
    CHECK_BITS(values_of(world, angle)[0], state.coordinate[0]);
    CHECK_BITS(values_of(world, rate)[0], state.rate[0]);
  }
  rg_world_destroy(world);
}

// A wrist: what hangs on it is a weight at a distance. The frame of the sensor is turned at will.
TEST(a_force_torque_sensor_shows_the_weight_that_hangs_on_it) {
  for (int trial = 0; trial < 10; trial++) {
    rgWorld* world = build_world("default");
    rgBodyId hand = build_box(world, v3(0.1, 0.1, 0.1), v3(0.5, 0.2, 1));
    rgBodyId load = build_box(world, v3(0.05, 0.05, 0.05), v3(0.9, 0.2, 0.8));
    rgJointDef def = rg_joint_def(RG_JOINT_FIXED);
    def.body_b = hand;
    def.point = v3(0, 0.2, 1);
    def.axis_2 = v3(0, 1, 0); // the frame of the joint is along the axes of the world
    rgJointId wrist, grip;
    bool upside_down = trial % 2; // the ground as B
    if (upside_down)
      def.body_b = (rgBodyId){0, 0}, def.body_a = hand;
    REQUIRE_INT(rg_world_add_joint(world, &def, &wrist), RG_OK);
    def.body_a = hand;
    def.body_b = load;
    def.point = v3(0.9, 0.2, 0.8);
    REQUIRE_INT(rg_world_add_joint(world, &def, &grip), RG_OK);
    rgPose frame = some_frame();
    int sensor = add_joint_sensor(world, RG_SENSOR_FORCE_TORQUE, wrist, frame);
    run_steps(world, 10);
    double sign = upside_down ? -1 : 1;
    rgVec3 site = v3_add(v3(0, 0.2, 1), frame.position), force = v3_zero(), torque = v3_zero();
    rgBodyId bodies[2] = {hand, load};
    for (int i = 0; i < 2; i++) {
      rgVec3 up = v3(0, 0, 9.81 * rg_body_mass(world, bodies[i]).mass);
      force = v3_add(force, up);
      torque = v3_add(torque, v3_cross(v3_sub(rg_body_center(world, bodies[i]), site), up));
    }
    const double* v = values_of(world, sensor);
    check_vector(quat_rotate(frame.orientation, v3(v[0], v[1], v[2])), v3_scale(force, sign), 1e-5);
    check_vector(quat_rotate(frame.orientation, v3(v[3], v[4], v[5])), v3_scale(torque, sign),
                 1e-5);
    rg_world_destroy(world);
  }
}

TEST(contact_sensors_weigh_a_stack) {
  rgWorld* world = build_world("default");
  rgBodyId floor_id = build_floor(world), boxes[4];
  int all[4], by_floor[4], pressed[4];
  double above = 0;
  for (int i = 0; i < 4; i++)
    boxes[i] = build_box(world, v3(0.2, 0.2, 0.1), v3(0, 0, 0.1 + 0.2 * i));
  for (int i = 0; i < 4; i++) {
    rgSensorDef def = rg_sensor_def(RG_SENSOR_CONTACT_FORCE);
    def.body = boxes[i];
    REQUIRE_INT(rg_world_add_sensor(world, &def, &all[i]), RG_OK);
    def.other = i == 0 ? floor_id : boxes[i - 1];
    REQUIRE_INT(rg_world_add_sensor(world, &def, &by_floor[i]), RG_OK);
    def.kind = RG_SENSOR_TOUCH;
    def.other = (rgBodyId){0, 0};
    REQUIRE_INT(rg_world_add_sensor(world, &def, &pressed[i]), RG_OK);
  }
  run_steps(world, 50);
  double weight = 9.81 * rg_body_mass(world, boxes[0]).mass;
  for (int i = 3; i >= 0; i--) {
    double below = above + weight;
    check_vector(vector_of(world, all[i]), v3(0, 0, weight), 1e-5 * weight);
    check_vector(vector_of(world, by_floor[i]), v3(0, 0, below), 1e-5 * weight);
    CHECK_REL(values_of(world, pressed[i])[0], above + below, 1e-5);
    above = below;
  }
  rg_world_destroy(world);
}

TEST(a_range_sensor_measures_to_the_ground_and_not_to_itself) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId ball = build_sphere(world, 0.2, v3(0, 0, 5));
  rgSensorDef def = rg_sensor_def(RG_SENSOR_RANGE);
  def.body = ball;
  def.frame.orientation = turn_about(v3(1, 0, 0), 3.141592653589793);
  int down, up, near;
  REQUIRE_INT(rg_world_add_sensor(world, &def, &down), RG_OK);
  def.length = 1;
  REQUIRE_INT(rg_world_add_sensor(world, &def, &near), RG_OK);
  def.frame.orientation = quat_identity();
  REQUIRE_INT(rg_world_add_sensor(world, &def, &up), RG_OK);
  CHECK_NEAR(values_of(world, down)[0], 5, 1e-12); // of the state: known at once
  CHECK(isinf(values_of(world, near)[0]) && isinf(values_of(world, up)[0]));
  for (int i = 0; i < 60; i++) {
    run_steps(world, 1);
    double z = rg_body_pose(world, ball).position.z;
    CHECK_NEAR(values_of(world, down)[0], z, 1e-12);
    CHECK(isinf(values_of(world, near)[0]) == (z > 1));
  }
  rg_body_set_pose(world, ball, pose_at(v3(1, 2, 3)));
  CHECK(values_of(world, down)[0] > 3.1 || values_of(world, down)[0] < 2.9); // still of the step
  rg_world_measure(world);
  CHECK_NEAR(values_of(world, down)[0], 3, 1e-12);
  rg_world_destroy(world);
}

static rgWorld* sensing_world(void) {
  rgWorld* world = build_world("default");
  rgBodyId floor_id = build_floor(world);
  rgBodyId a = build_box(world, v3(0.2, 0.1, 0.1), v3(0, 0, 0.4)),
           b = build_box(world, v3(0.2, 0.1, 0.1), v3(0.5, 0, 0.4));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_a = a;
  hinge.body_b = b;
  hinge.point = v3(0.25, 0, 0.4);
  hinge.axis = v3(0, 1, 0);
  rgJointId joint;
  REQUIRE_INT(rg_world_add_joint(world, &hinge, &joint), RG_OK);
  for (int kind = 0; kind < RG_SENSOR_KIND_COUNT; kind++) {
    rgSensorDef def = rg_sensor_def((rgSensorKind)kind);
    def.body = b;
    def.other = kind == RG_SENSOR_TOUCH ? floor_id : (rgBodyId){0, 0};
    def.joint = joint;
    def.frame = (rgPose){v3(0.1, 0.02, 0.03), turn_about(v3(1, 2, 3), 0.7)};
    REQUIRE_INT(rg_world_add_sensor(world, &def, NULL), RG_OK);
  }
  return world;
}

static bool same_values(const rgWorld* a, const rgWorld* b) {
  int count = rg_world_sensor_value_count(a);
  return count == rg_world_sensor_value_count(b) &&
         memcmp(rg_world_sensor_values(a), rg_world_sensor_values(b),
                (size_t)count * sizeof(double)) == 0;
}

// The values after a restore are those of the save, and those of the steps after it the same bits.
TEST(snapshots_restore_what_sensors_show) {
  rgWorld *one = sensing_world(), *two = sensing_world();
  run_steps(one, 40);
  size_t size = rg_world_save_size(one);
  void* memory = malloc(size);
  REQUIRE_INT(rg_world_save(one, memory, size), RG_OK);
  run_steps(two, 3);
  CHECK(!same_values(one, two));
  REQUIRE_INT(rg_world_load(two, memory, size), RG_OK);
  CHECK(same_values(one, two));
  for (int i = 0; i < 40; i++) {
    run_steps(one, 1);
    run_steps(two, 1);
    CHECK(same_values(one, two));
  }
  rgWorld* without = build_world("default"); // a world with other sensors refuses it
  CHECK_INT(rg_world_load(without, memory, size), RG_ERROR_INPUT);
  rgSensorDef def = rg_sensor_def(RG_SENSOR_POSITION);
  def.body = rg_world_body(two, 1);
  REQUIRE_INT(rg_world_add_sensor(two, &def, NULL), RG_OK);
  CHECK_INT(rg_world_load(two, memory, size), RG_ERROR_INPUT);
  free(memory);
  rg_world_destroy(one), rg_world_destroy(two), rg_world_destroy(without);
}

// A world that is measured moves as one that is not, and shows the same for any number of threads.
TEST(sensors_change_nothing) {
  rgWorld *one = sensing_world(), *two = sensing_world();
  rgOptions options = *rg_world_options(two);
  options.threads = 2;
  REQUIRE_INT(rg_world_set_options(two, &options), RG_OK);
  for (int i = 0; i < 60; i++) {
    run_steps(one, 1);
    run_steps(two, 1);
    CHECK(same_values(one, two));
    rg_world_measure(one); // of the same state: the same values
    CHECK(same_values(one, two));
  }
  CHECK_HEX(rg_world_hash(one), rg_world_hash(two));
  rg_world_destroy(one), rg_world_destroy(two);
}

// What is no longer there, or was not kept, is not known.
TEST(unknown_values_are_nan) {
  rgWorld* world = sensing_world();
  rgOptions options = *rg_world_options(world);
  strcpy(options.stepper, "halving");
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  run_steps(world, 2);
  CHECK(isnan(values_of(world, RG_SENSOR_CONTACT_FORCE)[0]));
  CHECK(isnan(values_of(world, RG_SENSOR_FORCE_TORQUE)[5]));
  CHECK(!isnan(values_of(world, RG_SENSOR_ACCELEROMETER)[0]));
  rgBodyId b = rg_world_body(world, 2);
  REQUIRE_INT(rg_world_remove_body(world, b), RG_OK);
  run_steps(world, 1);
  for (int i = 0; i < rg_world_sensor_value_count(world); i++)
    CHECK(isnan(rg_world_sensor_values(world)[i]));
  CHECK_STR(rg_sensor_value_name(world, RG_SENSOR_JOINT_RATE, 0), "");
  rg_world_destroy(world);
}

TEST(bad_sensors_are_refused) {
  rgWorld* world = build_world("default");
  rgBodyId box = build_box(world, v3(1, 1, 1), v3(0, 0, 5));
  rgSensorDef def = rg_sensor_def(RG_SENSOR_GYRO);
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_NOT_FOUND);
  CHECK_STR(rg_world_message(world), "a gyro sensor needs a body that is there");
  def.body = box;
  def.name = "imu";
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_OK);
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "there is a sensor \"imu\" already");
  CHECK_INT(rg_world_find_sensor(world, "imu"), 0);
  CHECK_INT(rg_world_find_sensor(world, "no"), -1);
  def.name = NULL;
  def.frame.position.x = (double)NAN;
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_INPUT);
  def = rg_sensor_def(RG_SENSOR_RANGE);
  def.body = box;
  def.length = -1;
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "length is -1, must be > 0");
  def = rg_sensor_def(RG_SENSOR_JOINT_FORCE);
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_NOT_FOUND);
  rgJointDef fixed = rg_joint_def(RG_JOINT_FIXED);
  fixed.body_b = box;
  REQUIRE_INT(rg_world_add_joint(world, &fixed, &def.joint), RG_OK);
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "a joint-force sensor needs a joint with free axes");
  def = rg_sensor_def((rgSensorKind)99);
  CHECK_INT(rg_world_add_sensor(world, &def, NULL), RG_ERROR_INPUT);
  rg_world_destroy(world);
}
