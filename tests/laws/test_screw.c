// A nut on a screw: closed forms, energy and momentum, many turns, and what acts along the thread.
#include "math/trig.h"
#include "math/vec.h"
#include "support/snapshot.h"
#include "test.h"
#include <rigor/rigor.h>

static const double G = 9.81; // [m/s2]

static rgWorld* make_world(const char* preset, double h, rgVec3 gravity) {
  rgWorldDef def = rg_world_def();
  rg_options_preset(preset, &def.options);
  def.options.gravity = gravity;
  def.options.step = h;
  def.options.theta = 0.5;
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  return world;
}

static void set(rgWorld* world, const char* option, const char* name) {
  rgOptions options = *rg_world_options(world);
  char* place = strcmp(option, "stepper") == 0 ? options.stepper : options.stabilizer;
  snprintf(place, sizeof options.stepper, "%s", name);
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
}

static rgBodyId add_body(rgWorld* world, rgVec3 at, double mass, rgVec3 inertia) {
  rgBodyDef def = rg_body_def();
  def.pose.position = at;
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = m3_diag(inertia.x, inertia.y, inertia.z);
  rgBodyId id;
  REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &id), RG_OK);
  return id;
}

// A screw along z at the origin.
static rgJointDef screw_def(double lead) {
  rgJointDef def = rg_joint_def(RG_JOINT_SCREW);
  def.axis = v3(0, 0, 1);
  REQUIRE_INT(rg_joint_def_set(&def, "lead", lead), RG_OK);
  return def;
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

static void run(rgWorld* world, int steps) {
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    REQUIRE(certificate.met);
  }
}

// A nut of a mass and a moment about z on a vertical screw that stands on the ground.
typedef struct Nut {
  rgWorld* world;
  rgBodyId body;
  rgJointId joint;
} Nut;

static Nut make_nut(const char* preset, double h, rgVec3 gravity, double mass, double moment,
                    const rgJointDef* screw) {
  Nut nut = {.world = make_world(preset, h, gravity)};
  nut.body = add_body(nut.world, v3_zero(), mass, v3(moment, moment, moment));
  rgJointDef def = *screw;
  def.body_b = nut.body;
  nut.joint = add_joint(nut.world, &def);
  return nut;
}

static double height(const Nut* nut) { return rg_body_pose(nut->world, nut->body).position.z; }

static void push(const Nut* nut, double force) {
  rgForceDef def = rg_force_def();
  def.body = nut->body;
  def.wrench.force = v3(0, 0, force);
  rgForceId id;
  REQUIRE_INT(rg_world_add_force(nut->world, &def, &id), RG_OK);
}

static const double leads[] = {-0.5, 0.02, 0, 3, 50};
enum { LEADS = sizeof leads / sizeof *leads };

TEST(a_nut_falls_with_the_acceleration_of_its_mass_and_its_moment) {
  static const double masses[] = {0.1, 20}, moments[] = {1e-3, 2};
  for (int i = 0; i < LEADS; i++)
    for (int k = 0; k < 2; k++) {
      double lead = leads[i], mass = masses[k], moment = moments[k];
      CONTEXT("lead %g m, %g kg, %g kg m2", lead, mass, moment);
      rgJointDef def = screw_def(lead);
      Nut nut = make_nut("reference", 1e-3, v3(0, 0, -G), mass, moment, &def);
      run(nut.world, 1000);
      double ratio = 2 * RG_PI / lead; // [rad/m]
      double a = lead == 0 ? 0 : G / (1 + ratio * ratio * moment / mass);
      double turned = lead == 0 ? 0 : -ratio * 0.5 * a;
      rgJointState state = state_of(nut.world, nut.joint);
      // h w is the Cayley vector of a turn, which is shorter than that by (h w)^2 / 12 of it
      double w = 1e-3 * 2 * turned, allowed = w * w / 12 + 1e-9;
      CHECK_NEAR(height(&nut), -0.5 * a, allowed * fmax(a, 0.01));
      CHECK_NEAR(state.coordinate[0], turned, allowed * fmax(fabs(turned), 1));
      CHECK_NEAR(state.rate[0], 2 * turned, allowed * fmax(2 * fabs(turned), 1));
      CHECK(state.gap < 1e-10 && state.twist < 1e-10);
      rg_world_destroy(nut.world);
    }
}

