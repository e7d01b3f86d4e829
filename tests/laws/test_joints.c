// Joints against analytic motions.
#include "math/trig.h"
#include "math/vec.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"
#include <rigor/rigor.h>

#include <string.h>

static rgWorld* make_world(double h, double theta) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.gravity = (rgVec3){0, 0, -10};
  def.options.step = h;
  def.options.theta = theta;
  rgWorld* world;
  rgMessage message;
  REQUIRE_MSG(rg_world_create(&def, &world, &message) == RG_OK, "%s", message.text);
  return world;
}

// A body without shapes: mass and principal moments about its frame's origin.
static rgBodyId add_mass(rgWorld* world, rgVec3 at, double mass, rgVec3 moments) {
  rgBodyDef def = rg_body_def();
  def.pose.position = at;
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = (rgMat3){{{moments.x, 0, 0}, {0, moments.y, 0}, {0, 0, moments.z}}};
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

// A pendulum of length 1 let go at 0.1 rad: the period is 2 pi sqrt(L / g) (1 + a^2/16 + 11
// a^4/3072).
TEST(ball_pendulum_has_its_period) {
  double h = 1e-3, swing = 0.1;
  rgWorld* world = make_world(h, 0.5);
  rgBodyId bob =
      add_mass(world, (rgVec3){sin(swing), 0, -cos(swing)}, 2, (rgVec3){1e-6, 1e-6, 1e-6});
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_b = bob;
  rgJointId joint;
  REQUIRE_MSG(rg_world_add_joint(world, &def, &joint) == RG_OK, "%s", rg_world_message(world));
  double last = sin(swing), crossing = 0;
  for (int i = 0; i < 1000 && crossing == 0; i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    double x = rg_body_center(world, bob).x;
    if (x <= 0)
      crossing = h * (i + last / (last - x));
    last = x;
  }
  double period =
      2 * RG_PI * sqrt(0.1 * (1 + 0.5e-6)) * (1 + swing * swing / 16 + 11 * pow(swing, 4) / 3072);
  // Second order: (w h)^2 / 24 = 4e-7 of the period, and the crossing is found between two steps.
  CHECK_REL(4 * crossing, period, 1e-6);
  rg_world_destroy(world);
}

// With rows at the start of the step and no stabilizer a pendulum drifts off its anchor, and the
// certificate says how far.
TEST(the_certificate_has_the_error_of_joints) {
  rgWorld* world = make_world(1e-2, 0.5);
  rgOptions options = *rg_world_options(world);
  strcpy(options.stepper, "anitescu-potra");
  strcpy(options.stabilizer, "none");
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_b = add_mass(world, (rgVec3){1, 0, 0}, 2, (rgVec3){0.1, 0.1, 0.1});
  rgJointId joint;
  REQUIRE_INT(rg_world_add_joint(world, &def, &joint), RG_OK);
  rgCertificate certificate = {0};
  for (int i = 0; i < 50; i++)
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
  rgPose pose = rg_body_pose(world, def.body_b);
  rgVec3 arm = quat_rotate(pose.orientation, (rgVec3){-1, 0, 0});
  rgVec3 gap = v3_add(pose.position, arm); // where the anchor of the body is; it should be at zero
  double largest = fmax(fabs(gap.x), fmax(fabs(gap.y), fabs(gap.z)));
  CHECK(largest > 1e-9);
  CHECK_NEAR(certificate.joint_error, largest, 1e-15); // rounding of coordinates of size 1
  rg_world_destroy(world);
}

// A joint that is off by a known shift and turn says so: the largest component of the shift in its frame, the sine
// of the turn, and the larger of the shift and of the turn at its lever, the longest arm or radius of gyration.
TEST(a_joint_says_how_far_it_is_off) {
  random_state = 44;
  for (int i = 0; i < 40; i++) {
    rgWorld* world = build_still("reference");
    rgBodyId ids[2] = {{0, 0}, {0, 0}};
    rgPose frames[2] = {{v3_zero(), {1, 0, 0, 0}}, {v3_zero(), {1, 0, 0, 0}}};
    double lever = 0;
    for (int k = i % 2; k < 2; k++) { // some on the ground
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_scale(random_vector(), 0.5));
      def.pose.orientation = random_rotation();
      def.mass = random_between(0.5, 2);
      def.inertia_given = true;
      rgVec3 moments = v3_scale(random_within(0.5, 0.9), i % 3 ? 0.01 : 3);
      def.inertia = m3_diag(moments.x, moments.y, moments.z);
      REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &ids[k]), RG_OK);
      rgVec3 arm = def.pose.position; // the joint is at the origin
      lever = fmax(lever, fmax(v3_norm(arm), sqrt(v3_max_abs(moments) / def.mass)));
      frames[k] = pose_inverse(def.pose);
    }
    // B's frame is moved by the shift and turned about an axis of A's frame
    rgVec3 shift = v3_scale(random_vector(), 0.01);
    double angle = random_between(0, 0.02);
    int axis = i % 3;
    rgPose off = {shift, turn_about(v3(axis == 0, axis == 1, axis == 2), angle)};
    rgJointDef def = rg_joint_def(RG_JOINT_FIXED);
    def.body_a = ids[0];
    def.body_b = ids[1];
    def.frames_given = true;
    def.frame_a = frames[0];
    def.frame_b = pose_mul(frames[1], off);
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
    CONTEXT("joint %d", i);
    CHECK_NEAR(state.gap, v3_max_abs(shift), 1e-12);
    CHECK_NEAR(state.twist, angle, 1e-3 * angle); // a sine
    // the arms are to the frames as they are, off by the shift
    CHECK_NEAR(state.error, fmax(state.gap, state.twist * lever), 0.02 * state.twist);
    rg_world_destroy(world);
  }
}

