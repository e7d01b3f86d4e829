// Forces move bodies as Newton and Euler say; the work they do is in the energy balance.
#include "test.h"

#include "math/trig.h"
#include "support/builder.h"

// A free box of 1 x 2 x 3 m and 2 kg, without gravity, at theta = 1/2.
typedef struct Free {
  rgWorld* world;
  rgBodyId box;
  rgMassProperties mass;
} Free;

static Free build_free(double step) {
  Free free = {.world = build_still("default")};
  build_set_step(free.world, step, 0.5);
  rgBodyDef def = rg_body_def();
  def.mass = 2;
  free.box = build_body(free.world, &def, shape_box(v3(0.5, 1, 1.5)));
  free.mass = rg_body_mass(free.world, free.box);
  return free;
}

static rgForceId add_force(Free* free, rgForceDef def) {
  rgForceId id;
  def.body = free->box;
  rgStatus status = rg_world_add_force(free->world, &def, &id);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(free->world));
  return id;
}

// Steps and checks that no step gains or loses energy beyond the work of the forces.
static void run_balanced(Free* free, int steps, double tolerance) {
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(free->world, &certificate) == RG_OK);
    CHECK_NEAR(certificate.energy, 0, tolerance);
    CHECK(certificate.met);
  }
}

TEST(gravity_gives_a_parabola) {
  rgWorld* world = build_world("default");
  build_set_step(world, 0.01, 0.5);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 10));
  def.velocity.linear = v3(3, 0, 2);
  rgBodyId ball = build_body(world, &def, shape_sphere(0.1));
  double start = rg_world_energy(world).kinetic + rg_world_energy(world).potential;
  run_steps(world, 100);
  // The trapezoidal rule is exact for a constant force; what is left is the rounding of 100 sums.
  CHECK_NEAR(distance(rg_body_center(world, ball), v3(3, 0, 12 - 4.905)), 0, 1e-12);
  CHECK_NEAR(distance(rg_body_velocity(world, ball).linear, v3(3, 0, 2 - 9.81)), 0, 1e-12);
  CHECK_REL(rg_world_energy(world).kinetic + rg_world_energy(world).potential, start, 1e-13);
  CHECK_NEAR(rg_world_time(world), 1, 1e-13);
  CHECK_INT(rg_world_steps(world), 100);
  rg_world_destroy(world);
}

TEST(a_constant_force_gives_a_constant_acceleration) {
  Free free = build_free(0.01);
  rgForceDef def = rg_force_def();
  def.wrench.force = v3(4, -2, 0);
  rgForceId id = add_force(&free, def);
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(distance(rg_body_center(free.world, free.box), v3(1, -0.5, 0)), 0, 1e-12);
  CHECK_NEAR(distance(rg_body_velocity(free.world, free.box).linear, v3(2, -1, 0)), 0, 1e-12);

  // Without it the body goes on as it was.
  REQUIRE(rg_world_remove_force(free.world, id) == RG_OK);
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(distance(rg_body_center(free.world, free.box), v3(3, -1.5, 0)), 0, 1e-12);
  rg_world_destroy(free.world);
}

TEST(a_constant_torque_about_a_principal_axis_gives_a_constant_spin_up) {
  Free free = build_free(1e-3);
  rgForceDef def = rg_force_def();
  def.wrench.torque = v3(0, 0, 0.5);
  add_force(&free, def);
  run_balanced(&free, 1000, 1e-12);
  double alpha = 0.5 / free.mass.inertia.m[2][2];
  CHECK_NEAR(distance(rg_body_velocity(free.world, free.box).angular, v3(0, 0, alpha)), 0, 1e-12);
  // The angle is alpha t^2 / 2; a Cayley step of angle a turns by 2 atan(a/2), third order in a.
  rgQuat q = rg_body_pose(free.world, free.box).orientation;
  CHECK_NEAR(2 * rg_atan2(q.z, q.w), 0.5 * alpha, 1e-7);
  rg_world_destroy(free.world);
}

