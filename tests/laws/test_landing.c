// How gaps close: joint limits and contacts that forces press bodies against, chains of hits within
// one step, rebounds, and bodies that forces drive towards each other.
//
// All worlds have the stabilizer none unless a test is about the projection, so that what the step
// itself does is seen.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static rgWorld* make_world(double h, double theta, const char* stabilizer) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = v3_zero();
  def.options.step = h;
  def.options.theta = theta;
  snprintf(def.options.stabilizer, sizeof def.options.stabilizer, "%s", stabilizer);
  return build_world_of(&def);
}

static void push(rgWorld* world, rgBodyId body, rgWrench wrench) {
  rgForceDef def = rg_force_def();
  def.body = body;
  def.wrench = wrench;
  rgForceId id;
  REQUIRE(rg_world_add_force(world, &def, &id) == RG_OK);
}

// --- limits of joints ---------------------------------------------------------------------------

// Drives a body of mass 2 (moment 2) from rest over the distance `gap` to the limit of its axis with
// the acceleration `a`, and returns how far the axis passes the limit. `upper`: in the other
// direction.
static double passed_limit(rgJointKind kind, double h, double theta, double gap, double a,
                           bool upper) {
  rgWorld* world = make_world(h, theta, "none");
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_zero());
  body.mass = 2;
  body.inertia_given = true;
  body.inertia = m3_diag(2, 2, 2);
  rgJointDef joint = rg_joint_def(kind);
  REQUIRE(rg_world_add_body(world, &body, NULL, 0, &joint.body_b) == RG_OK);
  double sign = upper ? 1 : -1;
  *(upper ? &joint.axes[0].upper : &joint.axes[0].lower) = sign * gap;
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
  rgVec3 drive = v3(sign * 2 * a, 0, 0);
  bool angle = rg_joint_axis_is_angle(kind, 0);
  push(world, joint.body_b, angle ? (rgWrench){v3_zero(), drive} : (rgWrench){drive, v3_zero()});
  double passed = -HUGE_VAL, rate = 0;
  for (int i = 0; i < 12; i++) {
    rgCertificate certificate = run_met_step(world, i);
    rgJointState state;
    REQUIRE(rg_joint_state(world, id, &state) == RG_OK);
    passed = fmax(passed, sign * state.coordinate[0] - gap);
    rate = sign * state.rate[0];
    // The limit gives nothing back: energy falls or stays, up to what the solve leaves of it.
    double kinetic = rg_world_energy(world).kinetic;
    CHECK_MSG(certificate.energy <= 1e-9 * (kinetic + 2 * a * gap), "gained %g J at step %d",
              certificate.energy, i);
  }
  CHECK_NEAR(rate, 0, 1e-9 * a * h); // it rests there, as exactly as the solve is asked for
  rg_world_destroy(world);
  return passed;
}

// From rest over less than what the acceleration makes of one step, the axis comes to rest at the
// limit and never beyond it: a step that arrived there with a velocity would pass it in the next by
// the gap itself.
TEST(a_limit_is_reached_under_a_force_and_not_passed) {
  const double h = 0.01;
  const rgJointKind kinds[] = {RG_JOINT_SLIDER, RG_JOINT_HINGE};
  const double thetas[] = {0.5, 0.6, 0.8, 1}, accelerations[] = {1, 30, 500};
  for (int k = 0; k < 2; k++)
    for (int t = 0; t < 4; t++)
      for (int s = 0; s < 3; s++)
        for (int part = 1; part <= 20; part++) {
          double a = accelerations[s], gap = 0.05 * part * a * h * h;
          CONTEXT("%s, theta %g, acceleration %g, gap %g of a h2", rg_joint_kind_name(kinds[k]),
                  thetas[t], a, 0.05 * part);
          double passed = passed_limit(kinds[k], h, thetas[t], gap, a, part % 2 == 0);
          // What the solve leaves; a turn moreover is a Cayley vector in the step, whose length
          // differs from the angle by its cube over 12.
          double cubic = kinds[k] == RG_JOINT_HINGE ? gap * gap * gap / 12 : 0;
          CHECK_MSG(passed <= 1e-9 * gap + cubic, "passed by %g of the gap", passed / gap);
        }
}

