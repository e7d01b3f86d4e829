// fuzz_shapes.c - any bytes as a heap: shapes of every kind with all their numbers, on a grid of
// eighths and in right turns, so that faces are flush, edges meet and walls are tangent, or anywhere;
// on a ground of plates side by side, or in walls; stepped with any stepper, solver, cone and law of
// impacts. Whatever it is:
//
//   - a step that is made leaves poses that are poses, and hands out problems whose certificate,
//     computed anew, is the one that was reported;
//   - a second world with another number of threads, which takes over at a snapshot in the middle,
//     ends in the same bits.
#include "calls.h"
#include "checks.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { BODIES = 8, STEPS_MAX = 12, CELL = 8 }; // CELL to a metre

// --- options ----------------------------------------------------------------------------------------

static rgWorld* next_world(Input* in) {
  uint8_t choice = next_byte(in);
  rgWorldDef def = choice & 1 ? rg_world_def_2d() : rg_world_def();
  rgOptions* options = &def.options;
  options->theta = choice & 2 ? 0.5 : 1;
  options->step = choice & 4 ? 0.02 : 1.0 / 240;
  options->iteration_limit = ITERATIONS;
  options->implicit_forces = choice & 8;
  strcpy(options->impacts, choice & 16 ? "sequential" : "simultaneous");
  options->facets = 3 + (choice >> 5);
  next_name(in, rg_stepper_name, options->stepper);
  next_name(in, rg_stabilizer_name, options->stabilizer);
  next_name(in, rg_cone_option_name, options->cone);
  next_name(in, rg_solver_name, options->solver);
  rgWorld* world;
  return rg_world_create(&def, &world, NULL) == RG_OK ? world : NULL; // what does not go together
}

static void next_material(Input* in, rgWorld* world) {
  rgMaterial material = rg_material_default();
  material.mu = next_byte(in) / 128.0;
  material.restitution = next_byte(in) / 255.0;
  rg_world_set_material(world, 0, &material);
}

// Any two neighbours overlap; the last two are flat, and the first of these is not bounded by itself.
enum { MEMBERS_COUNT = 6 };
static const rgShapeDef MEMBERS[MEMBERS_COUNT] = {
    {.kind = RG_SHAPE_SPHERE, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .radius = 0.25},
    {.kind = RG_SHAPE_CYLINDER,
     .pose = {{0, 0, 0}, {1, 0, 0, 0}},
     .radius = 0.2,
     .half_length = 0.2},
    {.kind = RG_SHAPE_CONE, .pose = {{0, 0, 0}, {0, 1, 0, 0}}, .radius = 0.25, .half_length = 0.25},
    {.kind = RG_SHAPE_ELLIPSOID, .pose = {{0, 0.125, 0}, {1, 0, 0, 0}}, .half = {0.25, 0.125, 0.2}},
    {.kind = RG_SHAPE_HALFSPACE, .pose = {{0, 0, 0.125}, {1, 0, 0, 0}}},
    {.kind = RG_SHAPE_BOX, .pose = {{0, 0, 0}, {1, 0, 0, 0}}, .half = {0.25, 0.25, 0.25}}};

// --- shapes -----------------------------------------------------------------------------------------

// A length on the grid, not zero.
static double next_length(Input* in) { return (1 + next_byte(in) % (CELL / 2)) / (double)CELL; }

static rgVec3 next_place(Input* in, const rgWorld* world, int cells) {
  double place[3];
  for (int k = 0; k < 3; k++)
    place[k] = (next_byte(in) % (2 * cells + 1) - cells) / (double)CELL;
  return fit(world, (rgVec3){place[0], place[1], place[2]});
}

