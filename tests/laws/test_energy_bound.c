// What a step may gain, and how it pays for what it has gained, in closed forms.
//
// An impact at theta > 1/2 borrows B = (theta - 1/2) h F . (v - v+), which the stage `energy` of the
// certificate allows it and no more (step/energy/energy.c). What the projection lifts is paid out of the
// kinetic energy of what was lifted.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double RADIUS = 0.1;

static rgWorld* make_world(double theta, double h, rgVec3 gravity) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.theta = theta;
  def.options.step = h;
  def.options.gravity = gravity;
  return build_world_of(&def);
}

// A ball of any mass that hits a wall with e > 0, under gravity and a force of any direction.
TEST(an_impact_may_gain_what_it_borrows) {
  random_state = 17;
  for (int i = 0; i < 120; i++) {
    static const double thetas[] = {0.5, 0.6, 0.8, 1};
    double theta = thetas[i % 4], h = random_between(5e-4, 2e-3), e = random_between(0.1, 1),
           speed = random_between(0.5, 5), mass = random_between(0.2, 20);
    rgVec3 gravity = v3_scale(random_vector(), 10), pull = v3_scale(random_vector(), 10 * mass);
    rgWorld* world = make_world(theta, h, gravity);
    rgOptions options = *rg_world_options(world);
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    build_set_default_material(world, 0, e);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, RADIUS));
    rgVec3 before = v3(random_between(-2, 2), random_between(-2, 2), -speed);
    def.velocity.linear = before;
    def.mass = mass;
    rgBodyId ball = build_body(world, &def, shape_sphere(RADIUS));
    rgForceDef force = rg_force_def();
    force.body = ball;
    force.wrench.force = pull;
    rgForceId id;
    REQUIRE_INT(rg_world_add_force(world, &force, &id), RG_OK);
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    rgVec3 after = rg_body_velocity(world, ball).linear, all = v3_axpy(pull, mass, gravity); // [N]
    rgVec3 free = v3_axpy(before, h / mass, all);
    CONTEXT("ball %d: theta %g, e %g", i, theta, e);
    CHECK_NEAR(distance(after, v3(free.x, free.y, e * speed)), 0, 1e-9);
    double lent = fmax(0, (theta - 0.5) * h * v3_dot(all, v3_sub(before, after)));
    const rgStageReport* stage = &certificate.stages[RG_STAGE_ENERGY];
    // residual and rounding allow a little
    double kinetic = 0.5 * mass * v3_norm2(before);
    CHECK_NEAR(stage->asked, lent, 1e-8 * kinetic);
    // dE = -(1 - e^2) m u^2 / 2 in the normal direction + B, beyond the work of the force
    double lost = 0.5 * mass * (1 - e * e) * speed * speed;
    rgVec3 p = v3(0, 0, mass * (e * speed - free.z));
    double due = 0.5 * v3_dot(p, v3_add(before, after)) +
                 (theta - 0.5) * h * v3_dot(all, v3_sub(before, after));
    CHECK_NEAR(certificate.energy, due, 1e-8 * kinetic);
    CHECK(lost >= 0);
    CHECK_NEAR(certificate.energy_contacts, 0.5 * v3_dot(p, v3_add(before, after)), 1e-8 * kinetic);
    CHECK_NEAR(stage->reached, certificate.energy, 1e-12 * kinetic);
    rg_world_destroy(world);
  }
}

// Balls and boxes that slide and stick in the floor are lifted by the projection to half of what it
// leaves, and their kinetic energy falls by the work against gravity.
TEST(what_is_lifted_pays_with_its_speed) {
  random_state = 23;
  for (int i = 0; i < 60; i++) {
    double h = 1e-3, depth = random_between(1e-4, 5e-3), speed = random_between(1, 4), g = 9.81;
    rgWorld* world = make_world(i % 2 ? 1 : 0.5, h, v3(0, 0, -g));
    build_set_default_material(world, 0, 0);
    bool floor_first = i / 2 % 2;
    if (floor_first)
      build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, RADIUS - depth));
    double spin = random_between(2, 6);
    def.velocity = twist(v3(speed, 0.3 * speed, 0), v3(0, 0, spin));
    def.mass = random_between(0.5, 5);
    bool box = i / 4 % 2;
    rgBodyId body =
        build_body(world, &def, box ? shape_box(v3(0.2, 0.3, RADIUS)) : shape_sphere(RADIUS));
    if (!floor_first)
      build_floor(world);
    rgEnergy before = rg_world_energy(world);
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    rgEnergy after = rg_world_energy(world);
    CONTEXT("body %d, depth %g", i, depth);
    double lift = def.mass * g * (rg_body_center(world, body).z - def.pose.position.z);
    CHECK_NEAR(rg_body_center(world, body).z, RADIUS, 1e-8);
    CHECK_REL(lift, def.mass * g * depth, 1e-4);
    CHECK_NEAR(before.kinetic - after.kinetic, lift, 1e-8 * before.kinetic);
    CHECK_NEAR(certificate.energy, 0, 1e-8 * before.kinetic);
    rgTwist v = rg_body_velocity(world, body);
    CHECK_NEAR(v.linear.y / v.linear.x, 0.3, 1e-9);
    CHECK_NEAR(v.angular.z / spin, v.linear.x / speed, 1e-6); // all of it by one factor
    rg_world_destroy(world);
  }
}