// The same of a contact: a box or a ball pressed against a wall from rest.
TEST(a_wall_is_reached_under_a_force_and_not_passed) {
  const double h = 0.01;
  const double thetas[] = {0.5, 0.6, 0.8, 1}, accelerations[] = {1, 30, 500};
  for (int ball = 0; ball < 2; ball++)
    for (int t = 0; t < 4; t++)
      for (int s = 0; s < 3; s++)
        for (int part = 1; part <= 20; part++) {
          double a = accelerations[s], gap = 0.05 * part * a * h * h;
          rgWorld* world = make_world(h, thetas[t], "none");
          build_set_default_material(world, 0, 0);
          build_floor(world);
          rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5 + gap));
          def.mass = 2;
          rgBodyId id =
              build_body(world, &def, ball ? shape_sphere(0.5) : shape_box(v3(0.5, 0.5, 0.5)));
          push(world, id, (rgWrench){v3(0, 0, -2 * a), v3_zero()});
          CONTEXT("%s, theta %g, acceleration %g, gap %g of a h2", ball ? "ball" : "box", thetas[t],
                  a, 0.05 * part);
          for (int i = 0; i < 12; i++) {
            double overlap = run_met_step(world, i).penetration;
            // gaps below the projection's tolerance count as touching
            double touching = rg_world_options(world)->projection_tolerance * 0.5;
            CHECK_MSG(overlap <= 1e-9 * gap + touching, "overlap of %g of the gap at step %d",
                      overlap / gap, i);
          }
          rg_world_destroy(world);
        }
}

// --- hits within one step -----------------------------------------------------------------------

typedef struct Row {
  int count;
  double radius[24], mass[24], gap[24], velocity[24]; // gap to the next one
} Row;

// Balls that all move, approach each other slowly, and one from behind that is faster: its hit runs
// through all of them in the first step. Their common velocity is what makes a contact known that
// only a hit within the step closes: the search goes as far as a body moves.
static Row random_row(int count, double h) {
  Row row = {.count = count};
  double fast = random_between(2, 10);
  for (int i = 0; i < count; i++) {
    row.radius[i] = random_between(0.05, 0.2);
    row.mass[i] = random_between(0.5, 2);
    row.gap[i] = (i == 0 ? 0.2 : 0.1) * h * fast * random_between(0.2, 1);
    // None of the slow gaps closes by itself: they approach by a hundredth of the gap per step.
    row.velocity[i] = i == 0   ? 2 * fast
                      : i == 1 ? fast
                               : row.velocity[i - 1] - 0.01 * row.gap[i - 1] / h;
  }
  return row;
}

static void add_row(rgWorld* world, const Row* row, rgBodyId* ids) {
  double x = 0;
  for (int i = 0; i < row->count; i++) {
    x += i ? row->radius[i - 1] + row->gap[i - 1] + row->radius[i] : 0;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(x, 0, 0));
    def.mass = row->mass[i];
    def.velocity.linear.x = row->velocity[i];
    ids[i] = build_body(world, &def, shape_sphere(row->radius[i]));
  }
}

