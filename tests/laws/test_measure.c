// The measure that judges all engines (support/overlap.h) is itself held against known overlaps.
#include "support/laws.h"

static Overlap measure(const Scene* scene) {
  rgPose poses[LAW_BODIES];
  for (int i = 0; i < scene->body_count; ++i)
    poses[i] = scene->bodies[i].def.pose;
  return overlap_of(scene, poses);
}

static rgQuat about(rgVec3 axis, double degrees) {
  double half = radians(degrees) / 2;
  rgVec3 v = v3_scale(axis, sin(half) / v3_norm(axis));
  return (rgQuat){cos(half), v.x, v.y, v.z};
}

TEST(spheres_overlap_by_radii_less_distance) {
  Scene scene;
  scene_begin(&scene, "spheres", 0);
  scene_add_sphere(&scene, 0.5, v3(0, 0, 0));
  scene_add_sphere(&scene, 0.25, v3(0.3, 0.4, 0));
  scene_add_sphere(&scene, 0.25, v3(5, 0, 0)); // clear of both
  Overlap overlap = measure(&scene);
  CHECK_NEAR(overlap.depth, 0.25, 1e-15);
  CHECK_NEAR(overlap.relative, 1, 1e-15);
  CHECK_INT(overlap.body_a + overlap.body_b, 1);
  scene_end(&scene);
}

TEST(bodies_apart_do_not_overlap) {
  Scene scene;
  scene_begin(&scene, "apart", 0);
  scene_add_floor(&scene);
  scene_add_sphere(&scene, 0.5, v3(0, 0, 0.6));
  scene_add_box(&scene, v3(0.5, 0.5, 0.5), v3(1.1, 0, 0.6));
  CHECK_NEAR(measure(&scene).depth, 0, 0);
  CHECK_INT(measure(&scene).body_a, -1);
  scene_end(&scene);
}

TEST(sphere_in_box_outside_and_inside) {
  Scene scene;
  scene_begin(&scene, "sphere and box", 0);
  scene_add_box(&scene, v3(1, 1, 1), v3_zero());
  int sphere = scene_add_sphere(&scene, 0.5, v3(1.3, 1.3, 0)); // off an edge
  CHECK_NEAR(measure(&scene).depth, 0.5 - 0.3 * sqrt(2), 1e-15);
  scene.bodies[sphere].def.pose.position = v3(0.9, 0, 0); // its centre is inside
  CHECK_NEAR(measure(&scene).depth, 0.6, 1e-15);
  scene_end(&scene);
}

TEST(boxes_face_to_face_and_edge_to_edge) {
  Scene scene;
  scene_begin(&scene, "boxes", 0);
  scene_add_box(&scene, v3(0.5, 0.5, 0.5), v3_zero());
  int box = scene_add_box(&scene, v3(0.5, 0.5, 0.5), v3(0.2, 0.1, 0.99));
  CHECK_NEAR(measure(&scene).depth, 0.01, 1e-15);
  CHECK_NEAR(measure(&scene).relative, 0.02, 1e-15);

  // Both on an edge, the upper one across: their heights are sqrt(1/2), and edges cross at the
  // middle.
  scene.bodies[0].def.pose.orientation = about(v3(1, 0, 0), 45);
  scene.bodies[box].def.pose.orientation = about(v3(0, 1, 0), 45);
  scene.bodies[box].def.pose.position = v3(0, 0, 2 * sqrt(0.5) - 0.01);
  CHECK_NEAR(measure(&scene).depth, 0.01, 1e-14);
  scene_end(&scene);
}

TEST(corner_of_a_box_in_the_ground) {
  Scene scene;
  scene_begin(&scene, "corner", 0);
  scene_add_floor(&scene);
  int box = scene_add_box(&scene, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5 * sqrt(3) - 0.02));
  // Turned so that a space diagonal is vertical.
  scene.bodies[box].def.pose.orientation =
      about(v3(1, -1, 0), atan(sqrt(2)) * 180 / 3.14159265358979323846);
  CHECK_NEAR(measure(&scene).depth, 0.02, 1e-14);
  scene_end(&scene);
}

TEST(nonsense_is_infinitely_deep) {
  Scene scene;
  scene_begin(&scene, "nonsense", 0);
  scene_add_sphere(&scene, 0.5, v3(0, sqrt(-1.0), 0));
  CHECK(isinf(measure(&scene).depth));
  scene_end(&scene);
}

// A box given by its corners is the same solid, and is measured by other code: 15 known directions there,
// directions found from the points here.
TEST(boxes_as_hulls_overlap_by_as_much) {
  for (unsigned k = 0; k < 40; ++k) {
    Scene boxes, hulls;
    scene_begin(&boxes, "boxes", 0);
    scene_begin(&hulls, "hulls", 0);
    rgVec3 corners[2][8];
    for (unsigned i = 0; i < 2; ++i) {
      unsigned seed = 20 * k + 10 * i;
      rgVec3 half =
          v3(0.2 + scene_noise(seed), 0.2 + scene_noise(seed + 1), 0.2 + scene_noise(seed + 2));
      rgVec3 place =
          v3(i * scene_noise(seed + 3), i * scene_noise(seed + 4), i * scene_noise(seed + 5));
      rgQuat turned = about(v3(scene_noise(seed + 6) - 0.5, 0.3, scene_noise(seed + 7) - 0.5),
                            360 * scene_noise(seed + 8));
      for (int c = 0; c < 8; ++c)
        corners[i][c] =
            v3(c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z);
      rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
      shape.points = corners[i];
      shape.point_count = 8;
      int box = scene_add_box(&boxes, half, place);
      int hull = scene_add(&hulls, RG_BODY_DYNAMIC, shape, place);
      boxes.bodies[box].def.pose.orientation = hulls.bodies[hull].def.pose.orientation = turned;
    }
    Overlap expected = measure(&boxes), found = measure(&hulls);
    CHECK(expected.depth > 0 || expected.body_a == -1);
    CHECK_NEAR(found.depth, expected.depth, 1e-12); // rounding of turned corners
    CHECK_NEAR(found.relative, expected.relative, 1e-11);
    scene_end(&boxes);
    scene_end(&hulls);
  }
}

TEST(joint_gap_is_the_distance_of_the_points_that_a_joint_holds) {
  Scene scene;
  scene_chain(&scene);
  rgPose poses[LAW_BODIES];
  for (int i = 0; i < scene.body_count; ++i)
    poses[i] = scene.bodies[i].def.pose;
  CHECK_NEAR(overlap_joint_gap(&scene, poses), 0, 1e-15);
  CHECK_NEAR(overlap_of(&scene, poses).depth, 0, 0); // links that share a joint count as apart
  // The last link turned about the y axis through its joint, then moved by 1 mm off it.
  rgVec3 joint = scene.joints[5].point;
  poses[5].orientation = about(v3(0, 1, 0), 37);
  poses[5].position = v3_add(joint, quat_rotate(poses[5].orientation, v3(0.5, 0, 0)));
  CHECK_NEAR(overlap_joint_gap(&scene, poses), 0, 1e-15);
  poses[5].position.y += 1e-3;
  CHECK_NEAR(overlap_joint_gap(&scene, poses), 1e-3, 1e-15);
  scene_end(&scene);
}
