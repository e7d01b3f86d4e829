// 2D worlds obey the laws of the plane, and what would leave the plane is refused.
#include "test.h"

#include "support/builder.h"
#include <rigor/joint.h>

#include <stdio.h>

static const double G = 9.81;

static rgWorld* plane_world(double step, double theta, rgVec3 gravity) {
  rgWorldDef def = rg_world_def_2d();
  rg_options_preset("reference", &def.options);
  def.options.step = step;
  def.options.theta = theta;
  def.options.gravity = gravity;
  return build_world_of(&def);
}

static rgShapeDef rectangle(double half_x, double half_y, rgVec3* points) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_POLYGON);
  points[0] = v3(-half_x, -half_y, 0);
  points[1] = v3(half_x, -half_y, 0);
  points[2] = v3(half_x, half_y, 0);
  points[3] = v3(-half_x, half_y, 0);
  def.points = points;
  def.point_count = 4;
  return def;
}

static void add_ground(rgWorld* world, double half_length) {
  rgVec3 ends[] = {{-half_length, 0, 0}, {half_length, 0, 0}};
  rgShapeDef line = rg_shape_def(RG_SHAPE_SEGMENT);
  line.points = ends;
  line.point_count = 2;
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &ground, line);
}

static rgBodyId add_block(rgWorld* world, double half_x, double half_y, rgVec3 at,
                          rgVec3 velocity) {
  rgVec3 points[4];
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
  def.velocity.linear = velocity;
  return build_body(world, &def, rectangle(half_x, half_y, points));
}

// Gravity is tilted instead of the ground: the critical angle of mu = 0.5 is 26.565 degrees.
static double slide_down(double degrees, double time) {
  double a = degrees * 3.14159265358979323846 / 180;
  rgWorld* world = plane_world(1e-3, 0.5, v3(G * sin(a), -G * cos(a), 0));
  build_set_default_material(world, 0.5, 0);
  add_ground(world, 50);
  rgBodyId block = add_block(world, 0.5, 0.05, v3(0, 0.05, 0), v3_zero());
  run_steps(world, (int)(time / 1e-3));
  double moved = rg_body_pose(world, block).position.x;
  rg_world_destroy(world);
  return moved;
}

TEST(block_on_an_incline_sticks_below_the_critical_angle_and_slides_above) {
  double critical = atan(0.5) * 180 / 3.14159265358979323846;
  CHECK_NEAR(slide_down(critical - 0.1, 2), 0, 1e-9);
  double a = 30 * 3.14159265358979323846 / 180;
  CHECK_REL(slide_down(30, 1), 0.5 * G * (sin(a) - 0.5 * cos(a)), 1e-5);
}

TEST(block_stops_after_the_distance_of_coulomb) {
  rgWorld* world = plane_world(1e-3, 0.5, v3(0, -G, 0));
  build_set_default_material(world, 0.4, 0);
  add_ground(world, 50);
  rgBodyId block = add_block(world, 0.5, 0.05, v3(0, 0.05, 0), v3(2, 0, 0));
  run_steps(world, 600);
  CHECK_REL(rg_body_pose(world, block).position.x, 4 / (2 * 0.4 * G), 1e-4);
  CHECK_NEAR(rg_body_pose(world, block).position.y, 0.05, 1e-9);
  rg_world_destroy(world);
}

// A disk rolls down with 2/3 g sin; a block would with g sin.
TEST(disk_rolls_down_with_two_thirds_of_the_pull) {
  double a = 0.2;
  rgWorld* world = plane_world(1e-3, 0.5, v3(G * sin(a), -G * cos(a), 0));
  build_set_default_material(world, 0.5, 0);
  add_ground(world, 50);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0.3, 0));
  rgShapeDef circle = rg_shape_def(RG_SHAPE_CIRCLE);
  circle.radius = 0.3;
  rgBodyId disk = build_body(world, &def, circle);
  run_steps(world, 1000);
  rgTwist v = rg_body_velocity(world, disk);
  CHECK_REL(v.linear.x, G * sin(a) * 2 / 3, 1e-6);
  CHECK_REL(v.angular.z, -v.linear.x / 0.3, 1e-9);
  CHECK_NEAR(rg_body_pose(world, disk).position.z, 0, 0);
  rg_world_destroy(world);
}

