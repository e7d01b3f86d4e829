// arbitrary.c - what arbitrary.h promises.
#include "arbitrary.h"

#include "support/random.h"
#include "test.h"
#include <rigor/joint.h>
#include <rigor/solver.h>

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static bool chance(double p) { return random_unit() < p; }

static int random_below(int count) { return (int)(count * random_unit()); }

// Between two positive numbers, evenly in the logarithm, as far as products of two do that.
static double random_size(double low, double high) {
  double t = random_unit() * random_unit();
  return low + (high - low) * t;
}

// -------------------------------------------------------------------------------------------------
// Options
// -------------------------------------------------------------------------------------------------

// Members of a family that are there for comparisons, with limits of their own: not for every scene.
static bool is_for_comparison(const char* name) {
  return strcmp(name, "mixed") == 0 || strcmp(name, "signorini") == 0 ||
         strcmp(name, "halving") == 0;
}

static const char* random_name(const char* (*name)(int)) {
  int count = 0;
  for (int i = 0; name(i); i++)
    count += !is_for_comparison(name(i));
  int chosen = random_below(count), index = 0;
  for (;; index++)
    if (!is_for_comparison(name(index)) && chosen-- == 0)
      return name(index);
}

static void set_name(char* out, size_t size, const char* name) { snprintf(out, size, "%s", name); }

static rgOptions random_options(int dimension) {
  rgOptions options;
  REQUIRE(rg_options_preset(random_name(rg_preset_name), &options));
  if (chance(0.4))
    set_name(options.stepper, sizeof options.stepper, random_name(rg_stepper_name));
  if (chance(0.5))
    options.theta = chance(0.5) ? 0.5 : random_between(0.5, 1);
  if (chance(0.4))
    set_name(options.solver, sizeof options.solver, random_name(rg_solver_name));
  if (chance(0.2))
    set_name(options.cone, sizeof options.cone, random_name(rg_cone_option_name));
  options.iteration_limit = chance(0.3)                     ? 1 + random_below(30)
                            : options.iteration_limit > 500 ? 500 // of slow solvers, at 1e-10
                                                            : options.iteration_limit;
  options.gravity = dimension == 2 ? v3(0, -9.81, 0) : v3(0, 0, -9.81);
  if (chance(0.15))
    options.gravity = v3_zero();
  return options;
}

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

enum { POINTS = 9 };

static rgShapeDef flat_shape(double size, double slender, rgVec3* points) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_CIRCLE);
  switch (random_below(3)) {
  case 0:
    shape.radius = size;
    return shape;
  case 1:
    shape.kind = RG_SHAPE_CAPSULE;
    shape.radius = 0.5 * size * slender;
    shape.half_length = 0.5 * size;
    return shape;
  default:
    shape.kind = RG_SHAPE_POLYGON;
    shape.points = points;
    shape.point_count = 3 + random_below(POINTS - 2);
    for (int i = 0; i < shape.point_count; i++) {
      rgVec3 corner =
          quat_rotate(turn_about(v3(0, 0, 1), 2 * PI * i / shape.point_count), v3(size, 0, 0));
      points[i] = v3(corner.x, slender * corner.y, 0);
    }
    return shape;
  }
}

