// replay.c - a recorded run in the world: bodies stand where a frame of it says, and contacts are
// sought there. A trajectory has poses only: what touches and how deep follows from them, forces
// do not.
#include "wasm/page.h"

#include <math.h>

// Places bodies at `numbers`, as page_bodies gives them, of which only poses are read. A body
// without a place, as one that was removed has none, stays where it is. Seeks contacts when `seek`.
PAGE_EXPORT(page_place)
bool page_place(Page* page, const double* numbers, int count, bool seek) {
  rgWorld* world = page->world;
  for (int i = 0; i < count && i < world->body_slots; ++i) {
    const double* n = numbers + (size_t)i * PAGE_BODY;
    rgBodyId id = rg_body_id(world, world->slot_of_body[i]);
    rgPose pose = {v3(n[0], n[1], n[2]), {n[3], n[4], n[5], n[6]}};
    if (rg_body_valid(world, id) && isfinite(n[0]) &&
        !page_note(page, rg_body_set_pose(world, id, pose)))
      return false;
  }
  return !seek || page_note(page, rg_world_detect(world, world->options.step));
}
