// Energy of springs whose other end is moved from outside: the hand that moves it does work, and the
// certificate's balance counts it. Where nothing else gives or takes energy, the balance is zero.
#include "math/trig.h"
#include "support/builder.h"
#include "test.h"

typedef struct Hand {
  double amplitude, frequency; // [m] [rad/s] along x
  double speed;                // [m/s] along x besides
} Hand;

static rgPose hand_at(double time, void* context) {
  const Hand* hand = context;
  double x = hand->amplitude * rg_sin(hand->frequency * time) + hand->speed * time;
  return pose_at(v3(x, 0, 0));
}

typedef struct Pull {
  rgWorld* world;
  rgBodyId hand, mass;
  Hand motion;
} Pull;

// A mass at x = 1 held by a spring of length 1 at a body that moves along x.
static void begin(Pull* pull, double h, double theta, bool implicit, double stiffness,
                  double damping) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = v3_zero();
  def.options.step = h;
  def.options.theta = theta;
  def.options.implicit_forces = implicit;
  pull->world = build_world_of(&def);
  rgBodyDef hand = body_at(RG_BODY_KINEMATIC, v3_zero());
  hand.motion = hand_at;
  hand.motion_context = &pull->motion;
  REQUIRE(rg_world_add_body(pull->world, &hand, NULL, 0, &pull->hand) == RG_OK);
  rgBodyDef mass = body_at(RG_BODY_DYNAMIC, v3(1, 0, 0));
  mass.mass = 3;
  pull->mass = build_body(pull->world, &mass, shape_sphere(0.1));
  rgForceDef spring = rg_force_def();
  spring.kind = RG_FORCE_SPRING;
  spring.body = pull->mass;
  spring.other = pull->hand;
  spring.stiffness = stiffness;
  spring.damping = damping;
  spring.rest = 1;
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(pull->world, &spring, &id) == RG_OK, "%s",
              rg_world_message(pull->world));
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static double stretch_of(const Pull* pull) {
  return rg_body_center(pull->world, pull->mass).x - rg_body_center(pull->world, pull->hand).x - 1;
}

// At theta = 1/2 a linear spring taken implicitly pulls with its mean over the step, so that work
// and energy can be written down step by step: the hand gives k (s + s+) / 2 over its path, which is
// what the spring and the mass have more.
TEST(the_hand_at_a_spring_gives_what_mass_and_spring_receive) {
  const double stiffnesses[] = {30, 1000, 1e5}, speeds[] = {0, 2};
  for (int k = 0; k < 3; k++)
    for (int v = 0; v < 2; v++) {
      Pull pull = {.motion = {.amplitude = 0.1, .frequency = 7, .speed = speeds[v]}};
      begin(&pull, 0.01, 0.5, true, stiffnesses[k], 0);
      CONTEXT("stiffness %g, speed %g", stiffnesses[k], speeds[v]);
      double given = 0, largest = 0, path = 0;
      for (int i = 0; i < 200; i++) {
        double before = energy_of(pull.world), stretch = stretch_of(&pull);
        double x = rg_body_center(pull.world, pull.hand).x;
        rgCertificate certificate = run_met_step(pull.world, i);
        double moved = rg_body_center(pull.world, pull.hand).x - x;
        double work = -0.5 * stiffnesses[k] * (stretch + stretch_of(&pull)) * moved;
        double gained = energy_of(pull.world) - before;
        given += work;
        path += fabs(moved);
        largest = fmax(largest, fabs(energy_of(pull.world)));
        // The preset asks for residuals of 1e-10.
        CHECK_NEAR(gained, work, 1e-8 * largest + 1e-12);
        CHECK_NEAR(certificate.energy, 0, 1e-8 * largest + 1e-12);
      }
      CHECK_MSG(path > 0.5 && fabs(given) > 1e-3, "the hand gave %g J", given);
      CHECK_NEAR(energy_of(pull.world), given, 1e-8 * largest + 1e-10);
      rg_world_destroy(pull.world);
    }
}

// A damper takes c times the square of the rate; theta = 1 takes some more, and neither gives
// anything.
TEST(the_balance_of_a_damped_spring_at_a_hand_is_its_loss) {
  const double thetas[] = {0.5, 1};
  for (int t = 0; t < 2; t++)
    for (int c = 1; c <= 3; c++) {
      Pull pull = {.motion = {.amplitude = 0.1, .frequency = 7, .speed = 1}};
      double damping = 5 * c;
      begin(&pull, 0.01, thetas[t], true, 100, damping);
      CONTEXT("theta %g, damping %g", thetas[t], damping);
      double largest = 0, lost = 0, taken = 0;
      for (int i = 0; i < 200; i++) {
        double stretch = stretch_of(&pull);
        rgCertificate certificate = run_met_step(pull.world, i);
        double rate = (stretch_of(&pull) - stretch) / 0.01;
        largest = fmax(largest, fabs(energy_of(pull.world)));
        taken -= certificate.energy;
        lost += 0.01 * damping * rate * rate;
        CHECK_MSG(certificate.energy <= 1e-8 * largest, "gained %g J in step %d",
                  certificate.energy, i);
      }
      if (thetas[t] == 0.5)
        CHECK_REL(taken, lost, 1e-7); // the rate of the step is exact there
      else
        CHECK_MSG(taken >= lost * (1 - 1e-7), "%g J taken, the damper alone takes %g", taken, lost);
      rg_world_destroy(pull.world);
    }
}

