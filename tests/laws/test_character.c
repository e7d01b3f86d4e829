// Characters: figures that follow their movement by muscles, react when they are hit, and stand on
// their feet.
#include "support/builder.h"
#include "test.h"

#include <rigor/character.h>

enum { LINKS_MAX = 64 };
enum { FLOOR = 1, FIGURE = 4 };

typedef struct Stage {
  rgFigure* figure;
  rgWorld* world;
  rgCharacter* character;
} Stage;

static rgFigure* read_figure(const char* path, double scale) {
  rgClip* clip;
  rgFigure* figure;
  rgMessage message = {""};
  rgStatus status = rg_clip_read(path, &clip, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rgFigureDef def = rg_figure_def();
  def.scale = scale;
  status = rg_figure_create(clip, &def, &figure, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rg_clip_free(clip);
  return figure;
}

static rgFigure* own_figure(void) { return read_figure(test_scene("experiments/figure.bvh"), 1); }

static Stage set_stage(rgFigure* figure, const rgCharacterDef* def, double h, double theta) {
  Stage stage = {.figure = figure, .world = build_world("default")};
  build_set_step(stage.world, h, theta);
  rgCharacterDef own = *def;
  own.from = rg_figure_start(figure);
  own.group = FIGURE;
  own.mask = def->root == RG_ROOT_FREE ? FLOOR : 0;
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId id;
  body.kind = RG_BODY_STATIC;
  body.pose.position.z = rg_figure_floor(figure);
  REQUIRE_INT(rg_world_add_body(stage.world, &body, &shape, 1, &id), RG_OK);
  rgStatus status = rg_character_create(stage.world, figure, &own, &stage.character);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(stage.world));
  return stage;
}

static void clear_stage(Stage* stage) {
  rg_character_destroy(stage->character);
  rg_world_destroy(stage->world);
  rg_figure_destroy(stage->figure);
}

// One step; whether it was met.
static bool play_step(Stage* stage) {
  rgCertificate certificate;
  REQUIRE_INT(rg_character_drive(stage->character), RG_OK);
  rgStatus status = rg_world_step(stage->world, &certificate);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(stage->world));
  return certificate.met;
}

// The largest deviation over a time.
static double play(Stage* stage, double time) {
  double largest = 0, end = rg_world_time(stage->world) + time;
  while (rg_world_time(stage->world) < end) {
    CHECK(play_step(stage));
    largest = fmax(largest, rg_character_deviation(stage->character, -1));
  }
  return largest;
}

// What the recorded movement differs from one of the stepper is of first order in h at theta = 1, and of
// second at theta = 1/2.
TEST(a_character_follows_its_movement_and_better_with_shorter_steps) {
  for (int way = 0; way < 2; way++) {
    double theta = way ? 0.5 : 1, deviation[3];
    for (int i = 0; i < 3; i++) {
      rgCharacterDef def = rg_character_def();
      Stage stage = set_stage(own_figure(), &def, 1.0 / (120 << i), theta);
      deviation[i] = play(&stage, 1);
      clear_stage(&stage);
    }
    CONTEXT("theta %g: %g, %g, %g m", theta, deviation[0], deviation[1], deviation[2]);
    CHECK(deviation[0] < 2e-3);
    double gained = way ? 0.3 : 0.55;
    CHECK(deviation[1] < gained * deviation[0]);
    CHECK(deviation[2] < gained * deviation[1]);
  }
}

// Muscles are torques between two links: a figure that floats without gravity keeps its momenta, which
// are those of its first frame, whatever it does.
TEST(muscles_give_a_free_figure_no_momentum) {
  rgFigure* figure = own_figure();
  rgCharacterDef def = rg_character_def();
  def.root = RG_ROOT_FREE;
  Stage stage = set_stage(figure, &def, 1.0 / 240, 0.5);
  rgOptions options = *rg_world_options(stage.world);
  options.gravity = v3(0, 0, 0);
  options.tolerance = 1e-11;
  REQUIRE_INT(rg_world_set_options(stage.world, &options), RG_OK);
  for (int i = 0; i < rg_figure_link_count(figure); i++) { // off the floor
    rgBodyId id = rg_character_body(stage.character, i);
    rgPose pose = rg_body_pose(stage.world, id);
    pose.position.z += 1;
    REQUIRE_INT(rg_body_set_pose(stage.world, id, pose), RG_OK);
  }
  play_step(&stage); // velocities suit the joints from here on
  rgTwist before = rg_world_momentum(stage.world);
  for (int i = 0; i < 100; i++)
    play_step(&stage);
  rgTwist after = rg_world_momentum(stage.world);
  CHECK_NEAR(distance(before.linear, after.linear), 0, 1e-8);
  CHECK_NEAR(distance(before.angular, after.angular), 0, 1e-8);
  clear_stage(&stage);
}

