// Chains that turn fast for the step: h w from 1/2 to 3, free in space, theta = 1/2.
//
// The step of joints keeps the energy exactly where its rounds converge. Where they do not, the
// island takes the plain step, which loses energy; that is not what was asked for, and the
// certificate says so. There is no third way: energy does not change in a step that is met.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef struct Chain {
  int links;
  double mass, length; // [kg] [m] of a link
  double spin;         // [rad/s] of the first
  double bend;         // [rad] largest angle between two links
  bool hinges;         // about random axes; otherwise balls
} Chain;

// Links end to end, each turned against the last; all turn together, each with a part of its own
// that its joint allows.
static rgWorld* make_chain(const Chain* chain, double h) {
  rgWorld* world = build_still("reference");
  build_set_step(world, h, 0.5);
  rgVec3 joint = v3_zero(), joint_velocity = v3_zero();
  rgVec3 w = v3_scale(random_direction(), chain->spin);
  rgQuat q = random_rotation();
  rgBodyId last = {0, 0};
  for (int i = 0; i < chain->links; i++) {
    rgVec3 axis = random_direction();
    if (i > 0) {
      q = quat_unit(quat_mul(turn_about(axis, chain->bend * random_unit()), q));
      w = v3_axpy(w, 0.2 * chain->spin * random_between(-1, 1), axis);
    }
    rgVec3 half = quat_rotate(q, v3(0.5 * chain->length, 0, 0));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_add(joint, half));
    def.pose.orientation = q;
    def.mass = chain->mass;
    def.velocity = twist(v3_add(joint_velocity, v3_cross(w, half)), w);
    double s = chain->length;
    rgShapeDef shape = shape_box(v3(0.5 * s, 0.15 * s, 0.1 * s));
    shape.group = shape.mask = 0; // no contacts
    rgBodyId id = build_body(world, &def, shape);
    if (i > 0) {
      rgJointDef made = rg_joint_def(chain->hinges ? RG_JOINT_HINGE : RG_JOINT_BALL);
      made.body_a = last;
      made.body_b = id;
      made.point = joint;
      made.axis = axis;
      rgJointId joint_id;
      REQUIRE_MSG(rg_world_add_joint(world, &made, &joint_id) == RG_OK, "%s",
                  rg_world_message(world));
    }
    joint = v3_axpy(joint, 2, half);
    joint_velocity = v3_axpy(joint_velocity, 2, v3_cross(w, half));
    last = id;
  }
  return world;
}

static bool is_told(const rgCertificate* certificate) {
  return !certificate->met && (certificate->stages[RG_STAGE_PLAIN].missed > 0 ||
                               certificate->stages[RG_STAGE_ROUNDS].missed > 0);
}

// The problems that a step hands out are those that it certified, plain step or not.
static void check_islands(const rgWorld* world) {
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate said, judged;
    REQUIRE(rg_world_island(world, i, &problem, &solution, &said) == RG_OK);
    rg_problem_certify(&problem, &solution, said.tolerance, &judged);
    CHECK_NEAR(judged.joint, said.joint, 1e-12 * said.scale); // rounding of the velocities
    CHECK_NEAR(judged.dynamics, 0, 1e-12 * said.scale);
  }
}

static void check_chain(const Chain* chain, double turn) {
  double h = turn / chain->spin;
  rgWorld* world = make_chain(chain, h);
  rgVec3 momentum = rg_world_momentum(world).linear;
  double speed = chain->spin * chain->length, start = rg_world_energy(world).kinetic;
  for (int step = 0; step < 40; step++) {
    double before = rg_world_energy(world).kinetic;
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    double change = rg_world_energy(world).kinetic / before - 1;
    // Rates of joints that ring by more than 3 % of the velocities are taken out, which the
    // certificate counts: that loses some squares of what rings, and gains nothing.
    bool rings = certificate.stages[RG_STAGE_RINGING].count > 0;
    double loss = rings ? 0.05 : 1e-6;
    CHECK_MSG((change <= 1e-6 + 0.4 * loss && change >= -loss) || is_told(&certificate),
              "step %d changes the energy by %g and is %s", step, change,
              certificate.met ? "met" : "not met, without a reason");
    CHECK_NEAR(certificate.energy, change * before, 1e-9 * before); // the balance sees it
    check_islands(world);
  }
  // The plain step loses energy.
  CHECK_MSG(rg_world_energy(world).kinetic <= 1.02 * start, "%g J of %g J after 40 steps",
            rg_world_energy(world).kinetic, start);
  // Whatever the step does, joints act and react: the sum of 40 steps' rounding.
  double mass = chain->mass * chain->links;
  CHECK_NEAR(distance(rg_world_momentum(world).linear, momentum), 0, 1e-9 * mass * speed);
  rg_world_destroy(world);
}

