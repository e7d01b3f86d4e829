// What a step does with contacts and what can be read of it: normals, impulses, islands, momentum,
// nothing passes through anything, and what rests costs no iteration.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"
#include "world/world.h"

static const double GRAVITY = 9.81; // [m/s2]
// Impulses follow from velocities that are right to the tolerance of the preset "default" (1e-6 of
// g h); on one of several bodies the error may be some times as large.
static const double IMPULSE_ERROR = 1e-5;

// --- reading contacts ---------------------------------------------------------------------------

// Sum over the contacts of `id` of the impulse on it; checks that normals point from B to A and are
// unit.
static rgVec3 impulse_on(const rgWorld* world, rgBodyId id) {
  rgVec3 sum = v3_zero();
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact c;
    REQUIRE(rg_world_contact(world, i, &c) == RG_OK);
    CHECK(rg_body_valid(world, c.body_a) && rg_body_valid(world, c.body_b));
    CHECK_NEAR(v3_norm(c.normal), 1, 1e-14);
    CHECK_MSG(v3_dot(c.impulse, c.normal) >= 0, "contacts push");
    if (c.body_a.index == id.index)
      sum = v3_add(sum, c.impulse);
    if (c.body_b.index == id.index)
      sum = v3_sub(sum, c.impulse);
  }
  return sum;
}

TEST(a_box_at_rest_is_carried_by_its_contacts) {
  rgWorld* world = build_world("default");
  rgBodyId floor = build_floor(world), box = build_box(world, v3(0.5, 0.3, 0.2), v3(1, 2, 0.2));
  run_steps(world, 50);
  double h = rg_world_options(world)->step, weight = rg_body_mass(world, box).mass * GRAVITY;
  CHECK_NEAR(distance(impulse_on(world, box), v3(0, 0, weight * h)), 0, IMPULSE_ERROR * weight * h);
  CHECK_NEAR(distance(impulse_on(world, floor), v3(0, 0, -weight * h)), 0,
             IMPULSE_ERROR * weight * h);
  CHECK_INT(rg_world_contact_count(world), 4);
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact c;
    REQUIRE(rg_world_contact(world, i, &c) == RG_OK);
    double up = c.body_a.index == box.index ? 1 : -1; // from B to A
    CHECK_NEAR(distance(c.normal, v3(0, 0, up)), 0, 1e-12);
    CHECK_NEAR(fabs(c.point.x - 1), 0.5, 1e-6);
    CHECK_NEAR(fabs(c.point.y - 2), 0.3, 1e-6);
    CHECK_NEAR(c.gap, 0, 1e-6 * 0.2);
    CHECK_NEAR(c.torsion, 0, 0);
  }
  rgContact none;
  CHECK_INT(rg_world_contact(world, 4, &none), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_contact(world, -1, &none), RG_ERROR_NOT_FOUND);
  rg_world_destroy(world);
}

// Without weight and at rest nothing can come closer; a gap that counts as touching is found all the
// same, whatever the rounding of the positions, in every preset, and one twice as large is not.
TEST(what_counts_as_touching_is_found_at_rest) {
  static const char* const presets[] = {"default", "realtime", "reference"};
  static const double parts[] = {-1e-15, 0, 1e-16, 1e-15, 0.01, 0.5, 0.99}; // of what counts
  random_state = 7;
  for (int k = 0; k < 3 * 7 * 20; k++) {
    rgWorld* world = build_still(presets[k % 3]);
    double part = parts[k / 3 % 7], small = random_between(0.01, 1), large = random_between(1, 3);
    double gap = part * rg_world_options(world)->projection_tolerance * small;
    CONTEXT("%s: radii %g and %g, gap %g", presets[k % 3], small, large, gap);
    build_sphere(world, large, v3_zero());
    rgBodyId ball = build_sphere(world, small, v3(0, 0, small + large + gap));
    run_steps(world, 1);
    CHECK_INT(rg_world_contact_count(world), 1);
    gap = 2 * rg_world_options(world)->projection_tolerance * small;
    REQUIRE(rg_body_set_pose(world, ball, pose_at(v3(0, 0, small + large + gap))) == RG_OK);
    run_steps(world, 1);
    CHECK_INT(rg_world_contact_count(world), 0);
    rg_world_destroy(world);
  }
}

