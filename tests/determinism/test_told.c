// Same bits of all that a world says, through histories of all that one can do with it.
//
// A history is its seed: an arbitrary scene (support/arbitrary.h) that is driven by forces, motors and a
// moving body and edited between steps. After each call its status and its message are told, after each
// step the certificate, counts, contacts, joints, forces, islands with their problems and solutions, energy
// and momentum. All of it is one hash, which is the same for every compiler, optimization and number of
// threads. Whoever changes what a step computes or tells changes hashes here; told_table.h says how to
// record them.
#include "test.h"

#include "base/hash.h"
#include "math/trig.h"
#include "support/arbitrary.h"
#include "support/random.h"
#include "support/snapshot.h"
#include <rigor/joint.h>
#include <rigor/view.h>

#include <stdio.h>

enum { STEPS = 24, BODIES_MAX = 30 };

// -------------------------------------------------------------------------------------------------
// Telling
// -------------------------------------------------------------------------------------------------

typedef struct Told {
  rgWorld* world;
  uint64_t hash;
} Told;

static void tell_bytes(Told* told, const void* data, size_t size) {
  told->hash = rg_hash_bytes(told->hash, data, size);
}

static void tell_int(Told* told, int64_t value) { tell_bytes(told, &value, sizeof value); }

// The sign of a zero and the bits of what is not a number mean nothing.
static void tell(Told* told, double value) {
  double plain = value == 0 ? 0 : value;
  if (isnan(value))
    tell_int(told, -1);
  else
    tell_bytes(told, &plain, sizeof plain);
}

static void tell_all(Told* told, const double* values, size_t count) {
  for (size_t i = 0; i < count; i++)
    tell(told, values[i]);
}

static void tell_vector(Told* told, rgVec3 v) { tell_all(told, (double[]){v.x, v.y, v.z}, 3); }

static void tell_twist(Told* told, rgTwist v) {
  tell_vector(told, v.linear);
  tell_vector(told, v.angular);
}

static void tell_pose(Told* told, rgPose pose) {
  rgQuat q = pose.orientation;
  tell_vector(told, pose.position);
  tell_all(told, (double[]){q.w, q.x, q.y, q.z}, 4);
}

static void tell_status(Told* told, rgStatus status) {
  tell_int(told, status);
  if (status == RG_OK)
    return;
  const char* message = rg_world_message(told->world);
  tell_bytes(told, message, strlen(message));
}

static void tell_certificate(Told* told, const rgCertificate* certificate) {
  const rgCertificateField* field;
  for (int i = 0; (field = rg_certificate_field(i)); i++)
    tell(told, rg_certificate_value(certificate, field));
}

static void tell_counts(Told* told) {
  rgStepCounts counts = rg_world_counts(told->world);
  const int all[] = {counts.islands, counts.solved, counts.warm,
                     counts.not_met, counts.pairs,  counts.redundant};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    tell_int(told, all[i]);
}

static void tell_bodies(Told* told) {
  const rgWorld* world = told->world;
  int islands[2 * BODIES_MAX], count = rg_world_body_islands(world, islands, 2 * BODIES_MAX);
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgMassProperties mass = rg_body_mass(world, id);
    tell_int(told, id.index);
    tell_int(told, id.generation);
    tell_pose(told, rg_body_pose(world, id));
    tell_twist(told, rg_body_velocity(world, id));
    tell_vector(told, rg_body_center(world, id));
    tell(told, mass.mass);
    tell_all(told, mass.inertia.m[0], 9);
    tell_int(told, i < count ? islands[i] : -2);
  }
}

static void tell_contacts(Told* told) {
  for (int i = 0; i < rg_world_contact_count(told->world); i++) {
    rgContact contact;
    REQUIRE(rg_world_contact(told->world, i, &contact) == RG_OK);
    tell_int(told, contact.shape_a.index);
    tell_int(told, contact.shape_b.generation);
    tell_vector(told, contact.point);
    tell_vector(told, contact.normal);
    tell_vector(told, contact.impulse);
    tell(told, contact.gap);
    tell(told, contact.torsion);
  }
}

