// Bodies do not pass into or through others within a step, whatever turns or is struck.
//
// A contact holds the material that is nearest at the start of the step. A slender body that is
// stopped there swings about it, and its far end used to go through plates, meshes and fields within
// the step; a body that is struck used to go into what was out of reach before; nothing was said.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef enum Form { ROD, PLATE, CYLINDER, DISC, CAPSULE, NEEDLE, LENS, FORM_COUNT } Form;
static const char* const form_names[] = {"rod",     "plate",  "cylinder", "disc",
                                         "capsule", "needle", "lens"};
typedef enum Target { HALFSPACE, BOX, MESH, FIELD, TARGET_COUNT } Target;
static const char* const target_names[] = {"half-space", "box", "mesh", "field"};
static const char* const presets[] = {"realtime", "default", "reference"};

static rgShapeDef form_shape(Form form, double length, double thin) {
  switch (form) {
  case PLATE:
    return shape_box(v3(length, length, thin));
  case CYLINDER:
    return shape_cylinder(thin, length);
  case DISC:
    return shape_cylinder(length, thin);
  case CAPSULE:
    return shape_capsule(thin, length);
  case NEEDLE:
    return shape_ellipsoid(v3(length, thin, thin));
  case LENS:
    return shape_ellipsoid(v3(length, length, thin));
  default:
    return shape_box(v3(length, thin, thin));
  }
}

// A surface at z = 0, 20 mm thick where it has a thickness, and wide enough for the fastest throw.
enum { WIDE = 20000 };
static void build_target(rgWorld* world, Target target) {
  static const rgVec3 corners[4] = {
      {-WIDE, -WIDE, 0}, {WIDE, -WIDE, 0}, {WIDE, WIDE, 0}, {-WIDE, WIDE, 0}};
  static const int triangles[6] = {0, 1, 2, 0, 2, 3};
  static const double heights[16] = {0};
  rgShapeDef shape = shape_halfspace();
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  if (target == BOX) {
    shape = shape_box(v3(WIDE, WIDE, 0.01));
    def.pose.position.z = -0.01;
  } else if (target == MESH) {
    shape = rg_shape_def(RG_SHAPE_MESH);
    shape.points = corners;
    shape.point_count = 4;
    shape.triangles = triangles;
    shape.triangle_count = 2;
  } else if (target == FIELD) {
    shape = rg_shape_def(RG_SHAPE_FIELD);
    shape.heights = heights;
    shape.rows = shape.columns = 4;
    shape.spacing_x = shape.spacing_y = 2.0 * WIDE / 3;
  }
  build_body(world, &def, shape);
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

// A body that is thrown at a target.
typedef struct Throw {
  Form form;
  Target target;
  double length, thin, speed, spin; // [m] [m] [m/s] [rad/s]
} Throw;

// Part of the energy of the start that a run may gain: contacts act where they are at the start of
// the step, so that what rolls and rocks keeps its energy to first order only.
static const double RUN_GAIN = 0.1;

// Returns whether a step had to cut a movement short.
static bool throw_one(const Throw* thrown, const char* preset, int steps) {
  rgWorld* world = build_world(preset);
  double mu = random_between(0, 1), e = random_unit() < 0.5 ? 0 : random_between(0, 0.9);
  build_set_default_material(world, mu, e);
  build_target(world, thrown->target);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1.8 * thrown->length));
  def.pose.orientation = random_rotation();
  rgVec3 along = random_direction();
  along.z = -fabs(along.z);
  rgVec3 axis = random_direction();
  def.velocity = twist(v3_scale(along, thrown->speed), v3_scale(axis, thrown->spin));
  rgBodyId body = build_body(world, &def, form_shape(thrown->form, thrown->length, thrown->thin));
  double start = energy_of(world), most = start, deepest = 0;
  bool cut = false, behind = false;
  for (int step = 0; step < steps; step++) {
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    most = fmax(most, energy_of(world));
    cut = cut || certificate.stages[RG_STAGE_PASSING].missed > 0;
    behind = behind || rg_body_pose(world, body).position.z < 0;
    if (certificate.met)
      deepest = fmax(deepest, certificate.penetration);
  }
  CHECK_MSG(!behind, "the body came behind the surface");
  // What is not passing is left to the stabilizer: half of the half-width, see fill/passing.c.
  CHECK_MSG(deepest <= 0.5 * thrown->thin, "an overlap of %g half-widths, and nothing is said",
            deepest / thrown->thin);
  CHECK_MSG(most <= (1 + RUN_GAIN) * start, "the energy comes to %g of the start", most / start);
  rg_world_destroy(world);
  return cut;
}

TEST(slender_bodies_thrown_at_any_speed_stay_in_front_of_what_they_hit_slow) {
  const double aspects[] = {1, 3, 10, 30, 50}, speeds[] = {1, 3, 10, 30, 100, 300, 1000};
  random_state = 77;
  for (int p = 0; p < 3; p++)
    for (int target = 0; target < TARGET_COUNT; target++)
      for (int form = 0; form < FORM_COUNT; form++)
        for (int a = 0; a < 5; a++)
          for (int s = 0; s < 7; s++) {
            double spin = random_unit() < 0.5 ? 0 : random_between(0, 200);
            Throw thrown = {(Form)form, (Target)target, 0.3, 0.3 / aspects[a], speeds[s], spin};
            CONTEXT("%s of aspect %g on %s at %g m/s, %s", form_names[form], aspects[a],
                    target_names[target], speeds[s], presets[p]);
            throw_one(&thrown, presets[p], 120);
          }
}

// Bodies of 10 to 20 mm thickness, thrown as by hand or by a machine: the contacts that stop them
// are found, and hardly ever a movement has to be cut short.
TEST(what_is_thrown_by_hand_is_stopped_by_contacts) {
  const struct {
    const char* preset;
    double least, most; // [m/s]
  } hands[] = {{"realtime", 3, 10}, {"default", 3, 30}, {"reference", 3, 30}};
  random_state = 31;
  for (int p = 0; p < 3; p++) {
    int thrown_count = 0, cut = 0;
    for (int target = 0; target < TARGET_COUNT; target++)
      for (int form = 0; form < FORM_COUNT; form++)
        for (int k = 0; k < 8; k++) {
          double length = random_between(0.1, 0.4), thin = random_between(0.005, 0.01),
                 speed = random_between(hands[p].least, hands[p].most),
                 spin = random_between(0, 20);
          Throw thrown = {(Form)form, (Target)target, length, thin, speed, spin};
          CONTEXT("%s on %s at %g m/s, throw %d, %s", form_names[form], target_names[target], speed,
                  k, hands[p].preset);
          cut += throw_one(&thrown, hands[p].preset, 100);
          thrown_count++;
        }
    CHECK_MSG(cut <= thrown_count / 20, "%s: %d of %d throws were cut short", hands[p].preset, cut,
              thrown_count);
  }
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
    double thin = random_between(0.005, 0.02), length = thin * random_between(10, 30);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, length));
    def.pose.orientation = random_rotation();
    def.mass = 1;
    def.velocity = twist(v3(0, 0, -random_between(5, 60)), v3_scale(random_vector(), 20));
    rgBodyId rod = build_body(world, &def, shape_capsule(thin, length));
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
