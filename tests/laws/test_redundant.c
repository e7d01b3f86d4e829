// Redundant contacts: of all impulses that solve a step, those of contacts that yield alike. So
// forces of symmetric scenes are symmetric, the pressure under a rigid body is linear in the place,
// and what slides and spins drifts as its mirror image does.
#include "base/random.h"
#include "support/builder.h"
#include "support/snapshot.h"
#include "test.h"
#include "world/world.h"

static const double G = 9.81;
// Rounding of forces: that of places, 1e-16 m over arms of a decimetre, adds up over some steps.
static const double SYMMETRIC = 1e-9;

static const char* const presets[] = {"default", "realtime", "reference"};
// While something slides, the solver's tolerance shows where the choice fails.
static const double EVEN = 1e-6;
enum { PRESETS = 3, CONTACTS = 64, FEET = 16, REST = 60 };

static double between(uint64_t* state, double lower, double upper) {
  return lower + (upper - lower) * rg_random_unit(state);
}

static double weight_impulse(const rgWorld* world, double mass) {
  return mass * G * rg_world_options(world)->step;
}

// --- supports -----------------------------------------------------------------------------------

typedef struct Support {
  rgWorld* world;
  int contacts;
  rgContact contact[CONTACTS];
} Support;

static rgShapeDef foot_at(double radius, rgVec3 place) {
  rgShapeDef foot = shape_sphere(radius);
  foot.pose.position = place;
  return foot;
}

// The contact at an index, with the impulse on the body that is not the ground.
static rgContact contact_at(const rgWorld* world, int index) {
  rgContact contact;
  REQUIRE(rg_world_contact(world, index, &contact) == RG_OK);
  if (contact.normal.z < 0)
    contact.impulse = v3_neg(contact.impulse);
  return contact;
}

// A plate of 1 kg on feet, with its centre of mass at `center` (x, y), turned about z and put
// somewhere. Stands for some steps.
static Support stand(const char* preset, const rgVec3* feet, int count, rgVec3 center, double mu,
                     double angle) {
  Support s = {.world = build_world(preset)};
  build_set_default_material(s.world, mu, 0);
  build_floor(s.world);
  rgShapeDef shapes[FEET];
  for (int i = 0; i < count; i++)
    shapes[i] = foot_at(0.02, feet[i]);
  rgBodyDef def = rg_body_def();
  def.pose = (rgPose){v3(0.3, -0.7, 0.02), turn_about(v3(0, 0, 1), angle)};
  def.mass = 1;
  def.inertia_given = true;
  def.center = v3(center.x, center.y, 0.2);
  def.inertia = m3_diag(0.1, 0.12, 0.15);
  rgBodyId id;
  REQUIRE(rg_world_add_body(s.world, &def, shapes, count, &id) == RG_OK);
  for (int i = 0; i < 12; i++)
    run_met_step(s.world, i);
  s.contacts = rg_world_contact_count(s.world);
  REQUIRE(s.contacts <= CONTACTS);
  for (int i = 0; i < s.contacts; i++)
    s.contact[i] = contact_at(s.world, i);
  return s;
}

static void check_alike(Support* s, int count) {
  double share = weight_impulse(s->world, 1) / count;
  REQUIRE(s->contacts == count);
  for (int i = 0; i < s->contacts; i++) {
    rgVec3 r = s->contact[i].impulse;
    CHECK_NEAR(r.z, share, SYMMETRIC * share);
    CHECK_NEAR(r.x, 0, SYMMETRIC * share);
    CHECK_NEAR(r.y, 0, SYMMETRIC * share);
  }
  rg_world_destroy(s->world);
}

