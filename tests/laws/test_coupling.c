// Axes of joints that follow others, x = f(y), against the mechanics of what is left free.
//
// Two bodies that turn about fixed axes with the moments I and J about them, of which the second follows the
// first, have one degree of freedom y:
//
//     (I + f'^2 J) y'' + f' f'' J y'^2 = T + f' S,
//
// T and S being the torques about the two axes; the coupling gives the follower J x'' - S. Where gravity acts
// on masses at arms, T = -m g a sin y. The oracle is that equation, by hand or by Runge and Kutta's method
// with steps that are ten times as small, which know nothing of joints.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const char* const coordinates[] = {"full", "reduced"};

typedef struct Geared {
  rgWorld* world;
  rgBodyId body[2];
  rgJointId joint[2];
} Geared;

static rgWorld* make_world(const char* coordinate, const char* stepper, double theta, double h,
                           double gravity) {
  rgWorldDef def = rg_world_def();
  def.options.step = h;
  def.options.theta = theta;
  def.options.tolerance = 1e-10;
  def.options.gravity = v3(0, 0, -gravity);
  snprintf(def.options.coordinates, sizeof def.options.coordinates, "%s", coordinate);
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  return build_world_of(&def);
}

// A pendulum that turns about y at `pivot`: mass, moment about its centre, arm down to that.
static rgBodyId add_pendulum(rgWorld* world, rgBodyId on, rgVec3 pivot, double mass, double moment,
                             double arm, rgJointId* joint) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_sub(pivot, v3(0, 0, arm)));
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = m3_diag(moment, moment, moment);
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_a = on;
  hinge.body_b = id;
  hinge.point = pivot;
  hinge.axis = v3(0, 1, 0);
  REQUIRE_INT(rg_world_add_joint(world, &hinge, joint), RG_OK);
  return id;
}

typedef struct Pendulum {
  double mass, moment, arm; // moment about the centre
} Pendulum;

static Geared make_geared(rgWorld* world, const Pendulum* p) {
  Geared geared = {.world = world};
  for (int i = 0; i < 2; i++)
    geared.body[i] = add_pendulum(world, (rgBodyId){0, 0}, v3(i, 0, 0), p[i].mass, p[i].moment,
                                  p[i].arm, &geared.joint[i]);
  return geared;
}

static void couple(const Geared* geared, const double polynomial[RG_COUPLING_TERMS]) {
  rgJointCoupling coupling = {.leader = geared->joint[0]};
  memcpy(coupling.polynomial, polynomial, sizeof coupling.polynomial);
  REQUIRE_MSG(rg_joint_couple(geared->world, geared->joint[1], 0, &coupling) == RG_OK, "%s",
              rg_world_message(geared->world));
}

static rgJointState state_of(const rgWorld* world, rgJointId id) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
  return state;
}

static rgJointCouplingState coupled_state(const rgWorld* world, rgJointId id) {
  rgJointCouplingState state;
  REQUIRE_INT(rg_joint_coupling(world, id, 0, NULL, &state), RG_OK);
  return state;
}

static void set(const Geared* geared, int i, double x, double rate) {
  REQUIRE_INT(rg_joint_set_state(geared->world, geared->joint[i], &x, &rate), RG_OK);
}

