// Bodies do not pass into or through others within a step, whatever turns or is struck.
//
// A contact holds the material that is nearest at the start of the step. A body that is struck used to
// go into what was out of reach before, and a paddle that turns through what is in its way; nothing was
// said. Thrown bodies are in test_thrown.c.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <rigor/load.h>

static const char* const presets[] = {"realtime", "default", "reference"};

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

// A ball or slab rests before a thin wall, farther than it is searched for contacts, and is struck
// so that it comes to the wall in the same step.
static void strike(bool little) {
  random_state = little ? 8 : 3;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 60; k++) {
      rgWorld* world = build_still(presets[p]);
      double e = random_unit() < 0.5 ? 0 : random_between(0, 1);
      build_set_default_material(world, random_between(0, 0.5), e);
      double thin = random_between(0.005, 0.02),
             gap = little ? thin * random_between(0.1, 1.5) : random_between(0.01, 0.2);
      build_block(world, v3(5, 5, thin), v3(0, 0, -thin));
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, gap + thin));
      bool slab = k % 2;
      rgBodyId struck =
          build_body(world, &def, slab ? shape_box(v3(0.1, 0.1, thin)) : shape_sphere(thin));
      def = body_at(RG_BODY_DYNAMIC, v3(0, 0, gap + 2 * thin + (little ? 0.1 : 0.12)));
      def.velocity.linear.z = -random_between(5, 100);
      if (little) // both masses are known only now: a heavy ball gives up to twice its speed
        def.velocity.linear.z = -random_between(0.3, 1.5) * thin / rg_world_options(world)->step;
      build_body(world, &def, shape_sphere(0.1));
      CONTEXT("%s %d before a wall of %g m, gap %g m, hit at %g m/s, %s", slab ? "slab" : "ball", k,
              2 * thin, gap, -def.velocity.linear.z, presets[p]);
      double start = energy_of(world);
      for (int step = 0; step < 20; step++) {
        rgCertificate certificate;
        REQUIRE(rg_world_step(world, &certificate) == RG_OK);
        CHECK_MSG(!certificate.met || certificate.penetration <= 0.5 * thin,
                  "an overlap of %g m in step %d, and nothing is said", certificate.penetration,
                  step);
        CHECK(!certificate.met || rg_body_pose(world, struck).position.z > 0);
      }
      CHECK(energy_of(world) <= start * (1 + 1e-9));
      rg_world_destroy(world);
    }
}

TEST(what_is_struck_does_not_go_into_what_was_out_of_reach) { strike(false); }

// By little, for a thin body, is as bad as by much.
TEST(what_is_struck_a_little_does_not_go_into_what_was_out_of_reach) { strike(true); }

// A paddle that spins, moved from outside or heavy and free, comes to a ball in its way: it takes the
// ball along instead of passing it.
TEST(a_spinning_paddle_takes_along_what_is_in_its_way) {
  random_state = 4;
  for (int heavy = 0; heavy < 2; heavy++)
    for (int p = 0; p < 3; p++)
      for (int k = 0; k < 60; k++) {
        rgWorld* world = build_still(presets[p]);
        build_set_default_material(world, random_between(0, 0.5), 0);
        double thin = random_between(0.005, 0.02), spin = random_between(5, 100),
               angle = random_between(0.2, 2.5), r = random_between(0.01, 0.03),
               at = random_between(0.2, 0.48), h = rg_world_options(world)->step;
        rgBodyDef def = body_at(heavy ? RG_BODY_DYNAMIC : RG_BODY_KINEMATIC, v3_zero());
        def.velocity.angular.z = spin;
        def.mass = heavy ? 100 : 0;
        build_body(world, &def, shape_box(v3(0.5, thin, 0.2)));
        rgBodyDef ball =
            body_at(RG_BODY_DYNAMIC, quat_rotate(turn_about(v3(0, 0, 1), angle), v3(at, 0, 0)));
        ball.mass = 0.1;
        rgBodyId id = build_body(world, &ball, k % 2 ? shape_sphere(r) : shape_box(v3(r, r, r)));
        CONTEXT("%s paddle at %g rad/s, %s at %g rad, %s", heavy ? "heavy" : "moved", spin,
                k % 2 ? "ball" : "cube", angle, presets[p]);
        bool told = false;
        // A step turns by the Cayley rotation of spin h, which is less than that.
        int steps = (int)((angle + 0.3) / (2 * rg_atan2(0.5 * spin * h, 1))) + 2;
        for (int step = 0; step < steps; step++) {
          rgCertificate certificate;
          REQUIRE(rg_world_step(world, &certificate) == RG_OK);
          told = told || !certificate.met;
          CHECK_MSG(!certificate.met || certificate.penetration <= 0.5 * fmin(thin, r),
                    "an overlap of %g m, and nothing is said", certificate.penetration);
        }
        CHECK_MSG(told || v3_norm(rg_body_velocity(world, id).linear) > 0,
                  "the paddle went through it, and nothing is said");
        rg_world_destroy(world);
      }
}

