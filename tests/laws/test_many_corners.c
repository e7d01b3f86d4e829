// Prisms whose face has many corners, against closed forms of statics: no corner is left out.
#include "test.h"

#include "math/vec.h"
#include "support/random.h"
#include <rigor/world.h>

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;
enum { SIDES_MAX = 256 };

typedef enum Floor { PLANE, SLAB, TRIANGLE, FLOORS } Floor;

// A regular prism of the radius 1 and the half-height `half`, standing on a floor; gravity is given.
typedef struct Prism {
  rgWorld* world;
  rgBodyId body;
  double mass;
} Prism;

static void add_floor(rgWorld* world, Floor kind) {
  static const rgVec3 corners[] = {{-40, -30, 0}, {40, -30, 0}, {0, 50, 0}};
  static const int triangle[] = {0, 1, 2};
  rgShapeDef shape = rg_shape_def(kind == PLANE  ? RG_SHAPE_HALFSPACE
                                  : kind == SLAB ? RG_SHAPE_BOX
                                                 : RG_SHAPE_MESH);
  rgBodyDef body = rg_body_def();
  body.kind = RG_BODY_STATIC;
  shape.half = v3(9, 9, 1);
  shape.points = corners, shape.point_count = 3;
  shape.triangles = triangle, shape.triangle_count = 1;
  if (kind == SLAB)
    body.pose.position.z = -1;
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &body, &shape, 1, &id) == RG_OK);
}

static Prism stand(int sides, double half, Floor floor, rgVec3 gravity, double h) {
  rgWorldDef def = rg_world_def();
  def.options.step = h;
  def.options.tolerance = 1e-12;
  def.options.gravity = gravity;
  Prism prism;
  REQUIRE(rg_world_create(&def, &prism.world, NULL) == RG_OK);
  rgMaterial rough = rg_material_default();
  rough.mu = 4; // no slip at the slopes taken
  REQUIRE(rg_world_set_material(prism.world, 0, &rough) == RG_OK);
  add_floor(prism.world, floor);
  rgVec3 points[2 * SIDES_MAX];
  for (int i = 0; i < sides; i++) {
    double angle = 2 * PI * i / sides;
    points[2 * i] = v3(cos(angle), sin(angle), half);
    points[2 * i + 1] = v3(cos(angle), sin(angle), -half);
  }
  rgShapeDef hull = rg_shape_def(RG_SHAPE_HULL);
  hull.points = points, hull.point_count = 2 * sides;
  rgBodyDef body = rg_body_def();
  body.pose.position.z = half;
  REQUIRE(rg_world_add_body(prism.world, &body, &hull, 1, &prism.body) == RG_OK);
  prism.mass = rg_body_mass(prism.world, prism.body).mass;
  return prism;
}

// Of a face on a mesh 64 corners are known (docs/accuracy.md).
static int known(int sides, Floor floor) { return floor == TRIANGLE && sides > 64 ? 63 : sides; }

// Every corner carries the same part of the weight.
TEST(a_regular_prism_presses_alike_with_every_corner) {
  static const int sides[] = {5, 16, 17, 64, 200};
  for (int i = 0; i < 5; i++)
    for (Floor floor = PLANE; floor < FLOORS; floor++) {
      int n = known(sides[i], floor);
      Prism prism = stand(n, 0.7, floor, v3(0, 0, -GRAVITY), 0.01);
      for (int k = 0; k < 3; k++)
        REQUIRE(rg_world_step(prism.world, NULL) == RG_OK);
      REQUIRE_INT(rg_world_contact_count(prism.world), n);
      double share = prism.mass * GRAVITY * 0.01 / n;
      for (int k = 0; k < n; k++) {
        rgContact contact;
        REQUIRE(rg_world_contact(prism.world, k, &contact) == RG_OK);
        CHECK_REL(fabs(contact.impulse.z), share, 1e-9);
        CHECK_NEAR(hypot(contact.point.x, contact.point.y), 1, 1e-9);
      }
      rg_world_destroy(prism.world);
    }
}

// How far the outline is from the middle along the angle `phi`.
static double outline(int sides, double phi) {
  double step = 2 * PI / sides, beside = fmod(phi, step) - 0.5 * step;
  return cos(0.5 * step) / cos(beside);
}

static rgVec3 slope(double angle, double phi) {
  return v3(GRAVITY * sin(angle) * cos(phi), GRAVITY * sin(angle) * sin(phi),
            -GRAVITY * cos(angle));
}

static double speed_after_a_step(int sides, double half, Floor floor, rgVec3 gravity, double h,
                                 rgMat3* inertia, double* mass) {
  Prism prism = stand(sides, half, floor, gravity, h);
  REQUIRE(rg_world_step(prism.world, NULL) == RG_OK);
  rgMassProperties m = rg_body_mass(prism.world, prism.body);
  *inertia = m.inertia;
  *mass = m.mass;
  double speed = v3_norm(rg_body_velocity(prism.world, prism.body).angular);
  rg_world_destroy(prism.world);
  return speed;
}

// On a slope it stands as long as the vertical through its centre meets the face, to 1e-5 of the radius, in
// any direction; 16 corners of 64 would let it fall up to 1.8 % earlier.
TEST(a_prism_stands_while_its_centre_is_over_its_face) {
  static const int sides[] = {5, 17, 64, 200};
  const double half = 2, h = 1e-3;
  for (int i = 0; i < (test_fast() ? 12 : 48); i++) {
    Floor floor = (Floor)(i / 4 % FLOORS);
    int n = known(sides[i % 4], floor);
    double phi = random_between(0, 2 * PI), most = outline(n, phi) / half, mass;
    rgMat3 inertia;
    double stays =
        speed_after_a_step(n, half, floor, slope(atan(most * (1 - 1e-5)), phi), h, &inertia, &mass);
    double falls =
        speed_after_a_step(n, half, floor, slope(atan(most * (1 + 1e-5)), phi), h, &inertia, &mass);
    CHECK_NEAR(stays, 0, 1e-12); // the tolerance of the solver
    CHECK(falls > 1e-3 * h * 1e-5 * GRAVITY);
  }
}

// Beyond that it turns about its side: Euler's law about the edge, h being so short that the turn within
// the step is some 1e-6.
TEST(a_prism_tips_about_its_side) {
  static const int sides[] = {5, 17, 64, 200};
  const double half = 2, h = 1e-4;
  for (int i = 0; i < 4 * FLOORS; i++) {
    int n = known(sides[i % 4], (Floor)(i / 4));
    double side = cos(PI / n), phi = PI / n + 2 * PI * (int)random_between(0, n) / n, mass;
    double angle = atan(1.2 * side / half);
    rgMat3 inertia;
    double speed =
        speed_after_a_step(n, half, (Floor)(i / 4), slope(angle, phi), h, &inertia, &mass);
    double about = inertia.m[0][0] / mass + side * side + half * half;
    double right = h * GRAVITY * (half * sin(angle) - side * cos(angle)) / about;
    CHECK_REL(speed, right, 1e-6);
  }
}
