// Limits of joints that are far are left out of the problem, and that changes nothing: the movement
// is the one with the limits always in it, and no limit is passed that was not before.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"
#include "world/world.h"

static const char* const PRESETS[] = {"default", "realtime", "reference"};
static const char* const STEPPERS[] = {"theta", "anitescu-potra", "stewart-trinkle", "first-order"};

static rgBodyId add_mass(rgWorld* world, rgVec3 at, double mass) {
  rgBodyDef def = rg_body_def();
  def.pose.position = at;
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = m3_diag(0.02 * mass, 0.02 * mass, 0.02 * mass);
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointId add_joint(rgWorld* world, const rgJointDef* def) {
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointState state_of(const rgWorld* world, rgJointId id) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
  return state;
}

static rgWorld* make_world(const char* preset, const char* stepper, double h, int dimension) {
  rgWorldDef def = rg_world_def();
  rg_options_preset(preset, &def.options);
  def.dimension = dimension;
  def.options.gravity = v3(0, -9.81, 0);
  def.options.step = h;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  return build_world_of(&def);
}

// Gives limits that have no impulse the least one, by which they count as near in the coming step.
static void keep_limits_in(rgWorld* world) {
  for (int i = 0; i < world->joint_slots; i++) {
    rgJoint* joint = &world->joints[i];
    for (int k = joint->held_count; joint->alive && k < joint->constraint_count; k++)
      if (joint->impulse[k] == 0)
        joint->impulse[k] = 1e-300;
  }
}

static int rows_of(const rgWorld* world) {
  int rows = 0;
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    REQUIRE_INT(rg_world_island(world, i, &problem, NULL, NULL), RG_OK);
    rows += problem.row_count;
  }
  return rows;
}

// A chain of hinges about z that hangs from the ground, with limits `range` either way and rates.
static void add_chain(rgWorld* world, int links, double range, double rate, rgJointId* joints) {
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.axis = v3(0, 0, 1);
  for (int i = 0; i < links; i++) {
    def.body_b = add_mass(world, v3(0.3 * (i + 0.5), 0, 0), 1 + 0.5 * i);
    def.point = v3(0.3 * i, 0, 0);
    def.axes[0].lower = -range;
    def.axes[0].upper = range;
    joints[i] = add_joint(world, &def);
    def.body_a = def.body_b;
    double turn = 0.1 * i, speed = i % 2 ? -rate : rate;
    REQUIRE_INT(rg_joint_set_state(world, joints[i], &turn, &speed), RG_OK);
  }
}

// The largest difference between the movement of a chain and that with all limits in.
static double compare(const char* preset, const char* stepper, double h, int dimension, int links,
                      double rate, int* fewer) {
  rgWorld* worlds[2];
  rgJointId joints[2][8];
  double difference = 0, range = 0.6;
  for (int k = 0; k < 2; k++) {
    worlds[k] = make_world(preset, stepper, h, dimension);
    add_chain(worlds[k], links, range, rate, joints[k]);
  }
  double tolerance = rg_world_options(worlds[0])->tolerance;
  double allowed = 2 * rg_world_options(worlds[0])->projection_tolerance + 10 * tolerance * h;
  for (int i = 0; i < 300; i++) {
    rgCertificate certificate;
    keep_limits_in(worlds[1]);
    REQUIRE_INT(rg_world_step(worlds[0], &certificate), RG_OK);
    CHECK_INT(certificate.stages[RG_STAGE_CLOSING].missed, 0);
    REQUIRE_INT(rg_world_step(worlds[1], NULL), RG_OK);
    *fewer += rows_of(worlds[0]) < rows_of(worlds[1]);
    for (int j = 0; j < links; j++) {
      double x = state_of(worlds[0], joints[0][j]).coordinate[0];
      difference = fmax(difference, fabs(x - state_of(worlds[1], joints[1][j]).coordinate[0]));
      CHECK_MSG(fabs(x) <= range + allowed, "step %d, joint %d at %.12g", i, j, x);
    }
  }
  rg_world_destroy(worlds[0]);
  rg_world_destroy(worlds[1]);
  return difference;
}