// Angular momentum of a body about the origin.
static rgVec3 spin_of(const rgWorld* world, rgBodyId id, double mass, rgVec3 inertia) {
  rgPose pose = rg_body_pose(world, id);
  rgTwist v = rg_body_velocity(world, id);
  rgVec3 local = quat_rotate(quat_conj(pose.orientation), v.angular);
  rgVec3 own = v3(local.x * inertia.x, local.y * inertia.y, local.z * inertia.z);
  return v3_add(v3_scale(v3_cross(pose.position, v.linear), mass),
                quat_rotate(pose.orientation, own));
}

TEST(two_bodies_on_a_screw_keep_energy_and_momentum) {
  static const rgVec3 inertia_a = {0.3, 0.5, 0.4}, inertia_b = {0.05, 0.02, 0.04};
  static const rgVec3 points[2] = {{0.2, -0.1, -0.3}, {-0.1, 0.3, 0.2}};
  for (int i = 0; i < LEADS; i++)
    for (int spring = 0; spring < 2; spring++) {
      CONTEXT("lead %g m, spring %d", leads[i], spring);
      rgWorld* world = make_world("reference", 1e-3, v3_zero());
      rgJointDef def = screw_def(leads[i]);
      rgBodyId a = def.body_a = add_body(world, points[0], 3, inertia_a);
      rgBodyId b = def.body_b = add_body(world, points[1], 0.7, inertia_b);
      def.axes[0].stiffness = spring ? 2 : 0;
      def.axes[0].rest = 1;
      rgJointId joint = add_joint(world, &def);
      rg_body_set_velocity(world, a, (rgTwist){v3(0.3, 0, -0.2), v3(0.4, -0.8, 1)});
      rg_body_set_velocity(world, b, (rgTwist){v3(0.1, 0.5, 0.3), v3(0.2, 0.5, -3)});
      run(world, 1); // which makes the velocities suit the joint
      rgEnergy start = rg_world_energy(world);
      rgVec3 spin = v3_add(spin_of(world, a, 3, inertia_a), spin_of(world, b, 0.7, inertia_b));
      rgVec3 p = v3_axpy(v3_scale(rg_body_velocity(world, a).linear, 3), 0.7,
                         rg_body_velocity(world, b).linear);
      double worst = 0, gap = 0, most = start.kinetic;
      for (int n = 0; n < 10000; n++) {
        run(world, 1);
        rgEnergy now = rg_world_energy(world);
        double change = now.kinetic + now.potential - start.kinetic - start.potential;
        worst = fmax(worst, fabs(change));
        most = fmax(most, now.kinetic);
        gap = fmax(gap, state_of(world, joint).gap);
      }
      CHECK_MSG(worst < 1e-10 * most, "energy changed by %g of %g J", worst, most);
      CHECK_MSG(gap < 1e-10, "gap %g m", gap);
      rgVec3 spin_end = v3_add(spin_of(world, a, 3, inertia_a), spin_of(world, b, 0.7, inertia_b));
      rgVec3 p_end = v3_axpy(v3_scale(rg_body_velocity(world, a).linear, 3), 0.7,
                             rg_body_velocity(world, b).linear);
      CHECK_NEAR(v3_norm(v3_sub(p_end, p)), 0, 1e-10);
      CHECK_NEAR(v3_norm(v3_sub(spin_end, spin)), 0, 1e-10);
      rg_world_destroy(world);
    }
}

TEST(the_coupling_is_kept_without_a_stabilizer_in_large_steps) {
  // 0.5 rad in a step: with the row of a mean axis the coupling would be off by 2 % of each turn
  rgJointDef def = screw_def(0.1);
  Nut nut = make_nut("reference", 0.02, v3_zero(), 1, 0.01, &def);
  set(nut.world, "stabilizer", "none");
  rgTwist spin = {v3(0, 0, 25 * 0.1 / (2 * RG_PI)), v3(0, 0, 25)};
  REQUIRE_INT(rg_body_set_velocity(nut.world, nut.body, spin), RG_OK);
  run(nut.world, 2000); // some 160 turns
  rgJointState state = state_of(nut.world, nut.joint);
  CHECK(state.coordinate[0] > 150 * 2 * RG_PI);
  CHECK_NEAR(height(&nut), 0.1 * state.coordinate[0] / (2 * RG_PI), 1e-10);
  rg_world_destroy(nut.world);
}