TEST(wheels_that_are_geared_have_the_sum_of_their_inertias) {
  const double H = 1e-3;
  const int STEPS = 200;
  for (int i = 0; i < 24; i++) {
    double ratio = random_between(0.2, 3) * (i % 2 ? 1 : -1), offset = random_between(-1, 1);
    Pendulum p[2] = {{1, random_between(0.1, 2), 0}, {2, random_between(0.1, 2), 0}};
    double torque = random_between(-3, 3), other = random_between(-3, 3);
    double theta = i % 3 ? 0.5 : 1;
    CONTEXT("%s, theta %g, ratio %g", coordinates[i / 2 % 2], theta, ratio);
    Geared geared = make_geared(make_world(coordinates[i / 2 % 2], "theta", theta, H, 0), p);
    set(&geared, 1, offset, 0);
    couple(&geared, (double[]){offset, ratio, 0, 0, 0});
    REQUIRE_INT(rg_joint_set_effort(geared.world, geared.joint[0], 0, torque), RG_OK);
    REQUIRE_INT(rg_joint_set_effort(geared.world, geared.joint[1], 0, other), RG_OK);
    for (int k = 0; k < STEPS; k++)
      run_met_step(geared.world, k);
    double a = (torque + ratio * other) / (p[0].moment + ratio * ratio * p[1].moment);
    rgJointState lead = state_of(geared.world, geared.joint[0]),
                 follow = state_of(geared.world, geared.joint[1]);
    rgJointCouplingState coupled = coupled_state(geared.world, geared.joint[1]);
    // a constant force is integrated exactly but for the turn of a step as a Cayley vector: of the part
    // (h w)^2 / 12, either way
    double w = STEPS * H * fabs(a) * fmax(1, fabs(ratio)), part = H * w * H * w / 6 + 1e-9;
    CHECK_NEAR(lead.rate[0], STEPS * H * a, part * w);
    CHECK_NEAR(follow.rate[0], ratio * STEPS * H * a, part * w);
    CHECK_NEAR(coupled.error, 0, 1e-12);
    double expected = p[1].moment * ratio * a - other;
    // the tolerance of a solve
    CHECK_NEAR(coupled.force, expected, 1e-6 * (fabs(expected) + fabs(other)));
    CHECK_NEAR(follow.force[0], expected + other, 1e-6 * (fabs(expected) + fabs(other)));
    CHECK_NEAR(lead.force[0], torque - ratio * expected, 1e-6 * (fabs(torque) + fabs(expected)));
    double size = fabs(torque) + fabs(other) + fabs(expected) * fmax(1, fabs(ratio));
    CHECK_NEAR(follow.reaction.torque.y, follow.force[0], part * size);
    CHECK_NEAR(lead.reaction.torque.y, lead.force[0], part * size);
    rg_world_destroy(geared.world);
  }
}

// -------------------------------------------------------------------------------------------------
// Pendulums that follow each other
// -------------------------------------------------------------------------------------------------

static const double GRAVITY = 9.81;

static double value(const double* f, double y) {
  return f[0] + y * (f[1] + y * (f[2] + y * (f[3] + y * f[4])));
}
static double slope(const double* f, double y) {
  return f[1] + y * (2 * f[2] + y * (3 * f[3] + y * 4 * f[4]));
}
static double bend(const double* f, double y) { return 2 * f[2] + y * (6 * f[3] + y * 12 * f[4]); }

static double acceleration(const Pendulum* p, const double* f, double y, double rate) {
  double moment[2], pull[2], s = slope(f, y);
  for (int i = 0; i < 2; i++) {
    moment[i] = p[i].moment + p[i].mass * p[i].arm * p[i].arm;
    pull[i] = -p[i].mass * GRAVITY * p[i].arm * sin(i == 0 ? y : value(f, y));
  }
  return (pull[0] + s * pull[1] - s * bend(f, y) * moment[1] * rate * rate) /
         (moment[0] + s * s * moment[1]);
}

