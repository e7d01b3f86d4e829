// What is suspicious about a scene: each remark, and silence where there is nothing to say.
#include "test.h"

#include <rigor/scene.h>

typedef struct Remarks {
  int count;
  char text[8][600];
} Remarks;

static void take(void* context, const char* place, const char* text) {
  Remarks* remarks = context;
  if (remarks->count < 8)
    snprintf(remarks->text[remarks->count], sizeof remarks->text[0], "%s: %s", place, text);
  remarks->count++;
}

static Remarks inspect(const char* rest) {
  char text[4096];
  snprintf(text, sizeof text, "{\"rigor\": 1, \"options\": {\"step\": 0.001}, %s}", rest);
  rgScene* scene;
  rgMessage message = {""};
  Remarks remarks = {0};
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  status = rg_scene_inspect(scene, take, &remarks, &message);
  CHECK_MSG(status == RG_OK, "%s", message.text);
  rg_scene_free(scene);
  return remarks;
}

static void check_one(const char* rest, const char* expected) {
  CONTEXT("%s", rest);
  Remarks remarks = inspect(rest);
  CHECK_INT(remarks.count, 1);
  CHECK_STR(remarks.text[0], expected);
}

#define FLOOR                                                                                      \
  "{\"name\": \"floor\", \"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]}"

TEST(a_sound_scene_has_no_remarks) {
  Remarks remarks = inspect(
      "\"bodies\": [" FLOOR ", {\"position\": [0, 0, 1], \"shapes\": [{\"shape\": \"sphere\", "
      "\"radius\": 1}], \"repeat\": {\"count\": [1, 1, 3], \"spacing\": [0, 0, 2]}}]");
  CHECK_INT(remarks.count, 0);
}

TEST(overlaps_at_the_start_are_named) {
  check_one(
      "\"bodies\": [" FLOOR
      ", {\"name\": \"ball\", \"position\": [0, 0, 0.975], \"shapes\": [{\"shape\": \"sphere\", "
      "\"radius\": 1}]}]",
      "bodies[0] (floor): penetrates bodies[1] (ball) by 0.025 m in the initial state, 2.5 % of "
      "the "
      "smaller "
      "half-width");
  // An overlap that rounding explains is none.
  CHECK_INT(inspect("\"bodies\": [" FLOOR
                    ", {\"position\": [0, 0, 0.9999999], \"shapes\": [{\"shape\": \"sphere\", "
                    "\"radius\": 1}]}]")
                .count,
            0);
}

TEST(many_overlaps_are_counted) {
  Remarks remarks =
      inspect("\"bodies\": [" FLOOR
              ", {\"name\": \"b\", \"position\": [0, 0, 0.9], \"shapes\": [{\"shape\": \"sphere\", "
              "\"radius\": 1}], \"repeat\": {\"count\": [8, 1, 1], \"spacing\": [3, 0, 0]}}]");
  CHECK_INT(remarks.count, 6);
  CHECK_STR(remarks.text[0],
            "bodies[0] (floor): penetrates bodies[1] (b[0]) by 0.1 m in the initial "
            "state, 10 % of the smaller half-width");
  CHECK_STR(remarks.text[5], "bodies: 3 more pairs penetrate in the initial state");
}

TEST(a_scene_without_motion_is_remarked) {
  check_one("\"bodies\": [" FLOOR "]",
            "bodies: no body is dynamic: forces and contacts will move nothing");
}

TEST(a_body_without_shapes_is_remarked) {
  check_one("\"bodies\": [" FLOOR ", {\"mass\": 1, \"rotation_locked\": true}]",
            "bodies[1]: has no shapes: nothing can touch it");
}

TEST(no_friction_anywhere_is_remarked) {
  check_one("\"materials\": [{\"name\": \"default\", \"mu\": 0}], \"bodies\": [" FLOOR
            ", {\"position\": [0, 0, 1], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 1}]}]",
            "materials: mu is 0 everywhere: no contact has friction");
}

TEST(unused_materials_are_named) {
  check_one("\"materials\": [{\"name\": \"gold\"}], \"bodies\": [" FLOOR
            ", {\"position\": [0, 0, 1], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 1}]}]",
            "materials[0]: \"gold\" is not used by any shape or pair");
}

TEST(mass_ratios_are_remarked) {
  check_one("\"bodies\": [" FLOOR
            ", {\"name\": \"low\", \"position\": [0, 0, 1], \"mass\": 1, \"shapes\": [{\"shape\": "
            "\"sphere\", \"radius\": 1}]}, {\"name\": \"high\", \"position\": [0, 0, 3], \"mass\": "
            "5000, \"shapes\": "
            "[{\"shape\": \"sphere\", \"radius\": 1}]}]",
            "bodies[2] (high): is 5e+03 times as heavy as bodies[1] (low), which it touches: "
            "expect many iterations");
  check_one("\"bodies\": [" FLOOR
            ", {\"name\": \"low\", \"position\": [0, 0, 1], \"mass\": 1, \"shapes\": [{\"shape\": "
            "\"sphere\", \"radius\": 1}]}, {\"name\": \"high\", \"position\": [9, 0, 3], \"mass\": "
            "5000, \"shapes\": "
            "[{\"shape\": \"sphere\", \"radius\": 1}]}]",
            "bodies[2] (high): is 5e+03 times as heavy as bodies[1] (low): expect many iterations "
            "when they touch");
}

TEST(a_step_that_is_too_large_is_remarked) {
  check_one("\"bodies\": [" FLOOR
            ", {\"name\": \"bullet\", \"position\": [0, 0, 1], \"velocity\": [400, 0, 0], "
            "\"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.004}]}]",
            "bodies[1] (bullet): moves 100 times its half-width in one step of 0.001 s; a step of "
            "5e-06 s would be "
            "safe");
  check_one("\"bodies\": [" FLOOR
            ", {\"name\": \"top\", \"position\": [0, 0, 1], \"angular_velocity\": [0, 0, 1000], "
            "\"shapes\": [{\"shape\": \"sphere\", \"radius\": 1}]}]",
            "bodies[1] (top): turns by 57.3 degrees in one step of 0.001 s; a step of 0.0003 s "
            "would be safe");
}

TEST(coordinates_that_lose_digits_are_remarked) {
  check_one("\"bodies\": [{\"name\": \"far\", \"position\": [1e8, 0, 0], \"shapes\": [{\"shape\": "
            "\"sphere\", \"radius\": "
            "1}]}]",
            "bodies[0] (far): is 1e+08 m away from the origin: positions there are rounded to "
            "2e-08 of its half-width; "
            "move the scene closer");
}
