// Ringing: rates of joints that change their sign from step to step.
//
// Of the rate c = G v of what a joint locks, the step at theta = 1/2 says c+ = -c + s with s of
// second order in the step: what a hit puts into c would stay there for ever with alternating sign,
// and grow in slender bodies. It is taken out of the velocities at the end of each step. Seen from
// outside: after a hit, the locked rates of a pair in free flight do not alternate, and no energy
// comes from nowhere.
#include "math/trig.h"
#include "support/pairs.h"
#include "support/random.h"
#include "test.h"

// The relative angular velocity across the axis of the hinge, in the axes of A.
static rgVec3 locked_rate(const Pair* pair) {
  rgJointState state;
  REQUIRE(rg_joint_state(pair->world, pair->joint, &state) == RG_OK);
  rgVec3 w = v3_sub(rg_body_velocity(pair->world, pair->b).angular,
                    rg_body_velocity(pair->world, pair->a).angular);
  w = quat_unrotate(state.frame_a.orientation, w);
  w.x = 0;
  return w;
}

static double fastest_spin(const Pair* pair) {
  return fmax(v3_norm(rg_body_velocity(pair->world, pair->a).angular),
              v3_norm(rg_body_velocity(pair->world, pair->b).angular));
}

// The largest alternating part of the locked rate in free flight after hits, over the spin; `hits`
// counts the steps with contacts.
static double ringing_after_hits(Pair* pair, int steps, int* hits) {
  enum { QUIET = 5 }; // steps after a hit in which what it did is taken out, by half each
  rgVec3 c[3] = {v3_zero(), v3_zero(), v3_zero()};
  double largest = 0;
  int flight = 0;
  *hits = 0;
  for (int i = 0; i < steps; i++) {
    bool hit = run_met_step(pair->world, i).contacts > 0;
    *hits += hit;
    flight = hit ? 0 : flight + 1;
    c[2] = c[1];
    c[1] = c[0];
    c[0] = locked_rate(pair);
    rgVec3 alternating = v3_scale(v3_add(v3_axpy(c[0], -2, c[1]), c[2]), 0.25);
    if (*hits > 0 && flight > QUIET)
      largest = fmax(largest, v3_norm(alternating) / fastest_spin(pair));
  }
  return largest;
}

TEST(after_a_hit_the_locked_rates_of_a_hinge_do_not_alternate) {
  const double steps[] = {0.02, 0.01, 0.005}, slender[] = {0.5, 0.3};
  int seen = 0;
  for (int k = 0; k < 3; k++)
    for (int s = 0; s < 2; s++)
      for (int spin = 1; spin <= 4; spin++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
          double h = steps[k];
          Pair pair = throw_pair(RG_JOINT_HINGE, h, slender[s], spin, seed);
          CONTEXT("step %g, slender %g, spin %d, seed %d", h, slender[s], spin, (int)seed);
          int hits = 0;
          double ringing = ringing_after_hits(&pair, (int)(2 / h), &hits);
          seen += hits > 0;
          // Rates below 1e-6 of the velocities at the joint are left alone, those of rods a few
          // times wider than long; smooth motion itself bends by the square of the turn per step.
          double turn = h * fastest_spin(&pair);
          CHECK_MSG(ringing <= 2e-5 + 0.05 * turn * turn, "%g of the spin, turn per step %g",
                    ringing, turn);
          rg_world_destroy(pair.world);
        }
  CHECK_MSG(seen >= 90, "only %d pairs hit the floor", seen);
}

