// Needles in joints: the problems that a step hands out have an inverse inertia that is
// one, however slender the bodies, and hold with it.
#include "math/power.h"
#include "math/sym3.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <rigor/joint.h>

// A chain of bodies with the given ratio of moments, swinging under gravity.
static rgWorld* build_chain(double ratio, int links, double theta, double speed) {
  rgWorldDef def = rg_world_def();
  def.options.theta = theta;
  def.options.step = 0.005;
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0, 0};
  rgVec3 at = v3(0, 0, 5);
  for (int i = 0; i < links; i++) {
    rgVec3 along = random_direction();
    rgVec3 y, z;
    v3_frame(along, &y, &z);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_axpy(at, 0.5, along));
    body.pose.orientation = random_rotation();
    body.mass = 1;
    body.inertia_given = true;
    rgMat3 r = m3_from_quat(random_rotation());
    body.inertia = m3_congruence(&r, v3(ratio, 1, 1));
    for (int m = 0; m < 3; m++) // symmetric to the last bit
      for (int n = 0; n < m; n++)
        body.inertia.m[m][n] = body.inertia.m[n][m];
    body.velocity.angular = v3_scale(random_direction(), speed);
    rgShapeDef shape = shape_sphere(0.01);
    shape.group = shape.mask = 0;
    rgBodyId id = build_body(world, &body, shape);
    rgJointDef joint = rg_joint_def(i % 2 ? RG_JOINT_BALL : RG_JOINT_UNIVERSAL);
    joint.body_a = last;
    joint.body_b = id;
    joint.point = at;
    joint.axis_2 = y;
    joint.axis = along;
    rgJointId made;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &made) == RG_OK, "%s", rg_world_message(world));
    at = v3_add(at, along);
    last = id;
  }
  return world;
}

static void check_bodies(const rgProblem* problem) {
  for (int i = 0; i < problem->body_count; i++) {
    const rgMat3* inverse = &problem->bodies[i].inverse_inertia;
    rgVec3 values;
    rgMat3 vectors;
    rg_sym3_eigen(inverse, &values, &vectors);
    double largest = fmax(values.x, fmax(values.y, values.z));
    CHECK_MSG(inverse->m[0][0] >= 0 && inverse->m[1][1] >= 0 && inverse->m[2][2] >= 0,
              "the inverse inertia of body %d has %g, %g, %g", i, inverse->m[0][0],
              inverse->m[1][1], inverse->m[2][2]);
    CHECK_MSG(fmin(values.x, fmin(values.y, values.z)) >= -1e-14 * largest,
              "the inverse inertia of body %d has the moments %g, %g, %g", i, values.x, values.y,
              values.z);
    CHECK(isfinite(largest) && largest > 0);
  }
}

TEST(no_problem_has_a_negative_inverse_inertia) {
  random_state = 12;
  int problems = 0;
  for (int power = 0; power <= 15; power++)
    for (int k = 0; k < 6; k++) {
      double theta = k % 2 ? 0.5 : 1;
      rgWorld* world = build_chain(rg_pow(10, -power), 1 + k / 2, theta, 3);
      CONTEXT("ratio 1e-%d, %d links, theta %g", power, 1 + k / 2, theta);
      for (int step = 0; step < 12 && rg_world_step(world, NULL) == RG_OK; step++)
        for (int i = 0; i < rg_world_island_count(world); i++) {
          rgProblem problem;
          REQUIRE(rg_world_island(world, i, &problem, NULL, NULL) == RG_OK);
          check_bodies(&problem);
          problems++;
        }
      rg_world_destroy(world);
    }
  CHECK_MSG(problems > 500, "%d problems", problems);
}
