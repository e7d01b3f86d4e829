// Bodies of any shape, thrown at any speed at any surface, stay in front of it and gain no energy.
//
// A contact holds the material that is nearest at the start of the step. A slender body that is
// stopped there swings about it, and its far end used to go through plates, meshes and fields within
// the step; what flies through a bowl or over rough ground used to go through where no contact of the
// start was; shapes of one body that cover each other used to have contacts on their far side, and the
// projection moved them through the ground. Nothing was said. RIGOR_THROWS=20 makes that many throws of each
// kind instead of a few.
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static const char* const presets[] = {"realtime", "default", "reference"};

// -------------------------------------------------------------------------------------------------
// What is thrown
// -------------------------------------------------------------------------------------------------

typedef enum Form {
  ROD,
  PLATE,
  CYLINDER,
  DISC,
  CAPSULE,
  NEEDLE,
  LENS,
  BALL,
  TRIAXIAL,
  ROUNDED,
  HULL,
  CROSS, // of several shapes
  FORM_COUNT,
  SIMPLE_COUNT = BALL // those of the first families
} Form;
static const char* const form_names[] = {"rod",       "plate",   "cylinder", "disc",
                                         "capsule",   "needle",  "lens",     "ball",
                                         "ellipsoid", "rounded", "hull",     "cross"};
enum { PARTS = 3, POINTS = 12 };

typedef struct Body {
  rgShapeDef parts[PARTS];
  int count;
  rgVec3 points[PARTS][POINTS];
} Body;

static rgShapeDef form_shape(Form form, double length, double thin, rgVec3* points) {
  rgShapeDef shape = shape_box(v3(length, thin, thin));
  switch (form) {
  case PLATE:
    return shape_box(v3(length, length, thin));
  case CYLINDER:
    return shape_cylinder(thin, length);
  case DISC:
    return shape_cylinder(length, thin);
  case CAPSULE:
    return shape_capsule(thin, length);
  case NEEDLE:
    return shape_ellipsoid(v3(length, thin, thin));
  case LENS:
    return shape_ellipsoid(v3(length, length, thin));
  case BALL:
    return shape_sphere(thin);
  case TRIAXIAL:
    return shape_ellipsoid(v3(length, sqrt(length * thin), thin));
  case ROUNDED:
    shape.rounding = random_between(0.1, 1) * thin;
    return shape;
  case HULL:
    shape.kind = RG_SHAPE_HULL;
    shape.points = points;
    shape.point_count = POINTS;
    for (int i = 0; i < POINTS; i++)
      points[i] = v3_mul(random_direction(), v3(length, i % 2 ? length : thin, thin));
    return shape;
  default:
    return shape;
  }
}

// The same in the plane: a rod, a capsule, a disc or a slender polygon.
static rgShapeDef flat_shape(Form form, double length, double thin, rgVec3* points) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_POLYGON);
  int corners = form == HULL || form == NEEDLE ? 8 : 4;
  if (form == CAPSULE || form == BALL) {
    shape.kind = form == CAPSULE ? RG_SHAPE_CAPSULE : RG_SHAPE_CIRCLE;
    shape.radius = thin;
    shape.half_length = length;
    return shape;
  }
  shape.points = points;
  shape.point_count = corners;
  for (int i = 0; i < corners; i++) {
    rgVec3 d = quat_rotate(turn_about(v3(0, 0, 1), 2 * PI * (i + 0.5) / corners), v3(1, 0, 0));
    points[i] = v3(length * d.x, thin * d.y, 0);
  }
  return shape;
}

// A cross has parts of any other form that may cover each other.
static void make_body(Form form, int dimension, double length, double thin, Body* out) {
  out->count = form == CROSS ? PARTS : 1;
  for (int i = 0; i < out->count; i++) {
    Form part = form == CROSS ? (Form)(CROSS * random_unit()) : form;
    double size = i == 0 ? length : length * random_between(0.2, 1);
    double width = fmin(thin, size);
    out->parts[i] = dimension == 2 ? flat_shape(part, size, width, out->points[i])
                                   : form_shape(part, size, width, out->points[i]);
    if (i == 0)
      continue;
    rgVec3 place = v3_scale(random_vector(), 0.5 * length);
    rgQuat turn = random_rotation();
    out->parts[i].pose = (rgPose){place, turn};
    if (dimension == 2)
      out->parts[i].pose = (rgPose){v3(place.x, place.y, 0), turn_about(v3(0, 0, 1), PI * turn.w)};
  }
}