// A slender rod of 1 kg over the origin, turned anyhow, that falls fast and spins.
static rgBodyId throw_rod(rgWorld* world) {
  double thin = random_between(0.005, 0.02), length = thin * random_between(10, 30);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, length));
  def.pose.orientation = random_rotation();
  def.mass = 1;
  def.velocity = twist(v3(0, 0, -random_between(5, 60)), v3_scale(random_vector(), 20));
  return build_body(world, &def, shape_capsule(thin, length));
}

// What stops a slender body within a step is told as impulses of its contacts, also where the material
// that is stopped was not the one that was near at the start: they add up to the change of its momentum.
TEST(contacts_tell_what_has_stopped_a_body) {
  random_state = 9;
  int told = 0, struck = 0;
  for (int k = 0; k < 60; k++) {
    rgWorld* world = build_still("default");
    build_set_step(world, 1.0 / 240, 1);
    build_set_default_material(world, 0.3, 0);
    build_block(world, v3(3, 3, 0.02), v3(0, 0, -0.02));
    rgBodyId rod = throw_rod(world);
    for (int step = 0; step < 30; step++) {
      rgVec3 before = rg_body_velocity(world, rod).linear, sum = v3_zero();
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      rgVec3 change = v3_sub(rg_body_velocity(world, rod).linear, before);
      for (int i = 0; i < rg_world_contact_count(world); i++) {
        rgContact contact;
        REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
        bool is_a = contact.body_a.index == rod.index;
        sum = is_a ? v3_add(sum, contact.impulse) : v3_sub(sum, contact.impulse);
      }
      if (v3_norm(change) < 1)
        continue;
      struck++;
      told += distance(sum, change) <= 1e-3 * v3_norm(change);
    }
    rg_world_destroy(world);
  }
  // What no contact of the start is on the same side of is told by nobody.
  CHECK_MSG(struck > 100 && 5 * told >= 4 * struck, "%d of %d stops are told", told, struck);
}

// The same of the moments about the normal, which all contacts of a plate have in common: what contacts tell in sum is what
// the loads of the step say has acted.
TEST(contacts_tell_the_torsion_that_has_stopped_a_body) {
  random_state = 9;
  int told = 0, twisted = 0;
  for (int k = 0; k < 60; k++) {
    rgWorld* world = build_still("default");
    build_set_step(world, 1.0 / 240, 1);
    rgMaterial rough = rg_material_default();
    rough.mu = 0.3;
    rough.e_tau = random_between(0.01, 0.1);
    REQUIRE(rg_world_set_material(world, 0, &rough) == RG_OK);
    build_block(world, v3(3, 3, 0.02), v3(0, 0, -0.02));
    rgBodyId rod = throw_rod(world);
    for (int step = 0; step < 30; step++) {
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      enum { LOADS = 16 };
      rgContactLoad loads[LOADS];
      double acted = 0, sum = 0, most = 0;
      int count = rg_world_contact_loads(world, loads, LOADS);
      REQUIRE(count <= LOADS);
      for (int i = 0; i < count; i++) {
        double side = loads[i].body_a.index == rod.index ? 1 : -1;
        acted += side * loads[i].normal.z * loads[i].torsion / 240;
        most = fmax(most, fabs(loads[i].torsion) / 240);
      }
      for (int i = 0; i < rg_world_contact_count(world); i++) {
        rgContact contact;
        REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
        double side = contact.body_a.index == rod.index ? 1 : -1;
        sum += side * contact.normal.z * contact.torsion;
      }
      if (most < 1e-6)
        continue;
      twisted++;
      told += fabs(sum - acted) <= 1e-12 * most; // rounding of a few terms
    }
    rg_world_destroy(world);
  }
  // Each seventh step or so has a contact that enters late beside one of the start; what has none there is told by nobody.
  CHECK_MSG(twisted > 100 && 20 * told >= 19 * twisted, "%d of %d steps are told", told, twisted);
}

