// Boxes and hulls with rounded edges on every kind of ground: they rest, tip at the angle of their
// flat part and never gain energy.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"

static const double G = 9.81;

static rgShapeDef rounded_box(rgVec3 half, double rounding) {
  rgShapeDef def = shape_box(half);
  def.rounding = rounding;
  return def;
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static void add_ground(rgWorld* world, int kind) {
  static const rgVec3 points[] = {{-5, -5, 0}, {5, -5, 0}, {5, 5, 0}, {-5, 5, 0}};
  static const int triangles[] = {0, 1, 2, 0, 2, 3};
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  if (kind == 0) {
    build_floor(world);
  } else if (kind == 1) {
    build_block(world, v3(3, 3, 0.5), v3(0, 0, -0.5));
  } else if (kind == 2) {
    rgShapeDef mesh = rg_shape_def(RG_SHAPE_MESH);
    mesh.points = points;
    mesh.point_count = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    build_body(world, &ground, mesh);
  } else if (kind == 3) {
    ground.pose.position.z = -0.5;
    build_body(world, &ground, rounded_box(v3(3, 3, 0.5), 0.2));
  } else {
    ground.pose.position.z = 2;
    rgShapeDef bowl = rg_shape_def(RG_SHAPE_BOWL);
    bowl.radius = 2;
    build_body(world, &ground, bowl);
  }
}

static const char* const grounds[] = {"half-space", "box", "mesh", "rounded box", "bowl"};

// A box of half-width a and half-height c with the rounding r stands on the flat part a - r: on
// ground that is tilted by an angle it tips when the tangent exceeds (a - r) / c.
TEST(a_rounded_box_tips_at_the_angle_of_its_flat_part) {
  random_state = 61;
  for (int i = 0; i < 40; i++) {
    int kind = i % 4;
    double c = random_between(0.3, 0.6), a = random_between(0.1, 0.5) * c,
           r = 0.1 * (1 + i % 8) * a;
    double limit = (a - r) / c, slope = limit * (i / 4 % 2 ? 1.03 : 0.97);
    CONTEXT("on a %s: a %g, c %g, r %g, slope %g", grounds[kind], a, c, r, slope / limit);
    rgWorld* world = build_world("default");
    build_set_default_material(world, 2, 0);
    rgOptions options = *rg_world_options(world);
    double scale = G / sqrt(1 + slope * slope);
    options.gravity = v3(scale * slope, 0, -scale);
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    add_ground(world, kind);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, c));
    rgBodyId box = build_body(world, &def, rounded_box(v3(a, 0.3, c), r));
    for (int k = 0; k < 480; k++)
      run_met_step(world, k);
    rgVec3 up = quat_rotate(rg_body_pose(world, box).orientation, v3(0, 0, 1));
    if (slope < limit)
      CHECK_NEAR(up.x, 0, 1e-6);
    else
      CHECK(up.x > 0.3); // it leans farther and farther
    rg_world_destroy(world);
  }
}

// Dropped at random: energy never above the start, and on level ground at rest in the end.
TEST(rounded_bodies_gain_no_energy_and_come_to_rest) {
  random_state = 62;
  for (int i = 0; i < (test_fast() ? 10 : 40); i++) {
    int kind = i % 5;
    CONTEXT("on a %s, %d", grounds[kind], i);
    rgWorld* world = build_world("default");
    add_ground(world, kind);
    rgVec3 points[14];
    rgShapeDef shape = rg_shape_def(i % 2 ? RG_SHAPE_HULL : RG_SHAPE_BOX);
    for (int k = 0; k < 14; k++)
      points[k] = v3_scale(random_vector(), 0.3);
    shape.points = points;
    shape.point_count = 14;
    shape.half = random_within(0.2, 0.4);
    shape.rounding = random_between(0.01, 0.15);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
    def.pose.orientation = random_rotation();
    rgVec3 linear = random_vector(), angular = v3_scale(random_vector(), 3);
    def.velocity = twist(linear, angular);
    rgBodyId body = build_body(world, &def, shape);
    double start = energy_of(world);
    for (int k = 0; k < 240 * 6; k++) {
      run_met_step(world, k);
      REQUIRE_MSG(energy_of(world) <= start, "step %d: gains %g J", k, energy_of(world) - start);
    }
    rgTwist v = rg_body_velocity(world, body);
    if (kind < 4) // in a bowl a body may hang between two corners and swing
      CHECK_NEAR(v3_norm(v.linear) + v3_norm(v.angular), 0, 1e-5);
    rg_world_destroy(world);
  }
}

// A stack of rounded boxes stands.
TEST(a_stack_of_rounded_boxes_stands) {
  for (int k = 0; k < 4; k++) {
    double r = 0.05 + 0.1 * k;
    CONTEXT("rounding %g", r);
    rgWorld* world = build_world("default");
    build_floor(world);
    rgBodyId ids[6];
    for (int i = 0; i < 6; i++) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.01 * (i % 2), 0, 0.5 + i));
      ids[i] = build_body(world, &def, rounded_box(v3(0.5, 0.5, 0.5), r));
    }
    for (int i = 0; i < 480; i++)
      run_met_step(world, i);
    for (int i = 0; i < 6; i++) {
      rgVec3 x = rg_body_pose(world, ids[i]).position;
      CHECK_NEAR(v3_norm(v3_sub(x, v3(0.01 * (i % 2), 0, 0.5 + i))), 0, 1e-5);
    }
    rg_world_destroy(world);
  }
}
