// What joints do to their bodies in a step, against the laws that their definitions state.
//
// With x and x+ the coordinate of a free axis before and after a step of h, s = (x+ - x) / h and theta the
// weight of the end, the force along the axis is
//
//     -k (x + theta h s - rest) - c s - a (rate+ - rate) / h + effort
//     + clamp(k_s (target - x - theta h s) + c_s (speed - s), -bound, bound),
//
// the rotor having theta rate+ + (1 - theta) rate = s; what a motor or dry friction gives is its bound, or
// what it takes to have its rate. The reaction moves the bodies: m dv = h (m g + F), dL = h (T + arm x F)
// with the mean arm. And the balance of energy closes with the work of what drives: effort and servo. Of
// angles s is the rate of the step up to its square, (h w)^2.
#include "joint/joint.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double H = 2e-3; // [s]

typedef enum Base { GROUND, FREE, MOVED, BASES } Base; // what body A is
static const char* const base_names[] = {"ground", "free", "moved"};

typedef struct Pair {
  rgWorld* world;
  rgBodyId a, b;
  rgJointId joint;
  rgJointDef def;
  bool swapped; // the joint's body A is the one called b here
} Pair;

static rgBodyId add_body(rgWorld* world, rgBodyKind kind, rgVec3 place, rgTwist velocity) {
  rgBodyDef def = body_at(kind, place);
  def.pose.orientation = random_rotation();
  def.velocity = velocity;
  def.mass = random_between(0.5, 2);
  def.inertia_given = true;
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  rgMat3 turn = m3_from_quat(random_rotation());
  def.inertia = m3_congruence(&turn, v3(x, y, random_between(0.4, 0.9) * (x + y)));
  def.center = v3_scale(random_vector(), 0.1);
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static Pair make_pair(const rgOptions* options, rgJointKind kind, Base base,
                      void (*fill)(rgJointAxis* axis)) {
  rgWorldDef world = rg_world_def();
  world.options = *options;
  Pair pair = {.world = build_world_of(&world)};
  rgTwist drift = {v3_scale(random_vector(), 0.5), v3_scale(random_vector(), 0.8)};
  if (base != GROUND)
    pair.a = add_body(pair.world, base == FREE ? RG_BODY_DYNAMIC : RG_BODY_KINEMATIC,
                      random_vector(), drift);
  pair.b = add_body(pair.world, RG_BODY_DYNAMIC, random_vector(), (rgTwist){v3_zero(), v3_zero()});
  pair.swapped = random_unit() < 0.5;
  pair.def = rg_joint_def(kind);
  pair.def.body_a = pair.swapped ? pair.b : pair.a;
  pair.def.body_b = pair.swapped ? pair.a : pair.b;
  pair.def.point = v3_scale(random_vector(), 0.5);
  pair.def.point_b = v3_add(pair.def.point, v3(0.3, 0.4, 0.2));
  pair.def.axis = random_direction();
  rgVec3 unused;
  v3_frame(pair.def.axis, &pair.def.axis_2, &unused);
  if (kind == RG_JOINT_SCREW)
    rg_joint_def_set(&pair.def, "lead", 0.3);
  const rgJointInfo* info = rg_joint_info(kind);
  double rates[RG_JOINT_AXIS_MAX] = {0}, places[RG_JOINT_AXIS_MAX] = {0};
  for (int i = 0; i < info->axis_count; i++) {
    if (info->axes[i].takes & RG_JOINT_FORCES)
      fill(&pair.def.axes[i]);
    rates[i] = random_between(-1.5, 1.5);
    places[i] = random_between(-0.4, 0.4);
    if (strcmp(options->stepper, "gauss") == 0) // tells the forces of an instant
      pair.def.axes[i].armature = 0;
    if (kind == RG_JOINT_BALL) { // whose rates are those of its rotation vector near zero only
      places[i] = 0;
      pair.def.axes[i].armature = 0;
    }
  }
  if (kind == RG_JOINT_DISTANCE) { // not held at the distance that it has
    pair.def.axes[0].lower = 0;
    places[0] += 0.6;
  }
  REQUIRE_MSG(rg_world_add_joint(pair.world, &pair.def, &pair.joint) == RG_OK, "%s",
              rg_world_message(pair.world));
  REQUIRE_INT(rg_joint_set_state(pair.world, pair.joint, places, rates), RG_OK);
  return pair;
}

static rgJointState state_of(const Pair* pair) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(pair->world, pair->joint, &state), RG_OK);
  return state;
}