// A push of 1 N s across the forearm, in several directions: it reacts, and is back in a second.
TEST(a_figure_that_is_hit_deviates_and_returns) {
  for (int way = 0; way < 6; way++) {
    rgCharacterDef def = rg_character_def();
    Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
    int link = rg_figure_find_link(stage.figure, way % 2 ? "LeftForeArm" : "RightForeArm");
    rgBodyId arm = rg_character_body(stage.character, link);
    double before = play(&stage, 0.6);
    double angle = 2 * way;
    rgVec3 push = v3(cos(angle), sin(angle), 0);
    REQUIRE_INT(rg_body_apply_impulse(stage.world, arm, push, rg_body_center(stage.world, arm)),
                RG_OK);
    double peak = play(&stage, 1.2), after = play(&stage, 0.5);
    CONTEXT("direction %g: before %g, peak %g, after %g m", angle, before, peak, after);
    CHECK(before < 1e-3);
    CHECK(peak > 0.02 && peak < 0.3);
    CHECK(after < 0.05 * peak);
    clear_stage(&stage);
  }
}

// Feedback that an explicit step cannot take: the implicit one is stable at any gain.
TEST(stiff_feedback_is_stable_in_the_implicit_step_only) {
  for (int way = 0; way < 2; way++) {
    rgCharacterDef def = rg_character_def();
    def.gain = 1000;
    def.damping = 100;
    def.explicit_feedback = way == 1;
    Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
    double largest = 0;
    for (int i = 0; i < 60 && largest < 1; i++) {
      REQUIRE_INT(rg_character_drive(stage.character), RG_OK);
      if (rg_world_step(stage.world, NULL) != RG_OK)
        largest = HUGE_VAL;
      else
        largest = fmax(largest, rg_character_deviation(stage.character, -1));
    }
    CHECK_MSG(way ? largest > 1 : largest < 1e-3, "deviation %g m", largest);
    clear_stage(&stage);
  }
}

// The explicit torque is the same law: with feedback that is soft enough, both ways agree.
TEST(soft_feedback_is_the_same_in_both_steps) {
  double deviation[2];
  for (int way = 0; way < 2; way++) {
    rgCharacterDef def = rg_character_def();
    def.gain = 0.1;
    def.damping = 0.001;
    def.explicit_feedback = way == 1;
    Stage stage = set_stage(own_figure(), &def, 2e-4, 1);
    rgBodyId arm = rg_character_body(stage.character, 12);
    REQUIRE_INT(
        rg_body_apply_impulse(stage.world, arm, v3(0.1, 0, 0), rg_body_center(stage.world, arm)),
        RG_OK);
    play(&stage, 0.2);
    deviation[way] = rg_character_deviation(stage.character, -1);
    clear_stage(&stage);
  }
  CHECK_REL(deviation[0], deviation[1], 1e-3); // of first order in h
}

TEST(a_figure_stands_on_its_own_feet) {
  rgCharacterDef def = rg_character_def();
  def.root = RG_ROOT_FREE;
  Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
  play(&stage, test_fast() ? 0.3 : 3.5);
  CHECK(rg_character_deviation(stage.character, 0) < 0.05); // the root is where it was recorded
  CHECK(rg_world_contact_count(stage.world) > 0);
  clear_stage(&stage);
}

