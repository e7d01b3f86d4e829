// Long chains that fall on the ground and on each other, in the preset `default`: every step is
// certified, and what it takes does not grow with the length.
#include "base/random.h"
#include "math/vec.h"
#include "test.h"
#include <rigor/rigor.h>

static const double LENGTH = 0.1, RADIUS = 0.02; // [m] of a link

static double between(uint64_t* seed, double most) { return most * (2 * rg_random_unit(seed) - 1); }

static rgQuat turn_from_z(rgVec3 d) { return quat_unit((rgQuat){1 + d.z, -d.y, d.x, 0}); }

// `links` capsules in a wavy line through `center`, balls and hinges in turn.
static void add_chain(rgWorld* world, int links, rgVec3 center, rgVec3 along, double wave,
                      rgVec3 velocity, uint64_t* seed) {
  rgVec3 side = v3(-along.y, along.x, 0), end = v3_axpy(center, -0.5 * links * LENGTH, along);
  rgBodyId last = {0, 0};
  for (int i = 0; i < links; i++) {
    rgVec3 d = v3_axpy(along, between(seed, 0.3), side);
    d.z = between(seed, wave);
    d.z = end.z < LENGTH ? fabs(d.z) : d.z;
    d = v3_unit_or(d, along);
    rgBodyDef body = rg_body_def();
    body.pose = (rgPose){v3_axpy(end, 0.5 * LENGTH, d), turn_from_z(d)};
    body.velocity.linear = velocity;
    rgShapeDef shape = rg_shape_def(RG_SHAPE_CAPSULE);
    shape.radius = RADIUS;
    shape.half_length = 0.5 * LENGTH - RADIUS;
    rgBodyId id;
    REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, &id), RG_OK);
    if (i > 0) {
      rgJointDef joint = rg_joint_def(i % 2 ? RG_JOINT_HINGE : RG_JOINT_BALL);
      joint.body_a = last;
      joint.body_b = id;
      joint.point = end;
      joint.axis = i / 2 % 2 ? side : v3(0, 0, 1);
      rgJointId made;
      REQUIRE_INT(rg_world_add_joint(world, &joint, &made), RG_OK);
    }
    last = id;
    end = v3_axpy(end, LENGTH, d);
  }
}

static rgWorld* make_ground(void) {
  rgWorldDef def = rg_world_def(); // mu 0.5
  rgWorld* world = NULL;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgBodyDef ground = rg_body_def();
  ground.kind = RG_BODY_STATIC;
  rgShapeDef half_space = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId id;
  REQUIRE_INT(rg_world_add_body(world, &ground, &half_space, 1, &id), RG_OK);
  return world;
}

// Returns the largest number of contacts. A step is several solves: rounds of joints and their
// motion.
static int run(rgWorld* world, int steps, int iteration_limit) {
  int contacts = 0;
  double iterations = 0;
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CONTEXT("step %d", i);
    // Rounds do not settle chains that whip about; the plain step that they take is told, and its
    // solve is held to the same tolerance.
    bool told = certificate.stages[RG_STAGE_PLAIN].missed > 0;
    CHECK_MSG(certificate.met || told, "residual %g", certificate.residual);
    CHECK_MSG(certificate.residual <= certificate.tolerance, "residual %g", certificate.residual);
    iterations += certificate.iterations;
    CHECK_NEAR(certificate.joint_error, 0, 1e-6 * LENGTH);
    contacts = certificate.contacts > contacts ? certificate.contacts : contacts;
  }
  // Single steps vary by chance, and have several solves: the mean tells.
  CHECK_MSG(iterations <= 0.3 * iteration_limit * steps, "%g iterations", iterations);
  return contacts;
}

TEST(a_thousand_links_thrown_at_the_ground) {
  rgWorld* world = make_ground();
  uint64_t seed = 5;
  add_chain(world, 1000, v3(0, 0, 0.3), v3(1, 0, 0), 0.3, v3(2, 0, -5), &seed);
  int contacts = run(world, 14, 2000);
  CHECK_MSG(contacts > 100, "%d contacts", contacts);
  rg_world_destroy(world);
}

// `chains` of them, one above the other and turned evenly, fall for `steps`.
static void fall_across(int chains, int links, int steps) {
  const double pi = 3.14159265358979323846;
  rgWorld* world = make_ground();
  uint64_t seed = 5;
  for (int i = 0; i < chains; i++) {
    double angle = pi * i / chains;
    add_chain(world, links, v3(0, 0, 0.05 + 3 * RADIUS * i), v3(cos(angle), sin(angle), 0), 0.03,
              v3(0, 0, -2), &seed);
  }
  int contacts = run(world, steps, 10000);
  CHECK_MSG(contacts > 100, "%d contacts", contacts);
  rg_world_destroy(world);
}

TEST(ten_chains_fall_across_each_other) { fall_across(10, 100, 12); }

// Until most links are about to come to rest: hundreds of contacts that hardly slip.
TEST(three_chains_come_to_rest_across_each_other) { fall_across(3, 60, 32); }