TEST(stack_of_ten_blocks_stands_with_two_contacts_each) {
  rgWorld* world = plane_world(1.0 / 240, 1, v3(0, -G, 0));
  add_ground(world, 5);
  rgBodyId top = {0, 0};
  for (int i = 0; i < 10; i++)
    top = add_block(world, 0.5, 0.5, v3(0, 0.5 + i, 0), v3_zero());
  run_steps(world, 1200);
  CHECK_INT(rg_world_contact_count(world), 20);
  rgPose pose = rg_body_pose(world, top);
  CHECK_NEAR(pose.position.x, 0, 1e-6);
  CHECK_NEAR(pose.position.y, 9.5, 1e-6);
  rg_world_destroy(world);
}

// Housner's block 0.2 x 0.8: the ratio of angular speeds through an impact of the base is
// 1 - 3/2 sin^2(alpha) with tan(alpha) = 0.2 / 0.8: 0.911765, as in three dimensions.
TEST(rocking_block_loses_what_housner_says) {
  rgWorld* world = plane_world(1e-5, 1, v3(0, -G, 0));
  build_set_default_material(world, 2, 0);
  add_ground(world, 5);
  double tilt = 0.05, c = cos(tilt), s = sin(tilt);
  // Turned about its lower right corner at the origin.
  rgVec3 center = v3(-0.1 * c + 0.4 * s, 0.1 * s + 0.4 * c, 0);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, center);
  def.pose.orientation = turn_about(v3(0, 0, 1), -tilt);
  rgVec3 points[4];
  rgBodyId block = build_body(world, &def, rectangle(0.1, 0.4, points));
  double before = 0, after = 0, last = 0;
  for (int i = 0; i < 200000 && after == 0; i++) {
    run_steps(world, 1);
    double w = rg_body_velocity(world, block).angular.z;
    if (i > 100 && w < last - 1e-3 * last) { // it lands in this step and is down in the next
      before = last;
      run_steps(world, 3);
      after = rg_body_velocity(world, block).angular.z;
    }
    last = w;
  }
  CHECK_REL(after / before, 0.911765, 1e-3);
  rg_world_destroy(world);
}

TEST(elastic_disks_exchange_their_velocities) {
  rgWorld* world = plane_world(1e-3, 0.5, v3_zero());
  build_set_default_material(world, 0, 1);
  rgShapeDef circle = rg_shape_def(RG_SHAPE_CIRCLE);
  circle.radius = 0.5;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-2, 0, 0));
  def.velocity.linear = v3(3, 0, 0);
  rgBodyId a = build_body(world, &def, circle);
  def = body_at(RG_BODY_DYNAMIC, v3_zero());
  rgBodyId b = build_body(world, &def, circle);
  run_steps(world, 1000);
  CHECK_NEAR(rg_body_velocity(world, a).linear.x, 0, 1e-9);
  CHECK_NEAR(rg_body_velocity(world, b).linear.x, 3, 1e-9);
  rg_world_destroy(world);
}

static void check_message(const rgWorld* world, const char* words) {
  CHECK_MSG(strstr(rg_world_message(world), words) != NULL, "\"%s\"", rg_world_message(world));
}

TEST(what_leaves_the_plane_is_refused) {
  rgWorld* world = plane_world(1e-3, 0.5, v3(0, -G, 0));
  rgShapeDef circle = rg_shape_def(RG_SHAPE_CIRCLE), ball = rg_shape_def(RG_SHAPE_SPHERE);
  circle.radius = ball.radius = 1;
  rgBodyId id;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
  CHECK(rg_world_add_body(world, &def, &circle, 1, &id) == RG_ERROR_INPUT);
  check_message(world, "position has z = 1");
  def = body_at(RG_BODY_DYNAMIC, v3_zero());
  CHECK(rg_world_add_body(world, &def, &ball, 1, &id) == RG_ERROR_INPUT);
  check_message(world, "a sphere needs a 3D world");
  def.velocity.angular = v3(1, 0, 0);
  CHECK(rg_world_add_body(world, &def, &circle, 1, &id) == RG_ERROR_INPUT);
  check_message(world, "along z");
  def.velocity.angular = v3_zero();
  REQUIRE(rg_world_add_body(world, &def, &circle, 1, &id) == RG_OK);
  CHECK(rg_body_set_pose(world, id, pose_at(v3(0, 0, 2))) == RG_ERROR_INPUT);
  CHECK(rg_body_apply_impulse(world, id, v3(0, 0, 1), v3_zero()) == RG_ERROR_INPUT);
  rgOptions options = *rg_world_options(world);
  options.gravity.z = -1;
  CHECK(rg_world_set_options(world, &options) == RG_ERROR_INPUT);
  rg_world_destroy(world);
  world = build_world("default");
  def = body_at(RG_BODY_DYNAMIC, v3_zero());
  CHECK(rg_world_add_body(world, &def, &circle, 1, &id) == RG_ERROR_INPUT);
  check_message(world, "a circle needs a 2D world");
  rg_world_destroy(world);
}

