// Errors of position: how they grow without a stabilizer, and what each stabilizer makes of them.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"
#include <rigor/rigor.h>

static rgWorldDef definition(const char* stepper, const char* stabilizer, double h) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.step = h;
  def.options.theta = 1;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  snprintf(def.options.stabilizer, sizeof def.options.stabilizer, "%s", stabilizer);
  return def;
}

// A ball that begins 1 mm inside the floor, nothing else acting: from step to step the overlap is
// multiplied by 1 - rate h, and the ball keeps the velocity rate (1 - rate h)^n times the overlap
// until it leaves.
TEST(baumgarte_takes_back_at_its_rate) {
  double h = 0.01, rate = 20, depth = 1e-3;
  const char* steppers[] = {"theta", "anitescu-potra", "stewart-trinkle", "first-order"};
  for (int i = 0; i < 4; i++) {
    CONTEXT("%s", steppers[i]);
    rgWorldDef def = definition(steppers[i], "baumgarte", h);
    def.options.gravity = v3_zero();
    def.options.baumgarte_rate = rate;
    rgWorld* world = build_world_of(&def);
    build_floor(world);
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.1 - depth));
    run_steps(world, 1);
    // What counts as touching is not an error.
    double allowed = 0.1 * def.options.projection_tolerance;
    double expected = 0.1 - depth + rate * h * (depth - allowed);
    CHECK_NEAR(rg_body_center(world, ball).z, expected, 1e-12);
    rg_world_destroy(world);
  }
}

// Post removes the same overlap at once and gives no velocity; none leaves it.
TEST(post_gives_no_velocity_and_none_does_nothing) {
  const char* steppers[] = {"theta", "anitescu-potra", "first-order", "gauss"};
  for (int i = 0; i < 4; i++)
    for (int post = 0; post < 2; post++) {
      CONTEXT("%s, %s", steppers[i], post ? "post" : "none");
      rgWorldDef def = definition(steppers[i], post ? "post" : "none", 0.01);
      def.options.gravity = v3_zero();
      snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
      rgWorld* world = build_world_of(&def);
      build_floor(world);
      rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0.099));
      run_steps(world, 1);
      CHECK_NEAR(rg_body_center(world, ball).z, post ? 0.1 : 0.099, 1e-9);
      CHECK_NEAR(v3_norm(rg_body_velocity(world, ball).linear), 0, 0);
      rg_world_destroy(world);
    }
}

// Largest joint error in 0.6 s of a chain of `count` links of 100 mm that falls from horizontal.
static double chain_error(const char* stepper, const char* stabilizer, double rate) {
  rgWorldDef def = definition(stepper, stabilizer, 1e-3);
  def.options.baumgarte_rate = rate;
  snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0, 0};
  for (int i = 0; i < 6; i++) {
    rgBodyDef link = rg_body_def();
    link.pose.position = v3(0.1 * i + 0.05, 0, 0);
    link.mass = 0.1;
    link.inertia_given = true;
    link.inertia = m3_diag(1e-6, 0.1 * 0.01 / 12, 0.1 * 0.01 / 12);
    rgBodyId id;
    REQUIRE(rg_world_add_body(world, &link, NULL, 0, &id) == RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_a = last;
    joint.body_b = id;
    joint.point = v3(0.1 * i, 0, 0);
    joint.axis = v3(0, 1, 0);
    rgJointId joint_id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &joint_id) == RG_OK, "%s",
                rg_world_message(world));
    last = id;
  }
  double largest = 0;
  for (int i = 0; i < 600; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK(certificate.met);
    largest = fmax(largest, certificate.joint_error);
  }
  rg_world_destroy(world);
  return largest;
}

// The order that Cline 2002, 5.2.1 finds. A step of h turns a link of length L past its constraint by w^2
// L h^2 / 2: with w of 10 / s that comes to millimetres in 600 steps.
TEST(chain_drifts_and_is_held) {
  double none = chain_error("anitescu-potra", "none", 0);
  double slow = chain_error("anitescu-potra", "baumgarte", 50);
  double fast = chain_error("anitescu-potra", "baumgarte", 200);
  double post = chain_error("anitescu-potra", "post", 0);
  CHECK_MSG(none > 1e-3, "none: %g m", none);
  CHECK_MSG(slow < none / 2 && fast < slow, "baumgarte: %g m at 50 / s, %g m at 200 / s", slow,
            fast);
  CHECK_MSG(post < 1e-10, "post: %g m", post);
}

