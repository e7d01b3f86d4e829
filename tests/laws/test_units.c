// A scene written in millimetres, grams and milliseconds moves as the same scene in SI units, to
// 1e-9: nothing in the engine has a unit of its own. With units that are powers of two not even
// rounding differs, and the motion is the same to the last bit.
#include "support/laws.h"

typedef struct Case {
  const char* name;
  void (*build)(Scene* scene);
  double size; // [m] differences of lengths are compared with it, those of speeds with sqrt(g size)
  double theta, step, time; // [-], [s], [s]
} Case;

static void build_holding(Scene* scene) {
  scene_incline(scene, SCENE_INCLINE_HALFSPACE, atan(0.5) - radians(0.1), 0.5);
}
static void build_sliding(Scene* scene) {
  scene_incline(scene, SCENE_INCLINE_BLOCK, radians(30), 0.3);
}
static void build_ball(Scene* scene) {
  scene_ball(scene, false, 0.1, 0.2, v3(2, 0.5, 0), v3(3, -8, 4));
}
static void build_standing_balls(Scene* scene) { scene_ball_pyramid(scene, 0.1, 0.32, 0.5); }
static void build_falling_balls(Scene* scene) { scene_ball_pyramid(scene, 0.1, 0.25, 0.5); }
static void build_standing_blocks(Scene* scene) { scene_overhang(scene, 4, 1.04); }
static void build_falling_blocks(Scene* scene) { scene_overhang(scene, 4, 1.05); }
static void build_stack(Scene* scene) { scene_stack(scene, 20, 1e-3, 1); }
static void build_heavy_stack(Scene* scene) { scene_stack(scene, 11, 0, 1000); }

static const Case CASES[] = {
    {"slab holding on an incline", build_holding, 0.1, 0.5, 1e-2, 2},
    {"slab sliding down", build_sliding, 0.1, 0.5, 1e-3, 1},
    {"ball from slip to roll", build_ball, 0.1, 0.5, 1e-3, 1},
    {"standing ball pyramid", build_standing_balls, 0.1, 0.5, 2e-3, 1},
    {"falling ball pyramid", build_falling_balls, 0.1, 0.5, 2e-3, 0.5},
    {"standing overhang", build_standing_blocks, 0.2, 0.5, 2e-3, 1},
    {"falling overhang", build_falling_blocks, 0.2, 0.5, 2e-3, 1},
    {"stack of 20 boxes", build_stack, 1, 1, 1.0 / 240, 0.5},
    {"heavy box on a stack", build_heavy_stack, 1, 1, 1.0 / 240, 0.5},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static double quat_difference(rgQuat a, rgQuat b) {
  double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, sign = dot < 0 ? -1 : 1;
  rgQuat d = {a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z};
  return sqrt(quat_norm2(d));
}

// Largest difference of two runs, each kind of quantity compared with its scale.
static double difference(const Law* a, const Law* b, double size) {
  double largest = 0, speed_scale = sqrt(9.81 * size);
  for (int i = 0; i < a->scene.body_count; ++i) {
    rgPose p = law_pose(a, i), q = law_pose(b, i);
    rgTwist v = law_velocity(a, i), w = law_velocity(b, i);
    double position = v3_norm(v3_sub(p.position, q.position)) / fmax(v3_norm(p.position), size);
    double speed = v3_norm(v3_sub(v.linear, w.linear)) / fmax(v3_norm(v.linear), speed_scale);
    double spin =
        v3_norm(v3_sub(v.angular, w.angular)) / fmax(v3_norm(v.angular), speed_scale / size);
    double turn = quat_difference(p.orientation, q.orientation);
    largest = fmax(largest, fmax(fmax(position, turn), fmax(speed, spin)));
  }
  return largest;
}

static void check_same_motion(const Case* c, SceneUnits units, double tolerance) {
  CONTEXT("%s", c->name);
  Law si, other;
  c->build(&si.scene);
  c->build(&other.scene);
  rgOptions options = law_options("reference", c->step);
  options.theta = c->theta;
  law_begin(&si, &options, SCENE_SI);
  law_begin(&other, &options, units);
  int steps = (int)lround(c->time / c->step);
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    law_run(&si, 1);
    law_run(&other, 1);
    largest = fmax(largest, difference(&si, &other, c->size));
  }
  CHECK_NEAR(largest, 0, tolerance);
  CHECK_INT(si.not_met, 0);
  CHECK_INT(other.not_met, 0);
  law_end(&si);
  law_end(&other);
}

TEST(scenes_move_the_same_in_millimetres_grams_milliseconds) {
  for (int i = 0; i < CASE_COUNT; ++i)
    check_same_motion(&CASES[i], SCENE_MILLI, 1e-9);
}

TEST(scenes_move_the_same_to_the_bit_in_binary_units) {
  for (int i = 0; i < CASE_COUNT; ++i)
    check_same_motion(&CASES[i], SCENE_BINARY, 0);
}
