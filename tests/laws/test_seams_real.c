// What seams must not take away: ledges, gaps, ridges, valleys and walls of ground that is made of
// pieces, next to seams that are none of these.
//
// Each ground is run in as few convex pieces as it can be made of and cut at random into more, as in
// test_seams.c: the paths must be the same. Each also has to show that its obstacle is there.
#include "support/builder.h"
#include "support/random.h"
#include "support/tiles.h"
#include "test.h"

static const double R = 0.1; // MOVER_HEIGHT

// The paths over the ground in few pieces and in many, and over that in few from a start a little
// ahead and behind: a measure of how well the path is determined where a body tips on an edge.
typedef struct Runs {
  Path whole, cut, ahead, behind;
} Runs;
static Runs runs;

// [m] The shift of the start.
static const double SHIFT = 1e-7;

static void drive_all(const Ground* ground, Drive drive, int steps) {
  int across = ground->dimension == 2 ? 1 : 1 + (int)(2 * random_unit());
  Ground tiles = ground_cut(ground, 2 + (int)(6 * random_unit()), across);
  drive_run(ground, &drive, steps, &runs.whole);
  drive_run(&tiles, &drive, steps, &runs.cut);
  drive.start.x += SHIFT;
  drive_run(ground, &drive, steps, &runs.ahead);
  drive.start.x -= 2 * SHIFT;
  drive_run(ground, &drive, steps, &runs.behind);
}

static void check_same(const Drive* drive, double height, double speed) {
  PathDifference d = path_difference(&runs.whole, &runs.cut),
                 ahead = path_difference(&runs.whole, &runs.ahead),
                 behind = path_difference(&runs.whole, &runs.behind);
  height += 10 * fmax(ahead.height, behind.height);
  speed += 10 * fmax(ahead.speed, behind.speed);
  CHECK_MSG(d.height <= height && d.speed <= speed,
            "%s, h %g s, %g m/s, heading %g: off by %g m (%g), %g m/s (%g) in step %d of %d",
            mover_name(drive->mover), drive->step, drive->speed, drive->heading, d.height, height,
            d.speed, speed, d.step, runs.cut.count);
}

// Level ground up to x = 0 and from there on, raised by `rise`.
static Ground stepped(int dimension, double rise) {
  Ground ground = ground_level(dimension, 6, 6);
  ground.pieces[0].x1 = 0;
  ground_add(&ground, (Piece){0, 3, -3, 3, rise, rise});
  ground_place(&ground);
  return ground;
}

static Drive random_drive(Mover mover) {
  Drive drive = {.preset = "default", .mover = mover, .mu = 0.5};
  drive.step = random_unit() < 0.5 ? 1.0 / 240 : 1e-3;
  drive.heading = random_between(-0.5, 0.5);
  return drive;
}

TEST(a_wheel_too_slow_for_a_ledge_is_stopped_by_it) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    double rise = 1e-4 * pow(10, random_between(0, 2));
    Ground ground = stepped(i % 4 == 0 ? 2 : 3, rise);
    ground.hulls = ground.hulls && ground.dimension == 3;
    // Without the ellipsoid, which turns about the vertical while it rocks on the ledge.
    Mover mover = ground.dimension == 2 ? MOVER_BALL : (Mover)(3 * random_unit());
    Drive drive = random_drive(mover);
    drive.heading = 0;
    // The energy of rolling is at most 0.75 m v^2 (cylinder) for the shapes here.
    drive.speed = 0.8 * sqrt(9.81 * rise / 0.75);
    drive.start = v3(-sqrt(2 * R * rise) - 0.01, 0, 0);
    drive_all(&ground, drive, PATH_MAX_STEPS);
    check_same(&drive, 1e-6, 1e-3 * drive.speed);
    for (int k = 0; k < runs.cut.count; k++)
      if (!CHECK_MSG(runs.cut.position[k].x < 0, "%s over a ledge of %g m at %g m/s",
                     mover_name(mover), rise, drive.speed))
        break;
  }
}

