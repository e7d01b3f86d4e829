// What contacts tell after a step is what acted in it: the sum of the impulses that rg_world_contact lists
// for a free body is what its momentum gained beyond its weight,
//
//     sum of impulses = m (v+ - v) - m g h - m correction,
//
// although the contacts are those of the placement after the step: shapes that roll and slide over triangles,
// seams and steps leave contacts and find others all the time, and each impulse goes to one of them. It goes to
// none only where a search finds no contact between its shapes on its side, which is rare. That is so for shapes that
// touch at single points; what lies on lines and faces keeps the moment of its impulses at the cost of their sum while
// it slides and turns (carry.c). The forces of load.h, which are those of the step itself, have no exception.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <rigor/load.h>

enum { BODIES = 6, CONTACTS = 512, SIDE = 15 };
static const double CELL = 0.35; // [m]
// Cosine of the angle up to which two normals are on one side.
static const double SAME_SIDE = 0.5;

typedef enum Ground { FLAT_MESH, MESH, FIELD, BLOCKS, STEPS, GROUNDS } Ground;
static const char* const GROUND_NAMES[] = {"flat mesh", "mesh", "field", "blocks", "steps"};

static double height_at(Ground ground, double x, double y) {
  return ground == FLAT_MESH ? 0 : 0.08 * rg_sin(2.3 * x) * rg_cos(1.7 * y);
}

static rgVec3 point_at(Ground ground, int i) {
  double x = CELL * (i % SIDE - SIDE / 2), y = CELL * (i / SIDE - SIDE / 2);
  return v3(x, y, height_at(ground, x, y));
}

static void build_mesh(rgWorld* world, Ground ground) {
  rgVec3 points[SIDE * SIDE];
  int triangles[2 * (SIDE - 1) * (SIDE - 1)][3], count = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    points[i] = point_at(ground, i);
  for (int row = 0; row < SIDE - 1; row++)
    for (int column = 0; column < SIDE - 1; column++) {
      int a = row * SIDE + column, b = a + 1, c = a + SIDE, d = c + 1;
      memcpy(triangles[count++], (int[]){a, b, d}, sizeof *triangles);
      memcpy(triangles[count++], (int[]){a, d, c}, sizeof *triangles);
    }
  rgShapeDef shape = rg_shape_def(RG_SHAPE_MESH);
  shape.points = points;
  shape.point_count = SIDE * SIDE;
  shape.triangles = triangles[0];
  shape.triangle_count = count;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &def, shape);
}

static void build_field(rgWorld* world) {
  double heights[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++)
    heights[i] = point_at(FIELD, i).z;
  rgShapeDef shape = rg_shape_def(RG_SHAPE_FIELD);
  shape.heights = heights;
  shape.rows = shape.columns = SIDE;
  shape.spacing_x = shape.spacing_y = CELL;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &def, shape);
}

// Static boxes side by side: flush, or each a little higher or lower than its neighbours.
static void build_blocks(rgWorld* world, double rise) {
  const double half = 1.5 * CELL;
  for (int i = 0; i < 25; i++) {
    double x = 2 * half * (i % 5 - 2), y = 2 * half * (i / 5 - 2);
    build_block(world, v3(half, half, 0.5), v3(x, y, -0.5 + rise * ((i * 7) % 3)));
  }
}

static void build_ground(rgWorld* world, Ground ground) {
  if (ground == FLAT_MESH || ground == MESH)
    build_mesh(world, ground);
  else if (ground == FIELD)
    build_field(world);
  else
    build_blocks(world, ground == STEPS ? 0.02 : 0);
}

static rgShapeDef octahedron(double size) {
  static rgVec3 corners[6];
  for (int i = 0; i < 6; i++)
    corners[i] = v3_scale(v3(i / 2 == 0, i / 2 == 1, 0.6 * (i / 2 == 2)), i % 2 ? size : -size);
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  shape.points = corners;
  shape.point_count = 6;
  return shape;
}

static rgShapeDef shape_number(int i, double size) {
  rgVec3 half = v3(size, 0.7 * size, 0.5 * size);
  switch (i) {
  case 0:
    return shape_sphere(size);
  case 1:
    return shape_cylinder(size, 0.4 * size);
  case 2:
    return shape_box(half);
  case 3:
    return octahedron(size);
  case 4:
    return shape_capsule(0.5 * size, 0.6 * size);
  default:
    return shape_ellipsoid(half);
  }
}

// One of each kind, a little above the ground, thrown along it with some spin.
static void build_bodies(rgWorld* world, rgBodyId* ids) {
  for (int i = 0; i < BODIES; i++) {
    double size = random_between(0.15, 0.3);
    rgVec3 place = v3(0.8 * (i % 3 - 1), 0.8 * (i / 3) - 0.4, 0.1 + 1.2 * size);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
    def.pose.orientation = turn_about(v3(1, 0, 0), i == 1 || i == 4 ? 1.5707963267948966 : 0);
    def.velocity = twist(v3_scale(random_flat_within(-1, 1), 2), v3_scale(random_vector(), 2));
    ids[i] = build_body(world, &def, shape_number(i, size));
  }
}

static bool same_shapes(const rgContact* contact, const rgContactLoad* load) {
  return contact->shape_a.index == load->shape_a.index &&
         contact->shape_b.index == load->shape_b.index;
}

