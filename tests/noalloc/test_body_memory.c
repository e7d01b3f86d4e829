// What a world holds in bytes, for each body with its contacts, in the preset realtime on one thread.
//
// The bytes are those that the world has from its allocator and has not given back. Arrays only grow, so
// that they are the most of all steps so far. What is stated is what was reached when the limits were set, with
// a few percent for other growth of the arrays: the goal is 4 kB per sphere and 5 kB per box. A limit may
// be lowered, and raised only with a reason.
#include "test.h"

#include "support/scenes.h"

#include <stdlib.h>

typedef struct Held {
  double bytes; // of a world without its bodies as well: less than 20 kB
  int bodies;
} Held;

static Held held_after(Scene* scene, int steps) {
  rgOptions options;
  rgMessage message;
  rgWorld* world = NULL;
  REQUIRE(rg_options_preset("realtime", &options));
  options.threads = 1;
  rgBodyId* ids = calloc((size_t)scene->body_count, sizeof *ids);
  REQUIRE(ids);
  REQUIRE(scene_world(scene, &options, SCENE_SI, ids, &world, &message) == RG_OK);
  for (int i = 0; i < steps; ++i)
    REQUIRE(rg_world_step(world, NULL) == RG_OK);
  Held held = {(double)rg_world_counts(world).memory, scene->body_count};
  CHECK(rg_world_contact_count(world) > scene->body_count); // bodies lie on each other
  rg_world_destroy(world);
  free(ids);
  scene_end(scene);
  return held;
}

// Bytes per body of some scenes of one kind, from the first to the last, and of each body more.
typedef struct Family {
  const char* name;
  void (*build)(Scene* scene, int size);
  int sizes[2], steps;
  double limit; // [bytes]
} Family;

static void check_family(const Family* family) {
  Held last = {0};
  for (int i = 0; i < (test_fast() ? 1 : 2); ++i) {
    Scene scene;
    family->build(&scene, family->sizes[i]);
    Held held = held_after(&scene, family->steps);
    double each = held.bytes / held.bodies;
    CHECK_MSG(each <= family->limit, "%s, %d bodies: %.0f bytes for each, more than %.0f",
              family->name, held.bodies, each, family->limit);
    // An array may have grown just before the one world ended and just after the other did.
    double more = (held.bytes - last.bytes) / (held.bodies - last.bodies);
    CHECK_MSG(i == 0 || more <= 1.125 * family->limit, "%s, %d bodies: %.0f bytes for each more",
              family->name, held.bodies, more);
    last = held;
  }
}

TEST(spheres_of_a_heap_hold_little_memory) {
  check_family(&(Family){"spheres", scene_spheres, {400, 800}, 90, 10200});
}

TEST(boxes_of_a_heap_hold_little_memory) {
  check_family(&(Family){"boxes", scene_boxes, {7, 9}, 60, 13500});
}

TEST(boxes_of_a_pyramid_hold_little_memory) {
  check_family(&(Family){"a pyramid", scene_pyramid, {18, 26}, 20, 17900});
}

TEST(boxes_of_a_pyramid_that_is_hit_hold_little_memory) {
  check_family(&(Family){"a hit pyramid", scene_hit, {18, 24}, 40, 22600});
}
