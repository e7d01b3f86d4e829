// fuzz_linkage.c - any bytes as trees of bodies: joints of every kind between bodies that hang on one
// another, with limits, rotors, springs and drives, free or on the ground, over a floor, in reduced or
// full coordinates; some trees are closed to loops. States are set, efforts given, steps made.
// Whatever it is:
//
//   - a step that is made leaves poses that are poses, and hands out problems whose certificate,
//     computed anew, is the one that was reported; joints of a step that met its tolerance are closed;
//   - a second world with another number of threads, which takes over at a snapshot in the middle,
//     ends in the same bits;
//   - the coordinates of a joint that was put somewhere are those;
//   - inverse dynamics of a step refuses with a reason or gives finite forces.
#include "calls.h"
#include "checks.h"

#include <rigor/vec_math.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { LINKS = 7, ROUNDS_MAX = 10 };

static rgWorld* next_world(Input* in, int threads) {
  uint8_t choice = next_byte(in);
  rgWorldDef def = choice & 1 ? rg_world_def_2d() : rg_world_def();
  rgOptions* options = &def.options;
  options->theta = choice & 2 ? 0.5 : 1;
  options->step = choice & 4 ? 0.02 : 1.0 / 240;
  options->iteration_limit = ITERATIONS;
  options->threads = threads;
  strcpy(options->coordinates, choice & 8 ? "full" : "reduced");
  next_name(in, rg_stepper_name, options->stepper);
  next_name(in, rg_stabilizer_name, options->stabilizer);
  rgWorld* world;
  return rg_world_create(&def, &world, NULL) == RG_OK ? world : NULL; // what does not go together
}

static void add_floor(rgWorld* world) {
  bool plane = rg_world_dimension(world) == 2;
  static const rgVec3 sides[] = {{-9, -1, 0}, {9, -1, 0}, {9, 0, 0}, {-9, 0, 0}};
  rgShapeDef floor = rg_shape_def(plane ? RG_SHAPE_POLYGON : RG_SHAPE_BOX);
  floor.half = (rgVec3){9, 9, 0.5};
  floor.points = sides;
  floor.point_count = 4;
  floor.pose.position.z = plane ? 0 : -0.5;
  rgBodyDef def = rg_body_def();
  def.kind = RG_BODY_STATIC;
  rgBodyId id;
  require(rg_world_add_body(world, &def, &floor, 1, &id) == RG_OK);
}

// A link of a tree: a body a little away from the one it hangs on, and the joint between them.
static void add_link(Input* in, rgWorld* world) {
  uint8_t choice = next_byte(in);
  rgBodyId parent = next_body(in, world);
  rgPose at = choice & 1 ? rg_body_pose(world, parent) : rg_pose_identity();
  bool plane = rg_world_dimension(world) == 2;
  rgShapeDef shape = rg_shape_def(plane ? RG_SHAPE_CIRCLE : RG_SHAPE_CAPSULE);
  shape.radius = next_size(in) / 4;
  shape.half_length = next_size(in) / 2;
  rgBodyDef def = rg_body_def();
  rgVec3 away = fit(world, next_vector(in, 0.5));
  rgVec3 up = plane ? (rgVec3){0, 0.4, 0} : (rgVec3){0, 0, 0.4};
  def.pose.position = rg_vec3_add(rg_vec3_add(at.position, away), choice & 2 ? up : rg_vec3_zero());
  if (!plane)
    def.pose.orientation = next_turn(in);
  rgBodyId body;
  if (rg_world_add_body(world, &def, &shape, 1, &body) != RG_OK || choice & 4)
    return; // a free root
  rgJointDef joint = rg_joint_def((rgJointKind)(next_byte(in) % RG_JOINT_KIND_COUNT));
  joint.body_a = choice & 1 ? parent : (rgBodyId){0, 0};
  joint.body_b = body;
  joint.point = rg_vec3_add(at.position, rg_vec3_scale(away, 0.5));
  joint.point_b = def.pose.position;
  joint.axis = plane && joint.kind == RG_JOINT_HINGE ? (rgVec3){0, 0, 1}
               : plane                               ? (rgVec3){1, next_part(in), 0}
                                                     : next_vector(in, 1);
  if (joint.kind == RG_JOINT_UNIVERSAL)
    joint.axis_2 = (rgVec3){joint.axis.y, -joint.axis.x, joint.axis.x == 0 && joint.axis.y == 0};
  if (choice & 8)
    next_drive(in, &joint.axes[0]);
  if (choice & 16) {
    joint.axes[0].lower = -next_size(in);
    joint.axes[0].upper = next_size(in);
  }
  joint.axes[0].friction = choice & 32 ? next_size(in) : 0;
  joint.axes[0].damping = choice & 64 ? next_size(in) : 0;
  rgJointId id;
  rg_world_add_joint(world, &joint, &id);
}