// Twenty flush blocks as pavement: the distance is that on one long line.
TEST(block_slides_over_joints_as_over_a_line) {
  rgWorld* world = plane_world(1e-3, 0.5, v3(0, -G, 0));
  build_set_default_material(world, 0.4, 0);
  rgVec3 points[4];
  for (int i = 0; i < 20; i++) {
    rgBodyDef stone = body_at(RG_BODY_STATIC, v3(0.1 * i - 0.5, -0.05, 0));
    build_body(world, &stone, rectangle(0.05, 0.05, points));
  }
  rgBodyId block = add_block(world, 0.08, 0.02, v3(0, 0.02, 0), v3(2, 0, 0));
  run_steps(world, 600);
  CHECK_REL(rg_body_pose(world, block).position.x, 4 / (2 * 0.4 * G), 1e-4);
  CHECK_NEAR(rg_body_pose(world, block).position.y, 0.02, 1e-8);
  rg_world_destroy(world);
}

// The same scene in millimetres, grams and milliseconds: 1 m/s2 = 1e-3 mm/ms2, 1 kg/m2 = 1e-3
// g/mm2.
static rgVec3 fall_in_units(double metre, double second, double density) {
  rgWorld* world =
      plane_world(1e-3 * second, 0.5,
                  v3(0.3 * G * metre / (second * second), -G * metre / (second * second), 0));
  add_ground(world, 50 * metre);
  rgVec3 points[4];
  rgBodyId last = {0, 0};
  for (int i = 0; i < 4; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.13 * i * metre, (0.3 + 0.45 * i) * metre, 0));
    def.pose.orientation = turn_about(v3(0, 0, 1), 0.4 * i);
    rgShapeDef shape = rectangle((0.2 + 0.02 * i) * metre, 0.15 * metre, points);
    shape.density = density;
    last = build_body(world, &def, shape);
  }
  run_steps(world, 500);
  rgVec3 x = v3_scale(rg_body_pose(world, last).position, 1 / metre);
  rg_world_destroy(world);
  return x;
}

TEST(motion_does_not_depend_on_units) {
  rgVec3 si = fall_in_units(1, 1, 1000), small = fall_in_units(1e3, 1e3, 1);
  CHECK_NEAR(si.x, small.x, 1e-9);
  CHECK_NEAR(si.y, small.y, 1e-9);
}

// A rod of length 2 hinged at its end: the period of small swings is 2 pi sqrt(2 L / 3 g); from
// horizontal, the angular speed at the bottom is sqrt(3 g / L).
TEST(rod_on_a_hinge_swings_as_a_compound_pendulum) {
  rgWorld* world = plane_world(1e-3, 0.5, v3(0, -G, 0));
  rgBodyId rod = add_block(world, 1, 0.01, v3(1, 0, 0), v3_zero());
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.body_b = rod;
  def.axis = v3(0, 0, 1);
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
  double fastest = 0;
  for (int i = 0; i < 1500; i++) {
    run_steps(world, 1);
    fastest = fmax(fastest, fabs(rg_body_velocity(world, rod).angular.z));
  }
  double moment = (4 + 4e-4) / 12 + 1; // per mass, about the hinge
  CHECK_REL(fastest, sqrt(2 * G / moment), 1e-5);
  rgJointState state;
  REQUIRE(rg_joint_state(world, id, &state) == RG_OK);
  CHECK_NEAR(state.error, 0, 1e-9);
  rg_world_destroy(world);
}