TEST(a_ledge_stops_what_slides) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    double rise = 1e-4 * pow(10, random_between(0, 2));
    Ground ground = stepped(i % 4 == 0 ? 2 : 3, rise);
    ground.hulls = ground.hulls && ground.dimension == 3;
    Drive drive = random_drive(i % 2 ? MOVER_BOX : MOVER_HULL);
    drive.heading = 0;
    drive.mu = 0;
    drive.speed = random_between(0.05, 0.3);
    drive.start = v3(-0.16, 0, 0);
    drive_all(&ground, drive, PATH_MAX_STEPS);
    check_same(&drive, 1e-6, 1e-3 * drive.speed);
    double last = runs.cut.velocity[runs.cut.count - 1].x;
    CHECK_MSG(last < 0.5 * drive.speed, "%s at %g m/s after a ledge of %g m at %g m/s",
              mover_name(drive.mover), last, rise, drive.speed);
  }
}

TEST(a_fast_wheel_feels_a_ledge_as_if_nothing_lay_before_it) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    double rise = 1e-4 * pow(10, random_between(0, 1.5)) * (i % 3 ? 1 : -1);
    Ground ground = stepped(i % 4 == 0 ? 2 : 3, rise);
    Mover mover = ground.dimension == 2 ? MOVER_BALL : (Mover)(4 * random_unit());
    Drive drive = random_drive(mover);
    drive.speed = random_between(1, 4);
    drive.start = v3(-1, 0, 0);
    drive_all(&ground, drive, (int)fmin(2 / (drive.speed * drive.step), PATH_MAX_STEPS));
    check_same(&drive, 1e-6, 1e-3 * drive.speed);
  }
}

// Distance of a point from level ground that goes on with a slope from x = 0 on.
static double clearance(rgVec3 x, double slope) {
  double along = (x.x + slope * x.z) / sqrt(1 + slope * slope);
  double over = (x.z - slope * x.x) / sqrt(1 + slope * slope);
  if (slope > 0)
    return fmin(x.z, over);
  return x.x <= 0 ? x.z : along >= 0 ? over : sqrt(x.x * x.x + x.z * x.z);
}

// A bend of the ground: uphill or downhill from x = 0 on.
TEST(bends_are_the_same_however_many_pieces_they_are_made_of) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    double slope = random_between(-0.4, 0.4);
    Ground ground = ground_level(i % 4 == 0 ? 2 : 3, 6, 6);
    ground.bottom = -2;
    ground.pieces[0].x1 = 0;
    ground_add(&ground, (Piece){0, 3, -3, 3, 0, 3 * slope});
    ground_place(&ground);
    Mover mover = ground.dimension == 2 ? MOVER_BALL : (Mover)(4 * random_unit());
    Drive drive = random_drive(mover);
    if (mover == MOVER_BALL) // far in one step
      drive.step = 1.0 / 60;
    drive.speed = random_between(0.5, 3);
    drive.start = v3(-0.6, 0, 0);
    drive_all(&ground, drive, (int)fmin(1.2 / (drive.speed * drive.step), PATH_MAX_STEPS));
    CONTEXT("slope %g, %d D, hulls %d", slope, ground.dimension, ground.hulls);
    // A line of contact that tips into the slope has more contacts where seams cross it, and what
    // they hold within the step differs in first order of h.
    check_same(&drive, 1e-4, 5e-3 * drive.speed);
    // Nobody sinks into the slope by more than a step's movement in the corner.
    for (int k = 0; k < runs.cut.count; k++) {
      rgVec3 x = runs.cut.position[k];
      double over = clearance(x, slope);
      if (drive.mover != MOVER_ELLIPSOID &&
          !CHECK_MSG(over >= R - 1e-4, "slope %g: %g m deep at x = %g", slope, R - over, x.x))
        break;
    }
  }
}

