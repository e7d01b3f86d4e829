// What drives the axes of joints: rotors, efforts, servos, against motions that can be written down
// and against equations of motion that are integrated here by other means.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static const char* const PRESETS[] = {"default", "realtime", "reference"};
enum { PRESET_COUNT = sizeof PRESETS / sizeof *PRESETS };

static rgBodyId add_mass(rgWorld* world, rgVec3 at, double mass, rgVec3 moments) {
  rgBodyDef def = rg_body_def();
  def.pose.position = at;
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = m3_diag(moments.x, moments.y, moments.z);
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointId add_joint(rgWorld* world, const rgJointDef* def) {
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointState state_of(const rgWorld* world, rgJointId id) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
  return state;
}

static rgWorld* make_world(double h, double theta, double gravity) {
  rgWorld* world = build_world("reference");
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(0, 0, -gravity);
  options.step = h;
  options.theta = theta;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  return world;
}

// A mass of 2 kg on a slider along x.
static rgJointId add_slider(rgWorld* world, const rgJointAxis* axis, rgBodyId* body) {
  rgJointDef def = rg_joint_def(RG_JOINT_SLIDER);
  *body = def.body_b = add_mass(world, v3_zero(), 2, v3(0.1, 0.1, 0.1));
  def.axes[0] = *axis;
  return add_joint(world, &def);
}

static rgJointAxis free_axis(void) { return rg_joint_def(RG_JOINT_SLIDER).axes[0]; }

// -------------------------------------------------------------------------------------------------
// Rotors
// -------------------------------------------------------------------------------------------------

static const double LENGTH = 0.7, MASS = 1.5, MOMENT = 0.08, GRAVITY = 9.81;

static double mean_of(double a, double b) {
  for (int i = 0; i < 40; i++) {
    double sum = 0.5 * (a + b);
    b = sqrt(a * b);
    a = sum;
  }
  return a;
}

// Of the pendulum below, released at `amplitude` [rad]: the arithmetic-geometric mean of Gauss.
static double period_of(double armature, double amplitude) {
  double inertia = MASS * LENGTH * LENGTH + MOMENT + armature;
  return 2 * PI * sqrt(inertia / (MASS * GRAVITY * LENGTH)) / mean_of(1, cos(0.5 * amplitude));
}

// [s] from the release to the second time that the pendulum hangs straight down.
static double measured_period(double armature, double amplitude, double h, double theta) {
  rgWorld* world = make_world(h, theta, GRAVITY);
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.body_b = add_mass(world, v3(0, 0, -LENGTH), MASS, v3(0.05, MOMENT, 0.06));
  def.axis = v3(0, 1, 0);
  def.axes[0].armature = armature;
  rgJointId joint = add_joint(world, &def);
  REQUIRE_INT(rg_joint_set_state(world, joint, &amplitude, NULL), RG_OK);
  double last = amplitude, time = 0;
  for (int crossings = 0; crossings < 2;) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    double now = state_of(world, joint).coordinate[0];
    time += h;
    crossings += last * now <= 0;
    if (crossings < 2)
      last = now;
    else
      time -= h * now / (now - last); // nearly straight there
  }
  rg_world_destroy(world);
  return time;
}

TEST(a_rotor_adds_to_the_inertia_of_a_pendulum) {
  static const double armatures[] = {0, 0.05, 0.8, 40}, amplitudes[] = {0.2, 1.5, 2.8};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      double exact = 0.75 * period_of(armatures[i], amplitudes[k]);
      double coarse = measured_period(armatures[i], amplitudes[k], 2e-3, 0.5) - exact;
      double fine = measured_period(armatures[i], amplitudes[k], 1e-3, 0.5) - exact;
      CONTEXT("armature %g, amplitude %g: errors %g and %g s", armatures[i], amplitudes[k], coarse,
              fine);
      CHECK(fabs(fine) < 2e-6 * exact);
      CHECK_NEAR(coarse / fine, 4, 0.3); // second order
    }
}

