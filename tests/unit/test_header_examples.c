// The examples in the comments of the public headers are true.
#include "test.h"

#include <rigor/rigor.h>

// problem.h and solver.h: a ball of 2 kg that would fall through the ground with 1 m/s.
TEST(a_problem_made_by_hand_is_solved) {
  rgProblemBody ball = {.inverse_mass = 0.5, .v_free = {.linear = {0, 0, -1}}};
  rgProblemContact touch = {.body_a = 0,
                            .body_b = -1,
                            .n = {0, 0, 1},
                            .t = {1, 0, 0},
                            .o = {0, 1, 0},
                            .cone = RG_CONE_DISK,
                            .mu = 0.5};
  rgProblem problem = {
      .dimension = 3, .body_count = 1, .contact_count = 1, .bodies = &ball, .contacts = &touch};
  double v[6], r[4] = {0}, lambda[1] = {0};
  rgSolution solution = {v, r, lambda};
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  void* work = malloc(rg_solve_work_size(&problem, "auto"));
  REQUIRE(work != NULL);
  CHECK_INT(rg_solve(&problem, "auto", NULL, &stop, &solution, work, &report, NULL), RG_OK);
  free(work);
  CHECK_NEAR(r[0], 2, 1e-7); // the tolerance is 1e-8 of 1 m/s, times 2 kg
  CHECK_NEAR(r[1], 0, 1e-7);
  CHECK(report.certificate.met);
}

// mcp.h: 0 <= x, x^2 - 2 >= 0, the two perpendicular.
static void value(void* context, const double* x, double* f) {
  (void)context;
  f[0] = x[0] * x[0] - 2;
}
static void slope(void* context, const double* x, double* j) {
  (void)context;
  j[0] = 2 * x[0];
}
TEST(a_complementarity_problem_is_solved) {
  double lower = 0, upper = INFINITY, x = 1;
  rgMcp problem = {
      .count = 1, .lower = &lower, .upper = &upper, .function = value, .jacobian = slope};
  rgMcpStop stop = rg_mcp_stop_default();
  rgMcpReport report;
  void* work = malloc(rg_mcp_work_size(&problem));
  REQUIRE(work != NULL);
  CHECK_INT(rg_mcp_solve(&problem, &stop, &x, work, &report, NULL), RG_OK);
  free(work);
  CHECK_NEAR(x, sqrt(2), 1e-10);
}

// world.h: a ball falls on the ground and rests there.
TEST(a_ball_falls_on_the_ground) {
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId ground, ball;
  body.kind = RG_BODY_STATIC;
  REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, &ground), RG_OK);
  body = rg_body_def();
  body.pose.position.z = 2;
  shape = rg_shape_def(RG_SHAPE_SPHERE);
  shape.radius = 0.1;
  REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, &ball), RG_OK);
  rgCertificate certificate = {0};
  for (int i = 0; i < 240; i++) {
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK(certificate.met);
  }
  CHECK_NEAR(rg_body_pose(world, ball).position.z, 0.1, 1e-6); // what the projection leaves alone
  rg_world_destroy(world);
}

// util.h
TEST(a_misspelt_joint_is_guessed) {
  rgGuess guess = {.word = "hing"};
  for (int i = 0; i < RG_JOINT_KIND_COUNT; i++)
    rg_guess_offer(&guess, rg_joint_kind_name((rgJointKind)i));
  CHECK_STR(guess.best, "hinge");
}

// query.h and sensor.h: what is below, and what an accelerometer on a box at rest shows.
TEST(a_ray_and_a_sensor_say_what_the_headers_say) {
  rgWorldDef world_def = rg_world_def();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&world_def, &world, NULL), RG_OK);
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  body.kind = RG_BODY_STATIC;
  body.name = "ground";
  REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, NULL), RG_OK);
  body = rg_body_def();
  body.name = "trunk";
  body.pose.position.z = 0.5;
  shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = (rgVec3){0.2, 0.2, 0.5};
  rgBodyId trunk;
  REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, &trunk), RG_OK);
  rgRay ray = {.origin = {0, 0, 2}, .direction = {0, 0, -1}, .length = HUGE_VAL};
  rgRayHit hit;
  REQUIRE_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_OK);
  CHECK_STR(rg_body_name(world, hit.body), "trunk");
  CHECK_NEAR(hit.distance, 1, 1e-15);
  rgSensorDef def = rg_sensor_def(RG_SENSOR_ACCELEROMETER);
  def.body = trunk;
  def.frame.position.z = 0.1;
  def.name = "imu";
  int imu;
  REQUIRE_INT(rg_world_add_sensor(world, &def, &imu), RG_OK);
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  const double* a = rg_world_sensor_values(world) + rg_world_sensor(world, imu).value_start;
  CHECK_NEAR(a[2], 9.81, 1e-5); // the tolerance of the step
  rg_world_destroy(world);
}
