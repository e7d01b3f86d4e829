// Polytopes in the place of smooth shapes: within the shape, as near to it as their number of facets says,
// with its mass.
#include "math/vec.h"
#include "test.h"

#include <rigor/rigor.h>

static rgScene* parse(const char* shape) {
  char text[1024];
  rgScene* scene;
  rgMessage message = {""};
  snprintf(text, sizeof text,
           "{\"rigor\": 1, \"bodies\": [{\"name\": \"a\", \"shapes\": [{\"shape\": %s, "
           "\"density\": 500, "
           "\"position\": [0.1, 0, 0]}]}, {\"name\": \"b\", \"shapes\": [{\"shape\": \"box\", "
           "\"half\": [1, 1, 1]}]}]}",
           shape);
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return scene;
}

static rgWorld* build(const rgScene* scene) {
  rgWorld* world;
  rgMessage message = {""};
  REQUIRE_MSG(rg_scene_build(scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  return world;
}

static const char* const shapes[] = {
    "\"sphere\", \"radius\": 0.5",
    "\"ellipsoid\", \"half\": [0.5, 0.3, 0.2]",
    "\"superellipsoid\", \"half\": [0.5, 0.3, 0.2], \"exponents\": [3, 4]",
    "\"capsule\", \"radius\": 0.2, \"half_length\": 0.4",
    "\"cylinder\", \"radius\": 0.2, \"half_length\": 0.4",
};

TEST(bodies_keep_their_mass_and_only_their_surface_changes) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int facets = 32; facets <= 2048; facets *= 8) {
      CONTEXT("%s, %d facets", shapes[i], facets);
      rgScene* scene = parse(shapes[i]);
      rgWorld* smooth = build(scene);
      rgMessage message = {""};
      CHECK(rg_scene_is_smooth(scene));
      REQUIRE_MSG(rg_scene_facet(scene, facets, &message) == RG_OK, "%s", message.text);
      CHECK(!rg_scene_is_smooth(scene));
      rgWorld* rough = build(scene);
      rgBodyId a = rg_world_find_body(smooth, "a");
      rgMassProperties before = rg_body_mass(smooth, a), after = rg_body_mass(rough, a);
      CHECK_REL(after.mass, before.mass, 1e-12);
      CHECK_NEAR(v3_norm(v3_sub(after.center, before.center)), 0, 1e-12);
      for (int k = 0; k < 3; k++)
        CHECK_REL(after.inertia.m[k][k], before.inertia.m[k][k], 1e-12);
      // Each half-width is within a facet's height of the smooth one, and never above it: the hull is inside.
      rgShapeId ids[2];
      REQUIRE_INT(rg_world_shapes(smooth, ids, 2), 2);
      rgBounds s = rg_shape_bounds(smooth, ids[0]), r = rg_shape_bounds(rough, ids[0]);
      rgVec3 shrunk = v3_scale(v3_sub(v3_sub(s.upper, s.lower), v3_sub(r.upper, r.lower)), 0.5);
      rgShapeView view;
      REQUIRE_INT(rg_shape_view(rough, ids[0], &view), RG_OK);
      CHECK_INT(view.def.kind, RG_SHAPE_HULL);
      double height =
          0.7 * 40 / facets; // a facet of area 4 pi L^2 / n on a radius L = 0.7, generously
      for (int k = 0; k < 3; k++)
        CHECK_MSG(v3_get(shrunk, k) >= -1e-12 && v3_get(shrunk, k) <= height, "%g, at most %g",
                  v3_get(shrunk, k), height);
      rg_world_destroy(smooth);
      rg_world_destroy(rough);
      rg_scene_free(scene);
    }
}

TEST(a_faceted_scene_is_written_and_read_as_itself) {
  rgScene* scene = parse(shapes[1]);
  rgMessage message = {""};
  REQUIRE_INT(rg_scene_facet(scene, 100, &message), RG_OK);
  size_t size = rg_scene_write(scene, NULL, 0) + 1;
  char* text = malloc(size);
  REQUIRE(text != NULL);
  rg_scene_write(scene, text, size);
  rgScene* again;
  REQUIRE_MSG(rg_scene_parse(text, size - 1, "again.json", &again, &message) == RG_OK, "%s",
              message.text);
  rgWorld *a = build(scene), *b = build(again);
  for (int i = 0; i < 20; i++) {
    CHECK_INT(rg_world_step(a, NULL), RG_OK);
    CHECK_INT(rg_world_step(b, NULL), RG_OK);
  }
  CHECK(rg_world_hash(a) == rg_world_hash(b));
  rg_world_destroy(a);
  rg_world_destroy(b);
  rg_scene_free(scene);
  rg_scene_free(again);
  free(text);
}

TEST(a_number_of_facets_that_cannot_be_is_refused) {
  rgScene* scene = parse(shapes[0]);
  rgMessage message = {""};
  CHECK_INT(rg_scene_facet(scene, 7, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "facets is 7, must be >= 8 and <= 100000");
  CHECK(rg_scene_is_smooth(scene)); // and nothing has changed
  rg_scene_free(scene);
}
