// The frame of a body is a name for its places: a body described in another frame is the same body.
//
// Each world is built twice. The second time the frame of every body is moved by a pose of its own,
// and all that is said in it, shapes, centre of mass, inertia, points and directions of forces, is said
// in the new frame. Centres of mass, velocities, contacts, joints and energies are then the same, up to
// rounding and what it grows to. A centre that is left out, added twice or turned by the wrong
// orientation shows at once.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { BODIES = 4, SHAPES = 2, STEPS = 12 };

// How bodies are described: the frame of body i is moved by own[i].
typedef struct Frames {
  rgPose own[BODIES];
} Frames;

typedef struct Built {
  rgWorld* world;
  const Frames* frames;
  rgBodyDef defs[BODIES];
  rgShapeDef shapes[BODIES][SHAPES];
  int shape_counts[BODIES];
  rgBodyId ids[BODIES];
  int count;
  bool second, reversed; // the second of two worlds; its last body is made first
} Built;

static const rgPose PLAIN = {{0, 0, 0}, {1, 0, 0, 0}};

static rgPose own_frame(const Built* built, int body) { return built->frames->own[body]; }

static rgPose pose_of(rgVec3 position, rgQuat orientation) {
  return (rgPose){position, orientation};
}

// A movement, with the frame in which it is said.
typedef struct Path {
  rgPose own;
} Path;

static rgPose swing(double time, void* context) {
  const Path* path = context;
  rgPose pose = {v3(0.3 * sin(3 * time), 0.1, 0.2 * sin(5 * time) - 0.45),
                 turn_about(v3(1, 2, 3), 0.4 * sin(4 * time))};
  return pose_mul(pose, path->own);
}

static Path paths[2][BODIES]; // of the two worlds

// Bodies are described first, and made when all are known.
static void add(Built* built, rgBodyDef def, const rgShapeDef* shapes, int count) {
  int i = built->count++;
  rgPose own = own_frame(built, i), back = pose_inverse(own);
  for (int k = 0; k < count; k++) {
    rgShapeDef* moved = &built->shapes[i][k];
    *moved = shapes[k];
    moved->pose = pose_mul(back, shapes[k].pose);
    moved->pose.orientation = quat_unit(moved->pose.orientation);
  }
  def.pose = pose_mul(def.pose, own);
  def.pose.orientation = quat_unit(def.pose.orientation);
  if (def.inertia_given) {
    rgMat3 turn = m3_from_quat(back.orientation), part = m3_mul(&turn, &def.inertia),
           transposed = m3_from_quat(own.orientation);
    def.inertia = m3_mul(&part, &transposed);
    def.center = pose_apply(back, def.center);
  }
  if (def.motion) {
    Path* path = &paths[built->second][i];
    path->own = own;
    def.motion_context = path;
  }
  built->defs[i] = def;
  built->shape_counts[i] = count;
}

static void make_bodies(Built* built) {
  for (int k = 0; k < built->count; k++) {
    int i = built->reversed ? built->count - 1 - k : k;
    REQUIRE_MSG(rg_world_add_body(built->world, &built->defs[i], built->shapes[i],
                                  built->shape_counts[i], &built->ids[i]) == RG_OK,
                "%s", rg_world_message(built->world));
  }
}

static void add_force(Built* built, int body, int other, rgForceDef def) {
  rgPose back = pose_inverse(own_frame(built, body));
  def.body = built->ids[body];
  def.point = pose_apply(back, def.point);
  if (def.body_axes) {
    def.wrench.force = quat_rotate(back.orientation, def.wrench.force);
    def.wrench.torque = quat_rotate(back.orientation, def.wrench.torque);
  }
  if (other >= 0) {
    def.other = built->ids[other];
    def.other_point = pose_apply(pose_inverse(own_frame(built, other)), def.other_point);
  }
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(built->world, &def, &id) == RG_OK, "%s",
              rg_world_message(built->world));
}

