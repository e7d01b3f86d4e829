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
  for (int i = 0; i < count && i < page_body_count(page); ++i) {
    const PageBody* at = (const PageBody*)(const void*)numbers + i;
    const double *p = at->position, *q = at->orientation;
    rgBodyId id = page_body(page, i);
    rgPose pose = {rg_vec3(p[0], p[1], p[2]), {q[0], q[1], q[2], q[3]}};
    if (id.generation && isfinite(p[0]) && !page_note(page, rg_body_set_pose(world, id, pose)))
      return false;
  }
  return !seek || page_note(page, rg_world_find_contacts(world));
}