// A body as momentum sees it.
typedef struct Moving {
  rgVec3 center, linear, angular; // [m] [kg m/s] [kg m2/s]
  double mass;
} Moving;

static Moving moving_of(const rgWorld* world, rgBodyId id) {
  rgMassProperties mass = rg_body_mass(world, id);
  rgQuat q = rg_body_pose(world, id).orientation;
  rgTwist v = rg_body_velocity(world, id);
  rgVec3 spin = quat_rotate(q, m3_apply(&mass.inertia, quat_unrotate(q, v.angular)));
  return (Moving){rg_body_center(world, id), v3_scale(v.linear, mass.mass), spin, mass.mass};
}

static double clamped(double x, double bound) { return fmax(-bound, fmin(x, bound)); }

// What servo and effort give, at the rate s of the step from x.
static double driven_force(const rgJointAxis* axis, double x, double s, double theta) {
  double servo = axis->servo_stiffness * (axis->servo_target - x - theta * H * s) +
                 axis->servo_damping * (axis->servo_speed - s);
  return axis->effort + (axis->servo ? clamped(servo, axis->servo_force) : 0);
}

static double spring_force(const rgJointAxis* axis, double x, double s, double theta) {
  return -axis->stiffness * (x + theta * H * s - axis->rest) - axis->damping * s;
}

// dv and dL of a body under the reaction, which acts with `sign`; of A it acts at B's frame as well.
static void check_momentum(const Pair* pair, const Moving* before, const Moving* after,
                           rgVec3 origin_before, const rgJointState* state, rgVec3 pulled,
                           double sign, double tolerance) {
  rgVec3 force = v3_scale(state->reaction.force, sign),
         torque = v3_scale(state->reaction.torque, sign);
  rgVec3 weight = v3_scale(rg_world_options(pair->world)->gravity, before->mass);
  rgVec3 arm = v3_scale(
      v3_add(v3_sub(origin_before, before->center), v3_sub(state->frame_b.position, after->center)),
      0.5);
  rgVec3 linear = v3_scale(v3_sub(after->linear, before->linear), 1 / H),
         angular = v3_scale(v3_sub(after->angular, before->angular), 1 / H);
  rgVec3 moment = v3_add(torque, v3_cross(arm, force));
  double size = v3_norm(force) + v3_norm(weight);
  CHECK_NEAR(distance(linear, v3_add(pulled, v3_add(weight, force))), 0, tolerance * size);
  CHECK_NEAR(distance(angular, moment), 0, tolerance * (size + v3_norm(torque)));
}

// What a moved body gives through the joint: its part of the reaction at the velocity of its material
// at the origin of B's frame. A turn of the angle |w| h has the Cayley vector 2 tan(|w| h / 2).
static double work_of_base(const Pair* pair, const rgJointState* was, const rgJointState* is,
                           rgVec3 center_before) {
  rgTwist v = rg_body_velocity(pair->world, pair->a);
  rgVec3 center_after = rg_body_center(pair->world, pair->a);
  double w = v3_norm(v.angular);
  rgVec3 turning = v3_scale(v.angular, 2 * tan(0.5 * w * H) / (w * H));
  rgVec3 arm = v3_scale(v3_add(v3_sub(was->frame_b.position, center_before),
                               v3_sub(is->frame_b.position, center_after)),
                        0.5);
  double power = v3_dot(is->reaction.force, v3_add(v.linear, v3_cross(turning, arm))) +
                 v3_dot(is->reaction.torque, turning);
  return H * (pair->swapped ? -power : power);
}