// Hits with restitution 1/2 and friction take energy, and free flight keeps it: slender rods must
// not spin up, whichever joint holds them.
TEST(slender_rods_thrown_at_the_floor_gain_no_energy) {
  const rgJointKind kinds[] = {RG_JOINT_BALL, RG_JOINT_HINGE, RG_JOINT_FIXED};
  const double steps[] = {0.02, 0.01, 0.005}, slender[] = {0.2, 0.1};
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < 3; k++)
      for (int s = 0; s < 2; s++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
          Pair pair = throw_pair(kinds[kind], steps[k], slender[s], 3, seed);
          CONTEXT("%s, step %g, slender %g, seed %d", rg_joint_kind_name(kinds[kind]), steps[k],
                  slender[s], (int)seed);
          double start = rg_world_energy(pair.world).kinetic, most = 0;
          for (int i = 0; i < (int)(2 / steps[k]); i++) {
            REQUIRE(rg_world_step(pair.world, NULL) == RG_OK);
            most = fmax(most, rg_world_energy(pair.world).kinetic);
          }
          // Taking ringing out changes the energy by the square of the rate, to and fro.
          CHECK_MSG(most <= 1.001 * start, "%g J of %g J", most, start);
          rg_world_destroy(pair.world);
        }
}

// A velocity that is set or knocked into a body from outside may contradict its joint, by much or by
// less than counts as ringing. It is made to suit before the step, by impulses of the joint alone: a
// pair on a slider that does not turn then has no rate across it after any step, whatever share of
// the velocity lay across, and its momentum is that which was given.
TEST(velocities_from_outside_are_made_to_suit_the_joint) {
  const double shares[] = {1e-4, 1e-3, 0.01, 0.025, 0.1, 1, 10}, speed = 2;
  for (int k = 0; k < 7; k++)
    for (int knock = 0; knock < 2; knock++) {
      double across = shares[k] * speed;
      rgWorldDef def = rg_world_def();
      REQUIRE(rg_options_preset("reference", &def.options));
      def.options.gravity = v3_zero();
      rgWorld* world = build_world_of(&def);
      rgBodyId ids[2];
      for (int i = 0; i < 2; i++) { // neither turns: what suits is known without solving anything
        rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_zero());
        body.mass = 1 + i;
        body.rotation_locked = true;
        ids[i] = build_body(world, &body, shape_sphere(0.1));
      }
      rgJointDef joint = rg_joint_def(RG_JOINT_SLIDER);
      joint.body_a = ids[0];
      joint.body_b = ids[1];
      rgJointId id;
      REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
      CONTEXT("%g of the velocity across, %s", shares[k], knock ? "knocked" : "set");
      run_steps(world, 3);
      rgVec3 v = v3(speed, 0.6 * across, 0.8 * across);
      rgStatus given = knock ? rg_body_apply_impulse(world, ids[0], v, v3_zero())
                             : rg_body_set_velocity(world, ids[0], twist(v, v3_zero()));
      REQUIRE(given == RG_OK);
      for (int step = 0; step < 4; step++) {
        run_met_step(world, step);
        rgVec3 a = rg_body_velocity(world, ids[0]).linear,
               b = rg_body_velocity(world, ids[1]).linear;
        rgVec3 rate = v3_sub(b, a);
        rate.x = 0;
        // To a part of 1e-6 of what they miss, and 1e-10 of the velocities that the step is solved to.
        CHECK_MSG(v3_norm(rate) <= 2e-6 * across + 1e-9 * speed, "rate of %g of %g m/s in step %d",
                  v3_norm(rate), across, step);
        CHECK_NEAR(distance(v3_axpy(a, 2, b), v), 0, 1e-9 * v3_norm(v)); // 1 a + 2 b
      }
      rg_world_destroy(world);
    }
}

// A swing about z that begins at rest: angle = a (1 - cos(w t)).
typedef struct Swing {
  double angle, frequency; // [rad], [rad/s]
} Swing;

static rgPose swing_of(double time, void* context) {
  const Swing* swing = context;
  double angle = swing->angle * (1 - rg_cos(swing->frequency * time));
  return (rgPose){v3_zero(), turn_about(v3(0, 0, 1), angle)};
}