TEST(a_table_that_is_linear_in_time) {
  // F = k t until t = 1, then constant: v and x of the trapezoidal rule are known exactly,
  // v = k t^2 / 2m and x = k (t^3 / 6 + h^2 t / 12) / m.
  const double h = 0.01, k = 6, m = 2;
  const double times[] = {0, 1};
  const rgWrench rows[] = {{{0, 0, 0}, {0, 0, 0}}, {{0, k, 0}, {0, 0, 0}}};
  Free free = build_free(h);
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.times = times;
  def.wrenches = rows;
  def.row_count = 2;
  add_force(&free, def);
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(rg_body_velocity(free.world, free.box).linear.y, k / (2 * m), 1e-12);
  CHECK_NEAR(rg_body_center(free.world, free.box).y, k * (1 / 6.0 + h * h / 12) / m, 1e-12);
  double x = rg_body_center(free.world, free.box).y;
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(rg_body_velocity(free.world, free.box).linear.y, k / (2 * m) + k / m, 1e-12);
  CHECK_NEAR(rg_body_center(free.world, free.box).y, x + k / (2 * m) + k / (2 * m), 1e-12);
  rg_world_destroy(free.world);
}

TEST(the_world_keeps_its_own_copy_of_a_table) {
  double times[] = {0, 1};
  rgWrench rows[] = {{{1, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {0, 0, 0}}};
  Free free = build_free(0.01);
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.times = times;
  def.wrenches = rows;
  def.row_count = 2;
  add_force(&free, def);
  memset(times, 0xff, sizeof times);
  memset(rows, 0xff, sizeof rows);
  run_balanced(&free, 10, 1e-12);
  CHECK_NEAR(rg_body_velocity(free.world, free.box).linear.x, 0.05, 1e-13);
  rg_world_destroy(free.world);
}

static rgWrench swing(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)pose;
  (void)velocity;
  return (rgWrench){{2 * rg_cos(*(double*)context * time), 0, 0}, {0, 0, 0}};
}

// Distance from x = (1 - cos w t) / w^2, the motion of 2 kg under 2 cos w t, after one second.
static double error_of_swing(double step) {
  double frequency = 5;
  Free free = build_free(step);
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_CALLBACK;
  def.callback = swing;
  def.context = &frequency;
  add_force(&free, def);
  run_balanced(&free, (int)(1 / step + 0.5), 1e-12);
  double x = rg_body_center(free.world, free.box).x;
  rg_world_destroy(free.world);
  return fabs(x - (1 - cos(frequency)) / (frequency * frequency));
}

TEST(a_callback_in_time_is_followed_to_second_order) {
  double coarse = error_of_swing(0.02), fine = error_of_swing(0.01);
  CHECK_MSG(coarse < 1e-3, "error %g", coarse);
  CHECK_NEAR(coarse / fine, 4, 0.1); // (h^2 + O(h^4)) ratio
}

TEST(a_force_in_body_axes_turns_with_the_body) {
  // Spinning about z with w, a force F along the body's x axis gives v = F / (m w) (sin w t, 1 -
  // cos w t). The force is that of the start of each step: first order.
  const double spin = 3, force = 2;
  double error[2];
  for (int i = 0; i < 2; ++i) {
    double h = i == 0 ? 2e-3 : 1e-3;
    Free free = build_free(h);
    REQUIRE(rg_body_set_velocity(free.world, free.box, twist(v3_zero(), v3(0, 0, spin))) == RG_OK);
    rgForceDef def = rg_force_def();
    def.wrench.force = v3(force, 0, 0);
    def.body_axes = true;
    add_force(&free, def);
    run_steps(free.world, (int)(1 / h + 0.5));
    double a = force / (2 * spin);
    rgVec3 exact = v3(a * sin(spin), a * (1 - cos(spin)), 0);
    error[i] = distance(rg_body_velocity(free.world, free.box).linear, exact);
    rg_world_destroy(free.world);
  }
  CHECK_MSG(error[1] < 2e-3, "error %g", error[1]);
  CHECK_MSG(error[1] < 0.6 * error[0], "errors %g and %g: should be halved", error[0], error[1]);
}