TEST(a_stack_carries_the_weight_of_all_above) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId box[5];
  for (int i = 0; i < 5; ++i)
    box[i] = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5 + i));
  run_steps(world, 50);
  double h = rg_world_options(world)->step, weight = 1000 * GRAVITY;
  for (int i = 0; i < 5; ++i) // what comes from below less what goes up
    CHECK_NEAR(impulse_on(world, box[i]).z, weight * h, 5 * IMPULSE_ERROR * weight * h);
  rg_world_destroy(world);
}

TEST(friction_holds_a_box_on_a_slope) {
  rgWorld* world = build_world("default");
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(0.3 * GRAVITY, 0, -GRAVITY); // mu = 0.5 holds it
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_floor(world);
  rgBodyId box = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
  run_steps(world, 50);
  double h = options.step;
  rgVec3 expected = v3_scale(options.gravity, -1000 * h);
  CHECK_NEAR(distance(impulse_on(world, box), expected), 0, IMPULSE_ERROR * v3_norm(expected));
  CHECK_NEAR(rg_body_center(world, box).x, 0, 1e-6);
  rg_world_destroy(world);
}

// --- islands ------------------------------------------------------------------------------------

TEST(the_problem_of_the_last_step_can_be_judged_again) {
  rgWorld* world = build_world("default");
  build_floor(world);
  for (int i = 0; i < 4; ++i) {
    build_box(world, v3(0.5, 0.5, 0.5), v3(3 * i, 0, 0.5));
    for (int k = 0; k < i; ++k)
      build_sphere(world, 0.4, v3(3 * i, 0, 1.5 + k));
  }
  for (int step = 0; step < 100; ++step) {
    rgCertificate total;
    REQUIRE(rg_world_step(world, &total) == RG_OK);
    double residual = 0;
    int contacts = 0;
    CHECK_INT(rg_world_island_count(world), rg_world_counts(world).islands);
    for (int i = 0; i < rg_world_island_count(world); ++i) {
      rgProblem problem;
      rgSolution solution;
      rgCertificate reported, judged = {0};
      rgMessage message = {""};
      REQUIRE(rg_world_island(world, i, &problem, &solution, &reported) == RG_OK);
      CHECK_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
      rg_problem_certify(&problem, &solution, total.tolerance, &judged);
      CHECK_BITS(judged.residual, reported.residual);
      CHECK_BITS(judged.signorini, reported.signorini);
      CHECK_BITS(judged.coulomb, reported.coulomb);
      CHECK_BITS(judged.dynamics, reported.dynamics);
      CHECK_BITS(judged.scale, reported.scale);
      CHECK_INT(judged.met, reported.met);
      CHECK_INT(judged.contacts, problem.contact_count);
      residual = fmax(residual, judged.residual);
      contacts += problem.contact_count;
    }
    CHECK_BITS(total.residual, residual);
    CHECK_INT(total.contacts, contacts);
    CHECK_INT(total.met, residual <= total.tolerance);
    CHECK(memcmp(rg_world_certificate(world), &total, sizeof total) == 0);
  }
  CHECK_INT(rg_world_island_count(world), 4);
  CHECK_INT(rg_world_island(world, 4, NULL, NULL, NULL), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_island(world, -1, NULL, NULL, NULL), RG_ERROR_NOT_FOUND);
  rg_world_destroy(world);
}

TEST(a_step_that_runs_out_of_iterations_says_so) {
  rgWorld* world = build_world("default");
  build_floor(world);
  for (int i = 0; i < 8; ++i)
    build_box(world, v3(0.5, 0.5, 0.5), v3(0.1 * (i % 2), 0, 0.5 + i));
  rgOptions options = *rg_world_options(world);
  options.iteration_limit = 1;
  options.tolerance = 1e-12;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  rgCertificate certificate;
  CHECK_INT(rg_world_step(world, &certificate), RG_OK);
  CHECK(!certificate.met);
  CHECK(certificate.residual > certificate.tolerance);
  CHECK_INT(certificate.iterations, 1);
  CHECK_INT(rg_world_counts(world).not_met, 1);
  rg_world_destroy(world);
}