static rgJointId join(Built* built, rgJointDef def, int a, int b) {
  def.body_a = a < 0 ? (rgBodyId){0, 0} : built->ids[a];
  def.body_b = b < 0 ? (rgBodyId){0, 0} : built->ids[b];
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(built->world, &def, &id) == RG_OK, "%s",
              rg_world_message(built->world));
  return id;
}

static rgTwist random_twist(double speed, double spin) {
  rgVec3 linear = v3_scale(random_vector(), speed);
  return (rgTwist){linear, v3_scale(random_vector(), spin)};
}

static rgBodyDef random_mass(rgVec3 place) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  def.pose.orientation = random_rotation();
  def.velocity = random_twist(0.5, 1.5);
  def.mass = random_between(0.5, 2);
  def.inertia_given = true;
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  def.inertia = m3_diag(x, y, random_between(0.4, 0.9) * (x + y));
  def.center = v3_scale(random_vector(), 0.05);
  return def;
}

// -------------------------------------------------------------------------------------------------
// Worlds
// -------------------------------------------------------------------------------------------------

static rgJointDef random_joint(rgJointKind kind, rgVec3 point) {
  rgJointDef def = rg_joint_def(kind);
  def.point = point;
  def.point_b = v3_add(point, v3(0.1, 0.2, 0.2));
  def.axis = random_direction();
  rgVec3 unused;
  v3_frame(def.axis, &def.axis_2, &unused);
  if (kind == RG_JOINT_SCREW)
    rg_joint_def_set(&def, "lead", 0.4);
  bool plain = kind == RG_JOINT_BALL || kind == RG_JOINT_FIXED || kind == RG_JOINT_DISTANCE;
  for (int i = 0; i < rg_joint_axis_count(kind) && !plain; i++) {
    def.axes[i].stiffness = random_between(0, 5);
    def.axes[i].damping = random_between(0, 0.5);
    def.axes[i].armature = random_unit() < 0.5 ? 0 : random_between(0, 0.05);
    def.axes[i].lower = -0.005;
    def.axes[i].upper = 0.01;
  }
  return def;
}

// With A and B exchanged the coordinate of one axis changes its sign; others have axes that are not B's.
static bool exchange(rgJointDef* def, rgJointKind kind) {
  if (kind != RG_JOINT_HINGE && kind != RG_JOINT_SLIDER && kind != RG_JOINT_FIXED &&
      kind != RG_JOINT_BALL && kind != RG_JOINT_DISTANCE)
    return false;
  rgVec3 point = def->point;
  if (kind == RG_JOINT_DISTANCE) {
    def->point = def->point_b;
    def->point_b = point;
  }
  if (kind == RG_JOINT_HINGE || kind == RG_JOINT_SLIDER) {
    double lower = def->axes[0].lower;
    def->axes[0].lower = -def->axes[0].upper;
    def->axes[0].upper = -lower;
  }
  return true;
}

// A chain from the ground or from a driven body, with limits, rotors and springs.
static void build_chain(Built* built) {
  rgBodyDef base =
      body_at(random_unit() < 0.5 ? RG_BODY_KINEMATIC : RG_BODY_STATIC, v3(0, 0.1, -0.45));
  if (base.kind == RG_BODY_KINEMATIC)
    base.motion = swing;
  rgShapeDef far = shape_sphere(0.05);
  far.mask = 0;
  add(built, base, &far, 1);
  for (int i = 1; i < BODIES; i++)
    add(built, random_mass(v3(0.4 * i, 0, 0)), NULL, 0);
  make_bodies(built);
  for (int i = 1; i < BODIES; i++) {
    rgJointKind kind = (rgJointKind)(int)(RG_JOINT_KIND_COUNT * random_unit());
    bool swapped = random_unit() < 0.5;
    rgJointDef def = random_joint(kind, v3(0.4 * i - 0.2, 0.05, 0.1));
    if (built->reversed)
      swapped = exchange(&def, kind) != swapped;
    join(built, def, swapped ? i : i - 1, swapped ? i - 1 : i);
  }
}