// Elastic hits at theta = 1/2 reverse the velocities of a pair, so that over the step its gap
// does not change at all: however many hits run through the row in one step, nothing overlaps, and
// energy and momentum stay what they were.
TEST(hits_run_through_a_row_of_elastic_balls_within_one_step) {
  const double h = 0.01;
  random_state = 5;
  int whole = 0;
  for (int trial = 0; trial < 60; trial++) {
    Row row = random_row(3 + trial % 10, h);
    rgWorld* world = make_world(h, 0.5, "none");
    build_set_default_material(world, 0, 1);
    rgBodyId ids[16];
    add_row(world, &row, ids);
    double energy = rg_world_energy(world).kinetic, momentum = rg_world_momentum(world).linear.x;
    CONTEXT("trial %d, %d balls", trial, row.count);
    for (int step = 0; step < 3; step++) {
      rgCertificate certificate = run_met_step(world, step);
      CHECK_MSG(certificate.penetration <= 1e-12, "overlap of %g m in step %d",
                certificate.penetration, step); // rounding of positions of a few metres
      double last = rg_body_velocity(world, ids[row.count - 1]).linear.x;
      whole += step == 0 && last > row.velocity[row.count - 1] + 1e-3;
    }
    // The preset asks for residuals of 1e-10 of the fast velocity.
    CHECK_REL(rg_world_energy(world).kinetic, energy, 1e-8);
    CHECK_REL(rg_world_momentum(world).linear.x, momentum, 1e-12);
    rg_world_destroy(world);
  }
  CHECK_MSG(whole >= 50, "only %d hits came to the end of their row in the first step", whole);
}

// A ball that flies along a wall, or slowly away from it, is hit from the other side by a faster one
// within the step: it would pass the gap to the wall. Stopping it at the wall would take the energy
// that it arrives with. At e = 1 it turns round instead, which takes no work at theta = 1/2, and the
// later steps have elastic impacts only: the energy stays. At smaller e some is lost, never gained.
TEST(what_a_hit_throws_against_a_wall_keeps_its_energy) {
  const double h = 0.01, es[] = {1, 0.7, 0.3}, size = 0.1;
  random_state = 23;
  int reached = 0;
  for (int round = 0; round < 240; round++) {
    double e = es[round % 3], along = random_between(4, 8), away = random_between(0, 0.1);
    if (round % 2)
      away = 0;
    double gap = random_between(0.1, 0.9) * h * along; // less than the ball goes along the wall
    double fast = random_between(4, 12) * gap / h;     // of the one that hits it
    rgWorld* world = make_world(h, 0.5, "none");
    build_set_default_material(world, 0, e);
    build_floor(world);
    rgBodyId ids[2];
    for (int i = 0; i < 2; i++) {
      double between = random_between(0.05, 0.3) * h * fast;
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, size + gap + i * (2 * size + between)));
      def.mass = random_between(0.5, 2);
      def.velocity.linear = v3(along, 0, i ? -fast : away);
      ids[i] = build_body(world, &def, shape_sphere(size));
    }
    CONTEXT("round %d: e %g, gap %g, hit at %g m/s", round, e, gap, fast);
    double start = rg_world_energy(world).kinetic, last = start;
    for (int step = 0; step < 6; step++) {
      run_met_step(world, step);
      double now = rg_world_energy(world).kinetic;
      // The preset asks for residuals of 1e-10 of the velocities.
      CHECK_MSG(now <= last * (1 + 1e-9), "gained %g of %g J in step %d", now - last, last, step);
      last = now;
    }
    if (e == 1)
      CHECK_REL(last, start, 1e-8);
    reached += rg_body_velocity(world, ids[1]).linear.z > -fast;
    rg_world_destroy(world);
  }
  CHECK_INT(reached, 240);
}

// --- rebounds -----------------------------------------------------------------------------------