static rgOptions options_of(double theta, const char* stepper, const char* coordinates) {
  rgOptions options;
  REQUIRE(rg_options_preset("reference", &options));
  options.step = H;
  options.theta = theta;
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  snprintf(options.coordinates, sizeof options.coordinates, "%s", coordinates);
  return options;
}

static void fill_all(rgJointAxis* axis) {
  axis->stiffness = random_between(2, 30);
  axis->rest = random_between(-0.5, 0.5);
  axis->damping = random_between(0.1, 1);
  axis->armature = random_unit() < 0.5 ? 0 : random_between(0.01, 0.05);
  axis->effort = random_between(-2, 2);
  axis->servo = random_unit() < 0.7;
  axis->servo_stiffness = random_between(2, 20);
  axis->servo_damping = random_between(0.1, 1);
  axis->servo_target = random_between(-0.5, 0.5);
  axis->servo_speed = random_between(-1, 1);
  axis->servo_force = random_unit() < 0.5 ? HUGE_VAL : random_between(0.2, 2);
}

typedef struct Seen {
  rgJointState state;
  Moving a, b;
  rgEnergy energy;
} Seen;

static Seen see(const Pair* pair, Base base) {
  Seen seen = {.state = state_of(pair), .b = moving_of(pair->world, pair->b)};
  if (base == FREE)
    seen.a = moving_of(pair->world, pair->a);
  seen.energy = rg_world_energy(pair->world);
  return seen;
}

// The law of every axis, the work of what drives, and what dampers take.
static void check_axes(const Pair* pair, const Seen* was, const Seen* is, double theta,
                       double* rotors, double tolerance, double* work, double* lost) {
  bool instant = strcmp(rg_world_options(pair->world)->stepper, "gauss") == 0;
  const rgJointInfo* info = rg_joint_info(pair->def.kind);
  *work = *lost = 0;
  for (int i = 0; i < info->axis_count; i++) {
    const rgJointAxis* axis = &pair->def.axes[i];
    if (!(info->axes[i].takes & RG_JOINT_FORCES))
      continue;
    double x = was->state.coordinate[i], s = (is->state.coordinate[i] - x) / H;
    if (instant) {
      s = is->state.rate[i];
      x = is->state.coordinate[i] - theta * H * s;
    }
    double driven = driven_force(axis, x, s, theta), spring = spring_force(axis, x, s, theta);
    double end = (s - (1 - theta) * rotors[i]) / theta,
           inertial = -axis->armature * (end - rotors[i]) / H;
    double size = fabs(driven) + fabs(spring) + fabs(inertial) + 1;
    CHECK_MSG(fabs(is->state.force[i] - driven - spring - inertial) <= tolerance * size,
              "axis %d: force %g, expected %g + %g + %g", i, is->state.force[i], driven, spring,
              inertial);
    rotors[i] = end;
    *work += driven * s * H;
    *lost += axis->damping * s * s * H;
  }
}

