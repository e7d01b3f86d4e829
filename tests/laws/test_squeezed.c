// A body between walls that are closer than it is wide: no displacement takes it out of both. The
// projection must leave it about where it is, and say that it has missed.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

// Static blocks that leave a slot of the given width along x, which opens by an angle [rad] along y, and
// bodies in it.
static rgWorld* build_slot(const char* preset, int dimension, double width, double angle,
                           int bodies, rgBodyId* ids) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(preset, &def.options));
  def.dimension = dimension;
  if (dimension == 2)
    def.options.gravity = v3(0, -9.81, 0);
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, random_between(0, 0.8), 0);
  rgVec3 wall[4] = {{-0.5, -2, 0}, {0.5, -2, 0}, {0.5, 2, 0}, {-0.5, 2, 0}};
  rgShapeDef flat = rg_shape_def(RG_SHAPE_POLYGON), block = shape_box(v3(0.5, 2, 2));
  flat.points = wall;
  flat.point_count = 4;
  for (int side = -1; side <= 1; side += 2) {
    rgBodyDef body = body_at(RG_BODY_STATIC, v3(side * (0.5 + 0.5 * width), 0, 0));
    body.pose.orientation = turn_about(v3(0, 0, 1), side * 0.5 * angle);
    build_body(world, &body, dimension == 2 ? flat : block);
  }
  rgVec3 corners[4] = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}};
  flat.points = corners;
  for (int i = 0; i < bodies; i++) {
    double tilt = random_between(-0.3, 0.3), x = random_between(-0.01, 0.01);
    rgVec3 up = dimension == 2 ? v3(x, 0.21 * i, 0) : v3(x, 0, 0.21 * i);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, up);
    body.pose.orientation = turn_about(dimension == 2 ? v3(0, 0, 1) : v3(0.2, 1, 0.1), tilt);
    ids[i] = build_body(world, &body, dimension == 2 ? flat : shape_box(v3(0.1, 0.1, 0.1)));
  }
  return world;
}

// A step moves a body by its velocity, by no more than it has fallen, and by the projection, which has
// no reason to move it farther than the bodies in the slot are wide: not to where the faces of the walls,
// which are turned by a small angle, would be wide enough apart if they went on beyond their ends.
static void squeeze(double largest_angle) {
  static const char* const presets[] = {"default", "realtime", "reference"};
  enum { BODIES = 3, STEPS = 60 };
  for (int i = 0; i < 36; i += test_fast() ? 5 : 1) {
    random_state = (uint64_t)i;
    double width = random_between(0.1, 0.199);
    int dimension = 2 + i % 2, bodies = 1 + i / 2 % BODIES;
    const char* preset = presets[i / 6 % 3];
    double angle = largest_angle * random_between(0.1, 1);
    CONTEXT("%s, %dD, slot of %g m, %g rad, %d bodies, run %d", preset, dimension, width, angle,
            bodies, i);
    rgBodyId ids[BODIES];
    rgWorld* world = build_slot(preset, dimension, width, angle, bodies, ids);
    double farthest = 0;
    bool missed = false;
    for (int k = 0; k < STEPS; k++) {
      rgVec3 before[BODIES];
      for (int b = 0; b < bodies; b++)
        before[b] = rg_body_pose(world, ids[b]).position;
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      missed = missed || !certificate.met;
      double fall = 9.81 * (k + 1) * rg_world_options(world)->step * rg_world_options(world)->step;
      for (int b = 0; b < bodies; b++)
        farthest = fmax(farthest, distance(rg_body_pose(world, ids[b]).position, before[b]) - fall);
    }
    CHECK_MSG(farthest <= 0.2 * bodies, "moved %g m in a step", farthest);
    CHECK(missed);
    rg_world_destroy(world);
  }
}

TEST(squeezed_bodies_stay_about_where_they_are) { squeeze(0); }

TEST(bodies_squeezed_between_walls_at_an_angle_do_too) {
  squeeze(0.001);
  squeeze(0.01);
}
