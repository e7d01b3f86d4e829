// What holds for every kind of joint in the table: rows that are exact over a step, and parameters
// that are described, checked and saved.
#include "joint/joint.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"
#include <rigor/rigor.h>

// Values of the parameters for a kind: what the definition has, and 0.3 where it has none.
static rgJointDef def_of(rgJointKind kind) {
  rgJointDef def = rg_joint_def(kind);
  for (int i = 0; rg_joint_parameter(kind, i); i++)
    if (isnan(def.parameters[i]))
      def.parameters[i] = 0.3;
  return def;
}

// A body of a joint: the pose of its centre of mass, and the frame of the joint on it.
typedef struct Side {
  rgPose body, frame;
} Side;

static Side random_side(void) {
  Side side;
  side.body.position = random_vector();
  side.body.orientation = random_rotation();
  side.frame.position = random_vector();
  side.frame.orientation = random_rotation();
  return side;
}

static rgJointPlace place_of(const Side* a, const Side* b) {
  return rg_joint_place(pose_mul(a->body, a->frame), pose_mul(b->body, b->frame), a->body.position,
                        b->body.position);
}

// Moves by a shift and a Cayley vector.
static Side moved(Side side, rgTwist by) {
  side.body.position = v3_add(side.body.position, by.linear);
  side.body.orientation = quat_unit(quat_mul(quat_cayley(by.angular), side.body.orientation));
  return side;
}

static double change(const rgJointRow* row, rgTwist a, rgTwist b) {
  return twist_dot(row->g_a, a) + twist_dot(row->g_b, b);
}

static void check_exact(rgJointKind kind, double size) {
  const rgJointInfo* info = rg_joint_info(kind);
  rgJointDef def = def_of(kind);
  CONTEXT("%s, motion of size %g", info->name, size);
  for (int n = 0; n < 100; n++) {
    Side a = random_side(), b = random_side();
    rgTwist by_a = {v3_scale(random_vector(), size), v3_scale(random_vector(), size)};
    rgTwist by_b = {v3_scale(random_vector(), size), v3_scale(random_vector(), size)};
    Side end_a = moved(a, by_a), end_b = moved(b, by_b);
    rgJointPlace start = place_of(&a, &b), mean = place_of(&end_a, &end_b);
    double seen[RG_JOINT_AXIS_MAX] = {0}, fixed[2][RG_JOINT_FIXED_MAX] = {{0}},
           axes[2][RG_JOINT_AXIS_MAX] = {{0}};
    info->values(&start, def.parameters, seen, fixed[0], axes[0]);
    info->values(&mean, def.parameters, axes[0], fixed[1], axes[1]);
    rg_joint_mean_place(info, &start, false, &mean);
    rgJointRow rows[RG_JOINT_FIXED_MAX], axis_rows[RG_JOINT_AXIS_MAX];
    info->rows(&mean, def.parameters, rows, axis_rows);
    for (int i = 0; i < info->fixed_count; i++)
      CHECK_NEAR(change(&rows[i], by_a, by_b), fixed[1][i] - fixed[0][i], 2e-14);
    for (int i = 0; i < info->axis_count; i++)
      if (!info->axes[i].angle || info->exact_turn)
        CHECK_NEAR(change(&axis_rows[i], by_a, by_b), axes[1][i] - axes[0][i], 2e-14);
  }
}

TEST(errors_change_by_what_the_rows_of_the_mean_say) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    check_exact((rgJointKind)kind, 1e-3);
    check_exact((rgJointKind)kind, 0.2);
  }
}

// Fixed rows alone and rows of axes alone are those of both.
TEST(rows_that_nobody_asks_for_change_no_others) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    rgJointDef def = def_of((rgJointKind)kind);
    CONTEXT("%s", info->name);
    for (int n = 0; n < 20; n++) {
      Side a = random_side(), b = random_side();
      rgJointPlace place = place_of(&a, &b);
      rgJointRow fixed[2][RG_JOINT_FIXED_MAX], axes[2][RG_JOINT_AXIS_MAX];
      info->rows(&place, def.parameters, fixed[0], axes[0]);
      info->rows(&place, def.parameters, fixed[1], NULL);
      info->rows(&place, def.parameters, NULL, axes[1]);
      CHECK(memcmp(fixed[0], fixed[1], (size_t)info->fixed_count * sizeof *fixed[0]) == 0);
      CHECK(memcmp(axes[0], axes[1], (size_t)info->axis_count * sizeof *axes[0]) == 0);
    }
  }
}

