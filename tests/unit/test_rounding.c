// Boxes and hulls with rounded edges: mass against integration, contacts against the distance of the
// cores.
#include "test.h"

#include "collide/collide.h"
#include "collide/convex/gjk.h"
#include "math/trig.h"
#include "shape/solid/rounding.h"
#include "support/random.h"
#include "support/shape.h"

enum { HULL_POINTS = 14, LIST = 16 };

static rgShape* box_of(rgVec3 half, double rounding) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  def.half = half;
  def.rounding = rounding;
  return make_shape(def);
}

static rgShape* hull_of(const rgVec3* points, int count, double rounding) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  def.rounding = rounding;
  return make_shape(def);
}

static rgMassProperties mass_of(const rgShape* shape) {
  rgMassProperties mass;
  rg_shape_info(shape->kind)->mass(shape, &mass);
  return mass;
}

// --- Mass ----------------------------------------------------------------------------------------

// A section of a rounded box across z is a rectangle with rounded corners, of half-widths a, b and
// corner radius q: its area, and its second moment along the side a.
static double section_area(double a, double b, double q) { return 4 * a * b - (4 - RG_PI) * q * q; }

static double section_second(double a, double b, double q) {
  // The rectangle, less four corners q x q, plus four quarter disks about (a - q, b - q).
  double c = a - q, quarter = RG_PI * q * q / 4;
  double corner = q * ((a * a * a - c * c * c) / 3);
  double disk = quarter * c * c + 2 * c * (q * q * q / 3) + RG_PI * q * q * q * q / 16;
  return 4 * (b * a * a * a / 3 - corner + disk);
}

TEST(a_rounded_box_has_the_mass_of_its_sections) {
  random_state = 51;
  for (int k = 0; k < 20; k++) {
    rgVec3 h = random_within(0.2, 2);
    double r = random_between(0.01, 0.99) * fmin(h.x, fmin(h.y, h.z));
    CONTEXT("half %g %g %g, rounding %g", h.x, h.y, h.z, r);
    double volume = 0, xx = 0, yy = 0, zz = 0;
    // z = h.z - r + r sin(t) over the rounded part makes the integrand smooth: Simpson's rule.
    enum { PARTS = 400 };
    double flat = h.z - r;
    volume = 2 * flat * section_area(h.x, h.y, r);
    xx = 2 * flat * section_second(h.x, h.y, r);
    yy = 2 * flat * section_second(h.y, h.x, r);
    zz = 2 * flat * flat * flat / 3 * section_area(h.x, h.y, r);
    for (int i = 0; i <= PARTS; i++) {
      double t = RG_PI / 2 * i / PARTS, c = rg_cos(t), s = rg_sin(t), z = flat + r * s;
      double weight = (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * (RG_PI / 2 / PARTS / 3) * r * c;
      double in = r * (1 - c), a = h.x - in, b = h.y - in, q = r - in;
      volume += 2 * weight * section_area(a, b, q);
      xx += 2 * weight * section_second(a, b, q);
      yy += 2 * weight * section_second(b, a, q);
      zz += 2 * weight * section_area(a, b, q) * z * z;
    }
    rgShape* box = box_of(h, r);
    rgMassProperties mass = mass_of(box);
    CHECK_REL(mass.mass, volume, 1e-9); // Simpson's rule, with steps of 0.004
    CHECK_REL(mass.inertia.m[0][0], yy + zz, 1e-9);
    CHECK_REL(mass.inertia.m[1][1], zz + xx, 1e-9);
    CHECK_REL(mass.inertia.m[2][2], xx + yy, 1e-9);
    free_shape(box);
  }
}

// The same body as a box and as a hull, turned and away from the origin.
TEST(a_rounded_hull_of_a_box_is_the_rounded_box) {
  random_state = 52;
  for (int k = 0; k < 20; k++) {
    CONTEXT("%d", k);
    rgVec3 core = random_within(0.1, 2);
    double r = random_between(0.01, 1);
    rgPose pose = {v3_scale(random_vector(), 10), random_rotation()};
    rgVec3 points[8];
    for (int i = 0; i < 8; i++)
      points[i] = pose_apply(
          pose, v3(i & 1 ? core.x : -core.x, i & 2 ? core.y : -core.y, i & 4 ? core.z : -core.z));
    rgShape *hull = hull_of(points, 8, r), *box = box_of(v3_add(core, v3(r, r, r)), r);
    rgMassProperties a = mass_of(hull), b = mass_of(box);
    rgMat3 turn = m3_from_quat(pose.orientation), back = m3_transpose(&turn);
    rgMat3 moved = m3_mul(&turn, &b.inertia);
    moved = m3_mul(&moved, &back);
    CHECK_REL(a.mass, b.mass, 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(a.center, pose.position)), 0, 1e-12);
    for (int i = 0; i < 9; i++)
      CHECK_NEAR(a.inertia.m[i / 3][i % 3], moved.m[i / 3][i % 3], 1e-11 * b.inertia.m[0][0]);
    free_shape(hull);
    free_shape(box);
  }
}