// What was thrown back in a step ends it in overlap by up to (1 - e) / 2 of what it went, and is out
// of it again a step later. The projection leaves it alone: the centre moves by the mean velocity
// and by nothing else, and no height is gained.
TEST(the_projection_does_not_lift_what_was_just_thrown_back) {
  const double h = 0.005;
  random_state = 11;
  int overlapped = 0;
  for (int trial = 0; trial < 200; trial++) {
    bool box = trial % 2;
    double e = random_between(0.4, 0.9), speed = random_between(1, 20), size = 0.1;
    double gap = random_between(0, 1) * h * speed;
    rgWorld* world = make_world(h, 0.5, "post");
    build_set_default_material(world, 0, e);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, size + gap));
    def.velocity.linear.z = -speed;
    rgBodyId id =
        build_body(world, &def, box ? shape_box(v3(size, size, size)) : shape_sphere(size));
    CONTEXT("trial %d: e %g, speed %g, gap %g", trial, e, speed, gap);
    for (int step = 0; step < 4; step++) {
      double z = rg_body_center(world, id).z, v = rg_body_velocity(world, id).linear.z;
      run_met_step(world, step);
      double end = rg_body_velocity(world, id).linear.z;
      double overlap = size - rg_body_center(world, id).z;
      overlapped += overlap > 1e-3 * size;
      CHECK_NEAR(rg_body_center(world, id).z, z + 0.5 * h * (v + end), 1e-14); // rounding
    }
    CHECK_REL(rg_body_velocity(world, id).linear.z, e * speed, 1e-9);
    rg_world_destroy(world);
  }
  CHECK_MSG(overlapped >= 20, "only %d rebounds ended in overlap", overlapped);
}

// What lies in overlap without being thrown back is lifted, restitution or not.
TEST(the_projection_lifts_what_rests_in_overlap) {
  const double es[] = {0, 0.3, 1};
  for (int k = 0; k < 3; k++) {
    rgWorld* world = make_world(0.005, 0.5, "post");
    build_set_default_material(world, 0, es[k]);
    build_floor(world);
    rgBodyId id = build_sphere(world, 0.1, v3(0, 0, 0.099));
    CONTEXT("e %g", es[k]);
    rgCertificate certificate = run_met_step(world, 0);
    double allowed = rg_world_options(world)->projection_tolerance * 0.1;
    CHECK_MSG(certificate.penetration <= allowed, "overlap of %g m", certificate.penetration);
    CHECK_NEAR(rg_body_velocity(world, id).linear.z, 0, 1e-12); // velocities are not touched
    rg_world_destroy(world);
  }
}

// --- reach --------------------------------------------------------------------------------------

// Two bodies driven towards each other from rest by opposite forces, F = m a each, from the distance
// that they would pass in `part` steps at the end of a run-up. The step in which they come to touch
// must know of the contact: at theta = 1 they end it touching, not in overlap.
static void check_driven(rgShapeDef a, rgShapeDef b, double half, double gap, double acceleration) {
  rgWorld* world = make_world(0.01, 1, "none");
  build_set_default_material(world, 0, 0);
  const rgShapeDef shapes[2] = {a, b};
  for (int side = 0; side < 2; side++) {
    double sign = side ? 1 : -1;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(sign * (half + 0.5 * gap), 0, 0));
    def.mass = 1 + side;
    rgBodyId id = build_body(world, &def, shapes[side]);
    push(world, id, (rgWrench){v3(-sign * def.mass * acceleration, 0, 0), v3_zero()});
  }
  double touching = rg_world_options(world)->projection_tolerance * half;
  for (int step = 0; step < 15; step++) {
    rgCertificate certificate = run_met_step(world, step);
    CHECK_MSG(certificate.penetration <= 1e-9 * half + touching, "overlap of %g m in step %d",
              certificate.penetration, step);
  }
  rg_world_destroy(world);
}

TEST(bodies_driven_towards_each_other_touch_without_overlap) {
  const double h = 0.01, half = 0.5, accelerations[] = {20, 200, 1000};
  const rgShapeDef shapes[][2] = {
      {shape_sphere(half), shape_sphere(half)},
      {shape_box(v3(half, half, half)), shape_box(v3(half, half, half))},
      {shape_sphere(half), shape_box(v3(half, half, half))}};
  for (int pair = 0; pair < 3; pair++)
    for (int s = 0; s < 3; s++)
      for (int part = 1; part <= 48; part++) {
        double a = accelerations[s], gap = 0.25 * part * a * h * h;
        CONTEXT("pair %d, acceleration %g, gap %g of a h2", pair, a, 0.25 * part);
        check_driven(shapes[pair][0], shapes[pair][1], half, gap, a);
      }
}

