// Scenes: what is read is what is written, and what is built is what was read.
#include "test.h"

#include "math/trig.h"
#include <rigor/scene.h>

#include <dirent.h>

static rgScene* parse(const char* text) {
  rgScene* scene = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return scene;
}

static char* write_scene(const rgScene* scene) {
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = malloc(length + 1);
  REQUIRE(text != NULL);
  CHECK_INT((long long)rg_scene_write(scene, text, length + 1), (long long)length);
  CHECK_INT((long long)strlen(text), (long long)length);
  return text;
}

static rgWorld* build(const rgScene* scene) {
  rgWorld* world = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_build(scene, NULL, &world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return world;
}

// Every kind of thing that a scene can hold.
static const char everything[] =
    "{\"rigor\": 1, \"$schema\": \"x.json\", \"title\": \"caf\\u00e9 \\ud834\\udd1e \\\"q\\\" "
    "\\\\\", \"time\": 0.1,\n"
    " \"preset\": \"reference\",\n"
    " \"options\": {\"gravity\": [0.1, -0.0, -9.8], \"step\": 0.002, \"theta\": 0.7, \"cone\": "
    "\"inner\", \"facets\": 7,\n"
    "  \"stabilizer\": \"none\", \"threads\": 2},\n"
    " \"materials\": [{\"name\": \"wood\", \"mu\": 0.4, \"restitution\": 0.1, \"e_tau\": 0.01},\n"
    "  {\"name\": \"rail\", \"e_t\": 0.5, \"e_o\": 2, \"direction\": [1, 0, 0]}, {\"name\": "
    "\"default\", \"mu\": 0.9}],\n"
    " \"pairs\": [{\"a\": \"wood\", \"b\": \"rail\", \"mu\": 0.5, \"restitution\": 0}, {\"a\": "
    "\"default\", \"b\": \"wood\"}],\n"
    " \"bodies\": [\n"
    "  {\"name\": \"floor\", \"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\", "
    "\"material\": \"rail\"}]},\n"
    "  {\"name\": \"ball\", \"position\": [0.1, 0.2, 5], \"orientation\": [0.6, 0, 0.8, 0], "
    "\"velocity\": [1, 2, 3],\n"
    "   \"angular_velocity\": [-1, 0, 1e-9], \"mass\": 2, \"shapes\": [{\"shape\": \"sphere\", "
    "\"radius\": 0.3,\n"
    "   \"material\": \"wood\", \"group\": 6, \"mask\": 4294967294}]},\n"
    "  {\"name\": \"box\", \"position\": [2, 0, 1], \"mass\": 3, \"center\": [0.01, 0, 0],\n"
    "   \"inertia\": [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1.5]], \"shapes\": [{\"shape\": \"box\", "
    "\"half\": [0.1, 0.2, 0.3],\n"
    "   \"position\": [0, 0, 0.1], \"orientation\": {\"axis\": [1, 1, 0], \"degrees\": 33}, "
    "\"density\": 700}],\n"
    "   \"repeat\": {\"count\": [2, 3, 1], \"spacing\": [1, 1.5, 0]}},\n"
    "  {\"position\": [0, 9, 1], \"shapes\": [{\"shape\": \"capsule\", \"radius\": 0.1, "
    "\"half_length\": 0.2},\n"
    "   {\"shape\": \"cylinder\", \"radius\": 0.1, \"half_length\": 0.2, \"position\": [0, 0, "
    "0.5]},\n"
    "   {\"shape\": \"ellipsoid\", \"half\": [0.1, 0.2, 0.3]}]},\n"
    "  {\"name\": \"tet\", \"position\": [0, -9, 1], \"shapes\": [{\"shape\": \"hull\",\n"
    "   \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}]},\n"
    "  {\"name\": \"point\", \"position\": [9, 9, 9], \"mass\": 0.5, \"rotation_locked\": true},\n"
    "  {\"name\": \"mesh\", \"kind\": \"static\", \"position\": [30, 0, 0], \"shapes\": "
    "[{\"shape\": \"mesh\",\n"
    "   \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.1]], \"triangles\": [[0, 1, 2], [2, "
    "1, 3]]}]},\n"
    "  {\"name\": \"field\", \"kind\": \"static\", \"position\": [50, 0, 0], \"shapes\": "
    "[{\"shape\": \"field\", \"rows\": 2,\n"
    "   \"columns\": 3, \"spacing\": [1, 2], \"heights\": [0, 0.1, 0, 0.2, 0.3, 0.1]}]},\n"
    "  {\"name\": \"shaker\", \"kind\": \"kinematic\", \"position\": [70, 0, 0], \"motion\": "
    "{\"kind\": \"harmonic\",\n"
    "   \"amplitude\": [0, 0, 0.1], \"swing\": [0, 0.2, 0], \"frequency\": 2, \"phase\": 0.5},\n"
    "   \"shapes\": [{\"shape\": \"box\", \"half\": [1, 1, 1]}], \"repeat\": {\"count\": [1, 2, "
    "1], \"spacing\": [0, 4, 0]}},\n"
    "  {\"name\": \"lift\", \"kind\": \"kinematic\", \"motion\": {\"times\": [0, 1, 3],\n"
    "   \"positions\": [[90, 0, 0], [90, 0, 2], [90, 0, 2]], \"orientations\": [[1, 0, 0, 0],\n"
    "   {\"axis\": [0, 0, 1], \"degrees\": 90}, [0, 0, 0, -1]]}, \"shapes\": [{\"shape\": \"box\", "
    "\"half\": [1, 1, 1]}]},\n"
    "  {\"name\": \"belt\", \"kind\": \"kinematic\", \"velocity\": [1, 0, 0], \"position\": [99, "
    "0, 0],\n"
    "   \"shapes\": [{\"shape\": \"box\", \"half\": [1, 1, 1]}]}],\n"
    " \"no_collision\": [[\"ball\", \"box\"], [\"box[0]\", \"box[5]\"], [\"box\", \"box\"]],\n"
    " \"forces\": [{\"body\": \"box\", \"force\": [1, 0, 0], \"torque\": [0, 0, 0.5], \"point\": "
    "[0, 0, 0]},\n"
    "  {\"body\": \"box[3]\", \"torque\": [0, 1, 0], \"body_axes\": true},\n"
    "  {\"kind\": \"table\", \"body\": \"ball\", \"times\": [0, 1], \"forces\": [[0, 0, 0], [1, 0, "
    "0]],\n"
    "   \"torques\": [[0, 0, 1], [0, 0, 0]]}]}";

static uint64_t hash_after(const rgScene* scene, int steps) {
  rgWorld* world = build(scene);
  for (int i = 0; i < steps; i++)
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  return hash;
}

// The canonical text is a fixed point, and the scene behind it moves with the same bits.
static void check_round_trip(const rgScene* scene, int steps) {
  char* text = write_scene(scene);
  rgScene* again = parse(text);
  char* text_again = write_scene(again);
  CHECK_STR(text_again, text);
  CHECK(memcmp(rg_scene_options((rgScene*)(uintptr_t)scene), rg_scene_options(again),
               sizeof(rgOptions)) == 0);
  CHECK_STR(rg_scene_title(again), rg_scene_title(scene));
  CHECK_BITS(rg_scene_time(again), rg_scene_time(scene));
  CHECK_HEX(hash_after(again, steps), hash_after(scene, steps));
  free(text);
  free(text_again);
  rg_scene_free(again);
}

TEST(everything_survives_writing_and_reading) {
  rgScene* scene = parse(everything);
  CHECK_INT(rg_scene_body_count(scene), 17);
  CHECK_STR(rg_scene_title(scene), "caf\xc3\xa9 \xf0\x9d\x84\x9e \"q\" \\");
  check_round_trip(scene, 5);
  rg_scene_free(scene);
}

TEST(defaults_are_left_out) {
  rgScene* scene = parse(
      "{\"rigor\": 1, \"title\": \"\", \"time\": 5, \"preset\": \"default\", \"options\": "
      "{\"theta\": 1},\n"
      "\"materials\": [], \"bodies\": [{\"kind\": \"static\", \"position\": [0, 0, 0], "
      "\"shapes\":\n"
      "[{\"shape\": \"sphere\", \"radius\": 1, \"material\": \"default\", \"density\": 1000}]}]}");
  rgOptions options;
  rg_options_preset("default", &options);
  rg_scene_options(scene)->theta = options.theta;
  char* text = write_scene(scene);
  CHECK_STR(text, "{\n"
                  "  \"rigor\": 1,\n"
                  "  \"bodies\": [{\"kind\": \"static\", \"shapes\": [{\"shape\": \"sphere\", "
                  "\"radius\": 1}]}]\n"
                  "}\n");
  free(text);
  rg_scene_free(scene);
}

TEST(options_come_from_the_preset_then_from_the_file) {
  rgScene* scene = parse(
      "{\"rigor\": 1, \"options\": {\"step\": 0.25}, \"preset\": \"realtime\", \"bodies\": []}");
  rgOptions expected;
  CHECK(rg_options_preset("realtime", &expected));
  expected.step = 0.25;
  CHECK(memcmp(rg_scene_options(scene), &expected, sizeof expected) == 0);
  rg_scene_free(scene);
}

TEST(changed_options_are_written) {
  rgScene* scene = parse("{\"rigor\": 1, \"bodies\": []}");
  rg_scene_options(scene)->step = 0.125;
  char* text = write_scene(scene);
  CHECK_CONTAINS(text, "\"options\": {\"step\": 0.125}");
  free(text);
  rg_scene_free(scene);
}

TEST(bodies_are_built_in_order_with_their_state) {
  rgScene* scene = parse(everything);
  rgWorld* world = build(scene);
  REQUIRE_INT(rg_world_body_count(world), 17);
  static const char* const names[] = {
      "floor", "ball",  "box[0]", "box[1]", "box[2]",    "box[3]",    "box[4]", "box[5]", "",
      "tet",   "point", "mesh",   "field",  "shaker[0]", "shaker[1]", "lift",   "belt"};
  for (int i = 0; i < 17; i++)
    CHECK_STR(rg_body_name(world, rg_world_body(world, i)), names[i]);

  rgBodyId ball = rg_world_find_body(world, "ball");
  CHECK_BITS(rg_body_pose(world, ball).position.z, 5);
  CHECK_BITS(rg_body_velocity(world, ball).angular.z, 1e-9);
  CHECK_REL(rg_body_mass(world, ball).mass, 2, 1e-15);
  CHECK_REL(rg_body_mass(world, ball).inertia.m[0][0], 0.4 * 2 * 0.09, 1e-14); // 2/5 m r^2

  // Copies: first along x, then along y.
  rgVec3 p = rg_body_pose(world, rg_world_find_body(world, "box[3]")).position;
  CHECK_BITS(p.x, 3);
  CHECK_BITS(p.y, 1.5);
  CHECK_BITS(p.z, 1);
  rgMassProperties box = rg_body_mass(world, rg_world_find_body(world, "box[3]"));
  CHECK_BITS(box.mass, 3);
  CHECK_REL(box.inertia.m[0][1], 0.1, 1e-13); // through principal axes and back
  CHECK_INT(rg_body_kind(world, rg_world_find_body(world, "lift")), RG_BODY_KINEMATIC);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

// A flat body has one moment. It stays through writing and reading, and a torque turns it by it.
TEST(inertia_of_a_flat_body_is_one_number) {
  const double moments[] = {1e-6, 0.7, 3, 2.5e4};
  for (int i = 0; i < 4; i++) {
    CONTEXT("%g kg m2", moments[i]);
    char text[400];
    snprintf(text, sizeof text,
             "{\"rigor\": 1, \"dimension\": 2, \"options\": {\"gravity\": [0, 0]}, \"bodies\": "
             "[{\"name\": \"wheel\", \"mass\": 2, \"inertia\": %.17g, \"center\": [0.1, 0.2]}], "
             "\"forces\": [{\"body\": \"wheel\", \"torque\": [0, 0, %.17g]}]}",
             moments[i], 3 * moments[i]);
    rgScene* first = parse(text);
    char* written = write_scene(first);
    rgScene* scene = parse(written);
    rgWorld* world = build(scene);
    rgBodyId wheel = rg_world_find_body(world, "wheel");
    CHECK_REL(rg_body_mass(world, wheel).inertia.m[2][2], moments[i], 1e-15);
    for (int k = 0; k < 10; k++)
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    CHECK_REL(rg_body_velocity(world, wheel).angular.z, 3 * rg_world_time(world), 1e-12);
    rg_world_destroy(world);
    rg_scene_free(scene);
    rg_scene_free(first);
    free(written);
  }
}

TEST(kinematic_bodies_follow_their_motion) {
  rgScene* scene = parse(everything);
  rgWorld* world = build(scene);
  rgBodyId lift = rg_world_find_body(world, "lift"),
           shaker = rg_world_find_body(world, "shaker[1]");
  rgBodyId belt = rg_world_find_body(world, "belt");
  CHECK_NEAR(rg_body_pose(world, shaker).position.z, 0.1 * sin(0.5), 1e-15);
  for (int i = 0; i < 250; i++)
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  double t = rg_world_time(world); // 0.5 s
  CHECK_NEAR(t, 0.5, 1e-12);
  // Halfway between the first two rows; a turn of 90 degrees, half done.
  CHECK_NEAR(rg_body_pose(world, lift).position.z, 2 * t, 1e-12);
  CHECK_NEAR(rg_body_pose(world, lift).orientation.z, sin(RG_PI / 8), 1e-9);
  double wave = sin(2 * RG_PI * 2 * t + 0.5);
  CHECK_NEAR(rg_body_pose(world, shaker).position.y, 4, 1e-12);
  CHECK_NEAR(rg_body_pose(world, shaker).position.z, 0.1 * wave, 1e-12);
  CHECK_NEAR(rg_body_pose(world, shaker).orientation.y, sin(0.1 * wave), 1e-12);
  CHECK_NEAR(rg_body_pose(world, belt).position.x, 99 + t, 1e-11); // 250 additions near 100
  rg_world_destroy(world);
  rg_scene_free(scene);
}

TEST(a_pair_overrides_and_the_rest_is_combined) {
  // Two boxes slide on the floor, one under a pair of its own: v^2 = 2 mu g s gives the way to
  // rest.
  rgScene* scene =
      parse("{\"rigor\": 1, \"options\": {\"step\": 0.001, \"theta\": 0.5, \"tolerance\": 1e-9},\n"
            "\"materials\": [{\"name\": \"floor\", \"mu\": 0.9}, {\"name\": \"a\", \"mu\": 0.4}, "
            "{\"name\": \"b\", \"mu\": 0.4}],\n"
            "\"pairs\": [{\"a\": \"b\", \"b\": \"floor\", \"mu\": 0.25}],\n"
            "\"bodies\": [{\"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\", "
            "\"material\": \"floor\"}]},\n"
            "{\"position\": [0, 0, 0.1], \"velocity\": [2, 0, 0], \"shapes\": [{\"shape\": "
            "\"box\", \"half\": [0.5, 0.5, 0.1], \"material\": \"a\"}]},\n"
            "{\"position\": [0, 5, 0.1], \"velocity\": [2, 0, 0], \"shapes\": [{\"shape\": "
            "\"box\", \"half\": [0.5, 0.5, 0.1], \"material\": \"b\"}]}]}");
  rgWorld* world = build(scene);
  for (int i = 0; i < 1200; i++)
    rg_world_step(world, NULL);
  const double g = 9.81, v = 2;
  // The last step before rest is cut short: an error of order v h.
  CHECK_NEAR(rg_body_pose(world, rg_world_body(world, 1)).position.x, v * v / (2 * 0.6 * g),
             1e-3); // sqrt(0.9 0.4)
  CHECK_NEAR(rg_body_pose(world, rg_world_body(world, 2)).position.x, v * v / (2 * 0.25 * g), 1e-3);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

TEST(orientations_are_made_unit_or_kept) {
  rgScene* scene = parse("{\"rigor\": 1, \"bodies\": [{\"name\": \"a\", \"kind\": \"static\", "
                         "\"orientation\": [0.707107, 0, 0, 0.707107]},\n"
                         "{\"name\": \"b\", \"kind\": \"static\", \"orientation\": {\"axis\": [0, "
                         "0, 1e200], \"degrees\": 450}}]}");
  rgWorld* world = build(scene);
  rgQuat a = rg_body_pose(world, rg_world_body(world, 0)).orientation;
  rgQuat b = rg_body_pose(world, rg_world_body(world, 1)).orientation;
  CHECK_NEAR(a.w * a.w + a.z * a.z, 1, 1e-15);
  // 450 degrees = 360 + 90: the quaternion of 225 degrees, cos = sin = -sqrt(1/2)
  CHECK_NEAR(b.w, -sqrt(0.5), 1e-15);
  CHECK_NEAR(b.z, -sqrt(0.5), 1e-15);
  check_round_trip(scene, 0);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

TEST(a_shape_that_cannot_be_made_is_placed) {
  rgScene* scene = parse(
      "{\"rigor\": 1, \"bodies\": [\n"
      "  {\"shapes\": [{\"shape\": \"sphere\", \"radius\": 1},\n"
      "    {\"shape\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}]}]}");
  rgWorld* world;
  rgMessage message = {""};
  CHECK_INT(rg_scene_build(scene, NULL, &world, &message), RG_ERROR_INPUT);
  CHECK(world == NULL);
  CHECK_CONTAINS(message.text, "s.json:3:5: bodies[0].shapes[1]: ");
  rg_scene_free(scene);
}

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fputs(text, file);
  fclose(file);
}

TEST(points_come_from_off_files_beside_the_scene) {
  const char *off = test_temporary("tetra.off"), *path = test_temporary("scene.json");
  write_file(off, "OFF # a corner of the unit cube\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 "
                  "0 1 3 255 0 0\n"
                  "3 0 3 2\n3 1 2 3\n");
  char text[1024];
  snprintf(text, sizeof text,
           "{\"rigor\": 1, \"bodies\": [{\"shapes\": [{\"shape\": \"hull\", \"file\": \"%s\", "
           "\"density\": 6}]},\n"
           "{\"kind\": \"static\", \"position\": [5, 0, 0], \"shapes\": [{\"shape\": \"mesh\", "
           "\"file\": \"%s\"}]}]}",
           strrchr(off, '/') + 1, strrchr(off, '/') + 1);
  write_file(path, text);
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_read(path, &scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rgWorld* world = build(scene);
  CHECK_REL(rg_body_mass(world, rg_world_body(world, 0)).mass, 1, 1e-14); // volume 1/6
  rg_world_destroy(world);
  check_round_trip(scene, 2); // points are written out
  rg_scene_free(scene);

  write_file(off, "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 4\n");
  CHECK_INT(rg_scene_read(path, &scene, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, ":1:63: bodies[0].shapes[0].file cannot be used: ");
  CHECK_CONTAINS(message.text, ":7: expected a corner (a whole number from 0 to 3), found 4");
  write_file(off, "solid x\n");
  CHECK_INT(rg_scene_read(path, &scene, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, ":1: the file does not begin with OFF");
  remove(off);
  CHECK_INT(rg_scene_read(path, &scene, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "No such file or directory");
  remove(path);
}

// An allocator that gives out `left` blocks and then none.
static void* scarce_allocate(size_t size, void* context) {
  int* left = context;
  rgAllocator heap = rg_allocator_default();
  return (*left)-- > 0 ? heap.allocate(size, heap.context) : NULL;
}

static void scarce_release(void* memory, size_t size, void* context) {
  (void)context;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

TEST(building_survives_memory_running_out_anywhere) {
  rgScene* scene = parse(everything);
  int blocks = 0;
  for (rgStatus status = RG_ERROR_MEMORY; status != RG_OK && blocks < 10000; blocks++) {
    int left = blocks;
    rgAllocator scarce = {scarce_allocate, scarce_release, &left};
    rgWorld* world;
    rgMessage message = {""};
    status = rg_scene_build(scene, &scarce, &world, &message);
    if (status != RG_OK) {
      CHECK_INT(status, RG_ERROR_MEMORY);
      CHECK(world == NULL);
      CHECK(message.text[0] != 0);
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(blocks > 10 && blocks < 10000, "%d blocks", blocks);
  rg_scene_free(scene);
}

// Linkages with a hinge at every corner are redundant in space, and are said to be.
static void ignore_remark(void* context, const char* place, const char* text) {
  *(int*)context += strcmp(place, "joints") != 0;
  printf("    remark: %s %s\n", place, text);
}

// The scenes that come with the project read, write, build and have nothing suspicious.
TEST(the_projects_scenes_are_sound) {
  const char* folder = test_scene("");
  DIR* entries = opendir(folder);
  REQUIRE(entries != NULL);
  int count = 0;
  for (struct dirent* entry; (entry = readdir(entries));) {
    const char* dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".json") != 0)
      continue;
    CONTEXT("%s", entry->d_name);
    rgScene* scene;
    rgMessage message = {""};
    rgStatus status = rg_scene_read(test_scene(entry->d_name), &scene, &message);
    REQUIRE_MSG(status == RG_OK, "%s", message.text);
    CHECK(rg_scene_title(scene)[0] != 0);
    int remarks = 0;
    CHECK_INT(rg_scene_inspect(scene, ignore_remark, &remarks, &message), RG_OK);
    CHECK_INT(remarks, 0);
    check_round_trip(scene, 2);
    rg_scene_free(scene);
    count++;
  }
  closedir(entries);
  CHECK_MSG(count >= 10, "only %d scenes found in %s", count, folder);
}