TEST(bodies_that_fall_together_in_contact_are_no_effort) {
  // Nothing pushes between them: what is left of the contact velocity is rounding, and no solver
  // can make it smaller.
  const char* presets[] = {"default", "realtime", "reference"};
  for (int i = 0; i < 3; ++i) {
    rgWorld* world = build_world(presets[i]);
    for (int k = 0; k < 4; ++k)
      build_box(world, v3(0.5, 0.5, 0.5), v3(0.03 * k, 0.05 * (k % 2), 1 + k));
    int not_met = 0, most = 0;
    for (int step = 0; step < 100; ++step) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      not_met += !certificate.met;
      most = certificate.iterations > most ? certificate.iterations : most;
    }
    CONTEXT("preset %s", presets[i]);
    CHECK_INT(not_met, 0);
    CHECK_MSG(most <= 20, "a step took %d iterations", most);
    rg_world_destroy(world);
  }
}

// --- momentum -----------------------------------------------------------------------------------

// Two boxes that hit each other obliquely, turning, off centre. Largest change of momentum,
// relative to the momenta of the single bodies at the start.
static void check_momentum(rgVec3 half_a, rgVec3 half_b, double theta, double restitution, double h,
                           double angular_limit) {
  rgWorld* world = build_still("reference");
  build_set_step(world, h, theta);
  build_set_default_material(world, 0.4, restitution);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-1, 0.1, 0.05));
  def.pose.orientation = turn_about(v3(1, 2, 3), 0.5);
  def.velocity = twist(v3(4, 0.2, -0.1), v3(0.5, 1, -0.7));
  rgBodyId a = build_body(world, &def, shape_box(half_a));
  def = body_at(RG_BODY_DYNAMIC, v3(1, -0.1, 0));
  def.pose.orientation = turn_about(v3(-1, 1, 2), 1.1);
  def.velocity = twist(v3(-3, 0, 0.3), v3(-0.3, 0.8, 0.4));
  rgBodyId b = build_body(world, &def, shape_box(half_b));

  double mass_a = rg_body_mass(world, a).mass, mass_b = rg_body_mass(world, b).mass;
  double linear_size = mass_a * 4 + mass_b * 3, angular_size = linear_size; // [kg m/s] times 1 m
  rgTwist start = rg_world_momentum(world);
  double energy = rg_world_energy(world).kinetic, linear = 0, angular = 0;
  bool touched = false;
  for (int i = 0; i * h < 0.6; ++i) {
    run_steps(world, 1);
    touched = touched || rg_world_certificate(world)->contacts > 0;
    rgTwist now = rg_world_momentum(world);
    linear = fmax(linear, distance(now.linear, start.linear));
    angular = fmax(angular, distance(now.angular, start.angular));
  }
  CONTEXT("theta %g, restitution %g, half (%g, %g, %g)", theta, restitution, half_a.x, half_a.y,
          half_a.z);
  CHECK(touched);
  CHECK_MSG(fabs(rg_body_velocity(world, a).linear.x - 4) > 0.5, "they hit each other");
  CHECK_NEAR(linear / linear_size, 0, 1e-12);
  CHECK_NEAR(angular / angular_size, 0, angular_limit);
  CHECK_MSG(rg_world_energy(world).kinetic <= energy * (1 + 1e-9), "from %.12g J to %.12g J",
            energy, rg_world_energy(world).kinetic);
  rg_world_destroy(world);
}

// At theta = 1 the impulse acts at the positions that the end velocities start from, and the
// inertia of a cube does not turn: both momenta are conserved to rounding.
TEST(two_cubes_that_collide_keep_their_momentum) {
  check_momentum(v3(0.3, 0.3, 0.3), v3(0.4, 0.4, 0.4), 1, 0, 1e-3, 1e-12);
  check_momentum(v3(0.3, 0.3, 0.3), v3(0.4, 0.4, 0.4), 1, 0.7, 1e-3, 1e-12);
}

