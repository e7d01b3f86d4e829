// A step that is cancelled fails and leaves poses, velocities and time as they were; when nothing
// cancels any more, the world steps on.
#define _DEFAULT_SOURCE // usleep
#include "test.h"

#include <rigor/rigor.h>

#include <pthread.h>
#include <unistd.h>

// Boxes on each other, which no tolerance above rounding satisfies: a step would take minutes.
static const char scene_text[] =
    "{\"rigor\": 1, \"options\": {\"solver\": \"nsgs\", \"tolerance\": 1e-30, \"stabilizer\": "
    "\"none\", \"iteration_limit\": 2000000000},\n"
    "\"bodies\": [{\"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]},\n"
    "{\"position\": [0, 0, 0.5], \"velocity\": [0.1, 0.2, 0], \"repeat\": {\"count\": [2, 2, 6], "
    "\"spacing\": [1.01, 1.01, 1]}, \"shapes\": [{\"shape\": \"box\", \"half\": [0.5, 0.5, "
    "0.5]}]}]}";

static rgWorld* make_world(rgScene** scene, int threads) {
  rgMessage message = {""};
  rgWorld* world = NULL;
  rgStatus status = rg_scene_parse(scene_text, strlen(scene_text), "s.json", scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  rg_scene_options(*scene)->threads = threads;
  status = rg_scene_build(*scene, NULL, &world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return world;
}

static volatile int cancel;

static void* set_after(void* microseconds) {
  usleep(*(useconds_t*)microseconds);
  cancel = 1;
  return NULL;
}

TEST(a_step_that_is_cancelled_changes_nothing) {
  for (int threads = 1; threads <= 3; threads += 2)
    for (useconds_t delay = 0; delay <= 40000; delay = 3 * delay + 50) {
      CONTEXT("%d threads, after %u us", threads, (unsigned)delay);
      rgScene* scene;
      rgWorld* world = make_world(&scene, threads);
      rg_world_set_cancel(world, &cancel);
      uint64_t before = rg_world_hash(world);
      pthread_t thread;
      cancel = 0;
      REQUIRE(pthread_create(&thread, NULL, set_after, &delay) == 0);
      CHECK_INT(rg_world_step(world, NULL), RG_CANCELLED);
      pthread_join(thread, NULL);
      CHECK_STR(rg_world_message(world), "the step was cancelled");
      CHECK_HEX(rg_world_hash(world), before);
      CHECK_INT(rg_world_steps(world), 0);
      CHECK(rg_world_time(world) == 0);

      // Still set: the next one too. Then it can go on.
      CHECK_INT(rg_world_step(world, NULL), RG_CANCELLED);
      cancel = 0;
      rgOptions options = *rg_world_options(world);
      options.tolerance = 1e-4;
      CHECK_INT(rg_world_set_options(world, &options), RG_OK);
      CHECK_INT(rg_world_step(world, NULL), RG_OK);
      CHECK_INT(rg_world_steps(world), 1);
      rg_world_destroy(world);
      rg_scene_free(scene);
    }
}

TEST(a_flag_that_is_not_set_changes_no_bit) {
  uint64_t hashes[2];
  for (int watched = 0; watched < 2; watched++) {
    rgScene* scene;
    rgWorld* world = make_world(&scene, 1);
    rgOptions options = *rg_world_options(world);
    options.tolerance = 1e-6;
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    cancel = 0;
    rg_world_set_cancel(world, watched ? &cancel : NULL);
    for (int i = 0; i < 20; i++)
      CHECK_INT(rg_world_step(world, NULL), RG_OK);
    hashes[watched] = rg_world_hash(world);
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
  CHECK_HEX(hashes[0], hashes[1]);
}
