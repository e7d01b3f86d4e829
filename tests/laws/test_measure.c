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
