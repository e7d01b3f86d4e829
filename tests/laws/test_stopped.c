// Boxes that slide and spin on level ground at theta = 1/2 come to rest and stay there: no slip that
// changes its sign from step to step, and no friction under a body that nothing pushes.
//
// Friction at the end of a step may gain energy at theta < 1, and contacts that would are given the law of
// the mean slip, under which what sticks turns its slip round. Judged contact by contact, redundant ones
// seemed to gain at any time, because how they share the friction of the body is arbitrary.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { STARTS = 18 };
static const double G = 9.81;

typedef struct Start {
  double step, tolerance, mu;
  rgVec3 half, velocity;
  double spin, angle;
} Start;

static Start random_start(int seed) {
  static const double steps[] = {1e-3, 2e-3, 1.0 / 240}, tolerances[] = {1e-6, 1e-8, 1e-10};
  random_state = 500 + (uint64_t)seed;
  Start start = {.step = steps[seed % 3], .tolerance = tolerances[seed / 3 % 3]};
  start.mu = random_between(0.2, 0.9);
  start.half = v3_add(v3_scale(random_vector(), 0.1), v3(0.15, 0.15, 0.15));
  start.half.z = 0.9 * fmin(start.half.x, start.half.y); // too low for friction to tip it over
  start.velocity = v3(random_between(-1, 1), random_between(-1, 1), 0);
  start.spin = random_between(-4, 4);
  start.angle = random_between(0, 3);
  return start;
}

static rgWorld* begin(const Start* start, rgBodyId* box) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.step = start->step;
  def.options.tolerance = start->tolerance;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, start->mu, 0);
  build_floor(world);
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0, 0, start->half.z));
  body.pose.orientation = turn_about(v3(0, 0, 1), start->angle);
  body.velocity = twist(start->velocity, v3(0, 0, start->spin));
  *box = build_body(world, &body, shape_box(start->half));
  return world;
}

// The friction of all contacts together, as a part of the weight.
static double friction_of(const rgWorld* world, const Start* start) {
  rgVec3 sum = v3_zero();
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    sum = v3_add(sum, contact.impulse);
  }
  double mass = 8000 * start->half.x * start->half.y * start->half.z;
  return sqrt(sum.x * sum.x + sum.y * sum.y) / (mass * G * start->step);
}

TEST(boxes_that_have_stopped_stay_at_rest) {
  for (int seed = 0; seed < STARTS; ++seed) {
    Start start = random_start(seed);
    CONTEXT("seed %d, h = %g s, tolerance %g", seed, start.step, start.tolerance);
    rgBodyId box;
    rgWorld* world = begin(&start, &box);
    // By then friction has ended any of these motions.
    double time =
        0.3 + v3_norm(start.velocity) / (start.mu * G) + fabs(start.spin) / (start.mu * G);
    run_steps(world, (int)(time / start.step));
    double scale = G * start.step, speed = 0, friction = 0;
    for (int i = 0; i < 20; ++i) {
      run_steps(world, 1);
      rgTwist v = rg_body_velocity(world, box);
      speed = fmax(speed, v3_norm(v.linear) + 0.2 * v3_norm(v.angular));
      friction = fmax(friction, friction_of(world, &start));
    }
    // What a solve may leave: some tolerances of the velocity that gravity gives in a step.
    CHECK_MSG(speed <= 100 * start.tolerance * scale, "moves with %g of g h", speed / scale);
    CHECK_MSG(friction <= 100 * start.tolerance, "friction of %g of the weight", friction);
    rg_world_destroy(world);
  }
}