static void runge_kutta(const Pendulum* p, const double* f, double time, int steps, double* y,
                        double* rate) {
  double h = time / steps;
  for (int i = 0; i < steps; i++) {
    double v1 = *rate, a1 = acceleration(p, f, *y, v1);
    double v2 = *rate + h / 2 * a1, a2 = acceleration(p, f, *y + h / 2 * v1, v2);
    double v3_ = *rate + h / 2 * a2, a3 = acceleration(p, f, *y + h / 2 * v2, v3_);
    double v4 = *rate + h * a3, a4 = acceleration(p, f, *y + h * v3_, v4);
    *y += h / 6 * (v1 + 2 * v2 + 2 * v3_ + v4);
    *rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

static const double polynomials[][RG_COUPLING_TERMS] = {
    {0, 1, 0, 0, 0}, {0.2, -1.5, 0, 0, 0}, {-0.1, 0.8, 0.5, 0, 0}, {0.1, 0.5, -0.3, 0.4, 0.25}};
enum { POLYNOMIALS = sizeof polynomials / sizeof polynomials[0] };

// Angle of the leader after `time`, from rest at 1 rad.
static double run_geared(const Pendulum* p, const double* f, const char* coordinate,
                         const char* stepper, double h, double time, double* error) {
  Geared geared = make_geared(make_world(coordinate, stepper, 0.5, h, GRAVITY), p);
  if (strcmp(stepper, "gauss") == 0) {
    rgOptions options = *rg_world_options(geared.world);
    snprintf(options.cone, sizeof options.cone, "frictionless");
    REQUIRE_INT(rg_world_set_options(geared.world, &options), RG_OK);
  }
  set(&geared, 0, 1, 0);
  set(&geared, 1, value(f, 1), 0);
  couple(&geared, f);
  int steps = (int)(time / h + 0.5);
  *error = 0;
  for (int k = 0; k < steps; k++) {
    run_met_step(geared.world, k);
    *error = fmax(*error, fabs(coupled_state(geared.world, geared.joint[1]).error));
  }
  double y = state_of(geared.world, geared.joint[0]).coordinate[0];
  rg_world_destroy(geared.world);
  return y;
}

TEST(pendulums_that_follow_each_other_move_as_one_degree_of_freedom) {
  const double TIME = 0.5;
  for (int i = 0; i < POLYNOMIALS; i++)
    for (int c = 0; c < 2; c++) {
      CONTEXT("polynomial %d, %s", i, coordinates[c]);
      Pendulum p[2] = {{1, 0.02, 0.5}, {0.7, 0.03, 0.4}};
      double y = 1, rate = 0, error[2], missed[2];
      runge_kutta(p, polynomials[i], TIME, 4000, &y, &rate);
      for (int k = 0; k < 2; k++)
        missed[k] = fabs(run_geared(p, polynomials[i], coordinates[c], "theta", 4e-3 / (1 << k),
                                    TIME, &error[k]) -
                         y);
      // of the second order in h, whose constant is that of these pendulums: (h w)^2 / 12 with w about 5 / s
      CHECK(missed[0] < 3e-4);
      CHECK_MSG(missed[1] < 0.3 * missed[0], "%g, then %g", missed[0], missed[1]);
      CHECK_NEAR(fmax(error[0], error[1]), 0, 1e-12);
    }
}

TEST(the_stepper_gauss_takes_couplings) {
  Pendulum p[2] = {{1, 0.02, 0.5}, {0.7, 0.03, 0.4}};
  for (int i = 0; i < POLYNOMIALS; i++) {
    CONTEXT("polynomial %d", i);
    double y = 1, rate = 0, error;
    runge_kutta(p, polynomials[i], 0.3, 4000, &y, &rate);
    double got = run_geared(p, polynomials[i], "full", "gauss", 1e-3, 0.3, &error);
    CHECK_NEAR(got, y, 2e-3); // first order: h w^2 t / 2 with w about 5 / s
    CHECK_NEAR(error, 0, 1e-5);
  }
}

// A chain of three links, the third of which follows the first, with its bodies in one another's ways: the row has
// three bodies, of which one is on both sides.
static Geared make_chain(rgWorld* world) {
  Geared chain = {.world = world};
  rgJointId joints[3];
  rgBodyId on = {0, 0};
  for (int i = 0; i < 3; i++)
    on = add_pendulum(world, on, v3(0, 0, -0.4 * i), 1 - 0.2 * i, 0.01, 0.2, &joints[i]);
  chain.joint[0] = joints[0];
  chain.joint[1] = joints[2];
  return chain;
}

TEST(couplings_neither_drift_nor_gain_energy) {
  const double TIME = test_fast() ? 1 : 10;
  for (int c = 0; c < 2; c++)
    for (int i = 1; i < POLYNOMIALS; i += 2) {
      // where the ratio changes, rates at the ends of a step differ by O(h^2) from those of the coupling, and
      // taking out what would ring (suiting.c) moves the energy to and fro by O(h^4)
      const double H = i == 1 ? 2e-3 : 1e-3;
      CONTEXT("%s, polynomial %d", coordinates[c], i);
      Geared chain = make_chain(make_world(coordinates[c], "theta", 0.5, H, GRAVITY));
      set(&chain, 0, 0.6, 0);
      set(&chain, 1, value(polynomials[i], 0.6), 0);
      couple(&chain, polynomials[i]);
      rgEnergy start = rg_world_energy(chain.world);
      double kinetic = 0, drift = 0, error = 0, joints = 0;
      for (int k = 0; k < (int)(TIME / H + 0.5); k++) {
        rgCertificate step = run_met_step(chain.world, k);
        rgEnergy now = rg_world_energy(chain.world);
        kinetic = fmax(kinetic, now.kinetic);
        drift = fmax(drift, fabs(now.kinetic + now.potential - start.kinetic - start.potential));
        error = fmax(error, fabs(coupled_state(chain.world, chain.joint[1]).error));
        joints = fmax(joints, step.joint_error);
      }
      CHECK(kinetic > 1);
      CHECK_MSG(drift <= 1e-10 * kinetic, "%g of %g J", drift, kinetic);
      CHECK_MSG(error <= 1e-12, "%g", error);
      CHECK(joints <= 1e-10);
      rg_world_destroy(chain.world);
    }
}

TEST(full_and_reduced_coordinates_agree) {
  double y[2][2];
  for (int c = 0; c < 2; c++) {
    Geared chain = make_chain(make_world(coordinates[c], "theta", 0.5, 1e-3, GRAVITY));
    set(&chain, 0, 0.6, 0);
    set(&chain, 1, value(polynomials[3], 0.6), 0);
    couple(&chain, polynomials[3]);
    run_steps(chain.world, 500);
    for (int i = 0; i < 2; i++)
      y[c][i] = state_of(chain.world, chain.joint[i]).coordinate[0];
    rg_world_destroy(chain.world);
  }
  CHECK_NEAR(y[0][0], y[1][0], 1e-9); // the tolerance of the solves, 1e-10, over half a second
  CHECK_NEAR(y[0][1], y[1][1], 1e-9);
}

// -------------------------------------------------------------------------------------------------
// With all else
// -------------------------------------------------------------------------------------------------

// A cylindrical joint whose slide follows its turn is a screw, which is a kind of its own.
TEST(a_cylindrical_joint_whose_slide_follows_its_turn_is_a_screw) {
  const double LEAD = 0.3;
  rgPose ends[2];
  for (int screw = 0; screw < 2; screw++) {
    rgWorld* world = make_world("reduced", "theta", 0.5, 1e-3, GRAVITY);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.2, 0.1, 0));
    def.mass = 1.5;
    def.inertia_given = true;
    def.inertia = m3_diag(0.02, 0.03, 0.025);
    rgBodyId body;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &body), RG_OK);
    rgJointDef joint = rg_joint_def(screw ? RG_JOINT_SCREW : RG_JOINT_CYLINDRICAL);
    joint.body_b = body;
    joint.axis = v3(0.3, 0.2, 1);
    if (screw)
      rg_joint_def_set(&joint, "lead", LEAD);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    if (!screw) {
      rgJointCoupling coupling = {.leader = id, .axis = 1, .polynomial = {0, LEAD / (2 * RG_PI)}};
      REQUIRE_MSG(rg_joint_couple(world, id, 0, &coupling) == RG_OK, "%s", rg_world_message(world));
    }
    run_steps(world, 1000);
    ends[screw] = rg_body_pose(world, body);
    rg_world_destroy(world);
  }
  CHECK(distance(ends[0].position, v3(0.2, 0.1, 0)) > 0.01); // it has moved
  // two solves of 1e-10 in each of a thousand steps
  CHECK_NEAR(distance(ends[0].position, ends[1].position), 0, 1e-8);
}