static void tell_joints(Told* told) {
  for (int i = 0; i < rg_world_joint_count(told->world); i++) {
    rgJointState state;
    REQUIRE(rg_joint_state(told->world, rg_world_joint(told->world, i), &state) == RG_OK);
    tell_int(told, state.kind);
    tell_pose(told, state.frame_a);
    tell_pose(told, state.frame_b);
    tell_all(told, state.coordinate, (size_t)state.axis_count);
    tell_all(told, state.rate, (size_t)state.axis_count);
    tell_all(told, state.force, (size_t)state.axis_count);
    tell_all(told, (double[]){state.gap, state.twist, state.error}, 3);
    tell_vector(told, state.reaction.force);
    tell_vector(told, state.reaction.torque);
  }
}

enum { FORCES_MAX = 64 };

static void tell_forces(Told* told) {
  rgForceId ids[FORCES_MAX];
  int count = rg_world_forces(told->world, ids, FORCES_MAX);
  for (int i = 0; i < count && i < FORCES_MAX; i++) {
    rgForceState state;
    REQUIRE(rg_force_state(told->world, ids[i], &state) == RG_OK);
    tell_int(told, state.kind);
    tell_vector(told, state.from);
    tell_vector(told, state.to);
    tell(told, state.strength);
  }
}

static void tell_problem(Told* told, const rgProblem* problem) {
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemBody* body = &problem->bodies[i];
    tell(told, body->inverse_mass);
    tell_all(told, body->inverse_inertia.m[0], 9);
    tell_twist(told, body->v_free);
  }
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    tell_vector(told, contact->t);
    tell_vector(told, contact->o);
    tell_vector(told, contact->arm_a);
    tell_vector(told, contact->arm_b);
    tell_all(told, contact->bias, 4);
    tell_all(told, (double[]){contact->mu, contact->e_t, contact->e_o, contact->e_tau}, 4);
    tell_int(told, contact->cone);
    tell_int(told, contact->facets);
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    tell_twist(told, row->g_a);
    tell_twist(told, row->g_b);
    tell_all(told, (double[]){row->bias, row->lower, row->upper, row->compliance}, 4);
  }
}