static rgWorld* build(Input* in, int threads) {
  rgWorld* world = next_world(in, threads);
  if (!world)
    return NULL;
  uint8_t choice = next_byte(in);
  if (choice & 1)
    add_floor(world);
  for (int i = 0; i < 1 + (choice >> 1) % LINKS; i++)
    add_link(in, world);
  if (choice & 64)
    call_add_joint(in, world); // which may close a loop
  return world;
}

// --- what is done in a round ------------------------------------------------------------------------

static void put_joint(Input* in, rgWorld* world, rgJointId joint) {
  double coordinates[RG_JOINT_AXIS_MAX], rates[RG_JOINT_AXIS_MAX];
  for (int i = 0; i < RG_JOINT_AXIS_MAX; i++) {
    coordinates[i] = 3 * next_part(in);
    rates[i] = 4 * next_part(in);
  }
  if (rg_joint_set_state(world, joint, coordinates, rates) != RG_OK)
    return;
  rgJointState state;
  require(rg_joint_state(world, joint, &state) == RG_OK);
  if (state.axis_count != 1 || state.kind == RG_JOINT_DISTANCE)
    return; // several angles have several names
  require(fabs(state.coordinate[0] - coordinates[0]) < 1e-9);
  require(fabs(state.rate[0] - rates[0]) < 1e-8);
}

static void drive(Input* in, rgWorld* world) {
  int count = rg_world_joint_count(world);
  uint8_t choice = next_byte(in);
  if (count == 0)
    return;
  rgJointId joint = rg_world_joint(world, (choice >> 2) % count);
  if (choice % 4 == 0)
    put_joint(in, world, joint);
  else if (choice % 4 == 1)
    rg_joint_set_servo(world, joint, 0, next_part(in), 0);
  else
    rg_joint_set_effort(world, joint, 0, 5 * next_part(in));
}

static void check_joints(const rgWorld* world) {
  const rgOptions* options = rg_world_options(world);
  if (!rg_world_certificate(world)->met || strcmp(options->stabilizer, "post") != 0)
    return;
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointState state;
    require(rg_joint_state(world, rg_world_joint(world, i), &state) == RG_OK);
    require(state.error <= 1e-4);
  }
}

// What acted in a step, from the motion it made.
static void invert(rgWorld* world, rgInverseForm form, const rgBodyMotion* start) {
  rgBodyMotion end[LINKS + 2];
  rgWrench applied[LINKS + 2], missing[LINKS + 2];
  rgInverseJoint joints[LINKS + 2];
  rgInverse* inverse;
  if (rg_inverse_create(world, form, &inverse) != RG_OK)
    return;
  const rgOptions* options = rg_world_options(world);
  rg_inverse_state(world, end);
  rg_inverse_reached(world, options->step, options->theta, start, end);
  if (rg_inverse_applied(world, applied) == RG_OK &&
      rg_inverse_step(inverse, options->step, start, end, applied, joints, missing) == RG_OK)
    for (int i = 0; i < rg_world_joint_count(world); i++)
      require(isfinite(joints[i].force[0] + joints[i].reaction.force.x));
  rg_inverse_destroy(inverse);
}

// Makes rounds until a step fails, and returns how many were made.
static int run(Input* in, rgWorld* world, int rounds) {
  for (int i = 0; i < rounds; i++) {
    uint8_t choice = next_byte(in);
    if (choice & 1)
      drive(in, world);
    rgBodyMotion start[LINKS + 2];
    rg_inverse_state(world, start);
    if (rg_world_step(world, NULL) != RG_OK) {
      require(rg_world_message(world)[0]);
      return i;
    }
    check_poses(world);
    check_islands(world);
    check_joints(world);
    if (choice & 2)
      invert(world, choice & 4 ? RG_INVERSE_TREE : RG_INVERSE_FULL, start);
  }
  return rounds;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2)
    return 0;
  int rounds = 1 + data[0] % ROUNDS_MAX, middle = data[1] % (rounds + 1);
  Input in = {data, size, 2};
  rgWorld* world = build(&in, 1);
  if (!world)
    return 0;
  in.at = 2;
  rgWorld* other = build(&in, 3);
  require(other && rg_world_hash(other) == rg_world_hash(world));
  int made = run(&in, world, middle);
  Saved saved = save_world(world);
  // Efforts and servos are given from outside; a world that did not get them is another one.
  bool taken = rg_world_load(other, saved.data, saved.size) == RG_OK;
  size_t at = in.at;
  made = made < middle ? 0 : run(&in, world, rounds - middle);
  in.at = at;
  if (taken && made > 0) {
    require(run(&in, other, rounds - middle) == made);
    require(rg_world_hash(other) == rg_world_hash(world));
  }
  free(saved.data);
  rg_world_destroy(world);
  rg_world_destroy(other);
  return 0;
}