TEST(a_force_at_a_point_turns_the_body) {
  const double h = 1e-3;
  Free free = build_free(h);
  rgForceDef def = rg_force_def();
  def.wrench.force = v3(0, 0, 6);
  def.at_point = true;
  def.point = v3(0.5, 1, 0); // a corner edge of the box
  add_force(&free, def);
  run_balanced(&free, 1, 1e-9);
  // Moment (1 * 6, -0.5 * 6, 0); the gyroscopic term is of second order in h.
  rgTwist v = rg_body_velocity(free.world, free.box);
  CHECK_REL(v.linear.z, h * 3, 1e-13);
  CHECK_REL(v.angular.x, h * 6 / free.mass.inertia.m[0][0], 1e-4);
  CHECK_REL(v.angular.y, h * -3 / free.mass.inertia.m[1][1], 1e-4);
  rg_world_destroy(free.world);
}

TEST(forces_add_up) {
  Free free = build_free(0.01);
  rgForceDef def = rg_force_def();
  def.wrench.force = v3(1, 0, 0);
  for (int i = 0; i < 5; ++i)
    add_force(&free, def);
  def.wrench.force = v3(-5, 2, 0);
  add_force(&free, def);
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(distance(rg_body_velocity(free.world, free.box).linear, v3(0, 1, 0)), 0, 1e-12);
  rg_world_destroy(free.world);
}

TEST(an_impulse_changes_the_momentum_by_itself) {
  Free free = build_free(0.01);
  rgPose pose = {v3(1, 2, 3), turn_about(v3(1, 2, 2), 1)};
  REQUIRE(rg_body_set_pose(free.world, free.box, pose) == RG_OK);
  rgTwist start = twist(v3(1, 0, 0), v3(0.1, -0.2, 0.3));
  REQUIRE(rg_body_set_velocity(free.world, free.box, start) == RG_OK);
  rgTwist before = rg_world_momentum(free.world);
  rgVec3 impulse = v3(0.5, -1, 2), point = v3(2, 2, 2);
  REQUIRE(rg_body_apply_impulse(free.world, free.box, impulse, point) == RG_OK);
  rgTwist after = rg_world_momentum(free.world);
  CHECK_NEAR(distance(v3_sub(after.linear, before.linear), impulse), 0, 1e-14);
  CHECK_NEAR(distance(v3_sub(after.angular, before.angular), v3_cross(point, impulse)), 0, 1e-13);
  rg_world_destroy(free.world);
}

TEST(a_locked_body_takes_the_force_and_not_the_torque) {
  rgWorld* world = build_still("default");
  rgBodyDef body = rg_body_def();
  body.mass = 2;
  body.rotation_locked = true;
  Free free = {.world = world, .box = build_body(world, &body, shape_sphere(1))};
  rgForceDef def = rg_force_def();
  def.wrench = (rgWrench){{2, 0, 0}, {0, 0, 5}};
  add_force(&free, def);
  build_set_step(world, 0.01, 0.5);
  run_balanced(&free, 100, 1e-12);
  CHECK_NEAR(rg_body_center(world, free.box).x, 0.5, 1e-12);
  CHECK_BITS(rg_body_pose(world, free.box).orientation.w, 1);
  rg_world_destroy(world);
}

TEST(a_force_out_of_all_bounds_stops_the_step_and_not_the_world) {
  Free free = build_free(0.01);
  rgForceDef def = rg_force_def();
  def.wrench.force = v3(1e308, 1e308, 0);
  rgForceId first = add_force(&free, def), second = add_force(&free, def);
  uint64_t before = rg_world_hash(free.world);
  CHECK_INT(rg_world_step(free.world, NULL), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(free.world), "not finite");
  CHECK_HEX(rg_world_hash(free.world), before);
  REQUIRE(rg_world_remove_force(free.world, first) == RG_OK);
  REQUIRE(rg_world_remove_force(free.world, second) == RG_OK);
  run_steps(free.world, 3);
  CHECK_NEAR(v3_norm(rg_body_center(free.world, free.box)), 0, 0);
  rg_world_destroy(free.world);
}