TEST(leaving_far_limits_out_changes_nothing) {
  static const double steps[] = {1e-3, 5e-3, 2e-2}, rates[] = {0, 0.5, 4, 40};
  int fewer = 0;
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < 3; k++)
      for (int r = 0; r < 4; r++)
        for (int dimension = 2; dimension <= 3; dimension++) {
          CONTEXT("%s, h %g, rate %g, dimension %d", STEPPERS[s], steps[k], rates[r], dimension);
          double off = compare("reference", STEPPERS[s], steps[k], dimension, 1, rates[r], &fewer);
          CHECK_MSG(off < 1e-8, "off by %g", off);
        }
  CHECK(fewer > 1000);
}

// Chains hit their limits in one joint after the other, and a movement that differs in the last
// digit is another one after some hits: what is compared is that no limit is passed.
TEST(chains_that_hit_their_limits_pass_none) {
  static const double steps[] = {1e-3, 1.0 / 240, 1.0 / 60}, rates[] = {1, 8, 30};
  int fewer = 0;
  for (int p = 0; p < 3; p++)
    for (int s = 0; s < 3; s++)
      for (int k = 0; k < 3; k++)
        for (int links = 2; links <= 5; links += 3) {
          CONTEXT("%s, %s, h %g, rate %g, %d links", PRESETS[p], STEPPERS[s], steps[k], rates[k],
                  links);
          compare(PRESETS[p], STEPPERS[s], steps[k], 3, links, rates[k], &fewer);
        }
  CHECK(fewer > 1000);
}

TEST(a_pendulum_stops_at_its_limit_in_the_stepper_of_events) {
  static const double rates[] = {0, 2, 20};
  for (int r = 0; r < 3; r++)
    for (int dimension = 2; dimension <= 3; dimension++) {
      int fewer = 0;
      CONTEXT("gauss, rate %g, dimension %d", rates[r], dimension);
      CHECK(compare("default", "gauss", 5e-3, dimension, 1, rates[r], &fewer) == 0);
    }
}

TEST(far_limits_cost_no_rows) {
  for (int p = 0; p < 3; p++) {
    rgWorld* world = make_world(PRESETS[p], "theta", 1e-3, 3);
    rgJointId joints[8];
    add_chain(world, 6, 3, 0, joints);
    for (int i = 0; i < 20; i++) {
      run_steps(world, 1);
      CHECK_INT(rows_of(world), 6 * 5);
    }
    rg_world_destroy(world);
  }
}

// A rope that is slack joins nothing: two bodies at its ends are in no island until it is taut.
TEST(a_slack_rope_is_no_row_and_a_taut_one_holds) {
  static const double steps[] = {1e-3, 5e-3, 2e-2};
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < 3; k++) {
      rgWorld* world = make_world(PRESETS[p], "theta", steps[k], 3);
      rgJointDef def = rg_joint_def(RG_JOINT_DISTANCE);
      def.point = v3(0, 1, 0);
      def.body_b = add_mass(world, v3(0, 0.9, 0), 1);
      def.point_b = v3(0, 0.9, 0);
      def.axes[0].upper = 1.5;
      rgJointId rope = add_joint(world, &def);
      int slack = 0;
      double most = 0;
      for (int i = 0; i < (int)(1.5 / steps[k]); i++) {
        rgCertificate certificate;
        REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
        slack += rows_of(world) == 0;
        most = fmax(most, state_of(world, rope).coordinate[0]);
      }
      rgJointState state = state_of(world, rope);
      CONTEXT("%s, h %g: %d slack steps", PRESETS[p], steps[k], slack);
      CHECK(slack > 0.3 / steps[k]); // it falls for 0.53 s
      double allowed = 2 * rg_world_options(world)->projection_tolerance;
      CHECK_MSG(most <= 1.5 + allowed, "%g too long", most - 1.5);
      CHECK_NEAR(state.coordinate[0], 1.5, 1e-2);
      CHECK_NEAR(state.force[0], -9.81, 9.81 * fmax(1e-6, rg_world_options(world)->tolerance));
      rg_world_destroy(world);
    }
}