// What is fixed to a body on a given motion has at the ends of a step the velocity of the motion
// there, to second order. The driven body's own velocity is the mean one of the step: were the
// difference of the two taken for ringing, the velocity would lag behind by half a step.
TEST(what_is_fixed_to_a_driven_body_has_its_velocity_to_second_order) {
  const double steps[] = {0.01, 0.005, 0.0025}, frequencies[] = {2, 7};
  for (int i = 0; i < 6; i++) {
    double h = steps[i % 3], w = frequencies[i / 3];
    Swing swing = {0.3, w};
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("reference", &def.options));
    def.options.gravity = v3_zero();
    def.options.step = h;
    rgWorld* world = build_world_of(&def);
    rgBodyDef driver = body_at(RG_BODY_KINEMATIC, v3_zero());
    driver.motion = swing_of;
    driver.motion_context = &swing;
    rgBodyDef rider = body_at(RG_BODY_DYNAMIC, v3_zero());
    rgJointDef joint = rg_joint_def(RG_JOINT_FIXED);
    joint.body_a = build_body(world, &driver, shape_sphere(0.1));
    joint.body_b = build_body(world, &rider, shape_box(v3(0.3, 0.2, 0.1)));
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    CONTEXT("step %g, frequency %g", h, w);
    for (int step = 0; step < (int)(1 / h); step++) {
      run_met_step(world, step);
      double expected = swing.angle * w * rg_sin(w * rg_world_time(world));
      double spin = rg_body_velocity(world, joint.body_b).angular.z;
      CHECK_NEAR(spin, expected, swing.angle * w * w * w * h * h);
    }
    rg_world_destroy(world);
  }
}

static rgPose sway_of(double time, void* context) {
  const Swing* swing = context;
  return (rgPose){v3_zero(),
                  turn_about(v3(0, 0, 1), swing->angle * rg_sin(swing->frequency * time))};
}

// A motion may begin with a velocity. What is fixed to the driven body then has it from the first
// step on, whatever it began with; it must not ring between nothing and twice the velocity.
TEST(what_is_fixed_to_a_body_driven_from_the_start_does_not_ring) {
  const double steps[] = {0.01, 0.0025}, frequencies[] = {2, 7}, starts[] = {0, 1};
  for (int i = 0; i < 8; i++) {
    double h = steps[i & 1], w = frequencies[i >> 1 & 1];
    Swing swing = {0.3, w};
    rgWorld* world = build_still("reference");
    build_set_step(world, h, 0.5);
    rgBodyDef driver = body_at(RG_BODY_KINEMATIC, v3_zero());
    driver.motion = sway_of;
    driver.motion_context = &swing;
    rgBodyDef rider = body_at(RG_BODY_DYNAMIC, v3_zero());
    rider.velocity.angular = v3(0, 0, starts[i >> 2] * swing.angle * w);
    rgJointDef joint = rg_joint_def(RG_JOINT_FIXED);
    joint.body_a = build_body(world, &driver, shape_sphere(0.1));
    joint.body_b = build_body(world, &rider, shape_box(v3(0.3, 0.2, 0.1)));
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    CONTEXT("step %g, frequency %g, start %g", h, w, starts[i >> 2]);
    for (int step = 0; step < (int)(1 / h); step++) {
      run_met_step(world, step);
      double expected = swing.angle * w * rg_cos(w * rg_world_time(world));
      double spin = rg_body_velocity(world, joint.body_b).angular.z;
      CHECK_NEAR(spin, expected, swing.angle * w * w * h); // to first order
    }
    rg_world_destroy(world);
  }
}

static rgVec3 point_velocity(const rgWorld* world, rgBodyId body, rgVec3 point, double* size) {
  rgTwist v = rg_body_velocity(world, body);
  rgVec3 arm = v3_sub(point, rg_body_center(world, body));
  *size += v3_norm(v.linear) + v3_norm(v.angular) * v3_norm(arm);
  return v3_add(v.linear, v3_cross(v.angular, arm));
}

