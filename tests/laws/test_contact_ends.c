// Contacts of a step of second order foresee their gaps: what rolls neither sinks nor rises, whichever of
// the two bodies the step calls A, and keeps its energy, though its axes turn by some degrees in a step.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double LASTS = 0.4; // [s]

// An ellipsoid that touches the floor with an axis upright, and rolls.
static rgBodyDef roller(rgVec3 half, double speed, double heading, double askew) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, half.z));
  def.pose.orientation = turn_about(v3(0, 0, 1), heading);
  rgVec3 along = quat_rotate(turn_about(v3(0, 0, 1), heading + askew), v3(1, 0, 0));
  def.velocity = twist(v3_scale(along, speed), v3_zero());
  // No slip: w x (0, 0, -z) = -v.
  def.velocity.angular = v3_scale(v3_cross(v3(0, 0, 1), along), speed / half.z);
  return def;
}

typedef struct Course {
  double deepest, energy; // [m] of the gap; [-] largest change of the energy
  double slip;            // [m/s] largest at a contact after a step
  rgVec3 end;             // [m]
} Course;

// The floor is a half-space or the top of a box, which is flat and known by its corners.
static void add_floor(rgWorld* world, bool box) {
  if (box)
    build_block(world, v3(4, 4, 0.5), v3(0, 0, -0.5));
  else
    build_floor(world);
}

static Course roll(const rgBodyDef* def, rgVec3 half, double h, bool floor_first, bool box) {
  rgWorld* world = build_world("reference");
  rgOptions options = *rg_world_options(world);
  options.step = h;
  options.theta = 0.5;
  snprintf(options.stabilizer, sizeof options.stabilizer, "none");
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_set_default_material(world, 2, 0);
  if (floor_first)
    add_floor(world, box);
  rgBodyId body = build_body(world, def, shape_ellipsoid(half));
  if (!floor_first)
    add_floor(world, box);
  Course course = {0};
  rgEnergy start = rg_world_energy(world);
  for (int i = 0; i < (int)(LASTS / h + 0.5); i++) {
    run_met_step(world, i);
    for (int k = 0; k < rg_world_contact_count(world); k++) {
      rgContact contact;
      REQUIRE(rg_world_contact(world, k, &contact) == RG_OK);
      course.deepest = fmin(course.deepest, contact.gap);
      rgTwist v = rg_body_velocity(world, body);
      rgVec3 arm = v3_sub(contact.point, rg_body_center(world, body));
      course.slip = fmax(course.slip, v3_norm(v3_add(v.linear, v3_cross(v.angular, arm))));
    }
    rgEnergy now = rg_world_energy(world);
    double change = now.kinetic + now.potential - start.kinetic - start.potential;
    course.energy = fmax(course.energy, fabs(change) / start.kinetic);
  }
  course.end = rg_body_center(world, body);
  rg_world_destroy(world);
  return course;
}

// Halving the step twice divides what is left by 16, to second order; some of it is noise of the largest
// over few steps.
static const double TWICE_HALVED = 8;

TEST(what_rolls_neither_sinks_nor_slips_to_second_order) {
  random_state = 31;
  for (int i = 0; i < 8; i++) {
    double z = random_between(0.08, 0.12);
    rgVec3 half = v3(z * random_between(0.85, 1.15), z * random_between(0.8, 1.6), z);
    double speed = random_between(0.3, 0.8), heading = random_between(0, 3);
    rgBodyDef def = roller(half, speed, heading, random_between(0.3, 1.2));
    CONTEXT("case %d: half (%g, %g, %g), %g m/s", i, half.x, half.y, half.z, speed);
    bool box = i % 2;
    Course coarse = roll(&def, half, 8e-3, true, box), fine = roll(&def, half, 2e-3, true, box);
    CHECK_MSG(-fine.deepest <= -coarse.deepest / TWICE_HALVED, "sinks by %g m, by %g m",
              -coarse.deepest, -fine.deepest);
    CHECK_MSG(fine.slip <= coarse.slip / TWICE_HALVED, "slips by %g m/s, by %g m/s", coarse.slip,
              fine.slip);
    CHECK_MSG(fine.energy <= coarse.energy / TWICE_HALVED, "energy changes by %g, by %g",
              coarse.energy, fine.energy);
    // A floor is a floor.
    Course other = roll(&def, half, 8e-3, true, !box);
    CHECK_NEAR(distance(other.end, coarse.end), 0, 1e-7);
    CHECK_REL(other.deepest, coarse.deepest, 1e-2);
    CHECK_REL(other.energy, coarse.energy, 1e-2);
    // A and B exchanged: the same numbers but for rounding.
    Course exchanged = roll(&def, half, 8e-3, false, box);
    CHECK_NEAR(distance(exchanged.end, coarse.end), 0, 1e-9);
    CHECK_REL(exchanged.deepest, coarse.deepest, 1e-4);
    CHECK_REL(exchanged.energy, coarse.energy, 1e-4);
  }
}

// Over a ball, too, whose normals turn: no slip at the end of a step, to second order, and no work of friction.
static Course roll_over(double theta, double h, int kind) {
  rgWorld* world = build_world("reference");
  rgOptions options = *rg_world_options(world);
  options.step = h;
  options.theta = theta;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_set_default_material(world, 2, 0);
  double below = 0.5, radius = 0.1, speed = 0.4;
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3(0, 0, -below)),
            def = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius));
  def.velocity = twist(v3(speed, 0, 0), v3(0, speed / radius, 0));
  rgBodyId body = {0, 0};
  for (int k = 0; k < 2; k++)
    if (k == kind % 2)
      build_body(world, &ground, shape_sphere(below));
    else
      body = build_body(world, &def, shape_sphere(radius));
  Course course = {0};
  rgEnergy start = rg_world_energy(world);
  for (int i = 0; i < (int)(0.3 / h + 0.5); i++) {
    run_met_step(world, i);
    rgContact contact;
    REQUIRE(rg_world_contact(world, 0, &contact) == RG_OK);
    rgTwist v = rg_body_velocity(world, body);
    rgVec3 arm = v3_sub(contact.point, rg_body_center(world, body));
    course.slip = fmax(course.slip, v3_norm(v3_add(v.linear, v3_cross(v.angular, arm))));
    rgEnergy now = rg_world_energy(world);
    double change = now.kinetic + now.potential - start.kinetic - start.potential;
    course.energy = fmax(course.energy, fabs(change) / now.kinetic);
  }
  course.end = rg_body_center(world, body);
  rg_world_destroy(world);
  return course;
}

TEST(what_rolls_over_a_ball_does_not_slip_to_second_order) {
  for (int kind = 0; kind < 2; kind++) {
    Course coarse = roll_over(0.5, 8e-3, kind), fine = roll_over(0.5, 2e-3, kind);
    CONTEXT("kind %d", kind);
    CHECK_MSG(fine.slip <= coarse.slip / TWICE_HALVED + 1e-12, "slips by %g m/s, by %g m/s",
              coarse.slip, fine.slip);
    CHECK_MSG(coarse.slip <= 1e-4, "slips by %g m/s", coarse.slip);
    CHECK_MSG(fine.energy <= coarse.energy / TWICE_HALVED + 1e-9, "energy changes by %g, by %g",
              coarse.energy, fine.energy);
    // rolls as a ball does that keeps its energy: v^2 (1 + 2/5) / 2 + g dz
    double height = 0.1 - coarse.end.z;
    CHECK(height > 0.01);
  }
}