// Every stepper keeps its joints under post, and gauss under Baumgarte's own form too.
TEST(every_stepper_keeps_its_joints) {
  for (int i = 0; rg_stepper_name(i); i++) {
    if (strcmp(rg_stepper_name(i), "signorini") == 0)
      continue; // takes no correction of positions
    CONTEXT("%s", rg_stepper_name(i));
    double post = chain_error(rg_stepper_name(i), "post", 0);
    CHECK_MSG(post < 1e-10, "post: %g m", post);
  }
}

// The acceleration form of Baumgarte's law: an error that begins at rest in its own direction falls
// as exp(-rate t). The velocity that this needs is given at the start.
TEST(gauss_takes_errors_of_joints_back) {
  double rate = 10, error = 1e-3;
  rgWorldDef def = definition("gauss", "baumgarte", 0.01);
  def.options.gravity = v3_zero();
  def.options.baumgarte_rate = rate;
  rgWorld* world = build_world_of(&def);
  rgBodyDef bob = body_at(RG_BODY_DYNAMIC, v3(1, 0, 0));
  bob.mass = 1;
  bob.inertia_given = true;
  bob.inertia = m3_diag(0.1, 0.1, 0.1);
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &bob, NULL, 0, &id) == RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_b = id;
  rgJointId joint_id;
  REQUIRE(rg_world_add_joint(world, &joint, &joint_id) == RG_OK);
  REQUIRE(rg_body_set_pose(world, id, pose_at(v3(1 + error, 0, 0))) == RG_OK);
  run_steps(world, 20);
  CHECK_REL(rg_world_certificate(world)->joint_error, error * exp(-rate * 0.2), 1e-5);
  rg_world_destroy(world);
}

// Boxes that tumble over each other in a trough, pushed about: the largest overlap after a step.
static double tumbling_overlap(const char* stepper, const char* stabilizer, int count) {
  rgWorldDef def = definition(stepper, stabilizer, 5e-3);
  def.options.tolerance = 1e-6;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  for (int side = -1; side <= 1; side += 2) {
    build_block(world, v3(0.05, 1, 0.5), v3(side * 0.6, 0, 0.5));
    build_block(world, v3(1, 0.05, 0.5), v3(0, side * 0.6, 0.5));
  }
  rgBodyId boxes[8];
  for (int i = 0; i < count; i++) {
    rgBodyDef box = body_at(RG_BODY_DYNAMIC, v3(0.1 * (i % 2), 0.05 * i, 0.3 + 0.3 * i));
    box.pose.orientation = turn_about(v3(1, 2, 3), 0.7 * (i + 1));
    box.velocity.angular = v3(3, -2, 1);
    boxes[i] = build_body(world, &box, shape_box(v3(0.15, 0.1, 0.05)));
  }
  double deepest = 0;
  for (int i = 0; i < 600; i++) {
    if (i % 60 == 0)
      for (int k = 0; k < count; k++) {
        rgVec3 push = v3(k % 2 ? 2 : -2, 1.5, i % 120 ? 1 : -1);
        rgVec3 at = v3_add(rg_body_center(world, boxes[k]), v3(0.03, 0.02, 0.04));
        REQUIRE(rg_body_apply_impulse(world, boxes[k],
                                      v3_scale(push, rg_body_mass(world, boxes[k]).mass),
                                      at) == RG_OK);
      }
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    deepest = fmax(deepest, certificate.penetration);
  }
  rg_world_destroy(world);
  return deepest;
}

// Two of the five begin in overlap, which post removes within the first step too. Cline 2002, 5.2.2.
TEST(post_leaves_no_contact_error) {
  const char* steppers[] = {"theta", "anitescu-potra", "stewart-trinkle"};
  for (int i = 0; i < 3; i++)
    for (int many = 0; many < 2; many++) {
      CONTEXT("%s, %d bodies", steppers[i], many ? 5 : 1);
      double post = tumbling_overlap(steppers[i], "post", many ? 5 : 1);
      CHECK_MSG(post <= 1e-9, "post leaves %g m", post);
    }
  double none = tumbling_overlap("theta", "none", 5);
  CHECK_MSG(none > 1e-4, "none leaves %g m", none);
}

