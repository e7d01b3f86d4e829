// Steppers are different ways to one motion. What drives and holds bodies apart from contacts, all kinds of joints
// with all that acts along their axes and all kinds of forces, is smooth: every scheme comes to the motion of the
// stepper of events, which solves for accelerations and shares neither rows nor movement with the others, at its
// own order in h. A wrong term has another limit.
#include "joint/joint.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { BODIES = 4 };
static const double LASTS = 0.048; // [s]

typedef struct Built {
  rgWorld* world;
  rgBodyId ids[BODIES];
} Built;

static rgPose swing(double time, void* context) {
  (void)context;
  return (rgPose){v3(0.3 * sin(3 * time) - 0.3, 0.1, 0.2 * sin(5 * time)),
                  turn_about(v3(1, 2, 3), 0.4 * sin(4 * time))};
}

static rgWrench tug(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)context;
  return (rgWrench){v3_add(v3(3 * cos(20 * time), 0, 1), v3_scale(velocity.linear, -0.5)),
                    v3_scale(pose.position, 0.1)};
}

static rgBodyDef random_mass(rgVec3 place) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  def.pose.orientation = random_rotation();
  def.mass = random_between(0.5, 2);
  def.inertia_given = true;
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  def.inertia = m3_diag(x, y, random_between(0.4, 0.9) * (x + y));
  def.center = v3_scale(random_vector(), 0.05);
  return def;
}

static void fill_axis(rgJointAxis* axis) {
  axis->stiffness = random_between(1, 8);
  axis->rest = random_between(-0.3, 0.3);
  axis->damping = random_between(0.05, 0.3);
  axis->armature = random_unit() < 0.5 ? 0 : random_between(0.01, 0.05);
  axis->effort = random_between(-0.5, 0.5);
  axis->servo = random_unit() < 0.6;
  axis->servo_stiffness = random_between(1, 6);
  axis->servo_damping = random_between(0.05, 0.2);
  axis->servo_target = random_between(-0.4, 0.4);
  axis->servo_speed = random_between(-0.5, 0.5);
  axis->servo_force = random_unit() < 0.3 ? 0.05 : HUGE_VAL;
  axis->motor = random_unit() < 0.4; // always at its bound
  axis->motor_speed = random_unit() < 0.5 ? 1e3 : -1e3;
  axis->motor_force = random_between(0.05, 0.4);
}

static void add_joint(Built* built, int i, rgJointKind kind) {
  rgJointDef def = rg_joint_def(kind);
  bool swapped = random_unit() < 0.5;
  def.body_a = built->ids[swapped ? i : i - 1];
  def.body_b = built->ids[swapped ? i - 1 : i];
  def.point = v3(0.4 * i - 0.2, 0.05, 0.1);
  def.point_b = v3_add(def.point, v3(0.1, 0.2, 0.2));
  def.axis = random_direction();
  rgVec3 unused;
  v3_frame(def.axis, &def.axis_2, &unused);
  if (kind == RG_JOINT_SCREW)
    rg_joint_def_set(&def, "lead", 0.4);
  const rgJointInfo* info = rg_joint_info(kind);
  for (int k = 0; k < info->axis_count; k++)
    if (info->axes[k].takes & RG_JOINT_FORCES)
      fill_axis(&def.axes[k]);
  if (kind == RG_JOINT_DISTANCE)
    def.axes[0].lower = 0;
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(built->world, &def, &id) == RG_OK, "%s",
              rg_world_message(built->world));
  double rates[RG_JOINT_AXIS_MAX], places[RG_JOINT_AXIS_MAX] = {0};
  for (int k = 0; k < info->axis_count; k++)
    rates[k] = random_between(-1, 1);
  if (kind == RG_JOINT_DISTANCE)
    places[0] = 0.3;
  REQUIRE_INT(rg_joint_set_state(built->world, id, places, rates), RG_OK);
}