// With theta < 1 or unequal moments, arms and inertia are those of the start of the step while the
// body moves on: the angular momentum is off by what moves in one step, 7 m/s times h against 1 m,
// and that goes with h.
static const double CLOSING_SPEED = 7;

static void check_angular_error_goes_with_step(rgVec3 half_a, rgVec3 half_b, double theta) {
  for (int i = 0; i < 2; ++i) {
    double h = i == 0 ? 1e-3 : 1e-4;
    check_momentum(half_a, half_b, theta, 0, h, 0.2 * CLOSING_SPEED * h);
    check_momentum(half_a, half_b, theta, 0.7, h, 0.2 * CLOSING_SPEED * h);
  }
}

TEST(momentum_of_two_cubes_at_theta_one_half_converges_with_the_step) {
  check_angular_error_goes_with_step(v3(0.3, 0.3, 0.3), v3(0.4, 0.4, 0.4), 0.5);
}

TEST(momentum_of_two_unequal_boxes_converges_with_the_step) {
  check_angular_error_goes_with_step(v3(0.2, 0.3, 0.5), v3(0.5, 0.2, 0.3), 1);
}

// --- nothing passes -----------------------------------------------------------------------------

// A small ball at 100 m/s goes 167 times its radius in a step.
static const double BULLET_RADIUS = 0.01, BULLET_SPEED = 100, BULLET_STEP = 1.0 / 60;

// Shoots along x from several distances at what stands at x = 0 and checks that the ball stays in
// front.
static void check_stops(const rgShapeDef* wall, rgPose pose, double face, rgVec3 direction) {
  for (int i = 0; i < 20; ++i) {
    rgWorld* world = build_world("default");
    build_set_step(world, BULLET_STEP, 1);
    rgBodyDef def = body_at(RG_BODY_STATIC, pose.position);
    def.pose = pose;
    build_body(world, &def, *wall);
    def = body_at(RG_BODY_DYNAMIC, v3(-0.05 - 0.23 * i, 0, 0));
    def.velocity.linear = v3_scale(direction, BULLET_SPEED);
    // Arrives at the origin, wherever it starts.
    def.pose.position = v3_axpy(v3_zero(), def.pose.position.x / direction.x, direction);
    rgBodyId ball = build_body(world, &def, shape_sphere(BULLET_RADIUS));
    CONTEXT("from x = %g", def.pose.position.x);
    for (int step = 0; step < 12; ++step) {
      run_steps(world, 1);
      rgVec3 center = rg_body_center(world, ball);
      if (center.z < -0.9 || fabs(center.y) > 0.9)
        break; // fallen below the wall
      CHECK_MSG(center.x <= face - BULLET_RADIUS * (1 - 1e-3), "x = %g after %d steps", center.x,
                step + 1);
    }
    rg_world_destroy(world);
  }
}

TEST(a_fast_ball_does_not_pass_a_thin_wall) {
  rgShapeDef wall = shape_box(v3(0.005, 1, 1));
  check_stops(&wall, pose_at(v3_zero()), -0.005, v3(1, 0, 0));
}

TEST(a_fast_ball_does_not_pass_a_thin_wall_obliquely) {
  rgShapeDef wall = shape_box(v3(0.005, 1, 1));
  check_stops(&wall, pose_at(v3_zero()), -0.005, v3(0.8, 0, 0.6));
}

TEST(a_fast_ball_does_not_enter_a_half_space) {
  rgShapeDef wall = shape_halfspace();
  rgPose pose = {v3_zero(), turn_about(v3(0, 1, 0), -3.14159265358979323846 / 2)}; // outwards is -x
  check_stops(&wall, pose, 0, v3(1, 0, 0));
  check_stops(&wall, pose, 0, v3(0.8, 0.6, 0));
}

