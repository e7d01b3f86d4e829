// Same bits of all that a world says, through histories of all that one can do with it.
//
// A history is its seed: an arbitrary scene (support/arbitrary.h) that is driven by forces, motors and a
// moving body and edited between steps (support/history.h). After each call its status and its message are
// told, and all that the world says (support/told.h): its state, and what it knows of the last step. All
// of it is one hash, which is the same for every compiler, optimization and number of threads. Whoever
// changes what a step computes or tells changes hashes here; told_table.h says how to record them.
#include "test.h"

#include "math/trig.h"

#include "support/arbitrary.h"
#include "support/history.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include <rigor/bulk.h>
#include <rigor/diagnose.h>
#include <rigor/joint.h>

#include <stdio.h>

// Seeds from WIDE on are of the wider family; those from DRIVEN on have couplings, smooth shapes and calls with
// something wrong besides, each fourth a stepper for accelerations and the next one geometry of the end, and their problems
// are told in other forms too. Those from SPECIAL on have discs that spin on a floor, or balls that bounce in long steps
// which are cut into many parts; those 100 later boxes that tumble, then geared pendulums, then what strikes. Those from COMBINED on are driven as well, on a scene of
// support/variety.h or of the wider family, with each stepper, impact law, cone, stabilizer and solver in turn.
enum {
  STEPS = 12,
  WIDE = 1000,
  DRIVEN = 2000,
  SPECIAL = 3000,
  COMBINED = 4000,
  CALLS = 4,
  MANY = 8
};

// A step that is made, and taken back with all that it has found.
static void go_back(Told* told) {
  Snapshot snapshot = save(told->world);
  tell_bytes(told, &snapshot.size, sizeof(int));
  tell_next_step(told);
  tell_status(told, rg_world_load(told->world, snapshot.data, snapshot.size));
  free(snapshot.data);
}

// The same by a copy in memory; some under other options than it was made under.
static void go_back_by_state(Told* told) {
  rgState* state;
  rgOptions options = *rg_world_options(told->world);
  REQUIRE(rg_state_create(&state) == RG_OK);
  rgStatus saved = rg_world_save_state(told->world, state);
  tell_status(told, saved);
  tell_next_step(told);
  if (history_chance(0.3)) {
    options.step *= 2;
    tell_status(told, rg_world_set_options(told->world, &options));
  }
  tell_status(told, rg_world_load_state(told->world, state));
  rg_state_destroy(state);
}

static void cancel_step(Told* told) {
  const volatile int cancel = 1;
  rg_world_set_cancel(told->world, &cancel);
  tell_next_step(told);
  rg_world_set_cancel(told->world, NULL);
}

// Velocities whose squares are out of range make the step fail.
static void fail_step(Told* told) {
  rgBodyId id = history_body(told);
  rgTwist velocity = rg_body_velocity(told->world, id), fast = {{0, 0, 0}, {0, 0, 0}};
  fast.linear = history_vector(told, 1e170);
  rgStatus status = rg_body_set_velocity(told->world, id, fast);
  tell_status(told, status);
  if (status != RG_OK)
    return;
  tell_next_step(told);
  tell_status(told, rg_body_set_velocity(told->world, id, velocity));
}

// By a clock that goes on by one each time it is asked, the times of the phases are how often they began.
static double ticks;
static double tick(void) { return ++ticks; }

static void time_step(Told* told) {
  rg_world_set_clock(told->world, tick);
  tell_next_step(told);
  for (int i = 0; i < RG_PHASE_COUNT; i++)
    tell(told, rg_world_phase_time(told->world, (rgPhase)i));
  rg_world_set_clock(told->world, NULL);
}

