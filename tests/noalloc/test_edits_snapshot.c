// A call that fails for want of memory leaves the world as it was also in what only a snapshot sees:
// one that was saved before the call is accepted after it.
#include "support/builder.h"
#include "support/snapshot.h"
#include "test.h"

typedef struct Books {
  int calls, fail_at;
} Books;

static void* take(size_t size, void* context) {
  Books* books = context;
  if (books->calls++ == books->fail_at)
    return NULL;
  rgAllocator heap = rg_allocator_default();
  return heap.allocate(size, heap.context);
}

static void give_back(void* memory, size_t size, void* context) {
  (void)context;
  rgAllocator heap = rg_allocator_default();
  heap.release(memory, size, heap.context);
}

static rgStatus add_body(rgWorld* world) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 9));
  rgShapeDef shapes[2] = {shape_sphere(0.5), shape_box(v3(0.5, 0.5, 0.5))};
  rgBodyId id;
  return rg_world_add_body(world, &def, shapes, 2, &id);
}

static rgStatus add_shape(rgWorld* world) {
  rgShapeDef shape = shape_sphere(0.5);
  rgShapeId id;
  return rg_world_add_shape(world, rg_world_body(world, 1), &shape, &id);
}

static rgStatus add_joint(rgWorld* world) {
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = rg_world_body(world, 1);
  def.body_b = rg_world_body(world, 2);
  rgJointId id;
  return rg_world_add_joint(world, &def, &id);
}

static rgStatus add_force(rgWorld* world) {
  static const double times[2] = {0, 1};
  const rgWrench wrenches[2] = {{v3(1, 0, 0), v3_zero()}, {v3(0, 1, 0), v3_zero()}};
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_TABLE;
  def.body = rg_world_body(world, 1);
  def.times = times;
  def.wrenches = wrenches;
  def.row_count = 2;
  rgForceId id;
  return rg_world_add_force(world, &def, &id);
}

static const struct {
  const char* name;
  rgStatus (*make)(rgWorld* world);
} edits[] = {
    {"add_body", add_body},
    {"add_shape", add_shape},
    {"add_joint", add_joint},
    {"add_force", add_force},
};

TEST(a_snapshot_is_accepted_after_an_edit_that_failed) {
  for (size_t e = 0; e < sizeof edits / sizeof *edits; e++)
    for (int bodies = 2; bodies < 40; bodies += 3)
      for (int k = 0;; k++) {
        Books books = {.fail_at = -1};
        rgWorldDef def = rg_world_def();
        def.allocator = (rgAllocator){take, give_back, &books};
        rgWorld* world = build_world_of(&def);
        build_floor(world);
        for (int i = 0; i < bodies; i++)
          build_sphere(world, 0.5, v3(2 * i, 0, 0.5));
        run_steps(world, 2);
        Snapshot saved = save(world);
        books.fail_at = books.calls + k;
        rgStatus status = edits[e].make(world);
        bool failed = books.calls > books.fail_at;
        books.fail_at = -1;
        CONTEXT("%s, %d bodies, allocation %d", edits[e].name, bodies, k);
        if (failed) {
          CHECK_INT(status, RG_ERROR_MEMORY);
          CHECK_INT(rg_world_save_size(world), saved.size);
          CHECK_MSG(rg_world_load(world, saved.data, saved.size) == RG_OK, "%s",
                    rg_world_message(world));
        }
        free(saved.data);
        rg_world_destroy(world);
        if (!failed)
          break;
      }
}