TEST(a_motor_turns_its_torque_into_force_along_the_axis) {
  static const double given[] = {-0.3, 0.01, 2};
  for (int i = 0; i < 3; i++) {
    double lead = given[i], torque = 2, mass = 4, moment = 0.03, ratio = 2 * RG_PI / lead;
    CONTEXT("lead %g m", lead);
    rgJointDef def = screw_def(lead);
    def.axes[0].motor = true;
    def.axes[0].motor_speed = 1e6; // never reached: the torque is at its bound
    def.axes[0].motor_force = torque;
    Nut nut = make_nut("reference", 1e-4, v3_zero(), mass, moment, &def);
    run(nut.world, 100);
    double force = ratio * torque, a = force / (mass + ratio * ratio * moment);
    CHECK_REL(rg_body_velocity(nut.world, nut.body).linear.z, a * 0.01, 1e-8);
    CHECK_REL(state_of(nut.world, nut.joint).force[0], torque, 1e-9);
    rg_world_destroy(nut.world);

    // At rest the torque holds exactly this force, and no more.
    for (int more = 0; more < 2; more++) {
      def.axes[0].motor_speed = 0;
      nut = make_nut("reference", 1e-4, v3_zero(), mass, moment, &def);
      push(&nut, -force * (more ? 1.01 : 0.99));
      run(nut.world, 100);
      rgJointState state = state_of(nut.world, nut.joint);
      if (more)
        CHECK(state.rate[0] < -1e-6);
      else {
        CHECK_NEAR(state.rate[0], 0, 1e-8);
        CHECK_REL(state.force[0], 0.99 * torque, 1e-7);
        CHECK_REL(state.reaction.force.z, 0.99 * force, 1e-7);
        CHECK_NEAR(v3_norm(state.reaction.torque), 0, 1e-7);
      }
      rg_world_destroy(nut.world);
    }
  }
}

TEST(a_hundred_turns_lose_nothing) {
  static const char* const presets[] = {"reference", "default", "realtime"};
  for (int i = 0; i < 3; i++) {
    CONTEXT("%s", presets[i]);
    rgJointDef def = screw_def(0.01);
    def.axes[0].motor = true;
    def.axes[0].motor_speed = 40 * RG_PI; // 20 turns a second
    def.axes[0].motor_force = 100;
    Nut nut = make_nut(presets[i], 1e-3, v3(0, 0, -G), 1, 1e-3, &def);
    for (int n = 0; n < 5000; n++) {
      REQUIRE_INT(rg_world_step(nut.world, NULL), RG_OK);
      CHECK(state_of(nut.world, nut.joint).gap < 1e-9);
    }
    rgJointState state = state_of(nut.world, nut.joint);
    CHECK(state.coordinate[0] > 99 * 2 * RG_PI);
    CHECK_NEAR(height(&nut), 0.01 * state.coordinate[0] / (2 * RG_PI), 1e-9);
    rg_world_destroy(nut.world);
  }
}

TEST(a_limit_stops_the_nut_after_ten_turns) {
  rgJointDef def = screw_def(-0.2);
  def.axes[0].upper = 20 * RG_PI; // 2 m down
  Nut nut = make_nut("reference", 1e-3, v3(0, 0, -G), 2, 1e-3, &def);
  double lowest = 0;
  for (int n = 0; n < 3000; n++) {
    run(nut.world, 1);
    lowest = fmin(lowest, height(&nut));
  }
  rgJointState state = state_of(nut.world, nut.joint);
  CHECK_MSG(lowest > -2 - 1e-6, "%g", lowest);
  CHECK_NEAR(state.coordinate[0], 20 * RG_PI, 0.05); // what it had left when it was slow enough
  CHECK_NEAR(state.rate[0], 0, 1e-8);
  // Of the impact, velocities of the joint are left that change their sign in each step.
  run(nut.world, 1);
  double mean = 0.5 * (state.force[0] + state_of(nut.world, nut.joint).force[0]);
  CHECK_NEAR(mean, -2 * G * 0.2 / (2 * RG_PI), 1e-7);
  rg_world_destroy(nut.world);
}

TEST(a_nut_that_is_placed_along_the_thread_has_made_its_turns) {
  rgWorld* world = make_world("reference", 1e-3, v3_zero());
  rgJointDef def = screw_def(0.01);
  def.body_b = add_body(world, v3(0.052, 0, 0), 1, v3(0.01, 0.01, 0.01));
  def.frames_given = true; // x of the world is the axis
  rgJointId joint = add_joint(world, &def);
  CHECK_NEAR(state_of(world, joint).coordinate[0], 10 * RG_PI, 1e-12);
  CHECK_NEAR(state_of(world, joint).gap, 0.002, 1e-15); // a fifth of a turn is missing
  run(world, 1);                                        // the stabilizer brings it together
  CHECK(state_of(world, joint).gap < 1e-9);
  CHECK(fabs(state_of(world, joint).coordinate[0] - 10 * RG_PI) < 1.3);
  rg_world_destroy(world);
}

