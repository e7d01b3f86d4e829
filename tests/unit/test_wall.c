// Every convex shape against tubes, bowls, tori and rings: contacts are on both surfaces, and no
// point of the shape is deeper than the deepest contact.
#include "test.h"

#include "collide/collide.h"
#include "math/trig.h"
#include "support/random.h"
#include "support/shape.h"

enum { LIST = 64, HULL_POINTS = 14, PLACES = 40, SAMPLES = 4000, ON_CIRCLE = 600 };

static const rgShapeKind convex_kinds[] = {
    RG_SHAPE_SPHERE,    RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,        RG_SHAPE_CYLINDER,
    RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_SUPERELLIPSOID,
};
enum { CONVEX_KINDS = sizeof convex_kinds / sizeof *convex_kinds };

// A random convex shape within `size` of its origin.
static rgShape* random_shape(rgShapeKind kind, double size) {
  rgVec3 points[HULL_POINTS];
  rgShapeDef def = rg_shape_def(kind);
  def.radius = size * random_between(0.2, 0.5);
  def.half_length = size * random_between(0.05, 0.5);
  def.half = v3_scale(random_within(0.1, 0.6), size);
  def.parameters[0] = random_between(2, 6);
  def.parameters[1] = random_between(2, 6);
  for (int i = 0; i < HULL_POINTS; i++)
    points[i] = v3_scale(random_vector(), 0.55 * size);
  def.points = points;
  def.point_count = HULL_POINTS;
  return make_shape(def);
}

static rgShapeDef wall_def(rgShapeKind kind, double radius, double half_length, double number) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.half_length = half_length;
  def.parameters[0] = number;
  return def;
}

typedef struct Result {
  rgManifold items[LIST];
  rgManifoldList list;
} Result;

static void collide(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                    Result* r) {
  r->list = (rgManifoldList){.items = r->items, .capacity = LIST};
  rg_collide(a, pose_a, b, pose_b, reach, NULL, &r->list);
  CHECK(!r->list.overflow);
}

static double deepest(const Result* r) {
  double gap = HUGE_VAL;
  for (int i = 0; i < r->list.count; i++)
    for (int k = 0; k < r->items[i].count; k++)
      gap = fmin(gap, r->items[i].points[k].gap);
  return gap;
}

// A random point of the surface of a shape, in the world: a vertex or a place between two.
static rgVec3 surface_point(const rgShape* a, rgPose pose) {
  const rgShapeInfo* info = rg_shape_info(a->kind);
  rgVec3 p = info->support(a, random_direction());
  if (a->kind != RG_SHAPE_ELLIPSOID && random_unit() < 0.7)
    p = v3_lerp(p, info->support(a, random_direction()), random_unit());
  return pose_apply(pose, p);
}

static double distance_to_shape(const rgShape* a, rgPose pose, rgVec3 x) {
  return rg_shape_info(a->kind)->foot(a, pose_unapply(pose, x), HUGE_VAL).distance;
}

// point_a is on A, point_b on the wall, and they are `gap` apart along the unit normal.
static void check_contacts(const Result* r, const rgShape* a, rgPose pose_a, double thickness,
                           double (*on_wall)(const rgShape* b, rgVec3 x), const rgShape* b,
                           rgPose pose_b) {
  for (int i = 0; i < r->list.count; i++) {
    rgVec3 n = r->items[i].normal;
    CHECK_NEAR(v3_norm(n), 1, 1e-14);
    for (int k = 0; k < r->items[i].count; k++) {
      rgManifoldPoint p = r->items[i].points[k];
      CHECK_NEAR(v3_dot(v3_sub(p.point_a, p.point_b), n), p.gap, 1e-13);
      // Across the normal they are one point, to the square root of rounding on flat surfaces.
      CHECK_NEAR(v3_norm(v3_cross(v3_sub(p.point_a, p.point_b), n)), 0, 1e-12);
      CHECK_NEAR(distance_to_shape(a, pose_a, p.point_a), 0, 1e-12);
      CHECK_NEAR(on_wall(b, pose_unapply(pose_b, p.point_b)), thickness, 1e-12);
    }
  }
}

static double wall_distance(const rgShape* b, rgVec3 x) {
  return rg_shape_info(b->kind)->wall->foot(b, x).distance;
}

// [m] of the bowl that is stretched to an ellipsoid.
static const double stretched_radius = 1.3;

static rgShapeDef stretched_bowl(rgVec3 factors, double rim) {
  rgShapeDef def = wall_def(RG_SHAPE_BOWL, stretched_radius, 0, rim);
  def.parameters[1] = factors.x;
  def.parameters[2] = factors.y;
  def.parameters[3] = factors.z;
  return def;
}