TEST(a_fast_ball_does_not_pass_a_mesh) {
  // A wall of 2 x 2 m in the plane x = 0, outwards is -x.
  const rgVec3 points[] = {{0, -1, -1}, {0, 1, -1}, {0, 1, 1}, {0, -1, 1}};
  const int triangles[] = {0, 2, 1, 0, 3, 2};
  rgShapeDef wall = rg_shape_def(RG_SHAPE_MESH);
  wall.points = points;
  wall.point_count = 4;
  wall.triangles = triangles;
  wall.triangle_count = 2;
  check_stops(&wall, pose_at(v3_zero()), 0, v3(1, 0, 0));
}

TEST(two_fast_balls_do_not_pass_each_other) {
  for (int i = 0; i < 20; ++i) {
    rgWorld* world = build_still("default");
    build_set_step(world, BULLET_STEP, 1);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.1 - 0.31 * i, 0, 0));
    def.velocity.linear = v3(BULLET_SPEED, 0, 0);
    rgBodyId left = build_body(world, &def, shape_sphere(BULLET_RADIUS));
    def.pose.position.x = 0.05 + 0.17 * i;
    def.velocity.linear.x = -BULLET_SPEED;
    rgBodyId right = build_body(world, &def, shape_sphere(BULLET_RADIUS));
    run_steps(world, 10);
    double gap = rg_body_center(world, right).x - rg_body_center(world, left).x - 2 * BULLET_RADIUS;
    CONTEXT("start %d", i);
    CHECK_MSG(gap >= -1e-3 * BULLET_RADIUS, "gap %g", gap);
    rg_world_destroy(world);
  }
}

// --- rest ---------------------------------------------------------------------------------------

// After `settle` steps most steps must be answered by their warm start. What a tolerance leaves
// over adds up to a velocity, so that a solve is due now and then: at most `most` of 50.
static void check_rest(rgWorld* world, const char* what, int settle, int most) {
  CONTEXT("%s", what);
  run_steps(world, settle);
  int solved = 0;
  for (int i = 0; i < 50; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    rgStepCounts counts = rg_world_counts(world);
    CHECK(counts.islands > 0);
    CHECK_INT(counts.warm + counts.solved, counts.islands);
    CHECK(certificate.met);
    if (counts.warm != counts.islands || certificate.iterations != 0)
      ++solved;
  }
  CHECK_MSG(solved <= most, "%d of 50 steps at rest iterated", solved);
  rg_world_destroy(world);
}

static rgWorld* build_rest(const char* preset) {
  rgWorld* world = build_world(preset);
  build_floor(world);
  return world;
}

TEST(what_rests_is_not_solved_again) {
  // Not realtime: what its bounded number of sweeps leaves has to be worked off in later steps.
  const char* presets[] = {"default", "reference"};
  for (int i = 0; i < 2; ++i) {
    char what[100];
    snprintf(what, sizeof what, "a ball, preset %s", presets[i]);
    rgWorld* world = build_rest(presets[i]);
    build_sphere(world, 0.5, v3(0, 0, 0.5));
    check_rest(world, what, 100, 5);

    snprintf(what, sizeof what, "a box, preset %s", presets[i]);
    world = build_rest(presets[i]);
    build_box(world, v3(0.5, 0.4, 0.3), v3(0, 0, 0.3));
    check_rest(world, what, 100, 5);

    snprintf(what, sizeof what, "a stack of five, preset %s", presets[i]);
    world = build_rest(presets[i]);
    for (int k = 0; k < 5; ++k)
      build_box(world, v3(0.5, 0.5, 0.5), v3(0.07 * (k % 2), 0.05 * (k % 3), 0.5 + k));
    check_rest(world, what, 200, 10);
  }
}

TEST(a_dropped_box_comes_to_rest_and_is_not_solved_again) {
  rgWorld* world = build_rest("default");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
  def.pose.orientation = turn_about(v3(1, 2, 0.5), 0.4);
  build_body(world, &def, shape_box(v3(0.3, 0.2, 0.25)));
  check_rest(world, "a dropped box", 600, 5);
}

