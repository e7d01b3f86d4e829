// arbitrary.c - what arbitrary.h promises.
#include "arbitrary.h"

#include "support/random.h"
#include "test.h"
#include <rigor/joint.h>
#include <rigor/solver.h>

#include <stdio.h>
#include <string.h>

const rgAllocator* arbitrary_allocator = NULL;

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

// What the presets have in common.
static void vary_more(rgOptions* options) {
  static const char* const impacts[] = {"simultaneous", "sequential", "routh"};
  static const double steps[] = {1.0 / 30, 1.0 / 60, 1.0 / 240, 1e-3};
  if (chance(0.3))
    set_name(options->coordinates, sizeof options->coordinates, "full");
  if (strcmp(options->stepper, "theta") == 0 && chance(0.4))
    set_name(options->impacts, sizeof options->impacts, impacts[random_below(3)]);
  if (chance(0.2))
    set_name(options->stabilizer, sizeof options->stabilizer, random_name(rg_stabilizer_name));
  if (chance(0.2))
    options->step = steps[random_below(4)];
  if (options->iteration_limit > 100 && chance(0.9)) // steps that miss are as good, and cheaper
    options->iteration_limit = 100;
  if (options->baumgarte_rate * options->step > 1)
    options->baumgarte_rate = 1 / options->step;
}

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

enum { POINTS = 9, PARTS = 2 };

// Edges and corners of boxes and hulls as they are, or round.
static void round_edges(rgShapeDef* shape, double size) {
  double most = shape->kind == RG_SHAPE_HULL ? 0.3 * size
                : shape->kind == RG_SHAPE_BOX
                    ? fmin(shape->half.x, fmin(shape->half.y, shape->half.z))
                    : 0;
  if (most > 0 && chance(0.3))
    shape->rounding = most * random_between(0.05, 1);
}

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
  bool wide; // everything that there is, see arbitrary.h
  int dimension, materials;
  double slender; // [-] least ratio of two extents of a shape
  double speed, spin;
} Maker;

enum { CELLS = 16, SIDE = CELLS + 1 };

// A mesh or a field with bumps, as wide as what may fall onto it.
static void add_rough_ground(const Maker* maker, double half) {
  double heights[SIDE * SIDE], cell = 4 * half / CELLS, rough = random_between(0, 0.5) * cell;
  rgVec3 points[SIDE * SIDE];
  int triangles[6 * CELLS * CELLS];
  for (int i = 0; i < SIDE * SIDE; i++) {
    heights[i] = -rough * random_unit();
    points[i] = v3(cell * (i % SIDE - 0.5 * CELLS), cell * (i / SIDE - 0.5 * CELLS), heights[i]);
  }
  for (int i = 0; i < CELLS * CELLS; i++) {
    int p = i / CELLS * SIDE + i % CELLS,
        corners[6] = {p, p + 1, p + SIDE + 1, p, p + SIDE + 1, p + SIDE};
    memcpy(&triangles[6 * i], corners, sizeof corners);
  }
  rgShapeDef shape = rg_shape_def(chance(0.5) ? RG_SHAPE_MESH : RG_SHAPE_FIELD);
  shape.points = points;
  shape.point_count = SIDE * SIDE;
  shape.triangles = triangles;
  shape.triangle_count = 2 * CELLS * CELLS;
  shape.heights = heights;
  shape.rows = shape.columns = SIDE;
  shape.spacing_x = shape.spacing_y = cell;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(maker->world, &def, shape);
}

// A smooth wall around all bodies, `half` [m] from the middle of what is `high` [m].
static void add_wall(const Maker* maker, double half, double high) {
  static const rgShapeKind kinds[] = {RG_SHAPE_BOWL, RG_SHAPE_TUBE, RG_SHAPE_TORUS};
  rgShapeDef shape = rg_shape_def(maker->dimension == 2 ? RG_SHAPE_BOWL : kinds[random_below(3)]);
  shape.radius = (1 + random_unit()) * sqrt(half * half + high * high);
  rgBodyDef def = body_at(RG_BODY_STATIC, v3(0, 0, 0.5 * high));
  if (maker->dimension == 2)
    def.pose.position = v3(0, 0.5 * high, 0);
  if (shape.kind == RG_SHAPE_BOWL) // a whole sphere, or a half that is open above
    shape.parameters[0] = chance(0.5) ? shape.radius : 0;
  if (shape.kind == RG_SHAPE_TUBE)
    def.pose.orientation = turn_about(v3(0, 1, 0), 0.5 * PI);
  if (shape.kind == RG_SHAPE_TORUS) {
    shape.parameters[0] = shape.radius * random_between(1.2, 4);
    def.pose.position.x = -shape.parameters[0];
  }
  build_body(maker->world, &def, shape);
}