TEST(limits_motors_and_servos_act_through_couplings) {
  Pendulum p[2] = {{1, 0.5, 0}, {1, 0.5, 0}};
  for (int c = 0; c < 2; c++) {
    CONTEXT("%s", coordinates[c]);
    Geared geared = make_geared(make_world(coordinates[c], "theta", 1, 1e-3, GRAVITY), p);
    couple(&geared, (double[]){0, 2, 0, 0, 0});
    // the limit of the follower stops the leader
    rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0];
    axis.upper = 0.5;
    REQUIRE_INT(rg_joint_set_axis(geared.world, geared.joint[1], 0, &axis), RG_OK);
    rgJointAxis motor = rg_joint_def(RG_JOINT_HINGE).axes[0];
    motor.motor = true;
    motor.motor_speed = 1;
    motor.motor_force = 20;
    REQUIRE_INT(rg_joint_set_axis(geared.world, geared.joint[0], 0, &motor), RG_OK);
    for (int k = 0; k < 600; k++)
      run_met_step(geared.world, k);
    CHECK_NEAR(state_of(geared.world, geared.joint[0]).coordinate[0], 0.25, 1e-6);
    CHECK_NEAR(state_of(geared.world, geared.joint[1]).force[0], 0, 1e-6);
    CHECK_NEAR(coupled_state(geared.world, geared.joint[1]).force, 10,
               1e-5); // 20 N m over the ratio
    // the servo of the follower brings the leader to half of its target
    rgJointAxis servo = rg_joint_def(RG_JOINT_HINGE).axes[0];
    servo.servo = true;
    servo.servo_target = -1;
    servo.servo_stiffness = 100;
    servo.servo_damping = 20;
    servo.servo_force = HUGE_VAL;
    rgJointAxis none = rg_joint_def(RG_JOINT_HINGE).axes[0];
    REQUIRE_INT(rg_joint_set_axis(geared.world, geared.joint[0], 0, &none), RG_OK);
    REQUIRE_INT(rg_joint_set_axis(geared.world, geared.joint[1], 0, &servo), RG_OK);
    for (int k = 0; k < 4000; k++)
      run_met_step(geared.world, k);
    CHECK_NEAR(state_of(geared.world, geared.joint[0]).coordinate[0], -0.5, 1e-6);
    CHECK_NEAR(coupled_state(geared.world, geared.joint[1]).error, 0, 1e-12);
    rg_world_destroy(geared.world);
  }
}