TEST(legs_on_a_circle_share_the_weight_without_friction) {
  uint64_t state = 1;
  for (int p = 0; p < PRESETS; p++)
    for (int count = 3; count <= 12; count++) {
      double radius = between(&state, 0.1, 1), mu = between(&state, 0.05, 1),
             angle = between(&state, 0, 6), first = between(&state, 0, 6);
      CONTEXT("%s, %d legs, radius %g, mu %g", presets[p], count, radius, mu);
      rgVec3 feet[FEET];
      for (int i = 0; i < count; i++)
        feet[i] = v3(radius * rg_cos(first + 2 * RG_PI * i / count),
                     radius * rg_sin(first + 2 * RG_PI * i / count), 0);
      Support s = stand(presets[p], feet, count, v3_zero(), mu, angle);
      check_alike(&s, count);
    }
}

TEST(a_table_carries_a_quarter_of_its_weight_on_each_leg) {
  uint64_t state = 2;
  for (int p = 0; p < PRESETS; p++)
    for (int k = 0; k < 8; k++) {
      double a = between(&state, 0.1, 1), b = between(&state, 0.1, 1),
             mu = between(&state, 0.05, 1);
      CONTEXT("%s, legs at +-%g, +-%g, mu %g", presets[p], a, b, mu);
      const rgVec3 feet[] = {v3(a, b, 0), v3(-a, b, 0), v3(a, -b, 0), v3(-a, -b, 0)};
      Support s = stand(presets[p], feet, 4, v3_zero(), mu, between(&state, 0, 6));
      check_alike(&s, 4);
    }
}

// Least squares of r_z = a + b x + c y by the normal equations; returns the largest miss.
static double miss_of_plane(const Support* s) {
  double m[3][4] = {{0}};
  for (int i = 0; i < s->contacts; i++) {
    const double row[3] = {1, s->contact[i].point.x, s->contact[i].point.y};
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < 3; l++)
        m[k][l] += row[k] * row[l];
      m[k][3] += row[k] * s->contact[i].impulse.z;
    }
  }
  for (int k = 0; k < 3; k++) // positive definite: no exchange of rows
    for (int i = 0; i < 3; i++) {
      double factor = m[i][k] / m[k][k];
      for (int j = k; j < 4 && i != k; j++)
        m[i][j] -= factor * m[k][j];
    }
  double worst = 0;
  for (int i = 0; i < s->contacts; i++) {
    rgVec3 x = s->contact[i].point;
    double fit = m[0][3] / m[0][0] + m[1][3] / m[1][1] * x.x + m[2][3] / m[2][2] * x.y;
    worst = fmax(worst, fabs(s->contact[i].impulse.z - fit));
  }
  return worst;
}

// The normal impulses of least norm with a given sum and given moments are linear in the place,
// where none of them would be negative.
TEST(normal_forces_are_linear_in_the_place) {
  uint64_t state = 3;
  for (int p = 0; p < PRESETS; p++)
    for (int k = 0; k < 10; k++) {
      int count = 4 + k % 5;
      CONTEXT("%s, case %d, %d feet", presets[p], k, count);
      rgVec3 feet[FEET];
      for (int i = 0; i < count; i++) {
        double angle = (i + between(&state, -0.3, 0.3)) * 2 * RG_PI / count,
               radius = between(&state, 0.5, 1);
        feet[i] = v3(radius * rg_cos(angle), radius * rg_sin(angle), 0);
      }
      rgVec3 center = v3(between(&state, -0.1, 0.1), between(&state, -0.1, 0.1), 0);
      Support s = stand(presets[p], feet, count, center, 0.5, between(&state, 0, 6));
      CHECK_INT(s.contacts, count);
      double weight = weight_impulse(s.world, 1), sum = 0;
      for (int i = 0; i < s.contacts; i++)
        sum += s.contact[i].impulse.z;
      CHECK_NEAR(sum, weight, SYMMETRIC * weight);
      CHECK_NEAR(miss_of_plane(&s), 0, SYMMETRIC * weight);
      rg_world_destroy(s.world);
    }
}

