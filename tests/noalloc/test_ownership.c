// A world releases what it allocated and nothing else: arrays in definitions stay the caller's,
// whatever kind of force they were left in. Nor does it write elsewhere.
#include "support/builder.h"
#include "support/heap.h"
#include "test.h"

static rgForceDef force_with_arrays(rgForceKind kind, rgBodyId body, rgBodyId other) {
  static const double times[3] = {0, 0.5, 1};
  static const rgWrench wrenches[3] = {{{1, 0, 0}, {0, 0, 0}}};
  static const rgVec3 path[3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  rgForceDef def = rg_force_def();
  def.kind = kind;
  def.body = body;
  def.other = other;
  def.times = times;
  def.wrenches = wrenches;
  def.path = path;
  def.row_count = 3;
  def.stiffness = def.drag = def.spin_drag = def.strength = def.range = 1;
  return def;
}

static rgWrench no_force(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time, (void)pose, (void)velocity, (void)context;
  return (rgWrench){v3_zero(), v3_zero()};
}

// `arrays`: a bit for each of times, wrenches and path that is given.
static void check_force(rgForceKind kind, int arrays, int end) {
  Heap heap = heap_make();
  rgWorldDef world_def = rg_world_def();
  world_def.allocator = heap_allocator(&heap);
  rgWorld* world = build_world_of(&world_def);
  rgBodyId body = build_sphere(world, 0.1, v3(0, 0, 1)),
           other = build_sphere(world, 0.1, v3(1, 0, 1));
  rgForceDef def = force_with_arrays(kind, body, other);
  def.callback = no_force;
  def.times = arrays & 1 ? def.times : NULL;
  def.wrenches = arrays & 2 ? def.wrenches : NULL;
  def.path = arrays & 4 ? def.path : NULL;
  rgForceId id;
  CONTEXT("%s, arrays %d, end %d", rg_force_kind_name(kind), arrays, end);
  rgStatus status = rg_world_add_force(world, &def, &id);
  run_steps(world, 2);
  if (status == RG_OK && kind == RG_FORCE_ATTRACTOR && end != 0)
    CHECK_INT(rg_force_set_attractor(world, id, v3_zero(), 2), RG_OK);
  if (status == RG_OK && end == 1)
    CHECK_INT(rg_world_remove_force(world, id), RG_OK);
  if (end == 2)
    CHECK_INT(rg_world_remove_body(world, other), RG_OK);
  if (end != 2)
    run_steps(world, 1);
  rg_world_destroy(world);
  heap_end(&heap);
}

TEST(arrays_of_a_force_stay_the_callers_whatever_its_kind) {
  for (int kind = 0; kind < RG_FORCE_KIND_COUNT; kind++)
    for (int arrays = 0; arrays < 8; arrays++)
      for (int end = 0; end < 4; end++)
        check_force((rgForceKind)kind, arrays, end);
}

// Of links in a row, each on the one before it, all but the last `left` joints and as many springs are removed before the first
// step: those that stay have high places in memory that is made for the first time.
static void check_gaps(int links, int left) {
  Heap heap = heap_make();
  rgWorldDef world_def = rg_world_def();
  world_def.allocator = heap_allocator(&heap);
  rgWorld* world = build_world_of(&world_def);
  rgBodyId last = build_sphere(world, 0.1, v3_zero());
  rgJointId joints[64];
  rgForceId forces[64];
  for (int i = 0; i < links; i++) {
    rgBodyId next = build_sphere(world, 0.1, v3(i + 1, 0, 0));
    rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
    joint.body_a = last;
    joint.body_b = next;
    joint.point = v3(i + 0.5, 0, 0);
    REQUIRE_INT(rg_world_add_joint(world, &joint, &joints[i]), RG_OK);
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_SPRING;
    force.body = last;
    force.other = next;
    force.stiffness = 1;
    REQUIRE_INT(rg_world_add_force(world, &force, &forces[i]), RG_OK);
    last = next;
  }
  CONTEXT("%d of %d joints stay", left, links);
  for (int i = 0; i < links - left; i++) {
    REQUIRE_INT(rg_world_remove_joint(world, joints[i]), RG_OK);
    REQUIRE_INT(rg_world_remove_force(world, forces[i]), RG_OK);
  }
  run_steps(world, 2);
  heap_check_margins(&heap);
  rg_world_destroy(world);
  heap_end(&heap);
}

TEST(steps_after_removals_write_within_their_memory) {
  for (int links = 17; links <= 64; links += 15)
    for (int left = 1; left <= 16; left += 5)
      check_gaps(links, left);
}