// Two fingers, the second of which mirrors the first, hold a ball between them: the fingers are pushed by one effort
// alone, and what the contacts give has the same moment on both.
TEST(fingers_that_mirror_each_other_hold_a_ball) {
  for (int c = 0; c < 2; c++) {
    CONTEXT("%s", coordinates[c]);
    rgWorld* world = make_world(coordinates[c], "theta", 1, 2e-3, GRAVITY);
    build_set_default_material(world, 0.8, 0);
    rgJointId joint[2];
    for (int i = 0; i < 2; i++) {
      double side = i ? 1 : -1;
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(side * 0.1, 0, -0.2));
      rgBodyId finger = build_body(world, &def, shape_box(v3(0.01, 0.05, 0.2)));
      rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
      hinge.body_b = finger;
      hinge.point = v3(side * 0.1, 0, 0);
      hinge.axis = v3(0, 1, 0);
      REQUIRE_INT(rg_world_add_joint(world, &hinge, &joint[i]), RG_OK);
    }
    rgBodyId ball = build_sphere(world, 0.0899, v3(0, 0, -0.3));
    rgJointCoupling mirror = {.leader = joint[0], .polynomial = {0, -1}};
    REQUIRE_INT(rg_joint_couple(world, joint[1], 0, &mirror), RG_OK);
    REQUIRE_INT(rg_joint_set_effort(world, joint[0], 0, -60), RG_OK); // turns about y: towards +x
    for (int k = 0; k < 500; k++)
      run_met_step(world, k);
    rgTwist v = rg_body_velocity(world, ball);
    CHECK_NEAR(v3_norm(v.linear), 0, 1e-6);
    CHECK(fabs(rg_body_pose(world, ball).position.z + 0.3) < 1e-3);
    CHECK_NEAR(coupled_state(world, joint[1]).error, 0, 1e-12);
    // at rest each finger carries half of the effort against the ball, but for its own weight's moment
    CHECK_NEAR(fabs(coupled_state(world, joint[1]).force), 30, 0.5);
    rg_world_destroy(world);
  }
}

static Geared plain_pair(void) {
  Pendulum p[2] = {{1, 0.5, 0.1}, {1, 0.5, 0.1}};
  return make_geared(make_world("reduced", "theta", 0.5, 1e-3, GRAVITY), p);
}

