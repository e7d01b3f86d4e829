// Tops on the ground: a heavy top with a round foot stands while its spin lasts.
//
// Gravity turns the momentum of a fast top sideways, so that it precesses and does not fall; friction of the
// foot takes spin and energy slowly, at most mu m g times the radius of the foot. A step that turned the
// momentum with the body by the part of the turn that the contact makes would add h (turn of this step) x L to the
// moment of the contact: a moment along the fall, at first order. In the preset default it laid a top
// of 100 rad/s down within 0.7 s.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double MASS = 0.2, FOOT = 0.003,
                    LENGTH = 0.027;                   // [kg, m, m] LENGTH from centre to foot
static const double ACROSS = 8.33e-5, ALONG = 1.6e-4; // [kg m2] moments

static rgBodyId build_top(rgWorld* world, double unit, double tilt, double spin) {
  double moment = unit * unit;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, unit * (FOOT + LENGTH * cos(tilt))));
  def.pose.orientation = turn_about(v3(0, 1, 0), tilt);
  def.mass = MASS;
  def.inertia_given = true;
  def.inertia = m3_diag(ACROSS * moment, ACROSS * moment, ALONG * moment);
  def.velocity.angular = v3_scale(quat_rotate(def.pose.orientation, v3(0, 0, 1)), spin);
  rgShapeDef foot = shape_sphere(unit * FOOT);
  foot.pose.position = v3(0, 0, -unit * LENGTH);
  return build_body(world, &def, foot);
}

static double tilt_of(const rgWorld* world, rgBodyId top) {
  rgVec3 axis = quat_rotate(rg_body_pose(world, top).orientation, v3(0, 0, 1));
  return rg_atan2(sqrt(axis.x * axis.x + axis.y * axis.y), axis.z);
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static void spin_one(const char* preset, double unit, double mu, double tilt, double spin) {
  rgWorld* world = build_still(preset);
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(0, 0, -9.81 * unit);
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  build_set_default_material(world, mu, 0);
  build_floor(world);
  rgBodyId top = build_top(world, unit, tilt, spin);
  double start = energy_of(world), highest = start, most = tilt;
  for (int i = 0; i < (int)(2 / options.step); i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    highest = fmax(highest, energy_of(world));
    most = fmax(most, tilt_of(world, top));
  }
  // Nutation swings by less than a fifth of the tilt; explicit moments let the precession grow by h W^2 / 2, W being
  // its rate, which is a tenth in 2 s at 1/60 s.
  double rate = MASS * 9.81 * LENGTH / (ALONG * spin);
  CHECK(most < tilt * (1.2 + 2 * options.step * rate * rate));
  CHECK(highest < start * (1 + 1e-3)); // an impact at theta = 1 lends the work of a step's fall
  // The foot cannot take more than this much of the energy.
  double friction = mu * MASS * 9.81 * unit * FOOT * unit * spin * 2;
  CHECK(energy_of(world) > start - friction - 0.02 * start);
  rg_world_destroy(world);
}

TEST(a_fast_top_stands_on_the_ground_in_every_preset) {
  const char* const presets[] = {"default", "realtime", "reference"};
  random_state = 31;
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < 6; k++) {
      double unit = k % 2 ? 1000 : 1, mu = k < 2 ? 0 : random_between(0.1, 0.6);
      double tilt = random_between(0.06, 0.12), spin = random_between(110, 200);
      CONTEXT("%s, unit %g, mu %g, tilt %g, %g rad/s", presets[p], unit, mu, tilt, spin);
      spin_one(presets[p], unit, mu, tilt, spin);
    }
}