// Right turns about the axes, or any.
static rgQuat next_right_turn(Input* in, const rgWorld* world) {
  static const double HALF = 0.70710678118654752440;
  uint8_t choice = next_byte(in);
  if (choice >= 192)
    return next_pose(in, world).orientation;
  if (choice % 4 == 0)
    return (rgQuat){1, 0, 0, 0};
  bool plane = rg_world_dimension(world) == 2;
  rgQuat turn = {HALF, 0, 0, 0};
  *(plane || choice % 4 == 3 ? &turn.z : choice % 4 == 2 ? &turn.y : &turn.x) = HALF;
  return turn;
}

// Numbers that the kind has; some of them are out of range, and the shape is refused.
static void next_parameters(Input* in, rgShapeDef* shape) {
  double part = next_byte(in) / 255.0;
  switch (shape->kind) {
  case RG_SHAPE_SUPERELLIPSOID:
    shape->parameters[0] = 2 + 18 * part;
    shape->parameters[1] = 2 + next_byte(in) % 7;
    break;
  case RG_SHAPE_CONE:
    shape->parameters[0] = part < 0.3 ? 0 : part * shape->half.x;
    break;
  case RG_SHAPE_LENS:
    shape->parameters[0] = part < 0.2 ? 0 : part * shape->half.x;
    shape->parameters[1] = shape->half.y;
    break;
  case RG_SHAPE_INTERSECTION:
    shape->members = MEMBERS + (int)(part * (MEMBERS_COUNT - 1));
    shape->member_count = 1 + (next_byte(in) & 1);
    break;
  case RG_SHAPE_BOWL:
    shape->parameters[0] = shape->radius * (2.5 * part - 1.1);
    break;
  case RG_SHAPE_TORUS:
  case RG_SHAPE_RING:
    shape->parameters[0] = shape->radius * (0.5 + 4 * part);
    break;
  case RG_SHAPE_TUBE:
    shape->half_length *= part < 0.3 ? 0 : 1;
    break;
  default:
    shape->rounding = part < 0.5 ? 0 : (part - 0.5) * shape->half.x;
  }
}

// Of the kinds that a world of this dimension takes.
static rgShapeKind next_kind(Input* in, const rgWorld* world) {
  int kind = next_byte(in) % RG_SHAPE_KIND_COUNT;
  while (!rg_shape_kind_fits((rgShapeKind)kind, rg_world_dimension(world)))
    kind = (kind + 1) % RG_SHAPE_KIND_COUNT;
  return (rgShapeKind)kind;
}

static rgShapeDef next_exact_shape(Input* in, const rgWorld* world, double size) {
  rgShapeDef shape = rg_shape_def(next_kind(in, world));
  bool flat = rg_world_dimension(world) == 2 || shape.kind == RG_SHAPE_MESH;
  shape.radius = size * next_length(in);
  shape.half_length = size * next_length(in);
  shape.half = (rgVec3){size * next_length(in), size * next_length(in), size * next_length(in)};
  shape.points = flat ? FLAT : CORNERS;
  shape.point_count = shape.kind == RG_SHAPE_SEGMENT ? 2 : flat ? 4 : 6;
  shape.triangles = TRIANGLES;
  shape.triangle_count = 2;
  shape.heights = HEIGHTS;
  shape.rows = 2;
  shape.columns = 3;
  shape.spacing_x = shape.spacing_y = size * next_length(in);
  next_parameters(in, &shape);
  shape.pose.position = next_place(in, world, 4);
  shape.pose.orientation = next_right_turn(in, world);
  return shape;
}

// --- bodies -----------------------------------------------------------------------------------------

