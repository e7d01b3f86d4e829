// Impacts whose friction follows the slip (Routh): against closed forms in the plane, and in space
// against an integration of the law with small explicit steps.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"

static const double STEP = 1e-7; // [s] in which nothing but the impact happens

static const char* law = "routh";

static rgWorld* routh_world(double mu, double e) {
  rgWorld* world = build_still("reference");
  rgOptions options = *rg_world_options(world);
  snprintf(options.impacts, sizeof options.impacts, "%s", law);
  options.step = STEP;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_set_default_material(world, mu, e);
  build_floor(world);
  return world;
}

// One impact of a body with a point of the floor, from the outside.
typedef struct Hit {
  double mass, mu, e;
  rgVec3 arm;
  rgMat3 inverse; // of the inertia, world axes
  rgTwist v;
} Hit;

static rgVec3 velocity_at(const Hit* hit) {
  return v3_add(hit->v.linear, v3_cross(hit->v.angular, hit->arm));
}

static void push(Hit* hit, rgVec3 impulse) {
  hit->v.linear = v3_axpy(hit->v.linear, 1 / hit->mass, impulse);
  hit->v.angular = v3_add(hit->v.angular, m3_apply(&hit->inverse, v3_cross(hit->arm, impulse)));
}

// How the velocity of the point changes with an impulse.
static rgVec3 response(const Hit* hit, rgVec3 impulse) {
  rgVec3 turn = m3_apply(&hit->inverse, v3_cross(hit->arm, impulse));
  return v3_add(v3_scale(impulse, 1 / hit->mass), v3_cross(turn, hit->arm));
}

static double kinetic(const Hit* hit, const rgMat3* inertia) {
  return 0.5 * hit->mass * v3_norm2(hit->v.linear) +
         0.5 * v3_dot(hit->v.angular, m3_apply(inertia, hit->v.angular));
}

static rgTwist after(const Hit* hit, rgShapeDef shape, rgPose pose, double* energy) {
  rgWorld* world = routh_world(hit->mu, hit->e);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, pose.position);
  def.pose = pose;
  def.mass = hit->mass;
  def.velocity = hit->v;
  rgBodyId id = build_body(world, &def, shape);
  double start = rg_world_energy(world).kinetic;
  run_met_step(world, 0);
  rgTwist v = rg_body_velocity(world, id);
  *energy = rg_world_energy(world).kinetic / start - 1;
  rg_world_destroy(world);
  return v;
}

static double apart(const Hit* hit, rgTwist v) {
  double length = v3_norm(hit->arm);
  return v3_norm(v3_sub(v.linear, hit->v.linear)) +
         length * v3_norm(v3_sub(v.angular, hit->v.angular));
}

// An ellipsoid of random form and position on the floor, with the arm to the point where it touches.
typedef struct Thrown {
  rgShapeDef shape;
  rgPose pose;
  rgMat3 inertia; // world axes
  Hit hit;
} Thrown;

static Thrown random_throw(bool planar) {
  Thrown out;
  rgVec3 half = v3(random_between(0.05, 0.5), random_between(0.05, 0.5), random_between(0.05, 0.5));
  out.shape = shape_ellipsoid(half);
  rgVec3 axis = planar ? v3(0, 1, 0) : v3_unit_or(random_vector(), v3(0, 1, 0));
  rgQuat q = turn_about(axis, random_between(0, 3));
  rgVec3 up = quat_unrotate(q, v3(0, 0, 1)), scaled = v3_mul(half, up);
  rgVec3 arm = quat_rotate(q, v3_scale(v3_mul(half, scaled), -1 / v3_norm(scaled)));
  double mass = random_between(0.1, 3);
  rgMat3 turn = m3_from_quat(q);
  rgVec3 squares = v3_mul(half, half),
         moments = v3_scale(v3(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y),
                            mass / 5);
  out.inertia = m3_congruence(&turn, moments);
  out.pose = (rgPose){v3(0, 0, -arm.z), q};
  out.hit = (Hit){.mass = mass,
                  .mu = random_between(0.02, 1),
                  .e = random_between(0.1, 1),
                  .arm = arm,
                  .inverse = m3_congruence(&turn, v3(1 / moments.x, 1 / moments.y, 1 / moments.z))};
  rgVec3 w = planar ? v3(0, random_between(-8, 8), 0) : random_within(-8, 8);
  out.hit.v = twist(v3(random_between(-3, 3), planar ? 0 : random_between(-3, 3), -1), w);
  out.hit.v.linear.z -= velocity_at(&out.hit).z + random_between(0.5, 2); // approaches
  return out;
}

// --- in the plane ---------------------------------------------------------------------------------