TEST(rows_of_a_placement_are_the_derivatives_of_its_values) {
  // central differences over 1e-5: 1e-10 of curvature and 1e-11 of rounding
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    rgJointDef def = def_of((rgJointKind)kind);
    CONTEXT("%s", info->name);
    for (int n = 0; n < 20; n++) {
      Side a = random_side(), b = random_side();
      rgTwist by_a = {random_vector(), random_vector()}, by_b = {random_vector(), random_vector()};
      double seen[RG_JOINT_AXIS_MAX] = {0}, fixed[2][RG_JOINT_FIXED_MAX];
      rgJointRow rows[RG_JOINT_FIXED_MAX];
      rgJointPlace now = place_of(&a, &b);
      info->rows(&now, def.parameters, rows, NULL);
      info->values(&now, def.parameters, seen, fixed[0], seen);
      for (int k = 0; k < 2; k++) {
        double s = k == 0 ? -1e-5 : 1e-5, unused[RG_JOINT_AXIS_MAX];
        Side end_a = moved(a, (rgTwist){v3_scale(by_a.linear, s), v3_scale(by_a.angular, s)});
        Side end_b = moved(b, (rgTwist){v3_scale(by_b.linear, s), v3_scale(by_b.angular, s)});
        rgJointPlace place = place_of(&end_a, &end_b);
        info->values(&place, def.parameters, seen, fixed[k], unused);
      }
      for (int i = 0; i < info->fixed_count; i++)
        CHECK_NEAR((fixed[1][i] - fixed[0][i]) / 2e-5, change(&rows[i], by_a, by_b), 1e-8);
    }
  }
}

TEST(descriptors_are_sound) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    CONTEXT("%s", info->name);
    CHECK(info->fixed_count <= RG_JOINT_FIXED_MAX && info->point_rows <= info->fixed_count);
    CHECK(info->axis_count <= RG_JOINT_AXIS_MAX);
    CHECK(info->parameter_count <= RG_JOINT_PARAMETER_MAX);
    for (int i = 0; i < info->parameter_count; i++) {
      const rgJointParameter* own = &info->parameters[i];
      CHECK(own->name && own->unit && own->help && own->lower < own->upper);
      // kinds that share a name share its meaning: scenes have one key for it
      for (int other = 0; other < RG_JOINT_KIND_COUNT; other++)
        for (int k = 0; rg_joint_parameter((rgJointKind)other, k); k++) {
          const rgJointParameter* its = rg_joint_parameter((rgJointKind)other, k);
          if (strcmp(its->name, own->name) == 0)
            CHECK(strcmp(its->unit, own->unit) == 0 && its->lower == own->lower &&
                  its->upper == own->upper && its->lower_open == own->lower_open);
        }
    }
  }
  CHECK(rg_joint_parameter(RG_JOINT_BALL, 0) == NULL);
  CHECK(rg_joint_parameter(RG_JOINT_KIND_COUNT, 0) == NULL);
}

static rgWorld* world_with_body(rgBodyId* body) {
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgBodyDef own = rg_body_def();
  own.mass = 1;
  own.inertia_given = true;
  own.inertia = m3_diag(1, 1, 1);
  REQUIRE_INT(rg_world_add_body(world, &own, NULL, 0, body), RG_OK);
  return world;
}

static rgJointDef rod(rgBodyId body, double length) {
  rgJointDef def = rg_joint_def(RG_JOINT_DISTANCE);
  def.point = v3(0, 0, 1);
  def.body_b = body;
  CHECK_INT(rg_joint_def_set(&def, "length", length), RG_OK);
  return def;
}

TEST(a_parameter_is_set_by_name_checked_and_read_back) {
  rgBodyId body;
  rgWorld* world = world_with_body(&body);
  rgJointDef def = rod(body, 1.5);
  CHECK_INT(rg_joint_def_set(&def, "lenght", 2), RG_ERROR_INPUT);
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(world, &def, &id), RG_OK);
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
  CHECK_NEAR(state.parameters[0], 1.5, 0);
  static const double wrong[] = {-1, HUGE_VAL, (double)NAN};
  static const char* const messages[] = {"length is -1, must be > 0", "length is inf, must be > 0",
                                         "length is nan, must be > 0"};
  for (int i = 0; i < 3; i++) {
    def = rod(body, wrong[i]);
    CHECK_INT(rg_world_add_joint(world, &def, &id), RG_ERROR_INPUT);
    CHECK_STR(rg_world_message(world), messages[i]);
  }
  rg_world_destroy(world);
}