// Rates at the points of ball joints in fast chains stay a small part of the velocities there: what
// rings beyond that is taken out. The part that is left alone is 3 % in each of three directions.
TEST(points_of_fast_chains_ring_by_a_few_per_cent_at_most) {
  enum { LINKS = 4 };
  random_state = 12;
  for (int trial = 0; trial < 12; trial++) {
    rgWorld* world = build_still("reference");
    build_set_step(world, 0.01 * (1 + trial % 3), 0.5);
    rgBodyId ids[LINKS];
    rgJointId joints[LINKS - 1];
    for (int i = 0; i < LINKS; i++) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(i, 0, 0));
      def.velocity = twist(v3_scale(random_vector(), 10), v3_scale(random_vector(), 25));
      ids[i] = build_body(world, &def, shape_box(v3(0.45, 0.1, 0.06)));
      if (i == 0)
        continue;
      rgJointDef ball = rg_joint_def(RG_JOINT_BALL);
      ball.body_a = ids[i - 1];
      ball.body_b = ids[i];
      ball.point = v3(i - 0.5, 0, 0);
      REQUIRE(rg_world_add_joint(world, &ball, &joints[i - 1]) == RG_OK);
    }
    for (int step = 0; step < 100; step++) {
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      double rate = 0, largest = 0;
      for (int i = 0; i + 1 < LINKS; i++) {
        rgJointState state;
        REQUIRE(rg_joint_state(world, joints[i], &state) == RG_OK);
        double size = 0;
        rgVec3 point = state.frame_a.position;
        rgVec3 a = point_velocity(world, ids[i], point, &size),
               b = point_velocity(world, ids[i + 1], point, &size);
        rate = fmax(rate, distance(a, b));
        largest = fmax(largest, size);
      }
      CONTEXT("trial %d, step %d", trial, step);
      CHECK_MSG(rate <= 0.06 * largest, "rate of %g of the velocities", rate / largest);
    }
    rg_world_destroy(world);
  }
}

// Velocities set from outside are made to suit a hinge with a rotor, which has the rate of the axis by
// them: the least change in the norm of masses and rotor. About the axis the hinge changes no momentum,
// (I + a) q = axis . (J w + r x m v) + a axis . w, and all else of the movement ends.
TEST(velocities_from_outside_suit_a_hinge_with_a_rotor) {
  random_state = 57;
  for (int i = 0; i < 40; i++) {
    rgWorld* world = build_still("reference");
    build_set_step(world, 1e-6, 0.5);
    double mass = random_between(0.5, 2), armature = i % 4 ? random_between(0.01, 0.5) : 0;
    rgVec3 moments = random_within(0.05, 0.09), place = random_vector();
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
    def.mass = mass;
    def.inertia_given = true;
    def.inertia = m3_diag(moments.x, moments.y, moments.z);
    rgBodyId body;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &body), RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    bool swapped = i % 2;
    if (swapped)
      joint.body_a = body;
    else
      joint.body_b = body;
    joint.axis = random_direction();
    joint.axes[0].armature = armature;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    rgTwist v = {random_vector(), random_vector()};
    REQUIRE_INT(rg_body_set_velocity(world, body, v), RG_OK);
    rgVec3 spin = v3_mul(moments, v.angular), n = joint.axis;
    double carried = v3_dot(n, v3_add(spin, v3_cross(place, v3_scale(v.linear, mass)))) +
                     armature * v3_dot(n, v.angular);
    double inertia = v3_dot(n, v3_mul(moments, n)) + mass * v3_norm2(v3_cross(n, place)) + armature;
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    rgTwist after = rg_body_velocity(world, body);
    CONTEXT("case %d, armature %g", i, armature);
    rgVec3 due = v3_scale(n, carried / inertia);
    CHECK_NEAR(distance(after.angular, due), 0, 1e-5);
    CHECK_NEAR(distance(after.linear, v3_cross(due, place)), 0, 1e-5);
    rg_world_destroy(world);
  }
}
