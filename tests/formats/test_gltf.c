// Runs as glTF: the file is what its own numbers say, bodies are where they were, and triangles enclose
// the volumes of the shapes.
#include "test.h"

#include "io/text/json.h"
#include "math/vec.h"
#include <rigor/scene.h>
#include <rigor/trajectory.h>

static const char solids[] =
    "{\"rigor\": 1, \"options\": {\"step\": 0.02, \"gravity\": [0, 0, -1]}, \"bodies\": ["
    "{\"name\": \"ground\", \"kind\": \"static\", \"position\": [0, 0, -9],"
    " \"shapes\": [{\"shape\": \"halfspace\"}]},"
    "{\"name\": \"ball \\\"one\\\"\", \"angular_velocity\": [9, 5, -20],"
    " \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.4}]},"
    "{\"name\": \"box\", \"position\": [2, 0, 0], \"angular_velocity\": [0, 30, 1],"
    " \"shapes\": [{\"shape\": \"box\", \"half\": [0.4, 0.3, 0.2]}]},"
    "{\"name\": \"rounded\", \"position\": [4, 0, 0],"
    " \"shapes\": [{\"shape\": \"box\", \"half\": [0.4, 0.3, 0.2], \"rounding\": 0.1}]},"
    "{\"name\": \"capsule\", \"position\": [6, 0, 0],"
    " \"shapes\": [{\"shape\": \"capsule\", \"radius\": 0.2, \"half_length\": 0.4}]},"
    "{\"name\": \"cylinder\", \"position\": [0, 2, 0],"
    " \"shapes\": [{\"shape\": \"cylinder\", \"radius\": 0.3, \"half_length\": 0.4}]},"
    "{\"name\": \"ellipsoid\", \"position\": [2, 2, 0],"
    " \"shapes\": [{\"shape\": \"ellipsoid\", \"half\": [0.4, 0.2, 0.3]}]},"
    "{\"name\": \"hull\", \"position\": [4, 2, 0], \"repeat\": {\"count\": [1, 3, 1],"
    " \"spacing\": [0, 2, 0]}, \"shapes\": [{\"shape\": \"hull\", \"points\": "
    "[[-0.3, -0.3, -0.3], [0.4, -0.3, -0.3], [0, 0.4, -0.3], [0, 0, 0.4]]}]},"
    "{\"name\": \"superellipsoid\", \"position\": [6, 2, 0],"
    " \"shapes\": [{\"shape\": \"superellipsoid\", \"half\": [0.4, 0.3, 0.3],"
    " \"exponents\": [4, 3]}]},"
    "{\"name\": \"two\", \"position\": [0, 4, 0], \"shapes\": ["
    "{\"shape\": \"sphere\", \"radius\": 0.2, \"position\": [0.5, 0, 0]},"
    "{\"shape\": \"box\", \"half\": [0.2, 0.1, 0.1], \"position\": [-0.2, 0, 0],"
    " \"orientation\": [0.8, 0, 0, 0.6]}]}]}";

static const char flats[] =
    "{\"rigor\": 1, \"dimension\": 2, \"bodies\": ["
    "{\"name\": \"circle\", \"position\": [0, 2], \"shapes\": [{\"shape\": \"circle\", "
    "\"radius\": 0.4}]},"
    "{\"name\": \"polygon\", \"position\": [1, 2], \"shapes\": [{\"shape\": \"polygon\", "
    "\"points\": [[-0.3, -0.3], [0.4, -0.2], [0, 0.4]]}]},"
    "{\"name\": \"capsule\", \"position\": [2, 2], \"shapes\": [{\"shape\": \"capsule\", "
    "\"radius\": 0.2, \"half_length\": 0.3}]},"
    "{\"name\": \"walls\", \"kind\": \"static\", \"shapes\": [{\"shape\": \"segment\", "
    "\"points\": [[3, 0], [4, 1]]}, {\"shape\": \"bowl\", \"radius\": 2, \"rim\": 0.5}]}]}";

// --- a world, and the file of its run ----------------------------------------------------------------