TEST(a_snapshot_is_of_joints_with_the_same_parameters) {
  rgWorld* worlds[3];
  static const double lengths[3] = {1.5, 1.5, 1.25};
  for (int i = 0; i < 3; i++) {
    rgBodyId body;
    worlds[i] = world_with_body(&body);
    rgJointDef def = rod(body, lengths[i]);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(worlds[i], &def, &id), RG_OK);
  }
  Snapshot snapshot = save(worlds[0]);
  CHECK_INT(rg_world_load(worlds[1], snapshot.data, snapshot.size), RG_OK);
  CHECK(rg_world_load(worlds[2], snapshot.data, snapshot.size) != RG_OK);
  free(snapshot.data);
  for (int i = 0; i < 3; i++)
    rg_world_destroy(worlds[i]);
}

// The movement of B, at its centre, that goes with one against A.
static rgTwist at_center(const rgJointPlace* place, rgTwist motion) {
  return (rgTwist){v3_add(motion.linear, v3_cross(place->arm_b, motion.angular)), motion.angular};
}

TEST(motions_are_all_that_the_fixed_rows_leave) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    CONTEXT("%s", info->name);
    CHECK((info->motions != NULL) == (info->closed != NULL));
    for (int n = 0; n < 100 && info->motions; n++) {
      rgJointDef def = def_of((rgJointKind)kind);
      Side a = random_side(), b = random_side();
      rgTwist by_a = {random_vector(), v3_scale(random_vector(), 0.2)};
      Side end_a = moved(a, by_a), end_b = moved(b, by_a);
      rgJointPlace start = place_of(&a, &b), mean = place_of(&end_a, &end_b);
      rg_joint_mean_place(info, &start, false, &mean);
      rgJointRow rows[RG_JOINT_FIXED_MAX];
      rgTwist motions[RG_LINK_AXES], still = {v3_zero(), v3_zero()};
      info->rows(&mean, def.parameters, rows, NULL);
      int count = info->motions(&mean, def.parameters, motions);
      CHECK(count + info->fixed_count == 6);
      for (int k = 0; k < count; k++)
        for (int i = 0; i < info->fixed_count; i++)
          CHECK_NEAR(change(&rows[i], still, at_center(&mean, motions[k])), 0, 1e-13);
    }
  }
}

// A frame on B that is off by a little is closed by a movement as small, and then has no error.
TEST(a_closed_placement_has_no_errors_and_is_near) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    CONTEXT("%s", info->name);
    for (int n = 0; n < 200 && info->closed; n++) {
      rgJointDef def = def_of((rgJointKind)kind);
      double seen[RG_JOINT_AXIS_MAX] = {0}, fixed[RG_JOINT_FIXED_MAX] = {0}, off = 1e-6;
      rgPose any = {random_vector(), random_rotation()};
      rgPose closed = info->closed(any, def.parameters, seen);
      rgPose shifted = {v3_axpy(closed.position, off, random_vector()),
                        quat_mul(quat_cayley(v3_scale(random_vector(), off)), closed.orientation)};
      rgPose again = info->closed(shifted, def.parameters, seen);
      CHECK(v3_norm(v3_sub(again.position, closed.position)) < 10 * off);
      rgQuat turn = quat_mul(again.orientation, quat_conj(closed.orientation));
      CHECK(v3_norm(v3(turn.x, turn.y, turn.z)) < 10 * off);
      Side a = random_side();
      rgJointPlace place =
          rg_joint_place(pose_mul(a.body, a.frame), pose_mul(pose_mul(a.body, a.frame), again),
                         a.body.position, v3_zero());
      info->values(&place, def.parameters, seen, fixed, NULL);
      for (int i = 0; i < info->fixed_count; i++)
        CHECK_NEAR(fixed[i], 0, 4e-15); // rounding of a product of poses of size 1 to 3
    }
  }
}

// An axis that is not there is refused with what there is, and kinds without axes say so.
TEST(an_axis_that_does_not_exist_is_refused_with_what_there_is) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
    CONTEXT("%s", info->name);
    rgMessage message;
    CHECK(rg_joint_has_axis(info, info->axis_count, &message) == RG_ERROR_INPUT);
    CHECK(rg_joint_has_axis(info, -1, NULL) == RG_ERROR_INPUT);
    const char* range = strstr(message.text, "must be 0 .. ");
    CHECK(info->axis_count > 0 ? range && atoi(range + 13) == info->axis_count - 1
                               : !range && strstr(message.text, "has none"));
    for (int i = 0; i < info->axis_count; i++)
      CHECK(rg_joint_has_axis(info, i, NULL) == RG_OK);
  }
}