TEST(steppers_that_take_joints_keep_the_thread) {
  static const struct {
    const char *stepper, *stabilizer;
    double gap;
  } cases[] = {{"theta", "baumgarte", 1e-9},
               {"anitescu-potra", "post", 1e-9},
               {"stewart-trinkle", "post", 1e-9},
               {"gauss", "baumgarte", 1e-4}}; // accelerations drift, the stabilizer pulls back
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("%s with %s", cases[i].stepper, cases[i].stabilizer);
    rgJointDef def = screw_def(0.3);
    Nut nut = make_nut("default", 1e-3, v3(0, 0, -G), 2, 0.01, &def);
    set(nut.world, "stepper", cases[i].stepper);
    set(nut.world, "stabilizer", cases[i].stabilizer);
    for (int n = 0; n < 1000; n++)
      REQUIRE_MSG(rg_world_step(nut.world, NULL) == RG_OK, "%s", rg_world_message(nut.world));
    double a = G / (1 + 4 * RG_PI * RG_PI / 0.09 * 0.01 / 2);
    CHECK_REL(height(&nut), -0.5 * a, 3e-3); // of first order
    CHECK_MSG(state_of(nut.world, nut.joint).gap < cases[i].gap, "%g",
              state_of(nut.world, nut.joint).gap);
    rg_world_destroy(nut.world);
  }
}

TEST(a_run_goes_on_from_a_snapshot_after_many_turns) {
  rgJointDef def = screw_def(0.1), other = screw_def(0.11);
  Nut nut = make_nut("default", 1e-3, v3(0, 0, -G), 1, 1e-4, &def);
  Nut copy = make_nut("default", 1e-3, v3(0, 0, -G), 1, 1e-4, &def);
  Nut wrong = make_nut("default", 1e-3, v3(0, 0, -G), 1, 1e-4, &other);
  run(nut.world, 800);
  CHECK(state_of(nut.world, nut.joint).coordinate[0] < -20 * 2 * RG_PI);
  Snapshot snapshot = save(nut.world);
  REQUIRE_INT(rg_world_load(copy.world, snapshot.data, snapshot.size), RG_OK);
  CHECK(rg_world_load(wrong.world, snapshot.data, snapshot.size) != RG_OK);
  free(snapshot.data);
  run(nut.world, 200);
  run(copy.world, 200);
  CHECK(rg_world_hash(nut.world) == rg_world_hash(copy.world));
  rg_world_destroy(nut.world);
  rg_world_destroy(copy.world);
  rg_world_destroy(wrong.world);
}

TEST(a_nut_moves_the_same_in_millimetres_and_grams) {
  rgJointDef def = screw_def(0.01), small = screw_def(10);
  Nut si = make_nut("default", 1e-3, v3(0, 0, -G), 0.2, 1e-5, &def);
  Nut mm = make_nut("default", 1e-3, v3(0, 0, -1000 * G), 200, 1e4, &small);
  run(si.world, 1000);
  run(mm.world, 1000);
  CHECK_REL(height(&mm) / 1000, height(&si), 1e-8);
  CHECK_REL(state_of(mm.world, mm.joint).coordinate[0], state_of(si.world, si.joint).coordinate[0],
            1e-8);
  rg_world_destroy(si.world);
  rg_world_destroy(mm.world);
}

TEST(screws_that_cannot_be_are_refused) {
  rgWorld* world = make_world("default", 1e-3, v3_zero());
  rgJointDef def = rg_joint_def(RG_JOINT_SCREW);
  def.body_b = add_body(world, v3_zero(), 1, v3(1, 1, 1));
  rgJointId id;
  CHECK_INT(rg_world_add_joint(world, &def, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "lead is nan, must be a finite number");
  def.parameters[0] = HUGE_VAL;
  CHECK_INT(rg_world_add_joint(world, &def, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "lead is inf, must be a finite number");
  rg_world_destroy(world);

  rgWorldDef flat = rg_world_def();
  flat.dimension = 2;
  flat.options.gravity = v3_zero();
  REQUIRE_INT(rg_world_create(&flat, &world, NULL), RG_OK);
  def = screw_def(1);
  def.body_b = add_body(world, v3_zero(), 1, v3(1, 1, 1));
  CHECK_INT(rg_world_add_joint(world, &def, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "a screw joint is for 3D worlds; a 2D world takes ball, "
                                     "hinge, fixed, slider and distance");
  rg_world_destroy(world);
}