static rgShapeDef solid_shape(double size, double slender, rgVec3* points) {
  rgShapeDef shape = shape_sphere(size);
  rgVec3 half = chance(0.5) ? v3(0.6 * size, 0.6 * size * slender, 0.5 * size * slender)
                            : v3(0.6 * size, 0.55 * size, 0.5 * size * slender);
  switch (random_below(7)) {
  case 0:
    return shape;
  case 1:
    return shape_box(half);
  case 2:
    return shape_capsule(0.5 * size * slender, 0.5 * size);
  case 3:
    return chance(0.5) ? shape_cylinder(0.7 * size * slender, 0.7 * size)
                       : shape_cylinder(0.7 * size, 0.7 * size * slender);
  case 4:
    return shape_ellipsoid(half);
  case 5:
    shape = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
    shape.half = half;
    shape.parameters[0] = random_between(2, 6);
    shape.parameters[1] = random_between(2, 6);
    return shape;
  default:
    shape = rg_shape_def(RG_SHAPE_HULL);
    shape.points = points;
    shape.point_count = POINTS;
    for (int i = 0; i < POINTS; i++)
      points[i] = v3_mul(random_direction(), v3_scale(half, 1.6));
    return shape;
  }
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

typedef struct Maker {
  rgWorld* world;
  int dimension, materials;
  double slender; // [-] least ratio of two extents of a shape
  double speed, spin;
} Maker;

static void add_ground(const Maker* maker, double half) {
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  bool walls = chance(0.5);
  if (maker->dimension == 2) {
    const rgVec3 corners[3][2] = {{v3(-20, 0, 0), v3(20, 0, 0)},
                                  {v3(-half, 0, 0), v3(-half, 40, 0)},
                                  {v3(half, 0, 0), v3(half, 40, 0)}};
    for (int i = 0; i < (walls ? 3 : 1); i++) {
      rgShapeDef segment = rg_shape_def(RG_SHAPE_SEGMENT);
      segment.points = corners[i];
      segment.point_count = 2;
      build_body(maker->world, &def, segment);
    }
    return;
  }
  if (chance(0.5))
    build_floor(maker->world);
  else
    build_block(maker->world, v3(20, 20, 1), v3(0, 0, -1));
  for (int side = -1; side <= 1 && walls; side += 2) {
    build_block(maker->world, v3(0.5, half + 1, 20), v3(side * (half + 0.5), 0, 20));
    build_block(maker->world, v3(half, 0.5, 20), v3(0, side * (half + 0.5), 20));
  }
}

static rgBodyId add_body(const Maker* maker, rgVec3 place, double size) {
  rgVec3 points[POINTS];
  bool flat = maker->dimension == 2;
  double slender = chance(0.5) ? 1 : random_between(maker->slender, 1);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  rgVec3 velocity = v3_scale(random_vector(), maker->speed);
  rgVec3 spin = v3_scale(random_vector(), maker->spin);
  rgQuat turn = random_rotation();
  def.velocity = twist(velocity, spin);
  def.pose.orientation = turn;
  if (flat) {
    def.velocity = twist(v3(velocity.x, velocity.y, 0), v3(0, 0, spin.z));
    def.pose.orientation = turn_about(v3(0, 0, 1), 3 * turn.w);
  }
  rgShapeDef shape = flat ? flat_shape(size, slender, points) : solid_shape(size, slender, points);
  shape.density = random_size(100, 10000);
  shape.material = random_below(maker->materials);
  return build_body(maker->world, &def, shape);
}

// Joins two bodies halfway between them; a kind that the world does not take is left out.
static bool join(const Maker* maker, rgBodyId a, rgBodyId b, double size) {
  rgJointDef joint = rg_joint_def((rgJointKind)random_below(RG_JOINT_KIND_COUNT));
  rgVec3 at = rg_body_pose(maker->world, a).position, to = rg_body_pose(maker->world, b).position;
  joint.body_a = a;
  joint.body_b = b;
  joint.point = v3_scale(v3_add(at, to), 0.5);
  joint.point_b = to;
  joint.axis =
      maker->dimension == 2 && joint.kind != RG_JOINT_SLIDER ? v3(0, 0, 1) : random_direction();
  if (joint.kind == RG_JOINT_DISTANCE)
    joint.point = at;
  if (joint.kind == RG_JOINT_SCREW)
    REQUIRE(rg_joint_def_set(&joint, "lead", size * random_between(-1, 1)) == RG_OK);
  for (int i = 0; i < rg_joint_axis_count(joint.kind) && joint.kind != RG_JOINT_DISTANCE; i++) {
    if (chance(0.2))
      joint.axes[i].friction = random_between(0, 5) * size;
    if (chance(0.2)) {
      joint.axes[i].lower = -random_between(0.1, 1);
      joint.axes[i].upper = random_between(0.1, 1);
    }
    bool angle = rg_joint_axis_is_angle(joint.kind, i),
         swing = joint.kind == RG_JOINT_BALL && i == 3;
    if (chance(0.3) && !swing) // from nothing to many times the bodies' own
      joint.axes[i].armature =
          random_size(0.01, 100) * (angle ? size * size : 1) * rg_body_mass(maker->world, b).mass;
  }
  rgJointId id;
  return rg_world_add_joint(maker->world, &joint, &id) == RG_OK;
}

static void add_bodies(const Maker* maker, double size, int wide, Arbitrary* out) {
  bool jointed = chance(0.4);
  double apart = 2.5 * size;
  rgBodyId last = {0, 0};
  for (int i = 0; i < out->bodies; i++) {
    double x = apart * (i % wide - 0.5 * (wide - 1)), z = apart * (1 + i / wide);
    rgVec3 place = maker->dimension == 2 ? v3(x, z, 0) : v3(x, apart * (i / wide % wide - 0.5), z);
    rgBodyId id = add_body(maker, place, size * random_between(0.3, 1));
    if (jointed && i > 0 && chance(0.7))
      out->joints += join(maker, last, id, size);
    last = id;
  }
}

Arbitrary arbitrary_scene(uint64_t seed) {
  static const double SLENDER[] = {1, 0.2, 0.02}, SPEEDS[] = {0.5, 3, 30}, SPINS[] = {1, 10, 100};
  Arbitrary out = {.world = NULL};
  random_state = seed;
  for (int i = 0; i < 4; i++) // neighbouring seeds have nothing in common
    random_state ^= rg_random_bits(&random_state) >> 29;
  rgWorldDef def = rg_world_def();
  def.dimension = chance(0.4) ? 2 : 3;
  def.options = random_options(def.dimension);
  bool smooth = strcmp(def.options.stepper, "gauss") == 0 || chance(0.25), friction = !smooth;
  if (rg_options_combine(&def.options, friction, NULL) != RG_OK)
    return out;
  Maker maker = {.dimension = def.dimension, .materials = 2};
  maker.world = build_world_of(&def);
  maker.slender = SLENDER[random_below(3)];
  maker.speed = SPEEDS[random_below(3)];
  maker.spin = SPINS[random_below(3)];
  double e = chance(0.4) ? 0 : random_between(0, 1);
  build_set_default_material(maker.world, smooth ? 0 : random_between(0, 1), e);
  double other_e =
      chance(0.5) ? e : 0; // one after the other, as arguments have no order of evaluation
  build_material(maker.world, smooth ? 0 : random_between(0, 1), other_e);
  double size = random_size(0.02, 1);
  int wide = 1 + random_below(4);
  out.world = maker.world;
  out.bodies = 1 + random_below(chance(0.2) ? 40 : 12);
  add_ground(&maker, 1.6 * wide * size);
  add_bodies(&maker, size, wide, &out);
  snprintf(out.name, sizeof out.name,
           "seed %d: %dD, %s, theta %.3g, h %.3g, %s, %s, limit %d, %d bodies, %d joints, e %.2g, "
           "slender %g, %g m/s, %g rad/s",
           (int)seed, def.dimension, def.options.stepper, def.options.theta, def.options.step,
           def.options.solver, def.options.cone, def.options.iteration_limit, out.bodies,
           out.joints, e, maker.slender, maker.speed, maker.spin);
  return out;
}