// Forces of all kinds on free bodies.
static void build_forces(Built* built) {
  for (int i = 0; i < BODIES; i++)
    add(built, random_mass(v3(0.5 * i, 0.1 * i, 0)), NULL, 0);
  make_bodies(built);
  rgForceDef def = rg_force_def();
  def.wrench = (rgWrench){v3(3, -2, 1), v3(0.2, 0.1, -0.3)};
  def.body_axes = def.at_point = true;
  def.point = v3(0.1, 0.2, -0.1);
  add_force(built, 0, -1, def);
  def.body_axes = false;
  add_force(built, 1, -1, def);
  def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.stiffness = 40;
  def.damping = 2;
  def.rest = 0.3;
  def.point = v3(0.1, 0, 0.1);
  def.other_point = v3(0, -0.1, 0.05);
  add_force(built, 0, 1, def);
  add_force(built, 2, -1, def);
  def.kind = RG_FORCE_TORSION;
  def.stiffness = 1;
  def.damping = 0.05;
  add_force(built, 2, 3, def);
  def = rg_force_def();
  def.kind = RG_FORCE_DRAG;
  def.drag = 1;
  def.spin_drag = 0.02;
  add_force(built, 3, -1, def);
  def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.strength = 3;
  def.range = 0.5;
  def.center = v3(1, 1, 1);
  add_force(built, 1, -1, def);
}

// Round bodies of one or more shapes that land on moving ground.
static void build_contacts(Built* built) {
  rgBodyDef ground = body_at(RG_BODY_KINEMATIC, v3(0, 0, -0.5));
  ground.velocity = random_unit() < 0.5 ? random_twist(0.3, 0.1) : twist(v3_zero(), v3_zero());
  rgShapeDef plate = shape_box(v3(3, 3, 0.5));
  add(built, ground, &plate, 1);
  for (int i = 1; i < BODIES; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.6 * i, 0.1 * i, 0.22));
    def.pose.orientation = random_rotation();
    def.velocity = random_twist(1.5, 4);
    def.velocity.linear.z = -2;
    rgShapeDef shapes[2] = {shape_ellipsoid(v3(0.1, 0.15, 0.2)), shape_sphere(0.08)};
    shapes[1].pose.position = v3(0.12, 0.02, 0);
    add(built, def, shapes, i == 1 ? 1 : 2);
  }
  make_bodies(built);
}

// In the plane: hinged and free, on a line.
static void build_plane(Built* built) {
  rgVec3 ends[2] = {{-3, -0.4, 0}, {3, -0.4, 0}};
  rgShapeDef line = rg_shape_def(RG_SHAPE_SEGMENT);
  line.points = ends;
  line.point_count = 2;
  add(built, body_at(RG_BODY_STATIC, v3_zero()), &line, 1);
  for (int i = 1; i < BODIES; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5 * i, -0.15, 0));
    def.pose.orientation = turn_about(v3(0, 0, 1), random_between(-1, 1));
    def.velocity = twist(v3(random_between(-1, 1), -1.5, 0), v3(0, 0, random_between(-3, 3)));
    rgShapeDef shapes[2] = {rg_shape_def(RG_SHAPE_CAPSULE), rg_shape_def(RG_SHAPE_CIRCLE)};
    shapes[0].radius = 0.05;
    shapes[0].half_length = 0.15;
    shapes[1].radius = 0.1;
    shapes[1].pose.position = v3(0.1, 0.05, 0);
    add(built, def, shapes, 2);
  }
  make_bodies(built);
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.axis = v3(0, 0, 1);
  hinge.point = v3(1.25, -0.1, 0);
  hinge.axes[0].upper = 0.05;
  join(built, hinge, 2, 3);
}

typedef struct Recipe {
  const char* name;
  void (*build)(Built* built);
  bool flat, contacts;
  double allowed; // [m] [m/s] what rounding, grown by the motion, leaves
} Recipe;

