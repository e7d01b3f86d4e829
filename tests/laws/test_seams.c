// Bodies that roll and slide over seams: where flush convex shapes lie side by side, the ground
// that they make up is one ground.
//
// Each run is made twice, on the ground in one piece and on the same ground cut at random places,
// with its frame, making, speed, heading, step and start drawn at random. Height and speed must be
// the same in every step, up to what the preset leaves of its own accord.
#include "base/hash.h"
#include "support/builder.h"
#include "support/random.h"
#include "support/tiles.h"
#include "test.h"

static const double STEPS[] = {1.0 / 60, 1.0 / 240, 1e-3};

typedef struct Allowed {
  double height; // [m]
  double speed;  // [-] part of the speed
  double fall;   // [-] part of g h, the change of velocity that contacts have to undo
} Allowed;

static Drive random_drive(const char* preset, Mover mover) {
  Drive drive = {.preset = preset, .mover = mover, .mu = 0.05};
  drive.step = STEPS[(int)(3 * random_unit())];
  drive.speed = 0.3 * pow(10, random_between(0, 1.8));
  drive.heading = random_unit() < 0.3 ? 0 : random_between(-0.8, 0.8);
  drive.start = v3(random_between(-1.9, -1.6), random_between(-0.3, 0.3), 0);
  return drive;
}

// Steps over the given distance, but not so many that friction stops what slides: in which step that
// happens may differ.
static int steps_over(const Drive* drive, double distance) {
  double time = fmin(distance / drive->speed, 0.5 * drive->speed / (drive->mu * 9.81));
  return (int)fmin(time / drive->step, PATH_MAX_STEPS);
}

static void compare(const Ground* ground, const Drive* drive, Allowed allowed) {
  static Path whole, cut;
  int along = (int)(2 * pow(10, random_between(0, 1.6)));
  int across = ground->dimension == 2 ? 1 : 1 + (int)(2 * random_unit());
  Ground tiles = ground_cut(ground, along, across);
  int steps = steps_over(drive, 3);
  drive_run(ground, drive, steps, &whole);
  drive_run(&tiles, drive, steps, &cut);
  PathDifference d = path_difference(&whole, &cut);
  double speed = allowed.speed * drive->speed + allowed.fall * 9.81 * drive->step;
  CHECK_MSG(d.height <= allowed.height && d.speed <= speed,
            "%s, %s over %d x %d %s of %s, h %g s, %g m/s, heading %g: off by %g m, %g m/s (step "
            "%d of %d), lift %g",
            drive->preset, mover_name(drive->mover), along, across,
            ground->hulls ? "hulls" : "boxes",
            ground->making == MADE_OF_BODIES ? "bodies" : "one body", drive->step, drive->speed,
            drive->heading, d.height, d.speed, d.step, steps, whole.penetration);
}

static void compare_many(int dimension, const char* preset, int runs, Allowed allowed) {
  runs = test_fast() ? runs / 8 : runs;
  for (int mover = 0; mover < MOVER_COUNT; mover++)
    for (int i = 0; i < runs && (dimension == 3 || mover_is_flat((Mover)mover)); i++) {
      Ground ground = ground_level(dimension, 6, 6);
      ground_place(&ground);
      ground.bottom = -0.01 * pow(10, random_between(0, 2));
      Drive drive = random_drive(preset, (Mover)mover);
      compare(&ground, &drive, allowed);
    }
}

TEST(seams_are_not_felt_in_the_default_preset) {
  compare_many(3, "default", 40, (Allowed){3e-7, 1e-6, 1e-3});
}
TEST(seams_are_not_felt_in_the_reference_preset) {
  compare_many(3, "reference", 40, (Allowed){3e-10, 1e-8, 1e-6});
}
TEST(seams_are_not_felt_in_the_realtime_preset) {
  compare_many(3, "realtime", 40, (Allowed){3e-4, 1e-3, 0.02});
}
TEST(seams_are_not_felt_in_the_plane) {
  compare_many(2, "default", 40, (Allowed){3e-7, 1e-6, 1e-3});
  compare_many(2, "reference", 40, (Allowed){3e-10, 1e-8, 1e-6});
  compare_many(2, "realtime", 40, (Allowed){3e-4, 1e-3, 0.02});
}

// A ball rolls on two rails, which are cylinders flush end to end, or capsules that reach into each
// other.
static rgWorld* rail_world(const Drive* drive, bool capsules, int pieces, rgBodyId* id) {
  rgWorld* world = build_world(drive->preset);
  build_set_step(world, drive->step, rg_world_options(world)->theta);
  build_set_default_material(world, 0.3, 0);
  const double radius = 0.05, apart = 0.08, length = 4, r = MOVER_HEIGHT;
  double half = length / pieces / 2;
  for (int i = 0; i < 2 * pieces; i++) {
    rgVec3 at = v3((i / 2 + 0.5) * 2 * half - length / 2, i % 2 ? apart : -apart, 0);
    rgBodyDef def = body_at(RG_BODY_STATIC, at);
    def.pose.orientation = turn_about(v3(0, 1, 0), 1.57079632679489661923);
    build_body(world, &def, capsules ? shape_capsule(radius, half) : shape_cylinder(radius, half));
  }
  double height = sqrt((radius + r) * (radius + r) - apart * apart);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(drive->start.x, 0, height));
  double arm = r * height / (radius + r); // of the contacts, over the axis of rolling
  def.velocity = twist(v3(drive->speed, 0, 0), v3(0, drive->speed / arm, 0));
  *id = build_body(world, &def, shape_sphere(r));
  return world;
}