// -------------------------------------------------------------------------------------------------
// What is hit
// -------------------------------------------------------------------------------------------------

typedef enum Target {
  HALFSPACE,
  BOX,
  MESH,
  FIELD,
  BLOCK,
  ROUGH_MESH,
  ROUGH_FIELD,
  TUBE,
  BOWL,
  TORUS,
  TARGET_COUNT,
  FLAT_COUNT = BLOCK // of the first families
} Target;
static const char* const target_names[] = {"half-space", "box",         "mesh", "field", "block",
                                           "rough mesh", "rough field", "tube", "bowl",  "torus"};

enum { CELLS = 24, SIDE = CELLS + 1 };
// A surface that is wide enough for the fastest throw.
enum { WIDE = 20000 };

typedef struct Ground {
  Target target;
  int dimension;
  double thick;  // [m] half of the thickness of a box
  double cell;   // [m] of rough ground
  double radius; // [m] of walls
  double ring;   // [m] radius of the ring of a torus
  double heights[SIDE * SIDE];
  rgVec3 points[SIDE * SIDE];
  int triangles[6 * CELLS * CELLS];
} Ground;

static void choose_ground(Ground* out, Target target, int dimension, double length) {
  out->target = target;
  out->dimension = dimension;
  out->thick = target == BOX ? random_between(0.001, 0.02) : 1;
  out->cell = random_between(0.05, 1);
  out->radius = length * random_between(4, 40);
  out->ring = out->radius * random_between(1.5, 5);
  double rough = out->cell * random_between(0.02, 0.7);
  for (int i = 0; i < SIDE * SIDE; i++) {
    double x = out->cell * (i % SIDE - 0.5 * CELLS), y = out->cell * (i / SIDE - 0.5 * CELLS);
    out->heights[i] = rough * random_between(-1, 1);
    out->points[i] = v3(x, y, out->heights[i]);
  }
  for (int i = 0; i < CELLS * CELLS; i++) {
    int p = i / CELLS * SIDE + i % CELLS,
        corners[6] = {p, p + 1, p + SIDE + 1, p, p + SIDE + 1, p + SIDE};
    for (int k = 0; k < 6; k++)
      out->triangles[6 * i + k] = corners[k];
  }
}

static rgShapeDef ground_shape(const Ground* ground) {
  static const rgVec3 corners[4] = {
      {-WIDE, -WIDE, 0}, {WIDE, -WIDE, 0}, {WIDE, WIDE, 0}, {-WIDE, WIDE, 0}};
  static const int triangles[6] = {0, 1, 2, 0, 2, 3};
  static const double heights[16] = {0};
  rgShapeDef shape = shape_halfspace();
  switch (ground->target) {
  case BOX:
  case BLOCK:
    shape = shape_box(v3(WIDE, WIDE, ground->thick));
    shape.pose.position.z = -ground->thick;
    return shape;
  case MESH:
  case ROUGH_MESH:
    shape = rg_shape_def(RG_SHAPE_MESH);
    shape.points = ground->target == MESH ? corners : ground->points;
    shape.point_count = ground->target == MESH ? 4 : SIDE * SIDE;
    shape.triangles = ground->target == MESH ? triangles : ground->triangles;
    shape.triangle_count = ground->target == MESH ? 2 : 2 * CELLS * CELLS;
    return shape;
  case FIELD:
  case ROUGH_FIELD:
    shape = rg_shape_def(RG_SHAPE_FIELD);
    shape.heights = ground->target == FIELD ? heights : ground->heights;
    shape.rows = shape.columns = ground->target == FIELD ? 4 : SIDE;
    shape.spacing_x = shape.spacing_y = ground->target == FIELD ? 2.0 * WIDE / 3 : ground->cell;
    return shape;
  case TUBE:
  case BOWL:
  case TORUS:
    shape = rg_shape_def(ground->target == TUBE   ? RG_SHAPE_TUBE
                         : ground->target == BOWL ? RG_SHAPE_BOWL
                                                  : RG_SHAPE_TORUS);
    shape.radius = ground->radius;
    shape.parameters[0] = ground->target == TORUS ? ground->ring : ground->radius;
    if (ground->target == TUBE)
      shape.pose.orientation = turn_about(v3(0, 1, 0), 0.5 * PI);
    return shape;
  default:
    return shape;
  }
}