// How far a box, or an ellipsoid, reaches below its centre.
static double reach_down(bool round, rgVec3 half, rgQuat q) {
  rgMat3 r = m3_from_quat(q);
  rgVec3 down = {r.m[2][0] * half.x, r.m[2][1] * half.y, r.m[2][2] * half.z};
  return round ? v3_norm(down) : fabs(down.x) + fabs(down.y) + fabs(down.z);
}

// A slender box or ellipsoid that spins about the vertical while an end of it lies in the floor, and
// that goes up, so that nothing pushes it. The projection turns it; its axes take the spin along, and
// energy stays, as it would not if the spin kept its direction and the inertia turned. The turn is
// not small: of the ellipsoid, another point comes to lie lowest, and the contact found before the
// turn would leave that one in the floor.
TEST(post_turns_a_spinning_body_out_of_the_floor_and_keeps_its_energy) {
  const double tilts[] = {0.2, 0.5, 1}, depths[] = {0.01, 0.02, 0.04};
  const rgVec3 half = {0.5, 0.1, 0.05};
  for (int i = 0; i < 36; i++) {
    double tilt = tilts[i % 3], depth = depths[i / 3 % 3];
    double slide = i / 9 % 2 ? 200 : 0; // [m/s] as fast as contacts are sought far enough
    bool round = i >= 18;
    rgWorldDef def = definition("theta", "post", 1e-3);
    def.options.theta = 0.5;
    def.options.gravity = v3_zero();
    rgWorld* world = build_world_of(&def);
    build_floor(world);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_zero());
    body.pose.orientation = turn_about(v3(0, 1, 0), tilt);
    body.pose.position.z = reach_down(round, half, body.pose.orientation) - depth;
    body.velocity = twist(v3(slide, 0, 1), v3(0, 0, 2));
    rgBodyId id = build_body(world, &body, round ? shape_ellipsoid(half) : shape_box(half));
    CONTEXT("%s, tilt %g, depth %g, slide %g", round ? "ellipsoid" : "box", tilt, depth, slide);
    double start = rg_world_energy(world).kinetic;
    run_met_step(world, 0);
    rgQuat end = rg_body_pose(world, id).orientation;
    rgQuat turn = quat_mul(end, quat_conj(body.pose.orientation));
    CHECK_MSG(fabs(turn.y) > 0.1 * depth, "turned by %g rad only", 2 * turn.y);
    CHECK_REL(rg_world_energy(world).kinetic, start, 1e-10); // Newton's method in the free motion
    double left = reach_down(round, half, end) - rg_body_center(world, id).z;
    CHECK_MSG(left <= half.z * def.options.projection_tolerance + 1e-14, "%g m are left", left);
    rg_world_destroy(world);
  }
}

// --- joints that do not fit -----------------------------------------------------------------------

typedef struct Loose {
  rgWorld* world;
  rgJointId joint;
} Loose;

// Two rods at rest whose frames are about `off` [m] apart and off by as many radians, at most 3.
static Loose build_loose(rgJointKind kind, double off) {
  Loose loose = {.world = build_still("default")};
  rgJointDef joint = rg_joint_def(kind);
  joint.frames_given = true;
  for (int i = 0; i < 2; i++) {
    rgPose* frame = i ? &joint.frame_b : &joint.frame_a;
    rgQuat fit = random_rotation();
    frame->position = v3_scale(random_vector(), 0.7);
    frame->orientation = quat_conj(fit);
    rgVec3 shift = v3_scale(random_direction(), 0.5 * off);
    rgBodyDef rod = body_at(RG_BODY_DYNAMIC, v3_sub(shift, quat_rotate(fit, frame->position)));
    rod.pose.orientation = quat_mul(turn_about(random_direction(), 0.5 * fmin(off, 3)), fit);
    rgVec3 half = {0.5, random_between(0.05, 0.3), random_between(0.05, 0.3)};
    *(i ? &joint.body_b : &joint.body_a) = build_body(loose.world, &rod, shape_box(half));
  }
  REQUIRE_MSG(rg_world_add_joint(loose.world, &joint, &loose.joint) == RG_OK, "%s",
              rg_world_message(loose.world));
  return loose;
}

static double joint_error(const Loose* loose) {
  rgJointState state;
  REQUIRE(rg_joint_state(loose->world, loose->joint, &state) == RG_OK);
  return state.error;
}

static const rgJointKind loose_kinds[] = {RG_JOINT_BALL, RG_JOINT_HINGE, RG_JOINT_FIXED,
                                          RG_JOINT_UNIVERSAL, RG_JOINT_SLIDER};