static void check_pair(rgJointKind kind, Base base, const rgOptions* options, double tolerance) {
  double close = kind == RG_JOINT_BALL ? 3e-2 : 1e-4; // of the work
  tolerance = kind == RG_JOINT_BALL ? fmax(tolerance, 2e-2) : tolerance;
  double theta = strcmp(options->stepper, "theta") == 0 ? options->theta : 1;
  bool exact = strcmp(options->stepper, "theta") == 0;
  Pair pair = make_pair(options, kind, base, fill_all);
  rgForceDef pull = rg_force_def(); // on the centre of mass, so that its work is that of the way
  pull.body = pair.b;
  pull.wrench.force = v3_scale(random_vector(), 5);
  rgForceId pulled;
  REQUIRE_INT(rg_world_add_force(pair.world, &pull, &pulled), RG_OK);
  Seen was = see(&pair, base);
  double rotors[RG_JOINT_AXIS_MAX];
  memcpy(rotors, was.state.rate, sizeof rotors);
  for (int step = 0; step < 4; step++) {
    rgCertificate certificate;
    rgVec3 center = rg_body_center(pair.world, pair.a);
    REQUIRE_MSG(rg_world_step(pair.world, &certificate) == RG_OK, "%s",
                rg_world_message(pair.world));
    Seen is = see(&pair, base);
    double work, lost;
    check_axes(&pair, &was, &is, theta, rotors, tolerance, &work, &lost);
    work += v3_dot(pull.wrench.force, v3_sub(is.b.center, was.b.center));
    double parts = certificate.energy_contacts + certificate.energy_joints +
                   certificate.energy_integration + certificate.energy_projection;
    double size = fabs(is.energy.kinetic) + fabs(is.energy.potential) + fabs(was.energy.potential);
    CHECK_NEAR(parts, certificate.energy, 1e-12 * size);
    double gain =
        is.energy.kinetic + is.energy.potential - was.energy.kinetic - was.energy.potential;
    if (exact && certificate.stages[RG_STAGE_RINGING].count == 0) { // which has impulses of its own
      rgVec3 origin = was.state.frame_b.position;
      check_momentum(&pair, &was.b, &is.b, origin, &is.state, pull.wrench.force,
                     pair.swapped ? -1 : 1, 1e-5);
      if (base == FREE)
        check_momentum(&pair, &was.a, &is.a, origin, &is.state, v3_zero(), pair.swapped ? 1 : -1,
                       1e-5);
    }
    if (exact && base == MOVED) {
      double given = work_of_base(&pair, &was.state, &is.state, center);
      CHECK_NEAR(certificate.energy, gain - work - given,
                 close * (fabs(work) + fabs(given) + lost) + 1e-9);
    } else if (exact) {
      CHECK_NEAR(certificate.energy, gain - work, close * (fabs(work) + lost) + 1e-9);
      if (theta == 0.5)
        CHECK_NEAR(certificate.energy, -lost, close * (fabs(work) + lost) + 1e-9);
      else
        CHECK(certificate.energy <= -lost + close * (fabs(work) + lost) + 1e-9);
    }
    was = is;
  }
  rg_world_destroy(pair.world);
}

TEST(axes_bodies_and_energy_follow_the_laws_of_joints) {
  static const double thetas[] = {0.5, 0.7, 1};
  static const char* const coordinates[] = {"reduced", "full"};
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++)
    for (int base = 0; base < BASES; base++)
      for (int t = 0; t < 3; t++)
        for (int c = 0; c < 2; c++) {
          random_state = 1000 + (uint64_t)(100 * kind + 10 * base + t);
          rgOptions options = options_of(thetas[t], "theta", coordinates[c]);
          CONTEXT("%s on %s, theta %g, %s", rg_joint_kind_name((rgJointKind)kind), base_names[base],
                  thetas[t], coordinates[c]);
          check_pair((rgJointKind)kind, (Base)base, &options, 2e-3);
        }
}

// Rows at the start of the step, explicit forces: the same laws up to the order of h.
TEST(axes_follow_the_same_laws_in_every_stepper) {
  static const char* const steppers[] = {"stewart-trinkle", "anitescu-potra", "implicit-geometry",
                                         "signorini", "gauss"};
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++)
    for (int base = 0; base < BASES; base++)
      for (int s = 0; s < 5; s++) {
        random_state = 2000 + (uint64_t)(100 * kind + base);
        rgOptions options = options_of(1, steppers[s], "reduced");
        build_fit_options(&options);
        CONTEXT("%s on %s, %s", rg_joint_kind_name((rgJointKind)kind), base_names[base],
                steppers[s]);
        check_pair((rgJointKind)kind, (Base)base, &options, 0.05);
      }
}

// -------------------------------------------------------------------------------------------------
// Motors and friction
// -------------------------------------------------------------------------------------------------

static void fill_motor(rgJointAxis* axis) {
  axis->motor = true;
  axis->motor_speed = random_between(-1, 1);
  axis->motor_force = random_unit() < 0.5 ? random_between(0.1, 1) : 1e4;
}

static void fill_friction(rgJointAxis* axis) {
  axis->friction = random_unit() < 0.5 ? random_between(0.05, 0.5) : 1e3;
}