static const Recipe recipes[] = {{"chain", build_chain, false, false, 1e-7},
                                 {"forces", build_forces, false, false, 1e-9},
                                 {"contacts", build_contacts, false, true, 1e-5},
                                 {"plane", build_plane, true, true, 1e-5}};
enum { RECIPES = sizeof recipes / sizeof *recipes };

static rgPose random_frame(bool flat) {
  rgVec3 shift = v3_scale(random_vector(), 0.5);
  if (!flat)
    return pose_of(shift, random_rotation());
  return pose_of(v3(shift.x, shift.y, 0), turn_about(v3(0, 0, 1), random_between(-3, 3)));
}

// -------------------------------------------------------------------------------------------------

static Built build(const Recipe* recipe, const rgOptions* options, const Frames* frames,
                   uint64_t seed, bool second, bool reversed) {
  rgWorldDef def = recipe->flat ? rg_world_def_2d() : rg_world_def();
  rgVec3 gravity = def.options.gravity;
  def.options = *options;
  def.options.gravity = gravity;
  Built built = {
      .world = build_world_of(&def), .frames = frames, .second = second, .reversed = reversed};
  rgMaterial material = rg_material_default();
  random_state = seed;
  material.mu = random_unit() < 0.5 || strcmp(options->stepper, "gauss") == 0 ? 0 : 0.4;
  material.restitution = random_unit() < 0.5 ? 0 : 0.6;
  material.e_tau = !recipe->flat && material.mu > 0 && random_unit() < 0.5 ? 0.02 : 0;
  REQUIRE_INT(rg_world_set_material(built.world, 0, &material), RG_OK);
  recipe->build(&built);
  return built;
}

static double difference(const Built* one, const Built* other) {
  double most = 0;
  for (int i = 0; i < one->count; i++) {
    rgPose a = rg_body_pose(one->world, one->ids[i]),
           b = pose_mul(rg_body_pose(other->world, other->ids[i]),
                        pose_inverse(own_frame(other, i)));
    rgTwist v = rg_body_velocity(one->world, one->ids[i]),
            w = rg_body_velocity(other->world, other->ids[i]);
    // of a body that is moved, the centre is the origin of its frame
    bool free = rg_body_kind(one->world, one->ids[i]) == RG_BODY_DYNAMIC;
    rgQuat turn = quat_mul(a.orientation, quat_conj(b.orientation));
    most = fmax(most, distance(a.position, b.position));
    most = fmax(most, v3_norm(v3(turn.x, turn.y, turn.z)));
    most = fmax(most, free ? distance(v.linear, w.linear) : 0);
    most = fmax(most, distance(v.angular, w.angular));
  }
  for (int i = 0; i < rg_world_joint_count(one->world) && !other->reversed; i++) {
    rgJointState a, b;
    REQUIRE_INT(rg_joint_state(one->world, rg_world_joint(one->world, i), &a), RG_OK);
    REQUIRE_INT(rg_joint_state(other->world, rg_world_joint(other->world, i), &b), RG_OK);
    int axes = a.kind == RG_JOINT_BALL ? 3 : a.axis_count; // the swing has no direction at zero
    for (int k = 0; k < axes; k++)
      most = fmax(most, fmax(fabs(a.coordinate[k] - b.coordinate[k]), fabs(a.rate[k] - b.rate[k])));
    most = fmax(most, distance(a.frame_a.position, b.frame_a.position));
    most = fmax(most, distance(a.frame_b.position, b.frame_b.position));
  }
  rgEnergy e = rg_world_energy(one->world), f = rg_world_energy(other->world);
  most = fmax(most, fabs(e.kinetic - f.kinetic) / (1 + e.kinetic));
  return fmax(most, fabs(e.potential - f.potential) / (1 + fabs(e.potential)));
}