// A force that begins at a certain time, so that no step before it knows of it.
typedef struct Blow {
  double begin; // [s]
  rgVec3 force; // [N]
} Blow;

static rgWrench blow_of(double time, rgPose pose, rgTwist velocity, void* context) {
  const Blow* blow = context;
  (void)pose, (void)velocity;
  return (rgWrench){time > blow->begin ? blow->force : v3_zero(), v3_zero()};
}

// A body at rest before a thin wall is pushed at once so strongly that one step would take it to the
// wall, into it, or through it: the step that pushes it must find the wall, although contacts were
// sought for a body at rest.
TEST(a_body_that_is_pushed_anew_does_not_pass_a_wall) {
  const double h = 0.01, half = 0.5, thin = 0.01;
  const double ways[] = {0.02, 0.1, 1, 10}; // [m] that the force takes the body in one step
  for (int round = 0; round < 2; round++)
    for (int k = 0; k < 4; k++)
      for (int part = 1; part <= 9; part++) {
        double gap = 0.1 * part * ways[k];
        rgWorld* world = make_world(h, 1, "none");
        build_set_default_material(world, 0, 0);
        build_block(world, v3(thin, 5, 5), v3(thin, 0, 0));
        rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-half - gap, 0, 0));
        def.mass = 2;
        rgBodyId id =
            build_body(world, &def, round ? shape_sphere(half) : shape_box(v3(half, half, half)));
        Blow blow = {2.5 * h, v3(2 * ways[k] / (h * h), 0, 0)};
        rgForceDef force = rg_force_def();
        force.kind = RG_FORCE_CALLBACK;
        force.body = id;
        force.callback = blow_of;
        force.context = &blow;
        rgForceId force_id;
        REQUIRE(rg_world_add_force(world, &force, &force_id) == RG_OK);
        CONTEXT("%s, %g m in one step, gap %g", round ? "ball" : "box", ways[k], gap);
        run_steps(world, 2);
        CHECK_NEAR(rg_body_center(world, id).x, -half - gap, 0);
        double touching = rg_world_options(world)->projection_tolerance * half;
        for (int step = 0; step < 3; step++) {
          run_met_step(world, step);
          double overlap = rg_body_center(world, id).x + half;
          CHECK_MSG(overlap <= touching + 1e-9 * ways[k], "%g m beyond the wall in step %d",
                    overlap, step);
        }
        CHECK_NEAR(rg_body_center(world, id).x, -half, touching + 1e-9 * ways[k]); // it came there
        rg_world_destroy(world);
      }
}

// A rod that spins about its centre, which rests: all that its ends do comes of the spin. The step in
// which an end comes to the ball in its way must know of the contact. What is left is of second order
// in the turn of a step: the end moves on an arc, the law at the contact on its tangent.
TEST(the_end_of_a_spinning_rod_finds_what_is_in_its_way) {
  const double h = 0.01, length = 1, radius = 0.05;
  const double turns[] = {0.01, 0.03, 0.1}; // [rad] per step
  for (int shape = 0; shape < 2; shape++)
    for (int k = 0; k < 3; k++)
      for (int part = 1; part <= 10; part++) {
        rgWorld* world = make_world(h, 1, "none");
        build_set_default_material(world, 0, 0);
        rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
        def.velocity.angular = v3(0, 0, turns[k] / h);
        rgShapeDef rod =
            shape ? shape_capsule(radius, length) : shape_box(v3(length, radius, radius));
        if (shape)
          rod.pose.orientation = turn_about(v3(0, 1, 0), 0.5 * RG_PI);
        build_body(world, &def, rod);
        // In three steps or less the end reaches it.
        double gap = 0.3 * part * turns[k] * length;
        rgBodyDef ball = body_at(RG_BODY_STATIC, v3(length - radius, 2 * radius + gap, 0));
        build_body(world, &ball, shape_sphere(radius));
        CONTEXT("%s, %g rad per step, gap %g", shape ? "capsule" : "box", turns[k], gap);
        double deepest = 0, second = turns[k] * turns[k] * length;
        for (int step = 0; step < 6; step++)
          deepest = fmax(deepest, run_met_step(world, step).penetration);
        CHECK_MSG(deepest <= second, "overlap of %g m, second order %g m", deepest, second);
        rg_world_destroy(world);
      }
}