static double across(rgVec3 x) { return sqrt(x.x * x.x + x.y * x.y); }

// --- Surfaces without rims -----------------------------------------------------------------------

static rgVec3 random_inside(const rgShape* b) {
  for (;;) {
    rgVec3 x = v3_scale(random_vector(), 2 * b->radius + b->parameters[0]);
    if (wall_distance(b, x) > 0.3 * b->radius * random_unit())
      return x;
  }
}

// Distance of x to an ellipsoid from inside: its foot f has e_i^2 (x_i - f_i) = t f_i, -least e^2 < t <= 0,
// and the root of sum (e_i x_i / (e_i^2 + t))^2 = 1, which falls with t, is bisected.
static double inside_ellipsoid(rgVec3 half, rgVec3 x) {
  const double e[3] = {half.x, half.y, half.z}, p[3] = {x.x, x.y, x.z};
  double least = fmin(e[0], fmin(e[1], e[2])), low = -least * least, high = 0, distance2 = 0;
  for (int i = 0; i < 60; i++) {
    double t = 0.5 * (low + high), sum = 0;
    for (int k = 0; k < 3; k++)
      sum += e[k] * p[k] / (e[k] * e[k] + t) * (e[k] * p[k] / (e[k] * e[k] + t));
    *(sum > 1 ? &low : &high) = t;
  }
  for (int k = 0; k < 3; k++) {
    double off = p[k] * high / (e[k] * e[k] + high);
    distance2 += off * off;
  }
  return sqrt(distance2);
}

// Distances by hand, not by the functions under test.
static double exact_distance(const rgShape* b, rgVec3 x) {
  double r = across(x);
  if (b->kind == RG_SHAPE_BOWL && b->parameters[1] > 0)
    return inside_ellipsoid(
        v3_scale(v3(b->parameters[1], b->parameters[2], b->parameters[3]), stretched_radius), x);
  if (b->kind == RG_SHAPE_TUBE)
    return b->radius - r;
  if (b->kind == RG_SHAPE_BOWL)
    return b->radius - v3_norm(x);
  double d = r - b->parameters[0];
  return b->radius - sqrt(d * d + x.z * x.z);
}

TEST(no_point_of_a_shape_is_deeper_in_a_wall_than_its_deepest_contact) {
  const rgShapeDef walls[] = {
      wall_def(RG_SHAPE_TUBE, 1, 0, 0),    wall_def(RG_SHAPE_BOWL, 1, 0, 1),
      wall_def(RG_SHAPE_TORUS, 1, 0, 1.2), wall_def(RG_SHAPE_TORUS, 1, 0, 5),
      wall_def(RG_SHAPE_TUBE, 0.02, 0, 0), // another scale
      stretched_bowl(v3(1, 0.8, 0.9), 2),  stretched_bowl(v3(0.9, 0.9, 1.3), 2),
  };
  random_state = 41;
  for (int w = 0; w < (int)(sizeof walls / sizeof *walls); w++) {
    rgShape* b = make_shape(walls[w]);
    for (int i = 0; i < CONVEX_KINDS * PLACES; i++) {
      rgShapeKind kind = convex_kinds[i % CONVEX_KINDS];
      CONTEXT("wall %d, %s, place %d", w, rg_shape_kind_name(kind), i);
      rgShape* a = random_shape(kind, b->radius * random_between(0.1, 0.9));
      rgPose pose_b = {v3_scale(random_vector(), 3), random_rotation()};
      rgPose own = {random_inside(b), random_rotation()};
      rgPose pose_a = pose_mul(pose_b, own);
      Result r;
      collide(a, pose_a, b, pose_b, 20 * b->radius, &r);
      REQUIRE(r.list.count > 0);
      check_contacts(&r, a, pose_a, 0, exact_distance, b, pose_b);
      double gap = deepest(&r), sampled = HUGE_VAL;
      for (int k = 0; k < SAMPLES; k++)
        sampled = fmin(sampled, exact_distance(b, surface_point(a, own)));
      CHECK_MSG(sampled >= gap - 1e-12, "a point is %g m from the wall, the contact %g m", sampled,
                gap);
      collide(a, pose_a, b, pose_b, gap - 1e-9, &r);
      CHECK_INT(r.list.count, 0);
      free_shape(a);
    }
    free_shape(b);
  }
}

// --- Rims ----------------------------------------------------------------------------------------

static double on_circle(const rgShape* b, rgVec3 x) {
  double d = across(x) - b->parameters[0];
  return sqrt(d * d + x.z * x.z);
}