static void tell_islands(Told* told) {
  for (int i = 0; i < rg_world_island_count(told->world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    REQUIRE(rg_world_island(told->world, i, &problem, &solution, &certificate) == RG_OK);
    tell_problem(told, &problem);
    tell_all(told, solution.v, rg_problem_velocity_count(&problem));
    if (problem.contact_count > 0)
      tell_all(told, solution.r, 4 * (size_t)problem.contact_count);
    if (problem.row_count > 0)
      tell_all(told, solution.lambda, (size_t)problem.row_count);
    tell_certificate(told, &certificate);
  }
}

static void tell_world(Told* told) {
  const rgWorld* world = told->world;
  rgEnergy energy = rg_world_energy(world);
  tell(told, rg_world_time(world));
  tell_int(told, rg_world_steps(world));
  tell_all(told, (double[]){energy.kinetic, energy.potential}, 2);
  tell_twist(told, rg_world_momentum(world));
  tell_counts(told);
  tell_bodies(told);
  tell_contacts(told);
  tell_joints(told);
  tell_forces(told);
  tell_islands(told);
}

static void step(Told* told) {
  rgCertificate certificate;
  rgStatus status = rg_world_step(told->world, &certificate);
  tell_status(told, status);
  if (status == RG_OK)
    tell_certificate(told, &certificate);
  tell_world(told);
}

// -------------------------------------------------------------------------------------------------
// Edits
// -------------------------------------------------------------------------------------------------

static int draw(int count) { return (int)(random_unit() * count); }
static bool chance(double p) { return random_unit() < p; }

static bool is_flat(const Told* told) { return rg_world_dimension(told->world) == 2; }

static rgVec3 draw_vector(const Told* told, double size) {
  rgVec3 v = v3_scale(random_vector(), size);
  return is_flat(told) ? v3(v.x, v.y, 0) : v;
}

static rgVec3 draw_spin(const Told* told, double size) {
  rgVec3 v = v3_scale(random_vector(), size);
  return is_flat(told) ? v3(0, 0, v.z) : v;
}

static rgQuat draw_turn(const Told* told, double size) {
  rgVec3 axis = is_flat(told) ? v3(0, 0, 1) : random_direction();
  return turn_about(axis, size * random_between(-1, 1));
}

static rgTwist draw_twist(const Told* told, double speed, double spin) {
  rgVec3 linear = draw_vector(told, speed);
  return twist(linear, draw_spin(told, spin));
}

// Any body, most often one that moves freely.
static rgBodyId draw_body(const Told* told) {
  rgBodyId id = {0, 0};
  for (int i = 0; i < 3; i++) {
    id = rg_world_body(told->world, draw(rg_world_body_count(told->world)));
    if (rg_body_kind(told->world, id) == RG_BODY_DYNAMIC)
      break;
  }
  return id;
}

// A place near a body.
static rgVec3 draw_place(const Told* told, double size) {
  rgVec3 center = rg_body_center(told->world, draw_body(told));
  return v3_add(center, draw_vector(told, size));
}

static rgShapeDef draw_shape(const Told* told) {
  double size = random_between(0.05, 0.3);
  if (is_flat(told)) {
    rgShapeDef shape = rg_shape_def(chance(0.5) ? RG_SHAPE_CIRCLE : RG_SHAPE_CAPSULE);
    shape.radius = size;
    shape.half_length = size;
    return shape;
  }
  int kind = draw(3);
  return kind == 0   ? shape_sphere(size)
         : kind == 1 ? shape_box(v3(size, 0.7 * size, 0.4 * size))
                     : shape_capsule(0.5 * size, size);
}

// Turns by more than half a turn in some steps.
static rgPose swing(double time, void* context) {
  (void)context;
  return (rgPose){v3(0.3 * rg_sin(4 * time), 0.2 * rg_cos(3 * time), 0),
                  turn_about(v3(0, 0, 1), 100 * rg_sin(2 * time))};
}

static void add_body(Told* told) {
  static const rgBodyKind kinds[] = {RG_BODY_DYNAMIC, RG_BODY_DYNAMIC, RG_BODY_DYNAMIC,
                                     RG_BODY_KINEMATIC, RG_BODY_STATIC};
  rgBodyKind kind = kinds[draw(5)];
  rgBodyDef def = body_at(kind, draw_place(told, 0.5));
  rgShapeDef shapes[2];
  rgBodyId id;
  for (int i = 0; i < 2; i++)
    shapes[i] = draw_shape(told);
  def.pose.orientation = draw_turn(told, 1);
  if (def.kind != RG_BODY_STATIC)
    def.velocity = draw_twist(told, 2, 4);
  if (def.kind == RG_BODY_KINEMATIC && chance(0.5))
    def.motion = swing;
  def.rotation_locked = chance(0.1);
  shapes[1].pose.position = draw_vector(told, 0.2);
  if (rg_world_body_count(told->world) < BODIES_MAX)
    tell_status(told, rg_world_add_body(told->world, &def, shapes, 1 + draw(2), &id));
}

static rgJointAxis draw_axis(void) {
  rgJointAxis axis = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
  if (chance(0.4)) {
    axis.lower = -random_between(0, 0.5);
    axis.upper = chance(0.2) ? axis.lower : random_between(0, 0.5);
  }
  axis.motor = chance(0.3);
  axis.motor_speed = random_between(-3, 3);
  axis.motor_force = random_between(0.1, 50);
  axis.friction = chance(0.3) ? random_between(0, 20) : 0;
  axis.stiffness = chance(0.3) ? random_between(0, 500) : 0;
  axis.rest = random_between(-0.3, 0.3);
  axis.damping = chance(0.3) ? random_between(0, 5) : 0;
  return axis;
}

static void add_joint(Told* told) {
  rgJointDef def = rg_joint_def((rgJointKind)draw(RG_JOINT_KIND_COUNT));
  rgJointId id;
  if (chance(0.7))
    def.body_a = draw_body(told);
  def.body_b = draw_body(told);
  rgVec3 center = rg_body_center(told->world, def.body_b);
  def.point = v3_add(center, draw_vector(told, 0.3));
  def.point_b = center;
  def.axis = is_flat(told) && def.kind != RG_JOINT_SLIDER ? v3(0, 0, 1) : random_direction();
  if (is_flat(told) && def.kind == RG_JOINT_SLIDER)
    def.axis = v3_add(draw_vector(told, 0.5), v3(1, 0, 0));
  if (def.kind == RG_JOINT_UNIVERSAL)
    def.axis_2 = v3_cross(def.axis, v3_add(def.axis, random_vector()));
  if (def.kind == RG_JOINT_SCREW)
    REQUIRE(rg_joint_def_set(&def, "lead", random_between(-0.5, 0.5)) == RG_OK);
  def.collide = chance(0.3);
  for (int i = 0; i < rg_joint_axis_count(def.kind) && chance(0.8); i++)
    def.axes[i] = draw_axis();
  if (chance(0.3)) { // apart at the start
    def.frames_given = true;
    def.frame_a = pose_at(draw_vector(told, 0.1));
    def.frame_b = pose_at(draw_vector(told, 0.1));
  }
  tell_status(told, rg_world_add_joint(told->world, &def, &id));
}

static void change_joint(Told* told) {
  int count = rg_world_joint_count(told->world);
  if (count == 0)
    return;
  rgJointId id = rg_world_joint(told->world, draw(count));
  rgJointAxis axis = draw_axis();
  tell_status(told, chance(0.3) ? rg_world_remove_joint(told->world, id)
                                : rg_joint_set_axis(told->world, id, draw(3), &axis));
}

static rgWrench pull(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)context;
  rgVec3 home = v3_scale(pose.position, -20 * (1 + rg_sin(3 * time)));
  return (rgWrench){v3_axpy(home, -2, velocity.linear), v3(0, 0, 0.1)};
}