// A ring that lies on the ground, lower than what falls onto it.
static void add_ring(const Maker* maker, double half) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_RING);
  shape.radius = 0.2 * half * random_between(0.1, 1);
  shape.parameters[0] = half * random_between(0.3, 1);
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(maker->world, &def, shape);
}

// True when this is all the ground there is.
static bool add_rare_ground(const Maker* maker, double half, double high) {
  bool flat = maker->dimension == 2;
  if (chance(0.2)) {
    add_wall(maker, half, high);
    return true;
  }
  if (!flat && chance(0.1))
    add_ring(maker, half);
  if (flat || !chance(0.3))
    return false;
  add_rough_ground(maker, half);
  return true;
}

static void add_ground(const Maker* maker, double half, double high) {
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  if (maker->wide && add_rare_ground(maker, half, high))
    return;
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
  rgShapeDef shapes[PARTS];
  int parts = 1;
  shapes[0] = flat ? flat_shape(size, slender, points) : solid_shape(size, slender, points);
  shapes[0].density = random_size(100, 10000);
  shapes[0].material = random_below(maker->materials);
  if (maker->wide && chance(0.15)) { // a smaller one that sticks out of it
    shapes[parts] = flat ? rg_shape_def(RG_SHAPE_CIRCLE) : shape_sphere(0);
    shapes[parts].radius = 0.3 * size;
    rgVec3 at = v3_scale(random_vector(), 0.5 * size);
    shapes[parts++].pose.position = flat ? v3(at.x, at.y, 0) : at;
  }
  if (maker->wide && !flat)
    round_edges(&shapes[0], size);
  def.rotation_locked = maker->wide && chance(0.03);
  rgBodyId id;
  rgStatus status = rg_world_add_body(maker->world, &def, shapes, parts, &id);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(maker->world));
  return id;
}

// Friction that depends on the direction, and that holds against spin.
static void vary_friction(const Maker* maker, int material, double mu, double e, double size) {
  rgMaterial own = rg_material_default();
  own.mu = mu;
  own.restitution = e;
  if (chance(0.2)) {
    own.e_t = random_between(0.2, 1);
    own.direction = maker->dimension == 2 ? v3(1, 0, 0) : random_direction();
  }
  if (maker->dimension == 3 && chance(0.2))
    own.e_tau = random_between(0.01, 0.5) * size;
  REQUIRE(rg_world_set_material(maker->world, material, &own) == RG_OK);
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

static Arbitrary make_scene(uint64_t seed, bool wide) {
  static const double SLENDER[] = {1, 0.2, 0.02}, SPEEDS[] = {0.5, 3, 30}, SPINS[] = {1, 10, 100};
  Arbitrary out = {.world = NULL};
  random_state = seed;
  for (int i = 0; i < 4; i++) // neighbouring seeds have nothing in common
    random_state ^= rg_random_bits(&random_state) >> 29;
  rgWorldDef def = rg_world_def();
  if (arbitrary_allocator)
    def.allocator = *arbitrary_allocator;
  def.dimension = chance(0.4) ? 2 : 3;
  def.options = random_options(def.dimension);
  if (wide)
    vary_more(&def.options);
  bool smooth = strcmp(def.options.stepper, "gauss") == 0 || chance(0.25), friction = !smooth;
  if (rg_options_combine(&def.options, friction, NULL) != RG_OK)
    return out;
  Maker maker = {.wide = wide, .dimension = def.dimension, .materials = 2};
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
  int columns = 1 + random_below(4);
  out.world = maker.world;
  out.extent = 3 * size; // shapes are within 1.3 size of the origin of their body
  out.bodies = 1 + random_below(chance(0.2) ? 40 : 12);
  for (int i = 0; i < 2 && maker.wide && !smooth; i++)
    vary_friction(&maker, i, random_between(0, 1), i ? other_e : e, size);
  add_ground(&maker, 1.6 * columns * size, 2.5 * size * (2 + out.bodies / columns));
  add_bodies(&maker, size, columns, &out);
  snprintf(
      out.name, sizeof out.name,
      "seed %d: %dD, %s, theta %.3g, h %.3g, %s, %s, %s, %s, %s, limit %d, %d bodies, %d joints, "
      "e %.2g, slender %g, %g m/s, %g rad/s",
      (int)seed, def.dimension, def.options.stepper, def.options.theta, def.options.step,
      def.options.impacts, def.options.stabilizer, def.options.coordinates, def.options.solver,
      def.options.cone, def.options.iteration_limit, out.bodies, out.joints, e, maker.slender,
      maker.speed, maker.spin);
  return out;
}

Arbitrary arbitrary_scene(uint64_t seed) { return make_scene(seed, false); }

Arbitrary arbitrary_wide_scene(uint64_t seed) { return make_scene(seed, true); }