TEST(a_wall_beside_a_floor_stops_everything) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    Ground ground = stepped(i % 4 == 0 ? 2 : 3, 0.8);
    ground.hulls = ground.hulls && ground.dimension == 3;
    Mover mover = ground.dimension == 2 ? (i % 8 ? MOVER_BALL : MOVER_BOX)
                                        : (Mover)(MOVER_COUNT * random_unit());
    Drive drive = random_drive(mover);
    drive.mu = 0.1;
    drive.heading *= mover_rolls(mover);
    drive.speed = random_between(1, 4);
    drive.start = v3(-0.6, 0, 0);
    drive_all(&ground, drive, (int)fmin(1 / (drive.speed * drive.step), PATH_MAX_STEPS));
    double front = -1;
    for (int k = 0; k < runs.cut.count; k++)
      front = fmax(front, runs.cut.position[k].x);
    CHECK_MSG(front <= -0.1 + 1e-6 && front >= -0.32, "%s reached %g", mover_name(mover), front);
    CHECK(runs.cut.penetration <= 1e-6);
  }
}

// A box on its edge, exactly in the corner of wall and floor, is held by both until it has fallen on
// its side.
TEST(a_body_in_a_hollow_corner_is_held_by_both_sides) {
  for (int i = 0; i < 20; i += test_fast() ? 5 : 1) {
    rgWorld* world = build_world("default");
    build_set_default_material(world, random_between(0, 0.5), 0);
    build_block(world, v3(1.5, 2, 0.2), v3(-1.5, 0, -0.2));
    build_block(world, v3(0.5, 2, 0.5), v3(0.5, 0, 0.1)); // beside the floor, from below it up
    rgVec3 half = v3(random_between(0.05, 0.2), 0.2, random_between(0.05, 0.2));
    double angle = random_between(0.2, 1.3);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.pose.orientation = turn_about(v3(0, 1, 0), angle);
    // The wall is touched by the right end of the base, which is the lowest one.
    rgVec3 edge = quat_rotate(def.pose.orientation, v3(half.x, 0, -half.z));
    rgVec3 top = quat_rotate(def.pose.orientation, v3(half.x, 0, half.z));
    def.pose.position = v3(-fmax(edge.x, top.x), 0, -edge.z);
    if (top.x > edge.x) // leaning against the wall with its upper edge
      def.velocity = twist(v3(1, 0, 0), v3_zero());
    rgBodyId id = build_body(world, &def, shape_box(half));
    double lowest = 0, farthest = 0;
    for (int k = 0; k < 240; k++) {
      run_steps(world, 1);
      rgPose pose = rg_body_pose(world, id);
      for (int c = 0; c < 4; c++) {
        rgVec3 x = pose_apply(pose, v3(c & 1 ? half.x : -half.x, 0, c & 2 ? half.z : -half.z));
        lowest = fmin(lowest, x.z);
        farthest = fmax(farthest, x.x);
      }
    }
    // The projection leaves 1e-6 of the half-width; the closing of a turning edge is of second
    // order in h.
    CHECK_MSG(lowest >= -1e-4 && farthest <= 1e-4, "angle %g: %g m below, %g m beyond", angle,
              lowest, farthest);
    rg_world_destroy(world);
  }
}

// Between pieces that are apart by less than the tolerance of seams lies no gap.
TEST(a_gap_of_rounding_holds_what_lies_over_it) {
  for (int i = 0; i < 60; i += test_fast() ? 5 : 1) {
    Ground ground = ground_level(i % 4 == 0 ? 2 : 3, 6, 6);
    double gap = random_between(0, 1.9e-7), side = random_between(-0.5, 0.5);
    ground.pieces[0].x1 = -gap / 2;
    ground_add(&ground, (Piece){gap / 2, 3, -3, 3, 0, 0});
    ground.hulls = ground.dimension == 3 && i % 3 == 0;
    Mover mover = ground.dimension == 2 ? MOVER_BALL : (Mover)(i % 4);
    Drive drive = random_drive(mover);
    drive.heading = 0;
    drive.start = v3(i % 5 ? side * gap : 0, 0, 0);
    drive_run(&ground, &drive, 100, &runs.whole);
    double height = runs.whole.position[99].z;
    CHECK_MSG(fabs(height - R) <= 1e-6, "%s sank by %g m into a gap of %g m", mover_name(mover),
              R - height, gap);
  }
}

