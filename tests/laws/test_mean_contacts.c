// Where contacts act: at the mean of the places that they have before and after a step at theta < 1, at
// their places after it in implicit-geometry, and at the start at theta = 1.
//
// The contacts before and after a step can be read off the world, and the frames and arms that it has used
// off its problem. Arms wander by some percent of themselves in these steps; what is left of a mean is
// of second order.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef struct Place {
  rgVec3 normal, arm_a, arm_b;
} Place;

typedef struct Rolling {
  rgWorld* world;
  rgBodyId ids[2];
} Rolling;

// An ellipsoid or a ball that rolls over another one, which rests, moves or is free, or in a bowl.
static Rolling make_rolling(const rgOptions* options, int kind) {
  rgWorldDef def = rg_world_def();
  def.options = *options;
  Rolling rolling = {.world = build_world_of(&def)};
  build_set_default_material(rolling.world, 1.5, 0);
  double lower = random_between(0.5, 1), upper = random_between(0.1, 0.3);
  rgBodyDef below = body_at(kind == 0   ? RG_BODY_STATIC
                            : kind == 1 ? RG_BODY_KINEMATIC
                                        : RG_BODY_DYNAMIC,
                            v3_zero());
  if (kind == 1)
    below.velocity = twist(v3(0.2, -0.3, 0.1), v3(0.3, 0.5, 0.2));
  if (kind == 2)
    below.velocity = twist(v3(0.2, -0.3, 0.1), v3(0.3, 0.5, 0.2)), below.mass = 50;
  rgBodyDef above = body_at(RG_BODY_DYNAMIC, v3(0, 0, lower + upper));
  above.velocity = twist(v3_add(v3(1.5, -1, 0), below.velocity.linear), v3(3, 5, 1));
  above.mass = 2;
  rgShapeDef shapes[2] = {shape_ellipsoid(v3(lower * 1.2, lower * 0.9, lower)),
                          shape_ellipsoid(v3(upper * 0.8, upper * 1.2, upper))};
  bool swapped = random_unit() < 0.5;
  rolling.ids[swapped] = build_body(rolling.world, swapped ? &above : &below, shapes[swapped]);
  rolling.ids[!swapped] = build_body(rolling.world, swapped ? &below : &above, shapes[!swapped]);
  if (swapped) { // A is the first
    rgBodyId first = rolling.ids[1];
    rolling.ids[1] = rolling.ids[0];
    rolling.ids[0] = first;
  }
  return rolling;
}

static bool see(const Rolling* rolling, Place* place) {
  rgContact contact;
  if (rg_world_contact_count(rolling->world) != 1)
    return false;
  REQUIRE_INT(rg_world_contact(rolling->world, 0, &contact), RG_OK);
  // the two points are gap apart along the normal; gaps are small here
  place->normal = contact.normal;
  place->arm_a = v3_sub(contact.point, rg_body_center(rolling->world, contact.body_a));
  place->arm_b = v3_sub(contact.point, rg_body_center(rolling->world, contact.body_b));
  return true;
}

static rgVec3 mean(rgVec3 a, rgVec3 b, double part) { return v3_axpy(a, part, v3_sub(b, a)); }

// `part` of the way from the place before to the one after; differences are compared with the way.
static void check_place(const rgProblemContact* used, const Place* before, const Place* after,
                        double part, double tolerance) {
  double turned = distance(before->normal, after->normal);
  double way = distance(before->arm_a, after->arm_a) + distance(before->arm_b, after->arm_b);
  CHECK_MSG(distance(used->n, mean(before->normal, after->normal, part)) <= tolerance * turned,
            "normal off by %g of %g", distance(used->n, mean(before->normal, after->normal, part)),
            turned);
  CHECK_MSG(distance(used->arm_a, mean(before->arm_a, after->arm_a, part)) <= tolerance * way,
            "arm of A off by %g of %g",
            distance(used->arm_a, mean(before->arm_a, after->arm_a, part)), way);
  CHECK_MSG(distance(used->arm_b, mean(before->arm_b, after->arm_b, part)) <= tolerance * way,
            "arm of B off by %g of %g",
            distance(used->arm_b, mean(before->arm_b, after->arm_b, part)), way);
}

// What the certificate says of gap and alignment is what the geometry after the step says.
static void check_told(const rgWorld* world, const rgProblemContact* used, double scale) {
  const rgCertificate* certificate = rg_world_certificate(world);
  const rgStageReport *gap = &certificate->stages[RG_STAGE_GAP],
                      *aligned = &certificate->stages[RG_STAGE_ALIGNMENT];
  const rgOptions* options = rg_world_options(world);
  rgContact contact;
  REQUIRE_INT(rg_world_contact(world, 0, &contact), RG_OK);
  CHECK_INT(gap->count, 1);
  CHECK_INT(aligned->count, 1);
  CHECK_NEAR(gap->reached, fabs(contact.gap), 1e-15);
  CHECK_NEAR(aligned->reached, distance(contact.normal, used->n), 1e-14);
  CHECK_INT(gap->missed + aligned->missed, 0); // what pushes has closed
  CHECK_NEAR(aligned->asked, options->tolerance, 0);
  double asked = options->step * options->tolerance * scale;
  CHECK_MSG(gap->asked >= asked && gap->asked <= asked + 1e-13, "asked %g, due %g", gap->asked,
            asked);
}