// The pitch: both feet, then one, on the floor for two seconds. A figure that fell would have its root
// lower by its height.
TEST(a_recorded_pitcher_is_tracked_on_his_own_feet_for_two_seconds) {
  rgCharacterDef def = rg_character_def();
  def.root = RG_ROOT_FREE;
  Stage stage =
      set_stage(read_figure(test_shared("data/mocap/124_01.bvh"), 0.056444), &def, 1.0 / 240, 1);
  double largest = play(&stage, test_fast() ? 0.3 : 2);
  CHECK_MSG(largest < 0.15, "deviation %g m", largest);
  CHECK(rg_character_deviation(stage.character, 0) < 0.1);
  clear_stage(&stage);
}

TEST(the_recorded_figure_stands_beside_the_simulated_one) {
  rgCharacterDef def = rg_character_def();
  Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
  int links = rg_figure_link_count(stage.figure), bodies = rg_world_body_count(stage.world);
  REQUIRE_INT(rg_character_add_ghost(stage.character, v3(0, -2, 0), "recorded "), RG_OK);
  CHECK_INT(rg_world_body_count(stage.world), bodies + links);
  CHECK_INT(rg_character_add_ghost(stage.character, v3(0, 2, 0), "again "), RG_ERROR_INPUT);
  play(&stage, 0.5);
  rgBodyMotion motion[LINKS_MAX];
  rg_figure_motion(stage.figure, rg_character_time(stage.character), motion);
  rgBodyId id = rg_world_find_body(stage.world, "recorded RightHand");
  rgVec3 there = rg_body_pose(stage.world, id).position;
  int hand = rg_figure_find_link(stage.figure, "RightHand");
  CHECK_NEAR(distance(there, v3_add(motion[hand].pose.position, v3(0, -2, 0))), 0, 1e-9);
  clear_stage(&stage);
}

TEST(bodies_of_a_character_that_is_gone_move_on_by_themselves) {
  rgCharacterDef def = rg_character_def();
  Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
  REQUIRE_INT(rg_character_add_ghost(stage.character, v3(0, -2, 0), "recorded "), RG_OK);
  play(&stage, 0.1);
  rgBodyId root = rg_character_body(stage.character, 0);
  rg_character_destroy(stage.character);
  stage.character = NULL;
  rgTwist velocity = rg_body_velocity(stage.world, root);
  for (int i = 0; i < 10; i++)
    REQUIRE_INT(rg_world_step(stage.world, NULL), RG_OK);
  CHECK_NEAR(distance(rg_body_velocity(stage.world, root).linear, velocity.linear), 0, 0);
  clear_stage(&stage);
}

TEST(characters_that_make_no_sense_are_refused) {
  rgFigure* figure = own_figure();
  rgWorld* world = build_world("default");
  static const struct {
    double gain, floor, share, from;
    int root;
    const char* message;
  } bad[] = {
      {-1, 2, 0, 0, 0, "gain is -1"},         {10, 0, 0, 0, 0, "floor is 0, must be > 0"},
      {10, 2, -1, 0, 0, "share is -1"},       {10, 2, 0, 99, 0, "from is 99, must be below"},
      {10, 2, 0, 0, 7, "root is 7, must be"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    rgCharacterDef def = rg_character_def();
    def.gain = bad[i].gain;
    def.floor = bad[i].floor;
    def.share = bad[i].share;
    def.from = bad[i].from;
    def.root = (rgCharacterRoot)bad[i].root;
    rgCharacter* character;
    CHECK_INT(rg_character_create(world, figure, &def, &character), RG_ERROR_INPUT);
    CHECK_CONTAINS(rg_world_message(world), bad[i].message);
    CHECK(character == NULL);
  }
  rg_world_destroy(world);
  rg_figure_destroy(figure);
}

TEST(a_character_moves_the_same_bits_with_any_number_of_threads) {
  uint64_t hash[2];
  for (int way = 0; way < 2; way++) {
    rgCharacterDef def = rg_character_def();
    def.root = RG_ROOT_FREE;
    Stage stage = set_stage(own_figure(), &def, 1.0 / 240, 1);
    rgOptions options = *rg_world_options(stage.world);
    options.threads = way ? 3 : 1;
    REQUIRE_INT(rg_world_set_options(stage.world, &options), RG_OK);
    for (int i = 0; i < 30; i++)
      play_step(&stage);
    hash[way] = rg_world_hash(stage.world);
    clear_stage(&stage);
  }
  CHECK_HEX(hash[0], hash[1]);
}
