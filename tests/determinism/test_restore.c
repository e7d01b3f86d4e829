// Random restores: a run that goes back to snapshots of itself, in the same world or in another one,
// with any number of threads, gives the bits of the run that never stopped.
#include "support/heaps.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "support/variety.h"
#include "test.h"

enum { STEPS = 30, SAVES = 6, RESTORES = 6 };

static const int threads_of[] = {1, 2, 3, 7};

typedef struct Scene {
  const char* name;
  const HeapScene* heap; // or
  const Variety* variety;
} Scene;

static rgWorld* build(const Scene* scene, int threads) {
  return scene->heap ? heap_build(scene->heap, 4, 3, threads)
                     : variety_build(scene->variety, threads, NULL);
}

static int draw(int count) { return (int)(random_unit() * count); }

static void set_threads(rgWorld* world, int threads) {
  rgOptions options = *rg_world_options(world);
  options.threads = threads;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// The reference: hashes after each step, and snapshots before some.
typedef struct Reference {
  uint64_t hash[STEPS + 1];
  Snapshot saved[SAVES];
  int at[SAVES]; // step of each snapshot
} Reference;

static Reference run_through(const Scene* scene) {
  Reference reference;
  rgWorld* world = build(scene, 1);
  for (int i = 0; i < SAVES; i++)
    reference.at[i] = draw(STEPS);
  for (int step = 0; step <= STEPS; step++) {
    reference.hash[step] = rg_world_hash(world);
    for (int i = 0; i < SAVES; i++)
      if (reference.at[i] == step)
        reference.saved[i] = save(world);
    if (step < STEPS)
      run_steps(world, 1);
  }
  rg_world_destroy(world);
  return reference;
}

static void check_scene(const Scene* scene) {
  Reference reference = run_through(scene);
  // The first has run away from all snapshots, the second has never made a step.
  rgWorld* worlds[2] = {build(scene, 2), build(scene, 3)};
  run_steps(worlds[0], 3);
  for (int i = 0; i < RESTORES; i++) {
    int from = draw(SAVES), to = reference.at[from] + draw(STEPS - reference.at[from] + 1);
    rgWorld* world = worlds[draw(2)];
    set_threads(world, threads_of[draw(4)]);
    REQUIRE_MSG(rg_world_load(world, reference.saved[from].data, reference.saved[from].size) ==
                    RG_OK,
                "%s", rg_world_message(world));
    CONTEXT("%s, restore %d from step %d to %d with %d threads", scene->name, i, reference.at[from],
            to, rg_world_options(world)->threads);
    for (int step = reference.at[from]; step < to; step++) {
      run_steps(world, 1);
      if (!CHECK_HEX(rg_world_hash(world), reference.hash[step + 1]))
        break;
    }
  }
  for (int i = 0; i < SAVES; i++)
    free(reference.saved[i].data);
  rg_world_destroy(worlds[0]);
  rg_world_destroy(worlds[1]);
}

TEST(random_restores_of_heaps_of_every_shape_give_the_same_bits) {
  random_state = 41;
  for (int i = 0; heap_scene(i); i += test_fast() ? 6 : 1) {
    uint64_t state = random_state; // heaps draw their own numbers
    Scene scene = {.name = heap_scene(i)->name, .heap = heap_scene(i)};
    random_state = state + (uint64_t)i;
    check_scene(&scene);
  }
}

TEST(random_restores_of_every_small_scene_give_the_same_bits) {
  random_state = 43;
  for (int i = 0; variety(i); i += test_fast() ? 4 : 1) {
    Scene scene = {.name = variety(i)->name, .variety = variety(i)};
    check_scene(&scene);
  }
}