// Slides up to where the slip ends, then sticks, or slides to the side that the normal impulse pushes
// it to. Returns false where Newton's coefficient would gain energy.
static bool closed_form(Hit* hit, const rgMat3* inertia) {
  double start = kinetic(hit, inertia);
  rgVec3 n = response(hit, v3(0, 0, 1)), t = response(hit, v3(1, 0, 0)), u = velocity_at(hit);
  double end = -hit->e * u.z, side = u.x > 0 ? 1 : -1;
  double rate_t = n.x - hit->mu * side * t.x, rate_n = n.z - hit->mu * side * t.z;
  double p_stop = rate_t * side < 0 ? -u.x / rate_t : HUGE_VAL,
         p_end = rate_n > 0 ? (end - u.z) / rate_n : HUGE_VAL, p = fmin(p_stop, p_end);
  push(hit, v3(-hit->mu * side * p, 0, p));
  if (p_stop < p_end) {
    bool sticks = fabs(n.x) <= hit->mu * t.x;
    double back = n.x > 0 ? 1 : -1, ratio = sticks ? -n.x / t.x : -hit->mu * back;
    double rest = (end - velocity_at(hit).z) / (n.z + ratio * t.z);
    push(hit, v3(ratio * rest, 0, rest));
  }
  return kinetic(hit, inertia) <= start;
}

TEST(slip_in_the_plane_follows_the_closed_form) {
  random_state = 21;
  int compared = 0;
  for (int k = 0; k < 300; k++) {
    Thrown thrown = random_throw(true);
    double gain, speed = v3_norm(velocity_at(&thrown.hit));
    CONTEXT("throw %d, mu %g, e %g", k, thrown.hit.mu, thrown.hit.e);
    rgTwist v = after(&thrown.hit, thrown.shape, thrown.pose, &gain);
    CHECK_MSG(gain <= 1e-12, "gains %g", gain);
    if (!closed_form(&thrown.hit, &thrown.inertia))
      continue;
    compared++;
    CHECK_NEAR(apart(&thrown.hit, v), 0, 2e-3 * speed); // a step of the slip's turning point
  }
  CHECK(compared > 200);
}

// --- in space -------------------------------------------------------------------------------------

enum { SMALL_STEPS = 40000 };

// Explicit steps while it slides; false where the slip comes to an end.
static bool integrate(Hit* hit, const rgMat3* inertia) {
  double start = kinetic(hit, inertia), u_n = velocity_at(hit).z, end = -hit->e * u_n;
  double dp = -(1 + hit->e) * u_n / response(hit, v3(0, 0, 1)).z / SMALL_STEPS;
  double slow = 1e-3 * fabs(u_n);
  for (int i = 0; i < 10 * SMALL_STEPS; i++) {
    rgVec3 u = velocity_at(hit);
    double slip = sqrt(u.x * u.x + u.y * u.y);
    if (u.z >= end)
      return kinetic(hit, inertia) <= start;
    if (slip < slow)
      return false;
    push(hit, v3(-hit->mu * dp * u.x / slip, -hit->mu * dp * u.y / slip, dp));
  }
  return false;
}

TEST(slip_in_space_follows_its_turning_direction) {
  random_state = 22;
  int compared = 0;
  for (int k = 0; k < 150; k++) {
    Thrown thrown = random_throw(false);
    double gain, speed = v3_norm(velocity_at(&thrown.hit));
    CONTEXT("throw %d, mu %g, e %g", k, thrown.hit.mu, thrown.hit.e);
    rgTwist v = after(&thrown.hit, thrown.shape, thrown.pose, &gain);
    CHECK_MSG(gain <= 1e-12, "gains %g", gain);
    if (!integrate(&thrown.hit, &thrown.inertia))
      continue;
    compared++;
    CHECK_NEAR(apart(&thrown.hit, v), 0, 5e-3 * speed); // of first order, 512 steps
  }
  CHECK(compared > 50);
}

// Where the slip ends for good, the point leaves straight up.
TEST(slip_that_friction_can_hold_ends) {
  random_state = 23;
  for (int k = 0; k < 40; k++) {
    double radius = random_between(0.05, 0.5), e = random_between(0.1, 1),
           mu = random_between(0.3, 1);
    Hit hit = {.mass = 1, .mu = mu, .e = e, .arm = v3(0, 0, -radius)};
    double most = 3.5 * mu * (1 + e), gain; // slip that an approach of 1 m/s stops
    hit.v = twist(v3(0.9 * most, 0, -1), v3_zero());
    CONTEXT("radius %g, mu %g, e %g", radius, mu, e);
    rgTwist v =
        after(&hit, shape_sphere(radius), (rgPose){v3(0, 0, radius), quat_identity()}, &gain);
    CHECK_NEAR(v.linear.x, 0.9 * most * 5 / 7, 1e-9);
    CHECK_NEAR(v.angular.y, 0.9 * most * 5 / 7 / radius, 1e-9 / radius);
    CHECK_NEAR(v.linear.z, e, 1e-9);
    CHECK(gain <= 0);
  }
}