// Cones about the axis of a ball joint, and limits on two axes of one joint, at random.
TEST(limits_of_all_kinds_hold_in_random_mechanisms) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    random_state = seed;
    double h = random_between(1e-3, 2e-2), bound = random_between(0.1, 0.5);
    rgWorld* world = make_world(PRESETS[seed % 3], "theta", h, 3);
    static const rgJointKind kinds[] = {RG_JOINT_HINGE,  RG_JOINT_BALL,   RG_JOINT_UNIVERSAL,
                                        RG_JOINT_SLIDER, RG_JOINT_PLANAR, RG_JOINT_CYLINDRICAL};
    rgJointDef def = rg_joint_def(kinds[seed % 6]);
    def.axis = random_direction();
    def.axis_2 = v3_cross(def.axis, random_direction());
    int last = def.kind == RG_JOINT_BALL ? 3 : rg_joint_axis_count(def.kind) - 1;
    for (int k = def.kind == RG_JOINT_BALL ? 3 : 0; k <= last; k++) {
      def.axes[k].lower = -bound;
      def.axes[k].upper = bound;
    }
    def.body_b = add_mass(world, v3_scale(random_direction(), 0.4), 1);
    rgJointId joint = add_joint(world, &def);
    double rates[RG_JOINT_AXIS_MAX];
    for (int k = 0; k < RG_JOINT_AXIS_MAX; k++)
      rates[k] = random_between(-10, 10);
    REQUIRE_INT(rg_joint_set_state(world, joint, NULL, rates), RG_OK);
    double allowed = 10 * rg_world_options(world)->projection_tolerance + 1e-9;
    CONTEXT("seed %d, %s, h %g, range %g, %s", (int)seed, rg_joint_kind_name(def.kind), h, bound,
            PRESETS[seed % 3]);
    for (int i = 0; i < 200; i++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      CHECK_INT(certificate.stages[RG_STAGE_CLOSING].missed, 0);
      rgJointState state = state_of(world, joint);
      for (int k = def.kind == RG_JOINT_BALL ? 3 : 0; k <= last; k++)
        CHECK_MSG(fabs(state.coordinate[k]) <= bound + allowed, "step %d, axis %d: %g", i, k,
                  state.coordinate[k]);
    }
    rg_world_destroy(world);
  }
}

// A bar on a hinge that is struck: neither of its limits is near when the step begins at rest, and the blow
// would turn it far beyond one of them within the step. The limit holds, whichever it is, without a stabilizer.
TEST(a_blow_does_not_turn_a_bar_beyond_either_limit) {
  for (int i = 0; i < 24; i++) {
    double side = i % 2 ? 1 : -1, limit = 0.01 + 0.002 * i;
    CONTEXT("case %d: limit at %g rad", i, side * limit);
    rgWorld* world = build_still("default");
    rgOptions options = *rg_world_options(world);
    options.step = 0.01;
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    snprintf(options.coordinates, sizeof options.coordinates, i % 4 < 2 ? "full" : "reduced");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    rgBodyId bar = build_box(world, v3(0.5, 0.05, 0.05), v3(0.5, 0, 0));
    rgBodyDef ball = body_at(RG_BODY_DYNAMIC, v3(0.8, 0, 0.151 * side));
    ball.velocity.linear = v3(0, 0, -30 * side); // turns the bar about y by side
    build_body(world, &ball, shape_sphere(0.1));
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_b = bar;
    joint.axis = v3(0, 1, 0);
    joint.axes[0].lower = side < 0 ? -limit : -2;
    joint.axes[0].upper = side > 0 ? limit : 2;
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    rgJointState state;
    for (int k = 0; k < 3; k++) {
      run_steps(world, 1);
      REQUIRE(rg_joint_state(world, id, &state) == RG_OK);
      CHECK_MSG(side * state.coordinate[0] <= limit + 1e-4, "%g rad", state.coordinate[0]);
    }
    CHECK(side * state.coordinate[0] > 0.5 * limit); // it was struck
    rg_world_destroy(world);
  }
}

// --- how near is near ----------------------------------------------------------------------------

// Rows of a body of size s that is held by a hinge or a slider and leaves its limit slowly, `gap` away from it:
// an angle, or a part of s.
static int rows_near(rgJointKind kind, double s, double gap) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  def.options.gravity = v3_zero();
  rgWorld* world = build_world_of(&def);
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(s, 0, 0));
  bool hinge = kind == RG_JOINT_HINGE;
  double away = 1e-3 * gap / def.options.step;
  body.velocity =
      hinge ? twist(v3(0, s * away, 0), v3(0, 0, away)) : twist(v3(0, 0, s * away), v3_zero());
  rgJointDef joint = rg_joint_def(kind);
  joint.body_b = build_body(world, &body, shape_box(v3(s, 0.2 * s, 0.1 * s)));
  joint.axis = v3(0, 0, 1);
  joint.axes[0].lower = -gap * (hinge ? 1 : s);
  REQUIRE_INT(rg_world_add_joint(world, &joint, NULL), RG_OK);
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  rgProblem problem;
  rgSolution solution;
  REQUIRE_INT(rg_world_island_count(world), 1);
  REQUIRE_INT(rg_world_island(world, 0, &problem, &solution, NULL), RG_OK);
  int rows = problem.row_count;
  rg_world_destroy(world);
  return rows;
}