// Patches yield alike, however many points stand for them: a leg with the eight corners of a cap
// carries what one with the four corners of a box does.
TEST(legs_of_boxes_and_cylinders_carry_the_same) {
  for (int p = 0; p < PRESETS; p++) {
    CONTEXT("%s", presets[p]);
    rgWorld* world = build_world(presets[p]);
    build_floor(world);
    rgShapeDef shapes[4];
    for (int i = 0; i < 4; i++) {
      shapes[i] = i % 2 ? shape_cylinder(0.05, 0.2) : shape_box(v3(0.04, 0.06, 0.2));
      shapes[i].pose.position = v3(i < 2 ? 0.5 : -0.5, i == 0 || i == 3 ? 0.4 : -0.4, 0.2);
    }
    rgBodyDef def = rg_body_def();
    def.mass = 2;
    def.inertia_given = true;
    def.center = v3(0, 0, 0.3);
    def.inertia = m3_diag(0.3, 0.4, 0.5);
    rgBodyId id;
    REQUIRE(rg_world_add_body(world, &def, shapes, 4, &id) == RG_OK);
    for (int i = 0; i < 12; i++)
      run_met_step(world, i);
    double share = weight_impulse(world, 2) / 4, sums[2][2] = {{0}};
    for (int i = 0; i < rg_world_contact_count(world); i++) {
      rgContact contact = contact_at(world, i);
      sums[contact.point.x > 0][contact.point.y > 0] += contact.impulse.z;
    }
    for (int k = 0; k < 4; k++)
      CHECK_NEAR(sums[k / 2][k % 2], share, SYMMETRIC * share);
    rg_world_destroy(world);
  }
}

// A table of 10 kg on legs at the corners of a regular polygon, which spins on the floor.
static rgWorld* spin_table(const char* preset, rgShapeDef leg, int legs, double mu, double turn,
                           double spin, rgBodyId* table) {
  rgWorld* world = build_world(preset);
  build_set_default_material(world, mu, 0);
  build_floor(world);
  rgShapeDef shapes[FEET];
  for (int i = 0; i < legs; i++) {
    double angle = turn + 2 * RG_PI * i / legs;
    shapes[i] = leg;
    shapes[i].pose = (rgPose){v3(0.5 * rg_cos(angle), 0.5 * rg_sin(angle), 0.15),
                              turn_about(v3(0, 0, 1), angle)};
  }
  rgBodyDef def = rg_body_def();
  def.mass = 10;
  def.inertia_given = true;
  def.center = v3(0, 0, 0.28);
  def.inertia = m3_diag(0.9, 0.9, 1.7);
  def.velocity.angular.z = spin;
  REQUIRE(rg_world_add_body(world, &def, shapes, legs, table) == RG_OK);
  return world;
}

// The difference between the forces of the most and of the least loaded leg, as a part of a share.
static double unevenness(const rgWorld* world, int legs) {
  double sums[FEET] = {0}, most = 0, least = HUGE_VAL, share = weight_impulse(world, 10) / legs;
  rgShapeId shapes[FEET];
  int found = 0;
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    rgShapeId shape = contact.normal.z > 0 ? contact.shape_a : contact.shape_b;
    int k = 0;
    while (k < found && !rg_shape_equal(shapes[k], shape))
      k++;
    REQUIRE(k < legs);
    shapes[k] = shape;
    found = k == found ? found + 1 : found;
    sums[k] += fabs(contact.impulse.z);
  }
  for (int k = 0; k < legs; k++) {
    most = fmax(most, sums[k]);
    least = fmin(least, sums[k]);
  }
  return (most - least) / share;
}

