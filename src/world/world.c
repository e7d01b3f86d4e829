// world.c - making and ending a world, its options, messages and memory.
#include "world/world.h"

#include "base/memory.h"
#include "base/message.h"

#include <rigor/util.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void* counting_allocate(size_t size, void* context) {
  rgWorld* world = context;
  void* memory = world->memory.user.allocate(size, world->memory.user.context);
  if (memory)
    world->memory.bytes += size;
  return memory;
}

static void counting_release(void* memory, size_t size, void* context) {
  rgWorld* world = context;
  world->memory.bytes -= size;
  world->memory.user.release(memory, size, world->memory.user.context);
}

rgStatus rg_world_fail(rgWorld* world, rgStatus status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(world->message.text, sizeof world->message.text, format, arguments);
  va_end(arguments);
  rg_utf8_clean(world->message.text); // names may come from anywhere
  return status;
}

rgWorldDef rg_world_def(void) {
  rgWorldDef def;
  memset(&def, 0, sizeof def);
  def.dimension = 3;
  rg_options_preset("default", &def.options);
  def.allocator = rg_allocator_default();
  return def;
}

rgWorldDef rg_world_def_2d(void) {
  rgWorldDef def = rg_world_def();
  def.dimension = 2;
  def.options.gravity = v3(0, def.options.gravity.z, 0);
  return def;
}

// Threads and the memory that belongs to each of them.
static rgStatus set_threads(rgWorld* world, int threads) {
  if (world->threads.tasks && rg_tasks_threads(world->threads.tasks) == threads)
    return RG_OK;
  if (!RG_SET_RESERVE(world, &world->threads, workers, threads))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for %d threads", threads);
  rgTasks* tasks = rg_tasks_create(&world->allocator, threads);
  if (!tasks)
    return rg_world_fail(world, RG_ERROR_MEMORY, "could not start %d threads", threads);
  rg_tasks_destroy(world->threads.tasks, &world->allocator);
  world->threads.tasks = tasks;
  return RG_OK;
}

rgStatus rg_world_create(const rgWorldDef* def, rgWorld** out, rgMessage* message) {
  *out = NULL;
  rgStatus status = rg_options_check(&def->options, message);
  if (status != RG_OK)
    return status;
  if (def->dimension != 2 && def->dimension != 3)
    return rg_fail(message, RG_ERROR_INPUT, "dimension is %d, must be 2 or 3", def->dimension);
  if (def->dimension == 2 && def->options.gravity.z != 0)
    return rg_fail(message, RG_ERROR_INPUT, "gravity has z = %.9g, must be 0 in a 2D world",
                   def->options.gravity.z);
  rgWorld* world = rg_allocate(&def->allocator, sizeof *world);
  if (!world)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a world");
  world->memory.user = def->allocator;
  world->allocator = (rgAllocator){counting_allocate, counting_release, world};
  world->options = def->options;
  world->dimension = def->dimension;
  world->memory.bytes = sizeof *world;
  world->search.stale = true;
  world->ids.next_generation = 1;
  world->search.broad = rg_broad_create(&world->allocator);
  status = world->search.broad && RG_SET_RESERVE(world, &world->laws, materials, 1)
               ? RG_OK
               : RG_ERROR_MEMORY;
  if (status == RG_OK) {
    world->laws.materials[0] = rg_material_default();
    world->laws.material_count = 1;
    status =
        rg_world_build_laws(world) ? set_threads(world, world->options.threads) : RG_ERROR_MEMORY;
  }
  if (status != RG_OK) {
    rg_world_destroy(world);
    return rg_fail(message, status, "not enough memory for a world");
  }
  *out = world;
  return RG_OK;
}