// In the plane: a segment, a thin or a thick polygon, or a circle.
static rgShapeDef flat_ground_shape(const Ground* ground, rgVec3 corners[4]) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOWL);
  shape.radius = shape.parameters[0] = ground->radius;
  if (ground->target == BOWL)
    return shape;
  bool segment = ground->target == HALFSPACE;
  double low = segment ? 0 : -2 * ground->thick;
  corners[0] = v3(-WIDE, low, 0);
  corners[1] = v3(WIDE, low, 0);
  corners[2] = v3(WIDE, 0, 0);
  corners[3] = v3(-WIDE, 0, 0);
  shape = rg_shape_def(segment ? RG_SHAPE_SEGMENT : RG_SHAPE_POLYGON);
  shape.points = corners;
  shape.point_count = segment ? 2 : 4;
  return shape;
}

// Height of rough ground; false where there is none.
static bool height_at(const Ground* ground, rgVec3 x, double* out) {
  double u = x.x / ground->cell + 0.5 * CELLS, v = x.y / ground->cell + 0.5 * CELLS;
  int column = (int)floor(u), row = (int)floor(v);
  if (!(u >= 0 && v >= 0 && u < CELLS && v < CELLS))
    return false;
  const double* z = &ground->heights[row * SIDE + column];
  u -= column;
  v -= row;
  *out = u > v ? z[0] + u * (z[1] - z[0]) + v * (z[SIDE + 1] - z[1])
               : z[0] + v * (z[SIDE] - z[0]) + u * (z[SIDE + 1] - z[SIDE]);
  return true;
}

// How far a point is in front of the surface [m], along z for rough ground; false beside it.
static bool front_of(const Ground* ground, rgVec3 x, double* out) {
  rgVec3 ring = v3(x.x, x.y, 0);
  switch (ground->target) {
  case ROUGH_MESH:
  case ROUGH_FIELD:
    if (!height_at(ground, x, out))
      return false;
    *out = x.z - *out;
    return true;
  case TUBE:
    *out = ground->radius - v3_norm(v3(0, x.y, x.z));
    return true;
  case BOWL:
    *out = ground->radius - v3_norm(x);
    return true;
  case TORUS:
    *out = ground->radius - v3_norm(v3(v3_norm(ring) - ground->ring, 0, x.z));
    return true;
  default:
    *out = ground->dimension == 2 ? x.y : x.z;
    return true;
  }
}

// -------------------------------------------------------------------------------------------------
// A throw
// -------------------------------------------------------------------------------------------------

typedef struct Throw {
  Form form;
  Target target;
  int dimension;
  double length, thin, speed, spin; // [m] [m] [m/s] [rad/s]
  double step;                      // [s] 0: that of the preset
} Throw;

static rgWorld* build_thrown_world(const Throw* thrown, const char* preset) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(preset, &def.options));
  if (thrown->step > 0)
    def.options.step = thrown->step;
  def.dimension = thrown->dimension;
  if (thrown->dimension == 2)
    def.options.gravity = v3(0, -9.81, 0);
  rgWorld* world = build_world_of(&def);
  double mu = random_unit() < 0.2 ? 0 : random_between(0, 1), e = random_unit();
  build_set_default_material(world, mu, e < 0.4 ? 0 : e < 0.5 ? 1 : random_between(0, 1));
  return world;
}