// The choice among the forces may fail in the step that stops a table, before hold finds forces that differ from leg to
// leg and are good enough for all steps at rest. Realtime promises no more than its tolerance.
TEST(a_table_that_friction_has_stopped_stands_on_all_legs_alike) {
  uint64_t state = 11;
  for (int p = 0; p < PRESETS; p++)
    for (int k = 0; k < (test_fast() ? 24 : 120); k++) {
      bool coarse = strcmp(presets[p], "realtime") == 0;
      int legs = 4 + k % 7, rest = 0;
      rgShapeDef leg = k / 7 % 2 ? shape_box(v3(0.03, 0.03, 0.15)) : shape_cylinder(0.03, 0.15);
      double mu = between(&state, 0.2, 1), turn = between(&state, 0, 1),
             spin = between(&state, -1, 1);
      CONTEXT("%s, %d legs (%d), mu %g, %g rad/s from %g", presets[p], legs, k, mu, spin, turn);
      rgBodyId table;
      rgWorld* world = spin_table(presets[p], leg, legs, mu, turn, spin, &table);
      for (int step = 0; step < 1000 && rest < REST; step++) {
        run_met_step(world, step);
        CHECK(coarse || unevenness(world, legs) <= EVEN);
        rest += v3_norm(rg_body_velocity(world, table).angular) < 1e-6;
      }
      CHECK_INT(rest, REST);
      CHECK_NEAR(unevenness(world, legs), 0,
                 coarse ? rg_world_options(world)->tolerance : SYMMETRIC);
      rg_world_destroy(world);
    }
}

// Steps after which a table is even again whose legs were given forces that differ, where the choice failed some steps
// ago, in a world that was loaded; -1 when it is not.
static int steps_until_even(const char* preset, int unchosen, int steps) {
  rgBodyId table;
  rgShapeDef leg = shape_box(v3(0.03, 0.03, 0.15));
  rgWorld *world = spin_table(preset, leg, 4, 0.5, 0, 0, &table),
          *loaded = spin_table(preset, leg, 4, 0.5, 0, 0, &table);
  for (int i = 0; i < 12; i++)
    run_met_step(world, i);
  for (int i = 0; i < world->contact_count; i++) { // along one diagonal more, along the other less
    rgWorldContact* contact = &world->contacts[i];
    bool more = fabs(contact->point_a.x) > fabs(contact->point_a.y);
    contact->impulse = v3_scale(contact->impulse, more ? 1.25 : 0.75);
  }
  for (int i = 0; i < world->body_slots; i++)
    world->bodies[i].unchosen = (uint8_t)unchosen;
  Snapshot snapshot = save(world);
  REQUIRE(rg_world_load(loaded, snapshot.data, snapshot.size) == RG_OK);
  int even = -1;
  for (int i = 1; i <= steps && even < 0; i++) {
    run_met_step(loaded, i);
    even = unevenness(loaded, 4) <= SYMMETRIC ? i : -1;
  }
  free(snapshot.data);
  rg_world_destroy(world);
  rg_world_destroy(loaded);
  return even;
}

// Where a step failed to choose, steps that its impulses are good enough for choose again, after 1, 2, 4, 8 steps and
// so on up to 128.
TEST(what_failed_to_choose_chooses_again_at_rest) {
  for (int p = 0; p < PRESETS; p++) {
    CHECK_INT(steps_until_even(presets[p], 0, 40), -1);
    CHECK_INT(steps_until_even(presets[p], 129, 200), -1);
    for (int unchosen = 1, due = 1; unchosen <= 40; unchosen++) {
      CONTEXT("%s, %d steps ago", presets[p], unchosen);
      due = due < unchosen ? 2 * due : due;
      CHECK_INT(steps_until_even(presets[p], unchosen, 40), due - unchosen + 1);
    }
  }
}

// --- grasp --------------------------------------------------------------------------------------

// A jaw that slides along x, pressed towards the block with the force f.
static void add_jaw(rgWorld* world, double side, double half, double f) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(side * (half + 0.05), 0, 0));
  def.mass = 0.5;
  rgBodyId jaw = build_body(world, &def, shape_box(v3(0.05, 0.1, 0.1)));
  rgJointDef slider = rg_joint_def(RG_JOINT_SLIDER);
  slider.body_a = jaw;
  slider.point = def.pose.position;
  slider.axis = v3(1, 0, 0);
  rgJointId joint;
  REQUIRE(rg_world_add_joint(world, &slider, &joint) == RG_OK);
  rgForceDef push = rg_force_def();
  push.body = jaw;
  push.wrench.force = v3(-side * f, 0, 0);
  rgForceId force;
  REQUIRE(rg_world_add_force(world, &push, &force) == RG_OK);
}