TEST(a_shape_touches_a_ring_where_it_is_nearest_to_its_circle) {
  random_state = 43;
  for (int i = 0; i < CONVEX_KINDS * PLACES; i++) {
    rgShapeKind kind = convex_kinds[i % CONVEX_KINDS];
    CONTEXT("%s, place %d", rg_shape_kind_name(kind), i);
    double ring = random_between(0.5, 3);
    rgShape* b = make_shape(wall_def(RG_SHAPE_RING, random_between(0.05, 0.4), 0, ring));
    rgShape* a = random_shape(kind, random_between(0.1, 2));
    rgPose pose_b = {v3_scale(random_vector(), 3), random_rotation()};
    rgPose own = {v3_scale(random_vector(), 1.5 * ring), random_rotation()};
    rgPose pose_a = pose_mul(pose_b, own);
    double least = HUGE_VAL;
    for (int k = 0; k < ON_CIRCLE; k++) {
      double angle = 2 * RG_PI * k / ON_CIRCLE;
      rgVec3 p = v3(ring * rg_cos(angle), ring * rg_sin(angle), 0);
      least = fmin(least, distance_to_shape(a, own, p));
    }
    Result r;
    collide(a, pose_a, b, pose_b, 20, &r);
    REQUIRE(r.list.count > 0);
    if (least > 0)
      check_contacts(&r, a, pose_a, b->radius, on_circle, b, pose_b);
    // Samples miss a minimum by at most the slope 1 times half their distance, where it is a kink.
    double coarse = RG_PI * ring / ON_CIRCLE, gap = deepest(&r) + b->radius;
    CHECK_MSG(gap <= least + 1e-12, "contact at %g m, a point of the circle at %g m", gap, least);
    CHECK_MSG(least < 0 || gap >= least - coarse, "contact at %g m, samples down to %g m", gap,
              least);
    free_shape(a);
    free_shape(b);
  }
}

// A ball over the end of a tube or the rim of a bowl: from the surface over the edge to nothing.
TEST(a_ball_rolls_over_a_rim) {
  const double r = 0.3;
  rgShape* ball = random_shape(RG_SHAPE_SPHERE, 1);
  double b = ball->radius;
  rgShape* tube = make_shape(wall_def(RG_SHAPE_TUBE, 1, 2, 0));
  rgShape* bowl = make_shape(wall_def(RG_SHAPE_BOWL, 1, 0, r));
  double rim = sqrt(1 - r * r);
  Result result;
  for (int i = 0; i < 180; i++) {
    double angle = i * RG_PI / 180, c = rg_cos(angle), s = rg_sin(angle);
    CONTEXT("%d degrees", i);
    // Around the edge of the tube, from the inside to the outside.
    rgVec3 n = v3(-c, 0, s), edge = v3(1, 0, 2);
    rgPose at = {v3_axpy(edge, b + 0.01, n), quat_identity()};
    collide(ball, at, tube, pose_identity(), 0.02, &result);
    REQUIRE_INT(result.list.count, 1);
    CHECK_NEAR(result.items[0].points[0].gap, 0.01, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(result.items[0].normal, n)), 0, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(result.items[0].points[0].point_b, edge)), 0, 1e-12);
    // Around that of the bowl, from its normal there to the opposite one.
    n = v3(-c * rim - s * r, 0, -c * r + s * rim);
    edge = v3(rim, 0, r);
    at.position = v3_axpy(edge, b + 0.01, n);
    collide(ball, at, bowl, pose_identity(), 0.02, &result);
    REQUIRE_INT(result.list.count, 1);
    CHECK_NEAR(result.items[0].points[0].gap, 0.01, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(result.items[0].normal, n)), 0, 1e-12);
  }
  // Beyond the end, beside the wall: nothing.
  collide(ball, (rgPose){v3(1 - b, 0, 2.1 + b), quat_identity()}, tube, pose_identity(), 0.02,
          &result);
  CHECK_INT(result.list.count, 0);
  free_shape(ball);
  free_shape(tube);
  free_shape(bowl);
}

static rgShape* box_of(double x, double y, double z) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  def.half = v3(x, y, z);
  return make_shape(def);
}

