// A world seen as a whole: state in arrays, shapes, materials and forces as they were given.
#include "support/builder.h"
#include "test.h"

#include <rigor/rigor.h>
#include <rigor/vec_math.h>

typedef struct Scene {
  rgWorld* world;
  rgBodyId floor, box, ball;
} Scene;

// A box that stands on a floor, and a ball in free fall beside it.
static Scene start(void) {
  Scene scene;
  rgWorldDef def = rg_world_def();
  REQUIRE_INT(rg_world_create(&def, &scene.world, NULL), RG_OK);
  rgBodyDef body = rg_body_def();
  body.kind = RG_BODY_STATIC;
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  REQUIRE_INT(rg_world_add_body(scene.world, &body, &shape, 1, &scene.floor), RG_OK);
  body = rg_body_def();
  body.pose.position = rg_vec3(0, 0, 0.5);
  shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = rg_vec3(0.3, 0.4, 0.5);
  REQUIRE_INT(rg_world_add_body(scene.world, &body, &shape, 1, &scene.box), RG_OK);
  body.pose.position = rg_vec3(5, 0, 9);
  shape = rg_shape_def(RG_SHAPE_SPHERE);
  shape.radius = 0.25;
  shape.pose.position = rg_vec3(0.5, 0, 0);
  REQUIRE_INT(rg_world_add_body(scene.world, &body, &shape, 1, &scene.ball), RG_OK);
  return scene;
}

TEST(arrays_hold_what_single_calls_return) {
  Scene scene = start();
  const rgWorld* world = scene.world;
  REQUIRE_INT(rg_world_step(scene.world, NULL), RG_OK);
  rgBodyId ids[3];
  rgPose poses[3];
  rgTwist velocities[3];
  REQUIRE_INT(rg_world_bodies(world, ids, 3), 3);
  REQUIRE_INT(rg_world_poses(world, poses, 3), 3);
  REQUIRE_INT(rg_world_velocities(world, velocities, 3), 3);
  for (int i = 0; i < 3; i++) {
    rgPose pose = rg_body_pose(world, rg_world_body(world, i));
    rgTwist velocity = rg_body_velocity(world, ids[i]);
    CHECK(memcmp(&poses[i], &pose, sizeof pose) == 0);
    CHECK(memcmp(&velocities[i], &velocity, sizeof velocity) == 0);
  }
  rgContact contacts[8];
  int count = rg_world_contacts(world, contacts, 8);
  REQUIRE_INT(count, rg_world_contact_count(world));
  CHECK_INT(count, 4);
  CHECK_INT(contacts[0].material_a, 0);
  rg_world_destroy(scene.world);
}

TEST(too_small_an_array_gets_the_first_and_the_count_is_that_of_all) {
  Scene scene = start();
  rgPose poses[2] = {rg_pose_identity(), rg_pose_identity()};
  CHECK_INT(rg_world_poses(scene.world, NULL, 0), 3);
  CHECK_INT(rg_world_poses(scene.world, poses, 1), 3);
  CHECK_BITS(poses[1].orientation.w, 1); // not written
  rg_world_destroy(scene.world);
}

// Only the box and the floor act on each other; the floor is in no island.
TEST(islands_are_those_of_the_last_step) {
  Scene scene = start();
  int islands[3];
  REQUIRE_INT(rg_world_step(scene.world, NULL), RG_OK);
  REQUIRE_INT(rg_world_body_islands(scene.world, islands, 3), 3);
  CHECK_INT(rg_world_island_count(scene.world), 1);
  CHECK_INT(islands[0], -1);
  CHECK_INT(islands[1], 0);
  CHECK_INT(islands[2], -1);
  rg_world_destroy(scene.world);
}

