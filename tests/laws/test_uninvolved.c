// Islands do not disturb each other: bodies that rest, land and collide beside chains which turn so
// fast that no round settles them report the impulses that acted on them. In a step of free bodies
// with contacts,
//
//     m (v+ - v) = m g h + sum of the impulses of its contacts,
//
// whatever other islands needed: more rounds, the plain step, a part of their answer.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { BODIES = 12, STEPS = 60 };

// Links of a chain that turn with about `turn` radians per step, far from all others.
static void add_chain(rgWorld* world, int links, double turn, double x) {
  double spin = turn / rg_world_options(world)->step;
  rgVec3 joint = v3(x, 0, 50), joint_velocity = v3_zero();
  rgVec3 w = v3_scale(random_direction(), spin);
  rgBodyId last = {0, 0};
  for (int i = 0; i < links; i++) {
    rgQuat q = random_rotation();
    rgVec3 half = quat_rotate(q, v3(0.5, 0, 0));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_add(joint, half));
    def.pose.orientation = q;
    def.velocity = twist(v3_add(joint_velocity, v3_cross(w, half)), w);
    rgShapeDef shape = shape_box(v3(0.5, 0.15, 0.1));
    shape.group = shape.mask = 0; // no contacts
    rgBodyId id = build_body(world, &def, shape);
    if (i > 0) {
      rgJointDef made = rg_joint_def(RG_JOINT_BALL);
      made.body_a = last;
      made.body_b = id;
      made.point = joint;
      rgJointId joint_id;
      REQUIRE(rg_world_add_joint(world, &made, &joint_id) == RG_OK);
    }
    joint = v3_axpy(joint, 2, half);
    joint_velocity = v3_axpy(joint_velocity, 2, v3_cross(w, half));
    w = v3_axpy(w, 0.3 * spin, random_direction());
    last = id;
  }
}

// Boxes at rest, balls that land, and pairs of a ball on a box, each an island of its own. Added
// before and after the chain, so that their islands come before and after its own.
static void add_free(rgWorld* world, rgBodyId* ids, int from, int to) {
  for (int i = from; i < to; i++) {
    double x = 5 * i, size = random_between(0.2, 0.6);
    if (i % 3 == 0)
      ids[i] = build_box(world, v3(size, size, size), v3(x, 0, size));
    else if (i % 3 == 1)
      ids[i] = build_sphere(world, size, v3(x, 0, size + random_between(0, 0.3)));
    else {
      build_box(world, v3(1, 1, 0.5), v3(x, 0, 0.5));
      ids[i] = build_sphere(world, size, v3(x, 0, 1 + size + random_between(0, 0.1)));
    }
  }
}

static rgVec3 impulse_on(const rgWorld* world, rgBodyId id) {
  rgVec3 sum = v3_zero();
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    if (contact.body_a.index == id.index)
      sum = v3_add(sum, contact.impulse);
    if (contact.body_b.index == id.index)
      sum = v3_sub(sum, contact.impulse);
  }
  return sum;
}

// One step; counts the steps in which an island took the plain step, and the bodies that others push.
static void check_step(rgWorld* world, const rgBodyId* ids, int* plain, int* pushed) {
  rgVec3 before[BODIES];
  const rgOptions* options = rg_world_options(world);
  for (int i = 0; i < BODIES; i++)
    before[i] = rg_body_velocity(world, ids[i]).linear;
  rgCertificate certificate;
  REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
  *plain += certificate.stages[RG_STAGE_PLAIN].count > 0;
  for (int i = 0; i < BODIES; i++) {
    double mass = rg_body_mass(world, ids[i]).mass, h = options->step;
    rgVec3 change = v3_sub(rg_body_velocity(world, ids[i]).linear, before[i]);
    rgVec3 acted = v3_scale(v3_axpy(change, -h, options->gravity), mass);
    rgVec3 told = impulse_on(world, ids[i]);
    CONTEXT("body %d", i);
    // Rounding of velocities of the size of 10 m/s.
    CHECK_NEAR(distance(acted, told), 0, 1e-13 * mass * 10);
    *pushed += v3_norm(told) > 0;
  }
}

TEST(impulses_of_bodies_beside_fast_chains_are_those_that_acted) {
  random_state = 13;
  int plain = 0, pushed = 0;
  for (int run = 0; run < 24; run++) {
    rgWorld* world = build_world(run % 3 == 2 ? "realtime" : "default");
    build_set_default_material(world, random_between(0, 1), 0);
    if (run % 2)
      build_set_step(world, rg_world_options(world)->step, 0.5);
    build_floor(world);
    rgBodyId ids[BODIES];
    add_free(world, ids, 0, BODIES / 2);
    add_chain(world, 2 + run % 5, random_between(0.5, 3), -10);
    add_free(world, ids, BODIES / 2, BODIES);
    CONTEXT("run %d", run);
    for (int step = 0; step < STEPS; step++)
      check_step(world, ids, &plain, &pushed);
    rg_world_destroy(world);
  }
  CHECK_MSG(plain >= 100, "only %d steps had an island that took the plain step", plain);
  CHECK_MSG(pushed >= 24 * BODIES * STEPS / 2, "only %d bodies were pushed", pushed);
}