// Bricks of a material that bounces, laid across each other and dropped a little: at rest, whether
// a gap of rounding size approaches or parts must not decide which contacts are in the problem.
TEST(what_bounces_comes_to_rest_and_is_not_solved_again) {
  rgWorld* world = build_rest("default");
  build_set_default_material(world, 0.5, 0.2);
  for (int k = 0; k < 6; ++k) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.03 * (k % 2), 0.02 * (k % 3), 0.12 + 0.22 * k));
    def.pose.orientation = turn_about(v3(0, 0, 1), 1.3 * k);
    build_body(world, &def, shape_box(v3(0.3, 0.15, 0.1)));
  }
  check_rest(world, "bricks", 600, 10);
}

TEST(what_rests_is_solved_again_when_it_is_pushed) {
  rgWorld* world = build_rest("default");
  rgBodyId box = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
  run_steps(world, 100);
  CHECK_INT(rg_world_certificate(world)->iterations, 0);
  REQUIRE(rg_body_apply_impulse(world, box, v3(500, 0, 0), v3(0, 0, 0.5)) == RG_OK);
  run_steps(world, 1);
  CHECK(rg_world_certificate(world)->iterations > 0);
  CHECK(rg_body_velocity(world, box).linear.x > 0.4);
  rg_world_destroy(world);
}

// Pairs are sorted by their shapes; a box has four contacts with the floor and a sphere one, so
// that the memory of the first search ends before a box and not before the sphere after it.
TEST(contacts_come_in_the_order_of_their_pairs_whatever_memory_there_was) {
  enum { BODIES = 400 };
  rgWorld* world = build_world("default");
  build_floor(world);
  for (int i = 0; i < BODIES; ++i) {
    rgVec3 place = v3(2 * (i % 20), 2 * (i / 20), 0.5);
    if (i % 2 == 0)
      build_box(world, v3(0.5, 0.5, 0.5), place);
    else
      build_sphere(world, 0.5, place);
  }
  REQUIRE(rg_world_detect(world, rg_world_options(world)->step) == RG_OK);
  CHECK_INT(rg_world_contact_count(world), 5 * BODIES / 2);
  uint32_t last = 0;
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact c;
    REQUIRE(rg_world_contact(world, i, &c) == RG_OK);
    uint32_t moving = c.shape_a.index > c.shape_b.index ? c.shape_a.index : c.shape_b.index;
    CHECK_MSG(moving >= last, "contact %d is of shape %u, after one of %u", i, moving, last);
    last = moving;
  }
  rg_world_destroy(world);
}

// A shape that is added between two steps holds in the next one, on ground or on a body.
TEST(shapes_that_are_added_hold_at_once) {
  for (int i = 0; i < 4; i++) {
    rgWorld* world = build_world("default");
    rgBodyDef def = body_at(RG_BODY_STATIC, v3(0, 0, -10));
    rgBodyId ground = build_body(world, &def, shape_box(v3(1, 1, 1)));
    bool to_ground = i % 2;
    // the ball stands on what is added to the ground, or has a foot added that stands on a plate
    rgBodyId ball = build_sphere(world, 0.1, v3(0, 0, 0));
    if (!to_ground)
      build_block(world, v3(1, 1, 0.1), v3(0, 0, -0.4));
    run_steps(world, 1 + i / 2);
    double height = rg_body_center(world, ball).z;
    rgShapeDef shape = to_ground ? shape_box(v3(1, 1, 0.1)) : shape_sphere(0.05);
    shape.pose.position = to_ground ? v3(0, 0, 10 + height - 0.2) : v3(0, 0, -0.25 - height);
    shape.density = 1e-3;
    rgShapeId id;
    REQUIRE(rg_world_add_shape(world, to_ground ? ground : ball, &shape, &id) == RG_OK);
    run_steps(world, 1);
    double fallen = height - rg_body_center(world, ball).z;
    CONTEXT("case %d", i);
    CHECK_MSG(fabs(fallen) <= 1e-6, "fell by %g m", fallen);
    CHECK_NEAR(rg_body_velocity(world, ball).linear.z, 0, 1e-6);
    rg_world_destroy(world);
  }
}
