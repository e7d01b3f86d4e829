// The stages of a step say the same as the verdict: what was missed is told, and nothing else is.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static void check_stages(const rgCertificate* certificate, int* near) {
  bool missed = false;
  for (int i = 0; i < RG_STAGE_COUNT; i++) {
    const rgStageReport* stage = &certificate->stages[i];
    CHECK((stage->reached > stage->asked) == (stage->missed > 0));
    CHECK(stage->missed <= stage->count);
    missed = missed || stage->missed > 0;
    *near += stage->reached > stage->asked && stage->reached < 2 * stage->asked;
  }
  CHECK(certificate->met == (certificate->residual <= certificate->tolerance && !missed));
}

// A world in which solves and corrections have so few sweeps that some miss.
static rgWorld* build_hasty_world(const char* preset) {
  rgWorld* world = build_world(preset);
  rgOptions options = *rg_world_options(world);
  options.iteration_limit = options.iteration_limit < 200 ? 4 : options.iteration_limit;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  return world;
}

// Heaps that fall in real time leave errors of position of every size, many of them close to what
// is allowed.
TEST(what_a_stage_misses_is_told_however_little_it_is) {
  random_state = 8;
  int near = 0;
  for (int heap = 0; heap < 3; heap++) {
    rgWorld* world = build_hasty_world("realtime");
    build_floor(world);
    for (int i = 0; i < 60; i++) {
      rgVec3 place = v3_add(v3_scale(random_vector(), 0.3), v3(0, 0, 0.3 + 0.15 * i));
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
      def.pose.orientation = random_rotation();
      build_body(world, &def, heap == 0 ? shape_sphere(0.15) : shape_box(v3(0.2, 0.12, 0.1)));
    }
    for (int step = 0; step < 200; step++) {
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      CONTEXT("heap %d, step %d", heap, step);
      check_stages(&certificate, &near);
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(near >= 5, "only %d misses were small", near);
}

// Of bodies that do not rebound and have all the same half-width, the error that is farthest beyond
// what was asked is the deepest overlap, and that is the penetration of the certificate.
static void check_projection(const rgCertificate* certificate, double asked, int counts[2]) {
  const rgStageReport* stage = &certificate->stages[RG_STAGE_PROJECTION];
  if (stage->count == 0) {
    CHECK(stage->asked == 0 && stage->reached == 0);
    return;
  }
  CHECK_NEAR(stage->asked, asked, 1e-12 * asked); // rounding of a product
  CHECK_NEAR(stage->reached, certificate->penetration, 1e-12 * asked);
  counts[stage->missed > 0]++;
}

TEST(the_projection_is_asked_for_its_tolerance_and_says_what_it_left) {
  random_state = 21;
  int counts[2] = {0, 0};
  for (int heap = 0; heap < 8; heap++) {
    double half = pow(10, random_between(-2, 1));
    rgWorld* world = build_hasty_world(heap % 2 ? "realtime" : "default");
    double tolerance = rg_world_options(world)->projection_tolerance;
    build_floor(world);
    for (int i = 0; i < 20; i++) {
      rgVec3 place = v3_add(v3_scale(random_vector(), half), v3(0, 0, (2 + 2 * i) * half));
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
      def.pose.orientation = random_rotation();
      build_body(world, &def, heap < 4 ? shape_sphere(half) : shape_box(v3(half, half, half)));
    }
    for (int step = 0; step < 100; step++) {
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      CONTEXT("heap %d of half-width %g, step %d", heap, half, step);
      check_projection(&certificate, tolerance * half, counts);
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(counts[0] >= 20 && counts[1] >= 5, "%d reached, %d missed", counts[0], counts[1]);
}

// A joint that starts open is closed against gravity by the projection: that lifts its body by no more than
// the joint was open, which a body at rest cannot pay for and which is no miss.
TEST(closing_what_starts_open_misses_no_energy) {
  random_state = 5;
  int lifted = 0;
  for (int k = 0; k < 20; k++) {
    double open = pow(10, random_between(-4, -2));
    rgWorld* world = build_world("default");
    rgBodyId body = build_sphere(world, random_between(0.1, 0.5), v3(0, 0, 1));
    rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
    joint.body_b = body;
    joint.frames_given = true;
    joint.frame_a = pose_at(v3(0, 0, 1 + open));
    joint.frame_b = pose_at(v3_zero());
    rgJointId id;
    rgCertificate c;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    REQUIRE(rg_world_step(world, &c) == RG_OK);
    CONTEXT("case %d: open by %g", k, open);
    CHECK_NEAR(rg_body_center(world, body).z, 1 + open, 1e-9);
    CHECK_INT(c.stages[RG_STAGE_ENERGY].missed, 0);
    CHECK(c.met);
    lifted += c.energy > 0;
    rg_world_destroy(world);
  }
  CHECK(lifted > 10);
}

// Two joints that hold a body in two ways leave an error: the stage has reached what the certificate says of it,
// whatever the error is, a length or an angle about any axis, and however long the lever is.
TEST(the_projection_says_of_joints_what_the_certificate_says) {
  random_state = 33;
  for (int i = 0; i < 48; i++) {
    double lever = i % 2 ? 0.05 : 5, off = random_between(1e-3, 1e-2);
    rgWorld* world = build_still("default");
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(lever, 0, 0));
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = m3_diag(1e-4, 1e-4, 1e-4);
    rgBodyId body;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &body), RG_OK);
    static const rgJointKind kinds[] = {RG_JOINT_FIXED, RG_JOINT_HINGE, RG_JOINT_SLIDER};
    for (int k = 0; k < 2; k++) {
      rgJointDef joint = rg_joint_def(k == 0 ? RG_JOINT_FIXED : kinds[i % 3]);
      joint.body_b = body;
      joint.frames_given = true;
      joint.frame_a = (rgPose){v3_zero(), {1, 0, 0, 0}};
      joint.frame_b = (rgPose){v3(-lever, 0, 0), {1, 0, 0, 0}};
      int axis = i / 6 % 4; // turned about x, y or z of the joint, or shifted
      if (k == 1 && axis < 3)
        joint.frame_a.orientation = turn_about(v3(axis == 0, axis == 1, axis == 2), off);
      else if (k == 1)
        joint.frame_a.position = v3(0, off, 0);
      rgJointId id;
      REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    }
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    const rgStageReport* stage = &certificate.stages[RG_STAGE_PROJECTION];
    CONTEXT("case %d, lever %g", i, lever);
    if (certificate.joint_error > 1e-6 * lever)
      CHECK_NEAR(stage->reached, certificate.joint_error, 1e-6 * certificate.joint_error);
    rg_world_destroy(world);
  }
}