// Another stepper, where it goes together with the rest.
static void set_stepper(rgWorld* world, const char* stepper) {
  const rgOptions before = *rg_world_options(world);
  rgOptions options = before;
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  snprintf(options.impacts, sizeof options.impacts, "simultaneous");
  for (int i = 0; i < rg_world_material_count(world) && strcmp(stepper, "gauss") == 0; i++) {
    rgMaterial smooth = rg_material_default();
    smooth.mu = 0;
    REQUIRE(rg_world_set_material(world, i, &smooth) == RG_OK);
  }
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  if (rg_world_check(world) != RG_OK)
    REQUIRE(rg_world_set_options(world, &before) == RG_OK);
}

// Each of these options in turn, as far as they go together with the rest.
static void combine_options(rgWorld* world, uint64_t seed) {
  static const char* const options[] = {"coordinates", "impacts",         "cone",   "stabilizer",
                                        "solver",      "implicit_forces", "facets", "damping_time"};
  int count = 0;
  set_stepper(world, rg_stepper_name((int)(seed % 9)));
  history_go_to(seed);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const rgOptions before = *rg_world_options(world);
    rgOptions now = before;
    history_vary_option(&now, options[i]);
    if (rg_world_set_options(world, &now) != RG_OK || rg_world_check(world) != RG_OK)
      REQUIRE(rg_world_set_options(world, &before) == RG_OK);
    else
      count++;
  }
  CHECK(count > 0);
}

static void edit(Told* told) {
  static void (*const edits[])(Told*) = {
      go_back, go_back_by_state, go_back_by_state, cancel_step, fail_step, time_step, history_ask,
  };
  if (history_chance(0.75))
    history_edit(told);
  else
    edits[history_draw(sizeof edits / sizeof *edits)](told);
  tell_state(told);
  tell_step(told);
}

static Arbitrary special_scene(uint64_t seed) {
  bool bounces = seed % 2;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", bounces ? "halving" : "theta");
  def.options.step = bounces ? 0.3 : 0.01;
  def.options.theta = seed % 4 < 2 ? 1 : 0.5;
  Arbitrary scene = {.world = build_world_of(&def), .bodies = bounces ? 9 : 3};
  history_go_to(seed);
  build_set_default_material(scene.world, 0.4, bounces ? 0.9 : 0.5);
  build_floor(scene.world);
  for (int i = 0; i < scene.bodies; i++) {
    double height = 0.105 + 0.013 * i + 0.001 * history_draw(9);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(i, 0, bounces ? height : 0.05 + 1e-4 * i));
    rgShapeDef disc = rg_shape_def(RG_SHAPE_CYLINDER);
    disc.radius = 0.2;
    disc.half_length = 0.05;
    body.velocity.angular = v3(0, bounces ? 0 : 0.02 * i, bounces ? 0 : 10);
    body.velocity.linear = v3(0.1 * i, 0, bounces ? 0 : -0.02 * history_draw(3));
    build_body(scene.world, &body, bounces ? shape_sphere(0.1) : disc);
  }
  return scene;
}

// Boxes that are fast for their size: under gauss they turn too fast for whole steps, under halving they come down on
// one edge after the other.
static Arbitrary tumbling_scene(uint64_t seed) {
  bool turns = seed % 2 == 0;
  double size = turns ? 1e-4 : 0.1;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", turns ? "gauss" : "halving");
  def.options.step = turns ? 0.01 : 0.05;
  Arbitrary scene = {.world = build_world_of(&def), .bodies = 3};
  build_set_default_material(scene.world, 0, 0.3);
  build_floor(scene.world);
  for (int i = 0; i < scene.bodies; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(i, 0, turns ? 1 : 0.13));
    body.pose.orientation = turn_about(v3(0.6, 0.8, 0), turns ? 0 : 0.2 * (i + 1));
    body.velocity.angular = turns ? v3(90, 300 * (i + 1), 30) : v3(0, 1, 0.3);
    build_body(scene.world, &body, shape_box(v3(size, 2 * size, turns ? 5 * size : size)));
  }
  return scene;
}