static void build_chain(Built* built, int seed) {
  rgBodyDef base = body_at(seed % 3 ? RG_BODY_STATIC : RG_BODY_KINEMATIC, v3(-0.3, 0.1, 0));
  if (base.kind == RG_BODY_KINEMATIC)
    base.motion = swing;
  rgShapeDef far = shape_sphere(0.05);
  far.mask = 0;
  built->ids[0] = build_body(built->world, &base, far);
  for (int i = 1; i < BODIES; i++) {
    rgBodyDef def = random_mass(v3(0.4 * i, 0, 0));
    REQUIRE_INT(rg_world_add_body(built->world, &def, NULL, 0, &built->ids[i]), RG_OK);
  }
  // Each kind comes in turn; driven ground has its velocity by a motion, which suits what hangs on it.
  for (int i = seed % 3 ? 1 : 2; i < BODIES; i++)
    add_joint(built, i, (rgJointKind)((seed + 3 * i) % RG_JOINT_KIND_COUNT));
  if (seed % 3 == 0) { // a spring to what is driven
    rgForceDef def = rg_force_def();
    def.kind = RG_FORCE_SPRING;
    def.body = built->ids[1];
    def.other = built->ids[0];
    def.stiffness = 30;
    def.damping = 1;
    def.rest = 0.2;
    rgForceId id;
    REQUIRE_INT(rg_world_add_force(built->world, &def, &id), RG_OK);
  }
}

static void add_force(Built* built, int body, int other, rgForceDef def) {
  def.body = built->ids[body];
  if (other >= 0)
    def.other = built->ids[other];
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(built->world, &def, &id) == RG_OK, "%s",
              rg_world_message(built->world));
}

static void build_forces(Built* built, int seed) {
  for (int i = 0; i < BODIES; i++) {
    rgBodyDef def = random_mass(v3(0.5 * i, 0.1 * i, 0));
    def.velocity = twist(random_vector(), v3_scale(random_vector(), 3));
    if (i == 1)
      def.inertia = m3_diag(0.03, 0.03, 0.03);
    REQUIRE_INT(rg_world_add_body(built->world, &def, NULL, 0, &built->ids[i]), RG_OK);
  }
  rgForceDef def = rg_force_def();
  def.wrench = (rgWrench){v3(3, -2, 1), v3(0.2, 0.1, -0.3)};
  def.body_axes = seed % 2;
  def.at_point = true;
  def.point = v3(0.1, 0.2, -0.1);
  add_force(built, 0, -1, def);
  static const double times[3] = {0, 0.02, 0.1};
  static const rgWrench rows[3] = {
      {{0, 0, 0}, {0, 0, 0}}, {{5, 0, 0}, {0, 0.2, 0}}, {{0, 5, 0}, {0.1, 0, 0}}};
  def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.times = times;
  def.wrenches = rows;
  def.row_count = 3;
  add_force(built, 1, -1, def);
  def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.stiffness = 60;
  def.damping = 2;
  def.rest = 0.3;
  def.point = v3(0.1, 0, 0.1);
  def.other_point = v3(0, -0.1, 0.05);
  add_force(built, 0, 1, def);
  add_force(built, 2, -1, def);
  def.kind = RG_FORCE_TORSION;
  def.stiffness = 2;
  def.damping = 0.05;
  add_force(built, 2, 3, def);
  def = rg_force_def();
  def.kind = RG_FORCE_DRAG;
  def.drag = 2;
  def.spin_drag = 0.05;
  add_force(built, 3, -1, def);
  add_force(built, 1, -1, def);
  def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.strength = 5;
  def.range = 0.5;
  def.center = v3(1, 1, 1);
  add_force(built, 1, -1, def);
  def = rg_force_def();
  def.kind = RG_FORCE_CALLBACK;
  def.callback = tug;
  def.stiff = seed % 2;
  add_force(built, 3, -1, def);
}