// A spring that was removed is no longer in the lists of its bodies: what takes its slot stays when one of
// them is removed, and no force acts on who is left.
TEST(a_removed_spring_leaves_nothing_with_its_bodies) {
  for (int k = 0; k < 2; ++k) {
    rgWorld* world = build_still("default");
    rgBodyId a = build_sphere(world, 0.1, v3(0, 0, 0)), b = build_sphere(world, 0.1, v3(1, 0, 0)),
             c = build_sphere(world, 0.1, v3(2, 0, 0));
    rgForceDef spring = rg_force_def();
    spring.kind = RG_FORCE_SPRING;
    spring.body = a;
    spring.other = b;
    spring.stiffness = 10;
    spring.rest = 0.1;
    rgForceId id, next;
    REQUIRE(rg_world_add_force(world, &spring, &id) == RG_OK);
    REQUIRE(rg_world_remove_force(world, id) == RG_OK);
    rgForceDef push = rg_force_def();
    push.body = c;
    push.wrench.force = v3(0, 0, 1);
    REQUIRE(rg_world_add_force(world, &push, &next) == RG_OK);
    REQUIRE_INT(next.index, id.index);
    REQUIRE(rg_world_remove_body(world, k ? a : b) == RG_OK);
    run_steps(world, 1);
    CHECK_NEAR(v3_norm(rg_body_velocity(world, k ? b : a).linear), 0, 0);
    CHECK(rg_body_velocity(world, c).linear.z > 0);
    rg_world_destroy(world);
  }
}

// Every vector of a force has to lie in the plane of a 2D world, whichever it is.
TEST(forces_that_leave_the_plane_are_refused) {
  rgWorldDef flat = rg_world_def_2d();
  rgWorld* world = build_world_of(&flat);
  rgShapeDef disk = rg_shape_def(RG_SHAPE_CIRCLE);
  disk.radius = 0.1;
  rgBodyDef at = body_at(RG_BODY_DYNAMIC, v3_zero());
  rgBodyId body = build_body(world, &at, disk);
  const double times[2] = {0, 1};
  for (int k = 0; k < 8; k++)
    for (int bad = 0; bad < 2; bad++) {
      rgVec3 out = v3(1, 2, bad ? 0.5 : 0), about = v3(bad ? 0.5 : 0, 0, 1);
      rgVec3 path[2] = {{1, 0, 0}, k == 5 ? out : v3(0, 1, 0)};
      rgWrench rows[2] = {{{1, 0, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}};
      rows[1].force = k == 6 ? out : rows[1].force;
      rows[1].torque = k == 7 ? about : rows[1].torque;
      rgForceDef def = rg_force_def();
      def.kind = k < 2   ? RG_FORCE_CONSTANT
                 : k < 4 ? RG_FORCE_SPRING
                 : k < 6 ? RG_FORCE_ATTRACTOR
                         : RG_FORCE_TABLE;
      def.body = body;
      def.at_point = true;
      def.stiffness = def.range = def.strength = 1;
      def.times = times;
      def.wrenches = rows;
      def.row_count = 2;
      def.path = k == 5 ? path : NULL;
      def.wrench.force = k == 0 ? out : def.wrench.force;
      def.wrench.torque = k == 1 ? about : def.wrench.torque;
      def.point = k == 2 ? out : def.point;
      def.other_point = k == 3 ? out : v3(1, 1, 0);
      def.center = k == 4 ? out : def.center;
      rgForceId id;
      CONTEXT("case %d, %s the plane", k, bad ? "out of" : "in");
      CHECK_INT(rg_world_add_force(world, &def, &id), bad ? RG_ERROR_INPUT : RG_OK);
      if (bad)
        CHECK_CONTAINS(rg_world_message(world), "in a 2D world");
    }
  rg_world_destroy(world);
}

// A rest length below zero is measured when the spring is added; zero is a length like any other.
TEST(springs_rest_at_the_length_they_were_given) {
  const double given[] = {-1, 0, 0.25, 2};
  for (int k = 0; k < 4; k++) {
    Free free = build_free(1e-3);
    rgForceDef spring = rg_force_def();
    spring.kind = RG_FORCE_SPRING;
    spring.other_point = v3(0, 0, 3);
    spring.stiffness = 10;
    spring.rest = given[k];
    add_force(&free, spring);
    double rest = given[k] < 0 ? 3 : given[k];
    CONTEXT("rest %g", given[k]);
    CHECK_REL(rg_world_energy(free.world).potential + 1, 0.5 * 10 * (3 - rest) * (3 - rest) + 1,
              1e-14);
    rg_world_destroy(free.world);
  }
}
