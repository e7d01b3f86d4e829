// Mass of a body: from densities, scaled to a given mass, or given; locked rotation; changes of
// shapes.
#include "support/random.h"
#include "test.h"
#include <rigor/joint.h>

#include "support/builder.h"
#include "world/world.h"

static const double ROUNDING = 1e-13; // of a few products and sums

static rgMassProperties mass_of(rgWorld* world, const rgBodyDef* def, const rgShapeDef* shapes,
                                int count) {
  rgBodyId id;
  rgStatus status = rg_world_add_body(world, def, shapes, count, &id);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(world));
  return rg_body_mass(world, id);
}

static void check_matrix(const rgMat3* a, const rgMat3* b) {
  double largest = 0;
  for (int i = 0; i < 9; ++i)
    largest = fmax(largest, fabs(b->m[i / 3][i % 3]));
  for (int i = 0; i < 9; ++i)
    CHECK_NEAR(a->m[i / 3][i % 3], b->m[i / 3][i % 3], ROUNDING * largest);
}

TEST(mass_comes_from_density) {
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  rgShapeDef box = shape_box(v3(0.5, 1, 1.5)); // 1 x 2 x 3 m
  box.density = 200;
  rgMassProperties mass = mass_of(world, &def, &box, 1);
  double m = 200 * 6;
  rgMat3 expected = m3_diag(m / 12 * (4 + 9), m / 12 * (1 + 9), m / 12 * (1 + 4));
  CHECK_REL(mass.mass, m, ROUNDING);
  CHECK_NEAR(v3_norm(mass.center), 0, ROUNDING);
  check_matrix(&mass.inertia, &expected);
  rg_world_destroy(world);
}

TEST(shapes_add_up_by_the_parallel_axis_theorem) {
  // A dumb-bell of two spheres of different density at x = -1 and x = 2.
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  rgShapeDef shapes[2] = {shape_sphere(0.5), shape_sphere(0.25)};
  shapes[0].pose.position = v3(-1, 0, 0);
  shapes[1].pose.position = v3(2, 0, 0);
  shapes[1].density = 8000;
  const double pi = 3.14159265358979323846;
  double m0 = 1000 * 4 / 3.0 * pi * 0.125, m1 = 8000 * 4 / 3.0 * pi * 0.015625;
  double center = (-m0 + 2 * m1) / (m0 + m1), reduced = m0 * m1 / (m0 + m1);
  double own = 0.4 * m0 * 0.25 + 0.4 * m1 * 0.0625;
  rgMassProperties mass = mass_of(world, &def, shapes, 2);
  CHECK_REL(mass.mass, m0 + m1, ROUNDING);
  CHECK_NEAR(mass.center.x, center, ROUNDING);
  CHECK_REL(mass.inertia.m[0][0], own, ROUNDING);
  CHECK_REL(mass.inertia.m[1][1], own + 9 * reduced, ROUNDING);
  CHECK_REL(mass.inertia.m[2][2], own + 9 * reduced, ROUNDING);
  rg_world_destroy(world);
}

TEST(a_given_mass_scales_the_density) {
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  rgShapeDef shapes[2] = {shape_box(v3(0.5, 0.25, 0.5)), shape_sphere(0.5)};
  shapes[1].pose.position = v3(0.2, 1, -0.4);
  rgMassProperties from_density = mass_of(world, &def, shapes, 2);
  def.mass = 7;
  rgMassProperties scaled = mass_of(world, &def, shapes, 2);
  rgMat3 expected = m3_scale(&from_density.inertia, 7 / from_density.mass);
  CHECK_REL(scaled.mass, 7, ROUNDING);
  CHECK_NEAR(distance(scaled.center, from_density.center), 0, ROUNDING);
  check_matrix(&scaled.inertia, &expected);
  rg_world_destroy(world);
}

