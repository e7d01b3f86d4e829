// Figures: which joints of a clip become links, masses, filtered movements and their derivatives, and
// the torques of recorded clips against values that were computed elsewhere.
#include "articulated/figure.h"
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <rigor/character.h>

enum { LINKS_MAX = 64 };

static rgClip* parse(const char* text) {
  rgClip* clip;
  rgMessage message = {""};
  rgStatus status = rg_clip_parse(text, strlen(text), "made.bvh", &clip, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return clip;
}

static rgFigure* make(const rgClip* clip, const rgFigureDef* def) {
  rgFigure* figure;
  rgMessage message = {""};
  rgStatus status = rg_figure_create(clip, def, &figure, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return figure;
}

static rgFigure* own_figure(double cutoff) {
  rgClip* clip;
  rgMessage message = {""};
  rgStatus status = rg_clip_read(test_scene("experiments/figure.bvh"), &clip, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rgFigureDef def = rg_figure_def();
  def.scale = 1;
  def.cutoff = cutoff;
  rgFigure* figure = make(clip, &def);
  rg_clip_free(clip);
  return figure;
}

// --- links -----------------------------------------------------------------------------------------

// A trunk with a joint that never moves, a hand without bones of its own, and a leaf without length.
static const char odd[] =
    "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Yrotation Xrotation\n"
    "JOINT Still { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "JOINT Arm { OFFSET 0.2 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "JOINT Hand { OFFSET 0.3 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "JOINT Finger { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "End Site { OFFSET 0.1 0 0 } }\n"
    "JOINT Thumb { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation\n"
    "End Site { OFFSET 0.05 0 0.05 } }\n"
    "} } }\n"
    "JOINT Stub { OFFSET 0 0.4 0 CHANNELS 3 Zrotation Yrotation Xrotation }\n"
    "}\nMOTION\nFrames: 5\nFrame Time: 0.01\n"
    //     Hips        Still  Arm     Hand    Finger  Thumb   Stub
    "0 1 0 0 0 0  5 0 0  1 0 0  0 0 9  3 0 0  0 7 0  1 1 1\n"
    "0 1 0 1 0 0  5 0 0  2 0 0  0 0 8  4 0 0  0 8 0  1 2 1\n"
    "0 1 0 2 0 0  5 0 0  3 0 0  0 0 7  5 0 0  0 9 0  1 3 1\n"
    "0 1 0 3 0 0  5 0 0  4 0 0  0 0 6  6 0 0  0 8 0  1 4 1\n"
    "0 1 0 4 0 0  5 0 0  5 0 0  0 0 5  7 0 0  0 7 0  1 5 1\n";

TEST(joints_that_are_none_are_welded) {
  rgClip* clip = parse(odd);
  rgFigureDef def = rg_figure_def();
  def.scale = 1;
  def.cutoff = 0;
  rgFigure* figure = make(clip, &def);
  // Still is welded to Hips; Hand, Finger and Thumb are one; Stub has no bone and belongs to Hips.
  REQUIRE_INT(rg_figure_link_count(figure), 3);
  static const char* const names[] = {"Hips", "Arm", "Hand"};
  static const int shapes[] = {2, 1, 2}, parents[] = {-1, 0, 1};
  for (int i = 0; i < 3; i++) {
    rgFigureLink link;
    REQUIRE_INT(rg_figure_link(figure, i, &link), RG_OK);
    CHECK_STR(link.name, names[i]);
    CHECK_INT(link.parent, parents[i]);
    CHECK_INT(link.shape_count, shapes[i]);
    CHECK(link.mass > 0);
    CHECK_INT(rg_figure_find_link(figure, names[i]), i);
  }
  rgFigureLink none;
  CHECK_INT(rg_figure_link(figure, 3, &none), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_figure_find_link(figure, "Still"), -1);
  rg_figure_destroy(figure);
  rg_clip_free(clip);
}

// Without a filter the links are where the joints of the clip are, in every frame: forward kinematics of
// the clip, done here with matrices of Euler angles.
static rgMat3 axis_turn(int axis, double degrees) {
  double c = cos(degrees * RG_PI / 180), s = sin(degrees * RG_PI / 180);
  rgMat3 m = m3_identity();
  int i = (axis + 1) % 3, k = (axis + 2) % 3;
  m.m[i][i] = m.m[k][k] = c;
  m.m[i][k] = -s;
  m.m[k][i] = s;
  return m;
}

static rgVec3 joint_place(const rgClip* clip, int joint, int frame, rgMat3* turn) {
  const rgClipJoint* it = &clip->joints[joint];
  const double* v = clip->values + frame * clip->channel_count + it->channel_start;
  rgVec3 place = it->offset;
  *turn = m3_identity();
  rgMat3 own = m3_identity();
  double root[3] = {0, 0, 0};
  for (int i = 0; i < it->channel_count; i++) {
    if (it->channels[i] < RG_CHANNEL_X_ROTATION) {
      root[it->channels[i]] = v[i];
      continue;
    }
    rgMat3 next = axis_turn((int)it->channels[i] - RG_CHANNEL_X_ROTATION, v[i]);
    own = m3_mul(&own, &next);
  }
  if (it->parent < 0) {
    *turn = own;
    return v3_add(place, v3(root[0], root[1], root[2]));
  }
  rgMat3 above;
  rgVec3 from = joint_place(clip, it->parent, frame, &above);
  *turn = m3_mul(&above, &own);
  return v3_add(from, m3_apply(&above, place));
}

TEST(links_are_where_the_joints_of_the_clip_are) {
  rgClip* clip = parse(odd);
  rgFigureDef def = rg_figure_def();
  def.scale = 0.5;
  def.cutoff = 0;
  rgFigure* figure = make(clip, &def);
  static const int joints[] = {0, 2, 3};
  for (int frame = 0; frame < 5; frame++) {
    rgBodyMotion motion[LINKS_MAX];
    rg_figure_motion(figure, 0.01 * frame, motion);
    for (int i = 0; i < 3; i++) {
      rgMat3 turn;
      rgVec3 p = v3_scale(joint_place(clip, joints[i], frame, &turn), 0.5);
      rgVec3 up = v3(p.x, -p.z, p.y); // y of the clip is z of the world
      CHECK_NEAR(distance(motion[i].pose.position, up), 0, 1e-12);
    }
  }
  rg_figure_destroy(figure);
  rg_clip_free(clip);
}

// --- masses ----------------------------------------------------------------------------------------

TEST(a_whole_figure_has_the_whole_mass_and_its_limbs_their_fractions) {
  rgFigure* figure = own_figure(12);
  double total = 0, thigh = 0;
  for (int i = 0; i < rg_figure_link_count(figure); i++) {
    rgFigureLink link;
    rg_figure_link(figure, i, &link);
    total += link.mass;
    thigh = strcmp(link.name, "LeftUpLeg") == 0 ? link.mass : thigh;
  }
  CHECK_REL(total, rg_figure_mass(figure), 1e-12); // Winter's fractions add up to 1
  CHECK_REL(thigh, 0.1 * rg_figure_mass(figure), 1e-12);
  double height = rg_figure_height(figure);
  CHECK(height > 1.6 && height < 1.85);
  CHECK_REL(rg_figure_mass(figure), 24.3 * height * height, 1e-12);
  rg_figure_destroy(figure);
}

TEST(polyhedra_of_water_weigh_as_much_as_their_volume) {
  rgClip* clip = parse(odd);
  rgFigureDef def = rg_figure_def();
  def.scale = 1;
  def.masses = RG_MASSES_WATER;
  rgFigure* figure = make(clip, &def);
  for (int i = 0; i < rg_figure_link_count(figure); i++) {
    rgFigureLink link;
    rg_figure_link(figure, i, &link);
    double volume = 0;
    for (int k = 0; k < link.shape_count; k++) {
      rgShapeDef shape;
      REQUIRE_INT(rg_figure_shape(figure, i, k, &shape), RG_OK);
      CHECK_INT(shape.kind, RG_SHAPE_BOX);
      volume += 8 * shape.half.x * shape.half.y * shape.half.z;
    }
    CHECK_REL(link.mass, 1000 * volume, 1e-12);
  }
  rg_figure_destroy(figure);
  rg_clip_free(clip);
}

// Figures of any size and mass are bodies that can be: principal moments keep the triangle rule.
TEST(figures_of_any_scale_and_mass_are_possible_bodies) {
  for (int way = 0; way < 12; way++) {
    rgClip* clip;
    rgMessage message = {""};
    REQUIRE_INT(rg_clip_read(test_scene("experiments/figure.bvh"), &clip, &message), RG_OK);
    rgFigureDef def = rg_figure_def();
    static const double scales[] = {0.001, 0.05, 1, 100}, masses[] = {0, 1, 1000};
    def.scale = scales[way % 4];
    def.mass = masses[way / 4];
    CONTEXT("scale %g, mass %g", def.scale, def.mass);
    rgFigure* figure = make(clip, &def);
    rgWorld* world = build_world("default");
    rgCharacterDef character_def = rg_character_def();
    rgCharacter* character;
    rgStatus status = rg_character_create(world, figure, &character_def, &character);
    CHECK_MSG(status == RG_OK, "%s", rg_world_message(world));
    rg_character_destroy(character);
    rg_world_destroy(world);
    rg_figure_destroy(figure);
    rg_clip_free(clip);
  }
}

// --- filter and derivatives --------------------------------------------------------------------------

// The gain of two passes is 1 / (1 + (tan(pi f / r) / tan(pi fc / r))^4) at the rate r: measured on
// sines, away from the ends.
TEST(the_filter_passes_low_and_stops_high_frequencies_without_delay) {
  enum { COUNT = 1200, PAD = 400 };
  static double values[COUNT], work[3 * (COUNT + 2 * PAD)];
  const double rate = 120, cutoff = 12;
  CHECK(rg_filter_pad(COUNT, cutoff, rate) <= PAD);
  for (double f = 1; f < 60; f += 4) {
    double gain = pow(tan(RG_PI * f / rate) / tan(RG_PI * cutoff / rate), 4), s = 0, c = 0;
    gain = 1 / (1 + gain);
    for (int i = 0; i < COUNT; i++)
      values[i] = sin(2 * RG_PI * f * i / rate);
    rg_filter_smooth(values, COUNT, cutoff, rate, work);
    for (int i = 360; i < 840; i++) { // whole periods of whole frequencies
      s += values[i] * sin(2 * RG_PI * f * i / rate) / 240;
      c += values[i] * cos(2 * RG_PI * f * i / rate) / 240;
    }
    CHECK_NEAR(s, gain, 1e-6);
    CHECK_NEAR(c, 0, 1e-6);
  }
  for (int i = 0; i < COUNT; i++)
    values[i] = 3 + 0.1 * i; // lines pass, ends included
  rg_filter_smooth(values, COUNT, cutoff, rate, work);
  for (int i = 0; i < COUNT; i++)
    CHECK_NEAR(values[i], 3 + 0.1 * i, 1e-9);
}

// Velocities and accelerations of all links are the derivatives of their poses.
TEST(velocities_and_accelerations_are_derivatives) {
  rgFigure* figure = own_figure(12);
  int links = rg_figure_link_count(figure);
  const double d = 1e-5;
  for (int k = 0; k < 20; k++) {
    rgBodyMotion before[LINKS_MAX], now[LINKS_MAX], after[LINKS_MAX];
    double t = 0.1 + 3.7 * k / 20.0 + 0.003;
    rg_figure_motion(figure, t - d, before);
    rg_figure_motion(figure, t, now);
    rg_figure_motion(figure, t + d, after);
    for (int i = 0; i < links; i++) {
      rgVec3 center = figure->links[i].center;
      rgVec3 moved = v3_sub(pose_apply(after[i].pose, center), pose_apply(before[i].pose, center));
      // Differences of second order; 1e-16 / d of rounding.
      CHECK_NEAR(distance(v3_scale(moved, 0.5 / d), now[i].velocity.linear), 0, 1e-7);
      rgVec3 faster = v3_sub(after[i].velocity.linear, before[i].velocity.linear);
      CHECK_NEAR(distance(v3_scale(faster, 0.5 / d), now[i].acceleration.linear), 0, 1e-4);
      rgQuat turn = quat_mul(after[i].pose.orientation, quat_conj(before[i].pose.orientation));
      rgVec3 w = v3_scale(v3(turn.x, turn.y, turn.z), (turn.w < 0 ? -2 : 2) * 0.5 / d);
      CHECK_NEAR(distance(w, now[i].velocity.angular), 0, 1e-6);
      rgVec3 spin = v3_sub(after[i].velocity.angular, before[i].velocity.angular);
      CHECK_NEAR(distance(v3_scale(spin, 0.5 / d), now[i].acceleration.angular), 0, 1e-3);
    }
  }
  rg_figure_destroy(figure);
}

TEST(a_first_frame_that_stands_apart_is_left_out) {
  rgClip* clip;
  rgMessage message = {""};
  REQUIRE_INT(rg_clip_read(test_shared("data/mocap/124_01.bvh"), &clip, &message), RG_OK);
  rgFigureDef def = rg_figure_def();
  rgFigure* figure = make(clip, &def);
  CHECK_NEAR(rg_figure_start(figure), clip->frame_time, 1e-12);
  CHECK_INT(rg_figure_link_count(figure), 21); // 20 joints of 31
  rg_figure_destroy(figure);
  rg_clip_free(clip);
}

// --- torques of recorded clips ------------------------------------------------------------------------

typedef struct Known {
  const char *clip, *link;
  double torque; // [N m] that |torque| is below in 95 % of the frames
} Known;

// Computed by another program with Winter's masses and the same filter, root on its path.
static const Known known[] = {
    {"124_01", "LowerBack", 71}, {"124_01", "Neck", 9.1},      {"124_01", "RightUpLeg", 32},
    {"124_01", "RightLeg", 16},  {"124_01", "RightArm", 16},   {"124_01", "RightForeArm", 4.8},
    {"143_22", "LowerBack", 54}, {"143_22", "RightUpLeg", 57}, {"143_22", "RightLeg", 22},
    {"143_22", "RightArm", 12},
};

static int compare_numbers(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// The torque of a link's joint that 95 % of the frames are below.
static double usual_torque(rgInverse* inverse, const rgFigure* figure, const char* name) {
  static double sizes[4096];
  int link = rg_figure_find_link(figure, name), count = 0;
  REQUIRE(link > 0);
  double start = rg_figure_start(figure), end = rg_figure_end(figure);
  for (double t = start; t <= end && count < 4096; t += 1.0 / 120) {
    rgBodyMotion motion[LINKS_MAX];
    rgInverseJoint joints[LINKS_MAX];
    rg_figure_motion(figure, t, motion);
    REQUIRE_INT(rg_inverse_motion(inverse, motion, NULL, joints, NULL), RG_OK);
    const double* f = joints[link - 1].force;
    sizes[count++] = v3_norm(v3(f[0], f[1], f[2]));
  }
  qsort(sizes, (size_t)count, sizeof *sizes, compare_numbers);
  return sizes[(int)(0.95 * count)];
}

TEST(torques_of_recorded_clips_are_those_that_were_computed_elsewhere) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char path[64];
    snprintf(path, sizeof path, "data/mocap/%s.bvh", known[i].clip);
    rgClip* clip;
    rgMessage message = {""};
    REQUIRE_INT(rg_clip_read(test_shared(path), &clip, &message), RG_OK);
    rgFigureDef def = rg_figure_def();
    rgFigure* figure = make(clip, &def);
    rgWorld* world = build_world("default");
    rgCharacterDef character_def = rg_character_def();
    character_def.from = rg_figure_start(figure);
    rgCharacter* character;
    rgInverse* inverse;
    REQUIRE_INT(rg_character_create(world, figure, &character_def, &character), RG_OK);
    REQUIRE_INT(rg_inverse_create(world, RG_INVERSE_TREE, &inverse), RG_OK);
    CONTEXT("%s, %s", known[i].clip, known[i].link);
    CHECK_REL(usual_torque(inverse, figure, known[i].link), known[i].torque, 0.15);
    rg_inverse_destroy(inverse);
    rg_character_destroy(character);
    rg_world_destroy(world);
    rg_figure_destroy(figure);
    rg_clip_free(clip);
  }
}

TEST(definitions_that_make_no_sense_are_refused) {
  rgClip* clip = parse(odd);
  static const struct {
    double scale, mass, cutoff;
    int masses, first;
    const char* message;
  } bad[] = {
      {0, 0, 12, 0, 0, "scale is 0, must be > 0"},
      {1, -1, 12, 0, 0, "mass is -1, must be > 0"},
      {1, 0, -1, 0, 0, "cutoff is -1, must be >= 0"},
      {1, 0, 12, 5, 0, "masses is 5, must be 0 (winter) or 1 (water)"},
      {1, 0, 12, 0, 2, "the clip has 3 frames from frame 2 on, a movement needs at least 4"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    rgFigureDef def = {bad[i].scale, bad[i].mass, bad[i].cutoff, (rgFigureMasses)bad[i].masses,
                       bad[i].first};
    rgFigure* figure;
    rgMessage message = {""};
    CHECK_INT(rg_figure_create(clip, &def, &figure, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, bad[i].message);
    CHECK(figure == NULL);
  }
  rg_clip_free(clip);
  clip = parse("HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION Frames: 4 "
               "Frame Time: 1\n0\n1\n2\n3\n");
  rgFigureDef def = rg_figure_def();
  rgFigure* figure;
  rgMessage message = {""};
  CHECK_INT(rg_figure_create(clip, &def, &figure, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "has no bones");
  rg_clip_free(clip);
}
