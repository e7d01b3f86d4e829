// broad.h - which shapes may touch: bounding-volume trees over the moving and the fixed shapes.
//
// Proxies carry the caller's index. rg_broad_pairs reports a pair exactly when the bounds last
// given overlap (touching counts), so the pairs found do not depend on the history of the trees.
#ifndef COLLIDE_BROAD_BROAD_H
#define COLLIDE_BROAD_BROAD_H

#include "base/task.h"
#include "math/vec.h"
#include <rigor/query.h>

typedef struct rgBroad
    rgBroad; // opaque; memory through the allocator, grows only in add/insert calls

rgBroad* rg_broad_create(const rgAllocator* allocator);
void rg_broad_destroy(rgBroad* broad);

// A moving proxy may pair with every proxy, a fixed one only with moving ones. `user` is returned
// in pairs and must be unique. Returns the proxy id (>= 0) or -1 when memory ran out.
int rg_broad_add(rgBroad* broad, rgBounds bounds, bool moving, uint32_t user);
void rg_broad_remove(rgBroad* broad, int proxy);
// New exact bounds; the trees follow at the next rg_broad_pairs or rg_broad_query. Never allocates.
// Infinite bounds are allowed (half-spaces).
void rg_broad_move(rgBroad* broad, int proxy, rgBounds bounds);
// The same as far as threads may do it side by side, for different proxies: false, and nothing changed, for
// bounds that have to be moved alone. Afterwards the trees of what moves are told.
bool rg_broad_try_move(rgBroad* broad, int proxy, rgBounds bounds);
void rg_broad_note_moved(rgBroad* broad);
// The bounds last given.
rgBounds rg_broad_bounds(const rgBroad* broad, int proxy);
// Asks for the memory of a proxy that will be moved soon.
void rg_broad_prefetch(const rgBroad* broad, int proxy);

typedef struct rgBroadPair {
  uint32_t a, b; // user values, a < b
} rgBroadPair;

// Writes all overlapping pairs sorted by (a, b), each once. Returns the number of pairs there are;
// when that is more than `capacity`, the caller grows the array and calls again. Never allocates.
int rg_broad_pairs(rgBroad* broad, rgBroadPair* pairs, int capacity);
// The same pairs in the same order, by several threads, where these are worth it. The arrays have room for `capacity`
// pairs each; rg_broad_room says how many that has to be for so many pairs.
bool rg_broad_shares(const rgBroad* broad, const rgTasks* tasks);
int rg_broad_room(const rgTasks* tasks, int pairs);
int rg_broad_pairs_shared(rgBroad* broad, rgTasks* tasks, rgBroadPair* pairs, rgBroadPair* room,
                          int capacity);

// Calls `visit` for each proxy whose exact bounds overlap `box`, in no promised order. Brings the
// trees up to date first; when nothing was added, moved or removed since the last pairs or query,
// nothing is written and several threads may ask at once.
typedef void rgBroadVisit(void* context, uint32_t user);
void rg_broad_query(rgBroad* broad, rgBounds box, rgBroadVisit* visit, void* context);

// Calls `visit` for each proxy whose bounds the ray meets before *limit [m], which the visits may lower;
// nearer nodes of the trees first. The direction has unit length. Trees as for rg_broad_query.
void rg_broad_ray(rgBroad* broad, const rgRay* ray, const double* limit, rgBroadVisit* visit,
                  void* context);

#endif