typedef struct Scheme {
  const char *stepper, *coordinates;
  double theta;
  bool explicit_forces;
  int order;
} Scheme;

static void name(char* field, const char* value) { snprintf(field, RG_NAME_MAX, "%s", value); }

static Built run(void (*build)(Built*, int), int seed, const Scheme* scheme, double h) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  name(def.options.stepper, scheme->stepper);
  name(def.options.coordinates, scheme->coordinates);
  name(def.options.stabilizer, "none");
  def.options.theta = scheme->theta;
  def.options.implicit_forces = !scheme->explicit_forces;
  def.options.step = h;
  Built built = {.world = build_world_of(&def)};
  random_state = (uint64_t)(seed + 900);
  build(&built, seed);
  for (int i = 0; i < (int)(LASTS / h + 0.5); i++)
    REQUIRE_MSG(rg_world_step(built.world, NULL) == RG_OK, "%s", rg_world_message(built.world));
  return built;
}

// Of places and turns; velocities at the ends of a step may be those of rows at its start.
static double apart(const Built* a, const Built* b) {
  double most = 0;
  for (int i = 0; i < BODIES; i++) {
    rgPose p = rg_body_pose(a->world, a->ids[i]), q = rg_body_pose(b->world, b->ids[i]);
    rgTwist v = rg_body_velocity(a->world, a->ids[i]), w = rg_body_velocity(b->world, b->ids[i]);
    rgQuat turn = quat_mul(p.orientation, quat_conj(q.orientation));
    most = fmax(most, distance(p.position, q.position));
    most = fmax(most, 0.2 * v3_norm(v3(turn.x, turn.y, turn.z)));
    if (rg_body_kind(a->world, a->ids[i]) == RG_BODY_DYNAMIC)
      most =
          fmax(most, 0.02 * (distance(v.linear, w.linear) + 0.2 * distance(v.angular, w.angular)));
  }
  return most;
}

static const Scheme schemes[] = {
    {"theta", "reduced", 0.5, false, 2},       {"theta", "full", 0.5, false, 2},
    {"theta", "reduced", 0.7, false, 1},       {"theta", "full", 1, false, 1},
    {"theta", "reduced", 1, true, 1},          {"stewart-trinkle", "reduced", 1, false, 1},
    {"anitescu-potra", "reduced", 1, true, 1}, {"implicit-geometry", "reduced", 1, false, 1},
    {"signorini", "reduced", 0.5, false, 1}};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

// Forces that are not among the rows are those of the start of a step, and ground has its mean velocity: with them
// all is of the first order.
static void compare(void (*build)(Built*, int), int seeds, bool smooth) {
  const Scheme events = {"gauss", "reduced", 1, true, 4};
  for (int seed = 0; seed < seeds; seed++) {
    Built exact = run(build, seed, &events, 1e-3);
    for (int s = 0; s < SCHEMES; s++) {
      double error[2];
      for (int k = 0; k < 2; k++) {
        Built built = run(build, seed, &schemes[s], k ? 1e-3 : 2e-3);
        error[k] = apart(&built, &exact);
        rg_world_destroy(built.world);
      }
      CONTEXT("world %d, %s, theta %g, %s", seed, schemes[s].stepper, schemes[s].theta,
              schemes[s].coordinates);
      bool second = schemes[s].order == 2 && smooth && seed % 3 != 0;
      double part = second ? 0.35 : 0.62;
      CHECK_MSG(error[1] <= part * error[0] + 1e-8, "off by %g, then by %g", error[0], error[1]);
      CHECK_MSG(error[1] <= (schemes[s].order == 2 ? 1e-4 : 3e-3), "off by %g", error[1]);
    }
    rg_world_destroy(exact.world);
  }
}

TEST(schemes_come_to_the_same_motion_of_joints) { compare(build_chain, 6, true); }

TEST(schemes_come_to_the_same_motion_under_forces) { compare(build_forces, 4, false); }