// Whether a force has a contact that can tell it: on its side, of shapes that tell anything. A search between
// step and projection that finds no contact of the shapes ends what they tell.
static bool has_heir(const rgWorld* world, const rgContactLoad* load) {
  bool side = false, tells = false;
  for (int k = 0; k < rg_world_contact_count(world); k++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, k, &contact), RG_OK);
    bool same = same_shapes(&contact, load);
    side = side || (same && v3_dot(contact.normal, load->normal) >= SAME_SIDE);
    tells = tells || (same && v3_norm2(contact.impulse) > 0);
  }
  return side && tells;
}

// Whether all forces of the step on a body have.
static bool has_heirs(const rgWorld* world, rgBodyId id) {
  static rgContactLoad loads[CONTACTS];
  int count = rg_world_contact_loads(world, loads, CONTACTS);
  REQUIRE(count <= CONTACTS);
  for (int i = 0; i < count; i++) {
    bool acts = rg_body_equal(loads[i].body_a, id) || rg_body_equal(loads[i].body_b, id);
    if (acts && v3_norm2(loads[i].force) > 0 && !has_heir(world, &loads[i]))
      return false;
  }
  return true;
}

static rgVec3 told_on(const rgWorld* world, rgBodyId id) {
  rgVec3 sum = v3_zero();
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    if (rg_body_equal(contact.body_a, id))
      sum = v3_add(sum, contact.impulse);
    if (rg_body_equal(contact.body_b, id))
      sum = v3_sub(sum, contact.impulse);
  }
  return sum;
}

typedef struct Seen {
  int pushed, lost;
} Seen;

// Of the shapes above: ball and ellipsoid.
static bool touches_at_points(int number) { return number == 0 || number == 5; }

static void check_body(const rgWorld* world, rgBodyId id, const rgBodyLoad* load, rgVec3 before,
                       bool told, Seen* seen) {
  const rgOptions* options = rg_world_options(world);
  double mass = rg_body_mass(world, id).mass, h = options->step;
  rgVec3 change = v3_sub(rg_body_velocity(world, id).linear, before);
  change = v3_axpy(v3_sub(change, load->correction), -h, options->gravity);
  rgVec3 acted = v3_scale(change, mass);
  // Velocities of some 10 m/s, rounded.
  CHECK_NEAR(distance(v3_scale(load->contacts.force, h), acted), 0, 1e-13 * mass * 10);
  double pressed = h * rg_body_normal_force(world, id, (rgBodyId){0, 0});
  if (pressed == 0)
    return;
  seen->pushed++;
  if (!has_heirs(world, id)) {
    seen->lost++;
    return;
  }
  // Impulses are known to the tolerance of their solve.
  if (told)
    CHECK_NEAR(distance(told_on(world, id), acted), 0, options->tolerance * pressed + 1e-12 * mass);
}

static void check_step(rgWorld* world, const rgBodyId* ids, Seen* seen) {
  rgVec3 before[BODIES];
  for (int i = 0; i < BODIES; i++)
    before[i] = rg_body_velocity(world, ids[i]).linear;
  REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
  rgBodyLoad loads[64];
  int count = rg_world_body_loads(world, loads, 64);
  REQUIRE(count <= 64 && count >= BODIES);
  for (int i = 0; i < BODIES; i++) // which were added last
    check_body(world, ids[i], &loads[count - BODIES + i], before[i], touches_at_points(i), seen);
}

typedef struct Way {
  const char *stepper, *impacts;
  double theta, restitution;
} Way;

static void run(Ground ground, const Way* way, int steps, Seen* seen) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", way->stepper);
  snprintf(def.options.impacts, sizeof def.options.impacts, "%s", way->impacts);
  def.options.theta = way->theta;
  def.options.step = 1.0 / 120;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, random_between(0.1, 0.8), way->restitution);
  build_ground(world, ground);
  rgBodyId ids[BODIES];
  build_bodies(world, ids);
  for (int i = 0; i < steps; i++) {
    CONTEXT("%s, %s, %s, theta %g, step %d", GROUND_NAMES[ground], way->stepper, way->impacts,
            way->theta, i);
    check_step(world, ids, seen);
  }
  rg_world_destroy(world);
}

TEST(contacts_tell_the_impulses_that_acted) {
  random_state = 31;
  const Way ways[] = {{"theta", "simultaneous", 1, 0},
                      {"theta", "simultaneous", 0.5, 0},
                      {"theta", "simultaneous", 0.7, 0.5},
                      {"implicit-geometry", "simultaneous", 1, 0},
                      {"theta", "sequential", 1, 0.5}};
  int steps = test_fast() ? 60 : 120, runs = 0;
  Seen seen = {0, 0};
  for (int ground = 0; ground < GROUNDS; ground++)
    for (int way = 0; way < 5; way++, runs++)
      run((Ground)ground, &ways[way], steps, &seen);
  // The first quarter of a second is flight.
  CHECK_MSG(seen.pushed >= runs * BODIES * steps / 4, "only %d were pushed", seen.pushed);
  CHECK_MSG(seen.lost <= 0.01 * seen.pushed, "%d of %d were not told", seen.lost, seen.pushed);
}