// Corrections of a joint converge quadratically: up to a third of a radian, and of the length of the
// rods, the rounds of one step take an error to what rounding leaves, 1e-10 of the joint's size.
TEST(post_brings_joints_together_within_one_step) {
  const double offs[] = {0.01, 0.1, 0.3};
  random_state = 7;
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 3; i++)
      for (int round = 0; round < 20; round++) {
        Loose loose = build_loose(loose_kinds[k], offs[i]);
        CONTEXT("%s, off by %g, round %d", rg_joint_kind_name(loose_kinds[k]), offs[i], round);
        CHECK_MSG(joint_error(&loose) > 0.01 * offs[i], "error %g at the start",
                  joint_error(&loose));
        rgCertificate certificate = run_met_step(loose.world, 0);
        CHECK_MSG(joint_error(&loose) < 2e-10, "error of %g m", joint_error(&loose)); // size <= 2
        CHECK_MSG(certificate.joint_error < 2e-10, "certificate %g m", certificate.joint_error);
        rg_world_destroy(loose.world);
      }
}

// The error that one step with a stabilizer leaves of a joint that is off by about `off`, and that it
// had; the same rods and directions for every `off`.
static double left_of(const char* stabilizer, rgJointKind kind, uint64_t seed, double off,
                      double* start) {
  random_state = seed;
  Loose loose = build_loose(kind, off);
  rgOptions options = *rg_world_options(loose.world);
  snprintf(options.stabilizer, sizeof options.stabilizer, "%s", stabilizer);
  REQUIRE(rg_world_set_options(loose.world, &options) == RG_OK);
  *start = joint_error(&loose);
  REQUIRE(rg_world_step(loose.world, NULL) == RG_OK);
  double left = joint_error(&loose);
  rg_world_destroy(loose.world);
  return left;
}

// One linear step (Cline 2002, eq. 3.7) leaves the second order: half the error leaves a quarter, and
// what it leaves is no more than the square of the error over an arm of 0.1 m. Repeated, nothing is
// left.
TEST(post_once_leaves_the_square_of_the_error) {
  for (int k = 0; k < 5; k++)
    for (uint64_t seed = 1; seed <= 12; seed++) {
      double off = 0.004, start, half_start;
      CONTEXT("%s, seed %d", rg_joint_kind_name(loose_kinds[k]), (int)seed);
      double whole = left_of("post-once", loose_kinds[k], seed, off, &start);
      double half = left_of("post-once", loose_kinds[k], seed, off / 2, &half_start);
      CHECK_MSG(whole > 3.6 * half && whole < 4.4 * half, "%g m and %g m are left", whole, half);
      CHECK_MSG(whole < start * start / 0.1, "%g m are left of %g m", whole, start);
      CHECK(left_of("post", loose_kinds[k], seed, off, &start) < 2e-10);
    }
}

// Far off, the tangent of a joint's motion leads nowhere, and a whole correction along it may turn
// bodies anyhow and throw them apart. Bounded turns bring them together in some steps, and on the
// way no error grows beyond that of the start but by what a turn of 1/2 rad leaves its tangent: 1/8
// of an arm, and arms are shorter than the errors here.
TEST(post_does_not_throw_apart_what_is_far_off) {
  const double offs[] = {2, 4};
  random_state = 7;
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 2; i++)
      for (int round = 0; round < 40; round++) {
        Loose loose = build_loose(loose_kinds[k], offs[i]);
        CONTEXT("%s, off by %g, round %d", rg_joint_kind_name(loose_kinds[k]), offs[i], round);
        double start = joint_error(&loose), largest = 0;
        for (int step = 0; step < 40; step++) {
          REQUIRE(rg_world_step(loose.world, NULL) == RG_OK);
          largest = fmax(largest, joint_error(&loose));
        }
        CHECK_MSG(largest <= 1.125 * start, "%g m from %g m", largest, start);
        CHECK_MSG(joint_error(&loose) < 2e-10, "%g m are left", joint_error(&loose));
        rg_world_destroy(loose.world);
      }
}

