// What is suspicious about a scene: each remark, and silence where there is nothing to say.
#include "test.h"

#include "support/random.h"
#include <rigor/rigor.h>
#include <rigor/scene.h>

#include <math.h>

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
            "bodies[1] (top): turns by up to 57.3 degrees in one step of 0.001 s and lags by 7.3 % "
            "of that; in steps of 0.00024 s it would lag by less than 0.52 %");
}

// --- spin ---------------------------------------------------------------------------------------

// A box alone with a spin, in the given axes, as a scene.
static void write_spinner(char* text, size_t size, rgVec3 half, rgVec3 spin, rgQuat q,
                          const char* rest) {
  rgVec3 w = quat_rotate_exactly(q, spin);
  snprintf(text, size,
           "\"bodies\": [{\"name\": \"top\", \"orientation\": [%.17g, %.17g, %.17g, %.17g], "
           "\"angular_velocity\": [%.17g, %.17g, %.17g], \"shapes\": [{\"shape\": \"box\", "
           "\"half\": [%.17g, %.17g, %.17g]}]}]%s",
           q.w, q.x, q.y, q.z, w.x, w.y, w.z, half.x, half.y, half.z, rest);
}

// The scene with a step, as a world without gravity; theta = 1 unless the rest says otherwise.
static rgWorld* make_spinner(const char* rest, double step) {
  char text[4096];
  snprintf(
      text, sizeof text,
      "{\"rigor\": 1, \"time\": 5, \"options\": {\"gravity\": [0, 0, 0], \"step\": %.17g}, %s}",
      step, rest);
  rgScene* scene;
  rgWorld* world;
  rgMessage message = {""};
  REQUIRE_MSG(rg_scene_parse(text, strlen(text), "s.json", &scene, &message) == RG_OK, "%s",
              message.text);
  REQUIRE_MSG(rg_scene_build(scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  rg_scene_free(scene);
  return world;
}

// [rad] the angle through which one step turns the body.
static double step_turn(rgWorld* world) {
  rgBodyId id = rg_world_body(world, 0);
  rgQuat before = rg_body_pose(world, id).orientation;
  REQUIRE(rg_world_step(world, NULL) == RG_OK);
  rgQuat turn = quat_mul(rg_body_pose(world, id).orientation, quat_conj(before));
  return 2 * atan2(sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), fabs(turn.w));
}

typedef struct Advice {
  double degrees, lag, step, less; // [deg], [%], [s], [%]
} Advice;

static bool read_advice(const char* scene, Advice* advice) {
  Remarks remarks = inspect(scene);
  double h;
  for (int i = 0; i < remarks.count; i++)
    if (sscanf(
            remarks.text[i],
            "bodies[0] (top): turns by up to %lf degrees in one step of %lf s and lags by %lf %% "
            "of that; in steps of %lf s it would lag by less than %lf %%",
            &advice->degrees, &h, &advice->lag, &advice->step, &advice->less) == 5)
      return true;
  return false;
}

// About a principal axis, in flight, at theta = 1: the spin lags as the remark says, less than it
// says in the steps of the advice, and loses nothing; about the long axis too, for 2,000 steps.
TEST(the_advice_on_a_spin_holds) {
  random_state = 5;
  for (int k = 0; k < 30; k++) {
    rgVec3 half = v3(random_between(0.02, 0.1), random_between(0.1, 0.2), random_between(0.3, 1));
    double rate = random_between(600, 3000);               // [rad/s]; steps are of 1 ms
    rgVec3 spin = k % 2 ? v3(rate, 0, 0) : v3(0, 0, rate); // the stable axes
    char scene[2048];
    write_spinner(scene, sizeof scene, half, spin, random_rotation(), "");
    CONTEXT("%s", scene);
    Advice advice;
    REQUIRE(read_advice(scene, &advice));
    CHECK_NEAR(advice.degrees, rate * 1e-3 * 180 / 3.14159265358979, 0.005 * advice.degrees);
    rgWorld* world = make_spinner(scene, 1e-3);
    CHECK_NEAR(100 * (1 - step_turn(world) / (rate * 1e-3)), advice.lag, 0.05 * advice.lag);
    rg_world_destroy(world);
    world = make_spinner(scene, advice.step);
    double lag = 100 * (1 - step_turn(world) / (rate * advice.step));
    CHECK_MSG(lag > 0 && lag < advice.less, "lags by %g %%", lag);
    double start = rg_world_energy(world).kinetic;
    for (int i = 0; i < 2000; i++)
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
    CHECK_NEAR(rg_world_energy(world).kinetic, start, 1e-10 * start); // rounding of 2,000 steps
    rg_world_destroy(world);
  }
}

// A body that tumbles turns faster at times than at the start: no step turns it by more than was
// said, but for the lag, and some step by nearly as much.
TEST(the_fastest_turn_of_a_tumbling_body_is_foreseen) {
  random_state = 6;
  int seen = 0;
  for (int k = 0; k < 30; k++) {
    rgVec3 half =
        v3(random_between(0.02, 0.3), random_between(0.02, 0.3), random_between(0.3, 0.5));
    rgVec3 spin = v3_scale(random_direction(), random_between(200, 1000));
    char scene[2048];
    write_spinner(scene, sizeof scene, half, spin, random_rotation(), "");
    CONTEXT("%s", scene);
    Advice advice;
    if (!read_advice(scene, &advice))
      continue;
    seen++;
    rgWorld* world = make_spinner(scene, 1e-5); // a hundredth: it lags by nothing to speak of
    double largest = 0;
    for (int i = 0; i < 20000; i++)
      largest = fmax(largest, step_turn(world));
    rg_world_destroy(world);
    CHECK_NEAR(100 * largest * 180 / 3.14159265358979, advice.degrees, 0.01 * advice.degrees);
  }
  CHECK(seen >= 10);
}

// [1/s] growth of the part of the spin across the long axis, over a time in which it stays small.
static double measured_growth(const char* scene, double step, double time) {
  rgWorld* world = make_spinner(scene, step);
  rgBodyId id = rg_world_body(world, 0);
  double across[2];
  for (int k = 0; k < 2; k++) {
    rgVec3 w = quat_unrotate_exactly(rg_body_pose(world, id).orientation,
                                     rg_body_velocity(world, id).angular);
    // Not changed by a wobble without loss, whatever its ellipse.
    rgMat3 j = rg_body_mass(world, id).inertia;
    across[k] = sqrt(j.m[0][0] * (j.m[0][0] - j.m[2][2]) * w.x * w.x +
                     j.m[1][1] * (j.m[1][1] - j.m[2][2]) * w.y * w.y);
    for (int i = 0; i * step < time && k == 0; i++)
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
  }
  rg_world_destroy(world);
  return log(across[1] / across[0]) / time;
}

// Rods and planks on a ball joint, or near the ground, that spin about their long axis wobble as fast
// as was said at theta = 1; at theta = 1/2 there is no remark and no growth, and in flight neither.
TEST(damped_spins_are_remarked) {
  static const char* const rests[] = {
      ", \"joints\": [{\"kind\": \"ball\", \"b\": \"top\", \"point\": [0, 0, 0]}]",
      ", {\"kind\": \"static\", \"position\": [0, 0, -0.503], \"shapes\": [{\"shape\": "
      "\"halfspace\"}]}]",
      ""};
  random_state = 8;
  for (int k = 0; k < 30; k++) {
    rgVec3 half = v3(random_between(0.02, 0.2), random_between(0.02, 0.2), 0.5);
    double rate = random_between(60, 150);
    char scene[2048], timed[2200];
    rgQuat q = k % 3 == 1 ? (rgQuat){1, 0, 0, 0} : random_rotation();
    write_spinner(scene, sizeof scene, half, v3(1e-6 * rate, 0, rate), q,
                  k % 3 == 1 ? "" : rests[k % 3]);
    if (k % 3 == 1)
      snprintf(strrchr(scene, ']'), 512, "%s", rests[1]);
    CONTEXT("%s", scene);
    snprintf(timed, sizeof timed, "\"time\": 5, %s", scene);
    Remarks remarks = inspect(timed);
    const char* at = remarks.count == 1 ? strstr(remarks.text[0], "factor e in ") : NULL;
    CHECK_INT(at != NULL, k % 3 < 2);
    double growth = at ? 1 / strtod(at + strlen("factor e in "), NULL) : 0;
    // Two digits are printed, and the growth is that of the limit of small steps; the mean over
    // part of a wobble differs from that over the whole by a part of it.
    CHECK_NEAR(measured_growth(scene, 1e-3, 4), growth, 0.1 * growth + 1e-3);
  }
}

TEST(coordinates_that_lose_digits_are_remarked) {
  check_one("\"bodies\": [{\"name\": \"far\", \"position\": [1e8, 0, 0], \"shapes\": [{\"shape\": "
            "\"sphere\", \"radius\": "
            "1}]}]",
            "bodies[0] (far): is 1e+08 m away from the origin: positions there are rounded to "
            "2e-08 of its half-width; "
            "move the scene closer");
}

// A chain of links of which any may be massless, on a hook or free: those that end it are held by nothing, and so
// are those that hang on these alone.
TEST(massless_bodies_that_nothing_holds_are_remarked) {
  enum { LINKS = 4 };
  for (int kinds = 0; kinds < 1 << LINKS; kinds++)
    for (int hooked = 0; hooked < 2; hooked++) {
      char scene[2048], *at = scene + sprintf(scene, "\"bodies\": [");
      for (int i = 0; i < LINKS; i++)
        at += sprintf(at,
                      "%s{\"name\": \"l%d\", \"position\": [%d, 0, 0], \"mass\": 1, \"inertia\": "
                      "[1, 1, 1]%s}",
                      i > 0 ? ", " : "", i, i,
                      kinds >> i & 1 ? ", \"massless\": true"
                                     : ", \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]");
      at += sprintf(at, "], \"joints\": [");
      for (int i = hooked ? 0 : 1; i < LINKS; i++) {
        at += sprintf(at, "{\"kind\": \"ball\", \"b\": \"l%d\", \"point\": [%g, 0, 0]", i, i - 0.5);
        at += i > 0 ? sprintf(at, ", \"a\": \"l%d\"}%s", i - 1, i + 1 < LINKS ? ", " : "]")
                    : sprintf(at, "}, ");
      }
      CONTEXT("%s", scene);
      int first = LINKS, last = LINKS - 1, count = 0;
      while (last >= 0 && kinds >> last & 1)
        first = last--, count++;
      for (int i = 0; !hooked && i <= last && kinds >> i & 1; i++)
        first = 0, count++;
      Remarks remarks = inspect(scene);
      char expected[64];
      snprintf(expected, sizeof expected,
               "bodies[%d] (l%d): has no mass and is not between joints%s:", first, first,
               count > 1 ? ", as others" : "");
      int told = 0, right = 0;
      for (int i = 0; i < remarks.count && i < 8; i++) {
        told += strstr(remarks.text[i], "not between joints") != NULL;
        right += strncmp(remarks.text[i], expected, strlen(expected)) == 0;
      }
      CHECK_INT(told, count > 0);
      CHECK_INT(right, count > 0);
    }
}