// What rests has nothing to pay with: it is lifted for nothing, the certificate says by how much, and
// allows it.
TEST(what_rests_is_lifted_for_nothing) {
  for (int i = 0; i < 4; i++) {
    double depth = 1e-3 * (i + 1), g = 9.81;
    rgWorld* world = make_world(i % 2 ? 1 : 0.5, 1e-3, v3(0, 0, -g));
    build_set_default_material(world, 0.5, 0);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, RADIUS - depth));
    def.mass = 2;
    rgBodyId body = build_body(world, &def, shape_sphere(RADIUS));
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_NEAR(rg_body_center(world, body).z, RADIUS, 1e-8);
    CHECK_REL(certificate.energy, def.mass * g * depth, 1e-3);
    CHECK_REL(certificate.energy_projection, def.mass * g * depth, 1e-3);
    const rgStageReport* stage = &certificate.stages[RG_STAGE_ENERGY];
    CHECK_REL(stage->reached, certificate.energy, 1e-12);
    CHECK_REL(stage->asked, stage->reached, 1e-6);
    CHECK(certificate.met);
    rg_world_destroy(world);
  }
}

// Rows at theta = 1 lose (theta - 1/2) |v+ - v|^2 in the norm of M; a pendulum of a rod does so.
TEST(integration_and_joints_lose_what_the_scheme_says) {
  static const double thetas[] = {0.5, 0.75, 1};
  for (int i = 0; i < 12; i++) {
    double theta = thetas[i % 3], h = 2e-3;
    rgWorld* world = make_world(theta, h, v3(0, 0, -9.81));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5, 0, 0));
    def.mass = 2;
    def.inertia_given = true;
    def.inertia = m3_diag(0.1, 0.1, 0.1);
    rgBodyId rod;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &rod), RG_OK);
    rgJointDef joint = rg_joint_def(i % 2 ? RG_JOINT_HINGE : RG_JOINT_BALL);
    joint.axis = v3(0, 1, 0);
    joint.body_b = rod;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    double rate = 2;
    if (i % 2)
      REQUIRE_INT(rg_joint_set_state(world, id, NULL, &rate), RG_OK);
    for (int step = 0; step < 3; step++) {
      rgTwist before = rg_body_velocity(world, rod);
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      rgTwist after = rg_body_velocity(world, rod);
      double due = -(theta - 0.5) * (2 * v3_norm2(v3_sub(after.linear, before.linear)) +
                                     0.1 * v3_norm2(v3_sub(after.angular, before.angular)));
      CONTEXT("pendulum %d, theta %g, step %d", i, theta, step);
      CHECK_NEAR(certificate.energy, due, 2e-3 * fabs(due) + 1e-9);
      CHECK_NEAR(certificate.energy_integration + certificate.energy_joints, certificate.energy,
                 1e-12);
    }
    rg_world_destroy(world);
  }
}

// A body that slides in a vertical plane, geared to a rotor, and is lifted out of the floor: rotor and body
// pay alike.
TEST(what_is_lifted_pays_with_the_speed_of_its_rotor) {
  for (int i = 0; i < 8; i++) {
    double depth = 5e-4 * (i + 1), g = 9.81, speed = 2, armature = 0.5 * i;
    rgWorld* world = make_world(i % 2 ? 1 : 0.5, 1e-3, v3(0, 0, -g));
    build_set_default_material(world, 0, 0);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, RADIUS - depth));
    def.mass = 2;
    def.velocity.linear = v3(speed, 0, 0);
    rgBodyId body = build_body(world, &def, shape_box(v3(0.2, 0.3, RADIUS)));
    rgJointDef joint = rg_joint_def(RG_JOINT_PLANAR); // along y and z of its frame
    joint.body_b = body;
    joint.axis = v3(0, 1, 0);
    joint.axis_2 = v3(1, 0, 0);
    joint.axes[0].armature = armature;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    rgEnergy before = rg_world_energy(world);
    CHECK_NEAR(before.kinetic, 0.5 * (def.mass + armature) * speed * speed, 1e-12);
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    rgEnergy after = rg_world_energy(world);
    double lift = def.mass * g * depth;
    CONTEXT("armature %g", armature);
    CHECK_NEAR(rg_body_center(world, body).z, RADIUS, 1e-8);
    CHECK_NEAR(before.kinetic - after.kinetic, lift, 1e-4 * lift);
    double slowed = sqrt(1 - lift / before.kinetic);
    CHECK_NEAR(rg_body_velocity(world, body).linear.x, speed * slowed, 1e-6);
    rg_world_destroy(world);
  }
}

