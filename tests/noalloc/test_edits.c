// Memory runs out while a world is edited: every call either does what it says or leaves the world as
// it was.
//
// Two worlds get the same history of edits and steps. In the one, every allocation of every edit
// fails once before the call is let through; the other never lacks memory. After each failed call
// the first world is the same as before it, bit for bit as far as a snapshot sees, and both stay
// equal to the end of the history: state, counts, ids that are handed out.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"

// --- an allocator that fails once ---------------------------------------------------------------

typedef struct Books {
  int calls, fail_at; // the number of calls so far, and the one that fails
  int live;
} Books;

static void* take(size_t size, void* context) {
  Books* books = context;
  if (books->calls++ == books->fail_at)
    return NULL;
  books->live++;
  rgAllocator heap = rg_allocator_default();
  return heap.allocate(size, heap.context);
}

static void give_back(void* memory, size_t size, void* context) {
  Books* books = context;
  books->live--;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

// --- a world and what was handed out ------------------------------------------------------------

enum { MOST = 64 };
typedef struct Scene {
  rgWorld* world;
  rgBodyId bodies[MOST];
  rgShapeId shapes[MOST];
  rgJointId joints[MOST];
  rgForceId forces[MOST];
  int body_count, shape_count, joint_count, force_count, material_count;
  Snapshot saved;
} Scene;

static Scene begin(Books* books, int dimension, double theta) {
  rgWorldDef def = dimension == 2 ? rg_world_def_2d() : rg_world_def();
  if (books)
    def.allocator = (rgAllocator){take, give_back, books};
  def.options.theta = theta;
  return (Scene){.world = build_world_of(&def)};
}

static void end(Scene* scene) {
  free(scene->saved.data);
  rg_world_destroy(scene->world);
}

// --- edits --------------------------------------------------------------------------------------

// An edit is drawn once and made in both worlds: all that it needs is in it.
typedef struct Edit Edit;
struct Edit {
  const char* name;
  rgStatus (*make)(Scene* scene, const Edit* edit);
  int chosen[2];     // what it is about, as a place in the lists of the scene
  double size;       // [m]
  rgVec3 place;      // [m]
  rgVec3 direction;  // unit
  int kind;          // of shapes, joints, forces; threads of options
  rgBodyKind moving; // of a body
};

static int pick(int count) { return count > 0 ? (int)(random_unit() * count) : 0; }

static rgShapeDef shape_of(const Scene* scene, const Edit* edit) {
  static const rgVec3 corners[] = {{1, 0, 0},    {-1, 0.2, 0}, {0, 1, 0},
                                   {0, -1, 0.1}, {0, 0, 1},    {0, 0, -1}};
  static rgVec3 points[6];
  rgShapeDef shape;
  double s = edit->size;
  if (rg_world_dimension(scene->world) == 2) {
    shape = rg_shape_def(edit->kind % 2 ? RG_SHAPE_CIRCLE : RG_SHAPE_POLYGON);
    for (int i = 0; i < 4; i++)
      points[i] = v3(s * corners[i].x, s * corners[i].y, 0);
    shape.point_count = 4;
  } else {
    const rgShapeKind kinds[] = {RG_SHAPE_SPHERE,   RG_SHAPE_BOX,       RG_SHAPE_CAPSULE,
                                 RG_SHAPE_CYLINDER, RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL};
    shape = rg_shape_def(kinds[edit->kind % 6]);
    for (int i = 0; i < 6; i++)
      points[i] = v3_scale(corners[i], s);
    shape.point_count = 6;
  }
  shape.points = points;
  shape.radius = shape.half_length = s;
  shape.half = v3(s, 1.1 * s, 0.9 * s);
  shape.material = scene->material_count > 0 ? edit->kind % (scene->material_count + 1) : 0;
  return shape;
}

static rgVec3 within(const Scene* scene, rgVec3 v) {
  return rg_world_dimension(scene->world) == 2 ? v3(v.x, v.y, 0) : v;
}

static rgStatus add_body(Scene* scene, const Edit* edit) {
  if (scene->body_count == MOST)
    return RG_OK;
  rgBodyDef def = body_at(edit->moving, within(scene, edit->place));
  def.name = edit->kind % 2 ? "named" : NULL;
  rgShapeDef shapes[2] = {shape_of(scene, edit), shape_of(scene, edit)};
  shapes[1].pose.position = v3(edit->size, 0, 0);
  rgBodyId id;
  rgStatus status = rg_world_add_body(scene->world, &def, shapes, 1 + edit->kind % 2, &id);
  if (status == RG_OK)
    scene->bodies[scene->body_count++] = id;
  return status;
}

static rgStatus remove_body(Scene* scene, const Edit* edit) {
  if (scene->body_count == 0)
    return RG_OK;
  int i = edit->chosen[0] % scene->body_count;
  rgStatus status = rg_world_remove_body(scene->world, scene->bodies[i]);
  if (status == RG_OK)
    scene->bodies[i] = scene->bodies[--scene->body_count];
  return status;
}

static rgBodyId body_of(const Scene* scene, const Edit* edit, int which) {
  return scene->body_count > 0 ? scene->bodies[edit->chosen[which] % scene->body_count]
                               : (rgBodyId){0, 0};
}

static rgStatus add_shape(Scene* scene, const Edit* edit) {
  rgShapeDef shape = shape_of(scene, edit);
  rgShapeId id;
  if (scene->shape_count == MOST || scene->body_count == 0)
    return RG_OK;
  rgStatus status = rg_world_add_shape(scene->world, body_of(scene, edit, 0), &shape, &id);
  if (status == RG_OK)
    scene->shapes[scene->shape_count++] = id;
  return status;
}

// The shape may have gone with its body: that is refused in both worlds.
static rgStatus remove_shape(Scene* scene, const Edit* edit) {
  if (scene->shape_count == 0)
    return RG_OK;
  int i = edit->chosen[0] % scene->shape_count;
  rgStatus status = rg_world_remove_shape(scene->world, scene->shapes[i]);
  if (status != RG_ERROR_MEMORY)
    scene->shapes[i] = scene->shapes[--scene->shape_count];
  return status;
}

static rgStatus add_joint(Scene* scene, const Edit* edit) {
  if (scene->joint_count == MOST || scene->body_count < 2)
    return RG_OK;
  const rgJointKind kinds[] = {RG_JOINT_HINGE, RG_JOINT_DISTANCE, RG_JOINT_BALL, RG_JOINT_FIXED};
  bool plane = rg_world_dimension(scene->world) == 2;
  rgJointDef def = rg_joint_def(kinds[edit->kind % (plane ? 2 : 4)]);
  def.body_a = body_of(scene, edit, 0);
  def.body_b = body_of(scene, edit, 1);
  def.point = rg_body_center(scene->world, def.body_a);
  def.point_b = v3_add(rg_body_center(scene->world, def.body_b), within(scene, v3(0.1, 0.2, 0.3)));
  def.axis = plane ? v3(0, 0, 1) : edit->direction;
  def.collide = edit->kind % 3 == 0;
  rgJointId id;
  rgStatus status = rg_world_add_joint(scene->world, &def, &id);
  if (status == RG_OK)
    scene->joints[scene->joint_count++] = id;
  return status;
}

static rgStatus remove_joint(Scene* scene, const Edit* edit) {
  if (scene->joint_count == 0)
    return RG_OK;
  int i = edit->chosen[0] % scene->joint_count;
  rgStatus status = rg_world_remove_joint(scene->world, scene->joints[i]);
  if (status != RG_ERROR_MEMORY)
    scene->joints[i] = scene->joints[--scene->joint_count];
  return status;
}

static rgStatus add_force(Scene* scene, const Edit* edit) {
  if (scene->force_count == MOST || scene->body_count == 0)
    return RG_OK;
  static const double times[3] = {0, 0.1, 0.2};
  const rgWrench none = {v3_zero(), v3_zero()};
  const rgWrench wrenches[3] = {{within(scene, edit->direction), v3_zero()}, none, none};
  const rgForceKind kinds[] = {RG_FORCE_CONSTANT, RG_FORCE_TABLE, RG_FORCE_SPRING, RG_FORCE_DRAG};
  rgForceDef def = rg_force_def();
  def.kind = kinds[edit->kind % 4];
  def.body = body_of(scene, edit, 0);
  def.wrench = wrenches[0];
  if (def.kind == RG_FORCE_TABLE) {
    def.times = times;
    def.wrenches = wrenches;
    def.row_count = 3;
  }
  def.other_point = within(scene, edit->place);
  def.stiffness = 3;
  def.damping = 0.1;
  def.drag = def.spin_drag = 0.05;
  rgForceId id;
  rgStatus status = rg_world_add_force(scene->world, &def, &id);
  if (status == RG_OK)
    scene->forces[scene->force_count++] = id;
  return status;
}

static rgStatus remove_force(Scene* scene, const Edit* edit) {
  if (scene->force_count == 0)
    return RG_OK;
  int i = edit->chosen[0] % scene->force_count;
  rgStatus status = rg_world_remove_force(scene->world, scene->forces[i]);
  if (status != RG_ERROR_MEMORY)
    scene->forces[i] = scene->forces[--scene->force_count];
  return status;
}

static rgStatus add_material(Scene* scene, const Edit* edit) {
  rgMaterial material = rg_material_default();
  material.mu = edit->size;
  int index = 0;
  rgStatus status = rg_world_add_material(scene->world, &material, &index);
  if (status == RG_OK)
    scene->material_count = index;
  return status;
}

static rgStatus set_material(Scene* scene, const Edit* edit) {
  rgMaterial material = rg_material_default();
  material.restitution = edit->size;
  return rg_world_set_material(scene->world, edit->chosen[0] % (scene->material_count + 1),
                               &material);
}

static rgStatus set_pair_material(Scene* scene, const Edit* edit) {
  rgMaterial material = rg_material_default();
  material.mu = 2 * edit->size;
  int a = edit->chosen[0] % (scene->material_count + 1),
      b = edit->chosen[1] % (scene->material_count + 1);
  return rg_world_set_pair_material(scene->world, a, b, &material);
}

static rgStatus set_options(Scene* scene, const Edit* edit) {
  rgOptions options = *rg_world_options(scene->world);
  options.threads = 1 + edit->kind % 3;
  options.projection_tolerance = edit->kind % 2 ? 1e-3 : 1e-4;
  return rg_world_set_options(scene->world, &options);
}

static rgStatus set_pair_collision(Scene* scene, const Edit* edit) {
  if (scene->body_count < 2)
    return RG_OK;
  return rg_world_set_pair_collision(scene->world, body_of(scene, edit, 0), body_of(scene, edit, 1),
                                     edit->kind % 2);
}

static rgStatus set_state(Scene* scene, const Edit* edit) {
  if (scene->body_count == 0)
    return RG_OK;
  rgBodyId id = body_of(scene, edit, 0);
  if (edit->kind % 2)
    return rg_body_set_pose(scene->world, id, pose_at(within(scene, edit->place)));
  return rg_body_set_velocity(scene->world, id, twist(within(scene, edit->direction), v3_zero()));
}

static rgStatus save_state(Scene* scene, const Edit* edit) {
  (void)edit;
  free(scene->saved.data);
  scene->saved = save(scene->world);
  return RG_OK;
}

// Refused in both worlds when they were edited since.
static rgStatus load_state(Scene* scene, const Edit* edit) {
  (void)edit;
  return scene->saved.data ? rg_world_load(scene->world, scene->saved.data, scene->saved.size)
                           : RG_OK;
}

static const struct {
  const char* name;
  rgStatus (*make)(Scene* scene, const Edit* edit);
  int weight; // how often it is drawn
} edits[] = {
    {"add_body", add_body, 3},
    {"remove_body", remove_body, 1},
    {"add_shape", add_shape, 2},
    {"remove_shape", remove_shape, 1},
    {"add_joint", add_joint, 2},
    {"remove_joint", remove_joint, 1},
    {"add_force", add_force, 2},
    {"remove_force", remove_force, 1},
    {"add_material", add_material, 1},
    {"set_material", set_material, 1},
    {"set_pair_material", set_pair_material, 1},
    {"set_options", set_options, 1},
    {"set_pair_collision", set_pair_collision, 1},
    {"set_state", set_state, 1},
    {"save_state", save_state, 1},
    {"load_state", load_state, 1},
};
enum { WEIGHTS = 21 }; // their sum

// `trial`: every tenth edit goes back to the one before it, with steps in between.
static Edit draw_edit(int trial) {
  int left = trial % 10 == 8 ? WEIGHTS - 2 : trial % 10 == 9 ? WEIGHTS - 1 : pick(WEIGHTS), i = 0;
  while ((left -= edits[i].weight) >= 0)
    i++;
  Edit edit = {.name = edits[i].name, .make = edits[i].make};
  edit.chosen[0] = pick(1000);
  edit.chosen[1] = pick(1000);
  edit.kind = pick(1000);
  edit.size = random_between(0.1, 0.4);
  edit.place = v3_scale(random_vector(), 2);
  edit.place.z += 2;
  edit.direction = random_direction();
  double moving = random_unit();
  edit.moving = moving < 0.8 ? RG_BODY_DYNAMIC : moving < 0.9 ? RG_BODY_STATIC : RG_BODY_KINEMATIC;
  return edit;
}

// --- the histories ------------------------------------------------------------------------------

// What can be seen of a world.
typedef struct Sight {
  uint64_t hash;
  int bodies, joints, contacts;
  double time, energy;
  rgOptions options;
} Sight;

static Sight look(const rgWorld* world) {
  return (Sight){.hash = rg_world_hash(world),
                 .bodies = rg_world_body_count(world),
                 .joints = rg_world_joint_count(world),
                 .contacts = rg_world_contact_count(world),
                 .time = rg_world_time(world),
                 .energy = rg_world_energy(world).kinetic + rg_world_energy(world).potential,
                 .options = *rg_world_options(world)};
}

static void check_same(Sight* before, const rgWorld* world) {
  Sight now = look(world);
  CHECK_HEX(now.hash, before->hash);
  CHECK_INT(now.bodies, before->bodies);
  CHECK_INT(now.joints, before->joints);
  CHECK_INT(now.contacts, before->contacts);
  CHECK_BITS(now.time, before->time);
  CHECK_BITS(now.energy, before->energy);
  CHECK(memcmp(&now.options, &before->options, sizeof now.options) == 0);
}

// Makes an edit with each of its allocations failing in turn; returns how many did.
static int edit_without_memory(Scene* scene, const Edit* edit, Books* books, rgStatus* status) {
  for (int k = 0;; k++) {
    Sight before = look(scene->world);
    books->fail_at = books->calls + k;
    *status = edit->make(scene, edit);
    bool failed = books->calls > books->fail_at;
    books->fail_at = -1;
    // A call may do without the memory that it did not get.
    if (failed && *status == RG_ERROR_MEMORY)
      check_same(&before, scene->world);
    if (!failed || *status != RG_ERROR_MEMORY)
      return k;
  }
}

static void check_lists(const Scene* a, const Scene* b) {
  CHECK(a->body_count == b->body_count && a->shape_count == b->shape_count &&
        a->joint_count == b->joint_count && a->force_count == b->force_count);
  // The indices of ids say where things are; generations only that an id is not used again.
  for (int i = 0; i < a->body_count; i++)
    CHECK_INT(a->bodies[i].index, b->bodies[i].index);
  for (int i = 0; i < a->shape_count; i++)
    CHECK_INT(a->shapes[i].index, b->shapes[i].index);
  for (int i = 0; i < a->joint_count; i++)
    CHECK_INT(a->joints[i].index, b->joints[i].index);
  for (int i = 0; i < a->force_count; i++)
    CHECK_INT(a->forces[i].index, b->forces[i].index);
}

// Returns how many allocations failed on the way.
static int run_history(uint64_t seed, int dimension, double theta) {
  random_state = seed;
  Books books = {.fail_at = -1};
  Scene poor = begin(&books, dimension, theta), rich = begin(NULL, dimension, theta);
  int failures = 0;
  for (int i = 0; i < 60; i++) {
    Edit edit = draw_edit(i);
    CONTEXT("history %d, dimension %d, theta %g, edit %d: %s", (int)seed, dimension, theta, i,
            edit.name);
    rgStatus status, expected = edit.make(&rich, &edit);
    failures += edit_without_memory(&poor, &edit, &books, &status);
    CHECK_INT(status, expected);
    check_lists(&poor, &rich);
    if (pick(2) && i % 10 != 8)
      continue;
    for (int k = 0; k < 2; k++) {
      status = rg_world_step(poor.world, NULL);
      CHECK_INT(status, rg_world_step(rich.world, NULL));
      CHECK_HEX(rg_world_hash(poor.world), rg_world_hash(rich.world));
      CHECK_INT(rg_world_contact_count(poor.world), rg_world_contact_count(rich.world));
    }
  }
  end(&poor);
  end(&rich);
  CHECK_INT(books.live, 0);
  return failures;
}

TEST(an_edit_without_memory_leaves_the_world_as_it_was) {
  const int histories = test_fast() ? 4 : 40;
  int failures = 0;
  for (int seed = 1; seed <= histories; seed++)
    failures += run_history((uint64_t)seed, seed % 4 == 0 ? 2 : 3, seed % 2 ? 1 : 0.5);
  CHECK_MSG(failures >= 20 * histories, "only %d allocations failed", failures);
}