// Each rebuild of a step lets the next hit of a row in. Rows longer than the rebuilds of a step are
// not solved to their end; the step says so and is not met.
TEST(rows_too_long_for_one_step_are_told) {
  const double h = 0.01;
  random_state = 6;
  int told = 0;
  for (int trial = 0; trial < 40; trial++) {
    Row row = random_row(22 + trial % 3, h);
    rgWorld* world = make_world(h, 0.5, "none");
    build_set_default_material(world, 0, 1);
    rgBodyId ids[24];
    add_row(world, &row, ids);
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    CONTEXT("trial %d, %d balls", trial, row.count);
    bool closing = certificate.stages[RG_STAGE_CLOSING].missed > 0;
    // Rounding of positions of a few metres.
    CHECK_MSG(closing || certificate.penetration <= 1e-12, "overlap of %g m, and nothing is said",
              certificate.penetration);
    CHECK(certificate.met == !closing);
    told += closing;
    rg_world_destroy(world);
  }
  CHECK_MSG(told >= 3, "only %d rows were too long", told);
}

// What comes to a plane without restitution lands on it: it ends the step touching, neither above nor
// below, whatever part of its way the gap is, and however far it goes in a step for its size.
TEST(what_lands_ends_its_step_touching) {
  random_state = 9;
  for (int k = 0; k < 80; k++) {
    double theta = k % 4 == 0 ? 1 : k % 4 == 1 ? 0.75 : 0.5, r = 0.02 + 0.2 * random_unit();
    double h = 5e-3, v = k % 2 ? 50 * random_unit() : 3 * random_unit();
    double gap = h * v * random_unit();
    rgWorld* world = build_still(k % 3 ? "default" : "reference");
    build_set_step(world, h, theta);
    build_set_default_material(world, 0, 0);
    build_floor(world);
    rgBodyId ball = build_sphere(world, r, v3(0, 0, r + gap));
    REQUIRE(rg_body_set_velocity(world, ball, twist(v3(0, 0, -v), v3_zero())) == RG_OK);
    rgCertificate c;
    REQUIRE(rg_world_step(world, &c) == RG_OK);
    double end = rg_body_center(world, ball).z - r;
    CONTEXT("case %d: theta %g, radius %g, %g m/s, gap %g of %g m", k, theta, r, v, gap, h * v);
    // What the projection leaves alone, and the tolerance of the solve.
    double left = rg_world_options(world)->projection_tolerance * r + 1e-5 * h * v;
    CHECK_MSG(fabs(end) <= left, "ends at %g m, asked for %g m", end, left);
    rg_world_destroy(world);
  }
}

static rgPose rush(double time, void* context) {
  const double* way = context; // speed and acceleration
  return (rgPose){v3(0, 0, way[0] * time + 0.5 * way[1] * time * time - 0.5), {1, 0, 0, 0}};
}