// Either the whole bound towards the speed, or the speed itself.
static void check_rates(const Pair* pair, const Seen* was, const Seen* is, bool motor, int step) {
  const rgJointInfo* info = rg_joint_info(pair->def.kind);
  for (int i = 0; i < info->axis_count; i++) {
    const rgJointAxis* axis = &pair->def.axes[i];
    if (!(info->axes[i].takes & RG_JOINT_FORCES))
      continue;
    double bound = motor ? axis->motor_force : axis->friction,
           speed = motor ? axis->motor_speed : 0, off = is->state.rate[i] - speed;
    double force = is->state.force[i];
    CHECK_MSG(fabs(force) <= bound * (1 + 1e-6), "step %d, axis %d: %g of %g", step, i, force,
              bound);
    bool reached = fabs(off) < 0.05; // rows are those of the mean of start and end
    CHECK_MSG(reached || fabs(force + copysign(bound, off)) <= 1e-6 * bound,
              "step %d, axis %d: force %g of %g at the rate %g for %g", step, i, force, bound,
              is->state.rate[i], speed);
    (void)was;
  }
}

static void run_bounded(const rgOptions* options, rgJointKind kind, Base base, bool motor) {
  Pair pair = make_pair(options, kind, base, motor ? fill_motor : fill_friction);
  Seen was = see(&pair, base);
  for (int step = 0; step < 6; step++) {
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(pair.world, &certificate) == RG_OK, "%s",
                rg_world_message(pair.world));
    Seen is = see(&pair, base);
    check_rates(&pair, &was, &is, motor, step);
    double work = 0;
    for (int i = 0; i < is.state.axis_count && motor; i++)
      work += is.state.force[i] * (is.state.coordinate[i] - was.state.coordinate[i]);
    double gain =
        is.energy.kinetic + is.energy.potential - was.energy.kinetic - was.energy.potential;
    if (base != MOVED && strcmp(options->stepper, "theta") == 0)
      CHECK_NEAR(certificate.energy, gain - work,
                 (kind == RG_JOINT_BALL ? 3e-2 : 1e-3) * fabs(work) + 1e-6);
    was = is;
  }
  rg_world_destroy(pair.world);
}

TEST(motors_and_friction_give_their_bound_or_reach_their_rate) {
  static const double thetas[] = {0.5, 0.8, 1};
  static const char* const coordinates[] = {"reduced", "full"};
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++)
    for (int base = 0; base < BASES; base++)
      for (int t = 0; t < 3; t++)
        for (int k = 0; k < 4; k++) {
          random_state = 3000 + (uint64_t)(100 * kind + 10 * base + t);
          rgOptions options = options_of(thetas[t], "theta", coordinates[k % 2]);
          CONTEXT("%s of %s on %s, theta %g, %s", k / 2 ? "motor" : "friction",
                  rg_joint_kind_name((rgJointKind)kind), base_names[base], thetas[t],
                  coordinates[k % 2]);
          run_bounded(&options, (rgJointKind)kind, (Base)base, k / 2);
        }
}

// -------------------------------------------------------------------------------------------------
// Limits
// -------------------------------------------------------------------------------------------------

static void fill_nothing(rgJointAxis* axis) { (void)axis; }