// In front of flat ground, or amid what is hollow.
static rgBodyDef place_body(const Throw* thrown, const Ground* ground) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
  rgVec3 along = random_direction(), axis = random_direction();
  def.pose.orientation = random_rotation();
  bool hollow = ground->target >= TUBE;
  if (ground->target == TORUS)
    def.pose.position.x = ground->ring;
  if (thrown->dimension == 2) {
    along = v3_scale(v3(along.x, hollow ? along.z : -fabs(along.z), 0),
                     1 / v3_norm(v3(along.x, along.z, 0)));
    axis = v3(0, 0, axis.z > 0 ? 1 : -1);
    def.pose.orientation = turn_about(v3(0, 0, 1), PI * axis.x);
    def.pose.position.y = hollow ? 0 : 1.8 * thrown->length;
  } else if (!hollow) {
    along.z = -fabs(along.z);
    def.pose.position.z = 1.8 * thrown->length;
    if (ground->target > BLOCK) // higher than rough ground
      def.pose.position.z += 0.7 * ground->cell;
  }
  def.velocity = twist(v3_scale(along, thrown->speed), v3_scale(axis, thrown->spin));
  return def;
}

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

// A solved speed may be larger than both its neighbours by what is taken back after the movement, a tenth of
// the energy at most (energy/harmless.c).
static const double TAKEN_BACK = 1.05;

// The most that a step may gain [J] (src/step/energy/energy.c): what impacts borrow at theta > 1/2,
// (theta - 1/2) h F . (v_0 - v), what the tolerance of the solves leaves of the energy, and the rounding of its sum:
// answers that would gain more are brought to just this.
static const double ROUNDING = 1e-13;
static double most_gained(const rgWorld* world, rgBodyId body, rgTwist before, double energy) {
  const rgOptions* options = rg_world_options(world);
  rgVec3 now = rg_body_velocity(world, body).linear;
  double change = v3_norm(v3_sub(now, before.linear)) +
                  (TAKEN_BACK - 1) * fmax(v3_norm(now), v3_norm(before.linear));
  return (options->theta - 0.5) * options->step * rg_body_mass(world, body).mass *
             v3_norm(options->gravity) * change +
         (4 * options->tolerance + ROUNDING) * energy;
}

// What is seen of a throw.
typedef struct Seen {
  bool cut;       // a movement was cut short
  bool said;      // a step was not met
  bool behind;    // the centre of mass came behind the surface and nothing was said, or ended there
  double deepest; // [m] overlap in a step that was met
  double gained;  // part of the energy of the start, beyond what may be gained
  double shifted; // [m] beyond what the velocity moves, in a step that was met
} Seen;

static void see_step(const rgWorld* world, rgBodyId body, const rgCertificate* certificate,
                     rgVec3 before, rgTwist velocity, Seen* seen) {
  double h = rg_world_options(world)->step, g = v3_norm(rg_world_options(world)->gravity);
  rgVec3 now = rg_body_center(world, body);
  double speed =
      fmax(v3_norm(velocity.linear), v3_norm(rg_body_velocity(world, body).linear)) + h * g;
  seen->cut = seen->cut || certificate->stages[RG_STAGE_PASSING].missed > 0;
  if (!certificate->met)
    return;
  seen->shifted = fmax(seen->shifted, distance(now, before) - TAKEN_BACK * h * speed);
  seen->deepest = fmax(seen->deepest, certificate->penetration);
}

// Returns whether a step had to cut a movement short.
static bool throw_one(const Throw* thrown, const char* preset, int steps) {
  static Ground ground;
  static Body parts;
  rgWorld* world = build_thrown_world(thrown, preset);
  choose_ground(&ground, thrown->target, thrown->dimension, thrown->length);
  rgVec3 corners[4];
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  build_body(world, &def,
             thrown->dimension == 2 ? flat_ground_shape(&ground, corners) : ground_shape(&ground));
  make_body(thrown->form, thrown->dimension, thrown->length, thrown->thin, &parts);
  def = place_body(thrown, &ground);
  rgBodyId body;
  rgStatus status = rg_world_add_body(world, &def, parts.parts, parts.count, &body);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(world));
  double start = energy_of(world), kinetic = rg_world_energy(world).kinetic, may = 0, front;
  Seen seen = {0};
  for (int step = 0; step < steps && front_of(&ground, rg_body_center(world, body), &front);
       step++) {
    rgVec3 before = rg_body_center(world, body);
    rgTwist velocity = rg_body_velocity(world, body);
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    see_step(world, body, &certificate, before, velocity, &seen);
    bool behind = front_of(&ground, rg_body_center(world, body), &front) && front < 0;
    seen.said = seen.said || !certificate.met;
    seen.behind = seen.behind || (behind && (!seen.said || step == steps - 1));
    may += most_gained(world, body, velocity, fmax(kinetic, start));
    seen.gained = fmax(seen.gained, (energy_of(world) - start - may) / fmax(kinetic, start));
  }
  double thin = fmin(thrown->thin, ground.thick);
  CHECK_MSG(!seen.behind, "the body came behind the surface");
  // What is not passing is left to the stabilizer: half of the half-width, see fill/passing.c.
  CHECK_MSG(seen.deepest <= 0.5 * thin, "an overlap of %g half-widths, and nothing is said",
            seen.deepest / thin);
  CHECK_MSG(seen.gained <= 0, "gains %g of the energy", seen.gained);
  CHECK_MSG(seen.shifted <= 2 * thrown->length, "moved by %g m beyond its velocity", seen.shifted);
  rg_world_destroy(world);
  return seen.cut;
}