// A joint between bodies at random, B's frame turned out of its place about an axis that the kind holds, by more than a
// right angle. Half of them are on the ground.
static rgJointId add_turned_joint(rgWorld* world, rgJointKind kind, double angle, bool grounded) {
  rgJointDef def = rg_joint_def(kind);
  def.frames_given = true;
  if (!grounded)
    def.body_a = add_mass(world, v3_scale(random_vector(), 0.3), random_between(0.5, 2),
                          v3_scale(random_within(0.5, 0.9), 0.05));
  def.body_b = add_mass(world, v3_scale(random_vector(), 0.3), random_between(0.5, 2),
                        v3_scale(random_within(0.5, 0.9), 0.05));
  if (rg_joint_parameter(kind, 0))
    def.parameters[0] = 0.05;
  rgPose a = grounded ? pose_identity() : rg_body_pose(world, def.body_a),
         b = rg_body_pose(world, def.body_b);
  rgPose place = {v3_zero(), random_rotation()}, off = {v3_zero(), turn_about(v3(0, 1, 0), angle)};
  def.frame_a = pose_mul(pose_inverse(a), place);
  def.frame_b = pose_mul(pose_inverse(b), pose_mul(place, off));
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

// Cosine of the angle by which the x axes of the frames differ: at half a turn the products that rows hold are zero as
// well as at none.
static double x_cosine(const rgJointState* state) {
  rgVec3 x = v3(1, 0, 0);
  return v3_dot(quat_rotate(state->frame_a.orientation, x),
                quat_rotate(state->frame_b.orientation, x));
}

// The sine of the angle is no error beyond a right angle: what is turned round counts as open, up to half a turn, is no
// link of a tree, comes back in all presets, and gains no energy on its way.
TEST(a_joint_that_is_turned_round_is_led_back) {
  static const rgJointKind kinds[] = {RG_JOINT_HINGE,  RG_JOINT_FIXED,       RG_JOINT_PLANAR,
                                      RG_JOINT_SLIDER, RG_JOINT_CYLINDRICAL, RG_JOINT_SCREW};
  static const char* const presets[] = {"default", "realtime", "reference"};
  random_state = 45;
  for (int i = 0; i < 72; i++) {
    rgWorld* world = build_still(presets[i % 3]);
    double angle = random_between(0.55, 1) * RG_PI;
    rgJointId id = add_turned_joint(world, kinds[i / 3 % 6], angle, i / 18 % 2 == 0);
    CONTEXT("%s, %s, turned by %g rad", presets[i % 3], rg_joint_kind_name(kinds[i / 3 % 6]),
            angle);
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
    CHECK_NEAR(state.twist, 2 - rg_sin(angle), 1e-12);
    rgCertificate certificate;
    for (int step = 0; step < 60; step++) {
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      CHECK(certificate.energy <= certificate.stages[RG_STAGE_ENERGY].asked);
    }
    REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
    CHECK_MSG(x_cosine(&state) > 1 - 1e-6 && state.error < 1e-3, "cosine %g, error %g m",
              x_cosine(&state), state.error);
    rg_world_destroy(world);
  }
}
