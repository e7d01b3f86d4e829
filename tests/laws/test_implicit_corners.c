// Corners of polytopes with contact at the end of the step. The free space outside a corner is not convex: planes
// of both faces at once would block what slides past it, and one of them alone would let it through (Egan,
// Berard, Trinkle 2003; Williams, Lu, Trinkle 2017).
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double SIDE = 0.2, SPEED = 2; // [m] half of a box; [m/s]

typedef struct Course {
  rgQuat frame;     // of the whole scene
  double clearance; // [m] of the way past the corner; negative: into the box
  double slope;     // [rad] of the way below the upper face
  double before;    // [m] of the way before the corner
  double h;         // [s]
} Course;

static Course random_course(double nearest, double farthest) {
  return (Course){.frame = turn_about(random_direction(), random_between(0, 3)),
                  .clearance = random_between(nearest, farthest),
                  .slope = random_between(0.2, 1.3),
                  .before = random_between(0.4, 0.8),
                  .h = random_between(0.005, 0.1)};
}

// A fixed box with an edge along y through the origin, below and left of it, and a box with parallel faces whose
// own edge passes it. Seen from the fixed box it is the point where the two edges are nearest.
static rgWorld* start(const Course* course, rgBodyId* body) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "implicit-geometry");
  def.options.step = course->h;
  def.options.tolerance = 1e-9;
  def.options.gravity = v3_zero();
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0, 0);
  rgVec3 along = v3(cos(course->slope), 0, -sin(course->slope));
  rgVec3 across = v3(sin(course->slope), 0, cos(course->slope));
  rgVec3 edge = v3_axpy(v3_scale(across, course->clearance), -course->before, along);
  rgBodyDef fixed = body_at(RG_BODY_STATIC, quat_rotate(course->frame, v3(-SIDE, 0, -SIDE)));
  rgBodyDef moving =
      body_at(RG_BODY_DYNAMIC, quat_rotate(course->frame, v3_add(edge, v3(SIDE, 0, SIDE))));
  fixed.pose.orientation = moving.pose.orientation = course->frame;
  moving.velocity.linear = v3_scale(quat_rotate(course->frame, along), SPEED);
  build_body(world, &fixed, shape_box(v3(SIDE, 2 * SIDE, SIDE)));
  *body = build_body(world, &moving, shape_box(v3(SIDE, SIDE, SIDE)));
  return world;
}

static int steps_of(const Course* course) {
  return 1 + (int)(2 * course->before / (SPEED * course->h));
}

TEST(a_box_that_passes_a_corner_feels_nothing) {
  random_state = 17;
  for (int i = 0; i < 60; i++) {
    Course course = random_course(0.002, 0.05);
    rgBodyId body;
    rgWorld* world = start(&course, &body);
    rgTwist before = rg_body_velocity(world, body);
    for (int k = 0; k < steps_of(&course); k++)
      run_met_step(world, k);
    rgTwist after = rg_body_velocity(world, body);
    CHECK_MSG(distance(before.linear, after.linear) < 1e-9, "case %d: %g m/s at %g m, slope %g", i,
              distance(before.linear, after.linear), course.clearance, course.slope);
    CHECK_MSG(v3_norm(after.angular) < 1e-9, "case %d: %g rad/s", i, v3_norm(after.angular));
    rg_world_destroy(world);
  }
}

// What is inside of the fixed box at the end of a step is an overlap, and there is none. Between two ends the way may
// cut the corner off: the law holds at the end. It is inside along |c| / (sin s cos s) for a way with the
// clearance c < 0 and the slope s, so that a shorter step ends in there and has to be stopped; the deepest place is |c| / (sin s +
// cos s) from both faces, and where that is more than half of the half-width it counts as passing, whatever the step.
TEST(a_box_that_meets_a_corner_stays_outside) {
  random_state = 18;
  int struck_count = 0, not_met = 0, steps = 0;
  for (int i = 0; i < 60; i++) {
    Course course = random_course(-0.3, -0.002);
    rgBodyId body;
    rgWorld* world = start(&course, &body);
    rgVec3 velocity = rg_body_velocity(world, body).linear;
    for (int k = 0; k < steps_of(&course); k++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      not_met += !certificate.met;
      steps++;
      CHECK_MSG(certificate.penetration < 1e-6 * SIDE, "case %d, step %d: %g", i, k,
                certificate.penetration);
    }
    double inside = -course.clearance / (sin(course.slope) * cos(course.slope)),
           depth = -course.clearance / (sin(course.slope) + cos(course.slope));
    bool struck = distance(velocity, rg_body_velocity(world, body).linear) > 1e-3;
    bool must = inside > SPEED * course.h || depth > 0.5 * SIDE;
    CHECK_MSG(struck || !must, "case %d: %g m inside in steps of %g m, %g m deep", i, inside,
              SPEED * course.h, depth);
    struck_count += struck;
    rgVec3 center = quat_unrotate(course.frame, rg_body_center(world, body));
    CHECK_MSG(center.x > 0 || center.z > 0, "case %d", i);
    rg_world_destroy(world);
  }
  CHECK(struck_count > 30);
  // A box that turns away from a face in the very step in which it strikes may find no points that stay.
  CHECK_MSG(50 * not_met < steps, "%d of %d not met", not_met, steps);
}

// A box pushed over the edge of a table leaves it: it slides with its speed while more than half of it is
// supported, then tips over the edge and falls, without having been held.
TEST(a_box_slides_off_a_table) {
  random_state = 19;
  for (int i = 0; i < 6; i++) {
    rgWorld* world = build_world("default");
    rgOptions options = *rg_world_options(world);
    snprintf(options.stepper, sizeof options.stepper, "implicit-geometry");
    options.step = random_between(0.002, 0.01);
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    build_set_default_material(world, 0, 0);
    build_block(world, v3(1, 1, 0.5), v3(-1, 0, -0.5));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.4, 0, 0.1));
    double speed = random_between(0.4, 2);
    def.velocity.linear = v3(speed, 0, 0);
    rgBodyId box = build_body(world, &def, shape_box(v3(0.2, 0.2, 0.1)));
    double time = 0.4 / speed; // until its centre is above the edge
    for (int k = 0; rg_world_time(world) < time + 1; k++) {
      rgCertificate certificate = run_met_step(world, k);
      CHECK(certificate.penetration < 1e-5 * 0.1);
      if (rg_world_time(world) < time - options.step)
        CHECK_NEAR(rg_body_velocity(world, box).linear.x, speed,
                   1e-6); // no friction: nothing holds
    }
    rgVec3 at = rg_body_center(world, box);
    CHECK_MSG(at.x > 0 && at.z < -0.5, "at %g, %g", at.x, at.z);
    rg_world_destroy(world);
  }
}