static void add_force(Told* told) {
  const double times[3] = {0, 0.02, 0.1};
  rgWrench wrenches[3];
  rgVec3 path[3];
  for (int i = 0; i < 3; i++) { // one after the other, as arguments have no order of evaluation
    rgTwist drawn = draw_twist(told, 10, 1);
    wrenches[i] = (rgWrench){drawn.linear, drawn.angular};
    path[i] = draw_vector(told, 1);
  }
  rgForceDef def = rg_force_def();
  rgForceId id;
  def.kind = (rgForceKind)draw(RG_FORCE_KIND_COUNT);
  if (def.kind != RG_FORCE_ATTRACTOR || chance(0.5))
    def.body = draw_body(told);
  if (chance(0.5))
    def.other = draw_body(told);
  def.wrench = wrenches[0];
  def.body_axes = chance(0.5) && !is_flat(told);
  def.at_point = chance(0.5);
  def.point = draw_vector(told, 0.1);
  def.other_point = draw_vector(told, 0.1);
  def.times = times;
  def.wrenches = wrenches;
  def.row_count = 3;
  def.stiffness = random_between(0, 1000);
  def.damping = random_between(0, 5);
  def.rest = chance(0.3) ? -1 : chance(0.3) ? 0 : random_between(0, 0.5);
  def.drag = random_between(0, 2);
  def.spin_drag = random_between(0, 0.1);
  def.strength = random_between(-20, 20);
  def.range = random_between(0.1, 1);
  def.center = draw_place(told, 1);
  def.path = chance(0.5) ? path : NULL;
  def.callback = pull;
  def.stiff = chance(0.5);
  tell_status(told, rg_world_add_force(told->world, &def, &id));
}

static void change_force(Told* told) {
  rgForceId ids[FORCES_MAX];
  int count = rg_world_forces(told->world, ids, FORCES_MAX);
  if (count == 0)
    return;
  rgForceId id = ids[draw(count < FORCES_MAX ? count : FORCES_MAX)];
  rgVec3 center = draw_vector(told, 1);
  double strength = random_between(-10, 10);
  tell_status(told, chance(0.5) ? rg_world_remove_force(told->world, id)
                                : rg_force_set_attractor(told->world, id, center, strength));
}