// Any hull: every point of a grid that is inside counts.
TEST(a_rounded_hull_has_the_mass_of_its_points) {
  random_state = 53;
  for (int k = 0; k < (test_fast() ? 1 : 4); k++) {
    CONTEXT("%d", k);
    rgVec3 points[HULL_POINTS];
    for (int i = 0; i < HULL_POINTS; i++)
      points[i] = random_vector();
    double r = random_between(0.1, 0.6);
    rgShape* hull = hull_of(points, k % 2 ? HULL_POINTS : 4 + k, r);
    enum { GRID = 90 };
    double width = 2 * hull->extent / GRID, cell = width * width * width, volume = 0;
    rgVec3 first = v3_zero();
    double second[3][3] = {{0}};
    for (int i = 0; i < GRID * GRID * GRID; i++) {
      rgVec3 cell_start = v3(i % GRID, i / GRID % GRID, i / GRID / GRID),
             in_cell = random_within(0, 1);
      rgVec3 x = v3_scale(v3_add(cell_start, in_cell), width);
      x = v3_sub(x, v3(hull->extent, hull->extent, hull->extent));
      if (rg_shape_info(RG_SHAPE_HULL)->foot(hull, x, HUGE_VAL).distance > 0)
        continue;
      volume += cell;
      first = v3_axpy(first, cell, x);
      for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
          second[p][q] += cell * v3_get(x, p) * v3_get(x, q);
    }
    rgMassProperties mass = mass_of(hull);
    rgVec3 c = v3_scale(first, 1 / volume);
    // Of some 1e5 cells inside 2e4 are on the surface and count by chance, half of them: the sum is
    // off by sqrt(2e4) / 2 = 70 cells, 7e-4 of all. Five times that is allowed.
    CHECK_REL(mass.mass, volume, 4e-3);
    CHECK_NEAR(v3_norm(v3_sub(mass.center, c)), 0, 4e-3 * hull->extent);
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < p; q++)
        CHECK_NEAR(mass.inertia.m[p][q], -(second[p][q] - volume * v3_get(c, p) * v3_get(c, q)),
                   4e-3 * mass.inertia.m[0][0]);
    double trace = 0;
    for (int p = 0; p < 3; p++)
      trace += second[p][p] - volume * v3_get(c, p) * v3_get(c, p);
    for (int p = 0; p < 3; p++)
      CHECK_REL(mass.inertia.m[p][p], trace - (second[p][p] - volume * v3_get(c, p) * v3_get(c, p)),
                8e-3);
    free_shape(hull);
  }
}

// --- Contacts ------------------------------------------------------------------------------------

typedef struct Result {
  rgManifold items[LIST];
  rgManifoldList list;
} Result;

static double deepest(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                      double reach, Result* r) {
  double gap = HUGE_VAL;
  r->list = (rgManifoldList){.items = r->items, .capacity = LIST};
  rg_collide(a, pose_a, b, pose_b, reach, NULL, &r->list);
  CHECK(!r->list.overflow);
  for (int i = 0; i < r->list.count; i++)
    for (int k = 0; k < r->items[i].count; k++) {
      rgManifoldPoint p = r->items[i].points[k];
      CHECK_NEAR(v3_dot(v3_sub(p.point_a, p.point_b), r->items[i].normal), p.gap, 1e-12);
      gap = fmin(gap, p.gap);
    }
  return gap;
}