// A raft slides on four fixed balls: of one body made of flush boxes, the seams pass over them.
static rgWorld* raft_world(const char* preset, double speed, int along, int across, rgBodyId* id) {
  rgWorld* world = build_world(preset);
  build_set_default_material(world, 0.02, 0);
  for (int i = 0; i < 4; i++) {
    rgBodyDef def = body_at(RG_BODY_STATIC, v3(i & 1 ? 0.4 : -0.4, i & 2 ? 0.3 : -0.3, -0.2));
    build_body(world, &def, shape_sphere(0.2));
  }
  rgVec3 half = v3(1.5, 0.5, 0.1), part = v3(half.x / along, half.y / across, half.z);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.5, 0, half.z));
  def.velocity = twist(v3(speed, 0, 0), v3_zero());
  for (int i = 0; i < along * across; i++) {
    rgShapeDef shape = shape_box(part);
    shape.pose.position =
        v3((2 * (i % along) + 1) * part.x - half.x, (2 * (i / along) + 1) * part.y - half.y, 0);
    rgShapeId shape_id;
    if (i == 0)
      *id = build_body(world, &def, shape);
    else
      REQUIRE_INT(rg_world_add_shape(world, *id, &shape, &shape_id), RG_OK);
  }
  return world;
}

// At theta < 1 contacts of shapes without neighbours have the geometry of the mean of the step, which
// makes another motion at second order: there a raft is compared with one of two boxes.
TEST(a_raft_of_flush_boxes_slides_the_same_however_many_they_are) {
  static const char* const presets[] = {"default", "reference"};
  for (int i = 0; i < 24; i += test_fast() ? 5 : 1) {
    double speed = random_between(0.5, 2.5);
    int along = 2 + (int)(9 * random_unit()), across = 1 + i % 3;
    CONTEXT("%s, %d x %d, %g m/s", presets[i % 2], along, across, speed);
    rgBodyId id[2];
    rgWorld* worlds[2] = {raft_world(presets[i % 2], speed, 1 + i % 2, 1, &id[0]),
                          raft_world(presets[i % 2], speed, along, across, &id[1])};
    int steps = (int)(0.9 / (speed * rg_world_options(worlds[0])->step));
    for (int k = 0; k < steps; k++) {
      run_steps(worlds[0], 1);
      run_steps(worlds[1], 1);
      rgTwist a = rg_body_velocity(worlds[0], id[0]), b = rg_body_velocity(worlds[1], id[1]);
      bool same = v3_norm(v3_sub(a.linear, b.linear)) <= 1e-5 * speed &&
                  v3_norm(v3_sub(a.angular, b.angular)) <= 1e-4 * speed;
      if (!CHECK_MSG(same, "step %d of %d: %g m/s, %g rad/s", k, steps,
                     v3_norm(v3_sub(a.linear, b.linear)), v3_norm(v3_sub(a.angular, b.angular))))
        break;
    }
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}

// Over a gap of width w a ball sinks by R - sqrt(R^2 - w^2/4).
TEST(gaps_are_felt) {
  for (int i = 0; i < 40; i += test_fast() ? 5 : 1) {
    double width = random_between(0.01, 0.1), dip = R - sqrt(R * R - width * width / 4);
    Ground ground = ground_level(i % 4 == 0 ? 2 : 3, 6, 6);
    ground.pieces[0].x1 = -width / 2;
    ground_add(&ground, (Piece){width / 2, 3, -3, 3, 0, 0});
    ground_place(&ground);
    Drive drive = random_drive(MOVER_BALL);
    drive.heading = 0;
    drive.step = 1.0 / 240;
    drive.speed = 0.1;
    drive.start = v3(-width / 2 - 0.02, 0, 0);
    drive_all(&ground, drive, PATH_MAX_STEPS);
    check_same(&drive, 1e-6, 1e-3 * drive.speed);
    double lowest = R;
    for (int k = 0; k < runs.cut.count; k++)
      lowest = fmin(lowest, runs.cut.position[k].z);
    CHECK_MSG(R - lowest > 0.8 * dip, "gap of %g m: sank by %g, not %g", width, R - lowest, dip);
  }
}