#define RELEASE_OF(owner, name)                                                                    \
  rg_release(&allocator, (owner)->name, (size_t)(owner)->name##_capacity * sizeof *(owner)->name)
#define RELEASE(name) RELEASE_OF(world, name)

static void release_books(rgAllocator allocator, rgBooks* books) {
  rg_slots_release(&allocator, &books->bodies);
  rg_slots_release(&allocator, &books->shapes);
  rg_slots_release(&allocator, &books->forces);
  rg_slots_release(&allocator, &books->joints);
  rg_name_table_release(&allocator, &books->body_names);
  rg_name_table_release(&allocator, &books->joint_names);
  rg_links_release(&allocator, &books->force_links);
  rg_links_release(&allocator, &books->joint_links);
  RELEASE_OF(&books->pairs_off, cells);
  rg_contact_links_release(&allocator, &books->contact_links);
}

void rg_world_destroy(rgWorld* world) {
  if (!world)
    return;
  rgAllocator allocator = world->allocator;
  rg_tasks_destroy(world->threads.tasks, &allocator);
  if (world->step)
    world->release_step(world);
  if (world->user.sensing.release)
    world->user.sensing.release(world);
  for (int i = 0; i < world->shape_slots; i++)
    if (world->shapes[i].alive)
      rg_shape_destroy(world->shapes[i].shape, &allocator);
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive)
      rg_world_remove_force(world, (rgForceId){i, world->forces[i].generation});
  for (int i = 0; i < world->threads.workers_capacity; i++) {
    rgWorker* worker = &world->threads.workers[i];
    rg_release(&allocator, worker->manifolds.items,
               (size_t)worker->manifolds.capacity * sizeof(rgManifold));
    rg_release(&allocator, worker->contacts,
               (size_t)worker->contact_capacity * sizeof(rgWorldContact));
    rg_release(&allocator, worker->work, (size_t)worker->work_capacity * RG_ALIGNMENT);
    rg_release(&allocator, worker->factor, (size_t)worker->factor_capacity * RG_ALIGNMENT);
  }
  if (world->search.broad)
    rg_broad_destroy(world->search.broad);
  RELEASE(bodies);
  RELEASE(shapes);
  RELEASE(forces);
  RELEASE(joints);
  RELEASE_OF(&world->laws, materials);
  RELEASE_OF(&world->laws, table);
  RELEASE_OF(&world->laws, pairs);
  RELEASE_OF(&world->ids, slot_of_body);
  RELEASE_OF(&world->ids, slot_of_shape);
  for (int i = 0; i < world->ids.body_records_capacity; i++)
    rg_release(&allocator, world->ids.body_records[i].extra, sizeof(rgBodyExtra));
  RELEASE_OF(&world->ids, body_records);
  RELEASE_OF(&world->ids, shape_masses);
  release_books(allocator, &world->books);
  RELEASE_OF(&world->threads, workers);
  RELEASE_OF(&world->search, broad_pairs);
  RELEASE_OF(&world->search, broad_room);
  RELEASE_OF(&world->search, next_pairs);
  RELEASE_OF(&world->search, pairs);
  RELEASE_OF(&world->search, old_pairs);
  RELEASE_OF(&world->search, old_contacts);
  RELEASE_OF(&world->search.seams, start);
  RELEASE_OF(&world->search.seams, list);
  RELEASE(contacts);
  rgAllocator user = world->memory.user;
  rg_release(&user, world, sizeof *world);
}

const char* rg_world_message(const rgWorld* world) { return world->message.text; }

const rgOptions* rg_world_options(const rgWorld* world) { return &world->options; }

void rg_world_set_clock(rgWorld* world, double (*clock)(void)) {
  world->user.phases = (rgPhases){.clock = clock, .now = RG_PHASE_COUNT};
}

double rg_world_phase_time(const rgWorld* world, rgPhase phase) {
  return (unsigned)phase < RG_PHASE_COUNT ? world->user.phases.spent[phase] : 0;
}

void rg_world_set_cancel(rgWorld* world, const volatile int* cancel) {
  world->user.cancel = cancel;
}

void rg_world_wake(rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++)
    world->bodies[i].quiet = 0;
}

rgStatus rg_world_set_options(rgWorld* world, const rgOptions* options) {
  rgStatus status = rg_options_check(options, &world->message);
  if (status == RG_OK)
    status = rg_plane_vector(world, options->gravity, "gravity", &world->message);
  if (status == RG_OK)
    status = set_threads(world, options->threads);
  if (status != RG_OK)
    return status;
  // Contacts are sought anew only where they would not be the same: what is set to what it was, and
  // what contacts do not depend on, leaves a run as it is, bit for bit.
  uint64_t before = rg_world_search_hash(world);
  if (memcmp(&world->options, options, sizeof *options) != 0)
    rg_world_wake(world);
  world->options = *options;
  world->search.stale = world->search.stale || rg_world_search_hash(world) != before;
  world->unchecked = true;
  return RG_OK;
}

int rg_world_dimension(const rgWorld* world) { return world->dimension; }

double rg_world_time(const rgWorld* world) { return world->time; }

int64_t rg_world_steps(const rgWorld* world) { return world->steps; }

const rgCertificate* rg_world_certificate(const rgWorld* world) { return &world->certificate; }
