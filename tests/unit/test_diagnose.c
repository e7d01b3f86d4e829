// How a step was made: reports of islands, whose rows are whose, phases of the time, places in scenes.
#include "test.h"

#include <rigor/rigor.h>
#include <stdio.h>
#include <string.h>

static const char* const SCENE =
    "{ \"rigor\": 1,\n"
    "  \"materials\": [{ \"name\": \"ice\", \"mu\": 0 },\n"
    "                { \"name\": \"default\", \"mu\": 1 }],\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"ground\", \"kind\": \"static\", \"shapes\": [{ \"shape\": \"halfspace\" }] "
    "},\n"
    "    { \"name\": \"box\", \"position\": [0, 0, 0.5], \"repeat\": { \"count\": [2, 1, 1], "
    "\"spacing\": [3, 0, 0] },\n"
    "      \"shapes\": [{ \"shape\": \"box\", \"half\": [0.5, 0.5, 0.5], \"material\": \"ice\" }] "
    "},\n"
    "    { \"name\": \"bob\", \"position\": [0, 9, 4], \"shapes\": [{ \"shape\": \"sphere\", "
    "\"radius\": 1 }] }],\n"
    "  \"forces\": [{ \"kind\": \"spring\", \"body\": \"box\", \"stiffness\": 7, \"damping\": 3 "
    "},\n"
    "             { \"kind\": \"drag\", \"body\": \"bob\", \"drag\": 2 }],\n"
    "  \"joints\": [{ \"kind\": \"distance\", \"a\": \"box[0]\", \"b\": \"box[1]\", \"point\": [0, "
    "0, 0.5],\n"
    "    \"point_b\": [3, 0, 0.5] },\n"
    "    { \"kind\": \"hinge\", \"b\": \"bob\", \"point\": [0, 9, 6], \"axis\": [1, 0, 0] }] }\n";

typedef struct Made {
  rgScene* scene;
  rgWorld* world;
} Made;

static Made make(void) {
  Made made = {0};
  rgMessage message = {""};
  REQUIRE_MSG(rg_scene_parse(SCENE, strlen(SCENE), "s.json", &made.scene, &message) == RG_OK, "%s",
              message.text);
  REQUIRE_INT(rg_scene_build(made.scene, NULL, &made.world, &message), RG_OK);
  return made;
}

static void end(Made* made) {
  rg_world_destroy(made->world);
  rg_scene_free(made->scene);
}

static void check_place(const Made* made, rgSceneList list, int index, const char* path, int line) {
  rgScenePlace place;
  REQUIRE(rg_scene_place(made->scene, list, index, &place));
  CHECK_STR(place.path, path);
  CHECK_STR(place.file, "s.json");
  CHECK_INT(place.line, line);
  CHECK(place.column > 0);
}

TEST(places_lead_back_to_the_file_with_copies_counted) {
  Made made = make();
  check_place(&made, RG_SCENE_BODIES, 0, "bodies[0]", 5);
  check_place(&made, RG_SCENE_BODIES, 1, "bodies[1]", 6);
  check_place(&made, RG_SCENE_BODIES, 2, "bodies[1]", 6);
  check_place(&made, RG_SCENE_BODIES, 3, "bodies[2]", 8);
  check_place(&made, RG_SCENE_FORCES, 1, "forces[0]", 9); // a spring on each copy
  check_place(&made, RG_SCENE_FORCES, 2, "forces[1]", 10);
  check_place(&made, RG_SCENE_JOINTS, 1, "joints[1]", 13);
  check_place(&made, RG_SCENE_MATERIALS, 0, "materials[1]", 3); // "default" is material 0
  check_place(&made, RG_SCENE_MATERIALS, 1, "materials[0]", 2);
  rgScenePlace place;
  const rgSceneList lists[] = {RG_SCENE_BODIES, RG_SCENE_JOINTS, RG_SCENE_FORCES,
                               RG_SCENE_MATERIALS};
  const int counts[] = {4, 2, 3, 2};
  for (int i = 0; i < 4; i++) {
    CHECK(!rg_scene_place(made.scene, lists[i], counts[i], &place));
    CHECK(!rg_scene_place(made.scene, lists[i], -1, &place));
  }
  end(&made);
}