TEST(a_fast_chain_keeps_its_energy_or_is_not_met) {
  const double turns[] = {0.5, 0.8, 1.2, 1.6, 2.2, 3};
  const double masses[] = {1e-3, 1, 1e3}, lengths[] = {0.01, 1, 30};
  random_state = 3;
  for (int links = 2; links <= 5; links++)
    for (int t = 0; t < 6; t++)
      for (int k = 0; k < 6; k++) {
        Chain chain = {.links = links,
                       .mass = masses[k % 3],
                       .length = lengths[(k + t) % 3],
                       .spin = k < 3 ? 20 : 300,
                       .bend = 1,
                       .hinges = k % 2};
        CONTEXT("%d links, h w %g, mass %g, length %g, spin %g, %s", links, turns[t], chain.mass,
                chain.length, chain.spin, chain.hinges ? "hinges" : "balls");
        check_chain(&chain, turns[t]);
      }
}

// A turn of a tenth per step and less is what the step is made for: it is met, and keeps the energy.
TEST(a_slow_chain_keeps_its_energy_and_is_met) {
  random_state = 4;
  for (int links = 2; links <= 6; links++)
    for (int k = 0; k < 4; k++) {
      Chain chain = {
          .links = links, .mass = 2, .length = 0.5, .spin = 5, .bend = 1, .hinges = k % 2};
      rgWorld* world = make_chain(&chain, (k < 2 ? 0.02 : 0.05) / chain.spin);
      CONTEXT("%d links, run %d", links, k);
      for (int step = 0; step < 40; step++) {
        double before = rg_world_energy(world).kinetic;
        run_met_step(world, step);
        CHECK_REL(rg_world_energy(world).kinetic, before, 1e-6);
      }
      rg_world_destroy(world);
    }
}

