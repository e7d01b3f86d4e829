// Planar loops of links that land: some rows of their joints follow from others, where the joints are
// closed, and nearly so on the way there. Every step is settled all the same, with the joints closed.
#include "support/builder.h"
#include "test.h"

static const double RADIUS = 0.2, THICK = 0.01;

typedef struct Loop {
  int links;
  double light; // density of every other link, as a part of that of the rest
  double spin;  // [rad/s] about the axis of the hinges
  double fall;  // [m/s]
  double step;  // [s]
} Loop;

static rgVec3 corner(int k, int links) {
  double angle = 2 * acos(-1.0) * k / links + 0.3;
  return v3(RADIUS * cos(angle), 0, 0.45 + RADIUS * sin(angle));
}

static rgBodyId add_link(rgWorld* world, const Loop* loop, int k) {
  rgVec3 a = corner(k, loop->links), b = corner(k + 1, loop->links), d = v3_sub(b, a);
  rgVec3 middle = v3_scale(v3_add(a, b), 0.5), arm = v3_sub(middle, v3(0, 0, 0.45));
  rgShapeDef shape = shape_capsule(THICK, 0.5 * v3_norm(d) - 1.2 * THICK);
  shape.density = k % 2 ? 2700 * loop->light : 2700;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, middle);
  def.pose.orientation = turn_about(v3(0, 1, 0), atan2(d.x, d.z));
  rgVec3 spin = v3(0, loop->spin, 0);
  def.velocity = twist(v3_add(v3_cross(spin, arm), v3(0, 0, -loop->fall)), spin);
  return build_body(world, &def, shape);
}

static int missed_steps(const Loop* loop) {
  rgWorld* world = build_world("default");
  build_set_step(world, loop->step, 1);
  build_floor(world);
  rgBodyId links[8];
  for (int k = 0; k < loop->links; k++)
    links[k] = add_link(world, loop, k);
  for (int k = 0; k < loop->links; k++) {
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    def.body_a = links[k];
    def.body_b = links[(k + 1) % loop->links];
    def.point = corner(k + 1, loop->links);
    def.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &def, &id) == RG_OK);
  }
  int missed = 0;
  for (int i = 0; i < (int)(0.4 / loop->step); i++) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    missed += !certificate.met;
    CHECK_MSG(certificate.joint_error < 1e-7, "joint error %g m", certificate.joint_error);
    CHECK_MSG(certificate.residual <= 1e-6, "residual %g", certificate.residual);
  }
  rg_world_destroy(world);
  return missed;
}

// From 4 to 6 links a loop has one to three ways to move, and always three rows too many.
TEST(loops_with_light_links_land_settled) {
  for (int links = 4; links <= 6; links++)
    for (int fast = 0; fast < 2; fast++) {
      CONTEXT("%d links, fast %d", links, fast);
      Loop loop = {.links = links, .light = 0.02, .fall = fast ? 5 : 1, .step = 1e-3};
      CHECK_INT(missed_steps(&loop), 0);
    }
}

// Which links slip and which stick changes as they are struck: such a round gains nothing, and the
// next one does.
TEST(loops_that_spin_land_settled) {
  for (int links = 4; links <= 5; links++)
    for (int fine = 0; fine < 2; fine++) {
      CONTEXT("%d links, fine %d", links, fine);
      Loop loop = {.links = links, .light = 1, .spin = 8, .fall = 1, .step = fine ? 1e-3 : 4e-3};
      CHECK_INT(missed_steps(&loop), 0);
    }
}