// A lid lies on fixed points all around; a plank across has the ends of both arcs under it.
TEST(a_flat_body_lies_on_a_rim_as_on_a_plane) {
  rgShape *bowl = make_shape(wall_def(RG_SHAPE_BOWL, 1, 0, 0)), *lid = box_of(2, 2, 0.1),
          *plank = box_of(2, 0.2, 0.1);
  Result r;
  for (int sign = -1; sign <= 1; sign += 2) { // just above and just below
    CONTEXT("%d", sign);
    double gap = 1e-6 * sign;
    rgPose at = {v3(0.01, 0.02, 0.1 + gap), quat_identity()};
    collide(lid, at, bowl, pose_identity(), 1e-4, &r);
    REQUIRE_INT(r.list.count, 1);
    CHECK_INT(r.items[0].count, 8);
    CHECK_NEAR(deepest(&r), gap, 1e-12);
    CHECK_NEAR(r.items[0].normal.z, 1, 1e-12);
    collide(plank, at, bowl, pose_identity(), 1e-4, &r);
    REQUIRE_INT(r.list.count, 1);
    CHECK_NEAR(r.items[0].normal.z, 1, 1e-12);
    int corners = 0;
    for (int i = 0; i < r.items[0].count; i++) {
      rgVec3 p = r.items[0].points[i].point_b;
      CHECK_NEAR(across(p), 1, 1e-12);
      corners += fabs(fabs(p.y - 0.02) - 0.2) < 2e-6; // pressed in, the depth from the edge
    }
    CHECK_INT(corners, 4);
  }
  free_shape(bowl);
  free_shape(lid);
  free_shape(plank);
}

// The edge of a box across the edge of a tube: the normal is across both, apart and pressed in.
TEST(an_edge_on_a_rim_has_one_normal_on_both_sides_of_touching) {
  rgShape *tube = make_shape(wall_def(RG_SHAPE_TUBE, 1, 2, 0)), *box = box_of(0.2, 0.2, 0.2);
  random_state = 44;
  Result r;
  for (int i = 0; i < 60; i++) {
    // The edge along y of the box turned by `tilt` about y, on the rim at (1, 0, 2), whose tangent
    // is y too; turned by `yaw` about z so that they cross.
    CONTEXT("%d", i);
    double tilt = random_between(0.3, 1.2), yaw = random_between(0.5, 2.6);
    double gap = random_between(-1e-4, 1e-4);
    rgQuat about_z = {rg_cos(yaw / 2), 0, 0, rg_sin(yaw / 2)};
    rgQuat about_y = {rg_cos(tilt / 2), 0, rg_sin(tilt / 2), 0};
    rgQuat turn = quat_mul(about_z, about_y);
    rgVec3 line = quat_rotate(turn, v3(0, 1, 0)), n = v3_cross(line, v3(0, 1, 0));
    n = v3_unit_or(n.z < 0 ? v3_neg(n) : n, v3_zero());
    // Both lines are level: the normal is straight up. The lower edge of the box, at its middle:
    rgVec3 low = quat_rotate(turn, v3(0.2, 0, -0.2));
    rgVec3 low2 = quat_rotate(turn, v3(-0.2, 0, -0.2));
    low = low.z < low2.z ? low : low2;
    rgPose at = {v3_sub(v3(1, 0, 2 + gap), low), turn};
    collide(box, at, tube, pose_identity(), 1e-3, &r);
    REQUIRE(r.list.count > 0);
    CHECK_NEAR(deepest(&r), gap, 1e-9);
    for (int k = 0; k < r.list.count;
         k++) // a face that is nearly along the rim may be near as well
      if (r.items[k].points[0].gap <= gap + 1e-9)
        CHECK_NEAR(v3_norm(v3_sub(r.items[k].normal, n)), 0, 1e-6);
  }
  free_shape(tube);
  free_shape(box);
}

// --- Two dimensions ------------------------------------------------------------------------------

static rgShape* random_flat(int kind) {
  const rgShapeKind kinds[] = {RG_SHAPE_CIRCLE, RG_SHAPE_POLYGON, RG_SHAPE_CAPSULE};
  rgVec3 points[7];
  rgShapeDef def = rg_shape_def(kinds[kind]);
  def.planar = true;
  def.radius = random_between(0.05, 0.3);
  def.half_length = random_between(0.05, 0.3);
  for (int i = 0; i < 7; i++)
    points[i] = random_flat_within(-0.4, 0.4);
  def.points = points;
  def.point_count = 7;
  return make_shape(def);
}

static rgQuat about_z(double angle) { return (rgQuat){rg_cos(angle / 2), 0, 0, rg_sin(angle / 2)}; }