TEST(joints_of_the_plane_have_the_rows_of_the_plane) {
  static const struct {
    rgJointKind kind;
    rgVec3 axis;
    int rows;
  } cases[] = {{RG_JOINT_BALL, {1, 0, 0}, 2},      {RG_JOINT_HINGE, {0, 0, 1}, 2},
               {RG_JOINT_FIXED, {1, 0, 0}, 3},     {RG_JOINT_SLIDER, {1, 1, 0}, 2},
               {RG_JOINT_HINGE, {0, 1, 1}, -1},    {RG_JOINT_SLIDER, {0, 1, 1}, -1},
               {RG_JOINT_UNIVERSAL, {1, 0, 0}, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("case %zu", i);
    rgWorld* world = plane_world(1e-3, 0.5, v3(0, -G, 0));
    rgJointDef def = rg_joint_def(cases[i].kind);
    def.body_b = add_block(world, 1, 0.1, v3(1, 0, 0), v3_zero());
    def.axis = cases[i].axis;
    rgJointId id;
    rgStatus status = rg_world_add_joint(world, &def, &id);
    CHECK_INT(status, cases[i].rows < 0 ? RG_ERROR_INPUT : RG_OK);
    if (status == RG_OK) {
      run_steps(world, 1);
      rgProblem problem;
      rgSolution solution;
      REQUIRE(rg_world_island(world, 0, &problem, &solution, NULL) == RG_OK);
      CHECK_INT(problem.row_count, cases[i].rows);
      CHECK_INT(problem.dimension, 2);
    }
    rg_world_destroy(world);
  }
}

// A callback that pushes and twists in all directions: only what lies in the plane acts.
static rgWrench push_anywhere(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time, (void)pose, (void)velocity, (void)context;
  return (rgWrench){v3(1, 2, 3), v3(4, 5, 6)};
}

TEST(forces_act_in_the_plane_only) {
  for (int stiff = 0; stiff < 2; stiff++) {
    rgWorld* world = plane_world(0.01, 0.5, v3_zero());
    rgBodyId block = add_block(world, 0.5, 0.5, v3_zero(), v3_zero());
    rgMassProperties mass = rg_body_mass(world, block);
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_CALLBACK;
    force.body = block;
    force.callback = push_anywhere;
    force.stiff = stiff;
    rgForceId id;
    REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
    CONTEXT("stiff %d", stiff);
    run_steps(world, 10);
    rgTwist v = rg_body_velocity(world, block);
    CHECK_NEAR(v.linear.x, 0.1 / mass.mass, 1e-12);
    CHECK_NEAR(v.linear.y, 0.2 / mass.mass, 1e-12);
    CHECK_NEAR(v.angular.z, 0.6 / mass.inertia.m[2][2], 1e-12);
    CHECK_NEAR(fabs(v.linear.z) + fabs(v.angular.x) + fabs(v.angular.y), 0, 0);
    CHECK_NEAR(rg_body_center(world, block).z, 0, 0);
    rg_world_destroy(world);
  }
}

// Of an inertia that is given for a flat body the entry about z counts, and no other.
TEST(the_moment_of_a_flat_body_is_that_about_z) {
  for (int i = 0; i < 3; i++) {
    rgWorldDef def = rg_world_def_2d();
    rgWorld* world;
    rgMessage message;
    REQUIRE_MSG(rg_world_create(&def, &world, &message) == RG_OK, "%s", message.text);
    rgBodyDef body = rg_body_def();
    body.mass = 2;
    body.inertia_given = true;
    body.inertia = m3_diag(i == 1 ? 0.7 : 0.5, i == 2 ? 0.7 : 0.5, 0.8);
    body.velocity.angular = v3(0, 0, 3);
    rgBodyId id;
    REQUIRE_MSG(rg_world_add_body(world, &body, NULL, 0, &id) == RG_OK, "%s",
                rg_world_message(world));
    rgForceDef force = rg_force_def();
    force.body = id;
    force.wrench.torque = v3(0, 0, 0.4);
    rgForceId added;
    REQUIRE(rg_world_add_force(world, &force, &added) == RG_OK);
    CHECK_NEAR(rg_world_energy(world).kinetic, 0.5 * 0.8 * 9, 1e-12);
    CHECK_NEAR(rg_body_mass(world, id).inertia.m[2][2], 0.8, 1e-12);
    REQUIRE(rg_world_step(world, NULL) == RG_OK);
    double h = rg_world_options(world)->step;
    CHECK_NEAR(rg_body_velocity(world, id).angular.z, 3 + 0.5 * h, 1e-12);
    rg_world_destroy(world);
  }
}