// Similar worlds have the same rows: a limit is near by its angle, or by a part of the size of what is held, in any
// unit of length. Gaps are far below and far above what counts as touching.
TEST(what_is_near_a_limit_is_so_in_every_size) {
  const double tolerance = rg_world_def().options.projection_tolerance;
  for (int i = 0; i < 2; i++) {
    rgJointKind kind = i ? RG_JOINT_SLIDER : RG_JOINT_HINGE;
    for (double s = 1e-3; s < 2e3; s *= 10) {
      CONTEXT("%s, size %g m", rg_joint_kind_name(kind), s);
      CHECK_INT(rows_near(kind, s, 0.05 * tolerance), 6);
      CHECK_INT(rows_near(kind, s, 20 * tolerance), 5);
    }
  }
}

// A chain that has come to rest at its limits, against which dry friction holds it too.
static rgWorld* make_resting(int links, double friction) {
  rgWorld* world = make_world("default", "theta", 2e-3, 3);
  rgJointId joints[8];
  add_chain(world, links, 0.3, 0, joints);
  for (int j = 0; j < links; j++) {
    rgJointAxis axis;
    REQUIRE_INT(rg_joint_axis(world, joints[j], 0, &axis), RG_OK);
    axis.friction = friction;
    REQUIRE_INT(rg_joint_set_axis(world, joints[j], 0, &axis), RG_OK);
  }
  for (int i = 0; i < 1500; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  return world;
}

// Solves the problem of the last step from its impulses, with its limits a little open; returns the factorizations.
static int solve_opened(const rgWorld* world, double opening, rgSolveReport* report) {
  rgProblem problem;
  rgSolution last;
  REQUIRE_INT(rg_world_island(world, 0, &problem, &last, NULL), RG_OK);
  rgProblemRow* rows = malloc((size_t)problem.row_count * sizeof *rows);
  double* v = calloc(6 * (size_t)problem.body_count + (size_t)problem.row_count, sizeof *v);
  rgSolution solution = {v, NULL, v + 6 * problem.body_count};
  for (int i = 0; i < problem.row_count; i++) {
    rows[i] = problem.rows[i];
    rows[i].bias += rows[i].lower == 0 ? opening : 0;
    solution.lambda[i] = last.lambda[i];
  }
  problem.rows = rows;
  void* work = malloc(rg_solve_work_size(&problem, "auto") + 1);
  rgStop stop = {.tolerance = 1e-6, .iteration_limit = 1000};
  REQUIRE_INT(rg_solve(&problem, "auto", NULL, &stop, &solution, work, report, NULL), RG_OK);
  free(work);
  free(v);
  free(rows);
  return report->factorizations;
}

// Dry friction that holds an axis at a limit and the limit are rows of one velocity. Where the limit opens by a little, as
// after a correction, they want it otherwise, and no step of Newton's method leads from the impulses of the last step to the
// answer. Sweeps do, and steps from bound to bound.
TEST(limits_that_open_under_dry_friction_take_few_steps_of_newton) {
  static const double frictions[] = {0.05, 0.5, 3}, openings[] = {1e-7, 1e-5, 1e-3};
  for (int k = 0; k < 3; k++)
    for (int links = 1; links <= 7; links += 3) {
      rgWorld* world = make_resting(links, frictions[k]);
      for (int i = 0; i < 3; i++) {
        CONTEXT("friction %g, %d links, opened by %g m/s", frictions[k], links, openings[i]);
        rgSolveReport report;
        int factorizations = solve_opened(world, openings[i], &report);
        // Each axis changes its bounds once or twice, and a start may be taken back. Without sweeps and the way to the next
        // bound it was up to 179.
        CHECK_MSG(factorizations <= 4 * (links + 1), "%d factorizations", factorizations);
        CHECK(report.certificate.met);
      }
      rg_world_destroy(world);
    }
}