// -------------------------------------------------------------------------------------------------

// Evenly in the logarithm.
static double random_magnitude(double low, double high) {
  double x = random_unit(), value = low;
  for (int bit = 0; bit < 20; bit++) { // low (high / low)^x by the binary digits of x
    double root = high / low;
    for (int k = 0; k <= bit; k++)
      root = sqrt(root);
    x *= 2;
    value *= x >= 1 ? root : 1;
    x -= x >= 1 ? 1 : 0;
  }
  return value;
}

static Throw random_throw(Form form, Target target, int dimension) {
  static const double steps[] = {0, 1.0 / 60, 1.0 / 240, 1e-3};
  double length = random_magnitude(0.05, 0.5), aspect = random_magnitude(1, 50),
         speed = random_magnitude(1, 1000);
  double spin = random_unit() < 0.4 ? 0 : random_between(0, 200);
  double step = steps[(int)(4 * random_unit())];
  return (Throw){form, target, dimension, length, length / aspect, speed, spin, step};
}

static int throw_count(int fast, int whole) {
  const char* given = getenv("RIGOR_THROWS");
  return given ? atoi(given) : test_fast() ? fast : whole;
}

// Of long runs.
static void show_progress(const char* preset, Target target, int cut) {
  if (!getenv("RIGOR_THROWS"))
    return;
  printf("%s, %s: %d throws, %d cut short\n", preset, target_names[target],
         FORM_COUNT * throw_count(1, 2), cut);
  fflush(stdout);
}

TEST(bodies_thrown_at_any_speed_stay_in_front_of_what_they_hit_slow) {
  random_state = 77;
  for (int p = 0; p < 3; p++)
    for (int target = 0; target < TARGET_COUNT; target++) {
      int cut = 0;
      for (int form = 0; form < FORM_COUNT; form++)
        for (int k = 0; k < throw_count(1, 2); k++) {
          Throw thrown = random_throw((Form)form, (Target)target, 3);
          CONTEXT("%s of %g m, aspect %g, on %s at %g m/s, %g rad/s, %s, throw %d",
                  form_names[form], thrown.length, thrown.length / thrown.thin,
                  target_names[target], thrown.speed, thrown.spin, presets[p], k);
          cut += throw_one(&thrown, presets[p], 100);
        }
      show_progress(presets[p], (Target)target, cut);
    }
}

// Nearly a ball: friction spins it in the impact, and turned many times within the step it goes beyond the plane of
// its contact by the small arm of that.
TEST(what_is_nearly_round_stays_in_front_of_what_it_hits) {
  static const Form forms[] = {NEEDLE, LENS, TRIAXIAL, HULL};
  random_state = 79;
  for (int p = 0; p < 3; p++)
    for (int target = 0; target < FLAT_COUNT; target++)
      for (int form = 0; form < 4; form++)
        for (int k = 0; k < (test_fast() ? 2 : 12); k++) {
          double thin = random_between(0.01, 0.05), length = thin * random_between(1, 1.3),
                 speed = random_magnitude(50, 1000), spin = random_between(0, 200);
          Throw thrown = {forms[form], (Target)target, 3, length, thin, speed, spin, 0};
          CONTEXT("%s of %g m, aspect %g, on %s at %g m/s, %g rad/s, %s, throw %d",
                  form_names[forms[form]], length, length / thin, target_names[target], speed, spin,
                  presets[p], k);
          throw_one(&thrown, presets[p], 60);
        }
}