TEST(shapes_are_seen_as_they_were_given) {
  Scene scene = start();
  rgShapeId ids[3];
  REQUIRE_INT(rg_world_shapes(scene.world, ids, 3), 3);
  rgShapeView view;
  REQUIRE_INT(rg_shape_view(scene.world, ids[1], &view), RG_OK);
  CHECK_INT(view.def.kind, RG_SHAPE_BOX);
  CHECK_INT(view.body.index, scene.box.index);
  CHECK_BITS(view.def.half.y, 0.4);
  REQUIRE_INT(rg_shape_view(scene.world, ids[2], &view), RG_OK);
  CHECK_INT(view.def.kind, RG_SHAPE_SPHERE);
  CHECK_BITS(view.def.radius, 0.25);
  CHECK_BITS(view.def.pose.position.x, 0.5);
  CHECK_INT(view.corner_count, 0);
  rgBounds bounds = rg_shape_bounds(scene.world, ids[2]);
  CHECK_NEAR(bounds.lower.x, 5.25, 1e-12);
  CHECK_NEAR(bounds.upper.z, 9.25, 1e-12);
  bounds = rg_shape_bounds(scene.world, ids[0]); // a half-space has none
  CHECK_BITS(bounds.upper.x, 0);
  REQUIRE_INT(rg_world_remove_body(scene.world, scene.ball), RG_OK);
  CHECK_INT(rg_shape_view(scene.world, ids[2], &view), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_shapes(scene.world, NULL, 0), 2);
  rg_world_destroy(scene.world);
}

// The signed volume of the triangles of a closed surface is that of the body: they are all there and
// all turned outwards.
TEST(triangles_of_a_hull_enclose_its_volume) {
  Scene scene = start();
  const rgVec3 points[] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0},
                           {0, 0, 1}, {2, 0, 1}, {2, 3, 1}, {0, 3, 1}};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  shape.points = points;
  shape.point_count = 8;
  rgBodyDef body = rg_body_def();
  body.pose.position = rg_vec3(0, 50, 50);
  rgBodyId id;
  REQUIRE_INT(rg_world_add_body(scene.world, &body, &shape, 1, &id), RG_OK);
  rgShapeId ids[4];
  REQUIRE_INT(rg_world_shapes(scene.world, ids, 4), 4);
  rgVec3 corners[64];
  int count = rg_shape_corners(scene.world, ids[3], corners, 64);
  REQUIRE_INT(count, 36); // 12 triangles
  double volume = 0;
  for (int i = 0; i < count; i += 3)
    volume += rg_vec3_dot(corners[i], rg_vec3_cross(corners[i + 1], corners[i + 2])) / 6;
  CHECK_NEAR(volume, 6, 1e-12);
  CHECK_INT(rg_shape_corners(scene.world, ids[3], NULL, 0), 36);
  rg_world_destroy(scene.world);
}

TEST(materials_and_what_holds_between_them) {
  Scene scene = start();
  rgMaterial ice = rg_material_default(), found;
  ice.mu = 0.02;
  int index;
  REQUIRE_INT(rg_world_add_material(scene.world, &ice, &index), RG_OK);
  CHECK_INT(rg_world_material_count(scene.world), 2);
  REQUIRE_INT(rg_world_material(scene.world, index, &found), RG_OK);
  CHECK_BITS(found.mu, 0.02);
  REQUIRE_INT(rg_world_pair_material(scene.world, 0, index, &found), RG_OK);
  CHECK_NEAR(found.mu, sqrt(0.5 * 0.02), 1e-15); // the geometric mean
  ice.mu = 0.3;
  REQUIRE_INT(rg_world_set_pair_material(scene.world, 0, index, &ice), RG_OK);
  REQUIRE_INT(rg_world_pair_material(scene.world, index, 0, &found), RG_OK);
  CHECK_BITS(found.mu, 0.3);
  CHECK_INT(rg_world_material(scene.world, 2, &found), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_pair_material(scene.world, -1, 0, &found), RG_ERROR_NOT_FOUND);
  rg_world_destroy(scene.world);
}