// A rod that is struck at both ends from opposite sides spins without going anywhere: its ends do not swing through
// plates that were out of the reach of the search.
TEST(the_ends_of_a_struck_rod_do_not_swing_through_plates) {
  for (int i = 0; i < 6; i++) {
    rgWorld* world = build_still("default");
    double theta = i % 2 ? 1 : 0.5, gap = 0.02 + 0.005 * i, speed = 8 + 2 * i;
    build_set_step(world, 0.01, theta);
    build_set_default_material(world, 0, 0.5);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    rgBodyId rod = build_body(world, &def, shape_box(v3(1, 0.03, 0.03)));
    for (int side = -1; side <= 1; side += 2) {
      def = body_at(RG_BODY_DYNAMIC, v3(0.8 * side, -0.13001 * side, 0));
      def.velocity.linear = v3(0, speed * side, 0);
      def.mass = 20;
      build_body(world, &def, shape_sphere(0.1));
      // beyond the end, on the side to which it will swing
      build_block(world, v3(0.05, 0.01, 0.3), v3(0.97 * side, (0.03 + gap + 0.01) * side, 0));
    }
    for (int step = 0; step < 6; step++) {
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      rgVec3 end = quat_rotate(rg_body_pose(world, rod).orientation, v3(0.97, 0, 0));
      CONTEXT("case %d, step %d", i, step);
      CHECK_MSG(end.y <= 0.03 + gap, "the end is at %g m, the plate at %g m", end.y, 0.03 + gap);
    }
    rg_world_destroy(world);
  }
}

// What does not collide is not in the way, however fast a struck body comes to it: by a filter of shapes or by a pair
// that was switched off.
TEST(struck_bodies_pass_what_they_do_not_collide_with) {
  for (int i = 0; i < 4; i++) {
    rgWorld* world = build_still("default");
    build_set_default_material(world, 0, 1);
    rgBodyDef def = body_at(RG_BODY_STATIC, v3(0, 0, -0.1));
    rgShapeDef plate = shape_box(v3(1, 1, 0.01));
    if (i % 2)
      plate.mask = 2;
    rgBodyId wall = build_body(world, &def, plate);
    def = body_at(RG_BODY_DYNAMIC, v3_zero());
    rgBodyId struck = build_body(world, &def, shape_sphere(0.02));
    def.pose.position.z = 0.1201;
    def.velocity.linear.z = -60;
    def.mass = 10;
    rgBodyId hammer = build_body(world, &def, shape_sphere(0.1));
    if (i % 2 == 0) {
      REQUIRE(rg_world_set_pair_collision(world, wall, struck, false) == RG_OK);
      REQUIRE(rg_world_set_pair_collision(world, hammer, wall, false) == RG_OK);
    }
    for (int step = 0; step < 4; step++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      CONTEXT("case %d, step %d", i, step);
      CHECK_INT(certificate.stages[RG_STAGE_PASSING].count, 0);
    }
    CHECK(rg_body_center(world, struck).z < -0.5);
    CHECK(rg_body_velocity(world, struck).linear.z < -60);
    rg_world_destroy(world);
  }
}