// Whatever brings two bodies together, their velocities, forces that last, a movement from outside, or a spin that
// swings an end about: contacts are there in the step in which they meet, and nothing is passed.
TEST(bodies_that_come_together_are_seen_in_that_step) {
  random_state = 83;
  int met = 0;
  for (int i = 0; i < 80; i++) {
    double h = random_between(2e-3, 1e-2), radius = random_between(0.05, 0.2);
    rgWorld* world = build_still("default");
    build_set_step(world, h, 1);
    build_set_default_material(world, 0, 0);
    double way[2] = {random_between(0, 2), random_between(0, 100)};
    int kind = i % 4; // a plate that rushes up, balls, a ball pushed down, a rod that swings
    bool first = i / 4 % 2;
    rgBodyDef plate = body_at(kind == 0 ? RG_BODY_KINEMATIC : RG_BODY_STATIC, v3(0, 0, -0.5));
    if (kind == 0) {
      plate.motion = rush;
      plate.motion_context = way;
    }
    double gap = random_between(0.2, 2.5) * h * (kind == 0 ? way[0] + 0.1 : 1);
    rgBodyDef ball = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius + gap));
    ball.velocity.linear = v3(random_between(-1, 1), 0, kind == 1 ? -random_between(1, 3) : 0);
    rgShapeDef shape = shape_sphere(radius);
    if (kind == 3) { // one end comes down, the centre stays
      double half = 5 * radius;
      shape = shape_capsule(0.5 * radius, half);
      ball.pose.orientation = turn_about(v3(0, 1, 0), 0.5 * 3.14159265358979323846);
      ball.pose.position.z = 0.5 * radius + gap;
      ball.velocity = twist(v3_zero(), v3(0, random_between(1, 3) / half, 0));
    }
    rgBodyId id = {0, 0};
    for (int k = 0; k < 2; k++)
      if ((k == 0) == first)
        id = build_body(world, &ball, shape);
      else
        build_body(world, &plate, shape_box(v3(3, 3, 0.5)));
    if (kind == 2) {
      rgForceDef push = rg_force_def();
      push.body = id;
      push.wrench.force = v3(0, 0, -rg_body_mass(world, id).mass * random_between(20, 200));
      rgForceId force;
      REQUIRE_INT(rg_world_add_force(world, &push, &force), RG_OK);
    }
    bool pushed = false;
    for (int step = 0; step < 30 && !pushed; step++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      CONTEXT("case %d, h %g, step %d", i, h, step);
      // the end of a rod is lower than its tangent foresees by its turn squared
      double bent = kind == 3 ? 5 * radius * (3 * h / (5 * radius)) * (3 * h / (5 * radius)) : 0;
      CHECK_MSG(certificate.penetration <= 2e-6 * radius + bent, "overlap of %g m",
                certificate.penetration);
      rgContact contact;
      for (int k = 0; k < rg_world_contact_count(world); k++)
        if (rg_world_contact(world, k, &contact) == RG_OK)
          pushed = pushed || v3_norm(contact.impulse) > 0;
    }
    met += pushed;
    rg_world_destroy(world);
  }
  CHECK_MSG(met >= 70, "only %d met", met);
}

// At theta < 1 the movement is that of the mean velocity: what comes in fast would sink by a part of its way in the step.
// Where that is more than a quarter of its half-width, it goes by its end velocity as far as it needs to, and ends
// touching, at any speed, spinning or not.
TEST(what_lands_fast_at_theta_one_half_ends_touching) {
  random_state = 47;
  int hastened = 0;
  for (int i = 0; i < 40; i++) {
    double h = 1.0 / 240, radius = 0.1, speed = random_between(15, 45);
    rgWorld* world = build_still("default");
    rgOptions options = *rg_world_options(world);
    options.step = h;
    options.theta = i % 2 ? 0.5 : 0.7;
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    build_set_default_material(world, i % 3 ? 0.4 : 0, 0);
    build_floor(world);
    double gap = random_between(0, 0.5) * h * speed;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius + gap));
    def.velocity = twist(v3(2, 1, -speed), v3_scale(random_vector(), i / 2 % 2 ? 10 : 0));
    rgBodyId ball = build_body(world, &def, shape_sphere(radius));
    CONTEXT("ball %d, %g m/s", i, speed);
    double sinks = h * (1 - options.theta) * speed - gap;
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    if (sinks > 0.26 * radius) {
      CHECK_MSG(certificate.penetration <= 1e-5 * radius, "sinks by %g m", certificate.penetration);
      CHECK_NEAR(rg_body_center(world, ball).z, radius, 1e-4 * radius);
      hastened++;
    } else if (sinks > 0 && sinks < 0.24 * radius) {
      CHECK_NEAR(certificate.penetration, sinks, 1e-5 * radius);
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(hastened >= 8, "only %d", hastened);
}