TEST(what_cannot_be_coupled_is_refused_with_a_reason) {
  Geared g = plain_pair();
  const struct {
    rgJointCoupling coupling;
    int axis;
    const char* says;
  } bad[] = {
      {{.leader = {77, 3}, .polynomial = {0, 1}}, 0, "there is no leader with index 77"},
      {{.leader = g.joint[0], .axis = 1, .polynomial = {0, 1}}, 0, "axis 1 of the leader"},
      {{.leader = g.joint[0], .axis = -1, .polynomial = {0, 1}}, 0, "axis -1 of the leader"},
      {{.leader = g.joint[0], .polynomial = {0, 1}}, 2, "axis 2 of the follower"},
      {{.leader = g.joint[1], .polynomial = {0, 1}}, 0, "follow itself"},
      {{.leader = g.joint[0], .polynomial = {(double)NAN, 1}}, 0, "coefficient 0"},
      {{.leader = g.joint[0], .polynomial = {0, 1, 0, HUGE_VAL}}, 0, "coefficient 3"},
      {{.leader = g.joint[0], .polynomial = {1}}, 0, "does not depend on its leader"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CONTEXT("%s", bad[i].says);
    CHECK(rg_joint_couple(g.world, g.joint[1], bad[i].axis, &bad[i].coupling) != RG_OK);
    CHECK_MSG(strstr(rg_world_message(g.world), bad[i].says), "%s", rg_world_message(g.world));
    CHECK(rg_joint_coupling(g.world, g.joint[1], 0, NULL, NULL) == RG_ERROR_NOT_FOUND);
  }
  couple(&g, (double[]){0, 1, 0, 0, 0});
  rgJointCoupling back = {.leader = g.joint[1], .polynomial = {0, 1}};
  CHECK_INT(rg_joint_couple(g.world, g.joint[0], 0, &back), RG_ERROR_INPUT);
  CHECK(strstr(rg_world_message(g.world), "must not form a loop"));
  rgJointDef ball = rg_joint_def(RG_JOINT_BALL);
  ball.body_b = g.body[1];
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(g.world, &ball, &id), RG_OK);
  CHECK_INT(rg_joint_couple(g.world, id, 0, &back), RG_ERROR_INPUT);
  CHECK(strstr(rg_world_message(g.world), "turn_x of a ball joint cannot be coupled"));
  rg_world_destroy(g.world);
}

TEST(a_coupling_ends_with_its_leader_and_is_part_of_what_a_world_is_built_of) {
  Geared g = plain_pair(), other = plain_pair();
  couple(&g, (double[]){0, 1, 0, 0, 0});
  run_steps(g.world, 3);
  size_t size = rg_world_save_size(g.world);
  void* state = malloc(size);
  REQUIRE(state && rg_world_save(g.world, state, size) == RG_OK);
  CHECK(rg_world_load(other.world, state, size) != RG_OK); // has no such coupling
  couple(&other, (double[]){0, 1, 0, 0, 0});
  REQUIRE_MSG(rg_world_load(other.world, state, size) == RG_OK, "%s",
              rg_world_message(other.world));
  run_steps(g.world, 20);
  run_steps(other.world, 20);
  CHECK(rg_world_hash(g.world) == rg_world_hash(other.world));
  rgJointCoupling got;
  REQUIRE_INT(rg_joint_coupling(g.world, g.joint[1], 0, &got, NULL), RG_OK);
  CHECK(rg_joint_equal(got.leader, g.joint[0]) && got.polynomial[1] == 1);
  REQUIRE_INT(rg_world_remove_joint(g.world, g.joint[0]), RG_OK);
  CHECK_INT(rg_joint_coupling(g.world, g.joint[1], 0, NULL, NULL), RG_ERROR_NOT_FOUND);
  run_steps(g.world, 3);
  REQUIRE_INT(rg_joint_couple(other.world, other.joint[1], 0, NULL), RG_OK);
  CHECK_INT(rg_joint_coupling(other.world, other.joint[1], 0, NULL, NULL), RG_ERROR_NOT_FOUND);
  run_steps(other.world, 3);
  free(state);
  rg_world_destroy(g.world);
  rg_world_destroy(other.world);
}