// Several contacts, and bodies that rest, follow the law of the problem.
TEST(boxes_come_to_rest_with_impacts_by_routh) {
  rgWorld* world = build_world("default");
  rgOptions options = *rg_world_options(world);
  snprintf(options.impacts, sizeof options.impacts, "routh");
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  build_set_default_material(world, 0.5, 0.4);
  build_floor(world);
  random_state = 24;
  for (int k = 0; k < 4; k++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.05 * k, 0, 0.3 + 0.3 * k));
    def.pose.orientation = turn_about(v3_unit_or(random_vector(), v3(1, 0, 0)), 0.3);
    build_body(world, &def, shape_box(v3(0.1, 0.1, 0.1)));
  }
  double top = rg_world_energy(world).potential + rg_world_energy(world).kinetic;
  for (int i = 0; i < 1200; i++)
    run_met_step(world, i);
  rgEnergy end = rg_world_energy(world);
  CHECK(end.kinetic < 1e-6);
  CHECK(end.potential < top);
  rg_world_destroy(world);
}

// In space, too: much friction holds the point wherever the slip has ended, so that it does not slip at the end.
TEST(slip_in_space_that_friction_can_hold_ends) {
  random_state = 91;
  int held = 0;
  for (int i = 0; i < 60; i++) {
    Thrown thrown = random_throw(false);
    thrown.hit.mu = 8;
    thrown.hit.e = 0.5;
    rgVec3 slip = velocity_at(&thrown.hit); // slow enough to end before the impact does
    thrown.hit.v.linear.x += 0.1 - slip.x;
    thrown.hit.v.linear.y += -0.05 - slip.y;
    rgVec3 n = response(&thrown.hit, v3(0, 0, 1)), x = response(&thrown.hit, v3(1, 0, 0)),
           y = response(&thrown.hit, v3(0, 1, 0));
    // the impulse per normal impulse that keeps the point from slipping
    double det = x.x * y.y - x.y * y.x;
    double t = -(y.y * n.x - y.x * n.y) / det, o = -(x.x * n.y - x.y * n.x) / det;
    if (t * t + o * o > 16)
      continue;
    double energy;
    rgTwist v = after(&thrown.hit, thrown.shape, thrown.pose, &energy);
    rgVec3 u = v3_add(v.linear, v3_cross(v.angular, thrown.hit.arm));
    CONTEXT("throw %d", i);
    CHECK_NEAR(sqrt(u.x * u.x + u.y * u.y), 0, 1e-5); // the body turns by 1e-6 in the step
    CHECK(energy <= 1e-12);
    held++;
  }
  CHECK_MSG(held > 30, "only %d", held);
}

// Newton's coefficient alone would gain energy where the slip turns round (Kane and Levinson 1985): such impacts end
// before they have its velocity, when all that was taken is given back.
TEST(no_impact_by_routh_gains) {
  random_state = 29;
  int ended = 0;
  for (int i = 0; i < 400; i++) {
    Thrown thrown = random_throw(true);
    thrown.hit.e = random_between(0.9, 1);
    thrown.hit.mu = random_between(0.3, 1.2);
    thrown.hit.v.linear.x *= 0.3;
    double energy, approach = -velocity_at(&thrown.hit).z;
    rgTwist v = after(&thrown.hit, thrown.shape, thrown.pose, &energy);
    CHECK_MSG(energy <= 1e-9, "throw %d gains %g", i, energy);
    double parts = v.linear.z + v3_cross(v.angular, thrown.hit.arm).z;
    ended += parts < thrown.hit.e * approach - 1e-5;
  }
  CHECK_MSG(ended >= 3, "only %d ended by their energy", ended);
}

// Nor do the laws of the end of the impact: where friction would give energy, it follows the mean slip.
TEST(no_impact_at_all_gains) {
  static const char* const laws[] = {"sequential", "simultaneous"};
  random_state = 30;
  for (int i = 0; i < 600; i++) {
    Thrown thrown = random_throw(i % 3);
    thrown.hit.e = random_between(0.9, 1);
    thrown.hit.mu = random_between(0.3, 1.2);
    thrown.hit.v.linear.x *= 0.3;
    double energy;
    law = laws[i % 2];
    after(&thrown.hit, thrown.shape, thrown.pose, &energy);
    CHECK_MSG(energy <= 1e-7, "throw %d gains %g", i, energy);
  }
  law = "routh";
}