// Plates whose upper faces are flush, of one body or of several, in a row along x.
static void add_plates(Input* in, rgWorld* world) {
  rgShapeDef plates[4];
  uint8_t choice = next_byte(in);
  bool plane = rg_world_dimension(world) == 2;
  static const rgVec3 sides[] = {
      {-0.5, -0.25, 0}, {0.5, -0.25, 0}, {0.5, 0.25, 0}, {-0.5, 0.25, 0}};
  int count = 1 + choice % 4;
  for (int i = 0; i < count; i++) {
    plates[i] = rg_shape_def(plane ? RG_SHAPE_POLYGON : RG_SHAPE_BOX);
    plates[i].half = (rgVec3){0.5, 1, 0.25};
    plates[i].points = sides;
    plates[i].point_count = 4;
    double down = plane ? 0 : -0.25;
    plates[i].pose.position = (rgVec3){i - 0.5 * count, plane ? -0.25 : 0, down};
    plates[i].rounding = choice & 8 ? 0.125 : 0;
  }
  rgBodyDef def = rg_body_def();
  def.kind = choice & 16 ? RG_BODY_KINEMATIC : RG_BODY_STATIC;
  rgBodyId id;
  if (choice & 32)
    rg_world_add_body(world, &def, plates, count, &id);
  for (int i = 0; i < count && !(choice & 32); i++)
    rg_world_add_body(world, &def, &plates[i], 1, &id);
}

// A shape around what comes after it, or under it.
static void add_wall(Input* in, rgWorld* world) {
  rgBodyDef def = rg_body_def();
  def.kind = RG_BODY_STATIC;
  rgShapeDef shape = next_exact_shape(in, world, 4);
  rgBodyId id;
  rg_world_add_body(world, &def, &shape, 1, &id);
}

static void add_free_body(Input* in, rgWorld* world) {
  uint8_t choice = next_byte(in);
  rgBodyDef def = rg_body_def();
  def.pose.position = next_place(in, world, 8);
  def.pose.orientation = next_right_turn(in, world);
  def.velocity.linear = fit(world, next_vector(in, choice & 1 ? 20 : 2));
  bool plane = rg_world_dimension(world) == 2;
  def.velocity.angular = plane ? (rgVec3){0, 0, 9 * next_part(in)} : next_vector(in, 9);
  rgShapeDef shapes[2] = {next_exact_shape(in, world, 1), next_exact_shape(in, world, 1)};
  rgBodyId id;
  rg_world_add_body(world, &def, shapes, 1 + (choice >> 1 & 1), &id);
}

static rgWorld* build(Input* in, int threads) {
  rgWorld* world = next_world(in);
  if (!world)
    return NULL;
  rgOptions options = *rg_world_options(world);
  options.threads = threads;
  require(rg_world_set_options(world, &options) == RG_OK);
  next_material(in, world);
  uint8_t choice = next_byte(in);
  if (choice & 1)
    add_plates(in, world);
  if (choice & 2)
    add_wall(in, world);
  for (int i = 0; i < 1 + (choice >> 2) % BODIES && !is_empty(in); i++)
    add_free_body(in, world);
  for (int i = 0; i < choice >> 6; i++)
    call_add_joint(in, world);
  return world;
}

// --- the run ----------------------------------------------------------------------------------------

// Makes steps until one fails, and returns how many were made.
static int run(rgWorld* world, int steps) {
  for (int i = 0; i < steps; i++) {
    if (rg_world_step(world, NULL) != RG_OK) {
      require(rg_world_message(world)[0]);
      return i;
    }
    check_poses(world);
    check_islands(world);
  }
  return steps;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2)
    return 0;
  int steps = 1 + data[0] % STEPS_MAX, middle = data[1] % (steps + 1);
  Input in = {data, size, 2};
  rgWorld* world = build(&in, 1);
  if (!world)
    return 0;
  in.at = 2;
  rgWorld* other = build(&in, 3);
  require(other && rg_world_hash(other) == rg_world_hash(world));
  int made = run(world, middle);
  Saved saved = save_world(world);
  require(rg_world_load(other, saved.data, saved.size) == RG_OK);
  made = made < middle ? 0 : run(world, steps - middle);
  require(made == 0 || run(other, steps - middle) == made);
  require(rg_world_hash(other) == rg_world_hash(world));
  free(saved.data);
  rg_world_destroy(world);
  rg_world_destroy(other);
  return 0;
}
