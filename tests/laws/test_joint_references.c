// Joints against trajectories that a commercial multibody code computed (data/joints): a pendulum
// of mass 1, its centre 2 m from a joint at the origin, let go at rest. Positions within 1e-3 m and
// reactions within 2 % of their largest, at h = 1 ms with theta = 1/2 and the stabilizer post.
//
// The reaction of the files is what the pendulum does to the ground, in world axes: at the start
// its vertical part is -(m g - m a), the force on the pendulum being up. Torques are about the
// joint.
#include "math/vec.h"
#include "test.h"
#include <rigor/rigor.h>

enum { ROWS = 501 };

typedef struct Reference {
  double value[ROWS][5];
  int columns;
} Reference;

static bool read_reference(const char* name, const char* what, Reference* reference) {
  const char* shared = getenv("RIGOR_SHARED");
  char path[1024], line[512];
  snprintf(path, sizeof path, "%s/data/joints/%s_Case01_ADAMS_%s.txt",
           shared && shared[0] ? shared : TEST_ROOT "/../shared", name, what);
  FILE* file = fopen(path, "r");
  if (!file)
    return false;
  int row = 0;
  for (int header = 0; header < 3; header++)
    if (!fgets(line, sizeof line, file))
      break;
  while (row < ROWS && fgets(line, sizeof line, file)) {
    char* at = line;
    for (int i = 0; i < 5; i++)
      reference->value[row][i] = strtod(at, &at);
    row++;
  }
  fclose(file);
  return row == ROWS;
}

static rgVec3 at(const Reference* reference, int row) {
  const double* v = reference->value[row];
  return v3(v[1], v[2], v[3]);
}

static double largest(const Reference* reference) {
  double most = 0;
  for (int i = 0; i < ROWS; i++)
    most = fmax(most, v3_norm(at(reference, i)));
  return most;
}

static void compare(const char* name, rgJointKind kind, double degrees, rgVec3 center,
                    rgVec3 inertia) {
  static Reference position, force, torque;
  if (!read_reference(name, "Pos", &position) || !read_reference(name, "Rforce", &force) ||
      !read_reference(name, "Rtorque", &torque))
    SKIP("the references of data/joints are not there");
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.gravity = v3(0, 0, -9.80665);
  def.options.step = 1e-3;
  def.options.theta = 0.5;
  strcpy(def.options.stabilizer, "post");
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  double half = degrees * acos(-1) / 360;
  rgBodyDef body = rg_body_def();
  body.pose.orientation = (rgQuat){cos(half), sin(half), 0, 0};
  body.pose.position = quat_rotate(body.pose.orientation, center);
  body.mass = 1;
  body.inertia_given = true;
  body.inertia = m3_diag(inertia.x, inertia.y, inertia.z);
  rgJointDef joint = rg_joint_def(kind);
  REQUIRE_INT(rg_world_add_body(world, &body, NULL, 0, &joint.body_b), RG_OK);
  // The joint's axes: z of the body for the hinge; x on the ground, y on the body for the other.
  bool hinge = kind == RG_JOINT_HINGE;
  joint.axis = quat_rotate(body.pose.orientation, hinge ? v3(0, 0, 1) : v3(1, 0, 0));
  joint.axis_2 = hinge ? v3_zero() : quat_rotate(body.pose.orientation, v3(0, 1, 0));
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));

  double position_error = 0, force_error = 0, torque_error = 0, constraint = 0;
  rgWrench last = {v3_zero(), v3_zero()};
  for (int step = 0; step <= 5000; step++) {
    rgCertificate certificate = {0};
    rgVec3 place = rg_body_center(world, joint.body_b);
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK(certificate.met);
    constraint = fmax(constraint, certificate.joint_error);
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
    if (step % 10 == 0) {
      int row = step / 10;
      position_error = fmax(position_error, v3_norm(v3_sub(place, at(&position, row))));
      // The reaction is the mean over a step: at a node, half of the steps before and after it.
      rgVec3 f = v3_scale(v3_add(last.force, state.reaction.force), -0.5);
      rgVec3 m = v3_scale(v3_add(last.torque, state.reaction.torque), -0.5);
      if (step > 0) {
        force_error = fmax(force_error, v3_norm(v3_sub(f, at(&force, row))));
        torque_error = fmax(torque_error, v3_norm(v3_sub(m, at(&torque, row))));
      }
    }
    last = state.reaction;
  }
  CHECK_MSG(position_error < 1e-3, "%g m", position_error);
  CHECK_MSG(constraint < 1e-8, "%g m", constraint);
  CHECK_MSG(force_error < 0.02 * largest(&force), "%g of %g N", force_error, largest(&force));
  // The reference has no torque but rounding, since all stays in a plane; neither may we, by the
  // moment of the force on its 2 m arm times what the solver leaves.
  CHECK(largest(&torque) < 1e-12);
  CHECK_MSG(torque_error < 1e-8 * 2 * largest(&force), "%g N m", torque_error);
  if (getenv("RIGOR_VERBOSE"))
    printf(
        "%s: position %.2g m, constraint %.2g m, force %.2g of %.3g N, torque %.2g of %.3g N m\n",
        name, position_error, constraint, force_error, largest(&force), torque_error,
        largest(&torque));
  rg_world_destroy(world);
}

TEST(hinge_pendulum) { compare("Revolute", RG_JOINT_HINGE, -90, v3(2, 0, 0), v3(0.04, 0.1, 0.1)); }

TEST(ball_pendulum) { compare("Spherical", RG_JOINT_BALL, 0, v3(2, 0, 0), v3(0.04, 0.1, 0.1)); }

TEST(universal_pendulum) {
  compare("Universal", RG_JOINT_UNIVERSAL, 90, v3(0, 0, -2), v3(0.1, 0.1, 0.04));
}