// Pendulums in a row, each geared to the one before it by a polynomial, without friction: for the stepper gauss.
static Arbitrary geared_scene(uint64_t seed) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", seed % 3 ? "gauss" : "theta");
  Arbitrary scene = {.world = build_world_of(&def), .bodies = 3};
  history_go_to(seed);
  build_set_default_material(scene.world, 0, 0.2);
  rgJointId last = {0, 0};
  for (int i = 0; i < scene.bodies; i++) {
    rgVec3 pivot = v3(i, 0, 0);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_sub(pivot, v3(0.3, 0, 0.1 * (i + 1))));
    rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
    hinge.body_b = build_body(scene.world, &body, shape_box(v3(0.1, 0.05, 0.2)));
    hinge.point = pivot;
    hinge.axis = i == 2 ? v3(0.6, 0.8, 0) : v3(0, 1, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(scene.world, &hinge, &id) == RG_OK);
    rgJointCoupling coupling = {.leader = last};
    for (int k = 0; k < RG_COUPLING_TERMS; k++)
      coupling.polynomial[k] = k == 0 ? 0 : history_between(-1, 1);
    if (i > 0)
      REQUIRE(rg_joint_couple(scene.world, id, 0, &coupling) == RG_OK);
    last = id;
  }
  return scene;
}

// Smooth solids that come down fast, with the geometry of the end of long steps; or rods that strike askew one after the other.
static Arbitrary striking_scene(uint64_t seed) {
  bool rods = seed % 2;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(rods ? "reference" : "default", &def.options));
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s",
           rods ? "theta" : "implicit-geometry");
  if (rods)
    snprintf(def.options.impacts, sizeof def.options.impacts, "sequential");
  def.options.step = rods ? 1e-3 : 0.02;
  def.options.iteration_limit = seed % 4 == 3 ? 1 : 100; // of solves that miss, a part is left
  Arbitrary scene = {.world = build_world_of(&def), .bodies = 4};
  history_go_to(seed);
  double mu = history_between(0.2, 1.2), e = rods ? history_between(0.1, 0.9) : 0;
  build_set_default_material(scene.world, mu, e);
  build_floor(scene.world);
  for (int i = 0; i < scene.bodies; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(1.5 * i, 0, rods ? 0 : 0.16));
    double angle = history_between(0.3, 1.3), spin = history_between(-9, 9);
    body.velocity.linear = v3(history_between(-2, 2), 0, -1);
    body.velocity.angular = v3(rods ? 0 : spin, 0.3 * spin, 0);
    if (rods) {
      body.pose.position.z = 0.5 * rg_sin(angle) + 0.02;
      body.pose.orientation = turn_about(v3(0, 1, 0), 1.5707963267948966 - angle);
    } else
      body.pose.orientation = turn_about(v3(0.6, 0.8, 0), angle);
    rgShapeDef smooth = rg_shape_def(RG_SHAPE_ELLIPSOID);
    smooth.half = v3(0.05 * (i + 1), 0.15, 0.1);
    rgShapeDef rod = seed % 4 == 3 ? shape_box(v3(0.02, 0.02, 0.5)) : shape_capsule(0.02, 0.5);
    build_body(scene.world, &body, rods ? rod : smooth);
  }
  return scene;
}

static Arbitrary varied_scene(uint64_t seed) {
  int count = 0;
  while (variety(count))
    count++;
  Arbitrary scene = {.world = variety_build(variety((int)(seed / 2) % count), 1, NULL)};
  scene.bodies = rg_world_body_count(scene.world) - MANY / 2; // there is ground among them
  return scene;
}

static Arbitrary scene_of(uint64_t seed) {
  return seed < WIDE            ? arbitrary_scene(seed)
         : seed < SPECIAL       ? arbitrary_wide_scene(seed)
         : seed < SPECIAL + 100 ? special_scene(seed)
         : seed < SPECIAL + 200 ? tumbling_scene(seed)
         : seed < SPECIAL + 300 ? geared_scene(seed)
         : seed < COMBINED      ? striking_scene(seed)
         : seed % 2 == 0        ? varied_scene(seed)
                                : arbitrary_wide_scene(seed);
}