TEST(no_point_of_a_flat_shape_is_deeper_in_a_circle_than_its_deepest_contact) {
  rgShapeDef def = wall_def(RG_SHAPE_BOWL, 1, 0, 1);
  def.planar = true;
  rgShape* b = make_shape(def);
  random_state = 45;
  for (int i = 0; i < 300; i++) {
    CONTEXT("%d", i);
    rgShape* a = random_flat(i % 3);
    rgPose own = {random_flat_within(-0.7, 0.7), about_z(random_between(-3, 3))};
    rgPose pose_b = {v3(1, 2, 0), about_z(random_between(-3, 3))};
    Result r;
    collide(a, pose_mul(pose_b, own), b, pose_b, 5, &r);
    REQUIRE(r.list.count > 0);
    double gap = deepest(&r), farthest = 0;
    for (int k = 0; k < SAMPLES; k++) {
      double angle = 2 * RG_PI * k / SAMPLES;
      rgVec3 d = quat_unrotate(own.orientation, v3(rg_cos(angle), rg_sin(angle), 0));
      rgVec3 x = pose_apply(own, rg_shape_info(a->kind)->support(a, d));
      farthest = fmax(farthest, v3_norm(x));
    }
    // The farthest point of a rounded corner lies between two samples, half a step away at most.
    CHECK_NEAR(gap, 1 - farthest, 1e-6);
    CHECK(gap <= 1 - farthest + 1e-14);
    free_shape(a);
  }
  free_shape(b);
}

// A disk around the two ends of an arc, from the inside to the outside.
TEST(a_disk_rolls_over_the_rim_of_a_flat_bowl) {
  rgShapeDef def = wall_def(RG_SHAPE_BOWL, 1, 0, 0.28);
  def.planar = true;
  rgShape *bowl = make_shape(def), *disk = random_flat(0);
  Result r;
  for (int i = 0; i < 180; i++)
    for (int side = -1; side <= 1; side += 2) {
      CONTEXT("%d degrees, side %d", i, side);
      double c = rg_cos(i * RG_PI / 180), s = rg_sin(i * RG_PI / 180);
      rgVec3 edge = v3(0.96 * side, 0.28, 0),
             n = v3(side * (-c * 0.96 - s * 0.28), s * 0.96 - c * 0.28, 0);
      rgPose at = {v3_axpy(edge, disk->radius + 0.01, n), quat_identity()};
      collide(disk, at, bowl, pose_identity(), 0.02, &r);
      REQUIRE(r.list.count > 0); // at the end both the arc and its rim may be named
      for (int k = 0; k < r.list.count; k++) {
        CHECK_NEAR(r.items[k].points[0].gap, 0.01, 1e-12);
        CHECK_NEAR(v3_norm(v3_sub(r.items[k].normal, n)), 0, 1e-12);
      }
    }
  free_shape(bowl);
  free_shape(disk);
}

// --- What is refused, and what is behind ---------------------------------------------------------

TEST(numbers_that_make_no_wall_are_refused) {
  rgMessage message = {""};
  rgShapeDef def = wall_def(RG_SHAPE_BOWL, 1, 0, -1);
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "rim is -1, must be > -radius = -1");
  def = stretched_bowl(v3(1, 1, 0.5), -0.65);
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "rim is -0.65, must be > -radius * stretch[2] = -0.65");
  def = stretched_bowl(v3(1, 0.5, 1), 0);
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "stretch along x and y is 1 and 0.5, must be equal where there is a rim, "
                          "or rim >= 1.3");
  def = stretched_bowl(v3(1, -1, 1), 2);
  CHECK(!try_shape(&def, &message));
  def = wall_def(RG_SHAPE_TORUS, 1, 0, 0.5);
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "ring_radius is 0.5, must be > radius = 1");
  def = wall_def(RG_SHAPE_TUBE, 1, -1, 0);
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "half_length is -1, must be > 0");
}

// A box that hangs over the rim of a bowl, with corners outside below it, is not pushed by the
// surface that these corners never passed.
TEST(corners_that_went_over_a_rim_are_free) {
  rgShape *bowl = make_shape(wall_def(RG_SHAPE_BOWL, 1, 0, 0.2)), *box = box_of(0.5, 0.1, 0.1);
  double tilt = 0.6;
  rgQuat turn = {rg_cos(tilt / 2), 0, rg_sin(tilt / 2), 0}; // the +x end goes down
  rgVec3 edge = v3(sqrt(1 - 0.04), 0, 0.2), up = quat_rotate(turn, v3(0, 0, 1));
  Result r;
  for (int i = -3; i <= 3; i++) { // how far the middle is past the rim
    CONTEXT("%d", i);
    rgVec3 along = quat_rotate(turn, v3(0.1 * i, 0, 0));
    rgPose at = {v3_add(v3_axpy(edge, 0.1 + 1e-6, up), along), turn};
    collide(box, at, bowl, pose_identity(), 1e-4, &r);
    REQUIRE(r.list.count > 0);
    CHECK_NEAR(deepest(&r), 1e-6, 1e-9);
  }
  free_shape(bowl);
  free_shape(box);
}