TEST(rails_of_round_pieces_are_as_smooth_as_long_ones) {
  for (int i = 0; i < 40; i++) {
    Drive drive = random_drive(i % 2 ? "default" : "reference", MOVER_BALL);
    int pieces = 2 + (int)(18 * random_unit());
    CONTEXT("%s, %d %s, h %g s, %g m/s", drive.preset, pieces, i % 4 < 2 ? "cylinders" : "capsules",
            drive.step, drive.speed);
    rgBodyId id[2];
    rgWorld* worlds[2] = {rail_world(&drive, i % 4 >= 2, 1, &id[0]),
                          rail_world(&drive, i % 4 >= 2, pieces, &id[1])};
    int steps = steps_over(&drive, 3);
    for (int k = 0; k < steps; k++) {
      run_steps(worlds[0], 1);
      run_steps(worlds[1], 1);
      double off = v3_norm(v3_sub(rg_body_velocity(worlds[0], id[0]).linear,
                                  rg_body_velocity(worlds[1], id[1]).linear));
      if (!CHECK_MSG(off <= 1e-6 * drive.speed + 1e-3 * 9.81 * drive.step,
                     "off by %g m/s in step %d of %d", off, k, steps))
        break;
    }
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}

// A half-space, and a piece of ground flush with it or, for comparison, far away.
static void follow_on_halfspace(Ground ground, const Drive* drive, double away, int steps,
                                Path* path) {
  ground.pieces[0].x0 += away;
  ground.pieces[0].x1 += away;
  rgBodyId id;
  rgWorld* world = drive_world(&ground, drive, &id);
  rgBodyDef def = body_at(RG_BODY_STATIC, ground.frame.position);
  def.pose.orientation = ground.frame.orientation;
  build_body(world, &def, shape_halfspace());
  path->count = steps;
  for (int i = 0; i < steps; i++) {
    run_steps(world, 1);
    path->position[i] = pose_unapply(ground.frame, rg_body_pose(world, id).position);
    path->velocity[i] = quat_unrotate(ground.frame.orientation, rg_body_velocity(world, id).linear);
  }
  rg_world_destroy(world);
}

TEST(a_block_sunk_into_the_ground_is_not_felt) {
  for (int i = 0; i < 60; i++) {
    static Path with, without;
    Ground ground = ground_level(3, 1, 6);
    ground_place(&ground);
    ground.making = MADE_OF_BODIES;
    Drive drive = random_drive(i % 2 ? "default" : "reference", (Mover)(i % MOVER_COUNT));
    int steps = steps_over(&drive, 3);
    follow_on_halfspace(ground, &drive, 0, steps, &with);
    follow_on_halfspace(ground, &drive, 100, steps, &without);
    PathDifference d = path_difference(&with, &without);
    CHECK_MSG(d.height <= 3e-7 && d.speed <= 1e-6 * drive.speed + 1e-3 * 9.81 * drive.step,
              "%s, %s, h %g s, %g m/s: off by %g m, %g m/s in step %d of %d", drive.preset,
              mover_name(drive.mover), drive.step, drive.speed, d.height, d.speed, d.step, steps);
  }
}

// All that is known of a world.
static uint64_t state_of(const rgWorld* world) {
  size_t size = rg_world_save_size(world);
  void* bytes = malloc(size);
  REQUIRE_INT(rg_world_save(world, bytes, size), RG_OK);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, bytes, size);
  free(bytes);
  return hash;
}

// Many movers on tiles; some turn over and some fall off the edge.
static rgWorld* crowd(int threads) {
  random_state = 11;
  ground_seed(12);
  Ground ground = ground_level(3, 4, 4);
  ground_place(&ground);
  ground = ground_cut(&ground, 8, 8);
  Drive drive = {.preset = "realtime",
                 .step = 1.0 / 120,
                 .mover = MOVER_BALL,
                 .mu = 0.4,
                 .speed = 3,
                 .threads = threads};
  rgBodyId id;
  rgWorld* world = drive_world(&ground, &drive, &id);
  for (int i = 0; i < 60; i++) {
    rgVec3 at = v3(random_between(-1.8, 1.8), random_between(-1.8, 1.8), random_between(0.1, 0.8));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, pose_apply(ground.frame, at));
    def.pose.orientation = random_rotation();
    def.velocity = twist(v3_scale(random_vector(), 2), v3_scale(random_vector(), 9));
    build_body(world, &def,
               i % 3 == 0   ? shape_box(v3(0.1, 0.12, 0.08))
               : i % 3 == 1 ? shape_cylinder(0.1, 0.1)
                            : shape_capsule(0.08, 0.1));
  }
  return world;
}

TEST(seams_give_the_same_bits_for_any_threads_and_after_a_snapshot) {
  uint64_t expected = 0;
  for (int threads = 1; threads <= 4; threads++) {
    rgWorld* world = crowd(threads);
    run_steps(world, 60);
    size_t size = rg_world_save_size(world);
    void* bytes = malloc(size);
    REQUIRE_INT(rg_world_save(world, bytes, size), RG_OK);
    run_steps(world, 60);
    uint64_t hash = state_of(world);
    expected = threads == 1 ? hash : expected;
    CHECK_HEX(hash, expected);
    rg_world_destroy(world);
    world = crowd(threads);
    REQUIRE_MSG(rg_world_load(world, bytes, size) == RG_OK, "%s", rg_world_message(world));
    run_steps(world, 60);
    CHECK_HEX(state_of(world), expected);
    rg_world_destroy(world);
    free(bytes);
  }
}