// A torsion spring between a turning hand and a wheel: the same for moments, in a motion about one
// axis.
static rgPose turned_at(double time, void* context) {
  const Hand* hand = context;
  rgPose pose = pose_at(v3_zero());
  pose.orientation = turn_about(v3(0, 0, 1), hand->speed * time);
  return pose;
}

TEST(the_hand_at_a_torsion_spring_gives_what_the_wheel_receives) {
  for (int half = 0; half < 2; half++) {
    Hand motion = {.speed = 0.5};
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("reference", &def.options));
    def.options.gravity = v3_zero();
    def.options.step = half ? 0.005 : 0.01;
    def.options.theta = 0.5;
    rgWorld* world = build_world_of(&def);
    rgBodyDef hand = body_at(RG_BODY_KINEMATIC, v3_zero());
    hand.motion = turned_at;
    hand.motion_context = &motion;
    rgForceDef spring = rg_force_def();
    spring.kind = RG_FORCE_TORSION;
    REQUIRE(rg_world_add_body(world, &hand, NULL, 0, &spring.other) == RG_OK);
    rgBodyDef wheel = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
    spring.body = build_body(world, &wheel, shape_cylinder(0.1, 0.05));
    spring.stiffness = 2;
    rgForceId id;
    REQUIRE_MSG(rg_world_add_force(world, &spring, &id) == RG_OK, "%s", rg_world_message(world));
    double balance = 0;
    for (int i = 0; i < (half ? 400 : 200); i++)
      balance += fabs(run_met_step(world, i).energy);
    double energy = energy_of(world);
    CHECK_MSG(energy > 1e-3, "the wheel has %g J", energy);
    // The turn of a step is a Cayley vector, which differs from the angle by its square over 12:
    // of some turns per second that is below a thousandth.
    CHECK_MSG(balance <= 1e-3 * energy, "balance of %g J out of %g J", balance, energy);
    rg_world_destroy(world);
  }
}

// Explicit springs, to first order: halving the step halves the balance of a run.
TEST(the_balance_of_an_explicit_spring_at_a_hand_falls_with_the_step) {
  double sums[2];
  for (int half = 0; half < 2; half++) {
    Pull pull = {.motion = {.amplitude = 0.1, .frequency = 7, .speed = 1}};
    double h = half ? 0.0005 : 0.001;
    begin(&pull, h, 0.5, false, 100, 0);
    sums[half] = 0;
    for (int i = 0; i < (half ? 2000 : 1000); i++)
      sums[half] += run_met_step(pull.world, i).energy;
    CHECK_MSG(fabs(sums[half]) < 0.05 * energy_of(pull.world), "balance %g J of %g J", sums[half],
              energy_of(pull.world));
    rg_world_destroy(pull.world);
  }
  double ratio = sums[1] / sums[0];
  CHECK_MSG(ratio > 0.4 && ratio < 0.6, "halving the step leaves %g of the balance", ratio);
}

// Two bodies on a spring in flight: at theta = 1/2 the energy of a linear spring stays, and nothing is
// taken for a gain, however unequal the bodies are and wherever the spring holds them.
TEST(a_spring_between_two_bodies_keeps_the_energy) {
  for (int k = 0; k < 8; k++) {
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("reference", &def.options));
    def.options.gravity = v3_zero();
    def.options.step = 2e-3;
    def.options.theta = 0.5;
    def.options.implicit_forces = true;
    rgWorld* world = build_world_of(&def);
    rgBodyDef a = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0)), b = body_at(RG_BODY_DYNAMIC, v3(1, 0, 0));
    a.mass = 1;
    b.mass = 0.2 + k;
    b.velocity.linear = v3(k % 2 ? -0.5 : 0.5, 0, 0);
    rgForceDef spring = rg_force_def();
    spring.kind = RG_FORCE_SPRING;
    spring.body = build_body(world, &a, shape_sphere(0.1));
    spring.other = build_body(world, &b, shape_sphere(0.1));
    spring.at_point = true;
    spring.stiffness = 50;
    spring.rest = 0.7;
    rgForceId id;
    REQUIRE(rg_world_add_force(world, &spring, &id) == RG_OK);
    rgEnergy energy = rg_world_energy(world);
    double start = energy.kinetic + energy.potential;
    CONTEXT("mass %g", b.mass);
    for (int i = 0; i < 500; i++) {
      run_met_step(world, i);
      energy = rg_world_energy(world);
      // Residuals of 1e-10 in 500 steps. Along a line the spring is linear.
      if (!CHECK_NEAR(energy.kinetic + energy.potential, start, 1e-7 * start))
        break;
    }
    rg_world_destroy(world);
  }
}