TEST(a_given_inertia_replaces_that_of_the_shapes) {
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  def.mass = 3;
  def.inertia_given = true;
  def.center = v3(0.1, -0.2, 0.3);
  def.inertia = (rgMat3){{{2, 0.3, -0.1}, {0.3, 2.5, 0.2}, {-0.1, 0.2, 3}}};
  rgShapeDef box = shape_box(v3(1, 1, 1));
  rgMassProperties mass = mass_of(world, &def, &box, 1);
  CHECK_REL(mass.mass, 3, ROUNDING);
  CHECK_NEAR(distance(mass.center, def.center), 0, ROUNDING);
  check_matrix(&mass.inertia, &def.inertia);

  // The centre of mass is where the body says it is, also when turned.
  def.pose = (rgPose){v3(1, 2, 3), turn_about(v3(0, 0, 1), 3.14159265358979323846 / 2)};
  rgBodyId id = build_body(world, &def, box);
  CHECK_NEAR(distance(rg_body_center(world, id), v3(1.2, 2.1, 3.3)), 0, 1e-12);
  CHECK_NEAR(distance(rg_body_pose(world, id).position, v3(1, 2, 3)), 0, 1e-12);
  rg_world_destroy(world);
}

TEST(a_point_mass_needs_no_shape) {
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  def.mass = 2;
  def.rotation_locked = true;
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK);
  build_set_step(world, 0.01, 0.5);
  run_steps(world, 100);
  CHECK_NEAR(rg_body_center(world, id).z, -0.5 * 9.81,
             1e-12); // exact at theta = 1/2 up to rounding
  rg_world_destroy(world);
}

TEST(bodies_that_do_not_move_freely_have_no_mass) {
  rgWorld* world = build_world("default");
  for (int kind = RG_BODY_STATIC; kind <= RG_BODY_KINEMATIC; ++kind) {
    rgBodyDef def = body_at((rgBodyKind)kind, v3_zero());
    rgShapeDef box = shape_box(v3(1, 1, 1));
    CHECK_NEAR(mass_of(world, &def, &box, 1).mass, 0, 0);
  }
  rg_world_destroy(world);
}

TEST(locked_rotation_never_turns) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5));
  def.rotation_locked = true;
  def.velocity = twist(v3(2, 0, 0), v3(0, 3, 0));
  rgBodyId ball = build_body(world, &def, shape_sphere(0.5));
  REQUIRE(rg_body_apply_impulse(world, ball, v3(0, 100, 0), v3(0, 0, 1)) == RG_OK);
  build_set_step(world, 1e-3, 0.5);
  run_steps(world, 200);
  rgPose pose = rg_body_pose(world, ball);
  CHECK_BITS(pose.orientation.w, 1);
  CHECK_NEAR(v3_norm(rg_body_velocity(world, ball).angular), 0, 0);
  // It slides as a block does: decelerated by mu g.
  double start = v3_norm(v3(2, 100 / rg_body_mass(world, ball).mass, 0));
  CHECK_REL(v3_norm(rg_body_velocity(world, ball).linear), start - 0.5 * 9.81 * 0.2, 1e-6);
  rg_world_destroy(world);
}

// Nor does it drag what is joined to it: velocities are made to suit joints without adding energy.
TEST(locked_rotation_has_no_spin_to_give) {
  rgWorld* world = build_still("reference");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0));
  def.rotation_locked = true;
  def.velocity = twist(v3(2, 0, 0), v3(0, 0, 100));
  rgBodyId locked = build_body(world, &def, shape_sphere(0.5));
  CHECK_NEAR(v3_norm(rg_body_velocity(world, locked).angular), 0, 0);
  REQUIRE(rg_body_set_velocity(world, locked, def.velocity) == RG_OK);
  CHECK_NEAR(v3_norm(rg_body_velocity(world, locked).angular), 0, 0);
  def = body_at(RG_BODY_DYNAMIC, v3(2, 0, 0));
  rgBodyId other = build_body(world, &def, shape_sphere(0.5));
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_a = locked;
  joint.body_b = other;
  joint.point = v3(1, 0, 0);
  rgJointId id;
  REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
  double start = rg_world_energy(world).kinetic;
  run_steps(world, 10);
  CHECK_MSG(rg_world_energy(world).kinetic <= start * (1 + 1e-9), "%g J of %g J",
            rg_world_energy(world).kinetic, start);
  rg_world_destroy(world);
}