static void move_body(Told* told) {
  rgBodyId id = draw_body(told);
  rgPose pose = rg_body_pose(told->world, id);
  pose.position = v3_add(pose.position, draw_vector(told, 0.1));
  pose.orientation = quat_mul(draw_turn(told, 0.3), pose.orientation);
  tell_status(told, rg_body_set_pose(told->world, id, pose));
}

static void push_body(Told* told) {
  rgBodyId id = draw_body(told);
  rgVec3 point = v3_add(rg_body_center(told->world, id), draw_vector(told, 0.1));
  rgTwist velocity = draw_twist(told, 3, 9);
  rgVec3 impulse = draw_vector(told, 20);
  tell_status(told, chance(0.5) ? rg_body_set_velocity(told->world, id, velocity)
                                : rg_body_apply_impulse(told->world, id, impulse, point));
}

static void change_shapes(Told* told) {
  rgShapeId ids[4 * BODIES_MAX], id;
  int count = rg_world_shapes(told->world, ids, 4 * BODIES_MAX);
  rgShapeDef shape = draw_shape(told);
  shape.pose.position = draw_vector(told, 0.2);
  shape.group = chance(0.5) ? 1 : 2;
  tell_status(told, chance(0.6) || count == 0
                        ? rg_world_add_shape(told->world, draw_body(told), &shape, &id)
                        : rg_world_remove_shape(told->world, ids[draw(count)]));
}

static void change_material(Told* told) {
  rgMaterial material = rg_material_default();
  int count = rg_world_material_count(told->world), a = draw(count), b = draw(count);
  material.mu = strcmp(rg_world_options(told->world)->stepper, "gauss") ? random_unit() : 0;
  material.restitution = chance(0.5) ? 0 : random_unit();
  if (chance(0.3)) {
    material.e_t = random_between(0.5, 1.5);
    material.e_tau = chance(0.5) ? 0 : 0.05;
    material.direction = draw_vector(told, 1);
  }
  tell_status(told, chance(0.5) ? rg_world_set_material(told->world, a, &material)
                                : rg_world_set_pair_material(told->world, a, b, &material));
}

static void change_options(Told* told) {
  rgOptions options = *rg_world_options(told->world);
  switch (draw(7)) {
  case 0:
    options.theta = chance(0.5) ? 0.5 : random_between(0.5, 1);
    break;
  case 1:
    snprintf(options.stabilizer, sizeof options.stabilizer, "%s", rg_stabilizer_name(draw(3)));
    break;
  case 2:
    options.step *= random_between(0.5, 1.5);
    break;
  case 3:
    options.implicit_forces = !options.implicit_forces;
    break;
  case 4:
    snprintf(options.cone, sizeof options.cone, "%s", rg_cone_option_name(draw(4)));
    options.facets = 3 + draw(8);
    break;
  case 5:
    snprintf(options.impacts, sizeof options.impacts, "%s",
             chance(0.5) ? "sequential" : "simultaneous");
    break;
  default:
    options.baumgarte_rate = random_between(0, 2.5) / options.step;
    break;
  }
  tell_status(told, rg_world_set_options(told->world, &options));
}

// A step that is made, and taken back with all that it has found.
static void go_back(Told* told) {
  Snapshot snapshot = save(told->world);
  tell_bytes(told, &snapshot.size, sizeof(int));
  step(told);
  tell_status(told, rg_world_load(told->world, snapshot.data, snapshot.size));
  tell_world(told);
  free(snapshot.data);
}

static void cancel_step(Told* told) {
  const volatile int cancel = 1;
  rg_world_set_cancel(told->world, &cancel);
  step(told);
  rg_world_set_cancel(told->world, NULL);
}

// Velocities whose squares are out of range make the step fail.
static void fail_step(Told* told) {
  rgBodyId id = draw_body(told);
  rgTwist velocity = rg_body_velocity(told->world, id);
  rgStatus status =
      rg_body_set_velocity(told->world, id, twist(draw_vector(told, 1e170), v3_zero()));
  tell_status(told, status);
  if (status != RG_OK)
    return;
  step(told);
  tell_status(told, rg_body_set_velocity(told->world, id, velocity));
}