// A tree of hinges with skew axes, from the ground or free, each with a rotor.
static rgWorld* make_tree(int links, double h, double theta, bool grounded, uint64_t seed,
                          double gravity) {
  rgWorld* world = make_world(h, theta, gravity);
  rgBodyId bodies[16];
  rgVec3 ends[16];
  random_state = seed;
  for (int i = 0; i < links; i++) {
    int parent = i == 0 ? -1 : (int)random_between(0, i);
    rgVec3 from = parent < 0 ? v3_zero() : ends[parent];
    rgVec3 way = v3_scale(random_direction(), 0.4);
    bodies[i] =
        add_mass(world, v3_axpy(from, 0.5, way), random_between(0.5, 1.5), v3(0.01, 0.015, 0.02));
    ends[i] = v3_add(from, way);
    if (parent < 0 && !grounded)
      continue;
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    if (parent >= 0)
      def.body_a = bodies[parent];
    def.body_b = bodies[i];
    def.point = from;
    def.axis = random_direction();
    def.axes[0].armature = i % 3 == 2 ? 0 : random_between(0, 0.1);
    rgJointId joint = add_joint(world, &def);
    double rate = random_between(-3, 3);
    REQUIRE_INT(rg_joint_set_state(world, joint, NULL, &rate), RG_OK);
  }
  return world;
}

TEST(rotors_keep_the_energy_at_theta_one_half) {
  for (uint64_t seed = 1; seed <= 6; seed++) {
    rgWorld* world = make_tree(7, 1e-3, 0.5, seed % 2, 77 * seed, GRAVITY);
    rgEnergy start = rg_world_energy(world);
    double most = start.kinetic, off = 0;
    for (int i = 0; i < 2000; i++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      CHECK(certificate.met);
      rgEnergy now = rg_world_energy(world);
      most = fmax(most, now.kinetic);
      off = fmax(off, fabs(now.kinetic + now.potential - start.kinetic - start.potential));
    }
    // what solves and ringing of joints leave, as without rotors
    CHECK_MSG(off < 1e-9 * most, "seed %d: off by %g of %g J", (int)seed, off, most);
    rg_world_destroy(world);
  }
}

TEST(rotors_never_gain_energy_above_theta_one_half) {
  static const double steps[] = {1e-3, 5e-3, 2e-2};
  for (int k = 0; k < 3; k++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      rgWorld* world = make_tree(6, steps[k], seed % 2 ? 1 : 0.7, seed % 2, 13 * seed, 0);
      double last = rg_world_energy(world).kinetic;
      for (int i = 0; i < 300; i++) {
        REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
        double now = rg_world_energy(world).kinetic;
        CHECK_MSG(now <= last * (1 + 1e-9), "step %d: %.12g after %.12g J", i, now, last);
        last = now;
      }
      rg_world_destroy(world);
    }
}

// Two rods in a plane, with the equations of motion in joint angles and rotors on the diagonal of the
// mass matrix: q1 and q2 against the vertical and against the first rod.
typedef struct Arm {
  double length, mass, moment, armature[2];
} Arm;

static void arm_slope(const Arm* arm, const double* y, double* slope) {
  double l = arm->length, m = arm->mass, c = 0.5 * l, g = GRAVITY;
  double cosine = cos(y[1]), sine = sin(y[1]);
  double m22 = m * c * c + arm->moment, m12 = m22 + m * l * c * cosine;
  double m11 = m * c * c + arm->moment + m * l * l + 2 * m * l * c * cosine + m22;
  double b = m * l * c * sine;
  double f1 = b * (2 * y[2] * y[3] + y[3] * y[3]) - m * g * c * sin(y[0]) - m * g * l * sin(y[0]) -
              m * g * c * sin(y[0] + y[1]);
  double f2 = -b * y[2] * y[2] - m * g * c * sin(y[0] + y[1]);
  double a = m11 + arm->armature[0], d = m22 + arm->armature[1], det = a * d - m12 * m12;
  slope[0] = y[2];
  slope[1] = y[3];
  slope[2] = (d * f1 - m12 * f2) / det;
  slope[3] = (a * f2 - m12 * f1) / det;
}