// A coordinate beyond its range comes back to it, neither less nor more, within the step in which that
// is seen, by the smallest displacement: what does not hang on the joint stays, and momentum is the weight's.
TEST(coordinates_beyond_their_limits_are_taken_back) {
  static const double thetas[] = {0.5, 1};
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++)
    for (int axis = 0; axis < rg_joint_info((rgJointKind)kind)->axis_count; axis++)
      for (int k = 0; k < 8; k++) {
        if (!(rg_joint_info((rgJointKind)kind)->axes[axis].takes & RG_JOINT_LIMITS) ||
            (kind == RG_JOINT_BALL && axis == 3)) // a swing of zero has no direction
          continue;
        bool upper = k % 2, full = k / 2 % 2;
        random_state = 4000 + (uint64_t)(100 * kind + 10 * axis + k);
        rgOptions options = options_of(thetas[k / 4], "theta", full ? "full" : "reduced");
        options.gravity = v3_zero();
        Pair pair = make_pair(&options, (rgJointKind)kind, k % 3 ? FREE : GROUND, fill_nothing);
        rgJointState before = state_of(&pair);
        rgJointAxis values = pair.def.axes[axis];
        double x = before.coordinate[axis], off = random_between(0.005, 0.03);
        // to rest, beyond the limit
        if (pair.a.generation > 0)
          REQUIRE_INT(rg_body_set_velocity(pair.world, pair.a, twist(v3_zero(), v3_zero())), RG_OK);
        REQUIRE_INT(rg_body_set_velocity(pair.world, pair.b, twist(v3_zero(), v3_zero())), RG_OK);
        REQUIRE_INT(rg_joint_set_state(pair.world, pair.joint, before.coordinate, NULL), RG_OK);
        if (upper)
          values.upper = x - off;
        else
          values.lower = x + off;
        REQUIRE_MSG(rg_joint_set_axis(pair.world, pair.joint, axis, &values) == RG_OK, "%s",
                    rg_world_message(pair.world));
        CONTEXT("%s, axis %d, %s limit, theta %g, %s", rg_joint_kind_name((rgJointKind)kind), axis,
                upper ? "upper" : "lower", options.theta, options.coordinates);
        rgCertificate certificate;
        REQUIRE_INT(rg_world_step(pair.world, &certificate), RG_OK);
        rgJointState after = state_of(&pair);
        double limit = upper ? values.upper : values.lower;
        // a linear step may come into the range by the second order of the way
        double inside = upper ? limit - after.coordinate[axis] : after.coordinate[axis] - limit;
        CHECK_MSG(inside >= -1e-6 && inside <= 10 * off * off, "%g, limit %g, was %g",
                  after.coordinate[axis], limit, x);
        CHECK_NEAR(certificate.joint_error, 0, 1e-6);
        rg_world_destroy(pair.world);
      }
}

// Efforts that are set on a joint that had nothing along its axes act in the next step, and end with it: as those
// do that are given with all else that acts along the axis.
TEST(efforts_act_as_soon_as_they_are_set) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++)
    for (int k = 0; k < 4; k++) {
      const rgJointInfo* info = rg_joint_info((rgJointKind)kind);
      // at theta < 1 velocities are made to suit the joints anew where an axis was set
      rgOptions options = options_of(1, "theta", k % 2 ? "full" : "reduced");
      Pair pairs[2];
      for (int p = 0; p < 2; p++) {
        random_state = 5000 + (uint64_t)(10 * kind + k);
        pairs[p] = make_pair(&options, (rgJointKind)kind, k / 2 ? FREE : GROUND, fill_nothing);
        run_steps(pairs[p].world, 1);
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < info->axis_count; i++) {
          rgJointAxis axis = pairs[0].def.axes[i];
          axis.effort = round == 1 ? 0 : random_between(-1, 1);
          if (!(info->axes[i].takes & RG_JOINT_FORCES))
            continue;
          REQUIRE_INT(rg_joint_set_effort(pairs[0].world, pairs[0].joint, i, axis.effort), RG_OK);
          REQUIRE_INT(rg_joint_set_axis(pairs[1].world, pairs[1].joint, i, &axis), RG_OK);
        }
        run_steps(pairs[0].world, 1);
        run_steps(pairs[1].world, 1);
        rgJointState one = state_of(&pairs[0]), other = state_of(&pairs[1]);
        CONTEXT("%s, case %d, round %d", rg_joint_kind_name((rgJointKind)kind), k, round);
        for (int i = 0; i < info->axis_count; i++) {
          CHECK_NEAR(one.force[i], other.force[i], 1e-9);
          CHECK_NEAR(one.rate[i], other.rate[i], 1e-8);
        }
        rgTwist v = rg_body_velocity(pairs[0].world, pairs[0].b),
                w = rg_body_velocity(pairs[1].world, pairs[1].b);
        CHECK_NEAR(distance(v.linear, w.linear) + distance(v.angular, w.angular), 0, 1e-8);
      }
      rg_world_destroy(pairs[0].world);
      rg_world_destroy(pairs[1].world);
    }
}