static rgShape* random_shape(rgShapeKind kind, double* rounding, rgShape** core) {
  rgVec3 points[HULL_POINTS];
  rgShapeDef def = rg_shape_def(kind);
  def.radius = random_between(0.1, 1);
  def.half_length = random_between(0.1, 1);
  def.half = random_within(0.1, 1);
  def.parameters[0] = def.parameters[1] = random_between(2, 5);
  for (int i = 0; i < HULL_POINTS; i++)
    points[i] = random_vector();
  def.points = points;
  def.point_count = HULL_POINTS;
  *rounding = 0;
  *core = make_shape(def);
  if (kind == RG_SHAPE_BOX || kind == RG_SHAPE_HULL) {
    *rounding = def.rounding = random_between(0.01, 0.4);
    if (kind == RG_SHAPE_BOX)
      def.half = v3_add(def.half, v3(def.rounding, def.rounding, def.rounding));
  }
  return make_shape(def);
}

// The distance of rounded bodies is that of their cores, less the roundings, for every convex kind.
TEST(contacts_are_those_of_the_cores_less_the_rounding) {
  const rgShapeKind kinds[] = {RG_SHAPE_SPHERE,        RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,
                               RG_SHAPE_CYLINDER,      RG_SHAPE_HULL, RG_SHAPE_ELLIPSOID,
                               RG_SHAPE_SUPERELLIPSOID};
  random_state = 54;
  int near = 0, over = 0;
  for (int i = 0; i < 2100; i++) {
    double ra, rb;
    rgShape *core_a, *core_b;
    rgShapeKind kind_a = i % 2 ? RG_SHAPE_BOX : RG_SHAPE_HULL, kind_b = kinds[i / 2 % 7];
    CONTEXT("%s and %s, %d", rg_shape_kind_name(kind_a), rg_shape_kind_name(kind_b), i);
    rgShape *a = random_shape(kind_a, &ra, &core_a), *b = random_shape(kind_b, &rb, &core_b);
    rgPose pose_a = {v3_scale(random_direction(), random_between(0.5, 3)), random_rotation()};
    rgPose pose_b = {v3_zero(), random_rotation()};
    rgConvex set_a = rg_convex_of_shape(core_a, pose_a), set_b = rg_convex_of_shape(core_b, pose_b);
    rgDistance apart;
    CHECK(rg_convex_distance(&set_a, &set_b, 10, v3_zero(), &apart));
    double expected = apart.distance - ra - rb;
    Result r;
    double gap = deepest(a, pose_a, b, pose_b, 10, &r);
    if (apart.distance > 1e-3) { // where cores overlap, the way out may be another
      CHECK_NEAR(gap, expected, 1e-7);
      CHECK_NEAR(deepest(b, pose_b, a, pose_a, 10, &r), expected, 1e-7);
      near++;
      over += expected < 0;
      CHECK_INT(deepest(a, pose_a, b, pose_b, expected - 1e-6, &r) == HUGE_VAL, true);
    }
    free_shape(a);
    free_shape(b);
    free_shape(core_a);
    free_shape(core_b);
  }
  CHECK(near > 700 && over > 100); // enough of both
}

TEST(a_rounded_body_on_a_plane_touches_below_its_core) {
  random_state = 55;
  rgShape* plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  for (int i = 0; i < 200; i++) {
    CONTEXT("%d", i);
    double r;
    rgShape* core;
    rgShape* a = random_shape(i % 2 ? RG_SHAPE_BOX : RG_SHAPE_HULL, &r, &core);
    rgPose pose_a = {v3(0, 0, random_between(0, 2)), random_rotation()};
    rgPose pose_b = {v3_scale(random_vector(), 0.5), random_rotation()};
    rgVec3 n = quat_rotate(pose_b.orientation, v3(0, 0, 1));
    rgVec3 d = quat_unrotate(pose_a.orientation, v3_neg(n));
    rgVec3 low = pose_apply(pose_a, rg_shape_info(core->kind)->support(core, d));
    Result result;
    CHECK_NEAR(deepest(a, pose_a, plane, pose_b, 10, &result),
               v3_dot(n, v3_sub(low, pose_b.position)) - r, 1e-13);
    free_shape(core);
    free_shape(a);
  }
  free_shape(plane);
}

TEST(a_rounding_as_large_as_the_box_is_refused) {
  rgMessage message = {""};
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  def.half = v3(1, 0.5, 2);
  def.rounding = 0.5;
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "rounding is 0.5, must be < the least half extent, 0.5");
  def.rounding = -0.1;
  CHECK(!try_shape(&def, &message));
  CHECK_STR(message.text, "rounding is -0.1, must be > 0");
}