static void roll(const char* stepper, double theta, double part) {
  int seen = 0;
  for (int i = 0; i < 18; i++) {
    rgOptions options;
    REQUIRE(rg_options_preset("reference", &options));
    options.step = 5e-3;
    options.theta = theta;
    snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
    random_state = (uint64_t)(60 + i);
    Rolling rolling = make_rolling(&options, i % 3);
    Place before, after;
    CONTEXT("%s, theta %g, %d", stepper, theta, i);
    REQUIRE_INT(rg_world_find_contacts(rolling.world), RG_OK);
    bool there = see(&rolling, &before);
    for (int step = 0; step < 6; step++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(rolling.world, &certificate), RG_OK);
      bool still = see(&rolling, &after);
      rgProblem problem;
      rgSolution solution;
      if (there && still && step > 0 && rg_world_island_count(rolling.world) == 1 &&
          rg_world_island(rolling.world, 0, &problem, &solution, NULL) == RG_OK &&
          solution.r[0] > 0) {
        seen++;
        check_place(&problem.contacts[0], &before, &after, part, 0.1);
        rgCertificate island;
        REQUIRE_INT(rg_world_island(rolling.world, 0, NULL, NULL, &island), RG_OK);
        if (part == 1)
          check_told(rolling.world, &problem.contacts[0], island.scale);
      }
      before = after;
      there = still;
    }
    rg_world_destroy(rolling.world);
  }
  CHECK_MSG(seen > 40, "only %d steps were seen", seen);
}

TEST(contacts_of_theta_act_at_the_mean_of_their_places) {
  roll("theta", 0.5, 0.5);
  roll("theta", 0.7, 0.5);
}

TEST(contacts_at_theta_one_act_where_they_were) { roll("theta", 1, 0); }

TEST(contacts_of_implicit_geometry_act_where_they_end) { roll("implicit-geometry", 1, 1); }

// -------------------------------------------------------------------------------------------------
// Corners
// -------------------------------------------------------------------------------------------------

// A contact of a corner keeps its corner through the step, whichever others come and go: its arm is the mean of
// where the corner is before and after.
static void check_corners(double theta, const char* stepper, double part) {
  int seen = 0;
  for (int i = 0; i < 10; i++) {
    random_state = (uint64_t)(400 + i);
    rgWorldDef def = rg_world_def();
    REQUIRE(rg_options_preset("reference", &def.options));
    def.options.step = 4e-3;
    def.options.theta = theta;
    snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
    rgWorld* world = build_world_of(&def);
    build_set_default_material(world, 0.3, 0);
    bool first = i % 2;
    if (first)
      build_floor(world);
    rgVec3 half = v3(0.2, 0.15, 0.1);
    rgBodyDef box = body_at(RG_BODY_DYNAMIC, v3(0, 0, half.z));
    // rocks over an edge or a corner, slides and turns
    box.velocity = twist(v3(random_between(-0.5, 0.5), 0.2, 0), v3_scale(random_vector(), 1.5));
    rgBodyId id = build_body(world, &box, shape_box(half));
    if (!first)
      build_floor(world);
    REQUIRE_INT(rg_world_find_contacts(world), RG_OK);
    for (int step = 0; step < 8; step++) {
      rgContact before[16];
      int count = rg_world_contact_count(world);
      REQUIRE(count <= 16);
      for (int k = 0; k < count; k++)
        REQUIRE_INT(rg_world_contact(world, k, &before[k]), RG_OK);
      rgVec3 center = rg_body_center(world, id);
      rgQuat q = rg_body_pose(world, id).orientation;
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      rgQuat end = rg_body_pose(world, id).orientation;
      rgProblem problem;
      if (certificate.contacts != count || rg_world_island_count(world) != 1 ||
          certificate.stages[RG_STAGE_PROJECTION].count > 0)
        continue;
      REQUIRE_INT(rg_world_island(world, 0, &problem, NULL, NULL), RG_OK);
      rgQuat turn = quat_mul(end, quat_conj(q));
      for (int k = 0; k < count; k++) {
        // on the surface of the box, half of the gap above the middle
        rgVec3 corner = v3_sub(v3_axpy(before[k].point, 0.5 * before[k].gap, v3(0, 0, 1)), center);
        rgVec3 due = mean(corner, quat_rotate(turn, corner), part);
        rgVec3 arm = first ? problem.contacts[k].arm_b : problem.contacts[k].arm_a;
        CONTEXT("box %d, step %d, contact %d", i, step, k);
        double way = distance(corner, quat_rotate(turn, corner));
        // where velocities jump, an island takes the places of the start
        CHECK_MSG(distance(arm, due) <= 0.05 * way + 1e-9 || distance(arm, corner) <= 1e-9,
                  "off by %g of %g m", distance(arm, due), way);
        seen += distance(arm, due) <= 0.05 * way + 1e-9;
      }
    }
    rg_world_destroy(world);
  }
  CHECK_MSG(seen > 40, "only %d contacts", seen);
}

TEST(corners_act_at_the_mean_of_their_places) {
  check_corners(0.5, "theta", 0.5);
  check_corners(0.8, "theta", 0.5);
  check_corners(1, "theta", 0);
  check_corners(1, "implicit-geometry", 1);
}