TEST(flat_bodies_thrown_at_any_speed_stay_in_front_of_what_they_hit) {
  static const Form forms[] = {ROD, CAPSULE, BALL, NEEDLE, CROSS};
  static const Target targets[] = {HALFSPACE, BOX, BLOCK, BOWL};
  random_state = 78;
  for (int p = 0; p < 3; p++)
    for (int target = 0; target < 4; target++)
      for (int form = 0; form < 5; form++)
        for (int k = 0; k < (test_fast() ? 1 : 8); k++) {
          Throw thrown = random_throw(forms[form], targets[target], 2);
          CONTEXT("%s of %g m, aspect %g, on %s at %g m/s, %g rad/s, %s, throw %d",
                  form_names[forms[form]], thrown.length, thrown.length / thrown.thin,
                  target_names[targets[target]], thrown.speed, thrown.spin, presets[p], k);
          throw_one(&thrown, presets[p], 100);
        }
}

// Bodies of 10 to 20 mm thickness, thrown as by hand or by a machine: the contacts that stop them
// are found, and hardly ever a movement has to be cut short.
TEST(what_is_thrown_by_hand_is_stopped_by_contacts) {
  const struct {
    const char* preset;
    double least, most; // [m/s]
  } hands[] = {{"realtime", 3, 10}, {"default", 3, 30}, {"reference", 3, 30}};
  random_state = 31;
  for (int p = 0; p < 3; p++) {
    int thrown_count = 0, cut = 0;
    for (int target = 0; target < FLAT_COUNT; target++)
      for (int form = 0; form < SIMPLE_COUNT; form++)
        for (int k = 0; k < 8; k++) {
          double length = random_between(0.1, 0.4), thin = random_between(0.005, 0.01),
                 speed = random_between(hands[p].least, hands[p].most),
                 spin = random_between(0, 20);
          Throw thrown = {(Form)form, (Target)target, 3, length, thin, speed, spin, 0};
          CONTEXT("%s on %s at %g m/s, throw %d, %s", form_names[form], target_names[target], speed,
                  k, hands[p].preset);
          cut += throw_one(&thrown, hands[p].preset, 100);
          thrown_count++;
        }
    CHECK_MSG(cut <= thrown_count / 20, "%s: %d of %d throws were cut short", hands[p].preset, cut,
              thrown_count);
  }
}

// Late contacts follow the law of their two materials: on a floor without friction nothing changes the movement
// along it, however rough the rod is, and however it is stopped.
TEST(what_is_thrown_at_a_smooth_floor_keeps_its_way_along_it) {
  random_state = 37;
  for (int i = 0; i < 60; i++) {
    rgWorld* world = build_still("default");
    build_set_step(world, 0.01, 1);
    int rough = build_material(world, 1, 0), smooth = build_material(world, 0, 0);
    double thin = random_between(0.005, 0.02), length = thin * random_between(8, 25),
           speed = random_between(5, 40);
    rgBodyDef floor = body_at(RG_BODY_STATIC, v3(0, 0, -0.05)),
              rod = body_at(RG_BODY_DYNAMIC, v3(0, 0, length + 0.05));
    rod.pose.orientation = random_rotation();
    rod.velocity = twist(v3(3, -2, -speed), v3_scale(random_vector(), 0.5 * speed / length));
    rgShapeDef ground = shape_box(v3(5, 5, 0.05)), needle = shape_box(v3(thin, 2 * thin, length));
    ground.material = smooth;
    needle.material = rough;
    rgBodyId id = {0, 0};
    for (int k = 0; k < 2; k++)
      if (k == i % 2)
        build_body(world, &floor, ground);
      else
        id = build_body(world, &rod, needle);
    for (int step = 0; step < 12; step++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      rgVec3 v = rg_body_velocity(world, id).linear;
      CONTEXT("rod %d, step %d", i, step);
      // what pays goes slower as a whole
      CHECK_NEAR(v.x / v.y, -1.5, 1e-6);
    }
    rg_world_destroy(world);
  }
}