TEST(jaws_hold_a_block_by_the_same_forces_on_both_sides) {
  uint64_t state = 4;
  for (int p = 0; p < PRESETS; p++)
    for (int k = 0; k < 6; k++) {
      double mass = between(&state, 0.1, 2), mu = between(&state, 0.3, 1), half = 0.06,
             f = between(&state, 1.5, 4) * mass * G / (2 * mu);
      CONTEXT("%s, %g kg held by %g N, mu %g", presets[p], mass, f, mu);
      rgWorld* world = build_world(presets[p]);
      build_set_default_material(world, mu, 0);
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
      def.mass = mass;
      build_body(world, &def, shape_box(v3(half, 0.05, 0.07)));
      add_jaw(world, 1, half, f);
      add_jaw(world, -1, half, f);
      for (int i = 0; i < 12; i++)
        run_met_step(world, i);
      double h = rg_world_options(world)->step, share = mass * G * h / 8, press = f * h / 4;
      CHECK_INT(rg_world_contact_count(world), 8);
      for (int i = 0; i < rg_world_contact_count(world); i++) {
        rgVec3 r = contact_at(world, i).impulse;
        CHECK_NEAR(fabs(r.x), press, SYMMETRIC * press);
        CHECK_NEAR(fabs(r.z), share, SYMMETRIC * press);
        CHECK_NEAR(r.y, 0, SYMMETRIC * press);
      }
      rg_world_destroy(world);
    }
}

// --- sliding and spinning -----------------------------------------------------------------------

// Where a disc comes to rest that starts at the origin along x.
static rgVec3 slide_of(const char* preset, double mu, double radius, double half_length,
                       double speed, double spin) {
  rgWorld* world = build_world(preset);
  build_set_default_material(world, mu, 0);
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, half_length));
  def.velocity = twist(v3(speed, 0, 0), v3(0, 0, spin));
  rgBodyId disc = build_body(world, &def, shape_cylinder(radius, half_length));
  double time = 2 * speed / (mu * G) + 2 * fabs(spin) * radius / (mu * G);
  for (int i = 0; i * rg_world_options(world)->step < time; i++)
    run_met_step(world, i);
  rgPose pose = rg_body_pose(world, disc);
  rg_world_destroy(world);
  return pose.position;
}

// The octagon that stands for the rim is its own mirror image, and so is the problem but for the
// sign of the spin.
TEST(a_disc_drifts_as_its_mirror_image_does) {
  uint64_t state = 5;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 5; k++) {
      double mu = between(&state, 0.1, 0.5), radius = between(&state, 0.05, 0.2),
             thick = between(&state, 0.02, 0.2) * radius, speed = between(&state, 0.5, 2),
             spin = between(&state, 0.2, 3) * speed / radius;
      CONTEXT("%s, mu %g, radius %g, half-length %g, %g m/s, %g rad/s", presets[p], mu, radius,
              thick, speed, spin);
      rgVec3 left = slide_of(presets[p], mu, radius, thick, speed, spin),
             right = slide_of(presets[p], mu, radius, thick, speed, -spin);
      CHECK_NEAR(left.x, right.x, 1e-7 * left.x); // rounding grows as the disc stops
      CHECK_NEAR(left.y, -right.y, 1e-7 * left.x);
    }
}

// Friction at the height of the centre of mass would not tilt the disc: the pressure is then even
// and friction has no part across. A thin disc is as near to that as its height is to its radius.
TEST(a_thin_disc_slides_straight) {
  uint64_t state = 6;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 5; k++) {
      double mu = between(&state, 0.1, 0.5), radius = between(&state, 0.05, 0.2),
             thick = 1e-3 * radius, speed = between(&state, 0.5, 2),
             spin = between(&state, -3, 3) * speed / radius;
      CONTEXT("%s, mu %g, radius %g, %g m/s, %g rad/s", presets[p], mu, radius, speed, spin);
      rgVec3 end = slide_of(presets[p], mu, radius, thick, speed, spin);
      CHECK_NEAR(end.y, 0, 2e-3 * end.x);
    }
}