TEST(adding_and_removing_a_shape_recomputes_the_mass_and_keeps_the_motion) {
  rgWorld* world = build_still("default");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(1, 2, 3));
  def.pose.orientation = turn_about(v3(1, 2, -1), 0.7);
  def.velocity = twist(v3(1, 0, 0), v3(0, 0, 2));
  rgBodyId id = build_body(world, &def, shape_box(v3(0.5, 0.5, 0.5)));
  rgPose pose = rg_body_pose(world, id);

  rgShapeDef second = shape_box(v3(0.5, 0.5, 0.5));
  second.pose.position = v3(2, 0, 0);
  rgShapeId shape;
  REQUIRE(rg_world_add_shape(world, id, &second, &shape) == RG_OK);
  rgMassProperties mass = rg_body_mass(world, id);
  CHECK_REL(mass.mass, 2000, ROUNDING);
  CHECK_NEAR(distance(mass.center, v3(1, 0, 0)), 0, ROUNDING);
  CHECK_REL(mass.inertia.m[1][1], 2 * (1000 / 6.0 + 1000), ROUNDING);
  // The frame stays; the velocity of the material point that was the centre stays.
  CHECK_NEAR(distance(rg_body_pose(world, id).position, pose.position), 0, 1e-14);
  rgTwist v = rg_body_velocity(world, id);
  rgVec3 arm = v3_sub(pose.position, rg_body_center(world, id));
  CHECK_NEAR(distance(v3_add(v.linear, v3_cross(v.angular, arm)), v3(1, 0, 0)), 0, 1e-14);

  REQUIRE(rg_world_remove_shape(world, shape) == RG_OK);
  CHECK_REL(rg_body_mass(world, id).mass, 1000, ROUNDING);
  CHECK_NEAR(distance(rg_body_center(world, id), v3(1, 2, 3)), 0, 1e-14);
  CHECK_NEAR(distance(rg_body_velocity(world, id).linear, v3(1, 0, 0)), 0, 1e-14);
  rg_world_destroy(world);
}

// The shape of `body` in a contact of the last step.
static rgShapeId shape_in_contact(const rgWorld* world, rgBodyId body) {
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    if (contact.body_a.index == body.index)
      return contact.shape_a;
    if (contact.body_b.index == body.index)
      return contact.shape_b;
  }
  FAIL("the body has a contact");
  return (rgShapeId){0, 0};
}

TEST(the_last_solid_shape_of_a_body_cannot_be_removed) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId ball = build_sphere(world, 1, v3(0, 0, 1));
  run_steps(world, 1);
  uint64_t before = rg_world_hash(world);
  double mass = rg_body_mass(world, ball).mass;
  CHECK_INT(rg_world_remove_shape(world, shape_in_contact(world, ball)), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world),
            "a dynamic body needs a mass > 0 or a solid shape with density > 0");
  CHECK_HEX(rg_world_hash(world), before);
  CHECK_NEAR(rg_body_mass(world, ball).mass, mass, 0);

  // With another one it can.
  rgShapeDef box = shape_box(v3(0.5, 0.5, 0.5));
  rgShapeId added;
  REQUIRE(rg_world_add_shape(world, ball, &box, &added) == RG_OK);
  run_steps(world, 1);
  CHECK_INT(rg_world_remove_shape(world, shape_in_contact(world, ball)), RG_OK);
  CHECK_REL(rg_body_mass(world, ball).mass, 1000, ROUNDING);
  run_steps(world, 1);
  rg_world_destroy(world);
}

// Principal moments of a mass distribution obey a + b >= c, whichever of them is the largest.
TEST(an_inertia_that_no_body_has_is_refused) {
  rgWorld* world = build_world("default");
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      double moments[3] = {1, 1.5, 1.5};
      moments[i] = k ? 2.49 : 2.51;
      moments[(i + 1) % 3] = 1;
      moments[(i + 2) % 3] = 1.5;
      rgBodyDef def = rg_body_def();
      def.mass = 1;
      def.inertia_given = true;
      def.inertia = m3_diag(moments[0], moments[1], moments[2]);
      rgBodyId id;
      CONTEXT("moments %g, %g, %g", moments[0], moments[1], moments[2]);
      CHECK_INT(rg_world_add_body(world, &def, NULL, 0, &id), k ? RG_OK : RG_ERROR_INPUT);
    }
  rg_world_destroy(world);
}

