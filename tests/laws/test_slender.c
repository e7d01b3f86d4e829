// Slender bodies thrown at the ground, with friction and restitution: none multiplies its energy.
//
// Friction on the thin radius spins a rod about its axis, where its moment is small, and the same
// contact turns the axis within the step. A step that kept the angular velocity in world axes would
// turn cheap spin about the axis into expensive spin across it and multiply the energy, by factors
// up to thousands, with every residual met.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef enum Form { ROD, PLATE, CYLINDER, CAPSULE, NEEDLE, FORM_COUNT } Form;
static const char* const form_names[] = {"rod", "plate", "cylinder", "capsule", "needle"};

enum { THROWS = 6 };
static const double LENGTH = 0.3; // [m] half of the longest extent

static rgShapeDef form_shape(Form form, double aspect) {
  double thin = LENGTH / aspect;
  switch (form) {
  case PLATE:
    return shape_box(v3(LENGTH, LENGTH, thin));
  case CYLINDER:
    return shape_cylinder(thin, LENGTH);
  case CAPSULE:
    return shape_capsule(thin, LENGTH);
  case NEEDLE:
    return shape_ellipsoid(v3(LENGTH, thin, thin));
  default:
    return shape_box(v3(LENGTH, thin, thin));
  }
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

// Part of the energy that a run may come above its start: a fall at theta > 1/2 loses more than the impact
// that ends it borrows, so that only what solves leave may be there.
static const double RUN_GAIN = 1e-4;

// What an impact at theta > 1/2 borrows of the fall, (theta - 1/2) h F . (v - v+) [J].
static double borrowed(const rgWorld* world, rgBodyId body, rgVec3 before) {
  const rgOptions* options = rg_world_options(world);
  double weight = rg_body_mass(world, body).mass * v3_norm(options->gravity);
  rgVec3 change = v3_sub(rg_body_velocity(world, body).linear, before);
  return (options->theta - 0.5) * options->step * weight * v3_norm(change);
}

static void throw_one(Form form, double aspect, const char* preset) {
  rgWorld* world = build_world(preset);
  build_set_default_material(world, random_between(0, 1), random_between(0, 0.9));
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1.2 * LENGTH * 1.5));
  def.pose.orientation = random_rotation();
  double speed = random_between(1, 10) * (random_unit() < 0.3 ? 10 : 1);
  rgVec3 along = random_direction();
  along.z = -fabs(along.z);
  def.velocity = twist(v3_scale(along, speed), v3_scale(random_vector(), 100));
  rgBodyId body = build_body(world, &def, form_shape(form, aspect));
  double start = energy_of(world), gain = 0, most = start;
  for (int step = 0; step < 240; step++) {
    rgCertificate certificate;
    rgVec3 before = rg_body_velocity(world, body).linear;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    gain = fmax(gain, certificate.energy - borrowed(world, body, before));
    most = fmax(most, energy_of(world));
  }
  // What a residual at the tolerance leaves of a body's energy (src/step/energy), and rounding.
  double left = 4 * rg_world_options(world)->tolerance + 1e-9;
  CHECK_MSG(gain <= left * start, "a step makes %g of the energy", gain / start);
  CHECK_MSG(most <= (1 + RUN_GAIN) * start, "the energy comes to %g of the start", most / start);
  rg_world_destroy(world);
}

TEST(slender_bodies_thrown_at_the_ground_do_not_multiply_their_energy) {
  const double aspects[] = {1, 3, 10, 30, 50};
  const char* presets[] = {"realtime", "default", "reference"};
  random_state = 21;
  for (int p = 0; p < 3; p++)
    for (int form = 0; form < FORM_COUNT; form++)
      for (int a = 0; a < 5; a++)
        for (int k = 0; k < THROWS; k++) {
          CONTEXT("%s of aspect %g, throw %d, %s", form_names[form], aspects[a], k, presets[p]);
          throw_one((Form)form, aspects[a], presets[p]);
        }
}