static uint64_t run_history(uint64_t seed, int threads) {
  Arbitrary scene = scene_of(seed);
  Told told = told_begin(scene.world);
  bool combined = seed >= COMBINED, driven = combined || (seed >= DRIVEN && seed < SPECIAL);
  if (scene.world && driven && scene.bodies > MANY) { // would take most of the time
    rg_world_destroy(scene.world);
    scene.world = told.world = NULL;
  }
  if (!scene.world)
    return told.hash;
  rgOptions options = *rg_world_options(scene.world);
  options.threads = threads;
  int limit = seed < DRIVEN ? 100 : 30;
  options.iteration_limit = options.iteration_limit < limit ? options.iteration_limit : limit;
  if (strcmp(options.solver, "direct") == 0) // takes no contacts
    snprintf(options.solver, sizeof options.solver, "auto");
  REQUIRE(rg_world_set_options(scene.world, &options) == RG_OK);
  if (combined)
    combine_options(scene.world, seed);
  else if (driven && seed % 4 < 2)
    set_stepper(scene.world, seed % 4 ? "implicit-geometry" : "gauss");
  history_go_to(1000 + seed);
  history_widen(driven);
  if (seed < SPECIAL || combined)
    history_begin(&told);
  for (int i = 0; i < (driven ? STEPS / 2 : STEPS); i++) {
    for (int edits = seed < SPECIAL || combined ? history_draw(3) : 0; edits > 0; edits--)
      edit(&told); // none, one or two
    for (int calls = 0; calls < CALLS && driven; calls++)
      history_spoil(&told);
    tell_next_step(&told);
    if (driven)
      tell_problems(&told);
  }
  history_widen(false);
  rg_world_destroy(scene.world);
  return told.hash;
}

typedef struct Row {
  int seed;
  uint64_t hash;
} Row;

static const Row table[] = {
#define TOLD(seed, hash) {(seed), (hash)},
#include "told_table.h"
#undef TOLD
};
enum { ROWS = sizeof table / sizeof *table };

static const char REFRESH[] = "RIGOR_PRINT_TOLD=tests/determinism/told_table.h "
                              "build/tests/determinism/test_told print_table";

static void check_rows(int threads, int stride) {
  for (int i = 0; i < ROWS; i += test_fast() ? 8 : stride) {
    uint64_t hash = run_history((uint64_t)table[i].seed, threads);
    CONTEXT("seed %d, %d threads; if the change is meant: %s", table[i].seed, threads, REFRESH);
    CHECK_HEX(hash, table[i].hash);
  }
}

TEST(one_thread_tells_what_the_table_says) { check_rows(1, 1); }

TEST(four_threads_tell_the_same) { check_rows(4, 3); }

// Writes the table anew, with its seeds and its head.
TEST(print_table) {
  const char* path = getenv("RIGOR_PRINT_TOLD");
  if (!path || !path[0])
    SKIP("set RIGOR_PRINT_TOLD to a path to write the table");
  enum { TEXT = 16384 };
  char text[TEXT];
  size_t length = 0;
  FILE* old = fopen(path, "r");
  REQUIRE(old);
  while (fgets(text + length, (int)(TEXT - length), old) && strncmp(text + length, "TOLD", 4) != 0)
    length += strlen(text + length);
  fclose(old);
  for (int i = 0; i < ROWS; i++) {
    unsigned long long hash = run_history((uint64_t)table[i].seed, 1);
    length += (size_t)snprintf(text + length, TEXT - length, "TOLD(%4d, 0x%016llx)\n",
                               table[i].seed, hash);
    REQUIRE(length < TEXT);
  }
  FILE* file = fopen(path, "w");
  REQUIRE(file);
  CHECK(fwrite(text, 1, length, file) == length);
  CHECK(fclose(file) == 0);
}