// A pose is that of the body frame, wherever the centre of mass is: what is put somewhere is there, with all that
// belongs to it.
TEST(bodies_are_put_where_their_frame_is_said_to_be) {
  random_state = 19;
  for (int i = 0; i < 40; i++) {
    rgWorld* world = build_world("default");
    rgBodyDef def = body_at(i % 4 == 3 ? RG_BODY_KINEMATIC : RG_BODY_DYNAMIC, random_vector());
    def.pose.orientation = random_rotation();
    rgShapeDef shape = shape_sphere(0.1);
    shape.pose.position = random_vector(); // the centre of mass is there
    rgBodyId body = build_body(world, &def, shape);
    rgTwist v = twist(random_vector(), random_vector());
    REQUIRE_INT(rg_body_set_velocity(world, body, v), RG_OK);
    rgPose pose = {random_vector(), random_rotation()};
    REQUIRE_INT(rg_body_set_pose(world, body, pose), RG_OK);
    rgPose now = rg_body_pose(world, body);
    rgVec3 center = i % 4 == 3 ? v3_zero() : shape.pose.position;
    CONTEXT("body %d", i);
    CHECK_NEAR(distance(now.position, pose.position), 0, 1e-14);
    CHECK_NEAR(distance(rg_body_center(world, body), pose_apply(pose, center)), 0, 1e-14);
    rgVec3 x = random_vector();
    CHECK_NEAR(distance(pose_apply(now, x), pose_apply(pose, x)), 0, 1e-14);
    CHECK_NEAR(distance(rg_body_velocity(world, body).linear, v.linear), 0, 0);
    // the same again changes nothing
    REQUIRE_INT(rg_body_set_pose(world, body, now), RG_OK);
    CHECK_NEAR(distance(rg_body_pose(world, body).position, pose.position), 0, 1e-14);
    rg_world_destroy(world);
  }
}

// A given inertia is read back, whichever way its principal axes stand, and so is its angular momentum.
TEST(any_inertia_is_read_back) {
  random_state = 53;
  for (int i = 0; i < 400; i++) {
    rgWorld* world = build_still("default");
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    rgQuat turn = i % 4 ? random_rotation()
                        : turn_about(v3(i % 3 == 0, i % 3 == 1, i % 3 == 2),
                                     3.14159265358979323846 * (1 - 1e-3 * (i % 5)));
    rgMat3 axes = m3_from_quat(turn);
    def.inertia_given = true;
    def.mass = 2;
    double x = random_between(0.1, 1), y = random_between(0.1, 1);
    def.inertia = m3_congruence(&axes, v3(x, y, random_between(fabs(x - y) + 0.01, x + y - 0.01)));
    def.velocity.angular = random_vector();
    rgBodyId body;
    REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &body) == RG_OK, "%s",
                rg_world_message(world));
    rgMassProperties mass = rg_body_mass(world, body);
    CONTEXT("inertia %d", i);
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(mass.inertia.m[k / 3][k % 3], def.inertia.m[k / 3][k % 3], 1e-12);
    rgVec3 spin = m3_apply(&def.inertia, def.velocity.angular);
    CHECK_NEAR(distance(rg_world_momentum(world).angular, spin), 0, 1e-12);
    CHECK_NEAR(rg_world_energy(world).kinetic, 0.5 * v3_dot(spin, def.velocity.angular), 1e-12);
    rg_world_destroy(world);
  }
}

// What a search and a step ask of a body's form, how far it reaches and how thin it is, follows its shapes as they come
// and go.
TEST(extent_and_thickness_follow_the_shapes) {
  random_state = 67;
  enum { MANY = 6 };
  rgWorld* world = build_world("default");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
  rgShapeDef keel = shape_sphere(0.2);
  rgBodyId id = build_body(world, &def, keel);
  rgShapeId shapes[MANY];
  rgVec3 places[MANY];
  double radii[MANY];
  bool there[MANY] = {false};
  for (int i = 0; i < 60; i++) {
    int at = (int)(MANY * random_unit());
    if (there[at]) {
      REQUIRE(rg_world_remove_shape(world, shapes[at]) == RG_OK);
    } else {
      radii[at] = random_between(0.05, 0.5);
      places[at] = v3_scale(random_vector(), 2);
      rgShapeDef shape = shape_sphere(radii[at]);
      shape.pose.position = places[at];
      REQUIRE(rg_world_add_shape(world, id, &shape, &shapes[at]) == RG_OK);
    }
    there[at] = !there[at];
    const rgBody* body = rg_world_body_slot(world, id);
    double extent = v3_norm(body->center) + 0.2, thin = 0.2;
    for (int k = 0; k < MANY; k++)
      if (there[k]) {
        extent = fmax(extent, v3_norm(v3_sub(places[k], body->center)) + radii[k]);
        thin = fmin(thin, radii[k]);
      }
    CONTEXT("edit %d", i);
    CHECK_NEAR(body->extent, extent, 1e-12);
    CHECK_NEAR(body->thin, thin, 1e-12);
  }
  rg_world_destroy(world);
}