static double run_both(const Recipe* recipe, const rgOptions* options, uint64_t seed,
                       bool reversed) {
  Frames plain, moved;
  random_state = seed + 77;
  for (int i = 0; i < BODIES; i++) {
    plain.own[i] = PLAIN;
    moved.own[i] = random_frame(recipe->flat);
  }
  moved.own[0].position = v3_zero(); // what is moved from outside goes straight with its origin
  Built one = build(recipe, options, &plain, seed, false, false),
        other = build(recipe, options, &moved, seed, true, reversed);
  // What starts open or set from outside is brought together alike.
  double most = difference(&one, &other);
  for (int step = 0; step < STEPS; step++) {
    rgCertificate a, b;
    rgStatus status = rg_world_step(one.world, &a);
    REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(one.world));
    REQUIRE_INT(rg_world_step(other.world, &b), RG_OK);
    most = fmax(most, difference(&one, &other));
    most = fmax(most, fabs(a.energy - b.energy) / (1 + fabs(a.energy)));
  }
  rg_world_destroy(one.world);
  rg_world_destroy(other.world);
  return most;
}

static void name(char* field, const char* value) { snprintf(field, RG_NAME_MAX, "%s", value); }

static void compare(bool reversed) {
  static const double thetas[] = {0.5, 0.7, 1};
  for (int r = 0; r < RECIPES; r++)
    for (int s = 0; rg_stepper_name(s); s++)
      for (int i = 0; i < 4; i++) {
        rgOptions options;
        REQUIRE(rg_options_preset("reference", &options));
        name(options.stepper, rg_stepper_name(s));
        options.theta = thetas[i % 3];
        options.step = i % 2 ? 5e-3 : 2e-3;
        options.implicit_forces = i != 3;
        options.damping_time = 0.1;
        bool theta = strcmp(options.stepper, "theta") == 0;
        if (theta && i > 0)
          name(options.impacts, i == 1 ? "sequential" : i == 2 ? "routh" : "simultaneous");
        if (i == 2)
          name(options.stabilizer, "baumgarte");
        if (i == 3)
          name(options.coordinates, "full");
        if (strcmp(options.stepper, "gauss") == 0 && recipes[r].contacts)
          name(options.cone, "frictionless");
        build_fit_options(&options);
        uint64_t seed = (uint64_t)(100 * r + i);
        CONTEXT("%s %d, %s, theta %g", recipes[r].name, i, rg_stepper_name(s), options.theta);
        double most = run_both(&recipes[r], &options, seed, reversed);
        // rows of a joint that has drifted are those of A's axes
        CHECK_MSG(most <= (reversed ? 100 : 1) * recipes[r].allowed, "off by %g", most);
      }
}

TEST(frames_of_bodies_do_not_matter) { compare(false); }

// Nor does which of two bodies is the first: A of a contact or of an island.
TEST(the_order_of_bodies_does_not_matter_either) { compare(true); }

// Joints that are set to coordinates and rates put bodies to the same places, whatever their frames.
TEST(states_of_joints_are_set_alike_in_all_frames) {
  for (int i = 0; i < 20; i++) {
    Frames plain, moved;
    random_state = (uint64_t)(500 + i);
    for (int k = 0; k < BODIES; k++) {
      plain.own[k] = PLAIN;
      moved.own[k] = random_frame(false);
    }
    rgOptions options;
    REQUIRE(rg_options_preset("reference", &options));
    Built one = build(&recipes[0], &options, &plain, (uint64_t)i, false, false),
          other = build(&recipes[0], &options, &moved, (uint64_t)i, true, false);
    double coordinates[64], rates[64];
    int count = rg_world_coordinate_count(one.world);
    REQUIRE(count <= 64);
    for (int k = 0; k < count; k++) {
      coordinates[k] = random_between(0.1, 0.8);
      rates[k] = random_between(-1, 1);
    }
    CONTEXT("chain %d", i);
    REQUIRE_INT(rg_world_set_coordinates(one.world, coordinates, rates), RG_OK);
    REQUIRE_INT(rg_world_set_coordinates(other.world, coordinates, rates), RG_OK);
    double most = difference(&one, &other);
    CHECK_MSG(most <= 1e-11, "off by %g", most);
    rg_world_destroy(one.world);
    rg_world_destroy(other.world);
  }
}
