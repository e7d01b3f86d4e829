// The cone, the frustum and the lens: mass, support, feet and what is refused, against formulas of
// solids.h and integration.
#include "test.h"

#include "support/random.h"
#include "support/shape.h"
#include "support/solids.h"

#include <string.h>

// A solid of the kind of that name.
static Solid* named(const char* name, Solid* solid) {
  for (int i = 0; i < solid_kinds(); i++)
    if (strcmp(solid_name(i), name) == 0) {
      solid_make(solid, i, random_unit);
      solid->def.points = solid->points;
    }
  return solid;
}

static const char* const names[] = {"cone", "frustum", "lens", "dome"};

// Simpson's rule over disks of radius rho(z), where the solid begins to be outside: exact along x and y.
static double widest(const Solid* solid, double z) {
  double low = 0, high = 10;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    *(solid_outside(solid, v3(middle, 0, z)) <= 0 ? &low : &high) = middle;
  }
  return low;
}

static void integrate(const Solid* solid, double bottom, double top, int parts, double sums[4]) {
  double step = (top - bottom) / parts, pi = 3.14159265358979323846;
  for (int k = 0; k < 4; k++)
    sums[k] = 0;
  for (int i = 0; i <= parts; i++) {
    double z = bottom + i * step, weight = step / 3 * (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2);
    double inner = z * (1 - 1e-15),
           r2 = widest(solid, inner) * widest(solid, inner); // not beyond an end
    sums[0] += weight * pi * r2;
    sums[1] += weight * pi * r2 * z;
    sums[2] += weight * pi * r2 * z * z;
    sums[3] += weight * pi * r2 * r2 / 2;
  }
}

TEST(mass_is_that_of_numeric_integration) {
  for (int trial = 0; trial < 40; trial++) {
    Solid solid;
    named(names[trial % 4], &solid);
    rgShapeDef def = solid.def;
    bool lens = def.kind == RG_SHAPE_LENS;
    double up = lens ? def.parameters[0] : def.half_length,
           down = lens ? def.parameters[1] : def.half_length;
    double below[4], above[4];
    // In two parts, each a polynomial of degree 4 at most: 200 parts leave (1/200)^4 of it.
    integrate(&solid, -down, 0, 200, below);
    integrate(&solid, 0, up, 200, above);
    double m = below[0] + above[0], center = (below[1] + above[1]) / m, about = below[3] + above[3];
    double across = about / 2 + below[2] + above[2] - m * center * center;
    rgMassProperties mass;
    def.density = 1;
    REQUIRE(rg_shape_mass(&def, &mass, NULL) == RG_OK);
    CONTEXT("trial %d, %s", trial, names[trial % 4]);
    CHECK_NEAR(mass.mass / m, 1, 1e-8);
    CHECK_NEAR(mass.center.z, center, 1e-8);
    CHECK_NEAR(mass.inertia.m[2][2] / about, 1, 1e-8);
    CHECK_NEAR(mass.inertia.m[0][0] / across, 1, 1e-8);
    CHECK(mass.inertia.m[0][0] == mass.inertia.m[1][1] && mass.inertia.m[0][1] == 0);
  }
}

// A frustum of equal radii is a cylinder, a lens whose caps multiply to the square of the radius a ball.
TEST(limits_are_the_cylinder_and_the_ball) {
  rgShapeDef cone = rg_shape_def(RG_SHAPE_CONE), cylinder = rg_shape_def(RG_SHAPE_CYLINDER);
  cone.radius = cone.parameters[0] = cylinder.radius = 0.3;
  cone.half_length = cylinder.half_length = 0.7;
  rgShapeDef lens = rg_shape_def(RG_SHAPE_LENS), ball = rg_shape_def(RG_SHAPE_SPHERE);
  lens.radius = 0.4, lens.parameters[0] = 0.8, lens.parameters[1] = 0.2, ball.radius = 0.5;
  const rgShapeDef defs[2][2] = {{cone, cylinder}, {lens, ball}};
  for (int i = 0; i < 2; i++) {
    rgMassProperties a, b;
    REQUIRE(rg_shape_mass(&defs[i][0], &a, NULL) == RG_OK);
    REQUIRE(rg_shape_mass(&defs[i][1], &b, NULL) == RG_OK);
    CHECK_NEAR(a.mass / b.mass, 1, 1e-14);
    CHECK_NEAR(a.inertia.m[0][0] / b.inertia.m[0][0], 1, 1e-14);
    CHECK_NEAR(a.inertia.m[2][2] / b.inertia.m[2][2], 1, 1e-14);
    CHECK_NEAR(a.center.z, i == 0 ? 0 : 0.3, 1e-15);
  }
}