static rgWorld* world_of(const char* text) {
  rgMessage message = {""};
  rgScene* scene;
  rgWorld* world;
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  status = rg_scene_build(scene, NULL, &world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rg_scene_free(scene);
  return world;
}

static rgTrajectory* create(const char* path, const rgWorld* world) {
  rgTrajectory* trajectory = NULL;
  rgMessage message = {""};
  rgStatus status = rg_trajectory_create(path, world, &trajectory, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return trajectory;
}

typedef struct Glb {
  unsigned char* bytes;
  const unsigned char* binary; // the second chunk
  size_t binary_size;
  rgJson* json;
  const rgJsonNode* root;
} Glb;

static uint32_t whole_at(const unsigned char* at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float float_at(const unsigned char* at) {
  uint32_t bits = whole_at(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Reads the header and the chunks, which must fill the file.
static Glb read_glb(const char* path) {
  Glb glb = {0};
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  glb.bytes = malloc(size);
  REQUIRE_INT(fread(glb.bytes, 1, size, file), size);
  fclose(file);
  REQUIRE(size > 20 && memcmp(glb.bytes, "glTF", 4) == 0);
  CHECK_INT(whole_at(glb.bytes + 4), 2);
  CHECK_INT(whole_at(glb.bytes + 8), size);
  size_t json = whole_at(glb.bytes + 12);
  CHECK(memcmp(glb.bytes + 16, "JSON", 4) == 0);
  CHECK_INT(json % 4, 0);
  if (20 + json < size) {
    glb.binary_size = whole_at(glb.bytes + 20 + json);
    CHECK(memcmp(glb.bytes + 24 + json, "BIN", 4) == 0);
    glb.binary = glb.bytes + 28 + json;
    REQUIRE_INT(28 + json + glb.binary_size, size);
  }
  rgMessage message = {""};
  rgAllocator allocator = rg_allocator_default();
  rgStatus status =
      rg_json_parse((const char*)glb.bytes + 20, json, path, &allocator, &glb.json, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  glb.root = rg_json_root(glb.json);
  return glb;
}

static void free_glb(Glb* glb) {
  rg_json_free(glb->json);
  free(glb->bytes);
}

static const rgJsonNode* member(const rgJsonNode* object, const char* key) {
  const rgJsonNode* found = rg_json_member(object, key);
  REQUIRE_MSG(found != NULL, "there is no %s", key);
  return found;
}

static int whole(const rgJsonNode* object, const char* key) {
  return (int)member(object, key)->value.number;
}

static int count_of(const Glb* glb, const char* list) {
  const rgJsonNode* found = rg_json_member(glb->root, list);
  return found ? (int)found->count : 0;
}

static const rgJsonNode* element(const rgJsonNode* array, int index) {
  REQUIRE(index >= 0 && index < (int)array->count);
  const rgJsonNode* at = rg_json_first(array);
  for (int i = 0; i < index; i++)
    at = rg_json_next(at);
  return at;
}

static const rgJsonNode* item(const Glb* glb, const char* list, int index) {
  return element(member(glb->root, list), index);
}

static double number(const rgJsonNode* object, const char* key, int index) {
  return element(member(object, key), index)->value.number;
}

// --- accessors ---------------------------------------------------------------------------------------

typedef struct Accessor {
  const unsigned char* data;
  int count, width;
  int component;
} Accessor;

static Accessor accessor(const Glb* glb, int index) {
  const rgJsonNode* node = item(glb, "accessors", index);
  const rgJsonNode* view = item(glb, "bufferViews", whole(node, "bufferView"));
  const char* type = member(node, "type")->value.text;
  Accessor a = {.count = whole(node, "count"), .component = whole(node, "componentType")};
  a.width = strcmp(type, "SCALAR") == 0 ? 1 : type[3] - '0';
  size_t size = (size_t)a.width * (a.component == 5121 ? 1 : 4);
  size_t offset = (size_t)whole(node, "byteOffset"), length = (size_t)whole(view, "byteLength");
  const rgJsonNode* stride = rg_json_member(view, "byteStride");
  CHECK(!stride || stride->value.number == (double)size);
  CHECK(a.count > 0 && offset % 4 == 0);
  REQUIRE(offset + size * (size_t)a.count <= length);
  REQUIRE((size_t)whole(view, "byteOffset") + length <= glb->binary_size);
  a.data = glb->binary + (size_t)whole(view, "byteOffset") + offset;
  return a;
}

static double value(const Accessor* a, int index, int k) {
  return (double)float_at(a->data + 4 * ((size_t)index * (size_t)a->width + (size_t)k));
}

// Bounds that are told are those of the numbers.
static bool check_bounds(const Glb* glb, int index) {
  const rgJsonNode* node = item(glb, "accessors", index);
  Accessor a = accessor(glb, index);
  if (!rg_json_member(node, "min"))
    return false;
  for (int k = 0; k < a.width; k++) {
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (int i = 0; i < a.count; i++) {
      lower = fmin(lower, value(&a, i, k));
      upper = fmax(upper, value(&a, i, k));
    }
    CHECK_BITS(number(node, "min", k), lower);
    CHECK_BITS(number(node, "max", k), upper);
  }
  return true;
}

// What the format demands of every file.
static void check_structure(const Glb* glb) {
  CHECK_STR(member(member(glb->root, "asset"), "version")->value.text, "2.0");
  for (int i = 0; i < count_of(glb, "accessors"); i++) {
    CONTEXT("accessor %d", i);
    check_bounds(glb, i);
  }
  if (glb->binary)
    CHECK_INT(whole(item(glb, "buffers", 0), "byteLength"), glb->binary_size);
  for (int i = 0; i < count_of(glb, "meshes"); i++) {
    const rgJsonNode* part = element(member(item(glb, "meshes", i), "primitives"), 0);
    int positions = whole(member(part, "attributes"), "POSITION");
    CHECK(whole(part, "material") < count_of(glb, "materials"));
    CHECK_MSG(check_bounds(glb, positions), "mesh %d has no bounds", i);
    Accessor corners = accessor(glb, positions);
    const rgJsonNode* indexed = rg_json_member(part, "indices");
    CHECK(indexed || corners.count % 3 == 0);
    if (!indexed)
      continue;
    Accessor indices = accessor(glb, (int)indexed->value.number);
    CHECK_INT(indices.count % 3, 0);
    for (int k = 0; k < indices.count; k++)
      REQUIRE(whole_at(indices.data + 4 * k) < (uint32_t)corners.count);
    Accessor normals = accessor(glb, whole(member(part, "attributes"), "NORMAL"));
    CHECK_INT(normals.count, corners.count);
    for (int k = 0; k < normals.count; k++) {
      double x = value(&normals, k, 0), y = value(&normals, k, 1), z = value(&normals, k, 2);
      REQUIRE(fabs(x * x + y * y + z * z - 1) < 1e-6); // single precision
    }
  }
}

// --- volumes -----------------------------------------------------------------------------------------

static rgVec3 corner(const Glb* glb, const rgJsonNode* part, int index) {
  const rgJsonNode* indexed = rg_json_member(part, "indices");
  Accessor positions = accessor(glb, whole(member(part, "attributes"), "POSITION"));
  if (indexed) {
    Accessor indices = accessor(glb, (int)indexed->value.number);
    index = (int)whole_at(indices.data + 4 * index);
  }
  return v3(value(&positions, index, 0), value(&positions, index, 1), value(&positions, index, 2));
}

// By the divergence theorem; positive when triangles are counter-clockwise seen from outside.
static double mesh_volume(const Glb* glb, int mesh) {
  const rgJsonNode* part = element(member(item(glb, "meshes", mesh), "primitives"), 0);
  const rgJsonNode* indexed = rg_json_member(part, "indices");
  int used = indexed ? (int)indexed->value.number : whole(member(part, "attributes"), "POSITION");
  double sum = 0;
  for (int i = 0; i < accessor(glb, used).count; i += 3) {
    rgVec3 a = corner(glb, part, i), b = corner(glb, part, i + 1), c = corner(glb, part, i + 2);
    sum += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
           a.z * (b.x * c.y - b.y * c.x);
  }
  return sum / 6;
}

// The node of a body with this name.
static int find_node(const Glb* glb, const char* name) {
  for (int i = 1; i < count_of(glb, "nodes"); i++) {
    const rgJsonNode* found = rg_json_member(item(glb, "nodes", i), "name");
    if (found && strcmp(found->value.text, name) == 0)
      return i;
  }
  REQUIRE_MSG(false, "there is no node %s", name);
  return -1;
}

static double body_volume(const Glb* glb, const char* name) {
  const rgJsonNode* children = member(item(glb, "nodes", find_node(glb, name)), "children");
  double sum = 0;
  for (int i = 0; i < (int)children->count; i++) {
    const rgJsonNode* part = item(glb, "nodes", (int)element(children, i)->value.number);
    double scale = number(part, "scale", 0) * number(part, "scale", 1) * number(part, "scale", 2);
    sum += scale * mesh_volume(glb, whole(part, "mesh"));
  }
  return sum;
}

static Glb record_one(rgWorld* world, const char* path) {
  rgTrajectory* trajectory = create(path, world);
  CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  return read_glb(path);
}

TEST(triangles_enclose_the_volumes_of_the_shapes) {
  rgWorld* world = world_of(solids);
  Glb glb = record_one(world, test_temporary("solids.glb"));
  check_structure(&glb);
  for (int i = 1; i < rg_world_body_count(world); i++) {
    rgBodyId body = rg_world_body(world, i);
    const char* name = rg_body_name(world, body);
    double exact = rg_body_mass(world, body).mass / 1000; // the density is 1000 kg/m3
    bool flat = strncmp(name, "box", 3) == 0 || strncmp(name, "hull", 4) == 0;
    CONTEXT("%s", name);
    double volume = body_volume(&glb, name);
    CHECK_REL(volume, exact, flat ? 1e-6 : 0.03); // single precision; 32 facets round a turn
    CHECK(volume < exact * (1 + 1e-6));           // corners lie on the surface
  }
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(flat_bodies_are_slabs_of_one_thickness) {
  rgWorld* world = world_of(flats);
  Glb glb = record_one(world, test_temporary("flats.glb"));
  check_structure(&glb);
  double thickness[3];
  for (int i = 0; i < 3; i++) {
    rgBodyId body = rg_world_body(world, i);
    double area = rg_body_mass(world, body).mass / 1000; // [kg/m2]
    thickness[i] = body_volume(&glb, rg_body_name(world, body)) / area;
  }
  CHECK(thickness[0] > 0);
  CHECK_REL(thickness[0], thickness[1], 0.01); // 32 corners of a circle
  CHECK_REL(thickness[2], thickness[1], 0.01);
  CHECK(!rg_json_member(item(&glb, "nodes", 0), "rotation")); // y is up already
  free_glb(&glb);
  rg_world_destroy(world);
}

// --- motion ------------------------------------------------------------------------------------------

typedef struct Track {
  Accessor times, values;
  const char* interpolation;
} Track;

static bool find_track(const Glb* glb, int node, const char* path, Track* track) {
  const rgJsonNode* animation = item(glb, "animations", 0);
  const rgJsonNode* channels = member(animation, "channels");
  for (int i = 0; i < (int)channels->count; i++) {
    const rgJsonNode *channel = element(channels, i), *target = member(channel, "target");
    if (whole(target, "node") != node || strcmp(member(target, "path")->value.text, path) != 0)
      continue;
    const rgJsonNode* sampler = element(member(animation, "samplers"), whole(channel, "sampler"));
    track->times = accessor(glb, whole(sampler, "input"));
    track->values = accessor(glb, whole(sampler, "output"));
    track->interpolation = member(sampler, "interpolation")->value.text;
    CHECK(check_bounds(glb, whole(sampler, "input"))); // the format demands those of times
    CHECK_INT(track->times.count, track->values.count);
    return true;
  }
  return false;
}

enum { FRAMES = 60, BODIES_MAX = 16 };

// A turn and its opposite are the same place.
static void check_turn(const Track* turns, int frame, rgQuat q) {
  double r[4], dot = 0, norm = 0, near = 0;
  const double expected[4] = {q.x, q.y, q.z, q.w};
  for (int k = 0; k < 4; k++) {
    r[k] = value(&turns->values, frame, k);
    dot += r[k] * expected[k];
    norm += r[k] * r[k];
    near += frame > 0 ? r[k] * value(&turns->values, frame - 1, k) : 1;
  }
  CHECK_NEAR(norm, 1, 4e-7); // four roundings to single precision
  CHECK(near > 0);
  for (int k = 0; k < 4; k++)
    CHECK_BITS(r[k], (double)(float)(dot < 0 ? -expected[k] : expected[k]));
}

TEST(poses_and_times_are_those_of_the_run) {
  rgWorld* world = world_of(solids);
  const char* path = test_temporary("run.glb");
  rgTrajectory* trajectory = create(path, world);
  int bodies = rg_world_body_count(world), flips = 0;
  static rgPose poses[FRAMES][BODIES_MAX];
  REQUIRE(bodies <= BODIES_MAX);
  for (int frame = 0; frame < FRAMES; frame++) {
    CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
    for (int i = 0; i < bodies; i++)
      poses[frame][i] = rg_body_pose(world, rg_world_body(world, i));
    for (int i = 0; i < 3; i++)
      CHECK_INT(rg_world_step(world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_flush(trajectory, NULL), RG_OK);
  CHECK(access(path, F_OK) != 0); // whole or not at all
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  Glb glb = read_glb(path);
  check_structure(&glb);
  Track places, turns;
  CHECK(!find_track(&glb, 1, "translation", &places)); // the ground rests
  for (int i = 1; i < bodies; i++) {
    CONTEXT("body %d", i);
    REQUIRE(find_track(&glb, 1 + i, "translation", &places));
    REQUIRE(find_track(&glb, 1 + i, "rotation", &turns));
    REQUIRE_INT(places.times.count, FRAMES);
    for (int frame = 0; frame < FRAMES; frame++) {
      rgPose pose = poses[frame][i];
      CHECK_BITS(value(&places.times, frame, 0), (double)(float)(3 * frame * 0.02));
      CHECK_BITS(value(&places.values, frame, 0), (double)(float)pose.position.x);
      CHECK_BITS(value(&places.values, frame, 1), (double)(float)pose.position.y);
      CHECK_BITS(value(&places.values, frame, 2), (double)(float)pose.position.z);
      check_turn(&turns, frame, pose.orientation);
      flips += value(&turns.values, frame, 3) < 0;
    }
  }
  CHECK(flips > 0); // bodies turned by more than half a turn
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(z_becomes_y_and_equal_shapes_are_one) {
  rgWorld* world = world_of(solids);
  Glb glb = record_one(world, test_temporary("axes.glb"));
  const rgJsonNode* turn = item(&glb, "nodes", 0);
  double x = number(turn, "rotation", 0), w = number(turn, "rotation", 3);
  CHECK_NEAR(2 * x * w, -1, 1e-15); // sine of the angle about x: z goes to y
  int seen[BODIES_MAX] = {0}, different = 0;
  for (int i = 0; i < count_of(&glb, "meshes"); i++) {
    const rgJsonNode* part = element(member(item(&glb, "meshes", i), "primitives"), 0);
    int positions = whole(member(part, "attributes"), "POSITION"), known = 0;
    for (int k = 0; k < different; k++)
      known += seen[k] == positions;
    if (!known)
      seen[different++] = positions;
  }
  // Ground, ball (also ellipsoid, and of the last body), box (twice), rounded box, capsule, cylinder,
  // hull (three times), superellipsoid.
  CHECK_INT(different, 8);
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(a_body_that_is_removed_is_not_seen_afterwards) {
  rgWorld* world = world_of(solids);
  const char* path = test_temporary("removed.glb");
  rgTrajectory* trajectory = create(path, world);
  rgBodyId removed = rg_world_body(world, 4);
  for (int frame = 0; frame < 5; frame++) {
    if (frame == 3)
      CHECK_INT(rg_world_remove_body(world, removed), RG_OK);
    CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  Glb glb = read_glb(path);
  check_structure(&glb);
  Track track;
  REQUIRE(find_track(&glb, 1 + 4, "scale", &track));
  CHECK_STR(track.interpolation, "STEP");
  REQUIRE_INT(track.times.count, 2);
  CHECK_BITS(value(&track.times, 1, 0), (double)(float)(3 * 0.02));
  CHECK_BITS(value(&track.values, 0, 0), 1.0);
  CHECK_BITS(value(&track.values, 1, 0), 0.0);
  CHECK(!find_track(&glb, 1 + 5, "scale", &track));
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(frames_of_one_time_are_one) {
  rgWorld* world = world_of(solids);
  const char* path = test_temporary("twice.glb");
  rgTrajectory* trajectory = create(path, world);
  CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
  rgBodyId body = rg_world_body(world, 1);
  rgPose pose = {v3(1, 2, 3), {1, 0, 0, 0}};
  CHECK_INT(rg_body_set_pose(world, body, pose), RG_OK);
  CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  Glb glb = read_glb(path);
  check_structure(&glb);
  CHECK_INT(count_of(&glb, "animations"), 0); // one frame is no motion
  CHECK_BITS(number(item(&glb, "nodes", 2), "translation", 2), 3.0);
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(a_world_without_bodies_is_a_file_too) {
  rgWorld* world = world_of("{\"rigor\": 1, \"bodies\": []}");
  Glb glb = record_one(world, test_temporary("empty.glb"));
  check_structure(&glb);
  CHECK_INT(count_of(&glb, "nodes"), 1);
  CHECK_INT(count_of(&glb, "accessors"), 0);
  free_glb(&glb);
  rg_world_destroy(world);
}

TEST(what_the_format_cannot_hold_is_refused) {
  rgWorld* world = world_of(flats);
  rgTrajectory* trajectory;
  rgMessage message = {""};
  CHECK_INT(rg_trajectory_create_of("x.glb", world, RG_RECORD_BODIES | RG_RECORD_CONTACTS,
                                    &trajectory, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "x.glb: a .glb file holds the poses of bodies alone");
  CHECK_INT(rg_trajectory_create("no/such/folder/x.glb", world, &trajectory, &message),
            RG_ERROR_IO);
  CHECK_CONTAINS(message.text, "no/such/folder/x.glb");
  // A file without frames is not written: what was there stays.
  const char* path = test_temporary("old.glb");
  FILE* old = fopen(path, "wb");
  REQUIRE(old != NULL);
  fputs("old", old);
  fclose(old);
  CHECK_INT(rg_trajectory_close(create(path, world), NULL), RG_OK);
  struct stat about;
  REQUIRE(stat(path, &about) == 0);
  CHECK_INT(about.st_size, 3);
  rg_world_destroy(world);
}

TEST(a_recording_becomes_the_same_file) {
  enum { COUNT = 3 };
  rgWorld* world = world_of(flats);
  const char *path = test_temporary("direct.glb"), *other = test_temporary("export.glb");
  rgTrajectory* trajectory = create(path, world);
  double time[COUNT];
  rgVec3 position[COUNT * 4];
  rgQuat orientation[COUNT * 4];
  for (int frame = 0; frame < COUNT; frame++) {
    CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
    time[frame] = rg_world_time(world);
    for (int i = 0; i < 4; i++) {
      rgPose pose = rg_body_pose(world, rg_world_body(world, i));
      position[4 * frame + i] = pose.position;
      orientation[4 * frame + i] = pose.orientation;
    }
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  rg_world_destroy(world);
  world = world_of(flats);
  rgRecording run = {.frame_count = COUNT,
                     .body_count = 4,
                     .time = time,
                     .position = position,
                     .orientation = orientation};
  rgMessage message = {""};
  REQUIRE_MSG(rg_recording_export(&run, world, other, &message) == RG_OK, "%s", message.text);
  Glb a = read_glb(path), b = read_glb(other);
  REQUIRE_INT(a.binary_size, b.binary_size);
  CHECK(memcmp(a.bytes, b.bytes, (size_t)(a.binary - a.bytes) + a.binary_size) == 0);
  run.body_count = 3;
  CHECK_INT(rg_recording_export(&run, world, other, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "the run has 3 bodies, its scene 4");
  CHECK_INT(rg_recording_export(&run, world, "x.csv", &message), RG_ERROR_UNSUPPORTED);
  free_glb(&a);
  free_glb(&b);
  rg_world_destroy(world);
}