// Forces and torques from outside do the work that a free body gains, in every stepper: what is left is the
// order of the scheme.
TEST(applied_forces_and_torques_do_their_work_in_every_stepper) {
  static const struct {
    const char* stepper;
    double theta, part; // of the work that the scheme may lose
  } schemes[] = {{"theta", 0.5, 1e-9},        {"gauss", 1, 1e-7},
                 {"theta", 1, 0.02},          {"stewart-trinkle", 1, 0.02},
                 {"anitescu-potra", 1, 0.02}, {"signorini", 0.5, 1e-9}};
  random_state = 71;
  for (int i = 0; i < 60; i++) {
    rgWorld* world = make_world(schemes[i % 6].theta, 1e-3, v3_scale(random_vector(), 5));
    rgOptions options = *rg_world_options(world);
    snprintf(options.stepper, sizeof options.stepper, "%s", schemes[i % 6].stepper);
    build_fit_options(&options);
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, random_vector());
    def.pose.orientation = random_rotation();
    def.velocity = twist(random_vector(), v3_scale(random_vector(), 3));
    def.mass = 1.5;
    rgBodyId body = build_body(world, &def, shape_box(v3(0.2, 0.3, 0.4)));
    rgForceDef force = rg_force_def();
    force.body = body;
    force.wrench = (rgWrench){v3_scale(random_vector(), 10), v3_scale(random_vector(), 2)};
    rgForceId id;
    REQUIRE_INT(rg_world_add_force(world, &force, &id), RG_OK);
    for (int step = 0; step < 5; step++) {
      rgEnergy before = rg_world_energy(world);
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      rgEnergy after = rg_world_energy(world);
      double gain = after.kinetic + after.potential - before.kinetic - before.potential;
      double size = 0.05 + fabs(gain); // [J] about h F v
      CONTEXT("%s, theta %g, body %d", schemes[i % 6].stepper, schemes[i % 6].theta, i);
      CHECK_NEAR(certificate.energy, 0, schemes[i % 6].part * size);
    }
    rg_world_destroy(world);
  }
}

// A limit that is passed lifts what hangs on it: what hangs on the ground by a joint alone pays as well, and what
// flies with another body pays with the movement against each other only.
TEST(what_a_limit_lifts_pays_with_its_speed) {
  for (int i = 0; i < 12; i++) {
    double depth = 1e-3 * (i + 1), g = 9.81, speed = 3;
    rgWorld* world = make_world(i % 2 ? 1 : 0.5, 1e-3, v3(0, 0, -g));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.mass = 2;
    def.velocity.linear = v3(speed, 0, 0);
    def.inertia_given = true;
    def.inertia = m3_diag(0.1, 0.1, 0.1);
    rgBodyId body;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &body), RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_PLANAR);
    joint.body_b = body;
    joint.axis = v3(0, 1, 0);
    joint.axis_2 = v3(0, 0, 1); // its first axis is upwards
    joint.axes[0].lower = depth;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CONTEXT("depth %g", depth);
    CHECK_NEAR(rg_body_center(world, body).z, depth, 1e-8);
    CHECK_NEAR(rg_body_velocity(world, body).linear.x, sqrt(speed * speed - 2 * g * depth), 1e-6);
    CHECK_NEAR(certificate.energy, 0, 1e-8);
    rg_world_destroy(world);
  }
}

// Springs hold energy of the world: their work between bodies is nobody's from outside, whether they are taken
// implicitly or not, to the ground or between two bodies.
TEST(springs_do_no_work_from_outside) {
  random_state = 39;
  for (int i = 0; i < 24; i++) {
    rgWorld* world = make_world(i % 2 ? 1 : 0.5, 1e-3, v3_scale(random_vector(), 5));
    rgOptions options = *rg_world_options(world);
    options.implicit_forces = i / 2 % 2;
    if (i % 6 == 5)
      snprintf(options.stepper, sizeof options.stepper, "gauss");
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    build_set_default_material(world, 0, 0);
    rgBodyId ids[2];
    for (int k = 0; k < 2; k++) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(1.5 * k, 0.2, 0));
      def.velocity = twist(random_vector(), v3_scale(random_vector(), 2));
      ids[k] = build_body(world, &def, shape_box(v3(0.2, 0.1, 0.15)));
    }
    for (int k = 0; k < 3; k++) {
      rgForceDef spring = rg_force_def();
      spring.kind = k == 2 ? RG_FORCE_TORSION : RG_FORCE_SPRING;
      spring.body = ids[k % 2];
      if (k != 1)
        spring.other = ids[1 - k % 2];
      spring.point = v3_scale(random_vector(), 0.2);
      spring.other_point = v3_scale(random_vector(), 0.2);
      spring.stiffness = k == 2 ? 20 : 400;
      spring.damping = i / 4 % 2 ? 2 : 0;
      spring.rest = 0.5;
      rgForceId id;
      REQUIRE_INT(rg_world_add_force(world, &spring, &id), RG_OK);
    }
    for (int step = 0; step < 5; step++) {
      rgEnergy before = rg_world_energy(world);
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      rgEnergy after = rg_world_energy(world);
      double gain = after.kinetic + after.potential - before.kinetic - before.potential;
      CONTEXT("world %d, %s, theta %g, step %d", i, options.stepper, options.theta, step);
      CHECK_NEAR(certificate.energy, gain, 1e-9 * (before.kinetic + fabs(before.potential)));
    }
    rg_world_destroy(world);
  }
}
