// Scenes with numbers that vary.
#include "test.h"

#include <rigor/rigor.h>

static const char* const TEXT =
    "{\n"
    "  \"rigor\": 1,\n"
    "  \"materials\": [{\"name\": \"wood\", \"mu\": 0.4}],\n"
    "  \"bodies\": [\n"
    "    {\"name\": \"ground\", \"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]},\n"
    "    {\"name\": \"b\303\266x\", \"position\": [0, 0, 2], \"shapes\": [{\"shape\": \"box\", "
    "\"half\": [1, 1, 1]}]}\n"
    "  ]\n"
    "}\n";

static const char* write_scene(void) {
  const char* path = test_temporary("template.json");
  FILE* file = fopen(path, "w");
  REQUIRE(file != NULL);
  fputs(TEXT, file);
  fclose(file);
  return path;
}

static rgWorld* make_world(const rgSceneTemplate* from, const double* values, rgScene** scene) {
  rgMessage message = {0};
  rgWorld* world = NULL;
  CHECK_INT(rg_scene_template_make(from, values, scene, &message), RG_OK);
  if (*scene)
    CHECK_INT(rg_scene_build(*scene, NULL, &world, &message), RG_OK);
  CHECK_STR(message.text, "");
  return world;
}

// By index, by name, by letter, in brackets; keys that the file has and keys that it leaves out, on
// every level; in an order that is not that of the file.
TEST(numbers_are_found_by_every_form_of_path) {
  const char* path = write_scene();
  const char* const paths[] = {"bodies.b\303\266x.velocity.y",
                               "options.gravity.z",
                               "materials.wood.mu",
                               "bodies[1].position[2]",
                               "bodies.1.shapes.0.half.x",
                               "bodies.1.mass",
                               "time",
                               "bodies.1.velocity.x"};
  const double values[] = {3, -1.5, 0.25, 7, 2, 12, 9, 4};
  rgMessage message = {0};
  rgSceneTemplate* from;
  REQUIRE(rg_scene_template_read(path, paths, 8, &from, &message) == RG_OK);
  CHECK_NEAR(rg_scene_template_value(from, 1), -9.81, 0);
  CHECK_NEAR(rg_scene_template_value(from, 2), 0.4, 0);
  CHECK_NEAR(rg_scene_template_value(from, 3), 2, 0);
  rgScene* scene;
  rgWorld* world = make_world(from, values, &scene);
  REQUIRE(world != NULL);
  rgBodyId box = rg_world_body(world, 1);
  rgMaterial wood;
  rg_world_material(world, 1, &wood);
  CHECK_NEAR(rg_body_velocity(world, box).linear.y, 3, 0);
  CHECK_NEAR(rg_body_velocity(world, box).linear.x, 4, 0);
  CHECK_NEAR(rg_world_options(world)->gravity.z, -1.5, 0);
  CHECK_NEAR(rg_world_options(world)->gravity.x, 0, 0);
  CHECK_NEAR(wood.mu, 0.25, 0);
  CHECK_NEAR(rg_body_pose(world, box).position.z, 7, 0);
  CHECK_NEAR(rg_body_mass(world, box).mass, 12, 1e-12);
  rgShapeId shapes[2];
  rg_world_shapes(world, shapes, 2);
  rgShapeView view;
  CHECK_INT(rg_shape_view(world, shapes[1], &view), RG_OK);
  CHECK_NEAR(view.def.half.x, 2, 0);
  CHECK_NEAR(rg_scene_time(scene), 9, 0);
  rg_world_destroy(world);
  rg_scene_free(scene);
  rg_scene_template_free(from);
  remove(path);
}

TEST(values_of_the_file_give_the_scene_of_the_file) {
  const char* path = write_scene();
  const char* const paths[] = {"bodies.1.velocity.0", "options.step", "materials.0.mu"};
  rgMessage message = {0};
  rgSceneTemplate* from;
  rgScene *scene, *whole;
  REQUIRE(rg_scene_template_read(path, paths, 3, &from, &message) == RG_OK);
  REQUIRE(rg_scene_read(path, &whole, &message) == RG_OK);
  double values[3];
  for (int i = 0; i < 3; i++)
    values[i] = rg_scene_template_value(from, i);
  rgWorld *world = make_world(from, values, &scene), *other = NULL;
  REQUIRE(rg_scene_build(whole, NULL, &other, &message) == RG_OK);
  for (int i = 0; i < 100; i++)
    REQUIRE(rg_world_step(world, NULL) == RG_OK && rg_world_step(other, NULL) == RG_OK);
  CHECK_HEX(rg_world_hash(world), rg_world_hash(other));
  rg_world_destroy(world);
  rg_world_destroy(other);
  rg_scene_free(scene);
  rg_scene_free(whole);
  rg_scene_template_free(from);
  remove(path);
}

static void check_refused(const char* path, const char* const* paths, int count,
                          const char* expected) {
  rgMessage message = {0};
  rgSceneTemplate* from;
  char whole[600];
  CHECK_INT(rg_scene_template_read(path, paths, count, &from, &message), RG_ERROR_INPUT);
  CHECK(from == NULL);
  snprintf(whole, sizeof whole, "%s%s", path, expected);
  CHECK_STR(message.text, whole);
}

TEST(paths_that_lead_nowhere_are_refused_with_their_place) {
  const char* path = write_scene();
  static const struct {
    const char *path, *message;
  } wrong[] = {
      {"bodies.ball.mass",
       ":4:13: path 'bodies.ball.mass': bodies has no element 'ball'; it has 2, "
       "counted from 0, or given by their names"},
      {"bodies.2.mass", ":4:13: path 'bodies.2.mass': bodies has no element '2'; it has 2, counted "
                        "from 0, or given by their names"},
      {"bodies.1.mas",
       ":6:5: path 'bodies.1.mas': bodies[1] has no key 'mas'; did you mean 'mass'?"},
      {"bodies.1.position",
       ":6:33: path 'bodies.1.position': bodies[1].position is an array, must be one number"},
      {"bodies.1.position.w",
       ":6:33: path 'bodies.1.position.w': bodies[1].position has no element "
       "'w'; it has 3, counted from 0"},
      {"materials.wood.mu.x",
       ":3:40: path 'materials.wood.mu.x': materials[0].mu is a number, which has no part 'x'"},
      {"joints.0.lead", ":1:1: path 'joints.0.lead': the scene has no key 'joints'"},
      {"", ":1:1: path '': the scene is an object, must be one number"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    check_refused(path, &wrong[i].path, 1, wrong[i].message);
  const char* const twice[] = {"bodies.1.position.2", "bodies[1].position.z"};
  check_refused(path, twice, 2,
                ": 'bodies.1.position.2' and 'bodies[1].position.z' are the same number");
  remove(path);
}

// A value that the scene does not allow is refused as in a file, on the same line.
TEST(values_out_of_range_are_refused_with_their_place) {
  const char* path = write_scene();
  const char* const paths[] = {"materials.wood.mu"};
  rgMessage message = {0};
  rgSceneTemplate* from;
  rgScene* scene;
  double value = -1;
  char expected[200];
  REQUIRE(rg_scene_template_read(path, paths, 1, &from, &message) == RG_OK);
  CHECK_INT(rg_scene_template_make(from, &value, &scene, &message), RG_ERROR_INPUT);
  CHECK(scene == NULL);
  snprintf(expected, sizeof expected, "%s:3:40: materials[0].mu is -1, must be >= 0", path);
  CHECK_STR(message.text, expected);
  rg_scene_template_free(from);
  remove(path);
}
