// The energy balance of springs taken explicitly whose other end is moved from outside: what the
// hand gives is counted once.
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