TEST(support_and_feet_are_on_the_surface_and_extreme) {
  for (int trial = 0; trial < 400; trial++) {
    Solid solid;
    named(names[trial % 4], &solid);
    rgShape* shape = make_shape(solid.def);
    const rgShapeInfo* info = rg_shape_info(shape->kind);
    rgVec3 d = trial % 9 == 0 ? v3(0, 0, trial % 2 ? 1 : -1) : random_direction();
    rgVec3 p = info->support(shape, d);
    CONTEXT("trial %d, %s", trial, names[trial % 4]);
    CHECK_NEAR(solid_outside(&solid, p), 0,
               1e-14); // rounding of a few operations on numbers below 4
    CHECK_NEAR(v3_dot(d, p), solid_reach(&solid, d, p), 2e-15);
    CHECK(v3_norm(p) <= shape->extent * (1 + 1e-15));
    rgVec3 x = v3_scale(random_direction(), random_between(0, 2.5));
    rgFoot foot = info->foot(shape, x, HUGE_VAL);
    rgVec3 back = v3_axpy(foot.point, foot.distance, foot.normal);
    CHECK_NEAR(v3_norm(v3_sub(back, x)), 0, 1e-14);
    CHECK_NEAR(solid_outside(&solid, foot.point), 0, 1e-14);
    CHECK((foot.distance > 0) == (solid_outside(&solid, x) > 0));
    // The normal is one of the normal cone, outside and inside: nothing of the solid is beyond.
    CHECK_NEAR(v3_dot(foot.normal, foot.point), solid_reach(&solid, foot.normal, foot.point),
               2e-15 * 8);
    // Inside no direction leads out sooner.
    for (int k = 0; k < 50 && foot.distance < 0; k++) {
      rgVec3 e = random_direction();
      CHECK(solid_reach(&solid, e, x) - v3_dot(e, x) >= -foot.distance - 1e-14);
    }
    free_shape(shape);
  }
}

TEST(pieces_have_their_gradients_and_hessians) {
  for (int trial = 0; trial < 200; trial++) {
    Solid solid;
    named(names[trial % 4], &solid);
    rgShape* shape = make_shape(solid.def);
    const rgPieceList* pieces = &rg_shape_info(shape->kind)->pieces;
    rgVec3 x = v3_add(v3(0.3, 0.2, 0), v3_scale(random_direction(), 0.1));
    for (int i = 0; i < pieces->count; i++)
      for (int k = 0; k < 3; k++) {
        double step = 1e-6;
        rgVec3 e = v3(step * (k == 0), step * (k == 1), step * (k == 2)), g, gu, gd;
        rgMat3 h, unused;
        pieces->value(shape, i, x, &g, &h);
        double up = pieces->value(shape, i, v3_add(x, e), &gu, &unused);
        double down = pieces->value(shape, i, v3_sub(x, e), &gd, &unused);
        CHECK_NEAR((up - down) / (2 * step), v3_get(g, k), 1e-8); // third derivatives below 100
        rgVec3 column = v3_scale(v3_sub(gu, gd), 1 / (2 * step));
        CHECK_NEAR(v3_norm(v3_sub(column, m3_column(&h, k))), 0, 1e-8);
      }
    free_shape(shape);
  }
}

static void check_refused(rgShapeDef def, const char* text) {
  rgMessage message = {""};
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_STR(message.text, text);
}

TEST(what_is_no_cone_or_lens_is_refused) {
  rgShapeDef cone = rg_shape_def(RG_SHAPE_CONE), lens = rg_shape_def(RG_SHAPE_LENS);
  cone.half_length = 1;
  check_refused(cone, "radius is 0, must be > 0");
  cone.radius = 1, cone.parameters[0] = -0.5;
  check_refused(cone, "top_radius is -0.5, must be >= 0");
  cone.parameters[0] = NAN;
  check_refused(cone, "top_radius is nan, must be >= 0");
  lens.radius = 0.5;
  check_refused(lens, "caps are both 0, one must be > 0");
  lens.parameters[0] = 0.6, lens.parameters[1] = 0.5;
  check_refused(lens, "caps are 0.6 and 0.5, their product must be <= radius^2, 0.25: no two balls "
                      "have both caps at one rim");
  lens.parameters[1] = -1;
  check_refused(lens, "caps[1] is -1, must be >= 0");
}
