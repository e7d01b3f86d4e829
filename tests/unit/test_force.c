// The wrench that each kind of force gives: interpolation, body axes, point of attack.
#include "test.h"

#include "force/force.h"
#include "support/builder.h"

static const rgTwist REST = {{0, 0, 0}, {0, 0, 0}};

static rgWrench wrench(rgVec3 force, rgVec3 torque) { return (rgWrench){force, torque}; }

static rgForceView view_of(double time, rgPose pose, rgVec3 center, rgTwist velocity) {
  return (rgForceView){.time = time, .a = {pose, center, velocity, 1}};
}

static rgWrench wrench_of(const rgForceDef* def, double time, rgPose pose, rgVec3 center,
                          rgTwist velocity) {
  rgForceView view = view_of(time, pose, center, velocity);
  return rg_force_wrench(def, &view);
}

static void check_wrench(rgWrench a, rgWrench b) {
  const double rounding = 1e-14;
  CHECK_NEAR(distance(a.force, b.force), 0, rounding);
  CHECK_NEAR(distance(a.torque, b.torque), 0, rounding);
}

TEST(a_constant_force_is_what_it_was_given) {
  rgForceDef def = rg_force_def();
  def.wrench = wrench(v3(1, 2, 3), v3(-4, 5, 6));
  rgPose pose = {v3(7, 8, 9), turn_about(v3(1, 1, 0), 0.3)};
  check_wrench(wrench_of(&def, 0, pose, v3(7, 8, 9), REST), def.wrench);
  check_wrench(wrench_of(&def, 1e6, pose, v3_zero(), REST), def.wrench);
}

TEST(body_axes_turn_with_the_body) {
  rgForceDef def = rg_force_def();
  def.wrench = wrench(v3(1, 0, 0), v3(0, 0, 2));
  def.body_axes = true;
  rgPose pose = {v3_zero(), turn_about(v3(0, 1, 0), 3.14159265358979323846 / 2)};
  check_wrench(wrench_of(&def, 0, pose, v3_zero(), REST), wrench(v3(0, 0, -1), v3(2, 0, 0)));
}

TEST(a_force_at_a_point_has_a_moment_about_the_centre_of_mass) {
  rgForceDef def = rg_force_def();
  def.wrench = wrench(v3(0, 0, 3), v3(0.5, 0, 0));
  def.at_point = true;
  def.point = v3(2, 0, 0);
  rgPose pose = {v3(10, 0, 0), turn_about(v3(0, 0, 1), 3.14159265358979323846 / 2)};
  // The point is at (10, 2, 0) and the centre at (10, 1, 0): arm y, force z, moment x.
  check_wrench(wrench_of(&def, 0, pose, v3(10, 1, 0), REST), wrench(v3(0, 0, 3), v3(3.5, 0, 0)));
  def.at_point = false;
  check_wrench(wrench_of(&def, 0, pose, v3(10, 1, 0), REST), wrench(v3(0, 0, 3), v3(0.5, 0, 0)));
}

TEST(a_table_is_linear_between_its_rows_and_constant_outside) {
  const double times[] = {1, 2, 4};
  const rgWrench rows[] = {{{0, 0, 0}, {1, 0, 0}}, {{10, 0, 0}, {1, 2, 0}}, {{0, 4, 0}, {1, 0, 0}}};
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.times = times;
  def.wrenches = rows;
  def.row_count = 3;
  rgPose pose = pose_identity();
  const struct {
    double time;
    rgWrench expected;
  } cases[] = {
      {-5, rows[0]},
      {1, rows[0]},
      {1.5, {{5, 0, 0}, {1, 1, 0}}},
      {2, rows[1]},
      {3, {{5, 2, 0}, {1, 1, 0}}},
      {3.5, {{2.5, 3, 0}, {1, 0.5, 0}}},
      {4, rows[2]},
      {400, rows[2]},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    CONTEXT("time %g", cases[i].time);
    check_wrench(wrench_of(&def, cases[i].time, pose, v3_zero(), REST), cases[i].expected);
  }
  def.row_count = 1;
  check_wrench(wrench_of(&def, 3, pose, v3_zero(), REST), rows[0]);
}

static rgWrench echo(double time, rgPose pose, rgTwist velocity, void* context) {
  double scale = *(double*)context;
  return wrench(v3(scale * time, pose.position.y, velocity.linear.z), velocity.angular);
}

TEST(a_callback_sees_time_pose_velocity_and_its_context) {
  double scale = 2;
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_CALLBACK;
  def.callback = echo;
  def.context = &scale;
  rgTwist velocity = twist(v3(0, 0, 6), v3(7, 8, 9));
  check_wrench(wrench_of(&def, 4, pose_at(v3(0, 5, 0)), v3_zero(), velocity),
               wrench(v3(8, 5, 6), v3(7, 8, 9)));
}

TEST(kinds_have_names_and_end) {
  for (int kind = 0; kind < RG_FORCE_KIND_COUNT; ++kind) {
    CHECK(rg_force_kind_name((rgForceKind)kind) && rg_force_kind_name((rgForceKind)kind)[0]);
    CHECK(rg_force_kind_summary((rgForceKind)kind) && rg_force_kind_summary((rgForceKind)kind)[0]);
  }
  CHECK(rg_force_kind_name(RG_FORCE_KIND_COUNT) == NULL);
  CHECK(rg_force_kind_summary(RG_FORCE_KIND_COUNT) == NULL);
}