TEST(springs_tell_their_stiffness_and_damping) {
  Made made = make();
  rgForceId ids[3];
  rgForceState state;
  REQUIRE_INT(rg_world_forces(made.world, ids, 3), 3);
  rg_force_state(made.world, ids[0], &state);
  CHECK(state.stiffness == 7 && state.damping == 3);
  rg_force_state(made.world, ids[2], &state);
  CHECK(state.stiffness == 0 && state.damping == 2);
  end(&made);
}

TEST(islands_tell_their_solver_and_rows_their_joint) {
  Made made = make();
  rgSolveReport report;
  CHECK_INT(rg_world_island_report(made.world, 0, &report), RG_ERROR_NOT_FOUND); // before a step
  REQUIRE_INT(rg_world_step(made.world, NULL), RG_OK);
  int count = rg_world_island_count(made.world), rows[2] = {0, 0}, others = 0;
  REQUIRE_INT(count, 2); // the boxes with their rod, and the bob
  for (int i = 0; i < count; i++) {
    rgProblem problem;
    rgCertificate certificate;
    REQUIRE_INT(rg_world_island(made.world, i, &problem, NULL, &certificate), RG_OK);
    REQUIRE_INT(rg_world_island_report(made.world, i, &report), RG_OK);
    CHECK(report.solver && report.solver[0]);
    CHECK(report.certificate.residual == certificate.residual);
    CHECK(!rg_world_island_is_plain(made.world, i));
    for (int row = 0; row < problem.row_count; row++) {
      rgJointId joint = rg_world_row_joint(made.world, i, row);
      if (joint.generation > 0)
        rows[joint.index]++;
      else
        others++;
    }
    CHECK_INT((int)rg_world_row_joint(made.world, i, problem.row_count).generation, 0);
    CHECK_INT((int)rg_world_row_joint(made.world, i, -1).generation, 0);
  }
  CHECK_INT(rows[0], 1); // of the rod
  CHECK_INT(rows[1], 5); // of the hinge
  CHECK(others >= 2);    // of the springs
  CHECK_INT(rg_world_island_report(made.world, count, &report), RG_ERROR_NOT_FOUND);
  CHECK_INT((int)rg_world_row_joint(made.world, count, 0).generation, 0);
  CHECK(!rg_world_island_is_plain(made.world, -1));
  end(&made);
}

static double ticks; // of a clock that goes on by one whenever it is read
static double tick(void) { return ticks++; }

TEST(phases_add_up_to_the_time_of_the_steps) {
  Made made = make(), plain = make();
  ticks = 0;
  rg_world_set_clock(made.world, tick);
  for (int i = 0; i < 20; i++) {
    REQUIRE_INT(rg_world_step(made.world, NULL), RG_OK);
    REQUIRE_INT(rg_world_step(plain.world, NULL), RG_OK);
  }
  double sum = 0;
  for (int i = 0; i < RG_PHASE_COUNT; i++) {
    CHECK(rg_world_phase_time(made.world, (rgPhase)i) > 0);
    CHECK(rg_phase_name((rgPhase)i) && rg_phase_summary((rgPhase)i));
    CHECK(rg_world_phase_time(plain.world, (rgPhase)i) == 0);
    sum += rg_world_phase_time(made.world, (rgPhase)i);
  }
  CHECK(rg_phase_name(RG_PHASE_COUNT) == NULL);
  // Every tick is in a phase, but for those between the last reading of a step and the first of the next.
  CHECK_NEAR(sum, ticks - 20, 0);
  CHECK(rg_world_hash(made.world) == rg_world_hash(plain.world)); // a clock changes nothing
  rg_world_set_clock(made.world, NULL);
  REQUIRE_INT(rg_world_step(made.world, NULL), RG_OK);
  CHECK(rg_world_phase_time(made.world, RG_PHASE_SOLVE) == 0);
  end(&made);
  end(&plain);
}