// The local form knows nothing of bodies: it gives the impulses of the step again, and passes through a file.
TEST(the_local_form_of_a_step_with_a_coupling_has_its_impulses) {
  for (int c = 0; c < 2; c++) {
    CONTEXT("%s", coordinates[c]);
    Geared chain = make_chain(make_world(coordinates[c], "theta", 1, 1e-3, GRAVITY));
    set(&chain, 0, 0.6, 0);
    couple(&chain, (double[]){0, -0.5, 0, 0, 0});
    run_steps(chain.world, 5);
    rgProblem problem;
    rgSolution solution;
    REQUIRE_INT(rg_world_island(chain.world, 0, &problem, &solution, NULL), RG_OK);
    rgProblem* local;
    rgMessage message = {""};
    REQUIRE_MSG(rg_problem_to_local(&problem, NULL, &local, &message) == RG_OK, "%s", message.text);
    const char* path = test_temporary("coupled.json");
    REQUIRE_MSG(rg_problem_write(&problem, path, &message) == RG_OK, "%s", message.text);
    rgProblem* read;
    REQUIRE_MSG(rg_problem_read(path, NULL, &read, &message) == RG_OK, "%s", message.text);
    CHECK(read->local && read->row_count == problem.row_count);
    const rgProblem* made[2] = {local, read};
    for (int i = 0; i < 2; i++) {
      rgStop stop = rg_stop_default();
      stop.tolerance = 1e-10;
      double v[64] = {0}, lambda[64] = {0};
      rgSolution answer = {.v = v, .lambda = lambda};
      void* work = malloc(rg_solve_work_size(made[i], "auto"));
      rgSolveReport report;
      REQUIRE(problem.row_count <= 64 && work);
      CHECK_MSG(rg_solve(made[i], "auto", NULL, &stop, &answer, work, &report, &message) == RG_OK,
                "%s", message.text);
      double size = 0;
      for (int k = 0; k < problem.row_count; k++)
        size = fmax(size, fabs(solution.lambda[k]));
      for (int k = 0; k < problem.row_count; k++)
        CHECK_NEAR(lambda[k], solution.lambda[k],
                   1e-7 * size); // both solved to 1e-10, W of condition 1e3
      free(work);
    }
    rg_problem_free(local, NULL);
    rg_problem_free(read, NULL);
    rg_world_destroy(chain.world);
  }
}

// A problem with far bodies is refused by those who do not see them.
TEST(other_solvers_refuse_couplings) {
  Geared g = plain_pair();
  couple(&g, (double[]){0, 1, 0, 0, 0});
  run_steps(g.world, 1);
  rgProblem problem;
  rgSolution solution;
  REQUIRE_INT(rg_world_island(g.world, 0, &problem, &solution, NULL), RG_OK);
  int refused = 0, all = 0;
  for (int i = 0; rg_solver_name(i); i++, all++) {
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    rgMessage message = {""};
    void* work = malloc(rg_solve_work_size(&problem, rg_solver_name(i)));
    rgStatus status =
        rg_solve(&problem, rg_solver_name(i), NULL, &stop, &solution, work, &report, &message);
    refused += status == RG_ERROR_UNSUPPORTED;
    free(work);
  }
  CHECK(all > 5 && refused == all - 1);
  rg_world_destroy(g.world);
}

// A planar joint has room for all that acts along its three axes, or for couplings beside the most of it: what would
// not fit is refused whichever comes last, and everything else is taken.
TEST(what_leaves_no_room_for_couplings_is_refused) {
  const rgJointAxis most = {.lower = -1,
                            .upper = 1,
                            .motor = true,
                            .motor_force = 1,
                            .friction = 1,
                            .stiffness = 1,
                            .servo_force = HUGE_VAL,
                            .servo_stiffness = 1};
  for (int last = 0; last < 3; last++) {
    rgWorld* world = build_world("default");
    rgJointDef wheel = rg_joint_def(RG_JOINT_HINGE), plane = rg_joint_def(RG_JOINT_PLANAR);
    rgJointId leader, follower;
    wheel.body_b = build_sphere(world, 0.1, v3(5, 0, 0));
    wheel.axis = plane.axis = v3(0, 0, 1);
    plane.body_b = build_sphere(world, 0.1, v3_zero());
    for (int i = 0; i < 3; i++)
      plane.axes[i] = most;
    REQUIRE_MSG(rg_world_add_joint(world, &wheel, &leader) == RG_OK, "%s", rg_world_message(world));
    REQUIRE_MSG(rg_world_add_joint(world, &plane, &follower) == RG_OK, "%s",
                rg_world_message(world));
    rgJointCoupling coupling = {.leader = leader, .polynomial = {0, 1}};
    REQUIRE_MSG(rg_joint_couple(world, follower, 0, &coupling) == RG_OK, "%s",
                rg_world_message(world));
    rgJointAxis with = most;
    with.servo = true; // 3 rows that hold, 6 for each axis, 1 of the coupling: two of 24 are left
    for (int i = 0; i < 3; i++) {
      int axis = (last + 1 + i) % 3;
      rgStatus status = rg_joint_set_axis(world, follower, axis, &with);
      CONTEXT("last axis %d, axis %d: %s", last, axis, rg_world_message(world));
      CHECK_INT(status, i < 2 ? RG_OK : RG_ERROR_INPUT);
    }
    CHECK_CONTAINS(rg_world_message(world), "too much acts along the axes of a joint");
    run_steps(world, 2);
    rg_world_destroy(world);
  }
}