// A ball that hits the floor beside a chain that takes the plain step: the impulse of its contact is
// the change of its momentum, as without the chain.
TEST(contacts_beside_a_plain_step_report_what_acted) {
  random_state = 5;
  int plain = 0, hits = 0;
  for (int trial = 0; trial < 8; trial++) {
    Chain chain = {.links = 3, .mass = 1, .length = 0.5, .spin = 40, .bend = 1};
    rgWorld* world = make_chain(&chain, 0.04);
    build_set_default_material(world, 0, 0); // it stays in contact
    rgBodyDef ground = body_at(RG_BODY_STATIC, v3(0, 0, -30));
    build_body(world, &ground, shape_halfspace());
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(9, 0, -29.5));
    def.mass = 1 + trial;
    def.velocity.linear.z = -random_between(1, 5);
    rgBodyId ball = build_body(world, &def, shape_sphere(0.1));
    for (int step = 0; step < 20; step++) {
      double before = rg_body_velocity(world, ball).linear.z;
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      double gained = def.mass * (rg_body_velocity(world, ball).linear.z - before), told = 0;
      for (int i = 0; i < rg_world_contact_count(world); i++) {
        rgContact contact;
        REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
        bool first = contact.body_a.index == ball.index;
        if (first || contact.body_b.index == ball.index)
          told += first ? contact.impulse.z : -contact.impulse.z;
      }
      CONTEXT("trial %d, step %d", trial, step);
      CHECK_NEAR(told, gained, 1e-9 * def.mass); // residuals of 1e-10 of some metres per second
      bool hit = gained > 0;
      hits += hit;
      plain += hit && certificate.stages[RG_STAGE_PLAIN].missed > 0;
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(hits >= 6 && plain > 0, "%d hits, %d of them beside a plain step", hits, plain);
}

static double angular_speed(const double* v) { return v3_norm(v3(v[3], v[4], v[5])); }

// A body of a plain step has the velocity that the problem gave it, turned with it, at theta = 1, where nothing
// rings: as fast as there, but for a factor that all of its island have in common where it paid.
TEST(bodies_of_plain_steps_have_the_velocities_of_their_problem) {
  random_state = 6;
  int plain = 0;
  for (int k = 0; k < 24; k++) {
    Chain chain = {
        .links = 2 + k % 4, .mass = 1, .length = 1, .spin = 20, .bend = 1, .hinges = k % 2};
    rgWorld* world = make_chain(&chain, (1.5 + 0.1 * k) / chain.spin);
    build_set_step(world, rg_world_options(world)->step, 1);
    for (int step = 0; step < 4; step++) {
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      rgProblem problem;
      rgSolution solution;
      if (certificate.stages[RG_STAGE_PLAIN].missed == 0)
        continue;
      REQUIRE(rg_world_island(world, 0, &problem, &solution, NULL) == RG_OK);
      REQUIRE_INT(problem.body_count, chain.links); // in the order of creation
      plain++;
      double factor = 0;
      for (int i = 0; i < chain.links; i++) {
        rgTwist v = rg_body_velocity(world, rg_world_body(world, i));
        double ratio = v3_norm(v.angular) / angular_speed(solution.v + 6 * i);
        factor = i == 0 ? ratio : factor;
        CONTEXT("chain %d, step %d, body %d", k, step, i);
        CHECK(ratio <= 1 + 1e-9);
        CHECK_NEAR(ratio, factor, 1e-9);
      }
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(plain >= 10, "only %d plain steps", plain);
}

// Rounds settle what turns by a fifth of a radian in a step, the fastest link by more, whatever the chain is made
// of: no island is given up.
TEST(rounds_settle_what_a_step_resolves) {
  static const double thetas[] = {0.5, 0.7, 1};
  random_state = 8;
  int plain = 0, steps = 0;
  for (int k = 0; k < 36; k++) {
    Chain chain = {.links = 2 + k % 5,
                   .mass = k % 2 ? 1 : 1e-3,
                   .length = k % 3 ? 1 : 0.05,
                   .spin = 10,
                   .bend = 1,
                   .hinges = k % 2};
    bool full = k / 3 % 2;
    rgWorld* world = make_chain(&chain, 0.2 / chain.spin);
    rgOptions options = *rg_world_options(world);
    options.theta = thetas[k % 3];
    snprintf(options.coordinates, sizeof options.coordinates, "%s", full ? "full" : "reduced");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    for (int step = 0; step < 10; step++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      CONTEXT("chain %d, step %d", k, step);
      CHECK_INT(certificate.stages[RG_STAGE_PLAIN].missed, 0);
      plain += certificate.stages[RG_STAGE_PLAIN].missed;
      steps++;
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(plain == 0, "%d of %d", plain, steps);
}

// A plain step moves its bodies by the velocity of its end, whatever theta is.
TEST(bodies_of_plain_steps_go_where_their_end_velocity_leads) {
  static const double thetas[] = {0.5, 0.7, 1};
  random_state = 16;
  int plain = 0;
  for (int k = 0; k < 24; k++) {
    Chain chain = {
        .links = 2 + k % 4, .mass = 1, .length = 1, .spin = 20, .bend = 1, .hinges = k % 2};
    rgWorld* world = make_chain(&chain, (1.5 + 0.1 * k) / chain.spin);
    rgOptions options = *rg_world_options(world);
    options.theta = thetas[k % 3];
    snprintf(options.coordinates, sizeof options.coordinates, "full");
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    for (int step = 0; step < 4; step++) {
      rgVec3 before[8];
      for (int i = 0; i < chain.links; i++)
        before[i] = rg_body_center(world, rg_world_body(world, i));
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      rgProblem problem;
      rgSolution solution;
      if (certificate.stages[RG_STAGE_PLAIN].missed == 0)
        continue;
      REQUIRE(rg_world_island(world, 0, &problem, &solution, NULL) == RG_OK);
      plain++;
      for (int i = 0; i < chain.links; i++) {
        const double* v = solution.v + 6 * i;
        rgVec3 due = v3_axpy(before[i], options.step, v3(v[0], v[1], v[2]));
        CONTEXT("chain %d, step %d, body %d, theta %g", k, step, i, options.theta);
        CHECK_NEAR(distance(rg_body_center(world, rg_world_body(world, i)), due), 0, 1e-9);
      }
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(plain >= 10, "only %d plain steps", plain);
}
