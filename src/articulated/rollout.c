// rollout.c - steps of many worlds on some threads. A world is stepped by one thread at a time and
// shares nothing with others, so that its bits do not depend on who steps it.
#include "base/memory.h"
#include "base/message.h"
#include "base/task.h"
#include <rigor/bulk.h>

typedef struct Batch {
  const rgRollout* rollout;
  size_t controls, positions, rates; // numbers of one step
  rgStatus* status;                  // of each world
} Batch;

// Where the numbers of a step begin, or NULL.
static double* place(double* all, const Batch* batch, int world, int step, size_t size) {
  size_t number = (size_t)world * (size_t)batch->rollout->steps + (size_t)step;
  return all ? all + number * size : NULL;
}

static void run_world(void* context, int index, int worker) {
  (void)worker;
  const Batch* batch = context;
  const rgRollout* rollout = batch->rollout;
  rgWorld* world = rollout->worlds[index];
  rgStatus status = RG_OK;
  for (int i = 0; i < rollout->steps && status == RG_OK; i++) {
    size_t number = (size_t)index * (size_t)rollout->steps + (size_t)i;
    rgCertificate certificate;
    if (rollout->controls)
      status = rg_world_set_controls(world, rollout->controls + number * batch->controls);
    if (status == RG_OK)
      status = rg_world_step(world, &certificate);
    if (status != RG_OK)
      break;
    if (rollout->positions || rollout->rates)
      rg_world_get_configuration(world,
                                 place(rollout->positions, batch, index, i, batch->positions),
                                 place(rollout->rates, batch, index, i, batch->rates));
    if (rollout->met)
      rollout->met[number] = certificate.met;
  }
  batch->status[index] = status;
}

static rgStatus check(const rgRollout* rollout, const Batch* batch, rgMessage* message) {
  if (rollout->steps < 0 || rollout->threads < 1 || rollout->world_count < 0)
    return rg_fail(message, RG_ERROR_INPUT,
                   "%d steps of %d worlds on %d threads: must be >= 0, >= 0 and >= 1",
                   rollout->steps, rollout->world_count, rollout->threads);
  for (int i = 1; i < rollout->world_count; i++) {
    int positions = rg_world_position_count(rollout->worlds[i]),
        rates = rg_world_rate_count(rollout->worlds[i]);
    if (positions != (int)batch->positions || rates != (int)batch->rates)
      return rg_fail(message, RG_ERROR_INPUT,
                     "world %d has %d positions and %d rates, the first one %d and %d: all must "
                     "have the same",
                     i, positions, rates, (int)batch->positions, (int)batch->rates);
  }
  return RG_OK;
}

static rgStatus first_failure(const Batch* batch, rgMessage* message) {
  const rgRollout* rollout = batch->rollout;
  for (int i = 0; i < rollout->world_count; i++)
    if (batch->status[i] != RG_OK)
      return rg_fail(message, batch->status[i], "world %d: %s", i,
                     rg_world_message(rollout->worlds[i]));
  return RG_OK;
}

rgStatus rg_rollout(const rgRollout* rollout, rgMessage* message) {
  Batch batch = {.rollout = rollout};
  int count = rollout->world_count;
  if (count > 0) {
    const rgWorld* first = rollout->worlds[0];
    batch.controls = (size_t)rg_world_coordinate_count(first);
    batch.positions = (size_t)rg_world_position_count(first);
    batch.rates = (size_t)rg_world_rate_count(first);
  }
  rgStatus status = check(rollout, &batch, message);
  if (status != RG_OK || count == 0)
    return status;
  rgAllocator allocator = rg_allocator_default();
  size_t size = (size_t)count * sizeof *batch.status;
  batch.status = rg_allocate(&allocator, size);
  rgTasks* tasks = rg_tasks_create(&allocator, rollout->threads < count ? rollout->threads : count);
  if (!batch.status || !tasks)
    status = rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a rollout");
  else
    rg_tasks_run(tasks, count, run_world, &batch);
  if (status == RG_OK)
    status = first_failure(&batch, message);
  rg_tasks_destroy(tasks, &allocator);
  rg_release(&allocator, batch.status, size);
  return status;
}