static void integrate_arm(const Arm* arm, double* y, double time, int steps) {
  double h = time / steps, k[4][4], at[4];
  for (int i = 0; i < steps; i++) {
    arm_slope(arm, y, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int j = 0; j < 4; j++)
        at[j] = y[j] + (s < 3 ? 0.5 : 1) * h * k[s - 1][j];
      arm_slope(arm, at, k[s]);
    }
    for (int j = 0; j < 4; j++)
      y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

static rgWorld* make_arm(const Arm* arm, double h, double theta, rgJointId* joints,
                         const char* preset) {
  rgWorld* world = build_world(preset);
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(0, 0, -GRAVITY);
  options.step = h;
  options.theta = theta;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.axis = v3(0, -1, 0);
  for (int i = 0; i < 2; i++) {
    def.body_b = add_mass(world, v3(0, 0, -(i + 0.5) * arm->length), arm->mass,
                          v3(arm->moment, arm->moment, 0.1 * arm->moment));
    def.point = v3(0, 0, -i * arm->length);
    def.axes[0].armature = arm->armature[i];
    joints[i] = add_joint(world, &def);
    def.body_a = def.body_b;
  }
  return world;
}

static double arm_error(const Arm* arm, const double* exact, double h) {
  rgJointId joints[2];
  rgWorld* world = make_arm(arm, h, 0.5, joints, "reference");
  double angles[2] = {1.1, -0.6}, rates[2] = {0.5, 2};
  REQUIRE_INT(rg_world_set_coordinates(world, angles, rates), RG_OK);
  for (int i = 0; i < (int)floor(1 / h + 0.5); i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  double error = 0;
  for (int i = 0; i < 2; i++) {
    rgJointState state = state_of(world, joints[i]);
    error = fmax(error, fabs(state.coordinate[0] - exact[i]));
    error = fmax(error, fabs(state.rate[0] - exact[2 + i]));
  }
  rg_world_destroy(world);
  return error;
}

TEST(an_arm_with_rotors_moves_as_the_equations_in_joint_angles_say) {
  static const double armatures[][2] = {{0, 0}, {0.3, 0}, {0, 0.2}, {0.05, 0.4}, {5, 8}};
  for (int i = 0; i < 5; i++) {
    Arm arm = {0.5, 1.2, 0.03, {armatures[i][0], armatures[i][1]}};
    double exact[4] = {1.1, -0.6, 0.5, 2};
    integrate_arm(&arm, exact, 1, 20000);
    double coarse = arm_error(&arm, exact, 2e-3), fine = arm_error(&arm, exact, 1e-3);
    CONTEXT("armatures %g, %g: errors %g, %g", armatures[i][0], armatures[i][1], coarse, fine);
    CHECK(fine < 1e-3);
    CHECK_NEAR(coarse / fine, 4, 0.4);
  }
}

// -------------------------------------------------------------------------------------------------
// Servos
// -------------------------------------------------------------------------------------------------

// A mass at rest at 0 on a servo with the target 1: m x'' = k (1 - x) - c x'.
static double response_of(double k, double c, double m, double t) {
  double decay = 0.5 * c / m, square = k / m - decay * decay;
  if (square > 0) {
    double w = sqrt(square);
    return 1 - exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
  }
  double w = sqrt(-square);
  double slow = -decay + w, fast = -decay - w;
  return 1 + (fast * exp(slow * t) - slow * exp(fast * t)) / (slow - fast);
}

static double response_error(double k, double c, double h, double theta) {
  rgWorld* world = make_world(h, theta, GRAVITY);
  rgJointAxis axis = free_axis();
  axis.servo = true;
  axis.servo_target = 1;
  axis.servo_stiffness = k;
  axis.servo_damping = c;
  rgBodyId body;
  rgJointId joint = add_slider(world, &axis, &body);
  double error = 0;
  for (int i = 1; i <= (int)floor(1 / h + 0.5); i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    error = fmax(error, fabs(state_of(world, joint).coordinate[0] - response_of(k, c, 2, i * h)));
  }
  rg_world_destroy(world);
  return error;
}

TEST(a_servo_answers_a_step_as_a_damped_oscillator) {
  static const double gains[][2] = {{50, 1}, {200, 8}, {200, 60}, {20, 40}};
  for (int i = 0; i < 4; i++)
    for (int first = 0; first < 2; first++) {
      double theta = first ? 1 : 0.5, k = gains[i][0], c = gains[i][1];
      double coarse = response_error(k, c, 4e-3, theta), fine = response_error(k, c, 2e-3, theta);
      CONTEXT("k %g, c %g, theta %g: errors %g, %g", k, c, theta, coarse, fine);
      CHECK(fine < (first ? 0.05 : 3e-4));
      CHECK_NEAR(coarse / fine, first ? 2 : 4, first ? 0.25 : 0.4);
    }
}

TEST(a_servo_acts_with_its_bound_and_not_more) {
  static const double forces[] = {0.01, 3, 700};
  for (int k = 0; k < 3; k++)
    for (int p = 0; p < PRESET_COUNT; p++) {
      rgWorld* world = build_world(PRESETS[p]);
      double h = rg_world_options(world)->step;
      rgJointAxis axis = free_axis();
      axis.servo = true;
      axis.servo_target = -1e6;
      axis.servo_stiffness = 1e5;
      axis.servo_damping = 10;
      axis.servo_force = forces[k];
      rgBodyId body;
      rgJointId joint = add_slider(world, &axis, &body);
      CONTEXT("%s, %g N", PRESETS[p], forces[k]);
      for (int i = 1; i <= 50; i++) {
        rgCertificate certificate;
        REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
        CHECK(certificate.met);
        rgJointState state = state_of(world, joint);
        CHECK_REL(state.force[0], -forces[k], 1e-15);
        CHECK_REL(state.rate[0], -forces[k] / 2 * h * i, 1e-12);
        CHECK_NEAR(certificate.energy, 0, 1e-3 * forces[k] * forces[k]); // its work is outside work
      }
      rg_world_destroy(world);
    }
}

// The torques of joints that carry the weights alone, and no rates.
static void check_rest(const rgWorld* world, const Arm* arm, const rgJointId* joints) {
  rgJointState upper = state_of(world, joints[0]), lower = state_of(world, joints[1]);
  double q1 = upper.coordinate[0], q2 = q1 + lower.coordinate[0];
  double weight = arm->mass * GRAVITY, c = 0.5 * arm->length;
  double second = weight * c * sin(q2), first = weight * (c + arm->length) * sin(q1) + second;
  double tolerance = fmax(1e-6, rg_world_options(world)->tolerance);
  CHECK_NEAR(upper.force[0], first, 10 * tolerance * weight);
  CHECK_NEAR(lower.force[0], second, 10 * tolerance * weight);
  CHECK_NEAR(upper.rate[0], 0, 10 * tolerance);
  CHECK_NEAR(lower.rate[0], 0, 10 * tolerance);
}

TEST(stiff_servos_hold_an_arm_at_long_steps) {
  static const double stiffness[] = {1e2, 1e4, 1e6, 1e8};
  const Arm arm = {0.5, 1.2, 0.03, {0.02, 0.01}};
  for (int k = 0; k < 4; k++)
    for (int p = 0; p < PRESET_COUNT; p++) {
      rgJointId joints[2];
      rgWorld* world = make_arm(&arm, 5e-3, p == 2 ? 0.5 : 1, joints, PRESETS[p]);
      double targets[2] = {1.2, -0.7};
      for (int i = 0; i < 2; i++) {
        rgJointAxis axis = free_axis();
        axis.armature = arm.armature[i];
        axis.servo = true;
        axis.servo_target = targets[i];
        axis.servo_stiffness = stiffness[k];
        axis.servo_damping = 2 * sqrt(stiffness[k]);
        REQUIRE_INT(rg_joint_set_axis(world, joints[i], 0, &axis), RG_OK);
      }
      CONTEXT("stiffness %g, %s", stiffness[k], PRESETS[p]);
      for (int i = 0; i < 1000; i++) {
        REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
        for (int j = 0; j < 2; j++)
          CHECK(fabs(state_of(world, joints[j]).coordinate[0]) < 2 * PI);
      }
      // at theta = 1/2 what a stiff servo makes ring is not damped, but it does not grow either
      if (p != 2 || stiffness[k] < 1e4)
        check_rest(world, &arm, joints);
      for (int j = 0; j < 2; j++) {
        double give = arm.mass * GRAVITY * 2 * arm.length / stiffness[k];
        CHECK_NEAR(state_of(world, joints[j]).coordinate[0], targets[j], give + 1e-3 * (p == 2));
      }
      rg_world_destroy(world);
    }
}

TEST(a_servo_of_damping_alone_follows_its_speed) {
  for (int p = 0; p < PRESET_COUNT; p++) {
    rgWorld* world = build_world(PRESETS[p]);
    rgJointAxis axis = free_axis();
    axis.servo = true;
    axis.servo_damping = 400; // a time of 5 ms
    axis.servo_force = 1e4;
    rgBodyId body;
    rgJointId joint = add_slider(world, &axis, &body);
    for (int k = -1; k <= 1; k++) {
      REQUIRE_INT(rg_joint_set_servo(world, joint, 0, 123, 0.8 * k), RG_OK);
      for (int i = 0; i < 300; i++)
        REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      CHECK_NEAR(state_of(world, joint).rate[0], 0.8 * k, rg_world_options(world)->tolerance);
    }
    rg_world_destroy(world);
  }
}

// -------------------------------------------------------------------------------------------------
// Efforts
// -------------------------------------------------------------------------------------------------

TEST(an_effort_balances_gravity_exactly) {
  for (int p = 0; p < PRESET_COUNT; p++)
    for (int kind = 0; kind < 2; kind++) {
      rgWorld* world = build_world(PRESETS[p]);
      bool hinge = kind == 0;
      rgJointDef def = rg_joint_def(hinge ? RG_JOINT_HINGE : RG_JOINT_SLIDER);
      def.body_b = add_mass(world, v3(0.5, 0, 0), 2, v3(0.1, 0.2, 0.3));
      def.axis = hinge ? v3(0, -1, 0) : v3(0, 0, 1);
      def.axes[0].effort = hinge ? 2 * 9.81 * 0.5 : 2 * 9.81;
      rgJointId joint = add_joint(world, &def);
      CONTEXT("%s, %s", PRESETS[p], hinge ? "hinge" : "slider");
      for (int i = 0; i < 500; i++) {
        rgCertificate certificate;
        REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
        CHECK(certificate.met);
      }
      rgJointState state = state_of(world, joint);
      CHECK_NEAR(state.coordinate[0], 0, 1e-12);
      CHECK_NEAR(state.rate[0], 0, 1e-12);
      CHECK_REL(state.force[0], def.axes[0].effort, 1e-15);
      rg_world_destroy(world);
    }
}

// Its work is that of the axis, and its resultant is none.
TEST(an_effort_between_free_bodies_does_its_work_and_keeps_the_momentum) {
  static const double efforts[] = {-0.3, 0.05, 4};
  for (int k = 0; k < 3; k++) {
    rgWorld* world = make_world(1e-3, 0.5, 0);
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    def.body_a = add_mass(world, v3(-0.3, 0.1, 0), 1, v3(0.02, 0.03, 0.04));
    def.body_b = add_mass(world, v3(0.4, 0, 0.1), 2, v3(0.05, 0.03, 0.06));
    def.axis = v3(0.3, 1, 0.2);
    def.axes[0].armature = 0.02;
    rgJointId joint = add_joint(world, &def);
    for (int i = 0; i < 600; i++) {
      REQUIRE_INT(rg_joint_set_effort(world, joint, 0, i < 300 ? efforts[k] : 0), RG_OK);
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      double turned = state_of(world, joint).coordinate[0];
      if (i == 299)
        CHECK_REL(rg_world_energy(world).kinetic, efforts[k] * turned, 1e-5); // O(h^2), 40 rad/s
      if (i == 300)
        CHECK(fabs(turned) > 1e-3);
    }
    rgTwist momentum = rg_world_momentum(world);
    CHECK(v3_norm(momentum.linear) < 1e-9 && v3_norm(momentum.angular) < 1e-9);
    rg_world_destroy(world);
  }
}

// Dry friction, a motor and an effort on one axis: what is left over is what accelerates.
TEST(efforts_act_against_friction_and_motors) {
  static const struct {
    double effort, friction, motor, force; // of the axis once it moves
  } cases[] = {{3, 5, 0, 0}, {8, 5, 0, 3}, {-8, 5, 0, -3}, {4, 0, 6, 0}, {8, 1, 6, 1}};
  for (int p = 0; p < PRESET_COUNT; p++)
    for (int k = 0; k < 5; k++) {
      rgWorld* world = build_world(PRESETS[p]);
      rgJointAxis axis = free_axis();
      axis.effort = cases[k].effort;
      axis.friction = cases[k].friction;
      axis.motor = cases[k].motor > 0; // that brakes
      axis.motor_force = cases[k].motor;
      rgBodyId body;
      rgJointId joint = add_slider(world, &axis, &body);
      CONTEXT("%s, effort %g, friction %g, motor %g", PRESETS[p], cases[k].effort,
              cases[k].friction, cases[k].motor);
      run_steps(world, 30);
      double h = rg_world_options(world)->step;
      rgJointState state = state_of(world, joint);
      CHECK_NEAR(state.rate[0], 30 * h * cases[k].force / 2, 1e-9);
      CHECK_NEAR(state.force[0], cases[k].force, 1e-6);
      rg_world_destroy(world);
    }
}

// -------------------------------------------------------------------------------------------------
// Steppers, planes, snapshots, input
// -------------------------------------------------------------------------------------------------

static rgWorld* make_planar(int dimension, const char* stepper, rgJointId* joint) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("default", &def.options);
  def.dimension = dimension;
  def.options.gravity = v3(0, -GRAVITY, 0);
  def.options.step = 1e-3;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  rgWorld* world = build_world_of(&def);
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.axis = v3(0, 0, 1);
  hinge.body_b = add_mass(world, v3(0.4, 0, 0), 1, v3(0.02, 0.02, 0.02));
  hinge.axes[0].armature = 0.1;
  hinge.axes[0].effort = 0.5;
  hinge.axes[0].servo = true;
  hinge.axes[0].servo_target = 0.3;
  hinge.axes[0].servo_stiffness = 20;
  hinge.axes[0].servo_damping = 1;
  hinge.axes[0].servo_force = 5;
  *joint = add_joint(world, &hinge);
  return world;
}

TEST(all_steppers_drive_an_axis_alike) {
  static const char* const steppers[] = {"theta", "anitescu-potra", "stewart-trinkle", "gauss"};
  for (int dimension = 2; dimension <= 3; dimension++) {
    double first = 0;
    for (int k = 0; k < 4; k++) {
      rgJointId joint;
      rgWorld* world = make_planar(dimension, steppers[k], &joint);
      CONTEXT("%s, dimension %d", steppers[k], dimension);
      for (int i = 0; i < 400; i++) {
        rgCertificate certificate;
        REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
        CHECK(certificate.met);
      }
      double now = state_of(world, joint).coordinate[0];
      first = k == 0 ? now : first;
      CHECK_NEAR(now, first, 3e-3); // first order, rates up to 2 rad/s
      rg_world_destroy(world);
    }
  }
}

TEST(without_inertia_a_rotor_is_a_drag) {
  rgWorld* world = build_still("default");
  rgOptions options = *rg_world_options(world);
  snprintf(options.stepper, sizeof options.stepper, "first-order");
  options.damping_time = 0.5;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  rgJointAxis axis = free_axis();
  axis.effort = 6;
  axis.armature = 4;
  rgBodyId body;
  rgJointId joint = add_slider(world, &axis, &body);
  run_steps(world, 10);
  CHECK_REL(state_of(world, joint).rate[0], 0.5 * 6 / (2 + 4), 1e-9); // tau F / (m + a)
  rg_world_destroy(world);
}

TEST(a_snapshot_holds_what_drives_axes) {
  for (int p = 0; p < PRESET_COUNT; p++) {
    rgWorld* worlds[2];
    for (int k = 0; k < 2; k++) {
      worlds[k] = make_tree(6, 2e-3, p == 2 ? 0.5 : 1, true, 5, GRAVITY);
      for (int i = 0; i < rg_world_joint_count(worlds[k]); i++) {
        rgJointAxis axis = free_axis();
        axis.armature = 0.03;
        axis.effort = 0.2;
        axis.servo = true;
        axis.servo_stiffness = 5;
        axis.servo_force = i % 2 ? 0.3 : HUGE_VAL;
        REQUIRE_INT(rg_joint_set_axis(worlds[k], rg_world_joint(worlds[k], i), 0, &axis), RG_OK);
      }
    }
    run_steps(worlds[0], 40);
    REQUIRE_INT(rg_joint_set_servo(worlds[0], rg_world_joint(worlds[0], 1), 0, 0.4, -0.1), RG_OK);
    REQUIRE_INT(rg_joint_set_effort(worlds[0], rg_world_joint(worlds[0], 2), 0, 0), RG_OK);
    Snapshot snapshot = save(worlds[0]);
    REQUIRE_INT(rg_world_load(worlds[1], snapshot.data, snapshot.size), RG_OK);
    for (int i = 0; i < 40; i++) {
      run_steps(worlds[0], 1);
      run_steps(worlds[1], 1);
      CHECK_HEX(rg_world_hash(worlds[0]), rg_world_hash(worlds[1]));
      CHECK_BITS(rg_world_energy(worlds[0]).kinetic, rg_world_energy(worlds[1]).kinetic);
    }
    free(snapshot.data);
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}

TEST(bad_values_are_refused_with_what_would_be_right) {
  rgWorld* world = build_world("default");
  rgBodyId body;
  rgJointAxis good = free_axis();
  rgJointId joint = add_slider(world, &good, &body);
  rgJointAxis axis = good;
  axis.armature = -1;
  CHECK_INT(rg_joint_set_axis(world, joint, 0, &axis), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "armature is -1, must be >= 0");
  axis = good;
  axis.servo = true;
  CHECK_INT(rg_joint_set_axis(world, joint, 0, &axis), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "neither stiffness nor damping");
  axis.servo_stiffness = 1;
  axis.servo_force = 0;
  CHECK_INT(rg_joint_set_axis(world, joint, 0, &axis), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "must be > 0");
  axis.servo_force = (double)NAN;
  CHECK_INT(rg_joint_set_axis(world, joint, 0, &axis), RG_ERROR_INPUT);
  axis.servo_force = 1;
  axis.servo_target = HUGE_VAL;
  CHECK_INT(rg_joint_set_axis(world, joint, 0, &axis), RG_ERROR_INPUT);
  CHECK_INT(rg_joint_set_servo(world, joint, 0, 1, 0), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "no servo");
  CHECK_INT(rg_joint_set_effort(world, joint, 0, (double)NAN), RG_ERROR_INPUT);
  CHECK_INT(rg_joint_set_effort(world, joint, 1, 0), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "axis 1 does not exist");
  rgJointDef ball = rg_joint_def(RG_JOINT_BALL);
  ball.body_b = body;
  ball.axes[3].effort = 1;
  rgJointId id;
  CHECK_INT(rg_world_add_joint(world, &ball, &id), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "swing takes limits only");
  rg_world_destroy(world);
}