TEST(forces_say_where_they_act) {
  Scene scene = start();
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = scene.ball;
  def.at_point = true;
  def.point = rg_vec3(0, 0, 1);
  def.other_point = rg_vec3(5, 0, 12);
  def.stiffness = 10;
  rgForceId spring, push;
  REQUIRE_INT(rg_world_add_force(scene.world, &def, &spring), RG_OK);
  def = rg_force_def();
  def.body = scene.box;
  def.wrench.force = rg_vec3(1, 0, 0);
  REQUIRE_INT(rg_world_add_force(scene.world, &def, &push), RG_OK);
  rgForceId ids[2];
  REQUIRE_INT(rg_world_forces(scene.world, ids, 2), 2);
  rgForceState state;
  REQUIRE_INT(rg_force_state(scene.world, ids[0], &state), RG_OK);
  CHECK_INT(state.kind, RG_FORCE_SPRING);
  CHECK_NEAR(state.from.z, 10, 1e-12);
  CHECK_NEAR(state.to.z, 12, 1e-12);
  REQUIRE_INT(rg_force_state(scene.world, push, &state), RG_OK);
  CHECK_NEAR(state.from.z, 0.5, 1e-12); // the centre of mass
  REQUIRE_INT(rg_world_remove_force(scene.world, spring), RG_OK);
  CHECK_INT(rg_force_state(scene.world, spring, &state), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_forces(scene.world, NULL, 0), 1);
  rg_world_destroy(scene.world);
}

TEST(contacts_are_found_where_bodies_were_placed) {
  Scene scene = start();
  rgPose pose = rg_pose_identity();
  pose.position = rg_vec3(5, 0, 0.2); // 0.05 deep
  REQUIRE_INT(rg_body_set_pose(scene.world, scene.ball, pose), RG_OK);
  REQUIRE_INT(rg_world_find_contacts(scene.world), RG_OK);
  rgContact contacts[8];
  int count = rg_world_contacts(scene.world, contacts, 8);
  REQUIRE_INT(count, 5);
  double deepest = 0;
  for (int i = 0; i < count; i++)
    deepest = fmin(deepest, contacts[i].gap);
  CHECK_NEAR(deepest, -0.05, 1e-12);
  rg_world_destroy(scene.world);
}

TEST(the_view_of_a_shape_has_the_numbers_of_its_kind) {
  rgWorld* world = build_still("default");
  rgShapeDef def = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  def.half = v3(0.3, 0.2, 0.1);
  def.parameters[0] = 3;
  def.parameters[1] = 4;
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_zero());
  build_body(world, &body, def);
  rgShapeId id;
  rgShapeView view;
  REQUIRE_INT(rg_world_shapes(world, &id, 1), 1);
  REQUIRE_INT(rg_shape_view(world, id, &view), RG_OK);
  CHECK_INT(view.def.kind, RG_SHAPE_SUPERELLIPSOID);
  CHECK(view.def.parameters[0] == 3 && view.def.parameters[1] == 4);
  // The definition makes the same shape again.
  rgMassProperties made, again;
  REQUIRE_INT(rg_shape_mass(&def, &made, NULL), RG_OK);
  view.def.density = def.density;
  REQUIRE_INT(rg_shape_mass(&view.def, &again, NULL), RG_OK);
  CHECK(made.mass == again.mass);
  rg_world_destroy(world);
}

// The one shape of a world and its triangles.
static int look_at(rgShapeDef def, rgBodyKind kind, rgShapeView* view, rgVec3* corners, int room) {
  rgWorld* world = build_still("default");
  rgBodyDef body = body_at(kind, v3_zero());
  build_body(world, &body, def);
  rgShapeId id;
  REQUIRE_INT(rg_world_shapes(world, &id, 1), 1);
  REQUIRE_INT(rg_shape_view(world, id, view), RG_OK);
  int count = rg_shape_corners(world, id, corners, room);
  CHECK_INT(count, view->corner_count);
  REQUIRE(count <= room);
  rg_world_destroy(world);
  return count;
}

// How far x is from the surface of a wall of radius 0.5, 1 and ring radius 2, and the way to the free
// side.
static double off_wall(rgShapeKind kind, rgVec3 x, rgVec3* free_side) {
  double across = sqrt(x.x * x.x + x.y * x.y);
  rgVec3 out = v3(x.x / across, x.y / across, 0);
  rgVec3 from = kind == RG_SHAPE_TUBE   ? v3(0, 0, x.z)
                : kind == RG_SHAPE_BOWL ? v3_zero()
                                        : v3_scale(out, 2);
  rgVec3 d = v3_sub(x, from);
  *free_side = kind == RG_SHAPE_RING ? d : v3_neg(d);
  return v3_norm(d) - 0.5;
}

