// Runs with an accuracy: motions with closed forms stay within the error that the run tells, the
// error is told before anybody knows the closed form, and a run is repeatable to the bit.
#include "support/builder.h"
#include "support/canon.h"
#include "support/snapshot.h"
#include "test.h"

typedef struct Pair {
  rgWorld *world, *shadow;
  rgAccuracy* accuracy;
  rgBodyId body;
} Pair;

static rgOptions options_of(const char* preset, double step) {
  rgOptions options = {0};
  REQUIRE(rg_options_preset(preset, &options));
  options.step = step;
  return options;
}

static Pair make_pair(const Canon* motion, const rgOptions* options, uint64_t seed, double length) {
  double p[CANON_PARAMETERS];
  rgMessage message = {""};
  canon_draw(motion, seed, p);
  Pair pair = {0};
  pair.world = canon_world(motion, options, p, &pair.body);
  pair.shadow = canon_world(motion, options, p, &pair.body);
  rgAccuracyDef def = rg_accuracy_def();
  def.length = length;
  def.end = motion->time;
  rgStatus status = rg_accuracy_create(pair.world, pair.shadow, &def, &pair.accuracy, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return pair;
}

static void free_pair(Pair* pair) {
  rg_accuracy_destroy(pair->accuracy);
  rg_world_destroy(pair->world);
  rg_world_destroy(pair->shadow);
}

// To the end; returns the largest true error of the last pass.
static double run(const Pair* pair, const Canon* motion, uint64_t seed) {
  double p[CANON_PARAMETERS], largest = 0;
  canon_draw(motion, seed, p);
  while (rg_world_time(pair->world) < motion->time - 1e-9) {
    REQUIRE_INT(rg_accuracy_step(pair->accuracy, NULL), RG_OK);
    if (rg_accuracy_outgrown(pair->accuracy)) {
      REQUIRE_INT(rg_accuracy_restart(pair->accuracy), RG_OK);
      largest = 0;
      continue;
    }
    rgPose exact = motion->exact(rg_world_time(pair->world), p);
    double error = canon_distance(pair->world, pair->body, exact);
    largest = fmax(largest, error);
    CHECK_MSG(error <= rg_accuracy_error(pair->accuracy, pair->body) + 1e-9,
              "off by %g m at t = %g s, told %g m", error, rg_world_time(pair->world),
              rg_accuracy_error(pair->accuracy, pair->body));
  }
  return largest;
}

// At both thetas, with parameters from seeds: the told error holds at every time of the run, and is
// not above what was asked for where the run says so.
TEST(motions_with_closed_forms_stay_within_the_told_error) {
  const Canon* motion;
  for (int i = 0; (motion = canon(i)); i++)
    for (int theta = 0; theta < 2; theta++) {
      rgOptions options = options_of(theta ? "reference" : "default", 0.01);
      CONTEXT("%s, theta %g", motion->name, options.theta);
      uint64_t seed = (uint64_t)(7 + i);
      Pair pair = make_pair(motion, &options, seed, 5e-3);
      double error = run(&pair, motion, seed);
      rgAccuracyReport report = rg_accuracy_report(pair.accuracy);
      CHECK_MSG(report.holds, "told %g m, %d passes, %lld steps, held until %g s", report.estimate,
                report.passes, (long long)report.total_steps, report.held_until);
      CHECK(report.estimate <= 5e-3);
      CHECK(error <= report.estimate);
      free_pair(&pair);
    }
}

TEST(a_run_that_needs_no_cut_is_the_run_with_half_the_step) {
  const Canon* motion = canon(5); // a ball that skids
  rgOptions options = options_of("reference", 0.01), half = options_of("reference", 0.005);
  Pair pair = make_pair(motion, &options, 3, 10);
  double p[CANON_PARAMETERS];
  canon_draw(motion, 3, p);
  rgBodyId body;
  rgWorld* plain = canon_world(motion, &half, p, &body);
  for (int i = 0; i < 100; i++) {
    REQUIRE_INT(rg_accuracy_step(pair.accuracy, NULL), RG_OK);
    run_steps(plain, 2);
    CHECK(rg_world_hash(plain) == rg_world_hash(pair.world));
  }
  rgAccuracyReport report = rg_accuracy_report(pair.accuracy);
  CHECK_INT(report.cut, 0);
  CHECK_INT(report.steps, 200);
  CHECK_INT(report.total_steps, 400);
  CHECK_BITS(report.longest, 0.005);
  rg_world_destroy(plain);
  free_pair(&pair);
}

TEST(steps_are_cut_at_an_impact_and_long_before_and_after_it) {
  const Canon* motion = canon(2); // an elastic bounce
  rgOptions options = options_of("reference", 0.01);
  Pair pair = make_pair(motion, &options, 5, 2e-3);
  run(&pair, motion, 5);
  rgAccuracyReport report = rg_accuracy_report(pair.accuracy);
  CHECK(report.holds && report.cut > 0);
  CHECK_BITS(report.longest, 0.005);
  CHECK(report.shortest < 0.005 / 16); // |J| h, with a jump of 6 m/s and more
  CHECK(report.steps < 150 * 2 * 8);   // and not everywhere
  free_pair(&pair);
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Canon* motion = canon(1);
  uint64_t hash[2];
  double error[2];
  for (int i = 0; i < 2; i++) {
    rgOptions options = options_of("default", 0.01);
    options.threads = i == 0 ? 1 : 3;
    Pair pair = make_pair(motion, &options, 11, 1e-2);
    run(&pair, motion, 11);
    hash[i] = rg_world_hash(pair.world);
    error[i] = rg_accuracy_error(pair.accuracy, pair.body);
    free_pair(&pair);
  }
  CHECK(hash[0] == hash[1]);
  CHECK_BITS(error[0], error[1]);
}

static Snapshot save_accuracy(const rgAccuracy* accuracy) {
  Snapshot snapshot = {.size = rg_accuracy_save_size(accuracy)};
  snapshot.data = malloc(snapshot.size);
  REQUIRE(snapshot.data);
  REQUIRE_INT(rg_accuracy_save(accuracy, snapshot.data, snapshot.size), RG_OK);
  return snapshot;
}

TEST(a_run_goes_on_from_a_snapshot_as_if_it_had_never_stopped) {
  const Canon* motion = canon(1);
  rgOptions options = options_of("default", 0.01);
  Pair whole = make_pair(motion, &options, 13, 5e-3), first = make_pair(motion, &options, 13, 5e-3),
       second = make_pair(motion, &options, 13, 5e-3);
  rgMessage message = {""};
  run(&whole, motion, 13);
  for (int i = 0; i < 60; i++) { // past a bounce, and past a restart where there is one
    REQUIRE_INT(rg_accuracy_step(first.accuracy, NULL), RG_OK);
    if (rg_accuracy_outgrown(first.accuracy))
      REQUIRE_INT(rg_accuracy_restart(first.accuracy), RG_OK);
  }
  Snapshot snapshot = save_accuracy(first.accuracy);
  rgStatus status = rg_accuracy_load(second.accuracy, snapshot.data, snapshot.size, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  CHECK(rg_world_hash(second.world) == rg_world_hash(first.world));
  run(&second, motion, 13);
  CHECK(rg_world_hash(second.world) == rg_world_hash(whole.world));
  CHECK_BITS(rg_accuracy_error(second.accuracy, second.body),
             rg_accuracy_error(whole.accuracy, whole.body));
  rgAccuracyReport a = rg_accuracy_report(second.accuracy), b = rg_accuracy_report(whole.accuracy);
  CHECK(a.steps == b.steps && a.total_steps == b.total_steps && a.passes == b.passes);
  free(snapshot.data);
  free_pair(&whole);
  free_pair(&first);
  free_pair(&second);
}

TEST(a_damaged_snapshot_is_refused_and_changes_nothing) {
  const Canon* motion = canon(1);
  rgOptions options = options_of("default", 0.01);
  Pair saved = make_pair(motion, &options, 13, 5e-3), other = make_pair(motion, &options, 13, 5e-3);
  for (int i = 0; i < 30; i++)
    REQUIRE_INT(rg_accuracy_step(saved.accuracy, NULL), RG_OK);
  Snapshot snapshot = save_accuracy(saved.accuracy);
  uint64_t before = rg_world_hash(other.world);
  for (size_t i = 0; i < snapshot.size; i += 1 + snapshot.size / 97) {
    rgMessage message = {""};
    snapshot.data[i] ^= 0x10;
    CHECK_INT(rg_accuracy_load(other.accuracy, snapshot.data, snapshot.size, &message),
              RG_ERROR_INPUT);
    CHECK_MSG(strstr(message.text, "the snapshot is damaged"), "%s", message.text);
    CHECK_INT(rg_accuracy_load(other.accuracy, snapshot.data, i, &message), RG_ERROR_INPUT);
    snapshot.data[i] ^= 0x10;
  }
  CHECK(rg_world_hash(other.world) == before);
  CHECK(rg_accuracy_is_snapshot(snapshot.data, snapshot.size));
  CHECK(!rg_accuracy_is_snapshot(snapshot.data, 4));
  Pair finer = make_pair(motion, &options, 13, 4e-3); // asked for something else
  rgMessage message = {""};
  CHECK_INT(rg_accuracy_load(finer.accuracy, snapshot.data, snapshot.size, &message),
            RG_ERROR_INPUT);
  free(snapshot.data);
  free_pair(&saved);
  free_pair(&other);
  free_pair(&finer);
}

TEST(what_cannot_be_is_refused_with_the_reason) {
  rgWorld *world = build_world("default"), *shadow = build_world("default");
  rgAccuracyDef def = rg_accuracy_def();
  rgAccuracy* accuracy;
  rgMessage message;
  const struct {
    double length, end, effort;
    const char* text;
  } cases[] = {
      {0, 1, 100, "the accuracy is 0 m, must be finite and > 0"},
      {(double)NAN, 1, 100, "the accuracy is"},
      {1e-3, 0, 100, "the end is 0 s, must be finite and > 0 s, the time of the world"},
      {1e-3, 1, 7, "the effort is 7, must be finite and >= 8"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    def = (rgAccuracyDef){cases[i].length, cases[i].end, cases[i].effort};
    CHECK_INT(rg_accuracy_create(world, shadow, &def, &accuracy, &message), RG_ERROR_INPUT);
    CHECK(accuracy == NULL);
    CHECK_MSG(strncmp(message.text, cases[i].text, strlen(cases[i].text)) == 0, "%s", message.text);
  }
  def = rg_accuracy_def();
  CHECK_INT(rg_accuracy_create(world, world, &def, &accuracy, &message), RG_ERROR_INPUT);
  build_sphere(world, 0.1, v3_zero());
  CHECK_INT(rg_accuracy_create(world, shadow, &def, &accuracy, &message), RG_ERROR_INPUT);
  CHECK_MSG(strstr(message.text, "the shadow is not a second world"), "%s", message.text);
  rg_world_destroy(world);
  rg_world_destroy(shadow);
}

// A ball that falls among pegs: each bounce multiplies what the one before left.
static rgWorld* pegs(void) {
  rgWorld* world = build_world("reference");
  build_set_step(world, 0.01, 0.5);
  build_set_default_material(world, 0.3, 0.8);
  for (int row = 0; row < 6; row++)
    for (int i = -4; i <= 4; i++) {
      rgBodyDef def = body_at(RG_BODY_STATIC, v3(0.5 * i + 0.25 * (row % 2), 0, -0.5 * row));
      build_body(world, &def, shape_sphere(0.12));
    }
  build_sphere(world, 0.08, v3(0.06, 0, 0.6));
  return world;
}

TEST(a_bound_that_is_lost_is_said_to_be_lost) {
  rgWorld *world = pegs(), *shadow = pegs();
  rgAccuracyDef def = {.length = 1e-9, .end = 2, .effort = 60};
  rgAccuracy* accuracy;
  rgMessage message = {""};
  REQUIRE_INT(rg_accuracy_create(world, shadow, &def, &accuracy, &message), RG_OK);
  while (rg_world_time(world) < def.end - 1e-9) {
    REQUIRE_INT(rg_accuracy_step(accuracy, NULL), RG_OK);
    if (rg_accuracy_outgrown(accuracy))
      REQUIRE_INT(rg_accuracy_restart(accuracy), RG_OK);
  }
  rgAccuracyReport report = rg_accuracy_report(accuracy);
  CHECK(!report.holds && report.estimate > 1e-9);
  CHECK(report.held_until < 2);
  // The effort is a bound: what is tried when it is spent is at most one step of the run.
  CHECK(report.total_steps <= 60 * 200 + 8 * 200);
  rg_accuracy_destroy(accuracy);
  CHECK_BITS(rg_world_options(world)->step, 0.01); // given back
  rg_world_destroy(world);
  rg_world_destroy(shadow);
}