// Bodies that overlap in free fall are moved apart, some of them up and others down, and their common
// centre stays: no weight is lifted, so that nothing is taken from their velocities.
TEST(moving_apart_in_free_fall_costs_no_speed) {
  for (int k = 0; k < 12; k++) {
    rgWorld* world = build_world(k % 2 ? "default" : "reference");
    build_set_default_material(world, 0, 0);
    int count = 2 + k % 3;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.velocity.linear = v3(0.2, 0, 0);
    for (int i = 0; i < count; i++) {
      def.pose.position = v3(0.02 * i, 0, 0.19 * i); // 0.2 would be touching
      def.mass = 1 + i * (k % 4);
      build_body(world, &def, shape_sphere(0.1));
    }
    CONTEXT("case %d: %d balls", k, count);
    rgTwist before = rg_world_momentum(world);
    double h = rg_world_options(world)->step, mass = 0;
    for (int i = 0; i < count; i++)
      mass += rg_body_mass(world, rg_world_body(world, i)).mass;
    for (int step = 1; step <= 5; step++) {
      run_steps(world, 1);
      rgTwist now = rg_world_momentum(world);
      CHECK_NEAR(now.linear.x, before.linear.x, 1e-9 * mass);
      CHECK_NEAR(now.linear.z, -mass * 9.81 * h * step, 1e-9 * mass);
    }
    CHECK(rg_world_certificate(world)->penetration < 1e-3);
    rg_world_destroy(world);
  }
}

// An axis that is held somewhere else than its body stands comes back at the rate of baumgarte, as a fixed
// row does: by 1 - rate h from step to step.
TEST(baumgarte_takes_held_axes_back_at_its_rate) {
  random_state = 31;
  for (int k = 0; k < 20; k++) {
    double h = random_between(1e-3, 1e-2), rate = random_between(0.05, 0.9) / h;
    double off = random_between(-0.02, 0.02), theta = k % 2 ? 1 : random_between(0.5, 1);
    rgWorldDef def = definition("theta", "baumgarte", h);
    def.options.gravity = v3_zero();
    def.options.theta = theta;
    def.options.baumgarte_rate = rate;
    rgWorld* world = build_world_of(&def);
    rgBodyId body = build_box(world, v3(0.1, 0.1, 0.1), v3_zero());
    rgJointDef joint = rg_joint_def(RG_JOINT_SLIDER);
    joint.body_b = body;
    joint.axis = random_direction();
    joint.axes[0].lower = joint.axes[0].upper = off;
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    CONTEXT("case %d: h %g, rate h %g, theta %g", k, h, rate * h, theta);
    rgJointState state;
    run_steps(world, 1);
    REQUIRE(rg_joint_state(world, id, &state) == RG_OK);
    CHECK_NEAR(state.coordinate[0] - off, -off * (1 - rate * h), 1e-9 * fabs(off));
    rg_world_destroy(world);
  }
}

// Contacts that can be read after a step are those of the places that bodies have then: corrections of positions move
// them along. A search at the same places finds the same.
TEST(contacts_after_a_correction_are_where_the_bodies_are) {
  random_state = 77;
  int compared = 0;
  for (int i = 0; i < 12; i++) {
    rgWorld* world = build_world("default");
    build_set_default_material(world, 0.3, 0);
    bool first = i % 2;
    if (first)
      build_floor(world);
    for (int k = 0; k < 4; k++) { // a small pile, each a little in the one below
      // by little in half of them, so that they are corrected by less than they were sought for
      double in = i < 6 ? 1e-4 : 5e-6;
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.02 * k, 0.01 * k, 0.1 - in + (0.2 - in) * k));
      build_body(world, &def, i % 3 ? shape_box(v3(0.1, 0.12, 0.1)) : shape_sphere(0.1));
    }
    if (!first)
      build_floor(world);
    for (int step = 0; step < 4; step++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      rgContact told[64];
      int count = rg_world_contacts(world, told, 64);
      REQUIRE(count <= 64);
      REQUIRE(rg_world_find_contacts(world) == RG_OK);
      CONTEXT("pile %d, step %d", i, step);
      if (rg_world_contact_count(world) != count)
        continue; // one at the edge of the reach
      for (int k = 0; k < count; k++) {
        rgContact found;
        REQUIRE(rg_world_contact(world, k, &found) == RG_OK);
        CHECK_NEAR(distance(found.point, told[k].point), 0, i < 6 ? 1e-7 : 2e-8);
        CHECK_NEAR(found.gap, told[k].gap, 1e-8);
        CHECK_NEAR(distance(found.normal, told[k].normal), 0, 1e-5);
        compared += certificate.stages[RG_STAGE_PROJECTION].count > 0;
      }
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(compared > 50, "only %d", compared);
}