TEST(triangles_of_a_wall_lie_on_it_and_face_its_free_side) {
  enum { ROOM = 10000 };
  static rgVec3 corners[ROOM];
  const rgShapeKind kinds[] = {RG_SHAPE_TUBE, RG_SHAPE_BOWL, RG_SHAPE_TORUS, RG_SHAPE_RING};
  for (int k = 0; k < 4; k++) {
    CONTEXT("%s", rg_shape_kind_name(kinds[k]));
    rgShapeDef def = rg_shape_def(kinds[k]);
    def.radius = 0.5;
    def.half_length = kinds[k] == RG_SHAPE_TUBE ? 1 : 0;
    def.parameters[0] = kinds[k] == RG_SHAPE_BOWL ? 0.2 : 2;
    rgShapeView view;
    int count = look_at(def, RG_BODY_STATIC, &view, corners, ROOM);
    CHECK(count > 1000);
    CHECK_BITS(view.def.radius, 0.5);
    for (int i = 0; i < count; i += 3) {
      rgVec3 side,
          middle = v3_scale(v3_add(v3_add(corners[i], corners[i + 1]), corners[i + 2]), 1.0 / 3);
      rgVec3 n = v3_cross(v3_sub(corners[i + 1], corners[i]), v3_sub(corners[i + 2], corners[i]));
      if (v3_norm(n) < 1e-9)
        continue; // at the lowest point of a bowl two corners are one
      for (int j = 0; j < 3; j++)
        if (corners[i + j].x != 0 || corners[i + j].y != 0)
          CHECK_NEAR(off_wall(kinds[k], corners[i + j], &side), 0, 1e-12);
      off_wall(kinds[k], middle, &side);
      CHECK(v3_dot(n, side) > 0);
    }
  }
}

TEST(a_rounded_box_is_drawn_with_its_edges_and_keeps_its_numbers) {
  enum { ROOM = 10000 };
  static rgVec3 corners[ROOM];
  rgShapeDef def = shape_box(v3(0.3, 0.4, 0.5));
  rgShapeView view;
  CHECK_INT(look_at(def, RG_BODY_DYNAMIC, &view, corners, ROOM), 0);
  def.rounding = 0.1;
  int count = look_at(def, RG_BODY_DYNAMIC, &view, corners, ROOM);
  double volume = 0;
  for (int i = 0; i < count; i += 3)
    volume += v3_dot(corners[i], v3_cross(corners[i + 1], corners[i + 2])) / 6;
  rgMassProperties mass;
  def.density = 1;
  REQUIRE_INT(rg_shape_mass(&def, &mass, NULL), RG_OK);
  CHECK_REL(volume, mass.mass, 0.02); // facets cut the roundings
  CHECK(volume < mass.mass);
  CHECK_NEAR(view.def.rounding, 0.1, 1e-15);
  CHECK_NEAR(view.def.half.z, 0.5, 1e-15);
  CHECK(view.def.radius == 0);
}

// The problems of the last step are those of a world that is not there any more once something of it is removed.
TEST(islands_end_with_what_was_in_them) {
  for (int k = 0; k < 2; k++) {
    rgWorld* world = build_world("default");
    build_floor(world);
    rgBodyId box = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2));
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    def.body_b = build_box(world, v3(0.2, 0.2, 0.2), v3(5, 0, 3));
    rgJointId joint;
    REQUIRE(rg_world_add_joint(world, &def, &joint) == RG_OK);
    run_steps(world, 2);
    CHECK_INT(rg_world_island_count(world), 2);
    REQUIRE((k ? rg_world_remove_joint(world, joint) : rg_world_remove_body(world, box)) == RG_OK);
    CHECK_INT(rg_world_island_count(world), 0);
    CHECK_INT(rg_world_island(world, 0, NULL, NULL, NULL), RG_ERROR_NOT_FOUND);
    rg_world_destroy(world);
  }
}