static void remove_body(Told* told) {
  if (rg_world_body_count(told->world) > 2)
    tell_status(told, rg_world_remove_body(told->world, draw_body(told)));
}

static void change_filter(Told* told) {
  rgBodyId a = draw_body(told), b = draw_body(told);
  tell_status(told, rg_world_set_pair_collision(told->world, a, b, chance(0.5)));
}

static void edit(Told* told) {
  static void (*const edits[])(Told*) = {
      add_body,  add_body,      add_joint,       add_joint,      change_joint, change_joint,
      add_force, add_force,     change_force,    move_body,      move_body,    push_body,
      push_body, change_shapes, change_material, change_options, go_back,      cancel_step,
      fail_step, remove_body,   change_filter,
  };
  int index = draw(sizeof edits / sizeof *edits);
  tell_int(told, index);
  edits[index](told);
  tell_world(told);
}

// -------------------------------------------------------------------------------------------------
// Histories
// -------------------------------------------------------------------------------------------------

static uint64_t run_history(uint64_t seed, int threads) {
  Arbitrary scene = arbitrary_scene(seed);
  Told told = {scene.world, RG_HASH_START};
  if (!scene.world)
    return told.hash;
  rgOptions options = *rg_world_options(scene.world);
  options.threads = threads;
  options.iteration_limit = options.iteration_limit < 100 ? options.iteration_limit : 100;
  if (strcmp(options.solver, "direct") == 0) // takes no contacts
    snprintf(options.solver, sizeof options.solver, "auto");
  REQUIRE(rg_world_set_options(scene.world, &options) == RG_OK);
  random_state = 1000 + seed;
  for (int i = 0; i < 3; i++) {
    add_body(&told);
    add_joint(&told);
    add_force(&told);
  }
  for (int i = 0; i < STEPS; i++) {
    for (int edits = draw(3); edits > 0; edits--)
      edit(&told); // none, one or two
    step(&told);
  }
  rg_world_destroy(scene.world);
  return told.hash;
}

typedef struct Row {
  int seed;
  uint64_t hash;
} Row;

static const Row table[] = {
#define TOLD(seed, hash) {(seed), (hash)},
#include "told_table.h"
#undef TOLD
};
enum { ROWS = sizeof table / sizeof *table };

static const char REFRESH[] = "RIGOR_PRINT_TOLD=tests/determinism/told_table.h "
                              "build/tests/determinism/test_told print_table";

static void check_rows(int threads, int stride) {
  for (int i = 0; i < ROWS; i += test_fast() ? 8 : stride) {
    uint64_t hash = run_history((uint64_t)table[i].seed, threads);
    CONTEXT("seed %d, %d threads; if the change is meant: %s", table[i].seed, threads, REFRESH);
    CHECK_HEX(hash, table[i].hash);
  }
}

TEST(one_thread_tells_what_the_table_says) { check_rows(1, 1); }

TEST(four_threads_tell_the_same) { check_rows(4, 3); }

// Writes the table anew, with its seeds and its head.
TEST(print_table) {
  const char* path = getenv("RIGOR_PRINT_TOLD");
  if (!path || !path[0])
    SKIP("set RIGOR_PRINT_TOLD to a path to write the table");
  enum { TEXT = 8192 };
  char text[TEXT];
  size_t length = 0;
  FILE* old = fopen(path, "r");
  REQUIRE(old);
  while (fgets(text + length, (int)(TEXT - length), old) && strncmp(text + length, "TOLD", 4) != 0)
    length += strlen(text + length);
  fclose(old);
  for (int i = 0; i < ROWS; i++) {
    unsigned long long hash = run_history((uint64_t)table[i].seed, 1);
    length += (size_t)snprintf(text + length, TEXT - length, "TOLD(%3d, 0x%016llx)\n",
                               table[i].seed, hash);
    REQUIRE(length < TEXT);
  }
  FILE* file = fopen(path, "w");
  REQUIRE(file);
  CHECK(fwrite(text, 1, length, file) == length);
  CHECK(fclose(file) == 0);
}
